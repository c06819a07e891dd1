"""What a decision of a program costs in ``mia simulate``, beside a bare round trip through pipes.

By hand:

    python tests/benchmarks/bench_programs.py

Everything shares one core: the program, and who asks it. A bare round trip sends the same bytes to
the same program, the events and the request in one write, and reads the reply, with nothing in
between but two system calls of Python. So the ratio is what protocol, deadline, rules, the other
seats' play and the counting cost on top; both are taken in turns, the best of several rounds. The
programs are those of the README, and one in C where there is a compiler.
"""

import os
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from mia_cli.players.bot.process import BotProcess
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.blocks import open_blocks
from mia_cli.simulate.setup import Setup
from tests.players.bot.bot_tables import BOTS, truthful

ROUNDS = 9


class Bare:
    """The round trips of a block, without mia."""

    def __init__(self, command, sent):
        self._sent = sent
        words = shlex.split(command)
        self._running = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )

    def play(self):
        to, of = self._running.stdin.fileno(), self._running.stdout.fileno()
        for lines in self._sent:
            os.write(to, lines)
            os.read(of, 4096)

    def close(self):
        self._running.communicate()


def sent_in(blocks, matches):
    """What the program is sent in a block, decision by decision."""
    sent, ask = [], BotProcess.ask

    def noting(process, lines, seconds):
        sent.append(lines)
        return ask(process, lines, seconds)

    BotProcess.ask = noting
    try:
        assert not blocks.play(0, matches).faults
    finally:
        BotProcess.ask = ask
    return sent


def seconds(play):
    started = time.perf_counter()
    play()
    return time.perf_counter() - started


def measured(players, lives, matches, command):
    """Seconds of a decision in a run, and bare."""
    setup = Setup(RuleSet(lives), players, seed=1, commands=(("x", command),))
    blocks = open_blocks(setup)
    try:
        sent = sent_in(blocks, matches)
        bare = Bare(command, sent)
        taken = [
            (seconds(lambda: blocks.play(0, matches)), seconds(bare.play)) for _ in range(ROUNDS)
        ]
        bare.close()
    finally:
        blocks.close()
    return [min(column) / len(sent) for column in zip(*taken, strict=True)]


def commands(folder):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler:
        path = Path(folder, "truthful")
        words = (compiler, "-O2", "-o", str(path), str(BOTS / "truthful.c"))
        subprocess.run(words, check=True)
        yield "C", str(path)
    yield "Python", truthful("py")
    yield "sh", truthful("sh")


def main():
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        for name, command in commands(folder):
            for players, lives, matches in (
                (("bot:x", "bot:x"), 3, 40),
                (("bot:x", "hard"), 3, 100),
                (("bot:x", *["hard"] * 5), 5, 40),
            ):
                run, bare = measured(players, lives, matches, command)
                table = f"{', '.join(players)}; {lives} lives, in {name}"
                costs = f"{1e6 * run:.0f} us a decision, bare {1e6 * bare:.0f} us"
                print(f"{table}: {costs}, ratio {run / bare:.1f}")


if __name__ == "__main__":
    main()
