"""The options of ``mia play`` as they were typed, and which of them go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from mia_cli.rules.errors import BadRuleSet, NotAllowed

if TYPE_CHECKING:
    from mia_cli.presets import TableSettings

RANDOM = "random"
"""Of ``--first``: the seed says who leads."""


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """The options of ``mia play`` as they were typed.

    ``day``: the day whose match this is; ``tries``: how often it was finished before.
    """

    players: str | None = None
    cpus: tuple[str, ...] = ()
    rules: str | None = None
    lives: str | None = None
    penalty_21: str | None = None
    first: str = RANDOM
    seed: str | None = None
    name: str | None = None
    tutor: bool = False
    as_json: bool = False
    bots: tuple[str, ...] = ()
    bot_time: str | None = None
    no_memory: bool = False
    pace: str | None = None
    day: str | None = None
    tries: int = 0

    def settings(self, environ: Mapping[str, str]) -> TableSettings:
        """Rules, seats and levels, from these options and what they leave open. Raises MiaError."""
        from mia_cli.presets import resolve

        return resolve(
            environ,
            rules=self.rules,
            lives=self.lives,
            penalty_21=self.penalty_21,
            players=self.players,
            cpus=self.cpus,
        )

    def refuse_settings(self, other: str) -> None:
        """Refuse what a match that has begun has settled. Raises NotAllowed("settled_by_match").

        ``other``: the option that names the match.
        """
        given = self._given(_ABOUT_NOW)
        if given is not None:
            raise NotAllowed("settled_by_match", option=given, other=other)

    def refuse_table(self, other: str) -> None:
        """Refuse whatever says who plays, by which rules and dice. Raises
        NotAllowed("not_together").

        ``other``: the option that says all that.
        """
        given = self._given(_ABOUT_SELF)
        if given is not None:
            raise NotAllowed("not_together", option=other, other=given)

    def _given(self, allowed: tuple[str, ...]) -> str | None:
        """An option that was given and is none of these fields."""
        for field in fields(self):
            if field.name not in allowed and getattr(self, field.name) != field.default:
                named = {"cpus": "--cpu", "bots": "--bot"}
                return named.get(field.name, "--" + field.name.replace("_", "-"))
        return None


_ABOUT_NOW = ("tutor", "as_json", "bots", "bot_time", "pace")
"""Options that a match may be gone on with."""
_ABOUT_SELF = ("name", "tutor", "as_json", "pace")
"""Options that say nothing about the table."""


def first_seat(typed: str, players: int) -> str:
    """``random`` or the number of a seat. Raises BadRuleSet("bad_choice")."""
    plain = typed.strip().lower()
    allowed = (RANDOM, *(str(seat) for seat in range(1, players + 1)))
    if plain not in allowed:
        raise BadRuleSet("bad_choice", place="--first", value=typed, allowed=allowed)
    return plain
