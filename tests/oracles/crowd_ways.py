"""Ways to run one scene through the library, each compared with the oracle: errors, and the number of comparisons."""

import itertools
import math
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq
from tests.oracles.crowd_comparison import SAME_TIME, overlap_faults, room
from tests.oracles.crowd_families import Scene, apart
from tests.oracles.crowd_library import Event, faced, library_crowd, plain, probe_of
from tests.oracles.crowd_paths import Paths, as_float, borders, exact_array, float_array, recorded
from tests.oracles.crowd_restart import restart_faults
from tests.oracles.crowd_shapes import shape_faults
from tests.oracles.crowd_story import Story
from tests.oracles.crowd_truth import Overlap, overlaps

import keepclear as kc

Array = np.ndarray
Found = tuple[list[str], int]


def same_time(scene: Scene) -> float:
    return SAME_TIME * min(1.0, scene.t_end)


def judged(scene: Scene, events: list[Event], crowd: Any, paths: Paths, **known: Any) -> Found:
    """Compare events with all overlaps of the paths."""
    radii = known.pop("radii", scene.radii)
    truth = overlaps(paths, radii, known.get("box"))
    slack = room(paths, tolerance=crowd.tolerance)
    return overlap_faults(events, truth, paths, radii, slack, same_time=same_time(scene), **known), len(truth)


def own(scene: Scene, seed: int) -> Found:
    """The library's own motion, in one go, with cells of any size."""
    rng = np.random.default_rng(seed)
    size = max(float(np.mean(scene.radii)), 1e-3 * float(np.ptp(scene.x)))
    growth = None if rng.integers(0, 2) else size * 10.0 ** rng.uniform(-1.5, 1.5) + 1e-9
    crowd = library_crowd(scene, "report", bounds=None, growth=growth)
    return judged(scene, plain(crowd.advance(scene.t_end)), crowd, scene.paths())


def pieces(scene: Scene, seed: int) -> Found:
    """In pieces of all lengths, that end at the exact times of events too; bounds and clear times are looked at."""
    rng = np.random.default_rng(seed)
    paths = scene.paths()
    truth = overlaps(paths, scene.radii)
    known = [t for o in truth for t in (o.begin, o.end)]
    some = rng.permutation(known)[:6] if known else np.zeros(0)
    stops = np.sort(np.concatenate([rng.uniform(0.0, scene.t_end, 5), some, some, [0.0, scene.t_end]]))
    crowd = library_crowd(scene, "report", bounds=None)
    events, wrong, before = [], [], 0.0
    for t in stops.tolist():
        told = plain(crowd.advance(t))
        events += told
        wrong += [f"{e} is told between {before!r} and {t!r}" for e in told if not before <= e[0] <= t]
        wrong += clear_faults(crowd, t, truth, rng, room(paths, tolerance=crowd.tolerance))
        wrong += bound_faults(crowd, paths, scene.radii, rng)
        before = t
    more, compared = judged(scene, events, crowd, paths)
    return wrong + more, compared


def clear_faults(
    crowd: Any, now: float, truth: list[Overlap], rng: np.random.Generator, slack: float
) -> list[str]:
    """Clear times of a few pairs and members that are later than their contact."""
    n = len(crowd.ids)
    wrong = []
    for _ in range(6):
        i, j = sorted(rng.permutation(n)[:2].tolist())
        for said, mine in (
            (crowd.clear_until(i, j), [o for o in truth if (o.i, o.j) == (i, j)]),
            (crowd.clear_until(j, i), [o for o in truth if (o.i, o.j) == (i, j)]),
            (crowd.clear_until(i), [o for o in truth if i in (o.i, o.j)]),
        ):
            begins = [max(o.begin, now) for o in mine if o.end > now + SAME_TIME and not o.is_instant]
            first = min(begins, default=math.inf)
            if not now <= said <= first + 1e-12 * (1.0 + abs(now)) + slack:
                wrong.append(f"clear_until({i}, {j}) at {now!r} is {said!r}, but contact comes at {first!r}")
    return wrong


def bound_faults(crowd: Any, paths: Paths, radii: Array, rng: np.random.Generator) -> list[str]:
    """Members that are not in their bounds, now or later."""
    now, last = crowd.time, float(paths.grid[-1].p) / float(paths.grid[-1].q)
    wrong = []
    for t in (now, float(rng.uniform(now, last)) if last > now else now):
        centres, sizes = crowd.bounds_at(t)
        x = paths.positions(t)
        out = np.linalg.norm(centres - x, axis=1) + radii - sizes
        slack = 1e-13 * (1e-300 + np.abs(x).max() + np.abs(radii).max() + t * np.abs(paths.floats[1]).max())
        for i in np.nonzero(~(out <= slack))[0]:
            wrong.append(f"{i} is out of its bound by {out[i]:.3g} at {t!r}, looked at from {now!r}")
    return wrong


