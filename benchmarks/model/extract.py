"""Functions and what their authors say of them: (description, code) pairs from source text.

A pair is the first sentence of a docstring or of the comment right before a function, and the function without it.
Used to mine training pairs and to build the evaluation pools.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

__all__ = ["LANGUAGES", "Function", "first_sentence", "functions", "question"]

LANGUAGES = {
    ".py": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".tsx": "tsx", ".go": "go", ".java": "java", ".rs": "rust",
    ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".hh": "cpp", ".hxx": "cpp",
    ".rb": "ruby", ".php": "php",
}  # fmt: skip


class Function(NamedTuple):
    """One function without its description."""

    name: str  # with enclosing names, joined by dots
    code: str
    description: str  # "" if there is none


_SCRIPT = """
(function_declaration) @f (generator_function_declaration) @f (method_definition) @f
(lexical_declaration (variable_declarator value: [(arrow_function) (function_expression)])) @f
(variable_declaration (variable_declarator value: [(arrow_function) (function_expression)])) @f
(expression_statement (assignment_expression right: [(arrow_function) (function_expression)])) @f
(pair value: [(arrow_function) (function_expression)]) @f
(field_definition value: (arrow_function)) @f
"""
_QUERIES = {
    "javascript": _SCRIPT,
    "typescript": _SCRIPT.replace("field_definition", "public_field_definition"),
    "tsx": _SCRIPT.replace("field_definition", "public_field_definition"),
    "go": "(function_declaration) @f (method_declaration) @f",
    "java": "(method_declaration) @f (constructor_declaration) @f",
    "rust": "(function_item) @f",
    "c": "(function_definition) @f",
    "cpp": "(function_definition) @f",
    "ruby": "(method) @f (singleton_method) @f",
    "php": "(function_definition) @f (method_declaration) @f",
}
_COMMENTS = {"comment", "line_comment", "block_comment"}
_WRAPPERS = {"export_statement", "template_declaration", "decorated_definition"}
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"'(]|$)")
_MARKUP = [
    (
        re.compile(r":(?:class|func|meth|mod|attr|exc|ref|data|obj|term|paramref|py:\w+):`~?\.?([^`<]*)(?:<[^`]*>)?`"),
        r"\1",
    ),
    (re.compile(r"\{@\w+\s+([^}|]*)(?:\|[^}]*)?\}"), r"\1"),
    (re.compile(r"\[`?([^\]`]*)`?\](?:\([^)]*\)|\[[^\]]*\])?"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^>]*>"), " "),
    (re.compile(r"``?([^`]*)``?"), r"\1"),
    (re.compile(r"\s+"), " "),
]
_TAG = re.compile(
    r"^\s*(?:[@\\](?!(?:brief|short|details|description|desc|summary|internal|api|method|function|fn)\b)\w+)", re.M
)
_DESCRIPTIVE_TAG = re.compile(
    r"[@\\](?:brief|short|details|description|desc|summary|internal|api|method|function|fn)\b(?:\s+private\b)?"
)


def first_sentence(description: str) -> str:
    """Return the first sentence of a description, markup and line breaks folded."""
    paragraph = re.split(r"\n\s*\n", textwrap.dedent(description).strip())[0]
    paragraph = re.sub(r"\s+", " ", paragraph)
    sentence = _SENTENCE.split(paragraph)[0]
    for pattern, replacement in _MARKUP:
        sentence = pattern.sub(replacement, sentence)
    return sentence.strip(" .")


def question(name: str, description: str) -> str:
    """Return the first sentence of a description, without the function's own name that Go and C put in front."""
    words = first_sentence(description).split(" ")
    own = {name, name.rsplit(".", 1)[-1]}
    if words[0].rstrip("():,-") in own:
        words = words[1:]
        while words and words[0] in ("-", ":", "is", "--", "–"):
            words = words[1:]
    return " ".join(words)


def functions(language: str, source: str) -> Iterator[Function]:
    """Yield the functions of one file in the order of their text; none if it does not parse."""
    return _python(source) if language == "python" else _by_syntax(language, source)


