"""Round-robins: every pair of a list of players at a table of two, and one rating for each.

The rating is the maximum likelihood estimate of Bradley and Terry (1952), in which player i beats
player j with chance 1 / (1 + 10**((R_j - R_i) / 400)), the scale of chess ratings, with mean 1500.
Half a win is added to both sides of every pair, so that a player that lost every match has a finite
rating. The standard error, of the difference to the field's mean, follows from the curvature of the
likelihood. Nobody gets better in the course of a run, so a rating that moves from match to match
would only add noise and depend on their order. Where A beats B, B beats C and C beats A, no single
number tells it: the cross table does.

A player that learns within sessions makes the matches of a session alike. The results of a pair
then count as those of as many independent matches as would vary as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from mia_cli.files.documents import Document
from mia_cli.players.names import TABLES_FIELD, learn, tables_of
from mia_cli.records.head import ruleset_to_json
from mia_cli.records.shapes import seed_to_json
from mia_cli.simulate.setup import Setup
from mia_cli.theory.rule_arrays import Floats

SPACING = 1 << 40
"""Numbers of matches from one pair to the next: no two pairs share a match."""
SCALE = 400.0 / np.log(10.0)
MEAN = 1500.0
STEPS = 100
PRIOR = 0.5
"""Wins added on both sides of a pair."""
EXACT_PRIOR = 1e-9
"""The same where chances are known: only so that a chance of 1 keeps a rating finite."""
SCHEMA = "mia.roundrobin/1"


@dataclass(frozen=True, slots=True)
class Ratings:
    """[player] ratings and their standard errors (of sampled results)."""

    rating: Floats
    error: Floats


def pairs(count: int) -> Iterator[tuple[int, int]]:
    """All pairs of players, as named."""
    return combinations(range(count), 2)


def pair_setups(shared: Setup, names: Sequence[str], session: int) -> list[Setup]:
    """A run for every pair, each with matches of its own; ``session`` where a player learns."""
    return [
        replace(
            shared,
            players=(names[one], names[other]),
            session=session if learn((names[one], names[other])) else 1,
            first=number * SPACING,
        )
        for number, (one, other) in enumerate(pairs(len(names)))
    ]


def rate(wins: Floats, *, prior: float = PRIOR) -> Ratings:
    """Ratings from ``wins[i, j]``: matches that i won against j (or chances, with prior 0).

    Newton's method; the sum of ratings is fixed, since only differences matter.
    """
    count = len(wins)
    won = wins + prior * (1.0 - np.eye(count))
    played = won + won.T
    strength = np.zeros(count)
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
        slope = (won - played * chance).sum(axis=1)
        inverse = np.linalg.pinv(_curvature(played, chance), hermitian=True)
        step = np.clip(inverse @ slope, -1.0, 1.0)
        strength += step
        if np.abs(step).max() < 1e-12:
            break
    error = np.sqrt(np.clip(np.diag(inverse), 0.0, None))
    return Ratings(MEAN + SCALE * (strength - strength.mean()), SCALE * error)


def _curvature(played: Floats, chance: Floats) -> Floats:
    weight = played * chance * (1.0 - chance)
    np.fill_diagonal(weight, 0.0)
    curvature: Floats = np.diag(weight.sum(axis=1)) - weight
    return curvature


def cross(
    setups: Sequence[Setup], names: Sequence[str], reports: Sequence[Document], *, is_exact: bool
) -> Document:
    """The report of a round-robin, schema ``mia.roundrobin/1``, from the reports of its pairs.

    ``table[i][j]``: how player i did against player j, None against itself. A round-robin that was
    stopped has reports of its first pairs only.
    """
    table: list[list[Document | None]] = [[None] * len(names) for _ in names]
    wins = np.zeros((len(names), len(names)))
    alike = np.ones((len(names), len(names)))
    for (one, other), report in zip(pairs(len(names)), reports, strict=False):
        players = report["players"]
        assert isinstance(players, list)
        for me, you, mine in ((one, other, players[0]), (other, one, players[1])):
            table[me][you] = {key: mine[key] for key in ("wins", "win_rate", "ci95")}
            wins[me, you] = mine["wins"]
            alike[me, you] = max(1.0, mine["design_effect"] or 1.0)
    played = (wins + wins.T).sum(axis=1)
    found = rate(wins / alike, prior=EXACT_PRIOR if is_exact else PRIOR)
    return {
        "schema": SCHEMA,
        "ruleset": ruleset_to_json(setups[0].rules),
        "matches": None if is_exact else sum(_matches(report) for report in reports),
        "seed": None if is_exact else seed_to_json(setups[0].seed),
        "exact": is_exact,
        "seating": setups[0].seating,
        TABLES_FIELD: tables_of(names),
        "finished": len(reports) == len(setups) and all(report["finished"] for report in reports),
        "players": [
            {
                "player": name,
                "win_rate": float(wins[at].sum() / played[at]) if played[at] else None,
                "rating": round(float(found.rating[at]), 2),
                "rating_error": None if is_exact else round(float(found.error[at]), 2),
            }
            for at, name in enumerate(names)
        ],
        "table": table,
        "pairs": list(reports),
    }


def _matches(report: Document) -> int:
    matches = report["matches"]
    return matches if isinstance(matches, int) else 0
