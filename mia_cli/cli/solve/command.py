"""``mia solve``: the solution of a table, of one decision, and the ceilings of the levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mia_cli.cli.app import MiaCommand, app
from mia_cli.text.language.catalogue import N_

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mia_cli.cli.solve.options import Options
    from mia_cli.theory import Solution

HELP = N_(
    """Examples:

\b
  mia solve                             two seats, 3 lives: values, opening
  mia solve --players 4 --lives 5 --penalty-21 2
  mia solve --at 3,1 --claim 55         accept or challenge?
  mia solve --at 3,1 --claim 55 --roll 33   what to claim over 55 with 33?
  mia solve --ceiling normal            what can be won against normal at most
  mia solve --all --json                every table

Show the solution of Mia. With two seats it cannot be beaten; with more it is an equilibrium."""
)


@app.command(
    "solve",
    cls=MiaCommand,
    help=HELP,
    short_help=N_("The solved game: what to claim and when to challenge."),
)
def solve(  # noqa: PLR0917 - one parameter per option
    players: Annotated[
        str | None, typer.Option(metavar="2..6", help=N_("Seats at the table (2)."))
    ] = None,
    lives: Annotated[
        str | None, typer.Option(metavar="1..5", help=N_("Lives of every seat (3)."))
    ] = None,
    penalty_21: Annotated[
        str | None,
        typer.Option("--penalty-21", metavar="1|2", help=N_("Lives lost over a claim of 21 (1).")),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help=N_("Every table."))] = False,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="LIVES",
            help=N_("One decision: lives from the seat to act, in playing order: 3,1,2."),
        ),
    ] = None,
    claim: Annotated[
        str | None, typer.Option(metavar="CLAIM", help=N_("With --at: the standing claim."))
    ] = None,
    above: Annotated[
        str | None,
        typer.Option(
            metavar="CLAIM", help=N_("With --at and --claim: the claim that stood before it.")
        ),
    ] = None,
    roll: Annotated[
        str | None,
        typer.Option(metavar="ROLL", help=N_("With --at: the roll, and the decision is a claim.")),
    ] = None,
    ceiling: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help=N_("The best response against a level.")),
    ] = None,
    efg: Annotated[
        bool,
        typer.Option(
            "--efg", help=N_("With --at, lives from the roller: that stage as a Gambit game.")
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help=N_("JSON instead of text."))] = False,
) -> None:
    """Read the options, solve, and show one of five things."""
    from mia_cli.cli.solve.options import read

    options = read(
        players=players,
        lives=lives,
        penalty_21=penalty_21,
        everything=everything,
        at=at,
        claim=claim,
        above=above,
        roll=roll,
        ceiling=ceiling,
        efg=efg,
        as_json=as_json,
    )
    if options.efg:
        typer.echo(_stage_as_game(options), nl=False)
        return
    show = {"all": _every_table, "at": _decision, "ceiling": _ceiling, "table": _table}
    document, lines = show[options.kind](options)
    _print(document, lines, as_json)


def _print(document: Mapping[str, object], lines: Sequence[str], as_json: bool) -> None:
    import json

    from mia_cli.cli.screen import screen

    if as_json:
        typer.echo(json.dumps(document))
        return
    out = screen()
    for text in lines:
        out.say(text)


def _table(options: Options) -> tuple[dict[str, object], list[str]]:
    from mia_cli.cli.solving import solution_for
    from mia_cli.text import solve as text
    from mia_cli.theory import max_gain

    players, lives, penalty = options.players, options.lives, options.penalty_21
    solution = solution_for(players, lives, penalty)
    start = (lives,) * players
    values, gain = solution.values(start).tolist(), max_gain(solution)
    document = {"schema": "mia.solve/1", **_described(players, lives, penalty, values, gain)}
    lines = [
        text.title(players, lives, penalty),
        "",
        *text.seat_values(values),
        text.proof(gain, players),
        "",
        *text.opening_play(solution, start),
        "",
        *text.challenge_table(solution, start),
    ]
    return document, lines


def _described(
    players: int, lives: int, penalty_21: int, values: list[float], gain: float
) -> dict[str, object]:
    return {
        "players": players,
        "lives": lives,
        "penalty_21": penalty_21,
        "win_probability": values,
        "max_gain": gain,
    }


def _every_table(options: Options) -> tuple[dict[str, object], list[str]]:
    from mia_cli.cli.solving import solution_for
    from mia_cli.rules.ruleset import LIVES, SEATS
    from mia_cli.text import solve as text
    from mia_cli.theory import max_gain

    rows = []
    for penalty in options.penalties:
        solution = solution_for(SEATS[-1], LIVES[-1], penalty)
        gain = max_gain(solution)
        for players in SEATS:
            for lives in LIVES:
                values = solution.values((lives,) * players).tolist()
                rows.append((players, lives, penalty, values, gain))
    tables = [_described(*row) for row in rows]
    document: dict[str, object] = {"schema": "mia.solve/1", "tables": tables}
    return document, text.every_table(rows)


def _decision(options: Options) -> tuple[dict[str, object], list[str]]:
    from mia_cli.cli.advice_json import advice_json
    from mia_cli.cli.solving import solution_for
    from mia_cli.text import solve as text
    from mia_cli.theory.advice import advise_answer, advise_claim

    lives = options.at
    solution: Solution = solution_for(len(lives), max(lives), options.penalty_21)
    title = text.decision_title(
        lives,
        options.claim.name if options.claim else None,
        options.roll.name if options.roll else None,
    )
    if options.roll is not None:
        advice = advise_claim(solution, lives, options.claim, options.roll)
        return _at(advice_json(advice, "claim")), text.advice_table(advice, title)
    assert options.claim is not None
    # The seat that claimed sits before the seat to act, so it is the last in playing order.
    from_claimer = (lives[-1], *lives[:-1])
    advice = advise_answer(solution, from_claimer, options.above, options.claim)
    return _at(advice_json(advice, "answer")), text.advice_table(advice, title)


def _stage_as_game(options: Options) -> str:
    from mia_cli.cli.solving import solution_for

    solution = solution_for(len(options.at), max(options.at), options.penalty_21)
    return solution.to_efg(options.at, options.claim)


def _at(document: dict[str, object]) -> dict[str, object]:
    return {"schema": "mia.solve/1", **document}


def _ceiling(options: Options) -> tuple[dict[str, object], list[str]]:
    from mia_cli.cli.solving import solution_for
    from mia_cli.players.registry import strategy
    from mia_cli.rules.ruleset import RuleSet
    from mia_cli.text import solve as text
    from mia_cli.theory import ceiling

    level, penalty = options.level, options.penalty_21
    table = (options.players, options.lives, penalty)

    def solved(players: int, _: int, penalty_21: int) -> Solution:
        # No match starts with 1 or 4 lives each, but comes to it; levels play alike at all.
        return solution_for(players, options.lives, penalty_21)

    player = strategy(level, RuleSet(penalty_21=penalty), options.players, solved)
    mean = ceiling(player, *table).mean
    document = {
        "schema": "mia.solve/1",
        "level": level,
        "players": options.players,
        "lives": options.lives,
        "penalty_21": penalty,
        "ceiling": mean,
    }
    return document, [text.ceiling_line(level, *table, mean)]
