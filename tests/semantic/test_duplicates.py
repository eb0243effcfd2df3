"""Near-duplicate code: what is found, what is left out, and agreement with a comparison of every pair."""

from __future__ import annotations

import json
import random
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import quatrain
from quatrain.cli import main
from quatrain.errors import BadQuery
from quatrain.records import Filters
from quatrain.retrieval.duplicates import find_duplicates

WORDS = [
    "price",
    "cart",
    "order",
    "tax",
    "user",
    "token",
    "cache",
    "row",
    "index",
    "query",
    "path",
    "line",
    "node",
    "edge",
]


def function(seed: int, name: str) -> list[str]:
    """Return the lines of a function of about 150 tokens; another seed gives another one."""
    chance = random.Random(seed)
    pick = lambda: f"{chance.choice(WORDS)}_{chance.choice(WORDS)}"  # noqa: E731
    lines = [f"def {name}({pick()}, {pick()}):"]
    for _ in range(12):
        a, b, c = pick(), pick(), pick()
        lines.append(
            chance.choice(
                [
                    f"    {a} = {b}.{c}({chance.randrange(1000)}, {pick()})",
                    f"    if {a} > {b}[{c}]: {pick()} -= {chance.randrange(100)}",
                    f"    {a} = [{b} for {b} in {c} if {b} != '{pick()}']",
                    f"    for {a} in {b}: {c}.append({a} * {chance.randrange(50)})",
                ]
            )
        )
    return [*lines, f"    return {pick()}"]


def edited(lines: list[str], changes: int, seed: int) -> list[str]:
    """Replace so many lines by others."""
    chance, lines = random.Random(seed), list(lines)
    for at in chance.sample(range(1, len(lines) - 1), changes):
        lines[at] = f"    {chance.choice(WORDS)}_{chance.randrange(10**6)} = compute({chance.randrange(10**6)})"
    return lines


def write(folder: Path, files: dict[str, list[str]]) -> Path:
    for name, lines in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture
def repeated(tmp_path: Path) -> quatrain.Index:
    """One function in three files, one of them edited; another twice in one file; others once."""
    copied, twice = function(1, "charge"), function(2, "refund")
    apart = [line for i in range(6) for line in ["", "", *function(50 + i, f"other_{i}")]]
    files = {
        "shop/a/charge.py": copied,
        "shop/b/charge.py": copied,
        "shop/c/charge.py": edited(copied, 1, 5),
        "shop/refund.py": [*twice, *apart, "", "", *twice],
        "shop/charge.md": copied,
        **{f"lib/m{i}.py": function(100 + i, f"f{i}") for i in range(8)},
    }
    return quatrain.build(write(tmp_path / "p", files), workers=1, index_dir=tmp_path / "index")


def places(answer: quatrain.records.DuplicateResponse) -> list[list[str]]:
    return [[member.path for member in group.members] for group in answer.groups]


def test_copies_are_grouped_across_and_within_files(repeated: quatrain.Index) -> None:
    answer = repeated.duplicates()
    assert answer.status == "ok" and not answer.truncated and answer.cursor is None
    assert places(answer) == [
        ["shop/a/charge.py", "shop/b/charge.py", "shop/c/charge.py"],
        ["shop/refund.py", "shop/refund.py"],
    ]
    three, two = answer.groups
    assert 0.8 <= three.similarity < 1.0 and two.similarity == 1.0
    assert (answer.total, answer.pairs) == (2, 4)
    first = three.members[0]
    assert (first.start_line, first.end_line, first.symbol, first.language) == (1, 14, "charge.charge", "python")
    assert two.members[0].end_line < two.members[1].start_line
    assert json.loads(json.dumps(answer.to_dict()))["groups"][0]["members"][0]["path"] == "shop/a/charge.py"


def test_the_own_file_can_be_left_out(repeated: quatrain.Index) -> None:
    assert places(repeated.duplicates(include_own_file=False)) == [
        ["shop/a/charge.py", "shop/b/charge.py", "shop/c/charge.py"]
    ]


def test_thresholds_and_filters(repeated: quatrain.Index) -> None:
    equal = places(repeated.duplicates(similarity=1.0))
    assert sorted(equal) == [["shop/a/charge.py", "shop/b/charge.py"], ["shop/refund.py", "shop/refund.py"]]
    assert places(repeated.duplicates(paths=["!shop/a/charge.py", "!shop/refund.py"])) == [
        ["shop/b/charge.py", "shop/c/charge.py"]
    ]
    assert places(repeated.duplicates(paths=["lib/**"])) == []
    assert repeated.duplicates(paths=["lib/**"]).status == "no_match"
    assert repeated.duplicates(min_tokens=10_000).status == "no_match"
    everywhere = repeated.duplicates(content="all")
    assert places(everywhere)[0] == ["shop/a/charge.py", "shop/b/charge.py", "shop/c/charge.py", "shop/charge.md"]


