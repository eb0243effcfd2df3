"""Units of retrieval: about 1,500 bytes, cut along the syntax, whole lines; each line that says something is in
one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from quatrain.records import Chunk, ParsedFile, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["chunk_document", "line_windows", "newline_offsets", "syntax_chunks", "unparsed"]

TARGET_BYTES = 1500  # relevance does not change between 800 and 3,000; see relevance measurements in benchmarks
SMALL_BYTES = 400  # a piece below this joins a neighbour
WINDOW_LINES = 40
LONG_LINE = 6000  # a single line longer than this is cut inside
CONTEXT_LINES = 5
_MAX_DEPTH = 200

_CALLABLES = frozenset(("function", "method", "constructor", "macro"))
_FRAMES = frozenset(("namespace", "module", "package"))  # around everything, about nothing
_VALUES = frozenset(("variable", "constant", "field", "enum_member", "property"))


def newline_offsets(data: bytes) -> list[int]:
    """Return the byte offset of every line feed."""
    return np.flatnonzero(np.frombuffer(data, np.uint8) == 10).tolist()


def unparsed(data: bytes, parse: str) -> ParsedFile:
    """Return what can be said about a file without its syntax: line windows, and why."""
    return ParsedFile(parse, (), (), (), (), line_windows(data), None)


# --- cutting ------------------------------------------------------------------------------------------------


class _Lines:
    """Rows of a file.  A cut is a row; a span of rows [a, b) has a size in bytes."""

    def __init__(self, data: bytes, newlines: Sequence[int]) -> None:
        self.data = data
        self.starts = [0, *(n + 1 for n in newlines)]
        if self.starts[-1] >= len(data) and len(self.starts) > 1:
            self.starts.pop()  # the file ends with a newline
        self.count = len(self.starts)
        self.starts.append(len(data))

    def size(self, a: int, b: int) -> int:
        return self.starts[b] - self.starts[a]

    def row(self, byte: int) -> int:
        return bisect_right(self.starts, byte, 0, self.count) - 1

    def text(self, a: int, b: int) -> bytes:
        return self.data[self.starts[a] : self.starts[b]]


def line_windows(
    data: bytes, newlines: Sequence[int] | None = None, symbols: Sequence[Symbol] = ()
) -> tuple[Chunk, ...]:
    """Return chunks of about 40 lines, cut at a blank line where one is near, for text without syntax."""
    lines = _Lines(data, newline_offsets(data) if newlines is None else newlines)
    return _finish(_windows(lines, 0, lines.count), lines, symbols, tuple(s.name_byte for s in symbols))


def _windows(lines: _Lines, first: int, last: int) -> list[tuple[int, int]]:
    spans = []
    while first < last:
        limit = bisect_right(lines.starts, lines.starts[first] + 2 * TARGET_BYTES, first + 1, last + 1) - 1
        end = min(first + WINDOW_LINES, max(limit, first + 1), last)
        if last - end < 8:
            end = last if lines.size(first, last) <= 3 * TARGET_BYTES else end
        elif end > first + 1:
            nearby = range(end, max(end - 12, first + 1), -1)
            end = next((r for r in nearby if not lines.text(r - 1, r).strip()), end)
        spans.append((first, end))
        first = end
    return spans


def syntax_chunks(root: Node, data: bytes, newlines: Sequence[int], symbols: Sequence[Symbol]) -> tuple[Chunk, ...]:
    """Return chunks cut along the tree.

    Siblings are packed until the target size is reached; a node above it is opened and its children packed, the lines
    before its first child staying with them; a leaf above it is cut by lines.  A comment stays with what follows it.

    Parameters
    ----------
    root
        Root node of the tree.
    data, newlines
        The file and the offsets of its line feeds.
    symbols
        The file's definitions, ordered by start.
    """
    lines = _Lines(data, newlines)
    if not lines.count or not data.strip():
        return ()
    spans: list[tuple[int, int]] = []
    _pack(root, 0, lines.count, lines, spans, 0)
    return _finish(_merge_small(spans, lines), lines, symbols, tuple(s.name_byte for s in symbols))


def _pack(node: Node, first: int, last: int, lines: _Lines, spans: list[tuple[int, int]], depth: int) -> None:
    """Cut the rows [first, last), which ``node`` covers, into spans."""
    if lines.size(first, last) <= TARGET_BYTES:
        spans.append((first, last))
        return
    children = node.children if depth < _MAX_DEPTH else []
    starts = lines.starts
    count = lines.count
    rows: list[tuple[int, int, Any, bool]] = []  # first row, row after, node, is a comment
    for child in children:
        start, end = child.start_byte, child.end_byte
        if end <= start:
            continue
        a = bisect_right(starts, start, 0, count) - 1
        b = bisect_right(starts, end - 1, 0, count)
        if rows and a < rows[-1][1]:  # shares a line with what stands before it
            a0, b0, node0, comment0 = rows[-1]
            bigger = child if b - a > b0 - a0 else node0
            rows[-1] = (a0, max(b, b0), bigger, comment0 and "comment" in child.type)
        else:
            rows.append((a, b, child, False))
            if b - a < 40 and "comment" in child.type:
                rows[-1] = (a, b, child, True)
    if not rows:
        spans.extend(_windows(lines, first, last))
        return
    if len(rows) == 1:
        a, b, child, _ = rows[0]
        _pack(child, first, last, lines, spans, depth + 1)
        return
    # Rows between children (blank lines, text of the node itself) belong to the child after them; what follows the
    # last one to it.
    begin = first
    current = first  # start of the span being filled
    for i, (_, b, child, is_comment) in enumerate(rows):
        b = last if i + 1 == len(rows) else min(max(b, begin), last)
        if b <= begin:
            continue
        if lines.size(begin, b) > TARGET_BYTES and not is_comment:
            if current < begin and lines.size(current, begin) > SMALL_BYTES:
                cut = _before_comments(rows, i, current, begin)
                if cut > current:
                    spans.append((current, cut))
                current = cut
            # What is left before it (a header, a comment) opens its first span.
            _pack(child, current, b, lines, spans, depth + 1)
            current = b
        elif lines.size(current, b) > TARGET_BYTES and current < begin:
            cut = _before_comments(rows, i, current, begin)
            if cut == current:
                cut = begin
            spans.append((current, cut))
            current = cut
        begin = b
    if current < last:
        spans.append((current, last))


def _before_comments(rows: list[tuple[int, int, Any, bool]], i: int, current: int, begin: int) -> int:
    """Return the row at which to cut before child ``i`` so that its leading comments stay with it."""
    cut = begin
    while i > 0 and rows[i - 1][3] and rows[i - 1][0] > current and rows[i - 1][0] < cut:
        i -= 1
        cut = rows[i][0]
    return cut


_CLOSER = re.compile(rb"\s*(?:[\])}>;,\s]|end\b|\*/|fi\b|done\b|esac\b)*\s*\Z")


def _merge_small(spans: list[tuple[int, int]], lines: _Lines) -> list[tuple[int, int]]:
    """Join pieces that say little to the smaller of their neighbours."""
    merged: list[tuple[int, int]] = []
    sizes: list[int] = []
    for a, b in spans:
        size = len(lines.text(a, b).strip())
        joined = size + sizes[-1] if sizes else 0
        if merged and (
            (min(size, sizes[-1]) < SMALL_BYTES and joined <= TARGET_BYTES * 5 // 4)
            or (size < 80 and _CLOSER.match(lines.text(a, b)))
            or size == 0
        ):
            merged[-1] = (merged[-1][0], b)
            sizes[-1] = joined
        else:
            merged.append((a, b))
            sizes.append(size)
    return merged


def _finish(
    spans: list[tuple[int, int]], lines: _Lines, symbols: Sequence[Symbol], name_bytes: tuple[int, ...]
) -> tuple[Chunk, ...]:
    data = lines.data
    pieces: list[tuple[int, int, int, int]] = []
    waiting = spans[::-1]
    while waiting:
        a, b = waiting.pop()
        while a < b and not lines.text(a, a + 1).strip():
            a += 1
        while b > a and not lines.text(b - 1, b).strip():
            b -= 1
        if a == b:
            continue
        start, end = lines.starts[a], lines.starts[b]
        if end > start and data[end - 1] == 10:
            end -= 1
        if end - start <= LONG_LINE:
            pieces.append((start, end, a + 1, b))
        elif b - a == 1:
            pieces.extend((s, e, a + 1, a + 1) for s, e in _cut_line(data, start, end))
        else:
            waiting.extend(reversed(_windows(lines, a, b)))
    order = sorted(range(len(symbols)), key=name_bytes.__getitem__)
    names = [name_bytes[i] for i in order]
    enclosing = _Enclosing(symbols)
    return tuple(_chunk(piece, symbols, order, names, enclosing) for piece in pieces)


def _cut_line(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Cut one very long line near separators, never inside a UTF-8 character."""
    cuts = []
    while end - start > LONG_LINE:
        middle, limit = start + LONG_LINE // 2, start + LONG_LINE
        cut = max(data.rfind(c, middle, limit) for c in (b";", b"}", b",", b" ", b">")) + 1
        if cut == 0:
            cut = start + LONG_LINE
            while cut > start + 1 and data[cut] & 0xC0 == 0x80:
                cut -= 1
        cuts.append((start, cut))
        start = cut
    cuts.append((start, end))
    return cuts


