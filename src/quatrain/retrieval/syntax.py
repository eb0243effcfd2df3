"""Find syntax in the whole index: by a tree-sitter query, or by an example such as ``foo($X, ...)``.

Files are narrowed by the trigrams of what the query spells out, then parsed from their stored content.  Matching an example: ``$NAME``
stands for any node and, when it occurs twice, for the same text; ``...`` stands for any number of siblings; all else must be equal.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
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
# Strings and comments first, so that what only looks like a predicate inside them is none.
_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|;[^\n]*|\(\s*[#.](?P<name>[\w-]+[?!])(?P<arguments>(?:\s+(?:"(?:[^"\\]|\\.)*"|[^\s()";]+))*)'
)
_ARGUMENT = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"|(?P<word>[^\s()";]+)')
_EQUALITIES = frozenset(("eq?", "any-eq?", "any-of?"))
# Others are skipped by the library without a word: a query that has one would match too much.
_PREDICATES = _EQUALITIES | {"not-eq?", "any-not-eq?", "match?", "not-match?", "any-match?", "any-not-match?", "set!"}
_METAVARIABLE = re.compile(r"(?P<any>\$\$\$\w*|\.\.\.(?![\w.]))|\$(?P<name>\w+)")
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
    "java": (
        "class C {{ void f() {{ {}; }} }}",
        "class C {{ void f() {{ {} }} }}",
        "class C {{ {} }}",
        "class C {{ {}; }}",
        "{}",
        "class C {{ int x = {}; }}",
    ),
    "csharp": (
        "class C {{ void f() {{ {}; }} }}",
        "class C {{ void f() {{ {} }} }}",
        "class C {{ {} }}",
        "class C {{ {}; }}",
        "{}",
        "class C {{ int x = {}; }}",
    ),
    "c": ("void f() {{ {}; }}", "void f() {{ {} }}", "{}"),
    "cpp": ("void f() {{ {}; }}", "void f() {{ {} }}", "{}", "class C {{ {} }};", "class C {{ {}; }};"),
    "php": ("<?php {};", "<?php {}", "<?php class C {{ {} }}"),
}
# How "..." is written so that it parses: as an expression, a statement, a parameter, a member, a branch, an item.
_SPELLINGS = (
    "{any}",
    "{any};",
    "{any} {any}",
    "{any} {any};",
    "{any}: {any}",
    "{any} => {any}",
    "{any}!();",
    "use {any};",
)
# What is written before the name of a metavariable: names of constants and of variables have a form of their own.
_SIGILS = {"php": ("$", ""), "ruby": ("", "Q")}


Need = list[tuple[bytes, ...]]  # all of these, any of each


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


def _candidate_files(view: IndexView, needs: Sequence[Need], language: str, filters: Filters) -> list[int]:
    """Return the files of the language that hold what one of the alternatives needs, ascending."""
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
            holds = [
                reduce(np.union1d, [view.trigrams.files(literal) for literal in literals]) for literals in alternative
            ]
            found[reduce(np.intersect1d, holds)] = True
        mask = mask & found
    return [int(file) for file in np.flatnonzero(mask)]


def _in_file(view: IndexView, file: int, matcher: Any, grammar: Language, notes: list[str]) -> Iterator[SyntaxHit]:
    from tree_sitter import Parser

    from quatrain.parsing.parse import MAX_NESTING, nesting

    data = view.documents.content(file)
    path = view.documents.path(file)
    if nesting(data, view.documents.language(file)) > MAX_NESTING:
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
            said = " ".join(str(error).split())
            raise BadQuery(f"the tree-sitter query does not compile: {said}{_near(said, grammar)}") from error
        if not self._query.capture_count:
            raise BadQuery("the query captures nothing; put a name such as @match behind the node that is wanted")
        text = source.encode()
        self.needs = []
        for number in range(self._query.pattern_count):
            part = text[self._query.start_byte_for_pattern(number) : self._query.end_byte_for_pattern(number)].decode()
            self.needs.append(self._needs(part, number))

    def _needs(self, pattern: str, number: int) -> Need:
        """Return, for each string predicate that must hold, the literals of which one must occur."""
        certain = {name for name, quantifier in self._captures(number) if quantifier in ("", "+")}
        needs = []
        for token in _TOKEN.finditer(pattern):
            name = token["name"]
            if name is None:
                continue
            if name not in _PREDICATES:
                raise BadQuery(f"the predicate #{name} is not known; use one of {', '.join(sorted(_PREDICATES))}")
            if name not in _EQUALITIES:
                continue
            arguments = list(_ARGUMENT.finditer(token["arguments"]))
            literals = [_unescape(argument["text"] or argument["word"] or "") for argument in arguments[1:]]
            is_text = not any((argument["word"] or "").startswith("@") for argument in arguments[1:])
            # A predicate of a capture that a match may lack holds for such a match.
            if is_text and (arguments[0]["word"] or "").removeprefix("@") in certain and min(map(len, literals)) >= 3:
                needs.append(tuple(literals))
        return needs

    def _captures(self, number: int) -> Iterator[tuple[str, str]]:
        for capture in range(self._query.capture_count):
            try:
                yield self._query.capture_name(capture), self._query.capture_quantifier(number, capture)
            except SystemError:
                continue  # not a capture of this pattern

    def matches(self, root: Node) -> Iterator[tuple[Node, dict[str, Node]]]:
        from tree_sitter import QueryCursor

        for _, captures in QueryCursor(self._query).matches(root):
            named = {name: nodes[0] for name, nodes in captures.items() if nodes}
            if named:
                yield min(named.values(), key=lambda node: (node.start_byte, -node.end_byte)), named


_UNKNOWN = re.compile(r"Invalid (node type|field name) .*: (\S+)$")


def _near(said: str, grammar: Language) -> str:
    """Return names of the grammar that are like the one that it does not know."""
    match = _UNKNOWN.search(said)
    if match is None:
        return ""
    if match[1] == "node type":
        names = {grammar.node_kind_for_id(i) for i in range(grammar.node_kind_count) if grammar.node_kind_is_named(i)}
    else:
        names = {grammar.field_name_for_id(i) for i in range(1, grammar.field_count + 1)}
    near = get_close_matches(match[2], [name for name in names if name], n=3)
    return f"; near it: {', '.join(near)}" if near else ""


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

        wholes = list(self._parse(source.strip().rstrip(";"), language, grammar))
        if not wholes:
            raise BadQuery(
                f"the example is no {language} that stands alone; try a whole expression, statement or definition"
            )
        self._examples = [root for root in wholes if _hole(root) is None and not _is_ellipsis(root)]
        if not self._examples:
            raise BadQuery("the example is one metavariable and would match everything; spell out something around it")
        types = dict.fromkeys(root.type for root in self._examples)
        self._query = Query(grammar, "\n".join(f"({name}) @match" for name in types))
        self.needs: list[Need] = [
            [
                (text,)
                for n in _leaves(root)
                if n.is_named and not _stands_for_more(n) and len(text := n.text or b"") >= 3
            ]
            for root in self._examples
        ]

    def _parse(self, source: str, language: str, grammar: Language) -> Iterator[Node]:
        """Yield what the example can be, each once: ``$T $X = $Y`` is a local variable in a function and a field in a class."""
        from tree_sitter import Parser

        seen = set()
        self._trees = []  # nodes point into them
        for text in _readings(source, language):
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
                if node is not None and (shape := _shape(node)) not in seen:
                    seen.add(shape)
                    self._trees.append(tree)
                    yield node

    def matches(self, root: Node) -> Iterator[tuple[Node, dict[str, Node]]]:
        from tree_sitter import QueryCursor

        for node in QueryCursor(self._query).captures(root).get("match", ()):
            for example in self._examples:
                bound = _equal(example, node, {})
                if bound is not None:
                    yield node, {name: n for name, n in bound.items() if name != "_"}
                    break


def _readings(source: str, language: str) -> Iterator[str]:
    """Yield the example with names for its metavariables, in each spelling that "..." may need where it stands."""
    sigils = _SIGILS.get(language, ("",))
    # In PHP a name in capitals is a metavariable, any other a variable.
    places = [m for m in _METAVARIABLE.finditer(source) if language != "php" or m["any"] or m["name"].isupper()]
    seen = set()
    for sigil in sigils:
        for inner in _SPELLINGS:
            for statement in _SPELLINGS:
                parts, at = [], 0
                for match in places:
                    parts.append(source[at : match.start()])
                    if match["any"]:
                        opened = source[: match.start()].rstrip()[-1:]
                        spelling = statement if opened in ("{", ";", "}") else inner
                        parts.append(spelling.format(any=_ELLIPSIS))
                    else:
                        parts.append(f"{sigil}{_HOLE}{match['name']}")
                    at = match.end()
                text = "".join([*parts, source[at:]])
                if text not in seen:
                    seen.add(text)
                    yield text


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
    text = (node.text or b"").decode("utf-8", "replace").rstrip(";").lstrip("$Q")
    return text[len(_HOLE) :] if text.startswith(_HOLE) and re.fullmatch(r"\w+", text) else None


def _is_ellipsis(node: Node) -> bool:
    return _ANY.fullmatch(node.text or b"") is not None


_ANY = re.compile(rf"(?:use )?{_ELLIPSIS}(?:(?: |: | => ){_ELLIPSIS}|!\(\))?\s*;?".encode())


def _stands_for_more(node: Node) -> bool:
    """Return whether a leaf is, or is part of, a metavariable or an ellipsis."""
    return _HOLE.encode() in (node.text or b"") or _ELLIPSIS.encode() in (node.text or b"")


def _shape(node: Node) -> tuple[Any, ...]:
    """Return what an example compares: types and texts, but for metavariables and ellipses."""
    if (name := _hole(node)) is not None:
        return ("$", name)
    if _is_ellipsis(node):
        return ("...",)
    children = [c for c in node.children if not c.is_extra]
    return (node.type, *map(_shape, children)) if children else (node.type, node.text)


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
    # A node of the same type around both is compared by what is in it: one parameter is no list of two.
    if name is not None and not (wanted.child_count and wanted.type == node.type):
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


_ENDS = frozenset((",", ";"))
_CLOSING = frozenset((")", "]", "}"))


def _equal_rows(wanted: Sequence[Node], nodes: Sequence[Node], bound: dict[str, Node]) -> dict[str, Node] | None:
    # A comma or a semicolon at the end is no difference: f(x,) is f(x).
    if nodes and nodes[0].type in _ENDS:
        ends = not wanted and len(nodes) == 1
        if ends or (wanted and wanted[0].type in _CLOSING and not wanted[0].is_named):
            return _equal_rows(wanted, nodes[1:], bound)
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
        return bound if len(wanted) == 1 and wanted[0].type in _ENDS else None
    found = _equal(wanted[0], nodes[0], bound)
    return None if found is None else _equal_rows(wanted[1:], nodes[1:], found)
