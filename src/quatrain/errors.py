"""Every foreseen failure, one tree.  Each message says what went wrong and what to do next."""

__all__ = [
    "BadPath",
    "BadQuery",
    "EmbedderMismatch",
    "EmbedderUnavailable",
    "IndexCorrupt",
    "IndexLocked",
    "IndexMissing",
    "IndexVersion",
    "MissingExtra",
    "NothingIndexed",
    "QuatrainError",
    "SymbolNotFound",
    "UnknownLanguage",
]


class QuatrainError(Exception):
    """Base of all errors that quatrain raises on purpose."""


class BadQuery(QuatrainError, ValueError):
    """The query, pattern or filter cannot be understood: empty, too long, a NUL byte, a regex that does not compile."""


class BadPath(QuatrainError, ValueError):
    """A path is outside the indexed root, missing, or not of the expected kind."""


class UnknownLanguage(QuatrainError, ValueError):
    """A language filter names a language that quatrain does not know."""


class SymbolNotFound(QuatrainError, LookupError):
    """No definition has the requested name."""


class NothingIndexed(QuatrainError):
    """A folder that is not empty yielded no file; the message lists the reasons."""


class IndexMissing(QuatrainError):
    """There is no index for this root."""


class IndexCorrupt(QuatrainError):
    """The index is damaged: a checksum, a bound or a length does not hold."""


class IndexVersion(QuatrainError):
    """The index was written by a newer format than this release reads."""


class IndexLocked(QuatrainError):
    """Another process is writing this index."""


class EmbedderMismatch(QuatrainError):
    """The index holds vectors of another embedder than the one asked for."""


class EmbedderUnavailable(QuatrainError):
    """The embedder cannot be reached or has no key."""


class MissingExtra(QuatrainError, ImportError):
    """A feature needs an optional dependency that is not installed."""
