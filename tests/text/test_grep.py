"""grep: what is listed, in which order, by page, within a budget, and what bad input gets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text_index import text_view

from quatrain.errors import BadQuery
from quatrain.records import Filters
from quatrain.retrieval import grep as grep_module
from quatrain.retrieval.grep import grep
from quatrain.retrieval.view import IndexView

FILES = {
    "a/main.py": b"import os\n\ndef foo():\n    return bar\n\nfoo(bar)\r\nBAR = 1\r\n",
    "b/bom.txt": "\ufeffcafé über\nСтрока k \u212a ſ\nthe last foo".encode(),
    "b/cjk.txt": "日本語のテキスト\n进度条 progress\n🙂 smile foo\n".encode(),
    "c/latin1.c": b"/* caf\xe9 */\nint foo = 1; // \xff\xfe\n\xe4x\n",
    "c/nl.txt": b"\n\n\nfoo\n\n",
    "d/empty.txt": b"",
    "d/one-line": b"no newline foo",
    "docs/guide.md": b"# foo\nuse foo and `bar`\n",
}


@pytest.fixture(scope="module")
def view() -> IndexView:
    return text_view(FILES)


def found(view: IndexView, pattern: str, **options: object) -> list[tuple[str, int, int]]:
    result = grep(view, pattern, **options)  # type: ignore[arg-type]
    assert result.total == len(result.hits) or "limit" in options
    assert result.status == ("ok" if result.total else "no_match")
    return [(hit.path, hit.line, hit.column) for hit in result.hits]


def test_a_literal_in_path_and_line_order(view: IndexView) -> None:
    assert found(view, "foo") == [
        ("a/main.py", 3, 5),
        ("a/main.py", 6, 1),
        ("b/bom.txt", 3, 10),
        ("b/cjk.txt", 3, 12),
        ("c/latin1.c", 2, 5),
        ("c/nl.txt", 4, 1),
        ("d/one-line", 1, 12),
        ("docs/guide.md", 1, 3),
        ("docs/guide.md", 2, 5),
    ]


def test_the_line_is_shown_without_its_line_end(view: IndexView) -> None:
    hits = {(hit.path, hit.line): hit.text for hit in grep(view, "foo").hits}
    assert hits["a/main.py", 6] == "foo(bar)"
    assert hits["c/latin1.c", 2] == "int foo = 1; // \ufffd\ufffd"
    assert hits["d/one-line", 1] == "no newline foo"


@pytest.mark.parametrize(
    ("pattern", "options", "expected"),
    [
        ("bar", {"ignore_case": True}, [("a/main.py", 4, 12), ("a/main.py", 6, 5), ("a/main.py", 7, 1), ("docs/guide.md", 2, 14)]),
        ("BAR", {}, [("a/main.py", 7, 1)]),
        ("bar", {"smart_case": True}, [("a/main.py", 4, 12), ("a/main.py", 6, 5), ("a/main.py", 7, 1), ("docs/guide.md", 2, 14)]),
        ("BAR", {"smart_case": True}, [("a/main.py", 7, 1)]),
        ("CAFÉ", {"ignore_case": True}, [("b/bom.txt", 1, 4)]),
        ("K", {"ignore_case": True, "regex": True}, [("b/bom.txt", 2, 14)]),
        ("строка", {"ignore_case": True}, [("b/bom.txt", 2, 1)]),
        ("进", {}, [("b/cjk.txt", 2, 1)]),
        ("本語", {}, [("b/cjk.txt", 1, 4)]),
        ("🙂", {}, [("b/cjk.txt", 3, 1)]),
        (":", {}, [("a/main.py", 3, 10)]),
        ("--", {}, []),
        ("/*", {}, [("c/latin1.c", 1, 1)]),
        ("^caf.", {"regex": True}, [("b/bom.txt", 1, 4)]),
        ("^$", {"regex": True}, [("a/main.py", 2, 1), ("a/main.py", 5, 1), *(("c/nl.txt", n, 1) for n in (1, 2, 3, 5))]),
        ("bar$", {"regex": True}, [("a/main.py", 4, 12)]),
        (r"\)\r$", {"regex": True}, [("a/main.py", 6, 8)]),
        (r"\bfoo\b", {"regex": True, "paths": ("b",)}, [("b/bom.txt", 3, 10), ("b/cjk.txt", 3, 12)]),
        (r"caf\w", {"regex": True}, [("b/bom.txt", 1, 4)]),
        (r"caf.", {"regex": True}, [("b/bom.txt", 1, 4)]),
        (r"ber\b", {"regex": True}, [("b/bom.txt", 1, 12)]),
        (r"\Bber", {"regex": True}, [("b/bom.txt", 1, 12)]),
        (r"\bber", {"regex": True}, []),
        ("ber", {"whole_word": True}, []),
        ("über", {"whole_word": True}, [("b/bom.txt", 1, 10)]),
        ("x", {"whole_word": True}, []),  # what is not UTF-8 on its left may be a part of a word
        ("bar", {"whole_word": True, "paths": ("docs",)}, [("docs/guide.md", 2, 14)]),
        (r"foo\(\w+\)\s*BAR", {"regex": True, "multiline": True}, [("a/main.py", 6, 1), ("a/main.py", 7, 1)]),
        ("bar\n\nfoo", {"multiline": True}, [("a/main.py", 4, 12), ("a/main.py", 5, 1), ("a/main.py", 6, 1)]),
        (r"(?s)进.*foo", {"regex": True, "multiline": True}, [("b/cjk.txt", 2, 1), ("b/cjk.txt", 3, 1)]),
        (r"\Aimport", {"regex": True, "multiline": True}, [("a/main.py", 1, 1)]),
        (r"foo\z", {"regex": True, "multiline": True}, [("b/bom.txt", 3, 10), ("d/one-line", 1, 12)]),
    ],
)  # fmt: skip
def test_options(view: IndexView, pattern: str, options: dict, expected: list[tuple[str, int, int]]) -> None:
    options = dict(options)
    filters = Filters(paths=options.pop("paths", ()), content="all")
    assert found(view, pattern, filters=filters, **options) == expected


def test_a_pattern_that_matches_nothing_matches_every_line(view: IndexView) -> None:
    expected = sum(text.count(b"\n") + (text[-1:] not in (b"", b"\n")) for text in FILES.values())
    for pattern in ("x*", "(?:foo)?", "a|", ".{0}"):
        assert len(found(view, pattern, regex=True)) == expected


def test_pages_join_to_the_whole(view: IndexView) -> None:
    whole = [(hit.path, hit.line) for hit in grep(view, "o", ignore_case=True).hits]
    for size in (1, 2, 5, 100):
        pages, cursor = [], None
        for _ in range(len(whole) + 1):
            page = grep(view, "o", ignore_case=True, limit=size, cursor=cursor)
            assert page.total == len(whole)
            assert page.truncated is (page.cursor is not None)
            assert len(page.hits) <= size
            pages += [(hit.path, hit.line) for hit in page.hits]
            cursor = page.cursor
            if cursor is None:
                break
        assert pages == whole


def test_a_cursor_outlives_its_file(view: IndexView) -> None:
    after = grep(view, "foo", cursor="99:b/aaaa.txt").hits
    assert after[0].path == "b/bom.txt"


def test_the_page_alone_says_partial(view: IndexView) -> None:
    page = grep(view, "foo", limit=2, exact_total=False)
    assert (page.status, page.truncated, len(page.hits)) == ("partial", True, 2)
    assert page.notes and page.cursor
    small = grep(view, "smile", limit=2, exact_total=False)
    assert (small.status, small.total, small.truncated, small.cursor) == ("ok", 1, False, None)


def test_a_spent_budget_says_partial(view: IndexView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grep_module, "BATCH_BYTES", 8)
    result = grep(view, "foo", budget_s=-1.0)
    assert result.status == "partial" and result.truncated
    assert "budget" in result.notes[0]
    assert grep(view, "foo", budget_s=None).total == 9


def test_batches_do_not_change_the_answer(view: IndexView, monkeypatch: pytest.MonkeyPatch) -> None:
    patterns = [("foo", {}), (r"\w+$", {"regex": True}), ("x*", {"regex": True}), ("k", {"ignore_case": True})]
    whole = [grep(view, pattern, **options) for pattern, options in patterns]
    monkeypatch.setattr(grep_module, "BATCH_BYTES", 1)
    monkeypatch.setattr(grep_module, "BYTES_PER_LINE", 10**9)
    assert [grep(view, pattern, **options) for pattern, options in patterns] == whole


def test_context(view: IndexView) -> None:
    hit = grep(view, "return bar", context=2).hits[0]
    assert hit.before == ("", "def foo():")
    assert hit.after == ("", "foo(bar)")
    first = grep(view, "import os", context=3).hits[0]
    assert first.before == ()
    last = grep(view, "newline foo", context=3).hits[0]
    assert last.after == ()


def test_filters(view: IndexView) -> None:
    docs = grep(view, "foo", filters=Filters(content="docs"))
    assert {hit.path for hit in docs.hits} == {"b/bom.txt", "b/cjk.txt", "c/nl.txt", "docs/guide.md"}
    without = grep(view, "foo", filters=Filters(paths=("!b", "!c"), content="all"))
    assert {hit.path for hit in without.hits} == {"a/main.py", "d/one-line", "docs/guide.md"}


@pytest.mark.parametrize(
    ("pattern", "options", "reason"),
    [
        ("", {}, "empty"),
        ("a\0b", {}, "NUL"),
        ("a" * 100_000, {}, "at most"),
        ("a\nb", {}, "multiline"),
        ("(", {"regex": True}, "unclosed group"),
        ("a", {"limit": 0}, "limit"),
        ("a", {"context": -1}, "context"),
        ("a", {"cursor": "nonsense"}, "no cursor"),
    ],
)
def test_bad_input_is_refused_with_the_reason(view: IndexView, pattern: str, options: dict, reason: str) -> None:
    with pytest.raises(BadQuery, match=reason):
        grep(view, pattern, **options)


@settings(max_examples=60)
@given(pattern=st.text(st.sampled_from("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t"), min_size=1, max_size=6))
def test_punctuation_is_literal(pattern: str) -> None:
    view = text_view({"p.txt": b"x\n" + pattern.encode() + b"\ny\n", "q.txt": b"nothing\n"})
    assert found(view, pattern) == [("p.txt", 2, 1)]


LINES = st.lists(st.binary(max_size=8).map(lambda b: bytes(b"ab\xc3\xa9 \r"[c % 6] for c in b)), max_size=12)


@settings(max_examples=120)
@given(
    files=st.lists(LINES, min_size=1, max_size=4),
    needle=st.binary(min_size=1, max_size=4).map(lambda b: bytes(b"ab\xc3\xa9 "[c % 5] for c in b)),
    ended=st.booleans(),
)
def test_literals_against_brute_force(files: list[list[bytes]], needle: bytes, ended: bool) -> None:
    """Any bytes, also halves of characters, by the escapes with which the command line hands them on."""
    data = {f"{n}.txt": b"\n".join(rows) + (b"\n" if ended and rows else b"") for n, rows in enumerate(files)}
    pattern = needle.decode("utf-8", "surrogateescape")
    expected = [
        (path, number, line.find(needle) + 1)
        for path, text in data.items()
        for number, line in enumerate(text.split(b"\n"), 1)
        if needle in line
    ]
    assert found(text_view(data), pattern) == expected


PATTERN_PARTS = [
    "a",
    "b",
    "ab",
    "é",
    " ",
    r"\n",
    r"\s",
    r"\w",
    r"\b",
    "^",
    "$",
    ".*",
    "(a|bé)",
    "[ab]+",
    "(?s:.)",
    r"\A",
    r"\z",
    "x?",
]


@settings(max_examples=150, deadline=None)
@given(
    files=st.lists(LINES.map(b"\n".join), min_size=1, max_size=4),
    marked=st.booleans(),
    parts=st.lists(st.sampled_from(PATTERN_PARTS), min_size=1, max_size=6),
    options=st.fixed_dictionaries({name: st.booleans() for name in ("multiline", "ignore_case", "whole_word")}),
    literal=st.booleans(),
)
def test_how_files_are_cut_changes_nothing(
    files: list[bytes], marked: bool, parts: list[str], options: dict[str, bool], literal: bool
) -> None:
    """Pieces of one line against whole files, also where a match spans lines."""
    pattern = (
        "".join(parts) if not literal else "".join(part for part in parts if part.isalpha() or part == " ") + "\na"
    )
    data = {f"{n}.txt": (b"\xef\xbb\xbf" if marked and n == 0 else b"") + text for n, text in enumerate(files)}
    answers = []
    for piece_bytes in (1, 9, 1 << 20):
        view = text_view(data, piece_bytes=piece_bytes)
        try:
            result = grep(view, pattern, regex=not literal, **options)
        except BadQuery as error:
            answers.append(str(error))
        else:
            answers.append([(hit.path, hit.line, hit.column, hit.text) for hit in result.hits])
    assert answers[0] == answers[1] == answers[2]


def test_a_line_longer_than_a_piece() -> None:
    line = b"x" * 500 + b"needle" + b"y" * 500
    view = text_view({"a.txt": b"short\n" + line + b"\n" + line + b"\nend needle"}, piece_bytes=64)
    assert found(view, "needle") == [("a.txt", 2, 501), ("a.txt", 3, 501), ("a.txt", 4, 5)]
    assert found(view, "x{9}needley", regex=True) == [("a.txt", 2, 492), ("a.txt", 3, 492)]


def test_a_file_of_a_byte_order_mark_alone_has_no_line() -> None:
    view = text_view({"a.txt": b"\xef\xbb\xbf", "b.txt": b"\xef\xbb\xbf\n", "c.txt": b"\xef\xbb\xbfx"})
    for pattern in ("x*", "^", "$"):
        assert [path for path, _, _ in found(view, pattern, regex=True)] == ["b.txt", "c.txt"]


def test_many_files_and_lines() -> None:
    """More hits than one batch, with every line number checked."""
    random = np.random.default_rng(7)
    files, expected = {}, []
    for n in range(60):
        rows = [b"needle here" if random.random() < 0.3 else b"hay" for _ in range(int(random.integers(0, 200)))]
        path = f"{n:03}.txt"
        files[path] = b"\n".join(rows)
        expected += [(path, i) for i, row in enumerate(rows, 1) if b"needle" in row]
    view = text_view(files)
    for pattern, regex in (("needle", False), (r"ne+dle\b", True), (r"\w+ \w+", True)):
        assert [(path, line) for path, line, _ in found(view, pattern, regex=regex)] == expected
