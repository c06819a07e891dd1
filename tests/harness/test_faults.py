"""The harness finds nothing in the program, and finds the defects that are planted for it."""

import shutil
import subprocess
import sys

import pytest

from tests.cli.machine import ROOT


def harness(*words):
    command = [sys.executable, "-m", "tests.harness.faults", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trial", "plant"),
    [("play", "not atomic"), ("simulate, jobs 1", "log cut in the middle")],
)
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_a_planted_defect_is_found(trial, plant):
    found = harness("--seconds", "60", "--jobs", "1", "--only", trial, "--plant", plant)
    assert found.returncode == 1, found.stdout + found.stderr
    assert "LOST" in found.stdout


@pytest.mark.slow
def test_without_a_compiler_python_tells_its_calls():
    found = harness("--seconds", "10", "--jobs", "1", "--only", "play", "--python")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "audit hook" in found.stdout and "lost: nothing" in found.stdout
