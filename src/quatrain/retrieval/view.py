"""One generation of an index, opened: what every retriever looks things up in."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatrain.errors import BadQuery
from quatrain.indexes import documents as document_index
from quatrain.indexes.chunks import Chunks
from quatrain.indexes.documents import Documents
from quatrain.indexes.strings import SectionReader
from quatrain.indexes.symbols import KIND_CODE, Symbols
from quatrain.records import Filters

if TYPE_CHECKING:
    from quatrain.embedders.protocol import Embedder
    from quatrain.indexes.file_graph import FileGraph
    from quatrain.indexes.graph import GraphIndex
    from quatrain.indexes.modules import ModuleIndex
    from quatrain.indexes.terms import NameTermIndex, TermIndex
    from quatrain.indexes.trigrams import TrigramIndex
    from quatrain.indexes.vectors import VectorIndex

__all__ = ["Allowed", "IndexView", "packed_bits", "path_matcher"]


class Allowed(NamedTuple):
    """What a filter lets through; ``None`` means everything."""

    chunk_bits: np.ndarray | None  # uint64 bitmap over chunk ids, bit i of word i // 64
    chunks: np.ndarray | None  # bool[N]
    files: np.ndarray | None  # bool[F]


class IndexView:
    """The opened indexes of one generation.  Immutable; safe to share between threads."""

    def __init__(self, segment: SectionReader, embedder: Callable[[], Embedder | None]) -> None:
        self.segment = segment
        self._make_embedder = embedder
        self._allowed: dict[Filters, Allowed] = {}
        self.caches: dict[str, Any] = {}  # precomputed per-index tables of later stages, by the name of their owner

    @cached_property
    def documents(self) -> Documents:
        """The files."""
        return Documents(self.segment)

    @cached_property
    def chunks(self) -> Chunks:
        """The units of retrieval."""
        return Chunks(self.segment)

    @cached_property
    def symbols(self) -> Symbols:
        """The definitions."""
        return Symbols(self.segment)

    @cached_property
    def trigrams(self) -> TrigramIndex:
        """Trigram postings over files."""
        from quatrain.indexes.trigrams import TrigramIndex

        return TrigramIndex(self.segment)

    @cached_property
    def terms(self) -> TermIndex:
        """Word postings over chunks."""
        from quatrain.indexes.terms import TermIndex

        return TermIndex(self.segment)

    @cached_property
    def name_terms(self) -> NameTermIndex:
        """Sub-word postings over symbol names."""
        from quatrain.indexes.terms import NameTermIndex

        return NameTermIndex(self.segment)

    @cached_property
    def vectors(self) -> VectorIndex | None:
        """Binary embeddings, or None when the index was built without."""
        from quatrain.indexes.vectors import VectorIndex

        return VectorIndex(self.segment) if "vector/codes" in self.segment else None

    @cached_property
    def graph(self) -> GraphIndex:
        """Resolved, ambiguous and unresolved uses."""
        from quatrain.indexes.graph import GraphIndex

        return GraphIndex(self.segment)

    @cached_property
    def modules(self) -> ModuleIndex:
        """Files by what people call them."""
        from quatrain.indexes.modules import ModuleIndex

        return ModuleIndex(self.segment)

    @cached_property
    def file_graph(self) -> FileGraph:
        """Which file uses what another file defines."""
        from quatrain.indexes.file_graph import FileGraph

        return FileGraph(self.segment)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The embedder that made the vectors."""
        return self._make_embedder()

    def allowed(self, filters: Filters) -> Allowed:
        """Return which chunks and files pass ``filters``."""
        found = self._allowed.get(filters)
        if found is None:
            if len(self._allowed) > 64:
                self._allowed.clear()
            found = self._allowed[filters] = self._evaluate(filters)
        return found

    def _evaluate(self, filters: Filters) -> Allowed:
        documents = self.documents
        files = np.ones(documents.count, np.bool_)
        flags = documents.flags
        docs, config = flags & document_index.DOCS != 0, flags & document_index.CONFIG != 0
        if filters.content == "code":
            files &= ~(docs | config)
        elif filters.content == "docs":
            files &= docs
        elif filters.content == "config":
            files &= config
        if filters.languages:
            codes = [documents.languages.index(name) for name in filters.languages if name in documents.languages]
            files &= np.isin(documents.language_codes, codes)
        if filters.paths:
            matches = path_matcher(filters.paths)
            files &= np.fromiter((matches(path) for path in documents.paths), np.bool_, documents.count)
        kinds: np.ndarray | None = None
        if filters.kinds:
            codes = [KIND_CODE[kind] for kind in filters.kinds if kind in KIND_CODE]
            holders = self.symbols.chunks[np.isin(self.symbols.kinds, codes)]
            kinds = np.zeros(self.chunks.count, np.bool_)
            kinds[holders[holders >= 0]] = True
        if files.all() and kinds is None:
            return Allowed(None, None, None)
        chunks = files[self.chunks.files]
        if kinds is not None:
            chunks &= kinds
        return Allowed(packed_bits(chunks), chunks, files)


def packed_bits(flags: np.ndarray) -> np.ndarray:
    """Return flags as a bitmap: uint64 words, flag i in bit i % 64 of word i // 64."""
    padded = np.zeros(-(-len(flags) // 64) * 64, np.bool_)
    padded[: len(flags)] = flags
    return np.packbits(padded, bitorder="little").view(np.uint64)


def path_matcher(globs: tuple[str, ...]) -> Callable[[str], bool]:
    """Return a predicate for path globs, read as in a ``.gitignore`` file.

    The last glob that matches decides; a leading ``!`` excludes.  ``src/`` is everything below a folder of that name, ``/src`` only the one
    at the root.  Unlike there, ``auth/views.py`` need not begin at the root.
    """
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    rules = []
    for glob in globs:
        excludes, body = glob.startswith(("!", "-")), glob.lstrip("!-").removeprefix("./")
        if "/" in body.rstrip("/") and not body.startswith(("/", "**/")):
            body = f"**/{body}"
        pattern = GitIgnoreSpecPattern(body)
        if pattern.regex is None:
            raise BadQuery(f"{glob!r} is no path glob; write for example 'src/', '*.py' or '!tests'")
        rules.append((not excludes, pattern.regex.match))
    # Only exclusions: everything else is meant.
    default = not any(included for included, _ in rules)

    def matches(path: str) -> bool:
        for included, match in reversed(rules):
            if match(path):
                return included
        return default

    return matches
