"""Findings made small: lines and bytes are taken out as long as the finding stays the same."""

from __future__ import annotations

import time

from tests.fuzz.readers import Reader
from tests.fuzz.worker import content_place, run_alone

SECONDS = 20.0
SLOW = ("slow", "hang", "memory")  # each try takes long: only a few


def minimised(reader: Reader, data: bytes, signature: str) -> bytes:
    """Return a part of a file that gives the same finding."""
    end = time.monotonic() + SECONDS
    tries = 6 if signature.split()[0] in SLOW else 400

    def is_same(smaller: bytes) -> bool:
        return run_alone(reader, content_place(smaller)).signature == signature

    if not is_same(data):
        return data  # it needs what came before it; saved as it is
    for separator in (b"\n", b""):
        pieces = data.splitlines(keepends=True) if separator else [data[k : k + 1] for k in range(len(data))]
        size = max(1, len(pieces) // 2)
        while size and tries and time.monotonic() < end:
            at = 0
            while at < len(pieces) and tries and time.monotonic() < end:
                rest = pieces[:at] + pieces[at + size :]
                tries -= 1
                if rest and is_same(b"".join(rest)):
                    pieces = rest
                else:
                    at += size
            size //= 2
        data = b"".join(pieces)
    return data
