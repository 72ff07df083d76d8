"""Robots with long links that cancel, among bodies planted within rounding of their margins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tests.oracles import far_points as exact
from tests.oracles.far_cases import FACES, SIGNS, UNIT, Case, Finding, Truth, frame_findings, instant_findings
from tests.oracles.poses import pose, random_rotation

import keepclear as kc

ROWS = 8  # configurations of one robot, some units of rounding apart


class Joint(NamedTuple):
    """A joint of a chain: its kind, its axis 0, 1 or 2, and its origin in the link before it."""

    kind: str
    axis: int
    xyz: np.ndarray
    rpy: np.ndarray

    def at(self, value: float) -> exact.Map:
        """The map from the link before it to the link after it."""
        origin = exact.origin(self.xyz, self.rpy)
        if self.kind == "fixed":
            return origin
        moved = exact.slide(self.axis, value) if self.kind == "prismatic" else exact.turn(self.axis, value)
        return exact.product(origin, moved)


class Arm:
    """A chain of joints whose last link ends near the centre of a case at the configuration q.

    Attributes:
        q: The configuration, (joints,).
        X_WB: The pose of its base.
        robot: As the library reads it from a file.
    """

    def __init__(self, case: Case, folder: Path, tip: exact.Thing, size: float, base: str = "") -> None:
        rng, self.joints = case.rng, list[Joint]()
        kinds = [
            "revolute",
            *rng.choice(["revolute", "fixed", "prismatic", "fixed"], int(rng.integers(1, 4))),
            "revolute",
        ]
        for kind in kinds:
            long = case.scale if rng.random() < 0.6 else 1.0
            rpy = rng.uniform(-3.0, 3.0, 3) if rng.random() < 0.5 else np.zeros(3)
            self.joints.append(Joint(str(kind), int(rng.integers(3)), rng.uniform(-1.0, 1.0, 3) * long, rpy))
        lengths = [
            min(case.scale, 5e5) if j.kind == "prismatic" else 3.0 for j in self.joints if j.kind != "fixed"
        ]
        self.q = rng.uniform(-1.0, 1.0, len(lengths)) * np.array(lengths)
        self.X_WB = case.far_pose() if rng.random() < 0.4 else np.eye(4)
        X = floats(self.link(self.q, len(self.joints)))
        rpy = rng.uniform(-3.0, 3.0, 3) if rng.random() < 0.5 else np.zeros(3)
        self.joints.append(Joint("fixed", 0, X[:3, :3].T @ (case.center - X[:3, 3]), rpy))
        self.robot = self._read(folder, tip, size, base)

    def link(self, q: np.ndarray, k: int | None = None) -> exact.Map:
        """The pose of link k in the world, of the last one by default, exactly."""
        left, maps = list(np.asarray(q).tolist()), [exact.exact_map(self.X_WB)]
        for joint in self.joints[:k]:
            maps.append(joint.at(0.0 if joint.kind == "fixed" else left.pop(0)))
        return exact.product(*maps)

    def near(self, rng: np.random.Generator) -> np.ndarray:
        """Configurations some units of rounding around q, (ROWS, joints)."""
        off = rng.normal(size=(ROWS, len(self.q))) * 4.0 * UNIT * np.maximum(np.abs(self.q), 1.0)
        off[0] = 0.0
        return np.asarray(self.q + off)

    def _read(self, folder: Path, tip: exact.Thing, size: float, base: str) -> Any:
        shapes = {
            "sphere": f'<sphere radius="{size!r}"/>',
            "box": f'<box size="{2 * size!r} {2 * size!r} {2 * size!r}"/>',
            "mesh": '<mesh filename="cube.obj"/>',
        }
        corners = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in (SIGNS * size).tolist())
        faces = "".join(f"f {' '.join(str(i + 1) for i in face)}\n" for face in FACES)
        (folder / "cube.obj").write_text(corners + faces)
        last = len(self.joints)
        text = [f'<robot name="far"><link name="l0">{base}</link>']
        for k, joint in enumerate(self.joints, 1):
            body = f"<collision><geometry>{shapes[tip.kind]}</geometry></collision>" if k == last else ""
            if k == 1 and base:  # neighbours with shapes are allowed to touch
                body = '<collision><geometry><sphere radius="0.001"/></geometry></collision>'
            xyz, rpy = (" ".join(repr(v) for v in some.tolist()) for some in (joint.xyz, joint.rpy))
            axis = " ".join("1" if i == joint.axis else "0" for i in range(3))
            more = (
                ""
                if joint.kind == "fixed"
                else f'<axis xyz="{axis}"/><limit lower="-1e9" upper="1e9" velocity="1" effort="1"/>'
            )
            text.append(
                f'<link name="l{k}">{body}</link><joint name="j{k}" type="{joint.kind}">'
                f'<origin xyz="{xyz}" rpy="{rpy}"/><parent link="l{k - 1}"/><child link="l{k}"/>{more}</joint>'
            )
        (folder / "far.urdf").write_text("".join(text) + "</robot>")
        return kc.read_robot(folder / "far.urdf")

    @property
    def tip(self) -> str:
        return f"arm/l{len(self.joints)}"


def floats(A: exact.Map) -> np.ndarray:
    """A map, rounded to float64."""
    return np.array(
        [[float(exact.Fraction(v, exact.ONE)) for v in row] for row in A] + [[0.0, 0.0, 0.0, 1.0]]
    )


def configurations(
    world: kc.World, q: np.ndarray, truths: list[Truth], rng: np.random.Generator, call: str
) -> Iterator[Finding]:
    """What a world says about configurations and edges that begin there."""
    found, covers = world.check_configurations("arm", q), world.check_configurations("arm", q, settle=False)
    edges = world.check_edges("arm", q, q + rng.normal(size=q.shape) * 1e-3, tolerance=1e-4, budget=200)
    for k, truth in enumerate(truths):
        yield truth.free(f"{call} check_configurations", not found.colliding[k])
        yield truth.free(f"{call} covers", bool(covers.free[k]))
        yield truth.bounds(f"{call} covers", float(covers.gap[k]))
        yield truth.free(f"{call} check_edges", bool(edges.clear[k]) or float(edges.t_lo[k]) > 0.0)


def chains(rng: np.random.Generator, folder: Path) -> Iterator[Finding]:
    """The last link of a chain beside a body at rest, which may be a part far from its object's origin."""
    case = Case(rng)
    kind, size = str(rng.choice(["sphere", "box", "mesh"])), float(rng.choice([0.05, 0.25, 0.5]))
    tip = exact.thing(kind, size)
    arm = Arm(case, folder, tip, size)
    a = tip.at(arm.link(arm.q))
    b, other, X = case.plant(a)
    X_OP = np.eye(4)
    if rng.random() < 0.3:  # the obstacle is a part as well
        X_OP = case.far_pose()
        thing, other = case.body()
        R = random_rotation(rng)
        X = pose(R, X[:3, 3] - R @ X_OP[:3, 3])
        b = thing.at(exact.product(exact.exact_map(X), exact.exact_map(X_OP)))
    truth, pair = case.truth(a, b), (arm.tip, "b")
    world = kc.World(threads=1)
    world.add_robot("arm", arm.robot, arm.q, arm.X_WB)
    world.add("b", [(other, X_OP)], X)
    world.set_margin("arm", "b", case.margin)
    yield from instant_findings(world, pair, 0.0, truth, "chains:")
    q = arm.near(rng)
    truths = [truth, *(case.truth(tip.at(arm.link(row)), b) for row in q[1:])]
    yield from configurations(world, q, truths, rng, "chains:")
    if rng.random() < 0.1:
        for row, is_free in zip(truths, world.proved_free("arm", q).tolist(), strict=True):
            yield row.free("chains: proved_free", is_free)
    yield from frame_findings(world, pair, truth, "chains:")
    for k in (1, 2):
        world.update("arm", q[k])
        options = {"between": True, "tolerance": 1e-2} if rng.random() < 0.5 else {}
        yield from frame_findings(world, pair, truths[k], "chains updated:", **options)
    start = arm.q + rng.normal(size=len(arm.q)) * 0.01
    program = kc.JointTrajectory(arm.robot, [0.0, 1.0], [start, arm.q])
    world.move("arm", program)
    yield from instant_findings(world, pair, 1.0, truth, "chains moved:")
    found = world.verify(tolerance=case.tolerance, threads=1, budget=300).pairs
    found = [p for p in found if {p.a, p.b} == set(pair)]
    yield truth.free("chains: verify", found[0].verdict is kc.Verdict.CLEAR)
    yield truth.bounds("chains: verify", found[0].clearance_lower)


