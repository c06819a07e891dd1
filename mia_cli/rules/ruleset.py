"""The two values that vary between tables, and the limits on a table."""

from __future__ import annotations

from dataclasses import dataclass

from mia_cli.rules.errors import BadRuleSet

LIVES = (2, 3, 5)
"""Lives a seat may start with."""
PENALTIES = (1, 2)
"""Lives lost over a claim of 21."""
SEATS = (2, 3, 4, 5, 6)
"""Sizes of a table."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Lives at the start and the loss over a claim of 21.

    Raises BadRuleSet naming the key, the value and what is allowed.
    """

    lives: int = 3
    penalty_21: int = 1

    def __post_init__(self) -> None:
        _require("lives", self.lives, LIVES)
        _require("penalty_21", self.penalty_21, PENALTIES)


def require_seats(seats: object) -> int:
    """Check a number of seats; raises BadRuleSet."""
    return _require("players", seats, SEATS)


def _require(key: str, value: object, allowed: tuple[int, ...]) -> int:
    # bool is an int to isinstance, and 3.0 == 3: neither is a number of lives.
    if type(value) is not int or value not in allowed:
        raise BadRuleSet("bad_rule", key=key, value=value, allowed=allowed)
    return value
