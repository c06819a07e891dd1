"""Players that no table of the shark's family is: people, extremes, exploiters, mixtures, moods."""

import numpy as np

from mia_cli.engine.policy import Policy, build
from mia_cli.players import levels
from mia_cli.players.shark.response import ExpectedTables, respond
from mia_cli.players.shark.stage_solution import StageSolutions
from mia_cli.rules.rolls import claims_above, ways_at_least, ways_to_beat
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import solve
from mia_cli.theory.rounds import claim_masses
from tests.theory.habits import T, U, erratic


def tables_of(player, lives):
    """Claims and challenges of a policy or of a player with tables."""
    if isinstance(player, Policy):
        return np.array(player.claims), np.array(player.challenges)
    return player.tables(lives)


class Mixed:
    """Plays one player's tables with a share, else another's, decision by decision."""

    def __init__(self, one, other, share):
        self.parts = ((one, share), (other, 1.0 - share))

    def tables(self, lives):
        parts = [(tables_of(player, lives), share) for player, share in self.parts]
        return tuple(sum(share * both[which] for both, share in parts) for which in range(2))


class ByLives:
    """One player where ``test(lives)``, lives from the seat that rolls, else another."""

    def __init__(self, test, one, other):
        self.test, self.one, self.other = test, one, other

    def tables(self, lives):
        return tables_of(self.one if self.test(lives) else self.other, lives)


class Halves:
    """Claims like one player and answers like another."""

    def __init__(self, claims, challenges):
        self.claims, self.challenges = claims, challenges

    def tables(self, lives):
        return tables_of(self.claims, lives)[0], tables_of(self.challenges, lives)[1]


class Exploiter:
    """The best response within the round to a player whose tables are known (two seats)."""

    def __init__(self, victim, solution):
        self.victim, self.solutions = victim, StageSolutions(solution)

    def tables(self, lives):
        return self._plan(lives, 0), self._plan(lives, 1)

    def _plan(self, lives, place):
        mine = lives if place == 0 else lives[::-1]
        solutions = [self.solutions(mine), self.solutions(mine[::-1])]
        rolls, _ = tables_of(self.victim, mine[::-1])
        _, challenges = tables_of(self.victim, mine)
        plan = respond(solutions, [ExpectedTables(*claim_masses(rolls), challenges)])
        return np.eye(21)[plan.claims] if place == 0 else plan.challenges


def _truth_or(bluffs):
    def weights(standing, roll):
        legal = claims_above(standing)
        truth = [float(claim.position == roll.position) for claim in legal]
        return truth if any(truth) else bluffs(legal)

    return weights


def _at(legal, index):
    return [float(at == min(index, len(legal) - 1)) for at in range(len(legal))]


def _step(standing, claim):
    return claim.position - (standing.position if standing else 0)


def _mirror(standing, roll):
    return _at(claims_above(standing), 1 if standing else roll.position - 1)


def _proud(standing, roll):
    legal = claims_above(standing)
    good = [float(claim.position >= max(10, min(roll.position, 19))) for claim in legal]
    return good if any(good) else [1.0] * len(legal)


def _humble(standing, roll):
    legal = claims_above(standing)
    holding = [1.0 if not claim.exceeds(roll) else 0.0 for claim in legal]
    return (
        [weight / (1 + at) for at, weight in enumerate(holding)]
        if any(holding)
        else [1.0 if claim.name[0] == "6" else 0.2 for claim in legal]
    )


def _coin(standing, roll):
    legal = claims_above(standing)
    return [float(claim.position == roll.position) + (at == 0) for at, claim in enumerate(legal)]


def _odds(standing, claim):
    return 1 - ways_at_least(claim) / 36


def _given(standing, claim):
    return 1 - min(1.0, ways_at_least(claim) / ways_to_beat(standing))


def holdouts(lives=3, penalty=1):
    """Players by name, for two seats."""
    rules, solution = RuleSet(lives, penalty), solve(2, lives, penalty)
    normal, hard = (levels.policy(level, rules) for level in ("normal", "hard"))
    third = build(_truth_or(lambda legal: _at(legal, 3)), lambda s, c: 0.35 * (c.position >= 10))
    high = build(
        _truth_or(lambda legal: [1.0 + at for at in range(len(legal))]),
        lambda s, c: 0.7 * _given(s, c) + 0.1,
    )
    return {
        "third step, doubts 61 on": third,
        "proud": build(_proud, lambda s, c: 0.2 + 0.02 * c.position),
        "bluffs doubles, trusts doubles": build(
            _truth_or(lambda legal: [1.0 if 14 < c.position < 21 else 0.1 for c in legal]),
            lambda s, c: 0.05 if c.position > 14 else 0.45,
        ),
        "two above what stands": build(_mirror, lambda s, c: 0.5 * _odds(s, c)),
        "doubts after 64 only": build(
            _truth_or(lambda legal: _at(legal, 1)), lambda s, c: 0.9 * (bool(s) and s.position > 12)
        ),
        "coin": build(_coin, lambda s, c: 0.5 * (c.position >= 11)),
        "bluffs 21": build(
            _truth_or(lambda legal: [*[1.0] * (len(legal) - 1), 0.4 * len(legal)]), _odds
        ),
        "humble": build(_humble, lambda s, c: _given(s, c) ** 2),
        "bluffs high, odds given": high,
        "sixes": build(
            _truth_or(lambda legal: [1.0 if c.name[0] == "6" else 0.15 for c in legal]),
            lambda s, c: 0.1 if c.name[0] == "6" else 0.5,
        ),
        "small steps doubted": build(
            _truth_or(lambda legal: [0.5**at + 0.05 for at in range(len(legal))]),
            lambda s, c: min(0.9, 0.25 + 1.2 / (1 + _step(s, c))),
        ),
        "exploits the honest": Exploiter(T, solution),
        "exploits normal": Exploiter(normal, solution),
        "exploits hard": Exploiter(hard, solution),
        "normal, erratic": Mixed(normal, erratic(11), 0.6),
        "hard, anything": Mixed(hard, U, 0.5),
        "solved, anything": Mixed(solution, U, 0.7),
        "solved claims, normal answers": Halves(solution, normal),
        "hard claims, coin answers": Halves(hard, build(_coin, lambda s, c: 0.35)),
        "bold when ahead": ByLives(lambda lives: lives[0] > lives[-1], high, third),
        "honest at full lives": ByLives(lambda lives: max(lives) == rules.lives, T, hard),
        "erratic": erratic(12),
    }
