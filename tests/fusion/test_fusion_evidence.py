"""The evidence step: every part named, bounded, switchable; and the arithmetic that explains it."""

from __future__ import annotations

import numpy as np
import pytest

from quatrain.errors import BadQuery
from quatrain.fusion import fuse
from quatrain.fusion.evidence import CONSTANTS, EVIDENCE_INTENTS, MULTIPLIERS, SUMMANDS
from quatrain.fusion.explain import arithmetic, recompute
from quatrain.query.terms import query_terms
from quatrain.records import RankedList
from small_index import plan, small_view

LONG = "\n".join(f"def filler_{i}(value):\n    return value + {i} * {i}\n\n" for i in range(80))
FILES = {
    "app/auth/login.py": "from app.auth.tokens import make_token\n\n\ndef sign(user):\n    return make_token(user)\n",
    "app/auth/tokens.py": "def make_token(user):\n    return user\n",
    "app/long.py": LONG,
    "app/session.py": "class Session:\n    def start(self):\n        pass\n",
    "app/v1/session.py": "class OldSession:\n    pass\n",
    "app/v2/session.py": "class NewSession:\n    pass\n",
    "tests/test_session.py": "def test_session():\n    assert True\n",
    "vendor/session.py": "class Session:\n    pass\n",
}


@pytest.fixture(scope="module")
def view():
    return small_view(FILES)


def ranked(view, modality, *hits, coverage=None):
    """Return a list from (path, strength) or (path, chunk of the file, strength)."""
    chunks, strengths = [], []
    for path, *rest in hits:
        first = view.chunks.of_file(view.documents.file_id(path)).start
        chunks.append(first + (rest[0] if len(rest) == 2 else 0))
        strengths.append(rest[-1])
    ids = np.array(chunks, np.int64)
    return RankedList(
        modality,
        ids,
        view.chunks.files[ids].astype(np.int64),
        np.array(strengths, np.float64),
        view.chunks.start_lines[ids].astype(np.int64),
        coverage=None if coverage is None else np.array(coverage),
    )


def paths(view, fusion):
    return [view.documents.path(hit.file) for hit in fusion.hits]


def only(**weights):
    """Return overrides that switch everything off but the given parts."""
    return {name: 0.0 for name in SUMMANDS} | weights


def parts(hit):
    return {name: value for name, value in hit.factors.items() if value}


def test_fused_is_the_share_of_the_best_possible(view):
    lists = [
        ranked(view, "text", ("app/session.py", 2.0), ("app/long.py", 1.0)),
        ranked(view, "structural", ("app/session.py", 1.0)),
    ]
    answer = fuse(plan("zzz"), lists, view, limit=5, evidence=only(fused=1.0))
    # Best possible: (0.5 + 0.5) / 41.  The second: 0.5 / 42 of it.
    assert [hit.factors["fused"] for hit in answer.hits] == pytest.approx([1.0, 0.5 * 41 / 42])
    assert answer.hits[0].sources == {"text": (0, 0.5 / 41), "structural": (0, 0.5 / 41)}
    assert answer.total == 2


def test_ranks_are_those_of_files_whose_five_best_chunks_add_up(view):
    lists = [
        ranked(
            view,
            "text",
            ("app/session.py", 1.0),
            ("app/long.py", 0, 0.9),
            ("app/long.py", 1, 0.9),
            ("app/long.py", 2, 0.9),
        )
    ]
    answer = fuse(plan("zzz"), lists, view, limit=5, evidence=only(fused=1.0, text=1.0))
    assert paths(view, answer) == ["app/long.py", "app/session.py"]
    assert answer.hits[0].sources["text"] == (0, 0.5 / 41)
    # Strength over the best: 1.0 / (0.9 x (1 + 2 ** -1.5 + 3 ** -1.5))
    assert answer.hits[1].factors["text"] == pytest.approx(1 / (0.9 * (1 + 2**-1.5 + 3**-1.5)))


def test_the_chunk_shown_has_the_largest_sum_of_contributions(view):
    lists = [
        ranked(view, "text", ("app/long.py", 0, 3.0), ("app/long.py", 2, 2.0)),
        ranked(view, "structural", ("app/long.py", 2, 1.0)),
    ]
    first = view.chunks.of_file(view.documents.file_id("app/long.py")).start
    assert fuse(plan("zzz"), lists, view, limit=5).hits[0].chunk == first + 2
    assert fuse(plan("zzz"), lists[:1], view, limit=5).hits[0].chunk == first


