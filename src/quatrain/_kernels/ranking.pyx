"""Weighted reciprocal-rank fusion and accumulation of term impacts, both with a bounded list of the best."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t


cdef extern from "ranking.h" nogil:
    ctypedef struct qt_fusion:
        pass
    int QT_RANKING_MEMORY
    qt_fusion *qt_fusion_new(size_t capacity)
    void qt_fusion_free(qt_fusion *fusion)
    int qt_fusion_add(qt_fusion *fusion, const int64_t *ids, size_t count, double weight, double k)
    int64_t qt_fusion_top(qt_fusion *fusion, const float *centrality, size_t centrality_count, const uint8_t *demoted,
                          size_t demoted_count, size_t limit, int64_t *ids, double *scores)
    int64_t qt_ranking_accumulate(const uint32_t *ids, const float *impacts, size_t entries, const int64_t *starts, const int64_t *ends,
                                  const float *weights, size_t terms, size_t documents, size_t limit, const uint64_t *allow,
                                  int64_t *best, double *scores, double *coverage)


def rrf(lists not None, weights not None, double k, Py_ssize_t limit, const float[::1] centrality=None, const uint8_t[::1] demoted=None):
    """Fuse ranked lists by weighted reciprocal rank; documented at `reference.rrf`."""
    cdef Py_ssize_t total = 0
    cdef int64_t found = 0
    cdef const int64_t[::1] ids
    cdef const float *central = NULL
    cdef const uint8_t *lowered = NULL
    if len(lists) != len(weights) or limit < 0 or not k > -1:
        raise ValueError(f"{len(lists)} lists need as many weights (got {len(weights)}); limit={limit} at least 0, k={k} above -1")
    for entries in lists:
        total += len(entries)
    if total >= 1 << 31:
        raise ValueError(f"{total} list entries; at most 2**31 - 1")
    limit = min(limit, total)
    best, best_scores = np.empty(limit, np.int64), np.empty(limit, np.float64)
    if limit == 0:
        return best, best_scores
    cdef int64_t[::1] out = best
    cdef double[::1] scores = best_scores
    cdef qt_fusion *fusion = qt_fusion_new(total)
    if fusion == NULL:
        raise MemoryError(f"no memory to fuse {total} list entries")
    if centrality is not None:
        central = &centrality[0]
    if demoted is not None:
        lowered = &demoted[0]
    try:
        for entries, weight in zip(lists, weights):
            ids = entries
            if ids.shape[0]:
                found = qt_fusion_add(fusion, &ids[0], ids.shape[0], weight, k)
                if found:
                    raise ValueError("a list holds a negative id")
        with nogil:
            found = qt_fusion_top(fusion, central, 0 if centrality is None else centrality.shape[0], lowered, 0 if demoted is None else demoted.shape[0],
                                  limit, &out[0], &scores[0])
    finally:
        qt_fusion_free(fusion)
    if found == QT_RANKING_MEMORY:
        raise MemoryError(f"no memory for the best {limit}")
    if found < 0:
        raise ValueError("a list holds an id that centrality or demoted does not reach")
    return best[:found], best_scores[:found]


def accumulate(const uint32_t[::1] ids not None, const float[::1] impacts not None, const int64_t[::1] starts not None,
               const int64_t[::1] ends not None, const float[::1] weights not None, Py_ssize_t documents, Py_ssize_t limit,
               const uint64_t[::1] allow=None):
    """Add up weighted impacts per document; documented at `reference.accumulate`.  The GIL is released."""
    cdef size_t terms = starts.shape[0], entries = ids.shape[0]
    cdef int64_t found
    if impacts.shape[0] != <Py_ssize_t>entries or ends.shape[0] != <Py_ssize_t>terms or weights.shape[0] != <Py_ssize_t>terms:
        raise ValueError(f"ids {entries} and impacts {impacts.shape[0]}, starts {terms}, ends {ends.shape[0]} and weights "
                         f"{weights.shape[0]} must be equally many")
    if documents < 0 or limit < 0 or (allow is not None and allow.shape[0] * 64 < documents):
        raise ValueError(f"documents={documents}, limit={limit}, allow of {0 if allow is None else allow.shape[0]} words")
    limit = min(limit, documents)
    best, best_scores, shares = np.empty(limit + 1, np.int64), np.empty(limit + 1), np.empty(limit + 1)
    cdef int64_t[::1] out = best
    cdef double[::1] scores = best_scores
    cdef double[::1] coverage = shares
    if terms == 0:
        return best[:0], best_scores[:0], shares[:0]
    with nogil:
        found = qt_ranking_accumulate(&ids[0] if entries else NULL, &impacts[0] if entries else NULL, entries, &starts[0], &ends[0],
                                      &weights[0], terms, documents, limit, &allow[0] if allow is not None and allow.shape[0] else NULL,
                                      &out[0], &scores[0], &coverage[0])
    if found == QT_RANKING_MEMORY:
        raise MemoryError(f"no memory for {terms} postings and the best {limit}")
    if found < 0:
        raise ValueError(f"a posting leaves the {entries} ids, does not ascend, or names a document at or above {documents}")
    return best[:found], best_scores[:found], shares[:found]
