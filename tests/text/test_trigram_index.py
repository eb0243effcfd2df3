"""Candidate files of literals and trees against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text_index import Sections

from quatrain.indexes import trigrams
from quatrain.indexes.trigrams import Tree, TrigramIndex

ALPHABET = b"abc\n\xc3\xa9"


def index_of(files: list[bytes]) -> TrigramIndex:
    sections = Sections()
    offsets = np.cumsum([0, *map(len, files)]).astype(np.uint64)
    trigrams.build(sections, np.frombuffer(b"".join(files), np.uint8), offsets)
    return TrigramIndex(sections)


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


@settings(max_examples=60)
@given(files=files_of, literal=st.binary(min_size=1, max_size=8).map(lambda b: bytes(ALPHABET[c % 6] for c in b)))
def test_a_literal_never_loses_a_file(files: list[bytes], literal: bytes) -> None:
    found = index_of(files).candidates(literal)
    assert found.dtype == np.uint32
    assert {i for i, file in enumerate(files) if literal in file} <= set(found.tolist())
    if 3 <= len(literal) <= 6:  # few enough trigrams that all of them are asked for
        assert found.tolist() == [i for i, file in enumerate(files) if grams(literal) <= grams(file)]


@settings(max_examples=60)
@given(files=files_of, tree=trees)
def test_a_tree_is_evaluated(files: list[bytes], tree: Tree) -> None:
    found = index_of(files).candidates(tree).tolist()
    exact = [i for i, file in enumerate(files) if holds(tree, grams(file))]
    assert found == sorted(set(found))
    assert set(exact) <= set(found)
    if _widest_and(tree) <= trigrams.MOST_POSTINGS:
        assert found == exact


def _widest_and(tree: Tree) -> int:
    if not isinstance(tree, tuple):
        return 0
    inner = max(map(_widest_and, tree[1]), default=0)
    return max(inner, len(tree[1]) if tree[0] == "and" else 0)


def test_ascii_files_are_known() -> None:
    assert index_of([b"plain", b"caf\xc3\xa9", b"", b"x\xff", b"\x7f"]).ascii.tolist() == [1, 0, 1, 0, 1]


def test_an_empty_index_has_no_candidates() -> None:
    index = index_of([])
    for wanted in (b"abc", b"a", True, False, 1, ("or", (1, 2))):
        assert index.candidates(wanted).tolist() == []


def test_damaged_postings_are_refused_not_believed() -> None:
    sections = Sections()
    files = [b"needle in here", b"no match", b"a needle too"]
    offsets = np.cumsum([0, *map(len, files)]).astype(np.uint64)
    trigrams.build(sections, np.frombuffer(b"".join(files), np.uint8), offsets)
    broken = sections["trigram/postings"].copy()
    broken[:] = 0xFF
    sections["trigram/postings"] = broken
    index = TrigramIndex(sections)
    with pytest.raises(ValueError, match="roaring"):
        index.candidates(b"needle")
