"""The verbs about the index itself: index, watch, status, check."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from quatrain.cli.answers import Place, print_json, tell
from quatrain.cli.options import add_index_options, add_output, add_root, positive
from quatrain.cli.terminal import Painter, progress_on

if TYPE_CHECKING:
    from quatrain.records import FileInfo, IndexStatus

__all__ = [
    "check",
    "check_arguments",
    "index",
    "index_arguments",
    "status",
    "status_arguments",
    "watch",
    "watch_arguments",
]


def index_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``index``."""
    add_root(parser)
    add_index_options(parser, refresh=False)
    parser.add_argument(
        "--rebuild", action="store_true", help="Make everything anew instead of taking over unchanged files."
    )
    parser.add_argument(
        "--workers", metavar="N", type=positive, help="Use N parser processes (default: one for each core)."
    )
    parser.add_argument(
        "--max-file-bytes",
        metavar="N",
        type=positive,
        default=2 << 20,
        help="Leave out larger files (default: 2097152).",
    )
    add_output(parser, lines=False)


def index(arguments: Namespace) -> int:
    """Build or update an index."""
    import quatrain

    started = time.perf_counter()
    with progress_on(sys.stderr) as progress:
        built = quatrain.build(
            arguments.root or ".",
            embedder=arguments.embedder,
            index_dir=arguments.index_dir,
            workers=arguments.workers,
            max_file_bytes=arguments.max_file_bytes,
            rebuild=arguments.rebuild,
            progress=progress,
        )
    state = built.status()
    seconds = time.perf_counter() - started
    if arguments.json:
        print_json({**state.to_dict(), "seconds": round(seconds, 3)})
        return 0
    painter = Painter(sys.stdout, arguments.colour)
    counts = [
        f"{state.counts[name]:,} {name}" for name in ("files", "chunks", "symbols", "edges") if name in state.counts
    ]
    held = ", ".join([*counts, _size(state.index_bytes)])
    print(f"indexed {painter.paint('path', state.root)} in {seconds:.1f} s: {held}")
    _show_skipped_counts(painter, state)
    _tell_notes(state)
    return 0


def watch_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``watch``."""
    add_root(parser)
    add_index_options(parser, refresh=False)
    add_output(parser, whole=False)


def watch(arguments: Namespace) -> int:
    """Keep an index up to date until interrupted."""
    import quatrain
    from quatrain.errors import QuatrainError
    from quatrain.files.watch import changes

    with progress_on(sys.stderr) as progress:
        index = quatrain.open(
            arguments.root or ".", embedder=arguments.embedder, index_dir=arguments.index_dir, progress=progress
        )
    tell(f"watching {index.root}; Ctrl-C ends it")
    try:
        for _ in changes(index.root):
            started = time.perf_counter()
            try:
                if index.refresh():
                    _show_generation(index.status(), time.perf_counter() - started, arguments)
            except QuatrainError as error:  # the next change may mend it
                tell(str(error))
    except KeyboardInterrupt:
        pass
    return 0


def _show_generation(state: IndexStatus, seconds: float, arguments: Namespace) -> None:
    if arguments.jsonl:
        print_json({**state.to_dict(), "seconds": round(seconds, 3)}, indent=False)
    else:
        painter = Painter(sys.stdout, arguments.colour)
        generation = painter.paint("name", f"generation {state.generation}")
        print(f"{generation} in {seconds:.1f} s: {state.counts['files']:,} files, {state.counts['chunks']:,} chunks")
    sys.stdout.flush()


def status_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``status``."""
    add_root(parser)
    parser.add_argument("--skipped", action="store_true", help="List every file that is left out, with the reason.")
    parser.add_argument(
        "--index-dir", metavar="DIR", help="Where the index lives (default: the user's cache directory)."
    )
    add_output(parser, lines=False)


def status(arguments: Namespace) -> int:
    """Describe an index as it is, without touching it."""
    import quatrain

    opened = quatrain.open(arguments.root or ".", index_dir=arguments.index_dir, refresh=False)
    state = opened.status()
    skipped = [file for file in opened.files() if not file.indexed] if arguments.skipped else []
    if arguments.json:
        extra = {"skipped_files": [file.to_dict() for file in skipped]} if arguments.skipped else {}
        print_json({**state.to_dict(), **extra})
        return 0
    painter = Painter(sys.stdout, arguments.colour)
    if arguments.skipped:
        _show_skipped(painter, Place(arguments.root), skipped)
        return 0
    _show_status(painter, state)
    _tell_notes(state)
    return 0


def check_arguments(parser: ArgumentParser) -> None:
    """Describe the arguments of ``check``."""
    add_root(parser)
    parser.add_argument(
        "--index-dir", metavar="DIR", help="Where the index lives (default: the user's cache directory)."
    )
    add_output(parser, lines=False)


def check(arguments: Namespace) -> int:
    """Verify an index; exit code 2 if anything is wrong with it."""
    import quatrain

    opened = quatrain.open(arguments.root or ".", index_dir=arguments.index_dir, refresh=False)
    problems = opened.check()
    if arguments.json:
        print_json({"root": str(opened.root), "ok": not problems, "problems": problems})
    else:
        painter = Painter(sys.stdout, arguments.colour)
        for problem in problems:
            print(painter.safe(problem))
        if not problems:
            print("the index is sound")
    if problems:
        tell(
            f"{len(problems)} problem{'s' * (len(problems) > 1)} found; `quatrain index --rebuild` makes the index anew"
        )
    return 2 if problems else 0


def _show_status(painter: Painter, state: IndexStatus) -> None:
    away = "text LEAVES this machine" if state.text_leaves_machine else "no text leaves this machine"
    generation = (
        f"{state.generation}"
        + (", stale" if state.stale else "")
        + (", the newest is damaged" if state.fell_back else "")
    )
    level = state.capabilities.get("level")
    rows = {
        "root": state.root,
        "index": f"{state.directory} ({_size(state.index_bytes)})",
        "generation": generation,
        "embedder": f"{state.embedder} ({away})",
        "files": f"{state.counts.get('files', 0):,} indexed, listed by {state.walk or 'walk'}",
        "holds": ", ".join(
            f"{n:,} {name}" for name, n in state.counts.items() if name not in ("files", "skipped", "bytes")
        ),
        "languages": ", ".join(f"{name} {count:,}" for name, count in state.languages.items()),
        "parsed": ", ".join(f"{name} {count:,}" for name, count in state.parses.items()),
        "kernels": str(level) if level is not None else "",
    }
    for name, value in rows.items():
        if value:
            print(f"{painter.paint('name', f'{name:<10}')} {painter.safe(value)}")
    _show_skipped_counts(painter, state)


def _show_skipped_counts(painter: Painter, state: IndexStatus) -> None:
    if state.skipped:
        counts = ", ".join(f"{count:,} {reason}" for reason, count in state.skipped.items())
        print(f"{painter.paint('name', 'skipped   ')} {painter.safe(counts)} (`quatrain status --skipped` lists them)")


def _show_skipped(painter: Painter, place: Place, files: list[FileInfo]) -> None:
    for file in files:
        print(f"{painter.paint('path', place(file.path))}: {painter.safe(file.skip_reason or '')}")
    if not files:
        tell("no file is left out")


def _tell_notes(state: IndexStatus) -> None:
    for note in state.notes:
        tell(note)


def _size(count: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"
