"""What each verb prints: text an editor can jump from, JSON with one schema, nothing dangerous on a terminal."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from quatrain.errors import BadQuery
from quatrain.records import to_plain

ANSWERS = {
    ("search", "q"): "search",
    ("similar", "a.py:1"): "similar",
    ("symbol", "Cart"): "find_symbol",
    ("refs", "Cart"): "references",
    ("callers", "Cart"): "callers",
    ("callees", "Cart"): "callees",
    ("impact", "Cart"): "impact",
    ("impact", "--diff"): "impact_of_changes",
    ("path", "Cart", "tax"): "path",
    ("cycles",): "cycles",
    ("hubs",): "hubs",
    ("grep", "tax"): "grep",
    ("ast", "(x) @y", "-l", "python"): "ast",
    ("status",): "status",
}


ITEMS = ("hits", "symbols", "relations", "cycles", "hubs")


@pytest.mark.parametrize("words", ANSWERS)
def test_json_is_one_document_with_the_schema_of_the_library(quatrain_command: Any, words: tuple[str, ...]) -> None:
    ran = quatrain_command(*words, "--json")
    assert ran.code == 0
    assert json.loads(ran.out) == json.loads(json.dumps(to_plain(quatrain_command.index.answers[ANSWERS[words]])))


@pytest.mark.parametrize("words", [w for w in ANSWERS if w != ("status",)])
def test_jsonl_is_one_result_a_line(quatrain_command: Any, words: tuple[str, ...]) -> None:
    ran = quatrain_command(*words, "--jsonl")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    answer = quatrain_command.index.answers[ANSWERS[words]]
    items = next(getattr(answer, name) for name in ITEMS if hasattr(answer, name))
    assert lines == json.loads(json.dumps([to_plain(item) for item in items]))
    assert ran.code == 0


@pytest.mark.parametrize("words", [w for w in ANSWERS if w not in (("status",), ("cycles",), ("hubs",))])
def test_every_result_begins_with_path_and_line(quatrain_command: Any, words: tuple[str, ...]) -> None:
    ran = quatrain_command(*words)
    answer = quatrain_command.index.answers[ANSWERS[words]]
    items = next(getattr(answer, name) for name in ITEMS if hasattr(answer, name))
    starts = re.findall(r"^([^\s:]+):(\d+):", ran.out, re.MULTILINE)
    assert starts == [(item.path, str(getattr(item, "line", None) or item.start_line)) for item in items]


def test_search_as_text(quatrain_command: Any) -> None:
    ran = quatrain_command("search", "q", "--lines", "2")
    assert ran.out == (
        "shop/cart.py:6: class shop.cart.Cart  1.2500  semantic #1, text #3\n"
        "    class Cart:\n"
        '        """Holds what a customer wants."""\n'
        "\n"
        "docs/evil.py:1: python  0.5000  text #1  ambiguous\n"
        "    x = '\x1b[31m'\n"
        "    y = '\u202e'\n"
    )
    assert "2 of 5 results are shown" in ran.err
    assert "a note" in ran.err
    assert quatrain_command("search", "q", "--lines", "0").out.count("\n") == 2


def test_explain_shows_rule_weights_and_arithmetic(quatrain_command: Any) -> None:
    ran = quatrain_command("search", "q", "--explain")
    for shown in (
        "find_definition 0.90",
        "where_defined",
        "rrf, preset default, ran semantic, text",
        "semantic 0.500, text 0.500",
        "total 0.81 ms",
        "    score 1.2500 = (fused 0.900 + name 0.350)",
        "rank 2, contributes 0.004600",
    ):
        assert shown in ran.out
    document = json.loads(quatrain_command("search", "q", "--explain", "--json").out)
    assert document["explanation"][0][0].startswith("score 1.2500")


def test_symbols_as_text(quatrain_command: Any) -> None:
    assert quatrain_command("symbol", "Cart").out == (
        "shop/cart.py:6: class shop.cart.Cart\n"
        "    class Cart\n"
        "    Holds it.\n"
        "shop/cart.py:30: function shop.cart.cart  case\n"
        "    def cart()\n"
    )


def test_relations_as_text_mark_what_is_not_sure(quatrain_command: Any) -> None:
    ran = quatrain_command("impact", "add_tax")
    assert ran.out == (
        "shop/cart.py:14: shop.cart.Cart.total  call  T1 0.98\n"
        "    return add_tax(1)\n"
        "tests/test_cart.py:5: tests.test_cart.test  call  T4 0.30  distance 2 via shop.x  test  ambiguous\n"
        "    x.add_tax()\n"
    )
    assert "1 resolved, 1 ambiguous" in ran.err


def test_what_changed_lists_the_tests_that_cover_it(quatrain_command: Any) -> None:
    ran = quatrain_command("impact", "--diff")
    assert ran.out.startswith("shop/cart.py:14: shop.cart.Cart.total  call  T1 0.98\n")
    assert (
        "covered by tests/test_0.py, tests/test_1.py, tests/test_2.py, tests/test_3.py, tests/test_4.py and 2 more"
        in ran.err
    )


def test_circles_as_text(quatrain_command: Any) -> None:
    ran = quatrain_command("cycles", "code")
    assert ran.out == (
        "code/shop/a.py:2: shop/b.py  import  circle of 2, 1 tests\n"
        "    import shop.b\n"
        "code/shop/b.py:7: shop/a.py  import\n"
        "    import shop.a\n"
    )
    assert "1 of 4 circles are shown" in ran.err
    quatrain_command.index.nothing("cycles")
    ran = quatrain_command("cycles")
    assert (ran.code, ran.out) == (1, "")
    assert "no files depend on each other in a circle" in ran.err


def test_hubs_as_text(quatrain_command: Any) -> None:
    assert quatrain_command("hubs").out == "shop/cart.py:6: class shop.cart.Cart  17 users  3 tests  rank 0.12500\n"


def test_no_callers_is_not_told_as_nobody_calls_it(quatrain_command: Any) -> None:
    quatrain_command.index.nothing("callers", counts={"unresolved": 12})
    ran = quatrain_command("callers", "add_tax")
    assert (ran.code, ran.out) == (1, "")
    assert "nothing found (12 unresolved)" in ran.err


def test_grep_as_text(quatrain_command: Any) -> None:
    assert quatrain_command("grep", "tax").out.splitlines()[-2:] == [
        "shop/cart.py:14:        return add_tax(sum) # tax",
        "shop/money.py:6:def add_tax(amount):",
    ]
    ran = quatrain_command("grep", "tax", "-C", "1", "--column")
    assert ran.out.splitlines()[:5] == [
        "shop/cart.py-1-",
        "shop/cart.py-2-# above",
        "shop/cart.py:3:24:from shop.money import add_tax",
        "shop/cart.py-4-# below",
        "--",
    ]
    assert "3 of 7 matching lines are shown; --cursor c2hvcA goes on" in ran.err
    assert quatrain_command("grep", "tax", "--files").out == "shop/cart.py\nshop/money.py\n"
    assert quatrain_command("grep", "tax", "--count").out == "shop/cart.py:2\nshop/money.py:1\n"


def test_status_as_text(quatrain_command: Any) -> None:
    ran = quatrain_command("status")
    for shown in (
        "1,234 indexed, listed by git",
        "5,678 chunks",
        "python 1,200, go 34",
        "bundled-512 (no text leaves this machine)",
        "2 binary",
        "3.0 MiB",
        "avx2",
    ):
        assert shown in ran.out
    assert "submodule x is not checked out" in ran.err
    assert quatrain_command.opened[-1]["refresh"] is False, "status looks and does not touch"


def test_skipped_files_have_their_reasons(quatrain_command: Any) -> None:
    assert quatrain_command("status", "--skipped").out == "logo.png: binary\nx/.env: secret-looking name\n"
    document = json.loads(quatrain_command("status", "--skipped", "--json").out)
    assert [file["skip_reason"] for file in document["skipped_files"]] == ["binary", "secret-looking name"]


def test_check(quatrain_command: Any) -> None:
    ran = quatrain_command("check")
    assert (ran.code, ran.out) == (0, "the index is sound\n")
    quatrain_command.index.answers["check"] = ["chunk/file: checksum differs"]
    ran = quatrain_command("check")
    assert (ran.code, ran.out) == (2, "chunk/file: checksum differs\n")
    assert "quatrain index --rebuild" in ran.err
    assert json.loads(quatrain_command("check", "--json").out) == {
        "root": "/code",
        "ok": False,
        "problems": ["chunk/file: checksum differs"],
    }


def test_index(quatrain_command: Any) -> None:
    ran = quatrain_command(
        "index", "src", "--workers", "3", "--embedder", "none", "--max-file-bytes", "99", "--rebuild"
    )
    assert ran.code == 0
    assert re.match(r"indexed /code in \d+\.\d s: 1,234 files, 5,678 chunks, 9 symbols, 10 edges, 3\.0 MiB\n", ran.out)
    options = quatrain_command.opened[-1]
    assert options.pop("progress") is not None
    assert options == {
        "root": "src",
        "embedder": "none",
        "index_dir": None,
        "workers": 3,
        "max_file_bytes": 99,
        "rebuild": True,
    }
    assert json.loads(quatrain_command("index", "--json").out)["counts"]["chunks"] == 5678


def test_classify(quatrain_command: Any) -> None:
    ran = quatrain_command("classify", "who calls parse_cookie")
    assert ran.code == 0
    assert ran.out.startswith("find_references  0.90  ")
    document = json.loads(quatrain_command("classify", "who calls parse_cookie", "--json").out)
    assert (document["name"], document["confidence"]) == ("find_references", 0.9)
    assert not quatrain_command.opened, "no index is needed"


# --- terminal ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [*ANSWERS, ("search", "q", "--explain"), ("grep", "tax", "-C", "1")])
def test_a_terminal_gets_colour_and_nothing_it_would_obey(quatrain_command: Any, words: tuple[str, ...]) -> None:
    ran = quatrain_command(*words, terminal=True)
    assert "\x1b[" in ran.out
    plain = re.sub(r"\x1b\[[0-9;]*m", "", ran.out)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", plain)


def test_control_characters_are_shown_as_escapes_on_a_terminal(quatrain_command: Any) -> None:
    ran = quatrain_command("search", "q", terminal=True)
    assert r"x = '\x1b[31m'" in ran.out
    assert r"y = '\u202e'" in ran.out
    ran = quatrain_command("search", "q", "--json", terminal=True)
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out
    assert json.loads(ran.out)["hits"][1]["snippet"].startswith("x = '\x1b[31m'")


def test_error_messages_are_made_safe(quatrain_command: Any) -> None:
    quatrain_command.fails = BadQuery("bad \x1b]0;title\x07 thing\nsecond line")
    ran = quatrain_command("search", "q")
    assert ran.err == "quatrain: bad \\x1b]0;title\\x07 thing second line\n"


@pytest.mark.parametrize(
    ("variables", "words"),
    [({"NO_COLOR": "1"}, ()), ({"TERM": "dumb"}, ()), ({}, ("--color", "never"))],
)
def test_colour_can_be_refused(
    quatrain_command: Any, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], words: tuple[str, ...]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert "\x1b[3" not in quatrain_command("search", "q", *words, terminal=True).out


def test_colour_can_be_forced_and_is_off_in_a_pipe(quatrain_command: Any) -> None:
    assert "\x1b[35m" not in quatrain_command("search", "q").out
    assert "\x1b[35mshop/cart.py\x1b[0m" in quatrain_command("search", "q", "--color", "always").out


def test_matches_are_highlighted(quatrain_command: Any) -> None:
    ran = quatrain_command("grep", "TAX", "-i", "--color", "always")
    assert "add_\x1b[1;31mtax\x1b[0m(amount):" in ran.out
    assert "\x1b[1;31m" not in quatrain_command("grep", "(?P<x", "-E", "--color", "always").out


def test_long_lines_are_cut_on_a_terminal_only(quatrain_command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    monkeypatch.setenv("LINES", "24")
    assert "    def total(self)" in quatrain_command("search", "q").out
    shown = quatrain_command("search", "q", terminal=True).out
    assert '"""Holds what a…' in shown
    assert '"""Holds what a customer wants."""' in quatrain_command("search", "q").out


def test_the_bar_is_drawn_on_a_terminal_and_wiped(quatrain_command: Any) -> None:
    ran = quatrain_command("search", "q", terminal=True)
    assert "\r\x1b[Kparsing        [############............] 1/2" in ran.err
    assert ran.err.index("1/2\r\x1b[K") < ran.err.index("a note")
    assert "parsing" not in quatrain_command("search", "q").err


def test_the_bar_is_wiped_after_a_failure(quatrain_command: Any) -> None:
    def fail(root: str, progress: Any, **_: Any) -> None:
        progress("parse", 1, 2)
        raise BadQuery("no")

    quatrain_command._patch.setattr("quatrain.open", fail)
    ran = quatrain_command("search", "q", terminal=True)
    assert ran.err.endswith("\r\x1b[Kquatrain: no\n")
