"""The last life of two seats in fractions: a solver of its own, from the rules alone.

One life each: who wins the challenge wins the match, so a held challenge is worth 1 to the
roller, a lost one 0, and an accepted claim one minus the other seat's value as roller.
"""

from fractions import Fraction

from mia_cli.rules.rolls import OUTCOMES, ROLLS, claim_at, claims_above


def last_life():
    """[21 standings] chance to win of the seat that rolls."""
    values = [Fraction(0)] * 21
    for standing in reversed(range(21)):
        legal = claims_above(claim_at(standing) if standing else None)
        accepted = {c: 1 - values[c.position] for c in legal if not c.must_be_challenged}
        bluff = bluffing_value(accepted)
        values[standing] = sum(
            Fraction(roll.ways, OUTCOMES) * best(roll, legal, accepted, bluff) for roll in ROLLS
        )
    return values


def bluffing_value(accepted):
    """The lowest value at which the rolls that bluff are enough for the bluffs wanted."""
    for bluff in sorted({Fraction(0), *accepted.values()}):
        wanted = bluffing = Fraction(0)
        for roll in ROLLS[:-1]:
            chance = Fraction(roll.ways, OUTCOMES)
            true = [worth for claim, worth in accepted.items() if roll.supports(claim)]
            if max(true, default=Fraction(0)) > bluff:
                # As many bluffs as leave the answering seat indifferent.
                wanted += chance * (1 - max(true)) / max(true)
            else:
                bluffing += chance
        if wanted <= bluffing:
            return bluff
    raise AssertionError("at the highest value nothing is wanted")


def best(roll, legal, accepted, bluff):
    """What a roll is worth when every bluff is worth ``bluff``."""
    worth = [bluff] if any(claim.exceeds(roll) for claim in legal) else []
    for claim in legal:
        if not claim.exceeds(roll):
            safe = accepted.get(claim)
            if safe is None:
                worth.append(Fraction(1))
            else:
                challenged = max(Fraction(0), (safe - bluff) / safe)
                worth.append(challenged + (1 - challenged) * safe)
    return max(worth)
