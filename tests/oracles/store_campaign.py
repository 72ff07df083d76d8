"""Stores damaged at random, and writers killed at random: `python -m tests.oracles.store_campaign`."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from tests.unit.store.writer import row

from keepclear.errors import StoreError
from keepclear.store.database import ResultStore

ROWS = 200


def damaged_answers(path: Path, seeds: Iterable[int]) -> int:
    """Damage copies of a store with rows 0 to 199; each is refused, or answers rightly. Return how many are refused."""
    refused, whole = 0, path.read_bytes()
    expected = dict(row(k) for k in range(ROWS))
    for seed in seeds:
        rng = random.Random(seed)
        copy = path.with_name(f"damaged_{seed}.db")
        content = bytearray(whole)
        for _ in range(rng.choice([1, 4, 64])):
            content[rng.randrange(len(content))] = rng.randrange(256)
        if rng.random() < 0.3:
            del content[rng.randrange(len(content)) :]
        copy.touch(0o600)
        copy.write_bytes(content)
        try:
            store = ResultStore(copy)
        except StoreError:
            refused += 1
            assert copy.read_bytes() == bytes(content), f"seed {seed}: a damaged file was written to"
        else:
            refused += _is_refused(store, expected, seed)
        for file in copy.parent.glob(copy.name + "*"):
            file.unlink()
    return refused


def _is_refused(store: ResultStore, expected: dict[bytes, bytes], seed: int) -> bool:
    """Return whether rows are refused; those that come back are right."""
    with store:
        try:
            found = store.find(1, list(expected))
            store.programs()
        except StoreError:
            return True
    assert all(expected[key] == value for key, value in found.items()), f"seed {seed}: a false row"
    return False


def killed_writers(path: Path, times: int) -> None:
    """Kill a process that writes, at random; every row that it has reported is there, and the store is whole."""
    done = 0
    for seed in range(times):
        command = [sys.executable, "-m", "tests.unit.store.writer", str(path), str(done), str(done + 100_000)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            last = int(writer.stdout.readline())  # it has begun
            time.sleep(random.Random(seed).uniform(0.0, 0.2))
            os.kill(writer.pid, signal.SIGKILL)
            last = max([last, *(int(line) for line in writer.stdout.read().split() if line.isdigit())])
        with ResultStore(path) as store:
            found = store.find(1, [row(k)[0] for k in range(last + 1)])
        assert found == dict(row(k) for k in range(last + 1)), (
            f"kill {seed}: a row that was committed is gone"
        )
        done = last + 1


if __name__ == "__main__":
    folder = Path(tempfile.mkdtemp())
    store = folder / "results.db"
    with ResultStore(store) as opened:
        opened.keep(1, dict(row(k) for k in range(ROWS)))
    n = damaged_answers(store, range(1000))
    print(f"1000 damaged stores: {n} refused, {1000 - n} answered rightly")  # noqa: T201
    killed_writers(folder / "killed.db", 100)
    print("100 writers killed: nothing lost that was committed")  # noqa: T201
    shutil.rmtree(folder)
