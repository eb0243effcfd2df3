"""The file graph: who links to whom, how heavily, and one step from the best files."""

from collections import Counter

import numpy as np
import pytest

from quatrain.indexes.file_graph import FileGraph, build


class Sections(dict):
    def add(self, tag, data, *, bulk=False):
        self[tag] = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data

    def array(self, tag):
        return self[tag]


def graph(uses, definitions):
    """Build the graph of the names that each file uses, once per use, and of those that each defines."""
    number = {}
    used = [(f, name, count) for f, names in enumerate(uses) for name, count in Counter(names).items()]
    defined = [(f, name) for f, names in enumerate(definitions) for name in names]
    sections = Sections()
    build(
        sections,
        tuple(np.array([(f, number.setdefault(n, len(number)), c) for f, n, c in used], np.int64).reshape(-1, 3).T),
        tuple(np.array([(f, number.setdefault(n, len(number))) for f, n in defined], np.int64).reshape(-1, 2).T),
        len(uses),
    )
    return FileGraph(sections)


def row(g, file):
    span = slice(int(g.indptr[file]), int(g.indptr[file + 1]))
    return dict(zip(g.indices[span].tolist(), g.weights[span].tolist(), strict=True))


def test_weights_are_root_of_uses_over_definers():
    g = graph([["f"] * 4 + ["g"], [], []], [[], ["f", "g"], ["g"]])
    # file 1: sqrt(4)/1 + sqrt(1)/2 = 2.5, file 2: sqrt(1)/2 = 0.5
    assert row(g, 0) == pytest.approx({1: 2.5, 2: 0.5})
    assert row(g, 1) == {}


def test_a_name_with_four_definers_links_nothing():
    uses = [["common", "rare"], [], [], [], []]
    assert row(graph(uses, [[], ["common"], ["common"], ["common"], ["common", "rare"]]), 0) == {4: 1.0}
    assert len(row(graph(uses, [[], ["common"], ["common"], ["common"], ["rare"]]), 0)) == 4


def test_a_file_does_not_link_to_itself():
    assert row(graph([["f"], []], [["f"], []]), 0) == {}
    assert row(graph([["f"], []], [["f"], ["f"]]), 0) == {1: 0.5}


def test_pagerank_has_mean_one_and_favours_the_used():
    g = graph([["f"], ["f"], ["f"], []], [[], [], [], ["f"]])
    assert g.pagerank.mean() == pytest.approx(1.0)
    assert g.pagerank.argmax() == 3
    assert g.pagerank[0] == pytest.approx(g.pagerank[1])


def test_step_sums_over_seeds_and_divides_by_rank():
    g = graph([["f", "g"], ["f"], [], []], [[], [], ["f"], ["g"]])
    values = g.step(np.array([0, 1]), np.array([1.0, 4.0]), np.arange(4))
    reached = [(1.0 + 4.0) / np.sqrt(g.pagerank[2] + 0.2), 1.0 / np.sqrt(g.pagerank[3] + 0.2)]
    assert values.tolist() == pytest.approx([0, 0, reached[0] / max(reached), reached[1] / max(reached)])


def test_step_is_measured_by_the_most_that_reached_any_file():
    g = graph([["f", "g"], ["f"], [], []], [[], [], ["f"], ["g"]])
    only = g.step(np.array([0, 1]), np.array([1.0, 4.0]), np.array([3]))
    assert only.tolist() == g.step(np.array([0, 1]), np.array([1.0, 4.0]), np.arange(4))[3:].tolist()
    assert 0 < only[0] < 1


def test_step_from_files_that_use_nothing():
    g = graph([["f"], []], [[], ["f"]])
    assert g.step(np.array([1]), np.array([1.0]), np.arange(2)).tolist() == [0, 0]


def test_no_files():
    g = graph([], [])
    assert g.indptr.tolist() == [0]
    assert len(g.pagerank) == 0


def test_a_file_that_is_not_there():
    with pytest.raises(ValueError, match="a definition lies in file 1 of 1"):
        graph([[]], [[], ["f"]])
