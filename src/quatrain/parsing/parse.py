"""Source bytes -> ``ParsedFile``.  Pure: the answer depends on the arguments alone."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from quatrain.parsing.chunks import line_windows, newline_offsets, syntax_chunks, unparsed
from quatrain.parsing.extract import all_matches, extract
from quatrain.parsing.lines import LINE_LANGUAGES, line_symbols
from quatrain.parsing.rules import Compiled, compiled
from quatrain.records import ParsedFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node, Parser, Query

__all__ = ["MAX_NESTING", "parse_source"]

# A query over a tree 100,000 levels deep does not end; at 50,000 it takes 0.03 s.
MAX_NESTING = 5000

#: Components: markup around scripts, of which the scripts are parsed.
EMBEDDING = frozenset(("vue", "svelte"))


def parse_source(path: str, language: str | None, data: bytes) -> ParsedFile:
    """Parse one file.

    References hold calls, type uses, decorators, attribute uses and uses of names; what an import or a base class
    names is told by ``imports`` and ``bases`` only, never twice.

    Parameters
    ----------
    path
        Path relative to the root; used for what a language derives from file names.
    language
        Name of the language, or None.
    data
        The file as stored.

    Returns
    -------
    ParsedFile
        ``parse`` is ``"tree"``, ``"partial"`` when the tree has errors or is too deep for ``bindings``, ``"none"`` without a grammar, or
        ``"failed: <reason>"``.
    """
    text = data
    if language in EMBEDDING:
        language, text = embedded_script(data)
    rules = compiled(language) if language is not None else None
    if rules is None:
        if language is None or language not in LINE_LANGUAGES:
            return unparsed(data, "none")
        newlines = newline_offsets(data)
        symbols = line_symbols(data, language, newlines)
        return ParsedFile("none", symbols, (), (), (), line_windows(data, newlines, symbols), None)
    if nesting(text, language) > MAX_NESTING:
        return unparsed(data, f"failed: brackets nested deeper than {MAX_NESTING}")
    root, rules = _best_tree(path, text, rules)
    newlines = newline_offsets(data)
    facts = extract(root, data, newlines, rules, path)
    state = "partial" if root.has_error else "tree"
    bindings = None
    if (bindings_of := _bindings_extractor()) is not None:
        try:
            bindings = bindings_of(rules.language, root, data, facts.symbols)
        except RecursionError:
            state = "partial"  # an expression nested a thousand levels deep: the other facts stand
    chunks = syntax_chunks(root, data, newlines, facts.symbols) or line_windows(data, newlines)
    return ParsedFile(state, *facts, chunks, bindings)


_SCRIPT = re.compile(rb"<script\b([^>]*)>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)


def embedded_script(data: bytes) -> tuple[str, bytes]:
    """Return the language of a component's script blocks, and the file with everything else overwritten by spaces."""
    result = bytearray(re.sub(rb"[^\n]", b" ", data))
    language = "javascript"
    for match in _SCRIPT.finditer(data):
        if kind := re.search(rb"\blang\s*=\s*[\"']?(tsx?|jsx?|typescript)", match[1]):
            language = {b"tsx": "tsx", b"ts": "typescript", b"typescript": "typescript"}.get(kind[1], language)
        result[match.start(2) : match.end(2)] = match[2]
    return language, bytes(result)


def _best_tree(path: str, data: bytes, rules: Compiled) -> tuple[Node, Compiled]:
    """Parse; when the tree has errors, try what the language offers against them and keep what has fewest."""
    always = rules.rules.prepare_always
    if always is not None and (prepared := always(data)) != data:
        root = _parser(rules.language).parse(prepared).root_node
        if not root.has_error:
            return root, rules
    root = _parser(rules.language).parse(data).root_node
    if not root.has_error:
        return root, rules
    readings = [rules]
    header = rules.rules.header_language
    if header is not None and path.endswith(header[0]) and (other := compiled(header[1])) is not None:
        readings.append(other)
    best, best_errors = (root, rules), _error_bytes(root, rules)
    for reading in readings:
        tree = root if reading is rules else _parser(reading.language).parse(data).root_node
        for candidate in _repaired(tree, data, reading):
            errors = _error_bytes(candidate, reading) if candidate.has_error else 0
            if errors < best_errors:
                best, best_errors = (candidate, reading), errors
            if best_errors == 0:
                return best
    return best


