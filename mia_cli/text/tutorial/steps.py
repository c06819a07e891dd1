"""What the tutorial says around each step, by the ids of lesson and step.

Numbers come from ``facts``; none is typed here but the rolls a step is about, and these
are fields too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mia_cli.text.language.catalogue import N_


@dataclass(frozen=True, slots=True)
class StepText:
    """``tell`` stands before the step. A question has ``ask``, a ``clue`` after a first wrong
    answer, and ``why``. A scene has a line for each decision in ``tasks`` (empty: none) and closing
    lines by result."""

    tell: tuple[str, ...]
    ask: str = ""
    clue: str = ""
    why: str = ""
    tasks: tuple[str, ...] = ()
    after: Mapping[str, str] = field(default_factory=dict)


FREE_TO_TELL = N_("Nothing forces a bluff in a first claim, so it is true more often.")
NEARLY_EVEN = N_("The odds were nearly even: a fair decision can still lose.")
WHICH_RANKS_HIGHER = N_("Which ranks higher, {first} or {second}? ")

STEPS: Mapping[str, StepText] = {
    "rolls/name": StepText(
        tell=(
            N_("Mia is played with two dice that only one player sees."),
            N_("A roll is named by its higher die, then the lower: 5 and 3 make 53."),
            N_("The dice fall: {first} and {second}."),
        ),
        ask=N_("What is this roll called? "),
        clue=N_("The dice show {first} and {second}, and the higher one comes first."),
        why=N_("The higher die comes first, however they fell."),
    ),
    "rolls/ordinary": StepText(
        tell=(
            N_("Rolls are ranks, not sums. The higher die counts first, then the lower."),
            N_("{lowest} is the lowest roll."),
        ),
        ask=WHICH_RANKS_HIGHER,
        clue=N_("Look at the first digit: that is the higher die."),
        why=N_("Its higher die is {die}, that of {other} only {other_die}."),
    ),
    "rolls/doubles": StepText(
        tell=(N_("Two equal dice are a double, from {least} up to {most}."),),
        ask=WHICH_RANKS_HIGHER,
        clue=N_("A double is rarer than {lowest} to {best}, and ranks higher."),
        why=N_("Doubles rank above {best}: {roll} falls in {ways}, {other} in {other_ways}."),
    ),
    "rolls/mia": StepText(
        tell=(
            N_("One roll breaks the order: 2 and 1, called {mia}, or Mia."),
            N_("It gave the game its name."),
        ),
        ask=WHICH_RANKS_HIGHER,
        clue=N_("By its dice it would be low, but it is the exception."),
        why=N_("It is Mia and beats everything, {other} included."),
    ),
    "rolls/order": StepText(
        tell=(N_("No need to learn this by heart: one word shows the order, in a match too."),),
        ask=N_("Type {word}: "),
        why=N_("These are all {count} rolls. In a match their odds stand beside them."),
    ),
    "claims/truth": StepText(
        tell=(
            N_("Now you sit at a table with Ada. You roll; she cannot see your dice."),
            N_("You tell her a roll: that is your claim. Tell the truth this time."),
            N_("The prompt shows the lives in brackets: {lives} each to begin with."),
        ),
        after={"held": N_("So a true claim costs you nothing, even if it is doubted.")},
    ),
    "claims/understate": StepText(
        tell=(
            N_("You may also claim less than you have. That is an understatement."),
            N_("Claim something lower than your roll, {example} for one."),
        ),
        after={"held": N_("It also leaves room: whoever accepts must claim higher.")},
    ),
    "claims/holds": StepText(
        tell=(N_("And you may claim more than you have. Say you roll {roll} and claim {claim}."),),
        ask=N_("Challenged, would that claim hold? {yes} or {no}: "),
        clue=N_("A claim holds if the roll ranks at least as high. Compare {roll} with {claim}."),
        why=N_("{roll} ranks below {claim} and does not support it. That was a bluff."),
    ),
    "claims/bluff": StepText(
        tell=(
            N_("A bluff works as long as it is believed."),
            N_("You get the lowest roll there is. Claim something higher."),
        ),
        after={"accepted": N_("The lowest roll of all, and it cost you nothing.")},
    ),
    "answers/accept": StepText(
        tell=(
            N_("Now Ada rolls, and you hear her claim. Before anything else you answer:"),
            N_("accept, then roll and claim higher; or challenge, and her dice are shown."),
            N_("Accept this one."),
        ),
        tasks=("", N_("Your roll beats {above}. Claim it, or anything else above {above}.")),
    ),
    "answers/look": StepText(
        tell=(N_("Ada claims {claim}. You would like to roll first, and then decide."),),
        ask=N_("Is that allowed? {yes} or {no}: "),
        clue=N_("What would be left of the risk if you knew your own roll?"),
        why=N_("You answer first; once you roll, the old claim cannot be challenged."),
        after={
            "odds": N_("Else you would accept only if you beat {claim}, in {beats}: no risk."),
        },
    ),
    "answers/pressed": StepText(
        tell=(
            N_("Accepting has a price: you must go higher, whatever you roll. Accept once more."),
        ),
        tasks=(
            "",
            N_("You may not repeat {above}, and nothing higher is true. Make something up."),
        ),
        after={"accepted": N_("Now it is Ada who had to go higher.")},
    ),
    "answers/doubt": StepText(
        tell=(N_("Some claims are hard to believe. Challenge this one."),),
        after={"caught_other": N_("Challenging, you never roll: only her dice matter.")},
    ),
    "reveal/equal": StepText(
        tell=(N_("Ada has {roll}, claims {claim}, and you challenge."),),
        ask=N_("Who loses a life? {seats}: "),
        clue=N_("A claim holds if the roll ranks at least as high. Is equal at least as high?"),
        why=N_("Equal is enough: {roll} supports {claim}, and the challenger loses."),
    ),
    "reveal/short": StepText(
        tell=(N_("Ada has {roll}, claims {claim}, and you challenge."),),
        ask=N_("Who loses a life? {seats}: "),
        clue=N_("Compare the ranks: {roll} is an ordinary roll, {claim} is a double."),
        why=N_("{roll} ranks below {claim}: the claim fails, and whoever made it loses."),
    ),
    "reveal/shown": StepText(
        tell=(
            N_("Three seats now. Ada claims {first}, Bo accepts, rolls and claims {claim}."),
            N_("You challenge."),
        ),
        ask=N_("Whose dice are shown? {seats}: "),
        clue=N_("A challenge is always about the latest claim."),
        why=N_("Only the latest roll is shown; rolls that were accepted never are."),
    ),
    "reveal/latest": StepText(
        tell=(N_("Let us see it. Challenge Bo."),),
        after={
            "wrong_doubt": N_("Ada may have bluffed before: that no longer counts."),
        },
    ),
    "mia/forced": StepText(
        tell=(N_("Nothing is higher than {mia}, so nobody can accept it. Here it comes."),),
        after={"caught_other": N_("A claim of {mia} costs the loser {price} under these rules.")},
    ),
    "mia/own": StepText(
        tell=(N_("This time you roll it yourself. Claim what you like."),),
        after={
            "held": N_("With a true {mia}, Ada has no way out: she must challenge, and loses."),
            "accepted": N_("Claiming {mia} would have cost Ada {price}, for certain."),
        },
    ),
    "mia/after66": StepText(
        tell=(
            N_("Ada claims {most}. Accept, and only {mia} is left for you to claim."),
            N_("Answer as you think best."),
        ),
        tasks=("", N_("There you are: {mia}, true or not, and Ada must challenge it.")),
        after={
            "caught": N_("So accepting {most} nearly always costs {price}: rather doubt it."),
            "caught_other": N_("Doubting {most} is nearly always right: what else could you do?"),
        },
    ),
    "mia/price": StepText(
        tell=(N_("You roll {roll} and claim {mia}. Ada has to challenge."),),
        ask=N_("How many lives do you lose? "),
        clue=N_("The rules in use stand at the head of this lesson."),
        why=N_("That is the price of {mia} by these rules. Tables agree on {low} or {high}."),
    ),
    "lives/loser-leads": StepText(
        tell=(
            N_("Everybody starts with {lives}. After a challenge a new round begins."),
            N_("Ada has just lost a life and has {left} left."),
        ),
        ask=N_("Who leads the next round? {seats}: "),
        clue=N_("Whoever lost gets the dice, if still in the match."),
        why=N_("The loser leads, and may claim anything to begin with."),
    ),
    "lives/out": StepText(
        tell=(N_("Now Bo loses his last life and is out of the match."),),
        ask=N_("Who leads the next round? {seats}: "),
        clue=N_("Bo cannot. It goes round the table: after seat 3 comes seat 1."),
        why=N_("The lead goes to the next seat after Bo that still has lives."),
    ),
    "lives/passed-over": StepText(
        tell=(N_("You have {yours}, Ada is out, Bo has {his}. You claim."),),
        ask=N_("Who has to answer? {seats}: "),
        clue=N_("Ada has no lives left, so she is passed over."),
        why=N_("Seats without lives are passed over."),
    ),
    "lives/floor": StepText(
        tell=(N_("Ada has {had}, claims {mia} with {roll}, and loses. {mia} costs {price}."),),
        ask=N_("How many lives does she have left? "),
        clue=N_("She had {had} to lose. Lives do not go below zero."),
        why=N_("Lives end at zero, and the last seat with lives wins the match."),
    ),
    "lives/last": StepText(
        tell=(N_("It gets close: {each} each. Answer as you think best."),),
        tasks=("", N_("A strong roll. Claim above {above}.")),
    ),
    "think/odds": StepText(
        tell=(
            N_("How likely is a claim? The word {odds_word} knows, as far as dice go."),
            N_("Type {odds_word}, then answer as you think best."),
        ),
        after={"wrong_doubt": NEARLY_EVEN, "caught": NEARLY_EVEN},
    ),
    "think/squeezed": StepText(
        tell=(
            N_("Ask too what a claim had to beat: whoever accepts must go higher."),
            N_("One step higher is what players say who have nothing."),
        ),
        after={
            "caught_other": N_("Bo had to say something, and took the smallest step."),
        },
    ),
    "think/hint": StepText(
        tell=(
            N_("For two seats the best play is known: nobody can beat it in the long run."),
            N_("{hint_word} shows it: what each choice wins if both play best, and why."),
            N_("Ada opens a round. Type {hint_word}, then answer."),
        ),
        after=dict.fromkeys(("wrong_doubt", "accepted", "held", "caught"), FREE_TO_TELL),
    ),
    "practice/with-comments": StepText(
        tell=(
            N_("A whole match against Ada, who is a beginner. I comment on what you do."),
            N_("The rest is as in a real match. It counts in no statistics."),
        ),
        after={
            "won": N_("Well played."),
            "lost": N_("Never mind: the dice have a say in it."),
        },
    ),
    "practice/alone": StepText(
        tell=(N_("One more, without comments. You may still ask: {aids}."),),
        after={
            "won": N_("You beat Ada without help."),
            "lost": N_("Ada was lucky, or better. Either way you know the game now."),
        },
    ),
}
"""The text of every step by ``lesson/step``."""
