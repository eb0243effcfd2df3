"""Time to an answer through the public API: ``python -m benchmarks latency --root SOURCE``.

Questions of every kind are asked in turn, many times over, in one process with a warm index; the stages are those the answer itself reports.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import quatrain

__all__ = ["add_arguments", "run"]

TEMPLATES = {
    "definition": "where is {name} defined",
    "callers": "who calls {name}",
    "impact": "what breaks if I change {name}",
    "string": 'find the string "{text}"',
    "question": "how does {words} work",
    "name": "{name}",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--root", type=Path, required=True, help="source tree")
    parser.add_argument("--index-dir", type=Path, help="where to keep the index")
    parser.add_argument("--questions", type=int, default=60, help="different questions of each kind")
    parser.add_argument("--rounds", type=int, default=10, help="times each is asked; the first does not count")
    parser.add_argument("--json", type=Path, help="write the samples to this file")


def run(args: argparse.Namespace) -> int:
    """Print median and 99th percentile in microseconds, for each kind of question, the strategy it took, and each stage."""
    index = quatrain.open(args.root, index_dir=args.index_dir)
    counts = index.status().counts
    print(f"{counts['files']} files, {counts['chunks']} chunks, {counts['symbols']} symbols, {counts['edges']} edges")
    questions = _questions(index, args.questions)
    samples: dict[str, list[dict[str, float]]] = {}
    for turn in range(args.rounds):
        for kind, asked in questions.items():
            for question in asked:
                started = time.perf_counter()
                answer = index.search(question)
                total = (time.perf_counter() - started) * 1e6
                if turn:
                    row = {**answer.timings_us, "total": total}
                    samples.setdefault(f"{kind}, {answer.fusion_strategy}", []).append(row)
    print(f"{'question, strategy':<28} {'n':>5} {'median us':>10} {'p99 us':>9}   median of each stage")
    report: dict[str, Any] = {}
    for kind, rows in samples.items():
        totals = np.array([row["total"] for row in rows])
        stages = sorted({stage for row in rows for stage in row} - {"total"})
        parts = {stage: round(float(np.median([row[stage] for row in rows if stage in row]))) for stage in stages}
        report[kind] = {
            "median_us": float(np.median(totals)),
            "p99_us": float(np.percentile(totals, 99)),
            "stages_us": parts,
        }
        print(
            f"{kind:<28} {len(rows):>5} {report[kind]['median_us']:>10.0f} {report[kind]['p99_us']:>9.0f}   "
            + ", ".join(f"{stage} {us}" for stage, us in parts.items())
        )
    if args.json:
        args.json.write_text(json.dumps({"counts": dict(counts), "kinds": report, "samples": samples}))
    return 0


def _questions(index: quatrain.Index, count: int) -> dict[str, list[str]]:
    """Make questions from the index's own names, spread evenly over them."""
    rows = [
        row
        for row in index.symbols()
        if row.kind in ("function", "method", "class") and len(row.name) > 8 and "_" in row.name
    ]
    unique = list({row.name: row for row in rows}.values())
    chosen = unique[:: max(1, len(unique) // count)][:count]
    return {
        kind: [
            template.format(
                name=row.name, words=row.name.strip("_").replace("_", " "), text=row.signature[:40].replace('"', "'")
            )
            for row in chosen
        ]
        for kind, template in TEMPLATES.items()
    }
