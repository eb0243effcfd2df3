"""AND and OR of postings where they lie: portable-format roaring bitmaps in a mapped file."""

import os

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from .cpu cimport find_level


cdef extern from "roaring.h" nogil:
    int QT_ROARING_PROGRAM, QT_ROARING_MEMORY
    ctypedef struct qt_postings:
        const uint8_t *blob
        size_t size
        const uint64_t *offsets
        size_t known
        const int64_t *chosen
        size_t count
    int64_t qt_roaring_locate(const uint32_t *keys, const uint64_t *offsets, size_t key_count, const uint32_t *wanted, size_t count,
                              size_t most, int64_t *chosen)
    int64_t qt_roaring_intersect(int level, const qt_postings *p, size_t most, uint32_t **out)
    int64_t qt_roaring_evaluate(int level, const qt_postings *p, const int32_t *program, size_t length, uint64_t universe, uint32_t **out)
    void qt_roaring_free(void *array)

cdef int LEVEL = find_level(os.environ.get("QUATRAIN_CPU"))


def _set_level(name):
    """Force a level by name, or the best one for None; for tests."""
    global LEVEL
    LEVEL = find_level(name)


def locate(const uint32_t[::1] keys not None, const uint64_t[::1] offsets not None, const uint32_t[::1] wanted not None,
           Py_ssize_t limit_lists=8):
    """Look up keys and choose the rarest postings; documented at `reference.locate`.  The GIL is released."""
    cdef size_t count = wanted.shape[0]
    cdef int64_t found = 0
    if offsets.shape[0] != keys.shape[0] + 1 or limit_lists < 1:
        raise ValueError(f"{keys.shape[0]} keys need one offset more (got {offsets.shape[0]}); limit_lists={limit_lists}")
    chosen = np.empty(min(count, <size_t>limit_lists), np.int64)
    cdef int64_t[::1] out = chosen
    if keys.shape[0] and count:
        with nogil:
            found = qt_roaring_locate(&keys[0], &offsets[0], keys.shape[0], &wanted[0], count, limit_lists, &out[0])
    if found < 0:
        raise MemoryError(f"no memory to look up {count} keys")
    return chosen if found else chosen[:0]


def intersect(const uint8_t[::1] blob not None, const uint64_t[::1] offsets not None, const int64_t[::1] chosen not None,
              Py_ssize_t limit_lists=8):
    """Return the ids in all of the rarest postings; documented at `reference.intersect`.  The GIL is released."""
    cdef qt_postings p = view(blob, offsets, chosen)
    cdef uint32_t *ids = NULL
    cdef int64_t found
    if p.count == 0 or limit_lists < 1:
        raise ValueError(f"{p.count} postings, one at least; limit_lists={limit_lists}")
    with nogil:
        found = qt_roaring_intersect(LEVEL, &p, limit_lists, &ids)
    return adopt(found, ids, p.count)


def evaluate(const uint8_t[::1] blob not None, const uint64_t[::1] offsets not None, const int64_t[::1] chosen not None,
             const int32_t[::1] program not None, universe):
    """Evaluate ANDs and ORs over postings; documented at `reference.evaluate`.  The GIL is released."""
    cdef qt_postings p = view(blob, offsets, chosen)
    cdef size_t length = program.shape[0]
    cdef uint32_t *ids = NULL
    cdef int64_t found
    cdef uint64_t limit
    if not 0 <= universe <= 1 << 32:
        raise ValueError(f"universe={universe} must lie in 0..2**32")
    limit = universe
    with nogil:
        found = qt_roaring_evaluate(LEVEL, &p, &program[0] if length else NULL, length, limit, &ids)
    return adopt(found, ids, p.count)


cdef qt_postings view(const uint8_t[::1] blob, const uint64_t[::1] offsets, const int64_t[::1] chosen) except *:
    cdef qt_postings p
    if offsets.shape[0] < 1:
        raise ValueError("offsets is empty; n postings need n + 1")
    p.blob, p.size = &blob[0] if blob.shape[0] else NULL, blob.shape[0]
    p.offsets, p.known = &offsets[0], offsets.shape[0] - 1
    p.chosen, p.count = &chosen[0] if chosen.shape[0] else NULL, chosen.shape[0]
    return p


cdef adopt(int64_t found, uint32_t *ids, size_t count):
    if found == QT_ROARING_MEMORY:
        raise MemoryError(f"no memory for the answer of {count} postings")
    if found == QT_ROARING_PROGRAM:
        raise ValueError(f"the program is not a postfix expression over {count} postings that leaves one set")
    if found < 0:
        raise ValueError(f"one of {count} postings is not a portable-format roaring bitmap within its bytes")
    result = np.empty(found, np.uint32)
    cdef uint32_t[::1] out = result
    if found:
        memcpy(&out[0], ids, found * sizeof(uint32_t))
    qt_roaring_free(ids)
    return result
