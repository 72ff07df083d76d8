"""Configurations of one robot that sphere models prove free: suitable covers, and one compiled run."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from keepclear.checks import FloatArray
from keepclear.errors import ArgumentError
from keepclear.geometry.bodies.body import Part
from keepclear.geometry.bodies.bounds import shape_of
from keepclear.geometry.spheres.cover import SphereCover
from keepclear.geometry.spheres.cover_files import is_covered
from keepclear.geometry.spheres.tree import build_sphere_tree
from keepclear.kernels.spheres import configurations
from keepclear.names import known_names
from keepclear.query.moving.moving_pair import check_for_stop
from keepclear.report.words import counted
from keepclear.robot.links import Link
from keepclear.robot.model import Robot
from keepclear.robot.spheres.model import SphereModel
from keepclear.scene.robots.robot_tables import RobotTables, joint_nodes
from keepclear.scene.robots.sphere_bodies import SphereBody, sphere_body
from keepclear.scene.robots.sphere_tables import SphereTables

BoolArray = npt.NDArray[np.bool_]
CALL = 1 << 16  # configurations between two checks for Ctrl-C; about a tenth of a second
MANY = 1024  # minimum number of configurations for each thread
DEFAULT_PART = 0.1
"""Excess of the default model, as a part of half the diagonal of the largest link [1]."""
HELD = 8.0  # ratio of the size of a held object to that of its spheres
_kernel: Callable[..., int] = configurations.run
_bodies: weakref.WeakKeyDictionary[Robot, tuple[SphereModel, dict[str, SphereBody]]] = (
    weakref.WeakKeyDictionary()
)


def model_of(robot: Robot) -> SphereModel:
    """Return the default model; it is cached with the robot."""
    sizes = [_half_diagonal(link) for link in robot.links if link.elements]
    if not sizes:
        return SphereModel(robot.name, {})
    return robot.sphere_model(accuracy=float(f"{DEFAULT_PART * max(sizes):.2g}"))


def _half_diagonal(link: Link) -> float:
    """Return half the diagonal of the box around the shapes of a link [m], or a little more."""
    corners = []
    for element in link.elements:
        lower, upper = element.shape.bounds
        box = np.array(np.meshgrid(*zip(lower, upper, strict=True))).reshape(3, -1)
        corners.append((element.X_LG[:3, :3] @ box).T + element.X_LG[:3, 3])
    return 0.5 * float(np.linalg.norm(np.ptp(np.concatenate(corners), axis=0)))


def check_model(robot: Robot, model: object) -> SphereModel:
    """Return a sphere model that covers a robot; the cover of a model that was not built for it is proved again.

    Raises:
        ArgumentError: It is not a sphere model, does not cover, or belongs to another robot.
    """
    if type(model) is not SphereModel:
        raise ArgumentError(
            f"model must be a kc.SphereModel (robot.sphere_model) or None, but it is {type(model).__name__}."
        )
    kept = _bodies.get(robot)
    if kept is not None and kept[0] is model:
        return model
    which = f"sphere model of {model.robot_name!r}"
    is_own = any(model is known for known in list(robot._models.values()))
    unknown = [name for name in model.covers if name not in robot.link_names]
    if unknown:
        raise ArgumentError(
            f"{which} has a link {unknown[0]!r}, which robot {robot.name!r} has not"
            f"{known_names(unknown[0], robot.link_names, 'link')}"
        )
    for link in robot.links:
        if not link.elements:
            continue
        cover = model.covers.get(link.name)
        if cover is None:
            raise ArgumentError(
                f"{which} has no spheres for link {link.name!r}, which has {counted(len(link.elements), 'shape')}; "
                "it would prove nothing."
            )
        if cover.cover > 0.0:
            far = "an unknown distance" if np.isinf(cover.cover) else f"up to {cover.cover:.3g} m"
            raise ArgumentError(
                f"{which}: link {link.name!r} may stick out of its spheres by {far}, so it proves nothing; "
                "build one with robot.sphere_model."
            )
        if not is_own and not is_covered([(shape_of(one.shape), one.X_LG) for one in link.elements], cover):
            raise ArgumentError(
                f"{which}: its spheres are not proved to cover link {link.name!r} of robot {robot.name!r}; were they "
                "made for another shape of it?"
            )
    return model


def sphere_tables(tables: RobotTables, model: SphereModel) -> SphereTables:
    """Return the tables of a robot at an instant with the spheres of a model, and covers of held objects."""
    robot, scene = tables.robot, tables.scene
    _, frames = joint_nodes(robot.robot.kinematics, np.eye(4))
    bodies = {f"{robot.name}/{name}": body for name, body in _link_bodies(robot.robot, model).items()}
    for i, item in enumerate(scene.items):
        if item.name in tables.holds:
            parent = scene.timeline.parent_frames[i][scene.timeline.parent_index(i, tables.t)]
            node, X_NL = frames[parent.link]
            X_NO = X_NL @ parent.X_LO
            parts = [(part.body, X_NO @ part.X_OP) for part in item.parts]
            bodies[item.name] = sphere_body(node, _cover_of(item.parts), X_NO, parts)
    return SphereTables(tables, bodies)


def _link_bodies(robot: Robot, model: SphereModel) -> dict[str, SphereBody]:
    """Return links with their spheres in the frames of joints; those of the last model are cached."""
    kept = _bodies.get(robot)
    if kept is not None and kept[0] is model:
        return kept[1]
    _, frames = joint_nodes(robot.kinematics, np.eye(4))
    found = {}
    for (node, X_NL), link in zip(frames, robot.links, strict=True):
        if link.elements:
            parts = [(element.shape, X_NL @ element.X_LG) for element in link.elements]
            found[link.name] = sphere_body(node, model[link.name], X_NL, parts)
    _bodies[robot] = model, found
    return found


def _cover_of(parts: tuple[Part, ...]) -> SphereCover:
    """Return spheres around all parts of an object, in its frame."""
    centers, radii = [], []
    excess = 0.0
    for part in parts:
        shape = shape_of(part.body)
        lower, upper = shape.bounds
        tree = build_sphere_tree(shape, float(np.linalg.norm(upper - lower)) / HELD, cells="even")
        rank = tree.ranks[-1]
        centers.append(rank.centers @ part.X_OP[:3, :3].T + part.X_OP[:3, 3])
        # harmless (1e-12): spheres are compared with a slack of 2^-19 of sizes
        radii.append(np.full(len(rank), rank.radius * (1.0 + 1e-12)))
        # harmless: nothing is proved by the excess of a held object
        excess = max(excess, tree.excess)
    # harmless (excess): likewise
    return SphereCover(np.concatenate(centers), np.concatenate(radii), 0.0, excess)


def prove_free(
    tables: SphereTables, q: FloatArray, margin: float | None, threads: int
) -> tuple[BoolArray, int, bool]:
    """Return which configurations are free, the row of a bad value (-1: none), and whether limits are exceeded."""
    n, arrays, free = len(q), tables.arrays(margin), np.zeros(len(q), np.bool_)
    threads = max(1, min(threads, n // MANY))
    cuts = [n * k // threads for k in range(threads + 1)]

    def run(begin: int, end: int) -> npt.NDArray[np.int64]:
        room, counts = tables.room(), np.array([-1, 0], np.int64)
        for first in range(begin, end, CALL):
            check_for_stop()
            _kernel(*arrays, q, *room, counts, free, first, min(first + CALL, end))
            if counts[0] >= 0:
                break
        return counts

    if threads == 1:
        flags = [run(0, n)]
    else:
        with ThreadPoolExecutor(threads) as pool:
            flags = list(pool.map(run, cuts[:-1], cuts[1:]))
    bad = [int(one[0]) for one in flags if one[0] >= 0]
    return free, min(bad, default=-1), any(one[1] != 0 for one in flags)
