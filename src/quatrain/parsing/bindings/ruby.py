"""Value-flow facts of a Ruby file."""

from __future__ import annotations

from typing import Any

from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.facts import (
    ATTRIBUTE,
    CALL,
    DEFINITION,
    FIRST,
    IMPORT,
    NAME,
    NEW,
    SELF,
    SEQUENCE,
    UNPACK,
)
from quatrain.parsing.bindings.flow import CALL_SITE, IMPORT_SITE, INHERIT_SITE, USE_SITE

__all__ = ["Ruby"]

_MIXINS = frozenset({"include", "extend", "prepend"})


class Ruby(Walker):
    """Ruby: constants are looked up along modules, a bare name may be a call of ``self``."""

    language = "ruby"
    literals = {  # noqa: RUF012
        "string": "String", "integer": "Integer", "float": "Float", "simple_symbol": "Symbol", "true": "true", "false": "false", "nil": "none",
        "regex": "Regexp", "hash": "Hash",
    }  # fmt: skip

    def prepare(self) -> None:
        self.in_singleton = False
        self.handlers.update(
            {
                "module": self.class_,
                "class": self.class_,
                "singleton_class": self.singleton,
                "method": self.method,
                "singleton_method": self.method,
                "call": self.call_,
                "identifier": self.identifier,
                "constant": self.constant,
                "scope_resolution": self.scoped,
                "instance_variable": self.instance_variable,
                "class_variable": self.instance_variable,
                "self": self.this_,
                "super": self.super_call,
                "assignment": self.assignment,
                "operator_assignment": self.assignment,
                "return": self.returned,
                "parenthesized_statements": self.last,
                "body_statement": self.last,
                "then": self.last,
                "else": self.last,
                "begin": self.last,
                "if": self.branches,
                "unless": self.branches,
                "conditional": self.branches,
                "block": self.block_,
                "do_block": self.block_,
                "lambda": self.lambda_expression,
                "string": self.string,
                "hash": self.hash_,
                "array": self.array,
                "pair": self.pair,
                "comment": self.skip,
                "alias": self.skip,
                "undef": self.skip,
            }
        )

    def class_(self, node: Any) -> int:
        inside, self.in_singleton = self.in_singleton, False
        row = self.read_class(node)
        self.in_singleton = inside
        return row

    def read_class(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return 0
        target = name.child_by_field_name("name") if name.type == "scope_resolution" else name
        symbol = self.symbol_at(target) if target is not None else -1
        if symbol < 0:
            symbol = self.symbol_at(name)
        bases: list[tuple[int, Any, str]] = []
        above = node.child_by_field_name("superclass")
        mixins, declared = [], set()
        for child in body.named_children if body is not None else ():
            if child.type in ("class", "module"):
                declared.add(self.text(child.child_by_field_name("name")))
            method = child.child_by_field_name("method") if child.type == "call" else None
            if method is not None and self.text(method) in _MIXINS and child.child_by_field_name("receiver") is None:
                holder = child.child_by_field_name("arguments")
                for argument in holder.named_children if holder is not None else ():
                    if argument.type in ("constant", "scope_resolution"):
                        mixins.append(argument)
        for base in above.named_children if above is not None else ():
            if base.type in ("constant", "scope_resolution"):
                bases.append(self.base(base))

        outer = self.scope

        def members() -> None:
            own, included = self.scope, []
            for mixin in reversed(mixins) if symbol >= 0 else ():
                # A module that the class itself declares is looked up in it; no other, for what a class inherits depends on its mixins.
                self.scope = own if self.text(mixin).split("::")[0] in declared else outer
                included.append(self.base(mixin))
            self.scope = own
            for row, inner, text in included:
                self.site(INHERIT_SITE, row, text, inner)
            if included:
                facts = self.classes[symbol]
                self.classes[symbol] = facts._replace(bases=(*(row for row, _, _ in included), *facts.bases))
            if body is not None:
                self.children(body)

        return self.enter_class(symbol, self.text(target) if target is not None else "", bases, members)

    def base(self, node: Any) -> tuple[int, Any, str]:
        """Return the row, the name node and the name of a class or module that another one is built on."""
        before = len(self.sites)
        row = self.visit(node)
        del self.sites[before:]
        inner = node.child_by_field_name("name") if node.type == "scope_resolution" else node
        return row, inner, self.text(inner)

    def singleton(self, node: Any) -> int:
        """Read ``class << self``: methods of the class itself."""
        body = node.child_by_field_name("body")
        if body is not None:
            this, inside = self.this, self.in_singleton
            self.in_singleton = True
            self.this = self.row(SELF, self.class_symbol, 1) if self.class_symbol >= 0 else 0
            self.children(body)
            self.this, self.in_singleton = this, inside
        return 0

    def method(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return 0
        text = self.text(name)
        holder = node.child_by_field_name("parameters")
        symbol = self.symbol_at(name)
        singleton = node.type == "singleton_method" or self.in_singleton
        this = self.this
        if self.class_symbol >= 0:
            self.this = self.row(SELF, self.class_symbol, 1 if singleton else 0)

        def parameters() -> list[tuple[str, int, int, str, Any]]:
            found: list[tuple[str, int, int, str, Any]] = []
            for child in holder.named_children if holder is not None else ():
                given = child.child_by_field_name("name") or child
                default = child.child_by_field_name("value")
                row = self.visit(default) if default is not None else -1
                kind = "*" if child.type in ("splat_parameter", "hash_splat_parameter", "block_parameter") else ""
                if child.type == "keyword_parameter":
                    kind = "k"
                if given.type == "identifier":
                    found.append((self.text(given), -1, row, kind, given))
            return found

        row = self.enter_function(
            symbol,
            "<init>" if text == "initialize" else text,
            parameters,
            lambda: -1,
            lambda: self.visit(body) if body is not None else 0,
            owner=self.class_symbol,
            flags=frozenset({"static"}) if singleton else frozenset(),
        )
        self.this = this
        return row

    # --- expressions ----

    def identifier(self, node: Any) -> int:
        name = self.text(node)
        if self.is_local(name):
            return self.read(name)
        if name == "new" and self.class_symbol >= 0:
            base = self.row(DEFINITION, self.class_symbol)
            self.site(CALL_SITE, base, name, node)
            return self.row(NEW, base, (), ())
        # A bare name that is no variable is a call without arguments.
        row = self.implicit(name)
        self.site(CALL_SITE, row, name, node)
        return self.row(CALL, row, (), ())

    def implicit(self, name: str) -> int:
        """Return the row of a method of ``self``, or of a top-level one."""
        if self.this:
            return self.row(FIRST, (self.row(ATTRIBUTE, self.this, name), self.row(NAME, name + "()", 0)))
        return self.row(NAME, name + "()", 0)

    def constant(self, node: Any) -> int:
        name = self.text(node)
        row = self.read(name)
        self.site(USE_SITE, row, name, node)
        return row

    def scoped(self, node: Any) -> int:
        scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
        if name is None:
            return 0
        if scope is None:
            row = self.row(NAME, self.text(name), 0)
        else:
            row = self.row(ATTRIBUTE, self.visit(scope), self.text(name))
        self.site(USE_SITE, row, self.text(name), name)
        return row

    def instance_variable(self, node: Any) -> int:
        return self.row(ATTRIBUTE, self.this, self.text(node)) if self.this else 0

    def super_call(self, node: Any) -> int:
        row = self.super_(node)
        name = self.symbols[self.function_symbol].name if self.function_symbol >= 0 else ""
        callee = self.row(ATTRIBUTE, row, "<init>" if name == "initialize" else name) if row and name else 0
        if callee:
            self.site(CALL_SITE, callee, "super", node)
        return self.row(CALL, callee, (), ()) if callee else 0

    def call_(self, node: Any) -> int:
        receiver, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
        holder, block = node.child_by_field_name("arguments"), node.child_by_field_name("block")
        if method is None:
            return self.children(node)
        name = self.text(method)
        if method.type == "super":
            row = self.super_call(method)
            self.arguments(holder)
            if block is not None:
                self.visit(block)
            return row
        if receiver is None and name in ("require", "require_relative", "load", "autoload"):
            first = holder.named_children[0] if holder is not None and holder.named_children else None
            if first is not None and first.type == "string":
                path = self.text(first).strip("'\"")
                row = self.row(IMPORT, int(name == "require_relative"), path, "")
                self.site(IMPORT_SITE, row, path.rsplit("/", 1)[-1], first)
                return 0
        if receiver is None and name in _MIXINS and self.scope.kind == "class":
            return 0
        if receiver is None and name in ("attr_reader", "attr_accessor", "attr_writer"):
            for child in holder.named_children if holder is not None else ():
                text = self.text(child).lstrip(":")
                symbol = self.symbol_at(child)
                if symbol < 0 and child.named_children:
                    symbol = self.symbol_at(child.named_children[0])
                if symbol >= 0:
                    self.variables.setdefault((self.scope.number, text), symbol)
                if self.this:
                    self.declare(text, self.row(ATTRIBUTE, self.row(SELF, self.class_symbol, 0), "@" + text))
            return 0
        if name == "new":
            if receiver is None:
                base = self.row(DEFINITION, self.class_symbol) if self.class_symbol >= 0 else 0
                if base:
                    self.site(CALL_SITE, base, name, method)
            else:
                before = len(self.sites)
                base = self.visit(receiver)
                if receiver.type in ("constant", "scope_resolution") and len(self.sites) > before:
                    self.sites[-1] = (CALL_SITE, *self.sites[-1][1:])
                elif base:
                    self.site(CALL_SITE, base, name, method)  # a class that a variable or ``self.class`` holds
            rows = [*self.arguments(holder)]
            if block is not None:
                rows.append(self.visit(block))
            return self.row(NEW, base, tuple(rows), ())
        if name == "class" and receiver is not None and receiver.type == "self" and self.class_symbol >= 0:
            return self.row(SELF, self.class_symbol, 1)
        if receiver is None:
            callee = self.read(name) if self.is_local(name) else self.implicit(name)
            self.site(CALL_SITE, callee, name, method)
        else:
            callee = self.member(self.visit(receiver), method, CALL_SITE)
        rows = [*self.arguments(holder)]
        if block is not None:
            rows.append(self.visit(block))
        return self.row(CALL, callee, tuple(rows), ())

    def block_(self, node: Any) -> int:
        holder, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")

        def parameters() -> list[tuple[str, int]]:
            found = []
            for child in holder.named_children if holder is not None else ():
                name = child.child_by_field_name("name") or child
                found.append((self.text(name) if name.type == "identifier" else "", -1))
            return found

        return self.lambda_(parameters, lambda: self.visit(body) if body is not None else 0)

    def lambda_expression(self, node: Any) -> int:
        holder, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")

        def parameters() -> list[tuple[str, int]]:
            return [
                (self.text(c), -1)
                for c in (holder.named_children if holder is not None else ())
                if c.type == "identifier"
            ]

        def read() -> int:
            inner = body.child_by_field_name("body") if body is not None else None
            return self.visit(inner) if inner is not None else 0

        return self.lambda_(parameters, read)

    def assignment(self, node: Any) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self.visit(right) if right is not None else 0
        if left is not None:
            self.assign(left, value)
        return value

    def assign(self, target: Any, value: int) -> None:
        kind = target.type
        if kind in ("identifier", "constant"):
            self.declare(self.text(target), value, target)
        elif kind in ("instance_variable", "class_variable"):
            if self.class_symbol >= 0:
                entries = self.attributes.setdefault(self.class_symbol, {}).setdefault(self.text(target), [])
                if value and (value, False) not in entries and len(entries) < 16:
                    entries.append((value, False))
                symbol = self.symbol_at(target)
                if symbol >= 0:
                    self.variables.setdefault((self.classes[self.class_symbol].scope, self.text(target)), symbol)
        elif kind == "left_assignment_list":
            for index, child in enumerate(target.named_children):
                self.assign(child, self.row(UNPACK, value, index, -1))
        else:
            self.visit(target)

    def branches(self, node: Any) -> int:
        self.field(node, "condition")
        rows = [self.field(node, "consequence"), self.field(node, "alternative")]
        return self.join(tuple(dict.fromkeys(r for r in rows if r)))

    def string(self, node: Any) -> int:
        self.children(node)
        return 0

    def hash_(self, node: Any) -> int:
        self.children(node)
        return 0

    def pair(self, node: Any) -> int:
        key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
        if key is not None and key.type not in ("hash_key_symbol",):
            self.visit(key)
        return self.visit(value) if value is not None else 0

    def array(self, node: Any) -> int:
        rows = [self.visit(c) for c in node.named_children]
        return self.row(SEQUENCE, "array", tuple(r for r in rows[:8] if r), True)
