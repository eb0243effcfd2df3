"""Definitions by lines, for code without a grammar: what stands at the start of a line and looks like one.

Such a file is still reported as ``parse="none"``: a regular expression sees no scopes, no strings and no comments.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from quatrain.records import Symbol

__all__ = ["LINE_LANGUAGES", "line_symbols"]

_KEYWORDS = {
    "function": "function", "func": "function", "fun": "function", "fn": "function", "def": "function", "sub": "function",
    "proc": "function", "procedure": "function", "method": "method", "subroutine": "function", "defun": "function",
    "defn": "function", "defmacro": "macro", "macro": "macro", "class": "class", "defclass": "class", "struct": "struct",
    "record": "struct", "message": "struct", "interface": "interface", "protocol": "interface", "service": "interface",
    "contract": "class", "trait": "trait", "enum": "enum", "union": "union", "type": "type", "typedef": "type",
    "module": "module", "package": "module", "namespace": "namespace", "entity": "struct", "model": "struct",
    "component": "class", "library": "module", "object": "class", "actor": "class", "mixin": "trait", "input": "struct",
    "rpc": "method", "event": "function", "modifier": "function", "schema": "struct", "scalar": "type",
}  # fmt: skip
_GENERIC = re.compile(
    rb"^[ \t]*(?:\(|@\w+[ \t]+)?(?:(?:pub|public|private|protected|internal|static|abstract|final|export|async|override|"
    rb"virtual|inline|extern|open|sealed|partial|let|local|shared|pure|recursive|elemental|default)[ \t]+)*("
    + "|".join(sorted(_KEYWORDS, key=len, reverse=True)).encode()
    + rb")[ \t]+([A-Za-z_][\w.:\-']*[!?]?)",
    re.MULTILINE | re.IGNORECASE,
)
_SPECIFIC: dict[str, tuple[tuple[re.Pattern[bytes], str], ...]] = {
    "objc": (
        (re.compile(rb"^@(?:interface|implementation)[ \t]+(\w+)", re.MULTILINE), "class"),
        (re.compile(rb"^@protocol[ \t]+(\w+)", re.MULTILINE), "interface"),
        (re.compile(rb"^[-+][ \t]*\([^)]*\)[ \t]*(\w+)", re.MULTILINE), "method"),
    ),
    "erlang": (
        (re.compile(rb"^-module\((\w+)\)", re.MULTILINE), "module"),
        (re.compile(rb"^-record\((\w+)", re.MULTILINE), "struct"),
        (re.compile(rb"^([a-z]\w*)\([^)\n]*\)[^.\n]*->", re.MULTILINE), "function"),
    ),
    "cmake": (
        (re.compile(rb"^[ \t]*(?:function|macro)[ \t]*\([ \t]*(\w+)", re.MULTILINE | re.IGNORECASE), "function"),
    ),
    "clojure": ((re.compile(rb"^\(def\w*-?[ \t]+(?:\^\S+[ \t]+)*([^\s()\[\]]+)", re.MULTILINE), "function"),),
    "nix": ((re.compile(rb"^[ \t]*([\w\-]+)[ \t]*=[ \t]*(?:\w+|\{[^}]*\})[ \t]*:", re.MULTILINE), "function"),),
    "scss": ((re.compile(rb"^[ \t]*@(?:mixin|function)[ \t]+([\w\-]+)", re.MULTILINE), "function"),),
    "elm": ((re.compile(rb"^([a-z]\w*)[ \t]*:[ \t]", re.MULTILINE), "function"),),
    "fsharp": ((re.compile(rb"^[ \t]*let[ \t]+(?:rec[ \t]+|inline[ \t]+)*(\w+)", re.MULTILINE), "function"),),
}

#: Languages whose definitions are found so; prose and data are not among them.
LINE_LANGUAGES = frozenset(
    re.findall(
        r"\w+",
        "ada apex asm awk clojure cmake coffeescript commonlisp crystal cuda cython d elisp elm erlang fish fortran fsharp "
        "gdscript gleam glsl graphql groovy haxe hlsl matlab nim nix objc odin pascal perl powershell prisma prolog proto "
        "puppet purescript qmljs racket raku scheme scss smalltalk solidity starlark systemverilog tcl thrift vala vb "
        "verilog vhdl vim wat wgsl",
    )
)


def line_symbols(data: bytes, language: str, newlines: Sequence[int]) -> tuple[Symbol, ...]:
    """Return the definitions that lines of ``data`` seem to hold; each lasts until the next.

    Parameters
    ----------
    data
        The file.
    language
        One of ``LINE_LANGUAGES``.
    newlines
        Offsets of its line feeds.
    """
    found: dict[int, tuple[int, str]] = {}  # name start -> name end, kind
    for pattern, kind in _SPECIFIC.get(language, ()):
        for match in pattern.finditer(data):
            found.setdefault(match.start(1), (match.end(1), kind))
    for match in _GENERIC.finditer(data):
        found.setdefault(match.start(2), (match.end(2), _KEYWORDS[match[1].decode().lower()]))
    starts = sorted(found)
    symbols = []
    for number, name_start in enumerate(starts):
        name_end, kind = found[name_start]
        name = data[name_start:name_end].decode("utf-8", "replace").rstrip(":.-'")
        if not name:
            continue
        row = bisect_left(newlines, name_start)
        start = newlines[row - 1] + 1 if row else 0
        following = starts[number + 1] if number + 1 < len(starts) else len(data)
        last_row = max(bisect_left(newlines, following) - 1, row) if following < len(data) else len(newlines)
        end = newlines[last_row] if last_row < len(newlines) else len(data)
        line = data[start : newlines[row] if row < len(newlines) else len(data)]
        symbols.append(
            Symbol(
                name,
                name,
                kind,
                row + 1,
                row + 1,
                max(bisect_left(newlines, max(end - 1, start)), row) + 1,
                start,
                max(end, name_end),
                name_start,
                " ".join(line.decode("utf-8", "replace").split())[:200].rstrip("{:= "),
                "",
                -1,
                "public",
                (),
                (),
            )
        )
    return tuple(symbols)
