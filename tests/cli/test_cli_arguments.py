"""Arguments in, calls of the library out; exit codes and one-line errors."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import quatrain
from quatrain.cli import VERBS, main
from quatrain.errors import BadQuery, IndexMissing
from quatrain.records import MODALITIES


def asked(command: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    name, args, options = command.index.asked[0]
    del name
    return args, options


def test_search_without_options(quatrain_command: Any) -> None:
    assert quatrain_command("search", "how does it work").code == 0
    args, options = asked(quatrain_command)
    assert args == ("how does it work",)
    assert options == {
        "preset": "default",
        "modalities": None,
        "weights": None,
        "limit": 10,
        "languages": None,
        "paths": None,
        "kinds": None,
        "content": "code",
        "max_tokens": None,
        "per_file": 1,
        "evidence": True,
        "centrality": "raw",
    }
    opened = quatrain_command.opened[0]
    assert (opened["root"], opened["embedder"], opened["index_dir"], opened["refresh"]) == (".", None, None, True)


def test_search_with_every_option(quatrain_command: Any) -> None:
    ran = quatrain_command(
        "search",
        "q",
        "-n",
        "5",
        "src",
        "--lang",
        "py,ts",
        "-l",
        "go",
        "--path",
        "src/**",
        "-p",
        "!x/{a,b}",
        "--kind",
        "class,function",
        "--content",
        "all",
        "--preset",
        "thorough",
        "--modalities",
        "text,graph",
        "--weights",
        "text=0.5,graph=0.25",
        "--max-tokens",
        "900",
        "--per-file",
        "2",
        "--no-evidence",
        "--centrality",
        "scaled",
        "--index-dir",
        "/tmp/i",
        "--embedder",
        "none",
        "--no-refresh",
    )
    assert ran.code == 0, ran.err
    _, options = asked(quatrain_command)
    assert options == {
        "preset": "thorough",
        "modalities": ["text", "graph"],
        "weights": {"text": 0.5, "graph": 0.25},
        "limit": 5,
        "languages": ["go", "python", "tsx", "typescript"],
        "paths": ["src/**", "!x/{a,b}"],
        "kinds": ["class", "function"],
        "content": "all",
        "max_tokens": 900,
        "per_file": 2,
        "evidence": False,
        "centrality": "scaled",
    }
    opened = quatrain_command.opened[0]
    assert (opened["root"], opened["embedder"], opened["index_dir"], opened["refresh"]) == (
        "src",
        "none",
        "/tmp/i",
        False,
    )


def test_paths_are_shown_below_the_folder_that_was_named(quatrain_command: Any) -> None:
    assert "\nsome/folder/shop/cart.py:3:" in quatrain_command("grep", "tax", "some/folder").out
    assert "\nshop/cart.py:3:" in quatrain_command("grep", "tax", "./").out
    assert '"path": "shop/cart.py"' in quatrain_command("grep", "tax", "some/folder", "--json").out


@pytest.mark.parametrize("pattern", ["-->", "--", "-E", "--json", "-x y"])
def test_a_dash_can_be_searched_for(quatrain_command: Any, pattern: str) -> None:
    ran = quatrain_command("grep", "-i", "--", pattern, "src")
    assert ran.code == 0, ran.err
    args, options = asked(quatrain_command)
    assert (args, options["ignore_case"], options["regex"]) == ((pattern,), True, False)
    assert quatrain_command.opened[0]["root"] == "src"


def test_grep_options(quatrain_command: Any) -> None:
    quatrain_command("grep", "a.b", "-E", "-S", "-W", "-U", "-C", "2", "-n", "3", "--cursor", "abc", "-l", "rust")
    args, options = asked(quatrain_command)
    assert args == ("a.b",)
    assert options == {
        "regex": True,
        "ignore_case": False,
        "smart_case": True,
        "whole_word": True,
        "multiline": True,
        "context": 2,
        "limit": 3,
        "cursor": "abc",
        "languages": ["rust"],
        "paths": None,
        "content": "all",
    }


def test_lookups(quatrain_command: Any) -> None:
    quatrain_command("symbol", "parse", "--kind", "class", "--fuzzy", "-n", "4")
    quatrain_command("refs", "a.b")
    quatrain_command("callers", "a.b", "--min-confidence", "0.5")
    quatrain_command("callees", "a.b", "-n", "2")
    quatrain_command("impact", "a.b", "-d", "2")
    quatrain_command("ast", "(x) @y", "--lang", "ts")
    assert [(name, args, options) for name, args, options in quatrain_command.index.asked] == [
        ("find_symbol", ("parse",), {"kind": "class", "fuzzy": True, "limit": 4}),
        ("references", ("a.b",), {"limit": 500, "min_confidence": 0.0}),
        ("callers", ("a.b",), {"limit": 200, "min_confidence": 0.5}),
        ("callees", ("a.b",), {"limit": 2, "min_confidence": 0.0}),
        ("impact", ("a.b",), {"limit": 500, "min_confidence": 0.3, "depth": 2}),
        ("ast", ("(x) @y",), {"language": "typescript", "pattern": False, "limit": 100}),
    ]


def test_the_impact_of_edits_and_the_shape_of_the_graph(quatrain_command: Any) -> None:
    quatrain_command("impact", "--diff")
    quatrain_command("impact", "--diff", "main..topic", "src", "-d", "2", "-n", "9", "--min-confidence", "0.5")
    quatrain_command("impact", "src", "--diff")
    quatrain_command("impact", "src", "--diff=HEAD~1")
    quatrain_command("path", "a.b", "c.d", "src", "-d", "3")
    quatrain_command("cycles", "src", "--of", "symbols", "-n", "2")
    quatrain_command("hubs", "src")
    rest = {"depth": 3, "limit": 500, "min_confidence": 0.3}
    assert quatrain_command.index.asked == [
        ("impact_of_changes", (None,), rest),
        ("impact_of_changes", ("main..topic",), {"depth": 2, "limit": 9, "min_confidence": 0.5}),
        ("impact_of_changes", (None,), rest),
        ("impact_of_changes", ("HEAD~1",), rest),
        ("path", ("a.b", "c.d"), {"depth": 3}),
        ("cycles", (), {"of": "symbols", "limit": 2}),
        ("hubs", (), {"limit": 20}),
    ]
    assert [opened["root"] for opened in quatrain_command.opened] == [".", *["src"] * 6]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("impact",), "impact of what"),
        (("impact", "a", "src", "--diff"), "a name or --diff, not both"),
        (("path", "a"), "required: TO"),
        (("cycles", "--of", "folders"), "invalid choice"),
    ],
)
def test_questions_that_make_no_sense_are_one_line(quatrain_command: Any, words: tuple[str, ...], message: str) -> None:
    ran = quatrain_command(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert message in ran.err


def test_similar_takes_a_file_named_from_here(
    quatrain_command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/a.py").write_text("x")
    monkeypatch.chdir(tmp_path / "sub")
    quatrain_command("similar", "a.py:4", "..")
    quatrain_command("similar", "elsewhere/b.py:7", "..", "--own-file")
    monkeypatch.chdir(tmp_path)
    quatrain_command("similar", "C:\\x.py:1")
    calls = [
        (args, options["include_own_file"]) for name, args, options in quatrain_command.index.asked if name == "similar"
    ]
    assert calls == [(("sub/a.py", 4), False), (("elsewhere/b.py", 7), True), (("C:\\x.py", 1), False)]


# --- exit codes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "name"), [("search", "search"), ("symbol", "find_symbol"), ("callers", "callers"), ("grep", "grep")]
)
@pytest.mark.parametrize("form", [(), ("--json",), ("--jsonl",)])
def test_nothing_found_is_one(quatrain_command: Any, verb: str, name: str, form: tuple[str, ...]) -> None:
    quatrain_command.index.nothing(name)
    ran = quatrain_command(verb, "x", *form)
    assert ran.code == 1
    assert bool(ran.out) == (form == ("--json",))


@pytest.mark.parametrize(
    ("status", "code"),
    [("stale", 1), ("partial", 2), ("modality_unavailable", 2), ("not_indexed", 2), ("unsupported_language", 2)],
)
def test_nothing_because_of_a_failure_is_two(quatrain_command: Any, status: str, code: int) -> None:
    quatrain_command.index.nothing("search", status=status)
    ran = quatrain_command("search", "x")
    assert (ran.code, ran.out) == (code, "")
    assert ran.err


@pytest.mark.parametrize("status", ["stale", "partial"])
def test_something_is_zero_even_if_incomplete(quatrain_command: Any, status: str) -> None:
    from dataclasses import replace

    quatrain_command.index.answers["search"] = replace(quatrain_command.index.answers["search"], status=status)
    assert quatrain_command("search", "x").code == 0


@pytest.mark.parametrize("form", [(), ("--json",), ("--jsonl",)])
def test_a_typed_error_is_one_line_and_two(quatrain_command: Any, form: tuple[str, ...]) -> None:
    quatrain_command.fails = IndexMissing("there is no index of /x;\nrun `quatrain index`")
    ran = quatrain_command("search", "x", *form)
    assert ran == (2, "", "quatrain: there is no index of /x; run `quatrain index`\n")


def test_an_unforeseen_error_is_one_line_unless_debugging(
    quatrain_command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    quatrain_command.fails = ZeroDivisionError("division by zero")
    ran = quatrain_command("search", "x")
    assert ran == (2, "", "quatrain: ZeroDivisionError: division by zero; set QUATRAIN_DEBUG=1 to see where\n")
    monkeypatch.setenv("QUATRAIN_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        quatrain_command("search", "x")


def test_an_interruption_is_quiet(quatrain_command: Any) -> None:
    quatrain_command.fails = KeyboardInterrupt()
    assert quatrain_command("search", "x") == (130, "", "quatrain: interrupted\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("serch", "x"), "did you mean `quatrain search`?"),
        (("parse_cookie",), "to search for it: quatrain search 'parse_cookie'"),
        (("--json", "search"), "options follow the verb"),
        (("search",), "required: QUERY"),
        (("search", "q", "a", "b"), "unrecognized arguments: b"),
        (("search", "->x"), "put -- before a query that begins with a dash"),
        (("search", "q", "--lim", "3"), "unrecognized arguments"),
        (("search", "q", "-n", "0"), "'0' is not a whole number of at least 1"),
        (("search", "q", "-n", "many"), "'many' is not a whole number of at least 1"),
        (("search", "q", "--preset", "slow"), "invalid choice: 'slow'"),
        (("search", "q", "--json", "--jsonl"), "not allowed with argument --json"),
        (("search", "q", "--weights", "text"), "--weights takes MODALITY=NUMBER"),
        (("search", "q", "--weights", "text=much"), "--weights takes MODALITY=NUMBER"),
        (("search", "q", "--lang", "pyhton"), "did you mean python"),
        (("similar", "a.py"), "not of the form FILE:LINE"),
        (("similar", "a.py:0"), "not of the form FILE:LINE"),
        (("similar", ":3"), "not of the form FILE:LINE"),
        (("ast", "(x) @y"), "required: -l/--lang"),
        (("callers", "x", "--min-confidence", "high"), "invalid float value: 'high'"),
    ],
)
def test_a_wrong_command_is_one_line_that_says_what_to_do(
    quatrain_command: Any, words: tuple[str, ...], said: str
) -> None:
    ran = quatrain_command(*words)
    assert ran.code == 2
    assert ran.out == ""
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("quatrain")


# --- help -------------------------------------------------------------------------------------------------------------


def test_the_overview_names_every_verb(quatrain_command: Any) -> None:
    ran = quatrain_command("--help")
    assert ran.code == 0
    for verb in VERBS:
        assert f"\n  {verb} " in ran.out
    assert quatrain_command().code == 2
    assert quatrain_command("help", "grep").out == quatrain_command("grep", "--help").out


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_has_one_sentence(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    from quatrain.cli.options import VerbParser

    parser = VerbParser(prog=verb)
    getattr(importlib.import_module(VERBS[verb].module), f"{verb}_arguments")(parser)
    for action in parser._actions:
        assert action.help, action
        assert action.help.rstrip("'\")").endswith("."), action.help
    assert VERBS[verb].summary.endswith(".")


def test_the_version(quatrain_command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(quatrain), "__version__", "1.2.3")
    assert quatrain_command("--version") == (0, "quatrain 1.2.3\n", "")


def test_modalities_of_the_help_are_those_of_the_library(quatrain_command: Any) -> None:
    shown = " ".join(quatrain_command("search", "--help").out.split())
    assert ", ".join(MODALITIES) in shown


# --- as a process -----------------------------------------------------------------------------------------------------


def run(
    *words: str, code: str = "import sys; from quatrain.cli import main; sys.exit(main())"
) -> subprocess.CompletedProcess[str]:
    source = str(Path(quatrain.__file__).parent.parent)
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": source, "PATH": ""},
        check=False,
    )


def test_starting_is_cheap() -> None:
    code = """
