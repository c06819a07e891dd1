"""How the kernel is compiled, or not; and what the compiler's own checks of memory say of it."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from mia_cli.simulate.lockstep import library

ROOT = Path(__file__).parents[3]
BUILD = runpy.run_path(str(ROOT / ".ci" / "build_kernel.py"))
SANITIZERS = (
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
)
PLAY = """
import sys
from pathlib import Path
from mia_cli.simulate.lockstep.library import load
from tests.simulate.lockstep.random_games import check_equal, random_game

compiled = load(Path(sys.argv[1]))
for number in range(60):
    options = ({}, {"waiting": 4, "room": 1024}, {"most_nodes": 0}, {"most_nodes": 1 << 15})
    game = random_game(number, by_lives=number % 3 == 0, most=30 if number % 3 else 8)
    check_equal(compiled, game, 0, 60, **options[number % 4])
print("played")
"""
TOO_MUCH = """
import sys
from pathlib import Path
from mia_cli.simulate.lockstep.compiled_kernel import CompiledKernel
from mia_cli.simulate.lockstep.library import load
from tests.simulate.lockstep.random_games import random_game

kernel = CompiledKernel(load(Path(sys.argv[1])), random_game(1, by_lives=False))
kernel._arrays["consequences"] = kernel._arrays["consequences"][:8].copy()
kernel.play(0, 100)
print("played")
"""


def compile_here(target, *flags, **options):
    """Compile; without a compiler, the test is skipped."""
    try:
        BUILD["compile_kernel"](library.SOURCE, target, flags, **options)
    except BUILD["CannotCompile"] as error:
        pytest.skip(str(error))


def test_what_is_compiled_is_what_is_loaded(tmp_path):
    compile_here(tmp_path / "_kernel.so", "-Wall", "-Wextra", "-Werror")
    assert library.load(tmp_path / "_kernel.so") is not None
    assert [path.name for path in tmp_path.iterdir()] == ["_kernel.so"]


@pytest.mark.parametrize("compiler", ["false", "no-such-compiler", "true"])
def test_a_compiler_that_fails(compiler, tmp_path, monkeypatch):
    monkeypatch.setenv("CC", compiler)
    with pytest.raises(BUILD["CannotCompile"]):
        BUILD["compile_kernel"](library.SOURCE, tmp_path / "_kernel.so")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(BUILD["CannotCompile"]):
        BUILD["compile_kernel"](library.SOURCE, tmp_path / "nowhere" / "_kernel.so")


def checked(script, target):
    """Run a script with a kernel that checks each access to memory."""
    find = ("gcc", "-print-file-name=libasan.so")
    runtime = subprocess.run(find, check=True, capture_output=True, text=True).stdout.strip()
    settings = {
        **os.environ,
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
    }
    command = (sys.executable, "-c", script, str(target))
    return subprocess.run(
        command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_memory_and_arithmetic(tmp_path, monkeypatch):
    """Random games under the sanitizers; they do see an access out of bounds."""
    monkeypatch.setenv("CC", "gcc")
    if sys.platform != "linux":
        pytest.skip("libasan is loaded as on Linux")
    target = tmp_path / "_kernel.so"
    # Without the runtime of the sanitizers, Python cannot load it.
    compile_here(target, "-g", *SANITIZERS, check=False)
    found = checked(PLAY, target)
    assert (found.returncode, found.stdout) == (0, "played\n"), found.stderr
    planted = checked(TOO_MUCH, target)
    assert planted.returncode != 0 and "AddressSanitizer" in planted.stderr
