"""Files of named arrays: a header with a table of sections, and the sections, each with its checksum.

    magic (16 bytes), format (u32), length of the header (u32), SHA-256 of the header (32 bytes),
    header (JSON): what the file is about, and for each section its name, type, shape, offset, length and CRC-32
    sections, each at a multiple of 64 bytes, zeros between them

The table defines the layout: sections follow each other in its order without an overlap or a gap, and the
file ends with the last one. A file is read at once and not mapped from disk, since what was proved about its content
must not change afterwards, nor vanish. Sections are views of this one buffer, writable as kernels want them. There is
nothing in it but numbers: no code and no pickled objects.

Checksums detect damage. They do not prove content, which may be forged: the reader of a section checks its whole
content (`sections.py`).
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from keepclear.files import FileDamage as FileDamage
from keepclear.files import parse_json

__all__ = ["FORMAT", "Content", "FileDamage", "decode", "encode"]

Array = npt.NDArray[Any]

MAGIC = b"keepclear model\n"
FORMAT = 1
"""Version of this layout; a file with a larger one was written by a newer version of keepclear."""
_HEAD = struct.Struct("<16sII32s")
_ALIGN = 64
_TYPES = ("<f8", "<f4", "<i8", "<i4", "|u1")
MOST_SECTIONS = 4096
LONGEST_HEADER = 1 << 22


class Content(NamedTuple):
    """The header values of a file (plain JSON values), and its sections by name."""

    about: dict[str, Any]
    sections: dict[str, Array]


def encode(about: Mapping[str, Any], sections: Mapping[str, Array]) -> bytes:
    """Return the content of a file."""
    table, chunks, offset = [], [], 0
    for name, array in sections.items():
        values = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        content = values.tobytes()
        table.append(
            {
                "name": name,
                "type": values.dtype.str,
                "shape": list(values.shape),
                "offset": offset,
                "length": len(content),
                "crc32": zlib.crc32(content),
            }
        )
        chunks += [content, bytes(-len(content) % _ALIGN)]
        offset += len(content) + -len(content) % _ALIGN
    header = json.dumps({"about": dict(about), "sections": table}, separators=(",", ":")).encode()
    header += b" " * (-(_HEAD.size + len(header)) % _ALIGN)
    return b"".join(
        [_HEAD.pack(MAGIC, FORMAT, len(header), hashlib.sha256(header).digest()), header, *chunks]
    )


def decode(data: bytes | memoryview) -> Content:
    """Return the content of the bytes of a file.

    The sections are views of the bytes if these are writable, and the caller must not change them; else of a copy.

    Raises:
        FileDamage: It is not such a file, has a newer format, is truncated or damaged, or its table does not fit.
    """
    if len(data) < _HEAD.size or bytes(data[: len(MAGIC)]) != MAGIC:
        raise FileDamage("is not a prepared model; kc.write_prepared and `keepclear prepare` write them")
    _, version, length, digest = _HEAD.unpack_from(data)
    if version != FORMAT:
        newer = (
            "a newer version of keepclear wrote it"
            if version > FORMAT
            else "no version of keepclear writes it"
        )
        raise FileDamage(f"has format {version}, and format {FORMAT} is read here: {newer}; prepare it again")
    if length > min(LONGEST_HEADER, len(data) - _HEAD.size) or (_HEAD.size + length) % _ALIGN:
        raise FileDamage("is truncated or damaged: its header does not end where it should; prepare it again")
    header = bytes(data[_HEAD.size : _HEAD.size + length])
    if hashlib.sha256(header).digest() != digest:
        raise FileDamage("is damaged: its header has a wrong checksum; prepare it again")
    body = np.frombuffer(data, np.uint8, offset=_HEAD.size + length)
    return _sections(_parsed(header), body if body.flags.writeable else body.copy())


def _parsed(header: bytes) -> dict[str, Any]:
    try:
        found = parse_json(header)
    except ValueError as cause:
        raise FileDamage(f"has a header that is not JSON ({str(cause)[:60]}); prepare it again") from cause
    if not (
        isinstance(found, dict)
        and isinstance(found.get("about"), dict)
        and isinstance(found.get("sections"), list)
    ):
        raise FileDamage("has a header without a table of sections; prepare it again")
    return found


def _sections(header: dict[str, Any], body: npt.NDArray[np.uint8]) -> Content:
    """Return the sections, each where the one before it ends; any other table is refused."""
    if len(header["sections"]) > MOST_SECTIONS:
        raise FileDamage(f"has {len(header['sections'])} sections, more than any model; it is damaged")
    sections: dict[str, Array] = {}
    end = 0
    for row in header["sections"]:
        name, dtype, shape = _checked_row(row)
        n_bytes = dtype.itemsize * math.prod(shape)
        if row["offset"] != end or row["length"] != n_bytes or name in sections:
            raise FileDamage(f"has a table in which section {name[:40]!r} does not fit; it is damaged")
        if end + n_bytes > len(body):
            raise FileDamage(f"is truncated in section {name[:40]!r}; prepare it again")
        content = body[end : end + n_bytes]
        if zlib.crc32(content.data) != row["crc32"]:
            raise FileDamage(f"is damaged: section {name[:40]!r} has a wrong checksum; prepare it again")
        values = content.view(dtype).reshape(shape)
        sections[name] = values.astype(dtype.newbyteorder("="), copy=False)
        end += n_bytes + -n_bytes % _ALIGN
        if body[end - (-n_bytes % _ALIGN) : end].any():
            raise FileDamage(f"is damaged behind section {name[:40]!r}; prepare it again")
    if end != len(body):
        raise FileDamage(
            "has another length than its table gives; it is truncated or damaged, prepare it again"
        )
    return Content(header["about"], sections)


def _checked_row(row: Any) -> tuple[str, np.dtype[Any], tuple[int, ...]]:
    """Return name, type and shape of a section; all entries of the row are of the right type."""
    numbers = ("offset", "length", "crc32")
    if (
        not isinstance(row, dict)
        or not isinstance(row.get("name"), str)
        or row.get("type") not in _TYPES
        or not isinstance(row.get("shape"), list)
        or not 1 <= len(row["shape"]) <= 3
        or not all(type(n) is int and 0 <= n < 2**40 for n in (*row["shape"], *(row.get(k) for k in numbers)))
    ):
        raise FileDamage("has a table of sections with an invalid entry; it is damaged")
    return row["name"], np.dtype(row["type"]), tuple(row["shape"])
