"""Definitions against other tools, how fast files are parsed, and whether any file ends a worker.

``python -m benchmarks structure --oracle ctags --language ruby FOLDER ...`` runs another tool over the files of a language and
compares the definitions: found = same file, same name, at most two lines apart.  Oracles: Universal Ctags (``ctags``), javac
(``javac``, needs a JDK), go/parser (``go``), the TypeScript compiler (``typescript``, needs ``--typescript PACKAGE``), Python's
own ``ast`` (``python``), a reader of SQL statements (``sql``, ours: ``oracles/sql.py``).
``--gold TABLE --root FOLDER`` compares with a table that exists (columns file, line, name, kind).

The figures are raw.  Rows that an oracle gets wrong, by reading, are listed one by one in ``structure_excuses.tsv``; what is left
without them stands in the columns after the raw ones, with the share of the oracle's rows that is excused.

``--speed FOLDER ...`` parses every file of a folder in this process (parse, extract, chunks, value flow; CPU seconds) and then
through one and two worker processes (wall seconds).  ``--robust FOLDER ...`` sends every file through the workers and lists each one
that has no whole tree, with the reason.

``--sample`` and ``--verdicts``: random samples read by hand, see ``benchmarks/sampling.py``.
"""

from __future__ import annotations

import argparse
import ast
import csv
import gc
import json
import shlex
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.oracles.sql import created
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

