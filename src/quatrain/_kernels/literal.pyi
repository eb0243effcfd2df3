import numpy as np
from numpy.typing import NDArray

def find(
    content: NDArray[np.uint8] | bytes | memoryview,
    starts: NDArray[np.uint64],
    ends: NDArray[np.uint64],
    needle: bytes,
    ignore_case: bool = False,
    limit: int = -1,
    once_a_line: bool = False,
    chosen: NDArray[np.uint32] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]: ...
def _set_level(name: str | None) -> None: ...
