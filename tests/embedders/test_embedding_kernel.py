"""The embedding kernel against its twin, at every level; damaged files are refused or harmless."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quatrain._kernels import embedding, reference
from quatrain.embedders import bundled

TOKEN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
TEXTS = [
    "",
    "   \n\t",
    "42",
    "x",
    "A",
    "def parseHTTPConfig2(path, *, verbose=False):\n    return load_json(path)['HTTP2Server']",
    "class ABCMeta: XMLHttpRequest getX aB ABc ABCd 3DPoint utf8Decode",
    "zzqxv wkjp qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqz",
    "def grüße(größe): 关于 数据库 = naïve",
    "the the the The THE the",
    "\x00\xff bytes \ud800 surrogate",
    "word " * 511 + "last dropped",
    " ".join(f"unknownzq{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}xq" for i in range(600)),
]
NAMES = ["", "config parseHTTPConfig2 Loader", "zqzqzq", "123", "é"]


@pytest.fixture(scope="module")
def model() -> np.ndarray:
    return np.fromfile(Path(bundled.__file__).with_name(f"{bundled.MODEL}.bin"), np.uint8)


@pytest.fixture(params=embedding._levels())
def level(request: pytest.FixtureRequest) -> Iterator[str]:
    before = embedding._level()
    embedding._set_level(request.param)
    yield request.param
    embedding._set_level(before)


def test_vectors_equal_the_twin_to_the_bit(model: np.ndarray, level: str) -> None:
    texts = [text for text in TEXTS for _ in NAMES]
    names = NAMES * len(TEXTS)
    vectors = embedding.document_vectors(model, texts, names)
    expected = reference.document_vectors(model, texts, names)
    np.testing.assert_array_equal(vectors, expected)
    np.testing.assert_array_equal(embedding.documents(model, texts, names), np.packbits(expected > 0, axis=1))
    for text in TEXTS:
        np.testing.assert_array_equal(embedding.query(model, text), reference.query(model, text))


@pytest.mark.parametrize("turns", [2, 3, 4])
def test_rotations_equal_the_twin_and_keep_angles(model: np.ndarray, level: str, turns: int) -> None:
    texts = [text for text in TEXTS if text.strip()]
    names = ["config parseHTTPConfig2 Loader"] * len(texts)
    vectors = embedding.document_vectors(model, texts, names, turns)
    np.testing.assert_array_equal(vectors, reference.document_vectors(model, texts, names, turns))
    codes = embedding.documents(model, texts, names, turns)
    np.testing.assert_array_equal(codes, np.packbits(vectors > 0, axis=1))
    np.testing.assert_array_equal(codes[:, :64], embedding.documents(model, texts, names))
    query = embedding.query(model, texts[0], turns)
    np.testing.assert_array_equal(query, reference.query(model, texts[0], turns))
    parts = vectors.reshape(len(texts), turns, 512).astype(np.float64)
    for turn in range(1, turns):
        # A rotation keeps every inner product, and moves every vector far from where it was.
        np.testing.assert_allclose(parts[:, turn] @ parts[:, turn].T, parts[:, 0] @ parts[:, 0].T, rtol=1e-4, atol=1e-3)
        cosine = (parts[:, turn] * parts[:, turn - 1]).sum(1) / (parts[:, 0] ** 2).sum(1)
        assert np.abs(cosine).max() < 0.3


@pytest.mark.parametrize("turns", [0, 5, -1])
def test_other_turns_are_refused(model: np.ndarray, turns: int) -> None:
    for kernel in (embedding, reference):
        with pytest.raises(ValueError, match="turns"):
            kernel.query(model, "a", turns)


ALPHABET = st.sampled_from([*"abzABZ019_- .\n()éßЖ中", "HTTP", "parse", "Config", "the ", "getValue", "\ud83d\ude00"])


@settings(max_examples=60)
@given(st.lists(st.tuples(st.lists(ALPHABET, max_size=60), st.lists(ALPHABET, max_size=8)), max_size=4))
def test_random_texts_equal_the_twin(pairs: list[tuple[list[str], list[str]]]) -> None:
    model = _module_model()
    texts, names = ["".join(t) for t, _ in pairs], ["".join(n) for _, n in pairs]
    np.testing.assert_array_equal(
        embedding.document_vectors(model, texts, names), reference.document_vectors(model, texts, names)
    )
    for text in texts:
        np.testing.assert_array_equal(embedding.query(model, text), reference.query(model, text))


_models: list[np.ndarray] = []


def _module_model() -> np.ndarray:
    if not _models:
        _models.append(np.fromfile(Path(bundled.__file__).with_name(f"{bundled.MODEL}.bin"), np.uint8))
    return _models[0]


def test_known_letters_equal_the_twin(model: np.ndarray) -> None:
    for text in [*TEXTS, *NAMES, "parse qzxv 42 parse"]:
        assert embedding.known_letters(model, text) == reference.known_letters(model, text), text
    assert embedding.known_letters(model, "parse qzxv 42 parse") == (5, 9)


@settings(max_examples=300)
@given(st.text(alphabet=st.sampled_from("abXYZ09_ .é中"), max_size=40))
def test_subtokens_are_those_of_the_expression(text: str) -> None:
    data = text.encode()
    spans = embedding.subtokens(text).tolist()
    assert [data[a:b].decode() for a, b in spans] == TOKEN.findall(text)


def test_subtokens_stop_at_the_limit() -> None:
    assert len(embedding.subtokens("a " * 600)) == 512
    assert len(embedding.subtokens("a " * 600, limit=3)) == 3
    with pytest.raises(ValueError, match="limit"):
        embedding.subtokens("a", limit=0)


def test_only_the_first_512_subwords_count(model: np.ndarray) -> None:
    head = " ".join(["alpha", "beta"] * 256)
    a, b, c = embedding.document_vectors(model, [head, head + " gamma", "gamma " + head], [""] * 3)
    np.testing.assert_array_equal(a, b)
    assert not np.array_equal(a, c)


def test_single_characters_name_nothing(model: np.ndarray) -> None:
    text = "def f(x): return parse(x)"
    plain, letters, named = embedding.document_vectors(model, [text] * 3, ["", "f x 2", "f x 2 parse"])
    np.testing.assert_array_equal(plain, letters)
    assert not np.array_equal(plain, named)


def test_str_and_bytes_give_the_same(model: np.ndarray) -> None:
    text = "größe parse_config"
    np.testing.assert_array_equal(
        embedding.documents(model, [text], ["x"]), embedding.documents(model, [text.encode()], [b"x"])
    )


def test_batch_order_does_not_matter(model: np.ndarray) -> None:
    names = [""] * len(TEXTS)
    forward = embedding.documents(model, TEXTS, names)
    backward = embedding.documents(model, TEXTS[::-1], names)
    np.testing.assert_array_equal(forward, backward[::-1])


def test_no_texts_give_no_rows(model: np.ndarray) -> None:
    assert embedding.documents(model, [], []).shape == (0, 64)
    assert embedding.document_vectors(model, [], []).shape == (0, 512)


def test_unequal_lengths_are_refused(model: np.ndarray) -> None:
    with pytest.raises(ValueError, match="2 texts"):
        embedding.documents(model, ["a", "b"], ["a"])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda d: d[:100], "cut short"),
        (lambda d: d[:-1], "cut short"),
        (lambda d: b"NOTAMODL" + d[8:], "QTSUBTOK"),
        (lambda d: d[:8] + struct.pack("<I", 9) + d[12:], "version"),
        (lambda d: d[:12] + struct.pack("<I", 500) + d[16:], "sizes"),
        (lambda d: d[:16] + struct.pack("<I", 1 << 30) + d[20:], "sizes"),
        (lambda d: d[:24] + struct.pack("<I", 12345) + d[28:], "sizes"),
        (lambda d: d[:40] + struct.pack("<Q", 1 << 60) + d[48:], "section"),
        (lambda d: d[:96] + struct.pack("<Q", len(d) - 64) + d[104:], "section"),
        (lambda d: b"", "cut short"),
    ],
)
def test_damaged_heads_are_refused(model: np.ndarray, damage: object, message: str) -> None:
    broken = np.frombuffer(bytearray(damage(model.tobytes())), np.uint8)  # type: ignore[operator]
    with pytest.raises(ValueError, match=message):
        embedding.query(broken, "anything")


def test_a_misaligned_buffer_is_refused(model: np.ndarray) -> None:
    shifted = np.empty(len(model) + 1, np.uint8)
    start = 1 if shifted.ctypes.data % 8 == 0 else 0
    shifted = np.empty(len(model) + 8, np.uint8)
    start = (1 - shifted.ctypes.data) % 8
    view = shifted[start : start + len(model)]
    view[:] = model
    with pytest.raises(ValueError, match="multiple of 8"):
        embedding.query(view, "anything")


def test_damage_inside_the_tables_stays_inside_the_buffer(model: np.ndarray) -> None:
    """Ids and word offsets of a damaged file lead nowhere; the sanitizer build watches."""
    random = np.random.default_rng(3)
    offsets = struct.unpack_from("<8Q", model.tobytes(), 40)
    for first, last in ((offsets[0], offsets[1]), (offsets[2], offsets[3])):
        broken = model.copy()
        broken[first:last] = random.integers(0, 256, last - first, np.uint8)
        codes = embedding.documents(broken, TEXTS, ["parse"] * len(TEXTS))
        assert codes.shape == (len(TEXTS), 64)
