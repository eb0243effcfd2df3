"""Bash and its kin."""

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

# "::" in a name separates nothing: there are no types to belong to.
RULES = Rules(finish_import=lambda text: text._replace(level=1), member_kinds={})
