"""The rules to read: on the screen, as JSON, or as a sheet to print."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mia_cli import __version__
from mia_cli.cli import outcome
from mia_cli.cli.outputs import write_json
from mia_cli.presets import TableSettings, resolve
from mia_cli.rules.errors import MiaError
from mia_cli.rules.rolls import NAMES
from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.catalogue import language

SCHEMA = "mia.rules/1"
COMMAND = "mia rules"


@dataclass(frozen=True, slots=True)
class RulesRequest:
    """The options of ``mia rules`` as they were typed."""

    rules: str | None = None
    lives: str | None = None
    penalty_21: str | None = None
    players: str | None = None
    html: str | None = None
    as_json: bool = False
    no_pager: bool = False
    force: bool = False


def show_rules(request: RulesRequest, environ: Mapping[str, str] = os.environ) -> int:
    """Show the rules of a match that began now; returns the exit code. Raises MiaError."""
    settings = _settings(environ, request)
    if request.html is not None:
        from mia_cli.cli.outputs import named_outputs
        from mia_cli.files.outputs import PAGE
        from mia_cli.text.rules.sheet import sheet

        printed = "--json" if request.as_json else None
        named = {"--html": (request.html, PAGE)}
        files = named_outputs(named, force=request.force, printed=printed)
        files["--html"].write(sheet(settings).encode())
    if request.as_json:
        write_json(document(settings))
    elif request.html is None:
        _show_page(settings, paged=not request.no_pager)
    return outcome.DONE


def command_for(
    rules: RuleSet, players: int | None = None, environ: Mapping[str, str] = os.environ
) -> str:
    """The command that shows the rules of this table: its options are what differs from now.

    ``players`` None: the number of seats does not matter.
    """
    try:
        settings = _settings(environ, RulesRequest())
        now = (settings.rules.lives, settings.rules.penalty_21, settings.players)
    except MiaError:
        now = (0, 0, 0)
    options = ("--lives", "--penalty-21", "--players")
    wanted = (rules.lives, rules.penalty_21, players or now[2])
    differ = (
        f"{option} {value}"
        for option, value, has in zip(options, wanted, now, strict=True)
        if value != has
    )
    return " ".join((COMMAND, *differ))


def document(settings: TableSettings) -> dict[str, Any]:
    """The page as ``mia.rules/1``: its texts are in ``language``, all else is not localised."""
    from mia_cli.text.rules.sections import sections

    return {
        "schema": SCHEMA,
        "version": __version__,
        "language": language(),
        "ruleset": {"lives": settings.rules.lives, "penalty_21": settings.rules.penalty_21},
        "players": settings.players,
        "sources": {
            key: {
                "from": source.kind,
                "name": source.name,
                **({} if source.chosen_by is None else {"chosen_by": source.chosen_by}),
            }
            for key, source in settings.sources.items()
        },
        "sections": [
            {"id": section.id, "title": section.title, "text": section.text}
            for section in sections(settings)
        ],
        "order": list(NAMES),
    }


def _settings(environ: Mapping[str, str], request: RulesRequest) -> TableSettings:
    return resolve(
        environ,
        rules=request.rules,
        lives=request.lives,
        penalty_21=request.penalty_21,
        players=request.players,
        cpus=(),
    )


def _show_page(settings: TableSettings, *, paged: bool) -> None:
    from mia_cli.cli import pager
    from mia_cli.cli.screen import columns
    from mia_cli.text.rules.page import page_lines

    pager.show(page_lines(settings, columns()), paged=paged)
