"""ripgrep's dialect: what is accepted, what is refused, and what the pieces match."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatrain.errors import BadQuery
from quatrain.query import codepoints
from quatrain.query.regex import has_uppercase, parse, spell, spell_chars
from quatrain.query.regex_engine import Program, compile_pattern


def matches(pattern: str, text: str) -> str | None:
    """Return what the pattern matches first, as RE2 finds it after translation."""
    data = text.encode()
    span = Program(f"(?m){spell(parse(pattern), spell_chars)}").search(data, 0, len(data))
    return None if span is None else data[slice(*span)].decode()


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"\w+", "- été_9 ", "été_9"),
        (r"\W", "é-", "-"),
        (r"\d+", "x٣٤", "٣٤"),
        (r"\D", "٣x", "x"),
        (r"\s", "a\u3000b", "\u3000"),
        (r"\S+", "\u3000ab", "ab"),
        (r"(?i)straße", "STRAẞE", "STRAẞE"),
        (r"(?i)k", "\u212a", "\u212a"),
        (r"(?i:S)t", "ſt", "ſt"),
        (r"(?-u:\w+)", "éab", "ab"),
        (r"(?-u)(?i)k", "\u212ak", "k"),
        (r".", "\né", "é"),
        (r"(?s).", "\né", "\n"),
        (r"^b$", "a\nb\nc", "b"),
        (r"a\n?$", "a\r\n", None),
        (r"\Ab", "a\nb", None),
        (r"[[:alpha:]]+", "12ab", "ab"),
        (r"[[:^digit:]]", "1é", "é"),
        (r"[a-z&&[^aeiou]]+", "aebcd", "bcd"),
        (r"[\w--\d]+", "12ab", "ab"),
        (r"[a-g~~b-h]+", "cah", "ah"),
        (r"[]a]+", "x]a", "]a"),
        (r"[^]a]+", "]ax", "x"),
        (r"[-a]+", "b-a", "-a"),
        (r"[a-]+", "b-a", "-a"),
        (r"\p{Greek}+", "abγδ", "γδ"),
        (r"\p{script=greek}", "aγ", "γ"),
        (r"\pL", "1é", "é"),
        (r"\P{Lu}", "Aé", "é"),
        (r"\p{Uppercase_Letter}", "aB", "B"),
        (r"(?i)\p{Lu}", "1é", "é"),
        (r"\x{e9}\u00e9\U000000E9\xE9", "éééé", "éééé"),
        (r"a{2}", "aaa", "aa"),
        (r"a{ 1 , 2 }?", "aaa", "a"),
        (r"a{1500}", "a" * 1500, "a" * 1500),
        (r"a{1500}", "a" * 1499, None),
        (r"^a{1001,2500}$", "a" * 2500, "a" * 2500),
        (r"^a{1001,2500}$", "a" * 2501, None),
        (r"(?U)a+", "aaa", "a"),
        (r"(?x) a b # comment", "ab", "ab"),
        (r"(?P<year>\d{4})-(?<month>\d\d)", "in 2024-05", "2024-05"),
        (r"a|", "b", ""),
        (r"\<foo", "xfoo foo", "foo"),
        (r"[^\x00-\x{10FFFF}]", "anything", None),
        ("é\u0301?", "é\u0301", "é\u0301"),
        (r"\-\&\~\#\/", "-&~#/", "-&~#/"),
    ],
)
def test_translation(pattern: str, text: str, expected: str | None) -> None:
    assert matches(pattern, text) == expected


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "unclosed group"),
        (")", "unopened group"),
        ("[a", "unclosed class"),
        ("[]", "unclosed class"),
        ("*a", "nothing to repeat"),
        ("(?i)*", "nothing to repeat"),
        ("a{", "unclosed repetition"),
        ("a{x}", "repetition is"),
        ("a{3,2}", "ends below"),
        ("[z-a]", "ends below"),
        (r"[\d-z]", "begin a range"),
        (r"[a-\d]", "end a range"),
        (r"(a)\1", "back-references"),
        ("(?=a)", "look-around"),
        ("(?<!a)b", "look-around"),
        (r"\K", "unknown escape"),
        (r"\p{Nope}", "'Nope'"),
        ("(?P<a>x)(?P<a>y)", "two groups"),
        ("(?z)", "unknown flag"),
        ("(?R)a", "CRLF"),
        (r"(?-u:\W)", "single bytes"),
        (r"(?-u:\xff)", "byte above 7F"),
        (r"\x{110000}", "not a character"),
        ("a\\", "ends with a backslash"),
        (r"\<", "cannot be expressed"),
        ("(?:a{1000}){1000}", "RE2 refuses"),
        (r"(?-u:\b)\b", "ASCII and Unicode"),
        ("(" * 200 + "a" + ")" * 200, "nested"),
        ("", "empty"),
        ("a\0", "NUL"),
        ("a" * 100_000, "at most"),
        ("\n", "newline"),
        (r"[\n]", "newline"),
        (r"a\nb", "newline"),
        ("\udce9", "Unicode"),
    ],
)
def test_refusals_say_why(pattern: str, reason: str) -> None:
    with pytest.raises(BadQuery, match=reason):
        compile_pattern(pattern, regex=True, ignore_case=False, smart_case=False, whole_word=False, multiline=False)


@given(pattern=st.text(st.sampled_from(r"ab\()[]{}^$.*+?|-&~dwsbBpx01,:=<>!i \n"), max_size=12))
def test_any_pattern_compiles_or_is_refused(pattern: str) -> None:
    try:
        compile_pattern(pattern, regex=True, ignore_case=False, smart_case=True, whole_word=True, multiline=True)
    except BadQuery as error:
        assert str(error)


def test_hostile_repetition_is_linear() -> None:
    """Patterns that make a backtracking engine run for ever."""
    text = b"a" * 20_000 + b"!"
    for pattern in ("(a+)+$", "(a|aa)+$", "(.*a){20}b"):
        program = compile_pattern(
            pattern, regex=True, ignore_case=False, smart_case=False, whole_word=False, multiline=False
        ).ascii_program
        assert program.search(text, 0, len(text)) is None


@pytest.mark.parametrize(
    ("pattern", "regex", "expected"),
    [("abc", False, False), ("aBc", False, True), (r"\W", True, True), (r"\Wa", True, False), (r"\WA", True, True)],
)
def test_smart_case_asks_for_letters_that_stand_for_themselves(pattern: str, regex: bool, expected: bool) -> None:
    assert has_uppercase(pattern, regex) is expected


ranges = st.lists(st.tuples(st.integers(0, 0x10FFFF), st.integers(0, 300)), max_size=5).map(
    lambda rows: codepoints.normalize((low, min(low + size, 0x10FFFF)) for low, size in rows)
)
PROBES = [0, 0x41, 0x7F, 0x80, 0xD7FF, 0xE000, 0x10FFFF]


def has(one: codepoints.Ranges, code: int) -> bool:
    return any(low <= code <= high for low, high in one)


@given(one=ranges, other=ranges)
def test_set_algebra(one: codepoints.Ranges, other: codepoints.Ranges) -> None:
    edges = [edge + step for low, high in one + other for edge in (low, high) for step in (-1, 0, 1)]
    for code in {*PROBES, *(edge for edge in edges if 0 <= edge <= 0x10FFFF and not 0xD800 <= edge <= 0xDFFF)}:
        a, b = has(one, code), has(other, code)
        assert has(codepoints.union(one, other), code) == (a or b)
        assert has(codepoints.intersect(one, other), code) == (a and b)
        assert has(codepoints.difference(one, other), code) == (a and not b)
        assert has(codepoints.negate(one), code) == (not a)
    for result in (codepoints.union(one, other), codepoints.negate(one)):
        assert not has(result, 0xD800) and not has(result, 0xDFFF)
        assert all(low > before + 1 for (_, before), (low, _) in pairwise(result)) or any(
            high == 0xD7FF for _, high in result
        )


def test_word_characters_are_those_of_the_unicode_standard() -> None:
    import unicodedata

    word = codepoints.word()
    letters = {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"}
    # Python's tables may be older than the engine's: what it does not know is left out.
    for code in [*range(0x3000), *range(0xA000, 0xA900), *range(0x1F100, 0x1F1A0)]:
        category = unicodedata.category(chr(code))
        extra = code in (0x200C, 0x200D) or 0x24B6 <= code <= 0x24E9 or 0x1F130 <= code <= 0x1F189
        if category != "Cn" and not extra:
            assert has(word, code) == (category in letters), hex(code)
