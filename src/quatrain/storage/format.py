"""The index on disk, byte by byte.

An index is a directory of write-once files::

    format               text for humans: "quatrain index 1.0"
    lock                 flock'd by the one writer; its content (pid, host) is a hint, not a lock
    m-00000042.json      manifest of generation 42; the newest valid one is the index
    s-<16 hex>.seg       immutable segments that manifests name

Published files are never written to or truncated again.  Publication order: segment to a temporary name, fsync, rename, fsync of the
directory; manifest likewise; only then are files of older generations unlinked.  The last two generations are kept, so a damaged newest
manifest falls back to the one before.

Manifest (JSON, UTF-8)::

    {"body": {"format": [major, minor], "generation": n, "parent": n - 1 or null, "root": "...",
              "segments": [{"file", "size", "head_length", "head_xxh3"}], "fingerprint": {...}, "counts": {...}},
     "xxh3": "16 hex digits over the canonical JSON of body"}

Segment::

    offset  size  field (little endian)
    0       8     magic "QUATRAIN"
    8       2     format major: a reader refuses a larger one
    10      2     format minor: additions that older readers may skip
    12      4     head_length: bytes up to the data region, a multiple of 4096
    16      8     file_size
    24      4     block_size of the checksum table (65536)
    28      4     toc_length
    32      8     head_xxh3: xxh3-64 of the head with this field zero
    40      24    reserved, zero
    64      ...   table of contents, JSON: {tag: [dtype, shape, offset in the data region, bytes, bulk]}
    ...     8*n   xxh3-64 of each block of the data region, aligned to 8
    head_length   data region: sections, each aligned to 64 bytes, padded with zeros

Sections are C-contiguous little-endian arrays.  A section is verified when it is first opened; a *bulk* section (contents, postings) is
verified block by block as its bytes are touched.  A checksum is no defence against malice: offsets and counts inside sections are bound
checked by whoever follows them.
"""

from __future__ import annotations

import struct
from typing import Final

FORMAT_MAJOR: Final = 1
FORMAT_MINOR: Final = 0
MAGIC: Final = b"QUATRAIN"
HEADER: Final = struct.Struct("<8sHHIQIIQ24x")
HEAD_XXH3_OFFSET: Final = 32
BLOCK_SIZE: Final = 1 << 16
SECTION_ALIGNMENT: Final = 64
HEAD_ALIGNMENT: Final = 4096
DTYPES: Final = frozenset(
    ("|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<u8", "<i8", "<f4", "<f8"),
)


def align(value: int, alignment: int) -> int:
    """Return ``value`` rounded up to a multiple of ``alignment``."""
    return -(-value // alignment) * alignment
