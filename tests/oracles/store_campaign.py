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
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.oracles import store_damage, store_places
from tests.oracles.dask_processes import with_project
from tests.oracles.fleet_runs import Findings, digests, integrity
from tests.unit.jobs.store.writer import row

import keepclear as kc
from keepclear.errors import KeepclearError, StoreError
from keepclear.jobs.store.database import ResultStore

ROWS = 200
TOGETHER = 2000  # rows of each of two writers at once
CELL = """\
objects:
  ball: {{sphere: 0.1}}
  wall: {{box: [0.2, 1, 1], position: [{wall}, 0, 0]}}
  post: {{cylinder: [0.05, 1], position: [0.45, {post}, 0]}}
programs:
"""
PROGRAM = "  go_{n}: {{ball: {{times: [0, 1, 2], positions: [[0, 0, 0], [{x}, 0, 0], [0, {x}, 0]]}}}}\n"


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
        command = [
            sys.executable,
            "-m",
            "tests.unit.jobs.store.writer",
            str(path),
            str(done),
            str(done + 100_000),
        ]
        with subprocess.Popen(command, env=with_project(), stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            last = int(writer.stdout.readline())  # it has begun
            time.sleep(random.Random(seed).uniform(0.0, 0.2))
            os.kill(writer.pid, signal.SIGKILL)
            last = max([last, *(int(line) for line in writer.stdout.read().split() if line.isdigit())])
        with ResultStore(path) as store:
            found = store.find(1, [row(k)[0] for k in range(last + 1)])
            n = store.counts()["verdicts"][0]
        assert found == dict(row(k) for k in range(last + 1)), (
            f"kill {seed}: a row that was committed is gone"
        )
        assert n <= last + 2, f"kill {seed}: {n} rows, and {last + 1} were reported"
        assert integrity(path) == "ok", f"kill {seed}: the file is damaged"
        done = last + 1


def killed_tasks(
    folder: Path, task: Callable[[Path], None], ready: Callable[[Path], None], times: int, seed: int
) -> None:
    """Kill what a task does with a store, at random instants of it; the store is opened and written afterwards."""
    rng, longest = random.Random(seed), 0.02
    for k in range(times):
        path = folder / f"task_{k}.db"
        ready(path)
        before = time.monotonic()
        pid = os.fork()
        if pid == 0:  # nothing of this process may run in it but the task
            try:
                task(path)
            finally:
                os._exit(0)
        if k % 10:
            time.sleep(rng.uniform(0.0, longest))
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        if k % 10 == 0:  # how long it takes if it is left alone
            longest = max(2.0 * (time.monotonic() - before), 1e-3)
        with ResultStore(path) as store:
            store.keep_all([(1, dict([row(ROWS)]))])
            known = store.find(1, [row(n)[0] for n in range(ROWS + 1)])
        assert all(known[key] == content for key, content in map(row, range(ROWS + 1)) if key in known)
        assert row(ROWS)[0] in known, f"kill {k}: what is written is not there"
        assert integrity(path) == "ok", f"kill {k}: the file is damaged"
        if task is prune:
            assert len(known) == ROWS + 1, f"kill {k}: pruning has taken rows of this version"
        for file in folder.glob(path.name + "*"):
            file.unlink()


def make(path: Path) -> None:
    """Make a store with one row."""
    with ResultStore(path) as store:
        store.keep_all([(1, dict([row(0)]))])


def prune(path: Path) -> None:
    """Remove what is outdated."""
    with ResultStore(path) as store:
        store.prune(days=30)


def fill(path: Path) -> None:
    """Make a store with rows of this version, and of another one."""
    with ResultStore(path) as store:
        store.keep_all([(1, dict(row(k) for k in range(2 * ROWS)))])
        old = [store._mixed(row(k)[0]) for k in range(ROWS, 2 * ROWS)]
        for key in old:
            store._connection.execute("UPDATE results SET method = x'00' WHERE key = ?", (key,))


def nothing(_: Path) -> None:
    """Do nothing."""


def two_writers(findings: Findings, folder: Path) -> None:
    """Two processes write one new store at once."""
    path = folder / "both.db"
    command = [sys.executable, "-m", "tests.unit.jobs.store.writer", str(path)]
    spans = [(0, TOGETHER), (TOGETHER, 2 * TOGETHER)]
    both = [
        subprocess.Popen(
            [*command, *map(str, span)],
            env=with_project(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for span in spans
    ]
    errors = [one.communicate()[1] for one in both]
    with ResultStore(path, write=False) as store:
        found = store.find(1, [row(k)[0] for k in range(2 * TOGETHER)])
    is_right = found == dict(row(k) for k in range(2 * TOGETHER)) and errors == ["", ""]
    findings.check(
        is_right and integrity(path) == "ok",
        f"two processes write one store at once: {len(found)} of {2 * TOGETHER} rows, {sum(map(bool, errors))} errors",
    )


def write_cells(folder: Path, post: float) -> list[Path]:
    """Write three small cells with three programs each."""
    folder.mkdir()
    for k in range(3):
        text = CELL.format(wall=0.75 + 0.01 * k, post=post)
        text += "".join(PROGRAM.format(n=n, x=0.4 + 0.1 * n) for n in range(3))
        (folder / f"cell_{k}.yaml").write_text(text)
    return sorted(folder.glob("*.yaml"))


def damaged_fleets(findings: Findings, folder: Path, times: int, seed: int) -> None:
    """Damage stores of fleets in all ways; each is refused with one error, or its verdicts are right."""
    cells, changed = write_cells(folder / "cells", 0.2), write_cells(folder / "changed", 0.21)
    runs = [(some, digests(kc.fleet.verify_programs(some))) for some in (cells, changed)]
    whole = folder / "whole.db"
    list(kc.fleet.verify_programs(cells, store=whole))  # a copy of the file alone is whole
    known = list(kc.fleet.verify_programs(cells))
    for kind in store_damage.KINDS:
        counts: Counter[str] = Counter()
        n = times // len(store_damage.KINDS) + (kind is store_damage.rows) * (times % len(store_damage.KINDS))
        for k in range(n):
            rng = random.Random(f"{seed} {kind.__name__} {k}")
            path = folder / "damaged.db"
            shutil.copy(whole, path)
            kind(path, rng)
            path.chmod(0o600)
            content = path.read_bytes()
            counts[_read_only(path, known)] += 1
            counts["written to by a reader"] += path.read_bytes() != content
            some, expected = runs[k % 2]
            counts[_run(path, some, expected, content)] += 1
            for file in folder.glob("damaged.db*"):
                file.unlink()
        bad = {what: m for what, m in counts.items() if m and not what.startswith(("refused", "right"))}
        good = ", ".join(f"{m} {what}" for what, m in sorted(counts.items()) if m and what not in bad)
        findings.check(not bad, f"{n} stores damaged by {kind.__name__}: {good}{f'; {bad}' if bad else ''}")


def _read_only(path: Path, known: list[kc.fleet.ProgramResult]) -> str:
    """Return how a store that is only read answers."""
    try:
        with ResultStore(path, write=False) as store:
            rows, _, _ = store.programs(), store.counts(), store.outdated()
        changes = kc.fleet.read_baseline(path).compare(known).changes
    except KeepclearError as error:
        return "refused to readers" if len(str(error).splitlines()) == 1 else "a message of several lines"
    except Exception as error:
        return f"{type(error).__name__} for readers: {error}"
    verdicts = {(one.cell, one.program): one.verdict.value for one in known}
    wrong = any(one.verdict != verdicts.get((one.cell, one.program)) for one in rows)
    wrong |= any(change.kind != "new program" for change in changes)
    return "a false verdict for readers" if wrong else "right for readers"


def _run(path: Path, cells: list[Path], expected: dict[str, str], content: bytes) -> str:
    """Return how a run with a store ends."""
    opened = False
    try:
        with ResultStore(path) as store:
            opened = True
            results = list(kc.fleet.verify_programs(cells, store=store))
    except KeepclearError as error:
        if not isinstance(error, StoreError) or len(str(error).splitlines()) != 1:
            return f"another error: {type(error).__name__} {error}"
        if not opened and path.read_bytes() != content:
            return "refused at opening, and written to"
        return "refused by a run" if opened else "refused at opening, not written to"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    failed = [one for one in results if one.report is None]
    if any("is damaged" not in one.failure or one.exit_code() != 2 for one in failed):
        return f"another failure: {failed[0].failure}"
    found = digests(one for one in results if one.report is not None)
    if any(found[name] != expected[name] for name in found):
        return "a false result"
    return "refused in some programs, right in others" if failed else "right in a run"


def campaign(findings: Findings, seed: int, *, kills: int = 100, times: int = 1000) -> None:
    """Run all of it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        two_writers(findings, folder)
        _asserted(findings, f"{kills} writers killed: no row lost that was committed",
                  lambda: killed_writers(folder / "killed.db", kills))  # fmt: skip
        for task, ready in ((make, nothing), (prune, fill)):
            n = 5 * kills
            text = f"{n} kills while a store is {'made' if task is make else 'pruned'}: it is opened and written after"
            _asserted(findings, text, lambda t=task, r=ready, n=n: killed_tasks(folder, t, r, n, seed))
        store = folder / "rows.db"
        with ResultStore(store) as opened:
            opened.keep(1, dict(row(k) for k in range(ROWS)))
        _asserted(findings, f"{times} stores of rows damaged: each is refused, or answers rightly",
                  lambda: damaged_answers(store, range(seed, seed + times)))  # fmt: skip
        damaged_fleets(findings, folder, times, seed)
        store_places.campaign(findings, folder)


def _asserted(findings: Findings, text: str, run: Callable[[], object]) -> None:
    try:
        found = run()
    except (AssertionError, KeepclearError) as error:
        findings.check(False, f"{text}: {error}")
    else:
        findings.check(True, text if found is None else f"{text} ({found} refused)")


if __name__ == "__main__":
    lines = Findings()
    campaign(lines, 0)
    sys.exit(lines.n_faults > 0)
