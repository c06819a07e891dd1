"""Players' numbers: in [0, 1), even, apart from the dice and from one another."""

from itertools import combinations
from statistics import correlation

import pytest

from mia_cli.engine import seed as seed_module
from mia_cli.engine.seed import Stream, roll_number

NUMBER = 4000


def uniforms(seed: int, purpose: str) -> list[float]:
    stream = Stream(seed, purpose)
    return [stream.uniform(number) for number in range(NUMBER)]


def test_golden_values():
    """From sha256sum of "mia-player/1:<seed>:2:5": the first 53 bits over 2**53."""
    assert Stream(0, "2").uniform(5) == (0x73194BD51C5BE781 >> 11) / 2**53
    assert Stream(7, "2").uniform(5) == (0xCB50816C3B479FFC >> 11) / 2**53
    assert Stream(-1, "2").uniform(5) == (0xE5E85FE8B1FFCE56 >> 11) / 2**53


@pytest.mark.parametrize("seed", [0, -1, 10**99])
def test_numbers_are_even_and_in_the_unit_interval(seed):
    numbers = uniforms(seed, "1")
    assert all(0.0 <= number < 1.0 for number in numbers)
    assert len(set(numbers)) == NUMBER
    for tenth in range(10):
        share = sum(tenth <= 10 * number < tenth + 1 for number in numbers)
        assert abs(share - NUMBER / 10) < 4.5 * (NUMBER * 0.09) ** 0.5


@pytest.mark.parametrize(("word", "uniform"), [(0, 0.0), (2**64 - 1, 1 - 2**-53)])
def test_the_ends_of_the_interval(monkeypatch, word, uniform):
    monkeypatch.setattr(seed_module, "_word", lambda text: word)
    assert Stream(1, "1").uniform(0) == uniform < 1.0


def test_asking_again_or_in_another_order_gives_the_same():
    stream = Stream(5, "3")
    assert [stream.uniform(n) for n in reversed(range(50))] == uniforms(5, "3")[:50][::-1]


def test_dice_seats_and_seeds_are_unrelated():
    dice = [float(roll_number(7, number).position) for number in range(NUMBER)]
    series = [dice, *(uniforms(7, str(seat)) for seat in range(1, 7)), uniforms(8, "1")]
    shifted = [[*one[1:], one[0]] for one in series]
    for (i, one), (j, other) in combinations(enumerate(series), 2):
        assert abs(correlation(one, other)) < 4.5 / NUMBER**0.5, (i, j)
        assert abs(correlation(one, shifted[j])) < 4.5 / NUMBER**0.5, (i, j)
        assert abs(correlation(shifted[i], other)) < 4.5 / NUMBER**0.5, (i, j)


def test_no_two_draws_share_a_text(monkeypatch):
    """Purposes that contain the separator, or numbers that run together, must not collide."""
    texts = []
    monkeypatch.setattr(seed_module, "_word", lambda text: texts.append(text) or 0)
    for seed in (1, 11, -1):
        for purpose in ("1", "1:1", "11", "", ":", "1:"):
            for number in (0, 1, 11):
                Stream(seed, purpose).uniform(number)
        for number in (0, 1, 11):
            roll_number(seed, number)
        seed_module.first_leader(seed, 3)
    assert len(set(texts)) == len(texts) == 3 * (6 * 3 + 3 + 1)


def test_the_text_of_a_stream_does_not_tell_the_seed():
    assert repr(Stream(987654321, "2")) == "Stream('2')"
