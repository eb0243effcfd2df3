"""Near-duplicate code: pairs that the stored codes bring near each other, kept if their tokens agree.

The codes propose, the tokens decide: a pair is a near-duplicate if the resemblance of its sets of token trigrams (Broder,
"On the resemblance and containment of documents", 1997) reaches the threshold.  Pairs that share a chunk form one group.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from quatrain.errors import BadQuery
from quatrain.records import DuplicateGroup, DuplicateMember, Filters
from quatrain.retrieval.semantic import vectors_of
from quatrain.retrieval.view import packed_bits

if TYPE_CHECKING:
    from quatrain.retrieval.view import IndexView

__all__ = ["DISTANCE", "MIN_TOKENS", "SIMILARITY", "Duplicates", "find_duplicates"]

SIMILARITY = 0.8
MIN_TOKENS = 50  # as clone detectors do; shorter pieces resemble each other by their syntax alone
# Share of the bits.  A code also sees its path, its names and five lines around it, so that equal text may lie apart: of 1,323
# pairs in 20 repositories that resemble each other by 0.8 or more, 95 % lie within 0.16, 97 % within 0.19, 98 % within 0.22.
DISTANCE = 0.2

_TOKEN = re.compile(rb"[A-Za-z_]\w*|\d+|[^\s\w]")


class Duplicates(NamedTuple):
    """One page of groups, the number of all groups and of all pairs, and where to go on."""

    groups: tuple[DuplicateGroup, ...]
    total: int
    pairs: int
    cursor: str | None


def find_duplicates(
    view: IndexView,
    *,
    similarity: float = SIMILARITY,
    distance: float = DISTANCE,
    min_tokens: int = MIN_TOKENS,
    include_own_file: bool = True,
    filters: Filters,
    limit: int | None = None,
    cursor: str | None = None,
) -> Duplicates:
    """Find groups of chunks that are nearly the same.

    Parameters
    ----------
    view
        Holds vectors and sources.
    similarity
        Least resemblance of a pair, above 0 and at most 1.0 (the same trigrams of tokens).
    distance
        Codes that differ in a larger share of their bits are not compared, from 0 to 1.
    min_tokens
        Shorter chunks are passed over.
    include_own_file
        Whether two places of one file count as a pair.
    filters
        Only chunks that pass them.
    limit, cursor
        Size of the page, and ``cursor`` of the page before.

    Returns
    -------
    Duplicates
        Most repeated tokens first, then by path and line; members by path and line.

    Raises
    ------
    EmbedderUnavailable
        The index holds no vectors.
    BadQuery
        A threshold out of its range, or a cursor that is none.
    """
    if not 0 < similarity <= 1 or not 0 <= distance <= 1:
        raise BadQuery(f"similarity lies in (0, 1] and distance in [0, 1], not {similarity} and {distance}")
    if min_tokens < 3:
        raise BadQuery(f"min_tokens must be at least 3, the length of a token trigram, not {min_tokens}")
    if cursor is not None and not cursor.isdecimal():
        raise BadQuery(f"{cursor[:100]!r} is no cursor; pass on the `cursor` of the answer before")
    vectors = vectors_of(view)
    trigrams, lengths = _trigrams(view, filters, min_tokens)
    files = view.chunks.files
    parts = []
    for near in vectors.near_pairs(distance, packed_bits(lengths > 0)):
        if not include_own_file:
            near = near[files[near[:, 0]] != files[near[:, 1]]]
        parts.append(_resembling(near[:, :2].astype(np.int64), trigrams, similarity))
    first, second, resemblance = (np.concatenate([part[i] for part in parts] or [[]]) for i in range(3))
    groups = _grouped(first.astype(int).tolist(), second.astype(int).tolist(), resemblance.tolist(), lengths)
    start = int(cursor) if cursor is not None else 0
    page = groups[start : None if limit is None else start + limit]
    end = start + len(page)
    return Duplicates(
        tuple(_shown(view, *group) for group in page), len(groups), len(first), str(end) if end < len(groups) else None
    )


def _trigrams(view: IndexView, filters: Filters, min_tokens: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the distinct token trigrams of each chunk as sorted hashes, and its number of tokens; 0 where it is passed over."""
    chunks, wanted = view.chunks, view.allowed(filters).chunks
    numbers: dict[bytes, int] = {}
    trigrams = [np.empty(0, np.uint64)] * len(chunks.files)
    lengths = np.zeros(len(chunks.files), np.int64)
    file, content = -1, b""
    for chunk in range(len(trigrams)) if wanted is None else np.flatnonzero(wanted).tolist():
        if int(chunks.files[chunk]) != file:
            file = int(chunks.files[chunk])
            content = view.documents.content(file)
        tokens = _TOKEN.findall(content, int(chunks.start_bytes[chunk]), int(chunks.end_bytes[chunk]))
        if len(tokens) < min_tokens:
            continue
        lengths[chunk] = len(tokens)
        ids = np.array([numbers.setdefault(token, len(numbers)) for token in tokens], np.uint64)
        # Odd factors, so that the three numbers in another order have another hash.
        mixed = ids[:-2] * np.uint64(0x9E3779B97F4A7C15) + ids[1:-1] * np.uint64(0xC2B2AE3D27D4EB4F) + ids[2:]
        trigrams[chunk] = np.unique(mixed)
    return trigrams, lengths


