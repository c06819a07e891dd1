"""What levels do otherwise at tables of three and four seats, kept between runs.

Which actions are dominated there follows from the solution, and NumPy takes longer to load than a
match of such a table takes to begin. So the policies are worked out once for all lives and
kept as differences from the policy of two seats. A file that is damaged, or of another version of
the program or of the level, is not used; nothing here raises for what is wrong with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from mia_cli import __version__
from mia_cli.engine.policy import Policy
from mia_cli.files.folders import cache_dir
from mia_cli.players.names import TABLES
from mia_cli.rules.errors import MiaError
from mia_cli.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from mia_cli.theory.dominance import Undominated

MOST_SEATS = 4
"""Larger tables have too many lives to keep."""
_MOST_BYTES = 1 << 22
_Lives = tuple[int, ...]
Rows = Sequence[tuple[int, int, Sequence[float]]]
"""Standing claim, roll, chances of the 21 claims."""
Cells = Sequence[tuple[int, int, float]]
"""Standing claim, claim, chance of a challenge."""


class KeptPolicies:
    """The policies of a level by the lives of three living seats or more, from the roller on."""

    def __init__(
        self,
        base: Callable[[], Policy],
        kinds: Mapping[_Lives, int],
        changes: Sequence[tuple[Rows, Cells]],
    ) -> None:
        self._base, self._kinds, self._changes = base, kinds, changes
        self._made: dict[int, Policy] = {}

    def at(self, lives: _Lives) -> Policy:
        """The policy at these lives."""
        kind = self._kinds[lives]
        if kind not in self._made:
            self._made[kind] = _changed(self._base(), *self._changes[kind])
        return self._made[kind]


def load(level: str, rules: RuleSet, seats: int, base: Callable[[], Policy]) -> KeptPolicies | None:
    """What is kept for this table, or None. ``base``: the policy of two seats."""
    path = _path(level, rules, seats)
    if path is None:
        return None
    from mia_cli.files.reading import read_bytes

    try:
        head, _, body = read_bytes(path, _MOST_BYTES).partition(b"\n")
    except MiaError:
        return None
    if head != _head(level, rules, seats, body):
        return None
    document = json.loads(body)
    kinds = {tuple(lives): kind for lives, kind in document["lives"]}
    return KeptPolicies(base, kinds, document["kinds"])


def make(
    level: str, rules: RuleSet, seats: int, base: Callable[[], Policy], player: Undominated
) -> KeptPolicies:
    """Work out the policies of this table from its player, and keep them where that is possible."""
    each = range(1, rules.lives + 1)
    vectors = [lives for living in range(3, seats + 1) for lives in product(each, repeat=living)]
    which, claims, challenges = player.many_tables(vectors)
    changes = [
        _differences(base(), *tables)
        for tables in zip(claims.tolist(), challenges.tolist(), strict=True)
    ]
    kinds = dict(zip(vectors, which.tolist(), strict=True))
    _store(level, rules, seats, {"lives": list(kinds.items()), "kinds": changes})
    return KeptPolicies(base, kinds, changes)


def _store(level: str, rules: RuleSet, seats: int, document: object) -> None:
    from contextlib import suppress

    from mia_cli.files.writing import make_folder, write_atomically
    from mia_cli.rules.errors import Unwritable

    path = _path(level, rules, seats)
    body = json.dumps(document, separators=(",", ":")).encode("ascii")
    if path is not None and len(body) < _MOST_BYTES:
        with suppress(Unwritable):
            make_folder(path.parent)
            write_atomically(path, _head(level, rules, seats, body) + b"\n" + body)


def _differences(
    base: Policy, claims: Sequence[Sequence[Sequence[float]]], challenges: Sequence[Sequence[float]]
) -> tuple[Rows, Cells]:
    rows = [
        (standing, roll, row)
        for standing, (table, usual) in enumerate(zip(claims, base.claims, strict=True))
        for roll, (row, before) in enumerate(zip(table, usual, strict=True))
        if list(before) != row
    ]
    cells = [
        (standing, claim, chance)
        for standing, (chances, usual) in enumerate(zip(challenges, base.challenges, strict=True))
        for claim, (chance, before) in enumerate(zip(chances, usual, strict=True))
        if before != chance
    ]
    return rows, cells


def _changed(base: Policy, rows: Rows, cells: Cells) -> Policy:
    claims = [list(table) for table in base.claims]
    challenges = [list(chances) for chances in base.challenges]
    for standing, roll, row in rows:
        claims[standing][roll] = tuple(row)
    for standing, claim, chance in cells:
        challenges[standing][claim] = chance
    return Policy(tuple(map(tuple, claims)), tuple(map(tuple, challenges)))


def _head(level: str, rules: RuleSet, seats: int, body: bytes) -> bytes:
    fields = [
        *("mia", __version__, level, TABLES[level], seats, rules.lives, rules.penalty_21),
        hashlib.sha256(body).hexdigest(),
    ]
    return json.dumps(fields).encode("ascii")


def _path(level: str, rules: RuleSet, seats: int) -> Path | None:
    folder = cache_dir() if 2 < seats <= MOST_SEATS else None
    name = f"{level}-{seats}-{rules.lives}-{rules.penalty_21}.mia"
    return None if folder is None else folder / name
