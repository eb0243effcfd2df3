"""Value-flow facts of a PHP file."""

from __future__ import annotations

from typing import Any

from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.facts import ATTRIBUTE, DEFINITION, ELEMENT, IMPORT, INSTANCE, ITEM, NEW, UNION
from quatrain.parsing.bindings.flow import CALL_SITE, DECORATOR_SITE, IMPORT_SITE, TYPE_SITE, USE_SITE

__all__ = ["Php"]

_CLASSES = ("class_declaration", "interface_declaration", "trait_declaration", "enum_declaration")


class Php(Walker):
    """PHP: variables have a ``$`` and never meet functions or classes of the same name."""

    language = "php"
    literals = {  # noqa: RUF012
        "string": "string", "integer": "int", "float": "float", "boolean": "bool", "null": "none", "heredoc": "string", "nowdoc": "string",
    }  # fmt: skip

    def prepare(self) -> None:
        self.handlers.update(dict.fromkeys(_CLASSES, self.class_))
        self.handlers.update(
            {
                "namespace_definition": self.namespace,
                "namespace_use_declaration": self.use,
                "method_declaration": self.function,
                "function_definition": self.function,
                "property_declaration": self.property_,
                "const_declaration": self.const,
                "enum_case": self.enum_case,
                "use_declaration": self.skip,
                "anonymous_function": self.closure,
                "anonymous_function_creation_expression": self.closure,
                "arrow_function": self.closure,
                "foreach_statement": self.for_each,
                "catch_clause": self.catch,
                "assignment_expression": self.assignment,
                "reference_assignment_expression": self.assignment,
                "variable_name": self.variable,
                "name": self.name_use,
                "qualified_name": self.name_use,
                "function_call_expression": self.function_call,
                "member_call_expression": self.member_call,
                "nullsafe_member_call_expression": self.member_call,
                "scoped_call_expression": self.scoped_call,
                "member_access_expression": self.member_access,
                "nullsafe_member_access_expression": self.member_access,
                "scoped_property_access_expression": self.scoped_access,
                "class_constant_access_expression": self.constant_access,
                "object_creation_expression": self.creation,
                "subscript_expression": self.subscript,
                "parenthesized_expression": self.last,
                "conditional_expression": self.ternary,
                "clone_expression": self.last,
                "return_statement": self.returned,
                "argument": self.argument,
                "attribute": self.attribute_,
                "encapsed_string": self.string,
                "comment": self.skip,
                "php_tag": self.skip,
                "text": self.skip,
            }
        )
        self.types.update(
            {
                "name": self.type_name,
                "qualified_name": self.type_name,
                "named_type": self.type_first,
                "optional_type": self.type_first,
                "union_type": self.type_union,
                "intersection_type": self.type_union,
                "primitive_type": self.type_primitive,
            }
        )

    def plain(self, node: Any) -> str:
        return self.text(node).lstrip("\\")

    def type_name(self, node: Any) -> int:
        row = self.class_row(node)
        target = node.named_children[-1] if node.type == "qualified_name" and node.named_children else node
        self.site(TYPE_SITE, row, self.text(target), target)
        return row

    def type_union(self, node: Any) -> int:
        return self.row(UNION, tuple(max(self.type_(c), 0) for c in node.named_children))

    def type_primitive(self, node: Any) -> int:
        return self.this if self.text(node) in ("static", "self") else 0

    def class_row(self, node: Any) -> int:
        """Return the row of a class name."""
        text = self.text(node)
        if text in ("self", "static"):
            return self.row(DEFINITION, self.class_symbol) if self.class_symbol >= 0 else 0
        if text == "parent":
            return self.super_(node)
        if text.startswith("\\"):
            module, _, name = text[1:].rpartition("\\")
            return self.row(IMPORT, 0, module, name)
        if "\\" in text:
            head, *rest = text.split("\\")
            row = self.read(head)
            for part in rest:
                row = self.row(ATTRIBUTE, row, part)
            return row
        return self.read(text)

    def namespace(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None:
            self.extra.setdefault("package", self.text(name))
        return self.children(body) if body is not None else 0

    def use(self, node: Any) -> int:
        prefix = ""
        for child in node.named_children:
            if child.type == "namespace_name":
                prefix = self.text(child) + "\\"
        holder = node.child_by_field_name("body") or node
        for clause in holder.named_children:
            if clause.type not in ("namespace_use_clause", "namespace_use_group_clause"):
                continue
            alias = clause.child_by_field_name("alias")
            parts = [
                c
                for c in clause.named_children
                if c.type in ("qualified_name", "name", "namespace_name") and c != alias
            ]
            if not parts:
                continue
            full = prefix + self.text(parts[0]).lstrip("\\")
            module, _, name = full.rpartition("\\")
            row = self.row(IMPORT, 0, module, name)
            inner = parts[0].named_children
            self.site(IMPORT_SITE, row, name, inner[-1] if inner else parts[0])
            self.declare(self.text(alias) if alias is not None else name, row)
        return 0

    def class_(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return 0
        bases: list[tuple[int, Any, str]] = []
        holders = [c for c in node.named_children if c.type in ("base_clause", "class_interface_clause")]
        holders += [c for c in (body.named_children if body is not None else ()) if c.type == "use_declaration"]
        for holder in sorted(holders, key=lambda h: h.type != "use_declaration"):
            for base in holder.named_children:
                if base.type in ("name", "qualified_name"):
                    bases.append((self.class_row(base), base, self.text(base).rsplit("\\", 1)[-1]))

        def members() -> None:
            if body is not None:
                self.children(body)

        return self.enter_class(self.symbol_at(name), self.text(name), bases, members)

    def parameters(self, node: Any) -> list[tuple[str, int, int, str, Any]]:
        found: list[tuple[str, int, int, str, Any]] = []
        holder = node.child_by_field_name("parameters")
        for child in holder.named_children if holder is not None else ():
            name = child.child_by_field_name("name")
            if name is None:
                continue
            row = max(self.type_(child.child_by_field_name("type")), 0)
            default = child.child_by_field_name("default_value")
            kind = "*" if child.type == "variadic_parameter" else ""
            found.append((self.text(name), row, self.visit(default) if default is not None else -1, kind, name))
            if child.type == "property_promotion_parameter":
                outer = self.scope
                self.scope = self.scopes[outer.parent]
                self.declare(self.text(name).lstrip("$"), self.row(INSTANCE, row) if row else 0, name.named_children[0])
                self.scope = outer
        return found

    def function(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return 0
        text = self.text(name)
        for child in node.named_children:
            if child.type == "attribute_list":
                self.visit(child)
        static = any(c.type == "static_modifier" for c in node.named_children)
        result = node.child_by_field_name("return_type")

        def receiver() -> None:
            if self.this:
                self.declare("$this", self.this)

        return self.enter_function(
            self.symbol_at(name),
            "<init>" if text == "__construct" else text,
            lambda: self.parameters(node),
            lambda: max(self.type_(result), 0) or -1 if result is not None else -1,
            lambda: self.children(body) if body is not None else 0,
            owner=self.class_symbol if node.type == "method_declaration" else -1,
            flags=frozenset({"static"}) if static else frozenset(),
            receiver=receiver,
        )

    def property_(self, node: Any) -> int:
        row = self.instance(node.child_by_field_name("type"))
        for child in node.named_children:
            if child.type == "property_element":
                name = child.child_by_field_name("name") or child.named_children[0]
                value = 0
                for inner in child.named_children:
                    if inner != name:
                        value = self.visit(inner)
                self.declare(
                    self.text(name).lstrip("$"), row or value, name.named_children[0] if name.named_children else name
                )
        return 0

    def const(self, node: Any) -> int:
        for child in node.named_children:
            if child.type == "const_element" and child.named_children:
                value = 0
                for inner in child.named_children[1:]:
                    value = self.visit(inner)
                self.declare(self.text(child.named_children[0]), value, child.named_children[0])
        return 0

    def enum_case(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        if name is not None:
            self.declare(self.text(name), self.this, name)
        return 0

    def closure(self, node: Any) -> int:
        body = node.child_by_field_name("body")
        return self.lambda_(
            lambda: [(p[0], p[1]) for p in self.parameters(node)], lambda: self.visit(body) if body is not None else 0
        )

    def for_each(self, node: Any) -> int:
        children = node.named_children
        source = self.visit(children[0]) if children else 0
        target = children[1] if len(children) > 1 else None
        if target is not None and target.type == "pair" and target.named_children:
            target = target.named_children[-1]
        if target is not None and target.type == "by_ref" and target.named_children:
            target = target.named_children[0]
        if target is not None and target.type == "variable_name":
            self.declare(self.text(target), self.row(ELEMENT, source))
        self.field(node, "body")
        return 0

    def catch(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        row = self.instance(node.child_by_field_name("type"))
        if name is not None:
            self.declare(self.text(name), row)
        self.field(node, "body")
        return 0

    def assignment(self, node: Any) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self.visit(right) if right is not None else 0
        if left is None:
            return value
        if left.type == "variable_name":
            self.declare(self.text(left), value)
        elif left.type == "member_access_expression":
            holder, name = left.child_by_field_name("object"), left.child_by_field_name("name")
            base = self.visit(left)
            owned = holder is not None and name is not None and self.text(holder) == "$this" and self.class_symbol >= 0
            if owned and name.type == "name":
                entries = self.attributes.setdefault(self.class_symbol, {}).setdefault(self.text(name), [])
                if value and (value, False) not in entries and len(entries) < 16:
                    entries.append((value, False))
            return value or base
        else:
            self.visit(left)
        return value

    def variable(self, node: Any) -> int:
        name = self.text(node)
        if name == "$this":
            return self.this
        return self.read(name)

    def name_use(self, node: Any) -> int:
        return self.class_row(node)

    def function_call(self, node: Any) -> int:
        function = node.child_by_field_name("function")
        if function is None:
            return 0
        if function.type in ("name", "qualified_name"):
            target = (
                function.named_children[-1]
                if function.type == "qualified_name" and function.named_children
                else function
            )
            callee = self.class_row(function)
            self.site(CALL_SITE, callee, self.text(target), target)
        else:
            callee = self.visit(function)
            if function.type == "variable_name":
                self.site(CALL_SITE, callee, self.text(function).lstrip("$"), function)
        return self.call(callee, node.child_by_field_name("arguments"))

    def member_call(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        base = self.field(node, "object")
        arguments = node.child_by_field_name("arguments")
        if name is None or name.type != "name":
            self.arguments(arguments)
            return 0
        return self.call(self.member(base, name, CALL_SITE), arguments)

    def scope_row(self, node: Any) -> int:
        scope = node.child_by_field_name("scope")
        if scope is None:
            return 0
        if scope.type in ("name", "qualified_name", "relative_scope"):
            row = self.class_row(scope)
            if scope.type != "relative_scope":
                target = scope.named_children[-1] if scope.type == "qualified_name" and scope.named_children else scope
                self.site(USE_SITE, row, self.text(target), target)
            return row
        return self.visit(scope)

    def scoped_call(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        base = self.scope_row(node)
        arguments = node.child_by_field_name("arguments")
        if name is None or name.type != "name":
            self.arguments(arguments)
            return 0
        if self.text(name) == "__construct":
            row = self.row(ATTRIBUTE, base, "<init>")
            self.site(CALL_SITE, row, "__construct", name)
            return self.call(row, arguments)
        return self.call(self.member(base, name, CALL_SITE), arguments)

    def member_access(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        base = self.field(node, "object")
        return self.member(base, name) if name is not None and name.type == "name" else 0

    def scoped_access(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        base = self.scope_row(node)
        if name is None or not name.named_children:
            return 0
        return self.member(base, name.named_children[0])

    def constant_access(self, node: Any) -> int:
        children = node.named_children
        if len(children) != 2:
            return 0
        base = (
            self.class_row(children[0])
            if children[0].type in ("name", "qualified_name", "relative_scope")
            else self.visit(children[0])
        )
        if children[0].type in ("name", "qualified_name"):
            target = children[0].named_children[-1] if children[0].named_children else children[0]
            self.site(USE_SITE, base, self.text(target), target)
        if self.text(children[1]) == "class":
            return base
        return self.member(base, children[1])

    def creation(self, node: Any) -> int:
        target = next((c for c in node.named_children if c.type in ("name", "qualified_name", "variable_name")), None)
        if target is None:
            return self.children(node)
        holder = next((c for c in node.named_children if c.type == "arguments"), None)
        if target.type == "variable_name":
            row = self.visit(target)
        else:
            row = self.class_row(target)
            inner = target.named_children[-1] if target.named_children else target
            self.site(CALL_SITE, row, self.text(inner), inner)
        arguments = self.arguments(holder)
        for child in node.named_children:
            if child.type == "declaration_list":
                self.children(child)
        return self.row(NEW, row, arguments, ())

    def subscript(self, node: Any) -> int:
        rows = [self.visit(c) for c in node.named_children]
        return self.row(ITEM, rows[0], None) if rows else 0

    def ternary(self, node: Any) -> int:
        condition = self.field(node, "condition")
        body = node.child_by_field_name("body")
        first = self.visit(body) if body is not None else condition
        return self.join(tuple(dict.fromkeys(r for r in (first, self.field(node, "alternative")) if r)))

    def argument(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        row = 0
        for child in node.named_children:
            if child != name:
                row = self.visit(child)
        return row

    def attribute_(self, node: Any) -> int:
        for child in node.named_children:
            if child.type in ("name", "qualified_name"):
                target = child.named_children[-1] if child.named_children else child
                self.site(DECORATOR_SITE, self.class_row(child), self.text(target), target)
            else:
                self.visit(child)
        return 0

    def string(self, node: Any) -> int:
        self.children(node)
        return 0
