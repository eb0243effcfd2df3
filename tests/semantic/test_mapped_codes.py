"""Codes are searched where they lie in the mapped file: nothing copies them on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatrain
from quatrain._kernels import hamming
from quatrain.embedders.protocol import EmbeddedQuery, EmbedderIdentity
from quatrain.indexes import vectors
from quatrain.indexes.vectors import VectorIndex
from quatrain.storage.reader import Segment
from quatrain.storage.writer import SegmentWriter

IDENTITY = EmbedderIdentity("test", "m", 512, "ubinary", "1")


def mapping_of(segment: Segment) -> np.ndarray:
    return np.frombuffer(segment._map, np.uint8)


def segment_of(folder: Path, codes: np.ndarray) -> Segment:
    writer = SegmentWriter(folder)
    vectors.build(writer, codes, IDENTITY)
    entry = writer.finish()
    return Segment(folder / entry.file, entry)


def test_codes_are_the_mapped_bytes(tmp_path: Path) -> None:
    codes = np.random.default_rng(0).integers(0, 256, (1000, 64), np.uint8)
    segment = segment_of(tmp_path, codes)
    index = VectorIndex(segment)
    assert np.shares_memory(index.codes, mapping_of(segment)) and not index.codes.flags.owndata
    assert not index.codes.flags.writeable
    np.testing.assert_array_equal(index.codes, codes)
    # Rows of 64 bytes begin at a line of the cache, so that none is split over two.
    assert index.codes.ctypes.data % 64 == 0


def test_an_opened_index_searches_the_mapped_bytes(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "tax.py").write_text("def add_tax(price):\n    return price * 1.2\n")
    index = quatrain.build(root, workers=1, index_dir=tmp_path / "index")
    found = index.view.vectors
    assert found is not None
    assert np.shares_memory(found.codes, mapping_of(found._segment))


@pytest.mark.parametrize("filtered", [False, True])
def test_every_search_hands_the_mapped_bytes_to_the_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, filtered: bool
) -> None:
    codes = np.random.default_rng(1).integers(0, 256, (3000, 64), np.uint8)
    segment = segment_of(tmp_path, codes)
    index = VectorIndex(segment)
    seen: list[tuple[str, Any]] = []
    for name in ("topk", "asymmetric", "pairs"):
        kernel = getattr(hamming, name)
        monkeypatch.setattr(
            hamming, name, lambda codes, *x, _n=name, _k=kernel, **o: seen.append((_n, codes)) or _k(codes, *x, **o)
        )
    allow = np.full(47, np.uint64(0x5555555555555555)) if filtered else None
    index.search(EmbeddedQuery.from_vector(np.random.default_rng(2).normal(size=512).astype(np.float32)), 5, allow)
    index.similar(7, 5, allow, hide=range(5, 9))
    list(index.near_pairs(0.2, allow))
    assert [name for name, _ in seen] == ["topk", "asymmetric", "topk", "pairs", "pairs", "pairs"]
    for _, given in seen:
        assert np.shares_memory(given, mapping_of(segment)) and given.shape == codes.shape
