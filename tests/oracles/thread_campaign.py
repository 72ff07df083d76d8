"""Objects used by eight threads at once: `python -m tests.oracles.thread_campaign --seconds 60`.

Each case makes fresh objects and lets all threads call them at random. A call returns the right answer, known from one
thread beforehand, or raises `kc.BusyError`; anything else is printed, and the exit code is 1. A call that takes longer
than HANG prints the stacks of all threads and ends the process with an error; so does a crash.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from tests.oracles.poses import random_rotation
from tests.unit.geometry.element_meshes import l_block, u_block
from tests.unit.world.worlds import SLIDER, at, drive, slider, way

import keepclear as kc

N_THREADS = 8
ROUND = 0.4  # seconds with the same objects
HANG = 60.0  # seconds
E = np.eye(4)
Rng = np.random.Generator
Call = Callable[[Rng], object]


@dataclass
class Case:
    """Calls of shared objects, each with a check of its answer, and a check when all threads have ended."""

    calls: list[Call]
    finish: Callable[[], object] = field(default=lambda: None)


def pose(rng: Rng, far: float = 2.0) -> np.ndarray:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = random_rotation(rng), rng.uniform(-far, far, 3)
    return X


def frames(n: int = 24) -> list[np.ndarray]:
    """A smooth motion past the other body and through it, and a few jumps."""
    rng = np.random.default_rng(5)
    smooth = [at(x, 0.4, 0.1) for x in np.linspace(-3.0, 3.0, n)]
    return [*smooth, *(pose(rng) for _ in range(n // 2))]


def check_distance(found: Any, truth: Any, what: object) -> None:
    assert bool(found.colliding) == bool(truth.colliding), (
        f"{what}: contact {found.colliding}, {truth.colliding}"
    )
    assert abs(float(found.distance) - float(truth.distance)) < 1e-7, (
        f"{what}: {found.distance}, {truth.distance}"
    )
    assert float(found.lower) <= float(truth.distance) + 1e-9, (
        f"{what}: lower {found.lower}, {truth.distance}"
    )


def tracker_case(a: Any, b: Any, **options: Any) -> Case:
    poses = frames()
    truth = [kc.distance(a, E, b, X) for X in poses]
    tracker = kc.Tracker(a, b, **options)

    def single(rng: Rng) -> None:
        k = int(rng.integers(len(poses)))
        check_distance(tracker.distance(E, poses[k]), truth[k], f"frame {k}")

    def batch(rng: Rng) -> None:
        k = int(rng.integers(len(poses) - 4))
        found = tracker.distance(E, np.array(poses[k : k + 4]))
        assert (np.abs(found.distance - [float(t.distance) for t in truth[k : k + 4]]) < 1e-7).all()

    def reset(_: Rng) -> None:
        tracker.reset()

    def read(_: Rng) -> None:
        assert tracker.statistics.frames >= 0
        assert isinstance(tracker.events, tuple)
        assert tracker.state in kc.TrackerState

    return Case([single, single, single, batch, reset, read])


def groups() -> Case:
    post = kc.Box([0.2, 0.2, 1.0])
    gate = kc.Group({"left": (post, at(-1, 0)), "right": (post, at(1, 0))})
    ball, poses = kc.Sphere(0.1), [at(x, 0.5) for x in np.linspace(-2, 2, 17)]
    tracker = kc.Tracker(gate, ball)
    apart = [float(kc.distance([(post, at(-1, 0)), (post, at(1, 0))], E, ball, X).distance) for X in poses]
    nearer = [
        min(d, float(kc.distance(post, at(0, 0), ball, X).distance))
        for d, X in zip(apart, poses, strict=True)
    ]

    def ask(rng: Rng) -> None:
        k = int(rng.integers(len(poses)))
        found = float(tracker.distance({}, poses[k]).distance)
        assert min(abs(found - apart[k]), abs(found - nearer[k])) < 1e-7, (found, apart[k], nearer[k])

    def toggle(_: Rng) -> None:
        try:
            gate.attach("middle", (post, at(0, 0)))
        except kc.ArgumentError as error:
            assert "already" in str(error)  # noqa: PT017
            try:
                gate.detach("middle")
            except kc.UnknownNameError:
                return  # another thread was first

    def settled() -> None:
        if "middle" in gate:
            gate.detach("middle")
        for k, X in enumerate(poses):
            assert abs(float(tracker.distance({}, X).distance) - apart[k]) < 1e-7

    return Case([ask, ask, ask, toggle], settled)


def crowd_of(n: int, **options: Any) -> kc.Crowd:
    rng = np.random.default_rng(3)
    x = np.stack(np.meshgrid(*[np.arange(n) * 3.0] * 2, [0.0]), axis=-1).reshape(-1, 3)
    v = rng.uniform(-1, 1, x.shape) * [1, 1, 0]
    return kc.Crowd(x, v, 0.5, 0.0, motion=kc.Ballistic(), bounds=([-9] * 3, [9 + 3 * n] * 3), **options)


def crowds() -> Case:
    crowd, twin, seen = crowd_of(4, history=True), crowd_of(4), []

    def advance(rng: Rng) -> None:
        try:
            seen.append(crowd.advance(crowd.time + float(rng.uniform(0, 0.05))))
        except kc.ArgumentError as error:
            assert "already" in str(error)  # noqa: PT017  # another thread has advanced it further

    def read(_: Rng) -> None:
        n = len(crowd)
        assert crowd.positions().shape == (n, 3) == crowd.velocities().shape
        assert crowd.radii.shape == (n,) == crowd.observed.shape
        assert crowd.clear_until(0, 1) >= 0.0
        assert crowd.time >= 0.0
        assert crowd.statistics["contacts"] >= 0
        assert crowd.copy().time <= crowd.time

    def forecast(_: Rng) -> None:
        try:
            crowd.forecast(crowd.time + 0.2)
        except kc.ArgumentError as error:
            assert "already" in str(error)  # noqa: PT017  # another thread has advanced it further

    def same_events() -> None:
        found = np.concatenate(seen) if seen else np.empty(0)
        truth = twin.advance(crowd.time)
        assert len(found) == len(truth), (len(found), len(truth))
        assert np.allclose(np.sort(found["time"]), truth.time, atol=1e-9)

    return Case([advance, advance, advance, read, forecast], same_events)


def observed_crowds() -> Case:
    crowd = kc.Crowd([[0.0, 0.0], [5.0, 0.0]], None, 0.5, max_speeds=1.0)

    def observe(rng: Rng) -> None:
        k = int(rng.integers(2))
        used = crowd.observe([k], crowd.time, [[5.0 * k, float(rng.uniform(-0.1, 0.1))]])
        assert used.shape == (1,)

    def change(rng: Rng) -> None:
        ids = crowd.add([[50.0, float(rng.uniform(0, 9))]], None, 0.1, max_speeds=1.0)
        crowd.remove(ids)

    def advance(_: Rng) -> None:
        try:
            crowd.advance(crowd.time + 1e-4)
        except kc.ArgumentError as error:
            assert "already" in str(error)  # noqa: PT017

    def kept() -> None:
        crowd.remove([i for i in crowd.ids if i > 1])  # of an `add` whose `remove` found the crowd in use
        assert crowd.ids.tolist() == [0, 1]
        assert np.abs(crowd.positions()[:, 1]).max() <= 0.1 + 1e-9

    return Case([observe, change, advance], kept)


def animations() -> Case:
    animation = kc.CrowdAnimation(crowd_of(2), rate=50)

    def advance(_: Rng) -> None:
        try:
            animation.advance(animation.crowd.time + 0.01)
        except kc.ArgumentError as error:
            assert "already" in str(error)  # noqa: PT017

    def read(_: Rng) -> None:
        assert len(animation.events) >= 0
        assert (np.diff(animation.times) >= 0.0).all()

    return Case([advance, read])


def small_world() -> kc.World:
    world = kc.World(threads=2)
    world.add_robot("arm", slider(), drive([0, 1], [0, 1]))
    world.add("post", kc.Box([0.2, 0.2, 0.2]), at(3.0, 0.0))
    world.add("block", u_block(), at(0, 8))
    world.add("ball", kc.Sphere(0.1), way([0, 1], (0, 1, 0), (1, 1, 0)))
    return world


def worlds() -> Case:
    """A door that threads open and close, add and remove; every answer is that of the door open, closed or gone."""
    world = small_world()
    open_, closed = at(9, 9), at(0.5, 0)
    world.add("door", kc.Box([0.1, 1, 1]), open_)
    truth = {True: (kc.Verdict.COLLIDING, True), False: (kc.Verdict.CLEAR, False)}

    def change(rng: Rng) -> None:
        world.move("door", closed if rng.integers(2) else open_)

    def update(rng: Rng) -> None:
        world.update(["door"], (closed if rng.integers(2) else open_)[None])

    def margin(rng: Rng) -> None:
        world.set_margin("post", None, float(rng.uniform(0, 0.01)))

    def add_and_remove(rng: Rng) -> None:
        name = f"far {threading.get_ident()}"
        world.add(name, kc.Sphere(0.1), at(50, float(rng.uniform(0, 50))))
        world.remove(name)

    def verify(_: Rng) -> None:
        report = world.verify(tolerance=1e-4, threads=1)
        hit = any("door" in (p.a, p.b) and p.verdict is kc.Verdict.COLLIDING for p in report.pairs)
        assert truth[hit] == (report.verdict, hit)

    def ask(_: Rng) -> None:
        found = {(d.a, d.b): float(d.distance) for d in world.distances(0.0)}
        assert abs(found["arm/head", "post"] - 2.8) < 1e-9
        assert ("arm/head", "door") in found
        assert abs(float(world.first_contact("arm/head", "post", margin=0.0).t_lo) - 1.0) < 1e-9
        assert not any("ball" in pair for pair in world.collisions(0.0))

    def plan(_: Rng) -> None:
        q = np.array([[0.0, 0.0], [3.0, 0.0]])
        assert world.check_configurations("arm", q).colliding.tolist() == [False, True]
        assert not world.check_edges("arm", q[:1], q[1:]).clear[0]
        world.proved_free("arm", q[:1])

    def loop(_: Rng) -> None:
        near = world.contacts(far=0.5, between=False)
        assert all({a, b} <= {*world.names, *near.a, *near.b} for a, b in zip(near.a, near.b, strict=True))

    def submit(_: Rng) -> None:
        check = world.submit("block", "block", at(0.1, 0), find="all")
        assert check.result(HANG).colliding
        assert len(list(check)) == len(check.result().pairs)

    def simulate(_: Rng) -> None:
        assert len(world.simulate(dt=0.5, models="exact", stop=False).steps) == 3

    def fork(_: Rng) -> None:
        again = world.copy()
        again.remove("door")
        assert again.verify(tolerance=1e-4, threads=1).verdict is kc.Verdict.CLEAR

    def end() -> None:
        world.move("door", closed)
        assert world.verify(tolerance=1e-4).verdict is kc.Verdict.COLLIDING
        world.close()

    return Case(
        [change, update, margin, add_and_remove, verify, ask, plan, loop, submit, simulate, fork], end
    )


def streams() -> Case:
    world, vertices = kc.World(), [[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]
    patch, starts = world.begin("patch", E), []

    def chunk(rng: Rng) -> None:
        first = patch.vertices(np.add(vertices, [0, 0, float(rng.uniform(0, 9))]))
        starts.append(first)
        patch.faces([[first, first + 1, first + 2]])

    def whole() -> None:
        assert len(set(starts)) == len(starts)
        patch.end()
        mesh = world._find("patch").body
        assert len(mesh.faces) == len(starts)
        assert (
            np.ptp(mesh.vertices[mesh.faces][:, :, 2], axis=1) == 0.0
        ).all()  # three vertices of one chunk

    return Case([chunk], whole)


def stores() -> Case:
    folder = tempfile.TemporaryDirectory()
    store = kc.ResultStore(Path(folder.name) / "results.db")

    def keep(rng: Rng) -> None:
        key = rng.bytes(32)
        store.keep(1, {key: key[::-1]})
        assert store.find(1, [key]) == {key: key[::-1]}
        store.count(1, 1)

    def verify(_: Rng) -> None:
        world = small_world()
        assert world.verify(tolerance=1e-3, threads=1, store=store).verdict is kc.Verdict.CLEAR

    def end() -> None:
        assert store.computed >= store.stored >= 0
        store.close()
        folder.cleanup()

    return Case([keep, keep, verify], end)


def lazy_shapes() -> Case:
    """Meshes, hulls and trees that nothing was computed of yet: all threads ask first."""
    source, poses = u_block(), frames(8)
    truth = [kc.distance(source, E, source, X) for X in poses]
    shared: dict[str, Any] = {"mesh": kc.Mesh(source.vertices, source.faces), "count": 0}

    def ask(rng: Rng) -> None:
        mesh = shared["mesh"]
        k = int(rng.integers(len(poses)))
        check_distance(kc.distance(mesh, E, mesh, poses[k]), truth[k], f"pose {k}")
        assert kc.collide(mesh, E, mesh, poses[k]).colliding == truth[k].colliding
        assert mesh.is_solid == source.is_solid
        assert kc.prepare(mesh).shape is not None
        shared["count"] += 1
        if shared["count"] % 40 == 0:
            shared["mesh"] = kc.Mesh(source.vertices, source.faces)

    return Case([ask])


def lazy_robots() -> Case:
    q = np.array([[0.5, 0.0]])
    truth = slider().link_poses(q)
    shared: dict[str, Any] = {"robot": _fresh_robot(), "count": 0}

    def ask(rng: Rng) -> None:
        robot = shared["robot"]
        assert np.array_equal(robot.link_poses(q), truth)
        model = robot.sphere_model(accuracy=0.05 if rng.integers(2) else 0.03)
        assert model["head"] is not None
        program = kc.JointTrajectory(robot, [0, 1], [[0, 0], [1, 0]])
        assert np.allclose(program.link("head").pose(0.5)[:3, 3], [0.5, 0, 0])
        world = kc.World(threads=1)
        world.add_robot("arm", robot, [0, 0])
        world.add("post", kc.Box([0.2, 0.2, 0.2]), at(3.0, 0.0))
        assert world.proved_free("arm", q, model=model).tolist() == [True]
        shared["count"] += 1
        if shared["count"] % 40 == 0:
            shared["robot"] = _fresh_robot()

    return Case([ask])


def _fresh_robot() -> kc.Robot:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "robot.urdf").write_text(SLIDER)
        return kc.read_robot(Path(folder) / "robot.urdf")


def lazy_results() -> Case:
    """Results whose properties are computed when they are read."""
    u, ell = u_block(), l_block()

    def fresh() -> list[Any]:
        world = small_world()
        world.update("ball", at(0.0, 0.25))
        return [
            kc.collide(u, E, ell, at(0.2, 0.1, 0.1), find="all"),
            kc.distance(u, E, ell, at(5, 0)),
            kc.distance([(u, E)], E, [(ell, E)], at(5, 0)),
            kc.first_contact(u, kc.Fixed(E), ell, way([0, 1], (9, 0, 0), (0, 0, 0))),
            kc.clearance(u, kc.Fixed(E), ell, way([0, 1], (9, 0, 0), (5, 0, 0))),
            world.verify(tolerance=1e-3, curves=4, scene=True),
            world.contacts(far=0.5),
            world.check_edges("arm", [[0.0, 0.0]], [[3.0, 0.0]]),
            world.simulate(dt=0.5, models="exact", stop=False),
        ]

    truth = [_read(found) for found in fresh()]
    shared: dict[str, Any] = {"results": fresh(), "count": 0}

    def ask(rng: Rng) -> None:
        results = shared["results"]
        k = int(rng.integers(len(results)))
        found = _read(results[k])
        assert found == truth[k], f"{type(results[k]).__name__}: {found} {truth[k]}"
        shared["count"] += 1
        if shared["count"] % 60 == 0:
            shared["results"] = fresh()

    return Case([ask])


def _read(result: Any) -> dict[str, str]:
    """Return the text of every public property."""
    found = {}
    for name in sorted(set(dir(result)) - {"cpu_seconds", "seconds", "effort", "timings"}):
        if name.startswith("_"):
            continue
        try:
            value = getattr(result, name)
        except (kc.KeepclearError, AttributeError) as error:
            value = type(error).__name__
        if not callable(value):
            found[name] = " ".join(str(value).split()) if "0x" not in str(value) else type(value).__name__
    return found


def fleet_reports() -> Case:
    folder = tempfile.mkdtemp()
    cell = Path(folder) / "cell.yaml"
    cell.write_text(
        "objects:\n  post: {box: [0.1, 0.1, 1]}\n"
        "  ball: {sphere: 0.1, motion: {times: [0, 1], positions: [[-1, 0.5, 0], [1, 0.5, 0]], "
        "interpolation: linear}}\n"
    )
    report = kc.fleet.FleetReport(list(kc.fleet.verify_programs([cell])))
    truth = report.to_json(), report.to_csv(), report.to_html(), report.to_junit()

    def read(_: Rng) -> None:
        assert (report.to_json(), report.to_csv(), report.to_html(), report.to_junit()) == truth
        assert report.verdict is kc.Verdict.CLEAR

    return Case([read])


CASES: dict[str, Callable[[], Case]] = {
    "Tracker of convex shapes": lambda: tracker_case(kc.Box([1, 1, 1]), kc.Capsule(0.3, 0.5)),
    "Tracker of meshes": lambda: tracker_case(u_block(), l_block()),
    "Tracker of meshes, hulls at once": lambda: tracker_case(
        u_block(), l_block(), eps_hull=0.05, background=True
    ),
    "Tracker of a mesh and a convex shape": lambda: tracker_case(u_block(), kc.Sphere(0.4)),
    "Tracker of box trees": lambda: tracker_case(kc.build_box_tree(u_block()), kc.build_box_tree(l_block())),
    "Tracker of compounds": lambda: tracker_case(
        [(u_block(), E), (kc.Box([0.2, 0.2, 0.2]), at(0, 1))], [(l_block(), E), (kc.Sphere(0.1), at(1, 0))]
    ),
    "Group, Tracker of groups": groups,
    "Crowd": crowds,
    "Crowd, observed": observed_crowds,
    "CrowdAnimation": animations,
    "World, Check, Simulation": worlds,
    "World.begin": streams,
    "ResultStore": stores,
    "Mesh, Prepared, trees": lazy_shapes,
    "Robot, SphereModel, JointTrajectory": lazy_robots,
    "Report, FrameContacts and other results": lazy_results,
    "FleetReport": fleet_reports,
}


@dataclass
class Count:
    """Calls that were answered, calls that raised a `BusyError`, and everything else that was raised."""

    answered: int = 0
    busy: int = 0
    wrong: list[str] = field(default_factory=list)


def run_round(case: Case, seed: int, seconds: float, count: Count) -> None:
    """Let eight threads call the objects of a case at random for a while."""
    end = time.monotonic() + seconds
    gate = threading.Barrier(N_THREADS)

    def work(k: int) -> None:
        rng, answered, busy = np.random.default_rng([seed, k]), 0, 0
        gate.wait()
        while time.monotonic() < end and not count.wrong:
            try:
                case.calls[int(rng.integers(len(case.calls)))](rng)
                answered += 1
            except kc.BusyError:
                busy += 1
                time.sleep(1e-5)
            except BaseException:
                count.wrong.append(traceback.format_exc())
        with lock:
            count.answered, count.busy = count.answered + answered, count.busy + busy

    lock = threading.Lock()
    threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if not count.wrong:
        try:
            case.finish()
        except BaseException:
            count.wrong.append(traceback.format_exc())


def warm_up(case: Case) -> None:
    """Make each call once in this thread: kernels compile, which may take longer than HANG."""
    for call in case.calls:
        call(np.random.default_rng(0))
    case.finish()


def run(names: list[str], seconds: float) -> bool:
    """Run cases for `seconds` each, print a line for each, and return whether all were right."""
    sys.setswitchinterval(2e-5)
    right = True
    for name in names:
        warm_up(CASES[name]())
        count, start, rounds = Count(), time.monotonic(), 0
        while not count.wrong and (rounds == 0 or time.monotonic() - start < seconds):
            faulthandler.dump_traceback_later(HANG + seconds, exit=True)
            run_round(CASES[name](), rounds, min(ROUND, seconds), count)
            rounds += 1
        faulthandler.cancel_dump_traceback_later()
        verdict = "WRONG" if count.wrong else "right"
        sys.stdout.write(
            f"{name}: {verdict}, {count.answered} calls answered, {count.busy} refused, {rounds} rounds\n"
        )
        for text in count.wrong[:3]:
            sys.stdout.write(f"{text}\n")
        right &= not count.wrong
    return right


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="for each case")
    parser.add_argument("--case", choices=list(CASES), action="append")
    asked = parser.parse_args()
    return 0 if run(asked.case or list(CASES), asked.seconds) else 1


if __name__ == "__main__":
    sys.exit(main())
