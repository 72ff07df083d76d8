"""Verification of many cells and programs: stored results first, then those of an executor as they finish."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from keepclear.cell.building import KnownRobots
from keepclear.cell.cell import Cell
from keepclear.cell.verify import VerifyOptions, merged, options_of
from keepclear.checks import checked_positive, shown
from keepclear.errors import ArgumentError, CellError, FileMissingError, FleetError, KeepclearError
from keepclear.executors.executor import Executor, InProcess, Job, Outcome
from keepclear.files import MAX_TEXT_SIZE, read_regular_file
from keepclear.fleet.jobs import (
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
from keepclear.fleet.results import NOT_RUN, UNREAD, ProgramResult
from keepclear.fleet.variants import read_variant
from keepclear.report.report import Report
from keepclear.store.database import PROGRAM, ProgramRow, ResultStore
from keepclear.store.reports import decode_report, encode_report
from keepclear.yaml_files import parse_document

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

    def not_run(self, why: str) -> Iterator[ProgramResult]:
        """Yield a result without a report for each program; one for all of them if the cell has not been read."""
        text = f"not run: {why}{'' if self._known is not None else UNREAD}"
        for program in self._known or (None,):
            yield ProgramResult(
                cell=self.cell, program=program or "", variant=self.variant, report=None, failure=text,
                failure_code=NOT_RUN,
            )  # fmt: skip


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
    left: dict[str, list[tuple[str, Report | None]]] = {}
    expected: dict[str, int] = {}
    failed: list[str] = []
    for result, n in _results(sources, executor, store, progress, options, timeout, keep_last, given):
        key = f"{result.cell} [{result.variant}]" if result.variant else result.cell
        left.setdefault(key, []).append((result.program, result.report))
        expected[key] = n
        if result.report is None:
            failed.append(f"{result.name}: {result.failure}")
        if len(left[key]) == expected[key]:
            reports = [report for _, report in left.pop(key) if report is not None]
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


class _Run:
    """The work on a fleet."""

    def __init__(
        self, store: ResultStore | None, options: VerifyOptions, progress: Progress | None, is_last: bool
    ) -> None:
        self._store, self._options, self._is_last = store, options, is_last
        self._progress = progress or (lambda _done, _total, _text: None)
        self._cells: dict[str, Cell] = {}
        self._sources: dict[str, Source] = {}
        self._tasks: list[tuple[str, ProgramTask]] = []
        self._names: list[tuple[str, str | None, bytes]] = []  # of programs by number: cell, program, key
        self._ready: dict[int, ProgramResult] = {}
        self._parts: dict[int, list[Done]] = {}
        self._n: dict[str, int] = {}
        self._given: dict[str, int] = {}
        self._done = 0
        self._new: set[bytes] = set()  # short keys of what this run computed

    def read(self, sources: list[Source]) -> Iterator[tuple[ProgramResult, int]]:
        """Read all cells, and yield the results of stored programs and of cells with errors."""
        known: dict[int, tuple[Any, bytes]] = {}
        robots = KnownRobots()
        for count, source in enumerate(sources):
            self._progress(count, len(sources), "reading cells")
            if source.key in self._sources:
                continue
            self._sources[source.key] = source
            try:
                cell = source.read(robots)
                programs = source.programs(cell)
            except (CellError, FileMissingError, KeepclearError) as error:
                self._n[source.key] = 1
                yield _bad(source, str(error)), 1
                continue
            self._cells[source.key], self._n[source.key] = cell, len(programs)
            content = CellContent(cell, known) if self._store is not None else None
            begin = len(self._names)
            for program in programs:
                key = b"" if content is None else content.key(program, self._options)
                self._names.append((source.key, program, key))
            self._look_up(begin)
            yield from self._in_order(source.key)

    def _look_up(self, begin: int) -> None:
        """Take the stored reports of a cell's programs; all other programs become tasks."""
        names = self._names[begin:]
        stored = {} if self._store is None else self._store.find(PROGRAM, [key for _, _, key in names])
        rows = []
        for number, (cell, program, key) in enumerate(names, begin):
            if key in stored:
                report = decode_report(stored[key])
                n = int(report.statistics.get("pairs", 0))
                self._ready[number] = self._result(number, report, stored=n)
                rows.append(self._row(number, report))
            else:
                self._tasks.append((cell, ProgramTask(number, program)))
        if self._store is not None:
            self._store.keep_all([], rows if self._is_last else [])

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
            if outcome.kind == "done":
                self._keep(outcome.value)
            elif len(outcome.job.arguments.tasks) > 1:
                again += single_jobs(outcome.job)
            else:
                self._fail(outcome)
            self._progress(len(self._ready) + self._done, len(self._names), outcome.job.name)
            yield from self._in_order(outcome.job.shared)

    def _keep(self, found: list[Done]) -> None:
        """Write the findings of a job to the store, and yield its results."""
        reports = {one.task.number: decode_report(one.report) for one in found if one.report}
        if self._store is not None:
            rows = [row for one in found for row in kept_rows(one)]
            programs = [
                self._row(number, reports[number], one.key)
                for one in found
                if (number := one.task.number) in reports
            ]
            self._store.keep_all(rows, programs if self._is_last else [])
        self._new.update(key[:SHORT] for one in found for rows in one.rows.values() for key in rows)
        for one in found:
            number, (_, n) = one.task.number, one.task.part
            if one.failure:
                self._ready[number] = self._result(number, None, failure=one.failure, code=BAD_INPUT)
            elif n == 1:
                counts = self._counts(reports[number], one.found)
                self._ready[number] = self._result(number, reports[number], **counts, seconds=one.seconds)
            elif number not in self._ready:
                parts = self._parts.setdefault(number, [])
                parts.append(one)
                if len(parts) == n:
                    self._join(number)

    def _join(self, number: int) -> None:
        """Make the report of a program from the pair tasks of its parts."""
        parts, begin = self._parts.pop(number), time.process_time()
        cell, program, key = self._names[number]
        known = Known(self._store)
        for part in parts:
            for kind, rows in part.rows.items():
                known.keep(kind, rows)
        report = verify_program(self._cells[cell], program, self._options, known)
        if self._store is not None:
            known.keep(PROGRAM, {key: encode_report(report)})
            programs = [self._row(number, report)] if self._is_last else []
            self._store.keep_all(known.rows.items(), programs)
        seconds = sum(part.seconds for part in parts) + time.process_time() - begin
        counts = self._counts(report, known.found)
        self._ready[number] = self._result(number, report, **counts, seconds=seconds)

    def _counts(self, report: Report, found: list[tuple[bytes, ...]]) -> dict[str, Any]:
        """Return how many pairs were proved in this run, and how many the store had from earlier ones."""
        stored = sum(self._new.isdisjoint(keys) for keys in found) if self._store is not None else 0
        return {"computed": int(report.statistics.get("pairs", 0)) - stored, "stored": stored}

    def _fail(self, outcome: Outcome) -> None:
        """Record that the programs of a job have no report."""
        code = LATE if outcome.kind == "late" else FAILED
        for task in outcome.job.arguments.tasks:
            self._parts.pop(task.number, None)
            self._ready[task.number] = self._result(task.number, None, failure=outcome.failure, code=code)

    def _in_order(self, cell: str) -> Iterator[tuple[ProgramResult, int]]:
        """Yield the known results of a cell, up to the first program without one."""
        first = (
            next(k for k, name in enumerate(self._names) if name[0] == cell) if cell not in self._given else 0
        )
        number = self._given.setdefault(cell, first)
        while number in self._ready and self._names[number][0] == cell:
            self._done += 1
            self._given[cell] = number + 1
            yield self._ready.pop(number), self._n[cell]
            number += 1

    def _row(self, number: int, report: Report, key: bytes | None = None) -> ProgramRow:
        cell, program, own = self._names[number]
        source = self._sources[cell]
        verdict = report.verdict.value
        return ProgramRow(source.cell, program or "", source.variant, key or own, verdict, time.time())

    def _result(
        self, number: int, report: Report | None, *, failure: str = "", code: int = FAILED, **counts: Any
    ) -> ProgramResult:
        cell, program, _ = self._names[number]
        source = self._sources[cell]
        return ProgramResult(
            cell=source.cell, program=program or "", variant=source.variant, report=report, failure=failure,
            failure_code=code, **counts,
        )  # fmt: skip


def _bad(source: Source, text: str) -> ProgramResult:
    """Return the result of a cell that cannot be read."""
    return ProgramResult(
        cell=source.cell,
        program="",
        variant=source.variant,
        report=None,
        failure=text,
        failure_code=BAD_INPUT,
    )
