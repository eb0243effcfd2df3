"""Names of modules and of what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from posixpath import dirname, splitext

from quatrain.records import ParsedFile

__all__ = ["SEPARATORS", "is_package", "module_name", "package_directories", "python_module", "qualified_name"]

SEPARATORS = (".", ":", "/")
_DOTTED_LANGUAGES = frozenset({"python", "java", "kotlin", "csharp", "php", "scala"})
_NAMESPACED = frozenset({"java", "kotlin", "csharp", "php", "scala"})
_EXTENSION = re.compile(r"(\.d)?\.[^./]+$")
# Folders that hold packages without being one; stripped when nothing says that they are a package.
_ROOTS = ("src", "lib", "python")


def package_directories(paths: Iterable[str]) -> frozenset[str]:
    """Return the folders that hold an ``__init__.py``."""
    return frozenset(dirname(p) for p in paths if p.endswith(("/__init__.py", "/__init__.pyi")) or p == "__init__.py")


def is_package(root: str, packages: frozenset[str]) -> bool:
    """Return whether the folder that paths are relative to is a Python package, so that its name begins their modules' names."""
    return "" in packages and root.isidentifier()


def python_module(path: str, packages: frozenset[str] | None = None, root: str = "") -> str:
    """Return the dotted name under which Python imports ``path``.

    Parameters
    ----------
    path
        Path of the file relative to the root.
    packages
        Folders that are packages (see :func:`package_directories`).  None: a leading ``src``, ``lib`` or ``python`` is left out and every
        other folder counts as a package.
    root
        Name of the folder that paths are relative to.  When it is a package itself, its files are imported by that name.
    """
    stem = splitext(path)[0]
    parts = stem.split("/")
    if packages is not None and is_package(root, packages):
        parts = [root, *parts]
        packages = frozenset({root})
    if packages is None:
        start = 1 if len(parts) > 1 and parts[0] in _ROOTS else 0
    else:
        # A folder inside a package belongs to it, with or without a file of its own.
        start = len(parts) - 1
        for size in range(1, len(parts)):
            if "/".join(parts[:size]) in packages:
                start = size - 1
                break
    parts = parts[start:]
    if parts[-1] == "__init__" and len(parts) > 1:
        parts.pop()
    elif parts == ["__init__"]:
        above = dirname(path).rsplit("/", 1)[-1]
        parts = [above] if above else ["__init__"]
    return ".".join(parts)


def module_name(
    path: str,
    language: str | None,
    parsed: ParsedFile | None = None,
    packages: frozenset[str] | None = None,
    root: str = "",
) -> str:
    """Return the name of the module that a file is.

    Parameters
    ----------
    path
        Path relative to the root.
    language
        Language of the file; None for text.
    parsed
        Its facts; in Java, Kotlin, C#, PHP and Scala they tell the package or namespace.
    packages
        For Python, the folders that are packages (see :func:`package_directories`).
    root
        For Python, the name of the folder that paths are relative to; it counts when that folder is a package.

    Returns
    -------
    str
        Python: the dotted module path ("flask.app"; a package's ``__init__`` is the package).  Languages with packages: the package or
        namespace, when the file declares exactly one.  All others: the path without its extension.
    """
    if language == "python":
        return python_module(path, packages, root)
    if language in _NAMESPACED and parsed is not None:
        namespace = _namespace(parsed)
        if namespace:
            return namespace
    return _EXTENSION.sub("", path)


def _namespace(parsed: ParsedFile) -> str:
    from quatrain.parsing.bindings.facts import Facts, unpack

    facts = parsed.bindings
    if isinstance(facts, bytes):
        facts = unpack(facts)
    if isinstance(facts, Facts):
        return str(facts.extra.get("package", "")).replace("\\", ".")
    return ""


def qualified_name(module: str, language: str | None, local: str) -> str:
    """Return ``local`` (a name within the file, such as "Class.method") qualified by its module.

    An empty ``local`` names the module's own code: the module itself where names are dotted, else the module and a colon.
    """
    if language in _DOTTED_LANGUAGES and "/" not in module:
        if language in _NAMESPACED and local.startswith(module + "."):
            return local  # the extractor already counts the namespace as a part of the name
        return f"{module}.{local}" if local else module
    return f"{module}:{local}"
