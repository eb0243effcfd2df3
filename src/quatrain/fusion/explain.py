"""The arithmetic of a score, in words that can be recomputed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from quatrain.fusion.evidence import CONSTANTS, MULTIPLIERS, SUMMANDS

__all__ = ["Scored", "arithmetic", "recompute"]

_MEANING = {
    "fused": "fused ranks, as a share of the best possible",
    "text": "strength in the text list",
    "semantic": "strength in the semantic list",
    "name": "words of the file name",
    "definition": "defines an identifier of the query",
    "coverage": "query words met in one chunk",
    "folder": "query words among its folders",
    "used_by_best": "used by the best files",
    "test": "is a test",
    "header": "header of an indexed implementation",
    "older_version": "older version beside a newer one",
    "demoted": "vendored, built, generated or archived path",
    "further_chunk": "share of the file's best chunk",
}
# What is shown instead of what was asked for.
_MARKS = {
    "case": "found in other letter case",
    "variant": "the same words in other case, with other separators or endings",
    "partial": "found as a part, or inside longer words",
    "fuzzy": "a near spelling",
    "ambiguous": "one of several candidates",
}


class Scored(Protocol):
    """What can be explained: a ``Hit`` or a ``Fused`` item."""

    @property
    def score(self) -> float: ...
    @property
    def sources(self) -> Mapping[str, tuple[int, float]]: ...
    @property
    def boost(self) -> float: ...
    @property
    def factors(self) -> Mapping[str, float]: ...
    @property
    def mark(self) -> str: ...


def recompute(hit: Scored) -> float:
    """Return the score from its own parts.

    Parameters
    ----------
    hit : Hit or Fused
        Its ``sources``, ``boost`` and ``factors`` are used, not its ``score``.

    Returns
    -------
    float
        Equal to ``hit.score`` up to rounding.
    """
    added = [value for name, value in hit.factors.items() if name in SUMMANDS]
    total = sum(added) if "fused" in hit.factors else sum(share for _, share in hit.sources.values()) * hit.boost
    for name, value in hit.factors.items():
        if name not in SUMMANDS:
            total *= value
    return total


def arithmetic(hit: Scored) -> list[str]:
    """Explain a score, one line per part.

    Parameters
    ----------
    hit : Hit or Fused
        As a search returned it.

    Returns
    -------
    list of str
        The first line is the whole formula with its numbers; then one line per list, and one per factor.
    """
    ranks = " + ".join(f"{share:.6f}" for _, share in hit.sources.values()) or "0"
    pure = f"({ranks}) x boost {hit.boost:.4f}"
    products = [(name, value) for name, value in hit.factors.items() if name not in SUMMANDS]
    times = "".join(f" x {name} {value:.3f}" for name, value in products)
    if "fused" in hit.factors:
        sums = " + ".join(f"{name} {hit.factors[name]:.3f}" for name in SUMMANDS if name in hit.factors)
        head = f"score {hit.score:.4f} = ({sums}){times}"
    else:
        head = f"score {hit.score:.6f} = {pure}{times}"
    lines = [head]
    lines += [f"  {modality}: rank {rank}, contributes {share:.6f}" for modality, (rank, share) in hit.sources.items()]
    for name in (*SUMMANDS, *MULTIPLIERS, "further_chunk"):
        if name not in hit.factors:
            continue
        value = hit.factors[name]
        weight = CONSTANTS.get(name)
        if name == "fused":
            detail = f"{pure} over the best possible, weight {weight:g}"
        elif name in SUMMANDS:
            detail = f"{value:.3f} of at most {weight:g}"
        else:
            detail = f"x {value:.3f}"
        lines.append(f"  {name}: {detail} ({_MEANING[name]})")
    if hit.mark:
        lines.append(f"  mark: {hit.mark} ({_MARKS.get(hit.mark, 'a guess')})")
    return lines
