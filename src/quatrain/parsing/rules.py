"""What the extractor has to know about a language beside its queries.

A language is a folder ``languages/<name>/`` with ``definitions.scm``, ``references.scm``, ``imports.scm`` and an
``__init__.py`` that holds one ``RULES``.  ``languages/README.md`` says how to add one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from quatrain.parsing.grammars import load_grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Query

__all__ = ["Action", "Compiled", "ImportText", "Recovered", "Rules", "compiled"]


class ImportText(NamedTuple):
    """The captured texts of one import, before the language has its say."""

    module: str
    name: str
    alias: str
    level: int
    reexport: bool
    path: str  # of the importing file
    written: str = ""  # the captured @path, where module and name are one text
    marks: frozenset[str] = frozenset()  # further captures of the pattern, such as "star" or "default"


class Recovered(NamedTuple):
    """A definition or a reference that is read from the text where the tree has errors."""

    kind: str
    start: int
    end: int
    name_start: int
    name_end: int
    is_reference: bool = False


TYPE_KINDS = frozenset(
    (
        "class",
        "interface",
        "trait",
        "struct",
        "union",
        "enum",
        "impl",
        "extension",
        "annotation",
        "module",
        "namespace",
        "package",
    )
)


def bare_type(text: str) -> str:
    """Return the dotted name of a written type: ``*Server[T]``, ``ns::Type<T>``, ``&'a mut Type``."""
    words = re.sub(r"[<\[(].*", "", text.strip("*&( ")).split()
    return re.sub(r"::|\\", ".", words[-1]).strip(".") if words else ""


@dataclass(frozen=True, slots=True)
class Rules:
    """One language's data and its few functions."""

    parameter_name: str = "first"  # where a parameter's name stands, see extract.parameter_names
    shared: tuple[str, ...] = ()  # other folders whose queries come first
    member_kinds: Mapping[str, str] = field(default_factory=lambda: {"function": "method", "variable": "field"})
    member_parents: frozenset[str] = TYPE_KINDS - {"module", "namespace", "package"}
    kept_uses: re.Pattern[bytes] | None = None  # names to keep though this file neither defines nor imports them
    docstring: Callable[[Node, bytes], str] | None = None  # None: the comment that stands before the definition
    visibility: Callable[[str, str, str], str] = lambda name, header, parent_kind: "public"
    finish_import: Callable[[ImportText], ImportText] = lambda text: text
    # (module, name, alias, byte) of every name in a captured @tree
    expand_import: Callable[[Node, bytes], Iterable[tuple[str, str, str, int]]] | None = None
    parameter_node: str = (
        ""  # type of the children of a function that are one parameter each, where they stand in no list
    )
    header_parameters: bool = False  # the parameter list is the first "(...)" after the name
    merge_repeats: bool = False  # functions of one name and arity that follow each other are clauses of one
    members_of_functions: bool = False  # a function may return a type written inside it: its fields are members
    constant_name: re.Pattern[str] | None = re.compile(r"_*[A-Z][A-Z0-9_]*\Z")  # a variable spelled so is a constant
    # Same-length rewriting of a file whose tree has errors, within the damaged ranges or (None) everywhere.
    prepare: Callable[[bytes, Sequence[tuple[int, int]] | None], bytes] | None = None
    # And of what the former leaves, if that tree still has errors: for repairs that cost more of the text.
    prepare_further: Callable[[bytes, Sequence[tuple[int, int]] | None], bytes] | None = None
    # Same-length rewriting of any file, tried first: what the grammar misreads without an error.
    prepare_always: Callable[[bytes], bytes] | None = None
    # What the text itself says of a file whose tree has errors: definitions of these kinds are those that the text tells, in the tree's
    # words where the tree has them too.
    recover: Callable[[bytes], Iterable[Recovered]] | None = None
    recovered_kinds: frozenset[str] = frozenset()
    open_nodes: frozenset[str] = (
        frozenset()
    )  # nodes that hold declarations: an error in one is an error in a part of it
    header_language: tuple[str, str] | None = None  # (suffix, language) to try when such a file's tree has errors
    owner: Callable[[str], str] = bare_type  # from the text of an @owner to the name of the type it means
    spell: Callable[[str], str] = lambda name: name  # from the text of a @name to the name
    constructor_name: str | None = None  # a method called so is a constructor; "=" means called like its class
    top_level_kinds: Mapping[str, str] = field(default_factory=dict)  # kinds outside a type
    one_line_signature: bool = False
    signature_end: re.Pattern[str] | None = None  # where the signature stops, for languages without a body node
    no_names: frozenset[bytes] = frozenset((b"",))  # keywords that a damaged tree takes for names
    body_types: tuple[str, ...] = ()  # node types of a body that is no field


DEFINITION, REFERENCE, IMPORT, BASE, DECORATED, COMMENT, EXPORTED, ACCESS, RESET, TEXT = range(10)

# Of two readings of one name, the more telling one is kept.
REFERENCE_PRIORITY = ("decorator", "call", "type", "attribute", "use")


class Action(NamedTuple):
    """What one query pattern yields."""

    what: int
    capture: str
    kind: str
    priority: int
    receiver: bool


class Compiled(NamedTuple):
    """A language ready to run."""

    language: str
    rules: Rules
    query: Query
    actions: tuple[Action, ...]
    grammar: Any


_PLAIN_ACTIONS = {
    "import": IMPORT,
    "comment": COMMENT,
    "base": BASE,
    "exported": EXPORTED,
    "access": ACCESS,
    "reset": RESET,
    "text": TEXT,
}
_CAPTURE = re.compile(r"@([A-Za-z_.]+)")
_COMMENT = re.compile(r"^\s*;.*$", re.MULTILINE)


@cache
def compiled(language: str) -> Compiled | None:
    """Return the rules and the compiled query of a language, or None when it has no grammar here."""
    grammar = load_grammar(language)
    if grammar is None:
        return None
    from tree_sitter import Query

    rules: Rules = import_module(f"quatrain.parsing.languages.{language}").RULES
    source = "\n".join(_query_source(folder) for folder in (*rules.shared, language))
    query = Query(grammar, source)
    encoded = source.encode()
    actions = tuple(
        _action(_COMMENT.sub("", encoded[query.start_byte_for_pattern(i) : query.end_byte_for_pattern(i)].decode()))
        for i in range(query.pattern_count)
    )
    return Compiled(language, rules, query, actions, grammar)


def _query_source(language: str) -> str:
    folder = files(f"quatrain.parsing.languages.{language}")
    resources = (folder / name for name in ("definitions.scm", "references.scm", "imports.scm"))
    return "\n".join(resource.read_text("utf-8") for resource in resources if resource.is_file())


def _action(pattern: str) -> Action:
    captures = list(dict.fromkeys(_CAPTURE.findall(pattern)))
    if sum(c.startswith("definition.") for c in captures) > 1:
        raise ValueError(f"one pattern defines one kind: {pattern}")
    for capture in captures:
        if capture.startswith("definition."):
            return Action(DEFINITION, capture, capture.removeprefix("definition."), 0, "owner" in captures)
        if capture == "decorated":
            return Action(DECORATED, capture, "", 0, "outer" in captures)
        if capture in _PLAIN_ACTIONS:
            return Action(_PLAIN_ACTIONS[capture], capture, "", 0, False)
    for priority, kind in enumerate(REFERENCE_PRIORITY):
        if kind in captures:
            return Action(REFERENCE, kind, kind, priority, "receiver" in captures)
    raise ValueError(f"a query pattern says nothing the extractor knows: {pattern}")
