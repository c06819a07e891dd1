"""Moving about in the tutorial: leaving at every prompt, coming back, skipping, going back."""

import signal

import pytest

from mia_cli.rules.ruleset import RuleSet
from mia_cli.tutorial.lessons import LESSONS
from mia_cli.tutorial.store import ProgressStore
from tests.tutorial.classroom import (
    BEFORE_PRACTICE,
    RIGHT,
    Visit,
    at_step,
    done,
    play_on,
    right_lines,
    typing,
)

PROMPTS = len(right_lines())


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "tutorial"


def place(progress):
    lesson = progress.next_lesson(LESSONS)
    return None if lesson is None else (lesson.id, progress.step_of(lesson))


@pytest.mark.parametrize("last", ["Quit", None])
def test_leaving_at_every_prompt_comes_back_to_that_step(folder, last):
    lines = right_lines()
    steps = [key for key, typed in RIGHT.items() for _ in typed]
    for count in range(PROMPTS):
        store = ProgressStore(folder / str(count))
        visit = Visit(typing([*lines[:count], *([last] if last else [])]), store=store)
        assert visit.code == (0 if last else 3)
        assert visit.said[-1] == "Your place is kept. Go on with: mia tutorial"
        lesson, index = place(ProgressStore(store.folder).load())
        found = next(one for one in LESSONS if one.id == lesson)
        assert f"{lesson}/{found.steps[index].id}" == steps[count]
        prompt = visit.asked[-1]
        again = Visit(typing([]), store=store, progress=store.load())
        first_of_step = steps.index(steps[count])
        if first_of_step == count:
            assert again.asked == [prompt]
        rest = [*lines[first_of_step:], "skip", "skip"]
        last_lesson = Visit(typing(rest), store=store, progress=store.load()).progress
        assert place(last_lesson) == ("practice", 0), "a lesson that is skipped stays open"


def test_every_step_can_be_skipped_repeated_and_gone_back_from():
    for lesson in LESSONS:
        for index, step in enumerate(lesson.steps):
            start = at_step(lesson, index)
            ahead = Visit(typing(["skip"]), progress=start)
            assert not ahead.progress.of(lesson).done
            known = ahead.progress.of(lesson)
            assert known.step is None or ahead.progress.step_of(lesson) == index + 1
            assert "Skipped." in ahead.said
            back = Visit(typing(["back"]), progress=start)
            assert back.progress.step_of(lesson) == max(0, index - 1)
            assert ("This is the first step of the lesson." in back.said) == (index == 0)
            again = Visit(typing(["repeat"]), progress=start)
            assert len(again.asked) == 2
            assert again.asked[0] == again.asked[1], step
            first, second = (at for at, said in enumerate(again.said) if said == again.asked[0])
            told = again.said[first + 1 : second]
            assert len(told) > 1
            assert set(told) <= {"repeat", *again.said[:first]}


WORDS = ["help", "rank", "odds", "hint", "score", "history", "HELP ", " h", "?", "ｈｅｌｐ"]


@pytest.mark.parametrize("word", WORDS)
def test_words_answer_at_every_prompt_and_count_as_no_answer(word):
    for lesson in LESSONS:
        for index, step in enumerate(lesson.steps):
            if step.id == "order" and word == "rank":
                continue
            visit = Visit(typing([word] * 3), progress=at_step(lesson, index))
            assert len(visit.asked) == 4, (step, word)
            assert len(set(visit.asked)) == 1
            assert visit.progress.step_of(lesson) == index
            first, second, *_more = (
                at for at, said in enumerate(visit.said) if said == visit.asked[0]
            )
            assert second > first + 2, f"{word} says nothing at {step.id}"


def test_ctrl_c_ends_every_prompt_at_once():
    """By a real signal, at each prompt of each step, those of a match included."""
    for lesson in LESSONS:
        for index, step in enumerate(lesson.steps):
            lines = RIGHT.get(f"{lesson.id}/{step.id}", ["43", "66"])
            for count in range(len(lines)):
                left = iter(lines[:count])
                asked = []

                def rule(prompt, left=left, asked=asked):
                    asked.append(prompt)
                    line = next(left, None)
                    return line if line is not None else signal.raise_signal(signal.SIGINT)

                with pytest.raises(KeyboardInterrupt):
                    Visit(rule, progress=at_step(lesson, index))
                assert len(asked) == count + 1, step.id


def test_ctrl_c_keeps_the_place_and_tells_it(folder):
    def interrupt(_prompt):
        raise KeyboardInterrupt

    store = ProgressStore(folder)
    with pytest.raises(KeyboardInterrupt):
        Visit(interrupt, store=store, progress=at_step(LESSONS[4], 2))
    assert place(ProgressStore(folder).load()) == ("mia", 2)


def test_one_lesson_alone_and_then_the_rest():
    lesson = LESSONS[4]
    lines = [line for key, typed in RIGHT.items() if key.startswith("mia/") for line in typed]
    visit = Visit(typing(lines), only=lesson)
    assert place(visit.progress) == ("rolls", 0)
    assert visit.said[-1] == "Go on with: mia tutorial"
    again = Visit(typing(["c"]), only=lesson, progress=visit.progress)
    assert again.progress.of(lesson).done
    assert place(again.progress) == ("mia", 1)


def test_a_finished_tutorial_says_so_and_asks_nothing():
    visit = Visit(typing([]), progress=done(*LESSONS))
    assert visit.asked == []
    assert any("mia play" in line for line in visit.said)


@pytest.mark.parametrize("rules", [RuleSet(2, 1), RuleSet(3, 2), RuleSet(5, 1)], ids=str)
def test_practice_is_played_to_its_end_and_stays_at_the_same_match_after_every_action(
    folder, rules
):
    start = done(*BEFORE_PRACTICE)
    whole = Visit(play_on, rules=rules, progress=start)
    assert all(whole.progress.of(lesson).done for lesson in LESSONS)
    assert sum("match" in line and ("win" in line) for line in whole.said) >= 2
    count = len(whole.pupil.typed)
    assert count > 4
    store = ProgressStore(folder)
    store.save(start)
    prompts = []
    for _ in range(count):
        once = iter([True])
        visit = Visit(
            lambda prompt, once=once: play_on(prompt) if next(once, False) else None,
            rules=rules,
            store=store,
            progress=store.load(),
        )
        prompts.append(visit.asked[0])
    assert prompts == whole.asked
    assert place(store.load()) is None


def test_a_practice_match_under_other_rules_starts_anew():
    left = Visit(typing(["43"]), progress=done(*BEFORE_PRACTICE), seed=3)
    assert left.progress.practice is not None
    other = Visit(typing([]), rules=RuleSet(5, 2), progress=left.progress, seed=3)
    assert "The match that you left had other rules, so a new one starts." in other.said
    assert other.progress.practice.rules == RuleSet(5, 2)


def test_rules_are_shown_before_lessons_that_depend_on_them():
    visit = Visit(typing([*right_lines(RuleSet(5, 2)), "skip", "skip"]), rules=RuleSet(5, 2))
    line = "Rules: preset standard, 5 lives, 21 costs 2 lives."
    heads = [at for at, said in enumerate(visit.said) if said.startswith("Lesson ") and ":" in said]
    followed = [at for at in heads if visit.said[at + 1] == line]
    assert [heads.index(at) for at in followed] == [0, 4, 5, 7]
    assert visit.said.count(line) == 4
