"""The one place that makes players: every name, in both forms, nothing solved without need."""

import pytest

from mia_cli.engine.policy import Policy
from mia_cli.players import registry
from mia_cli.players.habits import HABITS
from mia_cli.players.names import FIXED, LEVELS, learn
from mia_cli.rules.errors import BadRuleSet, NotAllowed
from mia_cli.rules.ruleset import RuleSet
from mia_cli.theory import Solution, solve
from mia_cli.theory.dominance import Undominated

RULES = RuleSet(2)


def no_solution(seats: int, lives: int, penalty_21: int) -> Solution:
    raise AssertionError((seats, lives, penalty_21))


def test_a_table_shares_one_object_for_a_level_and_none_for_programs() -> None:
    asked, started = [], []

    def solved(*table: int) -> Solution:
        asked.append(table)
        return solve(*table)

    def start(name: str):
        started.append(name)
        return object()

    names = ["bot:x", *LEVELS, "bot:x", *LEVELS]
    made = registry.make_all(names, RULES, 3, solved=solved, start_bot=start)
    assert [made[at] is made[at + len(LEVELS) + 1] for at in range(len(LEVELS) + 1)] == [
        *(False, *(True for _ in LEVELS))
    ]
    assert len({id(player) for player in made}) == len(LEVELS) + 2
    assert started == ["bot:x", "bot:x"]
    assert set(asked) == {(3, 2, 1)}


@pytest.mark.parametrize("name", ["grand", "Easy", "bot:", "bot:x", "human", ""])
def test_what_is_no_player_is_refused_before_anything_is_solved(name: str) -> None:
    for make in (
        lambda: registry.make(name, RULES, solved=no_solution),
        lambda: registry.make_all([*LEVELS, name], RULES, 6, solved=no_solution),
    ):
        with pytest.raises(BadRuleSet) as caught:
            make()
        assert caught.value.code == "not_playable"
        assert caught.value.fields == {"value": name, "allowed": LEVELS}


def test_tables_are_those_of_the_fixed_levels() -> None:
    for name in LEVELS:
        assert registry.has_tables(name) is (name in FIXED)
        assert learn([name]) is (name not in FIXED)
        policies = registry.policies(name, RULES, no_solution)
        assert (policies is not None) is (name in HABITS)
        if name not in FIXED:
            with pytest.raises(NotAllowed) as caught:
                registry.strategy(name, RULES, 2, no_solution)
            assert caught.value.fields == {"value": name, "allowed": FIXED}
        elif policies is None:
            assert isinstance(registry.strategy(name, RULES, 2), Solution)
        else:
            policy = registry.strategy(name, RULES, 2, no_solution)
            assert isinstance(policy, Policy)
            assert policies.at((2, 0, 1), 3) is policy
            three = registry.strategy(name, RULES, 3)
            assert isinstance(three, Undominated)
            assert three is registry.strategy(name, RULES, 3)
    twice = registry.strategies([*FIXED[-2:], *FIXED[:-3:-1]], RULES)
    assert [id(one) for one in twice] == [id(one) for one in twice[::-1]]


def test_only_what_needs_the_solution_has_it_prepared() -> None:
    asked = []
    solved = lambda *table: asked.append(table)  # noqa: E731
    for names in (["easy", "bot:x"], ["easy", "expert", "bot:x"], ["shark", "shark"]):
        registry.prepare(names, RULES, solved)
    assert asked == [(3, 2, 1), (2, 2, 1)]
