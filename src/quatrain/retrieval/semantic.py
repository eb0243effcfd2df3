"""Find by meaning: embed the question, scan the codes, rescore the nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quatrain.errors import EmbedderUnavailable
from quatrain.records import RankedList

if TYPE_CHECKING:
    from quatrain.indexes.vectors import Neighbours, VectorIndex
    from quatrain.records import QueryPlan
    from quatrain.retrieval.view import IndexView

__all__ = ["retrieve", "similar"]

# A scan beyond so many codes outlasts the start of a helper thread many times over.
_THREADED = 1_000_000


def retrieve(plan: QueryPlan, view: IndexView, limit: int) -> RankedList:
    """Rank chunks by the meaning of the question.

    Parameters
    ----------
    plan
        Its text is embedded; its filters are applied inside the scan.
    view
        Holds the vectors and the embedder that made them.
    limit
        At most so many chunks.

    Returns
    -------
    RankedList
        ``strengths`` are cosines less the baseline: the lowest cosine among the rescored candidates, or the
        embedder's noise floor if that is higher.  Chunks below the noise floor are left out; the evidence line is the
        first of the chunk.

    Raises
    ------
    EmbedderUnavailable
        The index holds no vectors, no embedder is set, or it cannot be reached.
    EmbedderMismatch
        The vectors are those of another embedder.
    """
    vectors = vectors_of(view)
    embedder = view.embedder
    if embedder is None:
        raise EmbedderUnavailable(f"no embedder is set; the index was built with embedder={vectors.identity.spec!r}")
    vectors.check(embedder)
    query = embedder.embed_query(plan.text)
    allow = view.allowed(plan.filters).chunk_bits
    floor = embedder.noise_floor if query.floor is None else query.floor
    found = vectors.search(query, limit, allow, floor=floor, threads=2 if vectors.count > _THREADED else 1)
    return _ranked(found, max(found.lowest, floor), view)


def similar(
    view: IndexView, chunk: int, limit: int, *, own_file: bool = True, plan: QueryPlan | None = None
) -> RankedList:
    """Rank chunks by how near their stored code is to that of a chunk; no text is embedded.

    Parameters
    ----------
    view
        Holds the vectors.
    chunk
        Chunk id; it is never among the results.
    limit
        At most so many chunks.
    own_file
        Whether other chunks of the same file may be returned.
    plan
        Its filters are applied inside the scan.

    Returns
    -------
    RankedList
        ``strengths`` are cosines of the codes, 1 - 2 x distance / bits: 1.0 is an equal code, 0.0 is chance.

    Raises
    ------
    EmbedderUnavailable
        The index holds no vectors.
    """
    vectors = vectors_of(view)
    allow = view.allowed(plan.filters).chunk_bits if plan is not None else None
    hide = None if own_file else view.chunks.of_file(int(view.chunks.files[chunk]))
    return _ranked(vectors.similar(chunk, limit, allow, hide=hide), 0.0, view)


def vectors_of(view: IndexView) -> VectorIndex:
    """Return the vectors of a view, or raise EmbedderUnavailable."""
    if view.vectors is None:
        raise EmbedderUnavailable(
            "the index holds no vectors (it was built with embedder='none'); rebuild it with `quatrain index --rebuild`"
        )
    return view.vectors


def _ranked(found: Neighbours, baseline: float, view: IndexView) -> RankedList:
    chunks = found.chunks
    return RankedList(
        "semantic",
        chunks,
        view.chunks.files[chunks].astype(np.int64),
        found.cosines - baseline,
        view.chunks.start_lines[chunks].astype(np.int64),
    )
