"""Many spheres with unknown trajectories: contacts from event to event, none missed, by bounds on accelerations."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Self, cast

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray, checked_number
from keepclear.crowd.files.state_file import read_state, write_state
from keepclear.crowd.parts.events import Statistics, counts, event_records
from keepclear.crowd.parts.member_arrays import (
    LONGEST_TIME,
    checked_bounds,
    checked_corner,
    checked_groups,
    checked_sizes,
    checked_times,
    checked_vectors,
)
from keepclear.crowd.parts.members import Newcomers, add, change, fill, remove
from keepclear.crowd.parts.motions import Ballistic, Probe, RandomForces, RecordedTracks, VelocityField
from keepclear.crowd.parts.observing import checked_limits, observe, unknown_travel
from keepclear.crowd.parts.probing import ask_response, connect, serve_probe, tell_impacts, true_states
from keepclear.crowd.parts.settings import (
    accelerations_of,
    check_time_of_motion,
    checked_motion,
    checked_response,
    first_positions,
    first_velocities,
    masses_of,
    packed_motion,
    set_walls,
)
from keepclear.crowd.parts.shapes import Attachment, Rotation, attach, check_shapes, detach
from keepclear.crowd.parts.state import State
from keepclear.crowd.parts.tables import build_tables
from keepclear.crowd.parts.tuning import tune_again
from keepclear.errors import ArgumentError, CopyError, CrowdError, KeepclearError
from keepclear.exclusive import one_thread
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.events import advance, clear_time
from keepclear.tolerances import LARGEST_SIZE

__all__ = ["Crowd"]

Motion = Ballistic | RandomForces | VelocityField | RecordedTracks | Probe
Response = Callable[[Any, FloatArray], npt.ArrayLike | None]
# Number of events in a run; between runs, Ctrl-C is handled and the sizes of cells are checked again.
RUN = 1 << 20


class Crowd:
    """Spheres or discs whose motion is not known in advance, and the times at which they touch.

    After its last probe, member i lies inside its bound: a sphere around the position that its velocity predicts, whose
    radius grows as r + A t^2 / 2. Two members are probed and compared only when their bounds touch. Every contact is
    found, however short, as long as the accelerations keep their bounds.

    Args:
        positions: Centres (n, 3), or (n, 2) for discs in a plane [m]; None with `RecordedTracks`.
        velocities: (n, 3) or (n, 2) [m/s]; see below for None.
        radii: One for each (n,), or one for all [m].
        max_accelerations: Maximum accelerations A, in addition to `gravity`, one for each or one for all [m/s^2]; see
            below for None.
        bounds: Lower and upper corner of a box with walls, or None.
        motion: `Ballistic`, `RandomForces`, `VelocityField`, `RecordedTracks`, a function `probe(ids, t)` that returns
            positions and velocities (k, 3) of the members with these ids, or None: members are known from `observe`
            only. A function compiled by `numba.njit` is called by the event loop itself.
        response: "elastic": impacts exchange impulses, and walls reflect; "report": spheres pass through each other and
            through walls, and events report when overlaps "begin" and "end"; or a function `response(event,
            velocities)` that returns the velocities after an impact, or None to let the two pass. By default "elastic"
            where members can bounce, else "report".
        masses: For elastic impacts, one for each or one for all; by default the cubes of the radii.
        gravity: An acceleration that all members share [m/s^2]; it does not enlarge the bounds.
        tolerance: A gap up to which spheres count as touching [m]; 6e-14 of the coordinates is always added.
        time: When the crowd starts [s].
        growth: How far a sphere moves before it is checked again [m]; by default chosen by a cost model.
        history: Keep all impacts, so that `positions` and `velocities` accept times before now.
        max_speeds: Maximum speeds of members that are observed, one for each or one for all [m/s]; None: no limit.
        groups: Whole numbers, one for each or one for all: members of the same group are not compared, -1 is in none;
            None: all are compared.

    Omitted arguments are never assumed to be small:

    - `max_accelerations` of observed members (`motion=None`) are unlimited, and so are `max_speeds`. A member needs at
      least one of them, here, in `add` and in `change`; without both an error is raised.
    - `max_accelerations` of a function must be given: only its author knows them. `Ballistic`, `RecordedTracks` and
      `RandomForces` default to 0, a `VelocityField` to the acceleration that it needs.
    - Without `velocities`, observed members may have any velocity up to `max_speeds`, which must then be given, here,
      in `add` and in `observe`. A function needs `velocities`. Members with a built-in motion start at rest.
    - Positions and velocities are taken as exact, unless `observe` or `add` is given `position_errors` and
      `velocity_errors`; observe members at the start if their first measurements have errors.
    - Recorded tracks are undefined before their first sample and after their last: `time` and `until` beyond them
      raise. In between, a member without samples is absent.
    - A shape whose rotation is a function needs its `max_angular_speed`; any other keeps its rotation.

    With "report" an overlap begins when spheres touch, moving or not, and ends when they have separated; "begin" and
    "end" with a wall (j = -1) are reported for each wall. With "elastic", or with a response function, only spheres
    that approach each other have a contact. Members that overlap at the start and separate are not in contact; they are
    checked again when they may have reversed.

    Resting contact, which keeps every run finite: two spheres that touch, and separate so slowly that they may touch
    again before they could have moved by 1e-9 of the smaller radius, are not checked until then. A sphere with more
    than 1000 contacts, each before it could have moved by 1e-6 of its radius since the previous one, is in a collapse:
    its contacts are ignored for the time of such a move, and then answered, with "elastic" without a rebound, until the
    collapse is over. Spheres that sank into each other or into a wall meanwhile are moved back to touching.
    `statistics["resting"]` counts both.

    Examples:
        Two spheres collide head-on, elastically, and swap their velocities:
        >>> crowd = Crowd([[0, 0, 0], [10, 0, 0]], [[1, 0, 0], [-1, 0, 0]], 1.0, 0.0, motion=Ballistic())
        >>> event = crowd.advance(5.0)[0]
        >>> f"{event.time:.9f} s: {event.kind} of {event.i} and {event.j}"
        '4.000000000 s: contact of 0 and 1'
        >>> crowd.positions(5.0).round(9).tolist()
        [[3.0, 0.0, 0.0], [7.0, 0.0, 0.0]]
    """

    _user = 0  # the thread that uses the crowd, see `keepclear.exclusive`
    _advancing = False  # while a caller's probe or response may be called

    def __init__(
        self,
        positions: npt.ArrayLike | None,
        velocities: npt.ArrayLike | None,
        radii: npt.ArrayLike,
        max_accelerations: npt.ArrayLike | None = None,
        *,
        bounds: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
        motion: Motion | None = None,
        response: str | Response | None = None,
        masses: npt.ArrayLike | None = None,
        gravity: npt.ArrayLike | None = None,
        tolerance: float = 0.0,
        time: float | None = None,
        growth: float | None = None,
        history: bool = False,
        max_speeds: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
    ) -> None:
        if isinstance(motion, RecordedTracks):
            positions, velocities, start = first_positions(motion, positions, velocities)
        else:
            start = 0.0
        if positions is None:
            raise ArgumentError("crowd: positions are missing; only RecordedTracks contains them.")
        x = checked_vectors("positions", positions, None, None)
        n, dimensions = x.shape
        r = checked_sizes("radii", radii, n, zero=True)
        m, in_groups = masses_of(masses, r), checked_groups(groups, n)
        box = checked_bounds(bounds, dimensions)
        g = np.zeros(dimensions) if gravity is None else checked_corner("gravity", gravity, dimensions)
        motion = checked_motion(motion)
        kind, data = packed_motion(motion, box, dimensions)
        A, V = checked_limits(
            kind == at.OBSERVED, n, accelerations_of(motion, max_accelerations, box), max_speeds, g
        )
        v, e_v = first_velocities(motion, velocities, x, V)
        response, code = checked_response(response, kind, motion)
        if history and kind not in (at.BALLISTIC, at.RANDOM, at.FIELD, at.TRACKS):
            raise ArgumentError("crowd: history needs a motion that the crowd knows, not a probe function.")
        S = np.zeros(at.S_SIZE)
        S[at.TIME] = start if time is None else checked_number("time", time, -LONGEST_TIME, LONGEST_TIME)
        check_time_of_motion(motion, "time", float(S[at.TIME]))
        S[at.OWN_TOLERANCE] = checked_number("tolerance", tolerance, 0.0, LARGEST_SIZE)
        S[at.GRAVITY : at.GRAVITY + dimensions] = g
        S[at.MOTION], S[at.RESPONSE], S[at.DIMENSIONS], S[at.HISTORY] = kind, code, dimensions, bool(history)
        set_walls(S, x, r, box)
        if growth is not None:
            S[at.GROWTH] = checked_number("growth", growth, 1e-30, LARGEST_SIZE)
        self._state = State(
            build_tables(max(n, 1), S, data),
            motion,
            response,
            growth is not None,
            free=list(range(max(n, 1)))[::-1],
            next_id=n,
        )
        connect(self._state)
        fill(self._state, Newcomers(np.arange(n), x, v, r, A, V, m, in_groups, e_v))

    def __len__(self) -> int:
        return len(self._state.ids)

    def __repr__(self) -> str:
        noun = ("disc" if self.dimensions == 2 else "sphere") + ("" if len(self) == 1 else "s")
        return f"Crowd({len(self)} {noun}, time {self.time:g} s)"

    @property
    def dimensions(self) -> int:
        """2 for discs in a plane, 3 for spheres."""
        return self._state.dimensions

    @property
    def time(self) -> float:
        """The time up to which all events are computed [s]."""
        return self._state.time

    @property
    def tolerance(self) -> float:
        """The gap up to which spheres count as touching [m]."""
        return float(self._state.tables.S[at.OWN_TOLERANCE] + self._state.tables.S[at.TOLERANCE])

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """Ids of the members, increasing; arrays over all members have their rows in this order."""
        return self._state.ids.copy()

    @property
    @one_thread
    def radii(self) -> FloatArray:
        """Radii (n,) [m]."""
        return np.asarray(self._state.tables.F[self._state.rows, at.RADIUS])

    @property
    def statistics(self) -> Statistics:
        """Counts of each kind of event so far, and of the work done.

        "bounds updated" counts new bounds with their boxes, "cells entered" and "cells left" the cells that changed
        with them, "bounds touched" pairs of bounds, "walls touched" bounds that touched walls; "contacts" and
        "wall contacts" are those in which spheres touched.
        """
        return counts(self._state.tables.C)

    @property
    @one_thread
    def observed(self) -> FloatArray:
        """When the last measurement of each member was taken (n,) [s]: its last observation, or its last probe."""
        return np.asarray(self._state.tables.F[self._state.rows, at.PROBED])

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray] | None:
        """Lower and upper corner of the box with walls, or None."""
        return self._state.bounds

    @property
    def motion(self) -> Motion | None:
        """How members move; None where they are observed."""
        return cast("Motion | None", self._state.motion)

    @property
    def response(self) -> str | Response:
        """ "elastic", "report" or a function of the caller."""
        return cast("str | Response", self._state.response)

    @property
    def growth(self) -> float:
        """How far a sphere moves before it is checked again [m]."""
        return float(self._state.tables.S[at.GROWTH])

    @property
    def nbytes(self) -> int:
        """Memory of all tables [bytes]."""
        return self._state.tables.nbytes

    @one_thread
    def positions(self, t: float | None = None) -> FloatArray:
        """Return the centres (n, 2 or 3) at a time, by default now; NaN where members of recorded tracks are absent.

        Times before now need recorded tracks or `history`. For later times, and for observed members, this is the
        position without further impacts.
        """
        return true_states(self._state, self._checked_time(t))[0]

    @one_thread
    def velocities(self, t: float | None = None) -> FloatArray:
        """Return the velocities (n, 2 or 3) at a time, by default now; see `positions`."""
        return true_states(self._state, self._checked_time(t))[1]

    @one_thread
    def bounds_at(self, t: float | None = None) -> tuple[FloatArray, FloatArray]:
        """Return centres (n, 2 or 3) and radii (n,) of the bounds that contain the members at a time."""
        when = self._checked_time(t)
        if when < self.time:
            raise ArgumentError(f"crowd: it is {self.time:g} s, and the bounds of {when:g} s are not kept.")
        F = self._state.tables.F[self._state.rows]
        if isinstance(self._state.motion, RecordedTracks):  # their next samples are known too
            return self._state.motion.at(when), F[:, at.RADIUS]
        x, _ = self._state.known_states(when, self._state.rows)
        age = when - F[:, at.PROBED]
        if self._state.motion is None:
            return x, F[:, at.RADIUS] + unknown_travel(F, age)
        return x, F[:, at.RADIUS] + 0.5 * F[:, at.ACCELERATION] * age**2

    @one_thread
    def clear_until(self, i: int, j: int | None = None) -> float:
        """Return a time before which i cannot touch j, or any member if j is None; inf if never.

        The bound depends on the last probes and on the maximum accelerations. It ignores walls, and impacts with
        others, which change velocities.
        """
        pair, T = self._state.rows_of([i] if j is None else [i, j], present=True), self._state.tables
        return float(clear_time(T.F, T.N, T.S, int(pair[0]), -1 if j is None else int(pair[1]), self.time))

    @one_thread
    def advance(self, until: float) -> np.recarray[Any, Any]:
        """Advance to a time and return the events up to it, in order: time, i, j (-1 is a wall), kind and position.

        If a probe or a response fails, the crowd stays at the time of that call, and the next call returns the events
        up to then.
        """
        end = checked_number("until", until, -LONGEST_TIME, LONGEST_TIME)
        if end < self.time:
            raise ArgumentError(
                f"crowd: it is {self.time:g} s already; until must not be earlier, but it is {end:g}."
            )
        check_time_of_motion(self._state.motion, "until", end)
        self._advancing = True
        try:
            while (status := advance(self._state.tables.packed(), end, RUN)) != at.DONE:
                self._serve(status)
            tell_impacts(self._state)
        finally:
            self._advancing = False
        return event_records(self._state.take_events(), self.dimensions)

    @one_thread
    def forecast(self, until: float) -> np.recarray[Any, Any]:
        """Return the events up to a time as far as they are known now; the crowd does not change.

        For observed members these are the pairs that may touch, and the earliest time, if no measurement arrives. A
        probe function cannot forecast, and a response function is not called.
        """
        if self._state.tables.S[at.MOTION] in (at.EXTERNAL, at.COMPILED) or callable(self._state.response):
            raise ArgumentError(
                "crowd: forecast needs a motion and a response that the crowd knows, not functions."
            )
        again = self._fork()
        again._state.waiting, again._state.log = [], []
        again._state.tables.C[at.N_EVENTS] = 0
        return again.advance(until)

    @one_thread
    def observe(
        self,
        ids: npt.ArrayLike,
        t: npt.ArrayLike,
        positions: npt.ArrayLike,
        velocities: npt.ArrayLike | None = None,
        *,
        position_errors: npt.ArrayLike = 0.0,
        velocity_errors: npt.ArrayLike = 0.0,
        jumps: str = "allow",
    ) -> npt.NDArray[np.bool_]:
        """Pass measured positions and velocities of members at time t; velocities may have jumped.

        Args:
            ids: The members (k,).
            t: Time of the measurements, for all or for each [s]: now, or before now if the crowd has no motion. From
                then until now the bounds of these members contain all that their limits allow. Advance the crowd first
                to pass measurements of later times.
            positions: (k, 2 or 3) [m].
            velocities: (k, 2 or 3) [m/s]; None if they were not measured: any up to `max_speeds`.
            position_errors: Largest errors of positions, for all or for each [m].
            velocity_errors: Largest errors of velocities [m/s].
            jumps: "refuse" raises a `CrowdError` for measurements that contradict older ones and the limits: events
                reported for the time between may have been wrong. "allow" counts them in `statistics["jumps"]`.

        Returns:
            Which measurements were used (k,): one that is older than the member's latest measurement changes nothing.
        """
        return observe(self._state, ids, t, positions, velocities, position_errors, velocity_errors, jumps)

    @one_thread
    def change(
        self,
        ids: npt.ArrayLike,
        *,
        radii: npt.ArrayLike | None = None,
        max_accelerations: npt.ArrayLike | None = None,
        max_speeds: npt.ArrayLike | None = None,
        masses: npt.ArrayLike | None = None,
    ) -> None:
        """Give members other radii, limits or masses from now on."""
        change(self._state, ids, radii, max_accelerations, max_speeds, masses)

    @one_thread
    def add(
        self,
        positions: npt.ArrayLike,
        velocities: npt.ArrayLike | None,
        radii: npt.ArrayLike,
        max_accelerations: npt.ArrayLike | None = None,
        *,
        masses: npt.ArrayLike | None = None,
        max_speeds: npt.ArrayLike | None = None,
        groups: npt.ArrayLike | None = None,
        time: npt.ArrayLike | None = None,
        position_errors: npt.ArrayLike = 0.0,
        velocity_errors: npt.ArrayLike = 0.0,
    ) -> npt.NDArray[np.int64]:
        """Add members now and return their ids, which continue from the last; omitted arguments are as in `Crowd`.

        Ids are never reused; the memory of removed members is. Observed members may have been measured earlier, and
        with errors: `time` and the errors are as in `observe`.
        """
        if self._state.motion is not None and time is not None:
            raise ArgumentError("crowd: members with a motion join now; leave time out.")
        A = accelerations_of(self._state.motion, max_accelerations, self.bounds)
        ids = add(self._state, positions, velocities, radii, A, max_speeds, masses, groups, velocity_errors)
        if len(ids) and (self._state.motion is None or np.any(position_errors) or np.any(velocity_errors)):
            when = self.time if time is None else time
            try:
                self._state.tables.F[self._state.rows[-len(ids) :], at.PROBED] = checked_times(
                    "time", when, len(ids)
                )
                observe(
                    self._state, ids, when, positions, velocities, position_errors, velocity_errors, "allow"
                )
            except KeepclearError:
                self.remove(ids)
                raise
        return ids

    @one_thread
    def remove(self, ids: npt.ArrayLike) -> None:
        """Remove members now; the next `advance` reports the ends of their overlaps."""
        remove(self._state, ids)

    @one_thread
    def attach(
        self,
        i: int,
        shape: Any,
        *,
        rotation: npt.ArrayLike | Rotation | None = None,
        max_angular_speed: float = 0.0,
        tolerance: float | None = None,
    ) -> None:
        """Attach a shape to a member, its origin at the centre of the sphere: contacts are then those of the shapes.

        Where spheres overlap, the exact distance of their shapes is computed, and again each time before they could
        touch: "begin" (or "contact") is reported when the distance is at most the tolerance, and no earlier contact is
        missed; "end" when it is more, at most twice that. Walls still act on spheres. With a response function, two
        shapes that touched pass through each other until they have separated. Overlapping meshes have no known depth,
        so they are checked each time they may have moved by the tolerance: a coarse one is faster.

        Args:
            i: The member; its sphere must contain the shape in every rotation.
            shape: Any shape, a tree of a mesh, or a compound `[(shape, X), ...]`.
            rotation: Its axes in the world (3, 3), or a function of time that returns them; None: not
                rotated.
            max_angular_speed: Maximum angular speed, whatever the rotation does [rad/s].
            tolerance: A gap at which shapes count as touching [m]; by default a thousandth of the sphere's radius; the
                smaller one of two applies.
        """
        attach(self._state, i, Attachment(shape, rotation, max_angular_speed, tolerance))

    @one_thread
    def detach(self, i: int) -> None:
        """Remove the shape of a member: its sphere is checked again."""
        detach(self._state, i)

    @property
    @one_thread
    def attached(self) -> dict[int, Attachment]:
        """The attached shapes, by id of their member."""
        return {i: turning.given for i, turning in self._state.shapes.items()}

    @one_thread
    def copy(self) -> Self:
        """Return an independent crowd in the same state, which continues with the same bits; `copy.copy` does the same.

        Probe and response functions are shared, and are called by both. `save` and `restore` take a crowd to another
        process: crowds are not pickled.

        Raises:
            CopyError: The motion has a `restart`, so it keeps the state of one crowd.
            CrowdError: The crowd is advancing: a probe or a response has called this.
        """
        if hasattr(self._state.motion, "restart"):
            raise CopyError(
                "this Crowd cannot be copied: impacts are reported to its motion (restart), which keeps the state of "
                "one crowd; save the crowd, and restore it with another motion."
            )
        if self._advancing:
            raise CrowdError("crowd: it is copied by a function that it calls; copy it between two advances.")
        return self._fork()

    def _fork(self) -> Self:
        again = object.__new__(type(self))
        again._state = self._state.fork()
        return again

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise CopyError(
            "a Crowd cannot be pickled; write it with crowd.save(path), and read it with Crowd.restore(path)."
        )

    @one_thread
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a file (NPZ), from which `restore` continues with the same bits as this crowd.

        The file holds only what cannot be computed: boxes, cells, pairs and queued times are rebuilt, in this crowd
        too. So a run that is saved differs in its last digits from one that is not. Probe and response functions, and
        attached shapes, are not in the file.
        """
        if self._advancing:
            raise ArgumentError(
                "crowd: a probe or response cannot save the crowd that asks it; save it after advance."
            )
        write_state(self._state, path)

    @classmethod
    def restore(
        cls,
        path: str | os.PathLike[str],
        *,
        motion: Probe | None = None,
        response: Response | None = None,
        attached: Mapping[int, Attachment] | None = None,
    ) -> Crowd:
        """Return the crowd that `save` wrote; pass probe and response functions and shapes again, if it had any.

        Everything in the file is checked before it is used; a `CrowdError` says what is wrong. A file that was altered
        on purpose can describe another crowd, with other members, limits and measurements, but none that crashes,
        hangs, or misses contacts of the members and motions that it describes.
        """
        crowd = cls.__new__(cls)
        crowd._state = read_state(path, motion, response, attached or {})
        return crowd

    def _serve(self, status: int) -> None:
        """Provide the data that the event loop requested."""
        T = self._state.tables
        if status == at.NEEDS_PROBE:
            serve_probe(self._state)
        elif status == at.NEEDS_SHAPES:
            check_shapes(self._state)
        elif status == at.NEEDS_RESPONSE:
            ask_response(self._state)
        elif status == at.EVENTS_FULL:
            tell_impacts(self._state)
            self._state.drain()
        elif status == at.OUT_OF_STEPS:
            tune_again(self._state)
        elif status == at.GROW_PAIRS:
            T.grow_pairs()
        elif status == at.GROW_GRID:
            T.grow_grid()

    def _checked_time(self, t: float | None) -> float:
        when = self.time if t is None else checked_number("t", t, -LONGEST_TIME, LONGEST_TIME)
        if not isinstance(self._state.motion, RecordedTracks):  # which say that there are no members
            check_time_of_motion(self._state.motion, "t", when)
        kept = isinstance(self._state.motion, RecordedTracks) or self._state.tables.S[at.HISTORY]
        if when < self.time and not kept:
            raise ArgumentError(
                f"crowd: it is {self.time:g} s, and what was at {when:g} s is not kept; give the crowd history=True."
            )
        return when
