"""Multi-modal code search: meaning, text, structure and dependencies, fused into one ranked answer."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quatrain._kernels import capabilities
    from quatrain.embedders import register_embedder
    from quatrain.engine import Index, build, open
    from quatrain.errors import QuatrainError
    from quatrain.query.intent import classify
    from quatrain.records import GraphResponse, GrepResponse, Hit, Intent, SearchResponse, SymbolResponse

__all__ = [
    "GraphResponse",
    "GrepResponse",
    "Hit",
    "Index",
    "Intent",
    "QuatrainError",
    "SearchResponse",
    "SymbolResponse",
    "__version__",
    "build",
    "capabilities",
    "classify",
    "open",
    "register_embedder",
]

_HOMES = {
    "Index": "quatrain.engine",
    "build": "quatrain.engine",
    "open": "quatrain.engine",
    "classify": "quatrain.query.intent",
    "capabilities": "quatrain._kernels",
    "register_embedder": "quatrain.embedders",
    "QuatrainError": "quatrain.errors",
    "GraphResponse": "quatrain.records",
    "GrepResponse": "quatrain.records",
    "Hit": "quatrain.records",
    "Intent": "quatrain.records",
    "SearchResponse": "quatrain.records",
    "SymbolResponse": "quatrain.records",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its home on first use, so that ``import quatrain`` costs nothing."""
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("quatrain")
    elif name in _HOMES:
        import importlib

        value = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'quatrain' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
