"""A fleet of Panda programs: the same bytes from every executor, costs per job and message, and the cost of a change.

`python -m benchmarks fleet --programs 1000`; fewer programs by default. `--part` selects one of overhead, executors,
messages and changes. Wall times need an idle machine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keepclear as kc
from benchmarks.fleet_cells import write_fleet
from keepclear.jobs.cell.building import KnownRobots
from keepclear.jobs.executors.executor import Executor, Job
from keepclear.jobs.fleet.jobs import Part, ProgramTask, make_jobs, run_job
from keepclear.jobs.fleet.run import sources_of
from keepclear.jobs.store.reports import decode_report, encode_report

PROGRAMS, MESSAGES, ROUNDS = 80, 300, 3
EXECUTORS: dict[str, tuple[int, Callable[[], Executor]]] = {
    "in process": (1, kc.executors.InProcess),
    "1 process": (1, lambda: kc.executors.Processes(1)),
    "2 processes": (2, lambda: kc.executors.Processes(2)),
    "4 processes": (4, lambda: kc.executors.Processes(4)),
    "Dask, 1 worker": (1, lambda: kc.executors.Dask(workers=1)),
    "Dask, 2 workers": (2, lambda: kc.executors.Dask(workers=2)),
}
OPTIONS = {"contacts": "first", "clearances": True, "threads": 1}
PARTS = ("overhead", "executors", "messages", "changes")


def main(options: list[str] | None = None) -> None:
    """Print all tables, or the one of a part."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks fleet")
    parser.add_argument("--programs", type=int, default=PROGRAMS)
    parser.add_argument("--part", choices=PARTS)
    given = parser.parse_args(options or [])
    parts = PARTS if given.part is None else (given.part,)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_fleet(folder, given.programs)
        begin = time.perf_counter()
        cells = _read(paths)
        print(
            f"\n{given.programs} programs in {len(cells)} cells, read in {time.perf_counter() - begin:.2f} s"
        )
        if "overhead" in parts:
            _print_overhead(cells)
        if "executors" in parts:
            _print_executors(cells)
        if "messages" in parts:
            _print_messages(cells)
        if "changes" in parts:
            _print_changes(folder, paths)


def _read(paths: list[Path]) -> list[kc.Cell]:
    """Return the cells as a run reads them: robots that they share once."""
    robots = KnownRobots()
    return [source.read(robots) for source in sources_of(paths)]


def _print_overhead(cells: list[kc.Cell]) -> None:
    """Print what a job costs beyond the verification of its programs, in this process."""
    some = cells[:8]
    list(kc.fleet.verify_programs(some))  # hulls and kernels
    tasks = [(str(k), ProgramTask(0, name)) for k, cell in enumerate(some) for name in cell.programs]
    shared = {str(k): cell for k, cell in enumerate(some)}
    jobs = list(make_jobs(shared, tasks, Part((), OPTIONS, None)))
    plain = as_jobs = 1e9
    for _ in range(ROUNDS):
        begin = time.process_time()
        for cell, task in tasks:
            with shared[cell].world(task.program) as world:
                report = world.verify(tolerance=shared[cell].tolerance, far=shared[cell].far, **OPTIONS)
            dict(report.records.points), dict(report.records.contacts)  # as in every report that is written
        plain = min(plain, time.process_time() - begin)
        begin = time.process_time()
        for job in jobs:
            run_job(shared[job.shared], job.arguments)
        as_jobs = min(as_jobs, time.process_time() - begin)
    extra, each = 1e3 * (as_jobs - plain) / len(jobs), 1e3 * plain / len(jobs)
    programs = len(tasks) / len(jobs)
    print(
        f"\n{len(jobs)} jobs of {programs:.1f} programs and {each:.1f} ms; overhead {extra:.2f} ms of process time each"
    )


