"""Speed of ``mia simulate`` as a ratio to a simulator in C, what limits it, scaling and memory.

By hand, with a C compiler and the source of the C simulator (a program that is called with
``plain POLICIES LIVES MATCHES SEED`` and prints ``games/s=``, T being an honest player and U a
careless one, as below):

    python tests/benchmarks/bench_simulate.py mia_sim.c [--long]

Ratios are taken side by side, best of several, so that they mean the same on every machine.
``--long`` adds the memory of 10^8 matches.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mia_cli.engine.policy import build
from mia_cli.players.names import FIXED
from mia_cli.players.registry import strategies
from mia_cli.rules.rolls import OUTCOMES, claims_above, ways_at_least
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.exact import exact
from mia_cli.simulate.lockstep import kernel as kernel_module
from mia_cli.simulate.lockstep.kernel import Kernel
from mia_cli.simulate.seating import seatings
from mia_cli.simulate.setup import Setup

ROUNDS = 5
STAGES = ("_roll", "_claim", "_answer", "_follow", "_finish", "_find_tables")
MIA = (
    sys.executable,
    "-c",
    "import mia_cli.cli.simulate.command; from mia_cli.__main__ import main; main()",
)


def honest():
    def weights(standing, roll):
        truth = [float(claim.position == roll.position) for claim in claims_above(standing)]
        return truth if any(truth) else [1.0, *truth[1:]]

    return build(weights, lambda _, claim: 1 - ways_at_least(claim) / OUTCOMES)


def careless():
    return build(lambda standing, _: [1.0] * len(claims_above(standing)), lambda *_: 0.5)


def c_speed(program, names, lives, matches):
    out = subprocess.run(
        (program, "plain", names, str(lives), str(matches), "1"),
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return float(re.search(r"games/s=(\S+)", out)[1])


def ratios(program):
    players = {"T": honest(), "U": careless()}
    for names, lives, matches in (("TT", 3, 1 << 17), ("UU", 3, 1 << 17), ("TTTTTT", 5, 1 << 15)):
        seats = [players[name] for name in names]
        kernel = Kernel(RuleSet(lives, 1), seats, seatings(len(seats), "rotate"), 1)
        found = {True: 0.0, False: 0.0}
        in_c = 0.0
        for _ in range(ROUNDS):
            in_c = max(in_c, c_speed(program, names, lives, 4 * matches))
            for statistics in (False, True):
                started = time.process_time()
                kernel.play(0, matches, statistics=statistics)
                speed = matches / (time.process_time() - started)
                found[statistics] = max(found[statistics], speed)
        print(f"{names}, {lives} lives: C {in_c:,.0f} matches/s")
        for statistics, speed in found.items():
            what = "all statistics" if statistics else "wins only"
            print(f"  {what:14} {speed:12,.0f} matches/s, ratio {speed / in_c:.2f}")
    limits(kernel, 1 << 15, names)
    seats = [players[name] for name in "TT"]
    limits(Kernel(RuleSet(3, 1), seats, seatings(2, "rotate"), 1), 1 << 17, "TT")


def limits(kernel, matches, names):
    """Where the time of a turn goes, stage by stage."""
    block = kernel_module._Block
    spent = dict.fromkeys(STAGES, 0.0)
    plain = {name: getattr(block, name) for name in STAGES}

    def timed(name):
        def stage(self, *args):
            started = time.perf_counter()
            plain[name](self, *args)
            spent[name] += time.perf_counter() - started

        return stage

    for name in STAGES:
        setattr(block, name, timed(name))
    try:
        turns = kernel.play(0, matches).turns
    finally:
        for name in STAGES:
            setattr(block, name, plain[name])
    parts = ", ".join(f"{name[1:]} {1e9 * s / turns:.1f}" for name, s in spent.items())
    print(f"{names}: ns a turn by stage: {parts}")
    print(
        "  What limits it: some 55 array operations a turn, each a pass over the slots. The two"
        " hashes of random words\n  are 18 of them (roll and claim); eight look-ups in tables cost"
        " 1.5 to 2.5 ns each. C does all of it in registers."
    )


def command(*args):
    started = time.monotonic()
    out = subprocess.run((*MIA, "simulate", *args, "--json"), check=True, capture_output=True)
    return time.monotonic() - started, json.loads(out.stdout)


def of_two(program):
    """How much faster two processes are here at all: the machine may have other work to do."""
    run = (program, "plain", "TT", "3", str(1 << 24), "1")
    started = time.monotonic()
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    alone = time.monotonic() - started
    started = time.monotonic()
    both = [subprocess.Popen(run, stdout=subprocess.DEVNULL) for _ in range(2)]
    for process in both:
        process.wait()
    return 2 * alone / (time.monotonic() - started)


def scaling(program):
    args = ("--cpu", "normal", "--cpu", "hard", "-n", "12000000", "--seed", "1")
    possible = of_two(program)
    times = {jobs: min(command(*args, "--jobs", jobs)[0] for _ in range(3)) for jobs in "12"}
    print(
        f"12,000,000 matches, start to end: 1 job {times['1']:.2f} s, 2 jobs {times['2']:.2f} s,"
        f" {times['1'] / times['2']:.2f} times as fast; two C programs side by side here: "
        f"{possible:.2f} times"
    )


def agreement():
    rules = RuleSet(3, 1)
    print("win rate of the first, sampled (4,000,000 matches) and exact, in standard errors apart:")
    for level in FIXED[1:]:
        setup = Setup(rules, (FIXED[0], level), seed=1)
        players = strategies(setup.players, rules)
        tally = Kernel(rules, players, setup.seatings, 1).play(0, 4_000_000)
        _, won = tally.by_distance(setup.seatings)
        rate, truth = won[0].sum() / tally.matches, exact(setup).win[0]
        apart = (rate - truth) / (truth * (1 - truth) / tally.matches) ** 0.5
        print(f"  {FIXED[0]} against {level}: {rate:.5f}  {truth:.5f}  {apart:+.2f}")


def memory():
    script = (
        "import resource, sys\ntry:\n    exec(sys.argv.pop(1))\nfinally:\n    print(resource."
        "getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)"
    )
    args = ("simulate", "--cpu", "normal", "--cpu", "hard", "-n", "100000000", "--jobs", "1")
    started = time.monotonic()
    found = subprocess.run(
        (sys.executable, "-c", script, MIA[2], *args), check=True, capture_output=True, text=True
    )
    took = time.monotonic() - started
    print(f"100,000,000 matches: {found.stderr.split()[-1]} MiB at most, {took:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", help="the C simulator")
    parser.add_argument("--long", action="store_true", help="also 10^8 matches")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder, "mia_sim"))
        build_it = ("gcc", "-O3", "-march=native", "-o", program, options.source, "-lm")
        subprocess.run(build_it, check=True)
        ratios(program)
        scaling(program)
    agreement()
    if options.long:
        memory()


if __name__ == "__main__":
    main()
