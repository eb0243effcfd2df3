"""The symbol table, sorted by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from quatrain._kernels import terms
from quatrain.indexes.strings import SectionReader, SectionWriter, StringTable, encode, write_strings
from quatrain.records import SYMBOL_KINDS, Symbol

__all__ = ["SymbolOrder", "Symbols", "build", "order_symbols"]

KIND_CODE = {kind: code for code, kind in enumerate(SYMBOL_KINDS)}
VISIBILITIES = ("public", "protected", "private")


class SymbolOrder:
    """Global ids for the symbols of all files.

    Attributes
    ----------
    ids
        ids[f][i] is the global id of symbol i of file f.
    names
        Sorted unique names (bytes) of symbols and references.
    name_ids
        Position in ``names`` by name.
    """

    def __init__(self, files: Sequence[Sequence[Symbol]], other_names: set[str]) -> None:
        flat = [
            (encode(s.name), f, s.line, s.start_byte, i)
            for f, symbols in enumerate(files)
            for i, s in enumerate(symbols)
        ]
        flat.sort()
        self.ids = [np.empty(len(symbols), np.int64) for symbols in files]
        for number, (_, f, _, _, i) in enumerate(flat):
            self.ids[f][i] = number
        self.places = [(f, i) for _, f, _, _, i in flat]
        self.names = sorted({entry[0] for entry in flat} | {encode(name) for name in other_names})
        self.name_ids = {name: number for number, name in enumerate(self.names)}


def order_symbols(files: Sequence[Sequence[Symbol]], other_names: set[str]) -> SymbolOrder:
    """Give every symbol its global id: the order is (name bytes, file, line)."""
    return SymbolOrder(files, other_names)


def build(
    writer: SectionWriter,
    files: Sequence[Sequence[Symbol]],
    order: SymbolOrder,
    qualified: Sequence[Sequence[str]],
    chunk_of: Sequence[np.ndarray],
) -> None:
    """Write the symbol table.

    Parameters
    ----------
    writer
        Receives the sections.
    files
        Symbols of each file.
    order
        Their global ids.
    qualified
        Module-qualified name of each symbol of each file.
    chunk_of
        int64 per file: the global chunk id that holds each symbol's name, or -1.
    """
    rows = [files[f][i] for f, i in order.places]
    owner = np.fromiter((f for f, _ in order.places), np.uint32, len(rows))
    name_ids = np.fromiter((order.name_ids[encode(s.name)] for s in rows), np.uint32, len(rows))
    blob, offsets = write_strings(writer, "name", order.names)
    writer.add("name/sketch", terms.sketches(blob, offsets))
    writer.add("name/symbol_offset", np.searchsorted(name_ids, np.arange(len(order.names) + 1)).astype(np.uint32))
    writer.add("symbol/name", name_ids)
    writer.add("symbol/file", owner)
    writer.add("symbol/kind", np.fromiter((KIND_CODE[s.kind] for s in rows), np.uint8, len(rows)))
    for field in ("line", "start_line", "end_line", "start_byte", "end_byte"):
        writer.add(f"symbol/{field}", np.fromiter((getattr(s, field) for s in rows), np.uint32, len(rows)))
    writer.add(
        "symbol/parent",
        np.fromiter(
            (order.ids[f][s.parent] if s.parent >= 0 else -1 for (f, _), s in zip(order.places, rows, strict=True)),
            np.int32,
        ),
    )
    writer.add("symbol/chunk", np.fromiter((chunk_of[f][i] for f, i in order.places), np.int64, len(rows)))
    writer.add("symbol/visibility", np.fromiter((VISIBILITIES.index(s.visibility) for s in rows), np.uint8, len(rows)))
    write_strings(writer, "symbol/qualified", [qualified[f][i] for f, i in order.places])
    write_strings(writer, "symbol/signature", [s.signature for s in rows])
    write_strings(writer, "symbol/docstring", [s.docstring for s in rows])
    write_strings(writer, "symbol/decorators", ["\n".join(s.decorators) for s in rows])
    by_position = np.lexsort((np.fromiter((s.start_byte for s in rows), np.uint32, len(rows)), owner)).astype(np.uint32)
    writer.add("file/symbol_order", by_position)
    writer.add("file/symbol_offset", np.searchsorted(owner[by_position], np.arange(len(files) + 1)).astype(np.uint32))


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
