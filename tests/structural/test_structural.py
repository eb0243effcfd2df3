"""Definitions: by exact name, but for case, by kind, by header, by the words of their names."""

from __future__ import annotations

import numpy as np
import pytest

from quatrain.records import SYMBOL_KINDS, Filters
from quatrain.retrieval import structural
from quatrain.retrieval.structural import KIND_WEIGHTS, definitions, retrieve
from small_index import plan, small_view

FILES = {
    "app/admin.py": '''class ModelAdmin(BaseAdmin):
    """Options of a model."""

    def get_queryset(self, request) -> QuerySet:
        return request

    @action
    def delete_selected(self, request: HttpRequest):
        return None
''',
    "app/query.py": "class QuerySet:\n    def filter(self):\n        pass\n\n    def model_admin(self): ...\n",
    "app/values.py": "MODEL_ADMIN = 1\nmodelAdmin = 2\nfilter = 3\n",
    "app/zeta.py": "def parse_config_file(path):\n    return path\n\n\ndef parse(path):\n    return path\n",
    "tests/test_admin.py": "class ModelAdmin:\n    pass\n\n\nclass Unique:\n    pass\n",
    "3rdparty/lib/admin.py": "class ModelAdmin:\n    pass\n",
}


@pytest.fixture(scope="module")
def view():
    return small_view(FILES, {"parse": 0.4})


def found(view, ranked):
    documents = view.documents
    return [f"{documents.path(int(f))}:{line}" for f, line in zip(ranked.files, ranked.lines, strict=True)]


def test_a_subject_leads_with_its_own_definitions(view):
    answer = retrieve(plan("class ModelAdmin", "find_definition", ("ModelAdmin",)), view, 50)
    # Own class, then the vendored copy of equal strength; the test is weaker, what differs in case weaker still.
    assert found(view, answer)[:3] == ["app/admin.py:1", "3rdparty/lib/admin.py:1", "tests/test_admin.py:1"]
    assert set(found(view, answer)[3:]) >= {"app/query.py:5", "app/values.py:1"}
    assert np.all(np.diff(answer.strengths) <= 0)
    assert answer.strengths[0] == structural.EXACT


def test_tests_lead_when_they_are_wanted(view):
    answer = retrieve(plan("ModelAdmin test", "find_definition", ("ModelAdmin",), wants_tests=True), view, 50)
    assert answer.strengths[found(view, answer).index("tests/test_admin.py:1")] == structural.EXACT


def test_the_direct_path_returns_definitions_of_the_subject_or_nothing(view):
    direct = plan("where is Unique defined", "find_definition", ("Unique",), direct="structural")
    assert found(view, retrieve(direct, view, 50)) == ["tests/test_admin.py:5"]
    exact = plan("where is ModelAdmin defined", "find_definition", ("ModelAdmin",), direct="structural")
    assert len(retrieve(exact, view, 50)) == 3  # what differs in case is no answer where there is one
    folded = plan("where is Modeladmin defined", "find_definition", ("Modeladmin",), direct="structural")
    assert len(retrieve(folded, view, 50)) == 5
    missed = plan("where is parse_config defined", "find_definition", ("parse_config",), direct="structural")
    assert len(retrieve(missed, view, 50)) == 0
    near = plan("where is parse_config defined", "find_definition", ("parse_config",))
    assert found(view, retrieve(near, view, 50))[0] == "app/zeta.py:1"


def test_a_qualified_subject_matches_the_end_of_the_qualified_name(view):
    answer = retrieve(plan("QuerySet.filter", "find_definition", ("QuerySet.filter",), direct="structural"), view, 50)
    assert found(view, answer) == ["app/query.py:2"]
    assert answer.marks == ()


def test_an_unknown_owner_gives_marked_near_answers(view):
    answer = retrieve(plan("Other.filter", "find_definition", ("Other.filter",), direct="structural"), view, 50)
    assert found(view, answer) == ["app/query.py:2", "app/values.py:3"]
    assert answer.marks == ("fuzzy", "fuzzy")


def test_the_kind_said_before_the_name_counts(view):
    plain = retrieve(plan("filter", "find_definition", ("filter",), direct="structural"), view, 50)
    assert found(view, plain) == ["app/query.py:2", "app/values.py:3"]
    said = retrieve(plan("const filter", "find_definition", ("filter",), direct="structural"), view, 50)
    assert found(view, said) == ["app/values.py:3", "app/query.py:2"]


