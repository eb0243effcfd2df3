"""Source tree in, one new generation out.

Unchanged files are neither read, parsed nor embedded again: their facts and vectors are taken from the previous generation by content
hash, and so are the edges of a family of languages whose files say the same as before (see ``linking.relink``).  What depends on all files at
once (ranks, postings) is made anew.
"""

from __future__ import annotations

import io
import logging
import pickle
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatrain import records
from quatrain.embedders.protocol import Embedder, PaidEmbedder
from quatrain.errors import IndexCorrupt
from quatrain.files.decoding import read_source
from quatrain.files.discover import Discovery, discover, nothing_indexed
from quatrain.files.flags import flag_paths
from quatrain.files.languages import with_language
from quatrain.indexes import chunks as chunk_index
from quatrain.indexes import documents as document_index
from quatrain.indexes import file_graph, file_names, graph, modules, symbols, terms, trigrams, vectors
from quatrain.indexes.strings import Strings, StringTable, encode
from quatrain.indexes.tables import TableBuilder, Tables, build_uses, stored_tables
from quatrain.parsing.chunks import chunk_document
from quatrain.parsing.pool import WorkerPool
from quatrain.records import CHUNKER_VERSION, ParsedFile, SourceFile
from quatrain.storage import manifest as manifests
from quatrain.storage.manifest import Manifest
from quatrain.storage.reader import Segment
from quatrain.storage.writer import SegmentWriter

if TYPE_CHECKING:
    from quatrain.linking import Earlier, LinkResult

__all__ = ["FACTS_VERSION", "Progress", "build_generation", "is_current"]

# Raise when parsing changes: facts and vectors of older generations are then made anew, as they are when CHUNKER_VERSION is raised.
FACTS_VERSION = 11
# Raise when linking or the sections of an index change: segments are then written anew from the stored facts and vectors.
LAYOUT_VERSION = 12
# Flags of a file whose head says that a program wrote it: demoted like a generated path.
GENERATED_CONTENT = document_index.GENERATED | document_index.DEMOTED
EMBED_BATCH = 2048
# A file written in the same clock tick as the walk may change again without a new mtime; it is compared by content next time.
RACY_NS = 2_000_000_000

Progress = Callable[[str, int, int], None]

_log = logging.getLogger("quatrain")


@dataclass(slots=True)
class _Indexed:
    """One file on its way into the segment."""

    number: int  # of the walk
    file: SourceFile
    data: bytes | memoryview
    newlines: memoryview | None  # as they are stored, if they are
    content_hash: bytes
    generated: bool
    stored: bytes | memoryview = b""  # the facts without the references, as they are kept
    references: bytes | memoryview = b""  # the references, as they are kept
    parse: str = ""
    facts: ParsedFile | None = None  # if they had to be made or read
    reused: bool = False  # the facts are those of the previous generation
    earlier: int = -1  # the same file in the previous generation, if path, content and language are the same

    @property
    def parsed(self) -> ParsedFile:
        """All facts."""
        return load_facts(self.stored, self.references) if self.facts is None else self.facts

    @property
    def linkable(self) -> ParsedFile:
        """The facts that linking and embedding need: see `load_linkable`."""
        if self.facts is None:
            return load_linkable(self.stored, self.references)
        return self.facts if self.facts.bindings is None else self.facts._replace(references=())


