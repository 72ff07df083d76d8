"""First contacts where definitions matter: starts, ends, rest, sliding, solids in solids, budgets, scales."""

import math

import numpy as np
import pytest
from tests.oracles import mesh_bodies as make
from tests.oracles.contact_time import Encounter, Truth, first_contact_truth
from tests.oracles.contact_time_check import asked, contact_faults, told
from tests.oracles.exact_points import box, capsule, convex, cylinder, sphere
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_families import sheet
from tests.oracles.motion_poses import fixed, library_motion, move, turn
from tests.oracles.motion_scenes import HERE, nearest, shift
from tests.oracles.poses import pose

import keepclear as kc

CLEAR, COLLIDING, UNDECIDED = kc.Verdict.CLEAR, kc.Verdict.COLLIDING, kc.Verdict.UNDECIDED
NEVER = math.nan
CUBE, CUBE_MESH = Thing(box((1, 1, 1))), Thing(make.box_mesh((1, 1, 1)))
BALL = Thing(sphere(0.5))
TABLES = {
    "box": Thing(box((4, 4, 0.1))),
    "mesh": Thing(make.box_mesh((4, 4, 0.1))),
    "sheet": Thing(make.moved(sheet(np.array([4.0, 4.0])), (0, 0, 0.05))),
}
MOVERS = {  # each 0.1 above its lowest point
    "box": Thing(box((0.2, 0.3, 0.2))),
    "box mesh": Thing(make.box_mesh((0.2, 0.3, 0.2))),
    "sphere": Thing(sphere(0.1)),
    "capsule": Thing(capsule(0.05, 0.1)),
    "cylinder": Thing(cylinder(0.1, 0.2)),
    "convex": Thing(convex(box((0.2, 0.3, 0.2)).points)),
}


def check(case, truth, expected=None, methods=("hybrid", "bisection", "exact", "bisect_exact"), **options):
    """Ask with each method that applies, and fail with all that is needed to ask again."""
    limits = {name: options[name] for name in ("tolerance", "margin") if name in options}
    curved = {case.a.kind, case.b.kind} & {"sphere", "capsule", "cylinder"}
    for method in methods:
        if "exact" in method and (curved or options.get("margin")):
            continue
        answer = asked(case, method=method, **options)
        wrong = contact_faults(case, answer, truth, **limits)
        if expected is not None and answer.verdict is not expected:
            wrong.append(f"not {expected}")
        assert not wrong, f"{method}: {told(case, wrong, answer, truth)}"


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("mover", MOVERS)
def test_sliding(mover, table):
    """Over a table at a constant gap: none, 1 um at a finer tolerance, and less than the tolerance."""
    for gap, tolerance, expected in ((0.0, 1e-4, COLLIDING), (1e-6, 1e-7, CLEAR), (3e-5, 1e-4, None)):
        z = 0.15 + gap
        ways = {
            "straight": move("linear", [0, 1], [shift(-1, 0.1, z), shift(1, 0.2, z)]),
            "on the spot": move("linear", [0, 1], [shift(0, 0, z), pose(turn((0, 0, 1), 2.5), (0, 0, z))]),
            "cubic": move("cubic", np.arange(7) / 6, [shift(u * u / 9 - 1, 0.1 * u, z) for u in range(7)]),
        }
        for way in ways.values():
            case = Encounter(MOVERS[mover], way, TABLES[table], fixed(HERE))
            truth = Truth(0.0, 0.0) if gap == 0.0 else Truth(1.0, NEVER)
            check(case, truth, expected, ("hybrid",), tolerance=tolerance)


