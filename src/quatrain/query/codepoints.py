"""Sets of Unicode code points as sorted, disjoint ranges, and the sets that regular expressions name.

Surrogates are in no set: they are not characters, and UTF-8 cannot spell them.  General categories and scripts come from the tables of
RE2, the engine that matches; case folding is the simple folding of Unicode.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

__all__ = [
    "ASCII",
    "EVERYTHING",
    "NEWLINE",
    "POSIX",
    "SPACE",
    "Ranges",
    "difference",
    "digits",
    "fold",
    "fold_ascii",
    "intersect",
    "named",
    "negate",
    "normalize",
    "union",
    "word",
]

Ranges = tuple[tuple[int, int], ...]  # inclusive, ascending, neither overlapping nor adjacent

EVERYTHING: Ranges = ((0, 0xD7FF), (0xE000, 0x10FFFF))
ASCII: Ranges = ((0, 0x7F),)
NEWLINE: Ranges = ((0x0A, 0x0A),)
# White_Space
SPACE: Ranges = (
    (0x09, 0x0D), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip

_UPPER, _LOWER, _DIGITS = (0x41, 0x5A), (0x61, 0x7A), (0x30, 0x39)
POSIX: dict[str, Ranges] = {
    "alnum": (_DIGITS, _UPPER, _LOWER),
    "alpha": (_UPPER, _LOWER),
    "ascii": ((0x00, 0x7F),),
    "blank": ((0x09, 0x09), (0x20, 0x20)),
    "cntrl": ((0x00, 0x1F), (0x7F, 0x7F)),
    "digit": (_DIGITS,),
    "graph": ((0x21, 0x7E),),
    "lower": (_LOWER,),
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": ((0x09, 0x0D), (0x20, 0x20)),
    "upper": (_UPPER,),
    "word": (_DIGITS, _UPPER, (0x5F, 0x5F), _LOWER),
    "xdigit": (_DIGITS, (0x41, 0x46), (0x61, 0x66)),
}


def normalize(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return any ranges as a set, without surrogates."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    if any(low <= 0xDFFF and high >= 0xD800 for low, high in merged):
        split: list[tuple[int, int]] = []
        for low, high in merged:
            if low < 0xD800:
                split.append((low, min(high, 0xD7FF)))
            if high > 0xDFFF:
                split.append((max(low, 0xE000), high))
        return tuple(split)
    return tuple(merged)


def union(*sets: Ranges) -> Ranges:
    """Return what is in any of the sets."""
    return normalize(entry for one in sets for entry in one)


def negate(ranges: Ranges) -> Ranges:
    """Return every character that is not in the set."""
    gaps: list[tuple[int, int]] = []
    at = 0
    for low, high in ranges:
        if low > at:
            gaps.append((at, low - 1))
        at = high + 1
    if at <= 0x10FFFF:
        gaps.append((at, 0x10FFFF))
    return normalize(gaps)


def intersect(one: Ranges, other: Ranges) -> Ranges:
    """Return what is in both sets."""
    result: list[tuple[int, int]] = []
    i = j = 0
    while i < len(one) and j < len(other):
        low, high = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if low <= high:
            result.append((low, high))
        if one[i][1] < other[j][1]:
            i += 1
        else:
            j += 1
    return tuple(result)


def difference(one: Ranges, other: Ranges) -> Ranges:
    """Return what is in the first set only."""
    return intersect(one, negate(other))


@cache
def _from_engine(pattern: str) -> Ranges:
    """Return the characters that a class of RE2 matches; Error of RE2 when it knows no such class."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    matcher = re2.compile(f"(?:{pattern})+".encode(), options)
    every = np.concatenate([np.arange(low, high + 1, dtype="<u4") for low, high in EVERYTHING])
    text = every.tobytes().decode("utf-32-le").encode()
    return normalize(
        (_code_at(start), _code_at(end - 1)) for start, end in (match.span() for match in matcher.finditer(text))
    )


def _code_at(byte: int) -> int:
    """Return the character that holds a byte of the UTF-8 text of all characters in order."""
    for first, base, length in ((0x10000, 0x2DF80, 4), (0xE000, 0x27F80, 3), (0x800, 0xF80, 3), (0x80, 0x80, 2)):
        if byte >= base:
            return first + (byte - base) // length
    return byte


def named(name: str) -> Ranges | None:
    """Return a general category or script, or None when the name is unknown.

    Parameters
    ----------
    name : str
        ``L``, ``Lu``, ``Greek``, ``gc=Lu``, ``script=Greek`` ...; case, spaces, ``_`` and ``-`` do not count.
    """
    import re2

    key, _, value = name.rpartition("=")
    if key and _plain(key) not in ("gc", "generalcategory", "sc", "script"):
        return None
    wanted = _plain(value)
    if not key and wanted in ("any", "ascii"):
        return EVERYTHING if wanted == "any" else ASCII
    wanted = _LONG_CATEGORIES.get(wanted, wanted)
    spelled = _scripts().get(wanted) or wanted[:1].upper() + wanted[1:]
    try:
        return _from_engine(rf"\p{{{spelled}}}")
    except re2.error:
        return None


def _plain(name: str) -> str:
    return name.lower().translate({ord(" "): None, ord("_"): None, ord("-"): None})


