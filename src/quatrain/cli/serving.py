"""The verb that serves agents: mcp."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from quatrain.cli.options import add_index_options, add_root

__all__ = ["mcp", "mcp_arguments"]


def mcp_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``mcp``."""
    add_root(parser)
    add_index_options(parser, refresh=False)


def mcp(arguments: Namespace) -> int:
    """Serve one folder over standard input and output until the client leaves."""
    from quatrain.mcp_server import serve

    serve(Path(arguments.root or "."), embedder=arguments.embedder, index_dir=arguments.index_dir)
    return 0
