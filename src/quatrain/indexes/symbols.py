"""The symbol table, sorted by name."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from quatrain._kernels import terms
from quatrain.indexes.strings import SectionReader, SectionWriter, Strings, StringTable, encode, write_strings
from quatrain.indexes.tables import KIND_CODE, VISIBILITIES, SymbolRows, Tables
from quatrain.records import SYMBOL_KINDS

__all__ = ["KIND_CODE", "VISIBILITIES", "SymbolOrder", "Symbols", "build", "order_symbols"]


class SymbolOrder:
    """Global ids for the symbols of all files: the order is (name bytes, file, line, start byte, position in the file).

    Attributes
    ----------
    rows
        int64[S]: the row of ``tables.symbols`` of each id.
    starts, ids
        int64[F + 1] and int64[S]: ``ids[starts[f] + i]`` is the id of symbol i of file f.
    names
        Sorted unique names (bytes) of symbols, uses and edges.
    name_ids
        Position in ``names`` by name.
    name_of
        int64: position in ``names`` for each of ``tables.names`` that is in use.
    """

    def __init__(self, tables: Tables, other_names: Iterable[str], files: int) -> None:
        rows = tables.symbols
        used = np.unique(np.concatenate([rows.name, tables.uses.name]))
        spelled = [tables.names[i] for i in used.tolist()]
        self.names = sorted({*spelled, *map(encode, other_names)})
        self.name_ids = {name: number for number, name in enumerate(self.names)}
        self.name_of = np.full(len(tables.names), -1, np.int64)
        self.name_of[used] = [self.name_ids[name] for name in spelled]
        self.rows = np.lexsort((rows.local, rows.start_byte, rows.line, rows.file, self.name_of[rows.name]))
        self.starts = np.zeros(files + 1, np.int64)
        np.cumsum(np.bincount(rows.file, minlength=files), out=self.starts[1:])
        self.ids = np.empty(len(self.rows), np.int64)
        self.ids[(self.starts[rows.file] + rows.local)[self.rows]] = np.arange(len(self.rows))

    @property
    def count(self) -> int:
        """Number of symbols."""
        return len(self.rows)

    def global_ids(self, files: np.ndarray, locals_: np.ndarray) -> np.ndarray:
        """Return the ids of symbols by file and position in it, -1 where the position is."""
        result = np.full(len(files), -1, np.int64)
        inside = np.flatnonzero(locals_ >= 0)
        result[inside] = self.ids[self.starts[files[inside]] + locals_[inside]]
        return result


def order_symbols(tables: Tables, other_names: Iterable[str], files: int) -> SymbolOrder:
    """Give every symbol of ``files`` files its global id; ``other_names`` are of edges."""
    return SymbolOrder(tables, other_names, files)


def build(
    writer: SectionWriter, rows: SymbolRows, order: SymbolOrder, qualified: Strings, chunk_of: np.ndarray
) -> None:
    """Write the symbol table.

    Parameters
    ----------
    writer
        Receives the sections.
    rows
        All symbols.
    order
        Their global ids.
    qualified
        Module-qualified name of each row.
    chunk_of
        int64 for each row: the global chunk id that holds the symbol's name, or -1.
    """
    by_id = order.rows
    owner = rows.file[by_id]
    name_ids = order.name_of[rows.name[by_id]]
    names = write_strings(writer, "name", order.names)
    writer.add("name/sketch", terms.sketches(names.blob, names.offsets))
    writer.add("name/symbol_offset", np.searchsorted(name_ids, np.arange(len(order.names) + 1)).astype(np.uint32))
    writer.add("symbol/name", name_ids.astype(np.uint32))
    writer.add("symbol/file", owner.astype(np.uint32))
    writer.add("symbol/local", rows.local[by_id].astype(np.uint32))
    writer.add("symbol/kind", rows.kind[by_id])
    for field in ("line", "start_line", "end_line", "start_byte", "end_byte", "name_byte"):
        writer.add(f"symbol/{field}", getattr(rows, field)[by_id])
    writer.add("symbol/parent", order.global_ids(owner, rows.parent[by_id]).astype(np.int32))
    writer.add("symbol/chunk", chunk_of[by_id])
    writer.add("symbol/visibility", rows.visibility[by_id])
    qualified.take(by_id).write(writer, "symbol/qualified")
    rows.signature.take(by_id).write(writer, "symbol/signature")
    rows.docstring.take(by_id).write(writer, "symbol/docstring")
    rows.decorators.take(by_id).write(writer, "symbol/decorators")
    by_position = np.lexsort((rows.start_byte[by_id], owner)).astype(np.uint32)
    writer.add("file/symbol_order", by_position)
    writer.add("file/symbol_offset", order.starts.astype(np.uint32))


class Symbols:
    """Definitions by id, by exact name and by prefix."""

    def __init__(self, segment: SectionReader) -> None:
        self.names = StringTable(segment, "name")
        self._name_offsets = memoryview(segment.array("name/symbol_offset"))
        self._segment = segment
        self.name_ids = segment.array("symbol/name")
        self.files = segment.array("symbol/file")
        self.kinds = segment.array("symbol/kind")
        self.lines = segment.array("symbol/line")
        self.start_lines = segment.array("symbol/start_line")
        self.end_lines = segment.array("symbol/end_line")
        self.start_bytes = segment.array("symbol/start_byte")
        self.end_bytes = segment.array("symbol/end_byte")
        self.parents = segment.array("symbol/parent")
        self.chunks = segment.array("symbol/chunk")
        self.visibilities = segment.array("symbol/visibility")
        self.qualified_names = StringTable(segment, "symbol/qualified")
        self.signatures = StringTable(segment, "symbol/signature")
        self.docstrings = StringTable(segment, "symbol/docstring")
        self.decorators = StringTable(segment, "symbol/decorators")
        self.file_order = segment.array("file/symbol_order")
        self.file_offsets = segment.array("file/symbol_offset")

    @property
    def count(self) -> int:
        """Number of symbols."""
        return len(self.kinds)

    @property
    def spellings(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All names in one array, uint8[], where each begins, uint64[n + 1], and their sketches, uint32[2, n]."""
        array = self._segment.array
        return array("name_blob"), array("name_offsets"), array("name/sketch")

    def of_name(self, name_id: int) -> range:
        """Return the symbol ids that bear a name."""
        return range(self._name_offsets[name_id], self._name_offsets[name_id + 1])

    def exact(self, name: str) -> range:
        """Return the symbol ids called exactly ``name``."""
        name_id = self.names.find(name)
        return self.of_name(name_id) if name_id >= 0 else range(0)

    def prefix(self, prefix: str) -> range:
        """Return the symbol ids whose name starts with ``prefix``."""
        low, high = self.names.prefix_range(prefix)
        return range(self._name_offsets[low], self._name_offsets[high])

    def resolve(self, name: str) -> list[int]:
        """Return the symbols meant by a simple or qualified name.

        ``C.m``, ``C::m``, ``pkg.mod.C.m`` and ``C#m`` match every qualified name that ends with them at a boundary.
        """
        dotted = name.strip().removesuffix("()").replace("::", ".").replace("#", ".").replace("->", ".")
        found = self.exact(name.strip())
        if found:
            return list(found)
        last = dotted.rsplit(".", 1)[-1].rsplit(":", 1)[-1]
        candidates = self.exact(last)
        if last == dotted:
            return list(candidates)
        wanted = dotted.replace(":", ".").replace("/", ".").lstrip(".")
        matches = []
        for symbol in candidates:
            qualified = self.qualified_names[symbol].replace(":", ".").replace("/", ".").replace("::", ".")
            if qualified == wanted or qualified.endswith("." + wanted):
                matches.append(symbol)
        return matches

    def name(self, symbol: int) -> str:
        """Return the simple name."""
        return self.names[int(self.name_ids[symbol])]

    def qualified(self, symbol: int) -> str:
        """Return the module-qualified name."""
        return self.qualified_names[symbol]

    def kind(self, symbol: int) -> str:
        """Return the kind."""
        return SYMBOL_KINDS[self.kinds[symbol]]

    def of_file(self, file: int) -> np.ndarray:
        """Return the symbol ids of a file in source order."""
        return self.file_order[self.file_offsets[file] : self.file_offsets[file + 1]]

    def at_line(self, file: int, line: int) -> int:
        """Return the innermost symbol of a file that spans a line, or -1."""
        symbols = self.of_file(file)
        spans = symbols[(self.start_lines[symbols] <= line) & (self.end_lines[symbols] >= line)]
        return int(spans[-1]) if len(spans) else -1