HERE = Path(__file__).parent
# Kinds that both sides define.  No oracle here lists values; Ruby's aliases and Java's packages are kinds of their own to ctags too.
COMPARED = frozenset(SYMBOL_KINDS) - {
    *("constant", "variable", "field", "property", "impl", "extension", "prototype", "enum_member", "package", "alias"),
}
SQL_KINDS = frozenset(("property", "variable"))  # indexes, policies and sequences: statements create them too
SLACK = 2
MAX_BYTES = 2 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("folders", type=Path, nargs="*", help="for --oracle")
    parser.add_argument("--oracle", choices=sorted(ORACLES), help="run this tool over the folders and compare")
    parser.add_argument(
        "--ctags",
        action="append",
        default=[],
        metavar="OPTIONS",
        help="run ctags with these too, such as macros that it must be told; what any of its runs finds counts",
    )
    parser.add_argument("--typescript", default="typescript", help="where the TypeScript compiler's package lies")
    parser.add_argument("--gold", type=Path, help="a table, or a folder of tables")
    parser.add_argument("--root", type=Path, help="folder that the tables' paths start from")
    parser.add_argument("--language", help="for --oracle, and for files that their name does not tell")
    parser.add_argument(
        "--no-file-scope",
        action="store_true",
        help="the table lacks what its file alone can see (ctags --extras=-F): private methods in Java, static functions in C",
    )
    parser.add_argument("--show", type=int, default=0, help="print so many misses and extras of each table")
    parser.add_argument("--speed", type=Path, nargs="*", default=[], help="folders to parse")
    parser.add_argument(
        "--robust", type=Path, nargs="*", default=[], help="folders whose every file is sent to the workers"
    )
    parser.add_argument("--most", type=int, default=0, help="for --robust: stop after so many files")
    parser.add_argument("--only", default="", help="languages to time, separated by commas")
    parser.add_argument(
        "--sample",
        nargs=2,
        metavar=("LANGUAGE", "FOLDER"),
        help="draw definitions to be read by hand; write them as TSV",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--verdicts", type=Path, help="folder of samples that have been read; print what was found")
    parser.add_argument("--json", type=Path, help="write the figures there too; parts not measured now are kept")


def run(args: argparse.Namespace) -> int:
    """Print the figures."""
    if args.sample is not None:
        return draw(args.sample[0], Path(args.sample[1]), args.seed)
    results: dict[str, Any] = {}
    if args.verdicts is not None:
        results["verdicts"] = print_verdicts(args.verdicts)
    options = Comparison(args.language, args.show, args.no_file_scope)
    if args.gold is not None or args.oracle:
        print(
            f"{'table':28}{'language':12}{'gold':>7}{'found':>7}{'recall':>9}{'precision':>11}"
            f"{'excused':>9}{'adjusted':>9}{'':>9}  states"
        )
        results["definitions"] = []
    if args.gold is not None:
        for table in sorted(args.gold.glob("*.tsv")) if args.gold.is_dir() else [args.gold]:
            results["definitions"] += compare(table.name, read_table(table), args.root or table.parent, options)
    if args.oracle:
        for folder in args.folders:
            rows = ORACLES[args.oracle](folder, args)
            results["definitions"] += compare(f"{folder.name} ({args.oracle})", rows, folder, options)
    only = set(filter(None, args.only.split(",")))
    if args.speed:
        files = read_files(args.speed, only)
        results["speed"] = speeds(files)
        results["workers"] = workers(files)
    if args.robust:
        results["robust"] = robust(args.robust, args.most)
    if args.json is not None:
        known = json.loads(args.json.read_text("utf-8")) if args.json.is_file() else {}
        merged = {row["table"] + row["language"]: row for row in known.get("definitions", [])}
        merged.update((row["table"] + row["language"], row) for row in results.pop("definitions", []))
        known.update(results)
        known["definitions"] = [merged[key] for key in sorted(merged)]
        args.json.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    return 0


# --- oracles ----------------------------------------------------------------------------------------------------

Gold = dict[str, list[tuple[str, int]]]  # file -> (name, line)

# Universal Ctags' kinds that are definitions in the sense of COMPARED.
CTAGS_KINDS = {
    "python": ("Python", "class function member"),
    "go": ("Go", "func struct interface type talias methodSpec"),
    "rust": ("Rust", "function method struct enum interface typedef macro module"),
    "java": ("Java", "class interface enum method annotation"),
    "c": ("C", "function struct union enum typedef macro"),
    "cpp": ("C++", "function class struct union enum typedef macro namespace"),
    "ruby": ("Ruby", "class module method singletonMethod"),
    "php": ("PHP", "class function interface trait namespace"),
}


def read_table(table: Path) -> Gold:
    """Return the rows of a TSV file."""
    gold: Gold = defaultdict(list)
    with table.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            gold[row["file"]].append((plain(row["name"]), int(row["line"])))
    return gold


def by_ctags(folder: Path, args: argparse.Namespace) -> Gold:
    """Return what Universal Ctags says, definitions that only their file can see among them."""
    name, kinds = CTAGS_KINDS[args.language]
    command = [
        "ctags",
        "--output-format=json",
        "--fields=+nK",
        "--extras=+F",
        "--sort=no",
        "--kinds-all=*",
        "--links=no",
    ]
    command += ["-R", "-f", "-", f"--languages={name}", "."]
    said = ""
    for further in ("", *args.ctags):
        run = [*command[:-1], *shlex.split(further), "."]
        said += subprocess.run(run, cwd=folder, capture_output=True, text=True, errors="replace", check=True).stdout
    rows: set[tuple[str, str, int]] = set()
    for line in said.splitlines():
        tag = json.loads(line) if line.startswith("{") else {}
        anonymous = tag.get("name", "").lower().startswith(("__anon", "anonymous"))
        if tag.get("_type") == "tag" and tag["kind"] in kinds.split() and not anonymous:
            rows.add((tag["path"].removeprefix("./"), plain(tag["name"]), tag["line"]))
    gold: Gold = defaultdict(list)
    for path, found, line_number in sorted(rows):
        gold[path].append((found, line_number))
    return gold


def by_command(*command: str, languages: Sequence[str]) -> Callable[[Path, argparse.Namespace], Gold]:
    """Return an oracle that is a program: paths on its input, rows of file, line, name, kind on its output."""

    def ask(folder: Path, args: argparse.Namespace) -> Gold:
        files = [path for path, language, _ in every_file(folder) if language in languages]
        filled = [part.format(oracles=HERE / "oracles", typescript=Path(args.typescript).resolve()) for part in command]
        text = "".join(f"{(folder / path).resolve()}\n" for path in files)
        said = subprocess.run(filled, input=text, capture_output=True, text=True, errors="replace", check=True).stdout
        gold: Gold = {path: [] for path in files}
        for line in said.splitlines():
            path, number, name, _ = line.split("\t")
            gold[Path(path).relative_to(folder.resolve()).as_posix()].append((plain(name), int(number)))
        return gold

    return ask


def by_ast(folder: Path, args: argparse.Namespace) -> Gold:
    """Return what Python's parser says; files that it refuses are left out."""
    gold: Gold = {}
    for path, language, data in every_file(folder):
        if language != "python":
            continue
        try:
            nodes = list(ast.walk(ast.parse(data)))
        except (SyntaxError, ValueError):
            continue
        gold[path] = [
            (node.name, node.lineno)
            for node in nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        ]
    return gold


def by_sql(folder: Path, args: argparse.Namespace) -> Gold:
    """Return what SQL scripts create."""
    gold: Gold = {}
    for path, language, data in every_file(folder):
        if language == "sql":
            text = data.decode("utf-8", "replace")
            gold[path] = created(text, "mysql" in path.lower() or "ENGINE=" in text)
    return gold


ORACLES: dict[str, Callable[[Path, argparse.Namespace], Gold]] = {
    "ctags": by_ctags,
    "go": by_command("go", "run", "{oracles}/definitions.go", languages=("go",)),
    "javac": by_command("java", "{oracles}/Definitions.java", languages=("java",)),
    "python": by_ast,
    "sql": by_sql,
    "typescript": by_command(
        *("node", "{oracles}/definitions.mjs", "{typescript}"), languages=("javascript", "typescript", "tsx")
    ),
}


# --- definitions ------------------------------------------------------------------------------------------------


class Comparison(NamedTuple):
    """How to compare."""

    language: str | None
    show: int
    no_file_scope: bool


def compare(title: str, gold: Gold, root: Path, options: Comparison) -> list[dict[str, Any]]:
    """Return and print recall and precision for each language of a table."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    states: dict[str, Counter[str]] = defaultdict(Counter)
    shown: dict[str, list[str]] = defaultdict(list)
    excuses = read_excuses()
    for name in sorted(gold):
        path = root / name
        if not path.is_file():
            continue
        data = path.read_bytes()
        kind = options.language or language_of(name, data[:2000])
        if kind not in GRAMMARS:
            continue
        parsed = parse.parse_source(name, kind, data)
        states[kind][parsed.parse] += 1
        said = [s for s in parsed.symbols if s.kind in COMPARED or (kind == "sql" and s.kind in SQL_KINDS)]
        if options.no_file_scope and kind in ("c", "java"):
            said = [s for s in said if s.visibility != "private" or s.kind not in ("function", "method", "constructor")]
        missed, extra = match(gold[name], said)
        counts[kind].update(
            gold=len(gold[name]),
            missed=len(missed),
            said=len(said),
            extra=len(extra),
            missed_excused=sum((root.name, name, line, what) in excuses for what, line in missed),
            extra_excused=sum((root.name, name, s.line, plain(s.name)) in excuses for s in extra),
        )
        shown[kind] += [f"  missed {name}:{line} {what}" for what, line in missed]
        shown[kind] += [f"  extra  {name}:{s.line} {s.kind} {s.name}" for s in extra]
    rows = []
    for kind, count in sorted(counts.items(), key=lambda item: -item[1]["gold"]):
        recall = 1 - count["missed"] / max(1, count["gold"])
        precision = 1 - count["extra"] / max(1, count["said"])
        excused = (count["missed_excused"] + count["extra_excused"]) / max(1, count["gold"])
        true_gold, true_said = count["gold"] - count["missed_excused"], count["said"] - count["extra_excused"]
        adjusted_recall = 1 - (count["missed"] - count["missed_excused"]) / max(1, true_gold)
        adjusted_precision = 1 - (count["extra"] - count["extra_excused"]) / max(1, true_said)
        print(
            f"{title:28}{kind:12}{count['gold']:7}{count['said']:7}{recall:9.4f}{precision:11.4f}"
            f"{excused:9.2%}{adjusted_recall:9.4f}{adjusted_precision:9.4f}  {dict(states[kind])}",
            flush=True,
        )
        for line in shown[kind][: options.show]:
            print(line)
        rows.append(
            {
                "table": title,
                "language": kind,
                **count,
                "recall": recall,
                "precision": precision,
                "excused": excused,
                "adjusted_recall": adjusted_recall,
                "adjusted_precision": adjusted_precision,
            }
        )
    return rows


def read_excuses() -> dict[tuple[str, str, int, str], str]:
    """Return (folder, file, line, name) -> why the oracle is wrong there."""
    with (HERE / "structure_excuses.tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row["folder"], row["file"], int(row["line"]), row["name"]): row["reason"] for row in rows}


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


def every_file(folder: Path) -> Iterator[tuple[str, str | None, bytes]]:
    """Yield (path, language or None, content) of every file that an index would hold by its size."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= MAX_BYTES:
            data = path.read_bytes()
            yield path.relative_to(folder).as_posix(), language_of(str(path), data[:2000]), data


def read_files(folders: list[Path], only: set[str]) -> list[File]:
    """Return (path, language, content) of every file with a grammar."""
    files = []
    for folder in folders:
        for path, language, data in every_file(folder):
            if language is not None and language in GRAMMARS and (not only or language in only):
                files.append((path, language, data))
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


# --- robustness -------------------------------------------------------------------------------------------------


def robust(folders: list[Path], most: int) -> dict[str, Any]:
    """Send every file through two workers; print counts by language and state, and each file without a whole tree."""

    def source() -> Iterator[tuple[str, str, str | None, bytes]]:
        number = 0
        for folder in folders:
            for path, language, data in every_file(folder):
                if most and number == most:
                    return
                number += 1
                yield f"{folder.name}/{path}", path, language, data
                languages[f"{folder.name}/{path}"] = language or "-"

    languages: dict[str, str] = {}
    states: dict[str, Counter[str]] = defaultdict(Counter)
    listed: dict[str, list[str]] = {"failed": [], "partial": []}
    slowest = (0.0, "")
    before = last = time.perf_counter()
    with WorkerPool(2) as pool:
        for key, parsed in pool.parse(source()):
            state, _, reason = parsed.parse.partition(": ")
            states[languages[key]][state] += 1
            if state in listed:
                listed[state].append(f"{key}\t{languages[key]}\t{reason or 'the tree has errors'}")
            now = time.perf_counter()
            slowest = max(slowest, (now - last, key))
            last = now
    seconds = time.perf_counter() - before
    total = sum(sum(count.values()) for count in states.values())
    print(
        f"{total} files of {', '.join(f.name for f in folders)} in {seconds:.0f} s; longest wait for a file {slowest[0]:.1f} s ({slowest[1]})"
    )
    print(f"{'language':12}{'files':>8}{'tree':>8}{'partial':>9}{'none':>7}{'failed':>8}")
    for language, count in sorted(states.items(), key=lambda item: -item[1].total()):
        numbers = (count.total(), count["tree"], count["partial"], count["none"], count["failed"])
        print("{:12}{:8}{:8}{:9}{:7}{:8}".format(language, *numbers))
    for state in ("failed", "partial"):
        print(f"{state}: {len(listed[state])} files")
        for line in sorted(listed[state]):
            print(f"  {line}")
    counts = {language: dict(count) for language, count in sorted(states.items())}
    return {"files": total, "seconds": seconds, "languages": counts, "failed": sorted(listed["failed"])}
