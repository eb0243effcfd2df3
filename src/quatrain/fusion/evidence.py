"""The relevance evidence step: what ranks throw away, and what no single list knows.

Reciprocal rank fusion forgets how far apart the items of a list were.  This step adds it back, with a few facts about
the file itself:

    score = ( fused + text + semantic + name + definition + coverage + folder + used_by_best )
            x test x header x older_version x demoted

Each summand is a weight of ``CONSTANTS`` times a value in [0, 1]; each factor of the product is ``1 - CONSTANTS[...]``
where it applies. ``Hit.factors`` holds each of them by name, so that a score can be recomputed by hand.  A weight of 0
switches a part off.

    fused          R: the fused score over per-file lists, divided by the best possible
    text           the text list's value of the file, divided by the best file's
    semantic       the same of the semantic list
    name           share of the file name's words that the query has; the best match by beginning counts ``name_prefix``
    definition     the file defines an identifier of the query: weight of its kind, times ``folded`` if only the letters
    agree coverage       largest idf share of the query's words that one chunk of the file has folder         idf share
    of the query's words among the last two folders, without those in the file name used_by_best   how much the files
    that text and meaning like best use what this file defines (see ``indexes.file_graph``) test           a test,
    unless the query asks for tests header         a header, declaration or stub file whose implementation is indexed
    too older_version  a file of an older or legacy version that lies beside a newer one

The constants were chosen by cross-validation over repositories (``benchmarks/quality``).  Questions about references,
impact or exact text do not use this step: there a definition is not what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from quatrain._kernels import ranking
from quatrain.errors import BadQuery
from quatrain.fusion.dedupe import distinct, file_values
from quatrain.fusion.rrf import DEMOTION, Fused, Fusion, boosts
from quatrain.indexes.documents import DEMOTED, HEADER, OLDER, TEST
from quatrain.indexes.file_graph import FileGraph
from quatrain.indexes.file_names import FileNames
from quatrain.query.names import names_in
from quatrain.query.terms import query_terms
from quatrain.records import QueryPlan, RankedList
from quatrain.retrieval.structural import KIND_WEIGHTS, definitions

if TYPE_CHECKING:
    from quatrain.retrieval.view import IndexView

__all__ = ["CONSTANTS", "EVIDENCE_INTENTS", "MULTIPLIERS", "SUMMANDS", "fuse_files", "weighs_evidence"]

EVIDENCE_INTENTS = frozenset({"understand_code", "find_definition", "find_similar"})
SUMMANDS = ("fused", "text", "semantic", "name", "definition", "coverage", "folder", "used_by_best")
MULTIPLIERS = ("test", "header", "older_version", "demoted")
CONSTANTS: Mapping[str, float] = MappingProxyType(
    {
        "fused": 1.0,
        "text": 1.5,
        "semantic": 1.5,
        "name": 1.25,
        "name_prefix": 0.75,
        "definition": 0.8,
        "folded": 0.7,
        "coverage": 0.75,
        "folder": 1.25,
        "used_by_best": 0.5,
        "test": 0.35,
        "header": 0.20,
        "older_version": 0.25,
    }
)
SEEDS = 10
_WORD = re.compile(r"[A-Za-z_$][\w$]*")


def fuse_files(
    plan: QueryPlan,
    lists: Sequence[RankedList],
    view: IndexView | Any,
    limit: int,
    per_file: int = 1,
    centrality_scale: float = 1.0,
    overrides: Mapping[str, float] | None = None,
) -> Fusion:
    """Fuse per-file lists, then weigh the evidence if the intent has such a step.

    Parameters
    ----------
    plan : QueryPlan
        Its ``weights``, ``k``, ``intent``, ``subjects`` and ``wants_tests`` are used.
    lists : sequence of RankedList
        One per modality that ran.
    view : IndexView
        The opened indexes.
    limit : int
        How many items to return at most.
    per_file : int
        How many chunks of one file may be returned; a further chunk's score is scaled by its share of the best one's
        contributions.
    centrality_scale : float
        Factor on the stored centrality.
    overrides : mapping of str to float, optional
        Replaces values of ``CONSTANTS``.

    Returns
    -------
    Fusion
        Items by score descending, then chunk id; ``total`` counts files.

    Raises
    ------
    BadQuery
        ``overrides`` names something that is not in ``CONSTANTS``.
    """
    constants = _constants(overrides)
    ranked = [distinct(one) for one in lists if len(one)]
    if not ranked or limit <= 0:
        return Fusion([], 0)
    weights = [float(plan.weights.get(one.modality, 0.0)) for one in ranked]
    pool = _Pool(ranked, weights, plan.k, view)
    count = len(pool.files)
    values = [file_values(owners, one.strengths) for owners, one in zip(pool.owners, ranked, strict=True)]
    centrality = view.chunks.centrality[pool.chunks[pool.best]].astype(np.float32) * np.float32(centrality_scale)
    order, fused = ranking.rrf([files for files, _ in values], weights, plan.k, count, centrality, None)
    scores = np.empty(count)
    scores[order] = fused
    places = [_scatter(count, files, np.arange(len(files)), -1) for files, _ in values]
    summands: dict[str, np.ndarray] = {}
    multipliers: dict[str, np.ndarray] = {}
    flags = view.documents.flags[pool.files]
    if weighs_evidence(plan):
        strengths = {
            one.modality: _scatter(count, files, value / value[0] if value[0] > 0 else value)
            for one, (files, value) in zip(ranked, values, strict=True)
        }
        best_possible = sum(plan.weights.values()) / (plan.k + 1)
        summands["fused"] = np.minimum(scores / best_possible, 1.0) if best_possible > 0 else scores
        summands |= _evidence(pool, strengths, plan, view, constants)
        scores = np.zeros(count)
        for name in summands:
            summands[name] = constants[name] * summands[name]
            scores += summands[name]
        applies = {
            "test": (flags & TEST != 0) & (not plan.wants_tests),
            "header": flags & HEADER != 0,
            "older_version": flags & OLDER != 0,
        }
        for name, where in applies.items():
            multipliers[name] = np.where(where, 1.0 - constants[name], 1.0)
    multipliers["demoted"] = np.where(flags & DEMOTED != 0, DEMOTION, 1.0)
    for value in multipliers.values():
        scores = scores * value
    best_first = np.argsort(-scores, kind="stable")[:limit]
    boost = boosts(centrality)
    items = []
    for at in best_first.tolist():
        sources = {
            one.modality: (rank, weight / (plan.k + rank + 1))
            for one, weight, place in zip(ranked, weights, places, strict=True)
            if (rank := place.item(at)) >= 0
        }
        factors = {name: x for name, value in summands.items() if (x := value.item(at)) or name == "fused"}
        factors |= {name: x for name, value in multipliers.items() if (x := value.item(at)) != 1.0}
        file, score = pool.files.item(at), scores.item(at)
        for number, (position, share) in enumerate(pool.best_of(at, per_file)):
            line, mark = pool.evidence_line(position)
            extra = factors if not number else factors | {"further_chunk": share}
            items.append(
                Fused(pool.chunks.item(position), file, score * share, sources, boost.item(at), extra, line, mark)
            )
    if per_file > 1:
        items.sort(key=lambda item: (-item.score, item.chunk))
        del items[limit:]
    return Fusion(items, len(pool.files))


def weighs_evidence(plan: QueryPlan) -> bool:
    """Return whether a question has an evidence step.

    Parameters
    ----------
    plan : QueryPlan
        A pasted block of code has none: its words are not chosen, so a file named after one of them means nothing.

    Returns
    -------
    bool
    """
    return plan.intent.name in EVIDENCE_INTENTS and not (plan.intent.name == "find_similar" and "\n" in plan.text)


def _constants(overrides: Mapping[str, float] | None) -> Mapping[str, float]:
    if not overrides:
        return CONSTANTS
    unknown = sorted(set(overrides) - set(CONSTANTS))
    if unknown:
        raise BadQuery(f"no evidence named {', '.join(unknown)}; known: {', '.join(CONSTANTS)}")
    return {**CONSTANTS, **overrides}


class _Pool:
    """The files of all lists, ascending, each with its chunks and the sum of what the lists contribute to them."""

    def __init__(self, ranked: Sequence[RankedList], weights: Sequence[float], k: int, view: IndexView | Any) -> None:
        self.ranked = ranked
        mentioned = np.concatenate([one.chunks for one in ranked])
        shares = [weight / np.arange(k + 1, k + 1 + len(one)) for one, weight in zip(ranked, weights, strict=True)]
        self.chunks, inverse = np.unique(mentioned, return_inverse=True)
        self.shares = np.bincount(inverse, np.concatenate(shares), len(self.chunks))
        self._weights, self._k = weights, k
        # Chunk ids follow files, so the files of ascending chunks ascend.
        owners = view.chunks.files[self.chunks].astype(np.int64)
        fresh = np.empty(len(owners), bool)
        fresh[0] = True
        np.not_equal(owners[1:], owners[:-1], out=fresh[1:])
        self.starts = np.flatnonzero(fresh)
        self.files = owners[self.starts]
        self._file_of = np.cumsum(fresh) - 1
        # As positions in ``chunks`` and ``files``: where each list has each chunk, and the file of its chunks.
        self._places = np.full((len(ranked), len(self.chunks)), -1, np.int64)
        self.owners = []
        first = 0
        for place, one in zip(self._places, ranked, strict=True):
            at = inverse[first : first + len(one)]
            place[at] = np.arange(len(one))
            self.owners.append(self._file_of[at])
            first += len(one)
        top = np.maximum.reduceat(self.shares, self.starts)
        at_top = np.flatnonzero(self.shares == top[self._file_of])
        self.best = at_top[np.searchsorted(at_top, self.starts)]

    def best_of(self, at: int, count: int) -> list[tuple[int, float]]:
        """Return the positions of the ``count`` best chunks of a file, and each one's share of the best one's sum."""
        best = self.best.item(at)
        if count == 1:
            return [(best, 1.0)]
        start = self.starts.item(at)
        end = self.starts.item(at + 1) if at + 1 < len(self.starts) else len(self.chunks)
        order = start + np.argsort(-self.shares[start:end], kind="stable")[:count]
        top = self.shares.item(best)
        return [(i, self.shares.item(i) / top if top > 0 else 1.0) for i in order.tolist()]

    def evidence_line(self, position: int) -> tuple[int, str]:
        """Return the evidence line and the mark of the list that contributes most to a chunk."""
        line, mark, best = 0, "", -1.0
        for one, weight, rank in zip(self.ranked, self._weights, self._places[:, position].tolist(), strict=True):
            if rank >= 0 and (share := weight / (self._k + rank + 1)) > best:
                best, line = share, one.lines.item(rank)
                mark = one.marks[rank] if one.marks else ""
        return line, mark


def _evidence(
    pool: _Pool,
    strengths: Mapping[str, np.ndarray],
    plan: QueryPlan,
    view: IndexView | Any,
    constants: Mapping[str, float],
) -> dict[str, np.ndarray]:
    """Return every summand but ``fused``, in [0, 1], by name."""
    count = len(pool.files)
    none = np.zeros(count)
    text, semantic = strengths.get("text", none), strengths.get("semantic", none)
    names = file_names(view)
    terms = [(term.text, term.idf) for term in query_terms(plan, view)]
    words = [word for word, _ in terms]
    mass = sum(idf for _, idf in terms)
    found = {
        "text": text,
        "semantic": semantic,
        "name": names.name_match(pool.files, words, constants["name_prefix"]),
        "definition": _defined(pool.files, plan, view, constants["folded"]),
        "used_by_best": _used_by_best(pool.files, text + semantic, view.file_graph),
    }
    if mass > 0:
        found["folder"] = np.minimum(names.folder_match(pool.files, words, [idf for _, idf in terms]) / mass, 1.0)
    for one, owners in zip(pool.ranked, pool.owners, strict=True):
        if one.coverage is not None:
            covered = np.zeros(count)
            np.maximum.at(covered, owners, one.coverage)
            found["coverage"] = np.minimum(covered, 1.0)
    return found


def identifiers(plan: QueryPlan) -> list[str]:
    """Return what the query names: its subjects, words with the shape of code, and a word that is all there is."""
    subjects = plan.subjects if plan.intent.name == "find_definition" else ()
    alone = (plan.text,) if _WORD.fullmatch(plan.text) else ()
    return list(dict.fromkeys([*subjects, *names_in(plan.text), *alone]))


def _defined(files: np.ndarray, plan: QueryPlan, view: IndexView | Any, folded: float) -> np.ndarray:
    values = np.zeros(len(files))
    for name in identifiers(plan):
        exact, loose = definitions(name, view)
        for ids, factor in ((exact, 1.0), (loose, folded)):
            if len(ids):
                owners = view.symbols.files[ids]
                at = np.minimum(np.searchsorted(files, owners), len(files) - 1)
                known = files[at] == owners
                np.maximum.at(values, at[known], factor * KIND_WEIGHTS[view.symbols.kinds[ids]][known])
    return values


def _used_by_best(files: np.ndarray, liked: np.ndarray, graph: FileGraph) -> np.ndarray:
    seeds = np.argsort(-liked, kind="stable")[:SEEDS]
    seeds = seeds[liked[seeds] > 0]
    reached, values = graph.step(files[seeds], liked[seeds] ** 2)
    found = np.zeros(len(files))
    if len(reached):
        at = np.minimum(np.searchsorted(files, reached), len(files) - 1)
        known = files[at] == reached
        found[at[known]] = values[known] / values.max()
    return found


def file_names(view: IndexView | Any) -> FileNames:
    """Return the file-name words of the index, opened once."""
    names = view.caches.get("file_names")
    if names is None:
        names = view.caches["file_names"] = FileNames(view.segment)
    return names


def _scatter(size: int, at: np.ndarray, values: np.ndarray, empty: float = 0) -> np.ndarray:
    out = np.full(size, empty, values.dtype)
    out[at] = values
    return out
