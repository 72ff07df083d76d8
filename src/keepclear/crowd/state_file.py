"""The whole state of a crowd in a file, and back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from keepclear.crowd.compiled import is_compiled
from keepclear.crowd.motions import Ballistic, RandomForces, RecordedTracks, VelocityField
from keepclear.crowd.shapes import Attachment, Turning
from keepclear.crowd.tables import Tables
from keepclear.errors import ArgumentError, CrowdError, FileMissingError
from keepclear.kernels import crowd_layout as at
from keepclear.kernels.crowd_motion import D_CENTRE, D_HALF, D_INTERVAL, D_RESPONSE, D_SEED, D_SPEED

if TYPE_CHECKING:
    from keepclear.crowd.crowd import Crowd

FORMAT = 1


def write_state(crowd: Crowd, path: str | os.PathLike[str]) -> None:
    """Write a crowd to a file (NPZ); it replaces an older one only when it is whole."""
    arrays = {field.name: getattr(crowd._tables, field.name) for field in fields(Tables)}
    arrays["waiting"] = np.concatenate([np.zeros((0, at.E_COLUMNS)), *crowd._waiting])
    arrays["log"] = np.concatenate([np.zeros((0, at.L_COLUMNS)), *crowd._log])
    arrays["ids"], arrays["rows"], arrays["free"] = crowd._ids, crowd._rows, np.array(crowd._free, np.int64)
    arrays["numbers"] = np.array([FORMAT, crowd._next_id, crowd._told, crowd._tuned_for, crowd._own_growth])
    if isinstance(crowd._motion, RecordedTracks):
        arrays["times"], arrays["positions"] = crowd._motion.times, crowd._motion.positions
    target = Path(path)
    part = target.with_name(target.name + ".part")
    with part.open("wb") as file:
        np.savez_compressed(file, **arrays)
    part.replace(target)


def read_state(
    crowd: Crowd,
    path: str | os.PathLike[str],
    motion: Any,
    response: Any,
    attached: Mapping[int, Attachment],
) -> None:
    """Fill a crowd from a file."""
    try:
        with np.load(Path(path), allow_pickle=False) as file:
            found = {name: np.ascontiguousarray(file[name]) for name in file.files}
        version, next_id, told, tuned_for, own_growth = (int(number) for number in found["numbers"])
        tables = Tables(**{field.name: found[field.name] for field in fields(Tables)})
        _check_tables(tables, found)
    except FileNotFoundError:
        raise FileMissingError(f"crowd: there is no file '{os.fspath(path)}'.") from None
    except Exception as cause:
        raise CrowdError(
            f"crowd: '{os.fspath(path)}' holds no saved crowd, or a damaged one: {cause}"
        ) from cause
    if version != FORMAT:
        raise CrowdError(f"crowd: '{os.fspath(path)}' has format {version}, and this version reads {FORMAT}.")
    crowd._tables, crowd._next_id, crowd._told = tables, next_id, told
    crowd._tuned_for, crowd._own_growth = tuned_for, bool(own_growth)
    crowd._ids, crowd._rows, crowd._free = found["ids"], found["rows"], found["free"].tolist()
    crowd._log = [found["log"]] if len(found["log"]) else []
    crowd._waiting = [found["waiting"]] if len(found["waiting"]) else []
    crowd._motion = _motion_of(tables, found, motion)
    asks = tables.S[at.RESPONSE] == at.ASK
    if asks != callable(response):
        what = "had a response of its caller; give it again" if asks else "had none; give none"
        raise ArgumentError(f"crowd: the saved crowd {what} (response=).")
    shaped = {int(tables.N[row, at.ID]): row for row in crowd._rows if tables.N[row, at.SHAPED]}
    if shaped.keys() != attached.keys():
        raise ArgumentError(
            f"crowd: the saved crowd had shapes in the members {sorted(shaped)}; give those (attached=), as "
            f"crowd.attached told them, but given are {sorted(attached)}."
        )
    crowd._shapes = {
        i: Turning(i, given, float(tables.F[shaped[i], at.RADIUS])) for i, given in attached.items()
    }
    crowd._response = response if asks else ("elastic" if tables.S[at.RESPONSE] == at.ELASTIC else "report")


def _check_tables(tables: Tables, found: dict[str, Any]) -> None:
    """Raise a `ValueError` if arrays do not fit together: kernels trust them."""
    T, n = tables, len(tables.F)
    columns = {
        "F": (T.F, at.F_COLUMNS), "N": (T.N, at.N_COLUMNS), "Q": (T.Q, at.Q_COLUMNS), "H": (T.H, 2), "G": (T.G, 3),
        "B": (T.B, at.IDS + at.SLOTS), "E": (T.E, at.E_COLUMNS), "L": (T.L, at.L_COLUMNS),
        "log": (found["log"], at.L_COLUMNS), "waiting": (found["waiting"], at.E_COLUMNS),
    }  # fmt: skip
    for name, (table, width) in columns.items():
        if table.ndim != 2 or table.shape[1] != width:
            raise ValueError(f"{name} has shape {table.shape}")
    fits = (
        len(T.N) == n
        and len(T.K) == len(T.H) == n + len(T.Q)
        and len(T.G) & (len(T.G) - 1) == 0
        and T.C.shape == (at.C_SIZE,)
        and T.S.shape == (at.S_SIZE,)
        and 0 <= T.C[at.HEAP_SIZE] <= len(T.K)
        and 0 <= T.C[at.N_EVENTS] <= len(T.E)
        and bool(np.isfinite(T.S[at.TIME]))
        and found["ids"].shape == found["rows"].shape
        and bool((found["rows"] < n).all())
    )
    tables_by_name = zip("FNQKHGBCSDEL", T.packed(), strict=True)
    kinds = [table.dtype == (np.int64 if name in "NQHGBC" else np.float64) for name, table in tables_by_name]
    if not fits or not all(kinds):
        raise ValueError("its arrays do not fit together")


def _motion_of(tables: Tables, found: dict[str, Any], motion: Any) -> Any:
    """Return the motion of a saved crowd."""
    kind, D = int(tables.S[at.MOTION]), tables.D
    own = kind in (at.EXTERNAL, at.COMPILED)
    if own != (motion is not None):
        what = "had a probe of its caller; give it again" if own else "has its own; give none"
        raise ArgumentError(f"crowd: the saved crowd {what} (motion=).")
    if own:
        tables.S[at.MOTION] = at.COMPILED if is_compiled(motion) else at.EXTERNAL
        tables.D = np.zeros(8)
    if kind == at.BALLISTIC:
        return Ballistic()
    if kind == at.RANDOM:
        return RandomForces(seed=int(D[D_SEED]), interval=float(D[D_INTERVAL]))
    if kind == at.FIELD:
        d = int(tables.S[at.DIMENSIONS])
        centre, half = D[D_CENTRE : D_CENTRE + d], D[D_HALF : D_HALF + d]
        return VelocityField(
            speed=float(D[D_SPEED]),
            bounds=(centre - half, centre + half),
            interval=float(D[D_INTERVAL]),
            response=float(D[D_RESPONSE]),
        )
    if kind == at.TRACKS:
        return RecordedTracks(found["times"], found["positions"])
    return motion
