"""The chunks and files that some ranked lists name, and where each list has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from quatrain._kernels import ranking
from quatrain.records import RankedList

if TYPE_CHECKING:
    from quatrain.retrieval.view import IndexView

__all__ = ["DECAY", "Pool"]

# Weight of the 1st to 5th best chunk of a file: r ** -1.5.
DECAY = np.arange(1, 6, dtype=np.float64) ** -1.5
DECAY.flags.writeable = False


class Pool:
    """What several lists name, chunk by chunk and file by file.

    Parameters
    ----------
    ranked : sequence of RankedList
        Each best first, with falling strengths that are not negative, and no chunk twice.
    weights : sequence of float
        One per list.
    k : int
        Of reciprocal rank fusion.
    view : IndexView
        Gives ``chunks.files``.

    Attributes
    ----------
    chunks, files : ndarray of int64
        Ascending.
    starts, best : ndarray of int64, one per file
        Position in ``chunks`` of a file's first chunk, and of the one to which the lists contribute most (the first of
        equals).
    scores : ndarray of float64, one per file
        Sum of ``weight / (k + place + 1)`` over the lists.
    places : ndarray of int64, shape (lists, chunks)
        Rank of each chunk in each list, from 0, or -1.
    file_places : ndarray of int64, shape (lists, files)
        Rank of each file in each list by its value there, from 0, or -1; equal values follow the file ids.
    values : ndarray of float64, shape (lists, files)
        Sum of the best five strengths of each file in each list, weighted r ** -1.5; 0 where the list has none of it.

    Raises
    ------
    ValueError
        A list names a chunk twice, or one that does not exist.
    """

    def __init__(self, ranked: Sequence[RankedList], weights: Sequence[float], k: int, view: IndexView | Any) -> None:
        self.ranked = ranked
        self._weights, self._k = weights, k
        (
            self.chunks, self._shares, self.places, self.files, self.starts, self.best, self.scores, self.file_places,
            self.values,
        ) = ranking.pool(
            [one.chunks for one in ranked], [one.strengths for one in ranked], weights, k, view.chunks.files, DECAY
        )  # fmt: skip

    def strengths(self) -> np.ndarray:
        """Return float64[lists, files]: each list's value of each file over the largest in the list."""
        most = self.values.max(axis=1, keepdims=True)
        return self.values / np.where(most > 0, most, 1.0)

    def sources(self, places: Sequence[int]) -> dict[str, tuple[int, float]]:
        """Return rank and contribution by modality, given the rank in each list, or -1."""
        return {
            one.modality: (place, weight / (self._k + place + 1))
            for one, weight, place in zip(self.ranked, self._weights, places, strict=True)
            if place >= 0
        }

    def best_of(self, at: int, count: int) -> list[tuple[int, float]]:
        """Return the positions of the ``count`` best chunks of a file, and each one's share of the best one's sum."""
        best = self.best.item(at)
        if count == 1:
            return [(best, 1.0)]
        start = self.starts.item(at)
        end = self.starts.item(at + 1) if at + 1 < len(self.starts) else len(self.chunks)
        order = start + np.argsort(-self._shares[start:end], kind="stable")[:count]
        top = self._shares.item(best)
        return [(i, self._shares.item(i) / top if top > 0 else 1.0) for i in order.tolist()]

    def evidence_line(self, position: int) -> tuple[int, str]:
        """Return the evidence line and the mark of the list that contributes most to a chunk."""
        line, mark, best = 0, "", -1.0
        for one, weight, rank in zip(self.ranked, self._weights, self.places[:, position].tolist(), strict=True):
            if rank >= 0 and (share := weight / (self._k + rank + 1)) > best:
                best, line = share, one.lines.item(rank)
                mark = one.marks[rank] if one.marks else ""
        return line, mark
