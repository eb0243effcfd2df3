"""The word kernels against their readable twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatrain._kernels import reference, terms

WORDS = [
    "parse", "Config", "HTTP", "Server", "utf8", "ISO8601", "_", "__", "x", "A", "é", "É", "ÅNGSTRÖM", "ß", "Æ", "Привет", "σς", "ﬁ",
    "进度条", "解", "エラー", "ｶﾅ", "한국어", "e\u0301", "１２Ａｂ", " ", "-", "\n", ".", "・", "queries", "validation", "caches", "mapper",
    "running", "classes", "iterators", "a" * 70, "é" * 40, "Ab" * 140, "9" * 12, "able", "ing", "creates", "exceeding", "status",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), max_size=12).map("".join)
raw = st.one_of(
    texts.map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=40),
    st.tuples(texts, st.binary(max_size=3), texts).map(lambda t: t[0].encode() + t[1] + t[2].encode()),
)


def spans(parts: list[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    ends = np.cumsum([len(part) for part in parts]).astype(np.uint64)
    return np.frombuffer(b"".join(parts), np.uint8), ends - np.array([len(p) for p in parts], np.uint64), ends


@settings(max_examples=300)
@given(data=raw)
def test_extract_and_spell(data: bytes) -> None:
    for got, expected in zip(terms.extract(data), reference.extract(data), strict=True):
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)
    for stemmed in (True, False):
        assert terms.spell(data, stemmed) == reference.spell(data, stemmed)
    _, _, joined = terms.extract(data)
    assert len(terms.spell(data)) == np.count_nonzero(~joined)


@given(word=raw)
def test_hash_word(word: bytes) -> None:
    assert terms.hash_word(word) == reference.hash_word(word)


@settings(max_examples=80)
@given(data=st.data(), units=st.integers(0, 5), fields=st.integers(1, 3))
def test_postings(data: st.DataObject, units: int, fields: int) -> None:
    rows = []
    for _ in range(fields):
        parts = data.draw(st.lists(raw, min_size=units, max_size=units))
        rows.append(
            (*spans(parts), data.draw(st.sampled_from([1.0, 4.0])), data.draw(st.sampled_from([0.0, 0.3, 0.6])))
        )
    joined = data.draw(st.sampled_from([1.0, 0.0]))
    got, expected = terms.postings(rows, 6.0, joined), reference.terms_postings(rows, 6.0, joined)
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == other.dtype
        if one.dtype == np.float32:
            np.testing.assert_allclose(one, other, rtol=1e-5)
        else:
            np.testing.assert_array_equal(one, other)


def test_postings_of_many_units_grow_every_table() -> None:
    """Enough distinct words that the hash table and the arrays are enlarged several times."""
    parts = [" ".join(f"word{letter}{n}" for letter in "abcdefgh").encode() for n in range(3000)]
    rows = [(*spans(parts), 1.0, 0.6)]
    hashes, offsets, ids, impacts, words = terms.postings(rows, 6.0)
    assert np.all(hashes[1:] > hashes[:-1])
    assert offsets[-1] == len(ids) == len(impacts)
    assert bytes(words).count(b"\n") == len(hashes)
    position = int(np.searchsorted(hashes, terms.hash_word(b"2999")))
    assert ids[offsets[position] : offsets[position + 1]].tolist() == [2999]
    position = int(np.searchsorted(hashes, terms.hash_word(b"worda")))
    assert ids[offsets[position] : offsets[position + 1]].tolist() == list(range(3000))


@settings(max_examples=100)
@given(parts=st.lists(raw, max_size=4), wanted=st.lists(raw, max_size=3), weights=st.randoms(use_true_random=False))
def test_locate(parts: list[bytes], wanted: list[bytes], weights: object) -> None:
    blob, starts, ends = spans(parts)
    hashes = np.unique(np.concatenate([np.empty(0, np.uint64), *(terms.extract(word)[0] for word in wanted)]))[:64]
    values = np.array([weights.choice([0.5, 1.0, 2.0]) for _ in hashes], np.float32)  # type: ignore[attr-defined]
    np.testing.assert_array_equal(
        terms.locate(blob, starts, ends, hashes, values), reference.terms_locate(blob, starts, ends, hashes, values)
    )


@settings(max_examples=200)
@given(
    names=st.lists(st.text("abAB_-é", max_size=10).map(str.encode), max_size=6),
    word=st.text("abAB_é", max_size=10).map(str.encode),
    limit=st.integers(0, 4),
)
def test_distances(names: list[bytes], word: bytes, limit: int) -> None:
    blob, _, ends = spans(names)
    offsets = np.concatenate([[np.uint64(0)], ends]).astype(np.uint64)
    got = terms.distances(blob, offsets, terms.sketches(blob, offsets), word, limit)
    assert got.dtype == np.int8
    np.testing.assert_array_equal(got, reference.distances(blob, offsets, word, limit))


def test_distance_of_the_longest_word() -> None:
    word = b"abcdefgh" * 8
    names = [word, word[:-1], word[1:] + b"x", word + b"yy", word + b"zzz", word[:30] + word[31:] + b"q", word.upper()]
    blob, _, ends = spans(names)
    offsets = np.concatenate([[0], ends]).astype(np.uint64)
    assert terms.distances(blob, offsets, terms.sketches(blob, offsets), word, 2).tolist() == [0, 1, 2, 2, -1, 2, 0]


def test_distances_of_many_names() -> None:
    """More names than one block of sketches; every position of the block and the rest behind the last one."""
    names = [b"connect", b"conect", b"cnonect", b"disconnect", b"Con_nect", b"", b"connexion", b"__connects__"] * 25
    names.insert(67, b"_" * 30 + b"connect")
    blob, _, ends = spans(names)
    offsets = np.concatenate([[0], ends]).astype(np.uint64)
    sketches = terms.sketches(blob, offsets)
    for limit in (0, 1, 2, 100):
        got = terms.distances(blob, offsets, sketches, b"connect", limit)
        np.testing.assert_array_equal(got, reference.distances(blob, offsets, b"connect", limit))


@settings(max_examples=200)
@given(
    names=st.lists(st.one_of(st.text("abAB_-é", max_size=10).map(str.encode), st.binary(max_size=300)), max_size=80),
    word=st.one_of(st.text("abAB_é", max_size=6).map(str.encode), st.binary(max_size=3)),
)
def test_sketches(names: list[bytes], word: bytes) -> None:
    blob, _, ends = spans(names)
    offsets = np.concatenate([[0], ends]).astype(np.uint64)
    got = terms.sketches(blob, offsets)
    assert got.dtype == np.uint32
    np.testing.assert_array_equal(got, reference.sketches(blob, offsets))
    possible = terms.may_hold(got, word)
    np.testing.assert_array_equal(possible, reference.may_hold(got, word))
    # None that does hold the word may be ruled out.
    assert {k for k, name in enumerate(names) if word.lower() in name.lower()} <= set(possible.tolist())


@settings(max_examples=200)
@given(names=st.lists(st.binary(max_size=4), max_size=40), key=st.binary(max_size=5))
def test_lower_bound(names: list[bytes], key: bytes) -> None:
    names.sort()
    blob, _, ends = spans(names)
    offsets = np.concatenate([[0], ends]).astype(np.uint64)
    for wanted in (key, *names):
        assert terms.lower_bound(blob, offsets, wanted) == reference.lower_bound(blob, offsets, wanted)


def test_kernels_refuse_what_does_not_fit() -> None:
    none = np.empty(0, np.uint64)
    one, two = np.array([1], np.uint64), np.array([0, 9], np.uint64)
    blob = np.zeros(4, np.uint8)
    with pytest.raises(ValueError, match="ends at 9"):
        terms.postings([(blob, np.zeros(2, np.uint64), two, 1.0, 0.0)], 1.0)
    with pytest.raises(ValueError, match="ends before it starts"):
        terms.postings([(blob, one, np.zeros(1, np.uint64), 1.0, 0.0)], 1.0)
    with pytest.raises(ValueError, match="1 starts and 0 ends"):
        terms.postings([(blob, one, none, 1.0, 0.0)], 1.0)
    with pytest.raises(ValueError, match="unit 0"):
        terms.locate(blob, np.zeros(1, np.uint64), np.array([5], np.uint64), one, np.ones(1, np.float32))
    with pytest.raises(ValueError, match="65 bytes"):
        terms.distances(blob, two[:1], np.zeros((2, 0), np.uint32), b"a" * 65, 1)
    with pytest.raises(ValueError, match="2 x 3 for 1 strings"):
        terms.distances(blob, two, np.zeros((2, 3), np.uint32), b"a", 1)
    with pytest.raises(ValueError, match="3 rows"):
        terms.may_hold(np.zeros((3, 1), np.uint32), b"a")
    with pytest.raises(ValueError, match="offsets is empty"):
        terms.lower_bound(blob, none, b"a")
    for wrong in ([0, 9], [0, 9, 4], [3, 2]):
        offsets = np.array(wrong, np.uint64)
        with pytest.raises(ValueError, match="within the 4 bytes"):
            terms.lower_bound(blob, offsets, b"a")
        with pytest.raises(ValueError, match="within the 4 bytes"):
            terms.sketches(blob, offsets)
        with pytest.raises(ValueError, match="within the 4 bytes"):
            terms.distances(blob, offsets, np.zeros((2, len(wrong) - 1), np.uint32), b"a" * 64, 64)
