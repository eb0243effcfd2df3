"""Find syntax in the whole index: by a tree-sitter query, or by an example such as ``foo($X, ...)``.

Files are narrowed by the trigrams of what the query spells out, then parsed from their stored content.  Matching an example: ``$NAME``
stands for any node and, when it occurs twice, for the same text; ``...`` stands for any number of siblings; all else must be equal.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatrain.errors import BadQuery, UnknownLanguage
from quatrain.records import Filters, SyntaxHit

if TYPE_CHECKING:
    from tree_sitter import Language, Node

    from quatrain.retrieval.view import IndexView

__all__ = ["Found", "find_syntax"]

BUDGET_S = 20.0
SNIPPET = 2_000  # bytes of a match that are shown
_STRING_PREDICATE = re.compile(r'#(?P<kind>eq\?|any-of\?)\s+@[\w.-]+(?P<strings>(?:\s+"(?:[^"\\]|\\.)*")+)')
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_METAVARIABLE = re.compile(r"\$\$\$\w*|\$(\w+)|\.\.\.(?![\w.])")
_ELLIPSIS = "__quatrain_any__"
_HOLE = "__quatrain_hole_"
# Expressions and statements stand alone in some languages only; elsewhere an example needs a body around it.
_FRAMES: Mapping[str, tuple[str, ...]] = {
    "python": ("{}",),
    "ruby": ("{}",),
    "javascript": ("{}", "class C {{ {} }}"),
    "typescript": ("{}", "class C {{ {} }}"),
    "tsx": ("{}", "class C {{ {} }}"),
    "go": ("{}", "package p\nfunc f() {{ {} }}", "package p\n{}"),
    "rust": ("{}", "fn f() {{ {}; }}", "fn f() {{ {} }}"),
    "java": ("class C {{ void f() {{ {}; }} }}", "class C {{ void f() {{ {} }} }}", "class C {{ {} }}", "{}"),
    "csharp": ("class C {{ void f() {{ {}; }} }}", "class C {{ void f() {{ {} }} }}", "class C {{ {} }}", "{}"),
    "c": ("void f() {{ {}; }}", "void f() {{ {} }}", "{}"),
    "cpp": ("void f() {{ {}; }}", "void f() {{ {} }}", "{}", "class C {{ {} }};"),
}


class Found(NamedTuple):
    """A page of matches; ``status`` is ok, no_match or partial."""

    hits: tuple[SyntaxHit, ...]
    total: int
    truncated: bool
    cursor: str | None
    status: str
    notes: tuple[str, ...]


def find_syntax(
    view: IndexView,
    query: str,
    *,
    language: str,
    pattern: bool = False,
    filters: Filters,
    limit: int | None = None,
    cursor: str | None = None,
    budget_s: float = BUDGET_S,
) -> Found:
    """Return every match, by path and position, or a page of them.

    Parameters
    ----------
    view
        The opened indexes.
    query
        A tree-sitter query with at least one capture; with ``pattern`` an example in the language itself.
    language
        Whose grammar is meant; only files of that language are looked at.
    pattern
        Read ``query`` as an example.
    filters
        Paths and content classes.
    limit, cursor
        Page size, and the cursor of the page before.
    budget_s
        Wall time after which the answer is partial.

    Raises
    ------
    UnknownLanguage
        The language has no tested grammar.
    BadQuery
        The query does not compile, or the example is no syntax of the language.
    """
    from quatrain.parsing.grammars import GRAMMARS, load_grammar

    grammar = load_grammar(language)
    if grammar is None:
        raise UnknownLanguage(
            f"syntax search knows no grammar for {language!r}; it knows {', '.join(sorted(GRAMMARS))}"
        )
    if not query.strip() or "\0" in query:
        raise BadQuery(
            "the query is empty or holds a NUL byte; give a tree-sitter query such as (call function: (identifier) @f)"
        )
    matcher: _QueryMatcher | _ExampleMatcher
    matcher = _ExampleMatcher(query, language, grammar) if pattern else _QueryMatcher(query, grammar)
    files = _candidate_files(view, matcher.needs, language, filters)
    start = int(cursor) if cursor is not None and cursor.isdecimal() else 0
    if cursor is not None and not cursor.isdecimal():
        raise BadQuery(f"{cursor[:100]!r} is no cursor; pass on the `cursor` of the answer before")
    deadline = time.monotonic() + budget_s
    rows: list[SyntaxHit] = []
    notes: list[str] = []
    status = "ok"
    for done, file in enumerate(files):
        rows += _in_file(view, file, matcher, grammar, notes)
        if time.monotonic() > deadline:
            status = "partial"
            notes.append(
                f"stopped after {budget_s:g} s and {done + 1} of {len(files)} files; narrow it with path filters"
            )
            break
    end = len(rows) if limit is None else start + limit
    page = tuple(rows[start:end])
    more = end < len(rows)
    if status == "ok" and not rows:
        status = "no_match"
    return Found(page, len(rows), more, str(end) if more else None, status, tuple(dict.fromkeys(notes)))


def _candidate_files(view: IndexView, needs: Sequence[Sequence[bytes]], language: str, filters: Filters) -> list[int]:
    """Return the files of the language that hold every literal of one of the alternatives, ascending."""
    documents = view.documents
    if language not in documents.languages:
        return []
    mask = documents.language_codes == documents.languages.index(language)
    allowed = view.allowed(filters).files
    if allowed is not None:
        mask = mask & allowed
    if all(needs):
        found = np.zeros(documents.count, np.bool_)
        for alternative in needs:
            sets = [view.trigrams.files(literal) for literal in alternative]
            found[reduce(np.intersect1d, sets)] = True
        mask = mask & found
    return [int(file) for file in np.flatnonzero(mask)]


def _in_file(view: IndexView, file: int, matcher: Any, grammar: Language, notes: list[str]) -> Iterator[SyntaxHit]:
    from tree_sitter import Parser

    from quatrain.parsing.parse import MAX_NESTING, nesting

    data = view.documents.content(file)
    path = view.documents.path(file)
    if nesting(data) > MAX_NESTING:
        notes.append(f"{path} is left out: brackets nested deeper than {MAX_NESTING}")
        return
    root = Parser(grammar).parse(data).root_node
    found = []
    for node, captures in matcher.matches(root):
        found.append((node.start_byte, -node.end_byte, node, captures))
    for _, _, node, captures in sorted(found, key=lambda entry: entry[:2]):
        (row, column), last = node.start_point, node.end_point[0]
        yield SyntaxHit(
            path=path,
            line=row + 1,
            column=column + 1,
            end_line=last + 1,
            text=_shown(data, node),
            captures={name: _shown(data, captured) for name, captured in captures.items()},
        )


def _shown(data: bytes, node: Node) -> str:
    return data[node.start_byte : min(node.end_byte, node.start_byte + SNIPPET)].decode("utf-8", "replace")


class _QueryMatcher:
    """A compiled tree-sitter query and, per alternative pattern, the literals it cannot match without."""

    def __init__(self, source: str, grammar: Language) -> None:
        from tree_sitter import Query, QueryError

        try:
            self._query = Query(grammar, source)
        except (QueryError, ValueError, SyntaxError) as error:
            raise BadQuery(f"the tree-sitter query does not compile: {' '.join(str(error).split())}") from error
        if not self._query.capture_count:
            raise BadQuery("the query captures nothing; put a name such as @match behind the node that is wanted")
        text = source.encode()
        self.needs = []
        for number in range(self._query.pattern_count):
            part = text[self._query.start_byte_for_pattern(number) : self._query.end_byte_for_pattern(number)].decode()
            self.needs.append(
                [
                    strings[0]
                    for predicate in _STRING_PREDICATE.finditer(part)
                    if len(strings := [_unescape(s) for s in _STRING.findall(predicate["strings"])]) == 1
                    and len(strings[0]) >= 3
                ]
            )

    def matches(self, root: Node) -> Iterator[tuple[Node, dict[str, Node]]]:
        from tree_sitter import QueryCursor

        for _, captures in QueryCursor(self._query).matches(root):
            named = {name: nodes[0] for name, nodes in captures.items() if nodes}
            if named:
                yield min(named.values(), key=lambda node: (node.start_byte, -node.end_byte)), named


def _unescape(text: str) -> bytes:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(m[1], m[1]), text).encode()


class _ExampleMatcher:
    """An example, parsed once; nodes of its root's type are compared with it."""

    def __init__(self, source: str, language: str, grammar: Language) -> None:
        if language not in _FRAMES:
            raise BadQuery(
                f"examples are not supported for {language}; write a tree-sitter query, or use {', '.join(sorted(_FRAMES))}"
            )
        from tree_sitter import Query

        text = _METAVARIABLE.sub(lambda m: f"{_HOLE}{m[1]}" if m[1] else _ELLIPSIS, source.strip()).rstrip(";")
        root = self._parse(text, language, grammar)
        if root is None:
            raise BadQuery(
                f"the example is no {language} that stands alone; try a whole expression, statement or definition"
            )
        if _hole(root) is not None or _is_ellipsis(root):
            raise BadQuery("the example is one metavariable and would match everything; spell out something around it")
        self._root = root
        self._query = Query(grammar, f"({root.type}) @match")
        leaves = [n for n in _leaves(root) if n.is_named and _hole(n) is None and not _is_ellipsis(n)]
        self.needs = [[literal for n in leaves if len(literal := n.text or b"") >= 3]]

    def _parse(self, text: str, language: str, grammar: Language) -> Node | None:
        from tree_sitter import Parser

        for frame in _FRAMES[language]:
            before, _, _ = frame.partition("{}")
            tree = Parser(grammar).parse(frame.format(text).encode())
            if tree.root_node.has_error:
                continue
            start = len(before.replace("{{", "{").encode())
            node = tree.root_node.named_descendant_for_byte_range(start, start + len(text.encode()))
            # A parent of the same extent, or one that adds only the closing semicolon, says no more than its child.
            while node is not None and node.type in _WRAPPERS and node.named_child_count == 1:
                node = node.named_child(0)
            if node is not None:
                self._tree = tree  # nodes point into it
                return node
        return None

    def matches(self, root: Node) -> Iterator[tuple[Node, dict[str, Node]]]:
        from tree_sitter import QueryCursor

        for node in QueryCursor(self._query).captures(root).get("match", ()):
            bound = _equal(self._root, node, {})
            if bound is not None:
                yield node, {name: n for name, n in bound.items() if name != "_"}


