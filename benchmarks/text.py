"""Literal, regular-expression and word questions through the public API, beside ripgrep, codesearch and tantivy.

``python -m benchmarks text --corpus DIRECTORY`` indexes the directory (without embeddings), draws questions from its
own text with a fixed seed, asks every program the same ones, checks that the counts agree, and prints medians and 99th
percentiles in CPU time (of all processes that take part) and the median in wall time.  ``--differential`` compares sets
of (path, line) with ripgrep instead, to the last hit.  Other programs are left out, and the table says so, when they
are not installed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import quatrain
from benchmarks.timing import machine
from quatrain.errors import BadQuery

__all__ = ["add_arguments", "run"]

SEED = 20
SLOW_QUESTIONS = 24  # of each kind, for programs that read everything
PAGE = 100
TARGETS = {"literal": (150.0, 20_000.0), "regex, first 100": (5_000.0, None), "words": (1_000.0, None)}  # us


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--corpus", type=Path, required=True, help="source tree")
    parser.add_argument("--index-dir", type=Path, help="where its index is or will be (default: beside it)")
    parser.add_argument("--questions", type=int, default=300, help="of each kind")
    parser.add_argument("--differential", action="store_true", help="compare hits with ripgrep instead of timing")
    parser.add_argument("--output", type=Path, help="write the numbers as JSON")


def run(args: argparse.Namespace) -> int:
    """Run the benchmark."""
    index_dir = args.index_dir or args.corpus.with_name(args.corpus.name + ".index")
    index = quatrain.open(args.corpus, index_dir=index_dir, embedder="none")
    questions = Questions(args.corpus, index, random.Random(SEED))
    if args.differential:
        return compare_hits(args.corpus, index, questions, args.questions)
    result: dict[str, Any] = {
        "corpus": args.corpus.name,
        "files": index.status().counts["files"],
        "bytes": index.status().counts["bytes"],
        "machine": machine(("quatrain", "google-re2", "ripgrep", "tantivy", "numpy")),
        "build": build_speed(index),
        "timings_us": {},
        "counts_agree": {},
    }
    timings = result["timings_us"]
    literals = [questions.literal() for _ in range(args.questions)]
    regexes = [questions.regex() for _ in range(args.questions // 3)]
    words = [questions.words() for _ in range(args.questions)]
    timings["literal"] = timed(lambda text: index.grep(text, limit=PAGE), literals)
    timings["regex, first 100"] = timed(
        lambda text: index.grep(text, regex=True, limit=PAGE, exact_total=False), regexes
    )
    timings["regex, all"] = timed(lambda text: index.grep(text, regex=True), regexes[:SLOW_QUESTIONS])
    timings["words"] = timed(lambda text: index.search(text, modalities=["text"], content="all", limit=10), words)
    for name, peer in peers(args.corpus, index, index_dir).items():
        for kind, asked in (("literal", literals), ("regex, all", regexes), ("words", words)):
            ask = peer.get(kind)
            if ask is not None:
                few = asked if peer.get("fast") else asked[:SLOW_QUESTIONS]
                timings[f"{kind}, {name}"] = timed(ask, few)
                if kind != "words":
                    result["counts_agree"][f"{kind}, {name}"] = agreement(index, ask, few, kind != "literal")
    report(result)
    if args.output:
        args.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


def timed(ask: Callable[[str], object], questions: list[str]) -> dict[str, float]:
    """Return median, 99th percentile and mean of one call in CPU microseconds, and the median in wall time.

    CPU time counts this process and the programs it runs, in all their threads; on a shared machine wall time also holds
    what others did.
    """
    for text in questions:
        ask(text)
    cpu, wall = [], []
    for text in questions:
        before, started = os.times(), time.perf_counter_ns()
        own = time.process_time_ns()
        ask(text)
        own = time.process_time_ns() - own
        wall.append((time.perf_counter_ns() - started) / 1e3)
        after = os.times()
        children = after.children_user + after.children_system - before.children_user - before.children_system
        cpu.append(own / 1e3 + children * 1e6)
    return {
        "median": statistics.median(cpu),
        "p99": float(np.percentile(cpu, 99)),
        "mean": statistics.fmean(cpu),
        "wall_median": statistics.median(wall),
        "questions": len(cpu),
    }


class Questions:
    """Draws questions from the text of a corpus."""

    def __init__(self, corpus: Path, index: Any, rng: random.Random) -> None:
        self.rng = rng
        self.corpus = corpus
        self.paths = [row.path for row in index.files() if row.indexed and row.size > 200]

    def line(self) -> str:
        """Return a line with some words, without what stands around it."""
        while True:
            data = (self.corpus / self.rng.choice(self.paths)).read_bytes()
            at = self.rng.randrange(len(data))
            start = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            try:
                text = data[start : end if end >= 0 else len(data)].decode().strip()
            except UnicodeDecodeError:
                continue
            if 12 <= len(text) <= 200 and len(re.findall(r"[A-Za-z]{3,}", text)) >= 2 and "\0" not in text:
                return text

    def literal(self) -> str:
        """Return 10 to 60 characters of a line."""
        text = self.line()
        size = min(self.rng.randint(10, 60), len(text))
        start = self.rng.randint(0, len(text) - size)
        return text[start : start + size]

    def regex(self) -> str:
        """Return a pattern of one of the shapes that people type."""
        names = re.findall(r"[A-Za-z_][A-Za-z0-9_]{2,}", self.line())
        others = re.findall(r"[A-Za-z_][A-Za-z0-9_]{2,}", self.line())
        one, two, three = (names * 3)[0], (names * 3)[1], (others * 3)[0]
        return self.rng.choice(
            [
                rf"\b{one}\b",
                rf"{one}\s*\(",
                rf"{one}.*{two}",
                rf"({one}|{three})\s*[=(]",
                rf"(?i){one}\w*",
                rf"^\s*(def|func|static|class)\s.*{one}",
                rf"{one}[._]\w+",
                rf"{one[:4]}\w+{two[-3:]}\b",
                rf"\b{one}\s+{two}\b",
                rf"{one}\(.*\)$",
                rf"(?i)\b(error|warning)\b.*{one}",
                rf"{one[:3]}[a-z]+_?{two}",
            ]
        )

    def words(self) -> str:
        """Return two to five words."""
        found = re.findall(r"[A-Z]?[a-z]{3,}", self.line() + " " + self.line())
        return " ".join(self.rng.sample(found, min(len(found), self.rng.randint(2, 5)))).lower()


def build_speed(index: Any) -> dict[str, float]:
    """Return the seconds and the megabytes a second of building the two text indexes."""
    from quatrain._kernels import terms, trigrams

    view = index._current()
    content, offsets = view.documents.contents, view.documents.content_offsets
    size = int(offsets[-1]) / 1e6
    started = time.perf_counter()
    _, posting_offsets, ids = trigrams.postings(content, offsets)
    trigrams.serialize(posting_offsets, ids)
    trigram_seconds = time.perf_counter() - started
    base = offsets[view.chunks.files.astype(np.int64)]
    body = (content, base + view.chunks.start_bytes, base + view.chunks.end_bytes, 1.0, 0.6)
    started = time.perf_counter()
    terms.postings([body], 6.0)
    term_seconds = time.perf_counter() - started
    return {
        "megabytes": size,
        "trigram_seconds": trigram_seconds,
        "trigram_mb_per_second": size / trigram_seconds,
        "term_seconds": term_seconds,
        "term_mb_per_second": size / term_seconds,
    }


# --- other programs --------------------------------------------------------------------------------------------------


def peers(corpus: Path, index: Any, index_dir: Path) -> dict[str, dict[str, Any]]:
    """Return how to ask each other program that is installed, by kind of question."""
    found: dict[str, dict[str, Any]] = {}
    rg = find_program("rg")
    if rg:
        base = [rg, "--no-config", "-uu", "-n", "--no-heading", "--color", "never"]
        found["ripgrep"] = {
            "literal": lambda text, **more: count_lines([*base, "-a", "-F", "-e", text, "."], corpus, **more),
            "regex, all": lambda text, **more: count_lines([*base, "-a", "-e", text, "."], corpus, **more),
        }
    if find_program("csearch") and find_program("cindex"):
        store = index_dir.with_name(index_dir.name + ".csearch")
        environment = {**os.environ, "CSEARCHINDEX": str(store)}
        if not store.exists():
            subprocess.run(["cindex", str(corpus.resolve())], env=environment, check=True, capture_output=True)
        found["codesearch"] = {
            "fast": True,
            "literal": lambda text, **more: count_lines(["csearch", "-n", escape(text)], corpus, environment, **more),
            "regex, all": lambda text, **more: count_lines(["csearch", "-n", text], corpus, environment, **more),
        }
    try:
        found["tantivy"] = {"fast": True, "words": tantivy_search(index)}
    except ImportError:
        print("tantivy is not installed: pip install tantivy")
    for name in ("ripgrep", "codesearch"):
        if name not in found:
            print(f"{name} is not installed and is left out")
    return found


def find_program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=os.path.dirname(sys.executable))


def escape(text: str) -> str:
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", text)


def count_lines(
    command: list[str], folder: Path, environment: dict[str, str] | None = None, known: frozenset[bytes] | None = None
) -> int | None:
    """Run a program and count the lines it prints, of all files or of those known; None when it refuses the question."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    if done.returncode == 2 or known is None:
        return None if done.returncode == 2 else done.stdout.count(b"\n")
    prefix = os.fsencode(folder.resolve()) + b"/"
    paths = (row.split(b":", 1)[0].removeprefix(b"./").removeprefix(prefix) for row in done.stdout.split(b"\n"))
    return sum(path in known for path in paths)


