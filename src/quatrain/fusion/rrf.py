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
from quatrain.fusion.dedupe import best_per_file
from quatrain.fusion.pool import Pool
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
        One per modality that ran; no chunk twice in one list.
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
    ranked = [one for one in lists if len(one)]
    if not ranked or limit <= 0:
        return Fusion([], 0)
    weights = [float(plan.weights.get(one.modality, 0.0)) for one in ranked]
    pool = Pool(ranked, weights, plan.k, view)
    files = view.chunks.files[pool.chunks]
    centrality = view.chunks.centrality[pool.chunks]
    if centrality_scale != 1.0:
        centrality = centrality * np.float32(centrality_scale)
    demoted = ((view.documents.flags[files] & DEMOTED) != 0).astype(np.uint8)
    # The kernel indexes by id; positions in the pool keep the order of ids and need no array over the whole index.
    local = [np.searchsorted(pool.chunks, one.chunks) for one in ranked]
    order, scores = ranking.rrf(local, weights, plan.k, len(pool.chunks), centrality, demoted)
    kept = best_per_file(files[order], per_file)
    shown = kept[:limit]
    boost = boosts(centrality[order[shown]]).tolist()
    items = []
    for number, (position, score) in enumerate(zip(order[shown].tolist(), scores[shown].tolist(), strict=True)):
        line, mark = pool.evidence_line(position)
        items.append(
            Fused(
                pool.chunks.item(position),
                files.item(position),
                score,
                pool.sources(pool.places[:, position].tolist()),
                boost[number],
                {"demoted": DEMOTION} if demoted[position] else {},
                line,
                mark,
            )
        )
    return Fusion(items, len(kept))
