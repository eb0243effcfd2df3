"""Find by characters and words: verified literal hits, or chunks ranked by the words of the question.

An answer is one kind of evidence throughout.  Exact hits come alone; only when there are none is the question read differently, and then
every hit carries the mark of how: ``case`` (other letter case), ``variant`` (the same words with other case, separators or endings:
``parseConfigs`` for ``parse_config``), ``partial`` (a part of the text, or the text inside longer words), ``fuzzy`` (near spellings).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from quatrain._kernels import terms
from quatrain.indexes.documents import CONFIG, DEMOTED, DOCS, TEST
from quatrain.indexes.strings import encode
from quatrain.indexes.terms import Postings
from quatrain.query.regex_engine import compile_pattern
from quatrain.query.terms import QueryWords, parse_words
from quatrain.records import QueryPlan, RankedList
from quatrain.retrieval import rescue
from quatrain.retrieval.grep import Matches, contents_of, find_matches
from quatrain.retrieval.rescue import near_names

if TYPE_CHECKING:
    from quatrain.retrieval.view import Allowed, IndexView

__all__ = ["near_names", "retrieve"]

LOCATED = 16  # hits whose best line is looked up; the others show where their chunk begins
MOST_LINES = 50_000  # after which a very common literal is not followed further
ASIDE = 0.5  # weight of tests, documentation and configuration among literal hits
DEMOTION = 0.4
DEFINED = 1.0  # bonus for the file that defines the literal
NEXT_CHUNK = 0.5
LEAST_PART = 10  # characters of a part of a literal that is worth looking for
KNOWN_SHARE = 0.5  # of the question's idf; below it, unknown words are guessed
LEAST_SHARE = 0.35  # of the question's idf; below it, the known words say nothing about it
VERBATIM_WORDS = 3  # from which on a question may be text of the code, pasted without quotes
VERBATIM_FILES = 10  # with more files the words are a common phrase and prove nothing
# What varies in a message: numbers, quoted values, placeholders, and punctuation that sets values off.
_VARIABLE = re.compile(
    r"""%[-\d.]*[a-zA-Z]|\{[^{}]*\}|"[^"]*"|'[^']*'|`[^`]*`|<[^<>]*>|\b0x[0-9a-fA-F]+\b|\d+|[:=;,()\[\]]"""
)
_PLAIN = re.compile(r"[\w$.:/#()?!,;'\"-]+")


def retrieve(plan: QueryPlan, view: IndexView | Any, limit: int) -> RankedList:
    """Return the chunks that hold what the question spells, best first.

    Parameters
    ----------
    plan : QueryPlan
        ``literal`` asks for exact characters; otherwise the words of ``text`` count.
    view : IndexView
    limit : int

    Returns
    -------
    RankedList
        ``coverage`` is the share of the words' idf that a chunk has; ``marks`` are set when nothing matched exactly.
    """
    allowed = view.allowed(plan.filters)
    wanted = plan.literal or (plan.text.strip() if plan.intent.name == "exact_match" else None)
    if wanted:
        return _exact_then_near(wanted, plan, view, allowed, limit)
    text = plan.text.strip()
    words = parse_words(plan.text)
    if not words.words or (not _PLAIN.fullmatch(text) and not any(char.isspace() for char in text)):
        found = _literal(text, plan, view, allowed, limit)
        if len(found) or not words.words:
            return found
    return _words(words, text, plan, view, allowed, limit)


# --- literals ---


def _exact_then_near(wanted: str, plan: QueryPlan, view: Any, allowed: Allowed, limit: int) -> RankedList:
    found = _literal(wanted, plan, view, allowed, limit)
    if not len(found):
        found = _literal(wanted, plan, view, allowed, limit, ignore_case=True, mark="case")
    for part in _parts(wanted) if not len(found) else ():
        found = _literal(part, plan, view, allowed, limit, mark="partial")
        if len(found):
            return _noted(found, f"not found as a whole; these have {part!r}")
    return found


