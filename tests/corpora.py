"""Real code to test against, from the package index; a test that cannot get it is skipped with that reason."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
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
