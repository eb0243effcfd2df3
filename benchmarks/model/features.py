"""Sub-words and features exactly as the runtime makes them, as sparse matrices for training."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from zlib import crc32

import numpy as np
import scipy.sparse as sp

__all__ = ["BUCKETS", "Vocabulary", "subtokens"]

BUCKETS = 2048
_SUBTOKEN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def subtokens(text: str) -> list[str]:
    """Return the lower-cased sub-words of a text."""
    return [x.lower() for x in _SUBTOKEN.findall(text)]


class Vocabulary:
    """Words with a row each, then trigram buckets for all others."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = list(words)
        self.index = {word: i for i, word in enumerate(self.words)}
        self._grams: dict[str, list[int]] = {}

    @property
    def rows(self) -> int:
        return len(self.words) + BUCKETS

    def _unknown(self, word: str) -> list[int]:
        if word not in self._grams:
            gram = f"<{word[:24]}>"
            base = len(self.words)
            self._grams[word] = [base + crc32(gram[i : i + 3].encode()) % BUCKETS for i in range(len(gram) - 2)]
        return self._grams[word]

    def matrix(self, texts: Iterable[Sequence[str]], limit: int = 512) -> sp.csr_matrix:
        """Return float32 CSR [texts, rows]: square roots of counts, unknown words spread over their trigrams."""
        ids: list[int] = []
        values: list[float] = []
        ends = [0]
        for tokens in texts:
            row: dict[int, float] = {}
            for word, count in Counter(tokens[:limit]).items():
                value, i = count**0.5, self.index.get(word)
                if i is not None:
                    row[i] = row.get(i, 0.0) + value
                elif not word.isdigit():
                    grams = self._unknown(word)
                    for g in grams:
                        row[g] = row.get(g, 0.0) + value / len(grams)
            ids.extend(row)
            values.extend(row.values())
            ends.append(len(ids))
        return sp.csr_matrix(
            (np.array(values, np.float32), np.array(ids, np.int32), np.array(ends, np.int64)),
            shape=(len(ends) - 1, self.rows),
        )
