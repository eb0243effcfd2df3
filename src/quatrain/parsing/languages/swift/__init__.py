"""Swift."""

from __future__ import annotations

import re

from quatrain.parsing.rewriting import keep_all_branches, overwrite, rewriting
from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _visibility(name: str, header: str, parent_kind: str) -> str:
    words = re.split(r"[\s(]+", header)
    return "private" if "private" in words or "fileprivate" in words else "public"


def _finish_import(text: ImportText) -> ImportText:
    # A module's public names are visible without a prefix.
    return text._replace(module=text.module.partition(".")[0], name="*", alias="")


# What the grammar does not know, as something of the same length that it does.
_STEPS = (
    (re.compile(rb"\bnonisolated\(\w+\)|@(?:unchecked|retroactive|preconcurrency|_\w+)\b(?!\s+import)"), overwrite),
    (re.compile(rb"\b(?:consuming|borrowing|sending|isolated|consume|repeat(?=\s+each)|each)[ \t](?=[ \t]*[\w(\[@])"), overwrite),
    (re.compile(rb"\bthrows(\([\w.]+\))"), overwrite),  # typed errors
    (re.compile(rb"(?<=[\[(,\s])~(?=\w)"), overwrite),
    # A name that is written as a sentence.
    (re.compile(rb"`[^`\n]*`"), lambda match: b"`" + re.sub(rb"\W", b"_", match[0][1:-1]) + b"`"),
)  # fmt: skip


RULES = Rules(
    prepare=rewriting(_STEPS, before=keep_all_branches),
    open_nodes=frozenset(
        ("class_declaration", "protocol_declaration", "class_body", "protocol_body", "enum_class_body")
    ),
    visibility=_visibility,
    finish_import=_finish_import,
    header_parameters=True,
    member_kinds={"function": "method", "variable": "property"},
    constant_name=None,
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
