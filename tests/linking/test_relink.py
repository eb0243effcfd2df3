"""Linking after a change gives what linking everything gives, array for array."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quatrain.files.languages import language_of
from quatrain.linking import Earlier, FileFacts, LinkInput, LinkResult, link, relink
from quatrain.parsing.bindings.facts import Site, unpack
from quatrain.parsing.parse import parse_source
from quatrain.records import ParsedFile

# For each family two files that call, inherit, override and pass values across; a line of its own may be put wherever one ends in ``;``,
# ``{``, ``}`` or ``:``, and definitions stand between blank lines.
FAMILIES: dict[str, dict[str, str]] = {
    "python": {
        "shop/__init__.py": "from shop.base import *\n",
        "shop/base.py": (
            "class Base:\n    def price(self):\n        return 1\n\n"
            "def pick(thing):\n    return thing.price()\n\n"
            "def make() -> Base:\n    return Base()\n\n"
            "def offer():\n    return Base()\n\n"
            "offer().price()\n"
        ),
        "shop/cart.py": (
            "from shop import pick, make\nfrom shop.base import Base\n\n"
            "class Cart(Base):\n    def price(self):\n        return super().price() + make().price()\n\n"
            "pick(Cart())\nunknown.price()\n"
        ),
    },
    "javascript": {
        "web/base.ts": (
            "export class Base {\n  price(): number { return 1; }\n}\n\n"
            "export function pick(thing) {\n  return thing.price();\n}\n"
        ),
        "web/cart.js": (
            "import { Base, pick } from './base';\n\n"
            "export class Cart extends Base {\n  price() { return super.price() + 1; }\n}\n\n"
            "pick(new Cart());\nwindow.price();\n"
        ),
    },
    "go": {
        "go/base.go": (
            "package shop\n\ntype Base struct {\n\tn int\n}\n\nfunc (b *Base) Price() int {\n\treturn b.n\n}\n\n"
            "type Priced interface {\n\tPrice() int\n}\n"
        ),
        "go/cart.go": (
            "package shop\n\ntype Cart struct {\n\tBase\n}\n\nfunc Total(c *Cart, p Priced) int {\n\treturn c.Price() + p.Price()\n}\n"
        ),
    },
    "java": {
        "java/Base.java": "package shop;\n\npublic class Base {\n\n  int price() {\n    return 1;\n  }\n\n}\n",
        "java/Cart.java": (
            "package shop;\n\npublic class Cart extends Base {\n\n  int price() {\n    return super.price();\n  }\n\n"
            "  int total(Base other) {\n    return price() + other.price();\n  }\n\n}\n"
        ),
    },
    "kotlin": {
        "kotlin/Base.kt": "package shop\n\nopen class Base {\n    open fun price(): Int {\n        return 1\n    }\n}\n",
        "kotlin/Cart.kt": (
            "package shop\n\nclass Cart : Base() {\n    override fun price(): Int {\n        return super.price()\n    }\n}\n\n"
            "fun total(base: Base): Int {\n    return base.price() + Cart().price()\n}\n"
        ),
    },
    "csharp": {
        "cs/Base.cs": "namespace Shop;\n\npublic class Base {\n  public virtual int Price() {\n    return 1;\n  }\n}\n",
        "cs/Cart.cs": (
            "namespace Shop;\n\npublic class Cart : Base {\n  public override int Price() {\n    return base.Price();\n  }\n\n"
            "  public int Total(Base other) {\n    return Price() + other.Price();\n  }\n}\n"
        ),
    },
    "rust": {
        "src/base.rs": (
            "pub struct Base {\n    n: u32,\n}\n\npub trait Priced {\n    fn price(&self) -> u32;\n}\n\n"
            "impl Priced for Base {\n    fn price(&self) -> u32 {\n        self.n\n    }\n}\n"
        ),
        "src/lib.rs": (
            "mod base;\n\nuse base::{Base, Priced};\n\npub fn total(base: &Base) -> u32 {\n    helper(base.price())\n}\n\n"
            "fn helper(n: u32) -> u32 {\n    n\n}\n"
        ),
    },
    "php": {
        "php/Base.php": "<?php\nnamespace Shop;\n\nclass Base {\n  function price() {\n    return 1;\n  }\n}\n",
        "php/Cart.php": (
            "<?php\nnamespace Shop;\n\nclass Cart extends Base {\n  function price() {\n    return parent::price();\n  }\n}\n\n"
            "function total(Base $base) {\n  return $base->price();\n}\n"
        ),
    },
    "ruby": {
        "rb/base.rb": "class Base\n  def price\n    1\n  end\nend\n",
        "rb/cart.rb": (
            "require_relative 'base'\n\n"
            "class Cart < Base\n  def price\n    super\n    helper\n  end\n\n  def helper\n    Base.new.price\n  end\nend\n"
        ),
    },
    "cpp": {
        "inc/base.h": "struct Base {\n  virtual int price();\n};\n\nint helper(int n);\n",
        "inc/cart.cpp": (
            '#include "base.h"\n\nint Base::price() {\n  return helper(1);\n}\n\n'
            "struct Cart : Base {\n  int price() {\n    return Base::price();\n  }\n};\n\nint helper(int n) {\n  return n;\n}\n"
        ),
    },
    "lua": {
        "lua/base.lua": "function price(n)\n  return n\nend\n\nfunction helper(n)\n  return price(n)\nend\n",
        "lua/cart.lua": 'local base = require("base")\n\nfunction total(n)\n  return helper(price(n))\nend\n',
    },
}  # fmt: skip
SOURCES = {path: text for family in FAMILIES.values() for path, text in family.items()} | {"notes.txt": "shop\n"}
COMMENTS = {"py": "#", "rb": "#", "lua": "--"}
MANIFESTS = ["package.json", "go.mod", "go/go.mod", "web/package.json", "java/pom.xml", "cs/Shop.csproj"]
_parsed: dict[tuple[str, str], ParsedFile] = {}


def parse(path: str, text: str) -> ParsedFile:
    key = (path, text)
    if key not in _parsed:
        _parsed[key] = parse_source(path, language_of(path), text.encode())
    return _parsed[key]


def never() -> Any:
    raise AssertionError("read without need")


def tree(sources: Mapping[str, str], unread: frozenset[str] = frozenset()) -> list[FileFacts]:
    return [
        FileFacts(p, language_of(p), never if p in unread else lambda p=p: parse(p, sources[p]))
        for p in sorted(sources)
    ]


def full(sources: Mapping[str, str], paths: tuple[str, ...] = (), root: str = "") -> LinkResult:
    return link([LinkInput(p, language_of(p), parse(p, sources[p])) for p in sorted(sources)], paths, root)


def again(
    old: Mapping[str, str], new: Mapping[str, str], unread: frozenset[str] = frozenset(), root: str = ""
) -> LinkResult:
    """Link ``new`` with the edges of ``old`` at hand; the files in ``unread`` must not be looked into."""
    before = sorted(old)
    same = [before.index(p) if old.get(p) == new[p] else -1 for p in sorted(new)]
    earlier = Earlier(tree(old, unread), (), "", lambda: full(old))
    return relink(tree(new, unread), same, earlier, root=root)


def assert_same(found: LinkResult, wanted: LinkResult) -> None:
    assert found.names == wanted.names
    for field, one, other in zip(LinkResult._fields[:-1], found[:-1], wanted[:-1], strict=True):
        assert one.dtype == other.dtype, field
        np.testing.assert_array_equal(one, other, err_msg=field)


def comment(path: str) -> str:
    return COMMENTS.get(path.rsplit(".", 1)[-1], "//") + " a remark\n\n"


def shifted(path: str, text: str) -> str:
    """Return a source with remarks above every definition, so that the lines of different sites move by different distances."""
    head, sep, rest = text.partition("\n")
    if not head.startswith(("<?php", "package")):
        head, sep, rest = "", "", text
    return head + sep + comment(path) + rest.replace("\n\n", "\n\n" + comment(path))


def others(*families: str) -> frozenset[str]:
    changed = {p for family in families for p in FAMILIES[family]}
    return frozenset(SOURCES) - changed


@pytest.mark.parametrize("family", FAMILIES)
def test_remarks_move_the_edges_of_a_file(family: str) -> None:
    path = sorted(FAMILIES[family])[-1]
    new = SOURCES | {path: shifted(path, SOURCES[path])}
    assert len(full(FAMILIES[family]))
    # Nothing else of the family is read, so it cannot have been linked anew.
    assert_same(again(SOURCES, new, frozenset(SOURCES) - {path}), full(new))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_change_of_one_family_leaves_the_others_alone(family: str) -> None:
    path, text = sorted(FAMILIES[family].items())[-1]
    new = SOURCES | {path: text.replace("price", "cost")}
    assert_same(again(SOURCES, new, others(family)), full(new))
    missing = {p: t for p, t in SOURCES.items() if p != path}
    assert_same(again(SOURCES, missing, others(family)), full(missing))
    assert_same(again(missing, SOURCES, others(family)), full(SOURCES))


def test_a_file_that_only_changed_its_name_counts() -> None:
    new = dict(SOURCES)
    new["shop/bass.py"] = new.pop("shop/base.py")
    assert_same(again(SOURCES, new, others("python")), full(new))


def test_text_files_come_and_go_without_linking() -> None:
    new = {"a.txt": "first\n", "zz/last.txt": "last\n"} | {p: t for p, t in SOURCES.items() if p != "notes.txt"}
    assert_same(again(SOURCES, new, frozenset(SOURCES) - {"notes.txt"}), full(new))


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_a_new_package_links_everything(manifest: str) -> None:
    new = SOURCES | {manifest: "{}\n"}
    assert_same(again(SOURCES, new), full(new))
    assert_same(again(new, SOURCES), full(SOURCES))


def test_a_package_file_that_is_not_indexed_counts_too() -> None:
    files = {
        "app/user.ts": "import { pick } from 'lib';\n\npick();\n",
        "lib/index.ts": "export function pick() { return 1; }\n",
    }
    wanted = full(files, ("lib/package.json",))
    assert wanted.callee_file.max() > full(files).callee_file.max()
    earlier = Earlier(tree(files), (), "", lambda: full(files))
    assert_same(relink(tree(files), [0, 1], earlier, ["lib/package.json"]), wanted)
    earlier = Earlier(tree(files), ("lib/package.json",), "", lambda: wanted)
    assert_same(relink(tree(files), [0, 1], earlier), full(files))


def test_the_name_of_the_root_counts() -> None:
    files = {"__init__.py": "", "base.py": "def f():\n    pass\n", "user.py": "from shop.base import f\n\nf()\n"}
    wanted = full(files, root="shop")
    assert len(wanted) != len(full(files))
    assert_same(again(files, files, root="shop"), wanted)


def relinked(old: ParsedFile, new: ParsedFile, path: str) -> tuple[LinkResult, LinkResult]:
    """Return what linking again and linking everything make of one file."""
    before, after = (FileFacts(path, language_of(path), lambda one=one: one) for one in (old, new))
    earlier = Earlier([before], (), "", lambda: link([LinkInput(path, language_of(path), old)]))
    return relink([after], [-1], earlier), link([LinkInput(path, language_of(path), new)])


def test_uses_that_no_longer_share_a_place_are_linked_anew() -> None:
    parsed = parse("a.lua", "function f(n)\n  return n\nend\n\nfunction g(n)\n  return f(n) + f(n)\nend\n")
    one, other = (r for r in parsed.references if r.kind == "call")
    crowded = parsed._replace(references=(one, one))
    assert_same(*relinked(crowded, parsed._replace(references=(one, other)), "a.lua"))


@pytest.mark.parametrize("change", [{"symbol": 0}, {"kind": 7}, {"name": "other"}, {"value": 0}])
def test_a_use_of_another_kind_is_linked_anew(change: dict[str, Any]) -> None:
    parsed = parse("a.py", "def f():\n    pass\n\nf()\n")
    facts = unpack(parsed.bindings)
    (site,) = (Site(*s) for s in facts.sites if s[2] == "f")
    old, new = (parsed._replace(bindings=facts._replace(sites=(tuple(s),))) for s in (site, site._replace(**change)))
    assert_same(*relinked(old, new, "a.py"))


# A change that keeps every line in place must be seen all the same.
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("shop/cart.py", "class Cart(Base)", "class Cart(Bare)"),
        ("shop/cart.py", "import pick, make", "import pick, Base"),
        ("shop/cart.py", "pick(Cart())", "pick(Base())"),
        ("shop/base.py", "-> Base", "-> Cart"),
        ("shop/base.py", "offer():\n    return Base()", "offer():\n    Base()"),
        ("shop/cart.py", "unknown", "pick"),
        ("shop/base.py", "def price", "def worth"),
        ("shop/base.py", "thing.price", "thing.worth"),
        ("web/base.ts", "price():", "worth():"),
        ("lua/base.lua", "price(n)\n  return", "worth(n)\n  return"),
        ("lua/base.lua", "return price(n)", "return worth(n)"),
        ("lua/cart.lua", 'base = require("base")', 'price = require("base")'),
        ("lua/cart.lua", "function total(n)", "function total(price)"),
        ("java/Cart.java", "Base other", "Cart other"),
    ],
)
def test_what_a_file_says_is_not_what_moved(path: str, old: str, new: str) -> None:
    changed = SOURCES | {path: SOURCES[path].replace(old, new)}
    assert changed != SOURCES
    wanted = full(changed)
    assert any(not np.array_equal(a, b) for a, b in zip(wanted, full(SOURCES), strict=True)), (
        "the example shows nothing"
    )
    assert_same(again(SOURCES, changed), wanted)


def edited(sources: dict[str, str], edit: tuple[str, int, int]) -> dict[str, str]:
    """Return a tree after one edit; a place is the number of a file and of a line in it."""
    kind, which, line = edit
    new = dict(sources)
    if kind == "manifest":
        path = MANIFESTS[which % len(MANIFESTS)]
        if path in new:
            del new[path]
        else:
            new[path] = "{}\n"
        return new
    path = sorted(new)[which % len(new)]
    lines = new[path].splitlines(keepends=True)
    at = line % (len(lines) + 1)
    if kind == "remark":
        new[path] = "".join([*lines[:at], comment(path), *lines[at:]])
    elif kind == "blank":
        new[path] = "".join([*lines[:at], "\n", *lines[at:]])
    elif kind == "indent":
        new[path] = "".join(one.replace("(", "( ", 1) if n == at else one for n, one in enumerate(lines))
    elif kind == "drop":
        new[path] = "".join(lines[:at] + lines[at + 1 :])
    elif kind == "repeat":
        new[path] = "".join(lines[:at] + lines[max(at - 3, 0) : at] + lines[at:])
    elif kind == "rename":
        word = ("price", "Base", "helper", "pick", "Cart")[line % 5]
        new[path] = new[path].replace(word, word + "2")
    elif kind == "delete":
        del new[path]
    elif kind == "move":
        new["moved/" + path] = new.pop(path)
    elif kind == "text":
        new["notes2.txt"] = "more\n"
    return new


KINDS = ["remark", "blank", "indent", "drop", "repeat", "rename", "delete", "move", "text", "manifest"]
EDITS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 60), st.integers(0, 20)), min_size=1, max_size=3)


@given(EDITS)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_edit_gives_what_linking_everything_gives(edits: list[tuple[str, int, int]]) -> None:
    old = new = dict(SOURCES)
    for edit in edits:
        if new:
            new = edited(new, edit)
    assert_same(again(old, new), full(new))


@pytest.mark.parametrize("family", FAMILIES)
def test_linking_reads_no_place_but_to_report_it(family: str) -> None:
    """Edges move with their sites only because nothing is decided by where something stands."""
    files = FAMILIES[family]

    def placeless(path: str) -> LinkInput:
        parsed = parse(path, files[path])
        symbols = tuple(
            s._replace(
                line=9, start_line=9, end_line=9, start_byte=9, end_byte=9, name_byte=9, signature="", docstring=""
            )
            for s in parsed.symbols
        )
        facts = parsed.bindings if parsed.bindings is None else unpack(parsed.bindings)
        if facts is not None:
            facts = facts._replace(sites=tuple((*s[:3], 9, 9, s[5]) for s in facts.sites))
        references = tuple(r._replace(line=9, column=9, byte=9) for r in parsed.references)
        return LinkInput(
            path, language_of(path), parsed._replace(symbols=symbols, bindings=facts, references=references)
        )

    def edges(linked: LinkResult) -> list[tuple[Any, ...]]:
        kept = [
            c.tolist() for f, c in zip(LinkResult._fields, linked, strict=False) if f not in ("names", "line", "column")
        ]
        return sorted(zip(*kept, strict=True))

    assert edges(link([placeless(p) for p in sorted(files)])) == edges(full(files))