@pytest.mark.parametrize("b", [CUBE, CUBE_MESH], ids=["box", "mesh"])
@pytest.mark.parametrize("a", [CUBE, CUBE_MESH], ids=["box", "mesh"])
def test_corners_edges_and_faces_that_meet_exactly(a, b):
    for towards in ((1, 0, 0), (1, 1, 0), (1, 0.5, 0.5)):
        d = np.array(towards)
        meeting = Truth(1 - 1e-12, 1.0)
        through = move("linear", [0, 2], [shift(*(2 * d)), HERE])
        check(Encounter(a, through, b, fixed(HERE)), meeting, COLLIDING)
        until = move("linear", [0, 1], [shift(*(2 * d)), shift(*d)])
        check(Encounter(a, until, b, fixed(HERE)), meeting, COLLIDING)
        leaving = move("linear", [0, 1], [shift(*d), shift(*(2 * d))])
        check(Encounter(a, leaving, b, fixed(HERE)), Truth(0.0, 0.0), COLLIDING)
        check(Encounter(a, fixed(shift(*d)), b, fixed(HERE)), Truth(0.0, 0.0), COLLIDING)
        check(Encounter(a, fixed(shift(*(1.001 * d))), b, fixed(HERE)), Truth(0.0, NEVER), CLEAR)


@pytest.mark.parametrize("aside", [0.0, 1e-6])
def test_corners_that_pass_each_other(aside):
    """Two cubes pass so that edges, or corners, touch for one instant, or miss each other by 1.4 or 1.7 um."""
    for d in (np.array([1.0, 1.0, 0.0]), np.array([1.0, 1.0, 1.0])):
        across, there = np.array([-1.0, 1.0, 0.0]), (1 + aside) * d
        way = move("linear", [0, 2], [shift(*(there + across)), shift(*(there - across))])
        for a, b in ((CUBE, CUBE), (CUBE_MESH, CUBE), (CUBE_MESH, CUBE_MESH)):
            truth = Truth(2.0, NEVER) if aside else Truth(1 - 1e-12, 1 + 1e-12)
            expected = CLEAR if aside else COLLIDING
            check(Encounter(a, way, b, fixed(HERE)), truth, expected, tolerance=1e-7 if aside else 1e-4)


def test_solids_in_solids():
    """Inside of a solid is contact; inside of a shell, of a surface, or of a hollow solid is not."""
    ring = Thing(make.shell(make.box_mesh((4, 4, 4)), make.box_mesh((3, 3, 3))))
    skin = Thing(make.box_mesh((4, 4, 4)), surface=True)
    way = move("linear", [0, 1], [HERE, pose(turn((1, 2, 3), 2.5), (0.2, 0.1, 0))])
    for a in (CUBE, CUBE_MESH, BALL, Thing(cylinder(0.3, 1.0)), Thing(capsule(0.2, 0.5))):
        for outer in (Thing(box((4, 4, 4))), Thing(make.box_mesh((4, 4, 4)))):
            check(Encounter(a, way, outer, fixed(HERE)), Truth(0.0, 0.0), COLLIDING, ("hybrid",))
            check(Encounter(outer, fixed(HERE), a, way), Truth(0.0, 0.0), COLLIDING, ("hybrid",))
        for outer in (ring, skin):
            check(Encounter(a, way, outer, fixed(HERE)), Truth(1.0, NEVER), CLEAR)


def test_out_of_a_shell():
    """From within a hollow box to its wall, turning."""
    ring = Thing(make.shell(make.box_mesh((4, 4, 4)), make.box_mesh((3, 3, 3))))
    way = move("linear", [0, 1, 2], [HERE, pose(turn((1, 2, 3), 2.5), (0.2, 0.1, 0)), shift(3, 0.1, 0)])
    for a in (CUBE, CUBE_MESH, BALL):
        case = Encounter(a, way, ring, fixed(HERE))
        check(case, first_contact_truth(case, resolution=1e-7), COLLIDING)


