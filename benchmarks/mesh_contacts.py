"""Two meshes beside python-fcl and coal: contact, all contacts, distance, tracked distance, single calls, builds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import keepclear as kc
from benchmarks.harness import Race, best_times, race, race_table
from benchmarks.mesh_models import machined_part, near_contact_poses, scan_like, smooth_motion, torus_knot
from benchmarks.mesh_peers import Coal, Fcl

KNOTS = (1_000, 10_000, 100_000)
SCAN = 30_000
SINGLE_CALLS = 1_000
BUILD = 100_000
POSES = 200
FRAMES = 1_000
ROUNDS = 5

Job = Callable[[], object]


@dataclass(frozen=True)
class Scene:
    """A mesh beside itself: poses near contact, a motion, and the peers with their own objects for both."""

    name: str
    mesh: kc.Mesh
    X: np.ndarray
    motion: np.ndarray
    coal: Coal
    coal_obb: Coal
    fcl: Fcl

    @classmethod
    def of(cls, name: str, mesh: kc.Mesh) -> Scene:
        """Prepare everything that is not measured."""
        X = near_contact_poses(mesh, mesh, POSES)
        motion = smooth_motion(mesh, mesh, FRAMES)
        return cls(name, mesh, X, motion, Coal(mesh, mesh), Coal(mesh, mesh, "OBB"), Fcl(mesh, mesh))

    def peers(self, ask: Callable[[Any, list[Any]], object], X: np.ndarray) -> dict[str, Job]:
        """Return a job for each peer: python-fcl, and coal with the kind of boxes that is faster for this question."""
        kinds: list[Job] = [partial(ask, peer, peer.poses(X)) for peer in (self.coal, self.coal_obb)]
        times = best_times(kinds, len(X), rounds=2)
        return {
            self.fcl.name: partial(ask, self.fcl, self.fcl.poses(X)),
            "coal": kinds[int(np.argmin(times))],
        }

    def peers_with_distance(self, X: np.ndarray) -> dict[str, Job]:
        """Return the jobs that ask for distances and closest points, which coal has for one kind of boxes only."""
        peers = self.fcl, self.coal
        return {peer.name: partial(peer.distance, peer.poses(X), points=True) for peer in peers}


def scenes() -> list[Scene]:
    """Return the knots, the machined part and the scan."""
    meshes = [(f"knot, {n} triangles", torus_knot(n)) for n in KNOTS]
    part, scan = machined_part(), scan_like(SCAN)
    meshes += [(f"{m.name}, {len(m.triangles)} triangles", m) for m in (part, scan)]
    return [Scene.of(name, mesh) for name, mesh in meshes]


def check(scene: Scene) -> None:
    """Stop unless everybody gives the same yes, no and distance."""
    check_contacts(scene)
    mesh, eye = scene.mesh, np.eye(4)
    # Peers round too: a gap is a difference of coordinates, so its error is measured by these and not by the gap.
    rounding = 1e-15 * float(np.abs(np.concatenate(mesh.bounds)).max())
    tracked = kc.Tracker(mesh, mesh).distance(eye, scene.motion)
    for X, ours in ((scene.X, kc.distance(mesh, eye, mesh, scene.X)), (scene.motion, tracked)):
        for peer in (scene.fcl, scene.coal):
            theirs = np.maximum(peer.distance(peer.poses(X)), 0.0)
            off = np.abs(ours.distance - theirs) - rounding
            assert (off <= 1e-9 * theirs).all(), f"{scene.name}: {peer.name} is {off.max():.1e} m off"


def check_contacts(scene: Scene) -> None:
    """Stop where a peer says otherwise, unless its own distance contradicts it, which is printed.

    coal calls triangles in contact that are 1e-7 m apart, by its own account and everybody's.
    """
    mesh, X = scene.mesh, scene.X
    meet = kc.collide(mesh, np.eye(4), mesh, X).colliding
    gaps = {peer.name: np.array(peer.distance(peer.poses(X))) for peer in (scene.fcl, scene.coal)}
    for peer in (scene.fcl, scene.coal, scene.coal_obb):
        other = np.flatnonzero(meet != np.array(peer.collide(peer.poses(X))))
        gap = gaps[peer.name][other]
        assert np.array_equal(gap <= 0.0, meet[other]), f"{scene.name}: {peer.name} says otherwise"
        if len(other):
            where = f"at {len(other)} of {len(X)} poses, where it gives a distance of {gap.max():.1e} m"
            print(f"{scene.name}: {peer.name} calls a contact {where}")


def booleans(all_scenes: Sequence[Scene]) -> list[Race]:
    """Measure whether they meet, a batch in one call."""
    rows = []
    for s in all_scenes:
        ours = partial(kc.collide, s.mesh, np.eye(4), s.mesh, s.X)
        peers = s.peers(lambda peer, poses: peer.collide(poses), s.X)
        rows.append(race(s.name, ours, peers, POSES, rounds=ROUNDS))
    return rows


def contacts(all_scenes: Sequence[Scene]) -> list[Race]:
    """Measure all pairs of faces with the segments in which they meet; the peers give a point and a normal each."""
    rows = []
    for s in all_scenes:

        def ours() -> object:
            return kc.collide(s.mesh, np.eye(4), s.mesh, s.X, find="all").segments_W

        answer = kc.collide(s.mesh, np.eye(4), s.mesh, s.X, find="all")
        counts = [sum(len(pairs) for pairs in answer.pairs)]
        counts += [sum(peer.count_contacts(peer.poses(s.X))) for peer in (s.fcl, s.coal)]
        peers = s.peers(lambda peer, poses: peer.count_contacts(poses, points=True), s.X)
        remark = "pairs: {}, {}, {}".format(*counts)
        rows.append(race(s.name, ours, peers, POSES, remark=remark, rounds=ROUNDS))
    return rows


def distances(all_scenes: Sequence[Scene]) -> list[Race]:
    """Measure distance and closest points, a batch in one call."""
    rows = []
    for s in all_scenes:
        ours = partial(kc.distance, s.mesh, np.eye(4), s.mesh, s.X)
        rows.append(race(s.name, ours, s.peers_with_distance(s.X), POSES, rounds=ROUNDS))
    return rows


def tracked(all_scenes: Sequence[Scene]) -> list[Race]:
    """Measure distance along a smooth motion; the peers know no tracking, so they answer frame by frame."""
    rows = []
    for s in all_scenes:
        tracker = kc.Tracker(s.mesh, s.mesh)

        def ours() -> object:
            tracker.reset()
            return tracker.distance(np.eye(4), s.motion)

        cold = partial(kc.distance, s.mesh, np.eye(4), s.mesh, s.motion)
        row = race(s.name, ours, s.peers_with_distance(s.motion), FRAMES, rounds=ROUNDS)
        (plain,) = best_times([cold], FRAMES, rounds=2)
        remark = f"{plain / row.ours:.1f} times as fast as untracked"
        rows.append(Race(row.name, row.ours, row.peers, remark))
    return rows


def single_calls(scene: Scene) -> list[Race]:
    """Measure one call from Python per pose: pose arrays for keepclear, ready-made transforms for the peers."""
    mesh, eye, poses = scene.mesh, np.eye(4), list(scene.X)
    far = scene.X.copy()
    far[:, :3, 3] += 100.0 * np.ptp(mesh.vertices)
    nothing, frames, tracker = list(far), list(scene.motion), kc.Tracker(mesh, mesh)
    rows = []
    for name, where, X in (
        ("collide, far apart (nothing but the call)", nothing, far),
        ("collide, near contact", poses, scene.X),
    ):
        peers = scene.peers(lambda peer, ready: peer.collide(ready), X)
        job = partial(_each, lambda X_WB: kc.collide(mesh, eye, mesh, X_WB), where)
        rows.append(race(name, job, peers, POSES, rounds=ROUNDS))
    job = partial(_each, lambda X_WB: kc.distance(mesh, eye, mesh, X_WB), poses)
    rows.append(race("distance, near contact", job, scene.peers_with_distance(scene.X), POSES, rounds=ROUNDS))
    job = partial(_each, lambda X_WB: tracker.distance(eye, X_WB), frames)
    peers = scene.peers_with_distance(scene.motion)
    rows.append(race("tracked distance", job, peers, FRAMES, rounds=ROUNDS))
    return rows


def _each(ask: Callable[[np.ndarray], object], poses: Sequence[np.ndarray]) -> None:
    for pose in poses:
        ask(pose)


def builds(n_triangles: int) -> list[Race]:
    """Measure the trees alone, and everything that a first question needs: arrays to mesh, closed or not, tree."""
    mesh, small = torus_knot(n_triangles), torus_knot(100)
    fcl, coal = Fcl(small, small), Coal(small, small)
    obb = Coal(small, small, "OBB")
    kinds: list[Job] = [partial(coal.build, mesh), partial(obb.build, mesh)]
    times = best_times(kinds, 1, rounds=2)
    peers: dict[str, Job] = {fcl.name: partial(fcl.build, mesh), coal.name: kinds[int(np.argmin(times))]}
    vertices, triangles = np.array(mesh.vertices), np.array(mesh.triangles)

    def everything(build: Callable[[kc.Mesh], Any]) -> object:
        return build(kc.Mesh(vertices, triangles)).surface

    jobs: list[tuple[str, Job]] = [
        ("build_obb_tree", partial(kc.build_obb_tree, mesh)),
        ("build_box_tree", partial(kc.build_box_tree, mesh)),
        ("Mesh, is it closed, build_obb_tree", partial(everything, kc.build_obb_tree)),
    ]
    return [race(name, job, peers, 1, rounds=ROUNDS) for name, job in jobs]


def main() -> None:
    """Print all tables; first everybody must agree."""
    all_scenes = scenes()
    for scene in all_scenes:
        check(scene)
    where = f"{POSES} poses near contact"
    race_table(f"Do two meshes meet? Batch, per pose, {where}", booleans(all_scenes))
    race_table(f"All contacts, batch, per pose, {where}", contacts(all_scenes))
    race_table(f"Distance and closest points, batch, per pose, {where}", distances(all_scenes))
    race_table(f"Distance along a smooth motion, per frame of {FRAMES}", tracked(all_scenes))
    small = next((s for s in all_scenes if len(s.mesh.triangles) >= SINGLE_CALLS), all_scenes[0])
    race_table(f"One call from Python per pose, {small.name}", single_calls(small))
    race_table(f"Build, {BUILD} triangles", builds(BUILD))


if __name__ == "__main__":
    main()