def _noted(found: RankedList, note: str) -> RankedList:
    return RankedList(
        found.modality,
        found.chunks,
        found.files,
        found.strengths,
        found.lines,
        found.coverage,
        found.marks,
        (*found.notes, note),
    )


def _parts(wanted: str) -> list[str]:
    """Return the fixed parts of a message whose values vary, longest first."""
    parts = {part.strip() for part in _VARIABLE.split(wanted)}
    return sorted(
        (part for part in parts if len(part) >= LEAST_PART and part != wanted), key=lambda part: (-len(part), part)
    )


def _literal(
    wanted: str, plan: QueryPlan, view: Any, allowed: Allowed, limit: int, *, ignore_case: bool = False, mark: str = ""
) -> RankedList:
    pattern = compile_pattern(
        wanted, regex=False, ignore_case=ignore_case, smart_case=False, whole_word=False, multiline="\n" in wanted
    )
    return _rank_matches(
        find_matches(view, pattern, allowed.files, MOST_LINES), wanted, plan, view, allowed, limit, mark
    )


def _rank_matches(
    matches: Matches, wanted: str, plan: QueryPlan, view: Any, allowed: Allowed, limit: int, mark: str
) -> RankedList:
    """Rank files by what they are and how often they match, and their chunks by where."""
    if not len(matches.files):
        return RankedList.empty("text")
    chunks = view.chunks.at_lines(matches.files, matches.lines)
    valid = chunks >= 0
    if allowed.chunks is not None:
        valid &= allowed.chunks[chunks]
    files, lines, chunks = matches.files[valid], matches.lines[valid], chunks[valid]
    if not len(files):
        return RankedList.empty("text")
    owners, counts = np.unique(files, return_counts=True)
    flags = view.documents.flags[owners]
    value = 1 + np.log1p(counts) / np.log1p(counts.max())
    defined = {int(view.symbols.files[symbol]): symbol for symbol in reversed(view.symbols.exact(wanted))}
    value += DEFINED * np.isin(owners, list(defined))
    aside = (DOCS | CONFIG) if plan.wants_tests else (DOCS | CONFIG | TEST)
    value *= np.where(flags & aside != 0, ASIDE, 1.0) * np.where(flags & DEMOTED != 0, DEMOTION, 1.0)
    value /= 2 + DEFINED
    # The first line of each chunk stands for it; the chunks of a file follow each other by their hits.
    unique, first, hits = np.unique(chunks, return_index=True, return_counts=True)
    shown = lines[first].copy()
    owner = np.searchsorted(owners, files[first])
    for position, file in enumerate(owners.tolist()):
        if file in defined and len(at := np.flatnonzero(unique == view.symbols.chunks[defined[file]])):
            shown[at], hits[at] = view.symbols.lines[defined[file]], hits[owner == position].max() + 1
    order = np.lexsort((unique, -hits, owner))
    rank = np.empty(len(order), np.int64)
    begins = np.searchsorted(owner[order], np.arange(len(owners)))
    rank[order] = np.arange(len(order)) - begins[owner[order]]
    strengths = value[owner] * NEXT_CHUNK**rank
    best = np.lexsort((unique, -strengths))[:limit]
    return RankedList(
        "text",
        unique[best].astype(np.int64),
        files[first][best].astype(np.int64),
        strengths[best],
        shown[best].astype(np.int64),
        np.ones(len(best)),
        (mark,) * len(best) if mark else (),
        (f"{len(files)} lines in {len(owners)} files",),
    )


# --- words ---


