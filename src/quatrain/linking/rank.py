"""Centrality of the nodes of the graph."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Ranks", "pagerank", "rank"]

DAMPING = 0.85
TOLERANCE = 1e-6
ITERATIONS = 100
_AMBIGUOUS, _EXTERNAL, _UNRESOLVED = 1, 2, 3


class Ranks(NamedTuple):
    """Measures per node."""

    pagerank: np.ndarray  # float64, sums to 1
    in_degree: np.ndarray  # uint32, distinct callers
    out_degree: np.ndarray  # uint32, distinct callees


def rank(caller: np.ndarray, callee: np.ndarray, confidence: np.ndarray, status: np.ndarray, nodes: int) -> Ranks:
    """Return PageRank and degrees over the sure edges.

    The weight of caller -> callee is the confidence times ``log(1 + sites)``, so that rank flows to what is used.  Ambiguous, external and
    unresolved edges take no part: a guess must not make a hub.

    Parameters
    ----------
    caller, callee
        Node ids, int64[edges]; callee -1 where there is none.
    confidence
        float[edges].
    status
        uint8[edges], positions in ``records.EDGE_STATUSES``.
    nodes
        Number of nodes.
    """
    keep = (callee >= 0) & (status != _AMBIGUOUS) & (status != _EXTERNAL) & (status != _UNRESOLVED) & (caller != callee)
    source = np.asarray(caller)[keep].astype(np.int64)
    target = np.asarray(callee)[keep].astype(np.int64)
    sure = np.asarray(confidence)[keep].astype(np.float64)
    if nodes == 0:
        return Ranks(np.zeros(0), np.zeros(0, np.uint32), np.zeros(0, np.uint32))
    keys, inverse, sites = np.unique(source * nodes + target, return_inverse=True, return_counts=True)
    best = np.zeros(len(keys))
    np.maximum.at(best, inverse, sure)
    source, target = keys // nodes, keys % nodes
    weight = best * np.log1p(sites)
    out_degree = np.bincount(source, minlength=nodes).astype(np.uint32)
    in_degree = np.bincount(target, minlength=nodes).astype(np.uint32)
    return Ranks(pagerank(source, target, weight, nodes), in_degree, out_degree)


def pagerank(source: np.ndarray, target: np.ndarray, weight: np.ndarray, nodes: int) -> np.ndarray:
    """Return the PageRank of every node by power iteration, to an L1 change below 1e-6.

    A node without edges out spreads its rank over all nodes.

    Parameters
    ----------
    source, target
        Node ids of distinct edges, int64[edges].
    weight
        float64[edges], positive.
    nodes
        Number of nodes, at least 1.

    Returns
    -------
    ndarray of float64, shape (nodes,)
        Sums to 1.

    Notes
    -----
    Source: L. Page, S. Brin, R. Motwani, T. Winograd, "The PageRank citation ranking: bringing order to the web", 1999.
    """
    from scipy.sparse import csr_matrix

    # Rows are targets, so that one product moves rank along every edge.
    flow = csr_matrix((weight, (target, source)), shape=(nodes, nodes))
    out_weight = np.bincount(flow.indices, flow.data, nodes)
    flow.data *= np.divide(DAMPING, out_weight, out=np.zeros(nodes), where=out_weight > 0)[flow.indices]
    dangling = np.flatnonzero(out_weight == 0)
    ranks = np.full(nodes, 1.0 / nodes)
    for _ in range(ITERATIONS):
        previous = ranks
        ranks = flow @ previous
        ranks += (DAMPING * previous[dangling].sum() + 1.0 - DAMPING) / nodes
        previous -= ranks
        if np.abs(previous, out=previous).sum() < TOLERANCE:
            break
    return ranks / ranks.sum()
