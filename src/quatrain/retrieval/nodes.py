"""What a name means in the graph: definitions, or files taken as modules.

A node below ``symbols.count`` is a definition; ``symbols.count + f`` is file f: its top-level code, and what an import of it leads to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from posixpath import basename

import numpy as np

from quatrain.indexes import documents as document_index
from quatrain.indexes.file_names import file_stem
from quatrain.query.paths import is_path
from quatrain.records import SymbolRow
from quatrain.retrieval.lookup import symbol_row
from quatrain.retrieval.view import IndexView

__all__ = [
    "definitions",
    "files_of",
    "find",
    "is_qualified",
    "label",
    "modules_among",
    "prominence",
    "same_language",
    "with_members",
]

_SHOWN = 50
_FAMILIES = (frozenset({"javascript", "typescript", "tsx"}), frozenset({"c", "cpp"}))


def find(view: IndexView, name: str, *, modules_first: bool = False) -> list[int]:
    """Return the nodes that a name means.

    Parameters
    ----------
    view
        The opened indexes.
    name
        A symbol, simple or qualified; or a file by its path, the end of its path or its name; or a module, package or folder.
    modules_first
        Take a name that both a definition and a module have for the module.

    Returns
    -------
    list of int
        Empty when nothing is called that.  Definitions and modules are not mixed: a path is a file, any other name is a definition if one
        has it, and else a module.
    """
    first_file = view.symbols.count
    if modules_first or is_path(name):
        files = view.modules.find(name)
        return [first_file + file for file in files] or view.symbols.resolve(name)
    symbols = view.symbols.resolve(name)
    if symbols and not ("." in name and view.modules.is_name(name)):
        return symbols
    return [first_file + file for file in view.modules.find(name)] or symbols


def is_qualified(name: str) -> bool:
    """Return whether a name says more than the last part of itself."""
    return any(sign in name.strip("./") for sign in (".", ":", "/", "#", "\\", "->"))


def modules_among(view: IndexView, nodes: Sequence[int]) -> bool:
    """Return whether the nodes are files."""
    return any(node >= view.symbols.count for node in nodes)


def files_of(view: IndexView, nodes: np.ndarray) -> np.ndarray:
    """Return int64[n]: the file that each node lies in or is; -1 for no node."""
    symbols = view.symbols
    nodes = np.asarray(nodes, np.int64)
    if not symbols.count:
        return np.where(nodes >= 0, nodes, -1)
    inside = symbols.files[np.clip(nodes, 0, symbols.count - 1)].astype(np.int64)
    return np.where(nodes < 0, -1, np.where(nodes < symbols.count, inside, nodes - symbols.count))


def label(view: IndexView, node: int) -> str:
    """Return the qualified name of a definition, or the path of a file."""
    symbols = view.symbols
    if node < 0:
        return ""
    return symbols.qualified(node) if node < symbols.count else view.documents.path(node - symbols.count)


def with_members(view: IndexView, nodes: Iterable[int]) -> np.ndarray:
    """Return nodes with everything that is defined inside them, without repetition, the given ones first."""
    symbols = view.symbols
    found = dict.fromkeys(int(node) for node in nodes)
    looked_at = set()
    for node in list(found):
        if node >= symbols.count:
            found.update(dict.fromkeys(symbols.of_file(node - symbols.count).tolist()))
            continue
        file = int(symbols.files[node])
        if file in looked_at:
            continue
        looked_at.add(file)
        own = symbols.of_file(file)
        parents = symbols.parents[own]
        inner = parents >= 0
        for other, parent in zip(own[inner].tolist(), parents[inner].tolist(), strict=True):
            if parent in found:  # in source order a parent comes first
                found.setdefault(other)
    return np.fromiter(found, np.int64, len(found))


def definitions(view: IndexView, nodes: Sequence[int]) -> tuple[SymbolRow, ...]:
    """Return the public form of nodes, fifty at most."""
    rows = []
    for node in nodes[:_SHOWN]:
        if node < view.symbols.count:
            rows.append(symbol_row(view, node))
            continue
        file = node - view.symbols.count
        path = view.documents.path(file)
        rows.append(
            SymbolRow(
                path=path,
                start_line=1,
                end_line=max(view.documents.line_count(file), 1),
                name=file_stem(basename(path)),
                qualified_name=view.modules.name(file),
                kind="module",
                language=view.documents.language(file) or "",
                signature="",
                docstring="",
            )
        )
    return tuple(rows)


def prominence(view: IndexView, targets: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return sorted node ids and float64[n]: how likely each of several definitions of one name is the one that is meant.

    A definition in a test, vendored or built file, or inside a function, steps back; then the more central one leads.
    The steps are small but for the first, because the name alone says nothing about which one is meant.
    """
    graph, symbols, flags = view.graph, view.symbols, view.documents.flags
    ids = np.unique(np.asarray(targets, np.int64))
    apart = (flags[symbols.files[ids]] & (document_index.TEST | document_index.DEMOTED)) != 0
    parents = symbols.parents[ids]
    nested = (parents >= 0) & np.isin(symbols.kinds[np.maximum(parents, 0)], _FUNCTIONS)
    degree = graph.in_degree[ids].astype(np.float64)
    central = 0.9 + 0.1 * degree / max(degree.max(), 1.0)
    return ids, np.where(apart, 0.5, 1.0) * np.where(nested, 0.8, 1.0) * central


_FUNCTIONS = (0, 1, 16)  # positions of function, method and constructor in records.SYMBOL_KINDS


def same_language(view: IndexView, files: np.ndarray, like: np.ndarray) -> np.ndarray:
    """Return bool[n]: whether a file can use what is defined in one of the files ``like``."""
    languages = view.documents.languages
    wanted = {languages[code] for code in set(view.documents.language_codes[like].tolist()) if code < len(languages)}
    for family in _FAMILIES:
        if wanted & family:
            wanted |= family
    codes = [code for code, language in enumerate(languages) if language in wanted]
    return np.isin(view.documents.language_codes[files], codes)
