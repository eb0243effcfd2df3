"""From a syntax tree to definitions, uses, imports and bases, driven by the language's queries.

All patterns of a language are one query that runs once; what Python does per match is a look-up and a few slices.
Lines and columns come from the table of newlines, never from the tree.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from quatrain.parsing.rules import (
    ACCESS,
    BASE,
    COMMENT,
    DECORATED,
    DEFINITION,
    EXPORTED,
    IMPORT,
    REFERENCE,
    REFERENCE_PRIORITY,
    RESET,
    TEXT,
    TYPE_KINDS,
    Compiled,
    ImportText,
    Rules,
    bare_type,
)
from quatrain.records import Base, Import, Reference, Symbol

if TYPE_CHECKING:
    from tree_sitter import Node, Query

__all__ = ["Facts", "extract", "parameter_names"]

CALLABLE_KINDS = frozenset(("function", "method", "constructor", "macro"))
VALUE_KINDS = frozenset(("variable", "constant", "field", "enum_member"))
_NEVER_LOCAL = VALUE_KINDS | {"property", "prototype"}  # inside a function these are locals and are left out
_NO_OWNERS = frozenset(("type", "variable", "field"))
_NO_ALIAS_MEMBERS = frozenset(("struct", "union", "enum", "class"))
_VARIABLES_LAST = 1 << 20  # a name that is bound to a function or class is that, whatever pattern comes first
_UNDER_WAY = 1000  # patterns under way at once: no more are seen in real code
_LAYER = 50  # levels
_DEEPEST = 50_000  # levels: a query counts them in 16 bits, and its time is quadratic where they do not suffice
_MAX_SIGNATURE = 400
_MAX_RECEIVER = 120
_MAX_BEFORE = 400  # bytes on its line: indentation and words such as "export default"
_MAX_DOCSTRING = 300


_SEPARATOR = re.compile(r"::|\b\\\b")  # a backslash may also be the name of an operator
_CALL_IN_TEXT = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")


_CALL = REFERENCE_PRIORITY.index("call")
_USE = REFERENCE_PRIORITY.index("use")
_NO_USES = frozenset((b"self", b"cls", b"_"))


class Facts(NamedTuple):
    """What one tree says."""

    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    imports: tuple[Import, ...]
    bases: tuple[Base, ...]


class _Text(NamedTuple):
    """Stands for the node of a definition that the tree does not have."""

    start_byte: int
    end_byte: int
    named_children: tuple[Node, ...] = ()

    def child_by_field_name(self, name: str) -> None:
        return None

    def children_by_field_name(self, name: str) -> list[Node]:
        return []


class _Definition(NamedTuple):
    start: int  # with decorators
    end: int
    inner: int  # without decorators
    name_start: int
    name_end: int
    kind: str
    order: int
    node: Node | _Text
    function: Node | _Text  # which has the parameters and the body
    tail: Node | None  # the body, where it is no part of the node
    owner: str  # the type it belongs to, where that is not the one around it
    decorators: tuple[tuple[int, int], ...]


def extract(root: Node, data: bytes, newlines: Sequence[int], language: Compiled, path: str) -> Facts:
    """Return the facts of one tree.

    Parameters
    ----------
    root
        Root node of the tree of ``data``.
    data
        The bytes that were parsed, or bytes of the same length whose text should be reported instead.
    newlines
        Byte offsets of every ``\\n`` of ``data``.
    language
        The compiled queries and rules.
    path
        Path of the file; some languages tell re-exports by it.
    """
    actions = language.actions
    rules = language.rules
    definitions: dict[int, tuple[int, str, Node, Node, Node | None, Node]] = {}
    decorations: dict[int, tuple[int, dict[int, int]]] = {}  # definition -> start of the whole, decorator spans
    references: dict[int, tuple[int, int, int, int]] = {}
    raw_imports: list[dict[str, list[Node]]] = []
    aliases: set[int] = set()  # names that an import binds are no definitions: const x = require("m")
    raw_bases: dict[int, int] = {}
    comments: dict[int, int] = {}  # last row -> first row, of comments that stand alone
    comment_spans: list[tuple[int, int]] = []
    accesses: list[tuple[int, str]] = []
    named: dict[int, tuple[str, list[Node]]] = {}  # an access word -> what it says, of which names alone
    tails: dict[int, Node] = {}  # definition -> its body, where that is the node after it
    strips: dict[int, int] = {}  # brackets around decorators, no part of a signature
    exported: set[bytes] = set()

    for pattern, captures in all_matches(language.query, root):
        what, capture, kind, priority, extra = actions[pattern]
        if what == REFERENCE:
            node = captures[capture][0]
            start = node.start_byte
            known = references.get(start)
            if known is None or known[0] > priority:
                if extra and "receiver" in captures:
                    receiver = captures["receiver"][0]
                    references[start] = (priority, node.end_byte, receiver.start_byte, receiver.end_byte)
                else:
                    references[start] = (priority, node.end_byte, 0, 0)
        elif what == DEFINITION:
            node = captures[capture][0]
            owner = captures["owner"][0] if extra and "owner" in captures else None
            function = captures["function"][0] if "function" in captures else node
            if "tail" in captures:
                tails[node.start_byte] = captures["tail"][0]
            for name in captures.get("name") or captures["qualified"]:
                start = name.start_byte
                rank = pattern if kind != "variable" else pattern + _VARIABLES_LAST
                if start not in definitions or definitions[start][0] > rank:
                    definitions[start] = (rank, kind, node, name, owner, function)
        elif what == COMMENT:
            node = captures[capture][0]
            row, column = node.start_point
            start = node.start_byte
            comment_spans.append((start, node.end_byte))
            if not column or not data[start - column : start].strip():
                last_row, last_column = node.end_point
                comments[last_row if last_column else last_row - 1] = row
        elif what == DECORATED:
            decorated = captures["decorated"][0].start_byte
            outer = captures["outer"][0].start_byte if extra else decorated
            start, decorators = decorations.get(decorated, (outer, {}))
            for node in captures.get("decorator", ()):
                decorators[node.start_byte] = node.end_byte
            strips.update((n.start_byte, n.end_byte) for n in captures.get("strip", ()))
            decorations[decorated] = (min(start, outer, *decorators), decorators)
        elif what == IMPORT:
            raw_imports.append(captures)
            aliases.update(n.start_byte for n in captures.get("alias", captures.get("name", ())))
        elif what == BASE:
            for node in captures[capture]:
                raw_bases[node.start_byte] = node.end_byte
        elif what == EXPORTED:
            exported.update(data[n.start_byte : n.end_byte] for n in captures[capture])
        elif what == ACCESS:
            node = captures[capture][0]
            word = data[node.start_byte : node.end_byte].decode("utf-8", "replace")
            if "named" in captures:
                named[node.start_byte] = (word.partition("_")[0], captures["named"])
            else:
                accesses.append((node.start_byte, word))
        elif what == TEXT:
            node = captures[capture][0]
            for match in _CALL_IN_TEXT.finditer(data, node.start_byte, node.end_byte):
                if match[1] not in rules.no_names:
                    references.setdefault(match.start(1), (_CALL, match.end(1), 0, 0))
        elif what == RESET:
            node = captures[capture][0]
            accesses += [(node.start_byte, "public"), (node.end_byte, "")]

    found: list[_Definition] = []
    for name_start, (order, kind, node, name, owner, function) in definitions.items():
        if (name_start in aliases and kind in VALUE_KINDS) or data[name_start : name.end_byte] in rules.no_names:
            continue
        inner = start = node.start_byte
        decorator_spans: tuple[tuple[int, int], ...] = ()
        if inner in decorations:
            start, decorators = decorations[inner]
            decorator_spans = tuple(sorted(decorators.items()))
        owner_text = rules.owner(_fold(data[owner.start_byte : owner.end_byte])) if owner is not None else ""
        name_end = name.end_byte
        cut = _qualifier_length(data[name_start:name_end]) if kind != "namespace" else 0
        if cut:
            owner_text = bare_type(_fold(data[name_start : name_start + cut]))
            name_start += cut
        end = max(node.end_byte, name_end)
        if inner in tails:
            end = tails[inner].end_byte
        found.append(
            _Definition(
                start,
                end,
                inner,
                name_start,
                name_end,
                kind,
                order,
                node,
                function,
                tails.get(inner),
                owner_text,
                decorator_spans,
            )
        )
    if rules.recover is not None and root.has_error:
        recovered = list(rules.recover(data))
        # A damaged tree also takes for a definition what is none: of the kinds that the text tells, it is asked.
        told_names = {(one.name_start, one.name_end) for one in recovered if not one.is_reference}
        found = [d for d in found if d.kind not in rules.recovered_kinds or (d.name_start, d.name_end) in told_names]
        known = {d.name_start for d in found}
        for one in recovered:
            if one.is_reference:
                references.setdefault(one.name_start, (REFERENCE_PRIORITY.index(one.kind), one.name_end, 0, 0))
            elif one.name_start not in known:
                node = _Text(one.start, one.end)
                found.append(
                    _Definition(
                        one.start,
                        one.end,
                        one.start,
                        one.name_start,
                        one.name_end,
                        one.kind,
                        0,
                        node,
                        node,
                        None,
                        "",
                        (),
                    )
                )
    found.sort(key=lambda d: (d.start, -d.end, d.order, d.name_start))

    texts = _Texts(data)
    if rules.merge_repeats:
        found = _merged(found, data, rules)
    comment_spans.sort()
    symbols, spans = _symbols(found, data, newlines, rules, comments, comment_spans, strips, texts)
    scopes = _Scopes(spans)
    if accesses:
        symbols = _apply_access(symbols, [a for a in accesses if a[0] not in named], scopes)
    if named:
        symbols = _apply_named_access(symbols, named, data, rules, scopes)

    bases = []
    for start, end in sorted(raw_bases.items()):
        symbol = scopes.at(start)
        text = re.sub(rb"\s+", b"", data[start:end]).decode("utf-8", "replace")
        if symbol >= 0 and text:
            row = bisect_left(newlines, start)
            bases.append(Base(symbol, text, row + 1, start - (newlines[row - 1] + 1 if row else 0)))

    raw_imports.sort(key=lambda captures: captures["import"][0].start_byte)
    found_imports: dict[Import, None] = {}  # in order, without repetitions
    for captures in raw_imports:
        for one in _imports(captures, data, newlines, rules, path, scopes, exported):
            found_imports[one] = None
    imports = tuple(found_imports)

    # A plain name counts if this file defines or imports it; the rest are locals, for the most part.
    known_names: set[bytes] | None = None
    if rules.kept_uses is not None or not any(i.name == "*" and not i.is_reexport for i in imports):
        known_names = {s.name.encode() for s in symbols}
        known_names.update(i.alias.encode() for i in imports)
    kept = rules.kept_uses
    rows = []
    row, row_start, last = 0, 0, len(newlines)
    starts = sorted(references)
    # What an import, a base or the name of a definition says is said there, and not again as a reference.
    told = [(n.start_byte, n.end_byte) for captures in raw_imports for n in captures["import"]]
    told += raw_bases.items()
    told += [(d.name_start, d.name_end) for d in found]
    taken: set[int] = set()
    for start, end in told:
        taken.update(starts[bisect_left(starts, start) : bisect_left(starts, end)])
    for start in starts:
        priority, end, receiver_start, receiver_end = references[start]
        written = data[start:end]
        if start in taken:
            continue
        if (
            priority == _USE
            and known_names is not None
            and written not in known_names
            and (kept is None or kept.match(written) is None)
        ):
            continue
        if priority == _USE and written in _NO_USES:
            continue
        if row < last and newlines[row] < start:
            row = bisect_left(newlines, start, row)
            row_start = newlines[row - 1] + 1
        rows.append(
            Reference(
                texts[written],
                REFERENCE_PRIORITY[priority],
                row + 1,
                start - row_start,
                start,
                scopes.at(start),
                _receiver(data, receiver_start, receiver_end, texts) if receiver_end else "",
            )
        )
    return Facts(symbols, tuple(rows), imports, tuple(bases))


def all_matches(query: Query, root: Node) -> list[tuple[int, dict[str, list[Node]]]]:
    """Return the matches of a query in a tree, in time linear in its size however deep it is.

    A pattern that waits for a later child is under way in all of the children before it.  In a chain of thousands of member
    accesses, each one the first child of the next, every node would be shown to thousands of patterns under way.  Such a tree is cut
    into layers, and the patterns that start in one layer are matched without those of the others; a match may then occur twice.
    """
    from tree_sitter import QueryCursor

    if not is_deeper(root, _DEEPEST):
        cursor = QueryCursor(query, match_limit=_UNDER_WAY)
        matches = cursor.matches(root)
        if not cursor.did_exceed_match_limit:
            return matches
    matches = []
    for top in layer_tops(root):
        cursor = QueryCursor(query)
        cursor.set_max_start_depth(_LAYER)
        matches += cursor.matches(top)
    return matches


def is_deeper(root: Node, levels: int) -> bool:
    """Return whether a tree has so many levels below its root; only nodes with as many nodes below them as are lacking are looked at."""
    waiting = [(root, levels)]
    while waiting:
        node, lacking = waiting.pop()
        if lacking == 0:
            return True
        if node.descendant_count > lacking:
            waiting += [(child, lacking - 1) for child in node.children]
    return False


def layer_tops(root: Node) -> list[Node]:
    """Return the root and the inner nodes at every ``_LAYER``-th level below it."""
    tops = [root]
    cursor = root.walk()
    depth = 0
    while True:
        if cursor.goto_first_child():
            depth += 1
        else:
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return tops
                depth -= 1
        if depth % _LAYER == 0:
            node = cursor.node
            if node is not None and node.child_count:
                tops.append(node)


def _qualifier_length(name: bytes) -> int:
    """Return how many bytes of a written name, ``ns::Type<T>::name``, stand before its last part."""
    if b":" not in name:
        return 0
    limit = name.find(b"operator")
    cut = name.rfind(b"::", 0, limit if limit >= 0 else len(name))
    return cut + 2 if cut >= 0 else 0


def _apply_access(symbols: tuple[Symbol, ...], accesses: list[tuple[int, str]], scopes: _Scopes) -> tuple[Symbol, ...]:
    """Give members the visibility of the last access label before them in the same body; "" ends a nested body."""
    labels: dict[int, tuple[list[int], list[str]]] = {}
    for byte, word in sorted(accesses):
        positions, words = labels.setdefault(scopes.at(byte), ([], []))
        if not word:
            opened = words.index("public") if "public" in words else 0
            word = words[opened - 1] if opened else "public"
        positions.append(byte)
        words.append(word)
    result = []
    for symbol in symbols:
        if symbol.parent in labels and symbol.parent >= 0 and symbol.start_byte < symbols[symbol.parent].end_byte:
            positions, words = labels[symbol.parent]
            at = bisect_left(positions, symbol.start_byte)
            if at and words[at - 1] in ("public", "protected", "private"):
                symbol = symbol._replace(visibility=words[at - 1])
        result.append(symbol)
    return tuple(result)


def _apply_named_access(
    symbols: tuple[Symbol, ...], named: dict[int, tuple[str, list[Node]]], data: bytes, rules: Rules, scopes: _Scopes
) -> tuple[Symbol, ...]:
    """Give the members that are listed after a word such as ``private`` that visibility."""
    said: dict[tuple[int, str], str] = {}
    for byte, (word, nodes) in sorted(named.items()):
        scope = scopes.at(byte)
        for node in nodes:
            said[scope, rules.spell(data[node.start_byte : node.end_byte].decode("utf-8", "replace"))] = word
    return tuple(s if (word := said.get((s.parent, s.name))) is None else s._replace(visibility=word) for s in symbols)


class _Texts(dict[bytes, str]):
    """Decoded names, one string object each, so that pickling writes every name once."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.data = data

    def __missing__(self, key: bytes) -> str:
        text = self[key] = key.decode("utf-8", "replace")
        return text


