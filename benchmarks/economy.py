"""How many tokens an agent reads until it sees the first right file: quatrain, grep-and-read, and semble.

Protocol, written before the first run:

* Questions: ``applications.jsonl``, and with ``--public`` the public annotations (third-party data, read from ``--annotations``).  A file is
  right if a label names it.  The methods get the same words and nothing else, and are asked once.
* A token is four bytes of UTF-8, rounded up for each text.  It is an approximation, and the same one for all.
* quatrain: the agent reads the answer of the ``search`` tool, which is one JSON document.  Counted is the document without its hits, and
  then the JSON of hit after hit in rank order, until the first hit of a right file, that hit included.  Also given is the whole document,
  which is what an agent pays that cannot stop halfway.
* semble: its chunks as it returns them, each with its path and line range, in rank order, until the first chunk of a right file.
* grep-and-read: each word of the question (stop words left out) is searched with ripgrep, files are ranked by the sum of idf x (1 + log of
  matching lines), which is a better order than an agent has from raw output; the output of ripgrep itself is not charged, only the path
  of each file that is opened.  The agent then reads whole files in that order until the first right one, that file included.
* Every method may show ten results (hits, chunks, files).  A question whose right file is not among them is missed: it is charged with all
  that was read, and counted.  Means and medians are given over all questions and over those that the compared methods both answered.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import quatrain
from benchmarks.quality.applications import QUESTIONS as APPLICATIONS
from benchmarks.quality.baselines import Corpus, keyword_hits
from benchmarks.quality.peer_semble import NAME as SEMBLE
from benchmarks.quality.peer_semble import open_semble, stand_in_model
from benchmarks.quality.scoring import Task, load_annotations, load_tasks

__all__ = ["BYTES_PER_TOKEN", "Cost", "add_arguments", "read_until", "run", "summarise", "tokens"]

BYTES_PER_TOKEN = 4
SHOWN = 10
OURS, GREP = "quatrain", "grep-and-read"


class Cost(NamedTuple):
    """What one question cost with one method."""

    tokens: int  # read until the first right file, or all if there was none
    found: bool
    whole: int  # tokens of everything that was shown


def tokens(text: str) -> int:
    """Return the number of tokens of a text, approximately."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def read_until(results: Iterable[tuple[str, str]], right: Callable[[str], bool], start: int = 0) -> Cost:
    """Read (path, text) pairs in order.

    Parameters
    ----------
    results : iterable of (str, str)
        The path of each result and the text that is read for it; no more than ten are read.
    right : callable
        Whether a path answers the question.
    start : int
        Tokens that were read before the first result.

    Returns
    -------
    Cost
    """
    read, cost = start, None
    for number, (path, text) in enumerate(results):
        if number == SHOWN:
            break
        read += tokens(text)
        if cost is None and right(path):
            cost = read
    return Cost(read if cost is None else cost, cost is not None, read)


def measure(tasks: Sequence[Task], corpora: Path, indexes: Path, model: Path | None) -> dict[str, list[Cost]]:
    """Ask every question with every method; the lists are in the same order."""
    costs: dict[str, list[Cost]] = {name: [] for name in (OURS, GREP, *([SEMBLE] if model else []))}
    for repo in sorted({task.repo for task in tasks}):
        here = [task for task in tasks if task.repo == repo]
        base, root = corpora / repo, here[0].root
        index = quatrain.open(base / root, index_dir=indexes / "bundled" / repo)
        corpus = Corpus(base, root)
        peer = open_semble(base / root, model) if model else None
        for task in here:
            right = _right(task)
            answer = index.search(task.query, limit=SHOWN).to_dict()
            hits = [(hit["path"], json.dumps(hit, ensure_ascii=False)) for hit in answer.pop("hits")]
            costs[OURS].append(read_until(hits, right, tokens(json.dumps(answer, ensure_ascii=False))))
            files = ((path, f"{path}\n{_text(base / path)}") for path in keyword_hits(corpus, task.query)[:SHOWN])
            costs[GREP].append(read_until(files, right))
            if peer:
                chunks = ((c.path, f"{c.path}:{c.start_line}-{c.end_line}\n{c.text}") for c in peer(task.query))
                costs[SEMBLE].append(read_until(chunks, right))
        print(f"{repo}: {len(here)} questions", file=sys.stderr, flush=True)
    return costs


