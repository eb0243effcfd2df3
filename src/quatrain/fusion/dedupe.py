"""Which of several mentions of a chunk, and which chunks of a file, count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quatrain.records import RankedList

__all__ = ["best_per_file", "distinct"]


def distinct(ranked: RankedList) -> RankedList:
    """Return the list without the later mentions of a chunk.

    Parameters
    ----------
    ranked : RankedList
        Any list; it is returned as it is when no chunk occurs twice.

    Returns
    -------
    RankedList
    """
    ordered = np.sort(ranked.chunks)
    if not (ordered[1:] == ordered[:-1]).any():
        return ranked
    keep = np.sort(np.unique(ranked.chunks, return_index=True)[1])
    return replace(
        ranked,
        chunks=ranked.chunks[keep],
        files=ranked.files[keep],
        strengths=ranked.strengths[keep],
        lines=ranked.lines[keep],
        coverage=None if ranked.coverage is None else ranked.coverage[keep],
        marks=tuple(ranked.marks[i] for i in keep.tolist()) if ranked.marks else (),
    )


def best_per_file(files: np.ndarray, per_file: int = 1) -> np.ndarray:
    """Return the positions, ascending, of the first ``per_file`` items of each file.

    Parameters
    ----------
    files : ndarray of int, shape (n,)
        The file of each item, best item first.
    per_file : int
        At least 1.

    Returns
    -------
    ndarray of int64
    """
    if per_file < 1:
        raise ValueError(f"per_file must be at least 1, not {per_file}")
    if per_file == 1:
        numbered = zip(reversed(files.tolist()), range(len(files) - 1, -1, -1), strict=True)
        return np.array(sorted(dict(numbered).values()), np.int64)  # the first one of a file is the last to be noted
    order, within = _rank_within(files)
    return np.sort(order[within < per_file])


def _rank_within(files: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a stable order by file, and the rank of each of its items within its file."""
    order = np.argsort(files, kind="stable")
    grouped = np.asarray(files)[order]
    fresh = np.empty(len(grouped), bool)
    fresh[:1] = True
    np.not_equal(grouped[1:], grouped[:-1], out=fresh[1:])
    starts = np.flatnonzero(fresh)
    return order, np.arange(len(grouped)) - starts[np.cumsum(fresh) - 1]
