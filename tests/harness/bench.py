"""Where the harness runs commands: in copies of a home, with faults where they are asked for."""

import os
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.harness.broken import prepare
from tests.harness.forked import Forked

HUNG = 180.0


@dataclass
class Ended:
    """How a command ended; ``fault``: whether the fault came before that."""

    code: int
    out: str
    err: str
    fault: bool = False


@dataclass
class Bench:
    """Runs commands in copies of a home, with faults where they are asked for."""

    folder: Path
    preloaded: bool = False
    plant: str = ""
    number: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)

    def home(self, template: Path) -> Path:
        """A new copy of a template."""
        self.number += 1
        home = self.folder / f"home{self.number}"
        shutil.copytree(template, home)
        return home

    def start(
        self, words: str, home: Path, typed: str = "", fault: dict[str, str] | None = None
    ) -> Forked:
        """Start ``mia`` in a home."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("MIA_", "FAULT_", "LC_"))}
        folders = {f"MIA_{it}_DIR": str(home / it.lower()) for it in ("DATA", "CONFIG", "CACHE")}
        hooked = {} if self.preloaded else fault or {}
        return Forked(
            [word.format(home=home) for word in words.split()],
            typed,
            {**kept, **folders, **(fault or {})},
            self.folder,
            lambda: prepare(self.plant, hooked),
        )

    def run(self, words: str, home: Path, typed: str = "", **fault: int) -> Ended:
        """Run it to its end; ``at`` and ``do`` of a fault as in ``faults.c``."""
        mark = self.folder / "mark"
        mark.unlink(missing_ok=True)
        told = {"FOLDER": home, "MARK": mark, **{k.upper(): v for k, v in fault.items()}}
        faults = {f"FAULT_{name}": str(value) for name, value in told.items()}
        process = self.start(words, home, typed, faults if fault else None)
        code = process.ended(HUNG)
        if code is None:
            process.kill()
            return Ended(-999, "", "it hung")
        return Ended(code, *process.told(), mark.exists())
