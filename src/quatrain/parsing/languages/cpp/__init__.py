"""C++."""

from __future__ import annotations

import re

from quatrain.parsing.languages.cfamily import KEPT_USES, NO_NAMES, OPEN_NODES, blank_macros, join_branches
from quatrain.parsing.languages.cfamily import finish_import as finish_include
from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]


def _visibility(name: str, header: str, parent_kind: str) -> str:
    if parent_kind == "class":
        return "private"  # until an access label says otherwise
    return "private" if not parent_kind and "static" in header.split() else "public"


def _finish_import(text: ImportText) -> ImportText:
    if "using" not in text.marks:
        return finish_include(text)
    module, _, name = re.sub(r"\s", "", text.written).rpartition("::")
    if "namespace" in text.marks:
        return text._replace(module=re.sub(r"\s", "", text.written), name="*", alias="")
    return text._replace(module=module, name=name, alias=text.alias or name)


RULES = Rules(
    shared=("cfamily",),
    parameter_name="last",
    visibility=_visibility,
    finish_import=_finish_import,
    kept_uses=KEPT_USES,
    constant_name=None,
    prepare=blank_macros,
    prepare_further=join_branches,
    open_nodes=OPEN_NODES,
    no_names=NO_NAMES,
    constructor_name="=",
    spell=lambda name: name if name.startswith("operator()") else name.partition("(")[0].strip(),
    top_level_kinds={"method": "function"},
)
