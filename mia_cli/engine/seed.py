"""Seeds, and everything random that follows from one: dice, first leader, players' streams.

Draws are counter-based: a draw is a hash of the seed, its purpose and its number (the idea of
Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"). So a draw does not depend on
any other draw, a match resumes without stored generator state, and changing one player leaves the
dice and the other players' streams as they were. SHA-256 makes the dice unpredictable from the
outside and the fingerprint binding.

Anyone can recompute the dice of a finished match (all text is UTF-8, integers in decimal)::

    digest  = SHA-256("mia-dice/1:<seed>:<number>")      number: 0 for the first roll of the match
    outcome = (first 8 bytes of digest, big-endian) * 36 // 2**64             0..35
    dice    = 1 + outcome // 6, 1 + outcome % 6

``*36 // 2**64`` favours no outcome by more than 2**-58. The first leader is drawn in the same way
from "mia-leader/1:<seed>" with the number of seats in place of 36; names stand in the order of
"mia-names/1:<seed>:<name>". The fingerprint is the hexadecimal SHA-256 of "mia-seed/1:<seed>".
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable

from mia_cli.rules.errors import CannotRead
from mia_cli.rules.rolls import OUTCOMES, Roll, roll_of_dice

DRAWN_BITS = 128
"""Bits of a drawn seed: too many to find the seed by searching for its fingerprint."""
MAX_DIGITS = 100
_SEED = re.compile(r"[+-]?[0-9]+", re.ASCII)


def draw_seed() -> int:
    """A new seed of at least 128 random bits from the operating system."""
    return secrets.randbits(DRAWN_BITS) | 1 << DRAWN_BITS


def parse_seed(text: str) -> int:
    """Read a seed: a whole number of at most 100 digits, negative ones included.

    Raises CannotRead("not_a_seed").
    """
    plain = text.strip()
    if not _SEED.fullmatch(plain) or len(plain.lstrip("+-")) > MAX_DIGITS:
        raise CannotRead("not_a_seed", value=text, digits=MAX_DIGITS)
    return int(plain)


def fingerprint(seed: int) -> str:
    """64 hexadecimal digits that commit to a seed without telling it."""
    return hashlib.sha256(f"mia-seed/1:{seed}".encode()).hexdigest()


def roll_number(seed: int, number: int) -> Roll:
    """The roll ``number`` (0 for the first) of the match with this seed."""
    outcome = _word(f"mia-dice/1:{seed}:{number}") * OUTCOMES >> 64
    return roll_of_dice(1 + outcome // 6, 1 + outcome % 6)


def first_leader(seed: int, seats: int) -> int:
    """The seat, 1..seats, that leads the first round when no seat was named."""
    return 1 + (_word(f"mia-leader/1:{seed}") * seats >> 64)


def shuffled_names(seed: int, names: Iterable[str]) -> list[str]:
    """The names in an order drawn from the seed, apart from dice and decisions."""
    return sorted(names, key=lambda name: _word(f"mia-names/1:{seed}:{name}"))


class Stream:
    """A player's own random numbers: one per decision, apart from the dice and other seats'."""

    __slots__ = ("_purpose", "_seed")

    def __init__(self, seed: int, purpose: str) -> None:
        self._seed = seed
        self._purpose = purpose

    def uniform(self, number: int) -> float:
        """A number in [0, 1) for the decision ``number``; asking again gives the same."""
        return (_word(f"mia-player/1:{self._seed}:{self._purpose}:{number}") >> 11) * 2.0**-53

    def __repr__(self) -> str:
        return f"Stream({self._purpose!r})"


def _word(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
