"""Voyage's embedding models through their own client, for those who choose them: ``embedder="voyage"`` and a key.

Nothing here runs, is imported or sends anything unless the embedder is chosen.  Documents are bought as packed bits
(``output_dtype="ubinary"``); a question as one vector of floats or of 8-bit integers, which gives both the bits and the
rescoring vector.
Every document vector is written to disk as it arrives and is never bought again.  The client's tokeniser is never
used, since it contacts a hub: batches are cut by an estimate of tokens per byte that is corrected from the count each
answer carries.
"""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quatrain.embedders.protocol import CostEstimate, EmbeddedQuery, EmbedderIdentity
from quatrain.errors import BadQuery, EmbedderUnavailable, MissingExtra

__all__ = ["VoyageEmbedder"]

DEFAULT_MODEL = "voyage-code-3"
DEFAULT_DIMENSIONS = 512
QUERY_DEADLINE = 2.0  # seconds of wall time, whatever the client's own timeout makes of them
WIDTHS = (256, 512, 1024, 2048)
QUERY_DTYPES = ("float", "int8")

_WIRE = {"float": np.float32, "int8": np.int8, "ubinary": np.uint8}  # what a value of each output_dtype is

_MAX_ITEMS = 1000  # texts a request
_FILL = 0.8  # of a cap, since token counts are estimates
_CONTEXT_TOKENS = 32_000  # of one text
_ATTEMPTS = 8
_BATCH_TIMEOUT = 60.0
_MAX_STUCK_QUERIES = 4
_KEPT_QUERIES = 256
# Tokens a byte assumed before the first answer.  Source code measures 0.3 to 0.5; mixed text has been seen near 1.
_FIRST_RATE = 0.5
_LOWEST_RATE = 0.2


@dataclass(frozen=True, slots=True)
class _Family:
    request_tokens: int
    dollars_per_million: float


# Tokens a request and list price, by the longest matching prefix of the model's name.
_FAMILIES = {
    "voyage-code-3": _Family(120_000, 0.18),
    "voyage-4-lite": _Family(1_000_000, 0.02),
    "voyage-4-large": _Family(120_000, 0.12),
    "voyage-4": _Family(320_000, 0.06),
    "voyage-3.5-lite": _Family(1_000_000, 0.02),
    "voyage-3.5": _Family(320_000, 0.06),
    "voyage-3-large": _Family(120_000, 0.18),
    "": _Family(120_000, 0.18),
}


