"""Nearest binary codes: ours, FAISS, numkong, usearch and NumPy, beside a plain read of the same buffer."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.kernel_cases.case import Result, require
from benchmarks.timing import interleave
from quatrain._kernels import hamming

PACKAGES = ("faiss-cpu", "numkong", "usearch", "numpy")

# name -> (queries, rows, bits, with the peers that take seconds)
CASES = {
    "hamming 1x1M 1024b": (1, 1_000_000, 1024),
    "hamming 1x100k 512b": (1, 100_000, 512),
    "hamming 16x1M 1024b": (16, 1_000_000, 1024),
    "hamming 1x10k 1024b": (1, 10_000, 1024),
    "hamming 1x100k 1024b": (1, 100_000, 1024),
    "hamming 1x1M 256b": (1, 1_000_000, 256),
    "hamming 1x1M 2048b": (1, 1_000_000, 2048),
    "hamming 16x100k 1024b": (16, 100_000, 1024),
}


def compile_stream() -> Callable[[np.ndarray], int]:
    """Return a function that reads an array once; needs a C compiler."""
    source = Path(__file__).parents[1] / "stream.c"
    target = Path(tempfile.mkdtemp()) / "stream.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    wide = subprocess.run(["cc", *flags, "-mprefer-vector-width=512", "-o", target, source], capture_output=True)
    if wide.returncode:
        subprocess.run(["cc", *flags, "-o", target, source], check=True)
    function = ctypes.CDLL(str(target)).stream_sum
    function.restype, function.argtypes = ctypes.c_uint64, [ctypes.c_void_p, ctypes.c_size_t]
    return lambda array: function(array.ctypes.data, array.nbytes // 8)


def peers(codes: np.ndarray, queries: np.ndarray, k: int) -> dict[str, Callable[[], np.ndarray]]:
    """Return what computes the sorted k smallest distances of every query, int[q, k]."""
    import faiss
    import numkong
    from usearch.index import MetricKind, search

    faiss.omp_set_num_threads(1)
    index = faiss.IndexBinaryFlat(codes.shape[1] * 8)
    index.add(codes)

    def by_faiss() -> np.ndarray:
        return index.search(queries, k)[0]

    def by_numkong() -> np.ndarray:
        distances = np.asarray(numkong.cdist(queries, codes, metric="hamming", dtype="uint1"))
        return np.sort(np.take_along_axis(distances, np.argpartition(distances, k - 1)[:, :k], 1))

    def by_usearch() -> np.ndarray:
        found = search(codes, queries, k, MetricKind.Hamming, exact=True, threads=1)
        return np.asarray(found.distances).reshape(len(queries), k)

    def by_numpy() -> np.ndarray:
        answers = []
        for query in queries.view(np.uint64):
            distances = np.bitwise_count(codes.view(np.uint64) ^ query).sum(1, dtype=np.int32)
            answers.append(np.sort(distances[np.argpartition(distances, k - 1)[:k]]))
        return np.array(answers)

    return {"faiss": by_faiss, "numkong": by_numkong, "usearch": by_usearch, "numpy": by_numpy}


def run_case(case: str, rounds: int, k: int = 10) -> Result:
    count, rows, bits = CASES[case]
    random = np.random.default_rng(1)
    codes = random.integers(0, 256, (rows, bits // 8), np.uint8)
    queries = random.integers(0, 256, (count, bits // 8), np.uint8)
    ids, distances = hamming.topk(codes, queries, k)
    require(
        bool((np.bitwise_count(codes[ids] ^ queries[:, None]).sum(2) == distances).all()),
        f"{case}: our ids and distances",
    )
    stream = compile_stream()
    require(stream(codes) == int(np.add.reduce(codes.view(np.uint64).reshape(-1))), "stream sum")
    others = peers(codes, queries, k)
    for name, way in others.items():
        require(bool((way() == distances).all()), f"{case}: distances of {name}")
    samples = interleave(
        {
            "ours": lambda: hamming.topk(codes, queries, k),
            "stream": lambda: stream(codes),
            "faiss": others["faiss"],
        },
        rounds=rounds,
    )
    # The slow ones evict everything from the caches; they get rounds of their own, with ours again in between.
    slow = {"ours": lambda: hamming.topk(codes, queries, k), **{n: w for n, w in others.items() if n != "faiss"}}
    slower = interleave(slow, rounds=max(5, rounds // 5))
    samples |= {name: values for name, values in slower.items() if name != "ours"}
    bytes_a_call = codes.nbytes
    fastest = np.median(samples["ours"])
    notes = {
        "k": k,
        "ours_GB_per_s": bytes_a_call / fastest / 1e3,
        "ours_beside_slow_us": float(np.median(slower["ours"])),
    }
    levels = {}
    chosen = hamming._level()
    for level in hamming._levels():
        hamming._set_level(level)
        level_samples = interleave({level: lambda: hamming.topk(codes, queries, k)}, rounds=max(5, rounds // 5))
        levels[level] = float(np.median(level_samples[level]))
    hamming._set_level(chosen)
    return Result(case, samples, notes | {"levels_us": levels})


def run(rounds: int, quick: bool = False) -> Iterator[Result]:
    for case, (_, rows, _) in CASES.items():
        if quick and rows > 100_000:
            continue
        yield run_case(case, rounds)


def growth(quick: bool = False) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """Return curves: title -> name -> (x, microseconds)."""
    import faiss

    faiss.omp_set_num_threads(1)
    random = np.random.default_rng(2)
    stream = compile_stream()
    most = 100_000 if quick else 4_000_000
    codes = random.integers(0, 256, (most, 128), np.uint8)
    query, batch = random.integers(0, 256, (1, 128), np.uint8), random.integers(0, 256, (16, 128), np.uint8)
    by_rows: dict[str, list[tuple[float, float]]] = {}
    for rows in [
        n for n in (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000, 4_000_000) if n <= most
    ]:
        part = codes[:rows]
        index = faiss.IndexBinaryFlat(1024)
        index.add(part)
        ways = {
            "ours, 1 query": lambda part=part: hamming.topk(part, query, 10),
            "ours, 16 queries": lambda part=part: hamming.topk(part, batch, 10),
            "faiss, 1 query": lambda index=index: index.search(query, 10),
            "faiss, 16 queries": lambda index=index: index.search(batch, 10),
            "plain read": lambda part=part: stream(part),
        }
        for name, values in interleave(ways, rounds=5).items():
            by_rows.setdefault(name, []).append((rows, float(np.median(values))))
    part = codes[: min(most, 1_000_000)]
    index = faiss.IndexBinaryFlat(1024)
    index.add(part)
    by_k: dict[str, list[tuple[float, float]]] = {}
    for k in (1, 3, 10, 30, 100, 300, 1000):
        ways = {
            "ours, 1 query": lambda k=k: hamming.topk(part, query, k),
            "ours, 16 queries": lambda k=k: hamming.topk(part, batch, k),
            "faiss, 1 query": lambda k=k: index.search(query, k),
            "faiss, 16 queries": lambda k=k: index.search(batch, k),
        }
        for name, values in interleave(ways, rounds=5).items():
            by_k.setdefault(name, []).append((k, float(np.median(values))))
    return {"Hamming, 1024 bits, k = 10: rows": by_rows, f"Hamming, {len(part):,} rows of 1024 bits: k": by_k}
