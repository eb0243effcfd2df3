"""The same set of (path, line) as ripgrep, to the last hit, through the public API.

The samples are small and fast: parts of the standard library, C headers, Django's translations, and encodings of our own.  Whole source
trees, with 1,000 literals and 300 regular expressions each::

    QUATRAIN_TRUTH_FOLDERS=/src/django:/src/postgresql:/src/ruby python -m pytest tests/text/test_ripgrep_truth.py
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import quatrain
from corpora import pypi
from quatrain.errors import BadQuery

RIPGREP = shutil.which("rg") or shutil.which("rg", path=os.path.dirname(sys.executable))
pytestmark = pytest.mark.skipif(RIPGREP is None, reason="needs ripgrep: pip install ripgrep==14.1.0")

FOLDERS = [folder for folder in os.environ.get("QUATRAIN_TRUTH_FOLDERS", "").split(os.pathsep) if folder]
CORPORA = FOLDERS or ["python", "c", "translations", "encodings"]
LITERALS, REGEXES = (1000, 300) if FOLDERS else (250, 75)  # of each corpus

FLAGS = {"ignore_case": "-i", "smart_case": "-S", "whole_word": "-w", "multiline": "-U"}
CHOICES = [
    {}, {}, {}, {"ignore_case": True}, {"smart_case": True}, {"whole_word": True}, {"ignore_case": True, "whole_word": True},
    {"multiline": True}, {"multiline": True, "ignore_case": True},
]  # fmt: skip

SAMPLES = {
    "utf8.txt": "Grüße, 日本語 und Ελληνικά: naïve façade\nпривет мир K ſ\ncombining e\u0301 a\u0308\n進度條 진행 🙂👩‍🚀\n",
    "bom.txt": "\ufefffirst line é\nsecond line\n",
    "crlf.txt": "one\r\ntwo é\r\n\r\nthree\r\n",
    "mixed.txt": "a\n\nb\r\nc\r\rd\x0b\x0ce\u2028f\u0085g",
}
ENCODED = [
    ("latin1.txt", "latin-1", "déjà vu: coûter £5, naïve\nplain ascii line\nßtraße ÿ\n"),
    ("sjis.txt", "shift_jis", "日本語のテキスト abc\nエラー: ファイルがありません 12\n"),
    ("gbk.txt", "gbk", "进度条 progress\n中文字符 x1\n"),
    ("koi8.txt", "koi8-r", "привет мир\nстрока номер 2\n"),
    ("utf16.txt", "utf-16", "wide é 日本\r\nsecond wide line\n"),
]


def copy_some(folder: Path, pattern: str, most: int, root: Path) -> None:
    """Copy some files of a folder, the same ones each time."""
    paths = sorted(path for path in folder.rglob(pattern) if path.is_file() and path.stat().st_size < 60_000)
    random.Random(5).shuffle(paths)
    for number, path in enumerate(paths[:most]):
        (root / f"{number}-{path.name}").write_bytes(path.read_bytes())


def write_encodings(root: Path) -> None:
    for name, text in SAMPLES.items():
        (root / name).write_bytes(text.encode())
    for name, encoding, text in ENCODED:
        (root / name).write_bytes(text.encode(encoding))
    scrambled = random.Random(3)
    # No line begins with half a character: whether ripgrep looks back across the newline then depends on how it got there.
    broken = b"\n".join(
        scrambled.choice([b"a", b" ", b"-", b"\xff", b"\xc3", b"\xc3\xa9"])
        + bytes(scrambled.choice(b"ab 1_\xc3\xa9\xff\x80\xe2\x84\xaa\xc5\xbf-") for _ in range(12))
        for _ in range(200)
    )
    (root / "broken.txt").write_bytes(broken)


class Corpus:
    """A folder and its index."""

    def __init__(self, root: Path, index_dir: Path) -> None:
        self.root = root
        self.index = quatrain.build(root, index_dir=index_dir, embedder="none")
        self.paths = [file.path for file in self.index.files() if file.indexed and file.size]
        assert self.paths
        self.known = frozenset(self.paths)

    def ripgrep(self, pattern: str, options: dict[str, bool]) -> set[tuple[str, int]] | None:
        """Return ripgrep's lines in the indexed files, or None when it refuses the pattern."""
        flags = [FLAGS[name] for name in FLAGS if options.get(name)] + ([] if options.get("regex") else ["-F"])
        command = [RIPGREP, "--no-config", "-uu", "-a", "-j1", "-n", "-0", "--no-heading", "--color", "never", *flags]
        done = subprocess.run([*command, "-e", pattern, "."], cwd=self.root, capture_output=True, check=False)
        if done.returncode == 2:
            return None
        lines = set()
        for row in done.stdout.split(b"\n"):
            path, zero, rest = row.partition(b"\0")
            if zero and (name := os.fsdecode(path.removeprefix(b"./"))) in self.known:
                lines.add((name, int(rest.split(b":", 1)[0])))
        return lines

    def quatrain(self, pattern: str, options: dict[str, bool]) -> set[tuple[str, int]] | None:
        """Return quatrain's lines, or None when it refuses the pattern."""
        try:
            found = self.index.grep(pattern, budget_s=None, **options)
        except BadQuery:
            return None
        assert found.total == len(found.hits) and not found.truncated
        return {(hit.path, hit.line) for hit in found.hits}

    def piece(self, rng: random.Random, lengths: list[int], across_lines: bool = False) -> str:
        """Return some characters of one file, of one line unless ``across_lines``."""
        while True:
            data = (self.root / rng.choice(self.paths)).read_bytes()
            at = rng.randrange(len(data))
            text = data[at : at + 4 * rng.choice(lengths)].decode("utf-8", "ignore")
            text = (text if across_lines else text.split("\n")[0]).replace("\ufeff", "")[: rng.choice(lengths)]
            if text.strip("\r") and "\0" not in text:
                return text


