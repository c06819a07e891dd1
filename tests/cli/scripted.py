"""Matches settled beforehand: what a person would type, and every event the engine gives for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mia_cli.engine.driver import SeededDice, Table, run
from mia_cli.engine.player import Player
from mia_cli.engine.seed import Stream, first_leader
from mia_cli.players import registry
from mia_cli.rules.events import Event
from mia_cli.rules.match import Accept, Answer, Challenge, Observation, start
from mia_cli.rules.rolls import Claim, claims_above, parse_roll
from mia_cli.rules.ruleset import RuleSet

COMFORTABLE = parse_roll("62")


class Typist:
    """Plays the person by a plain rule and notes every line that has to be typed for it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.over: list[Claim | None] = []

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """The roll itself when it may be claimed, otherwise the lowest legal claim."""
        del uniform
        assert seen.roll is not None
        self.over.append(seen.above)
        legal = claims_above(seen.above)
        true = [claim for claim in legal if not claim.exceeds(seen.roll)]
        claim = true[-1] if true else legal[0]
        self.lines.append(claim.name)
        return claim

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Accept what a middling roll would support."""
        del uniform
        assert seen.claim is not None
        self.over.append(seen.claim)
        believes = COMFORTABLE.supports(seen.claim)
        self.lines.append("a" if believes else "c")
        return Accept() if believes else Challenge()


@dataclass(frozen=True)
class Script:
    """The lines a person types in a match, the claims they are typed over, and all its events."""

    lines: tuple[str, ...]
    over: tuple[Claim | None, ...]
    events: tuple[Event, ...]
    winner: int


def script(
    seed: int,
    cpus: tuple[str, ...] = ("normal", "normal"),
    rules: RuleSet | None = None,
    leader: int | None = None,
    make: Callable[[str, RuleSet], Player] = registry.make,
) -> Script:
    """Play the match through the engine alone; ``make`` gives the player of a level."""
    rules = rules or RuleSet()
    seats = len(cpus) + 1
    match, events = start(rules, seats, leader or first_leader(seed, seats))
    table = Table(match, events)
    typist = Typist()
    players = [typist, *(make(level, rules) for level in cpus)]
    for _ in run(table, players, SeededDice(seed), lambda seat: Stream(seed, f"seat {seat}")):
        pass
    assert table.match.winner is not None
    return Script(tuple(typist.lines), tuple(typist.over), tuple(table.events), table.match.winner)
