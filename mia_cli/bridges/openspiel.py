"""Mia as an OpenSpiel game, ``python_mia``: importing this module registers it.

Parameters: ``players`` 2 to 6, ``lives``, ``penalty_21``. Player 0 leads first. Decisions and
outcomes of chance are numbered as in ``moves``. The winner gets 1 and the others lose it between
them, so that with two seats a chance p to win is worth 2 p - 1. An information state is all
that a seat may know, with perfect recall; the observation tensor is ``moves.view``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from mia_cli.bridges import moves
from mia_cli.engine.driver import Table
from mia_cli.rules.match import start
from mia_cli.rules.rolls import OUTCOMES, ROLLS
from mia_cli.rules.ruleset import SEATS, RuleSet

_USUAL = {"players": min(SEATS), "lives": 3, "penalty_21": 1}
_TYPE = pyspiel.GameType(
    short_name="python_mia",
    long_name="Mia (two dice, public claims)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=max(SEATS),
    min_num_players=min(SEATS),
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_USUAL,
)


class MiaGame(pyspiel.Game):  # type: ignore[misc]
    """The rules of a match. Raises BadRuleSet for parameters that no table has."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        settings = {**_USUAL, **(params or {})}
        self.rules = RuleSet(settings["lives"], settings["penalty_21"])
        seats = settings["players"]
        start(self.rules, seats, leader=1)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(moves.MOVES),
            max_chance_outcomes=len(moves.THROWS),
            num_players=seats,
            min_utility=min(moves.returns(1, seats)),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=moves.most_decisions(self.rules, seats),
        )
        super().__init__(_TYPE, info, settings)

    def new_initial_state(self) -> MiaState:
        """The start of a match."""
        return MiaState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> MiaObserver:
        """What a seat may know, as ``moves.view``, or with perfect recall as text."""
        return MiaObserver(iig_obs_type, self.num_players(), params)


class MiaState(pyspiel.State):  # type: ignore[misc]
    """A match between two actions. Players count from 0, seats from 1."""

    def __init__(self, game: MiaGame) -> None:
        super().__init__(game)
        match, opening = start(game.rules, game.num_players(), leader=1)
        self.table = Table(match, opening)

    def current_player(self) -> int:
        """Who decides, chance included."""
        match = self.table.match
        if match.phase == "over":
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if match.to_act is None else match.to_act - 1

    def _legal_actions(self, player: int) -> list[int]:
        return moves.legal_numbers(self.table.match) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Rolls and their chances."""
        return [(number, roll.ways / OUTCOMES) for number, roll in enumerate(ROLLS)]

    def _apply_action(self, action: int) -> None:
        numbered = moves.THROWS if self.is_chance_node() else moves.MOVES
        self.table.step(numbered[action])

    def _action_to_string(self, player: int, action: int) -> str:
        numbered = moves.THROWS if player == pyspiel.PlayerId.CHANCE else moves.MOVES
        return moves.name_of(numbered[action])

    def is_terminal(self) -> bool:
        """Whether one seat is left."""
        return self.table.match.winner is not None

    def returns(self) -> list[float]:
        """By player, see ``moves.returns``."""
        return moves.returns(self.table.match.winner, self.num_players())

    def told(self, player: int) -> str:
        """All that a player may know so far, its own rolls among it."""
        return "\n".join((f"player {player}", *map(repr, self.table.seen(player + 1))))

    def __str__(self) -> str:
        return "\n".join(map(repr, self.table.events))


class MiaObserver:
    """What OpenSpiel wants of one: ``tensor``, ``dict``, ``set_from`` and ``string_from``.

    Without perfect recall it is ``moves.view``; with it, text and no tensor.
    """

    def __init__(self, kind: Any, seats: int, params: Mapping[str, Any] | None) -> None:
        if params:
            raise ValueError(f"an observer of Mia takes no parameters, not {sorted(params)}")
        self._recalls = kind is not None and kind.perfect_recall
        size = 0 if self._recalls else moves.view_size(seats)
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state: MiaState, player: int) -> None:
        """Write what ``player`` sees into ``tensor``."""
        if not self._recalls:
            self.tensor[:] = moves.view(state.table.match, player + 1)

    def string_from(self, state: MiaState, player: int) -> str:
        """What ``player`` sees, as text."""
        if self._recalls:
            return state.told(player)
        return " ".join(f"{number:g}" for number in moves.view(state.table.match, player + 1))


pyspiel.register_game(_TYPE, MiaGame)
