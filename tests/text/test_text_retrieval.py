"""What the text retriever puts first, and how it marks what it had to guess."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_index import text_view

from quatrain.query.glossary import translate
from quatrain.records import Filters, Intent, QueryPlan, RankedList
from quatrain.retrieval.rescue import near_names, similarity
from quatrain.retrieval.text import retrieve
from quatrain.retrieval.view import IndexView

FILES = {
    "docs/errors.md": b"# Errors\nIt says CSRF cookie not set. when the cookie is missing.\nCSRF cookie not set.\n",
    "src/config.py": b"def parse_config(path):\n    return read_file(path)\n\n\nclass MergeOptions:\n    pass\n",
    "src/middleware/csrf.py": b'REASON = "CSRF cookie not set."\n\n\ndef check_token(request):\n    """Reject the request."""\n'
    b"    raise ValueError(REASON)\n",
    "src/pager.py": b"def echo_via_pager(text):\n    pager = Pager(text)\n    return pager.show()\n\n\nclass ProgressBar:\n    pass\n",
    "src/auth.py": b"def authenticate(user):\n    # Authentication checks the password of the user.\n    return user\n",
    "src/numbers.py": b"LIMIT = 42\nFIELD_ERROR = \"Field '%s' expected a number but got %r.\"\n",
    "src/request.js": b"class RequestInterceptor {\n  handle(request) { return request && request.ok === true }\n}\n",
    "tests/test_csrf.py": b'def test_reason():\n    assert "CSRF cookie not set." in page\n    assert page != "CSRF cookie not set."\n',
    "vendor/csrf.py": b'X = "CSRF cookie not set."\n',
    "src/zz_other.py": b"nothing = 1\n",
}  # fmt: skip
NAMES = {
    "src/config.py": [("parse_config", 1), ("MergeOptions", 5)],
    "src/middleware/csrf.py": [("check_token", 4)],
    "src/pager.py": [("echo_via_pager", 1), ("ProgressBar", 6)],
    "src/auth.py": [("authenticate", 1)],
    "src/request.js": [("RequestInterceptor", 1)],
}


@pytest.fixture(scope="module")
def view() -> IndexView:
    return text_view(FILES, NAMES)


def plan(text: str, literal: str | None = None, content: str = "all", **changes: object) -> QueryPlan:
    intent = Intent("exact_match" if literal else "understand_code", 0.9, "test")
    filters = Filters(content=content, paths=changes.pop("paths", ()))  # type: ignore[arg-type]
    return QueryPlan(
        text,
        intent,
        "default",
        ("text",),
        {"text": 1.0},
        40,
        None,
        (),
        literal,
        None,
        1,
        filters,
        bool(changes.get("tests")),
    )


def paths(view: IndexView, found: RankedList) -> list[str]:
    return [view.documents.path(int(file)) for file in found.files]


def test_a_literal_is_verified_and_code_comes_before_docs_tests_and_copies(view: IndexView) -> None:
    found = retrieve(plan("x", "CSRF cookie not set."), view, 10)
    assert paths(view, found)[0] == "src/middleware/csrf.py"
    assert set(paths(view, found)) == {
        "src/middleware/csrf.py", "docs/errors.md", "tests/test_csrf.py", "vendor/csrf.py",
    }  # fmt: skip
    assert paths(view, found)[-1] == "vendor/csrf.py"
    assert found.marks == ()
    assert found.lines[0] == 1
    assert np.all(np.diff(found.strengths) <= 0)
    assert found.notes == ("6 lines in 4 files",)


def test_the_file_that_defines_the_literal_is_first(view: IndexView) -> None:
    files = {"a.py": b"x = wanted()\n" * 9, "b.py": b"\n\ndef wanted():\n    pass\n"}
    found = retrieve(plan("x", "wanted"), text_view(files, {"b.py": [("wanted", 3)]}), 10)
    assert paths(text_view(files), found)[0] == "b.py"
    assert found.lines[0] == 3


def test_other_case_only_when_nothing_is_exact_and_marked(view: IndexView) -> None:
    found = retrieve(plan("x", "csrf COOKIE not set."), view, 10)
    assert set(found.marks) == {"case"}
    assert paths(view, found)[0] == "src/middleware/csrf.py"


def test_the_fixed_part_of_a_message_whose_values_vary(view: IndexView) -> None:
    found = retrieve(plan("x", "Field 'age' expected a number but got 'abc'."), view, 10)
    assert paths(view, found) == ["src/numbers.py"]
    assert set(found.marks) == {"partial"}
    assert found.lines[0] == 2
    assert any("expected a number but got" in note for note in found.notes)


def test_an_absent_literal_is_not_replaced_by_something_else(view: IndexView) -> None:
    for literal in ("ECONNREFUSED", "CSRF token", "no such thing at all"):
        assert len(retrieve(plan("x", literal), view, 10)) == 0


def test_words_rank_and_show_their_line(view: IndexView) -> None:
    found = retrieve(plan("how does authentication of a user password work"), view, 10)
    assert paths(view, found)[0] == "src/auth.py"
    assert found.lines[0] == 2
    assert found.marks == ()
    assert found.coverage is not None and found.coverage[0] > 0.5
    assert len(found.chunks) == len(found.files) == len(found.strengths) == len(found.lines) == len(found.coverage)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("parse_config", "src/config.py"),
        ("MergeOptions", "src/config.py"),
        ("MergeOption", "src/config.py"),  # singular: it stands there, with an ending
        ("parse config", "src/config.py"),
        ("Merge Options", "src/config.py"),
        ("progress bars", "src/pager.py"),
        ("&&", "src/request.js"),
        ("===", "src/request.js"),
        ("42", "src/numbers.py"),
        ("%r", "src/numbers.py"),
        ("{", "src/request.js"),
    ],
)
def test_what_is_spelled_like_this_or_asked_in_words_is_no_guess(view: IndexView, text: str, path: str) -> None:
    found = retrieve(plan(text), view, 10)
    assert paths(view, found)[0] == path
    assert found.marks == ()


@pytest.mark.parametrize(
    ("text", "path", "mark"),
    [
        ("parseConfig", "src/config.py", "variant"),  # other conventions
        ("ParseConfig", "src/config.py", "variant"),
        ("parse-config", "src/config.py", "variant"),
        ("PARSE_CONFIG", "src/config.py", "variant"),
        ("merge_options", "src/config.py", "variant"),
        ("merge-options", "src/config.py", "variant"),
        ("mergeOptions", "src/config.py", "variant"),
        ("mergeoptions", "src/config.py", "variant"),  # written together
        ("parse_configs", "src/config.py", "variant"),  # plural
        ("parseConfig()??", "src/config.py", "variant"),
        ("parse_cnofig", "src/config.py", "fuzzy"),  # letters swapped
        ("ProgresBar", "src/pager.py", "fuzzy"),  # one missing
        ("mergeOptoins", "src/config.py", "fuzzy"),
        ("autenticate", "src/auth.py", "fuzzy"),
        ("echo_via_paegrr", "src/pager.py", "fuzzy"),  # two errors
        ("RequestInterc", "src/request.js", "partial"),  # the beginning of a longer name
        ("terceptor", "src/request.js", "partial"),
        ("progressbarpager", "src/pager.py", "fuzzy"),  # words written together
        ("authentcation passwrod", "src/auth.py", "fuzzy"),
        ("autenticación", "src/auth.py", "fuzzy"),  # another language
        ("请求拦截器", "src/request.js", "fuzzy"),
        ("进度条", "src/pager.py", "fuzzy"),
    ],
)
def test_what_is_guessed_is_found_and_marked(view: IndexView, text: str, path: str, mark: str) -> None:
    found = retrieve(plan(text), view, 10)
    assert paths(view, found)[:1] == [path]
    assert set(found.marks) == {mark} and len(found.marks) == len(found)


NONSENSE = [
    "qzxv wkjp", "qzxv", "xqj", "zzyzx", "wkjp", "vbnmkjh", "qwxz plkm", "jqxkz", "xvqwz jkzz", "fjdkslq", "zqxwv mnbvx",
    "kjhgfq", "plokmij", "xzqv_wkjp", "QzxvWkjp", "qqqzzz", "hjkqwz vbzxq", "wxyzzq", "ñzqx", "qx9zv", "冇冚唪唥", "@@@@", "~~",
]  # fmt: skip


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_finds_nothing(view: IndexView, text: str) -> None:
    assert len(retrieve(plan(text), view, 10)) == 0


def test_nothing_is_guessed_beside_exact_hits() -> None:
    files = {
        "a.py": b"def parse_config(): pass\n",
        "b.py": b"def parse_cnofig(): pass\n",
        "c.py": b"class Prase: pass\n",
    }
    view = text_view(files, {"a.py": [("parse_config", 1)], "b.py": [("parse_cnofig", 1)], "c.py": [("Prase", 1)]})
    for text, path in (("parse_config", "a.py"), ("parse_cnofig", "b.py"), ("Prase", "c.py"), ("parse cnofig", "b.py")):
        found = retrieve(plan(text), view, 10)
        assert paths(view, found)[0] == path and found.marks == ()
        assert "c.py" not in paths(view, found) or text == "Prase"


def test_filters_hold_for_every_kind_of_answer(view: IndexView) -> None:
    for one in (
        plan("x", "CSRF cookie not set.", "code"),
        plan("csrf cookie", None, "code"),
        plan("chekc_token", None, "code"),
    ):
        found = retrieve(one, view, 10)
        assert len(found)
        assert "docs/errors.md" not in paths(view, found)
    only = retrieve(plan("x", "CSRF cookie not set.", paths=("tests",)), view, 10)
    assert set(paths(view, only)) == {"tests/test_csrf.py"}


def test_limit_and_repeatability(view: IndexView) -> None:
    for one in (plan("x", "CSRF cookie not set."), plan("csrf cookie request"), plan("parse_cnofig")):
        whole, again, short = retrieve(one, view, 50), retrieve(one, view, 50), retrieve(one, view, 1)
        assert whole.chunks.tolist() == again.chunks.tolist() and whole.strengths.tolist() == again.strengths.tolist()
        assert short.chunks.tolist() == whole.chunks[:1].tolist()


@given(text=st.text(max_size=20))
def test_any_question_gets_an_answer_or_none(text: str) -> None:
    view = text_view(FILES, NAMES) if not hasattr(test_any_question_gets_an_answer_or_none, "view") else None
    view = view or test_any_question_gets_an_answer_or_none.view  # type: ignore[attr-defined]
    test_any_question_gets_an_answer_or_none.view = view  # type: ignore[attr-defined]
    if text.strip() and "\0" not in text and "\n" not in text:
        found = retrieve(plan(text), view, 5)
        assert len(found.chunks) == len(found.lines) <= 5


def test_near_names_say_how_they_match(view: IndexView) -> None:
    assert near_names(view, "parseconfig", 5) == [("parse_config", "case")]
    assert near_names(view, "ParsConfig", 5)[0] == ("parse_config", "fuzzy")
    assert near_names(view, "echo", 5) == [("echo_via_pager", "prefix")]
    assert near_names(view, "pager", 5) == [("echo_via_pager", "subword")]
    assert near_names(view, "", 5) == near_names(view, "x" * 200, 5) == []


def test_similarity() -> None:
    assert similarity("pager", "pager") == 1.0
    assert similarity("abcd", "wxyz") == 0.0
    assert similarity("pagr", "pager") == pytest.approx(6 / 11)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("エラーメッセージの表示", ["error", "message", "display"]),
        ("字符串 / 字串", ["string", "string"]),
        ("configurações", ["configuration"]),
        ("lesen und schreiben", ["read", "write"]),
        ("contraseña", ["password"]),
        ("how does it work", []),
    ],
)
def test_glossary(text: str, words: list[str]) -> None:
    assert [choices[0] for _, choices in translate(text)] == words


def test_a_question_that_is_text_of_the_code_comes_first() -> None:
    words = b"# lock lease wait\ntimeout = 1\nlock = lease\n# could wait for lock: timeout of lease\n" * 3
    files = {"a.py": words, "b.py": b'x = 1\nraise Timeout("Lock lease timeout while waiting")\n' + b"y = 2\n" * 60}
    view = text_view(files)
    question = "lock lease timeout"
    found = retrieve(plan(question), view, 10)
    assert [view.documents.paths[f] for f in found.files] == ["b.py", "a.py"]
    assert found.strengths[0] == 2 * found.strengths[1]
    assert any("word for word" in note for note in found.notes)
    assert not any("word for word" in note for note in retrieve(plan("lease timeout lock"), view, 10).notes)
    assert not any("word for word" in note for note in retrieve(plan("lock lease"), view, 10).notes)
