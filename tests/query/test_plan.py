"""The plan: who runs with which weight, when one modality answers alone, and what a question is found to be about."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatrain.errors import BadQuery
from quatrain.query.intent import classify, explain
from quatrain.query.plan import DIRECT_CONFIDENCE, MAX_DEPTH, MAX_QUERY_BYTES, PRESETS, WEIGHTS, make_plan
from quatrain.records import MODALITIES, Filters

ALL = dict.fromkeys(MODALITIES, True)
# One question for each intent, none of it on the direct path's account but for what the test says.
QUESTIONS = {
    "find_definition": "where is QuerySet defined",
    "find_references": "who calls get_or_create",
    "understand_code": "how does authentication work",
    "find_similar": "code similar to a paginator",
    "impact_analysis": "what breaks if I change BaseHandler",
    "exact_match": 'find the string "CSRF cookie not set"',
}


def plan(text, *, available=ALL, **options):
    return make_plan(text, available=available, **options)[0]


def notes(text, *, available=ALL, **options):
    return make_plan(text, available=available, **options)[1]


# --- weights --------------------------------------------------------------------------------------------------------------------


def test_the_table_is_the_published_one():
    rows = {intent: tuple(row[name] for name in MODALITIES) for intent, row in WEIGHTS.items()}
    assert rows == {
        "find_definition": (0.2, 0.1, 0.6, 0.1),
        "find_references": (0.1, 0.2, 0.2, 0.5),
        "understand_code": (0.5, 0.2, 0.2, 0.1),
        "find_similar": (0.4, 0.3, 0.2, 0.1),
        "impact_analysis": (0.1, 0.1, 0.1, 0.7),
        "exact_match": (0.0, 0.9, 0.1, 0.0),
    }


@pytest.mark.parametrize(("intent", "question"), QUESTIONS.items())
def test_thorough_uses_the_table_to_the_digit(intent, question):
    p = plan(question, preset="thorough")
    assert p.intent.name == intent
    assert dict(p.weights) == {name: weight for name, weight in WEIGHTS[intent].items() if weight}
    assert p.modalities == tuple(p.weights)
    assert p.k == 60
    assert p.direct is None


@pytest.mark.parametrize(
    ("question", "modalities"),
    [
        (QUESTIONS["find_definition"], ("semantic", "text", "structural")),
        (QUESTIONS["understand_code"], ("semantic", "text", "structural")),
        (QUESTIONS["find_references"], MODALITIES),  # graph is the heaviest and joins in
        (QUESTIONS["impact_analysis"], MODALITIES),
        (QUESTIONS["exact_match"], ("text", "structural")),  # weight 0 does not run
    ],
)
def test_default_runs_three_and_graph_where_it_is_heaviest(question, modalities):
    p = plan(question)
    assert p.modalities == modalities
    assert p.k == 40
    assert math.isclose(sum(p.weights.values()), 1)


def test_default_renormalizes_what_it_runs():
    p = plan(QUESTIONS["understand_code"])
    assert p.weights == pytest.approx({"semantic": 5 / 9, "text": 2 / 9, "structural": 2 / 9}, rel=1e-12)


@pytest.mark.parametrize("question", QUESTIONS.values())
def test_quick_is_semantic_alone_even_where_its_weight_is_zero(question):
    p = plan(question, preset="quick")
    assert (p.modalities, dict(p.weights), p.direct) == (("semantic",), {"semantic": 1.0}, None)


def test_named_modalities_are_restricted_and_renormalized():
    p = plan(QUESTIONS["understand_code"], modalities=["graph", "text", "text"])
    assert p.modalities == ("text", "graph")
    assert p.weights == pytest.approx({"text": 2 / 3, "graph": 1 / 3}, rel=1e-12)


def test_named_modalities_are_equal_if_all_would_be_zero():
    p = plan(QUESTIONS["exact_match"], modalities=["semantic", "graph"])
    assert dict(p.weights) == {"semantic": 0.5, "graph": 0.5}


def test_a_named_modality_without_weight_does_not_run_and_that_is_said():
    p, said = make_plan(QUESTIONS["exact_match"], modalities=["semantic", "text"], available=ALL)
    assert dict(p.weights) == {"text": 1.0}
    assert said == ("semantic search has no weight for exact_match and was not run",)


def test_given_weights_replace_the_table_and_choose_who_runs():
    p = plan(QUESTIONS["find_definition"], weights={"graph": 3, "text": 1})
    assert p.modalities == ("text", "graph")
    assert p.weights == pytest.approx({"text": 0.25, "graph": 0.75})
    assert p.direct is None


def test_a_missing_modality_is_left_out_and_that_is_said():
    p, said = make_plan(QUESTIONS["understand_code"], available={**ALL, "semantic": False})
    assert p.weights == pytest.approx({"text": 0.5, "structural": 0.5})
    assert said == ("semantic search is not available here and was left out",)


def test_a_modality_that_would_not_have_run_is_not_missed():
    assert notes(QUESTIONS["exact_match"], available={**ALL, "semantic": False, "graph": False}) == ()


def test_nothing_available_is_an_empty_plan_not_another_choice():
    p, said = make_plan(QUESTIONS["understand_code"], modalities=["semantic"], available={**ALL, "semantic": False})
    assert p.modalities == ()
    assert len(said) == 1


def test_trust_scales_meaning_before_renormalizing():
    p = plan(QUESTIONS["understand_code"], preset="thorough", trust=0.5)
    total = 0.25 + 0.2 + 0.2 + 0.1
    expected = {"semantic": 0.25 / total, "text": 0.2 / total, "structural": 0.2 / total, "graph": 0.1 / total}
    assert p.weights == pytest.approx(expected, rel=1e-12)


def test_a_configured_table_is_used_and_keeps_the_direct_path():
    table = {**WEIGHTS, "find_definition": {"semantic": 0.0, "text": 1.0, "structural": 0.0, "graph": 0.0}}
    p = plan(QUESTIONS["find_definition"], table=table)
    assert (p.modalities, p.direct) == (("text",), "text")


# --- the direct path ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "modality"),
    [
        (QUESTIONS["find_definition"], "structural"),
        ("class ModelAdmin", "structural"),
        (QUESTIONS["find_references"], "graph"),
        (QUESTIONS["impact_analysis"], "graph"),
        (QUESTIONS["exact_match"], "text"),
        (QUESTIONS["understand_code"], None),
        (QUESTIONS["find_similar"], None),
        ("parse_cookie", None),
    ],
)
def test_a_sure_rule_lets_the_heaviest_modality_answer_alone(question, modality):
    p = plan(question)
    assert p.direct == modality
    assert (p.intent.confidence >= DIRECT_CONFIDENCE) == (modality is not None)


@pytest.mark.parametrize(
    "options",
    [
        {"preset": "thorough"},
        {"preset": "quick"},
        {"modalities": ["structural"]},
        {"modalities": MODALITIES},
        {"weights": {"structural": 1.0}},
        {"available": {**ALL, "structural": False}},
    ],
)
def test_only_a_normal_query_is_direct(options):
    assert plan("where is QuerySet defined", **options).direct is None


def test_a_long_question_is_not_direct():
    question = "where is QuerySet defined"
    padded = question + " " * (512 - len(question) - 1) + "?"
    assert len(padded) == 512
    assert plan(padded).direct == "structural"
    assert plan(padded.replace("?", " ?")).direct is None


def test_a_filter_that_the_modality_cannot_honour_is_not_direct():
    assert plan('"CSRF cookie not set"', filters=Filters(kinds=("class",))).direct is None
    assert plan('"CSRF cookie not set"', filters=Filters(languages=("python",))).direct == "text"
    assert plan("class ModelAdmin", filters=Filters(kinds=("class",))).direct == "structural"


# --- what is looked for -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("where is QuerySet defined", ("QuerySet",)),
        ("who calls render", ("render",)),
        ("who calls the render function in the template module", ("render",)),
        ("who calls django.http.HttpResponse.write", ("django.http.HttpResponse.write",)),
        ("who calls Class::method", ("Class::method",)),
        ("what depends on `foo()`", ("foo",)),
        ("what breaks if I change BaseHandler", ("BaseHandler",)),
        ("what breaks if I change the cache key format", ()),
        ("what breaks if I change this function", ()),
        ("what depends on this", ()),
        ("who uses it", ()),
        ("if I rename save, what breaks", ("save",)),
        ("how does parse_cookie use http.cookies.SimpleCookie", ("http.cookies.SimpleCookie", "parse_cookie")),
        ("how does the Paginator count pages", ("Paginator",)),
        ("def parse_header(value):", ("parse_header",)),
        ("async def bar", ("bar",)),
        ("func (s *Server) Serve", ("Server.Serve", "Serve")),
        ("class Foo(Bar):", ("Foo",)),
        ("from a.b import c", ("a.b.c", "c")),
        ("import OrderedDict", ("OrderedDict",)),
        ("parse_cookie", ("parse_cookie",)),
        ("flush()", ("flush",)),
        ("callers of flush", ("flush",)),
        ("what does run_server call", ("run_server",)),
        ("show me the createStore function", ("createStore",)),
        ("quién llama a la función enviar", ("enviar",)),
        ("qué se rompe si cambio esta función", ()),
        ("qué se rompe si cambio la clase Pedido", ("Pedido",)),
        ("quem chama a função enviar", ("enviar",)),
        ("o que depende disso", ()),
        ("o que quebra se eu mudar Pedido", ("Pedido",)),
        ("谁调用了parse_cookie", ("parse_cookie",)),
        ("parseConfig 定義在哪裡", ("parseConfig",)),
        ("如果我修改這個函式會壞掉什麼", ()),
        ("如果修改Pedido会影响什么", ("Pedido",)),
        ("find ECONNREFUSED", ("ECONNREFUSED",)),
        ("how do cookies work", ()),
        ("e.g. retry on node.js and GitHub", ()),
    ],
)
def test_subjects(question, subjects):
    assert plan(question).subjects == subjects


@pytest.mark.parametrize(
    ("question", "literal"),
    [
        ('find the string "CSRF cookie not set"', "CSRF cookie not set"),
        ("find ECONNREFUSED", "ECONNREFUSED"),
        ("find the string ECONNREFUSED", "ECONNREFUSED"),
        ("找出字串 ECONNREFUSED", "ECONNREFUSED"),
        ("“permission denied” message", "permission denied"),
        ("«tiempo agotado»", "tiempo agotado"),
        ("搜尋字串「連線逾時」", "連線逾時"),
        ("『找不到檔案』", "找不到檔案"),
        ("`--no-verify`", "--no-verify"),
        (r'"say \"hi\""', 'say "hi"'),
        ("search for the text 'quota exceeded'", "quota exceeded"),
        ("grep MAX_RETRIES", "MAX_RETRIES"),
        ("src/a.py:42", "src/a.py"),
        ("if err != nil {", "if err != nil {"),
        ("->", "->"),
        ("TypeError: Cannot read properties of undefined", "Cannot read properties of undefined"),
        ("Traceback (most recent call last):\n  File 'a.py', line 1\nKeyError: no such thing", "no such thing"),
        ("how does authentication work", None),
        ("who calls get_or_create", None),
        ("don't retry when it isn't ready", None),
    ],
)
def test_literal(question, literal):
    assert plan(question).literal == literal


def test_a_regular_expression_is_no_literal():
    p = plan(r"foo_\d+\.tmp")
    assert (p.intent.name, p.pattern, p.literal) == ("exact_match", r"foo_\d+\.tmp", None)


def test_what_only_looks_like_a_regular_expression_is_a_literal():
    p = plan(r"foo(\d+[.tmp")
    assert (p.intent.name, p.pattern, p.literal) == ("exact_match", None, r"foo(\d+[.tmp")


def test_an_explicit_pattern_needs_no_text():
    p = plan("", pattern="a+b")
    assert (p.text, p.pattern, p.intent.name, p.direct) == ("a+b", "a+b", "exact_match", "text")
    assert plan("who", pattern="a+b").text == "who"


@pytest.mark.parametrize(
    ("question", "direction", "depth"),
    [
        ("who calls save_model", "callers", 1),
        ("what does save_model call", "callees", 1),
        ("what depends on save_model", "dependents", 3),
        ("what does save_model depend on", "dependencies", 3),
        ("dependencies of save_model", "dependencies", 3),
        ("de qué depende save_model", "dependencies", 3),
        ("o que save_model chama", "callees", 1),
        ("save_model 依赖哪些模块", "dependencies", 3),
        ("save_model 调用了哪些函数", "callees", 1),
        ("what depends directly on save_model", "dependents", 1),
        ("what depends on save_model transitively", "dependents", MAX_DEPTH),
        ("what depends on save_model directly or indirectly", "dependents", MAX_DEPTH),
        ("what depends on save_model, depth 2", "dependents", 2),
        ("who calls save_model within two levels", "callers", 2),
        ("what depends on save_model up to 5 hops", "dependents", 5),
        ("qué depende de save_model hasta 2 niveles", "dependents", 2),
        ("谁依赖 save_model 深度2", "dependents", 2),
        ("how does authentication work", None, 1),
    ],
)
def test_direction_and_depth(question, direction, depth):
    p = plan(question)
    assert (p.direction, p.depth) == (direction, depth)


def test_an_absurd_depth_is_adjusted_and_that_is_said():
    p, said = make_plan("what depends on save_model, depth 500", available=ALL)
    assert p.depth == MAX_DEPTH
    assert said == ("depth 500 is outside 1 to 10 and was adjusted",)


def test_a_graph_question_without_a_symbol_gets_a_hint():
    (hint,) = notes("what depends on this")
    assert "names no symbol" in hint


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("which tests call parse_header", True),
        ("unit tests for the parser", True),
        ("pruebas del analizador", True),
        ("测试在哪里", True),
        ("who calls test_client", False),
        ("test cases of the router", True),
        ("how does the latest release work", False),
    ],
)
def test_whether_tests_are_wanted(question, wanted):
    assert plan(question).wants_tests is wanted


# --- bad input --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", [plan, classify, explain])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        (" \n\t ", "empty"),
        ("x" * 100_000, "longer than 32,768 bytes"),
        ("字" * (MAX_QUERY_BYTES // 3 + 1), "longer than"),
        ("a\0b", "NUL"),
        (None, "string"),
        (b"x", "string"),
    ],
)
def test_bad_text_is_refused_with_advice(ask, text, message):
    with pytest.raises(BadQuery, match=message):
        ask(text)


def test_the_longest_text_is_still_answered():
    assert plan("x " * (MAX_QUERY_BYTES // 2)).intent.name == "understand_code"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "fast"}, "quick, default, thorough"),
        ({"modalities": ["meaning"]}, "semantic, text, structural, graph"),
        ({"modalities": []}, "empty"),
        ({"weights": {"meaning": 1.0}}, "semantic, text, structural, graph"),
        ({"weights": {"text": -1}}, ">= 0"),
        ({"weights": {"text": math.nan}}, "finite"),
        ({"weights": {"text": "1"}}, "number"),
        ({"weights": {"text": 0.0}}, "every weight is 0"),
        ({"weights": {}}, "every weight is 0"),
        ({"pattern": ""}, "empty"),
        ({"pattern": "a\0"}, "NUL"),
    ],
)
def test_bad_options_are_refused_with_what_is_allowed(options, message):
    with pytest.raises(BadQuery, match=message):
        plan("x", **options)


@pytest.mark.parametrize("trust", [0.0, -1.0, 1.5, math.nan])
def test_trust_outside_its_range_is_a_programming_error(trust):
    with pytest.raises(ValueError, match="trust"):
        plan("x", trust=trust)


def test_a_single_name_may_stand_without_a_list():
    assert plan("x", modalities="text").modalities == ("text",)


# --- properties -------------------------------------------------------------------------------------------------------------------

WORDS = (
    'who calls what breaks if I change where is defined the Foo.bar parse_x "quoted" find string 谁调用 依赖 '
    "que depende de similar to ( [ \\ ? \n"
)
texts = st.one_of(
    st.text(min_size=1, max_size=60), st.lists(st.sampled_from(WORDS.split(" ")), min_size=1, max_size=9).map(" ".join)
)
subsets = st.one_of(st.none(), st.sets(st.sampled_from(MODALITIES), min_size=1))


@given(
    text=texts,
    preset=st.sampled_from(sorted(PRESETS)),
    modalities=subsets,
    available=st.fixed_dictionaries({name: st.booleans() for name in MODALITIES}),
    trust=st.floats(0.01, 1.0),
)
def test_every_plan_is_consistent(text, preset, modalities, available, trust):
    if not text.strip() or "\0" in text:
        return
    p, said = make_plan(text, preset=preset, modalities=modalities, available=available, trust=trust)
    assert tuple(p.weights) == p.modalities
    assert set(p.modalities) <= {name for name in MODALITIES if available[name]}
    if modalities is not None:
        assert set(p.modalities) <= modalities
    if p.modalities:
        assert math.isclose(sum(p.weights.values()), 1.0)
        assert min(p.weights.values()) > 0
    assert p.direct is None or p.direct in p.modalities
    assert 1 <= p.depth <= MAX_DEPTH
    assert all(p.subjects) and len(set(p.subjects)) == len(p.subjects)
    assert all(isinstance(note, str) for note in said)
    assert p.intent == classify(text)
