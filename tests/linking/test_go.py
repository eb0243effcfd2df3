"""Go: names by block, packages by import path, files of other systems, interfaces that types satisfy without saying so."""

from __future__ import annotations

import pytest
from linked_sources import calls, uses

from quatrain.linking.build_constraints import built_together, constraint, default_tags

TYPES = """package a

type A struct{}

func (a *A) Go() {}

type B struct{}

func (b *B) Go() {}

func NewA() *A { return nil }

func go_() *A { return nil }

"""


def callees(body: str, name: str = "Go") -> set[tuple[str, str]]:
    return {(c.removeprefix("a.go:"), status) for c, _, status in calls({"a.go": TYPES + body}, "a.go", name)}


@pytest.mark.parametrize(
    ("body", "callee"),
    [
        ("func f(v any) {\n\tif x, ok := v.(*A); ok {\n\t\tx.Go()\n\t}\n\tif x, ok := v.(*B); ok {\n\t\t_ = x\n\t}\n}\n", "A.Go"),
        ("func f(x *A) {\n\t{\n\t\tx := &B{}\n\t\t_ = x\n\t}\n\tx.Go()\n}\n", "A.Go"),
        ("func f(x *A) {\n\tfor x := range make(chan *B) {\n\t\tx.Go()\n\t}\n}\n", "B.Go"),
        ("func f(x *A) func() {\n\treturn func() {\n\t\tx := &B{}\n\t\tx.Go()\n\t}\n}\n", "B.Go"),
        ("func f(v any) {\n\tswitch v := v.(type) {\n\tcase *A:\n\t\tv.Go()\n\tcase *B:\n\t\t_ = v\n\t}\n}\n", "A.Go"),
        ("func f(v *A) {\n\tswitch v := any(v).(type) {\n\tcase nil:\n\t\t_ = v\n\t}\n\tv.Go()\n}\n", "A.Go"),
        ("func f(A *B) {\n\tA.Go()\n}\n", "B.Go"),
        ("func f(A *B, c *A) {\n\tc.Go()\n}\n", "A.Go"),
        ("func f(c chan *A) {\n\t(<-c).Go()\n}\n", "A.Go"),
        ("func f(c chan *A) {\n\tselect {\n\tcase x := <-c:\n\t\tx.Go()\n\t}\n}\n", "A.Go"),
        ("func f(m map[*A]*B) {\n\tfor k := range m {\n\t\tk.Go()\n\t}\n}\n", "A.Go"),
        ("func f(m map[*A]*B) {\n\tfor _, v := range m {\n\t\tv.Go()\n\t}\n}\n", "B.Go"),
        ("var all = [...]*A{}\n\nfunc f() {\n\tfor _, a := range all {\n\t\ta.Go()\n\t}\n}\n", "A.Go"),
        ("func f() {\n\tfor _, c := range []struct{ a *A }{{}} {\n\t\tc.a.Go()\n\t}\n}\n", "A.Go"),
        ("type C = A\n\nfunc f(c *C) {\n\tc.Go()\n}\n", "A.Go"),
        ("type C struct{ *A }\n\nfunc f(c C) {\n\tc.A.Go()\n}\n", "A.Go"),
        ("type C struct{ *A }\n\nfunc (c C) Go() {}\n\nfunc f(c C) {\n\tc.Go()\n}\n", "C.Go"),
        ("type C struct{ *A }\ntype D struct {\n\tC\n\t*B\n}\n\nfunc f(d D) {\n\td.Go()\n}\n", "B.Go"),
        ("type C struct{ *A }\ntype D struct{ C }\n\nfunc f(d D) {\n\td.Go()\n}\n", "A.Go"),
        ("type Make func() *A\n\nfunc f(m Make) {\n\tm().Go()\n}\n", "A.Go"),
        ("type Level int\n\nfunc (l Level) Go() {}\n\nconst (\n\tLow Level = iota\n\tHigh\n)\n\nfunc f() {\n\tHigh.Go()\n}\n", "Level.Go"),
        ("func f(v any) {\n\ttype goer interface{ Go() }\n\tif v, ok := v.(goer); ok {\n\t\tv.Go()\n\t}\n}\n", "f.goer.Go"),
        ("var f = func(a *A) {\n\ta.Go()\n}\n", "A.Go"),
    ],
)  # fmt: skip
def test_a_method_of_what_the_name_means_there(body: str, callee: str) -> None:
    found = callees(body)
    assert found == {(callee, "resolved")}


