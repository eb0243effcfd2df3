"""How Python finds modules, what its type expressions mean and what its built-ins give back."""

from __future__ import annotations

import builtins
from posixpath import dirname
from typing import Any

from quatrain.linking.evaluate import ClassInfo, Unit, Value, Values
from quatrain.linking.generics import TypedEvaluator
from quatrain.linking.names import is_package, package_directories, python_module
from quatrain.parsing.bindings import facts as ops
from quatrain.parsing.bindings.facts import FunctionFacts

__all__ = ["PythonEvaluator"]

_BUILTINS = frozenset(dir(builtins)) | {"reveal_type", "unicode", "basestring", "xrange", "raw_input", "long", "unichr"}
_CLASS_HOOKS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_UNION_NAMES = frozenset({"Optional", "Union"})
_FIRST_NAMES = frozenset({"Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar"})
_LIST_NAMES = frozenset(
    {"List", "list", "Sequence", "MutableSequence", "Collection", "Deque", "deque", "Set", "set", "FrozenSet", "frozenset",
     "AbstractSet", "MutableSet", "KeysView", "ValuesView", "Container", "Reversible"}
)  # fmt: skip
_ITERATOR_NAMES = frozenset(
    {"Iterable", "Iterator", "Generator", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "chain"}
)
_DICT_NAMES = frozenset(
    {"Dict", "dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict", "ChainMap", "Counter",
     "WeakValueDictionary", "ItemsView"}
)  # fmt: skip
_AWAITABLE_NAMES = frozenset({"Awaitable", "Coroutine", "Future", "Task"})
_MANAGER_NAMES = frozenset(
    {"ContextManager", "AbstractContextManager", "AsyncContextManager", "AbstractAsyncContextManager"}
)
_ROOT_BASES = frozenset({"object", "Generic", "Protocol", "ABC", "NamedTuple", "TypedDict"})
_BOX_NAMES = frozenset({"ContextVar", "Queue", "LifoQueue", "PriorityQueue", "SimpleQueue", "ref", "ReferenceType"})
_CONSTRUCTORS = (
    _UNION_NAMES
    | _FIRST_NAMES
    | _LIST_NAMES
    | _ITERATOR_NAMES
    | _DICT_NAMES
    | _AWAITABLE_NAMES
    | _MANAGER_NAMES
    | _BOX_NAMES
    | frozenset(
        {
            "Tuple",
            "tuple",
            "Callable",
            "Type",
            "type",
            "Literal",
            "Generic",
            "Protocol",
            "TypeGuard",
            "TypeIs",
            "Concatenate",
        }
    )
)
_TYPE_MODULES = (
    "contextvars.",
    "multiprocessing.",
    "typing.",
    "typing_extensions.",
    "t.",
    "collections.",
    "builtins.",
    "contextlib.",
    "asyncio.",
    "queue.",
    "weakref.",
    "re.",
)
_ELEMENT_CALLBACKS = frozenset(
    {"builtins.map", "builtins.filter", "builtins.sorted", "builtins.min", "builtins.max", "itertools.groupby"}
)
_SAME = frozenset({"copy.copy", "copy.deepcopy", "functools.partial", "functools.wraps()", "builtins.super"})
_ITERABLES = frozenset(
    {"builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "builtins.sorted", "builtins.reversed", "builtins.iter",
     "itertools.chain", "itertools.islice", "itertools.cycle", "collections.deque", "itertools.takewhile", "itertools.dropwhile"}
)  # fmt: skip


