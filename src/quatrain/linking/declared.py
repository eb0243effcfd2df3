"""Linking of languages that declare their types: packages and namespaces, members of types wherever they are defined."""

from __future__ import annotations

import re
from collections.abc import Iterable
from posixpath import dirname, join, normpath
from typing import Any

from quatrain.linking.evaluate import ClassInfo, Unit, Value, Values
from quatrain.linking.generics import TypedEvaluator
from quatrain.parsing.bindings import facts as ops
from quatrain.parsing.bindings.facts import ClassFacts, FunctionFacts

__all__ = [
    "SYNTHETIC",
    "CEvaluator",
    "CSharpEvaluator",
    "DeclaredEvaluator",
    "GoEvaluator",
    "JavaEvaluator",
    "KotlinEvaluator",
    "PhpEvaluator",
    "RubyEvaluator",
    "RustEvaluator",
]

Row = tuple[Unit, int]
SYNTHETIC = 1 << 40  # ids of member groups that stand away from their type

_LISTS = frozenset(
    [
        "List",
        "ArrayList",
        "LinkedList",
        "Collection",
        "Iterable",
        "Iterator",
        "Set",
        "HashSet",
        "TreeSet",
        "LinkedHashSet",
        "SortedSet",
        "Queue",
        "Deque",
        "ArrayDeque",
        "Stack",
        "Vector",
        "Stream",
        "IEnumerable",
        "IList",
        "ICollection",
        "IReadOnlyList",
        "IReadOnlyCollection",
        "IEnumerator",
        "ISet",
        "HashSet",
        "ConcurrentBag",
        "ImmutableList",
        "ImmutableArray",
        "Span",
        "ReadOnlySpan",
        "Memory",
        "Vec",
        "VecDeque",
        "BTreeSet",
        "BinaryHeap",
        "vector",
        "list",
        "deque",
        "set",
        "unordered_set",
        "multiset",
        "array",
        "span",
        "initializer_list",
        "queue",
        "stack",
        "priority_queue",
        "forward_list",
        "Collection",
        "ArrayAccess",
        "Traversable",
        "Generator",
        "iterable",
        "MutableList",
        "MutableSet",
        "MutableCollection",
        "MutableIterable",
        "Sequence",
        "Array",
        "Flow",
        "StateFlow",
        "Channel",
    ]
)
_MAPS = frozenset(
    [
        "Map",
        "HashMap",
        "TreeMap",
        "LinkedHashMap",
        "ConcurrentHashMap",
        "ConcurrentMap",
        "SortedMap",
        "EnumMap",
        "WeakHashMap",
        "Dictionary",
        "IDictionary",
        "IReadOnlyDictionary",
        "ConcurrentDictionary",
        "SortedDictionary",
        "ImmutableDictionary",
        "BTreeMap",
        "IndexMap",
        "MutableMap",
        "SparseArray",
        "map",
        "unordered_map",
        "multimap",
    ]
)
_WRAPPERS = frozenset(
    [
        "Optional",
        "Nullable",
        "Lazy",
        "Ref",
        "AtomicReference",
        "WeakReference",
        "ThreadLocal",
        "Option",
        "Result",
        "Box",
        "Rc",
        "Arc",
        "Cell",
        "RefCell",
        "Mutex",
        "RwLock",
        "Pin",
        "Cow",
        "RefMut",
        "OnceCell",
        "OnceLock",
        "shared_ptr",
        "unique_ptr",
        "weak_ptr",
        "optional",
        "reference_wrapper",
        "atomic",
        "Supplier",
        "Provider",
    ]
)
_TASKS = frozenset(["Task", "ValueTask", "CompletableFuture", "Future", "CompletionStage", "ListenableFuture"])
_SAME = frozenset(
    [
        "unwrap",
        "expect",
        "as_ref",
        "as_mut",
        "clone",
        "borrow",
        "borrow_mut",
        "lock",
        "unwrap_or",
        "unwrap_or_else",
        "unwrap_or_default",
        "to_owned",
        "into",
        "as_deref",
        "take",
        "cloned",
        "copied",
        "get_mut",
        "as_slice",
        "iter",
        "iter_mut",
        "into_iter",
        "collect",
        "filter",
        "rev",
        "skip",
        "chain",
        "peekable",
        "stream",
        "parallelStream",
        "sorted",
        "distinct",
        "limit",
        "toList",
        "ToList",
        "ToArray",
        "Where",
        "OrderBy",
        "OrderByDescending",
        "Skip",
        "Take",
        "Reverse",
        "Distinct",
        "AsEnumerable",
        "asList",
        "orElse",
        "orElseThrow",
        "orElseGet",
        "get",
        "Value",
        "GetValueOrDefault",
        "select",
        "reject",
        "sort",
        "reverse",
        "compact",
        "uniq",
        "to_a",
        "each",
        "each_with_index",
        "ok",
        "ok_or",
        "ok_or_else",
        "map_err",
        "values",
        "Values",
        "join",
        "ConfigureAwait",
        "dup",
        "freeze",
        "tap",
    ]
)
_ELEMENTS = frozenset(
    [
        "get",
        "getValue",
        "getFirst",
        "getLast",
        "first",
        "last",
        "pop",
        "push_back",
        "front",
        "back",
        "at",
        "next",
        "next_back",
        "remove",
        "poll",
        "peek",
        "element",
        "nth",
        "First",
        "FirstOrDefault",
        "Single",
        "SingleOrDefault",
        "Last",
        "LastOrDefault",
        "ElementAt",
        "Dequeue",
        "Peek",
        "Pop",
        "findFirst",
        "findAny",
        "orElse",
        "find",
        "detect",
        "sample",
        "shift",
        "max",
        "min",
        "removeFirst",
        "removeLast",
        "take",
        "pop_front",
        "pop_back",
        "getOrDefault",
        "computeIfAbsent",
        "putIfAbsent",
        "TryGetValue",
        "GetOrAdd",
        "entry",
        "or_insert",
        "or_insert_with",
        "or_default",
        "fetch",
    ]
)


