"""The lessons as data, and every way through each scene."""

from itertools import product

import pytest

from mia_cli.cli.tutorial.room import seating
from mia_cli.rules.match import observation
from mia_cli.rules.rolls import Roll
from mia_cli.rules.ruleset import LIVES, PENALTIES, RuleSet
from mia_cli.text.language.catalogue import LANGUAGES, speaking
from mia_cli.text.play.seats import lives_text
from mia_cli.text.tutorial.facts import seat_name
from mia_cli.text.tutorial.frame import TITLES
from mia_cli.text.tutorial.frame import right as right_text
from mia_cli.text.tutorial.steps import STEPS
from mia_cli.tutorial.answers import right_answer
from mia_cli.tutorial.lessons import LESSONS
from mia_cli.tutorial.progress import LessonProgress
from mia_cli.tutorial.scene import table_of
from mia_cli.tutorial.steps import (
    Compare,
    Holds,
    LivesCount,
    MayRollFirst,
    NameRoll,
    Practice,
    Scene,
    WhichSeat,
)
from mia_cli.tutorial.store import ProgressStore
from tests.rules_oracle import ORDER, challenge, holds, name_of_dice, seat_after
from tests.tutorial.classroom import (
    BEFORE_PRACTICE,
    RIGHT,
    WRONG,
    Visit,
    at_step,
    right_lines,
    typing,
)

STEPS_IN_ORDER = [(lesson, step) for lesson in LESSONS for step in lesson.steps]
SCENES = [(lesson, step) for lesson, step in STEPS_IN_ORDER if isinstance(step, Scene)]
EVERY_RULE_SET = [RuleSet(lives, penalty) for lives, penalty in product(LIVES, PENALTIES)]


def named(pairs):
    return [f"{lesson.id}/{step.id}" for lesson, step in pairs]


def test_eight_lessons_with_ids_that_never_repeat():
    assert [lesson.id for lesson in LESSONS] == [
        *("rolls", "claims", "answers", "reveal", "mia", "lives", "think", "practice"),
    ]
    for lesson in LESSONS:
        ids = [step.id for step in lesson.steps]
        assert len(set(ids)) == len(ids) > 1


def test_every_step_has_its_text_and_no_text_is_left_over():
    assert list(STEPS) == named(STEPS_IN_ORDER)
    assert list(TITLES) == [lesson.id for lesson in LESSONS]
    for (_lesson, step), text in zip(STEPS_IN_ORDER, STEPS.values(), strict=True):
        is_question = not isinstance(step, Scene | Practice)
        assert bool(text.ask) == bool(text.why) == is_question
        assert bool(text.clue) == (is_question and step.id != "order")
        assert 1 <= len(text.tell) <= 3


def oracle(step, rules):  # noqa: PLR0911 - one per kind of question
    """The right answer by the test's own rules, as text."""
    match step:
        case NameRoll(dice=dice):
            return name_of_dice(*dice)
        case Compare(rolls=rolls):
            return max(rolls, key=ORDER.index)
        case Holds(roll=roll, claim=claim):
            return "yes" if holds(roll, claim) else "no"
        case MayRollFirst():
            return "no"
        case WhichSeat(about="shown", seat=seat):
            return str(seat)
        case WhichSeat(about="answers", seat=seat, lives=lives):
            return str(seat_after(seat, list(lives)))
        case WhichSeat(about="leader", seat=seat, lives=lives):
            return str(seat if lives[seat - 1] else seat_after(seat, list(lives)))
        case WhichSeat(about="loser", seat=seat, roll=roll, claim=claim):
            return str(challenge([1, 1], seat, roll, claim, 1)[0])
        case LivesCount(about=about, roll=roll, before=before):
            had = rules.lives if before is None else before
            left = challenge([had, 3], 1, roll, "21", rules.penalty_21)[1][0]
            return str(left if about == "left" else had - left)
        case _:
            return "rank"


