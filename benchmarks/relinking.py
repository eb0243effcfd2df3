"""Linking again after an edit of one file against linking everything: is the result the same, and which share of the time does it take?"""

from __future__ import annotations

import random
import re
import statistics
import time
from typing import Any

import numpy as np

from quatrain.linking import Earlier, FileFacts, LinkInput, link, relink
from quatrain.parsing.parse import parse_source

__all__ = ["measure_relinking"]

_BLANK_LINES = 3


def measure_relinking(files: list[LinkInput], sources: list[bytes], edits: int) -> list[dict[str, Any]]:
    """Edit random files that define something, one at a time.

    Parameters
    ----------
    files, sources
        A tree.
    edits
        Number of edits of each kind: ``layout`` puts blank lines at random places (also into strings), ``name`` gives a definition and its
        uses in the file another name.

    Returns
    -------
    list
        For each kind the number of edits, how many gave what linking everything gives, and the ratio of process times.
    """
    started = time.process_time()
    linked = link(files)
    whole = time.process_time() - started
    before = [FileFacts(f.path, f.language, lambda f=f: f.parsed) for f in files]
    chance = random.Random(0)
    defining = [number for number, file in enumerate(files) if file.parsed.symbols]
    report = []
    for kind in ("layout", "name"):
        equal, ratios = 0, []
        for number in chance.sample(defining, min(edits, len(defining))):
            path, language, parsed = files[number]
            if kind == "layout":
                lines = sources[number].splitlines(keepends=True)
                for _ in range(_BLANK_LINES):
                    lines.insert(chance.randrange(len(lines) + 1), b"\n")
                data = b"".join(lines)
            else:
                name = re.escape(chance.choice(parsed.symbols).name.encode())
                data = re.sub(rb"\b%s\b" % name, b"renamed", sources[number])
            edited = parse_source(path, language, data)
            new, after, same = list(files), list(before), list(range(len(files)))
            new[number] = LinkInput(path, language, edited)
            after[number] = FileFacts(path, language, lambda edited=edited: edited)
            same[number] = -1
            started = time.process_time()
            found = relink(after, same, Earlier(before, (), "", lambda: linked))
            ratios.append((time.process_time() - started) / whole)
            wanted = link(new)
            equal += found.names == wanted.names and all(map(np.array_equal, found[:-1], wanted[:-1]))
        report.append(
            {
                "edit": kind, "edits": len(ratios), "equal": equal, "median_ratio": round(statistics.median(ratios), 3),
                "worst_ratio": round(max(ratios), 3), "full_seconds": round(whole, 3),
            }
        )  # fmt: skip
    return report
