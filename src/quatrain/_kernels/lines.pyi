import numpy as np
from numpy.typing import NDArray

def number(
    newlines: NDArray[np.uint32],
    newline_offsets: NDArray[np.uint64],
    files: NDArray[np.int64],
    offsets: NDArray[np.uint64],
) -> NDArray[np.int64]:
    """Return the 1-based line of each (file, byte offset); a newline belongs to the line it ends.

    ``newlines[newline_offsets[f]:newline_offsets[f + 1]]`` are the ascending byte offsets of the newlines of file f.  Fastest when hits
    are in (file, offset) order.  ValueError for a file id out of range or offsets that leave ``newlines``.  The GIL is released.
    """

def gather(content: NDArray[np.uint8], starts: NDArray[np.uint64], ends: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return ``content[starts[i]:ends[i]]`` of all i, each followed by a newline; ValueError for a span outside."""
