"""What C and C++ share."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from quatrain.parsing.rules import ImportText

__all__ = ["KEPT_USES", "NO_NAMES", "OPEN_NODES", "blank_macros", "finish_import"]

OPEN_NODES = frozenset(
    re.findall(
        r"\w+",
        "translation_unit declaration_list linkage_specification namespace_definition preproc_if preproc_ifdef "
        "preproc_else preproc_elif class_specifier struct_specifier field_declaration_list template_declaration",
    )
)

NO_NAMES = frozenset(
    (b"", b"if", b"for", b"while", b"switch", b"return", b"else", b"do", b"sizeof", b"defined", b"case")
)

# A name in capitals is a macro or an enumerator, which another file may define.
KEPT_USES = re.compile(rb"[A-Z][A-Z0-9_]+\Z")

# Macros that stand where the grammar expects nothing: alone on a line (namespace openers), before what they mark
# (export macros, calling conventions), after a parameter list (attributes).  Types in capitals are kept.
_ARGUMENTS = rb"(?:\((?:[^()\n]|\([^()\n]*\))*\))?"
_ALONE = re.compile(rb"^[ \t]*([A-Z][A-Z0-9_]{2,})" + _ARGUMENTS + rb"[ \t]*;?[ \t]*$", re.MULTILINE)
_BEFORE_NAME = re.compile(
    rb"(?<!typedef )\b(?!(?:DWORD|BOOL|HANDLE|VOID|INT|UINT|LONG|ULONG|WORD|BYTE|CHAR|WCHAR|SIZE_T|HRESULT|NTSTATUS)\b)"
    rb"([A-Z][A-Z0-9_]{3,})" + _ARGUMENTS + rb"(?=[ \t\n]+[A-Za-z_~:])"
)
_BEFORE_STAR = re.compile(rb"(?<=\()[ \t]*([A-Z][A-Z0-9_]{2,})(?=[ \t]*\*)")
_AFTER_LIST = re.compile(rb"(?<=\))[ \t\n]*\b([A-Z][A-Z0-9_]{3,})" + _ARGUMENTS + rb"(?=\s*[{;])")
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*", re.MULTILINE)
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
_VISIBLE = re.compile(rb"[^\n\\]")


def blank_macros(data: bytes, ranges: Sequence[tuple[int, int]] | None = None) -> bytes:
    """Return ``data`` with macros in capitals that damage the syntax overwritten by spaces.

    The length stays the same, so that offsets hold.  Comments inside a continued ``#define``, on which the grammar
    stumbles, go too.

    Parameters
    ----------
    data
        The file.
    ranges
        Where the tree is damaged; None: everywhere.
    """
    result = bytearray(data)
    directives = [(m.start(), m.end()) for m in _DIRECTIVE.finditer(data)]
    for start, end in directives:
        if b"\n" in data[start:end] and b"/*" in data[start:end]:
            for match in _COMMENT.finditer(data, start, end):
                if match[0].startswith(b"/*"):
                    result[match.start() : match.end()] = _VISIBLE.sub(b" ", match[0])
    untouchable = sorted(directives + [(m.start(), m.end()) for m in _COMMENT.finditer(data)])
    starts = [a for a, _ in untouchable]
    for start, end in ranges if ranges is not None else ((0, len(data)),):
        for pattern in (_ALONE, _AFTER_LIST, _BEFORE_STAR, _BEFORE_NAME):
            for match in pattern.finditer(bytes(result), start, end):
                at = bisect_right(starts, match.start(1)) - 1
                if at >= 0 and match.start(1) < untouchable[at][1]:
                    continue
                result[match.start(1) : match.end()] = _VISIBLE.sub(b" ", bytes(result[match.start(1) : match.end()]))
    return bytes(result)


def finish_import(text: ImportText) -> ImportText:
    """Mark ``#include "x.h"`` as relative; an include binds no name of its own."""
    return text._replace(level=1 if "quoted" in text.marks else 0)
