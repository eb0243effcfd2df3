"""What trigrams a file must have for a pattern to match in it.

The method is Russ Cox's ("Regular Expression Matching with a Trigram Index", 2012): for each part of the pattern keep the exact strings it
matches while they are few, else the sets of possible beginnings and endings, and the trigrams that any match must have.  Joining two
parts joins endings with beginnings, which yields the trigrams across the seam.  The result never excludes a file that matches.

A tree is True (anything), False (nothing), a trigram ``b0 << 16 | b1 << 8 | b2``, or ``("and" | "or", parts)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from quatrain.query.regex import Alternate, Chars, Concat, Look, Node, Repeat

__all__ = ["RequiredLiteral", "Tree", "has_literal", "required_literal", "trigram_tree"]

Tree = bool | int | tuple[str, tuple["Tree", ...]]

MOST_EXACT = 16  # strings kept whole
MOST_ENDS = 24  # beginnings or endings kept
FEW_CHARS = 10
MOST_CHARS = 12  # a larger set of characters is any character
LONG = 12  # bytes after which exact strings are turned into trigrams
COPIES = 3  # of a repeated part that are spelled out


def conjunction(parts: Iterable[Tree]) -> Tree:
    """Return the tree that requires all parts."""
    return _join("and", parts, neutral=True)


def disjunction(parts: Iterable[Tree]) -> Tree:
    """Return the tree that requires any part."""
    return _join("or", parts, neutral=False)


def _join(operator: str, parts: Iterable[Tree], neutral: bool) -> Tree:
    flat: dict[Tree, None] = {}
    for part in parts:
        if isinstance(part, bool):
            if part is not neutral:
                return part
        elif isinstance(part, tuple) and part[0] == operator:
            flat.update(dict.fromkeys(part[1]))
        else:
            flat[part] = None
    if not flat:
        return neutral
    return next(iter(flat)) if len(flat) == 1 else (operator, tuple(flat))


def _of_string(text: bytes) -> Tree:
    return conjunction(text[i] << 16 | text[i + 1] << 8 | text[i + 2] for i in range(len(text) - 2))


def _of_strings(strings: frozenset[bytes]) -> Tree:
    """Return what a file must have to hold one of the strings."""
    if min(map(len, strings), default=0) < 3:
        return not strings or True
    return disjunction(map(_of_string, strings))


class _Facts(NamedTuple):
    exact: frozenset[bytes] | None  # every string it matches, when known
    starts: frozenset[bytes]  # else: every match begins with one of these
    ends: frozenset[bytes]  # and ends with one of these
    need: Tree


_ANY_END = frozenset([b""])
_EMPTY = _Facts(_ANY_END, frozenset(), frozenset(), True)
_UNKNOWN = _Facts(None, _ANY_END, _ANY_END, True)
_NOTHING = _Facts(frozenset(), frozenset(), frozenset(), True)


def _product(left: frozenset[bytes], right: frozenset[bytes]) -> frozenset[bytes]:
    return frozenset(a + b for a in left for b in right)


def _settle(facts: _Facts, force: bool = False) -> _Facts:
    """Turn exact strings that are too many or too long into beginnings, endings and trigrams, and shorten those."""
    exact, starts, ends, need = facts
    if exact is not None:
        shortest = min(map(len, exact), default=0)
        if not (force or len(exact) > MOST_EXACT or (shortest >= 3 and len(exact) > 1) or shortest >= LONG):
            return facts
        if not exact:
            return facts
        need = conjunction([need, _of_strings(exact)])
        starts, ends, exact = exact, exact, None
    need, starts = _shorten(need, starts, lambda text, size: text[:size])
    need, ends = _shorten(need, ends, lambda text, size: text[max(len(text) - size, 0) :])
    return _Facts(exact, starts, ends, need)


def _shorten(
    need: Tree, strings: frozenset[bytes], cut: Callable[[bytes, int], bytes]
) -> tuple[Tree, frozenset[bytes]]:
    need = conjunction([need, _of_strings(strings)])
    for size in (2, 1, 0):
        strings = frozenset(cut(text, size) for text in strings)
        if len(strings) <= MOST_ENDS:
            break
    return need, strings


def _then(left: _Facts, right: _Facts) -> _Facts:
    if left.exact is not None and right.exact is not None and len(left.exact) * len(right.exact) <= 4 * MOST_EXACT:
        return _settle(
            _Facts(_product(left.exact, right.exact), frozenset(), frozenset(), conjunction([left.need, right.need]))
        )
    if left.exact == frozenset() or right.exact == frozenset():
        return _NOTHING
    head = left.exact if left.exact is not None else left.starts
    tail = right.exact if right.exact is not None else right.ends
    left_ends = left.exact if left.exact is not None else left.ends
    right_starts = right.exact if right.exact is not None else right.starts
    starts = (
        _product(left.exact, right_starts) if left.exact is not None and len(head) * len(right_starts) <= 256 else head
    )
    ends = _product(left_ends, right.exact) if right.exact is not None and len(left_ends) * len(tail) <= 256 else tail
    needs = [left.need, right.need]
    if len(left_ends) * len(right_starts) <= 256:
        needs.append(_of_strings(_product(left_ends, right_starts)))
    return _settle(_Facts(None, starts, ends, conjunction(needs)))


def _either(left: _Facts, right: _Facts) -> _Facts:
    if left.exact is not None and right.exact is not None:
        return _settle(_Facts(left.exact | right.exact, frozenset(), frozenset(), True))
    if left.exact is not None and not left.exact:
        return right
    if right.exact is not None and not right.exact:
        return left
    left, right = _settle(left, force=True), _settle(right, force=True)
    return _settle(
        _Facts(None, left.starts | right.starts, left.ends | right.ends, disjunction([left.need, right.need]))
    )


def _analyse(node: Node) -> _Facts:
    if isinstance(node, Chars):
        if not node.ranges:
            return _NOTHING
        if sum(high - low + 1 for low, high in node.ranges) > MOST_CHARS:
            return _UNKNOWN
        return _Facts(
            frozenset(chr(c).encode() for a, b in node.ranges for c in range(a, b + 1)), frozenset(), frozenset(), True
        )
    if isinstance(node, Look):
        return _EMPTY
    if isinstance(node, Alternate):
        result = _analyse(node.parts[0])
        for part in node.parts[1:]:
            result = _either(result, _analyse(part))
        return result
    if isinstance(node, Concat):
        result = _EMPTY
        for part in node.parts:
            result = _then(result, _analyse(part))
        return result
    return _repeat(node)


def _repeat(node: Repeat) -> _Facts:
    if node.most == 0:
        return _EMPTY
    once = _analyse(node.node)
    if node.least == 0:
        return _either(once, _EMPTY) if node.most == 1 else _UNKNOWN
    result = once
    copies = min(node.least, COPIES)
    for _ in range(copies - 1):
        result = _then(result, once)
    if node.most == node.least == copies:
        return result
    if once.exact is not None and not once.exact:
        return _NOTHING
    # More may follow: it still begins and ends as `once` does.
    return _then(result, _UNKNOWN)._replace(ends=_settle(once, force=True).ends)


def trigram_tree(node: Node) -> Tree:
    """Return what trigrams a file must have for ``node`` to match in it.

    Parameters
    ----------
    node : Node

    Returns
    -------
    Tree
        True when nothing can be said.
    """
    facts = _analyse(node)
    if facts.exact is not None:
        return conjunction([facts.need, _of_strings(facts.exact)]) if facts.exact else False
    return _settle(facts, force=True).need


class RequiredLiteral(NamedTuple):
    """Bytes that every match has."""

    text: bytes  # empty when there are none
    ignore_case: bool  # in either ASCII case, each letter by itself
    whole: bool  # the pattern is this literal and nothing else, so that finding it is matching


def required_literal(node: Node, ascii_only: bool) -> RequiredLiteral:
    """Return the longest literal in every match.

    Parameters
    ----------
    node : Node
    ascii_only : bool
        Only ASCII text is searched, so case variants beyond it (the Kelvin sign of ``k``) do not count.

    Returns
    -------
    RequiredLiteral
    """
    parts = node.parts if isinstance(node, Concat) else (node,)
    found: list[list[tuple[str, bool]]] = []
    _runs(parts, ascii_only, found)
    best = max(found, key=lambda run: sum(len(char.encode()) for char, _ in run), default=[])
    varies = {case for char, case in best if char.isascii() and char.isalpha()}
    text = "".join(char for char, _ in best).encode()
    return RequiredLiteral(
        text,
        True in varies,
        bool(text) and len(best) == len(parts) and all(isinstance(part, Chars) for part in parts) and len(varies) < 2,
    )


def has_literal(node: Node) -> bool:
    """Return whether every match has one of few characters, none of them a space, at some place."""
    if isinstance(node, Chars):
        few = 0 < sum(high - low + 1 for low, high in node.ranges) <= FEW_CHARS
        return few and not any(low <= 0x20 <= high for low, high in node.ranges)
    if isinstance(node, Repeat):
        return node.least > 0 and has_literal(node.node)
    if isinstance(node, Concat):
        return any(map(has_literal, node.parts))
    return isinstance(node, Alternate) and all(map(has_literal, node.parts))


def _runs(parts: Sequence[Node], ascii_only: bool, found: list[list[tuple[str, bool]]]) -> None:
    """Collect the runs of single characters, each with whether its case varies."""
    run: list[tuple[str, bool]] = []
    for part in parts:
        char = _one_char(part, ascii_only)
        if char is not None:
            run.append(char)
            continue
        found.append(run)
        run = []
        if isinstance(part, Repeat) and part.least > 0:
            inner = part.node
            _runs(inner.parts if isinstance(inner, Concat) else (inner,), ascii_only, found)
    found.append(run)


def _one_char(node: Node, ascii_only: bool) -> tuple[str, bool] | None:
    """Return the character of a set that has one, or one in both ASCII cases, and whether its case varies."""
    if not isinstance(node, Chars):
        return None
    ranges = node.ranges
    if ascii_only:
        ranges = tuple((low, min(high, 0x7F)) for low, high in ranges if low < 0x80)
    if len(ranges) > 2 or any(low != high for low, high in ranges) or not ranges:
        return None
    char = chr(ranges[0][0])
    if len(ranges) == 1:
        return char, False
    other = chr(ranges[1][0])
    return (other, True) if char.isascii() and other.isascii() and char.isalpha() and char.lower() == other else None
