"""Jobs: programs of like cost together, and long programs in parts; and what a worker does with one.

The rule depends on the programs alone, so that every executor has the same jobs. A worker gets a cell once, and then
names of programs. It returns reports and pair tasks as bytes, as a store keeps them.
"""

from __future__ import annotations

import functools
import math
import os
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from keepclear.cell.cell import Cell
from keepclear.errors import KeepclearError, StoreError
from keepclear.executors.executor import Job
from keepclear.fleet.keys import CellContent
from keepclear.report.report import Report
from keepclear.store.database import PROGRAM, ResultStore
from keepclear.store.reports import encode_report

__all__ = [
    "SHORT",
    "Done",
    "Known",
    "Part",
    "ProgramTask",
    "cost_of",
    "make_jobs",
    "run_job",
    "single_jobs",
    "verify_program",
]

# Costs in seconds, roughly, on one core: only how they compare with each other counts.
COST_EACH, COST_SEGMENT, BODIES = 8e-3, 2e-4, 20
JOB = 0.1  # programs are put together up to this cost, which is what a worker that dies loses at most
LONG = 1.0  # a program beyond this cost is cut into parts
PART = 0.5
SHORT = 8  # bytes of a key by which pairs are counted


class ProgramTask(NamedTuple):
    """A program of a cell, and what is asked about it; `part` k of n is a part of its pair tasks."""

    number: int
    program: str | None
    part: tuple[int, int] = (0, 1)


class Part(NamedTuple):
    """What a job has beyond its cell: programs, options of `World.verify`, and where the store is, host and path."""

    tasks: tuple[ProgramTask, ...]
    options: Mapping[str, Any]
    store: tuple[str, str] | None


class Done(NamedTuple):
    """What a job found about one program.

    Attributes:
        task: The program.
        key: The key of its report.
        report: Its report as bytes, b"" for a part of a program, or where it failed.
        rows: Pair tasks by kind and key.
        found: The pairs about which everything was found in the store, each by the short keys of its results.
        seconds: Process time [s].
        failure: What is wrong with the program, "" where nothing is.
    """

    task: ProgramTask
    key: bytes
    report: bytes
    rows: dict[int, dict[bytes, bytes]]
    found: list[tuple[bytes, ...]]
    seconds: float
    failure: str = ""


