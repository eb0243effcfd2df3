"""Linking of Go: packages are folders, methods stand away from their types."""

from __future__ import annotations

from posixpath import dirname
from typing import Any

from quatrain.linking.declared import DeclaredEvaluator, Row
from quatrain.linking.evaluate import Unit, Value, Values

__all__ = ["GoEvaluator"]


class GoEvaluator(DeclaredEvaluator):
    """A package is a folder; an import path ends with it."""

    language = "go"
    overloads = False
    members_are_names = False
    builtin_methods = frozenset(
        {"Error", "String", "Close", "Read", "Write", "Len", "Less", "Swap", "Lock", "Unlock", "Add", "Done", "Wait"}
    )

    def package_of(self, unit: Unit) -> str:
        name = str(unit.facts.extra.get("package", ""))
        return f"{dirname(unit.path)}\0{name}" if name.endswith("_test") else dirname(unit.path)

    def reaches(self, unit: Unit, other: Unit) -> bool:
        return True

    def find_name(self, unit: Unit, name: str, scope: int) -> list[Row] | None:
        scopes = unit.facts.scopes
        number = scope
        while number > 0:
            entry = scopes[number]
            rows = entry.names.get(name) if entry.kind in ("function", "block") else None
            if rows:
                return [(unit, r) for r in rows]
            number = entry.parent
        rows = scopes[0].names.get(name)
        if rows:
            return [(unit, r) for r in rows]
        return self.package_names(unit, name)

    def missing_name(self, unit: Unit, name: str, scope: int) -> Values:
        known = name in _GO_NAMES
        return (("X", name),) if known else ()

    def resolve_import(self, unit: Unit, module: str, name: str) -> tuple[str, Any]:
        folders = self.__dict__.get("_folders")
        if folders is None:
            folders = self.__dict__["_folders"] = {
                dirname(u.path): str(u.facts.extra.get("package", "")) for u in self.units
            }
        parts = module.split("/")
        for start in range(len(parts)):
            folder = "/".join(parts[start:])
            if folder in folders:
                return "package", folder
            nested = [f for f in folders if f.endswith("/" + folder) and len(parts) - start > 1]
            if len(nested) == 1:
                return "package", nested[0]
        root = [f for f, package in folders.items() if f in ("", unit.package) and package == parts[-1]]
        if root and "." in parts[0]:
            return "package", root[0]
        return "external", module

    def star_names(self, unit: Unit, data: tuple[Any, ...], name: str) -> list[Row] | None:
        kind, found = self.import_bindings(unit, data)
        return self.named.get(found, {}).get(name) if kind == "package" else None

    def underlying(self, value: Value) -> Values:
        return ()

    def class_attribute(self, value: Value, name: str) -> Values:
        found = super().class_attribute(value, name)
        if not found and value[0] == "I":
            below = self.below_type(value)
            if below:
                return self.union([self.attribute(v, name) for v in below])
        return found

    def below_type(self, value: Value) -> Values:
        unit = self.by_gid.get(value[1])
        if unit is None:
            return ()
        row = unit.facts.extra.get("underlying", {}).get(value[1] - unit.base)
        return self.type_of(unit, row) if row else ()

    def item(self, value: Value, key: Any) -> Values:
        if value[0] == "I":
            return self.union([self.item(v, key) for v in self.below_type(value)])
        return super().item(value, key)


_GO_NAMES = frozenset(
    [
        "append",
        "cap",
        "clear",
        "close",
        "complex",
        "copy",
        "delete",
        "imag",
        "len",
        "make",
        "max",
        "min",
        "new",
        "panic",
        "print",
        "println",
        "real",
        "recover",
        "bool",
        "byte",
        "error",
        "float32",
        "float64",
        "int",
        "int8",
        "int16",
        "int32",
        "int64",
        "rune",
        "string",
        "uint",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "uintptr",
        "any",
        "comparable",
        "complex64",
        "complex128",
        "true",
        "false",
        "nil",
    ]
)
