"""Two-stage search over stored codes, and the semantic retriever on top of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatrain.embedders.protocol import EmbeddedQuery, EmbedderIdentity
from quatrain.errors import EmbedderMismatch, EmbedderUnavailable, IndexCorrupt
from quatrain.indexes import vectors
from quatrain.indexes.vectors import VectorIndex
from quatrain.records import Filters
from quatrain.retrieval import semantic

IDENTITY = EmbedderIdentity("test", "m", 128, "ubinary", "1")


class Sections:
    """A segment in memory; counts how often codes are verified."""

    def __init__(self) -> None:
        self.held: dict[str, np.ndarray] = {}
        self.verified: list[tuple[str, int, int]] = []

    def add(self, tag: str, data: Any, *, bulk: bool = False) -> None:
        self.held[tag] = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data

    def array(self, tag: str) -> np.ndarray:
        return self.held[tag]

    def __contains__(self, tag: str) -> bool:
        return tag in self.held

    def verify_range(self, tag: str, start: int, end: int) -> None:
        """Nothing is damaged in memory."""

    def verify(self, tag: str, starts: np.ndarray, ends: np.ndarray) -> None:
        self.verified.append((tag, int(starts[0]), int(ends[0])))


def index_of(codes: np.ndarray, identity: EmbedderIdentity = IDENTITY) -> VectorIndex:
    segment = Sections()
    vectors.build(segment, codes, identity)
    return VectorIndex(segment)


def bitmap(allowed: np.ndarray) -> np.ndarray:
    padded = np.zeros(-(-len(allowed) // 64) * 64, np.bool_)
    padded[: len(allowed)] = allowed
    return np.packbits(padded, bitorder="little").view(np.uint64)


def expected(
    codes: np.ndarray, vector: np.ndarray, k: int, allowed: np.ndarray, floor: float, candidates: int
) -> tuple[list[int], list[float]]:
    """Two-stage search in plain NumPy."""
    bits = np.unpackbits(codes, axis=1)
    distance = (bits != (vector > 0)).sum(1)
    order = [i for i in np.lexsort((np.arange(len(codes)), distance)) if allowed[i]][: max(candidates, k)]
    signs = bits[order] * 2.0 - 1
    cosine = (signs @ vector.astype(np.float64)) / (np.linalg.norm(vector) * codes.shape[1] ** 0.5 * 8**0.5)
    ranked = sorted(zip((-cosine).tolist(), order, strict=True))
    kept = [(int(i), -c) for c, i in ranked if -c >= floor][:k]
    return [i for i, _ in kept], [c for _, c in kept]


@settings(max_examples=80)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 400),
    st.integers(1, 60),
    st.booleans(),
    st.sampled_from([-1.0, 0.05]),
    st.sampled_from([10, 200]),
)
def test_search_equals_the_plain_form(seed: int, n: int, k: int, filtered: bool, floor: float, candidates: int) -> None:
    random = np.random.default_rng(seed)
    codes = random.integers(0, 256, (n, 16), np.uint8)
    vector = random.normal(size=128).astype(np.float32)
    allowed = random.random(n) < 0.5 if filtered else np.ones(n, np.bool_)
    found = index_of(codes).search(
        EmbeddedQuery.from_vector(vector), k, bitmap(allowed) if filtered else None, floor=floor, candidates=candidates
    )
    ids, cosines = expected(codes, vector, k, allowed, floor, candidates)
    assert found.chunks.tolist() == ids
    np.testing.assert_allclose(found.cosines, cosines, atol=2e-6)


def test_equal_codes_come_in_the_order_of_their_ids() -> None:
    codes = np.tile(np.arange(16, dtype=np.uint8), (50, 1))
    vector = np.where(np.unpackbits(codes[0]), 1.0, -1.0).astype(np.float32)
    found = index_of(codes).search(EmbeddedQuery.from_vector(vector), 20)
    assert found.chunks.tolist() == list(range(20))
    np.testing.assert_allclose(found.cosines, 1.0, atol=1e-6)


def test_rescoring_reorders_the_scan() -> None:
    """A code that misses a weak dimension beats one that misses a strong one, though both are one bit away."""
    vector = np.full(128, 0.1, np.float32)
    vector[0], vector[1] = 5.0, 0.001
    bits = np.ones((2, 128), np.uint8)
    bits[0, 0] = 0
    bits[1, 1] = 0
    index = index_of(np.packbits(bits, axis=1))
    assert index.search(EmbeddedQuery.from_vector(vector), 2).chunks.tolist() == [1, 0]
    code_only = index.search(EmbeddedQuery(np.packbits(vector > 0)), 2)
    assert code_only.chunks.tolist() == [0, 1]
    np.testing.assert_allclose(code_only.cosines, 1 - 2 / 128)


def test_an_empty_index_and_an_empty_filter_find_nothing() -> None:
    query = EmbeddedQuery.from_vector(np.ones(128, np.float32))
    assert len(index_of(np.empty((0, 16), np.uint8)).search(query, 5).chunks) == 0
    found = index_of(np.zeros((70, 16), np.uint8)).search(query, 5, np.zeros(2, np.uint64))
    assert len(found.chunks) == 0 and found.lowest == 0.0


def test_a_zero_vector_does_not_divide_by_zero() -> None:
    found = index_of(np.zeros((3, 16), np.uint8)).search(EmbeddedQuery.from_vector(np.zeros(128, np.float32)), 3)
    assert np.isfinite(found.cosines).all()


def test_widths_must_agree() -> None:
    with pytest.raises(ValueError, match=r"\[8\]"):
        index_of(np.zeros((3, 16), np.uint8)).search(EmbeddedQuery.from_vector(np.zeros(64, np.float32)), 3)
    with pytest.raises(ValueError, match="test/m/128"):
        vectors.build(Sections(), np.zeros((3, 8), np.uint8), IDENTITY)
    segment = Sections()
    vectors.build(segment, np.zeros((3, 16), np.uint8), IDENTITY)
    segment.held["vector/codes"] = np.zeros((3, 8), np.uint8)
    with pytest.raises(IndexCorrupt, match="rebuild"):
        VectorIndex(segment)


def test_codes_are_verified_once_and_wholly() -> None:
    segment = Sections()
    vectors.build(segment, np.zeros((3, 16), np.uint8), IDENTITY)
    index = VectorIndex(segment)
    for _ in range(3):
        index.search(EmbeddedQuery.from_vector(np.ones(128, np.float32)), 1)
    assert segment.verified == [("vector/codes", 0, 48)]


def test_similar_leaves_out_the_chunk_and_what_is_hidden() -> None:
    random = np.random.default_rng(0)
    codes = random.integers(0, 256, (100, 16), np.uint8)
    codes[[10, 20, 30]] = codes[5]
    index = index_of(codes)
    assert index.similar(5, 3).chunks.tolist() == [10, 20, 30]
    assert index.similar(20, 3).chunks.tolist() == [5, 10, 30]
    assert index.similar(5, 3, hide=range(0, 15)).chunks.tolist()[:2] == [20, 30]
    assert not set(index.similar(5, 100, hide=range(0, 15)).chunks.tolist()) & set(range(15))
    only = np.zeros(100, np.bool_)
    only[[5, 10]] = True
    assert index.similar(5, 10, bitmap(only)).chunks.tolist() == [10]
    np.testing.assert_allclose(index.similar(5, 1).cosines, 1.0)


# --- the retriever
# -----------------------------------------------------------------------------------------------------------------


class Known:
    """Embeds a question to a fixed vector."""

    trust = 1.0
    remote = False

    def __init__(self, vector: np.ndarray, identity: EmbedderIdentity = IDENTITY, noise_floor: float = -1.0) -> None:
        self.vector, self.identity, self.noise_floor, self.asked = vector, identity, noise_floor, []

    def embed_query(self, text: str) -> EmbeddedQuery:
        self.asked.append(text)
        return EmbeddedQuery.from_vector(self.vector)


def view_of(codes: np.ndarray, embedder: Any, allowed: np.ndarray | None = None) -> Any:
    n = len(codes)
    files = np.arange(n) // 4
    chunks = SimpleNamespace(
        files=files.astype(np.uint32),
        start_lines=(np.arange(n) * 10 + 1).astype(np.uint32),
        of_file=lambda file: range(4 * file, min(4 * file + 4, n)),
    )
    bits = None if allowed is None else bitmap(allowed)
    return SimpleNamespace(
        vectors=index_of(codes),
        embedder=embedder,
        chunks=chunks,
        allowed=lambda filters: SimpleNamespace(chunk_bits=bits),
    )


PLAN: Any = SimpleNamespace(text="how does it work", filters=Filters())


def near(vector: np.ndarray, flips: list[int]) -> np.ndarray:
    """Codes of a vector with so many of its first signs turned."""
    bits = np.tile(vector > 0, (len(flips), 1))
    for row, count in zip(bits, flips, strict=True):
        row[:count] = ~row[:count]
    return np.packbits(bits, axis=1)


VECTOR = np.random.default_rng(9).choice([-1.0, 1.0], 128).astype(np.float32)


def test_retrieve_ranks_by_meaning() -> None:
    embedder = Known(VECTOR)
    found = semantic.retrieve(PLAN, view_of(near(VECTOR, [30, 0, 60, 10, 5, 64]), embedder), 4)
    assert embedder.asked == ["how does it work"]
    assert found.modality == "semantic"
    assert found.chunks.tolist() == [1, 4, 3, 0]
    assert found.files.tolist() == [0, 1, 0, 0]
    assert found.lines.tolist() == [11, 41, 31, 1]
    # The lowest of the candidates has cosine 0; one flip of 128 costs 2 / 128.
    np.testing.assert_allclose(found.strengths, [1.0, 1 - 10 / 128, 1 - 20 / 128, 1 - 60 / 128], atol=1e-6)


def test_retrieve_drops_what_is_below_the_noise_floor() -> None:
    view = view_of(near(VECTOR, [30, 0, 60, 10]), Known(VECTOR, noise_floor=0.5))
    found = semantic.retrieve(PLAN, view, 4)
    assert found.chunks.tolist() == [1, 3, 0]
    np.testing.assert_allclose(found.strengths, [0.5, 0.5 - 20 / 128, 0.5 - 60 / 128], atol=1e-6)
    noise = view_of(near(VECTOR, [60, 61, 64]), Known(VECTOR, noise_floor=0.5))
    assert len(semantic.retrieve(PLAN, noise, 4)) == 0


def test_a_question_may_raise_the_floor() -> None:
    embedder = Known(VECTOR, noise_floor=0.1)
    embedder.embed_query = lambda text: EmbeddedQuery.from_vector(VECTOR, 0.9)  # type: ignore[method-assign]
    found = semantic.retrieve(PLAN, view_of(near(VECTOR, [0, 5, 60]), embedder), 4)
    assert found.chunks.tolist() == [0, 1]


def test_retrieve_honours_filters_inside_the_scan() -> None:
    codes = near(VECTOR, [0] * 300 + [40])
    allowed = np.zeros(301, np.bool_)
    allowed[300] = True
    found = semantic.retrieve(PLAN, view_of(codes, Known(VECTOR), allowed), 5)
    assert found.chunks.tolist() == [300]


def test_vectors_of_another_embedder_are_never_searched() -> None:
    for other in (
        EmbedderIdentity("test", "m2", 128, "ubinary", "1"),
        EmbedderIdentity("test", "m", 128, "ubinary", "2"),
        EmbedderIdentity("other", "m", 128, "ubinary", "1"),
        EmbedderIdentity("test", "m", 64, "ubinary", "1"),
        EmbedderIdentity("test", "m", 128, "int8", "1"),
        EmbedderIdentity("test", "m", 128, "ubinary", "1", IDENTITY.chunker + 1),
    ):
        embedder = Known(VECTOR, other)
        with pytest.raises(EmbedderMismatch, match=r"test/m/128.*rebuild"):
            semantic.retrieve(PLAN, view_of(near(VECTOR, [0]), embedder), 1)
        assert embedder.asked == []


def test_an_index_without_vectors_says_so() -> None:
    view = view_of(near(VECTOR, [0]), None)
    with pytest.raises(EmbedderUnavailable, match="no embedder is set"):
        semantic.retrieve(PLAN, view, 1)
    view.vectors = None
    with pytest.raises(EmbedderUnavailable, match="holds no vectors"):
        semantic.retrieve(PLAN, view, 1)
    with pytest.raises(EmbedderUnavailable, match="holds no vectors"):
        semantic.similar(view, 0, 1)


def test_similar_can_leave_out_the_own_file() -> None:
    view = view_of(near(VECTOR, [0, 1, 2, 3, 4, 5, 6, 7, 8]), None)
    with_own = semantic.similar(view, 1, 4)
    assert 1 not in with_own.chunks and set(with_own.chunks.tolist()) == {0, 2, 3, 4}
    without = semantic.similar(view, 1, 4, own_file=False)
    assert without.chunks.tolist() == [4, 5, 6, 7]
    assert without.files.tolist() == [1, 1, 1, 1]


def test_similar_honours_filters_inside_the_scan() -> None:
    allowed = np.zeros(301, np.bool_)
    allowed[300] = True
    view = view_of(near(VECTOR, [0] * 300 + [40]), None, allowed)
    assert semantic.similar(view, 1, 5, plan=PLAN).chunks.tolist() == [300]


def test_equal_cosines_come_in_the_order_of_their_ids_whatever_their_distances() -> None:
    """Signs of dimensions in which the question is 0 change the distance and not the cosine."""
    vector = np.r_[np.ones(64), np.zeros(64)].astype(np.float32)
    bits = np.ones((150, 128), np.uint8)
    for row, count in enumerate(np.random.default_rng(4).integers(0, 65, 150)):
        bits[row, 64 : 64 + count] = 0
    found = index_of(np.packbits(bits, axis=1)).search(EmbeddedQuery.from_vector(vector), 150)
    assert found.chunks.tolist() == list(range(150)) and len(set(found.cosines.tolist())) == 1


def test_near_pairs_hold_the_distance_itself_and_nothing_beyond() -> None:
    bits = np.zeros((3, 128), np.uint8)
    bits[1, :32] = 1
    bits[2, 95:] = 1  # 33 from the first, 65 from the second
    pairs = np.concatenate(list(index_of(np.packbits(bits, axis=1)).near_pairs(0.25)))
    assert pairs.tolist() == [[0, 1, 32]]
