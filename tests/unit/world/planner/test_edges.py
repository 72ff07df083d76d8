"""Edges and configurations of small robots, with answers known by hand."""

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import keepclear as kc
from keepclear.kernels.convex import support

LEVER = """<robot name="lever"><link name="base"/>
<link name="arm"><collision><origin xyz="0.5 0 0"/><geometry>{shape}</geometry></collision></link>
<joint name="turn" type="{kind}"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2" velocity="1" effort="1"/></joint></robot>"""
GANTRY = """<robot name="gantry"><link name="base"/>
<link name="beam"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="left"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="right"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="beam"/><axis xyz="1 0 0"/>
<limit lower="-5" upper="5" velocity="1" effort="1"/></joint>
<joint name="y" type="prismatic"><origin xyz="0 0 0.3"/><parent link="beam"/><child link="left"/><axis xyz="0 1 0"/>
<limit lower="-5" upper="5" velocity="1" effort="1"/></joint>
<joint name="mirror" type="prismatic"><origin xyz="0 0 0.3"/><parent link="beam"/><child link="right"/>
<axis xyz="0 1 0"/><limit lower="-5" upper="5" velocity="1" effort="1"/>
<mimic joint="y" multiplier="-1" offset="0.5"/></joint></robot>"""


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def read(folder: Path, text: str) -> Any:
    (folder / "robot.urdf").write_text(text, encoding="utf-8")
    return kc.read_robot(folder / "robot.urdf")


def lever(folder: Path, shape: str = '<box size="1 0.1 0.1"/>', kind: str = "revolute") -> Any:
    return read(folder, LEVER.format(shape=shape, kind=kind))


def lever_world(folder: Path, **options: Any) -> kc.World:
    """A lever of 1 m and a post at 45 degrees, 0.8 m out; they touch where |angle - 45 degrees| < asin(0.1 / 0.8)."""
    world = kc.World(threads=2)
    world.add_robot("lever", lever(folder, **options))
    world.add("post", kc.Cylinder(0.05, 1.0), at(0.8 * math.sqrt(0.5), 0.8 * math.sqrt(0.5)))
    return world


TOUCH = math.pi / 4 - math.asin(0.1 / 0.8)


def test_an_edge_up_to_the_post_is_clear_and_one_beyond_is_not(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    found = world.check_edges("lever", np.zeros((2, 1)), [[TOUCH - 0.002], [TOUCH + 0.002]], tolerance=1e-5)
    assert found.verdict.tolist() == [kc.Verdict.CLEAR, kc.Verdict.COLLIDING]
    assert found.clear.tolist() == [True, False]
    assert found.colliding.tolist() == [False, True]
    assert found.t_lo[0] == 1.0
    assert math.isnan(found.time[0])
    assert found.pair(0) is None
    assert found.pair(1) == ("lever/arm", "post")
    assert 0.9 < found.time[1] <= 1.0
    assert (found.evaluations > 0).all()
    assert len(found) == 2
    assert repr(found) == "CheckedEdges(2: 1 clear, 1 colliding; 1 pair of bodies)"


def test_the_earliest_contact_is_where_geometry_says(tmp_path: Path) -> None:
    found = lever_world(tmp_path).check_edges("lever", [[0.0]], [[2.0]], tolerance=1e-6, earliest=True)
    assert found.t_lo[0] <= TOUCH / 2.0
    assert found.time[0] - found.t_lo[0] < 1e-6
    assert found.time[0] == pytest.approx(TOUCH / 2.0, abs=3e-6)


def test_a_long_edge_that_passes_the_post_between_its_ends_is_seen(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    for turns in (1.9, 40.0, 1000.0):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert world.check_edges("lever", [[0.0]], [[turns]]).colliding.all()


def test_meshes_are_asked_exactly_where_hulls_overlap(tmp_path: Path) -> None:
    # Two fins with a gap of 20 mm between them: a hull without a gap. A thin plate passes through, or does not.
    boxes = [([0.2, 0.1, 0.01], (0, 0, 0.02)), ([0.2, 0.1, 0.01], (0, 0, -0.02))]
    vertices, faces = [], []
    for size, center in boxes:
        for x in (-0.5, 0.5):
            for y in (-0.5, 0.5):
                for z in (-0.5, 0.5):
                    vertices.append(np.array(center) + np.array(size) * (x, y, z))
        faces += [[len(vertices) - 8 + i for i in f] for f in
                  ([0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3])]  # fmt: skip
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path, '<box size="0.3 0.02 0.01"/>'))
    world.add("fins", kc.Mesh(vertices, faces), at(0.5 * math.cos(1.0), 0.5 * math.sin(1.0)))
    q0, q1 = [[0.0]], [[1.5]]
    assert world.check_edges("lever", q0, q1).clear.all()
    assert not world.check_edges("lever", q0, q1, settle=False).clear.any()
    assert world.check_edges("lever", q0, q1, margin=0.011).colliding.all()
    assert world.check_configurations("lever", [[1.0]]).free.all()
    assert world.check_configurations("lever", [[1.0]], settle=False).gap[0] == 0.0


