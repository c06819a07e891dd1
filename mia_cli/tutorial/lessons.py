"""The eight lessons."""

from __future__ import annotations

from mia_cli.players.names import LEVELS
from mia_cli.tutorial.steps import (
    Compare,
    Holds,
    Lesson,
    LivesCount,
    MayRollFirst,
    NameRoll,
    Practice,
    Scene,
    TypeWord,
    WhichSeat,
    Wish,
)

LESSONS = (
    Lesson(
        "rolls",
        (
            NameRoll("name", dice=(4, 6)),
            Compare("ordinary", rolls=("54", "62")),
            Compare("doubles", rolls=("65", "11")),
            Compare("mia", rolls=("66", "21")),
            TypeWord("order", word="rank"),
        ),
    ),
    Lesson(
        "claims",
        (
            Scene("truth", dice=("54",), wishes=(Wish("truth", "54"),)),
            Scene("understate", dice=("55",), wishes=(Wish("understate", "44"),)),
            Holds("holds", roll="33", claim="55"),
            Scene("bluff", dice=("31", "63"), wishes=(Wish("bluff", "62"),), reply="accept"),
        ),
    ),
    Lesson(
        "answers",
        (
            Scene(
                "accept",
                dice=("43", "62"),
                wishes=(Wish("accept", "accept"), Wish("any", "62")),
                leader=2,
                said=("43",),
            ),
            MayRollFirst("look", claim="63"),
            Scene(
                "pressed",
                dice=("65", "52", "41"),
                wishes=(Wish("accept", "accept"), Wish("any", "65")),
                leader=2,
                said=("64",),
                reply="accept",
            ),
            Scene(
                "doubt",
                dice=("33", "42"),
                wishes=(Wish("challenge", "challenge"), Wish("any", "66")),
                leader=2,
                said=("55",),
            ),
        ),
    ),
    Lesson(
        "reveal",
        (
            WhichSeat("equal", about="loser", seat=2, lives=(1, 1), roll="44", claim="44"),
            WhichSeat("short", about="loser", seat=2, lives=(1, 1), roll="65", claim="11"),
            WhichSeat("shown", about="shown", seat=3, lives=(1, 1, 1), roll="64", claim="64"),
            Scene(
                "latest",
                dice=("31", "64", "53"),
                wishes=(Wish("challenge", "challenge"), Wish("any", "65")),
                leader=2,
                seats=3,
                said=("63", "64"),
            ),
        ),
    ),
    Lesson(
        "mia",
        (
            Scene(
                "forced",
                dice=("43",),
                wishes=(Wish("challenge", "challenge"),),
                leader=2,
                said=("21",),
            ),
            Scene("own", dice=("21", "51"), wishes=(Wish("any", "21"),), reply="accept"),
            Scene(
                "after66",
                dice=("54", "52"),
                wishes=(Wish("either", "challenge"), Wish("any", "21")),
                leader=2,
                said=("66",),
            ),
            LivesCount("price", about="lost", roll="43"),
        ),
    ),
    Lesson(
        "lives",
        (
            WhichSeat("loser-leads", about="leader", seat=2, lives=(2, 1, 2)),
            WhichSeat("out", about="leader", seat=3, lives=(2, 1, 0)),
            WhichSeat("passed-over", about="answers", seat=1, lives=(2, 0, 1)),
            LivesCount("floor", about="left", roll="43", before=1),
            Scene(
                "last",
                dice=("42", "66"),
                wishes=(Wish("either", "challenge"), Wish("any", "66")),
                leader=2,
                said=("65",),
                lives=(1, 1),
            ),
        ),
    ),
    Lesson(
        "think",
        (
            Scene(
                "odds",
                dice=("61", "32"),
                wishes=(Wish("either", "accept"), Wish("any", "62")),
                leader=2,
                said=("61",),
                aid="odds",
            ),
            Scene(
                "squeezed",
                dice=("64", "41", "22"),
                wishes=(Wish("either", "challenge"), Wish("any", "22")),
                leader=2,
                seats=3,
                said=("64", "65"),
            ),
            Scene(
                "hint",
                dice=("65", "22", "41"),
                wishes=(Wish("either", "accept"), Wish("any", "22")),
                leader=2,
                said=("65",),
                reply="accept",
                aid="hint",
            ),
        ),
    ),
    Lesson(
        "practice",
        (
            Practice("with-comments", level=LEVELS[0], comments=True),
            Practice("alone", level=LEVELS[0], comments=False),
        ),
    ),
)
"""All lessons, in the order in which they are taught."""
