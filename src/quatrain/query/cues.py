"""Which words a phrase of the rule table cannot match without; run as ``python -m quatrain.query.cues`` after a change.

The answer is derived from each expression and written to ``cue_table.py``, because deriving it takes longer than a hundred
questions.  A cue is a run of Latin letters or one Han, kana or hangul character of the folded question.  Nothing here is
imported when a question is read.

How: a sequence must contain each of its parts, so any part will do and the rarest is taken; alternatives must each be
covered, so their cues are joined; an optional part says nothing.  Between blanks a part counts only when every word that it
can be is known.
"""

from __future__ import annotations

import re
import sys
import textwrap
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from quatrain.query.names import WIDE, word_set
from quatrain.query.rules import LANGUAGES, RULES, Rule
from quatrain.query.wording import expand, fold

__all__ = ["checksum", "cues_of", "derive", "numbered_phrases", "render", "vocabulary"]

_MAX_WORDS = 4_000
_is_wide = re.compile(f"[{WIDE}]").match
_LETTERS = re.compile("[a-z]+")

# Rough frequency of a word in questions; a part made of rare words is the better cue.
_COMMON = {
    **dict.fromkeys(
        word_set("the a an is are in of to for and or it this that do does i we you on by be with from"), 60
    ),
    **dict.fromkeys(word_set("what where which who how find show all code function class file files"), 12),
    **dict.fromkeys(word_set("que de la el o a os as e en em se no un una"), 12),
    **dict.fromkeys(word_set("if when get list search like use used method module type test tests call"), 4),
    **dict.fromkeys(word_set("como onde donde por para"), 4),
    **dict.fromkeys(word_set("的 を が は に の で 는 을 를 이 가 에 은 의"), 60),
    **dict.fromkeys(word_set("是 在 了 有 这 个 哪 里 函 数 い る し て た コ ド す 하 는 지"), 12),
}


def numbered_phrases(rules: Sequence[Rule] = RULES) -> Iterable[tuple[Rule, str, str, str]]:
    """Yield (rule, language, property, phrase) in the order in which phrases are tried; the property is "" but for ``any``."""
    for rule in rules:
        for shape in rule.any:
            for phrase in shape.phrases:
                yield rule, "any", shape.property, phrase
        for language in LANGUAGES:
            for phrase in getattr(rule, language):
                yield rule, language, "", phrase


def cues_of(phrase: str, language: str) -> frozenset[str] | None:
    """Return words of which every match of ``phrase`` contains at least one, or None if there are no such words."""
    return _required(list(parser.parse(expand(phrase, language))), left=False, right=False)


def _cost(cues: frozenset[str]) -> float:
    return sum(_COMMON.get(cue, 1) for cue in cues)


def _required(items: list[Any], *, left: bool, right: bool) -> frozenset[str] | None:
    """Return the cheapest set of words of which a sequence must contain one.

    ``left`` and ``right`` say whether a word ends where the sequence begins and ends.
    """
    candidates: list[frozenset[str]] = []
    for segment, opens, closes in _segments(items, left, right):
        words = _strings(segment)
        if words is not None:
            found = _one_of_each(words, opens, closes)
            if found is not None:
                candidates.append(found)
            continue
        branch = next((i for i, item in enumerate(segment) if item[0] is op.BRANCH), None)
        if branch is not None and len(segment) > 1:  # the parser takes common beginnings out: wh(o|at|ich)
            spread = [[*segment[:branch], *way, *segment[branch + 1 :]] for way in segment[branch][1][1]]
            parts = [_required(way, left=opens, right=closes) for way in spread]
            if all(part is not None for part in parts):
                candidates.append(frozenset().union(*parts))  # type: ignore[arg-type]
        for place, item in enumerate(segment):
            found = _required_in(item, opens and place == 0, closes and place == len(segment) - 1)
            if found is not None:
                candidates.append(found)
    return min(candidates, key=_cost) if candidates else None


def _required_in(item: tuple[Any, Any], left: bool, right: bool) -> frozenset[str] | None:
    """Return the same for one part that is not a plain list of words: look inside it."""
    kind, value = item
    if kind is op.SUBPATTERN:
        return _required(list(value[3]), left=left, right=right)
    if kind is op.ATOMIC_GROUP:
        return _required(list(value), left=left, right=right)
    if kind is op.BRANCH:
        joined: set[str] = set()
        for branch in value[1]:
            found = _required(list(branch), left=left, right=right)
            if found is None:
                return None
            joined |= found
        return frozenset(joined)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) and value[0] >= 1:
        once, body = value[1] == 1, list(value[2])
        opens = left and (once or _sequence_at_edge(body, forward=False))
        closes = right and (once or _sequence_at_edge(body, forward=True))
        return _required(body, left=opens, right=closes)
    return None


