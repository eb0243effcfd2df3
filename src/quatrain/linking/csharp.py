"""Linking of C#: nested namespaces and classes declared in parts."""

from __future__ import annotations

from quatrain.linking.declared import Row
from quatrain.linking.evaluate import Unit, Value, Values
from quatrain.linking.java import JavaEvaluator
from quatrain.parsing.bindings import facts as ops

__all__ = ["CSharpEvaluator"]


class CSharpEvaluator(JavaEvaluator):
    """Namespaces nest; classes may be declared in parts."""

    language = "csharp"

    def index(self) -> None:
        for unit in self.units:
            names = {0: "", **unit.facts.extra.get("namespaces", {})}
            for scope, package in names.items():
                table = self.named.setdefault(package, {})
                for name, rows in unit.facts.scopes[scope].names.items():
                    own = [r for r in rows if unit.values[r][0] != ops.IMPORT]
                    if own:
                        table.setdefault(name, []).extend((unit, r) for r in own)

    def group_partial(self) -> None:
        self.group_by(lambda unit, symbol: unit.symbols[symbol].qualified_name)

    def namespace_names(self, unit: Unit, scope: int, name: str) -> list[Row] | None:
        package = unit.facts.extra.get("namespaces", {}).get(scope, "")
        while package:
            rows = self.named.get(package, {}).get(name)
            if rows:
                return rows
            package = package.rpartition(".")[0]
        return None

    def package_names(self, unit: Unit, name: str) -> list[Row] | None:
        for star in reversed(unit.facts.scopes[0].stars):
            found = self.star_names(unit, unit.values[star], name)
            if found:
                return found
        return self.named.get("", {}).get(name)

    def class_attribute(self, value: Value, name: str) -> Values:
        if value[0] == "I" and name in ("Value", "Result") and self.bindings(value, name) is None:
            return (value,)
        return super().class_attribute(value, name)
