"""The files that options name for output, looked at before anything else is done."""

from __future__ import annotations

from collections.abc import Mapping
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
    from mia_cli.files.outputs import OutputFile

    take_stdout({option: name for option, (name, _kind) in named.items()}, printed)
    return {
        option: OutputFile(name, kind, force=force)
        for option, (name, kind) in named.items()
        if name is not None
    }


def take_stdout(names: Mapping[str, str | None], printed: str | None = None) -> bool:
    """Whether one of the outputs is standard output: then nothing else is printed there.

    Raises NotAllowed("not_together") as above.
    """
    from mia_cli.files.outputs import STDOUT

    there = [f"{option} {STDOUT}" for option, name in names.items() if name == STDOUT]
    there += [printed] if printed and there else []
    if len(there) > 1:
        raise NotAllowed("not_together", option=there[0], other=there[1])
    return bool(there)