def _segments(items: list[Any], left: bool, right: bool) -> Iterable[tuple[list[Any], bool, bool]]:
    """Cut a sequence wherever a word must end; yield the parts and whether a word ends at their edges."""
    segment: list[Any] = []
    opens = ended = left
    for place, item in enumerate(items):
        if item[0] in (op.ASSERT, op.ASSERT_NOT):
            continue  # takes no room
        if segment and (ended or _boundary_ahead(items, place, right)):
            yield segment, opens, True
            segment, opens = [], True
        elif not segment:
            opens = ended or _boundary_ahead(items, place, right)
        segment.append(item)
        if _is_optional(item):
            ended = ended and _ends_with_sign(item)
        else:
            ended = _ends_with_sign(item)
    if segment:
        yield segment, opens, ended or right


def _boundary_ahead(items: list[Any], place: int, right: bool) -> bool:
    """Return whether no word can go on from ``place``."""
    for item in items[place:]:
        if item[0] in (op.ASSERT, op.ASSERT_NOT):
            continue
        if not _begins_with_sign(item):
            return False
        if not _is_optional(item):
            return True
    return right


def _is_optional(item: tuple[Any, Any]) -> bool:
    kind, value = item
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return value[0] == 0 or all(_is_optional(inner) for inner in value[2])
    if kind is op.SUBPATTERN:
        return all(_is_optional(inner) for inner in value[3])
    if kind is op.BRANCH:
        return any(all(_is_optional(inner) for inner in branch) for branch in value[1])
    return kind in (op.ASSERT, op.ASSERT_NOT)


def _begins_with_sign(item: tuple[Any, Any]) -> bool:
    return _at_edge(item, forward=True)


def _ends_with_sign(item: tuple[Any, Any]) -> bool:
    return _at_edge(item, forward=False)


def _at_edge(item: tuple[Any, Any], *, forward: bool) -> bool:
    """Return whether the first (or last) character of the item, if it has any, is none of a word."""
    kind, value = item
    if kind is op.LITERAL:
        return bool(_is_wide(chr(value))) or not (chr(value).isalnum() or chr(value) == "_")
    if kind is op.AT:
        return value in (op.AT_BOUNDARY, op.AT_BEGINNING, op.AT_BEGINNING_STRING, op.AT_END, op.AT_END_STRING)
    if kind is op.IN:
        signs = (op.CATEGORY_SPACE, op.CATEGORY_NOT_WORD)
        return all(
            v in signs if k is op.CATEGORY else k is op.LITERAL and _at_edge((k, v), forward=forward) for k, v in value
        )
    if kind is op.BRANCH:
        return all(_sequence_at_edge(list(branch), forward) for branch in value[1])
    if kind is op.SUBPATTERN:
        return _sequence_at_edge(list(value[3]), forward)
    if kind is op.ATOMIC_GROUP:
        return _sequence_at_edge(list(value), forward)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return _sequence_at_edge(list(value[2]), forward)
    return False


def _sequence_at_edge(items: list[Any], forward: bool) -> bool:
    for item in items if forward else reversed(items):
        if item[0] in (op.ASSERT, op.ASSERT_NOT):
            continue
        if not _at_edge(item, forward=forward):
            return False
        if not _is_optional(item):
            return True
    return True  # empty, or optional signs only


def _strings(items: Iterable[Any]) -> set[str] | None:
    """Return every string that the parts can be, or None if they are too many or unknown; a blank stands for any end of a word."""
    strings = {""}
    for kind, value in items:
        part: set[str] | None = None
        if kind is op.LITERAL:
            part = {chr(value)}
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            part = {""}
        elif kind is op.AT:
            part = {" "} if _at_edge((kind, value), forward=True) else None
        elif kind is op.IN:
            if all(k is op.LITERAL for k, _ in value):
                part = {chr(v) for _, v in value}
            elif _at_edge((kind, value), forward=True):
                part = {" "}
        elif kind is op.SUBPATTERN:
            part = _strings(value[3])
        elif kind is op.ATOMIC_GROUP:
            part = _strings(value)
        elif kind is op.BRANCH:
            branches = [_strings(branch) for branch in value[1]]
            if all(branch is not None for branch in branches):
                part = set().union(*branches)  # type: ignore[arg-type]
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            inner = _strings(value[2])
            if inner == {" "}:
                part = {" "} if value[0] else {"", " "}
            elif inner is not None and tuple(value[:2]) in ((0, 1), (1, 1)):
                part = inner if value[0] else inner | {""}
        if part is None or len(strings) * len(part) > _MAX_WORDS:
            return None
        strings = {first + second for first in strings for second in part}
    return strings


