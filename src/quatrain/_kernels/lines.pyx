"""Line numbers of byte offsets and the text of lines, for many hits in one call."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t


cdef extern from "lines.h" nogil:
    int qt_lines_number(const uint32_t *newlines, size_t newline_count, const uint64_t *newline_offsets, size_t file_count,
                        const int64_t *files, const uint64_t *offsets, size_t count, int64_t *out)
    int qt_lines_gather(const uint8_t *content, size_t size, const uint64_t *starts, const uint64_t *ends, size_t count,
                        uint8_t *out)


def number(const uint32_t[::1] newlines not None, const uint64_t[::1] newline_offsets not None, const int64_t[::1] files not None,
           const uint64_t[::1] offsets not None):
    cdef size_t count = files.shape[0], newline_count = newlines.shape[0]
    cdef int status = 0
    if offsets.shape[0] != files.shape[0] or newline_offsets.shape[0] < 1:
        raise ValueError(f"files {count} and offsets {offsets.shape[0]} must be equally many; newline_offsets has "
                         f"{newline_offsets.shape[0]} values, n files need n + 1")
    result = np.empty(count, np.int64)
    cdef int64_t[::1] out = result
    if count:
        with nogil:
            status = qt_lines_number(&newlines[0] if newline_count else NULL, newline_count, &newline_offsets[0],
                                     newline_offsets.shape[0] - 1, &files[0], &offsets[0], count, &out[0])
    if status:
        raise ValueError(f"a file id is outside the {newline_offsets.shape[0] - 1} files, or newline_offsets leave the newlines")
    return result


def gather(const uint8_t[::1] content not None, const uint64_t[::1] starts not None, const uint64_t[::1] ends not None):
    cdef size_t count = starts.shape[0], size = content.shape[0]
    cdef uint64_t total = count
    cdef int status = 0
    if ends.shape[0] != starts.shape[0]:
        raise ValueError(f"starts ({count}) and ends ({ends.shape[0]}) must be equally many")
    if count and (np.max(ends) > size or np.any(np.asarray(starts) > np.asarray(ends))):
        raise ValueError(f"a span does not lie within the {size} bytes of content")
    if count:
        total += int((np.asarray(ends) - np.asarray(starts)).sum())
    result = np.empty(total, np.uint8)
    cdef uint8_t[::1] out = result
    if count:
        with nogil:
            status = qt_lines_gather(&content[0] if size else NULL, size, &starts[0], &ends[0], count, &out[0])
    if status:
        raise ValueError(f"a span does not lie within the {size} bytes of content")
    return result
