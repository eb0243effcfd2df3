"""Timing several ways of doing one thing side by side, and describing the machine they ran on."""

from __future__ import annotations

import gc
import importlib.metadata
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def interleave(
    ways: Mapping[str, Callable[[], object]], *, rounds: int, at_least_us: float = 300.0, most_calls: int = 10_000
) -> dict[str, list[float]]:
    """Time every way once a round, in turn, so that a disturbance hits all of them.

    Parameters
    ----------
    ways
        Name -> what to run.  Each is called once before, to warm it up and to learn its length.
    rounds
        Samples of each.
    at_least_us
        One sample repeats a short call until it has lasted about this long.

    Returns
    -------
    dict
        Name -> process CPU microseconds of one call, one value a round.  CPU time, since on a shared machine wall time
        also holds what others did; work that a peer hands to threads counts as well.
    """
    calls = {}
    for name, way in ways.items():
        way()
        start = time.process_time_ns()
        way()
        once = max((time.process_time_ns() - start) / 1e3, 0.1)
        calls[name] = max(1, min(most_calls, round(at_least_us / once)))
    samples: dict[str, list[float]] = {name: [] for name in ways}
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, way in ways.items():
                count = calls[name]
                start = time.process_time_ns()
                for _ in range(count):
                    way()
                samples[name].append((time.process_time_ns() - start) / 1e3 / count)
    finally:
        if collecting:
            gc.enable()
    return samples


def spread(samples: list[float]) -> float:
    """Return the interquartile range over the median."""
    if len(samples) < 4:
        return (max(samples) - min(samples)) / statistics.median(samples)
    quarters = statistics.quantiles(samples, n=4)
    return (quarters[2] - quarters[0]) / statistics.median(samples)


def machine(packages: tuple[str, ...]) -> dict[str, Any]:
    """Return the processor, its capability level, the load at the start and the versions of what takes part."""
    from quatrain._kernels import capabilities

    processor = platform.processor()
    if (cpuinfo := Path("/proc/cpuinfo")).exists():
        # Of the first core.  A model name such as "AMD EPYC" is borne by several generations.
        facts = dict(map(str.strip, line.split(":", 1)) for line in cpuinfo.read_text().split("\n\n")[0].splitlines())
        numbers = [f"{key} {facts[key]}" for key in ("cpu family", "model") if key in facts]
        processor = ", ".join([facts.get("model name", processor), *numbers])
    versions = {}
    for package in packages:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "capabilities": capabilities(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "clock": "process CPU time; for other programs user + system time of the child",
        "versions": versions,
    }
