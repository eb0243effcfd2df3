"""Generations: which segments are the index now, who may write, what may be deleted."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import xxhash

from quatrain.errors import IndexCorrupt, IndexLocked, IndexMissing, IndexVersion, QuatrainError
from quatrain.storage import format as layout
from quatrain.storage.reader import REBUILD, Segment
from quatrain.storage.writer import SegmentEntry, publish

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

__all__ = ["Manifest", "commit", "latest_generation", "load", "open_segments", "sweep", "writer_lock"]

MANIFEST_NAME = re.compile(r"m-(\d{8})\.json")
KEPT_GENERATIONS = 2


@dataclass(frozen=True, slots=True)
class Manifest:
    """One generation of an index."""

    generation: int
    root: str
    segments: tuple[SegmentEntry, ...]
    fingerprint: dict[str, Any]
    counts: dict[str, Any] = field(default_factory=dict)
    fell_back: bool = False  # a newer manifest was damaged

    def body(self) -> dict[str, Any]:
        """Return the JSON body."""
        return {
            "format": [layout.FORMAT_MAJOR, layout.FORMAT_MINOR],
            "generation": self.generation,
            "parent": self.generation - 1 or None,
            "root": self.root,
            "segments": [entry._asdict() for entry in self.segments],
            "fingerprint": self.fingerprint,
            "counts": self.counts,
        }


def _canonical(body: dict[str, Any]) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


def generations(directory: Path) -> list[int]:
    """Return the generations that have a manifest, newest first."""
    try:
        names = os.listdir(directory)
    except FileNotFoundError:
        return []
    except NotADirectoryError as error:
        raise IndexCorrupt(f"{directory} is not a directory; choose another --index-dir") from error
    return sorted((int(match[1]) for match in map(MANIFEST_NAME.fullmatch, names) if match), reverse=True)


def latest_generation(directory: Path) -> int:
    """Return the newest generation number, 0 if there is none."""
    return next(iter(generations(directory)), 0)


def read(directory: Path, generation: int) -> Manifest:
    """Read and check one manifest."""
    name = f"m-{generation:08d}.json"
    try:
        document = json.loads((directory / name).read_bytes())
        body = document["body"]
        if f"{xxhash.xxh3_64_intdigest(_canonical(body)):016x}" != document["xxh3"]:
            raise IndexCorrupt(f"manifest {name} fails its checksum; {REBUILD}")
        if body["format"][0] > layout.FORMAT_MAJOR:
            raise IndexVersion(
                f"the index in {directory} has format {body['format'][0]}, this release reads up to {layout.FORMAT_MAJOR}; upgrade "
                "quatrain or use another --index-dir"
            )
        segments = tuple(SegmentEntry(**entry) for entry in body["segments"])
        for entry in segments:
            if os.path.basename(entry.file) != entry.file or not entry.file.endswith(".seg"):
                raise IndexCorrupt(f"manifest {name} names {entry.file!r}, which is no segment; {REBUILD}")
        return Manifest(int(body["generation"]), body["root"], segments, body["fingerprint"], body["counts"])
    except QuatrainError:
        raise
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise IndexCorrupt(f"manifest {name} is damaged; {REBUILD}") from error


def load(directory: Path) -> tuple[Manifest, tuple[Segment, ...]]:
    """Open the newest generation that is whole.

    Raises
    ------
    IndexMissing
        No generation was ever published here.
    IndexCorrupt
        None of those published can be opened.
    IndexVersion
        The newest is of a later format; it is refused, not skipped.
    """
    failure: QuatrainError | None = None
    # A sweep may remove a generation between the listing and the opening: list again, a bounded number of times.
    for _ in range(5):
        found = generations(directory)
        if not found:
            break
        for generation in found:
            try:
                manifest = read(directory, generation)
                segments = open_segments(directory, manifest)
            except IndexVersion:
                raise
            except IndexCorrupt as error:
                failure = failure or error
                continue
            if generation != found[0]:
                manifest = Manifest(
                    manifest.generation, manifest.root, manifest.segments, manifest.fingerprint, manifest.counts, True
                )  # fmt: skip
            return manifest, segments
        if generations(directory) == found:
            break
    if failure is not None:
        raise failure
    raise IndexMissing(f"there is no index in {directory}; run `quatrain index` first")


def open_segments(directory: Path, manifest: Manifest) -> tuple[Segment, ...]:
    """Map the segments of a manifest."""
    return tuple(Segment(directory / entry.file, entry) for entry in manifest.segments)


def commit(directory: Path, manifest: Manifest) -> None:
    """Publish ``manifest``; the caller holds the writer lock and its segments are already published."""
    body = manifest.body()
    document = {"body": body, "xxh3": f"{xxhash.xxh3_64_intdigest(_canonical(body)):016x}"}
    publish(directory, f"m-{manifest.generation:08d}.json", iter([json.dumps(document, indent=1).encode()]))


def sweep(directory: Path) -> None:
    """Delete what no kept generation names and what crashed writers left; the caller holds the writer lock."""
    kept = generations(directory)[:KEPT_GENERATIONS]
    named: set[str] = set()
    for generation in kept:
        try:
            named.update(entry.file for entry in read(directory, generation).segments)
        except QuatrainError:
            # Without knowing what a damaged manifest names, only its own temporary files are surely dead.
            return
    for path in directory.iterdir():
        match = MANIFEST_NAME.fullmatch(path.name)
        if match:
            dead = int(match[1]) not in kept
        elif path.suffix == ".seg":
            dead = path.name not in named
        else:
            dead = path.suffix == ".tmp"
        # A reader that holds a manifest but not yet its segments lists the generations again, see ``load``; one that has mapped them
        # keeps them.  PermissionError is Windows refusing to unlink a mapped file: it goes next time.
        with contextlib.suppress(FileNotFoundError, PermissionError):
            if dead:
                path.unlink()


@contextlib.contextmanager
def writer_lock(directory: Path) -> Iterator[None]:
    """Hold the right to write this index; the kernel frees it even on kill -9.

    Raises
    ------
    IndexLocked
        At once, when another writer holds it.
    """
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            else:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            holder = os.pread(descriptor, 200, 0).decode("utf-8", "replace").strip() if hasattr(os, "pread") else ""
            raise IndexLocked(
                f"the index in {directory} is being written by another process ({holder or 'unknown'}); wait for it or use "
                "another --index-dir"
            ) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"pid {os.getpid()} on {socket.gethostname()}\n".encode())
        stamp = directory / "format"
        if not stamp.exists():
            stamp.write_text(f"quatrain index {layout.FORMAT_MAJOR}.{layout.FORMAT_MINOR}\n")
        yield
    finally:
        os.close(descriptor)
