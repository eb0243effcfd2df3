"""Value-flow facts of a Kotlin file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.facts import (
    ATTRIBUTE,
    CALL,
    CONSTANT,
    DEFINITION,
    ELEMENT,
    IMPORT,
    INSTANCE,
    ITEM,
    LAMBDA,
    LAMBDA_PARAMETER,
    PARAMETER,
    SEQUENCE,
    SUBSCRIPT,
    TYPE_FUNCTION,
    UNPACK,
)
from quatrain.parsing.bindings.flow import CALL_SITE, DECORATOR_SITE, IMPORT_SITE, TYPE_SITE, USE_SITE

__all__ = ["Kotlin"]

_FACTORIES = {
    **dict.fromkeys(("listOf", "mutableListOf", "arrayListOf", "listOfNotNull", "emptyList", "arrayOf"), "List"),
    **dict.fromkeys(("setOf", "mutableSetOf", "hashSetOf", "linkedSetOf", "emptySet", "sequenceOf"), "List"),
    **dict.fromkeys(("mapOf", "mutableMapOf", "hashMapOf", "linkedMapOf", "emptyMap"), "Map"),
}
_SCOPE_FUNCTIONS = ("apply", "run", "with")  # the standard library's functions whose lambda has the object as ``this``


class Kotlin(Walker):
    """Kotlin.

    An extension function is a member of its receiver's type that stands elsewhere.  A lambda's scope has an implicit receiver
    (``extra["receivers"]``: row by scope), which is known only when linking: it depends on the function that takes the lambda.
    ``extra["extensions"]`` has the type that a function extends, by symbol.
    """

    language = "kotlin"
    literals = {  # noqa: RUF012
        "string_literal": "String", "integer_literal": "Int", "long_literal": "Long", "hex_literal": "Int", "bin_literal": "Int",
        "real_literal": "Double", "boolean_literal": "Boolean", "character_literal": "Char", "null_literal": "none",
        "unsigned_literal": "UInt",
    }  # fmt: skip

    def prepare(self) -> None:
        self.outer_this: dict[str, int] = {}  # name of a class around -> the row of its ``this``
        self.property = -1  # the property whose accessors follow
        self.extensions: dict[int, int] = {}
        self.extra["extensions"] = self.extensions
        self.handlers.update(
            {
                "package_header": self.package,
                "import_header": self.import_,
                "class_declaration": self.class_,
                "object_declaration": self.class_,
                "companion_object": self.companion,
                "type_alias": self.alias,
                "function_declaration": self.function,
                "anonymous_function": self.anonymous,
                "secondary_constructor": self.secondary,
                "constructor_delegation_call": self.delegated,
                "property_declaration": self.property_,
                "getter": self.accessor,
                "setter": self.accessor,
                "enum_entry": self.enum_entry,
                "object_literal": self.object_literal,
                "call_expression": self.call_expression,
                "navigation_expression": self.navigation,
                "callable_reference": self.callable_reference,
                "indexing_expression": self.indexing,
                "directly_assignable_expression": self.assignable,
                "assignment": self.last,
                "infix_expression": self.infix,
                "postfix_expression": self.first,
                "parenthesized_expression": self.last,
                "spread_expression": self.last,
                "elvis_expression": self.either,
                "as_expression": self.as_,
                "check_expression": self.check,
                "type_test": self.check,
                "conjunction_expression": self.conjunction,
                "if_expression": self.if_,
                "when_expression": self.when,
                "control_structure_body": self.last,
                "statements": self.last,
                "try_expression": self.try_,
                "catch_block": self.catch,
                "for_statement": self.for_,
                "jump_expression": self.jump,
                "lambda_literal": self.lambda_literal,
                "annotated_lambda": self.last,
                "string_literal": self.string,
                "interpolated_identifier": self.identifier,
                "simple_identifier": self.identifier,
                "this_expression": self.this_expression,
                "super_expression": self.super_,
                "annotation": self.annotation_,
                "type_arguments": self.typed,
                "line_comment": self.skip,
                "multiline_comment": self.skip,
                "label": self.skip,
            }
        )
        self.types.update(
            {
                "user_type": self.user_type,
                "type_identifier": self.type_name,
                "nullable_type": self.type_first,
                "parenthesized_type": self.type_first,
                "function_type": self.function_type,
                "type_modifiers": self.type_skip,
                "constructor_invocation": self.type_first,
                "explicit_delegation": self.type_first,
            }
        )

    # --- names of files ----

    def package(self, node: Any) -> int:
        for child in node.named_children:
            if child.type == "identifier":
                self.extra["package"] = self.text(child)
        return 0

    def import_(self, node: Any) -> int:
        target = next((c for c in node.named_children if c.type == "identifier"), None)
        if target is None:
            return 0
        dotted = self.text(target)
        if any(c.type == "wildcard_import" for c in node.named_children):
            row = self.row(IMPORT, 0, dotted, "*")
            self.scope.stars.append(row)
            self.site(IMPORT_SITE, row, dotted.rsplit(".", 1)[-1], target)
            return 0
        module, _, name = dotted.rpartition(".")
        row = self.row(IMPORT, 0, module, name)
        self.site(IMPORT_SITE, row, name, target.named_children[-1])
        alias = next((c for c in node.named_children if c.type == "import_alias"), None)
        self.declare(self.text(alias.named_children[0]) if alias is not None else name, row)
        return 0

    # --- types ----

    def typed(self, node: Any) -> int:
        self.type_(node)
        return 0

    def user_type(self, node: Any) -> int:
        """Read ``a.b.C<D>``."""
        row, arguments = 0, None
        for child in node.named_children:
            if child.type == "type_arguments":
                arguments = child
            elif row:
                row = self.member(row, child, TYPE_SITE)
            else:
                row = self.type_name(child)
        if arguments is None or not row:
            return row
        return self.row(SUBSCRIPT, row, tuple(max(self.type_(c), 0) for c in arguments.named_children), None)

    def function_type(self, node: Any) -> int:
        receiver, parameters, result = 0, (), 0
        for child in node.named_children:
            if child.type == "receiver_type":
                receiver = self.type_(child)
            elif child.type == "function_type_parameters":
                parameters = tuple(
                    max(self.type_(c.named_children[-1] if c.type == "parameter" else c), 0)
                    for c in child.named_children
                )
            else:
                result = max(self.type_(child), 0)
        return self.row(TYPE_FUNCTION, parameters, result, max(receiver, 0))

    def type_after(self, node: Any, name: Any) -> Any:
        """Return the type that follows a name."""
        seen = False
        for child in node.named_children:
            if child == name:
                seen = True
            elif seen and (child.type in self.types or child.type.endswith("_type")):
                return child
        return None

    def alias(self, node: Any) -> int:
        name = node.named_children[0] if node.named_children else None
        for child in node.named_children:
            if child.type == "modifiers":
                continue
            if name is None or name.type == "modifiers":
                name = child
        if name is not None:
            target = self.type_after(node, name)
            self.declare(self.text(name), max(self.type_(target), 0), name)
        return 0

    # --- definitions ----

    def type_parameters(self, node: Any) -> tuple[str, ...]:
        holder = next((c for c in node.named_children if c.type == "type_parameters"), None)
        names = []
        for child in holder.named_children if holder is not None else ():
            name = next((c for c in child.named_children if c.type == "type_identifier"), None)
            if name is not None:
                names.append(self.text(name))
        return tuple(names)

    def declare_variables(self, names: tuple[str, ...]) -> None:
        for name in names:
            self.declare(name, self.row(CONSTANT, "type variable"))

    def modifiers(self, node: Any) -> None:
        for child in node.named_children:
            if child.type == "modifiers":
                self.visit(child)

    def bases(self, node: Any) -> tuple[list[tuple[int, Any, str]], list[Any]]:
        """Return the supertypes of a declaration, and the expressions among them: arguments and delegates."""
        found: list[tuple[int, Any, str]] = []
        values: list[Any] = []
        for child in node.named_children:
            if child.type != "delegation_specifier":
                continue
            inner = child.named_children[0]
            target = inner if inner.type == "user_type" else inner.named_children[0]
            before = len(self.sites)
            row = self.type_(target)
            if row > 0 and len(self.sites) > before:
                last = max(
                    i
                    for i, site in enumerate(self.sites)
                    if i >= before and site[0] == TYPE_SITE and self.is_head(target, site)
                )
                found.append((row, target, self.sites.pop(last)[2]))
            values.extend(c for c in inner.named_children if inner.type != "user_type" and c != target)
        return found, values

    def is_head(self, node: Any, site: tuple[Any, ...]) -> bool:
        """Tell whether a site is one of the names before the type arguments."""
        return any(
            c.start_point[0] + 1 == site[3] and c.start_point[1] == site[4]
            for c in node.named_children
            if c.type == "type_identifier"
        )

    def class_(self, node: Any) -> int:
        name_node = next((c for c in node.named_children if c.type == "type_identifier"), None)
        if name_node is None:
            return self.children(node)
        self.modifiers(node)
        variables = self.type_parameters(node)
        bases, values = self.bases(node)
        outer = dict(self.outer_this)

        def body() -> None:
            self.outer_this[self.text(name_node)] = self.this
            self.declare_variables(variables)
            for child in node.named_children:
                if child.type == "primary_constructor":
                    self.constructor(child)
            for value in values:
                self.visit(value)
            for child in node.named_children:
                if child.type in ("class_body", "enum_class_body"):
                    self.children(child)

        row = self.enter_class(self.symbol_at(name_node), self.text(name_node), bases, body, variables)
        self.outer_this = outer
        return row

    def companion(self, node: Any) -> int:
        """Read a companion: its members are the class's own by name."""
        name_node = next((c for c in node.named_children if c.type == "type_identifier"), None)
        outer = self.scope
        if name_node is not None:
            row = self.class_(node)
            inner = next(
                (s for s in self.scopes if row and s.kind == "class" and s.symbol == self.values[row][1]), None
            )
            for name, rows in inner.names.items() if inner is not None else ():
                for r in rows:
                    self.declare(name, r)
            return 0
        bases, values = self.bases(node)
        for row, place, name in bases:
            self.site(TYPE_SITE, row, name, place)
        for value in values:
            self.visit(value)
        for child in node.named_children:
            if child.type == "class_body":
                self.children(child)
        self.scope = outer
        return 0

    def constructor(self, node: Any) -> None:
        for child in node.named_children:
            if child.type != "class_parameter":
                self.visit(child)
                continue
            self.modifiers(child)
            name = next((c for c in child.named_children if c.type == "simple_identifier"), None)
            if name is None:
                continue
            type_node = self.type_after(child, name)
            self.declare(self.text(name), self.instance(type_node), name)
            for value in child.named_children:
                if value not in (name, type_node) and value.type not in ("modifiers", "binding_pattern_kind"):
                    self.visit(value)

    def parameters(self, node: Any) -> list[tuple[str, int, int, str, Any]]:
        found: list[tuple[str, int, int, str, Any]] = []
        holder = next((c for c in node.named_children if c.type == "function_value_parameters"), None)
        kind = ""
        for child in holder.named_children if holder is not None else ():
            if child.type == "parameter_modifiers":
                kind = "*" if "vararg" in self.text(child).split() else ""
                self.visit(child)
            elif child.type == "parameter":
                name = next((c for c in child.named_children if c.type == "simple_identifier"), None)
                if name is not None:
                    row = self.type_(self.type_after(child, name))
                    found.append((self.text(name), row, -1, kind, name))
                kind = ""
            elif found and "comment" not in child.type:
                found[-1] = (*found[-1][:2], self.visit(child), *found[-1][3:])
        return found

    def body(self, node: Any) -> int:
        """Return what a function gives back when its body is an expression."""
        if node is None:
            return 0
        row = self.last(node)
        return row if node.children and node.children[0].type == "=" else 0

    def function(self, node: Any) -> int:
        name_node = next((c for c in node.named_children if c.type == "simple_identifier"), None)
        if name_node is None:
            return self.children(node)
        self.modifiers(node)
        variables = self.type_parameters(node)
        extended = next((c for c in node.named_children if c.type == "receiver_type"), None)
        parameters = next((c for c in node.named_children if c.type == "function_value_parameters"), None)
        body = next((c for c in node.named_children if c.type == "function_body"), None)
        words = {w for c in node.named_children if c.type == "modifiers" for w in self.text(c).split()}

        def define(owner: int) -> int:
            return self.enter_function(
                self.symbol_at(name_node),
                self.text(name_node),
                lambda: self.parameters(node),
                lambda: self.type_(self.type_after(node, parameters)),
                lambda: self.body(body),
                owner=owner,
                flags=frozenset(words & {"abstract"}),
                receiver=lambda: self.declare_variables(variables),
            )

        if extended is not None:
            return self.extension(extended, self.text(name_node), variables, lambda: define(-1))
        return define(self.class_symbol if self.scope.kind == "class" else -1)

    def extension(self, extended: Any, name: str, variables: tuple[str, ...], define: Callable[[], int]) -> int:
        """Define something as a member of the type it extends; its own name is visible here as well."""
        outer, this = self.scope, self.this
        scope = self.new_scope("impl", -1, outer.number)
        scope.env = None
        self.scope = scope
        for variable in variables:
            scope.names[variable] = [self.row(CONSTANT, "type variable")]
        type_row = self.type_(extended)
        if type_row > 0:
            self.impls.append((type_row, scope.number))
        self.this = self.row(INSTANCE, type_row) if type_row > 0 else 0
        define()
        rows = scope.names.get(name, [])
        for row in rows:
            if self.values[row][0] == DEFINITION and type_row > 0:
                self.extensions[self.values[row][1]] = type_row
        self.scope, self.this = outer, this
        for row in rows:
            self.declare(name, row)
        return rows[0] if rows else 0

    def anonymous(self, node: Any) -> int:
        body = next((c for c in node.named_children if c.type == "function_body"), None)
        return self.lambda_(lambda: [(p[0], p[1]) for p in self.parameters(node)], lambda: self.body(body))

    def secondary(self, node: Any) -> int:
        keyword = next((c for c in node.children if c.type == "constructor"), node)

        def body() -> int:
            for child in node.named_children:
                if child.type not in ("modifiers", "function_value_parameters"):
                    self.visit(child)
            return 0

        return self.enter_function(
            self.symbol_at(keyword),
            "<init>",
            lambda: self.parameters(node),
            lambda: -1,
            body,
            owner=self.class_symbol,
        )

    def delegated(self, node: Any) -> int:
        target = node.children[0]
        if self.class_symbol >= 0:
            row = self.super_(target) if target.type == "super" else self.row(DEFINITION, self.class_symbol)
            self.site(CALL_SITE, row, self.text(target), target)
        return self.children(node)

    def property_(self, node: Any) -> int:
        self.modifiers(node)
        extended = next((c for c in node.named_children if c.type == "receiver_type"), None)
        name = next((c for c in node.named_children if c.type == "variable_declaration"), None)
        several = next((c for c in node.named_children if c.type == "multi_variable_declaration"), None)
        if name is not None and extended is not None:
            place = name.named_children[0]
            return self.extension(
                extended, self.text(place), self.type_parameters(node), lambda: self.variable(node, name)
            )
        if name is not None:
            return self.variable(node, name)
        value = 0
        for child in node.named_children:
            if child != several and child.type not in ("modifiers", "binding_pattern_kind"):
                value = self.visit(child)
        if several is not None:
            self.unpack(several, value)
        return 0

    def variable(self, node: Any, name: Any) -> int:
        place = name.named_children[0]
        symbol = self.symbol_at(place)
        type_node = self.type_after(name, place)
        declared = self.instance(type_node) if type_node is not None else 0
        owner, outer = self.owner, self.property
        if symbol >= 0:
            self.owner = self.property = symbol
        value = 0
        for child in node.named_children:
            if child == name or child.type in ("modifiers", "binding_pattern_kind", "receiver_type", "type_parameters"):
                continue
            if child.type == "property_delegate":
                value = self.delegate(child)
            elif child.type in ("getter", "setter"):
                value = self.visit(child) or value
            else:
                value = self.visit(child)
        self.owner = owner
        if self.scope.kind == "function":
            self.property = outer
        self.declare(self.text(place), declared or value, place)
        return value

    def delegate(self, node: Any) -> int:
        """Return what ``by lazy { value }`` holds."""
        row = self.last(node)
        data = self.values[row]
        keywords = data[3] if data[0] == CALL else ()
        return self.row(CALL, keywords[-1][1], (), ()) if keywords else 0

    def accessor(self, node: Any) -> int:
        owner, outer = self.owner, self.scope
        if self.property >= 0:
            self.owner = self.property
        scope = self.new_scope("function", self.property, outer.number)
        scope.env = None
        self.scope = scope
        row = 0
        for child in node.named_children:
            if child.type == "function_body":
                row = self.body(child)
            elif child.type.startswith("parameter"):
                for inner in child.named_children:
                    if inner.type == "simple_identifier":
                        self.declare(self.text(inner), 0)
        rows = [*scope.returns, *([row] if row > 0 else [])]
        self.scope, self.owner = outer, owner
        return self.join(tuple(dict.fromkeys(rows))) if node.type == "getter" else 0

    def enum_entry(self, node: Any) -> int:
        name = node.named_children[0]
        self.declare(self.text(name), self.this, name)
        for child in node.named_children[1:]:
            if child.type == "class_body":
                self.unnamed_class(child, self.this)
            else:
                self.visit(child)
        return 0

    def unnamed_class(self, body: Any, made: int) -> None:
        """Read a class body that has no name: an object, an entry of an enumeration."""
        outer, this, class_symbol = self.scope, self.this, self.class_symbol
        scope = self.new_scope("block", outer.symbol, outer.number)
        scope.env = None
        self.scope, self.this, self.class_symbol = scope, made, -1
        if made:
            self.receivers[scope.number] = made
        self.children(body)
        self.scope, self.this, self.class_symbol = outer, this, class_symbol

    def object_literal(self, node: Any) -> int:
        bases, values = self.bases(node)
        for value in values:
            self.visit(value)
        for row, place, name in bases:
            self.site(TYPE_SITE, row, name, place)
        made = self.row(INSTANCE, bases[0][0]) if bases else 0
        for child in node.named_children:
            if child.type == "class_body":
                self.unnamed_class(child, made)
        return made

    # --- expressions ----

    def callable_name(self, name: str) -> int:
        """Return the row of a bare name that is called: a variable is meant only when it may hold a function."""
        scope = self.scope
        while scope.kind in ("function", "block"):
            rows = scope.names.get(name, ())
            if any(self.holds_function(r) for r in rows):
                return self.read(name)
            scope = self.scopes[scope.parent]
        return self.called_name(name)

    def holds_function(self, row: int) -> bool:
        data = self.values[row]
        if data[0] == PARAMETER and data[1] in self.functions:
            annotation = self.functions[data[1]].parameters[data[2]].annotation
            return annotation > 0 and self.values[annotation][0] == TYPE_FUNCTION
        if data[0] == INSTANCE:
            return self.values[data[1]][0] == TYPE_FUNCTION
        return data[0] in (DEFINITION, LAMBDA, LAMBDA_PARAMETER, UNPACK)

    def arguments_of(self, node: Any) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
        """Return positional rows and (name, row) pairs; the lambda behind the parentheses has the name ``{}``."""
        rows: list[int] = []
        keywords: list[tuple[str, int]] = []
        for child in node.named_children:
            if child.type == "value_arguments":
                for argument in child.named_children:
                    parts = argument.named_children
                    if not parts or argument.type != "value_argument":
                        continue
                    value = self.visit(parts[-1])
                    if len(parts) > 1 and any(c.type == "=" for c in argument.children):
                        keywords.append((self.text(parts[0]), value))
                    else:
                        rows.append(value)
            elif child.type == "annotated_lambda":
                keywords.append(("{}", self.visit(child)))
            else:
                self.visit(child)
        return tuple(rows), tuple(keywords)

    def call_expression(self, node: Any) -> int:
        children = node.named_children
        callee, suffix = children[0], children[-1]
        if suffix.type != "call_suffix":
            return self.children(node)
        name = ""
        if callee.type == "simple_identifier":
            name = self.text(callee)
            row = self.callable_name(name)
            self.site(CALL_SITE, row, name, callee)
        elif callee.type == "navigation_expression":
            row = self.navigation(callee, CALL_SITE)
            name = self.values[row][2] if self.values[row][0] == ATTRIBUTE else ""
        else:
            row = self.visit(callee)
        this = self.this
        if name in _SCOPE_FUNCTIONS:
            self.receives = True
        rows, keywords = self.arguments_of(suffix)
        self.receives = False
        self.this = this
        made = self.container(callee, name, suffix, rows)
        if made:
            self.row(CALL, row, rows, keywords)
            return made
        if name == "with" and callee.type == "simple_identifier" and rows:
            return self.row(CALL, self.row(ATTRIBUTE, rows[0], "with"), (), keywords or (("{}", rows[-1]),))
        return self.row(CALL, row, rows, keywords)

    def container(self, callee: Any, name: str, suffix: Any, rows: tuple[int, ...]) -> int:
        """Return the row of a new generic object: ``C<T>()``, or a list or map of the standard library's functions."""
        if callee.type != "simple_identifier" or self.is_local(name):
            return 0
        holder = next((c for c in suffix.named_children if c.type == "type_arguments"), None)
        type_name = name if name[:1].isupper() else _FACTORIES.get(name, "")
        if holder is not None and type_name:
            outer, self.sites = self.sites, []
            arguments = tuple(max(self.type_(c), 0) for c in holder.named_children)
            self.sites = outer
            return self.row(INSTANCE, self.row(SUBSCRIPT, self.read(type_name), arguments, None))
        return self.row(SEQUENCE, "array", rows, True) if type_name == "List" and rows else 0

    receives = False

    def lambda_literal(self, node: Any) -> int:
        holder = next((c for c in node.named_children if c.type == "lambda_parameters"), None)
        receives, self.receives = self.receives, False
        this = self.this

        def parameters() -> list[tuple[str, int]]:
            if holder is None:
                return [("it", -1)]
            found = []
            for child in holder.named_children:
                if child.type == "variable_declaration":
                    name = child.named_children[0]
                    type_node = self.type_after(child, name)
                    found.append((self.text(name), self.type_(type_node) if type_node is not None else -1))
                else:
                    found.append(("", -1))
            return found

        def receiver(number: int) -> None:
            row = self.row(LAMBDA_PARAMETER, number, -1)
            self.receivers[self.scope.number] = row
            if receives:
                self.this = row
            for index, child in enumerate(holder.named_children if holder is not None else ()):
                if child.type == "multi_variable_declaration":
                    self.unpack(child, self.row(LAMBDA_PARAMETER, number, index))

        def body() -> int:
            row = 0
            for child in node.named_children:
                if child != holder:
                    row = self.visit(child)
            return row

        row = self.lambda_(parameters, body, receiver)
        self.this = this
        return row

    def navigation(self, node: Any, kind: int | None = None) -> int:
        children = node.named_children
        base = self.visit(children[0])
        name = children[-1].named_children[-1] if children[-1].named_children else None
        if children[-1].type != "navigation_suffix" or name is None:
            return self.children(node)
        if name.type != "simple_identifier":
            self.visit(name)
            return 0
        return self.member(base, name) if kind is None else self.member(base, name, kind)

    def callable_reference(self, node: Any) -> int:
        children = node.named_children
        if len(children) == 1:
            row = self.read(self.text(children[0]) + "()")
            self.site(USE_SITE, row, self.text(children[0]), children[0])
            return row
        base = self.type_name(children[0]) if children[0].type == "type_identifier" else self.visit(children[0])
        if children[-1].type != "simple_identifier":
            return base
        return self.member(base, children[-1], USE_SITE)

    def indexing(self, node: Any) -> int:
        base = self.visit(node.named_children[0])
        for child in node.named_children[1:]:
            self.visit(child)
        return self.row(ITEM, base, None)

    def assignable(self, node: Any) -> int:
        row = 0
        for index, child in enumerate(node.named_children):
            if index == 0:
                row = self.visit(child)
            elif child.type == "navigation_suffix" and child.named_children:
                row = self.member(row, child.named_children[-1])
            else:
                self.visit(child)
                row = self.row(ITEM, row, None)
        return row

    def infix(self, node: Any) -> int:
        children = node.named_children
        if len(children) != 3 or children[1].type != "simple_identifier":
            return self.children(node)
        callee = self.member(self.visit(children[0]), children[1], CALL_SITE)
        return self.row(CALL, callee, (self.visit(children[2]),), ())

    def either(self, node: Any) -> int:
        return self.join(tuple(dict.fromkeys(r for r in [self.visit(c) for c in node.named_children] if r)))

    def as_(self, node: Any) -> int:
        value = self.visit(node.named_children[0])
        return self.instance(node.named_children[-1]) or value

    def check(self, node: Any) -> int:
        for child in node.named_children:
            if child.type in self.types:
                self.type_(child)
            else:
                self.visit(child)
        return self.row(CONSTANT, "Boolean")

    def checks(self, node: Any) -> list[tuple[str, Any]]:
        """Return the (name, type) pairs that hold where a condition does."""
        children = node.named_children
        if node.type == "parenthesized_expression" and children:
            return self.checks(children[0])
        if node.type == "conjunction_expression":
            return [pair for child in children for pair in self.checks(child)]
        if (
            node.type == "check_expression"
            and children[0].type == "simple_identifier"
            and any(c.type == "is" for c in node.children)
        ):
            return [(self.text(children[0]), children[-1])]
        return []

    def checked(self, pairs: list[tuple[str, Any]], body: Callable[[], int]) -> int:
        """Read code in which names are of the checked types."""
        if not pairs:
            return body()
        outer = self.scope
        scope = self.new_scope("block", outer.symbol, outer.number)
        scope.env = None
        owner, sites = self.owner, len(self.sites)
        for name, type_node in pairs:
            row = self.instance(type_node)
            scope.names[name] = [row]
        del self.sites[sites:]  # the check itself notes its types
        self.scope, self.owner = scope, owner
        row = body()
        outer.returns.extend(scope.returns)
        self.scope = outer
        return row

    def conjunction(self, node: Any) -> int:
        pairs: list[tuple[str, Any]] = []
        for child in node.named_children:
            self.checked(pairs, lambda child=child: self.visit(child))  # type: ignore[misc]
            pairs = [*pairs, *self.checks(child)]
        return self.row(CONSTANT, "Boolean")

    def if_(self, node: Any) -> int:
        condition = node.child_by_field_name("condition")
        taken = node.child_by_field_name("consequence")
        other = node.child_by_field_name("alternative")
        if condition is not None:
            self.visit(condition)
        pairs = self.checks(condition) if condition is not None else []
        rows = []
        if taken is not None:
            rows.append(self.checked(pairs, lambda: self.visit(taken)))
        if other is not None:
            rows.append(self.visit(other))
        return self.join(tuple(dict.fromkeys(r for r in rows if r)))

    def when(self, node: Any) -> int:
        subject = ""
        rows = []
        for child in node.named_children:
            if child.type == "when_subject":
                parts = [c for c in child.named_children if c.type != "annotation"]
                value = self.visit(parts[-1]) if parts else 0
                if len(parts) > 1 and parts[0].type == "variable_declaration":
                    name = parts[0].named_children[0]
                    subject = self.text(name)
                    self.declare(subject, value, name)
                elif parts and parts[-1].type == "simple_identifier":
                    subject = self.text(parts[-1])
            elif child.type == "when_entry":
                rows.append(self.entry(child, subject))
        return self.join(tuple(dict.fromkeys(r for r in rows if r)))

    def entry(self, node: Any, subject: str) -> int:
        pairs: list[tuple[str, Any]] = []
        conditions = [c for c in node.named_children if c.type == "when_condition"]
        for condition in conditions:
            self.visit(condition)
            inner = condition.named_children[0] if condition.named_children else None
            if inner is None or len(conditions) > 1:
                continue
            if inner.type == "type_test" and subject and any(c.type == "is" for c in inner.children):
                pairs.append((subject, inner.named_children[-1]))
            else:
                pairs.extend(self.checks(inner))
        bodies = [c for c in node.named_children if c.type == "control_structure_body"]
        return self.checked(pairs, lambda: self.visit(bodies[0])) if bodies else 0

    def try_(self, node: Any) -> int:
        rows = [self.visit(c) for c in node.named_children if c.type != "finally_block"]
        for child in node.named_children:
            if child.type == "finally_block":
                self.visit(child)
        return self.join(tuple(dict.fromkeys(r for r in rows if r)))

    def catch(self, node: Any) -> int:
        row = 0
        name = next((c for c in node.named_children if c.type == "simple_identifier"), None)
        for child in node.named_children:
            if name is not None and child == name:
                self.declare(self.text(name), self.instance(self.type_after(node, name)))
            elif child.type == "statements":
                row = self.visit(child)
        return row

    def for_(self, node: Any) -> int:
        target = next((c for c in node.named_children if c.type.endswith("variable_declaration")), None)
        rest = [c for c in node.named_children if c != target and c.type != "annotation"]
        source = self.visit(rest[0]) if rest else 0
        element = self.row(ELEMENT, source)
        if target is not None and target.type == "variable_declaration":
            name = target.named_children[0]
            self.declare(self.text(name), self.instance(self.type_after(target, name)) or element)
        elif target is not None:
            self.unpack(target, element)
        for child in rest[1:]:
            self.visit(child)
        return 0

    def unpack(self, node: Any, value: int) -> None:
        """Declare the names of ``(a, b)``."""
        for index, child in enumerate(node.named_children):
            name = child.named_children[0] if child.named_children else child
            declared = self.instance(self.type_after(child, name))
            self.declare(self.text(name), declared or self.row(UNPACK, value, index, -1), name)

    def jump(self, node: Any) -> int:
        row = 0
        for child in node.named_children:
            row = self.visit(child)
        word = node.children[0].type if node.children else ""
        if word.startswith("return") and row > 0:
            scope = self.scope
            while not word.endswith("@") and scope.kind == "block":
                scope = self.scopes[scope.parent]
            if scope.kind != "module":
                scope.returns.append(row)
        return 0

    def string(self, node: Any) -> int:
        self.children(node)
        return self.row(CONSTANT, "String")

    def this_expression(self, node: Any) -> int:
        label = next((c for c in node.named_children if c.type.endswith("identifier")), None)
        if label is None:
            return self.this
        return self.outer_this.get(self.text(label), 0)

    def annotation_(self, node: Any) -> int:
        for child in node.named_children:
            target = child if child.type == "user_type" else None
            if child.type == "constructor_invocation":
                target = child.named_children[0]
                for rest in child.named_children[1:]:
                    self.visit(rest)
            if target is None or not target.named_children:
                continue
            name = target.named_children[-1]
            before = len(self.sites)
            row = self.type_(target)
            del self.sites[before:]
            self.site(DECORATOR_SITE, row, self.text(name), name)
        return 0
