"""Cache folders of compiled kernels beside the package: the folders of this user, and the removal of old files."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from keepclear.kernels import _code_files as files
from keepclear.kernels import _trust

GENERATIONS_KEPT = (
    5  # folders of older kernel sources left in place, so that two checkouts do not evict each other
)


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


def places() -> list[Path]:
    """Return the folders that may contain compiled kernels, the user's first; they need not exist, nor be safe."""
    private, folder = private_folder(), user_folder()
    found = [folder] if folder != private else []
    if not private.is_symlink():  # we never make one, and every user can write to the temporary folder
        found.append(private)
    return [place / "kernels" for place in found]


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
    with files.storing(kernels), _trust.opened(kernels, own=files.OWN_FOLDERS - 1, make=True) as folder:
        with tempfile.TemporaryFile(dir=folder.path):
            found = True
    return found


def trusted_folders() -> Iterator[Path]:
    """Yield the folders of compiled kernels that exist and that no other user can write to, the user's first."""
    for kernels in places():
        with files.reporting(kernels), _trust.opened(kernels, own=files.OWN_FOLDERS - 1):
            yield kernels


def copy_code(source: Path, generation: str) -> int:
    """Copy the machine code of a generation from another cache folder, with the same checks; return how many files."""
    count, target = 0, cache_folder()
    if target is None:
        return 0
    with (
        files.reporting(source),
        _trust.opened(source / "kernels" / generation, own=files.OWN_FOLDERS) as folder,
        _trust.opened(target / generation, own=files.OWN_FOLDERS, make=True) as copies,
    ):
        for name in _trust.names(folder):
            if name.endswith(files.SUFFIX):
                with files.reporting(folder.path / name):
                    content = _trust.read(folder, name)
                    files.decode(content, {"generation": generation})
                    _trust.write(copies, name, content)
                    count += 1
    return count


def sweep(kernels: Path, current: str) -> None:
    """Remove the files of older kernel sources, except the few generations that were used last."""
    others = [folder for folder in generations(kernels) if folder.name != current]
    for folder in others[GENERATIONS_KEPT - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)


def generations(kernels: Path) -> list[Path]:
    """Return the folders of all generations of kernel sources, the last used first."""

    def last_use(folder: Path) -> float:
        try:
            return folder.stat().st_mtime
        except OSError:
            return 0.0

    try:
        found = [folder for folder in kernels.iterdir() if folder.is_dir()]
    except OSError:
        return []
    return sorted(found, key=last_use, reverse=True)


def cached_files() -> list[Path]:
    """Return every file of machine code in the caches of this user."""
    return [path for folder in trusted_folders() for path in sorted(folder.glob(f"*/*{files.SUFFIX}"))]


def clear() -> tuple[int, int]:
    """Empty the caches of this user; return how many files were removed, and their bytes."""
    count = size = 0
    for folder in list(trusted_folders()):
        for path in folder.glob("*/*"):
            with contextlib.suppress(OSError):
                size += path.stat().st_size
                count += path.suffix == files.SUFFIX
        shutil.rmtree(folder, ignore_errors=True)
    return count, size
