"""Kinds of TypeScript code in which callers are easily lost: receivers of function types, closures, predicates, merged declarations."""

from __future__ import annotations

import pytest
from linked_sources import calls, uses

from quatrain.parsing.parse import parse_source


def callees(source: str, name: str) -> set[tuple[str, str]]:
    """Return (callee, status) of the calls of a name; what is known by the name alone has the status ``by name``."""
    return {
        (callee.rpartition(":")[2], "by name" if tier == "T4" else status)
        for callee, tier, status in calls({"a.ts": source}, "a.ts", name)
    }


CLASSES = "class A {\n  go() {}\n}\nclass B extends A {\n  go() {}\n  only() {}\n}\n"


def test_a_this_parameter_of_a_function_type_is_no_argument() -> None:
    source = (
        CLASSES
        + "declare function run(f: (this: B, a: A) => void): void\n"
        + "run((a) => a.go())\nrun(function (a) { this.only() })\nrun(function (this: B, a) { this.only() })\n"
    )
    assert callees(source, "go") == {("A.go", "resolved")}
    assert callees(source, "only") == {("B.only", "resolved")}


def test_an_assignment_in_a_closure_declares_nothing() -> None:
    source = (
        CLASSES
        + "function f(make: () => B) {\n  let kept: A | null = null\n"
        + "  const end = () => {\n    kept?.go()\n    kept = null\n  }\n  kept = make()\n  end()\n}\n"
    )
    assert callees(source, "go") == {("A.go", "resolved")}


def test_an_assignment_narrows_a_union_and_nothing_else() -> None:
    source = CLASSES.replace("class A {", "class A<T> {")
    assert callees(source + "function f() {\n  let x: A<any> = new A()\n  x = new B()\n  x.go()\n}\n", "go") == {
        ("A.go", "resolved")
    }
    assert callees(source + "function f() {\n  let x: A<any> | B = new A()\n  x = new B()\n  x.go()\n}\n", "go") == {
        ("B.go", "resolved")
    }


def test_a_predicate_may_be_the_type_of_a_variable() -> None:
    source = CLASSES + "const isB = make('B') as (x: any) => x is B\nfunction f(x: any) {\n  if (isB(x)) x.only()\n}\n"
    assert callees(source, "only") == {("B.only", "resolved")}


def test_either_of_two_predicates() -> None:
    source = (
        "class A {\n  x() {}\n}\nclass B {\n  x() {}\n}\n"
        "function isA(v: any): v is A { return true }\nfunction isB(v: any): v is B { return true }\n"
        "function f(v: any) {\n  if (isA(v) || isB(v)) v.x()\n}\n"
    )
    assert callees(source, "x") == {("A.x", "resolved"), ("B.x", "resolved")}


def test_an_interface_merges_with_its_class() -> None:
    source = "interface A {\n  data: number\n}\nclass A {\n  go() {}\n}\nfunction f(a: A) {\n  a.go()\n}\n"
    assert callees(source, "go") == {("A.go", "resolved")}


def test_members_named_by_a_constant() -> None:
    source = (
        CLASSES + "const key = Symbol()\ninterface Holder {\n  [key]: B\n}\n"
        "function f(h: Holder) {\n  h[key].only()\n}\n"
        "class C {\n  all() {}\n  [Symbol.iterator]() {\n    return this.all()\n  }\n}\n"
    )
    assert callees(source, "only") == {("B.only", "resolved")}
    assert callees(source, "all") == {("C.all", "resolved")}


def test_functions_behind_brackets_and_assertions_are_callers() -> None:
    source = (
        "function g() {}\nconst a: F = function named() {\n  g()\n} as any\nconst b = ((x) => g())\n"
        "function outer() {\n  return function inner() {\n    g()\n  } as any\n}\n"
    )
    found = {u.caller.rpartition(":")[2] for u in uses({"a.ts": source}) if u.kind == "call" and u.name == "g"}
    assert found == {"a", "b", "outer.inner"}


@pytest.mark.parametrize(
    "declared",
    [
        "export interface F {\n    // one\n    <T extends Function>(f: T): T\n    <T>(name: string, f: T): T\n}\n",
        "export class Many<\n  in out T extends object,\n  out U = T,\n> {\n  all() {}\n}\n",
    ],
    ids=["call signatures", "variance"],
)
def test_variance_and_call_signatures_are_no_syntax_errors(declared: str) -> None:
    source = declared + "class Box {\n  go() {}\n}\nfunction after(b: Box) {\n  b.go()\n}\n"
    assert parse_source("a.ts", "typescript", source.encode()).parse == "tree"
    assert {(u.caller, u.callee) for u in uses({"a.ts": source}) if u.kind == "call"} == {("a.ts:after", "a.ts:Box.go")}
