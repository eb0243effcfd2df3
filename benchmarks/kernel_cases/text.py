"""Literal search over 500 MB of source: postings beside pyroaring, whole queries beside memmem, re, codesearch and ripgrep."""

from __future__ import annotations

import ctypes
import os
import random
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from pyroaring import BitMap

from benchmarks.corpora import text_files
from benchmarks.kernel_cases.case import Result, require
from quatrain._kernels import literal, roaring, trigrams
from quatrain.indexes import trigrams as trigram_index
from quatrain.query.regex_engine import compile_pattern
from quatrain.retrieval.grep import find_matches

PACKAGES = ("pyroaring", "ripgrep")
MOST = trigram_index.MOST_POSTINGS  # of one literal; pyroaring intersects all of them

Lines = tuple[list[int], list[int]]  # files, line numbers


class Sections:
    """A segment in memory: sections by tag."""

    def __init__(self) -> None:
        self._arrays: dict[str, np.ndarray] = {}

    def add(self, tag: str, array: Any, bulk: bool = False) -> None:
        self._arrays[tag] = np.asarray(array)

    def array(self, tag: str) -> np.ndarray:
        return self._arrays[tag]

    def __contains__(self, tag: str) -> bool:
        return tag in self._arrays

    def verify(self, tag: str, starts: np.ndarray, ends: np.ndarray) -> None:
        """A segment in memory has no checksums."""


class Corpus:
    """All text files of a directory as one blob, and the product's index of it."""

    def __init__(self, directory: Path, most_bytes: int | None = None) -> None:
        self.directory = directory
        self.paths: list[Path] = []
        parts, size = [], 0
        for path in text_files(directory):
            data = path.read_bytes()
            if most_bytes is not None and size + len(data) > most_bytes:
                continue
            self.paths.append(path)
            parts.append(data)
            size += len(data)
        self.offsets = np.cumsum([0, *map(len, parts)]).astype(np.uint64)
        self.content = np.frombuffer(b"".join(parts), np.uint8)
        del parts
        newlines = np.flatnonzero(self.content == 0x0A)
        bounds = np.searchsorted(newlines, self.offsets.astype(np.int64))
        owner = np.repeat(np.arange(len(self.paths)), np.diff(bounds))
        self.newlines = (newlines - self.offsets.astype(np.int64)[owner]).astype(np.uint32)
        self.newline_offsets = bounds.astype(np.uint64)
        self.segment = Sections()
        self.segment.add("content", self.content)
        self.segment.add("file/content_offset", self.offsets)
        self.segment.add("file/newline_offset", self.newline_offsets)
        self.segment.add("newlines", self.newlines)
        start = time.process_time()
        trigram_index.build(self.segment, self.content, self.offsets)
        self.build_seconds = time.process_time() - start
        self.view: Any = SimpleNamespace(
            segment=self.segment,
            trigrams=trigram_index.TrigramIndex(self.segment),
            caches={},
            documents=SimpleNamespace(count=len(self.paths)),
        )

    def spans(self, needle: bytes) -> tuple[np.ndarray, np.ndarray]:
        """Return where the candidate pieces of a literal begin and end."""
        index = self.view.trigrams
        pieces = index.candidates(needle)
        return index.pieces[pieces], index.pieces[pieces + 1]

    def by_product(self, text: str) -> Lines:
        options: dict[str, Any] = dict.fromkeys(
            ("regex", "ignore_case", "smart_case", "whole_word", "multiline"), False
        )
        found = find_matches(self.view, compile_pattern(text, **options))
        return found.files, found.lines

    def line_set(self, files: Sequence[int], numbers: Sequence[int]) -> set[tuple[int, int]]:
        return set(zip(map(int, files), map(int, numbers), strict=True))


def choose_literals(corpus: Corpus, count: int) -> list[str]:
    """Return 10-60 characters each, from a random place of a random file, within a line, printable ASCII."""
    chooser = random.Random(7)
    chosen: list[str] = []
    while len(chosen) < count:
        file = chooser.randrange(len(corpus.paths))
        length = chooser.randint(10, 60)
        start, end = int(corpus.offsets[file]), int(corpus.offsets[file + 1])
        if end - start <= length:
            continue
        at = start + chooser.randrange(end - start - length)
        data = corpus.content[at : at + length].tobytes()
        if data.isascii() and data.strip() and all(0x20 <= byte < 0x7F for byte in data):
            chosen.append(data.decode())
    return chosen


