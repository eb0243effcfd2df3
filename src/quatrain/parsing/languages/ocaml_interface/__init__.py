"""OCaml interfaces (``.mli``), which have a grammar of their own."""

import re

from quatrain.parsing.languages.ocaml import finish_import
from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(
    shared=("ocaml",),
    finish_import=finish_import,
    constant_name=None,
    spell=lambda name: name.strip("() "),
    member_kinds={},
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
