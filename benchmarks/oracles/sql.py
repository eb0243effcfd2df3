"""What SQL files create, by reading them the way a client does: one statement after the other, with strings, comments and bodies skipped.

Knows psql (``\\command`` lines, the data after ``COPY ... FROM stdin``, dollar quotes, nested comments), MySQL (backslashes in strings,
backquotes, ``#`` comments, ``DELIMITER``) and SQLite (bodies of triggers between BEGIN and END).  Nothing of the package is used.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["created"]

OBJECTS = {
    *("table", "view", "function", "procedure", "aggregate", "trigger", "rule", "operator", "event", "type", "domain", "index"),
    *("policy", "sequence", "schema", "database", "package"),
}  # fmt: skip
# Words that may stand between CREATE and what is created.
BEFORE = {
    *("or", "replace", "alter", "global", "local", "temp", "temporary", "unlogged", "unique", "fulltext", "spatial", "recursive", "foreign"),
    *("materialized", "virtual", "constraint", "event", "algorithm", "definer", "sql", "security", "=", "invoker", "undefined", "merge"),
}  # fmt: skip
SYMBOLS = "+-*/<>=~!@#%^&|`?"


class Token(NamedTuple):
    """A word, a quoted name, or one other character."""

    text: str
    line: int
    quoted: bool


def created(text: str, mysql: bool) -> list[tuple[str, int]]:
    """Return (name, line) of every object that a script creates."""
    found = []
    waiting = _statements(text, mysql)
    for statement in waiting:
        if [t.text.lower() for t in statement[:2]] == ["create", "schema"]:  # may hold the statements for what is in it
            waiting += [statement[n:] for n, t in enumerate(statement) if n and t.text.lower() == "create"]
        if len(statement) < 3 or statement[0].text.lower() != "create":
            continue
        at = 1
        while at < len(statement) - 1 and statement[at].text.lower() in BEFORE:
            follows = statement[at + 1].text.lower()
            if statement[at].text.lower() == "event" and follows != "trigger":
                break
            if statement[at].text.lower() == "definer":
                while statement[at].text.lower() not in OBJECTS | {"sql"} and at < len(statement) - 1:
                    at += 1
                continue
            at += 1
        what = statement[at].text.lower()
        if what not in OBJECTS:
            continue
        at += 1
        if what == "operator" and statement[at].text.lower() in ("class", "family"):
            continue
        if statement[at].text.lower() == "concurrently":
            at += 1
        if [t.text.lower() for t in statement[at : at + 3]] == ["if", "not", "exists"]:
            at += 3
        if at >= len(statement) or (statement[at].text.lower() in ("on", "authorization") and not statement[at].quoted):
            continue  # an index or a schema without a name of its own
        while at + 2 < len(statement) and statement[at + 1].text == ".":
            at += 2
        name, line = statement[at].text, statement[at].line
        if what == "operator":
            while at + 1 < len(statement) and statement[at + 1].text in SYMBOLS:
                at += 1
                name += statement[at].text
        found.append((name, line))
    return found


def _statements(text: str, mysql: bool) -> list[list[Token]]:
    """Return the tokens of each statement, without what stands in strings, comments and bodies."""
    statements: list[list[Token]] = []
    current: list[Token] = []
    at, line, end, depth = 0, 1, ";", 0
    fresh = True  # nothing but blanks since the line began

    def skip(until: int) -> int:
        nonlocal line
        line += text.count("\n", at, until)
        return until

    def find(what: str, start: int) -> int:
        place = text.find(what, start)
        return len(text) if place < 0 else place + len(what)

    while at < len(text):
        c = text[at]
        if c == "\n":
            line += 1
            at += 1
            fresh = True
            continue
        if c.isspace():
            at += 1
            continue
        if fresh and (c == "\\" or text[at : at + 10].lower() == "delimiter "):
            stop = text.find("\n", at)
            words = text[at : stop if stop >= 0 else len(text)].split()
            if c != "\\" and len(words) > 1:
                end = words[1]
            at = stop if stop >= 0 else len(text)
            continue
        fresh = False
        if text.startswith("--", at) or (mysql and c == "#"):
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
        elif text.startswith("/*", at):
            nested, place = 1, at + 2
            while nested and place < len(text):
                if text.startswith("*/", place):
                    nested, place = nested - 1, place + 2
                elif text.startswith("/*", place) and not mysql:
                    nested, place = nested + 1, place + 2
                else:
                    place += 1
            at = skip(place)
        elif text.startswith(end, at) and depth == 0:
            statements.append(current)
            copies = [t.text.lower() for t in current]
            at += len(end)
            if copies[:1] == ["copy"] and "stdin" in copies:
                place = find("\n\\.", at)
                if text.startswith("\n\\.", place - 3):  # refused on purpose, or its data are elsewhere
                    at = skip(place)
            current = []
        elif c == "'":
            escapes = mysql or (
                bool(current) and current[-1].text in "eE" and text[at - 1] in "eE" and not current[-1].quoted
            )
            place = at + 1
            while place < len(text):
                if escapes and text[place] == "\\":
                    place += 2
                elif text[place] == "'":
                    place += 1
                    if text[place : place + 1] != "'":
                        break
                    place += 1
                else:
                    place += 1
            at = skip(min(place, len(text)))
        elif c in '"`':
            place = find(c, at + 1)
            current.append(Token(text[at + 1 : place - 1], line, True))
            at = skip(place)
        elif c == "$" and not mysql:
            stop = at + 1
            while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
                stop += 1
            if text[stop : stop + 1] == "$" and not text[at + 1 : at + 2].isdigit():
                tag = text[at : stop + 1]
                at = skip(find(tag, stop + 1))
            else:
                at = stop
        elif c.isalnum() or c == "_" or c > "\x7f":
            stop = at
            while stop < len(text) and (text[stop].isalnum() or text[stop] in "_$" or text[stop] > "\x7f"):
                stop += 1
            word = text[at:stop]
            current.append(Token(word, line, False))
            at = stop
            # The bodies of triggers and routines that are no strings.
            kinds = {t.text.lower() for t in current[:6]} & {"trigger", "function", "procedure"}
            if end == ";" and current[0].text.lower() == "create" and kinds:
                lower = word.lower()
                if lower in ("begin", "case") and (depth or lower == "begin"):
                    depth += 1
                elif lower == "end" and depth:
                    depth -= 1
        else:
            current.append(Token(c, line, False))
            at += 1
    statements.append(current)
    return statements
