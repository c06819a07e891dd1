"""Files that are read: regular ones of a sensible size, so that no answer is waited for for ever.

Pipes and devices are read where the shell has opened them: as standard input, or by a name such as
``/dev/fd/63``.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

from mia_cli.files.failures import os_failure
from mia_cli.rules.errors import BadRecord

LARGEST = 4 << 20
"""Bytes of the largest document that is read; a long match takes about 100,000."""
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/([0-9]{1,9})", re.ASCII)
# Without O_NONBLOCK, opening a pipe that nobody writes to waits for ever.
_FLAGS = sum({getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY")})
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}


def named_descriptor(path: Path | str) -> int | None:
    """The descriptor of this process that a path names."""
    name = os.fspath(path)
    found = _DESCRIPTOR.fullmatch(name)
    return int(found[1]) if found else _STANDARD.get(name)


def open_to_read(path: Path) -> BinaryIO:
    """A regular file, or what the shell has opened already.

    Raises BadRecord("not_a_file") for anything else, Unwritable("cannot_read").
    """
    try:
        descriptor = named_descriptor(path)
        if descriptor is not None:
            return os.fdopen(os.dup(descriptor), "rb")
        handle = os.open(path, _FLAGS)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise BadRecord("not_a_file")
        return os.fdopen(handle, "rb")
    except OSError as error:
        if path.is_dir():  # Windows says "permission denied"
            raise BadRecord("not_a_file") from None
        raise os_failure("cannot_read", path, error) from error
    except ValueError as error:  # a zero byte in the name
        failure = OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        raise os_failure("cannot_read", path, failure) from error


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """The bytes of a file of at most ``largest``.

    Raises what :func:`open_to_read` raises, and BadRecord("too_large") (limit, bytes).
    """
    with open_to_read(path) as file:
        try:
            data = file.read(largest + 1)
        except OSError as error:
            raise os_failure("cannot_read", path, error) from error
        if len(data) > largest:
            size = max(len(data), os.fstat(file.fileno()).st_size)
            raise BadRecord("too_large", limit=largest, bytes=size)
    return data
