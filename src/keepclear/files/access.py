"""Files that are read and written: what is read is regular and of a bounded size, what is written is whole.

A named pipe or a device would block or never end, so that nothing but a regular file is read. Every reader of the
library gets its bytes here, with numbers in plain digits.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

from keepclear.errors import FileMissingError, KeepclearError

MAX_FILE_SIZE = 2**30
"""Greatest size of a file that is read at once [bytes]: a binary STL file of 21 million triangles fits."""

MAX_TEXT_SIZE = 2**28
"""Greatest size of a file of JSON, YAML, XML or CSV [bytes]: parsed, it takes up to 20 times as much memory."""

MAX_DIGITS = 600
"""Most digits of an integer in JSON or YAML: Python can be set to refuse those of 641 and more."""

_CHUNK = 2**24  # bytes that are read at once
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?(?:inf|infinity|nan)", re.I)

_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class FileDamage(ValueError):  # noqa: N818 - the reader of the file turns it into an error with the file's name
    """The defect of a file, as a sentence that follows its name."""


class IrregularFileError(OSError):
    """Something at a path that is not a regular file, or one that is too large; `strerror` says what it is."""


def read_regular_file(path: str | os.PathLike[str], max_size: int = MAX_FILE_SIZE) -> bytes:
    """Return the content of a regular file.

    Args:
        path: The file; a symbolic link to one is followed.
        max_size: Its greatest size [bytes].

    Raises:
        OSError: It cannot be opened; `strerror` says why, also for what is not a regular file or too large.
    """
    with _opened(path, max_size) as (file, size):
        chunks, total = [], 0
        while chunk := file.read(max(_CHUNK, size + 1)):  # at once, if the system knows its size
            chunks.append(chunk)
            total += len(chunk)
            if total > max_size:  # it grows, or the system does not know its size
                raise _too_large(total, path, max_size)
    return b"".join(chunks)


def read_named_file(
    path: Path,
    what: str,
    error: type[KeepclearError],
    max_size: int = MAX_FILE_SIZE,
    shown: str | None = None,
) -> bytes:
    """Return the content of a file that a user has named; the errors say what file it is.

    Args:
        path: The file.
        what: What it is, such as "mesh file".
        error: The class of the error if it cannot be opened.
        max_size: Its greatest size [bytes].
        shown: Its name in messages; None: its path.

    Raises:
        FileMissingError: There is no such file.
    """
    name = f"{what} '{path if shown is None else shown}'"
    try:
        return read_regular_file(path, max_size)
    except FileNotFoundError as cause:
        raise FileMissingError(f"there is no {name}; check the path.") from cause
    except (OSError, ValueError) as cause:
        raise error(f"{name} cannot be opened: {_reason(cause)}.") from cause


def write_named_file(
    path: str | os.PathLike[str], content: bytes, name: str, error: type[KeepclearError]
) -> None:
    """Write a whole file, as `write_whole_file` does; if that fails, raise `error`, which begins with its name."""
    try:
        write_whole_file(path, content)
    except OSError as cause:
        raise error(f"{name} cannot be written: {_reason(cause)}.") from cause


def _reason(cause: Exception) -> object:
    return getattr(cause, "strerror", None) or cause


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str], max_size: int) -> Iterator[tuple[BufferedReader, int]]:
    """Open a regular file that is not too large; give it, and its size."""
    _check_regular(Path(path).stat(), path, max_size)  # opening a device could already change it
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        _check_regular(status, path, max_size)  # it may have been replaced
        yield file, status.st_size


def write_whole_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a whole file, or leave what was there: no reader ever sees half of it.

    A symbolic link stays, and the file that it names is written. A device, or a pipe that is being read, is written to
    as it is.

    Raises:
        OSError: It cannot be written; `strerror` says why, and `filename` is the given path.
    """
    try:
        _write_whole(Path(os.path.realpath(path)), content)
    except OSError as cause:
        cause.filename, cause.filename2 = os.fspath(path), None
        raise


def _write_whole(target: Path, content: bytes) -> None:
    mode = _mode_of(target)
    if mode is not None and not stat.S_ISREG(mode):
        _write_to(target, content)
        return
    descriptor, part = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(part).chmod(stat.S_IMODE(mode) if mode is not None else 0o666 & ~_umask())
        Path(part).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(part).unlink()
        raise


def _mode_of(path: Path) -> int | None:
    """Return what is at a path and who may use it, or None if nothing is there."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _write_to(path: Path, content: bytes) -> None:
    """Write to a device or a pipe; a pipe without a reader, which would be waited for, is an error."""
    descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "wb") as file:
        os.set_blocking(descriptor, True)
        file.write(content)


def _umask() -> int:
    """Return the permissions that new files of this process lack; it can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def parse_number(text: str) -> float:
    """Return the number that a text is, in plain digits 0 to 9; `float` would also take 1_0 and other scripts.

    Raises:
        ValueError: It is no such number.

    Examples:
        >>> parse_number(" -1.5e3 ")
        -1500.0
    """
    word = text.strip(" \t\r\n\f\v")
    if _NUMBER.fullmatch(word) is None:
        raise ValueError(f"{text[:40]!r} is not a number")
    return float(word)


def parse_json(text: str | bytes, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """Return what a JSON text says; whatever is wrong with it comes out as a `ValueError`.

    Args:
        text: JSON; bytes are UTF-8.
        parse_constant: What becomes of NaN and Infinity, as in `json.loads`.

    Raises:
        ValueError: It is not JSON, is nested too deeply, has a name twice in an object, or an integer that no float64
            can hold; it is a `json.JSONDecodeError` with the line where the syntax is wrong.
    """
    try:
        return json.loads(
            text, parse_int=_integer, parse_constant=parse_constant, object_pairs_hook=_unique_names
        )
    except RecursionError:
        raise ValueError("its values are nested too deeply") from None


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"an integer has {len(text)} digits, and at most {MAX_DIGITS} are read")
    return int(text)


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; with a name that is there twice, one of its values would be lost."""
    content = dict(pairs)
    if len(content) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"the name {twice[:40]!r} occurs twice in one object")
    return content


def _check_regular(status: os.stat_result, path: str | os.PathLike[str], max_size: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = next((name for is_kind, name in _KINDS if is_kind(status.st_mode)), "something else")
        raise IrregularFileError(errno.EINVAL, f"it is {kind}, not a regular file", os.fspath(path))
    if status.st_size > max_size:
        raise _too_large(status.st_size, path, max_size)


def _too_large(size: int, path: str | os.PathLike[str], max_size: int) -> IrregularFileError:
    text = f"it has {size} bytes, and at most {max_size} are read"
    return IrregularFileError(errno.EFBIG, text, os.fspath(path))
