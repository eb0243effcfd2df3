"""An index remembers who made its vectors, down to the version of the chunker, and is not asked by another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import quatrain
from quatrain import building
from quatrain.embedders.protocol import EmbeddedQuery, EmbedderIdentity
from quatrain.errors import EmbedderMismatch

OWN = EmbedderIdentity("own", "m", 64, "ubinary", "1")


class Own:
    """An embedder of one's own that counts the chunks it is given."""

    trust = 1.0
    noise_floor = -1.0
    remote = True

    def __init__(self, identity: EmbedderIdentity = OWN) -> None:
        self.identity, self.embedded = identity, 0

    def embed_documents(self, texts: Sequence[str], names: Sequence[str]) -> np.ndarray:
        self.embedded += len(texts)
        return np.full((len(texts), 8), 255, np.uint8)

    def embed_query(self, text: str) -> EmbeddedQuery:
        return EmbeddedQuery.from_vector(np.ones(64, np.float32))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "tax.py").write_text("def add_tax(price):\n    return price * 1.2\n")
    (folder / "vat.py").write_text("def add_vat(price):\n    return price * 1.3\n")
    quatrain.build(folder, embedder=Own(), workers=1, index_dir=tmp_path / "index")
    return folder


def test_the_same_embedder_is_served(root: Path) -> None:
    index = quatrain.open(root, embedder=Own(), index_dir=root.parent / "index", refresh=False)
    assert "semantic" in index.search("how is tax added").modalities


@pytest.mark.parametrize(
    "other",
    [
        replace(OWN, chunker=OWN.chunker + 1),
        replace(OWN, version="2"),
        replace(OWN, model="n"),
        replace(OWN, provider="other"),
        replace(OWN, dtype="binary"),
        replace(OWN, dimensions=128),
    ],
    ids=["chunker", "version", "model", "provider", "dtype", "dimensions"],
)
def test_any_other_embedder_is_refused_with_the_fix(root: Path, other: EmbedderIdentity) -> None:
    with pytest.raises(EmbedderMismatch, match=r"was made with .* run `quatrain index --embedder"):
        _ = quatrain.open(root, embedder=Own(other), index_dir=root.parent / "index", refresh=False).view


def test_vectors_are_taken_over_from_the_same_chunker_only(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = root.parent / "index"
    (root / "new.py").write_text("def added():\n    return 0\n")
    same = Own()
    quatrain.build(root, embedder=same, workers=1, index_dir=where)
    assert same.embedded == 1
    # A later release whose chunker describes otherwise, with an embedder that did not notice.
    monkeypatch.setattr(building, "CHUNKER_VERSION", building.CHUNKER_VERSION + 1)
    later = Own()
    quatrain.build(root, embedder=later, workers=1, index_dir=where)
    assert later.embedded == 3
