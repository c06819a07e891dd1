"""Run files whose numbers were changed, one after another: refused, or what they say can be."""

import json

import pytest

from mia_cli.rules.errors import BadRecord
from mia_cli.rules.ruleset import RuleSet
from mia_cli.simulate.blocks import open_blocks
from mia_cli.simulate.lockstep.situations import CAUGHT, CAUGHT_21
from mia_cli.simulate.report import sampled
from mia_cli.simulate.run import RunResult, run
from mia_cli.simulate.saved import load, new_state, to_json
from mia_cli.simulate.setup import Setup
from mia_cli.simulate.workers.processes import Alone

RUNS = {
    "two": ({"players": ("easy", "hard"), "seed": 4}, 3000),
    "three, all ways": (
        {"players": ("easy", "hard", "normal"), "rules": RuleSet(3, 2), "seating": "all"},
        600,
    ),
    "four, fixed": (
        {"players": ("easy", "hard", "easy", "normal"), "rules": RuleSet(5), "seating": "fixed"},
        101,
    ),
    "sessions": ({"players": ("easy", "shark"), "rules": RuleSet(2), "session": 7}, 24),
    "a later part": ({"players": ("normal", "easy", "easy"), "first": 1001}, 500),
    "nothing yet": ({"players": ("easy", "easy")}, 0),
}


def played(name):
    more, matches = RUNS[name]
    given = {"rules": RuleSet(3), "seed": 11, "seating": "rotate", "session": 1, **more}
    setup = Setup(**given)
    state = new_state(setup, max(matches, 1), None, None)
    if not matches:
        return state
    blocks = Alone(lambda: open_blocks(setup, logged=False, kernel="numpy", seconds=1.0))
    return run(state, blocks, seen=lambda _: None).state


def leaves(value, path=()):
    """Where numbers stand in a document."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            yield from leaves(inner, (*path, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


def changed(document, path, to):
    copy = json.loads(json.dumps(document))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to(inner[path[-1]])
    return copy


CHANGES = {
    "one more": lambda n: n + 1,
    "one less": lambda n: n - 1,
    "a thousand more": lambda n: n + 1000,
    "twice": lambda n: 2 * n,
    "none": lambda _n: 0,
    "next to nothing": lambda _n: 5e-324,
    "too many": lambda _n: 2**62,
    "far too many": lambda _n: 10**30,
    "a half": lambda n: n + 0.5,
    "text": str,
    "nothing": lambda _n: None,
    "a list": lambda n: [n],
}


@pytest.mark.parametrize("name", RUNS)
def test_totals_that_cannot_be_are_refused(name, tmp_path):
    state = played(name)
    document, path = to_json(state), tmp_path / "run.json"
    path.write_text(json.dumps(document))
    assert to_json(load(path)) == document
    taken = []
    for place in leaves(document):
        for change, to in CHANGES.items():
            other = changed(document, place, to)
            if other == document:
                continue
            path.write_text(json.dumps(other))
            try:
                found = load(path)
            except BadRecord:
                continue
            # It may be: then it is told as the file says, and nothing breaks.
            seed = {"seed": str(other["seed"])}
            assert {**to_json(found), "seed": str(found.setup.seed)} == {**other, **seed}
            json.dumps(sampled(RunResult(found)), allow_nan=False)
            taken.append((*place, change))
    of_totals = [place for place in taken if place[0] == "tally"]
    assert not [place for place in of_totals if place[1] in ("played", "wins")]
    if len(state.setup.players) == 2 and state.done:
        # One bluff more may have been caught: who made it led again.
        more = {place[4] for place in of_totals if place[1] == "events"}
        assert more <= {CAUGHT, CAUGHT_21}
