"""``mia rank``: the order of the rolls, and whether a roll supports a claim."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from mia_cli.cli import completion, outcome, outputs
from mia_cli.cli.app import COMMANDS, MiaCommand, app
from mia_cli.cli.screen import is_terminal
from mia_cli.rules.errors import CannotRead, MiaError
from mia_cli.rules.rolls import (
    OUTCOMES,
    ROLLS,
    Claim,
    Roll,
    claim_at,
    ways_at_least,
    ways_to_beat,
)
from mia_cli.text import rank as text
from mia_cli.text.language.catalogue import N_
from mia_cli.text.language.roll_names import read_claim, read_roll

SCHEMA = "mia.rank/1"
_STDIN = "-"


class RankCommand(MiaCommand):
    """Says of ``-5`` that it is no roll, where the library would speak of an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Refuse numbers with a minus sign, then read options and arguments."""
        for word in args[: args.index("--")] if "--" in args else args:
            if word[:1] == "-" and word[1:2].isdigit():
                raise CannotRead("not_a_roll", value=word)
        return super().parse_args(ctx, args)


@app.command(
    cls=RankCommand,
    help=N_(
        """Examples:

\b
  mia rank                  the 21 rolls, low to high
  mia rank 55               where a roll stands, and its chances
  mia rank 55 44            does a roll of 55 support a claim of 44?
  if mia rank -q 33 55; then echo holds; else echo bluff; fi
  mia rank - < pairs.txt    a pair per line, an answer per line

A roll is written 64, 46, 6-4, 6,4, "6 4" or mia (21). In the lines of - a space,
a comma or a tab stands between roll and claim: 55 44, 6-4,5-5, 6 4 55. Blank
lines and lines that start with # are skipped; a bad line is reported on stderr
with its number, and the run goes on.

Exit codes: 0 yes, or done; 1 no (for a pair on the command line only); 2 bad
input, also when any line of - was bad."""
    ),
    short_help=COMMANDS["rank"],
)
def rank(
    roll: Annotated[
        str | None,
        typer.Argument(
            metavar="[ROLL]",
            autocompletion=completion.rolls,
            help=N_("What the dice show; - reads pairs from stdin."),
        ),
    ] = None,
    claim: Annotated[
        str | None,
        typer.Argument(
            metavar="[CLAIM]", autocompletion=completion.rolls, help=N_("What is said about them.")
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help=N_("Print nothing: the exit code answers."))
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help=N_("Answer in JSON."))] = False,
) -> int:
    """Answer on stdout and return the exit code."""
    if roll == _STDIN:
        if claim is not None:
            raise CannotRead("no_place_for_more", value=claim)
        return _answer_input(as_json, quiet)
    if roll is None:
        _say(_order_json(ROLLS) if as_json else _order_lines(), quiet, as_json)
        return outcome.DONE
    dice = read_roll(roll)
    if claim is None:
        row = [_dumped(_header() | _row(dice))] if as_json else text.order_table([dice])
        _say(row, quiet, as_json)
        return outcome.DONE
    said = read_claim(claim)
    _say([_pair_json(dice, said) if as_json else text.verdict(dice, said)], quiet, as_json)
    return outcome.DONE if dice.supports(said) else outcome.NO


def _order_lines() -> list[str]:
    """The table; notes for a person only, since scripts count on a line for each roll."""
    notes = text.order_notes() if is_terminal(sys.stdout) else []
    return [*text.order_table(ROLLS), *notes]


def _say(lines: Sequence[str], quiet: bool, as_json: bool) -> None:
    if not quiet:
        if as_json:
            outputs.write("".join(f"{line}\n" for line in lines))
        else:
            outputs.say(lines, plainly=True)


def _answer_input(as_json: bool, quiet: bool) -> int:
    from mia_cli.cli.rank.pairs import answer_lines

    answer = _pair_json if as_json else text.verdict
    return answer_lines(answer, _refused_json if as_json else _refused, quiet=quiet)


def _refused(number: int, problem: MiaError) -> tuple[str, str]:
    from mia_cli.text.errors.sentences import sentence

    return "", text.in_line(number, sentence(problem))


def _refused_json(number: int, problem: MiaError) -> tuple[str, str]:
    from mia_cli.text.errors.sentences import sentence
    from mia_cli.text.language.catalogue import speaking

    with speaking("en"):
        error = sentence(problem)
    fields = _header() | {"line": number, "error": error, "code": problem.code}
    return _dumped(fields), _refused(number, problem)[1]


def _header() -> dict[str, object]:
    return {"schema": SCHEMA}


def _pair_json(roll: Roll, claim: Claim) -> str:
    fields = {
        "roll": roll.name,
        "claim": claim.name,
        "supports": roll.supports(claim),
        "roll_position": roll.position,
        "claim_position": claim.position,
    }
    return _dumped(_header() | fields)


def _order_json(rolls: Sequence[Roll]) -> list[str]:
    return [_dumped(_header() | {"order": list(map(_row, rolls))})]


def _row(roll: Roll) -> dict[str, object]:
    claim = claim_at(roll.position)
    return {
        "roll": roll.name,
        "position": roll.position,
        "ways": roll.ways,
        "at_least": ways_at_least(claim) / OUTCOMES,
        "beats": ways_to_beat(claim) / OUTCOMES,
    }


def _dumped(fields: dict[str, object]) -> str:
    from json import dumps

    # Only ASCII: the answer is the same bytes whatever the encoding of the stream.
    return dumps(fields, separators=(",", ":"))
