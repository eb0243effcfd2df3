"""The edits on which linking again is measured."""

from __future__ import annotations

import benchmarks.relinking as relinking
import pytest
from benchmarks.graph import made_up_file

from quatrain.linking import LinkInput, LinkResult
from quatrain.parsing.parse import parse_source


def test_every_edit_is_compared_with_linking_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [made_up_file(n, 4).encode() for n in range(4)]
    files = [LinkInput(f"m{n}.py", "python", parse_source(f"m{n}.py", "python", s)) for n, s in enumerate(sources)]
    rows = relinking.measure_relinking(files, sources, 3)
    assert [(row["edit"], row["edits"], row["equal"]) for row in rows] == [("layout", 3, 3), ("name", 3, 3)]

    def stale(*args: object) -> LinkResult:
        return args[2].linked()  # type: ignore[attr-defined]

    monkeypatch.setattr(relinking, "relink", stale)
    assert [row["equal"] < 3 for row in relinking.measure_relinking(files, sources, 3)] == [True, True]
