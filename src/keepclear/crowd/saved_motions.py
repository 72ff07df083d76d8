"""Checks of how the members of a saved crowd move; see `keepclear.crowd.saved_checks`."""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.crowd.member_arrays import LONGEST_TIME, MOST_INTERVALS, SMALLEST_NUMBER
from keepclear.crowd.motions import RecordedTracks
from keepclear.crowd.possible import FARTHEST, check_vectors, require, whole, within
from keepclear.crowd.saved import FIRST_COLUMN, KNOWN, MARKS, Saved
from keepclear.crowd.state import State
from keepclear.crowd.tuning import suitable_growth
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.motion import D_CENTRE, D_HALF, D_INTERVAL, D_RESPONSE, D_ROWS, D_SEED, D_SPEED
from keepclear.tolerances import LARGEST_SIZE

SMALLEST_GROWTH = 1e-9
"""Part of the growth that suits a crowd below which no run would end in a lifetime."""


def column(state: Saved, k: int, width: int | None = None) -> FloatArray:
    """Return a column of the members (n,), or some (n, width), by its number in the table `F`."""
    return state.members[
        :, k - FIRST_COLUMN if width is None else slice(k - FIRST_COLUMN, k - FIRST_COLUMN + width)
    ]


def check_data(state: Saved) -> None:
    """Check the numbers of random forces and of velocity fields; other motions have none."""
    S, D, kind = state.settings, state.data, int(state.settings[at.MOTION])
    has_data = kind in (at.RANDOM, at.FIELD)
    require("the data of the motion", D.shape == ((D_ROWS,) if has_data else (0,)))
    if not has_data:
        return
    require("the interval of forces", within(D[D_INTERVAL], SMALLEST_NUMBER, LONGEST_TIME))
    require("the interval of forces", abs(S[at.TIME]) <= MOST_INTERVALS * D[D_INTERVAL])
    if kind == at.RANDOM:
        require("the seed", whole(D[D_SEED], 0, 2.0**53))
        require("the data of the motion", np.delete(D, [D_INTERVAL, D_SEED]) == 0.0)
        return
    require("the field", within(D[[D_SPEED, D_RESPONSE]], SMALLEST_NUMBER, LARGEST_SIZE))
    require("the box of the field", within(D[D_CENTRE : D_CENTRE + 3], -LARGEST_SIZE, LARGEST_SIZE))
    require("the box of the field", within(D[D_HALF : D_HALF + 3], SMALLEST_NUMBER, LARGEST_SIZE))
    require("the data of the motion", D[D_HALF + 3 :] == 0.0)


def check_motion(state: Saved) -> None:
    """Check how members continue: anchors within their limits, probes and measurements of the past."""
    S, t, kind = state.settings, float(state.settings[at.TIME]), int(state.settings[at.MOTION])
    d = int(S[at.DIMENSIONS])
    if kind == at.OBSERVED:
        _check_measurements(state)
    if kind not in KNOWN:
        require("the time of a probe", within(column(state, at.PROBED), -LONGEST_TIME, t))
    if kind not in (at.BALLISTIC, at.RANDOM, at.FIELD):
        return
    since = column(state, at.ANCHOR_T)
    for k in (at.ANCHOR_X, at.ANCHOR_V, at.ANCHOR_A):
        check_vectors("an anchor", column(state, k, 3), d)
    require("the time of an anchor", within(since, -LONGEST_TIME, t))
    if kind == at.BALLISTIC:
        return
    require("the time of an anchor", column(state, at.ANCHOR_END) > t)
    check_intervals(since, column(state, at.ANCHOR_END), state)
    pushed = np.linalg.norm(column(state, at.ANCHOR_A, 3) - S[at.GRAVITY : at.GRAVITY + 3], axis=1)
    rounding = 1e-12 * (column(state, at.ACCELERATION) + np.abs(S[at.GRAVITY : at.GRAVITY + 3]).max())
    require("the acceleration of an anchor", pushed <= column(state, at.ACCELERATION) + rounding)


def check_intervals(since: FloatArray, until: FloatArray, state: Saved) -> None:
    """Check that forces are steady for one interval at most: kernels go on from interval to interval."""
    longest = state.data[D_INTERVAL] * (1.0 + 1e-9) + 1e-14 * np.abs(since)
    require("the interval of an anchor", (until > since) & (until - since <= longest))


def _check_measurements(state: Saved) -> None:
    """Check the errors of observed members: they must follow from their limits, before or after the speed limit."""
    S, t = state.settings, float(state.settings[at.TIME])
    e, f, tau, A, V = (column(state, at.ERROR_X + k) for k in range(5))
    now, speed = column(state, at.ACCELERATION), np.linalg.norm(column(state, at.V, 3), axis=1)
    for limit in (A, V):
        require("a limit of a member", within(limit, 0.0, LARGEST_SIZE) | np.isposinf(limit))
    require("a member without limits", np.isfinite(A) | np.isfinite(V))
    require("a limit of speed under gravity", np.isposinf(V) | (not S[at.GRAVITY : at.GRAVITY + 3].any()))
    require("an error of measurement", within(e, -FARTHEST, FARTHEST) & within(f, 0.0, FARTHEST))
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
        passed &= np.isfinite(W) & (np.abs(f - W) <= near * W) & (t >= column(state, at.PROBED) + tau)
        passed &= e >= -0.5 * A * tau * tau * (1.0 + near)
    require("what is not known of a member", growing | steady | fastest | passed)


def check_tracks(tracks: RecordedTracks, state: Saved) -> None:
    """Check that members are those of the recorded tracks, and no farther along them than the time is."""
    n, d = tracks.positions.shape[1:]
    require("the number of tracks", n == len(state.ids) == state.numbers[0])
    require("the number of dimensions of tracks", d == state.settings[at.DIMENSIONS])
    passed = int(np.searchsorted(tracks.times, state.settings[at.TIME], side="right")) - 1
    require("a sample of a track", state.marks[:, MARKS.index(at.KNOT)] <= passed)


def check_growth(crowd: State) -> None:
    """Check, once all is in place, that a growth given by the caller lets a run end."""
    given = crowd.tables.S[at.GROWTH]
    require("the growth", not crowd.own_growth or given >= SMALLEST_GROWTH * suitable_growth(crowd))
