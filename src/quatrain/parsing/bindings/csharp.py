"""Value-flow facts of a C# file."""

from __future__ import annotations

from typing import Any

from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.facts import (
    AWAIT,
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
from quatrain.parsing.bindings.flow import CALL_SITE, DECORATOR_SITE, IMPORT_SITE, TYPE_SITE

__all__ = ["CSharp"]

_TYPES = ("class_declaration", "struct_declaration", "interface_declaration", "enum_declaration", "record_declaration",
          "record_struct_declaration")  # fmt: skip
_METHODS = (
    "method_declaration",
    "constructor_declaration",
    "local_function_statement",
    "operator_declaration",
    "destructor_declaration",
)


class CSharp(Walker):
    """C#."""

    language = "csharp"
    literals = {  # noqa: RUF012
        "raw_string_literal": "String",
        "string_literal": "String", "verbatim_string_literal": "String", "interpolated_string_expression": "String",
        "integer_literal": "Int32", "real_literal": "Double", "boolean_literal": "Boolean", "character_literal": "Char", "null_literal": "none",
    }  # fmt: skip

    def prepare(self) -> None:
        self.handlers.update(dict.fromkeys(_TYPES, self.class_))
        self.handlers.update(dict.fromkeys(_METHODS, self.method))
        self.handlers.update(
            {
                "using_directive": self.using,
                "namespace_declaration": self.namespace,
                "file_scoped_namespace_declaration": self.file_namespace,
                "delegate_declaration": self.method,
                "property_declaration": self.property_,
                "indexer_declaration": self.property_,
                "event_declaration": self.property_,
                "variable_declaration": self.variables_,
                "enum_member_declaration": self.enum_member,
                "foreach_statement": self.for_each,
                "catch_declaration": self.pattern,
                "declaration_pattern": self.pattern,
                "declaration_expression": self.pattern,
                "recursive_pattern": self.pattern,
                "invocation_expression": self.invocation,
                "object_creation_expression": self.creation,
                "implicit_object_creation_expression": self.implicit,
                "member_access_expression": self.access,
                "conditional_access_expression": self.conditional,
                "member_binding_expression": self.binding,
                "element_access_expression": self.element,
                "cast_expression": self.cast,
                "as_expression": self.as_,
                "parenthesized_expression": self.last,
                "await_expression": self.await_,
                "assignment_expression": self.assignment,
                "conditional_expression": self.ternary,
                "lambda_expression": self.lambda_expression,
                "anonymous_method_expression": self.lambda_expression,
                "argument": self.argument,
                "return_statement": self.returned,
                "identifier": self.identifier,
                "generic_name": self.generic_value,
                "this": self.this_,
                "this_expression": self.this_,
                "base": self.super_,
                "base_expression": self.super_,
                "interpolated_string_expression": self.children,
                "attribute": self.attribute_,
                "comment": self.skip,
            }
        )
        self.types.update(
            {
                "identifier": self.type_name,
                "generic_name": self.type_generic,
                "qualified_name": self.qualified,
                "alias_qualified_name": self.type_last,
                "nullable_type": self.type_first,
                "pointer_type": self.type_first,
                "ref_type": self.type_last,
                "array_type": self.array_type,
                "tuple_type": self.tuple_type,
                "predefined_type": self.type_skip,
                "implicit_type": self.type_skip,
                "primary_constructor_base_type": self.type_first,
            }
        )

    def run(self, root: Any) -> bytes:
        self.prefix = ""
        self.target = 0
        return super().run(root)

    def type_last(self, node: Any) -> int:
        rows = [self.type_(c) for c in node.named_children]
        return next((r for r in reversed(rows) if r > 0), 0)

    def using(self, node: Any) -> int:
        children = [
            c
            for c in node.named_children
            if c.type in ("identifier", "qualified_name", "generic_name", "alias_qualified_name")
        ]
        if not children:
            return 0
        alias = node.child_by_field_name("name")
        target = children[-1]
        dotted = self.text(target).replace("global::", "")
        if alias is not None and len(children) > 1:
            module, _, name = dotted.rpartition(".")
            row = self.row(IMPORT, 0, module, name)
            self.declare(self.text(alias), row)
        else:
            row = self.row(IMPORT, 0, dotted, "*")
            self.scope.stars.append(row)
            if self.scope.number:
                self.scopes[0].stars.append(row)
        self.site(IMPORT_SITE, row, dotted.rsplit(".", 1)[-1], target)
        return 0

    def note_namespace(self, name: str) -> None:
        self.prefix = f"{self.prefix}.{name}" if self.prefix else name
        self.extra.setdefault("namespaces", {})[self.scope.number] = self.prefix
        self.extra.setdefault("package", self.prefix)

    def namespace(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return 0
        outer, prefix = self.scope, self.prefix
        self.scope = self.new_scope("namespace", -1, outer.number)
        self.scope.env = None
        self.note_namespace(self.text(name))
        self.children(body)
        self.scope, self.prefix = outer, prefix
        return 0

    def file_namespace(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        scope = self.new_scope("namespace", -1, 0)
        scope.env = None
        self.scope = scope  # until the end of the file
        if name is not None:
            self.note_namespace(self.text(name))
        for child in node.named_children:
            if child != name:
                self.visit(child)
        return 0

    def class_(self, node: Any) -> int:
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return 0
        bases: list[tuple[int, Any, str]] = []
        variables: list[str] = []
        for child in node.named_children:
            if child.type == "base_list" and node.type != "enum_declaration":
                for base in child.named_children:
                    if base.type == "argument_list":
                        continue
                    before = len(self.sites)
                    row = self.type_(base)
                    if row > 0 and len(self.sites) > before:
                        bases.append((row, base, self.sites.pop(before)[2]))
            elif child.type in ("type_parameter_list", "type_parameters"):
                for parameter in child.named_children:
                    inner = parameter.child_by_field_name("name")
                    if inner is not None:
                        variables.append(self.text(inner))
            elif child.type == "attribute_list":
                self.visit(child)

        def body() -> None:
            for variable in variables:
                self.declare(variable, self.row(CONSTANT, "type variable"))
            for child in node.named_children:
                if child.type == "parameter_list":
                    for name, row, _, _, place in self.parameter_rows(child):
                        self.declare(name, self.row(INSTANCE, row) if row > 0 else 0, place)
            inner = node.child_by_field_name("body")
            if inner is not None:
                self.children(inner)

        return self.enter_class(self.symbol_at(name_node), self.text(name_node), bases, body, tuple(variables))

    def parameter_rows(self, holder: Any) -> list[tuple[str, int, int, str, Any]]:
        found: list[tuple[str, int, int, str, Any]] = []
        for child in holder.named_children:
            if child.type != "parameter":
                continue
            name = child.child_by_field_name("name")
            if name is None:
                continue
            default = 0 if any(c.type in ("=", "equals_value_clause") for c in child.children) else -1
            found.append((self.text(name), max(self.type_(child.child_by_field_name("type")), 0), default, "", name))
        # ``params T[] rest`` stands in the list without a node of its own.
        types, names = holder.children_by_field_name("type"), holder.children_by_field_name("name")
        for type_node, name in zip(types, names, strict=False):
            found.append((self.text(name), max(self.type_(type_node), 0), -1, "*", name))
        return found

    def method(self, node: Any) -> int:
        name_node = node.child_by_field_name("name")
        body = node.child_by_field_name("body") or next(
            (c for c in node.named_children if c.type == "arrow_expression_clause"), None
        )
        if name_node is None:
            return self.children(node)
        made = node.type == "constructor_declaration"
        words = {self.text(c) for c in node.named_children if c.type == "modifier"}
        flags = frozenset(w for w in ("static", "abstract", "async") if w in words)
        for child in node.named_children:
            if child.type == "attribute_list":
                self.visit(child)
        holder = node.child_by_field_name("parameters")
        variables = [
            p.child_by_field_name("name")
            for c in node.named_children
            if c.type == "type_parameter_list"
            for p in c.named_children
        ]

        def receiver() -> None:
            for variable in variables:
                if variable is not None:
                    self.declare(self.text(variable), self.row(CONSTANT, "type variable"))

        def read_body() -> int:
            for child in node.named_children:
                if child.type == "constructor_initializer":
                    self.initializer(child)
            if body is None:
                return 0
            return self.last(body) if body.type == "arrow_expression_clause" else self.children(body)

        result = node.child_by_field_name("returns") or node.child_by_field_name("type")
        local = node.type == "local_function_statement"
        # An async method declares Task<T> itself.
        return self.enter_function(
            self.symbol_at(name_node),
            "<init>" if made else self.text(name_node),
            lambda: self.parameter_rows(holder) if holder is not None else [],
            lambda: self.type_(result) if result is not None and not made else -1,
            read_body,
            owner=-1 if local else self.class_symbol,
            flags=flags - {"async"},
            receiver=receiver,
        )

    def initializer(self, node: Any) -> None:
        target = next((c for c in node.children if c.type in ("base", "this")), None)
        if target is not None and self.class_symbol >= 0:
            row = self.super_(target) if target.type == "base" else self.row(DEFINITION, self.class_symbol)
            self.site(CALL_SITE, row, self.text(target), target)
        self.children(node)

    def property_(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        row = self.instance(node.child_by_field_name("type"))
        symbol = self.symbol_at(name) if name is not None else -1
        if name is not None:
            self.declare(self.text(name), row, name)
        owner = self.owner
        if symbol >= 0:
            self.owner = symbol
        outer = self.scope
        scope = self.new_scope("function", symbol, outer.number)
        scope.env = None
        self.scope = scope
        for child in node.named_children:
            if child.type in ("accessor_list", "arrow_expression_clause") or child == node.child_by_field_name("value"):
                self.visit(child)
        self.scope, self.owner = outer, owner
        return 0

    def variables_(self, node: Any) -> int:
        type_node = node.child_by_field_name("type")
        declared = self.instance(type_node) if type_node is not None and type_node.type != "implicit_type" else 0
        for child in node.named_children:
            if child.type == "variable_declarator":
                name = child.child_by_field_name("name") or (child.named_children[0] if child.named_children else None)
                self.target = declared
                value = 0
                for inner in child.named_children:
                    if inner != name:
                        value = self.last(inner) if inner.type == "equals_value_clause" else self.visit(inner)
                self.target = 0
                if name is not None:
                    self.declare(self.text(name), declared or value, name)
        return 0

    def enum_member(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        if name is not None:
            self.declare(self.text(name), self.this, name)
        return 0

    def for_each(self, node: Any) -> int:
        left, type_node = node.child_by_field_name("left"), node.child_by_field_name("type")
        source = self.field(node, "right")
        declared = self.instance(type_node) if type_node is not None and type_node.type != "implicit_type" else 0
        if left is not None and left.type == "identifier":
            self.declare(self.text(left), declared or self.row(ELEMENT, source))
        return self.field(node, "body") * 0

    def pattern(self, node: Any) -> int:
        row = self.instance(node.child_by_field_name("type"))
        name = node.child_by_field_name("name")
        if name is not None and name.type == "identifier":
            self.declare(self.text(name), row)
        for child in node.named_children:
            if child.type not in ("identifier",) and child != node.child_by_field_name("type"):
                self.visit(child)
        return row

    def called(self, function: Any) -> int:
        """Return the row of a callee and note the call."""
        if function.type == "identifier":
            row = self.called_name(self.text(function))
            self.site(CALL_SITE, row, self.text(function), function)
            return row
        if function.type == "generic_name":
            name = function.named_children[0]
            for child in function.named_children[1:]:
                self.type_(child)
            row = self.called_name(self.text(name))
            self.site(CALL_SITE, row, self.text(name), name)
            return row
        if function.type in ("member_access_expression", "member_binding_expression"):
            name = function.child_by_field_name("name")
            inner = function.child_by_field_name("expression")
            base = self.visit(inner) if inner is not None else self.bound(function)
            if name is not None and name.type == "generic_name":
                for child in name.named_children[1:]:
                    self.type_(child)
                name = name.named_children[0]
            return self.member(base, name, CALL_SITE) if name is not None else 0
        return self.visit(function)

    condition = 0

    def bound(self, node: Any) -> int:
        """Return what a member without an object belongs to: ``this`` written out, or the left side of ``?.``."""
        if node.type == "member_binding_expression":
            return self.condition
        first = node.children[0] if node.children else None
        if first is not None and first.type in ("base", "base_expression"):
            return self.super_(first)
        return self.this

    def invocation(self, node: Any) -> int:
        function = node.child_by_field_name("function")
        if function is None:
            return 0
        callee = self.called(function)
        return self.call(callee, node.child_by_field_name("arguments"))

    def conditional(self, node: Any) -> int:
        outer = self.condition
        self.condition = self.field(node, "condition")
        row = 0
        condition = node.child_by_field_name("condition")
        for child in node.named_children:
            if child != condition:
                row = self.visit(child)
        self.condition = outer
        return row

    def binding(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        return self.member(self.condition, name) if name is not None else 0

    def creation(self, node: Any) -> int:
        type_node = node.child_by_field_name("type")
        before = len(self.sites)
        row = max(self.type_(type_node), 0)
        if len(self.sites) > before:
            self.sites[before] = (CALL_SITE, *self.sites[before][1:])
        base = row
        while self.values[base][0] == SUBSCRIPT:
            base = self.values[base][1]
        self.row(NEW, base, self.arguments(node.child_by_field_name("arguments")), ())
        self.field(node, "initializer")
        return self.row(INSTANCE, row) if row else 0

    def implicit(self, node: Any) -> int:
        target = self.target
        self.children(node)
        return target

    def argument(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        row = 0
        for child in node.named_children:
            if child != name:
                row = self.visit(child)
        return row

    def access(self, node: Any) -> int:
        inner, name = node.child_by_field_name("expression"), node.child_by_field_name("name")
        base = self.visit(inner) if inner is not None else self.bound(node)
        if name is not None and name.type == "generic_name":
            name = name.named_children[0]
        return self.member(base, name) if name is not None else base

    def element(self, node: Any) -> int:
        base = self.field(node, "expression")
        for child in node.named_children[1:]:
            self.visit(child)
        return self.row(ITEM, base, None)

    def cast(self, node: Any) -> int:
        value = self.field(node, "value")
        return self.instance(node.child_by_field_name("type")) or value

    def as_(self, node: Any) -> int:
        value = self.field(node, "left")
        return self.instance(node.child_by_field_name("right")) or value

    def await_(self, node: Any) -> int:
        return self.row(AWAIT, self.last(node))

    def assignment(self, node: Any) -> int:
        left = self.field(node, "left")
        self.target = left
        right = self.field(node, "right")
        self.target = 0
        return right

    def ternary(self, node: Any) -> int:
        self.field(node, "condition")
        return self.join(tuple(dict.fromkeys((self.field(node, "consequence"), self.field(node, "alternative")))))

    def lambda_expression(self, node: Any) -> int:
        holder, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")

        def parameters() -> list[tuple[str, int]]:
            if holder is None:
                return []
            if holder.type in ("identifier", "implicit_parameter"):
                return [(self.text(holder), -1)]
            found = []
            for child in holder.named_children:
                name = child.child_by_field_name("name") or child
                type_node = child.child_by_field_name("type")
                found.append((self.text(name), self.type_(type_node) if type_node is not None else -1))
            return found

        return self.lambda_(parameters, lambda: self.visit(body) if body is not None else 0)

    def generic_value(self, node: Any) -> int:
        return self.type_generic(node)

    def qualified(self, node: Any) -> int:
        qualifier, name = node.child_by_field_name("qualifier"), node.child_by_field_name("name")
        if qualifier is None or name is None:
            return 0
        base = self.type_(qualifier)
        if name.type == "generic_name":
            inner = self.member(base, name.named_children[0], TYPE_SITE)
            rows = tuple(max(self.type_(c), 0) for a in name.named_children[1:] for c in a.named_children)
            return self.row(SUBSCRIPT, inner, rows, None)
        return self.member(base, name, TYPE_SITE)

    def array_type(self, node: Any) -> int:
        return self.row(SEQUENCE, "array", (max(self.type_(node.child_by_field_name("type")), 0),), True)

    def tuple_type(self, node: Any) -> int:
        rows = tuple(max(self.type_(c.child_by_field_name("type")), 0) for c in node.named_children)
        return self.row(SEQUENCE, "tuple", rows)

    def attribute_(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        if name is not None and name.type == "identifier":
            self.site(DECORATOR_SITE, self.read(self.text(name)), self.text(name), name)
        for child in node.named_children:
            if child != name:
                self.visit(child)
        return 0
