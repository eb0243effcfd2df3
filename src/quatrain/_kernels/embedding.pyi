from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

FAULTS: tuple[str, ...]

def _set_level(name: str | None) -> None: ...
def _level() -> str: ...
def _levels() -> list[str]: ...
def dimensions(model: NDArray[np.uint8]) -> int:
    """Width of the vectors of a model file, after checking its sizes and section offsets (ValueError)."""

def documents(
    model: NDArray[np.uint8], texts: Iterable[str | bytes], names: Iterable[str | bytes], turns: int = 1
) -> NDArray[np.uint8]:
    """Embed texts with their name slots; uint8[n, turns * dimensions / 8], bit set where the value is positive, MSB first.

    The first 512 sub-words of a text and of a name slot count.  ``turns`` - 1 rotations follow the vector, for which its
    dimensions must be a power of two.  The GIL is released for the whole batch.
    """

def document_vectors(
    model: NDArray[np.uint8], texts: Iterable[str | bytes], names: Iterable[str | bytes], turns: int = 1
) -> NDArray[np.float32]:
    """Like `documents` before the signs are taken; float32[n, turns * dimensions]."""

def query(model: NDArray[np.uint8], text: str | bytes, turns: int = 1) -> NDArray[np.float32]:
    """Embed a question; float32[turns * dimensions].  The first 512 sub-words count."""

def known_letters(model: NDArray[np.uint8], text: str | bytes) -> tuple[int, int]:
    """Letters of the distinct sub-words of a text, numbers aside: those in the vocabulary, and all."""

def subtokens(text: str | bytes, limit: int = 512) -> NDArray[np.uint64]:
    """Byte spans of the sub-words of a text; uint64[n, 2], n <= limit."""
