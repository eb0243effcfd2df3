"""Value-flow facts of a JavaScript or TypeScript file, from its tree-sitter tree.

Values and types live in separate name spaces: the type of a name ``X`` is kept as ``:X``, and a look-up of a type falls back to the value
(classes, enumerations and imports are both).  Function declarations are hoisted; the bodies of named functions are read after the scope around
them is complete, unnamed functions where they stand.
"""

from __future__ import annotations

from typing import Any

from quatrain.parsing.bindings.facts import (
    ATTRIBUTE,
    AWAIT,
    CALL,
    CONSTANT,
    CONTEXT_ARGUMENT,
    CONTEXT_PARAMETER,
    DEFINITION,
    ELEMENT,
    FIRST,
    IMPORT,
    INSTANCE,
    ITEM,
    LAMBDA,
    LAMBDA_PARAMETER,
    NAME,
    NARROW,
    NEW,
    OBJECT,
    OPERATOR,
    PARAMETER,
    PREDICATE,
    SELF,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    SUPER,
    TYPE_FUNCTION,
    TYPE_OBJECT,
    TYPE_QUERY,
    TYPE_VARIABLE,
    UNION,
    UNPACK,
    ClassFacts,
    FunctionFacts,
    Parameter,
    pack,
)
from quatrain.parsing.bindings.flow import (
    ATTRIBUTE_SITE,
    CALL_SITE,
    DECORATOR_SITE,
    IMPORT_SITE,
    INHERIT_SITE,
    TYPE_SITE,
    USE_SITE,
    Env,
    Flow,
    Region,
)
from quatrain.records import Symbol

__all__ = ["extract"]

_FUNCTIONS = frozenset(
    {"function_declaration", "generator_function_declaration", "function_expression", "generator_function", "arrow_function",
     "method_definition", "function_signature", "method_signature", "abstract_method_signature", "function"}
)  # fmt: skip
_WRAPPERS = frozenset({"parenthesized_expression", "non_null_expression", "satisfies_expression"})
_LITERALS = {
    "number": "number", "string": "string", "template_string": "string", "regex": "regex", "true": "boolean", "false": "boolean",
    "null": "none", "undefined": "none",
}  # fmt: skip
_CONTEXTUAL = frozenset({"arrow_function", "function_expression", "object"})
_SAME_TYPE = frozenset(
    {"Partial", "Readonly", "Required", "NonNullable", "Omit", "Pick", "Exclude", "Extract", "NoInfer"}
)


