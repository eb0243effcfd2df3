"""Dart."""

from __future__ import annotations

import re

from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _finish_import(text: ImportText) -> ImportText:
    level = 0 if re.match(r"(?:package|dart):", text.module) else 1
    return text._replace(name="" if text.alias else "*", level=level)


RULES = Rules(
    parameter_name="last_or_group",
    visibility=lambda name, header, parent_kind: "private" if name.startswith("_") else "public",
    finish_import=_finish_import,
    header_parameters=True,
    constant_name=None,
    constructor_name="=",
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
