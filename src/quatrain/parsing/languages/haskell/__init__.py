"""Haskell."""

from __future__ import annotations

import re

from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _finish_import(text: ImportText) -> ImportText:
    if "hiding" in text.marks:
        return text._replace(name="*", alias="")
    if text.name:
        return text._replace(alias=text.name)
    # Without a list everything comes in; qualified, under the module's name or its alias.
    return text._replace(name="" if text.alias else "*")


RULES = Rules(
    finish_import=_finish_import,
    merge_repeats=True,
    signature_end=re.compile(r"\swhere\b|\s=(?=\s)|\s\|\s"),
    constant_name=None,
    member_kinds={},
    kept_uses=re.compile(rb"(?!)"),
)
