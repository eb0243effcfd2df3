"""Answers about dependencies: callers, callees, references, impact, paths, cycles, hubs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from quatrain.indexes import documents as document_index
from quatrain.indexes.graph import KIND, STATUS
from quatrain.records import EDGE_KINDS, EDGE_STATUSES, EDGE_TIERS, Edge, Relation, SymbolRow
from quatrain.retrieval.lookup import symbol_row
from quatrain.retrieval.view import IndexView

__all__ = [
    "Related",
    "callees",
    "callers",
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


class Uses(NamedTuple):
    """Edge rows that answer a question, best first."""

    rows: np.ndarray  # int64
    statuses: np.ndarray  # uint8: as it holds for this question
    confidences: np.ndarray  # float64
    via: np.ndarray  # int64 node through which a row was reached, or -1


def node_name(view: IndexView, node: int) -> str:
    """Return the qualified name of a symbol, or the path of a file for its top-level code."""
    symbols = view.symbols
    if node < 0:
        return ""
    return symbols.qualified(node) if node < symbols.count else view.documents.path(node - symbols.count)


def with_members(view: IndexView, targets: Iterable[int]) -> np.ndarray:
    """Return symbols with everything that is defined inside them."""
    symbols = view.symbols
    found = list(targets)
    seen = set(found)
    for symbol in list(found):
        file = int(symbols.files[symbol])
        for other in symbols.of_file(file).tolist():
            if other not in seen and int(symbols.parents[other]) in seen:
                seen.add(other)
                found.append(other)
    return np.array(found, np.int64)


def is_test(view: IndexView, files: np.ndarray) -> np.ndarray:
    """Return bool[n]: whether each file is a test."""
    return (view.documents.flags[files] & document_index.TEST) != 0


def uses_of(view: IndexView, targets: list[int], *, kinds: tuple[int, ...] | None, min_confidence: float = 0.0) -> Uses:
    """Return the uses of some symbols: sure ones, then those that may dispatch to them, then ambiguous ones."""
    graph, symbols = view.graph, view.symbols
    wanted = np.array(sorted(set(targets)), np.int64)
    rows = graph.into_all(wanted)
    rows = rows[graph.kinds[rows] != OVERRIDE]
    if kinds is not None:
        allowed = np.isin(graph.kinds[rows], kinds)
        if ATTRIBUTE not in kinds:  # reading a property calls it
            properties = wanted[np.isin(symbols.kinds[wanted], [_PROPERTY])]
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
    methods = [t for t in wanted.tolist() if symbols.parents[t] >= 0]
    for name in sorted({int(symbols.name_ids[t]) for t in methods}):
        rows = graph.named(name)
        rows = rows[(graph.callees[rows] < 0) & (graph.statuses[rows] == AMBIGUOUS) & (graph.kinds[rows] == CALL)]
        languages = view.documents.language_codes[symbols.files[methods]]
        rows = rows[np.isin(view.documents.language_codes[graph.files[rows]], languages)]
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


def find(view: IndexView, name: str) -> list[int]:
    """Return the symbols that a simple or qualified name means."""
    return view.symbols.resolve(name)


def name_ids(view: IndexView, symbol: str, targets: list[int]) -> list[int]:
    """Return the ids of the simple names that a question is about.

    A qualified name without a definition has none: that other things share its last part says nothing about it.
    """
    if targets:
        return sorted({int(view.symbols.name_ids[t]) for t in targets})
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
        symbol=node_name(view, other),
        path=view.documents.path(file),
        line=line,
        kind=EDGE_KINDS[graph.kinds[row]],
        tier=EDGE_TIERS[graph.tiers[row]],
        confidence=round(float(confidence), 4),
        status=EDGE_STATUSES[status],
        distance=distance,
        via=node_name(view, via),
        is_test=bool(view.documents.flags[file] & document_index.TEST),
        text=view.documents.text(file, line, line).strip(),
    )


def _answer(view: IndexView, symbol: str, targets: list[int], uses: Uses, limit: int) -> Related | None:
    graph = view.graph
    names = name_ids(view, symbol, targets)
    counts = counts_of(view, names)
    if not targets and not any(counts.values()):
        return None
    relations = tuple(
        relation(view, int(row), int(graph.callers[row]), int(status), sure, 1, int(via))
        for row, status, sure, via in zip(uses.rows[:limit], uses.statuses, uses.confidences, uses.via, strict=False)
    )
    total = len(uses.rows)
    return Related(
        "ok" if total else "no_match",
        tuple(symbol_row(view, t) for t in targets[:50]),
        relations,
        counts,
        total,
        total > limit,
        notes_of(counts),
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


def callees(view: IndexView, symbol: str, *, limit: int = 200, min_confidence: float = 0.0) -> Related | None:
    """Return what a symbol calls, in source order within each status; unresolved and external calls are counted."""
    targets = find(view, symbol)
    if not targets:
        return None
    graph = view.graph
    rows = graph.out_of_all(with_members(view, targets))
    rows = rows[np.isin(graph.kinds[rows], _CALLS)]
    counts = {
        s: int((graph.statuses[rows] == STATUS[s]).sum()) for s in ("resolved", "ambiguous", "unresolved", "external")
    }
    rows = rows[(graph.callees[rows] >= 0) & (graph.confidences[rows] >= min_confidence)]
    rows = rows[np.lexsort((graph.columns[rows], graph.lines[rows], graph.files[rows], _ORDER[graph.statuses[rows]]))]
    relations = tuple(
        relation(view, int(r), int(graph.callees[r]), int(graph.statuses[r]), float(graph.confidences[r]), 1, -1)
        for r in rows[:limit]
    )
    notes = tuple(f"{counts[s]} {s} calls" for s in ("ambiguous", "unresolved", "external") if counts[s])
    definitions = tuple(symbol_row(view, t) for t in targets[:50])
    return Related(
        "ok" if len(rows) else "no_match", definitions, relations, counts, len(rows), len(rows) > limit, notes
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
    symbols = view.symbols.count
    best = np.zeros(graph.nodes)
    distance = np.zeros(graph.nodes, np.int64)
    by_row = np.full(graph.nodes, -1, np.int64)
    by_node = np.full(graph.nodes, -1, np.int64)
    best[start] = 1.0
    frontier = np.unique(start)
    started = frontier
    for step in range(1, depth + 1):
        rows = graph.out_of_all(frontier) if forward else graph.into_all(frontier)
        source = graph.callers[rows].astype(np.int64) if forward else graph.callees[rows]
        target = graph.callees[rows] if forward else graph.callers[rows].astype(np.int64)
        sure = best[source] * graph.confidences[rows]
        keep = (target >= 0) & (sure >= cut_off) & (sure > best[np.maximum(target, 0)])
        rows, source, target, sure = rows[keep], source[keep], target[keep], sure[keep]
        if not len(rows):
            break
        # Calls say more than imports, so they are shown when both lead to the same node.
        order = np.lexsort((rows, graph.kinds[rows] == IMPORT, -sure, target))
        target, first = np.unique(target[order], return_index=True)
        chosen = order[first]
        best[target] = sure[chosen]
        new = distance[target] == 0
        new &= ~np.isin(target, started)
        fresh = target[new]
        distance[fresh] = step
        by_row[fresh] = rows[chosen][new]
        by_node[fresh] = source[chosen][new] if step > 1 else -1
        frontier = target[target < symbols]
        if not len(frontier):
            break
    nodes = np.flatnonzero(distance)
    files = graph.files[by_row[nodes]]
    order = np.lexsort(
        (
            nodes,
            -graph.pagerank[nodes],
            -np.round(best[nodes], 6),
            graph.kinds[by_row[nodes]] == IMPORT,
            is_test(view, files),
            distance[nodes],
        )
    )
    nodes = nodes[order]
    return Reached(nodes, distance[nodes], best[nodes], by_row[nodes], by_node[nodes])


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
    counts = counts_of(view, name_ids(view, symbol, targets))
    return _impact(view, targets, found, counts, limit)


def _impact(view: IndexView, targets: list[int], found: Reached, counts: dict[str, int], limit: int) -> Related:
    graph = view.graph
    relations = tuple(
        relation(view, int(row), int(node), int(graph.statuses[row]), float(sure), int(distance), int(via))
        for node, distance, sure, row, via in zip(
            found.nodes[:limit], found.distances, found.confidences, found.rows, found.via, strict=False
        )
    )
    total = len(found.nodes)
    definitions = tuple(symbol_row(view, t) for t in targets[:50])
    tests = int(is_test(view, graph.files[found.rows]).sum()) if total else 0
    notes = ((f"{tests} of them in tests",) if tests else ()) + notes_of(counts)
    return Related("ok" if total else "no_match", definitions, relations, counts, total, total > limit, notes)


def touched(view: IndexView, changes: dict[str, list[tuple[int, int]]]) -> list[int]:
    """Return the innermost symbols that changed lines lie in, and every symbol that begins inside a changed range.

    Parameters
    ----------
    view
        The opened indexes.
    changes
        Path to the changed line ranges, 1-based and inclusive.
    """
    symbols, documents = view.symbols, view.documents
    found: set[int] = set()
    for path in sorted(changes):
        file = documents.file_id(path)
        if file < 0:
            continue
        own = symbols.of_file(file)
        starts, ends = symbols.start_lines[own].astype(np.int64), symbols.end_lines[own].astype(np.int64)
        for low, high in changes[path]:
            found.update(own[(starts >= low) & (starts <= high)].tolist())
            for line in range(low, min(high, low + 20_000) + 1):
                inside = np.flatnonzero((starts <= line) & (ends >= line))
                if len(inside):
                    found.add(int(own[inside[np.argmin(ends[inside] - starts[inside])]]))
    return sorted(found)


def impact_of_changes(
    view: IndexView,
    changes: dict[str, list[tuple[int, int]]],
    *,
    depth: int = 3,
    limit: int = 500,
    min_confidence: float = CUT_OFF,
) -> Related:
    """Return the symbols that changed lines touch and what depends on them."""
    targets = touched(view, changes)
    found = reach(view, np.array(targets, np.int64), depth, cut_off=min_confidence)
    counts = counts_of(view, {int(view.symbols.name_ids[t]) for t in targets})
    return _impact(view, targets, found, counts, limit)


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


def cycles(view: IndexView, *, of: str = "files", limit: int = 100) -> list[list[str]]:
    """Return groups that depend on each other in a circle, largest first.

    Parameters
    ----------
    view
        The opened indexes.
    of
        ``"files"``: files that import each other; ``"symbols"``: functions that call each other.
    limit
        At most so many groups.
    """
    graph, symbols = view.graph, view.symbols
    sure = (graph.callees >= 0) & (graph.statuses == RESOLVED)
    if of == "files":
        rows = np.flatnonzero(sure & (graph.kinds == IMPORT))
        callee = graph.callees[rows]
        target = np.where(
            callee < symbols.count, symbols.files[np.minimum(callee, symbols.count - 1)], callee - symbols.count
        )
        source, size = graph.files[rows].astype(np.int64), view.documents.count
    else:
        rows = np.flatnonzero(sure & (graph.kinds == CALL))
        source, target, size = graph.callers[rows].astype(np.int64), graph.callees[rows], graph.nodes
    keys = np.unique(source[source != target] * size + target[source != target])
    indptr = np.searchsorted(keys // size, np.arange(size + 1)) if size else np.zeros(1, np.int64)
    groups = components(size, indptr, keys % size) if size else []
    label = view.documents.path if of == "files" else lambda node: node_name(view, node)
    return [[label(node) for node in group] for group in groups[:limit]]


def hubs(view: IndexView, *, limit: int = 20) -> list[tuple[SymbolRow, float, int]]:
    """Return the most central definitions with their PageRank and the number of their distinct users."""
    graph = view.graph
    ranks = graph.pagerank[: view.symbols.count]
    order = np.lexsort((np.arange(len(ranks)), -ranks))[:limit]
    return [(symbol_row(view, int(s)), float(ranks[s]), int(graph.in_degree[s])) for s in order]


def edges(view: IndexView) -> list[Edge]:
    """Return every edge, by path, line and column."""
    graph = view.graph
    order = np.lexsort((graph.callees, graph.kinds, graph.columns, graph.lines, graph.files))
    known: dict[int, str] = {}

    def name(node: int) -> str:
        if node not in known:
            known[node] = node_name(view, node)
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
