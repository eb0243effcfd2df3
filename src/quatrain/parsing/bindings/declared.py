"""Value-flow facts of files in languages that declare their types: what a name is declared to be, and what is called on it.

One walker serves all of them; a language is a subclass that names its node types.  Names are looked up by scope alone (a variable is
whatever its declarations in the function say), because declarations, not assignments, carry the types here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from quatrain.parsing.bindings.facts import (
    ATTRIBUTE,
    CALL,
    CONSTANT,
    DEFINITION,
    INSTANCE,
    LAMBDA,
    LAMBDA_PARAMETER,
    NAME,
    PARAMETER,
    SELF,
    SEQUENCE,
    SUBSCRIPT,
    SUPER,
    ClassFacts,
    FunctionFacts,
    Parameter,
    pack,
)
from quatrain.parsing.bindings.flow import (
    ATTRIBUTE_SITE,
    CALL_SITE,
    INHERIT_SITE,
    TYPE_SITE,
    USE_SITE,
    Flow,
)
from quatrain.records import Symbol

__all__ = ["Walker"]

Handler = Callable[[Any], int]


class Walker(Flow):
    """Walks any tree; a language adds handlers by node type."""

    language = ""
    literals: dict[str, str] = {}  # noqa: RUF012 - filled by subclasses

    def __init__(self, data: bytes, symbols: tuple[Symbol, ...]) -> None:
        super().__init__(data, symbols)
        self.scope.env = None
        self.this = 0
        self.class_symbol = -1
        self.function_symbol = -1
        self.impls: list[tuple[int, int]] = []  # (type row, scope) of members that are defined away from their type
        self.receivers: dict[int, int] = {}  # scope -> what its code has for a receiver of its own: an unnamed class
        self.handlers: dict[str, Handler] = {}
        self.types: dict[str, Handler] = {}
        self.prepare()

    def prepare(self) -> None:
        """Fill the tables of handlers."""

    def run(self, root: Any) -> bytes:
        """Walk a file; return its packed facts."""
        self.children(root)
        self.extra["impls"] = tuple(self.impls)
        self.extra["receivers"] = self.receivers
        return pack(self.finish(self.language))

    # --- walking ----

    def visit(self, node: Any) -> int:
        """Return the row of an expression; statements give row 0."""
        handler = self.handlers.get(node.type)
        if handler is not None:
            return handler(node)
        literal = self.literals.get(node.type)
        if literal is not None:
            return self.row(CONSTANT, literal)
        return self.children(node)

    def children(self, node: Any) -> int:
        for child in node.named_children:
            self.visit(child)
        return 0

    def last(self, node: Any) -> int:
        """Return the row of the last part: parentheses, blocks that are expressions."""
        row = 0
        for child in node.named_children:
            row = self.visit(child)
        return row

    def first(self, node: Any) -> int:
        row = 0
        for index, child in enumerate(node.named_children):
            value = self.visit(child)
            if index == 0:
                row = value
        return row

    def skip(self, node: Any) -> int:
        return 0

    def field(self, node: Any, name: str) -> int:
        child = node.child_by_field_name(name)
        return self.visit(child) if child is not None else 0

    def is_local(self, name: str) -> bool:
        scope = self.scope
        while scope.kind in ("function", "block"):
            if name in scope.names:
                return True
            scope = self.scopes[scope.parent]
        return False

    def declare(self, name: str, row: int, node: Any = None) -> None:
        """Say what a name is in the current scope."""
        rows = self.scope.names.setdefault(name, [])
        if row not in rows and len(rows) < 16:
            rows.append(row)
        if node is not None:
            symbol = self.symbol_at(node)
            if symbol >= 0 and self.values[row][:2] != (DEFINITION, symbol):
                self.variables.setdefault((self.scope.number, name), symbol)

    def read(self, name: str) -> int:
        return self.row(NAME, name, self.scope.number)

    def identifier(self, node: Any) -> int:
        name = self.text(node)
        row = self.read(name)
        if not self.is_local(name):
            self.site(USE_SITE, row, name, node)
        return row

    def this_(self, node: Any) -> int:
        return self.this

    def super_(self, node: Any) -> int:
        return self.row(SUPER, self.class_symbol, self.function_symbol) if self.class_symbol >= 0 else 0

    def member(self, base: int, name_node: Any, kind: int = ATTRIBUTE_SITE) -> int:
        """Return the row of a member and note its use."""
        name = self.text(name_node)
        # A row of its own for each call: its arguments decide between overloads.
        row = (self.fresh if kind == CALL_SITE else self.row)(ATTRIBUTE, base, name)
        self.site(kind, row, name, name_node)
        return row

    def called_name(self, name: str) -> int:
        """Return the row of a bare name that is called: variables are passed over, and each call has its own."""
        return self.fresh(NAME, name + "()", self.scope.number)

    def call(self, callee: int, arguments: Any, op: int = CALL) -> int:
        return self.row(op, callee, self.arguments(arguments), ())

    def arguments(self, node: Any) -> tuple[int, ...]:
        if node is None:
            return ()
        return tuple(self.visit(c) for c in node.named_children if "comment" not in c.type)

    # --- types ----

    def type_(self, node: Any) -> int:
        """Return the row of a type expression; the names in it are ``type`` sites."""
        if node is None:
            return -1
        handler = self.types.get(node.type)
        if handler is not None:
            return handler(node)
        row = 0
        for child in node.named_children:
            inner = self.type_(child)
            row = row or inner
        return row

    def type_name(self, node: Any) -> int:
        name = self.text(node)
        row = self.read(name)
        self.site(TYPE_SITE, row, name, node)
        return row

    def type_skip(self, node: Any) -> int:
        return 0

    def type_plain(self, node: Any) -> int:
        return self.row(CONSTANT, self.text(node))

    def type_first(self, node: Any) -> int:
        rows = [self.type_(c) for c in node.named_children]
        return next((r for r in rows if r), 0)

    def type_list(self, node: Any) -> int:
        rows = [r for r in (self.type_(c) for c in node.named_children) if r]
        return self.row(SEQUENCE, "array", tuple(rows[-1:]), True)

    def type_generic(self, node: Any) -> int:
        children = node.named_children
        if not children:
            return 0
        base = self.type_(children[0])
        rows: list[int] = []
        for child in children[1:]:
            rows.extend(max(self.type_(c), 0) for c in child.named_children if "comment" not in c.type)
        return self.row(SUBSCRIPT, base, tuple(rows), None)

    def instance(self, node: Any) -> int:
        row = self.type_(node)
        return self.row(INSTANCE, row) if row > 0 else 0

    # --- definitions ----

    def enter_class(
        self,
        symbol: int,
        name: str,
        bases: list[tuple[int, Any, str]],
        body: Callable[[], None],
        variables: tuple[str, ...] = (),
    ) -> int:
        """Define a class whose ``body`` declares its members; bases as (row, name node, name)."""
        outer, owner = self.scope, self.owner
        this, class_symbol = self.this, self.class_symbol
        row = self.row(DEFINITION, symbol) if symbol >= 0 else 0
        if row and name:
            self.declare(name, row)
        for base, node, base_name in bases:
            line, column = node.start_point
            self.sites.append((INHERIT_SITE, base, base_name, line + 1, column, symbol if symbol >= 0 else self.owner))
        scope = self.new_scope("class", symbol, outer.number)
        scope.env = None
        if symbol >= 0:
            self.classes[symbol] = ClassFacts(scope.number, tuple(b for b, _, _ in bases), {}, (), -1, variables)
            self.owner = symbol
        self.scope = scope
        self.this = self.row(SELF, symbol, 0) if symbol >= 0 else 0
        self.class_symbol = symbol
        body()
        self.scope, self.owner = outer, owner
        self.this, self.class_symbol = this, class_symbol
        return row

    def enter_function(
        self,
        symbol: int,
        name: str,
        parameters: Callable[[], list[tuple[str, int, int, str, Any]]],
        result: Callable[[], int],
        body: Callable[[], int],
        *,
        owner: int = -1,
        flags: frozenset[str] = frozenset(),
        bind: bool = True,
        receiver: Callable[[], None] | None = None,
    ) -> int:
        """Define a function: parameters as (name, type row or -1, default row or -1, kind, name node)."""
        outer, owning, function = self.scope, self.owner, self.function_symbol
        row = self.row(DEFINITION, symbol) if symbol >= 0 else 0
        if bind and row and name:
            self.declare(name, row)
        scope = self.new_scope("function", symbol, outer.number)
        scope.env = None
        self.scope = scope
        if symbol >= 0:
            self.owner = self.function_symbol = symbol
        if receiver is not None:
            receiver()
        found = []
        for index, (parameter, annotation, default, kind, node) in enumerate(parameters()):
            found.append(Parameter(parameter, annotation, default, kind))
            if parameter:
                self.declare(
                    parameter,
                    self.row(PARAMETER, symbol, index)
                    if symbol >= 0
                    else self.row(INSTANCE, annotation)
                    if annotation > 0
                    else 0,
                    node,
                )
        annotation = result()
        if symbol >= 0:
            self.functions[symbol] = FunctionFacts(scope.number, owner, tuple(found), (), (), annotation, flags, ())
        value = body()
        if value > 0:
            scope.returns.append(value)
        if symbol >= 0:
            self.functions[symbol] = self.functions[symbol]._replace(returns=tuple(dict.fromkeys(scope.returns)))
        self.scope, self.owner, self.function_symbol = outer, owning, function
        return row

    def lambda_(
        self,
        parameters: Callable[[], list[tuple[str, int]]],
        body: Callable[[], int],
        receiver: Callable[[int], None] | None = None,
    ) -> int:
        """Read an unnamed function where it stands; ``receiver`` takes its row once its scope is entered."""
        number = self.fresh(LAMBDA, (), 0)
        outer = self.scope
        scope = self.new_scope("block", outer.symbol, outer.number)
        scope.env = None
        self.scope = scope
        if receiver is not None:
            receiver(number)
        names = []
        for index, (name, annotation) in enumerate(parameters()):
            names.append(name)
            if name:
                self.declare(
                    name,
                    self.row(INSTANCE, annotation) if annotation > 0 else self.row(LAMBDA_PARAMETER, number, index),
                )
        value = body()
        rows = tuple(dict.fromkeys([*scope.returns, *([value] if value > 0 else [])]))
        self.scope = outer
        self.values[number] = (LAMBDA, tuple(names), self.join(rows))
        return number

    def returned(self, node: Any) -> int:
        for child in node.named_children:
            row = self.visit(child)
            if row > 0:
                self.scope.returns.append(row)
        return 0
