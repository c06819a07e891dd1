"""Makes every defect in a copy of the checkout, one at a time, and runs the tests named beside it.

    python -m tests.harness.mutants                 all of them, some minutes
    python -m tests.harness.mutants --only rules    an area, or part of a name

Prints which were killed and which survived; exit code 1 where one survived that matters.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.harness.mutants import AREAS, ROOT, Mutant, mutants

LONGEST = 300
"""Seconds for the tests of a defect; one that hangs is found out by them."""
PASSED, FAILED = 0, 1
COPIED = ("mia_cli", "tests", "rulesets", "pyproject.toml", "README.md", "LICENSE", ".ci")


def copied(place: Path) -> Path:
    """A copy of the checkout."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, place / name)
    return place


def run(copy: Path, tests: Sequence[str], *options: str) -> tuple[int | None, str]:
    """Run tests of the copy, and nothing of any other: exit code (None: it hung) and output."""
    words = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider"]
    environ = {**os.environ, "PYTHONPATH": str(copy)}
    process = subprocess.Popen(
        [*words, *options, *tests],
        cwd=copy,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        return process.wait(LONGEST), process.communicate()[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        return None, process.communicate()[0]


def verdict(copy: Path, mutant: Mutant, number: int) -> str:
    """``killed``, ``survived``, or what kept it from being tried."""
    path = copy / mutant.file
    text = path.read_text("utf-8")
    path.write_text(mutant.made(copy), "utf-8")
    # Compiled files are told apart by size and second.
    os.utime(path, (number, number))
    try:
        code, out = run(copy, mutant.tests, "-x")
    finally:
        path.write_text(text, "utf-8")
    if code in (None, FAILED):
        return "killed"
    return "survived" if code == PASSED else f"not tried: {out[-500:]}"


def main() -> int:
    """Try them in turn, and count."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--only", default="", help=f"an area ({', '.join(AREAS)}) or part of a name"
    )
    only = parser.parse_args().only
    wanted = [it for it in mutants() if only in (it.area, "") or only in it.name]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        copy = copied(Path(place).resolve())
        tests = sorted({test for mutant in wanted for test in mutant.tests})
        code, out = run(copy, tests, "--durations=20")
        print(out, flush=True)
        if code != PASSED:
            print("The tests fail without any defect.")
            return 2
        for number, mutant in enumerate(wanted, start=1):
            begun = time.monotonic()
            found = verdict(copy, mutant, number)
            counts[found.partition(":")[0]] += 1
            took = f"{time.monotonic() - begun:5.1f} s"
            print(f"{found:8}  {took}  {mutant.area}: {mutant.name}", flush=True)
            if found == "survived" and mutant.stays:
                counts["stays"] += 1
                print(f"          which does not matter: {mutant.stays}")
    print(f"{len(wanted)} defects: " + ", ".join(f"{n} {what}" for what, n in counts.items()))
    return 0 if counts["killed"] + counts["stays"] == len(wanted) else 1


if __name__ == "__main__":
    sys.exit(main())
