"""Ruby."""

from __future__ import annotations

import re

from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _finish_import(text: ImportText) -> ImportText:
    name = text.name.lstrip(":")
    return text._replace(name=name, alias=name, level=1 if "relative" in text.marks else 0)


RULES = Rules(
    member_kinds={"function": "method", "variable": "field"},
    finish_import=_finish_import,
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
    top_level_kinds={"method": "function"},
    spell=lambda name: name.lstrip(":").strip("\"'"),
    constructor_name="initialize",
)
