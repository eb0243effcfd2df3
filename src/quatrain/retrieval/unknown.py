"""A question about a name that the index does not hold: what it may have meant, marked, or nothing.

A definition, a caller or a dependent of a name that nothing bears does not exist, and code that shares a word with the question is no
answer to it.  Near names are: of one or two typing errors, of which the name is the beginning or a part, or with all of its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from quatrain._kernels import terms
from quatrain.query.paths import is_path
from quatrain.query.regex_engine import compile_pattern
from quatrain.query.terms import parse_words
from quatrain.records import QueryPlan, RankedList
from quatrain.retrieval import rescue, structural
from quatrain.retrieval.grep import find_matches

if TYPE_CHECKING:
    from quatrain.retrieval.view import IndexView

__all__ = ["nearest", "unknown_name"]

_BY_NAME = frozenset(("find_definition", "find_references", "impact_analysis"))
LEAST_COVERAGE = 0.6  # of the idf of a name's words
_PARTS = re.compile(r"[.:#/\\]+|->")


def unknown_name(plan: QueryPlan, view: IndexView | Any) -> str | None:
    """Return the name that a question is about if nothing in the index bears or mentions it as a word, in whatever letter case.

    Parameters
    ----------
    plan : QueryPlan
        Of a definition, of references or of impact, with its ``subjects``; or a question of one word.
    view : IndexView

    Returns
    -------
    str or None
        Without its qualifiers.  None when the question names nothing, or something that is known.
    """
    if plan.literal or plan.pattern:
        return None
    subjects = plan.subjects if plan.intent.name in _BY_NAME else ()
    subjects = subjects or structural.single_word(plan.text)
    if not subjects or any(is_path(subject) for subject in subjects) or plan.construct is not None:
        return None
    for subject in subjects:
        last = _PARTS.split(subject.removesuffix("()"))[-1]
        # What is looked up first is what is known most often: definitions, then names that are used, then any text.
        if any(len(ids) for name in (subject, last) for ids in structural.definitions(name, view)):
            return None
        if not rescue.letters_of(last) or _is_used(last, view) or _is_written(last, view):
            return None
    return _PARTS.split(subjects[0].removesuffix("()"))[-1]


def _is_used(name: str, view: IndexView | Any) -> bool:
    spoken = "".join(parse_words(name).spoken)
    found = view.terms.find(np.array([terms.hash_word(spoken.encode("utf-8", "replace"))], np.uint64))
    return bool(found.ends[0] > found.starts[0])


def _is_written(name: str, view: IndexView | Any) -> bool:
    pattern = compile_pattern(name, regex=False, ignore_case=True, smart_case=False, whole_word=True, multiline=False)
    return len(find_matches(view, pattern, None, 1).files) > 0


def nearest(
    name: str, plan: QueryPlan, view: IndexView | Any, run: Callable[[str, QueryPlan], RankedList | None], limit: int
) -> tuple[QueryPlan, list[RankedList], str]:
    """Return what a question may have meant by an unknown name.

    Parameters
    ----------
    name : str
        What ``unknown_name`` returned.
    plan : QueryPlan
    view : IndexView
    run : callable
        Asks one modality a plan.
    limit : int
        At most so many chunks from a list.

    Returns
    -------
    plan : QueryPlan
        The one by which the lists are fused.
    lists : list of RankedList
        Every hit in them is marked; empty when nothing is near.
    note : str
        What was done, for the answer.
    """
    near = rescue.near_names(view, name, rescue.MOST_GUESSES)
    others = list(dict.fromkeys(other for other, _ in near))
    note = f"nothing is called {name!r}" + (f"; near names: {', '.join(others)}" if others else "")
    slips = [other for other, match in near if match in ("case", "fuzzy")]
    if slips and plan.intent.name in ("find_references", "impact_analysis"):
        meant = replace(plan, subjects=(slips[0],))
        found = run("graph", meant) if "graph" in plan.modalities else None
        if found is not None and len(found):
            return meant, [_marked(found)], f"{note}; read as {slips[0]!r}"
    meant = replace(plan, text=name, subjects=tuple(others), direct=None)
    lists = []
    if others and "structural" in plan.modalities:
        lists.append(_marked(structural.of_names(others, meant, view, limit)))
    if "text" in plan.modalities:
        found = run("text", meant)
        if found is not None and len(found):
            lists.append(_with_its_words(_marked(found)))
            note += "" if others or not len(lists[-1]) else "; these have its words"
    if not any(len(one) for one in lists):
        note += "; check its spelling, or describe what it does"
    return meant, [one for one in lists if len(one)], note


def _with_its_words(found: RankedList) -> RankedList:
    """Return the hits that have most of the words of the name; those that share one of them are no answer."""
    if found.coverage is None:
        return found
    keep = found.coverage >= LEAST_COVERAGE
    marks = tuple(mark for mark, kept in zip(found.marks, keep.tolist(), strict=True) if kept)
    return replace(
        found, chunks=found.chunks[keep], files=found.files[keep], strengths=found.strengths[keep], lines=found.lines[keep],
        coverage=found.coverage[keep], marks=marks,
    )  # fmt: skip


def _marked(found: RankedList) -> RankedList:
    marks = tuple(mark or "fuzzy" for mark in found.marks) or ("fuzzy",) * len(found)
    return replace(found, marks=marks)
