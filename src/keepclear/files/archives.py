"""Archives (ZIP, NPZ) whose sizes are checked before memory is taken for what they hold."""

from __future__ import annotations

import io
import math
import os
import sys
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.files.access import read_regular_file

MAX_UNPACKED = 2**30
"""Most bytes that the members of an archive may have together when unpacked."""

ALWAYS_UNPACKED = 2**26
"""Bytes to which every archive may unpack, however small it is: values at rest pack a thousandfold."""

MAX_RATIO = 100
"""How many times its own size a larger archive may unpack to; meshes and motions reach about 20."""

MAX_MEMBERS = 4096
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Python unpacks other methods without a bound
_ENCRYPTED = 0x1
_NPY = ".npy"


class ArchiveDamage(ValueError):  # noqa: N818 - the reader of the file turns it into an error with the file's name
    """What is wrong with an archive, as a sentence that follows the file's name."""


def read_npz(path: str | os.PathLike[str]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of an NPZ file by name: C-contiguous, writable, in the machine's byte order, no objects.

    Raises:
        OSError: The file cannot be opened, or is not a regular file.
        ArchiveDamage: It is not an NPZ file, is damaged, or would take more memory than is allowed.
    """
    return npz_arrays(read_regular_file(path))


def npz_arrays(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays in the bytes of an NPZ file; see `read_npz`."""
    arrays = {}
    for member, content in unpacked_members(data):
        if not member.endswith(_NPY):
            raise ArchiveDamage(f"holds {member[:60]!r}, which is not an array; write it with numpy.savez")
        arrays[member.removesuffix(_NPY)] = _array(member, content)
    return arrays


def unpacked_members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Give name and content of each file in a ZIP archive; what its members declare is checked before the first.

    Raises:
        ArchiveDamage: It is not an archive, is damaged, or would take more memory than is allowed.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as cause:  # zipfile raises anything when the directory is damaged
        raise ArchiveDamage(f"is damaged, truncated or no archive ({_reason(cause)})") from cause
    with archive:
        members = [member for member in archive.infolist() if not member.filename.endswith("/")]
        _check_members(members, len(data))
        for member in members:
            yield member.filename, _content(archive, member)


def _check_members(members: Sequence[zipfile.ZipInfo], packed: int) -> None:
    """Raise `ArchiveDamage` unless what is declared is bounded; no member can give more than it declares."""
    if len(members) > MAX_MEMBERS:
        raise ArchiveDamage(f"holds {len(members)} files, and at most {MAX_MEMBERS} are read")
    names = set()
    for member in members:
        name = repr(member.filename[:60])
        if not member.filename:
            raise ArchiveDamage("holds a file without a name; it is damaged")
        if member.filename in names:
            raise ArchiveDamage(f"holds {name} twice; keep one of them")
        if member.compress_type not in _METHODS:
            raise ArchiveDamage(f"has packed {name} by an unknown method; write it with deflate")
        if member.flag_bits & _ENCRYPTED:
            raise ArchiveDamage(f"has encrypted {name}; write it without a password")
        names.add(member.filename)
    total = sum(member.file_size for member in members)
    allowed = min(MAX_UNPACKED, max(ALWAYS_UNPACKED, MAX_RATIO * packed))
    if total > allowed:
        raise ArchiveDamage(f"would unpack from {packed} to {total} bytes, and at most {allowed} are taken")


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(member) as file:
            content = file.read(member.file_size + 1)
            file.read(1)  # at the end the checksum is compared
    except Exception as cause:
        text = f"is damaged: {member.filename[:60]!r} in it cannot be unpacked ({_reason(cause)})"
        raise ArchiveDamage(text) from cause
    if len(content) != member.file_size:
        raise ArchiveDamage(f"is damaged: {member.filename[:60]!r} in it is not as long as it declares")
    return content


def _array(member: str, content: bytes) -> npt.NDArray[Any]:
    """Return the array of one member, whose declared shape must be exactly what its bytes are."""
    shape, is_fortran, dtype, begin = _header(member, content)
    n_bytes = math.prod(shape) * dtype.itemsize
    if dtype.hasobject or dtype.itemsize == 0 or any(n < 0 for n in shape):
        raise ArchiveDamage(f"has objects in array {member!r}; write arrays of numbers only")
    if n_bytes != len(content) - begin:
        text = f"declares {n_bytes} bytes for array {member!r} and has {len(content) - begin}"
        raise ArchiveDamage(f"is damaged: it {text}")
    if n_bytes == 0 and math.prod(max(n, 1) for n in shape) > ALWAYS_UNPACKED:
        raise ArchiveDamage(f"has an empty array {member!r} of the shape {shape}; it is damaged")
    try:
        flat = np.frombuffer(bytearray(content), dtype=dtype, offset=begin) if n_bytes else np.empty(0, dtype)
        array = flat.reshape(shape, order="F" if is_fortran else "C")
        array = np.ascontiguousarray(array.astype(dtype.newbyteorder("="), copy=False)).reshape(shape)
    except (ValueError, TypeError) as cause:
        raise ArchiveDamage(f"has an array {member!r} that cannot be read ({_reason(cause)})") from cause
    if dtype.kind == "U" and n_bytes and array.reshape(-1).view(np.uint32).max() > sys.maxunicode:
        raise ArchiveDamage(f"has an array {member!r} of texts with numbers that are not characters")
    return array


def _header(member: str, content: bytes) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Return shape, order, type and where the values begin."""
    file = io.BytesIO(content)
    try:
        version = np.lib.format.read_magic(file)
        if version == (1, 0):
            header = np.lib.format.read_array_header_1_0(file)
        elif version == (2, 0):
            header = np.lib.format.read_array_header_2_0(file)
        else:
            raise ValueError(f"version {version} is unknown")
    except Exception as cause:  # the header is a Python literal, whose parser raises anything
        raise ArchiveDamage(f"has an array {member!r} with a damaged header ({_reason(cause)})") from cause
    return header[0], header[1], header[2], file.tell()


def _reason(cause: Exception) -> str:
    return " ".join(f"{type(cause).__name__}: {cause}".split())[:80]
