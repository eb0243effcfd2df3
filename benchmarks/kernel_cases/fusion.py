"""Rank fusion and accumulation of term impacts: ours, a dictionary, NumPy and ranx."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.kernel_cases.case import Result, require
from benchmarks.timing import interleave
from quatrain._kernels import ranking

PACKAGES = ("ranx", "numpy")
CASES = {"rrf 4x100": 100, "rrf 4x300": 300, "rrf 4x1000": 1000}
K, LIMIT, IDS = 60, 50, 100_000
WEIGHTS = (0.4, 0.3, 0.2, 0.1)


def make_lists(length: int) -> list[np.ndarray]:
    """Return four lists over 100,000 ids that share a third of their entries."""
    random = np.random.default_rng(length)
    shared = random.permutation(IDS)[: length // 3]
    lists = []
    for _ in WEIGHTS:
        own = np.setdiff1d(random.permutation(IDS)[: 2 * length], shared)
        lists.append(random.permutation(np.concatenate([shared, random.permutation(own)[: length - len(shared)]])))
    return lists


def by_dict(lists: list[list[int]], boost: list[float]) -> list[tuple[int, float]]:
    sums: dict[int, float] = {}
    for ids, weight in zip(lists, WEIGHTS, strict=True):
        for rank, entry in enumerate(ids):
            sums[entry] = sums.get(entry, 0.0) + weight / (K + rank + 1)
    scored = [(entry, score * boost[entry]) for entry, score in sums.items()]
    scored.sort(key=lambda pair: (-pair[1], pair[0]))
    return scored[:LIMIT]


def by_numpy(lists: list[np.ndarray], boost: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    ids = np.concatenate(lists)
    values = np.concatenate(
        [weight / (K + np.arange(len(each)) + 1) for each, weight in zip(lists, WEIGHTS, strict=True)]
    )
    unique, inverse = np.unique(ids, return_inverse=True)
    scores = np.bincount(inverse, values) * boost[unique]
    order = np.lexsort((unique, -scores))[:LIMIT]
    return unique[order], scores[order]


def ranx_way(lists: list[np.ndarray]) -> Callable[[], dict[str, float]]:
    """Return ranx's weighted-free RRF over prebuilt runs; it has neither weights nor a boost, so less work than ours."""
    from ranx import Run, fuse

    runs = [
        Run({"q": {str(entry): float(len(each) - rank) for rank, entry in enumerate(each.tolist())}}) for each in lists
    ]
    return lambda: fuse(runs=runs, method="rrf", params={"k": K}).run["q"]


