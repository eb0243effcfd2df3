"""Lua."""

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(visibility=lambda name, header, parent_kind: "private" if "local" in header.split() else "public")
