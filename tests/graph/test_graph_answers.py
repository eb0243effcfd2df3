"""Callers, references and impact of definitions and of files; paths, circles and hubs; what changed lines touch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from quatrain.retrieval import nodes, relations
from quatrain.retrieval.view import IndexView

SHOP = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/money.py": """RATE = 0.2


def add_tax(amount):
    return round_off(amount * (1 + RATE))


def round_off(amount):
    return round(amount)
""",
    "shop/cart.py": """from shop.money import add_tax


class Cart:
    def total(self):
        return add_tax(1)

    def pay(self):
        return self.total()
""",
    "shop/bill.py": """import shop.money


def bill(cart: "Cart"):
    return shop.money.add_tax(cart.weight())
""",
    "shop/export.py": "from shop.money import RATE, round_off\n",
    "tests/test_cart.py": """from shop.cart import Cart


def test_pay():
    assert Cart().pay()
""",
    "ring/__init__.py": "",
    "ring/a.py": "from ring import b\n\n\ndef f():\n    return b.g()\n",
    "ring/b.py": "from ring.c import h\n\n\ndef g():\n    return h()\n",
    "ring/c.py": "import ring.a\n\n\ndef h():\n    return ring.a.f()\n",
    "ring/d.py": "import ring.a\n",
}


@pytest.fixture(scope="module")
def shop(view_of: Callable[..., IndexView]) -> IndexView:
    return view_of(SHOP)


def sites(found: relations.Related | None) -> list[tuple[str, int, str]]:
    assert found is not None
    return [(r.path, r.line, r.kind) for r in found.relations]


@pytest.mark.parametrize("name", ["shop/money.py", "money.py", "shop.money", "shop/money"])
def test_the_callers_of_a_file_call_what_it_defines_from_elsewhere(shop: IndexView, name: str) -> None:
    found = relations.callers(shop, name)
    assert sorted(sites(found)) == [("shop/bill.py", 5, "call"), ("shop/cart.py", 6, "call")]
    assert found is not None and found.counts["resolved"] == 2
    assert [d.kind for d in found.definitions] == ["module"]


def test_the_references_of_a_file_are_imports_and_uses(shop: IndexView) -> None:
    found = sites(relations.references(shop, "shop/money.py"))
    assert {("shop/export.py", 1, "import"), ("shop/bill.py", 1, "import"), ("shop/cart.py", 1, "import")} <= set(found)
    assert all(path != "shop/money.py" for path, _, _ in found), "what a file does inside is its own affair"


def test_the_callees_of_a_file_lie_outside_it(shop: IndexView) -> None:
    found = relations.callees(shop, "shop/cart.py")
    assert found is not None
    assert [(r.symbol, r.line) for r in found.relations] == [("shop.money.add_tax", 6)]


def test_the_impact_of_a_file_names_its_importers_and_the_tests_that_cover_it(shop: IndexView) -> None:
    found = relations.impact(shop, "shop/money.py")
    assert found is not None
    direct = {r.path for r in found.relations if r.distance == 1}
    assert direct == {"shop/cart.py", "shop/bill.py", "shop/export.py"}
    assert found.tests == ("tests/test_cart.py",)
    assert relations.impact(shop, "shop/export.py").tests == ()  # type: ignore[union-attr]


def test_a_file_that_nobody_has_is_not_found(shop: IndexView) -> None:
    for question in (relations.callers, relations.references, relations.callees, relations.impact):
        assert question(shop, "shop/nothing.py") is None


def test_namesakes_are_calls_that_lead_nowhere(shop: IndexView) -> None:
    names = relations.name_ids(shop, "weight", [])
    rows = relations.namesakes(shop, [], names)
    assert [(shop.documents.path(int(shop.graph.files[r])), int(shop.graph.lines[r])) for r in rows] == [
        ("shop/bill.py", 5)
    ]
    targets = nodes.find(shop, "add_tax")
    assert not len(relations.namesakes(shop, targets, relations.name_ids(shop, "add_tax", targets))), "all are resolved"


def test_the_shortest_chain_of_uses(shop: IndexView) -> None:
    steps = relations.path_between(shop, "Cart.pay", "round_off")
    assert steps is not None
    assert [(s.symbol, s.path, s.line, s.distance) for s in steps] == [
        ("shop.cart.Cart.total", "shop/cart.py", 9, 1),
        ("shop.money.add_tax", "shop/cart.py", 6, 2),
        ("shop.money.round_off", "shop/money.py", 5, 3),
    ]
    assert relations.path_between(shop, "round_off", "Cart.pay") == ()
    assert relations.path_between(shop, "round_off", "nothing_like_it") is None


def test_a_chain_may_end_at_a_file(shop: IndexView) -> None:
    steps = relations.path_between(shop, "tests/test_cart.py", "shop/money.py")
    assert steps and steps[-1].symbol.startswith("shop.money")


def test_circles_of_files_with_the_way_round(shop: IndexView) -> None:
    found, total = relations.cycles(shop, of="files")
    assert total == len(found) == 1
    assert found[0].members == ("ring/a.py", "ring/b.py", "ring/c.py"), "d leads in, but nothing leads back to it"
    assert [(s.path, s.line, s.symbol) for s in found[0].steps] == [
        ("ring/a.py", 1, "ring/b.py"),
        ("ring/b.py", 1, "ring/c.py"),
        ("ring/c.py", 1, "ring/a.py"),
    ]


def test_circles_of_calls(shop: IndexView) -> None:
    found, _ = relations.cycles(shop, of="symbols")
    assert [one.members for one in found] == [("ring.a.f", "ring.b.g", "ring.c.h")]
    assert [s.symbol for s in found[0].steps] == ["ring.b.g", "ring.c.h", "ring.a.f"]


def test_the_shortest_way_round_is_told(view_of: Callable[..., IndexView]) -> None:
    view = view_of({
        "p/a.py": "import p.b\nimport p.z\n", "p/b.py": "import p.c\n", "p/c.py": "import p.z\n", "p/z.py": "import p.a\n",
    })  # fmt: skip
    found, _ = relations.cycles(view)
    assert len(found) == 1 and len(found[0].members) == 4
    assert [s.symbol for s in found[0].steps] == ["p/z.py", "p/a.py"]


def test_more_circles_than_are_wanted_are_counted(view_of: Callable[..., IndexView]) -> None:
    view = view_of({f"p{i}/{name}.py": f"import p{i}.{other}\n" for i in range(3) for name, other in ("ab", "ba")})
    found, total = relations.cycles(view, limit=2)
    assert (len(found), total) == (2, 3)


def test_hubs_are_what_most_depends_on(shop: IndexView) -> None:
    found = relations.hubs(shop, limit=3)
    assert len(found) == 3
    assert [one.pagerank for one in found] == sorted((one.pagerank for one in found), reverse=True)
    users = {one.symbol.qualified_name: one.users for one in relations.hubs(shop, limit=100)}
    assert users["shop.money.add_tax"] == 3, "Cart.total, bill, and the import in cart.py"


def test_hubs_and_circles_say_which_tests_use_them(view_of: Callable[..., IndexView]) -> None:
    view = view_of({
        "p/a.py": "from p.b import g\n\n\ndef f():\n    g()\n", "p/b.py": "from p import a\n\n\ndef g():\n    a.f()\n",
        "p/__init__.py": "", "tests/test_a.py": "from p.a import f\n\n\ndef test_f():\n    f()\n",
        "tests/test_b.py": "from p import b\n", "tests/test_c.py": "def test_c(x):\n    x.nothing()\n", "q.py": "x.f()\nf()\n",
    })  # fmt: skip
    hubs = {one.symbol.name: (one.counts, one.tests) for one in relations.hubs(view, limit=9)}
    assert hubs["f"] == ({"resolved": 2, "ambiguous": 0, "unresolved": 2, "external": 0}, 1)
    assert hubs["g"] == ({"resolved": 1, "ambiguous": 0, "unresolved": 0, "external": 0}, 0)
    (files,), _ = relations.cycles(view)
    assert (files.members, files.tests) == (("p/a.py", "p/b.py"), ("tests/test_a.py", "tests/test_b.py"))
    (functions,), _ = relations.cycles(view, of="symbols")
    assert (functions.members, functions.tests) == (("p.a.f", "p.b.g"), ("tests/test_a.py",))


def names(view: IndexView, found: list[int]) -> list[str]:
    return sorted(view.symbols.qualified(symbol) for symbol in found)


@pytest.mark.parametrize(
    ("ranges", "wanted"),
    [
        ([(5, 5)], ["shop.money.add_tax"]),
        ([(4, 9)], ["shop.money.add_tax", "shop.money.round_off"]),
        ([(1, 1)], ["shop.money.RATE"]),
        ([(2, 3)], []),
        ([(6, 5)], []),  # lines were taken out between add_tax and what follows
        ([(5, 4)], ["shop.money.add_tax"]),  # ... between its head and its body
        ([(1, 1 << 31)], ["shop.money.RATE", "shop.money.add_tax", "shop.money.round_off"]),
        ([(100, 200)], []),
        ([(11, 10)], []),
    ],
)
def test_changed_lines_touch_the_innermost_definition(
    shop: IndexView, ranges: list[tuple[int, int]], wanted: list[str]
) -> None:
    assert names(shop, relations.touched(shop, {"shop/money.py": ranges})) == wanted


def test_a_change_in_a_method_touches_the_method_and_not_its_class(shop: IndexView) -> None:
    assert names(shop, relations.touched(shop, {"shop/cart.py": [(6, 6)]})) == ["shop.cart.Cart.total"]
    assert names(shop, relations.touched(shop, {"shop/cart.py": [(8, 7)]})) == ["shop.cart.Cart"], "between two methods"


def test_the_impact_of_changes(shop: IndexView) -> None:
    found = relations.impact_of_changes(shop, {"shop/money.py": [(9, 9)], "gone.txt": [(1, 1)]}, depth=4)
    assert [d.qualified_name for d in found.definitions] == ["shop.money.round_off"]
    assert [(r.symbol, r.distance) for r in found.relations][:1] == [("shop.money.add_tax", 1)]
    assert found.tests == ("tests/test_cart.py",)
    assert found.notes[:2] == ("1 definitions in 2 changed files", "1 changed files are not indexed")
    nothing = relations.impact_of_changes(shop, {})
    assert (nothing.status, nothing.notes, nothing.relations) == ("no_match", ("nothing has changed",), ())


def test_an_index_without_definitions_has_answers(view_of: Callable[..., IndexView]) -> None:
    view = view_of({"a.py": "import b\n", "b.py": "import a\n"})
    assert len(relations.cycles(view)[0]) == 1
    assert relations.cycles(view, of="symbols") == ([], 0)
    assert relations.hubs(view) == []
    assert nodes.files_of(view, np.array([0, 1, -1])).tolist() == [0, 1, -1]
    assert [r.path for r in relations.impact(view, "a.py").relations] == ["b.py"]  # type: ignore[union-attr]
