"""Link the languages that have no evaluator: sure where the syntax alone is proof, otherwise a marked guess, never silence.

Proof is: the only definition of a bare name in the same file (in Go: the same folder, which is the package), a member of the enclosing type
behind ``self`` or ``this``, or a name that the file imports and that one file alone defines.  Everything else that bears the name of a
definition is an ambiguous set; a call of a name that nothing defines is kept as unresolved, or as external when an import brings it in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from quatrain.linking.targets import NO_TIER, T0, T1, T2, T5
from quatrain.records import ParsedFile, Reference

__all__ = ["ByNameEdge", "link_by_name"]

_TYPES = frozenset({"class", "interface", "trait", "struct", "union", "enum", "type", "annotation"})
_CALLABLES = frozenset({"function", "method", "constructor", "macro", "prototype", "property", "alias"}) | _TYPES
_ITSELF = frozenset({"self", "this", "$this", "Self", "static", "me"})
_SEPARATOR = re.compile(r"[.:/\\]+")


class ByNameEdge(NamedTuple):
    """One edge: ``callee`` is -1 where there is none or too many."""

    file: int
    caller: int  # symbol of the file, or -1
    callee: int  # global symbol id
    kind: str
    tier: int
    status: str
    candidates: int
    name: str
    line: int
    column: int


def link_by_name(
    files: Sequence[tuple[int, str, str, ParsedFile]], starts: Sequence[int], most: int
) -> Iterator[ByNameEdge]:
    """Yield the edges of one family of languages.

    Parameters
    ----------
    files
        (position, path, language, facts) of each file.
    starts
        Global id of the first symbol of each position.
    most
        A larger set of candidates is kept as its size alone.
    """
    defined: dict[str, list[tuple[int, int]]] = {}  # name -> (position, symbol)
    folder = {position: path.rpartition("/")[0] for position, path, _, _ in files}
    facts = {position: parsed for position, _, _, parsed in files}
    for position, _, _, parsed in files:
        for number, symbol in enumerate(parsed.symbols):
            if symbol.kind in _CALLABLES:
                defined.setdefault(symbol.name, []).append((position, number))

    for position, _, language, parsed in files:
        imported = {
            word
            for entry in parsed.imports
            for word in (entry.alias, entry.name, *_SEPARATOR.split(entry.module)[-1:])
            if word
        }
        symbols = parsed.symbols

        def near(place: tuple[int, int], here: int = position, language: str = language) -> bool:
            return place[0] == here or (language == "go" and folder[place[0]] == folder[here])

        uses = [r for r in parsed.references if r.kind in ("call", "type", "decorator")]
        uses += [Reference(b.name, "inherit", b.line, b.column, 0, b.symbol, "") for b in parsed.bases]
        for use in uses:
            name = _SEPARATOR.split(use.name)[-1]
            kinds = _CALLABLES if use.kind in ("call", "decorator") else _TYPES
            places = [
                p
                for p in defined.get(name, ())
                if facts[p[0]].symbols[p[1]].kind in kinds and p != (position, use.scope)
            ]
            if use.scope >= 0 and not use.receiver and name in symbols[use.scope].parameters:
                places = []  # a parameter of that name is meant
            sure, tier = _proof(use, name, position, parsed, places, near, imported)
            if sure is not None:
                yield ByNameEdge(
                    position,
                    use.scope,
                    starts[sure[0]] + sure[1],
                    use.kind,
                    tier,
                    "resolved",
                    1,
                    name,
                    use.line,
                    use.column,
                )
            elif len(places) > most:
                yield ByNameEdge(
                    position, use.scope, -1, use.kind, T5, "ambiguous", len(places), name, use.line, use.column
                )
            elif places:
                for at, number in places:
                    yield ByNameEdge(
                        position,
                        use.scope,
                        starts[at] + number,
                        use.kind,
                        T5,
                        "ambiguous",
                        len(places),
                        name,
                        use.line,
                        use.column,
                    )
            elif use.kind == "call":
                first = _SEPARATOR.split(use.receiver)[0] if use.receiver else name
                status = "external" if first in imported else "unresolved"
                yield ByNameEdge(position, use.scope, -1, use.kind, NO_TIER, status, 0, name, use.line, use.column)


def _proof(
    use: Reference,
    name: str,
    position: int,
    parsed: ParsedFile,
    places: Sequence[tuple[int, int]],
    near: Callable[[tuple[int, int]], bool],
    imported: set[str],
) -> tuple[tuple[int, int] | None, int]:
    """Return the definition that the syntax proves to be meant, and the tier of the proof."""
    if use.receiver in _ITSELF:
        owner = use.scope
        while owner >= 0 and parsed.symbols[owner].kind not in _TYPES | {"impl", "extension", "module"}:
            owner = parsed.symbols[owner].parent
        members = [p for p in places if p[0] == position and owner >= 0 and parsed.symbols[p[1]].parent == owner]
        return (members[0], T2) if len(members) == 1 else (None, T2)
    if use.receiver:
        return None, T5
    close = [p for p in places if near(p)]
    if len(close) == 1:
        return close[0], T0
    if not close and len(places) == 1 and name in imported:
        return places[0], T1
    return None, T5
