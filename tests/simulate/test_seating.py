"""Every player leads as often as every other, and sits everywhere."""

from collections import Counter
from math import factorial

import pytest

from mia_cli.simulate.seating import seatings, whole_cycles


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


def test_whole_cycles():
    found = seatings(3, "all")
    assert [whole_cycles(n, found) for n in (1, 6, 7, 12)] == [6, 6, 12, 12]
