"""The verb that measures: eval."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from quatrain.cli.options import add_index_options, add_root
from quatrain.cli.terminal import progress_on

__all__ = ["eval", "eval_arguments"]


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
        type=int,
        nargs="?",
        const=300,
        help="Take up to N questions from the git history of PATH instead.",
    )
    parser.add_argument("--no-ablations", dest="ablations", action="store_false", help="Score the full engine only.")
    parser.add_argument("--save-queries", metavar="FILE", help="Write the questions used to FILE (JSONL).")
    parser.add_argument("--plot", metavar="FILE", help="Draw the scores to FILE (.svg or .png); needs the extra plot.")
    parser.add_argument("--json", action="store_true", help="Print the scores as one JSON document.")
    add_index_options(parser)


def eval(arguments: Namespace) -> int:
    """Score the engine on judged questions."""
    from quatrain import engine, evaluation
    from quatrain.errors import BadQuery

    if arguments.mine_git is not None:
        # With mined questions the only positional argument is the folder.
        root = Path(arguments.root or arguments.queries or ".")
        queries = evaluation.mine_git(root.resolve(), limit=arguments.mine_git)
    elif arguments.queries:
        root, queries = Path(arguments.root or "."), evaluation.load_queries(Path(arguments.queries))
    else:
        raise BadQuery("give a file of judged questions, or --mine-git to take them from the history")
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
        report = evaluation.evaluate(index, queries, ablations=arguments.ablations, progress=progress)
    if arguments.plot:
        evaluation.plot(report, Path(arguments.plot))
    if arguments.json:
        print(json.dumps(report.to_dict(), ensure_ascii=False))
        return 0
    print(f"{'variant':<22} {'group':<18} {'n':>5} {'NDCG@10':>8}  {'95 %':<15} {'MRR':>6} {'recall':>7} {'zero':>6}")
    for variant, groups in report.scores.items():
        for group, score in groups.items():
            if variant == "full" or group == "all":
                interval = f"[{score.ndcg_low:.3f}, {score.ndcg_high:.3f}]"
                print(
                    f"{variant:<22} {group:<18} {score.queries:>5} {score.ndcg:>8.3f}  {interval:<15} {score.mrr:>6.3f} "
                    f"{score.recall:>7.3f} {score.zero_rate:>6.3f}"
                )
    return 0
