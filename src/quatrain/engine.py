"""The index as its users see it: build, open, ask.

The one place that knows every stage.  A query runs in the caller's thread: classify, plan, retrieve cheapest first, fuse, show.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from quatrain.embedders.protocol import Embedder, get_embedder
from quatrain.errors import (
    BadPath,
    BadQuery,
    EmbedderMismatch,
    EmbedderUnavailable,
    IndexCorrupt,
    IndexLocked,
    IndexMissing,
    MissingExtra,
    SymbolNotFound,
)
from quatrain.files.languages import LANGUAGES, resolve_languages
from quatrain.fusion import Fused, fuse
from quatrain.query.intent import classify
from quatrain.query.plan import make_plan
from quatrain.query.syntax import parse_query
from quatrain.records import (
    MODALITIES,
    Cycle,
    CycleResponse,
    DuplicateResponse,
    Edge,
    FileInfo,
    Filters,
    GraphResponse,
    GrepResponse,
    Hit,
    Hub,
    HubResponse,
    IndexState,
    IndexStatus,
    Intent,
    QueryPlan,
    RankedList,
    SearchResponse,
    SymbolResponse,
    SymbolRow,
    SyntaxResponse,
)
from quatrain.retrieval.unknown import nearest, unknown_name
from quatrain.retrieval.view import IndexView
from quatrain.storage import manifest as manifests
from quatrain.storage.manifest import Manifest
from quatrain.storage.reader import Segment

if TYPE_CHECKING:
    from quatrain.building import Progress
    from quatrain.retrieval.relations import Related

__all__ = ["Index", "build", "classify", "index_directory", "open"]

MAX_FILE_BYTES = 2 << 20
TICK_NS = 50_000_000  # file systems stamp with a clock that ticks every 1 to 10 ms
SNIPPET_LINES = 24
BYTES_PER_TOKEN = 3.5  # of source code; conservative for the usual tokenizers
RETRIEVED = 200  # chunks per modality that take part in fusion
RETRIEVED_BY_MEANING = 400  # a large file's value is the sum of five chunks, which may lie deep in the list


_NO_VECTORS = ("the index has no vectors; run `quatrain index --embedder bundled`",)


def index_directory(root: Path, index_dir: str | os.PathLike[str] | None = None) -> Path:
    """Return where the index of ``root`` lives.

    ``index_dir`` if given, else a folder keyed by the root below ``QUATRAIN_CACHE_DIR`` or the user's cache directory.
    """
    if index_dir is not None:
        return Path(index_dir).expanduser().absolute()
    base = os.environ.get("QUATRAIN_CACHE_DIR")
    if base is None:
        import platformdirs

        base = platformdirs.user_cache_dir("quatrain", appauthor=False)
    key = hashlib.blake2b(os.fsencode(root), digest_size=12).hexdigest()
    return Path(base) / f"{root.name or 'root'}-{key}"


def _checked_root(root: str | os.PathLike[str]) -> Path:
    path = Path(root).expanduser()
    try:
        resolved = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise BadPath(f"{os.fspath(root)!r} does not exist; name a folder with source code") from error
    if not resolved.is_dir():
        raise BadPath(f"{os.fspath(root)!r} is not a folder; name the folder that holds it")
    return resolved


def _usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


def build(
    root: str | os.PathLike[str],
    *,
    embedder: str | Embedder | None = None,
    index_dir: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    max_file_bytes: int = MAX_FILE_BYTES,
    rebuild: bool = False,
    progress: Progress | None = None,
) -> Index:
    """Index a source tree and return the opened index.

    Parameters
    ----------
    root
        A folder.
    embedder
        ``"bundled"`` (default for a new index), ``"voyage"``, ``"none"`` or an object with the ``Embedder`` protocol.  ``None`` keeps
        what the existing index uses.
    index_dir
        Where to keep the index; by default the user's cache directory.
    workers
        Parser processes; by default one for each usable core.
    max_file_bytes
        Larger files are skipped and listed.
    rebuild
        Take nothing from an earlier generation.
    progress
        Called with (stage, done, total).

    Raises
    ------
    BadPath
        ``root`` is no folder.
    NothingIndexed
        No file of it can be indexed.
    IndexLocked
        Another process is writing this index.

    Examples
    --------
    >>> import quatrain, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> _ = pathlib.Path(folder.name, "shop.py").write_text("def total(prices):\\n    return sum(prices)\\n")
    >>> index = quatrain.build(folder.name, index_dir=pathlib.Path(folder.name, ".index"))
    >>> index.find_symbol("total").symbols[0].path
    'shop.py'
    """
    path = _checked_root(root)
    directory = index_directory(path, index_dir)
    index = Index(path, directory, embedder, workers=workers, max_file_bytes=max_file_bytes)
    index._build(rebuild=rebuild, progress=progress or _silent)
    return index


def open(
    root: str | os.PathLike[str],
    *,
    embedder: str | Embedder | None = None,
    index_dir: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    max_file_bytes: int = MAX_FILE_BYTES,
    refresh: bool = True,
    progress: Progress | None = None,
) -> Index:
    """Open the index of a source tree, bringing it up to date first; build it if there is none.

    Parameters
    ----------
    refresh
        ``False`` opens what is there without looking at the tree.

    Other parameters and errors are those of `build`; besides:

    Raises
    ------
    EmbedderMismatch
        The index holds vectors of another embedder than the one named.
    IndexMissing
        ``refresh=False`` and there is no index.
    """
    path = _checked_root(root)
    index = Index(path, index_directory(path, index_dir), embedder, workers=workers, max_file_bytes=max_file_bytes)
    if refresh:
        index.refresh(progress=progress)
    else:
        index._current()
    return index


class Index:
    """One indexed source tree.

    Made by `build` and `open`.  A query works on one generation; a generation published meanwhile, by this or another process, is
    picked up by the next query.  Methods may be called from several threads.
    """

    def __init__(
        self,
        root: Path,
        directory: Path,
        embedder: str | Embedder | None,
        *,
        workers: int | None,
        max_file_bytes: int,
    ) -> None:
        self.root = root
        self.directory = directory
        self._wanted_embedder = embedder
        self._workers = workers
        self._max_file_bytes = max_file_bytes
        self._lock = threading.Lock()
        self._opened: tuple[Manifest, Segment, IndexView] | None = None
        self._directory_stamp = -1
        self._stale = False

    def __repr__(self) -> str:
        return f"<quatrain.Index of {str(self.root)!r}>"

    # --- generations -----------------------------------------------------------------------------------------------------------

    def _current(self) -> IndexView:
        """Return the newest generation; costs one stat when nothing was published."""
        try:
            stamp = os.stat(self.directory).st_mtime_ns
        except FileNotFoundError as error:
            raise IndexMissing(
                f"there is no index of {self.root}; run `quatrain index` or call quatrain.build() first"
            ) from error
        opened = self._opened
        if opened is not None and stamp == self._directory_stamp:
            return opened[2]
        with self._lock:
            opened = self._opened
            if opened is None or manifests.latest_generation(self.directory) != opened[0].generation:
                manifest, (segment, *_) = manifests.load(self.directory)
                self._check_embedder(manifest)
                view = IndexView(segment, lambda: self._embedder_of(manifest))
                opened = self._opened = manifest, segment, view
            # In the same tick of the file system's clock another generation may still come with the same stamp.
            self._directory_stamp = stamp if time.time_ns() - stamp > TICK_NS else -1
            return opened[2]

    @property
    def view(self) -> IndexView:
        """The opened indexes of the newest generation, for a front that draws or counts what no method answers."""
        return self._current()

    def _check_embedder(self, manifest: Manifest) -> None:
        if self._wanted_embedder is None:
            return
        wanted = get_embedder(self._wanted_embedder)
        if not _made_by(manifest, wanted):
            spec = wanted.identity.spec if wanted else "none"
            raise EmbedderMismatch(
                f"the index of {self.root} was made with {_embedder_name(manifest)}, not {spec}; run "
                f"`quatrain index --embedder {spec}` to make its vectors anew"
            )

    def _embedder_of(self, manifest: Manifest) -> Embedder | None:
        stored = manifest.fingerprint.get("embedder")
        if stored is None:
            return None
        embedder = get_embedder(self._wanted_embedder or stored["spec"])
        if not _made_by(manifest, embedder):
            raise EmbedderMismatch(
                f"the vectors of {self.root} are of another version of {_embedder_name(manifest)}; run `quatrain index --rebuild` to make "
                "them anew"
            )
        return embedder

    @staticmethod
    def _outdated(manifest: Manifest) -> bool:
        """Return whether the vectors are of another release of a local embedder; they cost nothing but time to make anew."""
        stored = manifest.fingerprint.get("embedder")
        return bool(stored and not stored["remote"] and not _made_by(manifest, get_embedder(stored["spec"])))

    def _previous(self) -> tuple[Manifest, Segment] | None:
        try:
            manifest, (segment, *_) = manifests.load(self.directory)
        except (IndexMissing, IndexCorrupt):
            # The source is the truth, an index a cache: what is damaged is made anew.
            return None
        return manifest, segment

    def _build(self, *, rebuild: bool, progress: Progress, only_if_changed: bool = False) -> bool:
        from quatrain import building
        from quatrain.files.discover import discover

        self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        discovery = discover(self.root, max_file_bytes=self._max_file_bytes)
        previous = None if rebuild else self._previous()
        outdated = previous is None or self._outdated(previous[0])
        if only_if_changed and not outdated and building.is_current(self.root, discovery, previous):
            return False
        with manifests.writer_lock(self.directory):
            previous = None if rebuild else self._previous()
            wanted = self._wanted_embedder
            if wanted is None and previous is not None:
                stored = previous[0].fingerprint.get("embedder")
                wanted = stored["spec"] if stored else "none"
            embedder = get_embedder("bundled" if wanted is None else wanted)
            building.build_generation(
                self.root,
                self.directory,
                embedder,
                workers=self._workers or _usable_cores(),
                max_file_bytes=self._max_file_bytes,
                progress=progress,
                previous=previous,
                discovery=discovery,
            )
        return True

    def refresh(self, *, progress: Progress | None = None) -> bool:
        """Bring the index up to date with the tree and return whether anything had changed.

        When another process is writing the index already, the answers that follow are marked ``stale`` instead of waiting for it.
        """
        existing = self._previous()
        if existing is not None:
            self._check_embedder(existing[0])
        try:
            changed = self._build(rebuild=False, progress=progress or _silent, only_if_changed=True)
        except IndexLocked:
            if existing is None:
                raise
            self._stale = True
            return False
        self._stale = False
        self._current()
        return changed

    @property
    def _state(self) -> IndexState:
        assert self._opened is not None
        return IndexState(str(self.root), self._opened[0].generation, self._stale)

    # --- search ------------------------------------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        preset: str = "default",
        modalities: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        limit: int = 10,
        languages: Sequence[str] | None = None,
        paths: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        content: str = "code",
        max_tokens: int | None = None,
        per_file: int = 1,
        evidence: bool | Mapping[str, float] = True,
        centrality: str = "raw",
    ) -> SearchResponse:
        """Answer one question about the code.

        Parameters
        ----------
        query
            Plain words, a symbol, a quoted string; ``lang:``, ``path:`` and ``kind:`` inside it filter.
        preset
            ``"quick"`` (meaning alone), ``"default"`` or ``"thorough"`` (all four).
        modalities
            Exactly these run: any of ``semantic``, ``text``, ``structural``, ``graph``.
        weights
            Modality to weight; replaces the intent's weights and switches the direct path off.
        limit
            Number of hits.
        languages, paths, kinds, content
            Filters: language names, path globs (a leading ``!`` excludes), symbol kinds, and ``code``, ``docs``, ``config`` or ``all``.
        max_tokens
            Budget for the snippets, estimated at 3.5 bytes a token; snippets are shortened first, then hits dropped.
        per_file
            Chunks shown of one file.
        evidence
            ``False`` gives the pure fusion formula; a mapping replaces constants of the evidence step, e.g. ``{"test": 0.0}``.
        centrality
            ``"raw"`` PageRank in the boost, or ``"scaled"`` (N x PageRank).

        Raises
        ------
        BadQuery
            Empty, too long or with a NUL byte; unknown preset, modality, weight or content.
        UnknownLanguage
            A language that quatrain does not know.
        """
        started = time.perf_counter()
        if limit < 1 or per_file < 1:
            raise BadQuery("limit and per_file must be at least 1")
        if centrality not in ("raw", "scaled"):
            raise BadQuery(f"centrality is 'raw' or 'scaled', not {centrality!r}")
        view = self._current()
        base = Filters(resolve_languages(languages or ()), tuple(paths or ()), tuple(kinds or ()), content)
        parsed = parse_query(query, resolve=resolve_languages, base=base)
        filters = parsed.filters
        notes = list(parsed.notes)
        available = {"semantic": view.vectors is not None, "text": True, "structural": True, "graph": True}
        assert self._opened is not None
        stored = self._opened[0].fingerprint.get("embedder")
        plan, plan_notes = make_plan(
            parsed.text,
            pattern=parsed.pattern,
            preset=preset,
            modalities=modalities,
            weights=weights,
            filters=filters,
            available=available,
            trust=float(stored["trust"]) if stored else 1.0,
        )
        notes += plan_notes
        timings = {"plan": (time.perf_counter() - started) * 1e6}
        lists: list[RankedList] = []
        failed: list[str] = []

        def run(modality: str, plan: QueryPlan) -> RankedList | None:
            at = time.perf_counter()
            depth = RETRIEVED_BY_MEANING if modality == "semantic" else RETRIEVED
            try:
                found = _retriever(modality)(plan, view, max(depth, limit))
            except (EmbedderUnavailable, MissingExtra) as error:
                failed.append(modality)
                notes.append(f"{modality} left out: {error}")
                return None
            timings[modality] = timings.get(modality, 0.0) + (time.perf_counter() - at) * 1e6
            notes.extend(found.notes)
            return found

        strategy = "single" if len(plan.modalities) == 1 else "rrf"
        direct: RankedList | None = None
        unknown = (
            unknown_name(plan, view) if plan.preset != "quick" and modalities is None and weights is None else None
        )
        if unknown is not None:
            strategy = "direct_fallback" if plan.direct is not None else strategy
            plan, lists, note = nearest(unknown, plan, view, run, RETRIEVED)
            notes.append(note)
        elif plan.direct is not None:
            direct = run(plan.direct, plan)
            if direct is not None and len(direct):
                lists, strategy = [direct], "direct"
            else:
                strategy = "direct_fallback"
        if not lists and unknown is None:
            # Asked for nothing but the sure answer, the structural retriever may know near ones; the others said all they know.
            fused_plan = plan if plan.direct is None else replace(plan, direct=None)
            for modality in plan.modalities:
                again = modality != plan.direct or modality == "structural"
                found = run(modality, fused_plan) if again else direct
                if found is not None:
                    lists.append(found)
        at = time.perf_counter()
        fused = fuse(
            plan,
            lists,
            view,
            limit=limit,
            per_file=per_file,
            evidence=evidence if strategy != "direct" else False,
            centrality=centrality,
        )
        timings["fuse"] = (time.perf_counter() - at) * 1e6
        at = time.perf_counter()
        hits, truncated = self._show(view, plan, fused.hits, strategy, max_tokens)
        timings["show"] = (time.perf_counter() - at) * 1e6
        timings["total"] = (time.perf_counter() - started) * 1e6
        if failed and len(failed) == len(plan.modalities):
            status = "modality_unavailable"
        elif failed:
            status = "partial"
        elif self._stale:
            status = "stale"
        else:
            status = "ok" if hits else "no_match"
        return SearchResponse(
            query=query,
            intent=plan.intent.name,
            confidence=plan.intent.confidence,
            rule=plan.intent.rule,
            fusion_strategy=strategy,
            preset=plan.preset,
            modalities=tuple(m for m in MODALITIES if any(found.modality == m for found in lists)),
            weights=dict(plan.weights),
            status=status,
            hits=hits,
            total=fused.total,
            truncated=truncated or fused.total > len(hits),
            index=self._state,
            timings_us={stage: round(us, 1) for stage, us in timings.items()},
            notes=tuple(dict.fromkeys(notes)),
        )

    def _show(
        self, view: IndexView, plan: QueryPlan, fused: Sequence[Fused], strategy: str, max_tokens: int | None
    ) -> tuple[tuple[Hit, ...], bool]:
        """Turn fused items into hits with snippets, within the token budget."""
        hits: list[Hit] = []
        budget = None if max_tokens is None else max_tokens * BYTES_PER_TOKEN
        lines = SNIPPET_LINES
        if budget is not None and fused:
            lines = max(3, min(SNIPPET_LINES, int(budget / len(fused) / 40)))
        at_evidence = strategy == "direct" and plan.direct in ("structural", "graph", "text")
        for item in fused:
            hit = self._hit(view, item, lines, at_evidence)
            if budget is not None:
                budget -= len(hit.snippet) + len(hit.path) + 16
                if budget < 0 and hits:
                    return tuple(hits), True
            hits.append(hit)
        return tuple(hits), False

    @staticmethod
    def _hit(view: IndexView, item: Fused, snippet_lines: int, at_evidence: bool) -> Hit:
        chunks, documents, symbols = view.chunks, view.documents, view.symbols
        first, last = chunks.start_lines.item(item.chunk), chunks.end_lines.item(item.chunk)
        line = min(max(item.line, first), last) if item.line else first
        if at_evidence:
            first = line
        shown_from = first if line - first < snippet_lines else line - snippet_lines // 3
        symbol = chunks.symbols.item(item.chunk)
        if at_evidence:
            named = symbols.at_line(item.file, line)
            # A use in top-level code is in no definition, whatever else its chunk holds.
            symbol = named if named >= 0 or "graph" in item.sources else symbol
        return Hit(
            path=documents.path(item.file),
            start_line=first,
            end_line=max(first, last),
            symbol=symbols.qualified(symbol) if symbol >= 0 else None,
            kind=symbols.kind(symbol) if symbol >= 0 else None,
            language=documents.language(item.file),
            snippet=documents.text(item.file, shown_from, min(last, shown_from + snippet_lines - 1)),
            score=item.score,
            sources=item.sources,
            boost=item.boost,
            factors=item.factors,
            mark=item.mark,
        )

    def similar(
        self, path: str, line: int, *, limit: int = 10, include_own_file: bool = False, content: str = "code"
    ) -> SearchResponse:
        """Return code that resembles the chunk at ``path:line``, by its stored embedding.

        Raises
        ------
        BadPath
            The path is not indexed or has no such line.
        """
        started = time.perf_counter()
        view = self._current()
        file = self._file_id(view, path)
        if not 1 <= line <= view.documents.line_count(file):
            raise BadPath(f"{path} has {view.documents.line_count(file)} lines, so there is no line {line}")
        chunk = view.chunks.at_line(file, line)
        intent = Intent("find_similar", 1.0, "similar")
        hits: tuple[Hit, ...] = ()
        notes: tuple[str, ...] = ()
        status = "no_match"
        if view.vectors is None:
            status, notes = "modality_unavailable", _NO_VECTORS
        elif chunk >= 0:
            from quatrain.retrieval import semantic

            plan = QueryPlan(
                text="", intent=intent, preset="default", modalities=("semantic",), weights={"semantic": 1.0}, k=40, direct=None,
                subjects=(), literal=None, direction=None, depth=1, filters=Filters(content=content),
            )  # fmt: skip
            found = semantic.similar(view, chunk, RETRIEVED, own_file=include_own_file, plan=plan)
            fused = fuse(plan, [found], view, limit=limit, evidence=False)
            hits, _ = self._show(view, plan, fused.hits, "single", None)
            status = "ok" if hits else "no_match"
        return SearchResponse(
            query=f"{path}:{line}", intent=intent.name, confidence=1.0, rule=intent.rule, fusion_strategy="single", preset="default",
            modalities=("semantic",), weights={"semantic": 1.0}, status=status, hits=hits, total=len(hits), truncated=False,
            index=self._state, timings_us={"total": round((time.perf_counter() - started) * 1e6, 1)}, notes=notes,
        )  # fmt: skip

    def duplicates(
        self,
        *,
        similarity: float = 0.8,
        distance: float = 0.2,
        min_tokens: int = 50,
        include_own_file: bool = True,
        limit: int | None = 100,
        cursor: str | None = None,
        languages: Sequence[str] | None = None,
        paths: Sequence[str] | None = None,
        content: str = "code",
    ) -> DuplicateResponse:
        """Return groups of chunks that are nearly the same, those that repeat most first.

        Every chunk is compared with every other by its stored embedding; pairs near each other are kept if their tokens agree.

        Parameters
        ----------
        similarity
            Least resemblance of the token trigrams of a pair, above 0 and at most 1.
        distance
            Share of the bits in which two embeddings may differ; a larger one misses less and takes longer.
        min_tokens
            Shorter chunks are passed over.
        include_own_file
            ``False`` leaves out pairs within one file.
        limit, cursor
            Groups of a page, and the ``cursor`` of the page before.
        languages, paths, content
            Filters as in `search`.

        Raises
        ------
        BadQuery
            A number out of its range, or a cursor that is none.
        """
        from quatrain.retrieval.duplicates import Duplicates, find_duplicates

        if limit is not None and limit < 1:
            raise BadQuery("limit must be at least 1")
        started = time.perf_counter()
        view = self._current()
        found, notes, status = Duplicates((), 0, 0, None), _NO_VECTORS, "modality_unavailable"
        if view.vectors is not None:
            filters = Filters(resolve_languages(languages or ()), tuple(paths or ()), (), content)
            found = find_duplicates(
                view, similarity=similarity, distance=distance, min_tokens=min_tokens, include_own_file=include_own_file,
                filters=filters, limit=limit, cursor=cursor,
            )  # fmt: skip
            notes, status = (), "stale" if self._stale else "ok" if found.groups else "no_match"
        return DuplicateResponse(
            status=status, groups=found.groups, total=found.total, pairs=found.pairs, truncated=found.cursor is not None,
            cursor=found.cursor, index=self._state,
            timings_us={"total": round((time.perf_counter() - started) * 1e6, 1)}, notes=notes,
        )  # fmt: skip

    def explain(self, hit: Hit) -> list[str]:
        """Return the arithmetic of a hit: the whole formula with its numbers, then a line for each list and each factor."""
        from quatrain.fusion.explain import arithmetic

        return arithmetic(hit)

    # --- exact answers -----------------------------------------------------------------------------------------------------------

    def grep(
        self,
        pattern: str,
        *,
        regex: bool = False,
        ignore_case: bool = False,
        limit: int | None = None,
        cursor: str | None = None,
        context: int = 0,
        languages: Sequence[str] | None = None,
        paths: Sequence[str] | None = None,
        content: str = "all",
        **options: Any,
    ) -> GrepResponse:
        """Return every line that matches, or the first ``limit`` and a cursor to the rest.

        ``options`` are those of `quatrain.retrieval.grep.grep`: ``smart_case``, ``whole_word``, ``multiline``, ``budget_s``.

        Raises
        ------
        BadQuery
            The pattern is empty, does not compile or cannot be matched in linear time.
        """
        from quatrain.retrieval.grep import grep

        started = time.perf_counter()
        view = self._current()
        found = grep(
            view, pattern, regex=regex, ignore_case=ignore_case, limit=limit, cursor=cursor, context=context,
            filters=Filters(resolve_languages(languages or ()), tuple(paths or ()), (), content), **options,
        )  # fmt: skip
        status = found.status if found.status == "partial" or not self._stale else "stale"
        return GrepResponse(
            pattern=pattern, status=status, hits=found.hits, total=found.total, truncated=found.truncated, cursor=found.cursor,
            index=self._state, timings_us={"total": round((time.perf_counter() - started) * 1e6, 1)}, notes=found.notes,
        )  # fmt: skip

    def ast(
        self,
        query: str,
        *,
        language: str,
        pattern: bool = False,
        limit: int | None = None,
        cursor: str | None = None,
        paths: Sequence[str] | None = None,
        budget_s: float = 20.0,
    ) -> SyntaxResponse:
        """Return every match of a tree-sitter query, or with ``pattern`` of an example such as ``foo($X, ...)``.

        Raises
        ------
        BadQuery
            The query does not compile or captures nothing; the example is no syntax of the language.
        UnknownLanguage
            The language has no tested grammar.
        """
        from quatrain.retrieval.syntax import find_syntax

        started = time.perf_counter()
        view = self._current()
        (name, *_) = (language,) if language in LANGUAGES else resolve_languages([language])
        found = find_syntax(
            view, query, language=name, pattern=pattern, filters=Filters(paths=tuple(paths or ()), content="all"), limit=limit,
            cursor=cursor, budget_s=budget_s,
        )  # fmt: skip
        return SyntaxResponse(
            query=query, language=name, status="stale" if self._stale else found.status, hits=found.hits, total=found.total,
            truncated=found.truncated, cursor=found.cursor, index=self._state,
            timings_us={"total": round((time.perf_counter() - started) * 1e6, 1)}, notes=found.notes,
        )  # fmt: skip

    def find_symbol(
        self, name: str, *, kind: str | None = None, fuzzy: bool = False, limit: int = 100
    ) -> SymbolResponse:
        """Return the definitions of ``name``: simple (``parse``) or qualified (``mod.Class.parse``).

        Parameters
        ----------
        kind
            Only this kind, e.g. ``"class"``.
        fuzzy
            If nothing has exactly this name, also try other letter case, prefixes and near names, marked in ``match``.
        """
        from quatrain.retrieval.lookup import find_symbols

        started = time.perf_counter()
        if not name or "\0" in name:
            raise BadQuery("a symbol name must not be empty or hold a NUL byte; name a definition, e.g. parseConfig")
        view = self._current()
        rows = find_symbols(view, name, kind=kind, fuzzy=fuzzy, limit=limit)
        return SymbolResponse(
            name=name,
            status="stale" if self._stale else "ok" if rows else "no_match",
            symbols=tuple(rows),
            index=self._state,
            timings_us={"total": round((time.perf_counter() - started) * 1e6, 1)},
        )

    def callers(self, symbol: str, *, limit: int = 200, min_confidence: float = 0.0) -> GraphResponse:
        """Return who calls ``symbol``: sure call sites first, then ambiguous ones, marked.

        ``symbol`` is a simple or qualified name, or a file by its path, the end of its path, its name or its module's name: then it
        stands for all that the file defines.

        Raises
        ------
        SymbolNotFound
            Nothing in the index is called that.
        """
        return self._relate("callers", symbol, limit=limit, min_confidence=min_confidence)

    def callees(self, symbol: str, *, limit: int = 200, min_confidence: float = 0.0) -> GraphResponse:
        """Return what ``symbol`` calls."""
        return self._relate("callees", symbol, limit=limit, min_confidence=min_confidence)

    def references(self, symbol: str, *, limit: int = 500, min_confidence: float = 0.0) -> GraphResponse:
        """Return every use of ``symbol``: calls, imports, inheritance, types, decorators and plain mentions."""
        return self._relate("references", symbol, limit=limit, min_confidence=min_confidence)

    def impact(self, symbol: str, *, depth: int = 3, limit: int = 500, min_confidence: float = 0.3) -> GraphResponse:
        """Return what may break when ``symbol`` changes: dependents up to ``depth`` steps away.

        The confidence of a dependent is the product along its best path; paths below ``min_confidence`` are cut.  ``tests`` of the answer
        lists the test files among them.
        """
        if depth < 1:
            raise BadQuery("depth must be at least 1")
        return self._relate("impact", symbol, limit=limit, min_confidence=min_confidence, depth=depth)

    def impact_of_changes(
        self, revision: str | None = None, *, depth: int = 3, limit: int = 500, min_confidence: float = 0.3
    ) -> GraphResponse:
        """Return what may break by what changed: the dependents of every definition that holds a changed line.

        Definitions that are gone have no dependents in the index: the calls and imports of their names that lead nowhere any more come last,
        as ``unresolved`` relations, and a note names the definitions.

        Parameters
        ----------
        revision
            None for what is not committed yet; a revision or range as ``git diff`` takes them, e.g. ``"main"`` or ``"HEAD~3..HEAD"``.
        depth, limit, min_confidence
            As in `impact`.

        Raises
        ------
        BadPath
            The root is in no git work tree.
        BadQuery
            git does not know the revision.
        """
        from quatrain.files.changes import changed_lines, taken_out
        from quatrain.retrieval import relations

        if depth < 1:
            raise BadQuery("depth must be at least 1")
        started = time.perf_counter()
        view = self._current()
        changes, notes = changed_lines(self.root, revision)
        removed = taken_out(self.root, revision)
        found = relations.impact_of_changes(
            view, changes, removed, depth=depth, limit=limit, min_confidence=min_confidence
        )
        name = "uncommitted changes" if revision is None else revision
        return self._graph_response(name, "changes", found._replace(notes=(*notes, *found.notes)), started)

    def path(self, source: str, target: str, *, depth: int = 12) -> GraphResponse:
        """Return the shortest chain of sure uses by which ``source`` comes to use ``target``, one relation a step.

        ``counts`` are those of the calls of ``target``, ``tests`` the test files that use it.

        Raises
        ------
        SymbolNotFound
            Nothing in the index is called like one of them.
        """
        from quatrain.retrieval import nodes, relations

        if depth < 1:
            raise BadQuery("depth must be at least 1")
        started = time.perf_counter()
        view = self._current()
        ends = [self._named(view, name) for name in (source, target)]
        steps = relations.path_between(view, source, target, depth=depth) or ()
        found = relations.Related(
            "ok" if steps else "no_match", tuple(d for end in ends for d in nodes.definitions(view, end)), steps,
            relations.counts_for(view, target, ends[1]), len(steps), False,
            () if steps else (f"no chain of at most {depth} sure uses leads from {source} to {target}",),
            relations.tests_of(view, ends[1], relations.uses_of(view, ends[1], kinds=None)),
        )  # fmt: skip
        return self._graph_response(f"{source} -> {target}", "path", found, started)

    def cycles(self, *, of: str = "files", limit: int = 100) -> CycleResponse:
        """Return the files that import each other in a circle (``of="files"``), or functions that call each other (``"symbols"``)."""
        from quatrain.retrieval import relations

        if of not in ("files", "symbols"):
            raise BadQuery(f"of is 'files' or 'symbols', not {of!r}")
        if limit < 1:
            raise BadQuery("limit must be at least 1")
        started = time.perf_counter()
        found, total = relations.cycles(self._current(), of=of, limit=limit)
        return CycleResponse(
            of=of, status="stale" if self._stale else "ok" if found else "no_match",
            cycles=tuple(Cycle(*one) for one in found), total=total, truncated=total > limit, index=self._state,
            timings_us={"total": round((time.perf_counter() - started) * 1e6, 1)},
        )  # fmt: skip

    def hubs(self, *, limit: int = 20) -> HubResponse:
        """Return the definitions that most of the code depends on, by PageRank over the sure uses."""
        from quatrain.retrieval import relations

        if limit < 1:
            raise BadQuery("limit must be at least 1")
        started = time.perf_counter()
        view = self._current()
        found = relations.hubs(view, limit=limit)
        return HubResponse(
            status="stale" if self._stale else "ok" if found else "no_match", hubs=tuple(Hub(*one) for one in found),
            total=view.symbols.count, truncated=view.symbols.count > limit, index=self._state,
            timings_us={"total": round((time.perf_counter() - started) * 1e6, 1)},
        )  # fmt: skip

    def _relate(self, question: str, symbol: str, **options: Any) -> GraphResponse:
        from quatrain.retrieval import relations

        started = time.perf_counter()
        view = self._current()
        self._check_name(symbol)
        found = getattr(relations, question)(view, symbol, **options)
        if found is None:
            raise self._not_found(symbol)
        return self._graph_response(symbol, question, found, started)

    @staticmethod
    def _check_name(name: str) -> None:
        if not name.strip() or "\0" in name:
            raise BadQuery(
                "a symbol name must not be empty or hold a NUL byte; name a definition, e.g. pkg.Class.method"
            )

    @staticmethod
    def _not_found(name: str) -> SymbolNotFound:
        from quatrain.query.paths import is_path

        if is_path(name):
            return SymbolNotFound(
                f"no indexed file is called {name!r}; `quatrain status --skipped` says what is left out"
            )
        return SymbolNotFound(f"nothing in the index is called {name!r}; try find_symbol({name!r}, fuzzy=True)")

    def _named(self, view: IndexView, name: str) -> list[int]:
        """Return the nodes that a name means."""
        from quatrain.retrieval import nodes

        self._check_name(name)
        found = nodes.find(view, name)
        if not found:
            raise self._not_found(name)
        return found

    def _graph_response(self, symbol: str, question: str, found: Related, started: float) -> GraphResponse:
        return GraphResponse(
            symbol=symbol, question=question, status="stale" if self._stale else found.status, definitions=found.definitions,
            relations=found.relations, counts=found.counts, total=found.total, truncated=found.truncated, index=self._state,
            timings_us={"total": round((time.perf_counter() - started) * 1e6, 1)}, notes=found.notes, tests=found.tests,
        )  # fmt: skip

    # --- what is in the index ----------------------------------------------------------------------------------------------------

    def files(self) -> list[FileInfo]:
        """Return every file of the walk, indexed or skipped with its reason, sorted by path."""
        documents = self._current().documents
        rows = [
            FileInfo(path, documents.language(f), int(documents.sizes[f]), True, None, documents.parses[f])
            for f, path in enumerate(documents.paths)
        ]
        rows += [FileInfo(path, language, size, False, reason) for path, size, language, reason in documents.skipped()]
        return sorted(rows, key=lambda row: os.fsencode(row.path))

    def symbols(self) -> list[SymbolRow]:
        """Return every definition, sorted by path and line."""
        from quatrain.retrieval.lookup import symbol_row

        view = self._current()
        order = np.lexsort((view.symbols.lines, view.symbols.files))
        return [symbol_row(view, int(symbol)) for symbol in order]

    def edges(self) -> list[Edge]:
        """Return every edge of the graph, by path, line and column."""
        from quatrain.retrieval import relations

        return relations.edges(self._current())

    def status(self) -> IndexStatus:
        """Return what the index holds and how it was made."""
        from quatrain._kernels import capabilities

        view = self._current()
        assert self._opened is not None
        manifest, documents = self._opened[0], view.documents
        languages: dict[str, int] = {}
        for code, count in zip(*np.unique(documents.language_codes, return_counts=True), strict=True):
            name = documents.languages[code] if code < len(documents.languages) else "other text"
            languages[name] = int(count)
        skipped: dict[str, int] = {}
        for _, _, _, reason in documents.skipped():
            kind = reason.split(" (", 1)[0]
            skipped[kind] = skipped.get(kind, 0) + 1
        parses: dict[str, int] = {}
        for parse in documents.parses:
            kind = parse.split(":", 1)[0]
            parses[kind] = parses.get(kind, 0) + 1
        return IndexStatus(
            root=str(self.root),
            directory=str(self.directory),
            generation=manifest.generation,
            stale=self._stale,
            fell_back=manifest.fell_back,
            embedder=_embedder_name(manifest),
            text_leaves_machine=bool((manifest.fingerprint.get("embedder") or {}).get("remote")),
            counts={
                key: value
                for key, value in manifest.counts.items()
                if isinstance(value, int) and not key.endswith("_ns")
            },
            languages=dict(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
            skipped=dict(sorted(skipped.items(), key=lambda item: (-item[1], item[0]))),
            parses=parses,
            walk=str(manifest.counts.get("walk", "")),
            notes=tuple(manifest.counts.get("notes", ())),
            index_bytes=sum(entry.size for entry in manifest.segments),
            capabilities=capabilities(),
        )

    def check(self) -> list[str]:
        """Verify every checksum and cross-reference of the newest generation; return what is wrong, empty when all is well."""
        from quatrain.checking import check

        manifest, segments = manifests.load(self.directory)
        problems = check(segments[0])
        if manifest.fell_back:
            problems.insert(0, f"the newest manifest is damaged; generation {manifest.generation} answers instead")
        return problems

    def _file_id(self, view: IndexView, path: str) -> int:
        """Return the id of an indexed file named relative to the root, absolute, or relative to the working directory."""
        candidate = path.replace(os.sep, "/").removeprefix("./")
        file = view.documents.file_id(candidate)
        if file < 0 and os.path.isabs(path):
            try:
                file = view.documents.file_id(Path(path).resolve().relative_to(self.root).as_posix())
            except ValueError:
                raise BadPath(f"{path!r} is outside the indexed root; give a path below it") from None
        if file < 0 and (".." in candidate.split("/") or "\0" in candidate):
            raise BadPath(f"{path!r} is outside the indexed root; give a path below it")
        if file < 0:
            raise BadPath(f"{path!r} is not indexed; `quatrain status --skipped` says why files are left out")
        return file


def _embedder_name(manifest: Manifest) -> str:
    stored = manifest.fingerprint.get("embedder")
    return stored["spec"] if stored else "none"


def _made_by(manifest: Manifest, embedder: Embedder | None) -> bool:
    stored = manifest.fingerprint.get("embedder")
    if stored is None or embedder is None:
        return stored is None and embedder is None
    return bool(stored["identity"] == embedder.identity.to_bytes().decode())


def _retriever(modality: str) -> Any:
    if modality == "semantic":
        from quatrain.retrieval import semantic as module
    elif modality == "text":
        from quatrain.retrieval import text as module
    elif modality == "structural":
        from quatrain.retrieval import structural as module
    else:
        from quatrain.retrieval import graph as module
    return module.retrieve
