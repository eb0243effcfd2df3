"""Fetch the archives of packages.tsv from PyPI, npm and Debian's source archive; nothing is built or run.

    python benchmarks/model/download.py ARCHIVES [role ...]

Lays them out as ARCHIVES/registry/package/archive.  A package that cannot be had is named and passed over.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def debian_options(folder: Path, suite: str) -> list[str]:
    """Return apt options for a source list of our own, made from the mirror that this machine uses."""
    for source in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        if source.is_file():
            found = re.search(
                r"^(?:URIs:|deb(?:-src)?\s+(?:\[[^]]*\]\s+)?)\s*(\S+/debian)/?(?:\s|$)", source.read_text(), re.M
            )
            if found:
                for sub in ("lists/partial", "cache/archives/partial"):
                    (folder / sub).mkdir(parents=True, exist_ok=True)
                (folder / "list").write_text(f"deb-src {found[1]} {suite} main\n")
                settings = {
                    "Etc::sourcelist": folder / "list",
                    "Etc::sourceparts": "-",
                    "State::lists": folder / "lists",
                    "Cache": folder / "cache",
                }
                return [x for key, value in settings.items() for x in ("-o", f"Dir::{key}={value}")] + [
                    "-o",
                    "APT::Sandbox::User=root",
                ]
    raise SystemExit("no Debian mirror is configured on this machine")


def main() -> None:
    folder, roles = Path(sys.argv[1]).resolve(), sys.argv[2:] or ["train", "validation", "test"]
    suites: dict[str, list[str]] = {}
    for line in (HERE / "packages.tsv").read_text().splitlines()[1:]:
        registry, _, package, role = line.split("\t")
        place = folder / registry / re.sub(r"[=@/<>]+", "_", package)
        if role not in roles or any(place.glob("*")):
            continue
        place.mkdir(parents=True, exist_ok=True)
        if registry == "pypi":
            commands = [[sys.executable, "-m", "pip", "download", "-q", "--no-deps", package]]
        elif registry == "npm":
            commands = [["npm", "pack", "--silent", package]]
        else:
            # A mirror may list a version that it no longer holds; the older suite then often has one.
            for suite in () if suites else ("stable", "oldstable"):
                suites[suite] = debian_options(folder / f".apt-{suite}", suite)
                subprocess.run(["apt-get", *suites[suite], "update", "-qq"], check=True)
            commands = [
                ["apt-get", *o, "source", "--download-only", "--tar-only", "-qq", package] for o in suites.values()
            ]
        for command in commands:
            if not any(place.glob("*.t*")):
                subprocess.run(command, cwd=place, capture_output=True, timeout=600)
        if not any(place.glob("*")):
            print("NOT FOUND", registry, package, flush=True)


if __name__ == "__main__":
    main()
