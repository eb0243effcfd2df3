"""What the files say by themselves, in columns: definitions, chunks and the names they use.

The indexes of definitions, chunks and the graph are made from these columns alone.  A file that did not change gives the rows that an earlier
segment holds of it, any other file those of its facts; the rows come in any order, for every index sorts them by what they hold.  So an index
that is brought up to date is the index of a build from nothing, byte for byte.

Sections, beside those of ``symbols`` and ``chunks``
--------
``symbol/local``, ``symbol/name_byte``
    uint32[S]: position among the definitions of its file, and where its name begins.
``chunk/enclosing_offset``, ``chunk/enclosing``
    uint32[N + 1] and uint32[]: the definitions around each chunk, outermost first, by their position in the file.
``file/use_offset``, ``use/name``, ``use/count``
    uint32[F + 1] and uint32[U] twice: the distinct names that each file uses, ascending, and how often.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from quatrain.indexes.strings import SectionReader, SectionWriter, Strings, StringTable, encode
from quatrain.records import SYMBOL_KINDS, Chunk, ParsedFile, Symbol

__all__ = [
    "VISIBILITIES",
    "ChunkRows",
    "SymbolRows",
    "TableBuilder",
    "Tables",
    "UseRows",
    "build_uses",
    "stored_tables",
]

VISIBILITIES = ("public", "protected", "private")
KIND_CODE = {kind: code for code, kind in enumerate(SYMBOL_KINDS)}
_VISIBILITY_CODE = {name: code for code, name in enumerate(VISIBILITIES)}


class SymbolRows(NamedTuple):
    """One row for each definition."""

    file: np.ndarray  # int64
    local: np.ndarray  # int64, position among the definitions of the file
    name: np.ndarray  # int64, position in ``Tables.names``
    kind: np.ndarray  # uint8
    visibility: np.ndarray  # uint8
    parent: np.ndarray  # int64, a ``local`` or -1
    line: np.ndarray  # uint32, as are the others
    start_line: np.ndarray
    end_line: np.ndarray
    start_byte: np.ndarray
    end_byte: np.ndarray
    name_byte: np.ndarray
    qualified: Strings
    signature: Strings
    docstring: Strings
    decorators: Strings  # joined by newlines


class ChunkRows(NamedTuple):
    """One row for each chunk."""

    file: np.ndarray  # int64
    symbol: np.ndarray  # int64, the ``local`` of the definition it mainly shows, or -1
    start_byte: np.ndarray  # uint32, as are the others
    end_byte: np.ndarray
    start_line: np.ndarray
    end_line: np.ndarray
    enclosing: Strings  # uint32 each: a ``local``, outermost first


class UseRows(NamedTuple):
    """One row for each file and name that it uses."""

    file: np.ndarray  # int64
    name: np.ndarray  # int64, position in ``Tables.names``
    count: np.ndarray  # uint32


class Tables(NamedTuple):
    """The rows of some files."""

    names: list[bytes]  # not all need be in use
    symbols: SymbolRows
    chunks: ChunkRows
    uses: UseRows

    def renumbered(self, files: np.ndarray) -> Tables:
        """Return the rows with ``files[f]`` for each file f."""
        rows = (part._replace(file=files[part.file]) for part in (self.symbols, self.chunks, self.uses))
        return Tables(self.names, *rows)

    def joined(self, other: Tables) -> Tables:
        """Return the rows of both."""
        shift = len(self.names)
        symbols = other.symbols._replace(name=other.symbols.name + shift)
        uses = other.uses._replace(name=other.uses.name + shift)
        return Tables(
            self.names + other.names,
            SymbolRows(*map(_joined, self.symbols, symbols)),
            ChunkRows(*map(_joined, self.chunks, other.chunks)),
            UseRows(*map(_joined, self.uses, uses)),
        )


def _joined(one: Any, other: Any) -> Any:
    return one.joined(other) if isinstance(one, Strings) else np.concatenate([one, other])


class TableBuilder:
    """Collects the rows of files from their facts."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._symbols = {field: array("q") for field in SymbolRows._fields[:6]}
        self._symbols |= {field: array("I") for field in SymbolRows._fields[6:12]}
        self._texts = {field: _Texts() for field in SymbolRows._fields[12:]}
        self._chunks = {field: array("q") for field in ChunkRows._fields[:2]}
        self._chunks |= {field: array("I") for field in ChunkRows._fields[2:6]}
        self._enclosing = _Texts()
        self._uses = {field: array("q") for field in UseRows._fields}

    def add(self, file: int, parsed: ParsedFile) -> None:
        """Add the rows of one file; their ``qualified`` is the name within the file."""
        names, rows = self._names, self._symbols
        count = len(parsed.symbols)
        if count:
            of = Symbol(*zip(*parsed.symbols, strict=True))  # each field holds the values of all
            rows["file"].extend([file] * count)
            rows["local"].extend(range(count))
            rows["name"].extend([names.setdefault(name, len(names)) for name in of.name])
            rows["kind"].extend([KIND_CODE[kind] for kind in of.kind])
            rows["visibility"].extend([_VISIBILITY_CODE[name] for name in of.visibility])
            rows["parent"].extend(of.parent)  # type: ignore[arg-type]
            for field in SymbolRows._fields[6:12]:
                rows[field].extend(getattr(of, field))
            self._texts["qualified"].extend(map(encode, of.qualified_name))
            self._texts["signature"].extend(map(encode, of.signature))
            self._texts["docstring"].extend(map(encode, of.docstring))
            self._texts["decorators"].extend([encode("\n".join(one)) for one in of.decorators])
        if parsed.chunks:
            self._chunks["file"].extend([file] * len(parsed.chunks))
            pieces = Chunk(*zip(*parsed.chunks, strict=True))
            for field in ChunkRows._fields[1:6]:
                self._chunks[field].extend(getattr(pieces, field))
            self._enclosing.extend([np.array(around, "<u4").tobytes() for around in pieces.enclosing])
        if parsed.references:
            used = Counter(reference.name for reference in parsed.references)
            self._uses["file"].extend([file] * len(used))
            self._uses["name"].extend([names.setdefault(name, len(names)) for name in used])
            self._uses["count"].extend(used.values())

    def finish(self) -> Tables:
        """Return the rows."""
        symbols = {field: _column(values) for field, values in self._symbols.items()}
        for field in ("kind", "visibility"):
            symbols[field] = symbols[field].astype(np.uint8)
        uses = {field: _column(values) for field, values in self._uses.items()}
        uses["count"] = uses["count"].astype(np.uint32)
        return Tables(
            [encode(name) for name in self._names],
            SymbolRows(**symbols, **{field: texts.finish() for field, texts in self._texts.items()}),
            ChunkRows(**{f: _column(values) for f, values in self._chunks.items()}, enclosing=self._enclosing.finish()),
            UseRows(**uses),
        )


