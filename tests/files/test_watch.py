"""Changes below a folder are noticed, those of tools are not."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue

import pytest

from quatrain.errors import MissingExtra
from quatrain.files.watch import changes

pytest.importorskip("watchfiles", reason="the extra 'watch' is not installed")
PATIENCE_S = 30


@pytest.fixture
def bursts(tmp_path: Path) -> Queue[str]:
    """The bursts of changes below ``tmp_path``, once it is being watched."""
    found: Queue[str] = Queue()
    stop = threading.Event()

    def follow() -> None:
        for _ in changes(tmp_path, stop=stop):
            found.put("burst")

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        found.get(timeout=PATIENCE_S)  # says that the folder is being watched
        yield found
    finally:
        stop.set()
        thread.join(PATIENCE_S)


def test_a_new_an_edited_and_a_deleted_file_are_noticed(tmp_path: Path, bursts: Queue[str]) -> None:
    file = tmp_path / "package" / "module.py"
    for change in (
        lambda: file.parent.mkdir(),
        lambda: file.write_text("a = 1\n"),
        lambda: file.write_text("a = 2\n"),
        file.unlink,
    ):
        change()
        assert bursts.get(timeout=PATIENCE_S) == "burst"


def test_what_tools_write_into_their_own_folders_is_not_noticed(tmp_path: Path, bursts: Queue[str]) -> None:
    for name in (".git", "node_modules", "__pycache__"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index").write_text("state\n")
    with pytest.raises(Empty):
        bursts.get(timeout=2)
    (tmp_path / "module.py").write_text("a = 1\n")
    assert bursts.get(timeout=PATIENCE_S) == "burst"


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(MissingExtra, match=r"quatrain\[watch\]"):
        next(changes(tmp_path))


def test_the_verb_keeps_the_index_up_to_date(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "first.py").write_text("def first():\n    pass\n")
    command = [sys.executable, "-m", "quatrain"]
    places = [str(source), "--index-dir", str(tmp_path / "index")]
    watcher = subprocess.Popen(
        [*command, "watch", *places, "--jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert watcher.stdout is not None and watcher.stderr is not None
    try:
        assert watcher.stderr.readline().startswith(f"quatrain: watching {source}")
        (source / "second.py").write_text("def second():\n    pass\n")
        assert '"files": 2' in watcher.stdout.readline()
        found = subprocess.run(
            [*command, "symbol", "second", *places, "--no-refresh"], capture_output=True, text=True, check=False
        )
        assert found.returncode == 0, found.stderr
    finally:
        watcher.terminate()
        watcher.communicate(timeout=PATIENCE_S)
