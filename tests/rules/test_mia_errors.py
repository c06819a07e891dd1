"""Errors carry a code and fields, cross process borders, and never carry a hidden roll."""

import copy
import pickle
import traceback
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from mia_cli.rules.errors import (
    BadRecord,
    BadRuleSet,
    CannotRead,
    MiaError,
    NotAllowed,
    Unwritable,
)
from mia_cli.rules.match import Accept, Challenge, MakeClaim, Throw, apply, observation, start
from mia_cli.rules.rolls import CLAIMS, ROLLS, parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet

KINDS = [MiaError, CannotRead, NotAllowed, BadRuleSet, BadRecord, Unwritable]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fields", [{}, {"value": "x\x00", "allowed": (1, 2), "key": None}])
def test_copies_are_of_the_same_kind_with_the_same_content(kind, fields):
    error = kind("some_code", **fields)
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is kind
        assert (other.code, other.fields, str(other)) == ("some_code", fields, str(error))


def test_an_error_in_a_worker_process_reaches_its_parent():
    """An exception that cannot be rebuilt breaks the pool or hangs it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(CannotRead) as caught:
            pool.submit(parse_roll, "77").result(timeout=30)
        assert caught.value.fields == {"value": "77"}
        assert pool.submit(parse_roll, "56").result(timeout=30) is parse_roll("65")


def test_the_text_names_code_and_fields():
    assert str(NotAllowed("not_now", action="Accept", n=1)) == "not_now(action='Accept', n=1)"
    assert str(MiaError("plain")) == "plain()"


def positions_with(hidden):
    """A position that awaits a claim and one that awaits an answer, over the same hidden roll."""
    match, _ = start(RuleSet(), 3, leader=2)
    for action in (Throw(parse_roll("65")), MakeClaim(parse_claim("43")), Accept()):
        match, _ = apply(match, action)
    thrown, _ = apply(match, Throw(hidden))
    claimed, _ = apply(thrown, MakeClaim(parse_claim("54")))
    return thrown, claimed


def everything_refused(hidden):
    """Type, texts and traceback of each refusal while ``hidden`` lies under the cup."""
    attempts = [
        *(lambda m, c=c: apply(m, MakeClaim(c)) for c in CLAIMS),
        *(lambda m, s=s: observation(m, s, ()) for s in range(5)),
        lambda m: apply(m, Accept()),
        lambda m: apply(m, Challenge()),
        lambda m: apply(m, Throw(parse_roll("66"))),
        lambda m: apply(m, None),
    ]
    found = []
    for match in positions_with(hidden):
        for attempt in attempts:
            try:
                attempt(match)
            except MiaError as error:
                texts = traceback.format_exception(error)
                found.append((type(error), str(error), repr(error), error.args, *texts))
    return found


def test_nothing_that_is_printed_of_a_match_depends_on_the_hidden_roll():
    assert len({tuple(map(repr, positions_with(roll))) for roll in ROLLS}) == 1
    assert len({tuple(map(str, positions_with(roll))) for roll in ROLLS}) == 1
    assert "54" in repr(positions_with(ROLLS[0])[1])


def test_no_refusal_depends_on_the_hidden_roll():
    refused = [everything_refused(roll) for roll in ROLLS]
    assert all(other == refused[0] for other in refused)
    assert len(refused[0]) > 25
