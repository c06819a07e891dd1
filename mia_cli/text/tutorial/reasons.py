"""Reasons for answers and decisions in the tutorial, from the rules and the actual odds."""

from __future__ import annotations

from collections.abc import Iterable

from mia_cli.rules.events import Event, LivesLost, Revealed
from mia_cli.rules.match import Accept, Action, MakeClaim, Observation
from mia_cli.rules.rolls import OUTCOMES, Claim, Roll, claims_above, ways_to_beat
from mia_cli.text.actions import action_text
from mia_cli.text.language.catalogue import N_, _, translate
from mia_cli.text.language.line import Line, line, styled
from mia_cli.text.language.words import shown
from mia_cli.text.play.seats import lives_text
from mia_cli.text.tutorial.facts import at_least, beats, odds
from mia_cli.tutorial.answers import kind_of_claim
from mia_cli.tutorial.steps import Want

_CLAIMS = {
    "truth": N_("{claim} is what you have: that cannot fail."),
    "understate": N_("{claim} is less than your {roll}, an understatement: it cannot fail."),
    "bluff": N_("{claim} is more than your {roll}: a bluff."),
    "forced": N_("Nothing true is left above {above}, so {claim} with {roll} has to be a bluff."),
}
_REDIRECTIONS: dict[Want, str] = {
    "truth": N_("You may do that. For now try the truth: claim just what you rolled."),
    "understate": N_("You may do that. For now claim less than you rolled."),
    "bluff": N_("You may do that. For now try a bluff: claim more than you rolled."),
    "accept": N_("You may do that. For now accept, to see what follows."),
    "challenge": N_("You may do that. For now challenge, to see the dice."),
}
_RESULTS = {
    "held": N_("Your {roll} supports {claim}, so whoever doubted it loses."),
    "caught": N_("Your {roll} does not support {claim}: being caught costs you {lost}."),
    "accepted": N_("{claim} is accepted, and nobody will ever see your {roll}."),
    "wrong_doubt": N_("{roll} supports {claim}: a wrong challenge costs you {lost}."),
    "caught_other": N_("{roll} does not support {claim}: it was right to challenge."),
}


def decision_reason(action: Action, seen: Observation) -> list[Line]:
    """One or two lines on a decision: what it is by the rules, and the odds it is about."""
    if isinstance(action, MakeClaim):
        assert seen.roll is not None
        return _claim_reason(action.claim, seen.roll, seen.above)
    assert seen.claim is not None
    if isinstance(action, Accept):
        text = _("You must now go above {claim}. A fresh roll does so truly in {odds}.")
        return [line(text, claim=seen.claim.name, odds=beats(seen.claim))]
    text = _("A fresh roll supports {claim} in {odds}.")
    lines = [line(text, claim=seen.claim.name, odds=at_least(seen.claim))]
    if seen.above is not None and not seen.claim.must_be_challenged:
        forced = OUTCOMES - ways_to_beat(seen.above)
        text = _("But it had to beat {above}: in {odds} only a bluff could do so.")
        lines.append(line(text, above=seen.above.name, odds=odds(forced)))
    return lines


def _claim_reason(claim: Claim, roll: Roll, above: Claim | None) -> list[Line]:
    kind = kind_of_claim(claim, roll)
    if all(other.exceeds(roll) for other in claims_above(above)):
        kind = "forced"
    fields = {"claim": claim.name, "roll": roll.name, "above": above.name if above else ""}
    lines = [line(translate(_CLAIMS[kind]), **fields)]
    if claim.must_be_challenged:
        lines.append(line(_("{claim} has to be challenged, though."), claim=claim.name))
    elif claim.exceeds(roll):
        text = _("Others know only this: a fresh roll supports {claim} in {odds}.")
        lines.append(line(text, claim=claim.name, odds=at_least(claim)))
    return lines


def redirection(want: Want) -> str:
    """After a legal decision that the scene is not about, the first time."""
    return translate(_REDIRECTIONS[want])


def stands() -> str:
    """After a legal decision that the scene is not about, the second time."""
    return _("You may do that, so it stands.")


def played_for_you(action: Action) -> Line:
    """After two lines that were no decision."""
    done = styled(action_text(action), "strong")
    return line(_("Let me play this one for you: {action}."), action=done)


def result_of(events: Iterable[Event], person: int) -> str | None:
    """How the person fared, as a key of the closing lines; None when nothing was revealed."""
    for event in events:
        if isinstance(event, Revealed):
            if event.seat == person:
                return "held" if event.holds else "caught"
            return "wrong_doubt" if event.holds else "caught_other"
    return None


def result_reason(result: str, events: Iterable[Event]) -> Line:
    """Why a challenge ended as it did, with the numbers of this one."""
    roll = claim = lost = ""
    for event in events:
        if isinstance(event, Revealed):
            roll, claim = event.roll.name, event.claim.name
        elif isinstance(event, LivesLost):
            lost = lives_text(event.lost)
    return line(translate(_RESULTS[result]), roll=roll, claim=claim, lost=lost)


def accepted_reason(claim: Claim, roll: Roll) -> Line:
    """A claim of the person was accepted."""
    return line(translate(_RESULTS["accepted"]), claim=claim.name, roll=roll.name)


def not_typed(word: str) -> str:
    """Before an aid that the person was asked to type and did not."""
    aid = shown("odds" if word == "odds" else "hint")
    return _("And this is what {word} would have said:").format(word=aid)
