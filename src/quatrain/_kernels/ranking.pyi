from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def rrf(
    lists: Sequence[NDArray[np.int64]],
    weights: Sequence[float] | NDArray[np.float64],
    k: float,
    limit: int,
    centrality: NDArray[np.float32] | None = None,
    demoted: NDArray[np.uint8] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def accumulate(
    ids: NDArray[np.uint32],
    impacts: NDArray[np.float32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    weights: NDArray[np.float32],
    documents: int,
    limit: int,
    allow: NDArray[np.uint64] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]: ...
