"""Whether the totals of a run, as a file tells them, can be those of matches that were played.

Every round ends in a challenge that costs its loser lives; a seat is out when it has none, and the
last one wins; the loser leads on, or the next living seat does. Totals that break what follows from
this are refused. Others may still be untrue: that only playing the run again can tell.

A program that loses a match, or a life, by a fault leaves a round unfinished: for every fault,
one match may be shorter than it has to be, and one claim may be missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mia_cli.rules.rolls import CLAIMS
from mia_cli.simulate.lockstep.alias_tables import Numbers
from mia_cli.simulate.lockstep.situations import (
    ACCEPTED_BLUFF,
    ACCEPTED_TRUE,
    CAUGHT,
    CAUGHT_21,
    HELD,
    HELD_21,
)
from mia_cli.simulate.sessions import row_of_distance, row_of_leader, row_of_player
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.tally import Tally

_MOST_COUNTED = 100_000
"""Matches whose seatings are counted one by one."""


def require_possible(tally: Tally, setup: Setup, done: int, faults: int) -> None:
    """Raise ValueError for totals that no ``done`` matches of this set-up can have.

    ``faults``: how many there were in all.
    """
    # As whole numbers of Python: sums of what a file tells could be larger than 64 bits.
    played, wins, events = (
        part.astype(object) for part in (tally.played, tally.wins, tally.events)
    )
    exact = Tally(played, wins, events)
    if int(exact.played.sum()) != done or not _are_seatings(exact.played.tolist(), setup, done):
        raise ValueError("played")
    if (exact.wins.sum(axis=1) != exact.played).any():
        raise ValueError("wins")
    if not _are_rounds(exact, setup, done, faults):
        raise ValueError("events")
    by_distance, won = tally.by_distance(setup.seatings)
    for player in range(len(setup.players)):
        if not _is_course(exact, setup, player, int(won[player].sum()), done, faults):
            raise ValueError("events")
    if faults == 0 and not _are_leads(exact, by_distance[:, 0].tolist(), won.sum(axis=1), done):
        raise ValueError("events")
    sums = tally.sessions
    if sums is not None and not _are_sessions(sums, setup, by_distance, won, done):
        raise ValueError("sessions")


def _are_seatings(played: Sequence[int], setup: Setup, done: int) -> bool:
    """Whether every seating was played as often as its turn came."""
    if setup.session > 1 and setup.seating == "fixed":
        return played[0] == done
    cycles, rest = divmod(done, setup.cycle)
    if rest > _MOST_COUNTED:
        return True
    begins = setup.first + cycles * setup.cycle
    turns = Counter(map(setup.seating_number, range(begins, begins + rest)))
    each = cycles * (setup.cycle // len(played))
    return list(played) == [each + turns[number] for number in range(len(played))]


def _are_rounds(tally: Tally, setup: Setup, done: int, faults: int) -> bool:
    """Whether there are as many rounds and claims as such matches have."""
    seats, lives = len(setup.players), setup.rules.lives
    events = tally.events
    if events[..., CAUGHT_21 + 1 :].any() or any(events[at, at].any() for at in range(seats)):
        return False  # there are no such events, and nobody answers a claim of his own
    least = (seats - 1) * _least_losses(setup)
    rounds, turns = tally.rounds, tally.turns
    # Whatever is lost, it is at least a life, and the winner keeps one.
    return max(0, done - faults) * least <= rounds <= done * (seats * lives - 1) and (
        turns <= (rounds + faults) * len(CLAIMS)
    )


def _least_losses(setup: Setup) -> int:
    return -(-setup.rules.lives // setup.rules.penalty_21)


def _losses(tally: Tally, player: int) -> int:
    """Challenges that the player lost."""
    caught = tally.events[player][:, [CAUGHT, CAUGHT_21]].sum()
    return int(caught + tally.events[:, player][:, [HELD, HELD_21]].sum())


def _accepted(tally: Tally, player: int) -> int:
    """Claims that the player accepted."""
    return int(tally.events[:, player][:, [ACCEPTED_TRUE, ACCEPTED_BLUFF]].sum())


def _is_course(  # noqa: PLR0913, PLR0917 - what is known of a player
    tally: Tally, setup: Setup, player: int, won: int, done: int, faults: int
) -> bool:
    """Whether the player lost as often as its wins say, and claimed after all it accepted."""
    lives, out = setup.rules.lives, done - won
    least = max(0, out - faults) * _least_losses(setup)
    if not least <= _losses(tally, player) <= out * lives + won * (lives - 1):
        return False
    return _accepted(tally, player) <= int(tally.claims()[player]) + faults


def _are_leads(tally: Tally, first: Sequence[int], won: Sequence[int], done: int) -> bool:
    """Whether each leads after what it lost and is not out by, and first where it was its turn.

    The other leads are those after somebody who is out; with two seats there are none.
    """
    claims = tally.claims()
    more = [
        int(claims[player])
        - _accepted(tally, player)
        - first[player]
        - (_losses(tally, player) - (done - int(won[player])))
        for player in range(len(claims))
    ]
    return min(more) >= 0 and sum(more) == done * (len(claims) - 2)


def _are_sessions(sums: Numbers, setup: Setup, played: Numbers, won: Numbers, done: int) -> bool:
    """Whether sums over sessions are those of so many matches and wins [player, distance]."""
    whole, rest = divmod(done, setup.session)
    number, squares = whole + (rest > 0), whole * setup.session**2 + rest**2
    players = len(setup.players)
    # By row: wins, matches, and whether sessions are as long as they can be.
    known = {row_of_leader(players): (int(won[:, 0].sum()), done, True)}
    for player in range(players):
        known[row_of_player(players, player)] = int(won[player].sum()), done, True
        for at in range(players):
            row = row_of_distance(players, player, at)
            known[row] = int(won[player, at]), int(played[player, at]), False
    for row, sums_of_row in enumerate(sums.T.tolist()):
        of_wins, of_matches, is_whole = known[row]
        some, _wins, _both, matches = sums_of_row
        if is_whole and (some, matches) != (number, squares):
            return False
        if some > min(number, of_matches) or (some == 0) != (of_matches == 0):
            return False
        if not _is_row(sums_of_row, of_wins, of_matches, setup.session):
            return False
    return True


def _is_row(sums: Sequence[int], of_wins: int, of_matches: int, most: int) -> bool:
    """Whether sums can be those of sessions of at most ``most`` matches with 0 <= w <= n."""
    some, wins, both, matches = sums
    return (
        of_wins <= wins <= both <= min(matches, of_wins * most)
        and both**2 <= wins * matches  # Cauchy's inequality
        and matches <= of_matches * most
        and _is_spread(of_matches, matches, some)
        and _is_spread(of_wins, wins, some)
    )


def _is_spread(total: int, squares: int, number: int) -> bool:
    """Whether so many whole numbers with this sum can have this sum of squares."""
    return total <= squares and (squares - total) % 2 == 0 and total**2 <= squares * number