@dataclass(slots=True)
class Known:
    """Results of one program: looked up in a store, and new ones kept in memory until they are written."""

    store: ResultStore | None = None
    part: tuple[int, int] = (0, 1)
    keeps: bool = True
    rows: dict[int, dict[bytes, bytes]] = field(default_factory=dict)
    found: list[tuple[bytes, ...]] = field(default_factory=list)

    def find(self, kind: int, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the contents that are known, by key."""
        found = {} if self.store is None else self.store.find(kind, keys)
        own = self.rows.get(kind, {})
        return found | {key: own[key] for key in keys if key in own} if own else found

    def keep(self, kind: int, found: Mapping[bytes, bytes]) -> None:
        """Keep contents by key."""
        self.rows.setdefault(kind, {}).update(found)

    def count(self, computed: int, stored: int) -> None:
        """Do nothing: fleets count pairs."""

    def note_pairs(self, found: Sequence[tuple[bytes, ...]]) -> None:
        """Take note of the pairs about which everything was found."""
        self.found = [tuple(key[:SHORT] for key in keys) for keys in found]


def cost_of(cell: Cell, program: str | None) -> float:
    """Return roughly how long a program takes, from its numbers of segments and bodies."""
    motions = dict(cell.motions) | (dict(cell.program_motions[program]) if program is not None else {})
    segments = sum(len(moving.motion.times) - 1 for moving in motions.values())
    bodies = sum(
        sum(bool(link.elements) for link in body.robot.links) if body.robot is not None else 1
        for body in cell.objects.values()
    )
    return (COST_EACH + COST_SEGMENT * segments) * max(bodies, 1) / BODIES


def make_jobs(
    cells: Mapping[str, Cell], tasks: Sequence[tuple[str, ProgramTask]], part: Part
) -> Iterator[Job]:
    """Give the jobs of programs, each with the key of its cell: those of one cell together up to a cost."""
    waiting: list[ProgramTask] = []
    last, cost = "", 0.0
    for cell, task in tasks:
        own = cost_of(cells[cell], task.program)
        if waiting and (cell != last or cost + own > JOB):
            yield _job(last, waiting, part)
            waiting, cost = [], 0.0
        last = cell
        if own > LONG:
            n = math.ceil(own / PART)
            for k in range(n):
                yield _job(cell, [task._replace(part=(k, n))], part)
            continue
        waiting.append(task)
        cost += own
    if waiting:
        yield _job(last, waiting, part)


def _job(cell: str, tasks: Sequence[ProgramTask], part: Part) -> Job:
    first, rest = tasks[0], len(tasks) - 1
    name = f"{cell} {first.program or ''}".rstrip()
    name += f" and {rest} more" if rest else ""
    name += f" part {first.part[0] + 1} of {first.part[1]}" if first.part[1] > 1 else ""
    return Job(f"{name} #{first.number}", cell, part._replace(tasks=tuple(tasks)))


def single_jobs(job: Job) -> list[Job]:
    """Return jobs for the programs of a job, one for each."""
    return [_job(job.shared, [task], job.arguments) for task in job.arguments.tasks]


def run_job(cell: Cell, part: Part) -> list[Done]:
    """Do a job: the work of executors."""
    store = None if part.store is None or part.store[0] != socket.gethostname() else _opened(part.store[1])
    content = None if part.store is None else _content(cell)
    found = []
    for task in part.tasks:
        known, begin = (
            Known(store, task.part, part.store is not None or task.part[1] > 1),
            time.process_time(),
        )
        key = b"" if content is None else content.key(task.program, part.options)
        try:
            report = verify_program(cell, task.program, part.options, known)
        except KeepclearError as error:
            text = " ".join(str(error).split())
            found.append(Done(task, key, b"", {}, [], time.process_time() - begin, text))
            continue
        is_whole = task.part[1] == 1 and not report.interrupted
        encoded = encode_report(report, compress=part.store is not None) if is_whole else b""
        seconds = time.process_time() - begin
        found.append(Done(task, key, encoded, known.rows, known.found, seconds))
        if report.interrupted:
            raise KeyboardInterrupt
    return found


def verify_program(cell: Cell, program: str | None, options: Mapping[str, Any], known: Known) -> Report:
    """Return the report of one program, as `kc.verify` gives it."""
    start, end = cell.interval or (None, None)
    said = {"tolerance": cell.tolerance, "far": cell.far, "method": cell.method}
    asked = {"t0": start, "t1": end, **said, **options}
    with cell.world(program) as world:
        report = world.verify(**asked, title=cell.title, store=known)
        if program is None:
            return report
        return replace(report, program=program, pairs=report.records.named(program))


def _opened(path: str) -> ResultStore | None:
    """Return a store that a worker only reads, None where it cannot: then nothing is looked up.

    Workers live longer than runs: a file that was made again under the same name is another store.
    """
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return _opened_once(path, status.st_dev, status.st_ino)


@functools.lru_cache(maxsize=4)
def _opened_once(path: str, _device: int, _inode: int) -> ResultStore | None:
    try:
        return ResultStore(path, write=False)
    except StoreError:
        return None


_CONTENTS: dict[int, tuple[Cell, CellContent]] = {}
MOST_CONTENTS = 64


def _content(cell: Cell) -> CellContent:
    """Return the content of a cell, found once."""
    known = _CONTENTS.get(id(cell))
    if known is None or known[0] is not cell:
        if len(_CONTENTS) >= MOST_CONTENTS:
            _CONTENTS.clear()
        known = _CONTENTS[id(cell)] = cell, CellContent(cell)
    return known[1]


def kept_rows(done: Done) -> list[tuple[int, Mapping[bytes, bytes]]]:
    """Return what a store keeps of one program."""
    found: list[tuple[int, Mapping[bytes, bytes]]] = list(done.rows.items())
    return [*found, (PROGRAM, {done.key: done.report})] if done.report else found
