"""Chunks: where they are cut, what they cover, what they are said to show, and what an embedder reads of them."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatrain.parsing.chunks import TARGET_BYTES, chunk_document, line_windows, unparsed
from quatrain.parsing.parse import parse_source
from quatrain.records import Chunk, ParsedFile

STDLIB = Path(sysconfig.get_path("stdlib"))


def check(data: bytes, chunks: tuple[Chunk, ...]) -> None:
    """Whole lines, in order, every line that says something in exactly one chunk."""
    lines = data.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    covered = bytearray(len(data))
    last = 0
    for chunk in chunks:
        assert 0 <= chunk.start_byte < chunk.end_byte <= len(data)
        assert chunk.start_byte >= last
        last = chunk.end_byte
        assert data.count(b"\n", 0, chunk.start_byte) + 1 == chunk.start_line
        assert data.count(b"\n", 0, chunk.end_byte) + 1 == chunk.end_line
        covered[chunk.start_byte : chunk.end_byte] = b"x" * (chunk.end_byte - chunk.start_byte)
        if chunk.end_line > chunk.start_line:
            assert chunk.start_byte == starts[chunk.start_line - 1]
            assert chunk.end_byte == len(data) or data[chunk.end_byte] == 10
    left = bytes(b for b, c in zip(data, covered, strict=True) if not c)
    assert not left.strip()


def check_symbols(parsed: ParsedFile) -> None:
    """Every definition's name lies in the one chunk that is said to define it; enclosing ones are around."""
    defined = [i for chunk in parsed.chunks for i in chunk.defines]
    assert sorted(defined) == list(range(len(parsed.symbols)))
    for chunk in parsed.chunks:
        for i in chunk.defines:
            assert chunk.start_byte <= parsed.symbols[i].name_byte < chunk.end_byte
        ends = []
        for i in chunk.enclosing:
            symbol = parsed.symbols[i]
            assert symbol.start_byte < chunk.start_byte and symbol.end_byte >= chunk.end_byte
            ends.append(symbol.start_byte)
        assert ends == sorted(ends)
        assert chunk.symbol in (-1, *chunk.defines, *chunk.enclosing)


@pytest.mark.parametrize("name", ["argparse.py", "typing.py", "enum.py", "unittest/mock.py", "difflib.py", "token.py"])
def test_real_files(name: str) -> None:
    data = (STDLIB / name).read_bytes()
    parsed = parse_source(name, "python", data)
    check(data, parsed.chunks)
    check_symbols(parsed)
    sizes = [c.end_byte - c.start_byte for c in parsed.chunks]
    assert max(sizes) < 2.5 * TARGET_BYTES
    if len(data) > 20_000:
        assert TARGET_BYTES / 2 < sum(sizes) / len(sizes) < TARGET_BYTES * 1.1
        assert sum(c.start_line == c.end_line for c in parsed.chunks) <= 0.01 * len(sizes)


def method(name: str, lines: int, indent: str = "    ") -> str:
    body = "".join(f"{indent}    value_{i} = compute({i}, 'some text here')\n" for i in range(lines))
    return f"{indent}def {name}(self):\n{body}\n"


def test_a_class_is_opened_and_small_methods_share_a_chunk() -> None:
    source = "class Big:\n    '''Doc.'''\n\n" + "".join(method(f"m{i}", 4) for i in range(20))
    data = source.encode()
    parsed = parse_source("big.py", "python", data)
    check(data, parsed.chunks)
    check_symbols(parsed)
    names = [[parsed.symbols[i].name for i in c.defines] for c in parsed.chunks]
    assert names[0][0] == "Big" and len(names[0]) > 2
    assert len(parsed.chunks) >= 3 and all(len(n) > 1 for n in names)
    assert parsed.symbols[parsed.chunks[0].symbol].name == "Big"
    assert all(parsed.symbols[c.enclosing[0]].name == "Big" for c in parsed.chunks[1:])
    assert not any(c.start_line == 1 and c.end_line > source.count("\n") - 2 for c in parsed.chunks)


def test_a_giant_function_is_split_at_statements() -> None:
    data = (
        "def giant(self):\n" + "".join(f"    if x > {i}:\n        y = {i} * 'long text'\n" for i in range(200))
    ).encode()
    parsed = parse_source("giant.py", "python", data)
    check(data, parsed.chunks)
    assert len(parsed.chunks) > 4
    for chunk in parsed.chunks[1:]:
        assert data[chunk.start_byte :].startswith(b"    if "), "cut inside a statement"
        assert chunk.symbol == 0 and chunk.enclosing == (0,) and chunk.defines == ()


def test_a_comment_stays_with_what_it_explains() -> None:
    functions = "".join(f"# About f{i}.\n# Second line.\n{method(f'f{i}', 12, '')}" for i in range(10))
    data = functions.encode()
    parsed = parse_source("commented.py", "python", data)
    check(data, parsed.chunks)
    for chunk in parsed.chunks:
        text = data[chunk.start_byte : chunk.end_byte]
        assert text.startswith(b"# About") and b"\ndef" in text
        assert not text.rstrip().endswith(b"# Second line.")