class _Enclosing:
    """Symbols around a byte, outermost first; values do not enclose."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        self.symbols = symbols
        self.index = [i for i, s in enumerate(symbols) if s.kind not in _VALUES]
        self.starts = [symbols[i].start_byte for i in self.index]

    def around(self, start: int, end: int) -> tuple[int, ...]:
        """Return those that begin before ``start`` and end at or after ``end``."""
        at = bisect_left(self.starts, start)
        found: list[int] = []
        if at:
            # Walk up from the last symbol that begins before: the ones around are among its lexical ancestors.
            i = at - 1
            symbol = self.index[i]
            seen = set()
            while symbol >= 0 and symbol not in seen:
                seen.add(symbol)
                s = self.symbols[symbol]
                if s.start_byte < start and s.end_byte >= end:
                    found.append(symbol)
                symbol = s.parent
        return tuple(reversed(found))


def _chunk(
    piece: tuple[int, int, int, int],
    symbols: Sequence[Symbol],
    order: list[int],
    names: list[int],
    enclosing: _Enclosing,
) -> Chunk:
    start, end, start_line, end_line = piece
    defines = tuple(order[bisect_left(names, start) : bisect_left(names, end)])
    around = enclosing.around(start, end)
    best, best_size = -1, -1
    for i in defines:
        s = symbols[i]
        if s.kind in _VALUES or s.kind in _FRAMES:
            continue
        size = min(s.end_byte, end) - max(s.start_byte, start)
        if size > best_size:
            best, best_size = i, size
    if around and (best < 0 or (symbols[around[-1]].kind in _CALLABLES and 2 * best_size < end - start)):
        best = around[-1]
    if best < 0 and defines:
        best = next((i for i in defines if symbols[i].kind not in _FRAMES), defines[0])
    return Chunk(start, end, start_line, end_line, best, defines, around)


# --- what is embedded ---------------------------------------------------------------------------------------

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")


def chunk_document(path: str, data: bytes, parsed: ParsedFile, chunk: Chunk) -> tuple[str, str]:
    """Return what an embedder reads for one chunk.

    Parameters
    ----------
    path
        Path of the file, relative to the root.
    data
        The file's content.
    parsed
        The parsed file that ``chunk`` belongs to.
    chunk
        The chunk.

    Returns
    -------
    tuple of str
        The text: the words of the path, a newline, the chunk with five lines of context on each side.  And the name
        slot: the file's stem, the innermost enclosing name, and up to four names defined in the chunk.
    """
    start, end = chunk.start_byte, chunk.end_byte
    low = start
    for _ in range(CONTEXT_LINES + 1):
        low = data.rfind(b"\n", 0, max(low, 0))
        if low < 0:
            break
    low = max(low + 1, start - LONG_LINE)
    high = end - 1
    for _ in range(CONTEXT_LINES + 1):
        high = data.find(b"\n", high + 1)
        if high < 0:
            high = len(data)
            break
    high = min(high, end + LONG_LINE)
    words = " ".join(_WORDS.findall(path))
    text = data[low:high].decode("utf-8", "replace")
    symbols = parsed.symbols
    parts = [PurePosixPath(path).stem]
    if chunk.enclosing:
        parts.append(symbols[chunk.enclosing[-1]].name)
    parts.extend(symbols[i].name for i in chunk.defines[:4])
    return f"{words}\n{text}", " ".join(dict.fromkeys(parts))
