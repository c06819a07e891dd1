"""What ``mia stats`` says of records that were written, read in or left out."""

from __future__ import annotations

from mia_cli.text.language.catalogue import _, ngettext
from mia_cli.text.language.plain import printable


def exported(number: int, path: str) -> str:
    """What an export did."""
    text = ngettext(
        "{number} record written to {path}.", "{number} records written to {path}.", number
    )
    return text.format(number=number, path=printable(path))


def imported(new: int, longer: int, same: int, differing: int) -> str:
    """What an import did."""
    return _(
        "{new} new, {longer} further played than before, {same} here already, "
        "{differing} left out because another match has their id."
    ).format(new=new, longer=longer, same=same, differing=differing)


def id_taken(match_id: str) -> str:
    """A record of an import that differs from the one kept here."""
    return _("Match {id} differs from the one kept here, which is left as it is.").format(
        id=match_id
    )


def skipped_count(number: int) -> str:
    """Said after the first skipped records were named."""
    text = ngettext(
        "{number} record was skipped in all.", "{number} records were skipped in all.", number
    )
    return text.format(number=number)


def forfeited_count(number: int) -> str:
    """Said of matches of simulations that are in no figure."""
    text = ngettext(
        "{number} match that a program lost by a fault is left out.",
        "{number} matches that a program lost by a fault are left out.",
        number,
    )
    return text.format(number=number)


def written(path: str) -> str:
    """A picture or page that was written."""
    return _("Written: {path}").format(path=printable(path))