def _python(source: str) -> Iterator[Function]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = source.split("\n")

    def walk(node: ast.AST, prefix: str) -> Iterator[Function]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                kept = range(first, (child.end_lineno or first) + 1)
                description = ast.get_docstring(child) or ""
                if description:
                    docstring = child.body[0]
                    if docstring.lineno == child.lineno:
                        continue
                    kept = [i for i in kept if not docstring.lineno <= i <= (docstring.end_lineno or 0)]
                code = textwrap.dedent("\n".join(lines[i - 1] for i in kept))
                yield Function(prefix + child.name, code, description)
                yield from walk(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.ClassDef):
                yield from walk(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.If | ast.Try | ast.With):
                yield from walk(child, prefix)

    yield from walk(tree, "")


@cache
def _grammar(language: str) -> tuple[Any, Any]:
    from tree_sitter import Query, QueryCursor
    from tree_sitter_language_pack import get_language, get_parser

    return get_parser(language), QueryCursor(Query(get_language(language), _QUERIES[language]))


def _by_syntax(language: str, source: str) -> Iterator[Function]:
    parser, cursor = _grammar(language)
    data = source.encode("utf-8", "replace")
    found = cursor.captures(parser.parse(data).root_node).get("f", [])
    last_end = -1
    for node in sorted(found, key=lambda n: (n.start_byte, -n.end_byte)):
        outer = node
        while outer.parent is not None and outer.parent.type in _WRAPPERS:
            outer = outer.parent
        if outer.start_byte < last_end:
            continue  # inside a function already taken
        comments, before, row = [], outer.prev_sibling, outer.start_point[0]
        while before is not None and (before.type in _COMMENTS or before.type == "attribute_item"):
            # A line comment of some grammars ends at the start of the next row.
            end_row = before.end_point[0] - (before.end_point[1] == 0 and before.end_point[0] > before.start_point[0])
            if end_row < row - 1:
                break
            if before.type in _COMMENTS:
                comments.append(data[before.start_byte : before.end_byte].decode("utf-8", "replace").rstrip())
            row, before = before.start_point[0], before.prev_sibling
        indent = outer.start_point[1]
        code = data[outer.start_byte : outer.end_byte].decode("utf-8", "replace")
        code = "\n".join(line[indent:] if not line[:indent].strip() else line for line in code.split("\n"))
        last_end = outer.end_byte
        yield Function(".".join(_names(node, data)), code, _comment_text(comments[::-1]))


def _names(node: Any, data: bytes) -> list[str]:
    names: list[str] = []
    inner = node
    while node is not None:
        # Include guards have a name too.
        target = None if node.type.startswith("preproc") else node.child_by_field_name("name")
        if target is None and node.type in ("lexical_declaration", "variable_declaration"):
            target = next(
                (c.child_by_field_name("name") for c in node.named_children if c.type == "variable_declarator"), None
            )
        if target is None and node.type == "expression_statement" and node.named_children:
            target = node.named_children[0].child_by_field_name("left")
        if target is None and node.type in ("pair", "field_definition", "public_field_definition"):
            target = node.child_by_field_name("key") or node.child_by_field_name("property")
        if target is None and node.type == "impl_item":
            target = node.child_by_field_name("type")
        if target is None and node is inner:
            target = node.child_by_field_name("declarator")
            while target is not None and target.child_by_field_name("declarator") is not None:
                target = target.child_by_field_name("declarator")
        if target is not None:
            names.append(data[target.start_byte : target.end_byte].decode("utf-8", "replace")[:80].strip("'\""))
        node = node.parent
    return names[::-1]


def _comment_text(comments: list[str]) -> str:
    lines: list[str] = []
    for comment in comments:
        if comment.startswith("/*"):
            comment = comment[2:].removesuffix("*/").lstrip("*!")
        for line in comment.split("\n"):
            line = re.sub(r"^\s*(?:///?!?|//!|#+|\*+(?!\*))\s?", "", line).rstrip(" \t-=*/#~")
            if line or lines:
                lines.append(line)
    text = _DESCRIPTIVE_TAG.sub("", "\n".join(lines))
    tag = _TAG.search(text)
    return (text[: tag.start()] if tag else text).strip()
