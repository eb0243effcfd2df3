"""An index in memory over plain bytes: documents, trigrams and terms of windows of lines, without parsing."""

from __future__ import annotations

from typing import Any

import numpy as np

from quatrain.files.flags import flag_paths
from quatrain.indexes import chunks, documents, symbols, terms, trigrams
from quatrain.indexes.strings import encode
from quatrain.records import Symbol
from quatrain.retrieval.view import IndexView

WINDOW = 40  # lines
PIECE_BYTES = 30  # so that ordinary files have several pieces


class Sections(dict[str, np.ndarray]):
    """Writer and reader of sections."""

    def add(self, tag: str, data: Any, *, bulk: bool = False) -> None:
        array = np.frombuffer(bytes(data), np.uint8) if isinstance(data, (bytes, bytearray)) else data
        self[tag] = np.ascontiguousarray(array)
        self[tag].flags.writeable = False

    def array(self, tag: str) -> np.ndarray:
        return self[tag]

    def verify_range(self, tag: str, start: int, end: int) -> None:
        """Nothing is damaged in memory."""

    def verify(self, tag: str, starts: np.ndarray, ends: np.ndarray) -> None:
        assert tag in self
        assert len(starts) == len(ends)
        assert not len(ends) or int(np.max(ends)) <= self[tag].nbytes


def text_view(
    files: dict[str, bytes], names: dict[str, list[tuple[str, int]]] | None = None, piece_bytes: int = PIECE_BYTES
) -> IndexView:
    """Index files; ``names`` gives (name, line) of the functions that each path defines."""
    names = names or {}
    paths = sorted(files, key=encode)
    data = [files[path] for path in paths]
    sections = Sections()
    flags = flag_paths(paths)
    rows = [
        documents.DocumentRow(path, None, len(content), 0, bytes(16), int(flag), "none", content)
        for path, content, flag in zip(paths, data, flags, strict=True)
    ]
    documents.build(sections, rows, [])
    content, offsets = documents.concatenate(data)
    trigrams.build(sections, content, offsets, piece_bytes)
    owners, spans, lines = [], [], []
    for file, text in enumerate(data):
        ends = (np.flatnonzero(np.frombuffer(text, np.uint8) == 0x0A) + 1).tolist()
        if not ends or ends[-1] != len(text):
            ends.append(len(text))
        begins = [0, *ends[:-1]]
        for first in range(0, len(ends), WINDOW):
            last = min(first + WINDOW, len(ends)) - 1
            owners.append(file)
            spans.append((begins[first], ends[last]))
            lines.append((first + 1, last + 1))
    chunk_files, chunk_spans = np.array(owners, np.int64), np.array(spans, np.int64).reshape(-1, 2)
    chunk_lines = np.array(lines, np.int64).reshape(-1, 2)
    none = np.full(len(owners), -1)
    chunks.build(sections, chunk_files, chunk_spans, chunk_lines, none, np.zeros(len(owners)), len(paths))
    defined = [[_symbol(name, line) for name, line in sorted(names.get(path, []))] for path in paths]
    order = symbols.order_symbols(defined, set())
    holders = [
        np.array(
            [
                next(c for c in range(len(owners)) if owners[c] == file and lines[c][0] <= s.line <= lines[c][1])
                for s in rows
            ],
            np.int64,
        )
        for file, rows in enumerate(defined)
    ]
    symbols.build(sections, defined, order, [[s.name for s in rows] for rows in defined], holders)
    own = [
        encode(" ".join(s.name for s in defined[file] if top <= s.line <= bottom))
        for file, (top, bottom) in zip(owners, lines, strict=True)
    ]
    spans_of = (chunk_files, chunk_spans[:, 0], chunk_spans[:, 1])
    terms.build(sections, content, offsets, spans_of, own, [b""] * len(owners), paths)
    terms.build_names(sections, [defined[file][i].name for file, i in order.places])
    return IndexView(sections, lambda: None)


def _symbol(name: str, line: int) -> Symbol:
    return Symbol(name, name, "function", line, line, line, 0, 0, 0, f"def {name}()", "", -1, "public", (), ())
