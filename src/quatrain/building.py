"""Source tree in, one new generation out.

Unchanged files are neither read, parsed nor embedded again: their facts and vectors are taken from the previous generation by content
hash.  What depends on all files at once (links, ranks, postings) is made anew.
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
from pathlib import Path
from typing import Any

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
from quatrain.indexes.strings import StringTable, encode, write_strings
from quatrain.linking import LinkInput, link, module_name, package_directories, qualified_name
from quatrain.parsing.chunks import chunk_document
from quatrain.parsing.pool import WorkerPool
from quatrain.records import CHUNKER_VERSION, Chunk, ParsedFile, Source, SourceFile
from quatrain.storage import manifest as manifests
from quatrain.storage.manifest import Manifest
from quatrain.storage.reader import Segment
from quatrain.storage.writer import SegmentWriter

__all__ = ["FACTS_VERSION", "Progress", "build_generation", "is_current"]

# Raise when parsing changes: facts and vectors of older generations are then made anew, as they are when CHUNKER_VERSION is raised.
FACTS_VERSION = 6
# Raise when linking or the sections of an index change: segments are then written anew from the stored facts and vectors.
LAYOUT_VERSION = 7
# Flags of a file whose head says that a program wrote it: demoted like a generated path.
GENERATED_CONTENT = document_index.GENERATED | document_index.DEMOTED
EMBED_BATCH = 2048
# A file written in the same clock tick as the walk may change again without a new mtime; it is compared by content next time.
RACY_NS = 2_000_000_000

Progress = Callable[[str, int, int], None]

_log = logging.getLogger("quatrain")


@dataclass(frozen=True, slots=True)
class _Indexed:
    """One file on its way into the segment."""

    file: SourceFile
    source: Source
    parsed: ParsedFile
    stored: bytes  # the facts as they are kept
    reused: bool  # the facts are those of the previous generation
    codes: np.ndarray | None  # rows of the previous generation, if the chunks are the same


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
    indexed, skipped = _read_and_parse(root, discovery, earlier, workers, max_file_bytes, progress)
    if not indexed:
        raise nothing_indexed(root, [reason for _, _, _, reason in skipped], discovery.notes)

    writer = SegmentWriter(directory)
    counts = _write_indexes(writer, indexed, skipped, embedder, progress, root.name)
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
        manifest, segment = previous
        self.documents = document_index.Documents(segment)
        self.started_ns = int(manifest.counts.get("started_ns", 0))
        self.same_facts = _has_current_facts(manifest)
        self._facts = StringTable(segment, "facts") if self.same_facts else None
        self._codes = None
        if (
            self.same_facts
            and identity is not None
            and manifest.fingerprint.get("embedder") == identity
            and "vector/codes" in segment
        ):
            self._codes = segment.array("vector/codes")
        self._chunk_offsets = segment.array("file/chunk_offset")
        self._by_hash = {self.documents.hashes[f].tobytes(): f for f in range(self.documents.count)}

    def unchanged(self, file: SourceFile) -> Source | None:
        """Return the stored source if size and mtime prove that the file is the same."""
        number = self.documents.file_id(file.path)
        if (
            number < 0
            or int(self.documents.sizes[number]) != file.size
            or int(self.documents.mtimes_ns[number]) != file.mtime_ns
        ):
            return None
        if file.mtime_ns > self.started_ns - RACY_NS:
            return None
        generated = bool(self.documents.flags[number] & GENERATED_CONTENT == GENERATED_CONTENT)
        return Source(self.documents.content(number), self.documents.hashes[number].tobytes(), "stored", generated)

    def facts(self, file: SourceFile, source: Source) -> bytes | None:
        """Return the stored facts of a file with the same content and language, wherever it lay."""
        number = self._by_hash.get(source.content_hash, -1)
        if self._facts is None or number < 0 or self.documents.language(number) != file.language:
            return None
        return self._facts.raw(number)

    def codes(self, file: SourceFile, source: Source) -> np.ndarray | None:
        """Return the vectors of the chunks of an unchanged file."""
        number = self.documents.file_id(file.path)
        if self._codes is None or number < 0 or self.documents.hashes[number].tobytes() != source.content_hash:
            return None
        return self._codes[int(self._chunk_offsets[number]) : int(self._chunk_offsets[number + 1])]


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


def dump_facts(parsed: ParsedFile) -> bytes:
    """Return the stored form of what a file says by itself."""
    return zlib.compress(pickle.dumps(parsed, protocol=5), 1)


def load_facts(stored: bytes) -> ParsedFile:
    """Return facts from their stored form."""
    try:
        return _FactsUnpickler(io.BytesIO(zlib.decompress(stored))).load()
    except (pickle.UnpicklingError, zlib.error, EOFError, ValueError, TypeError, AttributeError, ImportError) as error:
        raise IndexCorrupt("stored facts cannot be read; run `quatrain index --rebuild`") from error


def _read_and_parse(
    root: Path, discovery: Discovery, earlier: _Earlier | None, workers: int, max_file_bytes: int, progress: Progress
) -> tuple[list[_Indexed], list[tuple[str, int, str | None, str]]]:
    skipped: list[tuple[str, int, str | None, str]] = []
    sources: dict[int, Source] = {}
    parsed: dict[int, ParsedFile] = {}
    stored: dict[int, bytes] = {}
    codes: dict[int, np.ndarray | None] = {}
    files = list(discovery.files)

    def to_parse() -> Iterator[tuple[int, str, str | None, bytes]]:
        for number, file in enumerate(files):
            if file.skip_reason:
                skipped.append((file.path, file.size, file.language, file.skip_reason))
                continue
            source = earlier.unchanged(file) if earlier else None
            if source is None:
                read = read_source(root, file, max_file_bytes=max_file_bytes)
                if isinstance(read, str):
                    skipped.append((file.path, file.size, file.language, read))
                    continue
                source = read
            files[number] = file = with_language(file, source.data, discovery.header_language)
            sources[number] = source
            facts = earlier.facts(file, source) if earlier else None
            if facts is not None and earlier is not None:
                parsed[number], stored[number] = load_facts(facts), facts
                codes[number] = earlier.codes(file, source)
            else:
                yield number, file.path, file.language, source.data

    total = len(files)
    with WorkerPool(workers) as pool:
        for done, (number, facts) in enumerate(pool.parse(to_parse()), 1):
            parsed[number], stored[number] = facts, dump_facts(facts)
            if not done % 50:
                progress("parse", len(parsed) + len(skipped), total)
    progress("parse", total, total)
    indexed = [
        _Indexed(files[number], sources[number], parsed[number], stored[number], number in codes, codes.get(number))
        for number in sorted(sources, key=lambda n: encode(files[n].path))
    ]
    return indexed, sorted(skipped, key=lambda entry: encode(entry[0]))


def _write_indexes(
    writer: SegmentWriter,
    indexed: list[_Indexed],
    skipped: list[tuple[str, int, str | None, str]],
    embedder: Embedder | None,
    progress: Progress,
    root: str,
) -> dict[str, Any]:
    paths = [item.file.path for item in indexed]
    facts = [item.parsed for item in indexed]
    flags = flag_paths(paths, [item.file.language for item in indexed])
    document_index.build(
        writer,
        [
            document_index.DocumentRow(
                item.file.path, item.file.language, item.file.size, item.file.mtime_ns, item.source.content_hash,
                int(flag) | (GENERATED_CONTENT if item.source.generated else 0), item.parsed.parse, item.source.data,
            )
            for item, flag in zip(indexed, flags, strict=True)
        ],
        skipped,
    )  # fmt: skip
    write_strings(writer, "facts", [item.stored for item in indexed])
    content, offsets = document_index.concatenate([item.source.data for item in indexed])
    progress("text", 0, 3)
    trigrams.build(writer, content, offsets)

    progress("link", 0, 1)
    started = time.perf_counter()
    linked = link([LinkInput(item.file.path, item.file.language, item.parsed) for item in indexed], root=root)
    linking = time.perf_counter() - started
    names = {reference.name for parsed in facts for reference in parsed.references} | set(linked.names)
    order = symbols.order_symbols([parsed.symbols for parsed in facts], names)
    packages = package_directories(paths)
    homes = [module_name(item.file.path, item.file.language, item.parsed, packages, root) for item in indexed]
    qualified = [
        [qualified_name(module, item.file.language, symbol.qualified_name) for symbol in item.parsed.symbols]
        for module, item in zip(homes, indexed, strict=True)
    ]
    modules.build(writer, paths, homes, root)
    chunk_starts = np.zeros(len(indexed) + 1, np.int64)
    np.cumsum([len(parsed.chunks) for parsed in facts], out=chunk_starts[1:])
    chunk_of = [_chunk_of_symbols(parsed, int(start)) for parsed, start in zip(facts, chunk_starts, strict=False)]
    symbols.build(writer, [parsed.symbols for parsed in facts], order, qualified, chunk_of)
    started = time.perf_counter()
    ranks = graph.build(writer, linked, order, len(indexed))
    ranking = time.perf_counter() - started
    progress("link", 1, 1)

    chunk_files = np.repeat(np.arange(len(indexed)), [len(parsed.chunks) for parsed in facts])
    rows = [(f, chunk) for f, parsed in enumerate(facts) for chunk in parsed.chunks]
    spans = np.array([(chunk.start_byte, chunk.end_byte) for _, chunk in rows], np.int64).reshape(-1, 2)
    lines = np.array([(chunk.start_line, chunk.end_line) for _, chunk in rows], np.int64).reshape(-1, 2)
    shown = np.array([order.ids[f][chunk.symbol] if chunk.symbol >= 0 else -1 for f, chunk in rows], np.int64)
    centrality = np.array(
        [max((ranks[order.ids[f][s]] for s in chunk.defines), default=0.0) for f, chunk in rows], np.float32
    )
    chunk_index.build(writer, chunk_files, spans, lines, shown, centrality, len(indexed))

    progress("text", 1, 3)
    terms.build(
        writer,
        content,
        offsets,
        (chunk_files, spans[:, 0], spans[:, 1]),
        [encode(" ".join(facts[f].symbols[s].name for s in chunk.defines)) for f, chunk in rows],
        [encode(" ".join(facts[f].symbols[s].name for s in chunk.enclosing)) for f, chunk in rows],
        paths,
    )
    progress("text", 2, 3)
    terms.build_names(writer, [facts[f].symbols[i].name for f, i in order.places])
    file_names.build(writer, paths)
    file_graph.build(
        writer,
        [[reference.name for reference in parsed.references] for parsed in facts],
        [[symbol.name for symbol in parsed.symbols] for parsed in facts],
    )
    progress("text", 3, 3)
    if embedder is not None:
        codes = _embed(indexed, embedder, progress)
        vectors.build(writer, codes, embedder.identity)
    return {
        "files": len(indexed),
        "skipped": len(skipped),
        "chunks": len(rows),
        "symbols": len(order.places),
        "edges": len(linked),
        "bytes": int(offsets[-1]),
        "link_milliseconds": round(linking * 1000),
        "rank_milliseconds": round(ranking * 1000),  # with writing the graph
    }


def _chunk_of_symbols(parsed: ParsedFile, first_chunk: int) -> np.ndarray:
    """Return the global chunk id that holds the name of each symbol."""
    if not parsed.chunks:
        return np.full(len(parsed.symbols), -1, np.int64)
    starts = np.array([chunk.start_byte for chunk in parsed.chunks])
    at = np.searchsorted(starts, [symbol.name_byte for symbol in parsed.symbols], side="right") - 1
    return first_chunk + np.maximum(at, 0).astype(np.int64)


def _embed(indexed: list[_Indexed], embedder: Embedder, progress: Progress) -> np.ndarray:
    total = sum(len(item.parsed.chunks) for item in indexed)
    codes = np.zeros((total, embedder.identity.dimensions // 8), np.uint8)
    wanted: list[tuple[int, _Indexed, Chunk]] = []
    row = 0
    for item in indexed:
        count = len(item.parsed.chunks)
        if item.codes is not None and len(item.codes) == count:
            codes[row : row + count] = item.codes
        else:
            wanted.extend((row + position, item, chunk) for position, chunk in enumerate(item.parsed.chunks))
        row += count
    batches = [wanted[first : first + EMBED_BATCH] for first in range(0, len(wanted), EMBED_BATCH)]
    done = total - len(wanted)
    progress("embed", done, total)
    with _accounts(embedder, batches, lambda within: progress("embed", done + within, total)):
        for batch in batches:
            codes[[row for row, _, _ in batch]] = embedder.embed_documents(*_documents(batch))
            done += len(batch)
            progress("embed", done, total)
    return codes


def _documents(batch: list[tuple[int, _Indexed, Chunk]]) -> tuple[list[str], list[str]]:
    """Return what is embedded for some chunks: texts and name slots."""
    pairs = [chunk_document(item.file.path, item.source.data, item.parsed, chunk) for _, item, chunk in batch]
    return [text for text, _ in pairs], [name for _, name in pairs]


@contextmanager
def _accounts(
    embedder: Embedder, batches: list[list[tuple[int, _Indexed, Chunk]]], progress: Callable[[int], None]
) -> Iterator[None]:
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
    trusted_ns = int(manifest.counts.get("started_ns", 0)) - RACY_NS
    skipped = {path: reason for path, _, _, reason in documents.skipped()}
    seen = 0
    for file in discovery.files:
        number = documents.file_id(file.path)
        if number < 0:
            reason = skipped.pop(file.path, None)
            if (
                reason is None
                or (file.skip_reason or reason) != reason
                or (not file.skip_reason and file.mtime_ns > trusted_ns)
            ):
                return False
            continue
        seen += 1
        if (
            file.skip_reason
            or int(documents.sizes[number]) != file.size
            or int(documents.mtimes_ns[number]) != file.mtime_ns
        ):
            return False
        if file.mtime_ns > trusted_ns:
            source = read_source(root, file, max_file_bytes=int(manifest.fingerprint["max_file_bytes"]))
            if isinstance(source, str) or source.content_hash != documents.hashes[number].tobytes():
                return False
    return seen == documents.count and not skipped
