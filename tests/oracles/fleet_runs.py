"""Comparison of fleet runs by digests of reports and rows of a store; and processes that can be killed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.oracles.dask_processes import with_project

import keepclear as kc

ENDED = 60.0  # seconds in which workers of a client that was killed have to end


class Findings:
    """Lines of a campaign, and how many of them are faults."""

    def __init__(self) -> None:
        self.n, self.n_faults = 0, 0

    def check(self, is_right: bool, text: str) -> None:
        """Print a finding."""
        self.n += 1
        self.n_faults += not is_right
        self.say(f"{'ok   ' if is_right else 'FAULT'} {text}")

    def say(self, text: str) -> None:
        """Print a line at once."""
        sys.stdout.write(" ".join(text.split("\n")) + "\n")
        sys.stdout.flush()


@dataclass
class Fleet:
    """Cells of a folder, and the results of an undisturbed run in one process: digests by name, and of the fleet."""

    folder: Path
    cells: list[Path]
    expected: dict[str, str]
    whole: str

    @classmethod
    def verified(cls, folder: Path, cells: list[Path]) -> Fleet:
        """Return a fleet with the results of this process."""
        results = list(kc.fleet.verify_programs(cells))
        return cls(folder, cells, digests(results), digest(fleet_json(folder, results)))

    @property
    def n(self) -> int:
        """The number of programs."""
        return len(self.expected)

    def shuffled(self, rng: random.Random) -> list[Path]:
        """Return the cells in another order."""
        return rng.sample(self.cells, len(self.cells))

    def compare(self, findings: Findings, label: str, results: Sequence[kc.fleet.ProgramResult]) -> None:
        """Check that results are those of the undisturbed run, each once, byte for byte."""
        found = digests(results)
        twice = len(results) - len(found)
        missing = len(self.expected.keys() - found.keys())
        differ = sum(found[name] != self.expected.get(name) for name in found)
        whole = digest(fleet_json(self.folder, results))
        text = f"{len(found)} programs, fleet {whole[:12]}: {missing} missing, {twice} twice, {differ} differ"
        findings.check((missing, twice, differ, whole) == (0, 0, 0, self.whole), f"{label}: {text}")


def digest(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def digests(results: Iterable[kc.fleet.ProgramResult]) -> dict[str, str]:
    """Return the digests of findings by the names of programs; a failure is a finding."""
    return {
        one.name: digest(one.failure if one.report is None else one.report.to_json(effort=False))
        for one in results
    }


def fleet_json(folder: Path, results: Iterable[kc.fleet.ProgramResult]) -> str:
    """Return the JSON that `keepclear verify FOLDER --json` writes."""
    return kc.fleet.FleetReport(results, str(folder)).to_json()


def stored(path: Path) -> set[str]:
    """Return the names of the programs of a store whose reports are there."""
    with kc.ResultStore(path, write=False) as store:
        rows = [row for row in store.programs() if store.report_content(row) is not None]
    return {" ".join(filter(None, row[:3])) for row in rows}


def integrity(path: Path) -> str:
    """Return what SQLite says about a file: "ok"."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


def resume(
    fleet: Fleet, findings: Findings, label: str, store: Path, executor: kc.executors.Processes | None = None
) -> None:
    """Run again with the store: only what was missing is computed, and the result is the undisturbed one."""
    before = stored(store)
    results = list(kc.fleet.verify_programs(fleet.cells, executor, store))
    taken = {one.name for one in results if one.seconds == 0.0 and one.computed == 0}
    text = (
        f"{label}, resumed: {len(results) - len(taken)} programs computed, {len(taken)} taken from the store"
    )
    findings.check(taken == before and integrity(store) == "ok", f"{text}, which had {len(before)}")
    fleet.compare(findings, f"{label}, resumed", results)
    findings.check(stored(store) == fleet.expected.keys(), f"{label}, resumed: the store has all programs")


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started and that have not ended."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                words = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(words[1]) == pid and words[0] != "Z":
                    found.append(int(entry.name))
    return found


def workers_of(pid: int) -> list[int]:
    """Return the worker processes of a process, not the trackers that Python starts beside them."""
    found = []
    for child in children_of(pid):
        with contextlib.suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


def kill_worker(rng: random.Random) -> bool:
    """Kill one of the workers of this process; return whether there was one."""
    workers = workers_of(os.getpid())
    if not workers:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(rng.choice(workers), signal.SIGKILL)
    return True


def disturbed(
    results: Iterable[kc.fleet.ProgramResult],
    n: int,
    kill: Callable[[], bool],
    times: int,
    rng: random.Random,
) -> Iterator[kc.fleet.ProgramResult]:
    """Give results, and kill something so many times while they come, each a random time after a random result."""
    waiting = sorted(rng.sample(range(1, max(n * 3 // 4, times + 1)), times))
    timers: list[threading.Timer] = []
    for count, result in enumerate(results, 1):
        yield result
        while waiting and count >= waiting[0]:
            waiting.pop(0)
            timers.append(threading.Timer(rng.uniform(0.0, 0.5), kill))
            timers[-1].start()
    for timer in timers:
        timer.cancel()
        timer.join()


class Command:
    """A `keepclear verify` of a fleet in a process of its own, whose lines are counted."""

    def __init__(self, fleet: Fleet, *options: str) -> None:
        command = [sys.executable, "-m", "keepclear", "verify", str(fleet.folder), *options]
        self.process = subprocess.Popen(
            command, env=with_project(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []
        self.errors: list[str] = []
        pipes = ((self.process.stdout, self.lines), (self.process.stderr, self.errors))
        self._threads = [threading.Thread(target=list.extend, args=(to, pipe)) for pipe, to in pipes]
        for thread in self._threads:
            thread.start()

    def wait_for(self, n: int) -> bool:
        """Wait for so many lines; return whether the process still runs."""
        while len(self.lines) < n and self.process.poll() is None:
            time.sleep(0.02)
        return self.process.poll() is None

    def kill(self) -> int:
        """Kill it, and return how many of its workers did not end by themselves soon after."""
        workers = workers_of(self.process.pid)
        self.process.kill()
        self.end()
        until = time.monotonic() + ENDED
        while (left := [pid for pid in workers if _is_alive(pid)]) and time.monotonic() < until:
            time.sleep(0.05)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return len(left)

    def end(self) -> int:
        """Wait for its end, and return the exit code."""
        code = self.process.wait()
        for thread in self._threads:
            thread.join()
        return code


def _is_alive(pid: int) -> bool:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return (
        text.rpartition(")")[2].split()[0] != "Z"
        and b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
