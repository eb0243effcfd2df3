"""Bash and its kin."""

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(finish_import=lambda text: text._replace(level=1))
