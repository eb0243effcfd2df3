"""Calls of real packages against the calls that a type checker resolves in them."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SURE = {"T0", "T1", "T2", "T3"}


def folder(variable: str) -> Path:
    """Return the folder that an environment variable names."""
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} is not set: it names the folder with the truth (QUATRAIN_GOLD) or with the packages")
    assert Path(value).is_dir(), f"{variable} is no folder"
    return Path(value)


def table(path: Path) -> list[dict[str, str]]:
    """Read a table with a header."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


@pytest.mark.parametrize("package", ["flask", "requests", "click"])
def test_calls_of_a_package(package: str, tmp_path: Path) -> None:
    truth = table(folder("QUATRAIN_GOLD") / f"py_{package}.tsv")
    sources = folder("QUATRAIN_GOLD_SOURCES")
    edges = tmp_path / "edges.tsv"
    command = [sys.executable, "-m", "benchmarks", "graph", "--root", str(sources), "--only", f"{package}/"]
    done = subprocess.run(
        [*command, "--edges", str(edges)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    known: set[tuple[str, int, int]] = set()
    wanted: dict[tuple[str, int, int], set[tuple[str, str]]] = defaultdict(set)
    for row in truth:
        site = row["file"], int(row["line"]), int(row["col"])
        if row["kind"] in ("internal", "external"):
            known.add(site)
        if row["kind"] == "internal":
            wanted[site].add((row["caller"], row["callee"]))
    right = {(*site, *pair) for site, pairs in wanted.items() for pair in pairs}
    found = {
        (row["file"], int(row["line"]), int(row["column"]), row["caller"], row["callee"])
        for row in table(edges)
        if row["tier"] in SURE and (row["file"], int(row["line"]), int(row["column"])) in known
    }
    assert len(right) > 100
    precision, recall = len(found & right) / max(len(found), 1), len(found & right) / len(right)
    assert precision >= 0.99, sorted(found - right)
    assert recall >= 0.96, sorted(right - found)
