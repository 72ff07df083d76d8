"""A Dask cluster of separate processes, of which each can be killed and replaced."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

PROJECT = Path(__file__).parents[2]
START = 60.0  # seconds until a scheduler listens


def with_project() -> dict[str, str]:
    """Return the environment of processes that find the modules of this project."""
    paths = [str(PROJECT / "src"), str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}


class DaskProcesses:
    """A scheduler and workers with one thread each, as processes of this machine.

    Args:
        n_workers: How many workers.
        memory: Their limit such as "400MB", by a nanny that ends them; "": no limit, and no nanny.
        failures: How often a task may lose its worker, as the scheduler counts.
    """

    def __init__(self, n_workers: int, *, memory: str = "", failures: int = 3) -> None:
        self._memory, self._failures = memory, failures
        self._folder = tempfile.TemporaryDirectory()
        self._log = (Path(self._folder.name) / "log").open("wb")
        self.address = ""
        self.scheduler = self._start_scheduler()
        self.workers = [self.start_worker() for _ in range(n_workers)]

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        file = Path(self._folder.name) / "address"
        process = self._process(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
        )
        until = time.monotonic() + START
        while not file.exists() or '"address"' not in (text := file.read_text()):
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError("the scheduler does not start")
            time.sleep(0.05)
        self.address = text.split('"address": "')[1].split('"')[0]
        return process

    def start_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker, and return its process; that of its nanny where memory is limited."""
        kind = ["--memory-limit", self._memory] if self._memory else ["--no-nanny", "--memory-limit", "0"]
        return self._process(
            "worker", self.address, "--nthreads", "1", "--no-dashboard", "--death-timeout", "60",
            "--local-directory", self._folder.name, *kind,
        )  # fmt: skip

    def _process(self, *arguments: str) -> subprocess.Popen[bytes]:
        environment = with_project() | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(self._failures)}
        command = [sys.executable, "-m", "dask", *arguments]
        return subprocess.Popen(command, env=environment, stdout=self._log, stderr=self._log)

    def replace_worker(self, number: int) -> None:
        """Kill a worker, and start another one."""
        self.workers[number].kill()
        self.workers[number].wait()
        self.workers[number] = self.start_worker()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in (*self.workers, self.scheduler):
            process.terminate()
        for process in (*self.workers, self.scheduler):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._log.close()
        self._folder.cleanup()
