"""Inline filters: what is taken out of a query, and above all what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatrain.errors import BadQuery, QuatrainError, UnknownLanguage
from quatrain.files.languages import resolve_languages
from quatrain.query.syntax import parse_query
from quatrain.records import Filters


def parse(text, **options):
    return parse_query(text, resolve=resolve_languages, **options)


@pytest.mark.parametrize(
    ("text", "rest", "filters"),
    [
        ("lang:go who calls Serve", "who calls Serve", Filters(languages=("go",))),
        ("who calls Serve lang:go", "who calls Serve", Filters(languages=("go",))),
        ("who lang:go calls Serve", "who calls Serve", Filters(languages=("go",))),
        ("lang:py,js x", "x", Filters(languages=("javascript", "python"))),
        ("lang:c++ lang:c# x", "x", Filters(languages=("cpp", "csharp"))),
        ("language:Rust x", "x", Filters(languages=("rust",))),
        ("path:src/api x", "x", Filters(paths=("*src/api*",))),
        ("path:*.py x", "x", Filters(paths=("*.py",))),
        ("-path:vendor -path:*_test.go x", "x", Filters(paths=("!*vendor*", "!*_test.go"))),
        ('path:"my docs" x', "x", Filters(paths=("*my docs*",))),
        ("path:/etc x", "x", Filters(paths=("*/etc*",))),
        ("file:conftest x", "x", Filters(paths=("*conftest*",))),
        ("kind:class Foo", "Foo", Filters(kinds=("class",))),
        ("kind:func,method run", "run", Filters(kinds=("function", "method"))),
        ("content:docs install", "install", Filters(content="docs")),
        ("LANG:go x", "x", Filters(languages=("go",))),
        ("lang:go lang:go x", "x", Filters(languages=("go",))),
    ],
)
def test_filters_are_taken_out(text, rest, filters):
    parsed = parse(text)
    assert (parsed.text, parsed.filters, parsed.pattern, parsed.notes) == (rest, filters, None, ())


@pytest.mark.parametrize(
    "text",
    [
        "std::vector::push_back", "a:b", "key: value", "path: str", "lang::python", "kind::Foo", "http://example.org/x",
        "file:///etc/passwd", "-x", "--no-verify", "-", ":", "::", "-path", "path:", "lang:", "foo-path:bar",
        "x.lang:go", '"lang:go"', '"path:src kind:class" x', "`lang:go`", "“lang:go”", "re:", "rewrite:x",
        '"see path:src below"', "`a lang:go b`",
        "{color:red}", "a lang", 'unbalanced "quote', "it's lang", "C:\\path",
    ],
)  # fmt: skip
def test_everything_else_is_literal(text):
    parsed = parse(text)
    assert (parsed.text, parsed.filters, parsed.pattern) == (text, Filters(), None)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("content:none x", "content: takes code, docs, config, all"),
        ("kind:widget x", "kind: takes function"),
        ("-lang:go x", "only -path: can exclude"),
        ("re:/open ended", "closing slash"),
    ],
)
def test_what_looks_like_a_filter_but_is_none_stays_text_and_is_said(text, note):
    parsed = parse(text)
    assert parsed.text == text
    assert parsed.filters == Filters()
    assert len(parsed.notes) == 1 and note in parsed.notes[0]


@pytest.mark.parametrize(
    ("text", "pattern", "rest"),
    [
        (r"re:/foo\d+/", r"foo\d+", ""),
        (r"re:/a b/ lang:go", "a b", ""),
        (r"re:/a\/b\.c/", r"a/b\.c", ""),
        (r"re:/a\\/", r"a\\", ""),
        (r"re:/a/b/ c", "a/b", "c"),
        (r"re:^foo\w+ who", r"^foo\w+", "who"),
        ("re:/lang:go/", "lang:go", ""),
        ("RE:/x/", "x", ""),
    ],
)
def test_regular_expressions(text, pattern, rest):
    parsed = parse(text)
    assert (parsed.pattern, parsed.text) == (pattern, rest)


def test_an_unknown_language_names_near_ones():
    with pytest.raises(UnknownLanguage, match="did you mean python"):
        parse("lang:pyton x")
    with pytest.raises(UnknownLanguage, match="did you mean typescript"):
        parse("lang:typscript x")
    with pytest.raises(UnknownLanguage):
        parse("lang:qqqq x")


def test_filters_alone_and_two_patterns_are_refused():
    with pytest.raises(BadQuery, match="nothing to search for"):
        parse("lang:go path:src")
    with pytest.raises(BadQuery, match="one re: expression"):
        parse("re:/a/ re:/b/")


def test_given_filters_are_kept_and_added_to():
    base = Filters(languages=("go",), paths=("src/*",), kinds=("method",), content="all")
    assert parse("x", base=base).filters == base
    merged = parse("lang:rust path:api kind:class x", base=base).filters
    assert merged == Filters(("go", "rust"), ("src/*", "*api*"), ("method", "class"), "all")
    assert parse("content:docs x", base=base).filters.content == "docs"


@given(st.text(max_size=80))
def test_any_text_is_parsed_or_refused_with_a_reason(text):
    try:
        parsed = parse(text)
    except QuatrainError as error:
        assert len(str(error)) > 20
    else:
        assert parsed.text or parsed.pattern or not text.strip(" \t")


WORDS = ["lang:go", "path:src", "-path:x", "kind:class", "content:docs", "who", "calls", "a:b", "-y", '"q: r"']


@given(st.lists(st.sampled_from(WORDS), max_size=8))
def test_words_that_are_no_filters_survive_in_order(words):
    filters = ("lang:", "path:", "-path:", "kind:", "content:")
    kept = [word for word in words if not word.startswith(filters)]
    if kept:
        assert parse(" ".join(words)).text == " ".join(kept)
