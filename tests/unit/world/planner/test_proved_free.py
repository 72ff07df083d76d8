"""Configurations that spheres prove free: never one that collides, and none that is far from contact is left open."""

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core import config
from tests.unit.world.tree_covers import tree_cover, tree_model

import keepclear as kc

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="takes minutes as plain Python")

LEVER = """<robot name="lever"><link name="base"/>
<link name="arm"><collision><origin xyz="0.5 0 0"/><geometry>{shape}</geometry></collision></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""
ROUNDING = 1e-5  # 4e-6 of distances from the base, which are below 2 m here


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def turned(rng: np.random.Generator, *p: float) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    X[:3, :3] *= np.linalg.det(X[:3, :3])
    X[:3, 3] = p
    return X


def read(folder: Path, text: str) -> Any:
    (folder / "robot.urdf").write_text(text, encoding="utf-8")
    return kc.read_robot(folder / "robot.urdf")


def lever(folder: Path, shape: str = '<box size="1 0.1 0.1"/>') -> Any:
    return read(folder, LEVER.format(shape=shape))


def box_mesh(size: float, center: tuple[float, ...] = (0.0, 0.0, 0.0), *, solid: bool = True) -> kc.Mesh:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5 * size + center
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return kc.Mesh(corners, faces, solid=solid)


def one_sphere(
    link: str = "arm", center: Any = (0.5, 0.0, 0.0), radius: float = 0.51, **known: Any
) -> kc.SphereModel:
    told = {"cover": 0.0, "excess": 0.51} | known
    return kc.SphereModel("lever", {link: kc.SphereCover([center], [radius], **told)})


def row_model() -> kc.SphereModel:
    """Eleven spheres in a row around an arm of 1 m x 0.1 m x 0.1 m."""
    centers = [[0.1 * k, 0.0, 0.0] for k in range(11)]
    return kc.SphereModel("lever", {"arm": kc.SphereCover(centers, [0.09] * 11, 0.0, 0.08, solid=True)})


def test_spheres_of_an_arm_keep_clear_of_a_post_where_geometry_says(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path))
    for shape, reach in (
        (kc.Sphere(0.05), 0.05),
        (kc.Cylinder(0.05, 1.0), 0.05),
        (kc.Capsule(0.05, 1.0), 0.05),
    ):
        world.add("post", shape, at(0.8 * math.cos(1.0), 0.8 * math.sin(1.0)))
        angle = 2.0 * math.asin(0.5 * (0.09 + reach) / 0.8)  # where the sphere 0.8 m out touches the post
        q = np.array([[1.0], [1.0 - angle + 1e-3], [1.0 - angle - 1e-3], [0.0], [1.0 + angle + 1e-3]])
        found = world.proved_free("lever", q, model=row_model())
        assert found.dtype == np.bool_
        assert found.tolist() == [False, False, True, True, True]
        near = world.proved_free("lever", q, model=row_model(), margin=0.01)
        assert near.tolist() == [False, False, False, True, False]
        world.remove("post")


def test_a_turned_box_is_compared_as_it_is(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path), X_WB=at(100.0, -50.0, 3.0))
    X = at(100.0, -50.0, 3.0) @ at(0.5, 0.3)
    c = math.sqrt(0.5)
    X[:3, :3] = [[c, -c, 0.0], [c, c, 0.0], [0.0, 0.0, 1.0]]
    world.add(
        "box", kc.Box([0.2, 0.2, 0.2]), X
    )  # a corner points at the arm, 0.3 - 0.1414 away from its axis
    q = np.zeros((1, 1))
    left = 0.3 - 0.1 * math.sqrt(2.0) - 0.09
    assert world.proved_free("lever", q, model=row_model(), margin=left - ROUNDING).all()
    assert not world.proved_free("lever", q, model=row_model(), margin=left + ROUNDING).any()


def test_meshes_hulls_and_ellipsoids_are_compared_exactly(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path))
    octahedron = kc.Convex([[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0], [0, 0, 0.1], [0, 0, -0.1]])
    for shape in (octahedron, kc.Ellipsoid([0.05, 0.1, 0.07]), box_mesh(0.2)):
        world.add("thing", shape, at(0.5, 0.4))
        left = 0.4 - 0.1 - 0.09
        for margin, is_free in ((left - ROUNDING, True), (left + ROUNDING, False)):
            assert world.proved_free("lever", [[0.0]], model=row_model(), margin=margin).tolist() == [is_free]
        world.remove("thing")


def test_a_body_inside_another_counts_both_ways(tmp_path: Path) -> None:
    # The arm, a cube of 0.8 m here, has spheres around its skin only: a small thing in its middle is in no sphere.
    robot = lever(tmp_path, '<box size="0.8 0.8 0.8"/>')
    (element,) = robot.link("arm").elements
    cover = tree_cover([(element.shape, element.X_LG)], 0.06)
    model = kc.SphereModel("lever", {"arm": cover})
    middle = element.X_LG[:3, 3]
    for shape in (kc.Box([0.1] * 3), kc.Sphere(0.1), box_mesh(0.1), kc.Convex(box_mesh(0.1).vertices)):
        assert (np.linalg.norm(cover.centers - middle, axis=1) > cover.radii + 0.2).all()
        world = kc.World(threads=1)
        world.add_robot("lever", robot)
        world.add("thing", shape, at(*middle))
        assert world.check_configurations("lever", [[0.0], [3.0]]).colliding.tolist() == [True, False]
        assert world.proved_free("lever", [[0.0], [3.0]], model=model).tolist() == [False, True]
    for solid in (True, False):  # the arm is inside of a hall, which is a solid or a skin
        world = kc.World(threads=1)
        world.add_robot("lever", lever(tmp_path))
        world.add("hall", box_mesh(6.0, solid=solid), np.eye(4))
        assert world.check_configurations("lever", [[0.0]]).free.tolist() == [not solid]
        assert world.proved_free("lever", [[0.0]], model=row_model()).tolist() == [not solid]
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path))
    world.add("hall", kc.Box([6.0, 6.0, 6.0]), np.eye(4))
    assert not world.proved_free("lever", [[0.0]], model=row_model()).any()


def test_several_components_inside_are_seen_one_by_one(tmp_path: Path) -> None:
    robot = lever(tmp_path, '<box size="0.8 0.8 0.8"/>')
    (element,) = robot.link("arm").elements
    model = kc.SphereModel("lever", {"arm": tree_cover([(element.shape, element.X_LG)], 0.06)})
    small, far = box_mesh(0.1, (0.5, 0.0, 0.0)), box_mesh(0.1, (8.0, 0.0, 0.0))
    faces = [*far.faces.tolist(), *(small.faces + len(far.vertices)).tolist()]
    world = kc.World(threads=1)
    world.add_robot("lever", robot)
    world.add("two", kc.Mesh(np.concatenate([far.vertices, small.vertices]), faces), np.eye(4))
    assert world.check_configurations("lever", [[0.0]]).colliding.all()
    assert not world.proved_free("lever", [[0.0]], model=model).any()


TWO = """<robot name="two">
<link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<link name="upper"><collision><origin xyz="0.3 0 0"/><geometry>{upper}</geometry></collision></link>
<link name="lower"><collision><origin xyz="0.2 0 0"/><geometry>{lower}</geometry></collision></link>
<joint name="a" type="revolute"><origin xyz="0 0 0.3" rpy="{rpy}"/><parent link="base"/><child link="upper"/>
<axis xyz="{axis}"/><limit lower="-3" upper="3" velocity="1" effort="1"/></joint>
<joint name="b" type="{kind}"><origin xyz="0.6 0 0.1"/><parent link="upper"/><child link="lower"/>
<axis xyz="0 1 1"/><limit lower="-1.5" upper="1.5" velocity="1" effort="1"/></joint></robot>"""
SHAPES = (
    '<box size="0.4 0.1 0.06"/>',
    '<cylinder radius="0.05" length="0.3"/>',
    '<sphere radius="0.09"/>',
)


def random_world(folder: Path, rng: np.random.Generator) -> tuple[Any, kc.SphereModel, kc.World]:
    upper, lower = rng.choice(SHAPES, 2)
    axis = " ".join(f"{x:.3f}" for x in rng.normal(size=3))
    rpy = " ".join(f"{x:.3f}" for x in rng.uniform(-1.0, 1.0, size=3))
    kind = rng.choice(["revolute", "prismatic"])
    robot = read(folder, TWO.format(upper=upper, lower=lower, rpy=rpy, axis=axis, kind=kind))
    world = kc.World(threads=1)
    X_WB = turned(rng, *rng.uniform(-5.0, 5.0, size=3))
    world.add_robot("two", robot, X_WB=X_WB)
    points = rng.normal(size=(12, 3)) * 0.08
    some = (
        kc.Box(rng.uniform(0.05, 0.3, 3)), kc.Sphere(0.1), kc.Capsule(0.05, 0.3), kc.Cylinder(0.08, 0.2),
        kc.Ellipsoid(rng.uniform(0.05, 0.2, 3)), kc.Convex(points), box_mesh(0.2), box_mesh(0.3, solid=False),
        kc.Box([3.0, 3.0, 0.02]),
    )  # fmt: skip
    for k in rng.choice(len(some), 5, replace=False):
        world.add(f"thing{k}", some[k], X_WB @ turned(rng, *rng.normal(size=3) * 0.7))
    return robot, tree_model(robot, float(rng.uniform(0.02, 0.1))), world


@pytest.mark.parametrize("seed", [0, 2, 7, 10])
def test_no_colliding_configuration_is_proved_free_and_gaps_keep_their_bound(
    tmp_path: Path, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    robot, model, world = random_world(tmp_path, rng)
    q = rng.uniform(robot.lower, robot.upper, size=(200, 2))
    for margin in (None, 0.03):
        free = world.proved_free("two", q, model=model, margin=margin)
        truth = world.check_configurations("two", q, margin=margin).free
        assert not (free & ~truth).any()
        assert free.any()
        assert not truth.all()
        within = (margin or 0.0) + 2.0 * model.excess + ROUNDING  # one excess for each of two links
        assert not world.check_configurations("two", q[~free], margin=within).free.any()


@pytest.mark.parametrize("seed", [0, 10])
def test_gaps_of_covers_are_below_least_distances(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot, _, world = random_world(tmp_path, rng)
    q = rng.uniform(robot.lower, robot.upper, size=(40, 2))
    found = world.check_configurations("two", q, settle=False)
    assert (found.gap > 0.0).any()
    assert (found.free == (found.gap > 0.0)).all()
    for k in np.flatnonzero(found.gap > 0.0).tolist():
        gap = float(found.gap[k])
        assert world.check_configurations("two", q[k : k + 1], margin=gap * (1.0 - 1e-9)).free.all()
        with_margin = world.check_configurations("two", q[k : k + 1], settle=False, margin=2.0 * gap)
        assert with_margin.gap[0] <= gap
        assert not with_margin.free[0]
    with pytest.raises(kc.ArgumentError, match="not that it collides"):
        _ = found.colliding


def test_answers_do_not_depend_on_threads_or_on_neighbours_in_the_batch(tmp_path: Path) -> None:
    rng = np.random.default_rng(10)
    robot, model, world = random_world(tmp_path, rng)
    q = rng.uniform(robot.lower, robot.upper, size=(2500, 2))
    free = world.proved_free("two", q, model=model)
    assert 0 < np.count_nonzero(free) < len(q)
    assert (free == world.proved_free("two", q, model=model, threads=2)).all()
    some = np.array([3, 77, 1024, 2499])
    assert (free[some] == [world.proved_free("two", q[k : k + 1], model=model)[0] for k in some]).all()
    assert world.proved_free("two", q[:0], model=model).shape == (0,)


def test_what_the_robot_holds_counts(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path), [0.3])
    held = at(0.9 * math.cos(0.3), 0.9 * math.sin(0.3))
    world.add(
        "tool", [(kc.Box([0.1, 0.1, 0.1]), at(0.0, 0.0, 0.3)), (kc.Sphere(0.05), at(0.0, 0.0, 0.1))], held
    )
    world.attach("tool", "lever/arm", 0.0, 1.0)
    world.add("post", kc.Sphere(0.05), at(0.9 * math.cos(1.0), 0.9 * math.sin(1.0), 0.3))
    q = np.linspace(-1.0, 2.0, 61)[:, None]
    truth = world.check_configurations("lever", q).free
    free = world.proved_free("lever", q, model=row_model())
    assert not free[40]
    assert not (free & ~truth).any()
    assert np.count_nonzero(truth & ~free) <= 6
    assert world.proved_free("lever", q[40:41], model=row_model(), t=2.0).all()  # let go of


def test_rules_margins_and_instants_are_those_of_check_configurations(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path))
    world.add("post", kc.Sphere(0.05), kc.PoseTrajectory([0.0, 1.0], [at(0.5, 0.5), at(0.5, 3.0)], "linear"))
    q = [[0.6]]
    assert not world.proved_free("lever", q, model=row_model()).any()
    assert world.proved_free("lever", q, model=row_model(), t=1.0).all()
    world.set_margin("post", "lever/arm", 0.2)
    assert world.proved_free("lever", [[-0.2]], model=row_model()).all()
    world.set_margin("post", "lever/arm", 0.5)
    assert not world.proved_free("lever", [[-0.2]], model=row_model()).any()
    world.allow("post", "lever/arm")
    with pytest.warns(UserWarning, match="no pair is checked"):
        assert world.proved_free("lever", q, model=row_model()).all()


def test_models_that_prove_nothing_are_refused(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path))
    world.add("post", kc.Sphere(0.05), at(0.5, 0.5))

    def refused(model: Any, text: str) -> None:
        with pytest.raises(kc.ArgumentError, match=text):
            world.proved_free("lever", [[0.0]], model=model)

    refused(one_sphere(cover=0.001), r"link 'arm' may stick out of its spheres by up to 0\.001 m")
    refused(one_sphere(cover=math.inf), "may stick out of its spheres by an unknown distance")
    refused(
        kc.SphereModel("lever", {}), "no spheres for link 'arm', which has 1 shape; it would prove nothing"
    )
    refused(one_sphere("army"), r"a link 'army', which robot 'lever' has not; did you mean 'arm'\?")
    refused(one_sphere(radius=0.4), "not proved to cover link 'arm'")
    refused("arm", "model must be a kc.SphereModel .* but it is str")
    assert world.proved_free("lever", [[3.0]], model=one_sphere()).all()


def test_models_that_come_and_go_are_told_apart(tmp_path: Path) -> None:
    world = kc.World(threads=1)
    world.add_robot("lever", lever(tmp_path))
    world.add("post", kc.Sphere(0.05), at(0.5, 0.3))  # within the one sphere, and away from those in a row
    for _ in range(4):
        assert world.proved_free("lever", [[0.0]], model=row_model()).all()
        assert not world.proved_free("lever", [[0.0]], model=one_sphere()).any()


def test_bad_configurations_raise_and_limits_are_warned_of(tmp_path: Path) -> None:
    _, model, world = random_world(tmp_path, np.random.default_rng(8))
    with pytest.raises(kc.ArgumentError, match="q"):
        world.proved_free("two", [[0.0]], model=model)
    for bad in (math.nan, math.inf, 1e7):
        q = np.zeros((20, 2))
        q[13, 1] = bad
        with pytest.raises(kc.ArgumentError, match=r"finite|1e\+07"):
            world.proved_free("two", q, model=model)
    with pytest.raises(kc.UnknownNameError, match="three"):
        world.proved_free("three", [[0.0, 0.0]], model=model)
    with pytest.warns(UserWarning, match="beyond its limits"):
        world.proved_free("two", [[4.0, 0.0]], model=model)


def test_a_carriage_far_beyond_its_limits_is_never_proved(tmp_path: Path) -> None:
    text = LEVER.replace("continuous", "prismatic").replace(
        '<axis xyz="0 0 1"/>', '<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/>'
    )
    world = kc.World(threads=1)
    world.add_robot("lever", read(tmp_path, text.format(shape=SHAPES[0])))
    world.add("post", kc.Sphere(0.05), at(0.5, 0.0, 0.9))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = world.proved_free("lever", [[0.0], [0.8], [1e5]], model=one_sphere(radius=0.4))
    assert found.tolist() == [True, False, False]


LINK = "<collision><origin xyz='{} 0 0'/><geometry>{}</geometry></collision>"
OTHERS = {
    "bar": (LINK.format(-0.45, "<box size='0.1 0.1 0.1'/>") + LINK.format(0.45, "<box size='0.1 0.1 0.1'/>"),
            LINK.format(0, "<box size='1 0.1 0.1'/>")),
    "ball": (LINK.format(0, "<sphere radius='0.1'/>"), LINK.format(0, "<sphere radius='0.3'/>")),
    "cylinder": (LINK.format(0, "<cylinder radius='0.02' length='0.4'/>"),
                 LINK.format(0, "<cylinder radius='0.2' length='0.4'/>")),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_models_of_another_robot_with_the_same_names_are_refused(name: str, tmp_path: Path) -> None:
    """A model of an older version of a robot called colliding configurations free: only corners were compared."""
    robots = []
    for shapes in OTHERS[name]:
        file = tmp_path / f"{len(robots)}.urdf"
        file.write_text(
            f"<robot name='r'><link name='base'/><link name='a'>{shapes}</link><joint name='j' type='revolute'>"
            "<parent link='base'/><child link='a'/><axis xyz='1 0 0'/><limit lower='-3' upper='3'/></joint></robot>"
        )
        robots.append(kc.read_robot(file))
    old, new = robots
    world = kc.World()
    world.add_robot("arm", new)
    world.add("post", kc.Box([0.1, 0.1, 2]), np.eye(4))
    with pytest.raises(kc.ArgumentError, match="not proved to cover link 'a'"):
        world.proved_free("arm", [[0.0]], model=old.sphere_model(0.05))
    assert not world.proved_free("arm", [[0.0], [0.5]], model=new.sphere_model(0.05)).any()
    again = kc.read_robot(tmp_path / "1.urdf")
    assert not world.proved_free("arm", [[0.0]], model=again.sphere_model(0.05)).any()


def test_a_robot_without_shapes_is_free_and_warned_of(tmp_path: Path) -> None:
    file = tmp_path / "bare.urdf"
    file.write_text(
        "<robot name='r'><link name='base'/><link name='a'/><joint name='j' type='revolute'><parent link='base'/>"
        "<child link='a'/><axis xyz='1 0 0'/><limit lower='-3' upper='3'/></joint></robot>"
    )
    world = kc.World()
    world.add_robot("arm", kc.read_robot(file))
    world.add("post", kc.Box([0.1, 0.1, 2]), np.eye(4))
    with pytest.warns(UserWarning, match="no pair is checked"):
        assert world.proved_free("arm", [[0.0], [0.5]]).all()
    with pytest.raises(kc.ArgumentError):
        world.proved_free("arm", [[np.nan]])