def probe(scene: Scene, _seed: int) -> Found:
    """A caller's probe that tells where the oracle's members are."""
    x, v, r, a = scene.x, scene.v, scene.radii, scene.bounds
    paths = scene.paths()
    crowd = kc.Crowd(x, v, r, a, gravity=scene.gravity, motion=probe_of(scene), response="report")
    return judged(scene, plain(crowd.advance(scene.t_end)), crowd, paths)


def walls(scene: Scene, seed: int) -> Found:
    """Members pass through the faces of a box as well."""
    rng = np.random.default_rng(seed)
    reach = scene.radii[:, None]
    size = float(np.max(scene.x.max(axis=0) - scene.x.min(axis=0)) + scene.radii.max())
    more = rng.choice([0.01, 0.3], (2, scene.dimension)) * rng.uniform(0.5, 1.0, (2, scene.dimension)) * size
    more[rng.integers(0, 2), rng.integers(0, scene.dimension)] = 0.0  # one face is touched
    box = (scene.x - reach).min(axis=0) - more[0], (scene.x + reach).max(axis=0) + more[1]
    crowd = library_crowd(scene, "report", bounds=box)
    middle = 0.5 * scene.t_end
    inside: set[tuple[int, int]] = set()
    events = [e for t in (middle, scene.t_end) for e in faced(crowd.advance(t), box, inside)]
    return judged(scene, events, crowd, scene.paths(), box=box)


def tracks(scene: Scene, seed: int) -> Found:
    """Recorded tracks through samples of the paths, with gaps, at times that are not even."""
    rng = np.random.default_rng(seed)
    paths = scene.paths()
    m = int(rng.integers(2, 12))
    times = np.unique(np.concatenate([[0.0, scene.t_end], rng.uniform(0.0, scene.t_end, m)]))
    samples = np.array([paths.positions(t) for t in times])
    samples[rng.random(samples.shape[:2]) < rng.choice([0.0, 0.1, 0.4])] = np.nan
    if rng.integers(0, 2):  # some stay where they are for a while
        for k in np.nonzero(rng.random(len(times) - 1) < 0.2)[0]:
            samples[k + 1] = samples[k]
    crowd = kc.Crowd(None, None, scene.radii, motion=kc.RecordedTracks(times, samples), response="report")
    stops = np.sort(rng.choice(times, 3)) if rng.integers(0, 2) else times[:0]
    events = [e for t in (*stops.tolist(), times[-1]) for e in plain(crowd.advance(t))]
    return judged(scene, events, crowd, recorded(times, samples))


def field(scene: Scene, seed: int) -> Found:
    """Members that a field drives: paths from states at the borders of intervals, between which nothing changes."""
    rng = np.random.default_rng(seed)
    interval = float(rng.choice([1.0 / 60.0, 0.05, 0.25]))
    reach = scene.radii[:, None]
    box = (scene.x - reach).min(axis=0), (scene.x + reach).max(axis=0)
    size = float(np.max(box[1] - box[0]))
    motion = kc.VelocityField(
        speed=2.0 * size, bounds=box, interval=interval, response=float(rng.choice([0.05, 0.5]))
    )
    scene = replace(scene, t_end=min(scene.t_end, 40 * interval))
    crowd, beside = (
        kc.Crowd(
            scene.x,
            scene.v,
            scene.radii,
            scene.bounds,
            motion=motion,
            gravity=scene.gravity,
            response="report",
        )
        for _ in range(2)
    )
    paths, wrong = sampled(beside, borders(interval, 0.0, scene.t_end), scene)
    more, compared = judged(scene, plain(crowd.advance(scene.t_end)), crowd, paths)
    return wrong + more, compared


