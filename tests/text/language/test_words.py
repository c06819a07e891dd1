"""The words a person types, in every language."""

from itertools import combinations

import pytest

from mia_cli.rules.errors import CannotRead
from mia_cli.rules.rolls import parse_claim
from mia_cli.text.language import catalogue, words


@pytest.fixture(params=catalogue.LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    catalogue.use(request.param)
    return str(request.param)


def test_no_word_of_a_language_means_two_things(language: str) -> None:
    spoken = {word: set(map(words.folded, listed)) for word, listed in words.table().items()}
    for (one, ones), (other, others) in combinations(spoken.items(), 2):
        assert not ones & others, (language, one, other)


def test_every_word_is_understood_with_and_without_accents_and_case(language: str) -> None:
    for word, listed in words.table().items():
        for spelt in listed:
            for typed in (spelt, spelt.upper(), f"  {spelt} ", words.folded(spelt)):
                assert words.understand(typed) == word, language


def test_english_is_understood_in_every_language_unless_the_language_means_something_else(
    language: str,
) -> None:
    own = {words.folded(spelt) for listed in words.table().values() for spelt in listed}
    catalogue.use("en")
    english = words.table()
    catalogue.use(language)
    for word, listed in english.items():
        for spelt in listed:
            if words.folded(spelt) not in own:
                assert words.understand(spelt) == word
        assert words.understand(listed[0]) == word, "the full word is never taken over"


def test_the_short_words_that_prompts_name_work(language: str) -> None:
    assert words.understand("a") == "accept"
    assert words.understand(words.short("challenge")) == "challenge"


def test_no_word_is_a_claim(language: str) -> None:
    for listed in words.table().values():
        for spelt in listed:
            with pytest.raises(CannotRead):
                parse_claim(spelt)


def test_french() -> None:
    catalogue.use("fr")
    for typed in ("défier", "Défier", "DEFIER", "defier", "défie", "de\u0301fier", "d"):
        assert words.understand(typed) == "challenge"
    for typed in ("accepter", "ACCEPTE", "a", "oui"):
        assert words.understand(typed) == "accept"
    for typed, word in {"aide": "help", "quitter": "quit", "historique": "history"}.items():
        assert words.understand(typed) == word
