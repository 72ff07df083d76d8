"""Where a store may be: a file of this user, in a folder that no other user can write to, on a disk of this machine."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import stat
import sys
from pathlib import Path

from keepclear.errors import StoreError
from keepclear.kernels import _trust

__all__ = ["check_place", "file_system_of"]

MOUNTS = Path("/proc/self/mountinfo")
# File systems of other machines, on which the shared memory of SQLite's write-ahead log does not work.
NETWORK = {
    "9p", "acfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "davfs2", "gfs2", "glusterfs", "gpfs", "lustre",
    "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "pvfs2", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs",
}  # fmt: skip
LOCAL_FUSE = {"fuse.fuse-overlayfs", "fuse.ext4", "fuse.ntfs", "fuse.ntfs-3g", "fuse.exfat"}
COMPANIONS = ("-wal", "-shm", "-journal")  # from all of which SQLite takes content


def check_place(path: Path) -> None:
    """Raise if a stranger could have written a store at this path, or if SQLite cannot share it there.

    Raises:
        StoreError: It is refused; the message says why, and what to do.
        FileNotFoundError: There is no such folder.
    """
    folder = path.parent if str(path.parent) else Path()
    try:
        with _trust.opened(folder, own=1) as opened:
            for name in (path.name, *(path.name + end for end in COMPANIONS)):
                _check_file(opened, name)
            _check_single(opened, path)
    except _trust.UntrustedError as error:
        why = str(error).partition(";")[0]
        raise StoreError(
            f"store {str(path)!r} is refused: {why}. A user who can write a store can make a contact look clear: "
            f"{_remedy(error.path)}."
        ) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreError(
            f"store {str(path)!r}: there is no folder {str(folder)!r}; make it first."
        ) from error
    except OSError as error:
        raise StoreError(f"store {str(path)!r} cannot be opened: {error.strerror or error}.") from error
    kind = file_system_of(path)
    if kind in NETWORK or (kind.partition(".")[0] == "fuse" and kind not in LOCAL_FUSE):
        raise StoreError(
            f"store {str(path)!r} is on a network file system ({kind}), where SQLite cannot keep writers apart; keep "
            "it on a disk of this machine."
        )


def _check_single(folder: _trust.Folder, path: Path) -> None:
    """Raise if a store has several names: its log is beside one of them, and writers by another would not know it."""
    with contextlib.suppress(FileNotFoundError):
        n = os.stat(folder.place(path.name), dir_fd=folder.descriptor, follow_symlinks=False).st_nlink
        if n > 1:
            raise StoreError(
                f"store {str(path)!r} is refused: it has {n} names (hard links), and rows written by one are lost by "
                "another; remove the other names, or use a copy."
            )


def _remedy(refused: Path) -> str:
    """Return what helps where a file or folder is refused."""
    elsewhere = "keep it in a folder that only this user can write to"
    try:
        status = refused.lstat()
    except OSError:
        return elsewhere
    if not _trust.has_owners() or status.st_uid != os.geteuid() or not status.st_mode & _trust.OTHERS_WRITE:
        return elsewhere
    if stat.S_ISDIR(status.st_mode):
        return f"if only you wrote there, run: chmod go-w {shlex.quote(str(refused))}; else {elsewhere}"
    if stat.S_ISREG(status.st_mode):
        return f"if only you wrote it, run: chmod 600 {shlex.quote(str(refused))}; else remove it"
    return elsewhere


def _check_file(folder: _trust.Folder, name: str) -> None:
    """Raise if a file of the store is a link, no plain file, or one that others own or can write."""
    path = folder.path / name
    try:
        status = os.stat(folder.place(name), dir_fd=folder.descriptor, follow_symlinks=False)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode):
        raise _trust.UntrustedError(path, "is not a plain file")
    if not _trust.has_owners():
        return
    user = os.geteuid()
    if status.st_uid not in (0, user):
        raise _trust.UntrustedError(path, f"belongs to user {status.st_uid}, and this is user {user}")
    if status.st_mode & _trust.OTHERS_WRITE:
        mode = stat.S_IMODE(status.st_mode)
        raise _trust.UntrustedError(path, f"can be written by other users (mode {mode:04o})")


def file_system_of(path: Path, mounts: Path = MOUNTS) -> str:
    """Return the kind of file system that a path is on, "" where the system does not say.

    Args:
        path: The path; what is not there yet is where its folder is.
        mounts: The table of mounts, as Linux has it.
    """
    if sys.platform == "win32":
        return "smb3" if str(path.resolve()).startswith("\\\\") else ""
    try:
        lines = os.fsdecode(mounts.read_bytes()).split("\n")
    except OSError:
        return ""
    found, longest, target = "", -1, path.resolve()
    for line in lines:
        before, _, after = line.partition(" - ")
        words, kinds = before.split(" "), after.split(" ")
        if len(words) < 5 or not kinds[0]:
            continue
        point = Path(re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), words[4]))
        if target.is_relative_to(point) and len(point.parts) >= longest:
            found, longest = kinds[0], len(point.parts)
    return found