def each_once(function: Callable[[Any], object], queries: Sequence[Any], passes: int) -> list[float]:
    """Return one median CPU time for each query, less what reading the clock takes.

    A pass asks all of them, so that no query finds its own data in the nearest caches.
    """
    taken = np.zeros((passes, len(queries)))
    empty = np.zeros(1000)
    for number in range(len(empty)):
        start = time.process_time_ns()
        empty[number] = (time.process_time_ns() - start) / 1e3
    for number in range(passes):
        for position, query in enumerate(queries):
            start = time.process_time_ns()
            function(query)
            taken[number, position] = (time.process_time_ns() - start) / 1e3
    return np.maximum(np.median(taken, 0) - np.median(empty), 0.0).tolist()


def postings_of(corpus: Corpus) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the keys, where their postings lie, and the postings."""
    keys, offsets, blob = (corpus.segment.array(f"trigram/{name}") for name in ("keys", "offset", "postings"))
    return keys, offsets, blob


# --- peers ---------------------------------------------------------------------------------------------------------


def pyroaring_way(corpus: Corpus, wanted: list[np.ndarray]) -> Callable[[list[int]], BitMap]:
    """Return the intersection of bitmaps that are in memory already: sorted by size, in place, stop when empty."""
    key_table, posting_offsets, blob = postings_of(corpus)
    bitmaps = {}
    for key in np.unique(np.concatenate(wanted)).tolist():
        at = int(np.searchsorted(key_table, key))
        bitmaps[key] = BitMap.deserialize(blob[int(posting_offsets[at]) : int(posting_offsets[at + 1])].tobytes())

    def intersect(keys: list[int]) -> BitMap:
        ordered = sorted((bitmaps[key] for key in keys), key=len)
        found = ordered[0].copy()
        for other in ordered[1:]:
            found &= other
            if not found:
                break
        return found

    return intersect


def memmem_way(corpus: Corpus) -> Callable[[bytes], list[int]]:
    """Return the C library's memmem over the candidates' bytes."""
    memmem = ctypes.CDLL(None).memmem
    memmem.restype = ctypes.c_void_p
    memmem.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    base = corpus.content.ctypes.data

    def search(needle: bytes) -> list[int]:
        found: list[int] = []
        for start, end in zip(*(column.tolist() for column in corpus.spans(needle)), strict=True):
            at = base + start
            while hit := memmem(at, base + end - at, needle, len(needle)):
                found.append(hit - base)
                at = hit + len(needle)
        return found

    return search


def re_way(corpus: Corpus) -> Callable[[bytes], list[int]]:
    view = memoryview(corpus.content)

    def search(needle: bytes) -> list[int]:
        pattern = re.compile(re.escape(needle))
        found: list[int] = []
        for start, end in zip(*(column.tolist() for column in corpus.spans(needle)), strict=True):
            found.extend(start + match.start() for match in pattern.finditer(view[start:end]))
        return found

    return search


def run_program(command: Sequence[str], environment: dict[str, str] | None = None) -> tuple[float, float, bytes]:
    """Return (CPU microseconds of the child, wall microseconds, output)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, env=environment)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command[0]} exited with {done.returncode}: {done.stderr[:300]!r}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent * 1e6, wall * 1e6, done.stdout


def parse_hits(corpus: Corpus, output: bytes) -> set[tuple[int, int]]:
    """Read ``path:line:text`` rows.  codesearch puts no line break behind a last line that has none, so rows may touch."""
    number = {os.fsencode(path): position for position, path in enumerate(corpus.paths)}
    rows = re.finditer(rb"(" + re.escape(os.fsencode(corpus.directory)) + rb"/[^\n]*?):(\d+):", output)
    return {(number[row[1]], int(row[2])) for row in rows}


