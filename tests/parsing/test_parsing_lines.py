"""Languages without a grammar of ours: definitions by lines, and scripts inside components."""

from __future__ import annotations

import pytest

from quatrain.files.languages import LANGUAGES
from quatrain.parsing.grammars import GRAMMARS
from quatrain.parsing.lines import LINE_LANGUAGES
from quatrain.parsing.parse import parse_source


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("perl", "package Foo::Bar;\nsub new {\n}\nsub _x { 1 }\n", ["Foo::Bar", "new", "_x"]),
        ("groovy", "class Job {\n  def run() {}\n}\n", ["Job", "run"]),
        ("erlang", "-module(queue).\n-record(item, {a}).\npush(X, Q) ->\n  [X|Q].\n", ["queue", "item", "push"]),
        ("objc", "@interface View : NSView\n- (void)draw:(id)x;\n@end\n", ["View", "draw"]),
        ("cmake", "function(add_thing name)\nendfunction()\n", ["add_thing"]),
        ("clojure", "(defn- helper [x]\n  x)\n(def ^:dynamic *limit* 3)\n", ["helper", "*limit*"]),
        ("proto", "message Order {\n  string id = 1;\n}\nservice Shop {\n  rpc Buy(Order) returns (Order);\n}\n",
         ["Order", "Shop", "Buy"]),
        ("solidity", "contract Bank {\n  function pay(uint x) public {}\n  event Paid(uint x);\n}\n", ["Bank", "pay", "Paid"]),
        ("powershell", "function Get-Thing {\n}\n", ["Get-Thing"]),
        ("fortran", "SUBROUTINE solve(a)\nEND SUBROUTINE\n", ["solve"]),
    ],
)  # fmt: skip
def test_definitions_by_lines(language: str, source: str, expected: list[str]) -> None:
    data = source.encode()
    parsed = parse_source("x", language, data)
    assert parsed.parse == "none"
    assert [s.name for s in parsed.symbols] == expected
    for symbol in parsed.symbols:
        assert data[symbol.name_byte :].startswith(symbol.name.encode())
        assert data.count(b"\n", 0, symbol.name_byte) + 1 == symbol.line
        assert symbol.start_byte <= symbol.name_byte < symbol.end_byte
    assert sorted(i for c in parsed.chunks for i in c.defines) == list(range(len(expected)))


def test_prose_has_no_definitions() -> None:
    parsed = parse_source("notes.txt", "text", b"class action lawsuits\nfunction of the liver\n")
    assert (parsed.parse, parsed.symbols, len(parsed.chunks)) == ("none", (), 1)


def test_the_lists_name_known_languages_and_do_not_overlap() -> None:
    assert set(LANGUAGES) >= LINE_LANGUAGES
    assert not LINE_LANGUAGES & set(GRAMMARS)
    assert set(GRAMMARS) - set(LANGUAGES) == {"ocaml_interface"}


@pytest.mark.parametrize(
    ("attributes", "expected"), [("", "javascript"), (' lang="ts"', "typescript"), (" lang='tsx' setup", "tsx")]
)
def test_the_scripts_of_a_component_are_parsed_in_their_place(attributes: str, expected: str) -> None:
    typed = "" if expected == "javascript" else ": number"
    source = (
        "<template>\n  <p>{{ class Fake {} }}</p>\n</template>\n"
        f"<script{attributes}>\nimport a from './a';\nexport function twice(x{typed}) {{\n  return a(x) * 2;\n}}\n</script>\n"
        "<style>.b { c: d }</style>\n"
    )
    data = source.encode()
    parsed = parse_source("Box.svelte", "svelte", data)
    assert parsed.parse == "tree"
    assert [(s.name, s.line) for s in parsed.symbols] == [("twice", 6)]
    assert [(i.module, i.alias, i.line) for i in parsed.imports] == [("./a", "a", 5)]
    assert [r.name for r in parsed.references if r.kind == "call"] == ["a"]
    assert data[parsed.symbols[0].name_byte :].startswith(b"twice")
    assert sum(c.end_line - c.start_line + 1 for c in parsed.chunks) == source.count("\n")


def test_an_interface_file_of_ocaml_has_a_grammar_of_its_own() -> None:
    parsed = parse_source("stack.mli", "ocaml", b"(** A stack. *)\ntype 'a t\n\nval push : 'a -> 'a t -> 'a t\n")
    assert parsed.parse == "tree"
    assert [(s.kind, s.name) for s in parsed.symbols] == [("type", "t"), ("function", "push")]


def test_a_header_that_is_cpp_is_read_as_cpp() -> None:
    parsed = parse_source(
        "shape.h", "c", b"namespace geo {\nclass Shape : public Base<int> {\n public:\n  int area() const;\n};\n}\n"
    )
    assert parsed.parse == "tree"
    assert [(s.kind, s.qualified_name) for s in parsed.symbols] == [
        ("namespace", "geo"),
        ("class", "geo.Shape"),
        ("prototype", "geo.Shape.area"),
    ]
    assert [b.name for b in parsed.bases] == ["Base"]


def test_macros_that_damage_a_c_file_are_blanked_in_place() -> None:
    source = (
        b"LIB_BEGIN_DECLS\n"
        b"LIB_API LIB_NONNULL(1) int lib_open(const char *path) LIB_ATTRIBUTE((noreturn));\n"
        b"class_t x;\n"
        b"static DWORD WINAPI run(void *argument)\n{\n  return helper(argument);\n}\n"
        b"LIB_END_DECLS\n"
    )
    parsed = parse_source("lib.c", "c", source)
    assert [(s.kind, s.name, s.line) for s in parsed.symbols if s.kind in ("function", "prototype")] == [
        ("prototype", "lib_open", 2),
        ("function", "run", 4),
    ]
    for symbol in parsed.symbols:
        assert source[symbol.name_byte :].startswith(symbol.name.encode())
