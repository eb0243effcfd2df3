"""Which files can hold a text: postings of byte trigrams.

Every three consecutive bytes of a file are one trigram (case-sensitive, across newlines); a posting lists the files that have it.  An
absent trigram rules a file out, so intersecting the postings of a literal narrows the search before any content is read (Cox, "Regular
Expression Matching with a Trigram Index", 2012).

Sections
--------
``trigram/keys``
    uint32[T], ascending, ``b0 << 16 | b1 << 8 | b2``.
``trigram/offset``
    uint64[T + 1], where the posting of each key lies in ``trigram/postings``.
``trigram/postings``
    uint8[] (bulk), portable-format roaring bitmaps of file ids.
``trigram/ascii``
    uint8[F], 1 where every byte of the file is ASCII.
"""

from __future__ import annotations

import numpy as np

from quatrain._kernels import roaring, trigrams
from quatrain.indexes.strings import SectionReader, SectionWriter

__all__ = ["Tree", "TrigramIndex", "build"]

# What a file must have: True (nothing in particular), False (no file can match), one trigram, or ("and" | "or", parts).
Tree = bool | int | tuple[str, tuple["Tree", ...]]

# Of an AND, the rarest: more cost little, as the result is small by then, and each spares reading files.
MOST_POSTINGS = 24


def build(writer: SectionWriter, content: np.ndarray, offsets: np.ndarray) -> None:
    """Write the trigram index.

    Parameters
    ----------
    writer : SegmentWriter
        Receives the four sections.
    content : ndarray of uint8
        All files, one after the other.
    offsets : ndarray of uint64, shape (F + 1,)
        Where each file begins.
    """
    keys, posting_offsets, ids = trigrams.postings(content, offsets)
    blob, byte_offsets = trigrams.serialize(posting_offsets, ids)
    writer.add("trigram/keys", keys)
    writer.add("trigram/offset", byte_offsets)
    writer.add("trigram/postings", blob, bulk=True)
    ascii_only = np.ones(len(offsets) - 1, np.uint8)
    filled = np.flatnonzero(offsets[1:] > offsets[:-1])
    if len(filled):
        ascii_only[filled] = np.maximum.reduceat(content, offsets[:-1][filled].astype(np.int64)) < 0x80
    writer.add("trigram/ascii", ascii_only)


class TrigramIndex:
    """Candidate files of a literal or of a trigram tree.

    Parameters
    ----------
    segment : Segment
        Holds the sections of this module.
    """

    def __init__(self, segment: SectionReader) -> None:
        self._segment = segment
        self._keys = segment.array("trigram/keys")
        self._offsets = segment.array("trigram/offset")
        self._postings = segment.array("trigram/postings")
        self.ascii = segment.array("trigram/ascii")
        self._all = np.arange(len(self.ascii), dtype=np.uint32)
        self._all.flags.writeable = False
        self._checked = np.zeros(len(self._keys), np.bool_)

    @property
    def files(self) -> int:
        """Number of files."""
        return len(self.ascii)

    def candidates(self, wanted: bytes | Tree) -> np.ndarray:
        """Return the files that can match.

        Parameters
        ----------
        wanted : bytes or Tree
            A literal, or what a file must have.  A literal of one or two bytes is looked up in all trigrams that hold it.

        Returns
        -------
        ndarray of uint32
            File ids, ascending.  A superset of the files that match; read-only.
        """
        if isinstance(wanted, bytes):
            return self._of_literal(wanted) if len(wanted) >= 3 else self._all
        if isinstance(wanted, bool):
            return self._all if wanted else self._all[:0]
        return self._of_tree(wanted)

    def _of_literal(self, literal: bytes) -> np.ndarray:
        wanted = trigrams.unique(literal)
        at = np.searchsorted(self._keys, wanted)
        if int(at[-1]) >= len(self._keys) or (self._keys[at] != wanted).any():
            return self._all[:0]
        return self._intersect(at)

    def _intersect(self, at: np.ndarray) -> np.ndarray:
        starts, ends = self._offsets[at], self._offsets[at + 1]
        if len(at) > MOST_POSTINGS:
            rarest = np.argpartition(ends - starts, MOST_POSTINGS)[:MOST_POSTINGS]
            at, starts, ends = at[rarest], starts[rarest], ends[rarest]
        self._check(at, starts, ends)
        return roaring.intersect(self._postings, starts, ends, MOST_POSTINGS)

    def _check(self, at: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> None:
        """Have the postings of some keys verified before their first use."""
        if not self._checked[at].all():
            self._segment.verify("trigram/postings", starts, ends)
            self._checked[at] = True

    def _of_tree(self, tree: Tree) -> np.ndarray:
        """Look up every trigram of the tree at once, cut it to what is cheap, and evaluate the rest in one call."""
        leaves = sorted(_leaves(tree))
        at = np.searchsorted(self._keys, leaves)
        known = at < len(self._keys)
        known[known] = self._keys[at[known]] == np.array(leaves, np.uint32)[known]
        size = (self._offsets[np.where(known, at + 1, 0)] - self._offsets[np.where(known, at, 0)]).tolist()
        facts = {leaf: (int(a), s) for leaf, a, k, s in zip(leaves, at, known, size, strict=True) if k}
        plan, _ = _cut(tree, facts)
        if isinstance(plan, bool):
            return self._all if plan else self._all[:0]
        used: dict[int, int] = {}
        program: list[int] = []
        _compile(plan, used, program)
        positions = np.array([facts[leaf][0] for leaf in used], np.int64)
        starts, ends = self._offsets[positions], self._offsets[positions + 1]
        self._check(positions, starts, ends)
        return roaring.evaluate(self._postings, starts, ends, np.array(program, np.int32), self.files)


AND, OR = -1, -2


def _leaves(tree: Tree) -> set[int]:
    if isinstance(tree, bool):
        return set()
    if isinstance(tree, int):
        return {tree}
    return set().union(*(_leaves(part) for part in tree[1]))


def _cut(tree: Tree, facts: dict[int, tuple[int, int]]) -> tuple[Tree, int]:
    """Return the tree without absent trigrams and without the commonest parts of each AND, and its posting bytes."""
    if isinstance(tree, bool):
        return tree, 0
    if isinstance(tree, int):
        return (tree, facts[tree][1]) if tree in facts else (False, 0)
    operator, parts = tree
    kept = [_cut(part, facts) for part in parts]
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
