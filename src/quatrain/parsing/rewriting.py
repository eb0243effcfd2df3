"""Same-length rewriting of source that a grammar cannot read: newer syntax, conditional compilation.

The tree of the rewritten bytes is kept only when it has fewer errors, and all texts are read from the original, so that what
is overwritten here costs nothing but what stood in a branch that was left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

__all__ = ["Step", "keep_all_branches", "keep_first_branches", "overwrite", "rewriting"]

#: What is to be found, and what a match becomes: bytes of the same length.
Step = tuple[re.Pattern[bytes], Callable[[re.Match[bytes]], bytes]]

_VISIBLE = re.compile(rb"[^\r\n]")
_CONDITIONAL = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elseif|elif|else|endif)\b[^\n]*", re.MULTILINE)


def overwrite(match: re.Match[bytes]) -> bytes:
    """Return a match with its first group, or all of it, overwritten by spaces; line ends stay."""
    start, end = match.span(1 if match.re.groups else 0)
    text = match[0]
    low, high = start - match.start(), end - match.start()
    return text[:low] + _VISIBLE.sub(b" ", text[low:high]) + text[high:]


def keep_first_branches(data: bytes, ranges: Sequence[tuple[int, int]] | None) -> bytes:
    """Return ``data`` with conditional directives and all but the first branch overwritten by spaces.

    Parameters
    ----------
    data
        The file.
    ranges
        Only blocks that overlap one of these are rewritten; None: all.
    """
    result = bytearray(data)
    blocks: list[list[re.Match[bytes]]] = []  # open blocks, each with the directives at its own level
    for match in _CONDITIONAL.finditer(data):
        word = match[1]
        if word.startswith(b"if"):
            blocks.append([match])
        elif blocks:
            blocks[-1].append(match)
            if word == b"endif":
                block = blocks.pop()
                start, end = block[0].start(), match.end()
                if ranges is None or any(a < end and start < b for a, b in ranges):
                    _overwrite_span(result, *block[0].span())
                    _overwrite_span(result, block[1].start(), end)
    return bytes(result)


def keep_all_branches(data: bytes, ranges: Sequence[tuple[int, int]] | None = None) -> bytes:
    """Return ``data`` with conditional directives overwritten by spaces, for languages in which a branch is always whole."""
    result = bytearray(data)
    for match in _CONDITIONAL.finditer(data):
        start, end = match.span()
        if ranges is None or any(a <= start < b for a, b in ranges):
            _overwrite_span(result, start, end)
    return bytes(result)


def _overwrite_span(result: bytearray, start: int, end: int) -> None:
    result[start:end] = _VISIBLE.sub(b" ", bytes(result[start:end]))


Rewrite = Callable[[bytes, Sequence[tuple[int, int]] | None], bytes]


def rewriting(steps: Sequence[Step], *, before: Rewrite | None = None) -> Rewrite:
    """Return a function for ``Rules.prepare`` that applies the steps, one after the other, within the damaged ranges.

    Parameters
    ----------
    steps
        Patterns and what they become.
    before
        Done first: what becomes of conditional compilation.
    """

    def prepare(data: bytes, ranges: Sequence[tuple[int, int]] | None) -> bytes:
        result = bytearray(data if before is None else before(data, ranges))
        for pattern, replace in steps:
            for start, end in ranges if ranges is not None else ((0, len(data)),):
                rewritten = pattern.sub(replace, bytes(result[start:end]))
                if len(rewritten) != end - start:
                    raise ValueError(f"{pattern.pattern!r} changes the length of the text")
                result[start:end] = rewritten
        return bytes(result)

    return prepare
