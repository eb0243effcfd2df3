"""Call edges of a C or C++ source tree as clang resolves them.

usage: python c_calls.py ROOT OUT.tsv [clang arguments, such as -I include]

Rows: caller, callee, file, line, column, name, kind (internal | external | variable | unresolved), named as ``benchmarks graph`` names
them: path without extension, a colon, scopes joined by dots.  The callee is the definition, in whatever file it stands, else the
declaration.  A file that does not compile here (its system's headers are missing) is left out, and counted; a call of what only such files
define is ``unresolved``, and one of what several others define (programs of their own) is ``variable``.  Needs the package ``libclang``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from clang.cindex import Cursor, CursorKind, Index

_CALLABLE = frozenset(
    {
        CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR,
        CursorKind.FUNCTION_TEMPLATE, CursorKind.CONVERSION_FUNCTION,
    }
)  # fmt: skip
_SCOPES = _CALLABLE | {
    CursorKind.NAMESPACE, CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, CursorKind.CLASS_TEMPLATE,
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
}  # fmt: skip
_HOLDERS = frozenset({CursorKind.VAR_DECL, CursorKind.PARM_DECL, CursorKind.FIELD_DECL})


def system_folders() -> list[str]:
    """Return the folders in which the system's compiler looks for headers."""
    done = subprocess.run(["g++", "-E", "-x", "c++", "-v", "/dev/null"], capture_output=True, text=True, check=True)
    listed = done.stderr.split("search starts here:")[-1].split("End of search")[0]
    return [line.strip() for line in listed.splitlines() if line.strip()]


class Tree:
    """What the files of one tree say."""

    def __init__(self, root: Path, arguments: list[str]) -> None:
        self.root = root.resolve()
        self.arguments = arguments
        self.definitions: dict[str, list[str]] = {}  # USR -> names: each of several programs may define a function
        self.broken: set[str] = set()  # USR of what files that do not compile define
        self.declarations: dict[str, str] = {}
        self.calls: dict[tuple[str, int, int, str], tuple[str, str, str]] = {}  # site -> caller, USR, kind

    def inside(self, cursor: Cursor) -> str | None:
        """Return the path of the file that a cursor stands in, when it is part of the tree."""
        file = cursor.location.file
        if file is None:
            return None
        path = Path(file.name).resolve()
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else None

    def name(self, cursor: Cursor) -> str:
        """Return the qualified name of a definition."""
        parts = []
        current = cursor
        while current is not None and current.kind != CursorKind.TRANSLATION_UNIT:
            if current.kind in _SCOPES and current.spelling and "(" not in current.spelling:
                parts.append(current.spelling.split("<")[0] or current.spelling)
            current = current.semantic_parent
        path = self.inside(cursor) or ""
        return f"{path.rsplit('.', 1)[0]}:{'.'.join(reversed(parts))}"

    def read(self, path: Path) -> int:
        """Read one translation unit, unless it has errors; return how many."""
        unit = Index.create().parse(str(path), args=self.arguments)
        errors = sum(d.severity >= 3 for d in unit.diagnostics)
        if not errors:
            self.walk(unit.cursor, "")
        else:
            self.broken.update(
                c.get_usr() for c in unit.cursor.walk_preorder() if c.kind in _CALLABLE and c.is_definition()
            )
        return errors

    def walk(self, cursor: Cursor, caller: str) -> None:
        """Note the definitions and calls below a cursor."""
        for child in cursor.get_children():
            path = self.inside(child)
            if path is None and cursor.kind == CursorKind.TRANSLATION_UNIT:
                continue
            inner = caller
            if child.kind in _CALLABLE and path is not None:
                inner = self.name(child)
                if not child.is_definition():
                    self.declarations.setdefault(child.get_usr(), inner)
                elif inner not in self.definitions.setdefault(child.get_usr(), []):
                    self.definitions[child.get_usr()].append(inner)
            elif child.kind == CursorKind.CALL_EXPR and path is not None:
                self.call(child, path, caller)
            self.walk(child, inner)

    def call(self, cursor: Cursor, path: str, caller: str) -> None:
        """Note a call whose callee is named."""
        target = cursor.referenced
        spelling = cursor.spelling
        if not spelling or (target is not None and target.kind == CursorKind.CONSTRUCTOR):
            return
        place = self.named(cursor, spelling)
        if place is None:
            return
        if target is None:
            kind, usr = "unresolved", ""
        elif target.kind in _HOLDERS:
            kind, usr = "variable", ""
        else:
            usr = target.get_usr()
            template = getattr(target, "specialized_template", None)
            if template is not None and template.get_usr():
                usr = template.get_usr()
            kind = "internal" if self.inside(target) is not None else "external"
        home = caller or f"{path.rsplit('.', 1)[0]}:"
        self.calls.setdefault((path, *place, spelling), (home, usr, kind))

    def named(self, cursor: Cursor, spelling: str) -> tuple[int, int] | None:
        """Return line and column, from 0, of the called name; None where a macro or an operator makes the call."""
        found = None
        for child in cursor.get_children():
            while child.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
                inner = next(iter(child.get_children()), None)
                if inner is None:
                    break
                child = inner
            found = child.location
            break
        if found is None or found.file is None:
            return None
        text = self.text(found.file.name)
        line = text[found.line - 1] if found.line <= len(text) else b""
        start = found.column - 1
        return (found.line, start) if line[start : start + len(spelling)] == spelling.encode() else None

    def text(self, path: str) -> list[bytes]:
        """Return the lines of a file."""
        memo: dict[str, Any] = self.__dict__.setdefault("_texts", {})
        if path not in memo:
            memo[path] = Path(path).read_bytes().split(b"\n")
        return memo[path]


def main() -> None:
    """Write the table."""
    root, out, *arguments = sys.argv[1:]
    folders = [f"-isystem{f}" for f in system_folders()]
    tree = Tree(Path(root), [*arguments, *folders])
    files = [p for p in sorted(Path(root).rglob("*")) if p.suffix in (".c", ".cc", ".cpp", ".cxx")]
    errors = sum(tree.read(p) > 0 for p in files)
    counts: dict[str, int] = {}
    with open(out, "w", encoding="utf-8") as table:
        table.write("caller\tcallee\tfile\tline\tcol\tname\tkind\n")
        for (path, line, column, name), (caller, usr, kind) in sorted(tree.calls.items()):
            known = tree.definitions.get(usr, [])
            home = path.rsplit(".", 1)[0] + ":"
            near = [n for n in known if n.startswith(home)]
            callee = near[0] if near else known[0] if known else tree.declarations.get(usr, name)
            if kind == "internal" and not known and usr in tree.broken:
                kind = "unresolved"
            elif kind == "internal" and ((len(known) > 1 and not near) or not (known or usr in tree.declarations)):
                kind = "variable"
            counts[kind] = counts.get(kind, 0) + 1
            table.write("\t".join(map(str, (caller, callee, path, line, column, name, kind))) + "\n")
    print(len(files), "files", counts, errors, "files with errors")


if __name__ == "__main__":
    main()
