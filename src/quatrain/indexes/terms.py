"""Words: which chunks speak of something, and how strongly; and the same for the names of symbols.

Chunks are scored by BM25F (Robertson, Zaragoza and Taylor, 2004): the frequency of a term is a weighted sum over fields, each divided by
its length to a degree of its own, and saturates once, ``f / (k1 + f)``.  That *impact* does not depend on the query, so it is stored.

Sections
--------
``term/hash``
    uint64[T], ascending.  A term is known by the hash of its bytes (`quatrain._kernels.terms`).
``term/offset``
    int64[T + 1], where the posting of each term begins.
``term/chunk``, ``term/impact``
    uint32[P] and float32[P] (bulk); chunks ascend within a posting.
``term/words``
    uint8[] (bulk), the spelling of each term followed by a newline, in the order of the hashes; empty for joined forms.
    Read only when a question's words are unknown.
``nameterm/hash``, ``nameterm/offset``, ``nameterm/symbol``
    The same for symbol names: uint64[T], int64[T + 1], uint32[P].  Joined forms are listed beside the sub-words.
``nameterm/mass``
    float32[S], summed idf of the sub-words of each symbol's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quatrain._kernels import ranking, terms
from quatrain.indexes.strings import SectionReader, SectionWriter, Strings, encode

__all__ = ["NameTermIndex", "Postings", "TermIndex", "build", "build_names"]

K1 = 6.0
# weight, b
BODY, NAMES, ENCLOSING, FOLDERS, FILE_NAME = (1.0, 0.6), (4.0, 0.3), (2.0, 0.0), (1.0, 0.0), (3.0, 0.3)
PATH_PARTS = 3


def build(
    writer: SectionWriter,
    content: np.ndarray,
    offsets: np.ndarray,
    chunks: tuple[np.ndarray, np.ndarray, np.ndarray],
    chunk_names: Strings,
    chunk_enclosing: Strings,
    paths: Sequence[str],
) -> None:
    """Write the term index of all chunks.

    Parameters
    ----------
    writer : SegmentWriter
        Receives the five ``term/`` sections.
    content : ndarray of uint8
        All files, one after the other.
    offsets : ndarray of uint64, shape (F + 1,)
        Where each file begins.
    chunks : tuple of ndarray of int, each shape (N,)
        File, first byte and end byte of every chunk; bytes count from the beginning of the file.
    chunk_names, chunk_enclosing : Strings of length N
        Names that each chunk defines, and names of the definitions around it, separated by anything but a letter.
    paths : sequence of str, length F
        Path of each file.
    """
    files = np.asarray(chunks[0], np.int64)
    base = np.asarray(offsets, np.uint64)[files]
    folders, stems = [], []
    for path in paths:
        parts = path.split("/")
        name = parts[-1]
        stem = name.rpartition(".")[0] or name
        folders.append(encode("/".join(parts[-PATH_PARTS:])))
        stems.append(encode(stem))
    fields = [
        (content, base + np.asarray(chunks[1], np.uint64), base + np.asarray(chunks[2], np.uint64), *BODY),
        (*_units(chunk_names), *NAMES),
        (*_units(chunk_enclosing), *ENCLOSING),
        (*_units(Strings.of(folders), files), *FOLDERS),
        (*_units(Strings.of(stems), files), *FILE_NAME),
    ]
    hashes, starts, ids, impacts, words = terms.postings(fields, K1)
    writer.add("term/hash", hashes)
    writer.add("term/offset", starts)
    writer.add("term/chunk", ids, bulk=True)
    writer.add("term/impact", impacts, bulk=True)
    writer.add("term/words", words, bulk=True)


def build_names(writer: SectionWriter, names: Strings) -> None:
    """Write the sub-word index of symbol names.

    Parameters
    ----------
    writer : SegmentWriter
        Receives the four ``nameterm/`` sections.
    names : Strings
        Simple name of every symbol, by symbol id.
    """
    # A joined form is posted with frequency 0, which tells it from a sub-word.
    hashes, starts, ids, impacts, _ = terms.postings([(*_units(names), 1.0, 0.0)], 1.0, joined_weight=0.0)
    words = impacts > 0
    count = len(names.offsets) - 1
    idf = np.repeat(_idf(np.diff(starts), count), np.diff(starts))
    writer.add("nameterm/hash", hashes)
    writer.add("nameterm/offset", starts)
    writer.add("nameterm/symbol", ids)
    writer.add("nameterm/mass", np.bincount(ids[words], idf[words], count).astype(np.float32))


def _units(parts: Strings, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the parts in one array and where each begins and ends, or where part ``rows[u]`` does for each u."""
    starts, ends = parts.offsets[:-1], parts.offsets[1:]
    return (parts.blob, starts, ends) if rows is None else (parts.blob, starts[rows], ends[rows])


def _idf(frequencies: np.ndarray, documents: int) -> np.ndarray:
    """Return the probabilistic inverse document frequency, kept positive."""
    return np.log1p((documents - frequencies + 0.5) / (frequencies + 0.5))


class Postings(NamedTuple):
    """Where the postings of some hashes lie; an unknown hash has an empty one."""

    starts: np.ndarray  # int64
    ends: np.ndarray  # int64
    idf: np.ndarray  # float64; of an unknown hash, as if nothing had it
    positions: np.ndarray  # int64, of the hash among all; of an unknown one, any


