"""ZIP archives made by hand: members that unpack to far more than they take, and directories that lie."""

from __future__ import annotations

import functools
import struct
import zlib
from collections.abc import Mapping

BLOCK = 1 << 20
LARGE = 1200 * BLOCK
"""More than a reader may take [bytes]."""


@functools.cache
def _zeros(n_blocks: int) -> bytes:
    """Return that many blocks of zeros, deflated; a block can be repeated as it is."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (packer.compress(bytes(BLOCK)) + packer.flush(zlib.Z_FULL_FLUSH)) * n_blocks


@functools.cache
def _checksum(start: int, n_blocks: int) -> int:
    block = bytes(BLOCK)
    for _ in range(n_blocks):
        start = zlib.crc32(block, start)
    return start


def archive(members: Mapping[str, bytes | tuple[bytes, int]], *, told: int | None = None) -> bytes:
    """Return an archive.

    Args:
        members: Content by name; (content, n) is followed by n zeros, a multiple of a block.
        told: What the directory says about the sizes of members with zeros, instead of the truth.
    """
    body, directory = b"", b""
    for name, content in members.items():
        head, n_zeros = content if isinstance(content, tuple) else (content, 0)
        packed, checksum = _deflated(head, n_zeros)
        size = len(head) + n_zeros if told is None or not n_zeros else told
        label = name.encode()
        sizes = struct.pack("<III", checksum, len(packed), size)
        directory += (
            struct.pack("<4sHHHHHH", b"PK\1\2", 20, 20, 0, 8, 0, 33)
            + sizes
            + struct.pack("<HHHHHII", len(label), 0, 0, 0, 0, 0, len(body))
            + label
        )
        body += struct.pack("<4sHHHHH", b"PK\3\4", 20, 0, 8, 0, 33) + sizes
        body += struct.pack("<HH", len(label), 0) + label + packed
    n = len(members)
    return body + directory + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, n, n, len(directory), len(body), 0)


def _deflated(head: bytes, n_zeros: int) -> tuple[bytes, int]:
    """Return content deflated, and its checksum."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    checksum = zlib.crc32(head)
    if not n_zeros:
        return packer.compress(head) + packer.flush(), checksum
    first = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    n_blocks = n_zeros // BLOCK
    end = zlib.compressobj(6, zlib.DEFLATED, -15).flush()
    return first + _zeros(n_blocks) + end, _checksum(checksum, n_blocks)
