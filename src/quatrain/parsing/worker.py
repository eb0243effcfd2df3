"""A parse worker: ``python -m quatrain.parsing.worker``, spoken to over its standard input and output.

Every message is a frame: eight bytes little-endian length, then a pickle.  In: a list of ``(number, path, language,
data)``.  Out: one ``"ready"`` frame at start, then ``(number, ParsedFile)`` for each file in the order received; before the first file of
a language ``"loading"``, and ``"ready"`` when its grammar and queries are there.  The worker ends when its input ends, so
it does not outlive its parent; should it be stuck in a grammar's scanner at that moment, an alarm that needs no
interpreter ends it.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import struct
import sys
from contextlib import suppress
from typing import BinaryIO

HEADER = struct.Struct("<Q")
PATH_VARIABLE = "QUATRAIN_WORKER_PATH"
MEMORY = 2 << 30  # bytes; the tree and the facts of the largest file that is indexed take a tenth

__all__ = ["HEADER", "PATH_VARIABLE", "main", "read_frame", "write_frame"]


def read_frame(stream: BinaryIO) -> bytes | None:
    """Return the payload of the next frame, or None at the end of the stream."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    (length,) = HEADER.unpack(header)
    payload = stream.read(length)
    return payload if len(payload) == length else None


def write_frame(stream: BinaryIO, payload: bytes) -> None:
    """Write one frame and flush it."""
    stream.write(HEADER.pack(len(payload)))
    stream.write(payload)
    stream.flush()


def _limit_memory() -> None:
    """Let this process grow by ``MEMORY`` and no more: on some input a parser takes a gigabyte a second until the machine has none left."""
    try:
        import resource

        with open("/proc/self/statm", "rb") as numbers:
            used = int(numbers.read().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = used + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))
    except (ImportError, OSError, ValueError):
        pass  # not Linux: the time limit alone ends such a file


def main() -> int:
    """Serve until the input ends."""
    # The pipe must not be reachable by a stray print in a library.
    out = os.fdopen(os.dup(1), "wb", buffering=1 << 16)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; it closes our input
    sys.path.extend(p for p in os.environ.get(PATH_VARIABLE, "").split(os.pathsep) if p and p not in sys.path)
    timeout = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0

    from quatrain.parsing.chunks import unparsed
    from quatrain.parsing.parse import parse_source

    _limit_memory()
    gc.disable()  # facts are acyclic and by the hundred thousand
    gc.freeze()
    source = sys.stdin.buffer
    loaded: set[str | None] = set()
    write_frame(out, pickle.dumps("ready"))
    while (payload := read_frame(source)) is not None:
        for number, path, language, data in pickle.loads(payload):
            if language not in loaded:
                # Grammar, queries and modules: seconds on a busy machine, and no fault of the file.
                write_frame(out, pickle.dumps("loading"))
                with suppress(Exception):  # that of the file itself is reported
                    parse_source("", language, b"")
                loaded.add(language)
                write_frame(out, pickle.dumps("ready"))
            if timeout:
                signal.setitimer(signal.ITIMER_REAL, 2 * timeout + 5)
            try:
                parsed = parse_source(path, language, data)
            except Exception as error:  # one file must not take the others with it; the reason is reported per file
                parsed = unparsed(data, f"failed: {type(error).__name__}: {error}"[:300])
            if timeout:
                signal.setitimer(signal.ITIMER_REAL, 0)
            try:
                write_frame(out, pickle.dumps((number, parsed), protocol=5))
            except BrokenPipeError:
                return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
