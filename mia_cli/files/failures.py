"""Errors about files: the same for whoever meets them."""

from __future__ import annotations

import errno
from pathlib import Path

from mia_cli.rules.errors import MiaError, Unwritable


def in_file(error: MiaError, path: Path | str) -> MiaError:
    """The same error with the file it is about."""
    return type(error)(error.code, **{**error.fields, "file": str(path)})


def os_failure(code: str, path: Path, error: OSError) -> Unwritable:
    """Unwritable with the path, the name of the system's error (``"ENOSPC"``) and its words."""
    name = errno.errorcode.get(error.errno or 0, type(error).__name__)
    return Unwritable(code, file=str(path), reason=name, detail=error.strerror or name)
