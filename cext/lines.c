/* Line numbers of byte offsets, and lines put together.
 *
 * Cost: hits of one file in ascending order cost a galloping search from the one before; any other order a binary search each.
 * Invariants: a newline belongs to the line it ends. */
#include "lines.h"

#include <string.h>

/* First position in [low, high) whose newline is at or behind `offset`, else high. */
static size_t first_at(const uint32_t *newlines, size_t low, size_t high, uint64_t offset)
{
    size_t step = 1, probe = low;
    while (probe < high && newlines[probe] < offset) {
        low = probe + 1;
        probe += step;
        step *= 2;
    }
    if (probe < high) high = probe;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (newlines[middle] < offset) low = middle + 1;
        else high = middle;
    }
    return low;
}

int qt_lines_place(const qt_files *f, const int64_t *files, const uint64_t *starts, size_t document_count, const int64_t *documents,
                   const uint64_t *offsets, size_t count, int64_t *match_files, int64_t *match_lines, int64_t *match_offsets)
{
    int64_t file = -1;
    uint64_t before = 0;
    size_t base = 0, end = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        if ((uint64_t)documents[i] >= document_count) return -1;
        int64_t owner = files[documents[i]];
        if ((uint64_t)owner >= f->file_count || starts[documents[i]] < f->file_offsets[owner]) return -1;
        uint64_t offset = starts[documents[i]] - f->file_offsets[owner] + offsets[i];
        if (owner != file) {
            file = owner;
            base = at = (size_t)f->newline_offsets[file];
            end = (size_t)f->newline_offsets[file + 1];
            if (base > end || end > f->newline_count) return -1;
        } else if (offset < before) {
            at = base;
        }
        before = offset;
        at = first_at(f->newlines, at, end, before);
        match_files[i] = file;
        match_lines[i] = (int64_t)(at - base) + 1;
        match_offsets[i] = (int64_t)offset;
    }
    return 0;
}

int qt_lines_gather(const uint8_t *content, size_t size, const uint64_t *starts, const uint64_t *ends, size_t count, uint8_t *out)
{
    for (size_t i = 0; i < count; i++) {
        if (starts[i] > ends[i] || ends[i] > size) return -1;
        size_t length = (size_t)(ends[i] - starts[i]);
        if (length) memcpy(out, content + starts[i], length);
        out[length] = '\n';
        out += length + 1;
    }
    return 0;
}
