"""Which language a file is written in, and whether it is code, documentation or configuration.

The decision looks at, in this order: the whole file name, the extension, the first line (``#!`` or an editor's mode
line), and for the few extensions that two languages share, the beginning of the content.  Names are those of the
tree-sitter grammars where one exists.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from quatrain.errors import UnknownLanguage
from quatrain.records import SourceFile

__all__ = ["LANGUAGES", "content_class", "language_of", "resolve_languages", "with_language"]

# One line a language: name, then extensions (with the dot) and whole file names (without).
_TABLE = """
ada            .adb .ads .ada
apex           .cls .trigger
asciidoc       .adoc .asciidoc .asc
asm            .asm .s .nasm
astro          .astro
awk            .awk
bash           .sh .bash .zsh .ksh .bats .ebuild .bashrc .zshrc .profile .command PKGBUILD configure
batch          .bat .cmd
bicep          .bicep
bitbake        .bb .bbappend .bbclass
c              .c .h
clojure        .clj .cljs .cljc .edn .bb.clj
cmake          .cmake CMakeLists.txt
cobol          .cob .cbl .cobol .cpy
coffeescript   .coffee
commonlisp     .lisp .lsp .cl .asd
cpp            .cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .inl .tpp .txx .ixx .cppm .ino
crystal        .cr
csharp         .cs .csx .cake
css            .css
csv            .csv .tsv
cuda           .cu .cuh
cython         .pyx .pxd .pxi
d              .d .di
dart           .dart
dockerfile     .dockerfile Dockerfile Containerfile
elisp          .el .emacs
elixir         .ex .exs
elm            .elm
erb            .erb
erlang         .erl .hrl .escript rebar.config
fish           .fish
fortran        .f .f77 .f90 .f95 .f03 .f08 .for
fsharp         .fs .fsi .fsx
gdscript       .gd
gleam          .gleam
glsl           .glsl .vert .frag .geom .comp .tesc .tese
gn             .gn .gni
go             .go
gomod          go.mod go.work
graphql        .graphql .gql
groovy         .groovy .gradle .gvy Jenkinsfile
haskell        .hs .lhs .hsc
haxe           .hx
hcl            .hcl .tf .tfvars .nomad
hlsl           .hlsl .fx
html           .html .htm .xhtml .jinja .jinja2 .j2 .hbs .handlebars .mustache .ejs .liquid .njk .twig .phtml.html
ini            .ini .cfg .conf .cnf .desktop .editorconfig .gitconfig .gitattributes .gitmodules .flake8 .pylintrc .coveragerc .npmignore .dockerignore .gitignore .quatrainignore
java           .java
javascript     .js .jsx .mjs .cjs .es6 Jakefile
json           .json .jsonc .json5 .jsonl .geojson .webmanifest .ipynb .babelrc .eslintrc .prettierrc .swcrc composer.lock Pipfile.lock .arcconfig .avsc
julia          .jl
kotlin         .kt .kts
latex          .tex .sty .ltx .bib .dtx
less           .less
lua            .lua .luau .rockspec
make           .mk .mak .make Makefile makefile GNUmakefile Makefile.am Makefile.in Kbuild
markdown       .md .markdown .mdown .mkd .mdx .qmd .rmd
matlab         .m
meson          meson.build meson_options.txt meson.options
nim            .nim .nims .nimble
nix            .nix
objc           .mm
ocaml          .ml .mli
odin           .odin
org            .org
pascal         .pas .pp .dpr .lpr
perl           .pl .pm .t .psgi cpanfile
php            .php .phtml .php3 .php4 .php5 .php7 .phps
powershell     .ps1 .psm1 .psd1
prisma         .prisma
prolog         .pro .prolog
properties     .properties
proto          .proto
puppet         .epp
purescript     .purs
python         .py .pyi .pyw .wsgi SConstruct SConscript wscript
qmljs          .qml
r              .r .rprofile
racket         .rkt
raku           .raku .rakumod .p6 .pm6
rst            .rst .rest
ruby           .rb .rake .gemspec .ru .rbw .podspec .jbuilder Rakefile Gemfile Guardfile Capfile Vagrantfile Podfile Fastfile Brewfile Berksfile Thorfile Appraisals .irbrc .pryrc
rust           .rs
scala          .scala .sc .sbt
scheme         .scm .ss .sld
scss           .scss
sass           .sass
smali          .smali
smalltalk      .st
solidity       .sol
sql            .sql .ddl .dml .pgsql .psql .plsql
starlark       .bzl .star .bazel BUILD WORKSPACE Tiltfile BUCK
svelte         .svelte
swift          .swift
systemverilog  .sv .svh
tcl            .tcl .tk
text           .txt .text .log .1 .2 .3 .4 .5 .6 .7 .8 .pod .wiki .textile .rdoc .creole .mediawiki LICENSE LICENCE COPYING NOTICE README CHANGELOG CHANGES AUTHORS CONTRIBUTORS INSTALL NEWS TODO HISTORY MAINTAINERS VERSION CODEOWNERS PATENTS THANKS COPYRIGHT
thrift         .thrift
toml           .toml Cargo.lock poetry.lock uv.lock Pipfile pdm.lock
tsx            .tsx
typescript     .ts .mts .cts
vala           .vala .vapi
vb             .vb .vbs .bas
verilog        .v .vh
vhdl           .vhd .vhdl
vim            .vim .vimrc
vue            .vue
wat            .wat .wast
wgsl           .wgsl
xml            .xml .xsd .xsl .xslt .svg .plist .csproj .fsproj .vbproj .vcxproj .props .targets .resx .xaml .xib .storyboard .wsdl .rss .atom .nuspec .pom .kml .qrc .ui .iml .sln.xml
yaml           .yaml .yml .clang-format .clang-tidy .sublime-syntax CITATION.cff yarn.lock pnpm-lock.yaml
zig            .zig .zon
"""  # noqa: E501

_EXTENSIONS: dict[str, str] = {}
_NAMES: dict[str, str] = {}
for _line in _TABLE.strip().splitlines():
    _language, *_marks = _line.split()
    for _mark in _marks:
        (_EXTENSIONS if _mark.startswith(".") else _NAMES)[_mark] = _language

#: Every language name that :func:`language_of` can return, sorted.
LANGUAGES: tuple[str, ...] = tuple(sorted({*_EXTENSIONS.values(), *_NAMES.values()}))

_INTERPRETERS = {
    "python": "python", "pypy": "python", "ipython": "python", "sage": "python", "node": "javascript", "nodejs":
    "javascript", "deno": "typescript", "bun": "typescript", "ts-node": "typescript", "tsx": "typescript", "sh":
    "bash", "bash": "bash", "dash": "bash", "zsh": "bash", "ksh": "bash", "ash": "bash", "bats": "bash", "busybox":
    "bash", "fish": "fish", "ruby": "ruby", "jruby": "ruby", "rbx": "ruby", "macruby": "ruby", "rake": "ruby", "perl":
    "perl", "raku": "raku", "php": "php", "lua": "lua", "luajit": "lua", "texlua": "lua", "rscript": "r", "littler":
    "r", "julia": "julia", "escript": "erlang", "elixir": "elixir", "groovy": "groovy", "scala": "scala", "kotlin":
    "kotlin", "swift": "swift", "awk": "awk", "gawk": "awk", "mawk": "awk", "nawk": "awk", "tclsh": "tcl", "wish":
    "tcl", "expect": "tcl", "make": "make", "guile": "scheme", "racket": "racket", "sbcl": "commonlisp", "clisp":
    "commonlisp", "emacs": "elisp", "runhaskell": "haskell", "runghc": "haskell", "stack": "haskell", "ocaml": "ocaml",
    "ocamlrun": "ocaml", "crystal": "crystal", "nim": "nim", "zig": "zig", "go": "go", "rust-script": "rust", "pwsh":
    "powershell", "powershell": "powershell", "coffee": "coffeescript", "clojure": "clojure", "bb": "clojure", "dart":
    "dart", "openrc-run": "bash", "gjs": "javascript", "osascript": "javascript", "swipl": "prolog", "dotnet-script":
    "csharp",
}  # fmt: skip

_ALIASES = {
    "py": ("python",), "python3": ("python",), "pyi": ("python",), "pyx": ("cython",), "js": ("javascript",), "jsx":
    ("javascript",), "node": ("javascript",), "ts": ("typescript", "tsx"), "typescript": ("typescript", "tsx"),
    "golang": ("go",), "rs": ("rust",), "c++": ("cpp",), "cxx": ("cpp",), "cc": ("cpp",), "c#": ("csharp",), "cs":
    ("csharp",), "c-sharp": ("csharp",), "rb": ("ruby",), "sh": ("bash",), "shell": ("bash",), "zsh": ("bash",), "kt":
    ("kotlin",), "hs": ("haskell",), "ex": ("elixir",), "exs": ("elixir",), "erl": ("erlang",), "ml": ("ocaml",), "f#":
    ("fsharp",), "fs": ("fsharp",), "jl": ("julia",), "pl": ("perl",), "clj": ("clojure",), "md": ("markdown",), "yml":
    ("yaml",), "terraform": ("hcl",), "tf": ("hcl",), "docker": ("dockerfile",), "makefile": ("make",), "protobuf":
    ("proto",), "tex": ("latex",), "viml": ("vim",), "vimscript": ("vim",), "objective-c": ("objc",), "objectivec":
    ("objc",), "sv": ("systemverilog",), "gql": ("graphql",), "txt": ("text",), "lisp": ("commonlisp",), "emacs-lisp":
    ("elisp",), "ps1": ("powershell",), "visualbasic": ("vb",), "bazel": ("starlark",), "sol": ("solidity",),
    "assembly": ("asm",), "htm": ("html",), "restructuredtext": ("rst",),
}  # fmt: skip

_DOCS = frozenset({"asciidoc", "latex", "markdown", "org", "rst", "text"})
_CONFIG = frozenset({"csv", "gomod", "ini", "json", "properties", "toml", "xml", "yaml"})
# Endings without a language of their own whose text is nevertheless not code.
_CONFIG_ENDINGS = (
    ".lock", ".sum", ".po", ".pot", ".patch", ".diff", ".env", ".map", ".pem", ".crt", ".in", ".sln", ".snap", ".dat",
    ".strings",
)  # fmt: skip
_TEXT_CONFIG = re.compile(
    r"(?:requirements|constraints)[\w.-]*\.(?:txt|in)|robots\.txt|\.[\w-]*(?:rc|ignore|version)|py\.typed", re.ASCII
)

_CPP_HEADER = re.compile(
    rb"^[ \t]*(?:(?:inline[ \t]+)?namespace[ \t]+\w|template[ \t]*<|using[ \t]+(?:namespace[ \t]|\w+[ \t]*=)"
    rb"|class[ \t]+\w[^;\n]*(?:[{:]|$)|(?:public|private|protected)[ \t]*:"
    rb"|#[ \t]*include[ \t]*<(?:algorithm|array|atomic|chrono|functional|iostream|map|memory|mutex|optional|ostream|set"
    rb"|string|string_view|thread|tuple|type_traits|unordered_map|utility|variant|vector|c(?:std\w+|assert|math|string))>"
    rb"|virtual[ \t]+\w|constexpr[ \t]|enum[ \t]+class[ \t])|\bstd::\w|\boperator[ \t]*[=<>+\-*/!()\[\]]+[ \t]*\("
    rb"|[ \t]noexcept\b|= (?:default|delete);",
    re.MULTILINE,
)
_OBJC = re.compile(
    rb"^[ \t]*(?:@(?:interface|implementation|protocol|property|end|class|import)\b|#import\b"
    rb"|[-+][ \t]*\([\w *<>]+\)[ \t]*\w)",
    re.MULTILINE,
)
_CPLUSPLUS_GUARD = re.compile(
    rb"^[ \t]*#[ \t]*if(?:def)?[^\n]*__cplusplus[^\n]*\n.*?^[ \t]*#[ \t]*(?:endif|else)[^\n]*$",
    re.MULTILINE | re.DOTALL,
)
_PROLOG = re.compile(rb"^[ \t]*:-|^[a-z]\w*(?:\([^\n]*\))?[ \t]*:-[ \t]*$", re.MULTILINE)
_PERL = re.compile(rb"^[ \t]*(?:use (?:strict|warnings|v?5|[A-Z])|package [\w:]+;|sub \w+|my [$@%(])", re.MULTILINE)
_COQ = re.compile(
    rb"^[ \t]*(?:Require|Theorem|Lemma|Proof|Qed|Definition|Inductive|Fixpoint|From \w+ Require)\b", re.MULTILINE
)
_FORTRAN_OR_GLSL = re.compile(rb"^[ \t]*(?:#version|precision |uniform |varying |void main\s*\()", re.MULTILINE)
_MAKE_DEPENDENCY = re.compile(rb"\A[^\n:]+:[^\n=]*(?:\\\r?\n|\.[hc])")
_SHEBANG = re.compile(rb"\A(?:\xef\xbb\xbf)?#![ \t]*(\S+)((?:[ \t]+[^\s]+)*)")
_MODE_LINE = re.compile(
    rb"-\*-(?:[^\n]*?\bmode:)?[ \t]*([\w+#-]+)[^\n]*-\*-|\b(?:vim?|ex):[^\n]*?\b(?:ft|filetype|syntax)=(\w+)",
    re.IGNORECASE,
)

_HEAD_BYTES = 65_536


def language_of(path: str, first_bytes: bytes = b"", header_language: str = "c") -> str | None:
    """Return the language of a file, or None when nothing tells.

    Parameters
    ----------
    path : str
        Path of the file; only its last part is looked at.
    first_bytes : bytes
        The beginning of the content, or all of it.  Needed for scripts without an extension and for extensions that
        several languages share (``.h``, ``.m``, ``.pl``, ``.v``, ``.ts``, ``.fs``, ``.d``, ``.cls``, ``.inc``); at
        most 64 KiB of it are read.
    header_language : str
        What a ``.h`` file is when its content does not tell: ``"c"`` or ``"cpp"`` (see ``Discovery.header_language``).

    Returns
    -------
    str or None
        One of :data:`LANGUAGES`.

    Examples
    --------
    >>> language_of("src/app.tsx"), language_of("bin/run", b"#!/usr/bin/env python3")
    ('tsx', 'python')
    >>> language_of("a.h", b"namespace x {"), language_of("a.h")
    ('cpp', 'c')
    """
    name = path.rpartition("/")[2]
    found = _NAMES.get(name)
    if found is None:
        extension = _extension(name)
        if extension:
            if extension in _AMBIGUOUS:
                return _by_content(extension, first_bytes[:_HEAD_BYTES], header_language)
            found = _EXTENSIONS.get(extension)
    if found is None:
        stem, dot, rest = name.partition(".")
        # Dockerfile.dev, Makefile.linux, LICENSE.MIT, README.fr: the known name comes first.
        if (
            dot
            and stem
            and (found := _NAMES.get(stem))
            and found == "text"
            and _EXTENSIONS.get("." + rest.rpartition(".")[2].lower())
        ):
            found = None
        found = found or _NAMES.get(name.upper() if name.upper() in _NAMES and "." not in name else "")
    if found is None and first_bytes:
        found = _by_first_lines(first_bytes[:2048])
    return found


def with_language(file: SourceFile, data: bytes | memoryview, header_language: str = "c") -> SourceFile:
    """Return the entry with the language and content class that its content shows.

    The walk judges by name alone; scripts without an extension and extensions of several languages need the content.

    Parameters
    ----------
    file : SourceFile
        An entry of ``discover(root)``.
    data : bytes
        Its content, as ``read_source`` returned it.
    header_language : str
        ``Discovery.header_language`` of the same walk.

    Examples
    --------
    >>> with_language(SourceFile("bin/run", 9, 0, None, "code", None), b"#!/bin/sh\\n").language
    'bash'
    """
    language = language_of(file.path, bytes(data[:_HEAD_BYTES]), header_language)
    if language == file.language:
        return file
    return file._replace(language=language, content_class=content_class(file.path, language))


def content_class(path: str, language: str | None) -> str:
    """Return ``"code"``, ``"docs"`` or ``"config"``.

    An unknown extension counts as code, so that a language this table has never heard of is still found by default; a
    file without an extension whose first line tells nothing is prose or a list.

    Examples
    --------
    >>> content_class("README.md", "markdown"), content_class("Makefile", "make"), content_class("a.toml", "toml")
    ('docs', 'code', 'config')
    """
    name = path.rpartition("/")[2]
    if language in _CONFIG or _TEXT_CONFIG.fullmatch(name):
        return "config"
    if language in _DOCS:
        return "docs"
    if language is None and name.lower().endswith(_CONFIG_ENDINGS):
        return "config"
    if language is None and "." not in name:
        return "docs"
    return "code"


def resolve_languages(names: Iterable[str]) -> tuple[str, ...]:
    """Return the canonical names for what a user typed, sorted and unique.

    Parameters
    ----------
    names : iterable of str
        Names, usual abbreviations ("py", "c++") or extensions (".rs"); case does not matter.  "typescript" includes
        "tsx".

    Raises
    ------
    UnknownLanguage
        If a name is not known; the message offers the nearest ones.

    Examples
    --------
    >>> resolve_languages(["Py", "ts", ".rs"])
    ('python', 'rust', 'tsx', 'typescript')
    """
    found: set[str] = set()
    for name in names:
        key = name.strip().lower()
        if key in _ALIASES:
            found.update(_ALIASES[key])
        elif key in _LANGUAGE_SET:
            found.add(key)
        elif "." + key.lstrip(".") in _EXTENSIONS:
            found.add(_EXTENSIONS["." + key.lstrip(".")])
        else:
            near = difflib.get_close_matches(key, [*LANGUAGES, *_ALIASES], n=3)
            hint = f"did you mean {' or '.join(near)}?" if near else f"known languages: {', '.join(LANGUAGES)}"
            raise UnknownLanguage(f"unknown language {name!r}; {hint}")
    return tuple(sorted(found))


_LANGUAGE_SET = frozenset(LANGUAGES)


def _extension(name: str) -> str:
    """Return the extension in lower case; ``.bashrc`` is all extension, ``foo.d.ts`` has ``.ts``."""
    dot = name.rfind(".")
    if dot < 0:
        return ""
    extension = name[dot:].lower()
    if (
        extension in (".in", ".dist", ".example", ".sample", ".tmpl", ".tpl", ".template", ".orig", ".erb.bak")
        and dot > 0
    ):
        # config.h.in, settings.py.example: what the file becomes.
        inner = _extension(name[:dot])
        return inner if inner in _EXTENSIONS else extension
    return extension


def _headers(head: bytes, default: str) -> str:
    if _OBJC.search(head):
        return "objc"
    # What stands inside `#ifdef __cplusplus` is how a C header stays usable from C++.
    return "cpp" if _CPP_HEADER.search(_CPLUSPLUS_GUARD.sub(b"", head)) else default


_AMBIGUOUS = frozenset(
    {".h", ".m", ".pl", ".v", ".ts", ".fs", ".d", ".cls", ".inc", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8"}
)


def _by_content(extension: str, head: bytes, header_language: str) -> str | None:
    match extension:
        case ".h":
            return _headers(head, header_language)
        case ".m":
            return "objc" if not head or _OBJC.search(head) else "matlab"
        case ".pl":
            return "prolog" if _PROLOG.search(head) and not _PERL.search(head) else "perl"
        case ".v":
            return None if _COQ.search(head) else "verilog"
        case ".ts":
            return (
                "xml"
                if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<?xml", b"<!DOCTYPE TS", b"<TS "))
                else "typescript"
            )
        case ".fs":
            return "glsl" if _FORTRAN_OR_GLSL.search(head) else "fsharp"
        case ".d":
            return "make" if _MAKE_DEPENDENCY.match(head) else "d"
        case ".cls":
            return "latex" if b"\\ProvidesClass" in head or b"\\NeedsTeXFormat" in head else "apex"
        case ".inc":
            if b"<?php" in head:
                return "php"
            return (
                "cpp"
                if _CPP_HEADER.search(head)
                else "c"
                if re.search(rb"^[ \t]*#[ \t]*(?:include|define|if)", head, re.M)
                else None
            )
        case _:
            # Manual pages end in their section; so do logs and rotated files, which have no requests in them.
            return "text"


def _by_first_lines(head: bytes) -> str | None:
    shebang = _SHEBANG.match(head)
    if shebang:
        words = [shebang[1], *shebang[2].split()]
        program = words[0].rpartition(b"/")[2]
        if program == b"env":
            rest = [w for w in words[1:] if not w.startswith(b"-") and b"=" not in w]
            program = rest[0].rpartition(b"/")[2] if rest else b""
        key = program.decode("ascii", "replace").lower()
        return _INTERPRETERS.get(key) or _INTERPRETERS.get(key.rstrip("0123456789.-"))
    mode = _MODE_LINE.search(b"\n".join(head.split(b"\n", 2)[:2]))
    if mode:
        key = (mode[1] or mode[2]).decode("ascii", "replace").lower()
        if key in _LANGUAGE_SET:
            return key
        return _ALIASES[key][0] if key in _ALIASES else None
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"<?php"):
        return "php"
    if start.startswith(b"<?xml"):
        return "xml"
    if start[:14].lower() in (b"<!doctype html", b"<!doctype html>"):
        return "html"
    return None
