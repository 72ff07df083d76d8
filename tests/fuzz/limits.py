"""One file, one reader, with limits of time and memory: whether it was read, refused, or is a finding."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from tests.fuzz.commands import STOPPED, InternalError
from tests.fuzz.coverage import Coverage, short
from tests.fuzz.readers import Reader

import keepclear as kc

SECONDS = 5.0
MEMORY = 1 << 30
_TICK = 1.0  # [s]: how often the time is looked at
_BLOCKED = 0.05  # share of a processor below which a process waits for something that never comes


class TooSlow(BaseException):
    """A reader that took too long; no reader catches it by accident."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file.

    Attributes:
        kind: "valid", "refused", "stopped" (a command that Ctrl-C ended as promised), or a finding: "exception",
            "invalid", "slow", "memory"; of a process that died: "crash" or "hang".
        signature: The same for findings of the same cause; for refused files where they were.
        text: What happened, in words.
        seconds: Processor time.
        memory: Peak of memory over what the process had before [bytes].
    """

    kind: str
    signature: str
    text: str
    seconds: float
    memory: int

    @property
    def is_finding(self) -> bool:
        """Whether it must not happen."""
        return self.kind not in ("valid", "refused", "stopped")


def limit_memory() -> None:
    """Keep this process from taking more than the limit over what it has; it can never be undone."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    size = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Clock:
    """Stops a reader that took its processor time, or that waits for ever; commands are asked by Ctrl-C first."""

    def __init__(self, asks: bool) -> None:
        self._asks, self.stopped = asks, False
        self.begin, self.begin_cpu = time.monotonic(), time.process_time()

    def __enter__(self) -> Clock:
        signal.signal(signal.SIGALRM, self._tick)
        signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.0)

    def _tick(self, _number: int, _frame: FrameType | None) -> None:
        wall, cpu = time.monotonic() - self.begin, time.process_time() - self.begin_cpu
        if cpu < SECONDS and not (wall >= SECONDS and cpu + _children_seconds() < _BLOCKED * wall):
            return
        if self._asks and not self.stopped:
            self.stopped = True
            self.begin, self.begin_cpu = time.monotonic(), time.process_time()
            signal.raise_signal(signal.SIGINT)
        else:
            raise TooSlow


def _children_seconds() -> float:
    """Return the processor time of living processes that this one waits for, such as the reader of STEP files."""
    ticks = 0
    for number in Path("/proc/self/task").glob("*/children"):
        for child in number.read_text().split():
            with contextlib.suppress(OSError):  # it ended meanwhile
                fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def run(reader: Reader, path: Path, coverage: Coverage | None = None) -> Outcome:
    """Read a file and say what became of it."""
    before = _reset_peak()
    watched = Coverage(set()) if coverage is None else coverage
    error: BaseException | None = None
    cpu = time.process_time()
    with Clock(reader.is_command) as clock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if coverage is None:
                reader.read(path)
            else:
                with watched.watching():
                    reader.read(path)
        except BaseException as raised:  # whatever it is, it is the result
            error = raised
    seconds, memory = time.process_time() - cpu, max(0, _peak() - before)
    kind = _kind(error, clock, memory)
    where = _where(error)
    watched.note((f"{kind} {where}", 0))
    text = "" if error is None else " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return Outcome(kind, f"{kind} {type(error).__name__} {where}", text, seconds, memory)


def _kind(error: BaseException | None, clock: Clock, memory: int) -> str:
    if isinstance(error, TooSlow):
        return "slow"
    if memory > MEMORY or _has_memory_error(error):
        return "memory"
    if clock.stopped and (error is None or str(error).startswith(f"exit code {STOPPED}")):
        return "stopped"
    if error is None:
        return "valid"
    if isinstance(error, AssertionError):
        return "invalid"
    return "refused" if isinstance(error, kc.KeepclearError) else "exception"


def _has_memory_error(error: BaseException | None) -> bool:
    """Return whether an allocation failed on the way, also where a reader made a refusal of it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, MemoryError):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


def _where(error: BaseException | None) -> str:
    """Return the function of keepclear that an error left last, and what raised it."""
    if error is None or error.__traceback__ is None:
        return ""
    if isinstance(error, InternalError):
        return error.where
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/keepclear/" in frame.filename]
    names = [f"{short(frame.filename)}:{frame.name}" for frame in (ours[-1:] + frames[-1:])]
    lines = f":{ours[-1].lineno}" if ours and isinstance(error, kc.KeepclearError) else ""
    return " ".join(dict.fromkeys(names)) + lines


def _reset_peak() -> int:
    """Forget the peak of memory, and return what is resident [bytes]."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS:")


def _peak() -> int:
    return _status("VmHWM:")


def _status(name: str) -> int:
    text = Path("/proc/self/status").read_text()
    return int(text.partition(name)[2].split(None, 1)[0]) * 1024
