"""A chunker that cuts or describes otherwise has another version, so that old vectors are not compared with new ones."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import pytest

from quatrain.parsing.chunks import chunk_document
from quatrain.parsing.parse import parse_source
from quatrain.records import CHUNKER_VERSION

SOURCES = Path(__file__).parent / "sources"
# The version, and the digest of what it makes of the sources below.
PINNED = (1, "6688aa3827bda0fe1b4c150611b7ca79")


def inputs() -> list[tuple[str, str, bytes]]:
    """Path, language and content: each source as it is and eight times over, which must be cut; text without syntax; a long line."""
    found = []
    for name, language in (
        ("ledger.py", "python"),
        ("service.ts", "typescript"),
        ("widget.js", "javascript"),
        ("server.go", "go"),
        ("engine.rs", "rust"),
        ("Account.java", "java"),
        ("buffer.c", "c"),
        ("guide.md", "markdown"),
    ):
        data = (SOURCES / name).read_bytes()
        found += [(f"lib/core/{name}", language, data), (f"manyTimes/{name}", language, data * 8)]
    body = b"".join(b"    total += %d  # step\n" % i for i in range(200))
    found.append(("deep.py", "python", b"class Outer:\n  def method(self):\n    total = 0\n" + body))
    found.append(("notes.txt", "text", b"".join(b"line %d\n%s" % (i, b"\n" * (i % 9 == 0)) for i in range(300))))
    found.append(("long.js", "javascript", b"f(1);\nx = [" + b"12, " * 5000 + b"];\ng(2);\n"))
    return found


def digest() -> tuple[str, int]:
    """Hash where each chunk lies and what an embedder reads of it; and count the chunks."""
    state, count = blake2b(digest_size=16), 0
    for path, language, data in inputs():
        parsed = parse_source(path, language, data)
        for chunk in parsed.chunks:
            state.update(repr((chunk.start_byte, chunk.end_byte, *chunk_document(path, data, parsed, chunk))).encode())
            count += 1
    return state.hexdigest(), count


def test_the_version_is_raised_when_the_chunks_change() -> None:
    found, count = digest()
    assert count > 3 * len(inputs()), "the sources are no longer cut, so the digest would pin nothing"
    version, pinned = PINNED
    if found == pinned:
        assert version == CHUNKER_VERSION, (
            "the version was raised, but the chunks of these sources are as before: add a source that shows it"
        )
        return
    raised = "" if version < CHUNKER_VERSION else f"raise records.CHUNKER_VERSION to {version + 1}, then "
    pytest.fail(
        f"files are cut, or chunks described, otherwise than by chunker {version}: if this is meant, {raised}"
        f"set PINNED in {Path(__file__).name} to ({max(CHUNKER_VERSION, version + 1)}, {found!r})"
    )
