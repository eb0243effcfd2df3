import numpy as np
from numpy.typing import NDArray

def locate(
    keys: NDArray[np.uint32], offsets: NDArray[np.uint64], wanted: NDArray[np.uint32], limit_lists: int = 8
) -> NDArray[np.int64]: ...
def intersect(
    blob: NDArray[np.uint8], offsets: NDArray[np.uint64], chosen: NDArray[np.int64], limit_lists: int = 8
) -> NDArray[np.uint32]: ...
def evaluate(
    blob: NDArray[np.uint8],
    offsets: NDArray[np.uint64],
    chosen: NDArray[np.int64],
    program: NDArray[np.int32],
    universe: int,
) -> NDArray[np.uint32]: ...
def _set_level(name: str | None) -> None: ...