def build_generation(
    root: Path,
    directory: Path,
    embedder: Embedder | None,
    *,
    workers: int,
    max_file_bytes: int,
    progress: Progress,
    previous: tuple[Manifest, Segment] | None,
    discovery: Discovery | None = None,
) -> Manifest:
    """Index ``root`` and publish the result; the caller holds the writer lock.

    Parameters
    ----------
    root
        The source tree.
    directory
        The index directory.
    embedder
        Makes the vectors, or None for an index without them.
    workers
        Number of parser processes.
    max_file_bytes
        Larger files are skipped, and listed as such.
    progress
        Called with (stage, done, total).
    previous
        The generation to take unchanged files from.
    discovery
        The walk, if it was made already.

    Raises
    ------
    NothingIndexed
        The folder is not empty but no file of it can be indexed.
    """
    started_ns = time.time_ns()
    progress("walk", 0, 0)
    discovery = discovery or discover(root, max_file_bytes=max_file_bytes)
    identity = describe_embedder(embedder)
    earlier = _Earlier(previous, identity) if previous else None
    indexed, builder, skipped = _read_and_parse(root, discovery, earlier, workers, max_file_bytes, progress)
    if not indexed:
        raise nothing_indexed(root, [reason for _, _, _, reason in skipped], discovery.notes)

    writer = SegmentWriter(directory)
    counts = _write_indexes(writer, indexed, builder, skipped, earlier, embedder, progress, root.name)
    progress("write", 0, 1)
    entry = writer.finish()
    manifest = Manifest(
        generation=manifests.latest_generation(directory) + 1,
        root=str(root),
        segments=(entry,),
        fingerprint={
            "facts": FACTS_VERSION,
            "chunker": CHUNKER_VERSION,
            "layout": LAYOUT_VERSION,
            "embedder": identity,
            "max_file_bytes": max_file_bytes,
        },
        counts=counts
        | {
            "walk": discovery.method,
            "notes": list(discovery.notes),
            "started_ns": started_ns,
            "seconds": round((time.time_ns() - started_ns) / 1e9, 3),
            "reused": sum(item.reused for item in indexed),
        },
    )
    manifests.commit(directory, manifest)
    manifests.sweep(directory)
    progress("write", 1, 1)
    return manifest


def describe_embedder(embedder: Embedder | None) -> dict[str, Any] | None:
    """Return what a manifest says of the embedder: how to get it again, who it is, whether text leaves the machine."""
    if embedder is None:
        return None
    identity = embedder.identity
    return {
        "spec": getattr(embedder, "spec", identity.spec),
        "identity": identity.to_bytes().decode(),
        "remote": embedder.remote,
        "trust": embedder.trust,
    }


class _Earlier:
    """What the previous generation knows about files that did not change."""

    def __init__(self, previous: tuple[Manifest, Segment], identity: dict[str, Any] | None) -> None:
        manifest, self.segment = previous
        self.documents = document_index.Documents(self.segment)
        self.root = Path(manifest.root).name
        self.started_ns = int(manifest.counts.get("started_ns", 0))
        self.same_facts = _has_current_facts(manifest)
        self.same_rows = self.same_facts and manifest.fingerprint.get("layout") == LAYOUT_VERSION
        self._facts = StringTable(self.segment, "facts") if self.same_facts else None
        self._references = StringTable(self.segment, "references") if self.same_facts else None
        self.codes: np.ndarray | None = None
        if (
            self.same_facts
            and identity is not None
            and manifest.fingerprint.get("embedder") == identity
            and "vector/codes" in self.segment
        ):
            self.codes = self.segment.array("vector/codes")
        self.chunk_offsets = self.segment.array("file/chunk_offset").astype(np.int64)

    @cached_property
    def _by_content(self) -> dict[tuple[bytes, str], int]:
        # What a file says can depend on its name: an ``__init__.py`` hands on what it imports.
        hashes, paths = self.documents.hashes, self.documents.paths
        return {(hashes[f].tobytes(), path.rpartition("/")[2]): f for f, path in enumerate(paths)}

    def unchanged(self, file: SourceFile) -> int:
        """Return the number of the stored file if size and mtime prove that it is the same, else -1."""
        number = self.documents.numbers.get(file.path, -1)
        if (
            number < 0
            or int(self.documents.sizes[number]) != file.size
            or int(self.documents.mtimes_ns[number]) != file.mtime_ns
            or file.mtime_ns > self.started_ns - RACY_NS
        ):
            return -1
        return number

    def take(self, walked: int, file: SourceFile, number: int) -> _Indexed:
        """Return a stored file."""
        generated = bool(self.documents.flags[number] & GENERATED_CONTENT == GENERATED_CONTENT)
        data, newlines = self.documents.stored(number)
        return _Indexed(walked, file, data, newlines, self.documents.hashes[number].tobytes(), generated)

    def find(self, item: _Indexed) -> bool:
        """Fill in the stored facts of a file with the same content, name and language, wherever it lay; return whether there are any."""
        if self._facts is None or self._references is None:
            return False
        number = self.documents.numbers.get(item.file.path, -1)
        if number < 0 or self.documents.hashes[number].tobytes() != item.content_hash:
            number = self._by_content.get((item.content_hash, item.file.path.rpartition("/")[2]), -1)
        if number < 0 or self.documents.language(number) != item.file.language:
            return False
        item.stored, item.references = self._facts.view(number), self._references.view(number)
        item.parse, item.reused = self.documents.parses[number], True
        item.earlier = number if self.documents.path(number) == item.file.path else -1
        return True

    def links(self) -> Earlier:
        """Return the tree as it was linked."""
        from quatrain.linking import (
            Earlier,
            FileFacts,
        )  # here and below: whoever finds an index current needs no linker

        documents = self.documents
        files = [
            FileFacts(documents.path(n), documents.language(n), partial(self._parsed, n))
            for n in range(documents.count)
        ]
        return Earlier(files, (), self.root, partial(graph.stored_edges, self.segment))

    def _parsed(self, number: int) -> ParsedFile:
        return load_linkable(*(StringTable(self.segment, tag).view(number) for tag in ("facts", "references")))

    def modules(self) -> StringTable:
        """Return the names of the modules that the files are."""
        return StringTable(self.segment, "module/name")


