"""The person as a player: asks for one line at a time until it is a decision the rules allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from mia_cli.cli.play.help_used import Adviser
from mia_cli.rules.errors import CannotRead, MiaError, NotAllowed
from mia_cli.rules.match import (
    Accept,
    Action,
    Answer,
    Challenge,
    MakeClaim,
    Observation,
    legal_answers,
)
from mia_cli.rules.rolls import Claim
from mia_cli.text.language.roll_names import read_claim
from mia_cli.text.language.words import Word, understand
from mia_cli.text.play.prompts import answer_first, not_understood, nothing_typed

if TYPE_CHECKING:
    from mia_cli.players.shark import Intent
    from mia_cli.theory.advice import Advice

Chosen = TypeVar("Chosen", MakeClaim, Answer)


class Left(Exception):
    """The person leaves the match: ``quit`` or the end of the input."""


class PersonView(Protocol):
    """How a match is shown to the person, as text or as JSON."""

    def hear(self, seen: Observation) -> str | None:
        """Put the question, and return the line that was typed; None at the end of the input."""
        ...

    def problem(self, message: Callable[[], str]) -> None:
        """Why a line did not count; the question follows again."""
        ...

    def tell(self, word: Word, seen: Observation) -> None:
        """Answer help, rank, odds, score or history."""
        ...

    def advise(self, advice: Advice, seen: Observation, shark: Intent | None) -> None:
        """Show a hint, and what a shark would do where one sits at the table."""
        ...

    def comment(self, advice: Advice, seen: Observation, action: Action) -> None:
        """Show the tutor's comment on a decision that is not final yet."""
        ...


class Person:
    """Decides by asking; numbers from a stream are not needed."""

    def __init__(self, view: PersonView, adviser: Adviser) -> None:
        self._view = view
        self._adviser = adviser

    def claim(self, seen: Observation, uniform: float) -> Claim:
        """Ask for a claim. Raises Left."""
        del uniform
        return self._decide(seen, legal_claim).claim

    def answer(self, seen: Observation, uniform: float) -> Answer:
        """Ask for accept or challenge. Raises Left."""
        del uniform
        return self._decide(seen, legal_answer)

    def _decide(self, seen: Observation, legal: Callable[[str, Observation], Chosen]) -> Chosen:
        """The first legal decision that the tutor lets pass, or that is typed a second time."""
        doubted: Chosen | None = None
        while True:
            text = self._next(seen)
            if text is None:
                continue
            try:
                decision = legal(text, seen)
            except MiaError as error:
                self._view.problem(why_not(error, text, seen))
                continue
            if decision == doubted:
                return decision
            if doubted is not None:
                self._adviser.note("take_backs")
            objection = self._adviser.objection(seen, decision)
            if objection is None:
                return decision
            doubted = decision
            self._view.comment(objection, seen, decision)

    def _next(self, seen: Observation) -> str | None:
        """The next line that may be a decision; None when it was a word like help."""
        text = self._view.hear(seen)
        if text is None:
            raise Left
        word = understand(text)
        if word == "quit":
            raise Left
        if word is None or word in ("accept", "challenge"):
            return text
        if word == "hint":
            self._view.advise(self._adviser.hint(seen), seen, self._adviser.intent(seen))
        else:
            self._view.tell(word, seen)
        return None


def legal_claim(text: str, seen: Observation) -> MakeClaim:
    """The claim that was typed. Raises CannotRead, NotAllowed("claim_too_low")."""
    claim = read_claim(text)
    if not claim.beats(seen.above):
        above = "" if seen.above is None else seen.above.name
        raise NotAllowed("claim_too_low", claim=claim.name, above=above)
    return MakeClaim(claim)


def legal_answer(text: str, seen: Observation) -> Answer:
    """The answer that was typed. Raises CannotRead, NotAllowed("must_challenge_21")."""
    assert seen.claim is not None
    word = understand(text)
    if word not in ("accept", "challenge"):
        raise CannotRead("not_an_answer", value=text)
    answer: Answer = Accept() if word == "accept" else Challenge()
    if answer not in legal_answers(seen.claim):
        raise NotAllowed("must_challenge_21", claim=seen.claim.name)
    return answer


def why_not(error: MiaError, text: str, seen: Observation) -> Callable[[], str]:
    """Why ``text`` is no decision, as a sentence that is made when it is needed."""

    def message() -> str:
        from mia_cli.text.errors.sentences import sentence

        if isinstance(error, NotAllowed):
            return sentence(error)
        if not text.strip():
            return nothing_typed(seen)
        if _belongs_elsewhere(text, seen.decision):
            return answer_first(seen)
        return not_understood(text, seen)

    return message


def _belongs_elsewhere(text: str, decision: str) -> bool:
    if decision == "claim":
        return understand(text) is not None
    try:
        read_claim(text)
    except CannotRead:
        return False
    return True
