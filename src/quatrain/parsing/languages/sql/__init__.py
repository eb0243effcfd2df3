"""SQL."""

import re

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(
    constant_name=None,
    signature_end=re.compile(r"\s+\(|\s+AS\b", re.IGNORECASE),
    kept_uses=re.compile(rb""),
    member_kinds={},
    spell=lambda name: name.strip('`"[]'),
)
