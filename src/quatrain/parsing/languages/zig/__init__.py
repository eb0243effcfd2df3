"""Zig."""

import re

from quatrain.parsing.rewriting import overwrite, rewriting
from quatrain.parsing.rules import Rules

__all__ = ["RULES"]

# What the grammar does not know, as something of the same length that it does.
_OPERAND = rb"(?:[^;,{}()\[\]\n]|\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\}|\[[^\[\]]*\])+"
_STEPS = (
    # continue :label value
    (re.compile(rb"\bcontinue\s+:\w+([ \t]" + _OPERAND + rb")"), overwrite),
    (re.compile(rb"\b(?!else\b)\w+[ \t]*:[ \t]*(?=switch\b)"), overwrite),
    # const a, const b = ...
    (re.compile(rb"^[ \t]*(\w+[ \t]*,)(?=[ \t]*(?:const|var)[ \t])", re.MULTILINE), overwrite),
    (re.compile(rb"\b(?:const|var)[ \t][^=,;{}()\n]*(,[^=;{}()\n]*)(?==[^=])"), overwrite),
    # The clobbers of an assembly are a literal of a struct.
    (re.compile(rb":[ \t]*(\.\{(?:[^{}]|\{[^{}]*\})*\})(?=[ \t]*\))"), overwrite),
)  # fmt: skip


RULES = Rules(
    prepare=rewriting(_STEPS),
    open_nodes=frozenset(("Decl", "VarDecl", "ErrorUnionExpr", "SuffixExpr", "ContainerDecl")),
    members_of_functions=True,
    visibility=lambda name, header, parent_kind: "public" if header.lstrip().startswith("pub ") else "private",
    header_parameters=True,
    body_types=("Block",),
    constant_name=None,
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),
)