def _find(keys: np.ndarray, offsets: np.ndarray, hashes: np.ndarray, documents: int) -> Postings:
    if not len(keys):
        zero = np.zeros(len(hashes), np.int64)
        return Postings(zero, zero, _idf(zero, documents), zero)
    at = np.minimum(np.searchsorted(keys, hashes), len(keys) - 1)
    starts = offsets[at]
    ends = np.where(keys[at] == hashes, offsets[at + 1], starts)
    return Postings(starts, ends, _idf(ends - starts, documents), at)


class TermIndex:
    """Word postings over chunks.

    Parameters
    ----------
    segment : Segment
        Holds the ``term/`` sections and ``chunk/file``.
    """

    def __init__(self, segment: SectionReader) -> None:
        self._segment = segment
        self._hashes = segment.array("term/hash")
        self._offsets = segment.array("term/offset")
        self._chunks = segment.array("term/chunk")
        self._impacts = segment.array("term/impact")
        self._checked = np.zeros(len(self._hashes), np.bool_)
        self.documents = len(segment.array("chunk/file"))

    def find(self, hashes: np.ndarray) -> Postings:
        """Return the postings and the idf of terms.

        Parameters
        ----------
        hashes : ndarray of uint64, shape (n,)

        Returns
        -------
        Postings
        """
        return _find(self._hashes, self._offsets, hashes, self.documents)

    @cached_property
    def vocabulary(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Spellings of all terms without separators, uint8[], where each begins, uint64[T + 1], and their sketches, uint32[2, T]."""
        words = self._segment.array("term/words")
        self._segment.verify("term/words", np.zeros(1, np.int64), np.array([len(words)]))
        breaks = np.flatnonzero(words == 0x0A)
        offsets = np.zeros(len(breaks) + 1, np.uint64)
        offsets[1:] = breaks - np.arange(len(breaks))
        blob = words[words != 0x0A]
        return blob, offsets, terms.sketches(blob, offsets)

    def frequency(self, position: int) -> int:
        """Return how many chunks have the term at a position of the vocabulary."""
        return int(self._offsets[position + 1] - self._offsets[position])

    def hash_at(self, position: int) -> int:
        """Return the hash of the term at a position of the vocabulary."""
        return int(self._hashes[position])

    def search(
        self,
        words: np.ndarray,
        joined: np.ndarray,
        limit: int,
        allow: np.ndarray | None = None,
        factors: np.ndarray | None = None,
        found: Postings | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the best chunks for some terms.

        Parameters
        ----------
        words, joined : ndarray of uint64
            Hashes of distinct sub-words and of joined forms.  Both score; only words count for the coverage.
        limit : int
            How many chunks at most.
        allow : ndarray of uint64, optional
            Bitmap over chunk ids.
        factors : ndarray of float64, shape of ``words`` then ``joined``, optional
            Multiply the idf of each term.
        found : Postings, optional
            What `find` says of ``words`` followed by ``joined``.

        Returns
        -------
        chunks : ndarray of int64
        scores : ndarray of float64
            Sum of idf x impact; descending, ties to the lower chunk.
        coverage : ndarray of float64
            Share of the words' idf that the chunk has.
        """
        found = found or self.find(np.concatenate([words, joined]))
        idf = found.idf if factors is None else found.idf * factors
        present = np.flatnonzero(found.ends > found.starts)
        starts, ends, weights = found.starts[present], found.ends[present], idf[present].astype(np.float32)
        if not self._checked[found.positions[present]].all():
            self._segment.verify("term/chunk", 4 * starts, 4 * ends)
            self._segment.verify("term/impact", 4 * starts, 4 * ends)
            self._checked[found.positions[present]] = True
        # Joined forms do not count for the coverage; absent words do.
        total = float(idf[: len(words)].sum())
        shares = np.where(present < len(words), idf[present], 0.0) / (total if total > 0 else 1.0)
        chunks, scores, coverage = ranking.accumulate(
            self._chunks, self._impacts, starts, ends, weights, shares, self.documents, limit, allow
        )
        return chunks, scores, np.minimum(coverage, 1.0)


class NameTermIndex:
    """Sub-word postings over symbol names.

    Parameters
    ----------
    segment : Segment
        Holds the ``nameterm/`` sections.

    Attributes
    ----------
    symbols : ndarray of uint32, shape (P,)
        Symbol ids of all postings.
    mass : ndarray of float32, shape (S,)
        Summed idf of the sub-words of each symbol's name.
    """

    def __init__(self, segment: SectionReader) -> None:
        self._hashes = segment.array("nameterm/hash")
        self._offsets = segment.array("nameterm/offset")
        self.symbols = segment.array("nameterm/symbol")
        self.mass = segment.array("nameterm/mass")

    def find(self, hashes: np.ndarray) -> Postings:
        """Return where in ``symbols`` the postings of sub-words or joined forms lie, and their idf over symbols.

        Parameters
        ----------
        hashes : ndarray of uint64, shape (n,)

        Returns
        -------
        Postings
        """
        return _find(self._hashes, self._offsets, hashes, len(self.mass))
