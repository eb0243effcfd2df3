"""The bundled model as it ships: whole, lazily mapped, meaningful."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from quatrain.embedders import bundled
from quatrain.embedders.protocol import Embedder, get_embedder
from quatrain.errors import BadQuery, EmbedderUnavailable

FOLDER = Path(bundled.__file__).parent
PACK = Path(__file__).parents[2] / "benchmarks" / "model" / "pack.py"


@pytest.fixture(scope="module")
def embedder() -> bundled.BundledEmbedder:
    return bundled.load()


def test_it_ships_whole_and_with_its_papers(embedder: bundled.BundledEmbedder) -> None:
    embedder.verify()
    assert embedder.identity.dimensions == bundled.DIMENSIONS == 1024
    assert "all-MiniLM-L6-v2" in (FOLDER / "NOTICE").read_text()
    rows = (FOLDER / "provenance.tsv").read_text().splitlines()
    assert len(rows) > 100
    for row in rows[1:]:
        archive, licence, pairs = row.split("\t")
        assert archive and licence and int(pairs) >= 0, row


def test_it_is_an_embedder(embedder: bundled.BundledEmbedder) -> None:
    assert isinstance(embedder, Embedder)
    assert not embedder.remote
    assert get_embedder(embedder) is embedder
    assert get_embedder("bundled") is get_embedder(embedder.identity.spec)


def test_query_code_is_the_signs_of_its_vector(embedder: bundled.BundledEmbedder) -> None:
    query = embedder.embed_query("how is a password verified")
    np.testing.assert_array_equal(np.unpackbits(query.code), query.vector > 0)


def test_meaning_is_found(embedder: bundled.BundledEmbedder) -> None:
    texts = [
        "def verify(user, pw):\n    return compare_digest(hash_password(pw), user.password_hash)",
        "def render(template, context):\n    return template.render(context)",
        "def open_socket(host, port):\n    s = socket.socket()\n    s.connect((host, port))\n    return s",
        "def migrate(schema_editor, table):\n    schema_editor.alter_table(table)",
    ]
    names = ["auth verify", "views render", "net open_socket", "migrations migrate"]
    codes = np.unpackbits(embedder.embed_documents(texts, names), axis=1) * 2.0 - 1
    questions = [
        "check the login credentials",
        "turn an HTML page template into a response",
        "connect to a server over the network",
        "change database tables",
    ]
    best = [int(np.argmax(codes @ embedder.embed_query(q).vector)) for q in questions]
    assert best == [0, 1, 2, 3]


def test_the_noise_floor_rises_with_what_is_not_known(embedder: bundled.BundledEmbedder) -> None:
    known = embedder.embed_query("how are requests routed").floor
    half = embedder.embed_query("routed qzxvwk").floor
    none = embedder.embed_query("qzxv wkjp").floor
    assert known == embedder.noise_floor < half < none
    assert embedder.embed_query("").floor == none


def test_batches_are_joined_in_order(embedder: bundled.BundledEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"def f_{i}(): return parse_{i * 7}" for i in range(25)]
    names = [f"name {i}" for i in range(25)]
    whole = embedder.embed_documents(texts, names)
    monkeypatch.setattr(bundled, "_BATCH", 4)
    np.testing.assert_array_equal(embedder.embed_documents(texts, names), whole)
    with pytest.raises(ValueError, match="25 texts"):
        embedder.embed_documents(texts, names[:-1])


@pytest.mark.parametrize("position", [20, 70, 5000])
def test_a_damaged_file_is_named(position: int, tmp_path: Path) -> None:
    data = bytearray((FOLDER / f"{bundled.MODEL}.bin").read_bytes())
    data[position] ^= 0x40
    (tmp_path / "model.bin").write_bytes(data)
    with pytest.raises(EmbedderUnavailable, match=r"model\.bin.*reinstall"):
        bundled.BundledEmbedder(tmp_path / "model.bin")


def test_damaged_rows_are_found_by_verify(tmp_path: Path) -> None:
    data = bytearray((FOLDER / f"{bundled.MODEL}.bin").read_bytes())
    data[-1] ^= 1
    (tmp_path / "model.bin").write_bytes(data)
    embedder = bundled.BundledEmbedder(tmp_path / "model.bin")
    assert embedder.identity.version == bundled.load().identity.version
    with pytest.raises(EmbedderUnavailable, match="checksum"):
        embedder.verify()


def test_a_missing_or_empty_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match="reinstall"):
        bundled.BundledEmbedder(tmp_path / "none.bin")
    (tmp_path / "empty.bin").write_bytes(b"")
    with pytest.raises(EmbedderUnavailable, match="reinstall"):
        bundled.BundledEmbedder(tmp_path / "empty.bin")


def test_another_model_is_not_pretended() -> None:
    with pytest.raises(BadQuery, match="does not ship"):
        get_embedder("bundled/other")
    with pytest.raises(BadQuery, match="offers 512, 1024, 2048"):
        get_embedder("bundled/subtok512/768")


def test_loading_maps_the_file_and_imports_little() -> None:
    """A fresh process holds the model, answers, and has neither read it whole nor imported what only building needs."""
    code = (
        "import sys; from quatrain.embedders.protocol import get_embedder; get_embedder('bundled').embed_query('json');"
        "bad = {'scipy', 'tree_sitter', 'voyageai', 'mcp', 'asyncio', 'requests'} & set(sys.modules);"
        "print(sorted(bad));"
        "lines = open('/proc/self/smaps').read().split('subtok512.bin')[1] if sys.platform == 'linux' else '';"
        "print([int(x.split()[1]) for x in lines.splitlines() if x.startswith('Rss')][:1])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert out[0] == "[]"
    if sys.platform == "linux":
        size_kb = (FOLDER / f"{bundled.MODEL}.bin").stat().st_size // 1024
        assert int(out[1].strip("[]")) < size_kb


def test_the_packed_file_holds_what_was_trained(tmp_path: Path) -> None:
    """pack.py and the runtime agree on the layout, on a small model made here."""
    spec = importlib.util.spec_from_file_location("pack", PACK)
    assert spec is not None and spec.loader is not None
    pack = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pack)
    random = np.random.default_rng(5)
    words = ["zeta", "alpha", "config", "parse", "http"]
    rows = random.normal(size=(len(words) + 16, 64)).astype(np.float32)
    weights = {k: random.uniform(0.1, 2, len(rows)).astype(np.float32) for k in ("wq", "wc")}
    bias = {k: random.normal(size=64).astype(np.float32) for k in ("b", "bq")}
    trained = {"E": rows, "vocab": np.array(words), "NB": np.array(16), "wn": np.array(2.5), **weights, **bias}
    (tmp_path / "small.bin").write_bytes(pack.pack(trained))
    embedder = bundled.BundledEmbedder(tmp_path / "small.bin")
    embedder.verify()
    values, scale = pack.quantise(rows)

    def vector(features: dict[str, float], weight: np.ndarray, offset: np.ndarray) -> np.ndarray:
        total = sum(
            value
            * np.float64(weight[words.index(word)].astype("f2"))
            * values[words.index(word)]
            * np.float64(scale[words.index(word)])
            for word, value in features.items()
        )
        return total * (64**0.5 * 0.5 / np.linalg.norm(total)) + offset

    query = embedder.embed_query("parse HTTP config").vector
    np.testing.assert_allclose(
        query, vector({"parse": 1, "http": 1, "config": 1}, weights["wq"], bias["bq"]), rtol=2e-5, atol=2e-6
    )
    document = embedder.document_vectors(["parse parse alpha"], ["parse_zeta"])[0]
    expected = vector({"parse": 2**0.5 + 2.5, "alpha": 1, "zeta": 2.5}, weights["wc"], bias["b"])
    np.testing.assert_allclose(document, expected, rtol=2e-5, atol=2e-6)


def test_codes_beyond_the_vector_are_signs_of_rotations() -> None:
    text, name = "def add_tax(price):\n    return price * 1.2\n", "tax add_tax"
    narrow, wide = bundled.BundledEmbedder(dimensions=512), bundled.BundledEmbedder(dimensions=1024)
    code = wide.embed_documents([text], [name])[0]
    query = wide.embed_query("where is the tax added")
    np.testing.assert_array_equal(code[:64], narrow.embed_documents([text], [name])[0])
    assert query.vector is not None and query.code.shape == (128,)
    for first, second in (
        (np.unpackbits(code[:64]), np.unpackbits(code[64:])),
        (np.unpackbits(query.code[:64]), np.unpackbits(query.code[64:])),
        (query.vector[:512] > 0, query.vector[512:] > 0),
    ):
        assert 0.4 < (first != second).mean() < 0.6  # chance is one half
