"""`keepclear crowd`: lets a crowd move, finds every contact, and says what that costs."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from keepclear.cli.options import number, span, whole_numbers
from keepclear.errors import ArgumentError

if TYPE_CHECKING:
    import numpy as np

    from keepclear.cli.crowd_result import CrowdResult, Run
    from keepclear.crowd.crowd import Crowd
    from keepclear.crowd.experiment import Experiment

SWEEP = "500,1000,1500,2000,2500,3000,3500"
SLICE = 0.2  # of processor time between looks at the clock and at Ctrl-C [s]
Advanced = tuple["np.recarray[Any, Any]", float, Any]


@click.command()
@click.option(
    "--spheres",
    callback=number(1, whole=True),
    default="1000",
    type=str,
    show_default=True,
    metavar="N",
    help="How many.",
)
@click.option("--seconds", callback=number(0.0, above=True), metavar="S",
              help="How long to simulate.  [default: 15; of tracks all]")  # fmt: skip
@click.option("--motion", type=click.Choice(["random", "field", "ballistic"]), default="random", show_default=True,
              help="Forces of chance; particles that circulate; or free flight.")  # fmt: skip
@click.option("--response", type=click.Choice(["elastic", "report"]),
              help="Let them bounce, or pass through each other and tell of overlaps.  [default: elastic]")  # fmt: skip
@click.option(
    "--dimensions", type=click.Choice(["2", "3"]), default="3", show_default=True, help="Discs or spheres."
)
@click.option("--size", callback=number(0.0, above=True), metavar="METRES",
              help="Edge of the box.  [default: 200; as full with more than 3500, discs, other radii]")  # fmt: skip
@click.option("--radii", callback=span, metavar="LOW:HIGH", help="[default: 0.1:10; of field 1:10]")
@click.option(
    "--speeds", callback=span, metavar="LOW:HIGH", help="At the start.  [default: 4.33:43.3; of field 0]"
)
@click.option("--accelerations", callback=span, metavar="LOW:HIGH",
              help="Greatest ones.  [default: 10:20; of field 30; of ballistic 0]")  # fmt: skip
@click.option("--seed", callback=number(0, whole=True), default="1", type=str, show_default=True, metavar="N",
              help="The same seed gives the same crowd.")  # fmt: skip
@click.option("--tracks", type=click.Path(), metavar="FILE",
              help="Recorded tracks instead: CSV with time or frame, id, x, y and maybe z. Needs --radii.")  # fmt: skip
@click.option(
    "--frame-rate", callback=number(0.0, above=True), metavar="N", help="Frames a second of --tracks."
)
@click.option("--sweep", callback=whole_numbers, is_flag=False, flag_value=SWEEP, metavar="[N,N,...]",
              help=f"Run several numbers of spheres.  [{SWEEP} if none are given]")  # fmt: skip
@click.option("--figures", type=click.Path(), metavar="FOLDER",
              help="Plot time and events over the number of spheres of --sweep, as PNG and SVG.")  # fmt: skip
@click.option("--json", metavar="FILE", help="Write what was found as JSON; - is the standard output.")
@click.option("--html", metavar="FILE", help="Write a page that shows the crowd in motion.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors.")
@click.pass_context
def crowd(
    ctx: click.Context,
    /,
    tracks: str | None,
    sweep: tuple[int, ...] | None,
    figures: str | None,
    json: str | None,
    html: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Let a crowd of spheres move in a box, and find every contact, however short.

    Nobody knows where they go: only how much each can accelerate. By default this is the experiment on which the method
    was first measured. Ctrl-C stops it, and what is known by then is reported.

    Exit codes: 0 it came to its end, and with --response report or --tracks nothing overlapped; 1 something did; 2 bad
    input; 3 stopped before its end. Impacts of an elastic crowd are no collision in this sense.
    """
    from keepclear.cli.crowd_result import CrowdResult, result_lines
    from keepclear.cli.outputs import checked_outputs, echo_lines, write_outputs
    from keepclear.cli.verify import quiet_kernels

    _refuse_combinations(ctx, tracks, sweep, figures, html)
    outputs = checked_outputs(json, html, None, not_over=[tracks] if tracks else [])
    folder = None if figures is None else _checked_folder(figures)
    with quiet_kernels(quiet):
        if tracks is not None:
            result = run_tracks(tracks, options, html is not None, quiet)
        elif sweep is not None:
            result = run_sweep(
                [_experiment(options | {"spheres": n}) for n in sweep], _seconds(options), quiet
            )
        else:
            result = run_one(_experiment(options), _seconds(options), html is not None, quiet)
    assert isinstance(result, CrowdResult)
    to_stderr = any(output.is_standard for output in outputs)
    if not quiet:
        echo_lines(result_lines(result), err=to_stderr)
    written = write_outputs(result, outputs)
    if folder is not None and result.runs:
        from keepclear.report.crowd_figures import write_figures

        written += [str(path) for path in write_figures(result.runs, folder)]
    if not quiet:
        echo_lines([f"written: {path}" for path in written], err=to_stderr)
    raise SystemExit(result.exit_code)


