"""Names of rolls are understood in every language and clash with nothing."""

from itertools import combinations

import pytest

from mia_cli.rules.errors import CannotRead
from mia_cli.rules.rolls import ROLLS, parse_roll
from mia_cli.text.language import catalogue, roll_names, words
from mia_cli.text.tutorial import words as tutorial_words

NAMED = [roll.name for roll in ROLLS if roll.ways == 1] + ["21"]


@pytest.fixture(params=catalogue.LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    catalogue.use(request.param)
    return str(request.param)


def test_every_double_and_21_have_names(language: str) -> None:
    assert sorted(roll_names.names()) == sorted(NAMED), language
    for roll, listed in roll_names.names().items():
        assert all(listed), (language, roll)
        assert roll_names.shown_name(parse_roll(roll)) == listed[0]


def test_every_name_is_read_however_it_is_spelt(language: str) -> None:
    for roll, listed in roll_names.names().items():
        for name in listed:
            for spelt in (name, name.upper(), f" {name} ", words.folded(name)):
                assert roll_names.read_roll(spelt).name == roll, (language, spelt)
                assert roll_names.read_claim(spelt).name == roll
            assert roll_names.read_roll(name.replace(" ", "-")).name == roll


def test_english_names_are_read_in_every_language(language: str) -> None:
    with catalogue.speaking("en"):
        english = roll_names.names()
    for roll, listed in english.items():
        for name in listed:
            assert roll_names.read_roll(name).name == roll, (language, name)


def test_no_name_means_two_things(language: str) -> None:
    spoken = {
        roll: {words.folded(name) for name in listed} for roll, listed in roll_names.names().items()
    }
    for (one, ones), (other, others) in combinations(spoken.items(), 2):
        assert not ones & others, (language, one, other)
    typed = {
        words.folded(spelt)
        for listed in (*words.table().values(), *tutorial_words.table().values())
        for spelt in listed
    }
    assert not typed & set().union(*spoken.values()), language


def test_what_is_no_name_is_refused_as_it_was_typed(language: str) -> None:
    for text in ("double seven", "double", "", "5 5 5", "pair"):
        for read in (roll_names.read_roll, roll_names.read_claim):
            with pytest.raises(CannotRead) as caught:
                read(text)
            assert (caught.value.code, caught.value.fields["value"]) == ("not_a_roll", text)


def test_some_names() -> None:
    for spoken, typed, roll in (
        ("en", "Double Five", "55"),
        ("en", "pair of ones", "11"),
        ("fr", "Paire d'as", "11"),
        ("fr", "double cinq", "55"),
        ("fr", "double five", "55"),
    ):
        catalogue.use(spoken)
        assert roll_names.read_claim(typed).name == roll
