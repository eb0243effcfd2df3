"""Voyage's real client against a loopback server that misbehaves: nothing lost, nothing bought twice, no hang."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quatrain
from quatrain.cli import main
from quatrain.embedders import voyage
from quatrain.embedders.protocol import Embedder, get_embedder
from quatrain.errors import BadQuery, EmbedderUnavailable

pytest.importorskip("voyageai", reason="the extra 'voyage' is not installed")
sys.path.insert(0, str(Path(__file__).parent))
from voyage_server import KEY, VoyageServer, code_of, int8_of, vector_of

Make = Callable[..., voyage.VoyageEmbedder]


@pytest.fixture
def server() -> Iterator[VoyageServer]:
    running = VoyageServer()
    yield running
    running.close()


@pytest.fixture
def make(server: VoyageServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    monkeypatch.delenv("VOYAGE_API_KEY_PATH", raising=False)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(voyage.VoyageEmbedder, "_pause", lambda self, attempt, error: 0.01)

    def build(**options: object) -> voyage.VoyageEmbedder:
        settings = {"cache_dir": tmp_path, "base_url": server.url, "dimensions": 256, **options}
        return voyage.VoyageEmbedder(**settings)  # type: ignore[arg-type]

    return build


def chunks(n: int, size: int = 200) -> tuple[list[str], list[str]]:
    return [f"def f_{i}():\n" + "x" * size for i in range(n)], [f"name_{i}" for i in range(n)]


def expect(texts: list[str], names: list[str], dimensions: int = 256) -> np.ndarray:
    return np.stack([code_of(f"{n}\n{t}", dimensions) for t, n in zip(texts, names, strict=True)])


def whole(server: VoyageServer, texts: list[str], names: list[str]) -> None:
    """Every text was sold exactly once."""
    assert server.sold == {f"{n}\n{t}": 1 for t, n in zip(texts, names, strict=True)}


# --- the good case ---------------------------------------------------------------------------------------------------


def test_documents_are_bought_as_bits(server: VoyageServer, make: Make) -> None:
    texts, names = chunks(30)
    embedder = make()
    codes = embedder.embed_documents(texts, names)
    assert codes.dtype == np.uint8 and codes.shape == (30, 32)
    np.testing.assert_array_equal(codes, expect(texts, names))
    whole(server, texts, names)
    for request in server.requests:
        assert request["path"] == "/v1/embeddings"
        assert request["model"] == "voyage-code-3"
        assert (request["input_type"], request["output_dtype"], request["output_dimension"]) == (
            "document",
            "ubinary",
            256,
        )
        assert request["truncation"] is False and request["encoding_format"] == "base64"
    assert isinstance(embedder, Embedder) and embedder.remote
    assert embedder.tokens_billed == server.tokens([f"{n}\n{t}" for t, n in zip(texts, names, strict=True)])


def test_one_float_call_gives_bits_and_vector(server: VoyageServer, make: Make) -> None:
    embedder = make()
    query = embedder.embed_query("where is the tax added")
    np.testing.assert_array_equal(query.vector, vector_of("where is the tax added", 256))
    np.testing.assert_array_equal(query.code, code_of("where is the tax added", 256))
    assert [(r["input_type"], r["output_dtype"], r["input"]) for r in server.requests] == [
        ("query", "float", ["where is the tax added"])
    ]
    embedder.embed_query("where is the tax added")
    assert len(server.requests) == 1


@pytest.mark.parametrize("dimensions", [256, 512, 1024, 2048])
def test_every_width_and_model_is_asked_for(server: VoyageServer, make: Make, dimensions: int) -> None:
    embedder = make(model="voyage-4", dimensions=dimensions)
    codes = embedder.embed_documents(["text"], ["name"])
    np.testing.assert_array_equal(codes, expect(["text"], ["name"], dimensions))
    assert server.requests[0]["model"] == "voyage-4"
    assert embedder.identity.spec == f"voyage/voyage-4/{dimensions}"


def test_nothing_gives_nothing(server: VoyageServer, make: Make) -> None:
    assert make().embed_documents([], []).shape == (0, 32)
    assert server.requests == []


def test_equal_texts_are_bought_once(server: VoyageServer, make: Make) -> None:
    codes = make().embed_documents(["a", "b", "a", "a"], ["n", "n", "n", "m"])
    assert (codes[0] == codes[2]).all() and (codes[0] != codes[3]).any()
    assert server.sold == {"n\na": 1, "n\nb": 1, "m\na": 1}


def test_blank_and_unencodable_texts_are_embedded_too(server: VoyageServer, make: Make) -> None:
    codes = make().embed_documents(["", "  \n", "lone \ud800 half", ""], ["", "", "", "name"])
    assert codes.shape == (4, 32)
    assert set(server.sold) == {".", "lone ? half", "name"}


# --- batches ---------------------------------------------------------------------------------------------------------


def test_batches_stay_below_the_item_cap(server: VoyageServer, make: Make) -> None:
    texts, names = chunks(2500, 5)
    make().embed_documents(texts, names)
    whole(server, texts, names)
    assert max(len(r["input"]) for r in server.requests) <= 1000
    assert len(server.requests) == 3


def test_batches_stay_below_the_token_cap(server: VoyageServer, make: Make) -> None:
    texts, names = chunks(300, 2000)
    make(concurrency=1).embed_documents(texts, names)
    whole(server, texts, names)
    assert len(server.requests) > 1
    for request in server.requests:
        assert server.tokens(request["input"]) <= 0.8 * 120_000


def test_the_estimate_follows_what_is_billed(server: VoyageServer, make: Make) -> None:
    """A tokeniser three times as hungry as assumed costs a halving at first and none later."""
    server.tokens_per_byte = 1.5
    texts, names = chunks(600, 1000)
    make(concurrency=1).embed_documents(texts, names)
    whole(server, texts, names)
    refused = [i for i, r in enumerate(server.requests) if server.tokens(r["input"]) > 120_000]
    assert refused and max(refused) < len(server.requests) / 2


def test_a_refused_batch_is_halved(server: VoyageServer, make: Make) -> None:
    server.faults = [400, 400]
    texts, names = chunks(40)
    codes = make(concurrency=1).embed_documents(texts, names)
    np.testing.assert_array_equal(codes, expect(texts, names))
    whole(server, texts, names)
    assert [len(r["input"]) for r in server.requests] == [40, 20, 10, 10, 20]


def test_an_over_long_text_is_split_and_reported(server: VoyageServer, make: Make) -> None:
    long = "\n".join(f"line {i} of a very long file" for i in range(9000))
    texts, names = ["short", long, "last"], ["a", "b", "c"]
    embedder = make()
    codes = embedder.embed_documents(texts, names)
    np.testing.assert_array_equal(codes[[0, 2]], expect(["short", "last"], ["a", "c"]))
    assert embedder.texts_split == 1
    pieces = [t for r in server.requests for t in r["input"] if t not in ("a\nshort", "c\nlast")]
    assert "".join(pieces) == f"b\n{long}" and len(pieces) > 1
    bits = np.unpackbits(np.stack([code_of(p, 256) for p in pieces]), axis=1)
    majority = np.where(bits.sum(0) * 2 == len(pieces), bits[0], bits.sum(0) * 2 > len(pieces))
    np.testing.assert_array_equal(np.unpackbits(codes[1]), majority)
    before = len(server.requests)
    np.testing.assert_array_equal(make().embed_documents(texts, names), codes)
    assert len(server.requests) == before


def test_a_text_that_turns_out_too_long_is_split(server: VoyageServer, make: Make) -> None:
    server.context_tokens = 1000
    text = "\n".join(f"row {i}" for i in range(1000))
    codes = make().embed_documents([text], ["n"])
    assert codes.shape == (1, 32)
    assert "".join(t for t in server.sold) == f"n\n{text}"
    assert set(server.sold.values()) == {1}


# --- faults ----------------------------------------------------------------------------------------------------------

FAULTS = [
    429,
    500,
    502,
    503,
    504,
    400,
    "disconnect",
    "cut",
    "short",
    "narrow",
    "garbage",
    "odd",
    "slow",
    None,
    None,
    None,
]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    faults=st.lists(st.sampled_from(FAULTS), max_size=40),
    count=st.integers(1, 60),
    concurrency=st.integers(1, 4),
    attempts=st.integers(1, 6),
)
def test_no_text_is_lost_or_doubled_whatever_goes_wrong(
    faults: list[object], count: int, concurrency: int, attempts: int
) -> None:
    """Any order of refusals, silences and broken answers; a run that gives up is run again until it is through."""
    server = VoyageServer()
    faults = [
        fault for i, fault in enumerate(faults) if fault != "slow" or "slow" not in faults[:i]
    ]  # each costs a second
    texts, names = chunks(count, 50)
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setenv("VOYAGE_API_KEY", KEY)
        patch.setenv("NO_PROXY", "*")
        patch.setattr(voyage, "_MAX_ITEMS", 7)
        patch.setattr(voyage, "_ATTEMPTS", attempts)
        patch.setattr(voyage, "_BATCH_TIMEOUT", 1.0)
        patch.setattr(voyage.VoyageEmbedder, "_pause", lambda self, attempt, error: 0.001)
        server.faults = faults
        try:
            for _ in range(len(FAULTS) + 42):
                embedder = voyage.VoyageEmbedder(
                    dimensions=256, cache_dir=Path(folder), base_url=server.url, concurrency=concurrency
                )
                try:
                    codes = embedder.embed_documents(texts, names)
                    break
                except EmbedderUnavailable:
                    continue
            np.testing.assert_array_equal(codes, expect(texts, names))
            whole(server, texts, names)
        finally:
            server.close()


@pytest.mark.parametrize("fault", [429, 500, 502, 503, 504, "disconnect", "cut", "short", "narrow", "garbage", "odd"])
def test_one_fault_is_survived(server: VoyageServer, make: Make, fault: object) -> None:
    server.faults = [fault, fault]
    texts, names = chunks(10)
    codes = make().embed_documents(texts, names)
    np.testing.assert_array_equal(codes, expect(texts, names))
    whole(server, texts, names)


def test_a_silent_server_is_given_up_and_asked_again(
    server: VoyageServer, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voyage, "_BATCH_TIMEOUT", 0.3)
    server.faults = ["slow"]
    texts, names = chunks(10)
    np.testing.assert_array_equal(make().embed_documents(texts, names), expect(texts, names))
    whole(server, texts, names)


@pytest.mark.parametrize("seed", range(4))
def test_a_storm_of_faults_loses_and_doubles_nothing(
    server: VoyageServer, make: Make, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voyage, "_MAX_ITEMS", 16)
    monkeypatch.setattr(voyage, "_ATTEMPTS", 40)
    chance = random.Random(seed)
    kinds = [429, 500, 503, "disconnect", "cut", "short", "narrow", "garbage", "odd", 400, None, None, None]
    server.faults = [chance.choice(kinds) for _ in range(80)]
    texts, names = chunks(500, 50)
    codes = make(concurrency=6).embed_documents(texts, names)
    np.testing.assert_array_equal(codes, expect(texts, names))
    whole(server, texts, names)
    assert server.most_in_flight <= 6


def test_pauses_grow_at_random_and_honour_the_service(server: VoyageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    embedder = voyage.VoyageEmbedder(base_url=server.url)
    for attempt in range(12):
        longest = min(0.5 * 2**attempt, 30.0)
        pauses = [embedder._pause(attempt, RuntimeError()) for _ in range(50)]
        assert len(set(pauses)) > 40 and 0.1 * longest <= min(pauses) < max(pauses) <= longest
    told = RuntimeError()
    told.headers = {"Retry-After": "45"}  # type: ignore[attr-defined]
    assert embedder._pause(0, told) == 45.0


def test_the_clients_tokeniser_is_never_asked(
    server: VoyageServer, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    import voyageai

    def asked(*_: object, **__: object) -> None:
        raise AssertionError("the tokeniser contacts a hub")

    for name in ("count_tokens", "tokenize", "tokenizer", "count_usage"):
        monkeypatch.setattr(voyageai.Client, name, asked, raising=False)
    server.context_tokens = 1000
    texts, names = ["short", "\n".join(f"row {i}" for i in range(1000))], ["a", "b"]
    embedder = make()
    embedder.estimate(texts, names)
    assert embedder.embed_documents(texts, names).shape == (2, 32)
    embedder.embed_query("q")


def test_concurrency_is_bounded(server: VoyageServer, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voyage, "_MAX_ITEMS", 2)
    texts, names = chunks(60)
    make(concurrency=3).embed_documents(texts, names)
    assert 1 <= server.most_in_flight <= 3
    whole(server, texts, names)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (500, "failed to process"),
        (429, "injected 429"),
        ("disconnect", "communicating"),
        ("short", "vectors for"),
    ],
)
def test_a_dead_service_is_reported_and_what_was_bought_is_kept(
    server: VoyageServer, make: Make, monkeypatch: pytest.MonkeyPatch, fault: object, words: str
) -> None:
    monkeypatch.setattr(voyage, "_MAX_ITEMS", 10)
    server.faults = [None, None, *([fault] * 100)]
    texts, names = chunks(50)
    with pytest.raises(EmbedderUnavailable, match=rf"20 of 50 texts embedded: .*{words}.*run again"):
        make(concurrency=1).embed_documents(texts, names)
    assert len(server.requests) == 2 + voyage._ATTEMPTS
    server.faults = []
    np.testing.assert_array_equal(make().embed_documents(texts, names), expect(texts, names))
    whole(server, texts, names)


def test_a_refusal_that_no_halving_cures_ends_soon(server: VoyageServer, make: Make) -> None:
    server.faults = [400] * 1000
    texts, names = chunks(1000, 5)
    with pytest.raises(EmbedderUnavailable, match="injected 400"):
        make(concurrency=1).embed_documents(texts, names)
    assert len(server.requests) < 20


def test_a_wrong_key_is_not_tried_twice_nor_told(
    server: VoyageServer, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", "pa-wrong-key-987")
    with pytest.raises(EmbedderUnavailable, match="invalid") as caught:
        make(concurrency=1).embed_documents(["a"], ["b"])
    assert len(server.requests) == 1
    assert "pa-wrong-key-987" not in str(caught.value)
    with pytest.raises(EmbedderUnavailable) as caught:
        make().embed_query("q")
    assert "pa-wrong-key-987" not in str(caught.value)


def test_the_key_is_cut_out_of_messages(make: Make) -> None:
    assert make()._told(RuntimeError(f"bad\n key {KEY} here")) == "bad key *** here"


def test_the_key_is_neither_stored_nor_shown(
    server: VoyageServer, make: Make, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    embedder = make()
    embedder.embed_documents(*chunks(3))
    embedder.embed_query("q")
    assert KEY not in repr(vars(embedder))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert KEY.encode() not in path.read_bytes()
            assert path.stat().st_mode & 0o077 == 0
    out, err = capfd.readouterr()
    assert KEY not in out + err


# --- resuming --------------------------------------------------------------------------------------------------------


def test_bought_vectors_are_never_bought_again(server: VoyageServer, make: Make) -> None:
    texts, names = chunks(20)
    make().embed_documents(texts[:12], names[:12])
    codes = make().embed_documents(texts, names)
    np.testing.assert_array_equal(codes, expect(texts, names))
    whole(server, texts, names)
    make(dimensions=512).embed_documents(texts[:1], names[:1])
    assert server.sold[f"{names[0]}\n{texts[0]}"] == 2  # another width is another vector


CHILD = """
import sys
from quatrain.embedders import voyage
voyage._MAX_ITEMS = 10
e = voyage.VoyageEmbedder(dimensions=256, base_url=sys.argv[1], concurrency=1)
e.embed_documents([f"def f_{i}():\\n" + "x" * 200 for i in range(100)], [f"name_{i}" for i in range(100)])
"""


def test_a_killed_run_is_resumed(
    server: VoyageServer, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUATRAIN_CACHE_DIR", str(tmp_path))
    server.faults = [None, None, None, "hold"]
    child = subprocess.Popen([sys.executable, "-c", CHILD, server.url])
    try:
        assert server.held.wait(30)
    finally:
        child.kill()
        child.wait()
    assert sum(server.sold.values()) == 30
    texts, names = chunks(100)
    np.testing.assert_array_equal(make().embed_documents(texts, names), expect(texts, names))
    whole(server, texts, names)


def test_a_torn_store_is_named(server: VoyageServer, make: Make, tmp_path: Path) -> None:
    path = tmp_path / "embeddings" / "voyage-voyage-code-3-256.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(EmbedderUnavailable, match="repair or delete"):
        make().embed_documents(["a"], ["b"])
    assert server.requests == []


def test_cost_is_told_before_and_tokens_after(server: VoyageServer, make: Make) -> None:
    texts, names = chunks(20)
    embedder = make()
    embedder.embed_documents(texts[:5], names[:5])
    seen = embedder.tokens_billed
    before = len(server.requests)
    estimate = embedder.estimate([*texts, texts[7]], [*names, names[7]])
    assert (estimate.texts, estimate.known) == (21, 6)
    assert estimate.tokens > 0 and estimate.dollars == pytest.approx(estimate.tokens * 0.18e-6)
    assert len(server.requests) == before
    embedder.embed_documents(texts, names)
    billed = embedder.tokens_billed - seen
    assert billed <= estimate.tokens <= 2 * billed


def test_progress_counts_to_the_end(server: VoyageServer, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voyage, "_MAX_ITEMS", 7)
    seen: list[tuple[int, int, int]] = []
    texts, names = chunks(20)
    make(progress=lambda *x: seen.append(x)).embed_documents(texts, names)
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert seen[-1][:2] == (20, 20) and seen[-1][2] > 0


# --- questions when the service is down ------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["slow", "drip"])
def test_a_question_is_given_up_at_the_deadline(server: VoyageServer, make: Make, fault: str) -> None:
    """Also when bytes keep coming, which the client's own timeout would wait for."""
    server.faults, server.delay = [fault], 10
    embedder = make(deadline=0.4, dimensions=2048)
    embedder._client(1)  # the import is not the service's fault
    started = time.monotonic()
    with pytest.raises(EmbedderUnavailable, match=r"within 0\.4 s|timed out"):
        embedder.embed_query("anything")
    assert time.monotonic() - started < 5
    server.release.set()