def _column(values: array[int]) -> np.ndarray:
    return np.array(values, np.int64 if values.typecode == "q" else np.uint32)


class _Texts:
    """Growing strings."""

    def __init__(self) -> None:
        self.blob = bytearray()
        self.sizes = array("q")

    def extend(self, parts: Iterable[bytes]) -> None:
        parts = list(parts)
        self.blob += b"".join(parts)
        self.sizes.extend(map(len, parts))

    def finish(self) -> Strings:
        return Strings.of_sizes(np.frombuffer(self.blob, np.uint8), np.array(self.sizes, np.int64))


def stored_tables(segment: SectionReader, files: np.ndarray) -> Tables:
    """Return the rows that a segment holds of some of its files.

    Parameters
    ----------
    segment
        An earlier segment of the same layout.
    files
        int64[F]: for each of its files the number that the rows are to have, or -1 for no rows.  The ``qualified`` of a symbol is the
        module-qualified name.
    """
    get = segment.array
    rows = np.flatnonzero(files[get("symbol/file")] >= 0)
    local = get("symbol/local").astype(np.int64)
    parents = get("symbol/parent")[rows].astype(np.int64)
    symbols = SymbolRows(
        file=files[get("symbol/file")[rows]],
        local=local[rows],
        name=get("symbol/name")[rows].astype(np.int64),
        kind=get("symbol/kind")[rows],
        visibility=get("symbol/visibility")[rows],
        parent=_at(local, parents),
        **{field: get(f"symbol/{field}")[rows] for field in SymbolRows._fields[6:12]},
        **{field: Strings.stored(segment, f"symbol/{field}").take(rows) for field in SymbolRows._fields[12:]},
    )
    chunk_files = get("chunk/file").astype(np.int64)
    kept = np.flatnonzero(files[chunk_files] >= 0)
    chunks = ChunkRows(
        file=files[chunk_files[kept]],
        symbol=_at(local, get("chunk/symbol")[kept].astype(np.int64)),
        **{field: get(f"chunk/{field}")[kept] for field in ChunkRows._fields[2:6]},
        enclosing=Strings(
            get("chunk/enclosing").view(np.uint8), 4 * get("chunk/enclosing_offset").astype(np.uint64)
        ).take(kept),
    )
    use_files = np.repeat(files, np.diff(get("file/use_offset").astype(np.int64)))
    used = np.flatnonzero(use_files >= 0)
    uses = UseRows(use_files[used], get("use/name")[used].astype(np.int64), get("use/count")[used])
    return Tables(list(StringTable(segment, "name").all()), symbols, chunks, uses)


def _at(values: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Return ``values[positions]``, -1 where the position is."""
    return np.where(positions >= 0, values[positions], -1) if len(values) else positions


def build_uses(writer: SectionWriter, uses: UseRows, name_of: np.ndarray, files: int) -> None:
    """Write which names each file uses; ``name_of`` numbers the names of the tables as the segment does."""
    name = name_of[uses.name]
    order = np.lexsort((name, uses.file))
    writer.add("file/use_offset", np.searchsorted(uses.file[order], np.arange(files + 1)).astype(np.uint32))
    writer.add("use/name", name[order].astype(np.uint32))
    writer.add("use/count", uses.count[order])
