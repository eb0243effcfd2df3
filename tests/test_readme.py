"""Every snippet and command of the README, run on quatrain's own source."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import quatrain
from quatrain.cli import main

README = Path(__file__).parents[1] / "README.md"
SOURCE = Path(quatrain.__file__).parent


@pytest.fixture
def text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    if not README.exists():
        pytest.skip("the README is not beside the tests")
    (tmp_path / "src").symlink_to(SOURCE.parent if SOURCE.parent.name == "src" else SOURCE)
    monkeypatch.chdir(tmp_path)
    return README.read_text(encoding="utf-8")


def test_the_library_snippet_runs(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (snippet,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(snippet, "README.md", "exec"), {})
    out = capsys.readouterr().out
    assert "fusion/" in out and "understand_code rrf ok" in out


def test_the_commands_run(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    section = text.split("## Use it from the command line")[1]
    (block,) = re.findall(r"```console\n(.*?)```", section.split("\n## ")[0], re.DOTALL)
    commands = [shlex.split(line, comments=True) for line in block.splitlines() if line]
    assert len(commands) >= 8
    for program, *arguments in commands:
        assert program == "quatrain"
        assert main(arguments) == 0, arguments
        assert capsys.readouterr().out or "graph" in arguments
    assert Path("fuse.html").stat().st_size > 10_000
