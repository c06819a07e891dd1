"""Prints strength, safety, ablations, larger tables and costs of the shark; run by hand.

``python -m tests.benchmarks.bench_shark [part ...]``, some of strength, safety, ablations,
tables, cost. All: some minutes.
"""

import sys
import time
import tracemalloc

import numpy as np

from mia_cli.engine.driver import SeededDice, Table, next_action
from mia_cli.engine.policy import Policy, PolicyPlayer
from mia_cli.engine.seed import Stream
from mia_cli.players import levels
from mia_cli.players.habits import HABITS
from mia_cli.players.shark.model import LearningSettings
from mia_cli.players.shark.player import Shark, make_shark
from mia_cli.players.shark.risk import RiskLimits
from mia_cli.rules.events import seen_by
from mia_cli.rules.match import start
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import best_response_values, evaluate, solve
from tests.players.shark.holdouts import holdouts
from tests.players.shark.sessions import Session, adversary, fixed
from tests.theory.habits import T

EARLY, LATE = (0, 2, 4, 6, 8), (20, 23, 26, 29, 32, 35, 38)
SOLUTION = solve(2, 3, 1)


def worth(player, seeds, **options):
    """Mean exact win chance in the first ten matches and in matches 21 to 40, lowest of those."""
    early, late = [], []
    for seed in seeds:
        session = Session(SOLUTION, seed, Shark(SOLUTION, **options))
        for match in range(40):
            if match in EARLY or match in LATE:
                (early if match in EARLY else late).append(session.worth(player))
            session.play(fixed(player))
    return np.mean(early), np.mean(late), min(late)


def against_all(players, seeds, show, **options):
    shares, lowest = [], 1.0
    for name, player in players.items():
        best = best_response_values([None, player], 3, 1).mean() - 0.5
        early, late, least = worth(player, seeds, **options)
        shares.append(((early - 0.5) / best, (late - 0.5) / best))
        lowest = min(lowest, least)
        if show:
            print(f"{name:<32} {0.5 + best:.3f} {early:8.3f} {shares[-1][0]:5.2f}", end="")
            print(f" {late:9.3f} {shares[-1][1]:5.2f} {least:9.3f}", flush=True)
    first, last = np.mean(shares, axis=0)
    return first, last, lowest


def strength():
    print("held-out habits: win chance and its share of what a best response wins above 1/2")
    print(f"{'habit':<32}  best  first ten       matches 21-40      lowest")
    first, last, lowest = against_all(holdouts(), range(3), show=True)
    print(f"mean share {first:.3f} in the first ten, {last:.3f} in 21-40; lowest {lowest:.3f}")
    named = {level: levels.policy(level, RuleSet()) for level in HABITS}
    against_all(named, range(3), show=True)


def safety():
    print("sessions of 40, expected results, luck taken out")
    print("opponent                          mean  +-      worst session  by tens")
    knows = adversary(Session(SOLUTION, 0).solutions)
    report("expert", lambda match: fixed(SOLUTION), 12)
    report("knows the tables, answers best", lambda match: knows, 12)
    for name, player in (("T", T), *((key, holdouts()[key]) for key in ("coin", "humble"))):
        habit = fixed(player)
        report(f"{name} for ten, then best", lambda match, h=habit: h if match < 10 else knows, 4)


def report(name, opponent, sessions, **options):
    gains, least = [], 9.0
    for seed in range(sessions):
        session = Session(SOLUTION, seed, Shark(SOLUTION, **options))
        for match in range(40):
            session.play(opponent(match))
        gains.append(session.gains)
        least = min(least, *session.credits)
    each = 0.5 + np.mean(gains, axis=1)
    tens = 0.5 + np.reshape(gains, (sessions, 4, 10)).mean(axis=(0, 2))
    error = each.std() / np.sqrt(sessions)
    print(f"{name:<32} {each.mean():.4f} {error:.4f} {each.min():10.4f}", end="      ")
    print(*(f"{mean:.3f}" for mean in tens), f" least credit {least:.3f}", flush=True)


