"""Changed lines as git tells them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from quatrain.errors import BadPath, BadQuery
from quatrain.files.changes import changed_lines, taken_out

Git = Callable[..., str]
TEN = "".join(f"line {n}\n" for n in range(1, 11))


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Return a function that runs git in a new repository with one commit."""
    environment = os.environ | {
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
    }  # fmt: skip

    def run(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    run("init", "-q")
    for name in ("a.txt", "b.txt", "sub/c.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(TEN)
    run("add", ".")
    run("commit", "-q", "-m", "first")
    return run


def edit(path: Path, *changes: tuple[int, int, list[str]]) -> None:
    """Replace ``count`` lines from ``line`` on, last place first."""
    lines = path.read_text().splitlines(keepends=True)
    for line, count, new in sorted(changes, reverse=True):
        lines[line - 1 : line - 1 + count] = [f"{text}\n" for text in new]
    path.write_text("".join(lines))


def test_nothing_changed(git: Git, tmp_path: Path) -> None:
    assert changed_lines(tmp_path) == ({}, ())


def test_changed_added_and_removed_lines(git: Git, tmp_path: Path) -> None:
    edit(tmp_path / "a.txt", (2, 1, ["new"]), (5, 0, ["x", "y"]), (9, 2, []))
    assert changed_lines(tmp_path)[0] == {"a.txt": [(2, 2), (5, 6), (11, 10)]}


def test_staged_and_new_files_count_and_deleted_ones_do_not(git: Git, tmp_path: Path) -> None:
    edit(tmp_path / "a.txt", (1, 1, ["staged"]))
    git("add", "a.txt")
    (tmp_path / "new.txt").write_text("1\n")
    (tmp_path / "b.txt").unlink()
    (tmp_path / ".gitignore").write_text("ignored.txt\n")
    (tmp_path / "ignored.txt").write_text("1\n")
    changes, _ = changed_lines(tmp_path)
    assert changes["a.txt"] == [(1, 1)]
    assert set(changes) == {"a.txt", "new.txt", ".gitignore"}
    assert changes["new.txt"][0][0] == 1 and changes["new.txt"][0][1] > 10**6


def test_paths_are_relative_to_the_indexed_folder(git: Git, tmp_path: Path) -> None:
    edit(tmp_path / "a.txt", (1, 1, ["x"]))
    edit(tmp_path / "sub/c.txt", (3, 1, ["x"]))
    assert changed_lines(tmp_path / "sub")[0] == {"c.txt": [(3, 3)]}


@pytest.mark.parametrize("name", ["größe.txt", 'quo"te.txt', "tab\tin.txt", "two words.txt", "back\\slash.txt"])
def test_names_that_git_quotes(git: Git, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(TEN)
    git("add", ".")
    git("commit", "-q", "-m", "second")
    edit(tmp_path / name, (4, 1, ["x"]))
    assert changed_lines(tmp_path)[0] == {name: [(4, 4)]}


def test_content_that_looks_like_a_header(git: Git, tmp_path: Path) -> None:
    edit(tmp_path / "a.txt", (3, 1, ["++ b/b.txt", "@@ -1 +1 @@", "diff --git a/b.txt b/b.txt"]))
    assert changed_lines(tmp_path)[0] == {"a.txt": [(3, 5)]}


def test_since_a_revision_and_within_a_range(git: Git, tmp_path: Path) -> None:
    edit(tmp_path / "a.txt", (1, 1, ["second"]))
    git("commit", "-q", "-a", "-m", "second")
    edit(tmp_path / "b.txt", (2, 1, ["third"]))
    git("commit", "-q", "-a", "-m", "third")
    assert changed_lines(tmp_path)[0] == {}
    assert changed_lines(tmp_path, "HEAD~2") == ({"a.txt": [(1, 1)], "b.txt": [(2, 2)]}, ())
    assert changed_lines(tmp_path, "HEAD~1..HEAD") == ({"b.txt": [(2, 2)]}, ())
    changes, notes = changed_lines(tmp_path, "HEAD~2..HEAD~1")
    assert changes == {"a.txt": [(1, 1)]}
    assert len(notes) == 1 and "HEAD~1" in notes[0]


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "a.txt").write_text("1\n")
    (tmp_path / "b.txt").write_text("1\n")
    subprocess.run(["git", "add", "b.txt"], cwd=tmp_path, check=True)
    assert set(changed_lines(tmp_path)[0]) == {"a.txt", "b.txt"}


@pytest.mark.parametrize("revision", ["nonsense", "--output=x", "-x", "", " ", "a\0b", "HEAD~99"])
def test_a_revision_that_is_none(git: Git, tmp_path: Path, revision: str) -> None:
    with pytest.raises(BadQuery, match="revision"):
        changed_lines(tmp_path, revision)
    assert not (tmp_path / "x").exists()


def test_a_folder_without_git(tmp_path: Path) -> None:
    with pytest.raises(BadPath, match="work tree"):
        changed_lines(tmp_path)


def test_git_is_not_there(git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadPath, match="not installed"):
        changed_lines(tmp_path)


def test_what_was_taken_out_is_as_it_was(git: Git, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    for name, text in (("kept.txt", "a\nb\nc\n"), ("dead.txt", "x\n"), ("longer.txt", "1\n"), ("b.bin", "\0\n")):
        (inner / name).write_text(text)
    git("add", ".")
    git("commit", "-q", "-m", "more")
    (inner / "kept.txt").write_text("a\nB\n")
    (inner / "longer.txt").write_text("1\n2\n")
    (inner / "b.bin").write_bytes(b"\0\1\n")
    git("rm", "-q", "inner/dead.txt")
    wanted = {"kept.txt": (b"a\nb\nc\n", [(2, 3)]), "dead.txt": (b"x\n", [(1, 1)])}
    assert taken_out(inner) == wanted  # nothing of a file that only grew, nothing of a binary one
    git("add", ".")
    git("commit", "-q", "-m", "edited")
    for revision in ("HEAD~1", "HEAD~1..HEAD", "HEAD~1...HEAD", "HEAD~1.."):
        assert taken_out(inner, revision) == wanted, revision
    assert taken_out(inner) == {}
