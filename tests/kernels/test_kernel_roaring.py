"""Postings in place against pyroaring and the twins; hostile bytes are an error or ids in order, never more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyroaring import BitMap

from quatrain._kernels import reference, roaring

UNIVERSE = 4 * 65536 - 1000


def lay_out(parts: list[bytes], gap: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Concatenate postings, each preceded by a posting of ``gap`` bytes so that it lies unaligned; all but those are chosen."""
    sizes = [size for part in parts for size in (gap, len(part))]
    return (
        np.frombuffer(b"".join(b"\xff" * gap + part for part in parts), np.uint8),
        np.cumsum([0, *sizes]).astype(np.uint64),
        2 * np.arange(len(parts)) + 1,
    )


@st.composite
def bitmaps(draw: st.DrawFn) -> BitMap:
    """Sparse, dense, run-encoded and mixed sets, with the container limits (4096 values, 65,536 ids) in reach."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    bitmap = BitMap()
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(["few", "array", "limit", "bitset", "runs", "edge"]))
        base = draw(st.integers(0, 2)) * 65536
        if kind == "few":
            bitmap |= BitMap((base + random.integers(0, 65536, draw(st.integers(0, 9)))).astype(np.uint32))
        elif kind == "array":
            bitmap |= BitMap((base + random.integers(0, 65536, 3000)).astype(np.uint32))
        elif kind == "limit":
            wanted = draw(st.sampled_from([4095, 4096, 4097]))
            bitmap |= BitMap((base + random.permutation(65536)[:wanted]).astype(np.uint32))
        elif kind == "bitset":
            bitmap |= BitMap((base + random.integers(0, 65536, 60_000)).astype(np.uint32))
        elif kind == "runs":
            for start in random.integers(0, 60_000, 4).tolist():
                bitmap |= BitMap(range(base + start, base + start + int(random.integers(1, 9000))))
        else:
            bitmap |= BitMap([base, base + 63, base + 64, base + 65535, base + 65536])
    if draw(st.booleans()):
        bitmap.run_optimize()
    return bitmap


@settings(max_examples=150, deadline=None)
@given(
    sets=st.lists(bitmaps(), min_size=1, max_size=10), gap=st.integers(0, 3), limit=st.sampled_from([1, 2, 3, 8, 100])
)
def test_intersect(level: str, sets: list[BitMap], gap: int, limit: int) -> None:
    roaring._set_level(level)
    blob, offsets, chosen = lay_out([each.serialize() for each in sets], gap)
    ids = roaring.intersect(blob, offsets, chosen, limit)
    rarest = sorted(sets, key=len)[:limit]
    assert ids.dtype == np.uint32
    assert ids.tolist() == list(BitMap.intersection(*rarest))


@settings(max_examples=40, deadline=None)
@given(sets=st.lists(bitmaps(), min_size=1, max_size=4))
def test_reference_reads_the_same_format(sets: list[BitMap]) -> None:
    blob, offsets, chosen = lay_out([each.serialize() for each in sets])
    for each in sets:
        assert reference.read_posting(each.serialize()) == set(each)
    assert roaring.intersect(blob, offsets, chosen).tolist() == reference.intersect(blob, offsets, chosen).tolist()


@settings(max_examples=150, deadline=None)
@given(sets=st.lists(bitmaps(), min_size=1, max_size=6), data=st.data())
def test_evaluate(level: str, sets: list[BitMap], data: st.DataObject) -> None:
    roaring._set_level(level)
    everything = BitMap(range(UNIVERSE))
    program: list[int] = []
    stack: list[BitMap] = []
    for _ in range(data.draw(st.integers(1, 12))):
        choice = data.draw(st.integers(-3, len(sets) - 1))
        if choice == -3:
            stack.append(everything)
        elif choice >= 0:
            stack.append(sets[choice])
        elif len(stack) >= 2:
            right, left = stack.pop(), stack.pop()
            stack.append(left & right if choice == -1 else left | right)
        else:
            continue
        program.append(choice)
    while len(stack) > 1:
        right, left = stack.pop(), stack.pop()
        stack.append(left & right)
        program.append(-1)
    if not stack:
        return
    blob, offsets, chosen = lay_out([each.serialize() for each in sets], 1)
    ids = roaring.evaluate(blob, offsets, chosen, np.array(program, np.int32), UNIVERSE)
    assert ids.tolist() == list(stack[0])


@pytest.mark.parametrize("universe", [0, 1, 63, 64, 65, 65535, 65536, 65537, 200_000])
def test_everything(level: str, universe: int) -> None:
    roaring._set_level(level)
    nothing = np.empty(0, np.uint8), np.zeros(1, np.uint64), np.empty(0, np.int64)
    ids = roaring.evaluate(*nothing, np.array([-3], np.int32), universe)
    np.testing.assert_array_equal(ids, np.arange(universe))


@pytest.mark.parametrize("program", [[], [0, 0], [-1], [0, -1], [5], [0, -4], [-2, 0]])
def test_programs_refused(program: list[int]) -> None:
    blob, offsets, chosen = lay_out([BitMap([1]).serialize()])
    for kernel in (roaring, reference):
        with pytest.raises((ValueError, IndexError)):
            kernel.evaluate(blob, offsets, chosen, np.array(program, np.int32), 10)
    with pytest.raises(ValueError, match="postfix"):
        roaring.evaluate(blob, offsets, chosen, np.array(program, np.int32), 10)


def test_id_beyond_the_universe_is_an_error() -> None:
    blob, offsets, chosen = lay_out([BitMap([3, 70]).serialize()])
    assert roaring.evaluate(blob, offsets, chosen, np.array([0], np.int32), 71).tolist() == [3, 70]
    with pytest.raises(ValueError):
        roaring.evaluate(blob, offsets, chosen, np.array([0], np.int32), 70)


def test_postings_outside_are_refused() -> None:
    blob, _, _ = lay_out([BitMap([1, 2]).serialize()])
    size = len(blob)
    cases = [([0, size + 1], 0), ([5, 2], 0), ([size, 2**63], 0), ([2**64 - 1, 2**64 - 1], 0)]
    for offsets, at in [*cases, ([0, size], 1), ([0, size], -1), ([0, size], 2**62), ([0], 0)]:
        postings = np.array(offsets, np.uint64), np.array([at])
        with pytest.raises(ValueError):
            roaring.intersect(blob, *postings)
        with pytest.raises(ValueError):
            roaring.evaluate(blob, *postings, np.array([0], np.int32), 10)
    with pytest.raises(ValueError, match="one at least"):
        roaring.intersect(blob, np.array([0, size], np.uint64), np.empty(0, np.int64))
    with pytest.raises(ValueError, match="offsets is empty"):
        roaring.intersect(blob, np.empty(0, np.uint64), np.zeros(1, np.int64))


@pytest.mark.parametrize(
    "make", [lambda: BitMap([1, 5, 9]), lambda: BitMap(range(0, 40_000, 3)), lambda: BitMap(range(50, 900))]
)
def test_every_truncation_is_refused(level: str, make: object) -> None:
    """Cut anywhere and put exactly at the end of the blob: the sanitizer build sees any read past it."""
    roaring._set_level(level)
    bitmap = make()  # type: ignore[operator]
    bitmap.run_optimize()
    whole = bitmap.serialize()
    for size in [*range(min(len(whole), 200)), len(whole) - 1]:
        cut = np.frombuffer(whole[:size], np.uint8).copy()
        postings = np.array([0, size], np.uint64), np.zeros(1, np.int64)
        with pytest.raises(ValueError, match="portable-format"):
            roaring.intersect(cut, *postings)
        with pytest.raises(ValueError, match="portable-format"):
            roaring.evaluate(cut, *postings, np.array([0], np.int32), 65536)


@settings(max_examples=400, deadline=None)
@given(sets=st.lists(bitmaps(), min_size=1, max_size=3), data=st.data())
def test_hostile_bytes_give_ids_in_order_or_an_error(level: str, sets: list[BitMap], data: st.DataObject) -> None:
    roaring._set_level(level)
    blob, offsets, chosen = lay_out([each.serialize() for each in sets])
    damaged = blob.copy()
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(0, min(len(damaged) - 1, 64)))] = data.draw(st.integers(0, 255))
    for answer in (
        lambda: roaring.intersect(damaged, offsets, chosen),
        lambda: roaring.evaluate(damaged, offsets, chosen, np.array([0, len(sets) - 1, -1], np.int32), UNIVERSE),
        lambda: roaring.evaluate(damaged, offsets, chosen, np.array([0, len(sets) - 1, -2], np.int32), UNIVERSE),
    ):
        try:
            ids = answer()
        except ValueError:
            continue
        assert (np.diff(ids.astype(np.int64)) > 0).all()


def test_unsorted_array_is_an_error(level: str) -> None:
    """Values of an array container out of order: no garbage leaves the kernel."""
    roaring._set_level(level)
    data = bytearray(BitMap([5, 6, 7]).serialize())
    data[-6:-4], data[-4:-2] = data[-4:-2], data[-6:-4]
    blob, offsets, chosen = lay_out([bytes(data)])
    with pytest.raises(ValueError):
        roaring.intersect(blob, offsets, chosen)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_locate(data: st.DataObject) -> None:
    keys = np.array(sorted(data.draw(st.sets(st.integers(0, 40), max_size=30))), np.uint32)
    sizes = data.draw(st.lists(st.integers(0, 5), min_size=len(keys), max_size=len(keys)))
    offsets = np.cumsum([0, *sizes]).astype(np.uint64)
    pool = st.sampled_from(keys.tolist()) if len(keys) and data.draw(st.booleans()) else st.integers(0, 2**32 - 1)
    wanted = np.array(data.draw(st.lists(pool, max_size=12)), np.uint32)
    limit = data.draw(st.sampled_from([1, 3, 8]))
    got = roaring.locate(keys, offsets, wanted, limit)
    assert got.dtype == np.int64
    np.testing.assert_array_equal(got, reference.locate(keys, offsets, wanted, limit))


def test_locate_refuses() -> None:
    keys = np.arange(3, dtype=np.uint32)
    for kernel in (roaring, reference):
        with pytest.raises(ValueError):
            kernel.locate(keys, np.zeros(3, np.uint64), keys)
        with pytest.raises(ValueError):
            kernel.locate(keys, np.zeros(4, np.uint64), keys, 0)
