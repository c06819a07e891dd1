"""How readable a person is, as sentences and a table, from the object ``readable`` of the stats."""

from __future__ import annotations

from collections.abc import Iterator

from mia_cli.files.documents import Document
from mia_cli.text.language.catalogue import N_, _, ngettext, translate
from mia_cli.text.language.line import styled
from mia_cli.text.language.numbers import day, decimal, interval, share
from mia_cli.text.language.table import Lines, TextTable

_HABITS = {
    ("challenges", False): N_(
        "You challenge {claims} too rarely: {yours} of the time, the best play {solved}. "
        "That costs about {points} points."
    ),
    ("challenges", True): N_(
        "You challenge {claims} too often: {yours} of the time, the best play {solved}. "
        "That costs about {points} points."
    ),
    ("bluffs", False): N_(
        "When you claim {claims}, you bluff too rarely: {yours} of the claims that were shown, "
        "the best play {solved}. That costs about {points} points."
    ),
    ("bluffs", True): N_(
        "When you claim {claims}, you bluff too often: {yours} of the claims that were shown, "
        "the best play {solved}. That costs about {points} points."
    ),
    ("claims", False): N_(
        "Over {claims} you claim lower than the best play does, by {steps} steps on average. "
        "That costs about {points} points."
    ),
    ("claims", True): N_(
        "Over {claims} you claim higher than the best play does, by {steps} steps on average. "
        "That costs about {points} points."
    ),
}
_OPENINGS = {
    False: N_(
        "You open rounds with lower claims than the best play, by {steps} steps on average. "
        "That costs about {points} points."
    ),
    True: N_(
        "You open rounds with higher claims than the best play, by {steps} steps on average. "
        "That costs about {points} points."
    ),
}
_CHANGES = {
    "harder": N_("From the first of these parts to the last you became harder to read."),
    "easier": N_("From the first of these parts to the last you became easier to read."),
    "not_told": N_("These parts differ by no more than luck explains."),
}


def title() -> str:
    """The heading."""
    return _("How readable you are")


def pointer(command: str = "mia stats --readable") -> str:
    """Said where there are enough matches and nobody asked."""
    return _("How readable you are for others: {command}").format(command=command)


def sentences(readable: Document) -> Iterator[str]:
    """Everything but the habits and the parts."""
    if readable["win_chance"] is None:
        yield ngettext(
            "Not enough matches yet: {matches} finished one of at least {least}.",
            "Not enough matches yet: {matches} finished ones of at least {least}.",
            readable["matches"],
        ).format(**readable)
        return
    yield _(
        "An opponent who learned from your last {matches} matches would win {share} of further "
        "ones against you (95% interval {interval})."
    ).format(
        matches=readable["matches"],
        share=share(readable["win_chance"]),
        interval=interval(readable["ci95"]),
    )
    yield _(
        "That is for two seats with {lives} lives each, where 21 costs {penalty_21}; learned from "
        "what others could see: {claims} claims, {shown} of them shown, and {answers} answers."
    ).format(**{**readable, **readable["table"]})
    if readable["verdict"] == "not_told":
        yield _(
            "So you may be as hard to read as the best play, "
            "against which nobody wins more than half."
        )
    elif not readable["habits"]:
        yield _("No single habit stands out.")


def habit_sentence(habit: Document) -> str:
    """A habit with its price."""
    high = habit["yours"] > habit["solved"]
    low, top = habit["low"], habit["high"]
    template = _HABITS[habit["kind"], high] if low else _OPENINGS[high]
    claims = low if low == top else _("{low} to {high}").format(low=low, high=top)
    return translate(template).format(
        claims=claims,
        yours=share(habit["yours"], 0),
        solved=share(habit["solved"], 0),
        steps=decimal(abs(habit["yours"] - habit["solved"]), 1),
        points=decimal(100 * habit["points"], 1),
    )


def change_sentence(readable: Document) -> str:
    """What the parts tell together."""
    return translate(_CHANGES[readable["change"]])


def parts_table(readable: Document) -> TextTable:
    """The parts as a table."""
    head = (_("From"), _("To"), _("Matches"), _("Would win"), _("95% interval"))
    rows = [
        (
            day(part["since"]),
            day(part["until"]),
            str(part["matches"]),
            share(part["win_chance"]),
            interval(part["ci95"]),
        )
        for part in readable["parts"]
    ]
    return TextTable(head, rows, right=(2, 3, 4), keys=2, indent=2)


def readable_lines(readable: Document) -> Lines:
    """Everything, as text."""
    yield ""
    yield styled(title(), "strong")
    yield from ("  " + text for text in sentences(readable))
    yield from ("  - " + habit_sentence(habit) for habit in readable["habits"])
    if readable["parts"]:
        yield parts_table(readable)
        yield "  " + change_sentence(readable)
