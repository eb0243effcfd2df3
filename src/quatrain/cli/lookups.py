"""The verbs about one symbol: symbol, refs, callers, callees, impact."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from quatrain.cli.answers import Place, emit, open_index, tell
from quatrain.cli.options import add_index_options, add_limit, add_output, add_root, positive
from quatrain.cli.terminal import Painter

if TYPE_CHECKING:
    from quatrain.records import GraphResponse, Relation, SymbolRow

__all__ = [
    "callees",
    "callees_arguments",
    "callers",
    "callers_arguments",
    "impact",
    "impact_arguments",
    "refs",
    "refs_arguments",
    "symbol",
    "symbol_arguments",
]


def symbol_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``symbol``."""
    _add_name(parser)
    parser.add_argument("-k", "--kind", metavar="KIND", help="Only this kind of definition, e.g. class.")
    parser.add_argument(
        "--fuzzy", action="store_true", help="If no name is equal, also try other case, beginnings and near names."
    )
    add_limit(parser, 100, "definitions")
    _add_rest(parser)


def symbol(arguments: Namespace) -> int:
    """Find definitions."""
    index = open_index(arguments)
    response = index.find_symbol(arguments.name, kind=arguments.kind, fuzzy=arguments.fuzzy, limit=arguments.limit)

    def show(painter: Painter, place: Place) -> None:
        for row in response.symbols:
            _show_symbol(painter, place, row)
        if not response.symbols:
            tell(
                f"nothing is called {arguments.name!r}" + ("" if arguments.fuzzy else "; --fuzzy also tries near names")
            )

    return emit(arguments, response, response.symbols, show)


def refs_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``refs``."""
    _add_relation(parser, 500)


def refs(arguments: Namespace) -> int:
    """Find every use."""
    return _relate(arguments, "references")


def callers_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``callers``."""
    _add_relation(parser, 200)


def callers(arguments: Namespace) -> int:
    """Find who calls."""
    return _relate(arguments, "callers")


def callees_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``callees``."""
    _add_relation(parser, 200)


def callees(arguments: Namespace) -> int:
    """Find what is called."""
    return _relate(arguments, "callees")


def impact_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``impact``."""
    _add_relation(parser, 500, min_confidence=0.3)
    parser.add_argument(
        "-d", "--depth", metavar="N", type=positive, default=3, help="Follow at most N steps (default: 3)."
    )


def impact(arguments: Namespace) -> int:
    """Find what may break."""
    return _relate(arguments, "impact", depth=arguments.depth)


def _add_name(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="A name, simple (parse) or qualified (module.Class.parse).")
    add_root(parser)


def _add_rest(parser: ArgumentParser) -> None:
    add_output(parser)
    add_index_options(parser)


def _add_relation(parser: ArgumentParser, limit: int, min_confidence: float = 0.0) -> None:
    _add_name(parser)
    add_limit(parser, limit, "places")
    parser.add_argument(
        "--min-confidence", metavar="X", type=float, default=min_confidence,
        help=f"Leave out what is less sure than X, from 0 to 1 (default: {min_confidence:g}).",
    )  # fmt: skip
    _add_rest(parser)


def _relate(arguments: Namespace, question: str, **options: Any) -> int:
    index = open_index(arguments)
    ask = getattr(index, question)
    response: GraphResponse = ask(
        arguments.name, limit=arguments.limit, min_confidence=arguments.min_confidence, **options
    )

    def show(painter: Painter, place: Place) -> None:
        for relation in response.relations:
            _show_relation(painter, place, relation)
        counts = ", ".join(f"{count} {name}" for name, count in response.counts.items() if count)
        if len({row.qualified_name for row in response.definitions}) > 1:
            tell(f"{arguments.name!r} names {len(response.definitions)} definitions; a qualified name tells them apart")
        if not response.relations:
            tell(f"nothing found{f' ({counts})' if counts else ''}")
        elif response.truncated:
            tell(f"{len(response.relations)} of {response.total} places are shown; --limit shows more")
        elif counts:
            tell(counts)

    return emit(arguments, response, response.relations, show)


def _show_symbol(painter: Painter, place: Place, row: SymbolRow) -> None:
    where = f"{painter.paint('path', place(row.path))}:{painter.paint('line', str(row.start_line))}"
    match = "" if row.match == "exact" else f"  {painter.paint('warning', row.match)}"
    print(f"{where}: {row.kind} {painter.paint('name', row.qualified_name)}{match}")
    if row.signature:
        print(f"    {painter.fit(row.signature, 4)}")
    if row.docstring:
        print(f"    {painter.paint('weak', painter.fit(row.docstring, 4))}")


def _show_relation(painter: Painter, place: Place, relation: Relation) -> None:
    where = f"{painter.paint('path', place(relation.path))}:{painter.paint('line', str(relation.line))}"
    sure = f"{relation.tier} {relation.confidence:.2f}"
    words = [relation.kind, painter.paint("weak", sure)]
    if relation.distance > 1:
        words.append(f"distance {relation.distance}" + (f" via {painter.safe(relation.via)}" if relation.via else ""))
    if relation.is_test:
        words.append("test")
    if relation.status != "resolved":
        words.append(painter.paint("warning", relation.status))
    print(f"{where}: {painter.paint('name', relation.symbol)}  {'  '.join(words)}")
    if relation.text.strip():
        print(f"    {painter.fit(relation.text.strip(), 4)}")
