"""Sentences and tables of ``mia review``."""

from __future__ import annotations

from mia_cli.records.record import MatchRecord
from mia_cli.review.decisions import Decision, Review, SeatReview, punished
from mia_cli.rules.match import Action, MakeClaim
from mia_cli.text.actions import action_text
from mia_cli.text.language.catalogue import N_, _, ngettext, translate
from mia_cli.text.language.line import TIE, comma, line, space, styled
from mia_cli.text.language.numbers import percent
from mia_cli.text.language.table import Lines, TextTable
from mia_cli.text.matches import with_kind
from mia_cli.text.review.annotated import (
    CURVE,
    SIGNS,
    annotation,
    course_lines,
    others_lines,
    points,
    sign,
    sign_style,
    worst,
)

LEVELS = {
    "flawless": N_("flawless"),
    "strong": N_("strong"),
    "solid": N_("solid"),
    "uneven": N_("uneven"),
    "careless": N_("careless"),
}
_RARE = 0.005
_MIXED = 3
_SHOWN_HABITS = 5
WORST = 5
"""Decisions that are annotated, unless it is said how many."""


def name_of(record: MatchRecord, seat: int) -> str:
    """The name in a table or a heading, with the level."""
    found = record.seats[seat - 1]
    return with_kind(found.name, found.player)


def review_lines(review: Review, most: int = WORST, curve: str = CURVE) -> Lines:
    """The whole review: ``most`` decisions with a reason, then all. ``curve``: CURVE, or
    PLAIN_CURVE where that cannot be shown."""
    record = review.record
    yield styled(_title(record), "strong")
    yield styled(_yardstick(record), "quiet")
    yield ""
    yield from course_lines(review, curve)
    yield ""
    if most:
        yield from _worst(review, most)
    for player in review.players[:1] if record.human else review.players:
        yield ""
        yield from _player(record, player)
    yield ""
    if record.human and len(review.players) > 1:
        yield styled(_("What the others gave away"), "strong")
        yield from (f"  {text}" for text in others_lines(review))
        yield ""
    yield styled(_("Skill and luck, in points of the chance to win"), "strong")
    yield _parts(review)
    yield styled(
        _(
            "Every row adds up: start + skill + luck + others = end. “Hidden dice” is whether an "
            "answer happened to be right, beyond what could be known."
        ),
        "quiet",
    )
    yield from _habits(review)
    yield from _hindsight(review)


def _title(record: MatchRecord) -> str:
    lives = ngettext("{lives} life", "{lives} lives", record.ruleset.lives)
    assert record.winner is not None
    if record.winner == record.human:
        text = _("Match {id}: {seats} seats, {lives}, 21 costs {penalty}; you won.")
    else:
        text = _("Match {id}: {seats} seats, {lives}, 21 costs {penalty}; won by {winner}.")
    return text.format(
        id=record.id,
        seats=len(record.seats),
        lives=lives.format(lives=record.ruleset.lives),
        penalty=record.ruleset.penalty_21,
        winner=name_of(record, record.winner),
    )


def _yardstick(record: MatchRecord) -> str:
    if len(record.seats) == 2:
        return _("Compared with the best play: with two seats nobody can beat it.")
    return _("Compared with the best play if all know it; others may play otherwise.")


def _worst(review: Review, most: int) -> Lines:
    """The decisions that cost most, each with what was better and why."""
    found = worst(review, most)
    if not found:
        yield styled(_("No decision gave away half a point."), "good")
        return
    yield styled(_("What cost most"), "strong")
    for decision in found:
        yield from annotation(review.record, decision, _known(decision))


def _player(record: MatchRecord, player: SeatReview) -> Lines:
    yield styled(name_of(record, player.seat), "you" if player.seat == record.human else "seat")
    if not player.decisions:
        yield "  " + _("Nothing to decide.")
        return
    rows = [_row(decision) for decision in player.decisions]
    head = (_("Round"), _("Lives"), _("Known"), _("Played"), _("Best play"), _("Lost"), "")
    styles = [sign_style(decision.lost) for decision in player.decisions]
    yield TextTable(
        head, rows, right=(0, 5), keys=3, first=(3, 5, 6), wraps=(2, 4), styles=styles, indent=2
    )
    yield "  " + _summary(player)
    legend = _("{doubtful} gives away half a point or more, {bad} two, {worse} five.")
    signs = dict(zip(("worse", "bad", "doubtful"), (one for _least, one in SIGNS), strict=True))
    yield styled("  " + legend.format(**signs), "quiet")


