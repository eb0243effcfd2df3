"""Find by syntax: definitions by name, by the words in their names, and by what their header says.

Four sources, strongest first; a definition keeps its best:

1. the subjects of the question defined exactly (a dotted one as a suffix of the qualified name), or but for case and
   underscores;
2. what the question says of decorators, bases, parameters and results (`quatrain.retrieval.constructs`); a question that
   says nothing else is answered with the definitions that fit, and on the direct path with nothing but them;
3. names that share words with the question: with m the summed idf of the shared words, the strength is
   ``kind x (m / mass of the question) x sqrt(m / mass of the name)``, and half the kind's weight more when neighbouring
   words of the question, written together, are the name.

Tests weigh less unless they are asked for.  Equal strengths follow: not demoted, centrality, path, line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from quatrain._kernels import ranking, terms
from quatrain.indexes.documents import DEMOTED, TEST
from quatrain.indexes.symbols import KIND_CODE
from quatrain.query.constructs import CALLABLES, TYPES
from quatrain.query.terms import parse_words
from quatrain.records import SYMBOL_KINDS, Filters, QueryPlan, RankedList
from quatrain.retrieval import constructs

if TYPE_CHECKING:
    from quatrain.retrieval.view import IndexView

__all__ = ["KIND_WEIGHTS", "definitions", "of_names", "retrieve", "single_word"]

_WEIGHTS = {
    1.0: ("class", "interface", "trait", "struct", "union", "enum", "type", "annotation", "module"),
    0.85: ("function", "method", "macro", "constructor", "alias"),
    0.6: ("impl", "extension"),
    0.5: ("constant", "variable", "field", "property", "enum_member", "namespace", "package"),
    0.4: ("prototype",),
}
# How likely a definition of each kind is what a question means, by kind code.
KIND_WEIGHTS = np.array([next(w for w, kinds in _WEIGHTS.items() if kind in kinds) for kind in SYMBOL_KINDS])
KIND_WEIGHTS.flags.writeable = False

EXACT, HEADER, FOLDED, LAST_PART = 2.0, 1.6, 1.5, 1.2
WHOLE_NAME = 0.5
TEST_WEIGHT = 0.65
_IN_TEST, _SHUT_OUT = 32, 255  # classes of definitions, beside the kind codes
OTHER_KIND = 0.6
MOST_NEAR = 200  # definitions that agree but for case and underscores; a name with more is a common word


def _standing(wants_tests: bool) -> np.ndarray:
    """Return float64[256]: by class, what a strength is multiplied with whatever the kind."""
    factors = np.ones(256)
    factors[_IN_TEST:] = 1.0 if wants_tests else TEST_WEIGHT
    factors[_SHUT_OUT] = 0.0
    return factors


_STANDING = tuple(_standing(wants_tests) for wants_tests in (False, True))
_CLASS_WEIGHTS = tuple(np.resize(np.pad(KIND_WEIGHTS, (0, _IN_TEST - len(KIND_WEIGHTS))), 256) * f for f in _STANDING)

_VALUES = ("constant", "variable", "field", "property", "enum_member")
# What the word before a name says about its kind.
_KINDS_SAID: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("def", "fn", "func", "fun", "function", "sub", "proc", "defun", "defp"), CALLABLES),
    "method": ("method", "constructor", "function", "alias"),
    "class": ("class", "struct", "interface", "trait"),
    "struct": ("struct", "class", "union"),
    "interface": ("interface", "trait", "class"),
    "trait": ("trait", "interface"),
    "protocol": ("interface", "trait"),
    "enum": ("enum",),
    "union": ("union",),
    "type": TYPES,
    "typedef": TYPES,
    "module": ("module", "namespace"),
    "namespace": ("namespace", "module", "package"),
    "package": ("package", "namespace", "module"),
    "alias": ("alias", "type"),
    "macro": ("macro",),
    **dict.fromkeys(("const", "constant", "let", "var", "val", "variable", "field", "property"), _VALUES),
}

_SINGLE = re.compile(r"[A-Za-z_$][\w$]*")
_LAST_WORD = re.compile(r"\w+\Z")
_SEPARATORS = re.compile(r"[.:#/]+|->")
_NO_IDS = np.empty(0, np.int64)


def retrieve(plan: QueryPlan, view: IndexView | Any, limit: int) -> RankedList:
    """Rank definitions.

    Parameters
    ----------
    plan : QueryPlan
        Its ``subjects`` and its text are looked up; its filters are applied.  On the direct path only definitions of
        the subjects are returned, so that a miss is seen as one.
    view : IndexView
        Holds the symbol table and the words of its names.
    limit : int
        At most so many chunks.

    Returns
    -------
    RankedList
        The chunk is the one that holds the name, the evidence line is the line of the name.
    """
    classes = _classes(plan.filters, view)
    standing = _STANDING[plan.wants_tests]
    construct = plan.construct
    notes: tuple[str, ...] = ()
    parts: list[Part] = []
    if construct is not None and (construct.whole or plan.direct != "structural"):
        fitting, notes = constructs.fitting(construct, view)
        if plan.direct != "structural" or any(not mark for _, _, mark in fitting):  # guesses alone are no sure answer
            parts += [(ids, HEADER * values, mark) for ids, values, mark in fitting]
    if plan.direct != "structural" or construct is None or not construct.whole:
        parts += _named(plan, view)
    parts = [(ids, values * standing[classes[ids]], mark) for ids, values, mark in parts]
    if plan.direct != "structural":
        parts.append(_by_words(plan, view, classes, _CLASS_WEIGHTS[plan.wants_tests], 4 * limit))
    return _listed(parts, view, limit, notes)


def of_names(names: Sequence[str], plan: QueryPlan, view: IndexView | Any, limit: int) -> RankedList:
    """Return the definitions of some names, those of earlier names first.

    Parameters
    ----------
    names : sequence of str
        Simple names that the index has.
    plan : QueryPlan
        Its filters are applied.
    view : IndexView
    limit : int
        At most so many chunks.
    """
    classes = _classes(plan.filters, view)
    parts: list[Part] = []
    for place, name in enumerate(names):
        ids = np.array(view.symbols.exact(name), np.int64)
        parts.append((ids, EXACT / (1 + place) * _CLASS_WEIGHTS[plan.wants_tests][classes[ids]], ""))
    return _listed(parts, view, limit, ())


def _listed(parts: Sequence[Part], view: IndexView | Any, limit: int, notes: tuple[str, ...]) -> RankedList:
    """Return the chunks of some definitions, each by its best."""
    if not any(len(ids) for ids, _, _ in parts):
        return RankedList.empty("structural", notes)
    ids = np.concatenate([ids for ids, _, _ in parts])
    strengths = np.concatenate([values for _, values, _ in parts])
    owners = np.repeat(np.arange(len(parts)), [len(ids) for ids, _, _ in parts])
    # Several definitions may lie in one chunk; those below the first cut are looked at when that leaves too few chunks.
    for most in (3 * limit // 2, 4 * limit):
        best = _best_of_chunks(ids, strengths, most, view)
        if len(best) >= limit or len(ids) <= most:
            break
    best = best[:limit]
    ids = ids[best]
    chunks = view.symbols.chunks[ids]
    marks = [mark for _, _, mark in parts]
    shown = tuple([marks[owner] for owner in owners[best].tolist()]) if any(marks) else ()
    return RankedList(
        "structural",
        chunks,
        view.chunks.files[chunks].astype(np.int64),
        strengths[best],
        view.symbols.lines[ids].astype(np.int64),
        marks=shown if any(shown) else (),
        notes=notes,
    )


def _best_of_chunks(ids: np.ndarray, strengths: np.ndarray, most: int, view: IndexView | Any) -> np.ndarray:
    """Return the positions of the best definition of each chunk, best first, among the best ``most`` and the equals of the last."""
    kept = strengths > 0
    if len(ids) > most:
        # The cut must not depend on the order inside of equal strengths.
        kept &= strengths >= np.partition(strengths, -most)[-most]
    rows = np.flatnonzero(kept)
    ids = ids[rows]
    symbols = view.symbols
    chunks = symbols.chunks[ids]
    # Not demoted, then central, then by chunk, in one number: floats above 0 are ordered as their bits are.
    centrality = view.chunks.centrality[chunks].view(np.uint32).astype(np.int64)
    demoted = (view.documents.flags[symbols.files[ids]] & DEMOTED != 0).astype(np.int64)
    tie = (demoted << 62) - (centrality << 31) + chunks
    order = np.lexsort((symbols.lines[ids], tie, -strengths[rows]))
    return rows[order[np.sort(np.unique(chunks[order], return_index=True)[1])]]


def definitions(name: str, view: IndexView | Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the definitions of a name.

    Parameters
    ----------
    name : str
        Simple, or qualified by any suffix.
    view : IndexView
        The opened indexes.

    Returns
    -------
    exact : ndarray of int64
        Symbols of that very name.
    folded : ndarray of int64
        Symbols whose name differs in case and underscores only.
    """
    cache: dict[str, tuple[np.ndarray, np.ndarray]] = view.caches.setdefault("definitions", {})
    found = cache.get(name)
    if found is None:
        if len(cache) > 256:
            cache.clear()
        found = cache[name] = _definitions(name, view)
    return found


