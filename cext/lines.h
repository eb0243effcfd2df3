/* Line numbers of byte offsets: see lines.c. */
#ifndef QUATRAIN_LINES_H
#define QUATRAIN_LINES_H

#include <stddef.h>
#include <stdint.h>

/* out[i] is the 1-based line of byte offsets[i] of file files[i].  newlines[newline_offsets[f] .. newline_offsets[f + 1]) are the
 * ascending byte offsets of the newlines of file f.  0, or -1 when a file or a newline offset is out of range. */
int qt_lines_number(const uint32_t *newlines, size_t newline_count, const uint64_t *newline_offsets, size_t file_count,
                    const int64_t *files, const uint64_t *offsets, size_t count, int64_t *out);

/* Copies spans of `content` one after the other, each followed by a newline.  `out` holds their sizes and one byte for each span.
 * 0, or -1 when a span does not lie within the content. */
int qt_lines_gather(const uint8_t *content, size_t size, const uint64_t *starts, const uint64_t *ends, size_t count, uint8_t *out);

#endif
