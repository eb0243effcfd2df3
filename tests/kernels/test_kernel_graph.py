"""The walk along edges against its twin: the same nodes, ways and confidences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatrain._kernels import graph, reference


@st.composite
def graphs(draw: st.DrawFn) -> tuple:
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    nodes, edges = draw(st.sampled_from([(1, 0), (1, 3), (6, 12), (80, 160), (80, 900), (3000, 9000)]))
    source = np.sort(random.integers(0, nodes, edges))
    indptr = np.searchsorted(source, np.arange(nodes + 1)).astype(np.int64)
    rows = draw(st.sampled_from([None, random.permutation(edges).astype(np.uint32)]))
    targets = random.integers(0, nodes, edges).astype(draw(st.sampled_from([np.uint32, np.int64])))
    if targets.dtype == np.int64:
        targets[random.random(edges) < 0.2] = -1
    confidences = random.choice(np.array([0.0, 0.5, 0.9, 1.0], np.float32), edges)
    start = random.integers(0, nodes, draw(st.integers(0, 4)))
    return (
        indptr, rows, targets, confidences, random.integers(0, 3, edges).astype(np.uint8), start,
        draw(st.integers(0, 6)), draw(st.sampled_from([0.0, 0.3, 1.0])), draw(st.sampled_from([0, nodes // 2, nodes])), 1,
    )  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(case=graphs())
def test_reach(case: tuple) -> None:
    found, expected = graph.reach(*case), reference.reach(*case)
    for got, want in zip(by_node(found), by_node(expected), strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


def by_node(columns: tuple[np.ndarray, ...]) -> list[np.ndarray]:
    order = np.argsort(columns[0])
    return [column[order] for column in columns]


def test_reach_by_hand() -> None:
    """0 reaches 1 by two rows that are equally sure, 2 directly at 0.5 and by way of 1 at 0.9; from 2 nothing is passed."""
    indptr, targets = np.array([0, 3, 4, 5, 5]), np.array([1, 1, 2, 2, 3])
    confidences, kinds = np.array([1, 1, 0.5, 0.9, 1], np.float32), np.array([1, 0, 0, 0, 0], np.uint8)
    nodes, distances, rows, via, sure = by_node(
        graph.reach(indptr, None, targets, confidences, kinds, np.array([0]), 5, 0.3, 2, 1)
    )
    assert nodes.tolist() == [1, 2]
    assert distances.tolist() == [1, 1]
    assert rows.tolist() == [1, 2]
    assert via.tolist() == [0, 0]
    assert sure.tolist() == [1.0, pytest.approx(0.9)]


def test_reach_refuses() -> None:
    ones, kinds = np.ones(1, np.float32), np.zeros(1, np.uint8)
    for kernel in (graph, reference):
        for indptr, rows, targets, start in (
            ([0, 1], None, [5], [0]),
            ([0, 2], None, [0], [0]),
            ([0, 1], [7], [0], [0]),
            ([0, 1], None, [0], [1]),
            ([0, 1], None, [0], [-1]),
        ):
            with pytest.raises(ValueError):
                kernel.reach(
                    np.array(indptr), None if rows is None else np.array(rows, np.uint32), np.array(targets), ones, kinds,
                    np.array(start), 3, 0.1, 1, 1,
                )  # fmt: skip