class Programs:
    """ripgrep and codesearch on the same files, and what they take to find nothing in nothing."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.rg = shutil.which("rg") or str(Path(os.sys.executable).with_name("rg"))  # type: ignore[attr-defined]
        self.csearch = shutil.which("csearch")
        self.temporary = Path(tempfile.mkdtemp())
        self.environment = dict(os.environ, CSEARCHINDEX=str(self.temporary / "index"), GOMAXPROCS="1")
        empty = self.temporary / "empty"
        empty.mkdir()
        self.rg_floor = [run_program(self.command_rg("nothing", empty)) for _ in range(10)]
        self.unindexed: set[int] = set()
        if self.csearch:
            done = subprocess.run(
                ["cindex", "-verbose", str(corpus.directory)], env=self.environment, capture_output=True, text=True
            )
            number = {str(path): position for position, path in enumerate(corpus.paths)}
            self.unindexed = set(number.values())  # hidden files, long lines, too many trigrams, not UTF-8
            for match in re.finditer(r"^\S+ \S+ \d+ \d+ (/.*)$", done.stderr, re.MULTILINE):
                self.unindexed.discard(number.get(match[1], -1))
            floor = dict(self.environment, CSEARCHINDEX=str(self.temporary / "none"))
            (empty / "a.c").write_text("int a;\n")
            subprocess.run(["cindex", str(empty)], env=floor, capture_output=True)
            self.csearch_floor = [run_program(["csearch", "nothing"], floor) for _ in range(10)]

    def command_rg(self, text: str, where: Path) -> list[str]:
        return [
            *(self.rg, "-F", "-uu", "-a", "-j1", "-E", "none", "-n", "--no-heading", "--with-filename", "--no-config"),
            *("--color", "never", "-e", text, str(where)),
        ]

    def command_csearch(self, text: str) -> list[str]:
        quoted = re.sub(r"([][\\.*+?(){}|^$])", r"\\\1", text)
        return ["csearch", "-n", "--", quoted]

    def close(self) -> None:
        shutil.rmtree(self.temporary)


# --- cases ---------------------------------------------------------------------------------------------------------


def run_postings(corpus: Corpus, literals: list[str], passes: int) -> Result:
    wanted = [trigrams.unique(text.encode()) for text in literals]
    keys = [each.tolist() for each in wanted]
    by_pyroaring = pyroaring_way(corpus, wanted)
    table, posting_offsets, blob = postings_of(corpus)

    def ours(need: np.ndarray, most: int = MOST) -> np.ndarray:
        return roaring.intersect(blob, posting_offsets, roaring.locate(table, posting_offsets, need, most), most)

    extra = []
    for need, plain in zip(wanted, keys, strict=True):
        exact = by_pyroaring(plain)
        require(ours(need, 64).tolist() == list(exact), "postings: pyroaring")
        found = ours(need)
        require(BitMap(found.tolist()) >= exact, "postings: the rarest eight lose a piece")
        extra.append((len(found), len(exact)))
    samples = {"ours": each_once(ours, wanted, passes), "pyroaring": each_once(by_pyroaring, keys, passes)}
    notes = {
        "literals": len(literals),
        "trigrams_mean": float(np.mean([len(each) for each in keys])),
        "candidates_median": float(np.median([found for found, _ in extra])),
        "candidates_over_exact": sum(found for found, _ in extra) / max(1, sum(exact for _, exact in extra)),
        "work": "trigrams in, piece ids out; ours looks keys up and intersects the rarest eight, pyroaring all, from a dict",
    }
    return Result("postings", samples, notes)


def run_literal(corpus: Corpus, literals: list[str], passes: int, programs_literals: int) -> Iterator[Result]:
    needles = [text.encode() for text in literals]
    memmem, regular = memmem_way(corpus), re_way(corpus)
    programs = Programs(corpus)
    notes: dict[str, Any] = {
        "literals": len(literals),
        "pieces": len(corpus.view.trigrams.piece_files),
        "MB of postings": postings_of(corpus)[2].nbytes / 1e6,
        "with ripgrep": min(programs_literals, len(literals)),
        "with codesearch": min(6 * programs_literals, len(literals)),
        "files codesearch leaves out": len(programs.unindexed),
        "work": "text in, (file, line) of every matching line out; memmem and re search ours' candidates",
    }
    try:
        answers = []
        for text, needle in zip(literals, needles, strict=True):
            expected = corpus.line_set(*corpus.by_product(text))
            starts, ends = corpus.spans(needle)
            documents, offsets = literal.find(corpus.content, starts, ends, needle)
            positions = (starts[documents] + offsets).tolist()
            require(memmem(needle) == positions, f"literal {text!r}: memmem")
            answers.append((expected, positions))
        some = range(0, len(literals), max(1, len(literals) // 40))
        for position in some:
            require(regular(needles[position]) == answers[position][1], f"literal {literals[position]!r}: re")
        rg: list[tuple[float, float]] = []
        for position in range(min(programs_literals, len(literals))):
            spent, wall, output = run_program(programs.command_rg(literals[position], corpus.directory))
            require(parse_hits(corpus, output) == answers[position][0], f"literal {literals[position]!r}: ripgrep")
            rg.append((spent, wall))
        cs: list[tuple[float, float]] = []
        for position in range(min(6 * programs_literals, len(literals))):
            command = programs.command_csearch(literals[position])
            spent, wall, output = run_program(command, programs.environment)
            indexed = {hit for hit in answers[position][0] if hit[0] not in programs.unindexed}
            require(parse_hits(corpus, output) == indexed, f"literal {literals[position]!r}: codesearch")
            cs.append((spent, wall))
        samples = {
            "ours": each_once(corpus.by_product, literals, passes),
            "memmem": each_once(memmem, needles, passes),
            "re": each_once(regular, [needles[position] for position in some], 1),
            "codesearch": [spent for spent, _ in cs],
            "ripgrep": [spent for spent, _ in rg],
        }
        rg_floor = float(np.median([spent for spent, _, _ in programs.rg_floor]))
        cs_floor = float(np.median([spent for spent, _, _ in programs.csearch_floor]))
        samples["codesearch wall"] = [wall for _, wall in cs]
        samples["ripgrep wall"] = [wall for _, wall in rg]
        samples["codesearch less floor"] = [max(spent - cs_floor, 0.0) for spent, _ in cs]
        samples["ripgrep less floor"] = [max(spent - rg_floor, 0.0) for spent, _ in rg]
        notes |= {
            "codesearch floor us": cs_floor,
            "ripgrep floor us": rg_floor,
            "clock": "CPU of the child process; rows named wall hold what a caller waits, process start included",
        }
        yield Result("literal", samples, notes)
    finally:
        programs.close()


def run_extraction(corpus: Corpus) -> Result:
    """Distinct trigrams of every file, through the C function itself; the peers on a part of the files."""
    extension = ctypes.CDLL(trigrams.__file__)
    distinct = extension.qt_trigrams_distinct
    distinct.restype = ctypes.c_size_t
    distinct.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
    seen, out = np.zeros(1 << 18, np.uint64), np.empty((1 << 21) + 1, np.uint32)
    base, seen_at, out_at = corpus.content.ctypes.data, seen.ctypes.data, out.ctypes.data
    chooser = np.random.default_rng(3)
    files = [int(file) for file in chooser.permutation(len(corpus.paths))[:4000]]
    spans = [(int(corpus.offsets[file]), int(corpus.offsets[file + 1])) for file in files]
    few = spans[:200]
    megabytes, few_megabytes = (sum(end - start for start, end in part) / 1e6 for part in (spans, few))

    def by_set(start: int, end: int) -> int:
        data = corpus.content[start:end].tobytes()
        return len(set(zip(data, data[1:], data[2:], strict=False)))

    def by_numpy(start: int, end: int) -> int:
        data = corpus.content[start:end].astype(np.uint32)
        return len(np.unique(data[:-2] << 16 | data[1:-1] << 8 | data[2:])) if len(data) >= 3 else 0

    for start, end in few:
        count = distinct(base + start, end - start, seen_at, out_at)
        require(count == by_set(start, end) == by_numpy(start, end), "trigrams: set or NumPy")

    def a_megabyte(function: Callable[[int, int], object], part: list[tuple[int, int]], total: float) -> list[float]:
        taken = []
        for _ in range(5):
            begun = time.process_time()
            for start, end in part:
                function(start, end)
            taken.append((time.process_time() - begun) * 1e6 / total)
        return taken

    samples = {
        "ours": a_megabyte(lambda start, end: distinct(base + start, end - start, seen_at, out_at), spans, megabytes),
        "set": a_megabyte(by_set, few, few_megabytes),
        "numpy": a_megabyte(by_numpy, few, few_megabytes),
    }
    speed = 1e6 / float(np.median(samples["ours"]))
    return Result("trigrams of 1 MB", samples, {"MB_per_s": speed, "product index build, s": corpus.build_seconds})


def run(directory: Path, passes: int, literals: int, programs_literals: int) -> Iterator[Result]:
    corpus = Corpus(directory)
    chosen = choose_literals(corpus, literals)
    notes = {"files": len(corpus.paths), "MB": corpus.content.nbytes / 1e6, "packages": sorted(os.listdir(directory))}
    for result in (run_postings(corpus, chosen, passes), *run_literal(corpus, chosen, passes, programs_literals)):
        result.notes |= notes
        yield result
    yield run_extraction(corpus)


def growth(directory: Path) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """Return curves: title -> name -> (x, microseconds)."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for megabytes in (20, 60, 200, 600):
        corpus = Corpus(directory, megabytes * 1_000_000)
        chosen = choose_literals(corpus, 100)
        size = corpus.content.nbytes / 1e6
        curves.setdefault("ours", []).append((size, float(np.median(each_once(corpus.by_product, chosen, 3)))))
    return {"Literal, whole query (median of 100): MB of source": curves}
