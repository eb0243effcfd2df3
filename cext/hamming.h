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

enum {
    QT_PAIR_TILE = 64,     /* rows that are compared with all later ones in one call */
    QT_PAIR_BLOCK = 4096,  /* rows they meet at a time */
    QT_PAIR_ROOM = QT_PAIR_TILE * QT_PAIR_BLOCK
};

/* Pairs i < j of rows at most `distance` apart, i in [first, first + QT_PAIR_TILE), j in [*next, rows), both in `allow` (may be NULL):
 * pairs[3 n ...] = i, j, distance, in no promised order.  `first` and `*next` are multiples of QT_PAIR_TILE.  Writes at most `capacity`
 * pairs, no less than QT_PAIR_ROOM, and stops before a block of rows that might not fit: *next is where to go on, `rows` when all is done.
 * Returns the number of pairs, or -1 when memory ran out. */
int64_t qt_hamming_pairs(int level, const uint8_t *codes, size_t width, size_t rows, size_t first, size_t *next, uint32_t distance,
                         const uint64_t *allow, uint32_t *pairs, size_t capacity);

/* Dot product of a float query (width * 8 values) with the +1/-1 signs of `row_count` chosen rows.  `scratch` holds width * 8 floats.
 * Every level adds in the same order, so results are equal to the last bit on every machine. */
void qt_hamming_asymmetric(int level, const uint8_t *codes, size_t width, const int64_t *rows, size_t row_count, const float *query,
                           float *scratch, float *scores);

#endif
