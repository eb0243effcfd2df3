"""How a question is read: folding, contractions, late cues, and the account that `explain` gives."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatrain.query.intent import classify, explain
from quatrain.query.names import is_code_like, names_in
from quatrain.query.rules import RULES
from quatrain.query.wording import fold


@given(st.text())
def test_folding_keeps_every_position(text):
    assert len(fold(text)) == len(text)


@given(st.text(st.characters(categories=["Lu", "Ll", "Lo", "Po", "Ps", "Pe"])))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("¿Dónde ESTÁ?", " donde esta?"),
        ("「定義」在哪裡？", '"定义"在哪里?'),
        ("«às» “não” ‘ç’", '"as" "nao" \'c\''),
        ("ＡＢＣ　ｘ", "abc x"),
        ("İstanbul", "istanbul"),
    ],
)
def test_folding(text, folded):
    assert fold(text) == folded


def test_a_combining_accent_is_read_like_a_composed_one():
    question = "dónde está definido parseConfig"
    assert classify(unicodedata.normalize("NFD", question)) == classify(question)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("who's calling flush_queue", "who is calling flush_queue"),
        ("what’s using TokenBucket", "what is using TokenBucket"),
        ("wheres createStore defined", "where is createStore defined"),
        ("where's the audit decorator applied", "where is the audit decorator applied"),
        ("parse_header 的定义？", "parse_header 的定义"),
        ("谁调用了 parse_header？！", "谁调用了 parse_header"),
        ("WHO CALLS flush_queue", "who calls flush_queue"),
        ("QUIÉN LLAMA A flush_queue", "quién llama a flush_queue"),
    ],
)
def test_another_way_to_write_the_same(written, plain):
    assert classify(written) == classify(plain)
    assert classify(plain).name != "understand_code"


def test_a_cue_late_in_a_story_is_never_sure():
    story = "the nightly job fails now and then and before the next release I want to look at everything, so tell me please "
    assert len(story) > 100
    assert classify("who calls flush_queue").confidence == 0.90
    late = classify(story + "who calls flush_queue")
    assert (late.name, late.confidence) == ("find_references", 0.75)


def test_only_the_beginning_of_a_long_text_is_read():
    assert classify("lorem ipsum dolor " * 100 + "who calls flush_queue").name == "understand_code"


# --- explain ----------------------------------------------------------------------------------------------------------------------


def test_explain_gives_every_rule_until_the_one_that_fired():
    verdicts = explain("who calls parse_cookie")
    fired = verdicts[-1]
    assert [verdict.rule for verdict in verdicts] == [rule.name for rule in RULES[: len(verdicts)]]
    assert [verdict.fired for verdict in verdicts] == [False] * (len(verdicts) - 1) + [True]
    assert (fired.rule, fired.intent, fired.confidence) == ("callers", "find_references", 0.90)
    assert fired.reason == "English: 'who calls parse_cookie'"


def test_explain_says_what_a_guard_refused():
    reasons = {verdict.rule: verdict.reason for verdict in explain("impact of caching")}
    assert reasons["impact_of"] == "the phrase is there, but 'caching' does not look like code"


def test_explain_tells_a_missing_cue_from_a_missing_phrase():
    reasons = {verdict.rule: verdict.reason for verdict in explain("impact of network latency on throughput")}
    assert reasons["impact_of"] == "a cue word, but no phrase"
    assert reasons["subtypes"] == "no cue word"


def test_explain_shows_both_rounds_of_a_misspelt_question():
    verdicts = explain("who cals flush_queue")
    first = [verdict for verdict in verdicts if not verdict.rule.endswith("~")]
    assert first[-1].reason == "put off, to be read as: who calls flush_queue"
    assert not any(verdict.fired for verdict in first)
    assert (verdicts[-1].rule, verdicts[-1].fired, verdicts[-1].confidence) == ("callers~", True, 0.75)
    assert classify("who cals flush_queue").rule == "callers~"


@pytest.mark.parametrize(
    ("question", "intent", "rule"),
    [
        ("Open the implementation of flush_queue, I need to see whether it locks.", "find_definition", "find_name~"),
        ("The queue is stuck; who calls flush_queue", "find_references", "callers"),
        ("请看日志。哪些地方调用了 flush_queue", "find_references", "callers"),
    ],
)
def test_a_clause_is_read_by_itself_when_the_whole_says_nothing(question, intent, rule):
    found = classify(question)
    assert (found.name, found.rule) == (intent, rule)
    assert [(verdict.rule, verdict.confidence) for verdict in explain(question) if verdict.fired] == [
        (rule, found.confidence)
    ]


def test_a_clause_read_by_itself_is_never_sure_and_its_shape_says_nothing():
    alone = classify("blast radius: flush_queue")
    inside = classify("Somebody moved it yesterday, blast radius")
    assert alone.confidence >= 0.85
    assert (inside.name, inside.confidence, inside.rule) == ("impact_analysis", 0.75, "blast_radius~")
    assert classify("Nobody remembers it, for x in items[0]").rule == "fallback"


@pytest.mark.parametrize(
    "end", [" please", ", thanks!", " por favor", " so that I can patch it.", ", so that we may see it"]
)
def test_politeness_and_purpose_behind_a_question_do_not_matter(end):
    assert classify(f"show me the source of parse_cookie{end}") == classify("show me the source of parse_cookie")


# --- names ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "token",
    [
        "parseConfig",
        "HTTPServer",
        "parse_cookie",
        "_private",
        "a.b.c",
        "std::move",
        "ptr->x",
        "f()",
        "@cached",
        "$scope",
        "class_",
        "src/a.py",
        "/etc/x",
    ],
)
def test_what_has_the_shape_of_code(token):
    assert is_code_like(token)


@pytest.mark.parametrize(
    "token",
    [
        "cookie",
        "Cookie",
        "APIs",
        "URLs",
        "JSON",
        "e.g",
        "i.e",
        "3.11",
        "GitHub",
        "JavaScript",
        "node.js",
        "built-in",
        "read/write",
        "x" * 999,
    ],
)
def test_what_is_prose(token):
    assert not is_code_like(token)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("谁调用了parse_cookie和a.b.C", ["parse_cookie", "a.b.C"]),
        ("look at `flush` and run(x) in src/app_main.py", ["flush", "run"]),
        ("https://example.org/foo_bar is a page", []),
        ("parse_cookie, parse_cookie()", ["parse_cookie"]),
        ("größen_tabelle", ["größen_tabelle"]),
    ],
)
def test_names_in_a_question(text, names):
    assert names_in(text) == names