class _Scopes:
    """Byte offset -> innermost symbol that can hold code."""

    def __init__(self, spans: list[tuple[int, int, int]]) -> None:
        bounds, owners = [0], [-1]
        stack: list[tuple[int, int]] = []
        for start, end, symbol in spans:
            while stack and stack[-1][0] <= start:
                closed, _ = stack.pop()
                bounds.append(closed)
                owners.append(stack[-1][1] if stack else -1)
            if stack:
                end = min(end, stack[-1][0])
            bounds.append(start)
            owners.append(symbol)
            stack.append((end, symbol))
        while stack:
            closed, _ = stack.pop()
            bounds.append(closed)
            owners.append(stack[-1][1] if stack else -1)
        self.bounds, self.owners = bounds, owners

    def at(self, byte: int) -> int:
        return self.owners[bisect_right(self.bounds, byte) - 1]


def _symbols(
    found: list[_Definition],
    data: bytes,
    newlines: Sequence[int],
    rules: Rules,
    comments: dict[int, int],
    comment_spans: Sequence[tuple[int, int]],
    strips: dict[int, int],
    texts: _Texts,
) -> tuple[tuple[Symbol, ...], list[tuple[int, int, int]]]:
    symbols: list[Symbol] = []
    spans: list[tuple[int, int, int]] = []
    # end, symbol, lies in a function, span, span and name of the function
    stack: list[tuple[int, int, bool, tuple[int, int], tuple[int, int, bytes]]] = []
    types: dict[str, int] = {}
    functions: dict[str, int] = {}
    orphans: list[tuple[int, str, str]] = []
    for d in found:
        while stack and stack[-1][0] <= d.start:
            stack.pop()
        written = data[d.name_start : d.name_end]
        itself = (d.function.start_byte, d.function.end_byte, written)
        if stack and stack[-1][4] == itself:
            continue  # f = function f() {}
        twin = bool(stack) and stack[-1][3] == (d.start, d.end)  # one node, two names: "a, b = 1, 2"
        named_again = (
            bool(stack) and not twin and stack[-1][4][:2] == itself[:2]
        )  # f = function g() {}: one function, f
        around = stack[: -1 if twin else None]
        parent, local = (around[-1][1], around[-1][2]) if around else (-1, False)
        kind = d.kind
        parent_kind = symbols[parent].kind if parent >= 0 else ""
        member = rules.members_of_functions and kind in ("field", "enum_member")
        if local and kind in _NEVER_LOCAL and parent_kind not in TYPE_KINDS and not member:
            if kind not in ("field", "property") or parent_kind != "constructor":
                continue
            parent = symbols[parent].parent  # a constructor's parameter that is a field of the class
            parent_kind = symbols[parent].kind if parent >= 0 else ""
        if parent_kind in _NO_OWNERS and kind in _NO_ALIAS_MEMBERS:
            parent = symbols[parent].parent  # typedef struct s {...} t: the alias does not own what it names
            parent_kind = symbols[parent].kind if parent >= 0 else ""
        name = rules.spell(texts[written])
        if name[:1] in "\"'`" and len(name) > 2:
            name = name[1:-1]
        qualified = _SEPARATOR.sub(".", name)
        if d.owner:
            prefix = f"{symbols[parent].qualified_name}.{d.owner}" if parent >= 0 else d.owner
            qualified = f"{prefix}.{qualified}"
            kind = rules.member_kinds.get(kind, kind)
            orphans.append((len(symbols), prefix, d.owner))
        elif parent >= 0:
            qualified = f"{symbols[parent].qualified_name}.{qualified}"
            if parent_kind in rules.member_parents:
                kind = rules.member_kinds.get(kind, kind)
        if kind == "variable" and rules.constant_name is not None and rules.constant_name.match(name):
            kind = "constant"
        kind = kind if parent_kind in TYPE_KINDS or d.owner else rules.top_level_kinds.get(kind, kind)
        if kind in ("method", "function") and rules.constructor_name is not None:
            type_name = d.owner.rpartition(".")[2] or (symbols[parent].name if parent >= 0 else "")
            if name == (type_name if rules.constructor_name == "=" else rules.constructor_name) and type_name:
                kind = "constructor"
        is_value = kind in VALUE_KINDS
        body = None if is_value else d.tail if d.tail is not None else _body(d.function, rules)
        signature_end = body.start_byte if body is not None and body.start_byte > d.name_start else d.node.end_byte
        if rules.one_line_signature:
            line_end = data.find(b"\n", d.name_end)
            signature_end = min(signature_end, line_end if line_end >= 0 else len(data))
        parameters: tuple[str, ...] = ()
        if kind in CALLABLE_KINDS or kind == "prototype":
            nodes = _parameters(d.function, rules)
            if nodes:
                place = "first" if kind == "macro" else rules.parameter_name
                parameters = tuple(
                    p
                    for node in nodes
                    for p in parameter_names(_without(comment_spans, data, node.start_byte, node.end_byte), place)
                )
            elif rules.header_parameters:
                parameters = parameter_names(
                    _first_list(_without(comment_spans, data, d.name_end, min(signature_end, d.name_end + 2000))),
                    rules.parameter_name,
                )
        row = bisect_left(newlines, d.start)
        index = len(symbols)
        line_start = newlines[row - 1] + 1 if row else 0
        # All before it, or nothing where it is long: a line may hold a hundred thousand definitions.
        before = data[line_start : d.start] if d.start - line_start <= _MAX_BEFORE else None
        opens_line = before is not None and (
            not (stripped := before.strip()) or _KEYWORDS.match(stripped + b" ") is not None
        )
        symbols.append(
            Symbol(
                name,
                qualified,
                kind,
                bisect_left(newlines, d.name_start) + 1,
                row + 1,
                bisect_left(newlines, max(d.end - 1, d.start)) + 1,
                d.start,
                d.end,
                d.name_start,
                _signature(d, signature_end, data, before, kind, strips, comment_spans, rules.signature_end),
                _docstring(d, data, newlines, rules, comments, row) if opens_line or rules.docstring else "",
                parent,
                "public"  # wherever its enum is
                if kind == "enum_member"
                else rules.visibility(
                    name,
                    data[line_start if opens_line else d.start : d.name_start].decode("utf-8", "replace"),
                    parent_kind,
                ),
                tuple(_fold(data[a:b]).lstrip("@# [").rstrip("]")[:200] for a, b in d.decorators),
                parameters,
            )
        )
        if not is_value and not named_again:
            spans.append((d.start, d.end, index))
        if kind in TYPE_KINDS:
            types.setdefault(qualified, index)
        elif kind in CALLABLE_KINDS and parent < 0:
            functions.setdefault(qualified, index)  # a constructor function owns what is put on its prototype
        if not twin and not named_again:
            stack.append((d.end, index, local or kind in CALLABLE_KINDS, (d.start, d.end), itself))
    for index, prefix, owner in orphans:
        found_type = types.get(prefix, types.get(owner, functions.get(owner, -1)))
        if found_type >= 0 and found_type != index:
            symbols[index] = symbols[index]._replace(parent=found_type)
    return tuple(symbols), spans


