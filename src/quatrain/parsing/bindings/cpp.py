"""Value-flow facts of a C or C++ file."""

from __future__ import annotations

from typing import Any

from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.facts import (
    ATTRIBUTE,
    CONSTANT,
    ELEMENT,
    IMPORT,
    INSTANCE,
    ITEM,
    NAME,
    NEW,
    SEQUENCE,
    SUBSCRIPT,
)
from quatrain.parsing.bindings.flow import CALL_SITE, IMPORT_SITE, TYPE_SITE, USE_SITE

__all__ = ["C", "Cpp"]

_CLASSES = ("class_specifier", "struct_specifier", "union_specifier")
_NESTED = ("pointer_declarator", "reference_declarator", "array_declarator", "parenthesized_declarator", "function_declarator",
           "init_declarator", "attributed_declarator")  # fmt: skip
_MAKERS = frozenset({"make_unique", "make_shared", "make_optional"})
_CASTS = frozenset(
    {"static_cast", "dynamic_cast", "reinterpret_cast", "const_cast", "static_pointer_cast", "dynamic_pointer_cast"}
)


class Cpp(Walker):
    """C++: members may be defined away from their class."""

    language = "cpp"
    literals = {  # noqa: RUF012
        "string_literal": "string", "number_literal": "int", "char_literal": "char", "true": "bool", "false": "bool", "null": "none",
        "nullptr": "none", "raw_string_literal": "string", "concatenated_string": "string",
    }  # fmt: skip

    def prepare(self) -> None:
        self.conditional = False  # whether what is read is compiled in some builds only
        self.handlers.update(dict.fromkeys(_CLASSES, self.class_))
        self.handlers.update(
            {
                "preproc_include": self.include,
                "preproc_def": self.skip,
                "preproc_ifdef": self.conditional_part,
                "preproc_if": self.conditional_part,
                "preproc_function_def": self.skip,
                "namespace_definition": self.namespace,
                "using_declaration": self.using,
                "alias_declaration": self.alias,
                "namespace_alias_definition": self.skip,
                "type_definition": self.typedef,
                "enum_specifier": self.enum,
                "template_declaration": self.template,
                "function_definition": self.function,
                "declaration": self.declaration,
                "field_declaration": self.declaration,
                "for_range_loop": self.for_range,
                "condition_clause": self.condition,
                "call_expression": self.call_,
                "new_expression": self.new,
                "field_expression": self.access,
                "qualified_identifier": self.qualified_value,
                "template_function": self.first,
                "identifier": self.identifier,
                "field_identifier": self.skip,
                "this": self.this_,
                "pointer_expression": self.last,
                "parenthesized_expression": self.last,
                "subscript_expression": self.subscript,
                "cast_expression": self.cast,
                "compound_literal_expression": self.cast,
                "assignment_expression": self.assignment,
                "conditional_expression": self.ternary,
                "lambda_expression": self.lambda_expression,
                "return_statement": self.returned,
                "field_initializer": self.field_initializer,
                "comment": self.skip,
                "static_assert_declaration": self.skip,
                "access_specifier": self.skip,
                "storage_class_specifier": self.skip,
                "primitive_type": self.skip,
                "statement_identifier": self.skip,
                "type_descriptor": self.skip,
                "goto_statement": self.skip,
            }
        )
        self.types.update(dict.fromkeys(_CLASSES, self.elaborated))
        self.types.update(
            {
                "type_identifier": self.type_name,
                "namespace_identifier": self.type_name,
                "identifier": self.type_name,
                "qualified_identifier": self.qualified_type,
                "template_type": self.type_generic,
                "type_descriptor": self.type_descriptor,
                "enum_specifier": self.elaborated,
                "dependent_type": self.type_first,
                "primitive_type": self.type_skip,
                "sized_type_specifier": self.type_skip,
                "placeholder_type_specifier": self.type_skip,
                "auto": self.type_skip,
                "decltype": self.type_skip,
            }
        )

    # --- types ----

    def elaborated(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        if node.child_by_field_name("body") is not None:
            return self.visit(node)
        return self.type_(name) if name is not None else 0

    def type_descriptor(self, node: Any) -> int:
        return max(self.type_(node.child_by_field_name("type")), 0)

    def qualified_type(self, node: Any) -> int:
        row, name = self.qualified(node)
        if name is not None:
            self.site(TYPE_SITE, row, self.text(name), name)
        tail = self.tail(node)
        if tail.type == "template_type":
            rows: list[int] = []
            for child in tail.named_children[1:]:
                rows.extend(max(self.type_(c), 0) for c in child.named_children)
            return self.row(SUBSCRIPT, row, tuple(rows), None)
        return row

    def tail(self, node: Any) -> Any:
        while node.type == "qualified_identifier":
            inner = node.child_by_field_name("name")
            if inner is None:
                return node
            node = inner
        return node

    def qualified(self, node: Any) -> tuple[int, Any]:
        """Return the row of ``a::b::c`` and the node of its last name."""
        parts = []
        while node.type == "qualified_identifier":
            scope, name = node.child_by_field_name("scope"), node.child_by_field_name("name")
            if scope is not None:
                parts.append(self.plain(scope))
            if name is None:
                return 0, None
            node = name
        last = (
            node.named_children[0]
            if node.type in ("template_type", "template_function", "template_method") and node.named_children
            else node
        )
        if last.type == "destructor_name":
            return 0, None
        name = self.text(last)
        if not parts:
            return self.row(NAME, name, 0), last
        row = self.read(parts[0])
        for part in parts[1:]:
            row = self.row(ATTRIBUTE, row, part)
        return self.row(ATTRIBUTE, row, name), last

    def plain(self, node: Any) -> str:
        if node.type == "template_type" and node.named_children:
            return self.text(node.named_children[0])
        return self.text(node)

    # --- declarations ----

    def include(self, node: Any) -> int:
        path = node.child_by_field_name("path")
        if path is None:
            return 0
        text = self.text(path).strip('"<>')
        row = self.row(IMPORT, int(path.type == "string_literal"), text, "")
        self.scopes[0].stars.append(row)
        self.site(IMPORT_SITE, row, text.rsplit("/", 1)[-1], path)
        return 0

    def conditional_part(self, node: Any) -> int:
        outer = self.conditional
        self.conditional = outer or not self.is_guard(node)
        self.children(node)
        self.conditional = outer
        return 0

    def is_guard(self, node: Any) -> bool:
        """Tell whether a part is there to be read once alone, or for C++ as well as C: such parts are no choice."""
        name = node.child_by_field_name("name")
        if name is None or self.text(name) == "__cplusplus":
            return name is not None
        following = name.next_named_sibling
        defined = (
            following.child_by_field_name("name") if following is not None and following.type == "preproc_def" else None
        )
        return defined is not None and self.text(defined) == self.text(name)

    def namespace(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if body is None:
            return 0
        if name is None:
            return self.children(body)
        symbol = self.symbol_at(name)
        this, class_symbol = self.this, self.class_symbol

        def members() -> None:
            self.class_symbol, self.this = -1, 0
            self.scope.kind = "namespace"
            self.children(body)

        row = self.enter_class(symbol, self.text(name), [], members)
        self.this, self.class_symbol = this, class_symbol
        return row

    def using(self, node: Any) -> int:
        target = next((c for c in node.named_children if c.type in ("identifier", "qualified_identifier")), None)
        if target is None:
            return 0
        if any(c.type == "namespace" for c in node.children):
            row = self.read(self.text(target)) if target.type == "identifier" else self.qualified(target)[0]
            self.extra.setdefault("using", []).append(row)
        elif target.type == "qualified_identifier":
            row, name = self.qualified(target)
            if name is not None:
                self.declare(self.text(name), row)
                self.site(USE_SITE, row, self.text(name), name)
        return 0

    def alias(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        row = max(self.type_(node.child_by_field_name("type")), 0)
        if name is not None and row:
            self.declare(self.text(name), row, name)
        return 0

    def typedef(self, node: Any) -> int:
        row = max(self.type_(node.child_by_field_name("type")), 0)
        for declarator in node.children_by_field_name("declarator"):
            name = self.name_of(declarator)
            if name is not None:
                symbol = self.symbol_at(name)
                if not row and symbol >= 0:
                    row = self.struct_of(node.child_by_field_name("type"), symbol)
                if row:
                    self.declare(self.text(name), row, name)
        return 0

    def struct_of(self, node: Any, symbol: int) -> int:
        """Define the nameless struct of a typedef under the name it is given."""
        body = node.child_by_field_name("body") if node is not None else None
        if body is None:
            return 0
        return self.enter_class(symbol, "", [], lambda: self.children(body) and None)

    def class_(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if body is None or name is None:
            if body is not None and name is None:
                return 0
            return self.type_(name) if name is not None else 0
        bases: list[tuple[int, Any, str]] = []
        clause = next((c for c in node.named_children if c.type == "base_class_clause"), None)
        for base in clause.named_children if clause is not None else ():
            if base.type == "access_specifier":
                continue
            before = len(self.sites)
            row = self.type_(base)
            if row > 0 and len(self.sites) > before:
                bases.append((row, base, self.sites.pop(before)[2]))
        target = name.named_children[0] if name.type == "template_type" and name.named_children else name
        target = self.tail(target)

        def members() -> None:
            self.children(body)

        return self.enter_class(self.symbol_at(target), self.text(target), bases, members)

    def enum(self, node: Any) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if body is None:
            return 0
        outer = self.scope
        scoped = any(c.type in ("class", "struct") for c in node.children)

        def members() -> None:
            for child in body.named_children:
                given = child.child_by_field_name("name") if child.type == "enumerator" else None
                if given is None:
                    continue
                self.declare(self.text(given), self.this, given)
                if not scoped:
                    inner, self.scope = self.scope, outer
                    self.declare(self.text(given), self.row(CONSTANT, "int"), given)
                    self.scope = inner

        symbol = self.symbol_at(name) if name is not None else -1
        return self.enter_class(symbol, self.text(name) if name is not None else "", [], members)

    def template(self, node: Any) -> int:
        outer = self.scope
        names = []
        holder = node.child_by_field_name("parameters")
        for child in holder.named_children if holder is not None else ():
            inner = next((c for c in child.named_children if c.type == "type_identifier"), None)
            if inner is not None:
                names.append(self.text(inner))
        scope = outer
        before = {n: outer.names.get(n) for n in names}
        for name in names:
            scope.names[name] = [self.row(CONSTANT, "type variable")]
        for child in node.named_children:
            if child != holder:
                self.visit(child)
        for name, rows in before.items():
            if rows is None:
                scope.names.pop(name, None)
            else:
                scope.names[name] = rows
        return 0

    def name_of(self, node: Any) -> Any:
        """Return the node of the name that a declarator declares."""
        while node is not None:
            if node.type in _NESTED:
                inner = node.child_by_field_name("declarator")
                if inner is None:
                    inner = next(
                        (c for c in node.named_children if "declarator" in c.type or "identifier" in c.type), None
                    )
                node = inner
                continue
            return node
        return None

    def function_of(self, node: Any) -> Any:
        while node is not None and node.type != "function_declarator":
            inner = node.child_by_field_name("declarator")
            if inner is None:
                inner = next((c for c in node.named_children if "declarator" in c.type), None)
            node = inner
        return node

    def parameters(self, node: Any) -> list[tuple[str, int, int, str, Any]]:
        found: list[tuple[str, int, int, str, Any]] = []
        holder = node.child_by_field_name("parameters") if node is not None else None
        for child in holder.named_children if holder is not None else ():
            if child.type in ("variadic_parameter", "..."):
                found.append(("", 0, -1, "*", child))
                continue
            if child.type not in (
                "parameter_declaration",
                "optional_parameter_declaration",
                "variadic_parameter_declaration",
            ):
                continue
            row = max(self.type_(child.child_by_field_name("type")), 0)
            declarator = child.child_by_field_name("declarator")
            name = self.name_of(declarator)
            default = child.child_by_field_name("default_value")
            value = self.visit(default) if default is not None else -1
            kind = "*" if child.type.startswith("variadic") else ""
            if name is None and child.child_by_field_name("type") is not None and self.text(child) == "void":
                continue
            text = self.text(name) if name is not None and name.type == "identifier" else ""
            if declarator is not None and declarator.type == "array_declarator" and row:
                row = self.row(SEQUENCE, "array", (row,), True)
            found.append((text, row, value, kind, name if text else child))
        return found

    def function(self, node: Any) -> int:
        declarator, body = node.child_by_field_name("declarator"), node.child_by_field_name("body")
        inner = self.function_of(declarator)
        if inner is None:
            return self.children(node)
        target = inner.child_by_field_name("declarator")
        if target is None:
            return 0
        result = node.child_by_field_name("type")
        initializers = next((c for c in node.named_children if c.type == "field_initializer_list"), None)
        outer, this, class_symbol = self.scope, self.this, self.class_symbol
        bind = True
        owner = self.class_symbol
        name_node = self.tail(target)
        if name_node.type in ("template_function",) and name_node.named_children:
            name_node = name_node.named_children[0]
        text = self.text(name_node)
        made = False
        if target.type == "qualified_identifier":
            # Defined away from its class or namespace.
            row, _ = self.qualified(target)
            holder = self.values[row][1] if self.values[row][0] == ATTRIBUTE else 0
            scope = self.new_scope("impl", -1, outer.number)
            scope.env = None
            self.impls.append((holder, scope.number))
            self.scope = scope
            self.this = self.row(INSTANCE, holder) if holder else 0
            self.class_symbol = -1
            owner = -1
            data = self.values[holder]
            made = bool(holder) and (data[1] if data[0] == NAME else data[2]) == text
        elif self.class_symbol >= 0:
            made = text == self.symbols[self.class_symbol].name
        static = any(c.type == "storage_class_specifier" and self.text(c) == "static" for c in node.named_children)
        symbol = self.symbol_at(name_node)
        if symbol < 0:
            symbol = self.symbol_at(target)
        if self.conditional:
            self.extra.setdefault("conditional", []).append(symbol)
        if static and owner < 0 and target.type != "qualified_identifier":
            self.extra.setdefault("static", []).append(symbol)

        def read() -> int:
            if initializers is not None:
                self.children(initializers)
            if body is not None:
                self.children(body)
            return 0

        self.enter_function(
            symbol,
            "<init>" if made else text,
            lambda: self.parameters(inner),
            lambda: max(self.type_(result), 0) or -1 if result is not None else -1,
            read,
            owner=owner,
            flags=frozenset({"static"}) if static else frozenset(),
            bind=bind,
        )
        self.scope, self.this, self.class_symbol = outer, this, class_symbol
        return 0

    def declaration(self, node: Any) -> int:
        type_node = node.child_by_field_name("type")
        row = max(self.type_(type_node), 0) if type_node is not None else 0
        for declarator in node.children_by_field_name("declarator"):
            inner = self.function_of(declarator)
            name = self.name_of(declarator)
            if inner is not None and (declarator.type != "init_declarator" or self.scope.kind == "class"):
                self.prototype(node, inner, row)
                continue
            value = 0
            if declarator.type == "init_declarator":
                value_node = declarator.child_by_field_name("value")
                if value_node is not None:
                    value = self.last(value_node) if value_node.type == "argument_list" else self.visit(value_node)
                    if value_node.type in ("argument_list", "initializer_list") and row:
                        self.made(type_node, row)
            if name is not None and name.type in ("identifier", "field_identifier"):
                array = declarator.type == "array_declarator" or (
                    declarator.type == "init_declarator"
                    and (declarator.child_by_field_name("declarator") or declarator).type == "array_declarator"
                )
                declared = row
                if array and row:
                    declared = self.row(SEQUENCE, "array", (row,), True)
                self.declare(self.text(name), self.row(INSTANCE, declared) if declared else value, name)
        for child in node.named_children:
            if child.type == "bitfield_clause" or child == node.child_by_field_name("default_value"):
                self.visit(child)
        return 0

    def made(self, type_node: Any, row: int) -> None:
        """Note the constructor that a declaration with arguments calls."""
        if type_node is not None and type_node.type == "type_identifier":
            self.site(CALL_SITE, row, self.text(type_node), type_node)

    def prototype(self, node: Any, inner: Any, row: int) -> None:
        name = (
            self.tail(inner.child_by_field_name("declarator"))
            if inner.child_by_field_name("declarator") is not None
            else None
        )
        if name is None:
            return
        symbol = self.symbol_at(name)
        text = self.text(name)
        made = self.class_symbol >= 0 and text == self.symbols[self.class_symbol].name
        self.enter_function(
            symbol,
            "<init>" if made else text,
            lambda: self.parameters(inner),
            lambda: row or -1,
            lambda: 0,
            owner=self.class_symbol,
            flags=frozenset({"prototype"}),
        )

    # --- statements and expressions ----

    def for_range(self, node: Any) -> int:
        type_node, right = node.child_by_field_name("type"), node.child_by_field_name("right")
        source = self.visit(right) if right is not None else 0
        row = max(self.type_(type_node), 0) if type_node is not None else 0
        name = self.name_of(node.child_by_field_name("declarator"))
        if name is not None and name.type == "identifier":
            self.declare(self.text(name), self.row(INSTANCE, row) if row else self.row(ELEMENT, source))
        self.field(node, "body")
        return 0

    def condition(self, node: Any) -> int:
        return self.children(node)

    def call_(self, node: Any) -> int:
        function, holder = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None:
            return 0
        while function.type == "parenthesized_expression" and function.named_children:
            function = function.named_children[0]
        kind = function.type
        types: list[Any] = []
        target = self.tail(function) if kind == "qualified_identifier" else function
        if target.type == "template_function":
            types = [c for a in target.named_children[1:] for c in a.named_children]
            plain = self.text(target.named_children[0])
            if plain in _MAKERS or plain in _CASTS:
                row = self.type_(types[0]) if types else 0
                self.arguments(holder)
                return self.row(INSTANCE, row) if row > 0 else 0
        for type_node in types:
            self.type_(type_node)
        if kind == "identifier":
            callee = self.read(self.text(function))
            self.site(CALL_SITE, callee, self.text(function), function)
        elif kind == "template_function":
            name = function.named_children[0]
            callee = self.read(self.text(name))
            self.site(CALL_SITE, callee, self.text(name), name)
        elif kind == "field_expression":
            name = function.child_by_field_name("field")
            base = self.field(function, "argument")
            while name is not None and name.type in ("dependent_name", "template_method") and name.named_children:
                name = name.named_children[-1] if name.type == "dependent_name" else name.named_children[0]
            callee = self.member(base, name, CALL_SITE) if name is not None else 0
        elif kind == "qualified_identifier":
            callee, name = self.qualified(function)
            if name is not None:
                self.site(CALL_SITE, callee, self.text(name), name)
        else:
            callee = self.visit(function)
        return self.call(callee, holder)

    def new(self, node: Any) -> int:
        type_node = node.child_by_field_name("type")
        before = len(self.sites)
        row = max(self.type_(type_node), 0)
        if len(self.sites) > before:
            self.sites[before] = (CALL_SITE, *self.sites[before][1:])
        base = row
        while self.values[base][0] == SUBSCRIPT:
            base = self.values[base][1]
        self.row(NEW, base, self.arguments(node.child_by_field_name("arguments")), ())
        return self.row(INSTANCE, row) if row else 0

    def access(self, node: Any) -> int:
        name = node.child_by_field_name("field")
        base = self.field(node, "argument")
        return self.member(base, name) if name is not None and name.type == "field_identifier" else base

    def qualified_value(self, node: Any) -> int:
        row, name = self.qualified(node)
        if name is not None:
            self.site(USE_SITE, row, self.text(name), name)
        return row

    def subscript(self, node: Any) -> int:
        rows = [self.visit(c) for c in node.named_children]
        return self.row(ITEM, rows[0], None) if rows else 0

    def cast(self, node: Any) -> int:
        value = self.field(node, "value")
        return self.instance(node.child_by_field_name("type")) or value

    def assignment(self, node: Any) -> int:
        self.field(node, "left")
        return self.field(node, "right")

    def ternary(self, node: Any) -> int:
        self.field(node, "condition")
        rows = (self.field(node, "consequence"), self.field(node, "alternative"))
        return self.join(tuple(dict.fromkeys(r for r in rows if r)))

    def lambda_expression(self, node: Any) -> int:
        declarator, body = node.child_by_field_name("declarator"), node.child_by_field_name("body")
        return self.lambda_(
            lambda: [(p[0], p[1]) for p in self.parameters(declarator)] if declarator is not None else [],
            lambda: self.visit(body) if body is not None else 0,
        )

    def field_initializer(self, node: Any) -> int:
        children = node.named_children
        if children and children[0].type in ("type_identifier", "template_type", "qualified_identifier"):
            before = len(self.sites)
            self.type_(children[0])
            if len(self.sites) > before:
                self.sites[before] = (CALL_SITE, *self.sites[before][1:])
        for child in children[1:]:
            self.visit(child)
        return 0


class C(Cpp):
    """C."""

    language = "c"
