"""Read one segment: map it, check it, hand out zero-copy arrays."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import xxhash

from quatrain.errors import IndexCorrupt, IndexVersion
from quatrain.storage import format as layout
from quatrain.storage.writer import SegmentEntry

__all__ = ["Segment"]

REBUILD = "run `quatrain index --rebuild` to make it anew from the source"


class Segment:
    """One immutable segment file, memory-mapped.

    Parameters
    ----------
    path
        The file.
    entry
        What the manifest says about it; size and head must agree.

    Raises
    ------
    IndexCorrupt
        Missing, truncated or damaged file.
    IndexVersion
        Written by a newer major format.
    """

    def __init__(self, path: Path, entry: SegmentEntry) -> None:
        self.path = path
        try:
            descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise IndexCorrupt(f"segment {path.name} cannot be opened ({error.strerror}); {REBUILD}") from error
        try:
            size = os.fstat(descriptor).st_size
            if size != entry.size or size < 64:
                raise IndexCorrupt(f"segment {path.name} has {size} bytes where {entry.size} were written; {REBUILD}")
            self._map = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        finally:
            os.close(descriptor)
        self._toc, self._checksums, self._data_offset = self._read_head(entry)
        self._verified = bytearray(len(self._checksums))  # 1 for each block that was found whole
        self._arrays: dict[str, np.ndarray] = {}

    def _read_head(self, entry: SegmentEntry) -> tuple[dict[str, Any], np.ndarray, int]:
        magic, major, _, head_length, size, block_size, toc_length, head_xxh3 = layout.HEADER.unpack_from(self._map, 0)
        if magic != layout.MAGIC:
            raise IndexCorrupt(f"{self.path.name} is not a quatrain segment; {REBUILD}")
        if major > layout.FORMAT_MAJOR:
            raise IndexVersion(
                f"{self.path.name} has format {major}, this release reads up to {layout.FORMAT_MAJOR}; upgrade quatrain or use "
                "another --index-dir"
            )
        bad = IndexCorrupt(f"the head of {self.path.name} is damaged; {REBUILD}")
        if head_length != entry.head_length or size != entry.size or block_size != layout.BLOCK_SIZE:
            raise bad
        if head_length > size or 64 + toc_length > head_length or f"{head_xxh3:016x}" != entry.head_xxh3:
            raise bad
        head = bytearray(self._map[:head_length])
        head[layout.HEAD_XXH3_OFFSET : layout.HEAD_XXH3_OFFSET + 8] = bytes(8)
        if xxhash.xxh3_64_intdigest(head) != head_xxh3:
            raise bad
        blocks = -(-(size - head_length) // layout.BLOCK_SIZE)
        table_offset = layout.align(64 + toc_length, 8)
        if table_offset + 8 * blocks > head_length:
            raise bad
        try:
            toc = json.loads(head[64 : 64 + toc_length])
            for tag, (dtype, shape, offset, nbytes, bulk) in toc.items():
                count = 1
                for extent in shape:
                    if not isinstance(extent, int) or extent < 0:
                        raise ValueError(tag)
                    count *= extent
                if (
                    dtype not in layout.DTYPES
                    or count * np.dtype(dtype).itemsize != nbytes
                    or not isinstance(bulk, bool)
                ):
                    raise ValueError(tag)
                if not isinstance(offset, int) or offset < 0 or offset + nbytes > size - head_length:
                    raise ValueError(tag)
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise bad from error
        return toc, np.frombuffer(head, np.uint64, blocks, table_offset), head_length

    def __contains__(self, tag: str) -> bool:
        return tag in self._toc

    def __iter__(self) -> Any:
        return iter(self._toc)

    def array(self, tag: str) -> np.ndarray:
        """Return section ``tag`` as a read-only array over the mapped file, verified unless it is a bulk section."""
        array = self._arrays.get(tag)
        if array is None:
            try:
                dtype, shape, offset, nbytes, bulk = self._toc[tag]
            except KeyError:
                raise IndexCorrupt(f"{self.path.name} lacks the section {tag!r}; {REBUILD}") from None
            count = nbytes // np.dtype(dtype).itemsize
            if count:
                array = np.frombuffer(self._map, dtype, count, self._data_offset + offset).reshape(shape)
            else:
                array = np.empty(shape, dtype)
                array.flags.writeable = False
            if not bulk:
                self._verify_bytes(offset, offset + nbytes)
            self._arrays[tag] = array
        return array

    def verify(self, tag: str, starts: np.ndarray, ends: np.ndarray) -> None:
        """Verify the blocks under byte ranges of a bulk section, once each.

        Parameters
        ----------
        tag
            The section.
        starts, ends
            Integer arrays of equal length: half-open byte ranges within the section.
        """
        if not len(starts):
            return
        _, _, offset, nbytes, _ = self._toc[tag]
        if int(ends.max()) > nbytes:
            raise IndexCorrupt(f"an offset points behind the section {tag!r} of {self.path.name}; {REBUILD}")
        first = (np.asarray(starts, np.int64) + offset) // layout.BLOCK_SIZE
        last = (np.asarray(ends, np.int64) + (offset - 1)) // layout.BLOCK_SIZE
        verified = np.frombuffer(self._verified, np.bool_)
        low, high = int(first.min()), int(last.max()) + 1
        if verified[low:high].all():
            return
        edges = np.zeros(high - low + 1, np.int64)
        filled = last >= first
        np.add.at(edges, first[filled] - low, 1)
        np.add.at(edges, last[filled] + 1 - low, -1)
        self._verify_blocks((low + np.flatnonzero(np.cumsum(edges[:-1]) > 0)).tolist())

    def verify_range(self, tag: str, start: int, end: int) -> None:
        """Verify the blocks under one byte range of a bulk section."""
        _, _, offset, nbytes, _ = self._toc[tag]
        if end > nbytes or start < 0:
            raise IndexCorrupt(f"an offset points behind the section {tag!r} of {self.path.name}; {REBUILD}")
        self._verify_bytes(offset + start, offset + end)

    def verify_all(self) -> None:
        """Verify every block of the file."""
        self._verify_blocks(range(len(self._checksums)))

    def _verify_bytes(self, start: int, end: int) -> None:
        first, after = start // layout.BLOCK_SIZE, (end - 1) // layout.BLOCK_SIZE + 1
        if end > start and self._verified.find(0, first, after) >= 0:
            self._verify_blocks(range(first, after))

    def _verify_blocks(self, blocks: Iterable[int]) -> None:
        view = memoryview(self._map)
        for block in blocks:
            if self._verified[block]:
                continue
            start = self._data_offset + block * layout.BLOCK_SIZE
            if xxhash.xxh3_64_intdigest(view[start : start + layout.BLOCK_SIZE]) != int(self._checksums[block]):
                raise IndexCorrupt(f"block {block} of {self.path.name} fails its checksum; {REBUILD}")
            self._verified[block] = 1
