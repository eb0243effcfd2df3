"""Which files of a Go package are built together: build constraints and the systems that file names end in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

__all__ = ["built_together", "constraint", "default_tags"]

_SYSTEMS = frozenset(
    re.findall(
        r"\w+",
        "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos",
    )
)
_UNIX = _SYSTEMS - {"js", "nacl", "plan9", "wasip1", "windows", "zos"}
_PROCESSORS = frozenset(
    re.findall(
        r"\w+",
        "386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x sparc64 wasm amd64p32 armbe arm64be mips64p32 "
        "mips64p32le ppc riscv s390 sparc",
    )
)
_TOKEN = re.compile(r"&&|\|\||[!()]|[\w.]+")
_RELEASE = re.compile(r"go1\.\d+\Z")

Constraint = tuple[Any, ...]  # ("tag", name), ("not", c), ("and", c, c) or ("or", c, c); () holds always


@cache
def constraint(path: str, expression: str) -> Constraint:
    """Return what must hold for a file to be built: its ``//go:build`` expression and the ending of its name."""
    found = _parse(_TOKEN.findall(expression)) if expression else ()
    parts = path.rsplit("/", 1)[-1].removesuffix(".go").removesuffix("_test").split("_")[1:]
    tags = []
    if parts and parts[-1] in _PROCESSORS:
        tags.append(parts.pop())
    if parts and parts[-1] in _SYSTEMS:
        tags.append(parts[-1])
    for tag in tags:
        found = ("and", found, ("tag", tag)) if found else ("tag", tag)
    return found


def _parse(tokens: list[str]) -> Constraint:
    """Return the tree of an expression; an incomplete one holds always."""
    position = 0

    def some(operator: str, inner: Any) -> Constraint:
        nonlocal position
        left = inner()
        while position < len(tokens) and tokens[position] == operator:
            position += 1
            left = ("or" if operator == "||" else "and", left, inner())
        return left

    def one() -> Constraint:
        nonlocal position
        token = tokens[position]
        position += 1
        if token == "!":
            return ("not", one())
        if token == "(":
            inside = either()
            position += 1
            return inside
        return ("tag", token)

    def either() -> Constraint:
        return some("||", lambda: some("&&", one))

    try:
        return either()
    except (IndexError, RecursionError):
        return ()


def _tags(found: Constraint, negated: bool | None = None) -> set[str]:
    """Return the tags of a tree, or those alone that an even (False) or odd (True) number of negations stand before."""
    if not found:
        return set()
    if found[0] == "tag":
        return set() if negated else {found[1]}
    if found[0] == "not" and negated is not None:
        negated = not negated
    return set().union(*(_tags(c, negated) for c in found[1:]))


def _holds(found: Constraint, on: frozenset[str]) -> bool:
    if not found:
        return True
    if found[0] == "not":
        return not _holds(found[1], on)
    if found[0] == "and":
        return _holds(found[1], on) and _holds(found[2], on)
    if found[0] == "or":
        return _holds(found[1], on) or _holds(found[2], on)
    return found[1] in on or _RELEASE.match(found[1]) is not None or found[1] == "gc"


@cache
def default_tags(found: Constraint) -> frozenset[str]:
    """Return the tags that must be asked for before a file is built: none for most."""
    asked = frozenset(_tags(found, negated=False)) - _SYSTEMS - _PROCESSORS - {"unix", "cgo"}
    return frozenset() if built_together((found,), frozenset()) else asked


def built_together(constraints: Iterable[Constraint], asked: frozenset[str]) -> bool:
    """Tell whether there is a system on which all of some files are built when the tags ``asked`` are asked for, and no others."""
    together = [c for c in constraints if c]
    if not together:
        return True
    tags = set().union(*(_tags(c) for c in together))
    systems = sorted(tags & _SYSTEMS) + (["linux", "aix", "plan9"] if "unix" in tags else ["hurd", "nacl"])
    processors = [*sorted(tags & _PROCESSORS), "amd64p32"]
    for system in systems:
        for processor in processors:
            for cgo in ("cgo", "") if "cgo" in tags else ("",):
                on = asked | {system, processor, cgo} | ({"unix"} if system in _UNIX else set())
                on |= {"linux"} if system == "android" else set()
                if all(_holds(c, on) for c in together):
                    return True
    return False
