"""In which order the graph answers, and what it says when it knows nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

from quatrain.query.plan import make_plan
from quatrain.records import MODALITIES, RankedList
from quatrain.retrieval import graph
from quatrain.retrieval.view import IndexView

USES = {
    "app/__init__.py": "from app.core import Engine\n",
    "app/core.py": """class Engine:
    def start(self):
        return run()


def run():
    return 1


def again():
    return run(), Engine()
""",
    "app/calls.py": "from app.core import Engine, run\n\n\ndef begin():\n    return run()\n\n\ndef make():\n    return Engine()\n",
    "app/calls_more.py": "from app.core import run\n\n\ndef first():\n    return run()\n\n\ndef second():\n    return run()\n",
    "app/under.py": "from app.core import Engine\n\n\nclass Diesel(Engine):\n    pass\n",
    "app/hints.py": "from app.core import Engine\n\n\ndef service(engine: Engine):\n    return engine\n",
    "app/imports.py": "from app.core import Engine, run\n",
    "app/far.py": "from app.calls import make\n\n\ndef go():\n    return make()\n",
    "app/loose.py": "def hand_over(thing):\n    return thing.start()\n",
    "tests/test_core.py": "from app.core import run\n\n\ndef test_run():\n    assert run()\n",
}


@pytest.fixture(scope="module")
def uses(view_of: Callable[..., IndexView]) -> IndexView:
    return view_of(USES)


def ask(view: IndexView, question: str) -> RankedList:
    plan, _ = make_plan(question, available=dict.fromkeys(MODALITIES, True))
    return graph.retrieve(plan, view, 50)


def files(view: IndexView, found: RankedList) -> list[str]:
    """Return the paths in the order of their first chunk."""
    return list(dict.fromkeys(view.documents.path(int(file)) for file in found.files))


def answer(view: IndexView, question: str) -> list[str]:
    return files(view, ask(view, question))


def assert_order(found: Sequence[str], *groups: Sequence[str]) -> None:
    """Assert that all of a group come before all of the next one."""
    ranks = [[found.index(path) for path in group] for group in groups]
    for before, after in pairwise(ranks):
        assert max(before) < min(after), found


def test_calls_then_the_own_file_then_tests_then_imports(uses: IndexView) -> None:
    assert_order(
        answer(uses, "who calls run"),
        ["app/calls.py", "app/calls_more.py"], ["app/core.py"], ["tests/test_core.py"], ["app/imports.py"],
    )  # fmt: skip


def test_more_uses_come_first_among_equals(uses: IndexView) -> None:
    assert answer(uses, "who calls run")[:2] == ["app/calls_more.py", "app/calls.py"]


def test_tests_are_not_behind_when_they_are_asked_for(uses: IndexView) -> None:
    found = answer(uses, "which tests call run")
    assert_order(found, ["tests/test_core.py"], ["app/core.py"])


def test_every_kind_of_use_counts(uses: IndexView) -> None:
    assert_order(
        answer(uses, "usages of Engine"),
        ["app/calls.py"], ["app/under.py"], ["app/hints.py"], ["app/imports.py", "app/__init__.py"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "first"),
    [("subclasses of Engine", ["app/under.py"]), ("who calls Engine", ["app/calls.py"])],
)
def test_the_kind_of_use_that_is_asked_for_comes_first(uses: IndexView, question: str, first: list[str]) -> None:
    assert answer(uses, question)[: len(first)] == first


def test_whoever_imports_is_shown_at_the_import(uses: IndexView) -> None:
    found = ask(uses, "who imports run")
    assert {int(line) for line in found.lines[:3]} == {1}


def test_the_evidence_of_a_call_is_the_call(uses: IndexView) -> None:
    found = ask(uses, "who calls run")
    assert (uses.documents.path(int(found.files[0])), int(found.lines[0])) == ("app/calls_more.py", 5)


def test_a_mention_is_nearer_than_a_call_two_steps_away(uses: IndexView) -> None:
    assert_order(answer(uses, "what breaks if I change Engine"), ["app/calls.py"], ["app/imports.py"], ["app/far.py"])


CODECS = {
    "codec.py": "class Codec:\n    def dumps(self):\n        return 1\n",
    "mine.py": "from codec import Codec\n\n\ndef a():\n    return Codec().dumps()\n",
    "theirs.py": "import json\n\n\ndef b():\n    return json.dumps(1)\n",
}


def test_calls_of_a_namesake_outside_are_the_last_unless_the_name_excludes_them(
    view_of: Callable[..., IndexView],
) -> None:
    view = view_of(CODECS)
    found = ask(view, "who calls dumps")
    assert files(view, found) == ["mine.py", "theirs.py"]
    assert found.marks == ("", "external")
    assert answer(view, "who calls Codec.dumps") == ["mine.py"]


def test_guesses_come_after_what_is_sure_and_are_marked(uses: IndexView) -> None:
    found = ask(uses, "who calls Engine.start")
    assert files(uses, found) == ["app/loose.py"]
    assert set(found.marks) <= {"ambiguous", "unresolved"}


MODULE = {
    "lib/__init__.py": "from lib.wire import send\n",
    "lib/wire.py": "class Wire:\n    def push(self):\n        return 1\n\n\ndef send():\n    return Wire()\n",
    "lib/direct.py": "from lib.wire import send\n\n\ndef a():\n    return send()\n",
    "lib/only.py": "import lib.wire\n",
    "lib/through.py": "from lib import send\n\n\ndef b():\n    return send().push()\n",
    "lib/second.py": "from lib.direct import a\n\n\ndef c():\n    return a()\n",
    "lib/third.py": "from lib.second import c\n\n\ndef d():\n    return c()\n",
    "lib/tests/test_wire.py": "from lib.wire import send\n\n\ndef test_send():\n    assert send()\n",
    "lib/other.py": "def wire():\n    return 1\n",
}


@pytest.fixture(scope="module")
def module(view_of: Callable[..., IndexView]) -> IndexView:
    return view_of(MODULE)


@pytest.mark.parametrize(
    "question",
    [
        "what breaks if I change wire.py", "blast radius of lib/wire.py", "what depends on lib.wire", "impact of lib/wire.py",
        "what is affected by changing wire.py",
    ],
)  # fmt: skip
def test_importers_then_users_by_another_way_then_what_is_further(module: IndexView, question: str) -> None:
    found = answer(module, question)
    assert_order(
        found,
        ["lib/direct.py", "lib/only.py", "lib/__init__.py"], ["lib/tests/test_wire.py"], ["lib/through.py"],
        ["lib/second.py"], ["lib/third.py"],
    )  # fmt: skip
    assert "lib/other.py" not in found


@pytest.mark.parametrize(
    "question",
    [
        "which modules import lib.wire",
        "who imports wire.py",
        "which files import ./wire",
        "who imports the wire module",
    ],
)
def test_importers_of_a_module(module: IndexView, question: str) -> None:
    found = ask(module, question)
    paths = files(module, found)
    assert set(paths[:4]) == {"lib/direct.py", "lib/only.py", "lib/__init__.py", "lib/tests/test_wire.py"}
    assert [int(line) for line in found.lines[:4]] == [1, 1, 1, 1]


def test_a_bare_name_is_the_definition_unless_a_module_is_meant(module: IndexView) -> None:
    assert set(ask(module, "who calls wire").marks) == {"unresolved"}, "nobody calls it; the word stands in the text"
    assert ask(module, "what depends on the wire module").marks == ()


def test_what_a_file_depends_on(module: IndexView) -> None:
    found = answer(module, "what does lib/second.py depend on")
    assert found[0] == "lib/direct.py" and "lib/wire.py" in found and "lib/second.py" not in found


SEVERAL = {
    "core/response.py": "class Response:\n    pass\n",
    "core/use.py": "from core.response import Response\n\n\ndef make():\n    return Response()\n",
    "core/use_more.py": "from core.response import Response\n\n\ndef make_more():\n    return Response()\n",
    "aaa/small.py": "class Response:\n    pass\n\n\ndef mine():\n    return Response()\n",
    "aaa/small_use.py": "from aaa.small import Response\n\n\ndef one():\n    return Response()\n",
    "tests/fake.py": "class Response:\n    pass\n",
    "aaa/fake_use.py": "from tests.fake import Response\n\n\ndef fake():\n    return Response()\n",
}


def test_of_several_definitions_the_central_public_one_leads(view_of: Callable[..., IndexView]) -> None:
    found = answer(view_of(SEVERAL), "callers of Response")
    assert_order(found, ["core/use.py", "core/use_more.py"], ["aaa/small_use.py"], ["aaa/fake_use.py"])


def test_a_file_in_the_question_tells_definitions_of_one_name_apart(view_of: Callable[..., IndexView]) -> None:
    view = view_of(SEVERAL)
    assert answer(view, "callers of Response in small.py") == ["aaa/small_use.py", "aaa/small.py"]
    assert answer(view, "callers of Response in nowhere.py") == answer(view, "callers of Response")


# Perl has no grammar here: definitions come from its lines, and nothing links it.
UNLINKED = {
    "cmd/main.pl": """use strict;

