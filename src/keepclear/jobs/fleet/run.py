"""Verification of many cells and programs: stored results first, then those of an executor as they finish."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from keepclear.checks import checked_positive, shown
from keepclear.errors import ArgumentError, CellError, FleetError, KeepclearError
from keepclear.files.access import MAX_TEXT_SIZE, read_regular_file
from keepclear.files.yaml import parse_document
from keepclear.jobs.cell.building import KnownRobots
from keepclear.jobs.cell.cell import Cell
from keepclear.jobs.cell.verify import VerifyOptions, merged, options_of
from keepclear.jobs.executors.executor import Executor, InProcess, Job
from keepclear.jobs.fleet.jobs import (
    SHORT,
    CellContent,
    Done,
    Known,
    Part,
    ProgramTask,
    kept_rows,
    make_jobs,
    run_job,
    single_jobs,
    verify_program,
)
from keepclear.jobs.fleet.results import NOT_RUN, UNREAD, ProgramResult
from keepclear.jobs.fleet.variants import read_variant
from keepclear.jobs.store.database import PROGRAM, ProgramRow, ResultStore
from keepclear.jobs.store.reports import decode_report, encode_report
from keepclear.report.report import Report

__all__ = ["Source", "cell_files", "not_run", "sources_of", "verify_many", "verify_programs"]

Progress = Callable[[int, int, str], object]
BAD_INPUT, LATE, FAILED = 2, 3, 4
CELL_SUFFIXES = (".yaml", ".yml")
OF_ONE_CELL = ("cross_check", "curves", "evidence", "models", "pins", "program", "scene", "stepwise")


class Source:
    """A cell of a fleet: its name, its variant, and the function that reads it when needed.

    Args:
        cell: The path as given by the user.
        variant: The name of the variant; "" for none.
        read: Returns the cell; its argument is the robots that were read before.
        programs: The programs to verify; None: all.
    """

    def __init__(
        self,
        cell: str,
        read: Callable[[KnownRobots | None], Cell],
        variant: str = "",
        programs: Callable[[Cell], tuple[str | None, ...]] | None = None,
    ) -> None:
        self.cell, self.variant, self.read, self._programs = cell, variant, read, programs
        self._known: tuple[str | None, ...] | None = None  # names of programs once the cell is read

    @property
    def key(self) -> str:
        """Cell and variant in one line."""
        return f"{self.cell} [{self.variant}]" if self.variant else self.cell

    def programs(self, cell: Cell) -> tuple[str | None, ...]:
        """Return the names of the programs to verify."""
        self._known = cell.programs or (None,) if self._programs is None else self._programs(cell)
        return self._known

    def result(self, program: str | None, report: Report | None = None, **about: Any) -> ProgramResult:
        """Return the result of a program."""
        name = program or ""
        return ProgramResult(cell=self.cell, program=name, variant=self.variant, report=report, **about)

    def not_run(self, why: str) -> Iterator[ProgramResult]:
        """Yield a result without a report for each program; one for all of them if the cell has not been read."""
        text = f"not run: {why}{'' if self._known is not None else UNREAD}"
        for program in self._known or (None,):
            yield self.result(program, failure=text, failure_code=NOT_RUN)


def verify_many(
    cells: Iterable[str | os.PathLike[str] | Cell] | str | os.PathLike[str],
    executor: Executor | None = None,
    store: ResultStore | str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    options: VerifyOptions | None = None,
    *,
    timeout: float | None = None,
    keep_last: bool = True,
    **given: Any,
) -> Iterator[Report]:
    """Yield the report of each cell as soon as it is known: the same as that of `kc.verify`. No cells: no reports.

    Args:
        cells: Cell files, folders of them, or cells.
        executor: Where the work runs: `kc.executors.InProcess()` (also for None), `kc.executors.Processes(n)` or
            `kc.executors.Dask(address)`. Reports do not depend on it.
        store: A store of results, or the path of its file; unchanged results are taken from it.
        progress: Called as progress(done, total, text) with numbers of programs.
        options: As for `kc.verify`, without those about a single cell; None: the defaults, with one thread.
        timeout: How long a job may take [s]; None: no limit.
        keep_last: Whether results are kept as the last ones of their programs, with which a later run is compared.
        **given: Single options by their names, such as tolerance, contacts, clearances, budget, t0 and t1.

    Raises:
        FleetError: A folder has no cells; or, after all other reports, jobs failed: the message names them.
        StoreError: The store cannot be used.
    """
    sources = list(sources_of(cells))
    known: dict[str, list[ProgramResult]] = {}
    failed: list[str] = []
    for result, n in _results(sources, executor, store, progress, options, timeout, keep_last, given):
        key = f"{result.cell} [{result.variant}]"
        of_cell = known.setdefault(key, [])
        of_cell.append(result)
        if result.report is None:
            failed.append(f"{result.name}: {result.failure}")
        if len(of_cell) == n:
            reports = [one.report for one in known.pop(key) if one.report is not None]
            if len(reports) == n:
                yield reports[0] if n == 1 else merged(reports, reports[0].title)
    if failed:
        raise FleetError("; ".join(failed))


def verify_programs(
    sources: Iterable[Source | str | os.PathLike[str] | Cell],
    executor: Executor | None = None,
    store: ResultStore | str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    options: VerifyOptions | None = None,
    *,
    timeout: float | None = None,
    keep_last: bool = True,
    **given: Any,
) -> Iterator[ProgramResult]:
    """Yield the result of each program as soon as it is known; a cell with errors gives a result, too.

    The arguments are those of `verify_many`. The results of one cell come in the order of its programs.
    """
    found = list(sources_of(sources))
    for result, _ in _results(found, executor, store, progress, options, timeout, keep_last, given):
        yield result


def not_run(sources: Iterable[Source], found: Iterable[ProgramResult], why: str) -> list[ProgramResult]:
    """Return a result without a report for each program of the sources that has no result yet.

    Args:
        sources: The sources of a run that was stopped.
        found: Its results.
        why: The reason.
    """
    known = {(one.cell, one.variant, one.program) for one in found}
    first: dict[str, Source] = {}
    for source in sources:
        first.setdefault(source.key, source)  # a cell that is named twice is verified once
    left = (one for source in first.values() for one in source.not_run(why))
    return [one for one in left if (one.cell, one.variant, one.program) not in known]


def sources_of(cells: Any) -> Iterator[Source]:
    """Yield the cells of paths, folders and cells."""
    if isinstance(cells, str | os.PathLike | Cell | Source):
        cells = [cells]
    if not isinstance(cells, Iterable):
        raise ArgumentError(f"verify_many takes a list of cell paths, but it was given {shown(cells)}.")
    for number, cell in enumerate(cells):
        if isinstance(cell, Source):
            yield cell
        elif isinstance(cell, Cell):
            if cell.mistakes:
                raise CellError(cell.mistakes)
            yield Source(str(cell.path), partial(_itself, cell))
        elif isinstance(cell, str | os.PathLike):
            for path in cell_files(cell):
                yield Source(path, partial(read_variant, path, ()))
        else:
            raise ArgumentError(
                f"verify_many: cells[{number}] must be a path or a cell, but it is {shown(cell)}."
            )


def _itself(cell: Cell, _: KnownRobots | None) -> Cell:
    return cell


def cell_files(path: str | os.PathLike[str]) -> list[str]:
    """Return the cell files of a folder and its subfolders, sorted; for a file, the file itself.

    Raises:
        FleetError: The folder has none.
    """
    place = Path(path)
    if not os.path.isdir(place):  # noqa: PTH112, a name that is too long is none
        return [os.fspath(path)]
    found = sorted(
        str(file) for file in place.rglob("*") if file.suffix.lower() in CELL_SUFFIXES and _is_cell(file)
    )  # fmt: skip
    if not found:
        raise FleetError(
            f"the folder {os.fspath(path)!r} has no cell file: no YAML file with the key 'objects'."
        )
    return found


def _is_cell(path: Path) -> bool:
    """Return whether a YAML file may be a cell: False only if it can be read and has no key `objects`.

    Motion files, fleet files and files of other software may be in the same folder. A file that cannot be read counts
    as a cell, so that its error is reported.
    """
    try:
        data = read_regular_file(path, MAX_TEXT_SIZE)
        data.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return not path.is_dir()
    if b"objects" not in data and b"\\" not in data:  # escape codes could spell the key
        return False
    document = parse_document(data, str(path))
    return bool(document.mistakes) or (isinstance(document.value, dict) and "objects" in document.value)


def _results(
    sources: list[Source], executor: Executor | None, store: Any, progress: Progress | None,
    options: VerifyOptions | None, timeout: float | None, keep_last: bool, given: Mapping[str, Any],
) -> Iterator[tuple[ProgramResult, int]]:  # fmt: skip
    """Yield results of programs, those of one cell in order, each with the number of programs of its cell."""
    if isinstance(store, str | os.PathLike):
        with ResultStore(store) as opened:
            yield from _results(sources, executor, opened, progress, options, timeout, keep_last, given)
        return
    given = {name: value for name, value in given.items() if value is not None}
    asked = options_of("verify_many", options or VerifyOptions(threads=1), given)
    for name in asked.changed(OF_ONE_CELL):
        raise ArgumentError(f"verify_many: {name} is about one cell; ask kc.verify about it alone.")
    if timeout is not None:
        timeout = min(checked_positive("timeout", timeout, "seconds"), threading.TIMEOUT_MAX)
    run = _Run(store, asked, progress, keep_last)
    yield from run.read(sources)
    yield from run.compute(InProcess() if executor is None else executor, timeout)


@dataclass(slots=True, eq=False)
class _Program:
    """A program of a run: the key of its report, and what is known of it and has not been given to the caller."""

    source: Source
    name: str | None
    key: bytes
    parts: list[Done] = field(default_factory=list)
    result: ProgramResult | None = None

    def row(self, report: Report, key: bytes | None = None) -> ProgramRow:
        """Return its last result for the store."""
        cell, variant, verdict = self.source.cell, self.source.variant, report.verdict.value
        return ProgramRow(cell, self.name or "", variant, key or self.key, verdict, time.time())


class _Run:
    """The work on a fleet."""

    def __init__(
        self, store: ResultStore | None, options: VerifyOptions, progress: Progress | None, is_last: bool
    ) -> None:
        self._store, self._options, self._is_last = store, options, is_last
        self._progress = progress or (lambda _done, _total, _text: None)
        self._cells: dict[str, Cell] = {}
        self._programs: list[_Program] = []  # by number
        self._left: dict[str, deque[_Program]] = {}  # those of each cell whose results were not given
        self._n: dict[str, int] = {}
        self._tasks: list[tuple[str, ProgramTask]] = []
        self._known: set[int] = set()  # programs with a result
        self._new: set[bytes] = set()  # short keys of what this run computed

    def read(self, sources: list[Source]) -> Iterator[tuple[ProgramResult, int]]:
        """Read all cells, and yield the results of stored programs and of cells with errors."""
        known: dict[int, tuple[Any, bytes]] = {}
        robots = KnownRobots()
        for count, source in enumerate(sources):
            self._progress(count, len(sources), "reading cells")
            if source.key in self._left:
                continue
            left = self._left[source.key] = deque()
            try:
                cell = source.read(robots)
                programs = source.programs(cell)
            except KeepclearError as error:
                yield source.result(None, failure=str(error), failure_code=BAD_INPUT), 1
                continue
            self._cells[source.key], self._n[source.key] = cell, len(programs)
            content = CellContent(cell, known) if self._store is not None else None
            for program in programs:
                key = b"" if content is None else content.key(program, self._options)
                left.append(_Program(source, program, key))
            self._look_up(list(left))
            yield from self._in_order(source.key)

    def _look_up(self, programs: Sequence[_Program]) -> None:
        """Take the stored reports of a cell's programs; all other programs become tasks."""
        stored = {} if self._store is None else self._store.find(PROGRAM, [one.key for one in programs])
        rows = []
        for number, one in enumerate(programs, len(self._programs)):
            if one.key in stored:
                report = decode_report(stored[one.key])
                self._set(number, one, report, stored=int(report.statistics.get("pairs", 0)))
                rows.append(one.row(report))
            else:
                self._tasks.append((one.source.key, ProgramTask(number, one.name)))
        self._programs += programs
        if self._store is not None:
            self._store.keep_all([], rows if self._is_last else [])

    def _set(self, number: int, one: _Program, report: Report | None = None, **about: Any) -> None:
        one.result = one.source.result(one.name, report, **about)
        self._known.add(number)

    def compute(self, executor: Executor, timeout: float | None) -> Iterator[tuple[ProgramResult, int]]:
        """Yield the results of all tasks, computed by an executor."""
        place = None if self._store is None else (socket.gethostname(), str(self._store.path.absolute()))
        jobs = list(make_jobs(self._cells, self._tasks, Part((), self._options, place)))
        if not jobs:
            return
        again: list[Job] = []
        yield from self._run_jobs(jobs, executor, timeout, again)
        if again:  # a single program of these jobs caused the failure
            yield from self._run_jobs(again, executor, timeout, [])

    def _run_jobs(
        self, jobs: Sequence[Job], executor: Executor, timeout: float | None, again: list[Job]
    ) -> Iterator[tuple[ProgramResult, int]]:
        """Yield the results of jobs; a failed job of several programs becomes one job per program in `again`."""
        for outcome in executor.map(run_job, jobs, self._cells, timeout=timeout):
            tasks = outcome.job.arguments.tasks
            if outcome.kind == "done":
                self._keep(outcome.value)
            elif len(tasks) > 1:
                again += single_jobs(outcome.job)
            else:
                one = self._programs[tasks[0].number]
                one.parts.clear()
                code = LATE if outcome.kind == "late" else FAILED
                self._set(tasks[0].number, one, failure=outcome.failure, failure_code=code)
            self._progress(len(self._known), len(self._programs), outcome.job.name)
            yield from self._in_order(outcome.job.shared)

    def _keep(self, found: list[Done]) -> None:
        """Write the findings of a job to the store, and set its results."""
        reports = {one.task.number: decode_report(one.report) for one in found if one.report}
        if self._store is not None:
            rows = [row for one in found for row in kept_rows(one)]
            keys = {one.task.number: one.key for one in found}
            last = [self._programs[number].row(report, keys[number]) for number, report in reports.items()]
            self._store.keep_all(rows, last if self._is_last else [])
        self._new.update(key[:SHORT] for one in found for rows in one.rows.values() for key in rows)
        for done in found:
            number, (_, n) = done.task.number, done.task.part
            program = self._programs[number]
            if done.failure:
                self._set(number, program, failure=done.failure, failure_code=BAD_INPUT)
            elif n == 1:
                counts = self._counts(reports[number], done.found)
                self._set(number, program, reports[number], **counts, seconds=done.seconds)
            elif program.result is None:
                program.parts.append(done)
                if len(program.parts) == n:
                    self._join(number, program)

    def _join(self, number: int, program: _Program) -> None:
        """Make the report of a program from the pair tasks of its parts."""
        parts, program.parts, begin = program.parts, [], time.process_time()
        known = Known(self._store)
        for part in parts:
            for kind, rows in part.rows.items():
                known.keep(kind, rows)
        report = verify_program(self._cells[program.source.key], program.name, self._options, known)
        if self._store is not None:
            known.keep(PROGRAM, {program.key: encode_report(report)})
            self._store.keep_all(known.rows.items(), [program.row(report)] if self._is_last else [])
        seconds = sum(part.seconds for part in parts) + time.process_time() - begin
        self._set(number, program, report, **self._counts(report, known.found), seconds=seconds)

    def _counts(self, report: Report, found: list[tuple[bytes, ...]]) -> dict[str, Any]:
        """Return how many pairs were proved in this run, and how many the store had from earlier ones."""
        stored = sum(self._new.isdisjoint(keys) for keys in found) if self._store is not None else 0
        return {"computed": int(report.statistics.get("pairs", 0)) - stored, "stored": stored}

    def _in_order(self, cell: str) -> Iterator[tuple[ProgramResult, int]]:
        """Yield the known results of a cell, up to the first program without one."""
        left = self._left[cell]
        while left and (result := left[0].result) is not None:
            left.popleft().result = None  # reports of large fleets would fill the memory
            yield result, self._n[cell]