def _repaired(tree: Node, data: bytes, reading: Compiled) -> Iterator[Node]:
    """Yield a tree, and those of the file as the language's repairs leave it: where it is damaged, all over, and where they help."""
    yield tree
    prepare, further = reading.rules.prepare, reading.rules.prepare_further
    if prepare is None or not tree.has_error:
        return
    parser = _parser(reading.language)
    damaged = _damaged(tree, data, reading.rules.open_nodes)
    texts = [data, prepare(data, damaged)]
    if further is not None:
        texts.append(further(texts[-1], damaged))
    trees = [tree]
    for text in texts[1:]:
        trees.append(parser.parse(text).root_node)
        yield trees[-1]
    text = prepare(data, None)
    yield parser.parse(further(text, None) if further is not None else text).root_node
    # What mends one declaration may break another: each as it has fewest errors.
    errors = [_error_spans(one, reading) for one in trees]
    mixed = bytearray(data)
    for start, end in damaged:
        least = min(range(len(texts)), key=lambda n: sum(b - a for a, b in errors[n] if start <= a < end))
        mixed[start:end] = texts[least][start:end]
    if mixed not in texts:
        yield parser.parse(bytes(mixed)).root_node


def _damaged(root: Node, data: bytes, open_nodes: frozenset[str]) -> list[tuple[int, int]]:
    """Return the ranges, whole lines and one more on each side, of the declarations in which a tree has errors."""
    ranges: list[tuple[int, int]] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for child in node.children:
            if not child.has_error:
                continue
            if child.type in open_nodes:
                waiting.append(child)
                continue
            start = data.rfind(b"\n", 0, max(data.rfind(b"\n", 0, child.start_byte), 0)) + 1
            end = data.find(b"\n", child.end_byte)
            end = data.find(b"\n", end + 1) if end >= 0 else end
            ranges.append((start, len(data) if end < 0 else end))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _error_bytes(root: Node, rules: Compiled) -> int:
    """Return how many bytes lie in error nodes, counting a missing token as one."""
    return sum(end - start for start, end in _error_spans(root, rules))


def _error_spans(root: Node, rules: Compiled) -> list[tuple[int, int]]:
    """Return where the error nodes lie; a missing token has one byte."""
    matches = all_matches(_error_query(rules.language), root)
    errors = {node.id: node for _, captures in matches for nodes in captures.values() for node in nodes}
    return [(node.start_byte, max(node.start_byte + 1, node.end_byte)) for node in errors.values()]


@cache
def _error_query(language: str) -> Query:
    from tree_sitter import Query

    rules = compiled(language)
    assert rules is not None
    return Query(rules.grammar, "(ERROR) @error (MISSING) @missing")


@cache
def _parser(language: str) -> Parser:
    from tree_sitter import Parser

    rules = compiled(language)
    assert rules is not None
    return Parser(rules.grammar)


@cache
def _bindings_extractor() -> Callable[..., Any] | None:
    if find_spec("quatrain.parsing.bindings") is None:
        return None
    return getattr(import_module("quatrain.parsing.bindings"), "extract_bindings", None)


# Languages in which "<" may open a list of types: a chain of thousands takes the parser seconds and gigabytes.
_ANGLED = frozenset(("cpp", "c", "csharp", "java", "typescript", "tsx", "kotlin", "swift", "rust", "dart"))
_STATEMENT = re.compile(rb"[;{}]")
_TAG = re.compile(rb"<(/?)([A-Za-z][\w-]*)[^<>]*?(/?)>")
# Elements that nothing needs to close.
_OPEN_ELEMENTS = frozenset(
    re.findall(
        rb"\w+",
        b"area base br col embed hr img input link meta param source track wbr p li dt dd option optgroup tr td th thead tbody tfoot "
        b"colgroup rt rp",
    )
)


def nesting(data: bytes, language: str | None = None) -> int:
    """Return how deep brackets nest, and in the languages that have them also lists of types and elements of markup.

    Those in strings and comments count too.
    """
    depth = _bracket_depth(data)
    if language in _ANGLED and data.count(b"<") > MAX_NESTING:
        for part in _STATEMENT.split(data):
            opened = part.count(b"<") - 2 * part.count(b"<<") - part.count(b"<=") - part.count(b">")
            depth = max(depth, opened)
    elif language == "html" and data.count(b"<") > MAX_NESTING:
        level = 0
        for match in _TAG.finditer(data):
            if not match[3] and match[2].lower() not in _OPEN_ELEMENTS:
                level = max(level - 1, 0) if match[1] else level + 1
                depth = max(depth, level)
    return depth


def _bracket_depth(data: bytes) -> int:
    if data.count(b"(") + data.count(b"[") + data.count(b"{") <= MAX_NESTING:
        return 0
    step = np.zeros(256, np.int8)
    step[[40, 91, 123]] = 1
    step[[41, 93, 125]] = -1
    depth = np.cumsum(step[np.frombuffer(data, np.uint8)], dtype=np.int32)
    return int((depth - np.minimum(np.minimum.accumulate(depth), 0)).max())
