"""Literal, regular-expression and word questions through the public API, beside ripgrep, codesearch and tantivy.

``python -m benchmarks text --corpora DIRECTORY ... --indexes DIRECTORY --json FILE`` draws questions from each corpus' own text with a
fixed seed and asks every program the same ones, in turn, warm.  Indexes, also those of the others, are made once and kept.  Ours is
built without embeddings: none of these questions needs them.  Programs that are not installed are left out, and the output says so.

Times are CPU microseconds of all processes that take part; medians are given in wall time as well.  A program that is started for each
question is shown with and without what starting it on an empty folder costs.  Whether the answers agree is tested elsewhere
(``tests/text/test_ripgrep_truth.py``); here the numbers of lines are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import quatrain
from benchmarks.timing import machine
from quatrain.errors import BadQuery

__all__ = ["add_arguments", "run"]

SEED = 20
SLOW_QUESTIONS = 24  # of each kind, for programs that read everything
PAGE = 100
LARGE = 500e6  # bytes from which on the targets hold
# Microseconds: median, 99th percentile; and how many times as fast as ripgrep at the median.
TARGETS = {"literal": (150.0, 20_000.0), "regex, first 100": (5_000.0, None), "words": (1_000.0, None)}
TARGET_RATIO = ("regex, all", "ripgrep", 20.0)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--corpora", type=Path, nargs="+", required=True, help="source trees")
    parser.add_argument("--indexes", type=Path, help="where their indexes are kept (default: beside each)")
    parser.add_argument("--questions", type=int, default=300, help="of each kind")
    parser.add_argument("--json", type=Path, help="write the numbers to this file")


def run(args: argparse.Namespace) -> int:
    """Run the benchmark; 1 when a target is missed."""
    rows: list[dict[str, Any]] = []
    missed = 0
    for corpus in args.corpora:
        folder = args.indexes or corpus.parent
        index = quatrain.open(corpus, index_dir=folder / f"{corpus.name}.text-index", embedder="none")
        print(f"{corpus.name}: {index.status().counts['files']:,} files, {index.status().counts['bytes'] / 1e6:.0f} MB")
        for row in measure(corpus, index, folder, args.questions):
            rows.append(row)
            missed += report(row)
    if args.json:
        facts = {"machine": machine(("quatrain", "google-re2", "ripgrep", "tantivy", "numpy")), "command": sys.argv[1:]}
        args.json.write_text(json.dumps(facts | {"rows": rows}, indent=1) + "\n", encoding="utf-8")
    return int(missed > 0)


class Peer(NamedTuple):
    """Another program's way to answer one kind of question."""

    name: str
    ask: Callable[[str], int | None]  # the number of lines, or None where it has none or refuses
    most: int | None  # questions at most
    floor: Callable[[], object] | None  # what starting it costs