def test_a_body_inside_a_solid_mesh_collides_and_inside_a_surface_does_not(tmp_path: Path) -> None:
    box = kc.Box([4.0, 4.0, 4.0])
    lower, upper = box.bounds
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * (upper - lower) + lower
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    for solid in (True, False):
        world = kc.World(threads=1)
        world.add_robot("lever", lever(tmp_path))
        world.add("hall", kc.Mesh(corners, faces, solid=solid), np.eye(4))
        assert world.check_edges("lever", [[0.0]], [[1.0]]).colliding.tolist() == [solid]
        assert world.check_configurations("lever", [[0.0]]).colliding.tolist() == [solid]


def test_prismatic_and_mimic_joints_move_what_hangs_on_them(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("gantry", read(tmp_path, GANTRY))
    # left at y, right at 0.5 - y: they meet where |2 y - 0.5| <= 0.1.
    found = world.check_configurations(
        "gantry", [[0.0, 0.0], [0.0, 0.19], [0.0, 0.21], [3.0, 0.29], [3.0, 0.31]]
    )
    assert found.colliding.tolist() == [False, False, True, True, False]
    assert found.pair(2) == ("gantry/left", "gantry/right")
    assert found.pair(0) is None
    edges = world.check_edges("gantry", [[0.0, 0.0], [0.0, 0.31]], [[4.0, 0.19], [-4.0, 4.0]], tolerance=1e-4)
    assert edges.clear.all()
    world.add("wall", kc.Box([0.1, 9.0, 9.0]), at(2.0))
    assert world.check_edges("gantry", [[0.0, 0.0]], [[4.0, 0.19]]).pair(0)[1] == "wall"


@pytest.mark.filterwarnings("ignore:.*no pair is checked")
def test_rules_count_as_they_do_at_the_instant(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    q0, q1 = [[0.0]], [[1.0]]
    world.allow("lever", "post", t_from=5.0, t_to=6.0)
    assert world.check_edges("lever", q0, q1).colliding.all()
    assert world.check_edges("lever", q0, q1, t=5.5).clear.all()
    world.set_margin("lever", "post", 0.1)
    assert world.check_edges("lever", q0, [[TOUCH - 0.05]]).colliding.all()
    assert world.check_edges("lever", q0, [[TOUCH - 0.2]]).clear.all()
    assert world.check_edges("lever", q0, [[TOUCH - 0.2]], margin=0.3).colliding.all()
    world.add("far", kc.Sphere(0.1), at(9.0))
    world.only([("lever", "far")])
    assert world.check_edges("lever", q0, q1).clear.all()


def test_path_tolerances_add_to_margins_and_lags_are_refused(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    world.set_path_tolerance("lever", distance=0.1)
    assert world.check_edges("lever", [[0.0]], [[TOUCH - 0.05]]).colliding.all()
    world.set_path_tolerance("lever", time=0.1)
    with pytest.raises(kc.ArgumentError, match="early or late"):
        world.check_edges("lever", [[0.0]], [[0.1]])


def test_other_things_are_where_they_are_at_the_instant(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path))
    poses = np.array([at(0.8, 0.6), at(0.8, 3.0)])
    world.add("ball", kc.Sphere(0.1), kc.PoseTrajectory([0, 1], poses, interpolation="linear"))
    assert world.check_edges("lever", [[0.0]], [[1.0]]).colliding.all()
    assert world.check_edges("lever", [[0.0]], [[1.0]], t=1.0).clear.all()


def test_what_a_robot_holds_moves_with_it(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    world.add("tool", kc.Box([0.1, 0.1, 0.1]), at(0.8, 0.3))
    world.attach("tool", "lever/arm", 1.0, 2.0)
    warnings.simplefilter("ignore")  # of the zero pose, at which it is held here
    touch = math.pi / 4 - math.atan2(0.3, 0.8)
    assert world.check_edges("lever", [[0.0]], [[touch]], t=1.5).pair(0) == ("post", "tool")
    assert world.check_edges("lever", [[0.0]], [[0.1]], t=0.0).clear.all()
    assert world.check_edges("lever", [[0.0]], [[0.3]], t=0.0).pair(0) == ("lever/arm", "tool")


def test_budgets_leave_edges_undecided_never_clear(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    found = world.check_edges("lever", [[0.0]], [[TOUCH - 1e-5]], tolerance=1e-7, budget=3)
    assert found.verdict[0] is kc.Verdict.UNDECIDED
    assert not found.clear[0]
    assert not found.colliding[0]
    assert math.isnan(found.time[0])
    assert found.pair(0) == ("lever/arm", "post")
    assert found.t_lo[0] < 1.0


def test_answers_do_not_depend_on_threads_or_on_the_order(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    rng = np.random.default_rng(1)
    q0, q1 = rng.uniform(-2, 2, size=(2, 500, 1))
    one, two = (world.check_edges("lever", q0, q1, threads=n) for n in (1, 2))
    back = world.check_edges("lever", q0[::-1], q1[::-1], threads=1)
    for other in (one, back):
        step = -1 if other is back else 1
        assert (two.t_lo == other.t_lo[::step]).all()
        assert (two.colliding == other.colliding[::step]).all()
        assert (two.evaluations == other.evaluations[::step]).all()


def test_no_edges_give_no_answers(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    found = world.check_edges("lever", np.empty((0, 1)), np.empty((0, 1)))
    assert len(found) == 0
    assert found.clear.shape == found.time.shape == found.verdict.shape == (0,)
    assert world.check_configurations("lever", np.empty((0, 1))).colliding.shape == (0,)


def test_one_start_serves_many_ends(tmp_path: Path) -> None:
    found = lever_world(tmp_path).check_edges("lever", [0.0], [[0.1], [1.0], [-0.4]])
    assert found.colliding.tolist() == [False, True, False]


def test_clear_because_nothing_is_checked_is_warned_of_once(tmp_path: Path) -> None:
    world = kc.World()
    world.add_robot("lever", lever(tmp_path))
    with pytest.warns(UserWarning, match="'lever': no pair is checked, so that everything is clear"):
        found = world.check_edges("lever", [[0.0]], [[1.0]])
    assert found.clear.all()
    assert repr(found) == "CheckedEdges(1: 1 clear, 0 colliding; 0 pairs of bodies)"
    start, end = LEVER.index("<collision>"), LEVER.index("</link>", LEVER.index("<collision>"))
    bare = read(tmp_path, (LEVER[:start] + LEVER[end:]).format(kind="revolute"))
    world.add_robot("bare", bare, X_WB=at(0.0, 5.0))
    assert world.check_edges("lever", [[0.0]], [[1.0]]).clear.all()
    with pytest.warns(UserWarning, match="'bare': no pair"):
        assert world.check_configurations("bare", [[0.0]], settle=False).gap.tolist() == [math.inf]


def test_a_part_held_at_the_zero_pose_is_warned_of(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    world.add("tool", kc.Box([0.1, 0.1, 0.1]), at(0.8, 0.2))
    world.attach("tool", "lever/arm", 0.0)
    with pytest.warns(UserWarning, match=r"'lever' holds tool at its pose .* world\.move\('lever', q\)"):
        world.check_edges("lever", [[0.0]], [[0.1]])
    world.move("lever", [0.1])
    assert len(world.check_edges("lever", [[0.0]], [[0.1]])) == 1


def test_degrees_and_millimetres_are_suspected(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"at 6\.33, beyond its limits .* appears once\.$"):
        lever_world(tmp_path).check_configurations("lever", [[6.33]])
    world = lever_world(tmp_path)
    with pytest.warns(UserWarning, match="Are these degrees"):
        world.check_configurations("lever", [[90.0]])
    world.add("box", kc.Box([0.4, 0.4, 0.4]), at(500.0, 0.0, 0.0))
    with pytest.warns(kc.UnitWarning, match="object 'box' never comes within"):
        world.check_configurations("lever", [[0.0]])


def test_limits_are_warned_of_once(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    with pytest.warns(UserWarning, match=r"joint 'turn' is at 2\.5, beyond its limits -2 to 2") as caught:
        world.check_configurations("lever", [[0.0], [2.5]])
    assert caught[0].filename == __file__  # the line of the caller
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        world.check_edges("lever", [[2.5]], [[2.6]])


@pytest.mark.parametrize(
    ("q0", "text"),
    [
        ([[math.nan]], "joint 'turn' of configuration 0 is nan"),
        ([[0.0, 1.0]], r"q0 must have shape \(1,\) or \(n, 1\)"),
        ([["a"]], "q0 must be an array of numbers"),
        ([[0.0], [0.0], [0.0]], "q0 has 3 configurations and q1 has 2"),
        ({"turn": [0.0], "twist": [1.0]}, "names 'twist', which is not an independent joint"),
    ],
)
def test_bad_ends_are_named(q0: Any, text: str, tmp_path: Path) -> None:
    with pytest.raises(kc.KeepclearError, match=text):
        lever_world(tmp_path).check_edges("lever", q0, [[0.0], [1.0]])


def test_bad_arguments_are_named(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    ends = [[0.0]], [[1.0]]
    with pytest.raises(kc.UnknownNameError, match="has no object 'levr'"):
        world.check_edges("levr", *ends)
    with pytest.raises(kc.ArgumentError, match="'post' is an object without joints"):
        world.check_edges("post", *ends)
    for options, text in (
        ({"tolerance": 0.0}, "tolerance must be a finite number > 0"),
        ({"margin": -1.0}, "margin"),
        ({"budget": 0}, "budget"),
        ({"t": math.nan}, "t must be"),
        ({"threads": 0}, "threads must be"),
        ({"settle": 1}, "settle"),
    ):
        with pytest.raises(kc.ArgumentError, match=text):
            world.check_edges("lever", *ends, **options)
    with pytest.raises(kc.ArgumentError, match="covers prove"):
        _ = world.check_configurations("lever", [[0.0]], settle=False).colliding
    with pytest.raises(kc.ArgumentError, match="settle=False"):
        _ = world.check_configurations("lever", [[0.0]]).gap
    with pytest.raises(kc.UnknownNameError, match="has no object"):
        kc.World().check_edges("lever", *ends)


def test_values_beyond_all_measure_are_refused(tmp_path: Path) -> None:
    world = lever_world(tmp_path, kind="continuous")
    with pytest.raises(
        kc.ArgumentError,
        match=r"q1: joint '\w+' of configuration 0 is 1e\+300; give finite radians or metres from",
    ):
        world.check_edges("lever", [[0.0]], np.array([[1e300]]))
    with pytest.raises(kc.ArgumentError, match=r"q: joint 'turn' of configuration 0 is -1e"):
        world.check_configurations("lever", [[-1e30]])


def test_a_slightly_deformed_object_is_refused(tmp_path: Path) -> None:
    world = kc.World()
    world.add_robot("lever", lever(tmp_path))
    poses = np.array([at(3.0)] * 4)
    for k, angle in enumerate((0.0, 0.1, 0.2, 0.3)):
        poses[k, :2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    world.add("ball", kc.Box([0.1, 0.1, 0.1]), kc.PoseTrajectory([0, 1, 2, 3], poses))
    assert world.check_edges("lever", [[0.0]], [[1.0]], t=0.0).clear.all()
    with pytest.raises(kc.ArgumentError, match=r"slightly deformed at 0\.5 s"):
        world.check_edges("lever", [[0.0]], [[1.0]], t=0.5)


def test_hulls_without_a_proven_graph_are_searched_vertex_by_vertex(tmp_path: Path) -> None:
    # Vertices that nearly coincide: walks over the graph of such a hull may be short by more than is allowed.
    rng = np.random.default_rng(4)
    d = rng.normal(size=(60, 3))
    points = 0.1 * d / np.linalg.norm(d, axis=1)[:, None]
    shape = kc.Convex(np.concatenate([points, points + 1e-9 * rng.normal(size=points.shape)]))
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path))
    world.add("stone", shape, at(0.8 * math.cos(1.0), 0.8 * math.sin(1.0)))
    (tables,) = [table for key, table in made_tables(world) if key[0] == "robot"]
    body = len(tables.items) - 1
    reals = tables.arrays[0][tables.bodies["reals"][body, 0] :]
    assert reals[support.KIND] == support.SCAN
    assert tables.bodies["slack"][body] == 0.0
    found = world.check_edges("lever", [[0.0], [0.0]], [[0.75], [0.9]])
    assert found.colliding.tolist() == [False, True]


def made_tables(world: kc.World) -> list[tuple[Any, Any]]:
    """The tables that a world keeps after a question."""
    world.check_edges("lever", [[0.0]], [[0.0]])
    return list(world._present_scene()._kept.items())


def test_long_slides_far_from_the_origin_are_decided(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    text = GANTRY.replace('lower="-5" upper="5"', 'lower="-1e5" upper="1e5"')
    world.add_robot("gantry", read(tmp_path, text), X_WB=at(1e3))
    world.add("post", kc.Sphere(0.05), at(1e3, 0.0, 0.11))
    ends = np.array([[[-2e4, 0.0]], [[2e4, 0.0]]])
    assert world.check_edges("gantry", *ends).clear.all()
    assert world.check_edges("gantry", *ends, margin=0.02).colliding.all()


def test_gaps_of_a_robot_far_along_its_rail_are_decided(tmp_path: Path) -> None:
    """The reach of prismatic joints was a factor of the size of obstacles: 0.5 mm counted as contact 100 km away."""
    world = kc.World(threads=1)
    text = GANTRY.replace('lower="-5" upper="5"', 'lower="-1e6" upper="1e6"')
    world.add_robot("gantry", read(tmp_path, text), [1e5, 0.0])
    world.add("post", kc.Sphere(0.05), at(1e5, 0.0, 0.1 + 1e-5))
    q0, q1 = [[1e5 - 1.0, 0.0]], [[1e5 + 1.0, 0.0]]
    assert world.check_configurations("gantry", [[1e5, 0.0]]).free.all()
    assert world.check_configurations("gantry", [[1e5, 0.0]], margin=1e-5).colliding.all()
    assert world.check_edges("gantry", q0, q1, tolerance=1e-6).clear.all()
    assert world.check_edges("gantry", q0, q1, tolerance=1e-6, margin=1e-5).colliding.all()


def test_tiny_meshes_are_taken(tmp_path: Path) -> None:
    world = lever_world(tmp_path)
    size = 2e-4
    corners = size * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    world.add("grain", kc.Mesh(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]), at(0.5, -0.2))
    found = world.check_edges("lever", [[0.0]], [[-0.8]], tolerance=1e-5)
    assert found.pair(0) == ("grain", "lever/arm")
