import numpy as np
from numpy.typing import NDArray

Field = tuple[NDArray[np.uint8], NDArray[np.uint64], NDArray[np.uint64], float, float]

def extract(data: NDArray[np.uint8] | bytes) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.bool_]]:
    """Return (hash, byte offset, is a joined form) of every term of ``data``, in order of their ends.

    Sub-words of identifiers (``parseConfig``, ``parse_config``, ``HTTPServer``, ``utf8``) and, after those of an identifier with several,
    its joined form (``parseconfig``); neighbouring pairs of Chinese, Japanese and Korean characters.  Lower case, Latin letters without
    accents, common English suffixes removed, at most 64 bytes.
    """

def spell(data: NDArray[np.uint8] | bytes, stemmed: bool = True) -> list[str]:
    """Return the spelling of every term of ``data`` but the joined forms, in the order of `extract`; with suffixes if not ``stemmed``."""

def hash_word(word: NDArray[np.uint8] | bytes) -> int:
    """Return the hash of one word that is not to be split: a joined form."""

def postings(
    fields: list[Field], k1: float, joined_weight: float = 1.0
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint32], NDArray[np.float32], NDArray[np.uint8]]:
    """Invert units of text: (hashes ascending [T], offsets [T + 1], unit ids [P], impacts [P], spellings).

    The spellings are those of the T terms in order, each followed by a newline, that of a joined form empty.

    Unit u of a field (data, starts, ends, weight, b) is ``data[starts[u]:ends[u]]``.  The frequency of a term in a unit is the sum over
    fields of weight x count / (1 - b + b x length / mean length), a joined form counting ``joined_weight``; its impact is frequency /
    (k1 + frequency) (BM25F, Robertson, Zaragoza and Taylor 2004).  Units ascend within a posting.  The GIL is released.
    """

def locate(
    data: NDArray[np.uint8],
    starts: NDArray[np.uint64],
    ends: NDArray[np.uint64],
    hashes: NDArray[np.uint64],
    weights: NDArray[np.float32],
) -> NDArray[np.int64]:
    """Return, for each ``data[starts[u]:ends[u]]``, the offset in ``data`` of the first wanted term of the line with most weight, or -1.

    ``hashes`` ascend; each counts once a line.  Of equal lines the first is taken.
    """

def sketches(blob: NDArray[np.uint8] | bytes, offsets: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """Return uint32[2, n]: the letters of each string, and pairs of neighbouring letters with its length.

    Bit ``b & 31`` of the first word is set for each byte b; the second has 24 bits for hashed pairs and, above them, the length up to
    255 (superimposed coding, Faloutsos and Christodoulakis 1984).  Letter case, ``_`` and ``-`` do not count.
    """

def may_hold(sketches: NDArray[np.uint32], word: NDArray[np.uint8] | bytes) -> NDArray[np.uint32]:
    """Return the ascending positions of the strings that may hold ``word``, going by their sketches; none that does is left out."""

def distances(
    blob: NDArray[np.uint8],
    offsets: NDArray[np.uint64],
    sketches: NDArray[np.uint32],
    word: NDArray[np.uint8] | bytes,
    limit: int,
) -> NDArray[np.int8]:
    """Return the edits (insert, delete, replace, swap of neighbours) from ``word`` to each string, -1 beyond ``limit``.

    Letter case, ``_`` and ``-`` do not count.  ``word`` has at most 64 bytes (optimal string alignment, Hyyro 2003).  Only strings whose
    sketch lets them be so near are read.
    """

def lower_bound(blob: NDArray[np.uint8] | memoryview, offsets: NDArray[np.uint64] | memoryview, key: bytes) -> int:
    """Return the position of the first of some ascending strings that is >= ``key`` in byte order."""
