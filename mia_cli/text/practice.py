"""What ``mia practice`` says: questions, verdicts, and the list of what is due."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from mia_cli.files.documents import Document
from mia_cli.players.names import EXPERT
from mia_cli.rules.match import Action, Observation
from mia_cli.text.advice import EVEN as ALIKE
from mia_cli.text.advice import (
    careless_line,
    figures_line,
    is_careless,
    name_of,
    points_between,
    reason_line,
)
from mia_cli.text.language.catalogue import N_, _, ngettext, translate
from mia_cli.text.language.line import Line, line, plain, styled
from mia_cli.text.language.numbers import day, percent
from mia_cli.text.language.table import table
from mia_cli.text.language.words import Word, shown
from mia_cli.text.play.asides import MEANINGS, word_lines
from mia_cli.text.play.narrate import claim_text, roll_text
from mia_cli.text.play.seats import DEFAULT_NAME, SeatNames, lives_text, seat_lines
from mia_cli.tutorial.practice.cards import Card, PracticeRecord
from mia_cli.tutorial.practice.question import PERSON

if TYPE_CHECKING:
    from mia_cli.theory.advice import Advice
    from mia_cli.tutorial.practice.question import Verdict

__all__ = ["ALIKE"]
OTHERS = ("Ada", "Bo", "Cleo", "Dan", "Eva")

_KINDS = {
    "first_claim": N_("first claims"),
    "must_bluff": N_("claims under pressure"),
    "true_claim": N_("claims with a true one left"),
    "answer_low": N_("answers to low claims"),
    "answer_middle": N_("answers to 61 to 65"),
    "answer_double": N_("answers to doubles"),
    "answer_top": N_("answers to 66"),
    "last_life": N_("your last life"),
    "many_seats": N_("tables of three and more"),
}
_WEEK = 7


def kind_name(kind: str) -> str:
    """A kind of question in words."""
    return translate(_KINDS[kind])


def seat_names(seen: Observation) -> SeatNames:
    """The table of a question: the person in seat 1, the others in playing order."""
    others = OTHERS[: len(seen.lives) - 1]
    return SeatNames(
        names=(DEFAULT_NAME, *others),
        players=("human", *(EXPERT for _name in others)),
        person=PERSON,
        lives=seen.rules.lives,
    )


def welcome(count: int) -> str:
    """The first line."""
    text = ngettext(
        "Practice: {count} decision. Answer as you would at the table; {quit} leaves.",
        "Practice: {count} decisions. Answer as you would at the table; {quit} leaves.",
        count,
    )
    return text.format(count=count, quit=shown("quit"))


def question_lines(card: Card, seen: Observation, number: int, count: int) -> Iterator[Line | str]:
    """The position, without what was played there."""
    kind = kind_name(card.question.kind)
    head = _("{number} of {count}: {kind}.").format(number=number, count=count, kind=kind)
    yield styled(head, "strong")
    names = seat_names(seen)
    yield from seat_lines(names, seen.lives)
    if seen.rules.penalty_21 != 1:
        price = lives_text(seen.rules.penalty_21)
        yield styled(_("A claim of 21 costs {lives}.").format(lives=price), "quiet")
    if seen.claim is not None and seen.above is not None:
        yield line(_("It has to beat {above}."), above=claim_text(seen.above))
    if seen.roll is not None:
        yield line(_("You roll {roll}."), roll=roll_text(seen.roll))


def verdict_lines(
    card: Card, action: Action, advice: Advice, verdict: Verdict
) -> Iterator[Line | str]:
    """Right or wrong, the figures, the reason, and what was played in the match."""
    best = advice.choice
    chosen = next(option for option in advice.options if option.action == action)
    cost = points_between(best.win, chosen.win)
    differs = any(digit in cost for digit in "123456789")
    if verdict.right and verdict.is_close and differs:
        yield styled(_("Right, and close: {cost} points below the best.").format(cost=cost), "good")
    elif verdict.right:
        yield styled(_("Right."), "good")
    else:
        if differs:
            text = _("Not quite: {action} gives away {cost} points; better is {best}.")
        else:
            text = _("Not quite: {action} never wins more than {best}, and sometimes less.")
        said = {"action": plain(name_of(action)), "best": plain(name_of(best.action))}
        yield styled(text.format(**said, cost=cost), "bad")
    yield figures_line(advice, card.question.decision)
    yield reason_line(advice.reason, card.question.above)
    if is_careless(advice):
        yield careless_line(advice)
    if card.played is not None:
        text = _("In match {match} you played {action} here.")
        yield styled(text.format(match=card.source, action=_played(card.played)), "quiet")
    if not verdict.right and card.due is not None:
        yield styled(_("It comes back on {day}.").format(day=day(card.due.isoformat())), "quiet")


def _played(name: str) -> str:
    if name == "accept":
        return shown("accept")
    return shown("challenge") if name == "challenge" else name


def no_hint() -> str:
    """No help with the answer itself."""
    return _("No hints here: answer as you would, the reason follows.")


def words_here() -> list[str]:
    """Words that are no answers."""
    others: tuple[Word, ...] = ("rules", "rank", "odds", "score", "quit")
    return word_lines([(shown(word), translate(MEANINGS[word])) for word in others])


def left(asked: int, right: int) -> str:
    """The person leaves early."""
    if not asked:
        return _("Nothing was answered. Come back with: mia practice")
    text = _("{right} of {asked} right; they are kept. Go on with: mia practice")
    return text.format(right=right, asked=asked)


def closing_lines(asked: int, right: int) -> Iterator[str]:
    """All questions were asked."""
    if not asked:
        yield _("No question of this kind is left here.")
        return
    yield _("{right} of {asked} right.").format(right=right, asked=asked)
    yield _("What is due, and how each kind stands: mia practice --list")


def list_lines(record: PracticeRecord, today: date) -> Iterator[Line | str]:
    """What is due, how well each kind stands, and the trend of the latest week."""
    due = len(record.due(today))
    text = ngettext("{due} question is due today.", "{due} questions are due today.", due)
    yield text.format(due=due)
    following = sorted(card.due for card in record.cards.values() if card.due and card.due > today)
    if following:
        yield _("The next one is due on {day}.").format(day=day(following[0].isoformat()))
    kinds = record.by_kind()
    if not kinds:
        yield _("Nothing was answered yet. Begin with: mia practice")
        return
    yield ""
    head = (_("Kind"), _("Questions"), _("Answers"), _("Right"), "--kind")
    rows = [
        (kind_name(kind), str(cards), str(asked), percent(right / asked, 0), kind)
        for kind, (cards, asked, right) in kinds.items()
        if asked
    ]
    yield from table(head, rows, right=(1, 2, 3))
    latest, before = _week(record, today, 0), _week(record, today, _WEEK)
    yield ""
    if latest[0]:
        yield _("Right in the last seven days: {share} of {asked}.").format(
            share=percent(latest[1] / latest[0], 0), asked=latest[0]
        )
    if before[0]:
        yield _("In the seven days before: {share} of {asked}.").format(
            share=percent(before[1] / before[0], 0), asked=before[0]
        )


def list_document(record: PracticeRecord, today: date) -> Document:
    """The list as JSON, schema ``mia.drills/1``."""
    latest, before = _week(record, today, 0), _week(record, today, _WEEK)
    return {
        "schema": "mia.drills/1",
        "due": [card.question.id for card in record.due(today)],
        "kinds": [
            {"kind": kind, "questions": cards, "asked": asked, "right": right}
            for kind, (cards, asked, right) in record.by_kind().items()
        ],
        "last_7_days": {"asked": latest[0], "right": latest[1]},
        "7_days_before": {"asked": before[0], "right": before[1]},
    }


def _week(record: PracticeRecord, today: date, ago: int) -> tuple[int, int]:
    """Questions asked and right answers in the seven days that ended ``ago`` days before."""
    found = [
        counts
        for text, counts in record.days.items()
        if ago <= (today - date.fromisoformat(text)).days < ago + _WEEK
    ]
    return sum(asked for asked, _right in found), sum(right for _asked, right in found)


def left_out(reason: str) -> str:
    """A match that cannot be read."""
    return _("left out: {reason}").format(reason=reason)


def set_aside(reason: str, name: str) -> str:
    """A damaged file of answers."""
    return _("{reason} It is kept as {name}; practice begins anew.").format(
        reason=reason, name=name
    )


def cannot_keep(reason: str) -> str:
    """Nothing can be kept."""
    return _("{reason} Answers will not be kept.").format(reason=reason)
