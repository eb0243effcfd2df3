"""A small ledger, with the constructs that matter to an index of Python."""

from __future__ import annotations

import os.path
import re as regex
from collections import OrderedDict as Ordered, defaultdict
from typing import TYPE_CHECKING

from . import storage
from .money import *
from ..shared.errors import LedgerError

if TYPE_CHECKING:
    from decimal import Decimal

__all__ = ["Ledger", "open_ledger", "storage"]

DEFAULT_PATH = os.path.join("var", "ledger")
_cache: dict[str, Ledger] = {}
first, second = 1, 2
shorten = lambda text, limit=10: text[:limit]

type Amount[T] = tuple[T, str]

try:
    import fastjson
except ImportError:
    fastjson = None


class Entry:
    # a comment before the docstring
    """One line of the ledger.

    More about it.
    """

    __slots__ = ("amount", "text")
    currency = "EUR"

    def __init__(self, amount: "Decimal", text: str = "", *tags: str, key=None, **options: object) -> None:
        self.amount = amount
        self.text = shorten(text)

    @property
    def signed(self) -> Decimal | None:
        r"""Return the amount with its sign."""
        return -self.amount if self.text.startswith("-") else self.amount

    def __lt__(self, other: Entry) -> bool:
        return self.amount < other.amount

    def _normalise(self):
        return regex.sub(r"\s+", " ", self.text)

    def __secret(self):
        pass


@storage.register("ledger", priority=3)
@Ordered
class Ledger(Entry, storage.Backend[Entry], metaclass=storage.Meta):
    entries: list[Entry] = []

    class Meta:
        ordering = ["text"]

    @classmethod
    def load(cls, path: str) -> Ledger:
        def parse(line):
            return Entry(*line.split())

        with open(path) as lines:
            return cls(map(parse, lines))

    async def flush(self) -> None:
        try:
            await self.backend.write(self.entries[0].signed, handler=self._normalise)
        except (OSError, LedgerError) as error:
            raise LedgerError from error


def open_ledger(
    path: str = DEFAULT_PATH,
) -> Ledger:
    """Open a ledger."""
    from .journal import replay

    if isinstance(path, Ledger):
        return path
    ledger = _cache.get(path) or Ledger.load(path)
    return replay(ledger)
