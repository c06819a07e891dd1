"""The equilibrium of one stage: a hidden roll, a claim, an answer. Many stages at once.

Everything a stage leads to is known: for each legal claim what the two seats get when it is
challenged and holds, when it is challenged and does not, and when it is accepted. For the roller
a roll matters only by the claims it supports; the answering seat sees the claim and compares how
often it is true.

Let ``b`` be the value of bluffing. A claim that is worth more than ``b`` when accepted is
challenged just often enough that bluffing it is worth ``b``. Then making it truthfully is worth
more, by the chance of a challenge times what a held challenge gains, and the order of true
claims by value is that of their value when accepted, whatever ``b`` is. So truth is told at the
*records* of that order (each beats all lower claims), rolls whose best record is worth less than
``b`` bluff, and a record takes as many bluffs as make the answering seat indifferent. Raising
``b``, fewer bluffs are wanted and more rolls bluff: both change only where ``b`` passes a record,
so the crossing is at a record, or at the lowest possible ``b``, where claims that are always
challenged (or, forced, never) take the surplus. No search and no tolerance is needed.

Odd stages, which occur with three or more seats: a seat that gains (or loses) by challenging true
and false claims alike has a forced answer; a roll of 21 cannot bluff and may prefer a lower claim
to 21, or mix; a roller that prefers being caught to holding bluffs always. With a dearer 21, a
roller that prefers being caught to being accepted, or a seat that prefers losing a challenge,
would need more than this; no state of any table is like that, as the gain of the whole shows.

Among equally good claims a *dominated* one (``dominance``) is not made: rolls that could bluff or
tell the truth for the same value tell it where no bluff is needed, a roll of 21 makes a lower claim
where that is as good whatever the answer, and nobody doubts 31.

Where the answer to a claim that is never made, or the place of surplus bluffs, is free, the
choice that costs the opponent of ``tie_breaking`` most is taken, as far as no roll gains by it.

Arrays are [J legal claims from the lowest, B stages] unless said otherwise; the last row is 21.
Where stages of several standing claims are solved together, all claims are rows; claims that are
not legal pay -inf, which nobody chooses, and rolls that nobody may claim bluff.
Sums run in a fixed order and no fused operations are used, so that results do not depend on
the machine or on which stages are solved together.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from mia_cli.theory import tie_breaking
from mia_cli.theory.rule_arrays import CHANCES, LEGAL, Bools, Floats, Ints

_BELOW: Floats = np.concatenate([[0.0], np.cumsum(CHANCES)])
"""[22] chance of a roll below each position - 1."""
_TOP = float(CHANCES[-1])
"""Chance of 21, the roll that no claim exceeds."""
_TIE = 1e-13
"""Values that differ by less are equal: they were rounded on different ways."""


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What a stage leads to.

    For the roller: ``held`` (challenged, and the claim holds), ``caught`` (challenged, a bluff),
    ``accepted``, which is not read for 21. For the answering seat, what a challenge gains over
    accepting: ``challenge_true`` of a claim that holds, ``challenge_false`` of a bluff.
    ``lowest``: row of the lowest legal claim, or [B] rows.
    """

    held: Floats
    caught: Floats
    accepted: Floats
    challenge_true: Floats
    challenge_false: Floats
    lowest: Ints | int = 0


