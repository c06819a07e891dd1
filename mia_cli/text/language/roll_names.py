"""Rolls by the names players give them: "double five", "Pasch 5", "Mäxchen".

Numbers are read by ``rules``; what is no number is looked up here, in the language in use and then
in English. Case, accents, full-width letters, hyphens and spaces do not matter.
"""

from __future__ import annotations

from mia_cli.rules.errors import CannotRead
from mia_cli.rules.rolls import MIA, Claim, Roll, claim_at, parse_claim, parse_roll
from mia_cli.text.language.catalogue import N_, translate
from mia_cli.text.language.words import folded

# Each entry lists the names of one roll, the first being the one that is shown.
_NAMES = {
    # Translators: names of 11 that a player may type, commas between; the first is shown.
    "11": N_("double one, double 1, double ones, pair of ones, ones"),
    "22": N_("double two, double 2, double twos, pair of twos, twos"),
    "33": N_("double three, double 3, double threes, pair of threes, threes"),
    "44": N_("double four, double 4, double fours, pair of fours, fours"),
    "55": N_("double five, double 5, double fives, pair of fives, fives"),
    "66": N_("double six, double 6, double sixes, pair of sixes, sixes"),
    MIA: N_("Mia, twenty-one"),
}


def read_roll(text: str) -> Roll:
    """A roll as a number or by name. Raises CannotRead("not_a_roll")."""
    try:
        return parse_roll(text)
    except CannotRead:
        found = _named(text)
        if found is None:
            raise
    return parse_roll(found)


def read_claim(text: str) -> Claim:
    """A claim as a number or by name. Raises CannotRead("not_a_roll")."""
    try:
        return parse_claim(text)
    except CannotRead:
        return claim_at(read_roll(text).position)


def shown_name(roll: Roll) -> str:
    """The name of a double or of 21 in the language in use; other rolls have none (KeyError)."""
    return names()[roll.name][0]


def names() -> dict[str, tuple[str, ...]]:
    """All names in the language in use, by the number of the roll."""
    return {roll: _listed(translate(listed)) for roll, listed in _NAMES.items()}


def _named(text: str) -> str | None:
    plain = _folded(text)
    for spoken in (translate, str):
        for roll, listed in _NAMES.items():
            if plain in map(_folded, _listed(spoken(listed))):
                return roll
    return None


def _listed(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.replace("、", ",").split(","))


def _folded(text: str) -> str:
    return " ".join(folded(text).replace("-", " ").replace("’", "'").split())
