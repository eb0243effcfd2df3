"""SQL."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from quatrain.parsing.rules import Recovered, Rules

__all__ = ["RULES"]

# What a statement may hold that ends no statement.  A quote that is not closed on its line is left alone: of escapes every dialect
# has its own idea, and one misread must not hide the rest of the file.
_OPAQUE = re.compile(
    rb"--[^\n]*|/\*.*?\*/|'[^'\n]*'|\"[^\"\n]*\"|\$([A-Za-z_\x80-\xff]\w*)?\$.*?\$(?(1)\1)\$", re.DOTALL
)
# The last is a variable of psql, which is put in before the server reads the statement.
_PART = rb"(?:\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\]|[A-Za-z_\x80-\xff][\w$\x80-\xff]*|:['\"]?[A-Za-z_]\w*['\"]?)"
_KINDS = {
    b"table": "struct", b"view": "struct", b"function": "function", b"procedure": "function", b"aggregate": "function",
    b"trigger": "function", b"rule": "function", b"operator": "function", b"event": "function", b"type": "type", b"domain": "type",
    b"index": "property", b"policy": "property", b"sequence": "variable", b"schema": "namespace", b"database": "namespace",
    b"package": "namespace",
}  # fmt: skip
_CREATE = re.compile(
    rb"(?:^|;)[ \t]*(CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|UNIQUE|FULLTEXT|SPATIAL|RECURSIVE|"
    rb"FOREIGN|MATERIALIZED|VIRTUAL|CONSTRAINT|EVENT(?=\s+TRIGGER)|DEFINER\s*=\s*\S+|ALGORITHM\s*=\s*\w+|SQL\s+SECURITY\s+\w+)\s+)*"
    rb"(TABLE|VIEW|FUNCTION|PROCEDURE|AGGREGATE|TRIGGER|RULE|OPERATOR(?!\s+(?:CLASS|FAMILY)\b)|EVENT|TYPE|DOMAIN|INDEX|POLICY|SEQUENCE|"
    rb"SCHEMA|DATABASE|PACKAGE(?:\s+BODY)?)\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(?!(?:ON|AUTHORIZATION|IF|CONCURRENTLY)\b)"
    rb"(?:" + _PART + rb"\s*\.\s*)*)((?<=[\s.])" + _PART + rb"|[-+*/<>=~!@#%^&|?]+)",
    re.MULTILINE | re.IGNORECASE,
)
_BODY = re.compile(rb"\bBEGIN\b", re.IGNORECASE)
_BODY_END = re.compile(rb"^[ \t]*END\b[^;\n]*;?", re.MULTILINE | re.IGNORECASE)
_TABLE = re.compile(
    rb"(?:(?<!DISTINCT)\s(?:FROM|JOIN)|\bINTO|\bREFERENCES|(?<!FOR)(?<!ON)\sUPDATE|\b(?:ALTER|DROP|TRUNCATE)\s+TABLE)\s+(?:IF\s+EXISTS\s+|ONLY\s+)?"
    rb"(?:" + _PART + rb"\s*\.\s*)*(?!(?:SELECT|LATERAL|VALUES|ONLY|STRICT|OF|ON|SET|OR)\b)((?<=[\s.])" + _PART + rb")"
    rb"(?![\w$.])(?!\s*\(\s*(?:SELECT\b|'|\d))",
    re.IGNORECASE,
)  # fmt: skip


def _recover(data: bytes) -> Iterator[Recovered]:
    """Yield the definitions that statements begin with, and the tables that are named where a table must be."""
    opaque = [match.span() for match in _OPAQUE.finditer(data)]
    starts = [start for start, _ in opaque]

    def inside(byte: int) -> int:
        """Return the end of the comment, string or body that a byte lies in, or 0."""
        at = bisect_left(starts, byte + 1) - 1
        return opaque[at][1] if at >= 0 and byte < opaque[at][1] else 0

    def end_of_statement(byte: int) -> int:
        while (byte := data.find(b";", byte)) >= 0:
            if not (skip := inside(byte)):
                return byte + 1
            byte = skip
        return len(data)

    for match in _CREATE.finditer(data):
        start = match.start(1)
        if inside(start):
            continue
        kind = _KINDS[match[2].split()[0].lower()]
        end = end_of_statement(match.end())
        body = _BODY.search(data, match.end(), end) if kind == "function" else None
        if body is not None and not inside(body.start()) and (last := _BODY_END.search(data, end)) is not None:
            end = last.end()
        yield Recovered(kind, start, end, *match.span(3))
    # The bodies of functions are read too, texts and comments in them are not.
    silent = [span for span in opaque if data[span[0]] not in b'$"']
    for start, end in opaque:
        if data[start] in b"$":
            tag = data.index(b"$", start + 1) + 1 - start
            silent += [m.span() for m in _OPAQUE.finditer(data, start + tag, end - tag) if data[m.start()] not in b'$"']
    silent.sort()
    at = 0
    for match in _TABLE.finditer(data):
        start, end = match.span(1)
        while at < len(silent) and silent[at][1] <= start:
            at += 1
        if at == len(silent) or start < silent[at][0]:
            yield Recovered("type", start, end, start, end, is_reference=True)


RULES = Rules(
    constant_name=None,
    signature_end=re.compile(r"\s+\(|\s+AS\b", re.IGNORECASE),
    kept_uses=re.compile(rb""),
    member_kinds={},
    header_parameters=True,
    parameter_name="first_or_none",
    spell=lambda name: name.strip('`"[]'),
    recover=_recover,
    recovered_kinds=frozenset(_KINDS.values()),
)
