"""Inline filters: ``lang:python path:src -path:vendor kind:class content:docs re:/^def \\w+/ the question itself``.

They are read as users of code search engines expect, and everything else is literal: a colon, a leading dash or an
unbalanced quote is never an error.  A filter stands at the beginning of a word, outside quotes, with its value directly behind the colon.

=================  ====================================================================================================================
``lang:go``        only this language (also ``language:``; repeated or separated by commas: any of them); an unknown one is an error
``path:api``       only paths that contain this, or match it where it has ``*``, ``?`` or ``[`` (also ``file:``)
``-path:vendor``   no such paths (also ``-file:``)
``kind:class``     only definitions of this kind
``content:docs``   ``code`` (the default), ``docs``, ``config`` or ``all``
``re:/ab+c/``      a regular expression, to the last slash that ends a word; ``re:ab+c`` to the next blank
=================  ====================================================================================================================

A value may stand in double quotes.  Quote a whole word (``"lang:go"``) to search for its characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import NamedTuple

from quatrain.errors import BadQuery
from quatrain.records import SYMBOL_KINDS, Filters

__all__ = ["CONTENT_CLASSES", "ParsedQuery", "parse_query"]

CONTENT_CLASSES = ("code", "docs", "config", "all")

_KIND_ALIASES = MappingProxyType(
    {"func": "function", "def": "function", "const": "constant", "var": "variable", "ctor": "constructor"}
)

_FILTER = re.compile(
    r"(?<!\S)(?P<minus>-?)(?P<name>lang|language|path|file|kind|content):(?P<value>\"[^\"]*\"|[^\s\"':/][^\s\"]*|"
    r"/(?!/)[^\s\"]*)(?=\s|\Z)",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"(?<!\S)re:/(?P<body>(?:[^/\\\n]|\\.|/(?!\s|\Z))*)/(?=\s|\Z)", re.IGNORECASE)
_BARE = re.compile(r"(?<!\S)re:(?P<body>[^\s/]\S*)(?=\s|\Z)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_OPEN = re.compile(r"(?<!\S)re:/\S*", re.IGNORECASE)
_QUOTED = re.compile(r'(?<!\S)"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|`[^`\n]*`')


class ParsedQuery(NamedTuple):
    """A query taken apart."""

    text: str  # what is left when the filters are taken out; may be empty when there is a pattern
    filters: Filters
    pattern: str | None  # the regular expression of ``re:``
    notes: tuple[str, ...]  # words that look like a filter but were read as text


def parse_query(
    text: str, *, resolve: Callable[[list[str]], Iterable[str]], base: Filters | None = None
) -> ParsedQuery:
    """Take the inline filters out of a query.

    Parameters
    ----------
    text : str
        What the user typed.
    resolve : callable
        Turns the names that ``lang:`` gives into languages, or raises UnknownLanguage
        (`quatrain.files.languages.resolve_languages`).
    base : Filters, optional
        Filters given otherwise (options of the command line); inline ones are added, an inline ``content:`` wins.

    Returns
    -------
    ParsedQuery

    Raises
    ------
    UnknownLanguage
        ``lang:`` names none that ``resolve`` knows.
    BadQuery
        Two ``re:`` expressions, or only filters and nothing to search for.

    Examples
    --------
    >>> parsed = parse_query("lang:python -path:tests who calls send", resolve=list)
    >>> parsed.text, parsed.filters.languages, parsed.filters.paths
    ('who calls send', ('python',), ('!*tests*',))
    """
    base = base or Filters()
    if ":" not in text:
        return ParsedQuery(text, base, None, ())
    found_languages = list(base.languages)
    paths, kinds = list(base.paths), list(base.kinds)
    content = base.content
    patterns: list[str] = []
    notes: list[str] = []
    taken: list[tuple[int, int]] = []
    protected = [match.span() for match in _QUOTED.finditer(text)]

    for expression in (_SLASHED, _BARE):
        for match in expression.finditer(text):
            if not _inside(match.start(), protected) and not _inside(match.start(), taken):
                patterns.append(_ESCAPE.sub(lambda escape: "/" if escape[0] == r"\/" else escape[0], match["body"]))
                taken.append(match.span())
    for match in _FILTER.finditer(text):
        if _inside(match.start(), protected) or _inside(match.start(), taken):
            continue
        name, minus = match["name"].lower(), match["minus"]
        value = match["value"].strip('"')
        if not value:
            continue
        if name in ("path", "file"):
            paths.append(f"{'!' if minus else ''}{_glob(value)}")
        elif minus:
            notes.append(f"{match[0]} was read as text: only -path: can exclude")
            continue
        elif name in ("lang", "language"):
            found_languages += resolve([part for part in value.split(",") if part])
        elif name == "kind":
            named = [_KIND_ALIASES.get(part.lower(), part.lower()) for part in value.split(",") if part]
            if not all(part in SYMBOL_KINDS for part in named):
                notes.append(f"{match[0]} was read as text: kind: takes {', '.join(SYMBOL_KINDS)}")
                continue
            kinds += named
        else:
            if value.lower() not in CONTENT_CLASSES:
                notes.append(f"{match[0]} was read as text: content: takes {', '.join(CONTENT_CLASSES)}")
                continue
            content = value.lower()
        taken.append(match.span())

    for match in _OPEN.finditer(text):
        if not _inside(match.start(), protected) and not _inside(match.start(), taken):
            notes.append(f"{match[0]} was read as text: re:/ needs a closing slash at the end of a word")

    if len(patterns) > 1:
        raise BadQuery("a query can hold one re: expression; join them with | into one")
    if not taken:
        return ParsedQuery(text, base, None, tuple(notes))
    rest = _without(text, taken)
    if not rest and not patterns:
        raise BadQuery("the query has filters but nothing to search for; add a word, a question or re:/.../")
    filters = Filters(_unique(found_languages), _unique(paths), _unique(kinds), content)
    return ParsedQuery(rest, filters, patterns[0] if patterns else None, tuple(notes))


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in spans)


def _glob(value: str) -> str:
    return value if any(sign in value for sign in "*?[") else f"*{value}*"


def _unique(values: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    kept, position = [], 0
    for start, end in sorted(spans):
        kept.append(text[position:start].strip(" \t"))
        position = end
    kept.append(text[position:].strip(" \t"))
    return " ".join(part for part in kept if part).strip()
