"""Search methods to compare with: ripgrep, universal-ctags, BM25, and BM25 with a hand-made reranking step.

Each opens a folder and answers questions with files or passages, best first.  ``bm25_rerank`` is the strongest that needs no model: BM25 over
windows of 40 lines and the words of their paths, a file's best five windows summed with weight r ** -1.5, a bonus for a file name in the
question and for a definition of an identifier in it, and a penalty for tests, examples and documentation.  Its constants are first guesses
and were never tuned.  ``rg`` and ``ctags`` must be on PATH.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

__all__ = ["METHODS", "Corpus", "Passage", "keyword_hits"]

LARGEST = 2_000_000  # bytes of one file
PROBE = 4096
SKIPPED_FOLDERS = {".git", "node_modules", "vendor", "dist"}
CODE = {
    "py", "pyi", "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "go", "java", "kt", "kts", "scala", "sc", "c", "h", "cc", "cpp",
    "cxx", "hpp", "hh", "hxx", "ipp", "inc", "cs", "php", "rb", "rake", "rs", "swift", "ex", "exs", "hs", "lhs", "lua", "sh", "bash",
    "bats", "zsh", "zig", "zon", "m", "mm", "pl", "pm", "r", "jl", "dart", "vue", "svelte", "erb", "y", "l", "el", "clj", "cljs", "erl",
    "hrl", "ml", "mli", "fs", "fsx", "vb", "groovy", "gradle", "sql", "proto", "thrift", "cmake",
}  # fmt: skip
STOP = {
    "a", "an", "the", "of", "to", "in", "on", "for", "and", "or", "is", "are", "be", "was", "by", "with", "from", "as", "at", "it",
    "its", "this", "that", "how", "does", "do", "did", "what", "where", "which", "when", "why", "who", "into", "out", "up", "not", "no",
    "can", "if", "then", "than", "via", "using", "used", "use", "uses", "their", "them", "they", "there", "has", "have", "between",
    "each", "any", "all", "one",
}  # fmt: skip
SUFFIXES = ("ations", "ation", "ings", "ing", "ions", "ion", "ies", "ied", "ers", "ed", "er", "es", "s")
TYPES = {
    "class", "struct", "interface", "trait", "enum", "type", "typedef", "module", "namespace", "object", "protocol", "union",
}  # fmt: skip
UNLIKELY_KINDS = {"variable", "import", "unknown"}
ASIDE = re.compile(r"(^|/)(tests?|specs?|examples?|benches|benchmarks?|docs?|__tests__)(/|$)|[._-](test|spec)s?\.")
IDENTIFIER = re.compile(r"[^\W\d]\w*")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
WINDOW, STEP = 40, 30  # lines
DEPTH = 10


class Passage(NamedTuple):
    """A file, or lines of one; ``end_line`` 0 means the whole file."""

    path: str
    start_line: int = 1
    end_line: int = 0


def words(text: str, *, stop: bool = False) -> list[str]:
    """Return the stems of the sub-words of identifiers, and of each compound identifier as a whole."""
    found = []
    for match in IDENTIFIER.finditer(text):
        whole = match.group()
        parts = [p.lower() for p in re.split(r"_+|\d+", CAMEL.sub("_", whole)) if len(p) > 1 or len(whole) == 1]
        found += parts
        if len(parts) > 1:
            found.append(whole.lower())
    return [stem(word) for word in found if not (stop and word in STOP)]


def stem(word: str) -> str:
    suffix = next((s for s in SUFFIXES if word.endswith(s) and len(word) - len(s) >= 4), "")
    return word[: len(word) - len(suffix)]


class BM25:
    """Okapi BM25 over lists of words."""

    def __init__(self, documents: Iterator[list[str]], k1: float = 1.5, b: float = 0.75) -> None:
        self.postings: dict[str, array] = defaultdict(lambda: array("I"))  # document, count, document, count ...
        lengths = array("I")
        for number, document in enumerate(documents):
            lengths.append(len(document))
            for word, count in Counter(document).items():
                self.postings[word].extend((number, count))
        self.count = len(lengths)
        average = sum(lengths) / max(1, self.count)
        self.k1 = k1
        self.norms = [k1 * (1 - b + b * length / average) for length in lengths]

    def scores(self, query: Sequence[str]) -> dict[int, float]:
        found: dict[int, float] = defaultdict(float)
        for word in dict.fromkeys(query):
            posting = self.postings.get(word)
            if posting is None:
                continue
            frequency = len(posting) // 2
            idf = math.log(1 + (self.count - frequency + 0.5) / (frequency + 0.5))
            for i in range(0, len(posting), 2):
                number, count = posting[i], posting[i + 1]
                found[number] += idf * count * (self.k1 + 1) / (count + self.norms[number])
        return found


class Corpus:
    """A folder opened for the methods below; what one of them needs is made when it is first asked for.

    Parameters
    ----------
    base : Path
        Paths in the answers are relative to it.
    root : str
        The part of ``base`` that is searched.
    """

    def __init__(self, base: Path, root: str = "") -> None:
        self.base, self.root = base, root

    @cached_property
    def files(self) -> list[tuple[str, str]]:
        """Source files as (path, text)."""
        found = []
        for folder, folders, names in os.walk(self.base / self.root):
            folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
            for name in sorted(names):
                path = Path(folder, name)
                if path.is_symlink() or path.stat().st_size > LARGEST:
                    continue
                data = path.read_bytes()
                code = "." in name and name.rpartition(".")[2].lower() in CODE
                if b"\0" not in data[:PROBE] and (code or data.startswith(b"#!")):
                    found.append((path.relative_to(self.base).as_posix(), data.decode("utf-8", "replace")))
        return found

    @cached_property
    def windows(self) -> list[Passage]:
        """Windows of 40 lines, one each 30 lines."""
        found = []
        for path, text in self.files:
            lines = text.count("\n") + 1
            for start in range(0, max(1, lines - (WINDOW - STEP)), STEP):
                found.append(Passage(path, start + 1, min(lines, start + WINDOW)))
        return found

    @cached_property
    def window_index(self) -> BM25:
        texts = {path: text.split("\n") for path, text in self.files}

        def documents() -> Iterator[list[str]]:
            for window in self.windows:
                named = words(" ".join(window.path.rsplit("/", 3)[-3:]).rpartition(".")[0])
                yield words("\n".join(texts[window.path][window.start_line - 1 : window.end_line])) + 2 * named

        return BM25(documents())

    @cached_property
    def file_index(self) -> BM25:
        return BM25(words(text) for _, text in self.files)

    @cached_property
    def tags(self) -> Mapping[str, list[tuple[str, str, int]]]:
        """Definitions by name: (path, kind, line)."""
        command = ["ctags", "-R", "--output-format=json", "--fields=NFnKl", "-f", "-", f"./{self.root}"]
        done = subprocess.run(command, cwd=self.base, capture_output=True, text=True, errors="replace", check=True)
        found: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
        for line in done.stdout.splitlines():
            try:
                tag = json.loads(line)
            except ValueError:
                continue
            if tag.get("_type") == "tag" and tag.get("name") and tag.get("path"):
                path = tag["path"].removeprefix("./")
                found[tag["name"]].append((path, tag.get("kind", ""), tag.get("line", 0)))
        return found

    @cached_property
    def folded_tags(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name in self.tags:
            found[name.lower()].append(name)
        return found

    def grep(self, text: str) -> list[tuple[str, int]]:
        """Return (path, matching lines) of every file that holds a text, whatever its case."""
        command = ["rg", "--count", "--no-heading", "-i", "--hidden", "--no-ignore", "-g", "!.git", "-F", "-e", text]
        done = subprocess.run([*command, f"./{self.root}"], cwd=self.base, capture_output=True, text=True, check=False)
        if done.returncode > 1:
            raise SystemExit(f"ripgrep failed: {done.stderr.strip()}")
        pairs = (line.rpartition(":") for line in done.stdout.splitlines())
        return [(path.removeprefix("./"), int(count)) for path, _, count in pairs]


def keyword_hits(corpus: Corpus, query: str) -> list[str]:
    """Return files by the sum over the question's words of idf x (1 + log of matching lines), best first, ties by path."""
    found: dict[str, float] = defaultdict(float)
    for word in dict.fromkeys(match.group().lower() for match in IDENTIFIER.finditer(query)):
        if word not in STOP and len(word) > 1:
            hits = corpus.grep(word)
            idf = math.log(1 + max(1, len(corpus.files)) / (1 + len(hits)))
            for path, count in hits:
                found[path] += idf * (1 + math.log(count))
    return sorted(found, key=lambda path: (-found[path], path))