def _merged(found: list[_Definition], data: bytes, rules: Rules) -> list[_Definition]:
    """Join clauses: functions of one name, kind and number of parameters with nothing defined between them."""
    result: list[_Definition] = []

    def arity(d: _Definition) -> int:
        if not rules.header_parameters:
            return 0
        written = _first_list(data[d.name_end : min(d.end, d.name_end + 2000)].partition(b"\n\n")[0])
        return len(_top_level_parts(written[1:-1].decode("utf-8", "replace"))) if written[1:-1].strip() else 0

    for d in found:
        last = result[-1] if result else None
        if (
            last is not None
            and d.start >= last.end
            and d.kind in CALLABLE_KINDS
            and (d.kind, d.owner) == (last.kind, last.owner)
            and data[d.name_start : d.name_end] == data[last.name_start : last.name_end]
            and arity(d) == arity(last)
        ):
            result[-1] = last._replace(end=d.end)
        else:
            result.append(d)
    return result


def _first_list(header: bytes) -> bytes:
    """Return the first balanced ``(...)`` of a header, or nothing."""
    start = header.find(b"(")
    depth = 0
    for at in range(max(start, 0), len(header)):
        depth += {40: 1, 41: -1}.get(header[at], 0)
        if depth == 0:
            return header[start : at + 1] if start >= 0 else b""
    return b""


