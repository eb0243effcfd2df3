"""Answers beside those of ripgrep, BM25, ctags, a BM25 reranker and semble: the same questions, corpora and scorer, in one run.

    python -m benchmarks compare --applications DIR --references DIR --public DIR --annotations DIR
    python -m benchmarks compare --table benchmarks/results/quality-0.1.0.json

Four sets of questions, each over the corpora of a folder: ``--public``, the public annotations (third-party data, read from ``--annotations``
and not part of this project); ``--references``, who calls and who depends, over the same corpora; ``--applications``, the six trees that
``python -m benchmarks applications`` lays out; ``--blind``, five further trees of that command, at which nobody had looked when the ranking
was made.  Each method ranks distinct files, a path counts if it is equal, and NDCG@10 is the mean over questions; intervals and paired
differences come from resampling repositories (``benchmarks.quality.scoring``).

semble runs with a stand-in model (see ``benchmarks.quality.peer_semble``); the figure that its authors published for the same repositories,
at other revisions of them and by a rule that lets one file take several ranks, is printed as published.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import quatrain
from benchmarks.quality.applications import BLIND
from benchmarks.quality.applications import QUESTIONS as APPLICATIONS
from benchmarks.quality.baselines import METHODS, Corpus
from benchmarks.quality.peer_semble import NAME as SEMBLE
from benchmarks.quality.peer_semble import open_semble, stand_in_model
from benchmarks.quality.scoring import (
    METRICS,
    Row,
    Task,
    difference,
    interval,
    load_annotations,
    load_tasks,
    mean,
    score,
    table,
)

__all__ = ["OURS", "Ask", "add_arguments", "markdown", "openers", "run"]

REFERENCES = Path(__file__).with_name("quality") / "references_dev.jsonl"
OURS = "quatrain"
NO_MODEL = "quatrain, no embedder"
K = 10
SETS = {
    "public": "public benchmark",
    "references": "who calls, who depends",
    "applications": "applications and monorepos",
    "blind": "applications, asked blind",
}
Ask = Callable[[str], Sequence[str]]
Open = Callable[[str, Path, str], Ask]  # (repository, its folder, the part that is searched) -> paths for a question


def openers(indexes: Path, model: Path | None) -> dict[str, Open]:
    """Return every method by name.

    Parameters
    ----------
    indexes : Path
        Where our indexes are kept.
    model : Path, optional
        The folder for semble's stand-in model; without it semble is left out.
    """

    def ours(embedder: str) -> Open:
        def open_index(repo: str, base: Path, root: str) -> Ask:
            index = quatrain.open(base / root, embedder=embedder, index_dir=indexes / embedder / repo)
            return lambda query: [os.path.join(root, hit.path) for hit in index.search(query, limit=K).hits]

        return open_index

    corpora: dict[Path, Corpus] = {}

    def baseline(name: str) -> Open:
        def open_corpus(repo: str, base: Path, root: str) -> Ask:
            if base not in corpora:
                corpora.clear()  # one repository in memory at a time
                corpora[base] = Corpus(base, root)
            return lambda query: [passage.path for passage in METHODS[name](corpora[base], query)]

        return open_corpus

    def semble(repo: str, base: Path, root: str) -> Ask:
        ask = open_semble(base / root, model)
        return lambda query: [os.path.join(root, chunk.path) for chunk in ask(query)]

    found = {OURS: ours("bundled"), NO_MODEL: ours("none")} | {name: baseline(name) for name in METHODS}
    return found | ({SEMBLE: semble} if model else {})


def measure(
    tasks: Sequence[Task],
    corpora: Path,
    methods: Mapping[str, Open],
    *,
    answers: Path | None,
    progress: Callable[[str], None],
) -> dict[str, list[Row]]:
    """Ask every question with every method.

    Parameters
    ----------
    tasks : sequence of Task
    corpora : Path
        Holds one folder for each repository.
    methods : mapping of str to callable
        What ``openers`` returned.
    answers : Path, optional
        A folder in which the peers' answers are kept: what is there is not asked again.  Ours are always asked anew.
    progress : callable
        Is told a line after each repository and method.
    """
    rows: dict[str, list[Row]] = {name: [] for name in methods}
    kept = {name: _read_answers(answers, name) if answers and name not in (OURS, NO_MODEL) else {} for name in methods}
    for repo in sorted({task.repo for task in tasks}):
        here = [task for task in tasks if task.repo == repo]
        for name, open_method in methods.items():
            found = kept[name]
            if any(_key(task) not in found for task in here):
                ask = open_method(repo, corpora / repo, here[0].root)
                ask("warm up")
                for task in here:
                    started = time.perf_counter()
                    paths = list(ask(task.query))
                    found[_key(task)] = {"paths": paths, "ms": (time.perf_counter() - started) * 1e3}
                if answers:
                    answers.mkdir(parents=True, exist_ok=True)
                    lines = (json.dumps({"task": key, **entry}) + "\n" for key, entry in found.items())
                    _answers_file(answers, name).write_text("".join(lines), encoding="utf-8")
            rows[name] += [score(task, found[_key(task)]["paths"], K, found[_key(task)]["ms"]) for task in here]
            progress(f"{repo}: {name} {mean([row for row in rows[name] if row.task.repo == repo]):.3f}")
    return rows


def _key(task: Task) -> str:
    return f"{task.repo}/{task.root}: {task.query}"


def _answers_file(folder: Path, method: str) -> Path:
    return folder / f"{method.replace(' ', '_')}.jsonl"


def _read_answers(folder: Path, method: str) -> dict[str, Any]:
    path = _answers_file(folder, method)
    if not path.is_file():
        return {}
    entries = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {entry.pop("task"): entry for entry in entries}


def summarise(rows: Mapping[str, Sequence[Row]]) -> dict[str, Any]:
    """Return figures by method: means, interval, paired difference to ours, categories, median time."""
    figures: dict[str, Any] = {}
    for name, scored in rows.items():
        entry: dict[str, Any] = {metric: round(mean(scored, metric), 4) for metric in METRICS}
        entry["interval"] = [round(x, 4) for x in interval((row.task.repo, row.ndcg) for row in scored)]
        if name != OURS and OURS in rows:
            entry["difference"] = [round(x, 4) for x in difference(scored, rows[OURS])]
        for group, key in (("category", lambda row: row.task.category), ("name", lambda row: row.task.named)):
            entry[group] = {k: round(v["ndcg"], 4) for k, v in table(scored, key).items()}
        tempted = [row.misled for row in scored if row.task.decoys]
        if tempted:
            entry["misled"] = round(sum(tempted) / len(tempted), 4)  # share with a decoy before the first right file
        times = sorted(row.ms for row in scored if row.ms is not None)
        entry["median_ms"] = round(times[len(times) // 2], 3)
        figures[name] = entry
    return figures


def published(path: Path, tasks: Iterable[Task]) -> dict[str, float]:
    """Return the peers' published NDCG@10 over the repositories asked about, each weighted by its questions."""
    figures = json.loads(path.read_text(encoding="utf-8"))
    found = {}
    for tool, repos in figures.items():
        known = [repos[task.repo]["ndcg10"] for task in tasks if task.repo in repos]
        if known:
            found[tool] = round(sum(known) / len(known), 4)
    return found


