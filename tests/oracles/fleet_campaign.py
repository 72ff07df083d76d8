"""Guarantees of fleets under faults: `python -m tests.oracles.fleet_campaign --programs 1000 --seed 0`.

Parts: executors (the same bytes from each), kills (of workers, schedulers and clients), jobs (that fail), stores (that
are damaged, shared, and in other hands). One line for each finding, and exit code 1 if any is a fault. Linux only.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.fleet_cells import write_fleet
from tests.oracles import store_campaign
from tests.oracles.dask_processes import DaskProcesses, with_project
from tests.oracles.fleet_faults import Faulty
from tests.oracles.fleet_runs import (
    Command,
    Findings,
    Fleet,
    digest,
    digests,
    disturbed,
    integrity,
    kill_worker,
    resume,
    stored,
)

import keepclear as kc
from keepclear.jobs.executors.executor import Executor

KILLS = 10  # of workers, with each executor
CLIENT_KILLS = 5
LATE = 60.0  # the time limit of jobs with faults [s]
MEMORY = "1GB"  # of workers with a nanny
REASONS = {
    "raise": "ValueError: planted", "hang": "it took more than", "memory": "MemoryError", "die": "died", "grow": "died",
}  # fmt: skip


def executors(fleet: Fleet, findings: Findings, rng: random.Random) -> None:
    """One process, four processes and a cluster with two workers, with cells in any order: the same bytes."""
    ways: list[tuple[str, Executor]] = [
        ("InProcess()", kc.executors.InProcess()),
        ("Processes(4)", kc.executors.Processes(4)),
        ("Dask(workers=2)", kc.executors.Dask(workers=2)),
    ]
    for label, executor in ways:
        results = list(kc.fleet.verify_programs(fleet.shuffled(rng), executor))
        fleet.compare(findings, f"{label}, cells shuffled", results)


def kills(fleet: Fleet, findings: Findings, rng: random.Random) -> None:
    """Workers, schedulers and clients killed at random times."""
    _kill_workers(fleet, findings, rng)
    _kill_dask_workers(fleet, findings, rng)
    _kill_scheduler(fleet, findings, rng)
    _kill_clients(fleet, findings, rng)


def _kill_workers(fleet: Fleet, findings: Findings, rng: random.Random) -> None:
    n = itertools.count()
    store = fleet.folder / "workers.db"
    run = kc.fleet.verify_programs(fleet.cells, kc.executors.Processes(4), store)

    def kill() -> bool:
        return kill_worker(rng) and next(n) >= 0

    results = list(disturbed(run, fleet.n, kill, KILLS, rng))
    _disturbed_results(fleet, findings, f"Processes(4), {next(n)} workers killed", results, store)


def _kill_dask_workers(fleet: Fleet, findings: Findings, rng: random.Random) -> None:
    n = itertools.count()
    store = fleet.folder / "dask_workers.db"
    with DaskProcesses(2) as cluster:

        def kill() -> bool:
            cluster.replace_worker(rng.randrange(2))
            return next(n) >= 0

        run = kc.fleet.verify_programs(fleet.cells, kc.executors.Dask(cluster.address), store)
        results = list(disturbed(run, fleet.n, kill, KILLS, rng))
    _disturbed_results(fleet, findings, f"Dask, {next(n)} of two workers killed and replaced", results, store)


def _disturbed_results(
    fleet: Fleet, findings: Findings, label: str, results: list[kc.fleet.ProgramResult], store: Path
) -> None:
    """Check the results of a run with kills: a job that was killed twice has failed by name, and nothing else has."""
    failed = [one for one in results if one.report is None]
    if failed:
        named = all("died" in one.failure and one.failure_code == 4 for one in failed)
        findings.check(
            named, f"{label}: {len(failed)} programs of jobs that were hit twice have failed by name"
        )
        findings.check(
            stored(store) == {one.name for one in results if one.report is not None},
            f"{label}: the store has all others",
        )
    else:
        fleet.compare(findings, label, results)
    resume(fleet, findings, label, store)


def _kill_scheduler(fleet: Fleet, findings: Findings, rng: random.Random) -> None:
    store = fleet.folder / "scheduler.db"
    with DaskProcesses(2) as cluster:
        command = Command(fleet, "--cluster", cluster.address, "--store", str(store))
        is_running = command.wait_for(rng.randrange(1, max(fleet.n // 2, 2)))
        time.sleep(rng.uniform(0.0, 0.5))
        cluster.scheduler.kill()
        code = command.end()
    gone = "keepclear: the scheduler is gone; start it, and run again. With a store, finished jobs are not repeated.\n"
    said = command.errors.count(gone) == 1  # beside the lines about progress
    findings.check(
        is_running and said and code in (1, 4) and "Traceback" not in "".join(command.errors),
        f"the scheduler is killed under `keepclear verify --cluster`: exit code {code}, one line says so",
    )
    with DaskProcesses(2) as cluster:
        resume(fleet, findings, "the scheduler is killed", store, kc.executors.Dask(cluster.address))


def _kill_clients(fleet: Fleet, findings: Findings, rng: random.Random) -> None:
    store, written = fleet.folder / "clients.db", fleet.folder / "clients.json"
    known: set[str] = set()
    with DaskProcesses(2) as cluster:
        for k in range(CLIENT_KILLS):
            where = ("--cluster", cluster.address) if k % 2 else ("--processes", "4")
            command = Command(fleet, *where, "--store", str(store))
            first = len(known) + rng.randrange(1, max(fleet.n // (2 * CLIENT_KILLS), 2))
            is_running = command.wait_for(first)
            time.sleep(rng.uniform(0.0, 0.5))
            left = command.kill()
            found, is_whole = stored(store), integrity(store) == "ok"
            label = f"client {k + 1} ({' '.join(where[:1])}) is killed after {len(command.lines)} lines"
            findings.check(
                is_running and known <= found and len(found) >= min(len(command.lines), fleet.n) and is_whole,
                f"{label}: the store has {len(found)} programs, {len(known - found)} of {len(known)} before are lost",
            )
            findings.check(left == 0, f"{label}: {left} workers stay")
            known = found
    resume(fleet, findings, f"{CLIENT_KILLS} clients are killed", store, kc.executors.Processes(2))
    command = Command(fleet, "--store", str(store), "--json", str(written))
    code = command.end()
    pairs = next((line for line in command.lines if "proved in this run" in line), "").strip()
    same = written.exists() and digest(written.read_text()) == fleet.whole
    findings.check(
        code == 1 and ": 0 proved in this run" in pairs and same,
        f"`keepclear verify --store --json` takes all from the store: {pairs}; its JSON is the undisturbed one",
    )


def jobs(fleet: Fleet, findings: Findings, rng: random.Random) -> None:
    """Jobs that raise, hang, die and need too much memory: the others finish, and failed ones are named."""
    _failing(
        fleet, findings, rng, "Processes(2)", kc.executors.Processes(2), ("raise", "hang", "die", "memory")
    )
    with DaskProcesses(2, memory=MEMORY, failures=1) as cluster:
        label = f"Dask, workers with a nanny and {MEMORY}"
        executor = kc.executors.Dask(cluster.address)
        _failing(fleet, findings, rng, label, executor, ("raise", "hang", "die", "grow"))
    _exit_codes(findings)


def _failing(
    fleet: Fleet,
    findings: Findings,
    rng: random.Random,
    label: str,
    executor: Executor,
    faults: tuple[str, ...],
) -> None:
    places = [name.split(" ", 1) for name in rng.sample(sorted(fleet.expected), len(faults))]
    planted = {(cell, program): fault for (cell, program), fault in zip(places, faults, strict=True)}
    store = fleet.folder / f"failing_{len(label)}.db"
    wrapped = Faulty(executor, planted)
    results = list(kc.fleet.verify_programs(fleet.cells, wrapped, store, timeout=LATE))
    failed = {one.name: one for one in results if one.report is None}
    right: set[str] = set()
    for name, fault in wrapped.hit().items():
        job = wrapped.jobs[name]
        hit = [f"{job.shared} {task.program}" for task in job.arguments.tasks]
        right |= set(hit)
        texts = {failed[one].failure for one in hit if one in failed}
        codes = {failed[one].failure_code for one in hit if one in failed}
        is_right = all(REASONS[fault] in text for text in texts)
        is_right &= len(texts) == 1 and codes == {3 if fault == "hang" else 4}
        findings.check(
            is_right, f"{label}, {fault}: {len(hit)} programs fail by name: {' '.join(texts)[-120:]}"
        )
    same = sum(found == fleet.expected[name] for name, found in digests(results).items())
    findings.check(
        set(failed) == right and same == fleet.n - len(right) and len(results) == fleet.n,
        f"{label}: the other {same} programs are as in the undisturbed run, {len(set(failed) - right)} more failed",
    )
    rest = [one for one in results if one.verdict is not kc.Verdict.COLLIDING]
    found = kc.fleet.FleetReport(results).exit_code(), kc.fleet.FleetReport(rest).exit_code()
    findings.check(
        found == (1, 4), f"{label}: exit code {found[0]}, and {found[1]} without programs that collide"
    )
    resume(fleet, findings, label, store, kc.executors.Processes(2))


CELL = """\
objects:
  ball: {{sphere: 0.1}}
  wall: {{box: [0.2, 1, 1], position: [{wall}, 0, 0]}}
