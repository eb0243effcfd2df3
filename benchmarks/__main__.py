"""``python -m benchmarks NAME ...``: each benchmark is a module with ``add_arguments(parser)`` and ``run(args)``."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

# name -> (module, one line of help); a module and what it needs is imported only when its name is given.
TABLE = {
    "quality": ("benchmarks.quality.run", "annotated questions asked through the public API, and their scores"),
    "applications": ("benchmarks.quality.applications", "lay out the applications that applications.jsonl asks about"),
    "compare": ("benchmarks.compare", "the answers beside ripgrep, BM25, ctags and semble; the README's table"),
    "economy": ("benchmarks.economy", "tokens read until the first right file, beside grep-and-read and semble"),
    "embedding": (
        "benchmarks.embedding",
        "the bundled model beside BM25, LSA and MiniLM: a function by its description",
    ),
    "kernels": ("benchmarks.kernels", "the compiled kernels beside their peers, one thread"),
    "graph": ("benchmarks.graph", "call edges of a source tree, to be scored against compilers and language servers"),
    "intents": ("benchmarks.intents", "labelled questions through the classifier"),
    "latency": ("benchmarks.latency", "time to an answer, for each kind of question and each stage"),
    "refresh": ("benchmarks.refresh", "a full build and its memory, and bringing an index up to date after edits"),
    "text": (
        "benchmarks.text",
        "literals, regexes and words through the public API, beside ripgrep, codesearch, tantivy",
    ),
    "structure": ("benchmarks.structure", "definitions against ctags and compilers; parse speed, one and two workers"),
    "corpora": ("benchmarks.corpora", "lay out 500 MB of real source text"),
}


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="name", required=True)
    for name, (module, summary) in TABLE.items():
        command = commands.add_parser(name, help=summary)
        if argv and argv[0] == name:
            import_module(module).add_arguments(command)
    args = parser.parse_args(argv)
    return import_module(TABLE[args.name][0]).run(args)


if __name__ == "__main__":
    sys.exit(main())