class VoyageEmbedder:
    """Embed with a Voyage model.

    Parameters
    ----------
    model : str
        ``"voyage-code-3"``, or one of the general family such as ``"voyage-4"`` or ``"voyage-3.5"``.
    dimensions : int
        256, 512, 1024 or 2048.
    cache_dir : Path, optional
        Where bought vectors are kept; default: ``QUATRAIN_CACHE_DIR``, else the user's cache directory.
    query_dtype : str
        ``"float"``, or ``"int8"``, a quarter of the bytes: what a question is asked for as, for its bits and for
        rescoring.  A dimension that the service rounds to 0 has the bit 0 and no weight.  Documents do not depend on it.
    concurrency : int
        Requests in flight while documents are embedded.
    base_url : str, optional
        Of another endpoint that speaks the same protocol.
    deadline : float
        Seconds of wall time after which a question is given up.
    progress : callable, optional
        Called with (texts done, texts in all, tokens billed) after every answer.

    Raises
    ------
    MissingExtra
        The ``voyageai`` package is not installed.
    EmbedderUnavailable
        ``VOYAGE_API_KEY`` is not set.
    BadQuery
        Voyage offers no vectors of that width, or questions are asked for as something else.

    Notes
    -----
    The key is read from ``VOYAGE_API_KEY`` only, and is neither stored nor put into a message.  The noise floor is 0: it has
    not been measured for these models.
    """

    trust = 1.0
    noise_floor = 0.0
    remote = True

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        dimensions: int = DEFAULT_DIMENSIONS,
        *,
        query_dtype: str = "float",
        cache_dir: Path | None = None,
        concurrency: int = 4,
        base_url: str | None = None,
        deadline: float = QUERY_DEADLINE,
        progress: Callable[[int, int, int], None] | None = None,
    ) -> None:
        if dimensions not in WIDTHS:
            raise BadQuery(f"voyage offers {', '.join(map(str, WIDTHS))} dimensions, not {dimensions}")
        if query_dtype not in QUERY_DTYPES:
            raise BadQuery(f"a question is asked for as {' or '.join(QUERY_DTYPES)}, not {query_dtype!r}")
        if find_spec("voyageai") is None:
            raise MissingExtra("embedder 'voyage' needs its client: pip install 'quatrain[voyage]'")
        if not os.environ.get("VOYAGE_API_KEY"):
            raise EmbedderUnavailable(
                "embedder 'voyage' needs a key: set VOYAGE_API_KEY, or use embedder='bundled', which needs none"
            )
        self._identity = EmbedderIdentity("voyage", model, dimensions, "ubinary", "1")
        self._family = _FAMILIES[max((p for p in _FAMILIES if model.startswith(p)), key=len)]
        self._base_url, self._deadline, self._query_dtype = base_url, deadline, query_dtype
        self.progress = progress
        self._concurrency = max(1, concurrency)
        self._cache_path = (
            (cache_dir or _cache_dir()) / "embeddings" / f"{self._identity.spec.replace('/', '-')}.sqlite"
        )
        self._rate, self._rate_lock = _FIRST_RATE, threading.Lock()
        self._queries: OrderedDict[str, EmbeddedQuery] = OrderedDict()
        self._stuck = threading.BoundedSemaphore(_MAX_STUCK_QUERIES)
        self.tokens_billed = 0
        self.texts_split = 0

    @property
    def identity(self) -> EmbedderIdentity:
        """Provider, model, dimensions, dtype and version."""
        return self._identity

    @property
    def spec(self) -> str:
        """The string that makes `get_embedder` return this embedder, e.g. ``"voyage/voyage-code-3/int8/512"``."""
        if self._query_dtype == "float":
            return self._identity.spec
        return f"voyage/{self._identity.model}/{self._query_dtype}/{self._identity.dimensions}"

    # --- questions ---------------------------------------------------------------------------------------------------

    def embed_query(self, text: str) -> EmbeddedQuery:
        """Embed a question with one request, within the deadline.

        Raises
        ------
        EmbedderUnavailable
            The service did not answer in time, refused, or cannot be reached.
        """
        known = self._queries.get(text)
        if known is not None:
            return known
        client, errors = self._client(self._deadline)
        if not self._stuck.acquire(blocking=False):
            raise EmbedderUnavailable(
                f"voyage: {_MAX_STUCK_QUERIES} earlier questions are still unanswered; try again later"
            )
        answer: Future[Any] = Future()

        def ask() -> None:
            try:
                answer.set_result(self._request(client, [text], "query", self._query_dtype))
            except BaseException as error:
                answer.set_exception(error)
            finally:
                self._stuck.release()

        # A daemon: the client's timeout bounds silences, not the whole call, and a stuck call must not keep the
        # process alive.
        threading.Thread(target=ask, name="voyage-query", daemon=True).start()
        try:
            rows, _ = answer.result(self._deadline)
        except TimeoutError:
            raise EmbedderUnavailable(f"voyage did not answer within {self._deadline:g} s") from None
        except (errors.VoyageError, _ShortAnswer) as error:
            raise EmbedderUnavailable(f"voyage could not embed the question: {self._told(error)}") from None
        query = self._queries[text] = EmbeddedQuery.from_vector(rows[0])
        if len(self._queries) > _KEPT_QUERIES:
            with suppress(KeyError):  # another thread may have been first
                self._queries.popitem(last=False)
        return query

    # --- documents ---------------------------------------------------------------------------------------------------

    def estimate(self, texts: Sequence[str], names: Sequence[str]) -> CostEstimate:
        """Say what `embed_documents` would cost, without sending anything."""
        documents = [_document(text, name) for text, name in zip(texts, names, strict=True)]
        with closing(_Store(self._cache_path, self._identity)) as store:
            missing = store.missing({self._key(d): d for d in documents})
        tokens = sum(self._tokens(d) for d in missing.values())
        dollars = tokens * self._family.dollars_per_million / 1e6
        return CostEstimate(len(documents), len(documents) - len(missing), tokens, dollars)

    def embed_documents(self, texts: Sequence[str], names: Sequence[str]) -> NDArray[np.uint8]:
        """Embed chunks, buying only those that are not on disk yet.

        Parameters
        ----------
        texts, names : sequence of str, shape (n,)
            A name slot is sent as a line before its text.

        Returns
        -------
        ndarray of uint8, shape (n, dimensions / 8)
            Packed signs.

        Raises
        ------
        EmbedderUnavailable
            The service cannot be reached or refuses.  What was bought until then is kept: the next call goes on from
            there.
        """
        documents = [_document(text, name) for text, name in zip(texts, names, strict=True)]
        keys = [self._key(d) for d in documents]
        with closing(_Store(self._cache_path, self._identity)) as store:
            missing = store.missing(dict(zip(keys, documents, strict=True)))
            if missing:
                self._buy(missing, len(documents) - len(missing), len(documents), store)
            codes = store.read(keys)
        width = self._identity.dimensions // 8
        return np.frombuffer(b"".join(codes), np.uint8).reshape(len(keys), width).copy()

    def _buy(self, missing: dict[bytes, str], done: int, total: int, store: _Store) -> None:
        client, errors = self._client(_BATCH_TIMEOUT)
        stop = threading.Event()
        waiting = self._batches(list(missing.items()))
        running: set[Future[list[tuple[bytes, bytes]]]] = set()
        failure: BaseException | None = None
        with ThreadPoolExecutor(self._concurrency, thread_name_prefix="voyage") as pool:
            try:
                while True:
                    while failure is None and len(running) < self._concurrency and (batch := next(waiting, None)):
                        # Whatever a worker has paid for comes back even if the batch as a whole fails.
                        running.add(pool.submit(self._embed_batch, client, errors, batch, stop, store))
                    if not running:
                        break
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        try:
                            bought = future.result()
                        except (errors.VoyageError, _ShortAnswer, EmbedderUnavailable) as error:
                            failure = failure or error
                            stop.set()
                            continue
                        done += len(bought)
                        if self.progress is not None:
                            self.progress(done, total, self.tokens_billed)
            except BaseException:
                stop.set()  # an interrupt: let the workers end their requests, start no more
                raise
        if failure is not None:
            kept = total - len(store.missing(missing))
            raise EmbedderUnavailable(
                f"voyage failed with {kept} of {total} texts embedded: {self._told(failure)}; "
                "what was bought is kept, run again to go on"
            ) from None

    def _batches(self, items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
        """Cut batches by the estimate as it stands when each is sent."""
        start = 0
        while start < len(items):
            budget, end, tokens = self._family.request_tokens * _FILL, start, 0
            while end < len(items) and end - start < _MAX_ITEMS:
                tokens += self._tokens(items[end][1])
                if tokens > budget and end > start:
                    break
                end += 1
            yield items[start:end]
            start = end

    def _embed_batch(
        self, client: Any, errors: Any, batch: list[tuple[bytes, str]], stop: threading.Event, store: _Store
    ) -> list[tuple[bytes, bytes]]:
        """Buy one batch and store it; halve it when the service says that it is too large."""
        if len(batch) == 1 and self._tokens(batch[0][1]) > _CONTEXT_TOKENS * _FILL:
            return self._embed_split(client, errors, batch[0], stop, store)
        long = [item for item in batch if self._tokens(item[1]) > _CONTEXT_TOKENS * _FILL]
        if long:
            rest = [item for item in batch if self._tokens(item[1]) <= _CONTEXT_TOKENS * _FILL]
            parts = ([rest] if rest else []) + [[item] for item in long]
            return [pair for part in parts for pair in self._embed_batch(client, errors, part, stop, store)]
        try:
            rows, tokens = self._with_retries(client, errors, [text for _, text in batch], stop)
        except errors.InvalidRequestError:
            if len(batch) == 1:
                return self._embed_split(client, errors, batch[0], stop, store)
            half = len(batch) // 2
            return [
                pair
                for part in (batch[:half], batch[half:])
                for pair in self._embed_batch(client, errors, part, stop, store)
            ]
        pairs = [(key, row.tobytes()) for (key, _), row in zip(batch, rows, strict=True)]
        store.add(pairs)
        self._learn(tokens, sum(len(text.encode("utf-8", "replace")) for _, text in batch))
        return pairs

    def _embed_split(
        self, client: Any, errors: Any, item: tuple[bytes, str], stop: threading.Event, store: _Store
    ) -> list[tuple[bytes, bytes]]:
        """Embed a text that is too long in pieces; each bit is what most of them have, the first deciding ties."""
        key, text = item
        pieces = _pieces(text, int(_CONTEXT_TOKENS * _FILL / max(self._rate, _LOWEST_RATE) / 2))
        if len(pieces) == 1:
            if len(text) < 2000:
                # Too short to be too long: the refusal is about something else, and no split will help.
                rows, _ = self._with_retries(client, errors, [text], stop)
                pairs = [(key, rows[0].tobytes())]
                store.add(pairs)
                return pairs
            pieces = _pieces(text, -(-len(text) // 2))
        keyed = [(self._key(piece), piece) for piece in pieces]
        missing = store.missing(dict(keyed))
        for piece in missing.items():
            self._embed_batch(client, errors, [piece], stop, store)
        bits = np.unpackbits(
            np.frombuffer(b"".join(store.read([k for k, _ in keyed])), np.uint8).reshape(len(keyed), -1), axis=1
        )
        votes = bits.sum(0, dtype=np.int64) * 2 - len(keyed)
        code = np.packbits(np.where(votes == 0, bits[0], votes > 0).astype(np.uint8)).tobytes()
        store.add([(key, code)])
        self.texts_split += 1
        return [(key, code)]

    def _with_retries(
        self, client: Any, errors: Any, texts: list[str], stop: threading.Event
    ) -> tuple[list[NDArray[np.uint8]], int]:
        for attempt in range(_ATTEMPTS):
            if stop.is_set():
                raise EmbedderUnavailable("stopped after another request failed")
            try:
                return self._request(client, texts, "document", "ubinary")
            except (errors.InvalidRequestError, errors.AuthenticationError, errors.MalformedRequestError):
                raise
            except (errors.VoyageError, _ShortAnswer) as error:
                status = getattr(error, "http_status", None)
                if attempt + 1 == _ATTEMPTS or (
                    status is not None and 400 <= status < 500 and status not in (408, 409, 429)
                ):
                    raise
                stop.wait(self._pause(attempt, error))
        raise AssertionError("unreachable")

    def _pause(self, attempt: int, error: BaseException) -> float:
        """Exponential back-off with full jitter, no shorter than the service asks for."""
        asked = 0.0
        with suppress(TypeError, ValueError, AttributeError):
            asked = min(float(error.headers["Retry-After"]), 120.0)  # type: ignore[attr-defined]
        return max(asked, random.uniform(0.1, 1.0) * min(0.5 * 2**attempt, 30.0))

    # --- the wire ----------------------------------------------------------------------------------------------------

    def _request(self, client: Any, texts: list[str], input_type: str, dtype: str) -> tuple[list[NDArray[Any]], int]:
        """Make one call and check that the answer is whole."""
        try:
            answer = client.embed(
                texts,
                model=self._identity.model,
                input_type=input_type,
                truncation=False,
                output_dtype=dtype,
                output_dimension=self._identity.dimensions,
            )
            tokens = int(answer.total_tokens)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise _ShortAnswer(f"an answer was malformed ({type(error).__name__}: {error})") from None
        with self._rate_lock:
            self.tokens_billed += tokens
        width = self._identity.dimensions // (8 if dtype == "ubinary" else 1)
        rows = answer.embeddings
        if len(rows) != len(texts) or any(len(row) != width for row in rows):
            raise _ShortAnswer(
                f"an answer held {len(rows)} vectors for {len(texts)} texts, or vectors of another width than {width}"
            )
        return [np.array(row, _WIRE[dtype]) for row in rows], tokens

    def _client(self, timeout: float) -> tuple[Any, Any]:
        try:
            import voyageai
            from voyageai import error as errors
        except ImportError as error:
            raise MissingExtra(
                f"the voyageai package cannot be imported ({error}): pip install 'quatrain[voyage]'"
            ) from None
        key = os.environ.get("VOYAGE_API_KEY")
        if not key:
            raise EmbedderUnavailable("VOYAGE_API_KEY is no longer set")
        # Retries are ours: the client's know neither a shared stop nor a deadline.
        return voyageai.Client(api_key=key, max_retries=1, timeout=timeout, base_url=self._base_url), errors

    def _told(self, error: BaseException) -> str:
        """Return what an error says, on one line and without the key."""
        text = " ".join(str(error).split()) or type(error).__name__
        key = os.environ.get("VOYAGE_API_KEY")
        return (text.replace(key, "***") if key else text)[:300]

    def _tokens(self, text: str) -> int:
        return int(len(text.encode("utf-8", "replace")) * self._rate) + 1

    def _learn(self, tokens: int, size: int) -> None:
        """Follow the measured rate: up at once, down slowly."""
        if tokens and size:
            measured = tokens / size * 1.1
            with self._rate_lock:
                self._rate = max(measured, 0.7 * self._rate + 0.3 * measured, _LOWEST_RATE)

    def _key(self, document: str) -> bytes:
        return blake2b(document.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class _ShortAnswer(Exception):
    """The service answered, but not with one whole vector a text."""


def _document(text: str | bytes, name: str | bytes) -> str:
    """Return what is sent for a chunk; the service refuses empty strings and cannot take lone surrogates."""
    parts = [x.decode("utf-8", "replace") if isinstance(x, bytes) else x for x in (name, text)]
    joined = "\n".join(part for part in parts if part.strip()) or "."
    return joined.encode("utf-8", "replace").decode()


def _pieces(text: str, size: int) -> list[str]:
    """Cut a text into pieces of at most ``size`` characters, at a line's end where there is one."""
    pieces, start = [], 0
    while start < len(text):
        end = min(start + max(size, 1), len(text))
        if end < len(text):
            end = max(text.rfind("\n", start + 1, end) + 1, 0) or end
        if text[start:end].strip():
            pieces.append(text[start:end])
        start = end
    return pieces


def _cache_dir() -> Path:
    base = os.environ.get("QUATRAIN_CACHE_DIR")
    if base:
        return Path(base)
    import platformdirs

    return Path(platformdirs.user_cache_dir("quatrain", appauthor=False))


class _Store:
    """Bought codes by the hash of their text, one SQLite file a model; a batch is on disk before it counts."""

    def __init__(self, path: Path, identity: EmbedderIdentity) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._width, self._lock = identity.dimensions // 8, threading.Lock()
        try:
            self._db = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS codes (key BLOB PRIMARY KEY, code BLOB NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.Error as error:
            raise EmbedderUnavailable(
                f"the store of bought vectors {path} cannot be used ({error}); repair or delete it"
            ) from None
        with suppress(OSError):
            path.chmod(0o600)

    def missing(self, documents: dict[bytes, str]) -> dict[bytes, str]:
        """Return the documents that have no code yet, in their order."""
        with self._lock:
            have = self._db.execute
            return {
                k: d for k, d in documents.items() if have("SELECT 1 FROM codes WHERE key = ?", (k,)).fetchone() is None
            }

    def read(self, keys: Sequence[bytes]) -> list[bytes]:
        """Return the codes of keys that are all known."""
        with self._lock:
            codes = [self._db.execute("SELECT code FROM codes WHERE key = ?", (k,)).fetchone() for k in keys]
        if any(row is None or len(row[0]) != self._width for row in codes):
            raise EmbedderUnavailable("the store of bought vectors lost an entry; delete it and run again")
        return [row[0] for row in codes]

    def add(self, pairs: list[tuple[bytes, bytes]]) -> None:
        """Write codes in one transaction."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany("INSERT OR REPLACE INTO codes VALUES (?, ?)", pairs)
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                raise EmbedderUnavailable(
                    f"bought vectors cannot be written to disk ({error}); free some space"
                ) from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()
