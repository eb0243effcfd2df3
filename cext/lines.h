/* Line numbers of byte offsets: see lines.c. */
#ifndef QUATRAIN_LINES_H
#define QUATRAIN_LINES_H

#include <stddef.h>
#include <stdint.h>

/* Files of an index: contents begin at file_offsets[f], and newlines[newline_offsets[f] .. newline_offsets[f + 1]) are the ascending byte
 * offsets of the newlines of file f, counted from its beginning. */
typedef struct {
    const uint32_t *newlines;
    size_t newline_count;
    const uint64_t *newline_offsets, *file_offsets; /* file_count + 1 */
    size_t file_count;
} qt_files;

/* Match i begins at byte offsets[i] of document documents[i] < document_count; document d begins at byte starts[d] of the content, in
 * file files[d].  Writes the file of each match, its 1-based line and its byte offset within the file.  0, or -1 when a document, a file
 * or a newline offset is out of range, or a document begins before its file. */
int qt_lines_place(const qt_files *f, const int64_t *files, const uint64_t *starts, size_t document_count, const int64_t *documents,
                   const uint64_t *offsets, size_t count, int64_t *match_files, int64_t *match_lines, int64_t *match_offsets);

/* Copies spans of `content` one after the other, each followed by a newline.  `out` holds their sizes and one byte for each span.
 * 0, or -1 when a span does not lie within the content. */
int qt_lines_gather(const uint8_t *content, size_t size, const uint64_t *starts, const uint64_t *ends, size_t count, uint8_t *out);

#endif
