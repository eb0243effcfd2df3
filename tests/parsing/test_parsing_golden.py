"""What each language's extractor says about a small source, word for word.

``QUATRAIN_UPDATE_GOLDEN=1 pytest tests/parsing/test_parsing_golden.py`` rewrites the files; the diff is what to review.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quatrain.parsing.parse import parse_source
from quatrain.records import ParsedFile

HERE = Path(__file__).parent
SOURCES = HERE / "sources"
LANGUAGES = {
    "ledger.py": "python",
    "widget.js": "javascript",
    "service.ts": "typescript",
    "view.tsx": "tsx",
    "server.go": "go",
    "engine.rs": "rust",
    "Account.java": "java",
    "buffer.c": "c",
    "buffer.h": "c",
    "matrix.cpp": "cpp",
    "Orders.cs": "csharp",
    "garden.rb": "ruby",
    "Mailer.php": "php",
    "Inventory.kt": "kotlin",
    "Camera.swift": "swift",
    "Pipeline.scala": "scala",
    "game.lua": "lua",
    "queue.ex": "elixir",
    "Parser.hs": "haskell",
    "stack.ml": "ocaml",
    "list.zig": "zig",
    "deploy.sh": "bash",
    "shapes.dart": "dart",
    "solver.jl": "julia",
    "model.R": "r",
    "schema.sql": "sql",
    "network.tf": "hcl",
    "guide.md": "markdown",
    "settings.yaml": "yaml",
    "project.toml": "toml",
    "manifest.json": "json",
    "page.html": "html",
    "style.css": "css",
    "Dockerfile": "dockerfile",
    "Makefile": "make",
    "Panel.vue": "vue",
}


def dump(parsed: ParsedFile) -> str:
    """Write the facts one a line, so that a difference reads as a diff."""
    lines = [f"parse {parsed.parse}"]
    for s in parsed.symbols:
        parent = parsed.symbols[s.parent].qualified_name if s.parent >= 0 else "-"
        lines.append(
            f"symbol {s.kind} {s.qualified_name} line={s.line} span={s.start_line}-{s.end_line} parent={parent} "
            f"{s.visibility} parameters={','.join(s.parameters)} decorators={' | '.join(s.decorators)}"
        )
        lines.append(f"    {s.signature}")
        if s.docstring:
            lines.append(f"    # {s.docstring}")
    for i in parsed.imports:
        scope = parsed.symbols[i.scope].qualified_name if i.scope >= 0 else "-"
        lines.append(
            f"import module={i.module} name={i.name} alias={i.alias} at={i.line}:{i.column} level={i.level} "
            f"reexport={i.is_reexport} scope={scope}"
        )
    for b in parsed.bases:
        lines.append(f"base {parsed.symbols[b.symbol].qualified_name} < {b.name} at={b.line}:{b.column}")
    for r in parsed.references:
        scope = parsed.symbols[r.scope].qualified_name if r.scope >= 0 else "-"
        receiver = f"{r.receiver} . " if r.receiver else ""
        lines.append(f"{r.kind} {receiver}{r.name} at={r.line}:{r.column} in={scope}")
    for c in parsed.chunks:
        names = ",".join(parsed.symbols[i].name for i in c.defines)
        around = ".".join(parsed.symbols[i].name for i in c.enclosing)
        main = parsed.symbols[c.symbol].qualified_name if c.symbol >= 0 else "-"
        lines.append(f"chunk {c.start_line}-{c.end_line} symbol={main} enclosing={around} defines={names}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_golden(name: str) -> None:
    data = (SOURCES / name).read_bytes()
    said = dump(parse_source(f"sources/{name}", LANGUAGES[name], data))
    golden = HERE / "golden" / f"{name}.txt"
    if os.environ.get("QUATRAIN_UPDATE_GOLDEN") == "1":
        golden.write_text(said, "utf-8")
    assert said == golden.read_text("utf-8")


def test_every_source_has_a_language() -> None:
    assert sorted(p.name for p in SOURCES.iterdir() if p.is_file()) == sorted(LANGUAGES)


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_positions_say_what_stands_there(name: str) -> None:
    """Every byte, line and column that is reported holds the reported name."""
    data = (SOURCES / name).read_bytes()
    lines = data.split(b"\n")
    parsed = parse_source(name, LANGUAGES[name], data)
    for symbol in parsed.symbols:
        assert data[symbol.name_byte :].lstrip(b":\"'( ").startswith(symbol.name.encode()), symbol
        assert data.count(b"\n", 0, symbol.name_byte) + 1 == symbol.line
        assert symbol.start_line <= symbol.line <= symbol.end_line
        assert symbol.start_byte <= symbol.name_byte < symbol.end_byte
        assert data.count(b"\n", 0, symbol.start_byte) + 1 == symbol.start_line
        assert symbol.parent < len(parsed.symbols)
    for reference in parsed.references:
        assert data[reference.byte :].startswith(reference.name.encode())
        assert lines[reference.line - 1][reference.column :].startswith(reference.name.encode())
        if reference.scope >= 0:
            scope = parsed.symbols[reference.scope]
            assert scope.start_byte <= reference.byte < scope.end_byte
    for base in parsed.bases:
        written = base.name.encode()
        assert lines[base.line - 1][base.column :].startswith(written[:3])
    assert [r.byte for r in parsed.references] == sorted({r.byte for r in parsed.references})
