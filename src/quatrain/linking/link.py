"""Link the facts of all files into one table of edges."""

from __future__ import annotations

import gc
import sys
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from quatrain.linking.by_name import link_by_name
from quatrain.linking.cpp import CEvaluator
from quatrain.linking.csharp import CSharpEvaluator
from quatrain.linking.declared import SYNTHETIC
from quatrain.linking.ecmascript import EcmascriptEvaluator
from quatrain.linking.evaluate import FUEL, Evaluator, Unit
from quatrain.linking.go import GoEvaluator
from quatrain.linking.java import JavaEvaluator
from quatrain.linking.kotlin import KotlinEvaluator
from quatrain.linking.php import PhpEvaluator
from quatrain.linking.python import PythonEvaluator
from quatrain.linking.ruby import RubyEvaluator
from quatrain.linking.rust import RustEvaluator
from quatrain.linking.targets import ABSENT, EXTERNAL, NO_TIER, T0, T1, T3, T4, T5, Targets
from quatrain.linking.witnesses import Candidates
from quatrain.parsing.bindings import facts as ops
from quatrain.parsing.bindings.facts import Facts, unpack
from quatrain.records import EDGE_KINDS, EDGE_STATUSES, ParsedFile

__all__ = ["CONFIDENCES", "LinkInput", "LinkResult", "family_of", "find_manifests", "link", "sorted_edges"]

# By tier; the share of right answers measured against compilers' and language servers' own resolution.
CONFIDENCES = (0.99, 0.99, 0.98, 0.95, 0.6, 0.3, 0.0)
MAY_DISPATCH = 0.5  # a call of the overridden method may or may not reach this one
CANDIDATES = 5  # a larger set of candidates is kept as its size alone

_RESOLVED, _AMBIGUOUS, _OUTSIDE, _UNRESOLVED, _MAY = range(5)
_CALL, _IMPORT, _INHERIT, _OVERRIDE, _TYPE, _ATTRIBUTE, _DECORATOR, _USE = range(8)
assert EDGE_KINDS[_USE] == "use" and EDGE_STATUSES[_MAY] == "may_dispatch"


class LinkInput(NamedTuple):
    """One file to link."""

    path: str
    language: str | None
    parsed: ParsedFile


class LinkResult(NamedTuple):
    """Edges as parallel arrays, sorted by caller file, caller symbol, site file, line, column, callee, and then by all the rest.

    A node is a (file, symbol) pair: ``file`` is the position in the input, ``symbol`` the position in that file's symbols, or -1 for the
    file's top-level code.  An edge without a callee has ``callee_file`` -1.
    """

    caller_file: np.ndarray  # int32
    caller_symbol: np.ndarray  # int32
    callee_file: np.ndarray  # int32
    callee_symbol: np.ndarray  # int32
    name: np.ndarray  # uint32, position in ``names``
    kind: np.ndarray  # uint8
    tier: np.ndarray  # uint8
    status: np.ndarray  # uint8
    confidence: np.ndarray  # float32
    file: np.ndarray  # int32, file of the site
    line: np.ndarray  # uint32
    column: np.ndarray  # uint32
    names: tuple[str, ...]  # sorted by bytes

    def __len__(self) -> int:
        return len(self.kind)


class _Rows:
    """Growing columns."""

    def __init__(self) -> None:
        self.integers = array("q")  # caller, callee (global ids), name, kind, tier, status, site file, line, column
        self.confidence = array("d")

    def add(
        self,
        caller: int,
        callee: int,
        name: int,
        kind: int,
        tier: int,
        status: int,
        sure: float,
        file: int,
        line: int,
        column: int,
    ) -> None:
        self.integers.extend((caller, callee, name, kind, tier, status, file, line, column))
        self.confidence.append(sure)


def link(files: Sequence[LinkInput], paths: Iterable[str] = (), root: str = "") -> LinkResult:
    """Resolve every use in ``files``.

    Files of different languages never meet, but for JavaScript with TypeScript and C with C++.  The answer depends on the arguments alone,
    and not on the order of evaluation between unrelated files.

    Parameters
    ----------
    files
        Parsed files; the positions in this sequence are the file ids of the result.
    paths
        Paths of files that are not linked but tell where packages begin (``package.json``, ``go.mod`` ...).
    root
        Name of the folder that paths are relative to; Python files below a root that is a package import each other by it.

    Returns
    -------
    LinkResult
        All edges.
    """
    collecting = gc.isenabled()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10_000))  # values are followed DEPTH levels deep, each a handful of frames
    gc.disable()  # millions of small tuples, no cycles among them: collections would only walk them again and again
    try:
        return _link(files, find_manifests([*(f.path for f in files), *paths]), root)
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


