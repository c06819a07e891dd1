"""The figures of what the shark noticed, counted again from the events by other means."""

from collections import Counter

import pytest

from mia_cli.players.shark import notice
from mia_cli.rules.events import Accepted, Challenged, Claimed, Revealed, RoundStarted, seen_by
from mia_cli.rules.rolls import CLAIMS
from tests.players.shark.test_shark_player import played, shark
from tests.rules_oracle import ORDER

RANK = {name: at for at, name in enumerate(ORDER)}


def counted(events, seat):
    """By code: how often of how many, and the claim it is about; ORDER alone says what is higher.

    Only what everybody saw is looked at.
    """
    answers, shown, opened = [], [], []
    above = said = None
    for event in (seen_by(one, None) for one in events):
        match event:
            case RoundStarted():
                above = None
            case Claimed(seat=speaker, claim=claim):
                said = claim.name
                if speaker == seat and above is None:
                    opened.append(said)
            case Accepted(seat=listener):
                if listener == seat:
                    answers.append((RANK[said], False))
                above = said
            case Challenged(seat=listener):
                if listener == seat and said != "21":
                    answers.append((RANK[said], True))
            case Revealed(seat=speaker, roll=roll):
                if speaker == seat:
                    low = -1 if above is None else RANK[above]
                    shown.append((low, RANK[said], RANK[roll.name]))
    held = [claim <= roll for _, claim, roll in shown]
    doubles = [claim <= roll for _, claim, roll in shown if RANK["11"] <= claim <= RANK["66"]]
    told = [claim == roll for low, claim, roll in shown if roll > low]
    lowest = [claim == low + 1 for low, claim, roll in shown if claim > roll]
    first = min((rank for rank, challenged in answers if challenged), default=0)
    favourite, often = Counter(opened).most_common(1)[0]
    return {
        "challenged": (sum(challenged for _, challenged in answers), len(answers), None),
        "challenged_none_below": (0, sum(rank < first for rank, _ in answers), ORDER[first]),
        "held": (sum(held), len(held), None),
        "doubles_held": (sum(doubles), len(doubles), None),
        "told": (sum(told), len(told), None),
        "lowest_bluff": (sum(lowest), len(lowest), None),
        "opened": (often, len(opened), favourite),
    }


@pytest.mark.parametrize(("seats", "level"), [(2, "easy"), (2, "normal"), (3, "easy")])
def test_every_figure_is_what_can_be_counted(seats, level, monkeypatch):
    monkeypatch.setattr(notice, "_TELLING", -1.0)
    chosen, met = shark(seats), set()
    events = []
    for seed in range(24):
        events += played(chosen, seed, seats=seats, others=level)
        for found in chosen.noticed(1, seats):
            times, of, claim = counted(events, seats)[found.code]
            assert (found.times, found.of) == (times, of), (seed, found)
            if found.code != "opened":
                assert (found.claim and found.claim.name) == claim
            else:
                assert found.claim in CLAIMS
            met.add(found.code)
    assert {"challenged", "held", "doubles_held", "told"} <= met


def test_below_a_few_occasions_nothing_is_said(monkeypatch):
    monkeypatch.setattr(notice, "_TELLING", -1.0)
    chosen = shark(2)
    events = []
    for seed in range(6):
        events += played(chosen, seed, others="easy")
        codes = {found.code for found in chosen.noticed(1, 2)}
        figures = counted(events, 2)
        assert ("challenged" in codes) == (figures["challenged"][1] >= 8)
        assert ("held" in codes) == (figures["held"][1] >= 3)
        assert ("told" in codes) == (figures["told"][1] >= 3)
