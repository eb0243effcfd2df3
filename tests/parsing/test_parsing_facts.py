"""Facts of single symbols that samples of real code showed to be wrong once."""

from __future__ import annotations

import pytest

from quatrain.parsing.extract import parameter_names
from quatrain.parsing.parse import parse_source


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("(w http.ResponseWriter, r *http.Request)", ("w", "r")),
        ("(a, b int, rest ...string)", ("a", "b", "rest")),
        ("(f func(a int) error, m map[string]int)", ("f", "m")),
        ("(_ context.Context, list List[K, V])", ("_", "list")),
        ("(string)", ()),
        ("(http.ResponseWriter, *http.Request)", ()),
        ("(chan int, <-chan string)", ()),
        ("(func(x int) error, map[string]int, ...string)", ()),
        ("(interface{ Read() }, struct{ a int })", ()),
        ("(List[K, V])", ()),
        ("()", ()),
    ],
)
def test_parameters_in_go_have_names_in_all_of_a_list_or_in_none(written: str, names: tuple[str, ...]) -> None:
    assert parameter_names(written.encode(), "first_or_none") == names


def test_an_interface_in_go_whose_parameters_have_no_names() -> None:
    data = b"package a\n\ntype W interface {\n\tWrite(string, []byte) (int, error)\n\tReset(size int)\n}\n"
    parsed = parse_source("a.go", "go", data)
    assert {s.name: s.parameters for s in parsed.symbols if s.kind == "method"} == {"Write": (), "Reset": ("size",)}


@pytest.mark.parametrize(
    ("language", "data"),
    [
        ("java", b'enum G {\n  @Name("m")\n  MALE,\n  FEMALE;\n  private int size;\n}\n'),
        ("rust", b"enum G {\n    Male,\n    Female(u8),\n}\n"),
        ("cpp", b"class A {\n  enum G { MALE, FEMALE };\n};\n"),
        ("typescript", b"enum G {\n  Male,\n  Female = 2,\n}\n"),
    ],
)
def test_members_of_an_enum_are_visible_wherever_it_is(language: str, data: bytes) -> None:
    symbols = parse_source("a", language, data).symbols
    assert [s.visibility for s in symbols if s.kind == "enum_member"] == ["public", "public"]
