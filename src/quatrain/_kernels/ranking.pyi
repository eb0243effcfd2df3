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
    shares: NDArray[np.float64],
    documents: int,
    limit: int,
    allow: NDArray[np.uint64] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]: ...
def names(
    ids: NDArray[np.uint32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    idf: NDArray[np.float64],
    question: float,
    mass: NDArray[np.float32],
    classes: NDArray[np.uint8],
    class_weights: NDArray[np.float64],
    whole: float,
    limit: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
def spread(
    ids: NDArray[np.uint32],
    weights: NDArray[np.float32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    mass: NDArray[np.float64],
    resistance: NDArray[np.float32],
    wanted: NDArray[np.int64],
) -> NDArray[np.float64]: ...
def row_sums(
    indptr: NDArray[np.uint32],
    indices: NDArray[np.uint32],
    rows: NDArray[np.int64],
    keys: NDArray[np.uint32],
    values: NDArray[np.float64],
) -> NDArray[np.float64]: ...
def pool(
    chunks: Sequence[NDArray[np.int64]],
    strengths: Sequence[NDArray[np.float64]],
    weights: Sequence[float],
    k: float,
    owners: NDArray[np.uint32],
    decay: NDArray[np.float64],
) -> tuple[
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.float64],
    NDArray[np.int64],
    NDArray[np.float64],
]: ...
