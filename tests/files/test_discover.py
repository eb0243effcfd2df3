"""What is listed, what is left out, and that every omission has a name."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest

from quatrain.errors import BadPath, NothingIndexed
from quatrain.files import Discovery, discover, read_source

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture(autouse=True)
def _no_user_settings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "settings"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "a")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "a@example.org")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "a")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "a@example.org")


@pytest.fixture
def without_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))


def plant(root: Path, *names: str, **contents: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(contents.get(name, "x = 1\n"))
    return root


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def repository(root: Path, *names: str) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main")
    plant(root, *names)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    return root


def paths(found: Discovery) -> list[str]:
    return [file.path for file in found.files]


def reasons(found: Discovery) -> dict[str, str]:
    return {file.path: file.skip_reason for file in found.files if file.skip_reason is not None}


# --- git --------------------------------------------------------------------------------------------------------------


@needs_git
def test_tracked_and_untracked_files_once_each_and_missing_ones_dropped(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", "a.py", "gone.py", "ignored_but_tracked.log")
    (root / "gone.py").unlink()
    plant(root, "new.py", "noise.log")
    (root / ".gitignore").write_text("*.log\n")
    found = discover(root)
    assert found.method == "git"
    assert paths(found) == [".gitignore", "a.py", "ignored_but_tracked.log", "new.py"]
    assert found.files[1].size == 6
    assert found.files[1].mtime_ns == (root / "a.py").stat().st_mtime_ns


@needs_git
def test_unmerged_files_are_listed_once(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", "a.py")
    git(root, "checkout", "-q", "-b", "other")
    plant(root, "a.py", **{"a.py": "x = 2\n"})
    git(root, "commit", "-q", "-am", "two")
    git(root, "checkout", "-q", "main")
    plant(root, "a.py", **{"a.py": "x = 3\n"})
    git(root, "commit", "-q", "-am", "three")
    subprocess.run(["git", "merge", "-q", "other"], cwd=root, capture_output=True, check=False)
    assert git(root, "ls-files", "-c").count("a.py") == 3
    assert paths(discover(root)) == ["a.py"]


@needs_git
def test_a_subfolder_of_a_repository_lists_only_itself(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", "sub/a.py", "b.py")
    (root / ".gitignore").write_text("*.tmp\n")
    plant(root, "sub/x.tmp", "sub/new.py")
    found = discover(root / "sub")
    assert (found.method, paths(found)) == ("git", ["a.py", "new.py"])


@needs_git
def test_submodules_and_nested_repositories_are_entered_with_their_own_rules(tmp_path: Path) -> None:
    library = repository(tmp_path / "library", "lib.py")
    root = repository(tmp_path / "r", "a.py")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "sub")
    inner = repository(root / "nested/deep", "inner.py")
    (inner / ".gitignore").write_text("a.py\n")
    plant(inner, "a.py")
    plant(root, "sub/fresh.py")
    found = discover(root)
    assert found.method == "git"
    assert paths(found) == [
        ".gitmodules",
        "a.py",
        "nested/deep/.gitignore",
        "nested/deep/inner.py",
        "sub/fresh.py",
        "sub/lib.py",
    ]


@needs_git
def test_a_submodule_that_is_not_checked_out_is_named(tmp_path: Path) -> None:
    library = repository(tmp_path / "library", "lib.py")
    root = repository(tmp_path / "r", "a.py")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "sub")
    git(root, "commit", "-q", "-m", "sub")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(root), str(clone))
    found = discover(clone)
    assert paths(found) == [".gitmodules", "a.py"]
    assert "submodule sub is not checked out" in found.notes


@needs_git
def test_nested_work_trees_are_not_indexed_as_copies(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", "a.py")
    git(root, "worktree", "add", "-q", "trees/one", "-b", "one")
    found = discover(root)
    assert paths(found) == ["a.py"]
    assert any("trees/one is a work tree" in note for note in found.notes)
    # Seen from outside, one of the copies is enough, too; and a work tree as the root is a repository like any other.
    assert paths(discover(root / "trees")) == ["one/a.py"]
    assert paths(discover(root / "trees/one")) == ["a.py"]


@needs_git
def test_a_root_that_the_enclosing_repository_ignores_is_walked(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", "a.py")
    (root / ".gitignore").write_text("scratch/\n")
    plant(root, "scratch/one.py", "scratch/deep/two.py", "scratch/x.log")
    (root / "scratch/.gitignore").write_text("*.log\n")
    found = discover(root / "scratch")
    assert found.method == "walk"
    assert paths(found) == [".gitignore", "deep/two.py", "one.py"]
    assert any("ignores this folder" in note for note in found.notes)
    assert paths(discover(root / "scratch/deep")) == ["two.py"]


@needs_git
def test_git_that_refuses_falls_back_to_the_walk_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = repository(tmp_path / "r", "a.py", "b.log")
    (root / ".gitignore").write_text("*.log\n")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    found = discover(root)
    assert found.method == "walk"
    assert paths(found) == [".gitignore", "a.py"]
    assert any("dubious ownership" in note for note in found.notes)


@needs_git
def test_variables_of_a_git_hook_do_not_redirect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = repository(tmp_path / "other", "other.py")
    root = repository(tmp_path / "r", "a.py")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert paths(discover(root)) == ["a.py"]


@needs_git
def test_no_program_of_the_repository_is_run(tmp_path: Path) -> None:
    root = repository(tmp_path / "r", "a.py")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    git(root, "config", "core.fsmonitor", str(trap))
    git(root, "ls-files", "-co")
    assert (tmp_path / "sprung").exists(), "the trap works"
    (tmp_path / "sprung").unlink()
    assert paths(discover(root)) == ["a.py"]
    assert not (tmp_path / "sprung").exists()


@needs_git
def test_a_tracked_path_through_a_link_does_not_leave_the_tree(tmp_path: Path) -> None:
    outside = plant(tmp_path / "outside", "secret.py")
    root = repository(tmp_path / "r", "a.py", "folder/secret.py")
    shutil.rmtree(root / "folder")
    (root / "folder").symlink_to(outside, target_is_directory=True)
    found = discover(root)
    assert paths(found) == ["a.py", "folder"]
    assert reasons(found) == {"folder": "symlink"}


# --- walk -------------------------------------------------------------------------------------------------------------


def test_a_plain_folder_is_walked_with_nested_rules(tmp_path: Path, without_git: None) -> None:
    plant(tmp_path, "a.py", "b.log", "deep/c.log", "deep/keep.log", "deep/d.py", "out/e.py")
    (tmp_path / ".gitignore").write_text("*.log\n/out/\n")
    (tmp_path / "deep/.gitignore").write_text("!keep.log\n")
    found = discover(tmp_path)
    assert found.method == "walk"
    assert paths(found) == [".gitignore", "a.py", "deep/.gitignore", "deep/d.py", "deep/keep.log"]
    assert found.notes


@needs_git
@pytest.mark.parametrize("setting", ["default place", "core.excludesFile"])
@pytest.mark.parametrize("git_is_there", [True, False])
def test_global_excludes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, git_is_there: bool, request: pytest.FixtureRequest
) -> None:
    home = Path(os.environ["HOME"])
    if setting == "default place":
        plant(home, "settings/git/ignore", **{"settings/git/ignore": "*.swp\n"})
    else:
        plant(home, "my ignores", **{"my ignores": "*.swp\n"})
        (home / ".gitconfig").write_text('[core]\n\texcludesFile = "~/my ignores"\n')
    root = repository(tmp_path / "r", "a.py")
    plant(root, "b.swp", "c.tmp")
    plant(root, ".git/info/exclude", **{".git/info/exclude": "*.tmp\n"})
    if not git_is_there:
        request.getfixturevalue("without_git")
    assert paths(discover(root)) == ["a.py"]
    assert discover(root).method == ("git" if git_is_there else "walk")


@needs_git
def test_rules_above_a_subfolder_count_without_git(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    root = repository(tmp_path / "r", "pkg/sub/a.py")
    (root / ".gitignore").write_text("/pkg/sub/b.py\n*.tmp\n")
    plant(root, "pkg/sub/b.py", "pkg/sub/deep/c.tmp", "pkg/sub/deep/b.py")
    with_git = paths(discover(root / "pkg/sub"))
    request.getfixturevalue("without_git")
    assert paths(discover(root / "pkg/sub")) == with_git == ["a.py", "deep/b.py"]


@needs_git
def test_repositories_inside_a_plain_folder_use_git(tmp_path: Path) -> None:
    one = repository(tmp_path / "one", "a.py", "tracked.log")
    (one / ".gitignore").write_text("*.log\n")
    plant(tmp_path, "notes.py")
    found = discover(tmp_path)
    assert found.method == "walk"
    assert paths(found) == ["notes.py", "one/.gitignore", "one/a.py", "one/tracked.log"]


def test_folders_of_tools_are_not_entered_and_named(tmp_path: Path, without_git: None) -> None:
    plant(tmp_path, "a.py", "node_modules/x/i.js", ".hg/store", "env/lib/x.py", "env/pyvenv.cfg", "cache/CACHEDIR.TAG")
    plant(tmp_path, "cache/y.py")
    found = discover(tmp_path)
    assert paths(found) == ["a.py"]
    for name in ("node_modules", ".hg", "env", "cache"):
        assert any(f"folder {name} " in note for note in found.notes)


# --- .quatrainignore --------------------------------------------------------------------------------------------------


@needs_git
@pytest.mark.parametrize("git_is_there", [True, False])
def test_our_own_ignore_file_has_the_last_word(
    tmp_path: Path, git_is_there: bool, request: pytest.FixtureRequest
) -> None:
    root = repository(tmp_path / "r", "a.py", "data/big.py", "deep/b.py", "deep/c.py")
    (root / ".gitignore").write_text("generated/\n*.log\nnever/\n")
    plant(root, "generated/api.py", "generated/junk.log", "x.log", "keep.log", ".env", "never/z.py")
    (root / ".quatrainignore").write_text("data/\n!generated/\n!keep.log\n!.env\n")
    (root / "deep/.quatrainignore").write_text("/c.py\n")
    if not git_is_there:
        request.getfixturevalue("without_git")
    found = discover(root)
    assert paths(found) == [
        ".env",
        ".gitignore",
        ".quatrainignore",
        "a.py",
        "deep/.quatrainignore",
        "deep/b.py",
        "generated/api.py",
        "generated/junk.log",
        "keep.log",
    ]
    assert reasons(found) == {}, "a file named with ! is not refused for its name"


# --- hostile trees ----------------------------------------------------------------------------------------------------


def test_links_pipes_sockets_and_huge_files_are_named_and_not_opened(tmp_path: Path, without_git: None) -> None:
    plant(tmp_path, "a.py", "real/b.py")
    (tmp_path / "link.py").symlink_to("a.py")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "real/loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "outside").symlink_to("/", target_is_directory=True)
    os.mkfifo(tmp_path / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket.py"))
    with open(tmp_path / "sparse.py", "wb") as file:
        file.truncate(1 << 40)
    found = discover(tmp_path)
    assert reasons(found) == {
        "dangling": "symlink",
        "link.py": "symlink",
        "outside": "symlink",
        "pipe.py": "not a regular file",
        "real/loop": "symlink",
        "socket.py": "not a regular file",
        "sparse.py": f"too large ({1 << 40} bytes > max_file_bytes)",
    }
    assert [p for p in paths(found) if p not in reasons(found)] == ["a.py", "real/b.py"]


def test_secret_looking_names(tmp_path: Path, without_git: None) -> None:
    secret = [".env", ".env.local", "server.pem", "id_rsa", "id_ed25519.pub", ".npmrc", "store.p12", "prod.env.local"]
    plain = [".env.example", "id_map.py", "keys.py", "environment.py", "id_generator.go", "env.ts", "pem.c"]
    plant(tmp_path, *secret, *plain)
    found = discover(tmp_path)
    assert reasons(found) == dict.fromkeys(secret, "secret-looking name")
    assert sorted(set(paths(found)) - set(secret)) == sorted(plain)


def test_names_round_trip(tmp_path: Path, without_git: None) -> None:
    names = [
        b"new\nline.py",
        b"caf\xe9.py",
        b"a" * 251 + b".py",
        b"sp ace.py",
        b"Case.py",
        b"case.py",
        "日本.py".encode(),
    ]
    for name in names:
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_text("x\n")
    found = discover(tmp_path)
    assert [os.fsencode(path) for path in paths(found)] == sorted(names)


@needs_git
def test_names_round_trip_through_git(tmp_path: Path) -> None:
    names = [b"new\nline.py", b"caf\xe9.py", b'quo"te.py', b"tab\t.py", "日本.py".encode()]
    for name in names:
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_text("x\n")
    git(tmp_path, "init", "-q")
    found = discover(tmp_path)
    assert found.method == "git"
    assert [os.fsencode(path) for path in paths(found)] == sorted(names)


def test_very_deep_folders_end(tmp_path: Path, without_git: None) -> None:
    plant(tmp_path, "a.py")
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        for _ in range(2100):
            os.mkdir("d", dir_fd=descriptor)
            below = os.open("d", os.O_RDONLY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
    finally:
        os.close(descriptor)
    try:
        found = discover(tmp_path)
        assert paths(found) == ["a.py"]
        assert any("unreadable" in note and "name too long" in note for note in found.notes)
    finally:
        subprocess.run(["rm", "-rf", tmp_path / "d"], check=True, env={"PATH": "/usr/bin:/bin"})


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can step down to nobody")
def test_unreadable_files_and_folders_are_named(without_git: None) -> None:
    # Not in pytest's own folder, which every starting pytest closes to others.
    with tempfile.TemporaryDirectory() as place:
        root = plant(Path(place), "open.py", "closed.py", "locked/inside.py")
        (root / "closed.py").chmod(0)
        (root / "locked").chmod(0)
        root.chmod(0o755)
        os.setegid(65534)
        os.seteuid(65534)
        try:
            found = discover(root)
            sources = {file.path: read_source(root, file) for file in found.files}
        finally:
            os.seteuid(0)
            os.setegid(0)
    assert not isinstance(sources["open.py"], str)
    assert sources["closed.py"] == "unreadable (Permission denied)"
    assert "folder locked is unreadable (Permission denied)" in found.notes


# --- errors -----------------------------------------------------------------------------------------------------------


def test_a_root_that_is_not_a_folder(tmp_path: Path) -> None:
    plant(tmp_path, "a.py")
    with pytest.raises(BadPath, match="does not exist"):
        discover(tmp_path / "nowhere")
    with pytest.raises(BadPath, match="not a folder"):
        discover(tmp_path / "a.py")
    with pytest.raises(BadPath):
        discover(Path("a\0b"))


def test_an_empty_folder_is_no_error(tmp_path: Path) -> None:
    assert discover(tmp_path).files == []


def test_a_folder_without_a_usable_file_says_why(tmp_path: Path, without_git: None) -> None:
    plant(tmp_path, "a.png", "b.png", ".env")
    with pytest.raises(NothingIndexed, match=r"2 binary, 1 secret-looking name"):
        discover(tmp_path)


def test_a_folder_whose_files_are_all_ignored_is_an_error(tmp_path: Path, without_git: None) -> None:
    plant(tmp_path, "a.py")
    (tmp_path / ".gitignore").write_text("*\n")
    with pytest.raises(NothingIndexed, match="every file is ignored"):
        discover(tmp_path)


def test_the_answer_does_not_depend_on_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "r/a.py", "r/b.py")
    monkeypatch.chdir(tmp_path / "r")
    assert paths(discover(Path("."))) == paths(discover(tmp_path / "r")) == ["a.py", "b.py"]


def test_headers_follow_the_other_sources(tmp_path: Path, without_git: None) -> None:
    plant(tmp_path, "a.h", "b.cpp")
    found = discover(tmp_path)
    assert (found.header_language, found.files[0].language) == ("cpp", "cpp")
    plant(tmp_path, "c.c")
    found = discover(tmp_path)
    assert (found.header_language, found.files[0].language) == ("c", "c")
