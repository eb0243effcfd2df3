"""A readable twin of every kernel: same names and signatures, same answers, same ties.

Written for reading, not for speed; tests compare the compiled kernels with it at every level this machine can run.
Where two modules have a function of one name, the twin carries the module's name in front (``trigrams_unique``).
"""

from __future__ import annotations

import math
import re
import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

# --- hamming ---------------------------------------------------------------------------------------------------------


def topk(
    codes: NDArray[np.uint8],
    queries: NDArray[np.uint8],
    k: int,
    allow: NDArray[np.uint64] | None = None,
    threads: int = 1,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Find the nearest rows of each query by Hamming distance.

    Parameters
    ----------
    codes : uint8[n, bytes]
        One packed binary code a row; the width is a multiple of 8 bytes.
    queries : uint8[q, bytes]
    k : int
        Rows wanted for each query.
    allow : uint64[ceil(n / 64)], optional
        Bitmap of the rows that may be returned (bit ``id % 64`` of word ``id // 64``).
    threads : int
        The answer is the same for any number.

    Returns
    -------
    ids : int64[q, k]
        Nearest first, equal distances by lower id; -1 where there are fewer than ``k`` rows.
    distances : int32[q, k]
        Differing bits; -1 where the id is -1.

    Raises
    ------
    ValueError
        The shapes do not fit each other, or ``k`` or ``threads`` is below 1.
    """
    if codes.shape[1] == 0 or codes.shape[1] % 8 or codes.shape[1] != queries.shape[1] or k < 1 or threads < 1:
        raise ValueError(f"codes {codes.shape}, queries {queries.shape}, k={k}, threads={threads}")
    candidates = np.arange(len(codes)) if allow is None else np.flatnonzero(unpack_bitmap(allow, len(codes)))
    ids = np.full((len(queries), k), -1, np.int64)
    distances = np.full((len(queries), k), -1, np.int32)
    for row, query in enumerate(queries):
        differing = np.bitwise_count(codes[candidates] ^ query).sum(axis=1, dtype=np.int32)
        order = np.argsort(differing, kind="stable")[:k]
        ids[row, : len(order)] = candidates[order]
        distances[row, : len(order)] = differing[order]
    return ids, distances


def pairs(
    codes: NDArray[np.uint8],
    distance: int,
    allow: NDArray[np.uint64] | None = None,
    first: int = 0,
    last: int | None = None,
) -> NDArray[np.uint32]:
    """Find all pairs of rows that are near each other.

    Parameters
    ----------
    codes : uint8[n, bytes]
        Packed bits; the width is a multiple of 8 bytes.
    distance : int
        At most so many bits differ.
    allow : uint64[], optional
        Bitmap over rows, lowest bit first; pairs of other rows are left out.
    first, last : int
        Only pairs whose lower row is in ``[first, last)``; ``first`` is a multiple of 64.

    Returns
    -------
    uint32[m, 3]
        First row, second row (above the first) and Hamming distance of each pair, in the order of the rows.

    Raises
    ------
    ValueError
        The width is no multiple of 8 bytes, the distance is below 0, ``first`` is no multiple of 64, or ``allow`` is too
        short.

    Notes
    -----
    Every row meets every later one: n (n - 1) / 2 comparisons.  An index of parts of the code (multi-index hashing) would
    save little at the distances of near-duplicate code, a sixth of the bits.
    """
    n, width = codes.shape
    if (
        width == 0
        or width % 8
        or distance < 0
        or first < 0
        or first % 64
        or (allow is not None and len(allow) * 64 < n)
    ):
        raise ValueError(f"codes {n, width}, distance={distance}, first={first}, or a bitmap that is too short")
    allowed = np.ones(n, np.bool_) if allow is None else unpack_bitmap(allow, n)
    distances = np.bitwise_count(codes[:, None] ^ codes[None]).sum(2, dtype=np.uint32)
    near = np.triu(distances <= distance, 1) & allowed[:, None] & allowed
    near[:first] = near[n if last is None else last :] = False
    low, high = np.nonzero(near)
    return np.stack([low, high, distances[low, high]], axis=1).astype(np.uint32)


def asymmetric(codes: NDArray[np.uint8], rows: NDArray[np.int64], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Score chosen rows by the dot product of a float query with the signs that their bits stand for.

    Parameters
    ----------
    codes : uint8[n, bytes]
        Packed as by :func:`numpy.packbits`: dimension ``8 * j + i`` is bit ``7 - i`` of byte ``j``.  A set bit is +1, a
        clear one -1.
    rows : int64[m]
    query : float32[bytes * 8]

    Returns
    -------
    float32[m]

    Raises
    ------
    IndexError
        A row is outside the table.
    """
    signs = np.unpackbits(codes[rows], axis=1).astype(np.float64) * 2 - 1
    return (signs @ query.astype(np.float64)).astype(np.float32)


def unpack_bitmap(words: NDArray[np.uint64], count: int) -> NDArray[np.bool_]:
    """Return the first ``count`` bits of a bitmap of 64-bit words, lowest bit first."""
    return np.unpackbits(words.view(np.uint8), bitorder="little", count=count).astype(bool)


# --- roaring ---------------------------------------------------------------------------------------------------------


def read_posting(data: bytes) -> set[int]:
    """Return the ids of a portable-format roaring bitmap.

    Source: the Roaring format specification, https://github.com/RoaringBitmap/RoaringFormatSpec.
    """
    (cookie,) = struct.unpack_from("<I", data)
    if cookie & 0xFFFF == 12347:
        containers = (cookie >> 16) + 1
        flags = data[4 : 4 + (containers + 7) // 8]
        at = 4 + len(flags)
    elif cookie == 12346:
        (containers,) = struct.unpack_from("<I", data, 4)
        flags = bytes((containers + 7) // 8)
        at = 8
    else:
        raise ValueError(f"cookie {cookie}")
    headers = list(struct.iter_unpack("<HH", data[at : at + 4 * containers]))
    at += 4 * containers
    if cookie == 12346 or containers >= 4:
        at += 4 * containers
    ids: set[int] = set()
    for position, (key, less_one) in enumerate(headers):
        base = key << 16
        if flags[position // 8] >> position % 8 & 1:
            (runs,) = struct.unpack_from("<H", data, at)
            for start, length in struct.iter_unpack("<HH", data[at + 2 : at + 2 + 4 * runs]):
                ids.update(range(base + start, base + start + length + 1))
            at += 2 + 4 * runs
        elif less_one + 1 <= 4096:
            ids.update(base + low for (low,) in struct.iter_unpack("<H", data[at : at + 2 * (less_one + 1)]))
            at += 2 * (less_one + 1)
        else:
            bits = np.unpackbits(np.frombuffer(data, np.uint8, 8192, at), bitorder="little")
            ids.update((base + np.flatnonzero(bits)).tolist())
            at += 8192
    return ids


def locate(
    keys: NDArray[np.uint32], offsets: NDArray[np.uint64], wanted: NDArray[np.uint32], limit_lists: int = 8
) -> NDArray[np.int64]:
    """Look up the postings of some keys and choose the rarest.

    Parameters
    ----------
    keys : uint32[t]
        Ascending.
    offsets : uint64[t + 1]
        Posting ``i`` lies in the bytes ``offsets[i]`` to ``offsets[i + 1]``.
    wanted : uint32[w]
        Keys to look up.
    limit_lists : int
        At most this many postings are returned: those of fewest bytes, of equally long ones the earlier in ``wanted``.

    Returns
    -------
    int64[]
        Positions in ``keys``, smallest posting first.  Empty when one of the keys has no posting, as nothing can hold it then.

    Raises
    ------
    ValueError
        ``offsets`` does not have one value more than ``keys``, or ``limit_lists`` is below 1.
    """
    if len(offsets) != len(keys) + 1 or limit_lists < 1:
        raise ValueError(f"{len(keys)} keys, {len(offsets)} offsets, limit_lists={limit_lists}")
    at = np.searchsorted(keys, wanted)
    if any(i == len(keys) or keys[i] != key for i, key in zip(at.tolist(), wanted.tolist(), strict=True)):
        return np.empty(0, np.int64)
    return at[np.argsort(offsets[at + 1] - offsets[at], kind="stable")[:limit_lists]]


def intersect(
    blob: NDArray[np.uint8], offsets: NDArray[np.uint64], chosen: NDArray[np.int64], limit_lists: int = 8
) -> NDArray[np.uint32]:
    """Return the ids that are in every one of the rarest postings.

    Parameters
    ----------
    blob : uint8[]
    offsets : uint64[t + 1]
    chosen : int64[n]
        Posting ``i`` is the portable-format roaring bitmap in ``blob[offsets[chosen[i]]:offsets[chosen[i] + 1]]``.
    limit_lists : int
        At most this many, the rarest, are intersected (64 at most; of equally rare ones the earlier), so that the
        answer may hold more than the intersection of all.

    Returns
    -------
    uint32[]
        Ascending.

    Raises
    ------
    ValueError
        A posting is malformed, or there is none.
    """
    rarest = sorted((read_posting(posting_bytes(blob, offsets, at)) for at in chosen.tolist()), key=len)[:limit_lists]
    return np.array(sorted(set.intersection(*rarest)), np.uint32)


def posting_bytes(blob: NDArray[np.uint8], offsets: NDArray[np.uint64], at: int) -> bytes:
    """Return the bytes of one posting."""
    if not 0 <= at < len(offsets) - 1:
        raise ValueError(f"posting {at} of {len(offsets) - 1}")
    return bytes(blob[int(offsets[at]) : int(offsets[at + 1])])


def evaluate(
    blob: NDArray[np.uint8],
    offsets: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    program: NDArray[np.int32],
    universe: int,
) -> NDArray[np.uint32]:
    """Evaluate a postfix expression of ANDs and ORs over postings.

    Parameters
    ----------
    blob, offsets, chosen
        As for :func:`intersect`.
    program : int32[]
        ``n >= 0`` pushes posting ``n``, ``-1`` ANDs and ``-2`` ORs the top two, ``-3`` pushes every id below
        ``universe``.
    universe : int
        Ids run from 0 up to this, exclusive.

    Returns
    -------
    uint32[]
        Ascending.

    Raises
    ------
    ValueError
        A posting is malformed, or the program does not leave exactly one set.
    """
    stack: list[set[int]] = []
    for step in program.tolist():
        if step >= 0:
            stack.append(read_posting(posting_bytes(blob, offsets, int(chosen[step]))))
        elif step == -3:
            stack.append(set(range(universe)))
        elif step in (-1, -2) and len(stack) >= 2:
            right, left = stack.pop(), stack.pop()
            stack.append(left & right if step == -1 else left | right)
        else:
            raise ValueError(f"step {step} with {len(stack)} sets")
    if len(stack) != 1:
        raise ValueError(f"{len(stack)} sets remain")
    return np.array(sorted(stack[0]), np.uint32)


# --- trigrams --------------------------------------------------------------------------------------------------------


def trigrams_unique(data: bytes) -> NDArray[np.uint32]:
    """Return the distinct trigrams ``b0 << 16 | b1 << 8 | b2`` of a buffer, ascending.

    Returns
    -------
    uint32[]
    """
    b = np.frombuffer(data, np.uint8).astype(np.uint32)
    return np.unique(b[:-2] << 16 | b[1:-1] << 8 | b[2:]) if len(b) >= 3 else np.empty(0, np.uint32)


def split(content: bytes, offsets: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Cut documents into pieces of whole lines, the units of postings that keep a candidate small.

    Parameters
    ----------
    content : bytes
    offsets : uint64[documents + 1]
        Ascending; document ``d`` is ``content[offsets[d]:offsets[d + 1]]``.
    size : int
        A piece has at most this many bytes, unless it is one longer line.

    Returns
    -------
    uint64[pieces + 1]
        Where each piece begins, and the end of the last.  An empty document has none.

    Raises
    ------
    ValueError
        The offsets do not ascend within the content.
    """
    data = bytes(content)
    cuts: list[int] = []
    for start, end in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        if not start <= end <= len(data):
            raise ValueError(f"document {start}..{end} of {len(data)}")
        while start < end:
            cuts.append(start)
            if end - start > size:
                start = data.rfind(b"\n", start, start + size) + 1 or data.find(b"\n", start + size, end) + 1 or end
            else:
                start = end
    return np.array([*cuts, offsets[-1] if len(offsets) > 1 else 0], np.uint64)


def postings(
    content: bytes, starts: NDArray[np.uint64], ends: NDArray[np.uint64]
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint32]]:
    """Invert documents into the postings of their trigrams.

    Parameters
    ----------
    content : bytes
    starts, ends : uint64[documents]
        Document ``d`` is ``content[starts[d]:ends[d]]``; documents may overlap.

    Returns
    -------
    keys : uint32[t]
        Trigrams that occur, ascending.
    posting_offsets : int64[t + 1]
    ids : uint32[p]
        The documents of ``keys[i]`` are ``ids[posting_offsets[i]:posting_offsets[i + 1]]``, ascending.

    Raises
    ------
    ValueError
        A document does not lie within the content.
    """
    found: dict[int, list[int]] = {}
    for document, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        if not start <= end <= len(content):
            raise ValueError(f"document {document} spans {start}..{end} of {len(content)}")
        for trigram in trigrams_unique(bytes(content[start:end])).tolist():
            found.setdefault(trigram, []).append(document)
    keys = sorted(found)
    lengths = [len(found[key]) for key in keys]
    ids = [document for key in keys for document in found[key]]
    return np.array(keys, np.uint32), np.cumsum([0, *lengths], dtype=np.int64), np.array(ids, np.uint32)


def serialize(
    posting_offsets: NDArray[np.int64], ids: NDArray[np.uint32]
) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Write each posting as a portable-format roaring bitmap with array and bitset containers.

    Parameters
    ----------
    posting_offsets, ids
        As :func:`postings` returns them.

    Returns
    -------
    blob : uint8[]
    byte_offsets : uint64[t + 1]
        Posting ``i`` is ``blob[byte_offsets[i]:byte_offsets[i + 1]]``.

    Raises
    ------
    ValueError
        The offsets leave the ids, or a posting does not ascend.
    """
    parts: list[bytes] = []
    for first, last in zip(posting_offsets[:-1].tolist(), posting_offsets[1:].tolist(), strict=True):
        posting = ids[first:last].astype(np.int64)
        if not 0 <= first <= last <= len(ids) or (np.diff(posting) <= 0).any():
            raise ValueError(f"posting {first}..{last}")
        keys, bodies = np.unique(posting >> 16).tolist(), []
        header = b""
        for key in keys:
            low = (posting[posting >> 16 == key] & 0xFFFF).astype("<u2")
            header += struct.pack("<HH", key, len(low) - 1)
            if len(low) <= 4096:
                bodies.append(low.tobytes())
            else:
                bits = np.zeros(65536, np.uint8)
                bits[low] = 1
                bodies.append(np.packbits(bits, bitorder="little").tobytes())
        at = 8 + 8 * len(keys)
        offsets = b""
        for body in bodies:
            offsets += struct.pack("<I", at)
            at += len(body)
        parts.append(struct.pack("<II", 12346, len(keys)) + header + offsets + b"".join(bodies))
    sizes = np.cumsum([0, *(len(part) for part in parts)]).astype(np.uint64)
    return np.frombuffer(b"".join(parts), np.uint8), sizes


# --- literal ---------------------------------------------------------------------------------------------------------


def find(
    content: bytes,
    starts: NDArray[np.uint64],
    ends: NDArray[np.uint64],
    needle: bytes,
    ignore_case: bool = False,
    limit: int = -1,
    once_a_line: bool = False,
    chosen: NDArray[np.uint32] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Find a literal in documents of one content blob.

    Parameters
    ----------
    content : bytes
    starts, ends : uint64[n]
        Document ``d`` is ``content[starts[d]:ends[d]]``.
    needle : bytes
    ignore_case : bool
        Treat the 26 ASCII letters as equal to their other case.
    limit : int
        Stop after this many matches in all; -1 for no limit.
    once_a_line : bool
        Go on behind the line in which a match ends.
    chosen : uint32[c], optional
        Documents to search, in this order; all by default.

    Returns
    -------
    documents : int64[m]
        Positions in ``starts``.
    offsets : uint64[m]
        Byte offset of the match in its document; matches do not overlap, the leftmost wins.

    Raises
    ------
    ValueError
        The needle is empty or a document is not within the content.
    """
    if not needle:
        raise ValueError("the needle is empty")
    wanted = needle.lower() if ignore_case else needle
    documents: list[int] = []
    offsets: list[int] = []
    if len(starts) != len(ends):
        raise ValueError(f"{len(starts)} starts and {len(ends)} ends")
    for document in range(len(starts)) if chosen is None else chosen.tolist():
        if document >= len(starts) or not starts[document] <= ends[document] <= len(content):
            raise ValueError(f"document {document} is none of {len(starts)} within {len(content)} bytes")
        start, end = int(starts[document]), int(ends[document])
        text = bytes(content[start:end])
        text = text.lower() if ignore_case else text
        at = text.find(wanted)
        while at >= 0 and len(documents) != limit:
            documents.append(document)
            offsets.append(at)
            at += len(wanted)
            if once_a_line:
                at = text.find(b"\n", at) + 1 or len(text)
            at = text.find(wanted, at)
    return np.array(documents, np.int64), np.array(offsets, np.uint64)


# --- ranking ---------------------------------------------------------------------------------------------------------


def rrf(
    lists: Sequence[NDArray[np.int64]],
    weights: Sequence[float] | NDArray[np.float64],
    k: float,
    limit: int,
    centrality: NDArray[np.float32] | None = None,
    demoted: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Fuse ranked lists by weighted reciprocal rank.

    Parameters
    ----------
    lists : sequence of int64[]
        Ids, best first.
    weights : float64[lists]
    k : float
        Each entry contributes ``weight / (k + rank + 1)``, rank from 0; contributions add up in the order of the lists.
    limit : int
    centrality : float32[], optional
        By id: the sum is multiplied by ``min(1 + 0.3 ln(1 + centrality), 1.5)``; 0, negative and NaN leave it as it is.
    demoted : uint8[], optional
        By id: the sum is halved where this is not 0.

    Returns
    -------
    ids : int64[m]
        Score descending, then id ascending.
    scores : float64[m]

    Raises
    ------
    ValueError
        An id is negative or beyond ``centrality`` or ``demoted``.

    Notes
    -----
    Source: G. V. Cormack, C. L. A. Clarke, S. Buettcher, "Reciprocal rank fusion outperforms Condorcet and individual
    rank learning methods", SIGIR 2009.
    """
    sums: dict[int, float] = {}
    for ids, weight in zip(lists, weights, strict=True):
        for rank, entry in enumerate(ids.tolist()):
            if entry < 0 or any(a is not None and entry >= len(a) for a in (centrality, demoted)):
                raise ValueError(f"id {entry}")
            sums[entry] = sums.get(entry, 0.0) + float(weight) / (k + rank + 1)
    for entry in sums:
        if centrality is not None and centrality[entry] > 0:
            sums[entry] *= min(1 + 0.3 * math.log1p(float(centrality[entry])), 1.5)
        if demoted is not None and demoted[entry]:
            sums[entry] *= 0.5
    order = sorted(sums, key=lambda entry: (-sums[entry], entry))[:limit]
    return np.array(order, np.int64), np.array([sums[entry] for entry in order], np.float64)


def accumulate(
    ids: NDArray[np.uint32],
    impacts: NDArray[np.float32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    weights: NDArray[np.float32],
    shares: NDArray[np.float64],
    documents: int,
    limit: int,
    allow: NDArray[np.uint64] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Add up weighted impacts per document and keep the best documents.

    Parameters
    ----------
    ids : uint32[p]
        Documents, ascending within each term's posting.
    impacts : float32[p]
        What the term adds to that document (for BM25 the saturated, length-normalised term frequency).
    starts, ends : int64[t]
        Term ``t`` has the entries ``starts[t]:ends[t]``.
    weights : float32[t]
        For BM25 the inverse document frequency; not negative.
    shares : float64[t]
        What each term counts for the coverage.
    documents : int
        Ids are below this.
    limit : int
    allow : uint64[ceil(documents / 64)], optional
        Bitmap of the documents that may be returned.

    Returns
    -------
    ids : int64[m]
        Score descending, then id ascending.
    scores : float64[m]
        Positive; sums of float32.
    coverage : float64[m]
        Sum of the shares of the terms that the document has.

    Raises
    ------
    ValueError
        A posting leaves the arrays, does not ascend, or names a document that does not exist, or a weight is negative.
    """
    scores: dict[int, np.float32] = {}
    met: dict[int, float] = {}
    for start, end, weight, share in zip(starts.tolist(), ends.tolist(), weights, shares.tolist(), strict=True):
        if not (0 <= start <= end <= len(ids) and weight >= 0):
            raise ValueError(f"posting {start}..{end} of {len(ids)}, weight {weight}")
        for document, impact in zip(ids[start:end].tolist(), impacts[start:end], strict=True):
            if document >= documents:
                raise ValueError(f"document {document} of {documents}")
            scores[document] = scores.get(document, np.float32(0)) + weight * impact
            met[document] = met.get(document, 0.0) + share
    permitted = np.ones(documents, bool) if allow is None else unpack_bitmap(allow, documents)
    best = sorted((d for d in scores if permitted[d] and scores[d] > 0), key=lambda d: (-scores[d], d))[:limit]
    return (
        np.array(best, np.int64),
        np.array([scores[d] for d in best], np.float64),
        np.array([met[d] for d in best], np.float64),
    )


def names(
    ids: NDArray[np.uint32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    idf: NDArray[np.float64],
    question: float,
    mass: NDArray[np.float32],
    classes: NDArray[np.uint8],
    class_weights: NDArray[np.float64],
    whole: float,
    limit: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Score names by the words they share with a question.

    Parameters
    ----------
    ids : uint32[p]
        Names, ascending within each posting.
    starts, ends : int64[t]
        Posting ``i`` has the entries ``starts[i]:ends[i]``.
    idf : float64[w]
        The last ``w`` postings are of sub-words, best rarest first; the others are of joined forms, and a name in one of
        them is a whole name.
    question : float
        Above 0: what the summed idf ``m`` of the words that a name has is compared with.
    mass : float32[n]
        Of each name: the summed idf of all its sub-words.
    classes : uint8[n]
    class_weights : float64[256]
        A name of class ``c`` has the score ``(m / question * sqrt(min(m / mass, 1)) + whole, if it is) *
        class_weights[c]``; one whose class weighs nothing is left out.
    whole : float
    limit : int

    Returns
    -------
    ids : int64[m]
        Every name that reaches the ``limit``-th best score, ascending.
    scores : float64[m]

    Raises
    ------
    ValueError
        A posting leaves the arrays, does not ascend, or names what does not exist.
    """
    met: dict[int, float] = {}
    joined: set[int] = set()
    forms = len(starts) - len(idf)
    for posting, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        if not 0 <= start <= end <= len(ids):
            raise ValueError(f"posting {start}..{end} of {len(ids)}")
        for name in ids[start:end].tolist():
            if name >= len(mass):
                raise ValueError(f"name {name} of {len(mass)}")
            met[name] = met.get(name, 0.0) + (float(idf[posting - forms]) if posting >= forms else 0.0)
            if posting < forms:
                joined.add(name)
    scores: dict[int, float] = {}
    for name, m in met.items():
        weight = float(class_weights[classes[name]])
        if weight > 0:
            share = min(m / max(float(mass[name]), float(np.float32(1e-6))), 1.0)
            scores[name] = (m / question * math.sqrt(share) + (whole if name in joined else 0.0)) * weight
    floor = sorted(scores.values(), reverse=True)[:limit][-1:]
    kept = sorted(name for name, score in scores.items() if floor and score >= floor[0])
    return np.array(kept, np.int64), np.array([scores[name] for name in kept], np.float64)


def spread(
    ids: NDArray[np.uint32],
    weights: NDArray[np.float32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    mass: NDArray[np.float64],
    resistance: NDArray[np.float32],
    wanted: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Walk one step along weighted links.

    Parameters
    ----------
    ids : uint32[p]
        Where the links lead, ascending within each row.
    weights : float32[p]
    starts, ends : int64[s]
        Seed ``i`` has the links ``starts[i]:ends[i]``.
    mass : float64[s]
        Seed ``i`` hands ``mass[i] * weight`` to each of them.
    resistance : float32[n]
        What reaches node ``j`` is divided by ``sqrt(resistance[j])``.
    wanted : int64[m]
        Nodes, ascending.

    Returns
    -------
    float64[m]
        What reached each wanted node, over the most that reached any node; 0 where nothing did.

    Raises
    ------
    ValueError
        A row leaves the arrays, does not ascend, or names a node that does not exist.
    """
    reached: dict[int, float] = {}
    for start, end, handed in zip(starts.tolist(), ends.tolist(), mass.tolist(), strict=True):
        if not 0 <= start <= end <= len(ids):
            raise ValueError(f"row {start}..{end} of {len(ids)}")
        for node, weight in zip(ids[start:end].tolist(), weights[start:end].tolist(), strict=True):
            if node >= len(resistance):
                raise ValueError(f"node {node} of {len(resistance)}")
            reached[node] = reached.get(node, 0.0) + handed * weight
    values = {node: value / float(np.sqrt(resistance[node])) for node, value in reached.items()}
    most = max(values.values(), default=0.0)
    return np.array([values.get(node, 0.0) / most if most > 0 else 0.0 for node in wanted.tolist()], np.float64)


def row_sums(
    indptr: NDArray[np.uint32],
    indices: NDArray[np.uint32],
    rows: NDArray[np.int64],
    keys: NDArray[np.uint32],
    values: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Add up values over rows of a compressed sparse matrix.

    Parameters
    ----------
    indptr : uint32[r + 1]
    indices : uint32[p]
    rows : int64[n]
    keys : uint32[k]
        Ascending.
    values : float64[k]

    Returns
    -------
    float64[n]
        For each row the sum of the values of the keys that are in it.

    Raises
    ------
    ValueError
        A row does not exist or leaves ``indices``.
    """
    value = dict(zip(keys.tolist(), values.tolist(), strict=True))
    sums = []
    for row in rows.tolist():
        if not 0 <= row < len(indptr) - 1 or indptr[row + 1] > len(indices):
            raise ValueError(f"row {row} of {len(indptr) - 1}")
        sums.append(sum(value.get(entry, 0.0) for entry in indices[indptr[row] : indptr[row + 1]].tolist()))
    return np.array(sums, np.float64)


def pool(
    chunks: Sequence[NDArray[np.int64]],
    strengths: Sequence[NDArray[np.float64]],
    weights: Sequence[float],
    k: float,
    owners: NDArray[np.uint32],
    decay: NDArray[np.float64],
) -> tuple[
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.float64],
]:
    """Bring together what ranked lists name: the chunks, the files they lie in, and where each list has them.

    Parameters
    ----------
    chunks : sequence of int64[]
        One list of chunks each, best first, none twice.
    strengths : sequence of float64[]
        Of the same entries.
    weights : sequence of float
        One per list.
    k : float
    owners : uint32[n]
        File of each chunk, ascending.
    decay : float64[d]
        A list's value of a file is the sum of its first ``d`` strengths there, weighted by ``decay``.

    Returns
    -------
    chunks : int64[c]
        Ascending.
    shares : float64[c]
        Sum of ``weight / (k + rank + 1)`` over the lists, rank from 0.
    places : int64[lists, c]
        Rank in each list, or -1.
    files : int64[f]
        Ascending.
    starts : int64[f]
        Position of the first chunk of each file.
    best : int64[f]
        Position of its chunk with the largest share, the first of equals.
    scores : float64[f]
        Sum of ``weight / (k + place + 1)`` over the lists.
    file_places : int64[lists, f]
        Place of each file in each list, by value descending, then file; or -1.
    values : float64[lists, f]
        Each list's value of each file; 0 where it names none of its chunks.

    Raises
    ------
    ValueError
        A list names a chunk twice, or one without an owner.
    """
    named = sorted({chunk for each in chunks for chunk in each.tolist()})
    if named and not 0 <= named[0] <= named[-1] < len(owners):
        raise ValueError(f"chunks {named[0]} to {named[-1]} of {len(owners)}")
    position = {chunk: at for at, chunk in enumerate(named)}
    files = sorted({int(owners[chunk]) for chunk in named})
    file_of = {chunk: files.index(owners[chunk]) for chunk in named}
    shares, scores = np.zeros(len(named)), np.zeros(len(files))
    places, file_places = (np.full((len(chunks), count), -1, np.int64) for count in (len(named), len(files)))
    values = np.zeros((len(chunks), len(files)))
    for number, (each, strength, weight) in enumerate(zip(chunks, strengths, weights, strict=True)):
        if len(set(each.tolist())) < len(each):
            raise ValueError(f"list {number} names a chunk twice")
        used: dict[int, int] = {}
        for rank, (chunk, value) in enumerate(zip(each.tolist(), strength.tolist(), strict=True)):
            places[number, position[chunk]] = rank
            shares[position[chunk]] += weight / (k + rank + 1)
            file = file_of[chunk]
            used[file] = used.get(file, 0) + 1
            if used[file] <= len(decay):
                values[number, file] += value * float(decay[used[file] - 1])
        for place, file in enumerate(sorted(used, key=lambda file: (-values[number, file], file))):
            file_places[number, file] = place
            scores[file] += weight / (k + place + 1)
    starts = [next(at for at, chunk in enumerate(named) if owners[chunk] == file) for file in files]
    ends = [*starts[1:], len(named)]
    best = [max(range(start, end), key=lambda at: (shares[at], -at)) for start, end in zip(starts, ends, strict=False)]
    return (
        np.array(named, np.int64), shares, places, np.array(files, np.int64), np.array(starts, np.int64),
        np.array(best, np.int64), scores, file_places, values,
    )  # fmt: skip


# --- graph ---


def reach(
    indptr: NDArray[np.int64],
    rows: NDArray[np.uint32] | None,
    targets: NDArray[np.uint32] | NDArray[np.int64],
    confidences: NDArray[np.float32],
    kinds: NDArray[np.uint8],
    start: NDArray[np.int64],
    depth: int,
    cut_off: float,
    passable: int,
    last_kind: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Walk the edges of a graph breadth first, keeping the most confident way to each node.

    Parameters
    ----------
    indptr : int64[n + 1]
        Node ``i`` is followed along the positions ``indptr[i]:indptr[i + 1]``.
    rows : uint32[p], optional
        Edge row of each position; without it a position is a row.
    targets : uint32[e] or int64[e]
        Node that each row leads to; below 0, nowhere.
    confidences : float32[e]
        In [0, 1].
    kinds : uint8[e]
    start : int64[s]
        Reached with confidence 1 before the first step.
    depth : int
        Number of steps.
    cut_off : float
        A way whose product of confidences is smaller is not followed.
    passable : int
        Nodes from this one on are reached but not walked on from.
    last_kind : int
        Of equally sure ways that reach a node in one step, one by a row of another kind wins, then the lower row.

    Returns
    -------
    nodes : int64[m]
        What is reached besides ``start``, in any order.
    distances : int64[m]
        The fewest steps.
    rows : int64[m]
        The row by which the node was first reached.
    via : int64[m]
        The node that row was followed from.
    confidences : float64[m]
        The largest product of confidences, over ways of any length.

    Raises
    ------
    ValueError
        A node or a row does not exist.
    """
    best = dict.fromkeys(start.tolist(), 1.0)
    first: dict[int, tuple[int, int, int]] = {}
    nodes = len(indptr) - 1
    if any(not 0 <= node < nodes for node in best):
        raise ValueError(f"a start is none of {nodes} nodes")
    frontier = list(best)
    for step in range(1, depth + 1):
        offers: dict[int, tuple[float, bool, int, int]] = {}
        for node in frontier:
            for position in range(int(indptr[node]), int(indptr[node + 1])):
                if position >= len(targets if rows is None else rows) or (
                    rows is not None and rows[position] >= len(targets)
                ):
                    raise ValueError(f"position {position} leads to none of {len(targets)} rows")
                row = position if rows is None else int(rows[position])
                target, sure = int(targets[row]), best[node] * float(confidences[row])
                if target < 0 or sure < cut_off:
                    continue
                if target >= nodes:
                    raise ValueError(f"row {row} leads to {target}, none of {nodes} nodes")
                if sure > best.get(target, 0.0):
                    offer = -sure, bool(kinds[row] == last_kind), row, node
                    offers[target] = min(offers.get(target, offer), offer)
        for target, (negated, _, row, node) in offers.items():
            if target not in best:
                first[target] = step, row, node
            best[target] = -negated
        frontier = [target for target in offers if target < passable]
    columns = np.array([(target, *first[target]) for target in first], np.int64).reshape(-1, 4).T.copy()
    return columns[0], columns[1], columns[2], columns[3], np.array([best[target] for target in first], np.float64)


# --- embedding -------------------------------------------------------------------------------------------------------

_SUBTOKEN = re.compile(rb"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def subtokens(text: str | bytes, limit: int = 512) -> NDArray[np.uint64]:
    """Find the sub-words of a text.

    Parameters
    ----------
    text : str or bytes
        UTF-8; only ASCII letters and digits form words.
    limit : int
        At most so many.

    Returns
    -------
    uint64[n, 2]
        Half-open byte spans.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    spans = [match.span() for _, match in zip(range(limit), _SUBTOKEN.finditer(data), strict=False)]
    return np.array(spans, np.uint64).reshape(-1, 2)


class _EmbeddingModel:
    """The sections of a model file as arrays, its words as a dictionary."""

    def __init__(self, model: NDArray[np.uint8]) -> None:
        data = bytes(model)
        magic, version, self.dimensions, words, self.buckets, _, self.name_weight, self.radius = struct.unpack_from(
            "<8s5I2f", data
        )
        if magic != b"QTSUBTOK" or version != 1:
            raise ValueError("not a usable embedding model")
        offsets = struct.unpack_from("<8Q", data, 40)
        ends = np.frombuffer(data, "<u4", words + 1, offsets[0])
        blob = data[offsets[1] : offsets[1] + int(ends[-1])]
        self.words = {blob[a:b]: i for i, (a, b) in enumerate(pairwise(ends.tolist()))}
        rows = words + self.buckets
        self.document_weight, self.query_weight = (np.frombuffer(data, "<f4", rows, offsets[i]) for i in (3, 4))
        self.document_bias, self.query_bias = (np.frombuffer(data, "<f4", self.dimensions, offsets[i]) for i in (5, 6))
        self.rows = np.frombuffer(data, np.uint8, rows * (self.dimensions // 2), offsets[7]).reshape(rows, -1)

    def embed(
        self, text: bytes, name: bytes, weights: NDArray[np.float32], bias: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the vector of a text and its name slot."""
        counts: dict[bytes, list[int]] = {}
        for piece, source in enumerate((text, name)):
            for start, end in subtokens(source).tolist():
                if piece == 1 and end - start == 1:
                    continue
                counts.setdefault(source[start:end].lower(), [0, 0])[piece] += 1
        features: dict[int, float] = {}
        for word, (in_text, in_name) in counts.items():
            value = math.sqrt(in_text) + self.name_weight * math.sqrt(in_name)
            row = self.words.get(word)
            if row is not None:
                features[row] = value
            elif not word.isdigit():
                grams = b"<" + word[:24] + b">"
                count = len(grams) - 2
                for i in range(count):
                    bucket = len(self.words) + zlib.crc32(grams[i : i + 3]) % self.buckets
                    features[bucket] = features.get(bucket, 0.0) + value / count
        half = self.dimensions // 2
        total = np.zeros(self.dimensions, np.float32)
        for row, value in features.items():
            factor = np.float32(value) * weights[row]
            pair = self.rows[row].astype(np.int32)
            total[:half] += factor * ((pair & 15) - 8).astype(np.float32)
            total[half:] += factor * ((pair >> 4) - 8).astype(np.float32)
        part = [0.0] * 8
        for i, x in enumerate(total.astype(np.float64).tolist()):
            part[i % 8] += x * x
        square = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]))
        return total * np.float32(self.radius / (math.sqrt(square) + 1e-9)) + bias


def _rotated(vector: NDArray[np.float32], turns: int) -> NDArray[np.float32]:
    """Return a vector and its rotations: random signs, then a Hadamard transform (Ailon and Chazelle, 2009)."""
    d = len(vector)
    if turns < 1 or turns > 4 or (turns > 1 and d & (d - 1)):
        raise ValueError(f"turns={turns} with {d} dimensions")
    z = np.arange(1, (turns - 1) * d + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # SplitMix64
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    signs = np.where((z ^ (z >> np.uint64(31))) >> np.uint64(63), np.float32(-1), np.float32(1)).reshape(-1, d)
    parts = [vector]
    for sign in signs:
        x, half = vector * sign, 1
        while half < d:
            pairs = x.reshape(-1, 2, half)
            x = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).ravel()
            half *= 2
        parts.append(x * np.float32(1 / math.sqrt(d)))
    return np.concatenate(parts)


def document_vectors(
    model: NDArray[np.uint8], texts: Sequence[str | bytes], names: Sequence[str | bytes], turns: int = 1
) -> NDArray[np.float32]:
    """Embed texts with their name slots.

    Parameters
    ----------
    model : uint8[]
        A packed model file.
    texts, names : sequence of str or bytes, equal lengths
        The first 512 sub-words of each count.
    turns : int
        1 for the vector alone; each further one appends a rotation of it.

    Returns
    -------
    float32[n, turns * dimensions]
        The sum of the rows of the distinct sub-words, each times (sqrt(count in the text) + name weight x sqrt(count in
        the name slot, single characters aside)) x its document weight, brought to the model's radius, plus the document
        bias.
    """
    opened = _EmbeddingModel(model)
    out = np.empty((len(texts), turns * opened.dimensions), np.float32)
    for i, pair in enumerate(zip(texts, names, strict=True)):
        text, name = (x.encode("utf-8", "surrogatepass") if isinstance(x, str) else x for x in pair)
        out[i] = _rotated(opened.embed(text, name, opened.document_weight, opened.document_bias), turns)
    return out


def documents(
    model: NDArray[np.uint8], texts: Sequence[str | bytes], names: Sequence[str | bytes], turns: int = 1
) -> NDArray[np.uint8]:
    """Embed like `document_vectors` and keep the signs.

    Returns
    -------
    uint8[n, turns * dimensions / 8]
        Bit set where the value is positive, most significant bit first.
    """
    return np.packbits(document_vectors(model, texts, names, turns) > 0, axis=1)


def known_letters(model: NDArray[np.uint8], text: str | bytes) -> tuple[int, int]:
    """Count the letters of the distinct sub-words of a text, numbers aside: those in the vocabulary, and all."""
    opened = _EmbeddingModel(model)
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    words = {data[a:b].lower() for a, b in subtokens(data).tolist()}
    words = {word for word in words if not word.isdigit()}
    return sum(len(word) for word in words if word in opened.words), sum(len(word) for word in words)


def query(model: NDArray[np.uint8], text: str | bytes, turns: int = 1) -> NDArray[np.float32]:
    """Embed a question; float32[turns * dimensions].

    As `document_vectors`, with the query weights and the query bias and no name slot.
    """
    opened = _EmbeddingModel(model)
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return _rotated(opened.embed(data, b"", opened.query_weight, opened.query_bias), turns)


# --- lines -----------------------------------------------------------------------------------------------------------


def place(
    newlines: NDArray[np.uint32],
    newline_offsets: NDArray[np.uint64],
    file_offsets: NDArray[np.uint64],
    files: NDArray[np.int64],
    starts: NDArray[np.uint64],
    documents: NDArray[np.int64],
    offsets: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return in which file and line matches are that were found in documents, parts of files.

    Parameters
    ----------
    newlines : uint32[]
        Byte offsets of the newlines of all files, each counted from the beginning of its file.
    newline_offsets : uint64[F + 1]
        Where those of each file begin.
    file_offsets : uint64[F + 1]
        Where each file begins in the content.
    files, starts : int64[d], uint64[d]
        The file of each document, and where the document begins in the content.
    documents, offsets : int64[n], uint64[n]
        The document of each match, and where in it the match begins.

    Returns
    -------
    files, lines, offsets : int64[n]
        Lines count from 1, a newline belongs to the line it ends; bytes count from the beginning of the file.

    Raises
    ------
    ValueError
        A document is not among the documents, its file not among the files, or it begins before its file.
    """
    bounds, rows = newline_offsets.tolist(), []
    for document, offset in zip(documents.tolist(), offsets.tolist(), strict=True):
        file = int(files[document])
        within = int(starts[document]) - int(file_offsets[file]) + offset
        if document < 0 or file < 0 or starts[document] < file_offsets[file]:
            raise ValueError(f"document {document} of file {file}")
        before = sum(newline < within for newline in newlines[bounds[file] : bounds[file + 1]].tolist())
        rows.append((file, before + 1, within))
    found = np.array(rows, np.int64).reshape(-1, 3)
    return found[:, 0], found[:, 1], found[:, 2]


def gather(content: NDArray[np.uint8], starts: NDArray[np.uint64], ends: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return ``content[starts[i]:ends[i]]`` of all i, each followed by a newline.

    Parameters
    ----------
    content : uint8[]
    starts, ends : uint64[n]

    Returns
    -------
    uint8[]
    """
    parts = [bytes(content[a:b]) + b"\n" for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    return np.frombuffer(b"".join(parts), np.uint8)


# --- terms -----------------------------------------------------------------------------------------------------------

TERM_BYTES = 64
_RUN_BYTES = 256
_STEM_LEAST = 4
_LATIN = (
    "AAAAAA*CEEEEIIIIDNOOOOO*OUUUUY*saaaaaa*ceeeeiiiidnooooo*ouuuuy*y"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi**JjKkkLlLlLlL"
    "lLlNnNnNnnNnOoOoOo**RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs"
)
_KINDS = (  # first code point beyond U+024F of a kind; it ends where the next begins
    (0x250, "lower"), (0x300, "mark"), (0x370, "lower"), (0x37E, "other"), (0x37F, "lower"), (0x387, "other"),
    (0x388, "lower"), (0x1100, "ideograph"), (0x1200, "lower"), (0x2000, "other"), (0x2C00, "lower"), (0x2E00, "other"),
    (0x2E80, "ideograph"), (0x2FE0, "other"), (0x3005, "ideograph"), (0x3006, "other"), (0x3007, "ideograph"),
    (0x3008, "other"), (0x3040, "ideograph"), (0x30FB, "other"), (0x30FC, "ideograph"), (0x3200, "other"),
    (0x3400, "ideograph"), (0xA000, "lower"), (0xAC00, "ideograph"), (0xD800, "other"), (0xF900, "ideograph"),
    (0xFB00, "lower"), (0xFE00, "mark"), (0xFE10, "other"), (0xFE70, "lower"), (0xFEFF, "other"), (0xFF10, "digit"),
    (0xFF1A, "other"), (0xFF21, "upper"), (0xFF3B, "other"), (0xFF41, "lower"), (0xFF5B, "other"),
    (0xFF66, "ideograph"), (0xFFA0, "other"), (0x10000, "lower"), (0x1F000, "other"), (0x20000, "ideograph"),
    (0x40000, "other"), (0x110000, "other"),
)  # fmt: skip


def _char_kind(char: str) -> tuple[str, str]:
    """Return what a character is to the word splitter, and its lower-case form without an accent."""
    code = ord(char)
    if code < 0x80:
        kind = "digit" if char.isdigit() else "lower" if char.islower() else "upper" if char.isupper() else "other"
        return ("underscore" if char == "_" else kind), char.lower()
    if code < 0xC0 or char in "×÷":
        return ("lower" if char in "ªµº" else "other"), char
    if code < 0x180:
        base = _LATIN[code - 0xC0]
        if base == "*":
            return ("upper" if char.isupper() else "lower"), char.lower()
        return ("upper" if base.isupper() else "lower"), base.lower()
    if 0x391 <= code <= 0x3A9 or 0x410 <= code <= 0x42F:
        return "upper", chr(code + 0x20)
    if 0x400 <= code <= 0x40F:
        return "upper", chr(code + 0x50)
    kind = "lower" if code < 0x250 else [kind for first, kind in _KINDS if first <= code][-1]
    if 0xFF00 < code < 0xFF60 and kind != "other":
        return kind, chr(code - 0xFEE0).lower()
    return kind, "σ" if char == "ς" else char


def _strip_suffix(w: str, first: bool) -> str:
    def fits(suffix: str, cut: int, least: int = _STEM_LEAST) -> bool:
        return w.endswith(suffix) and len(w) - cut >= least

    def tidy(word: str) -> str:
        """Drop the "at" of "validat", and one letter of a double consonant: "mapp" -> "map"."""
        if word.endswith("at") and len(word) - 2 >= _STEM_LEAST:
            return word[:-2]
        return word

    def undouble(word: str) -> str:
        last = word[-1]
        double = len(word) > 3 and last == word[-2] and last.isascii() and last not in "aeiouylsz" and last >= "a"
        return word[:-1] if double else word

    if len(w) <= 3:
        return w
    if w.endswith("s"):
        if not first or w[-2] in "sui" or not "a" <= w[-2] <= "z":
            return w
        if fits("ies", 3):
            return w[:-3]
        if any(fits(suffix, 2, 3) for suffix in ("xes", "ches", "shes", "sses")):
            return w[:-2]
        return w[:-1]
    if w.endswith("e"):
        if fits("ate", 3):
            return w[:-3]
        if fits("able", 4):
            return w[:-4]
        if fits("ie", 2):
            return w[:-2]
        return w[:-1] if fits("e", 1) else w
    if w.endswith("y"):
        return w[:-1] if fits("y", 1) and w[-2] not in "aeiouy" else w
    if fits("ing", 3):
        return undouble(tidy(w[:-3]))
    if fits("ed", 2) and w[-3] != "e":
        return undouble(tidy(w[:-2]))
    if fits("er", 2) or fits("or", 2):
        return undouble(tidy(w[:-2]))
    if fits("tion", 3) or fits("sion", 3):
        return tidy(w[:-3])
    return w


def _cut(word: bytes) -> bytes:
    """Return at most 64 bytes, without half a character."""
    size = min(len(word), TERM_BYTES)
    while size < len(word) and word[size] & 0xC0 == 0x80:
        size -= 1
    return word[:size]


def _stem(word: bytes) -> bytes:
    """Return a word without up to four suffixes; bytes beyond ASCII are no letters of one."""
    if len(word) > TERM_BYTES:
        return _cut(word)
    text = word.decode("latin-1")
    for turn in range(4):
        shorter = _strip_suffix(text, turn == 0)
        if shorter == text:
            break
        text = shorter
    return text.encode("latin-1")


def _hash_term(word: bytes) -> int:
    mask = (1 << 64) - 1
    h = len(word) * 0x9E3779B97F4A7C15 & mask
    for at in range(0, len(word), 8):
        h = (h ^ int.from_bytes(word[at : at + 8], "little")) * 0xFF51AFD7ED558CCD & mask
        h ^= h >> 32
    h = h * 0xC4CEB9FE1A85EC53 & mask
    return h ^ h >> 29


def _characters(data: bytes) -> list[tuple[int, str, str]]:
    """Return (byte offset, kind, folded) of each character; a byte that is not UTF-8 is no word character."""
    found, at = [], 0
    for char in data.decode("utf-8", "surrogateescape"):
        kind, folded = ("other", char) if "\ud800" <= char <= "\udfff" else _char_kind(char)
        found.append((at, kind, folded))
        at += len(char.encode("utf-8", "surrogateescape"))
    return found


def _scan_terms(data: bytes) -> list[tuple[bytes, bytes, int, bool]]:
    """Return (stem, word, byte offset, joined) of each term."""
    terms: list[tuple[bytes, bytes, int, bool]] = []

    def add(word: bytes, offset: int, joined: bool = False, plain: bool = False) -> None:
        terms.append((_cut(word) if plain else _stem(word), _cut(word), offset, joined))

    chars = _characters(data)
    i = 0
    while i < len(chars):
        offset, kind, _ = chars[i]
        begin = i
        if kind == "other":
            i += 1
        elif kind == "ideograph":
            while i < len(chars) and chars[i][1] == "ideograph":
                i += 1
            for j in range(begin, max(i - 1, begin + 1)):
                pair = "".join(folded for _, _, folded in chars[j : min(j + 2, i)])
                add(pair.encode(), chars[j][0], plain=True)
        else:
            letters = 0
            while i < len(chars) and chars[i][1] not in ("other", "ideograph") and letters < _RUN_BYTES:
                if chars[i][1] not in ("mark", "underscore"):
                    letters += len(chars[i][2].encode())
                i += 1
            words = _sub_words([char for char in chars[begin:i] if char[1] != "mark"])
            for word in words:
                add("".join(folded for _, _, folded in word).encode(), word[0][0])
            whole = "".join(folded for word in words for _, _, folded in word).encode()
            if len(words) > 1 and len(whole) <= TERM_BYTES:
                add(whole, offset, joined=True)
    return terms


def _sub_words(run: list[tuple[int, str, str]]) -> list[list[tuple[int, str, str]]]:
    """Split an identifier where the kind of character changes; the last capital of an acronym begins the next word."""
    words: list[list[tuple[int, str, str]]] = [[]]
    for char in run:
        word = words[-1]
        if char[1] == "underscore":
            words.append([])
        elif not word or word[-1][1] == char[1]:
            word.append(char)
        elif word[-1][1] == "upper" and char[1] == "lower":
            words.append([word.pop(), char])
        else:
            words.append([char])
    return [word for word in words if word]


def extract(data: NDArray[np.uint8] | bytes) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.bool_]]:
    """Return hash, byte offset and whether it is a joined form, of every term.

    Parameters
    ----------
    data : bytes or uint8[]

    Returns
    -------
    uint64[n], uint32[n], bool[n]
        Sub-words in order; the joined form of an identifier follows its sub-words and has the identifier's offset.
    """
    terms = _scan_terms(bytes(data))
    return (
        np.array([_hash_term(stem) for stem, _, _, _ in terms], np.uint64),
        np.array([offset for _, _, offset, _ in terms], np.uint32),
        np.array([joined for _, _, _, joined in terms], np.bool_),
    )


def spell(data: NDArray[np.uint8] | bytes, stemmed: bool = True) -> list[str]:
    """Return the spelling of every term but the joined forms, with or without suffixes."""
    return [(stem if stemmed else word).decode() for stem, word, _, joined in _scan_terms(bytes(data)) if not joined]


def hash_word(word: NDArray[np.uint8] | bytes) -> int:
    """Return the hash of one word that is not to be split."""
    return _hash_term(_stem(_cut(bytes(word)).lower()))


def terms_postings(
    fields: list[tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint64], float, float]],
    k1: float,
    joined_weight: float = 1.0,
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint32], NDArray[np.float32], NDArray[np.uint8]]:
    """Invert units of text (BM25F).

    Parameters
    ----------
    fields : list of (data, starts, ends, weight, b)
        Unit u of a field is ``data[starts[u]:ends[u]]``.
    k1 : float
    joined_weight : float
        What a joined form counts.

    Returns
    -------
    hashes : uint64[T]
        Ascending.
    offsets : int64[T + 1]
    units : uint32[P]
        Ascending within a posting.
    impacts : float32[P]
        f / (k1 + f), f = sum over fields of weight x count / (1 - b + b x length / mean length).
    words : uint8[]
        Spelling of each term, empty if it was first seen as a joined form, and a newline.
    """
    units = len(fields[0][1]) if fields else 0
    scanned = [
        [_scan_terms(bytes(data[int(a) : int(b)])) for a, b in zip(starts, ends, strict=True)]
        for data, starts, ends, _, _ in fields
    ]
    frequencies: dict[int, dict[int, np.float32]] = {}
    spelled: dict[int, bytes] = {}
    for unit in range(units):
        for (_, _, _, weight, b), texts in zip(fields, scanned, strict=True):
            mean = sum(map(len, texts)) / units or 1
            scale = np.float32(1 / (1 - b + b * len(texts[unit]) / mean)) if b else np.float32(1)
            for stem, _, _, joined in texts[unit]:
                code = _hash_term(stem)
                spelled.setdefault(code, b"" if joined else stem)
                posting = frequencies.setdefault(code, {})
                step = np.float32(weight) * scale * np.float32(joined_weight if joined else 1)
                posting[unit] = posting.get(unit, np.float32(0)) + step
    order = sorted(frequencies)
    rows = [(unit, value) for code in order for unit, value in sorted(frequencies[code].items())]
    return (
        np.array(order, np.uint64),
        np.cumsum([0, *(len(frequencies[code]) for code in order)]).astype(np.int64),
        np.array([unit for unit, _ in rows], np.uint32),
        np.array([value / (np.float32(k1) + value) for _, value in rows], np.float32),
        np.frombuffer(b"".join(spelled[code] + b"\n" for code in order), np.uint8),
    )


def terms_locate(
    data: NDArray[np.uint8],
    starts: NDArray[np.uint64],
    ends: NDArray[np.uint64],
    hashes: NDArray[np.uint64],
    weights: NDArray[np.float32],
) -> NDArray[np.int64]:
    """Return where, in each unit, the line with most of the wanted terms has its first, or -1.

    Parameters
    ----------
    data : uint8[]
    starts, ends : uint64[U]
        Units of ``data``.
    hashes : uint64[n]
        Ascending, at most 64 of them.
    weights : float32[n]
        Each counts once a line.

    Returns
    -------
    int64[U]
        Offsets in ``data``; of equal lines the first.
    """
    weight_of = dict(zip(hashes.tolist(), weights, strict=True))
    found = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        text = bytes(data[start:end])
        lines: dict[int, tuple[int, dict[int, None]]] = {}
        for stem, _, offset, _ in _scan_terms(text):
            if (code := _hash_term(stem)) in weight_of:
                lines.setdefault(text.count(b"\n", 0, offset), (offset, {}))[1][code] = None
        best, place = np.float32(0), -1
        for offset, codes in lines.values():
            total = np.float32(0)
            for code in codes:
                total += weight_of[code]
            if total > best:
                best, place = total, start + offset
        found.append(place)
    return np.array(found, np.int64)


def _without_separators(text: bytes) -> bytes:
    return text.translate(None, b"_-").lower()


def _sketch(text: bytes) -> tuple[int, int]:
    codes = [byte & 31 for byte in _without_separators(text)]
    letters = pairs = 0
    for code in codes:
        letters |= 1 << code
    for one, other in pairwise(codes):
        pairs |= 1 << (((one << 5 | other) * 2654435761 % 2**32 >> 16) * 24 >> 16)
    return letters, pairs | min(len(codes), 255) << 24


def sketches(blob: NDArray[np.uint8], offsets: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """Return what each string has of letters and of pairs of them, and how long it is.

    Parameters
    ----------
    blob, offsets : uint8[], uint64[n + 1]
        The strings.  ASCII letter case, ``_`` and ``-`` do not count.

    Returns
    -------
    uint32[2, n]
        A bit for each letter; 24 bits for hashed pairs of neighbours, and above them the length up to 255.
    """
    found = np.zeros((2, len(offsets) - 1), np.uint32)
    for k in range(found.shape[1]):
        found[:, k] = _sketch(bytes(blob[int(offsets[k]) : int(offsets[k + 1])]))
    return found


def may_hold(sketches: NDArray[np.uint32], word: NDArray[np.uint8] | bytes) -> NDArray[np.uint32]:
    """Return the strings whose sketches have all letters and pairs of ``word`` and that are no shorter.

    Parameters
    ----------
    sketches : uint32[2, n]
    word : bytes

    Returns
    -------
    uint32[]
        Positions, ascending.
    """
    letters, pairs = _sketch(bytes(word))
    mask = 2**24 - 1
    return np.array(
        [
            k
            for k, (one, other) in enumerate(sketches.T.tolist())
            if not letters & ~one and not pairs & mask & ~other and other >> 24 >= pairs >> 24
        ],
        np.uint32,
    )


def distances(
    blob: NDArray[np.uint8], offsets: NDArray[np.uint64], word: NDArray[np.uint8] | bytes, limit: int
) -> NDArray[np.int8]:
    """Return the edits (insert, delete, replace, swap of neighbours) from ``word`` to each string, -1 beyond ``limit``.

    Parameters
    ----------
    blob, offsets : uint8[], uint64[n + 1]
        The strings.
    word : bytes
        At most 64.  ASCII letter case, ``_`` and ``-`` do not count.
    limit : int

    Returns
    -------
    int8[n]
        Optimal string alignment distances; all -1 when nothing is left of ``word``.
    """
    target = _without_separators(bytes(word))
    found = np.full(len(offsets) - 1, -1, np.int8)
    for k in range(len(found)) if target else ():
        other = _without_separators(bytes(blob[int(offsets[k]) : int(offsets[k + 1])]))
        rows = [list(range(len(target) + 1))]
        for i, letter in enumerate(other, 1):
            row = [i]
            for j, wanted in enumerate(target, 1):
                best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != wanted))
                if i > 1 and j > 1 and letter == target[j - 2] and other[i - 2] == wanted:
                    best = min(best, rows[-2][j - 2] + 1)
                row.append(best)
            rows.append(row)
        if rows[-1][-1] <= limit:
            found[k] = rows[-1][-1]
    return found


def lower_bound(blob: NDArray[np.uint8], offsets: NDArray[np.uint64], key: bytes) -> int:
    """Return the position of the first of some ascending strings that is >= ``key``.

    Parameters
    ----------
    blob, offsets : uint8[], uint64[n + 1]
        The strings, ascending in byte order.
    key : bytes

    Returns
    -------
    int
        n when all are below.
    """
    names = [bytes(blob[start:end]) for start, end in pairwise(offsets.tolist())]
    return sum(name < key for name in names)
