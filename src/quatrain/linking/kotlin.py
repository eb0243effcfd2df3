"""Linking of Kotlin: top-level functions, extensions and lambdas with a receiver."""

from __future__ import annotations

from typing import Any

from quatrain.linking.containers import LISTS, MAPS, PLAIN
from quatrain.linking.evaluate import Unit, Value, Values
from quatrain.linking.java import JavaEvaluator
from quatrain.parsing.bindings import facts as ops
from quatrain.parsing.bindings.facts import FunctionFacts

__all__ = ["KotlinEvaluator"]


class KotlinEvaluator(JavaEvaluator):
    """Packages as in Java; functions outside of classes, extensions, lambdas with a receiver."""

    language = "kotlin"
    builtin_methods = JavaEvaluator.builtin_methods | frozenset(
        [
            "let",
            "also",
            "apply",
            "with",
            "use",
            "to",
            "invoke",
            "first",
            "last",
            "any",
            "all",
            "none",
            "find",
            "plus",
            "minus",
            "contains",
            "indexOf",
            "copy",
            "lazy",
            "toList",
            "toSet",
            "toMap",
            "toInt",
            "toFloat",
            "toDouble",
            "toLong",
            "joinToString",
            "getOrNull",
            "getOrPut",
            "launch",
            "async",
            "emit",
            "send",
            "trim",
            "split",
            "replace",
        ]
    )
    scope_functions = frozenset(["let", "also", "apply", "run", "with", "use", "takeIf", "takeUnless"])

    def eval_attribute(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        values = super().eval_attribute(unit, data, at)
        if all(v[0] == "X" for v in values):
            found = self.extensions(unit, self.value(unit, data[1]), data[2])
            if found:
                return tuple(("F", gid, None) for gid in found)
        return values

    def extensions(self, unit: Unit, values: Values, name: str) -> list[int]:
        found: list[int] = []
        exact: list[int] = []  # of just the type that the values have
        for other, row in self.lookup(unit, name, 0) or ():
            rows = [(other, row)]
            if other.values[row][0] == ops.IMPORT:
                kind, imported = self.import_bindings(other, other.values[row])
                rows = imported if kind == "rows" else []
            for owner, r in rows:
                data = owner.values[r]
                type_row = owner.facts.extra["extensions"].get(data[1]) if data[0] == ops.DEFINITION else None
                if type_row is not None and self.may_extend(owner, type_row, values):
                    found.append(owner.base + data[1])
                    if values and all(
                        v[0] == "X" and v[1].rsplit(".", 1)[-1] == self.extended_name(owner, type_row) for v in values
                    ):
                        exact.append(owner.base + data[1])
        return list(dict.fromkeys(exact or found))

    def takes(self, gid: int, unit: Unit, call: tuple[Any, ...]) -> int:
        """Prefer, where a bare name is called, the function that extends nothing: no receiver is written."""
        exact = super().takes(gid, unit, call)
        owner = self.by_gid[gid]
        bare = unit.values[call[1]][0] == ops.NAME and gid - owner.base not in owner.facts.extra["extensions"]
        return exact + 1 if exact >= 0 and bare else exact

    def extended_name(self, owner: Unit, type_row: int) -> str:
        while owner.values[type_row][0] == ops.SUBSCRIPT:
            type_row = owner.values[type_row][1]
        return self.plain_name(owner, type_row)

    def may_extend(self, owner: Unit, type_row: int, values: Values) -> bool:
        """Tell whether values of types from outside may be of the type that a function extends."""
        wanted = self.extended_name(owner, type_row)
        for value in values:
            if value[0] == "X":
                given = value[1].rsplit(".", 1)[-1]
                if given != wanted and (given in PLAIN or wanted in PLAIN) and given[:1].isupper():
                    return False
            elif value[0] != "K" or wanted not in LISTS | MAPS:
                return False
        return True

    def argument_row(self, function: FunctionFacts, index: int, call: tuple[Any, ...], bound: bool) -> Any:
        if index == len(function.parameters) - 1:
            for name, row in call[3]:
                if name == "{}":
                    return row
        return super().argument_row(function, index, call, bound)

    def evaluate_type(self, unit: Unit, row: int) -> Values:
        data = unit.values[row]
        if data[0] != ops.TYPE_FUNCTION:
            return super().evaluate_type(unit, row)
        parameters = tuple(self.type_of(unit, r) for r in data[1])
        return (("R", self.type_of(unit, data[2]), parameters, self.type_of(unit, data[3])),)

    def class_attribute(self, value: Value, name: str) -> Values:
        if value[0] == "I" and name in self.scope_functions and self.bindings(value, name) is None:
            return (("KM", name, value),)
        return super().class_attribute(value, name)

    def handed_over(self, callee: Value, unit: Unit, call: tuple[Any, ...], row: int, index: int) -> Values:
        if callee[0] == "KM":
            name, value = callee[1], callee[2]
            if name in ("apply", "run", "with"):
                return (value,) if index < 0 else ()
            if index < 0:
                return ()
            return (value,) if name in self.scope_functions else super().handed_over(callee, unit, call, row, index)
        return super().handed_over(callee, unit, call, row, index)

    def call_method(self, name: str, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        rows = [*call[2], *(r for _, r in call[3])]
        if name in ("let", "run", "with", "use"):
            return self.union([self.result_of(v) for r in rows for v in self.value(unit, r)])[:8]
        if name in self.scope_functions:
            return (value,)
        return super().call_method(name, value, unit, (call[0], call[1], tuple(rows), ()))