def test_further_chunks_are_scaled_by_their_share(view):
    lists = [ranked(view, "text", ("app/long.py", 0, 3.0), ("app/long.py", 2, 2.0), ("app/session.py", 0.1))]
    answer = fuse(plan("zzz"), lists, view, limit=5, per_file=2, evidence=only(text=1.0))
    first = view.chunks.of_file(view.documents.file_id("app/long.py")).start
    assert [hit.chunk for hit in answer.hits[:2]] == [first, first + 2]
    assert answer.hits[1].factors["further_chunk"] == pytest.approx(41 / 42)
    assert answer.hits[1].score == pytest.approx(answer.hits[0].score * 41 / 42)
    assert answer.total == 2
    assert len(fuse(plan("zzz"), lists, view, limit=1, per_file=2).hits) == 1


def test_name_and_folder(view):
    lists = [ranked(view, "text", ("app/auth/login.py", 1.0), ("app/auth/tokens.py", 1.0), ("app/session.py", 1.0))]
    question = plan("authentication tokens")
    answer = fuse(question, lists, view, limit=5, evidence=only(name=1.0, folder=1.0))
    by_path = dict(zip(paths(view, answer), (parts(hit) for hit in answer.hits), strict=True))
    assert by_path["app/auth/tokens.py"] == {"name": 1.0}
    # The folder "auth" is no whole word of the question, so it does not count; only file names match by their
    # beginning.
    assert by_path["app/auth/login.py"] == {}
    named = fuse(plan("auth login"), lists, view, limit=5, evidence=only(folder=1.0))
    terms = {term.text: term.idf for term in query_terms(plan("auth login"), view)}
    assert named.hits[0].factors["folder"] == pytest.approx(terms["auth"] / sum(terms.values()))


def test_coverage_is_the_largest_of_a_file(view):
    lists = [
        ranked(
            view,
            "text",
            ("app/long.py", 0, 3.0),
            ("app/long.py", 1, 2.0),
            ("app/session.py", 1.0),
            coverage=[0.7, 0.2, 0.4],
        )
    ]
    answer = fuse(plan("zzz"), lists, view, limit=5, evidence=only(coverage=1.0))
    assert [hit.factors.get("coverage") for hit in answer.hits] == pytest.approx([0.7, 0.4])


def test_definition_of_an_identifier(view):
    lists = [ranked(view, "text", ("app/session.py", 1.0), ("app/auth/tokens.py", 1.0), ("app/long.py", 1.0))]
    named = plan("make_token", "find_definition", ("make_token",))
    answer = fuse(named, lists, view, limit=5, evidence=only(definition=1.0))
    assert (paths(view, answer)[0], parts(answer.hits[0])) == ("app/auth/tokens.py", {"definition": 0.85})
    folded = fuse(plan("how does makeToken work"), lists, view, limit=5, evidence=only(definition=1.0))
    assert folded.hits[0].factors["definition"] == pytest.approx(0.85 * CONSTANTS["folded"])
    prose = fuse(plan("how does session work"), lists, view, limit=5, evidence=only(definition=1.0))
    assert all("definition" not in hit.factors for hit in prose.hits)


def test_used_by_the_best(view):
    lists = [ranked(view, "text", ("app/auth/login.py", 1.0), ("app/auth/tokens.py", 0.1), ("app/session.py", 0.1))]
    answer = fuse(plan("zzz"), lists, view, limit=5, evidence=only(used_by_best=1.0))
    assert (paths(view, answer)[0], parts(answer.hits[0])) == ("app/auth/tokens.py", {"used_by_best": 1.0})


def test_multipliers(view):
    names = ("app/session.py", "app/v1/session.py", "tests/test_session.py", "vendor/session.py")
    lists = [ranked(view, "text", *((name, 1.0) for name in names))]
    answer = fuse(plan("zzz"), lists, view, limit=5, evidence=only(text=1.0))
    scores = dict(zip(paths(view, answer), (hit.score for hit in answer.hits), strict=True))
    assert scores == pytest.approx(
        {
            "app/session.py": 1.0, "app/v1/session.py": 0.75, "tests/test_session.py": 0.65, "vendor/session.py": 0.5,
        }
    )  # fmt: skip
    assert {name for hit in answer.hits for name in parts(hit)} == {"text", "older_version", "test", "demoted"}
    wanted = fuse(plan("zzz", wants_tests=True), lists, view, limit=5, evidence=only(text=1.0))
    assert paths(view, wanted)[:2] == ["app/session.py", "tests/test_session.py"]


def test_intents_without_the_step_get_ranks_alone(view):
    lists = [ranked(view, "text", ("tests/test_session.py", 1.0), ("app/session.py", 0.5), ("vendor/session.py", 0.4))]
    for intent in ("find_references", "impact_analysis", "exact_match"):
        assert intent not in EVIDENCE_INTENTS
        answer = fuse(plan("Session", intent, ("Session",)), lists, view, limit=5)
        assert paths(view, answer) == ["tests/test_session.py", "app/session.py", "vendor/session.py"]
        assert [hit.score for hit in answer.hits] == pytest.approx([0.5 / 41, 0.5 / 42, 0.25 / 43])
        assert [hit.factors for hit in answer.hits] == [{}, {}, {"demoted": 0.5}]