def _link(files: Sequence[LinkInput], manifests: dict[str, str], root: str) -> LinkResult:
    starts = [0]
    for entry in files:
        starts.append(starts[-1] + len(entry.parsed.symbols))
    groups: dict[str, list[Unit]] = {}
    plain: dict[str, list[tuple[int, str, str, ParsedFile]]] = {}
    for index, (path, language, parsed) in enumerate(files):
        if language is None:
            continue
        family = family_of(language)
        facts = parsed.bindings
        if family not in _EVALUATORS or facts is None:
            plain.setdefault(family, []).append((index, path, language, parsed))
            continue
        if isinstance(facts, (bytes, bytearray)):
            facts = unpack(bytes(facts))
        if not isinstance(facts, Facts):
            raise TypeError(f"bindings of {path} are {type(facts).__name__}, expected bytes from extract_bindings")
        groups.setdefault(family, []).append(Unit(index, path, language, parsed.symbols, facts, starts[index]))
    names: dict[str, int] = {}
    rows = _Rows()
    for family in sorted(groups):
        units = groups[family]
        if family == "python":
            evaluator: Evaluator = PythonEvaluator(units, root)
        else:
            for unit in units:
                unit.package = _package_of(unit.path, manifests)
            evaluator = _EVALUATORS[family](units)
        evaluator.set_packages(manifests)
        _Linker(evaluator, rows, names).run()
    for family in sorted(plain):
        for edge in link_by_name(plain[family], starts, CANDIDATES):
            caller = starts[edge.file] + edge.caller if edge.caller >= 0 else -2 - edge.file
            sure = 0.3 / edge.candidates if edge.status == "ambiguous" else CONFIDENCES[edge.tier]
            rows.add(
                caller, edge.callee, names.setdefault(edge.name, len(names)), EDGE_KINDS.index(edge.kind), edge.tier,
                EDGE_STATUSES.index(edge.status), sure, edge.file, edge.line, edge.column,
            )  # fmt: skip
    return _result(rows, names, starts)


_MANIFESTS = frozenset(
    {
        "package.json",
        "go.mod",
        "Cargo.toml",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "composer.json",
        "Gemfile",
        "CMakeLists.txt",
    }
)
_MANIFEST_ENDINGS = (".csproj", ".gemspec", ".fsproj", ".sln")


def find_manifests(paths: Iterable[str]) -> dict[str, str]:
    """Return the folders that begin a package, with the file that says so."""
    found: dict[str, str] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name in _MANIFESTS or name.endswith(_MANIFEST_ENDINGS):
            found.setdefault(folder, name)
    return found


def _package_of(path: str, manifests: dict[str, str]) -> str:
    folder = path.rpartition("/")[0]
    while folder and folder not in manifests:
        folder = folder.rpartition("/")[0]
    return folder


_FAMILIES = {"typescript": "javascript", "tsx": "javascript", "c": "cpp"}


def family_of(language: str) -> str:
    """Return the group of languages whose files are resolved together."""
    return _FAMILIES.get(language, language)


_EVALUATORS: dict[str, type[Evaluator]] = {
    "python": PythonEvaluator,
    "javascript": EcmascriptEvaluator,
    "go": GoEvaluator,
    "java": JavaEvaluator,
    "kotlin": KotlinEvaluator,
    "csharp": CSharpEvaluator,
    "rust": RustEvaluator,
    "php": PhpEvaluator,
    "ruby": RubyEvaluator,
    "cpp": CEvaluator,
}


_MEMBERS = frozenset({_CALL, _ATTRIBUTE})
_ONLY_RESOLVED = frozenset({_ATTRIBUTE, _USE, _TYPE})
_CALLING = frozenset({_CALL, _DECORATOR})
_ROUNDS = 3


