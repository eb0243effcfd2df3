"""Lay out 500 MB and more of real source text for the scale and kernel benchmarks.

``python -m benchmarks corpora DIRECTORY`` fetches source packages with the ordinary clients (``apt-get source``, which
needs a ``deb-src`` entry, and ``pip download``), and unpacks the text files in them: regular files of at most 2 MB
without a NUL byte in the first 64 KiB, so that every program under test sees the same files.  Nothing is built or run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
from pathlib import Path, PurePosixPath

DEBIAN = ("postgresql-15", "php8.2", "git", "ruby3.1", "python3.11", "redis", "golang-1.19")
PYPI = ("django==5.2.19", "sympy==1.14.0")
LARGEST = 2_000_000  # bytes of one file
PROBE = 65_536


def fetch(archives: Path) -> list[Path]:
    """Download what is not there yet and return the archives that hold source."""
    archives.mkdir(parents=True, exist_ok=True)
    for package in DEBIAN:
        if not find_debian(archives, package):
            subprocess.run(["apt-get", "source", "--download-only", package], cwd=archives, check=True)
    for requirement in PYPI:
        name, version = requirement.split("==")
        if not list(archives.glob(f"{name}-{version}.tar.gz")):
            command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", requirement]
            subprocess.run(command, cwd=archives, check=True)
    found = [path for package in DEBIAN for path in find_debian(archives, package)]
    return found + [path for each in PYPI for path in archives.glob(each.replace("==", "-") + ".tar.gz")]


def find_debian(archives: Path, package: str) -> list[Path]:
    return [path for path in archives.glob(f"{package}_*.orig.tar.*") if path.suffix != ".asc"]


def unpack(archive: Path, target: Path) -> tuple[int, int]:
    """Write the text files of one archive below ``target``, without its top folder; returns (files, bytes)."""
    files = size = 0
    with tarfile.open(archive) as tar:
        for member in tar:
            parts = PurePosixPath(member.name.removeprefix("./")).parts[1:]
            if not member.isreg() or not 0 < member.size <= LARGEST or not parts or ".." in parts:
                continue
            source = tar.extractfile(member)
            data = source.read() if source else b"\0"
            if b"\0" in data[:PROBE]:
                continue
            path = target.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            files += 1
            size += len(data)
    return files, size


def lay_out(directory: Path, archives: Path) -> None:
    """Fill ``directory`` with one folder for each package."""
    total_files = total_size = 0
    for archive in fetch(archives):
        name = archive.name.split("_")[0] if ".orig." in archive.name else archive.name.rsplit("-", 1)[0]
        files, size = unpack(archive, directory / name)
        print(f"{archive.name:40} {files:7,} files {size / 1e6:8.1f} MB")
        total_files, total_size = total_files + files, total_size + size
    print(f"{'total':40} {total_files:7,} files {total_size / 1e6:8.1f} MB")


def text_files(directory: Path) -> list[Path]:
    """Return every regular file below ``directory``, in order of its path's bytes."""
    found = [Path(folder, name) for folder, _, names in os.walk(directory) for name in names]
    return sorted((path for path in found if path.is_file()), key=os.fsencode)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="where to lay the files out")
    parser.add_argument("--archives", type=Path, help="where downloads are kept (default: DIRECTORY.archives)")


def run(args: argparse.Namespace) -> int:
    lay_out(args.directory, args.archives or args.directory.with_name(args.directory.name + ".archives"))
    return 0
