#ifndef QUATRAIN_RANKING_H
#define QUATRAIN_RANKING_H

#include "cpu.h"

enum { QT_RANKING_ID = -1, QT_RANKING_MEMORY = -2 };

/* A fusion under way: room for `capacity` list entries in all.  NULL when memory ran out. */
typedef struct qt_fusion qt_fusion;
qt_fusion *qt_fusion_new(size_t capacity);
void qt_fusion_free(qt_fusion *fusion);

/* Adds weight / (k + rank + 1) for every id of one list, rank from 0.  Returns 0, or QT_RANKING_ID on a negative id. */
int qt_fusion_add(qt_fusion *fusion, const int64_t *ids, size_t count, double weight, double k);

/* The best `limit` by score: the sum times min(1 + 0.3 ln(1 + centrality[id]), 1.5), halved where demoted[id] is not 0.  Either array may be
 * NULL.  Returns how many there are, or QT_RANKING_ID when an id lies outside one of the arrays. */
int64_t qt_fusion_top(qt_fusion *fusion, const float *centrality, size_t centrality_count, const uint8_t *demoted, size_t demoted_count,
                      size_t limit, int64_t *ids, double *scores);

/* Adds up weights[t] * impacts[i] per document, in floats, over the postings ids[starts[t], ends[t]), each ascending, and keeps the best
 * `limit` with a positive sum among those that `allow` (NULL = all) has a bit for.  `coverage` adds up shares[t] over the terms that the
 * document has.  Returns how many there are; QT_RANKING_ID when a posting leaves the `entries` ids, descends or names a document at or
 * above `documents`, or a weight is negative; QT_RANKING_MEMORY. */
int64_t qt_ranking_accumulate(const uint32_t *ids, const float *impacts, size_t entries, const int64_t *starts, const int64_t *ends,
                              const float *weights, const double *shares, size_t terms, size_t documents, size_t limit,
                              const uint64_t *allow, int64_t *best, double *scores, double *coverage);

/* Scores `names` names by the words they share with a question.  The first `joined` postings are of joined forms, and a name in one of them is
 * `whole`; the others are of sub-words and weigh idf[t - joined], best rarest first.  With m the summed idf of the words a name has, its score is
 * (m / question x sqrt(min(m / mass, 1)) + whole, if it is) x class_weights[classes[name]]; a class that weighs nothing is left out.
 * Returns how many names reach the `limit`-th best score, ascending, in arrays that the caller frees; or an error as above. */
int64_t qt_ranking_names(const uint32_t *ids, size_t entries, const int64_t *starts, const int64_t *ends, const double *idf, size_t joined,
                         size_t terms, double question, const float *mass, const uint8_t *classes, const double *class_weights,
                         size_t names, double whole, size_t limit, int64_t **found_ids, double **found_scores);
void qt_ranking_free(void *memory);

/* Walks one step along weighted links: seed t hands mass[t] x weight to every node of its row ids[starts[t], ends[t]), ascending.  What
 * reaches a node is divided by sqrt(resistance), then by the most that reached any.  values[i] is that of wanted[i]; wanted ascends. */
int qt_ranking_spread(const uint32_t *ids, const float *weights, size_t entries, const int64_t *starts, const int64_t *ends,
                      const double *mass, size_t seeds, const float *resistance, size_t nodes, const int64_t *wanted, size_t wanted_count,
                      double *values);

/* sums[i] = sum of values[k] over the entries of row rows[i] that are keys[k]; keys ascend. */
int qt_ranking_row_sums(const uint32_t *indptr, size_t row_count, const uint32_t *indices, size_t entries, const int64_t *rows,
                        size_t count, const uint32_t *keys, const double *values, size_t key_count, double *sums);

/* One ranked list of chunks, best first, no chunk twice. */
typedef struct {
    const int64_t *chunks;
    const double *strengths;
    size_t count;
    double weight;
} qt_pool_list;

/* Everything that some lists name.  Each array has room for as many values as the lists have entries; of the last three every list has a
 * row, `stride` after the one before it. */
typedef struct {
    size_t stride;
    int64_t *chunks;      /* ascending */
    int64_t *file_of;     /* chunk -> position of its file */
    double *shares;       /* chunk -> sum of weight / (k + rank + 1) */
    int64_t *files;       /* ascending */
    int64_t *starts;      /* file -> position of its first chunk */
    int64_t *best;        /* file -> position of the chunk with the largest share, the first of equals */
    double *scores;       /* file -> sum of weight / (k + place + 1) */
    int64_t *places;      /* list, chunk -> rank in the list, or -1 */
    int64_t *file_places; /* list, file -> rank by value, then file; or -1 */
    double *values;       /* list, file -> its first `depth` strengths in the list, weighted by `decay`; or 0 */
    size_t chunk_count, file_count;
} qt_pool;

/* `owners` is the file of each chunk and ascends.  Returns 0, QT_RANKING_ID when a list names a chunk twice or one that has no owner, or
 * QT_RANKING_MEMORY. */
int64_t qt_ranking_pool(const qt_pool_list *lists, size_t list_count, double k, const uint32_t *owners, size_t owner_count,
                        const double *decay, size_t depth, qt_pool *pool);

#endif