def _one_of_each(strings: set[str], opens: bool, closes: bool) -> frozenset[str] | None:
    """Return the rarest cue of every string; None if one has none.  A word at an open edge may go on outside and is no cue."""
    found = set()
    for text in strings:
        folded = fold(text)
        cues = {c for c in folded if _is_wide(c)}
        for match in _LETTERS.finditer(folded):
            if (opens or match.start() > 0) and (closes or match.end() < len(folded)):
                cues.add(match[0])
        if not cues:
            return None
        found.add(min(sorted(cues), key=lambda cue: _COMMON.get(cue, 1)))
    return frozenset(found)


def words_of(phrase: str, language: str) -> set[str]:
    """Return the whole words of at least three letters that can occur in a match of ``phrase``, as far as they are known."""
    found: set[str] = set()
    _collect(list(parser.parse(expand(phrase, language))), False, False, found)
    return found


def _collect(items: list[Any], left: bool, right: bool, found: set[str]) -> None:
    for segment, opens, closes in _segments(items, left, right):
        strings = _strings(segment)
        for text in strings or ():
            for match in _LETTERS.finditer(fold(text)):
                if len(match[0]) > 2 and (opens or match.start() > 0) and (closes or match.end() < len(text)):
                    found.add(match[0])
        if strings is None:
            for place, (kind, value) in enumerate(segment):
                edges = opens and place == 0, closes and place == len(segment) - 1
                if kind is op.SUBPATTERN:
                    _collect(list(value[3]), *edges, found)
                elif kind is op.BRANCH:
                    for branch in value[1]:
                        _collect(list(branch), *edges, found)
                elif kind in (op.MAX_REPEAT, op.MIN_REPEAT):
                    body = list(value[2])
                    signs = _sequence_at_edge(body, forward=True), _sequence_at_edge(body, forward=False)
                    _collect(body, edges[0] or signs[0], edges[1] or signs[1], found)


def derive() -> tuple[dict[str, tuple[int, ...]], tuple[int, ...]]:
    """Return (cue -> numbers of the phrases that need it or another, numbers of the phrases without a cue)."""
    table: dict[str, list[int]] = {}
    without: list[int] = []
    for number, (_, language, property_, phrase) in enumerate(numbered_phrases()):
        cues = frozenset((property_,)) if property_ else cues_of(phrase, language)
        if cues is None:
            without.append(number)
            continue
        for cue in sorted(cues):
            table.setdefault(cue, []).append(number)
    return {cue: tuple(numbers) for cue, numbers in sorted(table.items())}, tuple(without)


def vocabulary() -> tuple[str, ...]:
    """Return the words of the English phrases, of which a misspelt one may be meant."""
    words: set[str] = set()
    for _, language, _, phrase in numbered_phrases():
        if language == "en":
            words |= words_of(phrase, language)
    return tuple(sorted(words))


def checksum() -> int:
    """Return a checksum of all phrases and their order."""
    return zlib.crc32("\n".join(phrase for _, _, _, phrase in numbered_phrases()).encode())


def render() -> str:
    """Return the source text of ``cue_table.py``."""
    table, without = derive()
    lines = [
        '"""What ``python -m quatrain.query.cues`` derived from the rule table; do not edit."""',
        "",
        "# fmt: off",
        "# ruff: noqa: E501",
        "",
        "#: Checksum of the phrases that this was derived from.",
        f"CHECKSUM = {checksum()}",
        "#: Numbers of the phrases that must always be tried.",
        f"ALWAYS: tuple[int, ...] = {without!r}",
        "#: Cue -> numbers of the phrases that cannot match without it or another of their cues.",
        "CUES: dict[str, tuple[int, ...]] = {",
        *(f'    "{cue}": {numbers!r},' for cue, numbers in table.items()),
        "}",
        "#: Words of the English phrases.",
        "VOCABULARY = (",
        *(f'    "{line} "' for line in textwrap.wrap(" ".join(vocabulary()), 130)),
        ")",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    Path(__file__).with_name("cue_table.py").write_text(render(), encoding="utf-8")
    sys.exit(0)
