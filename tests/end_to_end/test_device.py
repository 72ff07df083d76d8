"""The device with real meshes and real searches: right, in any order, responsive, and without leaks."""

from __future__ import annotations

import asyncio
import concurrent.futures as cf
import gc
import os
import pickle
import random
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.oracles.mesh_bodies import notched_block, prism, shell, soup, star, torus
from tests.oracles.mesh_scene import MeshBody
from tests.oracles.poses import pose, random_rotation

import keepclear as kc
from keepclear.world import world as world_module
from keepclear.world.submit import check as device_module

PATIENCE = (
    600.0  # [s]: nothing takes as long, even if kernels compile; what never ends fails and does not hang
)
BODIES = {
    "ring": torus(24, 12, 1.0, 0.3),
    "star": star(0.8),
    "block": notched_block(),
    "prism": prism(7),
    "soup": soup(np.random.default_rng(3), 60),
    "hollow": shell(star(0.9), star(0.5)),
}


def mesh_of(body: MeshBody) -> kc.Mesh:
    return kc.Mesh(body.vertices, body.faces)


def poses(n: int, reach: float, seed: int = 1) -> list[np.ndarray]:
    """Poses that turn a body anyhow and move it by up to `reach`; one in five also scales it."""
    rng = np.random.default_rng(seed)
    found = []
    for k in range(n):
        X = pose(random_rotation(rng), rng.uniform(-reach, reach, 3))
        if k % 5 == 4:
            X[:3, :3] *= rng.uniform(0.5, 2.0)
        found.append(X)
    return found


def long_check(world: kc.World) -> kc.Check:
    """A check of two soups of large triangles, in which most pairs meet: about a second of work."""
    rng = np.random.default_rng(8)
    for name in ("long a", "long b"):
        if name not in world:
            world.add(name, mesh_of(soup(rng, 1500)))
    return world.submit("long a", "long b", np.eye(4), find="all")


def n_threads() -> int:
    return sum(thread.name == "keepclear-check" for thread in threading.enumerate())


def same(answer: Any, expected: Any) -> bool:
    return (
        answer.colliding == expected.colliding
        and answer.state is expected.state
        and np.array_equal(answer.pairs, expected.pairs)
        and np.array_equal(answer.segments_W, expected.segments_W)
    )


@pytest.mark.parametrize("find", ["any", "all"])
@pytest.mark.parametrize("using", [None, "obb_tree", "box_tree"])
def test_a_check_answers_as_collide_does(find: Any, using: Any) -> None:
    meshes = {name: mesh_of(body) for name, body in BODIES.items()}
    n_colliding = 0
    with kc.World(threads=2) as world:
        for name, mesh in meshes.items():
            world.add(name, mesh)
        asked = [
            (a, b, X, world.submit(a, b, X, find, using=using))
            for a in meshes
            for b in meshes
            for X in poses(6, 1.5, seed=len(a) + 7 * len(b))
        ]
        for a, b, X, check in asked:
            expected = kc.collide(meshes[a], np.eye(4), meshes[b], X, find=find, using=using)
            answer = check.result(PATIENCE)
            assert same(answer, expected), (a, b, X)
            assert sorted(check) == [tuple(pair) for pair in answer.pairs.tolist()], (a, b, X)
            n_colliding += answer.colliding
    assert len(asked) / 5 < n_colliding < len(asked)


def test_answers_do_not_depend_on_threads_pauses_and_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers(threads: int) -> list[tuple[Any, list[tuple[int, int]]]]:
        with kc.World(threads=threads) as world:
            world.add("ring", mesh_of(BODIES["ring"]))
            world.add("soup", mesh_of(BODIES["soup"]))
            checks = [world.submit("ring", "soup", X, "all") for X in poses(10, 1.0)]
            return [(check.result(PATIENCE), list(check)) for check in checks]

    expected = answers(1)
    monkeypatch.setattr(device_module, "FIRST_BUDGET", 1)
    monkeypatch.setattr(device_module, "LARGEST_BUDGET", 3)
    monkeypatch.setattr(device_module, "TURN", 0.0)
    for got, want in zip(answers(3), expected, strict=True):
        assert same(got[0], want[0])
        assert got[1] == want[1]  # even the order in which pairs are found


def test_built_and_loaded_trees_are_used_as_they_are() -> None:
    ring, star_ = mesh_of(BODIES["ring"]), mesh_of(BODIES["star"])
    for build in (kc.build_obb_tree, kc.build_box_tree):
        tree = build(ring)
        loaded = pickle.loads(pickle.dumps(build(star_)))
        with kc.World(threads=1) as world:
            world.add("ring", tree)
            world.add("star", loaded)
            for X in poses(10, 1.5):
                answer = world.submit("ring", "star", X, "all").result(PATIENCE)
                assert same(answer, kc.collide(tree, np.eye(4), loaded, X, find="all"))


def test_every_way_to_add_an_object_gives_the_same_answers() -> None:
    body = BODIES["star"]
    with kc.World(threads=1) as world:
        world.add("mesh", mesh_of(body))
        world.add("arrays", (body.vertices, body.faces))
        world.add("tree", kc.build_obb_tree(mesh_of(body)))
        with world.begin("streamed") as streamed:
            for point in body.vertices:
                streamed.vertices([point])
            for face in body.faces:
                streamed.faces([face])
        for X in poses(10, 1.2):
            first, *others = (world.submit(name, "mesh", X, "all").result(PATIENCE) for name in world.names)
            assert all(same(other, first) for other in others)


