"""Questions that describe definitions by what their headers say: "methods decorated with X", "classes that extend X",
"function taking a path and returning bytes".

A description is an optional kind of definition and clauses about its decorators, its bases, its parameters and what it
returns.  A question that consists of nothing else is ``whole``: the definitions that fit every clause are its answer.  In
any other question a clause counts only where its name has the shape of code, for "takes time" is prose.
"""

from __future__ import annotations

import re

from quatrain.query.names import word_set
from quatrain.records import Construct

__all__ = ["CALLABLES", "TYPES", "read_construct"]

TYPES = ("class", "interface", "trait", "struct", "union", "enum", "type", "annotation", "extension", "impl")
CALLABLES = ("function", "method", "constructor", "macro", "prototype", "alias")


# "function" is said of methods as well; a decorator can turn a method into a property.
_KIND_WORDS = {
    **dict.fromkeys(
        ("function", "func", "fn", "procedure", "subroutine", "coroutine", "callable"), (*CALLABLES, "property")
    ),
    "method": ("method", "constructor", "property"),
    "constructor": ("constructor", "method"),
    "property": ("property", "method", "field"),
    "field": ("field", "property", "variable", "constant"),
    "class": ("class", "struct", "enum", "union", "impl", "extension"),
    "struct": ("struct", "class", "impl", "extension"),
    "enum": ("enum", "class", "impl", "extension"),
    "interface": ("interface", "trait"),
    "trait": ("trait", "interface"),
    "protocol": ("interface", "trait", "class"),
    "type": TYPES,
    "definition": (),
    "symbol": (),
    "anything": (),
    "everything": (),
}
_PLURALS = {"classes": "class", "properties": "property"}
_NAME = r"[`'\"@]*(?P<{0}>[A-Za-z_$][\w$]*(?:(?:\.|::|\\)[A-Za-z_$][\w$]*)*)[`'\"]*"
_ARTICLE = r"(?:an?\s+|the\s+|any\s+|some\s+|one\s+)?"
_VERBS = r"(?!(?:return|tak|accept|receiv|that\b|which\b|decorat|annotat|extend|implement|inherit|and\b|is\b|are\b))"
_ITEM = rf"{_ARTICLE}{_VERBS}[`'\"]*[A-Za-z_$][\w$.:]*[`'\"]*(?:\s+(?:parameters?|arguments?|args?|params?))?"
_ATTRIBUTE = r"(?:decorators?|annotations?|attributes?)"
_CLAUSE = re.compile(
    r"(?:,?\s*(?:and|but)\b)?\s*(?:(?:that|which|who)\s+)?(?:(?:is|are|get|gets)\s+)?(?:directly\s+)?\b(?:"
    rf"(?:decorated|annotated)\s+(?:with|by)\s+{_ARTICLE}{_NAME.format('decorator')}(?:\s+{_ATTRIBUTE}\b)?"
    rf"|(?:with|have|has|having|use|uses|using)\s+{_ARTICLE}{_NAME.format('attribute')}\s+{_ATTRIBUTE}\b"
    r"|(?:implement(?:s|ed|ing)?|extend(?:s|ing)?|sub-?class(?:es|ing)?(?:\s+of)?|inherit(?:s|ing)?\s+from|deriv(?:es?|ed|ing)\s+from|"
    rf"implement(?:ations?|ors?|ers?)\s+of)\s+{_ARTICLE}{_NAME.format('base')}"
    rf"|(?:tak(?:es?|ing)|accept(?:s|ing)?|receiv(?:es?|ing)|with\s+parameters?)\s+"
    rf"(?P<parameters>{_ITEM}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+){_ITEM})*)"
    rf"|return(?:s|ing)?\s+{_ARTICLE}{_NAME.format('returns')}"
    r")(?=[\s,?!.;]|\Z)",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"\s*(?:please\s+)?(?:(?:find|list|show|give|get)\s+(?:me\s+)?|where\s+(?:is|are)\s+|(?:is|are)\s+there\s+)?"
    r"(?:(?:which|what|who|all|every|any|each|some|of|the|an?)\b\s*)*"
    rf"(?P<kind>(?:{'|'.join(_KIND_WORDS)})s?\b|classes\b|properties\b)?",
    re.IGNORECASE,
)
# Without one of these in lower case a text has no clause.
_CUES = word_set("decorat annotat implement exten class inherit deriv tak accept receiv parameter return attribute")
_SHAPED = re.compile(r"[A-Z]|_|\.|::|\\")
_ITEM_NAME = re.compile(rf"{_ARTICLE}[`'\"]*(?P<name>[A-Za-z_$][\w$.:]*)")
_LONGEST = 512  # characters; nobody describes a definition in more


def read_construct(text: str) -> Construct | None:
    """Return the description of definitions that a question is or contains, or None.

    Parameters
    ----------
    text : str
        The question, without inline filters.

    Examples
    --------
    >>> read_construct("functions taking a path and returning bytes")[3:]
    (('path',), ('bytes',), True)
    >>> read_construct("how long does it take to return") is None
    True
    """
    if len(text) > _LONGEST or not any(map(text.lower().__contains__, _CUES)):
        return None
    text = text.rstrip(" \t\n?!.;")
    head = _HEAD.match(text)
    kind = head["kind"] if head is not None else None
    found: list[re.Match[str]] = []
    at = head.end() if head is not None else 0
    while at < len(text) and (clause := _CLAUSE.match(text, at)) is not None:
        found.append(clause)
        at = clause.end()
    whole = bool(found) and at == len(text)
    names = _names(found)
    if whole and kind is None:
        # Without a kind "takes time" and "implements caching" are prose.
        whole = not (names["parameters"] or names["returns"]) and all(map(_is_code, (*names["base"],)))
    if not whole:
        kind = None
        names = {
            part: tuple(filter(_is_code, values)) if part != "decorator" else values
            for part, values in _names(list(_CLAUSE.finditer(text))).items()
        }
    if not any(names.values()):
        return None
    word = (kind or "").lower()
    word = _PLURALS.get(word, word)
    kinds = _KIND_WORDS.get(word, _KIND_WORDS.get(word.removesuffix("s"), ()))
    return Construct(kinds, names["decorator"], names["base"], names["parameters"], names["returns"], whole)


def _is_code(name: str) -> bool:
    return _SHAPED.search(name) is not None


def _names(clauses: list[re.Match[str]]) -> dict[str, tuple[str, ...]]:
    """Return the names of each part, each once, in the order of the question."""
    names: dict[str, dict[str, None]] = {"decorator": {}, "base": {}, "parameters": {}, "returns": {}}
    for clause in clauses:
        for part, value in clause.groupdict().items():
            if value is None:
                continue
            if part == "parameters":
                for item in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", value):
                    if (name := _ITEM_NAME.match(item)) is not None:
                        names[part][name["name"]] = None
            else:
                names["decorator" if part == "attribute" else part][value] = None
    return {part: tuple(values) for part, values in names.items()}
