"""The words of a question, split and stemmed exactly as the index splits the words of the source."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from quatrain._kernels import terms
from quatrain.records import QueryPlan

if TYPE_CHECKING:
    from quatrain.retrieval.view import IndexView

__all__ = ["QueryTerm", "QueryWords", "parse_words", "query_terms", "split_words"]

MOST_WORDS = 64  # of one question; a pasted page is cut
MOST_JOINED = 4  # neighbouring words that may spell one identifier

# Function words of English, and of Spanish, Portuguese and German those that are no English or programming words.
STOP_WORDS = frozenset(
    terms.spell(
        b"""
        a about all also am an and any are as at be been being both but by can could did do does doing each either every for from had
        has have having he her here him his how i if in into is it its itself just let may me might more most must my no nor not of off
        on one only or other our ours out own please shall she should show so some such tell than that the their theirs them then there
        these they this those to too up upon us use used uses using via was we were what when where whether which while who whom whose
        why will with within without would you your yours
        como cual cuando das dass dem den der des dessen desde diese dieser donde dos eine einem einen einer eines ela eles esta este
        esto las los nao oder onde para pela pelo por quais qual quando que quien sao sobre sowie uma und una unas unos
        welche welcher wenn wie wird wo zum zur
        """
    )
)


class QueryWords(NamedTuple):
    """What to look up for a question."""

    words: tuple[str, ...]  # distinct stemmed sub-words, stop words left out unless there is nothing else
    hashes: np.ndarray  # uint64, of ``words``
    joined: (
        np.ndarray
    )  # uint64, of runs of 2 to 4 neighbouring words written together and of whole identifiers, without ``hashes``
    spoken: tuple[str, ...]  # every sub-word in order, lower case, with its suffix


class QueryTerm(NamedTuple):
    """One word of a question and how rare it is among chunks."""

    text: str
    hash: int
    idf: float


def split_words(text: str) -> list[str]:
    """Return the stemmed sub-words of a text.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str

    Examples
    --------
    >>> split_words("parseConfig of HTTP_servers")
    ['pars', 'config', 'of', 'http', 'serv']
    """
    return terms.spell(text.encode("utf-8", "replace"))


@lru_cache(maxsize=256)
def parse_words(text: str) -> QueryWords:
    """Return the terms to look up for a question.

    Parameters
    ----------
    text : str

    Returns
    -------
    QueryWords
    """
    data = text.encode("utf-8", "replace")
    hashes, _, is_joined = terms.extract(data)
    stems, spoken = terms.spell(data), terms.spell(data, False)
    known = dict(zip(stems, hashes[~is_joined].tolist(), strict=True))
    kept = {word: code for word, code in known.items() if word not in STOP_WORDS} or known
    kept = dict(list(kept.items())[:MOST_WORDS])
    joined = dict.fromkeys(hashes[is_joined].tolist())
    run = [word for word in spoken[:MOST_WORDS] if word[0] < "⺀"]
    for length in range(2, MOST_JOINED + 1):
        for start in range(len(run) - length + 1):
            joined[terms.hash_word("".join(run[start : start + length]).encode())] = None
    codes = set(kept.values())
    return QueryWords(
        tuple(kept),
        np.fromiter(kept.values(), np.uint64, len(kept)),
        np.array([code for code in joined if code not in codes], np.uint64),
        tuple(spoken),
    )


def query_terms(plan: QueryPlan, view: IndexView | Any) -> list[QueryTerm]:
    """Return the distinct words of a question with their idf over chunks.

    Parameters
    ----------
    plan : QueryPlan
    view : IndexView
        Its ``terms`` say how rare a word is.

    Returns
    -------
    list of QueryTerm
        In the order of the question, stop words left out unless there is nothing else.
    """
    words = parse_words(plan.text)
    idf = view.terms.find(words.hashes).idf.tolist()
    return [QueryTerm(*entry) for entry in zip(words.words, words.hashes.tolist(), idf, strict=True)]
