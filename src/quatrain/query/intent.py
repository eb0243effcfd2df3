"""Which kind of question it is: the rules of `quatrain.query.rules` in their order, the first that matches wins.

How it stays quick: a phrase is tried only when a word occurs without which it cannot match.  Those cue words are derived from
the table ahead of time (`quatrain.query.cues`); a question's words are looked up and give the bit set of the phrases worth
trying, and most rules are never looked at.  Expressions are compiled when they are first needed.  ``explain`` ignores the
cues, tries everything and says why each rule did or did not fire.

How it stays honest: a cue that stands late in a long text, or that had to be read through a spelling mistake, is never worth
0.85.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from quatrain.errors import BadQuery
from quatrain.query.cue_table import ALWAYS, CHECKSUM, CUES, VOCABULARY
from quatrain.query.names import WIDE, WIDE_CHARACTER, is_code_like, is_type_like, word_set
from quatrain.query.rules import ALWAYS as ALWAYS_TRUE
from quatrain.query.rules import CAPITAL, INTENTS, LANGUAGES, LINES, ONE_WORD, QUOTE, RULES, SIGN, Rule
from quatrain.query.wording import compile_phrase, fold, normalize
from quatrain.records import Intent

__all__ = [
    "CHECKSUM",
    "INTENTS",
    "MAX_QUERY_BYTES",
    "RULES",
    "Reading",
    "Verdict",
    "check_query",
    "classify",
    "explain",
    "read",
]

#: Longer questions are refused: nobody asks in 32 kB, and a pasted file belongs into ``similar``.
MAX_QUERY_BYTES = 32_768

#: Only this much of a question is classified.
_READ_CHARACTERS = 1_000
#: A cue that begins later than this stands in a story, not in a question ...
_LATE = 100
#: ... and is worth no more than this; the same for a misspelt one, and one that only a clause read by itself shows.
_LOOSE = 0.75
#: Rules that say so little that it is worth looking for a misspelt cue word ...
_VAGUE = frozenset(("touches", "explain", "question", "fallback"))
#: ... and those that say nothing at all, so that each clause is worth reading by itself.
_EMPTY = frozenset(("question", "fallback"))


class Reading(NamedTuple):
    """A question with everything that classifying it has found out."""

    text: str  # trimmed and composed
    folded: str  # its beginning, as rules see it
    intent: Intent
    direction: str | None
    subject: str | None  # the words that the rule's phrase holds to be the thing asked about


class Verdict(NamedTuple):
    """What became of one rule: whether it fired, and why or why not."""

    rule: str
    intent: str
    confidence: float
    fired: bool
    reason: str


class _Phrase:
    """One expression, compiled when it is first needed."""

    __slots__ = ("_pattern", "checks", "language", "property", "rule", "source", "subjects")

    def __init__(self, rule: Rule, language: str, property_: str, source: str) -> None:
        self.rule = rule
        self.language = language
        self.property = property_
        self.source = source
        self._pattern: re.Pattern[str] | None = None
        self.checks: tuple[str, ...] = ()  # groups whose word must be what the phrase needs it to be
        self.subjects: tuple[str, ...] = ()  # groups that hold the thing asked about

    def search(self, text: str, folded: str) -> re.Match[str] | None:
        """Return the first match whose checks hold.  Phrases without a language read the original text."""
        pattern = self._pattern
        if pattern is None:
            pattern = self.compile()
        read_from = text if self.language == "any" else folded
        checks = self.checks
        if not checks:
            return pattern.search(read_from)
        for match in pattern.finditer(read_from):
            for name in checks:
                if not _holds(name, self.language, text, match):
                    break
            else:
                return match
        return None

    def compile(self) -> re.Pattern[str]:
        """Return the expression and note its groups."""
        pattern = compile_phrase(self.source, self.language)
        kinds = {name: name.rstrip("0123456789") for name in pattern.groupindex}
        self.checks = tuple(name for name, kind in kinds.items() if kind in _CHECKS)
        self.subjects = tuple(name for name, kind in kinds.items() if kind == "x" or kind in _CHECKS)
        self._pattern = pattern
        return pattern

    def refused(self, text: str, folded: str) -> str | None:
        """Return the word that a check refuses, if the phrase matches but for it."""
        match = (self._pattern or self.compile()).search(text if self.language == "any" else folded)
        if match is not None:
            for name in self.checks:
                if not _holds(name, self.language, text, match):
                    return text[slice(*match.span(name))]
        return None


# Names of groups: a word in the shape of code, one that may also be capitalized, the same behind a keyword, a literal.
_CHECKS = ("id", "typ", "cap", "lit")
_is_literal = re.compile(r"[A-Z0-9_(){}\[\]<>=:;/\\$%&*+|@#\"]").search


def _holds(name: str, language: str, text: str, match: re.Match[str]) -> bool:
    """Return whether the captured word is what the phrase needs it to be."""
    start, end = match.span(name)
    if start < 0:  # this alternative was not taken
        return True
    token = text[start:end]
    if is_code_like(token) or text[start - 1 : start] == "`":
        return True
    kind = name.rstrip("0123456789")
    if kind == "lit":  # a literal is told from words of prose by a capital, digit or sign
        return _is_literal(token) is not None or not token.isascii()
    if kind == "cap":  # "class Foo", but not "Class Diagram"
        return token[:1].isupper() and not text[match.start() : match.start() + 1].isupper()
    if language in ("zh", "ja", "ko"):
        # Between Han, kana or hangul a Latin word is a name, unless it is an acronym: "foo 的影响", but not "GC 的影响".
        return len(token) > 2 and not token.isupper()
    if kind == "typ":
        return token[:1].isupper()
    return is_type_like(text, start, end)


_PHRASES = tuple(
    [
        _Phrase(rule, language, property_, source)
        for rule in RULES
        for language, property_, source in (
            *(("any", shape.property, source) for shape in rule.any for source in shape.phrases),
            *((language, "", source) for language in LANGUAGES for source in getattr(rule, language)),
        )
    ]
)


def _bits(numbers: tuple[int, ...]) -> int:
    return sum(1 << number for number in numbers)


_CUE_BITS = {cue: _bits(numbers) for cue, numbers in CUES.items()}
_BITS_ALWAYS = _bits(ALWAYS) | _CUE_BITS[ALWAYS_TRUE]
_BITS_ONE_WORD, _BITS_LINES, _BITS_QUOTE = _CUE_BITS[ONE_WORD], _CUE_BITS[LINES], _CUE_BITS[QUOTE]
_BITS_SIGN, _BITS_CAPITAL = _CUE_BITS[SIGN], _CUE_BITS[CAPITAL]
_words = re.compile(r"[a-z]+").findall
_has_blank = re.compile(r"\s").search
_has_quote = re.compile("[\"'`“”„«»「」『』‘’]").search
_has_sign = re.compile(r"[^\w\s]").search


def check_query(text: str) -> str:
    """Return ``text`` trimmed and composed.

    Raises
    ------
    BadQuery
        It is empty, longer than `MAX_QUERY_BYTES`, holds a NUL byte or is no text.
    """
    if not isinstance(text, str):
        raise BadQuery(f"a query is a string, not {type(text).__name__}")
    # The quick bounds first: a character has one to four bytes.
    if len(text) > MAX_QUERY_BYTES or (
        len(text) * 4 > MAX_QUERY_BYTES and len(text.encode("utf-8", "replace")) > MAX_QUERY_BYTES
    ):
        raise BadQuery(
            f"the query is longer than {MAX_QUERY_BYTES:,} bytes; ask about a part of it, "
            "or use `similar FILE:LINE` for code that is in the repository"
        )
    if "\0" in text:
        raise BadQuery("the query holds a NUL byte; remove it, only text can be searched for")
    text = normalize(text).strip()
    if not text:
        raise BadQuery("the query is empty; say what to look for, for example: where is parse_config defined")
    return text


def classify(text: str) -> Intent:
    """Return the kind of question, how sure that is, and the rule that said so.

    Parameters
    ----------
    text : str
        The question, in English, Spanish, Portuguese or Chinese (and, less thoroughly, Japanese or Korean), or a name, literal,
        expression or piece of code.

    Returns
    -------
    Intent
        ``name`` is one of `INTENTS`; ``confidence`` is in (0, 1]; ``rule`` is the row of `RULES`, with ``~`` behind it when a cue word
        was misspelt or stands in one clause of a longer text.

    Raises
    ------
    BadQuery
        Empty, too long, or with a NUL byte.

    Examples
    --------
    >>> classify("who calls parse_config")
    Intent(name='find_references', confidence=0.9, rule='callers')
    """
    return read(text).intent


def read(text: str) -> Reading:
    """Classify ``text`` and keep what the rule found: the direction of the question and its subject."""
    text = check_query(text)
    head, folded = _head(text)
    phrase, match = _first(head, folded)
    if phrase.rule.name in _VAGUE:
        for again in _second_readings(head, folded, phrase.rule):
            better, match_there = _first(*again)
            if _is_clearer(better):
                return _reading(text, *again, better, match_there, loosely=True)
    return _reading(text, head, folded, phrase, match, loosely=False)


# Politeness and purpose behind the question: rules that must reach its end do not reach into them.
_POLITE = (
    " please",
    " pls",
    " plz",
    " thanks",
    " thank you",
    " thx",
    " por favor",
    " gracias",
    " obrigado",
    " obrigada",
)
_PURPOSE = re.compile(r"[\s,]+so (?:that )?(?:i|we) (?:can|could|may|know)\b[^.?!;\n]*$")
_END = " ?!.,;:\n\t"

_short_is = re.compile(r"^(\W*(?:who|what|where|how|when))['’]?s\b", re.IGNORECASE)


def _head(text: str) -> tuple[str, str]:
    """Return the part of the text that rules read, "what's" written out, and its folded form."""
    head = text if len(text) <= _READ_CHARACTERS else text[:_READ_CHARACTERS]
    head = _short_is.sub(r"\1 is", head, 1)
    folded = fold(head).rstrip(_END)
    if folded.endswith(_POLITE):
        folded = next(folded.removesuffix(end) for end in _POLITE if folded.endswith(end)).rstrip(_END)
    if " so " in folded:
        folded = _PURPOSE.sub("", folded, 1)
    return head, folded


def _first(text: str, folded: str) -> tuple[_Phrase, re.Match[str]]:
    """Return the first phrase that matches, trying only those of which a cue occurs."""
    bits = _BITS_ALWAYS
    get = _CUE_BITS.get
    for word in _words(folded):
        bits |= get(word, 0)
    wide = False
    if not folded.isascii() and WIDE_CHARACTER.search(folded) is not None:
        wide = True
        for character in folded:
            bits |= get(character, 0)
    if _has_blank(text) is None:
        if not wide:
            bits |= _BITS_ONE_WORD
    elif "\n" in text:
        bits |= _BITS_LINES
    if _has_sign(text) is not None:
        bits |= _BITS_SIGN
        if _has_quote(text) is not None:
            bits |= _BITS_QUOTE
    if not text.islower():
        bits |= _BITS_CAPITAL
    while bits:
        lowest = bits & -bits
        phrase = _PHRASES[lowest.bit_length() - 1]
        match = phrase.search(text, folded)
        if match is not None:
            return phrase, match
        bits ^= lowest
    raise AssertionError("the last rule always matches")


def _has_property(name: str, text: str, folded: str) -> bool:
    """Return whether phrases under this property are tried; `_first` in slow motion."""
    if name == ONE_WORD:
        return _has_blank(text) is None and WIDE_CHARACTER.search(folded) is None
    if name == LINES:
        return "\n" in text
    if name == QUOTE:
        return _has_quote(text) is not None
    if name == SIGN:
        return _has_sign(text) is not None
    if name == CAPITAL:
        return not text.islower()
    return True


def _sureness(rule: Rule, match: re.Match[str], head: str, *, loosely: bool) -> float:
    if rule.confidence > _LOOSE and (loosely or (match.start() > _LATE and "\n" not in head)):
        return _LOOSE
    return rule.confidence


def _reading(text: str, head: str, folded: str, phrase: _Phrase, match: re.Match[str], *, loosely: bool) -> Reading:
    rule = phrase.rule
    subject = None
    for name in phrase.subjects:
        start, end = match.span(name)
        if start >= 0:
            subject = head[start:end]
            break
    confidence = _sureness(rule, match, head, loosely=loosely)
    intent = Intent(rule.intent, confidence, f"{rule.name}~" if loosely else rule.name)
    return Reading(text, folded, intent, rule.direction, subject)


def explain(text: str) -> tuple[Verdict, ...]:
    """Return what became of every rule, in the order of the table, until the one that fired.

    When a misspelt cue word had to be corrected, or one clause says more than the whole, that round follows the first, its rules
    with ``~`` behind their names.

    Raises
    ------
    BadQuery
        As `classify`.
    """
    head, folded = _head(check_query(text))
    verdicts, fired = _explain(head, folded, loosely=False)
    if fired.name in _VAGUE:
        for again in _second_readings(head, folded, fired):
            if _is_clearer(_first(*again)[0]):
                verdicts[-1] = verdicts[-1]._replace(fired=False, reason=f"put off, to be read as: {again[0]}")
                return (*verdicts, *_explain(*again, loosely=True)[0])
    return tuple(verdicts)


_clauses = re.compile(r"(?:[.;:!?,]|\s[-–—])\s+|[，。；：？！]|\n+").split


def _second_readings(text: str, folded: str, rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield other texts to read when ``rule`` was all that fired: with its cue words corrected, then clause by clause."""
    corrected = _corrected(text, folded)
    if corrected is not None:
        yield corrected
    if rule.name in _EMPTY:
        clauses = _clauses(text)
        if len(clauses) > 1:
            yield from (_head(clause.strip()) for clause in clauses if _SEVERAL_WORDS.search(clause))