class PythonEvaluator(TypedEvaluator):
    """Evaluation of Python files."""

    language = "python"

    def __init__(self, units: list[Unit], root: str = "") -> None:
        super().__init__(units)
        packages = package_directories(u.path for u in units)
        # The folder that is indexed may be a package itself: its files import each other by its name.
        around = [root] if is_package(root, packages) else []
        self.modules: dict[str, list[tuple[str, Unit]]] = {}
        self.packages: dict[str, list[str]] = {}
        for unit in units:
            unit.dotted = python_module(unit.path, packages, *around)
            unit.package = unit.dotted.split(".", 1)[0]
            stem = unit.path.rsplit(".", 1)[0]
            parts = [*around, *stem.split("/")]
            if parts[-1] == "__init__":
                parts.pop()
            own = unit.dotted.count(".") + 1
            # A file may also be imported by a longer path, from a folder above that is not a package.
            for size in range(min(own, len(parts)), len(parts) + 1):
                root = "/".join(parts[: len(parts) - size])
                dotted = ".".join(parts[len(parts) - size :])
                if dotted:
                    self.modules.setdefault(dotted, []).append((root, unit))
                above = dotted
                while "." in above:
                    above = above.rsplit(".", 1)[0]
                    roots = self.packages.setdefault(above, [])
                    if root not in roots:
                        roots.append(root)
        self.import_memo: dict[tuple[int, int, str, str], tuple[str, Any]] = {}
        self.export_memo: dict[tuple[int, str], Any] = {}
        self.module_memo: dict[tuple[str, str], Any] = {}

    # --- modules ----

    def find_module(self, unit: Unit, dotted: str) -> Unit | str | None:
        """Return the file of a module seen from a file, its dotted name for a folder without ``__init__``, or None when it is outside."""
        here = dirname(unit.path)
        key = (here, dotted)
        if key in self.module_memo:
            return self.module_memo[key]
        result: Unit | str | None = None
        best = -1
        for root, candidate in self.modules.get(dotted, ()):
            if self.visible(here, root, dotted, candidate.path.endswith("/__init__.py")) and len(root) + 1 > best:
                # The nearest root wins; a package wins over a module of the same name because it was built with it.
                result, best = candidate, len(root) + 1
        if result is None:
            for root in self.packages.get(dotted, ()):
                if self.visible(here, root, dotted, True):
                    result = dotted
                    break
        self.module_memo[key] = result
        return result

    def visible(self, here: str, root: str, dotted: str, package: bool) -> bool:
        if root == "" or here == root or here.startswith(root + "/"):
            return True
        # From another folder only an installable package can be meant, never a loose file that happens to have the name.
        return package or "." in dotted

    def import_bindings(self, unit: Unit, data: tuple[Any, ...]) -> tuple[str, Any]:
        key = (unit.index, *data[1:4])
        known = self.import_memo.get(key)
        if known is not None:
            return known
        self.import_memo[key] = ("unknown", None)
        result = self.import_memo[key] = self.resolve_import(unit, data[1], data[2], data[3])
        return result

    def resolve_import(self, unit: Unit, level: int, module: str, name: str) -> tuple[str, Any]:
        if level:
            parts = unit.dotted.split(".")
            if not unit.path.endswith("__init__.py"):
                parts.pop()
            if level > 1:
                parts = parts[: -(level - 1)] if level - 1 <= len(parts) else []
            dotted = ".".join([*parts, module] if module else parts)
            if not dotted:
                # A file outside any package: the folder itself is meant.
                dotted = module or name
                if not module:
                    found = self.find_module(unit, name)
                    return ("module", found) if isinstance(found, Unit) else ("unknown", None)
        else:
            dotted = module
        target = self.find_module(unit, dotted)
        if target is None:
            if not name and "." in dotted:
                above = self.find_module(unit, dotted.rsplit(".", 1)[0])
                if above is not None:
                    return "unknown", None
            if level or (dotted.split(".", 1)[0] == unit.package and "." in dotted):
                return "unknown", None
            return "external", f"{dotted}.{name}" if name else dotted
        if not name:
            return ("module", target) if isinstance(target, Unit) else ("package", target)
        if isinstance(target, Unit):
            rows = self.exported(target, name)
            if target is unit:
                # ``from . import name`` in a package binds the name that it asks for: the submodule is meant.
                own = (ops.IMPORT, level, module, name)
                rows = [(u, r) for u, r in rows if u is not unit or r < 0 or unit.values[r][:4] != own]
            if rows:
                if rows == [(unit, -1)]:
                    return "unknown", None
                return "rows", rows
        sub = self.find_module(unit, f"{dotted}.{name}")
        if sub is not None:
            return ("module", sub) if isinstance(sub, Unit) else ("package", sub)
        return "unknown", None

    def exported(self, unit: Unit, name: str) -> list[tuple[Unit, int]]:
        """Return the rows that a module binds a name to, through star imports."""
        key = (unit.index, name)
        if key in self.export_memo:
            return self.export_memo[key] or []
        self.export_memo[key] = []
        scope = unit.facts.scopes[0]
        rows = scope.names.get(name)
        found: list[tuple[Unit, int]] = []
        if rows:
            found = [(unit, r) for r in rows]
        elif scope.stars:
            found = self.star_lookup(unit, scope.stars, name) or []
        self.export_memo[key] = found
        return found

    def star_lookup(self, unit: Unit, stars: tuple[int, ...], name: str) -> list[tuple[Unit, int]] | None:
        for row in reversed(stars):
            kind, target = self.import_bindings(unit, unit.values[row])
            if kind != "module" or target is unit:
                continue
            exports = target.facts.exports
            if name.startswith("_") and (exports is None or name not in exports):
                continue
            if exports is not None and name not in exports and name in target.facts.scopes[0].names:
                continue
            found = self.exported(target, name)
            if found:
                return found
        return None

    def missing_name(self, unit: Unit, name: str, scope: int) -> Values:
        if name in _BUILTINS:
            return (("X", "builtins." + name),)
        if name == "__class__":
            return ()
        for row in unit.facts.scopes[0].stars:
            if self.import_bindings(unit, unit.values[row])[0] == "external":
                return (("X", "*." + name),)
        return ()

    def module_attribute(self, value: Value, name: str) -> tuple[str, Any]:
        """Return what ``module.name`` is, in the form of :meth:`import_bindings`."""
        if value[0] == "M":
            unit = self.units_by_index[value[1]]
            rows = self.exported(unit, name)
            if rows:
                return "rows", rows
            dotted = unit.dotted
        else:
            unit = self.units[0]
            dotted = value[1]
        sub = self.find_module(unit, f"{dotted}.{name}")
        if isinstance(sub, Unit):
            return "module", sub
        return ("package", sub) if sub is not None else ("unknown", None)

    # --- classes ----

    def is_root_base(self, values: Values) -> bool:
        return bool(values) and all(self.is_root(v) for v in values)

    def is_root(self, value: Value) -> bool:
        """Tell whether a base outside the project adds no members of interest."""
        if value[0] == "A":
            unit = self.units_by_index[value[1]]
            data = unit.values[value[2]]
            return data[0] == ops.SUBSCRIPT and self.is_root_base(self.value(unit, data[1]))
        return value[0] == "X" and value[1].rsplit(".", 1)[-1] in _ROOT_BASES

    def class_variables(self, info: ClassInfo) -> tuple[str, ...]:
        if info.facts.variables:
            return info.facts.variables
        unit = info.unit
        explicit: list[str] = []
        collected: list[str] = []
        for row in info.facts.bases:
            data = unit.values[row]
            if data[0] != ops.SUBSCRIPT:
                continue
            names = [v[1] for r in data[2] for v in self.type_of(unit, r) if v[0] == "T"]
            base = self.value(unit, data[1])
            if any(v[0] == "X" and v[1].rsplit(".", 1)[-1] in ("Generic", "Protocol") for v in base):
                explicit.extend(names)
            collected.extend(names)
        return tuple(dict.fromkeys(explicit or collected))

    def self_value(self, unit: Unit, symbol: int, function: FunctionFacts, index: int) -> Values | None:
        if index != 0 or function.owner < 0 or "static" in function.flags:
            return None
        if function.parameters[0].kind in ("*", "**", "k"):
            return None
        gid = unit.base + function.owner
        name = unit.symbols[symbol].name
        if "class" in function.flags or name in _CLASS_HOOKS:
            return (("C", gid, ()),)
        return (("I", gid, ()),)

    def constructor(self, gid: int) -> int | None:
        """Return the ``__init__`` that a call of a class runs."""
        found = self.member(gid, "__init__")
        if found is None:
            return None
        info, entries = found
        for row, _, in_class in reversed(entries):
            data = info.unit.values[row]
            if data[0] == ops.DEFINITION and in_class:
                return info.unit.base + data[1]
        return None

    def metaclass(self, gid: int) -> int | None:
        info = self.class_info(gid)
        for candidate in info.mro if info is not None else ():
            owner = self.class_info(candidate)
            if owner is not None and owner.facts.metaclass >= 0:
                for value in self.value(owner.unit, owner.facts.metaclass):
                    if value[0] == "C":
                        return value[1]
        return None

    def handed_over(self, callee: Value, unit: Unit, call: tuple[Any, ...], row: int, index: int) -> Values:
        arguments = call[2]
        if callee[0] == "X" and callee[1] in _ELEMENT_CALLBACKS and index == 0 and arguments:
            source = arguments[-1] if callee[1] in ("builtins.map", "builtins.filter") else arguments[0]
            if source != row:
                return self.union([self.elements(v) for v in self.value(unit, source)])
            return ()
        if callee[0] == "KM" and callee[1] == "sort":
            return self.elements(callee[2])
        return super().handed_over(callee, unit, call, row, index)

    # --- attributes ----

    def attribute(self, value: Value, name: str) -> Values:
        tag = value[0]
        if tag == "X":
            return (("X", f"{value[1]}.{name}"),) if len(value[1]) < 200 else (value,)
        if tag == "I" or tag == "C" or tag == "S":
            return self.class_attribute(value, name)
        if tag == "M" or tag == "P":
            kind, found = self.module_attribute(value, name)
            if kind == "rows":
                stored = self.stored(value, name)
                return self.union([*(self.value(u, r) for u, r in found), stored])
            if kind == "module":
                return (("M", found.index),)
            if kind == "package":
                return (("P", found),)
            return self.stored(value, name)
        if tag == "K":
            return (("KM", name, value),)
        if tag == "F":
            if name == "__self__" and value[2]:
                return (value[2],)
            return self.stored(value, name)
        if tag == "T":
            return self.union([self.attribute(v, name) for v in self.bound_of(value)])
        return ()

    def class_attribute(self, value: Value, name: str) -> Values:
        tag = value[0]
        if name == "__class__" and tag == "I":
            return (("C", value[1], value[2]),)
        if name == "__dict__":
            return ()
        found = self.bindings(value, name)
        if found is None:
            if tag == "S":
                return (("X", "object." + name),)
            stored = self.stored(value, name)
            if stored:
                return stored
            if tag == "I":
                fallback = self.member(value[1], "__getattr__")
                if fallback is not None:
                    info, entries = fallback
                    return self.union([self.member_value(info, e, value, True) for e in entries])
            if not self.is_closed(value[1] if tag != "S" else value[2][1]):
                # The rest of the class is outside the project.
                return (("X", "?." + name),) if self.has_outside(value[1]) else ()
            return ()
        info, entries = found
        result = self.union([self.member_value(info, e, value, False) for e in entries])
        if not any(e[1] for e in entries):
            stored = self.stored(value, name)
            if stored:
                result = self.union([result, stored])
        if (tag != "S" and value[2]) or any(
            v[0] in ("T", "K", "W", "R", "G", "TC") or (v[0] == "I" and v[2]) for v in result
        ):
            receiver = value if tag != "S" else value[2]
            env = self.members_env(receiver, info.gid)
            if env:
                result = self.substitute(result, env)
        return self.bounded(result) if tag != "I" or not value[2] else result

    def has_outside(self, gid: int) -> bool:
        info = self.class_info(gid)
        for candidate in info.mro if info is not None else ():
            owner = self.class_info(candidate)
            for row in owner.facts.bases if owner is not None else ():
                if any(v[0] == "X" and not self.is_root_base((v,)) for v in self.value(owner.unit, row)):
                    return True
        return False

    def member_value(self, info: ClassInfo, entry: tuple[int, bool, bool], value: Value, called: bool) -> Values:
        row, _declared, in_class = entry
        unit = info.unit
        data = unit.values[row]
        receiver = value[2] if value[0] == "S" else value
        if data[0] == ops.DEFINITION and in_class:
            gid = unit.base + data[1]
            function = self.function_facts.get(gid)
            if function is None:
                return self.value(unit, row)
            if called:
                return self.returned(gid, receiver, None, None)
            if "property" in function.flags:
                if value[0] == "C":
                    return ()
                result = self.returned(gid, receiver, None, None)
                return result
            if "static" in function.flags:
                return (("F", gid, None),)
            if "class" in function.flags:
                bound = ("C", receiver[1], receiver[2]) if receiver[0] == "I" else receiver
                return (("F", gid, bound),)
            if value[0] == "C":
                return (("F", gid, None),)
            if function.decorators:
                decorated = self.decorated(unit, gid, function)
                if decorated and decorated != (("F", gid, None),):
                    return self.describe(decorated, receiver)
            return (("F", gid, receiver),)
        if data[0] == ops.INSTANCE:
            return self.describe(self.type_of(unit, data[1]), receiver) if in_class else self.type_of(unit, data[1])
        result = self.value(unit, row)
        return self.describe(result, receiver) if in_class else result

    def describe(self, values: Values, receiver: Value) -> Values:
        """Apply the descriptor protocol to what a class body binds."""
        parts: list[Values] = []
        for value in values:
            if value[0] == "F" and value[2] is None and receiver[0] == "I":
                parts.append((("F", value[1], receiver),))
                continue
            if value[0] == "I" and receiver[0] == "I":
                getter = self.member(value[1], "__get__")
                if getter is not None:
                    info, entries = getter
                    got = self.union(
                        [
                            self.returned(info.unit.base + info.unit.values[r][1], value, None, None)
                            for r, _, _ in entries
                            if info.unit.values[r][0] == ops.DEFINITION
                        ]
                    )
                    env = self.members_env(value, info.gid)
                    parts.append(self.substitute(got, env) if env else got)
                    continue
            parts.append((value,))
        return self.union(parts)

    def decorated(self, unit: Unit, gid: int, function: FunctionFacts) -> Values:
        """Return what a decorated function's name holds, when a decorator of the project changes it."""
        if function.flags & {"property", "setter", "overload", "static", "class"} and len(function.decorators) == 1:
            return ()
        current: Values = (("F", gid, None),)
        changed = False
        for row in reversed(function.decorators):
            parts: list[Values] = []
            for decorator in self.value(unit, row):
                if decorator[0] == "F":
                    result = self.apply(decorator, current)
                    if result and any(v[0] in ("I", "F", "C", "L") for v in result):
                        parts.append(tuple(v for v in result if v[0] in ("I", "F", "C", "L")))
                elif decorator[0] == "C":
                    parts.append((("I", decorator[1], ()),))
            if parts:
                current = self.union(parts)
                changed = True
        return current if changed else ()

    def apply(self, decorator: Value, current: Values) -> Values:
        function = self.function_facts[decorator[1]]
        unit = self.by_gid[decorator[1]]
        if function.annotation >= 0:
            values = self.type_of(unit, function.annotation)
            if any(v[0] == "T" for v in values):
                return current
            return tuple(v for v in values if v[0] in ("I", "F", "C"))
        parts: list[Values] = []
        first = 1 if function.owner >= 0 and "static" not in function.flags else 0
        for row in function.returns:
            data = unit.values[row]
            if data[0] == ops.PARAMETER and data[2] == first:
                parts.append(current)
            else:
                parts.append(self.value(unit, row))
        return self.union(parts)

    # --- calls ----

    def call(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        tag = value[0]
        if tag == "C":
            return self.construct(value, unit, call)
        if tag == "F":
            return self.returned(value[1], value[2], unit, call)
        if tag == "X":
            return self.call_outside(value, unit, call)
        if tag == "R":
            return value[1]
        if tag == "L":
            owner = self.units_by_index[value[1]]
            data = owner.values[value[2]]
            body = owner.values[data[2]]
            if body[0] == ops.LAMBDA_PARAMETER and body[1] == value[2] and body[2] < len(call[2]):
                return self.value(unit, call[2][body[2]])
            return self.value(owner, data[2])
        if tag == "I":
            found = self.member(value[1], "__call__")
            if found is not None:
                info, entries = found
                parts = []
                for row, _, in_class in entries:
                    data = info.unit.values[row]
                    if data[0] == ops.DEFINITION and in_class:
                        parts.append(self.returned(info.unit.base + data[1], value, unit, call))
                return self.union(parts)
            return ()
        if tag == "K" and value[1] == "box":
            return self.union(value[3])
        if tag == "KM":
            return self.call_container(value[1], value[2], unit, call)
        if tag == "T":
            return ()
        if tag == "TC":
            return tuple(v for v in self.bound_of(value))
        return ()

    def construct(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        gid, arguments = value[1], value[2]
        meta = self.metaclass(gid)
        if meta is not None:
            found = self.member(meta, "__call__")
            if found is not None:
                info, entries = found
                parts = []
                for row, _, _ in entries:
                    data = info.unit.values[row]
                    if data[0] == ops.DEFINITION and self.function_facts[info.unit.base + data[1]].annotation >= 0:
                        parts.append(self.returned(info.unit.base + data[1], value, unit, call))
                result = tuple(v for v in self.union(parts) if v[0] == "I")
                if result:
                    return result
        info2 = self.class_info(gid)
        if info2 is not None and info2.variables and not arguments:
            found = self.member(gid, "__init__")
            if found is not None:
                owner, entries = found
                env: dict[str, Values] = {}
                for row, _, _ in entries:
                    data = owner.unit.values[row]
                    if data[0] == ops.DEFINITION:
                        function = self.function_facts.get(owner.unit.base + data[1])
                        if function is not None:
                            self.solve(owner.unit, function, unit, call, value, env)
                if env:
                    arguments = tuple(env.get(v, ()) for v in info2.variables)
        return (("I", gid, arguments),)

    def declared_return(self, owner: Unit, gid: int, function: FunctionFacts, receiver: Any) -> Values:
        if function.annotation >= 0:
            values = self.type_of(owner, function.annotation)
            if any(v == ("Self",) for v in values):
                own: Values = ()
                if receiver is not None:
                    own = (("I", receiver[1], receiver[2]),) if receiver[0] in ("C", "I") else ()
                elif function.owner >= 0:
                    own = (("I", owner.base + function.owner, ()),)
                values = self.union([own if v == ("Self",) else (v,) for v in values])
            if receiver is not None and receiver[0] in ("I", "C") and function.parameters and self.has_variable(values):
                # def copy(self: T) -> T
                annotation = function.parameters[0].annotation
                if annotation >= 0:
                    env: dict[str, Values] = {}
                    for v in self.type_of(owner, annotation):
                        if v[0] in ("T", "TC"):
                            env[v[1]] = (("I", receiver[1], receiver[2]),)
                    values = self.substitute(values, env)
            if "context" in function.flags:
                return (("G", self.union([self.elements(v) for v in values])),)
            if "async" in function.flags and "generator" not in function.flags:
                return (("W", values),)
            return values
        if "generator" in function.flags or function.yields:
            items = self.union([self.value(owner, r) for r in function.yields])[:8]
            if "context" in function.flags:
                return (("G", items),)
            return (("K", "iterator", (None,), (items,)),)
        parts: list[Values] = []
        for row in function.returns:
            values = self.value(owner, row)
            if receiver is not None and receiver[0] in ("I", "C") and function.parameters and function.owner >= 0:
                # ``return self`` gives back the receiver, whatever class below it that is.
                data = owner.values[row]
                is_self = data[0] == ops.PARAMETER and data[2] == 0 and data[1] == gid - owner.base
                made = data[0] == ops.CALL and self.is_own_class(owner, data[1], gid)
                if is_self:
                    values = (receiver,)
                elif made:
                    values = (("I", receiver[1], receiver[2]),)
            parts.append(values)
        result = self.union(parts)[:8]
        if "async" in function.flags:
            return (("W", result),)
        return result

    def is_own_class(self, owner: Unit, row: int, gid: int) -> bool:
        data = owner.values[row]
        symbol = gid - owner.base
        if data[0] == ops.PARAMETER:
            function = owner.facts.functions.get(symbol)
            return function is not None and data[1] == symbol and data[2] == 0 and "class" in function.flags
        if data[0] == ops.ATTRIBUTE and data[2] == "__class__":
            inner = owner.values[data[1]]
            return inner[0] == ops.PARAMETER and inner[1] == symbol and inner[2] == 0
        if data[0] == ops.CALL and len(data[2]) == 1:
            callee = owner.values[data[1]]
            inner = owner.values[data[2][0]]
            return (
                callee[0] == ops.NAME and callee[1] == "type" and inner[0] == ops.PARAMETER and inner[1:] == (symbol, 0)
            )
        return False

    def call_outside(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        dotted = value[1]
        arguments = call[2]
        first = arguments[0] if arguments else -1
        if dotted == "builtins.type" and len(arguments) == 1:
            return tuple(("C", v[1], v[2]) if v[0] == "I" else ("X", "builtins.type") for v in self.value(unit, first))
        if dotted == "builtins.super" and len(arguments) == 2:
            out: list[Value] = []
            receivers = self.value(unit, arguments[1])
            for cls in self.value(unit, first):
                if cls[0] == "C":
                    receiver = next((r for r in receivers if r[0] in ("I", "C")), ("I", cls[1], ()))
                    out.append(("S", cls[1], receiver))
            return tuple(out)
        if dotted in ("builtins.getattr",) and len(arguments) >= 2:
            return ()
        if dotted in _SAME and first >= 0:
            return self.value(unit, first)
        if dotted in ("weakref.ref", "weakref.WeakMethod") and first >= 0:
            return (("R", self.value(unit, first), ()),)
        if dotted == "weakref.proxy" and first >= 0:
            return self.value(unit, first)
        if dotted in ("typing.cast", "typing_extensions.cast", "typing.assert_type") and len(arguments) == 2:
            order = arguments if dotted.endswith("cast") else (arguments[1], arguments[0])
            return self.bounded(self.type_of(unit, order[0])) or self.value(unit, order[1])
        if dotted.startswith("builtins.") or dotted.startswith(
            ("itertools.", "collections.", "functools.", "asyncio.")
        ):
            special = self.call_builtin(dotted, unit, call)
            if special is not None:
                return special
        if dotted.endswith((".TypeVar", ".ParamSpec")) and len(call) > 4:
            return (("T", call[4], unit.index, self.row_number(unit, call)),)
        if dotted.endswith(".NewType") and len(arguments) == 2:
            return self.value(unit, arguments[1])
        if len(dotted) > 200:
            return (value,)
        return (("X", dotted + "()"),)

    def row_number(self, unit: Unit, call: tuple[Any, ...]) -> int:
        table = self.__dict__.setdefault("_row_numbers", {})
        rows = table.get(unit.index)
        if rows is None:
            rows = table[unit.index] = {id(v): i for i, v in enumerate(unit.values) if v[0] == ops.CALL and len(v) > 4}
        return rows[id(call)]

    def call_builtin(self, dotted: str, unit: Unit, call: tuple[Any, ...]) -> Values | None:
        arguments = call[2]
        first = arguments[0] if arguments else -1
        name = dotted.rsplit(".", 1)[-1]
        if dotted in _ITERABLES:
            items: Values = ()
            for row in arguments if dotted == "itertools.chain" else arguments[:1]:
                items = self.union([items, *(self.elements(v) for v in self.value(unit, row))])
            kind = name if name in ("list", "tuple", "set") else "list"
            return (("K", kind, (None,), (items[:8],)),)
        if dotted in ("builtins.next", "builtins.min", "builtins.max") and first >= 0:
            if name in ("min", "max") and len(arguments) > 1:
                return self.union([self.value(unit, r) for r in arguments])
            values = []
            for v in self.value(unit, first):
                values.append(self.elements(v) or (self.iterated(v, "__next__") if v[0] == "I" else ()))
            return self.union([*values, *(self.value(unit, r) for r in arguments[1:])])
        if dotted == "builtins.enumerate" and first >= 0:
            item = self.union([self.elements(v) for v in self.value(unit, first)])[:8]
            pair = ("K", "tuple", (0, 1), ((("X", "builtins.int"),), item))
            return (("K", "iterator", (None,), ((pair,),)),)
        if dotted == "builtins.zip":
            items2 = tuple(self.union([self.elements(v) for v in self.value(unit, r)])[:8] for r in arguments)
            pair = ("K", "tuple", tuple(range(len(items2))), items2)
            return (("K", "iterator", (None,), ((pair,),)),)
        if dotted == "builtins.map" and len(arguments) >= 2:
            results = []
            for v in self.value(unit, first):
                if v[0] == "F":
                    results.append(self.returned(v[1], v[2], None, None))
                elif v[0] == "C":
                    results.append((("I", v[1], v[2]),))
                elif v[0] == "L":
                    owner = self.units_by_index[v[1]]
                    results.append(self.value(owner, owner.values[v[2]][2]))
            return (("K", "iterator", (None,), (self.union(results)[:8],)),)
        if dotted == "builtins.filter" and len(arguments) >= 2:
            item = self.union([self.elements(v) for v in self.value(unit, arguments[1])])[:8]
            return (("K", "iterator", (None,), (item,)),)
        if dotted in ("builtins.dict", "collections.OrderedDict") and first >= 0:
            return tuple(v for v in self.value(unit, first) if v[0] == "K" and v[1] == "dict")
        if dotted in ("builtins.dict", "collections.OrderedDict"):
            named = [(n, self.value(unit, r)) for n, r in call[3] if n != "**"]
            return (("K", "dict", tuple(n for n, _ in named), tuple(v for _, v in named)),)
        if dotted == "collections.defaultdict" and first >= 0:
            made: list[Values] = []
            for v in self.value(unit, first):
                if v[0] == "C":
                    made.append((("I", v[1], v[2]),))
                elif v[0] == "L":
                    owner = self.units_by_index[v[1]]
                    made.append(self.value(owner, owner.values[v[2]][2]))
                elif v[0] == "F":
                    made.append(self.returned(v[1], v[2], None, None))
                elif v == ("X", "builtins.list"):
                    made.append((("K", "list", (None,), ((),)),))
            return (("K", "dict", (None,), (self.union(made)[:8],)),)
        if (
            dotted in ("asyncio.create_task", "asyncio.ensure_future", "asyncio.wait_for", "asyncio.shield")
            and first >= 0
        ):
            return self.value(unit, first)
        if dotted in ("asyncio.run",) and first >= 0:
            return self.union([v[1] if v[0] == "W" else () for v in self.value(unit, first)])
        return None

    def call_container(self, name: str, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        arguments = call[2]
        everything = self.union(value[3])
        if value[1] == "box" and name in ("get", "get_nowait", "peek"):
            return everything
        if name in ("get", "pop", "setdefault") and value[1] == "dict":
            return self.union([everything, *(self.value(unit, r) for r in arguments[1:])])
        if name in ("pop", "popleft", "__getitem__", "popitem"):
            return everything
        if name == "values":
            return (("K", "list", (None,), (everything[:8],)),)
        if name == "keys":
            return (("K", "list", (None,), (value[4] if len(value) > 4 else (),)),)
        if name == "items":
            pair = ("K", "tuple", (0, 1), (value[4] if len(value) > 4 else (), everything[:8]))
            return (("K", "list", (None,), ((pair,),)),)
        if name in ("copy", "union", "intersection", "difference"):
            return (value,)
        return (("X", f"builtins.{value[1]}.{name}()"),)

    def elements(self, value: Value) -> Values:
        if value[0] == "I":
            return self.iterated(value, "__iter__") or self.iterated(value, "__aiter__") or self.got_item(value)
        if value[0] == "C":
            meta = self.metaclass(value[1])
            info = self.class_info(value[1])
            if meta is None and info is not None and self.is_enumeration(info):
                return (("I", value[1], ()),)
            return ()
        return super().elements(value)

    def is_enumeration(self, info: ClassInfo) -> bool:
        for candidate in info.mro:
            owner = self.class_info(candidate)
            for row in owner.facts.bases if owner is not None else ():
                if any(v[0] == "X" and v[1].startswith("enum.") for v in self.value(owner.unit, row)):
                    return True
        return False

    def iterated(self, value: Value, name: str) -> Values:
        found = self.member(value[1], name)
        if found is None:
            return ()
        info, entries = found
        parts: list[Values] = []
        for row, _, in_class in entries:
            data = info.unit.values[row]
            if data[0] != ops.DEFINITION or not in_class:
                continue
            result = self.returned(info.unit.base + data[1], value, None, None)
            env = self.members_env(value, info.gid)
            if env:
                result = self.substitute(result, env)
            if name in ("__next__", "__anext__", "__getitem__"):
                parts.append(tuple(w for v in result for w in (v[1] if v[0] == "W" else (v,))))
                continue
            for iterator in result:
                if iterator[0] == "I":
                    parts.append(self.iterated(iterator, "__next__") or self.iterated(iterator, "__anext__"))
                else:
                    parts.append(super().elements(iterator))
        return self.union(parts)

    def got_item(self, value: Value) -> Values:
        return self.iterated(value, "__getitem__")

    def item(self, value: Value, key: Any) -> Values:
        if value[0] == "I":
            return self.got_item(value)
        if value[0] == "C":
            meta = self.metaclass(value[1])
            info = self.class_info(value[1])
            if meta is None and info is not None and self.is_enumeration(info):
                return (("I", value[1], ()),)
            return (value,)
        return super().item(value, key)

    def enter(self, value: Value) -> Values:
        if value[0] == "G":
            return value[1]
        if value[0] == "X":
            return (("X", value[1] + ".__enter__()"),)
        if value[0] == "I":
            for name in ("__enter__", "__aenter__"):
                found = self.member(value[1], name)
                if found is None:
                    continue
                info, entries = found
                parts: list[Values] = []
                for row, _, in_class in entries:
                    data = info.unit.values[row]
                    if data[0] == ops.DEFINITION and in_class:
                        result = self.returned(info.unit.base + data[1], value, None, None)
                        env = self.members_env(value, info.gid)
                        parts.append(self.substitute(result, env) if env else result)
                return self.union(parts)
            if not self.is_closed(value[1]):
                return (value,)
        if value[0] == "W":
            return self.union([self.enter(v) for v in value[1]])
        return ()

    def eval_operator(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        left = self.value(unit, data[1])
        right = self.value(unit, data[2])
        if data[3] == "|" and any(v[0] in ("C", "A") for v in (*left, *right)):
            return (("A", unit.index, at),)
        method = _OPERATORS.get(data[3])
        parts: list[Values] = []
        for value in left:
            if value[0] == "I" and method is not None:
                got = self.operator_result(value, method)
                parts.append(got)
            elif value[0] == "K" and data[3] == "+":
                items = self.union([*value[3], *(i for v in right if v[0] == "K" for i in v[3])])
                parts.append((("K", value[1], (None,), (items[:8],)),))
            elif value[0] == "X":
                parts.append((value,))
        return self.union(parts)

    def operator_result(self, value: Value, method: str) -> Values:
        found = self.member(value[1], method)
        if found is None:
            return ()
        info, entries = found
        parts = []
        for row, _, in_class in entries:
            data = info.unit.values[row]
            if data[0] == ops.DEFINITION and in_class:
                parts.append(self.returned(info.unit.base + data[1], value, None, None))
            elif in_class:
                for v in self.value(info.unit, row):
                    if v[0] == "F":
                        parts.append(self.returned(v[1], value, None, None))
        return self.union(parts)

    # --- types ----

    def is_type_constructor(self, dotted: str) -> bool:
        name = dotted.rsplit(".", 1)[-1]
        return name in _CONSTRUCTORS and dotted.startswith(_TYPE_MODULES)

    def evaluate_type(self, unit: Unit, row: int) -> Values:
        data = unit.values[row]
        op = data[0]
        if op == ops.UNION:
            return self.union([self.type_of(unit, r) for r in data[1]])
        if op == ops.OPERATOR and data[3] == "|":
            return self.union([self.type_of(unit, data[1]), self.type_of(unit, data[2])])
        if op in (ops.CONSTANT, ops.SEQUENCE, ops.UNKNOWN):
            return ()
        if op == ops.SUBSCRIPT:
            parts: list[Values] = []
            for base in self.value(unit, data[1]):
                parts.append(self.type_arguments(unit, base, data[2]))
            return self.union(parts)
        if op == ops.PHI:
            return self.union([self.type_of(unit, r) for r in data[1]])
        parts = []
        for value in self.value(unit, row):
            parts.append(self.instance_of(value))
        return self.union(parts)

    def instance_of(self, value: Value) -> Values:
        tag = value[0]
        if tag == "C":
            return (("I", value[1], value[2]),)
        if tag == "T":
            return (value,)
        if tag == "A":
            return self.type_of(self.units_by_index[value[1]], value[2])
        if tag == "X":
            dotted = value[1]
            name = dotted.rsplit(".", 1)[-1]
            if name == "Self" and dotted.startswith(("typing", "t.", "_typing")):
                return (("Self",),)
            if name in ("Any", "object", "AnyStr") and dotted.startswith(("typing", "builtins")):
                return ()
            if self.is_type_constructor(dotted):
                return self.type_arguments(None, value, ())
            return (value,)
        if tag == "K":  # a tuple of types is not a type
            return ()
        return ()

    def type_arguments(self, unit: Unit | None, base: Value, rows: tuple[int, ...]) -> Values:
        def argument(index: int) -> Values:
            return self.type_of(unit, rows[index]) if unit is not None and -len(rows) <= index < len(rows) else ()

        tag = base[0]
        if tag == "C":
            info = self.class_info(base[1])
            if info is not None and info.variables and unit is not None:
                return (("I", base[1], tuple(self.type_of(unit, r) for r in rows)[: len(info.variables)]),)
            return (("I", base[1], ()),)
        if tag == "A":
            return self.type_of(self.units_by_index[base[1]], base[2])
        if tag != "X":
            return ()
        dotted = base[1]
        if not self.is_type_constructor(dotted):
            return (base,)
        name = dotted.rsplit(".", 1)[-1]
        if name in _UNION_NAMES:
            return self.union([argument(i) for i in range(len(rows))])
        if name in _FIRST_NAMES:
            return argument(0)
        if name in _LIST_NAMES:
            return (("K", "set" if "et" in name[-3:] and name[0] in "sSfFAM" else "list", (None,), (argument(0),)),)
        if name in _ITERATOR_NAMES:
            return (("K", "iterator", (None,), (argument(0),)),)
        if name in _BOX_NAMES:
            return (("K", "box", (None,), (argument(0),)),)
        if name in _DICT_NAMES:
            return (("K", "dict", (None,), (argument(1),), argument(0)),)
        if name in ("Tuple", "tuple"):
            if len(rows) == 2 and rows[1] == 0:
                return (("K", "tuple", (None,), (argument(0),)),)
            if not rows:
                return (("K", "tuple", (None,), ((),)),)
            return (("K", "tuple", tuple(range(len(rows))), tuple(argument(i) for i in range(len(rows)))),)
        if name == "Callable":
            taken: tuple[Values, ...] = ()
            if unit is not None and rows and unit.values[rows[0]][0] == ops.SEQUENCE:
                taken = tuple(self.type_of(unit, r) for r in unit.values[rows[0]][2])
            return (("R", argument(-1), taken),)
        if name in _AWAITABLE_NAMES:
            return (("W", argument(-1)),)
        if name in _MANAGER_NAMES:
            return (("G", argument(0)),)
        if name in ("Type", "type"):
            out: list[Value] = []
            for value in argument(0):
                if value[0] == "I":
                    out.append(("C", value[1], value[2]))
                elif value[0] == "T":
                    out.append(("TC", *value[1:]))
                elif value[0] == "X":
                    out.append(value)
            return tuple(out)
        return ()


_OPERATORS = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "|": "__or__",
    "&": "__and__",
    "^": "__xor__",
    "**": "__pow__",
    "@": "__matmul__",
    "<<": "__lshift__",
    ">>": "__rshift__",
}
