"""A small index in memory, made by the real builders from a few Python sources, without a graph and without vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from quatrain.files.flags import flag_paths
from quatrain.indexes import chunks, documents, file_graph, file_names, symbols, terms
from quatrain.indexes.strings import Strings, encode
from quatrain.indexes.tables import TableBuilder
from quatrain.parsing.parse import parse_source
from quatrain.records import Filters, Intent, QueryPlan
from quatrain.retrieval.view import IndexView


class Sections(dict[str, np.ndarray]):
    """Writer and reader of sections."""

    def add(self, tag: str, data: Any, *, bulk: bool = False) -> None:
        self[tag] = (
            np.frombuffer(bytes(data), np.uint8) if isinstance(data, (bytes, bytearray)) else np.ascontiguousarray(data)
        )

    def array(self, tag: str) -> np.ndarray:
        return self[tag]

    def verify_range(self, tag: str, start: int, end: int) -> None:
        """Nothing is damaged in memory."""

    def verify(self, tag: str, starts: np.ndarray, ends: np.ndarray) -> None:
        """Believe everything."""


def small_view(files: dict[str, str], centrality: dict[str, float] | None = None) -> IndexView:
    """Index Python sources; ``centrality`` gives the rank of symbols by name."""
    paths = sorted(files, key=encode)
    data = [files[path].encode() for path in paths]
    parsed = [parse_source(path, "python", content) for path, content in zip(paths, data, strict=True)]
    sections = Sections()
    rows = [
        documents.DocumentRow(path, "python", len(content), 0, bytes(16), flag, one.parse, content)
        for path, content, flag, one in zip(paths, data, flag_paths(paths), parsed, strict=True)
    ]
    content, offsets = documents.build(sections, rows, [])
    builder = TableBuilder()
    for file, one in enumerate(parsed):
        builder.add(file, one)
    facts = builder.finish()
    order = symbols.order_symbols(facts, (), len(paths))
    chunk_order = chunks.order_chunks(facts.chunks, len(paths))
    chunk_of, _ = chunk_order.holders(facts.chunks, facts.symbols)
    modules = [path.removesuffix(".py").replace("/", ".") for path in paths]
    qualified = [
        f"{module}.{s.qualified_name}" for module, one in zip(modules, parsed, strict=True) for s in one.symbols
    ]
    symbols.build(sections, facts.symbols, order, Strings.of([encode(name) for name in qualified]), chunk_of)
    pieces = [(one, chunk) for one in parsed for chunk in one.chunks]
    ranks = centrality or {}
    chunks.build(
        sections,
        facts.chunks,
        chunk_order,
        order.global_ids(facts.chunks.file, facts.chunks.symbol),
        np.array([max((ranks.get(one.symbols[s].name, 0.0) for s in c.defines), default=0.0) for one, c in pieces]),
    )
    terms.build(
        sections,
        content,
        offsets,
        (facts.chunks.file, facts.chunks.start_byte, facts.chunks.end_byte),
        Strings.of([encode(" ".join(one.symbols[s].name for s in c.defines)) for one, c in pieces]),
        Strings.of([encode(" ".join(one.symbols[s].name for s in c.enclosing)) for one, c in pieces]),
        paths,
    )
    names = order.name_of[facts.symbols.name]
    terms.build_names(sections, Strings.of(order.names).take(names[order.rows]))
    uses = facts.uses
    file_graph.build(
        sections, (uses.file, order.name_of[uses.name], uses.count), (facts.symbols.file, names), len(paths)
    )
    file_names.build(sections, paths)
    return IndexView(sections, lambda: None)


def plan(text: str, intent: str = "understand_code", subjects: tuple[str, ...] = (), **changes: Any) -> QueryPlan:
    """Return a plan with the weights of text and structure."""
    fields: dict[str, Any] = {
        "text": text, "intent": Intent(intent, 0.5, "test"), "preset": "default", "modalities": ("text", "structural"),
        "weights": {"text": 0.5, "structural": 0.5}, "k": 40, "direct": None, "subjects": subjects, "literal": None,
        "direction": None, "depth": 3, "filters": Filters(content="all"),
    }  # fmt: skip
    return QueryPlan(**fields | changes)
