"""The word index against BM25F worked out by hand."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text_index import Sections, text_view

from quatrain._kernels import terms
from quatrain.indexes import terms as term_index
from quatrain.indexes.strings import Strings
from quatrain.indexes.terms import NameTermIndex, TermIndex
from quatrain.query.terms import parse_words, query_terms, split_words
from quatrain.records import Filters, Intent, QueryPlan

WORDS = ["parse", "config", "parseConfig", "read_file", "file", "x1", "Cookie", "cookies"]


def spelled(text: str) -> list[str]:
    """Return every term of a text by name: sub-words, and joined forms in brackets."""
    data = text.encode()
    hashes, _, _ = terms.extract(data)
    return [f"{code:x}" for code in hashes.tolist()]


@settings(max_examples=60)
@given(
    bodies=st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=5),
    names=st.lists(st.sampled_from(["", "parseConfig", "Cookie"]), min_size=5, max_size=5),
    around=st.lists(st.sampled_from(["", "Reader"]), min_size=5, max_size=5),
    question=st.lists(st.sampled_from([*WORDS, "Reader", "absent"]), min_size=1, max_size=4),
)
def test_scores_are_those_of_the_formula(
    bodies: list[list[str]], names: list[str], around: list[str], question: list[str]
) -> None:
    texts = [" ".join(words) for words in bodies]
    count = len(texts)
    paths = [f"lib/core/part{i}/read_file.py" for i in range(count)]
    sections = Sections()
    content = np.frombuffer("".join(texts).encode(), np.uint8)
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.uint64)
    sizes = np.diff(offsets).astype(np.int64)
    whole = (np.arange(count), np.zeros(count, np.int64), sizes)
    term_index.build(
        sections,
        content,
        offsets,
        whole,
        Strings.of([n.encode() for n in names[:count]]),
        Strings.of([a.encode() for a in around[:count]]),
        paths,
    )
    sections.add("chunk/file", np.arange(count, dtype=np.uint32))

    fields = [  # text, weight, b
        (texts, 1.0, 0.6),
        (names[:count], 4.0, 0.3),
        (around[:count], 2.0, 0.0),
        ([path.removeprefix("lib/") for path in paths], 1.0, 0.0),
        (["read_file"] * count, 3.0, 0.3),
    ]
    means = [sum(len(spelled(text)) for text in part) / count or 1 for part, _, _ in fields]
    frequencies = []
    for unit in range(count):
        total: Counter[str] = Counter()
        for (part, weight, b), mean in zip(fields, means, strict=True):
            found = spelled(part[unit])
            for term in found:
                total[term] += weight / (1 - b + b * len(found) / mean)  # type: ignore[assignment]
        frequencies.append(total)
    words = parse_words(" ".join(question))

    def idf(term: str) -> float:
        having = sum(term in one for one in frequencies)
        return math.log(1 + (count - having + 0.5) / (having + 0.5))

    wanted = [f"{code:x}" for code in [*words.hashes.tolist(), *words.joined.tolist()]]
    scores = [sum(idf(t) * one[t] / (6 + one[t]) for t in wanted if t in one) for one in frequencies]
    own = wanted[: len(words.hashes)]
    mass = sum(idf(t) for t in own)
    covered = [sum(idf(t) for t in own if t in one) / mass for one in frequencies]

    chunks, got, coverage = TermIndex(sections).search(words.hashes, words.joined, 10)
    expected = sorted((i for i in range(count) if scores[i] > 0), key=lambda i: (-scores[i], i))
    assert len(chunks) == len(expected)
    assert sorted(chunks.tolist()) == sorted(expected)
    np.testing.assert_allclose(got, [scores[i] for i in chunks], rtol=1e-5)
    np.testing.assert_allclose(coverage, [covered[i] for i in chunks], rtol=1e-5)
    assert all(a > b - 1e-9 for a, b in pairwise(got))


def test_equal_scores_go_to_the_lower_chunk_and_the_bitmap_holds() -> None:
    view = text_view({f"{i}.txt": b"same words here" for i in range(70)})
    words = parse_words("same words")
    chunks, scores, _ = view.terms.search(words.hashes, words.joined, 5)
    assert chunks.tolist() == [0, 1, 2, 3, 4]
    assert len(set(scores.tolist())) == 1
    allow = np.zeros(2, np.uint64)
    allow[0], allow[1] = np.uint64(1 << 40), np.uint64(1 << 1)
    chunks, _, _ = view.terms.search(words.hashes, words.joined, 5, allow)
    assert chunks.tolist() == [40, 65]


def test_unknown_words_have_an_empty_posting_and_the_highest_idf() -> None:
    view = text_view({"a.txt": b"known", "b.txt": b"other"})
    found = view.terms.find(parse_words("known absent").hashes)
    assert (found.ends > found.starts).tolist() == [True, False]
    assert found.idf[1] > found.idf[0]
    empty = text_view({})
    assert len(empty.terms.search(parse_words("known").hashes, np.empty(0, np.uint64), 5)[0]) == 0


def test_the_vocabulary_spells_every_sub_word() -> None:
    view = text_view({"a.txt": "parseConfig naïve 进度".encode()})
    blob, offsets, sketches = view.terms.vocabulary
    assert sketches.shape == (2, len(offsets) - 1)
    words = [blob[int(a) : int(b)].tobytes().decode() for a, b in pairwise(offsets)]
    assert {"pars", "config", "naiv", "进度"} <= set(words)
    for position, word in enumerate(words):
        if word:
            found = view.terms.find(np.array([view.terms.hash_at(position)], np.uint64))
            assert found.ends[0] - found.starts[0] == view.terms.frequency(position)


def test_names_know_the_mass_of_their_sub_words() -> None:
    sections = Sections()
    names = ["parseConfig", "parse_file", "Config", "x"]
    term_index.build_names(sections, Strings.of([name.encode() for name in names]))
    index = NameTermIndex(sections)

    def idf(word: str) -> float:
        having = sum(word in split_words(name) for name in names)
        return math.log(1 + (len(names) - having + 0.5) / (having + 0.5))

    expected = [sum(idf(word) for word in set(split_words(name))) for name in names]
    np.testing.assert_allclose(index.mass, expected, rtol=1e-5)
    found = index.find(np.array([terms.hash_word(b"parse"), terms.hash_word(b"parseconfig"), 5], np.uint64))
    postings = [index.symbols[a:b].tolist() for a, b in zip(found.starts, found.ends, strict=True)]
    assert postings == [[0, 1], [0], []]
    np.testing.assert_allclose(found.idf[0], idf("pars"), rtol=1e-9)


def test_no_names_at_all() -> None:
    sections = Sections()
    term_index.build_names(sections, Strings.of([]))
    assert NameTermIndex(sections).find(np.array([1], np.uint64)).ends.tolist() == [0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("how does the authentication work", ("authentic", "work")),
        ("parseConfig", ("pars", "config")),
        ("the of", ("the", "of")),  # nothing else is left
        ("", ()),
        ("-> **", ()),
        ("cookies and cookie", ("cook",)),
    ],
)
def test_words_of_a_question(text: str, words: tuple[str, ...]) -> None:
    parsed = parse_words(text)
    expected = tuple(dict.fromkeys(word for word in words))
    if "cook" in words:
        assert len(parsed.words) == 1
    else:
        assert parsed.words == expected
    assert len(parsed.hashes) == len(parsed.words)


def test_neighbouring_words_are_joined() -> None:
    parsed = parse_words("is absolute url")
    wanted = {terms.hash_word(word) for word in (b"isabsolute", b"absoluteurl", b"isabsoluteurl")}
    assert wanted == set(parsed.joined.tolist())
    hashes, _, joined = terms.extract(b"isAbsoluteURL")
    assert hashes[joined].tolist()[0] in wanted


def test_query_terms_carry_their_idf() -> None:
    view = text_view({"a.txt": b"cookie jar", "b.txt": b"jar"})
    plan = QueryPlan(
        "the cookie jar", Intent("understand_code", 0.4, "x"), "default", ("text",), {"text": 1.0}, 40, None, (), None,
        None, 1, Filters(content="all"),
    )  # fmt: skip
    found = {term.text: term.idf for term in query_terms(plan, view)}
    assert set(found) == set(split_words("cookie jar"))
    assert found[split_words("cookie")[0]] > found["jar"] > 0
