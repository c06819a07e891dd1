"""Breaks the program at every place where it writes, and counts what was lost: nothing may be.

    python -m tests.harness.faults                  two minutes, as in CI
    python -m tests.harness.faults --seconds 3600   an hour, by hand

Faults: one system call that fails, at every call of a command in turn (LD_PRELOAD, see
``faults.c``; without a C compiler by an audit hook of Python); a full disk; kill -9
before, in the middle of and after a call, and at random moments; a lock that is never given. Each
trial starts from a copy of a folder with matches in it, lets the program be broken, and looks at
what is left. The program runs in forks of this process. Exit code 1, and what was lost, where
something was.
"""

import argparse
import contextlib
import errno
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from mia_cli.files.locks import locked_folder
from mia_cli.rules.errors import MiaError
from tests.harness.bench import HUNG, Bench, Ended
from tests.harness.forked import import_everything
from tests.harness.losses import (
    TYPED,
    lost_in_drill,
    lost_in_lessons,
    lost_in_play,
    outcome,
    same_when_run_again,
)

HERE = Path(__file__).parent
PRELOADED, CLUSTER = "HARNESS_PRELOADED", "HARNESS_CLUSTER"
MEMORY = "/dev/shm"
KILL, HALF = 0, 1000
FULL = -errno.ENOSPC
MOST_CALLS = 600
ERRNOS = (errno.EIO, errno.EACCES, errno.ENOSPC)
PLAY = "play --json --players 2 --cpu easy --lives 2 --first 1"
DUEL = "simulate --cpu easy --cpu hard --seed 5 --json"
RUN = "--log {home}/log.jsonl --resume {home}/run.json"


@dataclass(frozen=True)
class Trial:
    """A command, and what tells after a fault that something was lost (None: nothing).

    ``told``: all of stdout before the fault. ``whole``: what a run without faults left behind.
    """

    name: str
    words: str
    lost: Callable[[Bench, Path, Ended, dict[str, str]], str | None]
    typed: str = ""


def trials() -> Iterator[Trial]:
    """Every command that writes."""
    yield Trial("play", f"{PLAY} --seed 5", lost_in_play, TYPED)
    yield Trial("tutorial", "tutorial --lesson 2 --seed 1", lost_in_lessons, "a\nb\n21\n" * 9)
    yield Trial("practice", "practice --json -n 4", lost_in_drill, "c\n21\n" * 9)
    for jobs in (1, 2, 3):
        words = f"{DUEL} -n 60 --jobs {jobs} {RUN}"
        yield Trial(f"simulate, jobs {jobs}", words, same_when_run_again(words))
    yield Trial("stats with its index", "stats --json", same_when_run_again("stats --json"))
    words = "stats --import {home}/other.jsonl"
    yield Trial("import", words, same_when_run_again(words))
    words = "stats --export {home}/out.jsonl --force"
    yield Trial("export", words, same_when_run_again(words))


def template(bench: Bench) -> Path:
    """A home with matches, a finished lesson, a practice record, and a file to import."""
    home = bench.folder / "template"
    (home / "data").mkdir(parents=True)
    clean = Bench(bench.folder)
    for seed in range(1, 7):
        clean.run(f"{PLAY} --seed {seed}", home, TYPED)
    clean.run("stats --export {home}/other.jsonl", home)
    for path in list((home / "data/matches").glob("*.json"))[:3]:
        path.unlink()
    clean.run("tutorial --lesson 1 --seed 1", home, "55\n44\n21\n31\nm\na\n" * 40)
    listed = clean.run("tutorial --list --json", home).out
    progress = home / "data/tutorial/progress.json"
    if progress.exists() and '"id": "rolls", "title"' in listed:
        document = json.loads(progress.read_text("utf-8"))
        document["lessons"] = [{**document["lessons"][0], "lesson": "rolls", "done": True}]
        progress.write_text(json.dumps(document))
    return home


