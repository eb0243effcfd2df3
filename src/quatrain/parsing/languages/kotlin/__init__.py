"""Kotlin."""

from __future__ import annotations

import re

from quatrain.parsing.rewriting import overwrite, rewriting
from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _visibility(name: str, header: str, parent_kind: str) -> str:
    words = header.split()
    for word in ("private", "protected"):
        if word in words:
            return word
    return "public"


def _finish_import(text: ImportText) -> ImportText:
    if "star" in text.marks:
        return text._replace(module=text.written.removesuffix(".*").rstrip("."), name="*", alias="")
    module, _, name = text.written.rpartition(".")
    return text._replace(module=module, name=name, alias=text.alias or name)


# What the grammar does not know, as something of the same length that it does.
_STEPS = (
    (re.compile(rb"\b(?:actual|expect)\s(?=\s*(?:\w+\s+)*(?:class|interface|object|fun|val|var|constructor|typealias)\b)"), overwrite),
    # A primary constructor on a line of its own.
    (
        re.compile(rb"(?<=[\w>])[ \t]*(?:\r?\n[ \t]*)+(?=(?:@\w+\s+|(?:internal|private|public|protected)[ \t]+)*constructor[ \t]*\()"),
        lambda match: b" " * len(match[0]),
    ),
    # "fun interface" and open-ended ranges are younger than the grammar.
    (re.compile(rb"\bfun(?=\s+interface\b)"), overwrite),
    (re.compile(rb"(?<=\w)<[\w*?, .]+>(?=\??::)"), overwrite),
    (re.compile(rb"\.\.<"), lambda match: b".. "),
    # A line that begins with a bracket is a statement of its own, and no call of what stands before it.
    (re.compile(rb"(?<=[\w\]}\"])([ \t]*)\n(?=[ \t]*\()"), lambda match: match[1] + b";"),
    # Soft keywords that are called or assigned are names.
    (
        re.compile(rb"(?<![\w@])(?:inline|infix|external|annotation|operator|inner|data|open|expect|actual|value|const|suspend|vararg)"
        rb"(?=\s*\((?!\s*\)\s*->)|\s*=[^=]|\s*[,)\]}.]|\s*->)"),
        lambda match: match[0][:-1] + b"_",
    ),
)  # fmt: skip


RULES = Rules(
    prepare=rewriting(_STEPS),
    open_nodes=frozenset(
        ("class_declaration", "object_declaration", "companion_object", "class_body", "enum_class_body")
    ),
    visibility=_visibility,
    finish_import=_finish_import,
    header_parameters=True,
    body_types=("class_body", "function_body", "enum_class_body", "statements"),
    member_kinds={"function": "method", "variable": "property"},
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
