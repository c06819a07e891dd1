"""The rules as sentences: a heading for each section, and what stands under it.

Numbers, names of rolls and words to type are fields, filled in from the rules and the settings;
none is typed here. A section is written anew in each language: what has to agree is the fields,
and that nothing is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mia_cli.presets.settings import TableSettings
from mia_cli.rules.examples import DICE, WorkedExample, worked_examples
from mia_cli.rules.match import loss
from mia_cli.rules.rolls import CLAIMS, MIA, OUTCOMES, ROLLS, parse_claim, parse_roll, roll_of_dice
from mia_cli.rules.ruleset import LIVES, PENALTIES, SEATS, RuleSet
from mia_cli.text.language.catalogue import N_, _, translate
from mia_cli.text.language.line import comma
from mia_cli.text.language.words import shown
from mia_cli.text.play.seats import lives_text
from mia_cli.text.rules.order import order_drawing
from mia_cli.tutorial.lessons import LESSONS


@dataclass(frozen=True, slots=True)
class HeadedText:
    """A few words and what is said about them: a question, an example, a command."""

    head: str
    text: str


@dataclass(frozen=True, slots=True)
class RulesSection:
    """A heading with what stands under it, in this order: a drawing, paragraphs, headed texts."""

    id: str
    title: str
    drawing: Sequence[str] = ()
    paragraphs: Sequence[str] = ()
    items: Sequence[HeadedText] = ()

    @property
    def text(self) -> str:
        """All of it but the heading, as lines that are not cut to any width."""
        items = (line for item in self.items for line in (item.head, item.text))
        return "\n".join((*self.drawing, *self.paragraphs, *items))


TITLES: Mapping[str, str] = {
    "objective": N_("Aim and table"),
    "rolls": N_("Roll and claim: two things"),
    "claims": N_("Claims and bluffs"),
    "answers": N_("Accept or challenge"),
    "reveal": N_("What a challenge shows, and {mia}"),
    "lives": N_("Lives, and who leads next"),
    "order": N_("The order of the rolls, low to high"),
    "examples": N_("Examples"),
    "questions": N_("Questions"),
    "practice": N_("Learn it, play it, set the table"),
}
"""The sections, in their order."""

PARAGRAPHS: Mapping[str, Sequence[str]] = {
    "objective": (
        N_(
            "Whoever claims too much and is challenged loses lives, and so does whoever "
            "challenges a claim that holds. The last seat with lives wins the match."
        ),
        N_(
            "A table has {fewest} to {most} seats, this one {players}. One is yours; every other "
            "is a CPU player with a level of its own. Play goes round by seat number and passes "
            "over seats without lives. Who leads the first round is drawn by lot."
        ),
        N_(
            "Before a match begins you choose the number of seats, the level of each CPU player, "
            "who leads first, how many lives every seat gets ({lives_choices}) and how many a "
            "claim of {mia} costs ({penalty_choices}). Everything else on this page always holds."
        ),
    ),
    "rolls": (
        N_(
            "Whoever has the dice rolls both where nobody else can see them. A roll is named by "
            "its higher die, then the lower, however they fell: {first} and {second} make "
            "{example}."
        ),
        N_(
            "Then comes the claim: one of the {count} rolls, said to all. The roll is what the "
            "dice show, and only the seat that rolled knows it; the claim is what is said, and "
            "it is all that the others learn."
        ),
    ),
    "claims": (
        N_(
            "A claim need not be true. It may be lower than the roll, which is an "
            "understatement, or higher, which is a bluff. The first claim of a round is free. "
            "Every later one must be higher than the claim before it; the same claim again is "
            "not allowed. Above {top} only {mia} is left."
        ),
    ),
    "answers": (
        N_(
            "The next seat with lives answers before any new roll: it accepts the claim or "
            "challenges it. Accepting always means rolling both dice anew and claiming higher "
            "than the claim just accepted. Once it has rolled, that seat can no longer challenge "
            "the old claim: there is no looking first and doubting afterwards."
        ),
        N_("{mia} cannot be accepted, because nothing is higher: it must be challenged."),
        N_(
            "Not played here: passing a claim on unchanged and without a new roll, as some "
            "tables do."
        ),
    ),
    "reveal": (
        N_(
            "A challenge uncovers the latest roll and nothing else; rolls that were accepted "
            "stay hidden for the rest of the match. If the roll ranks at least as high as the "
            "claim, the claim holds and the challenger loses: equal is enough. If it ranks "
            "lower, the seat that claimed loses."
        ),
    ),
    "lives": (
        N_(
            "Every seat starts with {lives}. Every challenge costs its loser {one}, or over a "
            "claim of {mia} what is said above; nobody can lose more than is left. The loser "
            "leads the next round. A loser left without lives is out, and the next seat after it "
            "that has lives leads instead. When only one seat has lives, it has won and the "
            "match is over."
        ),
    ),
    "order": (
        N_(
            "These are names, not points. {low} and {high} make {mia}, the highest of all; there "
            "is no {reversed}. Two dice can fall in {outcomes} ways: {double_ways} for each "
            "double, {other_ways} for every other roll."
        ),
    ),
}
"""The paragraphs of each section, as templates."""

MIA_COSTS_THE_SAME = N_(
    "A claim of {mia} may be a bluff like any other. Whoever loses over it loses {price}, as over "
    "any other claim."
)
MIA_COSTS_MORE = N_(
    "A claim of {mia} may be a bluff like any other. Whoever loses over it, the challenger or the "
    "seat that claimed, loses {price} instead of {one}."
)

# Translators: a question and its answer, on a line each.
QUESTIONS: Sequence[str] = (
    N_(
        "May I challenge after I have rolled?\n"
        "No. By rolling you accepted, and you must claim higher, true or not."
    ),
    N_(
        "Must {mia} be true?\n"
        "No. But it is always challenged, so the next thing anybody sees is the dice."
    ),
    N_(
        "What if the dice show exactly what I claimed?\n"
        "Then the claim holds, and the challenger loses."
    ),
    N_(
        "Who leads when the loser is out?\n"
        "The next seat by number, round the table, that still has lives."
    ),
)

PRACTICE: Mapping[str, str] = {
    "mia tutorial": N_(
        "Learn the game by playing, in {lessons} short lessons. Your progress and the "
        "matches of the lessons are kept apart from your own and count in no statistics."
    ),
    "mia play": N_(
        "Play a match. At every prompt, {help_word} shows what you can type, and {rules_word} what "
        "decides at that moment."
    ),
    "mia practice": N_(
        "Train decisions: those of yours that cost most, and positions of the best play. It is "
        "kept apart too, and counts in no statistics."
    ),
    "mia rules list": N_(
        "The presets there are, and yours. An option such as {option} comes before a variable "
        "such as {variable}, a variable before the preset ({preset_option} or "
        "{preset_variable}), and the preset before what is built in."
    ),
}
"""What is said of each command."""

_CLAIM_HOLDS = N_("It holds: the challenger loses {lost}.")
_EQUAL_HOLDS = N_("Equal is enough: the challenger loses {lost}.")
_CLAIM_FAILS = N_("It falls short: the seat that claimed loses {lost}.")


def sections(settings: TableSettings) -> list[RulesSection]:
    """The whole page in the language in use, as a match by ``settings`` would be played."""
    told = facts(settings)

    def filled(text: str) -> str:
        return translate(text).format_map(told)

    def section(id_: str, title: str) -> RulesSection:
        items = {
            "examples": [_example(one) for one in worked_examples(settings.rules)],
            "questions": [HeadedText(*filled(one).split("\n")) for one in QUESTIONS],
            "practice": [HeadedText(command, filled(one)) for command, one in PRACTICE.items()],
        }
        return RulesSection(
            id_,
            filled(title),
            order_drawing() if id_ == "order" else (),
            [filled(one) for one in templates(id_, settings.rules)],
            items.get(id_, ()),
        )

    return [section(id_, title) for id_, title in TITLES.items()]


def templates(id_: str, rules: RuleSet) -> Sequence[str]:
    """The paragraphs of a section; what {mia} costs is said in one of two ways."""
    if id_ != "reveal":
        return PARAGRAPHS.get(id_, ())
    costs_more = mia_price(rules) > _price(rules, ROLLS[0].name)
    return (*PARAGRAPHS[id_], MIA_COSTS_MORE if costs_more else MIA_COSTS_THE_SAME)


def _price(rules: RuleSet, claim: str) -> int:
    return loss(rules, parse_claim(claim))


def mia_price(rules: RuleSet) -> int:
    """Lives that a challenge over 21 costs."""
    return _price(rules, MIA)


def facts(settings: TableSettings) -> dict[str, str]:
    """The fields of the sentences."""
    rules = settings.rules
    low, high = sorted(MIA)
    return {
        **prices(rules),
        "fewest": str(SEATS[0]),
        "most": str(SEATS[-1]),
        "players": str(settings.players),
        "lives": lives_text(rules.lives),
        "lives_choices": either(LIVES),
        "penalty_choices": either(PENALTIES),
        "first": str(DICE[0]),
        "second": str(DICE[1]),
        "example": roll_of_dice(*DICE).name,
        "count": str(len(ROLLS)),
        "top": CLAIMS[-2].name,
        "low": low,
        "high": high,
        "reversed": low + high,
        "outcomes": str(OUTCOMES),
        "double_ways": str(parse_roll(low * 2).ways),
        "other_ways": str(parse_roll(MIA).ways),
        "lessons": str(len(LESSONS)),
        "help_word": shown("help"),
        "rules_word": shown("rules"),
        "option": "--lives",
        "variable": "MIA_LIVES",
        "preset_option": "--rules",
        "preset_variable": "MIA_RULES",
    }


def prices(rules: RuleSet) -> dict[str, str]:
    """What a challenge costs: the fields ``one`` and, over the claim ``mia``, ``price``."""
    one = _price(rules, ROLLS[0].name)
    return {"mia": MIA, "one": lives_text(one), "price": lives_text(mia_price(rules))}


def either(values: Sequence[int]) -> str:
    """A choice of numbers: "2, 3 or 5"."""
    *others, last = map(str, values)
    # Translators: the end of a list of numbers to choose from: "2, 3 or 5".
    return _("{others} or {last}").format(others=comma().join(others), last=last)


def _example(example: WorkedExample) -> HeadedText:
    roll, claim = example.roll, example.claim
    if not example.holds:
        outcome = _CLAIM_FAILS
    elif claim.understates(roll):
        outcome = _CLAIM_HOLDS
    else:
        outcome = _EQUAL_HOLDS
    return HeadedText(
        _("Roll {roll}, claim {claim}").format(roll=roll.name, claim=claim.name),
        translate(outcome).format(lost=lives_text(example.lost)),
    )