def links(rng: np.random.Generator, folder: Path) -> Iterator[Finding]:
    """The last link of a chain beside the first one, whose shape is far from its frame."""
    case = Case(rng)
    kind, size = str(rng.choice(["sphere", "box", "mesh"])), float(rng.choice([0.05, 0.25, 0.5]))
    tip = exact.thing(kind, size)
    state = rng.bit_generator.state
    arm = Arm(case, folder, tip, size)
    a = tip.at(arm.link(arm.q))
    ball, radius = exact.thing("sphere", 0.25), 0.25
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    c = [float(v) for v in a.support(n)] + n * (case.gap + a.radius + radius)
    p = floats(exact.inverse(exact.exact_map(arm.X_WB)))[:3] @ np.append(c, 1.0)
    text = " ".join(repr(v) for v in p.tolist())
    after, rng.bit_generator.state = rng.bit_generator.state, state
    base = f'<collision><origin xyz="{text}"/><geometry><sphere radius="0.25"/></geometry></collision>'
    arm = Arm(case, folder, tip, size, base)  # the same joints
    rng.bit_generator.state = after
    own = exact.product(exact.exact_map(arm.X_WB), exact.exact_map(pose(np.eye(3), p)))
    pair, b = ("arm/l0", arm.tip), ball.at(own)
    truth = case.truth(tip.at(arm.link(arm.q)), b)
    world = kc.World(threads=1)
    world.add_robot("arm", arm.robot, arm.q, arm.X_WB)
    world.set_margin(*pair, case.margin)
    if any({one.a, one.b} == {"l0", arm.tip[4:]} for one in arm.robot.allowed_pairs):
        return
    q = arm.near(rng)
    yield from instant_findings(world, pair, 0.0, truth, "links:")
    truths = [truth, *(case.truth(tip.at(arm.link(row)), b) for row in q[1:])]
    yield from configurations(world, q, truths, rng, "links:")
    world.update("arm", q[1])
    yield from frame_findings(world, pair, truths[1], "links updated:")
    program = kc.JointTrajectory(arm.robot, [0.0, 1.0], [arm.q + rng.normal(size=len(arm.q)) * 0.01, arm.q])
    world.move("arm", program)
    found = world.verify(tolerance=case.tolerance, threads=1, budget=300).pairs
    found = next(p for p in found if {p.a, p.b} == set(pair))
    yield truth.free("links: verify", found.verdict is kc.Verdict.CLEAR)
    yield truth.bounds("links: verify", found.clearance_lower)


