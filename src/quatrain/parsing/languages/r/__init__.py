"""R."""

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(
    finish_import=lambda text: text._replace(name="*", level=1 if "file" in text.marks else 0),
    owner=lambda text: text.replace("$", "."),
    member_kinds={},
)
