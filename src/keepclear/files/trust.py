"""Folders and files that machine code may be run from: those that only this user and the administrator can change.

A path is walked from the root, one folder at a time, each opened relative to the one before and checked by its
descriptor: what was checked is what is used. A folder on the path has to belong to this user or to root, and no other
user may write to it. A sticky folder such as /tmp may be open to all, because other users cannot replace its entries,
and the next folder on the path is checked too. Symbolic links on the path are followed if they belong to this user or
to root. No other user may write to the last folders, sticky or not, and a file in them is never a link.

If the system does not report who owns a file (Windows), a folder is trusted only inside the user's profile, which the
system protects from other users.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

GREATEST_SIZE = 1 << 28
"""The largest file that is read [bytes]; the largest kernel takes less than 1 MB."""
GREATEST_LINKS = 40  # as Linux follows
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_ON_THE_WAY = _FOLDER | getattr(os, "O_PATH", 0)  # which also works for a folder that cannot be listed


class UntrustedError(Exception):
    """A folder or file that another user could have written; the message says which, why and what to do."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} {why}")
        self.path = path


@dataclass(frozen=True)
class Folder:
    """A folder that was checked: its path, and its descriptor if the system has them for folders."""

    path: Path
    descriptor: int | None

    def place(self, name: str) -> str:
        """Return the path of a file of this folder, relative to its descriptor if it has one."""
        if name != os.path.basename(name) or name in ("", ".", ".."):  # noqa: PTH119
            raise ValueError(f"{name!r} is not a file name")
        return name if self.descriptor is not None else str(self.path / name)


def has_owners() -> bool:
    """Return whether this system reports who owns a file."""
    return hasattr(os, "geteuid") and os.open in os.supports_dir_fd


@contextlib.contextmanager
def opened(path: Path, *, own: int = 1, make: bool = False) -> Iterator[Folder]:
    """Open a folder that only this user and the administrator can change.

    Args:
        path: The folder; a relative one starts at the working directory.
        own: How many folders at the end of the path no other user may write to, sticky or not.
        make: Whether to make the folders of the path that are missing, for this user only.

    Raises:
        UntrustedError: Another user can change what is at this path.
        OSError: There is no such folder, or it cannot be opened.
    """
    path = path if path.is_absolute() else Path.cwd() / path
    if not has_owners():
        yield _in_profile(path, make)
        return
    descriptor = _walk(path, own, make)
    try:
        yield Folder(path, descriptor)
    finally:
        os.close(descriptor)


def read(folder: Folder, name: str) -> bytes:
    """Return the content of a file that only this user and the administrator can change.

    Raises:
        UntrustedError: Another user could have written it, or it is not a regular file.
        OSError: There is no such file, or it cannot be read.
    """
    path = folder.path / name
    flags = os.O_RDONLY | _FILE | getattr(os, "O_NONBLOCK", 0)  # reading a pipe would block
    try:
        descriptor = os.open(folder.place(name), flags, dir_fd=folder.descriptor)
    except OSError:
        if path.is_symlink():
            raise UntrustedError(path, "is a symbolic link; remove it") from None
        raise
    try:
        status = os.fstat(descriptor)
        check_owner_and_mode(path, status)
        return _content(descriptor, path, status)
    finally:
        os.close(descriptor)


def check_owner_and_mode(path: Path, status: os.stat_result) -> None:
    """Raise an `UntrustedError` if another user than this one and the administrator can change a file."""
    if has_owners():
        _check_owner(path, status)
        _check_mode(path, status)


def read_beside(path: Path, companion: Path) -> bytes:
    """Return the content of a file that only users who can change its companion can change.

    Machine code in an installed package is trusted like the package's sources: a user who can write those needs no
    machine code. So its owner is root, this user or the owner of the sources, and its mode is no more open.

    Raises:
        UntrustedError: A user who cannot write the companion could have written the file.
        OSError: There is no such file, or it cannot be read.
    """
    with path.open("rb") as file:
        status, model = os.fstat(file.fileno()), companion.stat()
        if has_owners():
            if status.st_uid != model.st_uid:
                _check_owner(path, status)
            _check_mode(path, status, allowed=model.st_mode)
        return _content(file.fileno(), path, status)