def run_one(experiment: Experiment, seconds: float, records: bool, quiet: bool) -> CrowdResult:
    """Return what one crowd of chance found and cost."""
    from keepclear.cli.crowd_result import CrowdResult

    with _progress(quiet) as show, stop_flag() as is_stopped:
        run, events, animation = _run(experiment, seconds, records, show, is_stopped)
    return CrowdResult((run,), not run.is_whole, events, None, animation)


def run_sweep(experiments: list[Experiment], seconds: float, quiet: bool) -> CrowdResult:
    """Return what several crowds cost; one that Ctrl-C cut short is the last."""
    from keepclear.cli.crowd_result import CrowdResult

    runs: list[Run] = []
    with _progress(quiet) as show, stop_flag() as is_stopped:
        for k, experiment in enumerate(experiments):

            def part(share: float, text: str, k: int = k) -> None:
                show((k + share) / len(experiments), text)

            run, _, _ = _run(experiment, seconds, False, part, is_stopped)
            if run.simulated > 0.0:
                runs.append(run)
            if is_stopped():
                break
    whole = len(runs) == len(experiments) and all(run.is_whole for run in runs)
    return CrowdResult(tuple(runs), not whole)


def run_tracks(path: str, options: dict[str, Any], records: bool, quiet: bool) -> CrowdResult:
    """Return the overlaps of recorded tracks."""
    import numpy as np

    import keepclear as kc
    from keepclear.cli.crowd_result import CrowdResult
    from keepclear.crowd.experiment import Experiment
    from keepclear.crowd.track_file import read_tracks

    tracks, names = read_tracks(path, options["frame_rate"])
    _prepare(Experiment(2))
    low, high = options["radii"]
    radii = np.random.default_rng(options["seed"]).uniform(low, high, tracks.n_members)
    crowd = kc.Crowd(None, None, radii, motion=tracks, response="report")
    duration = float(tracks.times[-1] - tracks.times[0])
    seconds = min(options["seconds"] or duration, duration)
    with _progress(quiet) as show, stop_flag() as is_stopped:
        events, cpu, animation = _advance(crowd, seconds, records, show, is_stopped)
    run = _summed(crowd, events, cpu, seconds, float(tracks.times[0]), motion="tracks", response="report",
                  edge=None, filled=None, seed=None)  # fmt: skip
    return CrowdResult((run,), not run.is_whole, events, names.tolist(), animation)


def _run(
    experiment: Experiment,
    seconds: float,
    records: bool,
    show: Callable[[float, str], None],
    is_stopped: Callable[[], bool],
) -> tuple[Run, np.recarray[Any, Any], Any]:
    show(0.0, f"placing {experiment.n}")
    _prepare(experiment)
    crowd = experiment.build()
    events, cpu, animation = _advance(crowd, seconds, records, show, is_stopped)
    run = _summed(crowd, events, cpu, seconds, 0.0, motion=experiment.motion, response=experiment.response,
                  edge=experiment.size, filled=experiment.filled(crowd.radii), seed=experiment.seed)  # fmt: skip
    return run, events, animation


def _prepare(experiment: Experiment) -> None:
    """Have kernels compiled or loaded before the clock runs."""
    replace(experiment, n=2, edge=100.0 * experiment.numbers.radii.high + 1.0).build().advance(1e-3)


