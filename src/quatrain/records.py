"""What the stages hand each other.

Facts that come by the hundred thousand (symbols, references, chunks) are ``NamedTuple``: immutable, cheap to make and to send between
processes.  What a user receives is a frozen, slotted dataclass with ``to_dict()``; that dictionary is the one JSON schema of the
library, the command line and the MCP server.

Conventions: paths are POSIX and relative to the root; lines are 1-based and inclusive; columns and byte offsets are 0-based and count
bytes of the stored content; a span ``[start_byte, end_byte)`` is half open; an index of ``-1`` means "none".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

__all__ = [
    "Base",
    "Chunk",
    "Construct",
    "Cycle",
    "CycleResponse",
    "DuplicateGroup",
    "DuplicateMember",
    "DuplicateResponse",
    "Edge",
    "FileInfo",
    "Filters",
    "GraphResponse",
    "GrepHit",
    "GrepResponse",
    "Hit",
    "Hub",
    "HubResponse",
    "Import",
    "IndexState",
    "IndexStatus",
    "Intent",
    "ParsedFile",
    "QueryPlan",
    "RankedList",
    "Reference",
    "Relation",
    "SearchResponse",
    "Source",
    "SourceFile",
    "Symbol",
    "SymbolResponse",
    "SymbolRow",
    "SyntaxHit",
    "SyntaxResponse",
]

MODALITIES = ("semantic", "text", "structural", "graph")

# Kinds and relations are stored as one byte: the position in these tuples.  Append only; the order is part of the index format.
SYMBOL_KINDS = (
    "function", "method", "class", "interface", "trait", "struct", "union", "enum", "type", "macro", "module", "namespace",
    "constant", "variable", "field", "property", "constructor", "impl", "extension", "prototype", "annotation", "enum_member",
    "package", "alias",
)  # fmt: skip
EDGE_KINDS = ("call", "import", "inherit", "override", "type", "attribute", "decorator", "use")
EDGE_TIERS = ("T0", "T1", "T2", "T3", "T4", "T5", "-")
EDGE_STATUSES = ("resolved", "ambiguous", "external", "unresolved", "may_dispatch")


class Answer:
    """What a user receives: ``to_dict()`` gives the one JSON schema of the library, the command line and the MCP server."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: plain dictionaries, lists, strings and numbers."""
        return to_plain(self)


# --- files -----------------------------------------------------------------------------------------------------------------------


class SourceFile(NamedTuple):
    """One entry of the walk, before its bytes are read."""

    path: str
    size: int
    mtime_ns: int
    language: str | None
    content_class: str  # "code", "docs" or "config"
    skip_reason: str | None  # None: to be indexed


class Source(NamedTuple):
    """The bytes of one file as they are stored and searched."""

    data: bytes  # UTF-8 where the file was valid UTF-8 or UTF-16; otherwise the raw bytes
    content_hash: bytes  # 16 bytes, blake2b of the raw file
    encoding: str  # "utf-8", "utf-16-le", "utf-16-be" or "unknown-8bit"
    generated: bool


# --- parsing ---------------------------------------------------------------------------------------------------------------------


class Symbol(NamedTuple):
    """One definition.  ``qualified_name`` is local to the file ("Class.method"); indexes prefix the module."""

    name: str
    qualified_name: str
    kind: str
    line: int  # of the name, not of a decorator
    start_line: int  # of the definition with its decorators
    end_line: int
    start_byte: int
    end_byte: int
    name_byte: int
    signature: str  # one line, whitespace folded, without the body
    docstring: str  # first line, or ""
    parent: int  # index into ParsedFile.symbols
    visibility: str  # "public", "protected" or "private"
    decorators: tuple[str, ...]
    parameters: tuple[str, ...]


class Reference(NamedTuple):
    """One use of a name."""

    name: str
    kind: str  # one of EDGE_KINDS
    line: int
    column: int
    byte: int
    scope: int  # the innermost enclosing symbol
    receiver: str  # source of what stands before the dot, or ""


