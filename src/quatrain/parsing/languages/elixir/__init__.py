"""Elixir."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from quatrain.parsing.rules import Rules

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["RULES"]


def _visibility(name: str, header: str, parent_kind: str) -> str:
    return "private" if re.match(r"\s*(?:defp|defmacrop|defguardp|@typep)\b", header) else "public"


def _text(node: Node, data: bytes) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _attribute(node: Node | None, names: tuple[str, ...], data: bytes) -> str | None:
    """Return the text of ``@name "text"``, "" for another attribute, None for what is no attribute."""
    if node is None or node.type != "unary_operator" or not _text(node, data).startswith("@"):
        return None
    match = re.match(r"@(\w+)\s*(?:~[sS])?[\"']{1,3}(.*?)[\"']{1,3}\s*\Z", _text(node, data), re.DOTALL)
    return match[2] if match and match[1] in names else ""


def _docstring(node: Node, data: bytes) -> str:
    """Return what ``@doc`` before a function or ``@moduledoc`` inside a module says."""
    if _text(node, data).startswith(("defmodule", "defprotocol")):
        block = next((c for c in node.named_children if c.type == "do_block"), None)
        for child in block.named_children[:3] if block is not None else ():
            if said := _attribute(child, ("moduledoc",), data):
                return said
        return ""
    before = node.prev_named_sibling
    for _ in range(6):
        said = _attribute(before, ("doc", "typedoc"), data)
        if said or said is None or before is None:
            return said or ""
        before = before.prev_named_sibling
    return ""


def _expand_import(tree: Node, data: bytes) -> Iterator[tuple[str, str, str, int]]:
    """Yield (module, name, alias, byte) of ``alias A.{B, C}``, ``alias A.B, as: C``, ``import A, only: [b: 1]``."""
    kind = _text(tree.named_children[0], data)
    arguments = tree.named_children[1].named_children
    if not arguments:
        return
    first = arguments[0]
    if first.type == "dot" and kind == "alias":
        left, right = first.child_by_field_name("left"), first.child_by_field_name("right")
        for part in right.named_children if left is not None and right is not None else ():
            name = _text(part, data)
            yield f"{_text(left, data)}.{name}", "", name.rpartition(".")[2], part.start_byte  # type: ignore[arg-type]
        return
    if first.type != "alias":
        return
    module = _text(first, data)
    alias = module.rpartition(".")[2] if kind == "alias" else module
    rest = _text(tree, data)
    if renamed := re.search(r"\bas:\s*([\w.]+)", rest):
        alias = renamed[1]
    if kind == "import":
        only = re.search(r"\bonly:\s*\[(.*?)\]", rest, re.DOTALL)
        names = re.findall(r"(\w+[?!]?):\s*\d", only[1]) if only else []
        for name in names:
            yield module, name, name, first.start_byte
        if not only:
            yield module, "*", "", first.start_byte
    else:
        yield module, "", alias, first.start_byte


RULES = Rules(
    visibility=_visibility,
    docstring=_docstring,
    expand_import=_expand_import,
    header_parameters=True,
    parameter_name="pattern",
    body_types=("do_block",),
    merge_repeats=True,
    constant_name=None,
    spell=lambda name: name.strip(": "),
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
    member_kinds={},
)
