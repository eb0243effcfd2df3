"""Linking of Go: packages are folders, methods stand away from their types."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from posixpath import dirname, join
from typing import Any

from quatrain.linking.build_constraints import built_together, constraint, default_tags
from quatrain.linking.declared import DeclaredEvaluator, Row
from quatrain.linking.evaluate import Unit, Value, Values
from quatrain.parsing.bindings import facts as ops

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
        if name == "main" and "ignore" in str(unit.facts.extra.get("build", "")):
            return unit.path  # a program of one file that stands beside a package
        return f"{dirname(unit.path)}\0{name}" if name.endswith("_test") else dirname(unit.path)

    def attach(self) -> None:
        super().attach()
        by_name: dict[tuple[str, str], list[int]] = {}
        for unit in self.units:
            package = self.package_of(unit)
            for number, symbol in enumerate(unit.symbols):
                if symbol.name not in ("init", "_"):
                    by_name.setdefault((package, symbol.qualified_name), []).append(unit.base + number)
        # Definitions of one name in one package exclude each other: files for other systems, or for other tags.
        self.exclusive: dict[int, list[int]] = {}
        self.fitting_memo: dict[tuple[Any, int], list[int]] = {}
        for nodes in by_name.values():
            if len(nodes) > 1 and len({self.owner(n).index for n in nodes}) == len(nodes):
                self.exclusive.update(dict.fromkeys(nodes, nodes))

    def owner(self, node: int) -> Unit:
        """Return the file of a symbol, whatever its kind."""
        return self.units[bisect_right(self.bases, node) - 1]

    @cached_property
    def bases(self) -> list[int]:
        return [unit.base for unit in self.units]

    def compiled_in(self, unit: Unit, found: dict[int, int]) -> tuple[dict[int, int], list[int]]:
        if not any(node in self.exclusive for node in found):
            return found, []
        kept: dict[int, int] = {}
        choices: dict[int, None] = {}
        for node, tier in found.items():
            fitting = self.fitting(unit, self.exclusive[node]) if node in self.exclusive else [node]
            if len(fitting) < 2:
                kept.setdefault((fitting or [node])[0], tier)
            else:
                choices.update(dict.fromkeys(fitting))
        return kept, list(choices)

    def fitting(self, unit: Unit, nodes: list[int]) -> list[int]:
        """Return the definitions that may be built together with a file; tags that nobody asks for are not set."""
        own = self.constraint_of(unit)
        key = (own, nodes[0])
        found = self.fitting_memo.get(key)
        if found is None:
            asked = default_tags(own)
            found = [n for n in nodes if built_together((own, self.constraint_of(self.owner(n))), asked)]
            self.fitting_memo[key] = found
        return found

    def constraint_of(self, unit: Unit) -> tuple[Any, ...]:
        return constraint(unit.path, str(unit.facts.extra.get("build", "")))

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
        head = module.split("/", 1)[0]
        if head in _LIBRARY:
            # Go's own library is inside only where the tree is Go itself.
            root = next((r for r in self.library_roots if join(r, module) in self.folders), None)
            return ("package", join(root, module)) if root is not None else ("external", module)
        for prefix, root in self.modules:
            if module == prefix or module.startswith(prefix + "/"):
                folder = join(root, module[len(prefix) + 1 :]).rstrip("/")
                if folder in self.folders:
                    return "package", folder
        folder = next((f for f in self.by_path.get(module, ()) if f in self.folders), None)
        return ("package", folder) if folder is not None else ("external", module)

    @cached_property
    def folders(self) -> dict[str, str]:
        """Return the name of the package in each folder."""
        found: dict[str, str] = {}
        for unit in self.units:
            name = str(unit.facts.extra.get("package", ""))
            if self.package_of(unit) == dirname(unit.path):
                found.setdefault(dirname(unit.path), name)
        return found

    @cached_property
    def library_roots(self) -> list[str]:
        roots = [dirname(f) for f in self.folders if f.rsplit("/", 1)[-1] == "runtime"]
        return [r for r in roots if join(r, "unsafe") in self.folders and join(r, "reflect") in self.folders]

    @cached_property
    def by_path(self) -> dict[str, list[str]]:
        """Return the folders that are called like the whole of an import path: below vendor or GOPATH."""
        wanted = {data[2] for unit in self.units for data in unit.values if data[0] == ops.IMPORT}
        found: dict[str, list[str]] = {}
        for folder in self.folders:
            parts = folder.split("/")
            for start in range(len(parts)):
                tail = "/".join(parts[start:])
                if tail in wanted and "." in parts[start]:
                    found.setdefault(tail, []).append(folder)
        return found

    @cached_property
    def modules(self) -> list[tuple[str, str]]:
        """Return the import path of each module with its folder, the longest paths first.

        No file that is linked says what a module is called, but its imports of itself do: the path that most of its folders follow in them.
        """
        roots = sorted({unit.package for unit in self.units})
        imported: dict[str, set[str]] = {root: set() for root in roots}
        for unit in self.units:
            paths = (data[2] for data in unit.values if data[0] == ops.IMPORT)
            imported[unit.package].update(p for p in paths if p.split("/", 1)[0] not in _LIBRARY)
        found: list[tuple[str, str]] = []
        for root in roots:
            votes: dict[str, set[str]] = {}
            for path in sorted(set().union(*imported.values()) if not imported[root] else imported[root]):
                parts = path.split("/")
                for size in range(1, len(parts)):
                    inside = "/".join(parts[size:])
                    if join(root, inside) in self.folders:
                        votes.setdefault("/".join(parts[:size]), set()).add(inside)
            for path in sorted(set().union(*imported.values())):
                plain = [p for p in path.split("/") if not _VERSION.match(p)] or [path]
                name = plain[-1].split(".v")[0]
                if root in self.folders and name.removeprefix("go-").replace("-", "_") == self.folders[root]:
                    votes.setdefault(path, set()).add("")
            if votes:
                best = max(len(v) for v in votes.values())
                found.append((min((p for p, v in votes.items() if len(v) == best), key=len), root))
        return sorted(found, key=lambda m: (-len(m[0]), m))

    def star_names(self, unit: Unit, data: tuple[Any, ...], name: str) -> list[Row] | None:
        kind, found = self.import_bindings(unit, data)
        return self.named.get(found, {}).get(name) if kind == "package" else None

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

    def evaluate_type(self, unit: Unit, row: int) -> Values:
        data = unit.values[row]
        if data[0] == ops.TYPE_OBJECT:
            return (("TO", unit.index, row),)
        if data[0] == ops.SEQUENCE and data[1] in ("map", "channel"):
            keys = self.type_of(unit, data[3]) if data[1] == "map" else ()
            return (("K", data[1], (None,), (self.type_of(unit, data[2][0]),), keys),)
        return super().evaluate_type(unit, row)

    def attribute(self, value: Value, name: str) -> Values:
        if value[0] == "TO":
            unit = self.units_by_index[value[1]]
            return self.union([self.value(unit, row) for member, row in unit.values[value[2]][1] if member == name])
        return super().attribute(value, name)

    def call(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        if value[0] == "I":
            return self.union([self.call(v, unit, call) for v in self.below_type(value)])
        return super().call(value, unit, call)

    def elements(self, value: Value) -> Values:
        """Return what a receive from a channel gives, or what the first name of a range is."""
        if value[0] == "I":
            return self.union([self.elements(v) for v in self.below_type(value)])
        if value[0] == "K":
            return self.union(value[3]) if value[1] == "channel" else value[4] if value[1] == "map" else ()
        return super().elements(value)

    def implementations(self) -> Iterable[tuple[int, int]]:
        """Return the methods of the types that have all methods of an interface, each with the interface's own."""
        interfaces: list[dict[str, int]] = []
        by_method: dict[str, list[dict[str, int]]] = {}
        for unit in self.units:
            for symbol in unit.facts.classes:
                methods = self.method_set(unit.base + symbol)
                if unit.symbols[symbol].kind == "interface":
                    interfaces.append(methods)
                    continue
                for name in methods:
                    by_method.setdefault(name, []).append(methods)
        found: dict[tuple[int, int], None] = {}
        for wanted in interfaces:
            rarest = min(wanted, key=lambda n: len(by_method.get(n, ())), default="")
            for methods in by_method.get(rarest, ()):
                if all(n in methods and self.same_signature(gid, methods[n]) for n, gid in wanted.items()):
                    found.update(dict.fromkeys((gid, methods[n]) for n, gid in wanted.items() if gid != methods[n]))
        return found

    def method_set(self, gid: int) -> dict[str, int]:
        """Return the methods of a type by name, promoted ones among them."""
        info = self.class_info(gid)
        found: dict[str, int] = {}
        for part in info.mro if info is not None else ():
            owner = self.class_info(part)
            scope = owner.unit.facts.scopes[owner.facts.scope] if owner is not None else None
            for name, rows in scope.names.items() if owner is not None and scope is not None else ():
                data = owner.unit.values[rows[0]]
                if data[0] == ops.DEFINITION and data[1] in owner.unit.facts.functions:
                    found.setdefault(name, owner.unit.base + data[1])
        return found

    def same_signature(self, gid: int, other: int) -> bool:
        """Tell whether two methods take and give the same, as far as their types are known."""
        one, two = self.function_facts[gid], self.function_facts[other]
        if len(one.parameters) != len(two.parameters) or (one.annotation < 0) != (two.annotation < 0):
            return False
        rows = [(a.annotation, b.annotation) for a, b in zip(one.parameters, two.parameters, strict=True)]
        for row, other_row in [*rows, (one.annotation, two.annotation)]:
            values, others = self.type_of(self.by_gid[gid], row), self.type_of(self.by_gid[other], other_row)
            if values and others and values != others:
                return False
        return all(a.kind == b.kind for a, b in zip(one.parameters, two.parameters, strict=True))

    def linearize(self, orders: list[tuple[int, ...]], bases: list[tuple[int, int]]) -> list[int]:
        """Return what is embedded, the less deep before the deeper: that is whose members are promoted."""
        found: dict[int, None] = {}
        level = [b for b, _ in bases]
        while level:
            # Methods of a type are as deep as the type.
            whole = [g for b in level for g in (b, *self.declared.get(b, ()))]
            found.update(dict.fromkeys(whole))
            infos = [self.class_info(b) for b in level]
            above = [b for info in infos if info is not None for b, _ in info.bases]
            level = [b for b in dict.fromkeys(above) if b not in found]
        return list(found)

    def item(self, value: Value, key: Any) -> Values:
        if value[0] == "I":
            return self.union([self.item(v, key) for v in self.below_type(value)])
        return super().item(value, key)


_VERSION = re.compile(r"v\d+\Z")
# First parts of the import paths of Go's own library.
_LIBRARY = frozenset(
    re.findall(
        r"\w+",
        "C archive bufio builtin bytes cmd cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash "
        "html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs "
        "sync syscall testing text time unicode unique unsafe vendor weak",
    )
)
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
