"""Sentences of ``mia rank``. Imports the catalogue alone: the command's start is its point."""

from mia_cli.text.catalogue import _

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from mia_cli.rules.rolls import Claim, Roll


def verdict(roll: "Roll", claim: "Claim") -> str:
    """Whether dice support a claim, as one line."""
    if roll.supports(claim):
        template = _("{roll} supports {claim}.")
    else:
        template = _("{roll} does not support {claim}.")
    return template.format(roll=roll.name, claim=claim.name)


def order_table(rolls: "Iterable[Roll]") -> list[str]:
    """Rolls with position, ways of 36, and the chances to reach and to beat them."""
    from mia_cli.rules.rolls import OUTCOMES, claim_at, ways_at_least, ways_to_beat
    from mia_cli.text.numbers import percent
    from mia_cli.text.table import table

    def row(roll: "Roll") -> tuple[str, ...]:
        claim = claim_at(roll.position)
        return (
            str(roll.position),
            roll.name,
            str(roll.ways),
            percent(ways_at_least(claim) / OUTCOMES),
            percent(ways_to_beat(claim) / OUTCOMES),
        )

    head = (
        _("Position"),
        _("Roll"),
        _("Ways of {outcomes}").format(outcomes=OUTCOMES),
        _("At least it"),
        _("Beats it"),
    )
    return table(head, map(row, rolls), right=range(len(head)))


def in_line(number: int, problem: str) -> str:
    """A problem with the line of the input that has it."""
    return _("mia: line {number}: {problem}").format(number=number, problem=problem)