@pytest.mark.parametrize("fault", [429, 500, 503, 400, "disconnect", "cut", "short", "narrow", "garbage", "odd"])
def test_a_failed_question_is_not_tried_twice(server: VoyageServer, make: Make, fault: object) -> None:
    server.faults = [fault]
    embedder = make()
    with pytest.raises(EmbedderUnavailable, match="voyage"):
        embedder.embed_query("anything")
    assert len(server.requests) == 1
    np.testing.assert_array_equal(embedder.embed_query("anything").vector, vector_of("anything", 256))


def test_a_service_that_is_not_there_is_reported(make: Make) -> None:
    embedder = make(base_url="http://127.0.0.1:9/v1")
    with pytest.raises(EmbedderUnavailable, match="could not embed the question"):
        embedder.embed_query("anything")


def test_stuck_questions_do_not_pile_up(server: VoyageServer, make: Make) -> None:
    server.faults = ["hold"] * 10
    embedder = make(deadline=0.2)
    for i in range(voyage._MAX_STUCK_QUERIES):
        with pytest.raises(EmbedderUnavailable, match=r"within|timed out"):
            embedder.embed_query(f"q{i}")
    running = [t for t in threading.enumerate() if t.name == "voyage-query"]
    assert len(running) <= voyage._MAX_STUCK_QUERIES
    server.release.set()


