"""Mia in OpenSpiel, by OpenSpiel's own test of a game."""

import random

import pytest

from mia_cli.engine.policy import position
from mia_cli.rules.match import Accept, Challenge, MakeClaim, in_playing_order
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.theory import solve

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
pytestmark = pytest.mark.slow
import mia_cli.bridges.openspiel  # noqa: E402, F401  (registers the game)
from mia_cli.bridges import moves  # noqa: E402
from tests.bridges.readme import python_blocks  # noqa: E402

TABLES = [(2, 3, 1), (2, 2, 2), (3, 5, 1), (4, 2, 1), (5, 3, 2), (6, 5, 2)]


def game_of(players: int, lives: int, penalty_21: int):
    settings = {"players": players, "lives": lives, "penalty_21": penalty_21}
    return pyspiel.load_game("python_mia", settings)


@pytest.mark.parametrize("table", TABLES)
def test_openspiel_finds_a_sound_game(table: tuple[int, int, int]) -> None:
    pyspiel.random_sim_test(game_of(*table), num_sims=3, serialize=False, verbose=False)


@pytest.mark.parametrize("table", TABLES)
def test_a_player_is_told_its_own_rolls_and_no_others(table: tuple[int, int, int]) -> None:
    """Two matches that differ in a hidden roll alone look alike to all but the roller."""
    rng, game = random.Random(str(table)), game_of(*table)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            roller = state.table.match.roller - 1
            these, others = state.clone(), state.clone()
            one, two = rng.sample(range(len(ROLLS)), 2)
            these.apply_action(one)
            others.apply_action(two)
            for player in range(game.num_players()):
                alike = player != roller
                strings = [here.information_state_string(player) for here in (these, others)]
                tensors = [here.observation_tensor(player) for here in (these, others)]
                assert (strings[0] == strings[1]) is alike
                assert (tensors[0] == tensors[1]) is alike
            state = these
        else:
            before = state.information_state_string(state.current_player())
            player = state.current_player()
            state.apply_action(rng.choice(state.legal_actions()))
            # Perfect recall: what was known stays known.
            assert state.information_state_string(player).startswith(before)
    assert sorted(state.returns())[-1] == 1.0
    assert sum(state.returns()) == pytest.approx(0.0)


def test_the_solution_is_worth_in_openspiel_what_it_is_here() -> None:
    """One life each: OpenSpiel adds up the tree of best play to the same value."""
    from open_spiel.python.algorithms import expected_game_score
    from open_spiel.python.policy import Policy

    solution, game = solve(2, 2, 1), game_of(2, 2, 1)

    class Ours(Policy):
        def action_probabilities(self, state, player_id=None):
            match = state.table.match
            lives, standing = in_playing_order(match.lives, match.roller), position(match.above)
            if match.phase == "claim":
                row = solution.claim_probabilities(lives, standing)[match.roll.position - 1]
                chances = {MakeClaim(claim): row[claim.position - 1] for claim in CLAIMS}
            else:
                doubt = solution.challenge_probabilities(lives, standing)[match.claim.position - 1]
                chances = {Challenge(): doubt, Accept(): 1.0 - doubt}
            return {moves.number_of(move): chance for move, chance in chances.items() if chance > 0}

    state = game.new_initial_state()
    for name in ("roll 21", "claim 66", "challenge") * 2:  # a life each, and player 0 leads
        (number,) = (n for n in state.legal_actions() if state.action_to_string(n) == name)
        state.apply_action(number)
    worth = expected_game_score.policy_value(state, [Ours(game, [0, 1])] * 2)
    assert (worth[0] + 1) / 2 == pytest.approx(solution.values((1, 1))[0], abs=1e-12)


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = (block for block in python_blocks() if "bridges" in block and "openspiel" in block)
    exec(code, {})
    assert capsys.readouterr().out.strip()
