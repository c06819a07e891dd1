"""Hints and the tutor's comments as sentences.

With two seats the solution cannot be beaten; with more it is one equilibrium, and the sentences
say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mia_cli.rules.match import Action, MakeClaim, Observation
from mia_cli.rules.rolls import Claim, ways_to_beat
from mia_cli.text.actions import action_text
from mia_cli.text.language.catalogue import N_, _, translate
from mia_cli.text.language.line import FIGURES, Line, comma, joined, line, styled
from mia_cli.text.language.numbers import percent

if TYPE_CHECKING:
    from mia_cli.text.play.seats import SeatNames
    from mia_cli.theory.advice import Advice
    from mia_cli.theory.reasons import Reason
    from mia_cli.theory.second_opinion import SecondOpinion

_LISTED = 5
"""Claims that a hint names where they win alike."""
EVEN = 0.0005
"""Chances that look alike as they are printed (``theory.reasons``, which loads nothing here)."""
_REASONS = {
    "must_challenge": N_("21 cannot be accepted: there is nothing to choose."),
    "challenge_even_if_true": N_(
        "Even if it is true: to accept means to claim above {claim}, and {ways} of 36 rolls do."
    ),
    "accept_even_if_false": N_("Even if it is false: a challenge would win nothing here."),
    "even_answers": N_("Both are worth the same: what you expect to lose is what you may win."),
    "surely_true": N_("{claim} is as good as certain: a challenge would lose."),
    "probably_true": N_(
        "{claim} is probably true ({share}), but accepting pays only from {need}: "
        "you must go above it, and {ways} of 36 rolls do."
    ),
    "too_often_false": N_("{claim} is true only {share} of the time; accepting pays from {need}."),
    "true_enough": N_("{claim} is true {share} of the time; a challenge pays only below {need}."),
    "only_21_true": N_("Only 21 is left, and you have it: the challenger loses."),
    "only_21_false": N_("Only 21 is left. It must be challenged, and you do not have it."),
    "all_challenged": N_("Nothing true is left, and any claim is challenged: all lose alike."),
    "caught_once": N_("Nothing true is left, and any claim is challenged; 21 would cost more."),
    "nothing_at_stake": N_("Nothing is at stake here: all claims are worth the same."),
    "true_claim": N_(
        "{claim} is true: {share} of the time it is challenged, and the challenger loses."
    ),
    "true_claim_believed": N_("{claim} is true, and nobody challenges it."),
    "true_for_cover": N_("{claim} is true, and no bluff wins more."),
    "bluff_beats_truth": N_(
        "A true claim this low is easily beaten; {claim} is challenged only {share} of the time."
    ),
    "bluff_believed": N_("A true claim this low is easily beaten; nobody challenges {claim}."),
    "must_bluff": N_(
        "Nothing true is left above {above}; {claim} is challenged {share} of the time."
    ),
    "false_21": N_("A false 21 has to be challenged, so it loses for certain."),
}


def hint_lines(advice: Advice, seen: Observation, seating: SeatNames | None = None) -> list[Line]:
    """What the best play is at this decision, what each choice is worth, and why.

    With ``seating`` also what is better against the other seat, where its habits are known.
    """
    told = [figures_line(advice, seen.decision), reason_line(advice.reason, seen.above)]
    return [*told, *_labels(advice, seen, seating)]


def tutor_lines(
    advice: Advice, seen: Observation, action: Action, seating: SeatNames | None = None
) -> list[Line]:
    """Why the tutor would rather see another action, and how to keep it or change it."""
    comment, why = comment_lines(advice, seen, action)
    said = line(_("Tutor: {comment}"), comment=comment)
    keep = line(_("Type it again to keep it, or something else."))
    return [said, why, *_labels(advice, seen, seating), keep]


def _labels(advice: Advice, seen: Observation, seating: SeatNames | None) -> Iterator[Line]:
    """What the figures rest on, and the second opinion with what it rests on."""
    if is_careless(advice):
        yield careless_line(advice)
    yield _caution(seen)
    if advice.second is not None and seating is not None:
        yield second_line(advice, advice.second, seating.name(advice.second.seat))


def is_careless(advice: Advice) -> bool:
    """True where the chance that a claim holds had to be reckoned for a careless player."""
    open_ = advice.holds is not None and EVEN < advice.holds < 1.0 - EVEN
    return open_ and not advice.expected and len(advice.options) > 1


def careless_line(advice: Advice) -> Line:
    """That the claim is none of the best play, and whose chance it is then."""
    text = _("The best play never claims {claim} here: its chance is a careless player’s.")
    return styled(text.format(claim=advice.reason.claim.name), "quiet")


def second_line(advice: Advice, second: SecondOpinion, name: Line) -> Line:
    """What is better against the habits of this seat, or that nothing else is."""
    differs, asked = second.differs(advice), isinstance(second.best, MakeClaim)
    action = second.best if differs else advice.choice.action
    win, habit = second.wins[action]
    if differs and asked:
        text = _(
            "Against {name} ({level}), though, {action} wins more, {share} to {other}: "
            "it is challenged {habit} of the time."
        )
    elif differs:
        text = _(
            "Against {name} ({level}), though, {action} wins more, {share} to {other}: "
            "such a claim holds {habit} of the time."
        )
    elif asked:
        text = _("Against {name} ({level}) too: {action} is challenged {habit} of the time.")
    else:
        text = _("Against {name} ({level}) too: such a claim holds {habit} of the time.")
    return line(
        text,
        name=name,
        level=second.level,
        action=name_of(action),
        share=percent(win),
        other=percent(second.wins[advice.choice.action][0]),
        habit=percent(habit, 0),
    )


def comment_lines(advice: Advice, seen: Observation, action: Action) -> tuple[Line, Line]:
    """What an action gives away, and why."""
    from mia_cli.theory.reasons import objection

    chosen = next(option for option in advice.options if option.action == action)
    best = advice.choice
    comment = line(
        _("{chosen} wins {share}, {best} wins {better}: that gives away {cost} points."),
        chosen=name_of(chosen.action),
        share=percent(chosen.win),
        best=name_of(best.action),
        better=percent(best.win),
        cost=points_between(best.win, chosen.win),
    )
    return comment, reason_line(objection(advice.reason, action, seen.roll), seen.above)


def points_between(better: float, worse: float) -> str:
    """A difference of chances in points, as the two chances are printed."""
    return percent(round(better, 3) - round(worse, 3)).removesuffix("%").rstrip()


def reason_line(reason: Reason, above: Claim | None) -> Line:
    """What decides, in one sentence."""
    return line(
        translate(_REASONS[reason.code]),
        claim=styled(reason.claim.name, "claim"),
        above="" if above is None else styled(above.name, "claim"),
        share=percent(reason.share),
        need=percent(reason.need),
        ways=ways_to_beat(reason.claim),
    )


def figures_line(advice: Advice, decision: str) -> Line:
    """What the choices are worth, and how often the best play takes which."""
    played = mix([(option.action, option.probability) for option in advice.options])
    if decision == "answer":
        wins = [
            line(
                _("{action} wins {share}"), action=name_of(option.action), share=percent(option.win)
            )
            for option in advice.options
        ]
        return line(_("{wins}. Best play: {mix}."), wins=joined(wins, FIGURES), mix=played)
    ranked = sorted(advice.options, key=lambda option: option.win, reverse=True)
    alike = [option for option in ranked if ranked[0].win - option.win < EVEN]
    if len(alike) == 1:
        fields = {"action": name_of(alike[0].action), "share": percent(alike[0].win)}
        if len(ranked) == 1:
            return line(_("{action} wins {share}."), **fields)
        text = _("{action} wins {share}; {next} is next with {other}. Best play: {mix}.")
        second = {"next": name_of(ranked[1].action), "other": percent(ranked[1].win)}
        return line(text, **fields, **second, mix=played)
    if len(alike) > _LISTED:
        return line(
            _("{number} claims win {share} each. Best play: {mix}."),
            number=len(alike),
            share=percent(alike[0].win),
            mix=played,
        )
    names = joined([name_of(option.action) for option in alike], comma())
    text = _("{names} win {share} each. Best play: {mix}.")
    return line(text, names=names, share=percent(alike[0].win), mix=played)


def mix(options: Sequence[tuple[Action, float]]) -> Line:
    """Actions with how often they are played, the most frequent first, rare ones left out."""
    played = sorted(options, key=lambda option: option[1], reverse=True)
    parts = [_part(action, share) for action, share in played if share >= _RARE]
    more = [line("…")] if len(parts) > _LISTED else []
    return joined([*parts[:_LISTED], *more], FIGURES)


_RARE = 0.005
_ALWAYS = 1.0 - _RARE


def _part(action: Action, share: float) -> Line:
    if share > _ALWAYS:
        return line(_("{action}, always"), action=name_of(action))
    return line("{action} {share}", action=name_of(action), share=percent(share, 0))


def name_of(action: Action) -> Line:
    """The action as it is styled in a line."""
    return styled(action_text(action), "claim" if isinstance(action, MakeClaim) else "strong")


def _caution(seen: Observation) -> Line:
    living = sum(left > 0 for left in seen.lives)
    if living == 2:
        text = _("Chances to win the match if both play best from here on.")
    else:
        text = _("Chances to win if all play best from here on; others may not.")
    return styled(text, "quiet")
