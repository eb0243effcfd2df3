"""Real code to test against, from the package index; a test that cannot get it is skipped with that reason."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("QUATRAIN_TEST_CORPORA", Path(__file__).parents[1] / "build" / "corpora"))


def pypi(requirement: str, *, source: bool = False) -> Path:
    """Return the unpacked source distribution or wheel of a pinned package, downloading it once."""
    target = FOLDER / (requirement.replace("==", "-") + ("-sdist" if source else ""))
    if not target.exists():
        partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
        partial.mkdir(parents=True)
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", "."]
        command += ["--no-binary", requirement.partition("==")[0]] if source else ["--only-binary", ":all:"]
        done = subprocess.run([*command, requirement], cwd=partial, capture_output=True, text=True, check=False)
        archives = [path for path in partial.iterdir() if path.suffix in (".gz", ".whl")]
        if not archives:
            pytest.skip(f"{requirement} cannot be downloaded: {done.stderr.strip().splitlines()[-1:]}")
        for archive in archives:
            if archive.suffix == ".whl":
                with zipfile.ZipFile(archive) as wheel:
                    wheel.extractall(partial / "tree")
            else:
                with tarfile.open(archive) as tar:
                    tar.extractall(partial / "tree", filter="data")
        partial.rename(target)
    tree = target / "tree"
    inner = list(tree.iterdir())
    return inner[0] if source and len(inner) == 1 else tree


def files(wanted: dict[str, set[str]]) -> dict[str, Path | str]:
    """Return the folder with the wanted files of each pinned package, or why it cannot be had.

    Packages are named ``pypi:name==version`` (a wheel, of whatever platform), ``sdist:name==version`` or ``npm:name@version``.  What is
    missing is downloaded in one call for each kind, and of a package only the wanted files are kept.
    """
    found: dict[str, Path | str] = {}
    for kind in ("pypi", "sdist", "npm"):
        missing = []
        for package in sorted(p for p in wanted if p.startswith(f"{kind}:")):
            folder = FOLDER / "files" / package.replace("/", "+")
            found[package] = folder
            if not all((folder / name).is_file() for name in wanted[package]):
                missing.append(package)
        if missing:
            found.update(_download(kind, {package: wanted[package] for package in missing}))
    return found


def _download(kind: str, wanted: dict[str, set[str]]) -> dict[str, Path | str]:
    names = [package.partition(":")[2] for package in wanted]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--ignore-requires-python", "-d", "."]
    commands = {
        "pypi": [
            *pip,
            "--only-binary",
            ":all:",
            "--platform",
            "manylinux2014_x86_64",
            "--python-version",
            "3.9",
            *names,
        ],
        "sdist": [*pip, "--no-binary", ",".join(name.partition("==")[0] for name in names), *names],
        "npm": ["npm", "pack", "--silent", *names],
    }
    said = ""
    archives: list[Path] = []
    result: dict[str, Path | str] = {}
    with tempfile.TemporaryDirectory() as place:
        try:
            done = subprocess.run(commands[kind], cwd=place, capture_output=True, text=True, timeout=300)
            said = " ".join(done.stderr.strip().splitlines()[-1:])
        except (OSError, subprocess.TimeoutExpired) as error:
            said = str(error)
        archives = sorted(Path(place).iterdir())
        for package, members in wanted.items():
            folder = FOLDER / "files" / package.replace("/", "+")
            result[package] = f"{package} cannot be downloaded: {said or 'it holds other files'}"
            for archive in archives:
                contents = _contents(archive, members)
                if len(contents) == len(members):
                    for name, data in contents.items():
                        target = folder / name
                        target.parent.mkdir(parents=True, exist_ok=True)
                        partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
                        partial.write_bytes(data)
                        partial.rename(target)
                    result[package] = folder
                    break
    return result


def _contents(archive: Path, members: set[str]) -> dict[str, bytes]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as wheel:
            return {name: wheel.read(name) for name in members if name in wheel.namelist()}
    found = {}
    with tarfile.open(archive) as tar:
        for entry in tar:
            name = entry.name.partition("/")[2]  # the first folder bears the package's name
            if name in members and (content := tar.extractfile(entry)) is not None:
                found[name] = content.read()
    return found
