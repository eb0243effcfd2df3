"""The formula of reciprocal rank fusion, pinned by hand-computed numbers."""

from types import SimpleNamespace

import numpy as np
import pytest

import quatrain.fusion
from quatrain.fusion.dedupe import best_per_file, distinct
from quatrain.fusion.pool import DECAY, Pool
from quatrain.fusion.rrf import boosts, fuse_chunks
from quatrain.records import Filters, Intent, QueryPlan, RankedList

# Ten chunks in five files, two each: chunk c lies in file c // 2.
FILES = np.repeat(np.arange(5, dtype=np.uint32), 2)


def view(centrality=None, flags=None):
    scores = np.zeros(10, np.float32)
    for chunk, value in (centrality or {}).items():
        scores[chunk] = value
    bits = np.zeros(5, np.uint16)
    for file, value in (flags or {}).items():
        bits[file] = value
    return SimpleNamespace(
        chunks=SimpleNamespace(files=FILES, centrality=scores), documents=SimpleNamespace(flags=bits)
    )


def ranked(modality, *chunks, lines=None, marks=(), strengths=None):
    ids = np.array(chunks, np.int64)
    return RankedList(
        modality,
        ids,
        FILES[ids].astype(np.int64),
        np.linspace(1.0, 0.5, len(ids)) if strengths is None else np.array(strengths),
        np.array(lines or [0] * len(ids), np.int64),
        marks=marks,
    )


def plan(k=40, intent="understand_code", **weights):
    return QueryPlan(
        "q", Intent(intent, 0.5, "test"), "default", tuple(weights), weights, k, None, (), None, None, 3, Filters()
    )


def fuse(lists, wanted, index, limit, **options):
    return fuse_chunks(wanted, lists, index, limit, **options)


def test_hand_computed_example_at_k_40():
    lists = [ranked("semantic", 7, 3, 9), ranked("text", 3, 5), ranked("structural", 9)]
    items = fuse(
        lists, plan(semantic=0.5, text=0.3, structural=0.2), view({3: 0.004, 9: 10.0}), limit=10, per_file=2
    ).hits
    assert [item.chunk for item in items] == [9, 3, 7, 5]
    # 9: 0.5/43 + 0.2/41 = 0.016505956, boost 1 + 0.3 ln 11 = 1.719 capped at 1.5
    assert items[0].score == pytest.approx(0.024758933636, abs=1e-11)
    assert items[0].boost == 1.5
    # 3: 0.5/42 + 0.3/41 = 0.019221835, boost 1 + 0.3 ln 1.004 = 1.001197606
    assert items[1].score == pytest.approx(0.019244855268, abs=1e-11)
    assert items[1].boost == pytest.approx(1.001197606, abs=1e-8)
    # 7: 0.5/41 and 5: 0.3/42, neither boosted
    assert items[2].score == pytest.approx(0.012195121951, abs=1e-12)
    assert items[3].score == pytest.approx(0.007142857143, abs=1e-12)
    assert items[1].sources == {"semantic": (1, 0.5 / 42), "text": (0, 0.3 / 41)}
    assert items[0].factors == {}


def test_hand_computed_example_at_k_60():
    lists = [ranked("semantic", 7, 3), ranked("graph", 3)]
    items = fuse(lists, plan(k=60, semantic=0.7, graph=0.3), view(), limit=10).hits
    # 3: 0.7/62 + 0.3/61 = 0.016208355, 7: 0.7/61 = 0.011475410
    assert [(item.chunk, round(item.score, 9)) for item in items] == [(3, 0.016208355), (7, 0.01147541)]


def test_demotion_halves_after_the_boost_and_before_the_choice_of_chunk():
    lists = [ranked("text", 8, 0)]
    items = fuse(lists, plan(text=1.0), view({8: 10.0}, {4: 1}), limit=10).hits
    # 8: 1/41 x 1.5 x 0.5 = 0.018292683 falls behind 0: 1/42 = 0.023809524
    assert [(item.chunk, round(item.score, 9)) for item in items] == [(0, 0.023809524), (8, 0.018292683)]
    assert items[1].factors == {"demoted": 0.5}


def test_other_flags_do_not_touch_the_formula():
    items = fuse([ranked("text", 8)], plan(text=1.0), view(flags={4: 2 | 32 | 64}), limit=10).hits
    assert items[0].score == 1.0 / 41


