"""The command line: ``quatrain VERB ...``.

A verb is found in a table and only its module is imported, so that starting costs no more than the verb needs.  Exit
codes: 0 something was found, 1 nothing was found, 2 the question could not be answered (one line on standard error, no
traceback unless ``QUATRAIN_DEBUG=1``).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["main"]


class _Verb(NamedTuple):
    module: str  # it has the functions <verb>_arguments(parser) and <verb>(arguments) -> exit code
    summary: str


#: Every verb, in the order of the help.  A new one needs a line here and a module with its two functions.
VERBS = {
    "search": _Verb("quatrain.cli.searching", "Answer a question about the code; builds the index if there is none."),
    "symbol": _Verb("quatrain.cli.lookups", "Find the definitions of a name."),
    "refs": _Verb("quatrain.cli.lookups", "Find every use of a symbol."),
    "callers": _Verb("quatrain.cli.lookups", "Find who calls a symbol."),
    "callees": _Verb("quatrain.cli.lookups", "Find what a symbol calls."),
    "impact": _Verb("quatrain.cli.lookups", "Find what may break when a symbol, a file or what you edited changes."),
    "path": _Verb("quatrain.cli.lookups", "Find how one symbol or file comes to use another."),
    "cycles": _Verb("quatrain.cli.lookups", "Find files that import, or functions that call, each other in a circle."),
    "hubs": _Verb("quatrain.cli.lookups", "List what most of the code depends on."),
    "graph": _Verb("quatrain.cli.picturing", "Draw the callers and callees of a symbol on a page to click."),
    "similar": _Verb("quatrain.cli.searching", "Find code that resembles FILE:LINE."),
    "duplicates": _Verb("quatrain.cli.matching", "Find code that is repeated, word for word or nearly so."),
    "grep": _Verb("quatrain.cli.matching", "Find every line with a string or a regular expression."),
    "ast": _Verb("quatrain.cli.matching", "Find syntax with a tree-sitter query."),
    "classify": _Verb("quatrain.cli.searching", "Say what kind of question a query is."),
    "index": _Verb("quatrain.cli.indexing", "Index a folder, or bring its index up to date."),
    "watch": _Verb("quatrain.cli.indexing", "Keep an index up to date while files change (extra: watch)."),
    "status": _Verb("quatrain.cli.indexing", "Say what is indexed, how, and what is left out."),
    "check": _Verb("quatrain.cli.indexing", "Verify the index on disk."),
    "eval": _Verb("quatrain.cli.evaluating", "Score the engine on judged questions."),
    "mcp": _Verb("quatrain.cli.serving", "Serve a folder to agents over the Model Context Protocol."),
}

_EPILOG = """\
Exit codes: 0 something was found, 1 nothing was found, 2 the question could not be answered.
Environment: QUATRAIN_CACHE_DIR (where indexes live), NO_COLOR, QUATRAIN_DEBUG=1 (show tracebacks), QUATRAIN_CPU
(kernel level).

Examples:
  quatrain search "how does authentication work"
  quatrain search "who calls parse_cookie" ~/src/django --explain
  quatrain grep "CSRF cookie not set" --json
  quatrain impact BaseHandler --depth 2
`quatrain VERB --help` explains the options of a verb."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments without the program's name; by default those of the process.

    Returns
    -------
    int
        0 something was found, 1 nothing was found, 2 error.

    Examples
    --------
    >>> main(["classify", "who calls parse_cookie"])
    find_references  0.90  callers
    0
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _dispatch(words)
    except BrokenPipeError:
        # Whoever read our output has seen enough.  Python would complain once more when it flushes at exit.
        _abandon_output()
        return 0
    except KeyboardInterrupt:
        print("quatrain: interrupted", file=sys.stderr)
        return 130
    except SystemExit as stop:  # argparse: --help, --version and usage errors
        return stop.code if isinstance(stop.code, int) else 2
    except Exception as error:
        if os.environ.get("QUATRAIN_DEBUG") == "1":
            raise
        print(f"quatrain: {_one_line(error)}", file=sys.stderr)
        return 2


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        if len(words) > 1 and words[1] in VERBS:
            return _dispatch([words[1], "--help"])
        print(_overview())
        return 0 if words else 2
    if words[0] in ("-V", "--version"):
        import quatrain

        print(f"quatrain {quatrain.__version__}")
        return 0
    name, *rest = words
    if name not in VERBS:
        return _unknown(name)
    import importlib

    from quatrain.cli.options import VerbParser
    from quatrain.cli.terminal import prepare_streams

    prepare_streams()
    module = importlib.import_module(VERBS[name].module)
    parser = VerbParser(prog=f"quatrain {name}", description=VERBS[name].summary)
    getattr(module, f"{name}_arguments")(parser)
    code: int = getattr(module, name)(parser.parse(rest))
    sys.stdout.flush()
    return code


def _overview() -> str:
    width = max(map(len, VERBS))
    lines = [
        "usage: quatrain VERB [options]",
        "",
        "Multi-modal code search: meaning, text, structure and dependencies, fused into one ranked answer.",
        "",
        "Verbs:",
        *(f"  {name:<{width}}  {verb.summary}" for name, verb in VERBS.items()),
        "",
        "Options:",
        f"  {'-h, --help':<{width + 6}}  Show this help.",
        f"  {'-V, --version':<{width + 6}}  Show the version.",
        "",
        _EPILOG,
    ]
    return "\n".join(lines)


def _unknown(name: str) -> int:
    import difflib

    if name.startswith("-"):
        hint = "options follow the verb: quatrain VERB --option"
    elif near := difflib.get_close_matches(name, VERBS, n=1):
        hint = f"did you mean `quatrain {near[0]}`?"
    else:
        hint = f"to search for it: quatrain search {name!r}"
    print(f"quatrain: there is no verb {name!r}; {hint}", file=sys.stderr)
    return 2


def _one_line(error: Exception) -> str:
    from quatrain.cli.terminal import printable
    from quatrain.errors import QuatrainError

    text = " ".join(str(error).split())
    if not isinstance(error, QuatrainError):
        text = f"{type(error).__name__}: {text}; set QUATRAIN_DEBUG=1 to see where"
    return printable(text)


def _abandon_output() -> None:
    try:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, sys.stdout.fileno())
        os.close(sink)
    except (OSError, ValueError, AttributeError):
        pass