def _resembling(
    near: np.ndarray, trigrams: list[np.ndarray], similarity: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pairs whose tokens agree, and how much they do."""
    sizes = np.fromiter((len(trigrams[chunk]) for chunk in near.ravel()), np.int64, near.size).reshape(-1, 2)
    # Resemblance is at most the ratio of the sizes.
    near = near[sizes.min(1, initial=1 << 40) >= similarity * sizes.max(1, initial=0)]
    agreed = np.zeros(len(near), np.float64)
    starts = np.flatnonzero(np.diff(near[:, 0], prepend=-1))
    for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(near)], strict=False):
        own = trigrams[near[start, 0]]
        others = [trigrams[other] for other in near[start:end, 1]]
        joined = np.concatenate(others)
        at = np.minimum(np.searchsorted(own, joined), len(own) - 1)
        counts = np.array([len(other) for other in others])
        common = np.add.reduceat((own[at] == joined).astype(np.int64), np.cumsum(counts) - counts)
        agreed[start:end] = common / (len(own) + counts - common)
    kept = agreed >= similarity
    return near[kept, 0], near[kept, 1], agreed[kept]


def _grouped(
    first: list[int], second: list[int], resemblance: list[float], lengths: np.ndarray
) -> list[tuple[list[int], float, int]]:
    """Join pairs that share a chunk; return (members, least resemblance of a pair, tokens of the shortest member), in order."""
    parent: dict[int, int] = {}

    def root(chunk: int) -> int:
        parent.setdefault(chunk, chunk)
        while parent[chunk] != chunk:
            parent[chunk] = parent[parent[chunk]]
            chunk = parent[chunk]
        return chunk

    for a, b in zip(first, second, strict=True):
        low, high = sorted((root(a), root(b)))
        parent[high] = low
    members: dict[int, list[int]] = {}
    for chunk in sorted(parent):
        members.setdefault(root(chunk), []).append(chunk)
    least = dict.fromkeys(members, 1.0)
    for a, value in zip(first, resemblance, strict=True):
        least[root(a)] = min(least[root(a)], value)
    groups = [(chunks, least[key], int(min(lengths[c] for c in chunks))) for key, chunks in members.items()]
    return sorted(groups, key=lambda group: (-(len(group[0]) - 1) * group[2], group[0][0]))


def _shown(view: IndexView, members: list[int], similarity: float, tokens: int) -> DuplicateGroup:
    chunks, documents, symbols = view.chunks, view.documents, view.symbols
    shown = []
    for chunk in members:
        file, symbol = int(chunks.files[chunk]), int(chunks.symbols[chunk])
        shown.append(
            DuplicateMember(
                path=documents.path(file),
                start_line=int(chunks.start_lines[chunk]),
                end_line=int(chunks.end_lines[chunk]),
                symbol=symbols.qualified(symbol) if symbol >= 0 else None,
                language=documents.language(file),
            )
        )
    return DuplicateGroup(tuple(shown), similarity, tokens)
