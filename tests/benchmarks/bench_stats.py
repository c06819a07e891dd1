"""How long ``mia stats`` takes over many records: ``bench_stats.py [RECORDS] [MATCHES]``.

Writes 100,000 single records (some 600 MB) to a temporary folder and counts them twice, then adds
one; then streams a log of a million matches (some 4.5 GB) into ``mia stats -`` without writing it.
Times are wall clock, memory is the resident size of all its processes together.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from mia_cli.records.record import encode_record, to_json
from tests.played_matches import played, simulated

DIFFERENT = 2000
"""Matches that are really played; they are repeated under other ids."""
MIA = (sys.executable, "-m", "mia_cli", "stats")


def main() -> None:
    """Measure both."""
    records, matches = (int(word) for word in (*sys.argv[1:], "100000", "1000000")[:2])
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        env = {**os.environ, "MIA_DATA_DIR": folder, "MIA_CACHE_DIR": str(home / "cache")}
        env["PYTHONPATH"] = str(Path(__file__).parents[2])
        write_folder(home / "matches", records)
        for label in ("the first time", "after that"):
            tell(f"{records} records, {label}", env, lambda _: None)
        newest = replace(played(5), id="z-1")
        (home / "matches" / "z-1.json").write_bytes(encode_record(newest))
        tell("with one more", env, lambda _: None)
        block = log_block()
        times = matches // DIFFERENT

        def feed(process: subprocess.Popen[bytes]) -> None:
            assert process.stdin is not None
            for _ in range(times):
                process.stdin.write(block)
            process.stdin.close()

        tell(f"a log of {times * DIFFERENT} matches", env, feed, "-")


def write_folder(folder: Path, records: int) -> None:
    """Single records, each with its own id."""
    folder.mkdir(parents=True)
    kinds = [encode_record(played(number, seats=2 + number % 3)) for number in range(DIFFERENT)]
    for number in range(records):
        kind = number % DIFFERENT
        data = kinds[kind].replace(f"m-{kind:06}".encode(), f"n-{number:06}".encode())
        (folder / f"n-{number:06}.json").write_bytes(data)


def log_block() -> bytes:
    """Matches of three seats and three lives as lines, as ``mia simulate`` writes them."""
    first = simulated(0)
    lines = []
    for number in range(DIFFERENT):
        record = replace(
            simulated(number),
            created=first.created,
            ended=first.ended,
            seed=first.seed,
            seed_fingerprint=first.seed_fingerprint,
        )
        lines.append(json.dumps(to_json(record), separators=(",", ":")))
    return "".join(f"{line}\n" for line in lines).encode()


def tell(
    label: str,
    env: dict[str, str],
    feed: Callable[[subprocess.Popen[bytes]], None],
    *args: str,
) -> None:
    """Run once and print what it took."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [*MIA, "--json", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    )
    most, done = [0], threading.Event()
    watch = threading.Thread(target=watch_memory, args=(process.pid, most, done))
    watch.start()
    reader = threading.Thread(target=feed, args=(process,))
    reader.start()
    assert process.stdout is not None
    found = json.loads(process.stdout.read())
    process.wait()
    done.set()
    reader.join()
    watch.join()
    took = time.perf_counter() - begun
    print(f"{label}: {found['matches']} matches, {took:.1f} s, {most[0] / 1000:.0f} MB")


def watch_memory(pid: int, most: list[int], done: threading.Event) -> None:
    """The largest resident size of a process and its children in kB, where /proc tells it."""
    while not done.wait(0.1):
        sizes = []
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
            except (OSError, ValueError):
                continue
            own = status.parent.name == str(pid)
            if own or fields.get("PPid", "").strip() == str(pid):
                sizes.append(int(fields.get("VmRSS", "0 kB").split()[0]))
        most[0] = max(most[0], sum(sizes))


if __name__ == "__main__":
    main()
