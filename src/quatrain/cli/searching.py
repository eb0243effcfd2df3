"""The verbs that rank: search, similar, classify."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from quatrain.cli.answers import Place, emit, open_index, print_json, tell
from quatrain.cli.options import (
    add_filters,
    add_index_options,
    add_limit,
    add_output,
    add_root,
    filters_of,
    natural,
    positive,
    split_commas,
    weights_of,
)
from quatrain.cli.terminal import Painter
from quatrain.errors import BadPath

if TYPE_CHECKING:
    from quatrain.records import Hit, SearchResponse

__all__ = ["classify", "classify_arguments", "search", "search_arguments", "similar", "similar_arguments"]

_SHOWN_LINES = 6


def search_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``search``."""
    parser.add_argument(
        "query", metavar="QUERY", help='A question, a name or a "quoted string"; lang:, path: and kind: in it filter.'
    )
    add_root(parser)
    add_limit(parser, 10, "results")
    add_filters(parser)
    group = parser.add_argument_group("how to search")
    group.add_argument(
        "--preset", choices=("quick", "default", "thorough"), default="default",
        help="quick: meaning alone; default: meaning, text and structure; thorough: the graph, too.",
    )  # fmt: skip
    group.add_argument(
        "-m",
        "--modalities",
        metavar="LIST",
        action="append",
        help="Exactly these: semantic, text, structural, graph (with commas).",
    )
    group.add_argument(
        "-w",
        "--weights",
        metavar="LIST",
        action="append",
        help="Weights instead of the intent's, e.g. text=0.5,semantic=0.5.",
    )
    group.add_argument(
        "--per-file", metavar="N", type=positive, default=1, help="Show at most N places of one file (default: 1)."
    )
    group.add_argument(
        "--no-evidence", dest="evidence", action="store_false", help="Rank by the pure fusion formula alone."
    )
    group.add_argument(
        "--centrality",
        choices=("raw", "scaled"),
        default="raw",
        help="The scale of the centrality boost (default: raw PageRank).",
    )
    group.add_argument("--max-tokens", metavar="N", type=positive, help="Shorten the answer to about N tokens.")
    _add_snippets(parser)
    add_index_options(parser)


def search(arguments: Namespace) -> int:
    """Answer a question."""
    index = open_index(arguments)
    options: dict[str, Any] = {
        "preset": arguments.preset,
        "modalities": split_commas(arguments.modalities),
        "weights": weights_of(arguments.weights),
        "limit": arguments.limit,
        "max_tokens": arguments.max_tokens,
        "per_file": arguments.per_file,
        "evidence": arguments.evidence,
        "centrality": arguments.centrality,
        **filters_of(arguments),
    }
    return _answer(arguments, index, index.search(arguments.query, **options))


def similar_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``similar``."""
    parser.add_argument("place", metavar="FILE:LINE", help="A line of an indexed file.")
    add_root(parser)
    add_limit(parser, 10, "results")
    parser.add_argument("--own-file", action="store_true", help="Also show other places of the same file.")
    parser.add_argument(
        "--content",
        choices=("code", "docs", "config", "all"),
        default="code",
        help="Which files to look in (default: code).",
    )
    _add_snippets(parser)
    add_index_options(parser)


def similar(arguments: Namespace) -> int:
    """Find code that resembles a place."""
    path, line = _place_of(arguments.place)
    index = open_index(arguments)
    here = os.path.abspath(path)
    # A file named from here is that file, even if the root has another one of that relative name.
    if os.path.lexists(here):
        below = os.path.relpath(os.path.realpath(here), os.path.realpath(arguments.root or "."))
        if not below.startswith(os.pardir):
            path = below.replace(os.sep, "/")
    options = {"limit": arguments.limit, "include_own_file": arguments.own_file, "content": arguments.content}
    return _answer(arguments, index, index.similar(path, line, **options))


def classify_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``classify``."""
    parser.add_argument("query", metavar="QUERY", help="The query.")
    parser.add_argument(
        "--explain", action="store_true", help="Show what a search would do: weights, modalities, subjects."
    )
    parser.add_argument(
        "--preset", choices=("quick", "default", "thorough"), default="default", help="The preset to explain."
    )
    add_output(parser, lines=False)


