"""TypeScript with JSX."""

from quatrain.parsing.languages.ecmascript import finish_import, owner, visibility
from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

RULES = Rules(shared=("ecmascript", "typescript"), visibility=visibility, finish_import=finish_import, owner=owner)
