"""A page that shows who calls a symbol and what it calls: callers left, callees right, to look at and click.

`neighbourhood` takes the picture out of an index as plain data; `page` turns such data into one HTML text that needs nothing else.  The
drawing itself is done in the browser by vis-network, which lies beside this module.
"""

from __future__ import annotations

import hashlib
import html
import json
from base64 import b64encode
from collections.abc import Iterable
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from quatrain.errors import BadQuery, SymbolNotFound
from quatrain.indexes import documents as document_index
from quatrain.indexes.graph import KIND, STATUS
from quatrain.records import EDGE_KINDS, EDGE_STATUSES, EDGE_TIERS, SYMBOL_KINDS
from quatrain.retrieval import nodes as graph_nodes
from quatrain.retrieval.view import IndexView

__all__ = ["NODES", "neighbourhood", "page"]

NODES = 200  # drawn unless asked otherwise; more can hardly be told apart
CENTRES = 12  # definitions of one name that share a picture
SITES = 20  # places shown of one edge
TEXT = 160  # characters shown of a source line, a signature or a docstring

_PROPERTY = SYMBOL_KINDS.index("property")
_CALLS = (KIND["call"], KIND["decorator"], KIND["override"])
_ATTRIBUTE = KIND["attribute"]
#: The better a status says what is called, the earlier.
_ORDER = np.zeros(len(EDGE_STATUSES), np.int64)
_ORDER[[STATUS[s] for s in ("resolved", "may_dispatch", "ambiguous", "unresolved", "external")]] = range(5)


def neighbourhood(
    view: IndexView, symbol: str, *, depth: int = 2, min_confidence: float = 0.3, limit: int = NODES
) -> dict[str, Any]:
    """Return what surrounds a symbol in the graph of calls.

    An edge is a call, a decorator, the reading of a property, or, as ``may_dispatch``, the step from a method to one that overrides it.
    What is defined inside the symbol counts as the symbol; a call from it to itself is left out.

    Parameters
    ----------
    view
        The opened indexes.
    symbol
        A name, simple or qualified, a path or a module.
    depth
        Steps in each direction, at least 1.
    min_confidence
        Edges less sure than this, from 0 to 1, are left out.
    limit
        Number of nodes, at least 1; the nearest, surest and most central ones stay.

    Returns
    -------
    dict
        Of plain values.  ``nodes``: dicts with ``id`` (position in the list), ``name``, ``kind``, ``path``, ``line``, ``level`` (steps from
        the symbol, negative for callers), ``tier``, ``status`` and ``confidence`` of the way there (the product along it), ``rank`` (PageRank),
        ``test``, ``callers`` and ``callees`` (how many there are in the whole index), ``signature`` and ``docstring``.  ``edges``: dicts with
        ``from``, ``to``, ``tier``, ``status``, ``confidence`` of the surest site, ``count`` and ``sites``.  ``cut``: how many nodes each level
        lacks.  ``notes``: what else is missing, in words.

    Raises
    ------
    SymbolNotFound
        Nothing is called that.
    BadQuery
        A number is out of its range.
    """
    if depth < 1 or limit < 1:
        raise BadQuery("depth and limit must be at least 1")
    if not 0 <= min_confidence <= 1:
        raise BadQuery(f"a confidence lies between 0 and 1, unlike {min_confidence:g}")
    if not symbol or "\0" in symbol:
        raise BadQuery("a symbol name must not be empty or hold a NUL byte; name a definition, e.g. pkg.Class.method")
    targets = graph_nodes.find(view, symbol)
    if not targets:
        raise SymbolNotFound(f"nothing in the index is called {symbol!r}; `quatrain symbol --fuzzy` tries near names")
    walk = _Walk(view, targets, min_confidence, limit)
    for step in range(1, depth + 1):
        walk.step(-step)
        walk.step(step)
    edges = walk.edges()
    notes = []
    if walk.homonyms:
        notes.append(
            f"{symbol} names {len(targets)} definitions, of which {CENTRES} are drawn; a qualified name tells them apart"
        )
    if walk.unsure:
        notes.append(f"{walk.unsure} edges of what is drawn are less sure than {min_confidence:g} and left out")
    return {
        "symbol": symbol,
        "depth": depth,
        "min_confidence": min_confidence,
        "nodes": [walk.row(number, node) for number, node in enumerate(walk.placed)],
        "edges": edges,
        "cut": {str(level): count for level, count in sorted(walk.cut.items())},
        "notes": notes,
    }


