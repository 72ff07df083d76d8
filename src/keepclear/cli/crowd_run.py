"""Crowds that a command runs: in slices, so that progress is seen and Ctrl-C is heard between them."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import numpy as np

from keepclear.cli.crowd_result import CrowdResult, Run
from keepclear.cli.progress import progress_bar
from keepclear.crowd.crowd import Crowd
from keepclear.crowd.experiment import Experiment
from keepclear.crowd.motions import RecordedTracks
from keepclear.crowd.track_file import read_tracks
from keepclear.report.animation import CrowdAnimation, usual_rate

__all__ = ["Job", "run_one", "run_sweep", "run_tracks"]

SECONDS = 15.0  # simulated unless something else is asked for, as in the source
SLICE = 0.2  # of processor time between looks at Ctrl-C [s]
Show = Callable[[float, str], None]
Ask = Callable[[], bool]


@dataclass(frozen=True)
class Job:
    """How to run: how long, whether a page and all events are wanted, and whether progress is shown."""

    seconds: float | None = None
    records: bool = False
    keeps_events: bool = False
    quiet: bool = False


@dataclass
class Found:
    """What a crowd found so far: numbers of contacts, the processor time, and what else was asked for."""

    contacts: int = 0
    wall_contacts: int = 0
    cpu_seconds: float = 0.0
    kept: list[Any] = field(default_factory=list)
    animation: CrowdAnimation | None = None

    def add(self, events: Any, keeps: bool) -> None:
        """Count events, and keep them if they are wanted."""
        kinds, with_walls = events["kind"], events["j"] < 0
        counted = (kinds == "contact") | (kinds == "begin") | (kinds == "wall")
        self.contacts += int((counted & ~with_walls).sum())
        self.wall_contacts += int((counted & with_walls).sum())
        if keeps:
            self.kept.append(events)

    @property
    def events(self) -> Any:
        """All events, None if they were not kept."""
        return np.concatenate(self.kept) if self.kept else None


def run_one(experiment: Experiment, job: Job) -> CrowdResult:
    """Return what one random crowd found and cost."""
    with _progress(job.quiet) as show, stop_flag() as is_stopped:
        run, found = _run(experiment, job, show, is_stopped)
    return CrowdResult((run,), not run.is_whole, found.events, None, found.animation)


def run_sweep(experiments: Sequence[Experiment], job: Job) -> CrowdResult:
    """Return what several crowds cost; one that Ctrl-C cut short is the last."""
    runs: list[Run] = []
    with _progress(job.quiet) as show, stop_flag() as is_stopped:
        for k, experiment in enumerate(experiments):

            def part(share: float, text: str, k: int = k) -> None:
                show((k + share) / len(experiments), text)

            run, _ = _run(experiment, replace(job, keeps_events=False), part, is_stopped)
            if run.simulated > 0.0:
                runs.append(run)
            if is_stopped():
                break
    whole = len(runs) == len(experiments) and all(run.is_whole for run in runs)
    return CrowdResult(tuple(runs), not whole)


def run_tracks(
    path: str, frame_rate: float | None, radii: tuple[float, float], seed: int, job: Job
) -> CrowdResult:
    """Return the overlaps of recorded tracks."""
    tracks, names = read_tracks(path, frame_rate)
    _prepare(Experiment(2))
    crowd = Crowd(None, None, np.random.default_rng(seed).uniform(*radii, tracks.n_members), motion=tracks,
                  response="report")  # fmt: skip
    duration = float(tracks.times[-1] - tracks.times[0])
    seconds = duration if job.seconds is None else min(job.seconds, duration)
    with _progress(job.quiet) as show, stop_flag() as is_stopped:
        found = _advance(crowd, seconds, job, show, is_stopped)
    run = _summed(crowd, found, seconds, motion="tracks", edge=None, filled=None, seed=None)
    return CrowdResult((run,), not run.is_whole, found.events, names.tolist(), found.animation)


def _run(experiment: Experiment, job: Job, show: Show, is_stopped: Ask) -> tuple[Run, Found]:
    show(0.0, f"placing {experiment.n} spheres")
    _prepare(experiment)
    crowd = experiment.build()
    seconds = SECONDS if job.seconds is None else job.seconds
    found = _advance(crowd, seconds, job, show, is_stopped)
    run = _summed(crowd, found, seconds, motion=experiment.motion, edge=experiment.size,
                  filled=experiment.filled(crowd.radii), seed=experiment.seed)  # fmt: skip
    return run, found


def _prepare(experiment: Experiment) -> None:
    """Have kernels compiled or loaded before the clock runs."""
    replace(experiment, n=2, edge=100.0 * experiment.numbers.radii.high + 1.0).build().advance(1e-3)


def _advance(crowd: Crowd, seconds: float, job: Job, show: Show, is_stopped: Ask) -> Found:
    """Advance a crowd in slices."""
    start, until, found = crowd.time, crowd.time + seconds, Found()
    who = f"{len(crowd)} {'discs' if crowd.dimensions == 2 else 'spheres'}"
    keeps = job.keeps_events or crowd.response == "report"

    def look(now: float) -> bool:
        show((now - start) / seconds, f"{who}, {now - start:.2f} of {seconds:g} s")
        return is_stopped()

    if job.records:
        rate, bounds = usual_rate(len(crowd), crowd.dimensions, seconds, None)
        found.animation = CrowdAnimation(crowd, rate=rate, bounds=None if bounds else False)
        found.add(found.animation.advance(until, look), keeps)
        found.cpu_seconds = found.animation.cpu_seconds
        return found
    step = 1e-3 * seconds
    found.add(crowd.advance(start), keeps)
    while crowd.time < until and not look(crowd.time):
        begun = time.process_time()
        events = crowd.advance(min(crowd.time + step, until))
        taken = time.process_time() - begun
        found.add(events, keeps)
        found.cpu_seconds += taken
        step *= min(max(SLICE / max(taken, 1e-9), 0.25), 4.0)
    look(crowd.time)
    return found


def _summed(crowd: Crowd, found: Found, seconds: float, **facts: Any) -> Run:
    start = float(crowd.motion.times[0]) if isinstance(crowd.motion, RecordedTracks) else 0.0
    simulated = crowd.time - start
    return Run(
        members=len(crowd),
        dimensions=crowd.dimensions,
        response=str(crowd.response),
        seconds=seconds,
        simulated=seconds if abs(simulated - seconds) <= 1e-12 * abs(crowd.time) else simulated,
        cpu_seconds=found.cpu_seconds,
        contacts=found.contacts,
        wall_contacts=found.wall_contacts,
        memory=crowd.nbytes,
        statistics=crowd.statistics,
        **facts,
    )


@contextmanager
def _progress(quiet: bool) -> Iterator[Show]:
    """Give a function that shows which part is done."""
    with progress_bar(quiet, "placing spheres") as bar:

        def show(share: float, text: str) -> None:
            if bar is not None:
                bar(round(100.0 * share), 100, text)

        yield show


@contextmanager
def stop_flag() -> Iterator[Ask]:
    """Give a function that returns whether Ctrl-C or SIGTERM came; the second one ends the process at once."""
    names = [name for name in (signal.SIGINT, getattr(signal, "SIGTERM", None)) if name is not None]
    before: dict[Any, Any] = {}
    stopped = False

    def stop(_number: int, _frame: FrameType | None) -> None:
        nonlocal stopped
        stopped = True
        for name in names:
            signal.signal(name, signal.SIG_DFL)

    try:
        for name in names:
            before[name] = signal.signal(name, stop)
    except ValueError:  # not in the main thread: whoever runs this has handlers of their own
        pass
    try:
        yield lambda: stopped
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
