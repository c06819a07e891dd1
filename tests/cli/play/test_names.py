"""Names of CPU seats: drawn from the seed, told apart at a glance, never the person's."""

import hashlib
import unicodedata
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.cli.play.names import CPU_NAMES, cpu_names
from mia_cli.rules.ruleset import SEATS
from mia_cli.text.language.words import folded

SEEDS = st.integers(-(2**140), 2**140)
OPPONENTS = max(SEATS) - 1


@given(SEEDS, st.sampled_from(["You", "Zoé", "  ada ", "OTTO", "名前", *CPU_NAMES]))
def test_a_table_of_six_is_told_apart_by_first_letters(seed: int, person: str) -> None:
    names = list(islice(cpu_names(person, seed), OPPONENTS))
    assert len(names) == len({name[0] for name in names}) == OPPONENTS
    assert folded(person) not in map(folded, names)
    assert names == list(islice(cpu_names(person, seed), OPPONENTS))


def test_the_documented_way_from_the_seed() -> None:
    """SHA-256 of "mia-names/1:SEED:NAME": neither the dice's nor a player's numbers."""

    def place(name: str) -> bytes:
        return hashlib.sha256(f"mia-names/1:7:{name}".encode()).digest()[:8]

    assert next(cpu_names("You", 7)) == min(CPU_NAMES, key=place)


def test_another_name_of_the_person_moves_no_other_name() -> None:
    names = list(islice(cpu_names("You", 3), OPPONENTS))
    assert list(islice(cpu_names("Someone", 3), OPPONENTS)) == names
    assert set(islice(cpu_names(names[0], 3), OPPONENTS)) > set(names[1:])


def test_seeds_give_each_name_now_and_then() -> None:
    drawn = {name for seed in range(400) for name in islice(cpu_names("You", seed), OPPONENTS)}
    assert drawn == set(CPU_NAMES)


@pytest.mark.parametrize("name", CPU_NAMES)
def test_a_name_is_short_plain_and_no_word_of_the_game(name: str) -> None:
    assert name.isascii() and name.isalpha() and name.istitle() and len(name) <= 6
    assert unicodedata.normalize("NFC", name) == name
    assert name != "Mia"


def test_the_list_has_no_name_twice() -> None:
    assert len(set(map(folded, CPU_NAMES))) == len(CPU_NAMES) >= 40