_SEVERAL_WORDS = re.compile(rf"\w\s+\S*\w|[{WIDE}]")


def _is_clearer(phrase: _Phrase) -> bool:
    """Return whether a second reading is better than none: its words, not its shape, say what is asked."""
    return phrase.language != "any" and phrase.rule.name not in _VAGUE


def _explain(text: str, folded: str, *, loosely: bool) -> tuple[list[Verdict], Rule]:
    words = {*_words(folded), *folded}
    mark = "~" if loosely else ""
    verdicts: list[Verdict] = []
    why_not = ""
    cued = False
    for number, phrase in enumerate(_PHRASES):
        rule = phrase.rule
        match = None
        if not phrase.property or _has_property(phrase.property, text, folded):
            match = phrase.search(text, folded)
        if match is not None:
            reason = f"{_LANGUAGE_NAMES[phrase.language]}: {match[0].strip()[:60]!r}"
            sure = _sureness(rule, match, text, loosely=loosely)
            verdicts.append(Verdict(rule.name + mark, rule.intent, sure, True, reason))
            return verdicts, rule
        refused = phrase.refused(text, folded)
        if refused:
            why_not = f"the phrase is there, but {refused[:40]!r} does not look like code"
        cued = cued or (not phrase.property and any(number in CUES.get(word, ()) for word in words))
        if _PHRASES[number + 1].rule is not rule:
            reason = why_not or ("a cue word, but no phrase" if cued else "no cue word")
            verdicts.append(Verdict(rule.name + mark, rule.intent, rule.confidence, False, reason))
            why_not, cued = "", False
    raise AssertionError("the last rule always matches")


