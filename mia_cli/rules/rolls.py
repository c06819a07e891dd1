"""The 21 rolls of two dice: order, odds, and the one way they are read and written.

This module imports its errors and nothing else at run time, ``__future__`` included: ``mia rank 55
44`` starts in little more than the time Python itself needs, and this is all it loads of the
package.
"""

from mia_cli.rules.errors import CannotRead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OUTCOMES = 36
"""Ordered ways two dice fall, all equally likely."""

NAMES = (
    *("31", "32", "41", "42", "43", "51", "52", "53", "54", "61", "62", "63", "64", "65"),
    *("11", "22", "33", "44", "55", "66", "21"),
)
"""Names of the rolls from lowest to highest; position 1 is the first."""

MIA = "21"
NAMES_OF_21 = ("mia", "maexchen", "mäxchen", "maxchen", "meyer", "meier")
"""Names of the game for the roll 21, understood in every language."""

_POSITION = {name: position for position, name in enumerate(NAMES, start=1)}
_SEPARATORS = ("", ",", "-", "/", ".")
_LONGEST_TEXT = 32


def _ways(name: str) -> int:
    return 1 if name[0] == name[1] else 2


class Roll:
    """What two dice show. There are 21 of them; equal rolls are the same object.

    A roll is compared with a claim by :meth:`supports` and with nothing else.
    """

    __slots__ = ("name", "position")
    name: str
    position: int

    def __repr__(self) -> str:
        return f"Roll({self.name!r})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("rolls are shared and cannot be changed")

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return roll_at, (self.position,)

    @property
    def ways(self) -> int:
        """Ordered ways, of 36, to throw this roll."""
        return _ways(self.name)

    def supports(self, claim: "Claim") -> bool:
        """True when the claim holds for these dice: rank at least the claim's, equal counts."""
        return self.position >= claim.position


class Claim:
    """What is said about a roll: one of the 21 names. Equal claims are the same object."""

    __slots__ = ("name", "position")
    name: str
    position: int

    def __repr__(self) -> str:
        return f"Claim({self.name!r})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("claims are shared and cannot be changed")

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return claim_at, (self.position,)

    @property
    def must_be_challenged(self) -> bool:
        """True for 21, which cannot be accepted: nothing is higher."""
        return self.position == len(NAMES)

    def beats(self, above: "Claim | None") -> bool:
        """True when this claim may follow ``above``: strictly higher, or nothing stands."""
        return above is None or self.position > above.position

    def exceeds(self, roll: Roll) -> bool:
        """True when claiming this with ``roll`` is a bluff (the roll does not support it)."""
        return not roll.supports(self)

    def understates(self, roll: Roll) -> bool:
        """True when this claim is lower than ``roll``: it holds, but does not say all."""
        return self.position < roll.position


def _make_rolls() -> "Iterator[Roll]":
    for position, name in enumerate(NAMES, start=1):
        roll = Roll()
        object.__setattr__(roll, "name", name)
        object.__setattr__(roll, "position", position)
        yield roll


def _make_claims() -> "Iterator[Claim]":
    for position, name in enumerate(NAMES, start=1):
        claim = Claim()
        object.__setattr__(claim, "name", name)
        object.__setattr__(claim, "position", position)
        yield claim


ROLLS = tuple(_make_rolls())
"""All rolls, lowest first."""
CLAIMS = tuple(_make_claims())
"""All claims, lowest first."""


def roll_at(position: int) -> Roll:
    """The roll at a position 1..21. Raises IndexError outside."""
    return ROLLS[_index(position)]


def claim_at(position: int) -> Claim:
    """The claim at a position 1..21. Raises IndexError outside."""
    return CLAIMS[_index(position)]


def _index(position: int) -> int:
    if not 1 <= position <= len(NAMES):
        raise IndexError(f"position {position} is not in 1..{len(NAMES)}")
    return position - 1


def roll_of_dice(first: int, second: int) -> Roll:
    """The roll two dice show; the order in which they fell does not matter."""
    high, low = max(first, second), min(first, second)
    return ROLLS[_POSITION[f"{high}{low}"] - 1]


def parse_roll(text: str) -> Roll:
    """Read a roll: ``64``, ``46``, ``6-4``, ``6,4``, ``6 4`` or ``mia``.

    Raises CannotRead("not_a_roll") for anything else.
    """
    return ROLLS[_parse(text) - 1]


def parse_claim(text: str) -> Claim:
    """Read a claim, spelt like a roll. Raises CannotRead("not_a_roll")."""
    return CLAIMS[_parse(text) - 1]


def _parse(text: str) -> int:
    plain = text.strip()
    found = _POSITION.get(plain)
    if found is not None:
        return found
    if len(plain) <= _LONGEST_TEXT:
        if not plain.isascii():
            plain = _plainer(plain)
        if plain.casefold() in NAMES_OF_21:
            return _POSITION[MIA]
        dice = plain if len(plain) == 2 else _join_dice(plain)
        if len(dice) == 2 and dice[0] in "123456" and dice[1] in "123456":
            return roll_of_dice(int(dice[0]), int(dice[1])).position
    raise CannotRead("not_a_roll", value=text)


def _join_dice(text: str) -> str:
    """``6 - 4`` to ``64``: two characters around one separator, otherwise an empty string."""
    if len(text) < 3 or text[1:-1].strip() not in _SEPARATORS:
        return ""
    return text[0] + text[-1]


def _plainer(text: str) -> str:
    """Full-width forms, as East Asian keyboards type them, and accents in either form.

    Only these: to Unicode's full compatibility forms, ``6²`` would be 62.
    """
    from unicodedata import normalize

    narrow = (chr(ord(sign) - 0xFEE0) if "！" <= sign <= "～" else sign for sign in text)
    return normalize("NFC", "".join(narrow))


def claims_above(above: Claim | None) -> tuple[Claim, ...]:
    """The claims that may follow ``above`` (None: a fresh round, all 21), lowest first."""
    return CLAIMS if above is None else CLAIMS[above.position :]


def ways_at_least(claim: Claim) -> int:
    """Ordered ways, of 36, to throw a roll that supports ``claim``."""
    return sum(roll.ways for roll in ROLLS if roll.supports(claim))


def ways_to_beat(claim: Claim | None) -> int:
    """Ordered ways, of 36, to throw a roll that could truthfully be claimed over ``claim``."""
    higher = claims_above(claim)
    return ways_at_least(higher[0]) if higher else 0
