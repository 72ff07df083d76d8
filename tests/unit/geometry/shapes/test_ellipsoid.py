"""Ellipsoids: sizes, bounds, and answers known by hand."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import keepclear as kc
from keepclear.geometry.shapes.extent import body_points
from keepclear.report.pages.display import build_display_mesh


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def test_it_is_a_shape_like_others() -> None:
    shape = kc.Ellipsoid([3, 2, 1])
    assert shape == kc.Ellipsoid(np.array([3.0, 2.0, 1.0]))
    assert hash(shape) == hash(kc.Ellipsoid((3, 2, 1)))
    assert shape != kc.Box([3, 2, 1])
    assert pickle.loads(pickle.dumps(shape)) == shape
    assert repr(shape) == "Ellipsoid(radii=(3.0, 2.0, 1.0))"
    assert shape.radii == (3.0, 2.0, 1.0)
    assert shape.scaled(0.5).radii == (1.5, 1.0, 0.5)
    lower, upper = shape.bounds
    assert (lower.tolist(), upper.tolist()) == ([-3, -2, -1], [3, 2, 1])
    with pytest.raises(AttributeError, match="never changes"):
        shape.radii = (1, 1, 1)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("radii", "message"),
    [
        ([1, 2], "radii has 2 entries"),
        ([1, 2, 0], r"radii\[2\] must be finite and > 0"),
        ([1, -2, 1], r"radii\[1\] must be finite and > 0"),
        ([np.nan, 1, 1], r"radii\[0\]"),
        ([1e-10, 1, 1], "between 1e-09 m"),
        (1.0, "expected three numbers"),
    ],
)
def test_bad_radii_are_refused(radii: object, message: str) -> None:
    with pytest.raises(kc.ShapeError, match=rf"Ellipsoid: .*{message}"):
        kc.Ellipsoid(radii)  # type: ignore[arg-type]


def test_distances_along_its_axes() -> None:
    shape = kc.Ellipsoid([3, 2, 1])
    for axis, radius in enumerate((3.0, 2.0, 1.0)):
        X = np.eye(4)
        X[axis, 3] = 10.0
        found = kc.distance(shape, np.eye(4), kc.Sphere(0.5), X)
        assert found.lower <= 9.5 - radius <= found.upper
        assert found.distance == pytest.approx(9.5 - radius, abs=1e-12)
        assert found.normal_W[axis] == pytest.approx(1.0)
    assert kc.distance(shape, np.eye(4), kc.Ellipsoid([1, 1, 1]), at(3.9)).distance < 0.0


def test_a_ball_given_as_an_ellipsoid_is_as_far_and_as_deep() -> None:
    ball, round_one = kc.Sphere(0.7), kc.Ellipsoid([0.7, 0.7, 0.7])
    for x in (0.1, 0.5, 0.9, 1.2, 1.7, 2.5):
        for other in (kc.Box([1, 2, 3]), kc.Capsule(0.2, 1.0), kc.Cylinder(0.3, 0.8)):
            known = kc.distance(ball, np.eye(4), other, at(x, 0.3 * x))
            found = kc.distance(round_one, np.eye(4), other, at(x, 0.3 * x))
            assert found.distance == pytest.approx(known.distance, abs=2e-6 if known.distance < 0 else 1e-11)
            assert found.lower <= known.upper
            assert known.lower <= found.upper


def test_its_points_and_its_display_hold_it_and_are_close_to_it() -> None:
    shape = kc.Ellipsoid([3, 0.2, 1])
    points, radius = body_points(shape)
    assert radius == 0.0
    hull = kc.Convex(points)
    rng = np.random.default_rng(0)
    for n in rng.normal(size=(200, 3)):
        reach = np.sqrt(((n * shape.radii) ** 2).sum())
        assert (hull.points @ n).max() >= reach
        assert (hull.points @ n).max() <= 1.01 * reach
    shown = build_display_mesh(shape)
    inside = ((shown.positions / np.array(shape.radii)) ** 2).sum(axis=1)
    assert inside == pytest.approx(1.0, abs=1e-5)
    a, b, c = (shown.positions[shown.triangles[:, i]].astype(float) for i in range(3))
    volume = float((a * np.cross(b, c)).sum() / 6.0)
    assert 0.97 < volume / (4 / 3 * np.pi * 0.6) <= 1.0  # outward, and nearly all of it


def test_motions_worlds_and_contacts_take_it() -> None:
    egg = kc.Ellipsoid([0.2, 0.1, 0.1])
    X_W = np.array([at(-1.0), at(1.0)])
    rolling = kc.PoseTrajectory([0.0, 2.0], X_W, "linear")
    assert rolling.path_length(egg, 0.0, 2.0) == pytest.approx(2.0)
    contact = kc.first_contact(egg, rolling, kc.Box([0.2, 1, 1]), at(0.5))
    assert contact.t_lo <= 1.2 <= contact.t_hi + 1e-4
    assert [feature.kind for feature in contact.features] == ["surface", "face"]
    with pytest.raises(kc.ArgumentError, match="find='all' lists faces"):
        kc.collide(egg, np.eye(4), kc.Box([1, 1, 1]), np.eye(4), find="all")
    world = kc.World()
    world.add("egg", [(egg, at(0.0, 0.0, 0.3))], rolling)
    world.add("wall", kc.Box([0.2, 1, 1]), at(0.5))
    report = world.verify()
    assert report.pairs[0].time == pytest.approx(1.2, abs=2e-3)
    assert world.collisions(1.3) == (("egg", "wall"),)


def test_cell_files_have_it(tmp_path: Path) -> None:
    file = tmp_path / "cell.yaml"
    file.write_text(
        "tolerance: 0.001\nobjects:\n"
        "  egg: {ellipsoid: [0.3, 0.2, 0.1], motion: {times: [0, 1], positions: [[-1, 0, 0], [1, 0, 0]]}}\n"
        "  post: {parts: [{ellipsoid: [0.1, 0.1, 2]}, {sphere: 0.2, position: [0, 0, 1]}]}\n"
    )
    assert kc.verify(file).pairs[0].time == pytest.approx(0.3, abs=2e-3)
    file.write_text("objects:\n  egg: {ellipsoid: [0.3, 0.2]}\n  post: {sphere: 1}\n")
    with pytest.raises(kc.CellError, match="ellipsoid"):
        kc.read_cell(file)


def test_cubic_trajectories_deform_it() -> None:
    """Its support point under a matrix comes from its own row of the table."""
    times = np.linspace(0.0, 1.0, 13)
    X_W = np.array([at(2.0 * t - 1.0) for t in times])
    for k, t in enumerate(times):
        X_W[k, :2, :2] = [[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]
    cubic = kc.PoseTrajectory(times, X_W, "cubic", max_deviation=0.01)
    egg = kc.Ellipsoid([0.3, 0.2, 0.1])
    found = kc.first_contact(egg, cubic, kc.Ellipsoid([0.1, 0.5, 0.5]), at(0.6), method="bisection")
    known = kc.first_contact(egg, cubic, kc.Ellipsoid([0.1, 0.5, 0.5]), at(0.6))
    assert found.verdict is known.verdict is kc.Verdict.COLLIDING
    assert found.t_lo <= known.t_hi
    assert known.t_lo <= found.t_hi
