"""Which definition a use means and by which rule: every tier, on packages of a few lines."""

from __future__ import annotations

import pytest
from linked_sources import calls, uses

# --- Python ----------------------------------------------------------------------------------------------------------------------

SHAPES = """\
class Base:
    def area(self):
        return 0

    def scale(self):
        return self.area()

class Square(Base):
    def area(self):
        return super().area()

    def twin(self) -> "Square":
        return Square()

    @classmethod
    def make(cls):
        return cls.unit()

    @classmethod
    def unit(cls):
        return cls()
"""


def test_scope_before_file_before_module() -> None:
    sources = {
        "a.py": "def f():\n    def g():\n        return 1\n    return g()\n\ndef g():\n    return 2\n\ndef h():\n    return g()\n"
    }
    assert {(u.caller, u.callee, u.tier) for u in uses(sources) if u.kind == "call"} == {
        ("a.py:f", "a.py:f.g", "T0"),
        ("a.py:h", "a.py:g", "T0"),
    }


def test_a_method_is_no_name_of_the_scope_inside_its_class() -> None:
    sources = {"a.py": "class C:\n    def send(self):\n        return send()\n"}
    assert calls(sources, "a.py", "send") == {("", "-", "unresolved")}


@pytest.mark.parametrize(
    ("statement", "call"),
    [
        ("from pkg.low import work", "work()"),
        ("from pkg.low import work as w", "w()"),
        ("from .low import work", "work()"),
        ("import pkg.low", "pkg.low.work()"),
        ("import pkg.low as low", "low.work()"),
        ("from pkg import low", "low.work()"),
        ("from . import low as l", "l.work()"),
        ("from pkg.low import *", "work()"),
        ("from pkg.middle import job", "job()"),
        ("from pkg import job", "job()"),
    ],
)
def test_an_imported_name(statement: str, call: str) -> None:
    sources = {
        "pkg/__init__.py": "from .middle import job\n",
        "pkg/middle.py": "from .low import work as job\n",
        "pkg/low.py": "def work():\n    return 1\n",
        "pkg/user.py": f"{statement}\n\ndef run():\n    return {call}\n",
    }
    found = {(u.caller, u.callee, u.tier, u.status) for u in uses(sources) if u.path == "pkg/user.py" and u.line == 4}
    assert ("pkg/user.py:run", "pkg/low.py:work", "T1", "resolved") in found
    assert {callee for _, callee, _, _ in found if callee.endswith(".py:work")} == {"pkg/low.py:work"}


def test_a_star_takes_what_the_module_offers() -> None:
    sources = {
        "low.py": "__all__ = ['open_one']\n\ndef open_one(): ...\n\ndef hidden(): ...\n",
        "user.py": "from low import *\n\nopen_one()\nhidden()\n",
    }
    assert calls(sources, "user.py", "open_one") == {("low.py:open_one", "T1", "resolved")}
    assert ("low.py:hidden", "T1", "resolved") not in calls(sources, "user.py", "hidden")


def test_modules_that_import_each_other() -> None:
    sources = {
        "a.py": "from b import *\nfrom b import ghost\n\ndef one():\n    return two()\n\nghost()\n",
        "b.py": "from a import *\nfrom a import ghost\n\ndef two():\n    return one()\n",
    }
    assert calls(sources, "a.py", "two") == {("b.py:two", "T1", "resolved")}
    assert calls(sources, "b.py", "one") == {("a.py:one", "T1", "resolved")}
    assert {callee for callee, _, _ in calls(sources, "a.py", "ghost")} == {""}, "a circle that defines nothing"


def test_self_cls_and_super_follow_the_bases() -> None:
    sources = {
        "shapes.py": SHAPES,
        "more.py": "from shapes import Square\n\nclass Tile(Square):\n    def lay(self):\n        return self.scale()\n",
    }
    found = {(u.caller, u.callee, u.tier) for u in uses(sources) if u.kind == "call" and u.status == "resolved"}
    assert ("more.py:Tile.lay", "shapes.py:Base.scale", "T2") in found
    assert ("shapes.py:Base.scale", "shapes.py:Base.area", "T2") in found
    assert ("shapes.py:Square.area", "shapes.py:Base.area", "T2") in found
    assert ("shapes.py:Square.make", "shapes.py:Square.unit", "T2") in found


