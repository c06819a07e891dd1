"""Sessions of matches at two seats with a shark at seat 1: sampled courses, exact figures.

What the shark knows comes from matches that are played; what its tables are then worth is
computed, not sampled: against tables exactly, and stage by stage as the expected change of the
solved value, the sum of which is the sum of results without the luck.
"""

import numpy as np

from mia_cli.players.shark.player import Shark
from mia_cli.players.shark.response import ExpectedTables, respond
from mia_cli.players.shark.stage_solution import StageSolutions
from mia_cli.rules.events import seen_by
from mia_cli.rules.match import Accept, Challenge, MakeClaim, Throw, apply, start
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import evaluate
from mia_cli.theory.rounds import claim_masses
from mia_cli.theory.rule_arrays import CHANCES, FORCED, SUPPORTS
from tests.players.shark.holdouts import tables_of


class Frozen:
    """The tables of a shark at seat 1 as they are now, by the lives."""

    def __init__(self, shark):
        self.beliefs = shark.beliefs(1).copy()

    def tables(self, lives):
        return (
            self.beliefs.tables(lives, 1).claims,
            self.beliefs.tables(lives[::-1], 2).challenges,
        )


def fixed(player):
    """An opponent that plays its tables: (shark, events, lives by seat, roller) -> tables."""
    return lambda shark, events, lives, roller: tables_of(
        player, lives if roller == 1 else lives[::-1]
    )


def adversary(solutions):
    """An opponent that knows the shark's tables at each moment and answers best."""

    def tables(shark, events, lives, roller):
        beliefs = shark.beliefs(1, as_seen(events))
        habits = ExpectedTables(
            *claim_masses(beliefs.tables(lives, 1).claims), beliefs.tables(lives, 2).challenges
        )
        plan = respond([solutions(lives[::-1]), solutions(lives)], [habits])
        return np.eye(21)[plan.claims], plan.challenges

    return tables


def as_seen(events):
    return tuple(seen_by(event, 1) for event in events)


class Session:
    """A shark and an opponent; ``gains[k]``: expected result of match k less 1/2.

    Leaders alternate. ``credits``: what was left after every stage. Opponents are functions as
    ``fixed`` makes them.
    """

    def __init__(self, solution, seed, shark=None, rules=None):
        self.rules = rules or RuleSet()
        self.solutions = StageSolutions(solution)
        self.shark = shark or Shark(solution)
        self.random = np.random.default_rng(seed)
        self.gains, self.credits, self.wins = [], [], []

    def worth(self, player):
        """Exact chance to win against fixed tables if the shark's stayed as they are."""
        wins = evaluate([Frozen(self.shark), player], self.rules.lives, self.rules.penalty_21).wins
        return float(wins[:, 0].mean())

    def play(self, opponent):
        """One match."""
        match, events = start(self.rules, 2, 1 + len(self.gains) % 2)
        events, gain = list(events), 0.0
        while match.phase != "over":
            claims, challenges, change = self._stage(match, events, opponent)
            gain += change
            roll = self.random.choice(21, p=CHANCES)
            above = match.above.position if match.above else 0
            match, more = apply(match, Throw(ROLLS[roll]))
            events += more
            row = claims[above, roll]
            claim = self.random.choice(21, p=row / row.sum())
            match, more = apply(match, MakeClaim(CLAIMS[claim]))
            events += more
            challenged = FORCED[claim] or self.random.random() < challenges[above, claim]
            match, more = apply(match, Challenge() if challenged else Accept())
            events += more
            self.credits.append(self.shark.beliefs(1, as_seen(events)).credit.left)
        self.wins.append(match.winner == 1)
        self.shark.end_match(events)
        self.gains.append(gain)
        return events

    def _stage(self, match, events, opponent):
        """Claims and challenges in this stage, and the expected change of the solved value."""
        mine = self.shark.beliefs(1, as_seen(events)).tables(match.lives, match.roller)
        claims, challenges = opponent(self.shark, events, match.lives, match.roller)
        rolls = match.roller == 1
        if rolls:
            claims = mine.claims
        else:
            challenges = mine.challenges
        solution = self.solutions(match.lives if rolls else match.lives[::-1])
        place, above = (0 if rolls else 1), match.above.position if match.above else 0
        said = claims[above] * CHANCES[:, None]
        true, false = (said * SUPPORTS).sum(axis=0), (said * ~SUPPORTS).sum(axis=0)
        probability = np.where(FORCED, 1.0, challenges[above])
        value = probability * (true * solution.held[:, place] + false * solution.caught[:, place])
        value += (1.0 - probability) * (true + false) * solution.accepted[:, place]
        return claims, challenges, value.sum() - solution.values[above, place]