_LONG_CATEGORIES = {
    "letter": "l", "uppercaseletter": "lu", "lowercaseletter": "ll", "titlecaseletter": "lt", "modifierletter": "lm", "otherletter": "lo",
    "mark": "m", "combiningmark": "m", "nonspacingmark": "mn", "spacingmark": "mc", "enclosingmark": "me",
    "number": "n", "decimalnumber": "nd", "letternumber": "nl", "othernumber": "no", "digit": "nd",
    "punctuation": "p", "punct": "p", "connectorpunctuation": "pc", "dashpunctuation": "pd", "openpunctuation": "ps",
    "closepunctuation": "pe", "initialpunctuation": "pi", "finalpunctuation": "pf", "otherpunctuation": "po",
    "symbol": "s", "mathsymbol": "sm", "currencysymbol": "sc", "modifiersymbol": "sk", "othersymbol": "so",
    "separator": "z", "spaceseparator": "zs", "lineseparator": "zl", "paragraphseparator": "zp",
    "other": "c", "control": "cc", "cntrl": "cc", "format": "cf", "privateuse": "co",
}  # fmt: skip


@cache
def _scripts() -> dict[str, str]:
    """Scripts whose names have several words, by their plain form."""
    names = """
        Anatolian_Hieroglyphs Bassa_Vah Canadian_Aboriginal Caucasian_Albanian Cypro_Minoan Dives_Akuru
        Egyptian_Hieroglyphs Gunjala_Gondi Hanifi_Rohingya Imperial_Aramaic Inscriptional_Pahlavi
        Inscriptional_Parthian Kayah_Li Khitan_Small_Script Linear_A Linear_B Masaram_Gondi Meetei_Mayek Mende_Kikakui
        Meroitic_Cursive Meroitic_Hieroglyphs Nag_Mundari New_Tai_Lue Nko Nyiakeng_Puachue_Hmong Ol_Chiki
        Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic
        Old_Uyghur Pahawh_Hmong Pau_Cin_Hau Phags_Pa Psalter_Pahlavi SignWriting Sora_Sompeng Syloti_Nagri Tai_Le
        Tai_Tham Tai_Viet Warang_Citi Zanabazar_Square
    """
    return {_plain(name): name for name in names.split()}


def digits() -> Ranges:
    """Return ``\\d``: decimal numbers of every script."""
    return _from_engine(r"\p{Nd}")


@cache
def word() -> Ranges:
    """Return ``\\w`` of UTS #18: alphabetic characters, marks, decimal numbers, connectors and join controls."""
    # Other_Alphabetic beyond letters, marks and letter numbers: the circled and squared Latin letters.
    enclosed = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
    return union(_from_engine(r"[\pL\pM\p{Nd}\p{Nl}\p{Pc}]"), enclosed, ((0x200C, 0x200D),))


def _simple_fold(char: str) -> str:
    full = char.casefold()
    if len(full) == 1:
        return full
    lower = char.lower()
    return lower if len(lower) == 1 else char


# Where characters with case live; outside nothing folds.
_CASED = (
    (0x41, 0x5A), (0x61, 0x7A), (0xB5, 0x24F), (0x250, 0x2AF), (0x345, 0x345), (0x370, 0x58F), (0x10A0, 0x10FF), (0x13A0, 0x13FF),
    (0x1C80, 0x1CBF), (0x1D79, 0x1D8E), (0x1E00, 0x1FFF), (0x2126, 0x2132), (0x214E, 0x214E), (0x2160, 0x2188), (0x24B6, 0x24E9),
    (0x2C00, 0x2D2F), (0xA640, 0xA7FF), (0xAB30, 0xABBF), (0xFB05, 0xFB06), (0xFF21, 0xFF5A), (0x10400, 0x105FF), (0x10C80, 0x10CFF),
    (0x10D50, 0x10D8F), (0x118A0, 0x118DF), (0x16E40, 0x16E7F), (0x1E900, 0x1E943),
)  # fmt: skip


@cache
def _orbits() -> tuple[dict[int, tuple[int, ...]], Ranges]:
    """Return, for each character with case variants, all of them; and the set of such characters."""
    groups: dict[str, list[int]] = {}
    for low, high in _CASED:
        for code in range(low, high + 1):
            groups.setdefault(_simple_fold(chr(code)), []).append(code)
    orbits = {code: tuple(group) for group in groups.values() if len(group) > 1 for code in group}
    return orbits, normalize((code, code) for code in orbits)


def fold(ranges: Ranges) -> Ranges:
    """Return the set with every case variant of its characters."""
    orbits, cased = _orbits()
    more = [
        (variant, variant)
        for low, high in intersect(ranges, cased)
        for code in range(low, high + 1)
        for variant in orbits[code]
    ]
    return union(ranges, tuple(more)) if more else ranges


def fold_ascii(ranges: Ranges) -> Ranges:
    """Return the set with the other case of its ASCII letters."""
    upper = [(low - 32, high - 32) for low, high in intersect(ranges, (_LOWER,))]
    lower = [(low + 32, high + 32) for low, high in intersect(ranges, (_UPPER,))]
    return normalize([*ranges, *upper, *lower])
