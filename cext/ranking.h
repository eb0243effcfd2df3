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

/* Adds up weights[t] * impacts[i] per document over the postings ids[starts[t], ends[t]), each ascending, and keeps the best `limit` among
 * those that `allow` (NULL = all) has a bit for.  `coverage` is the share of all weight whose term the document has.  Returns how many
 * there are; QT_RANKING_ID when a posting leaves the `entries` ids, descends or names a document at or above `documents`;
 * QT_RANKING_MEMORY. */
int64_t qt_ranking_accumulate(const uint32_t *ids, const float *impacts, size_t entries, const int64_t *starts, const int64_t *ends,
                              const float *weights, size_t terms, size_t documents, size_t limit, const uint64_t *allow,
                              int64_t *best, double *scores, double *coverage);

#endif
