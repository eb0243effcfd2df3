"""Bash and its kin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quatrain.parsing.rules import Recovered, Rules

__all__ = ["RULES"]

_FUNCTION = re.compile(
    rb"^([ \t]*)(?:function[ \t]+([\w:.-]+)(?:[ \t]*\([ \t]*\))?|([\w:.-]+)[ \t]*\([ \t]*\))[ \t]*(?:#[^\n]*)?(?:\n[ \t]*)?([{(])",
    re.MULTILINE,
)


def _recover(data: bytes) -> Iterator[Recovered]:
    """Yield the functions that lines begin; each lasts to the bracket that closes it at its own indentation."""
    for match in _FUNCTION.finditer(data):
        line_end = data.find(b"\n", match.end())
        closing = b"}" if match[4] == b"{" else b")"
        if closing in data[match.end() : line_end if line_end >= 0 else len(data)]:
            end = line_end
        else:
            at = data.find(b"\n" + match[1] + closing, match.end())
            end = at + len(match[1]) + 2 if at >= 0 else -1
        yield Recovered("function", match.end(1), end if end >= 0 else len(data), *match.span(2 if match[2] else 3))


# "::" in a name separates nothing: there are no types to belong to.
RULES = Rules(finish_import=lambda text: text._replace(level=1), member_kinds={}, recover=_recover)
