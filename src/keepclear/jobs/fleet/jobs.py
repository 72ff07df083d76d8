"""Jobs of a fleet, and the function that a worker runs for each.

A job has several short programs of one cell, or a part of a long program. The jobs depend only on the programs, so
every executor gets the same jobs. A worker receives a cell once, and then names of programs. It returns reports and
pair tasks as bytes in the format of the store.
"""

from __future__ import annotations

import functools
import hashlib
import math
import os
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from keepclear.errors import KeepclearError, StoreError
from keepclear.geometry.shapes.shape import Shape
from keepclear.geometry.storage.cache import digest_of
from keepclear.jobs.cell.cell import Cell
from keepclear.jobs.cell.verify import VerifyOptions, program_report
from keepclear.jobs.executors.executor import Job
from keepclear.jobs.store.database import PROGRAM, ResultStore
from keepclear.jobs.store.reports import encode_report
from keepclear.motion.joints.program import JointTrajectory
from keepclear.motion.motion import MOTION_TABLE, Motion
from keepclear.report.report import Report
from keepclear.robot.model import Robot
from keepclear.scene.digests import kinematics_digest, shape_digest

# Rough costs in seconds on one core; only their ratios matter.
COST_EACH, COST_SEGMENT, BODIES = 8e-3, 2e-4, 20
JOB = 0.1  # greatest cost of a job of several programs, and so the most work lost when a worker dies
LONG = 1.0  # a program beyond this cost is split into parts
PART = 0.5
SHORT = 8  # bytes of the short keys that count pairs


class ProgramTask(NamedTuple):
    """A program of a cell and its options; with `part` k of n, only that part of its pair tasks."""

    number: int
    program: str | None
    part: tuple[int, int] = (0, 1)


class Part(NamedTuple):
    """The arguments of a job besides its cell: programs, their options, host and path of the store."""

    tasks: tuple[ProgramTask, ...]
    options: VerifyOptions
    store: tuple[str, str] | None


class Done(NamedTuple):
    """The findings of a job about one program.

    Attributes:
        task: The program.
        key: The key of its report.
        report: Its report as bytes; b"" for a part of a program, or after a failure.
        rows: Pair tasks by kind and key.
        found: The pairs whose results were all found in the store, each as the short keys of its results.
        seconds: Process time [s].
        failure: The error of the program, "" for none.
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
    """Results of one program: stored ones are looked up, new ones stay in memory until they are written."""

    store: ResultStore | None = None
    part: tuple[int, int] = (0, 1)
    keeps: bool = True
    rows: dict[int, dict[bytes, bytes]] = field(default_factory=dict)
    found: list[tuple[bytes, ...]] = field(default_factory=list)

    def find(self, kind: int, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the known contents, by key."""
        found = {} if self.store is None else self.store.find(kind, keys)
        own = self.rows.get(kind, {})
        return found | {key: own[key] for key in keys if key in own} if own else found

    def keep(self, kind: int, found: Mapping[bytes, bytes]) -> None:
        """Keep contents by key."""
        self.rows.setdefault(kind, {}).update(found)

    def count(self, computed: int, stored: int) -> None:
        """Do nothing: fleets count pairs."""

    def note_pairs(self, found: Sequence[tuple[bytes, ...]]) -> None:
        """Record the pairs whose results were all found."""
        self.found = [tuple(key[:SHORT] for key in keys) for keys in found]


def cost_of(cell: Cell, program: str | None) -> float:
    """Return a rough estimate of the time of a program, from its numbers of segments and bodies."""
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
    """Yield the jobs for programs, each with the key of its cell; programs of one cell share a job up to a cost."""
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
    """Return one job for each program of a job."""
    return [_job(job.shared, [task], job.arguments) for task in job.arguments.tasks]


def run_job(cell: Cell, part: Part) -> list[Done]:
    """Return the findings of a job; executors call this function."""
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


def verify_program(cell: Cell, program: str | None, options: VerifyOptions, known: Known) -> Report:
    """Return the report of one program, equal to that of `kc.verify`."""
    with cell.world(program) as world:
        return program_report(cell, program, world, options, known)


