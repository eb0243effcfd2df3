"""Trigram extraction, inversion and serialisation against the twins and pyroaring."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from quatrain._kernels import reference, trigrams

texts = st.one_of(
    st.binary(max_size=40),
    st.binary(min_size=200, max_size=700),
    st.text("ab\n", max_size=600).map(str.encode),
    st.sampled_from([b"\0" * 5, b"\xff" * 300, b"\xff\xfe\xfd" * 100, bytes(range(256)) * 3]),
)


@settings(max_examples=200, deadline=None)
@given(data=texts)
def test_unique(data: bytes) -> None:
    found = trigrams.unique(data)
    assert found.dtype == np.uint32
    np.testing.assert_array_equal(found, reference.trigrams_unique(data))


@settings(max_examples=60, deadline=None)
@given(documents=st.lists(texts, max_size=12), overlap=st.sampled_from([0, 2, 50]))
def test_postings_and_their_bytes(documents: list[bytes], overlap: int) -> None:
    content = b"".join(documents)
    offsets = np.cumsum([0, *(len(each) for each in documents)]).astype(np.uint64)
    overlap = np.minimum(offsets[1:] + np.uint64(overlap), offsets[-1])
    keys, starts, ids = trigrams.postings(content, offsets[:-1], overlap)
    expected = reference.postings(content, offsets[:-1], overlap)
    for got, want in zip((keys, starts, ids), expected, strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)
    blob, sizes = trigrams.serialize(starts, ids)
    expected_blob, expected_sizes = reference.serialize(starts, ids)
    np.testing.assert_array_equal(sizes, expected_sizes)
    np.testing.assert_array_equal(blob, expected_blob)


def test_documents_do_not_bleed_into_each_other() -> None:
    keys, _, _ = trigrams.postings(b"abcd", np.array([0, 2], np.uint64), np.array([2, 4], np.uint64))
    assert keys.size == 0


def test_postings_grow_past_the_first_guess() -> None:
    """More distinct trigrams than a quarter of the bytes in many documents: the list of trigrams has to grow."""
    random = np.random.default_rng(3)
    content = random.integers(0, 256, 9_000_000, np.uint8)
    offsets = np.linspace(0, len(content), 41).astype(np.uint64)
    keys, starts, ids = trigrams.postings(content, offsets[:-1], offsets[1:])
    chosen = 17
    expected = reference.trigrams_unique(content[int(offsets[chosen]) : int(offsets[chosen + 1])].tobytes())
    of_chosen = np.repeat(keys, np.diff(starts))[ids == chosen]
    np.testing.assert_array_equal(of_chosen, expected)


@pytest.mark.parametrize(("starts", "ends"), [([0], []), ([0], [5]), ([3], [2]), ([0], [2**63]), ([2**64 - 1], [2])])
def test_postings_refuse(starts: list[int], ends: list[int]) -> None:
    for kernel in (trigrams, reference):
        with pytest.raises(ValueError):
            kernel.postings(b"abc", np.array(starts, np.uint64), np.array(ends, np.uint64))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_serialize_is_read_by_pyroaring(data: st.DataObject) -> None:
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    sizes = data.draw(st.lists(st.sampled_from([0, 1, 2, 100, 4095, 4096, 4097, 9000]), min_size=1, max_size=4))
    span = data.draw(st.sampled_from([9000, 65536, 65537, 300_000, 2**32]))
    postings = [np.unique(random.integers(0, span, size, np.uint32)) for size in sizes]
    starts = np.cumsum([0, *(len(each) for each in postings)]).astype(np.int64)
    blob, at = trigrams.serialize(starts, np.concatenate(postings).astype(np.uint32))
    for i, posting in enumerate(postings):
        part = blob[int(at[i]) : int(at[i + 1])].tobytes()
        assert list(BitMap.deserialize(part)) == posting.tolist()
        assert part == BitMap(posting).serialize()  # byte for byte what pyroaring writes


@pytest.mark.parametrize(
    ("starts", "ids"),
    [([], [1]), ([0, 3], [1, 2]), ([-1, 1], [1, 2]), ([2, 1], [1, 2, 3]), ([0, 2], [2, 1]), ([0, 2], [2, 2])],
)
def test_serialize_refuses(starts: list[int], ids: list[int]) -> None:
    with pytest.raises(ValueError):
        trigrams.serialize(np.array(starts, np.int64), np.array(ids, np.uint32))


@settings(max_examples=200, deadline=None)
@given(
    documents=st.lists(st.text("a\n\n", max_size=60).map(str.encode), max_size=8),
    size=st.sampled_from([1, 2, 5, 16, 100]),
)
def test_split(documents: list[bytes], size: int) -> None:
    content = b"".join(documents)
    offsets = np.cumsum([0, *(len(each) for each in documents)]).astype(np.uint64)
    pieces = trigrams.split(content, offsets, size)
    np.testing.assert_array_equal(pieces, reference.split(content, offsets, size))
    assert set(offsets.tolist()) <= set(pieces.tolist())
    for start, end in zip(pieces[:-1].tolist(), pieces[1:].tolist(), strict=True):
        assert start < end
        assert end - start <= size or b"\n" not in content[start : end - 1]
        assert end in offsets or content[end - 1 : end] == b"\n"


@pytest.mark.parametrize(("offsets", "size"), [([], 5), ([0, 4], 5), ([3, 2], 5), ([0, 3], 0)])
def test_split_refuses(offsets: list[int], size: int) -> None:
    with pytest.raises(ValueError):
        trigrams.split(b"abc", np.array(offsets, np.uint64), size)


@pytest.mark.parametrize("count", [4095, 4096, 4097])
def test_serialize_at_the_limit_of_an_array(count: int) -> None:
    """4,096 values are the largest array; one more is a bitset."""
    ids = np.arange(65536, 65536 + 3 * count, 3, dtype=np.uint32)
    blob, at = trigrams.serialize(np.array([0, count]), ids)
    assert blob.tobytes() == BitMap(ids).serialize()
    assert at.tolist() == [0, len(blob)]
