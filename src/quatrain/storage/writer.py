"""Write one segment: collect sections, lay them out, publish the file."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import xxhash

from quatrain.storage import format as layout

__all__ = ["SegmentEntry", "SegmentWriter", "fsync_directory", "publish"]


class SegmentEntry(NamedTuple):
    """What a manifest says about a segment."""

    file: str
    size: int
    head_length: int
    head_xxh3: str


class SegmentWriter:
    """Collects sections in memory and writes them as one immutable file.

    Parameters
    ----------
    directory
        The index directory; it must exist.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._sections: dict[str, tuple[np.ndarray, bool]] = {}

    def add(self, tag: str, data: np.ndarray | bytes | bytearray, *, bulk: bool = False) -> None:
        """Add a section.

        Parameters
        ----------
        tag
            Its name; a second section of the same name is a ValueError.
        data
            An array of a plain integer or float type, or bytes.
        bulk
            Verify block by block on touch instead of whole at first use.
        """
        if tag in self._sections:
            raise ValueError(f"section {tag!r} was added twice")
        array = np.frombuffer(data, np.uint8) if isinstance(data, (bytes, bytearray)) else np.ascontiguousarray(data)
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("<"))
        if array.dtype.str not in layout.DTYPES:
            raise ValueError(f"section {tag!r} has dtype {array.dtype}, which the format does not know")
        self._sections[tag] = (array, bulk)

    def finish(self) -> SegmentEntry:
        """Write, fsync and rename the segment; return its manifest entry."""
        toc: dict[str, tuple[str, tuple[int, ...], int, int, bool]] = {}
        position = 0
        for tag, (array, bulk) in self._sections.items():
            position = layout.align(position, layout.SECTION_ALIGNMENT)
            toc[tag] = (array.dtype.str, array.shape, position, array.nbytes, bulk)
            position += array.nbytes
        toc_bytes = json.dumps(toc, separators=(",", ":")).encode()
        checksums = np.fromiter(self._block_checksums(toc), np.uint64)
        table_offset = layout.align(64 + len(toc_bytes), 8)
        head_length = layout.align(table_offset + checksums.nbytes, layout.HEAD_ALIGNMENT)
        size = head_length + position
        head = bytearray(head_length)
        layout.HEADER.pack_into(
            head, 0, layout.MAGIC, layout.FORMAT_MAJOR, layout.FORMAT_MINOR, head_length, size, layout.BLOCK_SIZE, len(toc_bytes), 0
        )  # fmt: skip
        head[64 : 64 + len(toc_bytes)] = toc_bytes
        head[table_offset : table_offset + checksums.nbytes] = checksums.tobytes()
        head_xxh3 = xxhash.xxh3_64_intdigest(head)
        head[layout.HEAD_XXH3_OFFSET : layout.HEAD_XXH3_OFFSET + 8] = head_xxh3.to_bytes(8, "little")

        name = f"s-{secrets.token_hex(8)}.seg"
        publish(self._directory, name, self._parts(bytes(head), toc))
        return SegmentEntry(name, size, head_length, f"{head_xxh3:016x}")

    def _parts(
        self, head: bytes, toc: dict[str, tuple[str, tuple[int, ...], int, int, bool]]
    ) -> Iterator[bytes | memoryview]:
        yield head
        yield from self._data_parts(toc)

    def _data_parts(self, toc: dict[str, tuple[str, tuple[int, ...], int, int, bool]]) -> Iterator[bytes | memoryview]:
        position = 0
        for tag, (_, _, offset, nbytes, _) in toc.items():
            if offset > position:
                yield bytes(offset - position)
            if nbytes:
                yield memoryview(self._sections[tag][0]).cast("B")
            position = offset + nbytes

    def _block_checksums(self, toc: dict[str, tuple[str, tuple[int, ...], int, int, bool]]) -> Iterator[int]:
        block, room = xxhash.xxh3_64(), layout.BLOCK_SIZE
        for part in self._data_parts(toc):
            view = memoryview(part)
            while len(view):
                block.update(view[:room])
                taken = min(room, len(view))
                view, room = view[taken:], room - taken
                if not room:
                    yield block.intdigest()
                    block, room = xxhash.xxh3_64(), layout.BLOCK_SIZE
        if room < layout.BLOCK_SIZE:
            yield block.intdigest()


def publish(directory: Path, name: str, parts: Iterator[bytes | memoryview]) -> None:
    """Make ``directory/name`` appear whole or not at all, also across power loss.

    An fsync that failed is never repeated as if it could still succeed: the temporary file is dropped and the error raised.
    """
    temporary = directory / f"{name}.{os.getpid()}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.rename(temporary, directory / name)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    fsync_directory(directory)


def fsync_directory(directory: Path) -> None:
    """Make renames in ``directory`` durable (a no-op on Windows, which cannot open directories)."""
    if os.name == "nt":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
