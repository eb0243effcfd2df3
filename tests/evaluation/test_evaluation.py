"""Scores of judged questions, against hand-computed ones."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path

import pytest

import quatrain
from quatrain import evaluation
from quatrain.cli import main
from quatrain.errors import BadPath, BadQuery
from quatrain.evaluation import JudgedQuery


def test_measures_by_hand() -> None:
    ranks = evaluation._ranks(["x", "a", "a", "y", "b"], ["b", "a", "missing"])
    assert ranks == [2, 4]
    ndcg, reciprocal, recall, zero = evaluation._measures(ranks, 3, True)
    gain = 1 / math.log2(3) + 1 / math.log2(5)
    assert ndcg == pytest.approx(gain / (1 + 1 / math.log2(3) + 1 / 2))
    assert (reciprocal, recall, zero) == (0.5, 2 / 3, 0.0)
    assert evaluation._measures([], 1, False) == (0.0, 0.0, 0.0, 1.0)


def test_a_folder_as_label_is_met_by_any_file_below_it() -> None:
    assert evaluation._ranks(["src/a.py", "lib/b.py"], ["lib/"]) == [2]


def test_report_has_variants_intents_and_intervals(project: Path) -> None:
    index = quatrain.build(project, workers=1)
    queries = [
        JudgedQuery("where is add_tax defined", ("shop/money.py",)),
        JudgedQuery("how does authentication work", ("shop/login.py",)),
        JudgedQuery("qzxv wkjp", ("shop/login.py",)),
    ]
    report = evaluation.evaluate(index, queries)
    full = report.scores["full"]
    assert full["all"].queries == 3 and full["find_definition"].ndcg == 1.0
    assert full["all"].ndcg == pytest.approx(2 / 3, abs=1e-4) and full["all"].zero_rate == pytest.approx(
        1 / 3, abs=1e-4
    )
    assert full["all"].ndcg_low <= full["all"].ndcg <= full["all"].ndcg_high
    assert {"evidence off", "without text", "graph alone"} <= set(report.scores)
    assert report.worst == (("qzxv wkjp", 0.0),)
    assert report.unreachable == ()
    # Without words, syntax and graph nothing is known of a name but its meaning; the nonsense stays nonsense.
    alone = report.scores["graph alone"]["all"]
    change = report.differences["graph alone"]
    assert change.mean == pytest.approx(alone.ndcg - full["all"].ndcg, abs=2e-4)
    assert change.low <= change.mean <= change.high and "full" not in report.differences
    json.dumps(report.to_dict())


def test_labels_without_a_file_are_told_and_content_is_chosen(project: Path) -> None:
    (project / "guide.md").write_text("# How taxes are rounded\n\nTaxes are rounded half up.\n")
    index = quatrain.build(project, workers=1)
    queries = [JudgedQuery("how are taxes rounded", ("guide.md", "shop/gone.py", "shop/", "nowhere/"))]
    code = evaluation.evaluate(index, queries, ablations=False)
    assert code.unreachable == ("shop/gone.py", "nowhere/")
    docs = evaluation.evaluate(index, queries, ablations=False, content="docs")
    assert docs.scores["full"]["all"].mrr == 1.0
    assert code.differences == {}


def test_plot_draws_variants_and_intents(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    score = evaluation.Score(3, 0.5, 0.4, 0.6, 0.5, 0.5, 0.0)
    report = evaluation.Report(
        {"full": {"all": score, "exact_match": score}, "evidence off": {"all": score}}, {}, (), ()
    )
    for name, magic in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG")):
        evaluation.plot(report, tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(magic)
    drawn = (tmp_path / "a.svg").read_text()
    assert "95 % interval" in drawn
    for path in (tmp_path / "a.xyz", tmp_path / "missing" / "a.svg"):
        with pytest.raises(BadPath, match="plot cannot be written"):
            evaluation.plot(report, path)


def test_queries_are_read_and_mistakes_named(tmp_path: Path) -> None:
    good = tmp_path / "good.jsonl"
    good.write_text(
        '{"query": "a b", "relevant": ["x.py"]}\n\n{"query": "c", "accept": ["y.py"], "intent": "exact_match"}\n'
    )
    assert [q.intent for q in evaluation.load_queries(good)] == ["", "exact_match"]
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"query": "a", "relevant": ["x"]}\n{"query": ""}\n')
    with pytest.raises(BadQuery, match=r"bad\.jsonl:2"):
        evaluation.load_queries(bad)
    with pytest.raises(BadPath):
        evaluation.load_queries(tmp_path / "missing.jsonl")


def test_questions_from_history(project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "-C", str(project), *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    for subject, path in [
        ("add tax to every amount", "shop/money.py"),
        ("fix", "shop/cart.py"),
        ("log customers in", "shop/login.py"),
    ]:
        git("add", path)
        git("commit", "-q", "-m", subject)
    (project / "gone.py").write_text("x = 1\n")
    git("add", "gone.py")
    git("commit", "-q", "-m", "a file that goes away again")
    (project / "gone.py").unlink()
    mined = evaluation.mine_git(project)
    assert [(q.query, q.relevant) for q in mined] == [("add tax to every amount", ("shop/money.py",))]
    saved = tmp_path / "mined.jsonl"
    assert main(["eval", "--mine-git", "10", str(project), "--no-ablations", "--save-queries", str(saved)]) == 0
    shown = capsys.readouterr().out
    assert "NDCG@10" in shown and "[" not in shown  # one question has no interval
    for arguments in (["--mine-git", str(project)], [str(project), "--mine-git"], ["--mine-git=1", str(project)]):
        assert main(["eval", *arguments, "--no-ablations"]) == 0
        assert capsys.readouterr().out == shown
    for arguments in (["--mine-git", "many", str(project)], ["--mine-git", "0", str(project)]):
        assert main(["eval", *arguments]) == 2
        assert "--mine-git takes a number" in capsys.readouterr().err
    assert main(["eval", str(saved), str(project), "--no-ablations", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scores"]["full"]["all"]["queries"] == 1
    with pytest.raises(BadPath):
        evaluation.mine_git(tmp_path / "nowhere")
