"""Linking of Java: packages, nested and inherited types."""

from __future__ import annotations

from typing import Any

from quatrain.linking.declared import DeclaredEvaluator, Row
from quatrain.linking.evaluate import ClassInfo, Unit

__all__ = ["JavaEvaluator"]


class JavaEvaluator(DeclaredEvaluator):
    """Types by their package; members of outer and inherited classes are visible by name."""

    language = "java"
    builtin_methods = frozenset(
        [
            "equals",
            "hashCode",
            "toString",
            "getClass",
            "notify",
            "wait",
            "clone",
            "finalize",
            "get",
            "set",
            "add",
            "remove",
            "put",
            "size",
            "isEmpty",
            "contains",
            "iterator",
            "next",
            "hasNext",
            "close",
            "run",
            "call",
            "apply",
            "accept",
            "test",
            "compare",
            "compareTo",
            "length",
            "charAt",
            "substring",
            "append",
            "insert",
            "read",
            "write",
            "flush",
            "name",
            "ordinal",
            "valueOf",
            "values",
            "of",
            "stream",
            "map",
            "filter",
            "forEach",
            "collect",
            "getName",
            "getValue",
            "getKey",
            "format",
            "build",
            "start",
            "stop",
            "join",
        ]
    )

    def reaches(self, unit: Unit, other: Unit) -> bool:
        return unit.package == other.package or self.package_of(unit) != ""

    def resolve_import(self, unit: Unit, module: str, name: str) -> tuple[str, Any]:
        rows = self.named.get(module, {}).get(name)
        if rows:
            return "rows", rows
        outer, _, cls = module.rpartition(".")
        holders = self.named.get(outer, {}).get(cls)
        for unit2, row in holders or ():
            for value in self.value(unit2, row):
                if value[0] == "C":
                    found = self.inherited(value[1], name)
                    if found:
                        return "rows", found
        return "external", f"{module}.{name}"

    def star_names(self, unit: Unit, data: tuple[Any, ...], name: str) -> list[Row] | None:
        rows = self.named.get(data[2], {}).get(name)
        if rows:
            return rows
        kind, found = self.resolve_import(unit, data[2], name)
        return found if kind == "rows" else None

    def class_variables(self, info: ClassInfo) -> tuple[str, ...]:
        return info.facts.variables
