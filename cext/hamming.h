#ifndef QUATRAIN_HAMMING_H
#define QUATRAIN_HAMMING_H

#include "cpu.h"

/* Best `k` rows of codes[first, last) for each query: `ids` (-1 = none) and `distances` (-1 = none) are queries x k, nearest first, equal
 * distances by lower id.  `width` is in bytes, a multiple of 8; `allow` (may be NULL) has bit `id` set for the rows that may be returned and
 * holds at least `last` bits, padded to whole words.  Returns 0, or -1 when memory ran out. */
int qt_hamming_topk(int level, const uint8_t *codes, size_t width, size_t first, size_t last, const uint8_t *queries, size_t query_count,
                    size_t k, const uint64_t *allow, int64_t *ids, int32_t *distances);

/* Joins the answers of `parts` consecutive row ranges (each query_count x k, as above) into one of the same shape. */
void qt_hamming_merge(const int64_t *part_ids, const int32_t *part_distances, size_t parts, size_t query_count, size_t k, int64_t *ids,
                      int32_t *distances);

/* Dot product of a float query (width * 8 values) with the +1/-1 signs of `row_count` chosen rows.  `scratch` holds width * 8 floats.
 * Every level adds in the same order, so results are equal to the last bit on every machine. */
void qt_hamming_asymmetric(int level, const uint8_t *codes, size_t width, const int64_t *rows, size_t row_count, const float *query,
                           float *scratch, float *scores);

#endif
