"""PHP."""

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
    if "file" in text.marks:
        return text._replace(level=1)
    path = "\\".join(p.strip("\\") for p in (text.module, re.sub(r"\s", "", text.written)) if p)
    module, _, name = path.rpartition("\\")
    return text._replace(module=module, name=name, alias=text.alias or name)


RULES = Rules(
    visibility=_visibility,
    finish_import=_finish_import,
    parameter_name="dollar",
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
