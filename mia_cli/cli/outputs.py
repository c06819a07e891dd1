"""The files that options name for output, looked at before anything else is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mia_cli.rules.errors import NotAllowed

if TYPE_CHECKING:
    from mia_cli.files.outputs import OutputFile, OutputKind


def named_outputs(
    named: Mapping[str, tuple[str | None, OutputKind]],
    *,
    force: bool,
    printed: str | None = None,
) -> dict[str, OutputFile]:
    """The outputs that were given, by their options.

    ``printed``: an option that asks for other JSON or CSV on standard output. Raises
    NotAllowed("not_together") where two would share it, and as OutputFile does.
    """
    from mia_cli.files.outputs import STDOUT, OutputFile

    given = {option: both for option, both in named.items() if both[0] is not None}
    there = [f"{option} {STDOUT}" for option, (name, _kind) in given.items() if name == STDOUT]
    there += [printed] if printed and there else []
    if len(there) > 1:
        raise NotAllowed("not_together", option=there[0], other=there[1])
    return {
        option: OutputFile(str(name), kind, force=force) for option, (name, kind) in given.items()
    }


def take_stdout(outputs: Iterable[OutputFile]) -> bool:
    """Whether one of them is standard output: then nothing else is printed there."""
    return any(output.is_stdout for output in outputs)
