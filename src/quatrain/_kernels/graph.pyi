import numpy as np
from numpy.typing import NDArray

def reach(
    indptr: NDArray[np.int64],
    rows: NDArray[np.uint32] | None,
    targets: NDArray[np.uint32] | NDArray[np.int64],
    confidences: NDArray[np.float32],
    kinds: NDArray[np.uint8],
    start: NDArray[np.int64],
    depth: int,
    cut_off: float,
    passable: int,
    last_kind: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
