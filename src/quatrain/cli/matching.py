"""The verbs that list every match: grep, ast, duplicates."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import TYPE_CHECKING, Any

from quatrain.cli.answers import Place, emit, open_index, tell
from quatrain.cli.options import (
    add_filters,
    add_index_options,
    add_limit,
    add_output,
    add_root,
    filters_of,
    natural,
    positive,
)
from quatrain.cli.terminal import Painter

if TYPE_CHECKING:
    from quatrain.records import GrepHit

__all__ = ["ast", "ast_arguments", "duplicates", "duplicates_arguments", "grep", "grep_arguments"]


def grep_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``grep``."""
    parser.add_argument(
        "pattern", metavar="PATTERN", help="The characters to find, as they are (a regular expression with -E)."
    )
    add_root(parser)
    parser.add_argument("-E", "--regex", action="store_true", help="Read PATTERN as a regular expression.")
    parser.add_argument("-i", "--ignore-case", action="store_true", help="Take upper and lower case as equal.")
    parser.add_argument(
        "-S", "--smart-case", action="store_true", help="Ignore case unless PATTERN has a capital letter."
    )
    parser.add_argument("-W", "--word", action="store_true", help="Only whole words.")
    parser.add_argument("-U", "--multiline", action="store_true", help="Let a match run over several lines.")
    parser.add_argument(
        "-C", "--context", metavar="N", type=natural, default=0, help="Show N lines before and after (default: 0)."
    )
    add_limit(parser, None, "lines")
    parser.add_argument("--cursor", metavar="TEXT", help="Go on where an answer with this cursor ended.")
    parser.add_argument(
        "--files", dest="only_files", action="store_true", help="Print each file once, without its lines."
    )
    parser.add_argument("--count", action="store_true", help="Print the number of matching lines of each file.")
    parser.add_argument("--column", action="store_true", help="Print the column of the first match, too.")
    add_filters(parser, kinds=False, content="all")
    add_output(parser)
    add_index_options(parser)


def grep(arguments: Namespace) -> int:
    """Find every line that matches."""
    index = open_index(arguments)
    options: dict[str, Any] = filters_of(arguments)
    for name, wanted in (
        ("smart_case", arguments.smart_case),
        ("whole_word", arguments.word),
        ("multiline", arguments.multiline),
    ):
        if wanted:
            options[name] = True
    response = index.grep(
        arguments.pattern,
        regex=arguments.regex,
        ignore_case=arguments.ignore_case,
        limit=arguments.limit,
        cursor=arguments.cursor,
        context=arguments.context,
        **options,
    )

    def show(painter: Painter, place: Place) -> None:
        if arguments.only_files or arguments.count:
            for path, count in Counter(hit.path for hit in response.hits).items():
                print(painter.paint("path", place(path)) + (f":{count}" if arguments.count else ""))
        else:
            highlight = _highlighter(painter, arguments)
            for number, hit in enumerate(response.hits):
                if number and arguments.context:
                    print(painter.paint("weak", "--"))
                _show_line(painter, place, hit, highlight, arguments.column)
        if response.truncated:
            more = f"; --cursor {shlex.quote(response.cursor)} goes on" if response.cursor else ""
            tell(f"{len(response.hits)} of {response.total} matching lines are shown{more}")

    return emit(arguments, response, response.hits, show)


