"""The options of ``mia play`` as they were typed, and which of them go together."""

from __future__ import annotations

from dataclasses import dataclass, fields

from mia_cli.rules.errors import NotAllowed


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """The options of ``mia play`` as they were typed."""

    players: str | None = None
    cpus: tuple[str, ...] = ()
    rules: str | None = None
    lives: str | None = None
    penalty_21: str | None = None
    first: str = "random"
    seed: str | None = None
    name: str | None = None
    tutor: bool = False
    as_json: bool = False
    bots: tuple[str, ...] = ()
    bot_time: str | None = None
    no_memory: bool = False
    pace: str | None = None

    def refuse_settings(self, other: str) -> None:
        """Refuse what a match that has begun has settled. Raises NotAllowed("settled_by_match").

        ``other``: the option that names the match.
        """
        for field in fields(self):
            if field.name not in _ABOUT_NOW and getattr(self, field.name) != field.default:
                option = {"cpus": "--cpu"}.get(field.name, "--" + field.name.replace("_", "-"))
                raise NotAllowed("settled_by_match", option=option, other=other)


_ABOUT_NOW = ("tutor", "as_json", "bots", "bot_time", "pace")
"""Options that a match may be gone on with."""
