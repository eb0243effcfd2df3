"""Find by dependency: who uses what the question names, what a change reaches, what stands one step away.

Order of the answers to "who uses X" and "what does a change of X reach".  Each use has a weight, and a file stands where
its best use stands:

1. what it is: calls and decorators, subclasses, other mentions, imports; the kind that the question names comes first;
2. where it is: other files before the file that defines X, then tests (unless the question is about tests);
3. how sure it is: resolved, ``may_dispatch``, ambiguous, unresolved, external; all but the first are marked;
4. how far it is: each further step of an impact.

The weights are products of the constants below.  Measured one at a time on 934 questions over 27 repositories, half of
them about calls and half about importing files (mean NDCG@10 .979): all kinds alike -.011 [-.018, -.006], the defining
file like any other -.010 [-.015, -.005], files that do not import a module like those that do -.015 [-.024, -.008], no
unresolved calls of the name -.001; the exact values matter less than .001.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from quatrain.query.paths import is_path
from quatrain.records import EDGE_KINDS, EDGE_STATUSES, RankedList
from quatrain.retrieval import nodes, relations
from quatrain.retrieval.mentions import mentions
from quatrain.retrieval.relations import (
    AMBIGUOUS,
    CALL,
    DECORATOR,
    EXTERNAL,
    IMPORT,
    INHERIT,
    MAY_DISPATCH,
    OVERRIDE,
    RESOLVED,
    UNRESOLVED,
)

if TYPE_CHECKING:
    from quatrain.records import QueryPlan
    from quatrain.retrieval.view import IndexView

__all__ = ["retrieve"]

_KIND_WEIGHT = np.full(len(EDGE_KINDS), 0.65)  # types, attributes and plain mentions
_KIND_WEIGHT[[CALL, DECORATOR]] = 1.0
_KIND_WEIGHT[INHERIT] = 0.7
_KIND_WEIGHT[IMPORT] = 0.5  # whoever uses what it imports has a better line to show
_MODULE_IMPORT = 0.95  # of a module; a call of what is in it is the better line to show
_OTHER_RELATION = 0.4  # when the question names a kind
# A file that uses a module's names without importing it gets them by way of another one.
_INDIRECT = 0.6
# The steps are small, so that they order uses of one kind and do not mix the kinds.
_OWN_FILE = 0.85
_TEST = 0.8
_MANY = 0.05  # at most so much more for a file with many uses
_DOUBT = 0.2
_STATUS_WEIGHT = np.ones(len(EDGE_STATUSES))
_STATUS_WEIGHT[MAY_DISPATCH] = 0.5
_STATUS_WEIGHT[AMBIGUOUS] = 0.1
_UNRESOLVED_WEIGHT, _EXTERNAL_WEIGHT, _MENTION_WEIGHT = 0.02, 0.01, 0.002
_STEP = 0.3
_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*")


def retrieve(plan: QueryPlan, view: IndexView, limit: int) -> RankedList:
    """Rank chunks by how they depend on what the question names.

    Parameters
    ----------
    plan
        ``subjects`` are looked up as definitions or files; ``intent`` and ``direction`` choose the walk: uses
        (find_references), everything that a change reaches within ``depth`` steps (impact_analysis), or one step from
        the subjects (all others).
    view
        Holds the graph.
    limit
        At most so many chunks.

    Returns
    -------
    RankedList
        The evidence line is the site of the use.  Sure hits come first; ``marks`` names those that are ``ambiguous``,
        ``may_dispatch``, ``unresolved`` or ``external``.  When the graph knows no use, the lines that hold the name as
        a whole word are returned, marked ``unresolved``.
    """
    targets, subject = _targets(plan, view)
    if not targets and not (subject and plan.direction in ("callers", "dependents")):
        return RankedList.empty("graph", (f"no definition is called {subject}",) if subject else ())
    if plan.intent.name == "find_references" and plan.direction == "callees":
        return _callees(plan, view, targets, limit)
    if plan.intent.name == "impact_analysis" and targets:
        return _impact(plan, view, targets, subject, limit)
    if plan.intent.name in ("find_references", "impact_analysis"):
        return _users(plan, view, targets, subject, limit)
    return _near(plan, view, targets, limit)


def _targets(plan: QueryPlan, view: IndexView) -> tuple[list[int], str]:
    for number, subject in enumerate(plan.subjects):
        found = nodes.find(view, subject, modules_first=plan.of_module)
        if found:
            return _within(view, found, plan.subjects[number + 1 :]), subject
    if plan.subjects:
        return [], plan.subjects[0]
    found = []
    if plan.intent.name in ("find_references", "impact_analysis"):
        return found, ""  # "this function" is not the function called "function"
    for word in _IDENTIFIER.findall(plan.text):
        if len(word) > 3:
            found.extend(view.symbols.exact(word))
    return found[:64], ""


def _within(view: IndexView, targets: list[int], others: tuple[str, ...]) -> list[int]:
    """Return those of several definitions that lie in a file which the question also names, if any does."""
    if len(targets) > 1:
        for name in others:
            if is_path(name):
                files = view.modules.find(name)
                inside = np.isin(nodes.files_of(view, np.array(targets)), files)
                if inside.any():
                    return [target for target, kept in zip(targets, inside, strict=True) if kept]
    return targets


class _Sites:
    """Places in the code with a weight and a status each."""

    def __init__(self) -> None:
        self._parts: list[tuple[np.ndarray, ...]] = []

    def __len__(self) -> int:
        return sum(len(part[0]) for part in self._parts)

    def add(self, files: np.ndarray, lines: np.ndarray, weights: np.ndarray, statuses: np.ndarray) -> None:
        """Add places; arrays of equal length."""
        self._parts.append((files.astype(np.int64), lines.astype(np.int64), weights.astype(np.float64), statuses))

    def columns(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return files, lines, weights and statuses."""
        files, lines, weights, statuses = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        return files, lines, weights, statuses


