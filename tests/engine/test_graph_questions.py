"""Questions about dependencies through the library: files as subjects, chains, circles, hubs, and what was edited."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import quatrain
from quatrain.errors import BadPath, BadQuery, SymbolNotFound
from quatrain.records import CycleResponse, GraphResponse, HubResponse


@pytest.fixture
def index(project: Path) -> quatrain.Index:
    return quatrain.build(project, workers=1, embedder="none")


def test_a_file_is_a_subject_like_any_other(index: quatrain.Index) -> None:
    for name in ("shop/money.py", "money.py", "shop.money", "./shop/money.py"):
        assert [(r.path, r.line) for r in index.callers(name).relations] == [("shop/cart.py", 14)], name
        assert {r.kind for r in index.references(name).relations} == {"call", "import"}, name
        assert "shop/cart.py" in {r.path for r in index.impact(name).relations}, name
    assert index.callees("shop/cart.py").relations[0].symbol == "shop.money.add_tax"


def test_a_file_that_is_not_there_is_named_so(index: quatrain.Index) -> None:
    with pytest.raises(SymbolNotFound, match=r"no indexed file is called 'shop/gone\.py'"):
        index.impact("shop/gone.py")
    with pytest.raises(SymbolNotFound, match="nothing in the index is called 'gone'"):
        index.callers("gone")
    with pytest.raises(BadQuery):
        index.callers("  ")


def test_files_in_questions(index: quatrain.Index) -> None:
    for question, path, line in (
        ("what breaks if I change money.py", "shop/cart.py", 14),
        ("who imports shop/money.py", "shop/cart.py", 3),
        ("which modules import shop.cart", "shop/__init__.py", 1),
        ("blast radius of cart.py", "shop/__init__.py", 1),
    ):
        answer = index.search(question)
        assert (answer.fusion_strategy, answer.status) == ("direct", "ok"), question
        assert (answer.hits[0].path, answer.hits[0].start_line) == (path, line), question


def test_a_use_in_top_level_code_is_in_no_definition(index: quatrain.Index) -> None:
    assert index.search("who imports shop/money.py").hits[0].symbol is None
    assert index.search("who calls add_tax").hits[0].symbol == "shop.cart.Cart.total_price"


def test_an_impact_lists_the_tests_that_cover_it(index: quatrain.Index) -> None:
    answer = index.impact("add_tax")
    assert answer.tests == ("tests/test_cart.py",)
    assert answer.to_dict()["tests"] == ["tests/test_cart.py"]
    assert index.callers("add_tax").tests == (), "a test further away is part of the impact alone"


def test_the_tests_that_use_a_symbol_stand_beside_its_callers_and_callees(project: Path) -> None:
    (project / "shop" / "bill.py").write_text("class Bill:\n    def total_price(self):\n        return 0\n")
    guess = "import shop.bill\nimport shop.cart\n\n\ndef test_any(thing):\n    thing.total_price()\n"
    (project / "tests" / "test_guess.py").write_text(guess)
    index = quatrain.build(project, workers=1, embedder="none")
    name = "shop.cart.Cart.total_price"
    assert {(r.path, r.status) for r in index.callers(name).relations if r.is_test} == {
        ("tests/test_cart.py", "resolved"),
        ("tests/test_guess.py", "ambiguous"),
    }
    for answer in (index.callers(name), index.references(name), index.callees(name)):
        assert answer.tests == ("tests/test_cart.py",), f"{answer.question}: a guess covers nothing"


def test_a_chain_of_uses(index: quatrain.Index) -> None:
    answer = index.path("Cart.checkout", "add_tax")
    assert isinstance(answer, GraphResponse)
    assert (answer.question, answer.status, answer.symbol) == ("path", "ok", "Cart.checkout -> add_tax")
    assert [(r.symbol, r.line, r.distance) for r in answer.relations] == [
        ("shop.cart.Cart.total_price", 18, 1),
        ("shop.money.add_tax", 14, 2),
    ]
    assert [d.name for d in answer.definitions] == ["checkout", "add_tax"]
    assert answer.counts == index.callers("add_tax").counts and answer.counts["resolved"] == 1
    assert index.path("Cart.checkout", "Cart.total_price").tests == ("tests/test_cart.py",)


def test_no_chain_is_no_error(index: quatrain.Index) -> None:
    answer = index.path("add_tax", "Cart.checkout")
    assert (answer.status, answer.relations) == ("no_match", ())
    assert "no chain" in answer.notes[0]
    assert index.path("Cart.checkout", "add_tax", depth=1).status == "no_match"
    with pytest.raises(SymbolNotFound, match="nothing_there"):
        index.path("Cart.checkout", "nothing_there")
    with pytest.raises(BadQuery):
        index.path("Cart.checkout", "add_tax", depth=0)


def test_circles(index: quatrain.Index, project: Path) -> None:
    assert (index.cycles().status, index.cycles().cycles) == ("no_match", ())
    money = project / "shop/money.py"
    money.write_text("from shop.cart import Cart\n" + money.read_text())
    index.refresh()
    answer = index.cycles()
    assert isinstance(answer, CycleResponse)
    assert [one.members for one in answer.cycles] == [("shop/cart.py", "shop/money.py")]
    assert (answer.of, answer.status, answer.total, answer.truncated) == ("files", "ok", 1, False)
    assert json.loads(json.dumps(answer.to_dict()))["cycles"][0]["steps"][0]["path"] == "shop/cart.py"
    with pytest.raises(BadQuery):
        index.cycles(of="folders")
    with pytest.raises(BadQuery):
        index.cycles(limit=0)


def test_hubs(index: quatrain.Index) -> None:
    answer = index.hubs(limit=3)
    assert isinstance(answer, HubResponse)
    assert len(answer.hubs) == 3 and answer.truncated
    assert answer.hubs[0].pagerank >= answer.hubs[1].pagerank >= answer.hubs[2].pagerank > 0
    assert {one.symbol.name: one.users for one in index.hubs(limit=100).hubs}["add_tax"] == 2
    assert json.loads(json.dumps(answer.to_dict()))["hubs"][0]["symbol"]["kind"]
    with pytest.raises(BadQuery):
        index.hubs(limit=0)


# --- what was edited --------------------------------------------------------------------------------------------------


@pytest.fixture
def git(project: Path) -> Callable[..., None]:
    environment = os.environ | {
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
    }  # fmt: skip

    def run(*words: str) -> None:
        subprocess.run(["git", *words], cwd=project, env=environment, check=True, capture_output=True)

    run("init", "-q")
    run("add", ".")
    run("commit", "-q", "-m", "first")
    return run


def test_the_impact_of_an_edit(git: Callable[..., None], index: quatrain.Index, project: Path) -> None:
    assert index.impact_of_changes().notes == ("nothing has changed",)
    money = project / "shop/money.py"
    money.write_text(money.read_text().replace("amount * (1", "amount * (2"))
    index.refresh()
    answer = index.impact_of_changes()
    assert (answer.question, answer.symbol, answer.status) == ("changes", "uncommitted changes", "ok")
    assert [d.qualified_name for d in answer.definitions] == ["shop.money.add_tax"]
    assert answer.relations[0].symbol == "shop.cart.Cart.total_price"
    assert answer.tests == ("tests/test_cart.py",)
    git("commit", "-q", "-a", "-m", "second")
    assert index.impact_of_changes().definitions == ()
    assert [d.name for d in index.impact_of_changes("HEAD~1").definitions] == ["add_tax"]
    assert [d.name for d in index.impact_of_changes("HEAD~1..HEAD").definitions] == ["add_tax"]


def test_what_still_names_a_definition_that_is_gone(
    git: Callable[..., None], index: quatrain.Index, project: Path
) -> None:
    (project / "lost").mkdir()
    (project / "lost/__init__.py").touch()
    (project / "lost/deleted.py").write_text("def dead():\n    return 1\n")
    (project / "lost/old.py").write_text(
        "class Kept:\n    def gone(self):\n        return 1\n\n    def stays(self):\n        return 2\n"
    )
    (project / "lost/moved.py").write_text("def carried():\n    return 1\n")
    (project / "lost/user.py").write_text(
        "from lost.deleted import dead\nfrom lost import moved\nfrom lost.old import Kept\nfrom elsewhere import other\n\n\n"
        "def use(kept: Kept):\n    dead()\n    moved.carried()\n    kept.gone()\n    kept.stays()\n    other.dead()\n"
    )
    (project / "lost/stranger.py").write_text("from elsewhere import carried, dead2\n\n\ndef f():\n    dead2()\n")
    (project / "lost/x.bin").write_bytes(b"\0\1")
    git("add", ".")
    git("commit", "-q", "-m", "second")
    assert index.refresh()
    git("rm", "-q", "lost/deleted.py", "lost/x.bin")  # staged
    git("mv", "lost/moved.py", "lost/renamed.py")
    (project / "lost/old.py").write_text("class Kept:\n    def stays(self):\n        return 3\n")
    assert index.refresh()

    def gone(revision: str | None) -> tuple[list[tuple[str, int, str]], str]:
        answer = index.impact_of_changes(revision)
        rows = [(r.path, r.line, r.kind) for r in answer.relations if r.status == "unresolved"]
        return rows, next(n for n in answer.notes if "gone" in n)

    wanted = [
        ("lost/user.py", 1, "import"),
        ("lost/user.py", 8, "call"),
        ("lost/user.py", 9, "call"),
        ("lost/user.py", 10, "call"),
    ]
    rows, note = gone(None)
    assert rows == wanted  # not what comes from elsewhere
    assert note.startswith(
        "3 definitions are gone (lost/deleted.py:dead, lost/moved.py:carried, lost/old.py:Kept.gone); 4 unresolved uses may mean them"
    )
    answer = index.impact_of_changes()
    assert {d.qualified_name for d in answer.definitions} >= {"lost.old.Kept.stays", "lost.renamed.carried"}
    git("add", ".")
    git("commit", "-q", "-m", "third")
    for revision in ("HEAD~1", "HEAD~1..HEAD", "HEAD~1...HEAD", "HEAD~1.."):
        assert gone(revision) == (rows, note), revision
    assert not any("gone" in n for n in index.impact_of_changes("HEAD").notes)


def test_an_edit_that_cannot_be_told(index: quatrain.Index, project: Path) -> None:
    with pytest.raises(BadPath, match="work tree"):
        index.impact_of_changes()
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    with pytest.raises(BadQuery, match="revision"):
        index.impact_of_changes("no-such-branch")
    with pytest.raises(BadQuery, match="depth"):
        index.impact_of_changes(depth=0)


def test_the_root_may_be_a_package_itself(project: Path, tmp_path: Path) -> None:
    inner = quatrain.build(project / "shop", workers=1, embedder="none", index_dir=tmp_path / "inner")
    assert [d.qualified_name for d in inner.find_symbol("add_tax").symbols] == ["shop.money.add_tax"]
    assert [(r.path, r.status) for r in inner.callers("add_tax").relations] == [("cart.py", "resolved")]
    assert inner.search("what depends on shop.money").hits[0].path == "cart.py"
    assert inner.search("what breaks if I change shop/money.py").hits[0].path == "cart.py"