def run_case(case: str, rounds: int) -> Result:
    lists = make_lists(CASES[case])
    random = np.random.default_rng(9)
    centrality = random.exponential(0.3, IDS).astype(np.float32)
    demoted = np.zeros(IDS, np.uint8)
    boost = np.minimum(1 + 0.3 * np.log1p(centrality.astype(np.float64)), 1.5)
    plain = [each.tolist() for each in lists]
    boost_list = boost.tolist()
    weights = np.array(WEIGHTS)
    ids, scores = ranking.rrf(lists, weights, K, LIMIT, centrality, demoted)
    expected = by_dict(plain, boost_list)
    require(ids.tolist() == [entry for entry, _ in expected], f"{case}: ids of the dictionary")
    require(
        bool(np.allclose(scores, [score for _, score in expected], rtol=1e-13)), f"{case}: scores of the dictionary"
    )
    require(ids.tolist() == by_numpy(lists, boost)[0].tolist(), f"{case}: ids of NumPy")
    fuse = ranx_way(lists)
    same, same_scores = ranking.rrf(lists, [1.0] * 4, K, 4 * CASES[case])
    theirs = fuse()
    require({str(i) for i in same.tolist()} == set(theirs), f"{case}: ids of ranx")
    require(
        bool(np.allclose([theirs[str(i)] for i in same.tolist()], same_scores, rtol=1e-9)), f"{case}: scores of ranx"
    )
    ways = {
        "ours": lambda: ranking.rrf(lists, weights, K, LIMIT, centrality, demoted),
        "dict": lambda: by_dict(plain, boost_list),
        "numpy": lambda: by_numpy(lists, boost),
    }
    samples = interleave(ways, rounds=rounds, at_least_us=3000.0)
    samples["ranx"] = interleave({"ranx": fuse}, rounds=max(5, rounds // 5))["ranx"]
    return Result(case, samples, {"limit": LIMIT, "ranx": "runs prebuilt; no weights, no boost, no limit"})


def accumulation(terms: int, postings: int, documents: int) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(postings)
    lists = [np.sort(random.permutation(documents)[:postings]).astype(np.uint32) for _ in range(terms)]
    bounds = np.cumsum([0, *(len(each) for each in lists)]).astype(np.int64)
    ids = np.concatenate(lists)
    impacts = random.random(len(ids)).astype(np.float32)
    weights = random.random(terms).astype(np.float32)
    return ids, impacts, bounds[:-1].copy(), bounds[1:].copy(), weights, np.full(terms, 1 / terms)


def accumulate_by_numpy(
    ids: np.ndarray,
    impacts: np.ndarray,
    starts: np.ndarray,
    ends: np.ndarray,
    weights: np.ndarray,
    shares: np.ndarray,
    documents: int,
) -> tuple[np.ndarray, np.ndarray]:
    scores = np.zeros(documents, np.float32)
    for start, end, weight in zip(starts.tolist(), ends.tolist(), weights.tolist(), strict=True):
        scores[ids[start:end]] += np.float32(weight) * impacts[start:end]
    best = np.argpartition(-scores, LIMIT)[:LIMIT]
    best = best[np.lexsort((best, -scores[best]))]
    return best, scores[best]


def run_accumulation(rounds: int) -> Result:
    documents = 200_000
    arguments = accumulation(6, 20_000, documents)
    ids, scores, _ = ranking.accumulate(*arguments, documents, LIMIT)
    expected = accumulate_by_numpy(*arguments, documents)
    require(ids.tolist() == expected[0].tolist() and bool(np.allclose(scores, expected[1])), "accumulate: NumPy")
    ways = {
        "ours": lambda: ranking.accumulate(*arguments, documents, LIMIT),
        "numpy": lambda: accumulate_by_numpy(*arguments, documents),
    }
    return Result("accumulate 6x20k of 200k", interleave(ways, rounds=rounds))


def run(rounds: int, quick: bool = False) -> Iterator[Result]:
    for case in CASES:
        yield run_case(case, rounds)
    yield run_accumulation(rounds)


def growth(quick: bool = False) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """Return curves: title -> name -> (x, microseconds)."""
    boost = np.ones(IDS)
    boost_list = boost.tolist()
    curves: dict[str, list[tuple[float, float]]] = {}
    for length in (10, 30, 100, 300, 1000, 3000):
        lists = make_lists(length)
        plain = [each.tolist() for each in lists]
        ways = {
            "ours": lambda lists=lists: ranking.rrf(lists, np.array(WEIGHTS), K, LIMIT),
            "dict": lambda plain=plain: by_dict(plain, boost_list),
            "numpy": lambda lists=lists: by_numpy(lists, boost),
        }
        for name, values in interleave(ways, rounds=5).items():
            curves.setdefault(name, []).append((length, float(np.median(values))))
    added: dict[str, list[tuple[float, float]]] = {}
    for postings in (100, 1000, 10_000, 100_000):
        arguments = accumulation(6, postings, 200_000)
        ways = {
            "ours": lambda arguments=arguments: ranking.accumulate(*arguments, 200_000, LIMIT),
            "numpy": lambda arguments=arguments: accumulate_by_numpy(*arguments, 200_000),
        }
        for name, values in interleave(ways, rounds=5).items():
            added.setdefault(name, []).append((postings, float(np.median(values))))
    return {"Rank fusion of 4 lists: entries a list": curves, "Accumulation, 6 terms: postings a term": added}
