"""What a case of the kernel benchmark is."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Any

from benchmarks.timing import spread


@dataclass
class Result:
    """Samples of ours and of the peers for one case, in microseconds, and remarks on how they were taken."""

    case: str
    samples: dict[str, list[float]]  # holds "ours"
    notes: dict[str, Any] = field(default_factory=dict)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each peer; ratio is peer over ours."""
        ours = statistics.median(self.samples["ours"])
        rows = []
        for peer, samples in self.samples.items():
            if peer == "ours":
                continue
            median = statistics.median(samples)
            rows.append(
                {
                    "case": self.case,
                    "peer": peer,
                    "ours_us": round(ours, 3),
                    "peer_us": round(median, 3),
                    "ratio": round(median / ours, 3),
                    "ours_spread": round(spread(self.samples["ours"]), 3),
                    "peer_spread": round(spread(samples), 3),
                }
            )
        return rows


class Disagreement(Exception):
    """A peer's answer differs from ours; nothing is timed."""


def require(equal: bool, what: str) -> None:
    """Raise `Disagreement` unless the answers are equal."""
    if not equal:
        raise Disagreement(what)
