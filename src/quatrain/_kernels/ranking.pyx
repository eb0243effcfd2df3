"""Weighted reciprocal-rank fusion, accumulation of postings, and the sums per file that the evidence step needs."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy


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
                                  const float *weights, const double *shares, size_t terms, size_t documents, size_t limit,
                                  const uint64_t *allow, int64_t *best, double *scores, double *coverage)
    int64_t qt_ranking_names(const uint32_t *ids, size_t entries, const int64_t *starts, const int64_t *ends, const double *idf, size_t joined,
                             size_t terms, double question, const float *mass, const uint8_t *classes, const double *class_weights,
                             size_t names, double whole, size_t limit, int64_t **found_ids, double **found_scores)
    void qt_ranking_free(void *memory)
    int qt_ranking_spread(const uint32_t *ids, const float *weights, size_t entries, const int64_t *starts, const int64_t *ends,
                          const double *mass, size_t seeds, const float *resistance, size_t nodes, const int64_t *wanted,
                          size_t wanted_count, double *values)
    int qt_ranking_row_sums(const uint32_t *indptr, size_t row_count, const uint32_t *indices, size_t entries, const int64_t *rows,
                            size_t count, const uint32_t *keys, const double *values, size_t key_count, double *sums)
    ctypedef struct qt_pool_list:
        const int64_t *chunks
        const double *strengths
        size_t count
        double weight
    ctypedef struct qt_pool:
        size_t stride
        int64_t *chunks
        int64_t *file_of
        double *shares
        int64_t *files
        int64_t *starts
        int64_t *best
        double *scores
        int64_t *places
        int64_t *file_places
        double *values
        size_t chunk_count
        size_t file_count
    int64_t qt_ranking_pool(const qt_pool_list *lists, size_t list_count, double k, const uint32_t *owners, size_t owner_count,
                            const double *decay, size_t depth, qt_pool *pool)


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
               const int64_t[::1] ends not None, const float[::1] weights not None, const double[::1] shares not None,
               Py_ssize_t documents, Py_ssize_t limit, const uint64_t[::1] allow=None):
    """Add up weighted impacts per document; documented at `reference.accumulate`.  The GIL is released."""
    cdef size_t terms = starts.shape[0], entries = ids.shape[0]
    cdef int64_t found
    if (impacts.shape[0] != <Py_ssize_t>entries or ends.shape[0] != <Py_ssize_t>terms or weights.shape[0] != <Py_ssize_t>terms
            or shares.shape[0] != <Py_ssize_t>terms):
        raise ValueError(f"ids {entries} and impacts {impacts.shape[0]}, starts {terms}, ends {ends.shape[0]}, weights "
                         f"{weights.shape[0]} and shares {shares.shape[0]} must be equally many")
    if documents < 0 or documents > 1 << 32 or limit < 0 or (allow is not None and allow.shape[0] * 64 < documents):
        raise ValueError(f"documents={documents}, limit={limit}, allow of {0 if allow is None else allow.shape[0]} words")
    limit = min(limit, documents)
    best, best_scores, covered = np.empty(limit + 1, np.int64), np.empty(limit + 1), np.empty(limit + 1)
    cdef int64_t[::1] out = best
    cdef double[::1] scores = best_scores
    cdef double[::1] coverage = covered
    if terms == 0:
        return best[:0], best_scores[:0], covered[:0]
    with nogil:
        found = qt_ranking_accumulate(&ids[0] if entries else NULL, &impacts[0] if entries else NULL, entries, &starts[0], &ends[0],
                                      &weights[0], &shares[0], terms, documents, limit, &allow[0] if allow is not None and allow.shape[0] else NULL,
                                      &out[0], &scores[0], &coverage[0])
    if found == QT_RANKING_MEMORY:
        raise MemoryError(f"no memory for {terms} postings and the best {limit}")
    if found < 0:
        raise ValueError(f"a posting leaves the {entries} ids, does not ascend, or names a document at or above {documents}, or "
                         "a weight is negative")
    return best[:found], best_scores[:found], covered[:found]


def names(const uint32_t[::1] ids not None, const int64_t[::1] starts not None, const int64_t[::1] ends not None,
          const double[::1] idf not None, double question, const float[::1] mass not None, const uint8_t[::1] classes not None,
          const double[::1] class_weights not None, double whole, Py_ssize_t limit):
    """Score names by the words they share with a question; documented at `reference.names`.  The GIL is released."""
    cdef size_t entries = ids.shape[0], terms = starts.shape[0], words = idf.shape[0], count = mass.shape[0]
    cdef int64_t found
    cdef int64_t *found_ids = NULL
    cdef double *found_scores = NULL
    if ends.shape[0] != <Py_ssize_t>terms or words > terms or classes.shape[0] != <Py_ssize_t>count or class_weights.shape[0] != 256:
        raise ValueError(f"{terms} starts, {ends.shape[0]} ends, {words} idf; {count} masses, {classes.shape[0]} classes, "
                         f"{class_weights.shape[0]} class weights (256)")
    if not question > 0 or limit < 0:
        raise ValueError(f"question={question} must be above 0, limit={limit} at least 0")
    if terms == 0 or entries == 0:
        return np.empty(0, np.int64), np.empty(0, np.float64)
    with nogil:
        found = qt_ranking_names(&ids[0], entries, &starts[0], &ends[0], &idf[0] if words else NULL, terms - words, terms, question,
                                 &mass[0] if count else NULL, &classes[0] if count else NULL, &class_weights[0], count, whole, limit,
                                 &found_ids, &found_scores)
    if found == QT_RANKING_MEMORY:
        raise MemoryError(f"no memory for the names that share {terms} words")
    if found < 0:
        raise ValueError(f"a posting leaves the {entries} ids, does not ascend, or names one of at most {count} names")
    result, scores = np.empty(found, np.int64), np.empty(found, np.float64)
    cdef int64_t[::1] out = result
    cdef double[::1] score_out = scores
    if found:
        memcpy(&out[0], found_ids, found * 8)
        memcpy(&score_out[0], found_scores, found * 8)
        qt_ranking_free(found_ids)
        qt_ranking_free(found_scores)
    return result, scores


def spread(const uint32_t[::1] ids not None, const float[::1] weights not None, const int64_t[::1] starts not None,
           const int64_t[::1] ends not None, const double[::1] mass not None, const float[::1] resistance not None,
           const int64_t[::1] wanted not None):
    """Walk one step along weighted links; documented at `reference.spread`.  The GIL is released."""
    cdef size_t entries = ids.shape[0], seeds = starts.shape[0], count = wanted.shape[0], nodes = resistance.shape[0]
    cdef int status = 0
    if weights.shape[0] != <Py_ssize_t>entries or ends.shape[0] != <Py_ssize_t>seeds or mass.shape[0] != <Py_ssize_t>seeds:
        raise ValueError(f"ids {entries} and weights {weights.shape[0]}, starts {seeds}, ends {ends.shape[0]} and mass {mass.shape[0]} "
                         "must be equally many")
    result = np.zeros(count, np.float64)
    cdef double[::1] out = result
    if seeds and entries and count:
        with nogil:
            status = qt_ranking_spread(&ids[0], &weights[0], entries, &starts[0], &ends[0], &mass[0], seeds,
                                       &resistance[0] if nodes else NULL, nodes, &wanted[0], count, &out[0])
    if status == QT_RANKING_MEMORY:
        raise MemoryError(f"no memory for {seeds} seeds")
    if status < 0:
        raise ValueError(f"a row leaves the {entries} links, does not ascend, or names a node at or above {nodes}")
    return result


def row_sums(const uint32_t[::1] indptr not None, const uint32_t[::1] indices not None, const int64_t[::1] rows not None,
             const uint32_t[::1] keys not None, const double[::1] values not None):
    """Add up values over rows of a compressed sparse matrix; documented at `reference.row_sums`."""
    cdef size_t count = rows.shape[0], key_count = keys.shape[0], entries = indices.shape[0]
    cdef int status = 0
    if values.shape[0] != <Py_ssize_t>key_count or indptr.shape[0] < 1:
        raise ValueError(f"{key_count} keys need as many values (got {values.shape[0]}); indptr has {indptr.shape[0]} values, at least 1")
    result = np.zeros(count, np.float64)
    cdef double[::1] out = result
    if count and key_count:
        status = qt_ranking_row_sums(&indptr[0], indptr.shape[0] - 1, &indices[0] if entries else NULL, entries, &rows[0], count,
                                     &keys[0], &values[0], key_count, &out[0])
    if status:
        raise ValueError(f"a row is outside the {indptr.shape[0] - 1} rows or leaves the {entries} entries")
    return result


def pool(chunks not None, strengths not None, weights not None, double k, const uint32_t[::1] owners not None,
         const double[::1] decay not None):
    """Bring together what ranked lists name; documented at `reference.pool`."""
    cdef size_t count = len(chunks), total = 0, i
    cdef int64_t status
    cdef const int64_t[::1] ids
    cdef const double[::1] values
    cdef qt_pool out
    if len(strengths) != <Py_ssize_t>count or len(weights) != <Py_ssize_t>count or not k > -1:
        raise ValueError(f"{count} lists need as many strengths ({len(strengths)}) and weights ({len(weights)}); k={k} above -1")
    for each in chunks:
        total += len(each)
    if total >= 1 << 31:
        raise ValueError(f"{total} list entries; at most 2**31 - 1")
    # Rows: chunks, file_of, files, starts, best, then places and file_places of each list; shares, scores, then values of each list.
    whole, real = np.empty((5 + 2 * count, total + 1), np.int64), np.empty((2 + count, total + 1), np.float64)
    cdef int64_t[:, ::1] w = whole
    cdef double[:, ::1] r = real
    cdef qt_pool_list *lists = <qt_pool_list *> malloc((count + 1) * sizeof(qt_pool_list))
    if lists == NULL:
        raise MemoryError(f"no memory for {count} lists")
    try:
        for i, (each, strength, weight) in enumerate(zip(chunks, strengths, weights)):
            ids, values = each, strength
            if values.shape[0] != ids.shape[0]:
                raise ValueError(f"list {i} has {ids.shape[0]} chunks and {values.shape[0]} strengths")
            # The caller's sequences keep the buffers alive after these views are gone.
            lists[i].chunks = &ids[0] if ids.shape[0] else NULL
            lists[i].strengths = &values[0] if ids.shape[0] else NULL
            lists[i].count, lists[i].weight = ids.shape[0], weight
        out.stride = total + 1
        out.chunks, out.file_of, out.files, out.starts, out.best = &w[0, 0], &w[1, 0], &w[2, 0], &w[3, 0], &w[4, 0]
        out.shares, out.scores = &r[0, 0], &r[1, 0]
        out.places, out.file_places, out.values = &w[5, 0], &w[5 + count, 0], &r[2, 0]
        status = qt_ranking_pool(lists, count, k, &owners[0] if owners.shape[0] else NULL, owners.shape[0],
                                 &decay[0] if decay.shape[0] else NULL, decay.shape[0], &out)
    finally:
        free(lists)
    if status == QT_RANKING_MEMORY:
        raise MemoryError(f"no memory for {total} list entries")
    if status < 0:
        raise ValueError(f"a list names a chunk twice, or one outside the {owners.shape[0]} chunks")
    c, f = out.chunk_count, out.file_count
    return (whole[0, :c], real[0, :c], whole[5 : 5 + count, :c], whole[2, :f], whole[3, :f], whole[4, :f], real[1, :f],
            whole[5 + count :, :f], real[2:, :f])
