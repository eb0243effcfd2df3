"""Options that several verbs share, and the parser that reports a mistake in one line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from quatrain.errors import BadQuery

__all__ = [
    "VerbParser",
    "add_filters",
    "add_index_options",
    "add_limit",
    "add_output",
    "add_root",
    "filters_of",
    "positive",
    "split_commas",
    "weights_of",
]


class VerbParser(argparse.ArgumentParser):
    """The parser of one verb: options may stand anywhere, abbreviations are refused, an error is one line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=_Formatter, add_help=False, **options)
        self._literals: dict[str, str] = {}
        self._strange = False  # whether a word looks like an option and is none
        self.add_argument("-h", "--help", action="help", help="Show this help.")

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Return the arguments; options and positional arguments may be mixed."""
        # What follows "--" is positional whatever it looks like, which argparse forgets when it parses mixed arguments.
        words = list(words)
        if "--" in words:
            split = words.index("--")
            self._literals = {f"\0{number}\0": word for number, word in enumerate(words[split + 1 :])}
            words = [*words[:split], *self._literals]
        known = self._option_string_actions
        self._strange = any(word[:1] == "-" and word.partition("=")[0] not in known for word in words)
        arguments = self.parse_intermixed_args(words)
        for name, value in vars(arguments).items():
            if isinstance(value, str):
                setattr(arguments, name, self._literals.get(value, value))
        return arguments

    def error(self, message: str) -> NoReturn:
        """Print one line and leave with status 2."""
        for placeholder, word in self._literals.items():
            message = message.replace(placeholder, word)
        lost = self._strange and ("required: " in message or "unrecognized arguments: -" in message)
        hint = f"see `{self.prog} --help`" + ("; put -- before a query that begins with a dash" if lost else "")
        self.exit(2, f"{self.prog}: {' '.join(message.split())}; {hint}\n")


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32)


def positive(text: str) -> int:
    """Return a whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def natural(text: str) -> int:
    """Return a whole number of at least 0."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return number


def split_commas(values: Sequence[str] | None) -> list[str] | None:
    """Return the items of a repeatable option whose values may be lists with commas, or None if it was not given."""
    if not values:
        return None
    return [item for value in values for item in (part.strip() for part in value.split(",")) if item]


def add_root(parser: argparse.ArgumentParser) -> None:
    """Add the folder to search."""
    parser.add_argument(
        "root", metavar="PATH", nargs="?", default=None, help="The folder to search (default: the current one)."
    )


def add_output(parser: argparse.ArgumentParser, *, whole: bool = True, lines: bool = True) -> None:
    """Add the forms of output: as a whole, line by line."""
    group = parser.add_argument_group("output")
    form = group.add_mutually_exclusive_group()
    if whole:
        form.add_argument("--json", action="store_true", help="Print the whole answer as one JSON document.")
    if lines:
        form.add_argument("--jsonl", action="store_true", help="Print each result as one line of JSON.")
    group.add_argument(
        "--color", "--colour", dest="colour", choices=("auto", "always", "never"), default="auto",
        help="When to use colour (default: auto, on a terminal without NO_COLOR).",
    )  # fmt: skip


def add_index_options(parser: argparse.ArgumentParser, *, refresh: bool = True) -> None:
    """Add where the index lives and what it is made with."""
    group = parser.add_argument_group("index")
    group.add_argument(
        "--index-dir", metavar="DIR", help="Where the index lives (default: the user's cache directory)."
    )
    group.add_argument(
        "--embedder", metavar="NAME",
        help="What makes the vectors: bundled (offline), voyage (sends text to its service; voyage/MODEL/int8/DIMENSIONS asks for questions "
        "as 8-bit integers) or none "
        "(default: what the index has, bundled for a new one).",
    )  # fmt: skip
    if refresh:
        group.add_argument(
            "--no-refresh", dest="refresh", action="store_false",
            help="Answer from the index as it is, without looking for changed files.",
        )  # fmt: skip


def add_limit(parser: argparse.ArgumentParser, default: int | None, what: str) -> None:
    """Add the largest number of results."""
    shown = "all" if default is None else str(default)
    parser.add_argument(
        "-n", "--limit", metavar="N", type=positive, default=default, help=f"Show at most N {what} (default: {shown})."
    )


def add_filters(parser: argparse.ArgumentParser, *, kinds: bool = True, content: str = "code") -> None:
    """Add what restricts the files and definitions that may answer."""
    group = parser.add_argument_group("filters")
    group.add_argument(
        "-l",
        "--lang",
        metavar="NAME",
        action="append",
        help="Only this language, e.g. python or ts (repeatable, or with commas).",
    )
    group.add_argument(
        "-p",
        "--path",
        metavar="GLOB",
        action="append",
        help="Only paths that match, e.g. 'src/**'; a leading ! excludes (repeatable).",
    )
    if kinds:
        group.add_argument(
            "-k",
            "--kind",
            metavar="KIND",
            action="append",
            help="Only this kind of definition, e.g. class (repeatable, or with commas).",
        )
    group.add_argument(
        "--content",
        choices=("code", "docs", "config", "all"),
        default=content,
        help=f"Which files to look in (default: {content}).",
    )


def filters_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the filters as the keyword arguments of the library."""
    from quatrain.files.languages import resolve_languages

    languages = split_commas(arguments.lang)
    found: dict[str, Any] = {
        "languages": list(resolve_languages(languages)) if languages else None,
        "paths": arguments.path,
        "content": arguments.content,
    }
    if "kind" in arguments:
        found["kinds"] = split_commas(arguments.kind)
    return found


def weights_of(values: Sequence[str] | None) -> dict[str, float] | None:
    """Return modality weights from ``text=0.5,graph=0.5``."""
    items = split_commas(values)
    if items is None:
        return None
    weights = {}
    for item in items:
        name, equals, number = item.partition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise BadQuery(f"--weights takes MODALITY=NUMBER, e.g. text=0.5,graph=0.5; {item!r} is not of that form")
    return weights
