"""How far the shark may leave the solution: it risks what it has won, and a little to begin with.

The idea is Ganzfried and Sandholm's ("Safe opponent exploitation", 2015): leave the equilibrium
only as far as the opponent's gifts so far pay for. Here is how it is counted, and why it holds.

A *stage* is one hidden roll, one claim, one answer. ``V`` is the solved chance to win (two
seats: the value of the match from there). Before each stage in which it acts, the shark decides
from what it knows then, own roll and coming claim apart, whether it is *free* to leave the
solution. When the stage is over, the credit ``K`` changes by

- free, it answered: V after the stage less V before it;
- free, it rolled: V after the stage less the value of its roll if the next seat answers as
  solved. Over all rolls that has the mean V before the stage: the luck of its own dice is taken
  out, nothing else;
- not free: what the other seat *surely* gave away. If the shark rolled, the value of the answer
  that came, over the rolls with which the solution makes that claim, less that of the better
  answer. If it answered, the value of the claim made with that roll, against solved answers,
  less that of the best claim with that roll; the least of this over all rolls if the roll was
  not shown. This is never negative, and as an equilibrium makes the best of these V before the
  stage, its expectation is at most the expected rise of V.

The shark is free only where the worst outcome of what would be played leaves ``K >= 0``.

1. ``K`` starts at ``start`` and never falls below 0.
2. Let ``R`` be the sum of all changes of V over a series of matches: matches won, less what the
   solution would have won against itself. In every stage the expected change of R is at least
   that of K, whatever the opponent does.
3. So the expectation of R is at least that of K's changes, which is at least ``-start`` by the
   first point. Cutting K down to ``most`` only helps: it puts a gain aside.

Hence at two seats no opponent, also one that knows the shark's tables at each moment, or plays a
habit and then turns on it, takes more than ``start`` matches from it in a whole session: over 40
matches it wins at least 0.5 - 1/40 = 0.475 of them on average. Two things matter. Freedom must
not depend on the roll or on the claim to come: a solution that is played for some rolls only
protects nothing. And sure gifts keep an unlucky start from ending all learning: where nothing
can be risked, the solution's own small gains pay for the next attempt.

With three or more seats an equilibrium gives no such protection, and 2. is only what it would
be if the others played on as solved; the same rule is used there as a rule of thumb.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mia_cli.theory.rule_arrays import Bools, Floats


@dataclass(frozen=True, slots=True)
class RiskLimits:
    """All in matches (chance to win).

    ``start``: credit at the start of a session; ``most``: where further gains are put aside;
    ``least``: expected gain in a stage for which the solution is left. ``bound`` False switches the
    limit off, to measure what it costs.
    """

    start: float = 1.0
    most: float = 3.0
    least: float = 0.005
    bound: bool = True


class Credit:
    """What may still be lost: ``left``, never below 0 with the bound."""

    def __init__(self, limits: RiskLimits) -> None:
        self.limits = limits
        self.left = limits.start

    def pays(self, loss: Floats) -> Bools:
        """Which of these losses could be borne."""
        bearable: Bools = np.asarray(loss) <= (self.left if self.limits.bound else np.inf)
        return bearable

    def settle(self, change: float) -> None:
        """Add what a stage changed."""
        self.left = min(self.left + change, self.limits.most)
