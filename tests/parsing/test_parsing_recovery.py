"""What the grammars do not know, repaired: the definitions of such code are found, at the places where they stand."""

from __future__ import annotations

import dataclasses

import pytest

from quatrain.parsing import extract, parse
from quatrain.parsing.languages.cfamily import blank_macros, join_branches
from quatrain.parsing.languages.typescript import spell_out
from quatrain.parsing.parse import parse_source
from quatrain.parsing.rules import compiled

C_SOURCES = {
    "attribute after a parameter": b"""
Object *
first(Object *self ATTRIBUTE_UNUSED, Object *arguments ATTRIBUTE_UNUSED) {
    return self;
}
Object *
second(Object *self ATTRIBUTE_UNUSED)
{
    return self;
}
""",
    "calling convention and old parameters": b"""
const char * EXPORTED first(file, number)
    struct file *file;   /* where */
    int *number;
{
    return 0;
}
void *second(q, n)
    void *q;
    unsigned n;
{
    return q;
}
""",
    "prototypes for two compilers": b"""
extern int declared OF((int a, char *b));
static int first OF((void));
int first() { return 1; }
LOCAL int second ARGUMENTS((a, b), int a, char *b)
{
    return a;
}
""",
    "prototypes for two compilers, a line each": b"""
LOCAL_FUNCTION CONSTANT char *
first
ARGUMENTS((a),
          CONSTANT char a)
{
    return 0;
}
LOCAL_FUNCTION int
second
ARGUMENTS((a, b),
          int a,
          char *b)
{
    return a;
}
""",
    "attribute between type and name": b"""
static int
internal_function
first (struct set *left, struct set *right)
{
  return 0;
}
static void FORMATTED(4,0)
second(struct context *context, const char *message)
{
}
""",
    "branches that share a brace": b"""
static int first(int a) {
#ifdef ONE
    if (a > 1) {
        a--;
#else
    if (a > 2) {
#endif
        a++;
    }
    return a;
}
#ifdef WIDE
int second(long a) {
#else
int second(int a) {
#endif
    return 2;
}
""",
    "conditions in an expression": b"""
static int first(int a) {
    if ((poll(a) < 1)
#if defined(INTERRUPTED)
        && (error != INTERRUPTED)
#endif
        )
        return 0;
    switch (
#ifdef FAST
        fast(a)
#else
        slow(a)
#endif
    ) {
    case 1:
        return 1;
    }
    return 2;
}
int second(void) { return 1; }
""",
    "macros that are statements": b"""
void first(struct node *node) {
    if (node == 0)
        FREE_AND_CLEAR(node)
    else
        TO_DO
}
void second(int a UNUSED_HERE) {
    TO_DO
}
""",
}


@pytest.mark.parametrize("what", sorted(C_SOURCES))
def test_c_that_the_grammar_does_not_know(what: str) -> None:
    data = b"int before(void) { return 0; }\n" + C_SOURCES[what] + b"int after(void) { return 3; }\n"
    for text in (data, data.replace(b"\n", b"\r\n")):
        functions = {s.name: s for s in parse_source("a.c", "c", text).symbols if s.kind == "function"}
        assert list(functions) == ["before", "first", "second", "after"]
        for symbol in functions.values():
            assert text[symbol.name_byte :].startswith(symbol.name.encode())
            assert text.count(b"\n", 0, symbol.name_byte) + 1 == symbol.line
        assert functions["second"].end_line < functions["after"].line


def test_c_that_the_grammar_knows_is_not_touched() -> None:
    data = b"#ifdef A\nint f(void) { return MAXIMUM; }\n#else\nint g(void) { return 1; }\n#endif\n"
    assert [s.name for s in parse_source("a.c", "c", data).symbols] == ["f", "g"]
    assert join_branches(data) == data


def test_a_branch_that_is_never_compiled_gives_way() -> None:
    data = b"#if 0\nint f(int a) {\n#else\nint f(long b) {\n#endif\n  return 1;\n}\n"
    (symbol,) = parse_source("a.c", "c", data).symbols
    assert (symbol.name, symbol.line, symbol.parameters) == ("f", 4, ("b",))


def test_types_in_capitals_stay() -> None:
    data = b"extern OFFSET_T EXPORTED_HERE tell(FILE *file) { return 0; }\n"
    assert blank_macros(data) == data.replace(b"EXPORTED_HERE", b" " * 13)


TYPESCRIPT = b"""
export declare class Store<in out Key, out Value extends object, in Fed = string> {
    get(key: Key): Value | undefined
}
interface Factory extends Base {
    // nameless
    <T extends object>(value: T): T
    <K = string, V = number>(value: Map<K, V>): Wrapped<K, V>
    (name: string): Decorator
    named(): void
}
declare function plugin(signal?: Signal): import("./plugins").Plugin<Stream, Node>;
const last = (<T>(x: T) => x);
"""


@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_typescript_that_the_grammar_does_not_know(language: str) -> None:
    data = (
        TYPESCRIPT
        if language == "typescript"
        else TYPESCRIPT.replace(b"\n    <", b"\n    ;<").replace(b"(<T>", b"(<T,>")
    )
    parsed = parse_source("a.ts", language, data)
    assert parsed.parse == "tree"
    said = [(s.kind, s.qualified_name, s.line) for s in parsed.symbols if s.kind != "field"]
    assert said == [
        ("class", "Store", 2),
        ("method", "Store.get", 3),
        ("interface", "Factory", 5),
        ("method", "Factory.named", 10),
        ("function", "plugin", 12),
        ("function", "last", 13),
    ]


