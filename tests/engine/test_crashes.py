"""A writer that dies, fails or races: readers see one generation, whole, and nothing that was published is lost."""

from __future__ import annotations

import errno
import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import quatrain
from quatrain.errors import IndexMissing, QuatrainError
from quatrain.storage import manifest as manifests

# Edits one file over and over; says the generation and the function's name once the edit is in the index.
WRITER = """
import itertools, pathlib, sys, quatrain
root = pathlib.Path(sys.argv[1])
for number in itertools.count():
    (root / "shop" / "edited.py").write_text(f"def edit_{number}():\\n    return {number}\\n")
    index = quatrain.open(root, workers=1)
    print(index.status().generation, number, flush=True)
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def open_descriptors() -> int:
    gc.collect()  # a mapping keeps a descriptor for as long as a cycle keeps the mapping
    return len(os.listdir("/proc/self/fd"))


def edits(index: quatrain.Index) -> list[int]:
    return [int(row.name.removeprefix("edit_")) for row in index.symbols() if row.name.startswith("edit_")]


@pytest.mark.parametrize("first", [True, False], ids=["first build", "refresh"])
def test_a_killed_writer_loses_nothing_that_it_had_published(project: Path, first: bool) -> None:
    chance = random.Random(20)
    if not first:
        quatrain.build(project, workers=1)
    for _ in range(6):
        writer = start(WRITER, project)
        assert writer.stdout is not None and writer.stderr is not None
        said = [] if first else [writer.stdout.readline()]
        time.sleep(chance.uniform(0, 0.8) if first else chance.uniform(0, 0.2))
        writer.send_signal(signal.SIGKILL)
        rest, errors = writer.communicate()
        assert not errors
        said += [line for line in rest.splitlines() if line]
        try:
            index = quatrain.open(project, refresh=False)
        except IndexMissing:
            assert not said
            continue
        state = index.status()
        assert not state.fell_back and index.check() == []
        if said:
            generation, number = map(int, said[-1].split())
            assert state.generation >= generation and edits(index)[0] >= number
        assert len(edits(index)) <= 1
    index = quatrain.open(project, workers=1)
    assert index.check() == [] and not list(index.directory.glob("*.tmp"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_build_leaves_the_old_generation_and_a_free_lock(project: Path, number: signal.Signals) -> None:
    quatrain.build(project, workers=1)
    for delay in (0.0, 0.05, 0.15):
        writer = start(WRITER, project)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(delay)
        writer.send_signal(number)
        writer.communicate(timeout=10)
        assert writer.returncode != 0
        index = quatrain.open(project, workers=1)  # takes the lock
        assert index.check() == [] and not list(index.directory.glob("*.tmp"))


FAILING = ("open", "fsync", "rename")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("name", FAILING)
def test_a_failure_of_any_call_of_a_writer_is_told_and_changes_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: int
) -> None:
    index = quatrain.build(project, workers=1)
    (project / "shop" / "added.py").write_text("def added():\n    pass\n")
    real: Callable[..., Any] = getattr(os, name)
    for failing in range(100):
        calls = 0

        def fail(*args: Any, failing: int = failing, **options: Any) -> Any:
            nonlocal calls
            mine = name == "fsync" or os.fsencode(index.directory) in os.fsencode(args[0])
            if mine:
                calls += 1
                if calls == failing + 1:
                    raise OSError(code, os.strerror(code))
            return real(*args, **options)

        before = index.status().generation
        descriptors = open_descriptors()
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            try:
                index.refresh()
            except (OSError, QuatrainError) as error:
                assert os.strerror(code) in f"{error} {error.__cause__}"
            else:
                if calls <= failing:
                    break  # each call has failed once
                # What cannot be read is made anew.
                assert index.find_symbol("added").status == "ok" and name == "open"
        assert open_descriptors() <= descriptors
        assert not list(index.directory.glob("*.tmp"))
        again = quatrain.open(project, refresh=False)
        # A generation is published once its name is there; that syncing the directory failed is told all the same.
        assert again.check() == [] and again.status().generation >= before
        if again.status().generation != before:
            assert again.find_symbol("added").status == "ok"
            (project / "shop" / "added.py").write_text(f"def added():\n    return {failing}\n")
    else:
        pytest.fail("the writer never ran out of calls")
    assert failing >= 1
    quatrain.open(project, workers=1)
    assert index.find_symbol("added").status == "ok"


READER = """
import json, sys, time, quatrain
index = quatrain.open(sys.argv[1], refresh=False)
print("ready", flush=True)
enough = index.status().generation + int(sys.argv[2])
end = time.monotonic() + 100
seen = []
while time.monotonic() < end and not (seen and seen[-1][0] >= enough):
    answer = index.search("what does the edited function return", limit=50, content="all")
    names = [row.name for row in index.symbols() if row.name.startswith("edit_")]
    lines = [hit.text for hit in index.grep("def edit_").hits]
    seen.append((answer.index.generation, answer.status, names, lines))
