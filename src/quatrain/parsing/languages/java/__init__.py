"""Java."""

from __future__ import annotations

import re

from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _visibility(name: str, header: str, parent_kind: str) -> str:
    words = header.split()
    for word in ("public", "protected", "private"):
        if word in words:
            return word
    if header.startswith("package "):
        return "public"
    return "public" if parent_kind in ("interface", "annotation") else "protected"  # package-private


def _finish_import(text: ImportText) -> ImportText:
    if "star" in text.marks:
        return text._replace(module=text.written, name="*", alias="")
    module, _, name = text.written.rpartition(".")
    return text._replace(module=module, name=name, alias=name)


RULES = Rules(
    parameter_name="last",
    visibility=_visibility,
    finish_import=_finish_import,
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
