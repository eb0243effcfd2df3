"""Go."""

from __future__ import annotations

import re

from quatrain.parsing.rules import ImportText, Rules

__all__ = ["RULES"]

_VERSION = re.compile(r"v\d+\Z")


def _visibility(name: str, header: str, parent_kind: str) -> str:
    return "public" if name[:1].isupper() else "private"


def _finish_import(text: ImportText) -> ImportText:
    if text.alias == ".":
        return text._replace(name="*", alias="")
    if text.alias:
        return text
    # The package is usually called like its folder; a major version is not a name: "github.com/a/b/v2" binds b.
    parts = text.module.split("/")
    if len(parts) > 1 and _VERSION.match(parts[-1]):
        parts.pop()
    return text._replace(alias=parts[-1].removeprefix("go-").partition(".")[0])


RULES = Rules(
    visibility=_visibility,
    finish_import=_finish_import,
    constant_name=None,
    parameter_name="first_or_none",
    kept_uses=re.compile(rb"[A-Z]\w*\Z"),  # another file of the package may define it
)
