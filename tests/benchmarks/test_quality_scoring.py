"""The scorer of the quality benchmark, pinned by hand-computed numbers."""

from __future__ import annotations

import importlib.util
import json
import math
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "benchmarks" / "quality" / "scoring.py"
spec = importlib.util.spec_from_file_location("quality_scoring", SOURCE)
scoring = sys.modules["quality_scoring"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(scoring)


def task(*targets, root="", repo="r", query="q"):
    return scoring.Task(f"{repo}#0", repo, query, "symbol", "python", root, targets, "named")


def test_ndcg_by_hand():
    row = scoring.score(task("a.py", "b.py"), ["x.py", "a.py", "y.py", "b.py"])
    # ranks 2 and 4: (1/log2 3 + 1/log2 5) / (1 + 1/log2 3) = (0.63093 + 0.43068) / 1.63093
    assert row.ndcg == pytest.approx(0.65092, abs=1e-5)
    assert (row.recall, row.mrr, row.top1, row.zero) == (1.0, 0.5, 0.0, 0.0)


def test_a_file_counts_once_and_the_eleventh_not_at_all():
    assert scoring.score(task("a.py"), ["x.py", "x.py", "a.py"]).ndcg == pytest.approx(1 / math.log2(3))
    others = [f"{i}.py" for i in range(10)]
    assert scoring.score(task("a.py"), [*others, "a.py"]).ndcg == 0.0
    assert scoring.score(task("a.py"), [*others[:9], "a.py"]).ndcg == pytest.approx(1 / math.log2(11))


def test_nothing_found():
    row = scoring.score(task("a.py"), [])
    assert (row.ndcg, row.zero) == (0.0, 1.0)


def test_paths_may_leave_out_the_root_but_nothing_else():
    assert scoring.score(task("lib/a.py", root="lib"), ["a.py"]).top1 == 1.0
    assert scoring.score(task("a.py", root="lib"), ["lib/a.py"]).top1 == 1.0
    assert scoring.score(task("lib/core/a.py", root="lib"), ["a.py"]).top1 == 0.0
    assert scoring.score(task("a.py"), ["./a.py"]).top1 == 1.0


def test_named_needs_a_word_of_the_file_name(tmp_path):
    (tmp_path / "_repos.json").write_text('[{"name": "r", "language": "go", "benchmark_root": "src"}]')
    entries = [
        {"query": "how are configs merged", "relevant": ["src/mergeConfig.js"]},
        {
            "query": "how does it start",
            "relevant": [{"path": "src/main.go"}],
            "secondary": ["src/b.go"],
            "category": "c",
        },
    ]
    (tmp_path / "r.json").write_text(json.dumps(entries))
    first, second = scoring.load_annotations(tmp_path)
    assert (first.qid, first.named, first.root, first.language) == ("r#0", "named", "src", "go")
    assert (second.named, second.targets, second.category) == ("unnamed", ("src/main.go", "src/b.go"), "c")
    assert scoring.load_annotations(tmp_path, ["other"]) == []


def test_task_files(tmp_path):
    path = tmp_path / "zero.jsonl"
    path.write_text('{"repo": "r", "query": "merge", "accept": ["merge.py"], "kind": "misspelt"}\n\n')
    (only,) = scoring.load_tasks(path)
    assert (only.qid, only.category, only.targets) == ("zero.jsonl#0", "misspelt", ("merge.py",))


def test_interval_resamples_repositories():
    assert scoring.interval([("a", 1.0)] * 5) == (1.0, 1.0)
    low, high = scoring.interval([("a", 0.0)] * 50 + [("b", 1.0)] * 50)
    assert (low, high) == (0.0, 1.0)  # two repositories, however many questions


def test_difference_is_paired():
    base = [scoring.score(task("a.py", repo=r), ["x.py"]) for r in "ab"]
    better = [scoring.score(task("a.py", repo=r), ["a.py"]) for r in "ba"]
    assert scoring.difference(better, base) == (1.0, 1.0, 1.0)


def test_table_groups():
    rows = [scoring.score(task("a.py", repo=r), ["a.py"] if r == "a" else []) for r in "abb"]
    groups = scoring.table(rows, lambda row: row.task.repo)
    assert [(name, entry["ndcg"], entry["zero"], entry["n"]) for name, entry in groups.items()] == [
        ("a", 1.0, 0.0, 1),
        ("b", 0.0, 1.0, 2),
    ]
