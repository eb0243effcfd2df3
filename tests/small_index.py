"""A small index in memory, made by the real builders from a few Python sources, without a graph and without vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from quatrain.files.flags import flag_paths
from quatrain.indexes import chunks, documents, file_graph, file_names, symbols, terms
from quatrain.indexes.strings import encode
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
    documents.build(sections, rows, [])
    content, offsets = documents.concatenate(data)
    order = symbols.order_symbols([one.symbols for one in parsed], {r.name for one in parsed for r in one.references})
    starts = np.concatenate([[0], np.cumsum([len(one.chunks) for one in parsed])]).astype(np.int64)
    chunk_of = [
        first
        + np.maximum(
            np.searchsorted([c.start_byte for c in one.chunks], [s.name_byte for s in one.symbols], "right") - 1, 0
        )
        for one, first in zip(parsed, starts, strict=False)
    ]
    modules = [path.removesuffix(".py").replace("/", ".") for path in paths]
    qualified = [
        [f"{module}.{s.qualified_name}" for s in one.symbols] for module, one in zip(modules, parsed, strict=True)
    ]
    symbols.build(sections, [one.symbols for one in parsed], order, qualified, chunk_of)
    pieces = [(file, one, chunk) for file, one in enumerate(parsed) for chunk in one.chunks]
    owners = np.array([file for file, _, _ in pieces], np.int64)
    spans = np.array([(c.start_byte, c.end_byte) for _, _, c in pieces], np.int64).reshape(-1, 2)
    ranks = centrality or {}
    chunks.build(
        sections,
        owners,
        spans,
        np.array([(c.start_line, c.end_line) for _, _, c in pieces], np.int64).reshape(-1, 2),
        np.array([order.ids[f][c.symbol] if c.symbol >= 0 else -1 for f, _, c in pieces], np.int64),
        np.array([max((ranks.get(one.symbols[s].name, 0.0) for s in c.defines), default=0.0) for _, one, c in pieces]),
        len(paths),
    )
    terms.build(
        sections,
        content,
        offsets,
        (owners, spans[:, 0], spans[:, 1]),
        [encode(" ".join(one.symbols[s].name for s in c.defines)) for _, one, c in pieces],
        [encode(" ".join(one.symbols[s].name for s in c.enclosing)) for _, one, c in pieces],
        paths,
    )
    terms.build_names(sections, [parsed[f].symbols[i].name for f, i in order.places])
    file_graph.build(
        sections,
        [[r.name for r in one.references] for one in parsed],
        [[s.name for s in one.symbols] for one in parsed],
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
