"""Linking of languages that declare their types: packages and namespaces, members of types wherever they are defined."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quatrain.linking.containers import ELEMENTS, LISTS, MAPS, PLAIN, SAME, SIZES, TASKS, WRAPPERS
from quatrain.linking.evaluate import ClassInfo, Unit, Value, Values
from quatrain.linking.generics import TypedEvaluator
from quatrain.parsing.bindings import facts as ops
from quatrain.parsing.bindings.facts import ClassFacts, FunctionFacts

__all__ = ["SYNTHETIC", "DeclaredEvaluator", "Row"]

Row = tuple[Unit, int]
SYNTHETIC = 1 << 40  # ids of member groups that stand away from their type


class DeclaredEvaluator(TypedEvaluator):
    """What these languages share; a subclass says which names a file sees."""

    overloads = True  # several functions of one name are told apart by the number of arguments

    def __init__(self, units: list[Unit]) -> None:
        super().__init__(units)
        self.named: dict[str, dict[str, list[Row]]] = {}  # package -> name -> rows
        self.declared: dict[int, list[int]] = {}  # class -> groups of members that stand away from it
        self.impl_types: dict[tuple[int, int], Values] = {}
        self.import_memo: dict[tuple[int, str, str], tuple[str, Any]] = {}
        self.index()
        self.group_partial()
        self.attach()

    # --- what is where ----

    def index(self) -> None:
        """Note what each file contributes to its package."""
        for unit in self.units:
            table = self.named.setdefault(self.package_of(unit), {})
            for name, rows in unit.facts.scopes[0].names.items():
                own = [r for r in rows if unit.values[r][0] != ops.IMPORT]
                if own:
                    table.setdefault(name, []).extend((unit, r) for r in own)

    def package_of(self, unit: Unit) -> str:
        return str(unit.facts.extra.get("package", ""))

    def group_partial(self) -> None:
        """Note which classes are one class declared in parts."""

    def attach(self) -> None:
        """Attach members that stand away from their type."""
        number = SYNTHETIC
        for unit in self.units:
            for type_row, scope in unit.facts.extra.get("impls", ()):
                values = tuple(v for v in self.value(unit, type_row) if v[0] == "C")
                self.impl_types[unit.index, scope] = values
                for value in values:
                    number += 1
                    facts = ClassFacts(scope, (), {}, (), -1)
                    info = ClassInfo(number, unit, facts)
                    self.class_infos[number] = info
                    self.by_gid[number] = unit
                    self.declared.setdefault(value[1], []).append(number)
        # Bases were not to be computed before all members are known.
        for gid in [g for g in self.class_infos if g < SYNTHETIC]:
            del self.class_infos[gid]
        for unit in self.units:
            unit.memo = [None] * len(unit.values)
            unit.type_memo.clear()
            unit.name_memo.clear()
        self.return_memo.clear()

    def merged(self, info: ClassInfo) -> list[int]:
        return [g for part in (info.gid, *self.parts(info.gid)) for g in self.declared.get(part, ())]

    # --- names ----

    def lookup(self, unit: Unit, name: str, scope: int) -> list[Row] | None:
        key = (name, scope)
        memo = unit.name_memo
        if key in memo:
            return memo[key]
        memo[key] = None
        found = memo[key] = self.find_name(unit, name, scope)
        return found

    def find_name(self, unit: Unit, name: str, scope: int) -> list[Row] | None:
        scopes = unit.facts.scopes
        number = scope
        called = name.endswith("()")
        if called:
            name = name[:-2]
        while number > 0:
            entry = scopes[number]
            rows = entry.names.get(name)
            if called and rows and entry.kind in ("function", "block"):
                # Variables and methods live apart: a call of a bare name passes over variables.
                rows = rows if any(unit.values[r][0] == ops.DEFINITION for r in rows) else None
            if rows:
                return [(unit, r) for r in rows]
            received = self.receiver_names(unit, number, name)
            if received:
                return received
            if entry.kind == "namespace":
                found = self.namespace_names(unit, number, name) or (
                    self.inherited(unit.base + entry.symbol, name) if entry.symbol >= 0 else None
                )
                if found:
                    return found
            if entry.kind == "class" and entry.symbol >= 0:
                inherited = self.inherited(unit.base + entry.symbol, name)
                if inherited:
                    return inherited
            elif entry.kind == "impl":
                for value in self.impl_types.get((unit.index, number), ()):
                    inherited = self.inherited(value[1], name) if self.members_are_names else None
                    if inherited:
                        return inherited
                    around = self.around(value, name)
                    if around:
                        return around
            number = entry.parent
        rows = scopes[0].names.get(name)
        if rows:
            return [(unit, r) for r in rows]
        return self.package_names(unit, name)

    members_are_names = True

    def receiver_names(self, unit: Unit, scope: int, name: str) -> list[Row] | None:
        """Return what a name means in a scope whose code has a receiver of its own."""
        row = unit.facts.extra.get("receivers", {}).get(scope)
        found: list[Row] = []
        for value in self.value(unit, row) if row is not None else ():
            if value[0] == "I":
                found.extend(self.inherited(value[1], name) or ())
        return found or None

    def around(self, value: Value, name: str) -> list[Row] | None:
        """Return what a name means where a class is declared: members defined away from it see that, too."""
        return None

    def namespace_names(self, unit: Unit, scope: int, name: str) -> list[Row] | None:
        return None

    def inherited(self, gid: int, name: str) -> list[Row] | None:
        found = self.member(gid, name)
        if found is None:
            return None
        info, entries = found
        return [(info.unit, row) for row, _, _ in entries]

    def package_names(self, unit: Unit, name: str) -> list[Row] | None:
        """Return what a name means to a file beyond its own text."""
        rows = self.named.get(self.package_of(unit), {}).get(name)
        if rows:
            return [(u, r) for u, r in rows if self.reaches(unit, u)] or None
        for star in reversed(unit.facts.scopes[0].stars):
            found = self.star_names(unit, unit.values[star], name)
            if found:
                return found
        return None

    def reaches(self, unit: Unit, other: Unit) -> bool:
        return unit.package == other.package

    def star_names(self, unit: Unit, data: tuple[Any, ...], name: str) -> list[Row] | None:
        return None

    def missing_name(self, unit: Unit, name: str, scope: int) -> Values:
        return (("X", name),) if name[:1].isupper() else ()

    def import_bindings(self, unit: Unit, data: tuple[Any, ...]) -> tuple[str, Any]:
        key = (unit.index, data[2], data[3])
        known = self.import_memo.get(key)
        if known is None:
            self.import_memo[key] = ("unknown", None)
            known = self.import_memo[key] = self.resolve_import(unit, data[2], data[3])
        return known

    def resolve_import(self, unit: Unit, module: str, name: str) -> tuple[str, Any]:
        return "external", f"{module}.{name}" if name else module

    def module_attribute(self, value: Value, name: str) -> tuple[str, Any]:
        if value[0] == "P":
            rows = self.named.get(value[1], {}).get(name)
            if rows:
                return "rows", rows
        elif value[0] == "M":
            unit = self.units_by_index[value[1]]
            rows = unit.facts.scopes[0].names.get(name)
            if rows:
                return "rows", [(unit, r) for r in rows]
        return "unknown", None

    # --- values ----

    def constructor(self, gid: int) -> int | None:
        found = self.member(gid, "<init>")
        if found is None:
            return None
        info, entries = found
        data = info.unit.values[entries[-1][0]]
        return info.unit.base + data[1] if data[0] == ops.DEFINITION else None

    def is_root_base(self, values: Values) -> bool:
        return bool(values) and all(v[0] == "X" and v[1].rsplit(".", 1)[-1] in ("Object", "object") for v in values)

    def base_values(self, unit: Unit, row: int) -> Values:
        data = unit.values[row] if row >= 0 else (0,)
        if data[0] == ops.SUBSCRIPT:
            return self.base_values(unit, data[1])
        return self.value(unit, row)

    def attribute(self, value: Value, name: str) -> Values:
        tag = value[0]
        if tag == "X":
            return (("X", f"{value[1]}.{name}"),) if len(value[1]) < 200 else (value,)
        if tag in ("I", "C", "S"):
            return self.class_attribute(value, name)
        if tag in ("M", "P"):
            kind, found = self.module_attribute(value, name)
            if kind == "rows":
                return self.union([self.value(u, r) for u, r in found])
            if kind == "module":
                return (("M", found.index),)
            return (("P", found),) if kind == "package" else ()
        if tag in ("K", "W"):
            return (("KM", name, value),)
        if tag == "T":
            return ()
        return ()

    def class_attribute(self, value: Value, name: str) -> Values:
        found = self.bindings(value, name)
        receiver = value[2] if value[0] == "S" else value
        if found is None:
            if value[0] == "I" and name in SAME:
                return (("KM", name, value),)  # a wrapper that is transparent here: Option<T>, Arc<T>, shared_ptr<T>
            return () if self.is_closed(receiver[1]) else (("X", "?." + name),)
        info, entries = found
        result = self.union([self.member_value(info, e, receiver, False) for e in entries])
        if receiver[2] and self.has_variable(result):
            result = self.substitute(result, self.members_env(receiver, info.gid))
        return result

    def member_value(self, info: ClassInfo, entry: tuple[int, bool, bool], value: Value, called: bool) -> Values:
        row, _, in_class = entry
        data = info.unit.values[row]
        if data[0] == ops.DEFINITION and in_class:
            gid = info.unit.base + data[1]
            function = self.function_facts.get(gid)
            if function is not None:
                if "property" in function.flags:
                    return self.returned(gid, value, None, None)
                return (("F", gid, value),)
        return self.value(info.unit, row)

    def call(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        tag = value[0]
        if tag == "C":
            return (("I", value[1], value[2]),)
        if tag == "F":
            return self.returned(value[1], value[2], unit, call)
        if tag == "R":
            return value[1]
        if tag == "L":
            owner = self.units_by_index[value[1]]
            return self.value(owner, owner.values[value[2]][2])
        if tag == "X":
            return (("X", value[1] + "()"),) if len(value[1]) < 200 else (value,)
        if tag == "KM":
            return self.call_method(value[1], value[2], unit, call)
        if tag == "I":
            for name in ("operator()", "invoke", "__invoke", "Invoke"):
                found = self.member(value[1], name)
                if found is not None:
                    info, entries = found
                    data = info.unit.values[entries[0][0]]
                    if data[0] == ops.DEFINITION:
                        return self.returned(info.unit.base + data[1], value, unit, call)
        return ()

    def eval_new(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return tuple(
            ("I", v[1], v[2]) if v[0] == "C" else v for v in self.value(unit, data[1]) if v[0] in ("C", "X", "I")
        )

    def call_method(self, name: str, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        if value[0] == "I":
            return (value,)
        if value[0] == "W":
            if name in ("thenApply", "thenCompose", "then", "ContinueWith") and call[2]:
                return (("W", self.union([self.result_of(v) for v in self.value(unit, call[2][0])])),)
            return value[1] if name in ("get", "join", "GetResult", "Result", "GetAwaiter") else (value,)
        items = self.union(value[3])
        if name in ("entrySet", "entries"):
            return (("K", "array", (None,), ((value,),)),)  # an entry answers for its value
        if name in ELEMENTS:
            return items
        if name in SAME:
            return (value,)
        if (
            name in ("map", "flatMap", "flat_map", "Select", "SelectMany", "filter_map", "and_then", "collect")
            and call[2]
        ):
            result = self.union([self.result_of(v) for v in self.value(unit, call[2][0])])[:8]
            return (("K", "array", (None,), (result,)),)
        return (("X", f"{value[1]}.{name}()"),)

    def result_of(self, value: Value) -> Values:
        if value[0] == "F":
            return self.returned(value[1], value[2], None, None)
        if value[0] == "L":
            owner = self.units_by_index[value[1]]
            return self.value(owner, owner.values[value[2]][2])
        return value[1] if value[0] == "R" else ()

    def handed_over(self, callee: Value, unit: Unit, call: tuple[Any, ...], row: int, index: int) -> Values:
        if callee[0] == "KM":
            value = callee[2]
            if value[0] == "K":
                return self.union(value[3])
            return (value,) if value[0] == "I" else value[1]
        return super().handed_over(callee, unit, call, row, index)

    def declared_return(self, owner: Unit, gid: int, function: FunctionFacts, receiver: Any) -> Values:
        if function.annotation > 0:
            data = owner.values[function.annotation]
            if data[0] == ops.SELF and receiver is not None and receiver[0] in ("I", "C"):
                return (("I", receiver[1], receiver[2]),)
            values = self.type_of(owner, function.annotation)
            if values:
                return (("W", values),) if "async" in function.flags else values
        return self.union([self.value(owner, r) for r in function.returns])[:8]

    # --- overloads ----

    def inherited_overloads(self, gids: Iterable[int]) -> list[int]:
        """Return the functions of the same name that the next class above offers."""
        found: dict[int, None] = {}
        for gid in gids:
            function, unit = self.function_facts[gid], self.by_gid[gid]
            if function.owner < 0:
                continue
            owner = unit.base + function.owner
            above = self.member(owner, unit.symbols[gid - unit.base].name, owner)
            for row, _, in_class in above[1] if above is not None else ():
                data = above[0].unit.values[row] if above is not None else (0,)
                if data[0] == ops.DEFINITION and in_class and above is not None:
                    found[above[0].unit.base + data[1]] = None
        return list(found)

    def takes(self, gid: int, unit: Unit, call: tuple[Any, ...]) -> int:
        """Return how well a function fits the types of a call's arguments: -1 not at all, else how many are of just that type."""
        function = self.function_facts[gid]
        owner = self.by_gid[gid]
        exact = 0
        for index, row in enumerate(call[2]):
            if not function.parameters:
                break
            parameter = function.parameters[min(index, len(function.parameters) - 1)]
            wanted = self.type_of(owner, parameter.annotation)
            given = self.value(unit, row)
            if not wanted or not given:
                continue
            fits = max(self.fits(g, w) for g in given for w in wanted)
            if fits < 0 and parameter.kind != "*":
                return -1
            exact += max(fits, 0)
        return exact

    def fits(self, given: Value, wanted: Value) -> int:
        """Return 1 for the same type, 0 for one that may be passed, -1 for one that may not."""
        if given[0] == "I" and wanted[0] == "I":
            if given[1] == wanted[1]:
                return 1
            return 0 if self.is_subclass(given[1], wanted[1]) or not self.is_closed(given[1]) else -1
        if wanted[0] == "X":
            name = wanted[1].rsplit(".", 1)[-1]
            if given[0] == "X":
                own = given[1].rsplit(".", 1)[-1]
                if own == name:
                    return 1
                if own in SIZES and name in SIZES:
                    return 0 if SIZES[own] < SIZES[name] else -1
                return -1 if own in PLAIN and name in PLAIN else 0
            return -1 if name in PLAIN else 0
        if wanted[0] == "I" and given[0] == "X":
            return -1 if given[1] in PLAIN else 0
        return 0

    # --- types ----

    def evaluate_type(self, unit: Unit, row: int) -> Values:
        data = unit.values[row]
        op = data[0]
        if op == ops.UNION:
            return self.union([self.type_of(unit, r) for r in data[1]])
        if op == ops.SEQUENCE:
            if data[1] == "tuple":
                return (("K", "tuple", tuple(range(len(data[2]))), tuple(self.type_of(unit, r) for r in data[2])),)
            return (("K", "array", (None,), (self.union([self.type_of(unit, r) for r in data[2]]),)),)
        if op == ops.TYPE_FUNCTION:
            return (("R", self.type_of(unit, data[2]), tuple(self.type_of(unit, r) for r in data[1])),)
        if op == ops.INSTANCE:
            return self.type_of(unit, data[1])
        if op == ops.SELF:
            return (("I", unit.base + data[1], ()),)
        if op == ops.SUBSCRIPT:
            return self.generic(unit, data)
        return self.union([self.instance_of(v) for v in self.value(unit, row)])

    def instance_of(self, value: Value) -> Values:
        if value[0] == "C":
            return self.underlying(value) or (("I", value[1], value[2]),)
        if value[0] == "A":
            return self.type_of(self.units_by_index[value[1]], value[2])
        return (value,) if value[0] in ("X", "I", "K", "R", "W") else ()

    def underlying(self, value: Value) -> Values:
        return ()

    def generic(self, unit: Unit, data: tuple[Any, ...]) -> Values:
        arguments = [self.type_of(unit, r) for r in data[2]]
        parts: list[Values] = []
        for base in self.value(unit, data[1]) or (("X", self.plain_name(unit, data[1])),):
            if base[0] == "C":
                info = self.class_info(base[1])
                known = tuple(arguments) if info is not None and info.variables else ()
                parts.append((("I", base[1], known),))
                continue
            name = base[1].rsplit(".", 1)[-1].rsplit("::", 1)[-1] if base[0] == "X" else ""
            last = arguments[-1] if arguments else ()
            first = arguments[0] if arguments else ()
            if name in MAPS:
                parts.append((("K", "array", (None,), (last,)),))
            elif name in LISTS:
                parts.append((("K", "array", (None,), (first,)),))
            elif name in WRAPPERS:
                parts.append(first)
            elif name in TASKS:
                parts.append((("W", first),))
            else:
                parts.append((base,) if base[0] == "X" else ())
        return self.union(parts)

    def plain_name(self, unit: Unit, row: int) -> str:
        data = unit.values[row]
        if data[0] == ops.NAME:
            return data[1]
        if data[0] in (ops.ATTRIBUTE, ops.IMPORT):
            return data[2] if data[0] == ops.ATTRIBUTE else data[3]
        return "?"

    def eval_subscript(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.value(unit, data[1])

    def eval_instance(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.type_of(unit, data[1])

    def eval_constant(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return () if data[1] in ("none", "type variable") else (("X", data[1]),)

    def parameter_container(self, kind: str, values: Values) -> Values:
        return (("K", "array", (None,), (values,)),) if kind == "*" else values
