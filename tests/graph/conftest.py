"""A small index in memory: parse, link and open without storage."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from quatrain.files.flags import path_flags
from quatrain.files.languages import language_of
from quatrain.indexes import chunks, documents, graph, modules, symbols, trigrams
from quatrain.indexes.strings import Strings
from quatrain.indexes.tables import TableBuilder
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
    content, offsets = documents.build(segment, rows, [])
    trigrams.build(segment, content, offsets)
    linked = link(inputs, root=root)
    packages = package_directories(paths)
    homes = [module_name(i.path, i.language, i.parsed, packages, root) for i in inputs]
    builder = TableBuilder()
    for number, i in enumerate(inputs):
        builder.add(number, i.parsed)
    facts = builder.finish()
    order = symbols.order_symbols(facts, linked.names, len(inputs))
    qualified = [
        qualified_name(m, i.language, s.qualified_name).encode()
        for m, i in zip(homes, inputs, strict=True)
        for s in i.parsed.symbols
    ]
    modules.build(segment, paths, homes, root)
    chunk_order = chunks.order_chunks(facts.chunks, len(inputs))
    chunk_of, _ = chunk_order.holders(facts.chunks, facts.symbols)
    symbols.build(segment, facts.symbols, order, Strings.of(qualified), chunk_of)
    ranks = graph.build(segment, linked, order, len(inputs))
    of_chunks = [
        max((ranks[order.ids[order.starts[f] + s]] for s in c.defines), default=0.0)
        for f, i in enumerate(inputs)
        for c in i.parsed.chunks
    ]
    shown = order.global_ids(facts.chunks.file, facts.chunks.symbol)
    chunks.build(segment, facts.chunks, chunk_order, shown, np.array(of_chunks, np.float32))
    return IndexView(segment, lambda: None)


@pytest.fixture(scope="session")
def view_of() -> Callable[[Mapping[str, str | bytes]], IndexView]:
    """Return the function that builds an index of some files in memory."""
    return build_view