def tantivy_search(index: Any) -> Callable[[str], object]:
    """Index the same chunks with tantivy and return its search for the best ten."""
    import tantivy

    view = index._current()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", stored=False, tokenizer_name="en_stem")
    builder.add_unsigned_field("chunk", stored=True)
    store = tantivy.Index(builder.build())
    writer = store.writer(256_000_000)
    content, offsets = view.documents.contents, view.documents.content_offsets
    base = offsets[view.chunks.files.astype(np.int64)]
    spans = zip((base + view.chunks.start_bytes).tolist(), (base + view.chunks.end_bytes).tolist(), strict=True)
    for number, (start, end) in enumerate(spans):
        text = content[start:end].tobytes().decode("utf-8", "replace")
        writer.add_document(tantivy.Document(body=text, chunk=number))
    writer.commit()
    store.reload()
    searcher = store.searcher()

    def ask(text: str) -> object:
        query = store.parse_query(text, ["body"])
        return [searcher.doc(address)["chunk"] for _, address in searcher.search(query, 10).hits]

    return ask


def agreement(index: Any, ask: Callable[..., int | None], questions: list[str], regex: bool) -> str:
    """Return for how many questions both programs list as many lines of the indexed files."""
    known = frozenset(os.fsencode(row.path) for row in index.files() if row.indexed)
    same = 0
    for text in questions:
        try:
            own: int | None = index.grep(text, regex=regex, limit=1).total
        except BadQuery:
            own = None
        same += own == ask(text, known=known)
    return f"{same}/{len(questions)}"