def markdown(figures: Mapping[str, Any]) -> str:
    """Return the table for the README: a row for each method, a column for each set."""
    sets = [name for name in SETS if name in figures["sets"]]
    lines = [
        "| NDCG@10 | " + " | ".join(f"{SETS[s]}, {figures['sets'][s]['questions']} questions" for s in sets) + " |",
        "|---|" + "---|" * len(sets),
    ]
    methods = dict.fromkeys(name for s in sets for name in figures["sets"][s]["methods"])
    first = figures["sets"][sets[0]]["methods"]
    for name in sorted(methods, key=lambda name: (name != OURS, -first.get(name, {"ndcg": 0})["ndcg"])):
        cells = []
        for s in sets:
            entry = figures["sets"][s]["methods"].get(name)
            if entry is None:
                cells.append("not measured")
                continue
            cell = "{:.3f} [{:.3f}, {:.3f}]".format(entry["ndcg"], *entry["interval"])
            if "difference" in entry:
                cell += "; {:+.3f} [{:+.3f}, {:+.3f}]".format(*entry["difference"])
            cells.append(cell)
        lines.append(f"| {'**' + name + '**' if name == OURS else name} | " + " | ".join(cells) + " |")
    for tool, value in sorted(figures["sets"].get("public", {}).get("published", {}).items(), key=lambda x: -x[1]):
        lines.append(f"| {tool}, as published | {value:.3f} |" + " |" * (len(sets) - 1))
    return "\n".join(lines)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--public", type=Path, help="corpora of the public annotations, one folder for each repository")
    parser.add_argument("--annotations", type=Path, help="folder with _repos.json and <repo>.json")
    parser.add_argument("--references", type=Path, help="corpora of references_dev.jsonl (the same as --public)")
    parser.add_argument("--applications", type=Path, help="where `benchmarks applications` laid its corpora out")
    parser.add_argument("--blind", type=Path, help="the same, for the questions of applications_blind.jsonl")
    parser.add_argument("--methods", help="comma-separated; default: all")
    parser.add_argument("--indexes", type=Path, default=Path("build/indexes"), help="where our indexes are kept")
    parser.add_argument("--model", type=Path, help="folder for semble's stand-in model; semble is left out without it")
    parser.add_argument("--answers", type=Path, help="folder for the peers' answers, which are then asked only once")
    parser.add_argument("--published", type=Path, help="JSON of {tool: {repository: {ndcg10}}} as published")
    parser.add_argument("--results", type=Path, help="write all figures to this JSON file")
    parser.add_argument(
        "--table", type=Path, metavar="RESULTS", help="print the table of a results file and do nothing else"
    )


