"""What a full build costs in time and memory, and what it costs to bring an index up to date after an edit.

The tree is copied, the copy built in a process of its own, and its index then brought up to date in one process that stays, as that of an
editor or an MCP server does: with nothing changed, after an edit of a file that nothing uses, of the most used file, and of a hundred files.
Each edit appends a definition, so that names, edges and chunks change.  Every phase is given in seconds of wall and of CPU time, parse
workers included.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import quatrain
from benchmarks.timing import machine

MANY = 100
# By language: what defines something new.
ADDED = {
    "python": "\n\ndef {name}(value):\n    return value\n",
    "go": "\nfunc {name}(value int) int {{ return value }}\n",
    "javascript": "\nfunction {name}(value) {{ return value }}\n",
    "typescript": "\nfunction {name}(value: number) {{ return value }}\n",
    "rust": "\nfn {name}(value: u32) -> u32 {{ value }}\n",
    "c": "\nint {name}(int value) {{ return value; }}\n",
    "cpp": "\nint {name}(int value) {{ return value; }}\n",
    "ruby": "\ndef {name}(value)\n  value\nend\n",
    "php": "\nfunction {name}($value) {{ return $value; }}\n",
    "lua": "\nfunction {name}(value) return value end\n",
}
# Stage and step -> the phase that ends there.
PHASES = {
    ("walk", 0): "walk", ("text", 0): "documents", ("link", 0): "trigrams", ("link", 1): "link", ("link", 2): "graph",
    ("text", 1): "chunks", ("text", 2): "terms", ("text", 3): "names", ("write", 0): "embed", ("write", 1): "write",
}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("root", type=Path, metavar="ROOT", help="source tree; a copy of it is built and edited")
    parser.add_argument("--embedder", default="bundled", help="bundled (default) or none")
    parser.add_argument("--rounds", type=int, default=3, help="times each refresh is measured; the median is shown")
    parser.add_argument("--json", type=Path, help="where the rows go")
    parser.add_argument("--build-only", type=Path, metavar="DIR", help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Print one line for each case, and its phases."""
    if args.build_only is not None:
        print(json.dumps(measure_build(args.root, args.build_only, args.embedder)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        root, index_dir = Path(folder, args.root.resolve().name), Path(folder, "index")
        shutil.copytree(args.root, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        command = [sys.executable, "-m", "benchmarks", "refresh", str(root), "--embedder", args.embedder]
        command += ["--build-only", str(index_dir)]
        built = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        index = quatrain.open(root, index_dir=index_dir)
        counts = index.status().counts
        rows = [{"case": "full build", "files": counts["files"], **built}, *measure_refreshes(index, args.rounds)]
    report = {
        "machine": machine(()) | {"clock": "wall and CPU time, parse workers included"},
        "corpus": args.root.resolve().name,
        "bytes": counts["bytes"],
        "peak_bytes_per_byte": round(built["peak_mib"] * 2**20 / counts["bytes"], 1),
        "rows": rows,
    }
    print(
        f"{report['corpus']}: {counts['files']:,} files, {counts['bytes'] / 1e6:,.1f} MB; peak of the build {built['peak_mib']:,} MiB, "
        f"{report['peak_bytes_per_byte']} bytes for each byte of source; of a parse worker {built['worker_peak_mib']:,} MiB"
    )
    print(f"  {'case':<16} {'wall s':>8} {'CPU s':>8}  phases, CPU s")
    for row in rows:
        phases = ", ".join(f"{name} {cpu:.2f}" for name, (_, cpu) in row["phases"].items())
        print(f"  {row['case']:<16} {row['wall']:>8.2f} {row['cpu']:>8.2f}  {phases}")
    if args.json:
        args.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0


class Watch:
    """Tells how long each phase of a build takes."""

    def __init__(self) -> None:
        self.begun = self.last = _now()
        self.phases: dict[str, list[float]] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        self.close(PHASES.get((stage, done), stage))

    def close(self, phase: str) -> None:
        """End a phase."""
        now = _now()
        spent = self.phases.setdefault(phase, [0.0, 0.0])
        for clock in range(2):
            spent[clock] += now[clock] - self.last[clock]
        self.last = now

    def row(self) -> dict[str, Any]:
        """Return seconds of wall and CPU time, in all and by phase."""
        wall, cpu = (now - begun for now, begun in zip(self.last, self.begun, strict=True))
        return {"wall": round(wall, 3), "cpu": round(cpu, 3), "phases": _rounded(self.phases)}


def _now() -> tuple[float, float]:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), time.process_time() + children.ru_utime + children.ru_stime


def _rounded(phases: dict[str, list[float]]) -> dict[str, list[float]]:
    return {name: [round(seconds, 3) for seconds in spent] for name, spent in phases.items()}


def measure_build(root: Path, index_dir: Path, embedder: str) -> dict[str, Any]:
    """Build from nothing; the peak is of this process, which should have done nothing else."""
    watch = Watch()
    quatrain.build(root, index_dir=index_dir, embedder=embedder, progress=watch)
    watch.close("open")
    peaks = [resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return watch.row() | {"peak_mib": peaks[0], "worker_peak_mib": peaks[1]}


def measure_refreshes(index: quatrain.Index, rounds: int) -> list[dict[str, Any]]:
    """Bring an index up to date after edits of its files."""
    documents = index.view.documents
    files = [file for file in range(documents.count) if documents.language(file) in ADDED]
    files.sort(key=lambda file: (float(index.view.file_graph.pagerank[file]), file))
    paths = [documents.path(file) for file in files]
    cases: list[tuple[str, list[str]]] = [("nothing changed", [])]
    if paths:
        cases += [
            ("a leaf", paths[:1]),
            ("a core file", paths[-1:]),
            (f"{MANY} files", paths[:: -(-len(paths) // MANY)]),
        ]
    languages = {documents.path(file): str(documents.language(file)) for file in files}
    rows = []
    index.refresh()  # what was written while the build ran is looked at once more
    for case, edited in cases:
        measured = []
        for number in range(rounds):
            for path in edited:
                text = ADDED[languages[path]].format(name=f"added_{number}_{case.replace(' ', '_')}")
                _append(index.root / path, text)
            measured.append(_refresh(index, changed=bool(edited)))
        measured.sort(key=lambda row: row["cpu"])
        median = measured[len(measured) // 2]
        spread = (
            [round(statistics.quantiles([row["cpu"] for row in measured], n=4)[k], 3) for k in (0, 2)]
            if rounds > 1
            else []
        )
        rows.append({"case": case, "files": len(edited), **median, "cpu_quartiles": spread})
    return rows


def _refresh(index: quatrain.Index, *, changed: bool) -> dict[str, Any]:
    watch = Watch()
    if index.refresh(progress=watch) != changed:
        raise RuntimeError("a refresh saw a change where there was none, or none where there was one")
    watch.close("open" if changed else "walk")
    return watch.row()


def _append(path: Path, text: str) -> None:
    before = path.stat()
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
    # Old enough not to be read again by the next refresh, as a file is that was saved some seconds ago.
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1_000_000))
