"""Plays a match of a run through the engine, event by event.

The same match that the kernel plays, with the same numbers; and the way for players that are no
tables: programs, and players that learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mia_cli.engine.driver import Table, next_action
from mia_cli.engine.player import Player
from mia_cli.engine.policy import position
from mia_cli.engine.seed import Stream
from mia_cli.players.bot.fault import BotFault
from mia_cli.rules.events import Event
from mia_cli.rules.match import (
    Accept,
    Action,
    Answer,
    Challenge,
    MakeClaim,
    Match,
    Observation,
    Throw,
    after_loss,
    in_playing_order,
    start,
)
from mia_cli.rules.rolls import CLAIMS, ROLLS, Claim, Roll
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.lockstep.alias_tables import ROLL_OF_OUTCOME, Pool
from mia_cli.simulate.lockstep.draws import ANSWER_BITS, CLAIM_BITS, Draws
from mia_cli.simulate.seating import Seating
from mia_cli.theory.rule_arrays import CLAIM_COUNT, Lives

_ROLL_OF: list[Roll] = [ROLLS[index] for index in ROLL_OF_OUTCOME.tolist()]
_OUTCOME_OF = [_ROLL_OF.index(roll) for roll in ROLLS]
"""By position - 1, some outcome that is this roll: rows of equal rolls are equal."""


class MatchDice:
    """The dice of one match of a run: the roll of every turn."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws

    def __call__(self, number: int) -> Roll:
        return _ROLL_OF[self._draws.outcome(number)]


class MatchStream(Stream):
    """The numbers for decisions of one match: a claim and an answer in every turn."""

    __slots__ = ("_draws",)

    def __init__(self, draws: Draws) -> None:
        self._draws = draws

    def uniform(self, number: int) -> float:
        """A number in [0, 1) for the decision ``number`` of the match."""
        turn, is_answer = divmod(number, 2)
        if is_answer:
            return self._draws.answer(turn) * 2.0**-ANSWER_BITS
        return self._draws.claim(turn) * 2.0**-CLAIM_BITS

    def __repr__(self) -> str:
        return "MatchStream()"


class TablePlayer:
    """Plays a table of the pool, drawing exactly as the kernel does."""

    def __init__(self, pool: Pool, table: int) -> None:
        self._pool, self._table = pool, table

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """The claim that the table and the number lead to."""
        if seen.roll is None:
            raise AssertionError("a claim was asked of a seat that has not rolled")
        return self.claim_for(seen.lives, seen.roller, seen.above, seen.roll, uniform)

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """The answer that the table and the number lead to."""
        if seen.claim is None:
            raise AssertionError("an answer was asked of a seat that heard no claim")
        return self.answer_to(seen.lives, seen.roller, seen.above, seen.claim, uniform)

    def act(self, match: Match, uniform: float) -> Action:
        """As ``claim`` and ``answer``, without the cost of an Observation.

        Of the match, nothing is used that an Observation would not tell.
        """
        if match.phase == "claim" and match.roll is not None:
            claim = self.claim_for(match.lives, match.roller, match.above, match.roll, uniform)
            return MakeClaim(claim)
        if match.claim is None:
            raise AssertionError("an answer was asked where no claim stands")
        return self.answer_to(match.lives, match.roller, match.above, match.claim, uniform)

    def claim_for(
        self, lives: Lives, roller: int, above: Claim | None, roll: Roll, uniform: float
    ) -> Claim:
        """The claim for a roll over ``above``; ``lives`` by seat."""
        place = self._pool.place(self._table, in_playing_order(lives, roller))
        standing = position(above)
        number = int(uniform * 2.0**CLAIM_BITS)
        code = self._pool.draw_claim(place, standing, _OUTCOME_OF[roll.position - 1], number)
        return CLAIMS[(code >> 1) % CLAIM_COUNT]

    def answer_to(
        self, lives: Lives, roller: int, above: Claim | None, claim: Claim, uniform: float
    ) -> Answer:
        """The answer to ``claim``, made over ``above``."""
        if claim.must_be_challenged:
            return Challenge()
        place = self._pool.place(self._table, in_playing_order(lives, roller))
        standing = position(above)
        code = (standing * CLAIM_COUNT + claim.position - 1) * 2
        number = int(uniform * 2.0**ANSWER_BITS)
        return Challenge() if self._pool.draw_challenge(place, code, number) else Accept()


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat that lost a match, or a life, by a fault, ``after`` so many events."""

    seat: int
    fault: BotFault
    after: int


def play_match(  # noqa: PLR0913 - a match, and what becomes of faults
    rules: RuleSet,
    players: Sequence[Player],
    seating: Seating,
    draws: Draws,
    forfeits: list[Forfeit] | None = None,
    *,
    forgives: bool = False,
) -> list[Event]:
    """All events of a match. ``players`` as named; whatever one of them raises passes through.

    With a list for ``forfeits``, a BotFault is added to it instead, and the match goes on without
    that seat; if it ``forgives``, with a life less of that seat.
    """
    seats = [players[player] for player in seating.order]
    table = Table(*start(rules, len(seats), seating.leader))
    dice, streams = MatchDice(draws), [MatchStream(draws)] * len(seats)
    while table.match.phase != "over":
        seat = table.match.to_act
        player = None if seat is None else seats[seat - 1]
        if seat is None:
            action: Action = Throw(dice(table.rolls))
        elif isinstance(player, TablePlayer):
            action = player.act(table.match, streams[0].uniform(table.decisions))
        else:
            try:
                action = next_action(table, seats, dice, streams)
            except BotFault as fault:
                if forfeits is None:
                    raise
                forfeits.append(Forfeit(seat, fault.anew(), len(table.events)))
                table = without(table, seat, 1 if forgives else table.match.lives[seat - 1])
                continue
        table.step(action)
    return table.events


def without(table: Table, seat: int, lives: int) -> Table:
    """The table once ``seat``, whose decision it was, has lost so many lives by a fault.

    The round ends there, without a challenge; the next one begins as after any loss.
    """
    after, events = after_loss(table.match, seat, lives)
    left = Table(after, [*table.events, *events])
    # Every roll has two numbers for decisions, whether both were asked for or not.
    left.decisions = 2 * left.rolls
    return left