def _definitions(name: str, view: IndexView | Any) -> tuple[np.ndarray, np.ndarray]:
    symbols = view.symbols
    same = symbols.resolve(name)
    exact = np.array(same, np.int64)
    last = _SEPARATORS.split(name.strip().removesuffix("()"))[-1]
    letters = _letters(last)
    if not letters or (last != name and len(exact)):
        return exact, _NO_IDS
    spellings = {last.lower(), last.upper(), last.capitalize(), last[:1].lower() + last[1:]} - {last}
    near = {symbol for spelling in spellings for symbol in symbols.exact(spelling)}
    postings = view.name_terms.find(np.array([terms.hash_word(letters.encode("utf-8", "replace"))], np.uint64))
    start, end = int(postings.starts[0]), int(postings.ends[0])
    if end - start <= MOST_NEAR:
        others = set(view.name_terms.symbols[start:end].tolist()).difference(near, same)
        near.update(s for s in others if _letters(symbols.name(s)) == letters)
    if last != name:
        wanted = tuple(part.lower() for part in _SEPARATORS.split(name) if part)
        near = {s for s in near if _ends_with(symbols.qualified(s), wanted)}
    return exact, np.array(sorted(near.difference(same)), np.int64)


def _letters(name: str) -> str:
    return name.replace("_", "").replace("$", "").lower()