@pytest.mark.parametrize("gap", [1e-6, 1e-3, 0.0, -1e-6])
def test_a_peg_in_a_hole(gap):
    """A square or round peg goes through a square hole with a gap all around: a concave pocket, long and narrow."""
    parts = [
        ((3, 1, 0.2), (0, 1, 0)),
        ((3, 1, 0.2), (0, -1, 0)),
        ((1, 1, 0.2), (1, 0, 0)),
        ((1, 1, 0.2), (-1, 0, 0)),
    ]
    ring = Thing(make.joined(*(make.moved(make.box_mesh(size), at) for size, at in parts)))
    w = 1 - 2 * gap
    for peg in (
        Thing(box((w, w, 2))),
        Thing(cylinder(w / 2, 2.0)),
        Thing(capsule(w / 2, 1.0)),
        Thing(sphere(w / 2)),
    ):
        way = move("linear", [0, 2], [shift(0, 0, 3), shift(0, 0, -3)])
        truth = Truth(2.0, NEVER) if gap > 0 else Truth(0.0, 1.0)
        expected = CLEAR if gap > 0 else COLLIDING
        check(Encounter(peg, way, ring, fixed(HERE)), truth, expected, ("hybrid",), tolerance=1e-7)


def test_creeping():
    """Towards a table at 1e-3 to 1e-12 m/s, on the spot and while sliding for a metre."""
    for speed in (1e-3, 1e-6, 1e-12):
        for slide in (0.0, 1.0):
            way = move("linear", [0, 1], [shift(0, 0, 0.15 + speed), shift(slide, 0, 0.15 - speed)])
            unsure = 1e-12 + 1e-16 / speed
            for mover in ("box", "box mesh", "sphere"):
                case = Encounter(MOVERS[mover], way, TABLES["box"], fixed(HERE))
                check(case, Truth(0.5 - unsure, 0.5 + unsure), COLLIDING, tolerance=1e-6)


def test_both_carried_along():
    """Two bodies on one screw keep their distance: 1 um is proved clear at once, none is contact at the start."""
    twist = pose(turn((1, -2, 3), 2.8), (3.0, -1.0, 2.0))
    for gap in (1e-6, 0.0):
        apart = shift(1.0 + gap, 0.2, 0.1)
        for a, b in ((CUBE, CUBE), (CUBE_MESH, CUBE), (CUBE_MESH, CUBE_MESH), (BALL, CUBE)):
            moves = [move("screw", [0, 1], [X, twist @ X]) for X in (HERE, apart)]
            truth = Truth(1.0, NEVER) if gap else Truth(0.0, NEVER)
            check(Encounter(a, moves[0], b, moves[1]), truth, CLEAR if gap else COLLIDING, tolerance=1e-7)


def test_half_turns():
    """Turns of nearly pi in each segment."""
    for less in (1e-2, 1e-5, 1e-8):
        R = turn((1, 2, 3), math.pi - less)
        ends = nearest(R @ turn((1, 1, 0), math.pi - less))
        poses = [shift(0, 0, 2), pose(R, (0.5, 0, 0)), pose(ends, (0, 0, -2))]
        for kind in ("linear", "screw"):
            for a in (Thing(box((2, 0.1, 0.1))), Thing(capsule(0.05, 2.0)), Thing(make.star(0.4))):
                case = Encounter(
                    a, move(kind, [0, 1, 2], poses), Thing(box((0.1, 0.1, 0.1))), fixed(shift(0.3, 0.2, 0.1))
                )
                check(case, first_contact_truth(case, resolution=1e-6, most=5000), methods=("hybrid",))


