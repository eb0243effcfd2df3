"""Time to an answer through the public API, and where it goes.

``python -m benchmarks latency --root DJANGO --root LARGER`` opens (or builds) an index of each tree and asks, in one
process and one thread, questions of every kind by ``search``, questions about dependencies, and for definitions by name.
The questions are made from names of the tree itself, spread evenly over them.  Each is asked once to warm up and then
``--rounds`` times, all kinds in turn, so that a disturbance hits all of them.

A row of ``--json`` is one kind of question on one tree: wall time (median and 99th percentile) and CPU time of the thread
(median) in microseconds, the median of each stage that the answer reports, and what the same question costs a peer in the
same run: SQLite (an index on the names; FTS5 over the same chunks, any of the words, best ten by BM25) and ripgrep (the
name as a whole word, all lines; wall time of the process).
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import quatrain
from benchmarks.timing import machine
from quatrain.records import SymbolRow

__all__ = ["add_arguments", "run"]

RESULTS = Path(__file__).parent / "results" / "latency.json"
TEMPLATES = {
    "definition": "where is {name} defined",
    "callers": "who calls {name}",
    "impact": "what breaks if I change {name}",
    "string": 'find the string "{text}"',
    "question": "how does {words} work",
    "name": "{name}",
}
HUBS = 20
PROGRAM_RUNS = 10  # of ripgrep, which takes a million times longer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--root", type=Path, action="append", required=True, help="source tree (may be repeated)")
    parser.add_argument("--indexes", type=Path, help="where the indexes are kept, one folder for each tree's name")
    parser.add_argument("--embedder", help="of an index that is not there yet: bundled (default) or none")
    parser.add_argument("--questions", type=int, default=60, help="different questions of each kind")
    parser.add_argument("--rounds", type=int, default=10, help="times each is asked after the warm-up")
    parser.add_argument("--no-peers", action="store_true", help="leave out SQLite and ripgrep")
    parser.add_argument("--json", type=Path, default=RESULTS, help=f"where the rows go (default: {RESULTS.name})")


def run(args: argparse.Namespace) -> int:
    """Print a table for each tree and write all rows."""
    report: dict[str, Any] = {"machine": machine(("ripgrep",)) | {"clock": "wall and thread CPU time"}, "rows": []}
    for root in args.root:
        index_dir = args.indexes / root.name if args.indexes else None
        index = quatrain.open(root, index_dir=index_dir, embedder=args.embedder)
        counts = {key: index.status().counts[key] for key in ("files", "chunks", "symbols", "edges")}
        print(f"{root.name}: " + ", ".join(f"{value:,} {key}" for key, value in counts.items()))
        names = _names(index, args.questions)
        peers = {} if args.no_peers else _peers(index, root, names)
        print(f"  {'question, strategy':<34} {'n':>5} {'median us':>10} {'p99 us':>9} {'CPU us':>9}  stages; peers")
        for case, samples in _ask_all(_questions(index, names), args.rounds).items():
            row = _row(samples) | {
                "peers_us": {k: v for k, v in peers.items() if k.split(": ")[0] == case.split(",")[0]}
            }
            report["rows"].append({"corpus": root.name, **counts, "case": case, **row})
            details = "; ".join(
                ", ".join(f"{name} {value:,.0f}" for name, value in part.items())
                for part in (row["stages_us"], row["peers_us"])
                if part
            )
            print(
                f"  {case:<34} {row['n']:>5} {row['median_us']:>10.1f} {row['p99_us']:>9.1f} {row['cpu_us']:>9.1f}  {details}"
            )
    args.json.parent.mkdir(parents=True, exist_ok=True)
    args.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0


Ask = Callable[[], Any]
Sample = tuple[float, float, str, Mapping[str, float]]  # wall and CPU microseconds, strategy, stages


def _names(index: quatrain.Index, count: int) -> list[SymbolRow]:
    """Return definitions with telling names, spread evenly over the names of the index."""
    symbols = index.view.symbols
    step = max(1, symbols.count // (count * 50))
    rows = (
        row for number in range(0, symbols.count, step) for row in index.find_symbol(symbols.name(number)).symbols[:1]
    )
    telling = {
        row.name: row
        for row in rows
        if row.kind in ("function", "method", "class", "struct") and len(row.name) > 8 and _words(row.name).count(" ")
    }
    return list(telling.values())[:: max(1, len(telling) // count)][:count]


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.strip("_").replace("_", " ")).lower()


def _questions(index: quatrain.Index, rows: Sequence[SymbolRow]) -> dict[str, list[Ask]]:
    kinds: dict[str, list[Ask]] = {}
    for kind, template in TEMPLATES.items():
        texts = [
            template.format(name=r.name, words=_words(r.name), text=r.signature[:40].replace('"', "'")) for r in rows
        ]
        kinds[f"search {kind}"] = [partial(index.search, text) for text in texts]
        if kind == "question":
            kinds["search question, all four"] = [partial(index.search, text, preset="thorough") for text in texts]
    hubs = [hub.symbol.qualified_name for hub in index.hubs(limit=HUBS).hubs]
    for question in (index.callers, index.callees, index.references, index.impact):
        kinds[question.__name__] = [partial(question, row.qualified_name) for row in rows]
        kinds[f"{question.__name__} of a hub"] = [partial(question, name) for name in hubs]
    kinds["find_symbol exact"] = [partial(index.find_symbol, row.name) for row in rows]
    near = {"prefix": [row.name[:-2] for row in rows], "fuzzy": [row.name[:4] + row.name[5:] for row in rows]}
    for kind, names in near.items():
        kinds[f"find_symbol {kind}"] = [partial(index.find_symbol, name, fuzzy=True, limit=10) for name in names]
    return kinds


def _ask_all(kinds: Mapping[str, Sequence[Ask]], rounds: int) -> dict[str, list[Sample]]:
    found: dict[str, list[Sample]] = {}
    for turn in range(rounds + 1):
        for kind, asked in kinds.items():
            for ask in asked:
                wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
                answer = ask()
                cpu, wall = time.thread_time_ns() - cpu, time.perf_counter_ns() - wall
                if turn:
                    strategy = getattr(answer, "fusion_strategy", "")
                    case = f"{kind}, {strategy}" if strategy else kind
                    found.setdefault(case, []).append((wall / 1e3, cpu / 1e3, strategy, answer.timings_us))
    return found


def _row(samples: Sequence[Sample]) -> dict[str, Any]:
    wall = np.array([sample[0] for sample in samples])
    stages = sorted({stage for sample in samples for stage in sample[3]} - {"total"})
    return {
        "n": len(samples),
        "median_us": round(float(np.median(wall)), 1),
        "p99_us": round(float(np.percentile(wall, 99)), 1),
        "cpu_us": round(float(np.median([sample[1] for sample in samples])), 1),
        "stages_us": {
            stage: round(float(np.median([sample[3][stage] for sample in samples if stage in sample[3]])), 1)
            for stage in stages
        },
    }


def _peers(index: quatrain.Index, root: Path, rows: Sequence[SymbolRow]) -> dict[str, float]:
    """Return the median of each peer in microseconds, by ``case: peer``."""
    found: dict[str, float] = {}
    database = sqlite3.connect(":memory:")
    view = index.view
    database.execute("CREATE TABLE symbol (name TEXT, path TEXT, line INTEGER)")
    symbols = view.symbols
    files, lines = symbols.files.tolist(), symbols.lines.tolist()
    database.executemany(
        "INSERT INTO symbol VALUES (?, ?, ?)",
        ((symbols.name(s), view.documents.path(files[s]), lines[s]) for s in range(symbols.count)),
    )
    database.execute("CREATE INDEX by_name ON symbol (name)")
    by_name = "SELECT name, path, line FROM symbol WHERE name = ? LIMIT 100"
    exact = [lambda name=row.name: database.execute(by_name, (name,)).fetchall() for row in rows]
    found["find_symbol exact: SQLite index"] = _median(exact)
    by_prefix = "SELECT name, path, line FROM symbol WHERE name >= ? AND name < ? LIMIT 10"
    prefix = [
        lambda low=row.name[:-2]: database.execute(by_prefix, (low, low + chr(0x10FFFF))).fetchall() for row in rows
    ]
    found["find_symbol prefix: SQLite index"] = _median(prefix)
    database.execute("CREATE VIRTUAL TABLE chunk USING fts5(body, content='')")
    database.executemany("INSERT INTO chunk (rowid, body) VALUES (?, ?)", _bodies(index))
    best = "SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY bm25(chunk) LIMIT 10"
    asked = [" OR ".join(f'"{word}"' for word in ("how does " + _words(row.name) + " work").split()) for row in rows]
    found["search question: SQLite FTS5"] = _median(
        [lambda query=query: database.execute(best, (query,)).fetchall() for query in asked]
    )
    program = shutil.which("rg")
    if program is not None:
        for case in ("search definition", "search callers"):
            found[f"{case}: ripgrep"] = _median(
                [
                    lambda name=row.name: subprocess.run(
                        [program, "-nwF", name, root], capture_output=True, check=False
                    )
                    for row in rows[:PROGRAM_RUNS]
                ],
                rounds=1,
            )
    return found


def _bodies(index: quatrain.Index) -> Iterator[tuple[int, str]]:
    view = index.view
    for file in range(view.documents.count):
        data = view.documents.content(file)
        for chunk in view.chunks.of_file(file):
            start, end = int(view.chunks.start_bytes[chunk]), int(view.chunks.end_bytes[chunk])
            yield chunk, data[start:end].decode("utf-8", "replace")


def _median(asked: Sequence[Ask], rounds: int = 5) -> float:
    samples = []
    for turn in range(rounds + 1):
        for ask in asked:
            started = time.perf_counter_ns()
            ask()
            if turn:
                samples.append((time.perf_counter_ns() - started) / 1e3)
    return round(float(np.median(samples)), 1)
