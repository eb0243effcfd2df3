"""Definitions, imports and calls against what other tools say: Python's own ``ast``, Universal Ctags, the TypeScript compiler.

The rows of the last two for our own sources are committed; with ``QUATRAIN_GOLD`` (a folder of such TSV files) and
``QUATRAIN_CORPORA`` (a folder with the packages they were made from) real packages are compared too.
"""

from __future__ import annotations

import ast
import csv
import os
import sysconfig
from collections import Counter
from pathlib import Path

import pytest

from quatrain.parsing.parse import parse_source
from quatrain.records import SYMBOL_KINDS, ParsedFile, Symbol

HERE = Path(__file__).parent
STDLIB = Path(sysconfig.get_path("stdlib"))
MODULES = (
    "argparse.py", "ast.py", "asyncio/base_events.py", "asyncio/tasks.py", "calendar.py", "codecs.py", "configparser.py",
    "contextlib.py", "csv.py", "dataclasses.py", "difflib.py", "email/message.py", "enum.py", "functools.py", "gettext.py",
    "heapq.py", "http/client.py", "http/cookies.py", "inspect.py", "json/decoder.py", "logging/__init__.py", "mailbox.py",
    "os.py", "pathlib.py", "pickle.py", "queue.py", "random.py", "shutil.py", "socket.py", "statistics.py", "subprocess.py",
    "tarfile.py", "tempfile.py", "textwrap.py", "threading.py", "traceback.py", "typing.py", "unittest/mock.py", "uuid.py",
    "zipfile.py",
)  # fmt: skip
COMPARED = frozenset(SYMBOL_KINDS) - {
    *("constant", "variable", "field", "property", "impl", "extension", "prototype", "enum_member", "annotation"),
}


Module = tuple[str, bytes, ast.Module, ParsedFile]


def stdlib_files() -> list[Path]:
    found = [STDLIB / name for name in MODULES if (STDLIB / name).is_file()]
    assert len(found) > 30
    return found


@pytest.fixture(scope="module")
def parsed_stdlib() -> list[Module]:
    result = []
    for path in stdlib_files():
        data = path.read_bytes()
        result.append((path.name, data, ast.parse(data), parse_source(str(path), "python", data)))
    return result


def test_python_definitions_as_ast_sees_them(parsed_stdlib: list[Module]) -> None:
    for name, source, tree, parsed in parsed_stdlib:
        expected = Counter()
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                text = ast.get_docstring(node, clean=False) or ""
                lines = [line.strip() for line in text.splitlines() if line.strip()]
                parameters: tuple[str, ...] = ()
                if not isinstance(node, ast.ClassDef):
                    a = node.args
                    named = [*a.posonlyargs, *a.args, *([a.vararg] if a.vararg else []), *a.kwonlyargs]
                    parameters = tuple(p.arg for p in [*named, *([a.kwarg] if a.kwarg else [])])
                first_line = lines[0] if lines else ""
                expected[
                    node.name, node.lineno, first, node.end_lineno, len(node.decorator_list), first_line, parameters
                ] += 1
        rows = source.decode().splitlines()

        def end(symbol: Symbol, rows: list[str] = rows) -> int:
            """Comments after the last statement are part of a block to tree-sitter, and not to Python."""
            line = symbol.end_line
            while not rows[line - 1].strip() or rows[line - 1].lstrip().startswith("#"):
                line -= 1
            return line

        said = Counter(
            (s.name, s.line, s.start_line, end(s), len(s.decorators), s.docstring, s.parameters)
            for s in parsed.symbols
            if s.kind in ("function", "method", "class") and not s.signature.startswith(f"{s.name} = lambda")
        )
        assert said == expected, (name, list((said - expected).items())[:5], list((expected - said).items())[:5])


def test_python_qualified_names_as_ast_sees_them(parsed_stdlib: list[Module]) -> None:
    for name, _, tree, parsed in parsed_stdlib:
        expected = set()

        def visit(node: ast.AST, prefix: str, into: set[tuple[str, int]]) -> None:
            for child in ast.iter_child_nodes(node):
                inner = prefix
                if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    inner = f"{prefix}.{child.name}" if prefix else child.name
                    into.add((inner, child.lineno))
                visit(child, inner, into)

        visit(tree, "", expected)
        said = {(s.qualified_name, s.line) for s in parsed.symbols}
        assert expected <= said, (name, sorted(expected - said)[:5])


def test_python_imports_as_ast_sees_them(parsed_stdlib: list[Module]) -> None:
    for name, _, tree, parsed in parsed_stdlib:
        expected = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for a in node.names:
                    expected.add((a.name, "", a.asname or a.name.partition(".")[0], 0, a.lineno, a.col_offset))
            elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
                for a in node.names:
                    alias = "" if a.name == "*" else a.asname or a.name
                    expected.add((node.module or "", a.name, alias, node.level, a.lineno, a.col_offset))
        said = {(i.module, i.name, i.alias, i.level, i.line, i.column) for i in parsed.imports}
        assert said == expected, (name, sorted(said ^ expected)[:5])


def test_python_calls_as_ast_sees_them(parsed_stdlib: list[Module]) -> None:
    for name, _, tree, parsed in parsed_stdlib:
        expected = set()
        decorators = set()
        for node in ast.walk(tree):
            for decorator in getattr(node, "decorator_list", ()):
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                decorators.add((getattr(called, "attr", getattr(called, "id", "")), called.end_lineno))
            if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
                end = node.func.end_lineno
                expected.add((node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id, end))
        bases = {
            (getattr(b, "attr", getattr(b, "id", "")), b.end_lineno)
            for n in ast.walk(tree)
            if isinstance(n, ast.ClassDef)
            for b in n.bases
        }
        said = {(r.name, r.line) for r in parsed.references if r.kind in ("call", "decorator")}
        missed = expected - said - bases
        # A call inside an annotation or an f-string's format counts as well; nothing else may be reported.
        assert not missed, (name, sorted(missed)[:5])
        extra = said - expected - decorators
        assert not extra, (name, sorted(extra)[:5])


