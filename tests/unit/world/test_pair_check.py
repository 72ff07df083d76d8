"""Verdicts over pairs: what boxes and hulls leave open, the first contact of any two parts, the least distance."""

from __future__ import annotations

import gc
import math
from typing import Any

import numpy as np
import pytest
from tests.unit.world.worlds import at, cube, drive, number, slider, timeline, way

import keepclear as kc
from keepclear.continuous.clearance import least_below
from keepclear.kernels.advance.swept_leaf import UNPROVED
from keepclear.results import Verdict
from keepclear.scene.timeline import Timeline
from keepclear.world import judge
from keepclear.world.judge import Job, _hulls, hull_of, judge_pair, measure_pair, near_jobs, open_jobs
from keepclear.world.plan import Judged, PairPlan
from keepclear.world.sweep import Sweep

A, B = (0, 0), (1, 0)


def passing(y: float = 0.25) -> Timeline:
    """Ball a of 0.1 m passes ball b at x = 0.5 m, y m away, at 1 m/s."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, y))
    return timeline(world)


def jobs_of(
    line: Timeline, windows: list[Judged], beyond: float | None = None, t0: float = 0.0, t1: float = 1.0
) -> list[Job]:
    return near_jobs([PairPlan(0, 1, windows, [])], Sweep(line, t0, t1), line, beyond)


def test_jobs_cover_all_times_at_which_a_pair_may_be_near() -> None:
    line = passing()
    (job,) = jobs_of(line, [Judged(0, 1, 0.1)])
    assert (job.pair, job.a, job.b, job.margin) == (0, A, B, 0.1)
    # They are within 0.1 m of each other while |x - 0.5| <= 0.166 m.
    near = math.sqrt(0.3**2 - 0.25**2)
    assert 0.5 - near - 0.2 < job.t0 <= 0.5 - near
    assert 0.5 + near <= job.t1 < 0.5 + near + 0.2
    assert job.t0 <= job.hint <= job.t1


def test_pairs_that_stay_apart_leave_nothing_open() -> None:
    assert jobs_of(passing(0.4), [Judged(0, 1, 0.1)]) == []
    assert len(jobs_of(passing(0.4), [Judged(0, 1, 0.1)], beyond=0.3)) == 1
    assert near_jobs([], Sweep(passing(), 0, 1), passing(), None) == []


def test_jobs_are_clipped_to_windows_and_have_their_margins() -> None:
    line = passing()
    windows = [Judged(0, 0.45, 0.1), Judged(0.45, 0.5, 0.2), Judged(0.9, 1, 0.0)]
    found = jobs_of(line, windows)
    assert [(job.t1, job.margin) for job in found] == [(0.45, 0.1), (0.5, 0.2)]
    assert found[1].t0 == 0.45
    assert all(job.t0 <= job.hint <= job.t1 for job in found)
    whole = jobs_of(line, windows, beyond=10.0)
    assert [(job.t0, job.t1) for job in whole] == [(0, 0.45), (0.45, 0.5), (0.9, 1)]


def test_a_window_of_one_instant_is_a_job() -> None:
    (job,) = jobs_of(passing(), [Judged(0.5, 0.5, 0.1)])
    assert (job.t0, job.t1, job.hint) == (0.5, 0.5, 0.5)
    (job,) = jobs_of(passing(), [Judged(0.5, 0.5, 0.1)], t0=0.5, t1=0.5)
    assert (job.t0, job.t1) == (0.5, 0.5)


def test_two_visits_are_two_jobs() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1, 2], (0, 0, 0), (2, 0, 0), (0, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(1, 0.15))
    line = timeline(world)
    first, second = near_jobs([PairPlan(0, 1, [Judged(0, 2, 0)], [])], Sweep(line, 0, 2), line, None)
    assert first.t0 < 0.5 < first.t1 < second.t0 < 1.5 < second.t1


def test_each_pair_of_parts_is_a_job() -> None:
    world = kc.World()
    world.add("a", [(kc.Sphere(0.1), at(0, 0)), (kc.Sphere(0.1), at(0, 5))], way_of_screw())
    world.add(
        "b",
        [(kc.Sphere(0.1), at(0.5, 0)), (kc.Sphere(0.1), at(0.5, 5)), (kc.Sphere(0.1), at(0.5, 9))],
        at(0, 0),
    )
    line = timeline(world)
    found = near_jobs([PairPlan(0, 1, [Judged(0, 1, 0)], [])], Sweep(line, 0, 1), line, None)
    assert [(job.a, job.b) for job in found] == [((0, 0), (1, 0)), ((0, 1), (1, 1))]


def way_of_screw() -> kc.PoseTrajectory:
    return kc.PoseTrajectory([0, 1], [at(0, 0), at(1, 0)], "screw")


def test_hulls_prove_what_is_apart_and_leave_the_rest_open() -> None:
    line = passing()
    jobs = [Job(0, A, B, 0.0, 1.0, 0.0), Job(0, A, B, 0.0, 1.0, 0.049), Job(0, A, B, 0.0, 1.0, 0.06)]
    left, counts = open_jobs(jobs, line, 1e-4, None)
    assert left.tolist() == [False, False, True]
    assert (counts > 0).all()
    left, _ = open_jobs(jobs, line, 1e-4, None, np.array([0.06, 0.0, 0.049]))
    assert left.tolist() == [True, False, False]
    left, _ = open_jobs(jobs[:1], line, 1e-4, 1)
    assert left.tolist() == [True]  # one distance proves nothing here
    left, counts = open_jobs([], line, 1e-4, None)
    assert len(left) == len(counts) == 0


def test_hulls_of_concave_meshes_leave_open_what_exact_shapes_decide() -> None:
    """A ball that passes through an open frame is inside its hull, and never touches it."""
    v = np.array(
        [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]]
    )
    faces = [[i, (i + 1) % 4, 4 + i] for i in range(4)] + [
        [(i + 1) % 4, 4 + (i + 1) % 4, 4 + i] for i in range(4)
    ]
    world = kc.World()
    world.add("ball", kc.Sphere(0.5), way([0, 1], (0, 0, -2), (0, 0, 2)))
    world.add("frame", kc.Mesh(v, faces), at(0, 0))
    line = timeline(world)
    job = Job(0, A, B, 0.0, 1.0, 0.0)
    assert open_jobs([job], line, 1e-3, None)[0].tolist() == [True]
    assert judge_pair([job], line, 1e-3, None).verdict is Verdict.CLEAR


def test_hulls_are_made_once_and_go_with_their_meshes() -> None:
    ball, mesh = kc.Sphere(0.1), cube(0.2)
    assert hull_of(ball) is ball
    hull = hull_of(mesh)
    assert isinstance(hull, kc.Convex)
    assert len(hull.vertices) == 8
    assert hull_of(kc.build_obb_tree(mesh)) is hull
    count = len(_hulls)
    del mesh
    gc.collect()
    assert len(_hulls) < count


def test_meshes_without_a_hull_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise kc.ShapeError("no hull")

    monkeypatch.setattr(judge, "Convex", refuse)
    world = kc.World()
    world.add("a", cube(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", kc.Sphere(0.1), at(0.5, 5))
    line = timeline(world)
    assert hull_of(line.items[0].parts[0].body) is None
    assert open_jobs([Job(0, A, B, 0.0, 1.0, 0.0)], line, 1e-3, None)[0].tolist() == [True]


def test_the_first_contact_of_any_two_parts() -> None:
    """Part 1 meets at 0.3 s, part 0 at 0.5 s; whichever is judged first, the earlier one counts."""
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", [(kc.Sphere(0.1), at(0.7, 0)), (kc.Sphere(0.1), at(0.5, 0))], at(0, 0))
    line = timeline(world)
    jobs = [Job(0, A, (1, q), 0.0, 1.0, 0.0) for q in (0, 1)]
    for given in (jobs, jobs[::-1], [jobs[0], jobs[1]._replace(t0=0.2)]):
        finding = judge_pair(given, line, 1e-4, None)
        assert finding.verdict is Verdict.COLLIDING
        assert finding.which == (A, (1, 1))
        assert finding.contact is not None
        assert finding.contact.time == pytest.approx(0.3, abs=2e-4)


def test_later_jobs_are_not_looked_at() -> None:
    line = passing(0.15)
    early, late = Job(0, A, B, 0.0, 0.6, 0.0), Job(0, A, B, 0.7, 1.0, 0.0)
    both, one = judge_pair([late, early], line, 1e-4, None), judge_pair([early], line, 1e-4, None)
    assert both.evaluations == one.evaluations
    assert both.contact is not None
    assert both.contact.time == one.contact.time  # type: ignore[union-attr]


def test_windows_after_a_contact_are_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answer = [], judge.answer_query

    def note(query: Any, *more: Any) -> Any:
        asked.append((query.t0, query.t1))
        return answer(query, *more)

    monkeypatch.setattr(judge, "answer_query", note)
    jobs = [Job(0, A, B, t, t + 0.6, 0.0) for t in (0.0, 0.2, 0.7)]
    found = judge_pair(jobs, passing(0.0), 1e-4, None)
    assert found.contact is not None
    assert asked[0] == (0.0, 0.6)
    assert [t0 for t0, _ in asked] == [0.0, 0.2]
    assert asked[1][1] == pytest.approx(0.3, abs=1e-3)  # only until what is known
    assert found.contact.time == pytest.approx(0.3, abs=1e-3)


def test_what_rounding_leaves_unproved_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    job, run = Job(0, A, B, 0.0, 1.0, 0.0), judge.ConvexPairs.run

    def doubtful(pairs: Any, begin: int, end: int) -> None:
        run(pairs, begin, end)
        pairs.answers[:, UNPROVED] = 1.0

    assert open_jobs([job], passing(), 1e-4, None)[0].tolist() == [False]
    monkeypatch.setattr(judge.ConvexPairs, "run", doubtful)
    assert open_jobs([job], passing(), 1e-4, None)[0].tolist() == [True]


def test_what_the_budget_leaves_open() -> None:
    line = passing(0.2001)
    job = Job(0, A, B, 0.0, 1.0, 0.0)
    finding = judge_pair([job], line, 1e-6, 1)
    assert finding.verdict is Verdict.UNDECIDED
    assert 0.0 <= finding.left[0] < 0.5 < finding.left[1] <= 1.0
    assert judge_pair([job], line, 1e-6, None).verdict is Verdict.CLEAR
    # A contact in another window is a contact; what is open before it is told.
    hit = judge_pair([job._replace(t1=0.6), Job(0, A, B, 0.6, 1.0, 0.2)], line, 1e-6, 1)
    assert hit.verdict is Verdict.COLLIDING
    assert hit.left[0] < 0.5


def test_jobs_with_a_limit_end_there() -> None:
    line = passing(0.15)
    finding = judge_pair([Job(0, A, B, 0.0, 1.0, 0.0)], line, 1e-4, None, 0.2)
    assert finding.verdict is Verdict.CLEAR


def least(jobs: list[Job], line: Timeline, budget: int | None = None) -> Any:
    """The least distance below 0.1 m to 0.1 mm, looked for at the start of each job first, or at its hint."""
    sweep = Sweep(line, min(job.t0 for job in jobs), max(job.t1 for job in jobs))
    return measure_pair(
        [job if math.isfinite(job.hint) else job._replace(hint=job.t0) for job in jobs],
        line,
        sweep,
        1e-4,
        budget,
        0.1,
    )


def test_the_least_distance_of_any_two_parts() -> None:
    world = kc.World()
    world.add("a", kc.Sphere(0.1), way([0, 1], (0, 0, 0), (1, 0, 0)))
    world.add("b", [(kc.Sphere(0.1), at(0.3, 0.26)), (kc.Sphere(0.1), at(0.6, 0.23))], at(0, 0))
    line = timeline(world)
    jobs = [Job(0, A, (1, q), 0.0, 1.0, 0.0) for q in (0, 1)]
    for given in (jobs, jobs[::-1]):
        lower, upper, time, which, effort = least(given, line)
        assert lower <= 0.03 <= upper <= lower + 1e-4
        assert which == (A, (1, 1))
        assert time == pytest.approx(0.6, abs=0.02)
        assert effort > 0


def test_the_least_distance_is_a_little_below_the_first_look() -> None:
    """The look at 0.464 s sees 0.0605 m, and the least distance is 0.058 m: hulls may rule out nothing around it."""
    lower, upper, *_ = least([Job(0, A, B, 0.0, 1.0, 0.0, 0.464)], passing(0.258))
    assert lower <= 0.058 <= upper <= lower + 1e-4


def test_what_the_budget_leaves_unmeasured_counts_as_nothing() -> None:
    """One distance per window does not bound the first; that the second is known does not help."""
    found = least([Job(0, A, B, 0.0, 1.0, 0.0), Job(0, A, B, 0.5, 0.5, 0.0)], passing(0.25), 1)
    assert found[0] == 0.0
    assert found[1] == pytest.approx(0.05)


def test_distances_beyond_far_are_not_told_apart() -> None:
    line = passing(0.5)
    lower, upper, time, which, _ = least([Job(0, A, B, 0.0, 1.0, 0.0)], line)
    assert upper == math.inf
    assert 0.1 <= lower <= 0.3
    assert which is None
    assert math.isnan(time)
    one = least([Job(0, A, B, 0.5, 0.5, 0.0)], passing(0.25))
    assert one[0] == pytest.approx(0.05)
    assert one[1] == pytest.approx(0.05)


def test_what_is_not_below_a_limit_is_only_said_to_be_so() -> None:
    """Balls that stay 0.3 m apart, asked about distances below 0.1 m: a tolerance below that is proved, no more."""
    for t1 in (1.0, 0.5):
        query, _ = judge.job_query(Job(0, A, B, 0.5, t1, 0.0), passing(0.5), 1e-3, None)
        lower, upper, *_ = least_below(query, 0.1, 0.5)
        assert upper == 0.1
        assert 0.1 - 1e-3 <= lower <= 0.3 + 1e-12


def test_overlap_is_no_distance() -> None:
    found = least([Job(0, A, B, 0.0, 1.0, 0.0)], passing(0.0))
    assert found[:2] == pytest.approx((0.0, 0.0), abs=1e-9)
    assert found[0] == 0.0
    assert least([Job(0, A, B, 0.45, 0.55, 0.0)], passing(0.0))[:2] == (0.0, 0.0)


def test_a_part_and_its_carrier() -> None:
    """The part waits at 1 m; the head that takes it there comes as close as 0.05 m, and keeps that."""
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 2], [0, 2]))
    world.add("part", kc.Sphere(0.05), at(1, 0, -0.2))
    world.attach("part", "bot/head", 1.0, 1.5)
    line = timeline(world)
    head, part = (number(line, "bot/head"), 0), (number(line, "part"), 0)
    for t0, t1, gap in ((0.0, 1.0, 0.05), (1.0, 1.5, 0.05), (1.5, 2.0, 0.05)):
        lower, upper, *_ = least([Job(0, head, part, t0, t1, 0.0)], line)
        assert lower - 1e-12 <= gap <= upper + 1e-12
        assert upper - lower <= 1e-4


def tilted(x: float, z: float) -> np.ndarray:
    """A frame whose z axis is along (1, 0, 1): boxes around two rods in it overlap though the rods are apart."""
    X = at(x, 0, z)
    c = math.sqrt(0.5)
    X[:3, :3] = [[c, 0, c], [0, 1, 0], [-c, 0, c]]
    return X


def test_the_least_distance_is_after_a_change_of_carriers() -> None:
    """Two parallel rods keep 0.06 m; then one is taken 0.02 m along x and back: 0.06 - 0.02 / sqrt(2) at 0.75 s.

    Parts of the jobs before and after the taking were once joined, and answered as if it had never been taken: 0.06 m.
    """
    world = kc.World()
    world.add_robot("bot", slider(), drive([0, 0.5, 0.75, 1], [0, 0, 0.02, 0]))
    world.add("part", kc.Capsule(0.02, 1.0), tilted(0, 5))
    world.attach("part", "bot/head", 0.5)
    d = 0.1 * math.sqrt(2.0)
    ends = [tilted(d - 0.1, 4.9), tilted(d + 0.1, 5.1)]
    world.add("bird", kc.Capsule(0.02, 1.0), kc.PoseTrajectory([0, 1], ends, "linear"))
    line = timeline(world)
    bird, part = (number(line, "bird"), 0), (number(line, "part"), 0)
    lower, upper, time, *_ = least(
        [Job(0, bird, part, 0.0, 0.5, 0.0), Job(0, bird, part, 0.5, 1.0, 0.0)], line
    )
    assert lower <= 0.06 - 0.02 * math.sqrt(0.5) + 1e-12 <= upper + 2e-12
    assert upper - lower <= 1e-4
    assert time == pytest.approx(0.75, abs=0.01)
