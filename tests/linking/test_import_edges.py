"""What an import leads to: the thing, the module that the statement names, and a package that is the root itself."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from quatrain.files.languages import language_of
from quatrain.linking import LinkInput, link, module_name, package_directories
from quatrain.linking.names import is_package
from quatrain.parsing.parse import parse_source
from quatrain.records import EDGE_KINDS, EDGE_STATUSES, EDGE_TIERS

STAR = {
    "__init__.py": "from . import sub\nfrom star.base import X\n",
    "base.py": "from .deep import X\n\ndef f():\n    return X\n",
    "deep.py": "class X:\n    pass\n",
    "types.py": "def f():\n    return 1\n",
    "sub/__init__.py": "",
    "sub/near.py": "import types\nfrom star.base import f\nfrom star import sub\n\n\n\ndef g():\n    f()\n",
    "sub/far.py": "from ..base import X\n",
}


def edges_of(sources: Mapping[str, str], root: str = "") -> set[tuple[str, str, str, int, str]]:
    """Return (caller, callee, kind, line, status); a node is a path, and a name for a symbol."""
    paths = sorted(sources)
    files = [LinkInput(p, language_of(p), parse_source(p, language_of(p), sources[p].encode())) for p in paths]
    linked = link(files, root=root)

    def name(file: int, symbol: int) -> str:
        if file < 0:
            return ""
        return paths[file] + (f":{files[file].parsed.symbols[symbol].qualified_name}" if symbol >= 0 else "")

    return {
        (
            name(int(linked.caller_file[i]), int(linked.caller_symbol[i])),
            name(int(linked.callee_file[i]), int(linked.callee_symbol[i])),
            EDGE_KINDS[linked.kind[i]],
            int(linked.line[i]),
            EDGE_STATUSES[linked.status[i]],
        )
        for i in range(len(linked))
    }


def test_the_root_may_be_a_package_itself() -> None:
    packages = package_directories(STAR)
    assert is_package("star", packages) and not is_package("", packages) and not is_package("star-1.0", packages)
    named = {p: module_name(p, "python", None, packages, "star") for p in STAR}
    assert (
        named["__init__.py"] == "star" and named["sub/near.py"] == "star.sub.near" and named["base.py"] == "star.base"
    )
    assert module_name("base.py", "python", None, packages, "star-1.0") == "base"
    assert module_name("a/base.py", "python", None, frozenset({"a"}), "star") == "a.base", "the root is no package"


def test_files_import_each_other_by_the_name_of_the_root() -> None:
    inside = edges_of(STAR, "star")
    assert ("sub/near.py:g", "base.py:f", "call", 8, "resolved") in inside
    assert ("sub/near.py", "sub/__init__.py", "import", 3, "resolved") in inside
    assert ("sub/near.py:g", "", "call", 8, "external") in edges_of(STAR), "without the name it lies outside"


def test_a_module_of_the_root_package_does_not_shadow_a_top_level_one() -> None:
    assert ("sub/near.py", "", "import", 1, "external") in edges_of(STAR, "star")


def test_an_import_leads_to_the_thing_and_to_the_module_that_it_names() -> None:
    found = edges_of(STAR, "star")
    assert {
        callee for caller, callee, kind, line, _ in found if (caller, kind, line) == ("sub/far.py", "import", 1)
    } == {
        "deep.py:X",
        "base.py",
    }, "X comes from deep.py by way of base.py; the statement names base.py alone"


def test_one_edge_for_each_module_and_caller() -> None:
    sources = {
        "a.py": "from b import f, g\nfrom b import h\n\ndef k():\n    from b import f\n",
        "b.py": "def f(): ...\n\ndef g(): ...\n\ndef h(): ...\n",
    }
    modules = sorted((caller, line) for caller, callee, _, line, _ in edges_of(sources) if callee == "b.py")
    assert modules == [("a.py", 1), ("a.py:k", 5)]


def test_a_package_imports_its_own_submodule() -> None:
    found = edges_of(STAR, "star")
    assert ("__init__.py", "sub/__init__.py", "import", 1, "resolved") in found
    assert not any(
        caller == "__init__.py" and line == 1 and status == "unresolved" for caller, _, _, line, status in found
    )


@pytest.mark.parametrize(
    "statement", ["import {f} from './b'", "import * as b from './b'", "import './b'", "export * from './b'"]
)
def test_ecmascript_statements_lead_to_the_module(statement: str) -> None:
    found = edges_of({"lib/a.ts": statement + "\n", "lib/b.ts": "export function f() {}\n"})
    assert ("lib/a.ts", "lib/b.ts", "import", 1, "resolved") in found


def test_module_edges_are_as_sure_as_imports() -> None:
    paths = ["a.py", "b.py"]
    sources = {"a.py": "from b import missing\n", "b.py": ""}
    linked = link([LinkInput(p, "python", parse_source(p, "python", sources[p].encode())) for p in paths])
    assert sorted(EDGE_TIERS[t] for t in linked.tier) == ["-", "T1"], "the name is unknown, the module is not"
