"""Counts of everything that happened in many matches; they add up, in any order.

``count`` makes them from a batch, ``Totals.add`` joins those of two batches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mia_cli.records.head import HUMAN
from mia_cli.records.many.columns import Batch, PlayerKey
from mia_cli.records.many.turns import ACCEPTED, CHALLENGED, PENDING, SHIFTS, WIDTHS, Counts
from mia_cli.rules.rolls import CLAIMS, ROLLS
from mia_cli.stats.choice import Choice
from mia_cli.stats.latest import Latest, latest_of

Spot = tuple[int, int, int, int]
"""Seats at the table, lives, what 21 costs, and the place from the first leader (0: leads)."""

COUNT = len(CLAIMS)
TRUTH, UNDERSTATEMENT, BLUFF, UNKNOWN = range(4)
"""What a claim is; unknown where the roll is."""
RIGHT, WRONG, ACCEPTED_TRUE, ACCEPTED_BLUFF = range(4)
"""What an answer was: a challenge that won or lost, a true claim or a bluff let pass."""
CAUGHT, CAUGHT_21, MISTAKEN, MISTAKEN_21 = range(4)
"""What lives were lost to: one's own bluff, or a wrong challenge; over 21 apart."""
STATES = ("unfinished", "won", "lost")
"""How a match ended for the person; one without a person counts as lost when finished."""
_NOT_WON = 2
SLICE = 2000
"""Matches counted in one go."""
_FEW_PLAYERS = 200
MOST_PLAYERS = 1000
OTHERS: PlayerKey = ("", "other")
"""Stands for all players beyond the first MOST_PLAYERS."""

SHAPES = {
    "claims": (COUNT, 4, 3),
    "gaps": (2 * COUNT - 1,),
    "rolls": (COUNT,),
    "answers": (COUNT, 4),
    "losses": (4,),
}
"""Features of a player: claims by [standing claim, kind, answer]; by [claim - roll + 20]; rolls;
answers by [claim, kind]; lives lost by cause."""
_STARTS: dict[str, int] = {}
_size = 0
for _name, _shape in SHAPES.items():
    _STARTS[_name] = _size
    _size += int(np.prod(_shape))
FEATURES = _size

_SUPPORTS = np.array([[False] * (COUNT + 1)] * (COUNT + 1))
_EXCEEDS = _SUPPORTS.copy()
_UNDERSTATES = _SUPPORTS.copy()
for _roll in ROLLS:
    for _claim in CLAIMS:
        _at = (_roll.position, _claim.position)
        _SUPPORTS[_at] = _roll.supports(_claim)
        _EXCEEDS[_at] = _claim.exceeds(_roll)
        _UNDERSTATES[_at] = _claim.understates(_roll)
_FORCED = np.array([False, *(claim.must_be_challenged for claim in CLAIMS)])


@dataclass
class Record:
    """How one player fared: seats taken in matches, in finished ones, wins, spots, features."""

    matches: int = 0
    finished: int = 0
    wins: int = 0
    spots: Counter[Spot] = field(default_factory=Counter)
    features: Counts = field(default_factory=lambda: np.zeros(FEATURES, dtype=np.int64))

    def part(self, name: str) -> Counts:
        """The features of one name, in their shape."""
        start = _STARTS[name]
        shape = SHAPES[name]
        return self.features[start : start + int(np.prod(shape))].reshape(shape)

    def add(self, other: Record) -> None:
        """Join the counts of another record."""
        self.matches += other.matches
        self.finished += other.finished
        self.wins += other.wins
        self.spots.update(other.spots)
        self.features += other.features


