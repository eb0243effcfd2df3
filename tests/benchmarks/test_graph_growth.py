"""The made-up packages and the random graphs that the growth of the graph is measured on."""

from __future__ import annotations

import numpy as np
from benchmarks.graph import measure_growth, measure_walks, random_graph

from quatrain.retrieval.relations import reach


def test_a_made_up_package_has_about_as_many_edges_as_asked() -> None:
    line = measure_growth(4000)
    assert 3000 < line["edges"] < 5000
    assert line["nodes"] > line["files"] > 10


def test_the_walk_that_is_timed_reaches_all_callers() -> None:
    view = random_graph(1000)
    callers, callees = view.graph.callers, view.graph.callees
    assert len(callers) == 1000
    start = int(np.argmax(view.graph.in_degree))
    found = reach(view, np.array([start]), 2, cut_off=0.0)
    near = set(callers[callees == start].tolist())
    far = set(callers[np.isin(callees, list(near))].tolist())
    assert set(found.nodes.tolist()) == (near | far) - {start}


def test_rows_of_walks() -> None:
    rows = measure_walks((500, 5000), rounds=2)
    assert [(row["start"], row["edges"]) for row in rows] == [
        ("any", 500), ("any", 5000), ("most called", 500), ("most called", 5000)
    ]  # fmt: skip
    assert rows[0]["growth"] is None and rows[1]["growth"] is not None
    assert rows[3]["reached"] > rows[2]["reached"] > rows[0]["reached"]
