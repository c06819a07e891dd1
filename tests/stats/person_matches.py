"""Many matches of a person with known habits at once, as a batch of records would give them."""

import numpy as np

from mia_cli.records.many.columns import HEAD, Batch
from mia_cli.records.many.turns import ACCEPTED, CHALLENGED, SHIFTS
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory.rule_arrays import CHANCES, FORCED, SUPPORTS, leaders, lives_after, losses
from tests.players.shark.holdouts import tables_of


class Drawn:
    """A player's tables by the lives of two seats, as sums to draw from."""

    def __init__(self, player, lives):
        self.claims, self.challenges = {}, {}
        for mine in range(1, lives + 1):
            for other in range(1, lives + 1):
                claims, challenges = tables_of(player, (mine, other))
                self.claims[mine, other] = np.cumsum(claims, axis=2)
                self.challenges[mine, other] = np.where(FORCED, 1.0, challenges)


def batch_of_matches(person, opponents, number, seed, rules=None):
    """``number`` matches of two seats, the person at seat 1, opponents in turn, all finished."""
    rules, random = rules or RuleSet(), np.random.default_rng(seed)
    size = rules.lives
    players = [Drawn(player, size) for player in (person, *opponents)]
    against = 1 + np.arange(number) % len(opponents)
    lives = np.full((number, 2), size)
    leader = np.arange(number) // len(opponents) % 2
    roller, standing = leader.copy(), np.zeros(number, dtype=int)
    turns = [[] for _ in range(number)]
    loss, after = losses(rules.penalty_21), lives_after()
    alive = np.arange(number)
    while len(alive):
        roll = random.choice(21, p=CHANCES, size=number)
        draws = random.random((2, number))
        for at in alive:
            seat, other = roller[at], 1 - roller[at]
            key = (lives[at, seat], lives[at, other])
            who = [0, against[at]][seat], [0, against[at]][other]
            above = standing[at]
            row = players[who[0]].claims[key][above, roll[at]]
            claim = int(np.searchsorted(row, draws[0, at] * row[-1], side="right"))
            claim = min(claim, 20)
            challenged = draws[1, at] < players[who[1]].challenges[key][above, claim]
            lost = 0
            if challenged:
                loser = other if SUPPORTS[roll[at], claim] else seat
                left = after[lives[at, loser], loss[claim]]
                lost = lives[at, loser] - left
                lives[at, loser] = left
                standing[at] = 0
                roller[at] = leaders(2)[int((lives[at] > 0) @ [1, 2]), loser]
            else:
                standing[at], roller[at] = claim + 1, other
            parts = {"seat": seat + 1, "other": other + 1, "roll": roll[at] + 1, "lost": lost}
            parts |= {"claim": claim + 1, "above": above}
            parts["answer"] = CHALLENGED if challenged else ACCEPTED
            turns[at].append(sum(int(parts[name]) << SHIFTS[name] for name in SHIFTS))
        alive = alive[(lives[alive] > 0).all(axis=1)]
    heads = np.zeros(number, dtype=HEAD)
    heads["created"] = 1_700_000_000 + 3600 * np.arange(number)
    heads["lives"], heads["penalty"], heads["seats"] = rules.lives, rules.penalty_21, 2
    heads["person"], heads["leader"] = 1, leader + 1
    heads["winner"] = 1 + (lives[:, 0] == 0)
    heads["players"] = -1
    heads["players"][:, 0], heads["players"][:, 1] = 0, 1
    heads["turns"] = [len(row) for row in turns]
    flat = np.array([turn for row in turns for turn in row], dtype=np.uint32)
    return Batch(heads, flat, [("You", "human"), ("Ada", "hard")])
