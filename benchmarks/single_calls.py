"""One call from Python per query, as in loops of planners and simulators: ours beside python-fcl and rapier.

Peers get prepared transforms and motions of their classes; keepclear gets arrays and trajectories.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

import keepclear as kc
from benchmarks.harness import best_times, duration
from benchmarks.mesh_models import machined_part, near_contact_poses, torus_knot
from benchmarks.mesh_peers import Fcl
from benchmarks.moving_cases import Case, Flight, random_hull
from benchmarks.moving_peers import FclAdvance, Rapier
from benchmarks.point_contact import KINDS, peer_job, random_queries

POSES, FLIGHTS, POINTS = 200, 100, 200
Job = Callable[[], object]


def main() -> None:
    """Print a table for each kind of question."""
    print(f"\nOne call per question\n{'':<46}{'keepclear':>12}  peers, and how many times ours they take")
    mesh_rows()
    moving_rows()
    point_rows()


def row(name: str, n: int, ours: Job, peers: dict[str, Job]) -> None:
    """Time all on n questions in turns, and print a line."""
    mine, *theirs = best_times([ours, *peers.values()], n)
    told = [f"{peer} {duration(t)} ({t / mine:.2f}x)" for peer, t in zip(peers, theirs, strict=True)]
    print(f"{name:<46}{duration(mine):>12}  {', '.join(told)}")


def mesh_rows() -> None:
    """Measure `collide` and `distance` of two meshes close to contact."""
    eye = np.eye(4)
    for label, mesh in (
        ("knot, 1000 triangles", torus_knot(1_000)),
        ("knot, 10000 triangles", torus_knot(10_000)),
        ("machined part", machined_part()),
    ):
        X, fcl = near_contact_poses(mesh, mesh, POSES), Fcl(mesh, mesh)
        for which, some in (("overlap", X[::2]), ("gap", X[1::2])):
            ready = fcl.poses(some)
            row(
                f"collide, {label}, {which}",
                len(some),
                lambda mesh=mesh, some=some: [kc.collide(mesh, eye, mesh, pose) for pose in some],
                {fcl.name: partial(fcl.collide, ready)},
            )
            row(
                f"distance, {label}, {which}",
                len(some),
                lambda mesh=mesh, some=some: [kc.distance(mesh, eye, mesh, pose) for pose in some],
                {fcl.name: partial(fcl.distance, ready, points=True)},
            )


def flights(fixed: kc.Box | kc.Convex, moving: kc.Box | kc.Convex, aside: float, seed: int) -> list[Case]:
    """Return bodies that fly past another at a distance of their centres, turning by up to a radian."""
    rng = np.random.default_rng(seed)
    cases = []
    for _ in range(FLIGHTS):
        start = np.eye(4)
        start[:3, :3] = Rotation.random(random_state=rng).as_matrix()
        start[:3, 3] = -1.0, rng.uniform(-0.05, 0.05), aside
        cases.append(Case(fixed, moving, Flight(start, np.array([2.0, 0.0, 0.0]), 0.5 * rng.normal(size=3))))
    return cases


def moving_rows() -> None:
    """Measure `first_contact` and `clearance` of two convex bodies, one of them moving."""
    rng = np.random.default_rng(0)
    box, other, hull = kc.Box([0.2, 0.3, 0.25]), kc.Box([0.3, 0.2, 0.2]), random_hull(rng, 0.3)
    rapier = moving_peer()
    for label, fixed, moving, aside in (
        ("box and box, contact", box, other, 0.0),
        ("box and box, none", box, other, 0.6),
        ("hull of 32 and box, contact", box, hull, 0.0),
        ("hull of 32 and box, none", box, hull, 0.6),
    ):
        cases = flights(fixed, moving, aside, seed=1)
        questions = [case.question for case in cases]
        peers: dict[str, Job] = {"python-fcl": FclAdvance().job(cases)}
        if rapier is not None:
            peers[rapier.name] = rapier.job(cases)
        row(
            f"first_contact, {label}",
            FLIGHTS,
            lambda questions=questions: [kc.first_contact(*q) for q in questions],
            peers,
        )
        row(
            f"clearance, {label}",
            FLIGHTS,
            lambda questions=questions: [kc.clearance(*q) for q in questions],
            {},
        )


def moving_peer() -> Rapier | None:
    """Return rapier where it is installed."""
    try:
        return Rapier()
    except ImportError:
        print("(rapier3d is not installed, so first_contact is beside python-fcl alone)")
        return None


def point_rows() -> None:
    """Measure one query of four moving points."""
    points = random_queries(POINTS)
    pairs = [(q[:4].copy(), q[4:].copy()) for q in points]
    for kind, ask in KINDS.items():
        peers: dict[str, Job] = {}
        try:
            peers["ipctk"] = peer_job(kind, points)
        except ImportError:
            print("(ipctk is not installed, so points have no peer)")
        row(f"{kind}, points at random", POINTS, lambda ask=ask: [ask(x0, x1) for x0, x1 in pairs], peers)
