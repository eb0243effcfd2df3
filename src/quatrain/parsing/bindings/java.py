"""Value-flow facts of a Java file."""

from __future__ import annotations

from typing import Any

from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.facts import (
    CONSTANT,
    DEFINITION,
    ELEMENT,
    IMPORT,
    INSTANCE,
    ITEM,
    NEW,
    SEQUENCE,
    SUBSCRIPT,
)
from quatrain.parsing.bindings.flow import CALL_SITE, DECORATOR_SITE, IMPORT_SITE, TYPE_SITE, USE_SITE

__all__ = ["Java"]


class Java(Walker):
    """Java."""

    language = "java"
    literals = {  # noqa: RUF012
        "string_literal": "String", "decimal_integer_literal": "int", "decimal_floating_point_literal": "double", "true": "boolean",
        "false": "boolean", "character_literal": "char", "null_literal": "none", "hex_integer_literal": "int", "text_block": "String",
    }  # fmt: skip

    def prepare(self) -> None:
        self.handlers.update(
            {
                "package_declaration": self.package,
                "import_declaration": self.import_,
                "class_declaration": self.class_,
                "interface_declaration": self.class_,
                "enum_declaration": self.class_,
                "record_declaration": self.class_,
                "annotation_type_declaration": self.class_,
                "method_declaration": self.method,
                "constructor_declaration": self.method,
                "compact_constructor_declaration": self.method,
                "annotation_type_element_declaration": self.method,
                "field_declaration": self.variables_,
                "constant_declaration": self.variables_,
                "local_variable_declaration": self.variables_,
                "enum_constant": self.enum_constant,
                "enhanced_for_statement": self.for_each,
                "resource": self.resource,
                "catch_formal_parameter": self.catch,
                "instanceof_expression": self.instance_of,
                "method_invocation": self.invocation,
                "explicit_constructor_invocation": self.explicit,
                "object_creation_expression": self.creation,
                "field_access": self.access,
                "array_access": self.array_access,
                "cast_expression": self.cast,
                "parenthesized_expression": self.last,
                "assignment_expression": self.assignment,
                "ternary_expression": self.ternary,
                "lambda_expression": self.lambda_expression,
                "method_reference": self.method_reference,
                "return_statement": self.returned,
                "identifier": self.identifier,
                "this": self.this_,
                "super": self.super_,
                "marker_annotation": self.annotation_,
                "annotation": self.annotation_,
                "labeled_statement": self.children,
                "line_comment": self.skip,
                "block_comment": self.skip,
                "break_statement": self.skip,
                "continue_statement": self.skip,
            }
        )
        self.types.update(
            {
                "type_identifier": self.type_name,
                "identifier": self.type_name,
                "scoped_type_identifier": self.scoped,
                "generic_type": self.type_generic,
                "array_type": self.array_type,
                "annotated_type": self.type_last,
                "integral_type": self.type_plain,
                "floating_point_type": self.type_plain,
                "boolean_type": self.type_plain,
                "void_type": self.type_skip,
            }
        )

    def package(self, node: Any) -> int:
        for child in node.named_children:
            if child.type in ("scoped_identifier", "identifier"):
                self.extra["package"] = self.text(child)
        return 0

    def import_(self, node: Any) -> int:
        target = next((c for c in node.named_children if c.type in ("scoped_identifier", "identifier")), None)
        if target is None:
            return 0
        dotted = self.text(target)
        if any(c.type == "asterisk" for c in node.named_children):
            row = self.row(IMPORT, 0, dotted, "*")
            self.scope.stars.append(row)
            self.site(IMPORT_SITE, row, dotted.rsplit(".", 1)[-1], target)
            return 0
        module, _, name = dotted.rpartition(".")
        row = self.row(IMPORT, 0, module, name)
        name_node = target.child_by_field_name("name") or target
        self.site(IMPORT_SITE, row, name, name_node)
        self.declare(name, row)
        return 0

    def type_last(self, node: Any) -> int:
        rows = [self.type_(c) for c in node.named_children]
        return next((r for r in reversed(rows) if r > 0), 0)

    def scoped(self, node: Any) -> int:
        parts = [
            c for c in node.named_children if c.type in ("type_identifier", "scoped_type_identifier", "generic_type")
        ]
        if len(parts) < 2:
            return self.type_first(node)
        return self.member(self.type_(parts[0]), parts[-1], TYPE_SITE)

    def array_type(self, node: Any) -> int:
        return self.row(SEQUENCE, "array", (max(self.type_(node.child_by_field_name("element")), 0),), True)

    def annotation_(self, node: Any) -> int:
        name_node = node.child_by_field_name("name")
        if name_node is not None:
            self.site(DECORATOR_SITE, self.read(self.text(name_node)), self.text(name_node), name_node)
        self.field(node, "arguments")
        return 0

    def class_(self, node: Any) -> int:
        name_node, body_node = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return 0
        symbol = self.symbol_at(name_node)
        bases: list[tuple[int, Any, str]] = []
        variables = self.type_parameters(node)
        for child in node.named_children:
            if child.type in ("superclass", "super_interfaces", "extends_interfaces"):
                for part in child.named_children:
                    for base in part.named_children if part.type in ("type_list", "interface_type_list") else [part]:
                        before = len(self.sites)
                        row = self.type_(base)
                        if row > 0 and len(self.sites) > before:
                            name = self.sites[before][2]
                            self.sites.pop(before)
                            bases.append((row, base, name))
            elif child.type == "modifiers":
                self.visit(child)

        def body() -> None:
            for name in variables:
                self.declare(name, self.row(CONSTANT, "type variable"))
            parameters = node.child_by_field_name("parameters")
            for child in parameters.named_children if parameters is not None else ():
                field = child.child_by_field_name("name")
                if field is not None:
                    self.declare(self.text(field), self.instance(child.child_by_field_name("type")), field)
            if body_node is not None:
                self.children(body_node)

        return self.enter_class(symbol, self.text(name_node), bases, body, variables)

    def type_parameters(self, node: Any) -> tuple[str, ...]:
        holder = node.child_by_field_name("type_parameters")
        names = []
        for child in holder.named_children if holder is not None else ():
            if child.named_children:
                names.append(self.text(child.named_children[0]))
        return tuple(names)

    def flags(self, node: Any) -> frozenset[str]:
        modifiers = next((c for c in node.named_children if c.type == "modifiers"), None)
        words = {c.type for c in modifiers.children} if modifiers is not None else set()
        return frozenset(w for w in ("static", "abstract") if w in words)

    def method(self, node: Any) -> int:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None:
            return 0
        name = self.text(name_node)
        made = "constructor" in node.type
        for child in node.named_children:
            if child.type == "modifiers":
                self.visit(child)
        variables = self.type_parameters(node)

        def receiver() -> None:
            for variable in variables:
                self.declare(variable, self.row(CONSTANT, "type variable"))

        return self.enter_function(
            self.symbol_at(name_node),
            "<init>" if made else name,
            lambda: self.parameters(node),
            lambda: -1 if made else self.type_(node.child_by_field_name("type")),
            lambda: self.visit_body(body),
            owner=self.class_symbol,
            flags=self.flags(node),
            receiver=receiver,
        )

    def visit_body(self, body: Any) -> int:
        if body is not None:
            self.children(body)
        return 0

    def parameters(self, node: Any) -> list[tuple[str, int, int, str, Any]]:
        found: list[tuple[str, int, int, str, Any]] = []
        holder = node.child_by_field_name("parameters")
        for child in holder.named_children if holder is not None else ():
            if child.type == "formal_parameter":
                name = child.child_by_field_name("name")
                row = self.type_(child.child_by_field_name("type"))
                if name is not None:
                    found.append((self.text(name), row, -1, "", name))
            elif child.type == "spread_parameter":
                row = self.type_first(child)
                declarator = child.named_children[-1]
                name = declarator.child_by_field_name("name") or declarator
                found.append((self.text(name), row, -1, "*", name))
        return found

    def variables_(self, node: Any) -> int:
        type_node = node.child_by_field_name("type")
        for child in node.named_children:
            if child.type == "modifiers":
                self.visit(child)
        declared = 0
        if type_node is not None and self.text(type_node) != "var":
            declared = self.instance(type_node)
        for child in node.named_children:
            if child.type == "variable_declarator":
                name = child.child_by_field_name("name")
                value = self.field(child, "value")
                if name is not None:
                    self.declare(self.text(name), declared or value, name)
        return 0

    def enum_constant(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        if name is not None:
            self.declare(self.text(name), self.this, name)
        self.field(node, "arguments")
        self.field(node, "body")
        return 0

    def for_each(self, node: Any) -> int:
        name, type_node = node.child_by_field_name("name"), node.child_by_field_name("type")
        source = self.field(node, "value")
        declared = 0 if type_node is None or self.text(type_node) == "var" else self.instance(type_node)
        if name is not None:
            self.declare(self.text(name), declared or self.row(ELEMENT, source))
        self.field(node, "body")
        return 0

    def resource(self, node: Any) -> int:
        name, type_node = node.child_by_field_name("name"), node.child_by_field_name("type")
        declared = 0 if type_node is None or self.text(type_node) == "var" else self.instance(type_node)
        value = self.field(node, "value")
        if name is not None:
            self.declare(self.text(name), declared or value)
        elif type_node is None:
            self.children(node)
        return 0

    def catch(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        row = 0
        for child in node.named_children:
            if child.type == "catch_type":
                row = self.instance(child)
        if name is not None:
            self.declare(self.text(name), row)
        return 0

    def instance_of(self, node: Any) -> int:
        self.field(node, "left")
        row = self.instance(node.child_by_field_name("right"))
        name = node.child_by_field_name("name")
        if name is not None:
            self.declare(self.text(name), row)
        return self.row(CONSTANT, "boolean")

    def invocation(self, node: Any) -> int:
        name_node, object_node = node.child_by_field_name("name"), node.child_by_field_name("object")
        arguments = node.child_by_field_name("arguments")
        if name_node is None:
            return 0
        if object_node is None:
            callee = self.called_name(self.text(name_node))
            self.site(CALL_SITE, callee, self.text(name_node), name_node)
        else:
            callee = self.member(self.visit(object_node), name_node, CALL_SITE)
        return self.call(callee, arguments)

    def explicit(self, node: Any) -> int:
        target = node.child_by_field_name("constructor")
        if target is not None and self.class_symbol >= 0:
            row = self.super_(target) if target.type == "super" else self.row(DEFINITION, self.class_symbol)
            self.site(CALL_SITE, row, self.text(target), target)
        self.field(node, "arguments")
        return 0

    def creation(self, node: Any) -> int:
        type_node = node.child_by_field_name("type")
        before = len(self.sites)
        row = max(self.type_(type_node), 0)
        if len(self.sites) > before:
            self.sites[before] = (CALL_SITE, *self.sites[before][1:])
        base = row
        while self.values[base][0] == SUBSCRIPT:
            base = self.values[base][1]
        arguments = self.arguments(node.child_by_field_name("arguments"))
        self.row(NEW, base, arguments, ())
        body = next((c for c in node.named_children if c.type == "class_body"), None)
        if body is not None:
            outer = self.scope
            scope = self.new_scope("block", outer.symbol, outer.number)
            scope.env = None
            self.scope = scope
            this, class_symbol = self.this, self.class_symbol
            self.this, self.class_symbol = self.row(INSTANCE, row) if row else 0, -1
            if row:
                self.receivers[scope.number] = self.this
            self.children(body)
            self.this, self.class_symbol = this, class_symbol
            self.scope = outer
        return self.row(INSTANCE, row) if row else 0

    def access(self, node: Any) -> int:
        name_node = node.child_by_field_name("field")
        base = self.field(node, "object")
        if name_node is None or name_node.type == "this":
            return base
        return self.member(base, name_node)

    def array_access(self, node: Any) -> int:
        base = self.field(node, "array")
        self.field(node, "index")
        return self.row(ITEM, base, None)

    def cast(self, node: Any) -> int:
        value = self.field(node, "value")
        row = 0
        for child in node.children_by_field_name("type"):
            row = row or self.instance(child)
        return row or value

    def assignment(self, node: Any) -> int:
        self.field(node, "left")
        return self.field(node, "right")

    def ternary(self, node: Any) -> int:
        self.field(node, "condition")
        return self.join(tuple(dict.fromkeys((self.field(node, "consequence"), self.field(node, "alternative")))))

    def lambda_expression(self, node: Any) -> int:
        holder, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")

        def parameters() -> list[tuple[str, int]]:
            if holder is None:
                return []
            if holder.type == "identifier":
                return [(self.text(holder), -1)]
            if holder.type == "inferred_parameters":
                return [(self.text(c), -1) for c in holder.named_children]
            return [(p[0], p[1]) for p in self.parameters(node)]

        return self.lambda_(parameters, lambda: self.visit(body) if body is not None else 0)

    def method_reference(self, node: Any) -> int:
        children = node.named_children
        if len(children) == 2 and children[1].type == "identifier":
            base = self.visit(children[0]) if children[0].type != "type_identifier" else self.type_(children[0])
            return self.member(base, children[1], USE_SITE)
        return self.children(node)
