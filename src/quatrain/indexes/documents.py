"""The files themselves: paths, languages, flags, contents and where their lines begin."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from quatrain._kernels import lines
from quatrain.files.flags import CONFIG, DEMOTED, DOCS, GENERATED, HEADER, OLDER, TEST
from quatrain.indexes.strings import SectionReader, SectionWriter, Strings, StringTable, write_strings

__all__ = ["CONFIG", "DEMOTED", "DOCS", "GENERATED", "HEADER", "OLDER", "TEST", "DocumentRow", "Documents", "build"]

NO_LANGUAGE = 255


class DocumentRow(NamedTuple):
    """What is stored about one indexed file."""

    path: str
    language: str | None
    size: int
    mtime_ns: int
    content_hash: bytes
    flags: int
    parse: str
    data: bytes | memoryview
    newlines: bytes | memoryview | None = None  # uint32[] as `Documents.stored` gives them, None: to be found


def build(
    writer: SectionWriter, rows: Sequence[DocumentRow], skipped: Sequence[tuple[str, int, str | None, str]]
) -> Strings:
    """Write the documents and return their contents.

    Parameters
    ----------
    writer
        Receives the sections.
    rows
        Indexed files, sorted by path bytes.
    skipped
        (path, size, language, reason) of the files that are not indexed.
    """
    languages = sorted({row.language for row in rows if row.language})
    code = {name: number for number, name in enumerate(languages)}
    write_strings(writer, "language", languages)
    write_strings(writer, "file/path", [row.path for row in rows])
    write_strings(writer, "file/parse", [row.parse for row in rows])
    writer.add("file/language", np.array([code.get(row.language or "", NO_LANGUAGE) for row in rows], np.uint8))
    writer.add("file/size", np.array([row.size for row in rows], np.uint64))
    writer.add("file/mtime_ns", np.array([row.mtime_ns for row in rows], np.int64))
    writer.add("file/hash", np.frombuffer(b"".join(row.content_hash for row in rows), np.uint8).reshape(-1, 16))
    writer.add("file/flags", np.array([row.flags for row in rows], np.uint16))
    content = Strings.of([row.data for row in rows])
    writer.add("file/content_offset", content.offsets)
    writer.add("content", content.blob, bulk=True)
    newlines = Strings.of([_newlines(row.data) if row.newlines is None else row.newlines for row in rows])
    writer.add("file/newline_offset", newlines.offsets // 4)
    writer.add("newlines", newlines.blob.view(np.uint32), bulk=True)
    writer.add("skipped", json.dumps([list(entry) for entry in skipped]).encode("utf-8", "surrogatepass"))
    return content


def _newlines(data: bytes | memoryview) -> bytes:
    return np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")).astype(np.uint32).tobytes()


class Documents:
    """Look up files by id (ordered by path) or by path."""

    def __init__(self, segment: SectionReader) -> None:
        self._segment = segment
        self.paths = StringTable(segment, "file/path")
        self.languages = tuple(StringTable(segment, "language"))
        self.parses = StringTable(segment, "file/parse")
        self.language_codes = segment.array("file/language")
        self.sizes = segment.array("file/size")
        self.mtimes_ns = segment.array("file/mtime_ns")
        self.hashes = segment.array("file/hash")
        self.flags = segment.array("file/flags")
        self.content_offsets = segment.array("file/content_offset")
        self._content_offsets = memoryview(self.content_offsets)
        self.contents = segment.array("content")
        self._newline_ends = segment.array("file/newline_offset")
        self._newline_offsets = memoryview(self._newline_ends)
        self._newlines = segment.array("newlines")

    @property
    def count(self) -> int:
        """Number of indexed files."""
        return len(self.flags)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The id of each path: for many look-ups; `file_id` reads only what one needs."""
        return {path: number for number, path in enumerate(self.paths)}

    def path(self, file: int) -> str:
        """Return the path of a file."""
        return self.paths[file]

    def file_id(self, path: str) -> int:
        """Return the id of a path, or -1."""
        return self.paths.find(path)

    def language(self, file: int) -> str | None:
        """Return the language of a file."""
        code = int(self.language_codes[file])
        return self.languages[code] if code < len(self.languages) else None

    def content(self, file: int) -> bytes:
        """Return the stored bytes of a file."""
        start, end = self._content_offsets[file], self._content_offsets[file + 1]
        self._segment.verify_range("content", start, end)
        return self.contents[start:end].tobytes()

    def stored(self, file: int) -> tuple[memoryview, memoryview]:
        """Return the bytes of a file and the bytes of its newline offsets, where they lie."""
        start, end = self._content_offsets[file], self._content_offsets[file + 1]
        self._segment.verify_range("content", start, end)
        return memoryview(self.contents)[start:end], memoryview(self.newlines(file)).cast("B")

    def newlines(self, file: int) -> np.ndarray:
        """Return the uint32 byte offsets of the newlines of a file."""
        start, end = self._newline_offsets[file], self._newline_offsets[file + 1]
        self._segment.verify_range("newlines", 4 * start, 4 * end)
        return self._newlines[start:end]

    def line_count(self, file: int) -> int:
        """Return the number of lines; a last line without a newline counts."""
        newlines = self.newlines(file)
        size = int(self._content_offsets[file + 1]) - int(self._content_offsets[file])
        return len(newlines) + (not len(newlines) or int(newlines[-1]) != size - 1)

    def line_span(self, file: int, line: int) -> tuple[int, int]:
        """Return the half-open byte span of a 1-based line, without its newline."""
        newlines = self.newlines(file)
        size = int(self._content_offsets[file + 1]) - int(self._content_offsets[file])
        start = int(newlines[line - 2]) + 1 if line >= 2 else 0
        return start, int(newlines[line - 1]) if line <= len(newlines) else size

    def text(self, file: int, first_line: int, last_line: int) -> str:
        """Return lines ``first_line`` to ``last_line`` (inclusive), undecodable bytes replaced."""
        first, stop = self._newline_offsets[file], self._newline_offsets[file + 1]
        self._segment.verify_range("newlines", 4 * first, 4 * stop)
        if first_line > min(last_line, stop - first + 1):
            return ""
        base, after = self._content_offsets[file], self._content_offsets[file + 1]
        start = base + self._newlines.item(first + first_line - 2) + 1 if first_line >= 2 else base
        end = base + self._newlines.item(first + last_line - 1) if last_line <= stop - first else after
        self._segment.verify_range("content", start, end)
        return self.contents[start:end].tobytes().decode("utf-8", "replace")

    def texts(self, files: np.ndarray, numbers: np.ndarray) -> list[str]:
        """Return the text of one line each, undecodable bytes replaced; a line that its file does not have is empty.

        Parameters
        ----------
        files, numbers
            int64[n]: file id and 1-based line.
        """
        first, stop = (self._newline_ends[at].astype(np.int64) for at in (files, files + 1))
        base, after = (self.content_offsets[at].astype(np.int64) for at in (files, files + 1))
        self._segment.verify("newlines", 4 * first, 4 * stop)
        newlines = self._newlines if len(self._newlines) else np.zeros(1, np.uint32)
        closing = first + numbers - 1  # the newline that ends the line
        ends = np.where(closing < stop, base + newlines[np.minimum(closing, len(newlines) - 1)], after)
        begun = newlines[np.clip(closing - 1, 0, len(newlines) - 1)]
        starts = np.where(numbers == 1, base, np.where(closing <= stop, base + begun + 1, after))
        self._segment.verify("content", starts, ends)
        gathered = lines.gather(self.contents, starts.astype(np.uint64), ends.astype(np.uint64))
        return gathered.tobytes().decode("utf-8", "replace").split("\n")[:-1]

    def skipped(self) -> list[tuple[str, int, str | None, str]]:
        """Return (path, size, language, reason) of every file that is not indexed."""
        rows = json.loads(bytes(self._segment.array("skipped")).decode("utf-8", "surrogatepass"))
        return [(path, size, language, reason) for path, size, language, reason in rows]
