"""Contacts that are easily missed: spinning boxes through a thin plate, long rods past small objects, reversals."""

import numpy as np
from tests.oracles import mesh_bodies as make
from tests.oracles.contact_time import Encounter, Truth, first_contact_truth
from tests.oracles.exact_points import box, capsule, convex, cylinder, sphere
from tests.oracles.motion_bodies import Thing
from tests.oracles.motion_families import Question, highest
from tests.oracles.motion_poses import fixed, move, turn
from tests.oracles.poses import pose, random_rotation, unit_vector

Array = np.ndarray
Generator = np.random.Generator
HERE = np.eye(4)
DOWN = np.array([0.0, 0.0, -1.0])


def shift(x: float, y: float, z: float) -> Array:
    return pose(np.eye(3), (x, y, z))


class OverPlate(Encounter):
    """A body that comes from above to a wide level plate at rest: until it touches, its height is the distance."""

    def distances(self, t: Array) -> tuple[Array, Array]:
        top = float(self.move_b.X_W[0, 2, 3]) + plate_thickness(self.b) / 2
        heights = -highest(self.a, self.move_a, DOWN, np.asarray(t))[0] - top
        return np.maximum(heights - 1e-15, 0.0), np.where(
            heights < -1e-15, 0.0, np.maximum(heights, 0) + 1e-15
        )


def plate_thickness(plate: Thing) -> float:
    return float(np.ptp(plate.points[:, 2]))


def spinning_box(rng: Generator, kind: str) -> Question:
    """A box of 5 cm falls through a plate of 1 mm, turning about any axis by one to ten radians, in 30 or 3 cm."""
    cube = Thing(box((0.05, 0.05, 0.05))) if rng.random() < 0.5 else Thing(make.box_mesh((0.05, 0.05, 0.05)))
    plate = Thing(box((1, 1, 0.001))) if rng.random() < 0.5 else Thing(make.box_mesh((1, 1, 0.001)))
    n, reach = int(rng.integers(1, 5)), float(rng.choice([0.05, 0.3]))
    R, X = random_rotation(rng), []
    aside = rng.uniform(-0.2, 0.2, size=2)
    for z in np.linspace(reach, -reach, n + 1):
        X.append(pose(R, (*aside, z)))
        R = nearest(R @ turn(rng.normal(size=3), rng.uniform(1.0, 2.8)))
        aside = aside + (rng.uniform(-0.05, 0.05, size=2) if kind == "linear" else 0.0)
    told = move(kind, np.linspace(0.0, 1.0, n + 1), X)
    truth = first_contact_truth(OverPlate(cube, told, plate, fixed(HERE)), resolution=1e-12)
    return Question(Encounter(cube, told, plate, fixed(HERE)), truth)


def nearest(R: Array) -> Array:
    """The rotation nearest to R."""
    U, _, V = np.linalg.svd(R)
    return U @ V


def turning_rod(rng: Generator, kind: str, *, lift: float | None = None) -> Question:
    """A rod of 2 m turns by 170 degrees about an end, or its middle, and meets something of 1 cm at a known angle.

    A screw turns the rod about its end; a straight motion, whose origin must stay, about its middle. A round
    rod touches a ball at the height `lift` over the plane of the turn when the ball's centre is
    sqrt((r + s)^2 - lift^2) beside its axis. A square rod touches a corner of a small box when that corner is
    in the plane of its side.
    """
    sweep = np.radians(170.0)
    middle = 1.0 if kind == "screw" else 0.0
    far, angle = rng.uniform(0.15, 0.85 + middle), rng.uniform(0.4, 2.8)
    if lift is not None or rng.random() < 0.5:
        r, s = 0.01, 0.005
        rod = Thing(capsule(r, 2.0)) if rng.random() < 0.6 else Thing(cylinder(r, 2.0))
        height = rng.uniform(-0.9, 0.9) * (r + s) if lift is None else r + s + lift
        beside = np.sqrt(max((r + s) ** 2 - height**2, 0.0))
        touching = angle - np.arcsin(beside / far)
        obstacle, X_WB = Thing(sphere(s)), shift(far * np.cos(angle), far * np.sin(angle), height)
        upright = turn((0, 1, 0), np.pi / 2)
    else:
        w, corners = 0.04, box((2.0, 0.04, 0.04))
        makers = (Thing(corners), Thing(convex(corners.points)), Thing(make.box_mesh((2.0, w, w))))
        rod = makers[int(rng.integers(3))]
        obstacle = Thing(box((0.01, 0.01, 0.01)))
        X_WB = pose(random_rotation(rng), (far * np.cos(angle), far * np.sin(angle), 0.0))
        at = obstacle.points @ X_WB[:3, :3].T + X_WB[:3, 3]
        polar, reach = np.arctan2(at[:, 1], at[:, 0]), np.hypot(at[:, 0], at[:, 1])
        touching = float(np.min(polar - np.arcsin(w / 2 / reach)))
        upright = np.eye(3)
    times = np.array([2.0, 5.0])
    when = 2.0 + 3.0 * touching / sweep
    clear = lift is not None and lift > 0
    truth = Truth(5.0, np.nan) if clear else Truth(when - 1e-12, when + 1e-12)
    told = move(kind, times, [about_z(turned, upright, middle) for turned in (0.0, sweep)])
    return Question(Encounter(rod, told, obstacle, fixed(X_WB)), truth, 1e-4 if lift is None else 1e-7)


def about_z(angle: float, R: Array, middle: float) -> Array:
    """A rod that lies along x with its middle at a distance from the z axis, turned about that axis."""
    Z = turn((0, 0, 1), angle)
    return pose(nearest(Z @ R), Z @ np.array([middle, 0.0, 0.0]))


def to_and_fro(rng: Generator, kind: str, *, last: bool) -> Question:
    """A turning ball comes near, touches a ball, goes, touches again; `last`: only at the very last instant."""
    r, s = rng.uniform(0.1, 0.5, size=2)
    u = unit_vector(rng)
    gaps = [1.0, 0.01, 0.5, 0.02, 0.7, 0.0] if last else [1.0, 0.01, 0.5, -0.2, 0.7, 0.0, 1.0, -0.1]
    centre = rng.normal(size=3)
    X = [pose(random_rotation(rng), centre + (r + s + gap) * u) for gap in gaps]
    if kind == "screw":  # a screw is straight only without a turn
        X = [pose(X[0][:3, :3], x[:3, 3]) for x in X]
    times = np.cumsum(rng.uniform(0.2, 1.0, size=len(gaps)))
    contact = times[-1] if last else times[2] + (times[3] - times[2]) * 0.5 / 0.7
    case = Encounter(Thing(sphere(r)), move(kind, times, X), Thing(sphere(s)), fixed(shift(*centre)))
    return Question(case, Truth(contact - 1e-12, np.nan if last else contact + 1e-12))
