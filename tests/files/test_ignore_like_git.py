"""The walk must list what git lists, for any rules, names and folders."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import quatrain
from quatrain.errors import NothingIndexed
from quatrain.files import discover
from quatrain.files.ignore_rules import IgnoreFile, parse_rules

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="compares with git")

_PARTS = [
    "*", "**", "?", "a", "b", "foo", "x", ".py", ".log", "/", "/", "**/", "/**", "[ab]", "[!a]", "[a-z]", "[[:alpha:]]",
    "[]-a]", "[^b]", "[A-Z]", "[x]", "[", "]", "\\", "\\*", " ", "é", "!", "#", "-", ".", "Z",
]  # fmt: skip
_NAMES = [
    "a",
    "b",
    "ab",
    "foo",
    "out",
    "x.py",
    "y.log",
    "a b",
    "é",
    "[x]",
    "-d",
    "Z",
    "a.b",
    "\\q",
    "foo.py",
    "#a",
    "!b",
]

_patterns = st.builds(
    lambda negated, parts, slash, space: ("!" if negated else "") + "".join(parts) + slash + space,
    st.booleans(),
    st.lists(st.sampled_from(_PARTS), min_size=1, max_size=5),
    st.sampled_from(["", "", "/"]),
    st.sampled_from(["", "", "", " "]),
)
_rule_files = st.builds(
    lambda mark, ending, lines: (mark + ending.join(lines)).encode(),
    st.sampled_from(["", "", "", "\ufeff"]),
    st.sampled_from(["\n", "\n", "\r\n"]),
    st.lists(_patterns, min_size=1, max_size=5),
)
_folders = st.lists(st.sampled_from(_NAMES), max_size=3).map("/".join)
_trees = st.fixed_dictionaries(
    {
        "files": st.lists(
            st.builds(lambda f, n: f"{f}/{n}".strip("/"), _folders, st.sampled_from(_NAMES)), min_size=3, max_size=15
        ),
        "rules": st.dictionaries(_folders, _rule_files, min_size=1, max_size=3),
        "info": st.one_of(st.none(), _rule_files),
        "global": st.one_of(st.none(), _rule_files),
    }
)


def _plant(root: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_dir():
                path.write_bytes(content)
        except (NotADirectoryError, FileExistsError):
            continue  # the name is taken by a file already


def _git_list(root: Path) -> set[str]:
    done = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=root, capture_output=True, check=True
    )
    return {os.fsdecode(name) for name in done.stdout.split(b"\0") if name}


def _listed(root: Path) -> set[str]:
    try:
        return {file.path for file in discover(root).files}
    except NothingIndexed:
        return set()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@settings(max_examples=120)
@given(tree=_trees)
# A literal beginning before "**" is compared apart: git matches "foobar" and "foox/bar" here.
@example(tree={"files": ["a/foobar", "foox/b/ab"], "rules": {"": b"foo**/ab\na/foo**\n"}, "info": None, "global": None})
# An escaped slash after "**" does not match at the top.
@example(tree={"files": ["x.py", "a/b"], "rules": {"": b"/**\\/**\n"}, "info": None, "global": None})
@example(tree={"files": ["a/b", "x/a/b", "x/a/y/b"], "rules": {"": b"**\\/a/**/b\n"}, "info": None, "global": None})
# Everything out, folders and some files in again.
@example(tree={"files": ["a/x.py", "a/y.log", "b"], "rules": {"": b"*\n!*/\n!*.py\n"}, "info": None, "global": None})
def test_the_walk_lists_what_git_lists(tree: dict, home: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        root = Path(folder)
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_CONFIG_HOME", str(root / "settings"))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        code = root / "code"
        code.mkdir()
        subprocess.run(["git", "init", "-q", code], check=True)
        _plant(code, dict.fromkeys(tree["files"], b"x\n"))
        _plant(code, {f"{f}/.gitignore".strip("/"): rules for f, rules in tree["rules"].items()})
        if tree["info"] is not None:
            _plant(code, {".git/info/exclude": tree["info"]})
        if tree["global"] is not None:
            _plant(root, {"settings/git/ignore": tree["global"]})
        expected = _git_list(code)
        assert _listed(code) == expected
        # The same folder without git: its rules are read by us.
        patch.setenv("PATH", str(home))
        assert _listed(code) == expected


@settings(max_examples=300)
@given(pattern=st.text(alphabet="ab*?/[]!-\\^é .:", min_size=1, max_size=12))
def test_any_pattern_is_accepted(pattern: str) -> None:
    rules = IgnoreFile(parse_rules(pattern.encode()))
    assert rules.verdict(b"a/b", b"b", False) in (True, False, None)


_MATCH_HOSTILE = """
import sys
from quatrain.files.ignore_rules import IgnoreFile, parse_rules
rules = IgnoreFile(parse_rules(sys.argv[1].encode()))
name = b"a" * 255
path = b"/".join([b"a" * 60] * 40 + [name])
print(rules.verdict(path, name, False))
"""


@pytest.mark.parametrize(
    "pattern", ["*a" * 40 + "b", "**/a*/" * 20 + "b", "[ab]*" * 40 + "c", "/" + "**/*a*/" * 15 + "q"]
)
def test_hostile_patterns_end(pattern: str) -> None:
    # In a process, because a matcher that backtracks cannot be stopped from within; it would need longer than the age
    # of the universe.
    source = str(Path(quatrain.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", _MATCH_HOSTILE, pattern],
        env={"PYTHONPATH": source},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "None\n"