_LANGUAGE_NAMES = {
    "any": "shape of the text",
    "en": "English",
    "es": "Spanish",
    "pt": "Portuguese",
    "zh": "Chinese",
    "ja": "Japanese",
    "ko": "Korean",
}


# --- misspelt cue words ---------------------------------------------------------------------------------------------------------

# Words that are right as they are, though one letter away from a cue.
_NEVER_CORRECT = word_set(
    "here there were then than that this these those them they when one two her him his she its has had have was wad "
    "way why who how now not new few use used user users uses case cases call calls cell cells ball wall hall half "
    "list lost last cost most post host lots like link line lines live time times type types file files find fund "
    "kind mind bind wind fine fire wire while white write whole where what which with wish work works word words "
    "world would could should change changed charge chance changes string strong strings test tests text texts next "
    "best rest past part parts class glass clash import impart export imports exports impact report reports return "
    "returns break breaks bread bring safe save same some code core node mode more move moves model method methods "
    "module modules place placed plane places page pages state store stores define defined refined refine reference "
    "preference preferences references function functions functional example sample simple single signal similar "
    "effect affect affects effects accept except expect fail fall full null pull push rule role real read reads lead "
    "load loads look looks lock locks book hook hooks show shows slow flow flows low open copy handler handle "
    "handles handled field fields"
)
_WHERE_IS = re.compile(r"(?i:were|wear|whear) (?=(?:is|are|do|does|did)\b)")


