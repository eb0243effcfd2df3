"""Hamming scan and asymmetric scores against the twins, at every level."""

from __future__ import annotations

import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatrain._kernels import hamming, reference


@st.composite
def searches(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int, np.ndarray | None, int]:
    """Few distinct rows, so that ties are the rule; widths around every unrolling; rows around every block."""
    width = 8 * draw(st.sampled_from([1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 32, 33]))
    rows = draw(st.one_of(st.integers(0, 40), st.sampled_from([63, 64, 65, 255, 256, 257, 511, 520])))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.sampled_from(["noise", "near", "equal", "extremes"]))
    if spread == "noise":
        codes = random.integers(0, 256, (rows, width), np.uint8)
    elif spread == "extremes":
        codes = np.repeat(random.choice(np.array([0, 255], np.uint8), (rows, 1)), width, axis=1)
    else:
        pool = random.integers(0, 256, (1 if spread == "equal" else 5, width), np.uint8)
        codes = pool[random.integers(0, len(pool), rows)]
    queries = random.integers(0, 256, (draw(st.sampled_from([0, 1, 2, 3, 8, 17, 70])), width), np.uint8)
    if len(queries) and spread == "extremes":
        queries[0] = 0
    k = draw(st.sampled_from([1, 2, 3, 10, 100, 1000]))
    allow = None
    if draw(st.booleans()):
        density = draw(st.sampled_from([0.0, 0.05, 0.5, 1.0]))
        bits = random.random((rows + 63) // 64 * 64) < density
        allow = np.packbits(bits, bitorder="little").view(np.uint64)
    return codes, queries, k, allow, draw(st.sampled_from([1, 1, 3]))


@settings(max_examples=120, deadline=None)
@given(search=searches())
def test_topk_equals_reference(level: str, search: tuple) -> None:
    hamming._set_level(level)
    ids, distances = hamming.topk(*search)
    expected_ids, expected_distances = reference.topk(*search)
    assert ids.dtype == np.int64 and distances.dtype == np.int32
    np.testing.assert_array_equal(distances, expected_distances)
    np.testing.assert_array_equal(ids, expected_ids)


@pytest.mark.parametrize("order", ["random", "worst_first", "best_first"])
@pytest.mark.parametrize("width", [32, 64, 128, 256])
@pytest.mark.parametrize("count", [1, 16])
def test_large_tables_threads_and_orders(level: str, order: str, width: int, count: int) -> None:
    hamming._set_level(level)
    random = np.random.default_rng(width + count)
    codes = random.integers(0, 256, (13_001, width), np.uint8)
    queries = random.integers(0, 256, (count, width), np.uint8)
    if order != "random":
        near = np.argsort(np.bitwise_count(codes ^ queries[0]).sum(1), kind="stable")
        codes = np.ascontiguousarray(codes[near if order == "best_first" else near[::-1]])
    bits = random.random(13_056) < 0.3
    allow = np.packbits(bits, bitorder="little").view(np.uint64)
    for k in (1, 10, 700):
        for mask in (None, allow):
            expected = reference.topk(codes, queries, k, mask)
            for threads in (1, 2, 3):
                ids, distances = hamming.topk(codes, queries, k, mask, threads)
                np.testing.assert_array_equal(distances, expected[1])
                np.testing.assert_array_equal(ids, expected[0])


def test_unaligned_read_only_codes(level: str) -> None:
    hamming._set_level(level)
    raw = np.random.default_rng(5).integers(0, 256, 64 * 300 + 3, np.uint8)
    raw.flags.writeable = False
    codes = raw[3:].reshape(300, 64)
    queries = np.ascontiguousarray(codes[[7, 200]])
    np.testing.assert_array_equal(hamming.topk(codes, queries, 5)[0], reference.topk(codes, queries, 5)[0])


@settings(max_examples=80, deadline=None)
@given(
    search=searches(),
    share=st.sampled_from([0.0, 0.02, 0.4, 0.5, 1.0]),
    part=st.sampled_from([(0, None), (0, 70), (64, None), (64, 200), (192, 130)]),
)
def test_pairs_equal_reference(level: str, search: tuple, share: float, part: tuple[int, int | None]) -> None:
    hamming._set_level(level)
    codes, _, _, allow, _ = search
    distance = int(share * 8 * codes.shape[1])
    found = hamming.pairs(codes, distance, allow, *part)
    assert found.dtype == np.uint32
    np.testing.assert_array_equal(found, reference.pairs(codes, distance, allow, *part))


def test_pairs_of_many_equal_rows_outgrow_the_buffer(level: str) -> None:
    """Each tile of rows has more pairs than the buffer holds, so that it takes several calls."""
    hamming._set_level(level)
    rows = 9000
    codes = np.zeros((rows, 8), np.uint8)
    allow = np.zeros(-(-rows // 64), np.uint64)
    allow[0] = np.uint64(0b1011)
    allow[-1] = np.uint64(1) << np.uint64(rows % 64 - 1)
    few = hamming.pairs(codes, 0, allow)
    assert few[:, :2].tolist() == [[i, j] for i in (0, 1, 3, rows - 1) for j in (0, 1, 3, rows - 1) if i < j]
    found = hamming.pairs(codes, 0)
    first, second = np.triu_indices(rows, 1)
    assert len(found) == len(first)
    np.testing.assert_array_equal(found[:, 0], first)
    np.testing.assert_array_equal(found[:, 1], second)


@pytest.mark.parametrize(
    ("shape", "distance", "words", "first"),
    [((3, 12), 1, None, 0), ((3, 0), 1, None, 0), ((3, 8), -1, None, 0), ((65, 8), 1, 1, 0), ((99, 8), 1, None, 32)],
)
def test_pairs_refuses(shape: tuple[int, int], distance: int, words: int | None, first: int) -> None:
    allow = None if words is None else np.ones(words, np.uint64)
    for kernel in (hamming, reference):
        with pytest.raises(ValueError):
            kernel.pairs(np.zeros(shape, np.uint8), distance, allow, first)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_asymmetric(level: str, data: st.DataObject) -> None:
    words = data.draw(st.sampled_from([1, 2, 3, 4, 8, 9, 16, 32]))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    codes = random.integers(0, 256, (data.draw(st.integers(1, 50)), words * 8), np.uint8)
    rows = random.integers(0, len(codes), data.draw(st.integers(0, 30)))
    query = random.standard_normal(words * 64).astype(np.float32)
    hamming._set_level("portable")
    portable = hamming.asymmetric(codes, rows, query)
    hamming._set_level(level)
    scores = hamming.asymmetric(codes, rows, query)
    np.testing.assert_array_equal(scores, portable)  # to the last bit
    np.testing.assert_allclose(scores, reference.asymmetric(codes, rows, query), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize(
    ("codes", "queries", "k", "threads"),
    [
        (np.zeros((3, 12), np.uint8), np.zeros((1, 12), np.uint8), 1, 1),
        (np.zeros((3, 0), np.uint8), np.zeros((1, 0), np.uint8), 1, 1),
        (np.zeros((3, 16), np.uint8), np.zeros((1, 8), np.uint8), 1, 1),
        (np.zeros((3, 8), np.uint8), np.zeros((1, 8), np.uint8), 0, 1),
        (np.zeros((3, 8), np.uint8), np.zeros((1, 8), np.uint8), 1, 0),
    ],
)
def test_topk_refuses(codes: np.ndarray, queries: np.ndarray, k: int, threads: int) -> None:
    for kernel in (hamming, reference):
        with pytest.raises(ValueError):
            kernel.topk(codes, queries, k, threads=threads)


def test_topk_refuses_short_bitmap_and_wrong_types() -> None:
    codes = np.zeros((65, 8), np.uint8)
    with pytest.raises(ValueError, match="65 rows need 2"):
        hamming.topk(codes, codes[:1], 1, np.ones(1, np.uint64))
    with pytest.raises(ValueError):
        hamming.topk(codes.astype(np.int64), codes[:1], 1)
    with pytest.raises(ValueError):
        hamming.topk(np.zeros((8, 16), np.uint8)[:, ::2], codes[:1], 1)
    with pytest.raises(TypeError):
        hamming.topk(None, codes[:1], 1)


@pytest.mark.parametrize("row", [-1, 4, 2**40])
def test_asymmetric_refuses_foreign_rows(row: int) -> None:
    with pytest.raises(IndexError):
        hamming.asymmetric(np.zeros((4, 8), np.uint8), np.array([0, row]), np.zeros(64, np.float32))


def test_other_threads_run_during_a_scan() -> None:
    """The interpreter's lock is released: another thread counts while one long scan runs."""
    codes = np.zeros((200_000, 128), np.uint8)
    queries = np.zeros((64, 128), np.uint8)
    hamming._set_level("portable")
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.0001)

    other = threading.Thread(target=count)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)  # only a release lets the other thread in
    try:
        other.start()
        before = counted[0]
        hamming.topk(codes, queries, 1)
        during = counted[0] - before
    finally:
        done.set()
        sys.setswitchinterval(interval)
        other.join()
    assert during > 0