# Types that are nothing but themselves, by the names of Java, C# and Kotlin; a number fits where a larger one is wanted.
_SIZES = {
    **dict.fromkeys(("byte", "Byte"), 1),
    **dict.fromkeys(("short", "Short", "char", "Char"), 2),
    **dict.fromkeys(("int", "Int", "Integer", "Int32"), 3),
    **dict.fromkeys(("long", "Long", "Int64"), 4),
    **dict.fromkeys(("float", "Float"), 5),
    **dict.fromkeys(("double", "Double"), 6),
}
_PLAIN = frozenset({*_SIZES, "String", "string", "boolean", "bool", "Boolean", "Unit"})


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
            if value[0] == "I" and name in _SAME:
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
        if name in _ELEMENTS:
            return items
        if name in _SAME:
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
                if own in _SIZES and name in _SIZES:
                    return 0 if _SIZES[own] < _SIZES[name] else -1
                return -1 if own in _PLAIN and name in _PLAIN else 0
            return -1 if name in _PLAIN else 0
        if wanted[0] == "I" and given[0] == "X":
            return -1 if given[1] in _PLAIN else 0
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
            if name in _MAPS:
                parts.append((("K", "array", (None,), (last,)),))
            elif name in _LISTS:
                parts.append((("K", "array", (None,), (first,)),))
            elif name in _WRAPPERS:
                parts.append(first)
            elif name in _TASKS:
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
        return list(dict.fromkeys(found))

    def may_extend(self, owner: Unit, type_row: int, values: Values) -> bool:
        """Tell whether values of types from outside may be of the type that a function extends."""
        while owner.values[type_row][0] == ops.SUBSCRIPT:
            type_row = owner.values[type_row][1]
        wanted = self.plain_name(owner, type_row)
        for value in values:
            if value[0] == "X":
                given = value[1].rsplit(".", 1)[-1]
                if given != wanted and (given in _PLAIN or wanted in _PLAIN) and given[:1].isupper():
                    return False
            elif value[0] != "K" or wanted not in _LISTS | _MAPS:
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


class PhpEvaluator(JavaEvaluator):
    """Namespaces; functions and constants fall back to the global one."""

    language = "php"

    def find_name(self, unit: Unit, name: str, scope: int) -> list[Row] | None:
        if name[:1] == "$":
            scopes = unit.facts.scopes
            number = scope
            while number >= 0:
                rows = scopes[number].names.get(name)
                if rows:
                    return [(unit, r) for r in rows]
                number = scopes[number].parent if scopes[number].kind == "block" else -1
            return None
        rows = unit.facts.scopes[0].names.get(name)
        return [(unit, r) for r in rows] if rows else self.package_names(unit, name)

    def package_names(self, unit: Unit, name: str) -> list[Row] | None:
        rows = self.named.get(self.package_of(unit), {}).get(name)
        if rows:
            return rows
        head = self.package_of(unit)
        if any(p.startswith(f"{head}\\{name}" if head else name) for p in self.named):
            return None
        rows = self.named.get("", {}).get(name)
        if rows and all(u.values[r][1] in u.facts.functions for u, r in rows if u.values[r][0] == ops.DEFINITION):
            return rows
        return None

    def resolve_import(self, unit: Unit, module: str, name: str) -> tuple[str, Any]:
        rows = self.named.get(module, {}).get(name)
        if rows:
            return "rows", rows
        full = f"{module}\\{name}" if module else name
        if full in self.named:
            return "package", full
        return "external", full


