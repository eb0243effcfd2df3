"""PageRank: ours (SciPy product, power iteration), scikit-network, igraph and networkx on one skewed random graph."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.kernel_cases.case import Result, require
from benchmarks.timing import interleave
from quatrain.linking.rank import pagerank

PACKAGES = ("scipy", "scikit-network", "igraph", "networkx")
DAMPING = 0.85
TOLERANCE = 1e-6  # of the L1 change, as in the product


def make_edges(nodes: int, degree: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Return distinct edges without loops; in-degrees are skewed, as of code.

    Every node has an edge to the next: the programs disagree on what a node without successors does with its rank.
    """
    random = np.random.default_rng(nodes)
    ring = np.arange(nodes)
    source = np.concatenate([ring, random.integers(0, nodes, nodes * (degree - 1))])
    target = np.concatenate([(ring + 1) % nodes, (nodes * random.random(nodes * (degree - 1)) ** 3).astype(np.int64)])
    keys = np.unique(source * nodes + target)
    source, target = keys // nodes, keys % nodes
    return source[source != target], target[source != target]


def run_case(case: str, nodes: int, rounds: int, small: bool) -> Result:
    import igraph
    import networkx
    from scipy.sparse import csr_matrix
    from sknetwork.ranking import PageRank

    source, target = make_edges(nodes)
    weight = np.ones(len(source))

    # Everybody begins with the arrays of distinct edges: building a matrix or graph object is part of the work, iterating the rest.
    def ours() -> np.ndarray:
        return pagerank(source, target, weight, nodes)

    def by_scikit_network() -> np.ndarray:
        matrix = csr_matrix((weight, (source, target)), shape=(nodes, nodes))
        model = PageRank(damping_factor=DAMPING, solver="piteration", n_iter=100, tol=TOLERANCE)
        return model.fit_predict(matrix)

    def by_igraph() -> np.ndarray:
        graph = igraph.Graph(n=nodes, edges=np.column_stack([source, target]), directed=True)
        return np.array(graph.pagerank(damping=DAMPING, implementation="prpack"))

    def by_networkx() -> np.ndarray:
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(nodes))
        graph.add_edges_from(zip(source.tolist(), target.tolist(), strict=True))
        found = networkx.pagerank(graph, alpha=DAMPING, tol=TOLERANCE / nodes)
        return np.array([found[node] for node in range(nodes)])

    expected = ours()
    ways = {"ours": ours, "scikit-network": by_scikit_network, "igraph": by_igraph, "networkx": by_networkx}
    distances = {}
    for name, way in ways.items():
        distances[name] = float(np.abs(way() - expected).sum())
        require(distances[name] < 20 * TOLERANCE, f"{case}: {name} differs by {distances[name]:.2g} in L1")
    samples = interleave({name: ways[name] for name in ("ours", "scikit-network")}, rounds=rounds)
    slow = {name: ways[name] for name in ("igraph", "networkx")}
    samples |= interleave(slow, rounds=max(3, rounds // 5) if small else 3)
    return Result(case, samples, {"edges": len(source), "L1 to ours": distances, "work": "edge arrays in, ranks out"})


def run(rounds: int, quick: bool = False) -> Iterator[Result]:
    yield run_case("pagerank 10k", 10_000, rounds, True)
    if not quick:
        yield run_case("pagerank 100k", 100_000, rounds, False)


def growth(quick: bool = False) -> dict[str, dict[str, list[tuple[float, float]]]]:
    """Return curves: title -> name -> (x, microseconds)."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for nodes in (1000, 10_000) if quick else (1000, 10_000, 100_000):
        source, target = make_edges(nodes)
        weight = np.ones(len(source))
        found = interleave({"ours": lambda s=source, t=target, w=weight, n=nodes: pagerank(s, t, w, n)}, rounds=3)
        curves.setdefault("ours", []).append((nodes, float(np.median(found["ours"]))))
    return {"PageRank, 10 edges a node: nodes": curves}
