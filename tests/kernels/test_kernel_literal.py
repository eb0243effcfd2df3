"""The literal scanner against bytes.find, at every level."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatrain._kernels import literal, reference

# Few letters, so that matches and near misses abound; "@`" and "[{" differ by the case bit only but are no letters.
LETTERS = b"abAB@`[{\xc1\xe1zZ\n"


def spans(documents: list[bytes]) -> tuple[bytes, np.ndarray, np.ndarray]:
    ends = np.cumsum([len(each) for each in documents]).astype(np.uint64)
    return b"".join(documents), ends - np.array([len(each) for each in documents], np.uint64), ends


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[bytes], bytes]:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    alphabet = np.frombuffer(draw(st.sampled_from([LETTERS, b"ab", b"ab\n", b"a", bytes(range(256))])), np.uint8)
    sizes = draw(st.lists(st.sampled_from([0, 1, 2, 7, 31, 32, 33, 63, 64, 65, 127, 200, 700]), max_size=6))
    documents = [alphabet[random.integers(0, len(alphabet), size)].tobytes() for size in sizes]
    length = draw(st.sampled_from([1, 2, 3, 4, 5, 8, 16, 31, 33, 70]))
    if documents and len(max(documents, key=len)) > length and draw(st.booleans()):
        text = max(documents, key=len)
        at = draw(st.integers(0, len(text) - length))
        needle = text[at : at + length]
    else:
        needle = alphabet[random.integers(0, len(alphabet), length)].tobytes()
    return documents, needle.swapcase() if draw(st.booleans()) else needle


@settings(max_examples=300, deadline=None)
@given(
    case=cases(),
    ignore_case=st.booleans(),
    limit=st.sampled_from([-1, -1, 0, 1, 2, 50]),
    once=st.booleans(),
    data=st.data(),
)
def test_find(
    level: str, case: tuple[list[bytes], bytes], ignore_case: bool, limit: int, once: bool, data: st.DataObject
) -> None:
    literal._set_level(level)
    content, starts, ends = spans(case[0])
    ids = st.integers(0, max(len(starts) - 1, 0))
    chosen = data.draw(st.none() | st.lists(ids, max_size=len(starts)).map(lambda some: np.array(some, np.uint32)))
    found = literal.find(content, starts, ends, case[1], ignore_case, limit, once, chosen)
    expected = reference.find(content, starts, ends, case[1], ignore_case, limit, once, chosen)
    assert found[0].dtype == np.int64 and found[1].dtype == np.uint64
    np.testing.assert_array_equal(found[0], expected[0])
    np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.parametrize("ignore_case", [False, True])
def test_every_position_of_a_match(level: str, ignore_case: bool) -> None:
    """One needle at every offset of documents that end exactly at the end of the blob."""
    literal._set_level(level)
    for length in (1, 2, 5, 40):
        needle = (b"Needle-with-rare-bytes-" * 3)[:length]
        for size in range(length, 200):
            content = bytearray(b"." * size)
            at = (size * 7) % (size - length + 1)
            content[at : at + length] = needle.upper() if ignore_case else needle
            one = np.zeros(1, np.uint64), np.array([size], np.uint64)
            documents, offsets = literal.find(np.frombuffer(content, np.uint8), *one, needle, ignore_case)
            assert (documents.tolist(), offsets.tolist()) == ([0], [at])


def test_more_matches_than_the_first_buffer(level: str) -> None:
    literal._set_level(level)
    content, starts, ends = spans([b"ab" * 5000, b"", b"ba" * 300])
    documents, offsets = literal.find(content, starts, ends, b"ab")
    assert np.bincount(documents).tolist() == [5000, 0, 299]
    assert offsets[:5000].tolist() == list(range(0, 10_000, 2))


def test_a_match_across_two_documents_is_none(level: str) -> None:
    literal._set_level(level)
    content, starts, ends = spans([b"x" * 64 + b"nee", b"dle" + b"y" * 64])
    assert literal.find(content, starts, ends, b"needle")[0].size == 0
    overlapping = np.array([0, 3], np.uint64), np.array([67, 73], np.uint64)
    assert literal.find(content, *overlapping, b"needle")[0].tolist() == [1]


def test_refusals() -> None:
    for kernel in (literal, reference):
        with pytest.raises(ValueError):
            kernel.find(b"abc", np.zeros(1, np.uint64), np.ones(1, np.uint64), b"")
        for start, end in [(0, 4), (2, 1), (2**63, 2**63 + 1)]:
            with pytest.raises(ValueError):
                kernel.find(b"abc", np.array([start], np.uint64), np.array([end], np.uint64), b"a")
        with pytest.raises(ValueError):
            kernel.find(b"abc", np.zeros(1, np.uint64), np.zeros(0, np.uint64), b"a")
        with pytest.raises(ValueError):
            kernel.find(b"abc", np.zeros(1, np.uint64), np.ones(1, np.uint64), b"a", chosen=np.ones(1, np.uint32))
    with pytest.raises(TypeError):
        literal.find(b"abc", np.zeros(1, np.uint64), np.ones(1, np.uint64), "a")
