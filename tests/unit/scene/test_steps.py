"""Time steps and the boxes of all bodies in them: never too small, and no pair that comes near is lost."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.oracles.poses import random_pose
from tests.unit.world.worlds import at, body, cube, drive, scene, slider, swing, way

import keepclear as kc
from keepclear.kernels.broad_phase import tree
from keepclear.scene import steps as module
from keepclear.scene.scene import Scene
from keepclear.scene.steps import Steps, box_gap

Array = np.ndarray


def busy_world() -> kc.World:
    """All kinds of motions, objects of several parts, and a part that rides for a while."""
    rng = np.random.default_rng(4)
    times = np.linspace(0, 1.5, 7)
    turned = np.tile(random_pose(rng, 0.5), (7, 1, 1))
    c, s = np.cos(times), np.sin(times)
    R = np.tile(np.eye(3), (7, 1, 1))
    R[:, 0, 0], R[:, 0, 1], R[:, 1, 0], R[:, 1, 1] = c, -s, s, c
    turned[:, :3, :3] = R @ turned[:, :3, :3]
    poses = np.array([random_pose(rng, 0.5) for _ in range(3)])
    world = kc.World()
    world.add("cubic", kc.Box([0.3, 0.1, 0.2]), kc.PoseTrajectory(times, turned, "cubic", max_deviation=0.1))
    world.add(
        "screw",
        [(kc.Box([0.3, 0.1, 0.2]), random_pose(rng, 0.3)), (cube(0.1), random_pose(rng, 0.3))],
        kc.PoseTrajectory([0.1, 0.7, 1.2], poses, "screw"),
    )
    world.add("straight", kc.Capsule(0.1, 0.3), kc.PoseTrajectory([0.2, 0.5, 1.9], poses, "linear"))
    world.add("rest", kc.Cylinder(0.1, 0.3), random_pose(rng, 0.5))
    world.add("part", cube(0.2), random_pose(rng, 0.5))
    arm = kc.JointTrajectory(swing(), [0, 0.4, 1], [[0], [1], [-2]], interpolation="spline")
    world.add_robot("arm", swing(), arm, random_pose(rng, 0.3))
    world.attach("part", "arm/arm", 0.35, 0.85)
    return world


def points_of(body: object) -> Array:
    """Points of a body: corners, or a few of its surface."""
    shape = getattr(body, "mesh", body)
    if isinstance(shape, kc.Mesh):
        return np.asarray(shape.vertices)
    signs = np.array(list(itertools.product((-1, 0, 1), repeat=3)), dtype=float)
    if isinstance(shape, kc.Box):
        return 0.5 * signs * np.asarray(shape.size)
    units = signs[np.abs(signs).sum(axis=1) == 1]
    if isinstance(shape, kc.Sphere):
        return shape.radius * units
    along = np.array([0, 0, 0.5 * shape.length])
    if isinstance(shape, kc.Capsule):
        return np.concatenate([shape.radius * units + along, shape.radius * units - along])
    flat = units[units[:, 2] == 0.0]
    return np.concatenate([shape.radius * flat + along, shape.radius * flat - along])


def check_contained(tables: Scene, steps: Steps, n: int = 5, most: int = 10) -> None:
    """Check sampled points of all bodies, with each parent frame at the instants at which it changes."""
    line = tables.timeline
    count = len(steps.times) - 1
    assert steps.boxes.shape == (count, len(steps.moving), 6)
    for g, (i, p) in enumerate(tables.geoms):
        points = points_of(line.items[i].parts[p].body)
        assert (steps.column[g] < 0) == (g in steps.resting)
        for step in range(0, count, max(1, count // most)):
            begin, end = steps.times[step], steps.times[step + 1]
            box = steps.box_at(g, step)
            assert (steps.still[g, :3] <= box[:3]).all()
            assert (steps.still[g, 3:] >= box[3:]).all()
            for t in np.clip(np.linspace(begin, end, n), begin, end):
                for parent in {line.parent_index(i, t), line.parent_index(i, begin)}:
                    window = line.parent_frames[i][parent].window
                    if not window[0] <= t <= window[1]:
                        continue
                    X = line.motion(i, p, parent).pose(t)
                    places = points @ X[:3, :3].T + X[:3, 3]
                    assert (places >= box[:3]).all(), (line.items[i].name, p, t)
                    assert (places <= box[3:]).all(), (line.items[i].name, p, t)


INTERVALS = [
    (0.0, 1.5),
    (-1.0, 3.0),
    (0.33, 0.36),
    (0.5, 0.5),
    (0.35, 0.35),
    (0.85, 0.85),
    (1.95, 4.0),
    (0.0, 0.35),
]
INTERVALS += [(0.35, 0.85), (0.4, math.nextafter(0.4, 1.0)), (0.35, 0.35 + 4 * np.spacing(0.35))]


@pytest.mark.parametrize("interval", INTERVALS)
def test_no_point_leaves_its_boxes(interval: tuple[float, float]) -> None:
    tables = scene(busy_world())
    steps = tables.steps(*interval)
    assert (steps.times[0], steps.times[-1]) == interval
    check_contained(tables, steps)


def test_few_steps_with_many_knots_in_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Knots are no ends of steps here: every box is the union of those between knots."""
    monkeypatch.setattr(module, "KNOTS", 0)
    monkeypatch.setattr(module, "FEWEST", 2)
    monkeypatch.setattr(module, "MOST", 2)
    tables = scene(busy_world())
    steps = Steps(tables.motions, 0.0, 1.5)
    assert set(steps.times.tolist()) == {0.0, 0.35, 0.75, 0.85, 1.5}  # parent frames change at ends of steps
    check_contained(tables, steps, 40)


