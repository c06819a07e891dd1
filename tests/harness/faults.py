"""Breaks the program at every place where it writes, and counts what was lost: nothing may be.

    python -m tests.harness.faults                  two minutes, as in CI
    python -m tests.harness.faults --seconds 3600   an hour, by hand

Faults: one system call that fails, at every call of a command in turn (LD_PRELOAD, see
``faults.c``; without a C compiler by an audit hook of Python); a full disk; kill -9
before, in the middle of and after a call, and at random moments; a lock that is never given. Each
trial starts from a copy of a folder with matches in it, lets the program be broken, and looks at
what is left. Exit code 1, and what was lost, where something was.
"""

import argparse
import contextlib
import errno
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
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from mia_cli.files.locks import locked_folder
from mia_cli.records.record import decode_record
from mia_cli.rules.errors import MiaError

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KILL, HALF = 0, 1000
FULL = -errno.ENOSPC
MOST_CALLS = 600
ERRNOS = (errno.EIO, errno.EACCES, errno.ENOSPC)
PLAY = "play --json --players 2 --cpu easy --lives 2 --first 1"
TYPED = "c\n21\n" * 60
DUEL = "simulate --cpu easy --cpu hard --seed 5 --json"
RUN = "--log {home}/log.jsonl --resume {home}/run.json"


@dataclass
class Ended:
    """How a command ended; ``fault``: whether the fault came before that."""

    code: int
    out: str
    err: str
    fault: bool = False


@dataclass
class Bench:
    """Runs commands in copies of a home, with faults where they are asked for."""

    folder: Path
    shim: Path | None
    plant: str = ""
    number: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)

    def home(self, template: Path) -> Path:
        """A new copy of a template."""
        self.number += 1
        home = self.folder / f"home{self.number}"
        shutil.copytree(template, home)
        return home

    def start(self, words: str, home: Path, fault: dict[str, str] | None = None):
        """Start ``mia`` in a home."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("MIA_", "FAULT_", "LC_"))}
        environ = kept | {
            "HARNESS_HOME": str(home),
            "HARNESS_PLANT": self.plant,
            "PYTHONPATH": os.pathsep.join((str(HERE / "inside"), str(ROOT))),
            **{f"MIA_{name}_DIR": str(home / name.lower()) for name in ("DATA", "CONFIG", "CACHE")},
            **(fault or {}),
        }
        return subprocess.Popen(
            [sys.executable, "-m", "mia_cli", *(w.format(home=home) for w in words.split())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environ,
            encoding="utf-8",
            start_new_session=True,
        )

    def run(self, words: str, home: Path, typed: str = "", **fault: int) -> Ended:
        """Run it to its end; ``at`` and ``do`` of a fault as in ``faults.c``."""
        mark = self.folder / "mark"
        mark.unlink(missing_ok=True)
        process = self.start(words, home, self._environ(home, mark, **fault) if fault else None)
        try:
            out, err = process.communicate(typed, timeout=180)
        except subprocess.TimeoutExpired:
            self.end(process)
            return Ended(-999, "", "it hung")
        return Ended(process.returncode, out, err, mark.exists())

    def _environ(self, home: Path, mark: Path, at: int, do: int) -> dict[str, str]:
        by = {"HARNESS_PYTHON": "1"} if self.shim is None else {"LD_PRELOAD": str(self.shim)}
        told = {"FOLDER": home, "AT": at, "DO": do, "MARK": mark}
        return by | {f"FAULT_{name}": str(value) for name, value in told.items()}

    @staticmethod
    def end(process: subprocess.Popen[str]) -> None:
        """Kill a command and what it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@dataclass(frozen=True)
class Trial:
    """A command, and what tells after a fault that something was lost (None: nothing).

    ``told``: all of stdout before the fault. ``whole``: what a run without faults left behind.
    """

    name: str
    words: str
    lost: Callable[[Bench, Path, Ended, dict[str, str]], str | None]
    typed: str = ""


def records(home: Path) -> dict[str, bytes]:
    """The match records by name. Raises MiaError for one that is damaged."""
    found = {path.name: path.read_bytes() for path in (home / "data/matches").glob("*.json")}
    for name, data in found.items():
        decode_record(data, name)
    return found


def events_told(out: str) -> int:
    """How many events of a match were on the screen, whole lines alone."""
    seen = [json.loads(line) for line in out.splitlines(keepends=True) if line.endswith("}\n")]
    apart = ("prompt", "error", "summary", "left", "note", "remembered", "noticed")
    return sum(event.get("event") not in apart for event in seen)


def lost_in_play(bench: Bench, home: Path, ended: Ended, whole: dict[str, str]) -> str | None:
    """The match is as long as on the screen, unless stderr said otherwise; others are untouched."""
    old, new = json.loads(whole["records"]), records(home)
    if any(new.get(name, b"").decode() != text for name, text in old.items()):
        return "a record that was there is another"
    mine = [json.loads(data) for name, data in new.items() if name not in old]
    kept = max((len(record["events"]) for record in mine), default=0)
    if kept < events_told(ended.out) and "mia: " not in ended.err:
        return f"{events_told(ended.out)} events on the screen, {kept} in the record, and no word"
    if mine and mine[0]["status"] == "unfinished":
        again = bench.run("play --resume --json", home, TYPED)
        if again.code not in (0, 3):
            return f"cannot be resumed: {again.err}"
    return None


def lost_in_drill(bench: Bench, home: Path, ended: Ended, whole: dict[str, str]) -> str | None:
    """Every answer that was judged on the screen is kept, unless stderr said otherwise."""
    found = bench.run("practice --list --json", home)
    if found.code:
        return found.err
    asked = sum(kind["asked"] for kind in json.loads(found.out)["kinds"])
    judged = ended.out.count('"event": "verdict"')
    if asked < judged and "mia: " not in ended.err:
        return f"{judged} answers judged, {asked} kept"
    return None


