"""Link a tree again after a change, taking what stands from the edges of the tree as it was.

What a family of languages resolves to depends on all of its files, on the folders that begin a package and on nothing else.  So the edges of
a family stand as long as the facts of all its files do; positions in the source are no part of what is resolved, and where only they changed
(comments, docstrings, blank lines, layout) the edges move with their sites.  Families for which that cannot be shown are linked anew.  The
result is the one that linking everything gives, array for array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from quatrain.linking.link import (
    LinkInput,
    LinkResult,
    family_of,
    find_manifests,
    link,
    sorted_edges,
)
from quatrain.parsing.bindings.facts import Facts, unpack
from quatrain.records import EDGE_KINDS, ParsedFile, Symbol

__all__ = ["Earlier", "FileFacts", "relink"]

_NONE = ParsedFile("none", (), (), (), (), (), None)
_OVERRIDE = EDGE_KINDS.index("override")
_INHERIT = EDGE_KINDS.index("inherit")

# (line, column) of a site by kind, innermost definition, line and column before the change.
_Sites = dict[tuple[int, int, int, int], tuple[int, int]]


class FileFacts(NamedTuple):
    """One file; its facts are read only when they are needed."""

    path: str
    language: str | None
    parsed: Callable[[], ParsedFile]


class Earlier(NamedTuple):
    """A tree as it was linked before.

    Attributes
    ----------
    files
        Its files.
    paths, root
        As they were given to ``link``.
    linked
        Returns its edges; called only if some of them stand.
    """

    files: Sequence[FileFacts]
    paths: Sequence[str]
    root: str
    linked: Callable[[], LinkResult]


class _Moved(NamedTuple):
    """Where the sites of one file went."""

    sites: _Sites
    lines: list[int]  # by symbol, the line of its name


def relink(
    files: Sequence[FileFacts], same: Sequence[int], earlier: Earlier, paths: Iterable[str] = (), root: str = ""
) -> LinkResult:
    """Return what ``link(files, paths, root)`` returns.

    Parameters
    ----------
    files
        All files.
    same
        For each file the position among ``earlier.files`` of the file with the same path, language and content, or -1.
    earlier
        The tree before the change, linked by this version of the linker.
    paths, root
        As for :func:`quatrain.linking.link`.

    Returns
    -------
    LinkResult
        All edges.
    """
    paths = list(paths)
    standing: dict[int, int] = {}  # by earlier position, the present one
    moved: dict[int, _Moved] = {}  # by earlier position
    before = _families(earlier.files)
    same_packages = root == earlier.root and find_manifests([*(f.path for f in files), *paths]) == find_manifests(
        [*(f.path for f in earlier.files), *earlier.paths]
    )
    for family, members in _families(files).items():
        found = _standing(members, files, same, before.get(family, []), earlier.files) if same_packages else None
        if found is not None:
            standing.update(zip(before[family], members, strict=True))
            moved |= found
    stands = set(standing.values())
    made = link(
        [
            LinkInput(f.path, None, _NONE)
            if f.language is None or number in stands
            else LinkInput(f.path, f.language, f.parsed())
            for number, f in enumerate(files)
        ],
        paths,
        root,
    )
    return _joined(_kept(earlier, standing, moved), made) if standing else made


def _families(files: Sequence[FileFacts]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, file in enumerate(files):
        if file.language is not None:
            found.setdefault(family_of(file.language), []).append(number)
    return found


def _standing(
    members: list[int], files: Sequence[FileFacts], same: Sequence[int], before: list[int], earlier: Sequence[FileFacts]
) -> dict[int, _Moved] | None:
    """Return what moved in a family whose edges stand, or None if they do not."""
    if [files[n][:2] for n in members] != [earlier[n][:2] for n in before]:
        return None
    found: dict[int, _Moved] = {}
    for number, old in zip(members, before, strict=True):
        if same[number] == old:
            continue
        moved = _moved(earlier[old].parsed(), files[number].parsed())
        if moved is None:
            return None
        found[old] = moved
    return found


def _moved(old: ParsedFile, new: ParsedFile) -> _Moved | None:
    """Return where the sites of a file went, or None if more changed than their places."""
    if len(old.symbols) != len(new.symbols) or any(
        _unplaced(a) != _unplaced(b) for a, b in zip(old.symbols, new.symbols, strict=True)
    ):
        return None
    if (old.bindings is None) != (new.bindings is None):
        return None
    if old.bindings is not None:
        one, other = _facts(old), _facts(new)
        if one._replace(sites=()) != other._replace(sites=()):
            return None
        pairs = [(tuple(a), tuple(b)) for a, b in zip(one.sites, other.sites, strict=False)]
        if len(one.sites) != len(other.sites) or any((a[:3], a[5]) != (b[:3], b[5]) for a, b in pairs):
            return None
        places = [((a[0], a[5], a[3], a[4]), (b[3], b[4])) for a, b in pairs]
    else:
        before, after = _uses(old), _uses(new)
        if [use[:2] for use in before] != [use[:2] for use in after] or _imports(old) != _imports(new):
            return None
        places = [((*a[0], *a[2]), b[2]) for a, b in zip(before, after, strict=True)]
    sites: _Sites = {}
    for at, to in places:
        if sites.setdefault(at, to) != to:
            return None  # two uses at one place that went to two
    return _Moved(sites, [symbol.line for symbol in new.symbols])


def _unplaced(symbol: Symbol) -> Symbol:
    return symbol._replace(
        line=0, start_line=0, end_line=0, start_byte=0, end_byte=0, name_byte=0, signature="", docstring=""
    )


def _facts(parsed: ParsedFile) -> Facts:
    facts = parsed.bindings
    return facts if isinstance(facts, Facts) else unpack(bytes(facts))


def _uses(parsed: ParsedFile) -> list[tuple[tuple[int, int], tuple[str, str], tuple[int, int]]]:
    """Return (kind and definition, name and receiver, place) of what the linking by name looks at."""
    found = [((EDGE_KINDS.index(r.kind), r.scope), (r.name, r.receiver), (r.line, r.column)) for r in parsed.references]
    return found + [((_INHERIT, b.symbol), (b.name, ""), (b.line, b.column)) for b in parsed.bases]


def _imports(parsed: ParsedFile) -> list[Any]:
    return [i._replace(line=0, column=0) for i in parsed.imports]


def _kept(earlier: Earlier, standing: dict[int, int], moved: dict[int, _Moved]) -> LinkResult:
    """Return the edges that stand, in terms of the present files."""
    linked = earlier.linked()
    present = np.full(len(earlier.files) + 1, -1, np.int32)  # the last for edges without a callee
    present[list(standing)] = list(standing.values())
    rows = np.flatnonzero(present[linked.file] >= 0)
    line, column = linked.line.copy(), linked.column.copy()
    for file, to in moved.items():
        for row in np.flatnonzero(linked.file == file).tolist():
            kind = int(linked.kind[row])
            if kind == _OVERRIDE:
                line[row] = to.lines[linked.callee_symbol[row]]
                continue
            at = (kind, int(linked.caller_symbol[row]), int(line[row]), int(column[row]))
            line[row], column[row] = to.sites[at]
    columns = linked._asdict()
    columns |= {field: present[columns[field]] for field in ("caller_file", "callee_file", "file")}
    columns |= {"line": line, "column": column}
    return LinkResult(**{field: c if field == "names" else c[rows] for field, c in columns.items()})


def _joined(one: LinkResult, other: LinkResult) -> LinkResult:
    """Return the edges of both, sorted."""
    used = {linked.names[n] for linked in (one, other) for n in np.unique(linked.name).tolist()}
    names = tuple(sorted(used, key=lambda n: n.encode("utf-8", "surrogateescape")))
    place = {name: number for number, name in enumerate(names)}
    name = [
        np.array([place.get(n, 0) for n in linked.names], np.uint32)[linked.name]
        for linked in (one, other)
        if len(linked)
    ]
    columns = [np.concatenate(pair) for pair in zip(one[:-1], other[:-1], strict=True)]
    columns[LinkResult._fields.index("name")] = np.concatenate(name) if name else np.empty(0, np.uint32)
    return sorted_edges(LinkResult(*columns, names))
