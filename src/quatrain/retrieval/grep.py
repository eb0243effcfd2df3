"""Every line that matches a literal or a regular expression, exactly as ripgrep would list it.

Trigram postings name the pieces of files that can match, or the files where a match may span lines; their bytes decide.  A literal that
every match must have is found first, by the literal kernel, and RE2 sees only the lines around it, unless it is so common that reading
all is cheaper.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from quatrain._kernels import lines, literal
from quatrain.errors import BadQuery
from quatrain.indexes.strings import encode
from quatrain.indexes.trigrams import ASCII, BYTE_ORDER_MARK, MARKED, PIECE_BYTES
from quatrain.query.regex_engine import Pattern, Program, compile_pattern
from quatrain.query.regex_trigrams import RequiredLiteral
from quatrain.records import Filters, GrepHit
from quatrain.retrieval.view import IndexView

__all__ = ["Contents", "GrepResult", "Matches", "contents_of", "find_matches", "grep"]

EVERYTHING = Filters(content="all")
BUDGET_S = 60.0
BATCH_BYTES = 64 << 20  # searched between two looks at the clock; bounds the memory for hits as well
SHARED_UNITS = 256  # from here on a second thread saves more than handing over costs
CORES = os.cpu_count() or 1
FEW = 16  # lines, up to which a loop is faster than arrays
BYTES_PER_LINE = 400  # RE2 reads about this much in the time that it takes to set one line apart


class GrepResult(NamedTuple):
    """What a search found; the fields are those of `quatrain.records.GrepResponse`."""

    status: str
    hits: tuple[GrepHit, ...]
    total: int
    truncated: bool
    cursor: str | None
    notes: tuple[str, ...]


class Matches(NamedTuple):
    """Matching lines in (file, line) order."""

    files: np.ndarray  # int64
    lines: np.ndarray  # int64, from 1
    offsets: np.ndarray  # int64, byte within the file where the first match of the line begins


def _no_matches() -> Matches:
    none = np.empty(0, np.int64)
    return Matches(none, none, none)


def grep(
    view: IndexView,
    pattern: str,
    *,
    regex: bool = False,
    ignore_case: bool = False,
    smart_case: bool = False,
    whole_word: bool = False,
    multiline: bool = False,
    filters: Filters = EVERYTHING,
    limit: int | None = None,
    cursor: str | None = None,
    context: int = 0,
    exact_total: bool = True,
    budget_s: float | None = BUDGET_S,
) -> GrepResult:
    """Return every line that matches, or a page of them.

    Parameters
    ----------
    view : IndexView
    pattern : str
        A literal, or a regular expression in ripgrep's default dialect.
    regex : bool
        Read ``pattern`` as a regular expression.
    ignore_case, smart_case : bool
        Ignore case (Unicode simple folding) always, or when the pattern has no upper-case letter.
    whole_word : bool
        Neither neighbour of a match may be a word character.
    multiline : bool
        A match may span lines; every line of it is listed.
    filters : Filters
        Languages, path globs and content class; ``kinds`` is not used.
    limit : int, optional
        How many lines at most; all by default.
    cursor : str, optional
        ``cursor`` of the page before.
    context : int
        Lines to show before and after each.
    exact_total : bool
        Count all matching lines even when only ``limit`` are returned.  Otherwise the search ends with the page and, if there is more,
        says ``partial``.
    budget_s : float, optional
        Seconds after which the search ends with what it has and says ``partial``; None for no bound.

    Returns
    -------
    GrepResult
        Lines in (path, line) order.

    Raises
    ------
    BadQuery
        The pattern is empty, malformed or beyond RE2, or an option is out of range.
    """
    if limit is not None and limit < 1:
        raise BadQuery(f"limit is {limit}; give at least 1, or leave it out for all lines")
    if context < 0:
        raise BadQuery(f"context is {context}; give 0 or more lines")
    compiled = compile_pattern(
        pattern, regex=regex, ignore_case=ignore_case, smart_case=smart_case, whole_word=whole_word, multiline=multiline
    )
    deadline = None if budget_s is None else time.monotonic() + budget_s
    after = _after(view, cursor) if cursor is not None else (0, 0)
    allowed = view.allowed(filters).files
    content = contents_of(view)
    total, kept, pages = 0, 0, []
    complete = True
    for part in _search(content, compiled, allowed, deadline, small=not exact_total):
        if part is None:
            complete = False
            break
        total += len(part.files)
        if limit is None or kept <= limit:
            begin = (
                int(np.count_nonzero((part.files < after[0]) | ((part.files == after[0]) & (part.lines <= after[1]))))
                if cursor
                else 0
            )
            stop = len(part.files) if limit is None else min(len(part.files), begin + limit + 1 - kept)
            if begin < stop:
                pages.append(Matches(*(column[begin:stop] for column in part)))
                kept += stop - begin
        if not exact_total and limit is not None and kept > limit:
            complete = False
            break
    truncated = limit is not None and kept > limit
    page = _join(pages)
    if truncated:
        page = Matches(*(column[:limit] for column in page))
    notes = []
    if not complete:
        why = "the page was full" if truncated and not exact_total else f"the time budget of {budget_s} s was spent"
        notes.append(f"the search ended early because {why}; total counts only what was found until then")
    return GrepResult(
        status="partial" if not complete else "ok" if total else "no_match",
        hits=tuple(_hits(content, view, page, context)),
        total=total,
        truncated=truncated or not complete,
        cursor=_cursor(view, page) if len(page.files) and (truncated or not complete) else None,
        notes=tuple(notes),
    )


def _cursor(view: IndexView, page: Matches) -> str:
    return f"{int(page.lines[-1])}:{view.documents.path(int(page.files[-1]))}"


def _after(view: IndexView, cursor: str) -> tuple[int, int]:
    """Return the (file, line) that a cursor names; a path that is gone stands for the place where it was."""
    line, colon, path = cursor.partition(":")
    if not colon or not line.isascii() or not line.isdigit():
        raise BadQuery(f"{cursor[:100]!r} is no cursor; pass on the `cursor` of the answer before")
    key = encode(path)
    file = view.documents.paths.lower_bound(key)
    known = file < view.documents.count and view.documents.paths.raw(file) == key
    return file, int(line) if known else 0


def find_matches(
    view: IndexView, pattern: Pattern, allowed: np.ndarray | None = None, most_lines: int | None = None
) -> Matches:
    """Return all matching lines.

    Parameters
    ----------
    view : IndexView
    pattern : Pattern
    allowed : ndarray of bool, shape (F,), optional
        Files to search.
    most_lines : int, optional
        End with the batch of files that reaches so many lines.

    Returns
    -------
    Matches
    """
    parts, total = [], 0
    for part in _search(contents_of(view), pattern, allowed, None, small=most_lines is not None):
        assert part is not None
        parts.append(part)
        total += len(part.files)
        if most_lines is not None and total >= most_lines:
            break
    return _join(parts)


# --- content -------------------------------------------------------------------------------------------------------------------------


class Units(NamedTuple):
    """Parts of the content that are searched as a whole, in order: the pieces of the trigram index, or files.

    A byte order mark belongs to none, as in ripgrep.
    """

    files: np.ndarray  # int64[n], ascending
    starts: np.ndarray  # uint64[n], byte within the content
    ends: np.ndarray  # uint64[n]
    checked: np.ndarray  # bool[n], whether the bytes have been verified


class Contents:
    """The arrays of one segment that verification reads, fetched once."""

    def __init__(self, view: IndexView) -> None:
        segment = view.segment
        self.trigrams = view.trigrams
        self.text = self.trigrams.text
        self.bytes = segment.array("content")
        self.view = memoryview(self.bytes)
        self.offsets = segment.array("file/content_offset")
        self.newlines = segment.array("newlines")
        self.newline_offsets = segment.array("file/newline_offset")
        # Items of a memoryview are plain ints, several times faster to reach than NumPy's.
        self._offsets, self._newlines = memoryview(self.offsets), memoryview(self.newlines)
        self._newline_offsets = memoryview(self.newline_offsets)
        self._segment = segment
        self.pieces = self._units(self.trigrams.piece_files, self.trigrams.pieces)
        self.whole = self._units(np.arange(len(self.text)), self.offsets)
        self._lines_checked = np.zeros(len(self.text), np.bool_)

    def _units(self, files: np.ndarray, edges: np.ndarray) -> Units:
        starts = edges[:-1].copy()
        marked = np.flatnonzero(self.text & MARKED)
        starts[np.searchsorted(files, marked)] += np.uint64(len(BYTE_ORDER_MARK))
        return Units(files, starts, edges[1:], np.zeros(len(files), np.bool_))

    def verify(self, units: Units, ids: np.ndarray) -> None:
        """Have the bytes of units verified before their first use."""
        if not units.checked[ids].all():
            self._segment.verify("content", units.starts[ids], units.ends[ids])
            units.checked[ids] = True

    def place(self, units: Units, ids: np.ndarray, offsets: np.ndarray) -> Matches:
        """Return where matches are that begin at byte ``offsets[i]`` of unit ``ids[i]``."""
        found = Matches(
            *lines.place(self.newlines, self.newline_offsets, self.offsets, units.files, units.starts, ids, offsets)
        )
        if not self._lines_checked[found.files].all():
            used = np.unique(found.files)
            self._segment.verify("newlines", 4 * self.newline_offsets[used], 4 * self.newline_offsets[used + 1])
            self._lines_checked[used] = True
        return found

    def mark_sizes(self, found: Matches) -> np.ndarray:
        """Return how many bytes of each line are a byte order mark."""
        marked = (found.lines == 1) & (self.text[found.files] & MARKED != 0)
        return marked * len(BYTE_ORDER_MARK)

    def number(self, files: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return the lines of byte offsets in files."""
        starts = self.offsets[files]
        return self.place(Units(files, starts, starts, starts), np.arange(len(files)), offsets).lines

    def line_spans(self, files: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the half-open byte spans of lines within their files, without the newline; int64."""
        if len(files) <= FEW:
            spans = [
                self._line_span(file, number) for file, number in zip(files.tolist(), numbers.tolist(), strict=True)
            ]
            return np.array([start for start, _ in spans], np.int64), np.array([end for _, end in spans], np.int64)
        base, stop = self.newline_offsets[files].astype(np.int64), self.newline_offsets[files + 1].astype(np.int64)
        sizes = (self.offsets[files + 1] - self.offsets[files]).astype(np.int64)
        if not len(self.newlines):
            return np.zeros(len(files), np.int64), sizes
        ended, begun = base + numbers - 1, base + numbers - 2
        last = len(self.newlines) - 1
        ends = np.where(ended < stop, self.newlines[np.clip(ended, 0, last)].astype(np.int64), sizes)
        starts = np.where(numbers > 1, self.newlines[np.clip(begun, 0, last)].astype(np.int64) + 1, 0)
        return starts, ends

    def _line_span(self, file: int, number: int) -> tuple[int, int]:
        base, stop = self._newline_offsets[file], self._newline_offsets[file + 1]
        start = self._newlines[base + number - 2] + 1 if number > 1 else 0
        if base + number - 1 < stop:
            return start, self._newlines[base + number - 1]
        return start, self._offsets[file + 1] - self._offsets[file]


def contents_of(view: IndexView) -> Contents:
    """Return the arrays of a view, which keeps them."""
    content = view.caches.get("grep")
    if content is None:
        content = view.caches["grep"] = Contents(view)
    return content


def _join(parts: list[Matches]) -> Matches:
    if len(parts) == 1:
        return parts[0]
    return Matches(*map(np.concatenate, zip(*parts, strict=True))) if parts else _no_matches()


def _hits(content: Contents, view: IndexView, page: Matches, context: int) -> Iterator[GrepHit]:
    starts, ends = content.line_spans(page.files, page.lines)
    path_of, base_of = {}, content.offsets
    for file, line, offset, start, end in zip(
        page.files.tolist(), page.lines.tolist(), page.offsets.tolist(), starts.tolist(), ends.tolist(), strict=True
    ):
        path = path_of.get(file)
        if path is None:
            path = path_of[file] = view.documents.path(file)
        base = int(base_of[file])
        text = bytes(content.view[base + start : base + end]).decode("utf-8", "replace").removesuffix("\r")
        before: tuple[str, ...] = ()
        after: tuple[str, ...] = ()
        if context:
            count = view.documents.line_count(file)
            before = _texts(view, file, max(1, line - context), line - 1)
            after = _texts(view, file, line + 1, min(count, line + context))
        yield GrepHit(path, line, max(offset - start, 0) + 1, text, before, after)


def _texts(view: IndexView, file: int, first: int, last: int) -> tuple[str, ...]:
    if first > last:
        return ()
    return tuple(line.removesuffix("\r") for line in view.documents.text(file, first, last).split("\n"))


# --- search --------------------------------------------------------------------------------------------------------------------------


def _search(
    content: Contents, pattern: Pattern, allowed: np.ndarray | None, deadline: float | None, small: bool = False
) -> Iterator[Matches | None]:
    """Yield matching lines batch by batch, in order; None when time is up."""
    if pattern.multiline or pattern.always:
        units, ids = content.whole, content.trigrams.files(pattern.tree)
    else:
        units, ids = content.pieces, content.trigrams.candidates(pattern.tree)
    if allowed is not None:
        ids = ids[allowed[units.files[ids]]]
    if not len(ids):
        return
    room = BATCH_BYTES >> 9 if small else BATCH_BYTES
    if len(ids) <= room // PIECE_BYTES:
        content.verify(units, ids)
        yield _batch(content, pattern, units, ids)
        return
    files = units.files[ids]
    filled = np.cumsum(units.ends[ids] - units.starts[ids])
    begin, done = 0, 0
    while begin < len(ids):
        if deadline is not None and time.monotonic() > deadline:
            yield None
            return
        last = min(int(np.searchsorted(filled, done + room)), len(ids) - 1)
        stop = int(np.searchsorted(files, files[last], "right"))  # all of a file: a line can depend on the one before
        content.verify(units, ids[begin:stop])
        yield _batch(content, pattern, units, ids[begin:stop])
        begin, done, room = stop, int(filled[stop - 1]), min(4 * room, BATCH_BYTES)


def _batch(content: Contents, pattern: Pattern, units: Units, ids: np.ndarray) -> Matches:
    if pattern.always:
        return _all_lines(content, units, ids)
    general, plain = pattern.needles
    if pattern.exact and general.whole and general == plain:
        return _literal_lines(content, pattern, general, units, ids)
    is_ascii = content.text[units.files[ids]] & ASCII != 0
    parts = []
    if is_ascii.any():
        parts.append(_domain(content, pattern, plain, units, ids[is_ascii], True))
    if not is_ascii.all():
        parts.append(_domain(content, pattern, general, units, ids[~is_ascii], False))
    found = _join(parts)
    if len(parts) > 1:
        order = np.argsort(found.files, kind="stable")
        found = Matches(*(column[order] for column in found))
    return found


def _domain(
    content: Contents, pattern: Pattern, needle: RequiredLiteral, units: Units, ids: np.ndarray, is_ascii: bool
) -> Matches:
    """Search files that are all ASCII, or none of them."""
    if pattern.exact and needle.whole:
        return _literal_lines(content, pattern, needle, units, ids)
    if pattern.multiline:
        return _spans(content, pattern, units, ids, is_ascii)
    program = pattern.ascii_program if is_ascii else pattern.program
    found = None
    if needle.text:
        holders, offsets = _find(content, needle, units, ids, once_a_line=True)
        if len(holders) * BYTES_PER_LINE <= int((units.ends[ids] - units.starts[ids]).sum()):
            found = _confirm(content, program, content.place(units, holders, offsets))
        else:
            ids = np.unique(holders)
    if found is None:
        found = _scan(content, program, units, ids)
    if not is_ascii and pattern.boundary is not None:
        found = _confirm_boundaries(content, pattern, found)
    return found


_helper: ThreadPoolExecutor | None = None


def _forget_helper() -> None:
    global _helper
    _helper = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_helper)  # a forked process has none of its parent's threads


def _find(
    content: Contents, needle: RequiredLiteral, units: Units, ids: np.ndarray, once_a_line: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Find a literal, with a helper thread where there is much to read; return units and offsets within them."""
    global _helper
    fixed = (content.bytes, units.starts, units.ends, needle.text, needle.ignore_case, -1, once_a_line)
    if len(ids) < SHARED_UNITS or CORES < 2:
        return literal.find(*fixed, ids)
    if _helper is None:
        _helper = ThreadPoolExecutor(1, "quatrain-grep")
    filled = np.cumsum(units.ends[ids] - units.starts[ids])
    half = int(np.searchsorted(filled, filled[-1] // 2)) + 1
    later = _helper.submit(literal.find, *fixed, ids[half:])
    holders, offsets = literal.find(*fixed, ids[:half])
    more, more_offsets = later.result()
    return np.concatenate([holders, more]), np.concatenate([offsets, more_offsets])


def _literal_lines(
    content: Contents, pattern: Pattern, needle: RequiredLiteral, units: Units, ids: np.ndarray
) -> Matches:
    holders, offsets = _find(content, needle, units, ids, once_a_line=not pattern.multiline)
    found = content.place(units, holders, offsets)
    if not pattern.multiline:
        return found
    return _spread(content, found.files, found.offsets, found.offsets + len(needle.text))


def _all_lines(content: Contents, units: Units, ids: np.ndarray) -> Matches:
    """Return the lines of whole files."""
    files, starts, ends = units.files[ids], units.starts[ids], units.ends[ids]
    sizes = (ends - starts).astype(np.int64)
    breaks = (content.newline_offsets[files + 1] - content.newline_offsets[files]).astype(np.int64)
    ended = np.zeros(len(files), np.bool_)
    filled = np.flatnonzero(sizes > 0)
    ended[filled] = content.bytes[(ends[filled] - np.uint64(1)).astype(np.int64)] == 0x0A
    counts = np.where(sizes > 0, breaks + ~ended, 0)
    owners = np.repeat(files, counts)
    numbers = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    begun, _ = content.line_spans(owners, numbers)
    return Matches(owners, numbers, begun)


def _confirm(content: Contents, program: Program, found: Matches) -> Matches:
    """Keep the lines in which the program matches.

    The lines are put together, so that a line that does not match costs no call.
    """
    begun, ended = content.line_spans(found.files, found.lines)
    begun += content.mark_sizes(found)
    bases = content.offsets[found.files].astype(np.int64)
    text = memoryview(lines.gather(content.bytes, (bases + begun).view(np.uint64), (bases + ended).view(np.uint64)))
    places = np.zeros(len(begun) + 1, np.int64)
    np.cumsum(ended - begun + 1, out=places[1:])
    edges = places.tolist()
    rows: list[int] = []
    offsets: list[int] = []
    search, row, last, size = program.search, 0, len(begun), len(text) - 1
    while row < last:
        span = search(text, edges[row], size)
        if span is None:
            break
        row = bisect_right(edges, span[0], row, last) - 1
        rows.append(row)
        offsets.append(span[0] - edges[row])
        row += 1
    kept = np.array(rows, np.int64)
    return Matches(found.files[kept], found.lines[kept], begun[kept] + np.array(offsets, np.int64))


def _scan(content: Contents, program: Program, units: Units, ids: np.ndarray) -> Matches:
    """Search all bytes of some units, one match a line."""
    holders: list[int] = []
    offsets: list[int] = []
    search = program.search
    for unit, start, end in zip(ids.tolist(), units.starts[ids].tolist(), units.ends[ids].tolist(), strict=True):
        text = bytes(content.view[start:end])
        size, at = end - start, 0
        while at < size:
            span = search(text, at, size)
            # An empty match behind the last newline is on no line.
            if span is None or (span[0] >= size and text[-1] == 0x0A):
                break
            holders.append(unit)
            offsets.append(span[0])
            at = text.find(b"\n", span[0]) + 1 or size
    return content.place(units, np.array(holders, np.int64), np.array(offsets, np.uint64))


def _confirm_boundaries(content: Contents, pattern: Pattern, found: Matches) -> Matches:
    """Keep the lines that match with word boundaries as Unicode has them."""
    boundary = pattern.boundary
    assert boundary is not None
    begun, ended = content.line_spans(found.files, found.lines)
    begun += content.mark_sizes(found)
    offsets = np.full(len(found.files), -1, np.int64)
    matched = (-1, -1)
    rows = zip(*(column.tolist() for column in (found.files, found.lines, begun, ended)), strict=True)
    for row, (file, number, begin, end) in enumerate(rows):
        base = int(content.offsets[file])
        line = bytes(content.view[base + begin : base + end])
        if line.isascii():
            span = pattern.ascii_program.search(line, 0, len(line))
            offsets[row] = -1 if span is None else begin + span[0]
        else:
            # Like ripgrep, which goes on behind a matching line as if the text began there.
            first = pattern.by_line or number == 1 or matched == (file, number - 1)
            kinds, places = boundary.rewrite(line, first)
            span = boundary.program.search(kinds, 0, len(kinds))
            offsets[row] = -1 if span is None else begin + int(places[span[0]])
        if span is not None:
            matched = (file, number)
    kept = offsets >= 0
    return Matches(found.files[kept], found.lines[kept], offsets[kept])


def _spans(content: Contents, pattern: Pattern, units: Units, ids: np.ndarray, is_ascii: bool) -> Matches:
    """Search whole files for matches that may span lines."""
    owners: list[int] = []
    firsts: list[int] = []
    lasts: list[int] = []
    boundary = None if is_ascii else pattern.boundary
    program = boundary.program if boundary else pattern.ascii_program if is_ascii else pattern.program
    for file, start, end in zip(*(column[ids].tolist() for column in units[:3]), strict=True):
        text: Any = content.view[start:end]
        skip = start - int(content.offsets[file])
        places: np.ndarray | None = None
        if boundary:
            text, places = boundary.rewrite(bytes(text), True)
        size, at = len(text), 0
        ends_line = size > 0 and text[size - 1] == 0x0A
        while at < size:
            span = program.search(text, at, size)
            if span is None or (span[0] >= size and ends_line):
                break
            at = span[1] + (span[1] == span[0])
            owners.append(file)
            firsts.append(skip + int(span[0] if places is None else places[span[0]]))
            lasts.append(skip + int(span[1] if places is None else places[span[1]]))
    return _spread(content, np.array(owners, np.int64), np.array(firsts, np.int64), np.array(lasts, np.int64))


def _spread(content: Contents, files: np.ndarray, firsts: np.ndarray, lasts: np.ndarray) -> Matches:
    """Return every line of spans ``[first, last)``, once."""
    top = content.number(files, firsts.astype(np.uint64))
    bottom = np.maximum(content.number(files, np.maximum(lasts - 1, firsts).astype(np.uint64)), top)
    counts = bottom - top + 1
    owners = np.repeat(files, counts)
    inner = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    numbers = np.repeat(top, counts) + inner
    begun, _ = content.line_spans(owners, numbers)
    offsets = np.where(inner == 0, np.repeat(firsts, counts), begun)
    first = np.ones(len(owners), np.bool_)
    first[1:] = (owners[1:] != owners[:-1]) | (numbers[1:] != numbers[:-1])
    return Matches(owners[first], numbers[first], offsets[first])
