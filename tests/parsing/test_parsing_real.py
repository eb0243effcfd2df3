"""Symbols of real files, each row of which was read against its source: pinned packages, one or more files a language.

The packages are downloaded once (``tests/corpora.py``); a file whose package cannot be had is skipped with that reason.  The facts are kept
and the sources are not: ``golden/real.tsv`` has the package, file, line of the name, last line, kind, qualified name, visibility and
parameters of every symbol.  ``QUATRAIN_UPDATE_GOLDEN=1`` rewrites the table; read what changed against the source.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from pathlib import Path

import pytest

import corpora
from quatrain.parsing.parse import parse_source

TABLE = Path(__file__).parent / "golden" / "real.tsv"
COLUMNS = ("package", "file", "language", "line", "end_line", "kind", "qualified_name", "visibility", "parameters")
LANGUAGES = (
    *("python", "javascript", "typescript", "tsx", "go", "rust", "java", "c", "cpp", "csharp", "ruby", "php", "kotlin"),
    *("swift", "scala", "lua", "elixir", "haskell", "ocaml", "zig", "bash", "dart", "julia", "r", "sql", "hcl"),
)  # fmt: skip

Row = tuple[str, ...]


def read() -> dict[tuple[str, str, str], list[Row]]:
    rows: dict[tuple[str, str, str], list[Row]] = {}
    with TABLE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            rows.setdefault((row["package"], row["file"], row["language"]), []).append(
                tuple(row[c] for c in COLUMNS[3:])
            )
    return rows


GOLD = read()


@pytest.fixture(scope="module")
def folders() -> dict[str, Path | str]:
    wanted: dict[str, set[str]] = {}
    for package, file, _ in GOLD:
        wanted.setdefault(package, set()).add(file)
    return corpora.files(wanted)


def symbols(path: Path, file: str, language: str) -> list[Row]:
    return [
        (str(s.line), str(s.end_line), s.kind, s.qualified_name, s.visibility, ",".join(s.parameters))
        for s in parse_source(file, language, path.read_bytes()).symbols
    ]


@pytest.mark.parametrize("key", sorted(GOLD), ids=lambda key: f"{key[2]}-{key[1].rpartition('/')[2]}")
def test_symbols_of_a_real_file(key: tuple[str, str, str], folders: dict[str, Path | str]) -> None:
    package, file, language = key
    folder = folders[package]
    if isinstance(folder, str):
        pytest.skip(folder)
    said = symbols(folder / file, file, language)
    if os.environ.get("QUATRAIN_UPDATE_GOLDEN") == "1":
        GOLD[key] = said
        lines = ["\t".join(COLUMNS), *("\t".join((*k, *row)) for k in GOLD for row in GOLD[k])]
        TABLE.write_text("\n".join(lines) + "\n", "utf-8")
    missed, extra = Counter(GOLD[key]) - Counter(said), Counter(said) - Counter(GOLD[key])
    assert not missed and not extra, f"missing {sorted(missed)[:10]}, new {sorted(extra)[:10]}"
    assert said == GOLD[key]  # and in this order


def test_every_language_has_rows() -> None:
    counts = Counter({language: 0 for language in LANGUAGES})
    for (_, _, language), rows in GOLD.items():
        counts["ocaml" if language == "ocaml_interface" else language] += len(rows)
    assert set(counts) == set(LANGUAGES)
    assert min(counts.values()) >= 15, counts
