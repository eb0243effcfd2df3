"""Exact nearest binary codes by Hamming distance, and rescoring of chosen codes against a float query."""

import os

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from .cpu cimport find_level, level_names, qt_cpu_name


cdef extern from "hamming.h" nogil:
    int qt_hamming_topk(int level, const uint8_t *codes, size_t width, size_t first, size_t last, const uint8_t *queries,
                        size_t query_count, size_t k, const uint64_t *allow, int64_t *ids, int32_t *distances)
    void qt_hamming_merge(const int64_t *part_ids, const int32_t *part_distances, size_t parts, size_t query_count, size_t k,
                          int64_t *ids, int32_t *distances)
    enum: QT_PAIR_TILE, QT_PAIR_ROOM
    int64_t qt_hamming_pairs(int level, const uint8_t *codes, size_t width, size_t rows, size_t first, size_t *next, uint32_t distance,
                             const uint64_t *allow, uint32_t *pairs, size_t capacity)
    void qt_hamming_asymmetric(int level, const uint8_t *codes, size_t width, const int64_t *rows, size_t row_count,
                               const float *query, float *scratch, float *scores)

cdef int LEVEL = find_level(os.environ.get("QUATRAIN_CPU"))


def _set_level(name):
    """Force a level by name, or the best one for None; for tests."""
    global LEVEL
    LEVEL = find_level(name)


def _level():
    """Return the name of the level in use."""
    return qt_cpu_name(LEVEL).decode()


def _levels():
    """Return the names of the levels of this machine, lowest first."""
    return level_names()


def topk(const uint8_t[:, ::1] codes not None, const uint8_t[:, ::1] queries not None, Py_ssize_t k,
         const uint64_t[::1] allow=None, Py_ssize_t threads=1):
    """Find the nearest rows of each query by Hamming distance; documented at `reference.topk`.  The GIL is released."""
    cdef Py_ssize_t rows = codes.shape[0], width = codes.shape[1], count = queries.shape[0]
    if width == 0 or width % 8 or queries.shape[1] != width:
        raise ValueError(f"codes {codes.shape[0], width} and queries {count, queries.shape[1]} need one width, a multiple of 8 bytes")
    if rows >= 1 << 32:
        raise ValueError(f"{rows} rows; at most 2**32 - 1 in one table")
    if k < 1 or threads < 1:
        raise ValueError(f"k={k} and threads={threads} must be at least 1")
    if allow is not None and allow.shape[0] * 64 < rows:
        raise ValueError(f"allow has {allow.shape[0]} words, {rows} rows need {(rows + 63) // 64}")
    threads = max(1, min(threads, rows // 4096))
    ids, distances = np.empty((threads, count, k), np.int64), np.empty((threads, count, k), np.int32)
    if threads == 1:
        scan(codes, queries, k, allow, 0, rows, ids[0], distances[0])
        return ids[0], distances[0]
    from concurrent.futures import ThreadPoolExecutor

    edges = [rows * part // threads // 64 * 64 for part in range(threads)] + [rows]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda part: scan(codes, queries, k, allow, edges[part], edges[part + 1], ids[part], distances[part]),
                      range(threads)))
    merged, merged_distances = np.empty((count, k), np.int64), np.empty((count, k), np.int32)
    cdef const int64_t[:, :, ::1] part_ids = ids
    cdef const int32_t[:, :, ::1] part_distances = distances
    cdef int64_t[:, ::1] out_ids = merged
    cdef int32_t[:, ::1] out_distances = merged_distances
    if count:
        qt_hamming_merge(&part_ids[0, 0, 0], &part_distances[0, 0, 0], threads, count, k, &out_ids[0, 0], &out_distances[0, 0])
    return merged, merged_distances


cdef int scan(const uint8_t[:, ::1] codes, const uint8_t[:, ::1] queries, size_t k, const uint64_t[::1] allow, size_t first,
              size_t last, int64_t[:, ::1] ids, int32_t[:, ::1] distances) except -1:
    cdef int status = 0
    if queries.shape[0]:
        with nogil:
            status = qt_hamming_topk(LEVEL, &codes[0, 0] if codes.shape[0] else NULL, codes.shape[1], first, last, &queries[0, 0],
                                     queries.shape[0], k, &allow[0] if allow is not None and allow.shape[0] else NULL, &ids[0, 0],
                                     &distances[0, 0])
    if status:
        raise MemoryError(f"no memory for the best {k} of {queries.shape[0]} queries")
    return 0


def pairs(const uint8_t[:, ::1] codes not None, Py_ssize_t distance, const uint64_t[::1] allow=None, Py_ssize_t first=0, last=None):
    """Find all pairs of rows that are near each other; documented at `reference.pairs`.  The GIL is released."""
    cdef Py_ssize_t rows = codes.shape[0], width = codes.shape[1], row
    cdef Py_ssize_t stop = rows if last is None else min(rows, last)
    cdef size_t next
    cdef int64_t found
    if width == 0 or width % 8:
        raise ValueError(f"codes {rows, width} need a width that is a multiple of 8 bytes")
    if rows >= 1 << 32 or distance < 0 or first < 0 or first % QT_PAIR_TILE:
        raise ValueError(f"{rows} rows, distance={distance}, first={first}; at most 2**32 - 1 rows in one table, no distance below 0, "
                         f"and first is a multiple of {QT_PAIR_TILE}")
    if allow is not None and allow.shape[0] * 64 < rows:
        raise ValueError(f"allow has {allow.shape[0]} words, {rows} rows need {(rows + 63) // 64}")
    cdef uint32_t limit = min(distance, 8 * width)
    room = np.empty((2 * QT_PAIR_ROOM, 3), np.uint32)
    cdef uint32_t[:, ::1] out = room
    parts = [np.empty((0, 3), np.uint32)]
    for row in range(first, stop, QT_PAIR_TILE):
        tile = []
        next = row
        while next < <size_t>rows:
            with nogil:
                found = qt_hamming_pairs(LEVEL, &codes[0, 0], width, rows, row, &next, limit,
                                         &allow[0] if allow is not None and allow.shape[0] else NULL, &out[0, 0], 2 * QT_PAIR_ROOM)
            if found < 0:
                raise MemoryError(f"no memory to compare {QT_PAIR_TILE} rows")
            tile.append(room[:found].copy())
        joined = np.concatenate(tile)
        if row + QT_PAIR_TILE > stop:
            joined = joined[joined[:, 0] < stop]
        parts.append(joined[np.lexsort((joined[:, 1], joined[:, 0]))])
    return np.concatenate(parts)


def asymmetric(const uint8_t[:, ::1] codes not None, const int64_t[::1] rows not None, const float[::1] query not None):
    """Score rows by a float query against their signs; documented at `reference.asymmetric`.  The GIL is released."""
    cdef Py_ssize_t width = codes.shape[1], count = rows.shape[0], i
    if width == 0 or width % 8 or query.shape[0] != width * 8:
        raise ValueError(f"codes {codes.shape[0], width} need a query of {width * 8} values (got {query.shape[0]}), width a multiple of 8")
    for i in range(count):
        if rows[i] < 0 or rows[i] >= codes.shape[0]:
            raise IndexError(f"row {rows[i]} is outside a table of {codes.shape[0]} rows")
    result, scratch = np.empty(count, np.float32), np.empty(width * 8, np.float32)
    cdef float[::1] out = result
    cdef float[::1] space = scratch
    if count:
        with nogil:
            qt_hamming_asymmetric(LEVEL, &codes[0, 0], width, &rows[0], count, &query[0], &space[0], &out[0])
    return result
