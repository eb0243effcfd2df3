"""Calls are scored against a table that names what is called by its place."""

from __future__ import annotations

from pathlib import Path

from benchmarks.graph import load, score_calls

RUBY = """class Base
  def a; end
end
class Item < Base
  def a
    b
  end
  def b; end
end
def run
  item = Item.new
  item.a
  item.b
  item.c
end
"""
COLUMNS = ("caller", "callee", "file", "line", "col", "name", "kind")


def score(folder: Path, rows: list[tuple[str, int, str, str, str]]) -> tuple[float, float, int, int]:
    (folder / "item.rb").write_text(RUBY)
    table = folder / "truth.tsv"
    lines = [("", callee, "item.rb", str(line), column, name, kind) for callee, line, column, name, kind in rows]
    table.write_text("".join("\t".join(r) + "\n" for r in [COLUMNS, *lines]))
    found = score_calls(*load(folder, "item.rb"), table)
    return found["precision"], found["recall"], found["predicted"], found["truth"]


def test_places_by_line_and_by_column(tmp_path: Path) -> None:
    right = [("item.rb:5:a", 12, "", "a", "internal"), ("item.rb:8:b", 13, "7", "b", "internal")]
    assert score(tmp_path, right) == (1.0, 1.0, 2, 2)
    # Any line of the definition names it, and so does its qualified name.
    named = [("item.rb:6:a", 12, "", "a", "internal"), ("item:Item.b", 13, "", "b", "internal")]
    assert score(tmp_path, named) == (1.0, 1.0, 2, 2)


def test_wrong_missed_and_unknown(tmp_path: Path) -> None:
    assert score(tmp_path, [("item.rb:2:a", 12, "", "a", "internal")]) == (0.0, 0.0, 1, 1)  # another of the name
    assert score(tmp_path, [("", 12, "", "a", "external")]) == (0.0, 1.0, 1, 0)
    assert score(tmp_path, [("item.rb:8:b", 14, "", "c", "internal")]) == (0.0, 0.0, 0, 1)  # nothing was predicted
    assert score(tmp_path, [("item.rb:5:a", 12, "", "a", "variable")]) == (0.0, 1.0, 0, 0)  # counts neither way


def test_what_the_called_one_overrides_is_right(tmp_path: Path) -> None:
    rows = [("item.rb:2:a", 12, "", "a", "internal"), ("item.rb:5:a", 12, "", "a", "overridden")]
    assert score(tmp_path, rows) == (1.0, 1.0, 1, 1)
