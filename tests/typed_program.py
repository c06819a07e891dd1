"""A program as a user of the library writes it: ``.ci/run`` lets mypy check it against the wheel.

In strict mode an ``ignore`` that is not needed is an error: so the types of the library are there,
and are not just anything.
"""

import mia_cli
from mia_cli import api


class Careful:
    """Claims as little as it can, and challenges what is above nothing."""

    def claim(self, seen: api.Observation, uniform: float) -> api.Claim:
        del uniform
        return api.claims_above(seen.above)[0]

    def answer(self, seen: api.Observation, uniform: float) -> api.Accept | api.Challenge:
        del uniform
        forced = seen.claim is not None and seen.claim.must_be_challenged
        return api.Challenge() if forced or seen.above is not None else api.Accept()


rules = api.Rules(lives=2, penalty_21=1)
player: api.Player = Careful()
lowest = api.policy(
    claims=lambda above, roll: api.claims_above(above)[0], challenges=lambda above, claim: 0.5
)
winners: list[int] = api.simulate([player, lowest, "easy"], rules, matches=10).wins.tolist()
value: float = api.ceiling(lowest, rules).value
game: str = api.solve(rules, seats=2).to_efg((2, 2), "55")
ids: set[str] = {record.id for record in mia_cli.api.read_records()}
columns: set[str] = {name for row in api.turns() for name in row}
for event in api.play([api.respond(lowest, rules), "expert"], rules, seed=1):
    print(event)

api.Rules(lives="two")  # type: ignore[arg-type]
api.simulate([3, "easy"], rules)  # type: ignore[list-item]
wrong: str = api.ceiling(lowest, rules).value  # type: ignore[assignment]