@lru_cache(maxsize=1)
def _spellings() -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
    """Return the words of the English phrases, and every one of them with one letter left out."""
    shorter: dict[str, tuple[str, ...]] = {}
    for word in VOCABULARY.split():
        if len(word) >= 4 or word == "who":
            for left_out in combinations(word, len(word) - 1):
                key = "".join(left_out)
                shorter[key] = (*shorter.get(key, ()), word)
    return word_set(VOCABULARY), shorter


def _corrected(text: str, folded: str) -> tuple[str, str] | None:
    """Return the text with its misspelt cue words replaced, or None if there is none.

    A word is taken for a cue when leaving out one letter of either makes them equal (one letter too many, too few, other or swapped).
    """
    if len(folded) > 200 or not folded.isascii():
        return None
    known, shorter = _spellings()
    changed = _WHERE_IS.match(text) is not None
    out: list[str] = []
    for part in re.split(r"(\s+)", _WHERE_IS.sub("where ", text)):
        word = part.strip("?!.,:;")
        lowered = word.lower()
        if (
            len(word) >= 3
            and word.isalpha()
            and (word.islower() or word.istitle())
            and lowered not in known
            and lowered not in _NEVER_CORRECT
        ):
            right = _nearest(lowered, known, shorter)
            if right is not None:
                part, changed = part.replace(word, right), True
        out.append(part)
    if not changed:
        return None
    return _head("".join(out))


def _nearest(word: str, known: frozenset[str], shorter: dict[str, tuple[str, ...]]) -> str | None:
    """Return the cue that is one slip away: two letters swapped before one missing, one too many, another one."""
    candidates: list[tuple[int, str]] = [(1, right) for right in shorter.get(word, ())]
    for i in range(len(word)):
        less = word[:i] + word[i + 1 :]
        if less in known and len(less) >= 3:
            candidates.append((2, less))
        for right in shorter.get(less, ()):
            if sorted(right) == sorted(word):
                candidates.append((0, right))
            elif len(word) >= 5 and right[0] == word[0]:
                candidates.append((3, right))
    return min(candidates)[1] if candidates else None