def _users(plan: QueryPlan, view: IndexView, targets: list[int], subject: str, limit: int) -> RankedList:
    graph = view.graph
    names = relations.name_ids(view, subject, targets)
    found = _Sites()
    if targets:
        uses = relations.uses_of(view, targets, kinds=None)
        weights = _use_weights(plan, view, targets, uses.rows) * _sureness(uses.statuses, uses.confidences)
        found.add(graph.files[uses.rows], graph.lines[uses.rows], weights, uses.statuses)
    guesses = relations.namesakes(view, targets, names)
    if targets and nodes.is_qualified(subject):
        guesses = guesses[graph.statuses[guesses] != EXTERNAL]  # those of another thing that has the name
    weights = np.where(graph.statuses[guesses] == EXTERNAL, _EXTERNAL_WEIGHT, _UNRESOLVED_WEIGHT)
    found.add(graph.files[guesses], graph.lines[guesses], weights, graph.statuses[guesses])
    if not len(found) or (not targets and plan.relation is not None):  # a package from outside is imported, not called
        _add_mentions(found, plan, view, subject, targets)
    notes = relations.notes_of(relations.counts_of(view, names))
    if not targets:
        notes = (f"no definition is called {subject}", *notes)
    return _shown(plan, view, found, targets, limit, notes)


def _sureness(statuses: np.ndarray, confidences: np.ndarray) -> np.ndarray:
    """Return float64[n]: what is left of a use's weight, given how it was resolved."""
    sure = statuses == RESOLVED  # of these even the least sure is right more often than not
    return _STATUS_WEIGHT[statuses] * np.where(sure, 1.0 - _DOUBT * (1.0 - confidences), confidences)


def _use_weights(plan: QueryPlan, view: IndexView, targets: list[int], rows: np.ndarray) -> np.ndarray:
    """Return float64[n]: the weight of each use by its kind, and by which of several definitions it is a use of."""
    graph = view.graph
    kinds = graph.kinds[rows]
    weights = _KIND_WEIGHT[kinds]
    if plan.relation is not None:
        weights = np.where(kinds == EDGE_KINDS.index(plan.relation), 1.0, weights * _OTHER_RELATION)
    if nodes.modules_among(view, targets):
        imports = graph.into_all(np.asarray(targets, np.int64))
        direct = np.isin(graph.files[rows], graph.files[imports[graph.kinds[imports] == IMPORT]])
        if plan.relation is None:
            weights = np.where(kinds == IMPORT, _MODULE_IMPORT, weights)
        return np.where(direct, weights, weights * _INDIRECT)
    if len(targets) > 1:
        ids, prominence = nodes.prominence(view, targets)
        at = np.minimum(np.searchsorted(ids, graph.callees[rows]), len(ids) - 1)
        weights = weights * np.where(ids[at] == graph.callees[rows], prominence[at], 1.0)
    return weights


def _add_mentions(found: _Sites, plan: QueryPlan, view: IndexView, subject: str, targets: list[int]) -> None:
    allowed = view.allowed(plan.filters).files
    named = mentions(view, subject, targets, allowed, imports=plan.relation == "import")
    found.add(
        named.files, named.lines, named.weights * _MENTION_WEIGHT, np.full(len(named.files), UNRESOLVED, np.uint8)
    )


