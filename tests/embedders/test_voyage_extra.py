"""Voyage without its extra: a clear error, and nothing else is affected."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from quatrain.embedders import voyage
from quatrain.embedders.protocol import get_embedder
from quatrain.errors import MissingExtra


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def absent(name: str, *rest: Any) -> Any:
        return None if name == "voyageai" else find(name, *rest)

    monkeypatch.setattr(voyage, "find_spec", absent)
    monkeypatch.setenv("VOYAGE_API_KEY", "pa-anything")
    with pytest.raises(MissingExtra, match=r"quatrain\[voyage\]"):
        get_embedder("voyage")
    assert get_embedder("bundled") is not None