def _right(task: Task) -> Callable[[str], bool]:
    wanted = {
        path
        for target in task.targets
        for path in (target, f"{task.root}/{target}", target.removeprefix(f"{task.root}/"))
    }
    return lambda path: path.removeprefix("./") in wanted


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def summarise(costs: Mapping[str, Sequence[Cost]]) -> dict[str, Any]:
    """Return medians, means, misses, and the ratios to grep-and-read."""
    figures: dict[str, Any] = {}
    for name, rows in costs.items():
        both = [(row, other) for row, other in zip(rows, costs[GREP], strict=True) if row.found and other.found]
        figures[name] = {
            "median": statistics.median(row.tokens for row in rows),
            "mean": round(statistics.fmean(row.tokens for row in rows), 1),
            "median_whole": statistics.median(row.whole for row in rows),
            "missed": sum(not row.found for row in rows),
            "both_found": len(both),
            "median_both_found": statistics.median(row.tokens for row, _ in both),
            "mean_both_found": round(statistics.fmean(row.tokens for row, _ in both), 1),
            "grep_median_both_found": statistics.median(other.tokens for _, other in both),
            "grep_mean_both_found": round(statistics.fmean(other.tokens for _, other in both), 1),
        }
    for entry in figures.values():
        entry["median_share_of_grep"] = round(entry["median"] / figures[GREP]["median"], 4)
        entry["mean_share_of_grep"] = round(entry["mean"] / figures[GREP]["mean"], 4)
        entry["whole_share_of_grep"] = round(entry["median_whole"] / figures[GREP]["median"], 4)
    return figures


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument("--applications", type=Path, help="where `benchmarks applications` laid its corpora out")
    parser.add_argument("--public", type=Path, help="corpora of the public annotations, one folder for each repository")
    parser.add_argument("--annotations", type=Path, help="folder with _repos.json and <repo>.json")
    parser.add_argument("--indexes", type=Path, default=Path("build/indexes"), help="where our indexes are kept")
    parser.add_argument("--model", type=Path, help="folder for semble's stand-in model; semble is left out without it")
    parser.add_argument("--results", type=Path, help="write all figures to this JSON file")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    sets: dict[str, tuple[Path, list[Task]]] = {}
    if args.applications:
        sets["applications"] = (args.applications, load_tasks(APPLICATIONS))
    if args.public and args.annotations:
        sets["public"] = (args.public, load_annotations(args.annotations))
    if not sets:
        print("give --applications, or --public with --annotations", file=sys.stderr)
        return 2
    model = stand_in_model(args.model) if args.model else None
    results: dict[str, Any] = {"bytes_per_token": BYTES_PER_TOKEN, "quatrain": quatrain.__version__, "sets": {}}
    for name, (corpora, tasks) in sets.items():
        tasks = [task for task in tasks if (corpora / task.repo).is_dir()]
        figures = summarise(measure(tasks, corpora, args.indexes, model))
        results["sets"][name] = {"questions": len(tasks), "methods": figures}
        print(f"{name}: {len(tasks)} questions, tokens read until the first right file")
        print(
            "| | median | mean | share of grep-and-read (median, mean) | missed | whole answer, median | both found: median, mean (grep) |"
        )
        print("|---|---|---|---|---|---|---|")
        for method, f in figures.items():
            print(
                f"| {method} | {f['median']:,.0f} | {f['mean']:,.0f} | {f['median_share_of_grep']:.3f}, {f['mean_share_of_grep']:.3f} | "
                f"{f['missed']} | {f['median_whole']:,.0f} | {f['median_both_found']:,.0f}, {f['mean_both_found']:,.0f} "
                f"({f['grep_median_both_found']:,.0f}, {f['grep_mean_both_found']:,.0f}) |"
            )
    if args.results:
        args.results.parent.mkdir(parents=True, exist_ok=True)
        args.results.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0
