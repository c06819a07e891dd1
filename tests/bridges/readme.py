"""The Python blocks of the README."""

import re
from collections.abc import Iterator
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def python_blocks() -> Iterator[str]:
    """The code of each, in order."""
    yield from re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