import sys
from quatrain.cli import main
main(["--help"]); main(["search", "--help"]); main(["classify", "who calls parse_cookie"])
heavy = {"scipy", "tree_sitter", "subprocess", "asyncio", "platformdirs", "mcp"}
print(sorted({name.split(".")[0] for name in sys.modules} & heavy), file=sys.stderr)
"""
    done = run(code=code)
    assert done.returncode == 0
    assert done.stderr == "[]\n"


def test_a_reader_that_leaves_early_is_no_error() -> None:
    code = """
import os, sys
import quatrain
from quatrain.cli import main
from quatrain.records import GrepHit, GrepResponse, IndexState

hits = tuple(GrepHit("a.py", n + 1, 1, "x" * 100) for n in range(5000))
class Index:
    def grep(self, *args, **options):
        return GrepResponse("x", "ok", hits, 5000, False, None, IndexState("/", 1, False), {})
quatrain.open = lambda *args, **options: Index()
reader, writer = os.pipe()
os.dup2(writer, 1)
os.close(writer)
os.close(reader)
sys.exit(main(["grep", "x"]))
"""
    done = run(code=code)
    assert (done.returncode, done.stderr) == (0, "")


def test_names_that_are_not_utf8_reach_a_pipe_as_they_are() -> None:
    code = """