@pytest.mark.parametrize("repair", [blank_macros, join_branches, spell_out])
def test_a_repair_keeps_every_byte_in_its_place(repair: object) -> None:
    assert callable(repair)
    for data in (*C_SOURCES.values(), TYPESCRIPT, b"#if A\n#else\n#endif\n#endif\n#if\n", b"\xff\x00\n#if (\n#endif"):
        for ranges in (None, [(len(data) // 3, len(data) // 2)], []):
            changed = repair(data, ranges)
            assert len(changed) == len(data)
            assert [i for i, c in enumerate(changed) if c == 10] == [i for i, c in enumerate(data) if c == 10]
    assert repair(TYPESCRIPT, []) == TYPESCRIPT


# --- long chains ------------------------------------------------------------------------------------------------

CHAINS = {
    "python": (b"x = a", b".b().c()", b"\n"),
    "javascript": (b"x = a", b".b().c()", b";\n"),
    "typescript": (b"x = a", b".b().c()", b";\n"),
    "ruby": (b"x = a", b".b().c()", b"\n"),
    "java": (b"class A { void f() { a", b".b().c()", b"; } }\n"),
    "rust": (b"fn f() { a", b".b().c()", b"; }\n"),
    "go": (b"package a\nfunc f() { a", b".b().c()", b" }\n"),
    "php": (b"<?php $a", b"->b()->c()", b";\n"),
    "c": (b"int f(void) { a", b"->b()->c()", b"; }\n"),
    "cpp": (b"int f() { a", b".b().c()", b"; }\n"),
}


@pytest.mark.parametrize("language", sorted(CHAINS))
def test_few_patterns_are_under_way_in_a_long_chain(language: str) -> None:
    """Each node is shown to a bounded number of patterns, so that the work grows with the size and not with its square."""
    from tree_sitter import QueryCursor

    rules = compiled(language)
    assert rules is not None
    before, link, after = CHAINS[language]
    layers = []
    for count in (500, 1000, 2000):
        data = before + link * count + after
        root = parse._parser(language).parse(data).root_node
        assert not root.has_error
        tops = extract.layer_tops(root)
        layers.append(len(tops))
        for top in tops:
            cursor = QueryCursor(rules.query, match_limit=8 * extract._LAYER)
            cursor.set_max_start_depth(extract._LAYER)
            cursor.matches(top)
            assert not cursor.did_exceed_match_limit
    assert layers[2] < 2.1 * layers[1] < 4.4 * layers[0]
    parsed = parse_source("a", language, data)
    calls = [r for r in parsed.references if r.kind == "call"]
    assert [r.name for r in calls] == ["b", "c"] * 2000
    assert max(len(r.receiver) for r in calls) <= extract._MAX_RECEIVER


def test_layers_find_what_one_pass_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    for language, (before, link, after) in CHAINS.items():
        data = before + link * 20 + after
        whole = parse_source("a", language, data)
        with monkeypatch.context() as patch:
            patch.setattr(extract, "_UNDER_WAY", 1)
            patch.setattr(extract, "_LAYER", 4)
            assert parse_source("a", language, data) == whole


@pytest.mark.parametrize(
    "line", [b"#define A%d ((int) 0x%d)\n", b"int a%d; /* b */\n", b"f(a)\n  int b%d;\n", b"x A((b%d), c\n"]
)
def test_repairs_scan_long_headers_once(line: bytes) -> None:
    """Patterns that give back what they have read would not end here."""
    data = (
        b"int f(a)\n"
        + b"".join(line % ((n,) * line.count(b"%d")) for n in range(4000))
        + b"int g(int b) A_MACRO B_MACRO }\n"
    )
    assert len(blank_macros(data)) == len(data)


def test_functions_of_a_shell_script_whose_tree_is_damaged() -> None:
    data = b"""\
first() {
  local copy=${2#"${2%%[![:space:]]*}"}
  if [[ $copy =~ ^(a|b)+[0-9]{2,}\\)$ ]]; then :; fi
  x=${y//\\/.\\//\\/}
}

second() { # <array...> -- <command ...>
  while (($# > 0)) && [[ $1 != -- ]]; do
    eval "(( \\${#${array}[@]} > 0 ))" || { true
    }
  done
}
function third {
  true
}
  fourth() { echo one line; }
fifth ()
(
  cd /tmp
)
not a function() but words
call_of second "(" {
"""
    parsed = parse_source("a.sh", "bash", data + b"case x in (((\n")
    assert parsed.parse == "partial"
    said = [(s.name, s.line, s.end_line) for s in parsed.symbols if s.kind == "function"]
    assert said == [("first", 1, 5), ("second", 7, 12), ("third", 13, 15), ("fourth", 16, 16), ("fifth", 17, 20)]


def test_a_repair_is_made_where_it_helps_and_not_where_it_harms(monkeypatch: pytest.MonkeyPatch) -> None:
    known = compiled("c")
    assert known is not None
    mended = b"int first(int a @@) { return a; }\n"
    broken = b"int second(int b) { return b @; }\n"
    data = mended + b"int between(void) { return 0; }\n" * 3 + broken

    def prepare(text: bytes, ranges: object) -> bytes:
        return text.replace(b"@@", b"  ").replace(b"second(int b)", b"((((((((((((")

    rules = dataclasses.replace(known.rules, prepare=prepare, prepare_further=None)
    monkeypatch.setattr(parse, "compiled", lambda language: known._replace(rules=rules))
    symbols = parse_source("a.c", "c", data).symbols
    assert [s.name for s in symbols] == ["first", "between", "between", "between", "second"]
    root, _ = parse._best_tree("a.c", data, known._replace(rules=rules))
    assert {start for start, _ in parse._error_spans(root, known)} == {data.rindex(b"@")}
