"""Names and what may have bound them, while the statements of a file are walked in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from quatrain.parsing.bindings.facts import NAME, PHI, UNKNOWN, ClassFacts, Facts, FunctionFacts, Scope
from quatrain.records import Symbol

__all__ = [
    "ATTRIBUTE_SITE",
    "CALL_SITE",
    "DECORATOR_SITE",
    "IMPORT_SITE",
    "INHERIT_SITE",
    "TYPE_SITE",
    "USE_SITE",
    "Env",
    "Flow",
    "Loop",
    "Region",
]

Env = dict[str, tuple[int, ...]]

CALL_SITE, IMPORT_SITE, INHERIT_SITE, TYPE_SITE, ATTRIBUTE_SITE, DECORATOR_SITE, USE_SITE = 0, 1, 2, 4, 5, 6, 7


class Region:
    __slots__ = (
        "cells",
        "dotted",
        "env",
        "fixed",
        "kind",
        "names",
        "number",
        "parent",
        "returns",
        "stars",
        "symbol",
        "yields",
    )

    def __init__(self, number: int, kind: str, symbol: int, parent: int) -> None:
        self.number = number
        self.kind = kind
        self.symbol = symbol
        self.parent = parent
        self.names: dict[str, list[int]] = {}
        self.env: Env | None = {}
        self.stars: list[int] = []
        self.returns: list[int] = []
        self.yields: list[int] = []
        self.fixed: dict[str, int] = {}  # global and nonlocal names -> the scope that owns them
        self.cells: list[Loop] = []
        self.dotted = False  # whether the environment holds any path


class Loop:
    __slots__ = ("before", "breaks", "continues", "phis")

    def __init__(self, before: Env) -> None:
        self.before = before
        self.phis: dict[str, int] = {}
        self.breaks: list[Env] = []
        self.continues: list[Env] = []


class Flow:
    """Tables of one file and the environment at the point that is being read."""

    def __init__(self, data: bytes, symbols: tuple[Symbol, ...]) -> None:
        self.data = data
        self.symbols = symbols
        self.by_name_byte = {s.name_byte: i for i, s in enumerate(symbols)}
        self.values: list[tuple[Any, ...]] = [(UNKNOWN,)]
        self.known: dict[tuple[Any, ...], int] = {(UNKNOWN,): 0}
        self.sites: list[tuple[int, int, str, int, int, int]] = []
        self.scopes: list[Region] = []
        self.functions: dict[int, FunctionFacts] = {}
        self.classes: dict[int, ClassFacts] = {}
        self.attributes: dict[int, dict[str, list[tuple[int, bool]]]] = {}
        self.stores: dict[str, list[tuple[int, int]]] = {}
        self.variables: dict[tuple[int, str], int] = {}
        self.exports: list[str] | None = None
        self.extra: dict[str, Any] = {}
        self.pending: deque[tuple[Any, ...]] = deque()
        self.owner = -1  # symbol that sites belong to
        self.scope: Region = self.new_scope("module", -1, -1)

    # --- tables ----

    def row(self, *value: Any) -> int:
        number = self.known.get(value)
        if number is None:
            number = len(self.values)
            self.values.append(value)
            self.known[value] = number
        return number

    def fresh(self, *value: Any) -> int:
        self.values.append(value)
        return len(self.values) - 1

    def join(self, rows: tuple[int, ...]) -> int:
        if not rows:
            return 0
        if len(rows) == 1:
            return rows[0]
        return self.row(PHI, rows)

    def new_scope(self, kind: str, symbol: int, parent: int) -> Region:
        scope = Region(len(self.scopes), kind, symbol, parent)
        self.scopes.append(scope)
        return scope

    def text(self, node: Any) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def site(self, kind: int, value: int, name: str, node: Any) -> None:
        line, column = node.start_point
        self.sites.append((kind, value, name, line + 1, column, self.owner))

    def symbol_at(self, node: Any) -> int:
        return self.by_name_byte.get(node.start_byte, -1)

    # --- environments ----

    def bind(self, name: str, row: int, public: int | None = None) -> None:
        """Make ``row`` what ``name`` means from here on; other scopes see ``public`` as one of its bindings."""
        scope = self.scope
        owner = scope.fixed.get(name)
        target = scope if owner is None else self.scopes[owner]
        rows = target.names.setdefault(name, [])
        seen = row if public is None else public
        if seen not in rows:
            rows.append(seen)
        if scope.env is not None and owner is None:
            self.forget(name)
            scope.env[name] = (row,)

    def forget(self, path: str) -> None:
        """Drop what was known about the parts of ``path``: it is another object now."""
        env = self.scope.env
        if env is not None and self.scope.dotted:
            for key in [k for k in env if k.startswith(path) and k[len(path) : len(path) + 1] in (".", "[")]:
                del env[key]

    def look_up(self, key: str) -> int | None:
        scope = self.scope
        env = scope.env
        if env is None:
            return None
        rows = env.get(key)
        if rows is None:
            return None
        for loop in scope.cells:  # outermost first, so that the inner loop's phi has the outer one as operand
            if key not in loop.phis and loop.before.get(key) is not None and rows == loop.before.get(key):
                # A later iteration may see what the body binds: the operands are completed when the loop ends.
                phi = self.fresh(PHI, rows)
                loop.phis[key] = phi
                rows = (phi,)
                env[key] = rows
                for inner in scope.cells[scope.cells.index(loop) + 1 :]:
                    inner.before[key] = rows
        return self.join(rows)

    def merge(self, *environments: Env | None) -> Env | None:
        alive = [e for e in environments if e is not None]
        if not alive:
            return None
        if len(alive) == 1:
            return dict(alive[0])
        first = alive[0]
        merged: Env = {}
        keys = set(first)
        for e in alive[1:]:
            keys |= set(e)
        for key in sorted(keys):
            rows: list[int] = []
            missing = False
            for e in alive:
                got = e.get(key)
                if got is None:
                    missing = True
                    continue
                for r in got:
                    if r not in rows:
                        rows.append(r)
            if missing and ("." in key or "[" in key):
                continue  # narrowed on one path only: the attribute itself decides
            merged[key] = tuple(rows[:16])
        return merged

    def narrowed(self, env: Env | None, narrowings: list[tuple[str, int]]) -> Env | None:
        if env is None:
            return None
        env = dict(env)
        for key, row in narrowings:
            env[key] = (row,)
            if "." in key or "[" in key:
                self.scope.dotted = True
        return env

    def loop(self, body: Callable[[], list[tuple[str, int]]]) -> tuple[Env | None, Loop]:
        """Walk a loop once; ``body`` runs its statements and returns what holds when the loop is left by its condition."""
        scope = self.scope
        entry = scope.env or {}
        loop = Loop(dict(entry))
        scope.cells.append(loop)
        scope.env = dict(entry)
        leaving = body()
        scope.cells.pop()
        end = self.merge(scope.env, *loop.continues)
        for key, phi in loop.phis.items():
            rows = (end or {}).get(key, ())
            entered = self.values[phi][1]
            extra = tuple(r for r in rows if r != phi and r not in entered)
            if extra:
                self.values[phi] = (PHI, entered + extra)
            elif end is not None and phi in rows:
                # The body does not change it: what holds after the loop is what held before.
                end[key] = tuple(dict.fromkeys(e for r in rows for e in (entered if r == phi else (r,))))
        scope.env = self.narrowed(self.merge(entry, end), leaving)
        return end, loop

    def read(self, name: str) -> int:
        row = self.look_up(name)
        if row is not None:
            return row
        return self.row(NAME, name, self.scope.number)

    def finish(self, language: str) -> Facts:
        """Return the tables."""
        classes = {}
        for symbol, facts in self.classes.items():
            attributes = {name: tuple(entries) for name, entries in self.attributes.get(symbol, {}).items()}
            classes[symbol] = facts._replace(attributes=attributes)
        return Facts(
            language=language,
            values=tuple(self.values),
            scopes=tuple(
                Scope(s.kind, s.symbol, s.parent, {n: tuple(r) for n, r in s.names.items()}, tuple(s.stars))
                for s in self.scopes
            ),
            functions=self.functions,
            classes=classes,
            sites=tuple(self.sites),
            variables=self.variables,
            stores={name: tuple(entries) for name, entries in self.stores.items()},
            exports=None if self.exports is None else tuple(self.exports),
            extra=self.extra,
        )
