"""The state of a crowd in a file (NPZ), and back; see `keepclear.crowd.files.content` for what is in it."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from keepclear.crowd.files.checks import check_growth, check_tracks, checked_state
from keepclear.crowd.files.content import Saved, saved_state, take_over
from keepclear.crowd.parts.motions import Ballistic, RandomForces, RecordedTracks, VelocityField, is_compiled
from keepclear.crowd.parts.probing import connect
from keepclear.crowd.parts.settings import checked_response
from keepclear.crowd.parts.shapes import Attachment, Turning
from keepclear.crowd.parts.state import State
from keepclear.crowd.parts.tables import build_tables
from keepclear.errors import ArgumentError, CrowdError, FileMissingError, KeepclearError
from keepclear.files.access import write_named_file
from keepclear.files.archives import ArchiveDamage, read_npz
from keepclear.kernels.crowd import layout as at
from keepclear.kernels.crowd.motion import D_CENTRE, D_HALF, D_INTERVAL, D_RESPONSE, D_SEED, D_SPEED

FORMAT = 2
_TRACKS = ("times", "positions")


def write_state(crowd: State, path: str | os.PathLike[str]) -> None:
    """Write a crowd to a file; it replaces an older one only when it is whole. Then all members are renewed."""
    state = saved_state(crowd)
    arrays: dict[str, npt.NDArray[Any]] = {field.name: getattr(state, field.name) for field in fields(Saved)}
    arrays["format"] = np.array([FORMAT], np.int64)
    if isinstance(crowd.motion, RecordedTracks):
        arrays["times"], arrays["positions"] = crowd.motion.times, crowd.motion.positions
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]
    write_named_file(path, content.getvalue(), f"crowd: '{os.fspath(path)}'", CrowdError)
    address = crowd.tables.C[at.PROBE_ADDRESS]
    take_over(crowd, state)
    crowd.tables.C[at.PROBE_ADDRESS] = address


def read_state(
    path: str | os.PathLike[str], motion: Any, response: Any, attached: Mapping[int, Attachment]
) -> State:
    """Return the crowd of a file, of which nothing is trusted before it is checked."""
    name = os.fspath(path)
    try:
        found = read_npz(path)
        _check_format(name, found)
        state = checked_state(found)
        own = _saved_motion(state, found)
    except FileNotFoundError:
        raise FileMissingError(f"crowd: there is no file '{name}'.") from None
    except OSError as cause:
        raise CrowdError(f"crowd: '{name}' cannot be read: {cause.strerror or cause}") from cause
    except ArchiveDamage as cause:
        raise CrowdError(f"crowd: '{name}' holds no saved crowd, or a damaged one: it {cause}") from cause
    except ValueError as cause:
        if isinstance(cause, CrowdError):
            raise
        raise CrowdError(f"crowd: '{name}' holds no saved crowd, or a damaged one: {cause}") from cause
    motion = _given_motion(state, own, motion)
    response = _given_response(state, motion, response)
    crowd = State(build_tables(1, state.settings, state.data), motion, response)
    take_over(crowd, state)
    try:
        check_growth(crowd)
    except ValueError as cause:
        raise CrowdError(f"crowd: '{name}' holds no saved crowd, or a damaged one: {cause}") from cause
    _take_shapes(crowd, attached)
    connect(crowd)
    return crowd


def _check_format(name: str, found: Mapping[str, npt.NDArray[Any]]) -> None:
    version = found.get("format")
    if version is None or version.shape != (1,) or version.dtype != np.int64:
        old = "; it may be of an older version, whose files are not read" if "numbers" in found else ""
        raise ValueError(f"its format is missing{old}")
    if version[0] != FORMAT:
        raise CrowdError(f"crowd: '{name}' has format {version[0]}, and this version reads {FORMAT}.")
    known = {field.name for field in fields(Saved)} | {"format", *_TRACKS}
    unknown = sorted(found.keys() - known)
    if unknown:
        raise ValueError(f"it has an array {unknown[0][:60]!r}, which no crowd has")


def _saved_motion(state: Saved, found: Mapping[str, npt.NDArray[Any]]) -> Any:
    """Return the motion in the file, None for motions of a caller and for observed members."""
    kind, D = int(state.settings[at.MOTION]), state.data
    if (kind == at.TRACKS) != all(name in found for name in _TRACKS):
        raise ValueError("its tracks are missing, or it has tracks and another motion")
    if kind == at.TRACKS:
        if any(found[name].dtype != np.float64 for name in _TRACKS):
            raise ValueError("its tracks are not numbers of type float64")
        try:
            tracks = RecordedTracks(found["times"], found["positions"])
        except KeepclearError as cause:
            raise ValueError(str(cause)) from cause
        check_tracks(tracks, state)
        return tracks
    if kind == at.RANDOM:
        return RandomForces(seed=int(D[D_SEED]), interval=float(D[D_INTERVAL]))
    if kind == at.FIELD:
        d = int(state.settings[at.DIMENSIONS])
        centre, half = D[D_CENTRE : D_CENTRE + d], D[D_HALF : D_HALF + d]
        return VelocityField(
            speed=float(D[D_SPEED]),
            bounds=(centre - half, centre + half),
            interval=float(D[D_INTERVAL]),
            response=float(D[D_RESPONSE]),
        )
    return Ballistic() if kind == at.BALLISTIC else None


def _given_motion(state: Saved, own: Any, motion: Any) -> Any:
    """Return the motion of the crowd: that of the file, or the one that its caller gives again."""
    S = state.settings
    is_callers = S[at.MOTION] in (at.EXTERNAL, at.COMPILED)
    if is_callers != (motion is not None):
        what = "had a probe of its caller; give it again" if is_callers else "has its own; give none"
        raise ArgumentError(f"crowd: the saved crowd {what} (motion=).")
    if not is_callers:
        return own
    if not callable(motion):
        raise ArgumentError("crowd: motion must be a function probe(ids, t), as the saved crowd had.")
    S[at.MOTION] = at.COMPILED if is_compiled(motion) else at.EXTERNAL
    return motion


def _given_response(state: Saved, motion: Any, response: Any) -> Any:
    """Return the response of the crowd: that of the file, or the one that its caller gives again."""
    code, kind = int(state.settings[at.RESPONSE]), int(state.settings[at.MOTION])
    if (code == at.ASK) != callable(response):
        what = "had a response of its caller; give it again" if code == at.ASK else "had none; give none"
        raise ArgumentError(f"crowd: the saved crowd {what} (response=).")
    given = response if code == at.ASK else ("elastic" if code == at.ELASTIC else "report")
    return checked_response(given, kind, motion)[0]


def _take_shapes(crowd: State, attached: Mapping[int, Attachment]) -> None:
    """Put the shapes that the caller gives again into the members that had some."""
    N, F = crowd.tables.N, crowd.tables.F
    shaped = {int(N[row, at.ID]): int(row) for row in crowd.rows if N[row, at.SHAPED]}
    if shaped.keys() != attached.keys():
        raise ArgumentError(
            f"crowd: the saved crowd had shapes in the members {sorted(shaped)}; give those (attached=), as "
            f"crowd.attached listed them, but given are {sorted(attached)}."
        )
    crowd.shapes = {i: Turning(i, given, float(F[shaped[i], at.RADIUS])) for i, given in attached.items()}