@dataclass(frozen=True, slots=True)
class StageEquilibrium:
    """An equilibrium of each stage; ``lowest`` as in ``Payoffs``.

    ``challenge``: chance of a challenge. ``bluffing``[J rows of rolls above the standing claim,
    B]: chance that such a roll bluffs (lower rolls always do), 21 never. ``target``: which claim
    is made then. ``truth``: row of the claim made otherwise. ``understate``[B]: chance that 21 is
    claimed as ``top``[B], the row of the most valuable record.
    """

    standing: int
    lowest: Ints | int
    challenge: Floats
    bluffing: Floats
    target: Floats
    truth: Ints
    understate: Floats
    top: Ints

    def masses(self) -> tuple[Floats, Floats]:
        """Chances that each claim is made and holds, and that it is made as a bluff."""
        rolls = _of_claims(LEGAL * CHANCES, self.standing, self.lowest)
        below = np.add.accumulate(self.bluffing[:-1] * rolls[:-1], axis=0)
        low = np.full((1, below.shape[1]), _BELOW[self.standing + self.lowest])
        below = np.concatenate([low, low + below])
        true = self.target * (below[-1] - below)
        honest = (1.0 - self.bluffing[:-1]) * rolls[:-1]
        false = self.target * below
        columns = np.arange(true.shape[1])
        holds = self.truth[:-1] <= np.arange(len(honest))[:, None]
        np.add.at(true, (self.truth[:-1], columns[None]), honest * holds)
        np.add.at(false, (self.truth[:-1], columns[None]), honest * ~holds)
        true[self.top, columns] += _TOP * self.understate
        true[-1] += _TOP * (1.0 - self.understate)
        return true, false

    def claims(self) -> Floats:
        """[21 rolls, J, B] chance of each claim given the roll."""
        rows, stages = self.target.shape
        table = np.zeros((len(CHANCES), rows, stages))
        first = len(CHANCES) - rows
        table[:first] = self.target
        table[first:] = self.bluffing[:, None] * self.target
        columns = np.arange(stages)
        honest = np.arange(first, len(CHANCES) - 1)[:, None]
        table[honest, self.truth[:-1], columns] += 1.0 - self.bluffing[:-1]
        table[-1, self.top, columns] += self.understate
        table[-1, -1] += 1.0 - self.understate
        return table


@dataclass(frozen=True, slots=True)
class _Kinds:
    """What can be said of each claim before ``b`` is known.

    ``never`` and ``always``: the answer is forced (21; a seat that prefers to lose the challenge
    is taken to expect the truth). ``key``: what orders true claims, -inf where they are never
    worth more than bluffing. ``odds``: bluffs that balance one true claim. ``floor``[B]: the lowest
    possible value of bluffing.
    """

    never: Bools
    always: Bools
    key: Floats
    odds: Floats
    floor: Floats

    @classmethod
    def of(cls, pay: Payoffs) -> _Kinds:
        never = (pay.challenge_true <= 0.0) & (pay.challenge_false <= 0.0)
        always = (pay.challenge_true >= 0.0) & ~never
        never[-1], always[-1] = False, True
        if len(never) == len(CHANCES):
            # No roll is below 31: only the truth is doubted there.
            never[0], always[0] = pay.challenge_true[0] <= 0.0, pay.challenge_true[0] > 0.0
        least = np.where(never, pay.accepted, np.minimum(pay.accepted, pay.caught))
        floor = np.where(always, pay.caught, least).max(axis=0)
        key = np.where(always, pay.held, pay.accepted)
        gains = pay.held >= pay.caught
        key = np.where(gains | never | always | (key <= floor), key, -np.inf)
        key[-1] = -np.inf
        odds = np.where(never | always, 0.0, -pay.challenge_true / pay.challenge_false)
        return cls(never, always, key, odds, floor)

    def some(self, columns: Bools) -> _Kinds:
        """The same for some of the stages."""
        return _Kinds(*(getattr(self, field.name)[..., columns] for field in fields(self)))

    def challenge(self, pay: Payoffs, value: Floats) -> Floats:
        """The least chance of a challenge that makes no bluff worth more than ``value``[B]."""
        gap = pay.accepted - pay.caught
        chance = np.where(pay.accepted > value, (pay.accepted - value) / gap, 0.0)
        chance = np.where(self.always, 1.0, np.minimum(chance, 1.0))
        return np.where(self.never, 0.0, chance)


