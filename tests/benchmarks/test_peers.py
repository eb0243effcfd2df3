"""The peers of the quality benchmark, the comparison table, the count of tokens and the labels of our own sets."""

from __future__ import annotations

import json
import math
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
pytest.importorskip("benchmarks.compare", reason="the benchmarks do not lie beside the tests")

from benchmarks.quality import baselines, scoring  # noqa: E402

from benchmarks import compare, economy, intents  # noqa: E402

QUALITY = ROOT / "benchmarks" / "quality"
INTENTS = {
    "find_definition", "find_references", "understand_code", "find_similar", "impact_analysis", "exact_match",
}  # fmt: skip
FILES = {
    "src/lease.py": "class LeaseTable:\n    def renew(self, lease):\n        return lease\n" + "# lease\n" * 50,
    "src/clock.py": "def now():\n    return 1\n",
    "tests/test_lease.py": "from src.lease import LeaseTable\n\ndef test_renew_lease():\n    LeaseTable().renew(1)\n",
    "vendor/lease.py": "class LeaseTable: ...\n",
}


@pytest.fixture
def corpus(tmp_path: Path) -> baselines.Corpus:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return baselines.Corpus(tmp_path)


def test_bm25_by_hand() -> None:
    index = baselines.BM25(iter([["a", "b"], ["a", "a", "c", "c"]]), k1=1.5, b=0.75)
    # idf of b: log(1 + (2 - 1 + .5) / (1 + .5)) = log 2; tf part: 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / 3))
    assert index.scores(["b"]) == {0: pytest.approx(math.log(2) * 2.5 / 2.125)}
    assert set(index.scores(["a", "a"])) == {0, 1} and index.scores(["zzz"]) == {}


def test_words_are_stemmed_sub_words_and_whole_names() -> None:
    assert baselines.words("parseConfig of_the retries") == [
        "parse",
        "config",
        "parseconfig",
        "of",
        "the",
        "of_the",
        "retr",
    ]
    assert baselines.words("how does it renew", stop=True) == ["renew"]


@pytest.mark.skipif(not (shutil.which("rg") and shutil.which("ctags")), reason="ripgrep or universal-ctags is missing")
def test_each_method_finds_the_file(corpus: baselines.Corpus) -> None:
    assert sorted(path for path, _ in corpus.files) == ["src/clock.py", "src/lease.py", "tests/test_lease.py"]
    for name, method in baselines.METHODS.items():
        found = method(corpus, "LeaseTable")
        assert "src/lease.py" in [passage.path for passage in found], name
        assert method(corpus, "zzqx") == [], name
    assert baselines.rg_literal(corpus, "renew(self")[0].path == "src/lease.py"
    assert baselines.bm25_rerank(corpus, "renew lease")[0].path == "src/lease.py"
    assert baselines.keyword_hits(corpus, "where is now")[0] == "src/clock.py"


def test_reading_ends_with_the_first_right_file() -> None:
    results = [("a", "x" * 5), ("b", "x" * 8), ("c", "x" * 4)]
    assert economy.read_until(results, lambda path: path == "b", start=10) == (14, True, 15)
    assert economy.read_until(results, lambda path: False) == (5, False, 5)
    many = [(str(i), "four") for i in range(30)]
    assert economy.read_until(many, lambda path: path == "10") == (10, False, 10)
    assert economy.tokens("é") == 1 and economy.tokens("") == 0 and economy.tokens("abcde") == 2


def test_misses_are_counted_and_left_out_of_the_pairs() -> None:
    cost = economy.Cost
    figures = economy.summarise(
        {
            economy.OURS: [cost(10, True, 20), cost(30, False, 30)],
            economy.GREP: [cost(100, True, 300), cost(500, True, 900)],
        }
    )
    ours = figures[economy.OURS]
    assert (ours["median"], ours["mean"], ours["missed"], ours["both_found"]) == (20, 20.0, 1, 1)
    assert (ours["median_both_found"], ours["grep_median_both_found"]) == (10, 100)
    assert ours["median_share_of_grep"] == pytest.approx(20 / 300, abs=1e-4)