@pytest.fixture(scope="module", params=CORPORA)
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    index_dir = tmp_path_factory.mktemp("index")
    if request.param in FOLDERS:
        return Corpus(Path(request.param), index_dir)
    root = tmp_path_factory.mktemp("corpus")
    if request.param == "python":
        copy_some(Path(os.__file__).parent, "*.py", 80, root)
    elif request.param == "c":
        copy_some(Path(sysconfig.get_paths()["include"]), "*.h", 60, root)
    elif request.param == "translations":
        copy_some(pypi("django==5.2.8", source=True), "*.po", 60, root)
    else:
        write_encodings(root)
    return Corpus(root, index_dir)


@pytest.fixture(scope="module")
def encodings(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    write_encodings(root := tmp_path_factory.mktemp("corpus"))
    return Corpus(root, tmp_path_factory.mktemp("index"))


def escape(text: str) -> str:
    return re.sub(r"([\\.+*?()|\[\]{}^$#&\-~])", r"\\\1", text)


CLASSES = [
    r"\w", r"\d", r"\s", r"\W", r"\D", r"\S", ".", "[a-z]", "[^a-z]", "[[:alpha:]]", r"\p{L}", r"\p{Lu}", r"\p{Greek}",
    r"[\w-]", r"[^\s\"]", "[à-ÿ]", r"[\d.]", r"\P{Ll}", r"[\w&&[^\d]]", "[^é]",
]  # fmt: skip
REPEATED = [r"\w+", r"\d+", r"\s*", ".*", ".+?", "[a-z_]+", r"\s+", r"\w{2,5}", ".{3}", "[^,]*", r"\S+?", r"\W{1,2}"]
PLACES = [r"\b", r"\B", "^", "$", r"\b"]


def regex(corpus: Corpus, rng: random.Random) -> str:
    def atom() -> str:
        word = re.findall(r"\w+|[^\w\s]+|\s+", corpus.piece(rng, [3, 8, 12]))[0]
        draw = rng.random()
        if draw < 0.35:
            return escape(word)
        if draw < 0.47:
            return rng.choice(CLASSES)
        if draw < 0.6:
            return rng.choice(REPEATED)
        if draw < 0.7:
            return "(" + "|".join(escape(corpus.piece(rng, [2, 5])) for _ in range(rng.randint(2, 4))) + ")"
        if draw < 0.78:
            return f"({escape(word)})" + rng.choice("?*+")
        if draw < 0.86:
            return rng.choice(PLACES)
        if draw < 0.93:
            return f"(?i:{escape(word)})"
        return escape(word) + rng.choice(["", r"\b", "?", "+", "{1,2}"])

    text = "".join(atom() for _ in range(rng.randint(1, 4)))
    frame = rng.choice(["{}"] * 6 + ["(?i){}", r"\b{}\b", "^{}", "{}$"])
    return frame.format("(?:" + text + ")" if "|" in text else text) if frame != "{}" else text


def test_literals(corpus: Corpus) -> None:
    rng = random.Random(1)
    lengths = [1, 2, 3, 4, 5, 8, 12, 20, 40, 60]
    differing = []
    for _ in range(LITERALS):
        options = rng.choice(CHOICES)
        pattern = corpus.piece(rng, lengths, across_lines=options.get("multiline", False))
        if corpus.quatrain(pattern, options) != corpus.ripgrep(pattern, options):
            differing.append((pattern, options))
    assert not differing


def test_regexes(corpus: Corpus) -> None:
    rng = random.Random(2)
    refused, differing = 0, []
    for _ in range(REGEXES):
        pattern = regex(corpus, rng)
        options = {"regex": True, **rng.choice(CHOICES)}
        got, expected = corpus.quatrain(pattern, options), corpus.ripgrep(pattern, options)
        if got != expected:
            differing.append((pattern, options))
        refused += expected is None
    assert not differing
    assert refused <= REGEXES // 10, "too few of the patterns are searched at all"


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    pattern=st.text("ab1_é -e\u0301日本語K\u212aſsßÿ🙂\r\n\x85\u2028", min_size=1, max_size=6),
    options=st.sampled_from(CHOICES),
)
def test_generated_literals(encodings: Corpus, pattern: str, options: dict[str, bool]) -> None:
    assume(options.get("multiline") or "\n" not in pattern)
    assert encodings.quatrain(pattern, options) == encodings.ripgrep(pattern, options)


atoms = st.one_of(
    st.text("ab1_é -", min_size=1, max_size=3).map(escape),
    st.sampled_from(
        [*CLASSES, *PLACES, *REPEATED, r"\<a", r"b\>", r"\x61", "(?i:K)", "(?-u:a)", "[a&&b]", r"\A", r"\z"]
    ),
)
generated = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: "(?:" + "|".join(parts) + ")"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{0}", "+?"])).map(
            lambda p: f"(?:{p[0]}){p[1]}"
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(pattern=generated, options=st.sampled_from(CHOICES))
def test_generated_regexes(encodings: Corpus, pattern: str, options: dict[str, bool]) -> None:
    # Beside bytes that are not UTF-8 ripgrep's \b and \B can both fail; RE2's are each other's opposite.
    assume(r"\B" not in pattern or not re.search(r"\\[b<>]", pattern))
    options = {"regex": True, **options}
    got, expected = encodings.quatrain(pattern, options), encodings.ripgrep(pattern, options)
    if got is None and expected is not None:
        assert r"\<" in pattern or r"\>" in pattern or "(?-u" in pattern  # what RE2 cannot express
    else:
        assert got == expected
