"""Every sentence that states a rule is played against the engine, for every lives and penalty.

CHECKS has each English sentence of the page with what proves it. A sentence that is new or changed
has no check and fails here; a rule that changed fails the checks of its sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import pytest

from mia_cli.rules import events, match, rolls
from mia_cli.rules.examples import EXAMPLES
from mia_cli.rules.ruleset import SEATS, RuleSet
from mia_cli.text.rules import brief, sections
from tests.rules_oracle import WORKED_EXAMPLES
from tests.text.rules import rules_proofs as proof
from tests.text.rules.rules_proofs import RULES, Table, settled

Check = Callable[[Table], None]
CHECKS: Mapping[str, Mapping[str, Check]] = {
    "objective": {
        "Whoever claims too much and is challenged loses lives, and so does whoever challenges a "
        "claim that holds.": proof.too_much_or_wrong_doubt_costs_lives,
        "The last seat with lives wins the match.": proof.last_with_lives_wins,
        "A table has {fewest} to {most} seats, this one {players}.": proof.seats_at_a_table,
        "One is yours; every other is a CPU player with a level of its own.": (
            proof.one_person_and_cpu_players
        ),
        "Play goes round by seat number and passes over seats without lives.": (
            proof.round_by_number
        ),
        "Who leads the first round is drawn by lot.": proof.first_leader_is_drawn,
        "Before a match begins you choose the number of seats, the level of each CPU player, who "
        "leads first, how many lives every seat gets ({lives_choices}) and how many a claim of "
        "{mia} costs ({penalty_choices}).": proof.choices_before_a_match,
        "Everything else on this page always holds.": proof.nothing_else_changes,
    },
    "rolls": {
        "Whoever has the dice rolls both where nobody else can see them.": proof.rolls_in_private,
        "A roll is named by its higher die, then the lower, however they fell: {first} and "
        "{second} make {example}.": proof.higher_die_first,
        "Then comes the claim: one of the {count} rolls, said to all.": (
            proof.a_claim_is_one_of_the_rolls_said_to_all
        ),
        "The roll is what the dice show, and only the seat that rolled knows it; the claim is "
        "what is said, and it is all that the others learn.": proof.others_learn_the_claim_alone,
    },
    "claims": {
        "A claim need not be true.": proof.anything_may_be_claimed,
        "It may be lower than the roll, which is an understatement, or higher, which is a "
        "bluff.": proof.lower_is_an_understatement_and_higher_a_bluff,
        "The first claim of a round is free.": proof.first_claim_is_free,
        "Every later one must be higher than the claim before it; the same claim again is not "
        "allowed.": proof.later_claims_are_higher,
        "Above {top} only {mia} is left.": proof.only_mia_is_above_the_top,
    },
    "answers": {
        "The next seat with lives answers before any new roll: it accepts the claim or "
        "challenges it.": proof.the_next_seat_answers_before_any_roll,
        "Accepting always means rolling both dice anew and claiming higher than the claim just "
        "accepted.": proof.accepting_means_two_dice_and_higher,
        "Once it has rolled, that seat can no longer challenge the old claim: there is no "
        "looking first and doubting afterwards.": proof.no_challenge_after_the_roll,
        "{mia} cannot be accepted, because nothing is higher: it must be challenged.": (
            proof.mia_must_be_challenged
        ),
        "Not played here: passing a claim on unchanged and without a new roll, as some tables "
        "do.": proof.nothing_is_passed_on,
    },
    "reveal": {
        "A challenge uncovers the latest roll and nothing else; rolls that were accepted stay "
        "hidden for the rest of the match.": proof.only_the_latest_roll_is_shown,
        "If the roll ranks at least as high as the claim, the claim holds and the challenger "
        "loses: equal is enough.": proof.at_least_holds_and_equal_is_enough,
        "If it ranks lower, the seat that claimed loses.": proof.lower_fails,
        "A claim of {mia} may be a bluff like any other.": proof.mia_may_be_a_bluff,
        "Whoever loses over it loses {price}, as over any other claim.": proof.mia_costs_the_same,
        "Whoever loses over it, the challenger or the seat that claimed, loses {price} instead "
        "of {one}.": proof.mia_costs_more,
    },
    "lives": {
        "Every seat starts with {lives}.": proof.lives_at_the_start,
        "Every challenge costs its loser {one}, or over a claim of {mia} what is said above; "
        "nobody can lose more than is left.": proof.a_lost_challenge_costs_what_is_left_at_most,
        "The loser leads the next round.": proof.the_loser_leads,
        "A loser left without lives is out, and the next seat after it that has lives leads "
        "instead.": proof.a_loser_without_lives_is_out,
        "When only one seat has lives, it has won and the match is over.": (
            proof.last_with_lives_wins
        ),
    },
    "order": {
        "These are names, not points.": proof.the_order,
        "{low} and {high} make {mia}, the highest of all; there is no {reversed}.": proof.the_order,
        "Two dice can fall in {outcomes} ways: {double_ways} for each double, {other_ways} for "
        "every other roll.": proof.the_ways_of_the_dice,
    },
    "questions": {
        "May I challenge after I have rolled?\nNo. By rolling you accepted, and you must claim "
        "higher, true or not.": proof.rolling_is_accepting,
        "Must {mia} be true?\nNo. But it is always challenged, so the next thing anybody sees is "
        "the dice.": proof.mia_is_always_challenged,
        "What if the dice show exactly what I claimed?\nThen the claim holds, and the challenger "
        "loses.": proof.equal_holds,
        "Who leads when the loser is out?\nThe next seat by number, round the table, that still "
        "has lives.": proof.a_loser_without_lives_is_out,
    },
    "practice": {
        "Learn the game by playing, in {lessons} short lessons.": proof.lessons,
        "Your progress and the matches of the lessons are kept apart from your own and count in no "
        "statistics.": proof.progress_is_apart,
        "Play a match.": proof.play_is_a_command,
        "At every prompt, {help_word} shows what you can type, and {rules_word} what decides at "
        "that moment.": proof.help_and_rules_at_every_prompt,
        "Train decisions: those of yours that cost most, and positions of the best play.": (
            proof.practice_is_a_command
        ),
        "It is kept apart too, and counts in no statistics.": proof.practice_is_apart,
        "The presets there are, and yours.": proof.presets_are_listed,
        "An option such as {option} comes before a variable such as {variable}, a variable "
        "before the preset ({preset_option} or {preset_variable}), and the preset before what is "
        "built in.": proof.option_then_variable_then_preset_then_built_in,
    },
    "at a prompt": {
        "You answer before any new roll.": proof.the_next_seat_answers_before_any_roll,
        "Accept, and you roll both dice anew and must claim higher than {claim}; you can no "
        "longer challenge it then.": proof.rolling_is_accepting,
        "Challenge, and only the latest roll is shown: {claim} or higher, and you lose {one}; "
        "lower, and the seat that claimed does.": proof.challenged_rolls_decide,
        "{claim} cannot be accepted, because nothing is higher.": proof.mia_must_be_challenged,
        "Challenge it, and only the latest roll is shown: if it is {claim}, you lose {price}; if "
        "not, the seat that claimed does.": proof.mia_at_a_prompt,
        "A new round: claim any roll, true or not.": proof.first_claim_is_free,
        "Nobody else sees your dice.": proof.rolls_in_private,
        "Claim higher than {above}, true or not: you can no longer challenge it, and you cannot "
        "repeat it or pass it on.": proof.a_later_claim,
        "The next seat accepts and must claim higher, or challenges, and your roll is shown: if "
        "it ranks at least as high as your claim, the challenger loses {one}, otherwise you "
        "do.": proof.challenged_rolls_decide,
        "Over a claim of {mia} it is {price}.": proof.what_mia_costs,
        "The seat that rolls is the only one to see the dice.": proof.rolls_in_private,
        "It claims a roll, true or not, higher than the claim before.": (
            proof.later_claims_are_higher
        ),
        "The next seat accepts, rolls and claims higher, or challenges, and the roll is shown: "
        "if it ranks at least as high as the claim, the challenger loses {one}, otherwise the "
        "seat that claimed does.": proof.challenged_rolls_decide,
        "The last seat with lives wins.": proof.last_with_lives_wins,
    },
}


def sentences(text: str) -> Iterator[str]:
    """The sentences of a paragraph; a question stays with its answer."""
    if "\n" in text:
        yield text
    else:
        yield from re.split(r"(?<=[.?!]) (?=\S)", text)


def written() -> dict[str, list[str]]:
    """Every sentence the program has, by section."""
    found = {
        id_: [one for text in texts for one in sentences(text)]
        for id_, texts in sections.PARAGRAPHS.items()
    }
    for text in (sections.MIA_COSTS_THE_SAME, sections.MIA_COSTS_MORE):
        found["reveal"] += [one for one in sentences(text) if one not in found["reveal"]]
    found["questions"] = list(sections.QUESTIONS)
    found["practice"] = [one for text in sections.PRACTICE.values() for one in sentences(text)]
    at_prompts = (
        *(*brief.ANSWER, *brief.ANSWER_MIA, *brief.CLAIM_FIRST, *brief.CLAIM_ABOVE),
        *(*brief.AFTER_CLAIM, *brief.IN_SHORT),
    )
    found["at a prompt"] = list(
        dict.fromkeys(one for text in at_prompts for one in sentences(text))
    )
    return found


def test_every_sentence_has_a_check_and_every_check_its_sentence() -> None:
    assert {id_: list(checks) for id_, checks in CHECKS.items()} == written()


def stated(rules: RuleSet) -> set[str]:
    """The sentences that are said by these rules: what a claim of 21 costs is said in one way."""
    other = {sections.MIA_COSTS_MORE, sections.MIA_COSTS_THE_SAME}
    other -= set(sections.templates("reveal", rules))
    unsaid = {one for text in other for one in sentences(text)}
    said = {one for text in sections.templates("reveal", rules) for one in sentences(text)}
    return {one for checks in CHECKS.values() for one in checks} - (unsaid - said)


def failing(rules: RuleSet, seats: int) -> set[str]:
    """The sentences whose checks fail at a table."""
    found, said = set(), stated(rules)
    for checks in CHECKS.values():
        for sentence, check in checks.items():
            if sentence in said:
                try:
                    check(Table(rules, seats))
                except Exception:
                    found.add(sentence)
    return found


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("section", CHECKS)
def test_what_is_said_is_what_is_played(section: str, rules: RuleSet) -> None:
    seats = (3,) if section == "practice" else SEATS
    said = stated(rules)
    for sentence, check in CHECKS[section].items():
        for table in (Table(rules, number) for number in seats if sentence in said):
            check(table)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_examples_are_those_of_the_rules_and_end_as_they_say(rules: RuleSet) -> None:
    assert list(EXAMPLES) == [(roll, claim) for roll, claim, _holds in WORKED_EXAMPLES]
    (told,) = (one for one in sections.sections(settled(rules)) if one.id == "examples")
    for (roll, claim, holds), item in zip(WORKED_EXAMPLES, told.items, strict=True):
        assert item.head == f"Roll {roll}, claim {claim}"
        loser = "the challenger" if holds else "the seat that claimed"
        price = rules.penalty_21 if claim == "21" else 1
        assert item.text.endswith(f": {loser} loses {price} li{'fe' if price == 1 else 'ves'}.")
        assert item.text.startswith("Equal is enough") == (roll == claim)


# A rule that changed, and a sentence that notices.


def _strictly(roll: rolls.Roll, claim: rolls.Claim) -> bool:
    return roll.position > claim.position


def _repeats(claim: rolls.Claim, standing: rolls.Claim | None) -> bool:
    return standing is None or claim.position >= standing.position


CHANGES: Mapping[str, tuple[object, str, object, str]] = {
    "equal is not enough": (rolls.Roll, "supports", _strictly, "equal is enough"),
    "a claim may be repeated": (rolls.Claim, "beats", _repeats, "the same claim again"),
    "21 may be accepted": (
        rolls.Claim,
        "must_be_challenged",
        property(lambda _claim: False),
        "cannot be accepted",
    ),
    "21 costs three": (
        match,
        "loss",
        lambda _rules, claim: 3 if claim.name == "21" else 1,
        "Whoever loses over it",
    ),
    "every loss is two": (
        match,
        "loss",
        lambda _rules, _claim: 2,
        "Every challenge costs its loser",
    ),
    "lives below zero": (
        match,
        "lose",
        lambda lives, seat, amount: (*lives[: seat - 1], lives[seat - 1] - amount, *lives[seat:]),
        "nobody can lose more than is left",
    ),
    "the winner leads": (match, "next_leader", match.next_living, "The loser leads"),
    "seats that are out answer": (
        match,
        "next_living",
        lambda lives, seat: seat % len(lives) + 1,
        "passes over seats without lives",
    ),
    "rolls are seen": (events, "seen_by", lambda event, _seat: event, "only the seat that rolled"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_rules_is_noticed(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, value, said = CHANGES[change]
    monkeypatch.setattr(owner, name, value)
    if name == "seen_by":
        monkeypatch.setattr(match, name, value)
    noticed = failing(RuleSet(3, 1), 3) | failing(RuleSet(3, 2), 3)
    assert any(said in sentence for sentence in noticed), noticed
