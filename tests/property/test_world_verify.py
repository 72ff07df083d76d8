"""Reports about worlds hold against slow searches and closed forms: verdicts, brackets, clearances."""

import math
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.exact_points import box, sphere
from tests.oracles.motion_bodies import Thing
from tests.oracles.robot_check import (
    clearance_faults,
    curve_faults,
    expected_unchecked,
    names,
    pair_faults,
)
from tests.oracles.robot_random import Scene, library_world, random_scene
from tests.oracles.robot_urdf import Part
from tests.oracles.robot_world import Pair, attached, item_at_rest

import keepclear as kc

TOLERANCE = 1e-4
FAR = 0.1


def judged(report: Any) -> dict[frozenset[str], Any]:
    """The pairs by their names, each once."""
    found = {names(pair): pair for pair in report.pairs}
    assert len(found) == len(report.pairs)
    return found


def whole_unchecked(report: Any) -> dict[frozenset[str], Any]:
    """The pairs that were not judged at any time."""
    return {names(u): u for u in report.unchecked if u.t_from is None and u.t_to is None}


def pair_of(scene: Scene, key: frozenset[str]) -> Pair:
    a, b = sorted(key)
    return Pair(scene.items[a], scene.items[b], scene.t0, scene.t1)


def faults(
    scene: Scene, report: Any, margin: float = 0.0, *, tolerance: float = TOLERANCE, far: float = FAR
) -> list[str]:
    """Everything that is wrong with a report about a scene in which all pairs have one margin."""
    found = []
    for key, pair in judged(report).items():
        case = pair_of(scene, key)
        wrong = [*pair_faults(pair, case, tolerance=tolerance, margin=margin)]
        wrong += clearance_faults(pair, case, tolerance=tolerance, far=far)
        found += [f"{pair.a} - {pair.b}: {text}" for text in wrong]
    return found


@pytest.mark.parametrize(
    "seed", [2, 10, 14, 18, 19, 20, 23, 25, 26, 27, 28]
)  # of those that the slow search can afford
def test_random_worlds_are_judged_right(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, tmp_path, n_robots=1 + seed % 2, n_objects=2 + seed % 2)
    report = library_world(scene).verify(tolerance=TOLERANCE, far=FAR)
    assert (report.t0, report.t1, report.tolerance) == (scene.t0, scene.t1, TOLERANCE)
    assert faults(scene, report) == []
    expected = expected_unchecked(scene)
    told = {key: unchecked.reason for key, unchecked in whole_unchecked(report).items()}
    assert told == {key: reason for key, reason in expected.items() if reason != "at rest and apart"}
    assert set(judged(report)) == {frozenset(pair) for pair in combinations(scene.items, 2)} - set(expected)
    apart = sum(reason == "at rest and apart" for reason in expected.values())
    assert report.statistics.get("at rest and apart", 0) == apart
    verdicts = {pair.verdict for pair in report.pairs}
    assert report.verdict is (kc.Verdict.COLLIDING if kc.Verdict.COLLIDING in verdicts else kc.Verdict.CLEAR)
    times = [pair.time for pair in report.pairs if pair.time is not None]
    assert times == sorted(times)


