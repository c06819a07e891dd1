"""How fast programs play in ``mia simulate``: decisions of a bot a second, all on one core.

By hand:

    python tests/benchmarks/bench_programs.py

The program and the simulator share the core. The bots are those of the README, which need a few
microseconds (Python) or some dozens (a shell) for a decision; the rest is the protocol, the pipe
between the two processes, and the match.
"""

import os
import time

from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.blocks import open_blocks
from mia_cli.simulate.setup import Setup
from tests.players.bot.bot_tables import truthful

ROUNDS = 5


def decisions(tally, player):
    """Claims of a player, and its answers."""
    return int(tally.claims()[player] + tally.events[:, player, :].sum())


def rate(players, lives, matches, suffix="py"):
    """Decisions of the bots a second, the best of several blocks."""
    setup = Setup(RuleSet(lives), players, seed=1, commands=(("x", truthful(suffix)),))
    blocks, best = open_blocks(setup), 0.0
    try:
        for number in range(ROUNDS):
            started = time.perf_counter()
            part = blocks.play(number * matches, matches)
            taken = time.perf_counter() - started
            assert not part.faults
            bots = [at for at, name in enumerate(players) if name == "bot:x"]
            asked = sum(decisions(part.tally, at) for at in bots)
            best = max(best, asked / taken)
    finally:
        blocks.close()
    return best


def main():
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for players, lives, matches in (
        (("bot:x", "hard"), 3, 150),
        (("bot:x", "bot:x"), 3, 100),
        (("bot:x", *["hard"] * 5), 5, 40),
        (("bot:x",) * 6, 5, 10),
    ):
        names = ", ".join(players)
        for suffix in ("py", "sh"):
            found = rate(players, lives, matches, suffix)
            print(f"{names}; {lives} lives, bot.{suffix}: {found:,.0f} decisions/s")


if __name__ == "__main__":
    main()