class Import(NamedTuple):
    """One imported name.  ``import a.b as c`` -> ("a.b", "", "c"); ``from .m import x as y`` -> ("m", "x", "y", level=1)."""

    module: str
    name: str  # "" = the module itself, "*" = everything, "default" = a default export
    alias: str  # the local name it binds
    line: int
    column: int
    level: int  # leading dots of a relative import
    is_reexport: bool
    scope: int


class Base(NamedTuple):
    """One base class, implemented interface or embedded type of a symbol."""

    symbol: int
    name: str  # as written, generics removed
    line: int
    column: int


# Raise when a file would be cut otherwise, or a chunk described otherwise to an embedder; vectors of two chunkers are not comparable.
CHUNKER_VERSION = 1


class Chunk(NamedTuple):
    """One unit of retrieval, cut along the syntax."""

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    symbol: int  # the definition it mainly shows
    defines: tuple[int, ...]  # symbols whose name lies in it
    enclosing: tuple[int, ...]  # outermost first


class ParsedFile(NamedTuple):
    """Everything that one file says by itself; never depends on another file, so it is cached by content hash."""

    parse: str  # "tree", "partial" (the tree has errors), "none" (no grammar), or "failed: <reason>"
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    imports: tuple[Import, ...]
    bases: tuple[Base, ...]
    chunks: tuple[Chunk, ...]
    bindings: Any  # value-flow facts that the linker of this language reads (picklable), or None


# --- linking ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Edge(Answer):
    """One resolved, ambiguous, external or unresolved use."""

    caller: str
    callee: str
    kind: str
    path: str
    line: int
    column: int
    tier: str
    confidence: float
    status: str


