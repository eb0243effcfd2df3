"""HCL: Terraform and its kin."""

import re

from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(
    constant_name=None,
    signature_end=re.compile(r"\s\{"),
    body_types=("body",),
    finish_import=lambda text: text._replace(level=1 if text.module.startswith(".") else 0),
)
