"""Value-flow facts of a Rust file."""

from __future__ import annotations

from typing import Any

from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.facts import (
    ATTRIBUTE,
    AWAIT,
    CONSTANT,
    DEFINITION,
    ELEMENT,
    FIRST,
    IMPORT,
    INSTANCE,
    ITEM,
    SEQUENCE,
    SUBSCRIPT,
    TYPE_FUNCTION,
    UNPACK,
)
from quatrain.parsing.bindings.flow import CALL_SITE, IMPORT_SITE, INHERIT_SITE, TYPE_SITE, USE_SITE

__all__ = ["Rust"]


class Rust(Walker):
    """Rust."""

    language = "rust"
    literals = {  # noqa: RUF012
        "string_literal": "str", "raw_string_literal": "str", "integer_literal": "int", "float_literal": "float", "boolean_literal": "bool",
        "char_literal": "char",
    }  # fmt: skip

    def prepare(self) -> None:
        self.handlers.update(
            {
                "use_declaration": self.use,
                "mod_item": self.module,
                "struct_item": self.struct,
                "union_item": self.struct,
                "enum_item": self.enum,
                "trait_item": self.trait,
                "impl_item": self.impl,
                "function_item": self.function,
                "function_signature_item": self.function,
                "const_item": self.constant,
                "static_item": self.constant,
                "type_item": self.alias,
                "let_declaration": self.let,
                "let_condition": self.let_condition,
                "for_expression": self.for_,
                "match_expression": self.match,
                "match_arm": self.arm,
                "closure_expression": self.closure,
                "call_expression": self.call_,
                "field_expression": self.field_access,
                "scoped_identifier": self.scoped,
                "generic_function": self.generic_function,
                "struct_expression": self.struct_expression,
                "try_expression": self.last,
                "await_expression": self.await_,
                "reference_expression": self.last,
                "unary_expression": self.last,
                "parenthesized_expression": self.last,
                "type_cast_expression": self.cast,
                "index_expression": self.index,
                "block": self.block,
                "unsafe_block": self.last,
                "if_expression": self.if_,
                "return_expression": self.return_,
                "assignment_expression": self.assignment,
                "identifier": self.identifier,
                "self": self.self_,
                "macro_invocation": self.macro,
                "array_expression": self.array,
                "tuple_expression": self.tuple_,
                "attribute_item": self.skip,
                "inner_attribute_item": self.skip,
                "line_comment": self.skip,
                "block_comment": self.skip,
                "macro_definition": self.skip,
                "field_initializer": self.initializer,
                "lifetime": self.skip,
                "label": self.skip,
            }
        )
        self.types.update(
            {
                "type_identifier": self.type_name,
                "identifier": self.type_name,
                "scoped_type_identifier": self.scoped_type,
                "generic_type": self.type_generic,
                "reference_type": self.type_last,
                "pointer_type": self.type_last,
                "array_type": self.type_list,
                "slice_type": self.type_list,
                "tuple_type": self.tuple_type,
                "function_type": self.function_type,
                "dynamic_type": self.type_first,
                "abstract_type": self.type_first,
                "bounded_type": self.type_first,
                "primitive_type": self.type_skip,
                "unit_type": self.type_skip,
                "lifetime": self.type_skip,
                "mutable_specifier": self.type_skip,
            }
        )

    def type_last(self, node: Any) -> int:
        rows = [self.type_(c) for c in node.named_children]
        return next((r for r in reversed(rows) if r > 0), 0)

    # --- names ----

    def path(self, node: Any) -> int:
        """Return the row of a path."""
        kind = node.type
        if kind in ("crate", "super"):
            return self.row(IMPORT, 0, kind, "")
        if kind == "self":
            return self.row(IMPORT, 0, "self", "")
        if kind in ("identifier", "type_identifier"):
            return self.read(self.text(node))
        if kind in ("scoped_identifier", "scoped_type_identifier"):
            path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
            base = self.path(path) if path is not None else 0
            return self.row(ATTRIBUTE, base, self.text(name)) if name is not None else base
        if kind in ("generic_type", "bracketed_type"):
            inner = node.child_by_field_name("type") or node.named_children[0]
            return self.path(inner)
        if kind == "qualified_type":
            return self.type_(node.child_by_field_name("type"))
        return self.type_(node)

    def use(self, node: Any) -> int:
        argument = node.child_by_field_name("argument")
        if argument is not None:
            public = any(c.type == "visibility_modifier" for c in node.named_children)
            self.use_tree(argument, "", public)
        return 0

    def use_tree(self, node: Any, prefix: str, public: bool) -> None:
        kind = node.type

        def joined(text: str) -> str:
            return f"{prefix}::{text}" if prefix else text

        if kind == "use_wildcard":
            path = self.text(node.named_children[0]) if node.named_children else ""
            row = self.row(IMPORT, 0, joined(path) if path else prefix, "*")
            self.scope.stars.append(row)
            self.site(IMPORT_SITE, row, (path or prefix).rsplit("::", 1)[-1], node)
        elif kind == "use_as_clause":
            path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
            if path is not None and alias is not None:
                self.use_name(joined(self.text(path)), self.text(alias), path)
        elif kind == "scoped_use_list":
            path, inner = node.child_by_field_name("path"), node.child_by_field_name("list")
            head = joined(self.text(path)) if path is not None else prefix
            for child in inner.named_children if inner is not None else ():
                self.use_tree(child, head, public)
        elif kind == "use_list":
            for child in node.named_children:
                self.use_tree(child, prefix, public)
        elif kind == "self":
            self.use_name(prefix, prefix.rsplit("::", 1)[-1], node)
        else:
            text = joined(self.text(node))
            self.use_name(text, text.rsplit("::", 1)[-1], node)

    def use_name(self, path: str, local: str, node: Any) -> None:
        module, _, name = path.rpartition("::")
        row = self.row(IMPORT, 0, module, name) if module else self.row(IMPORT, 0, path, "")
        target = node.child_by_field_name("name") or node
        self.site(IMPORT_SITE, row, name or path, target)
        self.declare(local, row)

    # --- definitions ----

    def module(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return 0
        text = self.text(name)
        if body is None:
            self.declare(text, self.row(IMPORT, 0, "self", text))
            return 0
        symbol = self.symbol_at(name)
        this, class_symbol = self.this, self.class_symbol
        row = self.enter_class(symbol, text, [], lambda: self.module_body(body))
        self.this, self.class_symbol = this, class_symbol
        return row

    def module_body(self, body: Any) -> None:
        self.scopes[self.scope.number].kind = "namespace"
        self.class_symbol = -1
        self.children(body)

    def generics(self, node: Any) -> None:
        holder = node.child_by_field_name("type_parameters")
        for child in holder.named_children if holder is not None else ():
            name = child.child_by_field_name("name") or child.child_by_field_name("left")
            bounds = child.child_by_field_name("bounds")
            if name is None and child.type in ("type_identifier",):
                name = child
            if name is not None and name.type == "type_identifier":
                bound = self.type_first(bounds) if bounds is not None else 0
                self.declare(self.text(name), bound or self.row(CONSTANT, "type variable"))
        where = next((c for c in node.named_children if c.type == "where_clause"), None)
        for child in where.named_children if where is not None else ():
            left, bounds = child.child_by_field_name("left"), child.child_by_field_name("bounds")
            if left is not None and left.type == "type_identifier" and bounds is not None:
                self.scope.names[self.text(left)] = [self.type_first(bounds)]

    def struct(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return 0

        def members() -> None:
            self.generics(node)
            position = 0
            for child in body.named_children if body is not None else ():
                if child.type == "field_declaration":
                    field = child.child_by_field_name("name")
                    row = self.instance(child.child_by_field_name("type"))
                    if field is not None:
                        self.declare(self.text(field), row, field)
                elif body.type == "ordered_field_declaration_list" and child.type not in (
                    "visibility_modifier",
                    "attribute_item",
                ):
                    self.declare(str(position), self.instance(child))
                    position += 1

        return self.enter_class(self.symbol_at(name), self.text(name), [], members)

    def enum(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return 0

        def members() -> None:
            self.generics(node)
            for child in body.named_children if body is not None else ():
                if child.type != "enum_variant":
                    continue
                variant, inner = child.child_by_field_name("name"), child.child_by_field_name("body")
                if variant is None:
                    continue
                self.declare(self.text(variant), self.this, variant)
                text = self.text(variant)
                position = 0
                for field in inner.named_children if inner is not None else ():
                    if field.type == "field_declaration":
                        given = field.child_by_field_name("name")
                        if given is not None:
                            self.declare(f"{text}.{self.text(given)}", self.instance(field.child_by_field_name("type")))
                    elif inner.type == "ordered_field_declaration_list" and field.type != "visibility_modifier":
                        self.declare(f"{text}.{position}", self.instance(field))
                        position += 1

        return self.enter_class(self.symbol_at(name), self.text(name), [], members)

    def trait(self, node: Any) -> int:
        name, body, bounds = (
            node.child_by_field_name("name"),
            node.child_by_field_name("body"),
            node.child_by_field_name("bounds"),
        )
        if name is None:
            return 0
        bases = []
        for child in bounds.named_children if bounds is not None else ():
            before = len(self.sites)
            row = self.type_(child)
            if row > 0 and len(self.sites) > before:
                bases.append((row, child, self.sites.pop(before)[2]))

        def members() -> None:
            self.generics(node)
            self.declare("Self", self.row(DEFINITION, self.class_symbol) if self.class_symbol >= 0 else 0)
            if body is not None:
                self.children(body)

        return self.enter_class(self.symbol_at(name), self.text(name), bases, members)

    def impl(self, node: Any) -> int:
        type_node, trait, body = (
            node.child_by_field_name("type"),
            node.child_by_field_name("trait"),
            node.child_by_field_name("body"),
        )
        if type_node is None or body is None:
            return 0
        outer, owner = self.scope, self.owner
        this, class_symbol = self.this, self.class_symbol
        scope = self.new_scope("impl", -1, outer.number)
        scope.env = None
        self.scope = scope
        self.generics(node)
        type_row = max(self.type_(type_node), 0)
        base = type_row
        while self.values[base][0] == SUBSCRIPT:
            base = self.values[base][1]
        symbol = self.symbol_at(type_node) if type_node.type == "type_identifier" else -1
        if symbol < 0:
            inner = type_node.child_by_field_name("type")
            symbol = self.symbol_at(inner) if inner is not None else -1
        if symbol >= 0:
            self.owner = symbol
        if trait is not None:
            before = len(self.sites)
            row = self.type_(trait)
            if row > 0 and len(self.sites) > before:
                _, value, name, line, column, _ = self.sites[before]
                self.sites[before] = (INHERIT_SITE, value, name, line, column, self.owner)
                while self.values[row][0] == SUBSCRIPT:
                    row = self.values[row][1]
                self.extra.setdefault("trait_impls", []).append((base, row))
        self.impls.append((base, scope.number))
        scope.names["Self"] = [base]
        self.this = self.row(INSTANCE, base) if base else 0
        self.class_symbol = -1
        self.children(body)
        self.scope, self.owner = outer, owner
        self.this, self.class_symbol = this, class_symbol
        return 0

    def function(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return 0
        holder = node.child_by_field_name("parameters")
        this = self.this

        def parameters() -> list[tuple[str, int, int, str, Any]]:
            self.generics(node)
            found: list[tuple[str, int, int, str, Any]] = []
            for child in holder.named_children if holder is not None else ():
                if child.type == "parameter":
                    pattern = child.child_by_field_name("pattern")
                    row = max(self.type_(child.child_by_field_name("type")), 0)
                    while (
                        pattern is not None
                        and pattern.type in ("mut_pattern", "ref_pattern", "reference_pattern")
                        and pattern.named_children
                    ):
                        pattern = pattern.named_children[-1]
                    if pattern is not None and pattern.type == "identifier":
                        found.append((self.text(pattern), row, -1, "", pattern))
                    else:
                        found.append(("", row, -1, "", child))
                        if pattern is not None:
                            self.pattern(pattern, self.row(INSTANCE, row) if row else 0)
            return found

        has_self = holder is not None and any(c.type == "self_parameter" for c in holder.named_children)
        if any(self.text(c).startswith("async") for c in node.named_children if c.type == "function_modifiers"):
            flags = frozenset({"async"})
        else:
            flags = frozenset()
        result = node.child_by_field_name("return_type")
        row = self.enter_function(
            self.symbol_at(name),
            self.text(name),
            parameters,
            lambda: self.type_(result) if result is not None else -1,
            lambda: self.visit(body) if body is not None else 0,
            owner=self.class_symbol,
            flags=flags if has_self else flags | {"static"},
        )
        self.this = this
        return row

    def constant(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        row = self.instance(node.child_by_field_name("type"))
        value = self.field(node, "value")
        if name is not None:
            self.declare(self.text(name), row or value, name)
        return 0

    def alias(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        row = max(self.type_(node.child_by_field_name("type")), 0)
        if name is not None and row:
            self.declare(self.text(name), row, name)
        return 0

    # --- patterns ----

    def pattern(self, node: Any, value: int) -> None:
        """Bind the names of a pattern."""
        kind = node.type
        if kind == "identifier":
            self.declare(self.text(node), value)
        elif kind in (
            "mut_pattern",
            "ref_pattern",
            "reference_pattern",
            "match_pattern",
            "captured_pattern",
            "or_pattern",
        ):
            for child in node.named_children:
                if kind == "captured_pattern" and child.type == "identifier":
                    self.declare(self.text(child), value)
                elif child.type not in ("mutable_specifier",) and (
                    kind != "match_pattern" or child == node.named_children[0]
                ):
                    self.pattern(child, value)
                elif kind == "match_pattern":
                    self.visit(child)
        elif kind == "tuple_pattern":
            for index, child in enumerate(node.named_children):
                self.pattern(child, self.row(UNPACK, value, index, -1))
        elif kind == "tuple_struct_pattern":
            type_node = node.child_by_field_name("type")
            if type_node is None:
                return
            name = self.text(type_node)
            transparent = name in ("Some", "Ok", "Err", "Box")
            last = name.rsplit("::", 1)[-1]
            holder = self.path(type_node.child_by_field_name("path")) if type_node.type == "scoped_identifier" else 0
            for index, child in enumerate(c for c in node.named_children if c != type_node):
                if transparent:
                    self.pattern(child, value if name != "Err" else 0)
                elif holder:
                    self.pattern(child, self.row(ATTRIBUTE, holder, f"{last}.{index}"))
                else:
                    self.pattern(child, self.row(ATTRIBUTE, self.row(INSTANCE, self.read(name)), str(index)))
        elif kind == "struct_pattern":
            type_node = node.child_by_field_name("type")
            base = self.row(INSTANCE, self.path(type_node)) if type_node is not None else value
            path = type_node.child_by_field_name("path") if type_node is not None else None
            variant = self.path(path) if path is not None else 0
            last = self.text(type_node).rsplit("::", 1)[-1] if type_node is not None else ""
            for child in node.named_children:
                if child.type == "field_pattern":
                    name, inner = child.child_by_field_name("name"), child.child_by_field_name("pattern")
                    if name is None:
                        continue
                    row = self.row(ATTRIBUTE, base, self.text(name))
                    if variant:
                        row = self.row(FIRST, (self.row(ATTRIBUTE, variant, f"{last}.{self.text(name)}"), row))
                    if inner is not None:
                        self.pattern(inner, row)
                    else:
                        self.declare(self.text(name), row)
        elif kind == "slice_pattern":
            for child in node.named_children:
                self.pattern(child, self.row(ELEMENT, value))

    def let(self, node: Any) -> int:
        pattern = node.child_by_field_name("pattern")
        declared = self.instance(node.child_by_field_name("type"))
        value = self.field(node, "value")
        if pattern is not None:
            self.pattern(pattern, declared or value)
        self.field(node, "alternative")
        return 0

    def let_condition(self, node: Any) -> int:
        pattern = node.child_by_field_name("pattern")
        value = self.field(node, "value")
        if pattern is not None:
            self.pattern(pattern, value)
        return 0

    def for_(self, node: Any) -> int:
        pattern = node.child_by_field_name("pattern")
        value = self.field(node, "value")
        if pattern is not None:
            self.pattern(pattern, self.row(ELEMENT, value))
        self.field(node, "body")
        return 0

    def match(self, node: Any) -> int:
        self.subject = self.field(node, "value")
        body = node.child_by_field_name("body")
        rows = []
        subject = self.subject
        for child in body.named_children if body is not None else ():
            self.subject = subject
            rows.append(self.visit(child))
        return self.join(tuple(dict.fromkeys(r for r in rows if r)))

    subject = 0

    def arm(self, node: Any) -> int:
        pattern = node.child_by_field_name("pattern")
        if pattern is not None:
            self.pattern(pattern, self.subject)
        return self.field(node, "value")

    # --- expressions ----

    def self_(self, node: Any) -> int:
        return self.this

    def called(self, function: Any) -> int:
        kind = function.type
        if kind == "generic_function":
            inner = function.child_by_field_name("function")
            self.type_(function.child_by_field_name("type_arguments"))
            return self.called(inner) if inner is not None else 0
        if kind == "identifier":
            row = self.read(self.text(function))
            self.site(CALL_SITE, row, self.text(function), function)
            return row
        if kind == "field_expression":
            name = function.child_by_field_name("field")
            base = self.field(function, "value")
            return self.member(base, name, CALL_SITE) if name is not None else 0
        if kind == "scoped_identifier":
            name = function.child_by_field_name("name")
            row = self.path(function)
            self.path_sites(function)
            if name is not None:
                self.site(CALL_SITE, row, self.text(name), name)
            return row
        return self.visit(function)

    def path_sites(self, node: Any) -> None:
        """Note the type that a path begins with."""
        path = node.child_by_field_name("path")
        if path is None:
            return
        if path.type == "generic_type":
            self.type_(path)
            return
        name = path.child_by_field_name("name") if path.type == "scoped_identifier" else path
        if (
            name is not None
            and name.type == "identifier"
            and self.text(name)[:1].isupper()
            and self.text(name) != "Self"
        ):
            self.site(TYPE_SITE, self.path(path), self.text(name), name)

    def call_(self, node: Any) -> int:
        function = node.child_by_field_name("function")
        if function is None:
            return 0
        if function.type == "identifier" and self.text(function) in ("Some", "Ok", "Box", "Err"):
            rows = self.arguments(node.child_by_field_name("arguments"))
            return rows[0] if rows and self.text(function) != "Err" else 0
        callee = self.called(function)
        return self.call(callee, node.child_by_field_name("arguments"))

    def field_access(self, node: Any) -> int:
        name = node.child_by_field_name("field")
        base = self.field(node, "value")
        return self.member(base, name) if name is not None else base

    def scoped(self, node: Any) -> int:
        row = self.path(node)
        name = node.child_by_field_name("name")
        self.path_sites(node)
        if name is not None:
            self.site(USE_SITE, row, self.text(name), name)
        return row

    def generic_function(self, node: Any) -> int:
        return self.field(node, "function")

    def struct_expression(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        row = max(self.type_(name), 0) if name is not None else 0
        if body is not None:
            self.children(body)
        while self.values[row][0] == SUBSCRIPT:
            row = self.values[row][1]
        return self.row(INSTANCE, row) if row else 0

    def initializer(self, node: Any) -> int:
        return self.field(node, "value")

    def await_(self, node: Any) -> int:
        return self.row(AWAIT, self.last(node))

    def cast(self, node: Any) -> int:
        value = self.field(node, "value")
        return self.instance(node.child_by_field_name("type")) or value

    def index(self, node: Any) -> int:
        rows = [self.visit(c) for c in node.named_children]
        return self.row(ITEM, rows[0], None) if rows else 0

    def block(self, node: Any) -> int:
        """Return the row of the expression a block ends with."""
        children = [c for c in node.named_children if "comment" not in c.type]
        row = 0
        for index, child in enumerate(children):
            value = self.visit(child)
            last = index == len(children) - 1
            row = value if last and child.type not in ("expression_statement", "let_declaration") else 0
            if (
                last
                and child.type == "expression_statement"
                and not self.data[child.start_byte : child.end_byte].endswith(b";")
            ):
                row = self.visit_quiet(child.named_children[0]) if child.named_children else 0
        return row

    def visit_quiet(self, node: Any) -> int:
        before, rows = len(self.sites), len(self.impls)
        if node.type in ("for_expression", "while_expression", "loop_expression"):
            return 0
        value = self.visit(node)
        del self.sites[before:]
        del self.impls[rows:]
        return value

    def if_(self, node: Any) -> int:
        self.field(node, "condition")
        rows = [self.field(node, "consequence")]
        alternative = node.child_by_field_name("alternative")
        if alternative is not None:
            rows.append(self.last(alternative))
        return self.join(tuple(dict.fromkeys(r for r in rows if r)))

    def return_(self, node: Any) -> int:
        row = self.last(node)
        if row:
            self.scope.returns.append(row)
        return 0

    def assignment(self, node: Any) -> int:
        self.field(node, "left")
        return self.field(node, "right") * 0

    def closure(self, node: Any) -> int:
        holder, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")

        def parameters() -> list[tuple[str, int]]:
            found = []
            for child in holder.named_children if holder is not None else ():
                pattern = child.child_by_field_name("pattern") if child.type == "parameter" else child
                while (
                    pattern is not None
                    and pattern.type in ("mut_pattern", "ref_pattern", "reference_pattern")
                    and pattern.named_children
                ):
                    pattern = pattern.named_children[-1]
                row = self.type_(child.child_by_field_name("type")) if child.type == "parameter" else -1
                found.append((self.text(pattern) if pattern is not None and pattern.type == "identifier" else "", row))
            return found

        return self.lambda_(parameters, lambda: self.visit(body) if body is not None else 0)

    def macro(self, node: Any) -> int:
        for child in node.named_children:
            if child.type == "token_tree":
                self.tokens(child)
        name = node.child_by_field_name("macro")
        if name is not None and self.text(name) == "vec":
            return self.row(SEQUENCE, "array", (), True)
        return 0

    def tokens(self, node: Any) -> None:
        """Read calls of plain names and paths in the arguments of a macro, which have no syntax tree of their own."""
        children = node.children
        for index, child in enumerate(children):
            if child.type == "token_tree":
                self.tokens(child)
            elif child.type == "identifier" and index + 1 < len(children):
                follows = children[index + 1]
                after_dot = index > 0 and children[index - 1].type == "."
                base = 0
                if after_dot and index > 1:
                    before = children[index - 2]
                    lone = index < 3 or children[index - 3].type not in (".", "::")
                    if before.type == "self" and lone:
                        base = self.this
                    elif before.type == "identifier" and lone:
                        base = self.read(self.text(before))
                if follows.type == "token_tree" and follows.children and follows.children[0].type == "(":
                    if after_dot and base:
                        self.member(base, child, CALL_SITE)
                    elif not after_dot and (index == 0 or children[index - 1].type not in ("::", "!", "fn")):
                        self.site(CALL_SITE, self.read(self.text(child)), self.text(child), child)

    def array(self, node: Any) -> int:
        rows = [self.visit(c) for c in node.named_children]
        return self.row(SEQUENCE, "array", tuple(rows[:1]), True)

    def tuple_(self, node: Any) -> int:
        return self.row(SEQUENCE, "tuple", tuple(self.visit(c) for c in node.named_children))

    # --- types ----

    def scoped_type(self, node: Any) -> int:
        row = self.path(node)
        name = node.child_by_field_name("name")
        if name is not None:
            self.site(TYPE_SITE, row, self.text(name), name)
        return row

    def tuple_type(self, node: Any) -> int:
        return self.row(SEQUENCE, "tuple", tuple(max(self.type_(c), 0) for c in node.named_children))

    def function_type(self, node: Any) -> int:
        holder = node.child_by_field_name("parameters")
        rows = tuple(max(self.type_(c), 0) for c in holder.named_children) if holder is not None else ()
        result = node.child_by_field_name("return_type")
        return self.row(TYPE_FUNCTION, rows, max(self.type_(result), 0) if result is not None else 0, "", ())
