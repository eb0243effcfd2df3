"""Candidates for a method whose receiver is unknown, and what speaks for them."""

from __future__ import annotations

import datetime
import io
import logging
import pathlib
import re
import threading
from typing import Any

from quatrain.linking.evaluate import Evaluator, Unit
from quatrain.parsing.bindings import facts as ops
from quatrain.parsing.bindings.facts import FunctionFacts

__all__ = ["Candidates"]

_PYTHON_NAMES = frozenset(
    name
    for kind in (
        str, bytes, bytearray, int, float, list, tuple, dict, set, frozenset, range, slice, type(None), BaseException, io.TextIOWrapper,
        io.BytesIO, re.Pattern, re.Match, logging.Logger, logging.Handler, datetime.datetime, datetime.timedelta, pathlib.Path,
        threading.Thread, threading.Event, type(threading.Lock()), type(iter([])), type((lambda: (yield))()),
    )
    for name in dir(kind)
)  # fmt: skip


class Candidates:
    """Methods by name, for one language."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.methods: dict[str, list[int]] = {}
        for unit in evaluator.units:
            symbols = unit.symbols
            for symbol, function in unit.facts.functions.items():
                if function.owner >= 0 and not function.flags & {"setter", "property"}:
                    self.methods.setdefault(symbols[symbol].name, []).append(unit.base + symbol)
        self.reach = self._reach()
        self.builtin = getattr(evaluator, "builtin_methods", _PYTHON_NAMES)

    def _reach(self) -> dict[str, set[str]]:
        """Return, by package, the packages that it imports, directly or not."""
        direct: dict[str, set[str]] = {}
        for unit in self.evaluator.units:
            wanted = direct.setdefault(unit.package, {unit.package})
            for data in unit.values:
                if data[0] != ops.IMPORT:
                    continue
                kind, found = self.evaluator.import_bindings(unit, data)
                if kind == "rows":
                    for other, _ in found:
                        wanted.add(other.package)
                        unit.imports.add(other.dotted)
                elif kind == "module":
                    wanted.add(found.package)
                    unit.imports.add(found.dotted)
        reach: dict[str, set[str]] = {}
        for package in direct:
            seen = {package}
            stack = [package]
            while stack:
                for other in direct.get(stack.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        stack.append(other)
            reach[package] = seen
        return reach

    def find(self, unit: Unit, row: int, name: str) -> tuple[list[int], bool]:
        """Return the methods that may be meant, and whether a witness speaks for a single one.

        A name that the language's own types use proves nothing: then there are no candidates at all.
        """
        if name in self.builtin:
            return [], False
        nodes = self.methods.get(name)
        if not nodes:
            return [], False
        reach = self.reach[unit.package]
        by_gid = self.evaluator.by_gid
        nodes = [n for n in nodes if by_gid[n].package in reach]
        if not nodes:
            return [], False
        facts = self.evaluator.function_facts
        plain = [n for n in nodes if "overload" not in facts[n].flags]
        nodes = plain or nodes[-1:]
        if len(nodes) != 1:
            return nodes, False
        return nodes, self._witness(unit, row, nodes[0])

    def _witness(self, unit: Unit, row: int, node: int) -> bool:
        """Tell whether the file knows the module or the receiver is called after the class."""
        owner_unit = self.evaluator.by_gid[node]
        if owner_unit is unit or owner_unit.dotted in unit.imports:
            return True
        function: FunctionFacts = self.evaluator.function_facts[node]
        owner = owner_unit.symbols[function.owner].name
        receiver = self._receiver(unit, row)
        plain = re.sub(r"[^a-z]", "", receiver.lower())
        return len(plain) > 2 and (plain in owner.lower() or owner.lower() in plain)

    def _receiver(self, unit: Unit, row: int) -> str:
        data: tuple[Any, ...] = unit.values[unit.values[row][1]]
        if data[0] == ops.NAME:
            return data[1]
        if data[0] == ops.ATTRIBUTE:
            return data[2]
        if data[0] == ops.PARAMETER:
            return unit.facts.functions[data[1]].parameters[data[2]].name
        return ""
