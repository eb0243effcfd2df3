"""Demand-driven evaluation of value rows across files.

A value is a small tuple; ``value(unit, row)`` returns the set of values that a row may have, as a tuple without duplicates.  The empty tuple
means that nothing is known.  Results are memoised per row; a row that is asked for while it is being evaluated (a cycle) adds nothing.

====================  ============================================================================================
``("C", g, targs)``   the class with global symbol id g
``("I", g, targs)``   an instance of it
``("F", g, receiver)``  a function; receiver is a value or None
``("L", unit, row)``  a lambda
``("M", unit)``       a module
``("P", dotted)``     a package without a file of its own
``("X", dotted)``     something from outside the project
``("K", kind, keys, items)``  a container: keys are constants or None, items are value sets
``("S", g, receiver)``  ``super()`` seen from class g
``("T", name)``       a type variable
``("W", values)``     an awaitable of values
``("R", values, parameters, receiver)``  a callable that returns values; the last only where its type tells it
``("G", values)``     a context manager that yields values
``("TP", values)``    a truth value that says of an argument that it is one of the values
``("A", unit, row)``  an alias for a type expression
====================  ============================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from quatrain.linking.names import module_name
from quatrain.parsing.bindings import facts as ops
from quatrain.parsing.bindings.facts import ClassFacts, Facts, FunctionFacts
from quatrain.records import Symbol

__all__ = ["DEPTH", "FUEL", "NEVER", "ClassInfo", "Evaluator", "Unit", "Value", "Values"]

Value = tuple[Any, ...]
Values = tuple[Value, ...]

NEVER = 1 << 30
FUEL = 20_000
_PARTS = 120
_NESTED = frozenset({"TO", "TP", "K", "W", "R", "G", "KM", "FM"})  # and instances with type arguments
DEPTH = 90
_CALLERS = 24  # a function with more callers than this takes anything
_UNION = 16  # more values than this say nothing useful
_PENDING: Values = ()


class Unit:
    """One file while it is being linked."""

    __slots__ = (
        "base",
        "dotted",
        "facts",
        "imports",
        "index",
        "language",
        "memo",
        "name_memo",
        "package",
        "path",
        "symbols",
        "type_memo",
        "values",
    )

    def __init__(
        self, index: int, path: str, language: str, symbols: tuple[Symbol, ...], facts: Facts, base: int
    ) -> None:
        self.index = index
        self.path = path
        self.language = language
        self.symbols = symbols
        self.facts = facts
        self.values = facts.values
        self.memo: list[Any] = [None] * len(facts.values)
        self.type_memo: dict[int, Any] = {}
        self.name_memo: dict[tuple[str, int], Any] = {}
        self.base = base
        self.dotted = module_name(path, language)
        self.package = ""
        self.imports: set[str] = set()


class ClassInfo:
    """A class with its resolved bases."""

    __slots__ = ("bases", "closed", "facts", "gid", "members", "mro", "unit", "variables")

    def __init__(self, gid: int, unit: Unit, facts: ClassFacts) -> None:
        self.gid = gid
        self.unit = unit
        self.facts = facts
        self.bases: list[tuple[int, int]] = []  # (gid, row of the base expression)
        self.mro: tuple[int, ...] = (gid,)
        self.closed = True  # every ancestor is known
        self.variables: tuple[str, ...] = ()
        self.members: dict[str, Any] = {}


class Evaluator:
    """Evaluation that all languages share; a subclass says how its language finds modules and what its built-ins do."""

    language = ""
    overloads = False  # whether functions of one name are told apart by the number of arguments
    declared_first = False  # whether a union of values may be an intersection, whose declared members win

    def __init__(self, units: list[Unit]) -> None:
        self.same: dict[int, list[int]] = {}  # class -> further declarations of it
        self.units = units
        self.by_gid: dict[int, Unit] = {}
        self.function_facts: dict[int, FunctionFacts] = {}
        self.class_infos: dict[int, ClassInfo | None] = {}
        for unit in units:
            base = unit.base
            for symbol, function in unit.facts.functions.items():
                self.function_facts[base + symbol] = function
                self.by_gid[base + symbol] = unit
            for symbol in unit.facts.classes:
                self.by_gid[base + symbol] = unit
        self.depth = 0
        self.lowest = NEVER  # smallest depth of a row that was asked for while being evaluated
        self.provisional: list[tuple[Any, Any]] = []
        self.fuel = FUEL  # evaluations left for the use that is being resolved
        self.return_memo: dict[Any, Any] = {}
        self.member_env_memo: dict[Any, dict[str, Values]] = {}
        self.subclasses: dict[int, list[int]] | None = None
        self.stores: dict[str, list[tuple[Unit, int, int]]] = {}
        for unit in units:
            for name, entries in unit.facts.stores.items():
                self.stores.setdefault(name, []).extend((unit, base, value) for base, value in entries)
        self.argument_sites: dict[int, list[tuple[Unit, int, bool]]] = {}  # (caller, CALL row, bound)
        self.use_arguments = False
        self.handlers = {
            ops.NAME: self.eval_name,
            ops.DEFINITION: self.eval_definition,
            ops.ATTRIBUTE: self.eval_attribute,
            ops.CALL: self.eval_call,
            ops.NEW: self.eval_new,
            ops.ITEM: self.eval_item,
            ops.SUBSCRIPT: self.eval_subscript,
            ops.PHI: self.eval_phi,
            ops.FIRST: self.eval_first,
            ops.PARAMETER: self.eval_parameter,
            ops.LAMBDA: self.eval_lambda,
            ops.LAMBDA_PARAMETER: self.eval_lambda_parameter,
            ops.SEQUENCE: self.eval_sequence,
            ops.MAPPING: self.eval_mapping,
            ops.OBJECT: self.eval_object,
            ops.ELEMENT: self.eval_element,
            ops.AWAIT: self.eval_await,
            ops.ENTER: self.eval_enter,
            ops.CONSTANT: self.eval_constant,
            ops.IMPORT: self.eval_import,
            ops.INSTANCE: self.eval_instance,
            ops.SUPER: self.eval_super,
            ops.SELF: self.eval_self,
            ops.NARROW: self.eval_narrow,
            ops.UNPACK: self.eval_unpack,
            ops.SPREAD: self.eval_spread,
            ops.UPDATE: self.eval_update,
            ops.OPERATOR: self.eval_operator,
            ops.UNION: self.eval_alias,
            ops.TYPE_FUNCTION: self.eval_alias,
            ops.TYPE_OBJECT: self.eval_alias,
            ops.RETURN: self.eval_return,
            ops.TYPE_VARIABLE: self.eval_type_variable,
            ops.TYPE_QUERY: self.eval_alias,
        }

    # --- evaluation ----

    def value(self, unit: Unit, row: int) -> Values:
        """Return what the row may be."""
        if row <= 0:
            return ()
        memo = unit.memo
        known = memo[row]
        if known is not None:
            if type(known) is int:  # being evaluated, at that depth
                if known < self.lowest:
                    self.lowest = known
                return ()
            return known
        depth = self.depth
        if depth > DEPTH:
            self.lowest = 0
            return ()
        data = unit.values[row]
        handler = self.handlers.get(data[0])
        if handler is None:
            memo[row] = ()
            return ()
        self.fuel -= 1
        if self.fuel < 0:
            self.lowest = 0
            return ()
        memo[row] = depth
        self.depth = depth + 1
        outer, self.lowest = self.lowest, NEVER
        try:
            result = handler(unit, data, row)
        except BaseException:
            memo[row] = None
            raise
        finally:
            self.depth = depth
        if len(result) > _UNION:
            result = result[:_UNION]
        for value in result:
            tag = value[0]
            if tag in _NESTED or (tag == "I" and value[2]):
                result = self.trimmed(result)
                break
        memo[row] = result
        if self.lowest == NEVER and not self.provisional:
            self.lowest = outer
        else:
            self.settle(depth, outer, memo, row)
        return result

    def trimmed(self, values: Values) -> Values:
        """Cut down values whose parts have parts without end, such as the type of a recursive container."""
        if all(_weight(v) <= _PARTS for v in values):
            return values
        return tuple(v if _weight(v) <= _PARTS else _shallow(v) for v in values)

    def settle(self, depth: int, outer: int, memo: Any, key: Any) -> None:
        """Decide whether a result stands.

        A result that met a row still being evaluated further out is provisional: it serves until that row is done, then it is
        forgotten and computed anew with the whole answer at hand.
        """
        lowest = self.lowest
        if lowest < depth:
            self.provisional.append((memo, key))
        elif self.provisional and lowest == depth:
            for table, entry in self.provisional:
                table[entry] = None
            self.provisional.clear()
        if depth == 0 and self.provisional:
            for table, entry in self.provisional:
                table[entry] = None
            self.provisional.clear()
        self.lowest = outer if outer < lowest or lowest >= depth else lowest

    def union(self, parts: Iterable[Values]) -> Values:
        found: dict[Value, None] = {}
        for part in parts:
            for value in part:
                found[value] = None
        return tuple(found)

    def eval_name(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        bindings = self.lookup(unit, data[1], data[2])
        if bindings is None:
            return self.missing_name(unit, data[1], data[2])
        if len(bindings) == 1:
            return self.value(*bindings[0])
        return self.union(self.value(u, r) for u, r in bindings)

    def eval_definition(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        gid = unit.base + data[1]
        function = self.function_facts.get(gid)
        if function is not None:
            if function.decorators and len(data) == 2:
                decorated = self.decorated(unit, gid, function)
                if decorated:
                    return decorated
            return (("F", gid, None),)
        if data[1] in unit.facts.classes:
            return (("C", gid, ()),)
        return ()

    def decorated(self, unit: Unit, gid: int, function: FunctionFacts) -> Values:
        return ()

    def eval_attribute(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        base = self.value(unit, data[1])
        name = data[2]
        if len(base) == 1:
            return self.attribute(base[0], name)
        return self.union([self.attribute(value, name) for value in base])

    def eval_call(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        callees = self.value(unit, data[1])
        if not callees:
            return ()
        return self.union([self.call(value, unit, data) for value in callees])

    def eval_new(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.eval_call(unit, data, at)

    def eval_item(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.union([self.item(value, data[2]) for value in self.value(unit, data[1])])

    def eval_subscript(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        parts: list[Values] = []
        for value in self.value(unit, data[1]):
            tag = value[0]
            if tag == "C":
                info = self.class_info(value[1])
                if info is not None and info.variables:
                    arguments = tuple(self.type_of(unit, r) for r in data[2])[: len(info.variables)]
                    parts.append((("C", value[1], arguments),))
                else:
                    parts.append(self.item(value, None))
            elif tag == "X" and self.is_type_constructor(value[1]):
                parts.append((("A", unit.index, at),))
            elif data[3] is not None:
                parts.append(self.item(value, data[3]))
            else:
                keys = self.literals(unit, data[2][0], 0) if len(data[2]) == 1 else None
                parts.extend(self.item(value, key) for key in keys or (None,))
        return self.union(parts)

    def literals(self, unit: Unit, row: int, depth: int) -> list[Any] | None:
        """Return the constants that a row may be, or None when it may be anything else."""
        data = unit.values[row]
        op = data[0]
        if op == ops.CONSTANT:
            return [data[2]] if len(data) > 2 else None
        if depth > 6:
            return None
        rows: list[tuple[Unit, int]] | None = None
        if op == ops.NAME:
            rows = self.lookup(unit, data[1], data[2])
        elif op == ops.PHI:
            rows = [(unit, r) for r in data[1]]
        elif op == ops.IMPORT:
            kind, found = self.import_bindings(unit, data)
            rows = found if kind == "rows" else None
        elif op == ops.PARAMETER:
            function = unit.facts.functions.get(data[1])
            if function is not None and function.parameters[data[2]].default > 0:
                rows = [(unit, function.parameters[data[2]].default)]
        if not rows:
            return None
        found_all: list[Any] = []
        for other, r in rows:
            part = self.literals(other, r, depth + 1)
            if part is None:
                return None
            found_all.extend(part)
        return found_all

    def is_type_constructor(self, dotted: str) -> bool:
        return False

    def eval_phi(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.union([self.value(unit, r) for r in data[1]])

    def eval_first(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        best: Values = ()
        for row in data[1]:
            values = self.value(unit, row)
            if any(v[0] != "X" for v in values):
                return values
            best = best or values
        return best

    def eval_parameter(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        function = unit.facts.functions.get(data[1])
        if function is None:
            return ()
        index = data[2]
        own = self.self_value(unit, data[1], function, index)
        if own is not None:
            return own
        parameter = function.parameters[index]
        if parameter.annotation >= 0:
            values = self.type_of(unit, parameter.annotation)
            if values:
                return self.parameter_container(parameter.kind, self.bounded(values))
        values: Values = ()
        if parameter.default > 0:
            values = self.value(unit, parameter.default)
        if self.use_arguments:
            values = self.union([values, self.passed(unit, data[1], function, index)])
        return self.parameter_container(parameter.kind, values) if parameter.kind in ("*", "**") else values

    def bounded(self, values: Values) -> Values:
        return values

    def parameter_container(self, kind: str, values: Values) -> Values:
        if kind == "*":
            return (("K", "tuple", (None,), (values,)),)
        if kind == "**":
            return (("K", "dict", (None,), (values,)),)
        return values

    def passed(self, unit: Unit, symbol: int, function: FunctionFacts, index: int) -> Values:
        """Return what the known calls pass for a parameter."""
        sites = self.argument_sites.get(unit.base + symbol)
        if not sites or len(sites) > _CALLERS:
            return ()
        parts = []
        for caller, row, bound in sites:
            parts.append(self.argument(function, index, caller, caller.values[row], bound or None))
        return self.union(parts)[:_UNION]

    def argument(
        self, function: FunctionFacts, index: int, caller: Unit, call: tuple[Any, ...], receiver: Any
    ) -> Values:
        """Return the values of the argument that a call passes for the parameter at ``index``."""
        row = self.argument_row(function, index, call, receiver is not None)
        if row is None:
            return ()
        if isinstance(row, tuple):
            return self.union([self.value(caller, r) for r in row])
        return self.value(caller, row)

    def argument_row(self, function: FunctionFacts, index: int, call: tuple[Any, ...], bound: bool) -> Any:
        parameter = function.parameters[index]
        arguments, keywords = call[2], call[3] if len(call) > 3 else ()
        if parameter.kind != "/":
            for name, row in keywords:
                if name == parameter.name and parameter.kind not in ("*", "**"):
                    return row
        shift = 1 if bound and function.owner >= 0 and "static" not in function.flags else 0
        position = index - shift
        if parameter.kind == "*":
            return tuple(arguments[max(position, 0) :])
        if parameter.kind == "**":
            named = {p.name for p in function.parameters}
            return tuple(r for n, r in keywords if n not in named)
        if parameter.kind == "k" or position < 0 or position >= len(arguments):
            return None
        return arguments[position]

    def start_flow(self) -> None:
        """From here on, parameters hold what known calls pass; forget what was unknown without that."""
        self.use_arguments = True
        for unit in self.units:
            memo = unit.memo
            for row, known in enumerate(memo):
                if known == ():
                    memo[row] = None
        for key in [k for k, v in self.return_memo.items() if not v]:
            del self.return_memo[key]

    def self_value(self, unit: Unit, symbol: int, function: FunctionFacts, index: int) -> Values | None:
        return None

    def eval_lambda(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return (("L", unit.index, at),)

    def eval_lambda_parameter(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return ()

    def eval_sequence(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        rows = data[2]
        if len(data) > 3 or len(rows) > 16 or any(unit.values[r][0] == ops.SPREAD for r in rows):
            values = self.union([self.value(unit, r) for r in rows])
            return (("K", data[1], (None,), (values[:_UNION],)),)
        if data[1] == "set":
            return (("K", "set", (None,), (self.union([self.value(unit, r) for r in rows])[:_UNION],)),)
        return (("K", data[1], tuple(range(len(rows))), tuple(self.value(unit, r) for r in rows)),)

    def eval_mapping(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        keys: list[Any] = []
        items: list[Values] = []
        for key, row in zip(data[1], data[2], strict=True):
            values = self.value(unit, row)
            if key == "**":
                for value in values:
                    if value[0] == "K" and value[1] == "dict":
                        keys.extend(value[2])
                        items.extend(value[3])
            else:
                keys.append(key)
                items.append(values)
        key_values = self.value(unit, data[3]) if len(data) > 3 else ()
        if len(keys) > 64:
            keys, items = [None], [self.union(items)[:_UNION]]
        return (("K", "dict", tuple(keys), tuple(items), key_values),)

    def eval_object(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return (("O", unit.index, at),)

    def eval_element(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.union([self.elements(value) for value in self.value(unit, data[1])])

    def eval_await(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.union([v[1] if v[0] == "W" else (v,) for v in self.value(unit, data[1])])

    def eval_enter(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.union([self.enter(value) for value in self.value(unit, data[1])])

    def enter(self, value: Value) -> Values:
        return ()

    def eval_constant(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return () if data[1] == "none" else (("X", "builtins." + data[1]),)

    def eval_import(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        kind, found = self.import_bindings(unit, data)
        if kind == "rows":
            return self.union([self.value(u, r) for u, r in found])
        if kind == "module":
            return (("M", found.index),)
        if kind == "package":
            return (("P", found),)
        if kind == "external":
            return (("X", found),)
        return ()

    def eval_instance(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.bounded(self.type_of(unit, data[1]))

    def eval_super(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        gid = unit.base + data[1]
        function = unit.facts.functions.get(data[2])
        is_class = function is not None and "class" in function.flags
        return (("S", gid, ("C" if is_class else "I", gid, ())),)

    def eval_self(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return (("C" if data[2] else "I", unit.base + data[1], ()),)

    def eval_type_variable(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return ()

    def eval_return(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.returned(unit.base + data[1], None, None, None)

    def eval_narrow(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        base = self.value(unit, data[1])
        kind = data[3]
        wanted: list[Value] = []
        outside: list[Value] = []
        for value in self.classes_named(unit, data[2]):
            (wanted if value[0] == "C" else outside).append(value)
        if kind in (2, 4):
            tag = "I" if kind == 2 else "C"
            names = {v[1] for v in outside if v[0] == "X"}
            return tuple(
                v
                for v in base
                if not (
                    (v[0] == tag and any(self.is_subclass(v[1], w[1]) for w in wanted))
                    or (v[0] == "X" and v[1] in names)
                    or (v[0] == "K" and "builtins." + v[1] in names)
                )
            )
        tag = "I" if kind == 1 else "C"
        kept: list[Value] = []
        for value in base:
            if value[0] != tag:
                continue
            for w in wanted:
                if self.is_subclass(value[1], w[1]):
                    kept.append(value)
                elif self.is_subclass(w[1], value[1]):
                    kept.append((tag, w[1], ()))
        if outside:
            names = {v[1] for v in outside if v[0] == "X"}
            kept.extend(
                v for v in base if (v[0] == "X" and v[1] in names) or (v[0] == "K" and "builtins." + v[1] in names)
            )
            kept.extend(v for v in base if v[0] == tag and v not in kept and not self.is_closed(v[1]))
        if not kept:
            kept = [(tag, w[1], ()) for w in wanted]
            if not wanted and outside:
                kept = [("X", v[1]) for v in outside if v[0] == "X"]
        return tuple(dict.fromkeys(kept))

    def classes_named(self, unit: Unit, row: int) -> list[Value]:
        data = unit.values[row]
        if data[0] == ops.SEQUENCE:
            return [v for r in data[2] for v in self.classes_named(unit, r)]
        if data[0] == ops.UNION or (data[0] == ops.OPERATOR and data[3] == "|"):
            rows = data[1] if data[0] == ops.UNION else data[1:3]
            return [v for r in rows for v in self.classes_named(unit, r)]
        found: list[Value] = []
        for value in self.value(unit, row):
            if value[0] == "K":
                found.extend(v for items in value[3] for v in items if v[0] in ("C", "X"))
            elif value[0] in ("C", "X"):
                found.append(value)
        return found

    def eval_unpack(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        index, star = data[2], data[3]
        parts: list[Values] = []
        for value in self.value(unit, data[1]):
            if value[0] == "K" and star < -1:
                parts.append((("K", "list", (None,), (self.elements(value)[:_UNION],)),))
            elif value[0] == "K":
                keys = value[2]
                if None in keys or value[1] in ("dict", "set"):
                    parts.append(self.elements(value))
                else:
                    position = index if index >= 0 else len(keys) + index
                    if 0 <= position < len(keys):
                        parts.append(value[3][position])
            elif value[0] == "X":
                parts.append((value,))
            else:
                parts.append(self.elements(value))
        return self.union(parts)

    def eval_spread(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return self.eval_element(unit, data, at)

    def eval_update(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        base = self.value(unit, data[1]) if data[1] > 0 else ()
        added = self.value(unit, data[3])
        key = data[2]
        result: list[Value] = []
        for value in base:
            if value[0] != "K" or len(value[2]) >= 64:
                result.append(value)
                continue
            table = dict(zip(value[2], value[3], strict=True)) if None not in value[2] else None
            others = [o for o in added if o[0] == "K"] if key == "**" else [("K", "dict", (key,), (added,))]
            for other in others:
                if table is not None and None not in other[2]:
                    table.update(zip(other[2], other[3], strict=True))
                    value = (*value[:2], tuple(table), tuple(table.values()), *value[4:])
                else:
                    table = None
                    value = (*value[:2], value[2] + other[2], value[3] + other[3], *value[4:])
            result.append(value)
        if not base and added and key != "**":
            result.append(("K", "dict", (key,), (added,)))
        return tuple(dict.fromkeys(result))

    def eval_operator(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return ()

    def eval_alias(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return (("A", unit.index, at),)

    # --- names ----

    def lookup(self, unit: Unit, name: str, scope: int) -> list[tuple[Unit, int]] | None:
        """Return the rows that may bind a name seen from a scope; None when nothing in the file binds it."""
        key = (name, scope)
        memo = unit.name_memo
        if key in memo:
            return memo[key]
        memo[key] = None
        scopes = unit.facts.scopes
        number = scope
        found: list[tuple[Unit, int]] | None = None
        while number >= 0:
            entry = scopes[number]
            rows = entry.names.get(name)
            if rows:
                found = [(unit, r) for r in rows]
                break
            if entry.stars:
                found = self.star_lookup(unit, entry.stars, name)
                if found:
                    break
                found = None
            number = entry.parent
        memo[key] = found
        return found

    def star_lookup(self, unit: Unit, stars: tuple[int, ...], name: str) -> list[tuple[Unit, int]] | None:
        return None

    def missing_name(self, unit: Unit, name: str, scope: int) -> Values:
        return ()

    def import_bindings(self, unit: Unit, data: tuple[Any, ...]) -> tuple[str, Any]:
        """Return ("rows", [(unit, row)]), ("module", unit), ("package", dotted), ("external", dotted) or ("unknown", None)."""
        return "unknown", None

    # --- classes ----

    def class_info(self, gid: int) -> ClassInfo | None:
        if gid in self.class_infos:
            return self.class_infos[gid]
        unit = self.by_gid.get(gid)
        facts = unit.facts.classes.get(gid - unit.base) if unit is not None else None
        if unit is None or facts is None:
            self.class_infos[gid] = None
            return None
        info = ClassInfo(gid, unit, facts)
        self.class_infos[gid] = info
        linear: list[tuple[int, ...]] = []
        bases: list[tuple[int, int]] = []
        parts = [p for p in self.parts(gid) if p != gid]
        for part in (gid, *parts):
            owner = self.by_gid[part]
            for row in owner.facts.classes[part - owner.base].bases:
                values = self.base_values(owner, row)
                known = [v for v in values if v[0] == "C" and v[1] != gid and v[1] not in parts]
                if known:
                    base = self.class_info(known[0][1])
                    if base is not None and gid not in base.mro:
                        bases.append((known[0][1], row if part == gid else -1))
                        linear.append(base.mro)
                        info.closed = info.closed and base.closed
                elif not self.is_root_base(values):
                    info.closed = False
        own: list[tuple[int, ...]] = []
        for other in self.merged(info):
            base = self.class_info(other)
            if base is not None and gid not in base.mro:
                info.bases.append((other, -1))
                own.append(base.mro)
        # What belongs to the class itself goes before what it inherits.
        info.bases.extend(bases)
        info.mro = (gid, *parts, *self.linearize([*own, *linear], info.bases))
        info.variables = self.class_variables(info)
        info.members.clear()  # what was looked up while the bases were not known
        return info

    def linearize(self, orders: list[tuple[int, ...]], bases: list[tuple[int, int]]) -> list[int]:
        """Return the classes above one, in the order in which members are looked for; ``orders`` are those of its bases."""
        return _merge([*orders, tuple(b for b, _ in bases)])

    def parts(self, gid: int) -> list[int]:
        """Return the other declarations of a class that is declared in parts."""
        return self.same.get(gid, [])

    def group_by(self, key: Any) -> None:
        """Take classes with the same key (and in the same package of files) for parts of one class."""
        groups: dict[tuple[str, str], list[int]] = {}
        for unit in self.units:
            for symbol in unit.facts.classes:
                text = key(unit, symbol)
                if text:
                    groups.setdefault((unit.package, text), []).append(unit.base + symbol)
        for gids in groups.values():
            for gid in gids if len(gids) > 1 else ():
                self.same[gid] = [g for g in gids if g != gid]

    def merged(self, info: ClassInfo) -> list[int]:
        """Return further declarations of the same class."""
        return []

    def name_candidates(self, unit: Unit, name: str) -> list[int]:
        """Return the functions that an unresolved bare name may mean."""
        return []

    def implementations(self) -> Iterable[tuple[int, int]]:
        """Return (method that is declared, method that a call of it may run) beyond what inheritance says."""
        return ()

    def compiled_in(self, unit: Unit, found: dict[int, int]) -> tuple[dict[int, int], list[int]]:
        """Return which of some definitions are meant for sure, and those of which the system or options of the build choose one."""
        return found, []

    def extensions(self, unit: Unit, values: Values, name: str) -> list[int]:
        """Return the functions that a file sees as members of values whose type is not known here."""
        return []

    def set_packages(self, manifests: dict[str, str]) -> None:
        """Take the folders that hold a package manifest, by folder."""

    def base_values(self, unit: Unit, row: int) -> Values:
        return self.value(unit, row)

    def is_root_base(self, values: Values) -> bool:
        return False

    def may_be_superclass(self, gid: int) -> bool:
        """Tell whether ``super`` may mean a type: an interface has nothing to construct."""
        unit = self.by_gid[gid]
        return unit.symbols[gid - unit.base].kind != "interface"

    def class_variables(self, info: ClassInfo) -> tuple[str, ...]:
        return info.facts.variables

    def is_subclass(self, gid: int, other: int) -> bool:
        info = self.class_info(gid)
        return info is not None and other in info.mro

    def is_closed(self, gid: int) -> bool:
        info = self.class_info(gid)
        return info is not None and info.closed

    def member(self, gid: int, name: str, after: int = -1) -> tuple[ClassInfo, list[tuple[int, bool, bool]]] | None:
        """Return the class along the resolution order that has a member, with its (row, declared, in class body) bindings."""
        info = self.class_infos.get(gid) or self.class_info(gid)
        if info is None:
            return None
        key = name if after < 0 else f"{name}\0{after}"
        known = info.members.get(key, False)
        if known is not False:
            return known
        result = None
        order = info.mro
        if after >= 0:
            order = order[order.index(after) + 1 :] if after in order else ()
        for candidate in order:
            owner = self.class_infos.get(candidate) or self.class_info(candidate)
            if owner is None:
                continue
            entries = self.own_member(owner, name)
            if entries:
                result = (owner, entries)
                break
        info.members[key] = result
        return result

    def own_member(self, owner: ClassInfo, name: str) -> list[tuple[int, bool, bool]]:
        rows = owner.unit.facts.scopes[owner.facts.scope].names.get(name, ())
        assigned = owner.facts.attributes.get(name, ())
        if not rows and not assigned:
            return []
        entries: list[tuple[int, bool, bool]] = []
        values = owner.unit.values
        for row in rows:
            entries.append((row, values[row][0] in (ops.INSTANCE, ops.DEFINITION), True))
        for row, declared in assigned:
            entries.append((row, declared, False))
        declared_entries = [e for e in entries if e[1]]
        return declared_entries or entries

    def descendants(self, gid: int) -> list[int]:
        if self.subclasses is None:
            table: dict[int, list[int]] = {}
            for unit in self.units:
                for symbol in unit.facts.classes:
                    info = self.class_info(unit.base + symbol)
                    if info is not None:
                        for base, _ in info.bases:
                            table.setdefault(base, []).append(info.gid)
            self.subclasses = table
        found: list[int] = []
        seen = {gid}
        stack = [gid]
        while stack:
            for child in self.subclasses.get(stack.pop(), ()):
                if child not in seen:
                    seen.add(child)
                    found.append(child)
                    stack.append(child)
        return found

    # --- attributes, calls, items: by kind of value ----

    def attribute(self, value: Value, name: str) -> Values:
        return ()

    def call(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        return ()

    def item(self, value: Value, key: Any) -> Values:
        tag = value[0]
        if tag == "K":
            keys = value[2]
            if isinstance(key, tuple):
                if None not in keys and value[1] in ("list", "tuple"):
                    items = value[3][key[0] : key[1]]
                    return (("K", value[1], tuple(range(len(items))), items),)
                return (("K", value[1], (None,), (self.elements(value)[:_UNION],)),)
            if key is not None and None not in keys:
                parts = [items for k, items in zip(keys, value[3], strict=True) if k == key]
                if (
                    isinstance(key, int)
                    and key < 0
                    and not parts
                    and value[1] in ("list", "tuple")
                    and -key <= len(keys)
                ):
                    parts = [value[3][key]]
                return self.union(parts)
            if key is not None:
                parts = [items for k, items in zip(keys, value[3], strict=True) if k is None or k == key]
                return self.union(parts)
            return self.union(value[3])
        if tag == "X":
            return (("X", value[1] + "[]"),)
        return ()

    def elements(self, value: Value) -> Values:
        tag = value[0]
        if tag == "K":
            if value[1] == "dict":
                return value[4] if len(value) > 4 else ()
            return self.union(value[3])
        if tag == "X":
            return (("X", value[1] + "[]"),)
        return ()

    def returned(self, gid: int, receiver: Any, unit: Unit | None, call: tuple[Any, ...] | None) -> Values:
        return ()

    def type_of(self, unit: Unit, row: int) -> Values:
        """Return the instances that a type expression stands for."""
        return ()


def _weight(value: Value) -> int:
    """Return the number of parts of a value, counted up to the limit."""
    count = 0
    stack: list[Any] = [value]
    while stack:
        for part in stack.pop():
            if type(part) is tuple:
                count += 1
                if count > _PARTS:
                    return count
                stack.append(part)
    return count


def _shallow(value: Value) -> Value:
    tag = value[0]
    if tag == "K":
        return ("K", value[1], (None,), ((),))
    if tag in ("I", "C"):
        return (tag, value[1], ())
    if tag == "R":
        return ("R", (), ())
    if tag in ("W", "G"):
        return (tag, ())
    if tag == "F":
        return ("F", value[1], None)
    if tag == "TO":
        return (*value[:3], ())
    return ("X", "?")


def _merge(sequences: list[tuple[int, ...]]) -> list[int]:
    """Return the C3 linearisation; when there is none, the first-seen order."""
    result: list[int] = []
    lists = [list(s) for s in sequences if s]
    while lists:
        for candidate_list in lists:
            head = candidate_list[0]
            if not any(head in other[1:] for other in lists):
                break
        else:
            head = lists[0][0]
        result.append(head)
        lists = [rest for s in lists if (rest := [x for x in s if x != head])]
    return result
