"""Evaluation with types: type variables and their arguments, members of instances, what a call gives back."""

from __future__ import annotations

from typing import Any

from quatrain.linking.evaluate import DEPTH, NEVER, ClassInfo, Evaluator, Unit, Value, Values
from quatrain.parsing.bindings import facts as ops
from quatrain.parsing.bindings.facts import FunctionFacts

__all__ = ["TypedEvaluator"]

_COMPOSITE = frozenset(
    {"T", "TP", "TC", "TA", "TO", "K", "W", "R", "G", "I", "C"}
)  # values that may hold type variables


class TypedEvaluator(Evaluator):
    """What languages with classes and type expressions share."""

    def __init__(self, units: list[Unit]) -> None:
        super().__init__(units)
        self.lambda_tables: dict[int, dict[int, list[int]]] = {}
        self.units_by_index = {u.index: u for u in units}

    def metaclass(self, gid: int) -> int | None:
        return None

    def constructor(self, gid: int) -> int | None:
        """Return the function that making an instance of a class runs."""
        return None

    def members_env(self, value: Value, owner: int) -> dict[str, Values]:
        """Return what the type variables of ``owner`` are for an instance of a class below it."""
        key = (value[1], value[2], owner)
        known = self.member_env_memo.get(key)
        if known is not None:
            return known
        self.member_env_memo[key] = {}
        info = self.class_info(value[1])
        env: dict[str, Values] = {}
        if info is not None:
            env = dict(zip(info.variables, value[2], strict=False))
            if owner != value[1]:
                for base, row in info.bases:
                    base_info = self.class_info(base)
                    if base_info is None or owner not in base_info.mro:
                        continue
                    data = info.unit.values[max(row, 0)]
                    arguments: tuple[Values, ...] = value[2] if row < 0 else ()
                    if data[0] == ops.SUBSCRIPT:
                        arguments = tuple(self.substitute(self.type_of(info.unit, r), env) for r in data[2])
                    env = self.members_env(("I", base, arguments), owner)
                    break
        self.member_env_memo[key] = env
        return env

    def substitute(self, values: Values, env: dict[str, Values]) -> Values:
        if not values or not any(v[0] in _COMPOSITE for v in values):
            return values
        parts: list[Values] = []
        for value in values:
            tag = value[0]
            if tag == "T":
                parts.append(env.get(value[1], (value,)))
            elif tag == "TC":
                parts.append(tuple(("C", v[1], v[2]) if v[0] == "I" else v for v in env.get(value[1], ())) or (value,))
            elif tag == "K":
                parts.append(
                    (
                        (
                            *value[:3],
                            tuple(self.substitute(i, env) for i in value[3]),
                            *(self.substitute(k, env) for k in value[4:]),
                        ),
                    )
                )
            elif tag == "TO":
                parts.append((value if len(value) > 3 else (*value, tuple(sorted(env.items()))),))
            elif tag == "TA":
                given = env.get(value[1][1])
                parts.append(self.member_path(given, value[2]) if given else (value,))
            elif tag == "R":
                taken = tuple(self.substitute(p, env) for p in value[2])
                parts.append(
                    (("R", self.substitute(value[1], env), taken, *(self.substitute(v, env) for v in value[3:])),)
                )
            elif tag in ("W", "G", "TP"):
                parts.append(((tag, self.substitute(value[1], env), *value[2:]),))
            elif tag in ("I", "C") and value[2]:
                parts.append(((tag, value[1], tuple(self.substitute(a, env) for a in value[2])),))
            else:
                parts.append((value,))
        return self.union(parts)

    def bounded(self, values: Values) -> Values:
        """Replace type variables by their bounds: what an instance of the variable is at least."""
        if not any(v[0] in ("T", "TC", "TA") for v in values):
            return values
        parts: list[Values] = []
        for value in values:
            if value[0] == "T":
                parts.append(self.bound_of(value))
            elif value[0] == "TA":
                parts.append(self.member_path(self.bound_of(value[1]), value[2]))
            elif value[0] == "TC":
                parts.append(tuple(("C", v[1], v[2]) for v in self.bound_of(value) if v[0] == "I"))
            else:
                parts.append((value,))
        return self.union(parts)

    def bound_of(self, value: Value) -> Values:
        unit = self.units_by_index[value[2]]
        for name, row in unit.values[value[3]][3]:
            if name == "bound":
                return self.bounded(self.type_of(unit, row))
        return ()

    def bindings(self, value: Value, name: str) -> tuple[ClassInfo, list[tuple[int, bool, bool]]] | None:
        """Return the member of an instance, class or super value."""
        tag = value[0]
        if tag in ("I", "C"):
            found = self.member(value[1], name)
            if found is None and tag == "C":
                meta = self.metaclass(value[1])
                if meta is not None:
                    return self.member(meta, name)
            return found
        if tag == "S":
            return self.member(value[2][1], name, value[1])
        return None

    def stored(self, value: Value, name: str) -> Values:
        """Return what is assigned to an attribute from outside."""
        entries = self.stores.get(name)
        if not entries or len(entries) > 24:
            return ()
        parts = []
        for unit, base, row in entries:
            for target in self.value(unit, base):
                if target == value or (
                    target[0] == value[0] and target[0] in ("I", "C", "F", "M") and target[1] == value[1]
                ):
                    parts.append(self.value(unit, row))
                    break
        return self.union(parts)

    def has_variable(self, values: Values) -> bool:
        for value in values:
            tag = value[0]
            if tag in ("T", "TC", "TA") or (tag == "TO" and len(value) == 3):
                return True  # the members of a structural type are read when they are asked for
            if tag == "R" and any(self.has_variable(p) for p in (*value[2], *value[3:])):
                return True
            if tag == "K" and any(self.has_variable(i) for i in (*value[3], *value[4:])):
                return True
            if tag in ("W", "R", "G", "TP") and self.has_variable(value[1]):
                return True
            if tag in ("I", "C") and value[2] and any(self.has_variable(a) for a in value[2]):
                return True
        return False

    def explicit_arguments(
        self, gid: int, owner: Unit, unit: Unit, call: tuple[Any, ...], env: dict[str, Values]
    ) -> None:
        """Take type arguments that the call spells out."""

    def complete(
        self, gid: int, owner: Unit, unit: Unit, call: tuple[Any, ...], receiver: Any, env: dict[str, Values]
    ) -> None:
        """Find the type variables that the arguments leave open."""

    def member_path(self, values: Values, names: tuple[str, ...]) -> Values:
        return ()

    def solve(
        self,
        owner: Unit,
        function: FunctionFacts,
        unit: Unit,
        call: tuple[Any, ...],
        receiver: Any,
        env: dict[str, Values],
    ) -> None:
        """Find the type variables of a function from the arguments of a call."""
        for index, parameter in enumerate(function.parameters):
            if parameter.annotation < 0:
                continue
            wanted = self.type_of(owner, parameter.annotation)
            if not self.has_variable(wanted):
                continue
            given = self.argument(function, index, unit, call, receiver)
            if given:
                self.unify(wanted, given, env)

    def unify(self, wanted: Values, given: Values, env: dict[str, Values]) -> None:
        for w in wanted:
            tag = w[0]
            if tag == "T":
                taken = tuple(g for g in given if g[0] != "T")
                if taken and (len(wanted) == 1 or not env.get(w[1])):
                    env[w[1]] = self.union([env.get(w[1], ()), taken])[:8]
            elif tag == "TC":
                taken = tuple(("I", g[1], g[2]) for g in given if g[0] == "C") + tuple(g for g in given if g[0] == "X")
                if taken:
                    env[w[1]] = taken
            elif tag == "K":
                for g in given:
                    if g[0] == "K":
                        self.unify(self.union(w[3]), self.union(g[3]), env)
                        if len(w) > 4 and len(g) > 4:
                            self.unify(w[4], g[4], env)
                    elif g[0] == "I":
                        self.unify(self.union(w[3]), self.elements(g), env)
            elif tag == "R":
                for g in given:
                    if g[0] == "F":
                        self.unify(w[1], self.returned(g[1], g[2], None, None), env)
                    elif g[0] == "C":
                        self.unify(w[1], (("I", g[1], g[2]),), env)
                    elif g[0] == "R":
                        self.unify(w[1], g[1], env)
                        for a, b in zip(w[2], g[2], strict=False):
                            self.unify(a, b, env)
                    elif g[0] == "L":
                        owner = self.units_by_index[g[1]]
                        self.unify(w[1], self.value(owner, owner.values[g[2]][2]), env)
            elif tag in ("W", "G"):
                for g in given:
                    if g[0] == tag:
                        self.unify(w[1], g[1], env)
            elif tag in ("I", "C") and w[2]:
                for g in given:
                    if g[0] == tag and g[1] == w[1]:
                        for a, b in zip(w[2], g[2], strict=False):
                            self.unify(a, b, env)

    def lambda_calls(self, unit: Unit) -> dict[int, list[int]]:
        """Return the calls that take each lambda of a file."""
        table = self.lambda_tables.get(unit.index)
        if table is None:
            table = self.lambda_tables[unit.index] = {}
            lambdas = {i for i, v in enumerate(unit.values) if v[0] == ops.LAMBDA}
            if lambdas:
                for number, data in enumerate(unit.values):
                    if data[0] == ops.CALL or data[0] == ops.NEW:
                        for row in (*data[2], *(r for _, r in data[3])):
                            if row in lambdas:
                                table.setdefault(row, []).append(number)
        return table

    def type_of(self, unit: Unit, row: int) -> Values:
        """Return the instances that a type expression stands for."""
        if row <= 0:
            return ()
        memo = unit.type_memo
        known = memo.get(row)
        depth = self.depth
        if known is not None:
            if type(known) is int:
                if known < self.lowest:
                    self.lowest = known
                return ()
            return known
        if depth > DEPTH:
            self.lowest = 0
            return ()
        memo[row] = depth
        self.depth = depth + 1
        outer, self.lowest = self.lowest, NEVER
        try:
            result = self.evaluate_type(unit, row)
        finally:
            self.depth = depth
            memo[row] = None
        result = self.trimmed(result[:16])
        memo[row] = result
        self.settle(depth, outer, memo, row)
        return result

    def evaluate_type(self, unit: Unit, row: int) -> Values:
        return ()

    def declared_return(self, owner: Unit, gid: int, function: FunctionFacts, receiver: Any) -> Values:
        return ()

    def returned(self, gid: int, receiver: Any, unit: Unit | None, call: tuple[Any, ...] | None) -> Values:
        """Return what a function gives back to one call."""
        function = self.function_facts.get(gid)
        if function is None:
            return ()
        owner = self.by_gid[gid]
        key = (gid, receiver)
        memo = self.return_memo
        known = memo.get(key)
        if type(known) is int:
            if known < self.lowest:
                self.lowest = known
            return ()
        if known is None:
            depth = self.depth
            memo[key] = depth
            self.depth = depth + 1
            before, self.lowest = self.lowest, NEVER
            try:
                known = self.declared_return(owner, gid, function, receiver)
            finally:
                self.depth = depth
                memo[key] = None
            known = self.trimmed(known)
            memo[key] = known
            self.settle(depth, before, memo, key)
        result: Values = known
        if call is not None and unit is not None:
            if any(v[0] in _COMPOSITE for v in result):
                env: dict[str, Values] = {}
                if self.has_variable(result):
                    self.explicit_arguments(gid, owner, unit, call, env)
                    if not env:
                        self.solve(owner, function, unit, call, receiver, env)
                    self.complete(gid, owner, unit, call, receiver, env)
                    if env:
                        result = self.substitute(result, env)
            if function.annotation < 0:
                for row in function.returns:
                    data = owner.values[row]
                    if data[0] == ops.PARAMETER and data[1] == gid - owner.base and data[2] < len(function.parameters):
                        result = self.union([result, self.argument(function, data[2], unit, call, receiver)])
        return result

    def eval_lambda_parameter(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        parts: list[Values] = []
        for call in self.lambda_calls(unit).get(data[1], ()):
            parts.append(self.lambda_argument(unit, unit.values[call], data[1], data[2]))
        return self.union(parts)

    def lambda_argument(self, unit: Unit, call: tuple[Any, ...], row: int, index: int) -> Values:
        """Return what a callee hands to the lambda it was given."""
        parts: list[Values] = []
        for callee in self.value(unit, call[1]):
            parts.append(self.handed_over(callee, unit, call, row, index))
        return self.union(parts)

    def handed_over(self, callee: Value, unit: Unit, call: tuple[Any, ...], row: int, index: int) -> Values:
        if callee[0] not in ("F", "C"):
            return ()
        gid = callee[1] if callee[0] == "F" else self.constructor(callee[1])
        function = self.function_facts.get(gid) if gid is not None else None
        if gid is None or function is None:
            return ()
        owner = self.by_gid[gid]
        bound = callee[0] == "C" or callee[2] is not None
        parts: list[Values] = []
        for position, parameter in enumerate(function.parameters):
            if parameter.annotation < 0 or self.argument_row(function, position, call, bound) != row:
                continue
            for wanted in self.type_of(owner, parameter.annotation):
                if wanted[0] == "R":
                    taken = self.handed_to(wanted, index)
                    receiver = callee[2] if callee[0] == "F" else None
                    if receiver is not None and receiver[0] == "I" and self.has_variable(taken):
                        owner_class = owner.base + function.owner if function.owner >= 0 else receiver[1]
                        taken = self.substitute(taken, self.members_env(receiver, owner_class))
                    if self.has_variable(taken):
                        env: dict[str, Values] = {}
                        self.explicit_arguments(gid, owner, unit, call, env)
                        if not env:
                            self.solve_but(owner, function, unit, call, receiver, env, position)
                        taken = self.substitute(taken, env)
                    parts.append(self.bounded(taken))
        return self.union(parts)

    def handed_to(self, function: Value, index: int) -> Values:
        """Return what a function type says about one parameter, or at -1 about its receiver."""
        if index < 0:
            return function[3] if len(function) > 3 else ()
        return function[2][index] if index < len(function[2]) else ()

    def solve_but(
        self,
        owner: Unit,
        function: FunctionFacts,
        unit: Unit,
        call: tuple[Any, ...],
        receiver: Any,
        env: dict[str, Values],
        position: int,
    ) -> None:
        """Find type variables from all arguments but one."""
        kept = tuple(p if i != position else p._replace(annotation=-1) for i, p in enumerate(function.parameters))
        self.solve(owner, function._replace(parameters=kept), unit, call, receiver, env)
