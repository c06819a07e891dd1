"""Prints times, memory, gains and results of the solved game; run by hand.

Run with ``taskset -c 0`` (or the like) to measure on one core.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

START = time.perf_counter()

from mia_cli.engine.policy import build  # noqa: E402
from mia_cli.players import levels  # noqa: E402
from mia_cli.players.habits import HABITS  # noqa: E402
from mia_cli.rules.rolls import claims_above, ways_at_least, ways_to_beat  # noqa: E402
from mia_cli.rules.ruleset import RuleSet  # noqa: E402
from mia_cli.theory import ceiling, evaluate, max_gain, solve  # noqa: E402
from mia_cli.theory.solver import proven_solution  # noqa: E402

IMPORTED = time.perf_counter() - START


def peak():
    """Peak memory of this process so far, in MB."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (2**20 if sys.platform == "darwin" else 2**10)


def times():
    """Solving and proving tables of several sizes."""
    print(f"imports {IMPORTED:.3f} s")
    print("players lives penalty   solve      gain     largest gain   peak MB")
    for size in ((2, 3, 1), (2, 3, 2), (2, 5, 1), (3, 5, 1), (4, 5, 1), (4, 5, 2), (6, 3, 1)):
        timed(size)
    both = sum(timed((6, 5, penalty)) for penalty in (1, 2))
    print(f"both penalties, 6 seats, 5 lives: {both:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        for what, goal in (("solved and proved", 5.0), ("both kept", 0.5)):
            start = time.process_time()
            proven_solution(6, 5, 1, cache_dir=Path(folder))
            used = time.process_time() - start
            print(f"6 seats, 5 lives, {what}: {used:.2f} s of a processor; goal {goal}")


def timed(size):
    start = time.perf_counter()
    solution = solve(*size)
    solved = time.perf_counter() - start
    start = time.perf_counter()
    gain = max_gain(solution)
    proved = time.perf_counter() - start
    players, lives, penalty = size
    print(f"{players:5d} {lives:6d} {penalty:6d}   {solved:7.3f} s {proved:7.3f} s", end="   ")
    print(f"{gain:.2e} {peak():11.0f}")
    return solved


def thumbs():
    """Rules of thumb: truth if possible, else a bluff; challenges by odds, odds given, a coin."""

    def smallest(legal):
        return [1.0] + [0.0] * (len(legal) - 1)

    def any_bluff(legal):
        return [1.0] * len(legal)

    def odds(standing, claim):
        return 1 - ways_at_least(claim) / 36

    def odds_given(standing, claim):
        return 1 - min(1.0, ways_at_least(claim) / ways_to_beat(standing))

    def coin(standing, claim):
        return 0.5

    for bluff in (smallest, any_bluff):
        for doubt in (odds, odds_given, coin):

            def claims(standing, roll, bluff=bluff):
                legal = claims_above(standing)
                truth = [float(claim.position == roll.position) for claim in legal]
                return truth if any(truth) else bluff(legal)

            yield f"{bluff.__name__} / {doubt.__name__}", build(claims, doubt)


def results():
    """What the solution wins at two seats with 3 lives, and what could be won at most."""
    solution = solve(2, 3, 1)
    print(f"\n{'against':<28} solution wins   ceiling    time of one ceiling")
    others = [(name, levels.policy(name, RuleSet())) for name in HABITS]
    for name, player in [*thumbs(), *others, ("the solution", solution)]:
        wins = evaluate([solution, player], 3, 1).wins[:, 0].mean()
        start = time.perf_counter()
        most = ceiling(player).value
        print(f"{name:<28} {wins:9.4f} {most:13.4f} {time.perf_counter() - start:12.3f} s")


if __name__ == "__main__":
    times()
    results()
