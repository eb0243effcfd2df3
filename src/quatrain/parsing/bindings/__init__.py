"""Value-flow facts of one file: what the linker needs to tell which definition a use means."""

from __future__ import annotations

import sys
from typing import Any

from quatrain.parsing.bindings import ecmascript, python
from quatrain.parsing.bindings.cpp import C, Cpp
from quatrain.parsing.bindings.csharp import CSharp
from quatrain.parsing.bindings.declared import Walker
from quatrain.parsing.bindings.go import Go
from quatrain.parsing.bindings.java import Java
from quatrain.parsing.bindings.kotlin import Kotlin
from quatrain.parsing.bindings.php import Php
from quatrain.parsing.bindings.ruby import Ruby
from quatrain.parsing.bindings.rust import Rust
from quatrain.records import Symbol

__all__ = ["extract_bindings"]

# A sum of a thousand strings is a tree a thousand levels deep.  Python frames lie on the heap, so the limit is only a number.
_RECURSION = 60_000


def extract_bindings(language: str, root_node: Any, data: bytes, symbols: tuple[Symbol, ...]) -> Any:
    """Return the value-flow facts of one file, or None for a language without an extractor.

    The result depends on nothing but the arguments; it is ``bytes`` that only ``quatrain.linking`` reads.  A tree that is too deep to
    walk yields None as well: its uses stay unresolved by the linker.

    Parameters
    ----------
    language
        Name of the language as ``quatrain.files.languages`` gives it.
    root_node
        Root of the tree-sitter tree.
    data
        Content of the file.
    symbols
        Definitions found in it.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        return _extract(language, root_node, data, symbols)
    except RecursionError:
        return None
    finally:
        sys.setrecursionlimit(limit)


_WALKERS: dict[str, type[Walker]] = {
    "c": C,
    "cpp": Cpp,
    "csharp": CSharp,
    "go": Go,
    "java": Java,
    "kotlin": Kotlin,
    "php": Php,
    "ruby": Ruby,
    "rust": Rust,
}


def _extract(language: str, root_node: Any, data: bytes, symbols: tuple[Symbol, ...]) -> Any:
    if language == "python":
        return python.extract(root_node, data, symbols)
    if language in ("javascript", "typescript", "tsx"):
        return ecmascript.extract(root_node, data, symbols, language)
    walker = _WALKERS.get(language)
    return walker(data, symbols).run(root_node) if walker is not None else None
