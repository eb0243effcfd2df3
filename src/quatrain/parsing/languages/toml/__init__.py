"""TOML: tables and the keys of the top level."""

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(constant_name=None, member_kinds={}, one_line_signature=True)
