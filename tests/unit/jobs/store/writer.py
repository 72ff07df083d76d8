"""A process that writes rows to a store until it is killed, and prints each number when it is committed."""

from __future__ import annotations

import hashlib
import sys

from keepclear.jobs.store.database import ResultStore


def row(number: int) -> tuple[bytes, bytes]:
    """The key and content of a number."""
    key = hashlib.sha256(f"row {number}".encode()).digest()
    return key, key * (1 + number % 50)


if __name__ == "__main__":
    with ResultStore(sys.argv[1]) as store:
        for number in range(int(sys.argv[2]), int(sys.argv[3])):
            store.keep_all([(1, dict([row(number)]))])
            print(number, flush=True)  # noqa: T201
