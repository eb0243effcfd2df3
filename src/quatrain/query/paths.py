"""Files that a question names: paths, ends of paths, file names and module specifiers."""

from __future__ import annotations

import re

from quatrain.query.names import FILE_NAME, WIDE, W
from quatrain.query.patterns import LazyPattern

__all__ = ["is_path", "paths_in"]

_PART = rf"(?:{W}|[.$\[\]+@-])+"
_TOKEN = LazyPattern(
    rf"(?<!{W})(?<![./\\:@-])(?P<path>(?:[A-Za-z]:[/\\]|[~@#]?/)?(?:{_PART}[/\\])*{_PART}[/\\]?)(?!{W}|[/\\]|:/)"
)
_may_have_path = re.compile(r"[/\\.]|file").search
_IS_FILE = LazyPattern(rf"(?:[^{WIDE}]*[/\\])?(?:{FILE_NAME})\Z")
_SURE = LazyPattern(r"(?:\.{1,2}|[~@#])?/|@[\w-]+/|[A-Za-z]:[/\\]|(?:[^/]+/){2}|[^/]+/\Z")


def is_path(text: str) -> bool:
    """Return whether a name can only be that of a file or folder: it has a slash, or an extension that files have.

    Examples
    --------
    >>> is_path("shop/money"), is_path("money.py"), is_path("shop.money"), is_path("a/b:Class.method")
    (True, True, False, False)
    """
    text = text.strip()
    if ":" in text.removesuffix(":"):
        text = re.sub(r"(?::\d+(?:[:-]\d+)?)\Z", "", text)
        if ":" in text[2:]:
            return False
    return "/" in text or _IS_FILE.match(text) is not None


def paths_in(text: str) -> tuple[list[str], list[str]]:
    """Return the files that ``text`` names, each in its order: those that are surely paths, and words with a slash that may be.

    Examples
    --------
    >>> paths_in("who imports ./utils/date.js or sessions.py, read/write or not")
    (['./utils/date.js', 'sessions.py'], ['read/write'])
    """
    sure: dict[str, None] = {}
    perhaps: dict[str, None] = {}
    for match in _TOKEN.finditer(text) if _may_have_path(text) else ():
        token = match["path"].rstrip(".,;:")
        if _IS_FILE.match(token) is not None:
            sure.setdefault(token)
        elif "/" in token:
            (sure if _SURE.match(token) is not None else perhaps).setdefault(token)
    return list(sure), list(perhaps)
