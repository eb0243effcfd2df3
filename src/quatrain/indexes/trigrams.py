"""Where a text can be: postings of byte trigrams.

The unit is a piece: some 16 KiB of one file, cut at line ends, so that a candidate costs microseconds to read however long its file is; a
longer line is one piece.  Every three consecutive bytes are one trigram (case-sensitive, across newlines), which belongs to the piece
that its first byte lies in; a posting lists the pieces that have it.  An absent trigram rules a piece out, so intersecting the postings of
a literal narrows the search before any content is read (Cox, "Regular Expression Matching with a Trigram Index", 2012).  What may span
lines can have its trigrams in several pieces, so there whole files are intersected.

Sections
--------
``trigram/keys``
    uint32[T], ascending, ``b0 << 16 | b1 << 8 | b2``.
``trigram/offset``
    uint64[T + 1], where the posting of each key lies in ``trigram/postings``.
``trigram/postings``
    uint8[] (bulk), portable-format roaring bitmaps of pieces.
``trigram/piece``
    uint64[P + 1], where each piece begins in the content, and the end of the last.
``trigram/piece_file``
    uint32[P], the file of each piece.
``trigram/text``
    uint8[F], a sum: `ASCII` when every byte of the file is, `MARKED` when it begins with a byte order mark.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from quatrain._kernels import roaring, trigrams
from quatrain.indexes.strings import SectionReader, SectionWriter

__all__ = ["ASCII", "BYTE_ORDER_MARK", "MARKED", "PIECE_BYTES", "Tree", "TrigramIndex", "build"]

# What a match must have: True (nothing in particular), False (nothing can match), one trigram, or ("and" | "or", parts).
Tree = bool | int | tuple[str, tuple["Tree", ...]]

PIECE_BYTES = 16 << 10
MOST_POSTINGS = 8  # of an AND, the rarest: with more, what is left hardly shrinks
ASCII, MARKED = 1, 2
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def build(writer: SectionWriter, content: np.ndarray, offsets: np.ndarray, piece_bytes: int = PIECE_BYTES) -> None:
    """Write the trigram index.

    Parameters
    ----------
    writer : SegmentWriter
        Receives the sections.
    content : ndarray of uint8
        All files, one after the other.
    offsets : ndarray of uint64, shape (F + 1,)
        Where each file begins.
    piece_bytes : int
        Size of a piece of more than one line.
    """
    pieces = trigrams.split(content, offsets, piece_bytes)
    files = np.searchsorted(offsets, pieces[:-1], "right") - 1  # empty files have no piece
    # Two more bytes, as far as the file goes: the trigrams that the cut would break.
    ends = np.minimum(pieces[1:] + np.uint64(2), offsets[files + 1])
    keys, posting_offsets, ids = trigrams.postings(content, pieces[:-1], ends)
    blob, byte_offsets = trigrams.serialize(posting_offsets, ids)
    writer.add("trigram/keys", keys)
    writer.add("trigram/offset", byte_offsets)
    writer.add("trigram/postings", blob, bulk=True)
    writer.add("trigram/piece", pieces)
    writer.add("trigram/piece_file", files.astype(np.uint32))
    writer.add("trigram/text", _kinds_of_text(content, offsets))


def _kinds_of_text(content: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    starts, ends = offsets[:-1].astype(np.int64), offsets[1:].astype(np.int64)
    kinds = np.full(len(starts), ASCII, np.uint8)
    filled = np.flatnonzero(ends > starts)
    if len(filled):
        kinds[filled[np.maximum.reduceat(content, starts[filled]) >= 0x80]] = 0
    at = np.flatnonzero(ends - starts >= len(BYTE_ORDER_MARK))
    heads = content[starts[at][:, np.newaxis] + np.arange(len(BYTE_ORDER_MARK))]
    kinds[at[(heads == np.frombuffer(BYTE_ORDER_MARK, np.uint8)).all(axis=1)]] |= MARKED
    return kinds


class TrigramIndex:
    """Candidate pieces and files of a literal or of a trigram tree.

    Parameters
    ----------
    segment : Segment
        Holds the sections of this module.

    Attributes
    ----------
    pieces : ndarray of uint64, shape (P + 1,)
        Where each piece begins in the content, and the end of the last.
    piece_files : ndarray of int64, shape (P,)
        The file of each piece, ascending.
    text : ndarray of uint8, shape (F,)
        What is known of each file's text: `ASCII`, `MARKED`.
    """

    def __init__(self, segment: SectionReader) -> None:
        self._segment = segment
        self._keys = segment.array("trigram/keys")
        self._offsets = segment.array("trigram/offset")
        self._postings = segment.array("trigram/postings")
        self._checked = np.zeros(len(self._keys), np.bool_)
        self.pieces = segment.array("trigram/piece")
        self.piece_files = segment.array("trigram/piece_file").astype(np.int64)
        self.text = segment.array("trigram/text")

    def candidates(self, wanted: bytes | Tree) -> np.ndarray:
        """Return the pieces that can hold a match, which lies within one line.

        Parameters
        ----------
        wanted : bytes or Tree
            A literal, or what a match must have.  One or two bytes can be anywhere.

        Returns
        -------
        ndarray of uint32
            Piece ids, ascending.  No piece with a match is missing.
        """
        if isinstance(wanted, bytes):
            if len(wanted) < 3:
                return self._everything(True, len(self.piece_files))
            at = roaring.locate(self._keys, self._offsets, trigrams.unique(wanted), MOST_POSTINGS)
            if not len(at):
                return self._everything(False, 0)
            self._check(at)
            return roaring.intersect(self._postings, self._offsets, at, MOST_POSTINGS)
        plan, position_of = self._plan(wanted)
        if isinstance(plan, bool):
            return self._everything(plan, len(self.piece_files))
        used: dict[int, int] = {}
        program: list[int] = []
        _compile(plan, used, program)
        at = np.array([position_of[leaf] for leaf in used], np.int64)
        self._check(at)
        steps = np.array(program, np.int32)
        return roaring.evaluate(self._postings, self._offsets, at, steps, len(self.piece_files))

    def files(self, wanted: bytes | Tree) -> np.ndarray:
        """Return the files that can have a match, which may span lines.

        Parameters
        ----------
        wanted : bytes or Tree
            As for `candidates`.

        Returns
        -------
        ndarray of uint32
            File ids, ascending.  No file with a match is missing.
        """
        if isinstance(wanted, bytes):
            if b"\n" not in wanted and len(wanted) >= 3:
                return self._files_of(self.candidates(wanted))
            wanted = ("and", tuple(trigrams.unique(wanted).tolist())) if len(wanted) >= 3 else True
        plan, position_of = self._plan(wanted)
        if isinstance(plan, bool):
            return self._everything(plan, len(self.text))
        return self._files_of_tree(plan, position_of)

    def _everything(self, wanted: bool, count: int) -> np.ndarray:
        return np.arange(count if wanted else 0, dtype=np.uint32)

    def _files_of(self, pieces: np.ndarray) -> np.ndarray:
        files = self.piece_files[pieces].astype(np.uint32)
        return files[np.flatnonzero(np.diff(files, prepend=np.uint32(len(self.text))))]

    def _files_of_tree(self, plan: Tree, position_of: dict[int, int]) -> np.ndarray:
        if isinstance(plan, int):
            at = np.array([position_of[plan]], np.int64)
            self._check(at)
            return self._files_of(roaring.intersect(self._postings, self._offsets, at))
        assert isinstance(plan, tuple)
        operator, parts = plan
        found = (self._files_of_tree(part, position_of) for part in parts)
        if operator == "and":
            return reduce(lambda left, right: np.intersect1d(left, right, assume_unique=True), found)
        return reduce(np.union1d, found)

    def _check(self, at: np.ndarray) -> None:
        """Have the postings of some keys verified before their first use."""
        if not self._checked[at].all():
            self._segment.verify("trigram/postings", self._offsets[at], self._offsets[at + 1])
            self._checked[at] = True

    def _plan(self, tree: Tree) -> tuple[Tree, dict[int, int]]:
        """Return the tree cut to what is cheap, and the positions of its trigrams among the keys."""
        leaves = sorted(_leaves(tree))
        at = np.searchsorted(self._keys, leaves)
        known = at < len(self._keys)
        known[known] = self._keys[at[known]] == np.array(leaves, np.uint32)[known]
        size = (self._offsets[np.where(known, at + 1, 0)] - self._offsets[np.where(known, at, 0)]).tolist()
        rows = [row for row in zip(leaves, at.tolist(), size, known.tolist(), strict=True) if row[3]]
        plan, _ = _cut(tree, {leaf: size for leaf, _, size, _ in rows})
        return plan, {leaf: position for leaf, position, _, _ in rows}


AND, OR = -1, -2


def _leaves(tree: Tree) -> set[int]:
    if isinstance(tree, bool):
        return set()
    if isinstance(tree, int):
        return {tree}
    return set().union(*(_leaves(part) for part in tree[1]))


def _cut(tree: Tree, sizes: dict[int, int]) -> tuple[Tree, int]:
    """Return the tree without absent trigrams and without the commonest parts of each AND, and its posting bytes."""
    if isinstance(tree, bool):
        return tree, 0
    if isinstance(tree, int):
        return (tree, sizes[tree]) if tree in sizes else (False, 0)
    operator, parts = tree
    kept = [_cut(part, sizes) for part in parts]
    if operator == "and":
        if any(part is False for part, _ in kept):
            return False, 0
        kept = sorted((entry for entry in kept if entry[0] is not True), key=lambda entry: entry[1])[:MOST_POSTINGS]
        if not kept:
            return True, 0
    else:
        if any(part is True for part, _ in kept):
            return True, 0
        kept = [entry for entry in kept if entry[0] is not False]
        if not kept:
            return False, 0
    if len(kept) == 1:
        return kept[0]
    total = kept[0][1] if operator == "and" else sum(size for _, size in kept)
    return (operator, tuple(part for part, _ in kept)), total


def _compile(tree: Tree, used: dict[int, int], program: list[int]) -> None:
    """Append the postfix form of a tree without booleans."""
    if isinstance(tree, int):
        program.append(used.setdefault(tree, len(used)))
        return
    assert isinstance(tree, tuple)
    operator, parts = tree
    for number, part in enumerate(parts):
        _compile(part, used, program)
        if number:
            program.append(AND if operator == "and" else OR)