import os, sys
import quatrain
from quatrain.cli import main
from quatrain.records import GrepHit, GrepResponse, IndexState

hits = (GrepHit(os.fsdecode(b"caf\\xe9.py"), 1, 1, "x"),)
class Index:
    def grep(self, *args, **options):
        return GrepResponse("x", "ok", hits, 1, False, None, IndexState("/", 1, False), {})
quatrain.open = lambda *args, **options: Index()
sys.exit(main(["grep", "x", *sys.argv[1:]]))
"""
    source = str(Path(quatrain.__file__).parent.parent)
    environment = {"PYTHONPATH": source, "PATH": "", "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (0, b"caf\xe9.py:1:x\n"), done.stderr
    done = subprocess.run([sys.executable, "-c", code, "--json"], capture_output=True, env=environment, check=False)
    assert '"path": "caf�.py"'.encode() in done.stdout


def test_main_needs_no_arguments_of_the_process(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classify", "who calls parse_cookie"]) == 0
    assert capsys.readouterr().out.startswith("find_references  0.90")


def test_an_empty_bad_query_is_refused_by_the_library(quatrain_command: Any) -> None:
    quatrain_command.index.answers["search"] = BadQuery("the query is empty; ask something")
    assert quatrain_command("search", "") == (2, "", "quatrain: the query is empty; ask something\n")
