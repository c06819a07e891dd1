"""Start-up and batch speed as ratios, so that they mean the same on every machine.

By hand, with the Python of an environment where the wheel of mia-cli is installed (an editable
install pays for its finder at every start):

    python tests/benchmarks/bench_start.py [ROUNDS]
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

PAIRS = 1_000_000
NAMES = (
    *("31", "32", "41", "42", "43", "51", "52", "53", "54", "61", "62", "63", "64", "65"),
    *("11", "22", "33", "44", "55", "66", "21"),
)
AWK = (
    'BEGIN { n = split("' + " ".join(NAMES) + '", names, " ");'
    " for (i = 1; i <= n; i++) rank[names[i]] = i }"
    ' { print $1 (rank[$1] >= rank[$2] ? " supports " : " does not support ") $2 "." }'
)

BOTH = "import numpy, typer"
GOALS = {
    "mia rank 55 44": 1.5,
    "mia rank 55": 6.0,
    "mia rules list": 6.0,
    "mia --help": 6.0,
    "mia rank --help": 6.0,
    "mia simulate --help": 6.0,
    "mia play --seed 7": 8.0,  # to its first prompt: stdin ends there
    "mia simulate -n 1 --cpu easy --cpu hard": 16.0,
    "mia stats": 16.0,  # of ten records
    "mia solve": 18.0,
}
"""How many times the start of a bare interpreter a command may take."""


def main(rounds: int) -> None:
    """Print each median, its ratio, and the goal."""
    folder = Path(sys.executable).parent
    mia = str(folder / "mia")
    bare = "python -c pass"
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["MIA_DATA_DIR"] = temporary
        _write_matches(mia, 10)
        programs = {bare: ["-c", "pass"], "python -c 'import numpy, typer'": ["-c", BOTH]}
        runners = {name: _runner([sys.executable, *words]) for name, words in programs.items()}
        runners |= {command: _runner([mia, *command.split()[1:]]) for command in GOALS}
        _report(_medians(runners, rounds), bare, GOALS)
    if shutil.which("awk") is None:
        return
    with tempfile.TemporaryDirectory() as temporary:
        pairs = Path(temporary) / "pairs.txt"
        pairs.write_text(
            "".join(f"{NAMES[i % 21]} {NAMES[i // 21 % 21]}\n" for i in range(PAIRS)), "ascii"
        )
        batches = {
            "awk": _runner(["awk", AWK, str(pairs)]),
            "mia rank -": _runner([mia, "rank", "-"], pairs),
        }
        _report(_medians(batches, max(3, rounds // 8)), "awk", {"mia rank -": 4.0})


def _write_matches(mia: str, matches: int) -> None:
    """Finished matches for ``stats``: a person who challenges everything."""
    for seed in range(matches):
        words = [mia, "play", "--players", "2", "--seed", str(seed)]
        subprocess.run(words, input="c\n64\n21\n" * 40, text=True, capture_output=True, check=False)


def _runner(words: Sequence[str], stdin: Path | None = None) -> Callable[[], None]:
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    env = {name: value for name, value in os.environ.items() if name not in unwanted}

    def run() -> None:
        with (stdin or Path(os.devnull)).open("rb") as given:
            subprocess.run(words, env=env, stdin=given, stdout=subprocess.DEVNULL, check=False)

    return run


def _medians(runners: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """Seconds by name; the runs are interleaved, so that a busy moment meets all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in runners}
    for run in runners.values():
        run()  # the first one compiles
    for _ in range(rounds):
        for name, run in runners.items():
            before = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - before)
    return {name: statistics.median(found) for name, found in seconds.items()}


def _report(seconds: dict[str, float], base: str, goals: dict[str, float]) -> None:
    for name, median in seconds.items():
        goal = f"  goal {goals[name]:.1f}" if name in goals else ""
        print(f"{name:40} {1000 * median:8.1f} ms  {median / seconds[base]:5.2f} x{goal}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
