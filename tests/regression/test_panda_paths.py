"""Labelled paths of a Panda arm, five of which touch between samples that a planner had checked; and a Fanuc runs."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from tests.oracles.robot_check import pair_faults
from tests.oracles.robot_panda import (
    ABSENT,
    FANUC,
    PANDA,
    FclScene,
    LabelledPath,
    Problem,
    labelled_paths,
    problems,
    read_described,
)
from tests.oracles.robot_paths import JointPath
from tests.oracles.robot_random import add_object
from tests.oracles.robot_world import Machine, Pair, item_on_link

import keepclear as kc

pytestmark = pytest.mark.skipif(not PANDA.is_dir(), reason=ABSENT)
TOLERANCE = 1e-4
FCL = 1e-6  # what python-fcl's distances are good to [m]


@cache
def panda() -> Any:
    return kc.read_robot(PANDA / "panda.urdf", PANDA / "panda.srdf")


@cache
def plain_panda() -> Any:
    return read_described(PANDA, "panda")


def world_of(problem: Problem, path: JointPath) -> Any:
    world = kc.World()
    world.add_robot("panda", panda(), kc.JointTrajectory(panda(), path.times, path.q))
    for item in problem.objects:
        add_object(world, item)
    return world


def cases() -> list[LabelledPath]:
    return labelled_paths() if PANDA.is_dir() else []


def short(name: str) -> str:
    return name.removeprefix("panda/")


def test_all_paths_are_there() -> None:
    counts = {(kind, hit): 0 for kind in ("straight", "rrt") for hit in (False, True)}
    for path in labelled_paths():
        counts[path.kind, path.is_hit] += 1
    expected = {("straight", False): 1, ("straight", True): 39, ("rrt", False): 29, ("rrt", True): 5}
    assert counts == expected


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_a_labelled_path_is_judged_right(case: LabelledPath) -> None:
    report = world_of(case.problem, case.path).verify(tolerance=TOLERANCE, clearances=False)
    assert all(pair.verdict is not kc.Verdict.UNDECIDED for pair in report.pairs)
    if not case.is_hit:
        assert report.verdict is kc.Verdict.CLEAR
        return
    assert report.verdict is kc.Verdict.COLLIDING
    scene = FclScene(plain_panda(), case.problem.objects)
    told = {frozenset((short(pair.a), short(pair.b))): pair for pair in report.pairs}[
        frozenset(case.hit_pair or ())
    ]
    assert told.verdict is kc.Verdict.COLLIDING
    assert told.t_lo <= case.hit_time
    assert report.first.time <= case.hit_time
    for pair in report.pairs:
        if pair.verdict is kc.Verdict.COLLIDING:
            scene.configure(case.path.at([pair.time])[0])
            assert scene.distance(short(pair.a), short(pair.b)) <= TOLERANCE + FCL, (pair.a, pair.b)


def test_every_pair_is_judged_or_listed() -> None:
    case = labelled_paths()[0]
    report = world_of(case.problem, case.path).verify(tolerance=TOLERANCE, clearances=False)
    links = [link for link in plain_panda().solid_links if link != "panda_link0"]
    own = {frozenset((short(p.a), short(p.b))) for p in report.pairs}
    for link in links:
        for item in case.problem.objects:
            assert frozenset((link, item.name)) in own
    # The SRDF leaves 21 pairs of links; the two fingers and the hand do not move against each other anyway.
    assert sum(all(name.startswith("panda_") for name in key) for key in own) == 21
    assert sum(u.reason == "srdf" for u in report.unchecked) == 34


@pytest.mark.parametrize("case", cases()[::12], ids=lambda case: case.name)
def test_another_method_confirms_every_pair(case: LabelledPath) -> None:
    """All 74 paths: `python -m tests.oracles.cross_check_campaign`."""
    report = world_of(case.problem, case.path).verify(tolerance=TOLERANCE, clearances=False, cross_check=True)
    assert report.cross_check.disagreements == report.cross_check.unconfirmed == ()
    assert report.cross_check.n_confirmed == len(report.pairs) > 50


def test_clearances_of_the_tightest_free_path_hold() -> None:
    case = min((path for path in labelled_paths() if not path.is_hit), key=lambda path: path.clearance)
    report = world_of(case.problem, case.path).verify(tolerance=TOLERANCE, far=0.02)
    assert report.verdict is kc.Verdict.CLEAR
    least = min(pair.clearance_lower for pair in report.pairs)
    assert 0.0 < least <= case.clearance + FCL
    scene = FclScene(plain_panda(), case.problem.objects)
    near = [pair for pair in report.pairs if pair.clearance_upper is not None]
    assert near
    for pair in near:
        assert pair.clearance_lower <= pair.clearance_upper <= pair.clearance_lower + TOLERANCE
        scene.configure(case.path.at([pair.clearance_time])[0])
        there = scene.distance(short(pair.a), short(pair.b))
        assert pair.clearance_lower - FCL <= there <= pair.clearance_upper + FCL, (pair.a, pair.b)


@pytest.mark.parametrize("scene", sorted({name for name, _ in problems()}) if PANDA.is_dir() else [])
def test_starts_and_goals_are_free(scene: str) -> None:
    some = [problem for (name, _), problem in problems().items() if name == scene]
    assert len(some) == 20
    for problem in some:
        world = world_of(problem, JointPath(np.array([0.0, 1.0]), np.array([problem.start, problem.goal])))
        for t in (0.0, 1.0):
            assert [pair for pair in world.collisions(t) if "/" in pair[0] + pair[1]] == [], problem.name


@pytest.mark.skipif(not FANUC.is_dir(), reason=ABSENT)
def test_a_fanuc_runs_and_agrees_with_fcl_along_its_way() -> None:
    robot = kc.read_robot(FANUC / "fanuc.urdf", FANUC / "fanuc.srdf")
    arm = read_described(FANUC, "fanuc")
    rng = np.random.default_rng(5)
    q = np.cumsum(rng.normal(size=(4, 6)) * 0.6, axis=0)
    path = JointPath(np.arange(4.0), q, "spline")
    world = kc.World()
    world.add_robot("fanuc", robot, kc.JointTrajectory(robot, path.times, path.q, interpolation="spline"))
    report = world.verify(tolerance=TOLERANCE, clearances=False)
    scene = FclScene(arm, [])
    t = np.linspace(0, 3, 61)
    pairs = {frozenset((p.a[6:], p.b[6:])): p for p in report.pairs}
    assert pairs
    for time, configuration in zip(t, path.at(t), strict=True):
        scene.configure(configuration)
        for key, pair in pairs.items():
            if scene.distance(*sorted(key)) == 0.0:
                assert pair.verdict is kc.Verdict.COLLIDING, sorted(key)
                assert pair.t_lo <= time
    for key, pair in pairs.items():
        if pair.verdict is kc.Verdict.COLLIDING:
            scene.configure(path.at([pair.time])[0])
            assert scene.distance(*sorted(key)) <= TOLERANCE + FCL
    assert {frozenset(key) for key in arm.disabled}.isdisjoint(pairs)


def test_two_small_links_of_the_panda_agree_with_the_slow_search() -> None:
    case = next(path for path in labelled_paths() if path.is_hit and path.kind == "rrt")
    report = world_of(case.problem, case.path).verify(tolerance=TOLERANCE, clearances=False)
    machine = Machine(plain_panda(), case.path)
    finger = item_on_link("panda/panda_rightfinger", machine, "panda_rightfinger")
    for item in case.problem.objects:
        (pair,) = (p for p in report.pairs if {p.a, p.b} == {finger.name, item.name})
        wrong = [*pair_faults(pair, Pair(finger, item, report.t0, report.t1), tolerance=TOLERANCE)]
        assert wrong == [], item.name
