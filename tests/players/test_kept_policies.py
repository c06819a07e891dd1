"""Policies kept between runs are those of the solution, and whatever is wrong with a file, so is
what a level then does."""

from itertools import product

import numpy as np
import pytest

from mia_cli.players import kept_policies, levels
from mia_cli.players.habits import HABITS
from mia_cli.players.levels import LevelPolicies
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import solve

TABLES = [(3, 2, 1), (3, 3, 1), (3, 3, 2), (4, 2, 2)]
SOLVED = {table: solve(*table) for table in TABLES}


def asked(table):
    """A source of the solution that counts how often it was asked."""
    calls = []

    def solved(*wanted):
        calls.append(wanted)
        return SOLVED[table]

    return solved, calls


def vectors(seats, lives):
    for living in range(3, seats + 1):
        yield from product(range(1, lives + 1), repeat=living)


def policy_at(policies, lives, seats):
    """With seats that are out behind the living ones."""
    return policies.at((*lives, *[0] * (seats - len(lives))), 1)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("level", HABITS)
def test_what_is_kept_is_what_the_solution_says_at_all_lives(table, level, isolated):
    seats, lives, penalty = table
    rules = RuleSet(lives, penalty)
    solved, calls = asked(table)
    first, again = (LevelPolicies(level, rules, solved) for _run in range(2))
    assert not first.is_kept(seats)
    policy_at(first, (lives,) * seats, seats)
    assert again.is_kept(seats) and calls == [table]
    player = levels.strategy(level, rules, SOLVED[table])
    for left in vectors(seats, lives):
        claims, challenges = player.tables(left)
        for policies in (first, again):
            found = policy_at(policies, left, seats)
            assert np.array_equal(found.claims, claims)
            assert np.array_equal(found.challenges, challenges)
    assert calls == [table]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data.replace(b"0", b"1", 1),
        lambda data: data[:-20] + b"9" + data[-19:],
        lambda data: b"\xff" * 50,
    ],
)
def test_a_damaged_file_is_made_again(damage, isolated):
    rules, table = RuleSet(2, 1), TABLES[0]
    solved, calls = asked(table)
    right = policy_at(LevelPolicies("hard", rules, solved), (2, 2, 2), 3)
    (path,) = isolated.rglob("hard-3-2-1.mia")
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert policy_at(LevelPolicies("hard", rules, solved), (2, 2, 2), 3) == right
    assert len(calls) == 2 and path.read_bytes() == whole


def test_tables_of_another_version_are_not_used(isolated, monkeypatch):
    rules, table = RuleSet(2, 1), TABLES[0]
    solved, _calls = asked(table)
    policy_at(LevelPolicies("hard", rules, solved), (2, 2, 2), 3)
    monkeypatch.setitem(kept_policies.TABLES, "hard", 999)
    assert not LevelPolicies("hard", rules, solved).is_kept(3)


def test_without_a_folder_nothing_is_kept_and_all_is_played(isolated, monkeypatch):
    monkeypatch.setattr(kept_policies, "cache_dir", lambda: None)
    solved, calls = asked(TABLES[0])
    for _run in range(2):
        policy_at(LevelPolicies("easy", RuleSet(2, 1), solved), (2, 2, 2), 3)
    assert len(calls) == 2
