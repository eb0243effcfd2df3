"""Whether an index is whole: every checksum, and every number that points into another section."""

from __future__ import annotations

import numpy as np

from quatrain.errors import IndexCorrupt
from quatrain.storage.reader import Segment

__all__ = ["check"]


def check(segment: Segment) -> list[str]:
    """Return what is wrong with a segment, one sentence each; empty when it is whole."""
    try:
        segment.verify_all()
        return _inconsistencies(segment)
    except IndexCorrupt as error:
        return [str(error)]


def _inconsistencies(segment: Segment) -> list[str]:
    problems: list[str] = []

    def expect(holds: bool, what: str) -> None:
        if not holds:
            problems.append(f"{segment.path.name}: {what}; run `quatrain index --rebuild`")

    def ascending(tag: str, last: int | None = None) -> None:
        values = segment.array(tag).astype(np.int64)
        expect(len(values) > 0 and values[0] >= 0 and bool((np.diff(values) >= 0).all()), f"{tag} is not ascending")
        if last is not None and len(values):
            expect(int(values[-1]) == last, f"{tag} does not end at {last}")

    def within(tag: str, count: int, lowest: int = 0) -> None:
        values = segment.array(tag).astype(np.int64)
        expect(not len(values) or (values.min() >= lowest and values.max() < count), f"{tag} points outside")

    for tag in [tag for tag in segment if tag.endswith("_blob")]:
        ascending(tag.removesuffix("_blob") + "_offsets", len(segment.array(tag)))
    files = len(segment.array("file/flags"))
    ascending("file/content_offset", len(segment.array("content")))
    ascending("file/newline_offset", len(segment.array("newlines")))
    chunks, symbols = len(segment.array("chunk/file")), len(segment.array("symbol/kind"))
    names = len(segment.array("name_offsets")) - 1
    expect(segment.array("name/sketch").shape == (2, names), "names and their sketches differ in number")
    ascending("chunk/file")
    ascending("file/chunk_offset", chunks)
    within("chunk/file", files)
    within("chunk/symbol", symbols, -1)
    if chunks:
        sizes = np.diff(segment.array("file/content_offset").astype(np.int64))[segment.array("chunk/file")]
        ends = segment.array("chunk/end_byte").astype(np.int64)
        expect(bool((ends <= sizes).all()), "a chunk ends behind its file")
        expect(bool((segment.array("chunk/start_byte") <= ends).all()), "a chunk ends before it starts")
    ascending("name/symbol_offset", symbols)
    within("symbol/name", names)
    within("symbol/file", files)
    within("symbol/chunk", chunks, -1)
    within("symbol/parent", symbols, -1)
    ascending("trigram/keys")
    ascending("trigram/offset", len(segment.array("trigram/postings")))
    ascending("term/hash")
    ascending("term/offset", len(segment.array("term/chunk")))
    within("term/chunk", chunks)
    within("edge/caller", symbols + files)
    within("edge/callee", symbols + files, -1)
    within("edge/name", names)
    within("edge/file", files)
    edges = len(segment.array("edge/caller"))
    for tag in ("graph/out_indptr", "graph/name_indptr"):
        ascending(tag, edges)
    ascending("graph/in_indptr", len(segment.array("graph/in_edges")))
    ascending("module/key_indptr", len(segment.array("module/key_files")))
    within("module/key_files", files)
    within("graph/in_edges", edges)
    within("graph/name_edges", edges)
    if "vector/codes" in segment:
        expect(len(segment.array("vector/codes")) == chunks, "vectors and chunks differ in number")
    return problems