def _body(function: Node, rules: Rules) -> Node | None:
    body = function.child_by_field_name("body")
    if body is None and rules.body_types:
        body = next((c for c in function.named_children if c.type in rules.body_types), None)
    return body


def _parameters(function: Node, rules: Rules) -> list[Node]:
    """Return the parameter lists of a function, or its parameters one by one."""
    if rules.parameter_node:
        return [child for child in function.named_children if child.type == rules.parameter_node]
    found = function.children_by_field_name("parameters") or function.children_by_field_name("parameter")
    nodes = [node for node in found if node.type != "type_parameters"]
    if not nodes:
        # C and its kin hang the list on a declarator, perhaps behind pointers.
        declarator = function.child_by_field_name("declarator")
        for _ in range(8):
            if declarator is None:
                break
            # The innermost: void (*f(int a))(char b).
            nodes = declarator.children_by_field_name("parameters") or nodes
            declarator = declarator.child_by_field_name("declarator") or (
                declarator.named_child(declarator.named_child_count - 1) if declarator.named_child_count else None
            )
    return nodes


_EMPTY_BODY = re.compile(r"\s*;\s*end\Z")
_KEYWORDS = re.compile(rb"\s*[a-z]+(?: +[a-z]+)* +\Z")


def _signature(
    d: _Definition,
    end: int,
    data: bytes,
    before: bytes | None,
    kind: str,
    strips: dict[int, int],
    comment_spans: Sequence[tuple[int, int]],
    stop: re.Pattern[str] | None,
) -> str:
    start = d.inner
    end = min(end, start + 4 * _MAX_SIGNATURE)
    if d.start == start and before and _KEYWORDS.match(before):
        start -= len(before)  # "export const", "type", "pub static": outside the node, part of what it says
    parts = []
    inside = [s for s in strips.items() if start <= s[0] < d.name_start] if strips else d.decorators
    for decorator_start, decorator_end in sorted(inside) or d.decorators:
        if start <= decorator_start < end:
            parts.append(_without(comment_spans, data, start, decorator_start))
            start = decorator_end
    parts.append(_without(comment_spans, data, start, end))
    text = _fold(b" ".join(parts))
    if stop is not None and (match := stop.search(text)) is not None:
        text = text[: match.start()]
    if kind == "enum_member":
        text = text.partition("{")[0]
    elif kind in VALUE_KINDS:
        text = text[:160]
    elif kind in TYPE_KINDS:
        text = text.partition("{")[0]
    elif text.startswith("typedef "):
        text = re.sub(r"\{.*\}", "{…}", text)
    text = text.removesuffix("=>").rstrip(":{;= ")
    text = _EMPTY_BODY.sub("", text)
    return text if len(text) <= _MAX_SIGNATURE else text[: _MAX_SIGNATURE - 1] + "…"