def _advance(
    crowd: Crowd,
    seconds: float,
    records: bool,
    show: Callable[[float, str], None],
    is_stopped: Callable[[], bool],
) -> Advanced:
    """Let a crowd go on in slices; return the events, the processor time, and what was recorded."""
    import numpy as np

    start, until = crowd.time, crowd.time + seconds
    who = f"{len(crowd)} {'discs' if crowd.dimensions == 2 else 'spheres'}"

    def look(now: float) -> bool:
        show((now - start) / seconds, f"{who}, {now - start:.2f} of {seconds:g} s")
        return is_stopped()

    if records:
        from keepclear.report.animation import CrowdAnimation, usual_rate

        rate, bounds = usual_rate(len(crowd), crowd.dimensions, seconds, None)
        animation = CrowdAnimation(crowd, rate=rate, bounds=None if bounds else False)
        animation.advance(until, look)
        return animation.events, animation.cpu_seconds, animation
    parts, cpu, step = [crowd.advance(start)], 0.0, 1e-3 * seconds
    while crowd.time < until and not look(crowd.time):
        begun = time.process_time()
        parts.append(crowd.advance(min(crowd.time + step, until)))
        taken = time.process_time() - begun
        cpu += taken
        step *= min(max(SLICE / max(taken, 1e-9), 0.25), 4.0)
    look(crowd.time)
    return np.concatenate(parts).view(np.recarray), cpu, None


def _summed(
    crowd: Crowd, events: np.recarray[Any, Any], cpu: float, seconds: float, start: float, **facts: Any
) -> Run:
    from keepclear.cli.crowd_result import Run

    with_walls, kinds = events["j"] < 0, events["kind"]
    counted = (kinds == "contact") | (kinds == "begin") | (kinds == "wall")
    simulated = crowd.time - start
    return Run(
        members=len(crowd),
        dimensions=crowd.dimensions,
        seconds=seconds,
        simulated=seconds if abs(simulated - seconds) <= 1e-12 * abs(crowd.time) else simulated,
        cpu_seconds=cpu,
        contacts=int((counted & ~with_walls).sum()),
        wall_contacts=int((counted & with_walls).sum()),
        memory=crowd.nbytes,
        statistics=crowd.statistics,
        **facts,
    )


def _experiment(options: dict[str, Any]) -> Experiment:
    """Return the experiment that the options ask for."""
    from keepclear.crowd.experiment import SETTINGS, Experiment, Range, Setting

    names = ("radii", "speeds", "accelerations")
    usual = SETTINGS[options["motion"]]
    given = [
        Range(*options[name]) if options[name] else value for name, value in zip(names, usual, strict=True)
    ]
    return Experiment(
        options["spheres"],
        motion=options["motion"],
        setting=Setting(*given),
        edge=options["size"],
        dimensions=int(options["dimensions"]),
        response=options["response"] or "elastic",
        seed=options["seed"],
    )


def _seconds(options: dict[str, Any]) -> float:
    return float(options["seconds"] or 15.0)


def _refuse_combinations(
    ctx: click.Context,
    tracks: str | None,
    sweep: tuple[int, ...] | None,
    figures: str | None,
    html: str | None,
) -> None:
    """Raise an `ArgumentError` for options that say nothing together."""
    given = {
        name
        for name in ctx.params
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    if tracks is not None:
        others = ("spheres", "motion", "dimensions", "size", "speeds", "accelerations", "sweep")
        for name in others:
            if name in given:
                raise ArgumentError(f"--{name} is not for recorded tracks; leave it out, or --tracks.")
        if ctx.params["response"] == "elastic":
            raise ArgumentError("--response elastic is not for recorded tracks: they go where they went.")
        if ctx.params["radii"] is None:
            raise ArgumentError("--tracks needs --radii: how large are they? Such as --radii 0.35.")
    elif "frame_rate" in given:
        raise ArgumentError("--frame-rate is for --tracks only; leave it out.")
    if sweep is not None and "spheres" in given:
        raise ArgumentError("--sweep says how many spheres there are; leave out --spheres.")
    if sweep is not None and html is not None:
        raise ArgumentError("--html shows one crowd, and --sweep runs several; leave one of them out.")
    if figures is not None and sweep is None:
        raise ArgumentError("--figures plots over the number of spheres; add --sweep.")


def _checked_folder(figures: str) -> Path:
    """Return the folder for figures, made if need be, after a look at whether they can be drawn."""
    from keepclear.report.crowd_figures import check_package

    check_package()
    folder = Path(figures)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArgumentError(
            f"--figures {figures}: this folder cannot be made: {error.strerror or error}."
        ) from error
    return folder


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[float, str], None]]:
    """Give a function that shows which part is done, on a terminal."""
    from keepclear.cli.verify import progress_bar

    with progress_bar(quiet, "placing them") as bar:

        def show(share: float, text: str) -> None:
            if bar is not None:
                bar(round(100.0 * share), 100, text)

        yield show


@contextmanager
def stop_flag() -> Iterator[Callable[[], bool]]:
    """Give a function that tells whether Ctrl-C or SIGTERM came; the second one ends the process at once."""
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
