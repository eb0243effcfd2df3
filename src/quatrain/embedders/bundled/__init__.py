"""The bundled offline model: 31,981 identifier sub-words and 2,048 trigram buckets, 512 dimensions at 4 bits.

The file is mapped, not read: only the rows of words that occur become resident.  The layout is documented where it is
written (`benchmarks/model/pack.py`) and checked where it is read (`cext/embedding.c`).  Licence and origin: NOTICE
and provenance.tsv beside this file.
"""

from __future__ import annotations

import mmap
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quatrain._kernels import embedding
from quatrain.embedders.protocol import EmbeddedQuery, EmbedderIdentity
from quatrain.errors import BadQuery, EmbedderUnavailable

__all__ = ["DIMENSIONS", "MODEL", "BundledEmbedder", "load"]

MODEL = "subtok512"

DIMENSIONS = 1024  # of a code: the 512 signs of the vector and the 512 of one rotation of it

_HEADER = 128
_REVISION = 1  # of the kernel: raised whenever it makes another vector of the same text and file
# Cosines of the best chunk of a corpus for questions without meaning (benchmarks/embedding.py --noise): random letters
# reach 0.19 in the median and 0.33 at the 95th percentile over 22 corpora; real questions have right chunks below 0.25, and
# a floor of 0.25 costs 0.018 NDCG@10.  No single floor parts the two, so it depends on how much of the question is known.
_UNKNOWN_FLOOR = 0.17
# Made-up words that can be spoken ("snarfle grobnick") reach 0.40 among the 33,000 chunks of Django: when no word at all is known, what
# is left is a likeness of letters, and it has to be plain.
_NOTHING_KNOWN_FLOOR = 0.45
_BATCH = 1024  # texts a kernel call: long enough to hide the call, short enough that an interrupt is noticed


class BundledEmbedder:
    """The runtime of one packed model file.

    Parameters
    ----------
    path : Path, optional
        A file written by ``benchmarks/model/pack.py``; default: the model that ships with quatrain.
    dimensions : int, optional
        Bits of a code: those of the model's vectors, or two or four times as many.  The signs of rotated copies lose less of
        the vector; twice is the default for the model that ships, once for others.

    Raises
    ------
    EmbedderUnavailable
        The file is missing or damaged.
    BadQuery
        The model has no codes of that many bits.
    """

    trust = 1.0
    noise_floor = 0.15
    remote = False

    def __init__(self, path: Path | None = None, dimensions: int | None = None) -> None:
        if path is None and dimensions is None:
            dimensions = DIMENSIONS
        path = path or Path(__file__).with_name(f"{MODEL}.bin")
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._model = np.frombuffer(self._map, np.uint8)
            width = embedding.dimensions(self._model)
        except (OSError, ValueError) as error:
            raise EmbedderUnavailable(
                f"the bundled model {path} cannot be used ({error}); reinstall quatrain"
            ) from None
        # The rows are most of the file; reading them now would cost the lazy start.  verify() checks them.
        header = self._model[:_HEADER].view("<u4")
        rows = int(self._model[96:104].view("<u8")[0])
        if zlib.crc32(self._model[:120]) != header[30] or zlib.crc32(self._model[_HEADER:rows]) != header[28]:
            raise EmbedderUnavailable(
                f"the bundled model {path} is damaged (its checksum does not hold); reinstall quatrain"
            )
        offered = [width] if width & (width - 1) else [width, 2 * width, 4 * width]
        if dimensions is not None and dimensions not in offered:
            raise BadQuery(f"the model {path.stem} offers {', '.join(map(str, offered))} dimensions, not {dimensions}")
        self._turns = (dimensions or width) // width
        self._path, self._rows, self._rows_crc = path, rows, int(header[29])
        version = f"{_REVISION}-{int(header[28]):08x}{int(header[30]):08x}{self._rows_crc:08x}"
        self._identity = EmbedderIdentity("bundled", path.stem, width * self._turns, "ubinary", version)

    @property
    def identity(self) -> EmbedderIdentity:
        """Provider, model, dimensions, dtype, and the kernel's revision with the checksums of the file as its version."""
        return self._identity

    def verify(self) -> None:
        """Read the whole file and compare its checksum.

        Raises
        ------
        EmbedderUnavailable
            The file is damaged.
        """
        if zlib.crc32(self._model[self._rows :]) != self._rows_crc:
            raise EmbedderUnavailable(
                f"the bundled model {self._path} is damaged (its checksum does not hold); reinstall quatrain"
            )

    def embed_documents(self, texts: Sequence[str], names: Sequence[str]) -> NDArray[np.uint8]:
        """Embed chunks with their name slots.

        Parameters
        ----------
        texts, names : sequence of str or bytes, shape (n,)
            The first 512 sub-words of each count.

        Returns
        -------
        ndarray of uint8, shape (n, dimensions / 8)
            Packed signs, most significant bit first.
        """
        if len(texts) != len(names):
            raise ValueError(f"{len(texts)} texts need as many names (got {len(names)})")
        out = np.empty((len(texts), self._identity.dimensions // 8), np.uint8)
        for i in range(0, len(texts), _BATCH):
            out[i : i + _BATCH] = embedding.documents(
                self._model, texts[i : i + _BATCH], names[i : i + _BATCH], self._turns
            )
        return out

    def document_vectors(self, texts: Sequence[str], names: Sequence[str]) -> NDArray[np.float32]:
        """Embed chunks without taking signs; float32[n, dimensions].  For evaluation, and for code given as a question."""
        return embedding.document_vectors(self._model, texts, names, self._turns)

    def embed_query(self, text: str) -> EmbeddedQuery:
        """Embed a question.

        Parameters
        ----------
        text : str
            Its first 512 sub-words count.

        Returns
        -------
        EmbeddedQuery
            The code and the floats it is the signs of.  The noise floor of the question rises with the share of its
            letters in words that the model does not know: about those it can only guess from their trigrams.
        """
        known, letters = embedding.known_letters(self._model, text)
        floor = self.noise_floor + _UNKNOWN_FLOOR * (1.0 - known / letters) if known else _NOTHING_KNOWN_FLOOR
        return EmbeddedQuery.from_vector(embedding.query(self._model, text, self._turns), floor)


@cache
def _shared(dimensions: int) -> BundledEmbedder:
    return BundledEmbedder(dimensions=dimensions)


def load(model: str = MODEL, dimensions: int = DIMENSIONS) -> BundledEmbedder:
    """Return the one shared instance of the bundled model with codes of that many bits: 512, 1024 or 2048.

    Raises
    ------
    BadQuery
        Another model or width is asked for than the one that ships.
    """
    if model != MODEL:
        raise BadQuery(f"the bundled embedder is bundled/{MODEL}; {model} does not ship with this release")
    return _shared(dimensions)
