"""Answers about dependencies: callers, callees, references, impact, paths, cycles, hubs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from quatrain._kernels import graph as walk
from quatrain.files.languages import language_of
from quatrain.indexes import documents as document_index
from quatrain.indexes.graph import KIND, STATUS
from quatrain.records import EDGE_KINDS, EDGE_STATUSES, EDGE_TIERS, Edge, Relation, Symbol, SymbolRow
from quatrain.retrieval.lookup import symbol_row
from quatrain.retrieval.nodes import definitions, files_of, find, label, modules_among, same_language, with_members
from quatrain.retrieval.view import IndexView

__all__ = [
    "Related",
    "callees",
    "callers",
    "counts_for",
    "cycles",
    "edges",
    "hubs",
    "impact",
    "path_between",
    "references",
    "touched",
]

RESOLVED, AMBIGUOUS, EXTERNAL, UNRESOLVED, MAY_DISPATCH = (
    STATUS[s] for s in ("resolved", "ambiguous", "external", "unresolved", "may_dispatch")
)
CALL, IMPORT, INHERIT, OVERRIDE, TYPE, ATTRIBUTE, DECORATOR, USE = (KIND[k] for k in EDGE_KINDS)
_NAMED = 5  # definitions that are gone are named up to so many
CUT_OFF = 0.3  # a chain of guesses below this says nothing
_ORDER = np.zeros(len(EDGE_STATUSES), np.int64)
_ORDER[[RESOLVED, MAY_DISPATCH, AMBIGUOUS, UNRESOLVED, EXTERNAL]] = range(5)


class Related(NamedTuple):
    """What a question about dependencies found; the engine adds the state of the index."""

    status: str
    definitions: tuple[SymbolRow, ...]
    relations: tuple[Relation, ...]
    counts: dict[str, int]
    total: int
    truncated: bool
    notes: tuple[str, ...]
    tests: tuple[str, ...] = ()  # test files that use the definitions, or that an impact reaches; nearest first


class Uses(NamedTuple):
    """Edge rows that answer a question, best first."""

    rows: np.ndarray  # int64
    statuses: np.ndarray  # uint8: as it holds for this question
    confidences: np.ndarray  # float64
    via: np.ndarray  # int64 node through which a row was reached, or -1


def is_test(view: IndexView, files: np.ndarray) -> np.ndarray:
    """Return bool[n]: whether each file is a test."""
    return (view.documents.flags[files] & document_index.TEST) != 0


def tests_among(view: IndexView, rows: np.ndarray) -> tuple[str, ...]:
    """Return the paths of the test files that some edges stand in, in the order of the edges."""
    files = view.graph.files[rows]
    return tuple(view.documents.path(file) for file in dict.fromkeys(files[is_test(view, files)].tolist()))


def tests_of(view: IndexView, targets: list[int], uses: Uses) -> tuple[str, ...]:
    """Return the test files with a use of definitions that is no guess; what lies outside the index is not what they test."""
    sure = np.isin(uses.statuses, (RESOLVED, MAY_DISPATCH))
    return tests_among(view, uses.rows[sure]) if targets else ()


def uses_of(view: IndexView, targets: list[int], *, kinds: tuple[int, ...] | None, min_confidence: float = 0.0) -> Uses:
    """Return the uses of some symbols: sure ones, then those that may dispatch to them, then ambiguous ones."""
    graph, symbols = view.graph, view.symbols
    given = np.array(sorted(set(targets)), np.int64)
    wanted = np.union1d(given, with_members(view, given[given >= symbols.count]))  # a file is used by its names
    defined = wanted[wanted < symbols.count]
    rows = graph.into_all(wanted)
    rows = rows[graph.kinds[rows] != OVERRIDE]
    if kinds is not None:
        allowed = np.isin(graph.kinds[rows], kinds)
        if ATTRIBUTE not in kinds:  # reading a property calls it
            properties = defined[np.isin(symbols.kinds[defined], [_PROPERTY])]
            allowed |= (graph.kinds[rows] == ATTRIBUTE) & np.isin(graph.callees[rows], properties)
        rows = rows[allowed]
    rows = rows[~np.isin(graph.callers[rows], wanted)]  # a definition is no user of itself
    parts = [(rows, graph.statuses[rows], graph.confidences[rows].astype(np.float64), np.full(len(rows), -1, np.int64))]

    overridden = graph.into_all(wanted)
    overridden = overridden[graph.kinds[overridden] == OVERRIDE]
    above = np.setdiff1d(graph.callers[overridden].astype(np.int64), wanted)
    if len(above):
        rows = graph.into_all(above)
        rows = rows[(graph.kinds[rows] == CALL) & (graph.statuses[rows] == RESOLVED)]
        chance = float(graph.confidences[overridden].max())
        parts.append(
            (rows, np.full(len(rows), MAY_DISPATCH, np.uint8), graph.confidences[rows] * chance, graph.callees[rows])
        )

    # Sites with too many candidates to list are kept by name alone.
    methods = [t for t in given.tolist() if t < symbols.count and symbols.parents[t] >= 0]
    for name in sorted({int(symbols.name_ids[t]) for t in methods}):
        rows = graph.named(name)
        rows = rows[(graph.callees[rows] < 0) & (graph.statuses[rows] == AMBIGUOUS) & (graph.kinds[rows] == CALL)]
        rows = rows[same_language(view, graph.files[rows], symbols.files[methods])]
        parts.append(
            (rows, graph.statuses[rows], graph.confidences[rows].astype(np.float64), np.full(len(rows), -1, np.int64))
        )

    rows = np.concatenate([p[0] for p in parts])
    statuses = np.concatenate([p[1] for p in parts])
    confidences = np.concatenate([p[2] for p in parts])
    via = np.concatenate([p[3] for p in parts])
    keep = confidences >= min_confidence
    rows, statuses, confidences, via = rows[keep], statuses[keep], confidences[keep], via[keep]
    order = np.lexsort(
        (
            graph.columns[rows],
            graph.lines[rows],
            graph.files[rows],
            is_test(view, graph.files[rows]),
            -confidences if len(rows) else confidences,
            _ORDER[statuses],
        )
    )
    rows, statuses, confidences, via = rows[order], statuses[order], confidences[order], via[order]
    # One site is one answer: the surest reading stays.
    site = (
        graph.files[rows].astype(np.int64) << 44
        | graph.lines[rows].astype(np.int64) << 20
        | graph.columns[rows].astype(np.int64)
    )
    site = site * 8 + graph.kinds[rows]
    _, first = np.unique(site, return_index=True)
    first.sort()
    return Uses(rows[first], statuses[first], confidences[first], via[first])


_PROPERTY = 15  # position of "property" in records.SYMBOL_KINDS
_CALLS = (CALL, DECORATOR)


def counts_of(view: IndexView, names: Iterable[int]) -> dict[str, int]:
    """Return how many call sites of these names are resolved, ambiguous, unresolved and external."""
    graph = view.graph
    counts = {"resolved": 0, "ambiguous": 0, "unresolved": 0, "external": 0}
    for name in sorted(set(names)):
        rows = graph.named(name)
        rows = rows[graph.kinds[rows] == CALL]
        sites = (
            graph.files[rows].astype(np.int64) << 44 | graph.lines[rows].astype(np.int64) << 20 | graph.columns[rows]
        )
        for status in counts:
            counts[status] += len(np.unique(sites[graph.statuses[rows] == STATUS[status]]))
    return counts


def counts_for(view: IndexView, symbol: str, targets: list[int]) -> dict[str, int]:
    """Return the counts of an answer: those of the name, or for a file those of the calls into it."""
    if not modules_among(view, targets):
        return counts_of(view, name_ids(view, symbol, targets))
    graph = view.graph
    rows = uses_of(view, targets, kinds=_CALLS).rows
    calls = rows[(graph.kinds[rows] == CALL) & (graph.callees[rows] >= 0)]
    names = ("resolved", "ambiguous", "unresolved", "external")
    return {s: int((graph.statuses[calls] == STATUS[s]).sum()) for s in names}


def name_ids(view: IndexView, symbol: str, targets: list[int]) -> list[int]:
    """Return the ids of the simple names that a question is about.

    A qualified name without a definition has none: that other things share its last part says nothing about it.
    """
    if targets:
        return sorted({int(view.symbols.name_ids[t]) for t in targets if t < view.symbols.count})
    found = view.symbols.names.find(symbol.strip().removesuffix("()"))
    return [found] if found >= 0 else []


def notes_of(counts: dict[str, int]) -> tuple[str, ...]:
    """Say what the graph does not know about a name."""
    notes = []
    if counts["ambiguous"]:
        notes.append(f"{counts['ambiguous']} ambiguous calls of that name")
    if counts["unresolved"]:
        notes.append(f"{counts['unresolved']} unresolved calls of that name")
    if counts["external"]:
        notes.append(f"{counts['external']} calls of that name go outside the index")
    return tuple(notes)


def relation(
    view: IndexView, row: int, other: int, status: int, confidence: float, distance: int, via: int
) -> Relation:
    """Return the public form of an edge."""
    graph = view.graph
    file, line = int(graph.files[row]), int(graph.lines[row])
    return Relation(
        symbol=label(view, other),
        path=view.documents.path(file),
        line=line,
        kind=EDGE_KINDS[graph.kinds[row]],
        tier=EDGE_TIERS[graph.tiers[row]],
        confidence=round(float(confidence), 4),
        status=EDGE_STATUSES[status],
        distance=distance,
        via=label(view, via),
        is_test=bool(view.documents.flags[file] & document_index.TEST),
        text=view.documents.text(file, line, line).strip(),
    )


def relations_of(
    view: IndexView,
    rows: np.ndarray,
    others: np.ndarray,
    statuses: np.ndarray,
    confidences: np.ndarray,
    distances: np.ndarray | None = None,
    vias: np.ndarray | None = None,
) -> tuple[Relation, ...]:
    """Return the public form of many edges; arrays of equal length, without ``distances`` all are direct."""
    graph, documents = view.graph, view.documents
    count = len(rows)
    files, lines = graph.files[rows].astype(np.int64), graph.lines[rows].astype(np.int64)
    texts = documents.texts(files, lines)
    steps = [1] * count if distances is None else distances.tolist()
    through = [-1] * count if vias is None else vias.tolist()
    paths = {file: documents.path(file) for file in set(files.tolist())}
    names = {node: label(view, node) for node in {*others.tolist(), *through}}
    columns = (
        others, files, lines, graph.kinds[rows], graph.tiers[rows],
        np.round(np.asarray(confidences, np.float64), 4), statuses, is_test(view, files),
    )  # fmt: skip
    return tuple(
        Relation(
            names[other],
            paths[file],
            line,
            EDGE_KINDS[kind],
            EDGE_TIERS[tier],
            sure,
            EDGE_STATUSES[status],
            step,
            names[via],
            test,
            text.strip(),
        )
        for other, file, line, kind, tier, sure, status, test, step, via, text in zip(
            *(column.tolist() for column in columns), steps, through, texts, strict=True
        )
    )


def _answer(view: IndexView, symbol: str, targets: list[int], uses: Uses, limit: int) -> Related | None:
    counts = counts_for(view, symbol, targets)
    if not targets and not any(counts.values()):
        return None
    shown = uses.rows[:limit]
    callers_of = view.graph.callers[shown].astype(np.int64)
    relations = relations_of(
        view, shown, callers_of, uses.statuses[:limit], uses.confidences[:limit], None, uses.via[:limit]
    )
    total = len(uses.rows)
    return Related(
        "ok" if total else "no_match",
        definitions(view, targets),
        relations,
        counts,
        total,
        total > limit,
        notes_of(counts),
        tests_of(view, targets, uses),
    )


def callers(view: IndexView, symbol: str, *, limit: int = 200, min_confidence: float = 0.0) -> Related | None:
    """Return who calls a symbol; None when nothing has that name and nothing calls it.

    A name without a definition (it lies outside the index) yields the sites that call it, marked ``external`` or ``unresolved``.
    """
    targets = find(view, symbol)
    if targets:
        uses = uses_of(view, targets, kinds=_CALLS, min_confidence=min_confidence)
    else:
        uses = uses_by_name(view, name_ids(view, symbol, targets), (CALL, DECORATOR))
    return _answer(view, symbol, targets, uses, limit)


def references(view: IndexView, symbol: str, *, limit: int = 500, min_confidence: float = 0.0) -> Related | None:
    """Return every use of a symbol: calls, imports, inheritance, types, decorators, attributes and plain mentions."""
    targets = find(view, symbol)
    if targets:
        uses = uses_of(view, targets, kinds=None, min_confidence=min_confidence)
    else:
        uses = uses_by_name(view, name_ids(view, symbol, targets), None)
    return _answer(view, symbol, targets, uses, limit)


def uses_by_name(view: IndexView, names: list[int], kinds: tuple[int, ...] | None) -> Uses:
    """Return the uses of a name that no definition in the index has."""
    graph = view.graph
    rows = np.concatenate([graph.named(name) for name in names]) if names else np.empty(0, np.int64)
    if kinds is not None:
        rows = rows[np.isin(graph.kinds[rows], kinds)]
    order = np.lexsort((graph.columns[rows], graph.lines[rows], graph.files[rows], _ORDER[graph.statuses[rows]]))
    rows = rows[order]
    return Uses(
        rows, graph.statuses[rows], graph.confidences[rows].astype(np.float64), np.full(len(rows), -1, np.int64)
    )


def namesakes(view: IndexView, targets: list[int], names: list[int]) -> np.ndarray:
    """Return the call sites of the names of which the callee is unknown or outside: rows without a callee, in source order.

    They are no uses as far as the graph can tell, but what a search for the name would find.  Sites that are kept as
    ambiguous are not among them.
    """
    graph = view.graph
    rows = np.concatenate([graph.named(name) for name in names]) if names else np.empty(0, np.int64)
    rows = rows[(graph.kinds[rows] == CALL) & np.isin(graph.statuses[rows], (UNRESOLVED, EXTERNAL))]
    if targets:
        rows = rows[same_language(view, graph.files[rows], files_of(view, np.array(targets)))]
    return rows[np.lexsort((graph.columns[rows], graph.lines[rows], graph.files[rows]))]


def callees(view: IndexView, symbol: str, *, limit: int = 200, min_confidence: float = 0.0) -> Related | None:
    """Return what a symbol calls, in source order within each status; unresolved and external calls are counted."""
    targets = find(view, symbol)
    if not targets:
        return None
    graph = view.graph
    rows = graph.out_of_all(with_members(view, targets))
    rows = rows[np.isin(graph.kinds[rows], _CALLS)]
    if modules_among(view, targets):  # what a file calls is what it calls elsewhere
        rows = rows[~np.isin(files_of(view, graph.callees[rows]), files_of(view, np.array(targets)))]
    counts = {
        s: int((graph.statuses[rows] == STATUS[s]).sum()) for s in ("resolved", "ambiguous", "unresolved", "external")
    }
    rows = rows[(graph.callees[rows] >= 0) & (graph.confidences[rows] >= min_confidence)]
    rows = rows[np.lexsort((graph.columns[rows], graph.lines[rows], graph.files[rows], _ORDER[graph.statuses[rows]]))]
    shown = rows[:limit]
    relations = relations_of(view, shown, graph.callees[shown], graph.statuses[shown], graph.confidences[shown])
    notes = tuple(f"{counts[s]} {s} calls" for s in ("ambiguous", "unresolved", "external") if counts[s])
    return Related(
        "ok" if len(rows) else "no_match",
        definitions(view, targets),
        relations,
        counts,
        len(rows),
        len(rows) > limit,
        notes,
        tests_of(view, targets, uses_of(view, targets, kinds=_CALLS)),
    )


class Reached(NamedTuple):
    """Nodes that a change reaches."""

    nodes: np.ndarray  # int64, best first
    distances: np.ndarray  # int64, 1 = direct
    confidences: np.ndarray  # float64, product along the best path
    rows: np.ndarray  # int64, edge row by which a node was first reached
    via: np.ndarray  # int64, node through which it was reached, or -1 when direct


def reach(
    view: IndexView, start: np.ndarray, depth: int, *, forward: bool = False, cut_off: float = CUT_OFF
) -> Reached:
    """Walk the edges from some nodes, breadth first.

    A node keeps the smallest number of steps and the largest product of confidences with which it is reached.  Top-level code of a file is
    reached but not passed: whoever imports a module is not affected by everything that the module imports.
    """
    graph = view.graph
    edges = (graph.out_indptr, None, graph.callees) if forward else (graph.in_indptr, graph.in_edges, graph.callers)
    # Calls say more than imports, so they are shown when both lead to the same node.
    nodes, distances, rows, via, sure = walk.reach(
        *edges, graph.confidences, graph.kinds, start, depth, cut_off, view.symbols.count, IMPORT
    )
    # Distance, test, import, confidence to six digits: ascending in one number.
    rank = (distances * 2 + is_test(view, graph.files[rows])) * 2 + (graph.kinds[rows] == IMPORT)
    rank = rank * 2_000_000 - np.round(sure * 1e6).astype(np.int64)
    order = np.lexsort((nodes, -graph.pagerank[nodes], rank))
    nodes, distances = nodes[order], distances[order]
    return Reached(nodes, distances, sure[order], rows[order], np.where(distances > 1, via[order], -1))


def impact(
    view: IndexView,
    symbol: str,
    *,
    depth: int = 3,
    limit: int = 500,
    min_confidence: float = CUT_OFF,
    forward: bool = False,
) -> Related | None:
    """Return what may break when a symbol changes (or, forward, what it depends on), nearest and surest first."""
    targets = find(view, symbol)
    if not targets:
        return None
    start = with_members(view, targets)
    found = reach(view, start, depth, forward=forward, cut_off=min_confidence)
    counts = counts_for(view, symbol, targets)
    return _impact(view, targets, found, counts, limit)


def _impact(view: IndexView, targets: list[int], found: Reached, counts: dict[str, int], limit: int) -> Related:
    graph = view.graph
    shown = found.rows[:limit]
    relations = relations_of(
        view, shown, found.nodes[:limit], graph.statuses[shown], found.confidences[:limit], found.distances[:limit],
        found.via[:limit],
    )  # fmt: skip
    total = len(found.nodes)
    in_tests = int(is_test(view, graph.files[found.rows]).sum())
    notes = ((f"{in_tests} of them in tests",) if in_tests else ()) + notes_of(counts)
    return Related(
        "ok" if total else "no_match", definitions(view, targets), relations, counts, total, total > limit, notes,
        tests_among(view, found.rows),
    )  # fmt: skip


def touched(view: IndexView, changes: dict[str, list[tuple[int, int]]]) -> list[int]:
    """Return the innermost symbols that changed lines lie in, and every symbol that begins inside a changed range.

    Parameters
    ----------
    view
        The opened indexes.
    changes
        Path to the changed line ranges, 1-based and inclusive; (line behind, line before) where lines were taken out.
    """
    symbols, documents = view.symbols, view.documents
    found: set[int] = set()
    for path in sorted(changes):
        file = documents.file_id(path)
        if file < 0:
            continue
        own = symbols.of_file(file)
        starts, ends = symbols.start_lines[own].astype(np.int64), symbols.end_lines[own].astype(np.int64)
        last = max(documents.line_count(file), int(ends.max(initial=0)))
        innermost = np.full(last + 2, -1, np.int64)
        for symbol, start, end in zip(own.tolist(), starts.tolist(), ends.tolist(), strict=True):
            innermost[start : end + 1] = symbol  # what is inside comes later and covers it
        for low, high in changes[path]:
            if low <= high:
                found.update(own[(starts >= low) & (starts <= high)].tolist())
                found.update(np.unique(innermost[low : min(high, last) + 1]).tolist())
                continue
            symbol = int(innermost[min(high, last)])  # lines were taken out between these two: whatever holds both
            while symbol >= 0 and int(symbols.end_lines[symbol]) < low:
                symbol = int(symbols.parents[symbol])
            found.add(symbol)
    return sorted(found - {-1})


def gone(view: IndexView, removed: Mapping[str, tuple[bytes, list[tuple[int, int]]]]) -> list[tuple[str, Symbol]]:
    """Return the definitions, by path, that began on a removed line and that their file no longer has.

    ``removed`` is what `quatrain.files.changes.taken_out` returns.
    """
    from quatrain.parsing.parse import parse_source

    symbols, found = view.symbols, []
    for path in sorted(removed):
        data, ranges = removed[path]
        language = language_of(path)
        if language is None:
            continue
        file = view.documents.file_id(path)
        left = set()
        for symbol in symbols.of_file(file).tolist() if file >= 0 else ():
            parent = int(symbols.parents[symbol])
            left.add((symbols.name(parent) if parent >= 0 else "", symbols.name(symbol)))
        old = parse_source(path, language, data).symbols
        for entry in old:
            inside = any(low <= entry.start_line <= high for low, high in ranges)
            if inside and (old[entry.parent].name if entry.parent >= 0 else "", entry.name) not in left:
                found.append((path, entry))
    return found


def uses_of_gone(view: IndexView, removed: list[tuple[str, Symbol]]) -> np.ndarray:
    """Return the edge rows that may mean definitions which are gone: unresolved calls and imports of their names, in source order."""
    graph = view.graph
    found = [np.empty(0, np.int64)]
    for path, entry in removed:
        name = view.symbols.names.find(entry.name)
        if name < 0:
            continue
        rows = graph.named(name)
        rows = rows[
            (graph.statuses[rows] == UNRESOLVED) & np.isin(graph.kinds[rows], (CALL, DECORATOR, IMPORT, INHERIT))
        ]
        language = language_of(path)
        same = [view.documents.language(file) == language for file in graph.files[rows].tolist()]
        found.append(rows[np.array(same, bool)])
    rows = np.unique(np.concatenate(found))
    return rows[np.lexsort((graph.columns[rows], graph.lines[rows], graph.files[rows]))]


def impact_of_changes(
    view: IndexView,
    changes: dict[str, list[tuple[int, int]]],
    removed: Mapping[str, tuple[bytes, list[tuple[int, int]]]] = MappingProxyType({}),
    *,
    depth: int = 3,
    limit: int = 500,
    min_confidence: float = CUT_OFF,
) -> Related:
    """Return the symbols that changed lines touch and what depends on them, then what still names definitions that are gone."""
    graph = view.graph
    targets = touched(view, changes)
    found = reach(view, np.array(targets, np.int64), depth, cut_off=min_confidence)
    counts = counts_of(view, {int(view.symbols.name_ids[t]) for t in targets})
    answer = _impact(view, targets, found, counts, limit)
    unknown = sum(view.documents.file_id(path) < 0 for path in changes)
    notes = [f"{len(targets)} definitions in {len(changes)} changed files"] if changes else ["nothing has changed"]
    if unknown:
        notes.append(f"{unknown} changed files are not indexed")
    missing = gone(view, removed)
    if not missing:
        return answer._replace(notes=(*notes, *answer.notes))
    rows = uses_of_gone(view, missing)
    named = ", ".join(f"{path}:{entry.qualified_name}" for path, entry in missing[:_NAMED])
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    notes.append(f"{len(missing)} definitions are gone ({named}{more}); {len(rows)} unresolved uses may mean them")
    shown = rows[: max(limit - len(answer.relations), 0)]
    relations = relations_of(
        view, shown, graph.callers[shown].astype(np.int64), graph.statuses[shown], graph.confidences[shown]
    )
    total = answer.total + len(rows)
    return answer._replace(
        status="ok" if total else "no_match", relations=(*answer.relations, *relations), total=total, truncated=total > limit,
        notes=(*notes, *answer.notes), tests=tuple(dict.fromkeys((*answer.tests, *tests_among(view, rows)))),
    )  # fmt: skip


def path_between(view: IndexView, source: str, target: str, *, depth: int = 12) -> tuple[Relation, ...] | None:
    """Return the shortest chain of sure edges by which ``source`` comes to use ``target``; empty when there is none, None for a name
    that nothing has."""
    graph = view.graph
    starts, goals = find(view, source), find(view, target)
    if not starts or not goals:
        return None
    goal = {int(g) for g in with_members(view, goals)}
    parent: dict[int, int] = {}
    seen = {int(s) for s in with_members(view, starts)}
    frontier = np.array(sorted(seen), np.int64)
    for _ in range(depth):
        rows = graph.out_of_all(frontier)
        status = graph.statuses[rows]
        rows = rows[((status == RESOLVED) | (status == MAY_DISPATCH)) & (graph.callees[rows] >= 0)]
        following: list[int] = []
        for row in rows.tolist():
            node = int(graph.callees[row])
            if node in seen:
                continue
            seen.add(node)
            parent[node] = row
            following.append(node)
            if node in goal:
                chain = []
                while node in parent:
                    chain.append(parent[node])
                    node = int(graph.callers[parent[node]])
                chain.reverse()
                return tuple(
                    relation(
                        view,
                        r,
                        int(graph.callees[r]),
                        int(graph.statuses[r]),
                        float(graph.confidences[r]),
                        i + 1,
                        int(graph.callers[r]),
                    )
                    for i, r in enumerate(chain)
                )
        if not following:
            break
        frontier = np.array(sorted(following), np.int64)
    return ()


def components(graph_nodes: int, indptr: np.ndarray, targets: np.ndarray) -> list[list[int]]:
    """Return the strongly connected components with more than one node (Tarjan, iterative), each sorted, largest first."""
    index = [0] * graph_nodes
    low = [0] * graph_nodes
    on_stack = [False] * graph_nodes
    stack: list[int] = []
    counter = 1
    found: list[list[int]] = []
    starts, flat = indptr.tolist(), targets.tolist()
    for root in range(graph_nodes):
        if index[root] or starts[root] == starts[root + 1]:
            continue
        work = [(root, starts[root])]
        index[root] = low[root] = counter
        counter += 1
        stack.append(root)
        on_stack[root] = True
        while work:
            node, at = work[-1]
            if at < starts[node + 1]:
                work[-1] = (node, at + 1)
                child = flat[at]
                if not index[child]:
                    index[child] = low[child] = counter
                    counter += 1
                    stack.append(child)
                    on_stack[child] = True
                    work.append((child, starts[child]))
                elif on_stack[child]:
                    low[node] = min(low[node], index[child])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                group = []
                while True:
                    member = stack.pop()
                    on_stack[member] = False
                    group.append(member)
                    if member == node:
                        break
                if len(group) > 1:
                    found.append(sorted(group))
    return sorted(found, key=lambda g: (-len(g), g))


class Cycle(NamedTuple):
    """Files or functions that depend on each other in a circle."""

    members: tuple[str, ...]  # sorted
    steps: tuple[Relation, ...]  # one shortest way round, from the first member back to it
    tests: tuple[str, ...]  # test files outside of it that use a member


def cycles(view: IndexView, *, of: str = "files", limit: int = 100) -> tuple[list[Cycle], int]:
    """Return groups that depend on each other in a circle, largest first, and how many there are.

    Parameters
    ----------
    view
        The opened indexes.
    of
        ``"files"``: files that import each other; ``"symbols"``: functions that call each other.
    limit
        At most so many groups.
    """
    graph = view.graph
    sure = (graph.callees >= 0) & (graph.statuses == RESOLVED)
    rows = np.flatnonzero(sure & (graph.kinds == (IMPORT if of == "files" else CALL)))
    if of == "files":
        source, target, size = (
            graph.files[rows].astype(np.int64),
            files_of(view, graph.callees[rows]),
            view.documents.count,
        )
    else:
        source, target, size = graph.callers[rows].astype(np.int64), graph.callees[rows], graph.nodes
    apart = source != target
    keys, first = np.unique(source[apart] * max(size, 1) + target[apart], return_index=True)
    by_key = rows[apart][first]  # the first place in the source that makes the step
    indptr = np.searchsorted(keys // max(size, 1), np.arange(size + 1))
    groups = components(size, indptr, keys % max(size, 1))
    shift = view.symbols.count if of == "files" else 0

    def named(node: int) -> str:
        return label(view, node + shift)

    found = []
    for group in groups[:limit]:
        steps: list[Relation] = []
        for at in _way_round(group, indptr, keys % max(size, 1)):
            row, target_node = int(by_key[at]), int(keys[at] % size)
            steps.append(
                relation(view, row, target_node + shift, RESOLVED, float(graph.confidences[row]), len(steps) + 1, -1)
            )
        members = [node + shift for node in group]
        uses = uses_of(view, members, kinds=None if of == "files" else _CALLS)
        found.append(Cycle(tuple(named(node) for node in group), tuple(steps), tests_of(view, members, uses)))
    return found, len(groups)


def _way_round(group: list[int], indptr: np.ndarray, targets: np.ndarray) -> list[int]:
    """Return the positions in ``targets`` of the edges of a shortest circle through the first node of a component."""
    start, inside = group[0], set(group)
    reached_by: dict[int, int] = {}
    frontier = [start]
    while True:  # a component leads back to each of its nodes
        following = []
        for node in frontier:
            for at in range(int(indptr[node]), int(indptr[node + 1])):
                target = int(targets[at])
                if target not in inside or target in reached_by:
                    continue
                reached_by[target] = at
                if target == start:
                    way = [at]
                    while (node := int(np.searchsorted(indptr, way[0], side="right")) - 1) != start:
                        way.insert(0, reached_by[node])
                    return way
                following.append(target)
        frontier = following


class Hub(NamedTuple):
    """A definition that much depends on."""

    symbol: SymbolRow
    pagerank: float
    users: int  # distinct
    counts: dict[str, int]  # of the calls of its name
    tests: int  # test files that use it


def hubs(view: IndexView, *, limit: int = 20) -> list[Hub]:
    """Return the most central definitions."""
    graph = view.graph
    ranks = graph.pagerank[: view.symbols.count]
    order = np.lexsort((np.arange(len(ranks)), -ranks))[:limit]
    found = []
    for node in order.tolist():
        tests = tests_of(view, [node], uses_of(view, [node], kinds=None))
        counts = counts_of(view, [int(view.symbols.name_ids[node])])
        found.append(Hub(symbol_row(view, node), float(ranks[node]), int(graph.in_degree[node]), counts, len(tests)))
    return found


def edges(view: IndexView) -> list[Edge]:
    """Return every edge, by path, line and column."""
    graph = view.graph
    order = np.lexsort((graph.callees, graph.kinds, graph.columns, graph.lines, graph.files))
    known: dict[int, str] = {}

    def name(node: int) -> str:
        if node not in known:
            known[node] = label(view, node)
        return known[node]

    columns = (
        graph.callers, graph.callees, graph.kinds, graph.files, graph.lines, graph.columns, graph.tiers, graph.confidences,
        graph.statuses, graph.names,
    )  # fmt: skip
    names = view.symbols.names
    paths = view.documents.paths
    result = []
    for caller, callee, kind, file, line, column, tier, confidence, status, used in zip(
        *(c[order].tolist() for c in columns), strict=True
    ):
        result.append(
            Edge(
                name(caller), name(callee) if callee >= 0 else names[used], EDGE_KINDS[kind], paths[file], line, column, EDGE_TIERS[tier],
                round(confidence, 4), EDGE_STATUSES[status],
            )
        )  # fmt: skip
    return result
