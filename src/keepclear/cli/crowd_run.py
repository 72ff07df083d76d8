"""Crowds that a command runs in slices, and what was found and what it cost as text, JSON and page."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from keepclear.cli.progress import progress_bar, stop_flag
from keepclear.crowd.crowd import Crowd
from keepclear.crowd.experiment import Experiment
from keepclear.crowd.files.track_file import read_tracks
from keepclear.crowd.parts.motions import RecordedTracks
from keepclear.report.pages.animation import CrowdAnimation, usual_rate

if TYPE_CHECKING:
    from keepclear.report.pages.animation import CrowdAnimation

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


FORMAT = "keepclear-crowd/2"
KINDS = ("cells entered", "cells left", "bounds updated", "bounds touched", "walls touched")
"""What the method counts; contacts are the bounds that met with spheres that touched."""

SHOWN_OVERLAPS = 8
MOTIONS = {
    "random": "random forces",
    "field": "circulating",
    "ballistic": "free flight",
    "tracks": "recorded tracks",
}


@dataclass(frozen=True)
class Run:
    """One crowd that was run.

    Attributes:
        members: How many.
        dimensions: 3, or 2 for discs.
        motion: "random", "field", "ballistic" or "tracks".
        response: "elastic" or "report".
        edge: Of the box [m], None without one.
        filled: The part of the box that members fill, None without one.
        seed: None for tracks.
        seconds: What was asked for [s].
        simulated: What was run [s]; less if it was stopped.
        cpu_seconds: Processor time, without placing, compiling and recording [s].
        contacts: Of members with each other: impacts, or overlaps that begin.
        wall_contacts: With walls.
        memory: Of the crowd's tables [bytes].
        statistics: As `Crowd.statistics`.
    """

    members: int
    dimensions: int
    motion: str
    response: str
    edge: float | None
    filled: float | None
    seed: int | None
    seconds: float
    simulated: float
    cpu_seconds: float
    contacts: int
    wall_contacts: int
    memory: int
    statistics: dict[str, int]

    @property
    def is_whole(self) -> bool:
        """Whether it ran to its end."""
        return self.simulated >= self.seconds

    @property
    def cost(self) -> float:
        """Processor time for a simulated second [s]."""
        return self.cpu_seconds / self.simulated if self.simulated > 0.0 else 0.0

    def per_second(self, kind: str) -> float:
        """Return how many events of a kind there were in a simulated second."""
        return self.statistics.get(kind, 0) / self.simulated if self.simulated > 0.0 else 0.0

    @property
    def noun(self) -> str:
        """What members are, in the plural or not."""
        return ("disc" if self.dimensions == 2 else "sphere") + ("" if self.members == 1 else "s")


@dataclass(frozen=True)
class CrowdResult:
    """Runs of a command, the events of a single one, and its recording if a page is wanted."""

    runs: tuple[Run, ...]
    interrupted: bool = False
    events: Any = None
    names: Sequence[int] | None = None  # what members are called in a file of tracks
    animation: CrowdAnimation | None = field(default=None, repr=False)

    @property
    def exit_code(self) -> int:
        """0: finished, without overlap where overlaps are reported; 1: overlap; 3: stopped."""
        if any(run.response == "report" and run.contacts for run in self.runs):
            return 1
        return 3 if self.interrupted else 0

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return what was found as JSON, and write it to a file if a path is given."""
        from keepclear.report.json_file import written

        content: dict[str, Any] = {"format": FORMAT, "interrupted": self.interrupted}
        content["runs"] = [asdict(run) | {"cpu_seconds_per_simulated_second": run.cost} for run in self.runs]
        if self.events is not None:
            content["events"] = {
                name: self.events[name].tolist() for name in ("time", "i", "j", "kind", "position")
            }
        if self.names is not None:
            content["ids"] = list(self.names)
        return written(json.dumps(content, allow_nan=False) + "\n", path)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the page that shows the crowd in motion, and write it to a file if a path is given."""
        assert self.animation is not None
        (run,) = self.runs
        facts = {
            "Processor time": f"{run.cost:.3g} s per simulated second",
            "Motion": MOTIONS[run.motion],
            "Response": {"elastic": "elastic impacts", "report": "they pass"}[run.response],
        }
        if run.edge is not None and run.filled is not None:
            facts |= {"Box": f"{run.edge:g} m, {_percent(run.filled)} full"}
        if run.seed is not None:
            facts |= {"Seed": str(run.seed)}
        if not run.is_whole:
            facts |= {"Stopped": f"at {run.simulated:.4g} of {run.seconds:g} s"}
        title = f"{_number(run.members)} {run.noun}, {MOTIONS[run.motion]}"
        return self.animation.to_html(path, title=title, facts=facts, names=self.names)


def result_lines(result: CrowdResult) -> Iterator[str]:
    """Give the lines of a result, with colours that `click.echo` removes outside of terminals."""
    if len(result.runs) == 1:
        yield from _run_lines(result.runs[0])
        yield from _overlap_lines(result)
    elif result.runs:
        yield from _sweep_lines(result.runs)
    if result.interrupted:
        done = result.runs[-1] if result.runs else None
        where = f" at {done.simulated:.4g} of {done.seconds:g} s" if done and not done.is_whole else ""
        yield click.style(f"stopped before the end{where}; this is the result so far", fg="yellow")


def _run_lines(run: Run) -> Iterator[str]:
    box = (
        ""
        if run.edge is None or run.filled is None
        else f" in a box of {run.edge:g} m, {_percent(run.filled)} full"
    )
    seed = "" if run.seed is None else f", seed {run.seed}"
    response = {"elastic": "elastic impacts", "report": "passing through each other"}[run.response]
    yield click.style(f"{_number(run.members)} {run.noun}{box}", bold=True) + (
        f": {MOTIONS[run.motion]}, {response}{seed}"
    )
    cost = click.style(f"{run.cost:.4f} s for a simulated second", bold=True)
    yield f"{run.simulated:.4g} s simulated in {run.cpu_seconds:.3f} s of processor time: {cost}"
    yield click.style(f"  {'count':<14} {'number':>12} {'per second':>12}", dim=True)
    for kind in KINDS:
        yield f"  {kind:<14} {_number(run.statistics[kind]):>12} {_number(run.per_second(kind)):>12}"
    what = "contacts" if run.response == "elastic" else "overlaps"
    with_walls = "" if run.edge is None else f", {_number(run.wall_contacts)} with walls"
    yield f"  {what:<14} {_number(run.contacts):>12} with each other{with_walls}"
    yield f"  {'memory':<14} {run.memory / 1e6:>9.1f} MB"


def _overlap_lines(result: CrowdResult) -> Iterator[str]:
    """Give the first overlaps, where spheres pass through each other."""
    if result.events is None or result.runs[0].response != "report":
        return
    begins = result.events[(result.events["kind"] == "begin") & (result.events["j"] >= 0)]
    names = result.names
    for event in begins[:SHOWN_OVERLAPS]:
        place = ", ".join(f"{c:.3f}" for c in event["position"])
        i, j = (int(event[side]) if names is None else names[int(event[side])] for side in "ij")
        yield f"  {event['time']:.6f} s: {i} and {j} begin to overlap at ({place})"
    if len(begins) > SHOWN_OVERLAPS:
        yield f"  and {_number(len(begins) - SHOWN_OVERLAPS)} more; --json writes all"


def _sweep_lines(runs: Sequence[Run]) -> Iterator[str]:
    first = runs[0]
    yield click.style(f"{MOTIONS[first.motion]}, {first.seconds:g} s simulated, seed {first.seed}", bold=True)
    titles = [first.noun, "full", "s per second", *(f"{kind}/s" for kind in KINDS), "contacts", "memory"]
    rows = [
        [
            _number(run.members),
            _percent(run.filled or 0.0),
            f"{run.cost:.4f}",
            *(_number(run.per_second(kind)) for kind in KINDS),
            _number(run.contacts),
            f"{run.memory / 1e6:.1f} MB",
        ]
        for run in runs
    ]
    widths = [max(len(row[c]) for row in [titles, *rows]) for c in range(len(titles))]
    yield click.style(
        "  ".join(f"{text:>{width}}" for text, width in zip(titles, widths, strict=True)), dim=True
    )
    for row in rows:
        yield "  ".join(f"{text:>{width}}" for text, width in zip(row, widths, strict=True))


def _number(value: float) -> str:
    return f"{round(value):,}"


def _percent(share: float) -> str:
    return f"{100.0 * share:.2g} %"
