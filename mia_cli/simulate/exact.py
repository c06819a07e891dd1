"""The figures of a run without sampling: expected numbers for one match, over all seatings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mia_cli.players.registry import strategies
from mia_cli.simulate.setup import Setup
from mia_cli.theory.evaluation import Evaluation, evaluate
from mia_cli.theory.rounds import COUNTS
from mia_cli.theory.rule_arrays import Floats
from mia_cli.theory.strategies import Strategy


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected numbers by match; arrays by player as named.

    ``win_by_distance[player, distance]``: chance to win from that distance from the first leader
    (nan where no seating has it). ``leader_wins``: chance that the first leader wins.
    """

    wins: Floats
    win_by_distance: Floats
    leader_wins: float
    rounds: float
    claims: Floats
    bluffs: Floats
    bluffs_caught: Floats
    challenges: Floats
    challenges_won: Floats


def exact(setup: Setup) -> Expected:
    """Expected numbers when every seating is played equally often.

    Raises NotAllowed("not_exact") when a player is no table of probabilities.
    """
    return _mean(setup, strategies(setup.players, setup.rules, setup.given))


def _mean(setup: Setup, players: Sequence[Strategy]) -> Expected:
    seats, count = len(players), len(setup.seatings)
    known: dict[tuple[str, ...], Evaluation] = {}
    won = np.zeros((seats, seats))
    times = np.zeros((seats, seats))
    sums = np.zeros((len(COUNTS), seats))
    rounds = leader_wins = 0.0
    for seating in setup.seatings:
        order = seating.by_place
        names = tuple(setup.players[player] for player in order)
        turned = min(_turns(names))
        if turned not in known:
            at = _turns(names).index(turned)
            sitting = [players[player] for player in (*order[at:], *order[:at])]
            known[turned] = evaluate(sitting, setup.rules.lives, setup.rules.penalty_21)
        found = known[turned]
        # The leader of this seating sits ``shift`` seats on in the table that was evaluated.
        shift = _turns(turned).index(names)
        places = [(shift + place) % seats for place in range(seats)]
        won[order, range(seats)] += found.wins[shift, places]
        times[order, range(seats)] += 1.0
        for which, name in enumerate(COUNTS):
            sums[which, order] += getattr(found, name)[shift, places]
        rounds += float(found.rounds[shift])
        leader_wins += float(found.wins[shift, shift])
    with np.errstate(invalid="ignore"):
        by_distance = won / times
    return Expected(
        won.sum(axis=1) / count, by_distance, leader_wins / count, rounds / count, *sums / count
    )


def _turns(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The table turned round by 0, 1, 2 ... seats."""
    return [(*names[at:], *names[:at]) for at in range(len(names))]
