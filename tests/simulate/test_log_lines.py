"""Lines made from traced turns are those of the engine's matches, byte for byte."""

import pytest

from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate import record
from mia_cli.simulate.blocks import EngineBlocks, KernelBlocks
from mia_cli.simulate.engine_match import TablePlayer, play_match
from mia_cli.simulate.lines import MatchLines
from mia_cli.simulate.lockstep.alias_tables import Pool
from mia_cli.simulate.lockstep.draws import Draws
from mia_cli.simulate.lockstep.kernel import open_kernel
from mia_cli.simulate.lockstep.library import KERNELS
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.workers.players import WorkerPlayers
from tests.simulate.lockstep.random_games import compiled_library, random_game


def use(kernel):
    if kernel == "c":
        compiled_library()
    return kernel


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("number", range(10))
def test_random_players(number, kernel, monkeypatch):
    """Few pieces are kept, so that they are dropped and made again."""
    monkeypatch.setattr("mia_cli.simulate.lines.KEPT", 1 + 30 * number)
    game = random_game(500 + number, by_lives=number % 3 == 0, most=10 + 2 * number)
    names = tuple("easy" if at % 2 else "hard" for at in range(len(game.players)))
    kind = "fixed" if len(game.seatings) == 1 else "rotate"
    setup = Setup(game.rules, names, game.seed, kind)
    pool = Pool(list({id(player): player for player in game.players}.values()))
    sitting = [TablePlayer(pool, pool.players.index(player)) for player in game.players]
    first, count = 10**number, 25
    _, traced = open_kernel(game, use(kernel)).trace(first, count)
    found = MatchLines(setup).lines(first, traced).splitlines(keepends=True)
    assert len(found) == count
    for match, line in enumerate(found, start=first):
        words = Draws(setup.seed, match)
        events = play_match(setup.rules, sitting, setup.seating_of(match), words)
        assert line == record.line(setup, match, events)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (("expert", "easy"), RuleSet(3, 2)),
        (("normal", "expert", "normal"), RuleSet(2, 1)),
        (("easy", "normal", "hard") * 2, RuleSet(5, 2)),
    ],
)
def test_a_block_of_either_kind(players, rules, kernel):
    setup = Setup(rules, players, seed=-12, seating="all")
    plain = KernelBlocks(setup, use(kernel), logged=True).play(700, 20)
    engine = EngineBlocks(setup, WorkerPlayers(setup), logged=True).play(700, 20)
    assert plain.log == engine.log
    assert plain.tally.to_json() == engine.tally.to_json()
    assert (plain.kernel, engine.kernel) == (kernel, None)
