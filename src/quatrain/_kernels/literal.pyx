"""Finds a literal in many documents of one content blob."""

import os

import numpy as np

from libc.stdint cimport SIZE_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from .cpu cimport find_level


cdef extern from "literal.h" nogil:
    int QT_LITERAL_SPAN
    int64_t qt_literal_find(int level, const uint8_t *content, size_t size, const uint64_t *starts, const uint64_t *ends,
                            size_t documents, const uint32_t *chosen, size_t chosen_count, const uint8_t *needle, size_t length, int ignore_case, int once_a_line, size_t most,
                            int64_t **match_documents, uint64_t **match_offsets)
    void qt_literal_free(void *array)

cdef int LEVEL = find_level(os.environ.get("QUATRAIN_CPU"))


def _set_level(name):
    """Force a level by name, or the best one for None; for tests."""
    global LEVEL
    LEVEL = find_level(name)


def find(const uint8_t[::1] content not None, const uint64_t[::1] starts not None, const uint64_t[::1] ends not None, bytes needle not None,
         bint ignore_case=False, Py_ssize_t limit=-1, bint once_a_line=False, const uint32_t[::1] chosen=None):
    """Find a literal in documents; documented at `reference.find`.  The GIL is released."""
    cdef size_t documents = starts.shape[0], size = content.shape[0], length = len(needle)
    cdef size_t most = SIZE_MAX if limit < 0 else limit
    cdef const uint8_t *pattern = needle
    cdef int64_t *where = NULL
    cdef uint64_t *offsets = NULL
    cdef int64_t found = 0
    if ends.shape[0] != <Py_ssize_t>documents:
        raise ValueError(f"starts ({documents}) and ends ({ends.shape[0]}) must be equally many")
    if length == 0:
        raise ValueError("the needle is empty")
    cdef size_t count = documents if chosen is None else <size_t>chosen.shape[0]
    cdef const uint32_t *ids = NULL
    if chosen is not None and count:
        ids = &chosen[0]
    if count and documents:
        with nogil:
            found = qt_literal_find(LEVEL, &content[0] if size else NULL, size, &starts[0], &ends[0], documents, ids, count, pattern, length,
                                    ignore_case, once_a_line, most, &where, &offsets)
    if found == QT_LITERAL_SPAN:
        raise ValueError(f"a chosen document is none of {documents}, or one lies outside the {size} bytes of content or ends before it starts")
    if found < 0:
        raise MemoryError(f"no memory for the matches in {documents} documents")
    match_documents, match_offsets = np.empty(found, np.int64), np.empty(found, np.uint64)
    cdef int64_t[::1] out = match_documents
    cdef uint64_t[::1] out_offsets = match_offsets
    if found:
        memcpy(&out[0], where, found * sizeof(int64_t))
        memcpy(&out_offsets[0], offsets, found * sizeof(uint64_t))
    qt_literal_free(where)
    qt_literal_free(offsets)
    return match_documents, match_offsets
