"""Whatever bytes a file holds, parsing answers: with facts that hold together, or with a reason."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quatrain.parsing.extract import extract, is_deeper
from quatrain.parsing.grammars import GRAMMARS, load_grammar
from quatrain.parsing.parse import MAX_NESTING, _parser, nesting, parse_source
from quatrain.parsing.pool import WorkerPool
from quatrain.parsing.rules import compiled
from quatrain.records import ParsedFile

HERE = Path(__file__).parent
SOURCES = {
    "python": "ledger.py",
    "javascript": "widget.js",
    "typescript": "service.ts",
    "tsx": "view.tsx",
    "go": "server.go",
    "rust": "engine.rs",
    "java": "Account.java",
    "c": "buffer.c",
    "cpp": "matrix.cpp",
    "csharp": "Orders.cs",
    "ruby": "garden.rb",
    "php": "Mailer.php",
    "kotlin": "Inventory.kt",
    "swift": "Camera.swift",
    "scala": "Pipeline.scala",
    "lua": "game.lua",
    "elixir": "queue.ex",
    "haskell": "Parser.hs",
    "ocaml": "stack.ml",
    "zig": "list.zig",
    "bash": "deploy.sh",
    "dart": "shapes.dart",
    "julia": "solver.jl",
    "r": "model.R",
    "sql": "schema.sql",
    "hcl": "network.tf",
    "markdown": "guide.md",
    "yaml": "settings.yaml",
    "toml": "project.toml",
    "json": "manifest.json",
    "html": "page.html",
    "css": "style.css",
    "dockerfile": "Dockerfile",
    "make": "Makefile",
    "vue": "Panel.vue",
}


def check(data: bytes, parsed: ParsedFile) -> None:
    assert parsed.parse in ("tree", "partial", "none") or parsed.parse.startswith("failed: ")
    for symbol in parsed.symbols:
        assert 0 <= symbol.start_byte <= symbol.name_byte < symbol.end_byte <= len(data)
        assert symbol.name and -1 <= symbol.parent < len(parsed.symbols)
        assert 1 <= symbol.start_line <= symbol.line <= symbol.end_line <= data.count(b"\n") + 1
    for reference in parsed.references:
        assert data[reference.byte :][: len(reference.name)] or not reference.name
        assert -1 <= reference.scope < len(parsed.symbols)
    last = 0
    for chunk in parsed.chunks:
        assert last <= chunk.start_byte < chunk.end_byte <= len(data)
        last = chunk.end_byte
    if data.strip():
        assert parsed.chunks


def source(language: str) -> bytes:
    return (HERE / "sources" / SOURCES[language]).read_bytes()


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_cut_off_anywhere(language: str) -> None:
    data = source(language)
    for end in range(0, len(data), max(1, len(data) // 25)):
        check(data[:end], parse_source("cut", language, data[:end]))
        check(data[end:], parse_source("cut", language, data[end:]))


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_random_bytes_and_bytes_strewn_in(language: str) -> None:
    generator = random.Random(language)
    noise = generator.randbytes(20_000)
    check(noise, parse_source("noise", language, noise))
    data = bytearray(source(language))
    for _ in range(60):
        data[generator.randrange(len(data))] = generator.choice(b"\x00\xff\xfe{}()[]\"'`\n\\<>:;#@")
        if _ % 6 == 0:
            check(bytes(data), parse_source("strewn", language, bytes(data)))


@pytest.mark.parametrize("language", sorted(SOURCES))
def test_line_ends_and_byte_order_marks_do_not_change_the_facts(language: str) -> None:
    data = source(language)
    plain = parse_source("a", language, data)
    for name, other, shift in (
        ("crlf", data.replace(b"\n", b"\r\n"), None),
        ("bom", b"\xef\xbb\xbf" + data, 3),
    ):
        if name == "bom" and language == "php":
            continue  # what stands before <?php is text
        changed = parse_source("a", language, other)
        check(other, changed)
        assert changed.parse == plain.parse
        assert [(s.qualified_name, s.kind, s.line, s.end_line) for s in changed.symbols] == [
            (s.qualified_name, s.kind, s.line, s.end_line) for s in plain.symbols
        ]
        assert [(r.name, r.kind, r.line) for r in changed.references] == [
            (r.name, r.kind, r.line) for r in plain.references
        ]
        if shift:
            assert [s.start_byte - shift for s in changed.symbols] == [s.start_byte for s in plain.symbols]
            # The mark belongs to the first chunk or to none.
            assert changed.chunks[-1].end_byte - shift == plain.chunks[-1].end_byte


def test_nul_bytes_and_other_encodings() -> None:
    for data in (
        b"def f():\x00\n    return 1\n",
        "def größe():\n    return 1\n".encode("latin-1"),
        "def f(): pass\n".encode("utf-16"),
        b"\x00" * 5000,
    ):
        check(data, parse_source("a.py", "python", data))
    named = parse_source("a.py", "python", "def größe(): pass\n".encode())
    assert [s.name for s in named.symbols] == ["größe"]


def test_brackets_nested_too_deep_are_not_parsed() -> None:
    deep = b"x = " + b"[" * (MAX_NESTING + 1) + b"]" * (MAX_NESTING + 1)
    parsed = parse_source("deep.py", "python", deep)
    assert parsed.parse == f"failed: brackets nested deeper than {MAX_NESTING}"
    check(deep, parsed)


def test_nesting_counts_depth_and_not_brackets() -> None:
    assert nesting(b"()" * 10_000) == 1
    assert nesting(b"(" * 6000 + b")" * 6000) == 6000
    assert nesting(b")" * 6000 + b"(" * 6000) == 6000
    assert nesting(b"f(x)[0]{}") == 0  # too few to bother


@pytest.mark.parametrize(
    ("language", "data"),
    [
        ("csharp", b"a<" * 50_000),  # three gigabytes within seconds
        ("java", b"a<" * 50_000),
        ("cpp", b"a<" * 100_000),
        ("html", b"<div>" * 100_000),  # minutes
        ("html", b"<section class='a b'>\n" * 50_000 + b"</section>" * 50_000),
    ],
)
def test_lists_of_types_and_elements_nested_too_deep_are_not_parsed(language: str, data: bytes) -> None:
    before = time.process_time()
    parsed = parse_source("deep", language, data)
    assert parsed.parse == f"failed: brackets nested deeper than {MAX_NESTING}"
    check(data, parsed)
    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    ("language", "data"),
    [
        ("c", b"int f(int a) { return a < 1; }\n" * 6000),
        ("c", b"int a[] = { " + b"1 << 2, x->y, " * 6000 + b"};\n"),
        ("cpp", b"std::map<std::string, std::vector<int>> a;\n" * 6000),
        ("html", b"<ul>\n" + b"<li>one<br>\n<p>two<img src=a>\n" * 6000 + b"</ul>\n"),
        ("html", b"<div><a href='x'>y</a></div>\n" * 6000),
    ],
)
def test_what_is_long_is_not_deep(language: str, data: bytes) -> None:
    assert nesting(data, language) <= 10


def test_a_worker_takes_no_more_memory_than_it_may() -> None:
    code = "from quatrain.parsing import worker; worker.MEMORY = 100 << 20; worker._limit_memory(); bytearray(50 << 20); bytearray(200 << 20)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if not sys.platform.startswith("linux"):
        pytest.skip("memory is limited on Linux only")
    assert done.returncode == 1 and done.stderr.strip().endswith("MemoryError"), done.stderr


@pytest.mark.parametrize(
    ("language", "data"),
    [
        ("python", b"x = " + b"not " * 2000 + b"1\n"),
        ("python", b"x = " + b"1 + " * 2000 + b"1\n"),
        ("python", b"x = a" + b".b" * 800 + b"\n"),
        ("python", b"".join(b" " * i + b"if x:\n" for i in range(300))),
        ("javascript", b"x = " + b"!" * 5000 + b"1;\n"),
        ("javascript", b"if (x) {} " + b"else if (x) {} " * 1500),
        ("cpp", b"a<" * 1500),
        ("c", b"#if X\n" * 2000),
        ("rust", b"fn f() { " + b"&" * 3000 + b"x }"),
        ("php", b"<?php " + b"$" * 3000 + b"a;"),
    ],
)
def test_depth_without_brackets(language: str, data: bytes) -> None:
    check(data, parse_source("deep", language, data))


def test_a_quarter_of_a_million_characters_on_one_line() -> None:
    data = b"var a=[" + b"f(1,2)," * 40_000 + b"0];"
    parsed = parse_source("min.js", "javascript", data)
    check(data, parsed)
    assert max(c.end_byte - c.start_byte for c in parsed.chunks) <= 6000


@pytest.mark.parametrize(
    ("language", "data"),
    [
        ("python", b"x = " + b"not " * 100_000 + b"1\n"),
        ("python", b"x = " + b"1 + " * 100_000 + b"1\n"),
        ("javascript", b"x = " + b"!" * 100_000 + b"1;\n"),
        ("rust", b"fn f() { " + b"&" * 100_000 + b"x }\n"),
    ],
)
def test_depth_that_a_query_cannot_count(language: str, data: bytes) -> None:
    root = _parser(language).parse(data + b"\n").root_node
    assert is_deeper(root, 65_536)
    parsed = parse_source("deep", language, data)
    check(data, parsed)
    assert parsed.parse == "tree"


def test_facts_of_a_tree_deeper_than_a_query_can_count() -> None:
    data = b"def f(x):\n    return " + b"not " * 70_000 + b"g(x)\n"
    parsed = parse_source("deep.py", "python", data)
    assert [s.qualified_name for s in parsed.symbols] == ["f"]
    assert [(r.name, r.kind, r.byte) for r in parsed.references if r.kind == "call"] == [
        ("g", "call", data.index(b"g("))
    ]


def test_levels_are_counted() -> None:
    def levels_below(node) -> int:
        return 1 + max(map(levels_below, node.children)) if node.children else 0

    for language in ("python", "javascript", "go", "css"):
        root = _parser(language).parse(source(language)).root_node
        levels = levels_below(root)
        assert [is_deeper(root, n) for n in (0, levels - 1, levels, levels + 1)] == [True, True, True, False]
    # A wide tree is not a deep one.
    assert not is_deeper(_parser("python").parse(b"x = 1\n" * 2000).root_node, 20)


class Sliced(bytes):
    """Bytes that count how many of them are copied."""

    copied = 0

    def __getitem__(self, key):
        value = super().__getitem__(key)
        if isinstance(key, slice):
            Sliced.copied += len(value)
        return value


@pytest.mark.parametrize(
    ("language", "data"),
    [
        ("css", b".a{color:red}" * 8000),
        ("javascript", b"function f(a){return a}" * 4000),
        ("javascript", b"var a=1;" * 8000),
    ],
)
def test_a_long_line_is_not_copied_for_each_of_its_definitions(language: str, data: bytes) -> None:
    rules = compiled(language)
    assert rules is not None
    root = _parser(language).parse(data).root_node
    Sliced.copied = 0
    facts = extract(root, Sliced(data), [], rules, "min")
    assert len(facts.symbols) == data.count(data[:8])
    assert Sliced.copied < 1000 * len(facts.symbols)  # all before each would be 32,000 a definition


def test_five_megabytes_on_one_line() -> None:
    data = b'{"name": [' + b'{"key":1,"value":"word"},' * 200_000 + b"0]}"
    parsed = parse_source("min.json", "json", data)
    check(data, parsed)
    assert len(data) > 5_000_000 and parsed.parse == "tree"
    assert [s.name for s in parsed.symbols] == ["name"]
    assert max(c.end_byte - c.start_byte for c in parsed.chunks) <= 6000


def test_languages_outside_the_list_are_never_loaded() -> None:
    """The bundle's COBOL scanner loops for ever on ``x = 1``."""
    assert "cobol" not in GRAMMARS
    assert load_grammar("cobol") is None
    assert parse_source("a.cob", "cobol", b"x = 1").parse == "none"


@pytest.mark.parametrize("language", sorted(GRAMMARS))
def test_every_grammar_of_the_list_is_there(language: str) -> None:
    assert load_grammar(language) is not None
    assert parse_source("empty", language, b"").parse == "tree"


def test_many_damaged_files_through_the_pool() -> None:
    generator = random.Random(4)
    files = []
    for number in range(200):
        language = generator.choice(sorted(SOURCES))
        data = bytearray(source(language))
        for _ in range(generator.randrange(30)):
            at = generator.randrange(len(data))
            data[at : at + generator.randrange(8)] = generator.randbytes(generator.randrange(4))
        files.append((number, f"f{number}", language, bytes(data)))
    with WorkerPool(2, timeout_s=20) as pool:
        said = dict(pool.parse(files))
    assert sorted(said) == list(range(200))
    for number, _, _, data in files:
        check(data, said[number])
    assert not [p.parse for p in said.values() if p.parse.startswith("failed")]
