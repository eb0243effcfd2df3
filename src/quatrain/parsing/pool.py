"""Parse workers: processes behind pipes, because parsing holds the GIL and a grammar's scanner may hang or crash.

Not ``multiprocessing``: that would re-import the caller's script, and building an index is a library call.
"""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, TypeVar

from quatrain.errors import QuatrainError
from quatrain.parsing.chunks import unparsed
from quatrain.parsing.worker import HEADER, PATH_VARIABLE
from quatrain.records import ParsedFile

__all__ = ["WorkerPool"]

Key = TypeVar("Key")

# Files on their way to one worker: enough that it never waits for us, few enough that a death costs little.
_WINDOW_FILES = 32
_WINDOW_BYTES = 1 << 20
_PIPE_BYTES = 1 << 20
_START_SECONDS = 60.0

# -P: the working directory may be the repository being indexed, and a ``types.py`` there must not be imported.
WORKER_ARGUMENTS: tuple[str, ...] = ("-P", "-m", "quatrain.parsing.worker")


class _Job(NamedTuple):
    number: int
    path: str
    language: str | None
    data: bytes


class WorkerPool:
    """Processes that parse.

    Parameters
    ----------
    workers
        How many processes; by default the CPUs this process may use.  They start on the first use and are kept until
        ``close``.
    timeout_s
        Seconds that one file may take.  A worker that exceeds it is killed and replaced; the file is reported as
        failed.

    Examples
    --------
    >>> with WorkerPool(1) as pool:
    ...     [(key, parsed.parse) for key, parsed in pool.parse([(7, "a.py", "python", b"x = 1")])]
    [(7, 'tree')]
    """

    def __init__(self, workers: int | None = None, timeout_s: float = 20.0) -> None:
        if workers is None:
            workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if workers < 1:
            raise ValueError(f"workers must be at least 1, not {workers}")
        self.workers = workers
        self.timeout_s = timeout_s
        self._processes: list[_Worker] = []

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """End the workers.  The pool can be used again; it then starts new ones."""
        processes, self._processes = getattr(self, "_processes", []), []
        for worker in processes:
            worker.close()

    def parse(self, files: Iterable[tuple[Key, str, str | None, bytes]]) -> Iterator[tuple[Key, ParsedFile]]:
        """Parse many files.

        Parameters
        ----------
        files
            ``(key, path, language, data)``; taken lazily, a few files ahead of the workers.

        Yields
        ------
        tuple of (key, ParsedFile)
            One for each file, as they are finished.  A file on which a worker died, hung or raised has
            ``parse="failed: <reason>"`` and line windows.

        Raises
        ------
        QuatrainError
            A worker process cannot be started at all.
        """
        source = iter(files)
        keys: dict[int, Key] = {}
        waiting: deque[_Job] = deque()
        number = 0
        exhausted = False
        selector = selectors.DefaultSelector()
        busy: set[_Worker] = set()
        try:
            while True:
                # Hand out work, evenly: each round gives the least loaded worker a few files.
                while True:
                    while not exhausted and len(waiting) < _WINDOW_FILES // 4:
                        entry = next(source, None)
                        if entry is None:
                            exhausted = True
                            break
                        key, path, language, data = entry
                        keys[number] = key
                        waiting.append(_Job(number, path, language, bytes(data)))
                        number += 1
                    worker = self._with_room() if waiting else None
                    if worker is None:
                        break
                    batch: list[_Job] = []
                    while waiting and len(batch) < _WINDOW_FILES // 4 and worker.has_room(batch):
                        batch.append(waiting.popleft())
                    busy.add(worker)
                    worker.send(batch, selector)
                if not busy:
                    return
                for finished, parsed in self._wait(selector, busy, waiting):
                    yield keys.pop(finished), parsed
        except GeneratorExit:
            self.close()  # answers under way would be taken for those of the next call
            raise
        except BaseException:
            self.close()
            raise
        finally:
            selector.close()

    def _with_room(self) -> _Worker | None:
        """Return the least loaded worker that takes more, starting one if all are busy and there may be more."""
        best = min((w for w in self._processes if w.has_room(())), key=lambda w: w.bytes_out, default=None)
        if (best is None or best.jobs) and len(self._processes) < self.workers:
            best = _Worker(self.timeout_s)
            self._processes.append(best)
        return best

    def _wait(
        self, selector: selectors.BaseSelector, busy: set[_Worker], waiting: deque[_Job]
    ) -> Iterator[tuple[int, ParsedFile]]:
        deadline = min(w.deadline for w in busy)
        events = selector.select(max(0.0, deadline - time.monotonic()))
        for event, mask in events:
            worker: _Worker = event.data
            if worker not in busy:
                continue
            if mask & selectors.EVENT_WRITE:
                worker.flush(selector)
            if mask & selectors.EVENT_READ:
                alive, answers = worker.receive()
                yield from answers
                if not alive:
                    yield from self._bury(worker, selector, busy, waiting, None)
                elif not worker.jobs:
                    worker.leave(selector)
                    busy.discard(worker)
        if events:
            return  # time that the caller spent between two answers is nobody's fault
        now = time.monotonic()
        for worker in [w for w in busy if w.deadline <= now]:
            reason = f"took longer than {worker.limit:g} s" if worker.ready else "worker did not start"
            yield from self._bury(worker, selector, busy, waiting, reason)

    def _bury(
        self,
        worker: _Worker,
        selector: selectors.BaseSelector,
        busy: set[_Worker],
        waiting: deque[_Job],
        reason: str | None,
    ) -> Iterator[tuple[int, ParsedFile]]:
        """Remove a dead or stuck worker: the file in hand has failed, the others go back to be done again."""
        worker.leave(selector)
        busy.discard(worker)
        self._processes.remove(worker)
        jobs = list(worker.jobs)
        status, errors = worker.kill()
        if not worker.ready:
            raise QuatrainError(
                f"the parse worker {sys.executable!r} does not start ({status}): {errors or 'no message'}; "
                "check that this Python can import quatrain and tree_sitter"
            )
        waiting.extendleft(reversed(jobs[1:]))
        if jobs:
            yield jobs[0].number, unparsed(jobs[0].data, f"failed: {reason or f'parser died ({status})'}")


