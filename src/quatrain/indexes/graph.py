"""The dependency graph: who uses what, by whom, by callee and by name.

Nodes are the symbols (0 .. S-1) and, for the top-level code of file f, S + f.  Edge rows are sorted by (caller, file,
line, column, callee); the rows of one caller are therefore one range, and the rows of one callee or one name are an
indirection through a compressed sparse row pair of arrays.  Ambiguous, external and unresolved uses are rows like any
other, so that an answer can count what it does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quatrain.indexes.strings import SectionReader, SectionWriter, StringTable, encode
from quatrain.records import EDGE_KINDS, EDGE_STATUSES

if TYPE_CHECKING:
    from quatrain.indexes.symbols import SymbolOrder
    from quatrain.linking.link import LinkResult

__all__ = ["GraphIndex", "build", "stored_edges"]

KIND = {name: code for code, name in enumerate(EDGE_KINDS)}
STATUS = {name: code for code, name in enumerate(EDGE_STATUSES)}


def build(writer: SectionWriter, linked: LinkResult, order: SymbolOrder, file_count: int) -> np.ndarray:
    """Write the graph.

    Parameters
    ----------
    writer
        Receives the sections.
    linked
        Edges in terms of (file, local symbol).
    order
        Global symbol ids; its names hold every name of ``linked``.
    file_count
        Number of files F.

    Returns
    -------
    numpy.ndarray
        float64[S + F]: PageRank of every node, summing to 1.
    """
    from quatrain.linking.rank import rank  # looking up needs no linker

    symbols = order.count
    nodes = symbols + file_count

    def node_ids(files: np.ndarray, local: np.ndarray) -> np.ndarray:
        ids = order.global_ids(files, np.where(files >= 0, local, -1))
        return np.where(ids >= 0, ids, np.where(files >= 0, symbols + files.astype(np.int64), -1))

    caller = node_ids(linked.caller_file, linked.caller_symbol)
    callee = node_ids(linked.callee_file, linked.callee_symbol)
    names = np.array([order.name_ids[encode(name)] for name in linked.names], np.int64)
    name = names[linked.name] if len(names) else np.empty(0, np.int64)
    rows = np.lexsort((linked.kind, callee, linked.column, linked.line, linked.file, caller))
    caller, callee, name = caller[rows], callee[rows], name[rows]
    confidence, status = linked.confidence[rows], linked.status[rows]
    writer.add("edge/caller", caller.astype(np.uint32))
    writer.add("edge/callee", callee)
    writer.add("edge/name", name.astype(np.uint32))
    writer.add("edge/kind", linked.kind[rows])
    writer.add("edge/tier", linked.tier[rows])
    writer.add("edge/status", status)
    writer.add("edge/confidence", confidence)
    writer.add("edge/file", linked.file[rows].astype(np.uint32))
    writer.add("edge/line", linked.line[rows])
    writer.add("edge/column", linked.column[rows])
    writer.add("graph/out_indptr", np.searchsorted(caller, np.arange(nodes + 1)).astype(np.int64))
    by_callee = np.argsort(callee, kind="stable")
    first = int(np.searchsorted(callee[by_callee], 0))
    by_callee = by_callee[first:]  # rows without a callee lead nowhere
    writer.add("graph/in_edges", by_callee.astype(np.uint32))
    writer.add("graph/in_indptr", np.searchsorted(callee[by_callee], np.arange(nodes + 1)).astype(np.int64))
    by_name = np.argsort(name, kind="stable")
    writer.add("graph/name_edges", by_name.astype(np.uint32))
    writer.add("graph/name_indptr", np.searchsorted(name[by_name], np.arange(len(order.names) + 1)).astype(np.int64))
    ranks = rank(caller, callee, confidence, status, nodes)
    writer.add("graph/pagerank", ranks.pagerank)
    writer.add("graph/in_degree", ranks.in_degree)
    writer.add("graph/out_degree", ranks.out_degree)
    return ranks.pagerank


def stored_edges(segment: SectionReader) -> LinkResult:
    """Return the edges that a segment holds, as they were linked."""
    from quatrain.linking.link import LinkResult, sorted_edges

    get = segment.array
    owner, local = get("symbol/file").astype(np.int32), get("symbol/local").astype(np.int32)

    def places(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        top_level = nodes >= len(owner)
        inside = (nodes >= 0) & ~top_level
        file = np.where(top_level, nodes - len(owner), -1).astype(np.int32)
        symbol = np.full(len(nodes), -1, np.int32)
        file[inside], symbol[inside] = owner[nodes[inside]], local[nodes[inside]]
        return file, symbol

    used, name = np.unique(get("edge/name"), return_inverse=True)
    spelled = StringTable(segment, "name")
    callers, callees = places(get("edge/caller").astype(np.int64)), places(get("edge/callee").astype(np.int64))
    return sorted_edges(
        LinkResult(
            *callers, *callees, name.astype(np.uint32), get("edge/kind"), get("edge/tier"), get("edge/status"),
            get("edge/confidence"), get("edge/file").astype(np.int32), get("edge/line"), get("edge/column"),
            tuple(spelled[n] for n in used.tolist()),
        )
    )  # fmt: skip


class GraphIndex:
    """Edges by caller, by callee and by name."""

    def __init__(self, segment: SectionReader) -> None:
        self.callers = segment.array("edge/caller")
        self.callees = segment.array("edge/callee")
        self.names = segment.array("edge/name")
        self.kinds = segment.array("edge/kind")
        self.tiers = segment.array("edge/tier")
        self.statuses = segment.array("edge/status")
        self.confidences = segment.array("edge/confidence")
        self.files = segment.array("edge/file")
        self.lines = segment.array("edge/line")
        self.columns = segment.array("edge/column")
        self.out_indptr = segment.array("graph/out_indptr")
        self.in_indptr = segment.array("graph/in_indptr")
        self.in_edges = segment.array("graph/in_edges")
        self.name_indptr = segment.array("graph/name_indptr")
        self.name_edges = segment.array("graph/name_edges")
        self.pagerank = segment.array("graph/pagerank")
        self.in_degree = segment.array("graph/in_degree")
        self.out_degree = segment.array("graph/out_degree")

    @property
    def count(self) -> int:
        """Number of edges."""
        return len(self.kinds)

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.pagerank)

    def named(self, name: int) -> np.ndarray:
        """Return the edge rows that use a name, whatever it was resolved to."""
        return self.name_edges[self.name_indptr[name] : self.name_indptr[name + 1]].astype(np.int64)

    def into_all(self, nodes: np.ndarray) -> np.ndarray:
        """Return the edge rows whose callee is one of ``nodes``."""
        return self.in_edges[_ranges(self.in_indptr[nodes], self.in_indptr[nodes + 1])].astype(np.int64)

    def out_of_all(self, nodes: np.ndarray) -> np.ndarray:
        """Return the edge rows whose caller is one of ``nodes``."""
        return _ranges(self.out_indptr[nodes], self.out_indptr[nodes + 1])


def _ranges(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the concatenation of ``arange(start, end)``."""
    lengths = ends - starts
    total = int(lengths.sum())
    if not total:
        return np.empty(0, np.int64)
    keep = lengths > 0
    starts, lengths = starts[keep], lengths[keep]
    steps = np.ones(total, np.int64)
    steps[0] = starts[0]
    steps[np.cumsum(lengths)[:-1]] = starts[1:] - (starts[:-1] + lengths[:-1] - 1)
    return np.cumsum(steps)