@pytest.mark.parametrize("rules", EVERY_RULE_SET, ids=str)
def test_the_right_answer_is_that_of_the_rules(rules):
    words = {True: "yes", False: "no"}
    for lesson, step in STEPS_IN_ORDER:
        if isinstance(step, Scene | Practice) or step.id == "order":
            continue
        found = right_answer(step, rules)
        shown = found.name if isinstance(found, Roll) else words.get(found, str(found))
        if isinstance(step, WhichSeat | LivesCount):
            shown = str(int(found))
        assert shown == oracle(step, rules), step
        if step.id != "price":
            assert RIGHT[f"{lesson.id}/{step.id}"] == [shown]
            assert WRONG[f"{lesson.id}/{step.id}"] != shown


@pytest.mark.parametrize("rules", EVERY_RULE_SET, ids=str)
def test_right_answers_lead_through_every_lesson_with_one_prompt_each(rules):
    visit = Visit(typing([*right_lines(rules), "skip", "skip"]), rules=rules)
    assert visit.code == 4  # nothing was kept
    assert len(visit.asked) == len(right_lines()) + 2
    assert all(visit.progress.of(lesson).done for lesson in BEFORE_PRACTICE)
    assert not any(line.startswith(("Not quite", "The answer is", "Let me")) for line in visit.said)
    assert not any("You may do that" in line for line in visit.said)


def test_wrong_answers_are_explained_and_never_trap():
    for lesson, step in STEPS_IN_ORDER:
        key = f"{lesson.id}/{step.id}"
        if key not in WRONG:
            continue
        visit = Visit(
            typing([WRONG[key], WRONG[key], "quit"]),
            progress=at_step(lesson, index_of(lesson, step)),
        )
        assert len(visit.asked) == 3, key
        assert visit.asked[0] == visit.asked[1]
        assert sum(line.startswith("Not quite.") for line in visit.said) == 1
        assert sum(line.startswith("The answer is: ") for line in visit.said) == 1
        assert step.id in visit.progress.of(lesson).passed or visit.progress.of(lesson).done


@pytest.mark.parametrize("nonsense", ["", "zzz", "12345", "½", "\x1b[2J"])
def test_nonsense_is_no_answer_at_any_step_and_is_told_the_way_out(nonsense):
    for lesson, step in STEPS_IN_ORDER:
        start = at_step(lesson, index_of(lesson, step))
        visit = Visit(typing([nonsense] * 4), progress=start)
        assert len(visit.asked) == 5 and len(set(visit.asked)) == 1
        assert visit.progress.step_of(lesson) == index_of(lesson, step)
        assert not visit.progress.of(lesson).missed
        assert not any(
            line.startswith(("Not quite", "The answer is", "Let me")) for line in visit.said
        )
        assert visit.said.count("To go on without it, type skip.") == 2
        assert not any("\x1b" in line for line in visit.said)


def test_what_is_answered_wrong_to_the_end_comes_back_at_the_end_of_the_lesson(tmp_path):
    lesson, keys = LESSONS[0], [key for key in RIGHT if key.startswith("rolls/")]
    typed = []
    for key in keys:
        typed += [WRONG[key]] * 2 if key in ("rolls/name", "rolls/mia") else RIGHT[key]
    visit = Visit(typing([*typed, "64", "66", "66"]), only=lesson)
    assert visit.progress.of(lesson) == LessonProgress(done=True)
    again = visit.said.index("2 steps once more:")
    asked = [line for line in visit.said[again:] if line in visit.asked]
    assert asked == [visit.asked[0], visit.asked[-1], visit.asked[-1]], "each comes back once"
    # Whoever leaves in between finds the steps that are left.
    store = ProgressStore(tmp_path)
    left = Visit(typing([*typed, "64"]), only=lesson, store=store).progress
    assert left.of(lesson).missed == ("mia",) and left.of(lesson).comes_back
    later = Visit(typing(["21"]), only=lesson, progress=store.load())
    assert later.progress.of(lesson).done and len(later.asked) == 1