def test_definitions_fold_case_and_underscores(view):
    symbols = view.symbols
    exact, folded = definitions("ModelAdmin", view)
    assert {symbols.name(int(s)) for s in exact} == {"ModelAdmin"}
    assert {symbols.name(int(s)) for s in folded} == {"MODEL_ADMIN", "modelAdmin", "model_admin"}
    exact, folded = definitions("Filter", view)
    assert (len(exact), {symbols.name(int(s)) for s in folded}) == (0, {"filter"})
    exact, folded = definitions("queryset.Filter", view)
    assert (len(exact), [symbols.qualified(int(s)) for s in folded]) == (0, ["app.query.QuerySet.filter"])


def test_words_of_names(view):
    answer = retrieve(plan("parse the config of a file"), view, 50)
    # parse_config_file shares its three words: 1 x .85 for the words, .5 x .85 for none (they are not neighbours in the
    # question)
    assert found(view, answer)[0] == "app/zeta.py:1"
    assert answer.strengths[0] == pytest.approx(0.85, abs=1e-6)
    neighbours = retrieve(plan("parse config file"), view, 50)
    assert neighbours.strengths[0] == pytest.approx(1.5 * 0.85, abs=1e-6)


def test_strength_of_a_part_of_the_name(view):
    # Of parse_config_file the question has "config" alone: m / mass of the question = 1, m / mass of the name = idf
    # share of "config".
    words = structural.parse_words("config")
    idf = float(view.name_terms.find(words.hashes).idf[0])
    symbol = view.symbols.exact("parse_config_file")[0]
    answer = retrieve(plan("config"), view, 50)
    assert answer.strengths[0] == pytest.approx(0.85 * np.sqrt(idf / float(view.name_terms.mass[symbol])), rel=1e-6)


def test_filters(view):
    only = plan("ModelAdmin", "find_definition", ("ModelAdmin",), filters=Filters(paths=("3rdparty/",), content="all"))
    assert found(view, retrieve(only, view, 50)) == ["3rdparty/lib/admin.py:1"]
    kinds = plan(
        "ModelAdmin", "find_definition", ("ModelAdmin",), filters=Filters(kinds=("constant", "variable"), content="all")
    )
    assert {entry.split(":")[0] for entry in found(view, retrieve(kinds, view, 50))} == {"app/values.py"}


def test_limit_keeps_the_strongest(view):
    everything = retrieve(plan("ModelAdmin", "find_definition", ("ModelAdmin",)), view, 50)
    one = retrieve(plan("ModelAdmin", "find_definition", ("ModelAdmin",)), view, 1)
    assert one.chunks.tolist() == everything.chunks[:1].tolist()


def test_a_chunk_is_returned_once(view):
    answer = retrieve(plan("filter model admin parse config", "find_definition", ("filter", "parse")), view, 50)
    assert len(set(answer.chunks.tolist())) == len(answer)


def test_central_definitions_lead_among_equals():
    files = {"a.py": "def run(): pass\n", "b.py": "def run(): pass\n\n\ndef hub(): pass\n", "c.py": "def run(): pass\n"}
    view = small_view(files, {"hub": 0.5})
    answer = retrieve(plan("run", "find_definition", ("run",)), view, 50)
    assert found(view, answer) == ["b.py:1", "a.py:1", "c.py:1"]


def test_no_symbols():
    view = small_view({"a.py": "# nothing\n"})
    assert len(retrieve(plan("anything at all", "find_definition", ("anything",)), view, 50)) == 0


def test_every_kind_has_a_weight():
    assert len(KIND_WEIGHTS) == len(SYMBOL_KINDS)
    assert KIND_WEIGHTS.min() > 0 and KIND_WEIGHTS.max() == 1


def test_many_definitions_in_one_chunk_do_not_shut_out_the_next_chunk() -> None:
    view = small_view({"a.py": "def load(): ...\n" * 4, "z.py": "def load_other(): ...\ndef apart(): ...\n"}, {})
    asked = plan("load other", subjects=("load",))
    assert found(view, retrieve(asked, view, 50)) == ["a.py:1", "z.py:1"]
    assert found(view, retrieve(asked, view, 3)) == ["a.py:1", "z.py:1"]
