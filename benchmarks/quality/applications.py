"""Lay out the trees that ``applications.jsonl`` and ``applications_blind.jsonl`` ask about, at fixed versions, from package registries.

``python -m benchmarks applications DIRECTORY`` makes ``DIRECTORY/<name>`` for each, with the ordinary clients: ``apt-get source`` (needs a
``deb-src`` entry), ``pip download`` and ``npm pack``.  Archives are kept in ``DIRECTORY.archives``.  Nothing is built or run.  Unlike the
libraries of the public annotations these trees hold vendored libraries, generated parsers, compiled output beside its source, and tests.

The version is part of the archive's name, so a registry that has moved on gives an error and never another corpus; at the end every file
that a label names is looked up, with the text that the label rests on.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.corpora import unpack

__all__ = ["BLIND", "QUESTIONS", "add_arguments", "check", "lay_out", "run"]

QUESTIONS = Path(__file__).with_name("applications.jsonl")
BLIND = Path(__file__).with_name("applications_blind.jsonl")
# corpus -> (Debian source package, its upstream archive)
DEBIAN = {
    "composer": ("composer", "composer_2.5.5.orig.tar.xz"),
    "mercurial": ("mercurial", "mercurial_6.3.2.orig.tar.gz"),
    "nginx": ("nginx", "nginx_1.22.1.orig.tar.gz"),
    "prometheus": ("prometheus", "prometheus_2.42.0+ds.orig.tar.xz"),
    "tomcat10": ("tomcat10", "tomcat10_10.1.55.orig.tar.xz"),
    "wordpress": ("wordpress", "wordpress_6.1.9+dfsg1.orig.tar.xz"),
}
# corpus -> (requirement, its source distribution)
PYPI = {
    "beets": ("beets==2.0.0", "beets-2.0.0.tar.gz"),
    "jupyterlab": ("jupyterlab==4.4.10", "jupyterlab-4.4.10.tar.gz"),
    "maturin": ("maturin==1.9.6", "maturin-1.9.6.tar.gz"),
    "matrix-synapse": ("matrix-synapse==1.140.0", "matrix_synapse-1.140.0.tar.gz"),
}
# corpus -> (scope, the packages of the monorepo as published: TypeScript source in src/, its compiled copy beside it)
NPM = {
    "jupyterlab": ("@jupyterlab", (
        "application@4.4.10", "attachments@4.4.10", "cells@4.4.10", "codeeditor@4.4.10", "codemirror@4.4.10", "console@4.4.10",
        "coreutils@6.4.10", "debugger@4.4.10", "docmanager@4.4.10", "docregistry@4.4.10", "documentsearch@4.4.10",
        "filebrowser@4.4.10", "fileeditor@4.4.10", "launcher@4.4.10", "logconsole@4.4.10", "lsp@4.4.10", "notebook@4.4.10",
        "outputarea@4.4.10", "rendermime@4.4.10", "services@7.4.10", "settingregistry@4.4.10", "statedb@4.4.10",
        "statusbar@4.4.10", "translation@4.4.10", "ui-components@4.4.10", "workspaces@4.4.10",
    )),
    "tanstack": ("@tanstack", (
        "form-core@1.33.5", "history@1.162.5", "query-core@5.108.4", "query-persist-client-core@5.104.5",
        "query-sync-storage-persister@5.104.4", "react-query@5.108.4", "react-router@1.170.46", "router-core@1.171.39",
        "store@0.11.2", "virtual-core@3.19.11",
    )),
}  # fmt: skip


def fetch(command: list[str], archive: Path) -> Path:
    """Return ``archive``, downloading it with ``command`` if it is not there yet."""
    if not archive.exists():
        archive.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(command, cwd=archive.parent, capture_output=True, text=True, check=False)
        if not archive.exists():
            raise SystemExit(f"{archive.name} could not be had by {' '.join(command)}:\n{done.stderr.strip()}")
    return archive


def lay_out(directory: Path) -> None:
    """Make one folder below ``directory`` for each corpus that is not there yet."""
    archives = directory.with_name(directory.name + ".archives")
    wanted: dict[str, list[tuple[Path, str]]] = {}
    for name, (package, archive) in DEBIAN.items():
        command = ["apt-get", "source", "--download-only", "--tar-only", "-qq", package]
        wanted[name] = [(fetch(command, archives / archive), "")]
    for name, (requirement, archive) in PYPI.items():
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", requirement]
        wanted[name] = [(fetch(command, archives / archive), "")]
    for name, (scope, packages) in NPM.items():
        for package, version in (entry.split("@") for entry in packages):
            archive = archives / f"{scope[1:]}-{package}-{version}.tgz"
            fetch(["npm", "pack", "--silent", f"{scope}/{package}@{version}"], archive)
            wanted.setdefault(name, []).append((archive, f"packages/{package}"))
    for name, parts in wanted.items():
        if not (directory / name).exists():
            partial = directory / f"{name}.partial"
            counts = [unpack(archive, partial / folder) for archive, folder in parts]
            partial.rename(directory / name)
            print(f"{name:20} {sum(n for n, _ in counts):7,} files {sum(size for _, size in counts) / 1e6:8.1f} MB")


def check(directory: Path) -> list[str]:
    """Return what is wrong with the labels: files that are missing, evidence that is not in the file."""
    wrong = []
    for line in (*QUESTIONS.read_text("utf-8").splitlines(), *BLIND.read_text("utf-8").splitlines()):
        row = json.loads(line)
        for path in [*row["relevant"], *row.get("decoys", ())]:
            if not (directory / row["repo"] / path).is_file():
                wrong.append(f"{row['repo']}: {path} is missing")
        first = directory / row["repo"] / row["relevant"][0]
        if first.is_file() and row["evidence"] not in first.read_text(encoding="utf-8", errors="replace"):
            wrong.append(f"{row['repo']}: {row['relevant'][0]} does not hold {row['evidence']!r}")
    return wrong


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of this command."""
    parser.add_argument("directory", type=Path, help="where to lay the corpora out")


def run(args: argparse.Namespace) -> int:
    """Lay out and check; 1 if a label does not fit what was laid out."""
    lay_out(args.directory)
    wrong = check(args.directory)
    print("\n".join(wrong) or f"every file and every piece of evidence of {QUESTIONS.name} and {BLIND.name} is there")
    return int(bool(wrong))
