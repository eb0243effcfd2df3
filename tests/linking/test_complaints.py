"""What users of other code graphs complain about, one small project for each complaint."""

from __future__ import annotations

from pathlib import Path

import pytest
from linked_sources import callers, calls, uses

import quatrain
from quatrain.errors import SymbolNotFound

# --- a method that calls the method of the same name of one of its fields ----------------------------------------------------------


def test_a_call_on_a_field_is_no_call_of_the_method_around_it() -> None:
    typed = {
        "mailer.ts": "export class Mailer { send(text: string) {} }\n",
        "notice.ts": (
            "import {Mailer} from './mailer';\n"
            "export class Notice {\n  constructor(private mailer: Mailer) {}\n  send() { this.mailer.send('x'); }\n}\n"
        ),
    }
    assert calls(typed, "notice.ts", "send") == {("mailer.ts:Mailer.send", "T3", "resolved")}
    unknown = {"notice.ts": "export class Notice {\n  mailer: any;\n  send() { this.mailer.send('x'); }\n}\n"}
    assert "notice.ts:Notice.send" not in callers(unknown, "notice.ts:Notice.send")
    python = {
        "mailer.py": "class Mailer:\n    def send(self): ...\n",
        "notice.py": (
            "from mailer import Mailer\n\nclass Notice:\n    def __init__(self, mailer: Mailer):\n"
            "        self.mailer = mailer\n\n    def send(self):\n        self.mailer.send()\n"
        ),
    }
    assert calls(python, "notice.py", "send") == {("mailer.py:Mailer.send", "T3", "resolved")}
    outside = {
        "notice.py": (
            "from smtp import Mailer\n\nclass Notice:\n    def __init__(self):\n"
            "        self.mailer = Mailer()\n\n    def send(self):\n        self.mailer.send()\n"
        )
    }
    assert {callee for callee, _, _ in calls(outside, "notice.py", "send")} == {""}


# --- a function that is called like a method of a builtin type ---------------------------------------------------------------------


def test_a_function_called_append_has_its_callers_and_no_others() -> None:
    sources = {
        "store.py": (
            "def append(row):\n    return row\n\ndef get(key):\n    return key\n\nclass Table:\n"
            "    def append(self, row): ...\n\n    def get(self, key): ...\n"
        ),
        "real.py": (
            "import store\nfrom store import Table, append, get\n\ndef one():\n    append(1)\n    get(2)\n\n"
            "def two():\n    store.append(1)\n    store.get(2)\n\ndef three(table: Table):\n    table.append(1)\n    table.get(2)\n"
        ),
        "other.py": (
            "import store\n\ndef lists(rows, names: list):\n    found = []\n    found.append(1)\n    rows.append(1)\n"
            "    names.append(1)\n\ndef dicts(rows, names: dict):\n    found = {}\n    found.get(1)\n    rows.get(1)\n    names.get(1)\n"
        ),
    }
    for name in ("append", "get"):
        assert callers(sources, f"store.py:{name}") == {"real.py:one", "real.py:two"}
        assert callers(sources, f"store.py:Table.{name}") == {"real.py:three"}
        assert {callee for callee, _, _ in calls(sources, "other.py", name)} == {""}


def test_methods_of_arrays_and_maps_are_no_functions_of_the_project() -> None:
    sources = {
        "store.ts": "export class Table { push(row: number) {} get(key: string) {} }\nexport function push(row: number) {}\n",
        "other.ts": (
            "import {Table, push} from './store';\nexport function run(rows) {\n  const a = []; a.push(1); rows.push(1);\n"
            "  const m = new Map(); m.get('x');\n}\nexport function real(t: Table) { t.push(1); push(2); }\n"
        ),
    }
    assert callers(sources, "store.ts:Table.push") == {"other.ts:real"}
    assert callers(sources, "store.ts:push") == {"other.ts:real"}
    assert callers(sources, "store.ts:Table.get") == set()


