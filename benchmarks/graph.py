"""Call edges of a source tree as a table, to be scored against compilers' and language servers' own resolution.

``python -m benchmarks graph --root SOURCE --edges OUT.tsv`` writes the columns caller, callee, file, line, column, name,
tier, confidence, status.  Python names are dotted module paths; TypeScript and JavaScript names are
``path/without/extension:Class.method``, where an object literal is not a scope.  ``--truth TABLE`` scores the calls of the tree against a
table of :mod:`benchmarks.graph_oracles` that names what is called by its place.  ``--pycg DIR TRUTH.json`` scores a
folder of snippets with their call graphs instead.  ``--growth JSON`` shows how time grows from
10,000 to 1,000,000 edges: of linking and ranking made-up Python packages (``linking``), and of `impact`'s walk over callers in random
graphs (``walk``).  ``--root SOURCE --relink N`` edits N random files, one at a time, and links again (see :mod:`benchmarks.relinking`).
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import re
import resource
import statistics
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.relinking import measure_relinking
from benchmarks.timing import interleave, machine, spread
from quatrain.files.languages import language_of
from quatrain.indexes import graph
from quatrain.linking import LinkInput, LinkResult, link, module_name, package_directories, qualified_name
from quatrain.linking.rank import rank
from quatrain.parsing.parse import parse_source
from quatrain.records import EDGE_KINDS, EDGE_STATUSES, EDGE_TIERS, Symbol
from quatrain.retrieval.relations import reach

__all__ = ["add_arguments", "run"]

_CALLABLE = frozenset(
    {"function", "method", "class", "constructor", "property", "struct", "interface", "trait", "enum", "macro"}
)
_SCOPES = _CALLABLE | {"namespace", "module"}
_EDGES_OF_A_FILE = 192
_GROWTH_EDGES = (10_000, 100_000, 1_000_000)
_WALK_DEPTH, _WALK_STARTS = 3, 30
_EDGES_OF_A_NODE, _NODES_OF_A_FILE = 5, 10
_OWN_NAME = re.compile(rb"[\w$]+\s*(?::[^=;\n]*)?=\s*\(?\s*(?:async\s+)?function\b\s*\*?\s*([\w$]+)")
_IN_BRACKETS = re.compile(
    rb"[\w$]+\s*(?::[^=;\n]*)?=\s*\(\s*(?:async\s*)?[(<]"
)  # an arrow function in brackets has no name
_PLACE = re.compile(r"(.*):(\d+):(.+)")  # of a definition
_COLUMNS = ("caller", "callee", "file", "line", "column", "name", "tier", "confidence", "status")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--root", type=Path, help="source tree")
    parser.add_argument("--edges", type=Path, help="table to write")
    parser.add_argument("--across", action="store_true", help="with calls from one Python package to another")
    parser.add_argument("--only", default="", help="only files whose path starts with this")
    parser.add_argument("--truth", type=Path, help="table of calls to score against; see score_calls")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="with --truth, list N wrong and N missed calls"
    )
    parser.add_argument(
        "--pycg", nargs=2, type=Path, metavar=("SNIPPETS", "TRUTH"), help="score snippets against their call graphs"
    )
    parser.add_argument("--relink", type=int, default=0, metavar="N", help="edit N files of --root and link again")
    parser.add_argument("--growth", type=Path, metavar="JSON", help="how time grows with the number of edges")


def run(args: argparse.Namespace) -> int:
    """Run the benchmark."""
    if args.growth:
        report = {
            "machine": machine(("numpy", "scipy")), "linking": [measure_growth(edges) for edges in _GROWTH_EDGES],
            "depth": _WALK_DEPTH, "walk": measure_walks(_GROWTH_EDGES),
        }  # fmt: skip
        args.growth.write_text(json.dumps(report, indent=1) + "\n")
        for row in (*report["linking"], *report["walk"]):
            print(json.dumps(row))
        return 0
    if args.pycg:
        print(json.dumps(score_snippets(*args.pycg)))
        return 0
    if args.root is None or (args.edges is None and args.truth is None and not args.relink):
        print("give --root and --edges, --truth or --relink, --pycg, or --growth")
        return 2
    files, sources = load(args.root, args.only)
    if args.relink:
        rows = measure_relinking(files, sources, args.relink)
        for row in rows:
            print(json.dumps(row))
        return 0 if all(row["equal"] == row["edits"] for row in rows) else 1
    if args.truth is not None:
        print(json.dumps(score_calls(files, sources, args.truth, args.show), indent=1))
        return 0
    started = time.perf_counter()
    linked = link(files)
    seconds = time.perf_counter() - started
    rows = list(call_rows(files, sources, linked, args.across))
    with args.edges.open("w", encoding="utf-8") as out:
        out.write("\t".join(_COLUMNS) + "\n")
        for row in rows:
            out.write("\t".join(map(str, row)) + "\n")
    pairs = zip(linked.kind.tolist(), linked.status.tolist(), strict=True)
    statuses = Counter((EDGE_KINDS[k], EDGE_STATUSES[s]) for k, s in pairs)
    print(
        json.dumps(
            {
                "files": len(files),
                "edges": len(linked),
                "calls": len(rows),
                "link_seconds": round(seconds, 4),
                "by_kind": {f"{k} {s}": n for (k, s), n in sorted(statuses.items())},
            }
        )
    )
    return 0


def made_up_file(number: int, files: int) -> str:
    """Return a module of twenty functions and a class: some 100 edges, a third of them to other modules."""
    others = sorted({(number * 7 + 13 * k + 1) % files for k in range(3)} - {number})
    lines = [f"from pack.m{o} import Thing as Thing{o}, f{o}_0" for o in others]
    lines += ["", "class Thing:", "    def __init__(self):", "        self.next = None", ""]
    lines += ["    def step(self, n: int) -> 'Thing':", "        return self.turn(n)", ""]
    lines += ["    def turn(self, n: int) -> 'Thing':", "        return self", ""]
    for k in range(20):
        other = others[k % len(others)] if others else number
        lines += [f"def f{number}_{k}(thing: Thing, n: int):", "    thing.step(n).turn(n)"]
        lines += [f"    f{number}_{(k * 3 + 1) % 20}(thing, n)"]
        lines += [f"    Thing{other}().step(n)", f"    f{other}_0(thing, n)"] if others else []
        lines += ["    return len(str(n))", ""]
    return "\n".join(lines)


def measure_growth(edges: int) -> dict[str, Any]:
    """Link and rank a made-up package of about that many edges; seconds are of this process alone."""
    files = max(2, edges // _EDGES_OF_A_FILE)
    parsed = []
    for number in range(files):
        path = f"pack/m{number}.py"
        parsed.append(LinkInput(path, "python", parse_source(path, "python", made_up_file(number, files).encode())))
    parsed.append(LinkInput("pack/__init__.py", "python", parse_source("pack/__init__.py", "python", b"")))
    started = time.process_time()
    linked = link(parsed)
    linking = time.process_time() - started
    starts = np.cumsum([0, *(len(f.parsed.symbols) for f in parsed)])
    nodes = int(starts[-1]) + len(parsed)

    def node(file: np.ndarray, symbol: np.ndarray) -> np.ndarray:
        return np.where(file < 0, -1, np.where(symbol < 0, starts[-1] + file, starts[file] + symbol))

    caller = node(linked.caller_file, linked.caller_symbol)
    callee = node(linked.callee_file, linked.callee_symbol)
    started = time.process_time()
    rank(caller, callee, linked.confidence, linked.status, nodes)
    ranking = time.process_time() - started
    return {
        "files": files, "nodes": nodes, "edges": len(linked), "link_seconds": round(linking, 3),
        "rank_seconds": round(ranking, 3), "link_us_per_edge": round(linking / len(linked) * 1e6, 2),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }  # fmt: skip


def random_graph(edges: int) -> Any:
    """Return what a walk reads of an index: calls from any function to one drawn with density x**(-2/3), so that a few have many callers."""
    random = np.random.default_rng(edges)
    nodes = edges // _EDGES_OF_A_NODE
    caller = random.integers(0, nodes, edges)
    callee = (random.random(edges) ** 3 * nodes).astype(np.int64)
    caller_file, caller_symbol = np.divmod(caller, _NODES_OF_A_FILE)
    callee_file, callee_symbol = np.divmod(callee, _NODES_OF_A_FILE)
    codes, places = np.zeros(edges, np.uint8), np.arange(edges, dtype=np.uint32)
    confidences = random.choice(np.array([0.7, 0.9, 1.0], np.float32), edges)
    linked = LinkResult(
        caller_file, caller_symbol, callee_file, callee_symbol, codes.astype(np.uint32), codes, codes, codes, confidences,
        caller_file, places, places, ("f",),
    )  # fmt: skip
    files = -(-nodes // _NODES_OF_A_FILE)
    order: Any = SimpleNamespace(
        count=nodes, names=[b"f"], name_ids={b"f": 0}, global_ids=lambda file, symbol: file * _NODES_OF_A_FILE + symbol
    )
    sections: dict[str, np.ndarray] = {}
    writer: Any = SimpleNamespace(add=sections.__setitem__)
    graph.build(writer, linked, order, files)
    reader: Any = SimpleNamespace(array=sections.__getitem__)
    return SimpleNamespace(
        graph=graph.GraphIndex(reader),
        symbols=SimpleNamespace(count=nodes),
        documents=SimpleNamespace(flags=np.zeros(files, np.uint16)),
    )


def measure_walks(sizes: tuple[int, ...], rounds: int = 15) -> list[dict[str, Any]]:
    """Time the walk over the callers of any functions and of the most called ones; microseconds of CPU time for one walk.

    ``growth`` is the exponent g of time ~ edges ** g from the smaller graph to this one, and None for the first.
    """
    views = {size: random_graph(size) for size in sizes}
    starts: dict[tuple[str, int], np.ndarray] = {}
    for size, view in views.items():
        random = np.random.default_rng(size + 1)
        starts["any", size] = random.integers(0, view.symbols.count, _WALK_STARTS)
        starts["most called", size] = np.argsort(view.graph.in_degree[: view.symbols.count])[-_WALK_STARTS:]
    walks = {key: [reach(views[key[1]], one[None], _WALK_DEPTH) for one in ones] for key, ones in starts.items()}

    def all_walks(key: tuple[str, int]) -> None:
        for one in starts[key]:
            reach(views[key[1]], one[None], _WALK_DEPTH)

    samples = interleave({f"{kind} {size}": partial(all_walks, (kind, size)) for kind, size in starts}, rounds=rounds)
    rows: list[dict[str, Any]] = []
    for kind in ("any", "most called"):
        before: tuple[int, float] | None = None
        for size in sizes:
            times = samples[f"{kind} {size}"]
            microseconds = statistics.median(times) / _WALK_STARTS
            growth = before and math.log(microseconds / before[1]) / math.log(size / before[0])
            rows.append(
                {
                    "start": kind, "edges": size, "nodes": views[size].symbols.count,
                    "reached": round(statistics.mean(len(found.nodes) for found in walks[kind, size]), 1),
                    "walk_us": round(microseconds, 1), "spread": round(spread(times), 3),
                    "growth": growth if growth is None else round(growth, 2),
                }
            )  # fmt: skip
            before = size, microseconds
    return rows


def load(root: Path, only: str = "") -> tuple[list[LinkInput], list[bytes]]:
    """Parse every file below ``root``."""
    files, sources = [], []
    for place in sorted(root.rglob("*"), key=lambda p: p.relative_to(root).as_posix().encode()):
        path = place.relative_to(root).as_posix()
        if not path.startswith(only) or not place.is_file() or place.is_symlink():
            continue
        language = language_of(path)
        if language is None:
            continue
        data = place.read_bytes()
        files.append(LinkInput(path, language, parse_source(path, language, data)))
        sources.append(data)
    return files, sources


def call_rows(files: list[LinkInput], sources: list[bytes], linked: LinkResult, across: bool) -> Any:
    """Yield the calls whose callee is known, in the naming of the truth tables.

    The truth of a Python package holds the calls inside it, so calls from one package to another are left out unless ``across``.
    """
    packages = package_directories(f.path for f in files)
    modules = [module_name(f.path, f.language, f.parsed, packages) for f in files]
    names: dict[tuple[int, int, bool], str] = {}

    def name(file: int, symbol: int, inside: bool = False) -> str:
        key = (file, symbol, inside)
        if key not in names:
            local = "" if symbol < 0 else local_name(files[file], sources[file], symbol, inside)
            names[key] = qualified_name(modules[file], files[file].language, local)
        return names[key]

    call = EDGE_KINDS.index("call")
    for i in range(len(linked)):
        if linked.kind[i] != call or linked.callee_file[i] < 0:
            continue
        callee = int(linked.callee_file[i]), int(linked.callee_symbol[i])
        if callee[1] < 0 or files[callee[0]].parsed.symbols[callee[1]].kind not in _CALLABLE:
            continue
        if not across and files[callee[0]].language == "python":
            home = modules[int(linked.caller_file[i])].split(".", 1)[0]
            if modules[callee[0]].split(".", 1)[0] != home:
                continue
        target = files[callee[0]].parsed.symbols[callee[1]]
        if files[callee[0]].language != "python" and is_assigned(sources[callee[0]], target.name_byte):
            continue  # the truth has the declared member
        file = int(linked.file[i])
        line, column = int(linked.line[i]), int(linked.column[i])
        if files[file].language != "python":
            column = utf16_column(sources[file], line, column)
        yield (
            name(int(linked.caller_file[i]), int(linked.caller_symbol[i]), True), name(*callee), files[file].path, line, column,
            linked.names[linked.name[i]], EDGE_TIERS[linked.tier[i]], round(float(linked.confidence[i]), 4),
            EDGE_STATUSES[linked.status[i]],
        )  # fmt: skip


def score_calls(files: list[LinkInput], sources: list[bytes], table: Path, show: int = 0) -> dict[str, Any]:
    """Score sure calls (T0 to T3, one target) against a table of what is called where.

    The table has the columns caller, callee, file, line, col, name, kind.  A callee is ``path:line:name``, any line of the definition,
    or a qualified name.  A row without ``col`` is found by line and name.  Rows of kind ``internal`` are to be found; a
    prediction at the site of one that is ``overridden`` (a method above the one that ran) is right and finds it too; at the site of an
    ``external`` one it is wrong; other sites count neither way.  Callers are not compared: they follow from the place.
    """
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    packages = package_directories(f.path for f in files)
    modules = [module_name(f.path, f.language, f.parsed, packages) for f in files]
    by_path = {f.path: number for number, f in enumerate(files)}
    places = {text: _PLACE.fullmatch(text) for text in {r["callee"] for r in rows}}
    truth = [r for r in rows if r["file"] in by_path and ((p := places[r["callee"]]) is None or p[1] in by_path)]

    def is_callee(text: str, file: int, symbol: int) -> bool:
        entry = files[file].parsed.symbols[symbol]
        place = places[text]
        if place is None:
            return text == qualified_name(modules[file], files[file].language, entry.qualified_name)
        path, line, name = place.groups()
        return by_path[path] == file and name == entry.name and entry.start_line <= int(line) <= entry.end_line

    def key(row: dict[str, str]) -> tuple[str, int, int, str]:
        return row["file"], int(row["line"]), int(row["col"] or -1), "" if row["col"] else row["name"]

    right: dict[tuple[str, int, int, str], list[str]] = {}
    wanted: dict[tuple[str, int, int, str], dict[str, None]] = {}
    for row in truth:
        if row["kind"] in ("internal", "overridden", "external"):
            right.setdefault(key(row), [])
        if row["kind"] == "internal":
            wanted.setdefault(key(row), {})[row["callee"]] = None
        if row["kind"] in ("internal", "overridden"):
            right[key(row)].append(row["callee"])
    call, resolved = EDGE_KINDS.index("call"), EDGE_STATUSES.index("resolved")
    predicted: dict[tuple[tuple[str, int, int, str], int, int], str] = {}
    for i in range(len(linked := link(files))):
        if linked.kind[i] != call or linked.status[i] != resolved or linked.callee_symbol[i] < 0:
            continue
        file, line, column = int(linked.file[i]), int(linked.line[i]), int(linked.column[i])
        target = int(linked.callee_file[i]), int(linked.callee_symbol[i])
        for site in (
            (files[file].path, line, utf16_column(sources[file], line, column), ""),
            (files[file].path, line, -1, linked.names[linked.name[i]]),
        ):
            if site in right:
                predicted[(site, *target)] = EDGE_TIERS[linked.tier[i]]
    tiers: dict[str, Counter[bool]] = {}
    wrong, found = [], set()
    for (site, file, symbol), tier in predicted.items():
        matching = [c for c in right[site] if is_callee(c, file, symbol)]
        tiers.setdefault(tier, Counter())[bool(matching)] += 1
        if tier not in ("T0", "T1", "T2", "T3"):
            continue
        if not matching:
            wrong.append((*site, files[file].path, files[file].parsed.symbols[symbol].qualified_name, right[site]))
        callees = wanted.get(site, {})
        overridden = any(c not in callees for c in matching)
        found |= {(site, c) for c in callees if overridden or c in matching}
    missed = [(*site, callee) for site, callees in wanted.items() for callee in callees if (site, callee) not in found]
    for label, rows in (("wrong", wrong), ("missed", missed)):
        for row in sorted(rows)[:show]:
            print(label, *row, file=sys.stderr)
    sure = sum((c for t, c in tiers.items() if t in ("T0", "T1", "T2", "T3")), Counter())
    total = sum(map(len, wanted.values()))
    return {
        "precision": round(sure[True] / max(sure.total(), 1), 4), "recall": round(1 - len(missed) / max(total, 1), 4),
        "predicted": sure.total(), "truth": total,
        "by_tier": {t: {"n": c.total(), "precision": round(c[True] / c.total(), 4)} for t, c in sorted(tiers.items())},
    }  # fmt: skip


def local_name(file: LinkInput, data: bytes, symbol: int, inside: bool = False) -> str:
    """Return the name within the file.

    In the ECMAScript truth tables variables are no scopes, and neither is a function that is assigned to a member (``x.f = () => ...``).
    What stands inside a named function expression is named after that, not after the variable that holds it.
    """
    symbols = file.parsed.symbols
    if file.language not in ("javascript", "typescript", "tsx"):
        return symbols[symbol].qualified_name
    parts = []
    while symbol >= 0:
        entry = symbols[symbol]
        assigned = is_assigned(data, entry.name_byte)
        unnamed = inside and _IN_BRACKETS.match(data, entry.name_byte)
        if entry.kind in _SCOPES and not assigned and not unnamed:
            own = _OWN_NAME.match(data, entry.name_byte) if inside else None
            parts.append(own[1].decode() if own is not None else entry.name)
        inside = True
        symbol = around(symbols, symbol) if assigned else entry.parent
    return ".".join(reversed(parts))


def is_assigned(data: bytes, name_byte: int) -> bool:
    """Return whether a definition is a function that is assigned to a member."""
    return data[name_byte - 1 : name_byte] == b"."


def around(symbols: tuple[Symbol, ...], symbol: int) -> int:
    """Return the innermost definition whose text holds that of another, or -1."""
    inner = symbols[symbol]
    best = -1
    for number, outer in enumerate(symbols):
        holds = outer.start_byte <= inner.start_byte and outer.end_byte >= inner.end_byte and number != symbol
        if holds and (best < 0 or outer.start_byte >= symbols[best].start_byte):
            best = number
    return best


def utf16_column(data: bytes, line: int, column: int) -> int:
    """Return a byte column as a count of UTF-16 units."""
    start = 0
    for _ in range(line - 1):
        start = data.index(b"\n", start) + 1
    return len(data[start : start + column].decode("utf-8", "replace").encode("utf-16-le")) // 2


def score_snippets(folder: Path, truth_file: Path) -> dict[str, Any]:
    """Score call graphs of snippets: edges between functions and modules; calls of built-ins are left out.

    The truth lists a class call as a call of the ``__init__`` that runs, when there is one.
    """
    truth = json.loads(truth_file.read_text())
    totals: Counter[str] = Counter()
    groups: dict[str, Counter[str]] = {}
    missed, wrong = [], []
    for name in sorted(truth):
        wanted = {(c, d) for c, targets in truth[name].items() for d in targets if "<" not in d and "<" not in c}
        if not (folder / name).is_dir():
            continue
        found = snippet_edges(folder / name)
        group = groups.setdefault(name.split("/")[0], Counter())
        known = {n for n in truth[name]} | {d for targets in truth[name].values() for d in targets}
        found = {e for e in found if e[1] in known or re.match(r"[\w.]+$", e[1])}
        for counter in (totals, group):
            counter["right"] += len(found & wanted)
            counter["found"] += len(found)
            counter["wanted"] += len(wanted)
        missed += [(name, *e) for e in sorted(wanted - found)]
        wrong += [(name, *e) for e in sorted(found - wanted)]

    def measures(c: Counter[str]) -> dict[str, float]:
        return {
            "precision": round(c["right"] / max(c["found"], 1), 4), "recall": round(c["right"] / max(c["wanted"], 1), 4),
            "wanted": c["wanted"],
        }  # fmt: skip

    return {
        **measures(totals), "groups": {g: measures(c) for g, c in sorted(groups.items())}, "missed": missed, "wrong": wrong,
    }  # fmt: skip


def snippet_edges(folder: Path) -> set[tuple[str, str]]:
    """Return the resolved call edges of one snippet."""
    files, _ = load(folder)
    files = [f for f in files if f.language == "python"]
    linked = link(files)
    packages = package_directories(f.path for f in files)
    modules = [module_name(f.path, f.language, f.parsed, packages) for f in files]

    def name(file: int, symbol: int) -> str:
        return qualified_name(
            modules[file], "python", "" if symbol < 0 else files[file].parsed.symbols[symbol].qualified_name
        )

    found: set[tuple[str, str]] = set()
    by_name = {name(f, s): (f, s) for f, entry in enumerate(files) for s in range(len(entry.parsed.symbols))}
    bases: dict[str, list[str]] = {}
    inherit, call, decorator = (EDGE_KINDS.index(k) for k in ("inherit", "call", "decorator"))
    resolved = EDGE_STATUSES.index("resolved")
    rows = []
    for i in range(len(linked)):
        if (
            linked.callee_file[i] < 0
            or linked.status[i] != resolved
            or EDGE_TIERS[linked.tier[i]] not in ("T0", "T1", "T2", "T3")
        ):
            continue
        caller = name(int(linked.caller_file[i]), int(linked.caller_symbol[i]))
        callee = name(int(linked.callee_file[i]), int(linked.callee_symbol[i]))
        if linked.kind[i] == inherit:
            bases.setdefault(caller, []).append(callee)
        elif linked.kind[i] in (call, decorator):
            rows.append((caller, callee))

    def constructor(cls: str, seen: tuple[str, ...] = ()) -> str | None:
        if f"{cls}.__init__" in by_name:
            return f"{cls}.__init__"
        for base in bases.get(cls, ()):
            if base not in seen:
                above = constructor(base, (*seen, cls))
                if above:
                    return above
        return None

    for caller, callee in rows:
        place = by_name.get(callee)
        if place is not None:
            kind = files[place[0]].parsed.symbols[place[1]].kind
            if kind == "class":
                target = constructor(callee)
                if target:
                    found.add((caller, target))
                continue
            if kind not in _CALLABLE:
                continue
        found.add((caller, callee))
    return found
