"""Linking of Rust: crates, modules, ``impl`` blocks and traits."""

from __future__ import annotations

from posixpath import dirname
from typing import Any

from quatrain.linking.containers import ELEMENTS, SAME
from quatrain.linking.declared import DeclaredEvaluator, Row
from quatrain.linking.evaluate import ClassInfo, Unit, Value
from quatrain.parsing.bindings import facts as ops

__all__ = ["RustEvaluator"]


class RustEvaluator(DeclaredEvaluator):
    """Modules are files and blocks; ``impl`` blocks give types their methods."""

    language = "rust"
    overloads = False
    members_are_names = False
    builtin_methods = (
        SAME
        | ELEMENTS
        | frozenset(
            [
                "new",
                "default",
                "from",
                "into",
                "fmt",
                "eq",
                "cmp",
                "partial_cmp",
                "hash",
                "drop",
                "deref",
                "deref_mut",
                "index",
                "next",
                "len",
                "is_empty",
                "push",
                "insert",
                "remove",
                "contains",
                "map",
                "and_then",
                "iter",
                "write",
                "read",
                "flush",
                "as_str",
                "as_bytes",
                "to_string",
                "to_vec",
                "parse",
                "is_some",
                "is_none",
                "is_ok",
                "is_err",
                "extend",
                "clear",
                "keys",
            ]
        )
    )

    def index(self) -> None:
        self.files: dict[str, Unit] = {}
        for unit in self.units:
            self.files[self.module_path(unit.path)] = unit

    def module_path(self, path: str) -> str:
        """Return the folder-like path of a module: ``src/a/mod.rs`` and ``src/a.rs`` are both ``src/a``."""
        stem = path.removesuffix(".rs")
        folder, _, name = stem.rpartition("/")
        return folder if name in ("mod", "lib", "main") else stem

    def find_name(self, unit: Unit, name: str, scope: int) -> list[Row] | None:
        scopes = unit.facts.scopes
        number = scope
        while number >= 0:
            entry = scopes[number]
            rows = entry.names.get(name)
            if rows and (entry.kind not in ("impl", "class") or name == "Self" or not self.is_member(unit, rows)):
                return [(unit, r) for r in rows]
            for star in reversed(entry.stars):
                found = self.star_names(unit, unit.values[star], name)
                if found:
                    return found
            number = entry.parent
        return None

    def is_member(self, unit: Unit, rows: tuple[int, ...]) -> bool:
        return all(unit.values[r][0] in (ops.DEFINITION, ops.INSTANCE) for r in rows)

    def crate_root(self, unit: Unit) -> str:
        """Return the module path of the crate that a file belongs to."""
        folder = dirname(unit.path)
        while folder:
            if folder in self.files and folder.rsplit("/", 1)[-1] in ("src", "tests", "benches", "examples"):
                return folder
            if folder.rsplit("/", 1)[-1] == "src":
                return folder
            folder = dirname(folder)
        return folder

    def resolve_import(self, unit: Unit, module: str, name: str) -> tuple[str, Any]:
        parts = [p for p in module.split("::") if p] + ([name] if name and name != "*" else [])
        if not parts:
            return "unknown", None
        here = self.module_path(unit.path)
        head, rest = parts[0], parts[1:]
        if head == "crate":
            at = self.crate_root(unit)
        elif head == "self":
            at = here
        elif head == "super":
            at = dirname(here)
            while rest and rest[0] == "super":
                at, rest = dirname(at), rest[1:]
        else:
            local = unit.facts.scopes[0].names.get(head)
            own = [r for r in local or () if unit.values[r][:3] != (ops.IMPORT, 0, module)]
            if f"{here}/{head}" in self.files:
                at = f"{here}/{head}"
            elif own and unit.values[own[0]][0] in (ops.DEFINITION, ops.IMPORT) and len(parts) > 1:
                return self.walk([(unit, r) for r in own], rest)
            else:
                crate = self.named_crate(head)
                if crate is None:
                    return "external", "::".join(parts)
                at = crate
        while rest and f"{at}/{rest[0]}" in self.files:
            at, rest = f"{at}/{rest[0]}", rest[1:]
        target = self.files.get(at)
        if target is None:
            return "unknown", None
        if not rest:
            return "module", target
        rows = self.exported(target, rest[0], frozenset())
        if not rows:
            return "unknown", None
        return self.walk(rows, rest[1:])

    def walk(self, rows: list[Row], names: list[str]) -> tuple[str, Any]:
        for name in names:
            values = self.union([self.value(u, r) for u, r in rows])
            found: list[Row] = []
            for value in values:
                if value[0] == "M":
                    found.extend(self.exported(self.units_by_index[value[1]], name, frozenset()))
                elif value[0] == "C":
                    found.extend(self.inherited(value[1], name) or ())
            if not found:
                return "unknown", None
            rows = found
        return "rows", rows

    def named_crate(self, name: str) -> str | None:
        """Return the root of another crate of the same repository."""
        crates = self.__dict__.get("_crates")
        if crates is None:
            crates = self.__dict__["_crates"] = {}
            for path in self.files:
                if path == "src" or path.endswith("/src"):
                    crates.setdefault(dirname(path).rsplit("/", 1)[-1].replace("-", "_"), path)
        return crates.get(name)

    def exported(self, unit: Unit, name: str, seen: frozenset[int]) -> list[Row]:
        scope = unit.facts.scopes[0]
        rows = scope.names.get(name)
        if rows:
            return [(unit, r) for r in rows]
        if unit.index in seen:
            return []
        for star in scope.stars:
            kind, found = self.import_bindings(unit, unit.values[star])
            if kind == "module":
                inner = self.exported(found, name, seen | {unit.index})
                if inner:
                    return inner
        return []

    def star_names(self, unit: Unit, data: tuple[Any, ...], name: str) -> list[Row] | None:
        kind, found = self.import_bindings(unit, data)
        if kind == "module" and found is not unit:
            return self.exported(found, name, frozenset({unit.index})) or None
        if kind == "rows":
            for u, r in found:
                for value in self.value(u, r):
                    if value[0] == "C":
                        return self.inherited(value[1], name)
        return None

    def module_attribute(self, value: Value, name: str) -> tuple[str, Any]:
        if value[0] == "M":
            unit = self.units_by_index[value[1]]
            rows = self.exported(unit, name, frozenset())
            if rows:
                return "rows", rows
            child = self.files.get(f"{self.module_path(unit.path)}/{name}")
            if child is not None:
                return "module", child
        return "unknown", None

    def attach(self) -> None:
        super().attach()
        self.traits: dict[int, list[int]] = {}
        for unit in self.units:
            for type_row, trait_row in unit.facts.extra.get("trait_impls", ()):
                for value in self.value(unit, type_row):
                    for trait in self.value(unit, trait_row):
                        if value[0] == "C" and trait[0] == "C" and value[1] != trait[1]:
                            self.traits.setdefault(value[1], []).append(trait[1])

    def merged(self, info: ClassInfo) -> list[int]:
        return [*super().merged(info), *self.__dict__.get("traits", {}).get(info.gid, ())]
