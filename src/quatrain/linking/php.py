"""Linking of PHP: namespaces with a fall-back to the global one."""

from __future__ import annotations

from typing import Any

from quatrain.linking.declared import Row
from quatrain.linking.evaluate import Unit
from quatrain.linking.java import JavaEvaluator
from quatrain.parsing.bindings import facts as ops

__all__ = ["PhpEvaluator"]


class PhpEvaluator(JavaEvaluator):
    """Namespaces; functions and constants fall back to the global one."""

    language = "php"

    def find_name(self, unit: Unit, name: str, scope: int) -> list[Row] | None:
        if name[:1] == "$":
            scopes = unit.facts.scopes
            number = scope
            while number >= 0:
                rows = scopes[number].names.get(name)
                if rows:
                    return [(unit, r) for r in rows]
                number = scopes[number].parent if scopes[number].kind == "block" else -1
            return None
        rows = unit.facts.scopes[0].names.get(name)
        return [(unit, r) for r in rows] if rows else self.package_names(unit, name)

    def package_names(self, unit: Unit, name: str) -> list[Row] | None:
        rows = self.named.get(self.package_of(unit), {}).get(name)
        if rows:
            return rows
        head = self.package_of(unit)
        if any(p.startswith(f"{head}\\{name}" if head else name) for p in self.named):
            return None
        rows = self.named.get("", {}).get(name)
        if rows and all(u.values[r][1] in u.facts.functions for u, r in rows if u.values[r][0] == ops.DEFINITION):
            return rows
        return None

    def resolve_import(self, unit: Unit, module: str, name: str) -> tuple[str, Any]:
        rows = self.named.get(module, {}).get(name)
        if rows:
            return "rows", rows
        full = f"{module}\\{name}" if module else name
        if full in self.named:
            return "package", full
        return "external", full
