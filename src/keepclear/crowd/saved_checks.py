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
from keepclear.crowd.member_arrays import LONGEST_TIME
from keepclear.crowd.possible import FARTHEST, check_vectors, require, whole, within
from keepclear.crowd.saved import FIRST_COLUMN, FIRST_COUNTER, KNOWN, LAST_COLUMN, MARKS, Saved
from keepclear.crowd.saved_motions import check_data, check_intervals, check_motion, column
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.pairs import MOST_CONTACTS
from keepclear.tolerances import LARGEST_SIZE

MOST_COUNTED = 2**53
"""Counts, ids and numbers of intervals stay below: they are also kept as float64."""

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
    check_data(state)
    check_motion(state)
    _check_marks(state)
    _check_pairs(state)
    for events in (state.events, state.waiting):
        _check_events(events, state)
    _check_log(state)
    return state


def _check_settings(state: Saved) -> None:
    S = state.settings
    require("the time", within(S[at.TIME], -LONGEST_TIME, LONGEST_TIME))
    require("the number of dimensions", whole(S[at.DIMENSIONS], 2, 3))
    require("the kind of motion", whole(S[at.MOTION], at.OBSERVED, at.COMPILED))
    require("the response", whole(S[at.RESPONSE], at.ELASTIC, at.ASK))
    require("the setting of walls", whole(S[at.WALLED], 0, 1))
    require("the setting of history", whole(S[at.HISTORY], 0, 1))
    require("the tolerance", within(S[at.OWN_TOLERANCE], 0.0, LARGEST_SIZE))
    require("the extent", within(S[at.EXTENT], 1e-9, FARTHEST))
    require("the growth", within(S[at.GROWTH], 1e-30, FARTHEST))
    kind, d = int(S[at.MOTION]), int(S[at.DIMENSIONS])
    gravity, lower, upper = (S[k : k + 3] for k in (at.GRAVITY, at.LOWER, at.UPPER))
    for name, vector in (("gravity", gravity), ("a wall", lower), ("a wall", upper)):
        require(name, within(vector, -LARGEST_SIZE, LARGEST_SIZE))
        require(name, vector[d:] == 0.0)
    if S[at.WALLED]:
        require("a wall", (lower < upper)[:d])
    require("a wall of an observed crowd", not (S[at.WALLED] and kind == at.OBSERVED))
    require("the history of such a motion", not S[at.HISTORY] or kind in KNOWN)
    require(
        "the response of such a motion", S[at.RESPONSE] == at.REPORT or kind not in (at.OBSERVED, at.TRACKS)
    )


def _check_numbers(state: Saved) -> None:
    """Check ids, and that rows and free rows are each row once."""
    next_id, reported, tuned_for, own_growth = state.numbers
    n = len(state.ids)
    require("the next id", 0 <= next_id < MOST_COUNTED)
    require("the number of reported events", 0 <= reported <= len(state.events))
    require("the size of the last tuning", 0 <= tuned_for < MOST_COUNTED)
    require("the mark of a given growth", 0 <= own_growth <= 1)
    require("a counter", (state.counters >= 0) & (state.counters < 2**62))
    require("an id", (state.ids >= 0) & (state.ids < next_id))
    require("the order of ids", np.diff(state.ids) > 0)
    require("the number of rows", len(state.rows) == len(state.members) == len(state.marks) == n)
    rows = np.sort(np.concatenate([state.rows, state.free]))
    require("the set of rows", len(rows) > 0 and np.array_equal(rows, np.arange(len(rows))))


def _check_members(state: Saved) -> None:
    S, t = state.settings, state.settings[at.TIME]
    burst = column(state, at.BURST)
    require("a radius", within(column(state, at.RADIUS), 0.0, LARGEST_SIZE))
    require("a mass", within(column(state, at.MASS), 1e-300, 1e30))
    require("an acceleration", within(column(state, at.ACCELERATION), 0.0, LARGEST_SIZE))
    require("the time of a contact", np.isneginf(burst) | within(burst, -LONGEST_TIME, t))
    for k in (at.X, at.V):
        check_vectors("a position or velocity", column(state, k, 3), int(S[at.DIMENSIONS]))