class _FactsUnpickler(pickle.Unpickler):
    """Loads fact tuples and nothing else: an index is data, not a program."""

    ALLOWED = frozenset({"Symbol", "Reference", "Import", "Base", "Chunk", "ParsedFile"})

    def find_class(self, module: str, name: str) -> Any:
        if module == "quatrain.records" and name in self.ALLOWED:
            return getattr(records, name)
        if module.startswith("quatrain.parsing.bindings") and name[:1].isupper():
            import importlib

            found = getattr(importlib.import_module(module), name, None)
            if isinstance(found, type) and issubclass(found, tuple):
                return found
        raise IndexCorrupt(f"the index holds {module}.{name} among its facts; run `quatrain index --rebuild`")


def dump_facts(parsed: ParsedFile) -> tuple[bytes, bytes]:
    """Return the stored form of what a file says by itself: all but the references, and the references."""
    parts = parsed._replace(references=()), parsed.references
    facts, references = (zlib.compress(pickle.dumps(part, protocol=5), 1) for part in parts)
    return facts, references


def load_facts(stored: bytes | memoryview, references: bytes | memoryview | None = None) -> ParsedFile:
    """Return facts from their stored form; without references if those are not given."""
    facts: ParsedFile = _load(stored)
    return facts if references is None else facts._replace(references=_load(references))


def load_linkable(stored: bytes | memoryview, references: bytes | memoryview) -> ParsedFile:
    """Return facts for the linker: the references, which are most of all facts, only where there are no bindings."""
    facts = load_facts(stored)
    return facts if facts.bindings is not None else load_facts(stored, references)


def _load(stored: bytes | memoryview) -> Any:
    try:
        return _FactsUnpickler(io.BytesIO(zlib.decompress(stored))).load()
    except (pickle.UnpicklingError, zlib.error, EOFError, ValueError, TypeError, AttributeError, ImportError) as error:
        raise IndexCorrupt("stored facts cannot be read; run `quatrain index --rebuild`") from error


def _read_and_parse(
    root: Path, discovery: Discovery, earlier: _Earlier | None, workers: int, max_file_bytes: int, progress: Progress
) -> tuple[list[_Indexed], TableBuilder, list[tuple[str, int, str | None, str]]]:
    """Return what is indexed in the order of the file ids, the rows of what was parsed by the number of the walk, what is skipped."""
    skipped: list[tuple[str, int, str | None, str]] = []
    indexed: dict[int, _Indexed] = {}
    builder = TableBuilder()
    files = discovery.files

    def to_parse() -> Iterator[tuple[int, str, str | None, bytes]]:
        for number, file in enumerate(files):
            if file.skip_reason:
                skipped.append((file.path, file.size, file.language, file.skip_reason))
                continue
            at = earlier.unchanged(file) if earlier else -1
            if earlier is not None and at >= 0:
                item = earlier.take(number, file, at)
            else:
                read = read_source(root, file, max_file_bytes=max_file_bytes)
                if isinstance(read, str):
                    skipped.append((file.path, file.size, file.language, read))
                    continue
                item = _Indexed(number, file, read.data, None, read.content_hash, read.generated)
            item.file = with_language(file, item.data, discovery.header_language)
            indexed[number] = item
            if earlier is None or not earlier.find(item):
                yield number, file.path, item.file.language, bytes(item.data)

    total = len(files)
    with WorkerPool(workers) as pool:
        for done, (number, facts) in enumerate(pool.parse(to_parse()), 1):
            item = indexed[number]
            item.facts, item.parse = facts, facts.parse
            item.stored, item.references = dump_facts(facts)
            builder.add(number, facts)
            item.facts = item.linkable  # the others are not needed any more
            if not done % 50:
                progress("parse", len(indexed) + len(skipped), total)
    progress("parse", total, total)
    ordered = sorted(indexed.values(), key=lambda item: encode(item.file.path))
    return ordered, builder, sorted(skipped, key=lambda entry: encode(entry[0]))


