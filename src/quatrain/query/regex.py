"""Regular expressions in ripgrep's dialect: parse them, and spell them for RE2.

The dialect is that of the Rust ``regex`` crate as ripgrep sets it up: Unicode classes and boundaries, ``^`` and ``$`` at
lines, ``.`` never a newline and never a byte that is not UTF-8.  RE2 differs (``\\w``, ``\\d``, ``\\s`` and ``\\b`` are ASCII
there), so a pattern is parsed to a tree whose leaves are sets of code points, and that tree is spelled for RE2 with
nothing left to interpret.  What RE2 cannot express is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, NoReturn

from quatrain.errors import BadQuery
from quatrain.query import codepoints
from quatrain.query.codepoints import ASCII, NEWLINE, Ranges

__all__ = [
    "EMPTY",
    "Alternate",
    "Chars",
    "Concat",
    "Look",
    "Node",
    "Repeat",
    "boundaries",
    "has_uppercase",
    "literal",
    "parse",
    "spell",
    "spell_ascii",
    "spell_chars",
    "strip_newlines",
    "without_boundaries",
]

MOST_DEPTH = 100
MOST_REPEAT = 1000  # RE2 unrolls no more in one piece


class Chars(NamedTuple):
    """One character of a set."""

    ranges: Ranges


class Look(NamedTuple):
    """A position: ``line_start``, ``line_end``, ``text_start``, ``text_end``, ``boundary``, ``not_boundary`` (Unicode or, with the
    prefix ``ascii_``, ASCII), ``word_start``, ``word_end``, ``start_half``, ``end_half``."""

    kind: str


class Repeat(NamedTuple):
    """``least`` to ``most`` times (None: any number)."""

    node: Node
    least: int
    most: int | None
    greedy: bool


class Concat(NamedTuple):
    """One after the other."""

    parts: tuple[Node, ...]


class Alternate(NamedTuple):
    """Either, the earlier preferred."""

    parts: tuple[Node, ...]


Node = Chars | Look | Repeat | Concat | Alternate
EMPTY = Concat(())


def literal(text: str, ignore_case: bool) -> Node:
    """Return the tree of a literal."""
    points = [((ord(c), ord(c)),) for c in text]
    return _concat([Chars(codepoints.fold(one) if ignore_case else one) for one in points])


def _concat(parts: list[Node]) -> Node:
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Concat) else (part,))
    return flat[0] if len(flat) == 1 else Concat(tuple(flat))


class _Flags(NamedTuple):
    ignore_case: bool = False
    multi_line: bool = True
    dot_all: bool = False
    swap_greed: bool = False
    unicode: bool = True
    verbose: bool = False


_FLAG_OF = {"i": "ignore_case", "m": "multi_line", "s": "dot_all", "U": "swap_greed", "u": "unicode", "x": "verbose"}
_CONTROLS = {"a": 7, "f": 12, "t": 9, "n": 10, "r": 13, "v": 11}
_PERL = {"d": "digit", "s": "space", "w": "word"}
_META = frozenset("\\.+*?()|[]{}^$#&-~")


class _Parser:
    def __init__(self, pattern: str, ignore_case: bool, dot_all: bool) -> None:
        self.pattern = pattern
        self.at = 0
        self.depth = 0
        self.names: set[str] = set()
        self.flags = _Flags(ignore_case=ignore_case, dot_all=dot_all)
        self.uppercase = False
        self.any_literal = False

    def fail(self, reason: str) -> NoReturn:
        raise BadQuery(f"regex {self.pattern[:200]!r}, position {self.at}: {reason}")

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.pattern[at] if at < len(self.pattern) else ""

    def take(self) -> str:
        char = self.peek()
        self.at += 1
        return char

    def skip_space(self) -> None:
        """Skip white space and comments where the flag ``x`` says so."""
        while self.flags.verbose and self.at < len(self.pattern):
            if self.peek().isspace():
                self.at += 1
            elif self.peek() == "#":
                end = self.pattern.find("\n", self.at)
                self.at = len(self.pattern) if end < 0 else end + 1
            else:
                return

    # --- expressions ---

    def parse(self) -> Node:
        node = self.alternation()
        if self.at < len(self.pattern):
            self.fail("unopened group: `)` without `(`")
        return node

    def alternation(self) -> Node:
        branches = [self.branch()]
        while self.peek() == "|":
            self.at += 1
            branches.append(self.branch())
        return branches[0] if len(branches) == 1 else Alternate(tuple(branches))

    def branch(self) -> Node:
        parts: list[Node] = []
        while True:
            self.skip_space()
            char = self.peek()
            if not char or char in "|)":
                return _concat(parts)
            if char in "*+?{":
                if not parts or parts[-1] is None:
                    self.fail(f"nothing to repeat before {char!r}; write \\{char} for the character")
                parts[-1] = self.repetition(parts[-1])
                continue
            node = self.atom()
            if node is not None:
                parts.append(node)
            elif self.peek() and self.peek() in "*+?{":
                self.fail("nothing to repeat before the quantifier")

    def repetition(self, node: Node) -> Node:
        char = self.take()
        if char == "{":
            least, most = self.bounds()
        else:
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
        self.skip_space()
        lazy = self.peek() == "?"
        self.at += lazy
        return Repeat(node, least, most, lazy == self.flags.swap_greed)

    def bounds(self) -> tuple[int, int | None]:
        end = self.pattern.find("}", self.at)
        if end < 0:
            self.fail("unclosed repetition; write \\{ for the character")
        low, comma, high = self.pattern[self.at : end].partition(",")
        self.at = end + 1
        low, high = low.strip(), high.strip()
        if not (low.isascii() and low.isdigit()) or (high and not (high.isascii() and high.isdigit())):
            self.fail("a repetition is {n}, {n,} or {n,m}; write \\{ for the character")
        if len(low) > 6 or len(high) > 6:
            self.fail("the repetition is too large")
        least = int(low)
        most = (int(high) if high else None) if comma else least
        if most is not None and most < least:
            self.fail("the repetition ends below its beginning")
        return least, most

    def atom(self) -> Node | None:
        """Return the next atom, or None for flags that stand alone."""
        char = self.take()
        if char == "(":
            return self.group()
        if char == "[":
            return self.chars(self.bracketed())
        if char == ".":
            if not self.flags.unicode:
                self.fail("`.` with (?-u) matches single bytes, which RE2 cannot do on UTF-8")
            return Chars(codepoints.EVERYTHING if self.flags.dot_all else codepoints.negate(NEWLINE))
        if char == "^":
            return Look("line_start" if self.flags.multi_line else "text_start")
        if char == "$":
            return Look("line_end" if self.flags.multi_line else "text_end")
        if char == "\\":
            return self.escape()
        return self.single(ord(char))

    def chars(self, ranges: Ranges) -> Chars:
        return Chars(ranges)

    def single(self, code: int) -> Chars:
        self.seen(code)
        return Chars(self.folded(((code, code),)))

    def seen(self, code: int) -> None:
        self.any_literal = True
        self.uppercase |= chr(code).isupper()

    def folded(self, ranges: Ranges) -> Ranges:
        if not self.flags.ignore_case:
            return ranges
        return codepoints.fold(ranges) if self.flags.unicode else codepoints.fold_ascii(ranges)

    def group(self) -> Node | None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            self.fail(f"groups are nested more than {MOST_DEPTH} deep")
        outside = self.flags
        if self.peek() == "?":
            self.at += 1
            rest = self.pattern[self.at : self.at + 3]
            if rest.startswith(("=", "!")) or rest.startswith(("<=", "<!")):
                self.fail("look-around needs backtracking; RE2 does not have it")
            if rest.startswith(("P<", "<")):
                self.name()
            elif not self.group_flags():
                self.depth -= 1
                return None
        node = self.alternation()
        if self.take() != ")":
            self.fail("unclosed group: `(` without `)`")
        self.flags = outside
        self.depth -= 1
        return node

    def name(self) -> None:
        start = self.pattern.index("<", self.at) + 1
        end = self.pattern.find(">", start)
        name = self.pattern[start : max(end, start)]
        if (
            end < 0
            or not name
            or not (name[0].isalpha() or name[0] == "_")
            or not all(c.isalnum() or c in "_.[]" for c in name)
        ):
            self.fail("a group's name is (?P<name>...), letters, digits and underscores")
        if name in self.names:
            self.fail(f"two groups are called {name!r}")
        self.names.add(name)
        self.at = end + 1

    def group_flags(self) -> bool:
        """Read ``(?flags)`` or ``(?flags:``; return whether a group follows."""
        value, changed, seen = True, False, set()
        while True:
            char = self.take()
            if char in ("", "R"):
                self.fail("the flag R (CRLF lines) is not supported" if char else "unclosed group: `(` without `)`")
            if char == "-":
                if not value:
                    self.fail("two `-` among the flags")
                value, changed = False, False
            elif char in _FLAG_OF:
                if char in seen:
                    self.fail(f"the flag {char!r} stands twice")
                seen.add(char)
                self.flags = self.flags._replace(**{_FLAG_OF[char]: value})
                changed = True
            elif char in ":)":
                if (not value and not changed) or (char == ")" and not changed):
                    self.fail("flags are missing")
                return char == ":"
            else:
                self.fail(f"unknown flag {char!r}")

    # --- escapes ---

    def escape(self) -> Node:
        char = self.peek()
        if char and char in "bBAz<>":
            self.at += 1
            return self.assertion(char)
        found = self.escaped_class()
        if found is not None:
            return Chars(found)
        return self.single(self.escaped_code())

    def assertion(self, char: str) -> Look:
        if char == "b" and self.peek() == "{":
            for name, kind in (
                ("start", "word_start"),
                ("end", "word_end"),
                ("start-half", "start_half"),
                ("end-half", "end_half"),
            ):
                if self.pattern.startswith(f"{{{name}}}", self.at):
                    self.at += len(name) + 2
                    return Look(kind)
        prefix = "" if self.flags.unicode else "ascii_"
        kinds = {
            "b": f"{prefix}boundary",
            "B": f"{prefix}not_boundary",
            "A": "text_start",
            "z": "text_end",
            "<": "word_start",
        }
        return Look(kinds.get(char, "word_end"))

    def escaped_class(self) -> Ranges | None:
        """Return the class behind a backslash, or None when it is no class."""
        char = self.peek()
        if char and char.lower() in _PERL:
            self.at += 1
            name = _PERL[char.lower()]
            if not self.flags.unicode:
                if char.isupper():
                    self.fail(f"\\{char} with (?-u) matches single bytes, which RE2 cannot do on UTF-8")
                return codepoints.POSIX[name]
            ranges = {"digit": codepoints.digits, "space": lambda: codepoints.SPACE, "word": codepoints.word}[name]()
            return codepoints.negate(ranges) if char.isupper() else ranges
        if char and char in "pP":
            self.at += 1
            return self.property(char == "P")
        return None

    def property(self, negated: bool) -> Ranges:
        if not self.flags.unicode:
            self.fail("\\p needs Unicode, which (?-u) switches off")
        if self.peek() == "{":
            end = self.pattern.find("}", self.at)
            if end < 0:
                self.fail("unclosed \\p{")
            name = self.pattern[self.at + 1 : end]
            self.at = end + 1
        else:
            name = self.take()
        if "!=" in name:
            negated, name = not negated, name.replace("!=", "=")
        name = name.replace(":", "=")
        ranges = codepoints.named(name) if name else None
        if ranges is None:
            self.fail(f"no general category or script is called {name!r} (other properties are not supported)")
        ranges = self.folded(ranges)
        return codepoints.negate(ranges) if negated else ranges

    def escaped_code(self) -> int:
        char = self.take()
        if char in ("x", "u", "U") and char:
            return self.hexadecimal({"x": 2, "u": 4, "U": 8}[char])
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char.isdigit():
            self.fail("back-references need backtracking; RE2 does not have them")
        if not char:
            self.fail("the pattern ends with a backslash; write \\\\ for the character")
        if char in _META or (char.isascii() and not char.isalnum() and char not in "<>"):
            return ord(char)
        self.fail(f"unknown escape \\{char}")

    def hexadecimal(self, width: int) -> int:
        if self.peek() == "{":
            end = self.pattern.find("}", self.at)
            digits = self.pattern[self.at + 1 : end] if end > 0 else ""
            self.at = end + 1 if end > 0 else self.at
        else:
            digits = self.pattern[self.at : self.at + width]
            self.at += width
            if len(digits) != width:
                digits = ""
        if not digits or len(digits) > 8 or not all(c in "0123456789abcdefABCDEF" for c in digits):
            self.fail("a hexadecimal escape is \\x7F, \\u007F, \\U0000007F or \\x{7F}")
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            self.fail(f"U+{code:X} is not a character")
        if not self.flags.unicode and code > 0x7F:
            self.fail("a byte above 7F with (?-u) cannot be matched; RE2 works on UTF-8")
        return code

    # --- bracketed classes ---

    def bracketed(self) -> Ranges:
        """Parse from behind ``[`` to behind ``]``."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            self.fail(f"classes are nested more than {MOST_DEPTH} deep")
        self.skip_space()
        negated = self.peek() == "^"
        self.at += negated
        items: list[tuple[int, int]] = []
        self.skip_space()
        while self.peek() == "-":  # leading hyphens are characters
            items += self.class_code(ord(self.take()))
            self.skip_space()
        if not items and self.peek() == "]":
            items += self.class_code(ord(self.take()))
        result: Ranges | None = None
        pending: Callable[[Ranges, Ranges], Ranges] | None = None
        while True:
            self.skip_space()
            char = self.peek()
            if not char:
                self.fail("unclosed class: `[` without `]`")
            operator = _SET_OPERATORS.get(self.pattern[self.at : self.at + 2])
            if char == "]" or operator:
                operand = self.folded(codepoints.normalize(items))
                result = operand if pending is None or result is None else pending(result, operand)
                self.at += 2 if operator else 1
                if not operator:
                    break
                pending, items = operator, []
                continue
            items += self.class_item()
        self.depth -= 1
        result = self.folded(result)
        if negated:
            if not self.flags.unicode:
                self.fail("a negated class with (?-u) matches single bytes, which RE2 cannot do on UTF-8")
            result = codepoints.negate(result)
        return result

    def class_code(self, code: int) -> Ranges:
        self.seen(code)
        return ((code, code),)

    def class_item(self) -> Ranges:
        if self.peek() == "[":
            self.at += 1
            posix = self.posix()
            return posix if posix is not None else self.bracketed()
        first = self.class_primitive()
        if not isinstance(first, int):
            if self.peek() == "-" and self.peek(1) not in ("]", "-", ""):
                self.fail("a class cannot begin a range")
            return first
        self.seen(first)
        self.skip_space()
        if self.peek() != "-" or self.peek(1) in ("]", "-", ""):
            return ((first, first),)
        self.at += 1
        self.skip_space()
        last = self.class_primitive()
        if not isinstance(last, int):
            self.fail("a class cannot end a range")
        self.seen(last)
        if last < first:
            self.fail("the range ends below its beginning")
        return ((first, last),)

    def class_primitive(self) -> int | Ranges:
        char = self.take()
        if not char:
            self.fail("unclosed class: `[` without `]`")
        if char != "\\":
            return ord(char)
        found = self.escaped_class()
        if found is not None:
            return found
        if self.peek() and self.peek() in "bBAz<>":
            self.fail(f"\\{self.peek()} is a position and cannot stand in a class")
        return self.escaped_code()

    def posix(self) -> Ranges | None:
        if self.peek() != ":":
            return None
        end = self.pattern.find(":]", self.at + 1)
        name = self.pattern[self.at + 1 : end] if end > 0 else ""
        ranges = codepoints.POSIX.get(name.removeprefix("^"))
        if ranges is None:
            return None
        self.at = end + 2
        ranges = self.folded(ranges)
        if name.startswith("^"):
            if not self.flags.unicode:
                self.fail("a negated class with (?-u) matches single bytes, which RE2 cannot do on UTF-8")
            return codepoints.negate(ranges)
        return ranges


_SET_OPERATORS: dict[str, Callable[[Ranges, Ranges], Ranges]] = {
    "&&": codepoints.intersect,
    "--": codepoints.difference,
    "~~": lambda one, other: codepoints.difference(codepoints.union(one, other), codepoints.intersect(one, other)),
}


def parse(pattern: str, *, ignore_case: bool = False, dot_all: bool = False) -> Node:
    """Parse a regular expression.

    Parameters
    ----------
    pattern : str
    ignore_case, dot_all : bool
        The flags ``i`` and ``s`` it starts with; ``m`` and ``u`` are on.

    Returns
    -------
    Node

    Raises
    ------
    BadQuery
        It is malformed, or uses what RE2 does not have; the message says which and where.
    """
    return _settle(_Parser(pattern, ignore_case, dot_all).parse())


def has_uppercase(text: str, regex: bool) -> bool:
    """Return whether a pattern has an upper-case letter that stands for itself, as ripgrep's smart case asks (``\\W`` has none)."""
    if not regex:
        return any(char.isupper() for char in text)
    parser = _Parser(text, False, False)
    parser.parse()
    return parser.uppercase or not parser.any_literal


def _settle(node: Node) -> Node:
    """Turn the assertions of word starts and ends into ``\\b`` where their word side is a word character anyway."""
    if isinstance(node, Repeat):
        return node._replace(node=_settle(node.node))
    if not isinstance(node, (Concat, Alternate)):
        return node
    parts = [_settle(part) for part in node.parts]
    if isinstance(node, Concat):
        for i, part in enumerate(parts):
            if not isinstance(part, Look):
                continue
            starts = (
                part.kind in ("word_start", "start_half")
                and i + 1 < len(parts)
                and _only_words(parts[i + 1], first=True)
            )
            ends = part.kind in ("word_end", "end_half") and i > 0 and _only_words(parts[i - 1], first=False)
            if starts or ends:
                parts[i] = Look("boundary")
    return type(node)(tuple(parts))


def _only_words(node: Node, first: bool) -> bool:
    """Return whether every match of ``node`` begins (or ends) with a word character."""
    if isinstance(node, Chars):
        return bool(node.ranges) and not codepoints.difference(node.ranges, codepoints.word())
    if isinstance(node, Repeat):
        return node.least > 0 and _only_words(node.node, first)
    if isinstance(node, Alternate):
        return all(_only_words(part, first) for part in node.parts)
    return isinstance(node, Concat) and bool(node.parts) and _only_words(node.parts[0 if first else -1], first)


def strip_newlines(node: Node) -> Node:
    """Return the tree without newlines in its sets, for a search line by line.

    Raises
    ------
    BadQuery
        Something matches nothing but a newline.
    """
    if isinstance(node, Chars):
        rest = codepoints.difference(node.ranges, NEWLINE)
        if node.ranges and not rest:
            raise BadQuery("the pattern has a newline, but lines are searched one by one; use multiline")
        return Chars(rest)
    if isinstance(node, Look):
        return Look({"text_start": "line_start", "text_end": "line_end"}.get(node.kind, node.kind))
    if isinstance(node, Repeat):
        return node._replace(node=strip_newlines(node.node))
    return type(node)(tuple(strip_newlines(part) for part in node.parts))


# --- RE2 -----------------------------------------------------------------------------------------------------------------------------


def boundaries(node: Node) -> set[str]:
    """Return the kinds of word boundaries in a tree."""
    if isinstance(node, Look):
        return {node.kind} - {"line_start", "line_end", "text_start", "text_end"}
    if isinstance(node, Repeat):
        return boundaries(node.node)
    return set() if isinstance(node, Chars) else set().union(*map(boundaries, node.parts))


def without_boundaries(node: Node) -> Node:
    """Return a tree that matches wherever ``node`` does, and perhaps elsewhere: without its word boundaries."""
    if isinstance(node, Look):
        return node if node.kind in ("line_start", "line_end", "text_start", "text_end") else EMPTY
    if isinstance(node, Repeat):
        return node._replace(node=without_boundaries(node.node))
    return node if isinstance(node, Chars) else type(node)(tuple(map(without_boundaries, node.parts)))


_LOOKS = {
    "line_start": "^", "line_end": "$", "text_start": r"\A", "text_end": r"\z",
    "boundary": r"\b", "not_boundary": r"\B", "ascii_boundary": r"\b", "ascii_not_boundary": r"\B",
}  # fmt: skip
NOTHING = r"[^\x{0}-\x{10FFFF}]"


def spell(node: Node, chars: Callable[[Ranges], str]) -> str:
    """Return the tree as a pattern for RE2, which needs its flag ``m``.

    Parameters
    ----------
    node : Node
    chars : callable
        Spells a set of code points: `spell_chars`, or `spell_ascii` when the text is known to be ASCII.

    Returns
    -------
    str

    Raises
    ------
    BadQuery
        A word-start or word-end assertion that RE2 cannot express.
    """
    return _spell(node, chars)


def spell_ascii(ranges: Ranges) -> str:
    """Return the ASCII part of a set as RE2 writes it."""
    return spell_chars(codepoints.intersect(ranges, ASCII))


def spell_chars(ranges: Ranges) -> str:
    """Return a set of code points as RE2 writes it."""
    if not ranges:
        return NOTHING
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _spell_code(ranges[0][0])
    return "[" + "".join(f"{_spell_code(a)}-{_spell_code(b)}" if a != b else _spell_code(a) for a, b in ranges) + "]"


def _spell_code(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and (char.isalnum() or char == "_") else f"\\x{{{code:X}}}"


def _spell(node: Node, chars: Callable[[Ranges], str]) -> str:
    if isinstance(node, Chars):
        return chars(node.ranges)
    if isinstance(node, Look):
        try:
            return _LOOKS[node.kind]
        except KeyError:
            name = {
                "word_start": r"\<",
                "word_end": r"\>",
                "start_half": r"\b{start-half}",
                "end_half": r"\b{end-half}",
            }[node.kind]
            raise BadQuery(
                f"{name} cannot be expressed in RE2 here; use \\b, or whole_word for the whole pattern"
            ) from None
    if isinstance(node, Alternate):
        return "(?:" + "|".join(_spell(part, chars) for part in node.parts) + ")"
    if isinstance(node, Concat):
        return "".join(_spell(part, chars) for part in node.parts)
    return _spell_repeat(node, chars)


def _spell_repeat(node: Repeat, chars: Callable[[Ranges], str]) -> str:
    inner = f"(?:{_spell(node.node, chars)})"
    lazy = "" if node.greedy else "?"
    least, most = node.least, node.most
    if inner == "(?:)" or most == 0:
        return "(?:)"
    # RE2 repeats at most 1,000 times in one piece, but pieces may stand side by side.
    pieces = []
    while least > MOST_REPEAT:
        pieces.append(f"{inner}{{{MOST_REPEAT}}}")
        least -= MOST_REPEAT
        most = None if most is None else most - MOST_REPEAT
    if most is None:
        pieces.append(inner + {0: "*", 1: "+"}.get(least, f"{{{least},}}") + lazy)
        return "".join(pieces)
    if least:
        piece = min(most, MOST_REPEAT)
        pieces.append(f"{inner}{{{least},{piece}}}{lazy}" if piece != least else f"{inner}{{{least}}}")
        most -= piece
    while most > 0:
        piece = min(most, MOST_REPEAT)
        pieces.append(f"{inner}{{0,{piece}}}{lazy}")
        most -= piece
    return "".join(pieces)