class RustEvaluator(DeclaredEvaluator):
    """Modules are files and blocks; ``impl`` blocks give types their methods."""

    language = "rust"
    overloads = False
    members_are_names = False
    builtin_methods = (
        _SAME
        | _ELEMENTS
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


class RubyEvaluator(DeclaredEvaluator):
    """Constants are global; classes may be opened again anywhere."""

    language = "ruby"
    overloads = False
    builtin_methods = frozenset(
        [
            "new",
            "initialize",
            "call",
            "to_s",
            "to_a",
            "to_h",
            "to_i",
            "to_sym",
            "to_str",
            "inspect",
            "each",
            "map",
            "select",
            "reject",
            "find",
            "first",
            "last",
            "size",
            "length",
            "empty?",
            "nil?",
            "is_a?",
            "respond_to?",
            "send",
            "public_send",
            "class",
            "freeze",
            "dup",
            "clone",
            "tap",
            "then",
            "puts",
            "print",
            "raise",
            "require",
            "include",
            "extend",
            "key?",
            "keys",
            "values",
            "merge",
            "merge!",
            "delete",
            "push",
            "pop",
            "shift",
            "unshift",
            "join",
            "split",
            "gsub",
            "sub",
            "match",
            "match?",
            "strip",
            "upcase",
            "downcase",
            "start_with?",
            "end_with?",
            "include?",
            "any?",
            "all?",
            "none?",
            "sort",
            "sort_by",
            "min",
            "max",
            "sum",
            "count",
            "zip",
            "flatten",
            "compact",
            "uniq",
            "reverse",
            "hash",
            "==",
            "===",
            "<=>",
            "[]",
            "[]=",
            "<<",
            "+",
            "-",
            "*",
            "/",
            "%",
            "get",
            "post",
            "put",
            "patch",
            "write",
            "read",
            "close",
            "open",
            "add",
            "remove",
            "update",
            "create",
            "build",
            "set",
            "fetch",
            "dig",
        ]
    )

    def index(self) -> None:
        for unit in self.units:
            for name, rows in unit.facts.scopes[0].names.items():
                self.named.setdefault("", {}).setdefault(name, []).extend((unit, r) for r in rows)

    def reaches(self, unit: Unit, other: Unit) -> bool:
        return unit.package == other.package

    def group_partial(self) -> None:
        self.group_by(lambda unit, symbol: unit.symbols[symbol].qualified_name)

    def find_name(self, unit: Unit, name: str, scope: int) -> list[Row] | None:
        if name[:1].isupper() or name.endswith("()"):
            return super().find_name(unit, name, scope)
        scopes = unit.facts.scopes
        number = scope
        while number >= 0:
            rows = scopes[number].names.get(name)
            if rows and scopes[number].kind != "class":
                return [(unit, r) for r in rows]
            if scopes[number].kind == "function":
                return None
            number = scopes[number].parent
        return None

    def package_of(self, unit: Unit) -> str:
        return ""


# Functions of the C library and of POSIX, which programs define anew for systems that lack them.
_LIBRARY_FUNCTIONS = frozenset(
    re.findall(
        r"\w+",
        "abort abs accept access alarm asprintf atexit atof atoi atol basename bcmp bcopy bind bsearch bzero calloc chdir chmod chown "
        "clock clock_gettime close closedir connect ctime daemon difftime dirname dlclose dlopen dlsym dprintf dup dup2 epoll_create "
        "epoll_create1 epoll_ctl epoll_wait err errx execl execv execve execvp exit explicit_bzero fchmod fclose fcntl fdopen feof ferror "
        "fflush ffs fgetc fgets fileno flock fnmatch fopen fork fprintf fputc fputs fread free freeaddrinfo fscanf fseek fseeko fstat "
        "fstatat fsync ftell ftello ftruncate fts_open futimens fwrite gai_strerror getaddrinfo getc getcwd getdelim getdtablesize getenv "
        "geteuid getgid getgroups gethostbyname gethostname getifaddrs getline getnameinfo getopt getopt_long getpagesize getpass "
        "getpeername getpid getppid getprogname getpwnam getpwuid getrandom getrusage getsockname getsockopt gettimeofday getuid glob gmtime "
        "gmtime_r hstrerror htonl htons iconv if_indextoname if_nametoindex inet_addr inet_aton inet_ntoa inet_ntop inet_pton ioctl isalnum "
        "isalpha isatty isdigit isspace kill lchown link listen localtime localtime_r lseek lstat malloc memchr memcmp memcpy memmem memmove "
        "mempcpy memrchr memset mkdir mkdtemp mkfifo mkostemp mkstemp mkstemps mktemp mktime mmap munmap nanosleep ntohl ntohs open openat "
        "opendir openpty pause pclose perror pipe pipe2 poll popen pread printf pthread_create pthread_join putc putenv puts pwrite qsort "
        "qsort_r raise rand random read readdir readdir_r readlink readv realloc reallocarray realpath recv recvfrom recvmsg regcomp regexec "
        "regfree remove rename rewind rmdir scandir select send sendfile sendmsg sendto setenv setgid setlocale setproctitle setsid "
        "setsockopt setuid setvbuf shutdown sigaction signal sleep snprintf socket socketpair sprintf sscanf stat statfs stpcpy stpncpy "
        "strcasecmp strcasestr strcat strchr strchrnul strcmp strcpy strcspn strdup strerror strerror_r strftime strlcat strlcpy strlen "
        "strmode strncasecmp strncat strncmp strncpy strndup strnlen strnstr strpbrk strptime strrchr strsep strsignal strspn strstr strtod "
        "strtof strtoimax strtok strtok_r strtol strtoll strtonum strtoul strtoull strtoumax symlink sysconf syslog system tcgetattr "
        "tcsetattr time timegm tmpfile tolower toupper truncate tzset umask uname unlink unsetenv usleep utime utimes vasprintf vfprintf "
        "vprintf vsnprintf vsprintf vsscanf vsyslog wait waitpid warn warnx write writev",
    )
)


class CEvaluator(DeclaredEvaluator):
    """C and C++: headers declare, other files define."""

    language = "cpp"
    builtin_methods = frozenset(
        [
            "begin",
            "end",
            "size",
            "empty",
            "push_back",
            "emplace_back",
            "insert",
            "erase",
            "find",
            "clear",
            "data",
            "c_str",
            "length",
            "substr",
            "append",
            "at",
            "front",
            "back",
            "pop_back",
            "reset",
            "get",
            "lock",
            "release",
            "swap",
            "resize",
            "reserve",
            "count",
            "first",
            "second",
            "str",
            "what",
            "operator()",
        ]
    )

    def index(self) -> None:
        self.by_suffix: dict[str, list[Unit]] = {}
        self.statics: set[int] = set()
        for unit in self.units:
            self.by_suffix.setdefault(unit.path.rsplit("/", 1)[-1], []).append(unit)
            self.statics.update(unit.base + s for s in unit.facts.extra.get("static", ()))
            for name, rows in unit.facts.scopes[0].names.items():
                own = [r for r in rows if unit.values[r][0] != ops.CONSTANT]
                if own:
                    self.named.setdefault("", {}).setdefault(name, []).extend((unit, r) for r in own)
        self.visible: dict[int, set[int]] = {}

    def package_of(self, unit: Unit) -> str:
        return ""

    def group_partial(self) -> None:
        # A namespace is one thing in all files; a class is defined once.
        self.group_by(
            lambda unit, symbol: unit.symbols[symbol].qualified_name if unit.symbols[symbol].kind == "namespace" else ""
        )

    def included(self, unit: Unit) -> set[int]:
        """Return the files that a file sees through its includes, itself among them."""
        known = self.visible.get(unit.index)
        if known is not None:
            return known
        seen = {unit.index}
        stack = [unit]
        while stack:
            current = stack.pop()
            for star in current.facts.scopes[0].stars:
                target = self.header(current, current.values[star][2])
                if target is not None and target.index not in seen:
                    seen.add(target.index)
                    stack.append(target)
        self.visible[unit.index] = seen
        return seen

    def header(self, unit: Unit, path: str) -> Unit | None:
        key = (dirname(unit.path), path)
        memo = self.__dict__.setdefault("_headers", {})
        if key not in memo:
            near = normpath(join(dirname(unit.path), path))
            candidates = self.by_suffix.get(path.rsplit("/", 1)[-1], ())
            exact = [u for u in candidates if u.path == near]
            fitting = exact or [u for u in candidates if u.path == path or u.path.endswith("/" + path)]
            memo[key] = (
                fitting[0] if len(fitting) == 1 else (min(fitting, key=lambda u: len(u.path)) if fitting else None)
            )
        return memo[key]

    def resolve_import(self, unit: Unit, module: str, name: str) -> tuple[str, Any]:
        target = self.header(unit, module)
        return ("module", target) if target is not None else ("external", module)

    def find_name(self, unit: Unit, name: str, scope: int) -> list[Row] | None:
        found = super().find_name(unit, name, scope)
        if found is not None:
            return self.definitions(unit, name, found)
        for row in unit.facts.extra.get("using", ()):
            for value in self.value(unit, row):
                if value[0] == "C":
                    inherited = self.inherited(value[1], name)
                    if inherited:
                        return inherited
        return None

    def around(self, value: Value, name: str) -> list[Row] | None:
        unit = self.by_gid.get(value[1])
        facts = unit.facts.classes.get(value[1] - unit.base) if unit is not None else None
        if unit is None or facts is None:
            return None
        scopes = unit.facts.scopes
        number = scopes[facts.scope].parent
        while number > 0:
            if scopes[number].symbol >= 0:
                merged = self.inherited(unit.base + scopes[number].symbol, name)
                if merged:
                    return merged
            number = scopes[number].parent
        return None

    def package_names(self, unit: Unit, name: str) -> list[Row] | None:
        rows = [(u, r) for u, r in self.named.get("", {}).get(name, ()) if u.package == unit.package]
        if not rows:
            return None
        visible = self.included(unit)
        near = [(u, r) for u, r in rows if u.index in visible]
        if near or name in _LIBRARY_FUNCTIONS:
            return near or None
        # Without a header in sight only a function with external linkage can be meant.
        far = [(u, r) for u, r in rows if self.is_function(u, r) and not self.is_static(u, r)]
        return far if len({u.path for u, _ in far}) == 1 else None

    def name_candidates(self, unit: Unit, name: str) -> list[int]:
        """Return same-named functions of several files: one of them is compiled in."""
        rows = [(u, r) for u, r in self.named.get("", {}).get(name, ()) if u.package == unit.package]
        bodies = [(u, r) for u, r in rows if self.is_function(u, r) and not self.is_static(u, r)]
        defined = [(u, r) for u, r in bodies if not self.is_prototype(u, r)] or bodies
        return sorted({u.base + u.values[r][1] for u, r in defined})

    def is_function(self, unit: Unit, row: int) -> bool:
        data = unit.values[row]
        return data[0] == ops.DEFINITION and data[1] in unit.facts.functions

    def is_static(self, unit: Unit, row: int) -> bool:
        data = unit.values[row]
        return data[0] == ops.DEFINITION and unit.base + data[1] in self.statics

    def is_prototype(self, unit: Unit, row: int) -> bool:
        data = unit.values[row]
        function = unit.facts.functions.get(data[1]) if data[0] == ops.DEFINITION else None
        return function is not None and "prototype" in function.flags

    def definitions(self, unit: Unit, name: str, rows: list[Row]) -> list[Row]:
        """Replace prototypes by the definitions they announce, when those are in the index."""
        if not any(self.is_prototype(u, r) for u, r in rows):
            return rows
        bodies = [(u, r) for u, r in rows if not self.is_prototype(u, r)]
        if not bodies:
            bodies = [
                (u, r)
                for u, r in self.named.get("", {}).get(name, ())
                if self.is_function(u, r)
                and not self.is_prototype(u, r)
                and not self.is_static(u, r)
                and u.package == unit.package
            ]
        return bodies or rows

    def own_member(self, owner: ClassInfo, name: str) -> list[tuple[int, bool, bool]]:
        entries = super().own_member(owner, name)
        if owner.gid < SYNTHETIC and entries and all(self.is_prototype(owner.unit, r) for r, _, _ in entries):
            # Declared here, defined elsewhere: let the definition answer.
            for other in (*self.declared.get(owner.gid, ()), *self.parts(owner.gid)):
                info = self.class_infos.get(other) or self.class_info(other)
                found = super().own_member(info, name) if info is not None else []
                if found and info is not None and not all(self.is_prototype(info.unit, r) for r, _, _ in found):
                    return []
        return entries