def measure(corpus: Path, index: Any, folder: Path, count: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each kind of question and program; ``peer`` is None in those of all questions to quatrain alone."""
    questions = Questions(corpus, index, random.Random(SEED))
    literals = [questions.literal() for _ in range(count)]
    regexes = [questions.regex() for _ in range(max(count // 3, 1))]
    words = [questions.words() for _ in range(count)]
    peers = find_peers(corpus, index, folder)
    kinds: dict[str, tuple[list[str], Callable[[str], int | None]]] = {
        "literal": (literals, lambda text: index.grep(text, limit=PAGE).total),
        "regex, first 100": (regexes, first_page(index)),
        "regex, all": (regexes, lambda text: lines_of(index, text)),
        "words": (words, lambda text: search_words(index, text)),
    }
    for kind, (asked, ask) in kinds.items():
        alone = timed([("quatrain", ask)], asked)["quatrain"]
        yield row_of(corpus, index, kind, None, alone, alone)
        for peer in peers.get(kind, ()):
            few = asked[: peer.most]
            both = timed([("quatrain", ask), (peer.name, peer.ask)], few)
            row = row_of(corpus, index, kind, peer.name, both["quatrain"], both[peer.name])
            if kind != "words":
                row["same_count"] = f"{sum(ask(text) == peer.ask(text) for text in few)}/{len(few)}"
            if peer.floor:
                floor = statistics.median(cost(peer.floor)[0] for _ in range(20))
                row |= {
                    "floor_us": floor,
                    "ratio_less_floor": max(row["peer_us"] - floor, 0.0) / max(row["ours_us"], 1e-9),
                }
            yield row


def row_of(
    corpus: Path, index: Any, kind: str, peer: str | None, ours: np.ndarray, theirs: np.ndarray
) -> dict[str, Any]:
    row: dict[str, Any] = {"corpus": corpus.name, "bytes": index.status().counts["bytes"], "case": kind, "peer": peer}
    row["questions"] = len(ours)
    for who, samples in (("ours", ours), ("peer", theirs)) if peer else (("ours", ours),):
        cpu, wall = samples.T
        row |= {
            f"{who}_us": float(np.median(cpu)),
            f"{who}_p99_us": float(np.percentile(cpu, 99)),
            f"{who}_wall_us": float(np.median(wall)),
        }
    if peer:
        row["ratio"] = row["peer_us"] / max(row["ours_us"], 1e-9)
    return row


def report(row: dict[str, Any]) -> int:
    """Print a row; return how many targets it misses."""
    line = f"  {row['case']:18}{row['peer'] or 'quatrain':12}{row['questions']:5}"
    who = "peer" if row["peer"] else "ours"
    line += "".join(f"{row[f'{who}_{name}']:14,.0f}" for name in ("us", "p99_us", "wall_us"))
    verdicts = []
    if row["peer"]:
        line += f"   {row['ratio']:,.1f} times ours"
        if "ratio_less_floor" in row:
            line += f", {row['ratio_less_floor']:,.1f} without its start"
        line += f", same count {row['same_count']}" if "same_count" in row else ""
        if (row["case"], row["peer"]) == TARGET_RATIO[:2]:
            verdicts.append((row["ratio"] >= TARGET_RATIO[2], f"at least {TARGET_RATIO[2]:g} times"))
    elif row["case"] in TARGETS:
        for name, target in zip(("us", "p99_us"), TARGETS[row["case"]], strict=True):
            if target is not None:
                verdicts.append((row[f"ours_{name}"] <= target, f"{name.removesuffix('us')}target {target:,.0f} us"))
    if row["bytes"] < LARGE:
        verdicts = []
    print(line + "".join(f"; {text} {'met' if met else 'MISSED'}" for met, text in verdicts), flush=True)
    return sum(not met for met, _ in verdicts)


def timed(ways: list[tuple[str, Callable[[str], object]]], questions: list[str]) -> dict[str, np.ndarray]:
    """Return (CPU, wall) microseconds of each question by name of the way, asked in turn after one round to warm up."""
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name, _ in ways}
    for text in questions:
        for _, ask in ways:
            ask(text)
    for text in questions:
        for name, ask in ways:
            samples[name].append(cost(lambda ask=ask, text=text: ask(text)))
    return {name: np.array(values) for name, values in samples.items()}


def cost(call: Callable[[], object]) -> tuple[float, float]:
    """Return CPU microseconds of this process and of the programs it ran, and wall microseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started, own = time.perf_counter_ns(), time.process_time_ns()
    call()
    own, wall = time.process_time_ns() - own, time.perf_counter_ns() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    children = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return own / 1e3 + children * 1e6, wall / 1e3


class Questions:
    """Draws questions from the text of a corpus."""

    def __init__(self, corpus: Path, index: Any, rng: random.Random) -> None:
        self.rng = rng
        self.corpus = corpus
        self.paths = [row.path for row in index.files() if row.indexed and row.size > 200]

    def line(self) -> str:
        """Return a line with some words, without what stands around it."""
        while True:
            data = (self.corpus / self.rng.choice(self.paths)).read_bytes()
            at = self.rng.randrange(len(data))
            start = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            try:
                text = data[start : end if end >= 0 else len(data)].decode().strip()
            except UnicodeDecodeError:
                continue
            if 12 <= len(text) <= 200 and len(re.findall(r"[A-Za-z]{3,}", text)) >= 2 and "\0" not in text:
                return text

    def literal(self) -> str:
        """Return 10 to 60 characters of a line."""
        text = self.line()
        size = min(self.rng.randint(10, 60), len(text))
        start = self.rng.randint(0, len(text) - size)
        return text[start : start + size]

    def regex(self) -> str:
        """Return a pattern of one of the shapes that people type."""
        names = re.findall(r"[A-Za-z_][A-Za-z0-9_]{2,}", self.line())
        others = re.findall(r"[A-Za-z_][A-Za-z0-9_]{2,}", self.line())
        one, two, three = (names * 3)[0], (names * 3)[1], (others * 3)[0]
        return self.rng.choice(
            [
                rf"\b{one}\b",
                rf"{one}\s*\(",
                rf"{one}.*{two}",
                rf"({one}|{three})\s*[=(]",
                rf"(?i){one}\w*",
                rf"^\s*(def|func|static|class)\s.*{one}",
                rf"{one}[._]\w+",
                rf"{one[:4]}\w+{two[-3:]}\b",
                rf"\b{one}\s+{two}\b",
                rf"{one}\(.*\)$",
                rf"(?i)\b(error|warning)\b.*{one}",
                rf"{one[:3]}[a-z]+_?{two}",
            ]
        )

    def words(self) -> str:
        """Return two to five words."""
        while True:
            found = re.findall(r"[A-Z]?[a-z]{3,}", self.line() + " " + self.line())
            if len(found) > 1:
                return " ".join(self.rng.sample(found, min(len(found), self.rng.randint(2, 5)))).lower()


def first_page(index: Any) -> Callable[[str], None]:
    def ask(text: str) -> None:
        index.grep(text, regex=True, limit=PAGE, exact_total=False)

    return ask


def lines_of(index: Any, text: str) -> int | None:
    try:
        return int(index.grep(text, regex=True).total)
    except BadQuery:
        return None


def search_words(index: Any, text: str) -> None:
    index.search(text, modalities=["text"], content="all", limit=10)


# --- other programs --------------------------------------------------------------------------------------------------


def find_peers(corpus: Path, index: Any, folder: Path) -> dict[str, list[Peer]]:
    """Return the programs that are installed, by kind of question."""
    found: dict[str, list[Peer]] = {"literal": [], "regex, all": [], "words": []}
    known = frozenset(os.fsencode(row.path) for row in index.files() if row.indexed)
    (empty := folder / "empty").mkdir(exist_ok=True)

    def add(name: str, literal: list[str], regex: list[str], where: str, most: int | None, **environment: str) -> None:
        variables = {**os.environ, **environment}
        for kind, command, spell in (
            ("literal", literal, escape if name == "codesearch" else str),
            ("regex, all", regex, str),
        ):
            found[kind].append(
                Peer(
                    name,
                    lambda text, c=command, s=spell: count_lines(
                        [*c, s(text), *where.split()], corpus, known, variables
                    ),
                    most,
                    lambda c=command: count_lines([*c, "absent", *where.split()], empty, known, variables),
                )
            )

    rg, csearch, cindex = find_program("rg"), find_program("csearch"), find_program("cindex")
    if rg:
        base = [rg, "--no-config", "-uu", "-a", "-n", "--no-heading", "--color", "never"]
        add("ripgrep", [*base, "-F", "-e"], [*base, "-e"], ".", SLOW_QUESTIONS)
    if csearch and cindex:
        store = folder / f"{corpus.name}.csearch"
        if not store.exists():
            partial = store.with_suffix(".partial")
            subprocess.run(
                [cindex, str(corpus.resolve())],
                env={**os.environ, "CSEARCHINDEX": str(partial)},
                check=True,
                capture_output=True,
            )
            partial.rename(store)
        add("codesearch", [csearch, "-n"], [csearch, "-n"], "", None, CSEARCHINDEX=str(store))
    try:
        found["words"].append(Peer("tantivy", tantivy_search(index, folder / f"{corpus.name}.tantivy"), None, None))
    except ImportError:
        print("  tantivy is not installed and is left out")
    for name, program in (("ripgrep", rg), ("codesearch", csearch and cindex)):
        if not program:
            print(f"  {name} is not installed and is left out")
    return found


def find_program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=os.path.dirname(sys.executable))