def ast_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``ast``."""
    parser.add_argument(
        "query", metavar="QUERY",
        help="A tree-sitter query, e.g. '(call function: (identifier) @f)'; with --pattern an example, e.g. 'open($X, ...)'.",
    )  # fmt: skip
    parser.add_argument(
        "--pattern",
        action="store_true",
        help="Read QUERY as an example: $NAME is any node, ... is any number of siblings.",
    )
    add_root(parser)
    parser.add_argument(
        "-l", "--lang", metavar="NAME", required=True, help="The language whose grammar the query is written for."
    )
    add_limit(parser, 100, "matches")
    add_output(parser)
    add_index_options(parser)


def ast(arguments: Namespace) -> int:
    """Find syntax."""
    from quatrain.files.languages import resolve_languages

    languages = resolve_languages([arguments.lang])
    language = arguments.lang if arguments.lang in languages else languages[-1]
    index: Any = open_index(arguments)
    response = index.ast(arguments.query, language=language, pattern=arguments.pattern, limit=arguments.limit)

    def show(painter: Painter, place: Place) -> None:
        for hit in response.hits:
            where = f"{painter.paint('path', place(hit.path))}:{painter.paint('line', str(_line_of(hit)))}"
            captures = getattr(hit, "captures", None)
            named = ""
            if isinstance(captures, dict):
                named = "  " + painter.paint("weak", ", ".join(f"@{name} {text}" for name, text in captures.items()))
            print(f"{where}: {painter.fit(getattr(hit, 'text', '').split(chr(10))[0].strip(), 0)}{named}")
        if response.truncated:
            tell(f"{len(response.hits)} of {response.total} matches are shown; --limit shows more")

    return emit(arguments, response, response.hits, show)


def duplicates_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``duplicates``."""
    add_root(parser)
    parser.add_argument(
        "--similarity", metavar="X", type=float, default=0.8,
        help="Least agreement of the tokens of two places, above 0 and at most 1 (default: 0.8).",
    )  # fmt: skip
    parser.add_argument(
        "--distance", metavar="X", type=float, default=0.2,
        help="Share of the bits in which two embeddings may differ; more misses less and takes longer (default: 0.2).",
    )  # fmt: skip
    parser.add_argument(
        "--min-tokens", metavar="N", type=positive, default=50, help="Pass over shorter pieces (default: 50 tokens)."
    )
    parser.add_argument("--other-files", action="store_true", help="Leave out repetition within one file.")
    add_limit(parser, 100, "groups")
    parser.add_argument("--cursor", metavar="TEXT", help="Go on where an answer with this cursor ended.")
    add_filters(parser, kinds=False)
    add_output(parser)
    add_index_options(parser)


def duplicates(arguments: Namespace) -> int:
    """Find repeated code."""
    response = open_index(arguments).duplicates(
        similarity=arguments.similarity,
        distance=arguments.distance,
        min_tokens=arguments.min_tokens,
        include_own_file=not arguments.other_files,
        limit=arguments.limit,
        cursor=arguments.cursor,
        **filters_of(arguments),
    )

    def show(painter: Painter, place: Place) -> None:
        for group in response.groups:
            of = f"{len(group.members)} places, {group.tokens} tokens, similarity {group.similarity:.2f}"
            for number, member in enumerate(group.members):
                where = f"{painter.paint('path', place(member.path))}:{painter.paint('line', str(member.start_line))}"
                name = painter.paint("name", member.symbol) + "  " if member.symbol else ""
                said = painter.paint("weak", f"  {of}") if not number else ""
                print(f"{where}: {name}to line {member.end_line}{said}")
            print()
        if not response.groups and response.status == "no_match":
            tell("nothing is repeated; a lower --similarity or --min-tokens may find more")
        elif response.truncated:
            tell(f"{len(response.groups)} of {response.total} groups are shown; --cursor {response.cursor} goes on")

    return emit(arguments, response, response.groups, show)


def _line_of(hit: Any) -> int:
    return int(hit.line if hasattr(hit, "line") else hit.start_line)


def _highlighter(painter: Painter, arguments: Namespace) -> re.Pattern[str] | None:
    """Return what to colour in a line; a pattern that Python reads otherwise is simply not coloured."""
    if not painter.colour:
        return None
    pattern = arguments.pattern if arguments.regex else re.escape(arguments.pattern)
    ignore = arguments.ignore_case or (arguments.smart_case and arguments.pattern == arguments.pattern.lower())
    try:
        return re.compile(rf"\b(?:{pattern})\b" if arguments.word else pattern, re.IGNORECASE if ignore else 0)
    except re.error:
        return None


def _show_line(painter: Painter, place: Place, hit: GrepHit, highlight: re.Pattern[str] | None, column: bool) -> None:
    path = painter.paint("path", place(hit.path))
    first = hit.line - len(hit.before)
    for number, line in enumerate(hit.before, first):
        print(f"{path}-{painter.paint('line', str(number))}-{painter.fit(line)}")
    at = f":{hit.column}" if column else ""
    print(f"{path}:{painter.paint('line', str(hit.line))}{at}:{_coloured(painter, hit.text, highlight)}")
    for number, line in enumerate(hit.after, hit.line + 1):
        print(f"{path}-{painter.paint('line', str(number))}-{painter.fit(line)}")


def _coloured(painter: Painter, text: str, highlight: re.Pattern[str] | None) -> str:
    if highlight is None:
        return painter.safe(text)
    shown, end = [], 0
    for match in highlight.finditer(text):
        if match.end() > match.start():
            shown += [painter.safe(text[end : match.start()]), painter.paint("match", match[0])]
            end = match.end()
    return "".join([*shown, painter.safe(text[end:])])
