"""Whatever the disk kept when the power went, an acknowledged generation opens whole.

A recorder stands between the storage code and the file system and notes every operation.  From the notes the states of the disk
after a power loss at any moment are enumerated: file data that was not synced may be there, gone, half there or zeroes; names that
were not synced may be there or not, in any combination.  This is stricter than a journalling file system is.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quatrain.errors import IndexMissing, QuatrainError
from quatrain.storage import manifest as manifests
from quatrain.storage.manifest import Manifest
from quatrain.storage.writer import SegmentWriter

COMMITS = 3
SECTION = 17_000  # numbers: more than one checksummed block


@dataclass
class Disk:
    """Operations on the files of one directory, in order, and which generation was acknowledged after how many of them."""

    directory: Path
    operations: list[tuple[Any, ...]] = field(default_factory=list)
    acknowledged: list[tuple[int, int]] = field(default_factory=list)

    def record(self, monkeypatch: pytest.MonkeyPatch, without: str = "") -> None:
        """Note every operation from now on, but forget those named ``without``: a writer that leaves them out."""
        files: dict[int, int] = {}  # descriptor to file
        named: dict[str, int] = {}
        numbers = itertools.count()
        real = {name: getattr(os, name) for name in ("open", "fdopen", "fsync", "rename", "unlink")}

        def name_of(path: Any) -> str | None:
            path = Path(os.fspath(path))
            return path.name if path.parent == self.directory else None

        def opened(path: Any, flags: int, *args: Any, **options: Any) -> int:
            descriptor = real["open"](path, flags, *args, **options)
            files.pop(descriptor, None)
            name = name_of(path)
            if name is not None and flags & os.O_EXCL:
                files[descriptor] = named[name] = next(numbers)
                self.operations.append(("link", name, named[name]))
            elif Path(os.fspath(path)) == self.directory:
                files[descriptor] = -1
            return descriptor

        def as_file(descriptor: int, *args: Any, **options: Any) -> Any:
            file = real["fdopen"](descriptor, *args, **options)
            number, write = files.get(descriptor), file.write

            class Recorded:
                def __enter__(self) -> Recorded:
                    return self

                def __exit__(self, *_: object) -> None:
                    file.close()

                def write(self, data: Any) -> int:
                    disk.operations.append(("write", number, bytes(data)))
                    return write(data)

                def flush(self) -> None:
                    file.flush()

                def fileno(self) -> int:
                    return file.fileno()

            disk = self
            return Recorded()

        def synced(descriptor: int) -> None:
            number = files.get(descriptor)
            what = "directory" if number == -1 else "file"
            if number is not None and without != what:
                self.operations.append(("sync", number))
            real["fsync"](descriptor)

        def renamed(source: Any, target: Any) -> None:
            real["rename"](source, target)
            old, new = name_of(source), name_of(target)
            self.operations.append(("rename", old, new, named.pop(old)))
            named[new] = self.operations[-1][3]

        def unlinked(path: Any, **options: Any) -> None:
            real["unlink"](path, **options)
            self.operations.append(("unlink", name_of(path)))

        for name, fake in (
            ("open", opened), ("fdopen", as_file), ("fsync", synced), ("rename", renamed), ("unlink", unlinked),
        ):  # fmt: skip
            monkeypatch.setattr(os, name, fake)

    def states(self) -> Iterator[tuple[int, dict[str, bytes]]]:
        """Yield what may be on the disk, with the last generation that was acknowledged by then."""
        for moment in range(len(self.operations) + 1):
            promised = max((g for g, after in self.acknowledged if after <= moment), default=0)
            yield from ((promised, state) for state in self._after(self.operations[:moment]))

    def _after(self, operations: list[tuple[Any, ...]]) -> Iterator[dict[str, bytes]]:
        data: dict[int, bytes] = {}
        safe: dict[int, bytes] = {}  # what was synced of a file
        names: dict[str, int] = {}  # what was synced of the directory
        pending: list[tuple[Any, ...]] = []
        for operation in operations:
            match operation:
                case ("write", number, written):
                    data[number] = data.get(number, b"") + written
                case ("sync", -1):
                    for change in pending:
                        _apply(names, change)
                    pending = []
                case ("sync", number):
                    safe[number] = data.get(number, b"")
                case _:
                    if operation[0] == "link":
                        data.setdefault(operation[2], b"")
                    pending.append(operation)
        unsafe = [number for number in data if data[number] != safe.get(number, b"")]
        seen = set()
        for kept in itertools.product((False, True), repeat=len(pending)):
            present = dict(names)
            for change, there in zip(pending, kept, strict=True):
                if there:
                    _apply(present, change)
            for choice in itertools.product(_LOSSES, repeat=len([n for n in unsafe if n in present.values()])):
                losses = dict(zip((n for n in unsafe if n in present.values()), choice, strict=True))
                key = (frozenset(present.items()), tuple(sorted((n, loss.__name__) for n, loss in losses.items())))
                if key not in seen:
                    seen.add(key)
                    yield {
                        name: losses[n](safe.get(n, b""), data[n]) if n in losses else data[n]
                        for name, n in present.items()
                    }


def _apply(names: dict[str, int], change: tuple[Any, ...]) -> None:
    match change:
        case ("link", name, number):
            names[name] = number
        case ("rename", old, new, number):
            names.pop(old, None)
            names[new] = number
        case ("unlink", name):
            names.pop(name, None)


def all_there(safe: bytes, data: bytes) -> bytes:
    return data


def gone(safe: bytes, data: bytes) -> bytes:
    return safe


def half(safe: bytes, data: bytes) -> bytes:
    return data[: (len(safe) + len(data)) // 2]


def zeroes(safe: bytes, data: bytes) -> bytes:
    return safe + bytes(len(data) - len(safe))


_LOSSES: tuple[Callable[[bytes, bytes], bytes], ...] = (all_there, gone, half, zeroes)


def write_generations(disk: Disk) -> None:
    for number in range(1, COMMITS + 1):
        writer = SegmentWriter(disk.directory)
        writer.add("n", np.full(SECTION, number, np.uint32), bulk=True)
        manifests.commit(disk.directory, Manifest(number, "/root", (writer.finish(),), {}))
        disk.acknowledged.append((number, len(disk.operations)))
        manifests.sweep(disk.directory)


def broken(disk: Disk, place: Path) -> Iterator[str]:
    """Yield what is wrong in each state in which something is."""
    for count, (promised, state) in enumerate(disk.states()):
        directory = place / str(count)
        directory.mkdir()
        for name, data in state.items():
            (directory / name).write_bytes(data)
        try:
            manifest, (segment,) = manifests.load(directory)
            segment.verify_all()
            number = manifest.generation
            if number < promised or set(segment.array("n").tolist()) != {number}:
                yield f"generation {number} where {promised} was promised"
        except IndexMissing:
            if promised:
                yield f"no index where generation {promised} was promised"
        except QuatrainError as error:
            yield f"{type(error).__name__} where generation {promised} was promised: {error}"
        for path in directory.iterdir():
            path.unlink()
        directory.rmdir()


def test_a_power_loss_at_any_moment_loses_nothing_that_was_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(tmp_path / "index")
    disk.directory.mkdir()
    with monkeypatch.context() as patch:
        disk.record(patch)
        write_generations(disk)
    assert disk.acknowledged[-1][0] == COMMITS and any(o[0] == "unlink" for o in disk.operations)
    (tmp_path / "states").mkdir()
    assert list(broken(disk, tmp_path / "states")) == []


@pytest.mark.parametrize("without", ["file", "directory"])
def test_every_sync_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without: str) -> None:
    """The simulation finds the writer at fault that syncs less."""
    disk = Disk(tmp_path / "index")
    disk.directory.mkdir()
    with monkeypatch.context() as patch:
        disk.record(patch, without)
        write_generations(disk)
    (tmp_path / "states").mkdir()
    assert next(broken(disk, tmp_path / "states"), None)
