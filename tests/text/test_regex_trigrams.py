"""A trigram tree never excludes a text in which its pattern matches."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatrain.query.regex import parse, spell, spell_chars, strip_newlines
from quatrain.query.regex_engine import Program
from quatrain.query.regex_trigrams import Tree, required_literal, trigram_tree

LETTERS = "abkS é"


def grams(text: bytes) -> set[int]:
    return {text[i] << 16 | text[i + 1] << 8 | text[i + 2] for i in range(len(text) - 2)}


def holds(tree: Tree, present: set[int]) -> bool:
    if isinstance(tree, bool):
        return tree
    if isinstance(tree, int):
        return tree in present
    return (all if tree[0] == "and" else any)(holds(part, present) for part in tree[1])


atoms = st.one_of(
    st.text(LETTERS, min_size=1, max_size=5),
    st.sampled_from(
        [".", r"\w", r"\s", "[ab]", "[^a]", "[a-z]", r"\b", r"\B", "^", "$", "", "[bké]", "(?i:ks)", "(?i:é)"]
    ),
)


def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    repeat = st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{4,}", "{0}", "{0,2}", "+?", "{5,6}"])
    return st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=4).map(lambda parts: "(?:" + "|".join(parts) + ")"),
        st.tuples(inner, repeat).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
    )


patterns = st.recursive(atoms, grow, max_leaves=8)


@settings(max_examples=600)
@given(pattern=patterns, text=st.text(LETTERS + "KsÉ\u212aſ", max_size=40), fold=st.booleans())
def test_no_match_is_lost(pattern: str, text: str, fold: bool) -> None:
    node = strip_newlines(parse(pattern, ignore_case=fold))
    data = text.encode()
    span = Program(f"(?m){spell(node, spell_chars)}").search(data, 0, len(data))
    if span is None:
        return
    assert holds(trigram_tree(node), grams(data))
    for ascii_only in (False, True) if text.isascii() else (False,):
        needle = required_literal(node, ascii_only)
        found = data[slice(*span)]
        if needle.ignore_case:
            assert needle.text.lower() in found.lower()
        else:
            assert needle.text in found
        if needle.whole:
            assert len(needle.text) == len(found)


def g(text: str) -> int:
    return int.from_bytes(text.encode(), "big")


@pytest.mark.parametrize(
    ("pattern", "tree"),
    [
        ("abc", g("abc")),
        ("abcd", ("and", (g("abc"), g("bcd")))),
        ("[ab]cd", ("or", (g("acd"), g("bcd")))),
        ("abc|xyz", ("or", (g("abc"), g("xyz")))),
        ("ab", True),
        ("abc|x", True),
        ("a.*b", True),
        ("(?:abc)?", True),
        ("(?:abc)*d", True),
        (r"\babc\b", g("abc")),
        ("^abc$", g("abc")),
        ("(?:abc)+", g("abc")),
        ("ab(?:)c", g("abc")),
        ("é=", g("é=")),
    ],
)
def test_trees(pattern: str, tree: Tree) -> None:
    got = trigram_tree(parse(pattern))
    if isinstance(tree, tuple):
        assert isinstance(got, tuple) and got[0] == tree[0] and set(got[1]) == set(tree[1])
    else:
        assert got == tree


def test_common_shapes_are_selective() -> None:
    """Each of these needs at least the trigrams named, so that few files are read."""
    for pattern, needed in [
        (r"(malloc|calloc)\s*\(sizeof", ["siz", "izeof"[:3], "eof"]),
        (r"def \w+\(self", ["def", "(se", "elf"]),
        (r"(?i)error: \d+", ["rro"]),
        (r"x{3,}yz", ["xxx", "xyz"]),
    ]:
        tree = trigram_tree(parse(pattern))
        text = "".join(needed)
        assert not holds(tree, set()), pattern
        del text
        leaves = _leaves(tree)
        for gram in needed:
            assert g(gram) in leaves, (pattern, gram)


def _leaves(tree: Tree) -> set[int]:
    if isinstance(tree, bool):
        return set()
    return {tree} if isinstance(tree, int) else set().union(*map(_leaves, tree[1]))


def test_a_wide_alternation_stays_small() -> None:
    """Many words still give one OR, and thousands of combinations do not explode."""
    words = [f"{a}{b}{c}word" for a in "abcdefgh" for b in "xyz" for c in "pq"]
    assert not holds(trigram_tree(parse("|".join(words))), set())
    assert len(_leaves(trigram_tree(parse("(?i)" + "abcdefghijklmnopqrstuvwxyz" * 4)))) < 2_000
    assert trigram_tree(parse("[a-c]{10}[d-f]{10}")) is not False
