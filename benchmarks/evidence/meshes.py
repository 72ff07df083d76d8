"""Contacts and distances of two meshes over all gaps, tracked motions, trees, and first contacts of moving bodies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

import keepclear as kc
from benchmarks.cold_distance import poses_at
from benchmarks.evidence.question import Question
from benchmarks.mesh_models import machined_part, near_contact_poses, scan_like, smooth_motion, torus_knot
from benchmarks.mesh_peers import Coal, Fcl
from benchmarks.moving_cases import Family, hull_families, hull_mesh_families, mesh_mesh_families
from benchmarks.moving_peers import Rapier

POSES, ROUNDS, FRAMES = 40, 5, 300
EYE = np.eye(4)
GAPS = {"gap 0.2 %": 0.002, "gap 1 %": 0.01, "gap 5 %": 0.05, "gap 20 %": 0.2, "gap 100 %": 1.0}
TOLERANCE = 1e-4  # of first contacts [m]


def questions() -> Iterator[Question]:
    """Yield the rows of meshes."""
    for label, mesh in (
        ("knot of 1 000", torus_knot(1_000)),
        ("scan of 30 000", scan_like(30_000)),
        ("part of 9 000", machined_part()),
    ):
        peers: list[Coal | Fcl] = [Fcl(mesh, mesh), Coal(mesh, mesh)]
        lower, upper = mesh.bounds
        size = float(np.linalg.norm(upper - lower))
        X = near_contact_poses(mesh, mesh, POSES)
        yield _asked(f"contact of two meshes, {label} triangles, near contact", mesh, X, peers, "collide")
        for gap_label, gap in GAPS.items():
            X_WA, X_WB = poses_at(mesh, gap * size, POSES, seed=5)
            X = np.linalg.inv(X_WA) @ X_WB
            yield _asked(
                f"distance of two meshes, {label} triangles, {gap_label}", mesh, X, peers, "distance"
            )
        yield _tracked(label, mesh, peers)
    yield from _trees()
    yield from _moving()


def _asked(name: str, mesh: kc.Mesh, X: np.ndarray, peers: list[Coal | Fcl], question: str) -> Question:
    ask = kc.collide if question == "collide" else kc.distance
    jobs = {peer.name: partial(getattr(peer, question), peer.poses(X)) for peer in peers}
    drawn = "half of them just overlapping, half just apart" if question == "collide" else "random rotations"
    return Question(name, f"{len(X)} poses, {drawn}", partial(ask, mesh, EYE, mesh, X), jobs, len(X), ROUNDS)


def _tracked(label: str, mesh: kc.Mesh, peers: list[Coal | Fcl]) -> Question:
    X = smooth_motion(mesh, mesh, FRAMES)
    tracker = kc.Tracker(mesh, mesh)
    jobs = {peer.name: partial(peer.distance, peer.poses(X)) for peer in peers}
    return Question(
        f"distance of two meshes, {label} triangles, tracked",
        f"a smooth motion of {FRAMES} frames past the other body",
        partial(tracker.distance, EYE, X),
        jobs,
        len(X),
        3,
    )


def _trees() -> Iterator[Question]:
    mesh = torus_knot(100_000)
    coal = Coal(torus_knot(1_000), torus_knot(1_000))
    for kind, build in (("oriented boxes", kc.build_obb_tree), ("BoxTree", kc.build_box_tree)):
        yield Question(
            f"build of a tree over 100 000 triangles, {kind}",
            "a torus knot",
            partial(build, mesh),
            {"coal": partial(coal.build, mesh)},
            1,
            3,
        )


def _moving() -> Iterator[Question]:
    """Yield first contacts of moving bodies, in one batch, beside rapier's nonlinear shape cast."""
    rapier = Rapier()
    families: list[tuple[str, Family]] = [("convex", one) for one in hull_families(60)]
    families += [("beside a mesh", one) for one in hull_mesh_families(40)]
    families += [("two meshes", one) for one in mesh_mesh_families(5)]
    for kind, family in families:
        cases = family.cases[: family.rapier]
        asked = [case.question for case in cases]
        yield Question(
            f"first contact, {kind}: {family.name}",
            f"{len(cases)} motions through or past the other body, turning",
            partial(kc.first_contact_batch, asked, TOLERANCE),
            {"rapier": rapier.job(cases)},
            len(cases),
            3 if len(cases) > 5 else 1,
        )
