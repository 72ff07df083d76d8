"""Jobs on a Dask cluster: a running scheduler, or a temporary cluster on this machine."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keepclear.checks import shown
from keepclear.errors import ArgumentError, FleetError, MissingPackageError
from keepclear.jobs.executors.executor import Job, Outcome, Work, check_guarded, failure_text, guard_error
from keepclear.jobs.store.version import versions

TOPIC = "keepclear-late"  # topic of the events that workers log before they exit
CONNECT = 20.0  # seconds to connect to a scheduler
GONE = 20.0  # seconds without a scheduler before a run ends
POLL = 0.5  # seconds between two checks of the connection to the scheduler
SCHEDULER_GONE = (
    "the scheduler is gone; start it, and run again. With a store, finished jobs are not repeated."
)


class Dask:
    """Jobs on a Dask cluster; the extra "cluster" installs Dask.

    Cells are sent to each worker once, as results of tasks, so that no cell is lost when a worker dies. Workers
    must have the same version of keepclear and of its kernels as this process.

    Args:
        address: The address of the scheduler, such as "tcp://10.0.0.1:8786"; None: a cluster is started on this
            machine and ends with the run.
        workers: The number of workers of a cluster on this machine; None: one for each processor.

    Examples:
        >>> import keepclear as kc
        >>> kc.executors.Dask("tcp://10.0.0.1:8786")
        Dask('tcp://10.0.0.1:8786')
    """

    def __init__(self, address: str | None = None, *, workers: int | None = None) -> None:
        if address is not None and (not isinstance(address, str) or "://" not in address):
            raise ArgumentError(
                f"Dask: the address must be a text such as 'tcp://10.0.0.1:8786', but it is {shown(address)}."
            )
        if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
            raise ArgumentError(f"Dask: workers must be an integer from 1 on, but it is {shown(workers)}.")
        self.address, self.workers = address, workers

    def __repr__(self) -> str:
        return f"Dask({self.address!r})" if self.address is not None else f"Dask(workers={self.workers})"

    def map(
        self, work: Work, jobs: Sequence[Job], shared: Mapping[str, Any], *, timeout: float | None = None
    ) -> Iterator[Outcome]:
        """Yield the outcome of each job as soon as it ends; see `Executor.map`.

        Raises:
            FleetError: There is no scheduler, its connection is lost, or a worker has another version; or no cluster
                starts here, as in a script without `if __name__ == "__main__":`.
            MissingPackageError: Dask is not installed.
        """
        with self._connected() as client:
            _check_versions(client)
            run = _Run(client, work, jobs, shared, timeout)
            try:
                yield from run.outcomes()
            finally:
                run.end()

    @contextlib.contextmanager
    def _connected(self) -> Iterator[Any]:
        """Connect to the scheduler, or start a cluster."""
        try:
            import dask
            from distributed import Client, LocalCluster
        except ImportError as cause:
            raise MissingPackageError(
                'Dask is not installed; install it with: pip install "keepclear[cluster]"'
            ) from cause
        if self.address is None:
            check_guarded("Dask Worker process")
            with dask.config.set({"distributed.scheduler.allowed-failures": 1}):
                try:
                    cluster = LocalCluster(
                        n_workers=self.workers, threads_per_worker=1, processes=True, dashboard_address=None,
                        silence_logs=50, scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                    )  # fmt: skip
                except RuntimeError as cause:
                    text = f"no cluster starts on this machine ({failure_text(cause)}). "
                    raise guard_error(f"{text}If its workers print nothing: ") from cause
                with cluster, Client(cluster) as client:
                    yield client
            return
        try:
            client = Client(self.address, timeout=CONNECT)
        except (OSError, TimeoutError, ValueError) as cause:
            raise FleetError(f"no scheduler answers at {self.address}: {failure_text(cause)}.") from cause
        with _closing(client):
            yield client


@contextlib.contextmanager
def _closing(client: Any) -> Iterator[None]:
    """Close a client at the end; if its scheduler is gone, Dask's log messages about it are suppressed."""
    try:
        yield
    finally:
        logger = logging.getLogger("distributed.client")
        level = logger.level
        logger.setLevel(level if client.status == "running" else logging.CRITICAL)
        try:
            client.close()
        finally:
            logger.setLevel(level)


def _check_versions(client: Any) -> None:
    """Raise if a worker has other versions than this process."""
    mine = versions()
    try:
        client.wait_for_workers(1, timeout=CONNECT)
        found = client.run(versions)
    except TimeoutError as cause:
        raise FleetError("the cluster has no workers; start some with: dask worker ADDRESS") from cause
    except Exception as cause:
        raise FleetError(f"workers cannot run keepclear: {failure_text(cause)}; install it there.") from cause
    for worker, theirs in found.items():
        if text := _difference(mine, theirs):
            raise FleetError(
                f"worker {worker} is refused: {text}; install the same version there, or stop it."
            )