@dataclass(slots=True)
class _Crossing:
    """Where the bluffs that are wanted and the rolls that bluff meet.

    ``value``[B] of bluffing; ``record``: rows where truth is told; ``cut``[B]: the first row of
    rolls that need not bluff, ``end``[B] and ``share``[B]: up to where, and how much, they bluff
    all the same; ``wanted``: bluffs on each claim; ``surplus``[B]: bluffs without a place yet.
    """

    value: Floats
    record: Bools
    cut: Ints
    end: Ints
    share: Floats
    wanted: Floats
    surplus: Floats

    def put(self, columns: Bools, other: _Crossing) -> None:
        """Replace some of the stages."""
        for field in fields(self):
            getattr(self, field.name)[..., columns] = getattr(other, field.name)


def solve_stage(standing: int, pay: Payoffs) -> StageEquilibrium:
    """An equilibrium of each stage after the standing claim at a position 0..20.

    Of several standing claims, that of each stage is ``pay.lowest``, and ``standing`` is 0.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        kinds = _Kinds.of(pay)
        met = _cross(kinds, kinds.floor, 0.0)
        top, understate = _place_mia(pay, kinds, met)
        challenge = kinds.challenge(pay, met.value)
        rows = np.arange(len(challenge))[:, None]
        bluffing = np.where(rows < met.cut, 1.0, np.where(rows < met.end, met.share, 0.0))
        truth = np.maximum.accumulate(np.where(met.record, rows, pay.lowest), axis=0)
        own, told = _tell(pay, kinds, met)
        bluffing, truth = np.where(own < 0, bluffing, 1.0 - told), np.where(own < 0, truth, own)
        target = _targets(standing, pay, kinds, met, challenge)
        play = StageEquilibrium(
            standing, pay.lowest, challenge, bluffing, target, truth, understate, top
        )
        _dive(pay, kinds, met.value, play)
        _punish(pay, kinds, met.value, play)
    return play


def _of_claims(table: Floats, standing: int, lowest: Ints | int) -> Floats:
    """[J, 1 or B] the part of a table [21 standings, 21 claims] that is about these stages."""
    return table[standing, standing:, None] if isinstance(lowest, int) else table[lowest].T


def _cross(kinds: _Kinds, floor: Floats, joined: float | Floats) -> _Crossing:
    """Find the value of bluffing, not below ``floor``[B].

    ``joined``, for all or [B]: mass of the roll of 21 that tells the truth at the last record.
    """
    rows, stages = kinds.key.shape
    index, columns = np.arange(rows)[:, None], np.arange(stages)
    below = _BELOW[-1 - rows : -1]
    best = np.maximum(np.maximum.accumulate(kinds.key, axis=0), floor)
    record = kinds.key > np.concatenate([floor[None], best[:-1]]) + _TIE
    # Rolls from one record up to the next tell the truth at the first of them.
    coming = np.minimum.accumulate(np.where(record, index, rows - 1)[::-1], axis=0)[::-1]
    after = np.concatenate([coming[1:], np.full((1, stages), rows - 1)])
    lower, upper = np.broadcast_to(below[:, None], record.shape), below[after]
    true = upper - lower + np.where(after == rows - 1, joined, 0.0)
    wanted = np.where(record, true * kinds.odds, 0.0)
    at_or_above = np.add.accumulate(wanted[::-1], axis=0)[::-1]
    at_or_above = np.concatenate([at_or_above, np.zeros((1, stages))])

    first = coming[0]
    lowest = at_or_above[0] <= below[first]
    star = np.where(record & (at_or_above[1:] <= upper), index, rows - 1).min(axis=0)
    cut = np.where(lowest, first, star)
    end = np.where(lowest, first, after[star, columns])
    bluffs = np.where(lowest, at_or_above[0], at_or_above[1:][star, columns])
    extra = bluffs - below[cut]
    spread = below[end] - below[cut]
    share = np.where(extra > 0.0, extra / np.where(spread > 0.0, spread, 1.0), 0.0)
    surplus = np.maximum(-extra, 0.0)
    wanted = np.where(lowest | (index > star), wanted, 0.0)
    # At a record, what is left of the bluffs fits there without making a challenge pay.
    wanted[star, columns] += np.where(lowest, 0.0, surplus)
    return _Crossing(
        value=np.where(lowest, floor, kinds.key[star, columns]),
        record=record,
        cut=cut,
        end=end,
        share=share,
        wanted=wanted,
        surplus=np.where(lowest, surplus, 0.0),
    )


def _place_mia(pay: Payoffs, kinds: _Kinds, met: _Crossing) -> tuple[Ints, Floats]:
    """Where a roll of 21 claims less than 21: put that into ``met``.

    Returns [B] the row of the lower claim, and its chance. It is the lower claim where that is
    worth at least as much whatever the answer. Otherwise 21 if that is worth as much as the last
    record when it does; the last record if that is worth as much when it does; else both, at the
    value of bluffing that makes them equal.
    """
    columns = np.arange(kinds.key.shape[1])
    rows, mia = np.arange(len(kinds.key))[:, None], pay.held[-1]
    last = np.where(met.record, rows, -1).max(axis=0)
    top = np.where(last >= 0, last, np.maximum(kinds.key.argmax(axis=0), pay.lowest))
    understate = np.zeros(len(top))
    if len(rows) == 1:
        return top, understate
    best = pay.accepted[:-1].argmax(axis=0)
    ends = pay.held[best, columns], pay.accepted[best, columns]
    shuns = (np.minimum(*ends) >= mia - _TIE) & (np.maximum(*ends) > mia + _TIE)
    shuns &= pay.held[pay.lowest, columns] >= pay.caught[pay.lowest, columns]
    top = np.where(shuns & (kinds.key[top, columns] <= mia), best, top)

    def worth() -> Floats:
        chance = kinds.challenge(pay, met.value)[top, columns]
        record = chance * pay.held[top, columns] + (1.0 - chance) * pay.accepted[top, columns]
        return np.where(kinds.key[top, columns] > -np.inf, record, -np.inf)

    lower = shuns | (worth() > mia + _TIE)
    if not lower.any():
        return top, understate
    understate[lower] = 1.0
    some = kinds.some(lower)
    # A claim that is no record is answered alike whoever makes it.
    joined = np.where(met.record[top, columns], _TOP, 0.0)[lower]
    met.put(lower, _cross(some, some.floor, joined))
    both = lower & ~shuns & (worth() < mia)
    if both.any():
        place = (top[both], columns[both])
        held, accepted = pay.held[place], pay.accepted[place]
        chance = (mia[both] - accepted) / (held - accepted)
        value = chance * pay.caught[place] + (1.0 - chance) * accepted
        mixed = _cross(kinds.some(both), value, 0.0)
        mixed.wanted[top[both], np.arange(len(value))] += mixed.surplus
        understate[both] = np.minimum(mixed.surplus / (kinds.odds[place] * _TOP), 1.0)
        mixed.surplus[:] = 0.0
        met.put(both, mixed)
    return top, understate


def _tell(pay: Payoffs, kinds: _Kinds, met: _Crossing) -> tuple[Ints, Floats]:
    """Let rolls tell the truth instead of making surplus bluffs, where that is worth as much.

    So it is where the claim of the roll, or a lower one, is never challenged and worth the value
    of bluffing: being caught could only be worse. Returns the row of that claim for each row of
    rolls (-1: it has none), and the chance [B] to make it. Takes what is told from the surplus.
    """
    rows = np.arange(len(kinds.never))[:, None]
    plain = kinds.never & (pay.accepted >= met.value - _TIE)
    own = np.maximum.accumulate(np.where(plain, rows, -1), axis=0)
    own = np.where((rows < met.cut) & (met.surplus > 0.0), own, -1)
    mass = np.add.accumulate(np.where(own < 0, 0.0, CHANCES[-len(own) :, None]), axis=0)[-1]
    told = np.minimum(met.surplus, mass)
    met.surplus -= told
    return own, told / np.where(mass > 0.0, mass, 1.0)


def _dive(pay: Payoffs, kinds: _Kinds, value: Floats, play: StageEquilibrium) -> None:
    """Where a roller prefers being caught, but being accepted to that, bluff on 66 and not on 21.

    Of the rolls only 66 is claimed as 21 then, and 21 as 66, which hides behind the bluffs: they
    are challenged all the same. Changes ``play``. (Of all tables, four seats with 5, 2, 5 and 1
    lives need it.)
    """
    if len(play.target) < 2:
        return
    held, caught = pay.held[-2], pay.caught[-2]
    dives = (play.target[-1] == 1.0) & (play.understate == 0.0) & (value <= caught)
    dives &= (held < caught) & (held <= pay.caught[-1]) & (pay.accepted[-2] > caught + _TIE)
    dives &= (play.challenge[-2] == 1.0) & ~kinds.always[-2]
    dives &= _TOP * pay.challenge_true[-2] + _BELOW[-3] * pay.challenge_false[-2] > 0.0
    last = len(play.target) - 1
    play.target[-2:, dives] = np.array([[1.0], [0.0]])
    play.bluffing[-2, dives], play.truth[-2, dives] = 0.0, last
    play.understate[dives], play.top[dives] = 1.0, last - 1


def _targets(
    standing: int, pay: Payoffs, kinds: _Kinds, met: _Crossing, challenge: Floats
) -> Floats:
    """Chances of the claims that bluffing rolls make, with the surplus where it costs most.

    A surplus goes to a claim that is always challenged, or never, and worth the value of
    bluffing; the rolls that bluff are below it, or it does not matter.
    """
    rows = np.arange(len(challenge))[:, None]
    bluff = challenge * pay.caught + (1.0 - challenge) * pay.accepted
    takes = kinds.never | ((challenge == 1.0) & (rows >= met.cut) & (pay.challenge_false >= 0.0))
    takes[-1] = True
    takes &= bluff >= met.value
    feared = _of_claims(tie_breaking.challenges(), standing, pay.lowest)
    passed = np.where(kinds.never, pay.caught, pay.accepted)
    hope = feared * pay.caught + (1.0 - feared) * passed
    hope[-1] = pay.caught[-1]
    # A roller that prefers being caught must bluff with every roll: as high as possible.
    hope = np.where(pay.held >= pay.caught, hope, rows - pay.lowest)
    home = np.maximum(np.where(takes, hope, -np.inf).argmax(axis=0), pay.lowest)
    bluffs = met.wanted
    bluffs[home, np.arange(len(home))] += met.surplus
    total = np.add.accumulate(bluffs, axis=0)[-1]
    return bluffs / np.where(total > 0.0, total, 1.0)


def _punish(pay: Payoffs, kinds: _Kinds, value: Floats, play: StageEquilibrium) -> None:
    """Answer claims that are never made as a careless roller deserves.

    Such a claim may be challenged more often than needed, as long as no roll would rather make it
    truthfully. Changes ``play.challenge``.
    """
    challenge, columns = play.challenge, np.arange(len(value))
    true, false = play.masses()
    free = (true == 0.0) & (false == 0.0) & ~kinds.always & ~kinds.never
    honest = challenge * pay.held + (1.0 - challenge) * pay.accepted
    told = honest[play.truth, columns]
    rolls = np.where(play.bluffing > 0.0, value, told)
    rolls[-1] = np.maximum(pay.held[-1], honest[play.top, columns])
    bound = np.minimum.accumulate(rolls[::-1], axis=0)[::-1]
    gain = pay.held - pay.accepted
    most = np.where(gain > 0.0, (bound - pay.accepted) / gain, 1.0)
    most = np.minimum(np.maximum(most, challenge), 1.0)
    at = play.standing, pay.lowest
    said = tuple(_of_claims(masses, *at) for masses in tie_breaking.claims())
    pays = said[0] * pay.challenge_true + said[1] * pay.challenge_false > 0.0
    challenge[:] = np.where(free & pays, most, challenge)
