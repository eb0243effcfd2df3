"""Definitions against gold, and how fast files are parsed.

``python -m benchmarks structure --gold FOLDER --root FOLDER`` compares with definition tables (columns file, line, name,
kind, ...; paths relative to the root): found = same file, same name, at most two lines apart.  What an oracle leaves out
or gets wrong by rule is listed in ``EXCUSES``; the raw figures stand beside the adjusted ones.

``python -m benchmarks structure --speed FOLDER ...`` parses every file of a folder in this process (parse, extract, chunks,
value flow; CPU seconds) and then through one and two worker processes (wall seconds).

``--sample`` and ``--verdicts``: random samples read by hand, see ``benchmarks/sampling.py``.
"""

from __future__ import annotations

import argparse
import csv
import gc
import json
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks.sampling import draw, print_verdicts
from quatrain.files.languages import language_of
from quatrain.parsing import parse
from quatrain.parsing.chunks import newline_offsets, syntax_chunks
from quatrain.parsing.extract import extract
from quatrain.parsing.grammars import GRAMMARS
from quatrain.parsing.pool import WorkerPool
from quatrain.parsing.rules import compiled
from quatrain.records import SYMBOL_KINDS, Symbol

__all__ = ["add_arguments", "run"]

COMPARED = frozenset(SYMBOL_KINDS) - {
    *("constant", "variable", "field", "property", "impl", "extension", "prototype", "enum_member"),
}
# Definitions that an oracle does not list, by rule: language -> (why, test).
EXCUSES = {
    "ruby": ("ctags has no aliases", lambda symbol: symbol.signature.startswith("alias")),
    "java": ("ctags' packages are left out of the tables", lambda symbol: symbol.kind == "namespace"),
}
SLACK = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--gold", type=Path, help="a table, or a folder of tables")
    parser.add_argument("--root", type=Path, help="folder that the tables' paths start from")
    parser.add_argument("--language", help="for files that their name does not tell")
    parser.add_argument("--show", type=int, default=0, help="print so many misses and extras of each table")
    parser.add_argument("--speed", type=Path, nargs="*", default=[], help="folders to parse")
    parser.add_argument("--only", default="", help="languages to time, separated by commas")
    parser.add_argument(
        "--sample",
        nargs=2,
        metavar=("LANGUAGE", "FOLDER"),
        help="draw definitions to be read by hand; write them as TSV",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--verdicts", type=Path, help="folder of samples that have been read; print what was found")
    parser.add_argument("--json", type=Path, help="write the figures there too")


def run(args: argparse.Namespace) -> int:
    """Print the figures."""
    if args.sample is not None:
        return draw(args.sample[0], Path(args.sample[1]), args.seed)
    results: dict[str, Any] = {"definitions": [], "speed": [], "workers": [], "verdicts": []}
    if args.verdicts is not None:
        results["verdicts"] = print_verdicts(args.verdicts)
    if args.gold is not None:
        tables = sorted(args.gold.glob("*.tsv")) if args.gold.is_dir() else [args.gold]
        print(
            f"{'table':28}{'language':12}{'gold':>7}{'found':>7}{'recall':>9}{'precision':>11}{'adjusted':>10}  states"
        )
        for table in tables:
            results["definitions"] += compare(table, args.root or table.parent, args.language, args.show)
    if args.speed:
        files = read_files(args.speed, set(filter(None, args.only.split(","))))
        results["speed"] = speeds(files)
        results["workers"] = workers(files)
    if args.json is not None:
        args.json.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    return 0


# --- definitions ------------------------------------------------------------------------------------------------


def compare(table: Path, root: Path, language: str | None, show: int) -> list[dict[str, Any]]:
    """Return and print recall and precision for each language of a table."""
    gold: dict[str, list[tuple[str, int]]] = defaultdict(list)
    with table.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            gold[row["file"]].append((plain(row["name"]), int(row["line"])))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    states: dict[str, Counter[str]] = defaultdict(Counter)
    shown: dict[str, list[str]] = defaultdict(list)
    for name in sorted(gold):
        path = root / name
        if not path.is_file():
            continue
        data = path.read_bytes()
        kind = language or language_of(name, data[:2000])
        if kind not in GRAMMARS:
            continue
        parsed = parse.parse_source(name, kind, data)
        states[kind][parsed.parse] += 1
        said = [s for s in parsed.symbols if s.kind in COMPARED]
        missed, extra = match(gold[name], said)
        excuse = EXCUSES.get(kind)
        excused = sum(excuse[1](s) for s in extra) if excuse else 0
        counts[kind].update(gold=len(gold[name]), missed=len(missed), said=len(said), extra=len(extra), excused=excused)
        shown[kind] += [f"  missed {name}:{line} {what}" for what, line in missed]
        shown[kind] += [f"  extra  {name}:{s.line} {s.kind} {s.name}" for s in extra]
    rows = []
    for kind, count in sorted(counts.items(), key=lambda item: -item[1]["gold"]):
        recall = 1 - count["missed"] / max(1, count["gold"])
        precision = 1 - count["extra"] / max(1, count["said"])
        adjusted = 1 - (count["extra"] - count["excused"]) / max(1, count["said"] - count["excused"])
        print(
            f"{table.name:28}{kind:12}{count['gold']:7}{count['said']:7}{recall:9.4f}{precision:11.4f}{adjusted:10.4f}"
            f"  {dict(states[kind])}"
        )
        for line in shown[kind][:show]:
            print(line)
        rows.append(
            {
                "table": table.name,
                "language": kind,
                **count,
                "recall": recall,
                "precision": precision,
                "adjusted_precision": adjusted,
            }
        )
    return rows


def plain(name: str) -> str:
    """Return a name without the blank that some tools put into operators."""
    return name.replace(" ", "") if name.startswith("operator") else name


def match(gold: list[tuple[str, int]], said: list[Symbol]) -> tuple[list[tuple[str, int]], list[Symbol]]:
    """Return the rows of the gold that were not found and the definitions that are not in it."""
    left: dict[str, list[Symbol]] = defaultdict(list)
    for symbol in said:
        left[plain(symbol.name)].append(symbol)
    missed = []
    for name, line in sorted(gold, key=lambda row: row[1]):
        near = [s for s in left[name] if abs(s.line - line) <= SLACK]
        if near:
            left[name].remove(min(near, key=lambda s: abs(s.line - line)))
        else:
            missed.append((name, line))
    return missed, [s for symbols in left.values() for s in symbols]


# --- speed ------------------------------------------------------------------------------------------------------

File = tuple[str, str, bytes]


def read_files(folders: list[Path], only: set[str]) -> list[File]:
    """Return (path, language, content) of every file with a grammar."""
    files = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or path.stat().st_size > 2 << 20:
                continue
            data = path.read_bytes()
            language = language_of(str(path), data[:2000])
            if language in GRAMMARS and (not only or language in only):
                files.append((str(path.relative_to(folder)), language, data))
    return files


def speeds(files: list[File]) -> list[dict[str, Any]]:
    """Return and print CPU seconds and MB/s of each stage and language, in this process."""
    print(
        f"{'language':12}{'files':>7}{'MB':>8}{'parse':>8}{'extract':>9}{'chunks':>8}{'values':>8}{'MB/s':>7}  parse share"
    )
    seconds: dict[str, list[float]] = defaultdict(lambda: [0.0] * 4)
    sizes: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    bindings_of = parse._bindings_extractor()
    gc.disable()  # as in a worker
    for path, language, data in files:
        rules = compiled(language)
        if rules is None or parse.nesting(data) > parse.MAX_NESTING:
            continue
        times = seconds[language]
        numbers[language] += 1
        sizes[language] += len(data)
        before = time.process_time()
        root, reading = parse._best_tree(path, data, rules)
        times[0] += (after := time.process_time()) - before
        newlines = newline_offsets(data)
        facts = extract(root, data, newlines, reading, path)
        times[1] += (last := time.process_time()) - after
        syntax_chunks(root, data, newlines, facts.symbols)
        times[2] += (end := time.process_time()) - last
        if bindings_of is not None:
            try:
                bindings_of(reading.language, root, data, facts.symbols)
            except RecursionError:
                pass  # parse_source calls such a file "partial"
            times[3] += time.process_time() - end
    gc.enable()
    rows = []
    for language, times in sorted(seconds.items(), key=lambda item: -sizes[item[0]]):
        megabytes, total = sizes[language] / 1e6, sum(times)
        print(
            f"{language:12}{numbers[language]:7}{megabytes:8.2f}{times[0]:8.2f}{times[1]:9.2f}{times[2]:8.2f}{times[3]:8.2f}"
            f"{megabytes / max(total, 1e-9):7.2f}  {times[0] / max(total, 1e-9):.0%}"
        )
        stages = dict(zip(("parse_s", "extract_s", "chunks_s", "values_s"), times, strict=True))
        rows.append({"language": language, "files": numbers[language], "megabytes": megabytes, **stages})
    return rows


def workers(files: list[File]) -> list[dict[str, Any]]:
    """Return and print wall seconds through one and two worker processes."""
    rows = []
    megabytes = sum(len(data) for _, _, data in files) / 1e6
    for count in (1, 2):
        with WorkerPool(count) as pool:
            list(pool.parse((0, *file) for file in files[: 8 * count]))  # started and warm
            before = time.perf_counter()
            states = Counter(parsed.parse.partition(":")[0] for _, parsed in pool.parse((0, *file) for file in files))
            wall = time.perf_counter() - before
        rows.append({"workers": count, "seconds": wall, "megabytes": megabytes, "states": dict(states)})
        print(f"{count} worker(s): {wall:.2f} s wall, {megabytes / wall:.2f} MB/s, {dict(states)}")
    print(f"two workers are {rows[0]['seconds'] / rows[1]['seconds']:.2f} x one")
    return rows
