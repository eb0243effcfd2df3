"""Where a value comes from decides which definition a call means: tests, loops, containers, parameters, expected types."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from linked_sources import calls, uses

CLASSES = """
class A:
    def go(self): pass
    def only_a(self): pass

class B:
    def go(self): pass

class C(A):
    def go(self): pass

def a() -> A: ...
def unknown(): return input()
"""

PYTHON = [
    ("def f(x):\n    if isinstance(x, A):\n        x.go()\n", {"A.go"}),
    ("def f(x):\n    if not isinstance(x, A):\n        return\n    x.go()\n", {"A.go"}),
    ("def f(x: A | B):\n    if isinstance(x, A):\n        return\n    x.go()\n", {"B.go"}),
    ("def f(x):\n    assert isinstance(x, (A, B))\n    x.go()\n", {"A.go", "B.go"}),
    ("def f(x: A):\n    if isinstance(x, C):\n        x.go()\n", {"C.go"}),
    ("def f(x):\n    match x:\n        case A():\n            x.go()\n", {"A.go"}),
    ("def f(x):\n    match x:\n        case B() as y:\n            y.go()\n", {"B.go"}),
    ("def f(c):\n    x = A()\n    if c:\n        x = B()\n    x.go()\n", {"A.go", "B.go"}),
    ("def f():\n    x = A()\n    x = B()\n    x.go()\n", {"B.go"}),
    ("def f(c):\n    x = A()\n    while c:\n        x.go()\n        x = B()\n", {"A.go", "B.go"}),
    ("def f(c):\n    for i in c:\n        for j in i:\n            x.go()\nx = A()\n", {"A.go"}),
    ("def f(c):\n    try:\n        x = A()\n    except E:\n        x = B()\n    x.go()\n", {"A.go", "B.go"}),
    ("def f():\n    for x in [A(), B()]:\n        x.go()\n", {"A.go", "B.go"}),
    ("def f(xs: list[A]):\n    for i, x in enumerate(xs):\n        x.go()\n", {"A.go"}),
    ("def f(xs: dict[str, A]):\n    for k, x in xs.items():\n        x.go()\n    \n", {"A.go"}),
    ("def f(xs: dict[str, A]):\n    xs['k'].go()\n", {"A.go"}),
    ("def f():\n    d = {'a': A(), 'b': B()}\n    d['b'].go()\n", {"B.go"}),
    ("def f():\n    x, y = A(), B()\n    y.go()\n", {"B.go"}),
    ("def f(xs: 'list[A]'):\n    [x.go() for x in xs]\n", {"A.go"}),
    ("def f(xs: list[A]):\n    max(xs, key=lambda x: x.go())\n", {"A.go"}),
    ("def f(x):\n    x.go()\nf(A())\n", {"A.go"}),
    ("def f(run):\n    run()\nf(A().go)\n", {"A.go"}),
    ("def f(x=A()):\n    x.go()\n", {"A.go"}),
    ("def f():\n    with a() as x:\n        pass\n    a().go()\n", {"A.go"}),
    ("async def b() -> A: ...\nasync def f():\n    (await b()).go()\n", {"A.go"}),
    ("import contextlib\n@contextlib.contextmanager\ndef m():\n    yield A()\ndef f():\n    with m() as x:\n        x.go()\n", {"A.go"}),
    ("import typing as t\nT = t.TypeVar('T')\ndef same(x: T) -> T: ...\ndef f():\n    same(B()).go()\n", {"B.go"}),
    ("import typing as t\nT = t.TypeVar('T')\nclass Box(t.Generic[T]):\n    item: T\ndef f(b: 'Box[B]'):\n    b.item.go()\n", {"B.go"}),
    ("from dataclasses import dataclass\n@dataclass\nclass D:\n    x: A\ndef f(d: D):\n    d.x.go()\n", {"A.go"}),
    ("class D:\n    @property\n    def x(self): return A()\ndef f():\n    D().x.go()\n", {"A.go"}),
    ("class D:\n    def __init__(self, x: A | None):\n        self.x = x or B()\n    def f(self):\n        self.x.go()\n", {"A.go", "B.go"}),
    ("class D:\n    def me(self): return self\nclass E(D):\n    def go(self): pass\ndef f():\n    E().me().go()\n", {"E.go"}),
    ("def f(x):\n    x.go()\n", set()),
    ("def f():\n    unknown().go()\n", set()),
    ("def f(A):\n    A.only_a()\n", set()),
]  # fmt: skip


@pytest.mark.parametrize(("body", "wanted"), PYTHON, ids=range(len(PYTHON)))
def test_python(body: str, wanted: set[str]) -> None:
    found = {u for u in uses({"m.py": CLASSES + body}) if u.kind == "call" and u.name in ("go", "only_a")}
    sure = {u.callee.split(":")[1] for u in found if u.status == "resolved" and u.tier in ("T0", "T1", "T2", "T3")}
    # A function value keeps the name under which it is called.
    renamed = {u for u in uses({"m.py": CLASSES + body}) if u.kind == "call" and u.name == "run" and u.callee}
    sure |= {u.callee.split(":")[1] for u in renamed}
    assert sure == wanted


TYPES = """
export class A { go() {} kind = 1 }
export class B { go() {} }
export interface Box<T> { item: T; each(f: (x: T) => void): void; inner: { deep: T } }
export type Handler = (x: A) => void
export type Options = { on: Handler; many?: Record<string, B> }
export function pick<T>(x: T, y?: T): T { return x }
export function isA(x: unknown): x is A { return true }
export function register(o: Options): void {}
export const pool = new Map<string, B>()
export abstract class Base<T> { abstract make(): T; use() { return this.make() } }
export class Sub extends Base<A> { make() { return new A() } }
"""

TYPESCRIPT = [
    ("function f(x: A | B) { if (x instanceof A) { x.go() } }", {"A.go"}),
    ("function f(x: A | B) { if (!(x instanceof A)) { x.go() } }", {"B.go"}),
    ("function f(x: unknown) { if (isA(x)) { x.go() } }", {"A.go"}),
    ("function f(b: Box<B>) { b.item.go() }", {"B.go"}),
    ("function f(b: Box<B>) { b.each(x => x.go()) }", {"B.go"}),
    ("function f(b: Box<B>) { b.inner.deep.go() }", {"B.go"}),
    ("const h: Handler = x => x.go()", {"A.go"}),
    ("function h(): Handler { return x => { x.go() } }", {"A.go"}),
    ("register({ on: x => x.go() })", {"A.go"}),
    ("register({ on(x) { x.go() } })", {"A.go"}),
    ("const o: Options = { on: x => x.go() }", {"A.go"}),
    ("function f(o: Options) { o.many!.key.go() }", {"B.go"}),
    ("pick(new B()).go()", {"B.go"}),
    ("pool.get('x')?.go()", {"B.go"}),
    ("for (const [k, v] of pool) { v.go() }", {"B.go"}),
    ("[new A()].map(x => x.go())", {"A.go"}),
    ("[new A()].map(x => pick(x)).forEach(y => y.go())", {"A.go"}),
    ("async function g() { return new B() }\nasync function f() { (await g()).go() }", {"B.go"}),
    ("async function g() { return new B() }\nfunction f() { g().then(x => x.go()) }", {"B.go"}),
    ("(new Sub()).make().go()", {"A.go"}),
    ("function f({ a, b: { c } }: { a: A; b: { c: B } }) { c.go() }", {"B.go"}),
    ("class D { constructor(private x: A) {}\n  f() { this.x.go() } }", {"A.go"}),
    ("class D { x?: B; f = () => { this.x!.go() } }", {"B.go"}),
    ("const d = { x: new A(), f() { this.x.go() } }", {"A.go"}),
    ("function f(this: B) { this.go() }", {"B.go"}),
    ("function f(x: Box<A>['item']) { x.go() }", {"A.go"}),
    ("function f(x: ReturnType<typeof make>) { x.go() }\nfunction make() { return new A() }", {"A.go"}),
    ("function f(x: any) { (x as B).go() }", {"B.go"}),
    ("function f(x: any) { x.go() }", set()),
    ("function f(A: any) { A.go() }", set()),
]


@pytest.mark.parametrize(("body", "wanted"), TYPESCRIPT, ids=range(len(TYPESCRIPT)))
def test_typescript(body: str, wanted: set[str]) -> None:
    found = {u for u in uses({"m.ts": TYPES + body}) if u.kind == "call" and u.name == "go" and u.line > 12}
    sure = {u.callee.split(":")[1] for u in found if u.status == "resolved" and u.tier in ("T0", "T1", "T2", "T3")}
    assert sure == wanted


def test_prototypes_of_constructor_functions() -> None:
    source = "function P() {}\nP.prototype.go = function () { this.stop() }\nP.prototype.stop = function () {}\nnew P().go()\n"
    assert {(c.split(":")[1], s) for c, _, s in calls({"m.js": source}, "m.js", "go")} == {("P.go", "resolved")}
    assert {c.split(":")[1] for c, _, _ in calls({"m.js": source}, "m.js", "stop")} == {"P.stop"}


@pytest.mark.parametrize(
    "source",
    [
        "let a = {}\nlet b = {}\n" + "a = { ...b, ...a }\nb = { ...a, ...b }\n" * 20 + "a.x()\n",
        "let t = [1]\n" + "t = [t, t]\n" * 40 + "t[0].x()\n",
        "type T<X> = { next: T<[X, X]>; item: X }\nfunction f(t: T<Date>) { t" + ".next" * 30 + ".item.go() }\n",
    ],
)
def test_values_without_end_are_cut_short(source: str) -> None:
    assert {s for _, _, s in calls({"m.ts": source}, "m.ts", "x")} <= {"unresolved", "external"}


def test_recursive_values_of_python_end() -> None:
    source = "d = {}\n" + "d = {'a': d, 'b': [d, d]}\n" * 40 + "d['a']['b'][0].go()\n"
    assert {s for _, _, s in calls({"m.py": source}, "m.py", "go")} <= {"unresolved", "external"}


def test_a_sum_of_a_thousand_strings_is_linked() -> None:
    source = "def f():\n    pass\nx = " + " + ".join(["'a'"] * 3000) + "\nf()\n"
    assert calls({"m.py": source}, "m.py", "f") == {("m.py:f", "T0", "resolved")}


def test_snippets_of_the_pycg_benchmark() -> None:
    truth, snippets = os.environ.get("QUATRAIN_PYCG_TRUTH"), os.environ.get("QUATRAIN_PYCG_SNIPPETS")
    if not truth or not snippets:
        pytest.skip("QUATRAIN_PYCG_TRUTH and QUATRAIN_PYCG_SNIPPETS name the call graphs and the folder of snippets")
    from benchmarks.graph import score_snippets

    result = score_snippets(Path(snippets), Path(truth))
    assert result["precision"] >= 0.98, result["wrong"]
    assert result["recall"] >= 0.75, result["missed"]
