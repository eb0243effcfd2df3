"""Regular expressions that are compiled when they are first used: most questions need few of them, and compiling takes milliseconds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

__all__ = ["LazyPattern"]


class LazyPattern:
    """Behaves like ``re.compile(source, flags)``, later.

    Parameters
    ----------
    source, flags
        Of the expression.
    cues
        Parts of which every match has one.  A text without any is not searched, which for most questions is much cheaper; then
        only ``search`` and ``finditer`` may be called, with the text alone.

    Examples
    --------
    >>> LazyPattern("b+").search("abbc")[0]
    'bb'
    """

    def __init__(self, source: str, flags: int = 0, cues: tuple[str, ...] = ()) -> None:
        self.source = source
        self.cues = cues
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile, and keep the compiled expression's method so that this is not asked again."""
        value = getattr(re.compile(self.source, self._flags), name)
        if self.cues:
            value = _if_cued(value, self.cues, {"search": None, "finditer": ()}[name])
        setattr(self, name, value)
        return value


def _if_cued(method: Callable[[str], Any], cues: tuple[str, ...], otherwise: Any) -> Callable[[str], Any]:
    return lambda text: method(text) if any(map(text.__contains__, cues)) else otherwise
