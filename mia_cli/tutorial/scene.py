"""A scene as the engine plays it: a position, settled dice, and opponents who follow a script."""

from __future__ import annotations

from mia_cli.engine.driver import Table
from mia_cli.rules.events import Claimed, RoundStarted
from mia_cli.rules.match import Accept, Answer, Challenge, Match, Observation
from mia_cli.rules.rolls import Claim, Roll, parse_claim, parse_roll
from mia_cli.rules.ruleset import RuleSet
from mia_cli.tutorial.answers import PERSON, lowest_above
from mia_cli.tutorial.steps import Scene


def table_of(scene: Scene, rules: RuleSet) -> Table:
    """The table before the first roll of a scene. Fewer lives than the rules give are fine."""
    lives = (rules.lives,) * scene.seats if scene.lives is None else scene.lives
    match = Match(rules=rules, lives=lives, round=1, roller=scene.leader)
    return Table(match, (RoundStarted(1, scene.leader, lives),))


class SettledDice:
    """The dice of a scene, in order; the last roll comes again should more be thrown."""

    def __init__(self, scene: Scene) -> None:
        self._names = scene.dice

    def __call__(self, number: int) -> Roll:
        return parse_roll(self._names[min(number, len(self._names) - 1)])

    def __repr__(self) -> str:
        return "SettledDice()"


class Actor:
    """An opponent in a scene: claims what the script says, and answers the person by it."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """The scripted claim where it may be made, otherwise the lowest that may."""
        del uniform
        # The seats before the person speak once each, in order from the leader.
        order = seen.seat - self._scene.leader
        said = self._scene.said
        scripted = parse_claim(said[order]) if 0 <= order < len(said) else None
        if scripted is not None and scripted.beats(seen.above) and not _person_spoke(seen):
            return scripted
        return lowest_above(seen.above)

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Accept other opponents; answer the person by the script; 21 is always challenged."""
        del uniform
        assert seen.claim is not None
        if seen.claim.must_be_challenged:
            return Challenge()
        if seen.roller == PERSON and self._scene.reply == "challenge":
            return Challenge()
        return Accept()


def _person_spoke(seen: Observation) -> bool:
    return any(isinstance(event, Claimed) and event.seat == PERSON for event in seen.history)


class SceneOver(Exception):
    """The person would have to decide once more, but the scene has shown what it is about."""