@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_scales(size):
    """From millimetres to kilometres, at the origin and a million sizes away from it."""
    for far in (0.0, 1e6 * size):
        centre = np.array([far, -far, 0.5 * far])
        R = turn((1, 2, 3), 0.4)
        ends = [pose(R, centre + np.array([0, 0, 3 * size]))]
        ends.append(pose(nearest(R @ turn((3, 1, 2), 1.0)), centre + size * np.array([0.2, 0.1, -3])))
        way, here = move("linear", [0, 1], ends), fixed(pose(np.eye(3), centre))
        for a, b in (
            (Thing(box((size, size, size))), Thing(box((4 * size, 4 * size, 0.1 * size)))),
            (
                Thing(make.moved(make.star(0.8), (0, 0, 0), scale=size)),
                Thing(make.box_mesh((4 * size, 4 * size, 0.1 * size))),
            ),
            (Thing(sphere(size)), Thing(cylinder(size, size))),
        ):
            case = Encounter(a, way, b, here)
            check(case, first_contact_truth(case, resolution=1e-3), COLLIDING, tolerance=1e-4 * size)


@pytest.mark.parametrize("start", [1e3, 1e6, 1e9])
def test_times_far_from_zero(start):
    for duration in (1e-3, 1.0):
        way = move(
            "linear", [start, start + duration], [shift(0, 0, 3), pose(turn((3, 1, 2), 1.0), (0, 0, -3))]
        )
        for a, table in ((CUBE, "box"), (CUBE_MESH, "mesh")):
            case = Encounter(a, way, TABLES[table], fixed(HERE))
            check(
                case,
                first_contact_truth(case, resolution=1e-6),
                COLLIDING,
                ("hybrid", "bisection"),
                tolerance=1e-3,
            )


def test_intervals():
    """The span of both motions by default; holds beyond them; any part of it, also a single instant."""
    early = move("linear", [0, 1], [shift(3, 0, 0), shift(1.2, 0, 0)])
    late = move("linear", [2, 4], [HERE, shift(2, 0, 0)])
    case = Encounter(BALL, early, BALL, late)
    check(case, Truth(2.2 - 1e-12, 2.2 + 1e-12), COLLIDING)
    answer = asked(case)
    assert answer.holds
    for t0, t1, contact in (
        (0.0, 2.1, NEVER),
        (2.1, 2.5, 2.2),
        (3.0, 9.0, 3.0),
        (-5.0, 0.0, NEVER),
        (2.5, 2.5, 2.5),
    ):
        part = Encounter(BALL, early, BALL, late, t0=t0, t1=t1)
        truth = Truth(t1, NEVER) if math.isnan(contact) else Truth(contact - 1e-12, contact + 1e-12)
        check(part, truth, CLEAR if math.isnan(contact) else COLLIDING)
    after = Encounter(BALL, early, BALL, fixed(HERE), t0=5.0, t1=7.0)
    check(after, Truth(7.0, NEVER), CLEAR)


def test_trajectories_of_many_segments():
    """A body winds through 60 segments around an obstacle and hits it in the last third, or not at all."""
    for radius, expected in ((0.55, COLLIDING), (0.75, CLEAR)):
        turns = np.linspace(0.0, 4 * math.pi, 61)
        shrink = np.where(np.arange(61) < 45, 1.0, radius)
        X = [
            pose(turn((0, 0, 1), a), (s * math.cos(a), s * math.sin(a), 0.01 * k))
            for k, (a, s) in enumerate(zip(turns, shrink, strict=True))
        ]
        pillar = Thing(cylinder(0.5, 3.0))
        for a in (Thing(box((0.2, 0.2, 0.2))), Thing(make.box_mesh((0.2, 0.2, 0.2))), Thing(sphere(0.13))):
            for kind in ("screw", "linear", "cubic"):
                case = Encounter(a, move(kind, np.arange(61.0), X), pillar, fixed(HERE))
                truth = (
                    first_contact_truth(case, resolution=1e-6, most=3000)
                    if kind == "screw" and a.kind == "box"
                    else Truth(0.0, NEVER)
                )
                check(case, truth, expected, ("hybrid",))


