"""The compiled kernels beside their peers: one process, one thread, answers checked equal before anything is timed.

``python -m benchmarks kernels --json FILE`` prints a table and writes FILE: ``machine``, one row for each case and peer
(medians in microseconds, ``ratio`` = peer / ours, spread = interquartile range / median), the notes of each case and all
raw samples.  A plot of how the kernels grow goes beside FILE as SVG.  The text cases need a directory of source, see
``python -m benchmarks corpora``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.kernel_cases import fusion, hamming, pagerank
from benchmarks.kernel_cases.case import Result
from benchmarks.timing import machine

GROUPS = ("hamming", "text", "fusion", "pagerank")

# (case, peer, least ratio) and (case, "", most microseconds)
TARGETS = (
    ("hamming 1x1M 1024b", "stream", 1 / 1.10),
    ("hamming 1x1M 1024b", "faiss", 1.3),
    ("hamming 1x1M 1024b", "numkong", 4.0),
    ("hamming 1x1M 1024b", "numpy", 12.0),
    ("hamming 1x100k 512b", "faiss", 1.4),
    ("hamming 16x1M 1024b", "faiss", 5.5),
    ("postings", "", 20.0),
    ("postings", "pyroaring", 1.8),
    ("literal", "", 60.0),
    ("literal", "codesearch", 100.0),
    ("literal", "ripgrep", 1000.0),
    ("rrf 4x100", "", 5.0),
    ("rrf 4x1000", "", 15.0),
    ("rrf 4x100", "dict", 15.0),
    ("rrf 4x1000", "dict", 40.0),
    ("pagerank 100k", "scikit-network", 1.0),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, help="where the results go; the plot goes beside it as .svg")
    parser.add_argument("--corpus", type=Path, help="directory of source text for the cases postings and literal")
    parser.add_argument("--only", choices=GROUPS, action="append", help="run only this group (may be repeated)")
    parser.add_argument("--rounds", type=int, default=25, help="samples of each way (default 25)")
    parser.add_argument("--literals", type=int, default=300, help="literals of the text cases (default 300)")
    parser.add_argument("--program-literals", type=int, default=15, help="literals that ripgrep is asked (default 15)")
    parser.add_argument("--quick", action="store_true", help="small cases only, to see that everything runs")
    parser.add_argument("--no-plot", action="store_true", help="leave out the growth plot")


def run_groups(args: argparse.Namespace, groups: tuple[str, ...]) -> Iterator[Result]:
    if "hamming" in groups:
        yield from hamming.run(args.rounds, args.quick)
    if "fusion" in groups:
        yield from fusion.run(args.rounds, args.quick)
    if "pagerank" in groups:
        yield from pagerank.run(args.rounds, args.quick)
    if "text" in groups:
        from benchmarks.kernel_cases import text

        yield from text.run(args.corpus, 3 if args.quick else 5, args.literals, args.program_literals)


def judge(results: list[Result]) -> list[dict[str, Any]]:
    """Return how each target came out."""
    verdicts = []
    for case, peer, wanted in TARGETS:
        for result in results:
            if result.case != case:
                continue
            ours = statistics.median(result.samples["ours"])
            value = statistics.median(result.samples[peer]) / ours if peer else ours
            met = value >= wanted if peer else value <= wanted
            what = f"{peer} / ours >= {wanted:.3g}" if peer else f"ours <= {wanted:.3g} us"
            verdicts.append({"case": case, "target": what, "value": round(value, 3), "met": met})
    return verdicts


def draw(curves: dict[str, dict[str, list[tuple[float, float]]]], target: Path) -> None:
    """Write one panel for each set of curves, both axes logarithmic."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot, ticker

    columns = 2
    rows = (len(curves) + columns - 1) // columns
    figure, axes = pyplot.subplots(rows, columns, figsize=(11, 3.6 * rows), squeeze=False)
    for axis, (title, lines) in zip(axes.flat, curves.items(), strict=False):
        for name, points in lines.items():
            axis.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name)
        axis.set(title=title, xscale="log", yscale="log", ylabel="microseconds, CPU")
        axis.xaxis.set_minor_formatter(ticker.NullFormatter())
        axis.title.set_fontsize(9)
        axis.grid(True, which="major", alpha=0.3)
        axis.legend(fontsize=7)
    for axis in list(axes.flat)[len(curves) :]:
        axis.set_visible(False)
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


def run(args: argparse.Namespace) -> int:
    warnings.filterwarnings("ignore", module="ranx|numba")
    groups = tuple(args.only or (GROUPS if args.corpus else (group for group in GROUPS if group != "text")))
    if "text" in groups and args.corpus is None:
        print("the text cases need --corpus DIRECTORY; `python -m benchmarks corpora DIRECTORY` lays one out")
        return 2
    packages = {*hamming.PACKAGES, *fusion.PACKAGES, *pagerank.PACKAGES, "pyroaring", "ripgrep"}
    report: dict[str, Any] = {
        "machine": machine(tuple(sorted(packages))),
        "command": [Path(word).name for word in sys.argv[1:]],
    }
    level = report["machine"]["capabilities"]["level"]
    print(f"{report['machine']['processor']}, level {level}, load {report['machine']['load']}")
    if level != "avx512":
        print("this machine lacks VPOPCNTDQ (or another level was asked for): the targets are those of that level")
    results = []
    print(f"{'case':44} {'peer':24} {'ours us':>12} {'peer us':>14} {'ratio':>9}")
    for result in run_groups(args, groups):
        results.append(result)
        for row in result.rows():
            print(
                f"{row['case']:44} {row['peer']:24} {row['ours_us']:12,.1f} {row['peer_us']:14,.1f} {row['ratio']:9.2f}",
                flush=True,
            )
    report["rows"] = [row for result in results for row in result.rows()]
    report["targets"] = judge(results)
    report["notes"] = {result.case: result.notes for result in results}
    report["samples_us"] = {
        result.case: {name: [round(value, 3) for value in values] for name, values in result.samples.items()}
        for result in results
    }
    for verdict in report["targets"]:
        print(
            f"{'met   ' if verdict['met'] else 'MISSED'} {verdict['case']}: {verdict['target']}, is {verdict['value']}"
        )
    if not args.no_plot:
        curves: dict[str, dict[str, list[tuple[float, float]]]] = {}
        for name, module in (("hamming", hamming), ("fusion", fusion), ("pagerank", pagerank)):
            if name in groups:
                curves |= module.growth(args.quick)
        if "text" in groups and not args.quick:
            from benchmarks.kernel_cases import text

            curves |= text.growth(args.corpus)
        report["growth"] = curves
        if args.json:
            draw(curves, args.json.with_suffix(".svg"))
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(report, indent=1, default=float) + "\n")
    return 0
