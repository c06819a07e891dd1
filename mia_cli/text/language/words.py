"""The words a person types at a prompt, in the language in use and always in English.

Case, accents, full-width letters and surrounding spaces do not matter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Literal

from mia_cli.text.language.catalogue import N_, translate
from mia_cli.text.language.nearest import nearest as nearest_of

Word = Literal[
    "accept", "challenge", "help", "rules", "rank", "odds", "hint", "score", "history", "quit"
]

# Each entry lists the English words; a translation lists that language's words, the first one
# being the word the help shows. Words are separated by spaces.
_WORDS: dict[Word, str] = {
    "accept": N_("accept a yes y believe roll"),
    "challenge": N_("challenge c no n doubt call liar bluff reveal"),
    "help": N_("help h ?"),
    "rules": N_("rules rule"),
    "rank": N_("rank ranks r"),
    "odds": N_("odds o"),
    "hint": N_("hint"),
    "score": N_("score lives s"),
    "history": N_("history log"),
    "quit": N_("quit q exit"),
}


_YES = N_("yes y")
_NO = N_("no n")
_AGAIN = N_("again another")
_RANDOM = N_("random")


def understand(text: str) -> Word | None:
    """The word that was meant, or None. The language in use comes first, then English."""
    plain = folded(text)
    for spoken in (translate, _english):
        for word, listed in _WORDS.items():
            if plain in map(folded, spoken(listed).split()):
                return word
    return None


def nearest(text: str, without: Iterable[Word] = ()) -> str | None:
    """The word that was probably meant by a line that is none, but not one of these."""
    left_out = set(without)
    spelt = {
        folded(one): one
        for spoken in (_english, translate)
        for word, listed in _WORDS.items()
        if word not in left_out
        for one in spoken(listed).split()
    }
    found = nearest_of(folded(text), spelt)
    return None if found is None else spelt[found]


def yes_or_no(text: str) -> bool | None:
    """True for yes, False for no, None for anything else."""
    plain = folded(text)
    for spoken in (translate, _english):
        for answer, listed in ((True, _YES), (False, _NO)):
            if plain in map(folded, spoken(listed).split()):
                return answer
    return None


def is_again(text: str) -> bool:
    """True for the word that asks for another match."""
    plain = folded(text)
    return any(plain in map(folded, spoken(_AGAIN).split()) for spoken in (translate, _english))


def again() -> str:
    """The word to show for it."""
    return translate(_AGAIN).split()[0]


def is_random(text: str) -> bool:
    """True for the word that leaves something to the dice."""
    plain = folded(text)
    return any(plain in map(folded, spoken(_RANDOM).split()) for spoken in (translate, _english))


def by_chance() -> str:
    """The word to show for it."""
    return translate(_RANDOM).split()[0]


def yes() -> str:
    """The word to show for yes."""
    return translate(_YES).split()[0]


def no() -> str:
    """The word to show for no."""
    return translate(_NO).split()[0]


def shown(word: Word) -> str:
    """The word to show for it in the language in use."""
    return translate(_WORDS[word]).split()[0]


def short(word: Word) -> str:
    """Its shortest spelling in the language in use."""
    return min(translate(_WORDS[word]).split(), key=len)


def table() -> dict[Word, tuple[str, ...]]:
    """All words of the language in use, for the tests."""
    return {word: tuple(translate(listed).split()) for word, listed in _WORDS.items()}


def answers() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words for yes and for no of the language in use, for the tests."""
    return tuple(translate(_YES).split()), tuple(translate(_NO).split())


def folded(text: str) -> str:
    """Text without case, accents, width and surrounding spaces."""
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(part for part in decomposed if not unicodedata.combining(part))


def _english(listed: str) -> str:
    return listed