def classify(arguments: Namespace) -> int:
    """Say what kind of question a query is."""
    import quatrain

    intent = quatrain.classify(arguments.query)
    plan = _plan_of(arguments.query, arguments.preset) if arguments.explain else {}
    if arguments.json:
        print_json({**intent.to_dict(), **plan})
        return 0
    painter = Painter(sys.stdout, arguments.colour)
    print(f"{painter.paint('name', intent.name)}  {intent.confidence:.2f}  {painter.safe(intent.rule)}")
    for name, value in plan.items():
        print(f"  {name:<11} {painter.safe(_words(value))}")
    if arguments.explain:
        from quatrain.query.intent import explain

        print("  rules looked at, in order:")
        for verdict in explain(arguments.query):
            fired = painter.paint("name", "fired") if verdict.fired else "no   "
            print(
                f"    {fired}  {verdict.rule:<22} {verdict.intent} {verdict.confidence:.2f}  {painter.safe(verdict.reason)}"
            )
    return 0


def _add_snippets(parser: ArgumentParser) -> None:
    add_output(parser)
    group = parser.add_argument_group("results as text")
    group.add_argument(
        "--lines",
        metavar="N",
        type=natural,
        default=_SHOWN_LINES,
        help=f"Show N lines of each result (default: {_SHOWN_LINES}).",
    )
    group.add_argument(
        "--explain", action="store_true", help="Show the rule that fired, the weights and the arithmetic of each score."
    )


def _answer(arguments: Namespace, index: Any, response: SearchResponse) -> int:
    extra = {"explanation": [index.explain(hit) for hit in response.hits]} if arguments.explain else None

    def show(painter: Painter, place: Place) -> None:
        if arguments.explain:
            _show_plan(painter, response)
        for number, hit in enumerate(response.hits):
            if number and (arguments.lines or arguments.explain):
                print()
            _show_hit(painter, place, hit, arguments.lines)
            if arguments.explain:
                for line in index.explain(hit):
                    print(f"    {painter.paint('weak', line)}")
        if not response.hits:
            tell("nothing found")
        elif response.truncated:
            tell(f"{len(response.hits)} of {response.total} results are shown; --limit shows more")

    return emit(arguments, response, response.hits, show, extra)


def _show_plan(painter: Painter, response: SearchResponse) -> None:
    ran = ", ".join(response.modalities) or "nothing"
    weights = ", ".join(f"{name} {value:.3f}" for name, value in response.weights.items()) or "none"
    times = ", ".join(f"{stage} {us / 1000:.2f} ms" for stage, us in response.timings_us.items())
    print(f"intent    {painter.paint('name', response.intent)} {response.confidence:.2f}")
    print(f"rule      {painter.safe(response.rule)}")
    print(f"strategy  {response.fusion_strategy}, preset {response.preset}, ran {ran}")
    print(f"weights   {weights}")
    if times:
        print(f"time      {times}")
    print()


def _show_hit(painter: Painter, place: Place, hit: Hit, lines: int) -> None:
    what = " ".join(filter(None, (hit.kind, hit.symbol))) or hit.language or ""
    ranks = ", ".join(f"{modality} #{rank + 1}" for modality, (rank, _) in hit.sources.items())
    mark = f"  {painter.paint('warning', hit.mark)}" if hit.mark else ""
    where = f"{painter.paint('path', place(hit.path))}:{painter.paint('line', str(hit.start_line))}"
    print(
        f"{where}: {painter.paint('name', what)}  {painter.paint('weak', f'{hit.score:.4f}  {ranks}'.rstrip())}{mark}"
    )
    for line in hit.snippet.split("\n")[:lines]:
        print(f"    {painter.fit(line.rstrip(), 4).expandtabs(4)}".rstrip())


def _place_of(text: str) -> tuple[str, int]:
    path, colon, number = text.rpartition(":")
    if not colon or not path or not number.isascii() or not number.isdigit() or int(number) < 1:
        raise BadPath(f"{text!r} is not of the form FILE:LINE, e.g. src/app.py:40")
    return path, int(number)


def _plan_of(query: str, preset: str) -> dict[str, Any]:
    """Return what a search would do if every modality were available."""
    from quatrain.files.languages import resolve_languages
    from quatrain.query.plan import make_plan
    from quatrain.query.syntax import parse_query
    from quatrain.records import MODALITIES

    parsed = parse_query(query, resolve=resolve_languages)
    available = dict.fromkeys(MODALITIES, True)
    plan, _ = make_plan(parsed.text, preset=preset, filters=parsed.filters, available=available, pattern=parsed.pattern)
    return {
        "weights": {name: round(weight, 6) for name, weight in plan.weights.items()},
        "modalities": list(plan.modalities),
        "k": plan.k,
        "direct": plan.direct,
        "subjects": list(plan.subjects),
        "literal": plan.literal,
        "direction": plan.direction,
        "depth": plan.depth,
    }


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number:g}" for name, number in value.items()) or "-"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else str(value)
