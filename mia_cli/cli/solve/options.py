"""The options of ``mia solve``, read and checked against one another before anything is solved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mia_cli.cli.outputs import take_stdout
from mia_cli.players.names import FIXED
from mia_cli.presets.settings import number
from mia_cli.rules.errors import BadRuleSet, CannotRead, NotAllowed
from mia_cli.rules.rolls import Claim, Roll
from mia_cli.rules.ruleset import LIVES as STARTING_LIVES
from mia_cli.rules.ruleset import PENALTIES, SEATS
from mia_cli.text.language.roll_names import read_claim, read_roll

LIVES = tuple(range(1, STARTING_LIVES[-1] + 1))
"""Lives a seat may have at some moment of a match."""


@dataclass(frozen=True, slots=True)
class SolveRequest:
    """What to solve and what to show; ``kind`` says which of the other fields count."""

    kind: Literal["table", "all", "at", "ceiling"]
    players: int
    lives: int
    penalty_21: int
    penalties: tuple[int, ...]
    at: tuple[int, ...]
    claim: Claim | None
    above: Claim | None
    roll: Roll | None
    level: str
    efg: bool
    html: str | None
    force: bool


def read(
    *,
    players: str | None,
    lives: str | None,
    penalty_21: str | None,
    everything: bool,
    at: str | None,
    claim: str | None,
    above: str | None,
    roll: str | None,
    ceiling: str | None,
    efg: bool = False,
    html: str | None = None,
    force: bool = False,
    as_json: bool = False,
) -> SolveRequest:
    """Read the options as typed. Raises MiaError: the value, the option, and what is allowed."""
    kind = _kind(everything, at, ceiling)
    if efg:
        _check_efg(kind, {"--above": above, "--roll": roll, "--json": as_json or None})
    if kind in ("all", "at"):
        _refuse({"--players": players, "--lives": lives}, _flag(kind))
    if kind != "at":
        _refuse({"--claim": claim, "--above": above, "--roll": roll}, _flag(kind))
    if html is not None and kind != "table":
        raise NotAllowed("not_together", option="--html", other=_flag(kind))
    take_stdout({"--html": html}, "--json" if as_json else None)
    penalty = _number("--penalty-21", penalty_21, PENALTIES)
    request = SolveRequest(
        kind=kind,
        players=_number("--players", players, SEATS) or SEATS[0],
        lives=_number("--lives", lives, LIVES) or 3,
        penalty_21=penalty or PENALTIES[0],
        penalties=PENALTIES if penalty is None else (penalty,),
        at=() if at is None else _lives(at),
        claim=None if claim is None else read_claim(claim),
        above=None if above is None else read_claim(above),
        roll=None if roll is None else read_roll(roll),
        level="" if ceiling is None else _level(ceiling),
        efg=efg,
        html=html,
        force=force,
    )
    if kind == "at":
        _check_decision(request)
    return request


def _kind(
    everything: bool, at: str | None, ceiling: str | None
) -> Literal["table", "all", "at", "ceiling"]:
    chosen: list[Literal["table", "all", "at", "ceiling"]] = []
    if everything:
        chosen.append("all")
    if at is not None:
        chosen.append("at")
    if ceiling is not None:
        chosen.append("ceiling")
    if len(chosen) > 1:
        raise NotAllowed("not_together", option=_flag(chosen[0]), other=_flag(chosen[1]))
    return chosen[0] if chosen else "table"


def _flag(kind: str) -> str:
    return "" if kind == "table" else f"--{kind}"


def _refuse(given: dict[str, str | None], flag: str) -> None:
    for option, value in given.items():
        if value is not None and flag:
            raise NotAllowed("not_together", option=option, other=flag)
        if value is not None:
            raise NotAllowed("needs_option", option=option, other="--at")


def _check_efg(kind: str, others: dict[str, object]) -> None:
    if kind != "at":
        raise NotAllowed("needs_option", option="--efg", other="--at")
    for option, value in others.items():
        if value is not None:
            raise NotAllowed("not_together", option=option, other="--efg")


def _number(place: str, text: str | None, allowed: tuple[int, ...]) -> int | None:
    return None if text is None else number(place, text, allowed)


def _lives(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    numbers = {str(value): value for value in LIVES}
    if len(parts) not in SEATS or any(part not in numbers for part in parts):
        raise BadRuleSet(
            "bad_lives_vector", value=text, fewest=SEATS[0], most=SEATS[-1], highest=LIVES[-1]
        )
    return tuple(numbers[part] for part in parts)


def _level(text: str) -> str:
    level = text.strip().lower()
    if level not in FIXED:
        raise BadRuleSet("bad_choice", value=text, place="--ceiling", allowed=FIXED)
    return level


def _check_decision(request: SolveRequest) -> None:
    claim, above = request.claim, request.above
    if claim is None and request.roll is None and not request.efg:
        raise CannotRead("needs_claim_or_roll")
    if claim is not None and claim.must_be_challenged:
        raise NotAllowed("standing_21")
    if above is not None and (claim is None or request.roll is not None):
        raise NotAllowed("above_needs_answer")
    if claim is not None and not claim.beats(above):
        raise NotAllowed("claim_too_low", claim=claim.name, above=above.name if above else "")
