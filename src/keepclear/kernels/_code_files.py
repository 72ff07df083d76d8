"""Files of machine code: where they are kept, how they are named, read, written and swept away.

A file holds one compiled entry point. Its name carries a key made of all that the code depends on, so a file
is right or it is not found: there is no index, nothing to invalidate, and deleting it costs time only.
"""

from __future__ import annotations

import contextlib
import functools
import getpass
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KERNEL_FOLDER = Path(__file__).parent
SHIPPED_FOLDER = KERNEL_FOLDER / "_machine_code"
SUFFIX = ".kcode"
MAGIC = b"keepclear machine code 1\n"
GENERATIONS_KEPT = (
    5  # folders of older kernel sources left in place, so that two checkouts do not evict each other
)


@dataclass(frozen=True)
class CodeFile:
    """One compiled entry point as it lies on disk: what is known about it, and the code."""

    about: dict[str, Any]
    code: bytes


@functools.cache
def source_digest() -> str:
    """Return the digest of all kernel sources: an edit in one may change the machine code of every other."""
    digest = hashlib.sha256()
    for path in sorted(KERNEL_FOLDER.glob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def file_name(kernel: str, key: Iterable[object]) -> str:
    """Return the name of the file for the kernel `module.function` compiled under this key."""
    return f"{kernel}-{hashlib.sha256(repr(tuple(key)).encode()).hexdigest()[:24]}{SUFFIX}"


def read_code(path: Path) -> CodeFile | None:
    """Return the content of a file of machine code, or None if it is missing, damaged or something else."""
    try:
        content = path.read_bytes()
        if not content.startswith(MAGIC):
            return None
        header, code = content[len(MAGIC) :].split(b"\n", 1)
        about = json.loads(header)
        if about["sha256"] != hashlib.sha256(code).hexdigest():
            return None
        return CodeFile(about, code)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def read_about(path: Path) -> dict[str, Any] | None:
    """Return what a file of machine code says about itself, without looking at the code."""
    try:
        with path.open("rb") as file:
            if file.readline() != MAGIC:
                return None
            about = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    return about if isinstance(about, dict) else None


def write_code(path: Path, about: dict[str, Any], code: bytes) -> bool:
    """Write a file of machine code whole, by a rename; return whether that was possible."""
    header = json.dumps({**about, "sha256": hashlib.sha256(code).hexdigest()}, sort_keys=True)
    scratch = path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch.write_bytes(MAGIC + header.encode() + b"\n" + code)
        scratch.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            scratch.unlink()
        return False
    return True


def user_folder() -> Path:
    """Return the user's cache folder of keepclear; it need not exist."""
    if chosen := os.environ.get("KEEPCLEAR_CACHE_DIR"):
        folder = Path(chosen)
    elif shared := os.environ.get("XDG_CACHE_HOME"):
        folder = Path(shared, "keepclear")
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", "~"), "keepclear", "Cache")
    else:
        folder = Path("~/Library/Caches" if sys.platform == "darwin" else "~/.cache", "keepclear")
    try:
        return folder.expanduser()
    except RuntimeError:  # a user without a home
        return private_folder()


def private_folder() -> Path:
    """Return the folder used where the user's cache cannot be written: a temporary one, one per user."""
    user = os.getuid() if hasattr(os, "getuid") else getpass.getuser()
    return Path(tempfile.gettempdir(), f"keepclear-{user}")


def is_private(folder: Path) -> bool:
    """Make the folder if it is missing; return whether it is a real folder that only this user can change.

    Machine code is run as it is read, and everybody can write to the temporary folder.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)


def is_writable(folder: Path) -> bool:
    """Make the folder if it is missing; return whether a file can be made in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_folder() -> Path | None:
    """Return the folder that compiled kernels are stored in, or None if there is none that can be written."""
    private, folder = private_folder(), user_folder()
    if folder != private and is_writable(folder):
        return folder / "kernels"
    return private / "kernels" if is_private(private) and is_writable(private) else None


def readable_folders() -> Iterator[Path]:
    """Give the folders in which compiled kernels may be found beside the package, the user's first."""
    private, folder = private_folder(), user_folder()
    if folder != private:
        yield folder / "kernels"
    if private.is_dir() and is_private(private):
        yield private / "kernels"


def sweep(kernels: Path, current: str) -> None:
    """Remove what older kernel sources have left, but for the few generations that were used last."""

    def last_use(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:
            return 0.0

    with contextlib.suppress(OSError):
        others = [folder for folder in kernels.iterdir() if folder.is_dir() and folder.name != current]
        for folder in sorted(others, key=last_use, reverse=True)[GENERATIONS_KEPT - 1 :]:
            shutil.rmtree(folder, ignore_errors=True)


def cached_files() -> list[Path]:
    """Return every file of machine code in the caches of this user."""
    return [path for folder in readable_folders() for path in sorted(folder.glob(f"*/*{SUFFIX}"))]


def clear() -> tuple[int, int]:
    """Empty the caches of this user; return how many files went, and their bytes."""
    count = size = 0
    for folder in list(readable_folders()):
        for path in folder.glob("*/*"):
            with contextlib.suppress(OSError):
                size += path.stat().st_size
                count += path.suffix == SUFFIX
        shutil.rmtree(folder, ignore_errors=True)
    return count, size
