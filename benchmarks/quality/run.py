"""``python -m benchmarks quality``: ask annotated questions through the public API, and score the answers.

    python -m benchmarks quality --annotations DIR --corpora DIR
    python -m benchmarks quality --annotations DIR --corpora DIR --tasks references.jsonl --variants
    default,evidence-off python -m benchmarks quality ... --answers OUT --against bm25_rerank.jsonl

DIR of ``--annotations`` holds ``_repos.json`` and one ``<repo>.json`` each; they are third-party data and not part of
this project.  DIR of ``--corpora`` holds ``<repo>/<benchmark_root>``, of which the root is indexed.  Indexes are kept
below ``--indexes`` and made anew with ``--rebuild``.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import quatrain
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

__all__ = ["VARIANTS", "add_arguments", "ask", "run"]

FUSED = ("semantic", "text", "structural")
# name -> arguments of Index.search
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "default": {},
    "thorough": {"preset": "thorough"},
    "quick": {"preset": "quick"},
    "evidence-off": {"evidence": False},
    "scaled-centrality": {"evidence": False, "centrality": "scaled"},
    **{f"{name}-off": {"modalities": tuple(m for m in FUSED if m != name)} for name in FUSED},
    **{f"only-{name}": {"modalities": (name,)} for name in (*FUSED, "graph")},
}
K = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--annotations", type=Path, help="folder with _repos.json and <repo>.json; needed unless --tasks is given"
    )
    parser.add_argument("--corpora", type=Path, required=True, help="folder with one folder for each repository")
    parser.add_argument(
        "--tasks", type=Path, help="JSONL of {repo, query, relevant|accept, category|kind} to ask instead"
    )
    parser.add_argument("--repos", help="comma-separated names, or a file with one name a line")
    parser.add_argument("--variants", default="default", help=f"comma-separated, or 'all': {', '.join(VARIANTS)}")
    parser.add_argument("--embedder", default="bundled", help="bundled, none or voyage")
    parser.add_argument("--indexes", type=Path, help="where to keep the indexes (default: CORPORA.indexes)")
    parser.add_argument("--rebuild", action="store_true", help="make every index anew")
    parser.add_argument("--answers", type=Path, help="folder for the answers of each variant, as JSONL")
    parser.add_argument("--against", type=Path, action="append", default=[], help="answers of another tool, as JSONL")
    parser.add_argument("--results", type=Path, help="write all figures to this JSON file")
    parser.add_argument("--worst", type=int, default=0, help="list the N worst questions of the first variant")
    parser.add_argument("--min-ndcg", type=float, help="exit 1 if the first variant scores lower")


def run(args: argparse.Namespace) -> int:
    if not (args.annotations or args.tasks):
        print("give --annotations or --tasks", file=sys.stderr)
        return 2
    only = None
    if args.repos:
        path = Path(args.repos)
        names = path.read_text(encoding="utf-8").split() if path.is_file() else args.repos.split(",")
        only = {name for name in names if not name.startswith("#")}
    tasks = load_tasks(args.tasks, args.annotations) if args.tasks else load_annotations(args.annotations, only)
    tasks = [t for t in tasks if (only is None or t.repo in only) and (args.corpora / t.repo).is_dir()]
    if not tasks:
        print(f"no annotated repository lies in {args.corpora}", file=sys.stderr)
        return 2
    names = list(VARIANTS) if args.variants == "all" else args.variants.split(",")
    if unknown := [name for name in names if name not in VARIANTS]:
        print(f"unknown variant {', '.join(unknown)}; known: {', '.join(VARIANTS)}", file=sys.stderr)
        return 2
    indexes = args.indexes or args.corpora.with_name(args.corpora.name + ".indexes")
    answers = {name: [] for name in names}
    builds: dict[str, Any] = {}
    for repo in sorted({task.repo for task in tasks}):
        here = [task for task in tasks if task.repo == repo]
        started = time.perf_counter()
        index = open_index(
            args.corpora / repo / here[0].root, indexes / args.embedder / repo, args.embedder, args.rebuild
        )
        builds[repo] = round(time.perf_counter() - started, 3)
        for name in names:
            index.search("warm up", **VARIANTS[name])
            answers[name] += [ask(index, task, VARIANTS[name]) for task in here]
        print(f"{repo:24} opened in {builds[repo]:7.2f} s", file=sys.stderr)
    if args.answers:
        args.answers.mkdir(parents=True, exist_ok=True)
        for name, found in answers.items():
            write_lines(args.answers / f"{name}.jsonl", found)
    rows = {name: score_answers(tasks, found) for name, found in answers.items()}
    for path in args.against:
        # Another run's answers may be of the same variant: they must not take its place.
        rows[path.stem if path.stem not in rows else f"{path.parent.name}/{path.stem}"] = score_answers(
            tasks, [json.loads(line) for line in path.open(encoding="utf-8") if line.strip()]
        )
    figures = report(rows, tasks)
    if args.results:
        figures |= {"machine": platform.platform(), "python": platform.python_version(), "opened_s": builds}
        args.results.parent.mkdir(parents=True, exist_ok=True)
        args.results.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for row in sorted(rows[names[0]], key=lambda row: row.ndcg)[: args.worst]:
        print(f"{row.ndcg:.3f} {row.task.qid:24} {row.task.category:13} {row.task.query}")
    return int(args.min_ndcg is not None and mean(rows[names[0]]) < args.min_ndcg)


def open_index(root: Path, directory: Path, embedder: str, rebuild: bool) -> quatrain.Index:
    """Open the index of a corpus, making it first if it is missing or to be made anew."""
    if rebuild:
        return quatrain.build(root, embedder=embedder, index_dir=directory, rebuild=True)
    return quatrain.open(root, embedder=embedder, index_dir=directory)


def ask(index: quatrain.Index, task: Task, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Ask one question and return the answer as it is written to JSONL."""
    started = time.perf_counter()
    answer = index.search(task.query, limit=K, **arguments)
    ms = (time.perf_counter() - started) * 1e3
    prefix = f"{task.root}/" if task.root else ""
    hits = [{"path": prefix + h.path, "start_line": h.start_line, "end_line": h.end_line} for h in answer.hits]
    return {
        "qid": task.qid,
        "repo": task.repo,
        "query": task.query,
        "intent": answer.intent,
        "strategy": answer.fusion_strategy,
        "results": hits,
        "ms": round(ms, 3),
    }