def _ends_with(qualified: str, wanted: tuple[str, ...]) -> bool:
    parts = [_letters(part) for part in re.split(r"[.:#/]+", qualified)]
    return parts[-len(wanted) :] == [_letters(part) for part in wanted]


Part = tuple[
    np.ndarray, np.ndarray, str
]  # symbols, their strengths, the mark of what was not asked for letter by letter


def _named(plan: QueryPlan, view: IndexView | Any) -> list[Part]:
    """Return the definitions of the subjects."""
    parts: list[Part] = []
    for subject in plan.subjects or single_word(plan.text):
        exact, folded = definitions(subject, view)
        said = _kinds_said(plan.text, subject)
        for ids, base in ((exact, EXACT), (folded, FOLDED)):
            if len(ids) and not (base == FOLDED and len(exact) and plan.direct == "structural"):
                mark = "variant" if base == FOLDED and not len(exact) else ""
                parts.append((ids, base * _weight_of_kind(view.symbols.kinds[ids], said), mark))
        last = _SEPARATORS.split(subject.removesuffix("()"))[-1]
        if not len(exact) and not len(folded) and last != subject:
            # The name may be inherited: what bears its last part is near, and is marked as such.
            ids = np.array(view.symbols.exact(last), np.int64)
            if 0 < len(ids) <= MOST_NEAR:
                parts.append((ids, LAST_PART * _weight_of_kind(view.symbols.kinds[ids], said), "fuzzy"))
    return parts


def single_word(text: str) -> tuple[str, ...]:
    """Return a question of one word as the name it may be."""
    word = text.strip()
    return (word,) if _SINGLE.fullmatch(word) else ()


def _kinds_said(text: str, subject: str) -> tuple[str, ...]:
    """Return the kinds that the word before a subject names, or ()."""
    at = text.find(subject)
    while at >= 0:
        before = text[:at]
        before = before[:-1] if before.endswith(("`", "'", '"')) else before
        spaced = before.rstrip()
        if spaced != before and (word := _LAST_WORD.search(spaced)) is not None:
            return _KINDS_SAID.get(word[0].lower(), ())
        at = text.find(subject, at + 1)
    return ()


def _weight_of_kind(kinds: np.ndarray, said: tuple[str, ...]) -> np.ndarray:
    if not said:
        return KIND_WEIGHTS[kinds]
    weights = OTHER_KIND * KIND_WEIGHTS
    weights[[KIND_CODE[kind] for kind in said]] = 1.0
    return weights[kinds]


def _by_words(
    plan: QueryPlan, view: IndexView | Any, classes: np.ndarray, class_weights: np.ndarray, limit: int
) -> Part:
    """Return the definitions whose names share words with the question: the best ``limit``, and the equals of the last."""
    # Of "find ECONNREFUSED" only the literal is wanted; a definition called "find" is no answer.
    words = parse_words(plan.literal if plan.intent.name == "exact_match" and plan.literal else plan.text)
    index = view.name_terms
    found = index.find(np.concatenate([words.joined, words.hashes]))
    forms = len(words.joined)
    question = float(found.idf[forms:].sum())
    if question <= 0:
        return _NO_IDS, np.empty(0), ""
    rarest_first = np.argsort(-found.idf[forms:], kind="stable")
    order = np.concatenate([np.arange(forms), forms + rarest_first])
    ids, values = ranking.names(
        index.symbols, found.starts[order], found.ends[order], found.idf[order[forms:]], question, index.mass, classes,
        class_weights, WHOLE_NAME, limit,
    )  # fmt: skip
    return ids, values, ""


def _classes(filters: Filters, view: IndexView | Any) -> np.ndarray:
    """Return uint8[S], a class for each definition: its kind, with ``_IN_TEST`` in a test, or ``_SHUT_OUT`` by the filters."""
    cache: dict[Filters, np.ndarray] = view.caches.setdefault("symbol_classes", {})
    found = cache.get(filters)
    if found is None:
        if len(cache) > 16:
            cache.clear()
        symbols = view.symbols
        found = symbols.kinds | np.where(view.documents.flags[symbols.files] & TEST != 0, _IN_TEST, 0).astype(np.uint8)
        shut_out = symbols.chunks < 0
        allowed = view.allowed(filters)
        if allowed.chunks is not None:
            shut_out |= ~allowed.chunks[symbols.chunks]
        if filters.kinds:
            wanted = [KIND_CODE[kind] for kind in filters.kinds if kind in KIND_CODE]
            shut_out |= ~np.isin(symbols.kinds, wanted)
        found[shut_out] = _SHUT_OUT
        cache[filters] = found
    return found
