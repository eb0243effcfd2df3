/* libFuzzer harness: hostile bytes as postings.  No byte outside may be touched, and answers ascend or are refused.  All levels evaluate a
 * program alike.  They may differ in what they intersect of an array that does not ascend: a full check would cost a pass over it.
 * Input: one byte of how many postings, four bytes of a program, two bytes of length for each posting, the rest is their bytes. */
#include "roaring.h"

#include <stdlib.h>

#define MOST 5

static void same(int64_t first, const uint32_t *one, int64_t second, const uint32_t *two)
{
    if (first != second) abort();
    for (int64_t i = 0; i < first; i++) {
        if (one[i] != two[i]) abort();
        if (i && one[i - 1] >= one[i]) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5 + 2 * MOST) return 0;
    size_t count = 1 + data[0] % MOST, length = 0;
    const uint8_t *steps = data + 1, *sizes = data + 5;
    size_t blob_size = size - 5 - 2 * MOST;
    uint8_t *blob = malloc(blob_size ? blob_size : 1); /* exactly as long as it says, so that the sanitizer sees one byte too far */
    memcpy(blob, data + 5 + 2 * MOST, blob_size);
    uint64_t offsets[MOST + 1] = {0};
    int64_t chosen[MOST];
    for (size_t i = 0; i < count; i++) {
        uint64_t at = offsets[i] + qt_load16(sizes + 2 * i);
        /* The last posting is cut at the end of the blob most of the time, and now and then claims more. */
        offsets[i + 1] = at > blob_size && (steps[3] & 7) ? blob_size : at;
        chosen[i] = (int64_t)i;
    }
    if ((steps[3] & 0x70) == 0x70) chosen[count - 1] = (int64_t)count - (steps[2] & 1 ? 0 : 5); /* none of them, now and then */
    const qt_postings postings = {blob, blob_size, offsets, count, chosen, count};
    int32_t program[2 * MOST + 2];
    program[length++] = 0;
    for (size_t i = 1; i < count; i++) {
        program[length++] = (steps[0] >> i & 1) ? -3 : (int32_t)i;
        program[length++] = (steps[1] >> i & 1) ? -1 : -2;
    }
    uint64_t universe = (uint64_t)(1 + steps[2]) * 1031;
    int64_t evaluated = 0;
    uint32_t *values = NULL;
    for (int level = 0; level < QT_LEVELS; level++) {
        if (!qt_cpu_has(level)) continue;
        uint32_t *others = NULL;
        int64_t found = qt_roaring_intersect(level, &postings, 1 + steps[3] % 8, &others);
        if (found >= 0) {
            same(found, others, found, others);
            free(others);
        }
        others = NULL;
        found = qt_roaring_evaluate(level, &postings, program, length, universe, &others);
        if (level == QT_LEVEL_PORTABLE) {
            evaluated = found;
            values = others;
            same(found, values, found, values);
        } else {
            same(evaluated, values, found, others);
            if (found >= 0) free(others);
        }
    }
    if (evaluated >= 0) free(values);
    free(blob);
    return 0;
}
