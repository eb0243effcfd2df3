"""Definitions are compared with a table by name and line, and what is excused is counted beside the raw figures."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from benchmarks import structure

SOURCE = "def first():\n    pass\n\n\nclass Second:\n    def third(self):\n        pass\n\n\ndef fourth():\n    pass\n"
OPTIONS = structure.Comparison(language=None, show=0, no_file_scope=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "a.py").write_text(SOURCE)
    return folder


def excuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *rows: tuple[str, str, int, str]) -> None:
    lines = ["folder\tfile\tline\tname\treason", *("\t".join((*map(str, row), "read by hand")) for row in rows)]
    (tmp_path / "structure_excuses.tsv").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(structure, "HERE", tmp_path)


def test_a_table_that_agrees(root: Path) -> None:
    gold = {"a.py": [("first", 1), ("Second", 5), ("third", 6), ("fourth", 10)]}
    (row,) = structure.compare("t", gold, root, OPTIONS)
    assert (row["gold"], row["said"], row["recall"], row["precision"], row["excused"]) == (4, 4, 1.0, 1.0, 0.0)


def test_misses_and_extras_are_counted_by_name_and_line(root: Path) -> None:
    # "absent" is no definition, "fourth" is three lines off (a miss and an extra), "Second" is two lines off (found).
    gold = {"a.py": [("first", 1), ("Second", 3), ("absent", 2), ("fourth", 7)], "gone.py": [("x", 1)]}
    (row,) = structure.compare("t", gold, root, OPTIONS)
    assert (row["gold"], row["missed"], row["said"], row["extra"]) == (4, 2, 4, 2)
    assert (row["recall"], row["precision"]) == (0.5, 0.5)
    assert (row["adjusted_recall"], row["adjusted_precision"]) == (0.5, 0.5)


def test_an_excuse_changes_the_adjusted_figures_alone(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    excuse(tmp_path, monkeypatch, ("package", "a.py", 2, "absent"), ("package", "a.py", 6, "third"))
    gold = {"a.py": [("first", 1), ("Second", 5), ("absent", 2), ("fourth", 10)]}
    (row,) = structure.compare("t", gold, root, OPTIONS)
    assert (row["recall"], row["precision"], row["excused"]) == (0.75, 0.75, 0.5)
    assert (row["adjusted_recall"], row["adjusted_precision"]) == (1.0, 1.0)


@pytest.mark.parametrize(
    "row",
    [
        ("other", "a.py", 2, "absent"),
        ("package", "b.py", 2, "absent"),
        ("package", "a.py", 3, "absent"),
        ("package", "a.py", 2, "absence"),
        ("package", "a.py", 1, "first"),  # found: there is nothing to excuse
    ],
)
def test_an_excuse_holds_for_its_own_row(
    row: tuple[str, str, int, str], root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    excuse(tmp_path, monkeypatch, row)
    gold = {"a.py": [("first", 1), ("Second", 5), ("third", 6), ("fourth", 10), ("absent", 2)]}
    (said,) = structure.compare("t", gold, root, OPTIONS)
    assert (said["recall"], said["adjusted_recall"], said["excused"]) == (0.8, 0.8, 0.0)


def test_one_definition_answers_one_row(root: Path) -> None:
    (row,) = structure.compare("t", {"a.py": [("first", 1), ("first", 2), ("first", 3)]}, root, OPTIONS)
    assert (row["missed"], row["extra"]) == (2, 3)


def test_values_are_not_compared(root: Path) -> None:
    (root / "b.py").write_text("LIMIT = 3\ncount = 0\n")
    (row,) = structure.compare("t", {"b.py": []}, root, OPTIONS)
    assert row["said"] == 0


def test_what_its_file_alone_sees_can_be_left_out(root: Path) -> None:
    (root / "a.c").write_text("static int hidden(void) { return 1; }\nint seen(void) { return 2; }\n")
    gold = {"a.c": [("seen", 2)]}
    (whole,) = structure.compare("t", gold, root, OPTIONS)
    (outside,) = structure.compare("t", gold, root, OPTIONS._replace(no_file_scope=True))
    assert (whole["extra"], outside["extra"]) == (1, 0)


def test_tables_are_read_as_written(tmp_path: Path) -> None:
    table = tmp_path / "gold.tsv"
    table.write_text('file\tline\tname\tkind\na.cpp\t3\toperator ()\tfunction\na.cpp\t9\t"quoted\tfunction\n')
    assert structure.read_table(table) == {"a.cpp": [("operator()", 3), ('"quoted', 9)]}


def test_every_excuse_is_of_one_row_and_has_a_reason() -> None:
    with (Path(structure.__file__).parent / "structure_excuses.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    excuses = structure.read_excuses()
    assert rows and len(excuses) == len(rows)
    assert all(len(reason.split()) >= 3 for reason in excuses.values())
