"""Files as what people call them: paths, ends of paths, names of modules and packages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from quatrain.retrieval import nodes
from quatrain.retrieval.view import IndexView

PROJECT = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": "class Cart:\n    pass\n",
    "shop/money.py": "def add_tax(amount):\n    return amount\n",
    "shop/api/__init__.py": "",
    "shop/api/money.py": "def show(amount):\n    return amount\n",
    "tests/money.py": "def money():\n    return 1\n",
    "vendor/cart.py": "def cart():\n    return 1\n",
    "web/src/utils/date.ts": "export function today() {}\n",
    "web/src/utils/index.ts": "export * from './date'\n",
    "web/src/store.test.ts": "export {}\n",
    "web/src/types.d.ts": "export interface T { a: string }\n",
    "jvm/src/com/shop/money/Money.java": "package com.shop.money;\n\npublic class Money {}\n",
    "jvm/src/com/shop/money/Price.java": "package com.shop.money;\n\npublic class Price {}\n",
    "go/binding/json.go": "package binding\n\nfunc Decode() {}\n",
    "go/binding/xml.go": "package binding\n\nfunc Parse() {}\n",
}


@pytest.fixture(scope="module")
def view(view_of: Callable[..., IndexView]) -> IndexView:
    return view_of(PROJECT, "project")


@pytest.mark.parametrize(
    ("asked", "paths"),
    [
        ("shop/money.py", ["shop/money.py"]),
        ("./shop/money.py", ["shop/money.py"]),
        ("shop\\money.py", ["shop/money.py"]),
        ("shop/money.py:12", ["shop/money.py"]),
        ("project/shop/money.py", ["shop/money.py"]),
        ("/home/me/project/shop/money.py", ["shop/money.py"]),
        ("api/money.py", ["shop/api/money.py"]),
        ("money.py", ["shop/money.py"]),
        ("cart.py", ["shop/cart.py"]),
        ("vendor/cart.py", ["vendor/cart.py"]),
        ("tests/money.py", ["tests/money.py"]),
        ("shop.money", ["shop/money.py"]),
        ("api.money", ["shop/api/money.py"]),
        ("shop", ["shop/__init__.py"]),
        ("shop.api", ["shop/api/__init__.py"]),
        ("shop/api/", ["shop/api/__init__.py", "shop/api/money.py"]),
        ("utils/date", ["web/src/utils/date.ts"]),
        ("../utils/date.js", ["web/src/utils/date.ts"]),
        ("@/utils/date", ["web/src/utils/date.ts"]),
        ("./utils", ["web/src/utils/index.ts"]),
        ("date.js", ["web/src/utils/date.ts"]),
        ("DATE.TS", []),
        ("store.test.ts", ["web/src/store.test.ts"]),
        ("types", ["web/src/types.d.ts"]),
        ("@acme/web", [p for p in sorted(PROJECT) if p.startswith("web/")]),
        ("@acme/web/utils", ["web/src/utils/index.ts"]),
        ("com.shop.money", ["jvm/src/com/shop/money/Money.java", "jvm/src/com/shop/money/Price.java"]),
        ("Money.java", ["jvm/src/com/shop/money/Money.java"]),
        ("go/binding", ["go/binding/json.go", "go/binding/xml.go"]),
        ("example.org/go/binding", []),
        ("binding", ["go/binding/json.go", "go/binding/xml.go"]),
        ("nowhere.py", []),
        ("other.money", []),
        ("numpy.types", []),
        ("oney.py", []),
        ("", []),
        ("/", []),
        ("a\0b", []),
    ],
)
def test_what_a_name_means(view: IndexView, asked: str, paths: list[str]) -> None:
    assert [view.documents.path(file) for file in view.modules.find(asked)] == paths


def named(view: IndexView, name: str, modules_first: bool = False) -> list[str]:
    return [nodes.label(view, node) for node in nodes.find(view, name, modules_first=modules_first)]


def test_a_definition_wins_over_a_module_unless_a_module_is_asked_for(view: IndexView) -> None:
    assert named(view, "cart") == ["cart.cart"]
    assert named(view, "cart", modules_first=True) == ["shop/cart.py"]
    assert named(view, "cart.py") == ["shop/cart.py"]
    assert named(view, "shop.cart.Cart") == ["shop.cart.Cart"]
    assert named(view, "shop.cart") == ["shop/cart.py"]
    assert named(view, "no_such_thing") == []


def test_the_members_of_a_file_are_its_definitions(view: IndexView) -> None:
    (file,) = nodes.find(view, "shop/cart.py")
    members = nodes.with_members(view, [file])
    assert [nodes.label(view, node) for node in members] == ["shop/cart.py", "shop.cart.Cart"]
    assert view.documents.path(int(nodes.files_of(view, members)[1])) == "shop/cart.py"
    (row,) = nodes.definitions(view, [file])
    assert (row.path, row.kind, row.name, row.qualified_name, row.start_line, row.end_line) == (
        "shop/cart.py", "module", "cart", "shop.cart", 1, 2,
    )  # fmt: skip


def test_the_members_of_definitions_are_what_is_nested_in_them_at_any_depth(
    view_of: Callable[..., IndexView],
) -> None:
    view = view_of(
        {
            "a.py": "class A:\n    def m(self):\n        def inner(): pass\n    class B:\n        def n(self): pass\n"
            "def apart(): pass\nclass C:\n    def o(self): pass\n",
            "b.py": "class A:\n    def p(self): pass\n",
        },
        "nested",
    )
    members = nodes.with_members(view, [*view.symbols.exact("A"), *view.symbols.exact("C")])
    assert [nodes.label(view, node) for node in members] == [
        "a.A", "b.A", "a.C", "a.A.m", "a.A.m.inner", "a.A.B", "a.A.B.n", "a.C.o", "b.A.p",
    ]  # fmt: skip