def _row(decision: Decision) -> tuple[str, ...]:
    match = decision.match
    lost = points(decision.shown_lost / 1000).removeprefix("+")
    return (
        str(match.round),
        " ".join(map(str, match.lives)),
        _known(decision),
        _word(decision.action),
        _("no choice") if decision.is_forced else _mix(decision),
        lost,
        sign(decision.lost),
    )


def _known(decision: Decision) -> str:
    match = decision.match
    if decision.kind == "claim":
        assert match.roll is not None
        if match.above is None:
            return _("rolled {roll}").format(roll=match.roll.name)
        return _("rolled {roll}, over {above}").format(roll=match.roll.name, above=match.above.name)
    assert match.claim is not None
    if match.above is None:
        return _("hears {claim}").format(claim=match.claim.name)
    return _("hears {claim}, over {above}").format(claim=match.claim.name, above=match.above.name)


def _word(action: Action) -> str:
    name = action_text(action)
    return _("claim {claim}").format(claim=name) if isinstance(action, MakeClaim) else name


def _mix(decision: Decision) -> str:
    played = sorted(decision.advice.options, key=lambda option: -option.probability)
    shown = [option for option in played if option.probability >= _RARE]
    texts = []
    for option in shown[:_MIXED]:
        name = action_text(option.action)
        sure = option.probability > 1 - _RARE
        texts.append(name if sure else f"{name}{TIE}{percent(option.probability, 0)}")
    return comma().join(texts) + (" …" if len(shown) > _MIXED else "")


def _summary(player: SeatReview) -> str:
    counts = player.verdicts()
    made = len(player.decisions)
    text = ngettext(
        "{made} decision: {fine} fine, {doubtful} doubtful, {bad} bad. Given away: {lost} points.",
        "{made} decisions: {fine} fine, {doubtful} doubtful, {bad} bad. Given away: {lost} points.",
        made,
    ).format(made=made, lost=points(player.shown_lost).removeprefix("+"), **counts)
    if player.level is None:
        return text
    played = _("Played in this match: {level}.").format(level=translate(LEVELS[player.level]))
    return space().join((text, played))


def _parts(review: Review) -> TextTable:
    head = (
        _("Seat"),
        _("Start"),
        _("Skill"),
        _("Own rolls"),
        _("Other rolls"),
        _("Hidden dice"),
        _("Others’ decisions"),
        _("End"),
    )
    rows = [
        (
            name_of(review.record, player.seat),
            percent(player.start),
            *(points(value) for value in player.shown_parts().values()),
            percent(player.end, 0),
        )
        for player in review.players
    ]
    return TextTable(head, rows, right=range(1, len(head)), wraps=(0,))


def _habits(review: Review) -> Lines:
    found = punished(review.players[:1] if review.record.human else review.players)
    if not found:
        return
    yield ""
    yield styled(_("Habits that could have been punished"), "strong")
    yield styled(
        _("Against how these levels play, in that round; after it all play best."),
        "quiet",
    )
    for decision in found[:_SHOWN_HABITS]:
        yield line("  {text}", text=_habit(review.record, decision))


def _habit(record: MatchRecord, decision: Decision) -> str:
    punishment = decision.punishment
    assert punishment is not None
    fields = {
        "round": decision.match.round,
        "who": name_of(record, decision.seat),
        "known": _known(decision),
        "level": name_of(record, punishment.seat),
        "share": percent(punishment.habit, 0),
        "action": _word(punishment.action),
        "claim": getattr(getattr(punishment.action, "claim", None), "name", ""),
        "played": _word(decision.action),
        "gain": points(punishment.gain).removeprefix("+"),
    }
    if decision.kind == "answer":
        text = _(
            "Round {round}, {who} ({known}): such a claim of {level} holds in {share}. "
            "Better than {played} by {gain} points: {action}."
        )
    else:
        text = _(
            "Round {round}, {who} ({known}): {level} challenges {claim} in {share}. "
            "Better than {played} by {gain} points: {action}."
        )
    return text.format(**fields)


def _hindsight(review: Review) -> Lines:
    shown = review.players[:1] if review.record.human else review.players
    rows = [
        (
            str(decision.match.round),
            name_of(review.record, decision.seat),
            _known(decision),
            _word(decision.action),
            decision.hindsight.roll,
            _("true") if decision.hindsight.holds else _("bluff"),
            points(decision.hindsight.lost).removeprefix("+"),
        )
        for player in shown
        for decision in player.decisions
        if decision.hindsight is not None
    ]
    if not rows:
        return
    yield ""
    yield styled(_("With hindsight (nobody could know this at the time; no verdict)"), "strong")
    head = (_("Round"), _("Seat"), _("Known"), _("Played"), _("Roll"), "", _("Lost"))
    yield TextTable(head, rows, right=(0, 6), keys=3, wraps=(1, 2), indent=2)
