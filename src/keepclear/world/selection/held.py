"""Warnings about held objects that float (farther from their link than their own size), or that jump to their link."""

from __future__ import annotations

import numpy as np

from keepclear.checks import FloatArray
from keepclear.errors import UnitMistake
from keepclear.geometry.bodies.body import Part
from keepclear.geometry.bodies.bounds import ball_and_box
from keepclear.motion.joints.chains import inverse
from keepclear.scene.scene import Scene
from keepclear.scene.steps import box_gap
from keepclear.scene.timeline import ParentFrame

JUMP = 1e-3
"""An object that is displaced by more than this when a link grasps it in a given pose gets a warning [m].

Grippers centre parts by less. Only a warning depends on it.
"""


def held_mistakes(scene: Scene, t0: float, t1: float) -> list[UnitMistake]:
    """Return a warning for each object that a link holds at a distance, or that jumps to it, during an interval [s].

    An object that is attached without a pose keeps the one that it has at that time. If the robot is elsewhere, the
    object floats beside it, and its pairs are clear for the wrong reason. The distance is that of boxes in the frame of
    the link, so it is never too large; fingers and other held objects that are near the link count as part of it.
    """
    found = []
    for i, item in enumerate(scene.items if scene.rules.attachments else ()):
        for k, parent in enumerate(scene.timeline.parent_frames[i]):
            t = min(max(parent.window[0], t0), t1)
            if not _is_held(scene, i, parent) or not parent.window[0] <= t <= parent.window[1]:
                continue
            gap, size = _gap(_boxes(scene, [i], parent, t), _hand(scene, i, parent, t)), _size(scene, i)
            if gap > size:
                found.append(_floating(item.name, parent, gap, size))
            elif k > 0 and parent.is_given and (jump := _jump(scene, i, k)) > JUMP:
                found.append(_jumping(item.name, parent, jump))
    return found


def _is_held(scene: Scene, i: int, parent: ParentFrame) -> bool:
    """Return whether a parent frame is a link that holds an object, and not the owner of a link."""
    return parent.robot is not None and parent.robot is not scene.items[i].owner


def _hand(scene: Scene, i: int, parent: ParentFrame, t: float) -> FloatArray:
    """Return boxes around the link, what is fixed to it, links after it, and held objects near these, (n, 6) [m]."""
    assert parent.robot is not None
    tree, root = parent.robot.robot.kinematics, parent.link
    while tree.column[root] < 0 and tree.parent[root] >= 0:
        root = int(tree.parent[root])
    below = {root}
    for k in range(root + 1, len(tree.parent)):
        if int(tree.parent[k]) in below:
            below.add(k)
    links: list[int] = []
    held: list[int] = []
    for j in range(len(scene.items)):
        other = scene.timeline.parent_frames[j][scene.timeline.parent_index(j, t)]
        if j != i and other.robot is parent.robot and other.link in below:
            (held if _is_held(scene, j, other) else links).append(j)
    hand = np.concatenate([np.zeros((1, 6)), _boxes(scene, links, parent, t)])  # and the origin of the link
    others = {j: _boxes(scene, [j], parent, t) for j in held}
    # harmless (<=): it is which objects get a warning
    while near := [j for j, boxes in others.items() if _gap(boxes, hand) <= _size(scene, j)]:
        hand = np.concatenate([hand, *(others.pop(j) for j in near)])
    return hand


def _boxes(scene: Scene, items: list[int], parent: ParentFrame, t: float) -> FloatArray:
    """Return the boxes of the parts of some items in the frame of a link at an instant, (n, 6) [m]."""
    assert parent.robot is not None
    robot = parent.robot
    X_LW = inverse(np.asarray(robot.program.link(robot.robot.link_names[parent.link], robot.X_WB).pose(t)))
    rows: list[FloatArray] = []
    for i in items:
        k = scene.timeline.parent_index(i, t)
        for p, part in enumerate(scene.items[i].parts):
            rows.append(_box(part, X_LW @ np.asarray(scene.timeline.motion(i, p, k).pose(t))))
    return np.array(rows).reshape(-1, 6)


def _box(part: Part, X: FloatArray) -> FloatArray:
    """Return the box around a part at a pose, (6,) [m]."""
    around = ball_and_box(part.body)
    center, half = X[:3, :3] @ around[:3] + X[:3, 3], np.abs(X[:3, :3]) @ around[4:7]
    return np.concatenate([center - half, center + half])


def _size(scene: Scene, i: int) -> float:
    """Return the length of the diagonal of an object [m]."""
    boxes = np.array([_box(part, part.X_OP) for part in scene.items[i].parts])
    return float(np.linalg.norm(boxes[:, 3:].max(axis=0) - boxes[:, :3].min(axis=0)))


def _jump(scene: Scene, i: int, k: int) -> float:
    """Return how far a part of an object is displaced when it gets its parent frame k [m]; a bound for rotations."""
    t, line, found = scene.timeline.parent_frames[i][k].window[0], scene.timeline, 0.0
    for p, part in enumerate(scene.items[i].parts):
        before, after = (np.asarray(line.motion(i, p, n).pose(t)) for n in (k - 1, k))
        around = ball_and_box(part.body)
        middle = (after - before) @ [*around[:3], 1.0]
        turn = np.linalg.norm(after[:3, :3] - before[:3, :3], 2) * around[3]
        found = max(found, float(np.linalg.norm(middle) + turn))
    return found


def _gap(boxes: FloatArray, others: FloatArray) -> float:
    return min(box_gap(a, b) for a in boxes for b in others)


def _link_name(parent: ParentFrame) -> str:
    assert parent.robot is not None
    return f"{parent.robot.name}/{parent.robot.robot.link_names[parent.link]}"


def _jumping(name: str, parent: ParentFrame, jump: float) -> UnitMistake:
    return UnitMistake(
        f"object {name!r} jumps by {jump:.4g} m at {parent.window[0]:g} s, when {_link_name(parent)!r} grasps it in "
        "the given pose; check this pose, and where the object is before"
    )


def _floating(name: str, parent: ParentFrame, gap: float, size: float) -> UnitMistake:
    link = _link_name(parent)
    since = f" from {parent.window[0]:g} s on" if parent.window[0] > -np.inf else ""
    advice = (
        "check whether its pose relative to the link is in metres"
        if parent.is_given
        else "it was not there at that time: check the start of the program, or give its pose relative to the link "
        "(tool: or a pose under attached: in a cell, X_LA= in Python)"
    )
    return UnitMistake(
        f"object {name!r} floats {gap:.4g} m away from {link!r}, which holds it{since}, although it is only "
        f"{size:.4g} m large; {advice}"
    )
