"""Every player leads as often as every other, and sits everywhere."""

from collections import Counter
from math import factorial

import pytest

from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.seating import seatings
from mia_cli.simulate.setup import Setup


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_cycle_has_every_order_from_the_leader_once(players):
    found = [seating.by_place for seating in seatings(players, "rotate")]
    assert len(found) == len(set(found)) == factorial(players)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_each_player_leads_once_in_as_many_matches_as_players(players):
    found = seatings(players, "rotate")
    for first in range(0, len(found), players):
        leads = Counter(seating.by_place[0] for seating in found[first : first + players])
        assert leads == dict.fromkeys(range(players), 1)


def test_fixed():
    (seating,) = seatings(4, "fixed")
    assert seating.by_place == seating.order == (0, 1, 2, 3)


def run_of(players, session=1, kind="rotate", first=0):
    return Setup(RuleSet(), ("shark",) * players, 1, kind, session, first=first)


def test_whole_cycles():
    found = run_of(3, kind="all")
    assert [found.whole_cycles(n) for n in (1, 6, 7, 12)] == [6, 6, 12, 12]
    assert run_of(2, 40).cycle == 40 and run_of(3, 40).cycle == 240 and run_of(4, 40).cycle == 240
    assert run_of(3, 40, "fixed").cycle == 40


@pytest.mark.parametrize("first", [0, 3 << 40])
@pytest.mark.parametrize("session", [2, 3, 4, 7, 10, 40])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_seats_stay_for_a_session_and_every_seating_comes_equally_often(players, session, first):
    found = run_of(players, session, "all", first)
    matches = range(first, first + found.cycle)
    numbers = Counter(found.seating_number(match) for match in matches)
    assert set(numbers) == set(range(len(found.seatings)))
    assert len(set(numbers.values())) == 1
    for start in matches[::session]:
        seats = [found.seating_of(match) for match in range(start, start + session)]
        assert len({seating.order for seating in seats}) == 1
        leaders = Counter(seating.leader for seating in seats)
        assert max(leaders.values()) - min(leaders[seat + 1] for seat in range(players)) <= 1
        assert found.place_in_session(start) == 0


def test_without_sessions_seatings_follow_the_match_number():
    found = run_of(4, first=3 << 40)
    assert [found.seating_number((3 << 40) + k) for k in range(30)] == [
        ((3 << 40) + k) % 24 for k in range(30)
    ]
