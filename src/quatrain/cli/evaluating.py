"""The verb that measures: eval."""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from quatrain.cli.options import add_index_options, add_root
from quatrain.cli.terminal import progress_on

if TYPE_CHECKING:
    from quatrain.evaluation import Report

__all__ = ["eval", "eval_arguments"]

MINED = 300  # questions taken from a history when no number is given
_NUMBER = re.compile(r"-?\d+")


def eval_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``eval``."""
    parser.add_argument(
        "queries", metavar="QUERIES", nargs="?",
        help='Judged questions, one JSON object a line: {"query": ..., "relevant": [path, ...], "intent": ...}.',
    )  # fmt: skip
    add_root(parser)
    parser.add_argument(
        "--mine-git",
        metavar="N",
        nargs="?",
        const=str(MINED),
        help=f"Take up to N questions (default: {MINED}) from the git history of PATH instead: subject -> changed files.",
    )
    parser.add_argument("--no-ablations", dest="ablations", action="store_false", help="Score the full engine only.")
    parser.add_argument(
        "--content", choices=("code", "docs", "config", "all"), default="code", help="What is searched (default: code)."
    )
    parser.add_argument("--worst", metavar="N", type=int, default=0, help="List the N worst questions (at most 20).")
    parser.add_argument("--save-queries", metavar="FILE", help="Write the questions used to FILE (JSONL).")
    parser.add_argument("--plot", metavar="FILE", help="Draw the scores to FILE (.svg or .png); needs the extra plot.")
    parser.add_argument("--json", action="store_true", help="Print the scores as one JSON document.")
    add_index_options(parser)


def eval(arguments: Namespace) -> int:
    """Score the engine on judged questions."""
    from quatrain import engine, evaluation
    from quatrain.errors import BadQuery

    if arguments.mine_git is not None:
        # With mined questions the only positional argument is the folder, and it may follow the option: --mine-git .
        count, folder = arguments.mine_git, arguments.root or arguments.queries
        if not _NUMBER.fullmatch(count):
            if folder is not None:
                raise BadQuery(f"--mine-git takes a number of questions, not {count!r}; give one folder only")
            count, folder = str(MINED), count
        if int(count) < 1:
            raise BadQuery(f"--mine-git takes a number of questions, at least 1, not {count}")
        root = Path(folder or ".")
        queries = evaluation.mine_git(root.resolve(), limit=int(count), content=arguments.content)
    elif arguments.queries:
        root, queries = Path(arguments.root or "."), evaluation.load_queries(Path(arguments.queries))
    else:
        raise BadQuery("give a file of judged questions, or --mine-git to take them from the history")
    if arguments.plot:
        evaluation.figure_class()  # a missing extra is told before the work, not after it
    if arguments.save_queries:
        rows = [{"query": q.query, "relevant": list(q.relevant), "intent": q.intent} for q in queries]
        Path(arguments.save_queries).write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8"
        )
    with progress_on(sys.stderr) as progress:
        index = engine.open(
            root,
            embedder=arguments.embedder,
            index_dir=arguments.index_dir,
            refresh=arguments.refresh,
            progress=progress,
        )
        report = evaluation.evaluate(
            index, queries, ablations=arguments.ablations, content=arguments.content, progress=progress
        )
    if arguments.plot:
        evaluation.plot(report, Path(arguments.plot))
    if arguments.json:
        print(json.dumps(report.to_dict(), ensure_ascii=False))
        return 0
    _show(report, arguments.worst)
    return 0


def _show(report: Report, worst: int) -> None:
    """Print the full engine by intent, then every variant beside it."""
    full = report.scores["full"]
    if report.unreachable:
        print(
            f"{len(report.unreachable)} labels name no indexed file and count as misses, e.g. {report.unreachable[0]}",
            file=sys.stderr,
        )
    print(f"{'intent':<18} {'n':>5} {'NDCG@10':>8}  {'95 %':<15} {'MRR':>6} {'recall':>7} {'zero':>6}")
    for group, score in full.items():
        # One question has no spread to speak of.
        interval = f"[{score.ndcg_low:.3f}, {score.ndcg_high:.3f}]" if score.queries > 1 else "-"
        print(
            f"{group:<18} {score.queries:>5} {score.ndcg:>8.3f}  {interval:<15} {score.mrr:>6.3f} "
            f"{score.recall:>7.3f} {score.zero_rate:>6.3f}"
        )
    if report.differences:
        intents = [group for group in full if group != "all"]
        print(f"\n{'NDCG@10':<20} {'all':>6}  {'less full, 95 %':<25} " + " ".join(f"{i[:15]:>15}" for i in intents))
        for variant, groups in report.scores.items():
            change = report.differences.get(variant)
            told = f"{change.mean:+.3f} [{change.low:+.3f}, {change.high:+.3f}]" if change else ""
            # A question without a label is of the intent that the variant itself saw in it, which is the same in all.
            cells = " ".join(f"{groups[i].ndcg:>15.3f}" if i in groups else f"{'':>15}" for i in intents)
            print(f"{variant:<20} {groups['all'].ndcg:>6.3f}  {told:<25} {cells}")
    for question, ndcg in report.worst[:worst]:
        print(f"{ndcg:.3f} {question}")
