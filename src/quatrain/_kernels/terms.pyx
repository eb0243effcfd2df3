"""Words of source text: extraction, postings, the best line of a chunk, near names."""

import numpy as np

from libc.stdint cimport SIZE_MAX, int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy


cdef extern from "terms.h" nogil:
    const size_t QT_TERM_BYTES
    ctypedef struct qt_terms_field:
        const uint8_t *data
        const uint64_t *starts
        const uint64_t *ends
        float weight
        float b
    size_t qt_terms_bound(size_t size)
    size_t qt_terms_extract(const uint8_t *data, size_t size, uint64_t *hashes, uint32_t *offsets, uint8_t *joined)
    size_t qt_terms_spell(const uint8_t *data, size_t size, int stemmed, uint8_t *out)
    uint64_t qt_terms_hash(const uint8_t *word, size_t size)
    int qt_terms_postings(const qt_terms_field *fields, size_t field_count, size_t units, float k1, float joined_weight, uint64_t **hashes,
                          int64_t **offsets, uint32_t **unit_ids, float **impacts, uint8_t **words, size_t *term_count,
                          size_t *word_bytes)
    void qt_terms_free(void *array)
    void qt_terms_locate(const uint8_t *data, const uint64_t *starts, const uint64_t *ends, size_t units, const uint64_t *hashes,
                         const float *weights, size_t wanted, int64_t *out)
    int qt_terms_sketches(const uint8_t *blob, size_t blob_size, const uint64_t *offsets, size_t count, uint32_t *letters, uint32_t *pairs)
    size_t qt_terms_may_hold(const uint32_t *letters, const uint32_t *pairs, size_t count, const uint8_t *word, size_t size, uint32_t *out)
    int qt_terms_distances(const uint8_t *blob, size_t blob_size, const uint64_t *offsets, const uint32_t *letters, const uint32_t *pairs,
                           size_t count, const uint8_t *word, size_t size, int limit, int8_t *out)
    size_t qt_terms_lower_bound(const uint8_t *blob, size_t blob_size, const uint64_t *offsets, size_t count, const uint8_t *key, size_t size)


def extract(const uint8_t[::1] data not None):
    cdef size_t size = data.shape[0], count = 0
    if size >= 1 << 32:
        raise ValueError(f"data has {size} bytes; at most 2**32 - 1 in one call")
    hashes, offsets, joined = (np.empty(qt_terms_bound(size), dtype) for dtype in (np.uint64, np.uint32, np.uint8))
    cdef uint64_t[::1] h = hashes
    cdef uint32_t[::1] o = offsets
    cdef uint8_t[::1] j = joined
    if size:
        with nogil:
            count = qt_terms_extract(&data[0], size, &h[0], &o[0], &j[0])
    return hashes[:count].copy(), offsets[:count].copy(), joined[:count].view(np.bool_).copy()


def spell(const uint8_t[::1] data not None, bint stemmed=True):
    cdef size_t size = data.shape[0], count = 0
    buffer = bytearray(4 * size + 4)
    cdef uint8_t[::1] out = buffer
    if size:
        with nogil:
            count = qt_terms_spell(&data[0], size, stemmed, &out[0])
    return buffer[:count].decode().splitlines()


def hash_word(const uint8_t[::1] word not None):
    return qt_terms_hash(&word[0] if word.shape[0] else NULL, word.shape[0])


def postings(list fields not None, float k1, float joined_weight=1.0):
    cdef size_t count = len(fields), units = 0, terms = 0, word_bytes = 0, i
    cdef const uint8_t[::1] data
    cdef const uint64_t[::1] starts, ends
    cdef uint64_t *hashes = NULL
    cdef int64_t *offsets = NULL
    cdef uint32_t *ids = NULL
    cdef float *impacts = NULL
    cdef uint8_t *words = NULL
    cdef int status = -1
    cdef qt_terms_field *rows = <qt_terms_field *> malloc((count + 1) * sizeof(qt_terms_field))
    if rows is NULL:
        raise MemoryError(f"no memory for {count} fields")
    try:
        for i, (text, first, last, weight, b) in enumerate(fields):
            data, starts, ends = text, first, last
            units = starts.shape[0] if i == 0 else units
            if starts.shape[0] != units or ends.shape[0] != units:
                raise ValueError(f"field {i} has {starts.shape[0]} starts and {ends.shape[0]} ends for {units} units")
            if units and int(np.max(last)) > data.shape[0]:
                raise ValueError(f"field {i} ends at {np.max(last)}, behind its {data.shape[0]} bytes")
            # `fields` keeps the buffers alive after these views are gone.
            rows[i].data = &data[0] if data.shape[0] else NULL
            rows[i].starts = &starts[0] if units else NULL
            rows[i].ends = &ends[0] if units else NULL
            rows[i].weight, rows[i].b = weight, b
        with nogil:
            status = qt_terms_postings(rows, count, units, k1, joined_weight, &hashes, &offsets, &ids, &impacts, &words, &terms,
                                       &word_bytes)
        if status:
            raise MemoryError("no memory for the postings") if status == -1 else ValueError("a unit ends before it starts")
        return (adopt(hashes, terms, 8, np.uint64), adopt(offsets, terms + 1, 8, np.int64),
                adopt(ids, offsets[terms], 4, np.uint32), adopt(impacts, offsets[terms], 4, np.float32), adopt(words, word_bytes, 1, np.uint8))
    finally:
        free(rows)
        qt_terms_free(hashes)
        qt_terms_free(offsets)
        qt_terms_free(ids)
        qt_terms_free(impacts)
        qt_terms_free(words)


