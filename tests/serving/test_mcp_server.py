"""The tools that an agent gets: schemas, answers equal to the library's, failures as tool errors; in memory and over stdio."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import quatrain

anyio = pytest.importorskip("anyio", reason="the extra 'mcp' is not installed")
mcp = pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")


def ask(project: Path, *calls: tuple[str, dict[str, Any]]) -> tuple[list[Any], list[Any]]:
    """Return the tools of a server and its answers to some calls."""
    from quatrain.mcp_server import make_server

    async def run() -> tuple[list[Any], list[Any]]:
        async with mcp.Client(make_server(project)) as client:
            tools = (await client.list_tools()).tools
            return tools, [await client.call_tool(name, arguments) for name, arguments in calls]

    return anyio.run(run)


def test_every_tool_has_a_schema_and_is_read_only(project: Path) -> None:
    tools, _ = ask(project)
    assert {tool.name for tool in tools} == {
        "search", "grep", "find_symbol", "relations", "dependency_path", "impact_of_changes", "cycles", "hubs", "similar",
        "index_status",
    }  # fmt: skip
    assert all(tool.output_schema and tool.description and tool.annotations.read_only_hint for tool in tools)


def test_answers_are_those_of_the_library(project: Path) -> None:
    index = quatrain.build(project, workers=1)
    _, (search, grep, symbol, callers, impact, similar, status) = ask(
        project,
        ("search", {"query": "how does authentication work"}),
        ("grep", {"pattern": "ECONNREFUSED"}),
        ("find_symbol", {"name": "Cart"}),
        ("relations", {"symbol": "add_tax"}),
        ("relations", {"symbol": "add_tax", "question": "impact", "depth": 2}),
        ("similar", {"path": "shop/cart.py", "line": 15}),
        ("index_status", {}),
    )
    assert not any(answer.is_error for answer in (search, grep, symbol, callers, impact, similar, status))
    assert search.structured_content["hits"][0]["path"] == "shop/login.py"
    expected = index.callers("add_tax", limit=50).to_dict()
    assert callers.structured_content["relations"] == json.loads(json.dumps(expected["relations"]))
    assert grep.structured_content["total"] == 1 and symbol.structured_content["symbols"][0]["path"] == "shop/cart.py"
    assert impact.structured_content["relations"] and similar.structured_content["status"] in ("ok", "no_match")
    assert status.structured_content["text_leaves_machine"] is False


def test_paths_cycles_hubs_and_changes_are_those_of_the_library(project: Path) -> None:
    (project / "shop" / "turns.py").write_text(
        "def even(n):\n    return odd(n - 1)\n\n\ndef odd(n):\n    return even(n - 1)\n"
    )
    index = quatrain.build(project, workers=1)
    caller = index.callers("add_tax").relations[0].symbol
    _, (path, cycles, hubs) = ask(
        project,
        ("dependency_path", {"source": caller, "target": "add_tax"}),
        ("cycles", {"of": "symbols"}),
        ("hubs", {"limit": 3}),
    )
    expected = index.path(caller, "add_tax").to_dict()["relations"]
    assert expected and path.structured_content["relations"] == json.loads(json.dumps(expected))
    circles = json.loads(json.dumps(index.cycles(of="symbols").to_dict()["cycles"]))
    assert circles and cycles.structured_content["cycles"] == circles
    wanted = json.loads(json.dumps(index.hubs(limit=3).to_dict()["hubs"]))
    assert wanted and hubs.structured_content["hubs"] == wanted
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    subprocess.run(["git", "-C", str(project), "add", "."], check=True)
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", "-C", str(project), *who, "commit", "-qm", "all"], check=True)
    edited = project / index.find_symbol("add_tax").symbols[0].path
    edited.write_text(edited.read_text().replace("def add_tax(", "def add_tax(  ", 1))
    git = ["git", "-C", str(project), *who]
    subprocess.run([*git, "commit", "-qam", "edit"], check=True)
    _, (since, none) = ask(project, ("impact_of_changes", {"revision": "HEAD~1"}), ("impact_of_changes", {}))
    assert [d["name"] for d in since.structured_content["definitions"]] == ["add_tax"]
    assert none.structured_content["definitions"] == []
    subprocess.run([*git, "reset", "-q", "HEAD~1"], check=True)
    _, (changes,) = ask(project, ("impact_of_changes", {}))
    found = quatrain.open(project).impact_of_changes().to_dict()
    assert found["relations"] and changes.structured_content["relations"] == json.loads(json.dumps(found["relations"]))


def test_a_failure_is_a_tool_error_that_says_what_to_do(project: Path) -> None:
    _, answers = ask(
        project,
        ("search", {"query": ""}),
        ("relations", {"symbol": "no_such_name_here"}),
        ("relations", {"symbol": "add_tax", "question": "friends"}),
        ("similar", {"path": "../../etc/passwd", "line": 1}),
    )
    assert all(answer.is_error for answer in answers)
    texts = [answer.content[0].text for answer in answers]
    assert "empty" in texts[0] and "fuzzy" in texts[1] and "callers" in texts[2] and "outside" in texts[3]


def test_edits_are_seen_by_the_next_call(project: Path) -> None:
    from quatrain.mcp_server import make_server

    async def run() -> tuple[Any, Any]:
        async with mcp.Client(make_server(project)) as client:
            before = await client.call_tool("find_symbol", {"name": "gift_voucher"})
            (project / "shop/new.py").write_text("def gift_voucher():\n    return 1\n")
            return before, await client.call_tool("find_symbol", {"name": "gift_voucher"})

    before, after = anyio.run(run)
    assert (
        before.structured_content["status"] == "no_match"
        and after.structured_content["symbols"][0]["path"] == "shop/new.py"
    )


def test_standard_output_is_the_wire(project: Path) -> None:
    request = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "quatrain", "mcp", str(project)],
        input=json.dumps(request) + "\n", capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    first = json.loads(done.stdout.splitlines()[0])
    assert first["id"] == 1 and first["result"]["serverInfo"]["name"] == "quatrain"
