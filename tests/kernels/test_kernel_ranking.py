"""Fusion and accumulation against the twins: same ids, same scores to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatrain._kernels import ranking, reference

ids_below = 300


@st.composite
def fusions(draw: st.DrawFn) -> tuple:
    lists = draw(st.lists(st.lists(st.integers(0, ids_below - 1), max_size=80, unique=draw(st.booleans())), max_size=5))
    weights = [draw(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])) for _ in lists]
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    centrality = draw(
        st.sampled_from(
            [
                None,
                np.zeros(ids_below, np.float32),
                random.exponential(1.0, ids_below).astype(np.float32),
                np.where(random.random(ids_below) < 0.5, np.float32(50), np.float32(np.nan)).astype(np.float32),
            ]
        )
    )
    demoted = draw(st.sampled_from([None, (random.random(ids_below) < 0.3).astype(np.uint8)]))
    k = draw(st.sampled_from([0, 40, 60]))
    return (
        [np.array(each, np.int64) for each in lists],
        weights,
        k,
        draw(st.sampled_from([0, 1, 5, 50, 1000])),
        centrality,
        demoted,
    )


@settings(max_examples=300, deadline=None)
@given(case=fusions())
def test_rrf(case: tuple) -> None:
    ids, scores = ranking.rrf(*case)
    expected_ids, expected_scores = reference.rrf(*case)
    assert ids.dtype == np.int64 and scores.dtype == np.float64
    np.testing.assert_array_equal(ids, expected_ids)
    np.testing.assert_array_equal(scores, expected_scores)


def test_rrf_by_hand() -> None:
    """Two lists, weights 0.6 and 0.4, k = 40: 7 is first in one and second in the other."""
    ids, scores = ranking.rrf([np.array([7, 3]), np.array([9, 7])], [0.6, 0.4], 40, 10)
    assert ids.tolist() == [7, 3, 9]
    np.testing.assert_allclose(scores, [0.6 / 41 + 0.4 / 42, 0.6 / 42, 0.4 / 41], rtol=1e-15)


def test_rrf_boost_is_capped_and_demotion_halves() -> None:
    centrality = np.array([0, 1, 1e9, 0], np.float32)
    demoted = np.array([0, 0, 0, 1], np.uint8)
    for entry, factor in enumerate([1.0, 1 + 0.3 * np.log(2), 1.5, 0.5]):
        _, scores = ranking.rrf([np.array([entry])], [1.0], 60, 1, centrality, demoted)
        assert scores[0] == pytest.approx(factor / 61, rel=1e-15)


def test_rrf_boost_lifts_a_late_entry_into_a_full_list() -> None:
    """An entry whose sum alone would not do, but whose boosted score does."""
    centrality = np.zeros(100, np.float32)
    centrality[99] = 100
    lists, limit = [np.arange(100)], 5
    assert 99 not in ranking.rrf(lists, [1.0], 1000, limit)[0].tolist()
    ids, _ = ranking.rrf(lists, [1.0], 1000, limit, centrality)
    assert ids.tolist() == [99, 0, 1, 2, 3]


def test_rrf_many_ids_that_collide() -> None:
    step = 1 << 40
    lists = [np.arange(5000, dtype=np.int64) * step, np.arange(5000, dtype=np.int64)[::-1].copy() * step]
    ids, scores = ranking.rrf(lists, [0.5, 0.5], 60, 10_000)
    expected = reference.rrf(lists, [0.5, 0.5], 60, 10_000)
    np.testing.assert_array_equal(ids, expected[0])
    np.testing.assert_array_equal(scores, expected[1])


@pytest.mark.parametrize(
    ("lists", "centrality", "demoted"),
    [
        ([[-1]], None, None),
        ([[3]], np.zeros(3, np.float32), None),
        ([[3]], None, np.zeros(3, np.uint8)),
        ([[0]], np.zeros(0, np.float32), None),
    ],
)
def test_rrf_refuses_ids(lists: list[list[int]], centrality: np.ndarray | None, demoted: np.ndarray | None) -> None:
    for kernel in (ranking, reference):
        with pytest.raises(ValueError):
            kernel.rrf([np.array(each) for each in lists], [1.0], 60, 5, centrality, demoted)


def test_rrf_refuses_arguments() -> None:
    with pytest.raises(ValueError, match="as many weights"):
        ranking.rrf([np.array([1])], [], 60, 5)
    with pytest.raises(ValueError):
        ranking.rrf([np.array([1])], [1.0], 60, -1)
    with pytest.raises(ValueError):
        ranking.rrf([np.array([1])], [1.0], -1, 5)
    with pytest.raises(ValueError):
        ranking.rrf([np.array([1], np.int32)], [1.0], 60, 5)


@st.composite
def accumulations(draw: st.DrawFn) -> tuple:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    documents = draw(st.sampled_from([1, 5, 64, 300, 2047, 2048, 2049, 9000]))
    sizes = draw(st.lists(st.sampled_from([0, 1, 3, 40, 500]), max_size=6))
    postings = [np.sort(random.permutation(documents)[:size]).astype(np.uint32) for size in sizes]
    bounds = np.cumsum([0, *(len(each) for each in postings)]).astype(np.int64)
    ids = np.concatenate([np.empty(0, np.uint32), *postings])
    impacts = random.choice(np.array([0.5, 1.0, 1.5], np.float32), len(ids))
    weights = random.choice(np.array([0.0, 1.0, 2.5], np.float32), len(sizes))
    allow = None
    if draw(st.booleans()):
        bits = random.random((documents + 63) // 64 * 64) < 0.5
        allow = np.packbits(bits, bitorder="little").view(np.uint64)
    limit = draw(st.sampled_from([0, 1, 10, 10_000]))
    shares = random.choice(np.array([0.0, 0.25, 0.5]), len(sizes))
    return ids, impacts, bounds[:-1].copy(), bounds[1:].copy(), weights, shares, documents, limit, allow


@settings(max_examples=300, deadline=None)
@given(case=accumulations())
def test_accumulate(case: tuple) -> None:
    found = ranking.accumulate(*case)
    expected = reference.accumulate(*case)
    for got, want in zip(found, expected, strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


def test_accumulate_by_hand() -> None:
    ids = np.array([0, 5, 2, 5000], np.uint32)
    impacts = np.array([1, 2, 3, 4], np.float32)
    best, scores, coverage = ranking.accumulate(
        ids,
        impacts,
        np.array([0, 2]),
        np.array([2, 4]),
        np.array([1, 0.5], np.float32),
        np.array([0.75, 0.25]),
        6000,
        3,
    )
    assert best.tolist() == [5, 5000, 2]
    assert scores.tolist() == [2.0, 2.0, 1.5]
    assert coverage.tolist() == [0.75, 0.25, 0.25]


@pytest.mark.parametrize(
    ("ids", "start", "end", "documents"),
    [
        ([1, 2], 0, 3, 10),
        ([1, 2], -1, 2, 10),
        ([1, 2], 2, 1, 10),
        ([1, 10], 0, 2, 10),
        ([5000, 3], 0, 2, 9000),
        ([90, 3], 0, 2, 50),
        ([90, 3], 0, 2, 50),
    ],
)
def test_accumulate_refuses(ids: list[int], start: int, end: int, documents: int) -> None:
    with pytest.raises(ValueError):
        ranking.accumulate(
            np.array(ids, np.uint32),
            np.ones(len(ids), np.float32),
            np.array([start]),
            np.array([end]),
            np.ones(1, np.float32),
            np.ones(1),
            documents,
            5,
        )


@st.composite
def named(draw: st.DrawFn) -> tuple:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.sampled_from([1, 5, 300, 2048, 5000]))
    sizes = draw(st.lists(st.sampled_from([0, 1, 3, 40, 500]), min_size=1, max_size=6))
    postings = [np.sort(random.permutation(count)[:size]).astype(np.uint32) for size in sizes]
    bounds = np.cumsum([0, *(len(each) for each in postings)]).astype(np.int64)
    ids = np.concatenate([np.empty(0, np.uint32), *postings])
    idf = random.choice(np.array([0.5, 1.0, 3.7]), draw(st.integers(0, len(sizes))))
    mass = random.choice(np.array([0.0, 0.5, 1.0, 9.0], np.float32), count)
    class_weights = np.zeros(256)
    class_weights[1:4] = [1.0, 0.85, 0.5]
    classes = random.integers(0, 4, count).astype(np.uint8)
    limit = draw(st.sampled_from([0, 1, 3, 10, 10_000]))
    return ids, bounds[:-1].copy(), bounds[1:].copy(), idf, 4.0, mass, classes, class_weights, 0.5, limit


@settings(max_examples=120, deadline=None)
@given(case=named())
def test_names(case: tuple) -> None:
    for got, want in zip(ranking.names(*case), reference.names(*case), strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


def test_names_by_hand() -> None:
    """Names 0 and 1 have the only word, 1 and 2 are a joined form; half of name 0 is other words, and class 9 is shut out."""
    case = (np.array([1, 2, 0, 1, 3], np.uint32), np.array([0, 2]), np.array([2, 5]), np.array([2.0]), 4.0)
    mass, classes, weights = np.array([4, 2, 2, 2], np.float32), np.array([1, 2, 2, 9], np.uint8), np.zeros(256)
    weights[1:3] = 1.0, 0.5
    ids, scores = ranking.names(*case, mass, classes, weights, 0.5, 10)
    assert ids.tolist() == [0, 1, 2]
    assert scores.tolist() == [0.5 * np.sqrt(0.5), (0.5 + 0.5) * 0.5, 0.5 * 0.5]


def test_names_keep_every_equal_of_the_last() -> None:
    ids = np.arange(50, dtype=np.uint32)
    ones = np.ones(50, np.float32), np.ones(50, np.uint8), np.ones(256)
    assert len(ranking.names(ids, np.array([0]), np.array([50]), np.array([1.0]), 1.0, *ones, 0.5, 3)[0]) == 50


@st.composite
def links(draw: st.DrawFn) -> tuple:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    nodes = draw(st.sampled_from([1, 60, 3000, 5000]))
    rows = [
        np.sort(random.permutation(nodes)[:size]) for size in draw(st.lists(st.sampled_from([0, 1, 30]), max_size=5))
    ]
    bounds = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    ids = np.concatenate([np.empty(0, np.uint32), *rows]).astype(np.uint32)
    wanted = np.sort(random.permutation(nodes)[: draw(st.sampled_from([0, 1, 50]))]).astype(np.int64)
    return (
        ids, random.choice(np.array([0.3, 1.0, 2.5], np.float32), len(ids)), bounds[:-1].copy(), bounds[1:].copy(),
        random.choice(np.array([0.0, 0.7, 1.0]), len(rows)), (random.random(nodes) + 0.2).astype(np.float32), wanted,
    )  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(case=links())
def test_spread(case: tuple) -> None:
    np.testing.assert_array_equal(ranking.spread(*case), reference.spread(*case))


def test_spread_by_hand() -> None:
    """Two seeds reach 5, one of them 7 and 9: 5 gets 1 x 2 + 0.5 x 2, 7 the same over the root of 4; 9 is not asked for."""
    values = ranking.spread(
        np.array([5, 9, 5, 7], np.uint32), np.array([2, 1, 2, 12], np.float32), np.array([0, 2]), np.array([2, 4]),
        np.array([1.0, 0.5]), np.array([1] * 7 + [4] + [1] * 2, np.float32), np.array([3, 5, 7]),
    )  # fmt: skip
    assert values.tolist() == [0.0, 1.0, 1.0]


@st.composite
def matrices(draw: st.DrawFn) -> tuple:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = [
        np.sort(random.permutation(20)[:size]) for size in draw(st.lists(st.integers(0, 6), min_size=1, max_size=30))
    ]
    keys = np.sort(random.permutation(20)[: draw(st.integers(0, 8))]).astype(np.uint32)
    return (
        np.cumsum([0, *map(len, rows)]).astype(np.uint32), np.concatenate(rows).astype(np.uint32),
        random.integers(0, len(rows), draw(st.integers(0, 40))), keys, random.random(len(keys)),
    )  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(case=matrices())
def test_row_sums(case: tuple) -> None:
    np.testing.assert_array_equal(ranking.row_sums(*case), reference.row_sums(*case))


@st.composite
def pools(draw: st.DrawFn) -> tuple:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    owners = np.sort(random.integers(0, draw(st.sampled_from([1, 40, 100_000])), 500)).astype(np.uint32)
    sizes = draw(st.lists(st.sampled_from([0, 1, 7, 200]), max_size=4))
    lists = [random.permutation(500)[:size].astype(np.int64) for size in sizes]
    levels = draw(st.sampled_from([np.array([0.0, -0.0, 1.0]), random.random(50)]))
    strengths = [np.sort(random.choice(levels, size))[::-1].copy() for size in sizes]
    return lists, strengths, random.random(len(sizes)).tolist(), 40.0, owners, np.arange(1, 6, dtype=np.float64) ** -1.5


@settings(max_examples=120, deadline=None)
@given(case=pools())
def test_pool(case: tuple) -> None:
    for got, want in zip(ranking.pool(*case), reference.pool(*case), strict=True):
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_array_equal(got, want)


def test_pool_by_hand() -> None:
    """Chunks 2 and 3 lie in file 5; the second list names chunk 3 alone, so that it is the best of its file."""
    found = ranking.pool(
        [np.array([2, 0, 3]), np.array([3])], [np.array([4.0, 3.0, 2.0]), np.array([1.0])], [0.6, 0.4], 40.0,
        np.array([1, 1, 5, 5], np.uint32), np.array([1.0, 0.5]),
    )  # fmt: skip
    chunks, shares, places, files, starts, best, scores, file_places, values = found
    assert chunks.tolist() == [0, 2, 3] and files.tolist() == [1, 5]
    assert shares.tolist() == [0.6 / 42, 0.6 / 41, 0.6 / 43 + 0.4 / 41]
    assert places.tolist() == [[1, 0, 2], [-1, -1, 0]]
    assert starts.tolist() == [0, 1] and best.tolist() == [0, 2]
    assert values.tolist() == [[3.0, 4.0 + 2.0 * 0.5], [0.0, 1.0]]
    assert file_places.tolist() == [[1, 0], [-1, 0]]
    assert scores.tolist() == [0.6 / 42, 0.6 / 41 + 0.4 / 41]


def test_the_other_kernels_refuse() -> None:
    bad_posting = np.array([1, 9], np.uint32), np.array([0]), np.array([2])
    ones = np.ones(5, np.float32), np.ones(5, np.uint8), np.ones(256)
    step = np.ones(2, np.float32), np.array([0]), np.array([2]), np.ones(1), np.ones(5, np.float32), np.array([1])
    for kernel in (ranking, reference):
        with pytest.raises(ValueError):
            kernel.names(*bad_posting, np.ones(1), 1.0, *ones, 0.5, 5)
        with pytest.raises(ValueError):
            kernel.spread(np.array([1, 9], np.uint32), *step)
        for row in (-1, 1):
            with pytest.raises(ValueError):
                kernel.row_sums(np.array([0, 1], np.uint32), np.array([3], np.uint32), np.array([row]), *row_keys())
        for chunks in ([3, 3], [-1, 0], [5, 0]):
            with pytest.raises(ValueError):
                kernel.pool([np.array(chunks)], [np.ones(2)], [1.0], 40.0, np.zeros(5, np.uint32), np.ones(5))


def row_keys() -> tuple[np.ndarray, np.ndarray]:
    return np.array([3], np.uint32), np.ones(1)