@dataclass
class Totals:
    """``matches[help, person, state]`` (help, person: 0 without, 1 with); ``spots[help]`` of the
    person in finished matches; ``results``: created * 4 + state of every match with a person;
    ``heat[0 the person, 1 the others][roll, claim]``; ``players``."""

    matches: Counts = field(default_factory=lambda: np.zeros((2, 2, 3), dtype=np.int64))
    spots: tuple[Counter[Spot], Counter[Spot]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    results: list[Counts] = field(default_factory=list)
    heat: Counts = field(default_factory=lambda: np.zeros((2, COUNT, COUNT), dtype=np.int64))
    players: dict[PlayerKey, Record] = field(default_factory=dict)

    def add(self, other: Totals) -> None:
        """Join the counts of other matches."""
        self.matches += other.matches
        for mine, its in zip(self.spots, other.spots, strict=True):
            mine.update(its)
        self.results += other.results
        self.heat += other.heat
        for who, record in other.players.items():
            known = who in self.players or len(self.players) < MOST_PLAYERS
            self.players.setdefault(who if known else OTHERS, Record()).add(record)

    def joined(self, *, human: bool) -> Record:
        """All people as one, or all others as one."""
        found = Record()
        for (_, player), record in self.players.items():
            if (player == HUMAN) is human:
                found.add(record)
        return found


@dataclass
class Grouped:
    """All matches, those of each group, and the latest ones that the choice keeps whole."""

    all: Totals = field(default_factory=Totals)
    groups: dict[str, Totals] = field(default_factory=dict)
    latest: Latest = field(default_factory=Latest)

    def add(self, other: Grouped) -> None:
        """Join."""
        self.all.add(other.all)
        self.latest.add(other.latest)
        for key, totals in other.groups.items():
            self.groups.setdefault(key, Totals()).add(totals)


def count_grouped(batch: Batch, choice: Choice) -> Grouped:
    """Counts of the chosen matches, grouped; in slices, which take less memory and less time."""
    found = Grouped()
    for part in batch.slices(SLICE):
        some = choice.chosen(part)
        groups = {key: count(group) for key, group in choice.groups(some)}
        found.add(Grouped(count(some), groups, latest_of(some, choice.latest)))
    return found


def count(batch: Batch) -> Totals:
    """Counts of all matches of a batch."""
    totals = Totals()
    heads = batch.heads
    if not len(heads):
        return totals
    finished, person = heads["winner"] > 0, heads["person"] > 0
    state = np.where(finished, np.where(heads["winner"] == heads["person"], 1, _NOT_WON), 0)
    help_used = (heads["help_used"] > 0).astype(np.int64)
    np.add.at(totals.matches, (help_used, person.astype(np.int64), state), 1)
    totals.results.append((heads["created"] * 4 + state)[person])
    for used, counter in enumerate(totals.spots):
        which = finished & person & (help_used == used)
        places = heads["person"][which].astype(np.int64) - 1
        counter.update(_spots(heads[which], places))
    _count_players(batch, totals)
    _count_turns(batch, totals)
    return totals


def _spots(heads: NDArray[Any], places: Counts) -> Counter[Spot]:
    seats = heads["seats"].astype(np.int64)
    from_leader = (places + 1 - heads["leader"]) % seats
    codes = ((seats * 10 + heads["lives"]) * 10 + heads["penalty"]) * 10 + from_leader
    values, counts = np.unique(codes, return_counts=True)
    found: Counter[Spot] = Counter()
    for code, number in zip(values.tolist(), counts.tolist(), strict=True):
        found[code // 1000, code // 100 % 10, code // 10 % 10, code % 10] = number
    return found


def _count_players(batch: Batch, totals: Totals) -> None:
    heads = batch.heads
    match, place = np.nonzero(heads["players"] >= 0)
    who = heads["players"][match, place]
    finished = heads["winner"][match] > 0
    won = heads["winner"][match] == place + 1
    size = len(batch.players)
    numbers = (np.bincount(who[mask], minlength=size) for mask in (who >= 0, finished, won))
    rows = zip(*(number.tolist() for number in numbers), strict=True)
    for at, (matches, ended, wins) in enumerate(rows):
        if matches:
            record = Record(matches, ended, wins)
            mine = finished & (who == at)
            record.spots = _spots(heads[match[mine]], place[mine])
            key = batch.players[at]
            totals.players.setdefault(key, Record()).add(record)


def part_of(turns: NDArray[np.uint32], name: str) -> Counts:
    """One part of every turn, by its name in ``SHIFTS``."""
    mask = np.uint32((1 << WIDTHS[name]) - 1)
    return ((turns >> np.uint32(SHIFTS[name])) & mask).astype(np.int64)


def _count_turns(batch: Batch, totals: Totals) -> None:
    heads, turns = batch.heads, batch.turns
    match = np.repeat(np.arange(len(heads)), heads["turns"])
    seat, other, roll, claim, standing, answer, lost = (part_of(turns, name) for name in SHIFTS)
    players = heads["players"]
    claimer, answerer = players[match, seat - 1], players[match, other - 1]
    finished = heads["winner"][match] > 0
    own = seat == heads["person"][match]
    said = finished & (claim > 0)
    challenged = finished & (answer == CHALLENGED)
    holds, bluffs = _SUPPORTS[roll, claim], _EXCEEDS[roll, claim]
    kind = np.where(bluffs, BLUFF, np.where(_UNDERSTATES[roll, claim], UNDERSTATEMENT, TRUTH))
    loser = np.where(holds, answerer, claimer)
    cause = np.where(holds, MISTAKEN, CAUGHT) + _FORCED[claim]
    result = np.where(
        answer == ACCEPTED,
        np.where(bluffs, ACCEPTED_BLUFF, ACCEPTED_TRUE),
        np.where(holds, WRONG, RIGHT),
    )
    seen = (finished | own) & (roll > 0)
    keys = (
        _keys(claimer, "claims", (standing * 4 + kind) * 3 + answer, said),
        _keys(claimer, "gaps", claim - roll + COUNT - 1, said),
        _keys(claimer, "rolls", roll - 1, seen),
        _keys(answerer, "answers", (claim - 1) * 4 + result, said & (answer != PENDING)),
        np.repeat(_keys(loser, "losses", cause, challenged), lost[challenged]),
    )
    _spread(totals, np.concatenate(keys), batch.players)
    cells = (np.where(own, 0, COUNT) + roll - 1) * COUNT + claim - 1
    heat = np.bincount(cells[said], minlength=totals.heat.size)
    totals.heat += heat.reshape(totals.heat.shape)


def _keys(who: Counts, name: str, feature: Counts, mask: NDArray[np.bool_]) -> Counts:
    found: Counts = who[mask] * np.int64(FEATURES) + _STARTS[name] + feature[mask]
    return found


def _spread(totals: Totals, keys: Counts, players: Sequence[PlayerKey]) -> None:
    """Add one to the feature that each key names."""
    if len(players) <= _FEW_PLAYERS:
        rows = np.bincount(keys, minlength=len(players) * FEATURES).reshape(-1, FEATURES)
        for player, row in zip(players, rows, strict=True):
            if row.any():
                totals.players.setdefault(player, Record()).features += row
        return
    met, place = np.unique(keys // FEATURES, return_inverse=True)
    counts = np.bincount(place * FEATURES + keys % FEATURES, minlength=len(met) * FEATURES).reshape(
        len(met), FEATURES
    )
    for who, row in zip(met.tolist(), counts, strict=True):
        totals.players.setdefault(players[who], Record()).features += row
