"""Processes that read files: forked with everything imported, so that one that dies is replaced at once."""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing
import os
import re
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.fuzz import limits
from tests.fuzz.coverage import Coverage, Line
from tests.fuzz.limits import Outcome
from tests.fuzz.readers import BESIDE, Reader

WALL = 20.0  # [s]: a process that says nothing for so long is ended
_FORK = multiprocessing.get_context("fork")
_STACK = "stack.txt"
CHANGED, VALID = "changed", "corpus"
GUIDING = (
    CHANGED,
    VALID,
)  # names of jobs whose new lines count; bombs run without tracing, as fast as they can
Place = Callable[[Path], None]
"""Puts the file under test at a path; a bomb may put a folder or a pipe there."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to read: its name for findings, and what puts it in its place."""

    name: str
    place: Place


@dataclass(slots=True)
class Result:
    """What a worker says about one file: the outcome, lines reached for the first time, and the file if it counts."""

    job: int
    outcome: Outcome
    lines: list[Line] = field(default_factory=list)
    data: bytes | None = None


class Worker:
    """A process that does jobs one after the other, and says how each ended.

    Args:
        reader: What reads the files.
        jobs: What to read; made by the process as it needs them.
        seen: Lines that were reached before.
    """

    def __init__(self, reader: Reader, jobs: Iterable[Job], seen: set[Line]) -> None:
        self.reader = reader
        self.folder = Path(tempfile.mkdtemp(prefix="keepclear-fuzz-", dir=_fast_folder()))
        shutil.copytree(BESIDE, self.folder, dirs_exist_ok=True)
        self.path = self.folder / f"input{reader.ending}"
        self.connection, far = _FORK.Pipe(duplex=False)
        self._shared = _FORK.RawArray("d", 2)  # number of the job, time of its beginning
        self._shared[0], self._shared[1] = -1.0, time.monotonic()
        self._process = _FORK.Process(target=self._work, args=(far, jobs, seen), daemon=True)
        self._process.start()
        far.close()

    @property
    def job(self) -> int:
        """The number of the job it is at."""
        return int(self._shared[0])

    def is_stuck(self) -> bool:
        """Return whether it has been at one file for too long."""
        return time.monotonic() - self._shared[1] > WALL

    def where(self) -> str:
        """Return the function that it died in, or is stuck in; empty if nothing is known."""
        if self._process.is_alive() and self._process.pid is not None:
            os.kill(self._process.pid, signal.SIGUSR1)
            time.sleep(0.5)
        with contextlib.suppress(OSError):
            text = (self.folder / _STACK).read_text()
            found = re.search(r'File "\S*/(keepclear/\S+)", line \d+ in (\S+)', text)
            return "" if found is None else f"{found[1]}:{found[2]}"
        return ""

    def end(self) -> int | None:
        """End the process, remove its folder, and return how it ended: the negative number of a signal."""
        if self._process.is_alive() and self.is_stuck():
            self._process.kill()
        self._process.join(timeout=5.0)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        code = self._process.exitcode
        self.connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        return code

    def _work(self, far: Connection, jobs: Iterable[Job], seen: set[Line]) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(self.folder)
        tempfile.tempdir = str(self.folder)
        silent = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):  # compiled libraries print what they think of a file
            os.dup2(silent, number)
        stack = (self.folder / _STACK).open("w")
        faulthandler.enable(stack, all_threads=False)
        faulthandler.register(signal.SIGUSR1, stack, all_threads=False)
        limits.limit_memory()
        coverage = Coverage(set(seen))
        try:
            for k, job in enumerate(jobs):
                self._clean()
                job.place(self.path)
                self._shared[1] = time.monotonic()
                self._shared[0] = float(k)
                coverage.new.clear()
                guides = job.name in GUIDING
                outcome = limits.run(self.reader, self.path, coverage if guides else None)
                counts = outcome.is_finding or coverage.new
                far.send(Result(k, outcome, list(coverage.new), _content(self.path) if counts else None))
            far.send(None)
        except BaseException:
            far.send(traceback.format_exc())

    def _clean(self) -> None:
        """Remove what the last file left, pages of `view` among it."""
        for entry in self.folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
        if self.path.is_symlink() or self.path.exists():
            self.path.unlink()


def died(worker: Worker) -> Outcome:
    """Return the outcome of a file at which its process died, or is stuck; it is ended."""
    is_stuck, where = worker.is_stuck(), worker.where()
    code = worker.end()
    if is_stuck:
        return Outcome("hang", f"hang {where}", f"nothing came for {WALL:g} s", WALL, 0)
    name = signal.Signals(-code).name if code is not None and code < 0 else f"exit {code}"
    return Outcome("crash", f"crash {name} {where}", f"the process ended by {name}", 0.0, 0)


def run_alone(reader: Reader, place: Place) -> Outcome:
    """Return the outcome of one file, read in a process of its own."""
    worker = Worker(reader, [Job("", place)], set())
    outcome: Outcome | None = None
    while outcome is None:
        message = received(worker)
        if isinstance(message, Result):
            outcome = message.outcome
        elif message is None:
            return died(worker)
        else:
            worker.end()
            raise RuntimeError(message)
    worker.end()
    return outcome


def received(worker: Worker) -> Any:
    """Return the next message of a worker, None if it died or is stuck."""
    while not worker.connection.poll(1.0):
        if worker.is_stuck():
            return None
    try:
        return worker.connection.recv()
    except EOFError:
        return None


def content_place(data: bytes) -> Place:
    """Return what puts these bytes in their place."""

    def place(path: Path) -> None:
        path.write_bytes(data)

    return place


def _content(path: Path) -> bytes | None:
    """Return a file's content; None for what is no plain file, or too large to be kept."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > 1_000_000:
        return None
    return path.read_bytes()


def _fast_folder() -> str | None:
    shared = Path("/dev/shm")
    return str(shared) if os.access(shared, os.W_OK) else None
