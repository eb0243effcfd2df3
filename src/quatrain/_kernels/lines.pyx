"""Line numbers of matches and the text of lines, for many in one call."""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t


cdef extern from "lines.h" nogil:
    ctypedef struct qt_files:
        const uint32_t *newlines
        size_t newline_count
        const uint64_t *newline_offsets
        const uint64_t *file_offsets
        size_t file_count
    int qt_lines_place(const qt_files *f, const int64_t *files, const uint64_t *starts, size_t document_count, const int64_t *documents,
                       const uint64_t *offsets, size_t count, int64_t *match_files, int64_t *match_lines, int64_t *match_offsets)
    int qt_lines_gather(const uint8_t *content, size_t size, const uint64_t *starts, const uint64_t *ends, size_t count,
                        uint8_t *out)


def place(const uint32_t[::1] newlines not None, const uint64_t[::1] newline_offsets not None, const uint64_t[::1] file_offsets not None,
          const int64_t[::1] files not None, const uint64_t[::1] starts not None, const int64_t[::1] documents not None,
          const uint64_t[::1] offsets not None):
    """Return the files, lines and offsets of matches; documented at `reference.place`.  The GIL is released."""
    cdef size_t count = documents.shape[0]
    cdef qt_files f
    cdef int status = 0
    if offsets.shape[0] != documents.shape[0] or starts.shape[0] != files.shape[0]:
        raise ValueError(f"documents {count} and offsets {offsets.shape[0]}, files {files.shape[0]} and starts {starts.shape[0]} must be "
                         f"equally many")
    if newline_offsets.shape[0] < 1 or file_offsets.shape[0] != newline_offsets.shape[0]:
        raise ValueError(f"newline_offsets has {newline_offsets.shape[0]} values and file_offsets {file_offsets.shape[0]}; n files need n + 1")
    found = np.empty((3, count), np.int64)
    cdef int64_t[:, ::1] out = found
    if count and starts.shape[0]:
        f.newlines, f.newline_count = &newlines[0] if newlines.shape[0] else NULL, newlines.shape[0]
        f.newline_offsets, f.file_offsets, f.file_count = &newline_offsets[0], &file_offsets[0], newline_offsets.shape[0] - 1
        with nogil:
            status = qt_lines_place(&f, &files[0], &starts[0], starts.shape[0], &documents[0], &offsets[0], count, &out[0, 0], &out[1, 0],
                                    &out[2, 0])
    if status or (count and not starts.shape[0]):
        raise ValueError(f"a match is outside the {starts.shape[0]} documents, a document outside the {newline_offsets.shape[0] - 1} files "
                         f"or before its file, or newline_offsets leave the newlines")
    return found[0], found[1], found[2]


def gather(const uint8_t[::1] content not None, const uint64_t[::1] starts not None, const uint64_t[::1] ends not None):
    """Return the bytes of lines, each followed by a newline; documented at `reference.gather`.  The GIL is released."""
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
