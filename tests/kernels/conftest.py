"""Levels: every test of a dispatched kernel runs at each capability level that this machine has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from quatrain._kernels import hamming, literal, roaring


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "level" in metafunc.fixturenames:
        metafunc.parametrize("level", hamming._levels())


@pytest.fixture(autouse=True, scope="module")
def _restore_level() -> Iterator[None]:
    chosen = hamming._level()
    yield
    for kernel in (hamming, literal, roaring):
        kernel._set_level(chosen)
