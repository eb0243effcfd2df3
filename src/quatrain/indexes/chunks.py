"""The units of retrieval: where each chunk lies, what it shows, how central it is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from quatrain.indexes.strings import SectionReader, SectionWriter
from quatrain.indexes.tables import ChunkRows, SymbolRows

__all__ = ["ChunkOrder", "Chunks", "build", "order_chunks"]


class ChunkOrder(NamedTuple):
    """Global ids for the chunks of all files: the order is (file, start byte)."""

    rows: np.ndarray  # int64[N]: the row of each id
    starts: np.ndarray  # int64[F + 1]: the first chunk of each file

    def holders(self, chunks: ChunkRows, symbols: SymbolRows) -> tuple[np.ndarray, np.ndarray]:
        """Return the chunk that holds the name of each symbol, or the nearest before it (-1 in a file without any), and whether it does.

        Two arrays for the rows of ``symbols``: int64 and bool.
        """
        begins = (chunks.file << 32 | chunks.start_byte)[self.rows]
        first = self.starts[symbols.file]
        at = np.searchsorted(begins, symbols.file << 32 | symbols.name_byte, side="right") - 1
        inside = at >= first
        ends = chunks.end_byte[self.rows]
        inside[inside] = symbols.name_byte[inside] < ends[at[inside]]
        return np.where(first < self.starts[symbols.file + 1], np.maximum(at, first), -1), inside


def order_chunks(rows: ChunkRows, files: int) -> ChunkOrder:
    """Give every chunk of ``files`` files its global id."""
    starts = np.zeros(files + 1, np.int64)
    np.cumsum(np.bincount(rows.file, minlength=files), out=starts[1:])
    return ChunkOrder(np.lexsort((rows.start_byte, rows.file)), starts)


def build(
    writer: SectionWriter, rows: ChunkRows, order: ChunkOrder, symbols: np.ndarray, centrality: np.ndarray
) -> None:
    """Write the chunk table.

    Parameters
    ----------
    writer
        Receives the sections.
    rows
        All chunks.
    order
        Their global ids.
    symbols
        int64[N] by id: the definition the chunk mainly shows, or -1.
    centrality
        float32[N] by id: raw PageRank of the most central symbol defined in the chunk.
    """
    writer.add("chunk/file", rows.file[order.rows].astype(np.uint32))
    for field in ("start_byte", "end_byte", "start_line", "end_line"):
        writer.add(f"chunk/{field}", getattr(rows, field)[order.rows])
    writer.add("chunk/symbol", symbols.astype(np.int32))
    writer.add("chunk/centrality", centrality.astype(np.float32))
    writer.add("file/chunk_offset", order.starts.astype(np.uint32))
    enclosing = rows.enclosing.take(order.rows)
    writer.add("chunk/enclosing_offset", (enclosing.offsets // 4).astype(np.uint32))
    writer.add("chunk/enclosing", enclosing.blob.view(np.uint32))


class Chunks:
    """Chunks by id; ids follow (path, start byte), so a lower id is an earlier path and line."""

    def __init__(self, segment: SectionReader) -> None:
        self.files = segment.array("chunk/file")
        self.start_bytes = segment.array("chunk/start_byte")
        self.end_bytes = segment.array("chunk/end_byte")
        self.start_lines = segment.array("chunk/start_line")
        self.end_lines = segment.array("chunk/end_line")
        self.symbols = segment.array("chunk/symbol")
        self.centrality = segment.array("chunk/centrality")
        self.file_offsets = segment.array("file/chunk_offset")

    @property
    def count(self) -> int:
        """Number of chunks."""
        return len(self.files)

    def of_file(self, file: int) -> range:
        """Return the chunk ids of a file."""
        return range(int(self.file_offsets[file]), int(self.file_offsets[file + 1]))

    def at_line(self, file: int, line: int) -> int:
        """Return the chunk of a file that holds a line, else the last one that starts before it, else -1."""
        chunks = self.of_file(file)
        if not chunks:
            return -1
        starts = self.start_lines[chunks.start : chunks.stop]
        return chunks.start + max(int(np.searchsorted(starts, line, side="right")) - 1, 0)

    def at_lines(self, files: np.ndarray, lines: np.ndarray) -> np.ndarray:
        """Return ``at_line`` for arrays of equal length."""
        keys = (self.files.astype(np.int64) << 32) | self.start_lines
        wanted = (np.asarray(files, np.int64) << 32) | np.asarray(lines, np.int64)
        found = np.searchsorted(keys, wanted, side="right") - 1
        first = self.file_offsets[files].astype(np.int64)
        last = self.file_offsets[np.asarray(files) + 1].astype(np.int64) - 1
        return np.where(last >= first, np.clip(found, first, last), -1)