# --- query -----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Intent(Answer):
    """What kind of question it is: one of six names, how sure, and the rule that said so."""

    name: str
    confidence: float
    rule: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What may be returned.  Empty tuples mean no restriction."""

    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()  # globs; a leading "!" excludes
    kinds: tuple[str, ...] = ()
    content: str = "code"  # "code", "docs", "config" or "all"


class Construct(NamedTuple):
    """A description of definitions; every part that is given must hold."""

    kinds: tuple[str, ...]  # of SYMBOL_KINDS; () when the question names none
    decorators: tuple[str, ...]
    bases: tuple[str, ...]
    parameters: tuple[str, ...]  # names or types
    returns: tuple[str, ...]
    whole: bool  # the question says nothing else


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """A classified question: which modalities run, how they are weighed and what they look for."""

    text: str
    intent: Intent
    preset: str
    modalities: tuple[str, ...]  # in the order they run
    weights: Mapping[str, float]  # over ``modalities``, sums to 1
    k: int
    direct: str | None  # the modality of the direct path
    subjects: tuple[str, ...]  # identifiers the question names, most specific first; dotted names are kept whole
    literal: str | None  # the exact characters wanted
    direction: str | None  # "callers", "callees", "dependents" or "dependencies"
    depth: int
    filters: Filters
    wants_tests: bool = False
    pattern: str | None = None  # a regular expression, when one is wanted instead of `literal`
    relation: str | None = None  # the kind of use asked for, one of EDGE_KINDS; None: any
    of_module: bool = False  # the subject is a module, file or package if one is called that
    construct: Construct | None = None  # what the question says of the headers of definitions


@dataclass(frozen=True, slots=True)
class RankedList:
    """What one retriever found: parallel arrays, best first."""

    modality: str
    chunks: np.ndarray  # int64 chunk ids
    files: np.ndarray  # int64 file ids
    strengths: np.ndarray  # float64, comparable within this list only
    lines: np.ndarray  # int64, the line that is the evidence
    coverage: np.ndarray | None = None  # float64 idf share of the query terms met in the chunk (text only)
    marks: tuple[str, ...] = ()  # per hit: "", "ambiguous", "unresolved", "fuzzy" ...; empty = none marked
    notes: tuple[str, ...] = ()  # for the whole list, e.g. "3 unresolved calls of that name"

    def __len__(self) -> int:
        return len(self.chunks)

    @classmethod
    def empty(cls, modality: str, notes: tuple[str, ...] = ()) -> RankedList:
        """Return a list without hits."""
        none = np.empty(0, np.int64)
        return cls(modality, none, none, np.empty(0, np.float64), none, notes=notes)


# --- answers ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IndexState(Answer):
    """Which index answered."""

    root: str
    generation: int
    stale: bool


@dataclass(frozen=True, slots=True)
class Hit(Answer):
    """One result.

    ``sources`` maps a modality to (rank from 0, contribution to the fused score); ``boost`` is the centrality boost; ``factors`` names
    every further factor of the score with its value.
    """

    path: str
    start_line: int
    end_line: int
    symbol: str | None
    kind: str | None
    language: str | None
    snippet: str
    score: float
    sources: Mapping[str, tuple[int, float]] = field(default_factory=lambda: MappingProxyType({}))
    boost: float = 1.0
    factors: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    mark: str = ""


@dataclass(frozen=True, slots=True)
class SearchResponse(Answer):
    """A ranked answer and how it came about."""

    query: str
    intent: str
    confidence: float
    rule: str
    fusion_strategy: str  # "direct", "direct_fallback", "rrf" or "single"
    preset: str
    modalities: tuple[str, ...]
    weights: Mapping[str, float]
    status: str  # ok | no_match | not_indexed | stale | partial | unsupported_language | modality_unavailable
    hits: tuple[Hit, ...]
    total: int
    truncated: bool
    index: IndexState
    timings_us: Mapping[str, float]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GrepHit(Answer):
    """One matching line.  ``column`` is the 1-based byte column of the first match in it."""

    path: str
    line: int
    column: int
    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GrepResponse(Answer):
    """Every line that matches, or a page of them and the cursor to the next."""

    pattern: str
    status: str  # ok | no_match | partial | stale
    hits: tuple[GrepHit, ...]
    total: int  # matching lines, exact unless status is "partial"
    truncated: bool
    cursor: str | None
    index: IndexState
    timings_us: Mapping[str, float]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SyntaxHit(Answer):
    """One match of a syntax query: where it begins and ends, its source, and the source of each capture."""

    path: str
    line: int
    column: int  # 1-based, in bytes
    end_line: int
    text: str
    captures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SyntaxResponse(Answer):
    """Every match of a syntax query, or a page of them and the cursor to the next."""

    query: str
    language: str
    status: str  # ok | no_match | partial | stale
    hits: tuple[SyntaxHit, ...]
    total: int  # exact unless status is "partial"
    truncated: bool
    cursor: str | None
    index: IndexState
    timings_us: Mapping[str, float]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SymbolRow(Answer):
    """One definition as the index knows it."""

    path: str
    start_line: int  # of the name
    end_line: int
    name: str
    qualified_name: str
    kind: str
    language: str
    signature: str
    docstring: str
    match: str = "exact"  # exact | case | prefix | subword | fuzzy


@dataclass(frozen=True, slots=True)
class SymbolResponse(Answer):
    """Definitions of a name."""

    name: str
    status: str
    symbols: tuple[SymbolRow, ...]
    index: IndexState
    timings_us: Mapping[str, float]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation(Answer):
    """One step of a dependency answer: who stands there, at what distance, how sure, and where the code says so."""

    symbol: str  # qualified name of the other end
    path: str  # file of the site
    line: int  # line of the site
    kind: str  # EDGE_KINDS
    tier: str
    confidence: float  # of this edge; in an impact answer the product along the best path
    status: str
    distance: int  # 1 = direct
    via: str  # the symbol it was reached through ("" when direct)
    is_test: bool
    text: str  # the source line of the site


@dataclass(frozen=True, slots=True)
class GraphResponse(Answer):
    """Callers, callees, references or impact of one symbol.

    ``relations`` holds sure edges first, then ambiguous ones, marked.  ``counts`` says how many sites of that name are ``resolved``,
    ``ambiguous``, ``unresolved`` and ``external``, so that an empty list is never mistaken for "nobody calls it".
    """

    symbol: str
    question: str  # callers | callees | references | impact | path | changes
    status: str
    definitions: tuple[SymbolRow, ...]
    relations: tuple[Relation, ...]
    counts: Mapping[str, int]
    total: int
    truncated: bool
    index: IndexState
    timings_us: Mapping[str, float]
    notes: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()  # test files that use the symbol, or that an impact reaches; nearest first


@dataclass(frozen=True, slots=True)
class Cycle(Answer):
    """Files that import, or functions that call, each other in a circle."""

    members: tuple[str, ...]  # paths or qualified names, sorted
    steps: tuple[Relation, ...]  # one shortest way round, from the first member back to it
    tests: tuple[str, ...] = ()  # test files that use a member


@dataclass(frozen=True, slots=True)
class CycleResponse(Answer):
    """Every circle of dependencies, largest first."""

    of: str  # "files" or "symbols"
    status: str
    cycles: tuple[Cycle, ...]
    total: int
    truncated: bool
    index: IndexState
    timings_us: Mapping[str, float]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hub(Answer):
    """A definition that much depends on."""

    symbol: SymbolRow
    pagerank: float  # over all nodes of the graph the ranks sum to 1
    users: int  # distinct definitions and files that use it
    counts: Mapping[str, int]  # call sites of its name: resolved, ambiguous, unresolved, external
    tests: int  # test files that use it


@dataclass(frozen=True, slots=True)
class HubResponse(Answer):
    """The most central definitions, most central first."""

    status: str
    hubs: tuple[Hub, ...]
    total: int
    truncated: bool
    index: IndexState
    timings_us: Mapping[str, float]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DuplicateMember(Answer):
    """One of the places that are nearly the same."""

    path: str
    start_line: int
    end_line: int
    symbol: str | None
    language: str | None


@dataclass(frozen=True, slots=True)
class DuplicateGroup(Answer):
    """Places that are nearly the same, each like at least one other of the group."""

    members: tuple[DuplicateMember, ...]
    similarity: (
        float  # the least resemblance among the pairs that hold the group together; 1.0 = the same trigrams of tokens
    )
    tokens: int  # of the shortest member


@dataclass(frozen=True, slots=True)
class DuplicateResponse(Answer):
    """Every group of near-duplicates, or a page of them and the cursor to the next; most repeated tokens first."""

    status: str  # ok | no_match | stale | modality_unavailable
    groups: tuple[DuplicateGroup, ...]
    total: int  # groups
    pairs: int  # near-duplicate pairs in all groups
    truncated: bool
    cursor: str | None
    index: IndexState
    timings_us: Mapping[str, float]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileInfo(Answer):
    """One file of the walk, indexed or not."""

    path: str
    language: str | None
    size: int
    indexed: bool
    skip_reason: str | None
    parse: str | None = None


@dataclass(frozen=True, slots=True)
class IndexStatus(Answer):
    """What an index holds and how it was made."""

    root: str
    directory: str
    generation: int
    stale: bool
    fell_back: bool  # the newest manifest was damaged and an older generation answers
    embedder: str
    text_leaves_machine: bool
    counts: Mapping[str, int]  # files, skipped, chunks, symbols, edges, bytes
    languages: Mapping[str, int]
    skipped: Mapping[str, int]  # by reason
    parses: Mapping[str, int]  # tree, partial, none, failed
    walk: str  # "git" or "walk"
    notes: tuple[str, ...]
    index_bytes: int
    capabilities: Mapping[str, Any]


def to_plain(value: Any) -> Any:
    """Return ``value`` as JSON-ready plain data: dataclasses and mappings become dicts, tuples lists, NumPy scalars numbers."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): to_plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(v) for v in value]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, str):
        # A file name that is not UTF-8 holds lone surrogates, which JSON consumers refuse.
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return value