cdef adopt(const void *source, size_t count, size_t item, dtype):
    result = np.empty(count, dtype)
    cdef uint8_t[::1] view = result.view(np.uint8)
    if count:
        with nogil:
            memcpy(&view[0], source, count * item)
    return result


def locate(const uint8_t[::1] data not None, const uint64_t[::1] starts not None, const uint64_t[::1] ends not None,
           const uint64_t[::1] hashes not None, const float[::1] weights not None):
    cdef size_t units = starts.shape[0], wanted = hashes.shape[0], u
    if ends.shape[0] != <Py_ssize_t> units or weights.shape[0] != <Py_ssize_t> wanted:
        raise ValueError(f"{units} starts, {ends.shape[0]} ends; {wanted} hashes, {weights.shape[0]} weights")
    for u in range(units):
        if starts[u] > ends[u] or ends[u] > <uint64_t> data.shape[0]:
            raise ValueError(f"unit {u} is [{starts[u]}, {ends[u]}) in {data.shape[0]} bytes")
    result = np.full(units, -1, np.int64)
    cdef int64_t[::1] out = result
    if units and wanted:
        with nogil:
            qt_terms_locate(&data[0] if data.shape[0] else NULL, &starts[0], &ends[0], units, &hashes[0], &weights[0], wanted, &out[0])
    return result


def sketches(const uint8_t[::1] blob not None, const uint64_t[::1] offsets not None):
    cdef size_t count, size = blob.shape[0]
    cdef int status = 0
    if offsets.shape[0] < 1:
        raise ValueError("offsets is empty; n strings need n + 1 offsets")
    count = offsets.shape[0] - 1
    result = np.empty((2, count), np.uint32)
    cdef uint32_t[:, ::1] out = result
    if count:
        with nogil:
            status = qt_terms_sketches(&blob[0] if size else NULL, size, &offsets[0], count, &out[0, 0], &out[1, 0])
    if status:
        raise ValueError(f"offsets do not ascend within the {size} bytes of the strings")
    return result


def may_hold(const uint32_t[:, ::1] sketches not None, const uint8_t[::1] word not None):
    cdef size_t count = sketches.shape[1], found = 0
    if sketches.shape[0] != 2:
        raise ValueError(f"sketches has {sketches.shape[0]} rows instead of 2")
    result = np.empty(count, np.uint32)
    cdef uint32_t[::1] out = result
    if count:
        with nogil:
            found = qt_terms_may_hold(&sketches[0, 0], &sketches[1, 0], count, &word[0] if word.shape[0] else NULL, word.shape[0], &out[0])
    return result[:found].copy()


def distances(const uint8_t[::1] blob not None, const uint64_t[::1] offsets not None, const uint32_t[:, ::1] sketches not None,
              const uint8_t[::1] word not None, int limit):
    cdef size_t count, size = blob.shape[0]
    cdef int status = 0
    if offsets.shape[0] < 1:
        raise ValueError("offsets is empty; n strings need n + 1 offsets")
    if word.shape[0] > <Py_ssize_t> QT_TERM_BYTES or limit < 0 or limit > 127:
        raise ValueError(f"word has {word.shape[0]} bytes (at most {QT_TERM_BYTES}), limit is {limit} (0 to 127)")
    count = offsets.shape[0] - 1
    if sketches.shape[0] != 2 or sketches.shape[1] != <Py_ssize_t> count:
        raise ValueError(f"sketches are {sketches.shape[0]} x {sketches.shape[1]} for {count} strings")
    result = np.full(count, -1, np.int8)
    cdef int8_t[::1] out = result
    if count and word.shape[0]:
        with nogil:
            status = qt_terms_distances(&blob[0] if size else NULL, size, &offsets[0], &sketches[0, 0], &sketches[1, 0], count, &word[0],
                                        word.shape[0], limit, &out[0])
    if status:
        raise ValueError(f"offsets do not ascend within the {size} bytes of the strings")
    return result


def lower_bound(const uint8_t[::1] blob not None, const uint64_t[::1] offsets not None, bytes key not None):
    cdef size_t size = blob.shape[0], found
    cdef const uint8_t *wanted = key
    if offsets.shape[0] < 1:
        raise ValueError("offsets is empty; n strings need n + 1 offsets")
    # A dozen comparisons are over sooner than the GIL would be back.
    found = qt_terms_lower_bound(&blob[0] if size else NULL, size, &offsets[0], offsets.shape[0] - 1, wanted, len(key))
    if found == SIZE_MAX:
        raise ValueError(f"offsets do not ascend within the {size} bytes of the strings")
    return found