def ablations():
    knows = adversary(Session(SOLUTION, 0).solutions)
    cases = {
        "the shark": {},
        "without the answers' model": {"settings": LearningSettings(answers_known=False)},
        "without the claims' model": {"settings": LearningSettings(claims_known=False)},
        "without the bound on risk": {"limits": RiskLimits(bound=False)},
    }
    print("                              first ten  21-40  lowest; against who knows its tables")
    for name, options in cases.items():
        first, last, lowest = against_all(holdouts(), (7,), show=False, **options)
        print(f"{name:<30} {first:.3f}     {last:.3f}  {lowest:.3f}", end="  ")
        report("", lambda match: knows, 3, **options)


def tables():
    print("three and four seats, 3 lives: wins of the first seat, leaders in turn")
    rules = RuleSet()
    normal, hard = (levels.policy(level, rules) for level in ("normal", "hard"))
    some = [player for player in holdouts().values() if isinstance(player, Policy)]
    rows = [[normal, hard], [T, some[0]], [some[3], some[5]], [some[9], some[6]], [hard, hard]]
    rows += [[normal, hard, T], [some[0], some[4], some[8]], [hard, normal, some[2]]]
    for others in rows:
        seats = len(others) + 1
        solution = solve(seats, 3, 1)
        expert = evaluate([solution, *others], 3, 1).wins[:, 0].mean()
        won = [wins for seed in range(3) for wins in sampled(solution, others, seed)]
        error = np.std(won) / np.sqrt(len(won))
        print(
            f"{seats} seats: expert {expert:.3f} (exact)  shark {np.mean(won):.3f} +- {error:.3f}"
        )


def sampled(solution, others, seed, matches=40):
    seats = len(others) + 1
    shark = make_shark(RuleSet(), seats, solution)
    players = [shark, *(PolicyPlayer(other) for other in others)]
    for number in range(matches):
        key = seed * 1000 + number
        table = Table(*start(RuleSet(), seats, 1 + number % seats))
        streams = [Stream(key, f"seat {seat}") for seat in range(1, seats + 1)]
        while table.match.phase != "over":
            table.step(next_action(table, players, SeededDice(key), streams))
        shark.end_match(table.events)
        yield table.match.winner == 1


class Timed:
    """Takes the time of every decision."""

    def __init__(self, player):
        self.player, self.times = player, []

    def claim(self, seen, uniform):
        return self._time(self.player.claim, seen, uniform)

    def answer(self, seen, uniform):
        return self._time(self.player.answer, seen, uniform)

    def _time(self, decide, seen, uniform):
        begun = time.perf_counter()
        decision = decide(seen, uniform)
        self.times.append(time.perf_counter() - begun)
        return decision


def cost():
    for seats, lives in ((2, 3), (2, 5), (4, 3), (6, 3), (6, 5)):
        rules = RuleSet(lives)
        solution = solve(seats, lives, 1)
        timed = Timed(make_shark(rules, seats, solution))
        _some_matches(timed, rules, seats)
        tracemalloc.start()
        _some_matches(Timed(make_shark(rules, seats, solution)), rules, seats)
        memory = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        times = 1000 * np.array(timed.times)
        print(f"{seats} seats, {lives} lives: first decision {times[0]:.0f} ms,", end=" ")
        print(
            f"others mean {times[1:].mean():.1f} ms, 99 % {np.quantile(times[1:], 0.99):.1f} ms,",
            end=" ",
        )
        print(f"most {times[1:].max():.1f} ms; {memory:.1f} MB at most", flush=True)


def _some_matches(timed, rules, seats, matches=6):
    others = [PolicyPlayer(levels.policy("normal", rules))] * (seats - 1)
    for number in range(matches):
        table = Table(*start(rules, seats, 1))
        streams = [Stream(number, f"seat {seat}") for seat in range(1, seats + 1)]
        while table.match.phase != "over":
            table.step(next_action(table, [timed, *others], SeededDice(number), streams))
        timed.player.end_match([seen_by(event, 1) for event in table.events])


PARTS = {part.__name__: part for part in (strength, safety, ablations, tables, cost)}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or PARTS:
        PARTS[chosen]()
