"""Stage 1: a folder becomes a list of files, each with its language, its flags and, if it is left out, the reason."""

from quatrain.files.decoding import MAX_FILE_BYTES, read_source
from quatrain.files.discover import Discovery, discover, nothing_indexed
from quatrain.files.flags import flag_paths, path_flags
from quatrain.files.languages import LANGUAGES, content_class, language_of, resolve_languages, with_language

__all__ = [
    "LANGUAGES",
    "MAX_FILE_BYTES",
    "Discovery",
    "content_class",
    "discover",
    "flag_paths",
    "language_of",
    "nothing_indexed",
    "path_flags",
    "read_source",
    "resolve_languages",
    "with_language",
]
