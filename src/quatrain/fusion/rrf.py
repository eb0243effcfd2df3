"""Weighted reciprocal rank fusion, to the digit.

    contribution = weight / (k + rank + 1)                  rank counts from 0 in its list
    boost        = min(1 + 0.3 ln(1 + centrality), 1.5)
    score        = sum of contributions x boost             x 0.5 under vendored, built, generated or archived paths

The item is the chunk.  Then the best ``per_file`` chunks of each file are kept.  The order is total: score, then path,
then line, which is score, then chunk id, because chunk ids follow the paths and the lines.

Source of the formula: Cormack, Clarke and Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and individual rank
learning methods", SIGIR 2009; here with weights and a centrality boost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatrain._kernels import ranking
from quatrain.fusion.dedupe import best_per_file, distinct
from quatrain.indexes.documents import DEMOTED
from quatrain.records import QueryPlan, RankedList

if TYPE_CHECKING:
    from quatrain.retrieval.view import IndexView

__all__ = ["BOOST_CAP", "BOOST_SLOPE", "DEMOTION", "Fused", "Fusion", "boosts", "fuse_chunks"]

BOOST_SLOPE = 0.3
BOOST_CAP = 1.5
DEMOTION = 0.5


class Fused(NamedTuple):
    """One item of the fused order: a chunk, why it stands there, and the line that is the evidence."""

    chunk: int
    file: int
    score: float
    sources: Mapping[str, tuple[int, float]]  # modality -> (rank from 0, contribution)
    boost: float
    factors: Mapping[str, float]
    line: int
    mark: str


class Fusion(NamedTuple):
    """The fused order, and how many items there were before the limit."""

    hits: list[Fused]
    total: int


def boosts(centrality: np.ndarray) -> np.ndarray:
    """Return the boost of each centrality.

    Parameters
    ----------
    centrality : ndarray of float, shape (n,)
        PageRank of each item's most central symbol; 0 where it has none.

    Returns
    -------
    ndarray of float64, shape (n,)
        Between 1 and ``BOOST_CAP``.
    """
    return np.minimum(1.0 + BOOST_SLOPE * np.log1p(np.asarray(centrality, np.float64)), BOOST_CAP)


def fuse_chunks(
    plan: QueryPlan,
    lists: Sequence[RankedList],
    view: IndexView | Any,
    limit: int,
    per_file: int = 1,
    centrality_scale: float = 1.0,
) -> Fusion:
    """Fuse chunk lists by the formula above, with nothing added.

    Parameters
    ----------
    plan : QueryPlan
        Its ``weights`` and ``k`` are used.
    lists : sequence of RankedList
        One per modality that ran.  Of a chunk that a list names twice only the better rank counts.
    view : IndexView
        Gives ``chunks.files``, ``chunks.centrality`` and ``documents.flags``.
    limit : int
        How many items to return at most.
    per_file : int
        How many chunks of one file may be returned.
    centrality_scale : float
        Factor on the stored centrality; the number of graph nodes makes the mean 1.

    Returns
    -------
    Fusion
        Items by score descending, then chunk id; ``total`` counts what ``per_file`` left.
    """
    ranked = [distinct(one) for one in lists if len(one)]
    if not ranked or limit <= 0:
        return Fusion([], 0)
    ids = np.unique(np.concatenate([one.chunks for one in ranked]))
    files = np.asarray(view.chunks.files[ids], np.int64)
    centrality = np.asarray(view.chunks.centrality[ids], np.float32)
    if centrality_scale != 1.0:
        centrality = centrality * np.float32(centrality_scale)
    demoted = ((view.documents.flags[files] & DEMOTED) != 0).astype(np.uint8)
    weights = [float(plan.weights.get(one.modality, 0.0)) for one in ranked]
    # The kernel indexes by id; positions in the sorted union keep the order of ids and need no array over the whole
    # index.
    local = [np.searchsorted(ids, one.chunks).astype(np.int64) for one in ranked]
    order, scores = ranking.rrf(local, weights, plan.k, len(ids), centrality, demoted)
    kept = best_per_file(files[order], per_file)
    boost = boosts(centrality)
    items = []
    for at in kept[:limit].tolist():
        position = int(order[at])
        chunk = int(ids[position])
        sources, line, mark = contributions(chunk, ranked, weights, plan.k)
        items.append(
            Fused(
                chunk,
                int(files[position]),
                float(scores[at]),
                sources,
                float(boost[position]),
                {"demoted": DEMOTION} if demoted[position] else {},
                line,
                mark,
            )
        )
    return Fusion(items, len(kept))


def contributions(
    chunk: int, lists: Sequence[RankedList], weights: Sequence[float], k: int
) -> tuple[dict[str, tuple[int, float]], int, str]:
    """Return where ``chunk`` stood in each list, and line and mark of the list that gave most (the first of equals)."""
    sources: dict[str, tuple[int, float]] = {}
    line, mark, best = 0, "", -1.0
    for one, weight in zip(lists, weights, strict=True):
        found = np.flatnonzero(one.chunks == chunk)
        if not len(found):
            continue
        rank = int(found[0])
        share = weight / (k + rank + 1)
        sources[one.modality] = (rank, share)
        if share > best:
            best = share
            line = int(one.lines[rank])
            mark = one.marks[rank] if one.marks else ""
    return sources, line, mark
