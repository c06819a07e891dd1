"""The figures of ``mia stats`` as sentences and rows, from its JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mia_cli.files.documents import Document
from mia_cli.records.head import HUMAN
from mia_cli.text.language.catalogue import N_, _, ngettext, translate
from mia_cli.text.language.line import space
from mia_cli.text.language.numbers import decimal, interval, month, percent, share, significant
from mia_cli.text.language.plain import printable
from mia_cli.text.language.table import TextTable
from mia_cli.text.matches import rules_text, with_kind

GROUPS = {"ruleset": N_("Rules"), "cpu": N_("Against"), "month": N_("Month")}
TITLES = {
    "ruleset": N_("By rules"),
    "cpu": N_("By level of an opponent (a match counts for each)"),
    "month": N_("By month (UTC)"),
}
_NOTHING = "-"
UNUSUAL, STRANGE = 0.05, 0.001
"""Chances that fair dice stray so far, below which the sentence changes."""


def subject(document: Document) -> str:
    """Whose claims and dice are told first: ``you``, or ``cpu`` where no person played."""
    return "you" if document["with_person"] else "cpu"


def headline(document: Document) -> Iterator[str]:
    """The first sentences."""
    matches, unfinished = document["matches"], document["unfinished"]
    if not matches:
        yield _("There are no matches to count.")
        return
    text = ngettext("{matches} match", "{matches} matches", matches).format(matches=matches)
    left = ngettext("{left} of them unfinished", "{left} of them unfinished", unfinished)
    if unfinished:
        yield _("{matches}, {left}.").format(matches=text, left=left.format(left=unfinished))
    else:
        yield _("{matches}.").format(matches=text)
    if not document["with_person"]:
        yield _("Only programs played in them.")
        return
    if document["win_rate"] is not None:
        yield _("You won {wins}: {rate} (95% interval {interval}).").format(
            wins=document["wins"],
            rate=share(document["win_rate"]),
            interval=interval(document["ci95"]),
        )
        yield _(
            "Expected from your seats and who led first: {expected}; a fair share: {fair}."
        ).format(expected=share(document["expected_win_rate"]), fair=share(document["fair_share"]))
        yield streak_sentence(document["streaks"])


def verdict(document: Document) -> str:
    """What the results say, in one sentence; empty where no match with a person is finished."""
    if document["ci95"] is None:
        return ""
    (low, high), expected = document["ci95"], document["expected_win_rate"]
    if low > expected:
        template = _("You win {rate} of your matches, more than your seats were worth.")
    elif high < expected:
        template = _("You win {rate} of your matches, less than your seats were worth.")
    else:
        template = _("You win {rate} of your matches, about what your seats were worth.")
    return template.format(rate=share(document["win_rate"]))


def streak_sentence(streaks: Document) -> str:
    """Streaks; unfinished matches are passed over."""
    now = streaks["current"]
    if now > 0:
        text = ngettext("Now {now} win in a row", "Now {now} wins in a row", now)
    else:
        text = ngettext("Now {now} loss in a row", "Now {now} losses in a row", -now)
    best = _("longest: {wins} won, {losses} lost").format(
        wins=streaks["longest_wins"], losses=streaks["longest_losses"]
    )
    return _("{now}; {best}. Unfinished matches do not count.").format(
        now=text.format(now=abs(now)), best=best
    )


def sections(document: Document) -> Iterator[tuple[str, TextTable]]:
    """Titles and tables, in order; those without rows are left out."""
    if document["with_person"]:
        yield _("With and without help (tutor, hints, take-backs)"), _by_help_used(document)
    if document["groups"]:
        yield translate(TITLES[document["by"]]), group_table(document)
    yield _("Players"), players_table(document)
    mine = document["with_person"]
    if document["claims"]["total"]:
        yield (_("Your claims") if mine else _("Claims")), _claims(document["claims"])
        yield _("Claims by the claim that stood before"), _by_standing(document["claims"])
        answers = document["challenges"]
        yield (_("Your challenges") if mine else _("Challenges")), _challenges(answers)
    if document["lives_lost"]["total"]:
        yield _("Lives lost to"), _losses(document["lives_lost"])


def _result_head(first: str) -> tuple[str, ...]:
    return (
        first,
        _("Matches"),
        _("Unfinished"),
        _("Won"),
        _("Share"),
        _("95% interval"),
        _("Expected"),
        _("Fair share"),
    )


def _result(name: str, figures: Document) -> tuple[str, ...]:
    return (
        name,
        str(figures["matches"]),
        str(figures["matches"] - figures["finished"]),
        str(figures["wins"]),
        share(figures["win_rate"]),
        interval(figures["ci95"]),
        share(figures["expected_win_rate"]),
        share(figures["fair_share"]),
    )


_FIRST = (1, 4, 5, 6)
"""The most important columns of results: how many matches, the share won, and what to expect."""

RESULT_DETAILS = (2, 3, 5, 7)
"""Columns of results that a narrow screen can do without, where all figures are a command away."""


def _results(first: str, rows: Sequence[Sequence[str]]) -> TextTable:
    head = _result_head(first)
    return TextTable(head, rows, right=range(1, len(head)), first=_FIRST, wraps=(0,), indent=2)


def _figures(head: Sequence[str], rows: Sequence[Sequence[str]]) -> TextTable:
    """What is named in the first column, and numbers."""
    return TextTable(head, rows, right=range(1, len(head)), wraps=(0,), indent=2)


def _by_help_used(document: Document) -> TextTable:
    rows: list[Sequence[str]] = [_result(_("without"), document["without_aids"])]
    if document["with_aids"]["matches"]:
        rows.append(_result(_("with help"), document["with_aids"]))
    return _results("", rows)


def group_table(document: Document) -> TextTable:
    """How the person fares in each group of matches; against the weakest level first."""
    by, groups = document["by"], document["groups"]
    if by == "cpu":
        levels = [level["player"] for level in document["levels"]]
        groups = sorted(groups, key=lambda group: levels.index(group["key"]))
    rows: list[Sequence[str]] = [_result(group_name(by, group["key"]), group) for group in groups]
    return _results(translate(GROUPS[by]), rows)


def group_name(by: str, key: str) -> str:
    """A group as a person calls it."""
    if by == "month":
        return month(key)
    if by != "ruleset":
        return printable(key)
    lives, penalty = key.split("/")
    return rules_text(int(lives), int(penalty))


def player_name(player: Document) -> str:
    """Name and level of a player, safe to print."""
    if not player["name"]:
        return _("all others")
    return with_kind(player["name"], player["player"])


def players(document: Document) -> list[tuple[str, Document]]:
    """Everybody, by name: people, then the CPU players of each level together.

    Where nobody but programs played, each by its name; the owner of a folder is one person.
    """
    named = [(player_name(player), player) for player in document["players"]]
    if not document["with_person"]:
        return named
    people = [pair for pair in named if pair[1]["player"] == HUMAN]
    if document["own"]:
        people = [(_("You"), {**document, "matches": document["with_person"]})]
    levels = ((printable(level["player"]), level) for level in document["levels"])
    return [*people, *levels]


def players_table(document: Document) -> TextTable:
    """How everybody fares and plays."""
    head = (*_result_head(_("Player"))[:7], _("Bluffs"), _("Caught"), _("Right challenges"))
    rows: list[Sequence[str]] = [
        (
            *_result(name, player)[:7],
            share(player["claims"]["bluff_rate"]),
            share(player["claims"]["caught_rate"]),
            share(player["challenges"]["right_rate"]),
        )
        for name, player in players(document)
    ]
    return TextTable(head, rows, right=range(1, len(head)), first=_FIRST, wraps=(0,), indent=2)


def _claims(claims: Document) -> TextTable:
    total = claims["total"]
    rows: list[Sequence[str]] = [
        (_("true"), str(claims["truths"]), share(claims["truths"] / total), _NOTHING, _NOTHING),
        (
            _("understated"),
            str(claims["understatements"]),
            share(claims["understatements"] / total),
            _steps(claims["mean_understatement_steps"]),
            _NOTHING,
        ),
        (
            _("bluff"),
            str(claims["bluffs"]),
            share(claims["bluff_rate"]),
            _steps(claims["mean_bluff_steps"]),
            share(claims["caught_rate"]),
        ),
    ]
    head = (_("Claim"), _("Number"), _("Share"), _("Mean steps"), _("Caught"))
    return _figures(head, rows)


def _steps(mean: float | None) -> str:
    return _NOTHING if mean is None else decimal(mean, 1)


def _by_standing(claims: Document) -> TextTable:
    rows: list[Sequence[str]] = [
        (
            row["standing"] or _("none"),
            str(row["total"]),
            str(row["truths"]),
            str(row["understatements"]),
            str(row["bluffs"]),
            share(row["bluff_rate"], 0),
            share(row["caught_rate"], 0),
        )
        for row in claims["by_standing"]
    ]
    head = (
        _("Over"),
        _("Claims"),
        _("True"),
        _("Understated"),
        _("Bluffs"),
        _("Bluffing"),
        _("Caught"),
    )
    return _figures(head, rows)


def _challenges(answers: Document) -> TextTable:
    rows: list[Sequence[str]] = [
        (
            row["claim"],
            str(row["total"]),
            str(row["right"]),
            share(row["right_rate"], 0),
            str(row["accepted"]),
            str(row["accepted_bluffs"]),
        )
        for row in answers["by_claim"]
    ]
    rows.append(
        (
            _("all"),
            str(answers["total"]),
            str(answers["right"]),
            share(answers["right_rate"], 0),
            str(answers["accepted"]),
            str(answers["accepted_bluffs"]),
        )
    )
    head = (
        _("Claim"),
        _("Challenged"),
        _("Right"),
        _("Share"),
        _("Accepted"),
        _("Bluffs among them"),
    )
    return _figures(head, rows)


def _losses(losses: Document) -> TextTable:
    names = {
        "bluff_caught": _("a bluff that was caught"),
        "bluff_of_21_caught": _("a bluff of 21"),
        "wrong_challenge": _("a wrong challenge"),
        "wrong_challenge_of_21": _("a true 21"),
    }
    rows: list[Sequence[str]] = [
        (name, str(losses[key]), share(losses[key] / losses["total"]))
        for key, name in names.items()
    ]
    return _figures((_("Cause"), _("Lives"), _("Share")), rows)


def dice_of(document: Document) -> Iterator[tuple[str, Document]]:
    """The dice of the person and of the others, with a name, where they rolled."""
    names = {"you": _("You"), "cpu": _("The others") if document["with_person"] else _("All")}
    for key, name in names.items():
        if document["dice"][key]["rolls"]:
            yield name, document["dice"][key]


def of_whom(name: str, sentence: str) -> str:
    """A sentence that is about somebody."""
    return _("{name}: {sentence}").format(name=name, sentence=sentence)


def dice_sentence(dice: Document) -> str:
    """Whether the dice look fair, in plain words."""
    figures = ngettext(
        "{rolls} roll, chi-square {figure} with {freedom} degrees of freedom.",
        "{rolls} rolls, chi-square {figure} with {freedom} degrees of freedom.",
        dice["rolls"],
    ).format(
        rolls=dice["rolls"],
        figure=decimal(dice["chi_square"], 1),
        freedom=dice["degrees_of_freedom"],
    )
    return space().join((figures, fairness(dice)))


def fairness(dice: Document) -> str:
    """The plain sentence."""
    chance = dice["p_value"]
    if not dice["enough"]:
        return _("Too few rolls to tell anything.")
    if chance >= UNUSUAL:
        return _("That is what fair dice look like: {share} of fair series stray as far.").format(
            share=percent(chance, 0)
        )
    if chance >= STRANGE:
        return _(
            "A little unusual: {share} of fair series stray as far. Among many players some do."
        ).format(share=percent(chance))
    return _("Fair dice hardly ever stray as far (chance {chance}).").format(
        chance=significant(chance, 1)
    )


def heat_title(document: Document) -> str:
    """The title of the map of rolls and claims."""
    if document["with_person"]:
        return _("What you claimed (across) with what you rolled (down)")
    return _("What was claimed (across) with what was rolled (down)")
