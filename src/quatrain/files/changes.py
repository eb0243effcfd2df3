"""Which lines of which files changed, as git sees it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from quatrain.errors import BadPath, BadQuery
from quatrain.files.discover import run_git

__all__ = ["changed_lines", "taken_out"]

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_WHOLE = (1, 1 << 31)


def changed_lines(root: Path, revision: str | None = None) -> tuple[dict[str, list[tuple[int, int]]], tuple[str, ...]]:
    """Return the changed line ranges of each file below ``root``.

    Parameters
    ----------
    root
        A folder inside a git work tree.
    revision
        None: what is not committed yet, staged or not, new files included.  A revision: everything since it.  ``A..B`` or
        ``A...B``: what ``git diff`` shows for that.

    Returns
    -------
    changes : dict of str to list of (int, int)
        Path relative to ``root`` to ranges of line numbers after the change, 1-based and inclusive.  Where lines were only
        taken out, the range is (line behind, line before): it holds no line.  Deleted files are left out: see `taken_out`.
    notes : tuple of str
        What limits the answer.

    Raises
    ------
    BadPath
        ``root`` is in no git work tree, or git is not there.
    BadQuery
        git does not know the revision.
    """
    folder = os.fsencode(root)
    diff = _diff(root, revision)
    changes = {} if diff is None else _ranges(diff)
    notes: tuple[str, ...] = ()
    if revision is None:
        listed = ("ls-files", "-z", "-o", "--exclude-standard", *(("-c",) if diff is None else ()))
        for path in run_git(folder, *listed)[1].split(b"\0"):
            if path:
                changes[os.fsdecode(path)] = [_WHOLE]
    elif ".." in revision:
        end = revision.rsplit("..", 1)[1] or "HEAD"
        if run_git(folder, "diff", "--quiet", "--ignore-submodules", end, "--")[0] != 0:
            notes = (f"the index is of the work tree, which differs from {end}: lines may be off",)
    return changes, notes


def taken_out(root: Path, revision: str | None = None) -> dict[str, tuple[bytes, list[tuple[int, int]]]]:
    """Return the files that lost lines as they were, each with the ranges of the lines that were taken out or replaced.

    Parameters and errors are those of `changed_lines`; deleted files and the old names of renamed ones are among them.
    """
    folder = os.fsencode(root)
    diff = _diff(root, revision)
    base = revision or "HEAD"
    if ".." in base:
        first, _, last = base.partition("...") if "..." in base else base.partition("..")
        base = first or "HEAD"
        if "..." in (revision or ""):
            base = run_git(folder, "merge-base", base, last or "HEAD")[1].decode().strip()
    found = {}
    for path, ranges in (_ranges(diff, before=True) if diff is not None else {}).items():
        status, data, _ = run_git(folder, "show", f"{base}:./{path}")
        if status == 0 and ranges:
            found[path] = data, ranges
    return found


def _diff(root: Path, revision: str | None) -> bytes | None:
    """Return what ``git diff`` prints, None before the first commit."""
    folder = os.fsencode(root)
    status, _, error = run_git(folder, "rev-parse", "--is-inside-work-tree")
    if status != 0:
        reason = "git is not installed" if status == -1 else "it is in no git work tree"
        raise BadPath(f"the changes of {root} cannot be listed: {reason}; name a symbol or file instead")
    if revision is not None and (not revision.strip() or revision.startswith("-") or "\0" in revision):
        raise BadQuery(f"{revision!r} is no revision; give one that `git diff` takes, e.g. HEAD~3 or main..topic")
    if revision is None and run_git(folder, "rev-parse", "--verify", "-q", "HEAD")[0] != 0:
        return None
    status, output, error = run_git(
        folder, "-c", "core.quotePath=false", "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv",
        "--no-renames", "--ignore-submodules", "--relative", "--src-prefix=a/", "--dst-prefix=b/",
        revision if revision is not None else "HEAD", "--",
    )  # fmt: skip
    if status != 0:
        reason = (error.strip().splitlines() or ["no reason given"])[0].removeprefix("fatal: ")
        raise BadQuery(f"git cannot compare with {revision!r} ({reason}); give a revision that `git diff` takes")
    return output


def _ranges(diff: bytes, *, before: bool = False) -> dict[str, list[tuple[int, int]]]:
    changes: dict[str, list[tuple[int, int]]] = {}
    ranges: list[tuple[int, int]] | None = None
    in_header = True
    marker, side = (b"--- ", 1) if before else (b"+++ ", 3)
    for line in diff.split(b"\n"):
        if line.startswith(b"diff --git "):
            ranges, in_header = None, True
        elif in_header and line.startswith(marker):
            path = _path(line[4:])
            ranges = None if path is None else changes.setdefault(path, [])
        elif line.startswith(b"@@ ") and (hunk := _HUNK.match(line)) is not None:
            in_header = False  # from here on a line that begins with +++ is content
            if ranges is not None:
                first, count = int(hunk[side]), int(hunk[side + 1] or 1)
                if count or not before:
                    ranges.append((first, first + count - 1) if count else (first + 1, first))
    return changes


def _path(written: bytes) -> str | None:
    """Return the path of a ``---`` or ``+++`` line, None for a file that was not there or is no more."""
    written = written.removesuffix(b"\t")
    if written.startswith(b'"') and written.endswith(b'"'):
        written = _ESCAPE.sub(_unescaped, written[1:-1])
    return os.fsdecode(written[2:]) if written.startswith((b"a/", b"b/")) else None


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8)]) if len(code) == 3 else _ESCAPED.get(code, code)
