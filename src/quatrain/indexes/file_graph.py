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

import numpy as np

from quatrain._kernels import ranking
from quatrain.indexes.strings import SectionReader, SectionWriter

__all__ = ["MAX_DEFINERS", "FileGraph", "build"]

MAX_DEFINERS = 3


def build(
    writer: SectionWriter,
    uses: tuple[np.ndarray, np.ndarray, np.ndarray],
    definitions: tuple[np.ndarray, np.ndarray],
    files: int,
) -> None:
    """Write the file graph.

    Parameters
    ----------
    writer : SegmentWriter
        Receives the four sections.
    uses : tuple of ndarray of int64, each shape (U,)
        File, name and count: how often a file uses a name; a pair of file and name comes once.
    definitions : tuple of ndarray of int64, each shape (D,)
        File and name: which file defines which name, once or more.
    files : int
        Number of files F.

    Raises
    ------
    ValueError
        A file outside ``range(files)``.
    """
    from quatrain.linking.rank import pagerank  # looking up needs no linker

    for tag, numbers in (("use", uses[0]), ("definition", definitions[0])):
        if len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) < files:
            raise ValueError(f"a {tag} lies in file {int(numbers.max())} of {files}")
    width = 1 + max((int(names.max()) for names in (uses[1], definitions[1]) if len(names)), default=-1)
    pairs = np.unique(definitions[1] * files + definitions[0])
    owners = np.bincount(pairs // max(files, 1), minlength=width)
    first_owner = np.cumsum(owners) - owners
    rows = np.lexsort((uses[1], uses[0]))  # sums of floats depend on their order
    rows = rows[(owners[uses[1][rows]] > 0) & (owners[uses[1][rows]] <= MAX_DEFINERS)]
    user, name, count = (column[rows] for column in uses)
    fan = owners[name]
    use = np.repeat(np.arange(len(rows)), fan)
    nth = np.arange(len(use)) - np.repeat(np.cumsum(fan) - fan, fan)
    owner = pairs[first_owner[name[use]] + nth] % max(files, 1)
    weight = np.sqrt(count[use]) / fan[use]
    others = owner != user[use]
    links, position = np.unique((user[use] * files + owner)[others], return_inverse=True)
    weights = np.bincount(position, weight[others], len(links)).astype(np.float64)  # of nothing, integers
    source, target = links // max(files, 1), links % max(files, 1)
    writer.add("filegraph/indptr", np.searchsorted(source, np.arange(files + 1)).astype(np.int64))
    writer.add("filegraph/indices", target.astype(np.uint32))
    writer.add("filegraph/weights", weights.astype(np.float32))
    ranks = pagerank(source, target, weights, files) if files else np.zeros(0)
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
