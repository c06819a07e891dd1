"""Block players that workers of a cluster can import: slow ones, deadly ones, counted ones."""

import os
import signal
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

from mia_cli.simulate.blocks import BlockPlayer, Part, open_blocks
from mia_cli.simulate.setup import Setup


@dataclass
class Slow:
    """Takes ``seconds`` for each block; dies, with its process, of block ``deadly``.

    With ``notes``, a folder, it leaves a file there when it is made, and another when it is closed.
    """

    setup: Setup
    seconds: float = 0.0
    deadly: int | None = None
    notes: Path | None = None
    inner: BlockPlayer = field(init=False)

    def __post_init__(self) -> None:
        self.inner = open_blocks(self.setup)
        self._note("made")

    def play(self, first: int, count: int) -> Part:
        if first == self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(self.seconds)
        return self.inner.play(first, count)

    def close(self) -> None:
        self._note("closed")
        self.inner.close()

    def _note(self, what: str) -> None:
        if self.notes:
            (self.notes / f"{what}-{os.getpid()}-{uuid.uuid4()}").touch()
