"""An index that answers without any engine, so that the command line is tested alone."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import quatrain
from quatrain.cli import main
from quatrain.errors import QuatrainError
from quatrain.records import (
    Cycle,
    CycleResponse,
    FileInfo,
    GraphResponse,
    GrepHit,
    GrepResponse,
    Hit,
    Hub,
    HubResponse,
    IndexState,
    IndexStatus,
    Relation,
    SearchResponse,
    SymbolResponse,
    SymbolRow,
)

STATE = IndexState("/code", 3, False)
HITS = (
    Hit(
        "shop/cart.py",
        6,
        19,
        "shop.cart.Cart",
        "class",
        "python",
        'class Cart:\n    """Holds what a customer wants."""\n\n    def total(self):\n        return 1\n',
        1.25,
        {"semantic": (0, 0.0125), "text": (2, 0.0046)},
        1.01,
        {"fused": 0.9, "name": 0.35},
    ),
    Hit(
        "docs/evil.py",
        1,
        2,
        None,
        None,
        "python",
        "x = '\x1b[31m'\r\ny = '\u202e'\n",
        0.5,
        {"text": (0, 0.01)},
        mark="ambiguous",
    ),
)
SEARCH = SearchResponse(
    "where is Cart defined",
    "find_definition",
    0.9,
    "where_defined",
    "rrf",
    "default",
    ("semantic", "text"),
    {"semantic": 0.5, "text": 0.5},
    "ok",
    HITS,
    5,
    True,
    STATE,
    {"total": 812.0},
    ("a note",),
)
SYMBOLS = SymbolResponse(
    "Cart",
    "ok",
    (
        SymbolRow("shop/cart.py", 6, 19, "Cart", "shop.cart.Cart", "class", "python", "class Cart", "Holds it."),
        SymbolRow("shop/cart.py", 30, 31, "cart", "shop.cart.cart", "function", "python", "def cart()", "", "case"),
    ),
    STATE,
    {},
)
CALLERS = GraphResponse(
    "add_tax",
    "callers",
    "ok",
    (
        SymbolRow(
            "shop/money.py", 6, 8, "add_tax", "shop.money.add_tax", "function", "python", "def add_tax(amount)", ""
        ),
    ),
    (
        Relation(
            "shop.cart.Cart.total",
            "shop/cart.py",
            14,
            "call",
            "T1",
            0.98,
            "resolved",
            1,
            "",
            False,
            "        return add_tax(1)",
        ),
        Relation(
            "tests.test_cart.test",
            "tests/test_cart.py",
            5,
            "call",
            "T4",
            0.3,
            "ambiguous",
            2,
            "shop.x",
            True,
            "x.add_tax()",
        ),
    ),
    {"resolved": 1, "ambiguous": 1, "unresolved": 0, "external": 0},
    2,
    False,
    STATE,
    {},
)
CYCLES = CycleResponse(
    "files",
    "ok",
    (
        Cycle(
            ("shop/a.py", "shop/b.py"),
            (
                Relation("shop/b.py", "shop/a.py", 2, "import", "T1", 0.99, "resolved", 1, "", False, "import shop.b"),
                Relation(
                    "shop/a.py", "shop/b.py", 7, "import", "T1", 0.99, "resolved", 2, "", False, "  import shop.a"
                ),
            ),
            ("tests/test_shop.py",),
        ),
    ),
    4,
    True,
    STATE,
    {},
)
HUBS = HubResponse(
    "ok",
    (Hub(SYMBOLS.symbols[0], 0.125, 17, {"resolved": 17, "ambiguous": 0, "unresolved": 2, "external": 0}, 3),),
    90,
    True,
    STATE,
    {},
)
GREP = GrepResponse(
    "tax",
    "ok",
    (
        GrepHit("shop/cart.py", 3, 24, "from shop.money import add_tax", ("", "# above"), ("# below",)),
        GrepHit("shop/cart.py", 14, 20, "        return add_tax(sum) # tax"),
        GrepHit("shop/money.py", 6, 9, "def add_tax(amount):"),
    ),
    7,
    True,
    "c2hvcA",
    STATE,
    {},
)
STATUS = IndexStatus(
    "/code",
    "/cache/code-1",
    3,
    False,
    False,
    "bundled-512",
    False,
    {"files": 1234, "skipped": 2, "chunks": 5678, "symbols": 9, "edges": 10},
    {"python": 1200, "go": 34},
    {"binary": 2},
    {"tree": 1234},
    "git",
    ("submodule x is not checked out",),
    3 << 20,
    {"level": "avx2"},
)
FILES = [
    FileInfo("a.py", "python", 10, True, None, "tree"),
    FileInfo("logo.png", None, 9, False, "binary"),
    FileInfo("x/.env", None, 9, False, "secret-looking name"),
]


class FakeIndex:
    """Answers with what it is told to and remembers how it was asked."""

    root = Path("/code")

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.answers: dict[str, Any] = {
            "search": SEARCH,
            "similar": SEARCH,
            "find_symbol": SYMBOLS,
            "callers": CALLERS,
            "callees": CALLERS,
            "references": CALLERS,
            "impact": CALLERS,
            "impact_of_changes": replace(
                CALLERS, question="changes", tests=tuple(f"tests/test_{i}.py" for i in range(7))
            ),
            "path": replace(CALLERS, question="path", counts={}),
            "cycles": CYCLES,
            "hubs": HUBS,
            "grep": GREP,
            "ast": GREP,
            "status": STATUS,
            "files": FILES,
            "check": [],
            "explain": ["score 1.2500 = (fused 0.900 + name 0.350)", "  text: rank 2, contributes 0.004600"],
        }

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name not in self.answers:
            raise AttributeError(name)

        def answer(*args: Any, **options: Any) -> Any:
            self.asked.append((name, args, options))
            found = self.answers[name]
            if isinstance(found, Exception):
                raise found
            return found

        return answer

    def nothing(self, name: str, **changes: Any) -> None:
        """Make an answer empty."""
        fields = {
            "find_symbol": "symbols",
            "callers": "relations",
            "path": "relations",
            "cycles": "cycles",
            "hubs": "hubs",
        }
        field = fields.get(name, "hits")
        empty = {field: (), "status": "no_match", "notes": ()} | (
            {"total": 0, "truncated": False} if name != "find_symbol" else {}
        )
        self.answers[name] = replace(self.answers[name], **(empty | changes))


class Ran(NamedTuple):
    code: int
    out: str
    err: str


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class CommandLine:
    """Runs commands against the fake index."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.index = FakeIndex()
        self.opened: list[dict[str, Any]] = []
        self.fails: QuatrainError | BaseException | None = None
        self._patch = monkeypatch
        monkeypatch.setattr(quatrain, "open", self._open, raising=False)
        monkeypatch.setattr(quatrain, "build", self._open, raising=False)

    def _open(self, root: Any, **options: Any) -> FakeIndex:
        self.opened.append({"root": root, **options})
        if self.fails is not None:
            raise self.fails
        progress = options.get("progress")
        if progress is not None:
            progress("parse", 1, 2)
        return self.index

    def __call__(self, *words: str, terminal: bool = False) -> Ran:
        out, err = (Terminal(), Terminal()) if terminal else (io.StringIO(), io.StringIO())
        with self._patch.context() as patch:
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = main(words)
        return Ran(code, out.getvalue(), err.getvalue())


@pytest.fixture
def quatrain_command(monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    for name in ("NO_COLOR", "QUATRAIN_DEBUG", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    return CommandLine(monkeypatch)
