"""The units of retrieval: where each chunk lies, what it shows, how central it is."""

from __future__ import annotations

import numpy as np

from quatrain.indexes.strings import SectionReader, SectionWriter

__all__ = ["Chunks", "build"]


def build(
    writer: SectionWriter,
    files: np.ndarray,
    spans: np.ndarray,
    lines: np.ndarray,
    symbols: np.ndarray,
    centrality: np.ndarray,
    file_count: int,
) -> None:
    """Write the chunk table.

    Parameters
    ----------
    writer
        Receives the sections.
    files
        uint32[N], ascending.
    spans, lines
        uint32[N, 2]: byte span (half open) and line span (inclusive) within the file.
    symbols
        int32[N]: the definition the chunk mainly shows, or -1.
    centrality
        float32[N]: raw PageRank of the most central symbol defined in the chunk.
    file_count
        Number of files F.
    """
    writer.add("chunk/file", files.astype(np.uint32))
    writer.add("chunk/start_byte", spans[:, 0].astype(np.uint32))
    writer.add("chunk/end_byte", spans[:, 1].astype(np.uint32))
    writer.add("chunk/start_line", lines[:, 0].astype(np.uint32))
    writer.add("chunk/end_line", lines[:, 1].astype(np.uint32))
    writer.add("chunk/symbol", symbols.astype(np.int32))
    writer.add("chunk/centrality", centrality.astype(np.float32))
    writer.add("file/chunk_offset", np.searchsorted(files, np.arange(file_count + 1)).astype(np.uint32))


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
