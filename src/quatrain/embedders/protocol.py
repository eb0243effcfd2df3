"""What an embedder is, and how one is chosen by name.

An embedder turns chunks into packed sign bits, and a question into the same bits plus the float vector they come
from, with which candidates are rescored.  Its identity is stored beside the codes: vectors of two embedders are never
compared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from quatrain.errors import BadQuery, IndexCorrupt
from quatrain.records import CHUNKER_VERSION

__all__ = [
    "CostEstimate",
    "EmbeddedQuery",
    "Embedder",
    "EmbedderIdentity",
    "PaidEmbedder",
    "get_embedder",
    "register_embedder",
]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Who made a vector; two vectors are comparable only if all six agree.

    Parameters
    ----------
    provider, model : str
        For example ``"bundled"`` and ``"subtok512"``.
    dimensions : int
        Bits of a code; a multiple of 64.
    dtype : str
        How the bits were made: ``"ubinary"`` (packed signs, most significant bit first).
    version : str
        Changes whenever the same text would give another vector.
    chunker : int
        Version of the chunker that cut and described what was embedded; the present one unless it is read from an index.
    """

    provider: str
    model: str
    dimensions: int
    dtype: str
    version: str
    chunker: int = CHUNKER_VERSION

    @property
    def spec(self) -> str:
        """The string that makes `get_embedder` return this embedder, e.g. ``"voyage/voyage-code-3/512"``."""
        return f"{self.provider}/{self.model}/{self.dimensions}"

    def to_bytes(self) -> bytes:
        """Return the stored form: JSON with sorted keys."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> EmbedderIdentity:
        """Read the stored form.

        Raises
        ------
        IndexCorrupt
            The bytes are not an identity.
        """
        try:
            fields = json.loads(bytes(data))
            identity = cls(chunker=fields.pop("chunker"), **fields)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise IndexCorrupt(
                f"the embedder identity of the index cannot be read ({error}); rebuild the index"
            ) from None
        texts = (identity.provider, identity.model, identity.dtype, identity.version)
        numbers = (identity.dimensions, identity.chunker)
        if not all(isinstance(x, str) for x in texts) or not all(type(x) is int for x in numbers):
            raise IndexCorrupt("the embedder identity of the index has fields of the wrong kind; rebuild the index")
        return identity


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedQuery:
    """A question as a code, and as the vector the code was taken from.

    Parameters
    ----------
    code : ndarray of uint8, shape (dimensions / 8,)
        Packed signs, most significant bit first.
    vector : ndarray of float32, shape (dimensions,), or None
        For rescoring; None if only the code is known, as for a stored chunk.
    floor : float or None
        The noise floor of this question, if it is another than the embedder's.
    """

    code: NDArray[np.uint8]
    vector: NDArray[np.float32] | None = None
    floor: float | None = None

    @classmethod
    def from_vector(cls, vector: NDArray[np.float32], floor: float | None = None) -> EmbeddedQuery:
        """Take the signs of a float vector."""
        return cls(np.packbits(vector > 0), np.ascontiguousarray(vector, np.float32), floor)


@runtime_checkable
class Embedder(Protocol):
    """What quatrain asks of an embedder.

    Attributes
    ----------
    identity : EmbedderIdentity
    trust : float
        In (0, 1]; scales the weight of the semantic modality.
    noise_floor : float
        Cosine (float query against code signs) that questions without meaning reach; candidates below it are dropped.
    remote : bool
        Whether texts leave this machine.
    """

    @property
    def identity(self) -> EmbedderIdentity: ...

    @property
    def trust(self) -> float: ...

    @property
    def noise_floor(self) -> float: ...

    @property
    def remote(self) -> bool: ...

    def embed_documents(self, texts: Sequence[str], names: Sequence[str]) -> NDArray[np.uint8]:
        """Embed chunks with their name slots; uint8[n, dimensions / 8]."""

    def embed_query(self, text: str) -> EmbeddedQuery:
        """Embed a question."""


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What embedding some texts would cost.

    Parameters
    ----------
    texts : int
        Texts given.
    known : int
        Of these, how many need not be bought: already on disk, or given twice.
    tokens : int
        Estimated tokens of the rest.
    dollars : float
        Their price by the list price known to this release, free allowances not counted.
    """

    texts: int
    known: int
    tokens: int
    dollars: float


