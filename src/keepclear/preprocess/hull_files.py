"""Files of hulls: which points are vertices, and the triangles between them, under the digest of all points.

They lie beside the compiled kernels, in folders that only this user and the administrator can change, and hold whole
numbers only. There is no index, nothing to invalidate, and deleting a file costs time only. What is read here is not
checked against the points: `hulls.py` does that before anything uses it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.kernels import _cache_folders, _code_files, _trust

__all__ = ["StoredHull", "clear", "digest_of", "read_hull", "stored_files", "write_hull"]

IntArray = npt.NDArray[np.int64]

SUFFIX = ".hull"
MAGIC = b"keepclear hull 1\n"  # another number for another way to find hulls: then all are found again
COUNTS = struct.Struct("<II")  # vertices and triangles
OWN_FOLDERS = 2  # the cache folder, and `hulls` in it
MOST_BYTES = 1 << 26
MOST_FILES = 4096
LARGEST = 1 << 22  # bytes of a file that is stored; 100 000 vertices
SWEPT_EVERY = 64  # writes of a process, the first one included

_written = 0
_reported: set[str] = set()


class StoredHull(NamedTuple):
    """Whole numbers from a file: vertices (k,) as numbers of points, triangles (m, 3) of vertices, flat faces (m,)."""

    point_index: IntArray
    triangles: IntArray
    facet: IntArray


def digest_of(points: npt.NDArray[np.float64]) -> bytes:
    """Return the digest under which the hull of (n, 3) points is kept: that of every bit of them."""
    content = np.ascontiguousarray(points, dtype="<f8")
    return hashlib.sha256(MAGIC + len(content).to_bytes(8, "little") + content.tobytes()).digest()


def encode(digest: bytes, hull: StoredHull) -> bytes:
    """Return the content of a file: the format, the digest of the points, counts, numbers, a digest of all this."""
    numbers = np.concatenate([array.ravel() for array in hull]).astype("<i4")
    counts = COUNTS.pack(len(hull.point_index), len(hull.triangles))
    content = MAGIC + digest + counts + numbers.tobytes()
    return content + hashlib.sha256(content).digest()


def decode(content: bytes, digest: bytes) -> StoredHull | None:
    """Return what a file holds, None if it is damaged or about other points."""
    head = len(MAGIC) + len(digest)
    if len(content) < head + COUNTS.size + 32 or content[:head] != MAGIC + digest:
        return None
    k, m = COUNTS.unpack_from(content, head)
    if len(content) != head + COUNTS.size + 4 * (k + 4 * m) + 32:
        return None
    if hashlib.sha256(memoryview(content)[:-32]).digest() != content[-32:]:
        return None
    numbers = np.frombuffer(content, "<i4", k + 4 * m, head + COUNTS.size).astype(np.int64)
    return StoredHull(numbers[:k], numbers[k : k + 3 * m].reshape(m, 3), numbers[k + 3 * m :])


def read_hull(digest: bytes) -> StoredHull | None:
    """Return what is stored for points of this digest in a folder that is safe, None if there is nothing."""
    name = digest.hex() + SUFFIX
    for place in _places():
        with _reporting(), _trust.opened(place, own=OWN_FOLDERS) as folder:
            found = decode(_trust.read(folder, name), digest)
            if found is None:
                _refuse(f"{place / name} is damaged; it is written again")
                continue
            with contextlib.suppress(OSError):  # those used last are swept last
                os.utime(folder.place(name), dir_fd=folder.descriptor)
            return found
    return None


def write_hull(digest: bytes, hull: StoredHull) -> None:
    """Store a hull in the first folder that is safe; where there is none, do nothing."""
    global _written
    content = encode(digest, hull)
    if len(content) > LARGEST:
        return
    for place in _places():
        with _reporting(), _trust.opened(place, own=OWN_FOLDERS, make=True) as folder:
            _trust.write(folder, digest.hex() + SUFFIX, content)
            if _written % SWEPT_EVERY == 0:
                sweep(place)
            _written += 1
            return


def sweep(place: Path) -> None:
    """Remove the hulls that were used longest ago, if there are too many or they take too many bytes."""
    with contextlib.suppress(OSError):
        files = [(entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(place)]
        files.sort(reverse=True)
        total = 0
        for number, (_, size, path) in enumerate(files):
            total += size
            if number >= MOST_FILES or total > MOST_BYTES:
                with contextlib.suppress(OSError):
                    Path(path).unlink()


def stored_files() -> list[Path]:
    """Return every stored hull in the safe folders of this user."""
    return [path for place in _safe_places() for path in sorted(place.glob(f"*{SUFFIX}"))]


def clear() -> tuple[int, int]:
    """Remove all stored hulls of this user; return how many went, and their bytes."""
    count = size = 0
    for place in list(_safe_places()):
        for path in place.glob(f"*{SUFFIX}"):
            with contextlib.suppress(OSError):
                size += path.stat().st_size
                count += 1
        shutil.rmtree(place, ignore_errors=True)
    return count, size


def _places() -> list[Path]:
    """Return the folders in which hulls may be kept, beside those of compiled kernels; they need not exist."""
    return [kernels.with_name("hulls") for kernels in _cache_folders.places()]


def _safe_places() -> Iterator[Path]:
    for place in _places():
        with _reporting(), _trust.opened(place, own=OWN_FOLDERS):
            yield place


@contextlib.contextmanager
def _reporting() -> Iterator[None]:
    """Leave the block where there is no file, in silence, or none to be used, saying why."""
    try:
        yield
    except OSError:
        pass
    except _trust.UntrustedError as error:
        _refuse(str(error))


def _refuse(why: str) -> None:
    """Say on stderr, once, why stored hulls are not used."""
    if why in _reported or _code_files.is_quiet():
        return
    _reported.add(why)
    print(f"keepclear: stored hulls are not used: {why}", file=sys.stderr, flush=True)  # noqa: T201
