"""Which languages are parsed, and where their grammars come from.

Only languages with rules of our own under ``languages/`` are ever loaded: a bundle of 173 grammars also contains
scanners that loop for ever on ordinary input.  Nothing is downloaded.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language

__all__ = ["GRAMMARS", "load_grammar"]

# language -> (name in the bundle, module of the single-language wheel, function of that module)
GRAMMARS: dict[str, tuple[str, str, str]] = {
    "python": ("python", "tree_sitter_python", "language"),
    "javascript": ("javascript", "tree_sitter_javascript", "language"),
    "typescript": ("typescript", "tree_sitter_typescript", "language_typescript"),
    "tsx": ("tsx", "tree_sitter_typescript", "language_tsx"),
    "go": ("go", "tree_sitter_go", "language"),
    "rust": ("rust", "tree_sitter_rust", "language"),
    "java": ("java", "tree_sitter_java", "language"),
    "c": ("c", "tree_sitter_c", "language"),
    "cpp": ("cpp", "tree_sitter_cpp", "language"),
    "csharp": ("csharp", "tree_sitter_c_sharp", "language"),
    "ruby": ("ruby", "tree_sitter_ruby", "language"),
    "php": ("php", "tree_sitter_php", "language_php"),
    "kotlin": ("kotlin", "tree_sitter_kotlin", "language"),
    "swift": ("swift", "tree_sitter_swift", "language"),
    "scala": ("scala", "tree_sitter_scala", "language"),
    "lua": ("lua", "tree_sitter_lua", "language"),
    "elixir": ("elixir", "tree_sitter_elixir", "language"),
    "haskell": ("haskell", "tree_sitter_haskell", "language"),
    "ocaml": ("ocaml", "tree_sitter_ocaml", "language_ocaml"),
    "ocaml_interface": ("ocaml_interface", "tree_sitter_ocaml", "language_ocaml_interface"),
    "zig": ("zig", "tree_sitter_zig", "language"),
    "bash": ("bash", "tree_sitter_bash", "language"),
    "dart": ("dart", "tree_sitter_dart", "language"),
    "julia": ("julia", "tree_sitter_julia", "language"),
    "r": ("r", "tree_sitter_r", "language"),
    "sql": ("sql", "tree_sitter_sql", "language"),
    "hcl": ("hcl", "tree_sitter_hcl", "language"),
    "markdown": ("markdown", "tree_sitter_markdown", "language"),
    "yaml": ("yaml", "tree_sitter_yaml", "language"),
    "toml": ("toml", "tree_sitter_toml", "language"),
    "json": ("json", "tree_sitter_json", "language"),
    "html": ("html", "tree_sitter_html", "language"),
    "css": ("css", "tree_sitter_css", "language"),
    "dockerfile": ("dockerfile", "tree_sitter_dockerfile", "language"),
    "make": ("make", "tree_sitter_make", "language"),
}


@cache
def load_grammar(language: str) -> Language | None:
    """Return the tree-sitter grammar of a language, or None when there is none to be had offline.

    The order is: the bundle ``tree_sitter_language_pack`` 0.x, whose grammars lie inside its wheel; then the
    single-language wheel. A bundle of version 1 or later would fetch grammars over the network and is not used.

    Parameters
    ----------
    language
        A name of ``quatrain.files.languages``, e.g. ``"python"``.

    Returns
    -------
    tree_sitter.Language or None
        None for a language outside the tested list or without an installed grammar.
    """
    if language not in GRAMMARS:
        return None
    from tree_sitter import Language

    bundled, wheel, function = GRAMMARS[language]
    # The bindings package exists in 0.x only.
    for module, name in ((_bundle_module(bundled), "language"), (wheel, function)):
        try:
            return Language(getattr(import_module(module), name)())
        except (ImportError, AttributeError, ValueError):
            continue  # not installed, or of an ABI that this tree-sitter does not read
    return None


def _bundle_module(name: str) -> str:
    # Two grammars of the bundle are separate distributions.
    separate = {"csharp": "tree_sitter_c_sharp", "yaml": "tree_sitter_yaml"}
    return separate.get(name, f"tree_sitter_language_pack.bindings.{name}")
