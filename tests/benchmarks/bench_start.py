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


def main(rounds: int) -> None:
    """Print each median, its ratio, and the goal."""
    folder = Path(sys.executable).parent
    mia = str(folder / "mia")
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import re'": [sys.executable, "-c", "import re"],
        "mia rank 55 44": [mia, "rank", "55", "44"],
        "mia rules list": [mia, "rules", "list"],
    }
    starts = _medians({name: _runner(words) for name, words in commands.items()}, rounds)
    _report(starts, "python -c pass", {"mia rank 55 44": 1.7, "mia rules list": 7.0})
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


def _runner(words: Sequence[str], stdin: Path | None = None) -> Callable[[], None]:
    unwanted = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    env = {name: value for name, value in os.environ.items() if name not in unwanted}

    def run() -> None:
        with (stdin or Path(os.devnull)).open("rb") as given:
            subprocess.run(words, env=env, stdin=given, stdout=subprocess.DEVNULL, check=True)

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
        print(f"{name:24} {1000 * median:8.1f} ms  {median / seconds[base]:5.2f} x{goal}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
