"""The random numbers of simulated matches, scheme ``mia-sim/1``: a hash of what they are for.

A number depends on the seed, its purpose, the match and the turn, and on nothing else. So a match
plays the same wherever and beside whatever it is played; workers, blocks and their order do not
matter; and another player in one seat leaves the dice and all other seats' numbers as they were.

A turn is a roll, a claim and the answer to it; turns count from 0 through the whole match, matches
from 0 through the run (in records and on the command line from 1). Per turn there are two words of
64 bits. Anyone can recompute them::

    key     = first 8 bytes, big-endian, of SHA-256("mia-sim/1:<purpose>:<seed>")   (UTF-8)
    counter = match * 1024 + turn
    word    = mix(key + (counter + 1) * 0x9E3779B97F4A7C15)       all modulo 2**64
    mix(z):   z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9
              z = (z ^ z >> 27) * 0x94D049BB133111EB
              z ^ z >> 31

which is output ``counter`` of the generator SplitMix64 started at ``key`` (Steele, Lea and Flood
2014, "Fast splittable pseudorandom number generators"). The purposes are ``dice`` and
``decisions``. With w a word and // rounding down::

    dice:       outcome = (w // 2**33) * 36 // 2**31          0..35
                dice    = 1 + outcome // 6, 1 + outcome % 6
    decisions:  claim   = w // 2**32                          0..2**32 - 1, for the seat that rolled
                answer  = w % 2**31                           0..2**31 - 1, for the next seat

No outcome of the dice is favoured by more than 2**-30.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from mia_cli.records.record import SIMULATED_DICE

DICE, DECISIONS = "dice", "decisions"
"""The purposes of words."""
TURNS = 1024
"""Counters that a match has to itself; no match is longer: 29 rounds of 21 claims at the most."""
MATCHES = 2**53
"""Matches that have counters of their own."""
GAMMA = 0x9E3779B97F4A7C15
FIRST_FACTOR, SECOND_FACTOR = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
FIRST_SHIFT, SECOND_SHIFT, LAST_SHIFT = 30, 27, 31
DICE_SHIFT, DICE_BITS = 33, 31
"""Of a word for dice, the upper 31 bits count; the last step of the mix does not touch them."""
CLAIM_SHIFT, CLAIM_BITS, ANSWER_BITS = 32, 32, 31
_ALL = 2**64 - 1


@lru_cache(maxsize=16)
def key(seed: int, purpose: str) -> int:
    """Where the words of a purpose start."""
    return int.from_bytes(sha256(f"{SIMULATED_DICE}:{purpose}:{seed}".encode()).digest()[:8], "big")


def mix(z: int) -> int:
    """The mixing step of SplitMix64."""
    z = (z ^ z >> FIRST_SHIFT) * FIRST_FACTOR & _ALL
    z = (z ^ z >> SECOND_SHIFT) * SECOND_FACTOR & _ALL
    return z ^ z >> LAST_SHIFT


class Draws:
    """The numbers of one match, turn by turn."""

    def __init__(self, seed: int, match: int) -> None:
        self._dice, self._decisions = key(seed, DICE), key(seed, DECISIONS)
        self._first = match * TURNS

    def outcome(self, turn: int) -> int:
        """What the dice show in a turn, as one of 36 outcomes."""
        return (self._word(self._dice, turn) >> DICE_SHIFT) * 36 >> DICE_BITS

    def claim(self, turn: int) -> int:
        """The number for the claim of a turn, of CLAIM_BITS bits."""
        return self._word(self._decisions, turn) >> CLAIM_SHIFT

    def answer(self, turn: int) -> int:
        """The number for the answer of a turn, of ANSWER_BITS bits."""
        return self._word(self._decisions, turn) & (1 << ANSWER_BITS) - 1

    def _word(self, start: int, turn: int) -> int:
        return mix(start + (self._first + turn + 1) * GAMMA & _ALL)

    def __repr__(self) -> str:
        return "Words()"