class _Linker:
    """Edges of the files of one language."""

    def __init__(self, evaluator: Any, rows: _Rows, names: dict[str, int]) -> None:
        self.evaluator = evaluator
        self.targets = Targets(evaluator)
        self.rows = rows
        self.names = names
        self.symbol_names = {symbol.name for unit in evaluator.units for symbol in unit.symbols}
        self.waiting: list[tuple[Unit, tuple[Any, ...], int]] = []
        self.calls: dict[int, dict[int, list[int]]] = {}
        self.resolved: dict[int, tuple[int, dict[int, int]]] = {}  # by row, within one file
        self.asked: set[tuple[int, int]] = set()  # (caller, file of the module) of the imports so far

    def name(self, text: str) -> int:
        number = self.names.get(text)
        if number is None:
            number = self.names[text] = len(self.names)
        return number

    def run(self) -> None:
        for unit in self.evaluator.units:
            self.resolved = {}
            for site in unit.facts.sites:
                self.site(unit, site)
        self.flow()
        self.candidates = Candidates(self.evaluator)
        for unit, site, state in self.waiting:
            self.guess(unit, site, state)
        self.overrides()

    # --- sites ----

    def call_rows(self, unit: Unit) -> dict[int, list[int]]:
        """Return the CALL rows by the row of their callee."""
        table = self.calls.get(unit.index)
        if table is None:
            table = self.calls[unit.index] = {}
            for number, data in enumerate(unit.values):
                if data[0] == ops.CALL or data[0] == ops.NEW:
                    table.setdefault(data[1], []).append(number)
        return table

    def site(self, unit: Unit, site: tuple[Any, ...]) -> None:
        kind, row = site[0], site[1]
        if kind == _ATTRIBUTE and site[2] not in self.symbol_names:
            return  # nothing that an attribute could mean has that name
        known = self.resolved.get(row)
        if known is None:
            self.evaluator.fuel = FUEL
            known = self.resolved[row] = self.targets.resolve(unit, row)
        state, found = known
        if not found and state == ABSENT and kind in _MEMBERS:
            found = self.fields(unit, row)
        if kind == _IMPORT:
            self.module(unit, site, found)
        if found:
            found, choices = self.evaluator.compiled_in(unit, found)
            if choices and not found:
                self.maybe(unit, site, choices, False, state)
                return
            if kind == _CALL and self.evaluator.overloads:
                found = self.overloads(unit, row, found)
            self.add(unit, site, found)
            if kind in _CALLING:
                self.note_arguments(unit, row, found)
        elif kind in _ONLY_RESOLVED:
            return
        elif kind == _CALL and state != EXTERNAL:
            self.waiting.append((unit, site, state))
        elif site[2]:
            self.unknown(unit, site, state)

    def module(self, unit: Unit, site: tuple[Any, ...], found: dict[int, int]) -> None:
        """Add the edge to the module that an import names, beside the one to what is imported from it.

        A name may come from elsewhere through a re-export, and then only this edge says which file the statement asks for.
        """
        _, row, name, line, column, symbol = site
        data = unit.values[row]
        if data[0] != ops.IMPORT or not data[3] or any(node < -1 for node in found):
            return  # ``from package import module`` asks for the module alone
        bound, target = self.evaluator.import_bindings(unit, (*data[:3], ""))
        if bound != "module" or target is unit:
            return
        caller = unit.base + symbol if symbol >= 0 else -2 - unit.index
        if (caller, target.index) in self.asked:
            return
        self.asked.add((caller, target.index))
        self.rows.add(
            caller,
            -2 - target.index,
            self.name(name),
            _IMPORT,
            T1,
            _RESOLVED,
            CONFIDENCES[T1],
            unit.index,
            line,
            column,
        )

    def overloads(self, unit: Unit, row: int, found: dict[int, int]) -> dict[int, int]:
        """Keep the functions that the calls of a row fit, of the class itself or else of one above it."""
        calls = [unit.values[c] for c in self.call_rows(unit).get(row, ())]
        functions = self.evaluator.function_facts
        if not calls or any(node not in functions for node in found):
            return found
        level = found
        for _ in range(8):
            fitting = self.fitting(unit, calls, level)
            if fitting:
                return fitting
            tier = max(level.values())
            level = dict.fromkeys((n for n in self.evaluator.inherited_overloads(level) if n in functions), tier)
            if not level:
                break
        return found

    def fitting(self, unit: Unit, calls: list[tuple[Any, ...]], found: dict[int, int]) -> dict[int, int]:
        """Keep the functions that fit a call best, by the number of its arguments and by their types."""
        best: dict[int, int] = {}
        for call in calls:
            count = len(call[2]) + len(call[3])
            ranked: dict[int, int] = {}
            for node in found:
                parameters = self.evaluator.function_facts[node].parameters
                required = sum(p.default < 0 and p.kind != "*" for p in parameters)
                most = 255 if any(p.kind == "*" for p in parameters) else len(parameters)
                if required <= count <= most:
                    ranked[node] = self.evaluator.takes(node, unit, call)
            most_exact = max(ranked.values(), default=-1)
            best.update((node, found[node]) for node, exact in ranked.items() if exact == most_exact >= 0)
        return best

    def fields(self, unit: Unit, row: int) -> dict[int, int]:
        data = unit.values[row]
        if data[0] != ops.ATTRIBUTE:
            return {}
        found: dict[int, int] = {}
        base = unit.values[data[1]]
        for value in self.evaluator.value(unit, data[1])[:8]:
            if value[0] in ("I", "C", "S"):
                node = self.targets.field(value, data[2])
                if node is not None:
                    found[node] = self.targets.receiver_tier(unit, base, value)
        return found

    def add(self, unit: Unit, site: tuple[Any, ...], found: dict[int, int]) -> None:
        kind, _, name, line, column, symbol = site
        if not name:  # the callee is computed: it has the name of what it turns out to be
            name = self.node_name(next(iter(sorted(found))))
        caller = unit.base + symbol if symbol >= 0 else -2 - unit.index
        if len(found) > CANDIDATES:
            share = 0.3 / len(found)
            self.rows.add(caller, -1, self.name(name), kind, T5, _AMBIGUOUS, share, unit.index, line, column)
            return
        for node, tier in sorted(found.items()):
            if kind == _CALL and node < -1:
                continue  # a module is not called
            if tier == T5 and len(found) == 1:
                tier = T3  # its arguments told it from the others
            status, confidence = (_AMBIGUOUS, 0.3 / len(found)) if tier == T5 else (_RESOLVED, CONFIDENCES[tier])
            self.rows.add(caller, node, self.name(name), kind, tier, status, confidence, unit.index, line, column)

    def node_name(self, node: int) -> str:
        unit = self.evaluator.by_gid.get(node)
        return unit.symbols[node - unit.base].name if unit is not None else ""

    def unknown(self, unit: Unit, site: tuple[Any, ...], state: int) -> None:
        kind, _, name, line, column, symbol = site
        caller = unit.base + symbol if symbol >= 0 else -2 - unit.index
        status = _OUTSIDE if state == EXTERNAL else _UNRESOLVED
        self.rows.add(caller, -1, self.name(name), kind, NO_TIER, status, 0.0, unit.index, line, column)

    # --- function values that travel through parameters ----

    def note_arguments(self, unit: Unit, row: int, found: dict[int, int]) -> None:
        """Remember which calls pass arguments to a function."""
        calls = self.call_rows(unit).pop(row, None)  # a row has the same targets at each of its sites
        if not calls:
            return
        evaluator = self.evaluator
        data = unit.values[row]
        bound = data[0] == ops.ATTRIBUTE and any(v[0] in ("I", "S") for v in evaluator.value(unit, data[1]))
        for node in found:
            function = evaluator.function_facts.get(node)
            made = False
            if function is None:
                target = evaluator.constructor(node)
                if target is None:
                    continue
                node, made = target, True
            sites = evaluator.argument_sites.setdefault(node, [])
            if len(sites) <= 32:
                sites.extend((unit, call, bound or made) for call in calls)

    def flow(self) -> None:
        """Follow functions and instances through parameters, where the calls that pass them are known."""
        for _ in range(_ROUNDS):
            if not self.waiting:
                return
            self.evaluator.start_flow()
            waiting, self.waiting = self.waiting, []
            last = None
            for unit, site, state in waiting:
                if state == ABSENT:
                    self.waiting.append((unit, site, state))
                    continue
                if unit is not last:
                    self.resolved = {}
                    last = unit
                self.site(unit, site)
            if len(self.waiting) == len(waiting):
                return

    # --- guesses ----

    def guess(self, unit: Unit, site: tuple[Any, ...], state: int) -> None:
        row, name = site[1], site[2]
        if not name or name.startswith("__"):
            return  # what a statement calls by itself is kept only when it is known
        data = unit.values[row]
        if data[0] == ops.NAME:
            known = self.evaluator.name_candidates(unit, data[1])
            self.maybe(unit, site, known, False, state)
            return
        if data[0] != ops.ATTRIBUTE or state == ABSENT:
            self.unknown(unit, site, state)
            return
        nodes, sure = self.candidates.find(unit, row, name)
        self.maybe(unit, site, nodes, sure, state)

    def maybe(self, unit: Unit, site: tuple[Any, ...], nodes: list[int], sure: bool, state: int) -> None:
        """Keep what a use may mean: one candidate with a witness, a few candidates, or their number alone."""
        kind, _, name, line, column, symbol = site
        caller = unit.base + symbol if symbol >= 0 else -2 - unit.index
        if not nodes:
            self.unknown(unit, site, state)
        elif len(nodes) == 1 and sure:
            self.rows.add(
                caller, nodes[0], self.name(name), kind, T4, _RESOLVED, CONFIDENCES[T4], unit.index, line, column
            )
        elif len(nodes) <= CANDIDATES:
            share = CONFIDENCES[T5] / len(nodes)
            for node in nodes:
                self.rows.add(caller, node, self.name(name), kind, T5, _AMBIGUOUS, share, unit.index, line, column)
        else:
            share = CONFIDENCES[T5] / len(nodes)
            self.rows.add(caller, -1, self.name(name), kind, T5, _AMBIGUOUS, share, unit.index, line, column)

    # --- overrides ----

    def overrides(self) -> None:
        evaluator = self.evaluator
        for unit in evaluator.units:
            for symbol in unit.facts.classes:
                info = evaluator.class_info(unit.base + symbol)
                if info is None or not info.bases:
                    continue
                scope = unit.facts.scopes[info.facts.scope]
                for name, rows in scope.names.items():
                    own = [r for r in rows if unit.values[r][0] == ops.DEFINITION]
                    if not own or unit.values[own[-1]][1] not in unit.facts.functions or name.startswith("__"):
                        continue
                    above = evaluator.member(info.gid, name, info.gid)
                    if above is None:
                        continue
                    owner, entries = above
                    if owner.gid >= SYNTHETIC:
                        continue  # members of the same class that stand away from it
                    for row, _, in_class in entries[-1:]:
                        data = owner.unit.values[row]
                        if data[0] == ops.DEFINITION and in_class and data[1] in owner.unit.facts.functions:
                            self.may_dispatch(owner.unit.base + data[1], unit.base + unit.values[own[-1]][1])
        for declared, method in evaluator.implementations():
            self.may_dispatch(declared, method)

    def may_dispatch(self, declared: int, method: int) -> None:
        unit = self.evaluator.by_gid[method]
        definition = unit.symbols[method - unit.base]
        tier = T0 if self.evaluator.by_gid[declared] is unit else T3
        self.rows.add(
            declared, method, self.name(definition.name), _OVERRIDE, tier, _MAY, MAY_DISPATCH, unit.index, definition.line, 0
        )  # fmt: skip


