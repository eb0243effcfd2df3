/* libFuzzer harness: any needle in any documents, all of them or some in any order.  Every level must find what a byte-by-byte search finds, within the blob.
 * Input: needle length, flags, limit, three document sizes of two bytes, the needle, the content. */
#include "literal.h"

#include <stdlib.h>

#define DOCUMENTS 3
#define HEADER (3 + 2 * DOCUMENTS)

static uint8_t fold(uint8_t byte, int ignore_case) { return ignore_case && byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER + 1) return 0;
    size_t length = 1 + data[0] % 80, most = (data[1] & 2) ? data[2] : SIZE_MAX;
    int ignore_case = data[1] & 1, once_a_line = data[2] & 0x80;
    if (size < HEADER + length) return 0;
    uint8_t *needle = malloc(length);
    memcpy(needle, data + HEADER, length);
    size_t content_size = size - HEADER - length;
    uint8_t *content = malloc(content_size ? content_size : 1);
    memcpy(content, data + HEADER + length, content_size);
    uint64_t starts[DOCUMENTS], ends[DOCUMENTS], at = 0;
    for (size_t d = 0; d < DOCUMENTS; d++) {
        starts[d] = at;
        at += qt_load16(data + 3 + 2 * d);
        if (d == DOCUMENTS - 1 || at > content_size) at = content_size;
        ends[d] = at;
    }
    if ((data[1] & 12) == 12) ends[1] = content_size + (data[1] >> 4); /* now and then outside, or overlapping */
    uint32_t chosen[DOCUMENTS] = {0, 1, 2};
    size_t asked = DOCUMENTS;
    int some = data[2] & 0x40, bad = 0;
    if (some)
        for (asked = 0; asked < (data[0] & 3u); asked++) chosen[asked] = data[HEADER + asked % length] & 3; /* 3 is none of them */
    for (size_t i = 0; i < asked; i++) bad |= chosen[i] == DOCUMENTS || (chosen[i] == 1 && (ends[1] > content_size || starts[1] > ends[1]));
    for (int level = 0; level < QT_LEVELS; level++) {
        if (!qt_cpu_has(level)) continue;
        int64_t *documents = NULL;
        uint64_t *offsets = NULL;
        int64_t found = qt_literal_find(level, content, content_size, starts, ends, DOCUMENTS, some ? chosen : NULL, asked,
                                        needle, length, ignore_case, once_a_line, most, &documents, &offsets);
        if (found < 0) {
            if (found != QT_LITERAL_SPAN || !bad) abort();
            continue;
        }
        size_t count = 0;
        for (size_t j = 0; j < asked && count < most; j++) {
            size_t d = chosen[j];
            for (uint64_t p = starts[d]; p + length <= ends[d] && count < most;) {
                size_t i = 0;
                while (i < length && fold(content[p + i], ignore_case) == fold(needle[i], ignore_case)) i++;
                if (i < length) {
                    p++;
                    continue;
                }
                if (count >= (size_t)found || documents[count] != (int64_t)d || offsets[count] != p - starts[d]) abort();
                count++;
                p += length;
                while (once_a_line && p < ends[d] && content[p] != '\n') p++;
                p += once_a_line != 0;
            }
        }
        if (count != (size_t)found) abort();
        qt_literal_free(documents);
        qt_literal_free(offsets);
    }
    free(content);
    free(needle);
    return 0;
}
