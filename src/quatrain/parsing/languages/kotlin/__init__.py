"""Kotlin."""

from __future__ import annotations

import re

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


RULES = Rules(
    visibility=_visibility,
    finish_import=_finish_import,
    header_parameters=True,
    body_types=("class_body", "function_body", "enum_class_body", "statements"),
    member_kinds={"function": "method", "variable": "property"},
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
