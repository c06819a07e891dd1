"""Speed of ``mia simulate`` as ratios to a simulator in C, scaling and memory.

By hand, with a C compiler and the source of the C simulator (a program that is called with
``plain POLICIES LIVES MATCHES SEED`` and prints ``decisions/s=``, two for each turn):

    python tests/benchmarks/bench_simulate.py mia_sim.c [--long]

What is compared are turns (a roll, a claim, an answer) for each second of a processor: matches of
its players and of ours are not equally long. Both are measured by turns in one run, and a ratio is
the median of its rounds, so that it means the same on every machine. The C simulator is compiled
with -O3 -march=native. ``--long`` adds the memory of 10^8 matches.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mia_cli.players.registry import strategies
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.blocks import SMALL, KernelBlocks
from mia_cli.simulate.exact import exact
from mia_cli.simulate.lockstep.kernel import KernelGame, open_kernel
from mia_cli.simulate.lockstep.library import KERNELS, NUMPY, chosen_kernel
from mia_cli.simulate.setup import Setup

ROUNDS = 11
CASES = (
    (("easy", "normal"), 3, "TT", 0.9),
    (("hard", "hard"), 3, "TT", 0.9),
    (("expert", "expert"), 3, "TT", 0.9),
    (("easy", "normal", "hard") * 2, 5, "TTTTTT", 0.9),
)
"""Players, lives, the players of the C simulator, and the ratio that the compiled kernel shall
have."""
TURNS = 6_000_000
"""Of a measurement, about; a tenth for NumPy."""
LEVELS = ("easy", "normal", "hard", "expert")
MIA = (
    sys.executable,
    "-c",
    "import mia_cli.cli.simulate.command; from mia_cli.__main__ import main; main()",
)


def turns_in_c(program, names, lives, matches):
    """Turns for each second of a processor."""
    out = subprocess.run(
        (program, "plain", names, str(lives), str(matches), "1"),
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return float(re.search(r"decisions/s=(\S+)", out)[1]) / 2


def turns_here(kernel, matches):
    """The same of a kernel, all statistics included."""
    started = time.process_time()
    turns = kernel.play(0, matches).turns
    return turns / (time.process_time() - started)


def kernels():
    return KERNELS if chosen_kernel() != NUMPY else (NUMPY,)


def ratios(program):
    print("turns a second of a processor, all statistics, as a ratio to the simulator in C:")
    for players, lives, names, goal in CASES:
        setup = Setup(RuleSet(lives, 1), players, seed=1)
        game = KernelGame(setup.rules, strategies(players, setup.rules), setup.seatings, 1)
        made = {name: open_kernel(game, name) for name in kernels()}
        found = {name: [] for name in made}
        mean = made[NUMPY].play(0, 2000).turns / 2000
        matches = {name: int(TURNS / mean / (10 if name == NUMPY else 1)) for name in made}
        for name, kernel in made.items():
            kernel.play(0, matches[name])
        in_c = []
        for _ in range(ROUNDS):
            in_c.append(turns_in_c(program, names, lives, 2 * matches[NUMPY] * 5))
            for name, kernel in made.items():
                found[name].append(turns_here(kernel, matches[name]) / in_c[-1])
        shown = ", ".join(
            f"{name} {statistics.median(some):.2f} ({min(some):.2f} to {max(some):.2f})"
            for name, some in found.items()
        )
        what = f"{'/'.join(players)}, {lives} lives"
        print(f"  {what}: {shown}; goal {goal}; C {statistics.median(in_c) / 1e6:.0f} million")


def command(*args, **variables):
    """Seconds of the clock and of processors, and the report, of a whole command."""
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(
        (*MIA, "simulate", *args, "--json"),
        check=True,
        capture_output=True,
        env={**os.environ, **variables},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - started, busy, json.loads(out.stdout)


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
    args = ("--cpu", "normal", "--cpu", "hard", "-n", "60000000", "--seed", "1")
    possible, found = [], []
    for _ in range(3):
        possible.append(of_two(program))
        one, two = (command(*args, "--jobs", jobs)[:2] for jobs in "12")
        found.append((one[0] / two[0], two[1] / one[1], one[0]))
    ratio, more, seconds = (statistics.median(some) for some in zip(*found, strict=True))
    print(
        f"60,000,000 matches, start to end: 2 jobs {ratio:.2f} times as fast as 1 "
        f"({seconds:.1f} s), with {more:.2f} times the processor time; goal 1.9; two C programs "
        f"side by side here: {statistics.median(possible):.2f} times"
    )


def agreement():
    rules = RuleSet(3, 1)
    print("win rate of the first, sampled (4,000,000 matches) and exact, in standard errors apart:")
    for level in LEVELS[1:]:
        setup = Setup(rules, (LEVELS[0], level), seed=1)
        game = KernelGame(rules, strategies(setup.players, rules), setup.seatings, 1)
        tally = open_kernel(game).play(0, 4_000_000)
        _, won = tally.by_distance(setup.seatings)
        rate, truth = won[0].sum() / tally.matches, exact(setup).wins[0]
        apart = (rate - truth) / (truth * (1 - truth) / tally.matches) ** 0.5
        print(f"  {LEVELS[0]} against {level}: {rate:.5f}  {truth:.5f}  {apart:+.2f}")


def logs():
    """Lines of a log, as a ratio to encoding the same documents as JSON."""
    setup = Setup(RuleSet(3, 1), ("easy", "hard"), seed=1)
    for name in kernels():
        blocks, found = KernelBlocks(setup, name, logged=True), []
        blocks.play(0, SMALL)
        documents = [json.loads(line) for line in blocks.play(0, 1024).log.splitlines()]
        for number in range(ROUNDS):
            started = time.process_time()
            for block in range(64):
                blocks.play((64 * number + block) * SMALL, SMALL)
            rate = 64 * SMALL / (time.process_time() - started)
            started = time.process_time()
            for document in documents:
                json.dumps(document)
            found.append((rate, rate / len(documents) * (time.process_time() - started)))
        rate, ratio = (statistics.median(some) for some in zip(*found, strict=True))
        print(
            f"log, {name}: {rate:,.0f} lines a second of a processor, {ratio:.1f} times as fast as "
            "json.dumps of the documents; goal 20,000"
        )


def memory(sizes):
    """The most memory of a whole command; what a process inherits does not count."""
    script = (
        "import sys\ntry:\n    exec(sys.argv.pop(1))\nfinally:\n"
        "    status = open('/proc/self/status').read()\n"
        "    print(status.split('VmHWM:')[1].split()[0], file=sys.stderr)"
    )
    for kernel in kernels():
        for matches in sizes if kernel != NUMPY else sizes[:1]:
            args = ("simulate", "--cpu", "normal", "--cpu", "hard", "--jobs", "1", "-n")
            started = time.monotonic()
            found = subprocess.run(
                (sys.executable, "-c", script, MIA[2], *args, str(matches)),
                check=True,
                capture_output=True,
                text=True,
                env={**os.environ, "MIA_KERNEL": kernel},
            )
            took = time.monotonic() - started
            most = int(found.stderr.split()[-1]) / 1024
            print(f"{matches:,} matches, {kernel}: {most:.0f} MiB at most, {took:.1f} s; goal 45")


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
    logs()
    agreement()
    memory((10**5, 10**8) if options.long else (10**5,))


if __name__ == "__main__":
    main()
