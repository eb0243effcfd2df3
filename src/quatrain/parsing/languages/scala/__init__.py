"""Scala."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from quatrain.parsing.rewriting import overwrite, rewriting
from quatrain.parsing.rules import Rules

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["RULES"]


def _visibility(name: str, header: str, parent_kind: str) -> str:
    match = re.search(r"\b(private|protected)\b", header)
    return match[1] if match else "public"


def _expand_import(tree: Node, data: bytes) -> Iterator[tuple[str, str, str, int]]:
    """Yield (module, name, alias, byte) of ``import a.b.{c, d => e}, f._``."""

    def text(node: Node | None) -> str:
        return "" if node is None else data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    path: list[Node] = []
    for node in tree.children[1:]:
        if node.type == ",":
            if path:
                yield ".".join(map(text, path[:-1])), text(path[-1]), text(path[-1]), path[-1].start_byte
            path = []
        elif node.type == "identifier":
            path.append(node)
        elif node.type in ("namespace_wildcard", "wildcard"):
            yield ".".join(map(text, path)), "*", "", node.start_byte
            path = []
        elif node.type == "namespace_selectors":
            module = ".".join(map(text, path))
            for selector in node.named_children:
                if "renamed" in selector.type:
                    name, alias = selector.child_by_field_name("name"), selector.child_by_field_name("alias")
                    if text(alias) != "_":
                        yield module, text(name), text(alias), selector.start_byte
                elif "wildcard" in selector.type:
                    yield module, "*", "", selector.start_byte
                else:
                    yield module, text(selector), text(selector), selector.start_byte
            path = []
        elif node.type == "as_renamed_identifier":
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            yield ".".join(map(text, path)), text(name), text(alias), node.start_byte
            path = []
    if path:
        yield ".".join(map(text, path[:-1])), text(path[-1]), text(path[-1]), path[-1].start_byte


# Arrows that were letters of the language once.
_ARROWS = {"⇒".encode(): b"=> ", "←".encode(): b"<- ", "→".encode(): b"-> "}
# "A single new line token is accepted in front of an opening brace, if that is legal continuation": the grammar ends a class there.
_BRACE = (
    re.compile(rb"^(?![^\n]*//)([^\n]*[\w\])])[ \t\r]*\n(?=[ \t]*\{)", re.MULTILINE),
    lambda match: match[1].ljust(len(match[0])),
)
_STEPS = (
    _BRACE,
    (re.compile(b"|".join(_ARROWS)), lambda match: _ARROWS[match[0]]),
    # A comment before the first case.
    (re.compile(rb"\bmatch\s*\{\s*((?://[^\n]*\n\s*|/\*(?:[^*]|\*(?!/))*\*/\s*)+)(?=case\b)"), overwrite),
    # "case x if a contains b =>": the guard's end is taken for a function.
    (
        re.compile(rb"^[ \t]*case\s[^\n]*?[\w)\]}\"]\s(if\s[^\n]*?)(?=\s*=>[ \t]*(?:$|[\w\"({]))", re.MULTILINE),
        overwrite,
    ),
    (re.compile(rb"[\x80-\xff]"), lambda match: b"_"),
)


RULES = Rules(
    prepare=rewriting(_STEPS),
    prepare_always=lambda data: rewriting((_BRACE,))(data, None),
    open_nodes=frozenset(
        ("class_definition", "object_definition", "trait_definition", "package_clause", "template_body")
    ),
    visibility=_visibility,
    expand_import=_expand_import,
    constructor_name="this",
    constant_name=None,
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
