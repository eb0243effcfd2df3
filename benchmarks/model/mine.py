"""Mine (description, code) pairs from archives, and build the pools of the validation and test packages.

    python benchmarks/model/mine.py ARCHIVES OUTPUT

ARCHIVES is what download.py filled.  Writes OUTPUT/pairs.jsonl (training), OUTPUT/validation-LANGUAGE.jsonl and
OUTPUT/test-LANGUAGE.jsonl (every function of the held-out packages, with its description if it has one),
OUTPUT/provenance.tsv.

Left out: vendored code, tests, generated files; archives whose licence names the GPL, LGPL, AGPL or MPL; functions
that also occur, up to white space, in a validation or test package, and descriptions that are used as questions
there.
"""

from __future__ import annotations

import argparse
import json
import re
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import numpy as np
from extract import LANGUAGES, functions, question

HERE = Path(__file__).parent
SKIP = re.compile(
    r"(^|/)(tests?|testing|testdata|_?vendor(ed)?|_vendored_packages|third[_-]?party|3rdparty|deps|contrib|node_modules|fixtures|spec"
    r"|examples?|samples?|benchmarks?|bench|dist|docs?|_generated|\.pc)/|(^|/)(test_[^/]*|conftest)\.py$|_test\.go$"
    r"|[._](spec|test)\.[jt]sx?$|_pb2(_grpc)?\.py$|\.pb\.(go|h|cc)$|zz_generated|\.min\.js$|\.d\.ts$"
)
COPYLEFT = re.compile(r"\b[AL]?GPL|GNU (Lesser |Affero |Library )?General Public|Mozilla Public|\bMPL\b", re.I)
# Names a licence that may be chosen instead of a copyleft one.
CHOICE = re.compile(r"\bor\b[^.]{0,80}\b(MIT|BSD|Apache)|\b(MIT|BSD|Apache)[^.]{0,80}\bor\b", re.I)
# Read by hand in the archive, where the first lines of its licence files name only one choice or none.
STATED = {"mosquitto": "BSD-3-Clause (EDL-1.0) or EPL-2.0", "ruby3.3": "BSD-2-Clause or Ruby"}
NOISE = re.compile(
    r"copyright|licen[cs]e|inheritdoc|eslint|rubocop|nolint|noinspection|pylint|\btodo\b|\bfixme\b|\bxxx\b|deprecated|@ts-|clang-format"
    r"|prettier-ignore|istanbul",
    re.I,
)
WORD = re.compile(r"[A-Za-z]{2,}")
MAX_FILE, MAX_PAIRS, MAX_POOL = 600_000, 4000, 20_000


