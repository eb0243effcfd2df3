"""Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quatrain.parsing.rules import ImportText, Rules

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["RULES"]


def _docstring(node: Node, data: bytes) -> str:
    if node.type not in ("function_definition", "class_definition"):
        return ""
    body = node.child_by_field_name("body")
    statements = body.named_children if body is not None else []
    if statements and statements[0].type == "expression_statement":
        statements = statements[0].named_children
    if not statements or statements[0].type != "string":
        return ""
    first = statements[0]
    text = data[first.start_byte : first.end_byte].decode("utf-8", "replace")
    return text.lstrip("rRuUbBfF").strip("\"'")


def _visibility(name: str, header: str, parent_kind: str) -> str:
    if name.startswith("__"):
        return "public" if name.endswith("__") else "private"
    return "protected" if name.startswith("_") else "public"


def _finish_import(text: ImportText) -> ImportText:
    alias, name, module = text.alias, text.name, text.module
    reexport = text.reexport
    if name and name != "*":
        # "import x as x" is the stub files' way to say "re-exported".
        reexport = reexport or text.path.endswith(("__init__.py", "__init__.pyi")) or alias == name
        alias = alias or name
    elif name == "*":
        reexport = text.path.endswith("__init__.py")
    else:
        alias = alias or module.partition(".")[0]
    return text._replace(alias=alias, reexport=reexport)


RULES = Rules(docstring=_docstring, visibility=_visibility, finish_import=_finish_import)
