"""Value-flow facts of a Go file."""

from __future__ import annotations

from typing import Any

from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.facts import (
    DEFINITION,
    ELEMENT,
    IMPORT,
    INSTANCE,
    ITEM,
    SEQUENCE,
    SUBSCRIPT,
    TYPE_FUNCTION,
    UNPACK,
)
from quatrain.parsing.bindings.flow import CALL_SITE, IMPORT_SITE, TYPE_SITE

__all__ = ["Go"]


class Go(Walker):
    """Go: methods stand outside their type, a package is a folder."""

    language = "go"
    literals = {  # noqa: RUF012
        "interpreted_string_literal": "string", "raw_string_literal": "string", "int_literal": "int", "float_literal": "float",
        "rune_literal": "rune", "true": "bool", "false": "bool", "nil": "none", "iota": "int",
    }  # fmt: skip

    def prepare(self) -> None:
        self.handlers.update(
            {
                "package_clause": self.package,
                "import_spec": self.import_,
                "type_spec": self.type_spec,
                "type_alias": self.type_spec,
                "method_declaration": self.method,
                "function_declaration": self.function,
                "var_spec": self.var_spec,
                "const_spec": self.var_spec,
                "short_var_declaration": self.short,
                "assignment_statement": self.assignment,
                "range_clause": self.range_,
                "type_switch_statement": self.type_switch,
                "receive_statement": self.assignment,
                "identifier": self.identifier,
                "selector_expression": self.selector,
                "call_expression": self.call_,
                "composite_literal": self.composite,
                "unary_expression": self.last,
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
                "channel_type": self.type_list,
                "map_type": self.map_type,
                "generic_type": self.type_generic,
                "function_type": self.function_type,
                "parenthesized_type": self.type_first,
                "struct_type": self.type_skip,
                "interface_type": self.type_skip,
                "comment": self.type_skip,
            }
        )

    def package(self, node: Any) -> int:
        for child in node.named_children:
            self.extra["package"] = self.text(child)
        return 0

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
            for name in {plain, plain.removeprefix("go-"), plain.removesuffix("-go"), plain.replace("-", "_")}:
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
        if value.type == "struct_type" or value.type == "interface_type":
            bases: list[tuple[int, Any, str]] = []
            holder = next((c for c in value.named_children if c.type == "field_declaration_list"), value)
            for child in holder.named_children:
                if child.type == "field_declaration" and child.child_by_field_name("name") is None:
                    self.embedded(child.child_by_field_name("type"), bases)
                elif child.type == "type_elem" and len(child.named_children) == 1:
                    self.embedded(child.named_children[0], bases)

            def body() -> None:
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

    def embedded(self, node: Any, bases: list[tuple[int, Any, str]]) -> None:
        before = len(self.sites)
        row = self.type_(node)
        if row > 0 and len(self.sites) > before:
            name = self.sites[before][2]
            del self.sites[before:]
            bases.append((row, node, name))

    def signature(self, node: Any, owner: int) -> None:
        name_node = node.child_by_field_name("name")
        symbol = self.symbol_at(name_node)
        self.enter_function(
            symbol,
            self.text(name_node),
            lambda: self.parameters(node),
            lambda: self.result(node),
            lambda: 0,
            owner=owner,
        )

    def parameters(self, node: Any) -> list[tuple[str, int, int, str, Any]]:
        found: list[tuple[str, int, int, str, Any]] = []
        holder = node.child_by_field_name("parameters")
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
                row = self.type_(child.child_by_field_name("type"))
                names = child.children_by_field_name("name")
                for name in names:
                    self.declare(self.text(name), self.row(INSTANCE, row) if row > 0 else 0)
                rows.extend([max(row, 0)] * max(len(names), 1))
            if len(rows) == 1:
                return rows[0]
            return self.row(SEQUENCE, "tuple", tuple(rows))
        return self.type_(result)

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
        rows = self.values_of(value, len(names)) if value is not None else []
        for index, name in enumerate(names):
            self.declare(self.text(name), declared or (rows[index] if index < len(rows) else 0), name)
        return 0

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
                for index, name in enumerate(names[:1]):
                    self.declare(self.text(name), self.row(ELEMENT, rows[index]))
        return 0

    def range_(self, node: Any) -> int:
        left = node.child_by_field_name("left")
        source = self.field(node, "right")
        names = left.named_children if left is not None else []
        for index, name in enumerate(names):
            if name.type == "identifier":
                row = (
                    self.row(ITEM, source, None)
                    if index == 1
                    else self.row(UNPACK, self.row(SEQUENCE, "tuple", (0, source)), 0, -1)
                )
                if index == 0 and len(names) == 1:
                    row = self.row(ELEMENT, source)
                self.declare(self.text(name), row)
        return 0

    def type_switch(self, node: Any) -> int:
        alias = node.child_by_field_name("alias")
        name = self.text(alias.named_children[0]) if alias is not None and alias.named_children else ""
        self.field(node, "value")
        for child in node.named_children:
            if child.type in ("type_case", "default_case"):
                outer = self.scope
                scope = self.new_scope("block", outer.symbol, outer.number)
                scope.env = None
                self.scope = scope
                types = child.children_by_field_name("type")
                rows = [self.instance(t) for t in types]
                if name:
                    self.declare(name, rows[0] if len(rows) == 1 else 0)
                for inner in child.named_children:
                    if inner not in types:
                        self.visit(inner)
                outer.returns.extend(scope.returns)
                self.scope = outer
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
        self.type_(node.child_by_field_name("key"))
        value = max(self.type_(node.child_by_field_name("value")), 0)
        return self.row(SEQUENCE, "array", (value,), True)

    def function_type(self, node: Any) -> int:
        rows = tuple(max(p[1], 0) for p in self.parameters(node))
        return self.row(TYPE_FUNCTION, rows, max(self.result(node), 0), "", ())
