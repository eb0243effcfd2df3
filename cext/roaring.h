#ifndef QUATRAIN_ROARING_H
#define QUATRAIN_ROARING_H

#include "cpu.h"

/* Results below zero. */
enum { QT_ROARING_MALFORMED = -1, QT_ROARING_PROGRAM = -2, QT_ROARING_MEMORY = -3 };

/* Looks wanted[0, count) up in keys[0, key_count), ascending, and writes the byte ranges offsets[i], offsets[i + 1] of the `most` smallest,
 * smallest first, into starts and ends, which hold min(count, most) values.  Returns how many ranges: all of those, or 0 when a key is
 * absent; or QT_ROARING_MEMORY. */
int64_t qt_roaring_locate(const uint32_t *keys, const uint64_t *offsets, size_t key_count, const uint32_t *wanted, size_t count,
                          size_t most, uint64_t *starts, uint64_t *ends);

/* Posting n is the portable-format bitmap in blob[starts[n], ends[n]).  Both functions return how many ids, ascending, they left in *out,
 * which the caller frees with qt_roaring_free; or one of the negative results above, and *out is untouched. */

/* Ids in every one of the `most` rarest of `count` postings (count, most >= 1). */
int64_t qt_roaring_intersect(int level, const uint8_t *blob, size_t size, const uint64_t *starts, const uint64_t *ends, size_t count,
                             size_t most, uint32_t **out);

/* Evaluates a postfix program: n >= 0 pushes posting n, -1 ANDs and -2 ORs the top two, -3 pushes every id below `universe`.  Exactly one
 * set must remain.  Only ids below `universe` exist: a posting's id at or above it counts as malformed when it reaches the answer's last
 * block, and is not seen when it lies in a later one. */
int64_t qt_roaring_evaluate(int level, const uint8_t *blob, size_t size, const uint64_t *starts, const uint64_t *ends, size_t count,
                            const int32_t *program, size_t length, uint64_t universe, uint32_t **out);
void qt_roaring_free(void *array);

#endif
