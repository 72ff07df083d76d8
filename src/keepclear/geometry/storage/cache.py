"""Structures of shapes, stored on disk for the next process under a digest of their input.

An entry is a file of sections (`section_file.py`) named by the digest, the builder and its version. There is no index
and nothing to invalidate: other vertices or other sources of the package have another digest, another builder another
name. Files lie beside the
compiled kernels, in folders that only this user and the administrator can change (`kernels/trust.py`); other folders
are neither read nor written. They are written by a rename, so that concurrent processes which build the same structure
leave one complete file. The least recently used entries are removed when all take more than MOST_BYTES. Deleting any of
them only costs time.

Content is trusted like machine code: a user who could write here could run code as this user. The checksums of a file
detect damage, and a damaged entry is built and written again. What an older state of the sources has built may be
wrong, so its entries are not found.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.compiler import cache_folders, code_files
from keepclear.files import trust
from keepclear.geometry.shapes.mesh import Mesh
from keepclear.geometry.storage import section_file
from keepclear.geometry.storage.section_file import Array, FileDamage

SUFFIX = ".model"
FOLDER = "models"
MOST_BYTES = 1 << 30
MOST_FILES = 8192
LARGEST = 1 << 27  # bytes of an entry that is stored: the oriented boxes of a million triangles
SWEPT_EVERY = 64  # writes of a process, the first one included
LEAST_TRIANGLES = 2000
"""Smaller meshes are built again, which takes a millisecond or two; below 700 it is faster than reading
(`python -m benchmarks stored_models`)."""

WHAT = "stored models"
_written = 0


def digest_of(what: str, *arrays: npt.NDArray[Any], more: bytes = b"") -> bytes:
    """Return the digest of all bits of arrays, with their shapes and types."""
    found = hashlib.sha256(what.encode() + b"\0" + more)
    for array in arrays:
        content = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        found.update(f"{content.dtype.str}{content.shape}\0".encode())
        found.update(content.reshape(-1).view(np.uint8).data)
    return found.digest()


def mesh_digest(mesh: Mesh) -> bytes:
    """Return the digest of the vertices and triangles of a mesh; computed once."""
    if mesh._digest is None:
        object.__setattr__(mesh, "_digest", digest_of("mesh", mesh._vertices, mesh._triangles))
    assert mesh._digest is not None
    return mesh._digest


def is_worth_keeping(mesh: Mesh) -> bool:
    """Return whether structures of a mesh are stored on disk: it is likely to be used again, and not tiny."""
    return mesh._is_kept and len(mesh._triangles) >= LEAST_TRIANGLES


def read_entry(builder: str, version: int, digest: bytes) -> dict[str, Array] | None:
    """Return the sections that a builder has stored for a digest in a safe folder; None if there are none."""
    name = _name(builder, version, digest)
    for place in cache_folders.places(FOLDER):
        path = place / name
        with code_files.reporting(path, WHAT), trust.opened(place, own=code_files.OWN_FOLDERS) as folder:
            try:
                about, sections = section_file.decode(trust.read(folder, name))
                if about != _about(builder, version, digest):
                    raise FileDamage("belongs to another input; it is written again")
            except FileDamage as damage:
                code_files.refuse(path, f"{path} {damage}", WHAT)
                continue
            with contextlib.suppress(OSError):  # recently used files are removed last
                os.utime(folder.place(name), dir_fd=folder.descriptor)
            return sections
    return None


def write_entry(builder: str, version: int, digest: bytes, sections: Mapping[str, Array]) -> None:
    """Store sections in the first safe folder; without one, do nothing."""
    global _written
    if sum(array.nbytes for array in sections.values()) > LARGEST:
        return
    content = section_file.encode(_about(builder, version, digest), sections)
    for place in cache_folders.places(FOLDER):
        with (
            code_files.reporting(place, WHAT),
            trust.opened(place, own=code_files.OWN_FOLDERS, make=True) as folder,
        ):
            trust.write(folder, _name(builder, version, digest), content)
            if _written % SWEPT_EVERY == 0:
                cache_folders.sweep(place, MOST_FILES, MOST_BYTES)
            _written += 1
            return


def entries() -> dict[str, list[Path]]:
    """Return the files of this user in safe folders, by builder."""
    found: dict[str, list[Path]] = {}
    for place in cache_folders.trusted_folders(FOLDER, WHAT):
        for path in sorted(place.glob(f"*{SUFFIX}")):
            found.setdefault(path.name.split(".")[1].rpartition("-")[0], []).append(path)
    return dict(sorted(found.items()))


def clear() -> tuple[int, int]:
    """Remove all entries of this user; return their number and their bytes."""
    return cache_folders.clear(FOLDER, SUFFIX)


def _name(builder: str, version: int, digest: bytes) -> str:
    return f"{hashlib.sha256(sources_digest() + digest).hexdigest()}.{builder}-{version}{SUFFIX}"


def _about(builder: str, version: int, digest: bytes) -> dict[str, Any]:
    sources = sources_digest().hex()
    return {"builder": builder, "version": version, "digest": digest.hex(), "sources": sources}


@functools.cache
def sources_digest() -> bytes:
    """Return the digest of all sources that build entries: kernels and geometry."""
    package, found = code_files.KERNEL_FOLDER.parent, hashlib.sha256(code_files.source_digest().encode())
    for path in sorted((package / "geometry").rglob("*.py")):
        content = path.read_bytes()
        found.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode() + content)
    return found.digest()
