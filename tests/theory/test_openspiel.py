"""The solution before another judge: OpenSpiel loads stages and whole rounds, and finds no gain.

Run where ``open_spiel`` is installed: ``pip install '.[test,proof]'``, then
``python -m pytest -m slow tests/theory/test_openspiel.py``.
"""

from collections.abc import Callable, Iterator
from itertools import count, product
from typing import Any

import pytest

from mia_cli.rules.match import Accept, Challenge, MakeClaim, Match, Throw, apply, legal_answers
from mia_cli.rules.rolls import ROLLS, claim_at, claims_above, parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import Solution, solve

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
pytestmark = pytest.mark.slow

Chances = Callable[[str, list[str]], list[float]]
"""Our chances of an information set's actions, by its name and theirs."""


def judged(text: str, chances: Chances) -> tuple[float, list[float]]:
    """NashConv of our strategy (what the players could gain, summed), and what it is worth to each.

    Both as OpenSpiel computes them.
    """
    from open_spiel.python import policy
    from open_spiel.python.algorithms import expected_game_score, exploitability

    game = pyspiel.load_efg_game(text)

    class Ours(policy.Policy):  # type: ignore[misc, name-defined]
        def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
            name = state.information_state_string().split("-", 3)[3]
            actions = state.legal_actions()
            named = [state.action_to_string(action) for action in actions]
            return dict(zip(actions, chances(name, named), strict=True))

    ours = Ours(game, list(range(game.num_players())))
    worth = expected_game_score.policy_value(game.new_initial_state(), [ours] * game.num_players())
    return float(exploitability.nash_conv(game, ours)), list(worth)


def of_stage(solution: Solution, lives: tuple[int, ...], standing: int) -> Chances:
    """Our strategy in a stage, by the names that ``to_efg`` gives information sets."""
    claims = solution.claim_probabilities(lives, standing)
    challenges = solution.challenge_probabilities(lives, standing)

    def chances(name: str, actions: list[str]) -> list[float]:
        kind, what = name.split(" ")
        if kind == "roll":
            row = claims[parse_roll(what).position - 1]
            return [float(row[parse_claim(action).position - 1]) for action in actions]
        probability = float(challenges[parse_claim(what).position - 1])
        return [
            {"accept": 1.0 - probability, "challenge": probability}[action] for action in actions
        ]

    return chances


@pytest.mark.parametrize(("lives", "penalty", "stages"), [(3, 1, 189), (2, 2, 84)])
def test_no_stage_of_two_seats_leaves_anything_to_gain(lives, penalty, stages):
    solution = solve(2, lives, penalty)
    found = [
        gain(solution, table, standing)
        for table in product(range(1, lives + 1), repeat=2)
        for standing in range(21)
    ]
    assert len(found) == stages
    assert max(found) <= 1e-12


@pytest.mark.parametrize("penalty", [1, 2])
def test_no_stage_of_three_seats_does_either(penalty):
    solution = solve(3, 5, penalty)
    tables = [(1, 1, 1), (3, 3, 3), (5, 1, 2), (1, 4, 2), (2, 1, 5)]
    found = [gain(solution, table, at) for table in tables for at in (0, 6, 13, 17, 20)]
    assert max(found) <= 1e-12


def gain(solution: Solution, lives: tuple[int, ...], standing: int) -> float:
    text = solution.to_efg(lives, claim_at(standing) if standing else None)
    found, worth = judged(text, of_stage(solution, lives, standing))
    assert worth == pytest.approx(solution.values(lives, standing), abs=1e-12)
    return found


def test_a_strategy_that_is_no_equilibrium_has_something_to_gain():
    text = solve(2, 1, 1).to_efg((1, 1))
    found, _ = judged(text, lambda _, actions: [1 / len(actions)] * len(actions))
    assert found > 0.1


@pytest.mark.parametrize("above", ["55", "44", "33"])
def test_a_whole_round_with_perfect_recall_leaves_nothing_to_gain(above):
    """One life each: the round is the match. Seats remember all their rolls and every claim."""
    solution = solve(2, 1, 1)
    known: dict[str, tuple[int, str]] = {}
    first = parse_claim(above)
    start = Match(RuleSet(2, 1), (1, 1), 1, 1, above=first)
    text = "\n".join(('EFG 2 R "A round" { "1" "2" }', *nodes(start, known), ""))
    stages = {
        standing: of_stage(solution, (1, 1), standing) for standing in range(first.position, 21)
    }

    def chances(name: str, actions: list[str]) -> list[float]:
        standing, plain = known[name]
        return stages[standing](plain, actions)

    found, worth = judged(text, chances)
    assert found <= 1e-12
    assert worth[0] == pytest.approx(solution.values((1, 1), first.position)[0], abs=1e-12)


def nodes(start: Match, known: dict[str, tuple[int, str]]) -> Iterator[str]:
    """The tree of a round by the rules alone.

    ``known`` takes in what a seat's information set is in a stage: the standing claim, and the
    name of its roll or of the claim it answers.
    """
    numbers: dict[int, dict[str, int]] = {1: {}, 2: {}}
    leaf, throw = count(1), count(1)
    dice = " ".join(f'"{roll.name}" {roll.ways}/36' for roll in ROLLS)

    def decision(seat: int, name: str, match: Match, plain: str, actions: list[str]) -> str:
        assert match.above is not None
        assert known.setdefault(name, (match.above.position, plain)) == (
            match.above.position,
            plain,
        )
        number = numbers[seat].setdefault(name, len(numbers[seat]) + 1)
        return f'p "" {seat} {number} "{name}" {{ {" ".join(map(quoted, actions))} }} 0'

    def follow(match: Match, seen: dict[int, str]) -> Iterator[str]:
        if match.phase == "over":
            yield f't "" {next(leaf)} "" {{ {int(match.winner == 1)} {int(match.winner == 2)} }}'
            return
        yield f'c "" {next(throw)} "dice" {{ {dice} }} 0'
        for roll in ROLLS:
            rolled, _ = apply(match, Throw(roll))
            seat, other = match.roller, 3 - match.roller
            knows = {**seen, seat: f"{seen[seat]} {roll.name}"}
            legal = claims_above(match.above)
            names = [claim.name for claim in legal]
            yield decision(seat, f"{seat}{knows[seat]}", match, f"roll {roll.name}", names)
            for claim in legal:
                said, _ = apply(rolled, MakeClaim(claim))
                heard = {one: f"{what} {claim.name}" for one, what in knows.items()}
                answers = legal_answers(claim)
                if len(answers) > 1:
                    plain = f"claim {claim.name}"
                    both = ["accept", "challenge"]
                    yield decision(other, f"{other}{heard[other]}", match, plain, both)
                for answer in (Accept(), Challenge()):
                    if answer in answers:
                        yield from follow(apply(said, answer)[0], heard)

    yield from follow(start, {1: "", 2: ""})


def quoted(text: str) -> str:
    return f'"{text}"'