def escape(text: str) -> str:
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", text)


def count_lines(command: list[str], folder: Path, known: frozenset[bytes], environment: dict[str, str]) -> int | None:
    """Run a program and count the lines it prints of the files we know; None when it refuses the question."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    if done.returncode == 2:
        return None
    prefix = os.fsencode(folder.resolve()) + b"/"
    paths = (row.split(b":", 1)[0].removeprefix(b"./").removeprefix(prefix) for row in done.stdout.split(b"\n"))
    return sum(path in known for path in paths)


def tantivy_search(index: Any, store: Path) -> Callable[[str], None]:
    """Index the same chunks with tantivy, once, and return its search for the best ten."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", stored=False, tokenizer_name="en_stem")
    builder.add_unsigned_field("chunk", stored=True)
    if not store.exists():
        partial = store.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        writer = tantivy.Index(builder.build(), path=str(partial)).writer(256_000_000)
        view = index.view
        content, offsets = view.documents.contents, view.documents.content_offsets
        base = offsets[view.chunks.files.astype(np.int64)]
        spans = zip((base + view.chunks.start_bytes).tolist(), (base + view.chunks.end_bytes).tolist(), strict=True)
        for number, (start, end) in enumerate(spans):
            text = content[start:end].tobytes().decode("utf-8", "replace")
            writer.add_document(tantivy.Document(body=text, chunk=number))
        writer.commit()
        writer.wait_merging_threads()
        partial.rename(store)
    opened = tantivy.Index.open(str(store))
    searcher = opened.searcher()

    def ask(text: str) -> None:
        query = opened.parse_query(text, ["body"])
        for _, address in searcher.search(query, 10).hits:
            _ = searcher.doc(address)["chunk"]

    return ask
