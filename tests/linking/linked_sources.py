"""Parse and link a few small sources, and look at the uses of one name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from quatrain.files.languages import language_of
from quatrain.linking import LinkInput, link
from quatrain.parsing.parse import parse_source
from quatrain.records import EDGE_KINDS, EDGE_STATUSES, EDGE_TIERS


class Use(NamedTuple):
    """One edge; a node is a path, with the qualified name of a symbol behind a colon."""

    caller: str
    callee: str  # "" when there is none
    name: str
    kind: str
    tier: str
    status: str
    confidence: float
    path: str
    line: int
    callee_line: int = 0


def uses(sources: Mapping[str, str]) -> list[Use]:
    """Return every edge of some files."""
    paths = sorted(sources, key=str.encode)
    files = [LinkInput(p, language_of(p), parse_source(p, language_of(p), sources[p].encode())) for p in paths]
    linked = link(files)

    def node(file: int, symbol: int) -> str:
        if file < 0:
            return ""
        return paths[file] + (f":{files[file].parsed.symbols[symbol].qualified_name}" if symbol >= 0 else "")

    return [
        Use(
            node(int(linked.caller_file[i]), int(linked.caller_symbol[i])),
            node(int(linked.callee_file[i]), int(linked.callee_symbol[i])),
            linked.names[linked.name[i]],
            EDGE_KINDS[linked.kind[i]],
            EDGE_TIERS[linked.tier[i]],
            EDGE_STATUSES[linked.status[i]],
            round(float(linked.confidence[i]), 4),
            paths[linked.file[i]],
            int(linked.line[i]),
            files[linked.callee_file[i]].parsed.symbols[linked.callee_symbol[i]].start_line
            if linked.callee_symbol[i] >= 0
            else 0,
        )
        for i in range(len(linked))
    ]


def calls(sources: Mapping[str, str], path: str, name: str) -> set[tuple[str, str, str]]:
    """Return (callee, tier, status) of the calls of ``name`` in one file."""
    return {
        (u.callee, u.tier, u.status) for u in uses(sources) if u.kind == "call" and u.path == path and u.name == name
    }


def callers(sources: Mapping[str, str], callee: str) -> set[str]:
    """Return who calls a node for sure."""
    return {u.caller for u in uses(sources) if u.kind == "call" and u.callee == callee and u.status == "resolved"}
