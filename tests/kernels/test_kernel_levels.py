"""How an extension picks its instruction set, and what is said when it cannot."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from quatrain import _kernels
from quatrain._kernels import hamming

DISPATCHED = ("hamming", "literal", "roaring")


def run(code: str, level: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "QUATRAIN_CPU"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    if level is not None:
        environment["QUATRAIN_CPU"] = level
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)


def test_capabilities_name_a_level_of_this_machine() -> None:
    report = _kernels.capabilities()
    assert report["available"][0] == "portable"
    assert report["level"] in report["available"]


def test_environment_forces_a_level(level: str) -> None:
    done = run("from quatrain._kernels import capabilities; print(capabilities()['level'])", level)
    assert (done.stdout.strip(), done.returncode) == (level, 0), done.stderr


def test_highest_level_is_the_default() -> None:
    done = run(
        "from quatrain._kernels import capabilities; r = capabilities(); print(r['level'] == r['available'][-1])"
    )
    assert done.stdout.strip() == "True", done.stderr


@pytest.mark.parametrize("extension", DISPATCHED)
def test_unknown_level_is_an_import_error(extension: str) -> None:
    done = run(f"from quatrain._kernels import {extension}", "warp")
    assert done.returncode != 0
    assert "ImportError: QUATRAIN_CPU=warp" in done.stderr and "portable" in done.stderr


def test_level_of_another_machine_is_an_import_error() -> None:
    foreign = "avx2" if "neon" in hamming._levels() else "neon"
    done = run("from quatrain._kernels import hamming", foreign)
    assert done.returncode != 0 and f"QUATRAIN_CPU={foreign}" in done.stderr


def test_missing_extension_says_how_to_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_kernels, "EXTENSIONS", (*_kernels.EXTENSIONS, "absent"))
    with pytest.raises(ImportError, match="build_ext --inplace"):
        from quatrain._kernels import absent  # noqa: F401
    with pytest.raises(AttributeError):
        _ = _kernels.nonsense


def test_package_import_loads_no_extension() -> None:
    done = run("import sys, quatrain._kernels; print([m for m in sys.modules if m.startswith('quatrain._kernels.')])")
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
