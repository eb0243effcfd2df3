"""A small index in memory: parse, link and open without storage."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from quatrain.files.flags import path_flags
from quatrain.files.languages import language_of
from quatrain.indexes import chunks, documents, graph, modules, symbols, trigrams
from quatrain.linking import LinkInput, link, module_name, package_directories, qualified_name
from quatrain.parsing.parse import parse_source
from quatrain.retrieval.view import IndexView


class MemorySegment:
    """Sections in a dictionary, for both writing and reading."""

    def __init__(self) -> None:
        self.sections: dict[str, np.ndarray] = {}

    def add(self, tag: str, data: np.ndarray | bytes | bytearray, *, bulk: bool = False) -> None:
        self.sections[tag] = data if isinstance(data, np.ndarray) else np.frombuffer(bytes(data), np.uint8)

    def __contains__(self, tag: str) -> bool:
        return tag in self.sections

    def array(self, tag: str) -> np.ndarray:
        return self.sections[tag]

    def verify_range(self, tag: str, start: int, end: int) -> None:
        """Nothing is damaged in memory."""

    def verify(self, tag: str, starts: np.ndarray, ends: np.ndarray) -> None:
        pass


def build_view(sources: Mapping[str, str | bytes], root: str = "") -> IndexView:
    """Return the opened documents, trigrams, chunks, symbols, modules and graph of some files below a folder ``root``."""
    paths = sorted(sources, key=str.encode)
    rows, inputs = [], []
    for path in paths:
        source = sources[path]
        data = source if isinstance(source, bytes) else source.encode()
        language = language_of(path)
        parsed = parse_source(path, language, data)
        inputs.append(LinkInput(path, language, parsed))
        rows.append(
            documents.DocumentRow(path, language, len(data), 0, b"\0" * 16, path_flags(path), parsed.parse, data)
        )
    segment = MemorySegment()
    documents.build(segment, rows, [])
    content, offsets = documents.concatenate([row.data for row in rows])
    trigrams.build(segment, content, offsets)
    linked = link(inputs, root=root)
    names = {r.name for i in inputs for r in i.parsed.references} | set(linked.names)
    order = symbols.order_symbols([i.parsed.symbols for i in inputs], names)
    packages = package_directories(paths)
    homes = [module_name(i.path, i.language, i.parsed, packages, root) for i in inputs]
    qualified = [
        [qualified_name(m, i.language, s.qualified_name) for s in i.parsed.symbols]
        for m, i in zip(homes, inputs, strict=True)
    ]
    modules.build(segment, paths, homes, root)
    chunk_starts = np.cumsum([0, *(len(i.parsed.chunks) for i in inputs)])
    chunk_of = []
    for i, first in zip(inputs, chunk_starts, strict=False):
        starts = np.array([c.start_byte for c in i.parsed.chunks])
        at = np.searchsorted(starts, [s.name_byte for s in i.parsed.symbols], side="right") - 1
        chunk_of.append(first + np.maximum(at, 0).astype(np.int64))
    symbols.build(segment, [i.parsed.symbols for i in inputs], order, qualified, chunk_of)
    ranks = graph.build(segment, linked, order, len(inputs))
    all_chunks = [(f, c) for f, i in enumerate(inputs) for c in i.parsed.chunks]
    chunks.build(
        segment,
        np.array([f for f, _ in all_chunks], np.int64),
        np.array([(c.start_byte, c.end_byte) for _, c in all_chunks], np.int64).reshape(-1, 2),
        np.array([(c.start_line, c.end_line) for _, c in all_chunks], np.int64).reshape(-1, 2),
        np.array([order.ids[f][c.symbol] if c.symbol >= 0 else -1 for f, c in all_chunks], np.int64),
        np.array([max((ranks[order.ids[f][s]] for s in c.defines), default=0.0) for f, c in all_chunks], np.float32),
        len(inputs),
    )
    return IndexView(segment, lambda: None)


@pytest.fixture(scope="session")
def view_of() -> Callable[[Mapping[str, str | bytes]], IndexView]:
    """Return the function that builds an index of some files in memory."""
    return build_view
