r"""Rules of ``.gitignore`` files, with git's meaning to the letter.

A rule is translated into a regular expression over *bytes*, because git's wildcards count bytes.  A rule that ends in
a slash matches folders only; one without any other slash is matched against the last part of the path, any other
against the path below the folder of its file.  Within one file the last matching rule decides; a deeper file wins over
a higher one, and both over ``info/exclude`` and the user's global excludes.  Whoever walks the tree prunes ignored
folders, so nothing below one can be taken back in: that, too, is git's rule.

The translation cannot blow up on a hostile pattern: the leftmost match of a wildcard is always good enough for the
next one, so every wildcard but the last of its kind is an atomic group.

Reference: gitignore(5), and the semantics of wildmatch with the flag "pathname".
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

__all__ = ["IgnoreFile", "Rule", "parse_rules", "read_rules"]

_POSIX_CLASSES = {
    b"alnum": rb"0-9A-Za-z", b"alpha": rb"A-Za-z",
    b"blank": rb" \t", b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"!-~", b"lower": rb"a-z", b"print": rb" -~",
    b"punct": rb"!-/:-@\[-`{-~", b"space": rb" \t\n\r\f\v", b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}  # fmt: skip
_NEVER = rb"(?!)"


class Rule(NamedTuple):
    """One line of an ignore file."""

    expression: bytes  # for fullmatch
    include: bool  # a line that starts with "!"
    folders_only: bool
    by_name: bool  # matched against the last part of the path


class IgnoreFile:
    """The rules of one file, asked about paths below the folder that the file governs.

    Parameters
    ----------
    rules : iterable of Rule
        In the order of the file.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._compiled = [(re.compile(r.expression, re.DOTALL), r) for r in reversed(self.rules)]
        # Most paths match nothing, so one alternation that says "nothing" saves asking rule by rule.
        self._any_name = _union(r.expression for r in self.rules if r.by_name)
        self._any_path = _union(r.expression for r in self.rules if not r.by_name)

    def __bool__(self) -> bool:
        return bool(self.rules)

    @property
    def has_includes(self) -> bool:
        """Whether any rule takes something back in."""
        return any(r.include for r in self.rules)

    def verdict(self, path: bytes, name: bytes, is_folder: bool) -> bool | None:
        """Return True if the last matching rule ignores the path, False if it takes it back in, None if none matches.

        Parameters
        ----------
        path : bytes
            Path relative to the governed folder, without a trailing slash.
        name : bytes
            Its last part.
        is_folder : bool
            Whether it is a folder (a link to one is not).
        """
        by_name = self._any_name is not None and self._any_name.fullmatch(name)
        by_path = self._any_path is not None and self._any_path.fullmatch(path)
        if not by_name and not by_path:
            return None
        for expression, rule in self._compiled:
            if rule.folders_only and not is_folder:
                continue
            if rule.by_name:
                if by_name and expression.fullmatch(name):
                    return not rule.include
            elif by_path and expression.fullmatch(path):
                return not rule.include
        return None


def parse_rules(data: bytes) -> list[Rule]:
    """Return the rules of an ignore file's content.

    Examples
    --------
    >>> rules = IgnoreFile(parse_rules(b"*.log\\n!keep.log\\n/build/"))
    >>> rules.verdict(b"a/x.log", b"x.log", False), rules.verdict(b"keep.log", b"keep.log", False)
    (True, False)
    >>> rules.verdict(b"build", b"build", True), rules.verdict(b"a/build", b"build", True)
    (True, None)
    """
    rules = []
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.startswith(b"#"):
            continue
        pattern = _without_trailing_spaces(line.removesuffix(b"\r").split(b"\0", 1)[0])
        include = pattern.startswith(b"!")
        pattern = pattern[1:] if include else pattern
        folders_only = pattern.endswith(b"/")
        pattern = pattern[:-1] if folders_only else pattern
        if not pattern:
            continue
        by_name = b"/" not in pattern
        expression = _translate(pattern if by_name else pattern.removeprefix(b"/"), by_name)
        rules.append(Rule(expression, include, folders_only, by_name))
    return rules