def run(args: argparse.Namespace) -> int:
    """Measure, print the table, keep the figures."""
    if args.table:
        print(markdown(json.loads(args.table.read_text(encoding="utf-8"))))
        return 0
    methods = openers(args.indexes, stand_in_model(args.model) if args.model else None)
    if args.methods:
        wanted = args.methods.split(",")
        if unknown := [name for name in wanted if name not in methods]:
            print(f"unknown method {', '.join(unknown)}; known: {', '.join(methods)}", file=sys.stderr)
            return 2
        methods = {name: methods[name] for name in wanted}
    figures: dict[str, Any] = {
        "quatrain": quatrain.__version__,
        "machine": platform.platform(),
        "python": platform.python_version(),
        "peers": _versions(bool(args.model)),
        "sets": {},
    }
    for name, (corpora, tasks) in _sets(args).items():
        rows = measure(
            tasks,
            corpora,
            methods,
            answers=args.answers,
            progress=lambda line: print(line, file=sys.stderr, flush=True),
        )
        entry = {"questions": len(tasks), "repositories": len({t.repo for t in tasks}), "methods": summarise(rows)}
        if name == "public" and args.published:
            entry["published"] = published(args.published, tasks)
        figures["sets"][name] = entry
        _show(name, entry)
    if not figures["sets"]:
        print("give --public with --annotations, --references, --applications or --blind", file=sys.stderr)
        return 2
    print(markdown(figures))
    if args.results:
        args.results.parent.mkdir(parents=True, exist_ok=True)
        args.results.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


def _sets(args: argparse.Namespace) -> dict[str, tuple[Path, list[Task]]]:
    found: dict[str, tuple[Path, list[Task]]] = {}
    if args.public and args.annotations:
        found["public"] = (args.public, load_annotations(args.annotations))
    if args.references:
        found["references"] = (args.references, load_tasks(REFERENCES, args.annotations))
    if args.applications:
        found["applications"] = (args.applications, load_tasks(APPLICATIONS))
    if args.blind:
        found["blind"] = (args.blind, load_tasks(BLIND))
    return {
        name: (corpora, [task for task in tasks if (corpora / task.repo).is_dir()])
        for name, (corpora, tasks) in found.items()
    }


def _show(name: str, entry: Mapping[str, Any]) -> None:
    print(f"{SETS[name]}: {entry['questions']} questions of {entry['repositories']} repositories")
    for method, figures in entry["methods"].items():
        line = "  {:32} {:.4f} [{:.3f}, {:.3f}]".format(method, figures["ndcg"], *figures["interval"])
        if "difference" in figures:
            line += "  {:+.4f} [{:+.4f}, {:+.4f}]".format(*figures["difference"])
        line += f"  recall {figures['recall']:.3f} zero {figures['zero']:.3f} median {figures['median_ms']:.2f} ms"
        line += f"  decoy first {figures['misled']:.3f}" if "misled" in figures else ""
        print(line + "  " + " ".join(f"{k} {v:.3f}" for k, v in figures["category"].items()))


def _versions(with_semble: bool) -> dict[str, str]:
    found = {}
    for command in ("rg", "ctags"):
        done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
        found[command] = done.stdout.splitlines()[0]
    return found | ({"semble": version("semble")} if with_semble else {})
