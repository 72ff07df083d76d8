"""Jobs that raise, hang, die or need too much memory, planted in a fleet without a change of the library.

`python -m tests.oracles.fleet_faults FAULTS verify ...` is `keepclear verify ...` with faults in its processes.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from keepclear.executors import Processes
from keepclear.jobs.cell.cell import Cell
from keepclear.jobs.executors.executor import Executor, Job, Outcome, Work
from keepclear.jobs.fleet.jobs import Part

HANG = 3600.0
Faults = Mapping[tuple[str, str], str]
"""What happens to a program, by the path of its cell and its name."""


def plant(fault: str) -> None:
    """Do what a fault does."""
    if fault == "raise":
        raise ValueError("planted")
    if fault == "hang":
        time.sleep(HANG)
    if fault == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "memory":  # the limit stays with the worker
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize(),) * 2)
        np.ones(1 << 26)
    if fault == "grow":  # until the nanny of a worker ends it
        kept = []
        for _ in range(400):
            kept.append(np.ones(1 << 21))
            time.sleep(0.05)


def faulty(work: Work, faults: Faults, cell: Cell, part: Part) -> Any:
    """Do a job, or what is planted in one of its programs."""
    for task in part.tasks:
        plant(faults.get((str(cell.path), task.program or ""), ""))
    return work(cell, part)


class Faulty:
    """An executor with faults in some programs.

    Attributes:
        jobs: The jobs that it was given, by name.
    """

    def __init__(self, executor: Executor, faults: Faults) -> None:
        self._executor, self._faults = executor, faults
        self.jobs: dict[str, Job] = {}

    def map(
        self, work: Work, jobs: Sequence[Job], shared: Mapping[str, Any], *, timeout: float | None = None
    ) -> Iterator[Outcome]:
        """Give the outcome of each job; see `Executor.map`."""
        self.jobs |= {job.name: job for job in jobs}
        yield from self._executor.map(partial(faulty, work, self._faults), jobs, shared, timeout=timeout)

    def hit(self) -> dict[str, str]:
        """Return the names of jobs that have a fault, with what it is: in the end each is a job of one program."""
        return {
            name: self._faults[job.shared, job.arguments.tasks[0].program or ""]
            for name, job in self.jobs.items()
            if len(job.arguments.tasks) == 1
            and (job.shared, job.arguments.tasks[0].program or "") in self._faults
        }


def main() -> None:
    """Run a command with faults: a JSON list of [cell, program, fault]."""
    from tests.oracles import fleet_faults  # whose functions other processes find

    from keepclear.__main__ import run

    faults = {(cell, program): fault for cell, program, fault in json.loads(sys.argv[1])}
    plain = Processes.map

    def planted(self: Processes, work: Work, jobs: Any, shared: Any, *, timeout: Any = None) -> Any:
        return plain(self, partial(fleet_faults.faulty, work, faults), jobs, shared, timeout=timeout)

    Processes.map = planted  # type: ignore[method-assign]
    sys.argv = ["keepclear", *sys.argv[2:]]
    run()


if __name__ == "__main__":
    main()
