"""The words of the tutorial's prompts, beside those of a match; English always works."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from mia_cli.text.language.catalogue import N_, translate
from mia_cli.text.language.words import Word, folded, understand

TutorialWord = Literal["repeat", "back", "skip"]
ORDER: tuple[TutorialWord, ...] = ("repeat", "back", "skip")
STEERING: Mapping[TutorialWord, str] = {
    "repeat": N_("this step again"),
    "back": N_("the step before"),
    "skip": N_("the next step"),
}
"""What these words do, in a few."""

# As in ``words``: each entry lists words, the first being the one that is shown.
_WORDS: dict[TutorialWord, str] = {
    "repeat": N_("repeat again"),
    "back": N_("back b"),
    "skip": N_("skip next"),
}


def understand_anywhere(text: str) -> Word | TutorialWord | None:
    """The word that was meant, of the tutorial or of a match; the language in use comes first."""
    plain = folded(text)
    for word, listed in _WORDS.items():
        if plain in _folded(translate(listed)):
            return word
    found = understand(text)
    if found is not None:
        return found
    return next((word for word, listed in _WORDS.items() if plain in _folded(listed)), None)


def shown_word(word: TutorialWord) -> str:
    """The word to show for it in the language in use."""
    return translate(_WORDS[word]).split()[0]


def table() -> dict[str, tuple[str, ...]]:
    """All words of the tutorial in the language in use, for the tests."""
    return {word: tuple(translate(listed).split()) for word, listed in _WORDS.items()}


def _folded(listed: str) -> tuple[str, ...]:
    return tuple(map(folded, listed.split()))
