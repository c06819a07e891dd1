"""A careless opponent, assumed only where an equilibrium leaves a choice.

Many equilibria are equally good against one another, but not against people. Among them the
solver prefers the one that costs this opponent more. It is a mixture of plain habits: as roller it
tells the truth when that is allowed, otherwise bluffs by the smallest step or by any step, and now
and then claims anything; when answering it challenges by the odds of the claim, some of the time
given that the roll should have beaten the standing claim.

Arrays are [21 standings, 21 claims].
"""

from __future__ import annotations

from functools import cache

import numpy as np

from mia_cli.rules.rolls import CLAIMS, OUTCOMES, ways_at_least, ways_to_beat
from mia_cli.theory.rounds import claim_masses
from mia_cli.theory.rule_arrays import FORCED, LEGAL, STANDINGS, SUPPORTS, Floats

SMALLEST, ANY_BLUFF, ANYTHING = 0.5, 0.25, 0.25
"""How often: truth else the smallest bluff; truth else any legal claim; any legal claim."""


@cache
def claims() -> tuple[Floats, Floats]:
    """Masses of true and of false claims of the careless roller."""
    shape = (len(LEGAL), *SUPPORTS.shape)
    legal = np.broadcast_to(LEGAL[:, None, :], shape)
    truth = np.eye(len(FORCED)) * legal
    uniform = legal / legal.sum(axis=-1, keepdims=True)
    lowest = np.broadcast_to(np.eye(len(FORCED))[LEGAL.argmax(axis=1)][:, None, :], shape)
    can = truth.sum(axis=-1, keepdims=True)
    mixed = (
        SMALLEST * (truth + (1.0 - can) * lowest)
        + ANY_BLUFF * (truth + (1.0 - can) * uniform)
        + ANYTHING * uniform
    )
    return claim_masses(mixed)


@cache
def challenges() -> Floats:
    """Chance that the careless answering seat challenges."""
    holds = np.array([ways_at_least(claim) / OUTCOMES for claim in CLAIMS])
    beats = np.array([ways_to_beat(above) / OUTCOMES for above in STANDINGS])
    given = np.minimum(holds / beats[:, None], 1.0)
    return np.where(FORCED, 1.0, 1.0 - (holds + given) / 2.0)