# --- static calls from file to file, and applications that share nothing but names -------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "callee"),
    [
        (
            {
                "a.py": "class Tax:\n    @staticmethod\n    def rate():\n        return 1\n",
                "b.py": "from a import Tax\n\ndef run():\n    return Tax.rate()\n",
            },
            "a.py:Tax.rate",
        ),
        (
            {
                "a.ts": "export class Tax { static rate() { return 1; } }\n",
                "b.ts": "import {Tax} from './a';\nexport function run() { return Tax.rate(); }\n",
            },
            "a.ts:Tax.rate",
        ),
    ],
    ids=["python", "typescript"],
)
def test_a_static_call_in_another_file(sources: dict[str, str], callee: str) -> None:
    (user,) = (path for path in sources if path.startswith("b."))
    assert callers(sources, callee) == {f"{user}:run"}


def test_no_edge_from_package_to_package_without_an_import() -> None:
    python = "def settle():\n    return 1\n\nclass Ledger:\n    def reconcile(self):\n        return settle()\n"
    stranger = "def run(ledger):\n    settle()\n    ledger.reconcile()\n    Ledger.reconcile()\n"
    module = "export function settle() {}\nexport class Ledger { reconcile() { settle(); } static of() {} }\n"
    foreign = "export function run(ledger) { settle(); ledger.reconcile(); Ledger.of(); }\n"
    sources = {
        "apps/one/shop/__init__.py": "",
        "apps/one/shop/money.py": python,
        "apps/two/bank/__init__.py": "",
        "apps/two/bank/user.py": stranger,
        "web/one/package.json": '{"name": "one"}\n',
        "web/one/money.ts": module,
        "web/two/package.json": '{"name": "two"}\n',
        "web/two/user.ts": foreign,
    }
    found = uses(sources)
    assert [u for u in found if u.path.endswith(("bank/user.py", "two/user.ts")) and u.callee] == []
    assert {u.name for u in found if u.path.endswith("bank/user.py")} >= {"settle", "reconcile"}, "the uses are kept"


# --- calls of libraries ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "user"),
    [
        (
            {
                "queue.ts": "export class Queue { take(n: number) {} pipe() {} }\nexport function take(n: number) {}\n",
                "user.ts": (
                    "import {take, Observable} from 'rxjs';\nimport {Queue} from './queue';\n"
                    "export function run(source: Observable<number>) { source.pipe(take(1)); }\n"
                ),
            },
            "user.ts",
        ),
        (
            {
                "report.ts": "export function describe(x: string) {}\nexport class Report { describe() {} toBe() {} }\n",
                "report.test.ts": (
                    "import {describe, expect, it} from '@jest/globals';\nimport {Report} from './report';\n"
                    "describe('x', () => { it('y', () => { expect(1).toBe(1); }); });\n"
                ),
            },
            "report.test.ts",
        ),
        (
            {
                "report.js": "function describe(x) {}\nmodule.exports = {describe};\n",
                "report.test.js": "describe('x', () => {});\n",
            },
            "report.test.js",
        ),
        (
            {
                "shelf.py": "class Shelf:\n    def loads_all(self): ...\n\ndef loads_all(): ...\n",
                "user.py": (
                    "import shelf\nimport ujson\nfrom ujson import loads_all, Reader\n\n\ndef run(reader: Reader):\n"
                    "    ujson.loads_all()\n    loads_all()\n    reader.loads_all()\n    Reader().loads_all()\n"
                ),
            },
            "user.py",
        ),
    ],
    ids=["rxjs", "jest", "jest-globals", "python"],
)
def test_a_call_of_a_library_is_no_call_of_the_project(sources: dict[str, str], user: str) -> None:
    found = [u for u in uses(sources) if u.path == user and u.kind == "call"]
    assert [u for u in found if u.callee and u.callee.split(":")[0] != user and u.status == "resolved"] == []
    assert any(u.status in ("external", "unresolved") for u in found), "the calls are kept"


def test_int_try_parse_is_no_method_of_a_class_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "Money.cs").write_text("class Money { public static bool TryParse(string s) { return true; } }\n")
    (tmp_path / "User.cs").write_text("class User { void Run(string s) { int.TryParse(s); } }\n")
    answer = quatrain.build(tmp_path, workers=1, embedder="none").callers("TryParse")
    assert [r for r in answer.relations if r.status == "resolved"] == []
    assert answer.counts["resolved"] == 0