def _callees(plan: QueryPlan, view: IndexView, targets: list[int], limit: int) -> RankedList:
    """Return the definitions that the subject calls."""
    graph, symbols = view.graph, view.symbols
    rows = graph.out_of_all(nodes.with_members(view, targets))
    rows = rows[(graph.kinds[rows] == CALL) & (graph.callees[rows] >= 0) & (graph.callees[rows] < symbols.count)]
    callees = graph.callees[rows]
    if nodes.modules_among(view, targets):
        outside = ~np.isin(symbols.files[callees], nodes.files_of(view, np.array(targets)))
        rows, callees = rows[outside], callees[outside]
    found = _Sites()
    weights = _sureness(graph.statuses[rows], graph.confidences[rows])
    found.add(symbols.files[callees], symbols.lines[callees], weights, graph.statuses[rows])
    return _shown(plan, view, found, [], limit, ())


def _impact(plan: QueryPlan, view: IndexView, targets: list[int], subject: str, limit: int) -> RankedList:
    """Return whatever a change of the subject reaches: its users as above, then what those reach, step by step."""
    graph, symbols = view.graph, view.symbols
    forward = plan.direction == "dependencies"
    start = nodes.with_members(view, targets)
    reached = relations.reach(view, start, max(plan.depth, 1), forward=forward)
    # What an override hides is reached on the way to those that call it, but does not depend on the override.
    keep = graph.kinds[reached.rows] != OVERRIDE
    rows, reached_nodes = reached.rows[keep], reached.nodes[keep]
    weights = reached.confidences[keep] * _use_weights(plan, view, targets, rows)
    weights *= _STEP ** (reached.distances[keep] - 1.0)
    found = _Sites()
    if forward:
        files = nodes.files_of(view, reached_nodes)
        outside = np.ones(len(files), bool)
        if nodes.modules_among(view, targets):
            outside = ~np.isin(files, nodes.files_of(view, np.array(targets)))
        lines = np.ones(len(files), np.int64)
        defined = reached_nodes < symbols.count
        lines[defined] = symbols.lines[reached_nodes[defined]]
        found.add(files[outside], lines[outside], weights[outside], graph.statuses[rows][outside])
        return _shown(plan, view, found, [], limit, ())
    found.add(graph.files[rows], graph.lines[rows], weights, graph.statuses[rows])
    names = relations.name_ids(view, subject, targets)
    guesses = relations.namesakes(view, targets, names)
    guesses = guesses[graph.statuses[guesses] == UNRESOLVED]
    guessed = np.full(len(guesses), _UNRESOLVED_WEIGHT * _STEP)
    found.add(graph.files[guesses], graph.lines[guesses], guessed, graph.statuses[guesses])
    if not len(found):
        _add_mentions(found, plan, view, subject, targets)
    return _shown(plan, view, found, targets, limit, relations.notes_of(relations.counts_of(view, names)))


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
    near = np.flatnonzero(score[: symbols.count])
    found = _Sites()
    found.add(symbols.files[near], symbols.lines[near], score[near], np.full(len(near), RESOLVED, np.uint8))
    return _shown(plan, view, found, [], limit, ())


def _shown(
    plan: QueryPlan, view: IndexView, found: _Sites, targets: list[int], limit: int, notes: tuple[str, ...]
) -> RankedList:
    """Turn places into the best one of each chunk, within the filters."""
    if not len(found):
        return RankedList.empty("graph", notes)
    files, lines, strengths, statuses = found.columns()
    chunks = view.chunks.at_lines(files, lines)
    keep = chunks >= 0
    allowed = view.allowed(plan.filters)
    if allowed.chunks is not None:
        keep &= allowed.chunks[np.maximum(chunks, 0)]
    chunks, files, lines, strengths, statuses = chunks[keep], files[keep], lines[keep], strengths[keep], statuses[keep]
    if not plan.wants_tests:
        strengths = strengths * np.where(relations.is_test(view, files), _TEST, 1.0)
    if targets:
        own = np.isin(files, nodes.files_of(view, np.asarray(targets)))
        strengths = np.where(own, strengths * _OWN_FILE, strengths)
    _, owner, uses = np.unique(files, return_inverse=True, return_counts=True)
    strengths = strengths * (1.0 + _MANY * (1.0 - 1.0 / uses[owner]))
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
