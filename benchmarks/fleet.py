"""A fleet of Panda programs: the same bytes from every executor, overhead per job, and what a change costs.

`python -m benchmarks fleet --programs 1000`; fewer programs by default. Wall times need an idle machine.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from pathlib import Path
from typing import Any

import keepclear as kc
from benchmarks.fleet_cells import write_fleet
from keepclear.fleet.jobs import Part, ProgramTask, make_jobs, run_job

PROGRAMS = 80
EXECUTORS = {
    "in process": kc.executors.InProcess,
    "1 process": lambda: kc.executors.Processes(1),
    "2 processes": lambda: kc.executors.Processes(2),
    "4 processes": lambda: kc.executors.Processes(4),
    "Dask, 2 workers": lambda: kc.executors.Dask(workers=2),
}


def main(options: list[str] | None = None) -> None:
    """Print all tables."""
    n = int(options[1]) if options and options[0] == "--programs" else PROGRAMS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_fleet(folder, n)
        begin = time.perf_counter()
        cells = [kc.read_cell(path) for path in paths]
        print(f"\n{n} programs in {len(cells)} cells, read in {time.perf_counter() - begin:.2f} s")
        _print_overhead(cells)
        _print_executors(cells)
        _print_changes(folder, paths)


def _print_overhead(cells: list[kc.Cell]) -> None:
    """Print what a job costs beyond the verification of its programs, in this process."""
    some = cells[:4]
    list(kc.verify_programs(some))  # hulls and kernels
    tasks = [(str(k), ProgramTask(0, name)) for k, cell in enumerate(some) for name in cell.programs]
    options = {"contacts": "first", "clearances": True, "threads": 1}
    shared = {str(k): cell for k, cell in enumerate(some)}
    jobs = list(make_jobs(shared, tasks, Part((), options, None)))
    plain = as_jobs = 1e9
    for _ in range(3):
        begin = time.process_time()
        for cell, task in tasks:
            world = shared[cell].world(task.program)
            report = world.verify(tolerance=shared[cell].tolerance, far=shared[cell].far, **options)
            dict(report.records.points)  # a report that is written has its closest points
        plain = min(plain, time.process_time() - begin)
        begin = time.process_time()
        for job in jobs:
            run_job(shared[job.shared], job.arguments)
        as_jobs = min(as_jobs, time.process_time() - begin)
    extra, each = 1e3 * (as_jobs - plain) / len(jobs), 1e3 * plain / len(jobs)
    print(f"\n{len(jobs)} jobs of {each:.1f} ms; overhead {extra:.2f} ms of process time for each")


def _print_executors(cells: list[kc.Cell]) -> None:
    """Print wall times and a digest of all findings for each executor."""
    print(f"\n{'executor':18} {'wall':>8} {'work':>8} {'programs/s':>11}  findings")
    for name, make in EXECUTORS.items():
        begin = time.perf_counter()
        results = list(kc.verify_programs(cells, make()))
        wall = time.perf_counter() - begin
        work = sum(one.seconds for one in results)
        print(f"{name:18} {wall:7.2f}s {work:7.2f}s {len(results) / wall:11.1f}  {_digest(results)}")


def _print_changes(folder: Path, paths: list[Path]) -> None:
    """Print what a second run costs after one waypoint, and after one fixture, has changed."""
    store = folder / "results.db"

    def run(what: str) -> None:
        cells = [kc.read_cell(path) for path in paths]
        begin = time.perf_counter()
        results = list(kc.verify_programs(cells, store=store))
        wall, whole = time.perf_counter() - begin, sum(one.seconds == 0.0 for one in results)
        computed, stored = sum(one.computed for one in results), sum(one.stored for one in results)
        equal = _digest(results) == _digest(list(kc.verify_programs(cells)))
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


def _digest(results: list[kc.ProgramResult]) -> str:
    """Return a digest of all findings, in the order of names."""
    found = hashlib.sha256()
    for one in sorted(results, key=lambda one: one.name):
        found.update(one.name.encode())
        found.update(
            one.failure.encode() if one.report is None else one.report.to_json(effort=False).encode()
        )
    return found.hexdigest()[:12]
