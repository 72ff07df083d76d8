"""Robots whose tips graze a floor: no edge or configuration within the margin is called free, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.oracles import far_points as exact
from tests.oracles.far_robots import Joint, floats
from tests.oracles.floor import HALF, Body, grid_mesh, true_height

import keepclear as kc

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.125
OFFSET = np.array([0.5, 0.25, 0.125])  # of the tip's shape in its frame
QUADS = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
TIPS = {
    "sphere": '<sphere radius="0.125"/>',
    "box": '<box size="0.25 0.25 0.25"/>',
    "mesh": '<mesh filename="tip.obj"/>',
}
PLACES = ("world", "base", "branch")


class Crane(NamedTuple):
    """A robot with two branches: the arm, whose tip grazes the floor, and one that may carry the floor."""

    arm: list[Joint]
    branch: list[Joint]

    @property
    def joints(self) -> list[Joint]:
        return [*self.arm, *self.branch]

    def tip(self, q: np.ndarray) -> exact.Map:
        return exact.product(*(joint.at(float(v)) for joint, v in zip(self.arm, q, strict=False)))

    def other(self, q: np.ndarray, place: str) -> exact.Map:
        """The frame that the floor is fixed to."""
        if place != "branch":
            return exact.exact_map(np.eye(4))
        return exact.product(
            *(joint.at(float(v)) for joint, v in zip(self.branch, q[len(self.arm) :], strict=True))
        )


def some_joints(rng: np.random.Generator, n: int, scale: float) -> list[Joint]:
    found = []
    for _ in range(n):
        kind = "revolute" if rng.random() < 0.8 else "prismatic"
        found.append(Joint(kind, int(rng.integers(3)), rng.normal(size=3) * scale, rng.uniform(-1.0, 1.0, 3)))
    return found


class Case:
    """An edge of a crane, and a floor that the tip grazes at the fraction s of it.

    Attributes:
        height: The true distance there.
        margin: A float that is not below it.
    """

    def __init__(self, seed: int, folder: Path, tip: str, floor: str, place: str, far: bool) -> None:
        rng = np.random.default_rng(seed)
        scale = 10.0 ** rng.uniform(2.0, 5.0) if far else 0.4
        self.crane = Crane(some_joints(rng, int(rng.integers(1, 4)), scale), some_joints(rng, 1, 0.4))
        n = len(self.crane.joints)
        self.q0 = rng.integers(-512, 513, n) / 512.0
        self.q1 = self.q0 + rng.integers(-64, 65, n) / 128.0
        self.s = float(rng.choice([3, 5, 8, 11])) / 16.0
        self.place = place
        radius = 0.125 if tip == "sphere" else 0.0
        self.body = Body(None, OFFSET + (CORNERS if tip != "sphere" else np.zeros((1, 3))), radius)
        gap = float(rng.choice([0.0, 1e-3, 0.05, 0.3]))
        self.floor = self.below(rng, gap)
        self.height = self.true(self.s)
        self.margin = max(float(self.height), 0.0)
        if Fraction(self.margin) < self.height:
            self.margin = float(np.nextafter(self.margin, np.inf))
        robot = kc.read_robot(self.write(folder, tip, floor))
        self.world = kc.World(threads=1)
        self.world.add_robot("arm", robot, self.q(0.0))
        name = {"world": "floor", "base": "arm/base", "branch": "arm/floor"}[place]
        if place == "world":
            shape = kc.Box([2.0 * h for h in HALF]) if floor == "box" else kc.Mesh(*grid_mesh())
            self.world.add("floor", shape, self.floor)
        self.world.only([("arm/tip", name)])
        self.world.set_margin("arm/tip", name, self.margin)

    def q(self, s: float) -> np.ndarray:
        return np.asarray(self.q0 + s * (self.q1 - self.q0))

    def seen(self, s: float) -> np.ndarray:
        """The position of the tip's shape in the frame that the floor is fixed to."""
        q = self.q(s)
        X = floats(exact.product(exact.inverse(self.crane.other(q, self.place)), self.crane.tip(q)))
        return np.asarray(X[:3] @ [*OFFSET, 1.0])

    def below(self, rng: np.random.Generator, gap: float) -> np.ndarray:
        """A pose of the floor at which the height is about the gap, and the tip neither rises nor falls."""
        e = 2.0**-7
        a, b, c = (self.seen(self.s + k * e) for k in (-1, 0, 1))
        along, up = c - a, a + c - 2.0 * b + 1e-9 * rng.normal(size=3)
        if np.linalg.norm(along) > 0.0:
            up = up - along * (up @ along) / (along @ along)
        z = up / np.linalg.norm(up)
        x = np.cross(z, rng.normal(size=3))
        x /= np.linalg.norm(x)
        X = np.eye(4)
        X[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
        X = kc.nearest_rigid(X)
        X[:3, 3] = b - z * (HALF[2] + 1.0)
        for _ in range(3):
            self.floor = X
            X[:3, 3] += z * (float(self.true(self.s)) - gap)
        return X

    def rpy(self) -> np.ndarray:
        R = self.floor
        return np.array([np.arctan2(R[2, 1], R[2, 2]), -np.arcsin(R[2, 0]), np.arctan2(R[1, 0], R[0, 0])])

    def true(self, s: float) -> Fraction:
        """The height at a fraction of the edge."""
        return self.at(self.q(s))

    def at(self, q: np.ndarray) -> Fraction:
        """The height at a configuration."""
        own = (
            exact.exact_map(self.floor)
            if self.place == "world"
            else exact.origin(self.floor[:3, 3], self.rpy())
        )
        return true_height(self.body, self.crane.tip(q), exact.product(self.crane.other(q, self.place), own))

    def write(self, folder: Path, tip: str, floor: str) -> Path:
        for name, (vertices, faces) in {"tip": (CORNERS, QUADS), "floor": grid_mesh()}.items():
            text = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(vertices).tolist()]
            text += ["f " + " ".join(str(int(i) + 1) for i in face) for face in faces]
            (folder / f"{name}.obj").write_text("\n".join(text) + "\n")
        size = " ".join(repr(2.0 * h) for h in HALF)
        shape = f'<box size="{size}"/>' if floor == "box" else '<mesh filename="floor.obj"/>'
        ground = f"<collision>{origin(self.floor[:3, 3], self.rpy())}<geometry>{shape}</geometry></collision>"
        links = {
            "base": ground if self.place == "base" else "",
            "floor": ground if self.place == "branch" else "",
        }
        last = f"<collision>{origin(OFFSET, np.zeros(3))}<geometry>{TIPS[tip]}</geometry></collision>"
        text = [f'<robot name="crane"><link name="base">{links["base"]}</link>']
        # A small body between keeps the tip and the base from being neighbours, which may touch.
        small = '<collision><geometry><sphere radius="1e-6"/></geometry></collision>'
        parent = "base"
        for k, joint in enumerate(self.crane.arm):
            is_last = k + 1 == len(self.crane.arm)
            name = "tip" if is_last else f"a{k}"
            if is_last:
                text.append(
                    f'<link name="mid">{small}</link>' + joint_text("fixed", "jm", parent, "mid", "", "")
                )
                parent = "mid"
            text.append(f'<link name="{name}">{last if is_last else ""}</link>')
            text.append(moving(joint, f"ja{k}", parent, name))
            parent = name
        text.append(
            f'<link name="floor">{links["floor"]}</link>'
            + moving(self.crane.branch[0], "jb", "base", "floor")
        )
        (folder / "crane.urdf").write_text("".join(text) + "</robot>")
        return folder / "crane.urdf"