def _result(rows: _Rows, names: dict[str, int], starts: list[int]) -> LinkResult:
    table = np.frombuffer(rows.integers, np.int64).reshape(-1, 9) if rows.integers else np.empty((0, 9), np.int64)
    confidence = np.frombuffer(rows.confidence, np.float64) if rows.confidence else np.empty(0)
    edges = np.asarray(starts, np.int64)

    def split(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        file = np.searchsorted(edges, nodes, side="right") - 1
        symbol = nodes - edges[np.maximum(file, 0)]
        module = nodes <= -2
        file = np.where(module, -2 - nodes, np.where(nodes < 0, -1, file))
        symbol = np.where(nodes < 0, -1, symbol)
        return file.astype(np.int32), symbol.astype(np.int32)

    caller_file, caller_symbol = split(table[:, 0])
    callee_file, callee_symbol = split(table[:, 1])
    ordered = sorted(names, key=lambda n: n.encode("utf-8", "surrogateescape"))
    position = np.zeros(max(len(names), 1), np.uint32)
    for new, text in enumerate(ordered):
        position[names[text]] = new
    name = position[table[:, 2]]
    columns = LinkResult(
        caller_file, caller_symbol, callee_file, callee_symbol, name.astype(np.uint32), table[:, 3].astype(np.uint8),
        table[:, 4].astype(np.uint8), table[:, 5].astype(np.uint8), confidence.astype(np.float32),
        table[:, 6].astype(np.int32), table[:, 7].astype(np.uint32), table[:, 8].astype(np.uint32), tuple(ordered),
    )  # fmt: skip
    return sorted_edges(columns)


def sorted_edges(edges: LinkResult) -> LinkResult:
    """Return edges in their order; it is total, so that it does not tell how they were found."""

    def pair(high: np.ndarray, low: np.ndarray) -> np.ndarray:
        return (high.astype(np.int64) << 32) + low

    callee = pair(edges.callee_file, edges.callee_symbol)
    kind = (edges.kind.astype(np.int64) << 16) + (edges.tier.astype(np.int64) << 8) + edges.status
    order = np.lexsort(
        (
            edges.confidence,
            edges.name,
            kind,
            callee,
            pair(edges.line, edges.column),
            edges.file,
            pair(edges.caller_file, edges.caller_symbol),
        )
    )
    return LinkResult(*(column[order] for column in edges[:-1]), edges.names)