def test_a_name_means_what_it_meant_until_its_declaration_ends() -> None:
    body = "func f() {\n\tn := 1\n\tNewA := NewA()\n\tNewA.Go()\n}\n"
    assert callees(body, "NewA") == {("NewA", "resolved")}
    assert callees(body) == {("A.Go", "resolved")}


def test_calls_in_a_function_that_a_variable_holds_are_its_own() -> None:
    source = TYPES + "var run = func(a *A) {\n\ta.Go()\n}\n"
    assert {u.caller for u in uses({"a.go": source}) if u.name == "Go" and u.kind == "call"} == {"a.go:run"}


@pytest.mark.parametrize(
    "body",
    [
        "func f[A any](x A) {\n\tx.Go()\n}\n",
        "func (l *List[B]) f(x B) {\n\tx.Go()\n}\n\ntype List[T any] struct{}\n",
        "type List[A any] struct{ first A }\n\nfunc f(l List[int]) {\n\tl.first.Go()\n}\n",
    ],
)
def test_a_type_parameter_is_not_the_type_of_that_name(body: str) -> None:
    assert not any(callee and status == "resolved" for callee, status in callees(body))


IMPORTED = {
    "go.mod": "",
    "chi.go": 'package chi\n\nimport _ "github.com/go-chi/chi/v5/middleware"\n\nfunc NewRouter() {}\n',
    "middleware/get.go": "package middleware\n\n"
    'import (\n\t"errors"\n\n\t"github.com/go-chi/chi/v5"\n\tother "github.com/else/where/errors"\n)\n\n'
    "func f() {\n\tchi.NewRouter()\n\terrors.New()\n\tother.New()\n}\n",
    "errors/errors.go": "package errors\n\nfunc New() {}\n",
}


def test_an_import_path_may_end_with_a_version() -> None:
    assert calls(IMPORTED, "middleware/get.go", "NewRouter") == {("chi.go:NewRouter", "T1", "resolved")}


def test_a_folder_is_not_the_package_of_that_name_in_the_library_or_in_another_module() -> None:
    assert calls(IMPORTED, "middleware/get.go", "New") == {("", "-", "external")}


def test_the_library_is_inside_where_the_tree_is_go_itself() -> None:
    tree = {f"src/{n}/{n}.go": f"package {n}\n" for n in ("runtime", "unsafe", "reflect")}
    tree["src/errors/errors.go"] = "package errors\n\nfunc New() {}\n"
    tree["src/fmt/errors.go"] = 'package fmt\n\nimport "errors"\n\nfunc Errorf() { errors.New() }\n'
    assert calls(tree, "src/fmt/errors.go", "New") == {("src/errors/errors.go:New", "T1", "resolved")}


SYSTEMS = {
    "a/run.go": "package a\n\nfunc run(t *T) {\n\topen()\n\tencode()\n\tt.Close()\n}\n\ntype T struct{}\n",
    "a/open_linux.go": "package a\n\nfunc open() { helper() }\n\nfunc (t *T) Close() {}\n\nfunc helper() {}\n",
    "a/open_windows.go": "package a\n\nfunc open() { helper() }\n\nfunc (t *T) Close() {}\n\nfunc helper() {}\n",
    "a/encode.go": "//go:build !fast\n\npackage a\n\nfunc encode() {}\n",
    "a/encode_fast.go": "//go:build fast\n// +build fast\n\npackage a\n\nfunc encode() {}\n",
    "a/fast_test.go": "// +build fast,!slow\n\npackage a\n\nfunc test() { encode() }\n",
    "a/gen.go": "//go:build ignore\n\npackage main\n\nfunc encode() {}\n",
}


