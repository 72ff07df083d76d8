"""`keepclear crowd`: lets a crowd move, finds every contact, and says what that costs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from keepclear.cli.exits import Finished
from keepclear.cli.options import number, span, whole_numbers
from keepclear.cli.outputs import checked_outputs, publish
from keepclear.cli.progress import quiet_kernels
from keepclear.errors import ArgumentError

if TYPE_CHECKING:
    from keepclear.crowd.experiment import Experiment

SWEEP = "500,1000,1500,2000,2500,3000,3500"
LEAST_BYTES = 1000  # of memory for each sphere; 1.3 to 1.4 kB were measured for 100 000 and 200 000 of them


@click.command()
@click.option(
    "--spheres",
    callback=number(1, whole=True),
    default="1000",
    type=str,
    show_default=True,
    metavar="N",
    help="Number of spheres.",
)
@click.option("--seconds", callback=number(0.0, above=True), metavar="S",
              help="Simulated time.  [default: 15, or all of the tracks]")  # fmt: skip
@click.option("--motion", type=click.Choice(["random", "field", "ballistic"]), default="random", show_default=True,
              help="Random forces; particles that circulate; or free flight.")  # fmt: skip
@click.option("--response", type=click.Choice(["elastic", "report"]),
              help="Bounce, or pass through each other and report overlaps.  [default: elastic]")  # fmt: skip
@click.option(
    "--dimensions", type=click.Choice(["2", "3"]), default="3", show_default=True, help="Discs or spheres."
)
@click.option("--size", callback=number(0.0, above=True), metavar="METRES",
              help="Edge of the box.  [default: 200; for more than 3500 spheres, discs or other radii a box "
                   "that is as full]")  # fmt: skip
@click.option("--radii", callback=span, metavar="LOW:HIGH", help="Radii.  [default: 0.1:10; 1:10 for field]")
@click.option(
    "--speeds",
    callback=span,
    metavar="LOW:HIGH",
    help="Initial speeds.  [default: 4.33:43.3; 0 for field]",
)
@click.option("--accelerations", callback=span, metavar="LOW:HIGH",
              help="Maximum accelerations.  [default: 10:20; 30 for field; 0 for ballistic]")  # fmt: skip
@click.option("--seed", callback=number(0, whole=True), default="1", type=str, show_default=True, metavar="N",
              help="The same seed gives the same crowd.")  # fmt: skip
@click.option("--tracks", type=click.Path(), metavar="FILE",
              help="Read recorded tracks instead: CSV with time or frame, id, x, y and optionally z. Needs "
                   "--radii.")  # fmt: skip
@click.option(
    "--frame-rate", callback=number(0.0, above=True), metavar="N", help="Frames per second of --tracks."
)
@click.option("--sweep", callback=whole_numbers, is_flag=False, flag_value=SWEEP, metavar="[N,N,...]",
              help=f"Run with several numbers of spheres.  [{SWEEP} if none are given]")  # fmt: skip
@click.option("--figures", type=click.Path(), metavar="FOLDER",
              help="Plot time and events over the number of spheres of --sweep, as PNG and SVG.")  # fmt: skip
@click.option("--json", metavar="FILE", help="Write the results as JSON; - is the standard output.")
@click.option("--html", metavar="FILE", help="Write a page that shows the crowd in motion.")
@click.option("--quiet", "-q", is_flag=True, help="Print errors only.")
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
    """Simulate a crowd of spheres in a box, and find every contact, however short.

    Their motion is not known in advance, only how much each can accelerate. By default this is the experiment on which
    the method was first measured. Ctrl-C stops the run and reports the result so far.

    Exit codes: 0 finished, and with --response report or --tracks without overlap; 1 overlap; 2 bad input; 3 stopped
    before the end. Impacts of an elastic crowd do not count as collisions here.
    """
    from keepclear.cli.crowd_run import Job, result_lines, run_one, run_sweep, run_tracks

    _refuse_combinations(ctx, tracks, sweep, figures, html)
    outputs = checked_outputs({"json": json, "html": html}, not_over=[tracks] if tracks else [])
    _check_memory(*(("--spheres", options["spheres"]) if sweep is None else ("--sweep", max(sweep))))
    folder = None if figures is None else _checked_folder(figures)
    job = Job(options["seconds"], records=html is not None, keeps_events=json is not None, quiet=quiet)
    with quiet_kernels(quiet):
        if tracks is not None:
            result = run_tracks(tracks, options["frame_rate"], options["radii"], options["seed"], job)
        elif sweep is not None:
            result = run_sweep([_experiment(options | {"spheres": n}) for n in sweep], job)
        else:
            result = run_one(_experiment(options), job)

    def figures_of_runs() -> list[str]:
        if folder is None or not result.runs:
            return []
        from keepclear.report.pages.crowd_figures import write_figures

        return [str(path) for path in write_figures(result.runs, folder)]

    publish(result, outputs, result_lines(result), quiet=quiet, more=figures_of_runs)
    raise Finished(result.exit_code)


def _check_memory(option: str, spheres: int) -> None:
    """Raise an `ArgumentError` if this machine certainly has too little memory: the system would end the process."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not known on this system
        return
    if 0 < memory < LEAST_BYTES * spheres:
        raise ArgumentError(
            f"{option} {spheres}: so many spheres need more than {LEAST_BYTES * spheres / 1e9:.0f} GB of memory, and "
            f"this machine has {memory / 1e9:.0f} GB; take fewer."
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


def _refuse_combinations(
    ctx: click.Context,
    tracks: str | None,
    sweep: tuple[int, ...] | None,
    figures: str | None,
    html: str | None,
) -> None:
    """Raise an `ArgumentError` for options that cannot be combined."""
    given = {
        name
        for name in ctx.params
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    if tracks is not None:
        others = ("spheres", "motion", "dimensions", "size", "speeds", "accelerations", "sweep")
        for name in others:
            if name in given:
                raise ArgumentError(f"--{name} and --tracks exclude each other; leave one of them out.")
        if ctx.params["response"] == "elastic":
            raise ArgumentError("--response elastic is not for recorded tracks: their motion is given.")
        if ctx.params["radii"] is None:
            raise ArgumentError("--tracks needs the radii of its members; add --radii, such as --radii 0.35.")
    elif "frame_rate" in given:
        raise ArgumentError("--frame-rate is for --tracks only; leave it out.")
    if sweep is not None and "spheres" in given:
        raise ArgumentError("--sweep gives the numbers of spheres; leave out --spheres.")
    if sweep is not None and html is not None:
        raise ArgumentError("--html shows one crowd, and --sweep runs several; leave one of them out.")
    if figures is not None and sweep is None:
        raise ArgumentError("--figures plots results of --sweep; give both.")


def _checked_folder(figures: str) -> Path:
    """Return the folder for figures, created if needed, after checking that they can be drawn."""
    from keepclear.report.pages.crowd_figures import check_package

    check_package()
    folder = Path(figures)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ArgumentError(
            f"--figures {figures}: the folder cannot be created: {error.strerror or error}."
        ) from error
    return folder