def test_a_search_goes_on_without_the_service(server: VoyageServer, make: Make, tmp_path: Path) -> None:
    """Within the deadline, which is two seconds unless told otherwise, and with the reason in the notes."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "login.py").write_text("def check_password(user, password):\n    return user.password == password\n")
    (root / "tax.py").write_text("def add_tax(price):\n    return price * 1.2\n")
    index = quatrain.build(root, embedder=make(deadline=0.5), workers=1, index_dir=tmp_path / "index")
    assert "semantic" in index.search("how is a password checked").modalities
    server.faults = ["hold"] * 9
    answer = index.search("where do we check the password")
    assert answer.status == "partial" and answer.hits[0].path == "login.py"
    assert "semantic" not in answer.modalities and any(
        "within 0.5 s" in note or "timed out" in note for note in answer.notes
    )
    server.release.set()
    assert make()._deadline == voyage.QUERY_DEADLINE == 2.0


# --- choosing it -----------------------------------------------------------------------------------------------------


def test_a_key_alone_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    chosen = get_embedder()
    assert chosen is not None and chosen.identity.provider == "bundled" and not chosen.remote


def test_without_a_key_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VOYAGE_API_KEY", raising=False)
    with pytest.raises(EmbedderUnavailable, match="set VOYAGE_API_KEY"):
        get_embedder("voyage")


def test_the_key_file_of_the_client_is_not_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY)
    monkeypatch.delenv("VOYAGE_API_KEY", raising=False)
    monkeypatch.setenv("VOYAGE_API_KEY_PATH", str(tmp_path / "key"))
    with pytest.raises(EmbedderUnavailable, match="set VOYAGE_API_KEY"):
        get_embedder("voyage")


def test_an_odd_width_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    with pytest.raises(BadQuery, match="256, 512, 1024, 2048"):
        get_embedder("voyage/voyage-code-3/768")


def test_choosing_it_does_not_import_the_client() -> None:
    code = (
        "import sys; from quatrain.embedders.protocol import get_embedder; get_embedder('voyage');"
        "print('voyageai' in sys.modules)"
    )
    env = {"VOYAGE_API_KEY": KEY, "PATH": "", "PYTHONPATH": ":".join(sys.path)}
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True).stdout
    assert out.strip() == "False"


# --- int8 questions ----------------------------------------------------------------------------------------------


def test_one_int8_call_gives_bits_and_vector(server: VoyageServer, make: Make) -> None:
    embedder = make(query_dtype="int8")
    query = embedder.embed_query("where is the tax added")
    integers = int8_of("where is the tax added", 256)
    assert integers.min() < 0 < integers.max() and query.vector is not None
    np.testing.assert_array_equal(query.vector, integers.astype(np.float32))
    np.testing.assert_array_equal(query.code, np.packbits(integers > 0))
    assert [(r["input_type"], r["output_dtype"], r["encoding_format"]) for r in server.requests] == [
        ("query", "int8", "base64")
    ]
    # Documents are the same bits as ever, and those of the one are known to the other.
    texts, names = chunks(3)
    np.testing.assert_array_equal(embedder.embed_documents(texts, names), expect(texts, names))
    make().embed_documents(texts, names)
    whole_documents = {t: n for t, n in server.sold.items() if t != "where is the tax added"}
    assert set(whole_documents.values()) == {1} and len(whole_documents) == 3
    assert embedder.identity == make().identity


@pytest.mark.parametrize("fault", ["short", "narrow", "cut", "garbage", "odd", "disconnect", 500])
def test_a_failed_int8_question_is_reported(server: VoyageServer, make: Make, fault: object) -> None:
    server.faults = [fault]
    embedder = make(query_dtype="int8")
    with pytest.raises(EmbedderUnavailable, match="voyage"):
        embedder.embed_query("anything")
    np.testing.assert_array_equal(embedder.embed_query("anything").vector, int8_of("anything", 256))


@pytest.mark.parametrize(
    ("spec", "model", "dimensions", "dtype"),
    [
        ("voyage/int8", "voyage-code-3", 512, "int8"),
        ("voyage/int8/256", "voyage-code-3", 256, "int8"),
        ("voyage/voyage-4/int8/1024", "voyage-4", 1024, "int8"),
        ("voyage/voyage-4/float/1024", "voyage-4", 1024, "float"),
        ("voyage/voyage-4/1024", "voyage-4", 1024, "float"),
    ],
)
def test_a_specification_says_what_questions_are_asked_for_as(
    server: VoyageServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spec: str,
    model: str,
    dimensions: int,
    dtype: str,
) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "*")
    embedder = get_embedder(spec, base_url=server.url, cache_dir=tmp_path)
    assert isinstance(embedder, voyage.VoyageEmbedder)
    assert (embedder.identity.model, embedder.identity.dimensions) == (model, dimensions)
    for same in (embedder, get_embedder(embedder.spec, base_url=server.url, cache_dir=tmp_path)):
        assert same is not None and same.identity == embedder.identity
        same.embed_query("q")
    assert [r["output_dtype"] for r in server.requests] == [dtype, dtype]


def test_questions_are_asked_for_as_nothing_else(make: Make) -> None:
    with pytest.raises(BadQuery, match="float or int8, not 'binary'"):
        make(query_dtype="binary")


# --- from the command line -------------------------------------------------------------------------------------------


@pytest.fixture
def project(server: VoyageServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small tree, and ``--embedder voyage`` meaning the loopback server."""
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(
        voyage, "VoyageEmbedder", partial(voyage.VoyageEmbedder, base_url=server.url, cache_dir=tmp_path / "bought")
    )
    root = tmp_path / "project"
    root.mkdir()
    for i in range(12):
        (root / f"part_{i}.py").write_text(f"def price_{i}(amount):\n    return amount * 1.{i}\n")
    return root


