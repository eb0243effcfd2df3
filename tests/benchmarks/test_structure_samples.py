"""The samples of definitions that were read by hand are complete, and can be drawn again."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.sampling import LOOSE, ROWS, draw, read_verdicts

SAMPLES = Path(__file__).parents[2] / "benchmarks" / "structure_samples"


@pytest.mark.parametrize("language", sorted(LOOSE))
def test_every_row_has_a_verdict(language: str) -> None:
    counts = read_verdicts(SAMPLES / f"{language}.tsv")
    assert sum(counts.values()) == ROWS
    assert sum(n for (drawn, _), n in counts.items() if drawn == "reported") == ROWS // 2


def test_a_row_without_a_verdict_is_an_error(tmp_path: Path) -> None:
    table = tmp_path / "lua.tsv"
    table.write_text(
        "file\tline\tdrawn\treported\tverdict\tsource\na.lua\t1\treported\tfunction f\tmissed\tfunction f()\n"
    )
    with pytest.raises(ValueError, match=r"lua\.tsv: a\.lua:1"):
        read_verdicts(table)


def test_a_sample_is_drawn_alike_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.lua").write_text("local M = {}\nfunction M.open(path)\n  local inner = 1\nend\nreturn M\n")
    draw("lua", tmp_path, 7)
    first = capsys.readouterr().out
    draw("lua", tmp_path, 7)
    assert capsys.readouterr().out == first
    rows = [line.split("\t") for line in first.splitlines()[1:]]
    assert {(row[1], row[2], row[3]) for row in rows} == {
        ("1", "reported", "constant M"),
        ("2", "reported", "method M.open"),
        ("1", "line", "constant M"),
        ("2", "line", "method M.open"),
    }