def test_pasted_code_has_no_step(view):
    lists = [ranked(view, "text", ("app/long.py", 1.0), ("app/session.py", 0.5))]
    pasted = plan("session = Session()\nsession.start()", "find_similar")
    assert [hit.factors for hit in fuse(pasted, lists, view, limit=5).hits] == [{}, {}]
    said = fuse(plan("code like a session", "find_similar"), lists, view, limit=5)
    assert "name" in parts(said.hits[paths(view, said).index("app/session.py")])


def test_without_evidence_the_formula_alone(view):
    lists = [ranked(view, "text", ("app/long.py", 0, 3.0), ("app/session.py", 2.0), ("app/long.py", 1, 1.0))]
    answer = fuse(plan("session"), lists, view, limit=5, evidence=False)
    assert [hit.score for hit in answer.hits] == [0.5 / 41, 0.5 / 42]
    assert all(hit.factors == {} for hit in answer.hits)


def test_every_part_is_bounded(view):
    lists = [
        ranked(view, "text", *((path, 5.0) for path in sorted(FILES)), coverage=[1.0] * len(FILES)),
        ranked(view, "semantic", *((path, 0.3) for path in sorted(FILES))),
    ]
    question = plan(
        "Session make_token auth login session", weights={"text": 0.5, "semantic": 0.5}, subjects=("Session",)
    )
    for hit in fuse(question, lists, view, limit=20).hits:
        for name, value in parts(hit).items():
            assert 0 < value <= (CONSTANTS[name] if name in SUMMANDS else 1.0), name


@pytest.mark.parametrize("name", [*SUMMANDS, "test", "header", "older_version"])
def test_every_part_can_be_switched_off(view, name):
    lists = [
        ranked(
            view, "text", *((path, 5.0 - i) for i, path in enumerate(sorted(FILES)[:5])), ("tests/test_session.py", 0.1)
        ),
        ranked(view, "semantic", ("app/session.py", 0.3), ("tests/test_session.py", 0.2)),
    ]
    question = plan("Session make_token", weights={"text": 0.5, "semantic": 0.5})
    answer = fuse(question, lists, view, limit=20, evidence={name: 0.0})
    assert all(hit.factors.get(name, 0.0 if name in SUMMANDS else 1.0) in (0.0, 1.0) for hit in answer.hits)
    assert all(recompute(hit) == pytest.approx(hit.score) for hit in answer.hits)


def test_unknown_part_is_refused(view):
    with pytest.raises(BadQuery, match="no evidence named fodler; known: fused, text"):
        fuse(plan("q"), [ranked(view, "text", ("app/long.py", 1.0))], view, limit=5, evidence={"fodler": 0.0})


def test_equal_scores_follow_the_path(view):
    lists = [ranked(view, "text", ("app/session.py", 1.0), ("app/auth/login.py", 1.0))]
    assert paths(view, fuse(plan("zzz"), lists, view, limit=5, evidence=only(text=1.0))) == [
        "app/auth/login.py",
        "app/session.py",
    ]


def test_nothing_found(view):
    assert fuse(plan("q"), [], view, limit=5) == ([], 0)
    assert fuse(plan("q"), [RankedList.empty("text")], view, limit=5) == ([], 0)


@pytest.mark.parametrize("evidence", [True, False])
def test_the_explanation_adds_up(view, evidence):
    lists = [
        ranked(view, "text", ("vendor/session.py", 2.0), ("app/session.py", 1.5), coverage=[0.5, 1.0]),
        ranked(view, "structural", ("app/session.py", 1.0)),
    ]
    answer = fuse(plan("Session", "find_definition", ("Session",)), lists, view, limit=5, evidence=evidence)
    for hit in answer.hits:
        assert recompute(hit) == pytest.approx(hit.score, abs=1e-12)
        head, *rest = arithmetic(hit)
        assert head.startswith(f"score {hit.score:.4f}"[:10])
        assert sum(f"{name}:" in line for name in hit.factors for line in rest) >= len(hit.factors)
        for modality, (rank, _) in hit.sources.items():
            assert any(line.startswith(f"  {modality}: rank {rank}, ") for line in rest)
    assert any("demoted" in line for hit in answer.hits for line in arithmetic(hit))


def test_tables_agree():
    assert set(SUMMANDS) <= set(CONSTANTS)
    assert set(MULTIPLIERS) - {"demoted"} <= set(CONSTANTS)