@runtime_checkable
class PaidEmbedder(Embedder, Protocol):
    """An embedder whose vectors cost money: it says how much before, and how much it was after.

    Attributes
    ----------
    tokens_billed : int
        Tokens billed to this object so far.
    progress : callable or None
        Called during `embed_documents` with (texts done, texts in all, tokens billed).
    """

    tokens_billed: int
    progress: Callable[[int, int, int], None] | None

    def estimate(self, texts: Sequence[str], names: Sequence[str]) -> CostEstimate:
        """Say what `embed_documents` would cost, without sending anything."""


_factories: dict[str, Callable[..., Embedder]] = {}


def register_embedder(name: str, factory: Callable[..., Embedder]) -> None:
    """Make ``embedder=name`` mean ``factory()``.

    Parameters
    ----------
    name : str
        Without a slash; ``"none"``, ``"bundled"`` and ``"voyage"`` are taken.
    factory : callable
        Called with the keyword arguments ``model`` (str) and ``dimensions`` (int) as far as the specification
        ``"name/model/dimensions"`` has them, and with those given to `get_embedder`.

    Raises
    ------
    ValueError
        The name is taken by quatrain itself, empty, or holds a slash.
    """
    if not name or "/" in name or name in ("none", *_BUILT_IN):
        raise ValueError(f"an embedder cannot be registered as {name!r}: choose a name of your own, without a slash")
    _factories[name] = factory


def _bundled(**options: Any) -> Embedder:
    from quatrain.embedders import bundled

    return bundled.load(**options)


def _voyage(model: str = "", **options: Any) -> Embedder:
    from quatrain.embedders.voyage import QUERY_DTYPES, VoyageEmbedder

    name, _, last = model.rpartition("/")
    if last in QUERY_DTYPES:
        model = name
        options.setdefault("query_dtype", last)
    if model:
        options["model"] = model
    return VoyageEmbedder(**options)


_BUILT_IN: dict[str, Callable[..., Embedder]] = {"bundled": _bundled, "voyage": _voyage}


def get_embedder(spec: str | Embedder | None = "bundled", **options: Any) -> Embedder | None:
    """Return the embedder that a specification names, or None for ``"none"``.

    Parameters
    ----------
    spec : str or Embedder or None
        ``"bundled"``, ``"voyage"``, a registered name, each optionally followed by ``/model`` and ``/dimensions``
        (``"voyage/voyage-code-3/1024"``; with ``/int8`` after its model, Voyage is asked for questions as 8-bit integers);
        ``"none"`` or None for no semantic modality; or an object that is an
        `Embedder`.
    **options
        Passed on to the provider.

    Raises
    ------
    BadQuery
        No embedder has that name, or the object lacks a part of the protocol.
    MissingExtra, EmbedderUnavailable
        The provider cannot be used here; the message says what to do.

    Examples
    --------
    >>> get_embedder("bundled").identity.dimensions
    1024
    >>> get_embedder("none") is None
    True
    """
    if spec is None or spec == "none":
        return None
    if not isinstance(spec, str):
        if not isinstance(spec, Embedder):
            missing = [
                n
                for n in ("identity", "trust", "noise_floor", "remote", "embed_documents", "embed_query")
                if not hasattr(spec, n)
            ]
            raise BadQuery(f"{type(spec).__name__} is no embedder: it lacks {', '.join(missing)}")
        if spec.identity.dimensions <= 0 or spec.identity.dimensions % 64:
            raise BadQuery(f"{spec.identity.spec}: dimensions must be a positive multiple of 64")
        return spec
    provider, *rest = spec.split("/")
    factory = _BUILT_IN.get(provider) or _factories.get(provider)
    if factory is None:
        known = ", ".join(sorted(["none", *_BUILT_IN, *_factories]))
        raise BadQuery(f"no embedder is called {provider!r}; known: {known} (register_embedder adds one)")
    # A model name may itself hold slashes ("org/model"); a trailing number is the dimensions.
    if rest and rest[-1].isdecimal():
        options.setdefault("dimensions", int(rest.pop()))
    if rest:
        options.setdefault("model", "/".join(rest))
    return factory(**options)