def score_answers(tasks: Sequence[Task], answers: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Score answers; a task without one found nothing."""
    by_task = {entry.get("qid") or (entry["repo"], entry["query"]): entry for entry in answers}
    rows = []
    for task in tasks:
        entry = by_task.get(task.qid) or by_task.get((task.repo, task.query)) or {}
        paths = [r if isinstance(r, str) else r["path"] for r in entry.get("results") or ()]
        rows.append(score(task, paths, K, entry.get("ms")))
    return rows


def report(rows: Mapping[str, Sequence[Row]], tasks: Sequence[Task]) -> dict[str, Any]:
    """Print the tables and return the figures."""
    first = next(iter(rows))
    print(f"{len(tasks)} questions of {len({t.repo for t in tasks})} repositories; NDCG@{K}, 95 % over repositories")
    groups = {
        "category": lambda row: row.task.category,
        "name": lambda row: row.task.named,
        "language": lambda row: row.task.language,
        "repo": lambda row: row.task.repo,
    }
    figures: dict[str, Any] = {}
    for name, scored in rows.items():
        low, high = interval((row.task.repo, row.ndcg) for row in scored)
        entry: dict[str, Any] = {metric: mean(scored, metric) for metric in METRICS} | {"interval": [low, high]}
        times = sorted(row.ms for row in scored if row.ms is not None)
        if times:
            entry["ms"] = {"median": times[len(times) // 2], "p99": times[int(0.99 * (len(times) - 1))]}
        line = f"{name:20} {entry['ndcg']:.4f} [{low:.3f}, {high:.3f}]"
        if name != first:
            entry["difference"] = list(difference(scored, rows[first]))
            line += "  {:+.4f} [{:+.4f}, {:+.4f}]".format(*entry["difference"])
        line += f"  recall {entry['recall']:.3f} top1 {entry['top1']:.3f} zero {entry['zero']:.3f}"
        line += f"  median {entry['ms']['median']:.2f} ms p99 {entry['ms']['p99']:.2f} ms" if times else ""
        print(line)
        for group, key in groups.items():
            entry[group] = table(scored, key)
        figures[name] = entry
    for group in ("category", "name", "language"):
        for value, _ in sorted(figures[first][group].items()):
            cells = "  ".join(f"{name} {figures[name][group][value]['ndcg']:.3f}" for name in rows)
            print(f"  {group:9} {value:20} n={figures[first][group][value]['n']:<4} {cells}")
    return {"questions": len(tasks), "variants": figures}


def write_lines(path: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    """Write JSON lines."""
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