# --- calls that may mean several things --------------------------------------------------------------------------------------------


def test_an_ambiguous_call_is_shown_as_one(tmp_path: Path) -> None:
    (tmp_path / "books.py").write_text(
        "class Ledger:\n    def reconcile(self):\n        return 1\n\n\nclass Diary:\n    def reconcile(self):\n        return 2\n"
    )
    (tmp_path / "user.py").write_text("import books\n\n\ndef run(thing):\n    return thing.reconcile()\n")
    index = quatrain.build(tmp_path, workers=1, embedder="none")
    for name in ("books.Ledger.reconcile", "books.Diary.reconcile"):
        answer = index.callers(name)
        assert [(r.symbol, r.line, r.status, r.tier) for r in answer.relations] == [("user.run", 5, "ambiguous", "T5")]
        assert answer.relations[0].confidence <= 0.3
        assert (answer.counts["resolved"], answer.counts["ambiguous"]) == (0, 1)
        assert index.impact(name).relations == (), "a guess spreads nothing"


def test_calls_that_lead_nowhere_are_counted(tmp_path: Path) -> None:
    (tmp_path / "books.py").write_text("class Ledger:\n    def close(self):\n        return 1\n")
    (tmp_path / "user.py").write_text("def run(thing):\n    return thing.close()\n")
    answer = quatrain.build(tmp_path, workers=1, embedder="none").callers("books.Ledger.close")
    assert answer.relations == () and answer.counts["unresolved"] == 1 and answer.notes


# --- files that are gone -----------------------------------------------------------------------------------------------------------


def test_a_file_that_is_gone_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "keep.py").write_text("def kept():\n    return 1\n")
    (tmp_path / "gone.py").write_text("from keep import kept\n\n\ndef vanishing():\n    return kept()\n")
    (tmp_path / "old.py").write_text("from keep import kept\n\n\ndef moving():\n    return kept()\n")
    index = quatrain.build(tmp_path, workers=1, embedder="none")
    assert {r.path for r in index.callers("kept").relations} == {"gone.py", "old.py"}
    (tmp_path / "gone.py").unlink()
    (tmp_path / "old.py").rename(tmp_path / "new.py")
    assert index.refresh()
    assert {f.path for f in index.files()} == {"keep.py", "new.py"}
    assert {(r.symbol, r.path) for r in index.callers("kept").relations} == {("new.moving", "new.py")}
    assert {s.path for s in index.symbols()} == {"keep.py", "new.py"}
    assert {e.path for e in index.edges()} == {"new.py"}
    for left in ("gone", "old", "vanishing"):
        assert not any(left in (s.name, *s.qualified_name.split(".")) for s in index.symbols())
    assert not index.grep("vanishing").hits
    assert {hit.path for hit in index.search("moving kept").hits} <= {"keep.py", "new.py"}
    with pytest.raises(SymbolNotFound):
        index.callers("vanishing")
    assert index.check() == []


def test_callers_of_a_deleted_definition_become_unresolved(tmp_path: Path) -> None:
    (tmp_path / "low.py").write_text("def work():\n    return 1\n")
    (tmp_path / "user.py").write_text("from low import work\n\n\ndef run():\n    return work()\n")
    index = quatrain.build(tmp_path, workers=1, embedder="none")
    assert [(e.callee, e.status) for e in index.edges() if e.kind == "call"] == [("low.work", "resolved")]
    (tmp_path / "low.py").unlink()
    assert index.refresh()
    (edge,) = [e for e in index.edges() if e.kind == "call"]
    assert edge.status in ("external", "unresolved") and edge.tier == "-"


def test_modules_that_take_a_name_from_each_other_do_not_end_the_build() -> None:
    circular = {
        "posix.py": "import windows\n\nspawn = windows.spawn\n",
        "windows.py": "import posix\n\nspawn = posix.spawn\n\n\ndef run():\n    spawn()\n",
    }
    assert calls(circular, "windows.py", "run") == set()
