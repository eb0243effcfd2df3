"""Foreign words in a question, and the forms that they take."""

from __future__ import annotations

import pytest

from quatrain.query import glossary

ENTRIES, _ = glossary._entries()
LATIN = sorted(word for word in ENTRIES if word.isascii())


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("configuraciones", ("configuration", "config", "settings")),
        ("las funciones de búsqueda", ("function",)),
        ("requetes", ("request", "query")),
        ("lazy loading of plugins", None),
    ],
)
def test_a_form_of_a_foreign_word_is_read_as_the_word(text: str, english: tuple[str, ...] | None) -> None:
    found = [choices for _, choices in glossary.translate(text)]
    assert (english in found) if english else not found


def test_a_form_is_read_as_the_first_of_the_words_with_the_longest_common_beginning() -> None:
    for form in {f"{word[: len(word) - cut]}{end}" for word in LATIN for cut, end in ((1, ""), (2, "x"), (4, "s"))}:
        if form in ENTRIES:
            continue
        best: tuple[str, ...] = ()
        most = glossary._LATIN_HEAD - 1
        for other, english in ENTRIES.items():
            common = 0
            while form[: common + 1] == other[: common + 1] and common < min(len(form), len(other)):
                common += 1
            if common > most and max(len(form), len(other)) - common <= glossary._LATIN_TAIL:
                best, most = english, common
        assert glossary._inflected(form, ENTRIES) == best, form