def _without(spans: Sequence[tuple[int, int]], data: bytes, start: int, end: int) -> bytes:
    """Return ``data[start:end]`` without the spans that begin in it."""
    at = bisect_left(spans, (start, 0))
    if at == len(spans) or spans[at][0] >= end:
        return data[start:end]
    parts = []
    while at < len(spans) and spans[at][0] < end:
        parts.append(data[start : spans[at][0]])
        start = spans[at][1]
        at += 1
    return b"".join((*parts, data[start:end] if start < end else b""))


def _fold(text: bytes) -> str:
    return " ".join(text.decode("utf-8", "replace").split())


def _receiver(data: bytes, start: int, end: int, texts: _Texts) -> str:
    text = data[start : min(end, start + 8 * _MAX_RECEIVER)]  # that of a chain is long, and there are many of them
    if len(text) <= 40 and b"\n" not in text:
        return texts[text[:-1] if text.endswith(b".") else text]
    folded = _fold(text)
    return folded if len(folded) <= _MAX_RECEIVER else folded[: _MAX_RECEIVER - 1] + "…"


def _docstring(
    d: _Definition, data: bytes, newlines: Sequence[int], rules: Rules, comments: dict[int, int], row: int
) -> str:
    if rules.docstring is not None:
        lines = (line.strip() for line in rules.docstring(d.node, data).splitlines())
        return next((line for line in lines if line), "")[:_MAX_DOCSTRING]
    first = row
    while first - 1 in comments:
        first = comments[first - 1]
    if first == row:
        return ""
    start = newlines[first - 1] + 1 if first else 0
    return first_line(data[start : min(d.start, start + 4000)].decode("utf-8", "replace"))


