#ifndef QUATRAIN_LITERAL_H
#define QUATRAIN_LITERAL_H

#include "cpu.h"

enum { QT_LITERAL_SPAN = -1, QT_LITERAL_MEMORY = -2 };

/* Finds needle[0, length), length >= 1, in the documents content[starts[d], ends[d]), d = chosen[0, chosen_count), or every d < documents when
 * `chosen` is NULL: non-overlapping matches from the left, at most `most` of them in all.  `ignore_case` makes the 26 ASCII letters equal to their other case.  `once_a_line` goes on behind the line
 * in which a match ends.  Returns the number of matches, whose documents and byte offsets within the document go to two arrays that the
 * caller frees with qt_literal_free; or QT_LITERAL_SPAN when a document is not below
 * `documents` or does not lie within content[0, size). */
int64_t qt_literal_find(int level, const uint8_t *content, size_t size, const uint64_t *starts, const uint64_t *ends, size_t documents,
                        const uint32_t *chosen, size_t chosen_count, const uint8_t *needle, size_t length, int ignore_case, int once_a_line, size_t most,
                        int64_t **match_documents, uint64_t **match_offsets);
void qt_literal_free(void *array);

#endif
