"""Tasks, NDCG@10 and intervals for search over files.

A task asks one question of one repository and lists the files that answer it.  A result list is first reduced to
distinct files, so that tools which return files and tools which return passages are measured alike; a file is found
when the paths are equal.  Gain is binary.  With ranks from 1, NDCG@k is the sum of 1 / log2(rank + 1) over the found
files among the first k, divided by the largest possible such sum.

The questions of one repository are not independent, so intervals come from resampling repositories.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

__all__ = [
    "METRICS",
    "Row",
    "Task",
    "difference",
    "interval",
    "load_annotations",
    "load_tasks",
    "mean",
    "score",
    "table",
]

METRICS = ("ndcg", "recall", "mrr", "top1", "zero")
RESAMPLES = 1000
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SUFFIXES = ("ations", "ation", "ings", "ing", "ions", "ion", "ies", "ers", "ed", "er", "es", "s")


@dataclass(frozen=True, slots=True)
class Task:
    """One question of one repository."""

    qid: str
    repo: str
    query: str
    category: str
    language: str
    root: str  # the part of the repository that is indexed
    targets: tuple[str, ...]
    named: str  # "named" if a word of a target's file name is in the question, else "unnamed"
    decoys: tuple[str, ...] = ()  # files with the same words that do not answer


@dataclass(frozen=True, slots=True)
class Row:
    """How one task was answered."""

    task: Task
    ndcg: float
    recall: float
    mrr: float
    top1: float
    zero: float
    ms: float | None
    misled: float = 0.0  # 1 if a decoy stands before the first target


def load_annotations(directory: Path, repos: Iterable[str] | None = None) -> list[Task]:
    """Read annotation files: ``_repos.json`` and a ``<repo>.json`` each with queries, ``relevant`` and ``secondary``.

    Parameters
    ----------
    directory : Path
        Where the files lie.
    repos : iterable of str, optional
        Only these.

    Returns
    -------
    list of Task
        In the order of the repositories' names and of the questions.
    """
    specs = {spec["name"]: spec for spec in json.loads((directory / "_repos.json").read_text(encoding="utf-8"))}
    tasks = []
    for repo in sorted(specs if repos is None else set(repos) & set(specs)):
        path = directory / f"{repo}.json"
        if not path.exists():
            continue
        for number, entry in enumerate(json.loads(path.read_text(encoding="utf-8"))):
            named = [
                t if isinstance(t, str) else t["path"]
                for key in ("relevant", "secondary")
                for t in entry.get(key) or ()
            ]
            tasks.append(
                _task(f"{repo}#{number}", repo, specs[repo], entry["query"], entry.get("category") or "unknown", named)
            )
    return tasks


def load_tasks(path: Path, annotations: Path | None = None) -> list[Task]:
    """Read a JSONL file of tasks ``{"repo", "query", "relevant" or "accept": [path], "category" or "kind"}``.

    Parameters
    ----------
    path : Path
        The file.
    annotations : Path, optional
        Folder with a ``_repos.json`` that gives each repository's language and root.

    Returns
    -------
    list of Task
    """
    specs = {}
    if annotations is not None:
        specs = {spec["name"]: spec for spec in json.loads((annotations / "_repos.json").read_text(encoding="utf-8"))}
    tasks = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        if line.strip():
            entry = json.loads(line)
            files = entry.get("relevant") or entry.get("accept") or ()
            category = entry.get("category") or entry.get("kind") or "unknown"
            spec = specs.get(entry["repo"], {})
            task = _task(f"{path.name}#{number}", entry["repo"], spec, entry["query"], category, files)
            tasks.append(replace(task, decoys=tuple(entry.get("decoys", ()))))
    return tasks


def _task(qid: str, repo: str, spec: Mapping[str, Any], query: str, category: str, targets: Iterable[str]) -> Task:
    files = tuple(dict.fromkeys(normal(path) for path in targets))
    asked = words(query)
    named = any(asked & words(path.rpartition("/")[2].rpartition(".")[0] or path) for path in files)
    root = normal(spec.get("benchmark_root") or "")
    return Task(qid, repo, query, category, spec.get("language", "?"), root, files, "named" if named else "unnamed")


def words(text: str) -> set[str]:
    """Return the lower-case words of a text or identifier, without common suffixes."""
    found = set()
    for word in re.findall(r"[^\W\d_]+", _CAMEL.sub(" ", text).lower()):
        suffix = next((s for s in _SUFFIXES if word.endswith(s) and len(word) - len(s) >= 4), "")
        found.add(word[: len(word) - len(suffix)])
    return {word for word in found if len(word) > 1}


def normal(path: str) -> str:
    """Return a path with forward slashes and nothing before its first name."""
    return path.replace("\\", "/").removeprefix("./").lstrip("/")


def score(task: Task, results: Sequence[str], k: int = 10, ms: float | None = None) -> Row:
    """Score one answer.

    Parameters
    ----------
    task : Task
        What was asked.
    results : sequence of str
        Paths, best first; relative to the repository or to the indexed part of it.
    k : int
        How many distinct files count.
    ms : float, optional
        How long the answer took.

    Returns
    -------
    Row
    """
    files = list(dict.fromkeys(normal(path) for path in results))
    prefix = f"{task.root}/" if task.root else ""
    ranks = []
    for target in task.targets:
        same = {target, prefix + target, target.removeprefix(prefix)}
        ranks.append(next((rank for rank, path in enumerate(files[:k], 1) if path in same), None))
    found = sorted({rank for rank in ranks if rank})
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(task.targets)) + 1))
    gained = sum(1 / math.log2(rank + 1) for rank in found)
    before = files[: found[0] - 1] if found else files[:k]
    return Row(
        task,
        gained / ideal if ideal else 0.0,
        sum(rank is not None for rank in ranks) / len(ranks) if ranks else 0.0,
        1 / found[0] if found else 0.0,
        float(bool(found) and found[0] == 1),
        float(not files),
        ms,
        float(not set(before).isdisjoint(task.decoys)),
    )


def mean(rows: Sequence[Row], metric: str = "ndcg") -> float:
    """Return the mean of a metric over tasks, NaN without any."""
    return sum(getattr(row, metric) for row in rows) / len(rows) if rows else math.nan


def interval(values: Iterable[tuple[str, float]], seed: int = 7) -> tuple[float, float]:
    """Return a 95 % interval of the mean of (repository, value) pairs, from resampling repositories."""
    by_repo: dict[str, list[float]] = defaultdict(list)
    for repo, value in values:
        by_repo[repo].append(value)
    names = sorted(by_repo)
    if not names:
        return math.nan, math.nan
    pick = random.Random(seed)
    means = []
    for _ in range(RESAMPLES):
        drawn = [by_repo[pick.choice(names)] for _ in names]
        means.append(sum(map(sum, drawn)) / sum(map(len, drawn)))
    means.sort()
    return means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES)]


def difference(rows: Sequence[Row], base: Sequence[Row], metric: str = "ndcg") -> tuple[float, float, float]:
    """Return the paired mean difference ``rows - base`` and its 95 % interval."""
    before = {row.task.qid: getattr(row, metric) for row in base}
    pairs = [(row.task.repo, getattr(row, metric) - before[row.task.qid]) for row in rows if row.task.qid in before]
    low, high = interval(pairs)
    return (sum(value for _, value in pairs) / len(pairs) if pairs else math.nan), low, high


def table(rows: Sequence[Row], by: Callable[[Row], str] | None = None) -> dict[str, dict[str, float]]:
    """Return the mean of every metric, and the number of tasks, for each group."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[by(row) if by else "all"].append(row)
    return {
        group: {metric: mean(groups[group], metric) for metric in METRICS} | {"n": len(groups[group])}
        for group in sorted(groups)
    }
