"""Checks of a store's location: owned by this user, in a folder that no other user can write to, on a local disk."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import stat
import sys
from pathlib import Path

from keepclear.errors import StoreError
from keepclear.files import trust

MOUNTS = Path("/proc/self/mountinfo")
# Network file systems, on which the shared memory of SQLite's write-ahead log does not work.
NETWORK = {
    "9p", "acfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "davfs2", "gfs2", "glusterfs", "gpfs", "lustre",
    "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "pvfs2", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs",
}  # fmt: skip
LOCAL_FUSE = {"fuse.fuse-overlayfs", "fuse.ext4", "fuse.ntfs", "fuse.ntfs-3g", "fuse.exfat"}
COMPANIONS = ("-wal", "-shm", "-journal")  # SQLite reads content from all of these files


def check_place(path: Path) -> None:
    """Raise if another user could have written the store at this path, or if SQLite cannot share it there.

    Raises:
        StoreError: The store is refused; the message gives the reason and the remedy.
        FileNotFoundError: There is no such folder.
    """
    if os.path.isdir(path):  # noqa: PTH112, a name that is too long is none
        raise StoreError(f"store {str(path)!r} is a folder; give the path of a file in it.")
    folder = path.parent if str(path.parent) else Path()
    try:
        with trust.opened(folder, own=1) as opened:
            for name in (path.name, *(path.name + end for end in COMPANIONS)):
                _check_file(opened, name)
            _check_single(opened, path)
    except trust.UntrustedError as error:
        why = str(error).partition(";")[0]
        raise StoreError(
            f"store {str(path)!r} is refused: {why}. A user who can write a store can make a contact look clear: "
            f"{_remedy(error.path)}."
        ) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreError(
            f"store {str(path)!r}: there is no folder {str(folder)!r}; create it first."
        ) from error
    except OSError as error:
        raise StoreError(f"store {str(path)!r} cannot be opened: {error.strerror or error}.") from error
    kind = file_system_of(path)
    if kind in NETWORK or (kind.partition(".")[0] == "fuse" and kind not in LOCAL_FUSE):
        raise StoreError(
            f"store {str(path)!r} is on a network file system ({kind}), where SQLite cannot lock it for a single "
            "writer; keep it on a local disk."
        )


def _check_single(folder: trust.Folder, path: Path) -> None:
    """Raise if a store has several hard links: writers under one name would not see the log beside another name."""
    with contextlib.suppress(FileNotFoundError):
        n = os.stat(folder.place(path.name), dir_fd=folder.descriptor, follow_symlinks=False).st_nlink
        if n > 1:
            raise StoreError(
                f"store {str(path)!r} is refused: it has {n} names (hard links), and rows written by one are lost by "
                "another; remove the other names, or use a copy."
            )


def _remedy(refused: Path) -> str:
    """Return the remedy for a refused file or folder."""
    elsewhere = "keep it in a folder that only this user can write to"
    try:
        status = refused.lstat()
    except OSError:
        return elsewhere
    if not trust.has_owners() or status.st_uid != os.geteuid() or not status.st_mode & trust.OTHERS_WRITE:
        return elsewhere
    if stat.S_ISDIR(status.st_mode):
        return f"if only you wrote there, run: chmod go-w {shlex.quote(str(refused))}; else {elsewhere}"
    if stat.S_ISREG(status.st_mode):
        return f"if only you wrote it, run: chmod 600 {shlex.quote(str(refused))}; else remove it"
    return elsewhere


def _check_file(folder: trust.Folder, name: str) -> None:
    """Raise if a file of the store is a link or not a regular file, or if another user owns it or can write to it."""
    path = folder.path / name
    try:
        status = os.stat(folder.place(name), dir_fd=folder.descriptor, follow_symlinks=False)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode):
        raise trust.UntrustedError(path, "is not a plain file")
    trust.check_owner_and_mode(path, status)


def file_system_of(path: Path, mounts: Path = MOUNTS) -> str:
    """Return the type of the file system of a path; "" if it is unknown.

    Args:
        path: The path; if it does not exist yet, its folder decides.
        mounts: The mount table of Linux.
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
