"""Haskell."""

from __future__ import annotations

import re

from quatrain.parsing.rewriting import keep_all_branches
from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _finish_import(text: ImportText) -> ImportText:
    if "hiding" in text.marks:
        return text._replace(name="*", alias="")
    if text.name:
        return text._replace(alias=text.name)
    # Without a list everything comes in; qualified, under the module's name or its alias.
    return text._replace(name="" if text.alias else "*")


_BLOCK = re.compile(rb"^#[ \t]*if.*?^#[ \t]*endif[^\n]*", re.MULTILINE | re.DOTALL)


def _show_other_branches(data: bytes) -> bytes:
    """Show the other branches of conditional compilation, which the grammar takes for comments, where they are declarations."""
    if b"\n#" not in data:
        return data
    ranges = [
        match.span()
        for match in _BLOCK.finditer(data)
        if not re.search(rb"^#[ \t]*el[^\n]*\s*\n[ \t]", match[0], re.MULTILINE)
    ]
    return keep_all_branches(data, ranges)


RULES = Rules(
    prepare_always=_show_other_branches,
    finish_import=_finish_import,
    merge_repeats=True,
    signature_end=re.compile(r"\swhere\b|\s=(?=\s)|\s\|\s"),
    constant_name=None,
    member_kinds={},
    kept_uses=re.compile(rb"(?!)"),
)