def test_equal_scores_follow_path_and_line():
    lists = [ranked("semantic", 9, 2), ranked("text", 2, 9), ranked("structural", 4), ranked("graph", 1)]
    weights = {"semantic": 0.3, "text": 0.3, "structural": 0.2, "graph": 0.2}
    items = fuse(lists, plan(**weights), view(), limit=10).hits
    assert [item.chunk for item in items] == [2, 9, 1, 4]
    assert items[0].score == items[1].score
    assert items[2].score == items[3].score


def test_per_file_and_limit():
    lists = [ranked("text", 3, 2, 8, 9, 0)]
    one = fuse(lists, plan(text=1.0), view(), limit=2)
    assert [item.chunk for item in one.hits] == [3, 8]
    assert one.total == 3
    two = fuse(lists, plan(text=1.0), view(), limit=10, per_file=2)
    assert [item.chunk for item in two.hits] == [3, 2, 8, 9, 0]
    assert two.total == 5


def test_a_chunk_named_twice_counts_once():
    lists = [ranked("graph", 6, 6, 2)]
    items = quatrain.fusion.fuse(plan(graph=1.0), lists, view(), limit=10, evidence=False).hits
    assert [(item.chunk, item.sources["graph"]) for item in items] == [(6, (0, 1 / 41)), (2, (1, 1 / 42))]


def test_line_and_mark_come_from_the_list_that_gave_most():
    lists = [ranked("text", 5, 4, lines=[50, 40]), ranked("graph", 4, lines=[44], marks=("ambiguous",))]
    items = fuse(lists, plan(text=0.3, graph=0.7), view(), limit=10, per_file=2).hits
    assert [(item.chunk, item.line, item.mark) for item in items] == [(4, 44, "ambiguous"), (5, 50, "")]


def test_centrality_scale():
    items = fuse([ranked("text", 5)], plan(text=1.0), view({5: 0.01}), limit=1, centrality_scale=100.0).hits
    assert items[0].boost == pytest.approx(1 + 0.3 * np.log(2.0), abs=1e-7)


def test_nothing_found():
    assert fuse([], plan(text=1.0), view(), limit=10) == ([], 0)
    assert fuse([RankedList.empty("text")], plan(text=1.0), view(), limit=10) == ([], 0)
    assert fuse([ranked("text", 5)], plan(text=1.0), view(), limit=0) == ([], 0)


def test_boost_starts_at_one_and_ends_at_the_cap():
    assert boosts(np.array([0.0, 4.2944, 1e6])).tolist() == pytest.approx([1.0, 1.5, 1.5], abs=1e-4)
    assert boosts(np.array([4.29]))[0] < 1.5


def test_file_value_is_the_best_five_with_decay():
    assert pytest.approx([1.0, 0.353553391, 0.192450090, 0.125, 0.089442719]) == DECAY.tolist()
    strengths = [6.0, 5.0, 5.0, 4.0, 3.0, 2.0, 2.0]
    index = SimpleNamespace(chunks=SimpleNamespace(files=np.array([1, 1, 1, 1, 1, 1, 3], np.uint32)))
    pool = Pool([ranked("text", 6, 0, 1, 2, 3, 4, 5, strengths=strengths)], [1.0], 40, index)
    # 1: 5 + 5 x 0.3536 + 4 x 0.1925 + 3 x 0.125 + 2 x 0.0894; the sixth chunk does not count
    assert pool.files.tolist() == [1, 3]
    assert pool.values[0].tolist() == pytest.approx([8.0914525, 6.0], abs=1e-6)
    assert pool.file_places[0].tolist() == [0, 1]
    assert pool.strengths()[0].tolist() == pytest.approx([1.0, 6.0 / 8.0914525])


def test_files_of_equal_value_follow_their_ids():
    pool = Pool([ranked("text", 9, 4, 7, strengths=[1.0, 1.0, 1.0])], [1.0], 40, view())
    assert pool.file_places[0].tolist() == list(range(len(pool.files)))


def test_best_per_file_keeps_the_order():
    files = np.array([5, 2, 5, 5, 2, 9])
    assert best_per_file(files, 1).tolist() == [0, 1, 5]
    assert best_per_file(files, 2).tolist() == [0, 1, 2, 4, 5]
    with pytest.raises(ValueError, match="at least 1"):
        best_per_file(files, 0)


def test_distinct_keeps_the_first_mention():
    twice = ranked("graph", 6, 2, 6, lines=[10, 20, 30], marks=("", "ambiguous", ""))
    once = distinct(twice)
    assert once.chunks.tolist() == [6, 2]
    assert once.lines.tolist() == [10, 20]
    assert once.marks == ("", "ambiguous")
    assert distinct(once) is once
