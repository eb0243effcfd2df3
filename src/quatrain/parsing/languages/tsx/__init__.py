"""TypeScript with JSX."""

from quatrain.parsing.languages.ecmascript import finish_import, owner, visibility
from quatrain.parsing.languages.typescript import OPEN_NODES, spell_out
from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(
    shared=("ecmascript", "typescript"),
    visibility=visibility,
    finish_import=finish_import,
    owner=owner,
    prepare=spell_out,
    open_nodes=OPEN_NODES,
)
