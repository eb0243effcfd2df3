"""The words of file names and of the folders they lie in.

A file's *stem* is its name without the last extension.  Its *folder words* are the sub-words of the last two folders
that the stem does not have.  Both are stemmed sub-words, as the queries' terms are.

Sections
--------
``filename/words``
    uint8[], the distinct words in code point order, joined by newlines.
``filename/stem_indptr``, ``filename/folder_indptr``
    uint32[F + 1], rows by file.
``filename/stem_words``, ``filename/folder_words``
    uint32[], positions in ``filename/words``, ascending within a row.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from quatrain._kernels import ranking
from quatrain.indexes.strings import SectionReader, SectionWriter
from quatrain.query.terms import split_words

__all__ = ["FileNames", "build", "file_stem"]

FOLDERS = 2
PREFIX = 4  # a word of fewer letters never matches another by its beginning


def file_stem(path: str) -> str:
    """Return the file name without its last extension; a leading dot is part of the name.

    Parameters
    ----------
    path : str
        POSIX path.

    Returns
    -------
    str

    Examples
    --------
    >>> file_stem("src/lib/merge-config.test.ts")
    'merge-config.test'
    >>> file_stem(".bashrc")
    '.bashrc'
    """
    name = path.rsplit("/", 1)[-1]
    head, dot, _ = name.rpartition(".")
    return head if dot and head else name


def build(writer: SectionWriter, paths: Sequence[str], words: Callable[[str], Iterable[str]] = split_words) -> None:
    """Write the words of all file names.

    Parameters
    ----------
    writer : SegmentWriter
        Receives the five sections.
    paths : sequence of str
        In the order of the file ids.
    words : callable
        Splits text into stemmed sub-words; by default as queries are split.
    """
    stems: list[set[str]] = []
    folders: list[set[str]] = []
    for path in paths:
        stem = set(words(file_stem(path)))
        stems.append(stem)
        folders.append(set(words(" ".join(path.split("/")[:-1][-FOLDERS:]))) - stem)
    vocabulary = sorted(set().union(*stems, *folders))
    position = {word: number for number, word in enumerate(vocabulary)}
    writer.add("filename/words", "\n".join(vocabulary).encode("utf-8", "surrogateescape"))
    for tag, rows in (("stem", stems), ("folder", folders)):
        indptr = np.zeros(len(rows) + 1, np.uint32)
        np.cumsum([len(row) for row in rows], out=indptr[1:])
        writer.add(f"filename/{tag}_indptr", indptr)
        flat = [number for row in rows for number in sorted(position[word] for word in row)]
        writer.add(f"filename/{tag}_words", np.array(flat, np.uint32))


class FileNames:
    """File-name words of an opened segment.

    Parameters
    ----------
    segment : Segment
        Holds the sections of this module.
    """

    __slots__ = ("_positions", "_rows", "_stem_lengths", "words")

    def __init__(self, segment: SectionReader) -> None:
        text = segment.array("filename/words").tobytes().decode("utf-8", "surrogateescape")
        self.words: list[str] = text.split("\n") if text else []
        self._positions = {word: number for number, word in enumerate(self.words)}
        self._rows = {
            tag: (segment.array(f"filename/{tag}_indptr"), segment.array(f"filename/{tag}_words"))
            for tag in ("stem", "folder")
        }
        self._stem_lengths = np.maximum(np.diff(self._rows["stem"][0]), 1)

    def find(self, word: str) -> int:
        """Return the position of ``word`` in ``words``, or -1."""
        return self._positions.get(word, -1)

    def relatives(self, word: str) -> list[int]:
        """Return the other words of which one begins with the other; the shorter has at least four letters."""
        if len(word) < PREFIX:
            return []
        shorter = [at for size in range(PREFIX, len(word)) if (at := self.find(word[:size])) >= 0]
        own = self.find(word)
        first = bisect_left(self.words, word) if own < 0 else own + 1
        return [*shorter, *range(first, bisect_left(self.words, word + chr(sys.maxunicode), first))]

    def name_match(self, files: np.ndarray, terms: Sequence[str], prefix_credit: float) -> np.ndarray:
        """Return how much of each file's stem the terms name.

        Parameters
        ----------
        files : ndarray of int, shape (n,)
            File ids.
        terms : sequence of str
            Stemmed sub-words of the query.
        prefix_credit : float
            What the best match by beginning counts, once per file.

        Returns
        -------
        ndarray of float64, shape (n,)
            ``min(1, (equal words + prefix_credit if a word matches by its beginning) / words of the stem)``.
        """
        equal = {at for term in terms if (at := self.find(term)) >= 0}
        near = {at for term in terms for at in self.relatives(term)} - equal
        if not equal and not near:
            return np.zeros(len(files))
        same = self._sums("stem", files, dict.fromkeys(equal, 1.0))
        related = self._sums("stem", files, dict.fromkeys(near, 1.0)) > 0
        return np.minimum(1.0, (same + prefix_credit * related) / self._stem_lengths[files])

    def folder_match(self, files: np.ndarray, terms: Sequence[str], weights: Sequence[float]) -> np.ndarray:
        """Return the summed weight of the terms among each file's folder words.

        Parameters
        ----------
        files : ndarray of int, shape (n,)
            File ids.
        terms : sequence of str
            Distinct stemmed sub-words of the query.
        weights : sequence of float
            One per term.

        Returns
        -------
        ndarray of float64, shape (n,)
        """
        known = {at: weight for term, weight in zip(terms, weights, strict=True) if (at := self.find(term)) >= 0}
        return self._sums("folder", files, known)

    def _sums(self, tag: str, files: np.ndarray, weights: dict[int, float]) -> np.ndarray:
        """Return the summed weight of the words in each file's row, by position of the word."""
        keys = sorted(weights)
        indptr, words = self._rows[tag]
        return ranking.row_sums(
            indptr, words, files, np.array(keys, np.uint32), np.array([weights[key] for key in keys], np.float64)
        )
