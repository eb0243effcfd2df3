"""Value-flow facts of a Python file, from its tree-sitter tree.

Scopes are walked in the order in which Python binds them: a module's own statements first, function bodies after the
scope around them is complete.  Inside a scope an environment maps each name (and each dotted path such as ``self.x``)
to the rows that may have bound it at this point; branches copy it and join it, a branch that leaves (``return``,
``raise``, ``continue``) does not reach the join, and tests narrow it.
"""

from __future__ import annotations

import re
from typing import Any

from quatrain.parsing.bindings.facts import (
    ATTRIBUTE,
    AWAIT,
    CALL,
    CONSTANT,
    DEFINITION,
    ELEMENT,
    ENTER,
    FIRST,
    IMPORT,
    INSTANCE,
    ITEM,
    LAMBDA,
    LAMBDA_PARAMETER,
    MAPPING,
    NAME,
    NARROW,
    OPERATOR,
    PARAMETER,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    SUPER,
    UNION,
    UNKNOWN,
    UNPACK,
    UPDATE,
    ClassFacts,
    Facts,
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
    Loop,
)
from quatrain.records import Symbol

__all__ = ["extract"]

_LITERAL_LIMIT = 256  # longer literals are data tables
_ANNOTATION_TOKEN = re.compile(
    r"\s*(?:([^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*)|(\[|\]|\||,|\(|\)|\.\.\.)|(\"[^\"]*\"|'[^']*'|\d+))"
)
_FLAGS = {
    "staticmethod": "static",
    "classmethod": "class",
    "property": "property",
    "cached_property": "property",
    "abstractproperty": "property",
    "overload": "overload",
    "abstractmethod": "abstract",
    "contextmanager": "context",
    "asynccontextmanager": "context",
}
_ARRAYS = {"list": "list", "tuple": "tuple", "set": "set"}