@pytest.mark.parametrize("seed", range(4))
def test_margins_move_the_verdict(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(1000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=2)
    world = library_world(scene)
    margin = float(rng.choice([0.01, 0.1]))
    for a, b in combinations(scene.items, 2):
        world.set_margin(a, b, margin)
    report = world.verify(tolerance=TOLERANCE, clearances=False)
    wrong = []
    for key, pair in judged(report).items():
        wrong += [*pair_faults(pair, pair_of(scene, key), tolerance=TOLERANCE, margin=margin)]
    assert wrong == []


def test_the_larger_of_two_margins_counts_and_that_of_a_pair_before_both() -> None:
    world = plain_world(gap=0.01)
    assert only_pair(world.verify(tolerance=1e-6)).verdict is kc.Verdict.CLEAR
    world.set_margin("ball", None, 0.02)
    found = only_pair(world.verify(tolerance=1e-6))
    assert (found.verdict, found.margin) == (kc.Verdict.COLLIDING, 0.02)
    world.set_margin("ball", "wall", 0.005)
    found = only_pair(world.verify(tolerance=1e-6))
    assert (found.verdict, found.margin) == (kc.Verdict.CLEAR, 0.005)


@pytest.mark.parametrize("seed", range(2))
def test_answers_depend_neither_on_threads_nor_on_order_and_survive_storage(
    seed: int, tmp_path: Path
) -> None:
    rng = np.random.default_rng(2000 + seed)
    scene = random_scene(rng, tmp_path, n_robots=2, n_objects=4)
    report = library_world(scene).verify(tolerance=TOLERANCE, threads=1, curves=5)
    threaded = library_world(scene).verify(tolerance=TOLERANCE, threads=2, curves=5)
    assert threaded == report
    order = [*scene.robots, *scene.objects]
    rng.shuffle(order)
    shuffled = library_world(scene, order=order).verify(tolerance=TOLERANCE, curves=5)
    here, there = judged(report), judged(shuffled)
    assert set(here) == set(there)
    for key, pair in here.items():
        assert (pair.verdict, pair.proof, pair.margin) == (
            there[key].verdict,
            there[key].proof,
            there[key].margin,
        )
        # Whoever of two comes first changes the last digits.
        assert np.allclose(numbers(pair), numbers(there[key]), rtol=0.0, atol=1e-9, equal_nan=True), sorted(
            key
        )
    reasons = [
        {key: (u.reason, u.touching) for key, u in whole_unchecked(r).items()} for r in (shuffled, report)
    ]
    assert reasons[0] == reasons[1]
    file = tmp_path / "report.json"
    report.to_json(file)
    assert kc.read_report(file) == report


def numbers(pair: Any) -> np.ndarray:
    """The times and distances of a pair in a row."""
    told = [pair.time, pair.t_lo, pair.t_hi, pair.clearance_lower, pair.clearance_upper, pair.clearance_time]
    if pair.curve is not None:
        told += [*pair.curve.times, *pair.curve.lower, *pair.curve.upper, *pair.curve.lower_between]
    return np.array([math.nan if value is None else value for value in told])


@pytest.mark.parametrize("seed", range(5))
def test_the_earliest_contact_alone_is_the_same_one(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(10_000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=3)
    whole = library_world(scene).verify(tolerance=TOLERANCE, clearances=False)
    earliest = library_world(scene).verify(tolerance=TOLERANCE, clearances=False, contacts="earliest")
    assert earliest.verdict is whole.verdict
    assert set(judged(earliest)) == set(judged(whole))
    if whole.first is None:
        assert earliest.first is None
        return
    limit = earliest.first.time
    assert earliest.first.t_lo <= whole.first.t_hi
    assert whole.first.t_lo <= earliest.first.t_hi
    for key, pair in judged(earliest).items():
        if pair.verdict is kc.Verdict.COLLIDING:
            assert [*pair_faults(pair, pair_of(scene, key), tolerance=TOLERANCE)] == []
        elif pair.verdict is kc.Verdict.UNDECIDED:
            # Nothing touches before the contact that was found; from there on nobody looked.
            assert pair.t_lo >= earliest.first.t_lo
            lower = judged(whole)[key]
            assert lower.time is None or lower.t_hi >= earliest.first.t_lo
        else:
            assert judged(whole)[key].verdict is kc.Verdict.CLEAR
    assert all(pair.time is None or pair.time >= limit for pair in earliest.pairs)


@pytest.mark.parametrize("seed", range(3))
def test_curves_hold_the_distance(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(3000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=2)
    report = library_world(scene).verify(tolerance=1e-3, curves=20, far=10.0)
    wrong = []
    for key, pair in judged(report).items():
        if pair.curve is not None:
            assert (pair.curve.times[0], pair.curve.times[-1]) == (scene.t0, scene.t1)
            wrong += [f"{sorted(key)}: {text}" for text in curve_faults(pair.curve, pair_of(scene, key))]
    assert wrong == []
    assert any(pair.curve is not None for pair in report.pairs)


@pytest.mark.parametrize("seed", range(4))
def test_all_contacts_are_found_and_the_times_between_them_are_clear(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(4000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=2)
    report = library_world(scene).verify(tolerance=TOLERANCE, contacts="all", clearances=False)
    for key, pair in judged(report).items():
        if pair.verdict is not kc.Verdict.COLLIDING:
            continue
        t = np.linspace(scene.t0, scene.t1, 400)
        _, upper = pair_of(scene, key).distances(t)
        spans = [(c.t_lo, scene.t1 if c.t_end is None else c.t_end) for c in pair.contacts]
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        for time in t[upper == 0.0]:
            assert any(start <= time <= end for start, end in spans), (sorted(key), time, spans)
        for contact in pair.contacts:
            assert pair_of(scene, key).distances([contact.time])[0][0] <= TOLERANCE
        # What lies well outside of all contacts is clear, and inside of one there is contact.
        for start, end in spans:
            assert np.any(pair_of(scene, key).distances(np.linspace(start, end, 200))[0] <= TOLERANCE)


@pytest.mark.parametrize("seed", range(4))
def test_windows_of_permission_are_not_judged_and_the_rest_is(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(5000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=2)
    everything = judged(library_world(scene).verify(tolerance=TOLERANCE, clearances=False))
    span = scene.t1 - scene.t0
    for key, before in sorted(everything.items(), key=lambda kv: sorted(kv[0]))[:6]:
        middle = scene.t0 + float(rng.uniform(0.2, 0.8)) * span if before.time is None else before.time
        t_from, t_to = max(scene.t0, middle - 0.15 * span), min(scene.t1, middle + 0.15 * span)
        after = math.nextafter(t_to, math.inf)
        windows = [w for w in ((scene.t0, t_from), (after, scene.t1)) if w[0] < w[1]]
        world = library_world(scene)
        world.allow(*sorted(key), t_from=t_from, t_to=t_to, reason="grasp")
        report = world.verify(tolerance=TOLERANCE, clearances=False)
        wrong = [*pair_faults(judged(report)[key], pair_of(scene, key), tolerance=TOLERANCE, windows=windows)]
        assert wrong == [], sorted(key)
        (told,) = (u for u in report.unchecked if names(u) == key)
        assert (told.reason, told.t_from, told.t_to) == ("allowed", t_from, t_to)
        others = {k: v.verdict for k, v in judged(report).items() if k != key}
        assert others == {k: v.verdict for k, v in everything.items() if k != key}


def test_allowed_pairs_and_undesignated_ones_are_listed(tmp_path: Path) -> None:
    scene = random_scene(np.random.default_rng(6000), tmp_path, n_objects=3)
    links = list(scene.links)
    world = library_world(scene)
    world.allow("o0", "r0", reason="they belong together")
    report = world.verify(tolerance=1e-3, clearances=False)
    for link in links:
        told = whole_unchecked(report)[frozenset(("o0", link))]
        assert told.reason in ("allowed", "at rest")
    world = library_world(scene)
    world.only([("r0", "o1")])
    report = world.verify(tolerance=1e-3, clearances=False)
    assert set(judged(report)) <= {frozenset(("o1", link)) for link in links}
    assert judged(report)
    assert whole_unchecked(report)[frozenset(("o0", "o1"))].reason in ("not designated", "at rest")
    world = library_world(scene)
    world.only(["o1"])
    assert all("o1" in key for key in judged(world.verify(tolerance=1e-3, clearances=False)))


@pytest.mark.parametrize("seed", [1, 2, 3, 6])
def test_carried_objects_ride_along_and_stay_where_they_are_released(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(7000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=3)
    link = str(rng.choice(list(scene.links)))
    span = scene.t1 - scene.t0
    t_from = scene.t0 + float(rng.uniform(0.1, 0.4)) * span
    t_to = None if seed % 2 else scene.t0 + float(rng.uniform(0.6, 0.9)) * span
    world = library_world(scene)
    world.attach("o0", link, t_from, t_to)
    report = world.verify(tolerance=TOLERANCE, far=FAR)
    carried = attached(scene.objects["o0"], scene.robots["r0"].machine, link.split("/")[1], t_from, t_to)
    scene = replace(scene, objects={**scene.objects, "o0": carried})
    wrong = []
    for key, pair in judged(report).items():
        if key == {"o0", link}:
            continue
        case = pair_of(scene, key)
        found = [*pair_faults(pair, case, tolerance=TOLERANCE)]
        found += clearance_faults(pair, case, tolerance=TOLERANCE, far=FAR)
        wrong += [f"{pair.a} - {pair.b}: {text}" for text in found]
    assert wrong == []
    for other in scene.items:
        if other not in ("o0", link) and pair_of(scene, frozenset(("o0", other))).moves:
            assert frozenset(("o0", other)) in judged(report)


@pytest.mark.parametrize("seed", range(3))
def test_a_path_tolerance_covers_delays_and_offsets(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(8000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=3)
    world = library_world(scene)
    distance, delay = 0.01, 0.02
    world.set_path_tolerance("r0", distance=distance, time=delay)
    report = world.verify(tolerance=TOLERANCE, clearances=False)
    plain = judged(library_world(scene).verify(tolerance=TOLERANCE, clearances=False))
    t = np.linspace(scene.t0, scene.t1, 60)
    for key, pair in judged(report).items():
        own = [name for name in key if name.startswith("r0/")]
        if not own:
            assert pair.verdict is plain[key].verdict
            continue
        if plain[key].verdict is kc.Verdict.COLLIDING:
            assert pair.verdict is kc.Verdict.COLLIDING
            assert pair.t_lo <= plain[key].t_hi
        if pair.verdict is kc.Verdict.CLEAR and len(own) == 1:
            # Late or early by the delay, the link is still farther away than the offset.
            (other,) = key - set(own)
            for late in (-delay, 0.0, delay):
                moved = delayed(scene.items[own[0]], late)
                assert Pair(moved, scene.items[other], scene.t0, scene.t1).distances(t)[0].min() >= distance


def delayed(item: Any, late: float) -> Any:
    """The item of a link that is late all the time."""
    ((start, ride),) = item.rides
    path = replace(ride.machine.path, times=ride.machine.path.times + late)
    return replace(item, rides=[(start, replace(ride, machine=replace(ride.machine, path=path)))])


HINGE = """<robot name="hinge"><link name="base"/>
<link name="tip"><collision><origin xyz="1 0 0"/><geometry><sphere radius="{radius}"/></geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint></robot>"""


def hinge(folder: Path, radius: float) -> Any:
    """A ball on a circle of radius 1 about z."""
    file = folder / "hinge.urdf"
    file.write_text(HINGE.format(radius=repr(radius)), encoding="utf-8")
    return kc.read_robot(file)


def hinge_world(folder: Path, radius: float, q: list[float], times: list[float] | None = None) -> Any:
    robot = hinge(folder, radius)
    world = kc.World()
    told = kc.JointTrajectory(robot, times or list(range(len(q))), [[x] for x in q])
    world.add_robot("arm", robot, told)
    return world


def shifted(x: float, y: float = 0.0, z: float = 0.0, turn: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    c, s = math.cos(turn), math.sin(turn)
    X[:2, :2] = [[c, -s], [s, c]]
    X[:3, 3] = x, y, z
    return X


def only_pair(report: Any) -> Any:
    (pair,) = report.pairs
    return pair


def plain_world(gap: float) -> Any:
    """A ball of 0.1 m that rolls along a wall, a gap away from it."""
    world = kc.World()
    poses = np.array([shifted(-1, 0.1 + gap), shifted(1, 0.1 + gap)])
    world.add("ball", kc.Sphere(0.1), kc.PoseTrajectory([0, 1], poses, interpolation="linear"))
    world.add("wall", kc.Box([4, 1, 1]), shifted(0, -0.5))
    return world


@pytest.mark.parametrize("angle", [0.3, 1.0, 2.2, 3.0])
def test_a_fin_between_samples_is_hit_when_geometry_says_so(angle: float, tmp_path: Path) -> None:
    # A ball of 2 mm on a circle of 1 m meets the side of a fin of 0.2 mm when their planes are 2.1 mm apart.
    radius, thickness = 0.002, 0.0002
    world = hinge_world(tmp_path, radius, [0.0, math.pi], [0.0, 2.0])
    place = shifted(math.cos(angle), math.sin(angle), 0.0, angle)
    world.add("fin", kc.Box([0.05, thickness, 0.05]), place)
    found = only_pair(world.verify(tolerance=1e-7))
    true = 2.0 * (angle - math.asin(radius + thickness / 2)) / math.pi
    assert found.verdict is kc.Verdict.COLLIDING
    assert found.t_lo <= true + 1e-12
    assert true - 1e-6 <= found.time <= true + 1e-6
    assert np.linalg.norm(np.subtract(found.contacts[0].p_W, place[:3, 3])) <= 0.003


@pytest.mark.parametrize("gap", [1e-5, 1e-4, -1e-5, -1e-3])
@pytest.mark.parametrize("radius", [0.05, 0.2])
def test_a_graze_is_told_from_a_near_miss(gap: float, radius: float, tmp_path: Path) -> None:
    # At angle 0 the ball is closest to the wall; before it touches where cos(angle) = 1 + gap.
    world = hinge_world(tmp_path, radius, [-1.0, 2.0], [0.0, 3.0])
    world.add("wall", kc.Box([1, 4, 1]), shifted(1 + radius + gap + 0.5))
    found = only_pair(world.verify(tolerance=1e-6))
    if gap > 0:
        assert found.verdict is kc.Verdict.CLEAR
        assert gap - 1e-6 <= found.clearance_lower <= gap + 1e-13
        assert gap - 1e-13 <= found.clearance_upper <= gap + 1e-6
        assert abs(found.clearance_time - 1.0) <= 2e-3
        assert np.abs(np.subtract(found.p_WA, found.p_WB)).max() <= gap + 1e-6
    else:
        true = 1.0 - math.acos(1 + gap)
        assert found.verdict is kc.Verdict.COLLIDING
        assert found.t_lo <= true + 1e-12
        # Before, the gap is at most the tolerance where cos(angle) = 1 + gap - tolerance.
        assert 1.0 - math.acos(1 + gap - 1.01e-6) <= found.time <= true + 1e-9
        assert found.clearance_lower <= 0.0


def test_a_near_miss_of_the_margin_is_clear(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [-1.0, 1.0])
    world.add("wall", kc.Box([1, 4, 1]), shifted(1.1 + 0.03 + 0.5))
    world.set_margin("arm", "wall", 0.03 - 1e-5)
    assert only_pair(world.verify(tolerance=1e-6)).verdict is kc.Verdict.CLEAR
    world.set_margin("arm", "wall", 0.03 + 1e-5)
    found = only_pair(world.verify(tolerance=1e-6))
    assert found.verdict is kc.Verdict.COLLIDING
    true = (1.0 - math.acos(1 - 1e-5)) / 2
    assert found.t_lo <= true + 1e-12
    assert (1.0 - math.acos(1 - 1e-5 - 1.01e-6)) / 2 <= found.time <= true + 1e-9


def test_many_turns_past_something_just_out_of_reach(tmp_path: Path) -> None:
    turns = 20
    world = hinge_world(tmp_path, 0.1, [0.0, turns * 2 * math.pi])
    world.add("post", kc.Sphere(0.1), shifted(1.2 + 2e-4))
    found = only_pair(world.verify(tolerance=1e-4))
    assert found.verdict is kc.Verdict.CLEAR
    assert 1e-4 <= found.clearance_lower <= 2e-4 <= found.clearance_upper <= 3e-4


def test_something_that_slowly_comes_within_reach_is_hit_after_many_turns(tmp_path: Path) -> None:
    # The post comes 1 mm nearer each turn. After 7.5 s it is 0.3 mm too far away; in the next passage it is hit.
    world = hinge_world(tmp_path, 0.1, [math.pi, math.pi + 40 * math.pi], [0.0, 20.0])
    poses = np.array([shifted(1.2 + 0.0078), shifted(1.2 + 0.0078 - 0.02)])
    world.add("post", kc.Sphere(0.1), kc.PoseTrajectory([0.0, 20.0], poses, interpolation="linear"))
    found = only_pair(world.verify(tolerance=1e-6))
    assert found.verdict is kc.Verdict.COLLIDING
    # Centres 0.2 m apart: x^2 - 2 x cos(a) + 1 = 0.04 with x = 1.2078 - t / 1000 and a = 2 pi (t - 8.5), by halving.
    lo, hi = 8.0, 8.5
    for _ in range(80):
        t = (lo + hi) / 2
        x = 1.2078 - t / 1000
        gap = x * x - 2 * x * math.cos(2 * math.pi * (t - 8.5)) + 1 - 0.04
        lo, hi = (t, hi) if gap > 0 else (lo, t)
    assert abs(found.time - lo) <= 1e-5
    assert found.t_lo <= lo + 1e-12


FOLDING = """<robot name="fold">
<link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link><link name="turret"/>
<link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
<link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
<link name="hand"><collision><origin xyz="0.2 0 0"/><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="spin" type="continuous"><parent link="base"/><child link="turret"/><axis xyz="0 0 1"/></joint>
<joint name="lift" type="continuous"><parent link="turret"/><child link="upper"/><axis xyz="0 1 0"/></joint>
<joint name="elbow" type="continuous"><origin xyz="1 0 0"/>
<parent link="upper"/><child link="fore"/><axis xyz="0 1 0"/></joint>
<joint name="wrist" type="continuous"><origin xyz="0.5 0 0"/>
<parent link="fore"/><child link="hand"/><axis xyz="0 1 0"/></joint>
</robot>"""


@pytest.mark.parametrize("spin", [0.0, 1.0, 5000.0])
def test_a_self_collision_depends_on_the_joints_between_alone(spin: float, tmp_path: Path) -> None:
    # At the elbow angle e the hand, 0.7 m from the elbow, is 0.7 sin(e) from the plane of the upper arm, which it meets
    # at 0.1 m, half of the arm's height and its own radius.
    file = tmp_path / "fold.urdf"
    file.write_text(FOLDING, encoding="utf-8")
    robot = kc.read_robot(file)
    world = kc.World()
    q = [[0, -0.5, 0, 0], [spin, -0.6, 3.1, 0]]
    world.add_robot("arm", robot, kc.JointTrajectory(robot, [0, 1], q))
    pairs = judged(world.verify(tolerance=1e-7))
    found = pairs[frozenset(("arm/upper", "arm/hand"))]
    reached = math.pi - math.asin(0.1 / 0.7)
    assert found.verdict is kc.Verdict.COLLIDING
    assert abs(found.time - reached / 3.1) <= 1e-6
    assert found.t_lo <= reached / 3.1 + 1e-12
    assert found.evaluations <= 2000


def test_joints_that_stay_where_they_are_leave_everything_at_rest(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [0.5, 0.5, 0.5])
    world.add("table", kc.Box([4, 4, 0.2]), shifted(0, 0, -0.2))
    world.add("under it", kc.Sphere(0.15), shifted(0, 0, -0.2))
    # Where nothing moves at all, things are judged as they stand; one far thing that moves makes the others rest.
    assert world.verify().verdict is kc.Verdict.COLLIDING
    poses = np.array([shifted(50), shifted(51)])
    world.add("bird", kc.Sphere(0.1), kc.PoseTrajectory([0, 2], poses, interpolation="linear"))
    report = world.verify()
    assert report.verdict is kc.Verdict.CLEAR
    assert all("bird" in names(pair) for pair in report.pairs)
    told = {names(u): u for u in report.unchecked}
    assert {u.reason for u in told.values()} == {"at rest"}
    assert told[frozenset(("arm/tip", "table"))].touching is True
    assert told[frozenset(("table", "under it"))].touching is True
    assert frozenset(("arm/tip", "under it")) not in told
    assert report.statistics["at rest and apart"] == 1


def test_a_solid_within_a_solid_touches_it(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.01, [0.0, 0.1])
    world.add("tank", kc.Mesh(*box_triangles(3.0)), np.eye(4))
    found = only_pair(world.verify(tolerance=1e-4))
    assert found.verdict is kc.Verdict.COLLIDING
    assert found.time == 0.0 == found.t_lo


def box_triangles(size: float) -> tuple[Any, Any]:
    from tests.oracles.mesh_bodies import box_mesh

    mesh = box_mesh([size] * 3)
    return mesh.vertices, mesh.faces


def test_one_instant_and_parts_of_the_time(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [-1.0, 1.0])
    world.add("post", kc.Sphere(0.1), shifted(1.1))
    before = math.acos(1 - (0.04 - 0.01) / 2.2)  # 1 + 1.21 - 2.2 cos a = 0.04
    first = (1 - before) / 2
    assert only_pair(world.verify(0.0, first - 1e-3, tolerance=1e-5)).verdict is kc.Verdict.CLEAR
    found = only_pair(world.verify(0.0, 1.0, tolerance=1e-5))
    assert found.verdict is kc.Verdict.COLLIDING
    assert abs(found.time - first) <= 1e-4
    late = only_pair(world.verify(0.5, 1.0, tolerance=1e-5))
    assert (late.verdict, late.time, late.t_lo) == (kc.Verdict.COLLIDING, 0.5, 0.5)
    report = world.verify(0.5, 0.5, tolerance=1e-5)
    assert report.verdict is kc.Verdict.COLLIDING
    held = only_pair(world.verify(-5.0, 0.1, tolerance=1e-5))
    assert held.verdict is kc.Verdict.CLEAR
    all_of_it = only_pair(world.verify(0.0, 1.0, tolerance=1e-5, contacts="all"))
    (contact,) = all_of_it.contacts
    assert contact.t_end is not None
    assert (1 + before) / 2 - 1e-9 <= contact.t_end <= (1 + before) / 2 + 1e-3


def test_far_pairs_say_more_than_far(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [-1.0, 1.0])
    world.add("moon", kc.Sphere(0.5), shifted(100.0))
    found = only_pair(world.verify(far=0.25))
    assert found.verdict is kc.Verdict.CLEAR
    assert found.clearance_upper is None
    assert 0.25 <= found.clearance_lower <= 98.4


def test_a_spent_budget_is_undecided_and_never_clear(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.1, [0.0, 40 * math.pi], [0.0, 1.0])
    world.add("post", kc.Sphere(0.1), shifted(1.2 + 1e-6))
    report = world.verify(tolerance=1e-9, budget=3, clearances=False)
    assert report.verdict is kc.Verdict.UNDECIDED
    found = only_pair(report)
    assert found.verdict is kc.Verdict.UNDECIDED
    assert found.t_lo < found.t_hi == 1.0
    assert only_pair(world.verify(tolerance=1e-9, clearances=False)).verdict is kc.Verdict.CLEAR


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_single_instants_agree(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(9000 + seed)
    scene = random_scene(rng, tmp_path, n_objects=3)
    world = library_world(scene)
    for t in rng.uniform(scene.t0, scene.t1, size=3):
        touching = {frozenset(pair) for pair in world.collisions(float(t))}
        distances = {frozenset((d.a, d.b)): d for d in world.distances(float(t), far=1.0)}
        for key in {frozenset(pair) for pair in combinations(scene.items, 2)}:
            low, up = (float(x[0]) for x in pair_of(scene, key).distances([t]))
            if key in touching:
                assert low == 0.0, sorted(key)
            if key in distances and up > 1e-9:
                assert low - 1e-9 <= distances[key].distance <= up + 1e-9, sorted(key)


def test_several_shapes_in_one_object_are_all_seen(tmp_path: Path) -> None:
    world = hinge_world(tmp_path, 0.05, [-1.0, 1.0])
    far, near = Part(Thing(box([0.1, 0.1, 0.1])), shifted(0, 2)), Part(Thing(sphere(0.05)), shifted(1.02, 0))
    item = item_at_rest("pair of things", [far, near], np.eye(4))
    world.add(item.name, [(p.thing.library(), p.X_LG) for p in item.parts], np.eye(4))
    found = only_pair(world.verify(tolerance=1e-5))
    assert found.verdict is kc.Verdict.COLLIDING
    # |(cos a, sin a) - (1.02, 0)| = 0.1
    true = (1 - math.acos((1 + 1.02**2 - 0.01) / 2.04)) / 2
    assert found.t_lo <= true + 1e-12
    assert abs(found.time - true) <= 1e-4
