"""One stage of the solved game as a Gambit game, for other programs to check.

The format is the extensive form file of Gambit, version 2 (McKelvey, McLennan and Turocy,
"Gambit: software tools for game theory", appendix "The extensive game (.efg) file format"), which
OpenSpiel reads as well. Chance rolls, the first player claims, the next living one answers, and
what follows is worth what the solution says: the leaves hold each player's chance to win the match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from mia_cli.engine.policy import position
from mia_cli.rules.rolls import OUTCOMES, ROLLS, Claim, claims_above
from mia_cli.theory.rule_arrays import Floats, require_lives, require_standing
from mia_cli.theory.solution import Solution


def extensive_form(solution: Solution, lives: Sequence[int], above: Claim | None = None) -> str:
    """The stage in which the first of ``lives`` rolls and has to beat ``above``, as a text.

    ``lives`` in playing order from the roller; so are the players, and the payoffs, which are
    chances to win and sum to 1. A roll is an information set of the first player, a claim one of
    the player who answers, each numbered from 1, the lowest first. A claim of 21 ends the stage: it
    has to be challenged. Raises BadRuleSet as ``Solution`` does, ``bad_standing`` above 21.
    """
    seats = require_lives(lives)
    return "\n".join((_title(solution, seats, above), *_nodes(solution, seats, above), ""))


def _title(solution: Solution, lives: Sequence[int], above: Claim | None) -> str:
    known = f"lives {','.join(map(str, lives))}, 21 costs {solution.penalty_21}"
    beat = "any claim" if above is None else f"a claim above {above.name}"
    players = (f"Seat {seat}" for seat in range(1, len(lives) + 1))
    return f'EFG 2 R "Mia: {known}; {beat}" {_braced(map(_quoted, players))}'


def _nodes(solution: Solution, lives: Sequence[int], above: Claim | None) -> Iterator[str]:
    """The nodes in depth-first order, a line each."""
    standing = require_standing(position(above))
    ahead, _ = solution.stages(np.array([solution.state(tuple(lives))]), standing)
    answering = next(seat for seat, left in enumerate(lives[1:], start=2) if left)
    legal = claims_above(above)
    leaf = 0

    def end(worth: Floats, claim: Claim) -> str:
        nonlocal leaf
        leaf += 1
        return f't "" {leaf} "" {_braced(_payoffs(lives, worth[claim.position - 1, :, 0]))}'

    ways = (f'"{roll.name}" {roll.ways}/{OUTCOMES}' for roll in ROLLS)
    yield f'c "" 1 "dice" {_braced(ways)} 0'
    claims = _braced(_quoted(claim.name) for claim in legal)
    for roll in ROLLS:
        yield f'p "" 1 {roll.position} "roll {roll.name}" {claims} 0'
        for claim in legal:
            shown = ahead.held if roll.supports(claim) else ahead.caught
            if not claim.must_be_challenged:
                name = f'"claim {claim.name}" {{ "accept" "challenge" }}'
                yield f'p "" {answering} {claim.position - standing} {name} 0'
                yield end(ahead.accepted, claim)
            yield end(shown, claim)


def _payoffs(lives: Sequence[int], worth: Floats) -> Iterator[str]:
    """Chances of all seats, 0 for those out, as decimals that read back as the same numbers."""
    of_living = iter(worth.tolist())
    for left in lives:
        yield np.format_float_positional(next(of_living) if left else 0.0, trim="-")


def _quoted(text: str) -> str:
    return f'"{text}"'


def _braced(parts: Iterable[str]) -> str:
    return f"{{ {' '.join(parts)} }}"
