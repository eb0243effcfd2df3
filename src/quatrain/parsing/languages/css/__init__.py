"""CSS: selectors, keyframes and custom properties."""

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(
    finish_import=lambda text: text._replace(level=1), constant_name=None, member_kinds={}, one_line_signature=True
)
