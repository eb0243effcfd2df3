"""Julia."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quatrain.parsing.rules import ImportText, Rules

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["RULES"]


def _docstring(node: Node, data: bytes) -> str:
    before = node.prev_named_sibling
    if before is None or before.type != "string_literal":
        return ""
    return data[before.start_byte : before.end_byte].decode("utf-8", "replace").strip('"')


def _finish_import(text: ImportText) -> ImportText:
    if "file" in text.marks:
        return text._replace(level=1, name="*")
    level = len(text.module) - len(text.module.lstrip("."))
    module = text.module.lstrip(".")
    if "everything" in text.marks:
        return text._replace(module=module, level=level, name="*", alias="")
    return text._replace(module=module, level=level, alias=text.alias or text.name or module.rpartition(".")[2])


RULES = Rules(
    docstring=_docstring,
    finish_import=_finish_import,
    header_parameters=True,
    body_types=("block",),
    member_kinds={},
    top_level_kinds={},
    constant_name=None,
)
