"""The verb that draws: graph."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from quatrain.cli.answers import open_index, tell
from quatrain.cli.options import add_index_options, add_limit, add_root, positive

__all__ = ["graph", "graph_arguments"]


def graph_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``graph``."""
    parser.add_argument("name", metavar="SYMBOL", help="A name, simple (parse) or qualified (module.Class.parse).")
    add_root(parser)
    parser.add_argument("--html", metavar="FILE", required=True, help="Write the page to FILE.")
    parser.add_argument(
        "-d", "--depth", metavar="N", type=positive, default=2,
        help="Follow at most N steps to callers and to callees (default: 2).",
    )  # fmt: skip
    parser.add_argument(
        "--min-confidence", metavar="X", type=float, default=0.3,
        help="Leave out edges less sure than X, from 0 to 1 (default: 0.3).",
    )  # fmt: skip
    add_limit(parser, 200, "definitions")
    add_index_options(parser)


def graph(arguments: Namespace) -> int:
    """Draw callers and callees."""
    from quatrain.errors import BadPath
    from quatrain.graph_page import neighbourhood, page

    index = open_index(arguments)
    data = neighbourhood(
        index.view,
        arguments.name,
        depth=arguments.depth,
        min_confidence=arguments.min_confidence,
        limit=arguments.limit,
    )
    target = Path(arguments.html)
    try:
        target.write_text(page(data), encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise BadPath(f"{arguments.html!r} cannot be written ({error}); name a file in a folder that exists") from error
    print(f"{target}: {len(data['nodes'])} definitions, {len(data['edges'])} edges")
    if cut := sum(data["cut"].values()):
        tell(f"{cut} more definitions are not drawn; --limit draws more")
    for note in data["notes"]:
        tell(note)
    return 0 if data["edges"] else 1
