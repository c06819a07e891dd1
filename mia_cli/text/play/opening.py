"""What is said before the first roll of a match, and before one that is taken up again."""

from __future__ import annotations

from collections.abc import Sequence

from mia_cli.rules.ruleset import RuleSet
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import Line, joined, line, space, styled, tied
from mia_cli.text.language.plain import printable
from mia_cli.text.play.seats import SeatNames, seat_lines

_SHOWN = 16
_GROUP = 4


def head(
    rules: RuleSet,
    preset: str | None,
    seating: SeatNames,
    lives: Sequence[int],
    seal: str,
) -> list[Line]:
    """What is played for, who sits there with which lives now, and how the dice are sealed.

    ``preset`` is the name of a preset that somebody chose; ``seal`` a sentence.
    """
    fields = {"lives": str(rules.lives), "penalty": str(rules.penalty_21)}
    if preset is None:
        text = _("Mia: {lives} lives each; whoever loses over a claim of 21 pays {penalty}.")
    else:
        text = _(
            "Mia, preset {preset}: {lives} lives each; "
            "whoever loses over a claim of 21 pays {penalty}."
        )
        fields["preset"] = printable(preset)
    stakes = styled(text.format(**fields), "")
    help_helps = tied(styled(_("Type help at any time."), ""))
    return [
        joined((stakes, help_helps), space()),
        *seat_lines(seating, lives),
        styled(seal, "quiet"),
    ]


def sealed(seed: int | None, fingerprint: str) -> str:
    """The seed, once it may be known, and the start of its fingerprint in groups of four."""
    groups = " ".join(fingerprint[at : at + _GROUP] for at in range(0, _SHOWN, _GROUP))
    if seed is None:
        return _("Dice sealed as {groups}.").format(groups=groups)
    return _("Seed {seed}, sealed as {groups}.").format(seed=seed, groups=groups)


def waiting(match_id: str) -> Line:
    """Another match was left; ``match_id`` is as much of its id as is needed."""
    # Translators: with the command in it, this should fit 40 columns.
    return line(_("A match waits: {command}"), command=command("mia play --resume", match_id))


def command(*words: str) -> Line:
    """A command line to copy, in one row."""
    return tied(styled(" ".join(words), "strong"))


def resumed(match_id: str) -> Line:
    """The line before a resumed match is told again."""
    return styled(_("Match {id}, resumed.").format(id=match_id), "strong")


def cannot_save(problem: str) -> str:
    """Said before the first roll, on stderr, when no record can be kept."""
    return _("This match cannot be saved: {problem}").format(problem=problem)
