"""The scene of a world for a page: all shapes and joints, and their poses at some instants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from keepclear.checks import FloatArray
from keepclear.geometry.bodies.bounds import shape_of
from keepclear.names import listed
from keepclear.report.parts import PairReport
from keepclear.report.scene import Scene, SceneBody, SceneRobot
from keepclear.report.words import counted
from keepclear.robot.readers.link_shapes import VisualReader, colour_of
from keepclear.scene.items import WorldRobot
from keepclear.scene.timeline import Timeline, rests

FRAMES = 240
MOST_POSES = 150_000  # poses of moving bodies, of 28 bytes each; beyond, only frames of contacts


def make_scene(
    timeline: Timeline, t0: float, t1: float, pairs: Sequence[PairReport], moments: Sequence[float] = ()
) -> Scene:
    """Return all bodies at equally spaced instants, at waypoints, at moments, and when pairs touch or are closest."""
    hits = list(dict.fromkeys([contact.time for pair in pairs for contact in pair.contacts] + [*moments]))
    closest = [pair.clearance_time for pair in pairs if pair.clearance_time is not None and pair.time is None]
    grid = np.linspace(t0, t1, FRAMES + 1) if t1 > t0 else np.array([t0])
    knots = _knots(timeline)
    if len(knots) > FRAMES:  # of a dense program, not all knots are shown
        knots = knots[:0]
    changes = [t for i in range(len(timeline.items)) for t in timeline.changes(i)]
    moving = sum(not rests(timeline.motion(i, 0, 0), t0, t1) for i in range(len(timeline.items)))
    most = max(MOST_POSES // max(moving, 1), FRAMES // 4)
    if len(grid) + len(hits) + len(closest) > most:  # a page of many bodies shows fewer instants
        grid = grid[:: max(len(grid) * 2 // most, 1)] if t1 > t0 else grid
        hits, closest = hits[: most // 4], closest[: most // 4]
    times = np.unique(np.concatenate([grid, knots, hits, closest, changes, [t0, t1]]))
    return scene_at(timeline, times[(times >= t0) & (times <= t1)])


def scene_at(timeline: Timeline, times: FloatArray) -> Scene:
    """Return all bodies at some instants, and the joints and visual shapes of robots."""
    bodies = []
    for i, item in enumerate(timeline.items):
        colour = colour_of(item.owner.robot.links[item.link]) if isinstance(item.owner, WorldRobot) else None
        still = len(timeline.parent_frames[i]) == 1 and rests(
            timeline.motion(i, 0, 0), *times[[0, -1]].tolist()
        )
        for p, part in enumerate(item.parts):
            X_W = timeline.poses(i, p, times[:1] if still else times)
            bodies.append(SceneBody(item.name, shape_of(part.body), X_W, colour))
    robots, reader = [], VisualReader()
    for robot in timeline.robots.values():
        q = robot.program.at(times)
        X_WL = np.asarray(robot.robot.link_poses(q, robot.X_WB))
        bodies += _visual_bodies(robot, reader, X_WL)
        robots.append(_robot(robot, q, X_WL[:, :, :3, 3]))
    return Scene(times, tuple(bodies), tuple(robots), tuple(_notes(reader)))


def _robot(robot: WorldRobot, q: FloatArray, origins: FloatArray) -> SceneRobot:
    """Return the values of a robot's joints, and the positions of its moving links."""
    model = robot.robot
    moves = (origins != origins[:1]).any(axis=(0, 2)).nonzero()[0]
    return SceneRobot(
        robot.name, model.joint_names, tuple(model.kinematics.turns.tolist()), tuple(model.lower.tolist()),
        tuple(model.upper.tolist()), q, tuple(f"{robot.name}/{model.link_names[k]}" for k in moves.tolist()),
        origins[:, moves],
    )  # fmt: skip


def _visual_bodies(robot: WorldRobot, reader: VisualReader, X_WL: FloatArray) -> Iterator[SceneBody]:
    """Yield the visual shapes of a robot's links if they differ from those that were checked."""
    for k, link in enumerate(robot.robot.links):
        name = f"{robot.name}/{link.name}"
        for shown in reader.read(link):
            yield SceneBody(name, shown.shape, X_WL[:, k] @ shown.X_LG, shown.colour, is_visual=True)


def _notes(reader: VisualReader) -> Iterator[str]:
    """Yield one sentence about visual geometry that cannot be shown."""
    if reader.failures:
        names = listed(list(reader.failures), None)
        first = next(iter(reader.failures.values())).partition("; tried ")[0].rstrip(".")
        yield (
            f"the visual geometry of {counted(len(reader.failures), 'link')} cannot be read ({names}), so the shapes "
            f"that were checked are shown; the first: {first}"
        )


def _knots(timeline: Timeline) -> FloatArray:
    """Return the knots of all motions, each once."""
    found: dict[int, FloatArray] = {}
    for i in range(len(timeline.items)):
        for k in range(len(timeline.parent_frames[i])):
            motion = timeline.motion(i, 0, k)
            found[id(motion)] = np.asarray(motion.knots)
    return np.unique(np.concatenate([np.empty(0), *found.values()]))