def _check_marks(state: Saved) -> None:
    S, kind = state.settings, int(state.settings[at.MOTION])
    outside, contacts, knots, shaped, groups = state.marks.T
    passes_walls = S[at.WALLED] == 1 and S[at.RESPONSE] != at.ELASTIC
    require("a passed wall", (outside >= 0) & (outside < (4 ** int(S[at.DIMENSIONS]) if passes_walls else 1)))
    require("a count of contacts", within(contacts, 0, MOST_CONTACTS))
    require("a sample of a track", (knots >= -1) if kind == at.TRACKS else (knots == 0))
    takes_shapes = S[at.DIMENSIONS] == 3 and S[at.RESPONSE] != at.ELASTIC and kind != at.OBSERVED
    require("the mark of a shape", within(shaped, 0, 1 if takes_shapes else 0))
    require("a group", groups >= -1)


def _check_pairs(state: Saved) -> None:
    """Check that pairs which overlap are of two members, each once, and may overlap at all."""
    first, second, condition = state.pairs.T
    if len(first) == 0:
        return
    require("an overlap with the elastic response", state.settings[at.RESPONSE] != at.ELASTIC)
    require("a member of a pair", np.isin(first, state.ids) & np.isin(second, state.ids) & (first != second))
    a, b = np.searchsorted(state.ids, first), np.searchsorted(state.ids, second)
    keys = np.minimum(a, b) * np.int64(len(state.ids)) + np.maximum(a, b)
    require("a pair that is there twice", len(np.unique(keys)) == len(keys))
    shaped, groups = state.marks[:, MARKS.index(at.SHAPED)], state.marks[:, MARKS.index(at.GROUP)]
    near = (condition == at.NEAR) & (shaped[a] + shaped[b] > 0)
    require("the state of a pair", (condition == at.OVERLAPPING) | near)
    require("a pair within a group", (groups[a] < 0) | (groups[a] != groups[b]))


def _check_events(events: FloatArray, state: Saved) -> None:
    next_id = int(state.numbers[0])
    require("the time of an event", within(events[:, at.E_TIME], -LONGEST_TIME, state.settings[at.TIME]))
    require("a member of an event", whole(events[:, at.E_I], 0, next_id - 1))
    require("a member of an event", whole(events[:, at.E_J], -1, next_id - 1))
    require("the kind of an event", whole(events[:, at.E_KIND], at.CONTACT, at.POSSIBLE))
    require("the position of an event", within(events[:, at.E_POSITION :], -FARTHEST, FARTHEST))


def _check_log(state: Saved) -> None:
    S, log = state.settings, state.log
    kind = int(S[at.MOTION])
    require(
        "the history", len(log) == 0 or (S[at.HISTORY] == 1 and kind in (at.BALLISTIC, at.RANDOM, at.FIELD))
    )
    if len(log) == 0:
        return
    require("the time of the history", within(log[:, at.L_TIME], -LONGEST_TIME, S[at.TIME]))
    require("the order of the history", np.diff(log[:, at.L_TIME]) >= 0.0)
    require("a member of the history", whole(log[:, at.L_ID], 0, int(state.numbers[0]) - 1))
    for k in (at.L_X, at.L_V, at.L_A):
        check_vectors("the history", log[:, k : k + 3], int(S[at.DIMENSIONS]))
    require("the history", within(log[:, at.L_ACCELERATION], 0.0, LARGEST_SIZE))
    if kind == at.BALLISTIC:
        require("the history", np.isposinf(log[:, at.L_END]))
    else:
        check_intervals(log[:, at.L_TIME], log[:, at.L_END], state)
