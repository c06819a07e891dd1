"""The compiled kernel plays what the NumPy kernel plays, whoever plays; and which one is used."""

import pytest

from mia_cli.players.registry import strategies
from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.lockstep import library
from mia_cli.simulate.lockstep.compiled_kernel import CompiledKernel
from mia_cli.simulate.lockstep.kernel import KernelGame, open_kernel, played_by_seating
from mia_cli.simulate.lockstep.numpy_kernel import NumpyKernel
from mia_cli.simulate.seating import seatings
from tests.simulate.lockstep.random_games import (
    check_equal,
    compiled_library,
    random_game,
)


@pytest.mark.parametrize("number", range(24))
def test_random_players(number):
    check_equal(compiled_library(), random_game(number, by_lives=False), 2**52 + number, 150)


@pytest.mark.parametrize("most_nodes", [0, 1 << 15])
@pytest.mark.parametrize("number", range(6))
def test_both_layouts(number, most_nodes):
    """With the lives apart, and with every situation a node as far as that is possible."""
    by_lives = number % 2 == 1
    game = random_game(100 + number, by_lives, most=10)
    check_equal(compiled_library(), game, number, 60, most_nodes=most_nodes)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("waiting", [4, 4096])
def test_tables_that_are_built_when_they_are_met(number, waiting):
    game = random_game(200 + number, by_lives=True, most=8)
    check_equal(compiled_library(), game, number, 40, waiting=waiting)


def test_a_full_pool_is_emptied_between_turns():
    rules, players = RuleSet(2, 1), ("expert", "easy", "hard")
    game = KernelGame(rules, strategies(players, rules), seatings(3, "rotate"), 1)
    wanted = NumpyKernel(game).play(0, 50)
    kernel = CompiledKernel(compiled_library(), game)
    kernel._tables.pool._most_bytes = 1
    assert kernel.play(0, 50).to_json() == wanted.to_json()
    small = NumpyKernel(game, slots=20)
    small.nodes.tables.pool._most_bytes = 1
    assert small.play(0, 50).to_json() == wanted.to_json()


def test_a_trace_of_many_calls():
    """The room for turns is what one match may need, so that it is emptied after every few."""
    for number in (0, 1):
        game = random_game(300 + number, by_lives=number == 1, most=8)
        check_equal(compiled_library(), game, 5, 100, room=1024)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(200))
def test_more_random_players(number):
    check_equal(compiled_library(), random_game(1000 + number, number % 4 == 0), number, 200)


@pytest.mark.parametrize("kernel", [NumpyKernel, CompiledKernel])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_few_matches(kernel, count):
    game = random_game(7, by_lives=False)
    if kernel is CompiledKernel:
        kernel = lambda game: CompiledKernel(compiled_library(), game)  # noqa: E731
    tally, traced = kernel(game).trace(3, count)
    assert tally.matches == tally.wins.sum() == len(traced.ends) == count
    assert traced.ends[-1] == len(traced.turns) == tally.turns


def test_matches_of_each_seating():
    for first in range(9):
        for count in range(9):
            found = [0] * 4
            for match in range(first, first + count):
                found[match % 4] += 1
            assert played_by_seating(first, count, 4).tolist() == found


def test_which_kernel_plays(monkeypatch):
    assert library.named_kernel({}) is library.named_kernel({"MIA_KERNEL": ""}) is None
    assert (
        library.named_kernel({"MIA_KERNEL": " NumPy"}) == library.chosen_kernel("numpy") == "numpy"
    )
    with pytest.raises(BadRuleSet) as error:
        library.named_kernel({"MIA_KERNEL": "fortran"})
    assert error.value.code == "bad_choice" and error.value.fields["allowed"] == ("c", "numpy")
    there = library.load() is not None
    assert library.chosen_kernel() == ("c" if there else "numpy")
    monkeypatch.setattr(library, "load", lambda: None)
    assert library.chosen_kernel() == "numpy"
    with pytest.raises(NotAllowed, match="no_compiled_kernel"):
        library.chosen_kernel("c")


def test_a_library_of_another_source_is_left_alone(monkeypatch, tmp_path):
    compiled_library()
    other = tmp_path / "kernel.c"
    other.write_bytes(library.SOURCE.read_bytes() + b"\n")
    monkeypatch.setattr(library, "SOURCE", other)
    assert library.load.__wrapped__(library.LIBRARY) is None
    broken = tmp_path / "broken.so"
    broken.write_bytes(b"no library")
    assert library.load.__wrapped__(broken) is None
    assert library.load.__wrapped__(tmp_path / "nothing.so") is None


def test_the_kernel_with_a_name():
    game = random_game(1, by_lives=False)
    assert open_kernel(game, "numpy").name == "numpy"
    compiled_library()
    assert open_kernel(game).name == open_kernel(game, "c").name == "c"