# Starts the line.
sub main {
    Wire::dial("x");
}
""",
    "wire/dial.pl": "package Wire;\n\n# dial opens a line.\nsub dial { my ($where) = @_; }\n",
    "wire/other.pl": "package Wire;\n\nmy $opener = \\&dial;\n",
    "wire/doc.pl": "# dial is described here.\npackage Wire;\n",
    "notes.py": "# dial\n",
}


def test_without_a_graph_the_text_answers_and_is_marked(view_of: Callable[..., IndexView]) -> None:
    view = view_of(UNLINKED)
    found = ask(view, "who calls dial")
    assert set(found.marks) == {"unresolved"}
    assert files(view, found)[:2] == ["cmd/main.pl", "wire/other.pl"], "a call, then a mention, then comments"
    assert int(found.lines[0]) == 5
    assert ("wire/dial.pl", 4) not in {
        (view.documents.path(int(f)), int(line)) for f, line in zip(found.files, found.lines, strict=True)
    }, "a definition is no use of itself"


def test_without_a_graph_a_file_is_used_where_its_names_are(view_of: Callable[..., IndexView]) -> None:
    view = view_of(UNLINKED)
    found = answer(view, "what breaks if I change dial.pl")
    assert found[:2] == ["cmd/main.pl", "wire/other.pl"] and "wire/dial.pl" not in found


def test_a_package_from_outside_is_found_at_its_imports(view_of: Callable[..., IndexView]) -> None:
    view = view_of({"a.py": "import numpy as np\n", "b.py": "x = 'numpy'\n", "c.py": "from numpy import array\n"})
    found = ask(view, "who imports numpy")
    assert files(view, found)[:2] == ["a.py", "c.py"]
    assert all(found.marks)


def test_a_name_that_stands_nowhere_has_no_answer(uses: IndexView) -> None:
    found = ask(uses, "who calls no_such_name_at_all")
    assert len(found) == 0
    assert found.notes == ("no definition is called no_such_name_at_all",)
