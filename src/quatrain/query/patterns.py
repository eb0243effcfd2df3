"""Regular expressions that are compiled when they are first used: most questions need few of them, and compiling takes milliseconds."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["LazyPattern"]


class LazyPattern:
    """Behaves like ``re.compile(source, flags)``, later.

    Examples
    --------
    >>> LazyPattern("b+").search("abbc")[0]
    'bb'
    """

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile, and keep the compiled expression's method so that this is not asked again."""
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value
