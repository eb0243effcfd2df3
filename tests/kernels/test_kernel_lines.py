"""Lines of matches and lines put together, against the twins and a count of newlines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quatrain._kernels import lines, reference

FILES = st.lists(st.binary(max_size=12).map(lambda b: bytes(10 if c % 3 else 65 for c in b)), min_size=1, max_size=5)


@given(
    files=FILES,
    cuts=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 12)), min_size=1, max_size=6),
    asked=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 12)), max_size=12),
    ordered=st.booleans(),
)
def test_place(files: list[bytes], cuts: list[tuple[int, int]], asked: list[tuple[int, int]], ordered: bool) -> None:
    """Matches in documents that begin anywhere in files, in any order."""
    breaks = [[i for i, byte in enumerate(file) if byte == 10] for file in files]
    newlines = np.array([i for rows in breaks for i in rows], np.uint32)
    bounds = np.cumsum([0, *map(len, breaks)]).astype(np.uint64)
    file_offsets = np.cumsum([7, *map(len, files)]).astype(np.uint64)
    documents = [(file % len(files), min(start, len(files[file % len(files)]))) for file, start in cuts]
    wanted = [(document % len(documents), offset) for document, offset in asked]
    if ordered:
        documents.sort()
        wanted.sort()
    owners = np.array([file for file, _ in documents], np.int64)
    starts = np.array([int(file_offsets[file]) + start for file, start in documents], np.uint64)
    which = np.array([document for document, _ in wanted], np.int64)
    offsets = np.array([offset for _, offset in wanted], np.uint64)
    got = lines.place(newlines, bounds, file_offsets, owners, starts, which, offsets)
    expected = reference.place(newlines, bounds, file_offsets, owners, starts, which, offsets)
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == np.int64
        np.testing.assert_array_equal(one, other)
    for (document, offset), file, line, within in zip(wanted, *(column.tolist() for column in got), strict=True):
        assert (file, within) == (documents[document][0], documents[document][1] + offset)
        assert line == files[file][:within].count(b"\n") + 1


@given(text=st.binary(max_size=30), cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=8))
def test_gather(text: bytes, cuts: list[tuple[int, int]]) -> None:
    spans = [sorted((min(a, len(text)), min(b, len(text)))) for a, b in cuts]
    starts, ends = (np.array([span[i] for span in spans], np.uint64) for i in (0, 1))
    content = np.frombuffer(text, np.uint8)
    got = lines.gather(content, starts, ends)
    assert got.tobytes() == b"".join(text[a:b] + b"\n" for a, b in spans)
    np.testing.assert_array_equal(got, reference.gather(content, starts, ends))


@pytest.mark.parametrize(
    ("newline_offsets", "files", "starts", "documents"),
    [
        ([0, 1], [0], [5], [1]),  # no such document
        ([0, 1], [0], [5], [-1]),
        ([0, 1], [], [], [0]),
        ([0, 1], [1], [5], [0]),  # no such file
        ([0, 1], [-1], [5], [0]),
        ([0, 1], [0], [4], [0]),  # begins before its file
        ([0, 7], [0], [5], [0]),  # more newlines than there are
        ([1, 0], [0], [5], [0]),
        ([2**63, 2**63 + 1], [0], [5], [0]),
    ],
)
def test_place_refuses(newline_offsets: list[int], files: list[int], starts: list[int], documents: list[int]) -> None:
    fixed = np.zeros(1, np.uint32), np.array(newline_offsets, np.uint64), np.array([5, 9], np.uint64)
    with pytest.raises(ValueError, match="outside"):
        lines.place(
            *fixed,
            np.array(files, np.int64),
            np.array(starts, np.uint64),
            np.array(documents, np.int64),
            np.zeros(1, np.uint64),
        )


@given(
    newlines=st.lists(st.integers(0, 2**32 - 1), max_size=6),
    bounds=st.lists(st.sampled_from([0, 1, 2, 5, 6, 7, 2**32, 2**64 - 1]), min_size=3, max_size=3),
    file_offsets=st.lists(st.sampled_from([0, 3, 9, 2**63, 2**64 - 1]), min_size=3, max_size=3),
    rows=st.lists(st.tuples(st.integers(-2, 3), st.sampled_from([0, 4, 9, 2**64 - 1])), max_size=3),
    asked=st.lists(st.tuples(st.integers(-2, 3), st.sampled_from([0, 2, 2**63, 2**64 - 1])), max_size=5),
)
def test_place_of_hostile_tables(
    newlines: list[int],
    bounds: list[int],
    file_offsets: list[int],
    rows: list[tuple[int, int]],
    asked: list[tuple[int, int]],
) -> None:
    """Numbers or an error; the sanitizer build sees any read outside."""
    tables = np.array(newlines, np.uint32), np.array(bounds, np.uint64), np.array(file_offsets, np.uint64)
    documents = np.array([file for file, _ in rows], np.int64), np.array([start for _, start in rows], np.uint64)
    matches = np.array([row for row, _ in asked], np.int64), np.array([offset for _, offset in asked], np.uint64)
    try:
        files, numbers, _ = lines.place(*tables, *documents, *matches)
    except ValueError:
        return
    assert ((files >= 0) & (files < 2) & (numbers >= 1) & (numbers <= len(newlines) + 1)).all()


def test_refusals() -> None:
    none, one = np.empty(0, np.uint64), np.array([1], np.uint64)
    blob = np.zeros(4, np.uint8)
    for first, last in (([0], [5]), ([3], [2]), ([5], [5])):
        with pytest.raises(ValueError, match="within the 4 bytes"):
            lines.gather(blob, np.array(first, np.uint64), np.array(last, np.uint64))
    with pytest.raises(ValueError, match="equally many"):
        lines.gather(blob, one, none)
    files = np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="equally many"):
        lines.place(np.zeros(0, np.uint32), one, one, files, none, files, one)
    with pytest.raises(ValueError, match="n files need"):
        lines.place(np.zeros(0, np.uint32), none, none, files, one, files, one)
