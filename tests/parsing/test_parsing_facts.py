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


@pytest.mark.parametrize(
    ("place", "written", "names"),
    [
        ("first", "({ a, b: c, d = { x: 1 }, 'e-e': [g, h = 2], ...rest }: P, k = 3)", ("a", "c", "d", "g", "h", "rest", "k")),
        ("first", "([i, { j }] = [], ...more)", ("i", "j", "more")),
        ("first", "(::Type{Vector{UInt8}}, s::String; keyword=2, more...)", ("s", "keyword", "more")),
        ("last_or_group", "(int a, [int? b, String c = 'x,y'])", ("a", "b", "c")),
        ("last_or_group", "(this.x, {super.key, required Widget this.child})", ("x", "key", "child")),
        ("first_or_none", "(OUT total integer, VARIADIC names text[])", ("total", "names")),
    ],
)  # fmt: skip
def test_names_in_patterns_groups_and_after_modes(place: str, written: str, names: tuple[str, ...]) -> None:
    assert parameter_names(written.encode(), place) == names


@pytest.mark.parametrize(
    ("language", "data", "names"),
    [
        ("scala", b"def f[T](a: Int)(implicit b: T): Int = 1\n", ("a", "b")),
        ("ocaml", b"let f ?(sep = ',') ~kind:k (a, b) () x = x\n", ("sep", "kind", "a", "b", "x")),
        ("julia", b"f(x::Int; y=2) = x\n", ("x", "y")),
    ],
)
def test_parameters_of_a_function(language: str, data: bytes, names: tuple[str, ...]) -> None:
    (function,) = parse_source("a", language, data).symbols
    assert function.parameters == names


RUBY_ACCESS = b"""class A
  def shown
  end

  def listed
  end

  private

  def hidden
  end

  public def said_public
  end

  def hidden_too
  end

  def self.maker
  end
  private_class_method :maker

  attr_reader :value
  protected attr_writer :other
  private :listed
end

class B
  private def alone
  end

  def after
  end

  LIMIT = 1
  private_constant :LIMIT
end

private def helper
end
"""


def test_words_for_access_in_ruby_hold_for_what_follows_or_for_what_they_name() -> None:
    said = {s.qualified_name: s.visibility for s in parse_source("a.rb", "ruby", RUBY_ACCESS).symbols}
    assert said == {
        "A": "public",
        "A.shown": "public",
        "A.listed": "private",
        "A.hidden": "private",
        "A.said_public": "public",
        "A.hidden_too": "private",
        "A.maker": "private",
        "A.value": "private",
        "A.other": "protected",
        "B": "public",
        "B.alone": "private",
        "B.after": "public",
        "B.LIMIT": "private",
        "helper": "private",
    }


def test_what_a_trait_asks_for_is_as_visible_as_the_trait() -> None:
    data = b"""
mod inner {
    impl Draw for Shape { const SIDES: u8 = 4; type Pen = Ink; fn draw(&self) {} }
    fn own() {}
}
impl Shape { fn hidden() {} pub fn shown() {} pub(crate) fn near() {} }
"""
    said = {s.name: s.visibility for s in parse_source("a.rs", "rust", data).symbols if s.kind != "impl"}
    assert said == {
        "inner": "private",
        "SIDES": "public",
        "Pen": "public",
        "draw": "public",
        "own": "private",
        "hidden": "private",
        "shown": "public",
        "near": "protected",
    }


@pytest.mark.parametrize(
    ("language", "data", "names"),
    [
        ("kotlin", b"fun A.B<C>?.f() = 1\nval A.B.p: Int\n    get() = 1\n", ["A.B.f", "A.B.p"]),
        ("r", b"x$y$f <- function(a) 1\n2 -> right\n3 ->> far\n", ["x.y.f", "right", "far"]),
        ("haskell", b"(\\/) :: a -> a -> a\ns \\/ t = s\n", ["\\/"]),
        ("php", b"<?php\nnamespace A\\B;\n", ["A.B"]),
        ("bash", b"bats::on_failure() {\n  true\n}\n", ["bats.on_failure"]),
    ],
)
def test_qualified_names(language: str, data: bytes, names: list[str]) -> None:
    symbols = parse_source("a", language, data).symbols
    assert [s.qualified_name for s in symbols] == names
    assert [s.kind for s in symbols if language == "bash"] in ([], ["function"])


@pytest.mark.parametrize(
    ("language", "data", "signature", "parameters"),
    [
        ("python", b"def f(a,  # it's \"x\", or\n      b='#no'):  # don't say \"y\"\n    return 1\n", "def f(a, b='#no')", ("a", "b")),
        ("python", b"class A(B):  # \"quoted\"\n    x = 1\n", "class A(B)", ()),
        ("javascript", b"function f(a, b) { // \"x\" and it's\n  return 1\n}\n", "function f(a, b)", ("a", "b")),
        ("kotlin", b"fun f(a: Int, // the first, one\n  b: Int): Int { // \"x\"\n  return 1\n}\n", "fun f(a: Int, b: Int): Int", ("a", "b")),
        ("go", b"package p\nfunc f(a int) { // \"x\"\n}\n", "func f(a int)", ("a",)),
        ("c", b"int f(int a, /* \"x\", y */ int b)\n{ return 1; }\n", "int f(int a, int b)", ("a", "b")),
    ],
)  # fmt: skip
def test_comments_are_no_part_of_a_signature(
    language: str, data: bytes, signature: str, parameters: tuple[str, ...]
) -> None:
    symbol = next(s for s in parse_source("a", language, data).symbols if s.kind not in ("package", "field"))
    assert (symbol.signature, symbol.parameters) == (signature, parameters)
