"""What a terminal changes: colour, width, a progress bar, and control characters made harmless.

Off a terminal the output is plain: no colour, no bar, full lines, bytes as they are in the file.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import logging

__all__ = ["Painter", "Progress", "is_terminal", "prepare_streams", "printable", "progress_on", "tell"]

# C0 and C1 controls (a tab is harmless), line separators, and the marks that reorder text.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")

_STYLES = {"path": "35", "line": "32", "name": "1", "match": "1;31", "weak": "2", "warning": "33"}


def prepare_streams() -> None:
    """Let names that are not UTF-8 pass through as the bytes they are, and nothing fail for want of a character."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            is_utf8 = (stream.encoding or "").lower().replace("-", "") == "utf8"
            reconfigure(errors="surrogateescape" if is_utf8 and stream is sys.stdout else "backslashreplace")


def is_terminal(stream: TextIO) -> bool:
    """Return whether a person is reading the stream."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def printable(text: str) -> str:
    r"""Return the text with everything that could drive a terminal shown as an escape, on one line.

    Examples
    --------
    >>> printable("a\x1b[31mred\tb\n")
    'a\\x1b[31mred\tb\\n'
    """
    text = text.replace("\n", "\\n")
    text = _UNSAFE.sub(lambda m: f"\\x{ord(m[0]):02x}" if ord(m[0]) < 256 else f"\\u{ord(m[0]):04x}", text)
    # A byte that is no UTF-8 arrives as a lone surrogate.
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class Painter:
    """Writes for one stream: in colour and made safe on a terminal, plain elsewhere.

    Parameters
    ----------
    stream : file
        Where the text will go.
    colour : str
        "auto", "always" or "never".  "auto" means a terminal, without ``NO_COLOR`` and not a dumb one.
    """

    def __init__(self, stream: TextIO, colour: str = "auto") -> None:
        self.is_terminal = is_terminal(stream)
        self.colour = colour == "always" or (
            colour == "auto"
            and self.is_terminal
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
        )
        self.width = shutil.get_terminal_size((100, 24)).columns if self.is_terminal else 0

    def safe(self, text: str) -> str:
        """Return the text with control characters escaped if a terminal would obey them."""
        return printable(text) if self.is_terminal else text

    def paint(self, style: str, text: str) -> str:
        """Return the text made safe and in the colours of a style."""
        text = self.safe(text)
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and text else text

    def fit(self, text: str, used: int = 0) -> str:
        """Return the text made safe and, on a terminal, cut to what is left of the line."""
        text = self.safe(text)
        if not self.width or len(text) <= self.width - used:
            return text
        return text[: max(self.width - used - 1, 1)] + "…"


_STAGES = {
    "walk": "listing files", "read": "reading", "parse": "parsing", "link": "linking", "text": "indexing text",
    "embed": "embedding", "rank": "ranking", "write": "writing",
}  # fmt: skip


def tell(message: str, stream: TextIO | None = None) -> None:
    """Say something beside the answer, on standard error unless told otherwise."""
    painter = Painter(stream or sys.stderr)
    print(f"{painter.paint('weak', 'quatrain:')} {painter.safe(message)}", file=stream or sys.stderr)


class Progress:
    """A bar on one line of a terminal, redrawn ten times a second at most and wiped when done.

    Used as a context, it also tells on the stream what quatrain logs, such as the cost of a paid embedder.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._last = float("-inf")
        self._stage = ""
        self._shown = False
        self._entered = False
        self._handler: logging.Handler | None = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage is; a total of 0 means that nobody knows."""
        if self._entered and self._handler is None:
            self._listen()
        now = self._clock()
        if stage == self._stage and now - self._last < 0.1:
            return
        self._stage, self._last, self._shown = stage, now, True
        label = _STAGES.get(stage, stage)
        if total > 0:
            share = min(max(done / total, 0.0), 1.0)
            filled = round(share * 24)
            text = f"{label:<14} [{'#' * filled}{'.' * (24 - filled)}] {done:,}/{total:,}"
        else:
            text = f"{label} ..."
        self._draw(text[: max(shutil.get_terminal_size((80, 24)).columns - 1, 10)])

    def clear(self) -> None:
        """Wipe the bar."""
        if self._shown:
            self._draw("")
            self._shown = False

    def _draw(self, text: str) -> None:
        try:
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()
        except (OSError, ValueError):
            pass  # nobody is looking any more

    def _listen(self) -> None:
        # Only now: a question that finds its index up to date makes no progress and should not wait for this import.
        import logging

        self._handler = logging.Handler(logging.INFO)
        self._handler.emit = self._tell  # type: ignore[method-assign]
        log = logging.getLogger("quatrain")
        log.addHandler(self._handler)
        log.setLevel(logging.INFO)

    def _tell(self, record: logging.LogRecord) -> None:
        self.clear()
        tell(record.getMessage(), self._stream)

    def __enter__(self) -> Progress:
        self._entered = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._handler is not None:
            import logging

            logging.getLogger("quatrain").removeHandler(self._handler)
            self._handler = None
        self._entered = False
        self.clear()


class _Quiet(Progress):
    def _draw(self, text: str) -> None:
        """Show nothing."""


def progress_on(stream: TextIO) -> Progress:
    """Return a bar for a terminal, and for anything else one that shows nothing."""
    return Progress(stream) if is_terminal(stream) and os.environ.get("TERM") != "dumb" else _Quiet(stream)
