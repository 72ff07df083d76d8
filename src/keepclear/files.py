"""Files that are read: regular ones only, of a bounded size, and numbers in them in plain digits.

A named pipe or a device would block or never end, so that nothing but a regular file is opened. Every reader of the
library gets its bytes here.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

__all__ = ["MAX_FILE_SIZE", "IrregularFileError", "json_integer", "parse_number", "read_regular_file"]

MAX_FILE_SIZE = 2**30
"""Greatest size of a file that is read at once [bytes]: a binary STL file of 21 million triangles fits."""

MAX_INTEGER_DIGITS = 400
"""Most digits of an integer in JSON or YAML: greater ones are no float64, and Python refuses some 4 300."""

_CHUNK = 2**24  # bytes that are read at once
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?:inf|infinity|nan)", re.I)

_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class IrregularFileError(OSError):
    """Something at a path that is no regular file, or one that is too large; `strerror` says what it is."""


def read_regular_file(path: str | os.PathLike[str], max_size: int = MAX_FILE_SIZE) -> bytes:
    """Return the content of a regular file.

    Args:
        path: The file; a symbolic link to one is followed.
        max_size: Its greatest size [bytes].

    Raises:
        OSError: It cannot be opened; `strerror` says why, also for what is no regular file or too large.
    """
    _check_regular(Path(path).stat(), path, max_size)  # opening a device could already change it
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        _check_regular(os.fstat(file.fileno()), path, max_size)  # it may have been replaced
        chunks, size = [], 0
        while chunk := file.read(_CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            if size > max_size:  # it grows, or the system does not know its size
                raise _too_large(size, path, max_size)
    return b"".join(chunks)


def parse_number(text: str) -> float:
    """Return the number that a text is, in plain digits 0 to 9; `float` would also take 1_0 and other scripts.

    Raises:
        ValueError: It is no such number.

    Example:
        >>> parse_number(" -1.5e3 ")
        -1500.0
    """
    word = text.strip(" \t\r\n\f\v")
    if _NUMBER.fullmatch(word) is None:
        raise ValueError(f"{text[:40]!r} is no number")
    return float(word)


def json_integer(text: str) -> int:
    """Return an integer of JSON; raise a `ValueError` if it has more digits than any float64."""
    if len(text) > MAX_INTEGER_DIGITS:
        raise ValueError(f"an integer has {len(text)} digits")
    return int(text)


def _check_regular(status: os.stat_result, path: str | os.PathLike[str], max_size: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = next((name for is_kind, name in _KINDS if is_kind(status.st_mode)), "something else")
        raise IrregularFileError(errno.EINVAL, f"it is {kind}, not a regular file", os.fspath(path))
    if status.st_size > max_size:
        raise _too_large(status.st_size, path, max_size)


def _too_large(size: int, path: str | os.PathLike[str], max_size: int) -> IrregularFileError:
    text = f"it has {size} bytes, and at most {max_size} are read"
    return IrregularFileError(errno.EFBIG, text, os.fspath(path))
