"""``python -m benchmarks intents``: how well and how fast questions are classified.

The labels name the intent, and for a few ambiguous questions other tolerable ones (``accept``).  Reported are the accuracy, strict and with
those alternatives; how many answers are sure enough to skip fusion (confidence >= 0.85) and how many of them are wrong; each rule that was
wrong; and the time of one call, measured per question as the best of some rounds after a first one that compiles the expressions.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from quatrain.query.intent import classify
from quatrain.query.plan import DIRECT_CONFIDENCE, make_plan
from quatrain.records import MODALITIES

__all__ = ["add_arguments", "measure", "run", "score"]

QUESTIONS = Path(__file__).with_name("quality") / "intents_dev.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this benchmark."""
    parser.add_argument(
        "questions", nargs="?", type=Path, default=QUESTIONS, help="JSONL of {query, intent, accept?, note?}"
    )
    parser.add_argument("--rounds", type=int, default=20, help="timed rounds over all questions (default: 20)")
    parser.add_argument("--by", choices=("intent", "note", "rule"), default="note", help="break the accuracy down")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")


def run(args: argparse.Namespace) -> int:
    """Print the figures; return 0."""
    rows = [json.loads(line) for line in args.questions.read_text("utf-8").splitlines() if line.strip()]
    figures = {
        "questions": len(rows),
        "python": platform.python_version(),
        "machine": platform.machine(),
        **score(rows),
        "classify_us": measure(classify, rows, args.rounds),
        "plan_us": measure(_plan, rows, args.rounds),
    }
    _show(figures, args.by)
    if args.json:
        args.json.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


def score(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return accuracy, the reliability of sure answers, and every mistake.

    Parameters
    ----------
    rows : sequence of dict
        ``query``, ``intent``, optionally ``accept`` (other tolerable intents) and ``note`` (kind of question).
    """
    strict = tolerated = sure = sure_wrong = 0
    tally: dict[str, dict[str, list[int]]] = {"intent": {}, "note": {}, "rule": {}}
    wrong = []
    for row in rows:
        found = classify(row["query"])
        right = found.name == row["intent"] or found.name in row.get("accept", ())
        strict += found.name == row["intent"]
        tolerated += right
        if found.confidence >= DIRECT_CONFIDENCE:
            sure += 1
            sure_wrong += not right
        for by, key in (("intent", row["intent"]), ("note", row.get("note", "")), ("rule", found.rule)):
            count = tally[by].setdefault(key, [0, 0])
            count[0] += right
            count[1] += 1
        if not right:
            wrong.append({"query": row["query"], "wanted": row["intent"], "found": found.to_dict()})
    return {
        "accuracy_strict": strict / len(rows),
        "accuracy": tolerated / len(rows),
        "macro_f1": _macro_f1(rows),
        "sure": sure,
        "sure_wrong": sure_wrong,
        "right_of": tally,
        "wrong": wrong,
    }


def _macro_f1(rows: Sequence[dict[str, Any]]) -> float:
    pairs = Counter((row["intent"], classify(row["query"]).name) for row in rows)
    scores = []
    for intent in sorted({wanted for wanted, _ in pairs}):
        hits = pairs[intent, intent]
        wanted = sum(n for (w, _), n in pairs.items() if w == intent)
        found = sum(n for (_, f), n in pairs.items() if f == intent)
        scores.append(2 * hits / (wanted + found))
    return statistics.fmean(scores)


def measure(ask: Callable[[str], object], rows: Sequence[dict[str, Any]], rounds: int) -> dict[str, float]:
    """Return median, 90th and 99th percentile and maximum over the questions of the best time of one call, in microseconds."""
    best: dict[str, float] = defaultdict(lambda: float("inf"))
    for number in range(rounds + 1):
        for row in rows:
            start = time.perf_counter_ns()
            ask(row["query"])
            elapsed = (time.perf_counter_ns() - start) / 1e3
            if number:
                best[row["query"]] = min(best[row["query"]], elapsed)
    times = sorted(best.values())
    return {
        "median": round(statistics.median(times), 2),
        "p90": round(times[int(0.90 * (len(times) - 1))], 2),
        "p99": round(times[int(0.99 * (len(times) - 1))], 2),
        "max": round(times[-1], 2),
    }


_ALL = dict.fromkeys(MODALITIES, True)


def _plan(text: str) -> object:
    return make_plan(text, available=_ALL)


def _show(figures: dict[str, Any], by: str) -> None:
    for mistake in figures["wrong"]:
        found = mistake["found"]
        print(
            f"wrong: {mistake['query'][:70]!r}: {mistake['wanted']}, not {found['name']} {found['confidence']} ({found['rule']})"
        )
    for key, (right, count) in sorted(figures["right_of"][by].items()):
        print(f"  {key:<20} {right}/{count}")
    print(
        f"{figures['questions']} questions: accuracy {figures['accuracy']:.4f} (strict {figures['accuracy_strict']:.4f}), "
        f"macro F1 {figures['macro_f1']:.4f}; sure {figures['sure']}, of which wrong {figures['sure_wrong']}"
    )
    for name in ("classify_us", "plan_us"):
        times = figures[name]
        print(f"{name}: median {times['median']}, p90 {times['p90']}, p99 {times['p99']}, max {times['max']}")
