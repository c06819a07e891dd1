"""Names at the table: the person's, checked, and those of the CPU players, never the same."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Mapping

from mia_cli.engine.seed import shuffled_names
from mia_cli.rules.errors import CannotRead
from mia_cli.text.language.plain import printable
from mia_cli.text.language.words import folded
from mia_cli.text.play.seats import DEFAULT_NAME

LONGEST = 24
CPU_NAMES = (
    *("Ada", "Alma", "Bea", "Bo", "Carla", "Cleo", "Dana", "Dora", "Elsa", "Emil", "Felix", "Fina"),
    *("Gina", "Greta", "Hana", "Hugo", "Ida", "Iris", "Kai", "Karin", "Lena", "Lola", "Mara"),
    *("Milo", "Nina", "Noa", "Olga", "Otto", "Paula", "Pia", "Rita", "Rosa", "Sara", "Simon"),
    *("Teo", "Tina", "Uma", "Vera", "Vito", "Zita", "Zoe"),
)
"""Short, and said in about the same way in all the languages."""


def person_name(option: str | None, environ: Mapping[str, str]) -> str:
    """The person's name: ``--name``, then MIA_NAME, then "You".

    Accents are composed, outer spaces dropped. Raises CannotRead("bad_name") for an empty name,
    one of more than 24 characters, or one with control characters.
    """
    for place, given in (("--name", option), ("MIA_NAME", environ.get("MIA_NAME") or None)):
        if given is not None:
            return _checked(given, place)
    return DEFAULT_NAME


def _checked(given: str, place: str) -> str:
    name = unicodedata.normalize("NFC", _as_typed(given)).strip()
    if not 0 < len(name) <= LONGEST or printable(name) != name:
        raise CannotRead("bad_name", value=given, place=place, longest=LONGEST)
    return name


def _as_typed(given: str) -> str:
    """UTF-8 that a locale without accents handed over byte by byte, read as what it is."""
    try:
        return os.fsencode(given).decode("utf-8")
    except UnicodeError:
        return given


def cpu_names(person: str, seed: int) -> Iterator[str]:
    """Names for the CPU seats in order, drawn from the seed.

    No two begin with the same letter, and none looks like the person's: more than a table needs.
    """
    taken = {folded(person)}
    for name in shuffled_names(seed, CPU_NAMES):
        if not taken & {folded(name), name[0]}:
            taken.add(name[0])
            yield name
