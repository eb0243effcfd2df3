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

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

import numpy as np

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

    __slots__ = ("_folder_indptr", "_folder_words", "_stem_indptr", "_stem_words", "words")

    def __init__(self, segment: SectionReader) -> None:
        text = segment.array("filename/words").tobytes().decode("utf-8", "surrogateescape")
        self.words: list[str] = text.split("\n") if text else []
        self._stem_indptr = segment.array("filename/stem_indptr")
        self._stem_words = segment.array("filename/stem_words")
        self._folder_indptr = segment.array("filename/folder_indptr")
        self._folder_words = segment.array("filename/folder_words")

    def find(self, word: str) -> int:
        """Return the position of ``word`` in ``words``, or -1."""
        at = bisect_left(self.words, word)
        return at if at < len(self.words) and self.words[at] == word else -1

    def relatives(self, word: str) -> list[int]:
        """Return the other words of which one begins with the other; the shorter has at least four letters."""
        if len(word) < PREFIX:
            return []
        head = word[:PREFIX]
        at = bisect_left(self.words, head)
        found = []
        while at < len(self.words) and (other := self.words[at]).startswith(head):
            if other != word and (other.startswith(word) or word.startswith(other)):
                found.append(at)
            at += 1
        return found

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
        values = np.zeros(len(files), np.float64)
        if not equal and not near:
            return values
        owner, words, lengths = _rows(self._stem_indptr, self._stem_words, files)
        same = np.bincount(owner, _member(words, equal), len(files))
        related = np.bincount(owner, _member(words, near), len(files)) > 0
        return np.minimum(1.0, (same + prefix_credit * related) / np.maximum(lengths, 1))

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
        known = sorted(
            (at, weight) for term, weight in zip(terms, weights, strict=True) if (at := self.find(term)) >= 0
        )
        if not known:
            return np.zeros(len(files), np.float64)
        keys = np.array([at for at, _ in known], np.uint32)
        values = np.array([weight for _, weight in known], np.float64)
        owner, words, _ = _rows(self._folder_indptr, self._folder_words, files)
        at = np.minimum(np.searchsorted(keys, words), len(keys) - 1)
        return np.bincount(owner, np.where(keys[at] == words, values[at], 0.0), len(files))


def _rows(indptr: np.ndarray, data: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gather CSR rows: the position in ``rows`` of each entry, the entries, and the row lengths."""
    starts = indptr[rows].astype(np.int64)
    lengths = indptr[np.asarray(rows) + 1].astype(np.int64) - starts
    count = int(lengths.sum())
    owner = np.repeat(np.arange(len(lengths)), lengths)
    at = np.arange(count) + (starts - (np.cumsum(lengths) - lengths))[owner]
    return owner, data[at], lengths


def _member(words: np.ndarray, wanted: set[int]) -> np.ndarray:
    """Return 1.0 where a word is wanted."""
    if not wanted:
        return np.zeros(len(words))
    keys = np.array(sorted(wanted), np.uint32)
    at = np.minimum(np.searchsorted(keys, words), len(keys) - 1)
    return (keys[at] == words).astype(np.float64)
