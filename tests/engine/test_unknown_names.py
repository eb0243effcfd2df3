"""A question about a name that nothing bears: what is near it, marked, or no hit and a hint."""

from __future__ import annotations

import pytest

import quatrain

QUESTIONS = ("where is {} defined", "definition of {}", "who calls {}", "what breaks if I change {}", "{}", "class {}")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> quatrain.Index:
    root = tmp_path_factory.mktemp("names") / "project"
    files = {
        "money.py": "def add_value_tax(amount):\n    return amount * 1.2\n\n\ndef round_amount(amount):\n    return amount\n",
        "cart.py": "from money import add_value_tax\n\n\nclass CartView:\n    def total(self):\n        return add_value_tax(3)\n",
        "dates.py": '"""They work."""\n\nHEADER = "X-Shard-Key"\n\n\ndef parse_date(text):\n    return text\n',
        "words.py": '"""How calls break: where a class is defined."""\n\n\ndef parse_all(config):\n    return config\n',
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return quatrain.build(root, workers=1, index_dir=root.parent / "index")


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", ["qzxvwkjp", "FrobnicateWibble", "Zorblax.frobnicate", "wibble_frotz"])
def test_a_name_like_nothing_is_no_match_with_a_hint(index: quatrain.Index, question: str, name: str) -> None:
    answer = index.search(question.format(name))
    assert (answer.status, answer.hits) == ("no_match", ())
    assert any(note.startswith("nothing is called") and "check its spelling" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("name", "near", "path"),
    [
        ("add_valeu_tax", "add_value_tax", "money.py"),
        ("CartVeiw", "CartView", "cart.py"),
        ("cartvie", "CartView", "cart.py"),
    ],
)
@pytest.mark.parametrize("question", ["where is {} defined", "{}"])
def test_a_near_name_is_the_first_hit_and_every_hit_is_marked(
    index: quatrain.Index, question: str, name: str, near: str, path: str
) -> None:
    answer = index.search(question.format(name))
    assert answer.status == "ok" and answer.hits[0].path == path
    assert all(hit.mark for hit in answer.hits)
    if name != "cartvie":  # a beginning of a name is found as text
        assert f"nothing is called {name!r}; near names: {near}" in answer.notes


def test_callers_of_a_misspelt_name_are_those_of_the_near_one(index: quatrain.Index) -> None:
    answer = index.search("who calls add_valeu_tax")
    assert [hit.path for hit in answer.hits] == ["cart.py"] and answer.hits[0].mark == "fuzzy"
    assert "nothing is called 'add_valeu_tax'; near names: add_value_tax; read as 'add_value_tax'" in answer.notes


def test_code_with_most_words_of_a_name_is_marked(index: quatrain.Index) -> None:
    for question in ("parse_config", "where is parseConfig defined"):
        answer = index.search(question)
        assert [(hit.path, hit.mark) for hit in answer.hits] == [("words.py", "fuzzy")]
        assert any("these have its words" in note for note in answer.notes)


@pytest.mark.parametrize(
    "name", ["add_value_tax", "addValueTax", "AddValueTax", "cartview", "total", "amount", "x-shard-key"]
)
def test_what_is_defined_or_mentioned_in_any_spelling_is_no_unknown_name(index: quatrain.Index, name: str) -> None:
    for question in ("where is {} defined", "{}"):
        answer = index.search(question.format(name))
        assert answer.hits and not any(note.startswith("nothing is called") for note in answer.notes)


def test_a_question_whose_telling_word_is_unknown_is_no_match(index: quatrain.Index) -> None:
    assert index.search("how does qzxvwkjp work").status == "no_match"


def test_what_the_caller_asks_for_by_name_of_a_modality_is_run(index: quatrain.Index) -> None:
    answer = index.search("parse_config", modalities=["text"])
    assert answer.hits and {hit.mark for hit in answer.hits} == {"fuzzy"}
    assert "no 'parse_config'; these have its words" in answer.notes
