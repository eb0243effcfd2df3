"""Syntax that a grammar misreads: what is overwritten before it reads a file, and what is found for it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatrain.parsing.parse import parse_source
from quatrain.parsing.rewriting import keep_all_branches, keep_first_branches, overwrite, rewriting
from quatrain.parsing.rules import compiled

# language, source, what is defined there
CASES = {
    "C#: a condition compiled in two ways": (
        "csharp",
        "class Writer {\n  void Write(object v) {\n    if (v is int) { A(); }\n#if NEW\n    else if (v is Guid) { B(); }\n#else\n"
        "    else { C(); }\n#endif\n    else { D(); }\n  }\n  void After() { }\n}\n",
        ["class Writer", "method Writer.Write", "method Writer.After"],
    ),
    "C#: operators, indexers, finalizers": (
        "csharp",
        "class T {\n  public static T operator +(T a, T b) => a;\n  public static implicit operator int(T a) => 1;\n"
        "  public int this[int i] => i;\n  ~T() { }\n}\n",
        ["class T", "method T.+", "method T.operator", "property T.this", "method T.T"],
    ),
    "Kotlin: names that are keywords elsewhere": (
        "kotlin",
        "class B {\n  fun make() {\n    inline(true)\n    infix = false\n"
        "    list.map { annotation -> annotation.x }\n  }\n  fun after() = 1\n}\n",
        ["class B", "method B.make", "method B.after"],
    ),
    "Kotlin: a constructor on its own line, function interfaces, open ranges": (
        "kotlin",
        "internal class Taken<T>\nconstructor(private val rest: Sequence<T>) : Sequence<T> {\n  fun next() = rest\n}\n"
        "fun interface Handler {\n  fun handle(x: Int)\n}\nfun loop(n: Int) { for (i in 0..<n) { print(i) } }\n",
        [
            *("class Taken", "property Taken.rest", "method Taken.next", "interface Handler", "method Handler.handle"),
            "function loop",
        ],
    ),
    "Kotlin: a line that begins with a bracket": (
        "kotlin",
        "class T {\n  val s = when {\n    x in 1..2 -> \"a\"\n    (n % 10) == 1 -> \"b\"\n    else -> \"c\"\n  }\n  fun f() {\n    val a = b\n"
        "    (a as C).d = e\n  }\n  fun g() = 1\n}\n",
        ["class T", "property T.s", "method T.f", "method T.g"],
    ),
    "Kotlin: locals of a lambda are no variables": (
        "kotlin",
        "val outer = run {\n  val inner = 1\n  inner\n}\nprivate typealias Name = String\n",
        ["variable outer", "type Name"],
    ),
    "Swift: marks younger than the grammar": (
        "swift",
        "public final class Store: Base, @unchecked Sendable {\n  nonisolated(unsafe) static let shared = Store()\n"
        "  func take(payload: consuming sending Packet) throws(StoreError) -> Int { 1 }\n#if os(macOS)\n  func onMac() {}\n#else\n"
        "  func onPhone() {}\n#endif\n  subscript(i: Int) -> Int { i }\n}\nfunc ~> (a: Int, b: Int) -> Int { a }\n",
        [
            *("class Store", "property Store.shared", "method Store.take", "method Store.onMac", "method Store.onPhone"),
            *("method Store.subscript", "function ~>"),
        ],
    ),
    "Swift: a name that is a sentence": (
        "swift",
        "struct Tests {\n  func `adds, and says so`() throws {}\n}\n",
        ["struct Tests", "method Tests.adds, and says so"],
    ),
    "Scala: a brace on the line after the header": (
        "scala",
        "abstract class Wrapped[T]\nextends Base[T]\n    with Other[T]\n{\n  def length: Int = 1\n}\n",
        ["class Wrapped", "method Wrapped.length"],
    ),
    "Scala: arrows that are letters, guards before an arrow, comments before a case": (
        "scala",
        "object O {\n  def f(x: Any) = x match {\n    // first\n    case A(n) if names contains n => 1\n"
        "    case µ ⇒ 2\n  }\n  val A, B = Value\n"
        "  val (left, right) = pair\n  def <:<(x: Int) = { val local = 1; x }\n}\npackage object p { }\n",
        [
            *("class O", "method O.f", "field O.A", "field O.B", "field O.left", "field O.right", "method O.<:<"),
            "module p",
        ],
    ),
    "Elixir: functions of one name, operators": (
        "elixir",
        "defmodule M do\n  defmacro setup(block) do\n    block\n  end\n  defmacro setup(context, block) do\n    {context, block}\n  end\n"
        "  def f(1), do: 1\n  def f(x), do: x\n  def left + right, do: [left, right]\nend\n",
        ["module M", "macro M.setup", "macro M.setup", "function M.f", "function M.+"],
    ),
    "Haskell: both branches of conditional compilation": (
        "haskell",
        "module M where\n#ifdef FAST\nrun :: Int\nrun = 1\n#else\nwalk :: Int\nwalk = 2\n#endif\n\nboth = 3\n",
        ["function run", "function walk", "function both"],
    ),
    "Haskell: instances in a row, several names, local functions": (
        "haskell",
        "module M where\ninstance Binary A\ninstance Binary B\nx, y :: Int\nf n = go n\n  where\n    go 0 = 1\n    go k = go (k - 1)\n"
        "data a :* b = a :* b\nderiving instance Eq A\n",
        [
            *("impl Binary", "impl Binary", "function x", "function y", "function f", "function f.go", "type :*"),
            *("enum_member :*.:*", "impl Eq"),
        ],
    ),
    "Lua: fields of the module": (
        "lua",
        "local M = {}\nM.read = utils.read\nfunction M.open(path)\n  local inner = 1\nend\nreturn M\n",
        ["constant M", "field M.read", "method M.open"],
    ),
    "Zig: members without a type, labels, several names": (
        "zig",
        "pub const Tag = enum(u8) {\n    add,\n    /// documented\n    sub,\n    @\"and\",\n    i8,\n    _,\n};\nfn run(x: Tag) void {\n"
        "    const a, const b = pair();\n    loop: switch (x) {\n        .add => continue :loop .sub,\n        else => {},\n    }\n}\n"
        "fn List(comptime T: type) type {\n    return struct {\n        items: []T,\n    };\n}\ntest run {}\n",
        [
            *("enum Tag", "enum_member Tag.add", "enum_member Tag.sub", "enum_member Tag.and", "enum_member Tag.i8"),
            *("function run", "function List", "field List.items", "function run"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_definitions(case: str) -> None:
    language, source, expected = CASES[case]
    parsed = parse_source("file", language, source.encode())
    assert parsed.parse == "tree"
    said = [f"{s.kind} {s.qualified_name.replace('@', '').replace(chr(34), '')}" for s in parsed.symbols]
    assert said == expected
    for symbol in parsed.symbols:
        assert symbol.line == source.encode().count(b"\n", 0, symbol.name_byte) + 1


def test_damage_in_the_last_line_is_repaired() -> None:
    source = b"class A { void F() { } }\nclass B { void G() {\n#if X\n if (a) {\n#else\n if (b) {\n#endif\n } } }"
    assert b"\n" not in source[-6:]
    parsed = parse_source("b.cs", "csharp", source)
    assert [s.name for s in parsed.symbols] == ["A", "F", "B", "G"]


def test_branches() -> None:
    source = b"a\n#if X\nb\n#if Y\nc\n#else\nd\n#endif\n#else\ne\n#endif\nf\n"
    assert keep_first_branches(source, None).split() == [b"a", b"b", b"c", b"f"]
    assert keep_all_branches(source).split() == [b"a", b"b", b"c", b"d", b"e", b"f"]
    inner = source.index(b"#if Y")
    assert keep_first_branches(source, [(0, 1)]) == source
    assert b"#if X" in keep_all_branches(source, [(inner, inner + 20)])
    # A block that never ends, an end that began nowhere.
    assert keep_first_branches(b"#endif\n#if X\na\n", None) == b"#endif\n#if X\na\n"


def test_a_step_keeps_the_length() -> None:
    shorten = rewriting([(re.compile(rb"ab"), lambda match: b"a")])
    with pytest.raises(ValueError, match="length"):
        shorten(b"xxabxx", None)


LANGUAGES = ("csharp", "kotlin", "swift", "scala", "haskell", "zig")
PIECES = (
    *("#if A\n", "#else\n", "#endif\n", "class A\n{\n", "}\n", "continue :x .y;\n", "const a, const b = c;\n", "é"),
    *("case x ⇒ y\n", "`a b`", "\n(", "inline(", "nonisolated(unsafe) ", "match {\n// c\ncase", "\r\n"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(LANGUAGES))
def test_rewriting_keeps_the_length(pieces: list[str], language: str) -> None:
    data = "".join(pieces).encode()
    rules = compiled(language).rules
    assert rules.prepare is not None or rules.prepare_always is not None
    half = len(data) // 2
    for prepared in (
        *((rules.prepare(data, None), rules.prepare(data, [(0, half)])) if rules.prepare else ()),
        *((rules.prepare_always(data),) if rules.prepare_always else ()),
    ):
        assert len(prepared) == len(data)


def test_overwrite_keeps_line_ends() -> None:
    assert re.sub(rb"\((.*?)\)", overwrite, b"a(b\r\nc)d", flags=re.DOTALL) == b"a( \r\n )d"
