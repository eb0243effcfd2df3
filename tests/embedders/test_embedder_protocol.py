"""Choosing an embedder by name, object or specification; identities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quatrain.embedders import protocol
from quatrain.embedders.protocol import EmbeddedQuery, EmbedderIdentity, get_embedder, register_embedder
from quatrain.errors import BadQuery, IndexCorrupt


class Counting:
    """An embedder of one's own."""

    trust = 0.5
    noise_floor = 0.0
    remote = False

    def __init__(self, model: str = "letters", dimensions: int = 64) -> None:
        self.identity = EmbedderIdentity("counting", model, dimensions, "ubinary", "1")

    def embed_documents(self, texts: Sequence[str], names: Sequence[str]) -> np.ndarray:
        return np.zeros((len(texts), self.identity.dimensions // 8), np.uint8)

    def embed_query(self, text: str) -> EmbeddedQuery:
        return EmbeddedQuery.from_vector(np.zeros(self.identity.dimensions, np.float32))


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    before = dict(protocol._factories)
    yield
    protocol._factories.clear()
    protocol._factories.update(before)


def test_none_is_no_embedder() -> None:
    assert get_embedder("none") is None
    assert get_embedder(None) is None


def test_an_object_is_taken_as_it_is() -> None:
    mine = Counting()
    assert get_embedder(mine) is mine


def test_an_object_without_the_parts_is_named() -> None:
    with pytest.raises(BadQuery, match=r"dict is no embedder: it lacks identity.*embed_query"):
        get_embedder({})  # type: ignore[arg-type]


def test_an_odd_width_is_refused() -> None:
    with pytest.raises(BadQuery, match="multiple of 64"):
        get_embedder(Counting(dimensions=100))


def test_unknown_names_list_the_known() -> None:
    register_embedder("counting", Counting)
    with pytest.raises(BadQuery, match="bundled, counting, none, voyage"):
        get_embedder("openai")


@pytest.mark.parametrize(
    ("spec", "model", "dimensions"),
    [
        ("counting", "letters", 64),
        ("counting/words", "words", 64),
        ("counting/words/128", "words", 128),
        ("counting/128", "letters", 128),
        ("counting/org/words/256", "org/words", 256),
    ],
)
def test_a_specification_names_model_and_width(spec: str, model: str, dimensions: int) -> None:
    register_embedder("counting", Counting)
    embedder = get_embedder(spec)
    assert embedder is not None
    assert (embedder.identity.model, embedder.identity.dimensions) == (model, dimensions)
    again = get_embedder(embedder.identity.spec)
    assert again is not None and again.identity == embedder.identity


@pytest.mark.parametrize("name", ["", "none", "bundled", "voyage", "a/b"])
def test_taken_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name of your own"):
        register_embedder(name, Counting)


def test_identity_survives_storage() -> None:
    identity = EmbedderIdentity("voyage", "voyage-code-3", 1024, "ubinary", "1")
    assert EmbedderIdentity.from_bytes(identity.to_bytes()) == identity
    older = replace(identity, chunker=identity.chunker - 1)
    assert EmbedderIdentity.from_bytes(older.to_bytes()) == older != identity
    assert identity.spec == "voyage/voyage-code-3/1024"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b'{"provider":1,"model":"a","dimensions":64,"dtype":"b","version":"c","chunker":1}',
        b'{"provider":"a","model":"a","dimensions":"64","dtype":"b","version":"c","chunker":1}',
        b'{"provider":"a","model":"a","dimensions":64,"dtype":"b","version":"c","chunker":"1"}',
        b'{"provider":"a","model":"a","dimensions":64,"dtype":"b","version":"c"}',
        b'{"provider":"a","model":"a","dimensions":64,"dtype":"b","version":"c","chunker":1,"more":1}',
    ],
)
def test_a_damaged_identity_is_named(data: bytes) -> None:
    with pytest.raises(IndexCorrupt, match="rebuild"):
        EmbedderIdentity.from_bytes(data)


def test_signs_of_a_query_are_packed_msb_first() -> None:
    vector: Any = np.full(64, -1, np.float32)
    vector[0] = vector[9] = 0.5
    code = EmbeddedQuery.from_vector(vector).code
    assert code.tolist() == [128, 64, 0, 0, 0, 0, 0, 0]