def test_a_lesson_whose_steps_were_all_skipped_is_not_done():
    lesson = LESSONS[1]
    count = len(lesson.steps)
    visit = Visit(typing(["skip"] * count), only=lesson)
    assert visit.progress.of(lesson) == LessonProgress() and visit.progress.current is None
    assert "Lesson 2 was skipped; it stays open." in visit.said
    one = Visit(typing(["54", *["skip"] * (count - 1)]), only=lesson)
    assert one.progress.of(lesson).done
    known = Visit(typing(["skip"] * count), only=lesson, progress=one.progress)
    assert known.progress.of(lesson).done, "what was done stays done"
    # Skipping everything reaches the end all the same.
    steps = sum(len(other.steps) for other in LESSONS)
    all_ = Visit(typing(["skip"] * steps))
    assert len(all_.asked) == steps
    assert not any(all_.progress.of(other).done for other in LESSONS)
    assert any("mia practice" in line for line in all_.said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_seat_is_understood_by_number_by_name_and_as_the_prompt_lists_it(language):
    questions = [pair for pair in STEPS_IN_ORDER if isinstance(pair[1], WhichSeat)]
    with speaking(language):
        for lesson, step in questions:
            right = int(right_answer(step, RuleSet()))
            name = seat_name(right, seating(3, RuleSet()))
            right_word = right_text(name)
            english = ("you", "Ada", "Bo")[right - 1]
            for typed in (str(right), name, name.upper(), f" {right}  {name}", english):
                visit = Visit(
                    typing([typed, "quit"]), progress=at_step(lesson, index_of(lesson, step))
                )
                assert step.id in visit.progress.of(lesson).passed, (step.id, typed)
                assert len(visit.asked) == 2, (step.id, typed)
                assert right_word in "".join(visit.said), (step.id, typed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_lives_are_understood_as_the_answer_says_them(language):
    with speaking(language):
        for lesson, step in STEPS_IN_ORDER:
            if isinstance(step, LivesCount):
                spoken = lives_text(int(right_answer(step, RuleSet())))
                visit = Visit(
                    typing([spoken, "quit"]), progress=at_step(lesson, index_of(lesson, step))
                )
                assert len(visit.asked) == 2
                assert visit.asked[0] != visit.asked[1]


def index_of(lesson, step):
    return lesson.steps.index(step)


def decisions(scene):
    """Every pair of lines a person could decide by in a scene."""
    answers = ["accept", "challenge"]
    if scene.leader == 1:
        return [(claim,) for claim in ORDER]
    if len(scene.wishes) == 1:
        return [(answer,) for answer in answers]
    return [(answer, claim) for answer in answers for claim in ORDER]


@pytest.mark.parametrize(("lesson", "scene"), SCENES, ids=named(SCENES))
def test_every_decision_in_a_scene_gets_a_reason_and_an_end(lesson, scene):
    for answers in decisions(scene):

        def rule(prompt, answers=answers):
            return answers[0] if "allenge?" in prompt or scene.leader == 1 else answers[-1]

        visit = Visit(limited(rule, 9), lessons=[replaced(lesson, scene)])
        assert visit.progress.of(lesson).done, answers
        end = "\n".join(visit.said)
        results = ("supports", "does not support", "is accepted, and nobody")
        assert any(word in end for word in results), (answers, end)


def replaced(lesson, scene):
    """The lesson with this scene alone."""
    return type(lesson)(lesson.id, (scene,))


def limited(rule, most):
    """The rule, for so many lines: a scene that asks more is a trap."""
    count = iter(range(most))
    return lambda prompt: None if next(count, None) is None else rule(prompt)


@pytest.mark.parametrize(("lesson", "scene"), SCENES, ids=named(SCENES))
def test_a_scene_begins_where_the_rules_could_have_led(lesson, scene):
    for rules in EVERY_RULE_SET:
        table = table_of(scene, rules)
        assert table.match.phase == "roll"
        assert len(table.match.lives) == scene.seats
        assert all(0 < left <= rules.lives for left in table.match.lives)
        assert lesson.position(scene.id) is not None
    with pytest.raises(Exception, match="not_now"):
        observation(table.match, 1, ())