def test_a_thousand_checks_in_flight_with_removals_cancellations_and_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = random.Random(11)
    real_search = world_module.new_search
    failing: set[bytes] = set()
    go = threading.Event()

    def new_search(a: Any, b: Any, X_AB: np.ndarray, *options: Any) -> Any:
        assert go.wait(PATIENCE)  # until all checks are in flight
        if X_AB.tobytes() in failing:
            raise MemoryError("planted")
        return real_search(a, b, X_AB, *options)

    monkeypatch.setattr(world_module, "new_search", new_search)
    before = n_threads()
    world = kc.World(threads=2)
    world.add("star", mesh_of(BODIES["star"]))
    reference_mesh = mesh_of(BODIES["star"])
    asked: list[tuple[str, np.ndarray, kc.Check]] = []
    trees: list[weakref.ref[Any]] = []
    places = poses(1000, 1.5, seed=4)
    for k, X in enumerate(places):
        kind = list(BODIES)[k % len(BODIES)]
        name = f"{kind} {k // 25}"
        if name not in world:
            tree = kc.build_obb_tree(mesh_of(BODIES[kind]))
            trees.append(weakref.ref(tree))
            world.add(name, tree)
            del tree
        if rng.random() < 0.1:
            failing.add(X.tobytes())
        asked.append((kind, X, world.submit(name, "star", X, "all")))
        if rng.random() < 0.1:
            rng.choice(asked)[2].cancel()
        if rng.random() < 0.2 and len(world) > 1:
            world.remove(rng.choice(world.names[1:]))
    assert n_threads() == before + 2
    assert not any(check.done() and not check.cancelled() for _, _, check in asked)
    go.set()
    checks = [check for _, _, check in asked]
    assert cf.wait(checks, timeout=PATIENCE).not_done == set()
    n_ended = {"done": 0, "failed": 0, "cancelled": 0}
    for kind, X, check in asked:
        if check.cancelled():
            n_ended["cancelled"] += 1
        elif X.tobytes() in failing:
            assert str(check.exception()) == "planted"
            n_ended["failed"] += 1
        else:
            expected = kc.collide(mesh_of(BODIES[kind]), np.eye(4), reference_mesh, X, find="all")
            assert same(check.result(), expected)
            n_ended["done"] += 1
    assert min(n_ended.values()) > 50
    assert sum(n_ended.values()) == 1000
    for name in world.names:
        world.remove(name)
    world.close()
    assert n_threads() == before
    gc.collect()
    assert [tree() for tree in trees if tree() is not None] == []  # although all checks and results are kept


def test_a_removed_object_that_came_as_arrays_is_freed_at_once() -> None:
    body = BODIES["star"]
    with kc.World(threads=1) as world:
        world.add("other", mesh_of(body))
        gc.disable()
        try:
            world.add("arrays", (body.vertices, body.faces))
            with world.begin("streamed") as streamed:
                streamed.vertices(body.vertices)
                streamed.faces(body.faces)
            checks = [
                world.submit(name, "other", X, "all") for name in world.names[1:] for X in poses(3, 1.0)
            ]
            trees = [weakref.ref(world._objects[name].body._packed.obb_tree) for name in world.names[1:]]
            assert all(tree() is not None for tree in trees)
            world.remove("arrays")
            world.remove("streamed")
            assert sum(check.result(PATIENCE).colliding for check in checks) > 0
            world.submit("other", "other", np.eye(4)).result(PATIENCE)  # the thread has left the others
            assert [tree() for tree in trees] == [None, None]
        finally:
            gc.enable()


def test_pairs_are_read_and_the_search_is_cancelled_while_it_goes_on() -> None:
    with kc.World(threads=1) as world:
        check = long_check(world)
        pairs = iter(check)
        first = [next(pairs) for _ in range(10)]
        assert check.running()
        assert check.cancel()
        with pytest.raises(cf.CancelledError):
            check.result()
        again = long_check(world)
        assert [pair for pair, _ in zip(again, first, strict=False)] == first
        short = world.submit("long a", "long b", pose(np.eye(3), np.array([9.0, 0, 0])))
        assert not short.result(PATIENCE).colliding
        again.cancel()


def test_the_interpreter_stays_responsive_during_a_long_check() -> None:
    with kc.World(threads=2) as world:
        long_check(world).cancel()  # compiled, and the trees are there
        n_ticks = 0

        async def tick() -> None:
            nonlocal n_ticks
            while True:
                await asyncio.sleep(1e-3)
                n_ticks += 1

        async def main() -> None:
            ticking = asyncio.ensure_future(tick())
            check = long_check(world)
            n_pairs = 0
            async for _ in check:
                n_pairs += 1
            answer = await check
            assert n_pairs == len(answer.pairs) > 100_000
            ticking.cancel()

        asyncio.run(asyncio.wait_for(main(), PATIENCE))
    assert n_ticks >= 10  # a search that held the interpreter would allow one or two


def test_the_interpreter_exits_although_a_check_goes_on(project: Path) -> None:
    code = """
import keepclear as kc
from tests.end_to_end.test_device import long_check
world = kc.World(threads=2)
checks = [long_check(world) for _ in range(200)]
print(next(iter(checks[0])) is not None, checks[-1].done())
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=project,
        env=os.environ | {"KEEPCLEAR_QUIET": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True False\n", "")
