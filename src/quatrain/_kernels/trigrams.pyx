"""Trigrams of documents, their postings, and the postings as portable-format roaring bitmaps."""

import numpy as np

from libc.stdint cimport SIZE_MAX, int64_t, uint8_t, uint32_t, uint64_t


cdef extern from "trigrams.h" nogil:
    const size_t QT_TRIGRAM_SPACE
    size_t qt_trigrams_unique(const uint8_t *data, size_t size, uint32_t *out)
    int64_t qt_trigrams_split(const uint8_t *content, size_t content_size, const uint64_t *offsets, size_t documents, uint64_t size,
                              uint64_t *out, size_t room)
    ctypedef struct qt_inversion:
        pass
    int QT_TRIGRAMS_MEMORY, QT_TRIGRAMS_SIZE
    int qt_inversion_read(const uint8_t *content, size_t content_size, const uint64_t *starts, const uint64_t *ends, size_t documents,
                          qt_inversion **inversion, size_t *key_count, size_t *total)
    void qt_inversion_write(qt_inversion *inversion, uint32_t *keys, int64_t *posting_offsets, uint32_t *ids)
    void qt_inversion_free(qt_inversion *inversion)
    int qt_trigrams_serialized_size(const int64_t *posting_offsets, size_t postings, const uint32_t *ids, size_t id_count,
                                    uint64_t *byte_offsets)
    void qt_trigrams_serialize(const int64_t *posting_offsets, size_t postings, const uint32_t *ids, const uint64_t *byte_offsets,
                               uint8_t *blob)


def unique(const uint8_t[::1] data not None):
    """Return the distinct trigrams of a buffer; documented at `reference.trigrams_unique`.  The GIL is released."""
    cdef size_t size = data.shape[0], count = 0
    result = np.empty(min(size, QT_TRIGRAM_SPACE) + 1, np.uint32)
    cdef uint32_t[::1] out = result
    if size:
        with nogil:
            count = qt_trigrams_unique(&data[0], size, &out[0])
    if count == SIZE_MAX:
        raise MemoryError(f"no memory for the trigrams of {size} bytes")
    return result[:count].copy()


def split(const uint8_t[::1] content not None, const uint64_t[::1] offsets not None, uint64_t size):
    """Cut documents into pieces of whole lines; documented at `reference.split`.  The GIL is released."""
    cdef size_t total = content.shape[0], room
    cdef int64_t count
    if offsets.shape[0] < 1 or size < 1:
        raise ValueError(f"offsets has {offsets.shape[0]} values, at least 1; size={size} at least 1")
    # A cut follows a newline in the last `size` bytes or passes them, so two pieces in a row hold more than `size`.
    room = offsets.shape[0] + 2 * (total // size) + 1
    result = np.empty(room, np.uint64)
    cdef uint64_t[::1] out = result
    with nogil:
        count = qt_trigrams_split(&content[0] if total else NULL, total, &offsets[0], offsets.shape[0] - 1, size, &out[0], room)
    if count < 0 or count > <int64_t>room:
        raise ValueError(f"offsets must ascend within the {total} bytes of content")
    return result[:count].copy()


def postings(const uint8_t[::1] content not None, const uint64_t[::1] starts not None, const uint64_t[::1] ends not None):
    """Invert documents into postings; documented at `reference.postings`.  The GIL is released."""
    cdef size_t size = content.shape[0], count = 0, total = 0
    cdef qt_inversion *inversion = NULL
    cdef int status
    if starts.shape[0] != ends.shape[0] or starts.shape[0] >= 1 << 32:
        raise ValueError(f"starts ({starts.shape[0]}) and ends ({ends.shape[0]}) must be equally many, fewer than 2**32")
    with nogil:
        status = qt_inversion_read(&content[0] if size else NULL, size, &starts[0] if starts.shape[0] else NULL,
                                   &ends[0] if starts.shape[0] else NULL, starts.shape[0], &inversion, &count, &total)
    if status == QT_TRIGRAMS_MEMORY:
        raise MemoryError(f"no memory for the postings of {size} bytes")
    if status == QT_TRIGRAMS_SIZE:
        raise ValueError(f"{size} bytes give 2**32 posting entries or more; split the documents")
    if status:
        raise ValueError(f"a document lies outside the {size} bytes of content, or ends before it starts")
    try:
        keys, firsts, ids = np.empty(count + 1, np.uint32), np.empty(count + 1, np.int64), np.empty(total + 1, np.uint32)
        write(inversion, keys, firsts, ids)
    finally:
        qt_inversion_free(inversion)
    return keys[:count], firsts, ids[:total]


cdef write(qt_inversion *inversion, uint32_t[::1] keys, int64_t[::1] firsts, uint32_t[::1] ids):
    with nogil:
        qt_inversion_write(inversion, &keys[0], &firsts[0], &ids[0])


def serialize(const int64_t[::1] posting_offsets not None, const uint32_t[::1] ids not None):
    """Write postings as portable-format bitmaps; documented at `reference.serialize`.  The GIL is released."""
    cdef size_t count
    cdef int status
    if posting_offsets.shape[0] < 1:
        raise ValueError("posting_offsets is empty; n postings need n + 1 offsets")
    count = posting_offsets.shape[0] - 1
    byte_offsets = np.empty(count + 1, np.uint64)
    cdef uint64_t[::1] at = byte_offsets
    cdef const uint32_t *first = &ids[0] if ids.shape[0] else NULL
    with nogil:
        status = qt_trigrams_serialized_size(&posting_offsets[0], count, first, ids.shape[0], &at[0])
    if status:
        raise ValueError(f"posting_offsets must ascend within {ids.shape[0]} ids, and ids must ascend within each posting")
    blob = np.empty(int(at[count]), np.uint8)
    cdef uint8_t[::1] out = blob
    if count:
        with nogil:
            qt_trigrams_serialize(&posting_offsets[0], count, first, &at[0], &out[0])
    return blob, byte_offsets
