"""The Panda and the Fanuc, and robots made up at random: link poses equal to pinocchio's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import keepclear as kc

Write = Callable[..., Path]


def peer_poses(file: Path, values: dict[str, float], links: tuple[str, ...]) -> np.ndarray:
    """Return where pinocchio puts the links; mimicking joints get their values like all others."""
    pin = pytest.importorskip("pinocchio", reason="pinocchio (pip install pin) is not installed")
    model = pin.buildModelFromUrdf(str(file))
    data = model.createData()
    q = pin.neutral(model)
    for name, value in values.items():
        joint = model.joints[model.getJointId(name)]
        q[joint.idx_q : joint.idx_q + joint.nq] = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
    pin.framesForwardKinematics(model, data, q)
    return np.array([data.oMf[model.getFrameId(link, pin.FrameType.BODY)].homogeneous for link in links])


def joint_values(robot: kc.Robot, q: np.ndarray) -> dict[str, float]:
    k = robot.kinematics
    moving = [i for i, column in enumerate(k.column) if column >= 0]
    return {robot.link_joints[i]: float(k.multiplier[i] * q[k.column[i]] + k.offset[i]) for i in moving}


def assert_equal_poses(file: Path, robot: kc.Robot, n: int) -> None:
    q = np.random.default_rng(2).uniform(-3.0, 3.0, (n, robot.dof))
    found = robot.link_poses(q)
    for i in range(n):
        expected = peer_poses(file, joint_values(robot, q[i]), robot.link_names)
        assert np.abs(found[i] - expected).max() <= 1e-12


def test_panda(shared_data: Path) -> None:
    folder = shared_data / "panda"
    robot = kc.read_robot(folder / "panda.urdf", srdf=folder / "panda.srdf")
    meshes = {id(element.shape): element.shape for link in robot.links for element in link.elements}
    assert repr(robot) == "Robot('panda', 7 joints, 13 links, 11 shapes)"
    assert len(meshes) == 10  # both fingers share one
    assert sum(len(e.shape.triangles) for link in robot.links for e in link.elements) == 3472  # type: ignore[attr-defined]
    assert len({frozenset((pair.a, pair.b)) for pair in robot.allowed_pairs}) == 34
    assert robot.allowed_pairs[0].detail == "Adjacent"
    assert robot.groups["panda_arm_hand"] == robot.joint_names
    assert robot.state("ready").tolist() == [0, -0.785, 0, -2.356, 0, 1.571, 0.785]
    assert robot.warnings == ()
    assert_equal_poses(folder / "panda.urdf", robot, 5)


def test_fanuc(shared_data: Path) -> None:
    folder = shared_data / "fanuc"
    robot = kc.read_robot(folder / "fanuc.urdf", srdf=folder / "fanuc.srdf")
    assert repr(robot) == "Robot('fanuc', 6 joints, 9 links, 7 shapes)"
    assert sum(len(e.shape.triangles) for link in robot.links for e in link.elements) == 6934  # type: ignore[attr-defined]
    assert len(robot.allowed_pairs) == 10
    assert robot.warnings == ()
    assert_equal_poses(folder / "fanuc.urdf", robot, 5)


def random_urdf(rng: np.random.Generator, n: int) -> str:
    """Return links and joints of all kinds, some of which mimic an earlier one."""
    lines, earlier = ['<link name="l0"/>'], ["none"]
    for i in range(1, n):
        kind = str(rng.choice(["revolute", "continuous", "prismatic", "fixed"]))
        numbers = [" ".join(map(str, rng.normal(size=3))) for _ in range(3)]
        axis = str(rng.choice(["1 0 0", "0 -1 0", "0 0 1", numbers[2]]))
        mimic = ""
        if kind != "fixed" and len(earlier) > 1 and rng.random() < 0.3:
            mimic = f'<mimic joint="{earlier[-1]}" multiplier="{rng.normal()}" offset="{rng.normal()}"/>'
        lines.append(
            f'<link name="l{i}"/><joint name="j{i}" type="{kind}"><parent link="l{rng.integers(i)}"/>'
            f'<child link="l{i}"/><origin xyz="{numbers[0]}" rpy="{numbers[1]}"/><axis xyz="{axis}"/>'
            f'<limit lower="-9" upper="9" effort="1" velocity="1"/>{mimic}</joint>'
        )
        if kind != "fixed":
            earlier.append(f"j{i}")
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(6))
def test_robots_made_up_at_random(write: Write, seed: int) -> None:
    file = write(random_urdf(np.random.default_rng(seed), 12), name=f"random{seed}.urdf")
    robot = kc.read_robot(file)
    assert_equal_poses(file, robot, 3)
