"""Mia as a PettingZoo AEC environment: ``env()``.

Agents are ``seat_1`` and so on. An observation is a dictionary of arrays: ``observation``, what
``moves.view`` tells, and ``action_mask``, 1 for each decision that is legal; decisions are
numbered as in ``moves``. Rewards come at the end: 1 for the winner, -1 divided among the others.
The seed gives dice, leader and names of draws as it does in ``mia play``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from mia_cli.bridges import moves
from mia_cli.engine.driver import SeededDice, Table, next_action
from mia_cli.engine.seed import Stream, first_leader
from mia_cli.players import registry
from mia_cli.rules.match import start
from mia_cli.rules.ruleset import RuleSet, require_seats


def env(**settings: Any) -> AECEnv:
    """A match, with PettingZoo's checks for illegal moves and wrong order around it.

    ``players`` (2), ``lives`` (3), ``penalty_21`` (1); ``level``: the name of a level, such as
    ``"hard"``, that plays all seats but the first, which is then the only agent. Raises
    BadRuleSet.
    """
    checked = wrappers.TerminateIllegalWrapper(MiaEnvironment(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class MiaEnvironment(AECEnv):  # type: ignore[misc]
    """The environment without those checks."""

    metadata: Mapping[str, Any] = {"name": "mia_v1", "render_modes": [], "is_parallelizable": False}

    def __init__(
        self,
        players: int = 2,
        lives: int = 3,
        penalty_21: int = 1,
        level: str | None = None,
        render_mode: None = None,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._rules, self._seats = RuleSet(lives, penalty_21), require_seats(players)
        self._level = None if level is None else registry.make(level, self._rules, players)
        seats = range(1, (players if level is None else 1) + 1)
        self._seat_of = {f"seat_{seat}": seat for seat in seats}
        self.possible_agents = list(self._seat_of)
        array = spaces.Box(0.0, 1.0, (moves.view_size(players),), np.float32)
        legal = spaces.Box(0, 1, (len(moves.MOVES),), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": array, "action_mask": legal})
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(len(moves.MOVES)) for agent in self.possible_agents
        }
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """A dictionary of ``observation`` [view_size] and ``action_mask`` [moves]."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of decisions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match, with the dice and the leader of ``seed``; without one, of the next."""
        del options
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        number = int(self._random.integers(2**63)) if seed is None else seed
        match, opening = start(self._rules, self._seats, first_leader(number, self._seats))
        self._table, self._dice = Table(match, opening), SeededDice(number)
        self._streams = [Stream(number, f"seat {seat}") for seat in range(1, self._seats + 1)]
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know; nothing is legal while it is another's turn."""
        match, seat = self._table.match, self._seat_of[agent]
        legal = moves.legal_numbers(match) if match.to_act == seat else []
        return {"observation": moves.view(match, seat), "action_mask": moves.mask(legal)}

    def step(self, action: int | None) -> None:
        """Decide for the agent whose turn it is. Raises NotAllowed for an illegal decision."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._table.step(moves.MOVES[int(action)])
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Throw the dice and let the level decide, until an agent has to or the match is over."""
        players = [] if self._level is None else [self._level] * self._seats
        while (seat := self._table.match.to_act) is None or seat > len(self.possible_agents):
            if self._table.match.phase == "over":
                self._finish()
                return
            self._table.step(next_action(self._table, players, self._dice, self._streams))
        self.agent_selection = self.possible_agents[seat - 1]

    def _finish(self) -> None:
        worth = moves.returns(self._table.match.winner, self._seats)
        self.rewards = {agent: worth[self._seat_of[agent] - 1] for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)
