"""Deliberately damaged state files of crowds, and checks of the crowds that are restored from them.

A restored crowd is compared with its own members, sampled in time: exactly the overlapping pairs must have begun.
Positions come from its motion, which knows nothing of boxes, cells, pairs and queues.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import keepclear as kc

Array = np.ndarray
SAMPLES = 40
HUGE = [math.nan, math.inf, -math.inf, 1e300, -1e300, 1e35, -1e9, -1.0, 0.0, 1e-300, 0.5, 3.0]
WHOLE = [-(2**63), -(10**12), -2, -1, 0, 1, 2, 7, 1000, 10**6, 10**12, 2**62, 2**63 - 1]
COLUMN_OF = {"radius": 0, "group": 4, "outside": 0}


def circling(ids: Array, t: float) -> tuple[Array, Array]:
    """A motion of a caller: members circle around points on a line."""
    angle = (1.0 + 0.1 * ids)[:, None] * t + ids[:, None]
    way, across = np.hstack([np.cos(angle), np.sin(angle)]), np.hstack([-np.sin(angle), np.cos(angle)])
    return np.stack([1.5 * ids, 0.0 * ids], axis=1) + way, (1.0 + 0.1 * ids)[:, None] * across


def let_pass(_event: Any, _velocities: Array) -> None:
    """A response of a caller."""


def _box_crowd(motion: Any, **options: Any) -> kc.Crowd:
    rng = np.random.default_rng(5)
    x, v = rng.uniform(2.0, 8.0, (12, 2)), 2.0 * rng.normal(size=(12, 2))
    crowd = kc.Crowd(x, v, 0.5, 3.0, motion=motion, bounds=([0, 0], [10, 10]), **options)
    crowd.remove([3, 8])
    crowd.advance(0.37)
    crowd.remove([1])
    return crowd


def _spheres() -> kc.Crowd:
    rng = np.random.default_rng(6)
    x, v = rng.uniform(0.0, 8.0, (10, 3)), rng.normal(size=(10, 3))
    crowd = kc.Crowd(x, v, rng.uniform(0.3, 1.5, 10), motion=kc.Ballistic(), gravity=[0, 0, -1], response="report",
                     groups=np.arange(10) % 4 - 1)  # fmt: skip
    crowd.advance(0.5)
    return crowd


def _observed() -> kc.Crowd:
    rng = np.random.default_rng(7)
    x, v = rng.uniform(0.0, 30.0, (9, 2)), rng.normal(size=(9, 2))
    limits = np.array([0.0, 0.5, 1.0, math.inf, 0.2, 1.0, 1.0, 0.0, math.inf])
    speeds = np.array([1.0, 2.0, math.inf, 1.5, 1.0, 3.0, 0.5, math.inf, 1.0])
    v *= np.minimum(1.0, 0.9 * speeds / np.linalg.norm(v, axis=1))[:, None]
    crowd = kc.Crowd(x, v, 0.4, limits, max_speeds=speeds)
    crowd.advance(1.0)
    crowd.observe([1, 3], 0.8, x[[1, 3]], None, position_errors=0.1)
    crowd.observe([5, 6], 1.0, x[[5, 6]], v[[5, 6]], position_errors=0.1, velocity_errors=0.2)
    crowd.advance(2.5)
    return crowd


def _tracks() -> kc.Crowd:
    rng = np.random.default_rng(8)
    x = np.cumsum(rng.normal(size=(12, 8, 2)), axis=0) + rng.uniform(0, 4, (8, 2))
    x[4:6, 2] = x[:3, 5] = x[9:, 6] = np.nan
    crowd = kc.Crowd(None, None, 0.4, motion=kc.RecordedTracks(np.arange(12.0) + 3.0, x))
    crowd.advance(8.3)
    return crowd


def _shapes() -> kc.Crowd:
    crowd = kc.Crowd([[0, 0, 0], [4, 0, 0], [0, 5, 0]], [[1, 0, 0], [-1, 0, 0], [0, -1, 0]], 1.8,
                     motion=kc.Ballistic(), response="report")  # fmt: skip
    crowd.attach(0, kc.Box([2, 2, 2]), tolerance=0.05)
    crowd.advance(0.9)
    return crowd


CROWDS: dict[str, Callable[[], kc.Crowd]] = {
    "elastic": lambda: _box_crowd(kc.Ballistic(), history=True),
    "random": lambda: _box_crowd(kc.RandomForces(seed=4, interval=0.05), response="report", history=True),
    "field": lambda: _box_crowd(kc.VelocityField(speed=3.0)),
    "passing": lambda: _box_crowd(kc.Ballistic(), response=let_pass),
    "spheres": _spheres,
    "observed": _observed,
    "tracks": _tracks,
    "probe": lambda: kc.Crowd(*circling(np.arange(8), 0.0), 0.4, 3.5, motion=circling),
    "shapes": _shapes,
}


def write_valid(folder: Path) -> dict[str, Path]:
    """Write a file of each crowd."""
    files = {name: folder / f"{name}.npz" for name in CROWDS}
    for name, path in files.items():
        CROWDS[name]().save(path)
    return files


def restored(name: str, path: Path) -> kc.Crowd:
    """Restore a crowd with what its caller has to give again."""
    given: dict[str, Any] = {}
    if name == "probe":
        given["motion"] = circling
    if name == "passing":
        given["response"] = let_pass
    if name == "shapes":
        given["attached"] = {0: kc.crowd.parts.shapes.Attachment(kc.Box([2, 2, 2]), tolerance=0.05)}
    return kc.Crowd.restore(path, **given)


def damaged(path: Path, target: Path, rng: np.random.Generator) -> str:
    """Write a file like another with one to three things changed; return what was done."""
    if rng.random() < 0.1:
        return _damage_bytes(path, target, rng)
    with np.load(path) as file:
        arrays = dict(file)
    done = [_damage_array(arrays, rng) for _ in range(int(rng.choice([1, 1, 1, 2, 3])))]
    np.savez(target, **arrays)
    return "; ".join(done)


def _damage_bytes(path: Path, target: Path, rng: np.random.Generator) -> str:
    content = bytearray(path.read_bytes())
    if rng.random() < 0.3:
        content = content[: int(rng.integers(0, len(content)))]
    for _ in range(int(rng.integers(1, 20))):
        if content:
            content[int(rng.integers(0, len(content)))] = int(rng.integers(0, 256))
    target.write_bytes(content)
    return "bytes"


def _damage_array(arrays: dict[str, Array], rng: np.random.Generator) -> str:
    name = str(rng.choice(sorted(arrays)))
    array = arrays[name].copy()
    how = str(
        rng.choice(["value", "value", "value", "nudge", "nudge", "swap", "repeat", "drop", "shuffle", "cast"])
    )
    if array.size == 0 or array.ndim == 0 or array.dtype.kind not in "if":
        how = "grow"
    is_whole = array.dtype.kind == "i"
    flat = array.reshape(-1)
    k = int(rng.integers(0, max(array.size, 1)))
    row, other = (int(rng.integers(0, max(len(array), 1))) for _ in range(2))
    if how == "value":
        flat[k] = np.int64(rng.choice(WHOLE)).astype(array.dtype) if is_whole else float(rng.choice(HUGE))
    elif how == "nudge":
        flat[k] += (
            int(rng.choice([-1, 1]))
            if is_whole
            else flat[k] * float(rng.choice([1e-15, 1e-6, 0.1, -0.5, -2.0]))
        )
    elif how == "swap":
        array[[row, other]] = array[[other, row]]
    elif how == "repeat":
        array = np.concatenate([array, array[row : row + 1]])
    elif how == "drop":
        array = np.delete(array, row, axis=0)
    elif how == "shuffle":
        array = rng.permutation(array)
    elif how == "cast":
        with np.errstate(invalid="ignore"):
            array = array.astype(str(rng.choice(["f4", "i4", "f8", "i8", "U8", "?"])))
    else:
        array = np.zeros_like(array, shape=(int(rng.integers(1, 5)), *array.shape[1:]))
    arrays[name] = array
    return f"{name}: {how} at {k}, rows {row} and {other}"


def faults(name: str, path: Path) -> list[str] | None:
    """What is wrong with the crowd in a file, sampled for a while; None for files that are refused."""
    try:
        crowd = restored(name, path)
    except kc.KeepclearError:
        return None
    with np.load(path) as file:
        pairs, marks, ids = file["pairs"], file["marks"], file["ids"].tolist()
    open_pairs = {frozenset(pair) for pair in pairs[:, :2].tolist()}
    groups = dict(zip(ids, marks[:, COLUMN_OF["group"]].tolist(), strict=True))
    try:
        wrong = _sampled_faults(name, crowd, open_pairs, groups)
    except kc.CrowdError as error:
        if name == "probe" and "maximum acceleration" in str(error):
            return None  # a state that its own probe contradicts
        raise
    return [f"{name}: {text}" for text in wrong]


def _sampled_faults(
    name: str, crowd: kc.Crowd, open_pairs: set[frozenset[int]], groups: dict[int, int]
) -> list[str]:
    """What is wrong at some times, given the pairs that overlap at first."""
    step, before = _step(crowd), None
    wrong: list[str] = []
    for k in range(SAMPLES + 1):
        for event in crowd.advance(min(crowd.time + (step if k else 0.0), _last_time(crowd))):
            _follow(event, open_pairs)
        if name == "shapes" or crowd.time == _last_time(crowd):
            continue  # at the last sample everybody is still there, and gone
        found = _overlapping(crowd, groups)
        if crowd.response == "report":
            wrong += [f"{sorted(p)} overlap at {crowd.time!r} unsaid" for p in found["deep"] - open_pairs]
            wrong += [f"{sorted(p)} are apart at {crowd.time!r}" for p in open_pairs - found["near"]]
        elif crowd.response == "elastic" and before is not None:
            wrong += [f"{sorted(p)} sank into each other at {crowd.time!r}" for p in found["deep"] - before]
        before = found["near"] if before is None else before & found["near"]
        if wrong:
            break
    return wrong


def _last_time(crowd: kc.Crowd) -> float:
    return float(crowd.motion.times[-1]) if isinstance(crowd.motion, kc.RecordedTracks) else math.inf


def _step(crowd: kc.Crowd) -> float:
    """Return a time in which members move by a part of their sizes and distances, and get few boxes, however fast."""
    x, v = np.nan_to_num(crowd.positions()), np.nan_to_num(crowd.velocities())
    size = float(np.ptp(x)) / max(len(x), 1) + float(np.mean(crowd.radii)) if len(x) else 1.0
    speed = float(np.abs(v).max(initial=0.0)) + 1.0
    acceleration = float(crowd._state.tables.F[crowd._state.rows, 15].max(initial=0.0))
    step = 0.5 * min(size / speed, math.sqrt(size / max(acceleration, 1e-9)), 200.0 * crowd.growth / speed)
    interval = getattr(crowd.motion, "interval", None)
    return min(step, 1.0, 100.0 * interval) if interval else min(step, 1.0)


def _follow(event: Any, open_pairs: set[frozenset[int]]) -> None:
    pair = frozenset((int(event.i), int(event.j)))
    if event.j >= 0 and event.kind in ("begin", "possible"):
        open_pairs.add(pair)
    elif event.j >= 0 and event.kind == "end":
        open_pairs.discard(pair)


def _overlapping(crowd: kc.Crowd, groups: dict[int, int]) -> dict[str, set[frozenset[int]]]:
    """Pairs that overlap by more than rounding, and pairs that touch or nearly do."""
    x, r = crowd.bounds_at() if crowd.motion is None else (crowd.positions(), crowd.radii)
    ids, deep, near = crowd.ids.tolist(), set(), set()
    gap = np.linalg.norm(x[:, None] - x[None], axis=2) - r[:, None] - r - float(crowd._state.tables.S[20])
    rounding = 4.0 * crowd.tolerance + 1e-6 * (float(r.mean()) if len(r) else 0.0)
    rounding += 1e-12 * abs(crowd.time) * float(np.abs(np.nan_to_num(crowd.velocities())).max(initial=0.0))
    for a, b in zip(*np.nonzero(np.triu(gap <= rounding, 1)), strict=True):
        if groups[ids[a]] >= 0 and groups[ids[a]] == groups[ids[b]]:
            continue
        near.add(frozenset((ids[a], ids[b])))
        if gap[a, b] < -rounding:
            deep.add(frozenset((ids[a], ids[b])))
    return {"deep": deep, "near": near}