@pytest.mark.parametrize(("name", "callee"), [("open", "open"), ("Close", "T.Close")])
def test_functions_of_several_systems_are_a_choice(name: str, callee: str) -> None:
    assert calls(SYSTEMS, "a/run.go", name) == {
        (f"a/open_linux.go:{callee}", "T5", "ambiguous"),
        (f"a/open_windows.go:{callee}", "T5", "ambiguous"),
    }


def test_a_file_for_one_system_calls_that_system() -> None:
    for system in ("linux", "windows"):
        path = f"a/open_{system}.go"
        assert {(c, s) for c, _, s in calls(SYSTEMS, path, "helper")} == {(f"{path}:helper", "resolved")}


def test_tags_are_not_set_unless_the_calling_file_asks_for_them() -> None:
    assert calls(SYSTEMS, "a/run.go", "encode") == {("a/encode.go:encode", "T1", "resolved")}
    assert calls(SYSTEMS, "a/fast_test.go", "encode") == {("a/encode_fast.go:encode", "T1", "resolved")}


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (("a_linux.go", ""), ("a_windows.go", ""), False),
        (("a_linux.go", ""), ("a_amd64.go", ""), True),
        (("a_linux_arm64.go", ""), ("b.go", "arm64 && !windows"), True),
        (("a_linux_arm64.go", ""), ("b.go", "!arm64"), False),
        (("a.go", "unix"), ("b.go", "darwin || plan9"), True),
        (("a.go", "unix"), ("b.go", "plan9 || js"), False),
        (("a.go", "!unix"), ("b_test.go", ""), True),
        (("a.go", "android"), ("b_linux.go", ""), True),
        (("linux.go", ""), ("b.go", "windows"), True),
        (("a.go", "go1.18 && (linux || darwin)"), ("b.go", "!linux"), True),
        (("a.go", "!go1.18"), ("b.go", ""), False),
        (("a.go", "cgo"), ("b.go", "!cgo"), False),
        (("a.go", "linux && ("), ("b.go", "windows"), True),
    ],
)
def test_which_files_are_built_together(one: tuple[str, str], other: tuple[str, str], together: bool) -> None:
    assert built_together([constraint(*one), constraint(*other)], frozenset()) is together
    assert built_together([constraint(*other), constraint(*one)], frozenset()) is together


def test_the_tags_that_a_file_asks_for() -> None:
    assert default_tags(constraint("a.go", "linux && race && !slow")) == {"race"}
    assert default_tags(constraint("a.go", "!(fast || !(race && linux))")) == {"race"}
    assert default_tags(constraint("a.go", "linux && !slow")) == frozenset()


INTERFACES = {
    "a.go": "package a\n\ntype Shape interface {\n\tArea() float64\n\tScale(n int) Shape\n}\n\n"
    "type Square struct{}\n\nfunc (s Square) Area() float64     { return 0 }\nfunc (s Square) Scale(n int) Shape { return s }\n\n"
    "type Named struct{ Square }\n\n"
    "type Wrong struct{}\n\nfunc (w Wrong) Area() float64          { return 0 }\nfunc (w Wrong) Scale(n string) Shape { return nil }\n\n"
    "type Half struct{}\n\nfunc (h Half) Area() float64 { return 0 }\n\n"
    "func f(s Shape) {\n\ts.Area()\n}\n",
}


def test_a_call_through_an_interface_may_run_what_satisfies_it() -> None:
    assert calls(INTERFACES, "a.go", "Area") == {("a.go:Shape.Area", "T3", "resolved")}
    found = {(u.caller, u.callee) for u in uses(INTERFACES) if u.status == "may_dispatch"}
    assert found == {("a.go:Shape.Area", "a.go:Square.Area"), ("a.go:Shape.Scale", "a.go:Square.Scale")}
