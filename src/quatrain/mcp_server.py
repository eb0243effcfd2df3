"""The index as tools for coding agents, over the Model Context Protocol (extra ``mcp``).

Few, fat tools; each returns the dictionary that the library's ``to_dict()`` and the command line's ``--json`` give.  A foreseen failure
is raised as a tool error whose text says what to do; stdout belongs to the protocol.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from quatrain import engine
from quatrain.errors import BadQuery, MissingExtra, QuatrainError

__all__ = ["make_server", "serve"]

INSTRUCTIONS = """Search the code below the served folder. Use `search` for any question in plain words, a symbol or a quoted string; it
finds out what kind of question it is. Use `grep` when every occurrence counts, `find_symbol` for definitions, `relations` for callers,
callees, references and impact, `impact_of_changes` before and after an edit. `status` in an answer tells an empty result from a
failure; edges marked ambiguous are guesses."""
MAX_TOKENS = 6_000


def make_server(root: Path, *, embedder: str | None = None, index_dir: str | None = None) -> Any:
    """Return an MCP server that answers for one folder.

    Parameters
    ----------
    root
        The folder whose code is served; paths in calls are relative to it.
    embedder, index_dir
        As in `quatrain.open`.

    Raises
    ------
    MissingExtra
        The ``mcp`` package is not installed.
    """
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import ToolAnnotations
    except ImportError as error:
        raise MissingExtra("the MCP server needs an extra: pip install 'quatrain[mcp]'") from error

    # The first call builds or refreshes; concurrent calls wait for it instead of building twice.
    opening = threading.Lock()
    opened: list[engine.Index] = []

    def index() -> engine.Index:
        with opening:
            if not opened:
                opened.append(engine.open(root, embedder=embedder, index_dir=index_dir))
            else:
                opened[0].refresh()
            return opened[0]

    server = MCPServer("quatrain", version=_version(), instructions=INSTRUCTIONS)
    read_only = ToolAnnotations(read_only_hint=True, open_world_hint=False)

    def tool(title: str) -> Callable[[Callable[..., dict[str, Any]]], Callable[..., dict[str, Any]]]:
        def register(function: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
            @wraps(function)
            def guarded(*args: Any, **kwargs: Any) -> dict[str, Any]:
                try:
                    return function(*args, **kwargs)
                except QuatrainError as error:
                    raise ToolError(str(error)) from error

            return server.tool(title=title, annotations=read_only)(guarded)

        return register

    @tool("Search code")
    def search(
        query: str,
        limit: int = 10,
        languages: list[str] | None = None,
        paths: list[str] | None = None,
        content: str = "code",
        max_tokens: int = MAX_TOKENS,
    ) -> dict[str, Any]:
        """Answer one question about the code: plain words, a symbol, or a quoted string.

        languages and paths (globs, a leading ! excludes) filter; content is code, docs, config or all; max_tokens bounds the answer.
        """
        return (
            index().search(query, limit=limit, languages=languages, paths=paths, content=content, max_tokens=max_tokens).to_dict()
        )  # fmt: skip

    @tool("Find every matching line")
    def grep(
        pattern: str,
        regex: bool = False,
        ignore_case: bool = False,
        limit: int = 50,
        cursor: str | None = None,
        paths: list[str] | None = None,
    ) -> dict[str, Any]:
        """Return the lines that hold a literal (or match a regex), the exact total, and a cursor to the next page."""
        return (
            index()
            .grep(pattern, regex=regex, ignore_case=ignore_case, limit=limit, cursor=cursor, paths=paths)
            .to_dict()
        )

    @tool("Find a definition")
    def find_symbol(name: str, kind: str | None = None, fuzzy: bool = True, limit: int = 20) -> dict[str, Any]:
        """Return where a symbol is defined: a simple name, or a qualified one such as module.Class.method."""
        return index().find_symbol(name, kind=kind, fuzzy=fuzzy, limit=limit).to_dict()

    @tool("Callers, callees, references, impact")
    def relations(symbol: str, question: str = "callers", depth: int = 3, limit: int = 50) -> dict[str, Any]:
        """Return the callers, callees, references or impact of a symbol; each edge says how sure it is and where the code says so."""
        found = index()
        if question == "impact":
            return found.impact(symbol, depth=depth, limit=limit).to_dict()
        if question not in ("callers", "callees", "references"):
            raise BadQuery(f"question is callers, callees, references or impact, not {question!r}")
        return getattr(found, question)(symbol, limit=limit).to_dict()

    @tool("Path from one symbol to another")
    def dependency_path(source: str, target: str, depth: int = 12) -> dict[str, Any]:
        """Return the surest chain of dependencies that leads from one symbol or file to another."""
        return index().path(source, target, depth=depth).to_dict()

    @tool("Impact of a change")
    def impact_of_changes(revision: str | None = None, depth: int = 3, limit: int = 50) -> dict[str, Any]:
        """Return what depends on the code that changed: uncommitted, or in a revision or range as git diff takes them."""
        return index().impact_of_changes(revision, depth=depth, limit=limit).to_dict()

    @tool("Dependency cycles")
    def cycles(of: str = "files", limit: int = 20) -> dict[str, Any]:
        """Return groups of files, or of symbols, that depend on each other in a circle."""
        return index().cycles(of=of, limit=limit).to_dict()

    @tool("Most used symbols")
    def hubs(limit: int = 20) -> dict[str, Any]:
        """Return the symbols that most of the code depends on, by centrality."""
        return index().hubs(limit=limit).to_dict()

    @tool("Find similar code")
    def similar(path: str, line: int, limit: int = 10) -> dict[str, Any]:
        """Return code that resembles the code at path:line."""
        return index().similar(path, line, limit=limit).to_dict()

    @tool("Index status")
    def index_status() -> dict[str, Any]:
        """Return what is indexed, what is skipped and why, and whether text leaves the machine."""
        return index().status().to_dict()

    return server


def serve(root: Path, *, embedder: str | None = None, index_dir: str | None = None) -> None:
    """Serve one folder over standard input and output until the client leaves."""
    make_server(root, embedder=embedder, index_dir=index_dir).run()


def _version() -> str:
    from importlib.metadata import version

    return version("quatrain")
