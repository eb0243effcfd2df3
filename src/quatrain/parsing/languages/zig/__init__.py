"""Zig."""

import re

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(
    visibility=lambda name, header, parent_kind: "public" if header.lstrip().startswith("pub ") else "private",
    header_parameters=True,
    body_types=("Block",),
    constant_name=None,
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