def test_the_order_of_bases_is_the_resolution_order_of_the_language() -> None:
    sources = {
        "d.py": (
            "class A:\n    def m(self): ...\n\nclass B(A): ...\n\nclass C(A):\n    def m(self): ...\n\n"
            "class D(B, C):\n    def run(self):\n        self.m()\n\n    def up(self):\n        super().m()\n"
        )
    }
    assert calls(sources, "d.py", "m") == {("d.py:C.m", "T2", "resolved")}, "B has none, and C comes before A"


def test_an_overriding_method_may_be_reached() -> None:
    found = {(u.caller, u.callee, u.status) for u in uses({"shapes.py": SHAPES}) if u.kind == "override"}
    assert found == {("shapes.py:Base.area", "shapes.py:Square.area", "may_dispatch")}


@pytest.mark.parametrize(
    "body",
    [
        "def run(s: Square):\n    s.area()\n",
        "def run(s: 'Square | None'):\n    s.area()\n",
        "def run():\n    s = Square()\n    s.area()\n",
        "def run():\n    Square().area()\n",
        "class Holder:\n    def __init__(self):\n        self.s = Square()\n\n    def run(self):\n        self.s.area()\n",
        "class Holder:\n    s: Square\n\n    def run(self):\n        self.s.area()\n",
        "def make() -> Square: ...\n\ndef run():\n    make().area()\n",
        "def run():\n    Square().twin().area()\n",
        "def make():\n    return Square()\n\ndef run():\n    t = make()\n    t.area()\n",
    ],
    ids=["annotation", "optional", "constructor", "temporary", "attribute", "declared", "return", "chain", "inferred"],
)
def test_the_type_of_the_receiver(body: str) -> None:
    sources = {"shapes.py": SHAPES, "user.py": f"from shapes import Square\n\n{body}"}
    assert calls(sources, "user.py", "area") == {("shapes.py:Square.area", "T3", "resolved")}


ONE = "class Ledger:\n    def reconcile(self):\n        return 1\n"
TWO = "class Diary:\n    def reconcile(self):\n        return 2\n"


def test_the_only_method_of_that_name_needs_a_witness() -> None:
    witness = {"a.py": ONE, "b.py": "import a\n\ndef run(ledger):\n    ledger.reconcile()\n"}
    (edge,) = [u for u in uses(witness) if u.name == "reconcile" and u.kind == "call"]
    assert (edge.callee, edge.tier, edge.status) == ("a.py:Ledger.reconcile", "T4", "resolved")
    assert 0.3 < edge.confidence <= 0.6
    stranger = {"p/__init__.py": "", "p/a.py": ONE, "p/b.py": "def run(thing):\n    thing.reconcile()\n"}
    assert not {(t, s) for _, t, s in calls(stranger, "p/b.py", "reconcile")} & {("T4", "resolved")}


def test_several_candidates_are_all_kept_and_marked() -> None:
    sources = {"a.py": ONE, "b.py": TWO, "c.py": "import a, b\n\ndef run(thing):\n    thing.reconcile()\n"}
    found = [u for u in uses(sources) if u.path == "c.py" and u.kind == "call"]
    assert {u.callee for u in found} == {"a.py:Ledger.reconcile", "b.py:Diary.reconcile"}
    assert {(u.tier, u.status) for u in found} == {("T5", "ambiguous")}
    assert sum(u.confidence for u in found) <= 0.3001 and all(0 < u.confidence <= 0.3 for u in found)


def test_too_many_candidates_leave_one_marked_use() -> None:
    classes = "\n".join(f"class C{i}:\n    def reconcile(self): ...\n" for i in range(9))
    (edge,) = [u for u in uses({"a.py": classes + "\ndef run(x):\n    x.reconcile()\n"}) if u.kind == "call"]
    assert (edge.callee, edge.tier, edge.status) == ("", "T5", "ambiguous") and 0 < edge.confidence <= 0.3


