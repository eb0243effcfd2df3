"""The rule table itself: every row well formed, every cue honest."""

from __future__ import annotations

import random
import re
import string
from re import _constants as op  # the sampler below walks parsed expressions
from re import _parser as parser

import pytest

from quatrain.query import cue_table, cues
from quatrain.query.rules import INTENTS, RULES
from quatrain.query.wording import expand, fold

SAMPLES = 60


def sample(tree, rng: random.Random, groups: dict[int, str]) -> str:
    """Return a string that the parsed expression probably matches; look-arounds are left to chance."""
    out = []
    for kind, value in tree:
        if kind is op.LITERAL:
            out.append(chr(value))
        elif kind is op.NOT_LITERAL:
            out.append("x" if value != ord("x") else "y")
        elif kind is op.ANY:
            out.append(rng.choice("xy z"))
        elif kind is op.IN:
            out.append(member(value, rng))
        elif kind is op.BRANCH:
            out.append(sample(rng.choice(value[1]), rng, groups))
        elif kind is op.SUBPATTERN:
            text = sample(value[3], rng, groups)
            groups[value[0]] = text
            out.append(text)
        elif kind is op.ATOMIC_GROUP:
            out.append(sample(value, rng, groups))
        elif kind is op.GROUPREF:
            out.append(groups.get(value, ""))
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            low, high, body = value
            for _ in range(rng.randint(low, min(low + 2, high))):
                out.append(sample(body, rng, groups))
    return "".join(out)


def member(items, rng: random.Random) -> str:
    if items[0][0] is op.NEGATE:
        return rng.choice([c for c in "xk  -" if not any(holds(item, c) for item in items[1:])])
    kind, value = rng.choice(items)
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.RANGE:
        return chr(rng.randint(*value))
    return {op.CATEGORY_DIGIT: "7", op.CATEGORY_SPACE: " ", op.CATEGORY_WORD: "w"}.get(value, "-")


def holds(item, character: str) -> bool:
    kind, value = item
    if kind is op.LITERAL:
        return ord(character) == value
    if kind is op.RANGE:
        return value[0] <= ord(character) <= value[1]
    return {
        op.CATEGORY_DIGIT: character.isdigit(),
        op.CATEGORY_SPACE: character.isspace(),
        op.CATEGORY_WORD: character.isalnum() or character == "_",
        op.CATEGORY_NOT_WORD: not (character.isalnum() or character == "_"),
        op.CATEGORY_NOT_SPACE: not character.isspace(),
    }.get(value, False)


def by_words():
    """Yield every phrase that is found by words; the others are found by properties of the text."""
    for number, (rule, language, property_, phrase) in enumerate(cues.numbered_phrases()):
        if not property_:
            yield pytest.param(number, language, phrase, id=f"{rule.name}-{language}-{number}")


@pytest.mark.parametrize(("number", "language", "phrase"), list(by_words()))
def test_a_phrase_cannot_match_without_one_of_its_cue_words(number, language, phrase):
    """The cues are derived by reasoning about the expression; here its matches are sampled."""
    expression = re.compile(expand(phrase, language))
    tree = parser.parse(expression.pattern)
    rng = random.Random(number)
    mine = {cue for cue, numbers in cue_table.CUES.items() if number in numbers}
    matched = 0
    for _ in range(20 * SAMPLES):
        if matched == SAMPLES:
            break
        text = sample(tree, rng, {})
        folded = fold(text)
        if expression.search(text if language == "any" else folded):
            matched += 1
            assert not mine.isdisjoint({*re.findall("[a-z]+", folded), *folded}), text
    assert matched, "the sampler never hit this phrase"


def test_the_derived_table_is_up_to_date():
    """After a change of the rules: python -m quatrain.query.cues."""
    assert cues.checksum() == cue_table.CHECKSUM
    table, without = cues.derive()
    assert table == cue_table.CUES
    assert (without, cue_table.ALWAYS) == ((), ())


def test_rows_are_well_formed():
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    for rule in RULES:
        assert rule.intent in INTENTS
        assert 0 < rule.confidence <= 0.95
        assert rule.purpose and rule.purpose[-1] in ".?\"'", rule.name
        assert set(rule.name) <= set(string.ascii_lowercase + "_")
        has_direction = rule.intent in ("find_references", "impact_analysis")
        assert (rule.direction is not None) == has_direction, rule.name


def test_the_last_row_always_matches():
    assert RULES[-1].name == "fallback"
    assert RULES[-1].confidence == 0.40


@pytest.mark.parametrize("intent", INTENTS)
def test_every_intent_has_phrases_in_four_languages(intent):
    for language in ("en", "es", "pt", "zh"):
        assert any(rule.intent == intent and getattr(rule, language) for rule in RULES), language
