"""Compiled kernels: whole-query loops in C behind thin Cython checks.

Each extension is imported on first use (``from quatrain._kernels import hamming``).  ``reference`` holds a readable
twin of every kernel.  The instruction set is picked once, when an extension is imported; ``QUATRAIN_CPU`` forces one of
``portable``, ``popcnt``, ``avx2``, ``avx512`` (x86-64) or ``portable``, ``neon`` (arm64).
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

__all__ = ["EXTENSIONS", "capabilities"]

EXTENSIONS = ("hamming", "roaring", "trigrams", "literal", "lines", "ranking", "graph", "terms", "embedding")


def __getattr__(name: str) -> ModuleType:
    if name not in EXTENSIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
        raise ImportError(
            f"the compiled extension {error.name} is missing; install a wheel of quatrain, or in a source tree run "
            "`python setup.py build_ext --inplace` (needs Cython and a C compiler)",
            name=error.name,
        ) from None


def capabilities() -> dict[str, str | list[str]]:
    """Return the instruction set the kernels use and those this machine could use.

    Returns
    -------
    dict
        ``level``: the level in use, the highest available unless ``QUATRAIN_CPU`` forced one when the extensions were
        imported; ``available``: every level this machine can run, lowest first.

    Raises
    ------
    ImportError
        The extension is not built, or ``QUATRAIN_CPU`` names a level that this machine cannot run.
    """
    hamming = __getattr__("hamming")
    return {"level": hamming._level(), "available": hamming._levels()}
