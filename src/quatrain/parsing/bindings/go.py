"""Value-flow facts of a Go file."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.facts import (
    CONSTANT,
    DEFINITION,
    ELEMENT,
    IMPORT,
    INSTANCE,
    ITEM,
    SEQUENCE,
    SUBSCRIPT,
    TYPE_FUNCTION,
    TYPE_OBJECT,
    UNPACK,
)
from quatrain.parsing.bindings.flow import CALL_SITE, IMPORT_SITE, TYPE_SITE, Region

__all__ = ["Go"]

_CONSTRAINT = re.compile(rb"(?m)^//go:build (.+)$")
_OLD_CONSTRAINT = re.compile(rb"(?m)^// ?\+build (.+)$")
_CLAUSE = re.compile(rb"(?m)^package\b")


class Go(Walker):
    """Go: methods stand outside their type, a package is a folder."""

    language = "go"
    literals = {  # noqa: RUF012
        "interpreted_string_literal": "string", "raw_string_literal": "string", "int_literal": "int", "float_literal": "float",
        "rune_literal": "rune", "true": "bool", "false": "bool", "nil": "none", "iota": "int",
    }  # fmt: skip

    def prepare(self) -> None:
        self.unopened = -1  # number of the scope around a block that has declared nothing so far
        self.reads: dict[int, set[str]] = {}  # by scope: the names read in it and in the blocks inside it
        self.handlers.update(
            {
                "package_clause": self.package,
                "import_spec": self.import_,
                "type_spec": self.type_spec,
                "type_alias": self.alias,
                "block": self.block,
                "if_statement": self.block,
                "for_statement": self.block,
                "expression_switch_statement": self.block,
                "select_statement": self.block,
                "expression_case": self.block,
                "default_case": self.block,
                "communication_case": self.block,
                "method_declaration": self.method,
                "function_declaration": self.function,
                "var_spec": self.var_spec,
                "const_declaration": self.constants,
                "short_var_declaration": self.short,
                "assignment_statement": self.assignment,
                "range_clause": self.range_,
                "type_switch_statement": self.type_switch,
                "receive_statement": self.assignment,
                "identifier": self.identifier,
                "selector_expression": self.selector,
                "call_expression": self.call_,
                "composite_literal": self.composite,
                "unary_expression": self.unary,
                "parenthesized_expression": self.last,
                "index_expression": self.index,
                "slice_expression": self.slice,
                "type_assertion_expression": self.assertion,
                "type_conversion_expression": self.assertion,
                "func_literal": self.literal,
                "return_statement": self.return_,
                "comment": self.skip,
                "labeled_statement": self.labeled,
                "break_statement": self.skip,
                "continue_statement": self.skip,
                "goto_statement": self.skip,
            }
        )
        self.types.update(
            {
                "type_identifier": self.type_name,
                "identifier": self.type_name,
                "qualified_type": self.qualified,
                "pointer_type": self.type_first,
                "slice_type": self.type_list,
                "array_type": self.type_list,
                "implicit_length_array_type": self.type_list,
                "channel_type": self.channel_type,
                "map_type": self.map_type,
                "generic_type": self.type_generic,
                "function_type": self.function_type,
                "parenthesized_type": self.type_first,
                "struct_type": self.unnamed,
                "interface_type": self.unnamed,
                "comment": self.type_skip,
            }
        )

    def package(self, node: Any) -> int:
        for child in node.named_children:
            self.extra["package"] = self.text(child)
        head = self.data[: node.start_byte]
        constraint = _CONSTRAINT.search(head)
        if constraint is not None:
            self.extra["build"] = constraint[1].decode("utf-8", "replace")
        elif lines := _OLD_CONSTRAINT.findall(head):
            # Lines are all to hold, of the words of a line one, of what commas join everything.
            words = [[w.replace(",", " && ") for w in line.decode("utf-8", "replace").split()] for line in lines]
            self.extra["build"] = " && ".join("(" + " || ".join(f"({w})" for w in line) + ")" for line in words)
        return 0

    # --- scopes ----

    def block(self, node: Any) -> int:
        """Read what has names of its own; the scope for them is made when the first one is declared."""
        outer, unopened = self.scope, self.unopened
        self.unopened = outer.number
        self.children(node)
        self.leave(outer)
        self.unopened = unopened
        return 0

    def leave(self, outer: Region) -> None:
        inner = self.scope
        while inner is not outer:
            above = self.scopes[inner.parent]
            above.returns.extend(inner.returns)
            inner = above
        self.scope = outer

    def open(self) -> None:
        scope = self.new_scope("block", self.scope.symbol, self.scope.number)
        scope.env = None
        self.scope = scope

    def declare(self, name: str, row: int, node: Any = None) -> None:
        self.make_room(name)
        super().declare(name, row, node)

    def make_room(self, name: str) -> None:
        """See to it that the current scope may hold a name from here on."""
        scope = self.scope
        hidden = scope.kind == "block" and name in self.reads.get(scope.number, ()) and name not in scope.names
        if scope.number == self.unopened or hidden:
            # A name means what it meant before up to the end of its declaration: stack := stack(3)
            self.open()

    def read(self, name: str) -> int:
        scope = self.scope
        while scope.kind == "block":
            self.reads.setdefault(scope.number, set()).add(name)
            scope = self.scopes[scope.parent]
        return super().read(name)

    def around(self, node: Any, read: Callable[[], Any]) -> Any:
        """Read types outside of the function that they belong to: the names of parameters are no types, those in brackets are."""
        inner, unopened = self.scope, self.unopened
        self.scope, self.unopened = self.scopes[inner.parent], -1
        self.open_for_types(node)
        found = read()
        self.scope, self.unopened = inner, unopened
        return found

    def open_for_types(self, node: Any) -> None:
        """Make a scope of the type parameters, if there are any; what they stand for is not known."""
        names = self.type_parameters(node)
        if names:
            self.open()
        for name in names:
            self.declare(name, self.row(CONSTANT, "type variable"))

    def type_parameters(self, node: Any) -> list[str]:
        """Return the names of the type parameters of a function, a type or the type of a method's receiver."""
        holder = node.child_by_field_name("type_parameters")
        if holder is not None:
            found = [n for c in holder.named_children for n in c.children_by_field_name("name")]
            return [self.text(n) for n in found]
        holder = node.child_by_field_name("receiver")
        if holder is None or b"[" not in self.data[holder.start_byte : holder.end_byte]:
            return []
        names = []
        stack = list(holder.named_children)
        while stack:
            child = stack.pop()
            if child.type == "type_arguments":
                names += [self.text(c) for c in child.named_children]
            else:
                stack.extend(child.named_children)
        return names

    def import_(self, node: Any) -> int:
        path_node, name_node = node.child_by_field_name("path"), node.child_by_field_name("name")
        if path_node is None:
            return 0
        path = self.text(path_node).strip('"`')
        row = self.row(IMPORT, 0, path, "")
        self.site(IMPORT_SITE, row, path.rsplit("/", 1)[-1], path_node)
        if name_node is None:
            parts = [p for p in path.split("/") if not (p[:1] == "v" and p[1:].isdigit())] or [path]
            plain = parts[-1].split(".v")[0]
            spellings = (plain, plain.removeprefix("go-"), plain.removesuffix("-go"), plain.replace("-", "_"))
            for name in dict.fromkeys(spellings):  # in order: facts of the same file are the same bytes
                self.declare(name, row)
        elif name_node.type == "dot":
            self.scope.stars.append(row)
        else:
            self.declare(self.text(name_node), row)
        return 0

    def type_spec(self, node: Any) -> int:
        name_node, value = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name_node is None or value is None:
            return 0
        symbol, name = self.symbol_at(name_node), self.text(name_node)
        self.make_room(name)
        if value.type == "struct_type" or value.type == "interface_type":
            bases: list[tuple[int, Any, str]] = []
            holder = next((c for c in value.named_children if c.type == "field_declaration_list"), value)
            for child in holder.named_children:
                if child.type == "field_declaration" and child.child_by_field_name("name") is None:
                    self.embedded(child.child_by_field_name("type"), bases)
                elif child.type == "type_elem" and len(child.named_children) == 1:
                    self.embedded(child.named_children[0], bases)

            def body() -> None:
                inner = self.scope
                self.scope = self.scopes[inner.parent]
                self.open_for_types(node)
                inner.parent, self.scope = self.scope.number, inner
                for row, _, embedded in bases if value.type == "struct_type" else ():
                    self.declare(embedded, self.row(INSTANCE, row))
                for child in holder.named_children:
                    if child.type == "field_declaration":
                        row = self.instance(child.child_by_field_name("type"))
                        for field in child.children_by_field_name("name"):
                            self.declare(self.text(field), row, field)
                    elif child.type in ("method_elem", "method_spec"):
                        self.signature(child, symbol)

            return self.enter_class(symbol, name, bases, body)
        row = self.type_(value)
        if symbol >= 0:
            # A named type has methods of its own, and those of nothing else.
            def nothing() -> None:
                pass

            self.enter_class(symbol, name, [], nothing)
            self.extra.setdefault("underlying", {})[symbol] = row
        return 0

    def alias(self, node: Any) -> int:
        """Read ``type A = B``: another name for the same type."""
        name_node, value = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name_node is None or value is None or value.type in ("struct_type", "interface_type"):
            return self.type_spec(node)
        self.declare(self.text(name_node), max(self.type_(value), 0), name_node)
        return 0

    def unnamed(self, node: Any) -> int:
        """Return the row of a type that is written out where it is used."""
        members: list[tuple[str, int]] = []
        holder = next((c for c in node.named_children if c.type == "field_declaration_list"), node)
        for child in holder.named_children:
            if child.type == "field_declaration":
                row = max(self.type_(child.child_by_field_name("type")), 0)
                members += [
                    (self.text(n), self.row(INSTANCE, row)) for n in child.children_by_field_name("name") if row
                ]
            elif child.type in ("method_elem", "method_spec"):
                name_node = child.child_by_field_name("name")
                members.append((self.text(name_node), self.signature(child, -1, bind=False)))
        return self.row(TYPE_OBJECT, tuple(members)) if members else 0

    def embedded(self, node: Any, bases: list[tuple[int, Any, str]]) -> None:
        before = len(self.sites)
        row = self.type_(node)
        if row > 0 and len(self.sites) > before:
            name = self.sites[before][2]
            del self.sites[before:]
            bases.append((row, node, name))

    def signature(self, node: Any, owner: int, bind: bool = True) -> int:
        name_node = node.child_by_field_name("name")
        symbol = self.symbol_at(name_node)
        return self.enter_function(
            symbol,
            self.text(name_node),
            lambda: self.parameters(node),
            lambda: self.result(node),
            lambda: 0,
            owner=owner,
            bind=bind,
        )

    def parameters(self, node: Any) -> list[tuple[str, int, int, str, Any]]:
        """Return the parameters of a function that is being entered."""
        for name in self.type_parameters(node):
            self.declare(name, self.row(CONSTANT, "type variable"))
        return self.around(node, lambda: self.parameter_list(node))

    def parameter_list(self, node: Any, field: str = "parameters") -> list[tuple[str, int, int, str, Any]]:
        found: list[tuple[str, int, int, str, Any]] = []
        holder = node.child_by_field_name(field)
        for child in holder.named_children if holder is not None else ():
            if child.type not in ("parameter_declaration", "variadic_parameter_declaration"):
                continue
            row = self.type_(child.child_by_field_name("type"))
            kind = ""
            if child.type.startswith("variadic"):
                kind, row = "*", row
            names = child.children_by_field_name("name")
            for name in names:
                found.append((self.text(name), row, -1, kind, name))
            if not names:
                found.append(("", row, -1, kind, child))
        return found

    def result(self, node: Any) -> int:
        result = node.child_by_field_name("result")
        if result is None:
            return -1
        if result.type == "parameter_list":
            rows = []
            for child in result.named_children:
                type_node = child.child_by_field_name("type")
                row = self.around(node, partial(self.type_, type_node))
                names = child.children_by_field_name("name")
                for name in names:
                    self.declare(self.text(name), self.row(INSTANCE, row) if row > 0 else 0)
                rows.extend([max(row, 0)] * max(len(names), 1))
            if len(rows) == 1:
                return rows[0]
            return self.row(SEQUENCE, "tuple", tuple(rows))
        return self.around(node, lambda: self.type_(result))

    def method(self, node: Any) -> int:
        name_node, holder = node.child_by_field_name("name"), node.child_by_field_name("receiver")
        if name_node is None or holder is None:
            return 0
        symbol, name = self.symbol_at(name_node), self.text(name_node)
        declaration = next((c for c in holder.named_children if c.type == "parameter_declaration"), None)
        type_node = declaration.child_by_field_name("type") if declaration is not None else None
        type_row = max(self.type_(type_node), 0)
        while self.values[type_row][0] == SUBSCRIPT:
            type_row = self.values[type_row][1]
        outer = self.scope
        scope = self.new_scope("impl", -1, outer.number)
        scope.env = None
        self.impls.append((type_row, scope.number))
        self.scope = scope
        self.declare(name, self.row(DEFINITION, symbol) if symbol >= 0 else 0)
        self.scope = outer

        def receiver() -> None:
            given = declaration.child_by_field_name("name") if declaration is not None else None
            if given is not None and type_row > 0:
                self.declare(self.text(given), self.row(INSTANCE, type_row))

        body = node.child_by_field_name("body")
        self.enter_function(
            symbol,
            name,
            lambda: self.parameters(node),
            lambda: self.result(node),
            lambda: self.visit(body) if body is not None else 0,
            bind=False,
            receiver=receiver,
        )
        return 0

    def function(self, node: Any) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return 0
        return self.enter_function(
            self.symbol_at(name_node),
            self.text(name_node),
            lambda: self.parameters(node),
            lambda: self.result(node),
            lambda: self.visit(body) if body is not None else 0,
        )

    def var_spec(self, node: Any) -> int:
        names = node.children_by_field_name("name")
        declared = self.instance(node.child_by_field_name("type"))
        value = node.child_by_field_name("value")
        owner = self.owner
        if self.scope.kind == "module" and len(names) == 1 and value is not None:
            holds = value.named_children
            if len(holds) == 1 and holds[0].type == "func_literal":
                self.owner = self.symbol_at(names[0])
        rows = self.values_of(value, len(names)) if value is not None else []
        self.owner = owner
        for index, name in enumerate(names):
            self.declare(self.text(name), declared or (rows[index] if index < len(rows) else 0), name)
        return 0

    def constants(self, node: Any) -> int:
        kept = 0
        for spec in node.named_children:
            if spec.type != "const_spec":
                continue
            self.var_spec(spec)
            names = spec.children_by_field_name("name")
            if spec.child_by_field_name("type") is None and spec.child_by_field_name("value") is None:
                # A line without type and value repeats those before it.
                for name in names:
                    self.declare(self.text(name), kept, name)
            elif names:
                rows = self.scope.names[self.text(names[0])]
                kept = rows[-1]
        return 0

    def unary(self, node: Any) -> int:
        row = self.last(node)
        return self.row(ELEMENT, row) if node.children and node.children[0].type == "<-" else row

    def values_of(self, node: Any, count: int) -> list[int]:
        """Return the rows of the right side of an assignment to ``count`` names."""
        parts = [c for c in node.named_children if c.type != "comment"] if node.type == "expression_list" else [node]
        rows = [self.visit(p) for p in parts]
        if len(rows) == 1 and count > 1:
            if parts[0].type in ("type_assertion_expression", "index_expression", "unary_expression"):
                return [rows[0], 0]
            return [self.row(UNPACK, rows[0], i, -1) for i in range(count)]
        return rows

    def short(self, node: Any) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        names = left.named_children if left is not None else []
        rows = self.values_of(right, len(names)) if right is not None else []
        for index, name in enumerate(names):
            if name.type == "identifier":
                self.declare(self.text(name), rows[index] if index < len(rows) else 0)
        return 0

    def assignment(self, node: Any) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None:
            for child in left.named_children:
                if child.type != "identifier":
                    self.visit(child)
        if right is not None:
            names = left.named_children if left is not None else []
            rows = self.values_of(right, len(names))
            if node.type == "receive_statement":
                for name in names[:1]:
                    self.declare(self.text(name), rows[0])
        return 0

    def range_(self, node: Any) -> int:
        left = node.child_by_field_name("left")
        source = self.field(node, "right")
        names = left.named_children if left is not None else []
        for index, name in enumerate(names):
            if name.type == "identifier":
                row = self.row(ITEM, source, None) if index == 1 else self.row(ELEMENT, source)
                self.declare(self.text(name), row)
        return 0

    def type_switch(self, node: Any) -> int:
        outer, unopened = self.scope, self.unopened
        self.unopened = outer.number
        for field in ("initializer", "value"):
            child = node.child_by_field_name(field)
            value = self.visit(child) if child is not None else 0
        alias = node.child_by_field_name("alias")
        name = self.text(alias.named_children[0]) if alias is not None and alias.named_children else ""
        around = self.scope
        for child in node.named_children:
            if child.type in ("type_case", "default_case"):
                self.unopened = -1
                self.open()
                types = child.children_by_field_name("type")
                rows = [self.instance(t) for t in types]
                if name:
                    # What fits none of the types, or one of several, is what it was before.
                    self.declare(name, rows[0] if len(rows) == 1 and types[0].type != "nil" else value)
                for inner in child.named_children:
                    if inner not in types:
                        self.visit(inner)
                self.leave(around)
        self.leave(outer)
        self.unopened = unopened
        return 0

    def selector(self, node: Any) -> int:
        name_node = node.child_by_field_name("field")
        base = self.field(node, "operand")
        return self.member(base, name_node) if name_node is not None else 0

    def call_(self, node: Any) -> int:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        while function is not None and function.type == "parenthesized_expression" and function.named_children:
            function = function.named_children[0]
        if function is None:
            return 0
        if (
            function.type in ("type_instantiation_expression", "index_expression", "generic_type")
            and function.named_children
        ):
            function = function.named_children[0]
        if function.type == "identifier":
            name = self.text(function)
            if name in ("new", "make") and arguments is not None and arguments.named_children:
                row = self.instance(arguments.named_children[0])
                for child in arguments.named_children[1:]:
                    self.visit(child)
                return row
            if name == "append" and arguments is not None and arguments.named_children:
                return self.first(arguments)
            callee = self.read(name)
            self.site(CALL_SITE, callee, name, function)
        elif function.type == "selector_expression":
            name_node = function.child_by_field_name("field")
            base = self.field(function, "operand")
            callee = self.member(base, name_node, CALL_SITE) if name_node is not None else 0
        else:
            callee = self.visit(function)
        return self.call(callee, arguments)

    def composite(self, node: Any) -> int:
        row = self.type_(node.child_by_field_name("type"))
        body = node.child_by_field_name("body")
        if body is not None:
            for child in body.named_children:
                if child.type == "keyed_element":
                    parts = child.named_children
                    for part in parts[1:] if len(parts) > 1 and self.is_key(parts[0]) else parts:
                        self.children(part)
                else:
                    self.children(child)
        return self.row(INSTANCE, row) if row > 0 else 0

    def is_key(self, node: Any) -> bool:
        return len(node.named_children) == 1 and node.named_children[0].type == "identifier"

    def index(self, node: Any) -> int:
        base = self.field(node, "operand")
        self.field(node, "index")
        return self.row(ITEM, base, None)

    def slice(self, node: Any) -> int:
        return self.first(node)

    def assertion(self, node: Any) -> int:
        self.field(node, "operand")
        return self.instance(node.child_by_field_name("type"))

    def literal(self, node: Any) -> int:
        body = node.child_by_field_name("body")
        return self.lambda_(
            lambda: [(p[0], p[1]) for p in self.parameters(node)], lambda: self.visit(body) if body is not None else 0
        )

    def return_(self, node: Any) -> int:
        holder = node.named_children[0] if node.named_children else None
        if holder is None:
            return 0
        parts = holder.named_children if holder.type == "expression_list" else [holder]
        rows = [self.visit(p) for p in parts]
        self.scope.returns.append(rows[0] if len(rows) == 1 else self.row(SEQUENCE, "tuple", tuple(rows)))
        return 0

    def labeled(self, node: Any) -> int:
        for child in node.named_children:
            if child.type != "label_name":
                self.visit(child)
        return 0

    def qualified(self, node: Any) -> int:
        package, name_node = node.child_by_field_name("package"), node.child_by_field_name("name")
        if package is None or name_node is None:
            return 0
        return self.member(self.read(self.text(package)), name_node, TYPE_SITE)

    def map_type(self, node: Any) -> int:
        key = max(self.type_(node.child_by_field_name("key")), 0)
        value = max(self.type_(node.child_by_field_name("value")), 0)
        return self.row(SEQUENCE, "map", (value,), key)

    def channel_type(self, node: Any) -> int:
        return self.row(SEQUENCE, "channel", (max(self.type_(node.child_by_field_name("value")), 0),), True)

    def function_type(self, node: Any) -> int:
        rows = tuple(max(p[1], 0) for p in self.parameter_list(node))
        result = node.child_by_field_name("result")
        given = 0
        if result is not None and result.type == "parameter_list":
            parts = tuple(max(p[1], 0) for p in self.parameter_list(node, "result"))
            given = parts[0] if len(parts) == 1 else self.row(SEQUENCE, "tuple", parts)
        elif result is not None:
            given = max(self.type_(result), 0)
        return self.row(TYPE_FUNCTION, rows, given, "", ())
