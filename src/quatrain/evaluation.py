"""How well an index answers a set of judged questions, per intent, per modality and with parts switched off.

NDCG@10 with binary gain over distinct files (Jarvelin and Kekalainen 2002), mean reciprocal rank, recall@10 and the share of questions
without any answer.  Intervals are 95 % percentile bootstraps over questions with a fixed seed.
"""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quatrain.engine import Index
from quatrain.errors import BadPath, BadQuery, MissingExtra
from quatrain.records import MODALITIES, to_plain

__all__ = ["JudgedQuery", "Report", "Score", "evaluate", "load_queries", "mine_git", "plot"]

DEPTH = 10
RESAMPLES = 1_000
COMMIT_FILES = (1, 5)
COMMIT_WORDS = (4, 30)


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A question and the files that answer it; ``intent`` is a label, or empty to use the classifier's."""

    query: str
    relevant: tuple[str, ...]
    intent: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """Means over ``queries`` questions; ``ndcg_low`` and ``ndcg_high`` bound the 95 % interval of ``ndcg``."""

    queries: int
    ndcg: float
    ndcg_low: float
    ndcg_high: float
    mrr: float
    recall: float
    zero_rate: float


@dataclass(frozen=True, slots=True)
class Report:
    """Scores by variant ("full", "evidence off", "without text" ...), then by group ("all" or an intent)."""

    scores: Mapping[str, Mapping[str, Score]]
    worst: tuple[tuple[str, float], ...]  # questions of the full variant with the lowest NDCG

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return to_plain(self)


