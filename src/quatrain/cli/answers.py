"""What all verbs that ask an index have in common: open it, print the answer in the form asked for, choose the exit
code."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from quatrain.cli.terminal import Painter, is_terminal, progress_on, tell

if TYPE_CHECKING:
    from quatrain.engine import Index

__all__ = ["Place", "emit", "exit_code", "open_index", "print_json", "tell"]


class _Response(Protocol):
    @property
    def status(self) -> str: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    def to_dict(self) -> dict[str, Any]: ...


def open_index(arguments: Namespace) -> Index:
    """Open the index of the folder asked about, building or refreshing it behind a progress bar."""
    import quatrain

    with progress_on(sys.stderr) as progress:
        return quatrain.open(
            arguments.root or ".",
            embedder=arguments.embedder,
            index_dir=arguments.index_dir,
            refresh=arguments.refresh,
            progress=progress,
        )


class Place:
    """Shows paths as the user would type them here: below the folder that was named on the command line."""

    def __init__(self, root: str | None) -> None:
        self._prefix = "" if root is None or os.path.normpath(root) == "." else root

    def __call__(self, path: str) -> str:
        """Return a path relative to the root as it is to be shown."""
        return os.path.join(self._prefix, path) if self._prefix else path


def emit(
    arguments: Namespace,
    response: _Response,
    items: Iterable[Any],
    show: Callable[[Painter, Place], None],
    extra: dict[str, Any] | None = None,
) -> int:
    """Print an answer as JSON, as lines of JSON or as text, and return the exit code.

    Parameters
    ----------
    arguments : Namespace
        With ``json``, ``jsonl``, ``colour`` and ``root``.
    response : record
        The answer; its ``to_dict()`` is the JSON document.
    items : iterable of records
        Its results: one line of JSON each.
    show : function
        Prints the text form.
    extra : dict, optional
        Further members of the JSON document.
    """
    items = tuple(items)
    if arguments.json:
        print_json({**response.to_dict(), **(extra or {})})
    elif arguments.jsonl:
        for item in items:
            print_json(item.to_dict(), indent=False)
    else:
        show(Painter(sys.stdout, arguments.colour), Place(arguments.root))
    if not arguments.json:
        for note in response.notes:
            tell(note)
    return exit_code(response.status, bool(items))


def exit_code(status: str, found: bool) -> int:
    """Return 0 for something, 1 for nothing, 2 if the question could not be answered."""
    if found:
        return 0
    if status in ("ok", "no_match", "stale"):
        return 1
    tell(_UNANSWERED.get(status, f"no answer: {status}"))
    return 2


_UNANSWERED = {
    "not_indexed": "there is no index; run `quatrain index`",
    "partial": "the answer is incomplete, and nothing was found so far",
    "unsupported_language": "this language is not supported for this question",
    "modality_unavailable": "what this question needs is not available",
}


def print_json(value: Any, indent: bool | None = None) -> None:
    """Print a JSON document; indented and without invisible characters if a person reads it."""
    person = is_terminal(sys.stdout)
    print(
        json.dumps(
            value, ensure_ascii=person, indent=2 if (person if indent is None else indent) else None, allow_nan=False
        )
    )