def test_boxes_at_an_instant_are_tight() -> None:
    world = kc.World()
    world.add("box", kc.Box([0.2, 0.4, 0.6]), way([0, 1], (1, 0, 0), (2, 0, 0)))
    box = scene(world).steps(0.5, 0.5).box_at(0, 0)
    assert box == pytest.approx([1.4, -0.2, -0.3, 1.6, 0.2, 0.3], abs=1e-7)


def test_boxes_of_what_moves_are_not_much_too_large() -> None:
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1.2, 0, 0)))
    steps = scene(world).steps(0.0, 1.0)
    assert len(steps.times) - 1 >= 1.2 / module.STEP
    size = steps.boxes[:, 0, 3:] - steps.boxes[:, 0, :3]
    assert size.max() <= 0.2 + module.STEP + 1e-6
    assert size[:, 1:].max() <= 0.2 + 1e-6  # it moves along x only
    assert steps.boxes[:, 0, 0].min() == pytest.approx(-0.1, abs=1e-7)
    assert steps.boxes[:, 0, 3].max() == pytest.approx(1.3, abs=1e-7)
    assert steps.still[0, [0, 3]] == pytest.approx([-0.1, 1.3], abs=1e-7)


def test_knots_and_changes_are_ends_of_steps() -> None:
    steps = scene(busy_world()).steps(0.0, 1.5)
    knots = {0.1, 0.7, 1.2, 0.2, 0.5, 0.4, 1.0, 0.75, 0.35, 0.85}
    assert knots <= set(steps.times.tolist())
    assert (np.diff(steps.times) > 0.0).all()
    assert module.FEWEST <= len(steps.boxes) <= module.MOST + module.FEWEST + len(knots)


@pytest.mark.parametrize("n", [100, 500])
def test_many_knots(n: int) -> None:
    """They are all ends of steps while they are few; boxes hold all that is between them in any case."""
    times = np.arange(n + 1) / n
    world = kc.World()
    world.add("ball", kc.Sphere(0.1), way(times.tolist(), *[(math.sin(9 * t), t, 0.0) for t in times]))
    tables = scene(world)
    steps = tables.steps(0.0, 1.0)
    assert (set(times.tolist()) <= set(steps.times.tolist())) == (n <= module.KNOTS)
    assert len(steps.boxes) <= module.MOST + module.FEWEST + module.KNOTS
    check_contained(tables, steps, 20)