@pytest.mark.parametrize("method", ["hybrid", "bisection"])
def test_undecided_only_when_the_budget_is_spent(method):
    """A graze of 1 um takes many evaluations: with few of them nothing is claimed, with more it is proved."""
    way = move("screw", [0, 1], [shift(-2, 0, 1 + 1e-6), pose(turn((0, 0, 1), 1.0), (2, 0, 1 + 1e-6))])
    star = Thing(make.star(0.45))
    for a, b in ((BALL, BALL), (Thing(capsule(0.1, 0.8)), star), (star, star)):
        low = -float(np.min(star.points[:, 2])) if a is star else 0.0
        lift = shift(0, 0, low + float(np.max(star.points[:, 2])) - 1 if b is star and a is star else 0.0)
        case = Encounter(a, move("screw", way.times, lift @ way.X_W), b, fixed(HERE))
        spent, budget, verdicts = [], 1, []
        for budget in (1, 3, 10, 100, 1000, 10_000, None):
            answer = asked(case, method=method, budget=budget, tolerance=1e-7)
            verdicts.append(answer.verdict)
            spent.append(answer.evaluations)
            if answer.verdict is UNDECIDED:
                assert case.span[0] <= answer.t_lo <= answer.t_hi <= case.span[1]
                assert math.isnan(answer.time)
                assert answer.evaluations >= budget
        assert verdicts[0] is UNDECIDED
        assert verdicts[-1] is not UNDECIDED
        decided = [v for v in verdicts if v is not UNDECIDED]
        assert verdicts[-len(decided) :] == decided
        assert len(set(decided)) == 1


def test_batches_answer_as_single_questions_do():
    ways = [
        move("linear", [0, 1 + 0.1 * k], [shift(0.1 * k - 1, 0, 3), shift(0.1 * k, 0.2, -3)])
        for k in range(6)
    ]
    for a, b in ((CUBE, BALL), (CUBE, CUBE_MESH), (CUBE_MESH, CUBE_MESH), (Thing(cylinder(0.3, 0.5)), CUBE)):
        cases = [Encounter(a, way, b, fixed(HERE)) for way in ways]
        shapes = a.library(), b.library()
        asked_together = kc.first_contact_batch(
            [(shapes[0], library_motion(c.move_a), shapes[1], library_motion(c.move_b)) for c in cases]
        )
        assert len(asked_together) == len(cases)
        for case, answer in zip(cases, asked_together, strict=True):
            alone = asked(case)
            assert answer.verdict is alone.verdict
            assert (answer.t_lo, answer.t_hi) == (alone.t_lo, alone.t_hi)
            truth = first_contact_truth(case, resolution=1e-2)
            assert not contact_faults(case, answer, truth)
        assert list(asked_together.verdict) == [answer.verdict for answer in asked_together]


def test_sampling_promises_nothing():
    """It is labelled unsafe, never answers CLEAR, and misses what is between its instants."""
    way = move("linear", [0, 1], [shift(0, 0, 1), shift(0, 0, -1)])
    case = Encounter(Thing(box((0.05, 0.05, 0.05))), way, Thing(box((1, 1, 0.001))), fixed(HERE))
    few = asked(case, method="sampling", samples=10)
    assert few.verdict is UNDECIDED
    assert (few.t_lo, few.t_hi) == (0.0, 1.0)
    many = asked(case, method="sampling", samples=1001)
    assert many.verdict is COLLIDING
    assert many.t_lo == 0.0
    assert case.distance(many.time)[0] <= 1e-4
    assert not few.safe
    assert not many.safe
    assert asked(case).safe


def test_a_time_tolerance_narrows_the_bracket():
    way = move("linear", [0, 2], [shift(0, 0, 4), shift(0, 0, 0)])
    for a in (CUBE, BALL, CUBE_MESH):
        case = Encounter(a, way, CUBE, fixed(HERE))
        for method in ("hybrid", "bisection"):
            answer = asked(case, method=method, tolerance=1e-2, time_tolerance=1e-8)
            assert answer.t_hi - answer.t_lo <= 1e-8
            assert answer.t_lo <= 1.5
            assert answer.t_hi >= 1.5 or answer.t_hi == answer.time