def sampled(crowd: Any, grid: list[fmpq], scene: Scene) -> tuple[Paths, list[str]]:
    """Paths through the states of a crowd at the times of a grid, and what contradicts steady accelerations below A."""
    x, v = [], []
    for t in map(as_float, grid):
        crowd.advance(t)
        x.append(exact_array(crowd.positions(t)))
        v.append(exact_array(crowd.velocities(t)))
    spans = np.array([b - a for a, b in itertools.pairwise(grid)], dtype=object)[:, None, None]
    xs, vs = np.array(x), np.array(v)
    a = (vs[1:] - vs[:-1]) / spans
    off = float_array(xs[1:] - xs[:-1] - vs[:-1] * spans - a * (spans * spans / 2)).astype(float)
    push = np.linalg.norm(float_array(a).astype(float) - scene.gravity, axis=2)
    ways = np.abs(float_array(xs).astype(float)).max() + np.abs(float_array(vs).astype(float)).max()
    wrong = (
        [] if np.abs(off).max() <= 1e-13 * ways else [f"the path is not smooth by {np.abs(off).max():.3g}"]
    )
    allowed = scene.bounds * (1.0 + 1e-9) + 1e-14 * ways / float(spans.min())
    if np.any(push > allowed):
        wrong.append(f"accelerations {push.max(axis=0)} are greater than {scene.bounds}")
    there = np.ones((len(spans), len(scene.radii)), bool)
    return Paths(grid, xs[:-1], vs[:-1], a, there), wrong


def changes(scene: Scene, seed: int) -> Found:
    """Members come, go, grow, are measured and saved on the way."""
    story = Story(scene, np.random.default_rng(seed))
    with tempfile.TemporaryDirectory() as folder:
        events, crowd, wrong = story.run(Path(folder) / "crowd")
    paths, radii = story.paths(), story.radii()
    more, compared = judged(scene, events, crowd, paths, radii=radii)
    return wrong + more, compared


def rough(scene: Scene, seed: int) -> Found:
    """Impacts of members that overlap at the start, in a box that is tight, some pulled down: it ends, and is sane."""
    rng = np.random.default_rng(seed)
    reach = scene.radii[:, None]
    d, n = scene.dimension, len(scene.radii)
    size = float(np.ptp(scene.x) + scene.radii.max())
    more = float(rng.choice([0.0, 1e-9, 0.1])) * size
    box = (scene.x - reach).min(axis=0) - more, (scene.x + reach).max(axis=0) + more
    masses = None if rng.integers(0, 2) else 10.0 ** rng.uniform(-4.0, 4.0, n)
    if masses is None and not scene.radii.all():
        masses = np.ones(n)
    gravity = np.eye(d)[-1] * -size * float(rng.integers(0, 2))
    crowd = library_crowd(scene, "elastic", bounds=box, gravity=gravity, masses=masses)
    m = scene.radii**3 if masses is None else masses

    def energy() -> float:
        x, v = crowd.positions(), crowd.velocities()
        return float(m @ (0.5 * np.sum(v * v, axis=1) - (x - scene.x) @ gravity))

    before, told = energy(), 0
    for t in (0.5 * scene.t_end, scene.t_end):
        told += len(crowd.advance(t))
    x = crowd.positions()
    wrong = [] if np.isfinite(x).all() and np.isfinite(crowd.velocities()).all() else ["members are nowhere"]
    out = float(np.max(np.maximum(box[0] - x, x - box[1]) + reach))
    filled = float(np.sum((2.0 * scene.radii) ** d) / np.prod(box[1] - box[0]))
    if out > 1e-5 * size and filled < 0.5:  # more may not fit into the box
        wrong.append(f"a member is {out:.3g} m out of a box of about {size:.3g} m")
    allowed = 1e-9 * before + float(m.max()) * (1e-12 * size**2 + told * size * crowd.tolerance)
    if not scene.is_random and not crowd.statistics["resting"] and abs(energy() - before) > allowed:
        wrong.append(f"energy {before!r} has become {energy()!r}")
    return wrong, told


def shapes(_scene: Scene, seed: int) -> Found:
    """Bodies in the members, of a scene of their own."""
    return shape_faults(seed)


def elastic(scene: Scene, seed: int) -> Found:
    """Impacts in a box, the oracle starting again from the library's state after each."""
    if scene.box is None:
        return [], 0
    boxed = apart(scene, np.random.default_rng(seed))
    if len(boxed.radii) > 40:
        boxed = replace(boxed, t_end=0.1 * boxed.t_end)
    crowd = library_crowd(boxed, "elastic")
    return restart_faults(boxed, crowd, crowd.tolerance, most=30)


WAYS = {
    "own": own,
    "pieces": pieces,
    "probe": probe,
    "walls": walls,
    "tracks": tracks,
    "field": field,
    "changes": changes,
    "elastic": elastic,
    "rough": rough,
    "shapes": shapes,
}
