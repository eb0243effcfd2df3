"""Find by dependency: who uses what the question names, what a change reaches, what stands one step away."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from quatrain.records import EDGE_STATUSES, RankedList
from quatrain.retrieval import relations
from quatrain.retrieval.relations import AMBIGUOUS, CALL, EXTERNAL, IMPORT, MAY_DISPATCH, RESOLVED, UNRESOLVED

if TYPE_CHECKING:
    from quatrain.records import QueryPlan
    from quatrain.retrieval.view import IndexView

__all__ = ["retrieve"]

_TEST_FACTOR = 0.5
_MENTION_FACTOR = 0.8  # a use that is no call
_IMPORT_FACTOR = 0.6
_STATUS_FACTOR = np.ones(len(EDGE_STATUSES))
_STATUS_FACTOR[[AMBIGUOUS, UNRESOLVED, EXTERNAL]] = 0.1
_STATUS_FACTOR[MAY_DISPATCH] = 0.5
_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*")


def retrieve(plan: QueryPlan, view: IndexView, limit: int) -> RankedList:
    """Rank chunks by how they depend on what the question names.

    Parameters
    ----------
    plan
        ``subjects`` are looked up as symbols; ``intent`` and ``direction`` choose the walk: call sites (find_references), everything that a
        change reaches within ``depth`` steps (impact_analysis), or one step from the subjects (all others).
    view
        Holds the graph.
    limit
        At most so many chunks.

    Returns
    -------
    RankedList
        The evidence line is the site of the use.  Sure hits come first; ``marks`` names those that are ``ambiguous``, ``may_dispatch``,
        ``unresolved`` or ``external``.
    """
    targets, subject = _targets(plan, view)
    if plan.intent.name == "find_references":
        if plan.direction == "callees":
            return _callees(plan, view, targets, limit)
        return _users(plan, view, targets, subject, limit)
    if not targets:
        return RankedList.empty("graph", (f"no definition is called {subject}",) if subject else ())
    if plan.intent.name == "impact_analysis":
        return _impact(plan, view, targets, limit)
    return _near(plan, view, targets, limit)


def _targets(plan: QueryPlan, view: IndexView) -> tuple[list[int], str]:
    for subject in plan.subjects:
        found = relations.find(view, subject)
        if found:
            return found, subject
    if plan.subjects:
        return [], plan.subjects[0]
    found: list[int] = []
    if plan.intent.name in ("find_references", "impact_analysis"):
        return found, ""  # "this function" is not the function called "function"
    for word in _IDENTIFIER.findall(plan.text):
        if len(word) > 3:
            found.extend(view.symbols.exact(word))
    return found[:64], ""


def _users(plan: QueryPlan, view: IndexView, targets: list[int], subject: str, limit: int) -> RankedList:
    graph = view.graph
    names = relations.name_ids(view, subject, targets)
    counts = relations.counts_of(view, names)
    if targets:
        uses = relations.uses_of(view, targets, kinds=None)
    elif names:
        uses = relations.uses_by_name(view, names, None)
    else:
        return RankedList.empty("graph", (f"nothing is called {subject}",) if subject else ())
    strengths = uses.confidences * _STATUS_FACTOR[uses.statuses]
    if not targets:
        strengths = np.full(len(uses.rows), 0.01)
    kinds = graph.kinds[uses.rows]
    strengths = strengths * np.where(kinds == CALL, 1.0, np.where(kinds == IMPORT, _IMPORT_FACTOR, _MENTION_FACTOR))
    return _ranked(plan, view, uses.rows, strengths, uses.statuses, limit, relations.notes_of(counts))


def _callees(plan: QueryPlan, view: IndexView, targets: list[int], limit: int) -> RankedList:
    """Return the definitions that the subject calls."""
    graph, symbols = view.graph, view.symbols
    if not targets:
        return RankedList.empty("graph")
    rows = graph.out_of_all(relations.with_members(view, targets))
    rows = rows[(graph.kinds[rows] == CALL) & (graph.callees[rows] >= 0) & (graph.callees[rows] < symbols.count)]
    strengths = graph.confidences[rows] * _STATUS_FACTOR[graph.statuses[rows]]
    callees = graph.callees[rows]
    return _shown(
        plan, view, symbols.files[callees], symbols.lines[callees], strengths, graph.statuses[rows], limit, ()
    )


def _impact(plan: QueryPlan, view: IndexView, targets: list[int], limit: int) -> RankedList:
    graph, symbols = view.graph, view.symbols
    forward = plan.direction == "dependencies"
    start = relations.with_members(view, targets)
    found = relations.reach(view, start, max(plan.depth, 1), forward=forward)
    strengths = found.confidences / found.distances
    kinds = graph.kinds[found.rows]
    strengths = strengths * np.where(kinds == IMPORT, _IMPORT_FACTOR, 1.0)
    statuses = graph.statuses[found.rows]
    if forward:
        keep = found.nodes < symbols.count
        nodes = found.nodes[keep]
        return _shown(
            plan, view, symbols.files[nodes], symbols.lines[nodes], strengths[keep], statuses[keep], limit, ()
        )
    return _ranked(plan, view, found.rows, strengths, statuses, limit, ())


def _near(plan: QueryPlan, view: IndexView, targets: list[int], limit: int) -> RankedList:
    """Return the subjects and what stands one step from them; a step from or to a hub counts for less."""
    graph, symbols = view.graph, view.symbols
    seeds = np.array(sorted(set(targets)), np.int64)
    score = np.zeros(graph.nodes)
    score[seeds] = 1.0
    degree = np.sqrt(1.0 + graph.in_degree + graph.out_degree)
    for rows, source, target in (
        (out := graph.out_of_all(seeds), graph.callers[out].astype(np.int64), graph.callees[out]),
        (back := graph.into_all(seeds), graph.callees[back], graph.callers[back].astype(np.int64)),
    ):
        keep = (target >= 0) & (graph.statuses[rows] == RESOLVED)
        weight = 0.5 * graph.confidences[rows[keep]] / (degree[source[keep]] * degree[target[keep]])
        np.add.at(score, target[keep], weight)
    nodes = np.flatnonzero(score[: symbols.count])
    none = np.full(len(nodes), RESOLVED, np.uint8)
    return _shown(plan, view, symbols.files[nodes], symbols.lines[nodes], score[nodes], none, limit, ())


def _ranked(
    plan: QueryPlan,
    view: IndexView,
    rows: np.ndarray,
    strengths: np.ndarray,
    statuses: np.ndarray,
    limit: int,
    notes: tuple[str, ...],
) -> RankedList:
    graph = view.graph
    return _shown(plan, view, graph.files[rows], graph.lines[rows], strengths, statuses, limit, notes)


def _shown(
    plan: QueryPlan,
    view: IndexView,
    files: np.ndarray,
    lines: np.ndarray,
    strengths: np.ndarray,
    statuses: np.ndarray,
    limit: int,
    notes: tuple[str, ...],
) -> RankedList:
    """Turn sites into the best one of each chunk, within the filters."""
    files, lines = files.astype(np.int64), lines.astype(np.int64)
    if not plan.wants_tests:
        strengths = strengths * np.where(relations.is_test(view, files), _TEST_FACTOR, 1.0)
    chunks = view.chunks.at_lines(files, lines)
    keep = chunks >= 0
    allowed = view.allowed(plan.filters)
    if allowed.chunks is not None:
        keep &= allowed.chunks[np.maximum(chunks, 0)]
    chunks, files, lines, strengths, statuses = chunks[keep], files[keep], lines[keep], strengths[keep], statuses[keep]
    order = np.lexsort((lines, chunks, -np.round(strengths, 9)))
    _, first = np.unique(chunks[order], return_index=True)
    first.sort()
    order = order[first][:limit]
    marks = tuple("" if s == RESOLVED else EDGE_STATUSES[s] for s in statuses[order].tolist())
    return RankedList(
        "graph",
        chunks[order],
        files[order],
        strengths[order],
        lines[order],
        marks=marks if any(marks) else (),
        notes=notes,
    )
