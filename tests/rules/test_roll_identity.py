"""Rolls and claims are 21 shared values each: they survive every copy and cannot be changed."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import mia_cli
from mia_cli.rules.events import Claimed, Revealed, Rolled
from mia_cli.rules.match import MakeClaim, Throw
from mia_cli.rules.rolls import CLAIMS, ROLLS

EVERY = [*ROLLS, *CLAIMS]


@pytest.mark.parametrize("value", EVERY, ids=repr)
def test_identity_survives_copies(value):
    assert copy.copy(value) is value
    assert copy.deepcopy(value) is value
    assert copy.deepcopy({"list": [value]})["list"][0] is value
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) is value


@pytest.mark.parametrize("value", EVERY, ids=repr)
def test_nobody_can_change_the_order_for_everybody(value):
    before = (value.name, value.position)
    for attribute, other in (("position", 21), ("name", "66"), ("other", 1)):
        with pytest.raises(AttributeError):
            setattr(value, attribute, other)
    assert (value.name, value.position) == before


def test_values_that_hold_them_compare_equal_after_a_copy():
    roll, claim = ROLLS[3], CLAIMS[7]
    for held in (
        Rolled(1, roll),
        Claimed(2, claim),
        Revealed(1, roll, claim, False),
        Throw(roll),
        MakeClaim(claim),
    ):
        assert pickle.loads(pickle.dumps(held)) == held
        assert copy.deepcopy(held) == held


def test_identity_survives_a_process_border():
    """Worker processes send rolls back; ``is`` and ``==`` must go on to work with them."""
    script = (
        "import pickle, sys; from mia_cli.rules.rolls import ROLLS, CLAIMS;"
        "sys.stdout.buffer.write(pickle.dumps((ROLLS, CLAIMS)))"
    )
    sent = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        check=True,
        cwd=Path(mia_cli.__file__).parents[1],
    ).stdout
    received = pickle.loads(sent)
    assert all(a is b for a, b in zip(received[0] + received[1], EVERY, strict=True))


def test_every_value_says_which_it_is():
    assert repr(ROLLS[0]) == "Roll('31')"
    assert repr(CLAIMS[20]) == "Claim('21')"
    assert len({repr(value) for value in EVERY}) == 42
