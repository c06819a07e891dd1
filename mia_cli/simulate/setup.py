"""What is to be played: the rules, the players, their seatings, the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import gcd

from mia_cli.players.names import TABLES_FIELD, learn, other_tables, tables_of
from mia_cli.players.registry import Given
from mia_cli.records.head import ruleset_to_json
from mia_cli.records.shapes import seed_from_json, seed_to_json
from mia_cli.rules.errors import BadRecord, BadRuleSet
from mia_cli.rules.ruleset import RuleSet, require_seats
from mia_cli.simulate.seating import KINDS, Seating, SeatingKind, seatings

MOST_SESSION = 1_000
"""Matches of a session, at most: one worker plays them one after another."""


@dataclass(frozen=True)
class Setup:
    """The part of a run that decides what happens in match ``k``, for every ``k``.

    ``players`` are names of levels or ``bot:NAME``, in the order in which they were named;
    ``commands`` are the programs behind bots, ``(NAME, COMMAND)``; ``session`` is for how many
    matches a learning player keeps its memory (1 where none learns); ``first`` is the number of
    the run's first match; ``forgives``: a fault of a bot costs one life and ends the round, instead
    of all its lives; ``given`` are players from outside, under names that stand for them: a
    setup with such players is not kept in files. Raises BadRuleSet for a number of players or a
    seating that cannot be.
    """

    rules: RuleSet
    players: tuple[str, ...]
    seed: int
    seating: SeatingKind = "rotate"
    session: int = 1
    commands: tuple[tuple[str, str], ...] = ()
    first: int = 0
    forgives: bool = False
    given: Given = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        require_seats(len(self.players))
        if self.seating not in KINDS:
            raise BadRuleSet("bad_rule", key="seating", value=self.seating, allowed=KINDS)
        most = MOST_SESSION if learn(self.players) else 1
        if not 1 <= self.session <= most:
            allowed = tuple(sorted({1, most}))
            raise BadRuleSet("bad_rule", key="session", value=self.session, allowed=allowed)

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings of the run."""
        return seatings(len(self.players), self.seating)

    @property
    def cycle(self) -> int:
        """In so many matches, every seating is played equally often, and sessions are whole."""
        if self.session == 1 or self.seating == "fixed":
            return self.session * len(self.seatings)
        fair = self.session % len(self.players) == 0
        return self.session * (self._orders if fair else len(self.seatings))

    def whole_cycles(self, matches: int) -> int:
        """The next number of matches, not below ``matches``, that is made of whole cycles."""
        return -(-matches // self.cycle) * self.cycle

    def to_play(self, matches: int) -> int:
        """How many matches are played where so many are wanted."""
        return self.whole_cycles(matches) if self.seating == "all" else matches

    def seating_number(self, match: int) -> int:
        """Which of ``seatings`` a match has.

        Players learn by seat. So with sessions, the order round the table stays for a session and
        the lead alone moves on with every match. Where orders and leaders would meet again in the
        same way before each order has had every leader, the lead moves on by one more.
        """
        if self.session == 1:
            return match % len(self.seatings)
        if self.seating == "fixed":
            return 0
        players, at = len(self.players), match - self.first
        number = at // self.session
        meetings = self._orders * (players // gcd(self.session * self._orders, players))
        leader = (at + number // meetings) % players
        return number % self._orders * players + leader

    def seating_of(self, match: int) -> Seating:
        """Who sits where in a match."""
        return self.seatings[self.seating_number(match)]

    def place_in_session(self, match: int) -> int:
        """How many matches of its session come before a match."""
        return (match - self.first) % self.session

    @property
    def _orders(self) -> int:
        return len(self.seatings) // len(self.players)

    def to_json(self) -> dict[str, object]:
        """The setup as a JSON object."""
        return {
            "ruleset": ruleset_to_json(self.rules),
            "players": list(self.players),
            TABLES_FIELD: tables_of(self.players),
            "seed": seed_to_json(self.seed),
            "seating": self.seating,
            "session": self.session,
            "commands": [list(command) for command in self.commands],
            "first": self.first,
            **({"on_fault": "life"} if self.forgives else {}),
        }

    @staticmethod
    def from_json(document: Mapping[str, object]) -> Setup:
        """Read what ``to_json`` gave. Raises ValueError, TypeError, KeyError or BadRuleSet.

        And BadRecord("other_tables") (level, found, now) where a level played with other tables
        than it has now: the matches still to be played would not belong to those played.
        """
        rules, players = document["ruleset"], document["players"]
        seating, session, commands = (document[name] for name in ("seating", "session", "commands"))
        if not isinstance(rules, dict) or seating not in KINDS:
            raise ValueError("ruleset")
        found = Setup(
            rules=RuleSet(lives=rules["lives"], penalty_21=rules["penalty_21"]),
            players=tuple(map(_text, _list(players))),
            seed=seed_from_json(document["seed"]),
            seating=next(kind for kind in KINDS if kind == seating),
            session=_whole(session),
            commands=tuple(_pair(command) for command in _list(commands)),
            first=_whole(document["first"], least=0),
            forgives="on_fault" in document,
        )
        if document.get("on_fault", "life") != "life":
            raise ValueError("on_fault")
        _require_present_tables(document.get(TABLES_FIELD, {}), found.players)
        return found


def _require_present_tables(found: object, players: Sequence[str]) -> None:
    if not isinstance(found, dict):
        raise ValueError(TABLES_FIELD)
    for level, version in other_tables(found, players).items():
        now = tables_of([level])[level]
        raise BadRecord("other_tables", level=level, found=_whole(version), now=now)


def _pair(value: object) -> tuple[str, str]:
    name, command = _list(value)
    return _text(name), _text(command)


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise ValueError("list")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("text")
    return value


def _whole(value: object, least: int = 1) -> int:
    if type(value) is not int or value < least:
        raise ValueError("whole number")
    return value
