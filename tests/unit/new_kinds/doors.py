"""Every public call that takes a shape or a motion, with a kind that only tests have: `python -m ...doors FOLDER NAME`.

A call answers as worked out by hand, or refuses the kind by its name. Prints one JSON object: what happened, by call.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.unit.new_kinds.cone import Cone  # isort: skip  # first: it adds a branch to the kernels
import numpy as np
import pytest
from tests.unit.new_kinds.orbit import Orbit

import keepclear as kc
from keepclear.report.pages.display import build_display_mesh

HERE = np.eye(4)
BALL = kc.Sphere(0.1)
MESH = kc.Mesh([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
ROBOT = """<robot name="lever"><link name="base"/>
<link name="arm"><collision><origin xyz="0.5 0 0"/>
<geometry><cone radius="0.2" height="0.4"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""
CELL = """objects:
  spike: {cone: {radius: 0.2, height: 0.4}}
  ball: {sphere: 0.1, motion: {times: [0, 1], positions: [[0, 0, 1.3], [0, 0, 0.3]]}}
"""


def at(x: float, y: float, z: float) -> Any:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def cone() -> Cone:
    return Cone(0.2, 0.4)


def falling(interpolation: Any = "linear") -> kc.PoseTrajectory:
    n = 4 if interpolation == "cubic" else 2
    return kc.PoseTrajectory(
        np.linspace(0, 1, n), [at(0, 0, 1.3 - t) for t in np.linspace(0, 1, n)], interpolation
    )


def world(shape: Any = None, motion: Any = None) -> kc.World:
    found = kc.World()
    found.add("spike", cone() if shape is None else shape, HERE)
    found.add("ball", BALL, falling() if motion is None else motion)
    return found


def near(value: float, expected: float, slack: float = 1e-9) -> None:
    assert abs(value - expected) <= slack, (value, expected)


def distance(folder: Path) -> None:
    del folder
    near(kc.distance(cone(), HERE, BALL, at(0, 0, 0.5)).distance, 0.2)
    far = np.array([0.4, 0.0, 0.2])  # beside the slope, whose normal is (2, 0, 1) / sqrt(5)
    near(kc.distance(cone(), HERE, BALL, at(*far)).distance, 0.8 / np.sqrt(5.0) - 0.1, 1e-7)
    near(kc.distance(BALL, [at(0, 0, -0.5), at(0, 0, 0.6)], cone(), HERE).distance[1], 0.3)
    near(kc.distance([(cone(), at(0, 0, 1))], HERE, BALL, at(0, 0, 1.5)).distance, 0.2)
    near(kc.distance(cone(), HERE, MESH, at(0, 0, 0.5)).distance, 0.3, 1e-7)
    assert kc.distance(cone(), HERE, cone(), at(0.1, 0, 0)).colliding


def collide(folder: Path) -> None:
    del folder
    assert kc.collide(cone(), HERE, BALL, at(0, 0, 0.25)).colliding
    assert not kc.collide(cone(), HERE, MESH, at(0, 0, 0.3)).colliding


def tracker(folder: Path) -> None:
    del folder
    near(kc.Tracker(cone(), BALL).distance(HERE, at(0, 0, 0.5)).distance, 0.2)
    near(kc.Tracker(MESH, cone()).distance(at(0, 0, 0.5), HERE).distance, 0.3, 1e-7)


def first_contact(folder: Path) -> None:
    del folder
    for method in ("hybrid", "bisection", "sampling"):
        found = kc.first_contact(BALL, falling(), cone(), HERE, method=method)
        assert found.verdict is kc.Verdict.COLLIDING
        assert found.t_lo <= 1.0 <= found.t_hi + 1e-4, (method, found)
    for method in ("exact", "bisect_exact"):
        with pytest.raises(kc.ArgumentError, match=r"Cone.* is curved"):
            kc.first_contact(kc.Box([1, 1, 1]), falling(), cone(), HERE, method=method)
    found = kc.first_contact(BALL, falling("cubic"), cone(), HERE)
    assert found.t_lo <= 1.0 + 1e-9, found
    assert kc.first_contact(MESH, falling(), cone(), HERE).t_lo <= 1.3
    (one,) = kc.first_contact_batch([(BALL, falling(), cone(), kc.Fixed(at(0, 0, -0.1)))])
    assert one.verdict is kc.Verdict.CLEAR


def clearance(folder: Path) -> None:
    del folder
    found = kc.clearance(BALL, falling(), cone(), at(0, 0, -0.1))
    assert found.lower <= 0.1 <= found.upper + 1e-12, found