def origin(xyz: Any, rpy: Any) -> str:
    p, a = (" ".join(repr(float(v)) for v in some) for some in (xyz, rpy))
    return f'<origin xyz="{p}" rpy="{a}"/>'


def joint_text(kind: str, name: str, parent: str, child: str, place: str, more: str) -> str:
    return f'<joint name="{name}" type="{kind}">{place}<parent link="{parent}"/><child link="{child}"/>{more}</joint>'


def moving(joint: Joint, name: str, parent: str, child: str) -> str:
    axis = " ".join("1" if i == joint.axis else "0" for i in range(3))
    more = f'<axis xyz="{axis}"/><limit lower="-1e9" upper="1e9" velocity="1" effort="1"/>'
    return joint_text(joint.kind, name, parent, child, origin(joint.xyz, joint.rpy), more)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("floor", ["box", "mesh"])
@pytest.mark.parametrize("tip", list(TIPS))
def test_no_graze_is_missed(tip: str, floor: str, place: str, seed: int, tmp_path: Path) -> None:
    case = Case(seed, tmp_path, tip, floor, place, far=seed >= 3)
    edge = case.world.check_edges("arm", case.q0[None], case.q1[None], tolerance=1e-3)
    assert not edge.clear[0]
    assert edge.t_lo[0] <= case.s
    q = np.tile(case.q(case.s), (10, 1))
    q[1:] += (
        np.random.default_rng(seed).normal(size=(9, q.shape[1])) * 2.0**-51
    )  # within rounding of the margin
    found, covers = (
        case.world.check_configurations("arm", q),
        case.world.check_configurations("arm", q, settle=False),
    )
    for k, row in enumerate(q):
        height = case.at(row)
        if height <= Fraction(case.margin):
            assert found.colliding[k]
            assert not covers.free[k]
        assert Fraction(float(covers.gap[k])) <= max(height, 0)
