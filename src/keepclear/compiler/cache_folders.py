"""Cache folders beside the package: those of this user, what they hold, and the removal of old files."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from keepclear.compiler import code_files as files
from keepclear.files import trust

KERNELS = "kernels"
MOST_FILES, MOST_BYTES = 8192, 1 << 30  # of compiled kernels: those of some ten versions of all sources


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
    """Return the folder used if the user's cache is not possible: a temporary one, one per user."""
    user = os.geteuid() if hasattr(os, "geteuid") else getpass.getuser()
    return Path(tempfile.gettempdir(), f"keepclear-{user}")


def places(name: str = KERNELS) -> list[Path]:
    """Return the folders of this name in the caches, the user's first; they need not exist, nor be safe."""
    private, folder = private_folder(), user_folder()
    found = [folder] if folder != private else []
    if not private.is_symlink():  # we never make one, and every user can write to the temporary folder
        found.append(private)
    return [place / name for place in found]


def searched() -> Iterator[Path]:
    """Yield the folders that are searched for compiled kernels, which end with the one that new code is stored in.

    Code beyond the first usable folder is not loaded: otherwise that folder would never hold all kernels, and a wheel
    built from it would lack those of another folder. A folder that can only be read, as in a container image, does not
    end the search.
    """
    for kernels in places():
        yield kernels
        if is_usable(kernels):
            return


def cache_folder() -> Path | None:
    """Return the folder in which compiled kernels are stored, or None if there is none that can be used."""
    return next(filter(is_usable, places()), None)


def is_usable(kernels: Path) -> bool:
    """Make the folder if it is missing; return whether this user, and no other user, can write to it."""
    found = False
    with files.storing(kernels), trust.opened(kernels, own=files.OWN_FOLDERS, make=True) as folder:
        with tempfile.TemporaryFile(dir=folder.path):
            found = True
    return found


def trusted_folders(name: str = KERNELS, what: str = "compiled kernels") -> Iterator[Path]:
    """Yield the folders of this name that exist and that no other user can write to, the user's first."""
    for place in places(name):
        with files.reporting(place, what), trust.opened(place, own=files.OWN_FOLDERS):
            yield place


def copy_code(source: Path) -> int:
    """Copy the machine code of another cache folder, with the same checks; return how many files."""
    count, target = 0, cache_folder()
    if target is None:
        return 0
    with (
        files.reporting(source),
        trust.opened(source / KERNELS, own=files.OWN_FOLDERS) as folder,
        trust.opened(target, own=files.OWN_FOLDERS, make=True) as copies,
    ):
        for name in trust.names(folder):
            if name.endswith(files.SUFFIX):
                with files.reporting(folder.path / name):
                    content = trust.read(folder, name)
                    files.decode(content)
                    trust.write(copies, name, content)
                    count += 1
    return count


def sweep(folder: Path, most_files: int, most_bytes: int) -> None:
    """Remove the least recently used files of a folder, if there are too many or they take too many bytes."""
    found = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # another process may remove it at the same time
                about = entry.stat()
                found.append((about.st_mtime, about.st_size, entry.path))
    total = 0
    for number, (_, size, path) in enumerate(sorted(found, reverse=True)):
        total += size
        if number >= most_files or total > most_bytes:
            with contextlib.suppress(OSError):
                Path(path).unlink()


def cached_files() -> list[Path]:
    """Return every file of machine code in the caches of this user."""
    return [path for folder in trusted_folders() for path in sorted(folder.glob(f"*{files.SUFFIX}"))]


def clear(name: str = KERNELS, suffix: str = files.SUFFIX) -> tuple[int, int]:
    """Empty the folders of this name; return how many files of a kind were removed, and the bytes of all files."""
    count = size = 0
    for folder in list(trusted_folders(name)):
        for path in folder.rglob("*"):
            with contextlib.suppress(OSError):
                size += path.stat().st_size if path.is_file() else 0
                count += path.suffix == suffix
        shutil.rmtree(folder, ignore_errors=True)
    return count, size
