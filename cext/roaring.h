#ifndef QUATRAIN_ROARING_H
#define QUATRAIN_ROARING_H

#include "cpu.h"

/* Results below zero. */
enum { QT_ROARING_MALFORMED = -1, QT_ROARING_PROGRAM = -2, QT_ROARING_MEMORY = -3 };

/* Postings of a query: number i is the portable-format bitmap in blob[offsets[at], offsets[at + 1]) with at = chosen[i], below `known`. */
typedef struct {
    const uint8_t *blob;
    size_t size;
    const uint64_t *offsets; /* known + 1 */
    size_t known;
    const int64_t *chosen;
    size_t count;
} qt_postings;

/* Looks wanted[0, count) up in keys[0, key_count), ascending, and writes the positions of the `most` whose postings have the fewest bytes
 * offsets[i + 1] - offsets[i], those first, into chosen, which holds min(count, most) values.  Returns how many: all of those, or 0 when a
 * key is absent; or QT_ROARING_MEMORY. */
int64_t qt_roaring_locate(const uint32_t *keys, const uint64_t *offsets, size_t key_count, const uint32_t *wanted, size_t count,
                          size_t most, int64_t *chosen);

/* Both functions return how many ids, ascending, they left in *out, which the caller frees with qt_roaring_free; or one of the negative
 * results above, and *out is untouched. */

/* Ids in every one of the `most` rarest postings (p->count, most >= 1). */
int64_t qt_roaring_intersect(int level, const qt_postings *p, size_t most, uint32_t **out);

/* Evaluates a postfix program: n >= 0 pushes posting n, -1 ANDs and -2 ORs the top two, -3 pushes every id below `universe`.  Exactly one
 * set must remain.  Only ids below `universe` exist: a posting's id at or above it counts as malformed when it reaches the answer's last
 * block, and is not seen when it lies in a later one. */
int64_t qt_roaring_evaluate(int level, const qt_postings *p, const int32_t *program, size_t length, uint64_t universe, uint32_t **out);
void qt_roaring_free(void *array);

#endif
