"""Swift."""

from __future__ import annotations

import re

from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _visibility(name: str, header: str, parent_kind: str) -> str:
    words = re.split(r"[\s(]+", header)
    return "private" if "private" in words or "fileprivate" in words else "public"


def _finish_import(text: ImportText) -> ImportText:
    # A module's public names are visible without a prefix.
    return text._replace(module=text.module.partition(".")[0], name="*", alias="")


RULES = Rules(
    visibility=_visibility,
    finish_import=_finish_import,
    header_parameters=True,
    member_kinds={"function": "method", "variable": "property"},
    constant_name=None,
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