def lost_in_lessons(bench: Bench, home: Path, ended: Ended, whole: dict[str, str]) -> str | None:
    """Lessons that were done stay done."""
    found = bench.run("tutorial --list --json", home)
    if found.code:
        return found.err
    done = [lesson["id"] for lesson in json.loads(found.out)["lessons"] if lesson["done"]]
    return None if "rolls" in done else "a lesson that was done is not done"


def same_when_run_again(words: str) -> Callable[..., str | None]:
    """The command, run once more, gives what it gives without any fault, and so do its files."""

    def lost(bench: Bench, home: Path, ended: Ended, whole: dict[str, str]) -> str | None:
        clean = Bench(bench.folder, None)
        again = clean.run(words, home)
        if again.code and "run.json" in words and "log.jsonl" in again.err:
            # Killed before the run was first saved: its log is said to be there, and untouched.
            again = clean.run(f"{words} --force", home)
        if again.code:
            return f"exit {again.code}: {again.err}"
        found = outcome(again, home)
        for name, text in whole.items():
            if found.get(name) != text:
                return f"{name} is another after it was run again: {found.get(name)!r:.900}"
        return None

    return lost


def outcome(ended: Ended, home: Path) -> dict[str, str]:
    """What a command leaves: its answer less what is of a run, its log, export and records."""
    try:
        document = json.loads(ended.out)
        for name in ("elapsed_s", "matches_per_s", "problems", "kernel"):
            document.pop(name, None)
        answer = json.dumps(document)
    except ValueError:
        answer = ""
    found = {"answer": answer}
    found["records"] = json.dumps({k: v.decode() for k, v in sorted(records(home).items())})
    for name in ("log.jsonl", "out.jsonl"):
        with contextlib.suppress(FileNotFoundError):
            found[name] = (home / name).read_text("utf-8")
    return found


def trials() -> Iterator[Trial]:
    """Every command that writes."""
    yield Trial("play", f"{PLAY} --seed 5", lost_in_play, TYPED)
    yield Trial("tutorial", "tutorial --lesson 2 --seed 1", lost_in_lessons, "a\nb\n21\n" * 9)
    yield Trial("practice", "practice --json -n 4", lost_in_drill, "c\n21\n" * 9)
    for jobs in (1, 2, 3):
        words = f"{DUEL} -n 3000 --jobs {jobs} {RUN}"
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
    clean = Bench(bench.folder, None)
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
    return outcome(Bench(bench.folder, None).run(trial.words, home, trial.typed), home)


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
    for number in range(10**6):
        home = bench.home(source)
        if number % 8 == 7:
            with locked_folder(home / "data/matches"), locked_folder(home / "data/tutorial"):
                ended = bench.run(trial.words, home, trial.typed)
            judge(bench, trial, "a lock is never given", home, (ended, whole))
        else:
            process = bench.start(trial.words, home)
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(trial.typed)
                process.stdin.flush()
            time.sleep(random.uniform(0.1, 0.9))
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
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


def dask_worker_killed(bench: Bench, seconds: float) -> None:
    """A worker of a cluster dies in the middle of a run: the same answer as without a cluster."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        return
    from tests.simulate.workers.machines import started

    whole = json.loads(bench.run(f"{DUEL} -n 400000", bench.home(bench.folder / "template")).out)
    with tempfile.TemporaryDirectory() as place, started(Path(place)) as machines:
        end = time.monotonic() + seconds
        while time.monotonic() < end or not bench.counts["Dask: a worker is killed"]:
            first, _ = machines.workers(2)
            home = bench.home(bench.folder / "template")
            process = bench.start(f"{DUEL} -n 400000 --dask {machines.address}", home)
            time.sleep(2.0)
            machines.kill(first)
            out, err = process.communicate(timeout=300)
            bench.counts["Dask: a worker is killed"] += 1
            found = json.loads(out) if out else {"players": err}
            if found["players"] != whole["players"]:
                bench.lost.append(f"Dask: {found['players']}")
            shutil.rmtree(home)


def main() -> int:
    """Run the trials in turn for a time; print counts and what was lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--only", default="", help="trials whose name begins so")
    parser.add_argument("--plant", default="", choices=["", "not atomic", "log cut in the middle"])
    parser.add_argument("--python", action="store_true", help="no shim, even with a compiler")
    options = parser.parse_args()
    random = Random(1)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        bench = Bench(folder, None if options.python else compiled(folder), options.plant)
        source = template(bench)
        end = time.monotonic() + options.seconds
        running = []
        for trial in trials():
            if trial.name.startswith(options.only):
                whole = before(trial, bench, source)
                for way in (at_calls, at_moments):
                    running.append(way(bench, trial, source, whole, random))
        while running and time.monotonic() < end and not (options.plant and bench.lost):
            random.shuffle(running)  # all commands get their share of the time
            running = [way for way in running if next(way, True) is None]
        if not options.only or "Dask".startswith(options.only):
            dask_worker_killed(bench, options.seconds / 20)
        for name, count in sorted(bench.counts.items()):
            print(f"{count:6}  {name}")
        means = "system calls (LD_PRELOAD)" if bench.shim else "calls of Python (audit hook)"
        print(f"{bench.counts.total():6}  trials by {means}; lost: {len(bench.lost) or 'nothing'}")
        for line in bench.lost[:20]:
            print(f"LOST  {line}")
        return 1 if bench.lost else 0


if __name__ == "__main__":
    sys.exit(main())