def members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (path, bytes) of the source files and licence files of an archive, by path."""
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as z:
            for name in sorted(z.namelist()):
                if wanted(name) and z.getinfo(name).file_size <= MAX_FILE:
                    yield name, z.read(name)
    else:
        with tarfile.open(archive) as t:
            for member in t:
                if member.isfile() and wanted(member.name) and member.size <= MAX_FILE:
                    yield member.name, t.extractfile(member).read()


def wanted(name: str) -> bool:
    base = name.rsplit("/", 1)[-1]
    if base in ("METADATA", "PKG-INFO", "package.json", "composer.json", "Cargo.toml") or re.match(
        r"(LICEN[CS]E|COPYING|COPYRIGHT)", base
    ):
        return name.count("/") <= 2
    return "." + base.rsplit(".", 1)[-1] in LANGUAGES and not SKIP.search(name)


def licence_of(name: str, data: bytes) -> str:
    """Return the licence that a metadata or licence file names, or ""."""
    base, text = name.rsplit("/", 1)[-1], data.decode("utf-8", "ignore")
    if base in ("METADATA", "PKG-INFO"):
        found = re.findall(r"^(?:License-Expression|License): (.{1,80})", text, re.M)[:1]
        return " | ".join(found + re.findall(r"^Classifier: License :: (?:OSI Approved :: )?(.*)", text, re.M)[:2])
    if base in ("package.json", "composer.json"):
        try:
            return str(json.loads(text).get("license") or "")
        except (ValueError, AttributeError):
            return ""
    if base == "Cargo.toml":
        return "".join(re.findall(r'^license\s*=\s*"([^"]*)"', text, re.M)[:1])
    for label, pattern in (
        ("AGPL", "Affero General Public"), ("LGPL", "(Lesser|Library) General Public"), ("GPL", "GNU General Public"),
        ("MPL", "Mozilla Public"), ("EPL", "Eclipse Public"),
        ("Apache-2.0", r"Apache License,?\s+Version 2|apache.org/licenses"),
        ("BSL-1.0", "Boost Software"), ("MIT", "Permission is hereby granted, free of charge"),
        ("BSD", "Redistribution and use in source and binary"),
        ("ISC", "Permission to use, copy, modify,? and(/or)? distribute"),
        ("PostgreSQL", "PostgreSQL"), ("zlib", "This software is provided .as-is."), ("public domain", "public domain"),
    ):  # fmt: skip
        if re.search(pattern, text[:3000], re.I):
            return label
    return ""


def key_of(code: str) -> bytes:
    return blake2b(re.sub(r"\s+", " ", code).encode("utf-8", "replace"), digest_size=8).digest()


def usable(sentence: str) -> bool:
    return len(WORD.findall(sentence)) >= 3 and len(sentence) <= 300 and not NOISE.search(sentence)


def read(archive: Path, language: str) -> tuple[str, list[dict[str, str]]]:
    """Return the licence and every function of at least two lines."""
    licences: list[str] = []
    rows: list[dict[str, str]] = []
    seen: set[bytes] = set()
    family = {"c": {"c"}, "cpp": {"cpp", "c"}, "javascript": {"javascript", "typescript", "tsx"}}.get(
        language, {language}
    )
    for name, data in members(archive):
        parsed_as = LANGUAGES.get("." + name.rsplit(".", 1)[-1])
        if parsed_as is None or re.match(r"(LICEN[CS]E|COPYING|COPYRIGHT)", name.rsplit("/", 1)[-1]):
            licences.append(licence_of(name, data))
            continue
        if parsed_as not in family or len(rows) >= MAX_POOL:
            continue
        if language == "cpp":
            parsed_as = "cpp"
        for function in functions(parsed_as, data.decode("utf-8", "ignore")):
            key = key_of(function.code)
            if function.code.count("\n") < 1 or len(function.code) < 40 or key in seen:
                continue
            seen.add(key)
            rows.append(
                {
                    "n": function.name,
                    "c": function.code[:4000],
                    "d": function.description,
                    "path": "/".join(name.split("/")[-3:]),
                }
            )
    return " | ".join(dict.fromkeys(x for x in licences if x)), rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    packages = [line.split("\t") for line in (HERE / "packages.tsv").read_text().splitlines()[1:]]
    held, questions = set(), set()
    for role in ("validation", "test"):
        pools: dict[str, list[dict[str, str]]] = {}
        for registry, language, package, its_role in packages:
            if its_role == role:
                for archive in archives_of(options.archives, registry, package):
                    for row in read(archive, language)[1]:
                        if row["c"].count("\n") >= 2 and len(row["c"]) >= 60:
                            pools.setdefault(language, []).append({**row, "p": package})
        for language, rows in pools.items():
            held.update(key_of(row["c"]) for row in rows)
            questions.update(question(row["n"], row["d"]).lower() for row in rows if row["d"])
            write(options.output / f"{role}-{language}.jsonl", rows)
            print(role, language, len(rows), sum(bool(row["d"]) for row in rows), flush=True)
    provenance, taken, pairs = ["archive\tlicence\tpairs"], set(), 0
    with (options.output / "pairs.jsonl").open("w") as out:
        for registry, language, package, role in packages:
            if role != "train":
                continue
            for archive in archives_of(options.archives, registry, package):
                try:
                    licence, rows = read(archive, language)
                except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile) as error:
                    print("UNREADABLE", archive.name, error, flush=True)
                    continue
                licence = " ".join(STATED.get(package, licence).split())
                if not licence or (COPYLEFT.search(licence) and not CHOICE.search(licence)):
                    print("LEFT OUT", archive.name, licence or "no licence found", flush=True)
                    continue
                kept, sentences = [], Counter()
                for row in rows:
                    sentence, key = question(row["n"], row["d"]) if row["d"] else "", key_of(row["c"])
                    if usable(sentence) and sentence.lower() not in questions and key not in held and key not in taken:
                        sentences[sentence.lower()] += 1
                        if sentences[sentence.lower()] <= 2:
                            taken.add(key)
                            full = re.sub(r"\s+", " ", row["d"])[:400]
                            kept.append(
                                {
                                    "q": sentence,
                                    "f": full,
                                    "c": row["c"],
                                    "n": row["n"],
                                    "path": row["path"],
                                    "p": package,
                                    "l": language,
                                }
                            )
                if len(kept) > MAX_PAIRS:
                    kept = [kept[i] for i in np.random.default_rng(1).permutation(len(kept))[:MAX_PAIRS]]
                for row in kept:
                    out.write(json.dumps(row) + "\n")
                pairs += len(kept)
                provenance.append(f"{archive.name}\t{licence}\t{len(kept)}")
                print(archive.name, licence, len(kept), flush=True)
    (options.output / "provenance.tsv").write_text("\n".join(provenance) + "\n")
    print("pairs", pairs)


def archives_of(folder: Path, registry: str, package: str) -> list[Path]:
    """Return the source archives of a package, as download.py lays them out."""
    place = folder / registry / re.sub(r"[=@/<>]+", "_", package)
    return sorted(
        p for p in place.glob("*") if re.search(r"\.(whl|zip|tgz|tar\.\w+)$", p.name) and ".debian." not in p.name
    )


def write(path: Path, rows: list[dict[str, str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