def _print_executors(cells: list[kc.Cell]) -> None:
    """Print wall times and a digest of all findings for each executor.

    Efficiency is the process time of the jobs divided by the time that all workers have had since the first result.
    """
    print(
        f"\n{'executor':16} {'wall':>8} {'first':>7} {'work':>8} {'efficiency':>11} {'programs/s':>11}  findings"
    )
    for name, (n, make) in EXECUTORS.items():
        begin, first, results, early = time.perf_counter(), 0.0, [], 0.0
        for one in kc.fleet.verify_programs(cells, make()):
            if not results:
                first = time.perf_counter() - begin
                early = n * one.seconds
            results.append(one)
        wall = time.perf_counter() - begin
        work = sum(one.seconds for one in results)
        rate, efficiency = len(results) / wall, (work - early) / (n * (wall - first))
        print(
            f"{name:16} {wall:7.2f}s {first:6.2f}s {work:7.2f}s {efficiency:11.2f} {rate:11.1f}  {_digest(results)}"
        )


def nothing(_: object, arguments: object) -> object:
    """Return the arguments: a job that is all overhead."""
    return arguments


def _print_messages(cells: list[kc.Cell]) -> None:
    """Print what the client needs for a job: for its message, and for each report that comes back."""
    content = b"x" * 30_000  # about what the reports of ten programs take
    jobs = [Job(f"job {k}", "s", content) for k in range(MESSAGES)]
    print(f"\n{'executor':16} {'wall per empty job':>19} {'client CPU':>11}")
    for name, (_, make) in EXECUTORS.items():
        begin, cpu, last = 0.0, 0.0, 0
        for k, _ in enumerate(make().map(nothing, jobs, {"s": 0})):
            if k == MESSAGES // 10:  # after the start of the workers
                begin, cpu = time.perf_counter(), time.process_time()
            last = k
        n = last - MESSAGES // 10
        wall, used = time.perf_counter() - begin, time.process_time() - cpu
        print(f"{name:16} {1e3 * wall / n:16.2f} ms {1e3 * used / n:8.2f} ms")
    reports = [one.report for one in kc.fleet.verify_programs(cells[:2]) if one.report is not None]
    encoded = [encode_report(report) for report in reports]
    begin = time.process_time()
    for one in encoded * 10:
        decode_report(one)
    each = (time.process_time() - begin) / (10 * len(encoded))
    print(
        f"a report takes {sum(map(len, encoded)) / len(encoded) / 1e3:.1f} kB and {1e3 * each:.2f} ms to decode"
    )


def _print_changes(folder: Path, paths: list[Path]) -> None:
    """Print what a second run costs after one waypoint, and after one fixture, has changed."""
    store = folder / "results.db"

    def run(what: str) -> None:
        cells = _read(paths)
        begin = time.perf_counter()
        results = list(kc.fleet.verify_programs(cells, store=store))
        wall, whole = time.perf_counter() - begin, sum(one.seconds == 0.0 for one in results)
        computed, stored = sum(one.computed for one in results), sum(one.stored for one in results)
        equal = _digest(results) == _digest(list(kc.fleet.verify_programs(cells)))
        print(f"{what:24} {wall:7.2f}s {whole:9} {computed:10} {stored:10}  {'yes' if equal else 'NO'}")

    print(
        f"\n{'run with a store':24} {'wall':>8} {'programs':>9} {'computed':>10} {'stored':>10}  as a full run"
    )
    run("first")
    run("nothing changed")
    program = sorted(paths[0].parent.glob("*.csv"))[0]
    lines = program.read_text(encoding="utf-8").splitlines()
    values = lines[-1].split(",")
    lines[-1] = ",".join([values[0], *(repr(float(value) + 1e-3) for value in values[1:])])
    program.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run("one waypoint changed")
    text = paths[1].read_text(encoding="utf-8").splitlines()
    k = next(k for k, line in enumerate(text) if "pose:" in line)
    before, _, pose = text[k].partition("pose: ")
    rows: Any = json.loads(pose.rstrip("}"))
    rows[2][3] += 1e-3
    text[k] = f"{before}pose: {rows}}}"
    paths[1].write_text("\n".join(text) + "\n", encoding="utf-8")
    run("one fixture moved")


def _digest(results: list[kc.fleet.ProgramResult]) -> str:
    """Return a digest of all findings, in the order of names."""
    found = hashlib.sha256()
    for one in sorted(results, key=lambda one: one.name):
        found.update(one.name.encode())
        found.update(
            one.failure.encode() if one.report is None else one.report.to_json(effort=False).encode()
        )
    return found.hexdigest()[:12]