def test_peers_are_asked_once_and_ours_always(tmp_path: Path) -> None:
    tasks = [scoring.Task(f"r#{i}", "r", f"question {i}", "c", "?", "", (f"{i}.py",), "named") for i in range(2)]
    asked = []

    def open_method(name: str) -> compare.Open:
        def ask(query: str) -> list[str]:
            asked.append((name, query))
            return [f"{query[-1]}.py"] if name == "peer" else []

        return lambda repo, base, root: ask

    methods = {compare.OURS: open_method("ours"), "peer": open_method("peer")}
    for _ in range(2):
        rows = compare.measure(tasks, tmp_path, methods, answers=tmp_path / "answers", progress=lambda line: None)
        assert [row.ndcg for row in rows["peer"]] == [1.0, 1.0]
        assert [row.ndcg for row in rows[compare.OURS]] == [0.0, 0.0]
    assert [name for name, query in asked].count("ours") == 6 and [name for name, query in asked].count("peer") == 3
    figures = compare.summarise(rows)
    assert figures["peer"]["difference"] == [1.0, 1.0, 1.0] and "difference" not in figures[compare.OURS]


def test_the_table_tells_ours_first_and_what_was_not_measured() -> None:
    def entry(ndcg: float, **more: object) -> dict[str, object]:
        return {"ndcg": ndcg, "interval": [ndcg - 0.1, ndcg + 0.1], **more}

    figures = {
        "sets": {
            "public": {
                "questions": 4,
                "methods": {"rg": entry(0.5, difference=[-0.4, -0.5, -0.3]), compare.OURS: entry(0.9)},
                "published": {"peer": 0.85},
            },
            "applications": {"questions": 2, "methods": {compare.OURS: entry(0.7)}},
        }
    }
    lines = compare.markdown(figures).splitlines()
    assert lines[2] == "| **quatrain** | 0.900 [0.800, 1.000] | 0.700 [0.600, 0.800] |"
    assert lines[3] == "| rg | 0.500 [0.400, 0.600]; -0.400 [-0.500, -0.300] | not measured |"
    assert lines[4] == "| peer, as published | 0.850 | |"
    assert all(line.count("|") == lines[0].count("|") for line in lines)


def test_a_decoy_before_the_answer_is_told() -> None:
    task = scoring.Task("q", "r", "q", "c", "?", "", ("a.c",), "named", ("vendor/a.c",))
    misled = [
        scoring.score(task, found).misled
        for found in (["vendor/a.c", "a.c"], ["a.c", "vendor/a.c"], ["vendor/a.c"], [])
    ]
    assert misled == [1.0, 0.0, 1.0, 0.0]


def test_published_figures_are_weighted_by_questions(tmp_path: Path) -> None:
    path = tmp_path / "published.json"
    path.write_text(json.dumps({"peer": {"a": {"ndcg10": 1.0}, "b": {"ndcg10": 0.4}, "c": {"ndcg10": 0.0}}}))
    tasks = [
        scoring.Task(f"{r}#{i}", r, "q", "c", "?", "", ("x",), "named")
        for r, n in (("a", 1), ("b", 3))
        for i in range(n)
    ]
    assert compare.published(path, tasks) == {"peer": pytest.approx((1.0 + 3 * 0.4) / 4)}


@pytest.mark.parametrize(("name", "least", "tempting"), [("applications", 100, 20), ("applications_blind", 60, 1)])
def test_labels_of_applications_are_complete(name: str, least: int, tempting: int) -> None:
    rows = [json.loads(line) for line in (QUALITY / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= least and len({(row["repo"], row["query"]) for row in rows}) == len(rows)
    for row in rows:
        assert row["relevant"] and row["evidence"] and row["note"] and row["category"]
        assert not set(row["relevant"]) & set(row.get("decoys", ())), row["query"]
        assert ("decoy_kind" not in row) or row["decoys"], row["query"]
    assert sum("decoy_kind" in row for row in rows) >= tempting
    tasks = scoring.load_tasks(QUALITY / f"{name}.jsonl")
    assert [task.query for task in tasks] == [row["query"] for row in rows]


@pytest.mark.parametrize("name", ["intents_dev.jsonl", "intents_own.jsonl", "intents_blind.jsonl"])
def test_labels_of_intents_are_known(name: str) -> None:
    rows = [json.loads(line) for line in (QUALITY / name).read_text(encoding="utf-8").splitlines()]
    assert len({row["query"] for row in rows}) == len(rows)
    assert all({row["intent"], *row.get("accept", ())} <= INTENTS and row["note"] for row in rows)


@pytest.mark.parametrize("name", ["intents_dev.jsonl", "intents_own.jsonl", "intents_blind.jsonl"])
def test_intents_keep_their_accuracy(name: str) -> None:
    figures = intents.score([json.loads(line) for line in (QUALITY / name).read_text(encoding="utf-8").splitlines()])
    assert figures["accuracy"] >= 0.95, figures["wrong"]
    assert figures["sure"] >= 50 and figures["sure_wrong"] <= 0.02 * figures["sure"]
