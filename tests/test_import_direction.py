"""One direction of data: a stage imports earlier stages only."""

from __future__ import annotations

import ast
from pathlib import Path

import quatrain

SOURCE = Path(quatrain.__file__).parent
ANYONE = {"records", "errors", "_kernels"}
# Each room and the rooms it may import.
MAY_IMPORT = {
    "errors": set(),
    "records": set(),
    "_kernels": {"errors"},
    "query": set(),
    "storage": set(),
    "files": set(),
    "embedders": set(),
    "parsing": {"files"},
    "linking": {"files", "parsing"},
    "indexes": {"files", "parsing", "linking", "storage", "embedders", "query"},
    "retrieval": {"files", "linking", "indexes", "storage", "embedders", "query", "parsing"},
    "fusion": {"indexes", "retrieval", "query"},
    "checking": {"storage"},
    "building": {"files", "parsing", "linking", "indexes", "storage", "embedders"},
    "engine": {"files", "query", "retrieval", "fusion", "storage", "embedders", "building", "checking", "indexes"},
}
FRONTS = {"__init__", "__main__", "cli", "mcp_server", "evaluation", "graph_page"}
BUILD_ONLY = {"scipy", "tree_sitter", "tree_sitter_language_pack"}


def imported(path: Path) -> set[tuple[str, bool]]:
    """Return (module, whether at module level) for every import of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inner = {
        id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef) for n in ast.walk(f)
    }
    typing_only = {
        id(n)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.dump(block.test)
        for n in ast.walk(block)
    }
    found = set()
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            found |= {(alias.name, id(node) not in inner) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add((node.module or "", id(node) not in inner))
            if node.module == "quatrain":
                found |= {(f"quatrain.{alias.name}", id(node) not in inner) for alias in node.names}
    return found


def test_no_stage_imports_a_later_one() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room in FRONTS:
            continue
        for module, _ in imported(path):
            parts = module.split(".")
            if parts[0] == "quatrain" and len(parts) > 1:
                target = parts[1]
                if target not in MAY_IMPORT[room] | ANYONE | {room}:
                    wrong.append(f"{path.relative_to(SOURCE)} imports {module}")
    assert not wrong


def test_the_query_path_imports_no_build_time_library_at_module_level() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        for module, at_top in imported(path):
            if at_top and module.split(".")[0] in BUILD_ONLY and room not in {"parsing", "linking"}:
                wrong.append(f"{path.relative_to(SOURCE)} imports {module} at module level")
    assert not wrong
