"""How JavaScript and TypeScript find modules, what their type expressions mean and what their built-ins give back."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from typing import Any

from quatrain.linking.evaluate import ClassInfo, Unit, Value, Values
from quatrain.linking.generics import TypedEvaluator
from quatrain.parsing.bindings import facts as ops
from quatrain.parsing.bindings.facts import FunctionFacts

__all__ = ["EcmascriptEvaluator"]

_EXTENSIONS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")
_SWAPS = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
_GLOBALS = frozenset(
    [
        "Array",
        "ArrayBuffer",
        "AbortController",
        "AbortSignal",
        "AggregateError",
        "Atomics",
        "BigInt",
        "BigInt64Array",
        "BigUint64Array",
        "Blob",
        "Boolean",
        "Buffer",
        "CustomEvent",
        "DataView",
        "Date",
        "DOMException",
        "Document",
        "Element",
        "Error",
        "EvalError",
        "Event",
        "EventTarget",
        "File",
        "FileReader",
        "FinalizationRegistry",
        "Float32Array",
        "Float64Array",
        "FormData",
        "Function",
        "Headers",
        "HTMLElement",
        "Infinity",
        "Int16Array",
        "Int32Array",
        "Int8Array",
        "Intl",
        "Iterator",
        "JSON",
        "Map",
        "Math",
        "MessageChannel",
        "MutationObserver",
        "NaN",
        "Node",
        "Number",
        "Object",
        "Promise",
        "Proxy",
        "RangeError",
        "ReadableStream",
        "ReferenceError",
        "Reflect",
        "RegExp",
        "Request",
        "Response",
        "ResizeObserver",
        "Set",
        "SharedArrayBuffer",
        "String",
        "Symbol",
        "SyntaxError",
        "TextDecoder",
        "TextEncoder",
        "TransformStream",
        "TypeError",
        "URIError",
        "URL",
        "URLSearchParams",
        "Uint16Array",
        "Uint32Array",
        "Uint8Array",
        "Uint8ClampedArray",
        "WeakMap",
        "WeakRef",
        "WeakSet",
        "WebSocket",
        "Window",
        "Worker",
        "WritableStream",
        "XMLHttpRequest",
        "Iterable",
        "IterableIterator",
        "AsyncIterable",
        "AsyncIterator",
        "AsyncGenerator",
        "Generator",
        "ArrayLike",
        "PromiseLike",
        "ReadonlyArray",
        "ReadonlyMap",
        "ReadonlySet",
        "Record",
        "Partial",
        "Required",
        "Readonly",
        "Pick",
        "Omit",
        "Exclude",
        "Extract",
        "NonNullable",
        "Parameters",
        "ReturnType",
        "InstanceType",
        "ConstructorParameters",
        "Awaited",
        "ThisType",
        "Uppercase",
        "Lowercase",
        "Capitalize",
        "Uncapitalize",
        "NoInfer",
        "PropertyKey",
        "PropertyDescriptor",
        "addEventListener",
        "afterAll",
        "afterEach",
        "alert",
        "atob",
        "beforeAll",
        "beforeEach",
        "btoa",
        "cancelAnimationFrame",
        "clearImmediate",
        "clearInterval",
        "clearTimeout",
        "console",
        "crypto",
        "decodeURI",
        "decodeURIComponent",
        "define",
        "describe",
        "document",
        "encodeURI",
        "encodeURIComponent",
        "escape",
        "eval",
        "exports",
        "expect",
        "fetch",
        "global",
        "globalThis",
        "history",
        "isFinite",
        "isNaN",
        "it",
        "jest",
        "localStorage",
        "location",
        "module",
        "navigator",
        "parseFloat",
        "parseInt",
        "performance",
        "process",
        "queueMicrotask",
        "removeEventListener",
        "requestAnimationFrame",
        "require",
        "self",
        "sessionStorage",
        "setImmediate",
        "setInterval",
        "setTimeout",
        "structuredClone",
        "test",
        "top",
        "unescape",
        "vi",
        "window",
        "undefined",
        "arguments",
    ]
)
_SAME_TYPE = frozenset(
    {
        "Partial",
        "Readonly",
        "Required",
        "NonNullable",
        "Omit",
        "Pick",
        "Exclude",
        "Extract",
        "NoInfer",
        "ThisType",
        "DeepReadonly",
    }
)
_ARRAY_TYPES = frozenset({"Array", "ReadonlyArray", "ArrayLike", "Iterable", "IterableIterator", "Iterator", "Generator", "Set",
                          "ReadonlySet", "WeakSet", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "AsyncIterableIterator"})  # fmt: skip
_MAP_TYPES = frozenset({"Map", "ReadonlyMap", "WeakMap"})
_PROMISE_TYPES = frozenset({"Promise", "PromiseLike"})
_SAME_ARRAY = frozenset({"filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "toReversed", "fill", "values", "add", "with",
                         "copyWithin", "flat", "union", "intersection", "difference"})  # fmt: skip
_ELEMENT = frozenset({"find", "at", "pop", "shift", "findLast", "next"})
_FIRST_CALLBACK = frozenset({"map", "filter", "forEach", "find", "some", "every", "flatMap", "findIndex", "findLast", "findLastIndex",
                             "sort", "toSorted"})  # fmt: skip
_BUILTIN = "builtins."


class EcmascriptEvaluator(TypedEvaluator):
    """Evaluation of JavaScript and TypeScript files."""

    language = "javascript"
    declared_first = True
    builtin_methods = frozenset(
        [
            "add",
            "all",
            "any",
            "append",
            "apply",
            "assign",
            "at",
            "bind",
            "call",
            "catch",
            "charAt",
            "charCodeAt",
            "clear",
            "codePointAt",
            "concat",
            "constructor",
            "copyWithin",
            "delete",
            "emit",
            "endsWith",
            "entries",
            "every",
            "exec",
            "fill",
            "filter",
            "finally",
            "find",
            "findIndex",
            "findLast",
            "flat",
            "flatMap",
            "forEach",
            "from",
            "get",
            "getTime",
            "has",
            "hasOwnProperty",
            "includes",
            "indexOf",
            "isArray",
            "join",
            "keys",
            "lastIndexOf",
            "length",
            "localeCompare",
            "log",
            "map",
            "match",
            "matchAll",
            "next",
            "normalize",
            "now",
            "of",
            "off",
            "on",
            "once",
            "padEnd",
            "padStart",
            "parse",
            "pop",
            "preventDefault",
            "push",
            "raw",
            "read",
            "reduce",
            "reduceRight",
            "reject",
            "remove",
            "repeat",
            "replace",
            "replaceAll",
            "resolve",
            "reverse",
            "search",
            "send",
            "set",
            "shift",
            "slice",
            "some",
            "sort",
            "splice",
            "split",
            "startsWith",
            "stringify",
            "substr",
            "substring",
            "test",
            "then",
            "throw",
            "toFixed",
            "toISOString",
            "toJSON",
            "toLowerCase",
            "toString",
            "toUpperCase",
            "trim",
            "trimEnd",
            "trimStart",
            "unshift",
            "valueOf",
            "values",
            "warn",
            "write",
            "error",
            "info",
            "debug",
            "addEventListener",
            "removeEventListener",
            "dispatchEvent",
            "appendChild",
            "removeChild",
            "querySelector",
            "setAttribute",
            "getAttribute",
            "contains",
            "focus",
            "blur",
            "click",
            "close",
            "open",
            "abort",
            "setTimeout",
            "clearTimeout",
        ]
    )

    def __init__(self, units: list[Unit]) -> None:
        super().__init__(units)
        self.by_path = {u.path: u for u in units}
        self.folders = {dirname(u.path) for u in units}
        self.module_memo: dict[tuple[str, str], Unit | None] = {}
        self.spreading: set[tuple[int, int, str]] = set()
        self.export_memo: dict[tuple[int, str], list[tuple[Unit, int]]] = {}
        self.import_memo: dict[tuple[int, str, str], tuple[str, Any]] = {}
        self.group_by(self.declared_as)

    def declared_as(self, unit: Unit, symbol: int) -> str:
        """Return what the declarations of one type have in common: interfaces merge with each other and with a class."""
        scopes = unit.facts.scopes
        place = scopes[unit.facts.classes[symbol].scope].parent
        if scopes[place].kind == "types":  # the region of its own type parameters
            place = scopes[place].parent
        return f"{unit.path}\0{place}\0{unit.symbols[symbol].name}"

    # --- modules ----

    def find_module(self, unit: Unit, spec: str) -> Unit | None:
        """Return the file that a module specifier means, or None when it lies outside."""
        here = dirname(unit.path)
        key = (here, spec)
        if key in self.module_memo:
            return self.module_memo[key]
        self.module_memo[key] = found = self._find(here, spec, unit)
        return found

    def _find(self, here: str, spec: str, unit: Unit) -> Unit | None:
        if spec.startswith("."):
            return self._file(normpath(join(here, spec)))
        # Path aliases as bundlers have them, from the package around the file; only an existing file counts.
        root = unit.package
        if spec.startswith(("@/", "~/", "#/", "src/")):
            rest = spec.split("/", 1)[1]
            for folder in (join(root, "src"), root, join(root, "app")):
                found = self._file(normpath(join(folder, rest)))
                if found is not None:
                    return found
            return None
        # A package of the same repository, by the name of its folder.
        parts = spec.split("/")
        name = parts[1] if spec.startswith("@") and len(parts) > 1 else parts[0]
        rest = "/".join(parts[2 if spec.startswith("@") else 1 :])
        for package in self.packages.get(name, ()):
            for folder in ("src", "", "lib"):
                found = self._file(normpath(join(package, folder, rest or "index")))
                if found is not None:
                    return found
        return None

    def _file(self, path: str) -> Unit | None:
        path = "" if path == "." else path
        found = self.by_path.get(path)
        if found is not None:
            return found
        for extension, others in _SWAPS.items():
            if path.endswith(extension):
                for other in others:
                    found = self.by_path.get(path[: -len(extension)] + other)
                    if found is not None:
                        return found
        for extension in _EXTENSIONS:
            found = self.by_path.get(path + extension)
            if found is not None:
                return found
        for extension in _EXTENSIONS:
            found = self.by_path.get(f"{path}/index{extension}" if path else f"index{extension}")
            if found is not None:
                return found
        return None

    def set_packages(self, manifests: dict[str, str]) -> None:
        """Take the folders that hold a package manifest."""
        self.packages: dict[str, list[str]] = {}
        for folder in sorted(manifests):
            self.packages.setdefault(folder.rsplit("/", 1)[-1], []).append(folder)

    def import_bindings(self, unit: Unit, data: tuple[Any, ...]) -> tuple[str, Any]:
        key = (unit.index, data[2], data[3])
        known = self.import_memo.get(key)
        if known is None:
            self.import_memo[key] = ("unknown", None)
            known = self.import_memo[key] = self._import(unit, data[2], data[3])
        return known

    def _import(self, unit: Unit, spec: str, name: str) -> tuple[str, Any]:
        target = self.find_module(unit, spec)
        if target is None:
            if spec.startswith("."):
                return "unknown", None
            return "external", f"{spec}.{name.lstrip(':')}" if name else spec
        if not name:
            return "module", target
        rows = self.exported(target, name)
        if rows:
            return "rows", rows
        if name == "=":
            return "module", target
        if name == "default":
            whole = self.exported(target, "=")
            return ("rows", whole) if whole else ("unknown", None)
        return "unknown", None

    def exported(self, unit: Unit, name: str, seen: frozenset[int] = frozenset()) -> list[tuple[Unit, int]]:
        """Return the rows that a module exports under a name, through re-exports."""
        key = (unit.index, name)
        known = self.export_memo.get(key)
        if known is not None:
            return known
        exports = unit.facts.extra.get("exports", {})
        found: list[tuple[Unit, int]] = []
        row = exports.get(name)
        if row is not None and not (name.startswith(":") and self.is_unbound(unit, row)):
            found = [(unit, row)]
        elif name.startswith(":"):
            row = exports.get(name[1:])
            if row is not None:
                found = [(unit, row)]
        if not found and name.lstrip(":") not in ("default", "="):
            seen = seen | {unit.index}
            for star in unit.facts.extra.get("reexports", ()):
                target = self.find_module(unit, unit.values[star][2])
                if target is not None and target.index not in seen:
                    found = self.exported(target, name, seen)
                    if found:
                        break
        if not seen or found:
            self.export_memo[key] = found
        return found

    def is_unbound(self, unit: Unit, row: int) -> bool:
        data = unit.values[row]
        return data[0] == ops.NAME and super().lookup(unit, data[1], data[2]) is None

    def lookup(self, unit: Unit, name: str, scope: int) -> list[tuple[Unit, int]] | None:
        found = super().lookup(unit, name, scope)
        if found is None and name[:1] == ":":
            return super().lookup(unit, name[1:], scope)
        return found

    def missing_name(self, unit: Unit, name: str, scope: int) -> Values:
        plain = name[1:] if name[:1] == ":" else name
        return (("X", _BUILTIN + plain),) if plain in _GLOBALS else ()

    def module_attribute(self, value: Value, name: str) -> tuple[str, Any]:
        if value[0] == "M":
            unit = self.units_by_index[value[1]]
            rows = self.exported(unit, name)
            if rows:
                return "rows", rows
            whole = self.exported(unit, "=")
            if whole:
                return "values", self.union([self.attribute(v, name) for u, r in whole for v in self.value(u, r)])
        return "unknown", None

    # --- classes ----

    def merged(self, info: ClassInfo) -> list[int]:
        """Return the interfaces that are declared under the same name: they are one with the class."""
        unit = info.unit
        symbol = info.gid - unit.base
        outer = unit.facts.scopes[unit.facts.scopes[info.facts.scope].parent].parent
        if outer < 0:
            return []
        names = unit.facts.scopes[outer].names
        name = unit.symbols[symbol].name
        found = []
        own_kind = unit.symbols[symbol].kind
        for row in names.get(":" + name, ()):
            data = unit.values[row]
            other = data[0] == ops.DEFINITION and data[1] != symbol and data[1] in unit.facts.classes
            if other and (own_kind != "interface" or data[1] > symbol):
                found.append(unit.base + data[1])
        return found

    def class_variables(self, info: ClassInfo) -> tuple[str, ...]:
        scope = info.unit.facts.scopes[info.facts.scope]
        names: list[str] = []
        for name in info.facts.variables:
            for unit, row in self.lookup(info.unit, ":" + name, scope.parent) or ():
                if unit.values[row][0] == ops.TYPE_VARIABLE:
                    names.append(self.variable_name(unit, row))
                    break
        return tuple(names)

    def variable_name(self, unit: Unit, row: int) -> str:
        data = unit.values[row]
        return f"{data[1]}@{unit.index}.{data[4]}"

    def eval_type_variable(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return (("T", self.variable_name(unit, at), unit.index, at),)

    def bound_of(self, value: Value) -> Values:
        unit = self.units_by_index[value[2]]
        data = unit.values[value[3]]
        return self.bounded(self.type_of(unit, data[2])) if data[2] > 0 else ()

    def base_values(self, unit: Unit, row: int) -> Values:
        data = unit.values[row]
        if data[0] == ops.SUBSCRIPT:
            return self.base_values(unit, data[1])
        values = self.value(unit, row)
        found = []
        for v in values:
            if v[0] == "A":
                found.extend(("C", i[1], i[2]) for i in self.type_of(self.units_by_index[v[1]], v[2]) if i[0] == "I")
            else:
                found.append(v)
        return tuple(found)

    def is_root_base(self, values: Values) -> bool:
        return bool(values) and all(v == ("X", _BUILTIN + "Object") for v in values)

    def constructor(self, gid: int) -> int | None:
        found = self.member(gid, "constructor")
        if found is None:
            return None
        info, entries = found
        for row, _, in_class in reversed(entries):
            data = info.unit.values[row]
            if data[0] == ops.DEFINITION and in_class:
                return info.unit.base + data[1]
        return None

    def explicit_arguments(
        self, gid: int, owner: Unit, unit: Unit, call: tuple[Any, ...], env: dict[str, Values]
    ) -> None:
        if len(call) < 5:
            return
        for variable, row in zip(self.type_variables(gid, owner), call[4], strict=False):
            env[self.variable_name(owner, variable)] = self.type_of(unit, row)

    def type_variables(self, gid: int, owner: Unit) -> list[int]:
        """Return the rows of the type parameters of a function."""
        function = self.function_facts[gid]
        names = owner.facts.scopes[function.scope].names
        found = []
        for name in function.variables:
            rows = [r for r in names.get(":" + name, ()) if owner.values[r][0] == ops.TYPE_VARIABLE]
            found.extend(rows[:1])
        return found

    def complete(
        self, gid: int, owner: Unit, unit: Unit, call: tuple[Any, ...], receiver: Any, env: dict[str, Values]
    ) -> None:
        """Find type variables from the type that is expected of the result, then from their defaults."""
        variables = self.type_variables(gid, owner)
        if not variables:
            return
        open_names = [v for v in variables if self.variable_name(owner, v) not in env]
        function = self.function_facts[gid]
        if open_names and len(call) > 5 and call[5] >= 0 and function.annotation >= 0:
            self.unify(self.type_of(owner, function.annotation), self.type_of(unit, call[5]), env)
        for variable in variables:
            name = self.variable_name(owner, variable)
            default = owner.values[variable][3]
            if not env.get(name) and default > 0:
                env[name] = self.substitute(self.type_of(owner, default), env)

    def member_path(self, values: Values, names: tuple[str, ...]) -> Values:
        for name in names:
            values = self.union([self.attribute(v, name) for v in values])
        return values

    def eval_lambda_parameter(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        owner = unit.values[data[1]]
        parts: list[Values] = []
        if len(owner) > 4 and owner[4] >= 0:
            for wanted in self.type_of(unit, owner[4]):
                for function in self.call_signatures(wanted):
                    parts.append(self.bounded(self.handed_to(function, data[2])))
        found = self.union(parts)
        return found or super().eval_lambda_parameter(unit, data, at)

    def call_signatures(self, value: Value) -> list[Value]:
        """Return the function types of something that can be called."""
        if value[0] == "R":
            return [value]
        if value[0] == "TO":
            return [v for v in self.type_member(value, "()") if v[0] == "R"]
        if value[0] == "I":
            found = self.member(value[1], "()")
            if found is not None:
                info, entries = found
                return [v for r, _, _ in entries for v in self.type_of(info.unit, r) if v[0] == "R"]
        return []

    # --- attributes ----

    def attribute(self, value: Value, name: str) -> Values:
        tag = value[0]
        if tag == "X":
            return (("X", f"{value[1]}.{name}"),) if len(value[1]) < 200 else (value,)
        if tag in ("I", "C", "S"):
            return self.class_attribute(value, name)
        if tag == "M":
            kind, found = self.module_attribute(value, name)
            if kind == "rows":
                return self.union([self.value(u, r) for u, r in found])
            return found if kind == "values" else ()
        if tag == "K":
            if value[1] == "record":
                return self.union(value[3])
            return (("KM", name, value),)
        if tag == "O":
            return self.object_member(value, name)
        if tag == "TO":
            return self.type_member(value, name)
        if tag == "W":
            return (("KM", name, value),)
        if tag in ("F", "L", "R"):
            if name in ("call", "apply", "bind"):
                return (("FM", name, value),)
            return self.stored(value, name) if tag == "F" else ()
        if tag == "N":
            return self.stored(value, name) or self.stored(("F", value[1], None), name)
        if tag == "T":
            return self.union([self.attribute(v, name) for v in self.bound_of(value)])
        if tag == "TA":
            return self.union([self.attribute(v, name) for v in self.bounded((value,))])
        return ()

    def object_member(self, value: Value, name: str) -> Values:
        unit = self.units_by_index[value[1]]
        data = unit.values[value[2]]
        for key, row in reversed(data[1]):
            if key == name:
                return self.value(unit, row)
        key = (value[1], value[2], name)
        if data[2] and key not in self.spreading and self.fuel > 0:
            self.spreading.add(key)  # an object may be spread into itself
            self.fuel -= 1
            try:
                for row in reversed(data[2]):
                    found = self.union([self.attribute(v, name) for v in self.value(unit, row)])
                    if found:
                        return found
            finally:
                self.spreading.discard(key)
        return self.stored(value, name)

    def type_member(self, value: Value, name: str) -> Values:
        unit = self.units_by_index[value[1]]
        data = unit.values[value[2]]
        for wanted in (name, "[]"):
            for key, row in data[1]:
                if key == wanted:
                    result = self.type_of(unit, row)
                    return self.substitute(result, dict(value[3])) if len(value) > 3 else result
        return ()

    def class_attribute(self, value: Value, name: str) -> Values:
        if name == "constructor" and value[0] == "I":
            return (("C", value[1], value[2]),)
        if name == "prototype" and value[0] == "C":
            return (("I", value[1], value[2]),)
        found = self.bindings(value, name)
        if found is None and name[:1] == ":":
            found = self.bindings(value, name[1:])
        if found is None:
            if value[0] != "S":
                stored = self.stored(value, name)
                if stored:
                    return stored
                index = self.bindings(value, "[]")
                if index is not None:
                    info, entries = index
                    result = self.union([self.value(info.unit, r) for r, _, _ in entries])
                    return self.substitute(result, self.members_env(value, info.gid))
            gid = value[2][1] if value[0] == "S" else value[1]
            return () if self.is_closed(gid) else (("X", "?." + name),)
        info, entries = found
        receiver = value[2] if value[0] == "S" else value
        parts = [self.member_value(info, e, value, False) for e in entries]
        result = self.union(parts)
        if any(
            v[0] in ("T", "K", "W", "R", "TC", "TO") or (v[0] == "I" and v[2]) for v in result
        ) and self.has_variable(result):
            env = self.members_env(receiver, info.gid)
            if env:
                result = self.substitute(result, env)
        return result

    def member_value(self, info: ClassInfo, entry: tuple[int, bool, bool], value: Value, called: bool) -> Values:
        row, _, in_class = entry
        unit = info.unit
        data = unit.values[row]
        receiver = value[2] if value[0] == "S" else value
        if data[0] == ops.DEFINITION and in_class:
            gid = unit.base + data[1]
            function = self.function_facts.get(gid)
            if function is None:
                return self.value(unit, row)
            if "property" in function.flags:
                return self.returned(gid, receiver, None, None)
            return (("F", gid, receiver),)
        if data[0] == ops.INSTANCE:
            return self.type_of(unit, data[1])
        return self.value(unit, row)

    # --- calls ----

    def eval_new(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        parts: list[Values] = []
        for value in self.value(unit, data[1]):
            tag = value[0]
            if tag == "C":
                parts.append(self.construct(value, unit, data))
            elif tag == "F":
                parts.append((("N", value[1]),))
            elif tag == "R":
                parts.append(value[1])
            elif tag == "X":
                parts.append(self.make_outside(value, unit, data))
            elif tag in ("I", "TO"):
                parts.append(self.call_member(value, "new()", unit, data))
        return self.union(parts)

    def make_outside(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        name = value[1].removeprefix(_BUILTIN)
        types = call[4] if len(call) > 4 else ()
        if types:
            return self.generic_builtin(name, [self.type_of(unit, r) for r in types]) or (("X", value[1] + "()"),)
        if name == "Promise":
            return (("W", ()),)
        if name in ("Set", "Array", "Map", "WeakMap"):
            items = self.union([self.elements(v) for r in call[2][:1] for v in self.value(unit, r)])
            return (("K", "map" if "Map" in name else "array", (None,), (items[:8] if "Map" not in name else (),)),)
        return (("X", value[1] + "()"),)

    def construct(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        info = self.class_info(value[1])
        if info is None or not info.variables or value[2]:
            return (("I", value[1], value[2]),)
        if len(call) > 4:
            return (("I", value[1], tuple(self.type_of(unit, r) for r in call[4])),)
        init = self.constructor(value[1])
        env: dict[str, Values] = {}
        if init is not None:
            self.solve(self.by_gid[init], self.function_facts[init], unit, call, value, env)
        return (("I", value[1], tuple(env.get(v, ()) for v in info.variables) if env else ()),)

    def call(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        tag = value[0]
        if tag == "F":
            return self.returned(value[1], value[2], unit, call)
        if tag == "L":
            owner = self.units_by_index[value[1]]
            data = owner.values[value[2]]
            body = owner.values[data[2]]
            if body[0] == ops.LAMBDA_PARAMETER and body[1] == value[2] and body[2] < len(call[2]):
                return self.value(unit, call[2][body[2]])
            result = self.value(owner, data[2])
            return (("W", result),) if len(data) > 3 and data[3] else result
        if tag == "R":
            return value[1]
        if tag == "X":
            return self.call_outside(value, unit, call)
        if tag == "KM":
            return self.call_method(value[1], value[2], unit, call)
        if tag == "FM":
            if value[1] == "bind":
                return (value[2],)
            return self.call(value[2], unit, (ops.CALL, call[1], call[2][1:], ()))
        if tag in ("I", "TO"):
            return self.call_member(value, "()", unit, call)
        if tag == "S":
            return ()
        return ()

    def call_member(self, value: Value, name: str, unit: Unit, call: tuple[Any, ...]) -> Values:
        if value[0] == "TO":
            return self.union([v[1] for v in self.type_member(value, name) if v[0] == "R"])
        found = self.member(value[1], name)
        if found is None:
            return ()
        info, entries = found
        result = self.union([v[1] for r, _, _ in entries for v in self.type_of(info.unit, r) if v[0] == "R"])
        return self.substitute(result, self.members_env(value, info.gid)) if self.has_variable(result) else result

    def declared_return(self, owner: Unit, gid: int, function: FunctionFacts, receiver: Any) -> Values:
        if function.annotation >= 0:
            values = self.type_of(owner, function.annotation)
            if receiver is not None and receiver[0] == "I" and owner.values[function.annotation][0] == ops.TYPE_QUERY:
                inner = owner.values[owner.values[function.annotation][1]]
                if inner[0] == ops.SELF:
                    return (receiver,)  # : this
            if receiver is not None and receiver[0] == "I" and self.has_variable(values):
                values = self.substitute(values, self.members_env(receiver, owner.base + function.owner))
            return values
        if "generator" in function.flags:
            return (("K", "array", (None,), (self.union([self.value(owner, r) for r in function.yields])[:8],)),)
        parts: list[Values] = []
        for row in function.returns:
            data = owner.values[row]
            if data[0] == ops.SELF and receiver is not None and receiver[0] == "I":
                parts.append((receiver,))
            else:
                parts.append(self.value(owner, row))
        result = self.union(parts)[:8]
        if "async" in function.flags:
            return (("W", self.union([v[1] if v[0] == "W" else (v,) for v in result])),)
        return result

    def call_outside(self, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        name = value[1].removeprefix(_BUILTIN)
        arguments = call[2]
        first = arguments[0] if arguments else -1
        if name == "Promise.resolve" and first >= 0:
            return (("W", self.union([v[1] if v[0] == "W" else (v,) for v in self.value(unit, first)])),)
        if name in ("Promise.all", "Promise.allSettled", "Promise.race", "Promise.any") and first >= 0:
            items = self.union([self.elements(v) for v in self.value(unit, first)])
            items = self.union([v[1] if v[0] == "W" else (v,) for v in items])[:8]
            return (("W", (("K", "array", (None,), (items,)),) if name.endswith(("all", "Settled")) else items),)
        if name in ("Object.assign", "Object.freeze", "Object.seal", "Object.create", "structuredClone") and first >= 0:
            return self.union([self.value(unit, r) for r in arguments[:2]])
        if name in ("Object.values", "Array.from", "Array.of") and first >= 0:
            items = self.union([self.elements(v) for v in self.value(unit, first)])[:8]
            if len(arguments) > 1:
                items = self.union([self.result_of(v) for v in self.value(unit, arguments[1])])
            return (("K", "array", (None,), (items,)),)
        if name == "Object.entries" and first >= 0:
            items = self.union([self.elements(v) for v in self.value(unit, first)])[:8]
            return (("K", "array", (None,), ((("K", "tuple", (0, 1), ((), items)),),)),)
        if len(value[1]) > 200:
            return (value,)
        return (("X", value[1] + "()"),)

    def result_of(self, value: Value) -> Values:
        """Return what calling a function value gives, whatever it is called with."""
        if value[0] == "F":
            return self.returned(value[1], value[2], None, None)
        if value[0] == "L":
            owner = self.units_by_index[value[1]]
            data = owner.values[value[2]]
            result = self.value(owner, data[2])
            return (("W", result),) if len(data) > 3 and data[3] else result
        if value[0] == "R":
            return value[1]
        return ()

    def call_method(self, name: str, value: Value, unit: Unit, call: tuple[Any, ...]) -> Values:
        arguments = call[2]
        if value[0] == "W":
            if name in ("catch", "finally"):
                return (value,)
            if name == "then" and arguments:
                result = self.union([self.result_of(v) for v in self.value(unit, arguments[0])])
                return (("W", self.union([v[1] if v[0] == "W" else (v,) for v in result])),)
            return ()
        items = self.union(value[3])
        if value[1] == "map":
            if name == "get":
                return items
            if name == "values":
                return (("K", "array", (None,), (items[:8],)),)
            if name == "keys":
                return (("K", "array", (None,), (value[4] if len(value) > 4 else (),)),)
            if name == "entries":
                return (("K", "array", (None,), (self.elements(value),)),)
            return (value,) if name == "set" else ()
        if name in _SAME_ARRAY:
            return (("K", "array", (None,), (items[:8],)),)
        if name in _ELEMENT:
            return items
        if name in ("map", "flatMap") and arguments:
            result = self.union([self.result_of(v) for v in self.value(unit, arguments[0])])[:8]
            if name == "flatMap":
                result = self.union([self.elements(v) or (v,) for v in result])
            return (("K", "array", (None,), (result,)),)
        if name == "entries":
            return (("K", "array", (None,), ((("K", "tuple", (0, 1), ((), items[:8])),),)),)
        if name in ("reduce", "reduceRight") and arguments:
            parts = [self.result_of(v) for v in self.value(unit, arguments[0])]
            parts += [self.value(unit, r) for r in arguments[1:2]]
            return self.union(parts)[:8]
        return (("X", f"{_BUILTIN}{value[1]}.{name}()"),)

    def handed_over(self, callee: Value, unit: Unit, call: tuple[Any, ...], row: int, index: int) -> Values:
        if callee[0] in ("KM", "X") and index < 0:
            return ()
        if callee[0] == "KM":
            name, value = callee[1], callee[2]
            if value[0] == "W":
                return value[1] if index == 0 and name == "then" and call[2][:1] == (row,) else ()
            if value[1] == "map":
                return (
                    (self.union(value[3]), value[4] if len(value) > 4 else ())[index]
                    if name == "forEach" and index < 2
                    else ()
                )
            if name in _FIRST_CALLBACK and (index == 0 or name in ("sort", "toSorted")):
                return self.union(value[3])
            if name in ("reduce", "reduceRight"):
                if index == 1:
                    return self.union(value[3])
                return self.value(unit, call[2][1]) if index == 0 and len(call[2]) > 1 else self.union(value[3])
            return ()
        if callee[0] == "X" and callee[1] == _BUILTIN + "Array.from" and len(call[2]) == 2 and index == 0:
            return self.union([self.elements(v) for v in self.value(unit, call[2][0])])
        if callee[0] == "R":
            for position, argument in enumerate(call[2]):
                if argument == row and position < len(callee[2]):
                    return self.union([self.handed_to(w, index) for w in callee[2][position] if w[0] == "R"])
            return ()
        return super().handed_over(callee, unit, call, row, index)

    def elements(self, value: Value) -> Values:
        if value[0] == "K" and value[1] == "map":
            return (("K", "tuple", (0, 1), (value[4] if len(value) > 4 else (), self.union(value[3]))),)
        if value[0] == "K":
            return self.union(value[3])
        if value[0] == "O":
            unit = self.units_by_index[value[1]]
            return self.union([self.value(unit, r) for _, r in unit.values[value[2]][1]])[:8]
        return super().elements(value)

    def item(self, value: Value, key: Any) -> Values:
        if value[0] in ("I", "C"):
            found = self.bindings(value, "[]")
            if found is None:
                return ()
            info, entries = found
            result = self.union([self.value(info.unit, r) for r, _, _ in entries])
            return self.substitute(result, self.members_env(value, info.gid))
        if value[0] == "O":
            return self.elements(value) if key is None else self.object_member(value, str(key))
        if value[0] == "TO":
            return self.type_member(value, "[]") if key is None else self.type_member(value, str(key))
        return super().item(value, key)

    def eval_subscript(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        if data[3] == "promise":
            return (("W", self.value(unit, data[1])),)
        if isinstance(data[3], tuple):
            return (("A", unit.index, at),)
        parts: list[Values] = []
        for value in self.value(unit, data[1]):
            if value[0] == "C" and data[2] and self.is_type_row(unit, data[1]):
                parts.append((("C", value[1], tuple(self.type_of(unit, r) for r in data[2])),))
            elif value[0] in ("A", "X") and self.is_type_row(unit, data[1]):
                parts.append((("A", unit.index, at),))
            else:
                parts.append(self.item(value, None))
        return self.union(parts)

    def is_type_row(self, unit: Unit, row: int) -> bool:
        data = unit.values[row]
        return (
            (data[0] == ops.NAME and data[1][:1] == ":")
            or (data[0] == ops.IMPORT and data[3][:1] == ":")
            or (data[0] == ops.ATTRIBUTE and data[2][:1] == ":")
            or data[0] in (ops.DEFINITION, ops.TYPE_VARIABLE)
        )

    def eval_operator(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return (("X", _BUILTIN + "string"),)

    def eval_constant(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        return () if data[1] == "none" else (("X", _BUILTIN + data[1]),)

    # --- types ----

    def evaluate_type(self, unit: Unit, row: int) -> Values:
        data = unit.values[row]
        op = data[0]
        if op == ops.UNION:
            return self.union([self.type_of(unit, r) for r in data[1]])
        if op == ops.CONSTANT:
            return () if data[1] == "none" else (("X", _BUILTIN + data[1]),)
        if op == ops.SEQUENCE:
            if data[1] == "tuple":
                return (("K", "tuple", tuple(range(len(data[2]))), tuple(self.type_of(unit, r) for r in data[2])),)
            return (("K", "array", (None,), (self.union([self.type_of(unit, r) for r in data[2]]),)),)
        if op == ops.TYPE_FUNCTION:
            parameters = tuple(self.type_of(unit, r) for r in data[1])
            return (
                ("R", self.type_of(unit, data[2]), parameters, *([self.type_of(unit, data[5])] if data[5] else [])),
            )
        if op == ops.TYPE_OBJECT:
            return (("TO", unit.index, row),)
        if op == ops.TYPE_QUERY:
            open_path = self.open_path(unit, data[1])
            return self.value(unit, data[1]) if open_path is None else open_path
        if op == ops.CONTEXT_ARGUMENT:
            return self.expected_argument(unit, data)
        if op == ops.TYPE_VARIABLE:
            return (("T", self.variable_name(unit, row), unit.index, row),)
        if op == ops.PREDICATE:
            return (("TP", self.type_of(unit, data[1])),)
        if op == ops.UNKNOWN:
            return ()
        if op == ops.CONTEXT_PARAMETER:
            signatures = [f for v in self.type_of(unit, data[1]) for f in self.call_signatures(v)]
            return self.bounded(self.union([self.handed_to(f, data[2]) for f in signatures]))
        if op == ops.SUBSCRIPT:
            if data[3] == "rest":
                return self.type_of(unit, data[1])
            if isinstance(data[3], tuple):  # a generic alias without arguments
                return self.type_of(unit, data[1])
            return self.union([self.applied(unit, v, data[2]) for v in self.value(unit, data[1])])
        if op == ops.PHI:
            return self.union([self.type_of(unit, r) for r in data[1]])
        return self.union([self.instance_of(v) for v in self.value(unit, row)])

    def open_path(self, unit: Unit, row: int) -> Values | None:
        """Return ``T["a"]["b"]`` as it stands, to be read when T is known; None when the path does not begin with a variable."""
        names: list[str] = []
        data = unit.values[row]
        while data[0] == ops.ATTRIBUTE:
            names.append(data[2])
            data = unit.values[data[1]]
            if data[0] == ops.INSTANCE and unit.values[data[1]][0] == ops.TYPE_QUERY:
                data = unit.values[unit.values[data[1]][1]]
        if data[0] != ops.INSTANCE or not names:
            return None
        variables = [v for v in self.type_of(unit, data[1]) if v[0] == "T"]
        return tuple(("TA", v, tuple(reversed(names))) for v in variables) or None

    def expected_argument(self, unit: Unit, data: tuple[Any, ...]) -> Values:
        """Return the declared type of the parameter that an argument is passed for."""
        call = unit.values[data[1]]
        index = data[2]
        parts: list[Values] = []
        for callee in self.value(unit, call[1]):
            if callee[0] == "R":
                parts.append(callee[2][index] if index < len(callee[2]) else ())
                continue
            if callee[0] not in ("F", "C") or (callee[0] == "C") != (call[0] == ops.NEW):
                continue
            gid = callee[1] if callee[0] == "F" else self.constructor(callee[1])
            function = self.function_facts.get(gid) if gid is not None else None
            if gid is None or function is None or index >= len(function.parameters):
                continue
            annotation = function.parameters[index].annotation
            if annotation < 0:
                continue
            owner = self.by_gid[gid]
            wanted = self.type_of(owner, annotation)
            receiver = callee[2] if callee[0] == "F" else None
            if receiver is not None and receiver[0] == "I" and function.owner >= 0:
                wanted = self.substitute(wanted, self.members_env(receiver, owner.base + function.owner))
            if self.has_variable(wanted):
                env: dict[str, Values] = {}
                self.explicit_arguments(gid, owner, unit, call, env)
                if not env:
                    self.solve_but(owner, function, unit, call, receiver, env, index)
                self.complete(gid, owner, unit, call, receiver, env)
                wanted = self.substitute(wanted, env)
            parts.append(wanted)
        return self.union(parts)

    def instance_of(self, value: Value) -> Values:
        tag = value[0]
        if tag == "C":
            return (("I", value[1], value[2]),)
        if tag == "A":
            return self.type_of(self.units_by_index[value[1]], value[2])
        if tag == "X":
            name = value[1].removeprefix(_BUILTIN)
            return self.generic_builtin(name, []) or (value,)
        if tag in ("T", "K", "R", "TO", "W", "I"):
            return (value,)
        return ()

    def applied(self, unit: Unit, base: Value, rows: tuple[int, ...]) -> Values:
        """Return the instances of a generic type with arguments."""
        tag = base[0]
        if tag == "C":
            return (("I", base[1], tuple(self.type_of(unit, r) for r in rows)),)
        if tag == "A":
            owner = self.units_by_index[base[1]]
            data = owner.values[base[2]]
            values = self.type_of(owner, base[2])
            if data[0] == ops.SUBSCRIPT and isinstance(data[3], tuple) and self.has_variable(values):
                env = {}
                for variable in self.free_variables(values):
                    name = variable[1].split("@", 1)[0]
                    if name in data[3][1] and data[3][1].index(name) < len(rows):
                        env[variable[1]] = self.type_of(unit, rows[data[3][1].index(name)])
                values = self.substitute(values, env)
            return values
        if tag == "X":
            name = base[1].removeprefix(_BUILTIN)
            arguments = [self.type_of(unit, r) for r in rows]
            return self.generic_builtin(name, arguments) or (base,)
        return self.instance_of(base)

    def free_variables(self, values: Values) -> list[Value]:
        found: dict[Value, None] = {}
        for value in values:
            tag = value[0]
            if tag == "T":
                found[value] = None
            elif tag == "TA":
                found[value[1]] = None
            elif tag == "K":
                for items in (*value[3], *value[4:]):
                    found.update(dict.fromkeys(self.free_variables(items)))
            elif tag in ("W", "R", "G"):
                for items in (value[1], *(value[2] if tag == "R" else ())):
                    found.update(dict.fromkeys(self.free_variables(items)))
            elif tag in ("I", "C"):
                for items in value[2]:
                    found.update(dict.fromkeys(self.free_variables(items)))
        return list(found)

    def generic_builtin(self, name: str, arguments: list[Values]) -> Values:
        def argument(index: int) -> Values:
            return arguments[index] if index < len(arguments) else ()

        if name in _SAME_TYPE:
            return argument(0)
        if name in _ARRAY_TYPES:
            return (("K", "array", (None,), (argument(0),)),)
        if name in _MAP_TYPES:
            return (("K", "map", (None,), (argument(1),), argument(0)),)
        if name == "Record":
            return (("K", "record", (None,), (argument(1),)),)
        if name in _PROMISE_TYPES:
            return (("W", argument(0)),)
        if name == "WeakRef":
            return (("K", "array", (None,), (argument(0),)),)
        if name == "Awaited":
            return self.union([v[1] if v[0] == "W" else (v,) for v in argument(0)])
        if name == "ReturnType":
            return self.union([self.result_of(v) for v in argument(0)])
        if name == "InstanceType":
            return tuple(("I", v[1], v[2]) for v in argument(0) if v[0] == "C")
        return ()

    def parameter_container(self, kind: str, values: Values) -> Values:
        return values

    def eval_narrow(self, unit: Unit, data: tuple[Any, ...], at: int) -> Values:
        if data[3] not in (5, 6):
            return super().eval_narrow(unit, data, at)
        base = self.value(unit, data[1])
        wanted: list[Value] = []
        for callee in self.value(unit, data[2]):
            if callee[0] == "R":
                wanted.extend(w for v in callee[1] if v[0] == "TP" for w in v[1])
            if callee[0] != "F":
                continue
            function = self.function_facts.get(callee[1])
            owner = self.by_gid[callee[1]]
            if function is not None and function.annotation >= 0:
                annotation = owner.values[function.annotation]
                if annotation[0] == ops.PREDICATE:
                    wanted.extend(self.type_of(owner, annotation[1]))
        wanted = [w for w in wanted if w[0] not in ("T", "X")]
        if not wanted:
            return base
        if data[3] == 6:
            return tuple(v for v in base if v not in wanted) or base
        kept = [
            v
            for v in base
            if v in wanted or (v[0] == "I" and any(w[0] == "I" and self.is_subclass(v[1], w[1]) for w in wanted))
        ]
        return tuple(dict.fromkeys(kept)) or tuple(dict.fromkeys(wanted))