_MARKERS = re.compile(
    r"^\s*(?:/\*[*!]*|\*/|\*(?!\w)|//[/!]*|#+!?|--+\s?\|?|;+|%+|\{-\s?\|?|\(\*+)\s?|\s*(?:\*+/|-\}|\*\))\s*$"
)


def first_line(text: str) -> str:
    """Return the first line of a comment that says something, without comment markers."""
    for line in text.splitlines():
        line = _MARKERS.sub("", _MARKERS.sub("", line)).strip()
        if line:
            return line[:_MAX_DOCSTRING]
    return ""


# --- parameters ---------------------------------------------------------------------------------------------

_BRACKETS = re.compile(r"""[()\[\]{}<>,;]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#.*|//.*|/\*.*?\*/|->|=>""", re.DOTALL)
_COLON = re.compile(r"(?<!:):(?!:)")
_FIRST_NAME = re.compile(r"[^\W\d][\w$]*'*")  # OCaml has primes in names
_NAME_AND_TYPE = re.compile(r"\s*(?!(?:chan|func|interface|map|struct)\b)[^\W\d]\w*\s+[^\s/]")
_POINTER_NAME = re.compile(r"\(\s*[*&^]+\s*(?:const\s+)?([^\W\d]\w*)")
_TYPE_WORDS = frozenset(re.findall(r"\w+", "const volatile struct union enum class final register restrict typename"))
_BASE_TYPES = frozenset(re.findall(r"\w+", "int char short long float double unsigned signed bool void size_t auto"))
_LAST_NAME = re.compile(r"([^\W\d][\w$]*)\W*\Z")
_MODIFIERS = frozenset(
    re.findall(
        r"\w+", "public private protected readonly override mut ref out in inout variadic final const var val let"
    )
)