def test_gaps_are_lower_bounds_of_distances() -> None:
    tables = scene(busy_world())
    line, steps = tables.timeline, tables.steps(0.0, 1.5)
    for step in range(0, len(steps.boxes), 9):
        t = 0.5 * (steps.times[step] + steps.times[step + 1])
        for a, b in itertools.combinations(range(len(tables.geoms)), 2):
            p, q = steps.box_at(a, step), steps.box_at(b, step)
            gap = box_gap(p, q)
            away = [max(0.0, q[k] - p[3 + k], p[k] - q[3 + k]) for k in range(3)]
            assert gap == pytest.approx(math.hypot(*away))
            middles = []
            for g in (a, b):
                i, n = tables.geoms[g]
                X = line.motion(i, n, line.parent_index(i, t)).pose(t)
                middles.append(X[:3, :3] @ tables.around[g, :3] + X[:3, 3])
            assert np.linalg.norm(middles[0] - middles[1]) >= gap


def test_a_part_has_the_boxes_of_its_parent_frame() -> None:
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(0.5, 0, 1))
    world.attach("part", "bot/head", 0.5, 1.5)
    tables = scene(world)
    steps = tables.steps(0.0, 2.0)
    k = steps.column[body(tables, "part")]
    ends = np.clip(steps.times, 0.5, 1.5)
    assert np.allclose(steps.boxes[:, k, 0], ends[:-1] - 0.05, atol=1e-6)
    assert np.allclose(steps.boxes[:, k, 3], ends[1:] + 0.05, atol=1e-6)
    # At an instant of change, and in intervals within one parent frame.
    for t0, t1 in ((0.5, 0.5), (1.5, 1.5), (0.7, 0.9), (0.0, 0.5), (1.5, 9.0), (0.0, 0.2)):
        some = tables.steps(t0, t1)
        box = some.still[body(tables, "part")]
        assert box[[0, 3]] == pytest.approx(
            [np.clip(t0, 0.5, 1.5) - 0.05, np.clip(t1, 0.5, 1.5) + 0.05], abs=1e-6
        )


