"""Calls of a PHP source tree as they run: which method each call of the executed lines reached.

usage: php_calls.py ROOT OUT.tsv -- COMMAND OF php ... (for example: php /usr/bin/phpunit --bootstrap autoload.php tests)

The command runs with xdebug's function trace, restricted to functions that are defined below ROOT.  Rows for ``benchmarks graph --truth``:
caller (empty), callee (a qualified name), file, line, col (empty: a place is a line and a name), name, kind.  ``internal``: a function or
method of the tree, or the class whose constructor runs; ``overridden``: a method of that name in what the class extends, implements
or uses, by simple names.  Calls whose name is not on the line (callbacks, magic methods) are left
out, and so are methods that a class has from a trait, which PHP reports under the class.  Calls of functions from elsewhere are not seen, and
neither are lines that do not run.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

_FILTER = "<?php xdebug_set_filter(XDEBUG_FILTER_TRACING, XDEBUG_PATH_INCLUDE, [%s]); xdebug_start_trace(%s);"
_DECLARED = re.compile(r"\bfunction\s+&?\s*(\w+)")
_NAMESPACE = re.compile(r"^\s*namespace\s+([\w\\]+)", re.M)
_CLASS = re.compile(r"^\s*(?:abstract\s+|final\s+|readonly\s+)*(?:class|interface|trait)\s+(\w+)([^{]*)", re.M)
_TRAITS = re.compile(r"^\s+use\s+([\w\\, ]+)[;{]", re.M)


def declared(root: Path) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return, from the text of each file, the functions of its classes and the simple names of what they extend, implement and use."""
    functions: dict[str, set[str]] = {}
    above: dict[str, set[str]] = {}
    for path in root.rglob("*.php"):
        text = path.read_text("utf-8", "replace")
        space = _NAMESPACE.search(text)
        classes = _CLASS.findall(text)
        head = space[1] + "\\" if space else ""
        used = {name for names in _TRAITS.findall(text) for name in re.findall(r"\w+", names)} if classes else set()
        for name, bases in classes or [("", "")]:
            whole = (head + name).rstrip("\\")
            functions.setdefault(whole, set()).update(_DECLARED.findall(text))
            above.setdefault(whole, set()).update({*re.findall(r"\w+", bases), *used})
    return functions, above


def rows(root: Path, trace: Path) -> set[tuple[str, ...]]:
    """Return the rows of a trace in xdebug's machine-readable format."""
    known, above = declared(root)
    by_name: dict[str, list[str]] = {}
    for whole in known:
        by_name.setdefault(whole.rpartition("\\")[2], []).append(whole)
    lines: dict[Path, list[str]] = {}
    found = set()
    with trace.open(encoding="utf-8", errors="replace") as text:
        for entry in text:
            parts = entry.rstrip("\n").split("\t")
            if len(parts) < 10 or parts[2] != "0" or parts[6] != "1":
                continue
            called, path, line = parts[5], Path(parts[8]), int(parts[9])
            owner, _, name = called.replace("->", "::").rpartition("::")
            if not owner:
                owner, _, name = called.rpartition("\\")
            if name not in known.get(owner, ()) or not path.is_relative_to(root):
                continue
            if not path.is_file():  # evaluated code
                continue
            if path not in lines:
                lines[path] = path.read_text("utf-8", "replace").split("\n")
            source = lines[path][line - 1] if line <= len(lines[path]) else ""
            callee = f"{owner}.{name}".lstrip(".")
            if name == "__construct" and "__construct" not in source:
                name, callee = owner.rpartition("\\")[2], owner
            if re.search(rf"(?<![\w$]){re.escape(name)}\s*(?:\(|;|$|\))", source):
                place = path.relative_to(root).as_posix(), str(line), "", name, "internal"
                found.add(("", callee.replace("\\", "."), *place))
                seen, waiting = {owner}, [owner]
                while waiting:
                    for one in (w for n in above.get(waiting.pop(), ()) for w in by_name.get(n, ()) if w not in seen):
                        seen.add(one)
                        waiting.append(one)
                        if name in known[one]:
                            found.add(("", f"{one}.{name}".replace("\\", "."), *place[:-1], "overridden"))
    return found


def main() -> int:
    """Run the command and write the table."""
    root, out, command = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[4:]
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder) / "start.php"
        start.write_text(_FILTER % (repr(f"{root}/"), repr(f"{folder}/calls")))
        options = ["-d", "xdebug.mode=trace", "-d", "xdebug.trace_format=1", "-d", "xdebug.use_compression=0"]
        subprocess.run([command[0], *options, "-d", f"auto_prepend_file={start}", *command[1:]], check=False)
        found = sorted(rows(root, Path(folder) / "calls.xt"))
    table = [("caller", "callee", "file", "line", "col", "name", "kind"), *found]
    out.write_text("".join("\t".join(row) + "\n" for row in table))
    print(len(found), "rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
