"""An index in memory over plain bytes: documents, trigrams and terms of windows of lines, without parsing."""

from __future__ import annotations

from typing import Any

import numpy as np

from quatrain.files.flags import flag_paths
from quatrain.indexes import chunks, documents, symbols, terms, trigrams
from quatrain.indexes.strings import Strings, encode
from quatrain.indexes.tables import TableBuilder
from quatrain.records import Chunk, ParsedFile, Symbol
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
    content, offsets = documents.build(sections, rows, [])
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
    builder = TableBuilder()
    for file, path in enumerate(paths):
        pieces = [
            Chunk(*span, *line, -1, (), ())
            for owner, span, line in zip(owners, spans, lines, strict=True)
            if owner == file
        ]
        found = [_symbol(name, line) for name, line in sorted(names.get(path, []))]
        builder.add(file, ParsedFile("none", tuple(found), (), (), (), tuple(pieces), None))
    facts = builder.finish()
    count = len(owners)
    chunk_order = chunks.order_chunks(facts.chunks, len(paths))
    chunks.build(sections, facts.chunks, chunk_order, np.full(count, -1), np.zeros(count))
    order = symbols.order_symbols(facts, (), len(paths))
    held = [
        next(c for c in range(count) if owners[c] == file and lines[c][0] <= line <= lines[c][1])
        for file, line in zip(facts.symbols.file.tolist(), facts.symbols.line.tolist(), strict=True)
    ]
    symbols.build(sections, facts.symbols, order, facts.symbols.qualified, np.array(held, np.int64))
    own = Strings.of(
        [b" ".join(facts.names[facts.symbols.name[s]] for s in range(len(held)) if held[s] == c) for c in range(count)]
    )
    spans_of = (facts.chunks.file, facts.chunks.start_byte, facts.chunks.end_byte)
    terms.build(sections, content, offsets, spans_of, own, Strings.of([b""] * count), paths)
    terms.build_names(sections, Strings.of(order.names).take(order.name_of[facts.symbols.name][order.rows]))
    return IndexView(sections, lambda: None)


def _symbol(name: str, line: int) -> Symbol:
    return Symbol(name, name, "function", line, line, line, 0, 0, 0, f"def {name}()", "", -1, "public", (), ())
