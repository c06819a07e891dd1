"""Small defects, made by hand, that the tests named beside them must find.

Kept as data, one file an area: ``name``; ``file`` and ``old``, a text that occurs there exactly
once; ``new``, what it becomes; ``tests``, which of them should notice; ``stays``, for one that no
test need find: why it does not matter.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
AREAS = tuple(sorted(path.stem for path in HERE.glob("*.toml")))


@dataclass(frozen=True)
class Mutant:
    """One defect."""

    area: str
    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    stays: str = ""

    def made(self, root: Path) -> str:
        """The text of its file with the defect. Raises ValueError for an old text that is not
        there exactly once."""
        text = (root / self.file).read_text("utf-8")
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {text.count(self.old)} places in {self.file}")
        return text.replace(self.old, self.new)


def mutants() -> Iterator[Mutant]:
    """All of them, by area."""
    for area in AREAS:
        for found in tomllib.loads((HERE / f"{area}.toml").read_text("utf-8"))["mutant"]:
            yield Mutant(**{"area": area, **found, "tests": tuple(found["tests"])})
