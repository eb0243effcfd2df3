import numpy as np
from numpy.typing import NDArray

def place(
    newlines: NDArray[np.uint32],
    newline_offsets: NDArray[np.uint64],
    file_offsets: NDArray[np.uint64],
    files: NDArray[np.int64],
    starts: NDArray[np.uint64],
    documents: NDArray[np.int64],
    offsets: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]: ...
def gather(content: NDArray[np.uint8], starts: NDArray[np.uint64], ends: NDArray[np.uint64]) -> NDArray[np.uint8]: ...
