import numpy as np
from numpy.typing import NDArray

def topk(
    codes: NDArray[np.uint8],
    queries: NDArray[np.uint8],
    k: int,
    allow: NDArray[np.uint64] | None = None,
    threads: int = 1,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def pairs(
    codes: NDArray[np.uint8],
    distance: int,
    allow: NDArray[np.uint64] | None = None,
    first: int = 0,
    last: int | None = None,
) -> NDArray[np.uint32]: ...
def asymmetric(
    codes: NDArray[np.uint8], rows: NDArray[np.int64], query: NDArray[np.float32]
) -> NDArray[np.float32]: ...
def _set_level(name: str | None) -> None: ...
def _level() -> str: ...
def _levels() -> list[str]: ...