def judge(bench: Bench, trial: Trial, kind: str, home: Path, left: tuple) -> None:
    """Count a trial, and what it lost. ``left``: how it ended, and what it is held against."""
    ended, whole = left
    bench.counts[f"{trial.name}: {kind}"] += 1
    killed = ended.code == -signal.SIGKILL
    try:
        found = trial.lost(bench, home, ended, whole)
    except MiaError as error:
        found = f"a damaged record: {error.code} {error.fields}"
    if not killed and ended.code not in (0, 1, 2, 3, 4, 130):
        found = found or f"exit {ended.code}: {ended.err[-300:]}"
    if "Traceback" in ended.err and "sitecustomize" not in ended.err:
        found = found or f"a traceback: {ended.err[-300:]}"
    if found:
        bench.lost.append(f"{trial.name}: {kind}: {found}")
    shutil.rmtree(home, ignore_errors=True)


def before(trial: Trial, bench: Bench, source: Path) -> dict[str, str]:
    """What the trial is held against: the records before a match, or the answer of a whole run."""
    home = bench.home(source)
    if trial.lost in (lost_in_play, lost_in_drill, lost_in_lessons):
        return outcome(Ended(0, "", ""), home)
    return outcome(Bench(bench.folder).run(trial.words, home, trial.typed), home)


def at_calls(bench: Bench, trial: Trial, source: Path, whole, random: Random) -> Iterator[None]:
    """A fault at every call, in any order; where a command has ended before, it has no such."""
    calls, most = list(range(1, MOST_CALLS)), MOST_CALLS
    random.shuffle(calls)
    for at in calls:
        for kind, do in (
            ("a call fails", random.choice(ERRNOS)),
            ("the disk is full", FULL),
            ("killed before a call", KILL),
            ("killed within a call", HALF),
        ):
            if at >= most:
                break
            home = bench.home(source)
            ended = bench.run(trial.words, home, trial.typed, at=at, do=do)
            if ended.fault:
                judge(bench, trial, kind, home, (ended, whole))
            else:
                most = at if kind == "a call fails" else most  # later kinds may end it earlier
                shutil.rmtree(home)
            yield


def at_moments(bench: Bench, trial: Trial, source: Path, whole, random: Random) -> Iterator[None]:
    """Kills at random moments, and a lock that another process has and never gives."""
    home, begun = bench.home(source), time.monotonic()
    Bench(bench.folder).run(trial.words, home, trial.typed)
    lasts = time.monotonic() - begun
    shutil.rmtree(home)
    for number in range(10**6):
        home = bench.home(source)
        if number % 8 == 7:
            with contextlib.ExitStack() as locks:
                for place in (home, *filter(Path.is_dir, home.rglob("*"))):
                    locks.enter_context(locked_folder(place))
                ended = bench.run(trial.words, home, trial.typed)
            judge(bench, trial, "a lock is never given", home, (ended, whole))
        else:
            process = bench.start(trial.words, home, trial.typed)
            time.sleep(random.uniform(0.0, lasts))
            process.kill()
            out, err = process.told()
            ended = Ended(-signal.SIGKILL, out, err)
            judge(bench, trial, "killed at a moment", home, (ended, whole))
        yield


def compiled(folder: Path) -> Path | None:
    """The shim, where there is a C compiler."""
    shim, compiler = folder / "faults.so", os.environ.get("CC", "cc")
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(shim), str(HERE / "faults.c"), "-ldl"]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return shim


