"""What C and C++ share."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from quatrain.parsing.rules import ImportText

__all__ = ["KEPT_USES", "NO_NAMES", "OPEN_NODES", "blank_macros", "finish_import", "join_branches"]

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
_ALONE = re.compile(rb"^[ \t]*([A-Z][A-Z0-9_]{2,})" + _ARGUMENTS + rb"[ \t]*;?[ \t\r]*$", re.MULTILINE)
_BEFORE_NAME = re.compile(
    rb"(?<!typedef )\b(?!(?:DWORD|BOOL|HANDLE|VOID|INT|UINT|LONG|ULONG|WORD|BYTE|CHAR|WCHAR|SIZE_T|HRESULT|NTSTATUS|[A-Z0-9_]+_T)\b)"
    rb"([A-Z][A-Z0-9_]{3,})" + _ARGUMENTS + rb"(?=[ \t\r\n]+[A-Za-z_~:])"
)
_BEFORE_STAR = re.compile(rb"(?<=\()[ \t]*([A-Z][A-Z0-9_]{2,})(?=[ \t]*\*[ \t]*\w*[ \t]*\)[ \t]*\()")
_AFTER_LIST = re.compile(rb"(?<=\))[ \t\r\n]*\b([A-Z][A-Z0-9_]{3,})" + _ARGUMENTS + rb"(?=\s*[{;])")
_AFTER_NAME = re.compile(
    rb"\b(?!(?:return|goto|else|case|sizeof|const|volatile|struct|union|enum|unsigned|signed|static|typedef|extern)\b)"
    rb"[A-Za-z_]\w*[ \t\r\n]+([A-Z][A-Z0-9_]{3,})" + _ARGUMENTS + rb"(?=\s*[,);=])"
)
# An attribute in small letters on a line of its own, between the type and the name of a function; before ARGS((a, b), it is the name.
_BETWEEN_LINES = re.compile(rb"(?<=[\w*])[ \t\r]*\n([a-z_]\w*)[ \t]*(?=\r?\n[A-Za-z_]\w*[ \t]*\((?!\())")
_NEEDS_STATEMENT = re.compile(rb"\s*(?:\}|(?:else|case|default)\b)")
# Declarations of parameters between the list and the body, which the grammar does not take after a pointer's list.
_OLD_PARAMETERS = re.compile(
    rb"(?<=\))[ \t\r]*\n((?>\s*[A-Za-z_](?>[\w \t*,\[\]]|/\*[^\n]*?\*/)*+;(?>[ \t]*/\*[^\n]*\*/)?)++)(?=\s*\{)"
)
# Prototypes for compilers without them, void f OF((int, char *)); and definitions for both, int f ARGS((a), int a) {...}
_PROTOTYPE = re.compile(rb"\b([A-Z_][A-Z0-9_]*[ \t]*\()\([^;{}#]{0,1000}?\)(\))(?=\s*;)")
_BOTH_STYLES = re.compile(rb"(?<=\w)[ \t\r\n]+([A-Z_][A-Z0-9_]*[ \t]*)\((\([^()]*\),)(?=[^;{}#]{0,1000}\)\s*[;{])")
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
        for pattern in (
            _ALONE,
            _AFTER_LIST,
            _BEFORE_STAR,
            _BEFORE_NAME,
            _AFTER_NAME,
            _BETWEEN_LINES,
            _PROTOTYPE,
            _BOTH_STYLES,
            _OLD_PARAMETERS,
        ):
            for match in list(pattern.finditer(result, start, end)):
                at = bisect_right(starts, match.start(1)) - 1
                if at >= 0 and match.start(1) < untouchable[at][1]:
                    continue
                line = match.start(1)
                if pattern is _ALONE and result[max(0, line - 200) : line].rstrip()[-1:] == b",":
                    continue  # an element of a list
                spans = (match.span(1), match.span(2)) if pattern.groups == 2 else ((line, match.end()),)
                for a, b in spans:
                    result[a:b] = _VISIBLE.sub(b" ", result[a:b])
                if pattern is _ALONE and _NEEDS_STATEMENT.match(result, match.end()):
                    result[line] = 59
    return bytes(result)


_CONDITIONAL = re.compile(rb"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*([^\n]*)")
_BRACKETS = re.compile(rb"[(){}\[\]]")


def join_branches(data: bytes, ranges: Sequence[tuple[int, int]] | None = None) -> bytes:
    """Return ``data`` without those preprocessor conditionals whose branches are no whole statements or declarations.

    The grammar wants each branch to be complete.  Of branches that open brackets which they do not close, the first one
    stays (of ``#if 0``, the second), as a compiler takes one; otherwise only the directives are overwritten by spaces.
    The length stays the same.

    Parameters
    ----------
    data
        The file.
    ranges
        Where the tree is damaged; None: everywhere.
    """
    code = bytearray(data)
    for match in _COMMENT.finditer(data):
        code[match.start() : match.end()] = _VISIBLE.sub(b" " if match[0].startswith(b"/") else b"x", match[0])
    directives = [m for m in _DIRECTIVE.finditer(data) if code[m.end(0) - len(m[0].lstrip())] == 35]
    for directive in directives:
        code[directive.start() : directive.end()] = _VISIBLE.sub(b" ", directive[0])
    result = bytearray(data)
    opened: list[list[re.Match[bytes]]] = []
    groups: list[list[re.Match[bytes]]] = []
    for directive in directives:
        if (match := _CONDITIONAL.match(directive[0])) is None:
            continue
        if match[1].startswith(b"if"):
            opened.append([directive])
            groups.append(opened[-1])
        elif opened:
            opened[-1].append(directive)
            if match[1] == b"endif":
                opened.pop()
    # From the inside out, so that a branch is judged by what is left of the conditionals in it.
    for group in sorted(groups, key=lambda g: g[0].start(), reverse=True):
        first, last = group[0].start(), group[-1].end()
        if len(group) < 2 or not (ranges is None or any(a < last and first < b for a, b in ranges)):
            continue
        spans = [(one.end(), following.start()) for one, following in pairwise(group)]
        branches = [bytes(code[a:b]).strip() for a, b in spans]
        before = bytes(code[max(0, first - 400) : first]).rstrip()[-1:]
        uneven = any(_uneven(branch) for branch in branches)
        if not uneven and before in b";{}:" and all(_complete(branch) for branch in branches):
            continue
        for directive in group:
            result[directive.start() : directive.end()] = _VISIBLE.sub(b" ", directive[0])
        if uneven:
            kept = 1 if _NEVER.match(group[0][0]) and len(spans) > 1 else 0
            for number, (a, b) in enumerate(spans):
                if number != kept:
                    result[a:b] = _VISIBLE.sub(b" ", bytes(result[a:b]))
                    code[a:b] = _VISIBLE.sub(b" ", bytes(code[a:b]))
    return bytes(result)


_NEVER = re.compile(rb"[ \t]*#[ \t]*if[ \t]+0\b")


def _uneven(code: bytes) -> bool:
    depth = 0
    for bracket in _BRACKETS.findall(code):
        depth += 1 if bracket in b"({[" else -1
        if depth < 0:
            return True
    return depth != 0


_CONTROL = re.compile(rb"(?:\A|[;{}])\s*(?:else\s+)?(?:if|for|while|switch)\b[^;{}]*\Z")


def _complete(code: bytes) -> bool:
    """Return whether code may be whole statements or declarations; a call at its end may be a macro's."""
    return not code or (code[-1:] in b";}:,)" and not code.startswith(b"else") and not _CONTROL.search(code))


def finish_import(text: ImportText) -> ImportText:
    """Mark ``#include "x.h"`` as relative; an include binds no name of its own."""
    return text._replace(level=1 if "quoted" in text.marks else 0)
