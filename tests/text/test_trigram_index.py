"""Candidate pieces and files of literals and trees against brute force."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from text_index import Sections

from quatrain.indexes import trigrams
from quatrain.indexes.trigrams import ASCII, MARKED, Tree, TrigramIndex

ALPHABET = b"abc\n\xc3\xa9"
PIECE_BYTES = 8


class Built:
    """An index of small pieces, and those pieces cut by hand."""

    def __init__(self, files: list[bytes]) -> None:
        self.files = files
        self.sections = Sections()
        offsets = np.cumsum([0, *map(len, files)]).astype(np.uint64)
        trigrams.build(self.sections, np.frombuffer(b"".join(files), np.uint8), offsets, PIECE_BYTES)

    @cached_property
    def index(self) -> TrigramIndex:
        return TrigramIndex(self.sections)

    @cached_property
    def pieces(self) -> list[tuple[int, bytes, set[int]]]:
        """File, text and trigrams of each piece: those that begin in it."""
        found = []
        for number, file in enumerate(self.files):
            start = end = 0
            for line in re.findall(rb"[^\n]*\n|[^\n]+", file):
                if end > start and end + len(line) - start > PIECE_BYTES:
                    found.append((number, file[start:end], grams(file[start : end + 2])))
                    start = end
                end += len(line)
            if end > start:
                found.append((number, file[start:end], grams(file[start:end])))
        return found


def grams(text: bytes) -> set[int]:
    return {text[i] << 16 | text[i + 1] << 8 | text[i + 2] for i in range(len(text) - 2)}


def holds(tree: Tree, present: set[int]) -> bool:
    if isinstance(tree, bool):
        return tree
    if isinstance(tree, int):
        return tree in present
    return (all if tree[0] == "and" else any)(holds(part, present) for part in tree[1])


files_of = st.lists(st.binary(max_size=30).map(lambda b: bytes(ALPHABET[c % 6] for c in b)), max_size=8)
leaves = st.one_of(
    st.booleans(), st.binary(min_size=3, max_size=3).map(lambda b: next(iter(grams(bytes(ALPHABET[c % 6] for c in b)))))
)
trees = st.recursive(
    leaves,
    lambda parts: st.tuples(st.sampled_from(["and", "or"]), st.lists(parts, min_size=1, max_size=10).map(tuple)),
    max_leaves=20,
)


@settings(max_examples=80)
@given(files=files_of)
def test_pieces_are_whole_lines_of_one_file(files: list[bytes]) -> None:
    built = Built(files)
    edges = built.index.pieces.tolist()
    content = b"".join(files)
    cut = [content[start:end] for start, end in pairwise(edges)]
    assert list(zip(built.index.piece_files.tolist(), cut, strict=True)) == [
        (number, text) for number, text, _ in built.pieces
    ]
    assert all(text.endswith(b"\n") or files[number].endswith(text) for number, text, _ in built.pieces)


literals = st.binary(min_size=1, max_size=8).map(lambda b: bytes(ALPHABET[c % 6] for c in b))


@settings(max_examples=80)
@given(files=files_of, literal=literals.filter(lambda text: b"\n" not in text))
def test_a_literal_in_a_line_never_loses_a_piece(files: list[bytes], literal: bytes) -> None:
    built = Built(files)
    found = built.index.candidates(literal)
    assert found.dtype == np.uint32
    assert {i for i, (_, text, _) in enumerate(built.pieces) if literal in text} <= set(found.tolist())
    if 3 <= len(literal) <= 6:  # few enough trigrams that all of them are asked for
        assert found.tolist() == [i for i, (_, _, own) in enumerate(built.pieces) if grams(literal) <= own]


@settings(max_examples=120)
@given(files=files_of, literal=literals)
@example(files=[b"aaaaaa\nbbbbbb\n"], literal=b"a\nbbbb")
def test_a_literal_across_lines_never_loses_a_file(files: list[bytes], literal: bytes) -> None:
    """The trigrams of a match may lie in several pieces, and across a cut."""
    found = Built(files).index.files(literal)
    assert found.dtype == np.uint32
    assert {i for i, file in enumerate(files) if literal in file} <= set(found.tolist())
    if b"\n" in literal and len(literal) >= 3:
        assert found.tolist() == [i for i, file in enumerate(files) if grams(literal) <= grams(file)]


@settings(max_examples=80)
@given(files=files_of, tree=trees)
def test_a_tree_is_evaluated(files: list[bytes], tree: Tree) -> None:
    built = Built(files)
    for found, present in (
        (built.index.candidates(tree).tolist(), [own for _, _, own in built.pieces]),
        (built.index.files(tree).tolist(), [grams(file) for file in files]),
    ):
        exact = [i for i, own in enumerate(present) if holds(tree, own)]
        assert found == sorted(set(found))
        assert set(exact) <= set(found)
        if _widest_and(tree) <= trigrams.MOST_POSTINGS:
            assert found == exact


def _widest_and(tree: Tree) -> int:
    if not isinstance(tree, tuple):
        return 0
    inner = max(map(_widest_and, tree[1]), default=0)
    return max(inner, len(tree[1]) if tree[0] == "and" else 0)


def test_what_is_known_of_a_text() -> None:
    files = [b"plain", b"caf\xc3\xa9", b"", b"x\xff", b"\x7f", b"\xef\xbb\xbfabc", b"\xef\xbb\xbf", b"\xef\xbb"]
    assert Built(files).index.text.tolist() == [ASCII, 0, ASCII, 0, ASCII, MARKED, MARKED, 0]


def test_an_empty_index_has_no_candidates() -> None:
    for index in (Built([]).index, Built([b"", b""]).index):
        for wanted in (b"abc", b"a", True, False, 1, ("or", (1, 2))):
            assert index.candidates(wanted).tolist() == []
        assert index.files(b"a\nb").tolist() == []


def test_damaged_postings_are_refused_not_believed() -> None:
    built = Built([b"needle in here", b"no match", b"a needle too"])
    broken = built.sections["trigram/postings"].copy()
    broken[:] = 0xFF
    built.sections["trigram/postings"] = broken
    for look_up in (built.index.candidates, built.index.files):
        with pytest.raises(ValueError, match="roaring"):
            look_up(b"needle")
    with pytest.raises(ValueError, match="roaring"):
        built.index.files(("and", tuple(grams(b"need"))))