def _words(words: QueryWords, text: str, plan: QueryPlan, view: Any, allowed: Allowed, limit: int) -> RankedList:
    found = view.terms.find(np.concatenate([words.hashes, words.joined]))
    known = (found.ends > found.starts)[: len(words.hashes)]
    idf = found.idf[: len(words.hashes)]
    mark, notes = "", ()
    if not any(char.isspace() for char in text):
        if _is_known_name(words, view):
            mark = "" if _is_spelled(text, view, allowed) else "variant"
        else:
            rescued = _rescue_name(text, words, known, plan, view, allowed, limit)
            # A letter or a number of an unknown name does not make it known.
            telling = known & np.array([len(word) >= rescue.SHORTEST_PART for word in words.words])
            if len(rescued) or idf[telling].sum() < KNOWN_SHARE * idf.sum():
                return rescued
            mark, notes = "fuzzy", (f"no {text!r}; these have its words",)
    elif (share := idf[known].sum() / idf.sum()) < KNOWN_SHARE:
        rescued = _rescue_words(text, words, known, view, allowed, limit)
        if len(rescued) or share < LEAST_SHARE:
            return rescued
    ranked = _ranked(words.hashes, words.joined, None, view, allowed, limit, mark, notes, found=found)
    return _verbatim_first(text, ranked, view)


def _verbatim_first(text: str, ranked: RankedList, view: Any) -> RankedList:
    """Put the chunks that hold the whole question, letter by letter, before those that only have its words."""
    if len(text.split()) < VERBATIM_WORDS or ranked.coverage is None:
        return ranked
    whole = np.flatnonzero(ranked.coverage >= 1 - 1e-6)
    if not len(whole):
        return ranked
    chunks, files = ranked.chunks[whole], ranked.files[whole]
    content = contents_of(view)
    content.verify(content.whole, files)
    starts = content.offsets[files] + view.chunks.start_bytes[chunks]
    ends = content.offsets[files] + view.chunks.end_bytes[chunks]
    wanted = encode(text).lower()
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    found = np.array([wanted in content.bytes[start:end].tobytes().lower() for start, end in spans])
    exact = whole[found]
    if not 0 < len(np.unique(ranked.files[exact])) <= VERBATIM_FILES:
        return ranked
    strengths = ranked.strengths.copy()
    strengths[exact] = 2 * strengths[0]
    order = np.argsort(-strengths, kind="stable")
    return RankedList(
        ranked.modality,
        ranked.chunks[order],
        ranked.files[order],
        strengths[order],
        ranked.lines[order],
        ranked.coverage[order],
        (),
        (*ranked.notes, "the question occurs in the code word for word"),
    )


def _ranked(
    words: np.ndarray,
    joined: np.ndarray,
    factors: np.ndarray | None,
    view: Any,
    allowed: Allowed,
    limit: int,
    mark: str = "",
    notes: Sequence[str] = (),
    found: Postings | None = None,
) -> RankedList:
    hashes = np.concatenate([words, joined])
    postings = view.terms.find(hashes) if found is None else found
    chunks, scores, coverage = view.terms.search(words, joined, limit, allowed.chunk_bits, factors, postings)
    if not len(chunks):
        return RankedList.empty("text", tuple(notes))
    return RankedList(
        "text",
        chunks,
        view.chunks.files[chunks].astype(np.int64),
        scores,
        _best_lines(chunks, hashes, postings, view),
        coverage,
        (mark,) * len(chunks) if mark else (),
        tuple(notes),
    )


def _best_lines(chunks: np.ndarray, hashes: np.ndarray, postings: Postings, view: Any) -> np.ndarray:
    """Return the line of each chunk that has most of the terms."""
    lines = view.chunks.start_lines[chunks].astype(np.int64)
    top = chunks[:LOCATED]
    files = view.chunks.files[top].astype(np.int64)
    content = contents_of(view)
    base = content.offsets[files]
    starts, ends = base + view.chunks.start_bytes[top], base + view.chunks.end_bytes[top]
    content.verify(content.whole, files)
    known = np.flatnonzero(postings.ends > postings.starts)
    known = known[np.argsort(hashes[known])]
    weights = postings.idf[known].astype(np.float32)
    offsets = terms.locate(content.bytes, starts, ends, hashes[known], weights)
    rows = np.flatnonzero(offsets >= 0)
    if len(rows):
        lines[rows] = content.number(files[rows], offsets[rows].astype(np.uint64) - base[rows])
    return lines


