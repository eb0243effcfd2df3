"""What a question may have meant when its words are not in the index: typing errors, parts of words, words written together.

Nothing here is reached while the words themselves are found, and everything it finds is marked.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatrain._kernels import literal, terms
from quatrain.indexes.strings import encode
from quatrain.query.glossary import translate

if TYPE_CHECKING:
    from quatrain.retrieval.view import IndexView

__all__ = ["Guess", "letters_of", "near_names", "near_words", "similarity", "split_joined", "translations"]

SIMILAR = 0.3  # least share of trigrams that a typing error leaves
MOST_GUESSES = 5
SHORTEST_PART = 3  # letters of a word in a joined spelling
SHORTEST_PREFIX = 4
SURE_LENGTH = 6
LONGEST = 60  # letters; a longer spelling is not a name


class Guess(NamedTuple):
    """A term that may have been meant."""

    hash: int
    closeness: float  # 1 = the same letters


def letters_of(name: str) -> str:
    """Return a name in lower case without what separates its words."""
    return "".join(char for char in name.lower() if char.isalnum())


def edits_allowed(length: int) -> int:
    """Return how many typing errors a word of so many letters may have."""
    return 0 if length < 4 else 1 if length < 8 else 2


def similarity(one: str, other: str) -> float:
    """Return the Dice coefficient of the trigrams of two words, their ends padded."""
    left, right = _trigrams(one), _trigrams(other)
    return 2 * len(left & right) / (len(left) + len(right))


def _trigrams(word: str) -> set[str]:
    padded = f"  {word} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}


def near_names(view: IndexView | Any, name: str, limit: int) -> list[tuple[str, str]]:
    """Return names of the index that are like ``name``, nearest first.

    Parameters
    ----------
    view : IndexView
    name : str
    limit : int

    Returns
    -------
    list of (name, match)
        ``match`` is ``case`` (other case or separators), ``fuzzy`` (one or two typing errors), ``prefix`` or ``subword``
        (``name`` begins it, or lies in it).
    """
    letters = letters_of(name)
    key = encode(letters)
    if not key or len(key) > LONGEST:
        return []
    blob, offsets, sketches = view.symbols.spellings
    found: dict[int, tuple[int, float, str]] = {}
    allowed = edits_allowed(len(letters))
    distances = terms.distances(blob, offsets, sketches, key, allowed)
    names = view.symbols.names
    for position in np.flatnonzero(distances >= 0).tolist():
        edits = int(distances[position])
        if edits == 0:
            found[position] = (0, 0.0, "case")
            continue
        close = similarity(letters, letters_of(names[position]))
        if close >= SIMILAR:
            found[position] = (1, edits - close, "fuzzy")
    if len(letters) >= SHORTEST_PREFIX:
        for position in _holding(blob, offsets, sketches, key):
            other = letters_of(names[position])
            begins = other.startswith(letters)
            found.setdefault(position, (2 if begins else 3, len(other), "prefix" if begins else "subword"))
    order = sorted(found, key=lambda position: (*found[position][:2], position))
    return [(names[position], found[position][2]) for position in order[:limit]]


def near_words(view: IndexView | Any, word: str) -> list[Guess]:
    """Return the terms that a misspelt or unfinished word may stand for, nearest first.

    Parameters
    ----------
    view : IndexView
    word : str
        A stemmed sub-word that is not in the index.

    Returns
    -------
    list of Guess
    """
    key = word.encode()
    if len(word) < SHORTEST_PREFIX or len(key) > LONGEST:
        return []
    index = view.terms
    blob, offsets, sketches = index.vocabulary
    distances = terms.distances(blob, offsets, sketches, key, edits_allowed(len(word)))
    guesses: list[tuple[float, int, int]] = []
    for position in np.flatnonzero(distances >= 0).tolist():
        close = similarity(word, _spelling(blob, offsets, position))
        # Short letter sequences that occur once are as often data (a key, base64) as a word.
        if close >= SIMILAR and (len(word) >= SURE_LENGTH or index.frequency(position) > 1):
            guesses.append((1 / (1 + int(distances[position])) * close, index.frequency(position), position))
    if not guesses:
        for position in _holding(blob, offsets, sketches, key):
            other = _spelling(blob, offsets, position)
            if other.startswith(word):
                guesses.append((len(word) / len(other), index.frequency(position), position))
    if not guesses:
        guesses = _cognates(index, word)
    guesses.sort(key=lambda guess: (-guess[0], -guess[1], guess[2]))
    return [Guess(index.hash_at(position), close) for close, _, position in guesses[:MOST_GUESSES]]


def _cognates(index: Any, word: str) -> list[tuple[float, int, int]]:
    """Return words with a long common beginning: "configuraco" and "configur"."""
    head = word[:6]
    if len(head) < 6:
        return []
    guesses = []
    blob, offsets, sketches = index.vocabulary
    for position in _holding(blob, offsets, sketches, head.encode()):
        other = _spelling(blob, offsets, position)
        if not other.startswith(head):
            continue
        common = next(
            (i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other))
        )
        share = 2 * common / (len(word) + len(other))
        if share >= 0.75:
            guesses.append((share, index.frequency(position), position))
    return guesses


def _holding(blob: np.ndarray, offsets: np.ndarray, sketches: np.ndarray, word: bytes) -> list[int]:
    """Return the positions of the strings of which ``word`` is a part, in any letter case."""
    chosen = terms.may_hold(sketches, word)
    found, _ = literal.find(blob, offsets[:-1], offsets[1:], word, ignore_case=True, chosen=chosen)
    return np.unique(found).tolist()


def _spelling(blob: np.ndarray, offsets: np.ndarray, position: int) -> str:
    return blob[int(offsets[position]) : int(offsets[position + 1])].tobytes().decode("utf-8", "replace")


def split_joined(view: IndexView | Any, word: str) -> list[int]:
    """Return the hashes of the fewest indexed words that spell ``word`` when written together; empty when there are none.

    Parameters
    ----------
    view : IndexView
    word : str
        Lower case, with its suffix.

    Returns
    -------
    list of int
    """
    size = len(word)
    if size < 2 * SHORTEST_PART or size > LONGEST or not word.isascii():
        return []
    spans = [(i, j) for i in range(size) for j in range(i + SHORTEST_PART, size + 1) if j - i < size]
    hashes = np.array([terms.hash_word(word[i:j].encode()) for i, j in spans], np.uint64)
    found = view.terms.find(hashes)
    known = found.ends > found.starts
    best: list[tuple[int, float, list[int]] | None] = [None] * (size + 1)
    best[0] = (0, 0.0, [])
    # Spans come by start, so what ends at a start is settled before it is used.
    for (i, j), code, is_known, idf in zip(spans, hashes.tolist(), known.tolist(), found.idf.tolist(), strict=True):
        before = best[i]
        if before is None or not is_known:
            continue
        candidate = (before[0] + 1, before[1] + idf, [*before[2], code])
        if best[j] is None or candidate[:2] < best[j][:2]:  # type: ignore[index]
            best[j] = candidate
    end = best[size]
    if end is None or size < end[0] * (SHORTEST_PART + 0.5):  # nothing but three-letter words is chance
        return []
    return list(dict.fromkeys(end[2]))


def translations(view: IndexView | Any, text: str) -> list[int]:
    """Return the hashes of indexed English words that stand for the foreign words of a text.

    Parameters
    ----------
    view : IndexView
    text : str

    Returns
    -------
    list of int
        Also of neighbouring ones written together, where the index has them.
    """
    found = translate(text)
    own = view.terms.find(np.array([terms.hash_word(word.encode()) for word, _ in found], np.uint64))
    # A word that the code has is no foreign one.
    unknown = (own.ends == own.starts).tolist()
    choices = [
        [terms.spell(word.encode())[0] for word in group]
        for (_, group), is_unknown in zip(found, unknown, strict=True)
        if is_unknown
    ]
    single = [terms.hash_word(word.encode()) for group in choices for word in group]
    pairs = pairwise(choices)
    joined = [terms.hash_word((a + b).encode()) for left, right in pairs for a in left for b in right]
    codes = list(dict.fromkeys(single + joined))
    known = view.terms.find(np.array(codes, np.uint64))
    return [
        code for code, start, end in zip(codes, known.starts.tolist(), known.ends.tolist(), strict=True) if end > start
    ]
