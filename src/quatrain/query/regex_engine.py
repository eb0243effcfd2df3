"""Compile a pattern for RE2, once for ASCII text and once, when such text comes up, for all of Unicode."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from quatrain.errors import BadQuery
from quatrain.query import codepoints
from quatrain.query.codepoints import NEWLINE, Ranges
from quatrain.query.regex import (
    Alternate,
    Chars,
    Concat,
    Look,
    Node,
    Repeat,
    boundaries,
    has_uppercase,
    literal,
    parse,
    spell,
    spell_ascii,
    spell_chars,
    strip_newlines,
    without_boundaries,
)
from quatrain.query.regex_trigrams import RequiredLiteral, Tree, has_literal, required_literal, trigram_tree

__all__ = ["Boundary", "Pattern", "Program", "compile_pattern"]

MOST_BYTES = 1 << 16  # of a pattern
ENGINE_MEMORY = 1 << 26


class Program:
    """A compiled RE2 pattern."""

    def __init__(self, pattern: str | bytes, *, group: int = 0, latin1: bool = False) -> None:
        import re2

        options = re2.Options()
        options.log_errors = False
        options.never_capture = group == 0
        options.max_mem = ENGINE_MEMORY
        if latin1:
            options.encoding = re2.Options.Encoding.LATIN1
        try:
            self._match = re2.compile(pattern, options)._regexp.Match
        except re2.error as error:
            reason = error.args[0].decode("utf-8", "replace") if isinstance(error.args[0], bytes) else str(error)
            raise BadQuery(f"RE2 refuses the pattern: {reason}; use a simpler one") from None
        self._anchor = re2._Anchor.UNANCHORED
        self._group = group

    def search(self, text: Any, start: int, end: int) -> tuple[int, int] | None:
        """Return the leftmost match within ``text[start:end]``; the text around it is what ``^``, ``$`` and ``\\b`` see."""
        span = self._match(self._anchor, text, start, end)[self._group]
        return None if span[0] < 0 else span


class Boundary:
    """Unicode word boundaries, which RE2 lacks.

    The pattern tells few kinds of characters apart.  Each kind gets one byte, an ASCII letter or digit if its characters
    are word characters and another byte if not, and pattern and text are rewritten in these bytes: RE2's ASCII ``\\b``
    then falls where the Unicode one does.

    Bytes that are not UTF-8 are matched by nothing, but they have neighbours.  Seen from the left such bytes are no word
    character.  Seen from the right, ripgrep's engine looks back up to four bytes for the beginning of a character, and
    takes the one it finds even where it ended before.
    """

    # One each is kept for undecodable bytes.
    _WORDS = (*range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x61, 0x7B))
    _OTHERS = (*range(1, 10), *range(11, 0x30), *range(0x3A, 0x41), *range(0x5B, 0x5F), 0x60, *range(0x7B, 0xFE))
    _LIKE_WORD, _LIKE_OTHER, _INVALID = 0x5F, 0xFE, 0xFF

    def __init__(self, node: Node, whole_word: bool) -> None:
        self._only_inside = boundaries(node) == {"not_boundary"} and not whole_word
        word = codepoints.word()
        sets = sorted({*_sets(node), NEWLINE, word, _not_word()} - {()})
        edges = sorted(
            {0, 0xD800, 0xE000}
            | {low for one in sets for low, _ in one}
            | {high + 1 for one in sets for _, high in one}
        )
        members = np.zeros((len(edges), len(sets)), np.bool_)
        for column, one in enumerate(sets):
            for low, high in np.searchsorted(edges, [(low, high + 1) for low, high in one]):
                members[low:high, column] = True
        kinds, kind_of = np.unique(members, axis=0, return_inverse=True)
        words, others = iter(self._WORDS), iter(self._OTHERS)
        codes: list[int] = []
        for kind in kinds:
            if kind[sets.index(NEWLINE)]:
                codes.append(0x0A)
                continue
            code = next(words if kind[sets.index(word)] else others, None)
            if code is None:
                raise BadQuery("the pattern has too many different characters beside a word boundary; shorten it")
            codes.append(code)
        self._edges = np.array(edges)
        self._codes = np.array(codes, np.uint8)[kind_of.reshape(-1)]
        self._is_word = members[:, sets.index(word)]
        spelled = {(): r"[^\x{0}-\x{FF}]"}
        for column, one in enumerate(sets):
            own = "".join(f"\\x{{{code:X}}}" for code, kind in zip(codes, kinds, strict=True) if kind[column])
            spelled[one] = f"[{own}]"
        beside = spelled[_not_word()].replace("]", f"\\x{{{self._LIKE_OTHER:X}}}]")
        pattern = _frame(node, whole_word, spelled.__getitem__, beside)
        self.program = Program(pattern.encode("latin-1"), group=int(whole_word), latin1=True)

    def rewrite(self, text: bytes, first: bool) -> tuple[bytes, np.ndarray]:
        """Return the text in kinds, and the byte offset in ``text`` of each place between them.

        ``first`` says that nothing stands before the text; otherwise a newline does.
        """
        decoded = text.decode("utf-8", "surrogateescape")
        points = np.frombuffer(decoded.encode("utf-32-le", "surrogatepass"), np.uint32)
        interval = np.searchsorted(self._edges, points, side="right") - 1
        invalid = (points >= 0xD800) & (points <= 0xDFFF)
        lengths = np.where(invalid, 1, 1 + (points >= 0x80) + (points >= 0x800) + (points >= 0x10000))
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        kinds = self._codes[interval]
        if not invalid.any():
            return kinds.tobytes(), offsets
        rewritten, places = bytearray(), []
        is_word = self._is_word[interval]
        for i, (kind, is_invalid) in enumerate(zip(kinds.tolist(), invalid.tolist(), strict=True)):
            if not is_invalid:
                rewritten.append(kind)
                places.append(int(offsets[i]))
            elif i + 1 == len(points) or not invalid[i + 1]:
                begin = i
                while begin and invalid[begin - 1]:
                    begin -= 1
                before = bool(is_word[begin - 1]) if begin else False
                after = bool(is_word[i + 1]) if i + 1 < len(points) else False
                faces = self._faces(text, int(offsets[i + 1]), first, before, after)
                rewritten += bytes(faces)
                places += [int(offsets[begin])] * len(faces)
        return bytes(rewritten), np.array([*places, len(text)])

    def _faces(self, text: bytes, end: int, first: bool, before: bool, after: bool) -> list[int]:
        """Return what stands for undecodable bytes that end at ``end``, between word characters or others."""
        back = self._look_back(text, end, first)
        if not self._only_inside:
            return [self._INVALID, back]
        # Beside such bytes ``\\B`` never holds: show each neighbour its opposite.
        left = self._INVALID if before else self._LIKE_WORD
        right = back if back != self._INVALID else self._INVALID if after else self._LIKE_WORD
        same = (left == self._LIKE_WORD) == (right == self._LIKE_WORD)
        return [left, self._INVALID if left == self._LIKE_WORD else self._LIKE_WORD, right] if same else [left, right]

    def _look_back(self, text: bytes, end: int, first: bool) -> int:
        context = text[max(end - 4, 0) : end]
        if end < 4 and not first:
            context = b"\n" + context
        start = len(context) - 1
        while start > 0 and context[start] & 0xC0 == 0x80:
            start -= 1
        lead = context[start]
        length = 1 if lead < 0x80 else 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4
        try:
            point = ord(context[start : start + length].decode())
        except (UnicodeDecodeError, TypeError):
            return self._INVALID
        is_word = self._is_word[np.searchsorted(self._edges, point, side="right") - 1]
        return self._LIKE_WORD if is_word else self._LIKE_OTHER


def _sets(node: Node) -> Iterable[Ranges]:
    if isinstance(node, Chars):
        yield node.ranges
    elif isinstance(node, Repeat):
        yield from _sets(node.node)
    elif not isinstance(node, Look):
        for part in node.parts:
            yield from _sets(part)


def _always(node: Node) -> bool:
    """Return whether the empty text at any place matches."""
    if isinstance(node, Repeat):
        return node.least == 0 or _always(node.node)
    if isinstance(node, Concat):
        return all(map(_always, node.parts))
    return isinstance(node, Alternate) and any(map(_always, node.parts))


def _not_word() -> Ranges:
    return codepoints.difference(codepoints.negate(codepoints.word()), NEWLINE)


def _frame(node: Node, whole_word: bool, chars: Callable[[Ranges], str], beside: str = "") -> str:
    """Spell a pattern; for whole words with what stands beside it, and the pattern itself as a group."""
    if not whole_word:
        return f"(?m){spell(node, chars)}"
    beside = beside or chars(_not_word())
    return f"(?m)(?:^|{beside})({spell(node, chars)})(?:$|{beside})"


class Pattern:
    """One pattern and everything that searching for it needs.

    Attributes
    ----------
    tree : Tree
        What trigrams a file must have.
    needles : tuple of RequiredLiteral
        Bytes that a match in text that is not ASCII, or is, must have.
    multiline : bool
        A match may hold a newline.
    always : bool
        Every line matches.
    by_line : bool
        ripgrep finds candidate lines by a literal and then looks at each line by itself, not at what stands before it.
    """

    def __init__(self, node: Node, whole_word: bool = False, multiline: bool = False) -> None:
        spans_lines = multiline and any(low <= 0x0A <= high for one in _sets(node) for low, high in one)
        self.multiline = multiline and (spans_lines or _has_text_looks(node))
        if not self.multiline:
            node = strip_newlines(node)
        self.always = _always(node) and not whole_word
        self.needles = (required_literal(node, False), required_literal(node, True))
        self.tree: Tree | bytes = True if self.always else trigram_tree(node)
        self.by_line = has_literal(node)
        self.exact = not whole_word  # a needle that is the whole pattern needs no program
        kinds = boundaries(node)
        unicode_kinds = {kind for kind in kinds if not kind.startswith("ascii_")}
        if len(unicode_kinds) != len(kinds) and unicode_kinds:
            raise BadQuery("ASCII and Unicode word boundaries cannot stand in one pattern")
        self._bounded = bool(unicode_kinds)
        self._whole_word = whole_word
        self._node = node
        if not (self.exact and self.needles[1].whole):
            _ = self.ascii_program  # compile now, so that a bad pattern is refused whatever the files

    @classmethod
    def of_literal(cls, text: str) -> Pattern:
        """Return the pattern of a case-sensitive literal, without a tree of its characters."""
        self = cls.__new__(cls)
        needle = RequiredLiteral(text.encode("utf-8", "surrogateescape"), False, True)
        self.needles, self.tree = (needle, needle), needle.text
        self.multiline, self.always, self.exact = "\n" in text, False, True
        return self

    @cached_property
    def ascii_program(self) -> Program:
        """For text that is ASCII throughout."""
        return Program(_frame(self._node, self._whole_word, spell_ascii), group=int(self._whole_word))

    @cached_property
    def program(self) -> Program:
        """For any text; where `boundary` is not None it also finds what that one then rejects."""
        return Program(_frame(without_boundaries(self._node), False, spell_chars))

    @cached_property
    def boundary(self) -> Boundary | None:
        """Decides on text that is not ASCII when word boundaries matter."""
        return Boundary(self._node, self._whole_word) if self._bounded or self._whole_word else None


def _has_text_looks(node: Node) -> bool:
    if isinstance(node, Look):
        return node.kind.startswith("text_")
    if isinstance(node, Repeat):
        return _has_text_looks(node.node)
    return not isinstance(node, Chars) and any(map(_has_text_looks, node.parts))


@lru_cache(maxsize=128)
def compile_pattern(
    pattern: str, *, regex: bool, ignore_case: bool, smart_case: bool, whole_word: bool, multiline: bool
) -> Pattern:
    """Compile what the user searches for.

    Parameters
    ----------
    pattern : str
    regex : bool
        It is a regular expression, not a literal.
    ignore_case, smart_case : bool
        Ignore case always, or when the pattern has no upper-case letter.
    whole_word : bool
        Neither neighbour of a match is a word character.
    multiline : bool
        A match may span lines.

    Returns
    -------
    Pattern

    Raises
    ------
    BadQuery
        Empty, too long, with a NUL byte, malformed, or beyond RE2.
    """
    if not pattern:
        raise BadQuery("the pattern is empty; give some text to look for")
    if "\0" in pattern:
        raise BadQuery("the pattern holds a NUL byte, which no indexed text has; remove it")
    if len(pattern) > MOST_BYTES:
        raise BadQuery(
            f"the pattern has {len(pattern)} characters, at most {MOST_BYTES} are allowed; look for a part of it"
        )
    ignore_case = ignore_case or (smart_case and not has_uppercase(pattern, regex))
    if not regex and "\n" in pattern and not multiline:
        raise BadQuery("the pattern has a newline, but lines are searched one by one; use multiline")
    if not (regex or ignore_case or whole_word):
        return Pattern.of_literal(pattern)
    if any("\ud800" <= char <= "\udfff" for char in pattern):
        raise BadQuery("the pattern is not Unicode text; a case-sensitive literal may hold other bytes")
    if regex:
        node = parse(pattern, ignore_case=ignore_case)
    else:
        node = literal(pattern, ignore_case)
    return Pattern(node, whole_word, multiline)