def numbers(line: str) -> list[float]:
    return [float(n.replace(",", "")) for n in re.findall(r"(?<![\w./-])\$?(\d[\d,]*(?:\.\d+)?)", line)]


def test_the_command_line_tells_the_cost_before_and_the_tokens_after(
    server: VoyageServer, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["index", str(project), "--index-dir", str(project.parent / "index"), "--workers", "1"]
    asked_at: list[int] = []
    estimate = voyage.VoyageEmbedder.func.estimate  # type: ignore[attr-defined]
    monkeypatch.setattr(
        voyage.VoyageEmbedder.func,  # type: ignore[attr-defined]
        "estimate",
        lambda self, *x: asked_at.append(len(server.requests)) or estimate(self, *x),
    )
    assert main([*arguments, "--embedder", "voyage/int8/256"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert asked_at == [0]
    (before,) = [line for line in told if "about" in line]
    (after,) = [line for line in told if "billed" in line]
    assert told.index(before) < told.index(after) and KEY not in "".join(told)
    texts, known, tokens, dollars = numbers(before)
    assert (texts, known) == (12, 0) and dollars == pytest.approx(tokens * 0.18e-6, abs=1e-4)
    billed = sum(server.tokens(r["input"]) for r in server.requests)
    assert numbers(after) == [billed] and billed <= tokens <= 3 * billed

    # Nothing is bought for a file that did not change; a new one is told alone.
    (project / "new.py").write_text("def added():\n    return 0\n")
    bought = len(server.requests)
    assert main(["search", "an added thing", str(project), "--index-dir", str(project.parent / "index")]) == 0
    told = capsys.readouterr().err.splitlines()
    (before,) = [line for line in told if "about" in line]
    assert numbers(before)[:2] == [1, 0]
    assert [(len(r["input"]), r["output_dtype"]) for r in server.requests[bought:]] == [(1, "ubinary"), (1, "int8")]

    # A rebuild takes what was bought from the disk, and says so.
    bought = len(server.requests)
    assert main([*arguments, "--embedder", "voyage/int8/256", "--rebuild"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert numbers(next(line for line in told if "about" in line)) == [13, 13, 0, 0]
    assert numbers(next(line for line in told if "billed" in line)) == [0]
    assert len(server.requests) == bought


def test_what_a_failed_run_was_billed_is_told(
    server: VoyageServer, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voyage, "_MAX_ITEMS", 5)
    monkeypatch.setattr(voyage, "_ATTEMPTS", 1)
    server.faults = [None, *([503] * 100)]
    assert main(["index", str(project), "--index-dir", str(project.parent / "index"), "--embedder", "voyage"]) != 0
    told = capsys.readouterr().err
    (after,) = [line for line in told.splitlines() if "billed" in line]
    (sold,) = [r["input"] for r in server.requests if all(t in server.sold for t in r["input"])]
    assert numbers(after) == [server.tokens(sold)] and "run again to go on" in told


def test_progress_moves_with_every_answer(server: VoyageServer, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voyage, "_MAX_ITEMS", 5)
    seen: list[tuple[int, int]] = []
    quatrain.build(
        project,
        embedder=voyage.VoyageEmbedder(concurrency=1),
        index_dir=project.parent / "index",
        workers=1,
        progress=lambda stage, done, total: seen.append((done, total)) if stage == "embed" else None,
    )
    assert seen == [(0, 12), (5, 12), (10, 12), (12, 12), (12, 12)]


def test_ones_own_progress_is_left_alone(server: VoyageServer, project: Path) -> None:
    seen: list[tuple[int, int, int]] = []
    embedder = voyage.VoyageEmbedder(progress=lambda *x: seen.append(x))
    own = embedder.progress
    quatrain.build(project, embedder=embedder, index_dir=project.parent / "index", workers=1)
    assert embedder.progress is own and seen[-1][:2] == (12, 12)
