"""``mia stats`` on one screen: the record, the trend, what to work on, and what to call next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mia_cli.files.documents import Document
from mia_cli.stats.latest import LEAST
from mia_cli.stats.report import finished
from mia_cli.text.language.catalogue import N_, _, ngettext, translate
from mia_cli.text.language.line import styled
from mia_cli.text.language.numbers import day, share
from mia_cli.text.language.table import Lines
from mia_cli.text.pictures import Signs
from mia_cli.text.stats.readable import pointer
from mia_cli.text.stats.tables import RESULT_DETAILS, group_table, headline, players_table

_WEAKNESSES = {
    "challenge": N_(
        "You challenged {claims} {times} times, and {wrong} of the claims held: accept more of "
        "them."
    ),
    "accept": N_("You accepted {claims} {times} times, and {wrong} were bluffs: challenge more."),
    "bluff": N_(
        "Over {claims} you bluffed {times} times and were caught {wrong} times: bluff less high, "
        "or challenge before."
    ),
}
_OPENING = N_(
    "You opened with a bluff {times} times and were caught {wrong} times: open with the truth more "
    "often."
)
_CHANGES = {
    "better": N_("The last {matches}: {now}, before that {before}; that is more than luck."),
    "worse": N_("The last {matches}: {now}, before that {before}; that is more than bad luck."),
    "not_told": N_(
        "The last {matches}: {now}, before that {before}; luck explains such a difference."
    ),
}
_TOLD = 3
"""Weaknesses that are told."""


def short_lines(document: Document, signs: Signs) -> Lines:
    """The screen, from the JSON object."""
    yield from headline(document)
    if not document["matches"]:
        return
    yield ""
    if not document["with_person"]:
        yield players_table(document)
    elif document["groups"]:
        yield replace(group_table(document), adorns=RESULT_DETAILS)
    if document["trend"] is not None:
        yield ""
        yield from trend_lines(document, signs)
    if document["with_person"] and document["finished"]:
        yield ""
        yield styled(_("To work on"), "strong")
        yield from ("  - " + text for text in weakness_sentences(document))
    yield ""
    yield _("All figures: {command}").format(command="mia stats --full")
    if document["with_person"]:
        yield _("Your costliest decisions: {review}; to train them: {practice}").format(
            review="mia review --worst 5", practice="mia practice"
        )
        if "readable" not in document and finished(document) >= LEAST:
            yield pointer()


def trend_lines(document: Document, signs: Signs) -> Iterator[str]:
    """How the share of wins went, and whether that means anything."""
    parts = document["over_time"]
    if parts:
        since, until = day(parts[0]["since"]), day(parts[-1]["until"])
        yield _("Matches won over time, from {since} to {until}:").format(since=since, until=until)
        rates = [part["win_rate"] for part in parts]
        bars = "".join(signs.steps[min(7, int(8 * rate))] for rate in rates if signs.steps)
        shown = (" " if len(rates) < 13 else "").join(share(rate, 0) for rate in rates)
        yield "  " + "  ".join(filter(None, (bars, shown)))
    yield trend_sentence(document)


def trend_sentence(document: Document) -> str:
    """The latest matches against those before."""
    trend = document["trend"]
    last = trend["last"]
    number = ngettext("{matches} match", "{matches} matches", last["matches"])
    return translate(_CHANGES[trend["change"]]).format(
        matches=number.format(matches=last["matches"]),
        now=share(last["win_rate"], 0),
        before=share(trend["before"]["win_rate"], 0),
    )


def weakness_sentences(document: Document) -> Iterator[str]:
    """The costliest weaknesses, or that there is none."""
    if not document["weaknesses"]:
        yield _("Nothing that you do goes wrong more often than right.")
    for one in document["weaknesses"][:_TOLD]:
        low, high = one["low"], one["high"]
        template = _WEAKNESSES[one["kind"]] if low else _OPENING
        claims = _("{low} to {high}").format(low=low, high=high)
        yield translate(template).format(claims=claims, times=one["times"], wrong=one["wrong"])
