"""What stood out in another seat's play, as data: codes with figures, no sentences.

Counted from public claims and answers and shown rolls alone. ``usual`` is what the solved
player would have done on the same occasions, so that a habit is told from the luck of the dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

from mia_cli.players.shark.model import Solved
from mia_cli.players.shark.reader import PublicStage
from mia_cli.rules.rolls import CLAIMS, ROLLS, Claim
from mia_cli.theory.rounds import claim_masses
from mia_cli.theory.rule_arrays import FORCED

_ENOUGH_ANSWERS, _ENOUGH_SHOWN = 8, 3
_TELLING = 1.6
"""Standard deviations from the usual below which a count is taken for luck."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A habit: ``times`` of ``of`` occasions; ``usual``: share of the solved player on the same.

    Codes: ``challenged_none_below`` (claims below ``claim`` it answered), ``challenged`` (claims
    it answered, 21 left out, which has to be challenged), ``held`` (shown claims that were true),
    ``doubles_held`` (shown claims of a double that were true), ``told`` (shown rolls that beat the
    standing claim and were claimed as they were), ``lowest_bluff`` (shown bluffs that were the
    lowest legal claim; ``usual`` is None), ``opened`` (rounds led with ``claim``). ``telling``:
    standard deviations from the usual.
    """

    code: str
    seat: int
    times: int
    of: int
    usual: float | None
    telling: float
    claim: Claim | None = None


_KINDS = (
    ("challenged_none_below", "challenged"),
    ("held", "doubles_held", "told", "lowest_bluff"),
    ("opened",),
)
"""Codes that tell of the same side of a player."""


def in_short(notices: Sequence[Notice], most: int) -> tuple[Notice, ...]:
    """The first ``most`` of notices, one of a kind."""
    firsts: dict[tuple[str, ...], Notice] = {}
    for notice in notices:
        firsts.setdefault(next(codes for codes in _KINDS if notice.code in codes), notice)
    return tuple(firsts.values())[:most]


@dataclass(slots=True)
class _Count:
    times: int = 0
    of: int = 0
    usual: float = 0.0
    spread: float = 0.0

    def add(self, happened: bool, usual: float) -> None:
        self.times += happened
        self.of += 1
        self.usual += usual
        self.spread += usual * (1.0 - usual)

    def notice(self, code: str, seat: int, claim: Claim | None = None) -> Notice:
        telling = abs(self.times - self.usual) / sqrt(self.spread + 0.5)
        return Notice(code, seat, self.times, self.of, self.usual / self.of, telling, claim)


@dataclass(slots=True)
class NoticeLog:
    """Everything noticed of one seat's play, in order."""

    answers: list[tuple[int, bool, float]] = field(default_factory=list)
    shown: list[tuple[PublicStage, float, float]] = field(default_factory=list)
    opened: list[tuple[int, tuple[float, ...]]] = field(default_factory=list)

    def copy(self) -> NoticeLog:
        """A log that goes on by itself."""
        return NoticeLog(list(self.answers), list(self.shown), list(self.opened))

    def claimed(self, solved: Solved, stage: PublicStage) -> None:
        """The seat claimed."""
        true, false = claim_masses(solved.claims[stage.standing])
        if not stage.standing:
            self.opened.append((stage.claim, tuple((true + false).tolist())))
        if stage.shown is not None:
            said = float(true[stage.claim] + false[stage.claim])
            share = float(true[stage.claim]) / said if said else 0.5
            told = float(solved.claims[stage.standing, stage.shown, stage.shown])
            self.shown.append((stage, share, told))

    def answered(self, solved: Solved, stage: PublicStage) -> None:
        """The seat answered."""
        if not FORCED[stage.claim]:
            usual = float(solved.challenges[stage.standing, stage.claim])
            self.answers.append((stage.claim, stage.shown is not None, usual))

    def notices(self, seat: int) -> tuple[Notice, ...]:
        """What stands out, the most telling first."""
        found = [*self._of_answers(seat), *self._of_claims(seat), *self._of_openings(seat)]
        found = [notice for notice in found if notice.telling >= _TELLING]
        return tuple(sorted(found, key=lambda notice: -notice.telling))

    def _of_answers(self, seat: int) -> list[Notice]:
        every = _Count()
        for _, challenged, usual in self.answers:
            every.add(challenged, usual)
        found = [every.notice("challenged", seat)] if every.of >= _ENOUGH_ANSWERS else []
        first = min((claim for claim, challenged, _ in self.answers if challenged), default=None)
        below = _Count()
        for claim, challenged, usual in self.answers:
            if first is not None and claim < first:
                below.add(challenged, usual)
        if first is not None and below.of >= _ENOUGH_ANSWERS:
            found.append(below.notice("challenged_none_below", seat, CLAIMS[first]))
        return found

    def _of_claims(self, seat: int) -> list[Notice]:
        held, doubles, told, lowest = _Count(), _Count(), _Count(), _Count()
        for stage, share, truth in self.shown:
            assert stage.shown is not None, "only shown claims are logged here"
            claim, roll = CLAIMS[stage.claim], ROLLS[stage.shown]
            held.add(roll.supports(claim), share)
            if _is_double(claim):
                doubles.add(roll.supports(claim), share)
            if stage.shown >= stage.standing:
                told.add(stage.shown == stage.claim, truth)
            if claim.exceeds(roll):
                lowest.add(stage.claim == stage.standing, 0.0)
        counts = (("held", held), ("doubles_held", doubles), ("told", told))
        found = [count.notice(code, seat) for code, count in counts if count.of >= _ENOUGH_SHOWN]
        if lowest.of >= _ENOUGH_SHOWN and 2 * lowest.times > lowest.of:
            telling = lowest.times / sqrt(lowest.of)
            found.append(Notice("lowest_bluff", seat, lowest.times, lowest.of, None, telling))
        return found

    def _of_openings(self, seat: int) -> list[Notice]:
        if len(self.opened) < _ENOUGH_ANSWERS:
            return []
        claims = [claim for claim, _ in self.opened]
        favourite = max(sorted(set(claims)), key=claims.count)
        if 3 * claims.count(favourite) < len(claims):
            return []
        count = _Count()
        for claim, usual in self.opened:
            count.add(claim == favourite, usual[favourite])
        return [count.notice("opened", seat, CLAIMS[favourite])]


def _is_double(claim: Claim) -> bool:
    return ROLLS[claim.position - 1].ways == 1