def load_queries(path: Path) -> list[JudgedQuery]:
    """Read judged questions: one JSON object a line with ``query``, ``relevant`` (or ``accept``) and optionally ``intent``.

    Raises
    ------
    BadPath
        The file cannot be read.
    BadQuery
        A line is not such an object.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadPath(f"{path} cannot be read ({error}); give a JSONL file of judged questions") from error
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            relevant = row["relevant"] if "relevant" in row else row["accept"]
            if not row["query"] or not relevant:
                raise ValueError("empty")
            found.append(JudgedQuery(str(row["query"]), tuple(map(str, relevant)), str(row.get("intent", ""))))
        except (ValueError, KeyError, TypeError) as error:
            raise BadQuery(f'{path}:{number} is not {{"query": "...", "relevant": ["path", ...]}} ({error})') from None
    if not found:
        raise BadQuery(f"{path} holds no question")
    return found


def evaluate(
    index: Index,
    queries: Sequence[JudgedQuery],
    *,
    ablations: bool = True,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
) -> Report:
    """Ask every question in every variant and score the files found.

    Parameters
    ----------
    index
        The opened index.
    queries
        Judged questions.
    ablations
        Also score with each modality left out, each alone, and without the evidence step.
    progress
        Called with (variant, done, total).
    """
    live = [m for m in MODALITIES if m != "semantic" or index.status().embedder != "none"]
    variants: dict[str, dict[str, Any]] = {"full": {}}
    if ablations:
        variants["evidence off"] = {"evidence": False}
        variants |= {f"without {m}": {"modalities": [other for other in live if other != m]} for m in live}
        variants |= {f"{m} alone": {"modalities": [m]} for m in live}
    scores: dict[str, dict[str, Score]] = {}
    worst: list[tuple[str, float]] = []
    for variant, options in variants.items():
        rows: list[tuple[str, float, float, float, float]] = []
        for number, judged in enumerate(queries):
            answer = index.search(judged.query, limit=DEPTH, content="all", **options)
            ranks = _ranks([hit.path for hit in answer.hits], judged.relevant)
            rows.append((judged.intent or answer.intent, *_measures(ranks, len(judged.relevant), bool(answer.hits))))
            progress(variant, number + 1, len(queries))
        scores[variant] = _grouped(rows)
        if variant == "full":
            by_ndcg = sorted(zip(queries, rows, strict=True), key=lambda pair: pair[1][1])
            worst = [(judged.query, row[1]) for judged, row in by_ndcg[:20] if row[1] < 1]
    return Report(scores, tuple(worst))


def _ranks(paths: Sequence[str], relevant: Iterable[str]) -> list[int]:
    """Return the distinct ranks from 1 at which relevant files (or files below a relevant folder) stand."""
    distinct = list(dict.fromkeys(paths))
    found = set()
    for wanted in relevant:
        for rank, path in enumerate(distinct, 1):
            if rank not in found and (path == wanted or (wanted.endswith("/") and path.startswith(wanted))):
                found.add(rank)
                break
    return sorted(found)


def _measures(ranks: Sequence[int], relevant: int, answered: bool) -> tuple[float, float, float, float]:
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= DEPTH)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(relevant, DEPTH) + 1))
    return gain / ideal, 1 / ranks[0] if ranks else 0.0, len(ranks) / relevant, float(not answered)


def _grouped(rows: Sequence[tuple[str, float, float, float, float]]) -> dict[str, Score]:
    groups = {"all": rows} | {intent: [r for r in rows if r[0] == intent] for intent in sorted({r[0] for r in rows})}
    return {name: _score(np.array([row[1:] for row in members])) for name, members in groups.items()}


def _score(values: np.ndarray) -> Score:
    random = np.random.default_rng(0)
    resampled = values[random.integers(0, len(values), (RESAMPLES, len(values))), 0].mean(axis=1)
    low, high = np.percentile(resampled, [2.5, 97.5])
    ndcg, mrr, recall, zero = values.mean(axis=0)
    return Score(len(values), *(round(float(v), 4) for v in (ndcg, low, high, mrr, recall, zero)))


def mine_git(root: Path, *, limit: int = 500) -> list[JudgedQuery]:
    """Make judged questions from a repository's history: the subject of a commit asks for the files it changed.

    Merges, commits with more than five surviving files, and subjects of fewer than four words are left out.  The labels are silver: other
    files may answer as well, and a file may answer because of that very commit.

    Raises
    ------
    BadPath
        ``root`` is not in a git work tree, or git is missing.
    """
    command = [
        "git",
        "-C",
        str(root),
        "log",
        "--no-merges",
        "--relative",
        "--name-only",
        "--format=%x00%s",
        "-n",
        str(20 * limit),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadPath(f"git cannot be run in {root} ({error}); install git or give a file of questions") from error
    if done.returncode:
        raise BadPath(f"{root} has no git history ({done.stderr.strip()}); give a file of questions")
    found: dict[str, JudgedQuery] = {}
    for commit in done.stdout.split("\0")[1:]:
        subject, *names = commit.strip().splitlines()
        paths = tuple(name for name in names if name and (root / name).is_file())
        words = len(subject.split())
        if COMMIT_FILES[0] <= len(paths) <= COMMIT_FILES[1] and COMMIT_WORDS[0] <= words <= COMMIT_WORDS[1]:
            found.setdefault(subject, JudgedQuery(subject, paths))
        if len(found) >= limit:
            break
    if not found:
        raise BadQuery(f"no commit of {root} has a subject of four words and one to five files that still exist")
    return list(found.values())


def plot(report: Report, path: Path) -> None:
    """Draw NDCG@10 of every variant with its interval; the ending of ``path`` (.svg, .png) chooses the format.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("a plot needs matplotlib: pip install 'quatrain[plot]'") from error
    rows = [(variant, groups["all"]) for variant, groups in report.scores.items()][::-1]
    figure = Figure(figsize=(7, 0.45 * len(rows) + 1), layout="constrained")
    axes = figure.subplots()
    middle = [score.ndcg for _, score in rows]
    spread = [[s.ndcg - s.ndcg_low for _, s in rows], [s.ndcg_high - s.ndcg for _, s in rows]]
    axes.barh([variant for variant, _ in rows], middle, xerr=spread, color="#4878a8", ecolor="#333333", capsize=3)
    axes.set(xlim=(0, 1), xlabel=f"NDCG@{DEPTH}, 95 % interval, {rows[-1][1].queries} questions")
    figure.savefig(path)
