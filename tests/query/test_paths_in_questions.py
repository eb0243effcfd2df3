"""Files and modules that a question names, and the kind of use that it asks for."""

from __future__ import annotations

import pytest

from quatrain.query.paths import is_path, paths_in
from quatrain.query.plan import make_plan
from quatrain.records import MODALITIES


@pytest.mark.parametrize(
    ("text", "sure", "perhaps"),
    [
        ("what breaks if I change sessions.py", ["sessions.py"], []),
        ("blast radius of src/a/b.ts?", ["src/a/b.ts"], []),
        ("who imports ./utils and ../x/y.", ["./utils", "../x/y"], []),
        ("who imports @acme/query-core", ["@acme/query-core"], []),
        ("`sessions.py`, \"utils.py\" (money.py)", ["sessions.py", "utils.py", "money.py"], []),
        ("src\\a\\b.ts", ["src\\a\\b.ts"], []),
        ("谁导入了utils/date.js的函数", ["utils/date.js"], []),
        ("what depends on src/shop/", ["src/shop/"], []),
        ("_internal/_fields.py:33", ["_internal/_fields.py"], []),
        ("types.d.ts and foo-bar.test.js", ["types.d.ts", "foo-bar.test.js"], []),
        ("who reads the Makefile", ["Makefile"], []),
        ("read/write lock and/or I/O", [], ["read/write", "and/or", "I/O"]),
        ("who imports lodash/debounce", [], ["lodash/debounce"]),
        ("see https://a.b/c/d.py", [], []),
        ("who uses a.b.C and requests.models", [], []),
        ("what calls foo() ... and so on", [], []),
    ],
)  # fmt: skip
def test_files_in_a_sentence(text: str, sure: list[str], perhaps: list[str]) -> None:
    assert paths_in(text) == (sure, perhaps)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("shop/money.py", True), ("money.py", True), ("shop/money", True), ("a.py:33", True), ("lib.rs", True),
        ("shop.money", False), ("a/b:Class.method", False), ("Foo::bar", False), ("add_tax", False), ("", False),
    ],
)  # fmt: skip
def test_names_that_can_only_be_files(name: str, path: bool) -> None:
    assert is_path(name) is path


@pytest.mark.parametrize(
    ("question", "subject", "direction", "relation", "of_module"),
    [
        ("what breaks if I change sessions.py", "sessions.py", "dependents", None, False),
        ("blast radius of src/a/b.ts", "src/a/b.ts", "dependents", None, False),
        ("who imports utils/date.js", "utils/date.js", "callers", "import", True),
        ("who imports utils/date", "utils/date", "callers", "import", True),
        ("which modules import requests.models", "requests.models", "callers", "import", True),
        ("what depends on the cookies module", "cookies", "dependents", None, True),
        ("who uses the module money", "money", "callers", None, True),
        ("which files use Money", "Money", "callers", None, False),
        ("who calls add_tax in money.py", "add_tax", "callers", None, False),
        ("who imports money.py or add_tax", "money.py", "callers", "import", True),
        ("subclasses of Money", "Money", "callers", "inherit", False),
        ("what overrides Money.show", "Money.show", "callers", "override", False),
        ("what does money.py depend on", "money.py", "dependencies", None, False),
        ("qué se rompe si cambio money.py", "money.py", "dependents", None, False),
        ("quem importa o módulo money", "money", "callers", "import", True),
        ("谁导入了utils/date.js", "utils/date.js", "callers", "import", True),
        ("如果我修改 sessions.py 会坏掉什么", "sessions.py", "dependents", None, False),
    ],
)
def test_what_the_graph_is_asked(
    question: str, subject: str, direction: str, relation: str | None, of_module: bool
) -> None:
    plan, notes = make_plan(question, available=dict.fromkeys(MODALITIES, True))
    assert plan.subjects[0] == subject
    assert (plan.direction, plan.relation, plan.of_module) == (direction, relation, of_module)
    assert not notes


@pytest.mark.parametrize("question", ["how does sessions.py work", "read src/a/b.ts", "where is add_tax defined"])
def test_files_are_subjects_of_no_other_question(question: str) -> None:
    plan, _ = make_plan(question, available=dict.fromkeys(MODALITIES, True))
    assert not any("." in name or "/" in name for name in plan.subjects)
    assert (plan.relation, plan.of_module) == (None, False)