class _Worker:
    """One process and what is under way to it."""

    def __init__(self, timeout_s: float) -> None:
        if not sys.executable:
            raise QuatrainError(
                "sys.executable is empty, so no parse worker can be started; set it to a Python interpreter"
            )
        self.timeout_s = timeout_s
        self.jobs: deque[_Job] = deque()
        self.bytes_out = 0
        self.ready = False
        self.limit = _START_SECONDS  # for what it does now: loading, or a file
        self.deadline = time.monotonic() + self.limit
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._registered = 0
        self._errors: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._process = subprocess.Popen(
            [sys.executable, *WORKER_ARGUMENTS, str(timeout_s)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=_environment(),
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        for descriptor in (self._stdin, self._stdout):
            os.set_blocking(descriptor, False)
            _widen(descriptor)

    def has_room(self, batch: Any) -> bool:
        size = self.bytes_out + sum(len(job.data) for job in batch)
        return not (self.jobs or batch) or (len(self.jobs) + len(batch) < _WINDOW_FILES and size < _WINDOW_BYTES)

    def send(self, batch: list[_Job], selector: selectors.BaseSelector) -> None:
        if not self.jobs and self.ready:
            self.deadline = time.monotonic() + self.timeout_s
        self.jobs.extend(batch)
        self.bytes_out += sum(len(job.data) for job in batch)
        payload = pickle.dumps([tuple(job) for job in batch], protocol=5)
        self._outgoing += HEADER.pack(len(payload))
        self._outgoing += payload
        self.flush(selector)

    def flush(self, selector: selectors.BaseSelector) -> None:
        while self._outgoing:
            try:
                written = os.write(self._stdin, self._outgoing)
            except BlockingIOError:
                break
            except BrokenPipeError:
                self._outgoing.clear()  # it is dead; reading will say so
                break
            del self._outgoing[:written]
        self._watch(selector, bool(self._outgoing))

    def receive(self) -> tuple[bool, list[tuple[int, ParsedFile]]]:
        """Return whether the worker lives, and the files it has finished."""
        try:
            data = os.read(self._stdout, _PIPE_BYTES)
        except BlockingIOError:
            return True, []
        alive = bool(data)
        self._incoming += data
        answers = []
        position = 0
        while len(self._incoming) - position >= HEADER.size:
            (length,) = HEADER.unpack_from(self._incoming, position)
            end = position + HEADER.size + length
            if len(self._incoming) < end:
                break
            # Only our own child writes to this pipe.
            message = pickle.loads(memoryview(self._incoming)[position + HEADER.size : end])
            position = end
            if message == "ready":
                self.ready = True
                self.limit = self.timeout_s
            elif message == "loading":
                self.limit = _START_SECONDS
            else:
                number, parsed = message
                job = self.jobs.popleft()
                assert job.number == number
                self.bytes_out -= len(job.data)
                answers.append((number, parsed))
        del self._incoming[:position]
        if data:
            self.deadline = time.monotonic() + self.limit
        return alive, answers

    def _watch(self, selector: selectors.BaseSelector, writing: bool) -> None:
        wanted = 2 if writing else 1
        if self._registered == 0:
            selector.register(self._stdout, selectors.EVENT_READ, self)
        if wanted == 2 and self._registered != 2:
            selector.register(self._stdin, selectors.EVENT_WRITE, self)
        elif wanted == 1 and self._registered == 2:
            selector.unregister(self._stdin)
        self._registered = wanted

    def leave(self, selector: selectors.BaseSelector) -> None:
        if self._registered:
            selector.unregister(self._stdout)
        if self._registered == 2:
            selector.unregister(self._stdin)
        self._registered = 0

    def kill(self) -> tuple[str, str]:
        """End the process at once; return how it ended and the tail of what it said."""
        if self._process.poll() is None and not self._exits(0.2 if not self.ready else 0.05):
            self._process.kill()
        code = self._process.wait()
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 600))
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        self._close_files()
        status = f"exit code {code}"
        if code < 0:
            try:
                status = signal.Signals(-code).name
            except ValueError:
                status = f"signal {-code}"
        return status, said[-1] if said else ""

    def _exits(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """End the process at once: it holds nothing of its own, and tearing its heap down in order takes time."""
        self._close_files()
        self._process.kill()
        self._process.wait()

    def _close_files(self) -> None:
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            try:
                if stream is not None:
                    stream.close()
            except BrokenPipeError:
                pass


def _widen(descriptor: int) -> None:
    """Give a pipe more room, so that neither side waits for the other; the default is 64 kB."""
    try:
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (ImportError, AttributeError, OSError):
        pass  # not Linux, or above this user's limit: slower, nothing else


def _environment() -> dict[str, str]:
    """Return an environment in which the worker finds this quatrain and these grammars, and nothing foreign first."""
    environment = dict(os.environ)
    package = str(Path(__file__).resolve().parents[2])
    # An installed package is found anyway; naming site-packages here would put it before the standard library.
    installed = package in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    environment["PYTHONPATH"] = "" if installed else package
    places = [package]
    for name in ("numpy", "tree_sitter", "tree_sitter_language_pack"):
        spec = find_spec(name)
        if spec is not None and spec.origin:
            places.append(str(Path(spec.origin).resolve().parents[1]))
    places += [str(Path(p).resolve()) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    environment[PATH_VARIABLE] = os.pathsep.join(dict.fromkeys(places))
    return environment
