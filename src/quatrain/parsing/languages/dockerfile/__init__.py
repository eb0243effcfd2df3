"""Dockerfiles: stages and variables."""

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

# The grammar does not know that a line may end in CR LF.
RULES = Rules(
    constant_name=None,
    member_kinds={},
    one_line_signature=True,
    prepare=lambda data, ranges: data.replace(b"\\\r\n", b" \\\n"),
)