def compare_hits(corpus: Path, index: Any, questions: Questions, count: int) -> int:
    """Compare sets of (path, line) with ripgrep; return 1 when any differs."""
    rg = find_program("rg")
    if rg is None:
        print("ripgrep is not installed: pip install ripgrep==14.1.0")
        return 2
    known = set(questions.paths)
    differing = 0
    for number in range(count):
        regex = number % 4 == 3
        text = questions.regex() if regex else questions.literal()
        command = [rg, "--no-config", "-uu", "-a", "-n", "-0", "--no-heading", "--color", "never"]
        command += ["-e", text, "."] if regex else ["-F", "-e", text, "."]
        output = subprocess.run(command, cwd=corpus, capture_output=True, check=False).stdout
        rows = (row.split(b"\0", 1) for row in output.split(b"\n") if b"\0" in row)
        theirs = {(os.fsdecode(p.removeprefix(b"./")), int(rest.split(b":", 1)[0])) for p, rest in rows}
        ours = {(hit.path, hit.line) for hit in index.grep(text, regex=regex).hits}
        if {row for row in ours ^ theirs if row[0] in known}:
            differing += 1
            print(f"differs: {text!r} (regex: {regex}) ours {len(ours)}, ripgrep {len(theirs)}")
    print(f"{count - differing} of {count} questions have the same lines")
    return int(differing > 0)


def report(result: dict[str, Any]) -> None:
    """Print the table."""
    print(
        f"{result['corpus']}: {result['files']:,} files, {result['bytes'] / 1e6:.1f} MB; load {result['machine']['load']}"
    )
    build = result["build"]
    print(f"trigram postings {build['trigram_seconds']:.2f} s ({build['trigram_mb_per_second']:.0f} MB/s), ", end="")
    print(f"term postings {build['term_seconds']:.2f} s ({build['term_mb_per_second']:.0f} MB/s)")
    print(f"{'CPU us':32}{'median':>12}{'p99':>12}{'mean':>12}{'wall median':>13}   n")
    for name, row in result["timings_us"].items():
        target = TARGETS.get(name)
        note = f"   target {target[0]:,.0f}" + (f" / p99 {target[1]:,.0f}" if target[1] else "") if target else ""
        print(
            f"{name:32}{row['median']:12,.0f}{row['p99']:12,.0f}{row['mean']:12,.0f}{row['wall_median']:13,.0f}   {row['questions']}{note}"
        )
    own, theirs = result["timings_us"].get("regex, all"), result["timings_us"].get("regex, all, ripgrep")
    if own and theirs:
        print(f"exhaustive regexes: {theirs['median'] / own['median']:.0f} times as fast as ripgrep at the median")
    for name, share in result["counts_agree"].items():
        print(f"same number of lines: {name}: {share}")
