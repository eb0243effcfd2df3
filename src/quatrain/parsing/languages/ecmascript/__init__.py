"""What JavaScript, TypeScript and TSX share."""

from __future__ import annotations

from quatrain.parsing.rules import ImportText

__all__ = ["finish_import", "owner", "visibility"]

# Objects whose members are the module's own.
_MODULE_OBJECTS = frozenset(("exports", "module.exports", "this", "window", "globalThis", "self"))


def owner(text: str) -> str:
    """Return the type that ``Type.prototype`` means, and nothing for ``exports`` and its like."""
    text = text.removesuffix(".prototype").removeprefix("exports.").removeprefix("module.exports.")
    return "" if text in _MODULE_OBJECTS or not text.replace(".", "").replace("$", "").isidentifier() else text


def visibility(name: str, header: str, parent_kind: str) -> str:
    """Return the visibility that the modifiers before a name, or a ``#``, give it."""
    if name.startswith("#"):
        return "private"
    words = header.split()
    for word in ("private", "protected"):
        if word in words:
            return word
    return "public"


def finish_import(text: ImportText) -> ImportText:
    """Name what a module import binds.

    ``import x from "m"`` -> name "default"; ``import * as x`` and ``const x = require("m")`` -> the module itself;
    ``export * from "m"`` -> name "*".
    """
    name, alias = text.name, text.alias
    if "star" in text.marks:
        name, alias = "*", ""
    elif "default" in text.marks:
        name = "default"
    elif name and not alias:
        alias = name
    return text._replace(name=name, alias=alias)