_WRAPPERS = frozenset(
    {
        "module",
        "program",
        "source_file",
        "translation_unit",
        "compilation_unit",
        "expression_statement",
        "global_statement",
        "statement_list",
    }
)


def _hole(node: Node) -> str | None:
    text = (node.text or b"").decode("utf-8", "replace").rstrip(";")
    return text[len(_HOLE) :] if text.startswith(_HOLE) and re.fullmatch(r"\w+", text) else None


def _is_ellipsis(node: Node) -> bool:
    return (node.text or b"").rstrip(b";").strip() == _ELLIPSIS.encode()


def _leaves(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.child_count:
            waiting.extend(current.children)
        else:
            yield current


def _equal(wanted: Node, node: Node, bound: dict[str, Node]) -> dict[str, Node] | None:
    """Return the bindings under which a node equals the example, or None."""
    name = _hole(wanted)
    if name is not None:
        earlier = bound.get(name)
        if name != "_" and earlier is not None and earlier.text != node.text:
            return None
        return bound | {name: node}
    if wanted.type != node.type:
        return None
    if not wanted.child_count and not node.child_count:
        return bound if wanted.text == node.text else None
    return _equal_rows(
        [c for c in wanted.children if not c.is_extra], [c for c in node.children if not c.is_extra], bound
    )


def _equal_rows(wanted: Sequence[Node], nodes: Sequence[Node], bound: dict[str, Node]) -> dict[str, Node] | None:
    if not wanted:
        return bound if not nodes else None
    if _is_ellipsis(wanted[0]):
        rest = wanted[1:]
        for skipped in range(len(nodes) + 1):
            found = _equal_rows(rest, nodes[skipped:], bound)
            # A comma before or after nothing is no difference: f(x, ...) is also f(x).
            if found is None and rest and rest[0].type == ",":
                found = _equal_rows(rest[1:], nodes[skipped:], bound)
            if found is not None:
                return found
        return None
    if wanted[0].type == "," and len(wanted) > 1 and _is_ellipsis(wanted[1]) and (not nodes or nodes[0].type != ","):
        return _equal_rows(wanted[2:], nodes, bound)
    if not nodes:
        return None
    found = _equal(wanted[0], nodes[0], bound)
    return None if found is None else _equal_rows(wanted[1:], nodes[1:], found)
