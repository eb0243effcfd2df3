"""Questions that describe definitions: decorators, bases, parameters and results, over several languages."""

from __future__ import annotations

import pytest

import quatrain
from quatrain.query.constructs import read_construct
from quatrain.retrieval.constructs import header_parts

FILES = {
    "store.py": '''import functools
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path


class BaseStore:
    """Where things are kept; subclasses say how.  A lru_cache would be wrong here."""

    def read(self, path: Path) -> bytes: ...

    def size(self, path: Path) -> int: ...

    def sizes(self, paths: list[Path]) -> dict[Path, bytes]: ...


class FileStore(BaseStore):
    @functools.lru_cache(maxsize=10)
    def names(self): ...

    @logged(lru_cache)
    def count(self): ...


class Walk(Iterator):
    def __next__(self): ...


@lru_cache
def config(): ...


def lru_cache_size(base_store): ...


def fetch(url: str, path: Path | None = None) -> bytes | None: ...


def copy_bytes(path): ...


def count_bytes(path: Path) -> int: ...


class Keeper:
    register(BaseStore)
''',
    "Shop.java": """import java.util.Iterator;
import java.nio.file.Path;

class Shop implements Iterator<String> {
    @Deprecated
    public boolean hasNext() { return false; }

    @Override
    @SuppressWarnings("Deprecated")
    public String next() { return null; }

    byte[] load(Path path) throws Exception { return null; }

    String[] lines(Path path) { return null; }
}

class Iterators { Iterator<String> all; }
""",
    "shop.ts": """export interface Base { id: string }
export interface Item extends Base { price: number }
export class Cart implements Base { id = "" }
export async function load(path: string): Promise<Uint8Array> { return new Uint8Array() }
export function total(items: Item[]): number { return 0 }
export function label(item: Item): string { return "" }
""",
    "server.go": """package shop

type Server struct{}

func (s *Server) Load(path string) ([]byte, error) { return nil, nil }

func (s *Server) Names(path string) []string { return nil }
""",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> quatrain.Index:
    root = tmp_path_factory.mktemp("described")
    for name, text in FILES.items():
        (root / name).write_text(text)
    return quatrain.build(root, index_dir=tmp_path_factory.mktemp("described-index"))


def listed(index: quatrain.Index, question: str) -> list[str]:
    """Return "name" or "name?" (marked as a guess) for each definition that fits."""
    from quatrain.retrieval.constructs import fitting

    construct = read_construct(question)
    assert construct is not None
    view = index._current()
    return sorted(
        view.symbols.name(symbol) + ("?" if mark else "")
        for ids, _, mark in fitting(construct, view)[0]
        for symbol in ids.tolist()
    )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("decorated with lru_cache", ["config", "names"]),
        ("methods decorated with functools.lru_cache", ["names"]),
        ("methods annotated with @Deprecated", ["hasNext"]),
        ("implements Iterator", ["Shop", "Walk"]),
        ("classes that extend BaseStore", ["FileStore"]),
        ("subclasses of BaseStore", ["FileStore"]),
        ("interfaces that extend Base", ["Item"]),
        ("which classes implement Base", ["Cart"]),
        ("function taking a path and returning bytes", ["Load", "copy_bytes?", "fetch", "load", "load", "read"]),
        ("functions that take a path and return a list", ["Names", "lines"]),
        ("functions returning a dictionary", ["sizes"]),
        ("functions taking an item", ["label"]),
        ("functions that take a store", ["lru_cache_size?"]),
    ],
)
def test_what_fits_a_description(index: quatrain.Index, question: str, names: list[str]) -> None:
    assert listed(index, question) == names


def test_a_description_is_answered_by_what_fits_it_alone(index: quatrain.Index) -> None:
    answer = index.search("classes that extend BaseStore")
    assert (answer.fusion_strategy, answer.modalities) == ("direct", ("structural",))
    assert [(hit.path, hit.start_line) for hit in answer.hits] == [("store.py", 17)]
    assert answer.notes == ("1 definition fits the description",)
    java = index.search("implements Iterator lang:java")
    assert [(hit.path, hit.start_line) for hit in java.hits] == [("Shop.java", 4)]


def test_sure_definitions_come_before_guesses_and_guesses_are_marked(index: quatrain.Index) -> None:
    answer = index.search("function taking a path and returning bytes", per_file=10)
    marks = [hit.mark for hit in answer.hits]
    assert answer.fusion_strategy == "direct" and marks[0] == "" and marks == sorted(marks)
    assert any("1 of them as a guess" in note for note in answer.notes)


def test_guesses_alone_and_misses_are_no_sure_answer(index: quatrain.Index) -> None:
    for question in ("functions that take a store", "classes that extend Nothing_Here"):
        answer = index.search(question)
        assert answer.fusion_strategy == "direct_fallback", question
    assert "no definition fits the description" in answer.notes


@pytest.mark.parametrize(
    "question",
    [
        "how long does it take to return",
        "function that takes too long",
        "implements caching",
        "takes a path",
        "who else implements retry like this",
        "interface Foo extends Bar",
        "where are decorated classes used",
    ],
)
def test_prose_is_no_description(question: str) -> None:
    construct = read_construct(question)
    assert construct is None or not construct.whole


def test_in_a_longer_question_only_names_of_code_count() -> None:
    construct = read_construct("middleware that extends BaseStore and takes care of cookies")
    assert construct is not None
    assert (construct.bases, construct.parameters, construct.whole) == (("BaseStore",), (), False)


@pytest.mark.parametrize(
    ("signature", "name", "parameters", "result"),
    [
        ("def f(a: dict[str, int] = {}, *b)", "f", ["a: dict[str, int] = {}", "*b"], "def"),
        ("func (s *Server) Load(path string) ([]byte, error)", "Load", ["path string"], "([]byte, error)"),
        ("std::string Foo::bar(const Path& path) const", "bar", ["const Path& path"], "std::string  const"),
        ("pub fn read<P: Into<Path>>(path: P) -> Vec<u8> where P: Sized", "read", ["path: P"], "fn  -> Vec<u8>"),
        ("func read(_ path: String) throws -> Data", "read", ["_ path: String"], "func -> Data"),
        ("const f = (cb: (x: A) => B, n = 1): void", "f", ["cb: (x: A) => B", "n = 1"], "const : void"),
        ("byte[] read(Path path /* (not) */) throws IOException", "read", ["Path path"], "byte[]"),
        ("class Foo", "Bar", [], ""),
        ("int thread_read(thread t) read_(int) read(thread u)", "read", ["thread u"], "read_(int)"),
        ("function $read(a, b)", "read", [], ""),
    ],
)
def test_parts_of_a_signature(signature: str, name: str, parameters: list[str], result: str) -> None:
    found, returned = header_parts(signature, name)
    assert [part.strip() for part in found] == parameters
    assert returned.strip() == result