def parameter_names(text: bytes, place: str) -> tuple[str, ...]:
    """Return the names of a written parameter list, e.g. ``(self, *args, k: int = 1)`` -> ``("self", "args", "k")``.

    Parameters
    ----------
    text
        The list as written, with its brackets.
    place
        ``"first"`` when the name precedes the type, ``"first_or_none"`` when a list may also hold types alone (Go),
        ``"last"`` when the name follows, ``"last_or_group"`` when brackets may stand around some of those (Dart), ``"dollar"`` when
        a ``$`` marks it.
    """
    inner = text.decode("utf-8", "replace").strip()
    if inner[:1] in "([|" and len(inner) > 1:
        inner = inner[1:-1]
    if place == "pattern":
        inner = re.sub(r"%[\w.]*\{[^{}]*\}\s*=|\\\\[^,]*", "", inner)
        return tuple(w for part in _top_level_parts(inner) for w in _FIRST_NAME.findall(part)[:1] if w[:1].islower())
    if place == "dollar":
        return tuple(re.findall(r"\$(\w+)", re.sub(r"=[^,]*", "", inner)))
    names: list[str] = []
    parts = _top_level_parts(inner)
    if place == "first_or_none":
        # Names stand in all of the list or in none of it, and the type may be told once: a, b int.
        if not any(_NAME_AND_TYPE.match(part) for part in parts):
            return ()
        place = "first"
    for part in parts:
        if part.lstrip()[:1] in ("{", "["):
            if place == "first":
                names.extend(_bound_names(part.lstrip()))
                continue
            if place == "last_or_group":  # optional and named parameters of Dart
                names.extend(parameter_names(f"({_bracketed(part.lstrip())[1:-1]})".encode(), place))
                continue
        part = part.partition("=")[0]
        if place == "first" and part.lstrip().startswith("::"):
            continue  # Julia: a type and no name
        if place == "first":
            before, *colon = _COLON.split(part, 1)
            words = _FIRST_NAME.findall(before) or _FIRST_NAME.findall(part)
            if colon:
                words.reverse()  # "private readonly a: string", "to url: URL"
            name = next((w for w in words if w.lower() not in _MODIFIERS), words[0] if words else "")
        elif pointer := _POINTER_NAME.search(part):
            name = pointer[1]
        else:
            words = [w for w in _FIRST_NAME.findall(re.sub(r"<.*>", "", part)) if w not in _TYPE_WORDS]
            # One word alone is the type of a parameter without a name.
            match = (
                _LAST_NAME.search(re.sub(r"\[[^\]]*\]\s*\Z", "", part).rstrip(" )"))
                if len(words) > 1 or (words and part.split()[0] in _BASE_TYPES)
                else None
            )
            name = match[1] if match and match[1] not in _TYPE_WORDS | _BASE_TYPES else ""
        if name:
            names.append(name)
    return tuple(names)