class _Walk:
    """Nodes placed so far, by steps from the centre."""

    def __init__(self, view: IndexView, targets: list[int], min_confidence: float, limit: int) -> None:
        self.view = view
        self.min_confidence = min_confidence
        self.limit = limit
        meant = np.array(targets, np.int64)
        order = np.lexsort((meant, -view.graph.pagerank[meant], self._tests(meant)))
        centres = meant[order[: min(CENTRES, limit)]].tolist()
        self.homonyms = len(targets) > len(centres)
        #: The node that stands for a node in the picture: itself unless it lies inside a centre.
        self.stand_in = np.arange(view.graph.nodes)
        for centre in reversed(centres):
            self.stand_in[graph_nodes.with_members(view, [centre])] = centre
        self.stand_in[centres] = centres
        self.placed: dict[int, tuple[int, float, int]] = {c: (0, 1.0, -1) for c in centres}  # level, confidence, row
        self.frontier: dict[int, list[int]] = {-1: centres, 1: centres}
        self.cut: dict[int, int] = {}
        self.unsure = 0

    def members(self, nodes: Iterable[int]) -> np.ndarray:
        """Return nodes with all that they stand for."""
        found: dict[int, None] = {}
        for node in nodes:
            found[node] = None
            if self.placed[node][0] == 0:
                inside = graph_nodes.with_members(self.view, [node])
                found.update(dict.fromkeys(inside[self.stand_in[inside] == node].tolist()))
        return np.fromiter(found, np.int64, len(found))

    def rows(self, nodes: Iterable[int], *, forward: bool) -> np.ndarray:
        """Return the edge rows out of or into nodes that belong in a picture of calls, however sure."""
        graph, symbols = self.view.graph, self.view.symbols
        own = self.members(nodes)
        rows = graph.out_of_all(own) if forward else graph.into_all(own)
        callees = graph.callees[rows]
        kinds = graph.kinds[rows]
        known = (callees >= 0) & (callees < symbols.count)
        read = np.zeros(len(rows), np.bool_)
        read[known] = (kinds[known] == _ATTRIBUTE) & (symbols.kinds[callees[known]] == _PROPERTY)
        rows = rows[(callees >= 0) & (np.isin(kinds, _CALLS) | read)]
        return rows[self.stand_in[graph.callers[rows]] != self.stand_in[graph.callees[rows]]]

    def step(self, level: int) -> None:
        """Place what is one step further out."""
        graph, symbols = self.view.graph, self.view.symbols
        side = 1 if level > 0 else -1
        rows = self.rows(self.frontier[side], forward=level > 0)
        rows = rows[graph.confidences[rows] >= self.min_confidence]
        caller, callee = self.stand_in[graph.callers[rows]], self.stand_in[graph.callees[rows]]
        near, far = (caller, callee) if level > 0 else (callee, caller)
        sure = np.array([self.placed[n][1] for n in near.tolist()]) * graph.confidences[rows]
        new = ~np.isin(far, np.fromiter(self.placed, np.int64, len(self.placed)))
        rows, far, sure = rows[new], far[new], sure[new]
        order = np.lexsort((rows, -sure, _ORDER[graph.statuses[rows]], far))
        far, first = np.unique(far[order], return_index=True)
        rows, sure = rows[order[first]], sure[order[first]]
        best = np.lexsort((far, -graph.pagerank[far], self._tests(far), -np.round(sure, 6)))
        room = max(0, self.limit - len(self.placed))
        if side < 0 and len(best) > room // 2:
            # The other direction has a right to half of what is left, and to no more than it can use.
            room -= min(room // 2, self._waiting(far))
        if len(best) > room:
            self.cut[level] = len(best) - room
            best = best[:room]
        for i in best.tolist():
            self.placed[int(far[i])] = level, float(sure[i]), int(rows[i])
        # Top-level code of a file is reached and not passed: who imports a file does not run what its top level calls.
        self.frontier[side] = [int(far[i]) for i in best.tolist() if far[i] < symbols.count]

    def _waiting(self, left: np.ndarray) -> int:
        """Return how many nodes the next step to the right could place."""
        graph = self.view.graph
        rows = self.rows(self.frontier[1], forward=True)
        rows = rows[graph.confidences[rows] >= self.min_confidence]
        there = np.setdiff1d(self.stand_in[graph.callees[rows]], np.fromiter(self.placed, np.int64, len(self.placed)))
        return len(np.setdiff1d(there, left))

    def _tests(self, nodes: np.ndarray) -> np.ndarray:
        flags = self.view.documents.flags[graph_nodes.files_of(self.view, nodes)]
        return (flags & document_index.TEST) != 0

    def edges(self) -> list[dict[str, Any]]:
        """Return every edge between placed nodes, one for each pair, with its sites."""
        graph = self.view.graph
        rows = self.rows(self.placed, forward=True)
        caller, callee = self.stand_in[graph.callers[rows]], self.stand_in[graph.callees[rows]]
        drawn = np.isin(callee, np.fromiter(self.placed, np.int64, len(self.placed)))
        sure = graph.confidences[rows] >= self.min_confidence
        self.unsure = int((drawn & ~sure).sum())
        rows, caller, callee = rows[drawn & sure], caller[drawn & sure], callee[drawn & sure]
        position = {node: i for i, node in enumerate(self.placed)}
        order = np.lexsort(
            (
                graph.columns[rows], graph.lines[rows], graph.files[rows], -graph.confidences[rows],
                _ORDER[graph.statuses[rows]], callee, caller,
            )
        )  # fmt: skip
        found: dict[tuple[int, int], dict[str, Any]] = {}
        for i in order.tolist():
            row, ends = int(rows[i]), (position[int(caller[i])], position[int(callee[i])])
            edge = found.get(ends)
            if edge is None:
                # Sites are in the order of their certainty, so the first one speaks for the edge.
                edge = found[ends] = {
                    "from": ends[0], "to": ends[1], "tier": EDGE_TIERS[graph.tiers[row]], "status": EDGE_STATUSES[graph.statuses[row]],
                    "confidence": round(float(graph.confidences[row]), 4), "count": 0, "sites": [],
                }  # fmt: skip
            edge["count"] += 1
            if edge["count"] <= SITES:
                edge["sites"].append(self._site(row))
        return list(found.values())

    def _site(self, row: int) -> dict[str, Any]:
        graph, documents = self.view.graph, self.view.documents
        file, line = int(graph.files[row]), int(graph.lines[row])
        return {
            "path": documents.path(file),
            "line": line,
            "text": documents.text(file, line, line).strip()[:TEXT],
            "kind": EDGE_KINDS[graph.kinds[row]],
            "tier": EDGE_TIERS[graph.tiers[row]],
            "status": EDGE_STATUSES[graph.statuses[row]],
            "confidence": round(float(graph.confidences[row]), 4),
            "caller": graph_nodes.label(self.view, int(graph.callers[row])),
            "callee": graph_nodes.label(self.view, int(graph.callees[row])),
        }

    def row(self, number: int, node: int) -> dict[str, Any]:
        """Return the public form of a placed node."""
        view = self.view
        level, sure, by = self.placed[node]
        (definition,) = graph_nodes.definitions(view, [node])
        ends = {}
        for forward in (False, True):
            rows = self.rows([node], forward=forward)
            rows = rows[view.graph.confidences[rows] >= self.min_confidence]
            others = view.graph.callees[rows] if forward else view.graph.callers[rows].astype(np.int64)
            ends[forward] = len(np.unique(self.stand_in[others]))
        return {
            "id": number,
            "name": graph_nodes.label(view, node),
            "kind": definition.kind,
            "path": definition.path,
            "line": definition.start_line,
            "level": level,
            "tier": EDGE_TIERS[view.graph.tiers[by]] if by >= 0 else "-",
            "status": EDGE_STATUSES[view.graph.statuses[by]] if by >= 0 else "resolved",
            "confidence": round(sure, 4),
            "rank": float(view.graph.pagerank[node]),
            "test": bool(self._tests(np.array([node]))[0]),
            "callers": ends[False],
            "callees": ends[True],
            "signature": definition.signature[:TEXT],
            "docstring": definition.docstring.split("\n", 1)[0][:TEXT],
        }


def page(data: dict[str, Any]) -> str:
    """Return the HTML text that draws a neighbourhood.

    The page loads nothing: its policy (CSP) forbids every request and every script but the two inside it, which it names by their
    hash.  Names and source lines are data to it, never markup.

    Parameters
    ----------
    data
        What `neighbourhood` returns.

    Returns
    -------
    str
        To be saved as UTF-8.
    """
    folder = files(__name__)
    library, drawing = (folder.joinpath(name).read_text("utf-8") for name in ("vis-network.min.js", "page.js"))
    # An element of data ends at the first "</script" and nowhere else; with "<" spelled out there is none.
    embedded = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    title = html.escape(f"{data['symbol']}: callers and callees").encode("ascii", "xmlcharrefreplace").decode()
    return Template(folder.joinpath("page.html").read_text("utf-8")).substitute(
        title=title, library=library, drawing=drawing, data=embedded, scripts=f"{_source(library)} {_source(drawing)}"
    )


def _source(script: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
