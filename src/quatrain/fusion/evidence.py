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

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatrain.errors import BadQuery
from quatrain.fusion.pool import Pool
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
        # 1.25 is as good over libraries, but over applications it puts files that are called so before files that do so.
        "name": 0.75,
        "name_prefix": 0.75,
        "definition": 0.8,
        "folded": 0.7,
        "coverage": 0.9,
        "folder": 1.25,
        "used_by_best": 0.5,
        "test": 0.35,
        "header": 0.30,
        "older_version": 0.25,
    }
)
SEEDS = 10
_FLAGS = TEST | HEADER | OLDER | DEMOTED
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
    ranked = [one for one in lists if len(one)]
    if not ranked or limit <= 0:
        return Fusion([], 0)
    weights = [float(plan.weights.get(one.modality, 0.0)) for one in ranked]
    pool = Pool(ranked, weights, plan.k, view)
    boost = boosts(view.chunks.centrality[pool.chunks[pool.best]] * np.float32(centrality_scale))
    scores = pool.scores * boost
    names: tuple[str, ...] = ()
    parts = np.empty((0, len(scores)))
    multipliers = _multipliers(0.0, 0.0, 0.0)
    if weighs_evidence(plan):
        best_possible = sum(plan.weights.values()) / (plan.k + 1)
        fused = np.minimum(scores / best_possible, 1.0) if best_possible > 0 else scores
        summands = {"fused": fused} | _evidence(pool, plan, view, constants)
        names = tuple(summands)
        parts = np.stack(list(summands.values())) * np.array([[constants[name]] for name in names])
        scores = parts.sum(axis=0)
        test = 0.0 if plan.wants_tests else constants["test"]
        multipliers = _multipliers(test, constants["header"], constants["older_version"])
    flags = view.documents.flags[pool.files] & _FLAGS
    scores = scores * multipliers.products[flags]
    best_first = np.argsort(-scores, kind="stable")[:limit]
    rows = (best_first, flags[best_first], scores[best_first], boost[best_first], pool.files[best_first])
    items = []
    for at, flag, score, lift, file, values, places in zip(
        *(row.tolist() for row in (*rows, parts[:, best_first].T, pool.file_places[:, best_first].T)), strict=True
    ):
        factors = {name: value for name, value in zip(names, values, strict=True) if value or name == "fused"}
        factors |= multipliers.factors[flag]
        sources = pool.sources(places)
        for further, (position, share) in enumerate(pool.best_of(at, per_file)):
            line, mark = pool.evidence_line(position)
            extra = factors if not further else factors | {"further_chunk": share}
            items.append(Fused(pool.chunks.item(position), file, score * share, sources, lift, extra, line, mark))
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


def _evidence(
    pool: Pool, plan: QueryPlan, view: IndexView | Any, constants: Mapping[str, float]
) -> dict[str, np.ndarray]:
    """Return every summand but ``fused``, in [0, 1], by name."""
    strengths = dict(zip((one.modality for one in pool.ranked), pool.strengths(), strict=True))
    none = np.zeros(len(pool.files))
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
    for one, places in zip(pool.ranked, pool.places, strict=True):
        if one.coverage is not None:
            of_chunk = np.where(places >= 0, one.coverage[places], 0.0)
            found["coverage"] = np.minimum(np.maximum.reduceat(of_chunk, pool.starts), 1.0)
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
    mass = liked[seeds] ** 2
    return graph.step(files[seeds], mass, files) if mass[0] > 0 else np.zeros(len(files))


def file_names(view: IndexView | Any) -> FileNames:
    """Return the file-name words of the index, opened once."""
    names = view.caches.get("file_names")
    if names is None:
        names = view.caches["file_names"] = FileNames(view.segment)
    return names


class _Multipliers(NamedTuple):
    """What a file's score is multiplied with, by its flags."""

    products: np.ndarray  # float64[_FLAGS + 1]
    factors: tuple[dict[str, float], ...]  # by name, those that are not 1


@lru_cache(maxsize=64)
def _multipliers(test: float, header: float, older_version: float) -> _Multipliers:
    parts = ("test", TEST, 1 - test), ("header", HEADER, 1 - header), ("older_version", OLDER, 1 - older_version)
    factors = tuple(
        {
            name: factor
            for name, flag, factor in (*parts, ("demoted", DEMOTED, DEMOTION))
            if flags & flag and factor != 1
        }
        for flags in range(_FLAGS + 1)
    )
    return _Multipliers(np.array([math.prod(each.values()) for each in factors]), factors)
