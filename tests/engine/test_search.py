"""What a user of the library sees, on a small project."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import quatrain
from quatrain.errors import (
    BadPath,
    BadQuery,
    EmbedderMismatch,
    IndexMissing,
    NothingIndexed,
    QuatrainError,
    SymbolNotFound,
    UnknownLanguage,
)


@pytest.fixture
def index(project: Path) -> quatrain.Index:
    return quatrain.build(project, workers=1)


@pytest.mark.parametrize(
    ("query", "intent", "strategy", "path"),
    [
        ("where is add_tax defined", "find_definition", "direct", "shop/money.py"),
        ("class Cart", "find_definition", "direct", "shop/cart.py"),
        ("who calls add_tax", "find_references", "direct", "shop/cart.py"),
        ("what breaks if I change add_tax", "impact_analysis", "direct", "shop/cart.py"),
        ('find the string "cart is empty"', "exact_match", "direct", "shop/cart.py"),
        ("find ECONNREFUSED", "exact_match", "direct", "shop/login.py"),
        ("how does authentication work", "understand_code", "rrf", "shop/login.py"),
        ("verify_password", "find_definition", "rrf", "shop/login.py"),
    ],
)
def test_each_kind_of_question_reaches_its_answer(
    index: quatrain.Index, query: str, intent: str, strategy: str, path: str
) -> None:
    answer = index.search(query)
    assert (answer.intent, answer.fusion_strategy, answer.status) == (intent, strategy, "ok")
    assert answer.hits[0].path == path


def test_a_question_without_a_symbol_falls_back_with_a_hint(index: quatrain.Index) -> None:
    answer = index.search("what breaks if I change this function")
    assert answer.intent == "impact_analysis" and answer.fusion_strategy == "direct_fallback"
    assert any("symbol" in note for note in answer.notes)


def test_exact_match_never_touches_the_embedder(index: quatrain.Index, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = index._current().embedder
    calls: list[str] = []
    monkeypatch.setattr(type(embedder), "embed_query", lambda self, text: calls.append(text))
    assert index.search("find ECONNREFUSED").hits
    assert index.search('find the string "no such text anywhere"').status == "no_match"
    assert not calls


def test_the_vendored_copy_is_demoted_and_says_so(index: quatrain.Index) -> None:
    answer = index.search("total_price", limit=10)
    paths = [hit.path for hit in answer.hits]
    assert paths.index("shop/cart.py") < paths.index("vendor/cart.py")
    vendored = answer.hits[paths.index("vendor/cart.py")]
    assert vendored.factors["demoted"] == 0.5


def test_one_hit_per_file_unless_asked(index: quatrain.Index) -> None:
    paths = [hit.path for hit in index.search("cart price", limit=20).hits]
    assert len(paths) == len(set(paths))


def test_same_index_same_query_same_bytes(index: quatrain.Index) -> None:
    def answer() -> str:
        plain = index.search("price of the cart").to_dict()
        del plain["timings_us"]
        return json.dumps(plain)

    assert len({answer() for _ in range(5)}) == 1


def test_every_answer_is_json(index: quatrain.Index) -> None:
    for answer in (
        index.search("cart"),
        index.grep("cart"),
        index.find_symbol("Cart"),
        index.callers("add_tax"),
        index.callees("checkout"),
        index.references("Cart"),
        index.impact("add_tax"),
        index.similar("shop/cart.py", 15),
        index.status(),
    ):
        assert json.loads(json.dumps(answer.to_dict()))


def test_presets_and_modalities_choose_what_runs(index: quatrain.Index) -> None:
    quick = index.search("authentication of users", preset="quick")
    assert quick.modalities == ("semantic",) and quick.fusion_strategy == "single"
    assert set(index.search("authentication of users", preset="thorough").modalities) == {
        "semantic",
        "text",
        "structural",
        "graph",
    }
    assert index.search("where is Cart defined", modalities=["text"]).fusion_strategy == "single"
    assert index.search("where is Cart defined", weights={"text": 1.0, "structural": 1.0}).fusion_strategy == "rrf"


def test_nonsense_matches_nothing(index: quatrain.Index) -> None:
    answer = index.search("qzxv wkjp")
    assert answer.status == "no_match" and not answer.hits


def test_filters(index: quatrain.Index) -> None:
    assert {h.path for h in index.search("cart", paths=["tests/"]).hits} == {"tests/test_cart.py"}
    assert "vendor/cart.py" not in {h.path for h in index.search("cart", paths=["!vendor"], limit=20).hits}
    assert {h.path for h in index.search("pay for a cart", content="docs").hits} == {"README.md"}
    assert "README.md" not in {h.path for h in index.search("pay for a cart", limit=20).hits}
    assert index.search("cart", languages=["go"]).status == "no_match"


def test_max_tokens_bounds_the_snippets(index: quatrain.Index) -> None:
    answer = index.search("cart price login", max_tokens=60, limit=10)
    assert answer.hits and answer.truncated
    assert sum(len(hit.snippet) for hit in answer.hits) < 60 * 8


def test_an_answer_shows_what_was_indexed_not_what_the_file_says_now(index: quatrain.Index, project: Path) -> None:
    (project / "shop/money.py").write_text("def other():\n    pass\n")
    assert "def add_tax" in index.search("where is add_tax defined").hits[0].snippet


def test_refresh_follows_edits_renames_and_deletions(project: Path) -> None:
    index = quatrain.build(project, workers=1)
    assert index.refresh() is False
    (project / "shop/money.py").rename(project / "shop/finance.py")
    (project / "shop/login.py").unlink()
    (project / "shop/new.py").write_text("def gift_voucher():\n    return 1\n")
    assert index.refresh() is True
    assert [row.path for row in index.find_symbol("add_tax").symbols] == ["shop/finance.py"]
    assert index.find_symbol("authenticate").status == "no_match"
    assert index.find_symbol("gift_voucher").symbols[0].path == "shop/new.py"
    assert not index.grep("ECONNREFUSED").hits
    assert index.status().generation == 2


def test_refresh_equals_a_fresh_build(project: Path, tmp_path: Path) -> None:
    index = quatrain.build(project, workers=1)
    (project / "shop/money.py").write_text(
        "def add_tax(amount):\n    return amount\n\ndef add_fee(amount):\n    return add_tax(amount)\n"
    )
    index.refresh()
    fresh = quatrain.build(project, workers=1, index_dir=tmp_path / "fresh")
    assert index.edges() == fresh.edges() and index.symbols() == fresh.symbols() and index.files() == fresh.files()
    old, new = index._current().segment, fresh._current().segment
    assert set(old) == set(new)
    for tag in old:
        assert old.array(tag).tobytes() == new.array(tag).tobytes(), tag


@pytest.mark.parametrize("embedder", ["bundled", "none"])
def test_a_refresh_takes_over_what_did_not_change(project: Path, embedder: str) -> None:
    index = quatrain.build(project, workers=1, embedder=embedder)
    assert index.status().counts["reused"] == 0
    (project / "shop/money.py").write_text("def add_tax(amount):\n    return amount\n")
    index.refresh()
    counts = index.status().counts
    assert counts["reused"] == counts["files"] - 1


def test_an_edit_with_the_same_size_and_mtime_is_seen(project: Path) -> None:
    index = quatrain.build(project, workers=1)
    path = project / "shop/money.py"
    before = path.stat()
    path.write_text(path.read_text().replace("add_tax", "sub_tax"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert index.refresh() is True
    assert index.find_symbol("sub_tax").status == "ok"


def test_another_process_publishing_is_noticed(project: Path) -> None:
    reader = quatrain.build(project, workers=1)
    writer = quatrain.open(project, workers=1)
    (project / "shop/extra.py").write_text("def bonus():\n    pass\n")
    writer.refresh()
    assert reader.find_symbol("bonus").status == "ok"


@pytest.mark.parametrize("query", ["", "   \n", "a\0b", "x" * 100_000])
def test_bad_queries_are_refused_with_a_next_step(index: quatrain.Index, query: str) -> None:
    with pytest.raises(BadQuery) as error:
        index.search(query)
    assert len(str(error.value)) < 300


def test_other_bad_input(index: quatrain.Index, project: Path, tmp_path: Path) -> None:
    with pytest.raises(BadQuery, match="preset"):
        index.search("cart", preset="fast")
    with pytest.raises(BadQuery, match="modalit"):
        index.search("cart", modalities=["smell"])
    with pytest.raises(UnknownLanguage, match="python"):
        index.search("cart", languages=["pyhton"])
    with pytest.raises(BadQuery):
        index.grep("(unclosed", regex=True)
    with pytest.raises(BadPath, match="outside"):
        index.similar("../../etc/passwd", 1)
    with pytest.raises(BadPath, match="lines"):
        index.similar("shop/cart.py", 10_000)
    with pytest.raises(SymbolNotFound):
        index.callers("no_such_function_at_all")
    with pytest.raises(BadPath):
        quatrain.open(project / "missing")
    with pytest.raises(BadPath):
        quatrain.open(project / "README.md")
    with pytest.raises(IndexMissing):
        quatrain.open(project, refresh=False, index_dir=tmp_path / "nothing")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NothingIndexed):
        quatrain.build(empty)
    (empty / "image.bin").write_bytes(bytes(range(256)) * 10)
    with pytest.raises(NothingIndexed, match="binary"):
        quatrain.build(empty)


def test_an_index_of_another_embedder_is_refused_with_the_fix(project: Path) -> None:
    quatrain.build(project, embedder="none", workers=1)
    with pytest.raises(EmbedderMismatch, match="quatrain index --embedder"):
        quatrain.open(project, embedder="bundled")
    index = quatrain.open(project)
    answer = index.search("how does authentication work")
    assert answer.hits[0].path == "shop/login.py" and "semantic" not in answer.modalities
    assert any("semantic" in note for note in answer.notes)


def test_vectors_of_an_older_bundled_model_are_made_anew(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from quatrain.embedders.bundled import BundledEmbedder

    newer = BundledEmbedder().identity
    with monkeypatch.context() as patch:
        patch.setattr(BundledEmbedder, "identity", replace(newer, version="an older one"))
        quatrain.build(project, workers=1)
    index = quatrain.open(project, workers=1)
    assert index.status().generation == 2
    assert index.search("how does authentication work", preset="quick").hits[0].path == "shop/login.py"


def test_a_corrupt_index_is_rebuilt_from_source(project: Path) -> None:
    index = quatrain.build(project, workers=1)
    for segment in index.directory.glob("*.seg"):
        segment.chmod(0o600)
        segment.write_bytes(segment.read_bytes()[:-1])
    with pytest.raises(QuatrainError):
        quatrain.open(project, refresh=False)
    assert quatrain.open(project, workers=1).find_symbol("Cart").status == "ok"


def test_the_index_is_private_and_outside_the_project(project: Path) -> None:
    before = sorted(project.rglob("*"))
    index = quatrain.build(project, workers=1)
    assert sorted(project.rglob("*")) == before
    assert index.directory.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in index.directory.iterdir() if path.name != "format")
    assert index.check() == []


def test_a_query_in_a_fresh_process_loads_no_build_time_library(project: Path) -> None:
    quatrain.build(project, workers=1)
    code = (
        "import sys, quatrain\n"
        "index = quatrain.open(sys.argv[1])\n"
        "for q in ['how does authentication work', 'class Cart', 'who calls add_tax', 'find ECONNREFUSED',\n"
        "          'what breaks if I change add_tax']:\n"
        "    assert index.search(q).hits, q\n"
        "index.callers('add_tax'); index.grep('cart'); index.find_symbol('Cart'); index.similar('shop/cart.py', 15)\n"
        "print([m for m in ('scipy', 'tree_sitter', 'voyageai', 'mcp', 'asyncio', 'pyroaring') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(project)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_build_works_from_stdin_a_thread_and_a_running_event_loop(project: Path, tmp_path: Path) -> None:
    code = "import sys, quatrain; print(quatrain.build(sys.argv[1], index_dir=sys.argv[2], workers=2).status().counts['files'])"
    done = subprocess.run(
        [sys.executable, "-", str(project), str(tmp_path / "a")], input=code, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "7"

    counts: list[int] = []
    thread = threading.Thread(
        target=lambda: counts.append(
            quatrain.build(project, index_dir=tmp_path / "b", workers=2).status().counts["files"]
        )
    )
    thread.start()
    thread.join()
    assert counts == [7]

    async def inside() -> int:
        return quatrain.build(project, index_dir=tmp_path / "c", workers=2).status().counts["files"]

    assert asyncio.run(inside()) == 7


def test_files_lists_what_is_skipped_and_why(project: Path) -> None:
    (project / "data.bin").write_bytes(b"\0\1\2" * 100)
    (project / ".env").write_text("PASSWORD=hunter2hunter2\n")
    (project / "big.py").write_text("x = 1\n" * 500_000)
    index = quatrain.build(project, workers=1)
    reasons = {row.path: row.skip_reason for row in index.files() if not row.indexed}
    assert set(reasons) == {"data.bin", ".env", "big.py"} and all(reasons.values())
    assert not index.grep("hunter2hunter2").hits
    assert not any(b"hunter2hunter2" in path.read_bytes() for path in index.directory.glob("*.seg"))