def held(rng: np.random.Generator, folder: Path) -> Iterator[Finding]:
    """A part that the last link of a chain holds, beside a body at rest; it may be released there."""
    case = Case(rng)
    arm = Arm(case, folder, exact.thing("sphere", 0.01), 0.01)
    thing, made = case.body()
    start = arm.q + rng.normal(size=len(arm.q)) * np.where(np.abs(arm.q) > 3.0, 1.0, 0.1)
    X_OP = case.far_pose() if rng.random() < 0.5 else np.eye(4)
    grasped = floats(arm.link(start))
    R = random_rotation(rng)
    X_WO = pose(R, grasped[:3, 3] + rng.normal(size=3) - R @ X_OP[:3, 3])
    moved = exact.product(arm.link(arm.q), exact.inverse(arm.link(start)), exact.exact_map(X_WO))
    a = thing.at(exact.product(moved, exact.exact_map(X_OP)))
    b, other, X = case.plant(a)
    truth, pair = case.truth(a, b), ("a", "b")
    world = kc.World(threads=1)
    world.add_robot("arm", arm.robot, kc.JointTrajectory(arm.robot, [0.0, 1.0], [start, arm.q]), arm.X_WB)
    world.add("a", [(made, X_OP)], X_WO)
    world.add("b", other, X)
    world.allow("arm", "a")
    world.allow("arm", "b")
    world.set_margin("a", "b", case.margin)
    world.attach("a", arm.tip, 0.0, None if rng.random() < 0.5 else 1.0)
    yield from instant_findings(world, pair, 1.0, truth, "held:")
    yield from instant_findings(world, pair, 2.0, truth, "held:")
    yield from frame_findings(world, pair, truth, "held:", t=1.5)
    found = world.check_configurations("arm", arm.q[None], t=0.5)
    yield truth.free("held: check_configurations", not found.colliding[0])
    pairs = [
        p
        for p in world.verify(tolerance=case.tolerance, threads=1, budget=300).pairs
        if {p.a, p.b} == set(pair)
    ]
    yield truth.free("held: verify", pairs[0].verdict is kc.Verdict.CLEAR)
    yield truth.bounds("held: verify", pairs[0].clearance_lower)
