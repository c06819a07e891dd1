"""What a run or a round-robin says, in a sentence or two: who wins how often, and what is luck."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mia_cli.files.documents import Document
from mia_cli.simulate.report import told_apart
from mia_cli.text.language.catalogue import _
from mia_cli.text.language.line import comma
from mia_cli.text.language.numbers import decimal, percent
from mia_cli.theory.intervals import Z95


def labels(players: Sequence[Document]) -> list[str]:
    """A name for each player: with its number where several have the same."""
    names = [player["player"] for player in players]
    return [
        name
        if names.count(name) == 1
        else _("{player} {number}").format(player=name, number=number)
        for number, name in enumerate(names, start=1)
    ]


def fair_share(found: Document) -> float:
    """The share that each of as many equal players would win, in turns at every seat."""
    return 1.0 / len(found["players"])


def fair_text(found: Document) -> str:
    """The fair share as a percentage: a whole one where it is one."""
    fair = fair_share(found)
    return percent(fair, 0 if (100 * fair).is_integer() else 1)


def answer(found: Document) -> list[str]:
    """Sentences about a run; none where nothing was played."""
    if found["players"][0]["win_rate"] is None:
        return []
    players = sorted(
        zip(labels(found["players"]), found["players"], strict=True),
        key=lambda named: named[1]["win_rate"],
        reverse=True,
    )
    told = [_first(found, *players[0]), *_luck(found, players)]
    if found["seating"] == "fixed":
        leader = labels(found["players"])[0]
        told.append(_("{player} led every match, which is worth a lot.").format(player=leader))
    return told


def _first(found: Document, name: str, best: Document) -> str:
    fields = {"player": name, "fair": fair_text(found)}
    if best["ci95"] is None:
        fields["rate"] = percent(best["win_rate"], 2)
        template = _("{player} wins {rate}; a fair share would be {fair}.")
    else:
        half = (best["ci95"][1] - best["ci95"][0]) / 2
        digits = 1 if half >= 0.001 else 2 if half >= 0.0001 else 3
        fields["rate"] = percent(best["win_rate"], digits)
        fields["margin"] = decimal(100 * half, digits)
        template = _("{player} wins {rate} ± {margin}; a fair share would be {fair}.")
    return template.format(**fields)


def _luck(found: Document, players: Sequence[tuple[str, Document]]) -> list[str]:
    """What luck does not explain, and what it may."""
    if found["exact"]:
        return []
    fair = fair_share(found)
    above = [name for name, one in players if one["ci95"][0] > fair]
    below = [name for name, one in players if one["ci95"][1] < fair]
    others = [name for name, _one in players if name not in (*above, *below)]
    if len(players) == 2:
        return [_("That is more than luck explains.") if above else _("That may be luck.")]
    parts = (
        (above, _("More than luck above it: {players}.")),
        (below, _("More than luck below it: {players}.")),
        (others, _("Not told apart from it: {players}.")),
    )
    told = [text.format(players=comma().join(names)) for names, text in parts if names]
    (one, best), (other, second) = players[:2]
    if not told_apart(best, second, found["matches"]):
        text = _("Whether {one} or {other} wins more often may be luck.")
        told.append(text.format(one=one, other=other))
    return told


def ranking(found: Document) -> list[str]:
    """Sentences about a round-robin: who is ahead, and who beats whom beyond luck."""
    players, table = found["players"], found["table"]
    names = labels(players)
    order = sorted(range(len(players)), key=lambda at: players[at]["rating"], reverse=True)
    best = players[order[0]]
    if best["win_rate"] is None:
        return []
    fields = {
        "player": names[order[0]],
        "rating": decimal(best["rating"], 0),
        "share": percent(best["win_rate"]),
    }
    if found["exact"]:
        template = _("{player} is ahead: rating {rating}, {share} of its matches won.")
    else:
        fields["error"] = decimal(rating_margin(best) or 0.0, 0)
        template = _("{player} is ahead: rating {rating} ± {error}, {share} of its matches won.")
    text = names[order[0]]
    for one, other in pairwise(order):
        text += f" {_sign(table[one][other])} {names[other]}"
    return [template.format(**fields), _("By rating: {order}.").format(order=text)]


def rating_margin(player: Document) -> float | None:
    """Half of the 95 % interval of a rating; None where nothing was sampled."""
    error = player["rating_error"]
    return None if error is None else Z95 * float(error)


def _sign(result: Document | None) -> str:
    """How one player fares against another, by their own matches."""
    if result is None:
        return "≈"
    low, high = result["ci95"] or (result["win_rate"], result["win_rate"])
    return ">" if low > 0.5 else "<" if high < 0.5 else "≈"