class _Extractor(Flow):
    def __init__(self, data: bytes, symbols: tuple[Symbol, ...]) -> None:
        super().__init__(data, symbols)
        self.statements = {
            "expression_statement": self.expression_statement,
            "function_definition": self.function_definition,
            "class_definition": self.class_definition,
            "decorated_definition": self.decorated_definition,
            "if_statement": self.if_statement,
            "for_statement": self.for_statement,
            "while_statement": self.while_statement,
            "try_statement": self.try_statement,
            "with_statement": self.with_statement,
            "return_statement": self.return_statement,
            "raise_statement": self.raise_statement,
            "assert_statement": self.assert_statement,
            "delete_statement": self.delete_statement,
            "global_statement": self.global_statement,
            "nonlocal_statement": self.nonlocal_statement,
            "import_statement": self.import_statement,
            "import_from_statement": self.import_from_statement,
            "future_import_statement": self.skip,
            "match_statement": self.match_statement,
            "type_alias_statement": self.type_alias_statement,
            "break_statement": self.break_statement,
            "continue_statement": self.continue_statement,
            "pass_statement": self.skip,
            "comment": self.skip,
            "block": self.block,
            "ERROR": self.block,
        }
        self.expressions = {
            "identifier": self.identifier,
            "attribute": self.attribute,
            "call": self.call,
            "subscript": self.subscript,
            "string": self.string,
            "concatenated_string": self.string,
            "list": self.sequence,
            "tuple": self.sequence,
            "set": self.sequence,
            "expression_list": self.sequence,
            "dictionary": self.dictionary,
            "list_comprehension": self.comprehension,
            "set_comprehension": self.comprehension,
            "generator_expression": self.comprehension,
            "dictionary_comprehension": self.comprehension,
            "lambda": self.lambda_,
            "conditional_expression": self.conditional,
            "boolean_operator": self.boolean,
            "not_operator": self.not_,
            "comparison_operator": self.comparison,
            "binary_operator": self.binary,
            "unary_operator": self.unary,
            "await": self.await_,
            "yield": self.yield_,
            "parenthesized_expression": self.parenthesized,
            "named_expression": self.named,
            "list_splat": self.splat,
            "assignment": self.assignment,
            "augmented_assignment": self.augmented,
            "type": self.type_node,
            "as_pattern": self.as_pattern,
        }

    # --- statements ----

    def run(self, root: Any) -> Facts:
        for child in root.named_children:
            self.statement(child)
        while self.pending:
            self.function_body(*self.pending.popleft())
        return self.finish("python")

    def statement(self, node: Any) -> None:
        if self.scope.env is None:
            self.scope.env = {}  # dead code still has calls
        handler = self.statements.get(node.type)
        if handler is not None:
            handler(node)
        else:
            self.expression(node)

    def skip(self, node: Any) -> None:
        pass

    def block(self, node: Any) -> None:
        for child in node.named_children:
            self.statement(child)

    def optional(self, node: Any) -> None:
        if node is not None:
            self.block(node)

    def expression_statement(self, node: Any) -> None:
        for child in node.named_children:
            self.expression(child)

    def decorated_definition(self, node: Any) -> None:
        decorators = []
        definition = None
        for child in node.named_children:
            if child.type == "decorator":
                for inner in child.named_children:
                    if inner.type != "comment":
                        decorators.append(self.decorator(inner))
            elif child.type in ("function_definition", "class_definition"):
                definition = child
        if definition is None:
            return
        if definition.type == "function_definition":
            self.function_definition(definition, tuple(decorators))
        else:
            self.class_definition(definition, tuple(decorators))

    def decorator(self, node: Any) -> int:
        if node.type == "identifier" or node.type == "attribute":
            before = len(self.sites)
            row = self.expression(node)
            name = node if node.type == "identifier" else node.child_by_field_name("attribute")
            if name is not None:
                # The plain use that was just noted is a decoration.
                if len(self.sites) > before and self.sites[-1][2] == self.text(name):
                    self.sites.pop()
                self.site(DECORATOR_SITE, row, self.text(name), name)
            return row
        return self.expression(node)

    def function_definition(self, node: Any, decorators: tuple[int, ...] = ()) -> None:
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        name = self.text(name_node)
        symbol = self.symbol_at(name_node)
        scope = self.scope
        parameters, variables = self.parameters(node)
        annotation_node = node.child_by_field_name("return_type")
        annotation = self.annotation(annotation_node) if annotation_node is not None else -1
        flags = set()
        if node.children and node.children[0].type == "async":
            flags.add("async")
        for row in decorators:
            flag = _FLAGS.get(self.last_name(row))
            if flag:
                flags.add(flag)
            if self.values[row][0] == ATTRIBUTE and self.values[row][2] in ("setter", "deleter"):
                flags.add("setter")
        lookup = scope.number if scope.kind != "class" else scope.parent
        inner = self.new_scope("function", symbol, lookup)
        owner = scope.symbol if scope.kind == "class" else -1
        # x.setter rebinds the property under its own name: the getter stays what the name means.
        if "setter" not in flags or name not in scope.names:
            self.bind(name, self.row(DEFINITION, symbol) if symbol >= 0 else 0)
        if symbol >= 0 and decorators:
            # What each decorator is called with: the bare function, then what the decorator below it gave back.
            made = self.row(DEFINITION, symbol, "bare")
            for decorator in reversed(decorators):
                made = self.row(CALL, decorator, (made,), ())
        if symbol >= 0:
            self.functions[symbol] = FunctionFacts(
                inner.number, owner, parameters, (), (), annotation, frozenset(flags), decorators, variables
            )
        body = node.child_by_field_name("body")
        if body is not None:
            self.pending.append(
                (inner, symbol, owner, owner if owner >= 0 else self.class_symbol, parameters, flags, body, scope)
            )

    def function_body(
        self,
        scope: Any,
        symbol: int,
        owner: int,
        class_symbol: int,
        parameters: tuple[Parameter, ...],
        flags: set[str],
        body: Any,
        outer: Any,
    ) -> None:
        self.scope = scope
        self.owner = symbol if symbol >= 0 else outer.symbol
        scope.env = {}
        self_name = ""
        for index, parameter in enumerate(parameters):
            row = self.row(PARAMETER, symbol, index) if symbol >= 0 else 0
            scope.names.setdefault(parameter.name, []).append(row)
            scope.env[parameter.name] = (row,)
            if index == 0 and owner >= 0 and "static" not in flags:
                self_name = parameter.name
        self.self_name = self_name
        self.class_symbol = class_symbol
        for child in body.named_children:
            self.statement(child)
        if symbol >= 0:
            facts = self.functions[symbol]
            extra = set(facts.flags)
            if scope.yields:
                extra.add("generator")
            self.functions[symbol] = facts._replace(
                returns=tuple(dict.fromkeys(scope.returns)),
                yields=tuple(dict.fromkeys(scope.yields)),
                flags=frozenset(extra),
            )

    self_name = ""
    class_symbol = -1

    def parameters(self, node: Any) -> tuple[tuple[Parameter, ...], tuple[str, ...]]:
        found: list[Parameter] = []
        variables = self.type_parameters(node)
        holder = node.child_by_field_name("parameters")
        keyword_only = False
        for child in holder.named_children if holder is not None else ():
            kind = child.type
            annotation = default = -1
            star = "k" if keyword_only else ""
            target = child
            if kind in ("comment", "ERROR"):
                continue
            if kind == "keyword_separator":
                keyword_only = True
                continue
            if kind == "positional_separator":
                found = [p._replace(kind="/") if p.kind == "" else p for p in found]
                continue
            if kind in ("typed_parameter", "typed_default_parameter"):
                type_node = child.child_by_field_name("type")
                if type_node is not None:
                    annotation = self.annotation(type_node)
            if kind in ("default_parameter", "typed_default_parameter"):
                value = child.child_by_field_name("value")
                default = self.literal(value, self.expression(value)) if value is not None else 0
                target = child.child_by_field_name("name")
            elif kind == "typed_parameter":
                target = child.named_children[0]
            if target is None:
                continue
            if target.type in ("list_splat_pattern", "dictionary_splat_pattern"):
                star = "*" if target.type == "list_splat_pattern" else "**"
                keyword_only = True
                names = target.named_children
                target = names[0] if names else target
            if target.type == "tuple_pattern":  # Python 2
                found.append(Parameter("", -1, -1, star))
                continue
            found.append(Parameter(self.text(target), annotation, default, star))
        return tuple(found), variables

    def type_parameters(self, node: Any) -> tuple[str, ...]:
        holder = node.child_by_field_name("type_parameters")
        if holder is None:
            return ()
        names = []
        for child in holder.named_children:
            inner = child
            while inner is not None and inner.type != "identifier":
                inner = inner.named_children[0] if inner.named_children else None
            if inner is not None:
                name = self.text(inner)
                names.append(name)
                variable = self.row(CALL, self.row(IMPORT, 0, "typing", "TypeVar"), (), (), name)
                self.scope.names.setdefault(name, [variable])
                if self.scope.env is not None:
                    self.scope.env[name] = (variable,)
        return tuple(names)

    def class_definition(self, node: Any, decorators: tuple[int, ...] = ()) -> None:
        name_node = node.child_by_field_name("name")
        if name_node is None:
            return
        name = self.text(name_node)
        symbol = self.symbol_at(name_node)
        outer, owner = self.scope, self.owner
        variables = self.type_parameters(node)
        bases: list[int] = []
        metaclass = -1
        holder = node.child_by_field_name("superclasses")
        for child in holder.named_children if holder is not None else ():
            if child.type == "comment":
                continue
            if child.type == "keyword_argument":
                key = child.child_by_field_name("name")
                value = child.child_by_field_name("value")
                row = self.expression(value) if value is not None else 0
                if key is not None and self.text(key) == "metaclass":
                    metaclass = row
                continue
            bases.append(self.base(child, symbol))
        self.bind(name, self.row(DEFINITION, symbol) if symbol >= 0 else 0)
        lookup = outer.number if outer.kind != "class" else outer.parent
        scope = self.new_scope("class", symbol, lookup)
        self.attributes.setdefault(symbol, {})
        if symbol >= 0:
            self.classes[symbol] = ClassFacts(scope.number, tuple(bases), {}, decorators, metaclass, variables)
        self.scope = scope
        scope.env = {}
        if symbol >= 0:
            self.owner = symbol
        body = node.child_by_field_name("body")
        for child in body.named_children if body is not None else ():
            self.statement(child)
        self.scope, self.owner = outer, owner

    def base(self, node: Any, symbol: int) -> int:
        """Return the row of one base class; its name is an ``inherit`` site."""
        before = len(self.sites)
        row = self.expression(node)
        inner = node
        while inner.type in ("subscript", "parenthesized_expression"):
            value = inner.child_by_field_name("value") or (inner.named_children[0] if inner.named_children else None)
            if value is None:
                return row
            inner = value
        if inner.type == "attribute":
            inner = inner.child_by_field_name("attribute") or inner
        if inner.type == "identifier":
            name = self.text(inner)
            line, column = inner.start_point
            for i in range(len(self.sites) - 1, before - 1, -1):
                site = self.sites[i]
                if site[3] == line + 1 and site[4] == column:
                    self.sites[i] = (INHERIT_SITE, *site[1:5], symbol if symbol >= 0 else site[5])
                    return row
            target = row
            while self.values[target][0] == SUBSCRIPT or self.values[target][0] == ITEM:
                target = self.values[target][1]
            self.site(INHERIT_SITE, target, name, inner)
            if symbol >= 0:
                self.sites[-1] = (*self.sites[-1][:5], symbol)
        return row

    def if_statement(self, node: Any) -> None:
        scope = self.scope
        done: list[Env | None] = []
        condition = node.child_by_field_name("condition")
        positive, negative = self.test(condition)
        before = scope.env
        self.branch(before, positive, node.child_by_field_name("consequence"))
        done.append(scope.env)
        rest = self.narrowed(before, negative)
        has_else = False
        for child in node.children_by_field_name("alternative"):
            scope.env = rest
            if child.type == "elif_clause":
                positive, negative = self.test(child.child_by_field_name("condition"))
                before = scope.env
                self.branch(before, positive, child.child_by_field_name("consequence"))
                done.append(scope.env)
                rest = self.narrowed(before, negative)
            else:
                has_else = True
                body = child.child_by_field_name("body")
                if body is not None:
                    self.block(body)
                done.append(scope.env)
        if not has_else:
            done.append(rest)
        scope.env = self.merge(*done)

    def branch(self, env: Env | None, narrowings: list[tuple[str, int]], body: Any) -> None:
        self.scope.env = self.narrowed(env, narrowings)
        if body is not None:
            self.block(body)

    def test(self, node: Any) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        """Evaluate a condition into ``tested``; return the (path, row) that hold when it is true and when false."""
        if node is None:
            self.tested = 0
            return [], []
        kind = node.type
        if kind == "parenthesized_expression" and node.named_children:
            return self.test(node.named_children[-1])
        if kind == "not_operator":
            positive, negative = self.test(node.child_by_field_name("argument"))
            self.tested = self.row(CONSTANT, "true")
            return negative, positive
        if kind == "boolean_operator":
            scope = self.scope
            left_positive, left_negative = self.test(node.child_by_field_name("left"))
            left = self.tested
            before = scope.env
            operator = node.child_by_field_name("operator")
            is_and = operator is not None and operator.type == "and"
            scope.env = self.narrowed(before, left_positive if is_and else left_negative)
            right_positive, right_negative = self.test(node.child_by_field_name("right"))
            right = self.tested
            after = scope.env
            scope.env = before
            if after is not None and before is not None:
                for key, rows in after.items():  # names bound by := on the right
                    if key not in before:
                        before[key] = rows
            self.tested = self.join(tuple(dict.fromkeys((left, right))))
            if is_and:
                return left_positive + right_positive, []
            return [], left_negative + right_negative
        row = self.tested = self.expression(node)
        if kind == "call":
            return self.instance_test(node, row)
        if kind == "comparison_operator":
            narrowings = self.comparison_test(node)
            self.tested = row
            return narrowings
        return [], []

    tested = 0

    def instance_test(self, node: Any, row: int) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        value = self.values[row]
        if value[0] != CALL or len(value[2]) != 2:
            return [], []
        callee = self.values[value[1]]
        if callee[0] != NAME or callee[1] not in ("isinstance", "issubclass"):
            return [], []
        arguments = node.child_by_field_name("arguments").named_children
        key = self.path(arguments[0])
        if key is None:
            return [], []
        subject, types = value[2]
        kind = 1 if callee[1] == "isinstance" else 3
        return [(key, self.row(NARROW, subject, types, kind))], [(key, self.row(NARROW, subject, types, kind + 1))]

    def comparison_test(self, node: Any) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
        children = node.children
        if len(children) != 3:
            return [], []
        left, operator, right = children
        if operator.type not in ("is", "is not", "==", "!="):
            return [], []
        # type(x) is C
        if left.type == "call" and right.type in ("identifier", "attribute"):
            function = left.child_by_field_name("function")
            arguments = left.child_by_field_name("arguments").named_children
            if function is not None and self.text(function) == "type" and len(arguments) == 1:
                key = self.path(arguments[0])
                if key is not None:
                    narrowing = [(key, self.row(NARROW, self.expression(arguments[0]), self.quiet(right), 1))]
                    return (narrowing, []) if operator.type in ("is", "==") else ([], narrowing)
        return [], []

    def quiet(self, node: Any) -> int:
        """Evaluate without noting sites a second time."""
        before = len(self.sites)
        row = self.expression(node)
        del self.sites[before:]
        return row

    def path(self, node: Any) -> str | None:
        kind = node.type
        if kind == "identifier":
            return self.text(node)
        if kind == "attribute":
            base = self.path(node.child_by_field_name("object"))
            return None if base is None else base + "." + self.text(node.child_by_field_name("attribute"))
        if kind == "subscript":
            keys = node.children_by_field_name("subscript")
            constant = self.constant(keys[0]) if len(keys) == 1 else None
            base = self.path(node.child_by_field_name("value")) if constant is not None else None
            return None if base is None else f"{base}[{constant!r}]"
        if kind == "named_expression":
            return self.path(node.child_by_field_name("name"))
        if kind == "parenthesized_expression" and node.named_children:
            return self.path(node.named_children[0])
        return None

    def for_statement(self, node: Any) -> None:
        right = node.child_by_field_name("right")
        source = self.expression(right) if right is not None else 0
        is_async = node.children[0].type == "async"
        left = node.child_by_field_name("left")
        self.protocol(source, ("__aiter__", "__anext__") if is_async else ("__iter__", "__next__"), node)

        def prepare() -> list[tuple[str, int]]:
            element = self.row(ELEMENT, source)
            if is_async:
                element = self.row(AWAIT, element)
            if left is not None:
                self.assign(left, element)
            self.optional(node.child_by_field_name("body"))
            return []

        _, loop = self.loop(prepare)
        self.after_loop(node, loop)

    def protocol(self, row: int, names: tuple[str, str], node: Any) -> None:
        """Note the methods that a statement calls by itself; the site is its keyword."""
        if self.values[row][0] in (CONSTANT, UNKNOWN, SEQUENCE, MAPPING):
            return
        first = self.row(ATTRIBUTE, row, names[0])
        self.site(CALL_SITE, first, names[0], node)
        if names[0] in ("__iter__", "__aiter__"):
            row = self.row(CALL, first, (), ())
        self.site(CALL_SITE, self.row(ATTRIBUTE, row, names[1]), names[1], node)

    def while_statement(self, node: Any) -> None:
        condition = node.child_by_field_name("condition")

        def prepare() -> list[tuple[str, int]]:
            positive, negative = self.test(condition)
            self.scope.env = self.narrowed(self.scope.env, positive)
            self.optional(node.child_by_field_name("body"))
            return negative

        _, loop = self.loop(prepare)
        if condition is not None and condition.type in ("true", "integer"):
            self.scope.env = None
        self.after_loop(node, loop)

    def after_loop(self, node: Any, loop: Loop) -> None:
        for child in node.children_by_field_name("alternative"):
            body = child.child_by_field_name("body")
            if body is not None:
                if self.scope.env is None:
                    self.scope.env = {}
                self.block(body)
        self.scope.env = self.merge(self.scope.env, *loop.breaks)

    def break_statement(self, node: Any) -> None:
        if self.scope.cells and self.scope.env is not None:
            self.scope.cells[-1].breaks.append(self.scope.env)
        self.scope.env = None

    def continue_statement(self, node: Any) -> None:
        if self.scope.cells and self.scope.env is not None:
            self.scope.cells[-1].continues.append(self.scope.env)
        self.scope.env = None

    def try_statement(self, node: Any) -> None:
        scope = self.scope
        before = dict(scope.env or {})
        body = node.child_by_field_name("body")
        if body is not None:
            self.block(body)
        after_body = scope.env
        # Anything in the body may have run when a handler starts; so a handler sees both states.
        partial = self.merge(before, after_body)
        handled: list[Env | None] = []
        finals = []
        for child in node.named_children:
            kind = child.type
            if kind in ("except_clause", "except_group_clause"):
                scope.env = dict(partial or {})
                self.except_clause(child)
                handled.append(scope.env)
            elif kind == "else_clause":
                scope.env = after_body
                inner = child.child_by_field_name("body")
                if inner is not None:
                    if scope.env is None:
                        scope.env = {}
                    self.block(inner)
                after_body = scope.env
            elif kind == "finally_clause":
                finals.append(child)
        scope.env = self.merge(after_body, *handled)
        for child in finals:
            ended = scope.env is None
            if ended:
                scope.env = dict(partial or {})
            for inner in child.named_children:
                self.statement(inner)
            if ended:
                scope.env = None

    def except_clause(self, node: Any) -> None:
        body = None
        types: list[int] = []
        alias = None
        for child in node.named_children:
            if child.type == "block":
                body = child
            elif child.type == "as_pattern":
                inner = child.named_children
                types.append(self.expression(inner[0]))
                alias = child.child_by_field_name("alias")
            elif child.type == "comment":
                continue
            elif types and alias is None and child.type == "identifier":
                alias = child  # except E, name
            else:
                types.append(self.expression(child))
        if alias is not None and types:
            target = alias.named_children[0] if alias.type == "as_pattern_target" and alias.named_children else alias
            if target.type == "identifier":
                self.bind(self.text(target), self.row(INSTANCE, types[0]))
        if body is not None:
            self.block(body)

    def with_statement(self, node: Any) -> None:
        is_async = node.children[0].type == "async"
        for clause in node.named_children:
            if clause.type != "with_clause":
                continue
            for item in clause.named_children:
                value = item.child_by_field_name("value") if item.type == "with_item" else item
                if value is None:
                    continue
                if value.type == "as_pattern":
                    manager = self.expression(value.named_children[0])
                    self.protocol(manager, ("__aenter__", "__aexit__") if is_async else ("__enter__", "__exit__"), node)
                    alias = value.child_by_field_name("alias")
                    target = alias.named_children[0] if alias is not None and alias.named_children else None
                    if target is not None:
                        entered = self.row(ENTER, manager)
                        if is_async:
                            entered = self.row(AWAIT, entered)
                        self.assign(target, entered)
                else:
                    manager = self.expression(value)
                    self.protocol(manager, ("__aenter__", "__aexit__") if is_async else ("__enter__", "__exit__"), node)
        body = node.child_by_field_name("body")
        if body is not None:
            self.block(body)

    def return_statement(self, node: Any) -> None:
        scope = self.scope
        for child in node.named_children:
            if child.type == "comment":
                continue
            row = self.expression(child)
            scope.returns.append(row)
        scope.env = None

    def raise_statement(self, node: Any) -> None:
        for position, child in enumerate(node.named_children):
            before = len(self.sites)
            row = self.expression(child)
            if position == 0 and child.type in ("identifier", "attribute") and len(self.sites) > before:
                # A class that is raised is made first.
                name = child if child.type == "identifier" else child.child_by_field_name("attribute")
                if name is not None and self.values[row][0] in (NAME, ATTRIBUTE, IMPORT, DEFINITION):
                    self.sites[-1] = (CALL_SITE, row, self.text(name), *self.sites[-1][3:])
        self.scope.env = None

    def assert_statement(self, node: Any) -> None:
        children = [c for c in node.named_children if c.type != "comment"]
        if not children:
            return
        positive, negative = self.test(children[0])
        before = self.scope.env
        if len(children) > 1:
            self.scope.env = self.narrowed(before, negative)
            self.expression(children[1])
        self.scope.env = self.narrowed(before, positive)

    def delete_statement(self, node: Any) -> None:
        for child in node.named_children:
            self.expression(child)

    def global_statement(self, node: Any) -> None:
        for child in node.named_children:
            if child.type == "identifier":
                self.scope.fixed[self.text(child)] = 0

    def nonlocal_statement(self, node: Any) -> None:
        for child in node.named_children:
            if child.type != "identifier":
                continue
            name = self.text(child)
            number = self.scope.parent
            while number > 0 and name not in self.scopes[number].names:
                number = self.scopes[number].parent
            if number > 0:
                self.scope.fixed[name] = number

    def import_statement(self, node: Any) -> None:
        for child in node.named_children:
            if child.type == "aliased_import":
                dotted = child.child_by_field_name("name")
                alias = child.child_by_field_name("alias")
                if dotted is None or alias is None:
                    continue
                module = self.text(dotted)
                row = self.row(IMPORT, 0, module, "")
                self.site(IMPORT_SITE, row, module.rsplit(".", 1)[-1], dotted.named_children[-1])
                self.bind(self.text(alias), row)
            elif child.type == "dotted_name":
                module = self.text(child)
                row = self.row(IMPORT, 0, module, "")
                self.site(IMPORT_SITE, row, module.rsplit(".", 1)[-1], child.named_children[-1])
                self.bind(module.split(".", 1)[0], self.row(IMPORT, 0, module.split(".", 1)[0], ""))

    def import_from_statement(self, node: Any) -> None:
        source = node.child_by_field_name("module_name")
        if source is None:
            return
        level = 0
        module = ""
        if source.type == "relative_import":
            for child in source.named_children:
                if child.type == "import_prefix":
                    level = self.text(child).count(".")
                elif child.type == "dotted_name":
                    module = self.text(child)
        else:
            module = self.text(source)
        for child in node.named_children:
            if child.type == "wildcard_import":
                row = self.row(IMPORT, level, module, "")
                self.scope.stars.append(row)
                named = source.named_children[-1] if source.named_children else source
                if named.type == "import_prefix":
                    continue
                if named.type == "dotted_name":
                    named = named.named_children[-1]
                self.site(IMPORT_SITE, row, self.text(named), named)
        for child in node.children_by_field_name("name"):
            dotted = child
            alias = None
            if child.type == "aliased_import":
                dotted = child.child_by_field_name("name")
                alias = child.child_by_field_name("alias")
            if dotted is None:
                continue
            name = self.text(dotted)
            row = self.row(IMPORT, level, module, name)
            self.site(IMPORT_SITE, row, name, dotted)
            self.bind(self.text(alias) if alias is not None else name, row)

    def type_alias_statement(self, node: Any) -> None:
        parts = [c for c in node.named_children if c.type == "type"]
        if len(parts) == 2:
            name = self.text(parts[0]).split("[", 1)[0].strip()
            self.bind(name, self.annotation(parts[1]))

    def match_statement(self, node: Any) -> None:
        scope = self.scope
        subject_node = node.child_by_field_name("subject")
        subject = self.expression(subject_node) if subject_node is not None else 0
        key = self.path(subject_node) if subject_node is not None else None
        before = scope.env
        done: list[Env | None] = [before]
        body = node.child_by_field_name("body")
        for case in body.named_children if body is not None else ():
            if case.type != "case_clause":
                continue
            scope.env = dict(before or {})
            for pattern in case.named_children:
                if pattern.type == "case_pattern":
                    narrowed = self.pattern(pattern, subject)
                    if key is not None and narrowed != subject:
                        scope.env[key] = (narrowed,)
            guard = case.child_by_field_name("guard")
            if guard is not None:
                for child in guard.named_children:
                    positive, _ = self.test(child)
                    scope.env = self.narrowed(scope.env, positive)
            consequence = case.child_by_field_name("consequence")
            if consequence is not None:
                self.block(consequence)
            done.append(scope.env)
        scope.env = self.merge(*done)

    def pattern(self, node: Any, subject: int) -> int:
        """Bind the names of a case pattern; return what the subject is known to be when it matches."""
        kind = node.type
        children = [c for c in node.named_children if c.type != "comment"]
        if kind == "case_pattern":
            if not children:
                return subject
            return self.pattern(children[0], subject)
        if kind == "dotted_name" and len(children) == 1:
            self.bind(self.text(node), subject)
            return subject
        if kind == "dotted_name":
            self.dotted(node)
            return subject
        if kind == "as_pattern":
            narrowed = self.pattern(children[0], subject)
            alias = node.child_by_field_name("alias") or children[-1]
            if alias.type == "as_pattern_target" and alias.named_children:
                alias = alias.named_children[0]
            if alias.type == "identifier":
                self.bind(self.text(alias), narrowed)
            return narrowed
        if kind == "union_pattern":
            return self.join(tuple(dict.fromkeys(self.pattern(c, subject) for c in children)))
        if kind == "class_pattern":
            type_row = self.dotted(children[0])
            narrowed = self.row(NARROW, subject, type_row, 1)
            for child in children[1:]:
                inner = child.named_children[0] if child.type == "case_pattern" and child.named_children else child
                if inner.type == "keyword_pattern" and len(inner.named_children) == 2:
                    name = self.text(inner.named_children[0])
                    self.pattern(inner.named_children[1], self.row(ATTRIBUTE, narrowed, name))
                else:
                    self.pattern(inner, 0)
            return narrowed
        if kind in ("list_pattern", "tuple_pattern"):
            for index, child in enumerate(children):
                self.pattern(child, self.row(UNPACK, subject, index, -1))
            return subject
        if kind == "splat_pattern":
            for child in children:
                if child.type == "identifier":
                    self.bind(self.text(child), self.row(SEQUENCE, "list", (self.row(ELEMENT, subject),)))
            return subject
        for child in children:
            if child.type in ("case_pattern", "dict_pattern", "splat_pattern"):
                self.pattern(child, 0)
        return subject

    def dotted(self, node: Any) -> int:
        parts = node.named_children
        row = 0
        for index, part in enumerate(parts):
            name = self.text(part)
            if index == 0:
                row = self.read(name)
            else:
                row = self.row(ATTRIBUTE, row, name)
        if parts:
            self.site(USE_SITE, row, self.text(parts[-1]), parts[-1])
        return row

    # --- targets ----

    def assign(self, target: Any, value: int, declared: int = -1) -> None:
        kind = target.type
        if kind == "identifier":
            name = self.text(target)
            symbol = self.symbol_at(target)
            scope = self.scope
            if symbol >= 0:
                owner = scope.fixed.get(name, scope.number)
                self.variables.setdefault((owner, name), symbol)
            if declared >= 0:
                instance = self.row(INSTANCE, declared)
                # The annotation is what others see; what was assigned is what the next lines see.
                self.bind(name, self.row(FIRST, (value, instance)) if value > 0 else instance, instance)
            else:
                self.bind(name, value)
        elif kind == "attribute":
            self.assign_attribute(target, value, declared)
        elif kind == "subscript":
            self.assign_item(target, value)
        elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"):
            children = [c for c in target.named_children if c.type != "comment"]
            star = next((i for i, c in enumerate(children) if c.type in ("list_splat_pattern", "list_splat")), -1)
            for index, child in enumerate(children):
                if star < 0 or index < star:
                    self.assign(child, self.row(UNPACK, value, index, -1))
                elif index == star:
                    inner = child.named_children
                    if inner:
                        self.assign(inner[0], self.row(UNPACK, value, index, -2 - (len(children) - 1 - star)))
                else:
                    self.assign(child, self.row(UNPACK, value, index - len(children), -1))
        elif kind in ("parenthesized_expression", "as_pattern_target") and target.named_children:
            self.assign(target.named_children[0], value, declared)

    def assign_attribute(self, target: Any, value: int, declared: int) -> None:
        object_node = target.child_by_field_name("object")
        name_node = target.child_by_field_name("attribute")
        if object_node is None or name_node is None:
            return
        name = self.text(name_node)
        base = self.expression(object_node)
        self.site(ATTRIBUTE_SITE, self.row(ATTRIBUTE, base, name), name, name_node)
        seen = self.row(INSTANCE, declared) if declared >= 0 else value
        scope = self.scope
        if object_node.type == "identifier" and self.self_name and self.text(object_node) == self.self_name:
            if self.class_symbol >= 0 and scope.kind == "function":
                entries = self.attributes.setdefault(self.class_symbol, {}).setdefault(name, [])
                entry = (seen, declared >= 0)
                if entry not in entries:
                    entries.append(entry)
                symbol = self.symbol_at(name_node)
                if symbol >= 0:
                    self.variables.setdefault((self.classes[self.class_symbol].scope, name), symbol)
        elif seen:
            entries2 = self.stores.setdefault(name, [])
            if (base, seen) not in entries2:
                entries2.append((base, seen))
        key = self.path(target)
        if key is not None and scope.env is not None:
            self.forget(key)
            if declared >= 0:
                value = self.row(FIRST, (value, seen)) if value > 0 else seen
            elif value:
                value = self.row(FIRST, (value, self.row(ATTRIBUTE, base, name)))
            scope.env[key] = (value,)
            scope.dotted = True

    def assign_item(self, target: Any, value: int) -> None:
        holder = target.child_by_field_name("value")
        if holder is None:
            return
        base = self.expression(holder)
        key: str | int | None = None
        for child in target.children_by_field_name("subscript"):
            key = self.constant(child)
            self.expression(child)
        path = self.path(holder)
        if path is None or not value or self.values[value][0] == CONSTANT:
            return
        updated = self.row(UPDATE, base, key, value)
        scope = self.scope
        if scope.env is not None:
            self.forget(path)
            scope.env[path] = (updated,)
            whole = self.path(target)
            if whole is not None:
                scope.env[whole] = (value,)
                scope.dotted = True
        if path.isidentifier():
            number = scope.fixed.get(path, scope.number)
            while number >= 0:
                if path in self.scopes[number].names:
                    rows = self.scopes[number].names[path]
                    if updated not in rows and len(rows) < 32:
                        rows.append(updated)
                    break
                number = self.scopes[number].parent
        elif (
            path.count(".") == 1 and "[" not in path and path.split(".")[0] == self.self_name and self.class_symbol >= 0
        ):
            entries = self.attributes.setdefault(self.class_symbol, {}).setdefault(path.split(".")[1], [])
            if len(entries) < 32:
                entries.append((self.row(UPDATE, 0, key, value), False))

    def constant(self, node: Any) -> str | int | None:
        if node.type == "string":
            content = [c for c in node.named_children if c.type == "string_content"]
            return self.text(content[0]) if len(content) == 1 else ("" if not content else None)
        if node.type == "integer":
            try:
                return int(self.text(node), 0)
            except ValueError:
                return None
        if node.type == "unary_operator" and node.named_children and self.text(node).startswith("-"):
            inner = self.constant(node.named_children[0])
            return -inner if isinstance(inner, int) else None
        return None

    # --- expressions ----

    def expression(self, node: Any) -> int:
        handler = self.expressions.get(node.type)
        if handler is not None:
            return handler(node)
        kind = node.type
        if kind in ("integer", "float", "true", "false", "none", "ellipsis"):
            return self.row(CONSTANT, kind)
        if kind == "comment":
            return 0
        for child in node.named_children:
            self.expression(child)
        return 0

    def identifier(self, node: Any) -> int:
        name = self.text(node)
        row = self.read(name)
        if self.values[row][0] in (NAME, DEFINITION, IMPORT):
            self.site(USE_SITE, row, name, node)
        return row

    def attribute(self, node: Any) -> int:
        object_node = node.child_by_field_name("object")
        name_node = node.child_by_field_name("attribute")
        if object_node is None or name_node is None:
            return 0
        base = self.expression(object_node)
        name = self.text(name_node)
        row = self.row(ATTRIBUTE, base, name)
        self.site(ATTRIBUTE_SITE, row, name, name_node)
        if object_node.type in ("identifier", "attribute"):
            key = self.path(node)
            if key is not None:
                narrowed = self.look_up(key)
                if narrowed is not None:
                    return narrowed
        return row

    def call(self, node: Any) -> int:
        function = node.child_by_field_name("function")
        holder = node.child_by_field_name("arguments")
        if function is None:
            return 0
        while function.type == "parenthesized_expression" and len(function.named_children) == 1:
            function = function.named_children[0]
        site_row = callee = 0
        name_node = None
        if function.type == "identifier":
            name = self.text(function)
            callee = self.read(name)
            bare = holder is None or not holder.named_children
            if name == "super" and bare and self.class_symbol >= 0 and self.values[callee][0] == NAME:
                self.site(CALL_SITE, callee, name, function)
                return self.row(SUPER, self.class_symbol, self.scope.symbol)
            site_row, name_node = callee, function
        elif function.type == "attribute":
            object_node = function.child_by_field_name("object")
            name_node = function.child_by_field_name("attribute")
            if object_node is not None and name_node is not None:
                base = self.expression(object_node)
                name = self.text(name_node)
                site_row = callee = self.row(ATTRIBUTE, base, name)
                if object_node.type in ("identifier", "attribute"):
                    key = self.path(function)
                    narrowed = self.look_up(key) if key is not None else None
                    if narrowed is not None:
                        callee = site_row = narrowed
        else:
            callee = self.expression(function)
            if self.values[callee][0] not in (CONSTANT, UNKNOWN) and holder is not None:
                self.site(CALL_SITE, callee, "", holder)
        arguments: list[int] = []
        keywords: list[tuple[str, int]] = []
        if name_node is not None:
            self.site(CALL_SITE, site_row, self.text(name_node), name_node)
        if holder is not None:
            if holder.type == "generator_expression":
                arguments.append(self.expression(holder))
            else:
                for child in holder.named_children:
                    kind = child.type
                    if kind == "comment":
                        continue
                    if kind == "keyword_argument":
                        key_node = child.child_by_field_name("name")
                        value = child.child_by_field_name("value")
                        if key_node is not None and value is not None:
                            keywords.append((self.text(key_node), self.expression(value)))
                    elif kind == "dictionary_splat":
                        for inner in child.named_children:
                            keywords.append(("**", self.expression(inner)))
                    elif kind == "list_splat":
                        for inner in child.named_children:
                            arguments.append(self.row(SPREAD, self.expression(inner)))
                    else:
                        arguments.append(self.expression(child))
        if function.type == "identifier" and holder is not None:
            self.called_back(self.text(function), holder)
        if function.type == "attribute" and len(arguments) == 1:
            self.mutation(function, name_node, arguments[0])
        return self.row(CALL, callee, tuple(arguments), tuple(keywords))

    def called_back(self, name: str, holder: Any) -> None:
        """Turn the use of a function that a built-in calls into a call."""
        if name in ("map", "filter", "reduce"):
            passed = next((c for c in holder.named_children if c.type != "comment"), None)
        elif name in ("sorted", "min", "max"):
            passed = None
            for child in holder.named_children:
                key = child.child_by_field_name("name") if child.type == "keyword_argument" else None
                if key is not None and self.text(key) == "key":
                    passed = child.child_by_field_name("value")
        else:
            return
        if passed is None or passed.type not in ("identifier", "attribute"):
            return
        target = passed if passed.type == "identifier" else passed.child_by_field_name("attribute")
        if target is None:
            return
        place = (target.start_point[0] + 1, target.start_point[1])
        for index in range(len(self.sites) - 1, -1, -1):
            site = self.sites[index]
            if site[3:5] == place:
                self.sites[index] = (CALL_SITE, *site[1:])
                return
            if site[3] < place[0]:
                break
        row = self.quiet(passed)
        self.site(CALL_SITE, row, self.text(target), target)

    def mutation(self, function: Any, name_node: Any, argument: int) -> None:
        """Note ``x.append(y)`` and its like: from here on x holds y, too."""
        name = self.text(name_node)
        if name not in ("append", "add", "appendleft", "extend", "update"):
            return
        if self.values[argument][0] in (CONSTANT, UNKNOWN):
            return
        holder = function.child_by_field_name("object")
        key = self.path(holder)
        if key is None:
            return
        value = self.row(ELEMENT, argument) if name in ("extend",) else argument
        self_attribute = key.count(".") == 1 and key.split(".")[0] == self.self_name and self.class_symbol >= 0
        scope = self.scope
        if self_attribute:
            entries = self.attributes.setdefault(self.class_symbol, {}).setdefault(key.split(".")[1], [])
            entry = (self.row(UPDATE, 0, "**" if name == "update" else None, value), False)
            if entry not in entries and len(entries) < 32:
                entries.append(entry)
            return
        base = self.look_up(key)
        if base is None or "." in key or self.values[base][0] in (PARAMETER, IMPORT, DEFINITION):
            return
        updated = self.row(UPDATE, base, "**" if name == "update" else None, value)
        if scope.env is not None:
            scope.env[key] = (updated,)
        rows = scope.names.get(key)
        if rows is not None and len(rows) < 32 and updated not in rows:
            rows.append(updated)

    def subscript(self, node: Any) -> int:
        value = node.child_by_field_name("value")
        base = self.expression(value) if value is not None else 0
        keys = node.children_by_field_name("subscript")
        rows = []
        constant: str | int | None = None
        for child in keys:
            constant = self.constant(child)
            rows.append(self.type_argument(child, constant))
        if len(keys) == 1 and keys[0].type == "slice":
            return self.row(ITEM, base, self.slice_bounds(keys[0]))
        if len(keys) == 1 and constant is not None:
            path = self.path(node)
            known = self.look_up(path) if path is not None and self.scope.dotted else None
            if known is not None:
                return known
            if isinstance(constant, str):
                # A string may be a key or a forward reference in a type: the linker tells from the base.
                return self.row(SUBSCRIPT, base, (self.annotation_text(constant),), constant)
            return self.row(ITEM, base, constant)
        if len(keys) == 1 and self.values[rows[0]][0] == SEQUENCE:
            rows = list(self.values[rows[0]][2])
        return self.row(SUBSCRIPT, base, tuple(rows), None)

    def type_argument(self, node: Any, constant: str | int | None) -> int:
        """Return the row of what stands in brackets; a string may be a type that is defined further down."""
        if isinstance(constant, str) and node.type == "string":
            return self.annotation_text(constant)
        if node.type == "list":
            rows = [self.type_argument(c, self.constant(c)) for c in node.named_children if c.type != "comment"]
            return self.row(SEQUENCE, "list", tuple(rows))
        return self.expression(node)

    def slice_bounds(self, node: Any) -> tuple[int | None, int | None]:
        """Return the bounds of a slice; (None, None) when they are not two constants."""
        bounds: list[int | None] = [None, None]
        position = 0
        for child in node.children:
            if child.type == ":":
                position += 1
                continue
            constant = self.constant(child)
            if position > 1 or not isinstance(constant, int):
                return None, None
            bounds[position] = constant
        return bounds[0], bounds[1]

    def string(self, node: Any) -> int:
        if node.named_child_count > 0:
            for child in node.named_children:
                if child.type == "interpolation":
                    for inner in child.named_children:
                        if inner.type not in ("format_specifier", "type_conversion"):
                            self.expression(inner)
                        elif inner.type == "format_specifier":
                            for deep in inner.named_children:
                                self.expression(deep)
                elif child.type == "string":
                    self.string(child)
        return self.row(CONSTANT, "string")

    def sequence(self, node: Any) -> int:
        rows = []
        for child in node.named_children:
            if child.type == "comment":
                continue
            if child.type == "list_splat":
                for inner in child.named_children:
                    rows.append(self.row(SPREAD, self.expression(inner)))
            else:
                rows.append(self.expression(child))
        kind = _ARRAYS.get(node.type, "tuple")
        if len(rows) > _LITERAL_LIMIT or all(self.values[r][0] in (CONSTANT, UNKNOWN) for r in rows):
            rows = rows[:1]
            if kind == "tuple" and node.named_child_count > 1:
                return self.row(CONSTANT, "tuple")
        return self.row(SEQUENCE, kind, tuple(rows))

    def dictionary(self, node: Any) -> int:
        keys: list[str | int | None] = []
        rows: list[int] = []
        for child in node.named_children:
            if child.type == "pair":
                key = child.child_by_field_name("key")
                value = child.child_by_field_name("value")
                constant = None
                if key is not None:
                    constant = self.constant(key)
                    self.expression(key)
                row = self.expression(value) if value is not None else 0
                if self.values[row][0] not in (CONSTANT, UNKNOWN) and len(rows) < _LITERAL_LIMIT:
                    keys.append(constant)
                    rows.append(row)
            elif child.type == "dictionary_splat":
                for inner in child.named_children:
                    keys.append("**")
                    rows.append(self.expression(inner))
        return self.row(MAPPING, tuple(keys), tuple(rows))

    def comprehension(self, node: Any) -> int:
        scope = self.scope
        saved = scope.env
        scope.env = dict(saved or {})
        cells, scope.cells = scope.cells, []
        body = node.child_by_field_name("body")
        element = 0
        key_row = 0
        for child in node.named_children:
            if child.type == "for_in_clause":
                right = child.child_by_field_name("right")
                source = self.expression(right) if right is not None else 0
                item = self.row(ELEMENT, source)
                if any(c.type == "async" for c in child.children):
                    item = self.row(AWAIT, item)
                left = child.child_by_field_name("left")
                if left is not None:
                    self.assign_local(left, item)
            elif child.type == "if_clause":
                for inner in child.named_children:
                    positive, _ = self.test(inner)
                    scope.env = self.narrowed(scope.env, positive)
        if body is not None:
            if body.type == "pair":
                key = body.child_by_field_name("key")
                value = body.child_by_field_name("value")
                key_row = self.expression(key) if key is not None else 0
                element = self.expression(value) if value is not None else 0
            else:
                element = self.expression(body)
        scope.env = saved
        scope.cells = cells
        if node.type == "dictionary_comprehension":
            return self.row(MAPPING, (None,), (element,), key_row)
        kind = {"list_comprehension": "list", "set_comprehension": "set"}.get(node.type, "iterator")
        return self.row(SEQUENCE, kind, (element,), True)

    def assign_local(self, target: Any, value: int) -> None:
        """Bind in the environment only: the names of a comprehension are nobody else's."""
        kind = target.type
        env = self.scope.env
        if kind == "identifier" and env is not None:
            name = self.text(target)
            self.forget(name)
            env[name] = (value,)
        elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list"):
            children = [c for c in target.named_children if c.type != "comment"]
            for index, child in enumerate(children):
                if child.type in ("list_splat_pattern", "list_splat"):
                    if child.named_children:
                        self.assign_local(child.named_children[0], 0)
                else:
                    self.assign_local(child, self.row(UNPACK, value, index, -1))

    def lambda_(self, node: Any) -> int:
        scope = self.scope
        saved = scope.env
        holder = node.child_by_field_name("parameters")
        names: list[str] = []
        for child in holder.named_children if holder is not None else ():
            target = child
            if child.type == "default_parameter":
                value = child.child_by_field_name("value")
                if value is not None:
                    self.expression(value)
                target = child.child_by_field_name("name")
            elif child.type in ("list_splat_pattern", "dictionary_splat_pattern"):
                target = child.named_children[0] if child.named_children else None
            names.append(self.text(target) if target is not None and target.type == "identifier" else "")
        number = self.fresh(LAMBDA, tuple(names), 0)
        scope.env = dict(saved or {})
        cells, scope.cells = scope.cells, []
        for index, name in enumerate(names):
            if name:
                scope.env[name] = (self.row(LAMBDA_PARAMETER, number, index),)
        body = node.child_by_field_name("body")
        result = self.expression(body) if body is not None else 0
        self.values[number] = (LAMBDA, tuple(names), result)
        scope.env = saved
        scope.cells = cells
        return number

    def conditional(self, node: Any) -> int:
        children = [c for c in node.named_children if c.type != "comment"]
        if len(children) != 3:
            return 0
        scope = self.scope
        positive, negative = self.test(children[1])
        before = scope.env
        scope.env = self.narrowed(before, positive)
        left = self.expression(children[0])
        scope.env = self.narrowed(before, negative)
        right = self.expression(children[2])
        scope.env = before
        return self.join(tuple(dict.fromkeys((left, right))))

    def boolean(self, node: Any) -> int:
        self.test(node)
        return self.tested

    def not_(self, node: Any) -> int:
        argument = node.child_by_field_name("argument")
        if argument is not None:
            self.test(argument)
        return self.row(CONSTANT, "true")

    def comparison(self, node: Any) -> int:
        for child in node.named_children:
            self.expression(child)
        return self.row(CONSTANT, "true")

    def binary(self, node: Any) -> int:
        left_node = node.child_by_field_name("left")
        right_node = node.child_by_field_name("right")
        left = self.expression(left_node) if left_node is not None else 0
        right = self.expression(right_node) if right_node is not None else 0
        operator = node.child_by_field_name("operator")
        return self.row(OPERATOR, left, right, operator.type if operator is not None else "")

    def unary(self, node: Any) -> int:
        for child in node.named_children:
            self.expression(child)
        return 0

    def await_(self, node: Any) -> int:
        row = 0
        for child in node.named_children:
            row = self.expression(child)
        return self.row(AWAIT, row)

    def yield_(self, node: Any) -> int:
        row = 0
        delegated = any(c.type == "from" for c in node.children)
        for child in node.named_children:
            row = self.expression(child)
        self.scope.yields.append(self.row(ELEMENT, row) if delegated else row)
        return 0

    def parenthesized(self, node: Any) -> int:
        row = 0
        for child in node.named_children:
            if child.type != "comment":
                row = self.expression(child)
        return row

    def named(self, node: Any) -> int:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        row = self.expression(value) if value is not None else 0
        if name is not None:
            self.bind(self.text(name), row)
        return row

    def splat(self, node: Any) -> int:
        for child in node.named_children:
            return self.row(SPREAD, self.expression(child))
        return 0

    def as_pattern(self, node: Any) -> int:
        children = node.named_children
        return self.expression(children[0]) if children else 0

    def assignment(self, node: Any) -> int:
        left = node.child_by_field_name("left")
        right = node.child_by_field_name("right")
        type_node = node.child_by_field_name("type")
        declared = self.annotation(type_node) if type_node is not None else -1
        value = self.expression(right) if right is not None else -1
        if left is None:
            return 0
        called = value > 0 and left.type == "identifier" and self.values[value][0] == CALL
        if called and self.last_name(value) in ("TypeVar", "ParamSpec", "NewType", "TypeVarTuple"):
            value = self.row(*self.values[value][:4], self.text(left))  # two variables are two types
        if declared >= 0 and self.last_name(declared) in ("TypeAlias", "Final") and value >= 0:
            declared = -1
        if value > 0 and left.type == "identifier" and self.values[value][0] == CONSTANT:
            value = self.literal(right, value)
        if left.type == "identifier" and self.text(left) == "__all__" and self.scope.number == 0 and right is not None:
            self.note_exports(right)
        self.assign(left, value if value >= 0 else 0, declared)
        return max(value, 0)

    def literal(self, node: Any, row: int) -> int:
        """Return the row of a constant with its value: names of it may serve as keys."""
        constant = self.constant(node)
        if constant is None or (isinstance(constant, str) and len(constant) > 40):
            return row
        return self.row(CONSTANT, node.type, constant)

    def note_exports(self, node: Any) -> None:
        names = []
        stack = [node]
        while stack:
            current = stack.pop()
            if current.type == "string":
                constant = self.constant(current)
                if isinstance(constant, str):
                    names.append(constant)
            else:
                stack.extend(current.named_children)
        self.exports = [*(self.exports or []), *reversed(names)]

    def augmented(self, node: Any) -> int:
        left = node.child_by_field_name("left")
        right = node.child_by_field_name("right")
        value = self.expression(right) if right is not None else 0
        if left is None:
            return 0
        if left.type == "identifier":
            name = self.text(left)
            if name == "__all__" and self.scope.number == 0 and right is not None:
                self.note_exports(right)
            old = self.read(name)
            self.bind(name, self.row(OPERATOR, old, value, "+"))
        else:
            self.expression(left)
        return 0

    def type_node(self, node: Any) -> int:
        return self.annotation(node)

    def last_name(self, row: int) -> str:
        value = self.values[row]
        while value[0] in (CALL, SUBSCRIPT, ITEM):
            value = self.values[value[1]]
        if value[0] == NAME:
            return value[1]
        if value[0] == ATTRIBUTE:
            return value[2]
        if value[0] == IMPORT:
            return value[3] or value[2].rsplit(".", 1)[-1]
        return ""

    # --- annotations ----

    def annotation(self, node: Any) -> int:
        """Return the row of a type expression; the names in it are ``type`` sites."""
        before = len(self.sites)
        row = self.type_expression(node)
        for index in range(before, len(self.sites)):
            site = self.sites[index]
            if site[0] in (USE_SITE, ATTRIBUTE_SITE):
                self.sites[index] = (TYPE_SITE, *site[1:])
        return row

    def type_expression(self, node: Any) -> int:
        kind = node.type
        children = [c for c in node.named_children if c.type != "comment"]
        if kind == "type" or kind == "parenthesized_expression":
            return self.type_expression(children[0]) if children else 0
        if kind in ("identifier", "attribute"):
            return self.expression(node)
        if kind == "string":
            constant = self.constant(node)
            return self.annotation_text(constant, node) if isinstance(constant, str) else 0
        if kind == "none":
            return self.row(CONSTANT, "none")
        if kind == "generic_type":
            base = self.type_expression(children[0])
            arguments: list[int] = []
            for child in children[1:]:
                inner = child.named_children if child.type == "type_parameter" else [child]
                arguments.extend(self.type_expression(c) for c in inner if c.type != "comment")
            return self.row(SUBSCRIPT, base, tuple(arguments), None)
        if kind == "subscript":
            base = self.type_expression(node.child_by_field_name("value"))
            arguments = [self.type_expression(c) for c in node.children_by_field_name("subscript")]
            if len(arguments) == 1 and self.values[arguments[0]][0] == SEQUENCE:
                arguments = list(self.values[arguments[0]][2])
            return self.row(SUBSCRIPT, base, tuple(arguments), None)
        if kind in ("binary_operator", "union_type"):
            return self.row(UNION, tuple(self.type_expression(c) for c in children))
        if kind in ("list", "tuple"):
            return self.row(SEQUENCE, kind, tuple(self.type_expression(c) for c in children))
        if kind == "member_type":
            row = self.type_expression(children[0])
            name = self.text(children[-1])
            row = self.row(ATTRIBUTE, row, name)
            self.site(TYPE_SITE, row, name, children[-1])
            return row
        if kind in ("ellipsis", "integer"):
            return 0
        return self.expression(node)

    def annotation_text(self, text: str, node: Any = None) -> int:
        """Read a type that is written as a string."""
        tokens: list[str] = []
        position = 0
        while position < len(text):
            match = _ANNOTATION_TOKEN.match(text, position)
            if match is None:
                if text[position:].strip():
                    return 0
                break
            tokens.append(match.group(0).strip())
            position = match.end()
        rows, rest = self.parse_union(tokens, 0)
        if rest != len(tokens):
            return 0
        if node is not None and re.fullmatch(r"\w+", text.strip()):
            content = [c for c in node.named_children if c.type == "string_content"]
            if content:
                self.site(TYPE_SITE, rows, text.strip(), content[0])
        return rows

    def parse_union(self, tokens: list[str], position: int) -> tuple[int, int]:
        rows = []
        while True:
            row, position = self.parse_type(tokens, position)
            rows.append(row)
            if position < len(tokens) and tokens[position] == "|":
                position += 1
                continue
            break
        return (rows[0] if len(rows) == 1 else self.row(UNION, tuple(rows))), position

    def parse_type(self, tokens: list[str], position: int) -> tuple[int, int]:
        if position >= len(tokens):
            return 0, position
        token = tokens[position]
        if token in ("[", "("):
            close = "]" if token == "[" else ")"
            rows = []
            position += 1
            while position < len(tokens) and tokens[position] != close:
                row, after = self.parse_union(tokens, position)
                if after == position:
                    return 0, len(tokens) + 1
                rows.append(row)
                position = after
                if position < len(tokens) and tokens[position] == ",":
                    position += 1
            return self.row(SEQUENCE, "list", tuple(rows)), position + 1
        if token in ("]", "|", ",", ")"):
            return 0, position
        position += 1
        if token == "...":
            return 0, position
        if token[0] in "\"'":
            row = self.annotation_text(token[1:-1]) if token[1:-1] else 0
        elif token[0].isdigit():
            row = 0
        elif token == "None":
            row = self.row(CONSTANT, "none")
        else:
            parts = [p.strip() for p in token.split(".")]
            row = self.read(parts[0])
            for part in parts[1:]:
                row = self.row(ATTRIBUTE, row, part)
        if position < len(tokens) and tokens[position] == "[":
            arguments = []
            position += 1
            while position < len(tokens) and tokens[position] != "]":
                inner, after = self.parse_union(tokens, position)
                if after == position:
                    return 0, len(tokens) + 1
                arguments.append(inner)
                position = after
                if position < len(tokens) and tokens[position] == ",":
                    position += 1
            position += 1
            row = self.row(SUBSCRIPT, row, tuple(arguments), None)
        return row, position


def extract(root: Any, data: bytes, symbols: tuple[Symbol, ...]) -> bytes:
    """Return the packed facts of one Python file.

    Parameters
    ----------
    root
        Root node of the tree-sitter tree of ``data``.
    data
        Content of the file.
    symbols
        Definitions found in it; a definition is matched by the byte where its name starts.
    """
    return pack(_Extractor(data, symbols).run(root))
