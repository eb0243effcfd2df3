"""When something below a folder changes, as the operating system tells it (extra ``watch``)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event

from quatrain.errors import MissingExtra, QuatrainError
from quatrain.files.discover import TOOL_FOLDERS

__all__ = ["changes"]

DEBOUNCE_MS = 400  # of quiet after which a burst of changes counts as one


def changes(root: Path, *, stop: Event | None = None) -> Iterator[None]:
    """Wait, and yield once for each burst of changes.

    The first yield says that the folder is being watched: what changed before then has not been noticed.

    Parameters
    ----------
    root
        A folder, watched with all that is in it.
    stop
        Ends the watch when it is set.

    Raises
    ------
    MissingExtra
        The ``watchfiles`` package is not installed.
    QuatrainError
        The system cannot watch the folder.
    """
    try:
        from watchfiles import Change, watch
    except ImportError as error:
        raise MissingExtra("watching a folder needs an extra: pip install 'quatrain[watch]'") from error

    tool_folders = {os.fsdecode(name) for name in TOOL_FOLDERS}

    def is_of_interest(_: Change, path: str) -> bool:
        # git writes to its own folder whenever it is asked something, also by us.
        return tool_folders.isdisjoint(os.path.relpath(path, root).split(os.sep))

    batches = watch(root, watch_filter=is_of_interest, debounce=DEBOUNCE_MS, yield_on_timeout=True, stop_event=stop)
    watching = False
    try:
        for batch in batches:
            if batch or not watching:
                watching = True
                yield
    except OSError as error:
        raise QuatrainError(
            f"{root} cannot be watched: {error}; on Linux, fs.inotify.max_user_watches may be too low"
        ) from error
