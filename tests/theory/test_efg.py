"""A stage as a Gambit game: read back by a reader of its own, it has the value of the solution."""

import re
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mia_cli.rules.errors import BadRuleSet, CannotRead
from mia_cli.rules.rolls import CLAIMS, ROLLS, claims_above
from mia_cli.theory import solve

TOKEN = re.compile(r'"([^"]*)"|([{}])|([^\s{}"]+)')
SOLVED = {penalty: solve(3, 3, penalty) for penalty in (1, 2)}


@dataclass
class Node:
    """A node: ``kind`` c, p or t; ``actions`` with their chances (None for a player's)."""

    kind: str
    player: int = 0
    number: int = 0
    name: str = ""
    actions: list[str] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    payoffs: list[float] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)


def read(text: str) -> tuple[str, list[str], Node]:
    """Title, players and root of a file."""
    tokens = [next(part for part in found if part) for found in padded(text)]
    assert tokens[:3] == ["EFG", "2", "R"]
    title, at = tokens[3], 4
    players, at = listed(tokens, at)
    root, at = node(tokens, at, len(players))
    assert at == len(tokens)
    return title, players, root


def padded(text: str) -> list[tuple[str, str, str]]:
    """Tokens; an empty quoted text becomes a space, so that it is one too."""
    return [(word or " " * (not brace and not plain), brace, plain)
            for word, brace, plain in TOKEN.findall(text)]  # fmt: skip


def listed(tokens: list[str], at: int) -> tuple[list[str], int]:
    assert tokens[at] == "{"
    end = tokens.index("}", at)
    return tokens[at + 1 : end], end + 1


def node(tokens: list[str], at: int, players: int) -> tuple[Node, int]:
    kind, label, number = tokens[at : at + 3]
    assert label == " "
    found = Node(kind, number=int(number))
    if kind == "t":
        payoffs, at = listed(tokens, at + 4)
        found.payoffs = list(map(float, payoffs))
        assert len(payoffs) == players
        return found, at
    if kind == "p":
        found.player, found.number = int(number), int(tokens[at + 3])
        at += 1
    found.name = tokens[at + 3]
    inside, at = listed(tokens, at + 4)
    found.actions = inside[::2] if kind == "c" else inside
    if kind == "c":
        pairs = (chance.split("/") for chance in inside[1::2])
        found.chances = [int(above) / int(below) for above, below in pairs]
    assert tokens[at] == "0", "a node that is no leaf pays nothing"
    at += 1
    for _ in found.actions:
        child, at = node(tokens, at, players)
        found.children.append(child)
    return found, at


def every(root: Node):
    yield root
    for child in root.children:
        yield from every(child)


def value(root: Node, claims, challenges) -> list[float]:
    """Payoffs when both play by these tables, as ``Solution`` gives them."""
    if root.kind == "t":
        return root.payoffs
    if root.kind == "c":
        chances = root.chances
    elif root.name.startswith("roll "):
        row = claims[root.number - 1]
        chances = [row[position(name)] for name in root.actions]
    else:
        probability = challenges[position(root.name.removeprefix("claim "))]
        chances = [1.0 - probability, probability]
        assert root.actions == ["accept", "challenge"]
    assert sum(chances) == pytest.approx(1.0, abs=1e-12)
    parts = [value(child, claims, challenges) for child in root.children]
    return [
        sum(chance * part[seat] for chance, part in zip(chances, parts, strict=True))
        for seat in range(len(parts[0]))
    ]


def position(name: str) -> int:
    return [claim.name for claim in CLAIMS].index(name)


LIVES = st.lists(st.integers(1, 3), min_size=2, max_size=3)


@given(LIVES, st.sampled_from([None, *CLAIMS[:-1]]), st.sampled_from([1, 2]))
def test_a_stage_read_back_is_worth_what_the_solution_says(lives, above, penalty):
    solution = SOLVED[penalty]
    _, players, root = read(solution.to_efg(lives, above))
    standing = above.position if above else 0
    assert players == [f"Seat {seat}" for seat in range(1, len(lives) + 1)]
    tables = (
        solution.claim_probabilities(lives, standing),
        solution.challenge_probabilities(lives, standing),
    )
    assert value(root, *tables) == pytest.approx(solution.values(lives, standing), abs=1e-12)


@pytest.mark.parametrize("above", [None, "31", "65", "55", "66"])
def test_information_sets_tell_what_a_seat_knows(above):
    title, _, root = read(SOLVED[2].to_efg((3, 1, 2), above))
    assert title.endswith("a claim above " + above if above else "any claim")
    assert "lives 3,1,2, 21 costs 2" in title
    known = {}
    legal = [
        claim.name for claim in CLAIMS if above is None or position(above) < position(claim.name)
    ]
    for one in every(root):
        if one.kind == "p":
            same = known.setdefault((one.player, one.number), (one.name, one.actions))
            assert same == (one.name, one.actions)
            assert one.player in (1, 2)
            if one.player == 1:
                assert one.actions == legal
    rolls = {number for player, number in known if player == 1}
    answers = {name for (player, _), (name, _) in known.items() if player == 2}
    assert rolls == set(range(1, 22))
    assert {number for player, number in known if player == 2} == set(range(1, len(legal)))
    assert answers == {f"claim {name}" for name in legal if name != "21"}
    assert [round(36 * chance) for chance in root.chances] == [roll.ways for roll in ROLLS]


def test_the_leaves_are_chances_of_all_seats_and_have_numbers_of_their_own():
    leaves = [one for one in every(read(SOLVED[1].to_efg((2, 0, 1)))[2]) if one.kind == "t"]
    assert len(leaves) == 21 * (2 * 20 + 1)
    assert [leaf.number for leaf in leaves] == list(range(1, len(leaves) + 1))
    for leaf in leaves:
        assert sum(leaf.payoffs) == pytest.approx(1.0, abs=1e-12)
        assert leaf.payoffs[1] == 0.0


def test_the_seat_after_one_that_is_out_answers():
    players = {one.player for one in every(read(SOLVED[1].to_efg((2, 0, 1)))[2])}
    assert players == {0, 1, 3}


def test_claims_are_read_by_name():
    assert SOLVED[1].to_efg((1, 1), "6-5") == SOLVED[1].to_efg((1, 1), claims_above(None)[13])


@pytest.mark.parametrize(
    ("lives", "above", "error", "code"),
    [
        ((3,), None, BadRuleSet, "bad_lives"),
        ((0, 3), None, BadRuleSet, "bad_lives"),
        ((3, 3, 3, 3), None, BadRuleSet, "not_solved"),
        ((5, 1), None, BadRuleSet, "not_solved"),
        ((3, 3), "21", BadRuleSet, "bad_standing"),
        ((3, 3), "77", CannotRead, "not_a_roll"),
    ],
)
def test_what_is_no_stage_is_refused(lives, above, error, code):
    with pytest.raises(error) as caught:
        SOLVED[1].to_efg(lives, above)
    assert caught.value.code == code