def test_runs_have_the_times_of_their_steps() -> None:
    """The ball passes at 0.5 s: it is within 0.1 m while |x - 0.5| <= 0.3 m and y is 0.25 m away."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1, 2], (0, 0, 0), (1, 0, 0), (0, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, 0.25))
    world.add("c", kc.Sphere(0.1), at(0.5, 9))
    steps = scene(world).steps(0.0, 2.0)
    bodies = np.array([[7, 0, 2], [3, 0, 1], [5, 1, 2]])
    runs = steps.near_rows(bodies, np.array([0.1, 0.1, 8.6]))
    assert [runs[name].tolist() for name in ("pair", "geom_a", "geom_b")] == [[3, 3, 5], [0, 0, 1], [1, 1, 2]]
    assert (runs["shape_a"] == -1).all()
    reach = 0.2 + math.sqrt(0.1**2 - 0.05**2)
    for k, t in ((0, 0.5), (1, 1.5)):
        assert t - reach - 0.06 <= runs["t0"][k] <= t - reach
        assert t + reach <= runs["t1"][k] <= t + reach + 0.06
        assert runs["t0"][k] <= runs["hint"][k] <= runs["t1"][k]
        assert abs(runs["hint"][k] - t) <= 0.3
    assert (runs["t0"][2], runs["t1"][2]) == (0.0, 2.0)  # both rest: all the time
    assert len(steps.near_rows(np.empty((0, 3), np.int64), np.empty(0))) == 0


def test_more_runs_than_there_was_room_for() -> None:
    """A ball that passes forty times."""
    world = kc.World()
    places = [(0.0 if k % 2 else 2.0, 0.0, 0.0) for k in range(41)]
    world.add("a", kc.Sphere(0.1), way(list(range(41)), *places))
    for k in range(3):
        world.add(f"b{k}", kc.Sphere(0.1), at(1, 0.15))
    steps = scene(world).steps(0.0, 40.0)
    runs = steps.near_rows(np.array([[k, 0, k + 1] for k in range(3)]), np.zeros(3))
    assert runs["pair"].tolist() == [0] * 40 + [1] * 40 + [2] * 40
    assert (runs["t0"] < runs["t1"]).all()
    for k in range(40):
        assert runs["t0"][k] < k + 0.5 < runs["t1"][k]


def test_the_step_of_an_instant() -> None:
    steps = scene(busy_world()).steps(0.0, 1.5)
    assert (steps.step_at(0.0), steps.step_at(-1.0)) == (0, 0)
    assert steps.step_at(1.5) == steps.step_at(9.0) == len(steps.boxes) - 1
    for k in range(1, len(steps.boxes)):
        assert steps.step_at(steps.times[k]) == k
        assert steps.step_at(math.nextafter(steps.times[k], -1.0)) == k - 1
    assert scene(busy_world()).steps(0.5, 0.5).step_at(0.5) == 0


def planted(rng: np.random.Generator, n: int, n_steps: int, moving: Array) -> Steps:
    """Steps with boxes of many sizes that wander: floors, some that coincide, and some that may be anywhere."""
    size = 10.0 ** rng.uniform(-3, 1, (n, 1)) * rng.uniform(0.1, 1.0, (n, 3))
    start = rng.choice([0.3, 3.0]) * rng.normal(size=(n, 3))
    if n > 3:
        size[0], start[0] = (1e3, 1e3, 0.01), (0.0, 0.0, -1.0)
        size[1], start[1] = size[2], start[2]
    steps = object.__new__(Steps)
    steps.times = np.linspace(0.0, 1.0, n_steps + 1)
    steps.column = np.where(moving, np.cumsum(moving) - 1, -1)
    steps.moving, steps.resting = np.flatnonzero(moving), np.flatnonzero(~moving)
    center = start + np.cumsum(rng.normal(size=(n_steps, n, 3)) * 0.3, axis=0)
    boxes = np.concatenate([center - 0.5 * size, center + 0.5 * size], axis=2)
    if n > 8:
        boxes[rng.integers(n_steps), rng.integers(n)] = [-math.inf] * 3 + [math.inf] * 3
    steps.boxes = np.ascontiguousarray(boxes[:, moving])
    steps.still = np.concatenate([start - 0.5 * size, start + 0.5 * size], axis=1)
    steps.still[moving] = np.concatenate([boxes[..., :3].min(axis=0), boxes[..., 3:].max(axis=0)], axis=1)[
        moving
    ]
    return steps


def brute_pairs(steps: Steps, reach: Array, keys: Array, *, whole: bool) -> set[tuple[int, int]]:
    """Pairs of different classes whose boxes, grown by their reach, overlap in one step, or around the whole path."""
    n, found = len(steps.column), np.zeros((len(steps.column),) * 2, dtype=bool)
    for step in range(len(steps.boxes)):
        boxes = np.array([steps.still[g] if whole else steps.box_at(g, step) for g in range(n)])
        low, high = boxes[:, :3] - reach[:, None], boxes[:, 3:] + reach[:, None]
        found |= (low[:, None] <= high[None]).all(axis=2) & (low[None] <= high[:, None]).all(axis=2)
    found &= (keys[:, None] != keys[None]).all(axis=2)
    return {(i, j) for i, j in zip(*(side.tolist() for side in np.nonzero(found)), strict=True) if i < j}


@pytest.mark.parametrize("limits", [None, (0, 0), (0, 20), (1, 3)])
@pytest.mark.parametrize(("n", "n_steps"), [(1, 3), (2, 1), (5, 4), (30, 13), (80, 5)])
def test_no_pair_that_comes_near_in_a_step_is_lost(
    n: int, n_steps: int, limits: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However far time is divided: at least the pairs of single steps, at most those of whole paths."""
    if limits is not None:
        monkeypatch.setattr(module, "PAIRS_EACH", limits[0])
        monkeypatch.setattr(module, "PAIRS_BESIDES", limits[1])
    for seed in range(6):
        rng = np.random.default_rng([seed, n])
        moving = rng.random(n) < (0.0, 0.5, 0.9, 1.0)[seed % 4]
        steps = planted(rng, n, n_steps, moving)
        items = np.sort(rng.integers(0, n, n))
        classes = rng.integers(0, max(2, n // 3), n)[items]
        keys = np.stack([items, classes], axis=1)
        reach = rng.choice([0.0, 0.1, 1.0, math.inf], n, p=[0.4, 0.4, 0.18, 0.02])
        pairs = [tuple(pair) for pair in steps.candidates(reach, keys).tolist()]
        assert pairs == sorted(set(pairs))
        assert all(i < j for i, j in pairs)
        needed = brute_pairs(steps, reach, keys, whole=False)
        assert needed <= set(pairs)
        if limits == (0, 0):  # divided down to single steps, wherever there is any pair
            assert set(pairs) == needed
        assert set(pairs) <= brute_pairs(steps, reach, keys, whole=True)
        if limits is None:
            assert set(pairs) == brute_pairs(steps, reach, keys, whole=True)


@pytest.mark.parametrize("n", [1, 2, 9, 60])
def test_pairs_of_one_class_are_compared_where_they_start(n: int) -> None:
    for seed in range(4):
        rng = np.random.default_rng([seed, n])
        steps = planted(rng, n, 3, rng.random(n) < 0.5)
        items = np.sort(rng.integers(0, n, n))
        keys = np.stack([items, rng.integers(0, 3, n)[items]], axis=1)
        reach = rng.choice([0.0, 0.2, 2.0], n)
        boxes = np.array([steps.box_at(g, 0) for g in range(n)])
        low, high = boxes[:, :3] - reach[:, None], boxes[:, 3:] + reach[:, None]
        for mode in (tree.SAME, tree.DIFFERENT):
            expected = [
                [i, j]
                for i, j in itertools.combinations(range(n), 2)
                if items[i] != items[j]
                and (keys[i, 1] == keys[j, 1]) == (mode == tree.SAME)
                and (low[i] <= high[j]).all()
                and (low[j] <= high[i]).all()
            ]
            assert steps.same_class(reach, keys, mode).tolist() == expected


@pytest.mark.parametrize("seed", range(4))
def test_candidates_of_worlds_hold_all_pairs_within_their_margins(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Margins of objects and of pairs, as reach: each box grows by its own, so a pair is found within its margin."""
    rng = np.random.default_rng(seed)
    world = kc.World()
    for k in range(25):
        start, end = rng.uniform(-1.5, 1.5, (2, 3))
        world.add(f"x{k:02}", kc.Sphere(0.05), at(*start) if k % 4 == 0 else way([0, 1], start, end))
    for k in rng.integers(0, 25, 4).tolist():
        world.set_margin(f"x{k:02}", None, float(rng.uniform(0, 0.3)))
    for i, j in itertools.pairwise(rng.permutation(25)[:10].tolist()):
        world.set_margin(f"x{i:02}", f"x{j:02}", float(rng.choice([0.0, 0.05, 0.8])))
    tables = scene(world)
    rules = tables.pair_rules
    reach = np.maximum(rules.margins, rules.pair_margins)
    keys = np.stack([np.arange(25), tables.frames.classes], axis=1)
    monkeypatch.setattr(module, "PAIRS_EACH", 0)
    monkeypatch.setattr(module, "PAIRS_BESIDES", 30)
    steps = tables.steps(0.0, 1.0)
    found = {tuple(pair) for pair in steps.candidates(reach, keys).tolist()}
    needed = set()
    for i, j in itertools.combinations(range(25), 2):
        gaps = [box_gap(steps.box_at(i, s), steps.box_at(j, s)) for s in range(len(steps.boxes))]
        if keys[i, 1] != keys[j, 1] and min(gaps) <= rules.margin(i, j):
            needed.add((i, j))
    assert needed <= found
    assert 3 < len(needed) <= len(found) < 300
