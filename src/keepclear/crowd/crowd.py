"""Many spheres with unknown trajectories: contacts from event to event, none missed, by bounds on accelerations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.crowd.arguments import (
    check_inside,
    checked_bounds,
    checked_corner,
    checked_ids,
    checked_number,
    checked_sizes,
    checked_vectors,
)
from keepclear.crowd.cost import choose_growth
from keepclear.crowd.events import counts, event_records
from keepclear.crowd.motions import Ballistic, Probe, RandomForces, RecordedTracks, VelocityField
from keepclear.crowd.probing import ask_probe, ask_response, tell_impacts
from keepclear.crowd.tables import Tables, build_tables
from keepclear.errors import ArgumentError
from keepclear.kernels import crowd_layout as at
from keepclear.kernels.crowd_events import advance, clear_time, jump, probe_all, take_out, wake
from keepclear.motions.samples import checked_choice
from keepclear.shapes.arguments import FloatArray, shown

__all__ = ["Crowd"]

Motion = Ballistic | RandomForces | VelocityField | RecordedTracks | Probe
Response = Callable[[Any, FloatArray], npt.ArrayLike | None]
# Events are handled in runs of so many, so that Ctrl-C gets through.
RUN = 1 << 20


class Crowd:
    """Spheres or discs that move in ways nobody knows in advance, and when they touch.

    From its last probe on, member i is somewhere in its bound: a sphere around where its velocity would carry it, whose
    radius grows as r + A t^2 / 2. Only when two bounds meet are both probed, and the truth is looked at. So contacts
    are found where they happen, however short they are, and none is missed while the accelerations keep their bounds.

    Args:
        positions: Centres (n, 3), or (n, 2) for discs in a plane [m]; None with `RecordedTracks`.
        velocities: (n, 3) or (n, 2) [m/s].
        radii: One for each (n,), or one for all [m].
        max_accelerations: Greatest accelerations A, those beside `gravity`, one for each or one for all [m/s^2].
        bounds: Lower and upper corner of a box with walls, or None.
        motion: `Ballistic`, `RandomForces`, `VelocityField`, `RecordedTracks`, a function `probe(ids, t)` that returns
            positions and velocities, or None: members are known from `observe` only.
        response: "elastic": impacts exchange impulses, walls turn back; "report": spheres pass through each other and
            through walls, and events tell when overlaps begin and end; or a function `response(event, velocities)` that
            returns the velocities after an impact, or None to let the two pass. By default "elastic" where members can
            bounce, else "report".
        masses: For elastic impacts, one for each or one for all; by default the cubes of the radii.
        gravity: An acceleration that all share [m/s^2]; it is known, and costs nothing.
        tolerance: A gap up to which spheres count as touching [m]. At least, and by default, 6e-14 of coordinates.
        time: When the crowd starts [s].
        growth: How far a sphere moves before it is looked at anew [m]; by default chosen by a cost model.

    Resting contact: two that touch and hardly separate would meet again without end. They are left alone until they may
    have moved by 1e-9 of the mean radius; `statistics["resting"]` counts how often. Members that overlap at the start
    exchange impulses while they approach, and are left alone while they go apart.

    Example:
        Two spheres meet head-on, elastically, and swap their velocities:
        >>> crowd = Crowd([[0, 0, 0], [10, 0, 0]], [[1, 0, 0], [-1, 0, 0]], 1.0, 0.0, motion=Ballistic())
        >>> crowd.advance(5.0)[["time", "i", "j", "kind"]].tolist()
        [(4.0, 0, 1, 'contact')]
        >>> crowd.positions(5.0).tolist()
        [[3.0, 0.0, 0.0], [7.0, 0.0, 0.0]]
    """

    def __init__(
        self,
        positions: npt.ArrayLike | None,
        velocities: npt.ArrayLike | None,
        radii: npt.ArrayLike,
        max_accelerations: npt.ArrayLike = 0.0,
        *,
        bounds: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
        motion: Motion | None = None,
        response: str | Response | None = None,
        masses: npt.ArrayLike | None = None,
        gravity: npt.ArrayLike | None = None,
        tolerance: float = 0.0,
        time: float | None = None,
        growth: float | None = None,
    ) -> None:
        if isinstance(motion, RecordedTracks):
            positions, velocities, start = _first_positions(motion, positions, velocities)
        else:
            start = 0.0
        if positions is None:
            raise ArgumentError("crowd: positions are missing; only RecordedTracks brings its own.")
        x = checked_vectors("positions", positions, None, None)
        n, dimensions = x.shape
        v = checked_vectors(
            "velocities", np.zeros_like(x) if velocities is None else velocities, n, dimensions
        )
        r = checked_sizes("radii", radii, n, zero=False)
        A = checked_sizes("max_accelerations", max_accelerations, n, zero=True)
        m = r**3 if masses is None else checked_sizes("masses", masses, n, zero=False)
        box = checked_bounds(bounds, dimensions)
        g = np.zeros(dimensions) if gravity is None else checked_corner("gravity", gravity, dimensions)
        self._motion = _checked_motion(motion)
        kind, data = _packed(self._motion, box, dimensions)
        self._response, code = _checked_response(response, kind, self._motion)
        t = start if time is None else checked_number("time", time)
        S = np.zeros(at.S_SIZE)
        S[at.TIME], S[at.OWN_TOLERANCE] = t, checked_number("tolerance", tolerance, 0.0)
        S[at.GRAVITY : at.GRAVITY + dimensions] = g
        S[at.MOTION], S[at.RESPONSE], S[at.DIMENSIONS] = kind, code, dimensions
        if box is not None:
            check_inside(x, r, box, np.arange(n))
            S[at.WALLED] = 1.0
            S[at.LOWER : at.LOWER + dimensions], S[at.UPPER : at.UPPER + dimensions] = box
        _scale(S, x, r, box)
        S[at.GROWTH] = (
            choose_growth(x, v, r, A, box) if growth is None else checked_number("growth", growth, 1e-30)
        )
        S[at.EDGE] = 1.01 * (2.0 * (r.min() if n else 1.0) + S[at.GROWTH])
        self._tables: Tables = build_tables(max(n, 1), S, data)
        self._n = n
        self._waiting: list[FloatArray] = []
        self._told = 0
        self._fill(np.arange(n), t, x, v, r, A, m)

    def _fill(
        self,
        ids: npt.NDArray[np.int64],
        t: float,
        x: FloatArray,
        v: FloatArray,
        r: FloatArray,
        A: FloatArray,
        m: FloatArray,
    ) -> None:
        T, d = self._tables, self.dimensions
        F, N = T.F, T.N
        F[ids, at.X : at.X + 3] = F[ids, at.V : at.V + 3] = 0.0
        F[ids, at.X : at.X + d], F[ids, at.V : at.V + d] = x, v
        F[ids, at.RADIUS], F[ids, at.ACCELERATION], F[ids, at.MASS] = r, A, m
        F[ids, at.PROBED], F[ids, at.BURST], F[ids, at.ANCHOR_END] = t, -np.inf, np.inf
        N[ids, at.ACTIVE], N[ids, at.OUTSIDE], N[ids, at.CONTACTS] = 1, 0, 0
        tables = T.packed()
        if isinstance(self._motion, RecordedTracks):
            length = len(self._motion.times)
            N[ids, at.KNOT], N[ids, at.LAST_KNOT] = ids * length - 1, ids * length + length - 1
            F[ids, at.ANCHOR_END], N[ids, at.ACTIVE] = self._motion.times[0], 2
            for i in ids:
                wake(tables, int(i), max(t, float(self._motion.times[0])))
            return
        velocity = np.zeros(3)
        for i, w in zip(ids, v, strict=True):
            velocity[:d] = w
            jump(tables, int(i), velocity)

    # What is known.

    def __len__(self) -> int:
        return int((self._tables.N[: self._n, at.ACTIVE] > 0).sum())

    @property
    def dimensions(self) -> int:
        """2 for discs in a plane, 3 for spheres."""
        return int(self._tables.S[at.DIMENSIONS])

    @property
    def time(self) -> float:
        """Until when everything has happened [s]."""
        return float(self._tables.S[at.TIME])

    @property
    def tolerance(self) -> float:
        """The gap up to which spheres count as touching [m]."""
        return float(self._tables.S[at.TOLERANCE])

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """Ids of the members that are there, rising."""
        return np.flatnonzero(self._tables.N[: self._n, at.ACTIVE] > 0)

    @property
    def radii(self) -> FloatArray:
        """Radii (n,) [m], by id."""
        return self._tables.F[: self._n, at.RADIUS].copy()

    @property
    def statistics(self) -> dict[str, int]:
        """How often each kind of event happened so far, and how much work it was.

        "entering" and "leaving" count cells, "resetting" new boxes, "colliding" bounds that met, "wall" bounds that met
        walls; "contacts" and "wall contacts" are those that were real.
        """
        return counts(self._tables.C)

    @property
    def nbytes(self) -> int:
        """Memory of all tables [bytes]."""
        return self._tables.nbytes

    def positions(self, t: float | None = None) -> FloatArray:
        """Return the centres (n, 2 or 3) at a time, by default now; NaN in the rows of ids that are not there.

        Times before now are known for recorded tracks only. For later times, and where members are known from
        observations, this is where they would be without further impacts.
        """
        return self._states(self._checked_time(t))[0]

    def velocities(self, t: float | None = None) -> FloatArray:
        """Return the velocities (n, 2 or 3) at a time, by default now; see `positions`."""
        return self._states(self._checked_time(t))[1]

    def bounds_at(self, t: float | None = None) -> tuple[FloatArray, FloatArray]:
        """Return centres (n, 2 or 3) and radii (n,) of the bounds that hold the members at a time."""
        when = self._checked_time(t)
        x, _ = self._known_states(when)
        F = self._tables.F[: self._n]
        return x, F[:, at.RADIUS] + 0.5 * F[:, at.ACCELERATION] * (when - F[:, at.PROBED]) ** 2

    def clear_until(self, i: int, j: int | None = None) -> float:
        """Return a time before which i cannot touch j, or nobody if j is None, as far as is known now; inf if never.

        The answer rests on the last probes and on the greatest accelerations; walls are not looked at, and neither are
        impacts with others, which change velocities.
        """
        pair = checked_ids([i] if j is None else [i, j], self._tables.N[: self._n, at.ACTIVE] == 1)
        T = self._tables
        return float(clear_time(T.F, T.N, T.S, int(pair[0]), -1 if j is None else int(pair[1]), self.time))

    # What happens.

    def advance(self, until: float) -> np.recarray[Any, Any]:
        """Let time go on and return the events up to then, in order: time, i, j (-1 is a wall), kind and position.

        If a probe or a response fails, the crowd stays where it was when it was asked; events until then come with the
        next call.
        """
        end = checked_number("until", until)
        if end < self.time:
            raise ArgumentError(
                f"crowd: it is {self.time:g} s already; until must not be earlier, but it is {end:g}."
            )
        while True:
            status = advance(self._tables.packed(), end, RUN)
            if status == at.DONE:
                break
            self._serve(status)
        tell_impacts(self)
        return event_records(self._take_events(), self.dimensions)

    def observe(
        self, ids: npt.ArrayLike, t: float, positions: npt.ArrayLike, velocities: npt.ArrayLike
    ) -> None:
        """Tell the crowd where members were at time t and how they moved; velocities may have jumped.

        Times may lie before now, not after it: advance the crowd first. Between then and now the bounds of these
        members hold whatever their greatest accelerations allow.
        """
        T = self._tables
        who = checked_ids(ids, T.N[: self._n, at.ACTIVE] == 1)
        when = checked_number("t", t)
        if when > self.time:
            raise ArgumentError(
                f"crowd: it is {self.time:g} s, and the observation is of {when:g} s; advance the crowd first."
            )
        if when < self.time and T.S[at.MOTION] not in (at.OBSERVED, at.EXTERNAL):
            raise ArgumentError(
                f"crowd: it is {self.time:g} s; its own motion can only be set from now on, not from {when:g} s."
            )
        x = checked_vectors("positions", positions, len(who), self.dimensions)
        v = checked_vectors("velocities", velocities, len(who), self.dimensions)
        old = T.F[who, at.PROBED]
        if (when < old).any() and T.S[at.MOTION] == at.OBSERVED:
            k = int(np.flatnonzero(when < old)[0])
            raise ArgumentError(
                f"crowd: member {who[k]} was observed at {old[k]:g} s already; drop the older news of {when:g} s."
            )
        self._check_walls(who, x, T.F[who, at.RADIUS])
        d = self.dimensions
        T.F[who, at.X : at.X + d], T.F[who, at.V : at.V + d], T.F[who, at.PROBED] = x, v, when
        self._restart(who)

    def change(
        self,
        ids: npt.ArrayLike,
        *,
        radii: npt.ArrayLike | None = None,
        max_accelerations: npt.ArrayLike | None = None,
        masses: npt.ArrayLike | None = None,
    ) -> None:
        """Give members other radii, greatest accelerations or masses from now on."""
        T = self._tables
        who = checked_ids(ids, T.N[: self._n, at.ACTIVE] == 1)
        r = None if radii is None else checked_sizes("radii", radii, len(who), zero=False)
        A = (
            None
            if max_accelerations is None
            else checked_sizes("max_accelerations", max_accelerations, len(who), zero=True)
        )
        m = None if masses is None else checked_sizes("masses", masses, len(who), zero=False)
        self._know(who)
        if r is not None:
            self._check_walls(who, T.F[who, at.X : at.X + self.dimensions], r)
            T.F[who, at.RADIUS] = r
        if A is not None:
            T.F[who, at.ACCELERATION] = A
        if m is not None:
            T.F[who, at.MASS] = m
        self._restart(who)

    def add(
        self,
        positions: npt.ArrayLike,
        velocities: npt.ArrayLike,
        radii: npt.ArrayLike,
        max_accelerations: npt.ArrayLike = 0.0,
        *,
        masses: npt.ArrayLike | None = None,
    ) -> npt.NDArray[np.int64]:
        """Let new members in now and return their ids; ids of removed members are given again, lowest first."""
        if isinstance(self._motion, RecordedTracks):
            raise ArgumentError("crowd: recorded tracks bring all their members; nobody can be added.")
        x = checked_vectors("positions", positions, None, self.dimensions)
        k = len(x)
        v = checked_vectors("velocities", velocities, k, self.dimensions)
        r = checked_sizes("radii", radii, k, zero=False)
        A = checked_sizes("max_accelerations", max_accelerations, k, zero=True)
        m = r**3 if masses is None else checked_sizes("masses", masses, k, zero=False)
        free = np.flatnonzero(self._tables.N[: self._n, at.ACTIVE] == 0)[:k]
        ids = np.concatenate([free, np.arange(self._n, self._n + k - len(free))])
        self._check_walls(ids, x, r)
        if self._n + k - len(free) > len(self._tables.F):
            self._tables.grow_spheres(self._n + k - len(free))
        self._n += k - len(free)
        self._fill(ids, self.time, x, v, r, A, m)
        return ids

    def remove(self, ids: npt.ArrayLike) -> None:
        """Take members out now; overlaps with them end, as events of the next `advance`."""
        if isinstance(self._motion, RecordedTracks):
            raise ArgumentError("crowd: recorded tracks tell who is there; nobody can be removed.")
        who = checked_ids(ids, self._tables.N[: self._n, at.ACTIVE] > 0)
        self._know(who)
        for i in who:
            while take_out(self._tables.packed(), int(i)) != at.DONE:
                self._drain()

    # Inside.

    def _serve(self, status: int) -> None:
        """Give the event loop what it asked for."""
        T = self._tables
        if status == at.NEEDS_PROBE:
            asked = [
                int(i) for i in T.C[[at.ASKED_A, at.ASKED_B]] if i >= 0 and T.F[i, at.PROBED] != self.time
            ]
            tell_impacts(self)
            ask_probe(self, np.array(asked, dtype=np.int64))
        elif status == at.NEEDS_RESPONSE:
            ask_response(self)
        elif status == at.EVENTS_FULL:
            tell_impacts(self)
            self._drain()
        elif status == at.GROW_PAIRS:
            T.grow_pairs()
        elif status == at.GROW_GRID:
            T.grow_grid()

    def _drain(self) -> None:
        T = self._tables
        n = int(T.C[at.N_EVENTS])
        self._waiting.append(T.E[:n].copy())
        T.C[at.N_EVENTS], self._told = 0, 0
        if n * 2 >= len(T.E):
            T.E = np.zeros((2 * len(T.E), at.E_COLUMNS))

    def _take_events(self) -> FloatArray:
        T = self._tables
        rows = [*self._waiting, T.E[: T.C[at.N_EVENTS]].copy()]
        self._waiting, T.C[at.N_EVENTS], self._told = [], 0, 0
        return np.concatenate(rows)

    def _know(self, who: npt.NDArray[np.int64]) -> None:
        """Make the states of members those of now, where a probe can tell."""
        kind = self._tables.S[at.MOTION]
        if kind == at.EXTERNAL:
            stale = who[self._tables.F[who, at.PROBED] != self.time]
            if len(stale):
                tell_impacts(self)
                ask_probe(self, stale)
        elif kind != at.OBSERVED:
            x, v = self._states(self.time)
            F, d = self._tables.F, self.dimensions
            F[who, at.X : at.X + d], F[who, at.V : at.V + d], F[who, at.PROBED] = x[who], v[who], self.time

    def _restart(self, who: npt.NDArray[np.int64]) -> None:
        tables, d = self._tables.packed(), self.dimensions
        if self._tables.S[at.MOTION] == at.TRACKS:
            raise ArgumentError("crowd: recorded tracks cannot be changed.")
        velocity = np.zeros(3)
        for i in who:
            velocity[:d] = self._tables.F[i, at.V : at.V + d]
            jump(tables, int(i), velocity)

    def _check_walls(self, who: npt.NDArray[np.int64], x: FloatArray, r: FloatArray) -> None:
        S, d = self._tables.S, self.dimensions
        if S[at.WALLED] and S[at.RESPONSE] == at.ELASTIC and S[at.MOTION] != at.OBSERVED:
            check_inside(x, r, (S[at.LOWER : at.LOWER + d], S[at.UPPER : at.UPPER + d]), who)

    def _checked_time(self, t: float | None) -> float:
        when = self.time if t is None else checked_number("t", t)
        if when < self.time and not isinstance(self._motion, RecordedTracks):
            raise ArgumentError(
                f"crowd: it is {self.time:g} s, and what was at {when:g} s is not kept; ask before advancing."
            )
        return when

    def _known_states(self, t: float) -> tuple[FloatArray, FloatArray]:
        F, d, g = self._tables.F[: self._n], self.dimensions, self._tables.S[at.GRAVITY : at.GRAVITY + 3]
        s = (t - F[:, at.PROBED])[:, None]
        x = F[:, at.X : at.X + d] + (F[:, at.V : at.V + d] + 0.5 * g[:d] * s) * s
        v = F[:, at.V : at.V + d] + g[:d] * s
        absent = self._tables.N[: self._n, at.ACTIVE] != 1
        x[absent] = v[absent] = np.nan
        return x, v

    def _states(self, t: float) -> tuple[FloatArray, FloatArray]:
        T, d = self._tables, self.dimensions
        if isinstance(self._motion, RecordedTracks):
            x = self._motion.at(t)
            return x, (self._motion.at(np.nextafter(t, math.inf)) - x) * np.nan
        if T.S[at.MOTION] == at.OBSERVED:
            return self._known_states(t)
        if T.S[at.MOTION] == at.EXTERNAL:
            if t == self.time:
                self._know(self.ids)
            return self._known_states(t)
        F, N = T.F.copy(), T.N.copy()
        probe_all(F, N, T.C.copy(), T.S, T.D, t)
        x, v = F[: self._n, at.X : at.X + d].copy(), F[: self._n, at.V : at.V + d].copy()
        absent = N[: self._n, at.ACTIVE] != 1
        x[absent] = v[absent] = np.nan
        return x, v


def _checked_motion(motion: Any) -> Any:
    if motion is None or callable(motion):
        return motion
    if isinstance(motion, Ballistic | RandomForces | VelocityField | RecordedTracks):
        return motion
    raise ArgumentError(
        "crowd: motion must be Ballistic(), RandomForces(), VelocityField(), RecordedTracks(), a function "
        f"probe(ids, t) or None, but it is {shown(motion)}."
    )


def _packed(motion: Any, box: Any, dimensions: int) -> tuple[int, FloatArray]:
    if motion is None:
        return at.OBSERVED, np.zeros(1)
    if hasattr(motion, "pack"):
        kind, data = motion.pack(box, dimensions)
        return int(kind), data
    return at.EXTERNAL, np.zeros(1)


def _checked_response(response: Any, kind: int, motion: Any) -> tuple[Any, int]:
    bounces = kind in (at.BALLISTIC, at.RANDOM, at.FIELD) or hasattr(motion, "restart")
    if response is None:
        response = "elastic" if bounces else "report"
    if callable(response):
        code = at.ASK
    else:
        code = (
            at.ELASTIC
            if checked_choice("crowd", "response", response, ("elastic", "report")) == "elastic"
            else at.REPORT
        )
    if code != at.REPORT and not bounces:
        raise ArgumentError(
            'crowd: members that move on their own cannot bounce; use response="report", or give a probe that has a '
            "method restart(ids, t, positions, velocities)."
        )
    return response, code


def _first_positions(
    tracks: RecordedTracks, positions: Any, velocities: Any
) -> tuple[FloatArray, FloatArray, float]:
    if positions is not None or velocities is not None:
        raise ArgumentError("crowd: recorded tracks bring positions and velocities; give None for both.")
    there = ~np.isnan(tracks.positions[:, :, 0])
    first = there.argmax(axis=0)
    x = np.nan_to_num(tracks.positions[first, np.arange(tracks.n_members)])
    return x, np.zeros_like(x), float(tracks.times[0])


def _scale(S: FloatArray, x: FloatArray, r: FloatArray, box: tuple[FloatArray, FloatArray] | None) -> None:
    """Set the tolerances that follow from the size of coordinates; see `enclose` in the kernels."""
    far = float((np.abs(x) + r[:, None]).max()) if len(x) else 1.0
    if box is not None:
        far = max(far, float(np.abs(np.concatenate(box)).max()))
    S[at.EXTENT] = far
    S[at.SLACK] = 2.0**-49 * far
    S[at.TOLERANCE] = max(S[at.OWN_TOLERANCE], 2.0**-44 * far)
    S[at.REST] = max(4.0 * S[at.TOLERANCE], 1e-9 * (float(r.mean()) if len(r) else 1.0))
