"""The simulator: a world step by step, with a state for each step, until something touches or may touch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from keepclear.checks import (
    FloatArray,
    as_array,
    checked_choice,
    checked_flag,
    checked_instant,
    checked_interval,
    checked_positive,
    read_only,
    shown,
)
from keepclear.errors import ArgumentError, KeepclearError
from keepclear.geometry.bodies.bounds import shape_of
from keepclear.report.parts import Assumption
from keepclear.report.report import Report
from keepclear.scene.coverage import check_covered
from keepclear.scene.scene import Scene
from keepclear.scene.timeline import part_of
from keepclear.world.planner.questions import PlannerQuestions
from keepclear.world.verify.assumptions import assumptions_of, in_order, warnings_of
from keepclear.world.verify.options import checked_task

if TYPE_CHECKING:
    from keepclear.world.simulate.results import SimulatedStep, Simulation
    from keepclear.world.simulate.sampling import Found, Stepping

MOST_STEPS = 10_000_000
WHOLE = 1e-9  # part of a step: an interval that exceeds a number of steps by less has no additional step
TOLERANCE = 1e-3  # tolerance of the list of pairs at rest, the default of `verify` [m]

OnStep = Callable[["SimulatedStep"], object]


class Simulator(PlannerQuestions):
    """A world step by step."""

    def simulate(
        self,
        *,
        dt: float | None = None,
        times: npt.ArrayLike | None = None,
        t0: float | None = None,
        t1: float | None = None,
        models: Literal["spheres", "exact"] = "spheres",
        accuracy: float | None = None,
        ratio: float = 2.0,
        ranks: int | None = None,
        stop: bool = True,
        on_step: OnStep | None = None,
    ) -> Simulation:
        """Check a world at one instant after the other, as a simulator does, and return the state of each step.

        The pairs, windows and margins are those of `verify`. This is sampling: it proves nothing about the time between
        two steps, and never gives the verdict CLEAR; use `verify` for a proof.

        Each step is FREE (proved for this instant), MAY_TOUCH or CONTACT. Bounding boxes and balls are compared first.
        Where they are near, models "spheres" compares sphere covers (`kc.build_sphere_tree`), each built when a body
        first needs it and kept with the world. Covers that are apart prove that the bodies are; where they overlap, the
        bodies may touch, and are at most `gap` apart. Covers prove contact only for a body inside a solid. Models
        "exact" compares the shapes themselves, so each step is FREE or CONTACT.

        Args:
            dt: The time from step to step [s]; the last step is at t1 exactly.
            times: The instants themselves, increasing [s], in place of dt, t0 and t1.
            t0: The first instant [s]; None: where the first motion begins.
            t1: The last one [s]; None: where the last motion ends.
            models: "spheres", or "exact", which is also the faster one for most shapes.
            accuracy: Radius of the smallest spheres [m]; None: 5 mm, but between 1/256 and 1/16 of half the diagonal
                of the box around a shape. What is printed of a step that MAY_TOUCH says which accuracy would decide it.
            ratio: About how many times smaller the spheres of the next rank are, as in `kc.build_sphere_tree`.
            ranks: Number of ranks of spheres, instead of `ratio`.
            stop: Whether to stop at the first step that is a CONTACT or, with "spheres", MAY_TOUCH.
            on_step: Called with a `SimulatedStep` after each step, before the next one is checked, for a display or a
                real robot. If it returns True, that was the last step. An exception from it ends the simulation. It
                sees the world as it was when the simulation began.

        Returns:
            A `Simulation`. After Ctrl-C it has the steps so far.

        Raises:
            ArgumentError: The world is empty, an option is invalid, or there are too many steps.
            TrajectoryError: A motion does not cover the interval.
            ShapeError: A hull that comes near has no cover, and models is "spheres".

        Examples:
            A ball rolls past a post:

            >>> import numpy as np
            >>> import keepclear as kc
            >>> world = kc.World()
            >>> world.add("post", kc.Box([0.1, 0.1, 1.0]), np.eye(4))
            >>> path = kc.PoseTrajectory.from_positions([0, 2], [[-1, 0.14, 0], [1, 0.14, 0]])
            >>> world.add("ball", kc.Sphere(0.1), path)
            >>> s = world.simulate(dt=0.1, models="exact")
            >>> s.steps[-1].name, s.stopped_at, s.pairs(-1)[0].a
            ('CONTACT', 1.0, 'ball')
        """
        instants = self._instants(dt, times, t0, t1)
        return self._simulate(instants, models, accuracy, ratio, ranks, stop=stop, on_step=on_step)

    def sampled(
        self,
        dt: float,
        models: str,
        accuracy: float | None = None,
        ratio: float | None = None,
        ranks: int | None = None,
        *,
        t0: float | None = None,
        t1: float | None = None,
        tolerance: float = TOLERANCE,
        scene: bool = False,
        progress: Callable[[int, int, str], object] | None = None,
        title: str = "",
    ) -> Report:
        """Return a report of a simulation until the first contact, or with "spheres" the first possible one.

        It is COLLIDING or UNDECIDED, never CLEAR.

        Args:
            dt: The time from step to step [s].
            models: "spheres" or "exact", as in `simulate`.
            accuracy: As in `simulate`.
            ratio: As there; None: 2.
            ranks: As there.
            t0: The first instant [s]; None: where the first motion begins.
            t1: The last one [s]; None: where the last motion ends.
            tolerance: For the list of pairs at rest [m].
            scene: Whether the report keeps the scene for its page: each step is a frame.
            progress: Called with done, total and what is being done.
            title: For the report.
        """
        times = self._instants(dt, None, t0, t1)
        usual = 2.0 if ratio is None else ratio
        found = self._simulate(times, models, accuracy, usual, ranks, tolerance=tolerance, progress=progress)
        return found.report(title=title, scene=scene)

    def _simulate(
        self,
        times: FloatArray,
        models: str,
        accuracy: float | None,
        ratio: float,
        ranks: int | None,
        *,
        stop: bool = True,
        on_step: OnStep | None = None,
        tolerance: float = TOLERANCE,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> Simulation:
        """Check the given instants; all other arguments are validated here."""
        from keepclear.geometry.spheres.tree import checked_ranks
        from keepclear.world.simulate.sampling import Covers, Stepping

        if not self._objects:
            raise ArgumentError("this World is empty; add objects or robots first.")
        exact = checked_choice("simulate", "models", models, ("spheres", "exact")) == "exact"
        radius = None if accuracy is None else checked_positive("accuracy", accuracy, "metres")
        covers = Covers(radius, *checked_ranks(ratio, ranks))
        checked_flag("stop", stop)
        if on_step is not None and not callable(on_step):
            raise ArgumentError(f"simulate: on_step must be a function, or None, but it is {shown(on_step)}.")
        start, end, present = float(times[0]), float(times[-1]), self._present()
        scene = present.scene
        check_covered(scene.timeline, start, end)
        self._drop_models(scene)
        task = checked_task(
            start, end, tolerance=tolerance, contacts="first", clearances=False, far=0.0, curves=0, budget=None,
            threads=1, scene=False,
        )  # fmt: skip
        assumptions = assumptions_of(present.owners, present.rules, task, present.assumptions)
        warnings = (*present.warnings, *warnings_of(present.owners))
        work = Stepping(scene, times, exact, covers, self._models, task.tolerance, stop)
        warnings = in_order((*work.plan.warnings, *warnings))
        return _run(work, models, on_step, progress, assumptions, warnings)

    def _instants(self, dt: object, times: object, t0: object, t1: object) -> FloatArray:
        """Return the instants of the steps, (n,) [s]."""
        if (dt is None) == (times is None):
            has = "both are given" if dt is not None else "neither is given"
            raise ArgumentError(f"simulate: give dt, or the times themselves, but {has}.")
        if times is not None:
            if t0 is not None or t1 is not None:
                raise ArgumentError(
                    "simulate: times are the instants themselves; give t0 and t1 with dt only."
                )
            return checked_instants(times)
        return even_instants(*checked_interval(self.span, t0, t1), checked_positive("dt", dt, "seconds"))

    def _drop_models(self, scene: Scene) -> None:
        """Discard the models of shapes that are no longer in this world."""
        with self._lock:
            if self._models:
                known = {shape_of(part_of(scene.items, geom).body) for geom in scene.geoms}
                self._models = {key: tree for key, tree in list(self._models.items()) if key[0] in known}


def _run(
    work: Stepping,
    models: str,
    on_step: OnStep | None,
    progress: Callable[[int, int, str], object] | None,
    assumptions: tuple[Assumption, ...],
    warnings: tuple[str, ...],
) -> Simulation:
    """Check steps until the last one, or one that stops the simulation; after Ctrl-C the steps so far are kept."""
    from keepclear.world.simulate.results import CONTACT, FREE, MAY_TOUCH, STEPS, SimulatedStep, Simulation

    codes: list[int] = []
    gaps: list[float] = []
    known: dict[int, dict[int, Found]] = {}
    stopped = interrupted = False
    try:
        for found in _steps(work, on_step is not None, progress):
            code = max((one.code for one in found.values()), default=FREE)
            gap = min(one.gap for one in found.values()) if code == MAY_TOUCH else math.nan
            k, t = len(codes), float(work.times[len(codes)])
            if found:
                known[k] = found
            codes.append(code)
            gaps.append(gap)
            stopped = work.stop and (code == CONTACT or (code == MAY_TOUCH and not work.exact))
            if on_step is not None:
                step = SimulatedStep(k, t, STEPS[code], gap, work.pairs(found, t))
                stopped = on_step(step) is True or stopped
            if stopped:
                break
    except KeyboardInterrupt:
        interrupted = True
    n = len(codes)
    return Simulation(
        times=read_only(work.times[:n].copy()),
        gap=read_only(np.array(gaps)),
        stopped_at=float(work.times[n - 1]) if stopped else None,
        t0=float(work.times[0]),
        t1=float(work.times[-1]),
        n_asked=len(work.times),
        models=models,
        interrupted=interrupted,
        statistics=dict(work.statistics),
        _codes=read_only(np.array(codes, dtype=np.int8)),
        _found=known,
        _work=work,
        _assumptions=assumptions,
        _warnings=warnings,
    )


def _steps(
    work: Stepping, single: bool, progress: Callable[[int, int, str], object] | None
) -> Iterator[dict[int, Found]]:
    """Yield the pairs that are not free at each step, and report the progress after each block."""
    done = 0
    for block in work.blocks(single=single):
        yield from block
        done += len(block)
        if progress is not None:
            progress(done, len(work.times), "simulating steps")


def even_instants(t0: float, t1: float, dt: float) -> FloatArray:
    """Return t0, t0 + dt, ... and t1, each rounded only once, so that steps do not drift."""
    count = (t1 - t0) / dt
    if not count < MOST_STEPS:
        raise ArgumentError(
            f"simulate: dt = {dt:g} s would make {count:.3g} steps, more than {MOST_STEPS}; use a larger dt, "
            "or a shorter interval."
        )
    times: FloatArray = t0 + dt * np.arange(math.ceil(count) + 1, dtype=np.float64)
    # A step within rounding of the end is the end; the first step is always at t0.
    # harmless (max): it decides whether the step before the last is left out; t1 is always sampled
    # harmless (WHOLE * dt): likewise
    # harmless (4.0 * np.spacing(max(abs(t0), abs(t1)))): likewise
    is_step = times < t1 - max(WHOLE * dt, 4.0 * np.spacing(max(abs(t0), abs(t1))))
    is_step[0] = t0 < t1
    times = np.append(times[is_step], t1)
    if not (np.diff(times) > 0.0).all():
        raise ArgumentError(f"simulate: dt = {dt:g} s is lost in the rounding of times such as {t1:.9g} s.")
    return times


def checked_instants(times: object) -> FloatArray:
    """Return the given instants if they are finite and increase."""
    try:
        found = np.array(as_array(times, "simulate: times"), dtype=np.float64)
    except KeepclearError:
        raise
    except (TypeError, ValueError):
        found = np.empty((0, 0))
    if found.ndim != 1 or not len(found):
        raise ArgumentError(
            f"simulate: times must be a list of instants in seconds, but it is {shown(times)}."
        )
    if len(found) > MOST_STEPS:
        raise ArgumentError(f"simulate: times has {len(found)} instants, more than {MOST_STEPS}.")
    for t in (found[np.argmin(found)], found[np.argmax(found)]):  # argmin finds a NaN first
        checked_instant("simulate: each of the times", float(t))
    wrong = np.flatnonzero(~(np.diff(found) > 0.0))
    if len(wrong):
        k = int(wrong[0]) + 1
        raise ArgumentError(
            f"simulate: times must increase, but times[{k}] = {found[k]:.9g} s follows times[{k - 1}] = "
            f"{found[k - 1]:.9g} s."
        )
    return found
