"""Syntax over the whole index: queries and examples, against hand-counted sources."""

from __future__ import annotations

from pathlib import Path

import pytest

import quatrain
from quatrain.errors import BadQuery, UnknownLanguage

SOURCES = {
    "a.py": "def f(path):\n    data = open(path)\n    open(path, 'w', encoding='utf8')\n    return data == data, data == path\n",
    "b.py": "import os\n\ndef g():\n    os.open('x')\n    opened(1)\n    # open(path)\n    s = 'open(path)'\n",
    "c.js": "function h(a) { if (a == a) { console.log('x', a); } console.log(); }\n",
    "d.go": 'package p\n\nfunc k() error {\n\tif err != nil {\n\t\treturn err\n\t}\n\tfmt.Println("a", 1)\n\treturn nil\n}\n',
    "e.c": "int main(void) { char *p = malloc(10); free(p); return strcmp(p, p); }\n",
    "F.java": 'class F { void m() { System.out.println("hi"); list.add(1, 2); } }\n',
    "g.rs": "fn main() { let x = foo.unwrap(); bar(1, 2, 3).unwrap(); }\n",
    "h.rb": "def a\n  puts(1, 2)\nend\n",
    "i.cs": 'class I { void M() { Console.WriteLine("x"); } }\n',
    "j.ts": "const x: number = parse(1);\nconst y = parse(2, 3);\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> quatrain.Index:
    root = tmp_path_factory.mktemp("syntax")
    for name, text in SOURCES.items():
        (root / name).write_text(text)
    return quatrain.build(root, workers=1, embedder="none", index_dir=tmp_path_factory.mktemp("index"))


@pytest.mark.parametrize(
    ("language", "example", "places"),
    [
        ("python", "open($X, ...)", ["a.py:2", "a.py:3"]),
        ("python", "open($X)", ["a.py:2"]),
        ("python", "$X == $X", ["a.py:4"]),
        ("python", "$A.open($B)", ["b.py:4"]),
        ("python", "def $F(...): ...", ["a.py:1", "b.py:3"]),
        ("javascript", "console.log(...)", ["c.js:1", "c.js:1"]),
        ("javascript", "$A == $A", ["c.js:1"]),
        ("go", "fmt.Println($A, $B)", ["d.go:7"]),
        ("go", "if err != nil { ... }", ["d.go:4"]),
        ("c", "malloc($N)", ["e.c:1"]),
        ("c", "strcmp($P, $P)", ["e.c:1"]),
        ("java", "System.out.println($X);", ["F.java:1"]),
        ("java", "$L.add(...)", ["F.java:1"]),
        ("rust", "$X.unwrap()", ["g.rs:1", "g.rs:1"]),
        ("ruby", "puts(...)", ["h.rb:2"]),
        ("csharp", "Console.WriteLine($X)", ["i.cs:1"]),
        ("typescript", "parse($A, $B)", ["j.ts:2"]),
    ],
)
def test_examples(index: quatrain.Index, language: str, example: str, places: list[str]) -> None:
    answer = index.ast(example, language=language, pattern=True)
    assert [f"{hit.path}:{hit.line}" for hit in answer.hits] == places
    assert answer.status == "ok" and answer.total == len(places)


def test_a_query_gives_captures_and_exact_places(index: quatrain.Index) -> None:
    answer = index.ast('((call function: (identifier) @f arguments: (_) @args) (#eq? @f "open"))', language="python")
    assert [(h.path, h.line, h.column, h.captures["f"]) for h in answer.hits] == [
        ("a.py", 2, 12, "open"),
        ("a.py", 3, 5, "open"),
    ]
    assert answer.hits[1].captures["args"] == "(path, 'w', encoding='utf8')"


def test_the_prefilter_loses_nothing(index: quatrain.Index, monkeypatch: pytest.MonkeyPatch) -> None:
    from quatrain.retrieval import syntax

    queries = [
        '((identifier) @i (#eq? @i "open"))',
        '((identifier) @i (#any-of? @i "open" "opened"))',
        '((identifier) @i (#not-eq? @i "open"))',
        '((identifier) @i (#match? @i "^open"))',
        '((identifier) @i (#eq? @i "opened")) ((string) @s)',
    ]
    narrowed = [index.ast(q, language="python").hits for q in queries]
    monkeypatch.setattr(syntax, "_candidate_files", lambda view, needs, language, filters: [
        f for f in range(view.documents.count) if view.documents.language(f) == language
    ])  # fmt: skip
    assert narrowed == [index.ast(q, language="python").hits for q in queries]
    assert all(narrowed)


def test_pages_join_to_the_whole(index: quatrain.Index) -> None:
    whole = index.ast("(identifier) @i", language="python")
    rows, cursor = [], None
    while True:
        page = index.ast("(identifier) @i", language="python", limit=3, cursor=cursor)
        assert page.total == whole.total
        rows += page.hits
        cursor = page.cursor
        if cursor is None:
            break
    assert tuple(rows) == whole.hits and len(rows) > 6


def test_no_match_and_bad_input(index: quatrain.Index) -> None:
    assert index.ast('((identifier) @i (#eq? @i "nowhere_at_all"))', language="python").status == "no_match"
    for query, pattern in [
        ("(call", False),
        ("(no_such_node) @x", False),
        ("(call)", False),
        ("", False),
        ("$X", True),
        ("def (", True),
    ]:
        with pytest.raises(BadQuery):
            index.ast(query, language="python", pattern=pattern)
    with pytest.raises(UnknownLanguage):
        index.ast("(x) @x", language="cobol")
    with pytest.raises(BadQuery, match="kotlin"):
        index.ast("foo($X)", language="kotlin", pattern=True)
    with pytest.raises(BadQuery, match="cursor"):
        index.ast("(identifier) @i", language="python", cursor="what")


def test_a_deeply_nested_file_is_named_not_parsed(tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text("x = " + "[\n" * 20_000 + "]\n" * 20_000)
    (tmp_path / "ok.py").write_text("x = 1\n")
    index = quatrain.build(tmp_path, workers=1, embedder="none")
    answer = index.ast("(identifier) @i", language="python")
    assert [hit.path for hit in answer.hits] == ["ok.py"] and any("deep.py" in note for note in answer.notes)
