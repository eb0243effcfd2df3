"""Tables of strings inside a segment: one offsets array, one blob."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np

from quatrain._kernels import literal

__all__ = ["SectionReader", "SectionWriter", "StringTable", "encode", "write_strings"]


class SectionWriter(Protocol):
    """Where an index writes its sections."""

    def add(self, tag: str, data: np.ndarray | bytes | bytearray, *, bulk: bool = False) -> None:
        """Add one section."""


class SectionReader(Protocol):
    """Where an index reads its sections."""

    def __contains__(self, tag: str) -> bool: ...

    def array(self, tag: str) -> np.ndarray:
        """Return one section."""

    def verify(self, tag: str, starts: np.ndarray, ends: np.ndarray) -> None:
        """Check byte ranges of a bulk section before they are used."""

    def verify_range(self, tag: str, start: int, end: int) -> None:
        """Check one byte range of a bulk section."""


def encode(text: str) -> bytes:
    """Return the stored form of a string; file names that are not UTF-8 keep their bytes."""
    return text.encode("utf-8", "surrogateescape")


def write_strings(writer: SectionWriter, tag: str, strings: Iterable[str | bytes]) -> tuple[bytes, np.ndarray]:
    """Write ``strings`` as the sections ``<tag>_blob`` (uint8) and ``<tag>_offsets`` (uint64[n + 1]), and return them."""
    parts = [encode(s) if isinstance(s, str) else s for s in strings]
    offsets = np.zeros(len(parts) + 1, np.uint64)
    np.cumsum(np.fromiter(map(len, parts), np.uint64, len(parts)), out=offsets[1:])
    blob = b"".join(parts)
    writer.add(f"{tag}_offsets", offsets)
    writer.add(f"{tag}_blob", blob)
    return blob, offsets


class StringTable:
    """Read-only strings by position; by value as well when they were written sorted by their bytes."""

    __slots__ = ("_blob", "_offsets", "offsets")

    def __init__(self, segment: SectionReader, tag: str) -> None:
        self.offsets = segment.array(f"{tag}_offsets")
        # memoryview items are plain ints, which index several times faster than NumPy scalars.
        self._offsets = memoryview(self.offsets)
        self._blob = memoryview(segment.array(f"{tag}_blob"))

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, index: int) -> str:
        return self.raw(index).decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[str]:
        return (self[i] for i in range(len(self)))

    def raw(self, index: int) -> bytes:
        """Return the bytes of string ``index``."""
        return bytes(self._blob[self._offsets[index] : self._offsets[index + 1]])

    def lower_bound(self, key: bytes) -> int:
        """Return the first position whose string is >= ``key`` in byte order."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.raw(middle) < key:
                low = middle + 1
            else:
                high = middle
        return low

    def find(self, text: str) -> int:
        """Return the position of ``text`` in a sorted table, or -1."""
        key = encode(text)
        position = self.lower_bound(key)
        return position if position < len(self) and self.raw(position) == key else -1

    def prefix_range(self, prefix: str) -> tuple[int, int]:
        """Return the half-open range of positions in a sorted table whose strings start with ``prefix``."""
        key = encode(prefix)
        low = self.lower_bound(key)
        end = key.rstrip(b"\xff")
        if not end:
            return low, len(self)
        return low, self.lower_bound(end[:-1] + bytes([end[-1] + 1]))

    def rows_matching(self, pattern: re.Pattern[bytes]) -> np.ndarray:
        """Return the ascending int64 positions of the strings in which ``pattern`` begins to match.

        Strings follow each other without a separator, so a match may run into the next one: look again at what is returned.
        """
        starts = np.fromiter((match.start() for match in pattern.finditer(self._blob)), np.uint64)
        return np.unique(np.searchsorted(self.offsets, starts, side="right") - 1)

    def rows_containing(self, words: Iterable[str]) -> np.ndarray:
        """Return the ascending int64 positions of the strings that hold one of some lower-case words in any ASCII case.

        As in `rows_matching`, a word may run into the next string.
        """
        span = np.zeros(1, np.uint64), np.full(1, len(self._blob), np.uint64)
        found = [literal.find(self._blob, *span, encode(word), ignore_case=True)[1] for word in words]
        return np.unique(np.searchsorted(self.offsets, np.concatenate(found), side="right") - 1)
