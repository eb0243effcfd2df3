"""Static sub-word embedding: texts to packed sign bits, a query to a float vector."""

import os

import numpy as np

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from .cpu cimport find_level, level_names, qt_cpu_name


cdef extern from "Python.h":
    int PyBytes_AsStringAndSize(object, char **, Py_ssize_t *) except -1

cdef extern from "embedding.h" nogil:
    ctypedef struct qt_embedding_model:
        unsigned int dimensions, words, buckets
    enum: QT_EMBEDDING_MAX_TURNS
    int qt_embedding_open(const uint8_t *data, size_t size, qt_embedding_model *model)
    size_t qt_embedding_scratch_size()
    void qt_embedding_documents(const qt_embedding_model *model, int level, unsigned int turns, const uint8_t *const *texts,
                                const size_t *text_lengths, const uint8_t *const *names, const size_t *name_lengths, size_t n,
                                uint8_t *codes, float *vectors, void *scratch)
    void qt_embedding_query(const qt_embedding_model *model, int level, unsigned int turns, const uint8_t *text, size_t length,
                            float *vector, void *scratch)
    void qt_embedding_known(const qt_embedding_model *model, const uint8_t *text, size_t length, uint64_t *letters,
                            void *scratch)
    size_t qt_embedding_subtokens(const uint8_t *text, size_t length, uint64_t *spans, size_t limit)

cdef int LEVEL = find_level(os.environ.get("QUATRAIN_CPU"))
FAULTS = ("", "it is cut short", "it does not begin with QTSUBTOK", "its version is unknown", "its sizes do not fit together",
          "a section lies outside the file", "its bytes do not begin at a multiple of 8")


def _set_level(name):
    global LEVEL
    LEVEL = find_level(name)


def _level():
    return qt_cpu_name(LEVEL).decode()


def _levels():
    return level_names()


cdef qt_embedding_model open_model(const uint8_t[::1] model, Py_ssize_t turns=1) except *:
    cdef qt_embedding_model view
    cdef int fault = qt_embedding_open(&model[0] if model.shape[0] else NULL, model.shape[0], &view)
    if fault:
        raise ValueError(f"not a usable embedding model: {FAULTS[fault]}")
    if turns < 1 or turns > QT_EMBEDDING_MAX_TURNS or (turns > 1 and view.dimensions & (view.dimensions - 1)):
        raise ValueError(f"turns={turns} with {view.dimensions} dimensions; 1 to {QT_EMBEDDING_MAX_TURNS}, and above 1 a power of two")
    return view


cdef bytes as_bytes(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def dimensions(const uint8_t[::1] model not None):
    return open_model(model).dimensions


def documents(const uint8_t[::1] model not None, texts, names, Py_ssize_t turns=1):
    return embed(model, texts, names, turns, True)


def document_vectors(const uint8_t[::1] model not None, texts, names, Py_ssize_t turns=1):
    return embed(model, texts, names, turns, False)


cdef embed(const uint8_t[::1] model, texts, names, Py_ssize_t turns, bint packed):
    cdef qt_embedding_model view = open_model(model, turns)
    cdef Py_ssize_t width = turns * view.dimensions
    cdef list kept_texts = [as_bytes(text) for text in texts], kept_names = [as_bytes(name) for name in names]
    cdef Py_ssize_t n = len(kept_texts), i
    if len(kept_names) != n:
        raise ValueError(f"{n} texts need as many names (got {len(kept_names)})")
    result = np.empty((n, width // 8), np.uint8) if packed else np.empty((n, width), np.float32)
    if n == 0:
        return result
    cdef uint8_t[:, ::1] codes = result if packed else None
    cdef float[:, ::1] vectors = None if packed else result
    cdef uint8_t *out_codes = &codes[0, 0] if packed else NULL
    cdef float *out_vectors = NULL if packed else &vectors[0, 0]
    cdef size_t pointers = n * sizeof(char *), sizes = n * sizeof(size_t)
    cdef uint8_t *block = <uint8_t *>malloc(2 * (pointers + sizes) + qt_embedding_scratch_size())
    if block == NULL:
        raise MemoryError(f"no memory for {n} texts")
    cdef char **start = <char **>block
    cdef Py_ssize_t *length = <Py_ssize_t *>(block + 2 * pointers)
    try:
        for i in range(n):
            PyBytes_AsStringAndSize(kept_texts[i], &start[i], &length[i])
            PyBytes_AsStringAndSize(kept_names[i], &start[n + i], &length[n + i])
        with nogil:
            qt_embedding_documents(&view, LEVEL, turns, <const uint8_t *const *>start, <const size_t *>length,
                                   <const uint8_t *const *>(start + n), <const size_t *>(length + n), n, out_codes, out_vectors,
                                   block + 2 * (pointers + sizes))
    finally:
        free(block)
    return result


def query(const uint8_t[::1] model not None, text, Py_ssize_t turns=1):
    cdef qt_embedding_model view = open_model(model, turns)
    cdef char *start
    cdef Py_ssize_t length
    kept = as_bytes(text)
    PyBytes_AsStringAndSize(kept, &start, &length)
    result = np.empty(turns * view.dimensions, np.float32)
    cdef float[::1] vector = result
    cdef void *scratch = malloc(qt_embedding_scratch_size())
    if scratch == NULL:
        raise MemoryError("no memory for a query")
    with nogil:
        qt_embedding_query(&view, LEVEL, turns, <const uint8_t *>start, length, &vector[0], scratch)
    free(scratch)
    return result


def known_letters(const uint8_t[::1] model not None, text):
    cdef qt_embedding_model view = open_model(model)
    cdef char *start
    cdef Py_ssize_t length
    cdef uint64_t letters[2]
    kept = as_bytes(text)
    PyBytes_AsStringAndSize(kept, &start, &length)
    cdef void *scratch = malloc(qt_embedding_scratch_size())
    if scratch == NULL:
        raise MemoryError("no memory for a query")
    with nogil:
        qt_embedding_known(&view, <const uint8_t *>start, length, letters, scratch)
    free(scratch)
    return letters[0], letters[1]


def subtokens(text, Py_ssize_t limit=512):
    cdef char *start
    cdef Py_ssize_t length
    kept = as_bytes(text)
    PyBytes_AsStringAndSize(kept, &start, &length)
    if limit < 1:
        raise ValueError(f"limit={limit} must be at least 1")
    spans = np.empty((limit, 2), np.uint64)
    cdef uint64_t[:, ::1] out = spans
    cdef size_t n
    with nogil:
        n = qt_embedding_subtokens(<const uint8_t *>start, length, &out[0, 0], limit)
    return spans[:n]
