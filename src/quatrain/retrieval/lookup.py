"""Exact and near look-up of definitions by name."""

from __future__ import annotations

from quatrain.errors import BadQuery
from quatrain.records import SYMBOL_KINDS, SymbolRow
from quatrain.retrieval.view import IndexView

__all__ = ["find_symbols", "symbol_row"]


def symbol_row(view: IndexView, symbol: int, match: str = "exact") -> SymbolRow:
    """Return the public form of a definition."""
    symbols, documents = view.symbols, view.documents
    file = int(symbols.files[symbol])
    return SymbolRow(
        path=documents.path(file),
        start_line=int(symbols.lines[symbol]),
        end_line=int(symbols.end_lines[symbol]),
        name=symbols.name(symbol),
        qualified_name=symbols.qualified(symbol),
        kind=symbols.kind(symbol),
        language=documents.language(file) or "",
        signature=symbols.signatures[symbol],
        docstring=symbols.docstrings[symbol],
        match=match,
    )


def find_symbols(view: IndexView, name: str, *, kind: str | None, fuzzy: bool, limit: int) -> list[SymbolRow]:
    """Return definitions called ``name``; with ``fuzzy`` near ones when there is none, marked with how they matched."""
    if kind is not None and kind not in SYMBOL_KINDS:
        raise BadQuery(f"unknown kind {kind!r}; one of {', '.join(SYMBOL_KINDS)}")
    found = [(symbol, "exact") for symbol in view.symbols.resolve(name)]
    if not found and fuzzy:
        found = _near(view, name, limit)
    if kind is not None:
        found = [(symbol, match) for symbol, match in found if view.symbols.kind(symbol) == kind]
    return [symbol_row(view, symbol, match) for symbol, match in found[:limit]]


def _near(view: IndexView, name: str, limit: int) -> list[tuple[int, str]]:
    from quatrain.retrieval.text import near_names

    symbols = view.symbols
    found: list[tuple[int, str]] = []
    seen: set[int] = set()
    for symbol in symbols.prefix(name):
        found.append((symbol, "prefix"))
        seen.add(symbol)
        if len(found) >= limit:
            return found
    for near, match in near_names(view, name, limit):
        for symbol in symbols.exact(near):
            if symbol not in seen:
                seen.add(symbol)
                found.append((symbol, match))
    return found[:limit]