print(json.dumps(seen))
"""


def test_readers_beside_a_writer_see_one_generation_after_the_other(project: Path) -> None:
    quatrain.build(project, workers=1)
    writer = start(WRITER, project)
    assert writer.stdout is not None
    writer.stdout.readline()
    readers = [start(READER, project, 4) for _ in range(2)]
    outputs = [reader.communicate(timeout=120) for reader in readers]
    writer.kill()
    writer.communicate()
    for reader, (output, errors) in zip(readers, outputs, strict=True):
        assert reader.returncode == 0, errors
        seen = json.loads(output.splitlines()[-1])
        generations = [generation for generation, *_ in seen]
        assert generations == sorted(generations) and len(set(generations)) >= 3
        assert all(status == "ok" for _, status, _, _ in seen)
        numbers = [int(name.removeprefix("edit_")) for _, _, names, _ in seen for name in names]
        assert numbers == sorted(numbers)
        assert all(len(names) == 1 and len(lines) == 1 for _, _, names, lines in seen)


def test_a_reader_that_was_asleep_while_its_generation_was_removed_opens_the_newest(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quatrain.build(project, workers=1)
    reader = quatrain.open(project, refresh=False)
    (project / "shop" / "new.py").write_text("def first():\n    pass\n")
    quatrain.open(project, workers=1)
    real, slept = manifests.open_segments, []

    def sleepy(directory: Path, manifest: manifests.Manifest) -> Any:
        if not slept:
            slept.append(manifest.generation)
            for name in ("second", "third", "fourth"):
                (project / "shop" / "new.py").write_text(f"def {name}():\n    pass\n")
                quatrain.open(project, workers=1)
            assert manifest.generation not in manifests.generations(directory)
        return real(directory, manifest)

    monkeypatch.setattr(manifests, "open_segments", sleepy)
    assert reader.find_symbol("fourth").status == "ok" and slept
    assert not reader.status().fell_back


def test_a_generation_within_the_same_tick_of_the_clock_is_seen(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = quatrain.build(project, workers=1)
    reader = quatrain.open(project, refresh=False)
    stamp = time.time_ns()
    os.utime(index.directory, ns=(stamp, stamp))
    assert reader.find_symbol("added").status == "no_match"
    (project / "shop" / "added.py").write_text("def added():\n    pass\n")
    index.refresh()
    os.utime(index.directory, ns=(stamp, stamp))  # what a clock that did not tick would have left
    assert reader.find_symbol("added").status == "ok"


def test_files_that_change_while_they_are_read_are_never_mixed(project: Path) -> None:
    """Each stored file is one that was there, and after the storm a refresh holds what is there now."""
    target = project / "shop" / "busy.py"
    stop = threading.Event()

    def version(number: int) -> str:
        return "".join(f"def of_{number}_{row}():\n    return {number}\n" for row in range(2_000))

    def storm() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            target.write_text(version(number))
            if number % 3 == 0:
                target.unlink()

    thread = threading.Thread(target=storm)
    thread.start()
    try:
        for _ in range(5):
            index = quatrain.open(project, workers=1)
            names = {row.name.split("_")[1] for row in index.symbols() if row.path == "shop/busy.py"}
            skipped = [row for row in index.files() if row.path == "shop/busy.py" and not row.indexed]
            assert len(names) <= 1 and not (names and skipped)
            assert {hit.text.split("_")[1] for hit in index.grep("def of_").hits} == names
    finally:
        stop.set()
        thread.join()
    target.write_text(version(0))
    index = quatrain.open(project, workers=1)
    assert len([row for row in index.symbols() if row.path == "shop/busy.py"]) == 2_000


def test_thirty_refreshes_leave_no_more_than_two_generations(project: Path) -> None:
    index = quatrain.build(project, workers=1)
    alone = sum(path.stat().st_size for path in index.directory.iterdir())
    descriptors = []
    for number in range(30):
        (project / "shop" / "edited.py").write_text(f"def edit_{number}():\n    return {number}\n")
        assert index.refresh() and edits(index) == [number]
        descriptors.append(open_descriptors())
    files = list(index.directory.iterdir())
    assert len([path for path in files if path.suffix == ".seg"]) == manifests.KEPT_GENERATIONS
    assert sum(path.stat().st_size for path in files) < 2.5 * alone
    assert descriptors[-1] <= descriptors[10]
