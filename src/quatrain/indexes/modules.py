"""Files as things that a question can name: by path, by the end of a path, by file name, by module or package name.

A file is listed under *keys*: its stem, the last part of its module's name, and, when it stands for its folder (``__init__.py``,
``index.ts``, ``mod.rs``), the folder's name.  A look-up goes from the last part of what is asked to the few files listed under it and keeps
those whose path or module name ends with the whole of it, at a boundary.

Sections
--------
``module/name``
    strings by file id: the module's name (see ``linking.module_name``).
``module/key``
    strings, sorted and distinct, in lower case.
``module/key_indptr``, ``module/key_files``
    uint32[keys + 1] and uint32[]: file ids by key, ascending.
``module/root``
    uint8[]: name of the folder that paths are relative to; people put it in front of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from quatrain.files.flags import DEMOTED, TEST
from quatrain.indexes.file_names import file_stem
from quatrain.indexes.strings import SectionReader, SectionWriter, StringTable, encode, write_strings

__all__ = ["ModuleIndex", "build"]

# Files that stand for the folder they lie in.
_FOLDER_STEMS = frozenset({"__init__", "index", "mod", "package-info"})
# What may stand behind a stem without being part of a module's name: "date.d.ts" is the module "date".
_EXTENSION = re.compile(r"(?:\.d)?\.[A-Za-z][\w+]*\Z")
_UP = re.compile(r"(?:\.{1,2}/)+|[@~#]/")
_SEPARATOR = re.compile(r"[./:\\]")
_LINE = re.compile(r"(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)\Z")


def build(writer: SectionWriter, paths: Sequence[str], names: Sequence[str], root: str = "") -> None:
    """Write the names of all files.

    Parameters
    ----------
    writer
        Receives the five sections.
    paths
        In the order of the file ids.
    names
        Name of the module that each file is.
    root
        Name of the folder that the paths are relative to.
    """
    files_of: dict[bytes, set[int]] = {}
    for file, (path, name) in enumerate(zip(paths, names, strict=True)):
        stem = file_stem(path)
        keys = {stem, stem.split(".", 1)[0] or stem, _SEPARATOR.split(name)[-1]}
        if stem in _FOLDER_STEMS and "/" in path:
            keys.add(path.split("/")[-2])
        for key in keys:
            if key:
                files_of.setdefault(encode(key.lower()), set()).add(file)
    ordered = sorted(files_of)
    indptr = np.zeros(len(ordered) + 1, np.uint32)
    np.cumsum([len(files_of[key]) for key in ordered], out=indptr[1:])
    writer.add("module/root", encode(root))
    write_strings(writer, "module/name", names)
    write_strings(writer, "module/key", ordered)
    writer.add("module/key_indptr", indptr)
    writer.add("module/key_files", np.array([f for key in ordered for f in sorted(files_of[key])], np.uint32))


class ModuleIndex:
    """Look up files by what people call them."""

    def __init__(self, segment: SectionReader) -> None:
        self.names = StringTable(segment, "module/name")
        self.paths = StringTable(segment, "file/path")
        self._keys = StringTable(segment, "module/key")
        self._indptr = segment.array("module/key_indptr")
        self._files = segment.array("module/key_files")
        self._root = segment.array("module/root").tobytes().decode("utf-8", "surrogateescape")
        self._set_apart = (segment.array("file/flags") & (DEMOTED | TEST)) != 0

    def name(self, file: int) -> str:
        """Return the name of the module that a file is."""
        return self.names[file]

    def is_name(self, text: str) -> bool:
        """Return whether a module is called exactly ``text``."""
        return any(self.names[file] == text for file in self.listed(_SEPARATOR.split(text)[-1]))

    def listed(self, key: str) -> list[int]:
        """Return the files under a key."""
        at = self._keys.find(key.lower())
        return [] if at < 0 else self._files[self._indptr[at] : self._indptr[at + 1]].tolist()

    def find(self, text: str) -> list[int]:
        """Return the files that ``text`` means.

        Parameters
        ----------
        text
            ``src/shop/money.py``, ``shop/money.py``, ``money.py``, ``shop/money``, ``./money``, ``shop.money``, ``money``; a package or its
            folder (``shop``, ``src/shop/``); a module specifier (``../utils/date.js``); a namespace (``com.shop.money``).

        Returns
        -------
        list of int
            File ids, ascending.  A whole path or whole module name wins over the end of one.  Of the files that only end with it, those
            nearest to the root are meant, outside tests and vendored folders if there are any.
        """
        asked = _LINE.sub("", text.strip().strip("\"'`").replace("\\", "/"))
        asked = _UP.sub("", asked, count=1) if _UP.match(asked) else asked
        folder = asked.endswith("/")
        asked = asked.strip("/")
        if not asked or "\0" in asked:
            return []
        found = self._below(asked) if folder else self._named(asked)
        if not found and self._root:
            within = f"/{asked}".rpartition(f"/{self._root}/")[2]
            if within != f"/{asked}":
                found = self._below(within) if folder else self._named(within)
        if not found and asked.startswith("@") and "/" in asked:
            # A package with a scope: its folder bears the name without the scope, or is the root.
            _, package, *rest = asked.split("/")
            found = self._named("/".join([package, *rest])) if rest else self._below(package)
            if not found and rest:
                found = self._named("/".join(rest))
        return found

    def _named(self, asked: str) -> list[int]:
        whole = self.paths.find(asked)
        if whole >= 0:
            return [whole]
        found = self._ending(asked) or self._below(asked)
        if not found and "." in asked and "/" not in asked:
            found = self._below(asked.replace(".", "/"))  # a namespace whose folders bear its name
        return found

    def _ending(self, asked: str) -> list[int]:
        """Return the files whose path, module name or path without extension ends with the text, the best kind of match
        alone."""
        name = asked.rsplit("/", 1)[-1]
        ending = encode(f"/{asked}")
        found = [file for file in self.listed(file_stem(name)) if self.paths.raw(file).endswith(ending)]
        if found:
            return self._nearest(found)
        # "shop.money" is no file name, but may be a module.
        dotted = asked.replace("/", ".").replace("::", ".").replace(":", ".")
        whole = []
        for file in sorted({*self.listed(dotted.rsplit(".", 1)[-1]), *self.listed(name)}):
            module = self.names[file].replace("/", ".").replace(":", ".").replace("\\", ".")
            if module == dotted:
                whole.append(file)
            if f".{module}".endswith(f".{dotted}") or self._stands_for(self.paths[file], asked):
                found.append(file)
        if whole and "." in dotted:  # a single word says too little to be the whole name of something
            return whole  # a namespace is all of its files
        bare = _EXTENSION.sub("", asked)
        if not found and bare != asked:
            # "date.js" names "date.ts" when nothing is called "date.js".
            stem = bare.rsplit("/", 1)[-1]
            for file in sorted({*self.listed(stem), *self.listed(stem.split(".", 1)[0])}):
                if self._stands_for(self.paths[file], bare):
                    found.append(file)
        return self._nearest(found)

    def _nearest(self, files: list[int]) -> list[int]:
        """Return the files nearest to the root, those outside tests, vendored and built folders first."""
        keys = [(bool(self._set_apart[file]), self.paths[file].count("/")) for file in files]
        nearest = min(keys, default=None)
        return [file for file, key in zip(files, keys, strict=True) if key == nearest]

    @staticmethod
    def _stands_for(path: str, asked: str) -> bool:
        """Return whether a path without its extension, or the folder that the file stands for, ends with the text."""
        stem = _EXTENSION.sub("", path)
        if stem == asked or stem.endswith("/" + asked):
            return True
        above, _, name = stem.rpartition("/")
        return name in _FOLDER_STEMS and (above == asked or above.endswith("/" + asked))

    def _below(self, folder: str) -> list[int]:
        """Return the files below a folder."""
        low, high = self.paths.prefix_range(folder + "/")
        if low < high:
            return list(range(low, high))
        inner = f"/{folder}/"
        rows = self.paths.rows_matching(re.compile(re.escape(encode(inner))))
        return [file for file in rows.tolist() if inner in self.paths[file]]
