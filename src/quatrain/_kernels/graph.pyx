"""A walk along the edges of the dependency graph."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t


cdef extern from "graph.h" nogil:
    ctypedef struct qt_graph:
        const int64_t *indptr
        const uint32_t *rows
        const uint32_t *narrow
        const int64_t *wide
        const float *confidences
        const uint8_t *kinds
        size_t nodes
        size_t positions
        size_t edges
    ctypedef struct qt_reached:
        int64_t node
        int64_t distance
        int64_t row
        int64_t via
        double confidence
    int QT_GRAPH_MEMORY
    int64_t qt_graph_reach(const qt_graph *graph, const int64_t *start, size_t start_count, int64_t depth, double cut_off, size_t passable,
                           int last_kind, qt_reached **found)
    void qt_graph_free(void *memory)


def reach(const int64_t[::1] indptr not None, const uint32_t[::1] rows, targets not None, const float[::1] confidences not None,
          const uint8_t[::1] kinds not None, const int64_t[::1] start not None, int64_t depth, double cut_off, Py_ssize_t passable,
          int last_kind):
    """Walk the edges of a graph breadth first; documented at `reference.reach`.  The GIL is released."""
    cdef const uint32_t[::1] narrow
    cdef const int64_t[::1] wide
    cdef size_t edges = len(targets), starts = start.shape[0], i
    cdef qt_graph graph
    cdef qt_reached *found = NULL
    cdef int64_t count
    if indptr.shape[0] < 1 or confidences.shape[0] != <Py_ssize_t> edges or kinds.shape[0] != <Py_ssize_t> edges or passable < 0:
        raise ValueError(f"indptr has {indptr.shape[0]} values (n nodes need n + 1); {edges} targets, {confidences.shape[0]} confidences, "
                         f"{kinds.shape[0]} kinds; passable={passable} at least 0")
    graph.nodes, graph.edges = indptr.shape[0] - 1, edges
    graph.positions = edges if rows is None else rows.shape[0]
    graph.indptr = &indptr[0]
    graph.rows = graph.narrow = NULL
    graph.wide = NULL
    if edges:
        if targets.dtype == np.uint32:
            narrow = targets
            graph.narrow = &narrow[0]
        else:
            wide = targets
            graph.wide = &wide[0]
        graph.confidences, graph.kinds = &confidences[0], &kinds[0]
        if rows is not None and rows.shape[0]:
            graph.rows = &rows[0]
    with nogil:
        count = qt_graph_reach(&graph, &start[0] if starts else NULL, starts, depth, cut_off, passable, last_kind, &found)
    if count == QT_GRAPH_MEMORY:
        raise MemoryError("no memory for the nodes reached")
    if count < 0:
        raise ValueError(f"a node is outside the {graph.nodes} nodes, or a row outside the {edges} edges")
    nodes, distances, by_row, via = (np.empty(count, np.int64) for _ in range(4))
    sure = np.empty(count, np.float64)
    cdef int64_t[::1] n = nodes, d = distances, r = by_row, v = via
    cdef double[::1] s = sure
    for i in range(<size_t> count):
        n[i], d[i], r[i], v[i], s[i] = found[i].node, found[i].distance, found[i].row, found[i].via, found[i].confidence
    qt_graph_free(found)
    return nodes, distances, by_row, via, sure
