"""Languages without an evaluator: proof by syntax, marked guesses, and never silence."""

from __future__ import annotations

from pathlib import Path

import pytest

import quatrain

SOURCES = {
    "m/a.go": "package m\n\nfunc Work() {}\n\nfunc Other() {}\n",
    "m/u.go": 'package m\n\nimport "fmt"\n\nfunc Run() {\n\tWork()\n\tfmt.Println("x")\n\tMissing()\n\tx.Other()\n}\n',
    "n/b.go": "package n\n\nfunc Work() {}\n",
    "A.java": "class A {\n  void work() { this.help(); }\n  void help() {}\n}\n",
    "B.java": "class B {\n  void run(A a) { a.work(); }\n}\n",
    "c.c": "static int add(int a) { return a; }\nint main(void) { return add(1); }\n",
    "d.rb": "class D\n  def go\n    self.stop\n  end\n\n  def stop\n  end\nend\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> quatrain.Index:
    root = tmp_path_factory.mktemp("by-name")
    for name, text in SOURCES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    return quatrain.build(root, workers=1, embedder="none", index_dir=tmp_path_factory.mktemp("index"))


def edges(index: quatrain.Index, path: str) -> set[tuple[str, str, str, str]]:
    return {
        (e.caller.rsplit(":")[-1], e.callee, e.tier, e.status)
        for e in index.edges()
        if e.path == path and e.kind == "call"
    }


def test_what_syntax_proves_is_resolved(index: quatrain.Index) -> None:
    assert ("Run", "m/a:Work", "T0", "resolved") in edges(index, "m/u.go")
    assert any(
        callee.endswith("A.help") and (tier, status) == ("T2", "resolved")
        for _, callee, tier, status in edges(index, "A.java")
    )
    assert any(callee.endswith("add") and tier == "T0" for _, callee, tier, _ in edges(index, "c.c"))
    assert any(callee.endswith("D.stop") and tier == "T2" for _, callee, tier, _ in edges(index, "d.rb"))


def test_a_guess_is_marked_and_a_call_without_target_is_kept(index: quatrain.Index) -> None:
    found = edges(index, "m/u.go")
    assert ("Run", "m/a:Other", "T5", "ambiguous") in found
    kept = {(e.line, e.status) for e in index.edges() if e.path == "m/u.go" and e.tier == "-"}
    assert kept == {(7, "external"), (8, "unresolved")}


def test_callers_are_never_silent(index: quatrain.Index) -> None:
    sure = index.callers("Work")
    assert any(r.path == "m/u.go" and r.line == 6 and r.status == "resolved" for r in sure.relations)
    guess = index.callers("A.work")
    assert [(r.path, r.status) for r in guess.relations] == [("B.java", "ambiguous")] and guess.relations[
        0
    ].confidence <= 0.3


def test_languages_never_meet(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text("package a\n\nfunc shared() {}\n")
    (tmp_path / "b.rb").write_text("def run\n  shared()\nend\n")
    index = quatrain.build(tmp_path, workers=1, embedder="none")
    assert all(e.status == "unresolved" for e in index.edges() if e.path == "b.rb")
