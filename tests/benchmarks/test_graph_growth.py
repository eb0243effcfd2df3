"""The made-up packages that the growth of the graph is measured on."""

from __future__ import annotations

from benchmarks.graph import measure_growth


def test_a_made_up_package_has_about_as_many_edges_as_asked() -> None:
    line = measure_growth(4000)
    assert 3000 < line["edges"] < 5000
    assert line["nodes"] > line["files"] > 10