def _difference(mine: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """Return how two versions differ; "" if they are equal."""
    return "; ".join(
        f"its {name} are {theirs.get(name)!r}, and {value!r} here"
        for name, value in mine.items()
        if theirs.get(name) != value
    )


class _Run:
    """The work on a list of jobs."""

    def __init__(
        self, client: Any, work: Work, jobs: Sequence[Job], shared: Mapping[str, Any], timeout: float | None
    ) -> None:
        self._client, self._work, self._timeout = client, work, timeout
        self._ended: queue.Queue[Any] = queue.Queue()
        self._jobs: dict[str, tuple[Job, Any]] = {}
        self._late: set[str] = set()
        self._suspects: list[Job] = []
        self._mine = versions()
        client.subscribe_topic(TOPIC, self._note_late)
        self._content = shared
        self._shared = {key: self._share(shared[key]) for key in sorted({job.shared for job in jobs})}
        self._waiting = list(jobs)

    def outcomes(self) -> Iterator[Outcome]:
        """Run all jobs; a job whose worker died with other jobs in its queue runs once more, alone."""
        for job in self._waiting:
            self._submit(job)
        while self._jobs:
            yield from self._next(is_alone=False)
        for job in self._suspects:
            self._submit(job)
            while self._jobs:
                yield from self._next(is_alone=True)

    def _share(self, content: Any) -> Any:
        """Return the future of a cell that jobs share: the result of a task, which a scheduler can compute again.

        Data that is scattered to a worker would be lost with it.
        """
        return self._client.submit(_itself, content, pure=False)

    def _submit(self, job: Job) -> None:
        if self._shared[job.shared].status == "error":  # other jobs killed the workers it was on
            self._shared[job.shared] = self._share(self._content[job.shared])
        future = self._client.submit(
            _run, self._work, self._shared[job.shared], job.arguments, self._mine, self._timeout, pure=False
        )
        self._jobs[future.key] = job, future
        future.add_done_callback(self._ended.put)

    def _next(self, *, is_alone: bool) -> Iterator[Outcome]:
        """Yield the outcome of the next job that ends or exceeds its time limit."""
        future = self._wait()
        for key in [key for key in self._jobs if key in self._late]:
            job, late = self._jobs.pop(key)
            late.cancel(force=True)
            yield Outcome(job, failure=f"it took more than {self._timeout:g} s", kind="late")
        if future is None or future.key not in self._jobs:
            return
        job, _ = self._jobs.pop(future.key)
        value = self._value(future) if future.status == "finished" else None
        if future.status == "cancelled":  # by the client, when it loses its scheduler
            raise FleetError(SCHEDULER_GONE)
        if future.status == "finished":
            if isinstance(value, Outcome):
                yield Outcome(job, failure=value.failure, kind="raised")
            elif value is None:
                self._submit(job)  # the result was lost with its worker
            else:
                yield Outcome(job, value[0])
            return
        error = future.exception() if future.status == "error" else None
        if future.status == "error" and type(error).__name__ != "KilledWorker":
            assert error is not None
            yield Outcome(job, failure=failure_text(error), kind="raised")
        elif is_alone:
            yield Outcome(job, failure="its workers died twice", kind="killed")
        else:
            self._suspects.append(job)

    def _value(self, future: Any) -> Any:
        try:
            return future.result(timeout=GONE)
        except Exception:
            return None

    def _wait(self) -> Any:
        """Return the next future that ends; None if another event happens first."""
        gone_since = None
        while True:
            try:
                return self._ended.get(timeout=POLL)
            except queue.Empty:
                pass
            if any(key in self._late for key in self._jobs):
                return None
            if self._client.status == "running":
                gone_since = None
                continue
            gone_since = gone_since or time.monotonic()
            if time.monotonic() - gone_since > GONE or self._client.status in ("closed", "closing"):
                raise FleetError(SCHEDULER_GONE)

    def _note_late(self, event: Any) -> None:
        self._late.add(event[1])

    def end(self) -> None:
        """Cancel the remaining jobs."""
        with contextlib.suppress(Exception):
            self._client.cancel([future for _, future in self._jobs.values()], force=True)
            self._client.unsubscribe_topic(TOPIC)


def _itself(thing: Any) -> Any:
    return thing


@functools.cache
def _own_versions() -> dict[str, str]:
    os.environ["KEEPCLEAR_QUIET"] = "1"
    return versions()


def _run(work: Work, shared: Any, arguments: Any, expected: Mapping[str, str], timeout: float | None) -> Any:
    """Return the findings of a job as a list, or a failed outcome; this function runs on a worker."""
    from distributed import get_worker

    if text := _difference(expected, _own_versions()):
        return Outcome(Job("", "", None), failure=f"worker {get_worker().address} is refused: {text}")
    done = threading.Event()
    if timeout is not None:
        worker = get_worker()
        key = worker.get_current_task()
        threading.Thread(target=_end_late, args=(worker, key, done, timeout), daemon=True).start()
    try:
        return [work(shared, arguments)]
    except (Exception, MemoryError) as error:
        return Outcome(Job("", "", None), failure=failure_text(error))
    finally:
        done.set()


def _end_late(worker: Any, key: str, done: threading.Event, timeout: float) -> None:
    """Log that a job takes too long, and exit the worker, since a thread cannot be ended."""
    if done.wait(timeout):
        return
    worker.log_event(TOPIC, key)
    time.sleep(1.0)
    if not done.is_set():
        os._exit(1)
