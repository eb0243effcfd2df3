"""Which file uses which: the graph behind "used by the best".

A name that is defined in at most three files links every file that uses it to the files that define it.  The weight of
such a link is ``sqrt(uses) / number of defining files``, summed over names; a file does not link to itself.  PageRank
walks the links in proportion to their weights.

Sections
--------
``filegraph/indptr``
    int64[F + 1], rows by using file.
``filegraph/indices``
    uint32[E], the defining files, ascending within a row.
``filegraph/weights``
    float32[E], of the links.
``filegraph/pagerank``
    float32[F], PageRank times F (mean 1), damping 0.85.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from quatrain._kernels import ranking
from quatrain.indexes.strings import SectionReader, SectionWriter

__all__ = ["MAX_DEFINERS", "FileGraph", "build"]

MAX_DEFINERS = 3


def build(writer: SectionWriter, uses: Sequence[Sequence[str]], definitions: Sequence[Sequence[str]]) -> None:
    """Write the file graph.

    Parameters
    ----------
    writer : SegmentWriter
        Receives the four sections.
    uses : sequence of sequences of str, length F
        The names that each file uses, once per use.
    definitions : sequence of sequences of str, length F
        The names that each file defines.

    Raises
    ------
    ValueError
        The two sequences differ in length.
    """
    from scipy import sparse

    from quatrain.linking.rank import pagerank  # looking up needs no linker

    if len(uses) != len(definitions):
        raise ValueError(f"uses of {len(uses)} files, definitions of {len(definitions)}")
    files = len(uses)
    definers: dict[str, set[int]] = {}
    for file, names in enumerate(definitions):
        for name in names:
            definers.setdefault(name, set()).add(file)
    rows: list[int] = []
    columns: list[int] = []
    weights: list[float] = []
    for file, names in enumerate(uses):
        for name, count in Counter(names).items():
            owners = definers.get(name)
            if owners is None or len(owners) > MAX_DEFINERS:
                continue
            weight = math.sqrt(count) / len(owners)
            for owner in owners:
                if owner != file:
                    rows.append(file)
                    columns.append(owner)
                    weights.append(weight)
    links = sparse.coo_matrix((weights, (rows, columns)), shape=(files, files)).tocsr()  # sums repeated pairs
    links.sort_indices()
    writer.add("filegraph/indptr", links.indptr.astype(np.int64))
    writer.add("filegraph/indices", links.indices.astype(np.uint32))
    writer.add("filegraph/weights", links.data.astype(np.float32))
    source = np.repeat(np.arange(files), np.diff(links.indptr))
    ranks = pagerank(source, links.indices.astype(np.int64), links.data, files) if files else np.zeros(0)
    writer.add("filegraph/pagerank", (ranks * files).astype(np.float32))


class FileGraph:
    """The file graph of an opened segment.

    Parameters
    ----------
    segment : Segment
        Holds the sections of this module.
    """

    __slots__ = ("_resistance", "indices", "indptr", "pagerank", "weights")

    def __init__(self, segment: SectionReader) -> None:
        self.indptr: np.ndarray = segment.array("filegraph/indptr")
        self.indices: np.ndarray = segment.array("filegraph/indices")
        self.weights: np.ndarray = segment.array("filegraph/weights")
        self.pagerank: np.ndarray = segment.array("filegraph/pagerank")
        self._resistance = self.pagerank + np.float32(0.2)

    def step(self, seeds: np.ndarray, mass: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """Walk one step from the seeds to the files that they use.

        Parameters
        ----------
        seeds : ndarray of int64, shape (s,)
            Distinct file ids.
        mass : ndarray of float64, shape (s,)
            What each seed hands on.
        wanted : ndarray of int64, shape (n,)
            File ids, ascending.

        Returns
        -------
        ndarray of float64, shape (n,)
            What reached each wanted file, divided by ``sqrt(F x PageRank + 0.2)`` so that hubs do not win, as a share of
            the most that reached any file.
        """
        return ranking.spread(
            self.indices, self.weights, self.indptr[seeds], self.indptr[seeds + 1], mass, self._resistance, wanted
        )