def _is_known_name(words: QueryWords, view: Any) -> bool:
    """Return whether the index has the words of a name written together."""
    code = np.array([terms.hash_word("".join(words.spoken).encode())], np.uint64)
    found = view.terms.find(code)
    return bool(found.ends[0] > found.starts[0])


def _is_spelled(name: str, view: Any, allowed: Allowed) -> bool:
    """Return whether some file has a name in these very letters."""
    pattern = compile_pattern(name, regex=False, ignore_case=False, smart_case=False, whole_word=False, multiline=False)
    return len(find_matches(view, pattern, allowed.files, 1).files) > 0


def _rescue_name(
    text: str, words: QueryWords, known: np.ndarray, plan: QueryPlan, view: Any, allowed: Allowed, limit: int
) -> RankedList:
    """Read one unknown name as part of longer ones, as a near one, or as several words."""
    name = "".join(words.spoken)
    if len(text) >= rescue.SHORTEST_PART:
        for ignore_case, mark in ((False, "partial"), (True, "partial")):
            found = _literal(text, plan, view, allowed, limit, ignore_case=ignore_case, mark=mark)
            if len(found):
                return found
    near = [
        (other, match) for other, match in near_names(view, name, rescue.MOST_GUESSES) if match in ("case", "fuzzy")
    ]
    if near:
        codes = dict.fromkeys(terms.hash_word(rescue.letters_of(other).encode()) for other, _ in near)
        found = _ranked(
            np.array(list(codes), np.uint64), np.empty(0, np.uint64), 1.0 / np.arange(1, len(codes) + 1), view, allowed, limit,
            "fuzzy", (f"no {text!r}; near names: {', '.join(dict.fromkeys(other for other, _ in near))}",),
        )  # fmt: skip
        if len(found):
            return found
    codes_of_parts = rescue.split_joined(view, name)
    if codes_of_parts:
        return _ranked(
            np.array(codes_of_parts, np.uint64), np.empty(0, np.uint64), None, view, allowed, limit, "fuzzy",
            (f"no {text!r}; these have its words",),
        )  # fmt: skip
    return _rescue_words(text, words, known, view, allowed, limit)


def _rescue_words(
    text: str, words: QueryWords, known: np.ndarray, view: Any, allowed: Allowed, limit: int
) -> RankedList:
    """Replace unknown words by what they may have meant; empty when nothing is near any of them.

    Words of other languages are translated first; what is left is read as words written together, or misspelt.
    """
    hashes = {code: 1.0 for code, is_known in zip(words.hashes.tolist(), known.tolist(), strict=True) if is_known}
    unknown = [word for word, is_known in zip(words.words, known.tolist(), strict=True) if not is_known]
    translated = rescue.translations(view, text)
    for code in translated:
        hashes.setdefault(code, 1.0)
    guessed = 0
    for word in () if translated else unknown:
        guesses = [(code, 1.0) for code in rescue.split_joined(view, word)] or rescue.near_words(view, word)
        guessed += bool(guesses)
        for near, closeness in guesses:
            hashes.setdefault(near, closeness)
    # A minority of the words that happens to be near something is chance.
    if not translated and (not guessed or 2 * (len(words.words) - len(unknown) + guessed) <= len(words.words)):
        return RankedList.empty("text")
    codes = np.fromiter(hashes, np.uint64, len(hashes))
    factors = np.concatenate([np.fromiter(hashes.values(), np.float64, len(hashes)), np.ones(len(words.joined))])
    return _ranked(codes, words.joined, factors, view, allowed, limit, "fuzzy")
