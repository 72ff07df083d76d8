"""A campaign: chunks of changed files for each reader in turn, findings made small and saved."""

from __future__ import annotations

import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from random import Random

from tests.fuzz.bombs import bombs
from tests.fuzz.minimise import minimised
from tests.fuzz.mutations import mutated
from tests.fuzz.readers import BESIDE, Reader, corpus_files
from tests.fuzz.state import Finding, ReaderState, State, slug
from tests.fuzz.worker import CHANGED, GUIDING, VALID, Job, Result, Worker, content_place, died

CHUNK = 400  # files that one process reads, at a share of 1


@dataclass(frozen=True, slots=True)
class Plan:
    """What a campaign is asked for: files of all readers, its seed, when to stop, processes, where findings go."""

    files: int
    seed: int
    deadline: float
    workers: int
    found: Path
    with_bombs: bool = True


@dataclass(slots=True)
class _Run:
    """A worker, the names of its jobs, and the jobs themselves where they were made before it started."""

    worker: Worker
    names: list[str]
    jobs: list[Job]


class Campaign:
    """Runs workers until every reader has read its share of files."""

    def __init__(self, state: State, plan: Plan) -> None:
        self.state, self.plan = state, plan
        shares = sum(one.reader.share for one in state.readers.values())
        self._target = {
            name: round(plan.files * one.reader.share / shares) for name, one in state.readers.items()
        }
        self._running: dict[str, _Run] = {}

    def run(self) -> None:
        """Run to the end, the deadline or Ctrl-C; what is known by then is on disk."""
        try:
            while time.monotonic() < self.plan.deadline and (self._start_workers() or self._running):
                self._serve()
        except KeyboardInterrupt:
            pass
        finally:
            for run in self._running.values():
                run.worker.end()
            self.state.write()

    def _start_workers(self) -> bool:
        """Start workers for the readers that are behind most; return whether any is left to start."""
        waiting = [
            one for name, one in self.state.readers.items() if self._left(one) and name not in self._running
        ]
        waiting.sort(key=lambda one: one.tally.files / max(1, self._target[one.reader.name]))
        for one in waiting[: self.plan.workers - len(self._running)]:
            self._start(one)
        return bool(waiting)

    def _left(self, one: ReaderState) -> int:
        return max(0, self._target[one.reader.name] - one.tally.files) if one.is_begun else 1

    def _start(self, one: ReaderState) -> None:
        if not one.is_begun:
            one.is_begun = True
            first = [Job(VALID, content_place(data)) for data in (*one.valid, *one.reaching)]
            crafted = bombs(one.reader) if one.tally.files == 0 and self.plan.with_bombs else ()
            self._start_jobs(one, [*first, *crafted])
        else:
            n = min(self._left(one), max(20, round(CHUNK * one.reader.share)))
            worker = Worker(one.reader, _changes(one, self.plan.seed, n), one.seen)
            self._running[one.reader.name] = _Run(worker, [CHANGED] * n, [])

    def _start_jobs(self, one: ReaderState, jobs: list[Job]) -> None:
        if jobs:
            names = [job.name for job in jobs]
            self._running[one.reader.name] = _Run(Worker(one.reader, jobs, one.seen), names, jobs)

    def _serve(self) -> None:
        """Take up what the workers say, and replace those that died."""
        by_connection = {run.worker.connection: name for name, run in self._running.items()}
        ready = [by_connection[connection] for connection in wait(list(by_connection), timeout=1.0)]
        for name, run in list(self._running.items()):
            one = self.state.readers[name]
            if name not in ready:
                if run.worker.is_stuck():
                    self._replace_dead(one, run)
                continue
            try:
                message = run.worker.connection.recv()
            except EOFError:
                self._replace_dead(one, run)
                continue
            if isinstance(message, Result):
                self._take(one, message, run.names)
            else:
                del self._running[name]
                run.worker.end()
                self.state.write()
                if message is not None:
                    raise RuntimeError(f"the worker of {name} failed:\n{message}")

    def _take(self, one: ReaderState, result: Result, names: list[str]) -> None:
        name = names[result.job]
        if name != VALID:
            one.tally.add(result.outcome)
        one.seen.update(result.lines)
        if result.outcome.is_finding:
            self._note(one, result, name)
        elif result.lines and result.data is not None and name == CHANGED:
            self.state.keep(one, result.data)

    def _replace_dead(self, one: ReaderState, run: _Run) -> None:
        """Note the file that a worker died of; what it left of its jobs is read by another one."""
        job, path = run.worker.job, run.worker.path
        data = path.read_bytes() if path.is_file() and not path.is_symlink() else None
        outcome = died(run.worker)
        del self._running[one.reader.name]
        if job < 0:
            raise RuntimeError(f"the worker of {one.reader.name} died before its first file")
        self._take(one, Result(job, outcome, [], data), run.names)
        self.state.write()
        self._start_jobs(one, run.jobs[job + 1 :])

    def _note(self, one: ReaderState, result: Result, name: str) -> None:
        """Note a finding; the first of its kind is made small and saved."""
        outcome, reader = result.outcome, one.reader
        key = reader.name + outcome.signature
        if key in self.state.findings:
            self.state.findings[key].times += 1
            return
        label = f"bomb {name}"
        if name in GUIDING and result.data is not None:
            data = minimised(reader, result.data, outcome.signature)
            file = self.plan.found / f"{reader.name}--{slug(outcome.signature)}{reader.ending}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            label = file.name
        self.state.findings[key] = Finding(reader.name, outcome.signature, outcome.text, label)
        self.state.write()


def _changes(one: ReaderState, seed: int, n: int) -> Iterator[Job]:
    """Give changed files; the same seed and state give the same."""
    random = Random(f"{seed}/{one.reader.name}/{one.tally.files}")
    others = [*one.valid, *one.reaching]
    for _ in range(n):
        data = random.choice(one.reaching if one.reaching and random.random() < 0.6 else one.valid)
        yield Job(CHANGED, content_place(mutated(data, random, others, one.reader.forms)))


def warm_up(readers: list[Reader]) -> None:
    """Read every valid file once in this process, so that workers find all imported and compiled.

    Raises:
        RuntimeError: A valid file is not read: the corpus, or the reader, is broken.
    """
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shutil.copytree(BESIDE, folder, dirs_exist_ok=True)
        for reader, file in [(one, file) for one in readers for file in corpus_files(one)]:
            path = Path(folder) / f"input{reader.ending}"
            path.write_bytes(file.read_bytes())
            before, tempfile.tempdir = tempfile.tempdir, folder
            try:
                reader.read(path)
            except Exception as cause:
                raise RuntimeError(f"reader {reader.name} does not read {file.name}: {cause}") from cause
            finally:
                tempfile.tempdir = before
