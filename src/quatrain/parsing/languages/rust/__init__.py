"""Rust."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from quatrain.parsing.rules import ImportText, Rules

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["RULES"]


_IMPL = re.compile(r"\s*(?:(?:unsafe|default)\s+)*impl\b")


def _visibility(name: str, header: str, parent_kind: str) -> str:
    # A block has no visibility of its own.
    if parent_kind == "trait" or _IMPL.match(header) or re.search(r"\bpub\b(?!\s*\()", header):
        return "public"
    return "protected" if re.search(r"\bpub\s*\(", header) else "private"


def _finish_import(text: ImportText) -> ImportText:
    if "submodule" in text.marks:
        return text._replace(alias=text.module, level=1)
    return text._replace(alias=text.alias or text.module.rpartition("::")[2])


def _expand_use(tree: Node, data: bytes) -> Iterator[tuple[str, str, str, int]]:
    """Yield (module, name, alias, byte) for every name of a use tree, ``a::{b, c::{self, d as e}, f::*}``."""
    waiting: list[tuple[Node, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()

        def text(part: Node | None) -> str:
            written = b"" if part is None else data[part.start_byte : part.end_byte]
            return "".join(written.decode("utf-8", "replace").split())

        def joined(part: Node | None, before: str = prefix) -> str:
            return "::".join(p for p in (before, text(part)) if p)

        kind = node.type
        if kind == "scoped_use_list":
            path = joined(node.child_by_field_name("path"))
            names = node.child_by_field_name("list")
            waiting.extend((child, path) for child in reversed(names.named_children if names is not None else []))
        elif kind == "use_list":
            waiting.extend((child, prefix) for child in reversed(node.named_children))
        elif kind == "use_wildcard":
            yield joined(node.named_child(0) if node.named_child_count else None), "*", "", node.start_byte
        elif kind == "use_as_clause":
            path, alias = joined(node.child_by_field_name("path")), text(node.child_by_field_name("alias"))
            module, _, name = path.rpartition("::")
            if name == "self":
                module, _, name = module.rpartition("::")
            yield module, name, alias, node.start_byte
        elif kind == "self":
            module, _, name = prefix.rpartition("::")
            yield module, name, name, node.start_byte
        elif kind not in ("line_comment", "block_comment"):
            path = joined(node)
            module, _, name = path.rpartition("::")
            last = node.child_by_field_name("name")
            yield module, name, name, (last if last is not None else node).start_byte


RULES = Rules(
    visibility=_visibility,
    finish_import=_finish_import,
    expand_import=_expand_use,
    constant_name=None,
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