def test_what_lies_outside_and_what_is_unknown_is_kept_without_a_callee() -> None:
    sources = {
        "a.py": ONE,
        "b.py": "import json\nimport a\nfrom shop import reconcile\n\ndef run():\n    json.reconcile()\n    reconcile()\n    nowhere()\n",
    }
    found = [u for u in uses(sources) if u.path == "b.py" and u.kind == "call"]
    assert sorted((u.line, u.name, u.callee, u.tier, u.status) for u in found) == [
        (6, "reconcile", "", "-", "external"),
        (7, "reconcile", "", "-", "external"),
        (8, "nowhere", "", "-", "unresolved"),
    ]


def test_a_type_from_outside_bars_every_guess() -> None:
    sources = {
        "a.py": ONE,
        "b.py": "import a\nfrom shop import Till\n\ndef run(till: Till):\n    till.reconcile()\n    Till().reconcile()\n",
    }
    assert {(callee, tier) for callee, tier, _ in calls(sources, "b.py", "reconcile")} == {("", "-")}


@pytest.mark.parametrize(
    "body",
    [
        "def run(work):\n    work()\n",
        "def run():\n    for work in range(3):\n        work()\n",
        "def run(given):\n    with given as work:\n        work()\n",
        "run = lambda work: work()\n",
    ],
    ids=["parameter", "loop", "with", "lambda"],
)
def test_a_shadowed_name_is_not_the_global_one(body: str) -> None:
    sources = {"a.py": f"def work(): ...\n\n{body}"}
    assert "a.py:work" not in {callee for callee, _, _ in calls(sources, "a.py", "work")}


def test_an_unrelated_function_is_not_found_by_its_name() -> None:
    sources = {"a.py": "def work(): ...\n", "b.py": "def run():\n    work()\n"}
    assert calls(sources, "b.py", "work") == {("", "-", "unresolved")}


def test_languages_never_meet() -> None:
    sources = {
        "a.py": "class Ledger:\n    def reconcile(self): ...\n\ndef work(): ...\n",
        "b.ts": "import {work} from './a';\nexport function run(ledger) { work(); ledger.reconcile(); }\n",
        "c.go": "package c\n\nfunc run(ledger Ledger) { work(); ledger.reconcile() }\n",
    }
    crossing = [u for u in uses(sources) if u.callee and u.callee.split(":")[0] != u.path]
    assert crossing == []


# --- TypeScript and JavaScript ---------------------------------------------------------------------------------------------------

LIB = """\
export function work(): number { return 1; }
export default function main(): number { return work(); }
export class Base { area(): number { return 0; } scale(): number { return this.area(); } }
export class Square extends Base {
  area(): number { return super.area(); }
  twin(): Square { return new Square(); }
  static unit(): Square { return new Square(); }
}
"""


@pytest.mark.parametrize(
    ("statement", "call", "callee"),
    [
        ("import {work} from './lib';", "work()", "work"),
        ("import {work as w} from './lib';", "w()", "work"),
        ("import anything from './lib';", "anything()", "main"),
        ("import * as lib from './lib';", "lib.work()", "work"),
        ("import {work} from './barrel';", "work()", "work"),
        ("import {job} from './barrel';", "job()", "work"),
        ("import {lib} from './barrel';", "lib.work()", "work"),
        ("import {Square} from './barrel';", "Square.unit()", "Square.unit"),
    ],
)
@pytest.mark.parametrize("ending", ["ts", "tsx"])
def test_ecmascript_imports(statement: str, call: str, callee: str, ending: str) -> None:
    sources = {
        "src/lib.ts": LIB,
        "src/barrel/index.ts": "export * from '../lib';\nexport {work as job} from '../lib';\nexport * as lib from '../lib';\n",
        f"src/user.{ending}": f"{statement}\nexport function run() {{ return {call}; }}\n",
    }
    found = {
        (u.caller, u.callee, u.status) for u in uses(sources) if u.kind == "call" and u.line == 2 and "user" in u.path
    }
    assert found == {(f"src/user.{ending}:run", f"src/lib.ts:{callee}", "resolved")}


