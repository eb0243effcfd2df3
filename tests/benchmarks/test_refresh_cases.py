"""The cases of `python -m benchmarks refresh` change what they say, and their phases add up."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.refresh import PHASES, measure_build, measure_refreshes

import quatrain


def test_every_case_is_measured_by_phase(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "used.py").write_text("def used():\n    return 1\n")
    (root / "user.py").write_text("from used import used\n\nused()\n")
    built = measure_build(root, tmp_path / "index", "none")
    assert set(built["phases"]) == {*PHASES.values(), "parse", "open"}
    assert built["peak_mib"] > 10 and sum(wall for wall, _ in built["phases"].values()) == pytest.approx(
        built["wall"], abs=0.02
    )
    index = quatrain.open(root, index_dir=tmp_path / "index")
    rows = {row["case"]: row for row in measure_refreshes(index, 1)}
    assert list(rows) == ["nothing changed", "a leaf", "a core file", "100 files"]
    assert [row["files"] for row in rows.values()] == [0, 1, 1, 2]
    assert list(rows["nothing changed"]["phases"]) == ["walk"]
    leaf, core = "user.py", "used.py"
    assert [row.path for row in index.find_symbol("added_0_a_leaf").symbols] == [leaf]
    assert [row.path for row in index.find_symbol("added_0_a_core_file").symbols] == [core]