def verify(folder: Path) -> None:
    report = world().verify()
    assert report.verdict is not kc.Verdict.CLEAR
    report.to_html(folder / "page.html")
    report.to_json(folder / "page.json")
    assert world().verify(contacts="all").verdict is report.verdict
    low = world()
    low.move("spike", at(0, 0, -0.1))
    report = low.verify(t0=0.0, t1=1.0)
    assert report.verdict is kc.Verdict.CLEAR
    near(min(pair.distance for pair in low.distances(1.0)), 0.1, 1e-6)
    assert not low.collisions(1.0)
    low.contacts(0.2)
    low.simulate(dt=0.5, models="exact")


def submit(folder: Path) -> None:
    del folder
    with world() as given:
        given.submit("spike", "ball", at(0, 0, 0.25)).result(timeout=60)


def sphere_tree(folder: Path) -> None:
    tree = kc.build_sphere_tree(cone(), 0.1)
    rim = np.array([[0.2, 0, -0.2], [0, 0, 0.2], [0.1, 0, 0.0]])
    away = np.linalg.norm(tree.ranks[-1].centers[:, None] - rim, axis=2).min(axis=0)
    assert (away <= tree.ranks[-1].radius).all()
    tree.to_html(folder / "tree.html")


def sphere_cover(folder: Path) -> None:
    del folder
    cover = kc.build_sphere_cover(cone(), 0.3)
    away = np.linalg.norm(cover.centers - [0, 0, 0.2], axis=1) - cover.radii
    assert away.min() <= 0.0


def prepared(folder: Path) -> None:
    kc.write_prepared(kc.prepare(cone()), folder / "cone.kcm")
    assert kc.read_prepared(folder / "cone.kcm").shape == cone()


def robots(folder: Path) -> None:
    file = folder / "lever.urdf"
    file.write_text(ROBOT)
    robot = kc.read_robot(file)
    assert robot.link("arm").elements[0].shape == cone()
    assert robot.attach("tool", cone(), "arm").link("tool").elements[0].shape == cone()
    given = kc.World()
    given.add_robot("lever", robot)
    given.add("wall", cone(), at(0, 0.5, 0))
    assert given.check_edges("lever", [[0.0]], [[0.4]]).clear.tolist() == [True]
    assert given.check_configurations("lever", [[0.0], [1.5]]).colliding.tolist() == [False, True]


def robot_spheres(folder: Path) -> None:
    file = folder / "spheres.urdf"
    file.write_text(ROBOT)
    robot = kc.read_robot(file)
    model = robot.sphere_model(0.3)
    kc.write_sphere_model(model, folder / "model.json", robot)
    given = kc.World()
    given.add_robot("lever", robot)
    given.add("wall", cone(), at(0, 0.5, 0))
    assert given.proved_free("lever", [[1.5]], model=model).tolist() == [False]


def proved_pairs(folder: Path) -> None:
    file = folder / "two.urdf"
    post = '<link name="base"><collision><geometry><cone radius="0.1" height="0.2"/></geometry></collision></link>'
    file.write_text(ROBOT.replace('<link name="base"/>', post))
    (pair,) = kc.read_robot(file).prove_pairs()
    assert pair.kind is kc.Reach.NEVER


def cells(folder: Path) -> None:
    file = folder / "cell.yaml"
    file.write_text(CELL)
    assert kc.verify(file).verdict is not kc.Verdict.CLEAR
    file.write_text(CELL.replace("height", "hight"))
    with pytest.raises(kc.CellError, match="did you mean 'height'"):
        kc.read_cell(file)
    file.write_text("objects: {a: {position: [0, 0, 0]}}")
    with pytest.raises(kc.CellError, match="capsule, cone, cylinder"):
        kc.read_cell(file)


def variants(folder: Path) -> None:
    from keepclear.jobs.fleet.variants import Change, read_variant

    (folder / "cell.yaml").write_text(CELL)
    change = Change("spike", "spike", (("cone", None), ("sphere", 0.1)))
    assert read_variant(str(folder / "cell.yaml"), [change]).objects["spike"].shapes[0][0] == BALL
    (result,) = kc.verify_many([folder / "cell.yaml"])
    assert result.verdict is not kc.Verdict.CLEAR


def motion_lengths(folder: Path) -> None:
    del folder
    assert falling().path_length(cone(), 0, 1) >= 1.0
    assert falling().displacement(cone(), 0, 1) >= 1.0
    assert falling("cubic").deviation(cone()) >= 0.0
    falling().cubic(0, 1, cone())