@pytest.mark.parametrize(
    "statement",
    ["const {work} = require('./lib');", "const work = require('./lib').work;", "import {work} from './lib.js';"],
)
def test_javascript_modules(statement: str) -> None:
    export = "export {work};" if "import" in statement else "module.exports = {work};"
    sources = {"lib.js": f"function work() {{}}\n{export}\n", "user.js": f"{statement}\nwork();\n"}
    found = calls(sources, "user.js", "work")
    assert {(callee, status) for callee, _, status in found} == {("lib.js:work", "resolved")}
    assert {tier for _, tier, _ in found} <= {"T1", "T3"}, "by import, or as a member of what require returns"


def test_barrels_that_export_each_other() -> None:
    sources = {
        "a.ts": "export * from './b';\nexport function one() {}\n",
        "b.ts": "export * from './a';\n",
        "c.ts": "import {one, ghost} from './b';\none();\nghost();\n",
    }
    assert calls(sources, "c.ts", "one") == {("a.ts:one", "T1", "resolved")}
    assert {callee for callee, _, _ in calls(sources, "c.ts", "ghost")} == {""}


def test_this_and_super() -> None:
    sources = {
        "lib.ts": LIB,
        "more.ts": "import {Square} from './lib';\nclass Tile extends Square { lay() { return this.scale(); } }\n",
    }
    found = {(u.caller, u.callee, u.tier) for u in uses(sources) if u.kind == "call" and u.status == "resolved"}
    assert ("more.ts:Tile.lay", "lib.ts:Base.scale", "T2") in found
    assert ("lib.ts:Base.scale", "lib.ts:Base.area", "T2") in found
    assert ("lib.ts:Square.area", "lib.ts:Base.area", "T2") in found


@pytest.mark.parametrize(
    "body",
    [
        "function run(s: Square) { s.area(); }",
        "function run(s?: Square | null) { s?.area(); }",
        "function run() { const s = new Square(); s.area(); }",
        "function run() { new Square().area(); }",
        "class Holder { s: Square; run() { this.s.area(); } }",
        "class Holder { constructor(private s: Square) {} run() { this.s.area(); } }",
        "class Holder { s = new Square(); run() { this.s.area(); } }",
        "function run() { Square.unit().area(); }",
        "function run() { new Square().twin().area(); }",
    ],
    ids=["annotation", "optional", "constructor", "temporary", "field", "parameter", "initialiser", "static", "chain"],
)
def test_the_type_of_the_receiver_in_typescript(body: str) -> None:
    sources = {"lib.ts": LIB, "user.ts": f"import {{Square}} from './lib';\n{body}\n"}
    assert calls(sources, "user.ts", "area") == {("lib.ts:Square.area", "T3", "resolved")}


def test_ecmascript_names_that_are_shadowed_or_unknown() -> None:
    sources = {
        "a.ts": "export function work() {}\nexport function run(work) { work(); }\n",
        "b.ts": "export function run() { work(); }\n",
        "c.ts": "import {work} from 'outside';\nwork();\n",
    }
    assert "a.ts:work" not in {callee for callee, _, _ in calls(sources, "a.ts", "work")}
    assert calls(sources, "b.ts", "work") == {("", "-", "unresolved")}
    assert calls(sources, "c.ts", "work") == {("", "-", "external")}


def test_ecmascript_candidates_are_all_kept_and_marked() -> None:
    sources = {
        "a.ts": "export class Ledger { reconcile() {} }\nexport class Diary { reconcile() {} }\n",
        "b.ts": "import {Ledger, Diary} from './a';\nexport function run(thing) { thing.reconcile(); }\n",
    }
    found = [u for u in uses(sources) if u.path == "b.ts" and u.kind == "call"]
    assert {u.callee for u in found} == {"a.ts:Ledger.reconcile", "a.ts:Diary.reconcile"}
    assert {(u.tier, u.status) for u in found} == {("T5", "ambiguous")} and sum(u.confidence for u in found) <= 0.3001
