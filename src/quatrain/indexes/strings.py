"""Tables of strings inside a segment: one offsets array, one blob."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np

from quatrain._kernels import literal, terms

__all__ = ["SectionReader", "SectionWriter", "StringTable", "Strings", "encode", "write_strings"]


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


def write_strings(writer: SectionWriter, tag: str, strings: Iterable[str | bytes]) -> Strings:
    """Write ``strings`` as the sections ``<tag>_blob`` (uint8) and ``<tag>_offsets`` (uint64[n + 1]), and return them."""
    written = Strings.of([encode(s) if isinstance(s, str) else s for s in strings])
    written.write(writer, tag)
    return written


class Strings(NamedTuple):
    """Strings of bytes on their way into a segment: one blob, uint8[], and where each begins, uint64[n + 1]."""

    blob: np.ndarray
    offsets: np.ndarray

    @classmethod
    def of(cls, parts: Sequence[bytes]) -> Strings:
        """Return some strings."""
        blob = np.frombuffer(b"".join(parts), np.uint8)
        return cls.of_sizes(blob, np.fromiter(map(len, parts), np.int64, len(parts)))

    @classmethod
    def of_sizes(cls, blob: np.ndarray, sizes: np.ndarray) -> Strings:
        """Return the strings of these sizes that follow each other in a blob."""
        offsets = np.zeros(len(sizes) + 1, np.uint64)
        np.cumsum(sizes, out=offsets[1:])
        return cls(blob, offsets)

    @classmethod
    def stored(cls, segment: SectionReader, tag: str) -> Strings:
        """Return the strings that `write_strings` wrote."""
        return cls(segment.array(f"{tag}_blob"), segment.array(f"{tag}_offsets"))

    @property
    def sizes(self) -> np.ndarray:
        """The size of each string, int64[n]."""
        return np.diff(self.offsets.astype(np.int64))

    def texts(self) -> list[str]:
        """Return the strings decoded."""
        blob, offsets = self.blob.tobytes(), self.offsets.tolist()
        return [blob[first:last].decode("utf-8", "surrogateescape") for first, last in pairwise(offsets)]

    def take(self, rows: np.ndarray) -> Strings:
        """Return the strings at some positions; neighbours are copied together."""
        starts, ends = self.offsets[:-1][rows], self.offsets[1:][rows]
        if not len(rows):
            return Strings(np.empty(0, np.uint8), np.zeros(1, np.uint64))
        breaks = np.flatnonzero(starts[1:] != ends[:-1])
        firsts, lasts = starts[np.append(0, breaks + 1)].tolist(), ends[np.append(breaks, len(rows) - 1)].tolist()
        view = memoryview(self.blob)
        blob = b"".join([view[first:last] for first, last in zip(firsts, lasts, strict=True)])
        return Strings.of_sizes(np.frombuffer(blob, np.uint8), (ends - starts).astype(np.int64))

    def joined(self, other: Strings) -> Strings:
        """Return these strings and then the others."""
        return Strings(
            np.concatenate([self.blob, other.blob]),
            np.concatenate([self.offsets, other.offsets[1:] + self.offsets[-1]]),
        )

    def write(self, writer: SectionWriter, tag: str) -> None:
        """Write them as `write_strings` does."""
        writer.add(f"{tag}_offsets", self.offsets)
        writer.add(f"{tag}_blob", self.blob)


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

    def all(self) -> list[bytes]:
        """Return the bytes of all strings."""
        blob, offsets = bytes(self._blob), self._offsets.tolist()
        return [blob[first:last] for first, last in pairwise(offsets)]

    def view(self, index: int) -> memoryview:
        """Return the bytes of string ``index`` where they lie."""
        return self._blob[self._offsets[index] : self._offsets[index + 1]]

    def raw(self, index: int) -> bytes:
        """Return the bytes of string ``index``."""
        return bytes(self.view(index))

    def lower_bound(self, key: bytes) -> int:
        """Return the first position whose string is >= ``key`` in byte order."""
        return terms.lower_bound(self._blob, self._offsets, key)

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
