"""Random samples of definitions, to be read by hand where no other tool is a good oracle.

``python -m benchmarks structure --sample LANGUAGE FOLDER --seed N`` draws 50 rows: half of them definitions that we report (is each
one right?), half lines that a loose regular expression takes for definitions (is each one reported?).  The verdicts are
written into the file by a reader; ``python -m benchmarks structure --verdicts FOLDER`` counts them.
"""

from __future__ import annotations

import csv
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quatrain.files.languages import language_of
from quatrain.parsing.parse import parse_source
from quatrain.records import Symbol

Row = tuple[str, int, Sequence[Symbol], Sequence[Symbol], bytes]  # path, line, defined there, defined around it, source

__all__ = ["FIELDS", "LOOSE", "draw", "print_verdicts", "read_verdicts", "sample_files"]

FIELDS = ("file", "line", "drawn", "reported", "verdict", "source")
ROWS = 50
LEFT_OUT = re.compile(
    r"(?:^|/)(?:test[-_]?data|tests?|__tests__|fixtures|vendor|third_party|node_modules)/", re.IGNORECASE
)
# What may begin a definition, told by its line alone: broad on purpose, so that nothing hides from both sides.
LOOSE = {
    "csharp": re.compile(
        rb"^\s*(?!new\s)(?:\[[^\]]*\]\s*)*(?:(?:public|private|protected|internal|static|abstract|sealed|override|virtual|async|partial|"
        rb"readonly|const|extern|unsafe|new|event|volatile|delegate|implicit|explicit)\s+)+[^=;(]*|"
        rb"^\s*(?:class|struct|interface|enum|record|namespace)\s+\w+"
    ),
    "kotlin": re.compile(
        rb"^\s*(?:@\S+\s+)*(?:(?:public|private|protected|internal|open|abstract|final|override|data|sealed|inline|suspend|operator|"
        rb"infix|tailrec|external|const|lateinit|companion|enum|annotation|inner|actual|expect|value)\s+)*"
        rb"(?:fun|class|interface|object|typealias|constructor)\b|^ {0,4}(?:(?:[a-z]+|@\w+)\s+)*va[lr]\s"
    ),
    "swift": re.compile(
        rb"^\s*(?:@\S+\s+)*(?:(?:public|private|fileprivate|internal|open|static|final|override|mutating|nonmutating|lazy|weak|required|"
        rb"convenience|indirect|class|dynamic|unowned|optional)(?:\(set\))?\s+)*"
        rb"(?:func|class|struct|enum|protocol|extension|actor|init|deinit|subscript|typealias|associatedtype|operator|macro)\b|"
        rb"^ {0,4}(?:(?:@\w+|public|private|fileprivate|internal|open|static|lazy|weak|override|final)(?:\(\w+\))?\s+)*"
        rb"(?:var|let)\s|^\s*(?:indirect\s+)?case\s+\w+\s*(?:[,(=]|//|$)"
    ),
    "scala": re.compile(
        rb"^\s*(?:@\S+\s+)*(?:(?:private|protected|override|final|sealed|abstract|implicit|lazy|case|inline|opaque)(?:\[\w+\])?\s+)*"
        rb"(?:def|class|object|trait|val|var|type|given|enum|package)\b"
    ),
    "elixir": re.compile(rb"^\s*(?:def\w*|@(?!(?:doc|moduledoc|typedoc|spec|impl|since|deprecated|behaviour|dialyzer|compile|derive)\b)\w+)\s"),
    "lua": re.compile(rb"^\s*(?:local\s+)?function\b|^\s*(?:local\s+)?[\w.:\[\]\"', ]+\s*=\s*function\b|^(?:local\s+)?\w[\w.:, ]*="),
    "haskell": re.compile(
        rb"^(?:data|newtype|type|class|instance|foreign|pattern)\b|^\s*(?:[a-z_]\w*'*|\([^\w\s()]+\))(?:\s*,\s*\S+)*\s*::|"
        rb"^[a-z_]\w*'*\b[^:]*=|^\s*[|=]\s*[A-Z]\w*"
    ),
    "zig": re.compile(
        rb"^\s*(?:pub\s+|export\s+|extern\s+(?:\"\w+\"\s+)?|inline\s+|noinline\s+|comptime\s+|threadlocal\s+)*(?:fn|test)\b|"
        rb"^(?: {4})?(?:pub\s+)?(?:const|var)\b|"
        rb"^\s*(?:[a-z_]\w*|@\"[^\"]+\")\s*(?::[^=]*)?(?:=[^=>].*)?,\s*$"
    ),
}  # fmt: skip


