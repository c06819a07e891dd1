"""What is to be simulated, as values, and the state from which the run starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mia_cli.engine.seed import draw_seed
from mia_cli.players.bot.command import command_of
from mia_cli.players.names import FIXED, is_bot, learn
from mia_cli.players.registry import Given, all_have_tables, has_tables
from mia_cli.rules.errors import BadRecord, BadRuleSet, NotAllowed
from mia_cli.rules.ruleset import SEATS, RuleSet
from mia_cli.simulate.run import is_finished
from mia_cli.simulate.saved import RunFile, State, new_state
from mia_cli.simulate.seating import SeatingKind
from mia_cli.simulate.setup import Setup

USUAL = 100_000
"""Matches for which nothing else is said: margins of about 0.3 % in a moment."""
CAP = 100_000_000
"""The same with ``until``."""
USUAL_SLOW = 1_000
"""The same where a bot or a player that learns takes part."""
SESSION = 40
"""Matches of a session, where nothing else is said."""
MOST_PAIRED = 64
"""Players of a round-robin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What to simulate. None: as is usual; of a run that goes on from its file, as it is there.

    ``players``: levels or ``bot:NAME``, whose ``commands`` stand by NAME; ``named_rules``: fields
    of ``rules`` that a run in a file has to share. ``until``: half the width of an interval;
    ``session``: matches for which a learning player keeps its memory; ``given``: as in ``Setup``.
    Instead of one run: ``exact`` figures; ``round_robin``, every pair of the players; ``match``,
    one match, from 1.

    ``keep``: the file of the run, held open; ``kept``: a run that goes on, out of ``kept_in``.
    ``log``: the file of every match; ``force`` replaces a foreign one. ``jobs``: processes;
    ``dask``: address of a scheduler. ``seconds``: a bot's time for a decision;
    ``stop_on_fault``: a fault of a bot ends the run, not the match alone; ``forgives``: it costs
    one life (None: as it was kept, or not).
    """

    players: tuple[str, ...] = ()
    rules: RuleSet = field(default_factory=RuleSet)
    named_rules: tuple[str, ...] = ()
    seed: int | None = None
    seating: SeatingKind | None = None
    session: int | None = None
    commands: Mapping[str, str] = field(default_factory=dict)
    given: Given = field(default_factory=dict)
    matches: int | None = None
    until: float | None = None
    exact: bool = False
    round_robin: bool = False
    match: int | None = None
    keep: RunFile | None = None
    kept: State | None = None
    kept_in: str = ""
    log: str | None = None
    force: bool = False
    jobs: int | None = None
    dask: str | None = None
    seconds: float | None = None
    stop_on_fault: bool = False
    forgives: bool | None = None

    def starting_state(self) -> State:
        """The run, new or as it was kept; of a round-robin, what its pairs share.

        Raises BadRuleSet for players that cannot be; NotAllowed("not_exact"), ("already_played")
        and ("needs_option"); BadRecord("other_simulation") (file, option) where another run was
        kept.
        """
        state = self._new() if self.kept is None else self._goes_on(self.kept)
        if self.exact:
            _require_exact(self.players, self.given)
        return state

    def _new(self) -> State:
        most = MOST_PAIRED if self.round_robin else max(SEATS)
        if not self.players:
            raise BadRuleSet("no_players", command="mia simulate --cpu easy --cpu hard")
        if not 2 <= len(self.players) <= most:
            raise BadRuleSet("player_count", given=len(self.players), highest=most)
        players = self.players[:2] if self.round_robin else self.players
        has_sessions = learn(players) and not self.round_robin
        setup = Setup(
            rules=self.rules,
            players=players,
            seed=draw_seed() if self.seed is None else self.seed,
            seating=self.seating or "rotate",
            session=(self.session or SESSION) if has_sessions else 1,
            commands=self._commands(self.players),
            given=self.given,
            forgives=bool(self.forgives),
        )
        usual = USUAL if all_have_tables(self.players, self.given) else USUAL_SLOW
        matches = self.matches or (usual if self.until is None else CAP)
        return new_state(setup, setup.to_play(matches), self.until, self.log)

    def _goes_on(self, kept: State) -> State:
        """The run that was kept, if it is the one that is asked for."""
        setup = kept.setup
        session = self.session if learn(setup.players) else None
        for option, given, expected in (
            ("--cpu", self.players or None, setup.players),
            ("--seed", self.seed, setup.seed),
            ("--seating", self.seating, setup.seating),
            ("--rules", self._named(self.rules), self._named(setup.rules)),
            ("--session", session, setup.session),
            ("--on-fault", self.forgives, setup.forgives),
            ("--bot", self._commands(setup.players), setup.commands),
        ):
            if given is not None and given != expected:
                raise BadRecord("other_simulation", file=self.kept_in, option=option)
        if self.log and kept.done and not kept.log:
            raise BadRecord("other_simulation", file=self.kept_in, option="--log")
        matches = setup.to_play(self.matches or kept.matches)
        if matches < kept.done:
            raise NotAllowed("already_played", done=kept.done, value=matches)
        until = kept.until if self.until is None else self.until
        state = replace(kept, matches=matches, until=until, log=self.log or kept.log)
        if state.log and not (self.log or self.match or is_finished(state)):
            option, other = f"--resume {self.kept_in}", f"--log {state.log}"
            raise NotAllowed("needs_option", option=option, other=other)
        return state

    def _named(self, rules: RuleSet) -> list[int]:
        return [getattr(rules, name) for name in self.named_rules]

    def _commands(self, players: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Names and commands of the bots among the players. Raises BadRuleSet."""
        bots = dict.fromkeys(filter(is_bot, players))
        return tuple(command_of(name, self.commands) for name in bots)


def _require_exact(players: Sequence[str], given: Given) -> None:
    for player in players:
        if not has_tables(given.get(player, player)):
            raise NotAllowed("not_exact", value=player, allowed=FIXED)
