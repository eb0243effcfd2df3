"""Value-flow facts of one file: what the linker needs to tell which definition a use means."""

from __future__ import annotations

from typing import Any

from quatrain.parsing.bindings import python
from quatrain.records import Symbol

__all__ = ["extract_bindings"]


def extract_bindings(language: str, root_node: Any, data: bytes, symbols: tuple[Symbol, ...]) -> Any:
    """Return the value-flow facts of one file, or None for a language without an extractor.

    The result depends on nothing but the arguments; it is ``bytes`` that only ``quatrain.linking`` reads.

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
    if language == "python":
        return python.extract(root_node, data, symbols)
    return None