def display(folder: Path) -> None:
    del folder
    assert len(build_display_mesh(cone()).triangles) > 0


def crowd(folder: Path) -> None:
    del folder
    found = kc.Crowd([[0.0, 0, 0]], None, 9.0, 1.0, motion=kc.Ballistic(), response="report")
    found.attach(0, cone())


def group(folder: Path) -> None:
    del folder
    members = kc.Group({"spike": (cone(), HERE)})
    near(kc.Tracker(members, kc.Group({"ball": (BALL, at(0, 0, 0.5))})).distance({}, {}).distance, 0.2)


def obb_tree(folder: Path) -> None:
    del folder
    kc.build_obb_tree(cone())


def box_tree(folder: Path) -> None:
    del folder
    kc.build_box_tree(cone())


def decompose(folder: Path) -> None:
    del folder
    kc.decompose(cone())


def orbiting(folder: Path) -> None:
    """A ball that turns by five rad about z, beside a post that it meets after four, and one that it passes."""
    orbit = Orbit(at(1, 0, 0), 5.0)
    assert orbit.pose(0.2)[0, 3] == np.cos(1.0) or abs(orbit.pose(0.2)[0, 3] - np.cos(1.0)) < 1e-12
    post = at(np.cos(4.0), np.sin(4.0), 0.0)
    meets = 0.8 - 2.0 * np.arcsin(0.1) / 5.0
    for method in ("hybrid", "bisection"):
        found = kc.first_contact(BALL, orbit, BALL, post, method=method)
        assert found.t_lo - 1e-9 <= meets <= found.t_hi + 1e-4, (method, found, meets)
    (one,) = kc.first_contact_batch([(BALL, orbit, BALL, kc.Fixed(post))])
    assert one.verdict is kc.Verdict.COLLIDING
    near(
        kc.clearance(BALL, orbit, BALL, at(np.cos(5.5), np.sin(5.5), 0)).upper, 2.0 * np.sin(0.25) - 0.2, 1e-3
    )
    for given in (BALL, [(BALL, at(0.1, 0, 0))]):
        made = world(BALL, orbit) if given is BALL else kc.World()
        if given is not BALL:
            made.add("spike", BALL, HERE)
            made.add("ball", given, orbit)
        report = made.verify(t0=0.0, t1=2.0)
        assert report.verdict is kc.Verdict.CLEAR
        assert any("turns by 5 rad" in one.text for one in report.assumptions), report.assumptions
        assert any("at rest after 1 s" in one.text for one in report.assumptions), report.assumptions
        made.distances(0.5)
        made.simulate(dt=0.5, models="exact")
    pair = kc.World()
    pair.add("ball", BALL, orbit)
    pair.add("post", BALL, post)
    report = pair.verify()
    assert report.verdict is kc.Verdict.COLLIDING
    report.to_html(folder / "orbit.html")
    assert orbit.path_length(BALL, 0, 1) >= 5.0
    assert orbit.displacement(BALL, 0, 1) >= 2.0
    orbit.cubic(0.1, 0.9, BALL)


def orbit_in_the_store(folder: Path) -> None:
    del folder
    from keepclear.jobs.fleet.jobs import digest

    one, two = Orbit(HERE, 1.0), Orbit(HERE, 2.0)
    assert digest(one) != digest(two)
    assert digest(one) == digest(Orbit(HERE, 1.0))


DOORS: dict[str, Callable[[Path], None]] = {
    door.__name__: door
    for door in (
        distance, collide, tracker, first_contact, clearance, verify, submit, sphere_tree, sphere_cover, prepared,
        robots, robot_spheres, proved_pairs, cells, variants, motion_lengths, display, crowd, group, obb_tree, box_tree,
        decompose, orbiting, orbit_in_the_store,
    )
}  # fmt: skip


SLOW = ("sphere_cover", "robot_spheres")  # a minute each with kernels as plain Python: run by command only


def outcome(door: Callable[[Path], None], folder: Path) -> str:
    """What happened in a call: "passed", or what the error says."""
    try:
        door(folder)
    except kc.KeepclearError as error:
        return f"refused: {error}"
    except Exception:
        return traceback.format_exc()
    return "passed"


if __name__ == "__main__":
    chosen = sys.argv[2:] or [name for name in DOORS if name not in SLOW]
    sys.stdout.write(json.dumps({name: outcome(DOORS[name], Path(sys.argv[1])) for name in chosen}))
