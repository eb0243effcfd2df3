"""C."""

from quatrain.parsing.languages.cfamily import (
    KEPT_USES,
    NO_NAMES,
    OPEN_NODES,
    blank_macros,
    finish_import,
    join_branches,
)
from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(
    shared=("cfamily",),
    parameter_name="last",
    visibility=lambda name, header, parent_kind: "private" if "static" in header.split() else "public",
    finish_import=finish_import,
    kept_uses=KEPT_USES,
    constant_name=None,
    prepare=blank_macros,
    prepare_further=join_branches,
    open_nodes=OPEN_NODES,
    no_names=NO_NAMES,
    header_language=(".h", "cpp"),
)
