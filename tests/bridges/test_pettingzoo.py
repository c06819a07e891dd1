"""Mia in PettingZoo, by PettingZoo's own tests of an environment."""

import random
from collections.abc import Callable

import pytest

from mia_cli import api

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
pytestmark = pytest.mark.slow
from pettingzoo.test import api_test, seed_test  # noqa: E402

from mia_cli.bridges import moves  # noqa: E402
from mia_cli.bridges.pettingzoo import env  # noqa: E402
from mia_cli.rules.errors import BadRuleSet, NotAllowed  # noqa: E402
from mia_cli.rules.match import Challenge  # noqa: E402
from tests.bridges.readme import python_blocks  # noqa: E402

TABLES = [
    {},
    {"players": 6, "lives": 5, "penalty_21": 2},
    {"level": "hard"},
    {"players": 4, "level": "expert"},
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("table", TABLES)
def test_pettingzoo_finds_a_sound_environment(
    table: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(env(**table), num_cycles=500)
    seed_test(lambda: env(**table), num_cycles=200)
    assert "Passed" in capsys.readouterr().out


def played(
    environment, seed: int, choose: Callable[[dict, random.Random], int]
) -> dict[str, float]:
    """The rewards of one match; each observation has to be in its space."""
    environment.reset(seed=seed)
    rng = random.Random(seed)
    rewards = {}
    for agent in environment.agent_iter():
        seen, reward, over, _cut, _info = environment.last()
        assert environment.observation_space(agent).contains(seen)
        rewards[agent] = reward
        environment.step(None if over else choose(seen, rng))
    return rewards


def any_legal(seen: dict, rng: random.Random) -> int:
    return rng.choice([number for number, legal in enumerate(seen["action_mask"]) if legal])


@pytest.mark.parametrize("players", [2, 3, 6])
def test_one_seat_wins_what_the_others_lose(players: int) -> None:
    environment = env(players=players)
    for seed in range(20):
        rewards = played(environment, seed, any_legal)
        assert len(rewards) == players
        assert sorted(rewards.values())[-1] == 1.0
        assert sum(rewards.values()) == pytest.approx(0.0)


def test_the_dice_are_those_of_the_seed_everywhere() -> None:
    """The same decisions give the same match as in the library."""

    class Lowest:
        def claim(self, seen, uniform):
            return api.claims_above(seen.above)[0]

        def answer(self, seen, uniform):
            return api.Challenge()

    def lowest(seen: dict, rng: random.Random) -> int:
        legal = [number for number, allowed in enumerate(seen["action_mask"]) if allowed]
        return legal[-1] if moves.MOVES[legal[-1]] == Challenge() else legal[0]

    environment = env(level="hard")
    for seed in range(30):
        *_, last = api.play([Lowest(), "hard"], seed=seed)
        won = played(environment, seed, lowest)["seat_1"] > 0
        assert won is (last.winner == 1)


def test_an_illegal_decision_ends_the_match_and_costs() -> None:
    environment = env()
    environment.reset(seed=1)
    environment.step(len(moves.MOVES) - 1)  # a challenge where nothing is claimed
    assert -1 in environment.rewards.values()
    unchecked = environment.unwrapped
    unchecked.reset(seed=1)
    with pytest.raises(NotAllowed):
        unchecked.step(len(moves.MOVES) - 1)


@pytest.mark.parametrize("wrong", [{"players": 7}, {"lives": 4}, {"penalty_21": 3}, {"level": "x"}])
def test_what_no_table_has_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadRuleSet):
        env(**wrong)


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = (block for block in python_blocks() if "bridges" in block and "pettingzoo" in block)
    exec(code, {})
    assert capsys.readouterr().out.strip()