def on_a_cluster(bench: Bench, source: Path, machines, random: Random) -> Iterator[None]:
    """A worker of a cluster dies in the middle of a run, or the program that asked for the run."""
    words = f"{DUEL} -n 3000 {RUN}"
    alone = Trial("Dask", words, same_when_run_again(words))
    whole = before(alone, bench, source)
    trial = replace(alone, words=f"{words} --dask {machines.address}")
    while True:
        for kind in ("a worker is killed", "killed at a moment"):
            machines.workers(2)
            home = bench.home(source)
            process = bench.start(trial.words, home)
            # Connecting takes most of the time: the moment is one after that.
            while process.ended(0.001) is None and not (home / "log.jsonl").exists():
                pass
            ended = process.ended(random.uniform(0.0, 1.0))
            if ended is not None:
                shutil.rmtree(home)
                continue
            if kind == "a worker is killed":
                machines.kill(machines.workers(2)[0])
                code = process.ended(HUNG)
            else:
                process.kill()
                code = process.ended(0.0)
            out, err = process.told()
            judge(
                bench, trial, kind, home, (Ended(-999 if code is None else code, out, err), whole)
            )
            yield


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A new folder, in memory where there is such a place: a disk would only take its time.

    One that ``tempfile`` removes would be removed by every fork that ends.
    """
    place = Path(tempfile.mkdtemp(dir=MEMORY if os.access(MEMORY, os.W_OK) else None)).resolve()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextlib.contextmanager
def cluster(only: str) -> Iterator[object]:
    """The machines of a cluster, where Dask is installed and asked for; else None."""
    is_asked_for = os.environ[CLUSTER] == "1" and "Dask".startswith(only)
    if not is_asked_for or importlib.util.find_spec("distributed") is None:
        yield None
        return
    from tests.simulate.workers.machines import started

    with folder() as place, started(place) as machines:
        yield machines


def main() -> int:
    """Run the trials in turn for a time, in some processes; print counts and what was lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=1, help="of the moments, and of the order")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="trials whose name begins so")
    parser.add_argument("--plant", default="", choices=["", "not atomic", "log cut in the middle"])
    parser.add_argument("--python", action="store_true", help="no shim, even with a compiler")
    options = parser.parse_args()
    if PRELOADED in os.environ:
        return preloaded(options)
    with tempfile.TemporaryDirectory() as place:
        shim = None if options.python else compiled(Path(place))
        environ = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        environ |= {"LD_PRELOAD": str(shim)} if shim else {}
        running = []
        for number in range(options.jobs):
            words = [*sys.argv[1:], "--seed", str(options.seed + number)]
            again = [sys.executable, "-m", "tests.harness.faults", *words]
            told = {PRELOADED: "1" if shim else "", CLUSTER: "" if number else "1"}
            running.append(subprocess.Popen(again, env=environ | told, stdout=subprocess.PIPE))
        found = [json.loads(it.communicate()[0]) for it in running]
    counts = sum((Counter(it["counts"]) for it in found), Counter())
    lost = [line for it in found for line in it["lost"]]
    for name, count in sorted(counts.items()):
        print(f"{count:6}  {name}")
    means = "system calls (LD_PRELOAD)" if shim else "calls of Python (audit hook)"
    print(f"{counts.total():6}  trials by {means}; lost: {len(lost) or 'nothing'}")
    for line in lost[:20]:
        print(f"LOST  {line}")
    return 1 if lost else 0


def preloaded(options: argparse.Namespace) -> int:
    """One of the processes: prints what it found as JSON. The shim, if any, is loaded."""
    import_everything()
    with folder() as place, cluster(options.only) as machines:
        bench = Bench(place, os.environ[PRELOADED] == "1", options.plant)
        attempt(bench, machines, options)
        print(json.dumps({"counts": bench.counts, "lost": bench.lost}))
    return 0


def attempt(bench: Bench, machines, options: argparse.Namespace) -> None:
    """All trials that are asked for, in turn, until the time is over."""
    random, source = Random(options.seed), template(bench)
    end = time.monotonic() + options.seconds
    running = []
    for trial in trials():
        if trial.name.startswith(options.only):
            whole = before(trial, bench, source)
            for way in (at_calls, at_moments):
                running.append(way(bench, trial, source, whole, random))
    if machines is not None:
        running.append(on_a_cluster(bench, source, machines, random))
    while running and time.monotonic() < end and not (options.plant and bench.lost):
        random.shuffle(running)  # all commands get their share of the time
        running = [way for way in running if next(way, True) is None]


if __name__ == "__main__":
    sys.exit(main())
