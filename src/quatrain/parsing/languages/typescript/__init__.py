"""TypeScript."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quatrain.parsing.languages.ecmascript import finish_import, owner, visibility
from quatrain.parsing.rules import Rules

__all__ = ["OPEN_NODES", "RULES", "spell_out"]

OPEN_NODES = frozenset({"program", "export_statement", "internal_module", "module", "statement_block"})

# The grammar knows no variance of type parameters, and takes the type parameters of a call signature for arguments of the type
# that ends the line before.
_VARIANCE = re.compile(rb"(?<=[<,\n])\s*\b(in\s+out|in|out)(?=\s+[A-Za-z_$])")
_SIGNATURE = re.compile(rb"(?<=\n)([ \t])(?=[ \t]*<)")

# Nor does it know a generic type behind an import, import("m").Type<T>.
_IMPORTED_TYPE = re.compile(
    rb"(?:[:|&<,\[(]|=>|\b(?:readonly|keyof)\b)\s*(import\((?:'[^'\n]*'|\"[^\"\n]*\")\)\.)(?=[A-Za-z_$][\w$.]*<)"
)


def spell_out(data: bytes, ranges: Sequence[tuple[int, int]] | None = None) -> bytes:
    """Return ``data`` without variance annotations and modules of imported types.

    A call signature that begins a line gets a semicolon before it.

    The length stays the same, so that offsets hold.

    Parameters
    ----------
    data
        The file.
    ranges
        Where the tree is damaged; None: everywhere.
    """
    result = bytearray(data)
    for start, end in ranges if ranges is not None else ((0, len(data)),):
        for pattern in (_VARIANCE, _IMPORTED_TYPE):
            for match in pattern.finditer(data, start, end):
                result[match.start(1) : match.end(1)] = re.sub(rb"\S", b" ", match[1])
        for match in _SIGNATURE.finditer(data, start, end):
            result[match.start(1)] = ord(";")
    return bytes(result)


RULES = Rules(
    shared=("ecmascript",),
    visibility=visibility,
    finish_import=finish_import,
    owner=owner,
    prepare=spell_out,
    open_nodes=OPEN_NODES,
)
