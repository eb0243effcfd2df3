"""The verbs about definitions and what depends on them: symbol, refs, callers, callees, impact, path, cycles, hubs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from quatrain.cli.answers import Place, emit, open_index, tell
from quatrain.cli.options import add_index_options, add_limit, add_output, add_root, positive
from quatrain.cli.terminal import Painter
from quatrain.errors import BadQuery

if TYPE_CHECKING:
    from quatrain.records import GraphResponse, Relation, SymbolRow

__all__ = [
    "callees",
    "callees_arguments",
    "callers",
    "callers_arguments",
    "cycles",
    "cycles_arguments",
    "hubs",
    "hubs_arguments",
    "impact",
    "impact_arguments",
    "path",
    "path_arguments",
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
    parser.add_argument("name", metavar="NAME", nargs="?", help=_NAME_HELP)
    add_root(parser)
    parser.add_argument(
        "--diff", metavar="REV", nargs="?", const="",
        help="Instead of NAME: whatever holds a line that is not committed yet, or that `git diff REV` shows, "
        "then whatever still names a definition that is gone. A folder stands before it: impact . --diff.",
    )  # fmt: skip
    parser.add_argument(
        "-d", "--depth", metavar="N", type=positive, default=3, help="Follow at most N steps (default: 3)."
    )
    _add_relation_options(parser, 500, min_confidence=0.3)


def impact(arguments: Namespace) -> int:
    """Find what may break."""
    if arguments.diff is None:
        if arguments.name is None:
            raise BadQuery("impact of what? Give a symbol or file, or --diff for what you changed")
        return _relate(arguments, "impact", depth=arguments.depth)
    if arguments.name is not None:
        if arguments.root is not None:
            raise BadQuery("impact takes a name or --diff, not both")
        arguments.root = arguments.name  # the one word that is left is the folder
    index = open_index(arguments)
    response = index.impact_of_changes(
        arguments.diff or None, depth=arguments.depth, limit=arguments.limit, min_confidence=arguments.min_confidence
    )
    return _show_relations(arguments, response)


def path_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``path``."""
    parser.add_argument("source", metavar="FROM", help=_NAME_HELP)
    parser.add_argument("target", metavar="TO", help="What it comes to use.")
    add_root(parser)
    parser.add_argument(
        "-d", "--depth", metavar="N", type=positive, default=12, help="Follow at most N steps (default: 12)."
    )
    _add_rest(parser)


def path(arguments: Namespace) -> int:
    """Find how one thing comes to use another."""
    response = open_index(arguments).path(arguments.source, arguments.target, depth=arguments.depth)
    return _show_relations(arguments, response)


def cycles_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``cycles``."""
    add_root(parser)
    parser.add_argument(
        "--of", choices=("files", "symbols"), default="files",
        help="Files that import each other (default), or functions that call each other.",
    )  # fmt: skip
    add_limit(parser, 100, "circles")
    _add_rest(parser)


def cycles(arguments: Namespace) -> int:
    """Find circles of dependencies."""
    response = open_index(arguments).cycles(of=arguments.of, limit=arguments.limit)

    def show(painter: Painter, place: Place) -> None:
        for cycle in response.cycles:
            for step in cycle.steps:
                where = f"{painter.paint('path', place(step.path))}:{painter.paint('line', str(step.line))}"
                first = f"  circle of {len(cycle.members)}, {len(cycle.tests)} tests" if step.distance == 1 else ""
                print(f"{where}: {painter.paint('name', step.symbol)}  {step.kind}{painter.paint('weak', first)}")
                print(f"    {painter.fit(step.text.strip(), 4)}")
        if not response.cycles:
            tell(f"no {response.of} depend on each other in a circle")
        elif response.truncated:
            tell(f"{len(response.cycles)} of {response.total} circles are shown; --limit shows more")

    return emit(arguments, response, response.cycles, show)


def hubs_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``hubs``."""
    add_root(parser)
    add_limit(parser, 20, "definitions")
    _add_rest(parser)


def hubs(arguments: Namespace) -> int:
    """Find what most depends on."""
    response = open_index(arguments).hubs(limit=arguments.limit)

    def show(painter: Painter, place: Place) -> None:
        for hub in response.hubs:
            row = hub.symbol
            where = f"{painter.paint('path', place(row.path))}:{painter.paint('line', str(row.start_line))}"
            rank = painter.paint("weak", f"rank {hub.pagerank:.5f}")
            print(
                f"{where}: {row.kind} {painter.paint('name', row.qualified_name)}  {hub.users} users  {hub.tests} tests  {rank}"
            )

    return emit(arguments, response, response.hubs, show)


_NAME_HELP = "A name, simple (parse) or qualified (module.Class.parse), or a file (shop/money.py)."


def _add_name(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="A name, simple (parse) or qualified (module.Class.parse).")
    add_root(parser)


def _add_rest(parser: ArgumentParser) -> None:
    add_output(parser)
    add_index_options(parser)


def _add_relation(parser: ArgumentParser, limit: int, min_confidence: float = 0.0) -> None:
    parser.add_argument("name", metavar="NAME", help=_NAME_HELP)
    add_root(parser)
    _add_relation_options(parser, limit, min_confidence)


def _add_relation_options(parser: ArgumentParser, limit: int, min_confidence: float) -> None:
    add_limit(parser, limit, "places")
    parser.add_argument(
        "--min-confidence", metavar="X", type=float, default=min_confidence,
        help=f"Leave out what is less sure than X, from 0 to 1 (default: {min_confidence:g}).",
    )  # fmt: skip
    _add_rest(parser)


_TESTS_SHOWN = 5


def _relate(arguments: Namespace, question: str, **options: Any) -> int:
    ask = getattr(open_index(arguments), question)
    return _show_relations(
        arguments, ask(arguments.name, limit=arguments.limit, min_confidence=arguments.min_confidence, **options)
    )


def _show_relations(arguments: Namespace, response: GraphResponse) -> int:
    def show(painter: Painter, place: Place) -> None:
        for relation in response.relations:
            _show_relation(painter, place, relation)
        if response.tests:
            more = len(response.tests) - _TESTS_SHOWN
            shown = ", ".join(place(test) for test in response.tests[:_TESTS_SHOWN])
            tell(f"covered by {shown}" + (f" and {more} more" if more > 0 else ""))
        counts = ", ".join(f"{count} {name}" for name, count in response.counts.items() if count)
        if response.question not in ("path", "changes") and len({r.qualified_name for r in response.definitions}) > 1:
            tell(f"{response.symbol!r} names {len(response.definitions)} definitions; a longer name tells them apart")
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
