"""Many ranked lists in, one order out: the pure formula (``rrf``), or that plus relevance evidence (``evidence``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from quatrain.fusion.dedupe import distinct
from quatrain.fusion.evidence import fuse_files
from quatrain.fusion.rrf import Fused, Fusion, fuse_chunks
from quatrain.records import QueryPlan, RankedList

if TYPE_CHECKING:
    from quatrain.retrieval.view import IndexView

__all__ = ["Fused", "Fusion", "fuse"]


def fuse(
    plan: QueryPlan,
    lists: Sequence[RankedList],
    view: IndexView | Any,
    *,
    limit: int,
    per_file: int = 1,
    evidence: bool | Mapping[str, float] = True,
    centrality: str = "raw",
) -> Fusion:
    """Merge the lists of the modalities that ran.

    Parameters
    ----------
    plan : QueryPlan
        The classified question.
    lists : sequence of RankedList
        One per modality; on the direct path the only one.  Of a chunk that a list names twice only the better rank
        counts.
    view : IndexView
        The opened indexes.
    limit : int
        How many items to return at most.
    per_file : int
        How many chunks of one file may be returned.
    evidence : bool or mapping of str to float
        False gives the pure formula over chunks, which suits a direct answer: its retriever's order is the answer.  A
        mapping replaces constants of the evidence step, e.g. ``{"folder": 0.0}``.
    centrality : str
        ``"raw"`` PageRank, or ``"scaled"`` by the number of graph nodes, so that its mean is 1.

    Returns
    -------
    Fusion

    Raises
    ------
    BadQuery
        ``evidence`` names an unknown constant.
    """
    lists = [distinct(one) for one in lists]
    scale = 1.0 if centrality == "raw" else float(view.symbols.count + view.documents.count)
    if evidence is False:
        return fuse_chunks(plan, lists, view, limit, per_file, scale)
    overrides = evidence if isinstance(evidence, Mapping) else None
    return fuse_files(plan, lists, view, limit, per_file, scale, overrides)
