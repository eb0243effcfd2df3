"""Which definitions fit a description of their headers: decorators, bases, parameters and what they return.

Everything is read from what the index stores of a definition.  Bases are the edges of inheritance in the graph; decorators
are compared by the name that is applied, without its arguments; parameters and results are taken from the signature.  A
definition fits when every clause holds, and its strength is the weakest clause's:

============  ===============================================================================================
1             the decorator, the base, the parameter or the type is called what the question says
0.8, "fuzzy"  the last word of the parameter or type is: ``HttpRequest`` for "a request"
0.5, "fuzzy"  the header declares no result, but the definition's name or documentation says it: ``to_bytes``
============  ===============================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from quatrain.indexes.graph import KIND
from quatrain.indexes.symbols import KIND_CODE
from quatrain.query.constructs import CALLABLES, TYPES

if TYPE_CHECKING:
    from quatrain.records import Construct
    from quatrain.retrieval.view import IndexView

__all__ = ["fitting", "header_parts"]

LAST_WORD = 0.8
BY_HINT = 0.5
_INHERIT = KIND["inherit"]
_SEPARATORS = re.compile(r"::|[.\\#]")
_DECORATOR_NAME = re.compile(r"[\w$]+(?:(?:\.|::|\\)[\w$]+)*")
_IDENTIFIER = re.compile(r"[^\W\d][\w$]*")
_BRACKETS = re.compile(r"""->|=>|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[()\[\]{}<>,]""")
_EFFECTS = re.compile(r"\A\s*(?:(?:async|throws|rethrows|const|noexcept)\b\s*)+(?=->)")
_COMMENT = re.compile(r"/\*.*?\*/")
_AFTER_RESULT = re.compile(r"\b(?:throws|where|raises)\b|=>|\{|=|:\s*(?:#|//)")
# What prose calls a type, and what languages call it.
_TYPE_WORDS = {
    "bytes": "bytes bytearray bytestring buffer uint8array",
    "string": "string str charsequence",
    "boolean": "boolean bool",
    "integer": "integer int long i32 i64 u32 u64 usize isize int32 int64 uint32 uint64 bigint",
    "number": "number int integer long float double decimal f32 f64",
    "list": "list array vec vector slice arraylist",
    "array": "list array vec vector slice arraylist",
    "dictionary": "dict dictionary map hashmap mapping",
    "dict": "dict dictionary map hashmap mapping",
    "map": "dict dictionary map hashmap mapping",
    "nothing": "none void unit undefined",
}
_NAMES_OF_TYPE = {word: frozenset(names.split()) for word, names in _TYPE_WORDS.items()}
# Types that are written with signs, by the word for them.
_SIGNS_OF_TYPE = {"bytes": ("byte[", "]byte", "]uint8", "u8"), "list": ("[]",), "array": ("[]",)}
_BYTES_TYPE = re.compile(
    r"\bbyte\s*\[\s*\]|\[\s*\]\s*(?:byte|uint8)\b|\bVec\s*<\s*u8\s*>|\[\s*u8\s*(?:;[^\]]*)?\]", re.IGNORECASE
)
_LIST_TYPE = re.compile(r"[\w.]+(?:<[^<>]*>)?\s*(?:\[\s*\])+|\[\s*\]\s*[\w.*]+")
# Types that hold one other, which is what people speak of.
_WRAPPERS = frozenset(
    re.findall(
        r"\w+",
        "optional option promise future completablefuture task result awaitable coroutine union annotated box arc rc io "
        "maybe readonly single mono",
    )
)


def fitting(
    construct: Construct, view: IndexView | Any
) -> tuple[list[tuple[np.ndarray, np.ndarray, str]], tuple[str, ...]]:
    """Return the definitions that fit a description.

    Parameters
    ----------
    construct : Construct
        What must hold.
    view : IndexView
        The opened indexes.

    Returns
    -------
    parts : list of (ndarray of int64, ndarray of float64, str)
        Symbols, strengths in (0, 1], and the mark of these symbols: "" or "fuzzy".
    notes : tuple of str
        How many fit, and how many of them are guesses.
    """
    symbols = view.symbols
    sets = [_decorated(name, view) for name in construct.decorators]
    sets += [_extending(name, view) for name in construct.bases]
    ids = None if not sets else sets[0]
    for one in sets[1:]:
        ids = np.intersect1d(ids, one)
    called = bool(construct.parameters or construct.returns)
    if called:
        for name in construct.parameters:
            mentioned = symbols.signatures.rows_containing(_spellings(name))
            ids = mentioned if ids is None else np.intersect1d(ids, mentioned)
        if ids is None:
            ids = _may_return(construct.returns[0], view)
    assert ids is not None  # a construct has at least one clause
    kinds = construct.kinds or ((*CALLABLES, "property") if called else TYPES if construct.bases else ())
    if kinds:
        ids = ids[np.isin(symbols.kinds[ids], [KIND_CODE[kind] for kind in kinds])]
    values = np.ones(len(ids))
    if called:
        values = np.array([_signature_fits(construct, symbol, view) for symbol in ids.tolist()], np.float64)
        ids, values = ids[values > 0], values[values > 0]
    guesses = values < 1.0
    if not len(ids):
        return [], ("no definition fits the description",) if construct.whole else ()
    count = "1 definition fits" if len(ids) == 1 else f"{len(ids):,} definitions fit"
    guessed = f", {int(guesses.sum()):,} of them as a guess" if guesses.any() else ""
    parts = [
        (ids[chosen], values[chosen], mark) for chosen, mark in ((~guesses, ""), (guesses, "fuzzy")) if chosen.any()
    ]
    return parts, (f"{count} the description{guessed}",)


def _decorated(name: str, view: IndexView | Any) -> np.ndarray:
    """Return the symbols to which a decorator or annotation is applied."""
    table = view.symbols.decorators
    wanted = _SEPARATORS.split(name)
    found = []
    for symbol in table.rows_matching(re.compile(re.escape(wanted[-1].encode()))).tolist():
        for line in table[symbol].split("\n"):
            applied = _DECORATOR_NAME.match(line)
            if applied is not None and _SEPARATORS.split(applied[0])[-len(wanted) :] == wanted:
                found.append(symbol)
                break
    return np.array(found, np.int64)


def _extending(name: str, view: IndexView | Any) -> np.ndarray:
    """Return the symbols that name a base, whatever they call it where they are."""
    graph, symbols = view.graph, view.symbols
    targets = np.array(symbols.resolve(name), np.int64)
    rows = graph.into_all(targets)
    last = _SEPARATORS.split(name)[-1]
    named = symbols.names.find(last)
    if named >= 0 and (last == name or not len(targets)):  # a base from outside the index has a name only
        rows = np.concatenate([rows, graph.named(named)])
    callers = graph.callers[rows[graph.kinds[rows] == _INHERIT]].astype(np.int64)
    return np.unique(callers[callers < symbols.count])


def _spellings(name: str) -> set[str]:
    """Return lower-case words of which every signature has one that says ``name``, or a type that the word stands for."""
    word = _SEPARATORS.split(name)[-1].lower()
    return {word, *_NAMES_OF_TYPE.get(word, ()), *_SIGNS_OF_TYPE.get(word, ())}


def _may_return(name: str, view: IndexView | Any) -> np.ndarray:
    """Return the symbols whose signature or documentation has the word."""
    symbols = view.symbols
    word = _SEPARATORS.split(name)[-1].lower()
    documented = symbols.docstrings.rows_containing((word,))
    return np.union1d(symbols.signatures.rows_containing(_spellings(name)), documented)


def _signature_fits(construct: Construct, symbol: int, view: IndexView | Any) -> float:
    """Return how well parameters and results fit: 1, less for a guess, 0 if they do not."""
    symbols = view.symbols
    name = symbols.name(symbol)
    parameters, returned = header_parts(symbols.signatures[symbol], name)
    strength = 1.0
    for wanted in construct.parameters:
        strength = min(strength, max((_says(part.partition("=")[0], wanted) for part in parameters), default=0.0))
    for wanted in construct.returns:
        said = _says(returned, wanted)
        if not said and _hints(wanted, name, symbols.docstrings[symbol], returned):
            said = BY_HINT
        strength = min(strength, said)
    return strength


def header_parts(signature: str, name: str) -> tuple[tuple[str, ...], str]:
    """Return the parameters of a signature as written, and what stands where a result is declared.

    The result stands behind the list of parameters, or it is the word before the name, which may be a keyword as well.

    Examples
    --------
    >>> header_parts("def read(path: Path, *, size=0) -> bytes", "read")
    (('path: Path', ' *', ' size=0'), 'def  -> bytes')
    >>> header_parts("public static byte[] read(Path path) throws IOException", "read")
    (('Path path',), 'byte[]  ')
    """
    signature = _COMMENT.sub(" ", signature)
    own = _place_of(name, signature)
    if own < 0:
        return (), ""
    parts: list[str] = []
    depth, start, end = 0, -1, len(signature)
    for match in _BRACKETS.finditer(signature, own + len(name)):
        token = match[0]
        if token in ("(", "[", "{", "<"):
            depth += 1
            if token == "(" and depth == 1:
                start = match.end()
        elif token in (")", "]", "}", ">"):
            depth -= 1
            if depth == 0 and start >= 0:
                parts.append(signature[start : match.start()])
                end = match.end()
                break
        elif token == "," and depth == 1 and start >= 0:
            parts.append(signature[start : match.start()])
            start = match.end()
    before = _last_word(re.sub(r"(?:\w+(?:<[^<>]*>)?::)+$", "", signature[:own]))
    # What a function throws stands before its result in Swift and behind it in Java.
    after = _AFTER_RESULT.split(_EFFECTS.sub("", signature[end:]), maxsplit=1)[0]
    return tuple(part for part in parts if part.strip()), before + after


def _place_of(name: str, text: str) -> int:
    """Return where a name stands that is no part of a longer one, or -1; every definition has its own name."""
    at = text.find(name)
    while at >= 0 and (_goes_on(text[at - 1 : at]) or _goes_on(text[at + len(name) : at + len(name) + 1])):
        at = text.find(name, at + 1)
    return at


def _goes_on(char: str) -> bool:
    return char.isalnum() or char in ("_", "$")


def _last_word(text: str) -> str:
    """Return the last word outside of brackets with the brackets behind it: the type before a name; not a receiver."""
    depth, start = 0, 0
    text = text.rstrip()
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in ")]}>") - (text[at] in "([{<")
        if depth <= 0 and text[at].isspace():
            start = at + 1
            break
    return "" if text.startswith("(", start) else f"{text[start:]} "


def _says(text: str, wanted: str) -> float:
    """Return how well a parameter or a declared result is called ``wanted``: 1, `LAST_WORD` or 0."""
    wanted = _SEPARATORS.split(wanted)[-1]
    word = wanted.lower()
    names = _NAMES_OF_TYPE.get(word, frozenset((word,)))
    found = list(_outer_names(text))
    if any(name.lower() in names for name in found):
        return 1.0
    if word == wanted and any(_ends_in_word(name, word) for name in found):
        return LAST_WORD
    return 0.0


def _ends_in_word(name: str, word: str) -> bool:
    at = len(name) - len(word)
    if at <= 0 or name[at:].lower() != word:
        return False
    return name[at - 1] in "_$" or (name[at].isupper() and not name[at - 1].isupper())


def _outer_names(text: str) -> Iterable[str]:
    """Yield the identifiers of a written type or parameter that stand in no bracket but that of a wrapper."""
    text = _LIST_TYPE.sub(" list ", _BYTES_TYPE.sub(" bytes ", text))
    kept: list[bool] = []
    last = ""
    at = 0
    for match in _BRACKETS.finditer(text):
        outer = all(kept)
        if outer:
            for name in _IDENTIFIER.findall(text[at : match.start()]):
                last = name
                yield name
        token = match[0]
        if token in ("(", "[", "{", "<"):
            # A list of results in Go opens with nothing before it.
            head = _IDENTIFIER.search(text[at : match.start()]) if outer else None
            kept.append(outer and (last.lower() in _WRAPPERS if head is not None else token == "("))
        elif token in (")", "]", "}", ">") and kept:
            kept.pop()
        at = match.end()
    if all(kept):
        yield from _IDENTIFIER.findall(text[at:])


def _hints(wanted: str, name: str, documentation: str, returned: str) -> bool:
    """Return whether a definition that declares no result is called, or documented to return, ``wanted``."""
    if "->" in returned or ":" in returned:
        return False
    word = _SEPARATORS.split(wanted)[-1].lower()
    if _ends_in_word(name, word) and not name.lower().startswith("test"):
        return True
    said = re.match(rf"returns?\s+(?:an?\s+|the\s+)?(?:\w+\s+)?{re.escape(word)}\b", documentation, re.IGNORECASE)
    return said is not None
