"""The end of a match in figures: what the person did, where it turned, and the running score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mia_cli.files.folders import cache_dir
from mia_cli.records.head import HUMAN
from mia_cli.records.record import MatchRecord
from mia_cli.records.store import MatchStore
from mia_cli.review.story import SeatStory, is_quick, rounds_of, seat_stories
from mia_cli.rules.errors import MiaError

if TYPE_CHECKING:
    from mia_cli.review.decisions import Move, SeatReview


@dataclass(frozen=True, slots=True)
class Score:
    """Finished matches against the same levels, this one included; ``streak`` is positive for
    wins in a row, negative for losses."""

    matches: int
    wins: int
    streak: int


@dataclass(frozen=True, slots=True)
class Summary:
    """``stories`` of all seats. ``review``: of the person, None where the table is not quick."""

    record: MatchRecord
    person: int
    stories: tuple[SeatStory, ...]
    review: SeatReview | None
    score: Score

    @property
    def own(self) -> SeatStory:
        """What the person did."""
        return self.stories[self.person - 1]

    @property
    def rounds(self) -> int:
        """Rounds of the match."""
        return rounds_of(self.record)

    @property
    def turning_point(self) -> Move | None:
        """What moved the person's chance to win most."""
        if self.review is None:
            return None
        return max(self.review.moves, key=lambda move: abs(move.after - move.before))

    @property
    def is_worth_practice(self) -> bool:
        """Whether a decision gave away enough to be asked again."""
        from mia_cli.review.decisions import BAD_FROM

        own = [] if self.review is None else self.review.decisions
        return any(decision.lost >= BAD_FROM for decision in own)

    def as_json(self) -> Mapping[str, object]:
        """The fields of the event ``summary``."""
        turned = self.turning_point
        return {
            "rounds": self.rounds,
            "bluffs": self.own.bluffs,
            "bluffs_passed": self.own.bluffs_passed,
            "bluffs_caught": self.own.bluffs_caught,
            "challenges": self.own.challenges,
            "challenges_right": self.own.challenges_right,
            "win_lost": None if self.review is None else self.review.lost,
            "turning_point": None
            if turned is None
            else {
                "event": turned.event,
                "round": turned.round,
                "kind": turned.kind,
                "before": turned.before,
                "after": turned.after,
            },
            "opponents": [
                {
                    "seat": seat.seat,
                    "player": seat.player,
                    "claims": story.claims,
                    "bluffs": story.bluffs,
                    "bluffs_caught": story.bluffs_caught,
                }
                for seat, story in zip(self.record.seats, self.stories, strict=True)
                if seat.player != HUMAN
            ],
            "record": {
                "matches": self.score.matches,
                "wins": self.score.wins,
                "streak": self.score.streak,
            },
        }


def summary_of(record: MatchRecord, store: MatchStore | None) -> Summary:
    """The summary of a finished match with a person.

    It needs every roll, so nothing of it may be made before the match is over.
    """
    assert record.winner is not None and record.human is not None
    reviewed = None
    if is_quick(record):
        from mia_cli.review.decisions import review
        from mia_cli.theory.solver import known_solution

        reviewed = review(record, known_solution).players[0]
    return Summary(record, record.human, seat_stories(record), reviewed, _score(record, store))


def _score(record: MatchRecord, store: MatchStore | None) -> Score:
    """From the index of the records; of this match alone where they cannot be read."""
    won = record.winner == record.human
    earlier = [] if store is None else _earlier(record, store)
    results = [*earlier, won]
    streak = 0
    for result in reversed(results):
        if result != won:
            break
        streak += 1
    return Score(len(results), sum(results), streak if won else -streak)


def _earlier(record: MatchRecord, store: MatchStore) -> list[bool]:
    """Whether the person won, match by match in the order they were begun."""
    from mia_cli.records.many.index import read_folder
    from mia_cli.records.many.listing import listed

    try:
        found = listed(read_folder(store.folder, cache_dir()))
    except MiaError:
        return []
    levels = sorted(seat.player for seat in record.seats)
    return [
        match.won
        for match in reversed(found)
        if match.won is not None
        and match.id != record.id
        and sorted(player for _name, player in match.players) == levels
    ]