def _bracketed(text: str) -> str:
    """Return what ``text`` begins with, from its bracket to the one that closes it."""
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += (match[0] in "([{<") - (match[0] in ")]}>")
        if depth == 0:
            return text[: match.end()]
    return text


_PATTERN_KEY = re.compile(r"""(?:[\w$]+|"[^"]*"|'[^']*'|\[[^\]]*\])\s*:\s*""")


def _bound_names(pattern: str) -> Iterator[str]:
    """Yield the names that a pattern binds: not the keys, nor what stands in a default: ``{ a, b: c, d = e }``."""
    written = _bracketed(pattern)
    for part in _top_level_parts(written[1:-1]):
        part = part.strip().removeprefix("...")
        if written[0] == "{" and (key := _PATTERN_KEY.match(part)) is not None:
            part = part[key.end() :]
        if part[:1] in ("{", "["):
            yield from _bound_names(part)
        elif name := _FIRST_NAME.match(part):
            yield name[0]


def _top_level_parts(text: str) -> list[str]:
    if not any(c in text for c in "([{<\"'#/;"):
        return text.split(",")
    parts, depth, start = [], 0, 0
    for match in _BRACKETS.finditer(text):
        token = match[0]
        if token in "([{<":
            depth += 1
        elif token in ")]}>":
            depth = max(depth - 1, 0)
        elif token in ",;" and depth == 0:  # Julia's keywords follow a semicolon
            parts.append(text[start : match.start()])
            start = match.end()
    parts.append(text[start:])
    return parts


# --- imports --------------------------------------------------------------------------------------


def _imports(
    captures: dict[str, list[Node]],
    data: bytes,
    newlines: Sequence[int],
    rules: Rules,
    path: str,
    scopes: _Scopes,
    exported: set[bytes],
) -> Iterator[Import]:
    def text(capture: str) -> str:
        nodes = captures.get(capture)
        return _fold(data[nodes[0].start_byte : nodes[0].end_byte]) if nodes else ""

    said: list[tuple[int, ImportText]] = []
    marks = frozenset(captures)
    if rules.expand_import is not None and "tree" in captures:
        for module, name, alias, at in rules.expand_import(captures["tree"][0], data):
            said.append((at, ImportText(module, name, alias, 0, "reexport" in marks, path)))
    else:
        at = next(captures[c] for c in ("name", "path", "module", "import") if c in captures)[0].start_byte
        alias, name = text("alias"), text("name")
        reexport = "reexport" in marks or alias.encode() in exported or name.encode() in exported
        module = text("module").strip("\"'`<>")
        one = ImportText(module, name, alias, text("level").count("."), reexport, path, text("path"), marks)
        said.append((at, rules.finish_import(one)))
    scope = scopes.at(captures["import"][0].start_byte)
    for at, one in said:
        row = bisect_left(newlines, at)
        column = at - (newlines[row - 1] + 1 if row else 0)
        yield Import(one.module, one.name, one.alias, row + 1, column, one.level, one.reexport, scope)
