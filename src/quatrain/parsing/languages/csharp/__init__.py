"""C#."""

from __future__ import annotations

import re

from quatrain.parsing.rewriting import keep_first_branches, rewriting
from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _visibility(name: str, header: str, parent_kind: str) -> str:
    words = header.split()
    for word in ("public", "protected", "private"):
        if word in words:
            return word
    if parent_kind in ("class", "struct"):
        return "private"
    return "public" if parent_kind in ("interface", "enum", "namespace") or "internal" not in words else "protected"


def _finish_import(text: ImportText) -> ImportText:
    path = re.sub(r"<.*", "", re.sub(r"\s", "", text.written))
    if text.alias:
        module, _, name = path.rpartition(".")
        return text._replace(module=module, name=name)
    return text._replace(module=path, name="*", alias="")


RULES = Rules(
    prepare=rewriting((), before=keep_first_branches),
    open_nodes=frozenset(
        (
            *(
                "namespace_declaration",
                "declaration_list",
                "class_declaration",
                "struct_declaration",
                "interface_declaration",
            ),
            *("record_declaration", "preproc_if", "preproc_else", "preproc_elif", "preproc_region"),
        )
    ),
    parameter_name="last",
    visibility=_visibility,
    finish_import=_finish_import,
    constant_name=None,
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