def _module_names(indexed: list[_Indexed], earlier: _Earlier | None, root: str) -> list[str]:
    """Return the name of the module that each file is."""
    from quatrain.linking import module_name, package_directories

    packages = package_directories(item.file.path for item in indexed)
    known = earlier.modules() if earlier is not None and earlier.same_rows else None
    names = []
    for item in indexed:
        if known is not None and item.earlier >= 0 and item.file.language != "python":
            names.append(known[item.earlier])  # by path and content alone
        else:
            parsed = None if item.file.language == "python" else item.linkable
            names.append(module_name(item.file.path, item.file.language, parsed, packages, root))
    return names


def _link(indexed: list[_Indexed], earlier: _Earlier | None, root: str) -> LinkResult:
    """Return the edges of all files."""
    from quatrain.linking import FileFacts, LinkInput, link, relink

    if earlier is None or not earlier.same_rows:
        return link([LinkInput(item.file.path, item.file.language, item.linkable) for item in indexed], root=root)
    files = [FileFacts(item.file.path, item.file.language, partial(getattr, item, "linkable")) for item in indexed]
    return relink(files, [item.earlier for item in indexed], earlier.links(), root=root)


def _tables(indexed: list[_Indexed], builder: TableBuilder, modules: list[str], earlier: _Earlier | None) -> Tables:
    """Return the rows of all files, ``qualified`` by their modules; ``builder`` holds those of the parsed ones."""
    from quatrain.linking import qualified_name

    kept = np.full(earlier.documents.count if earlier else 0, -1, np.int64)
    known = earlier.modules() if earlier is not None and earlier.same_rows else None
    for number, item in enumerate(indexed):
        if known is not None and item.earlier >= 0 and known[item.earlier] == modules[number]:
            kept[item.earlier] = number
        elif item.reused:
            builder.add(item.number, item.parsed)
    places = np.zeros(1 + max(item.number for item in indexed), np.int64)
    places[[item.number for item in indexed]] = np.arange(len(indexed))
    made = builder.finish().renumbered(places)
    local = made.symbols.qualified
    qualified = [
        encode(qualified_name(modules[file], indexed[file].file.language, name))
        for file, name in zip(made.symbols.file.tolist(), local.texts(), strict=True)
    ]
    made = made._replace(symbols=made.symbols._replace(qualified=Strings.of(qualified)))
    return made if known is None or earlier is None else stored_tables(earlier.segment, kept).joined(made)