def test_python_attribute_reads_as_ast_sees_them(parsed_stdlib: list[Module]) -> None:
    for name, _, tree, parsed in parsed_stdlib:
        expected = {(n.attr, n.end_lineno) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
        said = {(r.name, r.line) for r in parsed.references}
        said |= {(part, b.line) for b in parsed.bases for part in b.name.split(".")}
        assert expected <= said, (name, sorted(expected - said)[:5])


# --- rows of other tools --------------------------------------------------------------------------------------------------------

# What the oracle does not know or gets wrong in our own sources, by reading: (file, name) -> why.
EXCUSED = {
    ("engine.rs", "Bits"): "ctags has no unions in Rust",
    ("Mailer.php", "Level"): "ctags 5.9 is older than PHP enums",
    ("Mailer.php", "format"): "a function bound to a variable",
    ("garden.rb", "Row"): "a class made by Struct.new",
    ("garden.rb", "blank?"): "an alias",
    ("server.go", "onStart"): "a function bound to a variable",
    ("service.ts", "Internal.Deep"): "the compiler names the outer part",
    ("service.ts", "Internal"): "we name both parts",
}


def compare(
    gold: dict[str, list[tuple[str, int]]], said: dict[str, list[tuple[str, int]]], slack: int = 2
) -> tuple[list[tuple[str, str, int]], list[tuple[str, str, int]]]:
    """Return the rows of the gold that were not found, and the found ones that are not in it."""
    missed, extra = [], []
    for file in sorted(set(gold) | set(said)):
        left = list(said.get(file, ()))
        for name, line in sorted(gold.get(file, ()), key=lambda row: row[1]):
            near = [row for row in left if row[0] == name and abs(row[1] - line) <= slack]
            if near:
                left.remove(min(near, key=lambda row: abs(row[1] - line)))
            else:
                missed.append((file, name, line))
        extra.extend((file, name, line) for name, line in left)
    return missed, extra


def read_rows(path: Path) -> dict[str, list[tuple[str, int]]]:
    rows: dict[str, list[tuple[str, int]]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            rows.setdefault(row["file"], []).append((plain(row["name"]), int(row["line"])))
    return rows


def plain(name: str) -> str:
    return name.replace(" ", "") if name.startswith("operator") else name


def definitions(parsed: ParsedFile) -> list[tuple[str, int]]:
    return [(plain(s.name), s.line) for s in parsed.symbols if s.kind in COMPARED]


BY_SUFFIX = {
    ".py": "python", ".js": "javascript", ".ts": "typescript", ".tsx": "tsx", ".go": "go", ".rs": "rust", ".java": "java",
    ".c": "c", ".h": "c", ".cpp": "cpp", ".hpp": "cpp", ".rb": "ruby", ".php": "php",
}  # fmt: skip


def test_own_sources_as_other_tools_see_them() -> None:
    gold = read_rows(HERE / "golden" / "definitions.tsv")
    assert len(gold) == 9 and sum(map(len, gold.values())) > 100
    said = {}
    for file in gold:
        data = (HERE / "sources" / file).read_bytes()
        said[file] = definitions(parse_source(file, BY_SUFFIX[Path(file).suffix], data))
    missed, extra = compare(gold, said)
    assert [row for row in missed if row[:2] not in EXCUSED] == []
    assert [row for row in extra if row[:2] not in EXCUSED] == []
    used = {row[:2] for row in missed + extra}
    assert used == set(EXCUSED), "an excuse that is not needed hides the next mistake"


# gold file, folder under QUATRAIN_CORPORA, language, least recall, least precision, kinds and names the oracle leaves out
REAL = (
    ("py_flask_requests_click.tsv", "py", "python", 0.99, 0.98),
    ("go.tsv", "multi", "go", 0.99, 0.98),
    ("rust.tsv", "multi", "rust", 0.99, 0.98),
    ("ruby.tsv", "multi", "ruby", 0.99, 0.98),
    ("php.tsv", "multi", "php", 0.99, 0.98),
)


@pytest.mark.parametrize(("file", "folder", "language", "recall", "precision"), REAL, ids=[row[2] for row in REAL])
def test_real_packages_as_ctags_sees_them(
    file: str, folder: str, language: str, recall: float, precision: float
) -> None:
    gold_folder, corpora = os.environ.get("QUATRAIN_GOLD"), os.environ.get("QUATRAIN_CORPORA")
    if not gold_folder or not corpora:
        pytest.skip("QUATRAIN_GOLD and QUATRAIN_CORPORA name no gold and no packages")
    root = Path(corpora) / folder
    gold = {f: rows for f, rows in read_rows(Path(gold_folder) / file).items() if (root / f).is_file()}
    if not gold:
        pytest.skip(f"the packages of {file} are not in {root}")
    said = {}
    for name in gold:
        parsed = parse_source(name, language, (root / name).read_bytes())
        # ctags lists no aliases in Ruby.
        said[name] = [
            (plain(s.name), s.line)
            for s in parsed.symbols
            if s.kind in COMPARED and not (language == "ruby" and s.signature.startswith("alias"))
        ]
    missed, extra = compare(gold, said)
    total, found = sum(map(len, gold.values())), sum(map(len, said.values()))
    assert (total - len(missed)) / total >= recall, missed[:20]
    assert (found - len(extra)) / found >= precision, extra[:20]
