"""Find the files of a tree: what git lists, else a walk that honours ignore files; every file that is left out has a
named reason.

In a git work tree the list is ``git ls-files -co --exclude-standard``, so the answer is git's own.  Submodules and
nested repositories are entered, each with its own rules; a nested *work tree* of a repository that is already listed
would only double it and is not. Without git, when git refuses, or when the enclosing repository ignores the root, the
folders are walked with the same rules (:mod:`quatrain.files.ignore_rules`), and ``notes`` says so.

``.quatrainignore`` files have the syntax of ``.gitignore`` and the last word: a rule takes out what git lists, a rule
with ``!`` takes in what git ignores.  Links are never followed; pipes, sockets and devices are never opened.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from quatrain.errors import BadPath, NothingIndexed
from quatrain.files.decoding import MAX_FILE_BYTES, too_large
from quatrain.files.ignore_rules import IgnoreFile, read_rules
from quatrain.files.languages import content_class, language_of
from quatrain.records import SourceFile

__all__ = ["Discovery", "discover", "nothing_indexed", "run_git"]

OWN_IGNORE_FILE = b".quatrainignore"

#: Folders that hold the state of a tool, never source; the walk does not enter them (git lists none of them, unless
#: they were committed).
TOOL_FOLDERS = frozenset(
    {b".git", b".hg", b".svn", b".bzr", b".jj", b"_darcs", b"CVS", b"__pycache__", b"node_modules", b"bower_components"}
)
_CACHE_MARKS = (b"CACHEDIR.TAG", b"pyvenv.cfg")

# Sure signs of a format without text, so that the file need not be opened.
BINARY_ENDINGS = frozenset(
    """
    .png .jpg .jpeg .gif .bmp .ico .icns .webp .avif .tif .tiff .psd .xcf .heic .pdf .ps.gz .doc .docx .xls .xlsx .ppt
    .pptx .odt .ods .odp .zip .gz .tgz .bz2 .xz .zst .lz4 .lzma .7z .rar .tar .jar .war .ear .whl .egg .deb .rpm .dmg
    .iso .cab .msi .apk .aab .ipa .crx .xpi .so .dylib .dll .exe .o .a .lib .obj .class .pyc .pyo .pyd .wasm .elc .beam
    .node .pdb .ilk .ttf .otf .woff .woff2 .eot .mp3 .mp4 .m4a .m4v .ogg .oga .ogv .opus .flac .wav .aiff .avi .mov
    .mkv .webm .mid .db .sqlite .sqlite3 .mdb .npy .npz .pkl .pickle .pt .pth .onnx .safetensors .h5 .hdf5 .parquet
    .arrow .feather .gguf .tflite .mo .gmo .nib .blend .fbx .glb .swf .jks .keystore .DS_Store
    """.lower().split()
)
_SECRET_NAME = re.compile(
    r"\.env(?:\.(?!example$|sample$|template$|dist$|defaults?$|schema$)[\w.-]+)?|[\w.-]+\.env\.local|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate)"
    r"(?:\.backup)?|id_[a-z0-9_-]+(?:\.pub)?|\.npmrc|\.pypirc|[._]netrc|\.git-credentials|\.htpasswd|\.pgpass|\.dockercfg|\.s3cfg|\.boto"
    r"|\.my\.cnf|\.vault[_-]token|\.vault_pass",
    re.IGNORECASE,
)
_GIT_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files of a tree, sorted by the bytes of their paths.

    Attributes
    ----------
    files : list of SourceFile
        Indexable files, and skipped ones with their ``skip_reason``.  Ignored files are not listed.
    method : str
        "git" or "walk": how the root was listed.
    notes : tuple of str
        What a user should know: why git was not used, which folders were not entered.
    header_language : str
        What a ``.h`` file is when its content does not tell: "cpp" if the tree has C++ sources and no C sources, else
        "c".
    """

    files: list[SourceFile]
    method: str
    notes: tuple[str, ...] = ()
    header_language: str = "c"


