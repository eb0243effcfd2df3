"""Where a name stands in the text: the answer of last resort, when the graph knows no use of it.

A line counts as more when it calls the name, or when it imports and a file is asked for; as less when it is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from quatrain.query.regex_engine import compile_pattern
from quatrain.retrieval.grep import find_matches
from quatrain.retrieval.view import IndexView

__all__ = ["Mentions", "mentions", "simple_name"]

_WORD = re.compile(r"[^\W\d]\w*\Z")
_CALLED = re.compile(rb"\s{0,8}(?:<[\w\s,.<>\[\]]{0,80}>)?\s{0,8}\(")
_IMPORTS = re.compile(
    rb"\s*(?:#\s*include|import|from|use|using|require\w*|include\w*|load|source|export\b.*\bfrom|@import)\b"
    rb"|.*\b(?:require|import)\s*\("
    rb"|\s*(?:[\w.]+\s+)?\"[^\"]+\"\s*\Z"  # a line of a Go import block
)
_COMMENT = re.compile(rb"\s*(?:\*|//|/\*|#(?!\s*include)|--|;|<!--|%)")
_LINE_BYTES = 400  # looked at
_MOST_LINES = 5000
_MOST_NAMES = 40  # of a file


class Mentions(NamedTuple):
    """Lines that hold a name as a whole word, by file and line."""

    files: np.ndarray  # int64
    lines: np.ndarray  # int64
    weights: np.ndarray  # float64, in (0, 1]


def simple_name(name: str) -> str:
    """Return the last part of a qualified name: ``close`` of ``net::Socket.close()``."""
    return re.split(r"[.:#/\\>]", name.strip().removesuffix("()").rstrip("/"))[-1]


def mentions(
    view: IndexView, subject: str, targets: Sequence[int], allowed: np.ndarray | None = None, *, imports: bool = False
) -> Mentions:
    """Return the lines that mention what a question names.

    Parameters
    ----------
    view
        The opened indexes.
    subject
        Simple or qualified name; its last part is looked for, in the case given.
    targets
        Nodes that the name means.  The lines on which they are defined do not count.  For files, lines of other files count
        that hold a name which only these files define, or that import a file's stem.
    allowed
        bool[F]: files to look at; all by default.
    imports
        Only lines that import count in full.
    """
    symbols = view.symbols
    files = [t - symbols.count for t in targets if t >= symbols.count]
    if files:
        found = _of_files(view, files, allowed)
    else:
        found = _of_words(view, [simple_name(subject)], allowed, imports=imports)
    defined = {(int(symbols.files[t]), int(symbols.lines[t])) for t in targets if t < symbols.count}
    own = set(files)
    keep = [
        file not in own and (file, line) not in defined
        for file, line in zip(found.files.tolist(), found.lines.tolist(), strict=True)
    ]
    return Mentions(*(column[np.array(keep, bool)] for column in found))


def _of_files(view: IndexView, files: Sequence[int], allowed: np.ndarray | None) -> Mentions:
    symbols, paths = view.symbols, view.documents.paths
    own = set(files)
    names: dict[str, None] = {}
    for file in files:
        for symbol in symbols.of_file(file).tolist():
            same = symbols.of_name(int(symbols.name_ids[symbol]))
            if len(names) < _MOST_NAMES and all(int(symbols.files[other]) in own for other in same):
                names.setdefault(symbols.name(symbol))
    stems = dict.fromkeys(re.split(r"[./]", paths[file].rsplit("/", 1)[-1])[0] for file in files[:_MOST_NAMES])
    used = _of_words(view, [name for name in names if len(name) > 3], allowed)
    imported = _of_words(view, stems, allowed, imports=True)
    sure = imported.weights >= 1.0
    return Mentions(
        np.concatenate([imported.files[sure], used.files]),
        np.concatenate([imported.lines[sure], used.lines]),
        np.concatenate([imported.weights[sure], used.weights]),
    )


def _of_words(view: IndexView, words: Iterable[str], allowed: np.ndarray | None, *, imports: bool = False) -> Mentions:
    words = [word for word in words if len(word) > 1 and _WORD.match(word) is not None]
    none = np.empty(0, np.int64)
    if not words:
        return Mentions(none, none, np.empty(0))
    regex = len(words) > 1
    pattern = compile_pattern(
        "|".join(words), regex=regex, ignore_case=False, smart_case=False, whole_word=True, multiline=False
    )
    found = find_matches(view, pattern, allowed, _MOST_LINES)
    documents = view.documents
    contents = documents.contents.data
    weights = []
    for file, line, offset in zip(found.files.tolist(), found.lines.tolist(), found.offsets.tolist(), strict=True):
        base = int(documents.content_offsets[file])
        start, end = (base + at for at in documents.line_span(file, line))
        text = bytes(contents[start : min(end, start + _LINE_BYTES)])
        if imports:
            weight = 1.0 if _IMPORTS.match(text) is not None else 0.2
        else:
            behind = re.match(rb"\w*", text[base + offset - start :])
            called = behind is not None and _CALLED.match(text[base + offset - start + behind.end() :]) is not None
            weight = 1.0 if called else 0.5
        weights.append(weight * (0.5 if _COMMENT.match(text) is not None else 1.0))
    return Mentions(found.files, found.lines, np.array(weights, np.float64))
