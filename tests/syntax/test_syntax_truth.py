"""Syntax search against a search without an index: tree-sitter run over every file, and Python's own ``ast``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests import corpora

import quatrain
from quatrain.errors import BadQuery
from quatrain.parsing.grammars import load_grammar

SOURCES = Path(__file__).parents[1] / "parsing" / "sources"
Place = tuple[str, int, int]

QUERIES = {
    "python": [
        '((call function: (identifier) @f) @c (#eq? @f "open"))',
        '((decorator (identifier) @d) (#any-of? @d "property" "staticmethod" "cached_property"))',
        # A match may lack @g: a file without the literal has matches all the same.
        '(call function: [(identifier) @f (attribute) @g] (#eq? @g "os.path.join"))',
        '(call function: (identifier) @f arguments: (argument_list (string)? @s) (#eq? @s "no such text"))',
        '; (#eq? @i "only a comment")\n((identifier) @i (#match? @i "^get_"))',
        '((string) @s (#match? @s "#eq? @x"))',
        '((identifier) @i (#eq? @i "open")) ((class_definition name: (identifier) @n) (#any-of? @n "Ledger" "View"))',
    ],
    "javascript": ['((call_expression function: (identifier) @f) (#eq? @f "require"))', "(class_declaration) @c"],
    "typescript": ['((type_identifier) @t (#any-of? @t "Promise" "Record"))', "(interface_declaration) @i"],
    "go": ['((call_expression function: (selector_expression field: (field_identifier) @f)) (#eq? @f "Lock"))', "(type_spec) @t"],
    "rust": ['((macro_invocation macro: (identifier) @m) (#eq? @m "println"))', "(impl_item) @i"],
    "java": ['((marker_annotation name: (identifier) @a) (#eq? @a "Override"))', "(method_declaration) @m"],
    "c": ['((call_expression function: (identifier) @f) (#any-of? @f "malloc" "free" "memcpy"))', "(preproc_include) @i"],
    "cpp": ['((type_identifier) @t (#eq? @t "Matrix"))', "(template_declaration) @t"],
    "csharp": ['((identifier) @i (#eq? @i "Status"))', "(property_declaration) @p"],
    "ruby": ['((call method: (identifier) @m) (#eq? @m "attr_reader"))', "(method) @m"],
    "php": ['((name) @n (#eq? @n "Mailer"))', "(method_declaration) @m"],
}  # fmt: skip


def without_index(root: Path, paths: list[str], language: str, query: str) -> list[Place]:
    """Return where a query matches: the first and longest captured node of every match."""
    from tree_sitter import Parser, Query, QueryCursor

    grammar = load_grammar(language)
    compiled = Query(grammar, query)
    found = []
    for path in paths:
        tree = Parser(grammar).parse((root / path).read_bytes())
        for _, captures in QueryCursor(compiled).matches(tree.root_node):
            nodes = [named[0] for named in captures.values() if named]
            if nodes:
                row, column = min(nodes, key=lambda node: (node.start_byte, -node.end_byte)).start_point
                found.append((path, row + 1, column + 1))
    return sorted(found)


def places(index: quatrain.Index, text: str, language: str, *, pattern: bool = False) -> list[Place]:
    return sorted((hit.path, hit.line, hit.column) for hit in index.ast(text, language=language, pattern=pattern).hits)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> quatrain.Index:
    return quatrain.build(SOURCES, workers=1, embedder="none", index_dir=tmp_path_factory.mktemp("small"))


@pytest.mark.parametrize("language", sorted(QUERIES))
def test_queries_find_what_a_search_of_every_file_finds(small: quatrain.Index, language: str) -> None:
    paths = [file.path for file in small.files() if file.language == language and file.indexed]
    assert paths
    for query in QUERIES[language]:
        assert places(small, query, language) == without_index(SOURCES, paths, language, query), query
    assert any(places(small, query, language) for query in QUERIES[language])


@pytest.mark.parametrize(
    ("predicate", "known"),
    [("#not-any-of?", False), ("#lua-match?", False), ("#not-eq?", True), ("#any-match?", True)],
)
def test_a_predicate_that_would_be_skipped_is_an_error(small: quatrain.Index, predicate: str, known: bool) -> None:
    query = f'((identifier) @i ({predicate} @i "x"))'
    if known:
        small.ast(query, language="python")
        return
    with pytest.raises(BadQuery, match="is not known; use one of any-eq"):
        small.ast(query, language="python")


def test_an_unknown_name_is_answered_with_names_near_it(small: quatrain.Index) -> None:
    with pytest.raises(BadQuery, match="near it: function_definition"):
        small.ast("(function_defintion) @f", language="python")
    with pytest.raises(BadQuery, match="near it: arguments"):
        small.ast("(call argumnts: (_) @a)", language="python")


# Code of each language, and for an example the lines where it stands.
EXAMPLES = [
    (
        "php",
        "<?php\nfoo($a, 1);\nfoo();\n$x->foo($a);\nnew Foo($a);\n",
        {
            "foo($X, ...)": [2],
            "foo(...)": [2, 3],
            "$O->foo($A)": [4],
            "new $C(...)": [5],
        },
    ),
    (
        "php",
        "<?php\nclass A extends B\n{\n    public $x;\n}\nif ($a === null) {\n    return $a;\n}\n",
        {
            "class $C extends $D { ... }": [2],
            "if ($X === null) { ... }": [6],
            "return $a": [7],
        },
    ),
    (
        "javascript",
        "throw new Error('x');\nconst a = b;\nexport default c;\nreturn x.map(f,);\n",
        {
            "throw new Error($X)": [1],
            "const $A = $B": [2],
            "export default $X": [3],
            "$X.map($F)": [4],
        },
    ),
    (
        "typescript",
        "type A = B;\nconst a: T = c;\ninterface I { x: number }\n",
        {
            "type $A = $B": [1],
            "const $A: $B = $C": [2],
            "interface $I { ... }": [3],
        },
    ),
    (
        "rust",
        "fn f() { match x { A => 1, B => 2 } }\nimpl T for U { fn g() {} }\nstruct S { a: u8 }\n",
        {
            "match $X { ... }": [1],
            "impl $T for $U { ... }": [2],
            "struct $S { ... }": [3],
        },
    ),
    (
        "csharp",
        "class A {\n"
        "  public override int M(int a, int b) { return 1; }\n"
        "  object F() { return x as T ?? typeof(T); }\n"
        "}\n",
        {
            "public override $T $M(...) { ... }": [2],
            "$X as $T": [3],
            "typeof($T)": [3],
        },
    ),
    (
        "java",
        "class A {\n  int x = 1;\n  void m(int a) { int y = 2; try { f(); } catch (E e) { g(); } }\n}\n",
        {
            "int $X = $Y": [2, 3],
            "try { ... } catch ($E $X) { ... }": [3],
            "void $M(...) { ... }": [3],
            "class $C { ... }": [1],
        },
    ),
    (
        "ruby",
        "class A < B\n  def x\n  end\nend\nraise E, 'm'\nputs 1 if a\n",
        {
            "class $C < $D\n ...\nend": [1],
            "raise $E, $M": [5],
            "$X if $Y": [6],
        },
    ),
    (
        "go",
        "package p\nfunc f() {\n\tx := []int{1,}\n\tgo func() { g() }()\n}\n",
        {
            "$X := $Y": [3],
            "go func() { ... }()": [4],
            "func $F(...) { ... }": [2],
        },
    ),
    (
        "c",
        "int f(int a, char *b) { if (!a) return 1; for (;;) { g(); } switch (a) { case 1: break; } }\n",
        {
            "if (!$X) return $Y": [1],
            "switch ($X) { ... }": [1],
            "int $F(...) { ... }": [1],
        },
    ),
    (
        "cpp",
        "template<typename T> struct S { T x; };\nnamespace n { int a; }\nusing A = B;\n",
        {
            "namespace $N { ... }": [2],
            "using $A = $B": [3],
        },
    ),
]


@pytest.mark.parametrize("number", range(len(EXAMPLES)), ids=[row[0] for row in EXAMPLES])
def test_examples_of_each_language(tmp_path: Path, number: int) -> None:
    language, source, expected = EXAMPLES[number]
    suffix = {"javascript": "js", "typescript": "ts", "rust": "rs", "csharp": "cs", "ruby": "rb"}.get(
        language, language
    )
    (tmp_path / f"a.{suffix}").write_text(source)
    (tmp_path / f"b.{suffix}").write_text("")
    index = quatrain.build(tmp_path, workers=1, embedder="none", index_dir=tmp_path / "index")
    for example, lines in expected.items():
        found = index.ast(example, language=language, pattern=True)
        assert [hit.line for hit in found.hits] == lines, example


# --- Django -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def django(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, quatrain.Index]:
    root = corpora.pypi("Django==5.2.8") / "django" / "contrib"
    return root, quatrain.build(root, workers=1, embedder="none", index_dir=tmp_path_factory.mktemp("django"))


def plain_arguments(call: ast.Call, count: int) -> bool:
    return len(call.args) == count and not call.keywords and not any(isinstance(a, ast.Starred) for a in call.args)


def named_call(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


AS_PYTHON_SEES_IT: dict[str, Callable[[ast.AST], bool]] = {
    "isinstance($X, $Y)": lambda n: named_call(n, "isinstance") and plain_arguments(n, 2),
    "getattr($X, ...)": lambda n: named_call(n, "getattr") and bool(n.args or n.keywords),
    "super().__init__(...)": lambda n: (
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "__init__"
        and named_call(n.func.value, "super") and plain_arguments(n.func.value, 0)
    ),
    "raise ValueError($X)": lambda n: (
        isinstance(n, ast.Raise) and n.cause is None and n.exc is not None and named_call(n.exc, "ValueError")
        and plain_arguments(n.exc, 1)
    ),
    "$X is None": lambda n: (
        isinstance(n, ast.Compare) and len(n.ops) == 1 and isinstance(n.ops[0], ast.Is)
        and isinstance(n.comparators[0], ast.Constant) and n.comparators[0].value is None
    ),
    # One parameter of any sort.
    "lambda $X: $Y": lambda n: (
        isinstance(n, ast.Lambda)
        and len([*n.args.args, *n.args.kwonlyargs, *filter(None, (n.args.vararg, n.args.kwarg))]) == 1
    ),
    "return self.$A": lambda n: (
        isinstance(n, ast.Return) and isinstance(n.value, ast.Attribute) and isinstance(n.value.value, ast.Name)
        and n.value.value.id == "self"
    ),
    "raise NotImplementedError": lambda n: (
        isinstance(n, ast.Raise) and isinstance(n.exc, ast.Name) and n.exc.id == "NotImplementedError" and n.cause is None
    ),
}  # fmt: skip


def nodes_of(root: Path) -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            yield path.relative_to(root).as_posix(), node


def test_examples_in_django_as_python_sees_them(django: tuple[Path, quatrain.Index]) -> None:
    root, index = django
    expected: dict[str, list[Place]] = {example: [] for example in AS_PYTHON_SEES_IT}
    for path, node in nodes_of(root):
        for example, is_meant in AS_PYTHON_SEES_IT.items():
            if is_meant(node):
                expected[example].append((path, node.lineno, node.col_offset + 1))
    for example, found in expected.items():
        assert places(index, example, "python", pattern=True) == sorted(found), example
    assert sum(map(len, expected.values())) > 500


def test_queries_in_django_find_what_a_search_of_every_file_finds(django: tuple[Path, quatrain.Index]) -> None:
    root, index = django
    paths = [file.path for file in index.files() if file.language == "python" and file.indexed]
    assert len(paths) > 100
    for query in QUERIES["python"]:
        assert places(index, query, "python") == without_index(root, paths, "python", query), query
