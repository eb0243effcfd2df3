"""What one file says about values: expressions in which every use of a name points at what may have bound it.

The shape is that of static single assignment: ``values`` is a flat table, an expression is a row ``(op, operand, ...)``
and its operands are row numbers.  Extraction decides everything that the file alone can decide (which assignments reach
a use, what an ``isinstance`` test leaves); the linker of the language evaluates rows on demand.  Rows say nothing about
other files, so the table is cached with the file's content hash.

Invariants: operands are smaller than ``len(values)``; row 0 is ``(UNKNOWN,)``; symbols are indexes into
``ParsedFile.symbols``; scope 0 is the module.
"""

from __future__ import annotations

import io
import pickle
from typing import Any, NamedTuple

__all__ = ["ClassFacts", "Facts", "FunctionFacts", "Parameter", "Scope", "Site", "pack", "unpack"]

# --- operations: (op, operands...) -----

UNKNOWN = 0  # nothing is known
NAME = 1  # (name, scope): looked up along the scopes when linking
DEFINITION = 2  # (symbol,)
ATTRIBUTE = 3  # (base, name)
CALL = 4  # (callee, arguments, keywords): keywords as (name, row), "**" for a mapping; *x is a SPREAD row
ITEM = 5  # (base, key): key a constant str/int, or None
PHI = 6  # (rows,): any of them
PARAMETER = 7  # (symbol, index)
LAMBDA = 8  # (parameters, body row): a function without a symbol
SEQUENCE = 9  # (kind, rows)
MAPPING = 10  # (keys, rows): a key is a constant or None
ELEMENT = 11  # (base,): what iteration yields
AWAIT = 12  # (base,)
ENTER = 13  # (base,): what ``with`` binds
CONSTANT = 14  # (builtin type name,)
IMPORT = 15  # (level, module, name): name "" is the module itself, "*" a namespace object
INSTANCE = 16  # (type row,): declared to be of that type
SUPER = 17  # (class symbol, function symbol)
NARROW = 18  # (base, type row, positive)
UNPACK = 19  # (base, index, length after a star or -1)
FIRST = 20  # (rows,): the first one that is known
SUBSCRIPT = 21  # (base, argument rows): a type with arguments
UNION = 22  # (rows,): a union of types
LAMBDA_PARAMETER = 23  # (lambda row, index)
SPREAD = 24  # (base,): *base as an argument
UPDATE = 25  # (base, key, row): a container after one of its items was set
OPERATOR = 26  # (left, right, operator)
SELF = 27  # (class symbol, 0 instance | 1 class): this, self
TYPE_FUNCTION = 28  # (parameter type rows, return type row, ...): a function type; what follows is the language's own
TYPE_OBJECT = 29  # (members as (name, row),): a structural type
NEW = 30  # (callee, arguments)
OBJECT = 31  # (members as (name, row), spread rows)
RETURN = 32  # (symbol,): what the function with that symbol returns
TYPE_VARIABLE = 34  # (name, bound row, default row, place)
TYPE_QUERY = 35  # (row,): the type of a value
PREDICATE = 36  # (type row,): a result that says whether the first argument is of that type
CONTEXT_PARAMETER = 37  # (function type row, index): what the expected type says about a parameter, -1 for ``this``
CONTEXT_ARGUMENT = 38  # (call row, index): what the callee declares about that argument


class Scope(NamedTuple):
    """One region of names.  ``parent`` is where a name is looked up next; a class body is only its own code's."""

    kind: str  # "module", "class", "function", "block", "namespace"
    symbol: int
    parent: int
    names: dict[str, tuple[int, ...]]  # every row that may bind the name
    stars: tuple[int, ...]  # IMPORT rows whose names are all visible here


class Parameter(NamedTuple):
    """One parameter of a function."""

    name: str
    annotation: int  # type row or -1
    default: int  # row or -1
    kind: str  # "" positional or keyword, "/" positional only, "k" keyword only, "*" or "**"


class FunctionFacts(NamedTuple):
    """What a function takes and gives."""

    scope: int
    owner: int  # symbol of the class whose body holds it, or -1
    parameters: tuple[Parameter, ...]
    returns: tuple[int, ...]  # rows
    yields: tuple[int, ...]
    annotation: int  # return type row or -1
    flags: frozenset[
        str
    ]  # "async", "static", "class", "property", "setter", "overload", "abstract", "generator", "context", "cached"
    decorators: tuple[int, ...]
    variables: tuple[str, ...] = ()  # type parameters


class ClassFacts(NamedTuple):
    """What a class is made of."""

    scope: int
    bases: tuple[int, ...]
    attributes: dict[str, tuple[tuple[int, bool], ...]]  # (row, declared) for each assignment through self
    decorators: tuple[int, ...]
    metaclass: int
    variables: tuple[str, ...] = ()  # type parameters


class Site(NamedTuple):
    """One place that uses a name."""

    kind: int  # position in records.EDGE_KINDS
    value: int  # row that names the target: the callee, not the call
    name: str
    line: int
    column: int
    symbol: int  # the innermost definition around it


class Facts(NamedTuple):
    """Everything the linker needs of one file."""

    language: str
    values: tuple[tuple[Any, ...], ...]
    scopes: tuple[Scope, ...]
    functions: dict[int, FunctionFacts]
    classes: dict[int, ClassFacts]
    sites: tuple[Site, ...]
    variables: dict[tuple[int, str], int]  # (scope, name) -> symbol of a variable, constant or field
    stores: dict[str, tuple[tuple[int, int], ...]]  # attribute -> (object row, value row), for objects other than self
    exports: tuple[str, ...] | None  # the names that a star import takes, when the file lists them
    extra: dict[str, Any]  # language specific: package, namespaces, re-exports


class _Data(pickle.Unpickler):
    """Reads plain containers and nothing else: an index is data, not a program."""

    def find_class(self, module_name: str, global_name: str) -> Any:
        raise pickle.UnpicklingError(f"facts must not hold {module_name}.{global_name}")


def pack(facts: Facts) -> bytes:
    """Return the facts as bytes: small to send, and decoded only by the linker."""
    return pickle.dumps(_plain(facts), protocol=5)


def unpack(data: bytes) -> Facts:
    """Return the facts that :func:`pack` stored."""
    language, values, scopes, functions, classes, sites, variables, stores, exports, extra = _Data(
        io.BytesIO(data)
    ).load()
    return Facts(
        language,
        values,
        tuple(Scope(*s) for s in scopes),
        {
            k: FunctionFacts(v[0], v[1], tuple(Parameter(*p) for p in v[2]), *v[3:6], frozenset(v[6]), *v[7:])
            for k, v in functions.items()
        },
        {k: ClassFacts(*v) for k, v in classes.items()},
        sites,
        variables,
        stores,
        exports,
        extra,
    )


def _plain(facts: Facts) -> tuple[Any, ...]:
    # Plain tuples pickle to half the size of named ones and load three times as fast.
    return (
        facts.language,
        facts.values,
        tuple(tuple(s) for s in facts.scopes),
        {
            k: (*v[:2], tuple(tuple(p) for p in v[2]), *v[3:6], tuple(sorted(v[6])), *v[7:])
            for k, v in facts.functions.items()
        },
        {k: tuple(v) for k, v in facts.classes.items()},
        tuple(tuple(s) for s in facts.sites),
        facts.variables,
        facts.stores,
        facts.exports,
        facts.extra,
    )