def read_rules(path: bytes) -> IgnoreFile | None:
    """Return the rules of a file, or None if there is none.

    A rule file inside the tree is not followed if it is a link (git does not, either), and never blocks if it is a
    pipe.

    Raises
    ------
    OSError
        If the file exists and cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO):
            return None
        raise
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        rules = parse_rules(file.read(_MAX_RULE_BYTES))
    return IgnoreFile(rules) if rules else None


_MAX_RULE_BYTES = 8 << 20


def _union(expressions: Iterable[bytes]) -> re.Pattern[bytes] | None:
    joined = b"|".join(b"(?:" + e + b")" for e in expressions)
    return re.compile(joined, re.DOTALL) if joined else None


def _without_trailing_spaces(line: bytes) -> bytes:
    """Return the line without spaces at its end, unless a backslash protects the last of them."""
    end = len(line)
    kept = 0
    i = 0
    while i < end:
        if line[i] == 0x5C:
            i += 2
            kept = min(i, end)
            continue
        if line[i] != 0x20:
            kept = i + 1
        i += 1
    return line[:kept]


class _Token(NamedTuple):
    kind: str  # "text", "slash", "star" or "stars" (a "**" between slashes)
    expression: bytes


def _translate(pattern: bytes, by_name: bool) -> bytes:
    """Return the regular expression that matches what the pattern matches, for fullmatch."""
    tokens = _tokens(pattern, by_name)
    if tokens is None:
        return _NEVER
    pieces = [b""]  # what stands between two "**", each with its closing slash
    jumps: list[bytes] = []  # how the "**" before the next piece is crossed: over any folders, or over one at least
    segment: list[_Token] = []
    for token in tokens:
        if token.kind != "slash":
            segment.append(token)
        elif segment and segment[-1].kind == "stars":
            # Only a beginning without wildcards can stand before "**" here; git compares it apart: a**/b matches "ab".
            pieces[-1] += _segment(segment[:-1])
            pieces.append(b"")
            jumps.append(b"/" if token.expression == b"/" else b"")
            segment = []
        else:
            pieces[-1] += _segment(segment) + b"/"
            segment = []
    pieces[-1] += _segment(segment[:-1]) + b".*" if segment and segment[-1].kind == "stars" else _segment(segment)
    result = pieces[0]
    for piece, jump in zip(pieces[1:-1], jumps, strict=False):
        # The first place where a piece fits is good enough for all that follows.
        result += b"(?>" + (b"(?:.*?/)??" if jump else b".*?/") + piece + b")"
    if jumps:
        result += (b"(?:.*/)?" if jumps[-1] else b".*/") + pieces[-1]
    return result


def _segment(tokens: list[_Token]) -> bytes:
    stars = [i for i, t in enumerate(tokens) if t.kind == "star"]
    if not stars:
        return b"".join(t.expression for t in tokens)
    result = b"".join(t.expression for t in tokens[: stars[0]])
    for this, following in pairwise(stars):
        result += rb"(?>[^/]*?" + b"".join(t.expression for t in tokens[this + 1 : following]) + rb")"
    return result + rb"[^/]*" + b"".join(t.expression for t in tokens[stars[-1] + 1 :])


def _tokens(pattern: bytes, by_name: bool) -> list[_Token] | None:
    """Return the tokens of a pattern, or None if it is malformed and therefore matches nothing."""
    tokens: list[_Token] = []
    literal_so_far = True
    i = 0
    while i < len(pattern):
        c = pattern[i : i + 1]
        if c == b"\\":
            if i + 1 == len(pattern):
                return None
            c = pattern[i + 1 : i + 2]
            tokens.append(_Token("slash", b"\\/") if c == b"/" else _Token("text", re.escape(c)))
            literal_so_far = False
            i += 2
        elif c == b"/":
            tokens.append(_Token("slash", b"/"))
            i += 1
        elif c == b"?":
            tokens.append(_Token("text", b"[^/]"))
            literal_so_far = False
            i += 1
        elif c == b"*":
            end = i
            while pattern[end : end + 1] == b"*":
                end += 1
            bounded_left = not tokens or tokens[-1].kind == "slash" or literal_so_far
            bounded_right = end == len(pattern) or pattern[end : end + 1] == b"/" or pattern[end : end + 2] == b"\\/"
            double = end - i >= 2 and bounded_left and bounded_right and not by_name
            tokens.append(_Token("stars" if double else "star", b""))
            literal_so_far = False
            i = end
        elif c == b"[":
            bracket = _bracket(pattern, i)
            if bracket is None:
                return None
            expression, i = bracket
            tokens.append(_Token("text", expression))
            literal_so_far = False
        else:
            tokens.append(_Token("text", re.escape(c)))
            i += 1
    return tokens


def _bracket(pattern: bytes, start: int) -> tuple[bytes, int] | None:
    """Return the set that begins at ``start`` as an expression, and where it ends; None if it does not end."""
    i = start + 1
    negated = pattern[i : i + 1] in (b"!", b"^")
    i += negated
    members = b""
    previous = -1
    first = True
    while True:
        if i >= len(pattern):
            return None
        c = pattern[i]
        if c == 0x5D and not first:
            break
        first = False
        if c == 0x2D and previous >= 0 and i + 1 < len(pattern) and pattern[i + 1] != 0x5D:
            i += 1
            if pattern[i] == 0x5C:
                i += 1
                if i >= len(pattern):
                    return None
            if previous <= pattern[i]:
                members += re.escape(bytes([previous])) + b"-" + re.escape(bytes([pattern[i]]))
            previous = -1
        elif c == 0x5B and pattern[i + 1 : i + 2] == b":":
            end = pattern.find(b"]", i + 2)
            if end < 0:
                return None
            if end - i >= 3 and pattern[end - 1] == 0x3A:
                posix = _POSIX_CLASSES.get(pattern[i + 2 : end - 1])
                if posix is None:
                    return None
                members += posix
                previous = -1
                i = end
            else:
                members += rb"\["
                previous = c
        else:
            if c == 0x5C:
                i += 1
                if i >= len(pattern):
                    return None
                c = pattern[i]
            members += re.escape(bytes([c]))
            previous = c
        i += 1
    if negated:
        return b"[^/" + members + b"]", i + 1
    return (rb"(?!/)[" + members + b"]" if members else _NEVER), i + 1