def test_pages_join_to_the_whole(repeated: quatrain.Index) -> None:
    whole = repeated.duplicates(limit=None)
    pages, cursor = [], None
    while True:
        page = repeated.duplicates(limit=1, cursor=cursor)
        pages += page.groups
        assert page.total == whole.total and page.truncated == (page.cursor is not None)
        cursor = page.cursor
        if cursor is None:
            break
    assert tuple(pages) == whole.groups and len(pages) == 2


@pytest.mark.parametrize(
    "options",
    [{"similarity": 0.0}, {"similarity": 1.1}, {"min_tokens": 2}, {"limit": 0}, {"cursor": "next"}, {"cursor": "-1"}],
)
def test_bad_numbers_are_refused(repeated: quatrain.Index, options: dict[str, object]) -> None:
    with pytest.raises(BadQuery):
        repeated.duplicates(**options)


def test_an_index_without_vectors_says_so(tmp_path: Path) -> None:
    root = write(tmp_path / "p", {"a.py": function(1, "a"), "b.py": function(1, "a")})
    answer = quatrain.build(root, embedder="none", workers=1, index_dir=tmp_path / "index").duplicates()
    assert answer.status == "modality_unavailable" and answer.groups == () and "no vectors" in answer.notes[0]


def test_the_command_prints_each_place_once(repeated: quatrain.Index, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--index-dir", str(repeated.directory), str(repeated.root)]
    assert main(["duplicates", *where]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0].rsplit("/", 2)[-1] for line in out if line] == ["charge.py"] * 3 + ["refund.py"] * 2
    assert out[0].endswith("3 places, " + out[0].split("3 places, ")[1]) and ":1: " in out[0]
    assert main(["duplicates", "--other-files", "--json", *where]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 1
    assert main(["duplicates", "--min-tokens", "9999", *where]) == 1
    assert main(["duplicates", "--similarity", "2", *where]) == 2


# --- truth -----------------------------------------------------------------------------------------------------------


def resemblance(a: str, b: str) -> float:
    """Jaccard index of the token trigrams, by sets of tuples."""
    first, second = (
        {tuple(tokens[i : i + 3]) for i in range(len(tokens) - 2)}
        for tokens in (re.findall(r"[A-Za-z_]\w*|\d+|[^\s\w]", text) for text in (a, b))
    )
    return len(first & second) / len(first | second)


def test_the_pairs_are_those_of_a_comparison_of_all_texts_and_codes(tmp_path: Path) -> None:
    """One function a file, copies edited more and more; each pair measured by sets of tuples and by unpacked bits."""
    files = {}
    for seed in range(14):
        origin = function(seed, f"f{seed}")
        files[f"m{seed}/part.py"] = origin
        for changes in range(1, 6):
            files[f"m{seed}/copy{changes}/part.py"] = edited(origin, changes, 1000 * seed + changes)
    index = quatrain.build(write(tmp_path / "p", files), workers=1, index_dir=tmp_path / "index")
    paths = index.view.documents.paths
    assert index.status().counts["chunks"] == len(paths) == len(files)
    texts = ["\n".join(files[path]) for path in paths]
    bits = np.unpackbits(index.view.vectors.codes, axis=1)
    values = {(a, b): resemblance(texts[a], texts[b]) for a, b in combinations(range(len(paths)), 2)}
    for similarity, distance in ((0.55, 1.0), (0.8, 1.0), (0.55, 0.2), (0.8, 0.1)):
        expected = {
            (a, b)
            for (a, b), value in values.items()
            if value >= similarity and (bits[a] != bits[b]).sum() <= distance * bits.shape[1]
        }
        assert len(expected) > 10
        joined = {a: {a} for a in range(len(paths))}
        for a, b in sorted(expected):
            union = joined[a] | joined[b]
            joined.update(dict.fromkeys(union, union))
        groups = {frozenset(paths[a] for a in group) for group in joined.values() if len(group) > 1}
        found = find_duplicates(index.view, similarity=similarity, distance=distance, filters=Filters())
        assert found.pairs == len(expected)
        assert {frozenset(m.path for m in group.members) for group in found.groups} == groups
        least = min(values[pair] for pair in expected)
        assert min(group.similarity for group in found.groups) == pytest.approx(least)