def rg_literal(corpus: Corpus, query: str) -> list[Passage]:
    """The question as it is, files by matching lines."""
    return [Passage(path) for path, _ in sorted(corpus.grep(query), key=lambda hit: (-hit[1], hit[0]))[:DEPTH]]


def rg_keywords(corpus: Corpus, query: str) -> list[Passage]:
    """Each word of the question, files by idf and count."""
    return [Passage(path) for path in keyword_hits(corpus, query)[:DEPTH]]


def bm25_file(corpus: Corpus, query: str) -> list[Passage]:
    """BM25 over whole files."""
    scores = corpus.file_index.scores(words(query))
    return [Passage(corpus.files[i][0]) for i in sorted(scores, key=lambda i: (-scores[i], i))[:DEPTH]]


def bm25_chunk_path(corpus: Corpus, query: str) -> list[Passage]:
    """BM25 over windows and the words of their paths."""
    scores = corpus.window_index.scores(words(query, stop=True))
    return [corpus.windows[i] for i in sorted(scores, key=lambda i: (-scores[i], i))[:60]]


def bm25_rerank(corpus: Corpus, query: str) -> list[Passage]:
    """BM25 summed per file, with bonuses for file names and definitions and a penalty for tests."""
    scores = corpus.window_index.scores(words(query, stop=True))
    best = max(scores.values(), default=1) or 1
    by_file: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for number, score in scores.items():
        by_file[corpus.windows[number].path].append((score, number))
    asked = set(words(query, stop=True))
    found: dict[str, float] = {}
    shown: dict[str, Passage] = {}
    for path, hits in by_file.items():
        hits.sort(key=lambda hit: (-hit[0], hit[1]))
        score = sum(value / (rank + 1) ** 1.5 for rank, (value, _) in enumerate(hits[:5]))
        name = set(words(path.rpartition("/")[2].rpartition(".")[0]))
        score += 0.5 * best * len(asked & name) / max(1, len(name))
        found[path] = score * (0.4 if ASIDE.search(path.lower()) else 1)
        shown[path] = corpus.windows[hits[0][1]]
    names = [match.group() for match in IDENTIFIER.finditer(query)]
    for name in names:
        if len(names) == 1 or re.search(r"[a-z][A-Z]|_", name):
            for path, kind, _ in corpus.tags.get(name, ()):
                found[path] = found.get(path, 0) + best * (1.5 if kind in TYPES else 1.0)
    return [shown.get(path, Passage(path)) for path in sorted(found, key=lambda p: (-found[p], p))[:DEPTH]]


def ctags(corpus: Corpus, query: str) -> list[Passage]:
    """Definitions of the words of the question."""
    found = []
    for word in dict.fromkeys(re.findall(r"[\w$]+", query)):
        for name in [word] if word in corpus.tags else corpus.folded_tags.get(word.lower(), ()):
            found += sorted(
                corpus.tags[name],
                key=lambda tag: (tag[1] not in TYPES, tag[1] in UNLIKELY_KINDS, "test/" in tag[0], tag[0], tag[2]),
            )
    return [Passage(path, line, line) for path, _, line in found[:60]]


METHODS: Mapping[str, Callable[[Corpus, str], list[Passage]]] = {
    "rg_literal": rg_literal,
    "rg_keywords": rg_keywords,
    "ctags": ctags,
    "bm25_file": bm25_file,
    "bm25_chunk_path": bm25_chunk_path,
    "bm25_rerank": bm25_rerank,
}