def sample_files(folder: Path, language: str) -> list[tuple[str, bytes]]:
    """Return (path, content) of the files of a language, but those of tests and test data, in order."""
    files = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not path.is_file() or path.stat().st_size > 1 << 20 or LEFT_OUT.search(name):
            continue
        data = path.read_bytes()
        if language_of(name, data[:2000]) == language:
            files.append((name, data))
    return files


def draw(language: str, folder: Path, seed: int) -> int:
    """Write a sample without verdicts to standard output as tab-separated rows."""
    reported: list[Row] = []
    loose: list[Row] = []
    for name, data in sample_files(folder, language):
        at_line: dict[int, list[Symbol]] = defaultdict(list)
        symbols = parse_source(name, language, data).symbols
        for symbol in symbols:
            at_line[symbol.line].append(symbol)
        lines = data.split(b"\n")
        reported += [(name, s.line, [s], [], lines[s.line - 1]) for s in symbols]
        for number, line in enumerate(lines, 1):
            if LOOSE[language].match(line):
                # Without a definition of its own the line may be one more clause of what it stands in.
                around = [s for s in symbols if s.start_line <= number <= s.end_line]
                loose.append((name, number, at_line[number], around[-1:], line))
    generator = random.Random(seed)
    rows = [("reported", row) for row in generator.sample(reported, min(ROWS // 2, len(reported)))]
    rows += [("line", row) for row in generator.sample(loose, min(ROWS // 2, len(loose)))]
    writer = csv.writer(sys.stdout, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n")
    writer.writerow(FIELDS)
    for drawn, (name, number, defined, around, line) in rows:
        said = ", ".join(f"{s.kind} {s.qualified_name}" for s in defined)
        said = said or "".join(f"(in {s.kind} {s.qualified_name})" for s in around)
        source = " ".join(line.decode("utf-8", "replace").split())[:200]
        writer.writerow((name, number, drawn, said, "", source))
    return 0


def read_verdicts(table: Path) -> Counter[tuple[str, str]]:
    """Return how often each (drawn, verdict) stands in a table.

    Raises
    ------
    ValueError
        A row has no verdict, or one that its half of the sample cannot have.
    """
    allowed = {"reported": ("right", "wrong"), "line": ("right", "missed", "not-a-definition")}
    counts: Counter[tuple[str, str]] = Counter()
    with table.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["verdict"] not in allowed[row["drawn"]]:
                raise ValueError(f"{table.name}: {row['file']}:{row['line']} has the verdict {row['verdict']!r}")
            counts[row["drawn"], row["verdict"]] += 1
    return counts


def print_verdicts(folder: Path) -> list[dict[str, Any]]:
    """Return and print precision and recall of each table of a folder."""
    rows = []
    print(
        f"{'language':12}{'reported':>10}{'right':>7}{'precision':>11}{'lines':>8}{'right':>7}{'missed':>8}{'recall':>9}"
    )
    for table in sorted(folder.glob("*.tsv")):
        counts = read_verdicts(table)
        right, wrong = counts["reported", "right"], counts["reported", "wrong"]
        found, missed, none = (counts["line", verdict] for verdict in ("right", "missed", "not-a-definition"))
        precision, recall = right / max(1, right + wrong), found / max(1, found + missed)
        print(
            f"{table.stem:12}{right + wrong:10}{right:7}{precision:11.3f}{found + missed + none:8}{found:7}{missed:8}{recall:9.3f}"
        )
        rows.append({"language": table.stem, "precision": precision, "recall": recall, "right": right + found})
    return rows
