"""From a use to the definitions it may mean."""

from __future__ import annotations

from typing import Any

from quatrain.linking.evaluate import Evaluator, Unit, Value
from quatrain.parsing.bindings import facts as ops

__all__ = ["EXTERNAL", "FOUND", "UNKNOWN", "Targets"]

T0, T1, T2, T3, T4, T5, NO_TIER = range(7)
FOUND, EXTERNAL, UNKNOWN, ABSENT = range(4)  # ABSENT: the receiver is known and has no such member
_LIMIT = 16


class Targets:
    """Resolution of uses for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator

    def resolve(self, unit: Unit, row: int, seen: tuple[Any, ...] = ()) -> tuple[int, dict[int, int]]:
        """Return (state, {node: tier}) for the thing that a row names.

        A node is a global symbol id, or ``-2 - unit`` for a module.
        """
        data = unit.values[row]
        op = data[0]
        if op == ops.ATTRIBUTE:
            return self.attribute(unit, row, data)
        if op == ops.NAME or op == ops.IMPORT or op == ops.DEFINITION or op == ops.PHI:
            return self.named(unit, row, data, T0, seen)
        if op == ops.FIRST:
            return self.alternatives(unit, data[1])
        if op == ops.SUPER:
            info = self.evaluator.class_info(unit.base + data[1])
            if info is not None and info.facts.bases:
                first = [b for b, r in info.bases if r == info.facts.bases[0]]
                if first and self.evaluator.may_be_superclass(first[0]):
                    return FOUND, {first[0]: T2}
            return (EXTERNAL if info is not None and info.facts.bases else UNKNOWN), {}
        return self.valued(unit, row)

    def alternatives(self, unit: Unit, rows: tuple[int, ...]) -> tuple[int, dict[int, int]]:
        """Return the first reading that leads anywhere, else what the first says."""
        states = []
        for row in rows:
            state, found = self.resolve(unit, row)
            if found:
                return state, found
            states.append(state)
        return (states[0] if states else UNKNOWN), {}

    def named(
        self, unit: Unit, row: int, data: tuple[Any, ...], tier: int, seen: tuple[Any, ...]
    ) -> tuple[int, dict[int, int]]:
        key = (unit.index, row)
        if key in seen or len(seen) > 24:
            return UNKNOWN, {}
        seen = (*seen, key)
        op = data[0]
        if op == ops.DEFINITION:
            return FOUND, {unit.base + data[1]: tier}
        if op == ops.PHI:
            return self.gather([(unit, r) for r in data[1]], tier, seen)
        if op == ops.NAME:
            bindings = self.evaluator.lookup(unit, data[1], data[2])
            if bindings is None:
                values = self.evaluator.missing_name(unit, data[1], data[2])
                return (EXTERNAL if values else UNKNOWN), {}
            if bindings[0][0] is not unit:
                tier = T1
            state, found = self.gather(bindings, tier, seen)
            return self.with_variable(bindings, data[1], data[2] if bindings[0][0] is unit else 0, tier, state, found)
        if op == ops.IMPORT:
            kind, found_import = self.evaluator.import_bindings(unit, data)
            if kind == "rows":
                state, found = self.gather(found_import, T1, seen)
                return self.with_variable(found_import, self.imported_name(data), 0, T1, state, found)
            if kind == "module":
                return FOUND, {-2 - found_import.index: T1}
            return (EXTERNAL if kind == "external" else UNKNOWN), {}
        if op == ops.ATTRIBUTE:
            state, found = self.attribute(unit, row, data, seen)
            return state, {g: max(t, tier) if t < T2 else t for g, t in found.items()}
        return self.valued(unit, row)

    def imported_name(self, data: tuple[Any, ...]) -> str:
        return data[3]

    def with_variable(
        self, rows: list[tuple[Unit, int]], name: str, scope: int, tier: int, state: int, found: dict[int, int]
    ) -> tuple[int, dict[int, int]]:
        """Add the variable that holds the thing, when it is a variable: the name means both."""
        if all(u.values[r][0] in (ops.DEFINITION, ops.IMPORT) for u, r in rows):
            return state, found
        variable = self.variable(rows[0][0], name, scope)
        if variable is None or variable in found:
            return state, found
        return FOUND, {**found, variable: tier}

    def variable(self, unit: Unit, name: str, scope: int) -> int | None:
        while scope >= 0:
            symbol = unit.facts.variables.get((scope, name))
            if symbol is not None:
                return unit.base + symbol
            scope = unit.facts.scopes[scope].parent
        return None

    def gather(self, rows: list[tuple[Unit, int]], tier: int, seen: tuple[Any, ...]) -> tuple[int, dict[int, int]]:
        found: dict[int, int] = {}
        states = set()
        definitions: list[int] = []
        for unit, row in rows:
            state, part = self.named(unit, row, unit.values[row], tier, seen)
            states.add(state)
            if unit.values[row][0] == ops.DEFINITION:
                definitions.extend(part)
            for node, t in part.items():
                found.setdefault(node, t)
        if len(definitions) > 1:
            # Overload signatures stand for the implementation that follows them.
            facts = self.evaluator.function_facts
            plain = [d for d in definitions if not (d in facts and "overload" in facts[d].flags)]
            if plain:
                for d in definitions:
                    if d not in plain:
                        found.pop(d, None)
            else:
                for d in definitions[:-1]:
                    found.pop(d, None)
        if found:
            return FOUND, found
        return (EXTERNAL if states == {EXTERNAL} else UNKNOWN), {}

    def valued(self, unit: Unit, row: int) -> tuple[int, dict[int, int]]:
        """Return the definitions among the values of a row: an alias, a callback, a returned function."""
        values = self.evaluator.value(unit, row)
        found: dict[int, int] = {}
        outside = bool(values)
        for value in values:
            tag = value[0]
            if tag == "F" or tag == "C":
                found[value[1]] = T3
            elif tag == "I":
                for node in self.members(value, self.call_method):
                    found[node] = T3
            elif tag == "R":
                pass
            if tag != "X":
                outside = False
        if found:
            return FOUND, found
        return (EXTERNAL if outside else UNKNOWN), {}

    call_method = "__call__"

    def attribute(
        self, unit: Unit, row: int, data: tuple[Any, ...], seen: tuple[Any, ...] = ()
    ) -> tuple[int, dict[int, int]]:
        base_row, name = data[1], data[2]
        values = self.evaluator.value(unit, base_row)
        if not values:
            return self.extended(unit, values, name, UNKNOWN)
        found: dict[int, int] = {}
        declared: set[int] = set()
        declares = False  # whether the member exists and is no function
        known = 0
        outside = 0
        base = unit.values[base_row]
        for value in values[:_LIMIT]:
            tag = value[0]
            if tag == "X" or tag == "K" or tag == "KM" or tag == "P" or tag == "M":
                if tag == "M" or tag == "P":
                    state, part = self.module_member(value, name, seen)
                    if state == FOUND:
                        for node, tier in part.items():
                            found.setdefault(node, T1 if tier <= T1 else tier)
                        continue
                    if state == EXTERNAL:
                        outside += 1
                    continue
                outside += 1
                continue
            if tag in ("I", "C", "S"):
                known += 1
                nodes = self.members(value, name)
                below = not nodes and tag == "I" and self.evaluator.is_closed(value[1])
                if below:
                    nodes = self.below(unit, base, value, name)
                if nodes:
                    # Which of several classes below it will be, nobody can tell here.
                    tier = T5 if below and len(nodes) > 1 else self.receiver_tier(unit, base, value)
                    for node in nodes:
                        found.setdefault(node, tier)
                    if self.evaluator.declared_first and len(values) > 1 and self.is_declared(value, name):
                        declared.update(nodes)
                elif self.evaluator.bindings(value, name) is not None:
                    declares = True
                elif tag == "S" or not self.evaluator.is_closed(value[1]):
                    outside += 1
            elif tag in ("W", "FM", "L", "R"):
                outside += 1  # what the language's own types offer
            else:
                # An object literal, a function, a structural type, a type variable: what the member holds.
                _, part = self.from_values(self.evaluator.attribute(value, name))
                for node, tier in part.items():
                    found.setdefault(node, tier)
                known += tag not in ("F", "N")
                outside += tag == "F" and not part
        if found:
            if declared:
                # Parts of an intersection type: the one that declares the member goes before those that assign to it.
                found = {n: t for n, t in found.items() if n in declared}
            return FOUND, found
        if outside == len(values) and not declares:
            return self.extended(unit, values, name, EXTERNAL)
        return (ABSENT if known else UNKNOWN), {}

    def extended(self, unit: Unit, values: tuple[Value, ...], name: str, state: int) -> tuple[int, dict[int, int]]:
        """Return the functions of the file's own sight that extend a type from outside."""
        nodes = self.evaluator.extensions(unit, values, name)
        extended = {self.evaluator.by_gid[n].symbols[n - self.evaluator.by_gid[n].base].qualified_name for n in nodes}
        found = dict.fromkeys(nodes, T3 if len(extended) == 1 else T5)
        return (FOUND if found else state), found

    def is_declared(self, value: Value, name: str) -> bool:
        known = self.evaluator.bindings(value, name)
        return known is not None and any(e[1] for e in known[1])

    def below(self, unit: Unit, base: tuple[Any, ...], value: Value, name: str) -> list[int]:
        """Return the members that classes below provide for ``self``: a mixin or template that lacks its own."""
        if base[0] not in (ops.PARAMETER, ops.SELF, ops.PHI) or self.evaluator.bindings(value, name) is not None:
            return []
        if base[0] == ops.PARAMETER and self.receiver_tier(unit, base, value) != T2:
            return []
        nodes: dict[int, None] = {}
        for child in self.evaluator.descendants(value[1])[:64]:
            for node in self.members(("I", child, ()), name):
                nodes[node] = None
        return list(nodes) if len(nodes) <= _LIMIT else []

    def receiver_tier(self, unit: Unit, base: tuple[Any, ...], value: Value) -> int:
        op = base[0]
        if op == ops.SUPER or op == ops.SELF or value[0] == "S":
            return T2
        if op == ops.PARAMETER and base[2] == 0:
            function = unit.facts.functions.get(base[1])
            if function is not None and self.evaluator.self_value(unit, base[1], function, 0) is not None:
                return T2
        if op == ops.ATTRIBUTE and base[2] == "__class__":
            return T2
        if value[0] == "C":
            if op == ops.DEFINITION:
                return T0
            if op == ops.NAME:
                owner = self.evaluator.by_gid.get(value[1])
                return T0 if owner is unit else T1
            if op == ops.IMPORT:
                return T1
        if op == ops.NAME:
            # self of the method around a nested function
            bindings = self.evaluator.lookup(unit, base[1], base[2])
            if bindings is not None and len(bindings) == 1 and bindings[0][0] is unit:
                inner = unit.values[bindings[0][1]]
                if inner[0] != ops.NAME:
                    return self.receiver_tier(unit, inner, value) if inner[0] == ops.PARAMETER else T3
        return T3

    def members(self, value: Value, name: str) -> list[int]:
        """Return the definitions of a member of an instance, a class or ``super()``."""
        evaluator = self.evaluator
        found = evaluator.bindings(value, name)
        if found is None:
            stored = evaluator.stored(value, name) if value[0] in ("I", "C") else ()
            return list(self.from_values(stored)[1])
        info, entries = found
        nodes: list[int] = []
        overloads: list[int] = []
        for row, _, in_class in entries:
            data = info.unit.values[row]
            if data[0] == ops.DEFINITION and in_class:
                gid = info.unit.base + data[1]
                function = evaluator.function_facts.get(gid)
                if function is not None and "overload" in function.flags:
                    overloads.append(gid)
                else:
                    nodes.append(gid)
        if not nodes and overloads:
            nodes = overloads[-1:]
        if nodes:
            return list(dict.fromkeys(nodes))
        receiver = value[2] if value[0] == "S" else value
        for entry in entries:
            for node in self.from_values(evaluator.member_value(info, entry, receiver, False))[1]:
                if node not in nodes:
                    nodes.append(node)
        return nodes

    def field(self, value: Value, name: str) -> int | None:
        """Return the symbol that declares an attribute which is not a function."""
        found = self.evaluator.bindings(value, name)
        if found is None:
            return None
        info, _ = found
        symbol = info.unit.facts.variables.get((info.facts.scope, name))
        return None if symbol is None else info.unit.base + symbol

    def from_values(self, values: tuple[Value, ...]) -> tuple[int, dict[int, int]]:
        found: dict[int, int] = {}
        for value in values:
            if value[0] == "F" or value[0] == "C":
                found[value[1]] = T3
            elif value[0] == "I":
                known = self.evaluator.bindings(value, self.call_method)
                if known is not None:
                    for node in self.members(value, self.call_method):
                        found[node] = T3
        return (FOUND if found else UNKNOWN), found

    def module_member(self, value: Value, name: str, seen: tuple[Any, ...] = ()) -> tuple[int, dict[int, int]]:
        kind, found = self.evaluator.module_attribute(value, name)
        if kind == "rows":
            state, nodes = self.gather(found, T1, seen)
            return self.with_variable(found, name, 0, T1, state, nodes)
        if kind == "module":
            return FOUND, {-2 - found.index: T1}
        return self.from_values(self.evaluator.stored(value, name))
