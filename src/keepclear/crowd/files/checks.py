"""Checks of the content of a state file of a crowd, before it is used.

Each raises a `ValueError` whose text follows the name of the file. They admit what a crowd can be, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.crowd.files.content import FIRST_COLUMN, FIRST_COUNTER, KNOWN, LAST_COLUMN, MARKS, Saved
from keepclear.crowd.parts.member_arrays import LONGEST_TIME, MOST_INTERVALS, SMALLEST_NUMBER
from keepclear.crowd.parts.motions import RecordedTracks
from keepclear.crowd.parts.state import State
from keepclear.crowd.parts.tuning import suitable_growth
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.motion import D_CENTRE, D_HALF, D_INTERVAL, D_RESPONSE, D_ROWS, D_SEED, D_SPEED
from keepclear.kernels.crowd.pairs import MOST_CONTACTS
from keepclear.tolerances import LARGEST_SIZE

MOST_COUNTED = 2**53
"""Counts, ids and numbers of intervals stay below: they are also kept as float64."""

FARTHEST = 1e36
"""Greatest coordinate and speed of a member [m, m/s].

A member that is pushed by `LARGEST_SIZE` for `LONGEST_TIME` stays below. Kernels square products of a coordinate and a
speed: beyond 1e38 these overflow, and a contact would be lost.
"""

SMALLEST_GROWTH = 1e-9
"""Part of the growth that suits a crowd below which no run would end in a lifetime."""

_WIDTHS: dict[str, tuple[str, tuple[int | None, ...]]] = {
    "settings": ("f", (at.S_SIZE,)),
    "counters": ("i", (at.C_SIZE - FIRST_COUNTER,)),
    "numbers": ("i", (4,)),
    "ids": ("i", (None,)),
    "rows": ("i", (None,)),
    "free": ("i", (None,)),
    "members": ("f", (None, LAST_COLUMN + 1 - FIRST_COLUMN)),
    "marks": ("i", (None, len(MARKS))),
    "pairs": ("i", (None, 3)),
    "data": ("f", (None,)),
    "events": ("f", (None, at.E_COLUMNS)),
    "waiting": ("f", (None, at.E_COLUMNS)),
    "log": ("f", (None, at.L_COLUMNS)),
}


def checked_state(found: Mapping[str, npt.NDArray[Any]]) -> Saved:
    """Return the saved state of a crowd from the arrays of a file; a `ValueError` names an invalid value."""
    for name, (kind, shape) in _WIDTHS.items():
        if name not in found:
            raise ValueError(f"'{name}' is missing")
        array, dtype = found[name], np.dtype(np.float64 if kind == "f" else np.int64)
        fits = len(array.shape) == len(shape) and all(
            w in (None, n) for n, w in zip(array.shape, shape, strict=True)
        )
        if array.dtype != dtype or not fits:
            raise ValueError(f"'{name}' has the type {array.dtype} and the shape {array.shape}")
    state = Saved(**{field.name: found[field.name] for field in fields(Saved)})
    _check_settings(state)
    _check_numbers(state)
    _check_members(state)
    _check_data(state)
    _check_motion(state)
    _check_marks(state)
    _check_pairs(state)
    for events in (state.events, state.waiting):
        _check_events(events, state)
    _check_log(state)
    return state


def check_tracks(tracks: RecordedTracks, state: Saved) -> None:
    """Check that members are those of the recorded tracks, and no farther along them than the time is."""
    n, d = tracks.positions.shape[1:]
    _require("the number of tracks", n == len(state.ids) == state.numbers[0])
    _require("the number of dimensions of tracks", d == state.settings[at.DIMENSIONS])
    passed = int(np.searchsorted(tracks.times, state.settings[at.TIME], side="right")) - 1
    _require("a sample of a track", state.marks[:, MARKS.index(at.KNOT)] <= passed)


def check_growth(crowd: State) -> None:
    """Check, once all is in place, that a growth given by the caller lets a run end."""
    given = crowd.tables.S[at.GROWTH]
    _require("the growth", not crowd.own_growth or given >= SMALLEST_GROWTH * suitable_growth(crowd))


def _check_settings(state: Saved) -> None:
    S = state.settings
    _require("the time", _within(S[at.TIME], -LONGEST_TIME, LONGEST_TIME))
    _require("the number of dimensions", _whole(S[at.DIMENSIONS], 2, 3))
    _require("the kind of motion", _whole(S[at.MOTION], at.OBSERVED, at.COMPILED))
    _require("the response", _whole(S[at.RESPONSE], at.ELASTIC, at.ASK))
    _require("the setting of walls", _whole(S[at.WALLED], 0, 1))
    _require("the setting of history", _whole(S[at.HISTORY], 0, 1))
    _require("the tolerance", _within(S[at.OWN_TOLERANCE], 0.0, LARGEST_SIZE))
    _require("the extent", _within(S[at.EXTENT], 1e-9, FARTHEST))
    _require("the growth", _within(S[at.GROWTH], 1e-30, FARTHEST))
    kind, d = int(S[at.MOTION]), int(S[at.DIMENSIONS])
    gravity, lower, upper = (S[k : k + 3] for k in (at.GRAVITY, at.LOWER, at.UPPER))
    for name, vector in (("gravity", gravity), ("a wall", lower), ("a wall", upper)):
        _require(name, _within(vector, -LARGEST_SIZE, LARGEST_SIZE))
        _require(name, vector[d:] == 0.0)
    if S[at.WALLED]:
        _require("a wall", (lower < upper)[:d])
    _require("a wall of an observed crowd", not (S[at.WALLED] and kind == at.OBSERVED))
    _require("the history of such a motion", not S[at.HISTORY] or kind in KNOWN)
    _require(
        "the response of such a motion", S[at.RESPONSE] == at.REPORT or kind not in (at.OBSERVED, at.TRACKS)
    )


def _check_numbers(state: Saved) -> None:
    """Check ids, and that rows and free rows are each row once."""
    next_id, reported, tuned_for, own_growth = state.numbers
    n = len(state.ids)
    _require("the next id", 0 <= next_id < MOST_COUNTED)
    _require("the number of reported events", 0 <= reported <= len(state.events))
    _require("the size of the last tuning", 0 <= tuned_for < MOST_COUNTED)
    _require("the mark of a given growth", 0 <= own_growth <= 1)
    _require("a counter", (state.counters >= 0) & (state.counters < 2**62))
    _require("an id", (state.ids >= 0) & (state.ids < next_id))
    _require("the order of ids", np.diff(state.ids) > 0)
    _require("the number of rows", len(state.rows) == len(state.members) == len(state.marks) == n)
    rows = np.sort(np.concatenate([state.rows, state.free]))
    _require("the set of rows", len(rows) > 0 and np.array_equal(rows, np.arange(len(rows))))


def _check_members(state: Saved) -> None:
    S, t = state.settings, state.settings[at.TIME]
    burst = _column(state, at.BURST)
    _require("a radius", _within(_column(state, at.RADIUS), 0.0, LARGEST_SIZE))
    _require("a mass", _within(_column(state, at.MASS), 1e-300, 1e30))
    _require("an acceleration", _within(_column(state, at.ACCELERATION), 0.0, LARGEST_SIZE))
    _require("the time of a contact", np.isneginf(burst) | _within(burst, -LONGEST_TIME, t))
    for k in (at.X, at.V):
        _check_vectors("a position or velocity", _column(state, k, 3), int(S[at.DIMENSIONS]))


def _check_marks(state: Saved) -> None:
    S, kind = state.settings, int(state.settings[at.MOTION])
    outside, contacts, knots, shaped, groups = state.marks.T
    passes_walls = S[at.WALLED] == 1 and S[at.RESPONSE] != at.ELASTIC
    _require(
        "a passed wall", (outside >= 0) & (outside < (4 ** int(S[at.DIMENSIONS]) if passes_walls else 1))
    )
    _require("a count of contacts", _within(contacts, 0, MOST_CONTACTS))
    _require("a sample of a track", (knots >= -1) if kind == at.TRACKS else (knots == 0))
    takes_shapes = S[at.DIMENSIONS] == 3 and S[at.RESPONSE] != at.ELASTIC and kind != at.OBSERVED
    _require("the mark of a shape", _within(shaped, 0, 1 if takes_shapes else 0))
    _require("a group", groups >= -1)


def _check_pairs(state: Saved) -> None:
    """Check that pairs which overlap are of two members, each once, and may overlap at all."""
    first, second, condition = state.pairs.T
    if len(first) == 0:
        return
    _require("an overlap with the elastic response", state.settings[at.RESPONSE] != at.ELASTIC)
    _require("a member of a pair", np.isin(first, state.ids) & np.isin(second, state.ids) & (first != second))
    a, b = np.searchsorted(state.ids, first), np.searchsorted(state.ids, second)
    keys = np.minimum(a, b) * np.int64(len(state.ids)) + np.maximum(a, b)
    _require("a pair that is there twice", len(np.unique(keys)) == len(keys))
    shaped, groups = state.marks[:, MARKS.index(at.SHAPED)], state.marks[:, MARKS.index(at.GROUP)]
    near = (condition == at.NEAR) & (shaped[a] + shaped[b] > 0)
    _require("the state of a pair", (condition == at.OVERLAPPING) | near)
    _require("a pair within a group", (groups[a] < 0) | (groups[a] != groups[b]))


def _check_events(events: FloatArray, state: Saved) -> None:
    next_id = int(state.numbers[0])
    _require("the time of an event", _within(events[:, at.E_TIME], -LONGEST_TIME, state.settings[at.TIME]))
    _require("a member of an event", _whole(events[:, at.E_I], 0, next_id - 1))
    _require("a member of an event", _whole(events[:, at.E_J], -1, next_id - 1))
    _require("the kind of an event", _whole(events[:, at.E_KIND], at.CONTACT, at.POSSIBLE))
    _require("the position of an event", _within(events[:, at.E_POSITION :], -FARTHEST, FARTHEST))


def _check_log(state: Saved) -> None:
    S, log = state.settings, state.log
    kind = int(S[at.MOTION])
    _require(
        "the history", len(log) == 0 or (S[at.HISTORY] == 1 and kind in (at.BALLISTIC, at.RANDOM, at.FIELD))
    )
    if len(log) == 0:
        return
    _require("the time of the history", _within(log[:, at.L_TIME], -LONGEST_TIME, S[at.TIME]))
    _require("the order of the history", np.diff(log[:, at.L_TIME]) >= 0.0)
    _require("a member of the history", _whole(log[:, at.L_ID], 0, int(state.numbers[0]) - 1))
    for k in (at.L_X, at.L_V, at.L_A):
        _check_vectors("the history", log[:, k : k + 3], int(S[at.DIMENSIONS]))
    _require("the history", _within(log[:, at.L_ACCELERATION], 0.0, LARGEST_SIZE))
    if kind == at.BALLISTIC:
        _require("the history", np.isposinf(log[:, at.L_END]))
    else:
        _check_intervals(log[:, at.L_TIME], log[:, at.L_END], state)


def _column(state: Saved, k: int, width: int | None = None) -> FloatArray:
    """Return a column of the members (n,), or some (n, width), by its number in the table `F`."""
    return state.members[
        :, k - FIRST_COLUMN if width is None else slice(k - FIRST_COLUMN, k - FIRST_COLUMN + width)
    ]


def _check_data(state: Saved) -> None:
    """Check the numbers of random forces and of velocity fields; other motions have none."""
    S, D, kind = state.settings, state.data, int(state.settings[at.MOTION])
    has_data = kind in (at.RANDOM, at.FIELD)
    _require("the data of the motion", D.shape == ((D_ROWS,) if has_data else (0,)))
    if not has_data:
        return
    _require("the interval of forces", _within(D[D_INTERVAL], SMALLEST_NUMBER, LONGEST_TIME))
    _require("the interval of forces", abs(S[at.TIME]) <= MOST_INTERVALS * D[D_INTERVAL])
    if kind == at.RANDOM:
        _require("the seed", _whole(D[D_SEED], 0, 2.0**53))
        _require("the data of the motion", np.delete(D, [D_INTERVAL, D_SEED]) == 0.0)
        return
    _require("the field", _within(D[[D_SPEED, D_RESPONSE]], SMALLEST_NUMBER, LARGEST_SIZE))
    _require("the box of the field", _within(D[D_CENTRE : D_CENTRE + 3], -LARGEST_SIZE, LARGEST_SIZE))
    _require("the box of the field", _within(D[D_HALF : D_HALF + 3], SMALLEST_NUMBER, LARGEST_SIZE))
    _require("the data of the motion", D[D_HALF + 3 :] == 0.0)


def _check_motion(state: Saved) -> None:
    """Check how members continue: anchors within their limits, probes and measurements of the past."""
    S, t, kind = state.settings, float(state.settings[at.TIME]), int(state.settings[at.MOTION])
    d = int(S[at.DIMENSIONS])
    if kind == at.OBSERVED:
        _check_measurements(state)
    if kind not in KNOWN:
        _require("the time of a probe", _within(_column(state, at.PROBED), -LONGEST_TIME, t))
    if kind not in (at.BALLISTIC, at.RANDOM, at.FIELD):
        return
    since = _column(state, at.ANCHOR_T)
    for k in (at.ANCHOR_X, at.ANCHOR_V, at.ANCHOR_A):
        _check_vectors("an anchor", _column(state, k, 3), d)
    _require("the time of an anchor", _within(since, -LONGEST_TIME, t))
    if kind == at.BALLISTIC:
        return
    _require("the time of an anchor", _column(state, at.ANCHOR_END) > t)
    _check_intervals(since, _column(state, at.ANCHOR_END), state)
    pushed = np.linalg.norm(_column(state, at.ANCHOR_A, 3) - S[at.GRAVITY : at.GRAVITY + 3], axis=1)
    rounding = 1e-12 * (_column(state, at.ACCELERATION) + np.abs(S[at.GRAVITY : at.GRAVITY + 3]).max())
    _require("the acceleration of an anchor", pushed <= _column(state, at.ACCELERATION) + rounding)


def _check_intervals(since: FloatArray, until: FloatArray, state: Saved) -> None:
    """Check that forces are steady for one interval at most: kernels go on from interval to interval."""
    longest = state.data[D_INTERVAL] * (1.0 + 1e-9) + 1e-14 * np.abs(since)
    _require("the interval of an anchor", (until > since) & (until - since <= longest))


def _check_measurements(state: Saved) -> None:
    """Check the errors of observed members: they must follow from their limits, before or after the speed limit."""
    S, t = state.settings, float(state.settings[at.TIME])
    e, f, tau, A, V = (_column(state, at.ERROR_X + k) for k in range(5))
    now, speed = _column(state, at.ACCELERATION), np.linalg.norm(_column(state, at.V, 3), axis=1)
    for limit in (A, V):
        _require("a limit of a member", _within(limit, 0.0, LARGEST_SIZE) | np.isposinf(limit))
    _require("a member without limits", np.isfinite(A) | np.isfinite(V))
    _require("a limit of speed under gravity", np.isposinf(V) | (not S[at.GRAVITY : at.GRAVITY + 3].any()))
    _require("an error of measurement", _within(e, -FARTHEST, FARTHEST) & _within(f, 0.0, FARTHEST))
    W, near = V + speed, 1e-9
    endless = np.isposinf(tau)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        reached = (W - f) / np.where(A > 0.0, A, 1.0)
        growing = (
            (now == A)
            & (A > 0.0)
            & (e >= 0.0)
            & ((endless & np.isposinf(W)) | (np.abs(tau - reached) <= near * (W / A)))
        )
        steady = (now == 0.0) & (A == 0.0) & (e >= 0.0) & endless
        fastest = (now == 0.0) & (e >= 0.0) & endless & np.isfinite(W) & (f >= W * (1.0 - near))
        passed = (now == 0.0) & (A > 0.0) & (tau >= 0.0) & (tau * A <= W * (1.0 + near))
        passed &= np.isfinite(W) & (np.abs(f - W) <= near * W) & (t >= _column(state, at.PROBED) + tau)
        passed &= e >= -0.5 * A * tau * tau * (1.0 + near)
    _require("what is not known of a member", growing | steady | fastest | passed)


def _require(name: str, is_good: Any) -> None:
    """Raise a `ValueError` that names an invalid value and its first row, unless all are valid."""
    good = np.asarray(is_good)
    if not good.all():
        where = "" if good.ndim == 0 else f" in row {int(np.argwhere(~good)[0][0])}"
        raise ValueError(f"{name} is impossible{where}")


def _within(values: Any, low: float, high: float) -> npt.NDArray[np.bool_]:
    """Return which values are numbers from low to high; NaN never is."""
    return np.asarray((np.asarray(values) >= low) & (np.asarray(values) <= high))


def _whole(values: Any, low: float, high: float) -> npt.NDArray[np.bool_]:
    return np.asarray(_within(values, low, high) & (np.asarray(values) == np.floor(values)))


def _check_vectors(name: str, vectors: FloatArray, dimensions: int) -> None:
    _require(name, _within(vectors, -FARTHEST, FARTHEST))
    _require(name, vectors[:, dimensions:] == 0.0)
