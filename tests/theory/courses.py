"""Every course of a match by the rules themselves: slow, plain, and independent of theory."""

from dataclasses import replace

import numpy as np

from mia_cli.rules.match import Challenge, MakeClaim, Match, Throw, apply, legal_answers
from mia_cli.rules.rolls import ROLLS, claims_above


def key(match):
    """What matters of a position before a roll."""
    return match.lives, match.roller, match.above


def stage(match):
    """Everything that one roll can lead to: roll, claim, answer, position before the next roll."""
    for roll in ROLLS:
        rolled, _ = apply(match, Throw(roll))
        for claim in claims_above(match.above):
            claimed, _ = apply(rolled, MakeClaim(claim))
            for answer in legal_answers(claim):
                after, _ = apply(claimed, answer)
                yield roll, claim, answer, replace(after, round=1)


def answering_seat(match):
    """The seat that will answer, when a roll is due."""
    return Match(match.rules, match.lives, 1, match.roller, "answer").to_act


def said(policy, match, roll, claim):
    """Chance of this roll and then this claim."""
    return roll.ways / 36 * policy.claim_row(match.above, roll)[claim.position - 1]


def answered(policy, match, claim, answer):
    """Chance of this answer."""
    probability = policy.challenge_probability(match.above, claim)
    return probability if answer == Challenge() else 1 - probability


def expectations(match, players, known):
    """Wins by seat, rounds, and by seat claims, bluffs, bluffs caught, challenges, those won."""
    seats = match.seats
    total = np.zeros(6 * seats + 1)
    if match.winner is not None:
        total[match.winner - 1] = 1.0
        return total
    if key(match) in known:
        return known[key(match)]
    other = answering_seat(match)
    total[seats] = match.above is None
    counts = total[seats + 1 :].reshape(5, seats)
    for roll, claim, answer, after in stage(match):
        chance = said(players[match.roller - 1], match, roll, claim)
        chance *= answered(players[other - 1], match, claim, answer)
        if not chance:
            continue
        bluff, challenged = claim.exceeds(roll), answer == Challenge()
        total += chance * expectations(after, players, known)
        counts[0, match.roller - 1] += chance
        counts[1, match.roller - 1] += chance * bluff
        counts[2, match.roller - 1] += chance * (bluff and challenged)
        counts[3, other - 1] += chance * challenged
        counts[4, other - 1] += chance * (bluff and challenged)
    known[key(match)] = total
    return total


def best_chance(match, players, known):
    """Win chance of seat 1 with a maximum at each of its information sets."""
    if match.winner is not None or not match.lives[0]:
        return float(match.winner == 1)
    if key(match) in known:
        return known[key(match)]
    other = answering_seat(match)
    value, choices = 0.0, {}
    for roll, claim, answer, after in stage(match):
        worth = best_chance(after, players, known)
        if match.roller == 1:
            # One information set for each roll; the worth of a claim is a mean over answers.
            worth *= roll.ways / 36 * answered(players[other - 1], match, claim, answer)
            group, option = roll, claim
        else:
            worth *= said(players[match.roller - 1], match, roll, claim)
            group, option = claim, answer
            if other != 1:
                value += worth * answered(players[other - 1], match, claim, answer)
                continue
        options = choices.setdefault(group, {})
        options[option] = options.get(option, 0.0) + worth
    value += sum(max(options.values()) for options in choices.values())
    known[key(match)] = value
    return value
