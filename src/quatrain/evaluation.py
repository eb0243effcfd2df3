"""How well an index answers a set of judged questions, per intent, per modality and with parts switched off.

NDCG@10 with binary gain over distinct files (Jarvelin and Kekalainen 2002), mean reciprocal rank, recall@10 and the share of questions
without any answer.  Intervals are 95 % percentile bootstraps over questions with a fixed seed; the difference of a variant to the full
engine is paired by question.
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
from quatrain.files.languages import content_class, language_of
from quatrain.records import MODALITIES, to_plain

__all__ = [
    "Difference",
    "JudgedQuery",
    "Report",
    "Score",
    "evaluate",
    "figure_class",
    "load_queries",
    "mine_git",
    "plot",
]

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
class Difference:
    """Mean NDCG of a variant minus that of the full engine, over the same questions, with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Report:
    """Scores by variant ("full", "evidence off", "without text" ...), then by group ("all" or an intent)."""

    scores: Mapping[str, Mapping[str, Score]]
    differences: Mapping[str, Difference]  # of every variant but the full engine
    worst: tuple[tuple[str, float], ...]  # questions of the full variant with the lowest NDCG
    unreachable: tuple[str, ...]  # labels that no indexed file meets: they count as misses

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
    content: str = "code",
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
        Also score with each modality left out, each alone, and without the evidence step, which is the pure formula.
    content
        What is searched, as in `Index.search`: "code", "docs", "config" or "all".
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
    differences: dict[str, Difference] = {}
    full: np.ndarray | None = None
    worst: list[tuple[str, float]] = []
    for variant, options in variants.items():
        rows: list[tuple[str, float, float, float, float]] = []
        for number, judged in enumerate(queries):
            answer = index.search(judged.query, limit=DEPTH, content=content, **options)
            ranks = _ranks([hit.path for hit in answer.hits], judged.relevant)
            rows.append((judged.intent or answer.intent, *_measures(ranks, len(judged.relevant), bool(answer.hits))))
            progress(variant, number + 1, len(queries))
        scores[variant] = _grouped(rows)
        gains = np.array([row[1] for row in rows])
        if full is None:
            full = gains
        else:
            low, high = _interval(gains - full)
            differences[variant] = Difference(round(float((gains - full).mean()), 4), low, high)
        if variant == "full":
            by_ndcg = sorted(zip(queries, rows, strict=True), key=lambda pair: pair[1][1])
            worst = [(judged.query, row[1]) for judged, row in by_ndcg[:20] if row[1] < 1]
    return Report(scores, differences, tuple(worst), _unreachable(index, queries))


def _unreachable(index: Index, queries: Iterable[JudgedQuery]) -> tuple[str, ...]:
    paths = [file.path for file in index.files() if file.indexed]
    known = set(paths)
    labels = dict.fromkeys(label for judged in queries for label in judged.relevant)
    return tuple(
        label
        for label in labels
        if label not in known and not (label.endswith("/") and any(path.startswith(label) for path in paths))
    )


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
    low, high = _interval(values[:, 0])
    ndcg, mrr, recall, zero = (round(float(value), 4) for value in values.mean(axis=0))
    return Score(len(values), ndcg, low, high, mrr, recall, zero)


def _interval(values: np.ndarray) -> tuple[float, float]:
    """Return the 2.5th and 97.5th percentile of the mean over resampled questions."""
    picks = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.percentile(values[picks].mean(axis=1), [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)


def mine_git(root: Path, *, limit: int = 500, content: str = "code") -> list[JudgedQuery]:
    """Make judged questions from a repository's history: the subject of a commit asks for the files it changed.

    Only files of the ``content`` that will be searched count.  Merges, commits with more than five surviving files, and subjects of fewer
    than four words are left out.  The labels are silver: other files may answer as well, and a file may answer because of that very commit.

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
        paths = tuple(name for name in names if name and (root / name).is_file() and _is_content(name, content))
        words = len(subject.split())
        if COMMIT_FILES[0] <= len(paths) <= COMMIT_FILES[1] and COMMIT_WORDS[0] <= words <= COMMIT_WORDS[1]:
            found.setdefault(subject, JudgedQuery(subject, paths))
        if len(found) >= limit:
            break
    if not found:
        raise BadQuery(f"no commit of {root} has a subject of four words and one to five files that still exist")
    return list(found.values())


def _is_content(path: str, content: str) -> bool:
    return content == "all" or content_class(path, language_of(path)) == content


def figure_class() -> Any:
    """Return matplotlib's ``Figure``.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("a plot needs matplotlib: pip install 'quatrain[plot]'") from error
    return Figure


def plot(report: Report, path: Path) -> None:
    """Draw NDCG@10 with its interval, of every variant and of every intent; the ending of ``path`` (.svg, .png) chooses the format.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    BadPath
        The file cannot be written, or its ending names no format.
    """
    variants = [(variant, groups["all"]) for variant, groups in report.scores.items()]
    intents = [(f"{intent} ({score.queries})", score) for intent, score in report.scores["full"].items()]
    height = 0.4 * max(len(variants), len(intents)) + 1.2
    figure = figure_class()(figsize=(11, height), layout="constrained")
    titles = ("variants, all questions", "full engine, by intent (questions)")
    for axes, rows, title in zip(figure.subplots(1, 2), (variants, intents), titles, strict=True):
        rows = rows[::-1]
        middle = [score.ndcg for _, score in rows]
        spread = [[s.ndcg - s.ndcg_low for _, s in rows], [s.ndcg_high - s.ndcg for _, s in rows]]
        axes.barh([name for name, _ in rows], middle, xerr=spread, color="#4878a8", ecolor="#333333", capsize=3)
        axes.set(xlim=(0, 1), xlabel=f"NDCG@{DEPTH}, 95 % interval", title=title)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise BadPath(f"the plot cannot be written to {path} ({error}); name a .svg or .png file") from error