def test_a_brace_alone_is_no_chunk() -> None:
    body = "".join(f"  if (x > {i}) {{\n    run({i}, 'some more text');\n  }}\n" for i in range(100))
    data = f"function giant(x) {{\n{body}}}\n".encode()
    parsed = parse_source("giant.js", "javascript", data)
    check(data, parsed.chunks)
    assert len(parsed.chunks) > 2
    assert all(len(data[c.start_byte : c.end_byte]) > 100 for c in parsed.chunks)


def test_a_literal_of_ten_thousand_lines_is_split() -> None:
    data = ("TABLE = {\n" + "".join(f"    'key{i}': {i},\n" for i in range(10_000)) + "}\n").encode()
    parsed = parse_source("table.py", "python", data)
    check(data, parsed.chunks)
    assert max(c.end_byte - c.start_byte for c in parsed.chunks) < 2 * TARGET_BYTES


def test_a_line_of_a_megabyte_is_cut_between_characters() -> None:
    data = ("x = '" + "ä" * 500_000 + "'\n").encode()
    parsed = parse_source("long.py", "python", data)
    assert len(parsed.chunks) > 100
    for chunk in parsed.chunks:
        data[chunk.start_byte : chunk.end_byte].decode()
    assert b"".join(data[c.start_byte : c.end_byte] for c in parsed.chunks) == data.rstrip(b"\n")


def test_text_gets_windows_of_about_forty_lines() -> None:
    data = "".join(f"line {i} of a text\n" + ("\n" if i % 10 == 9 else "") for i in range(400)).encode()
    chunks = line_windows(data)
    check(data, chunks)
    assert all(25 <= c.end_line - c.start_line + 1 <= 48 for c in chunks)
    # A paragraph is not torn where its end is near.
    assert all(data[c.end_byte : c.end_byte + 2] in (b"\n\n", b"\n", b"") for c in chunks)


def test_nothing_yields_nothing() -> None:
    for data in (b"", b"\n\n", b"   \n\t\n"):
        assert line_windows(data) == ()
        assert parse_source("empty.py", "python", data).chunks == ()


PIECES = (
    *(b"x = 1\n", b"\n", b"def f():\n", b"    return 1\n", b"class A:\n", b"# c\n", b"    ", b"'''\n", b"\r\n", b"("),
    *(b")", b"y" * 900 + b"\n", b"z = [" + b"1, " * 700 + b"]\n", b"a" * 7000 + b"\n"),
)


@given(
    st.lists(
        st.sampled_from(PIECES),
        max_size=60,
    )
)
def test_invariants_of_any_text(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    parsed = parse_source("any.py", "python", data)
    inside_line_cuts = any(len(line) > 6000 for line in data.split(b"\n"))
    if not inside_line_cuts:
        check(data, parsed.chunks)
        check(data, line_windows(data))
    check_symbols(parsed)


# --- what is embedded -----------------------------------------------------------------------------------------------------------


def test_chunk_document_is_path_words_and_five_lines_of_context() -> None:
    lines = [f"line {i}" for i in range(1, 41)]
    data = "\n".join(lines).encode()
    parsed = unparsed(data, "none")
    start = sum(len(line) + 1 for line in lines[:10])
    end = start + sum(len(line) + 1 for line in lines[10:20]) - 1
    chunk = Chunk(start, end, 11, 20, -1, (), ())
    text, names = chunk_document("src/httpServer/user_auth.py", data, parsed, chunk)
    assert text.split("\n") == ["src http Server user auth py", *lines[5:25]]
    assert names == "user_auth"


def test_chunk_document_at_the_edges_of_a_file() -> None:
    data = b"one\ntwo\nthree"
    text, _ = chunk_document("a.txt", data, unparsed(data, "none"), Chunk(0, len(data), 1, 3, -1, (), ()))
    assert text == "a txt\none\ntwo\nthree"


def test_the_name_slot_has_stem_enclosing_name_and_four_names() -> None:
    source = "class Outer:\n" + "".join(method(f"m{i}", 2) for i in range(30))
    data = source.encode()
    parsed = parse_source("pkg/module.py", "python", data)
    chunk = parsed.chunks[1]
    _, names = chunk_document("pkg/module.py", data, parsed, chunk)
    assert names.split() == ["module", "Outer", *(parsed.symbols[i].name for i in chunk.defines[:4])]
    assert len(chunk.defines) > 4


def test_the_main_symbol_is_the_definition_and_not_the_namespace_around_it() -> None:
    data = b"namespace shop {\n\nint price(int item) {\n  return item * 2;\n}\n\nint tax;\n}\n"
    parsed = parse_source("shop.cpp", "cpp", data)
    assert [parsed.symbols[c.symbol].name for c in parsed.chunks] == ["price"]