programs:
  go: {{ball: {{times: [0, 1], positions: [[0, 0, 0], [0.4, 0, 0]], interpolation: linear}}}}
"""


def _exit_codes(findings: Findings) -> None:
    """All mixtures of a contact, a failed job, bad input and a time limit, by the command."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for cell in ("clear", "failed", "late"):
            (folder / f"{cell}.yaml").write_text(CELL.format(wall=0.75))
        (folder / "contact.yaml").write_text(CELL.format(wall=0.5))
        (folder / "bad.yaml").write_text("objects:\n  ball: {sphere: -1}\n")
        codes = {"contact": 1, "failed": 4, "bad": 2, "late": 3}
        planted = [[str(folder / "failed.yaml"), "go", "raise"], [str(folder / "late.yaml"), "go", "hang"]]
        wrong = []
        for n in range(len(codes) + 1):
            for chosen in itertools.combinations(codes, n):
                cells = [str(folder / f"{cell}.yaml") for cell in ("clear", *chosen)]
                command = [
                    sys.executable,
                    "-m",
                    "tests.oracles.fleet_faults",
                    json.dumps(planted),
                    "verify",
                    *cells,
                ]
                done = subprocess.run(
                    [*command, "--processes", "2", "--timeout", "10"], env=with_project(), capture_output=True,
                    text=True, check=False,
                )  # fmt: skip
                expected = next((codes[one] for one in codes if one in chosen), 0)
                named = all(f"{one}.yaml" in done.stderr for one in chosen if one != "contact")
                if done.returncode != expected or not named or "Traceback" in done.stderr:
                    wrong.append(f"{chosen}: {done.returncode} {done.stderr[-200:]}")
        findings.check(
            not wrong, f"exit codes of 16 mixtures by the command: {len(wrong)} wrong {wrong[:2] or ''}"
        )


def stores(_: Fleet, findings: Findings, rng: random.Random) -> None:
    """Stores that are shared, killed, damaged, and in other hands."""
    store_campaign.campaign(findings, rng.randrange(1 << 30))


PARTS = {"executors": executors, "kills": kills, "jobs": jobs, "stores": stores}


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; may be repeated")
    given = parser.parse_args()
    findings = Findings()
    with tempfile.TemporaryDirectory() as name:
        chosen = given.part or list(PARTS)
        fleet = Fleet(Path(name), [], {}, "")
        if chosen != ["stores"]:
            cells = write_fleet(Path(name), given.programs, seed=given.seed)
            fleet = Fleet.verified(Path(name), cells)
            findings.say(f"undisturbed, in one process: {fleet.n} programs, fleet {fleet.whole[:12]}")
        for part in chosen:
            findings.say(f"part {part}")
            PARTS[part](fleet, findings, random.Random(f"{given.seed} {part}"))
    findings.say(f"{findings.n} findings, {findings.n_faults} faults")
    sys.exit(findings.n_faults > 0)


if __name__ == "__main__":
    main()