class _Extractor(Flow):
    def __init__(self, data: bytes, symbols: tuple[Symbol, ...], language: str) -> None:
        super().__init__(data, symbols)
        self.language = language
        self.this = 0
        self.class_symbol = -1
        self.function_symbol = -1
        self.function_region: Region = self.scope
        self.exported: dict[str, int] = {}
        self.reexports: list[int] = []
        self.statements = {
            "expression_statement": self.children_expressions,
            "lexical_declaration": self.declaration,
            "variable_declaration": self.declaration,
            "using_declaration": self.declaration,
            "function_declaration": self.skip,  # hoisted
            "generator_function_declaration": self.skip,
            "function_signature": self.skip,
            "class_declaration": self.class_,
            "abstract_class_declaration": self.class_,
            "interface_declaration": self.interface,
            "type_alias_declaration": self.type_alias,
            "enum_declaration": self.enumeration,
            "internal_module": self.namespace,
            "module": self.namespace,
            "ambient_declaration": self.block,
            "import_statement": self.import_statement,
            "export_statement": self.export_statement,
            "import_alias": self.import_alias,
            "if_statement": self.if_statement,
            "for_statement": self.for_statement,
            "for_in_statement": self.for_in_statement,
            "while_statement": self.while_statement,
            "do_statement": self.do_statement,
            "try_statement": self.try_statement,
            "switch_statement": self.switch_statement,
            "return_statement": self.return_statement,
            "throw_statement": self.throw_statement,
            "break_statement": self.break_statement,
            "continue_statement": self.continue_statement,
            "labeled_statement": self.labeled,
            "statement_block": self.inner_block,
            "empty_statement": self.skip,
            "comment": self.skip,
            "ERROR": self.block,
        }
        self.expressions = {
            "identifier": self.identifier,
            "shorthand_property_identifier": self.identifier,
            "this": self.this_,
            "super": self.super_,
            "member_expression": self.member,
            "subscript_expression": self.subscript,
            "call_expression": self.call,
            "new_expression": self.new,
            "object": self.object_,
            "array": self.array,
            "arrow_function": self.function_value,
            "function_expression": self.function_value,
            "generator_function": self.function_value,
            "function": self.function_value,
            "class": self.class_,
            "parenthesized_expression": self.wrapped,
            "non_null_expression": self.wrapped,
            "sequence_expression": self.wrapped,
            "satisfies_expression": self.satisfies,
            "as_expression": self.as_,
            "type_assertion": self.type_assertion,
            "instantiation_expression": self.first_child,
            "ternary_expression": self.ternary,
            "binary_expression": self.binary,
            "unary_expression": self.unary,
            "update_expression": self.update,
            "await_expression": self.await_,
            "yield_expression": self.yield_,
            "assignment_expression": self.assignment,
            "augmented_assignment_expression": self.augmented,
            "template_string": self.template,
            "spread_element": self.spread,
            "jsx_element": self.jsx,
            "jsx_self_closing_element": self.jsx,
            "jsx_fragment": self.jsx,
            "jsx_expression": self.wrapped,
        }

    # --- statements ----

    def skip(self, node: Any) -> None:
        pass

    def statement(self, node: Any) -> None:
        if self.scope.env is None:
            self.scope.env = {}
        handler = self.statements.get(node.type)
        if handler is not None:
            handler(node)
        else:
            self.expression(node)

    def block(self, node: Any) -> None:
        self.hoist(node)
        for child in node.named_children:
            self.statement(child)

    def hoist(self, node: Any) -> None:
        """Bind function declarations before anything else of their block."""
        for child in node.named_children:
            target = child
            default = False
            if child.type == "export_statement":
                default = any(c.type == "default" for c in child.children)
                target = child.child_by_field_name("declaration") or child
            elif child.type == "ambient_declaration" and child.named_children:
                target = child.named_children[0]
            if target.type in ("function_declaration", "generator_function_declaration", "function_signature"):
                row = self.function(target)
                if child.type == "export_statement":
                    name = target.child_by_field_name("name")
                    if default:
                        self.exported["default"] = row
                    elif name is not None:
                        self.export(self.text(name), row)

    def inner_block(self, node: Any) -> None:
        """Walk a block whose ``let``, ``const`` and classes are its own."""
        declared: set[str] = set()
        for child in node.named_children:
            if child.type == "lexical_declaration":
                for declarator in child.named_children:
                    name = declarator.child_by_field_name("name")
                    if name is not None:
                        self.pattern_names(name, declared)
            elif child.type in ("class_declaration", "function_declaration", "generator_function_declaration"):
                name = child.child_by_field_name("name")
                if name is not None:
                    declared.add(self.text(name))
        if not declared:
            self.block(node)
            return
        self.within(declared, lambda: self.block(node))

    def within(self, declared: set[str], body: Any) -> None:
        """Run ``body`` in a scope of its own that shares the environment."""
        outer = self.scope
        inner = self.new_scope("block", outer.symbol, outer.number)
        env = outer.env if outer.env is not None else {}
        saved = {name: env.get(name) for name in declared}
        for name in declared:
            env.pop(name, None)
        inner.env, inner.cells, inner.dotted = env, outer.cells, outer.dotted
        self.scope = inner
        body()
        outer.env, outer.cells, outer.dotted = inner.env, inner.cells, outer.dotted or inner.dotted
        outer.returns.extend(inner.returns)
        outer.yields.extend(inner.yields)
        self.scope = outer
        if outer.env is not None:
            for name, rows in saved.items():
                if rows is None:
                    outer.env.pop(name, None)
                else:
                    outer.env[name] = rows

    def pattern_names(self, node: Any, names: set[str]) -> None:
        kind = node.type
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            names.add(self.text(node))
        elif kind in ("object_pattern", "array_pattern", "rest_pattern"):
            for child in node.named_children:
                self.pattern_names(child, names)
        elif kind == "pair_pattern":
            value = node.child_by_field_name("value")
            if value is not None:
                self.pattern_names(value, names)
        elif kind in ("assignment_pattern", "object_assignment_pattern"):
            left = node.child_by_field_name("left")
            if left is not None:
                self.pattern_names(left, names)

    def children_expressions(self, node: Any) -> None:
        for child in node.named_children:
            self.expression(child)

    def declaration(self, node: Any) -> None:
        for child in node.named_children:
            if child.type != "variable_declarator":
                continue
            name = child.child_by_field_name("name")
            value_node = child.child_by_field_name("value")
            type_node = child.child_by_field_name("type")
            declared = self.annotation(type_node) if type_node is not None else -1
            value = None
            if name is not None and name.type == "identifier" and value_node is not None:
                value = self.named_value(name, value_node, declared)
            if value is not None:
                # A function keeps its own definition, whatever type it is declared to have.
                self.assign(name, value, -1)
                continue
            value = self.expecting(value_node, declared) if value_node is not None else 0
            if name is not None:
                self.assign(name, value, declared)

    def if_statement(self, node: Any) -> None:
        scope = self.scope
        positive, negative = self.test(node.child_by_field_name("condition"))
        before = scope.env
        scope.env = self.narrowed(before, positive)
        consequence = node.child_by_field_name("consequence")
        if consequence is not None:
            self.statement(consequence)
        after = scope.env
        scope.env = self.narrowed(before, negative)
        alternative = node.child_by_field_name("alternative")
        if alternative is not None:
            for child in alternative.named_children:
                self.statement(child)
        scope.env = self.merge(after, scope.env)

    def test(self, node: Any) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """Evaluate a condition into ``tested``; return the (path, row) that hold when it is true and when false."""
        if node is None:
            self.tested = 0
            return [], []
        kind = node.type
        if kind == "parenthesized_expression" and node.named_children:
            return self.test(node.named_children[-1])
        if kind == "unary_expression":
            operator = node.child_by_field_name("operator")
            argument = node.child_by_field_name("argument")
            if operator is not None and operator.type == "!" and argument is not None:
                positive, negative = self.test(argument)
                self.tested = self.row(CONSTANT, "boolean")
                return negative, positive
        if kind == "binary_expression":
            operator = node.child_by_field_name("operator")
            sign = operator.type if operator is not None else ""
            left_node, right_node = node.child_by_field_name("left"), node.child_by_field_name("right")
            if sign in ("&&", "||", "??") and left_node is not None and right_node is not None:
                scope = self.scope
                left_positive, left_negative = self.test(left_node)
                left = self.tested
                before = scope.env
                scope.env = self.narrowed(
                    before, left_positive if sign == "&&" else left_negative if sign == "||" else []
                )
                right_positive, right_negative = self.test(right_node)
                right = self.tested
                scope.env = before
                self.tested = right if sign == "&&" else self.join(tuple(dict.fromkeys((left, right))))
                if sign == "&&":
                    return left_positive + right_positive, []
                if sign == "||":
                    rights = dict(right_positive)
                    either = [
                        (k, self.join(tuple(dict.fromkeys((r, rights[k]))))) for k, r in left_positive if k in rights
                    ]
                    return either, left_negative + right_negative
                return [], []
            if sign == "instanceof" and left_node is not None and right_node is not None:
                subject = self.expression(left_node)
                types = self.expression(right_node)
                self.tested = self.row(CONSTANT, "boolean")
                key = self.path(left_node)
                if key is None:
                    return [], []
                return [(key, self.row(NARROW, subject, types, 1))], [(key, self.row(NARROW, subject, types, 2))]
        row = self.tested = self.expression(node)
        if kind == "call_expression":
            value = self.values[row]
            holder = node.child_by_field_name("arguments")
            if value[0] == CALL and value[2] and holder is not None and holder.named_children:
                key = self.path(holder.named_children[0])
                if key is not None:
                    # The callee may be a type predicate; only the linker can tell.
                    subject = value[2][0]
                    return (
                        [(key, self.row(NARROW, subject, value[1], 5))],
                        [(key, self.row(NARROW, subject, value[1], 6))],
                    )
        return [], []

    tested = 0

    def path(self, node: Any) -> str | None:
        kind = node.type
        if kind == "identifier":
            return self.text(node)
        if kind == "this":
            return "this"
        if kind == "member_expression":
            base_node, name = node.child_by_field_name("object"), node.child_by_field_name("property")
            base = self.path(base_node) if base_node is not None else None
            return None if base is None or name is None else f"{base}.{self.text(name)}"
        if kind in _WRAPPERS and node.named_children:
            return self.path(node.named_children[0])
        return None

    def for_statement(self, node: Any) -> None:
        initializer = node.child_by_field_name("initializer")
        declared: set[str] = set()
        if initializer is not None and initializer.type == "lexical_declaration":
            for declarator in initializer.named_children:
                name = declarator.child_by_field_name("name")
                if name is not None:
                    self.pattern_names(name, declared)

        def body() -> list[tuple[str, int]]:
            condition = node.child_by_field_name("condition")
            positive, negative = self.test(condition) if condition is not None else ([], [])
            self.scope.env = self.narrowed(self.scope.env, positive)
            inner = node.child_by_field_name("body")
            if inner is not None:
                self.statement(inner)
            increment = node.child_by_field_name("increment")
            if increment is not None:
                if self.scope.env is None:
                    self.scope.env = {}
                self.expression(increment)
            return negative

        def whole() -> None:
            if initializer is not None:
                self.statement(initializer)
            self.leave(self.loop(body)[1])

        self.within(declared, whole) if declared else whole()

    def leave(self, loop: Any) -> None:
        self.scope.env = self.merge(self.scope.env, *loop.breaks)

    def for_in_statement(self, node: Any) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        source = self.expression(right) if right is not None else 0
        operator = node.child_by_field_name("operator")
        element = self.row(ELEMENT, source) if operator is not None and operator.type == "of" else 0
        if element and any(c.type == "await" for c in node.children):
            element = self.row(AWAIT, element)
        if element and not any(c.type == "await" for c in node.children):
            self.protocol(source, node)
        declared: set[str] = set()
        if left is not None and any(c.type in ("const", "let") for c in node.children):
            self.pattern_names(left, declared)

        def body() -> list[tuple[str, int]]:
            if left is not None:
                self.assign(left, element, -1)
            inner = node.child_by_field_name("body")
            if inner is not None:
                self.statement(inner)
            return []

        def whole() -> None:
            self.leave(self.loop(body)[1])

        self.within(declared, whole) if declared else whole()

    def protocol(self, row: int, node: Any) -> None:
        pass

    def while_statement(self, node: Any) -> None:
        def body() -> list[tuple[str, int]]:
            positive, negative = self.test(node.child_by_field_name("condition"))
            self.scope.env = self.narrowed(self.scope.env, positive)
            inner = node.child_by_field_name("body")
            if inner is not None:
                self.statement(inner)
            return negative

        self.leave(self.loop(body)[1])

    def do_statement(self, node: Any) -> None:
        def body() -> list[tuple[str, int]]:
            inner = node.child_by_field_name("body")
            if inner is not None:
                self.statement(inner)
            if self.scope.env is None:
                self.scope.env = {}
            return self.test(node.child_by_field_name("condition"))[1]

        self.leave(self.loop(body)[1])

    def break_statement(self, node: Any) -> None:
        if self.scope.cells and self.scope.env is not None:
            self.scope.cells[-1].breaks.append(self.scope.env)
        self.scope.env = None

    def continue_statement(self, node: Any) -> None:
        if self.scope.cells and self.scope.env is not None:
            self.scope.cells[-1].continues.append(self.scope.env)
        self.scope.env = None

    def labeled(self, node: Any) -> None:
        body = node.child_by_field_name("body")
        if body is not None:
            before = dict(self.scope.env or {})
            self.statement(body)
            if self.scope.env is None:  # a labelled break may have left it
                self.scope.env = before

    def try_statement(self, node: Any) -> None:
        scope = self.scope
        before = dict(scope.env or {})
        body = node.child_by_field_name("body")
        if body is not None:
            self.statement(body)
        after = scope.env
        handler = node.child_by_field_name("handler")
        handled: Env | None = None
        if handler is not None:
            scope.env = self.merge(before, after)
            parameter, inner = handler.child_by_field_name("parameter"), handler.child_by_field_name("body")
            declared: set[str] = set()
            if parameter is not None:
                self.pattern_names(parameter, declared)

            def catch() -> None:
                if parameter is not None:
                    self.assign(parameter, 0, -1)
                if inner is not None:
                    self.statement(inner)

            self.within(declared, catch)
            handled = scope.env
        scope.env = self.merge(after, handled)
        finalizer = node.child_by_field_name("finalizer")
        if finalizer is not None:
            ended = scope.env is None
            if ended:
                scope.env = before
            for child in finalizer.named_children:
                self.statement(child)
            if ended:
                scope.env = None

    def switch_statement(self, node: Any) -> None:
        scope = self.scope
        value = node.child_by_field_name("value")
        if value is not None:
            self.expression(value)
        body = node.child_by_field_name("body")
        if body is None:
            return
        before = scope.env
        from quatrain.parsing.bindings.flow import Loop

        holder = Loop({})
        scope.cells = [*scope.cells, holder]
        default = False
        previous: Env | None = None
        for case in body.named_children:
            if case.type not in ("switch_case", "switch_default"):
                continue
            default = default or case.type == "switch_default"
            scope.env = self.merge(before, previous)
            test = case.child_by_field_name("value")
            if test is not None:
                self.expression(test)
            for child in case.children_by_field_name("body"):
                self.statement(child)
            previous = scope.env
        scope.cells = scope.cells[:-1]
        if scope.cells and holder.continues:
            scope.cells[-1].continues.extend(holder.continues)
        scope.env = self.merge(previous, *holder.breaks, *([] if default else [before]))

    result_type = -1  # of the function that is being read

    def return_statement(self, node: Any) -> None:
        for child in node.named_children:
            if child.type != "comment":
                self.scope.returns.append(self.expecting(child, self.result_type))
        self.scope.env = None

    def throw_statement(self, node: Any) -> None:
        self.children_expressions(node)
        self.scope.env = None

    # --- imports and exports ----

    def source(self, node: Any) -> str:
        for child in node.named_children:
            if child.type == "string_fragment":
                return self.text(child)
        return ""

    def bind_import(self, local: str, module: str, name: str) -> int:
        row = self.row(IMPORT, 0, module, name)
        self.bind(local, row)
        self.bind(":" + local, self.row(IMPORT, 0, module, ":" + name) if name else row)
        return row

    def import_statement(self, node: Any) -> None:
        source = node.child_by_field_name("source")
        clause = next((c for c in node.named_children if c.type == "import_clause"), None)
        if source is None:
            require = next((c for c in node.named_children if c.type == "import_require_clause"), None)
            if require is not None:
                name = next((c for c in require.named_children if c.type == "identifier"), None)
                inner = require.child_by_field_name("source")
                if name is not None and inner is not None:
                    self.bind_import(self.text(name), self.source(inner), "")
            return
        module = self.source(source)
        if clause is None:
            self.site(IMPORT_SITE, self.row(IMPORT, 0, module, ""), module, source)
            return
        for child in clause.named_children:
            if child.type == "identifier":
                row = self.bind_import(self.text(child), module, "default")
                self.site(IMPORT_SITE, row, self.text(child), child)
            elif child.type == "namespace_import":
                for name in child.named_children:
                    row = self.bind_import(self.text(name), module, "")
                    self.site(IMPORT_SITE, row, self.text(name), name)
            elif child.type == "named_imports":
                for specifier in child.named_children:
                    name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
                    if specifier.type != "import_specifier" or name is None:
                        continue
                    local = self.text(alias if alias is not None else name)
                    row = self.bind_import(local, module, self.text(name).strip("'\""))
                    self.site(IMPORT_SITE, row, self.text(name), name)

    def import_alias(self, node: Any) -> None:
        children = node.named_children
        if len(children) == 2:
            row = self.type_expression(children[1])
            self.bind(self.text(children[0]), row)
            self.bind(":" + self.text(children[0]), row)

    def export(self, name: str, row: int) -> None:
        self.exported.setdefault(name, row)

    def export_statement(self, node: Any) -> None:
        source = node.child_by_field_name("source")
        module = self.source(source) if source is not None else ""
        declaration = node.child_by_field_name("declaration")
        value = node.child_by_field_name("value")
        is_default = any(c.type == "default" for c in node.children)
        for child in node.named_children:
            if child.type == "decorator":
                self.decorator(child)
        if declaration is not None:
            self.statement(declaration)
            names: set[str] = set()
            if declaration.type in ("lexical_declaration", "variable_declaration"):
                for declarator in declaration.named_children:
                    name = declarator.child_by_field_name("name")
                    if name is not None:
                        self.pattern_names(name, names)
            else:
                name = declaration.child_by_field_name("name")
                if name is not None:
                    names.add(self.text(name))
            for name_text in sorted(names):
                key = "default" if is_default else name_text
                self.exported.setdefault(key, self.row(NAME, name_text, self.scope.number))
                self.exported.setdefault(":" + key, self.row(NAME, ":" + name_text, self.scope.number))
            return
        if value is not None:
            row = self.expression(value)
            self.exported["default"] = row
            if value.type == "identifier":
                self.exported[":default"] = self.row(NAME, ":" + self.text(value), self.scope.number)
            return
        if source is not None and any(c.type == "*" for c in node.children):
            self.reexports.append(self.row(IMPORT, 0, module, ""))
            self.site(IMPORT_SITE, self.row(IMPORT, 0, module, ""), module, source)
            return
        for child in node.named_children:
            if child.type == "namespace_export":
                row = self.row(IMPORT, 0, module, "")
                for name in child.named_children:
                    self.exported[self.text(name)] = row
                    self.exported[":" + self.text(name)] = row
                    self.site(IMPORT_SITE, row, self.text(name), name)
            elif child.type == "export_clause":
                for specifier in child.named_children:
                    name, alias = specifier.child_by_field_name("name"), specifier.child_by_field_name("alias")
                    if specifier.type != "export_specifier" or name is None:
                        continue
                    text = self.text(name)
                    public = self.text(alias if alias is not None else name)
                    if source is not None:
                        row = self.row(IMPORT, 0, module, text)
                        type_row = self.row(IMPORT, 0, module, ":" + text)
                        self.site(IMPORT_SITE, row, text, name)
                    else:
                        row = self.row(NAME, text, 0)
                        type_row = self.row(NAME, ":" + text, 0)
                        self.site(USE_SITE, row, text, name)
                    self.exported[public] = row
                    self.exported[":" + public] = type_row
            elif child.type == "identifier":  # export = N
                self.exported["="] = self.expression(child)

    # --- definitions ----

    def function(self, node: Any, *, method_of: int = -1, bind: bool = True, context: int = -1) -> int:
        """Note a function with a symbol; return its row."""
        name_node = node.child_by_field_name("name")
        symbol = self.symbol_at(name_node) if name_node is not None else -1
        if symbol < 0:
            return self.lambda_(node)
        name = self.text(name_node)
        row = self.row(DEFINITION, symbol)
        if bind and method_of < 0:
            self.bind(name, row)
        self.define(node, symbol, method_of, context)
        return row

    def define(self, node: Any, symbol: int, method_of: int, context: int = -1) -> None:
        outer = self.scope
        flags = set()
        for child in node.children:
            kind = child.type
            if kind == "async":
                flags.add("async")
            elif kind == "static":
                flags.add("static")
            elif kind == "get":
                flags.add("property")
            elif kind == "set":
                flags.add("setter")
            elif kind == "*":
                flags.add("generator")
        if node.type.startswith("generator"):
            flags.add("generator")
        body = node.child_by_field_name("body")
        if body is None and node.type in ("function_signature", "method_signature"):
            flags.add(
                "overload" if node.type == "function_signature" or (method_of >= 0 and self.in_class) else "abstract"
            )
        lookup = outer.number if outer.kind != "class" else outer.parent
        inner = self.new_scope("function", symbol, lookup)
        before = self.scope
        self.scope = inner
        inner.env = {}
        variables = self.type_parameters(node)
        self.scope = before
        inner_env = inner.env
        # Types of parameters are read where the type parameters are visible.
        inner.env = {}
        self.scope = inner
        owner, self.owner = self.owner, symbol
        self.this_type = 0
        parameters = self.parameters(node, symbol, context)
        annotation_node = node.child_by_field_name("return_type")
        annotation = self.annotation(annotation_node) if annotation_node is not None else -1
        self.scope, self.owner = before, owner
        inner.env = {**inner_env, **(inner.env or {})}
        self.functions[symbol] = FunctionFacts(
            inner.number, method_of, parameters, (), (), annotation, frozenset(flags), (), variables
        )
        if body is not None:
            arrow = node.type == "arrow_function"
            this = self.this
            class_symbol = self.class_symbol
            if method_of >= 0:
                this = self.row(SELF, method_of, 1 if "static" in flags else 0)
                class_symbol = method_of
            elif not arrow:
                this = self.object_this
                if context >= 0 and not this:
                    this = self.row(INSTANCE, self.row(CONTEXT_PARAMETER, context, -1))
            this = self.this_type or this
            result_type = annotation if annotation >= 0 else self.result_of(context)
            if "async" in flags and result_type >= 0:
                result_type = self.row(TYPE_QUERY, self.row(AWAIT, self.row(INSTANCE, result_type)))
            self.pending.append((inner, symbol, body, this, class_symbol, outer.symbol, result_type))

    in_class = False
    object_this = 0
    this_type = 0  # of a declared ``this`` parameter

    def function_body(
        self, inner: Region, symbol: int, body: Any, this: int, class_symbol: int, outer: int, result_type: int
    ) -> None:
        self.scope = inner
        self.owner = symbol
        self.this, self.class_symbol, self.function_symbol = this, class_symbol, symbol
        self.in_class = False
        self.object_this = 0
        self.result_type = result_type
        if inner.env is None:
            inner.env = {}
        if body.type == "statement_block":
            self.block(body)
        else:
            inner.returns.append(self.expecting(body, result_type))
        facts = self.functions[symbol]
        self.functions[symbol] = facts._replace(
            returns=tuple(dict.fromkeys(inner.returns)), yields=tuple(dict.fromkeys(inner.yields))
        )

    def lambda_(self, node: Any) -> int:
        """Walk a function without a symbol where it stands."""
        expected = self.current
        scope = self.scope
        number = self.fresh(LAMBDA, (), 0)
        holder = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
        saved, cells = scope.env, scope.cells
        returns, yields = scope.returns, scope.yields
        this, result_type = self.this, self.result_type
        if node.type != "arrow_function":
            self.this = self.object_this or self.row(LAMBDA_PARAMETER, number, -1)
        declared: set[str] = set()
        names: list[str] = []
        if holder is not None:
            children = (
                [holder] if holder.type == "identifier" else [c for c in holder.named_children if c.type != "comment"]
            )
            for child in list(children):
                pattern = child.child_by_field_name("pattern") or child
                type_node = child.child_by_field_name("type")
                if pattern.type == "this":
                    children.remove(child)
                    self.this = self.row(INSTANCE, self.annotation(type_node)) if type_node is not None else self.this
                    continue
                self.pattern_names(pattern, declared)

        is_async = any(c.type == "async" for c in node.children)
        result = 0

        def walk() -> None:
            nonlocal result
            inner = self.scope
            inner.env = dict(saved or {})
            for name in declared:
                inner.env.pop(name, None)
            inner.cells = []
            inner.returns, inner.yields = [], []
            if holder is not None:
                for index, child in enumerate(children):
                    pattern = child.child_by_field_name("pattern") or child
                    names.append(self.text(pattern) if pattern.type == "identifier" else "")
                    row = self.row(LAMBDA_PARAMETER, number, index)
                    type_node = child.child_by_field_name("type")
                    if type_node is not None:
                        row = self.row(FIRST, (self.row(INSTANCE, self.annotation(type_node)), row))
                    value = child.child_by_field_name("value")
                    if value is not None:
                        row = self.join((row, self.expression(value)))
                    if pattern.type == "rest_pattern":
                        row = self.row(SEQUENCE, "array", (), True)
                    self.assign(pattern, row, -1)
            body = node.child_by_field_name("body")
            annotation = node.child_by_field_name("return_type")
            given = self.annotation(annotation) if annotation is not None else -1
            self.result_type = given if given >= 0 else self.result_of(expected)
            if is_async and self.result_type >= 0:
                self.result_type = self.row(TYPE_QUERY, self.row(AWAIT, self.row(INSTANCE, self.result_type)))
            if body is not None:
                if body.type == "statement_block":
                    self.block(body)
                    result = self.join(tuple(dict.fromkeys(inner.returns)))
                else:
                    result = self.expecting(body, self.result_type)
            if given >= 0:
                result = self.row(FIRST, (self.row(INSTANCE, given), result))
            inner.returns, inner.yields = [], []

        outer_env = scope.env
        inner = self.new_scope("block", scope.symbol, scope.number if scope.kind != "class" else scope.parent)
        inner.dotted = scope.dotted
        self.scope = inner
        walk()
        self.scope = scope
        scope.env, scope.cells = outer_env, cells
        scope.returns, scope.yields = returns, yields
        self.this, self.result_type = this, result_type
        self.values[number] = (LAMBDA, tuple(names), result, is_async, expected)
        return number

    def function_value(self, node: Any) -> int:
        """Return the row of a function expression; one that has a name of its own is a definition."""
        expected = self.current
        name_node = node.child_by_field_name("name")
        if name_node is not None and self.symbol_at(name_node) >= 0:
            return self.function(node, bind=True, context=expected)
        return self.lambda_(node)

    def named_value(self, name_node: Any, value: Any, context: int = -1) -> int | None:
        """Return the row of a function or class expression that takes its symbol from what it is assigned to."""
        symbol = self.symbol_at(name_node)
        if symbol < 0:
            return None
        inner = value
        while (
            inner.type in ("parenthesized_expression", "as_expression", "satisfies_expression") and inner.named_children
        ):
            inner = inner.named_children[0]
        if inner.type in ("arrow_function", "function_expression", "generator_function", "function"):
            self.define(inner, symbol, -1, context)
            return self.row(DEFINITION, symbol)
        if inner.type == "class" and inner.child_by_field_name("name") is None:
            self.assigned_class = symbol
            return self.class_(inner)
        return None

    def type_parameters(self, node: Any) -> tuple[str, ...]:
        holder = node.child_by_field_name("type_parameters")
        if holder is None:
            return ()
        names: list[str] = []
        pairs = []
        for child in holder.named_children:
            name = child.child_by_field_name("name")
            if name is None:
                continue
            names.append(self.text(name))
            pairs.append((child, self.text(name), name.start_byte))
        for child, name_text, place in pairs:
            row = self.fresh(TYPE_VARIABLE, name_text, 0, 0, place)
            self.scope.names.setdefault(":" + name_text, []).append(row)
            if self.scope.env is not None:
                self.scope.env[":" + name_text] = (row,)
            constraint = child.child_by_field_name("constraint")
            default = child.child_by_field_name("value")
            bound = (
                self.annotation(constraint.named_children[0])
                if constraint is not None and constraint.named_children
                else 0
            )
            value = self.annotation(default.named_children[0]) if default is not None and default.named_children else 0
            self.values[row] = (TYPE_VARIABLE, name_text, bound, value, place)
        return tuple(names)

    def parameters(self, node: Any, symbol: int, context: int) -> tuple[Parameter, ...]:
        """Read parameters and bind them in the current scope; ``context`` is the function type that is expected here."""
        holder = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
        if holder is None:
            return ()
        children = [holder] if holder.type == "identifier" else holder.named_children
        found: list[Parameter] = []
        patterns = []
        for child in children:
            if child.type in ("comment", "ERROR", "decorator"):
                continue
            pattern = child.child_by_field_name("pattern") or child
            if pattern.type == "this":
                type_node = child.child_by_field_name("type")
                if type_node is not None:
                    self.this_type = self.row(INSTANCE, self.annotation(type_node))
                continue
            annotation = default = -1
            type_node = child.child_by_field_name("type")
            if type_node is not None:
                annotation = self.annotation(type_node)
            elif context >= 0:
                annotation = self.row(CONTEXT_PARAMETER, context, len(found))
            value = child.child_by_field_name("value")
            if child.type == "assignment_pattern":
                pattern = child.child_by_field_name("left")
                value = child.child_by_field_name("right")
            if value is not None:
                default = self.expecting(value, annotation)
            kind = ""
            if pattern.type == "rest_pattern":
                kind = "*"
                inner = pattern.named_children
                pattern = inner[0] if inner else pattern
            name = self.text(pattern) if pattern.type == "identifier" else ""
            if kind == "*" and annotation >= 0:
                annotation = self.row(SUBSCRIPT, annotation, (), "rest")
            found.append(Parameter(name, annotation, default, kind))
            patterns.append((pattern, child))
        for index, (pattern, child) in enumerate(patterns):
            row = self.row(PARAMETER, symbol, index)
            self.assign(pattern, row, -1)
            # constructor(private x: T) declares a field
            if any(c.type in ("accessibility_modifier", "readonly", "override_modifier") for c in child.children):
                owner = self.in_constructor
                if owner >= 0 and pattern.type == "identifier":
                    entry = (self.row(INSTANCE, found[index].annotation) if found[index].annotation >= 0 else row, True)
                    self.attributes.setdefault(owner, {}).setdefault(self.text(pattern), []).append(entry)
                    field = self.symbol_at(pattern)
                    if field >= 0:
                        self.variables.setdefault((self.class_scope(owner), self.text(pattern)), field)
        return tuple(found)

    in_constructor = -1

    def class_scope(self, symbol: int) -> int:
        return self.classes[symbol].scope

    def class_(self, node: Any) -> int:
        name_node = node.child_by_field_name("name")
        symbol = self.symbol_at(name_node) if name_node is not None else self.assigned_class
        self.assigned_class = -1
        outer, owner = self.scope, self.owner
        for child in node.named_children:
            if child.type == "decorator":
                self.decorator(child)
        row = self.row(DEFINITION, symbol) if symbol >= 0 else 0
        if name_node is not None and node.type != "class":
            self.bind(self.text(name_node), row)
        lookup = outer.number if outer.kind != "class" else outer.parent
        scope = self.new_scope("class", symbol, lookup)
        types = self.new_scope("types", symbol, lookup)  # methods see the type parameters
        scope.parent = types.number
        scope.env = types.env = {}
        self.scope = types
        variables = self.type_parameters(node)
        types.env = {}
        bases: list[int] = []
        heritage = next((c for c in node.named_children if c.type == "class_heritage"), None)
        if heritage is not None:
            clauses = [c for c in heritage.named_children if c.type in ("extends_clause", "implements_clause")]
            if not clauses:
                bases.extend(self.base(c, symbol) for c in heritage.named_children)
            for clause in clauses:
                if clause.type == "extends_clause":
                    value = clause.child_by_field_name("value")
                    if value is None:
                        continue
                    base = self.base(value, symbol)
                    arguments = clause.child_by_field_name("type_arguments")
                    if arguments is not None:
                        rows = tuple(self.annotation(a) for a in arguments.named_children)
                        base = self.row(SUBSCRIPT, base, rows, None)
                    bases.append(base)
                else:
                    for child in clause.named_children:
                        bases.append(self.base_type(child, symbol))
        if symbol >= 0:
            self.classes[symbol] = ClassFacts(scope.number, tuple(bases), {}, (), -1, variables)
        self.scope = scope
        if symbol >= 0:
            self.owner = symbol
        class_symbol, this, in_class = self.class_symbol, self.this, self.in_class
        self.class_symbol, self.in_class = symbol, True
        body = node.child_by_field_name("body")
        for child in body.named_children if body is not None else ():
            self.class_member(child, symbol)
        self.class_symbol, self.this, self.in_class = class_symbol, this, in_class
        self.scope, self.owner = outer, owner
        return row

    assigned_class = -1

    def class_member(self, child: Any, symbol: int) -> None:
        kind = child.type
        if kind in ("method_definition", "method_signature", "abstract_method_signature"):
            name_node = child.child_by_field_name("name")
            if name_node is None:
                return
            if name_node.type == "computed_property_name":
                self.expression_in(name_node)
            name = self.text(name_node)
            for decorator in child.named_children:
                if decorator.type == "decorator":
                    self.decorator(decorator)
            self.in_constructor = symbol if name == "constructor" else -1
            outer_this = self.object_this
            if symbol >= 0:  # a method with a computed name has no symbol, and the object all the same
                self.object_this = self.row(SELF, symbol, int(any(c.type == "static" for c in child.children)))
            row = self.function(child, method_of=symbol, bind=False) if symbol >= 0 else self.lambda_(child)
            self.object_this = outer_this
            self.in_constructor = -1
            if any(c.type == "set" for c in child.children) and name in self.scope.names:
                return
            self.scope.names.setdefault(name, []).append(row)
        elif kind in ("public_field_definition", "field_definition", "property_signature"):
            name_node = child.child_by_field_name("name") or child.child_by_field_name("property")
            value = child.child_by_field_name("value")
            type_node = child.child_by_field_name("type")
            if name_node is None:
                return
            if name_node.type == "computed_property_name":
                self.expression_in(name_node)
            name = self.text(name_node)
            for decorator in child.named_children:
                if decorator.type == "decorator":
                    self.decorator(decorator)
            static = any(c.type == "static" for c in child.children)
            this = self.this
            if symbol >= 0:
                self.this = self.row(SELF, symbol, 1 if static else 0)
            declared = self.annotation(type_node) if type_node is not None else -1
            row = 0
            if value is not None:
                named = self.named_value(name_node, value, declared)
                row = named if named is not None else self.expecting(value, declared)
            self.this = this
            field = self.symbol_at(name_node)
            if self.values[row][0] == DEFINITION and self.values[row][1] == field:
                self.scope.names.setdefault(name, []).append(row)
                return
            if field >= 0:
                self.variables.setdefault((self.scope.number, name), field)
            if declared >= 0:
                instance = self.row(INSTANCE, declared)
                # A function that the initializer gives is what a call reaches; its declared type is all that others know.
                row = instance
            self.scope.names.setdefault(name, []).append(row)
        elif kind == "class_static_block":
            body = child.child_by_field_name("body")
            if body is not None:
                this = self.this
                if symbol >= 0:
                    self.this = self.row(SELF, symbol, 1)
                self.inner_block(body)
                self.this = this
        elif kind == "decorator":
            self.decorator(child)
        elif kind == "index_signature":
            for inner in child.named_children:
                if inner.type == "type_annotation":
                    self.scope.names.setdefault("[]", []).append(self.row(INSTANCE, self.annotation(inner)))
        elif kind in ("call_signature", "construct_signature"):
            row = self.function_type(child)
            self.scope.names.setdefault("()" if kind == "call_signature" else "new()", []).append(row)

    def expression_in(self, node: Any) -> None:
        for child in node.named_children:
            self.expression(child)

    def base(self, node: Any, symbol: int) -> int:
        before = len(self.sites)
        row = self.expression(node)
        inner = node
        if inner.type == "member_expression":
            inner = inner.child_by_field_name("property") or inner
        if inner.type in ("identifier", "property_identifier"):
            del self.sites[before:]
            self.site(INHERIT_SITE, row, self.text(inner), inner)
            if symbol >= 0:
                self.sites[-1] = (*self.sites[-1][:5], symbol)
        return row

    def base_type(self, node: Any, symbol: int) -> int:
        before = len(self.sites)
        row = self.type_expression(node)
        if len(self.sites) > before:
            site = self.sites[before]
            self.sites[before] = (INHERIT_SITE, *site[1:5], symbol if symbol >= 0 else site[5])
        return row

    def decorator(self, node: Any) -> None:
        for child in node.named_children:
            if child.type == "identifier":
                self.site(DECORATOR_SITE, self.read(self.text(child)), self.text(child), child)
            else:
                self.expression(child)

    def interface(self, node: Any) -> None:
        name_node = node.child_by_field_name("name")
        symbol = self.symbol_at(name_node) if name_node is not None else -1
        if symbol < 0 or name_node is None:
            return
        outer, owner = self.scope, self.owner
        self.bind(":" + self.text(name_node), self.row(DEFINITION, symbol))
        lookup = outer.number if outer.kind != "class" else outer.parent
        types = self.new_scope("types", symbol, lookup)
        scope = self.new_scope("class", symbol, types.number)
        types.env, scope.env = {}, {}
        self.scope = types
        variables = self.type_parameters(node)
        types.env = {}
        self.owner = symbol
        bases = []
        for child in node.named_children:
            if child.type in ("extends_type_clause", "extends_clause"):
                bases.extend(self.base_type(c, symbol) for c in child.named_children)
        self.classes[symbol] = ClassFacts(scope.number, tuple(bases), {}, (), -1, variables)
        self.scope = scope
        in_class, self.in_class = self.in_class, False
        body = node.child_by_field_name("body")
        for child in body.named_children if body is not None else ():
            self.class_member(child, symbol)
        self.in_class = in_class
        self.scope, self.owner = outer, owner

    def type_alias(self, node: Any) -> None:
        name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name_node is None or value is None:
            return
        name = self.text(name_node)
        symbol = self.symbol_at(name_node)
        outer, owner = self.scope, self.owner
        types = self.new_scope("types", symbol, outer.number if outer.kind != "class" else outer.parent)
        types.env = {}
        self.scope = types
        if symbol >= 0:
            self.owner = symbol
        variables = self.type_parameters(node)
        types.env = {}
        if value.type == "object_type" and symbol >= 0:
            scope = self.new_scope("class", symbol, types.number)
            scope.env = {}
            self.classes[symbol] = ClassFacts(scope.number, (), {}, (), -1, variables)
            self.scope = scope
            in_class, self.in_class = self.in_class, False
            for child in value.named_children:
                self.class_member(child, symbol)
            self.in_class = in_class
            row = self.row(DEFINITION, symbol)
        else:
            row = self.annotation(value)
            if variables:
                # A generic alias keeps the names of its parameters, so that arguments can be put in.
                row = self.row(SUBSCRIPT, row, (), ("alias", variables))
        self.scope, self.owner = outer, owner
        self.bind(":" + name, row)
        if symbol >= 0 and self.values[row][0] != DEFINITION:
            self.variables.setdefault((outer.number, ":" + name), symbol)

    def enumeration(self, node: Any) -> None:
        name_node = node.child_by_field_name("name")
        symbol = self.symbol_at(name_node) if name_node is not None else -1
        if symbol < 0 or name_node is None:
            return
        self.bind(self.text(name_node), self.row(DEFINITION, symbol))
        outer = self.scope
        scope = self.new_scope("class", symbol, outer.number)
        self.classes[symbol] = ClassFacts(scope.number, (), {}, (), -1)
        body = node.child_by_field_name("body")
        for child in body.named_children if body is not None else ():
            name = child.child_by_field_name("name") if child.type == "enum_assignment" else child
            if name is not None and name.type in ("property_identifier", "string"):
                member = self.symbol_at(name)
                scope.names.setdefault(self.text(name), []).append(self.row(SELF, symbol, 0))
                if member >= 0:
                    self.variables.setdefault((scope.number, self.text(name)), member)
            value = child.child_by_field_name("value") if child.type == "enum_assignment" else None
            if value is not None:
                self.expression(value)

    def namespace(self, node: Any) -> None:
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or body is None:
            return
        symbol = self.symbol_at(name_node)
        outer, owner = self.scope, self.owner
        if name_node.type == "string" or self.text(name_node) == "global":
            self.block(body)
            return
        if symbol >= 0:
            self.bind(self.text(name_node), self.row(DEFINITION, symbol))
            self.owner = symbol
        scope = self.new_scope("namespace", symbol, outer.number)
        self.scope = scope
        exported, self.exported = self.exported, {}
        self.block(body)
        self.exported = exported
        if symbol >= 0:
            self.classes[symbol] = ClassFacts(scope.number, (), {}, (), -1)
        self.scope, self.owner = outer, owner

    # --- targets ----

    def assign(self, target: Any, value: int, declared: int) -> None:
        kind = target.type
        if kind in ("identifier", "shorthand_property_identifier_pattern"):
            name = self.text(target)
            symbol = self.symbol_at(target)
            if symbol >= 0 and self.values[value][:2] != (DEFINITION, symbol):
                self.variables.setdefault((self.scope.number, name), symbol)
            if declared >= 0:
                instance = self.row(INSTANCE, declared)
                self.store(name, instance, instance)
            else:
                self.store(name, value, None)
        elif kind == "member_expression":
            self.assign_member(target, value)
        elif kind == "subscript_expression":
            self.expression(target)
        elif kind == "object_pattern":
            if declared >= 0:
                value = self.row(INSTANCE, declared)
            for child in target.named_children:
                if child.type == "shorthand_property_identifier_pattern":
                    self.assign(child, self.row(ATTRIBUTE, value, self.text(child)), -1)
                elif child.type == "pair_pattern":
                    key, inner = child.child_by_field_name("key"), child.child_by_field_name("value")
                    if key is not None and inner is not None:
                        if key.type == "computed_property_name":
                            self.expression_in(key)
                            self.assign(inner, 0, -1)
                        else:
                            self.assign(inner, self.row(ATTRIBUTE, value, self.text(key).strip("'\"")), -1)
                elif child.type == "object_assignment_pattern":
                    left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
                    default = self.expression(right) if right is not None else 0
                    if left is not None:
                        row = self.row(ATTRIBUTE, value, self.text(left))
                        self.assign(left, self.join(tuple(dict.fromkeys((row, default)))), -1)
                elif child.type == "rest_pattern":
                    for inner in child.named_children:
                        self.assign(inner, value, -1)
        elif kind == "array_pattern":
            if declared >= 0:
                value = self.row(INSTANCE, declared)
            position = 0
            for child in target.children:
                if child.type == ",":
                    position += 1
                elif child.is_named and child.type != "comment":
                    if child.type == "rest_pattern":
                        for inner in child.named_children:
                            self.assign(inner, self.row(ITEM, value, (position, None)), -1)
                    else:
                        self.assign(child, self.row(UNPACK, value, position, -1), -1)
        elif kind == "assignment_pattern":
            left, right = target.child_by_field_name("left"), target.child_by_field_name("right")
            default = self.expression(right) if right is not None else 0
            if left is not None:
                self.assign(left, self.join(tuple(dict.fromkeys((value, default)))), declared)
        elif kind == "rest_pattern":
            for inner in target.named_children:
                self.assign(inner, value, declared)
        elif (kind in _WRAPPERS and target.named_children) or (kind == "as_expression" and target.named_children):
            self.assign(target.named_children[0], value, declared)

    def store(self, name: str, row: int, public: int | None) -> None:
        """Bind a name where it is declared: assignments reach the block that declares it."""
        scope = self.scope
        if name not in scope.names:
            # An assignment to a name of an enclosing block of the same function.
            outer = scope
            while outer.kind == "block" and outer.parent >= 0:
                outer = self.scopes[outer.parent]
                if name in outer.names:
                    rows = outer.names[name]
                    if row not in rows:
                        rows.append(row)
                    if scope.env is not None:
                        self.forget(name)
                        scope.env[name] = (row,)
                    return
        self.bind(name, row, public)

    def assign_member(self, target: Any, value: int) -> None:
        object_node, name_node = target.child_by_field_name("object"), target.child_by_field_name("property")
        if object_node is None or name_node is None:
            return
        name = self.text(name_node)
        base = self.expression(object_node)
        if object_node.type == "identifier" and self.values[base][0] == NAME:
            if self.text(object_node) == "module" and name == "exports":
                self.exported["="] = value
                return
            if self.text(object_node) == "exports":
                self.exported.setdefault(name, value)
                return
        if object_node.type == "member_expression" and self.path(object_node) == "module.exports":
            self.exported.setdefault(name, value)
            return
        self.site(ATTRIBUTE_SITE, self.row(ATTRIBUTE, base, name), name, name_node)
        if self.values[base][0] == SELF and value:
            symbol = self.values[base][1]
            entries = self.attributes.setdefault(symbol, {}).setdefault(name, [])
            if (value, False) not in entries:
                entries.append((value, False))
            field = self.symbol_at(name_node)
            if field >= 0 and symbol in self.classes:
                self.variables.setdefault((self.classes[symbol].scope, name), field)
        elif value:
            if self.values[base][0] == ATTRIBUTE and self.values[base][2] == "prototype":
                base = self.values[base][1]
            self.stores.setdefault(name, []).append((base, value))
        key = self.path(target)
        if key is not None and self.scope.env is not None and value:
            self.forget(key)
            # The declared type of the member, when there is one, goes before what was assigned to it.
            self.scope.env[key] = (self.row(FIRST, (self.row(ATTRIBUTE, base, name), value)),)
            self.scope.dotted = True

    # --- expressions ----

    expected = -1  # the type that the next expression is expected to have
    current = -1  # that type, for the expression that is being read

    def expecting(self, node: Any, type_row: int) -> int:
        """Evaluate an expression whose type is declared where it goes."""
        self.expected = type_row
        row = self.expression(node)
        self.expected = -1
        return row

    def result_of(self, type_row: int) -> int:
        """Return the type of what a function of a type gives back."""
        if type_row < 0:
            return -1
        return self.row(TYPE_QUERY, self.row(CALL, self.row(INSTANCE, type_row), (), ()))

    def member_of(self, type_row: int, name: str) -> int:
        if type_row < 0:
            return -1
        return self.row(TYPE_QUERY, self.row(ATTRIBUTE, self.row(INSTANCE, type_row), name))

    def expression(self, node: Any) -> int:
        self.current, self.expected = self.expected, -1
        handler = self.expressions.get(node.type)
        if handler is not None:
            return handler(node)
        literal = _LITERALS.get(node.type)
        if literal is not None:
            return self.row(CONSTANT, literal)
        if node.type == "comment":
            return 0
        for child in node.named_children:
            self.expression(child)
        return 0

    def read(self, name: str) -> int:
        row = self.look_up(name)
        if row is not None:
            return row
        return self.row(NAME, name, self.scope.number)

    def identifier(self, node: Any) -> int:
        name = self.text(node)
        if name == "undefined":
            return self.row(CONSTANT, "none")
        row = self.read(name)
        if self.values[row][0] in (NAME, DEFINITION, IMPORT):
            self.site(USE_SITE, row, name, node)
        return row

    def this_(self, node: Any) -> int:
        return self.this

    def super_(self, node: Any) -> int:
        if self.class_symbol < 0:
            return 0
        return self.row(SUPER, self.class_symbol, self.function_symbol)

    def member(self, node: Any) -> int:
        object_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("property")
        if object_node is None or name_node is None:
            return 0
        base = self.expression(object_node)
        name = self.text(name_node)
        row = self.row(ATTRIBUTE, base, name)
        self.site(ATTRIBUTE_SITE, row, name, name_node)
        if self.scope.dotted:
            key = self.path(node)
            narrowed = self.look_up(key) if key is not None else None
            if narrowed is not None:
                return narrowed
        return row

    def subscript(self, node: Any) -> int:
        object_node, index = node.child_by_field_name("object"), node.child_by_field_name("index")
        base = self.expression(object_node) if object_node is not None else 0
        if index is None:
            return 0
        if index.type == "string":
            return self.row(ATTRIBUTE, base, self.source(index))
        key = self.expression(index)
        if index.type == "number" and self.text(index).isdigit():
            return self.row(ITEM, base, int(self.text(index)))
        item = self.row(SUBSCRIPT, base, (key,), None)
        if index.type == "identifier":  # a constant that names a member: [Symbol], [key]
            return self.row(FIRST, (item, self.row(ATTRIBUTE, base, f"[{self.text(index)}]")))
        return item

    def callee(self, node: Any) -> tuple[int, int, Any]:
        """Return (callee row, row of the site, node of the called name)."""
        while node.type in _WRAPPERS and len(node.named_children) == 1 and node.type != "satisfies_expression":
            node = node.named_children[0]
        if node.type == "instantiation_expression" and node.named_children:
            node = node.named_children[0]
        if node.type == "identifier":
            row = self.read(self.text(node))
            return row, row, node
        if node.type == "member_expression":
            object_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("property")
            if object_node is None or name_node is None:
                return 0, 0, None
            base = self.expression(object_node)
            row = self.row(ATTRIBUTE, base, self.text(name_node))
            if self.scope.dotted:
                key = self.path(node)
                narrowed = self.look_up(key) if key is not None else None
                if narrowed is not None:
                    return narrowed, row, name_node
            return row, row, name_node
        if node.type == "super":
            if self.class_symbol < 0:
                return 0, 0, None
            row = self.row(SUPER, self.class_symbol, self.function_symbol)
            return row, row, node
        return self.expression(node), 0, None

    def applied(self, node: Any, op: int, callee: int, types: tuple[int, ...], expected: int) -> int:
        """Read the arguments of a call; return its row."""
        holder = node.child_by_field_name("arguments")
        children: list[Any] = []
        if holder is not None:
            children = (
                [holder]
                if holder.type == "template_string"
                else [c for c in holder.named_children if c.type != "comment"]
            )
        contextual = any(c.type in _CONTEXTUAL for c in children)
        number = self.fresh(op, callee, (), ()) if contextual else -1
        rows = []
        for index, child in enumerate(children):
            if child.type in _CONTEXTUAL:
                rows.append(self.expecting(child, self.row(CONTEXT_ARGUMENT, number, index)))
            else:
                rows.append(self.expression(child))
        value: tuple[Any, ...] = (op, callee, tuple(rows), ())
        if types or (expected >= 0 and op == CALL):
            value = (*value, types, expected)
        if number < 0:
            return self.row(*value)
        self.values[number] = value
        return number

    def call(self, node: Any) -> int:
        expected = self.current
        function = node.child_by_field_name("function")
        if function is None:
            return 0
        if function.type == "import":
            holder = node.child_by_field_name("arguments")
            first = holder.named_children[0] if holder is not None and holder.named_children else None
            if first is not None and first.type == "string":
                row = self.row(IMPORT, 0, self.source(first), "")
                self.site(IMPORT_SITE, row, self.source(first), first)
                return self.row(SUBSCRIPT, row, (), "promise")
        if function.type == "identifier" and self.text(function) == "require":
            holder = node.child_by_field_name("arguments")
            first = holder.named_children[0] if holder is not None and holder.named_children else None
            if first is not None and first.type == "string" and self.look_up("require") is None:
                row = self.row(IMPORT, 0, self.source(first), "=")
                self.site(IMPORT_SITE, row, self.source(first), first)
                return row
        callee, site_row, name_node = self.callee(function)
        if name_node is not None:
            self.site(CALL_SITE, site_row, self.text(name_node), name_node)
        elif self.values[callee][0] not in (CONSTANT, 0, LAMBDA):
            holder = node.child_by_field_name("arguments")
            if holder is not None:
                self.site(CALL_SITE, callee, "", holder)
        return self.applied(node, CALL, callee, self.type_arguments(node), expected)

    def type_arguments(self, node: Any) -> tuple[int, ...]:
        holder = node.child_by_field_name("type_arguments")
        if holder is None:
            return ()
        return tuple(self.annotation(c) for c in holder.named_children if c.type != "comment")

    def new(self, node: Any) -> int:
        expected = self.current
        constructor = node.child_by_field_name("constructor")
        if constructor is None:
            return 0
        if constructor.type == "this":
            callee, site_row, name_node = self.this, 0, None
        else:
            callee, site_row, name_node = self.callee(constructor)
        if name_node is not None:
            self.site(CALL_SITE, site_row, self.text(name_node), name_node)
        return self.applied(node, NEW, callee, self.type_arguments(node), expected)

    def object_(self, node: Any) -> int:
        expected = self.current
        number = self.fresh(OBJECT, (), ())
        members: list[tuple[str, int]] = []
        spreads: list[int] = []
        this, self.object_this = self.object_this, number
        for child in node.named_children:
            kind = child.type
            if kind == "pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None:
                    continue
                if key.type == "computed_property_name":
                    self.expression_in(key)
                plain = self.text(key).strip("'\"") if key.type != "computed_property_name" else ""
                wanted = self.member_of(expected, plain) if plain else -1
                named = self.named_value(key, value, wanted)
                row = named if named is not None else self.expecting(value, wanted)
                if key.type != "computed_property_name":
                    members.append((self.text(key).strip("'\""), row))
            elif kind == "shorthand_property_identifier":
                members.append((self.text(child), self.identifier(child)))
            elif kind == "method_definition":
                name_node = child.child_by_field_name("name")
                wanted = self.member_of(expected, self.text(name_node)) if name_node is not None else -1
                row = self.function(child, bind=False, context=wanted)
                if name_node is not None:
                    if row and self.values[row][0] == DEFINITION and any(c.type == "get" for c in child.children):
                        row = self.row(CALL, row, (), ())
                    members.append((self.text(name_node), row))
            elif kind == "spread_element":
                spreads.extend(self.expression(c) for c in child.named_children)
        self.object_this = this
        self.values[number] = (OBJECT, tuple(members), tuple(spreads))
        return number

    def array(self, node: Any) -> int:
        rows = [self.expression(c) for c in node.named_children if c.type != "comment"]
        if len(rows) > 64 or all(self.values[r][0] in (CONSTANT, 0) for r in rows):
            rows = rows[:1]
        return self.row(SEQUENCE, "array", tuple(rows))

    def wrapped(self, node: Any) -> int:
        expected = self.current
        row = 0
        for child in node.named_children:
            if child.type != "comment" and child.type != "type_annotation":
                row = self.expecting(child, expected)
        return row

    def first_child(self, node: Any) -> int:
        return self.expression(node.named_children[0]) if node.named_children else 0

    def satisfies(self, node: Any) -> int:
        children = node.named_children
        declared = self.annotation(children[1]) if len(children) > 1 else -1
        return self.expecting(children[0], declared) if children else 0

    def as_(self, node: Any) -> int:
        expected = self.current
        children = node.named_children
        if len(children) < 2:
            return self.expecting(children[0], expected) if children else 0  # as const
        declared = self.annotation(children[1])
        row = self.expecting(children[0], declared)
        return self.row(FIRST, (self.row(INSTANCE, declared), row))

    def type_assertion(self, node: Any) -> int:
        children = node.named_children
        if len(children) < 2:
            return 0
        inner = children[0].named_children
        declared = self.annotation(inner[0]) if inner else 0
        row = self.expression(children[1])
        return self.row(FIRST, (self.row(INSTANCE, declared), row)) if declared else row

    def ternary(self, node: Any) -> int:
        expected = self.current
        scope = self.scope
        positive, negative = self.test(node.child_by_field_name("condition"))
        before = scope.env
        rows = []
        for field, narrowing in (("consequence", positive), ("alternative", negative)):
            scope.env = self.narrowed(before, narrowing)
            child = node.child_by_field_name(field)
            if child is not None:
                rows.append(self.expecting(child, expected))
        scope.env = before
        return self.join(tuple(dict.fromkeys(rows)))

    def binary(self, node: Any) -> int:
        operator = node.child_by_field_name("operator")
        if operator is not None and operator.type in ("&&", "||", "??", "instanceof"):
            self.test(node)
            return self.tested
        rows = [self.expression(c) for c in node.named_children]
        if len(rows) == 2 and operator is not None and operator.type == "+":
            return self.row(OPERATOR, rows[0], rows[1], "+")
        return self.row(CONSTANT, "number")

    def unary(self, node: Any) -> int:
        argument = node.child_by_field_name("argument")
        operator = node.child_by_field_name("operator")
        if argument is not None:
            if operator is not None and operator.type == "!":
                self.test(argument)
            else:
                self.expression(argument)
        return self.row(CONSTANT, "boolean")

    def update(self, node: Any) -> int:
        for child in node.named_children:
            self.expression(child)
        return self.row(CONSTANT, "number")

    def await_(self, node: Any) -> int:
        return self.row(AWAIT, self.first_child(node))

    def yield_(self, node: Any) -> int:
        row = self.first_child(node)
        self.scope.yields.append(self.row(ELEMENT, row) if any(c.type == "*" for c in node.children) else row)
        return 0

    def assignment(self, node: Any) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return 0
        value = None
        if left.type == "member_expression":
            name_node = left.child_by_field_name("property")
            this, self.object_this = self.object_this, self.prototype_of(left)
            wanted = -1
            if right.type in _CONTEXTUAL:
                wanted = self.row(TYPE_QUERY, self.quiet_value(left))
            if name_node is not None:
                value = self.named_value(name_node, right, wanted)
            if value is None:
                value = self.expecting(right, wanted)
            self.object_this = this
        elif left.type == "identifier":
            value = self.named_value(left, right)
        if value is None:
            value = self.expression(right)
        if left.type == "identifier":
            self.reassign(self.text(left), value)
        else:
            self.assign(left, value, -1)
        return value

    def reassign(self, name: str, value: int) -> None:
        """Give a variable another value: it stays where it is declared, and what it is declared to be holds elsewhere."""
        home = self.scope
        while (name not in home.names or home.kind == "class") and home.parent >= 0:
            home = self.scopes[home.parent]
        if name not in home.names:
            self.bind(name, value)
            return
        rows = home.names[name]
        declared = self.declared_type(rows[0]) if rows else -1
        if declared < 0 and value not in rows:
            rows.append(value)
        if self.scope.env is not None:
            self.forget(name)
            # An assignment narrows a union and nothing else.
            self.scope.env[name] = (value if declared < 0 or self.is_union(declared) else rows[0],)

    def declared_type(self, row: int) -> int:
        """Return the row of the type that a variable or parameter is declared to have, or -1."""
        data = self.values[row]
        if data[0] == INSTANCE:
            return data[1]
        if data[0] == PARAMETER and data[1] in self.functions:
            annotation = self.functions[data[1]].parameters[data[2]].annotation
            return annotation if annotation > 0 and self.values[annotation][0] != CONTEXT_PARAMETER else -1
        return -1

    def is_union(self, type_row: int) -> bool:
        """Tell whether a type has several members beside null and undefined, or may be a union by another name."""
        data = self.values[type_row]
        if data[0] == UNION:
            known = [r for r in data[1] if self.values[r][:2] != (CONSTANT, "none")]
            return len(known) != 1 or self.is_union(known[0])
        return data[0] not in (SUBSCRIPT, SEQUENCE, TYPE_FUNCTION, CONSTANT)

    def prototype_of(self, node: Any) -> int:
        """Return what ``this`` is in a function that is assigned to ``X.prototype.name``, or to ``x.name``."""
        holder = node.child_by_field_name("object")
        if holder is None:
            return 0
        before = len(self.sites)
        owner = 0
        if holder.type == "member_expression":
            inner, name = holder.child_by_field_name("object"), holder.child_by_field_name("property")
            if inner is not None and name is not None and self.text(name) == "prototype":
                owner = self.row(NEW, self.expression(inner), (), ())
        elif holder.type == "identifier":
            owner = self.expression(holder)
        del self.sites[before:]
        return owner

    def augmented(self, node: Any) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        old = self.expression(left) if left is not None else 0
        value = self.expression(right) if right is not None else 0
        if left is not None and operator is not None and operator.type in ("??=", "||=", "&&="):
            joined = self.join(tuple(dict.fromkeys((old, value))))
            before = len(self.sites)
            if left.type == "identifier":
                self.reassign(self.text(left), joined)
            else:
                self.assign(left, value, -1)
            del self.sites[before:]
            return joined
        return self.row(CONSTANT, "number")

    def template(self, node: Any) -> int:
        for child in node.named_children:
            if child.type == "template_substitution":
                self.expression_in(child)
        return self.row(CONSTANT, "string")

    def spread(self, node: Any) -> int:
        return self.row(SPREAD, self.first_child(node))

    def jsx(self, node: Any) -> int:
        opening = node if node.type == "jsx_self_closing_element" else node.child_by_field_name("open_tag")
        if opening is not None:
            name = opening.child_by_field_name("name")
            if name is not None and name.type == "identifier" and self.text(name)[:1].isupper():
                self.site(CALL_SITE, self.read(self.text(name)), self.text(name), name)
            elif name is not None and name.type == "member_expression":
                callee, row, name_node = self.callee(name)
                if name_node is not None and callee:
                    self.site(CALL_SITE, row, self.text(name_node), name_node)
            for attribute in opening.children_by_field_name("attribute"):
                for child in attribute.named_children:
                    if child.type != "property_identifier":
                        self.expression(child)
        for child in node.named_children:
            if (
                child.type not in ("jsx_opening_element", "jsx_closing_element", "jsx_text")
                and node.type != "jsx_self_closing_element"
            ):
                self.expression(child)
        return self.row(CONSTANT, "jsx")

    # --- types ----

    def annotation(self, node: Any) -> int:
        return self.type_expression(node)

    def type_name(self, node: Any) -> int:
        name = self.text(node)
        row = self.look_up(":" + name)
        if row is None:
            row = self.row(NAME, ":" + name, self.scope.number)
        self.site(TYPE_SITE, row, name, node)
        return row

    def type_expression(self, node: Any) -> int:
        kind = node.type
        children = [c for c in node.named_children if c.type != "comment"]
        if kind in (
            "type_annotation",
            "parenthesized_type",
            "readonly_type",
            "optional_type",
            "rest_type",
            "constraint",
            "default_type",
        ):
            return self.type_expression(children[0]) if children else 0
        if kind in ("type_identifier", "identifier"):
            return self.type_name(node)
        if kind in ("nested_type_identifier", "nested_identifier", "member_expression"):
            return self.qualified_type(node)
        if kind == "generic_type":
            name = node.child_by_field_name("name") or children[0]
            base = self.type_expression(name)
            holder = node.child_by_field_name("type_arguments")
            rows = (
                tuple(self.type_expression(c) for c in holder.named_children if c.type != "comment")
                if holder is not None
                else ()
            )
            return self.row(SUBSCRIPT, base, rows, None)
        if kind in ("union_type", "intersection_type"):
            return self.row(UNION, tuple(self.type_expression(c) for c in children))
        if kind == "array_type":
            return self.row(SEQUENCE, "array", tuple(self.type_expression(c) for c in children[:1]), True)
        if kind == "tuple_type":
            return self.row(SEQUENCE, "tuple", tuple(self.type_expression(self.tuple_part(c)) for c in children))
        if kind in ("function_type", "constructor_type"):
            return self.function_type(node)
        if kind == "object_type":
            return self.object_type(node)
        if kind == "type_query":
            return self.row(TYPE_QUERY, self.quiet_value(children[0])) if children else 0
        if kind == "lookup_type":
            if len(children) == 2:
                base = self.type_expression(children[0])
                literal = children[1]
                if (
                    literal.type == "literal_type"
                    and literal.named_children
                    and literal.named_children[0].type == "string"
                ):
                    return self.row(
                        TYPE_QUERY,
                        self.row(ATTRIBUTE, self.row(INSTANCE, base), self.source(literal.named_children[0])),
                    )
                self.type_expression(children[1])
                return self.row(TYPE_QUERY, self.row(ITEM, self.row(INSTANCE, base), None))
            return 0
        if kind == "conditional_type":
            rows = [self.type_expression(c) for c in children]
            return self.row(UNION, tuple(rows[2:4])) if len(rows) >= 4 else 0
        if kind == "this_type":
            return self.row(TYPE_QUERY, self.row(SELF, self.class_symbol, 0)) if self.class_symbol >= 0 else 0
        if kind in ("type_predicate", "type_predicate_annotation", "asserts_annotation", "asserts"):
            return self.predicate(node)
        if kind == "infer_type":
            return 0
        if kind in ("predefined_type", "literal_type"):
            text = self.text(node)
            if text in ("string", "number", "boolean", "symbol", "bigint"):
                return self.row(CONSTANT, text)
            if kind == "literal_type" and children:
                return self.row(CONSTANT, _LITERALS.get(children[0].type, "none"))
            return 0
        for child in children:
            self.type_expression(child)
        return 0

    def tuple_part(self, node: Any) -> Any:
        if node.type in ("required_parameter", "optional_parameter"):
            return node.child_by_field_name("type") or node
        return node

    def quiet_value(self, node: Any) -> int:
        before = len(self.sites)
        row = self.expression(node) if node.type != "nested_identifier" else self.qualified_value(node)
        for index in range(before, len(self.sites)):
            if self.sites[index][0] in (USE_SITE, ATTRIBUTE_SITE):
                self.sites[index] = (TYPE_SITE, *self.sites[index][1:])
        return row

    def qualified_value(self, node: Any) -> int:
        children = node.named_children
        if len(children) < 2:
            return self.read(self.text(node))
        row = self.qualified_value(children[0])
        for child in children[1:]:
            row = self.row(ATTRIBUTE, row, self.text(child))
        return row

    def qualified_type(self, node: Any) -> int:
        children = node.named_children
        if len(children) < 2:
            return 0
        first = children[0]
        if first.type == "identifier":
            base = self.look_up(self.text(first))
            if base is None:
                base = self.row(NAME, self.text(first), self.scope.number)
        else:
            base = self.qualified_value(first)
        name = self.text(children[-1])
        row = self.row(ATTRIBUTE, base, ":" + name)
        self.site(TYPE_SITE, row, name, children[-1])
        return row

    def predicate(self, node: Any) -> int:
        stack = [node]
        while stack:
            current = stack.pop()
            type_node = current.child_by_field_name("type") if current.type == "type_predicate" else None
            if type_node is not None:
                return self.row(PREDICATE, self.type_expression(type_node))
            stack.extend(current.named_children)
        return 0

    def function_type(self, node: Any) -> int:
        outer = self.scope
        inner = self.new_scope("types", outer.symbol, outer.number)
        inner.env = dict(outer.env or {})
        self.scope = inner
        variables = self.type_parameters(node)
        rows = []
        this = 0
        holder = node.child_by_field_name("parameters")
        for child in holder.named_children if holder is not None else ():
            if child.type in ("required_parameter", "optional_parameter"):
                type_node, pattern = child.child_by_field_name("type"), child.child_by_field_name("pattern")
                row = self.type_expression(type_node) if type_node is not None else 0
                if pattern is not None and pattern.type == "this":
                    this = row
                else:
                    rows.append(row)
        result_node = node.child_by_field_name("return_type") or node.child_by_field_name("type")
        result = self.type_expression(result_node) if result_node is not None else 0
        self.scope = outer
        kind = "new" if node.type in ("constructor_type", "construct_signature") else ""
        return self.row(TYPE_FUNCTION, tuple(rows), result, kind, variables, this)

    def object_type(self, node: Any) -> int:
        members: list[tuple[str, int]] = []
        for child in node.named_children:
            kind = child.type
            name_node = child.child_by_field_name("name")
            if kind == "property_signature" and name_node is not None:
                type_node = child.child_by_field_name("type")
                members.append((self.text(name_node), self.type_expression(type_node) if type_node is not None else 0))
            elif kind == "method_signature" and name_node is not None:
                symbol = self.symbol_at(name_node)
                if symbol >= 0:
                    self.define(child, symbol, -1)
                    members.append((self.text(name_node), self.row(TYPE_QUERY, self.row(DEFINITION, symbol))))
                else:
                    members.append((self.text(name_node), self.function_type(child)))
            elif kind == "index_signature":
                for inner in child.named_children:
                    if inner.type == "type_annotation":
                        members.append(("[]", self.type_expression(inner)))
            elif kind in ("call_signature", "construct_signature"):
                members.append(("()" if kind == "call_signature" else "new()", self.function_type(child)))
        return self.row(TYPE_OBJECT, tuple(members))


def extract(root: Any, data: bytes, symbols: tuple[Symbol, ...], language: str) -> bytes:
    """Return the packed facts of one JavaScript or TypeScript file."""
    extractor = _Extractor(data, symbols, language)
    extractor.block(root)
    while extractor.pending:
        extractor.function_body(*extractor.pending.popleft())
    extractor.extra = {"exports": extractor.exported, "reexports": tuple(extractor.reexports)}
    return pack(extractor.finish(language))