def write(folder: Folder, name: str, content: bytes) -> None:
    """Write a complete file of this user, by a rename; no other user can read or write it.

    Raises:
        OSError: It cannot be written.
    """
    scratch = folder.place(f"{name}.{uuid.uuid4().hex[:12]}.part")
    at = folder.descriptor
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE, 0o600, dir_fd=at)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123
            file.write(content)
        os.replace(scratch, folder.place(name), src_dir_fd=at, dst_dir_fd=at)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(scratch, dir_fd=at)
        raise


def names(folder: Folder) -> list[str]:
    """Return the names of the files in the folder, sorted."""
    return sorted(os.listdir(folder.path if folder.descriptor is None else folder.descriptor))  # noqa: PTH208


def _content(descriptor: int, path: Path, status: os.stat_result) -> bytes:
    if not stat.S_ISREG(status.st_mode):
        raise UntrustedError(path, "is not a regular file; remove it")
    if status.st_size > GREATEST_SIZE:
        raise UntrustedError(path, f"has {status.st_size} bytes, more than any kernel; remove it")
    with open(descriptor, "rb", closefd=False) as file:
        return file.read(GREATEST_SIZE)


def _walk(path: Path, own: int, make: bool) -> int:
    """Return the descriptor of the folder at the end of an absolute path after checking the whole path."""
    waiting, here, links = list(reversed(path.parts)), -1, 0
    seen = Path(path.anchor)
    try:
        while waiting:
            name = waiting.pop()
            target = None if here < 0 else _link(here, name, seen / name)
            if target is not None:
                links += 1
                if links > GREATEST_LINKS:
                    raise UntrustedError(seen / name, "is a symbolic link to itself; remove it")
                waiting.extend(reversed(Path(target).parts))
                continue
            below = _open_folder(here, name, make, _ON_THE_WAY if waiting else _FOLDER)
            if here >= 0:
                os.close(here)
            here, seen = below, seen / name
            _check_folder(seen, os.fstat(here), len(waiting) < own)
    except BaseException:
        if here >= 0:
            os.close(here)
        raise
    return here


def _link(here: int, name: str, path: Path) -> str | None:
    """Return the target of a symbolic link in the folder, or None if it is not a link."""
    try:
        status = os.stat(name, dir_fd=here, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISLNK(status.st_mode):
        return None
    _check_owner(path, status)
    return os.readlink(name, dir_fd=here)


def _open_folder(here: int, name: str, make: bool, flags: int) -> int:
    if here < 0 or os.path.isabs(name):  # noqa: PTH117
        return os.open(name, flags)
    flags |= os.O_NOFOLLOW
    try:
        return os.open(name, flags, dir_fd=here)
    except FileNotFoundError:
        if not make:
            raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=here)
    return os.open(name, flags, dir_fd=here)


def _check_folder(path: Path, status: os.stat_result, is_own: bool) -> None:
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(f"{path} is not a folder")
    _check_owner(path, status)
    if is_own or not status.st_mode & stat.S_ISVTX:
        _check_mode(path, status)


def _check_owner(path: Path, status: os.stat_result) -> None:
    user = os.geteuid()
    if status.st_uid not in (0, user):
        remedy = "remove it, or set KEEPCLEAR_CACHE_DIR to a folder of this user"
        raise UntrustedError(path, f"belongs to user {status.st_uid}, and this is user {user}; {remedy}")


def _check_mode(path: Path, status: os.stat_result, allowed: int = 0) -> None:
    if status.st_mode & OTHERS_WRITE & ~allowed:
        mode = stat.S_IMODE(status.st_mode)
        why = f"can be written by other users (mode {mode:04o}); remove it, or run: chmod go-w {path}"
        raise UntrustedError(path, why)


def _in_profile(path: Path, make: bool) -> Folder:
    """Return a folder of this user's profile, if the system does not report who owns it."""
    found = path.resolve()
    homes = [os.environ.get("LOCALAPPDATA"), os.environ.get("USERPROFILE"), str(Path("~").expanduser())]
    if not any(found.is_relative_to(Path(home).resolve()) for home in homes if home):
        system = f"{sys.platform} does not report who can write there"
        remedy = "set KEEPCLEAR_CACHE_DIR to a folder inside the profile"
        raise UntrustedError(path, f"is outside the profile of this user, and {system}; {remedy}")
    if make:
        found.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not found.is_dir():
        raise FileNotFoundError(f"{path} is not a folder")
    return Folder(found, None)
