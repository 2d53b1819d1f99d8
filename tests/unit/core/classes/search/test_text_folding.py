"""Folding: accents, case, hyphens, apostrophes and plurals don't matter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeler.core.classes.search.text_folding import (
    folded_words,
    letters_end,
    root,
    stem,
    words_with_origins,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Crêpe", ("crepe",)),
        ("Cre\u0302pe", ("crepe",)),
        ("STRASSE straße", ("strasse", "strasse")),
        ("bull-mastiff", ("bull", "mastiff")),
        ("carpenter's kit", ("carpenters", "kit")),
        ("plumber’s helper", ("plumbers", "helper")),
        ("jack-o'-lantern", ("jack", "o", "lantern")),
        ("snake_case", ("snake", "case")),
        ("R.V.", ("r", "v")),
        ("  ", ()),
    ],
)
def test_words_are_folded(text: str, folded: tuple[str, ...]) -> None:
    assert folded_words(text) == folded
    assert tuple(word.folded for word in words_with_origins(text)) == folded


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("storks", "stork"),
        ("foxes", "fox"),
        ("knives", "knife"),
        ("berries", "berry"),
        ("mice", "mouse"),
        ("geese", "goose"),
        ("women", "woman"),
        ("houses", "house"),
        ("buses", "bus"),
        ("lenses", "lens"),
        ("glasses", "glass"),
        ("octopuses", "octopus"),
        ("torches", "torch"),
        ("brushes", "brush"),
        ("potatoes", "potato"),
        ("shoes", "shoe"),
        ("ties", "tie"),
        ("collies", "collie"),
        ("skis", "ski"),
        ("fungi", "fungus"),
        ("wolves", "wolf"),
        ("axes", "ax"),
        ("specimens", "specimen"),
    ],
)
def test_a_word_and_its_plural_share_their_stem(plural: str, singular: str) -> None:
    assert stem(plural) == stem(singular)


@pytest.mark.parametrize(
    ("one", "other"), [("glass", "gla"), ("car", "care"), ("cat", "cast"), ("gas", "ga")]
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_letters_point_at_the_text_as_it_is_shown() -> None:
    text = "«Cre\u0302pe-Straße»"
    crepe, strasse = words_with_origins(text)
    assert text[crepe.origins[0] : letters_end(text, crepe, 3)] == "Cre\u0302"
    assert text[strasse.origins[0] : letters_end(text, strasse, 5)] == "Straß"
    assert text[strasse.origins[0] : letters_end(text, strasse, 7)] == "Straße"


@given(st.text())
def test_any_text_folds_to_letters_that_lie_in_it(text: str) -> None:
    for word in words_with_origins(text):
        assert word.folded
        assert len(word.origins) == len(word.folded)
        assert list(word.origins) == sorted(word.origins)
        assert 0 <= word.origins[0] <= word.origins[-1] < len(text)
    assert tuple(word.folded for word in words_with_origins(text)) == folded_words(text)


@given(st.text())
def test_case_and_folding_twice_change_nothing(text: str) -> None:
    once = folded_words(text)
    assert folded_words(" ".join(once)) == once


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("stripes", "striped"),
        ("opens", "opener"),
        ("spotted", "spots"),
        ("changing", "changes"),
        ("color", "colours"),
        ("grey", "gray"),
    ],
)
def test_forms_of_a_word_share_their_root(one: str, other: str) -> None:
    assert root(one) == root(other)


@pytest.mark.parametrize(
    ("one", "other"), [("tower", "tow"), ("ring", "red"), ("water", "wat"), ("bed", "bing")]
)
def test_words_that_only_end_alike_have_different_roots(one: str, other: str) -> None:
    assert root(one) != root(other)
