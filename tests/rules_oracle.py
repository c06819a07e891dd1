"""The rules once more, written from their text alone and by other means than the program's.

Names are strings, lives are lists, seats count from 1. Nothing here imports mia_cli.
"""

ORDER = [
    *["31", "32", "41", "42", "43", "51", "52", "53", "54", "61", "62", "63", "64", "65"],
    *["11", "22", "33", "44", "55", "66", "21"],
]
DOUBLES = ["11", "22", "33", "44", "55", "66"]

# Of 36: two for an ordinary pair, one for a double, two for 21.
WAYS = dict.fromkeys(ORDER, 2) | dict.fromkeys(DOUBLES, 1)

# roll, claim, does the claim hold when challenged
WORKED_EXAMPLES = [
    ("55", "44", True),
    ("33", "55", False),
    ("44", "44", True),
    ("43", "21", False),
]


def name_of_dice(first: int, second: int) -> str:
    """The higher die, then the lower."""
    return "".join(sorted(f"{first}{second}", reverse=True))


def rank(name: str) -> int:
    """Place in the order, from 0."""
    return ORDER.index(name)


def holds(roll: str, claim: str) -> bool:
    """A challenged claim holds when the roll is not found below it in the order."""
    return roll not in ORDER[: rank(claim)]


def seat_after(seat: int, lives: list[int]) -> int:
    """Walk round the table from ``seat`` to the next one with lives."""
    while True:
        seat = 1 if seat == len(lives) else seat + 1
        if lives[seat - 1] > 0:
            return seat


def challenge(
    lives: list[int], claimer: int, roll: str, claim: str, penalty_21: int
) -> tuple[int, list[int], int | None, int | None]:
    """Loser, lives after it, leader of the next round or None, winner or None."""
    loser = seat_after(claimer, lives) if holds(roll, claim) else claimer
    after = list(lives)
    for _ in range(penalty_21 if claim == "21" else 1):
        if after[loser - 1] > 0:
            after[loser - 1] -= 1
    living = [seat for seat in range(1, len(after) + 1) if after[seat - 1] > 0]
    if len(living) == 1:
        return loser, after, None, living[0]
    return loser, after, (loser if loser in living else seat_after(loser, after)), None
