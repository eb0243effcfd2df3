"""Languages without an evaluator: proof by syntax, marked guesses, and never silence."""

from __future__ import annotations

from pathlib import Path

import pytest

import quatrain

SOURCES = {
    "m/a.scala": "package m\n\ndef work() = {}\n\ndef other() = {}\n",
    "m/u.scala": "package m\n\nimport n.print\n\ndef run(x: X) = {\n    local()\n    print(1)\n    missing()\n    x.other()\n}\n\n"
    "def local() = {}\n",
    "n/b.scala": "package n\n\ndef again() = {}\n",
    "A.swift": "class A {\n  func work() { self.help() }\n  func help() {}\n}\n",
    "B.swift": "class B {\n  func run(a: A) { a.work() }\n}\n",
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
    assert ("run", "m/u:local", "T0", "resolved") in edges(index, "m/u.scala")
    assert any(
        callee.endswith("A.help") and (tier, status) == ("T2", "resolved")
        for _, callee, tier, status in edges(index, "A.swift")
    )


def test_a_guess_is_marked_and_a_call_without_target_is_kept(index: quatrain.Index) -> None:
    found = edges(index, "m/u.scala")
    assert ("run", "m/a:other", "T5", "ambiguous") in found
    kept = {(e.line, e.status) for e in index.edges() if e.path == "m/u.scala" and e.tier == "-"}
    assert kept == {(7, "external"), (8, "unresolved")}


def test_callers_are_never_silent(index: quatrain.Index) -> None:
    guess = index.callers("A.work")
    assert [(r.path, r.status) for r in guess.relations] == [("B.swift", "ambiguous")] and guess.relations[
        0
    ].confidence <= 0.3


def test_languages_never_meet(tmp_path: Path) -> None:
    (tmp_path / "a.scala").write_text("def shared() = {}\n")
    (tmp_path / "b.swift").write_text("func run() {\n  shared()\n}\n")
    index = quatrain.build(tmp_path, workers=1, embedder="none")
    assert all(e.status == "unresolved" for e in index.edges() if e.path == "b.swift")
