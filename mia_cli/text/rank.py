"""Sentences of ``mia rank``. Imports the catalogue alone: the command's start is its point."""

from mia_cli.text.language.catalogue import _

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
    from mia_cli.text.language.numbers import percent
    from mia_cli.text.language.table import table

    def row(roll: "Roll") -> tuple[str, ...]:
        claim = claim_at(roll.position)
        return (
            str(roll.position),
            roll.name,
            str(roll.ways),
            percent(ways_at_least(claim) / OUTCOMES),
            percent(ways_to_beat(claim) / OUTCOMES),
        )

    # Translators: heads of a table that has to fit 40 columns; the first is the position, 1 to 21.
    head = (_("Rank"), _("Roll"), _("Ways"), _("Reached"), _("Beaten"))
    return table(head, map(row, rolls), right=range(len(head)))


def order_notes() -> list[str]:
    """What stands under the table of all rolls: its heads explained, and rolls that have names."""
    from mia_cli.rules.rolls import MIA, OUTCOMES, ROLLS, parse_roll
    from mia_cli.text.language.roll_names import shown_name

    doubles = [roll for roll in ROLLS if roll.ways == 1]
    return [
        "",
        _("Ways: of {outcomes} in all.").format(outcomes=OUTCOMES),
        _("Reached: chance to roll at least it."),
        _("Beaten: chance to roll higher."),
        # Translators: such as "double one is 11, double six 66, Mia 21."
        _("Names: {first} is {lowest}, {last} {highest}, {name} {mia}.").format(
            lowest=doubles[0].name,
            highest=doubles[-1].name,
            first=shown_name(doubles[0]),
            last=shown_name(doubles[-1]),
            mia=MIA,
            name=shown_name(parse_roll(MIA)),
        ),
    ]


def in_line(number: int, problem: str) -> str:
    """A problem with the line of the input that has it."""
    return _("mia: line {number}: {problem}").format(number=number, problem=problem)
