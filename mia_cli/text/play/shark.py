"""Sentences of and about the shark: what it remembers, would do, and noticed of the person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mia_cli.text.advice import mix
from mia_cli.text.language.catalogue import N_, _, ngettext, translate
from mia_cli.text.language.line import Line, line, styled
from mia_cli.text.language.numbers import percent
from mia_cli.text.play.narrate import claim_text, indented

if TYPE_CHECKING:
    from mia_cli.players.shark import Intent, Notice


def memory_line(matches: int | None) -> Line:
    """How many matches of the person it remembers; None: the memory is off."""
    if matches is None:
        text = _("The shark plays without its memory of you.")
    elif matches == 0:
        text = _("The shark does not know you yet.")
    else:
        text = ngettext(
            "The shark remembers {count} match of yours.",
            "The shark remembers {count} matches of yours.",
            matches,
        ).format(count=matches)
    return styled(text, "quiet")


def intent_line(intent: Intent) -> Line:
    """What it would do in the person's place."""
    if not intent.leaves:
        return line(_("The shark in your place would play best here, as above."))
    return line(_("The shark in your place: {mix}."), mix=mix(intent.options))


def noticed_lines(notices: Sequence[Notice], earlier: int) -> list[Line]:
    """What it noticed of the person in this match and ``earlier`` ones."""
    if not notices:
        return []
    if earlier:
        text = ngettext(
            "What the shark noticed about you, in this match and {count} earlier one:",
            "What the shark noticed about you, in this match and {count} earlier ones:",
            earlier,
        ).format(count=earlier)
    else:
        text = _("What the shark noticed about you in this match:")
    return [(), line(text), *(indented(_notice(notice)) for notice in notices)]


def _notice(notice: Notice) -> Line:
    return line(
        translate(_SENTENCES[notice.code]),
        times=notice.times,
        of=notice.of,
        share=percent(notice.times / notice.of, 0),
        usual="" if notice.usual is None else percent(notice.usual, 0),
        claim="" if notice.claim is None else claim_text(notice.claim),
    )


_SENTENCES = {
    "challenged_none_below": N_(
        "You never challenged a claim below {claim}: you accepted all {of} of them."
    ),
    "challenged": N_(
        "Of {of} claims that you could accept, you challenged {times} ({share}); "
        "the best play would challenge {usual}."
    ),
    "held": N_(
        "Of your {of} challenged claims, {times} held ({share}); with the best play {usual} would."
    ),
    "doubles_held": N_(
        "Of your {of} challenged claims of a double, {times} held ({share}); "
        "with the best play {usual} would."
    ),
    "told": N_(
        "Of {of} shown rolls that you could have claimed, you told {times} ({share}); "
        "the best play would tell {usual}."
    ),
    "lowest_bluff": N_(
        "Of your {of} bluffs that were shown, {times} were the lowest claim possible ({share})."
    ),
    "opened": N_(
        "You opened {times} of {of} rounds with {claim} ({share}); the best play would in {usual}."
    ),
}
"""By the codes of ``shark.notice``: ``times`` of ``of`` are ``share``, the solution's ``usual``."""
