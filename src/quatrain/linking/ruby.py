"""Linking of Ruby: global constants and classes that are opened again."""

from __future__ import annotations

from typing import Any

from quatrain.linking.declared import DeclaredEvaluator, Row
from quatrain.linking.evaluate import Unit, Value
from quatrain.parsing.bindings import facts as ops

__all__ = ["RubyEvaluator"]


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

    def bindings(self, value: Value, name: str) -> Any:
        """Return the bindings of a member; a class and its instances may each have a method of that name."""
        found = super().bindings(value, name)
        receiver = value[2] if value[0] == "S" else value
        if found is None or receiver is None or receiver[0] not in ("I", "C"):
            return found
        info, entries = found
        values = [info.unit.values[row] for row, _, inside in entries if inside]
        functions = [info.unit.facts.functions.get(v[1]) for v in values if v[0] == ops.DEFINITION]
        static = [f is not None and "static" in f.flags for f in functions]
        if len(functions) < len(entries) or None in functions or len(set(static)) < 2:
            return found
        return info, [e for e, s in zip(entries, static, strict=True) if s == (receiver[0] == "C")]

    def package_of(self, unit: Unit) -> str:
        return ""