def _write_indexes(
    writer: SegmentWriter,
    indexed: list[_Indexed],
    builder: TableBuilder,
    skipped: list[tuple[str, int, str | None, str]],
    earlier: _Earlier | None,
    embedder: Embedder | None,
    progress: Progress,
    root: str,
) -> dict[str, Any]:
    files = len(indexed)
    paths = [item.file.path for item in indexed]
    flags = flag_paths(paths, [item.file.language for item in indexed])
    content, offsets = document_index.build(
        writer,
        [
            document_index.DocumentRow(
                item.file.path, item.file.language, item.file.size, item.file.mtime_ns, item.content_hash,
                int(flag) | (GENERATED_CONTENT if item.generated else 0), item.parse, item.data, item.newlines,
            )
            for item, flag in zip(indexed, flags, strict=True)
        ],
        skipped,
    )  # fmt: skip
    view = memoryview(content)
    for item, start, end in zip(indexed, offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        item.data = view[start:end]  # one copy of the tree is enough
    Strings.of([item.stored for item in indexed]).write(writer, "facts")
    Strings.of([item.references for item in indexed]).write(writer, "references")
    homes = _module_names(indexed, earlier, root)
    modules.build(writer, paths, homes, root)
    tables = _tables(indexed, builder, homes, earlier)
    progress("text", 0, 3)
    trigrams.build(writer, content, offsets)

    progress("link", 0, 2)
    started = time.perf_counter()
    linked = _link(indexed, earlier, root)
    linking = time.perf_counter() - started
    progress("link", 1, 2)
    order = symbols.order_symbols(tables, linked.names, files)
    chunk_order = chunk_index.order_chunks(tables.chunks, files)
    chunk_of, defined = chunk_order.holders(tables.chunks, tables.symbols)
    symbols.build(writer, tables.symbols, order, tables.symbols.qualified, chunk_of)
    build_uses(writer, tables.uses, order.name_of, files)
    started = time.perf_counter()
    ranks = graph.build(writer, linked, order, files)
    ranking = time.perf_counter() - started
    progress("link", 2, 2)

    chunks = tables.chunks
    count = len(chunk_order.rows)
    shown = order.global_ids(chunks.file, chunks.symbol)[chunk_order.rows]
    # Definitions by chunk, and within it as they stand in the source.
    by_chunk = np.lexsort((tables.symbols.local, tables.symbols.name_byte, chunk_of))
    by_chunk = by_chunk[defined[by_chunk]]
    centrality = np.zeros(count, np.float32)
    ids = order.global_ids(tables.symbols.file, tables.symbols.local)
    np.maximum.at(centrality, chunk_of[by_chunk], ranks[ids[by_chunk]].astype(np.float32))
    chunk_index.build(writer, chunks, chunk_order, shown, centrality)

    progress("text", 1, 3)
    chunk_files = chunks.file[chunk_order.rows]
    names = order.name_of[tables.symbols.name]
    enclosing = chunks.enclosing.take(chunk_order.rows)
    around = enclosing.blob.view(np.uint32).astype(np.int64)
    sizes = enclosing.sizes // 4
    around_ids = order.global_ids(np.repeat(chunk_files, sizes), around)
    terms.build(
        writer,
        content,
        offsets,
        (chunk_files, chunks.start_byte[chunk_order.rows], chunks.end_byte[chunk_order.rows]),
        _spelled(order.names, names[by_chunk], np.bincount(chunk_of[by_chunk], minlength=count)),
        _spelled(order.names, names[order.rows[around_ids]], sizes),
        paths,
    )
    progress("text", 2, 3)
    terms.build_names(writer, Strings.of(order.names).take(names[order.rows]))
    file_names.build(writer, paths)
    uses = tables.uses
    file_graph.build(writer, (uses.file, order.name_of[uses.name], uses.count), (tables.symbols.file, names), files)
    progress("text", 3, 3)
    if embedder is not None:
        codes = _embed(indexed, chunk_order.starts, earlier, embedder, progress)
        vectors.build(writer, codes, embedder.identity)
    return {
        "files": files,
        "skipped": len(skipped),
        "chunks": count,
        "symbols": order.count,
        "edges": len(linked),
        "bytes": int(offsets[-1]),
        "link_milliseconds": round(linking * 1000),
        "rank_milliseconds": round(ranking * 1000),  # with writing the graph
    }


def _spelled(names: list[bytes], numbers: np.ndarray, sizes: np.ndarray) -> Strings:
    """Return lists of names as one string each, a space behind every name; ``sizes`` says how many of ``numbers`` each list has."""
    words = Strings.of([name + b" " for name in names]).take(numbers)
    ends = np.cumsum(np.append(0, sizes))
    return Strings(words.blob, words.offsets[ends])


def _embed(
    indexed: list[_Indexed],
    chunk_starts: np.ndarray,
    earlier: _Earlier | None,
    embedder: Embedder,
    progress: Progress,
) -> np.ndarray:
    total = int(chunk_starts[-1])
    codes = np.zeros((total, embedder.identity.dimensions // 8), np.uint8)
    wanted: list[_Place] = []
    known = earlier.codes if earlier is not None else None
    for item, row, end in zip(indexed, chunk_starts.tolist(), chunk_starts[1:].tolist(), strict=False):
        if known is not None and earlier is not None and item.earlier >= 0:
            first = int(earlier.chunk_offsets[item.earlier])
            codes[row:end] = known[first : first + end - row]
        else:
            wanted.extend(_Place(row + position, item, position) for position in range(end - row))
    batches = [wanted[first : first + EMBED_BATCH] for first in range(0, len(wanted), EMBED_BATCH)]
    done = total - len(wanted)
    progress("embed", done, total)
    with _accounts(embedder, batches, lambda within: progress("embed", done + within, total)):
        for batch in batches:
            codes[[place.row for place in batch]] = embedder.embed_documents(*_documents(batch))
            done += len(batch)
            progress("embed", done, total)
    return codes


class _Place(NamedTuple):
    """One chunk to embed."""

    row: int
    item: _Indexed
    position: int  # among the chunks of its file


def _documents(batch: list[_Place]) -> tuple[list[str], list[str]]:
    """Return what is embedded for some chunks: texts and name slots."""
    pairs = []
    for _, places in groupby(batch, key=lambda place: id(place.item)):
        of_file = list(places)
        item = of_file[0].item
        data, parsed = bytes(item.data), item.linkable
        pairs += [chunk_document(item.file.path, data, parsed, parsed.chunks[place.position]) for place in of_file]
    return [text for text, _ in pairs], [name for _, name in pairs]


@contextmanager
def _accounts(embedder: Embedder, batches: list[list[_Place]], progress: Callable[[int], None]) -> Iterator[None]:
    """Log what a paid embedder is about to cost, and what it has billed, also when it fails."""
    if not isinstance(embedder, PaidEmbedder) or not batches:
        yield
        return
    spec = embedder.identity.spec
    costs = [embedder.estimate(*_documents(batch)) for batch in batches]
    _log.info(
        "%s: %s texts, %s of them bought before; the rest are about %s tokens, $%.4f at list price",
        spec, *(f"{sum(n):,}" for n in zip(*((c.texts, c.known, c.tokens) for c in costs), strict=True)),
        sum(c.dollars for c in costs),
    )  # fmt: skip
    billed, own = embedder.tokens_billed, embedder.progress
    if own is None:
        embedder.progress = lambda done, total, tokens: progress(done)
    try:
        yield
    finally:
        embedder.progress = own
        _log.info("%s billed %s tokens", spec, f"{embedder.tokens_billed - billed:,}")


def _has_current_facts(manifest: Manifest) -> bool:
    made_by = manifest.fingerprint.get("facts"), manifest.fingerprint.get("chunker")
    return made_by == (FACTS_VERSION, CHUNKER_VERSION)


def is_current(root: Path, discovery: Discovery, previous: tuple[Manifest, Segment]) -> bool:
    """Return whether a generation still describes the tree: by path, size and mtime, and by content where the mtime proves nothing."""
    manifest, segment = previous
    if not _has_current_facts(manifest) or manifest.fingerprint.get("layout") != LAYOUT_VERSION:
        return False
    documents = document_index.Documents(segment)
    sizes, mtimes_ns = documents.sizes.tolist(), documents.mtimes_ns.tolist()
    trusted_ns = int(manifest.counts.get("started_ns", 0)) - RACY_NS
    skipped = {path: (size, reason) for path, size, _, reason in documents.skipped()}
    seen = 0
    for file in discovery.files:
        number = documents.numbers.get(file.path, -1)
        if number < 0:
            size, reason = skipped.pop(file.path, (-1, ""))
            if (
                size != file.size
                or (file.skip_reason or reason) != reason
                or (not file.skip_reason and file.mtime_ns > trusted_ns)
            ):
                return False
            continue
        seen += 1
        if file.skip_reason or sizes[number] != file.size or mtimes_ns[number] != file.mtime_ns:
            return False
        if file.mtime_ns > trusted_ns:
            source = read_source(root, file, max_file_bytes=int(manifest.fingerprint["max_file_bytes"]))
            if isinstance(source, str) or source.content_hash != documents.hashes[number].tobytes():
                return False
    return seen == documents.count and not skipped