def _opened(path: str) -> ResultStore | None:
    """Return the store, opened for reading; None if the worker cannot open it, and then nothing is looked up.

    Workers outlive runs, so a file that was replaced under the same name is opened as a new store.
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
    """Return the content of a cell, computed once."""
    known = _CONTENTS.get(id(cell))
    if known is None or known[0] is not cell:
        if len(_CONTENTS) >= MOST_CONTENTS:
            _CONTENTS.clear()
        known = _CONTENTS[id(cell)] = cell, CellContent(cell)
    return known[1]


def kept_rows(done: Done) -> list[tuple[int, Mapping[bytes, bytes]]]:
    """Return the row of one program for the store."""
    found: list[tuple[int, Mapping[bytes, bytes]]] = list(done.rows.items())
    return [*found, (PROGRAM, {done.key: done.report})] if done.report else found


def digest(value: Any, known: dict[int, tuple[Any, bytes]] | None = None) -> bytes:
    """Return the digest of plain values, arrays, shapes, robots and motions, and of dataclasses and models of them.

    Args:
        value: The value; an unknown class raises.
        known: Digests of shapes and robots by id, with the object itself, so that each is computed once.
    """
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return hashlib.sha256(f"{type(value).__name__} {value!r}".encode("utf-8", "surrogatepass")).digest()
    if isinstance(value, np.ndarray):
        return digest_of("array", value)
    if isinstance(value, Enum):
        return digest(value.value)
    known = {} if known is None else known
    if isinstance(value, Shape | Robot):
        found = known.get(id(value))
        if found is None:
            found = known[id(value)] = value, _of_thing(value, known)
        return found[1]
    if isinstance(value, JointTrajectory):
        texts = value.interpolation, value._hold, value._name
        return _joined("program", (value.times, value.coefficients, value.q, *texts, value.robot), known)
    if isinstance(value, Motion) and (content := MOTION_TABLE[value].content) is not None:
        return _joined("motion", content(value), known)
    if isinstance(value, Mapping):
        return _joined("mapping", [part for item in value.items() for part in item], known)
    if isinstance(value, tuple | list):
        return _joined("list", value, known)
    if is_dataclass(value) and not isinstance(value, type):
        return _joined(type(value).__name__, [getattr(value, f.name) for f in fields(value)], known)
    if hasattr(value, "model_dump"):
        return _joined(type(value).__name__, [dict(value)], known)  # a dump of its unions would warn
    raise TypeError(f"no digest is defined for the content of {type(value).__name__}")


def _of_thing(value: Shape | Robot, known: dict[int, tuple[Any, bytes]]) -> bytes:
    if isinstance(value, Shape):
        return shape_digest(value) + digest(getattr(value, "_name", None))
    links = [(link.name, [(e.shape, e.X_LG) for e in link.elements]) for link in value.links]
    parts = (value.name, links, value.link_joints, value.allowed_pairs, value.warnings)
    return kinematics_digest(value.kinematics) + _joined("robot", parts, known)


def _joined(kind: str, parts: Any, known: dict[int, tuple[Any, bytes]]) -> bytes:
    found = hashlib.sha256(kind.encode())
    for part in parts:
        one = digest(part, known)
        found.update(len(one).to_bytes(2, "little") + one)
    return found.digest()


class CellContent:
    """Keys of the programs of a cell; the digest of their common content is computed once."""

    def __init__(self, cell: Cell, known: dict[int, tuple[Any, bytes]] | None = None) -> None:
        self._cell, self._known = cell, {} if known is None else known
        specs = cell._specs
        rules = specs.settings, specs.objects, specs.allowed, specs.margins, specs.only, specs.attached
        settings = cell.title, cell.tolerance, cell.interval, cell.far, cell.method
        self._common = digest((settings, dict(cell.objects), dict(cell.motions), rules), self._known)

    def key(self, program: str | None, options: VerifyOptions) -> bytes:
        """Return the key of the report of a program; it depends on the options, except for the number of threads."""
        motions = {} if program is None else dict(self._cell.program_motions[program])
        asked = replace(options, threads=None)
        return hashlib.sha256(self._common + digest((program, motions, asked), self._known)).digest()
