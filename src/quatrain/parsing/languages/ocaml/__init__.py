"""OCaml."""

from __future__ import annotations

import re

from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES", "finish_import"]


def finish_import(text: ImportText) -> ImportText:
    """``open M`` brings in everything of M; ``module A = M`` binds A."""
    return text if text.alias else text._replace(name="*")


RULES = Rules(
    finish_import=finish_import,
    constant_name=None,
    spell=lambda name: name.strip("() "),
    member_kinds={},
    parameter_node="parameter",
    header_language=(".mli", "ocaml_interface"),
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