def discover(root: Path, *, max_file_bytes: int = MAX_FILE_BYTES) -> Discovery:
    """List the files of a tree.

    Parameters
    ----------
    root : Path
        An existing folder.
    max_file_bytes : int
        Larger files get a skip reason.

    Returns
    -------
    Discovery

    Raises
    ------
    BadPath
        If ``root`` does not exist or is not a folder.
    NothingIndexed
        If the folder is not empty and every file was ignored or skipped.
    """
    try:
        resolved = Path(root).resolve(strict=True)
        if not resolved.is_dir():
            raise BadPath(f"{root} is not a folder; give the folder that holds the code")
    except FileNotFoundError:
        raise BadPath(f"{root} does not exist") from None
    except (OSError, ValueError, RuntimeError) as error:
        raise BadPath(f"{root} cannot be used: {error}") from None
    search = _Search(os.fsencode(resolved))
    search.run()
    files = search.source_files(max_file_bytes)
    if all(f.skip_reason is not None for f in files) and search.saw_anything:
        raise nothing_indexed(resolved, (f.skip_reason for f in files if f.skip_reason), search.notes)
    extensions = {f.path[f.path.rfind(".") :].lower() for f in files if f.language in ("c", "cpp", "cuda")}
    is_cpp = bool(extensions & {".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".cu"}) and ".c" not in extensions
    if is_cpp:
        files = [f._replace(language="cpp") if f.language == "c" else f for f in files]
    return Discovery(files, search.method, tuple(search.notes), "cpp" if is_cpp else "c")


def nothing_indexed(root: Path | str, reasons: Iterable[str], notes: Iterable[str] = ()) -> NothingIndexed:
    """Return the error for a folder that is not empty and yields no file, with its reasons counted."""
    counts = Counter(re.sub(r" \(.*", "", reason) for reason in reasons)
    listed = [f"{count} {reason}" for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    said = "; ".join([*([", ".join(listed)] if listed else ["every file is ignored"]), *notes])
    advice = "check .gitignore and .quatrainignore, or give another folder"
    return NothingIndexed(f"no file to index in {root}: {said}; {advice}")


class _Layer(NamedTuple):
    """One ignore file: it is asked about ``above + path[len(base):]``."""

    base: bytes  # the governed folder as a prefix of paths: "" or "a/b/"
    rules: IgnoreFile
    above: bytes = b""  # from the governed folder down to the root of the listing, if it lies above that


class _Folder(NamedTuple):
    """What is known of one folder of the tree."""

    is_safe: bool  # no part of its path is a link
    own_layers: tuple[_Layer, ...]  # the .quatrainignore files that govern what lies directly in it
    own_verdict: bool | None  # True: taken out by one of them, False: taken in


@dataclass
class _Search:
    """One listing in progress.  All paths are bytes relative to the root."""

    root: bytes
    method: str = "walk"
    notes: list[str] = field(default_factory=list)
    found: dict[bytes, os.stat_result | None] = field(default_factory=dict)  # None: could not be looked at
    forced: set[bytes] = field(default_factory=set)  # files that a .quatrainignore rule names with "!"
    saw_anything: bool = False
    repositories: set[bytes] = field(default_factory=set)  # the shared git folders of what is already listed
    folders: dict[bytes, _Folder] = field(default_factory=dict)
    has_own_includes: bool = False

    def run(self) -> None:
        """List the root and everything nested in it."""
        pending = [b""]
        while pending:
            prefix = pending.pop()
            folder = os.path.join(self.root, prefix.rstrip(b"/"))
            top = folder if prefix else _repository_top(folder)
            if top is None:
                self._note("not a git work tree; walked, with .gitignore files honoured")
                nested = self._walk(prefix, _user_layers(folder, self._read_rules))
            else:
                common = _common_folder(top)
                if common in self.repositories:
                    self._note(f"{_show(prefix)} is a work tree of a repository that is already listed; not entered")
                    continue
                if top == folder:
                    self.repositories.add(common)
                nested = self._list_repository(prefix, folder, top)
            pending.extend(reversed(nested))

    def _list_repository(self, prefix: bytes, folder: bytes, top: bytes) -> list[bytes]:
        listed, problem = _git_files(folder)
        if problem:
            where = f" for {_show(prefix)}" if prefix else ""
            self._note(f"git is not used{where}: {problem}; walked, with .gitignore files honoured")
        if top != folder and _is_ignored(top, folder, listed is not None, self._read_rules):
            self._note("the enclosing repository ignores this folder; walked, without the rules that ignore it")
            return self._walk(prefix, _user_layers(folder, self._read_rules))
        if listed is None:
            return self._walk(prefix, _layers_above(top, folder, prefix, self._read_rules))
        if not prefix:
            self.method = "git"
        nested = self._take_listed(prefix, listed, ignored=False)
        if self.has_own_includes:
            nested += self._take_listed(prefix, _git_files(folder, ignored=True)[0] or [], ignored=True)
        return nested

    def _take_listed(self, prefix: bytes, listed: list[bytes], ignored: bool) -> list[bytes]:
        """Take what git lists, of ``ignored`` files only what our own rules take in; return the nested repositories."""
        nested: set[bytes] = set()
        for name in listed:
            if name.startswith(_WARNING):
                self._note(os.fsdecode(name[len(_WARNING) :]))
                continue
            if name.startswith(b"/") or b".." in (parts := name.split(b"/")) or b".git" in parts:
                continue
            self.saw_anything = True
            path = prefix + name.rstrip(b"/")
            parent = self._folder(path[: max(path.rfind(b"/"), 0)])
            if path in self.found or not parent.is_safe:
                continue
            try:
                status = os.lstat(os.path.join(self.root, path))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                status = None
            is_folder = status is not None and stat.S_ISDIR(status.st_mode)
            verdict = self._own_verdict(parent, path, is_folder)
            if verdict is True or (ignored and verdict is None):
                continue
            if not is_folder:
                self.found[path] = status
            elif _has_git(os.path.join(self.root, path)):
                # A submodule, or an untracked folder with a repository of its own.
                nested.add(path + b"/")
            elif not name.endswith(b"/"):
                self._note(f"submodule {_show(path)} is not checked out")
        return sorted(nested)

    def _folder(self, folder: bytes, names: set[bytes] | None = None) -> _Folder:
        """Return what is known of a folder; ``names`` are its entries if it was just scanned, which spares a look."""
        known = self.folders.get(folder)
        if known is not None:
            return known
        known = self.folders.get(b"")
        if known is None:
            known = self.folders[b""] = _Folder(True, self._own_layers(b"", ()), None)
        # Downwards instead of by recursion: a hostile tree may be thousands of folders deep.
        position = 0
        while folder and position >= 0:
            position = folder.find(b"/", position + 1)
            part = folder if position < 0 else folder[:position]
            parent, known = known, self.folders.get(part)
            if known is None:
                is_scanned = names is not None and position < 0
                safe = is_scanned and parent.is_safe
                if parent.is_safe and not is_scanned:
                    try:
                        safe = stat.S_ISDIR(os.lstat(os.path.join(self.root, part)).st_mode)
                    except OSError:
                        pass
                verdict = self._own_verdict(parent, part, True) if safe else parent.own_verdict
                layers = parent.own_layers if safe else ()
                if safe and (names is None or not is_scanned or OWN_IGNORE_FILE in names):
                    layers = self._own_layers(part, layers)
                known = self.folders[part] = _Folder(safe, layers, verdict)
        return known

    def _own_layers(self, folder: bytes, above: tuple[_Layer, ...]) -> tuple[_Layer, ...]:
        rules = self._read_rules(os.path.join(self.root, folder, OWN_IGNORE_FILE))
        if rules is None:
            return above
        self.has_own_includes |= rules.has_includes
        return (*above, _Layer(folder + b"/" if folder else b"", rules))

    def _own_verdict(self, parent: _Folder, path: bytes, is_folder: bool) -> bool | None:
        """Return what the ``.quatrainignore`` rules say of a path, or of the nearest folder above it that they name."""
        if parent.own_verdict is True:
            return True
        said = _verdict(parent.own_layers, path, is_folder) if parent.own_layers else None
        if said is False and not is_folder:
            self.forced.add(path)
        return parent.own_verdict if said is None else said

    def _walk(self, prefix: bytes, outer: list[_Layer]) -> list[bytes]:
        """Take the files below ``prefix`` and return the nested repositories met."""
        nested: list[bytes] = []
        visited: set[tuple[int, int]] = set()
        # (folder, the ignore files above it, whether it is ignored and entered only for what our own rules take in)
        pending: list[tuple[bytes, tuple[_Layer, ...], bool]] = [(prefix.rstrip(b"/"), tuple(outer), False)]
        while pending:
            folder, layers, ignored_above = pending.pop()
            place = os.path.join(self.root, folder) if folder else self.root
            try:
                with os.scandir(place) as entries:
                    listing = sorted(entries, key=lambda entry: entry.name)
                status = os.stat(place)
            except OSError as error:
                self._note(f"folder {_show(folder)} is unreadable ({error.strerror})")
                self.saw_anything = True
                continue
            if status.st_ino and (status.st_dev, status.st_ino) in visited:
                self._note(f"folder {_show(folder)} is mounted more than once; entered once")
                continue
            visited.add((status.st_dev, status.st_ino))
            base = folder + b"/" if folder else b""
            names = {entry.name for entry in listing}
            if base != prefix and b".git" in names:
                if not ignored_above:
                    nested.append(base)
                continue
            here = self._folder(folder, names)
            if base != prefix and here.own_verdict is not False and not names.isdisjoint(_CACHE_MARKS):
                self._note(f"folder {_show(folder)} is a cache or a virtual environment; not entered")
                continue
            if b".gitignore" in names:
                rules = self._read_rules(os.path.join(place, b".gitignore"))
                if rules:
                    layers = (*layers, _Layer(base, rules))
            below = []
            for entry in listing:
                name = entry.name
                if name == b".git":
                    continue
                self.saw_anything = True
                path = base + name
                try:
                    is_folder = entry.is_dir(follow_symlinks=False)
                except OSError:
                    is_folder = False
                verdict = self._own_verdict(here, path, is_folder)
                if verdict is True:
                    continue
                ignored = verdict is None and (
                    ignored_above or (bool(layers) and _verdict(layers, path, is_folder) is True)
                )
                if not is_folder:
                    if not ignored:
                        try:
                            self.found[path] = entry.stat(follow_symlinks=False)
                        except FileNotFoundError:
                            continue
                        except OSError:
                            self.found[path] = None
                elif name in TOOL_FOLDERS and verdict is not False:
                    if not ignored:
                        self._note(f"folder {_show(path)} is not entered")
                elif not ignored or self.has_own_includes:
                    below.append((path, layers, ignored))
            pending.extend(reversed(below))
        return nested

    # --- results
    # -----------------------------------------------------------------------------------------------------------------

    def _read_rules(self, path: bytes) -> IgnoreFile | None:
        try:
            return read_rules(path)
        except OSError as error:
            self._note(f"ignore file {_show(os.path.relpath(path, self.root))} is unreadable ({error.strerror})")
            return None

    def _note(self, note: str) -> None:
        if note not in self.notes:
            if len(self.notes) == _MAX_NOTES:
                self.notes.append("... and more of the kind")
            elif len(self.notes) < _MAX_NOTES:
                self.notes.append(note)

    def source_files(self, max_file_bytes: int) -> list[SourceFile]:
        files = []
        for path in sorted(self.found):
            status = self.found[path]
            text = os.fsdecode(path)
            language = language_of(text)
            reason = _skip_reason(text, status, max_file_bytes, path in self.forced)
            size, mtime = (0, 0) if status is None else (status.st_size, status.st_mtime_ns)
            files.append(SourceFile(text, size, mtime, language, content_class(text, language), reason))
        return files


_MAX_NOTES = 50


def _skip_reason(path: str, status: os.stat_result | None, max_file_bytes: int, forced: bool) -> str | None:
    if status is None:
        return "unreadable"
    if stat.S_ISLNK(status.st_mode):
        return "symlink"
    if not stat.S_ISREG(status.st_mode):
        return "not a regular file"
    name = path.rpartition("/")[2]
    if _SECRET_NAME.fullmatch(name) and not forced:
        return "secret-looking name"
    if name[max(name.rfind("."), 0) :].lower() in BINARY_ENDINGS:
        return "binary"
    if status.st_size > max_file_bytes:
        return too_large(status.st_size)
    return None


def _verdict(layers: tuple[_Layer, ...] | list[_Layer], path: bytes, is_folder: bool) -> bool | None:
    """Return what the deepest ignore file that says anything says about the path."""
    name = path[path.rfind(b"/") + 1 :]
    for base, rules, above in reversed(layers):
        said = rules.verdict(above + path[len(base) :], name, is_folder)
        if said is not None:
            return said
    return None


def _show(path: bytes) -> str:
    return os.fsdecode(path.rstrip(b"/")).encode("utf-8", "replace").decode() or "."


# --- repositories
# ----------------------------------------------------------------------------------------------------------------


def _has_git(folder: bytes) -> bool:
    return os.path.lexists(os.path.join(folder, b".git"))


def _repository_top(folder: bytes) -> bytes | None:
    """Return the nearest folder, upwards, that holds a ``.git``."""
    while not _has_git(folder):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _common_folder(top: bytes) -> bytes:
    """Return the git folder that all work trees of a repository share."""
    folder = os.path.join(top, b".git")
    line = _read_small(folder)
    if line.startswith(b"gitdir:"):
        folder = os.path.join(top, line[7:].strip())
    return os.path.realpath(os.path.join(folder, _read_small(os.path.join(folder, b"commondir")).strip()))


def _read_small(path: bytes) -> bytes:
    """Return the content of a small regular file, or nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as file:
            content = file.read(8192) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
    except (OSError, ValueError):
        return b""
    return b"" if b"\0" in content else content


def run_git(folder: bytes, *arguments: str) -> tuple[int, bytes, str]:
    """Run git and return (exit status, output, error text); the status is -1 if it cannot run."""
    import subprocess

    # The variables that git sets for its hooks would point at another repository, and a repository may name a program
    # of its own choice as its file system monitor.
    environment = {k: v for k, v in os.environ.items() if k not in _HOOK_VARIABLES}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "-c", "core.fsmonitor=false", *arguments],
            cwd=os.fsdecode(folder),
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError:
        return -1, b"", "git is not installed"
    except (OSError, subprocess.SubprocessError) as error:
        return -1, b"", f"git cannot run ({error})"
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


_HOOK_VARIABLES = frozenset(
    {
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
    }
)  # fmt: skip
_WARNING = b"\0warning: "


def _git_files(folder: bytes, ignored: bool = False) -> tuple[list[bytes] | None, str]:
    """Return what git lists below a folder (its warnings marked with ``_WARNING``), or None and why it does not."""
    status, output, error = run_git(
        folder, "ls-files", "-z", *(("-o", "-i") if ignored else ("-c", "-o")), "--exclude-standard"
    )
    lines = error.strip().splitlines()
    if status == 0:
        warnings = [
            _WARNING + os.fsencode(line.removeprefix("warning: ")) for line in lines if line.startswith("warning: ")
        ]
        return [*warnings, *filter(None, output.split(b"\0"))], ""
    if "dubious ownership" in error:
        return None, "it refuses because of dubious ownership"
    return None, lines[0].removeprefix("fatal: ") if lines else f"it ended with status {status}"


_Reader = Callable[[bytes], IgnoreFile | None]


def _is_ignored(top: bytes, folder: bytes, ask_git: bool, read: _Reader) -> bool:
    """Whether the repository at ``top`` ignores the folder below it."""
    relative = os.path.relpath(folder, top)
    if ask_git:
        return run_git(top, "check-ignore", "-q", "--no-index", "--", os.fsdecode(relative))[0] == 0
    layers = _repository_layers(top, relative, read)
    return any(
        _verdict([x for x in layers if part.startswith(x.base)], part, True) is True for part in _prefixes(relative)
    )


def _layers_above(top: bytes, folder: bytes, prefix: bytes, read: _Reader) -> list[_Layer]:
    """Return the rules that govern a walk of ``folder`` from outside it."""
    relative = os.path.relpath(folder, top)
    if relative == b".":
        return [x._replace(base=prefix) for x in _repository_layers(top, b"", read)]
    return [_Layer(prefix, x.rules, (relative + b"/")[len(x.base) :]) for x in _repository_layers(top, relative, read)]


def _repository_layers(top: bytes, relative: bytes, read: _Reader) -> list[_Layer]:
    """Return the rules from the user's excludes down to the folder above ``top/relative``; paths start at ``top``."""
    layers = _user_layers(top, read)
    rules = read(os.path.join(_common_folder(top), b"info", b"exclude"))
    if rules:
        layers.append(_Layer(b"", rules))
    for part in [b"", *list(_prefixes(relative))[:-1]] if relative else []:
        rules = read(os.path.join(top, part, b".gitignore"))
        if rules:
            layers.append(_Layer(part + b"/" if part else b"", rules))
    return layers


def _prefixes(relative: bytes) -> Iterator[bytes]:
    parts = relative.split(b"/")
    for count in range(1, len(parts) + 1):
        yield b"/".join(parts[:count])


def _user_layers(folder: bytes, read: _Reader) -> list[_Layer]:
    """Return the user's global excludes: ``core.excludesFile``, or its default place."""
    status, output, _ = run_git(folder, "config", "--type=path", "-z", "--get", "core.excludesFile")
    home = os.path.expanduser("~")
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    if status == 0:
        path = output.rstrip(b"\0")
    elif status == -1:
        found = b""
        for place in (os.path.join(settings, "git", "config"), os.path.join(home, ".gitconfig")):
            found = (_EXCLUDES_SETTING.findall(_read_small(os.fsencode(place))) or [found])[-1]
        path = os.path.expanduser(found.strip(b' \t"'))
    else:
        path = b""
    # Links inside a tree are refused; the user's own file may well be one.
    rules = read(os.path.realpath(path or os.fsencode(os.path.join(settings, "git", "ignore"))))
    return [_Layer(b"", rules)] if rules else []


_EXCLUDES_SETTING = re.compile(rb"^[ \t]*excludesfile[ \t]*=[ \t]*([^\r\n]+)", re.IGNORECASE | re.MULTILINE)
